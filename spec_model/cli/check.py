"""`mcp-spec check`: judges what a peer sent."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import msgspec

from spec_model.cli.text import MAX_BYTES, Commands, Failure, byte_limit, command, printable, read_json, say, say_json
from spec_model.requirements.catalogue import requirement
from spec_model.semantics.check import TYPES, Checked, UnknownType, check_value, guess
from spec_model.verdicts import MISS, Level, Verdict, exit_code
from spec_model.wire.json import JsonFault


class Line(msgspec.Struct, frozen=True):
    """The verdict on one requirement at one place."""

    verdict: Verdict
    requirement: str
    level: str
    pointer: str
    what: str
    page: str
    anchor: str
    statement: str


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = command(
        commands,
        "check",
        _check,
        "judge a message, or a request with its reply, by every requirement that applies to it",
        "mcp-spec check reply.json --as DiscoverResultResponse",
    )
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="a JSON file, or - for stdin (default)")
    parser.add_argument("--as", dest="type", metavar="TYPE", help="what it is; guessed where left out (--as list: all)")
    parser.add_argument("--strict", action="store_true", help="a warn counts as a fail")
    parser.add_argument("--all", action="store_true", help="show what holds as well")
    parser.add_argument("--max-bytes", type=byte_limit, default=MAX_BYTES, help="read at most this (default 16 MiB)")


def _check(arguments: argparse.Namespace) -> int:
    if arguments.type == "list":
        say(*sorted(TYPES))
        return 0
    decoded = read_json(arguments.file, arguments.max_bytes)
    type_name = arguments.type or guess(decoded.value)
    try:
        found = check_value(decoded.value, type_name)
    except UnknownType as error:
        raise Failure(str(error)) from None
    lines = _lines(found)
    if arguments.json:
        left_out = {"faults": found.more, "notes": found.more_notes}
        say_json({**_report(type_name, arguments.type is None, lines, decoded.faults), "left_out": left_out})
    else:
        _say(type_name, arguments.type is None, lines, decoded.faults, whole=arguments.all)
        if found.more or found.more_notes:
            say(f"and {found.more} further faults, {found.more_notes} further notes")
    graded = [(Level(line.level), line.verdict) for line in lines]
    return int(exit_code(graded, strict=arguments.strict))


def _lines(found: Checked) -> list[Line]:
    """The faults, the worst first, the notes, and what holds: a requirement that is broken somewhere does not hold."""
    broken = {fault.requirement for fault in found.faults}
    faults = [_line(MISS[requirement(one.requirement).severity], *one) for one in found.faults]
    faults.sort(key=lambda line: line.verdict is not Verdict.FAIL)
    notes = [_line(Verdict.INFO, *one) for one in found.notes]
    held = [_line(Verdict.PASS, one, "", "") for one in dict.fromkeys(found.held) if one not in broken]
    return [*faults, *notes, *held]


def _line(verdict: Verdict, requirement_id: str, pointer: str, what: str) -> Line:
    known = requirement(requirement_id)
    return Line(
        verdict=verdict,
        requirement=requirement_id,
        level=known.severity.value,
        pointer=pointer,
        what=what,
        page=known.page,
        anchor=known.anchor,
        statement=known.statement,
    )


def _summary(lines: list[Line]) -> dict[str, int]:
    counts = Counter(line.verdict.value for line in lines)
    return {
        verdict.value: counts[verdict.value] for verdict in (Verdict.FAIL, Verdict.WARN, Verdict.INFO, Verdict.PASS)
    }


def _report(type_name: str, guessed: bool, lines: list[Line], notes: tuple[JsonFault, ...]) -> dict[str, Any]:
    return {
        "type": type_name,
        "guessed": guessed,
        "summary": _summary(lines),
        "verdicts": lines,
        "json": [
            {
                "kind": one.kind,
                "what": printable(one.what),
                "pointer": one.pointer,
                "line": one.line,
                "byte": one.offset,
            }
            for one in notes
        ],
    }


def _say(type_name: str, guessed: bool, lines: list[Line], notes: tuple[JsonFault, ...], *, whole: bool) -> None:
    say(f"{type_name}{' (guessed)' if guessed else ''}")
    for note in notes:
        say(f"json  {note.what} at {note.pointer or 'the root'} (line {note.line}, byte {note.offset})")
    for line in lines:
        if line.verdict is Verdict.PASS:
            if whole:
                say(f"pass  {line.requirement}")
            continue
        say(f"{line.verdict.value:5} {line.requirement} at {line.pointer or 'the root'}: {line.what}")
        say(f"      {line.level.upper()}, {line.page}#{line.anchor}: {line.statement}")
    counts = _summary(lines)
    say(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
