"""`mcp-spec coverage`, `kill`, `matrix`: what the vectors cover, which mutants they fail, and who works with whom."""

from __future__ import annotations

import argparse
import sys

from spec_model.cases.coverage import Coverage, coverage
from spec_model.cases.store import BadVectors
from spec_model.cli.text import Commands, Failure, command, say, say_json, table, vectors_in
from spec_model.peers.matrix import Cell
from spec_model.verdicts import Exit
from spec_model.wire.values import ABSENT


def add(commands: Commands) -> None:
    """Adds the three commands."""
    covered = command(
        commands, "coverage", _coverage, "show what the vectors cover of the catalogue", "mcp-spec coverage --missing"
    )
    covered.add_argument(
        "--missing", action="store_true", help="list the requirements that lack a side, with the reason"
    )
    kill = command(commands, "kill", _kill, "run the mutants of the rules against the vectors", "mcp-spec kill caching")
    matrix = command(commands, "matrix", _matrix, "show who works with whom, computed", "mcp-spec matrix --trace")
    matrix.add_argument("--trace", action="store_true", help="show the messages of every cell")
    kill.add_argument("pattern", nargs="?", default="", metavar="PATTERN", help="only mutants whose name holds this")


def _coverage(arguments: argparse.Namespace) -> int:
    try:
        whole = coverage(vectors_in().files())
    except BadVectors as error:
        raise Failure(str(error)) from None
    if arguments.json:
        say_json(whole)
    elif arguments.missing:
        _say_missing(whole)
    else:
        say(*coverage_lines(whole))
    return Exit.OK


def coverage_lines(whole: Coverage) -> list[str]:
    """The coverage table, one row an area, and the figures."""
    head = (
        "area",
        "rules",
        "executable",
        "two-sided",
        "reasoned",
        "wire",
        "shown",
        "out of reach",
        "decision",
        "exchange",
        "scenario",
        "choices",
    )
    rows = [
        (
            one.area,
            one.requirements,
            one.executable,
            one.two_sided,
            one.reasoned,
            one.wire,
            one.shown,
            one.out_of_reach,
            one.decision_cases,
            one.exchange_cases,
            one.scenario_cases,
            one.choices,
        )
        for one in [*whole.areas, whole.total]
    ]
    return [
        *table(head, rows),
        "",
        f"{whole.executable_ratio:.1%} of the schema and decision requirements are executable",
        f"{whole.ratio:.1%} of them have an accepting and a rejecting case",
        f"{whole.wire_ratio:.1%} of the wire requirements are shown on the wire or out of reach with a reason",
    ]


def _say_missing(whole: Coverage) -> None:
    rows = [
        (row.id, row.kind, row.level, row.status, row.reason or "-")
        for row in whole.rows
        if row.status not in ("two-sided", "shown")
    ]
    say(*table(("id", "kind", "level", "status", "reason"), rows))


def _matrix(arguments: argparse.Namespace) -> int:
    from spec_model.peers.matrix import matrix

    cells = list(matrix())
    if arguments.json:
        say_json(cells)
    elif arguments.trace:
        for cell in cells:
            say(*_cell_lines(cell), "")
    else:
        say(*table(_CELL_HEAD, [_cell_row(cell) for cell in cells]))
    return Exit.OK


_CELL_HEAD = ("client", "server", "transport", "probe", "legacy server's reaction", "outcome", "version", "ending")


def _cell_row(cell: Cell) -> tuple[str, ...]:
    outcome = "works" if cell.works else "fails"
    probe = "yes" if cell.probe else "no"
    version = cell.version if cell.works else "-"
    return cell.client, cell.server, cell.transport, probe, cell.reaction or "-", outcome, version, cell.ending


def _cell_lines(cell: Cell) -> list[str]:
    client, server, transport, probe, reaction, outcome, version, ending = _cell_row(cell)
    head = f"{client} client, {server} server, {transport}, {'probe' if probe == 'yes' else 'no probe'}"
    if cell.reaction:
        head += f", on a request without a handshake: {reaction}"
    lines = [f"{head}: {outcome}" + (f" in {version}" if cell.works else f" ({ending})")]
    for turn in cell.trace:
        status = "" if turn.status is ABSENT else f"HTTP {turn.status} "
        arrow = "->" if turn.who == "client" else "<-"
        lines.append(f"  {turn.at_ms:>6} ms  {arrow} {status}{turn.what}")
    return [*lines, f"  because {', '.join(cell.because)}"]


def _kill(arguments: argparse.Namespace) -> int:
    from spec_model.cases.kill import kill

    matrix = kill(arguments.pattern, _progress if sys.stderr.isatty() else None)
    if not matrix.mutants:
        raise Failure(f"no mutant's name holds {arguments.pattern!r}")
    if arguments.json:
        say_json(matrix)
        return Exit.OK if matrix.clean else Exit.FAILED
    for one in matrix.survivors:
        say(f"survives  {one.mutant} (line {one.line}: {one.what})")
    say(*(f"stale     {name} is recorded as equivalent and is killed or gone" for name in matrix.stale))
    say(*(f"idle      {name} fails no mutant" for name in matrix.idle))
    killed = sum(1 for one in matrix.mutants if one.cases)
    say(
        f"{len(matrix.mutants)} mutants: {killed} killed, {len(matrix.survivors)} survive,"
        f" {len(matrix.reasons_only)} change only the reasons, {len(matrix.equivalent)} are equivalent;"
        f" {len(matrix.idle)} idle cases"
    )
    return Exit.OK if matrix.clean else Exit.FAILED


def _progress(name: str) -> None:
    print(f"\r\033[K{name}", end="", file=sys.stderr, flush=True)
