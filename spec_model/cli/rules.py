"""`mcp-spec rules`, `rule`, `choices`, `choice`: the catalogue and the points of freedom."""

from __future__ import annotations

import argparse
import textwrap

from spec_model.cases.coverage import Coverage, Row, coverage
from spec_model.cli.text import Commands, Failure, command, say, say_json, table, vectors_in
from spec_model.requirements.catalogue import Question, Requirement, catalogue, questions
from spec_model.verdicts import Exit


def add(commands: Commands) -> None:
    """Adds the four commands."""
    rules = command(commands, "rules", _rules, "list requirements", "mcp-spec rules caching.ttl")
    rules.add_argument("pattern", nargs="?", default="", metavar="PATTERN", help="part of an id, a page or a statement")
    rule = command(commands, "rule", _rule, "show one requirement", "mcp-spec rule caching.ttl.negative-as-zero")
    rule.add_argument("id", metavar="ID", help="the id of a requirement")
    command(
        commands, "choices", _choices, "list the points at which the specification leaves freedom", "mcp-spec choices"
    )
    choice = command(commands, "choice", _choice, "show one choice", "mcp-spec choice caching.absent-ttl")
    choice.add_argument("id", metavar="ID", help="the id of a choice")


def _rules(arguments: argparse.Namespace) -> int:
    wanted = arguments.pattern.lower()
    found = [one for one in catalogue().values() if wanted in f"{one.id} {one.page} {one.statement}".lower()]
    if not found:
        raise Failure(f"no requirement matches {arguments.pattern!r}")
    if arguments.json:
        say_json(found)
        return Exit.OK
    say(*table(("id", "level", "role", "page"), [(one.id, one.level, one.role, one.page) for one in found]))
    return Exit.OK


def _rule(arguments: argparse.Namespace) -> int:
    requirement = catalogue().get(arguments.id)
    if requirement is None:
        raise Failure(f"there is no requirement {arguments.id!r}; `mcp-spec rules` lists them")
    store = vectors_in()
    row = _row(coverage(store.files()), arguments.id)
    cases = store.cases_of(arguments.id)
    if arguments.json:
        say_json({"requirement": requirement, "coverage": row, "cases": cases})
        return Exit.OK
    _say_requirement(requirement, row)
    say("", f"cases ({len(cases)}):", *(f"  {case_id}" for case_id in cases))
    return Exit.OK


def _row(whole: Coverage, requirement: str) -> Row | None:
    return next((row for row in whole.rows if row.id == requirement), None)


def _say_requirement(one: Requirement, row: Row | None) -> None:
    say(one.id, *_wrapped(one.statement), "")
    say(f"level      {one.level}{' (implicit)' if one.implicit else ''}", f"role       {one.role}")
    say(f"transport  {one.transport}", f"source     {one.page}#{one.anchor}", f"tested as  {one.kind}")
    if one.see:
        say(f"official   {', '.join(one.see)}")
    if one.restates:
        say(f"restates   {one.restates}")
    if one.not_testable:
        say(f"untested   {one.not_testable}")
    if row is not None:
        functions = ", ".join(row.functions) or "none"
        say(f"functions  {functions}", f"coverage   {row.status}{': ' + row.reason if row.reason else ''}")


def _choices(arguments: argparse.Namespace) -> int:
    if arguments.json:
        say_json(list(questions().values()))
        return Exit.OK
    rows = [
        (one.id, one.kind, one.role, " | ".join(reading.value for reading in one.readings))
        for one in questions().values()
    ]
    say(*table(("id", "kind", "role", "values, the default first"), rows))
    return Exit.OK


def _choice(arguments: argparse.Namespace) -> int:
    question = questions().get(arguments.id)
    if question is None:
        raise Failure(f"there is no choice {arguments.id!r}; `mcp-spec choices` lists them")
    if arguments.json:
        say_json({"choice": question, "cases": vectors_in().cases_of_choice(arguments.id)})
        return Exit.OK
    _say_choice(question)
    return Exit.OK


def _say_choice(one: Question) -> None:
    say(one.id, *_wrapped(one.question), "", f"kind   {one.kind} ({one.basis})", f"pages  {', '.join(one.pages)}")
    for because in one.open_because:
        say(*_wrapped(f"{because.page} {because.says}", "       "))
    for reading in one.readings:
        mark = " (default)" if reading.value == one.default.value else ""
        say("", f"{reading.value}{mark}", *_wrapped(reading.means), *_wrapped(f"because: {reading.argument}"))
        say(f"  supported by: {', '.join(reading.supported_by)}")
    say("", "why this default:", *_wrapped(one.default.why))
    if one.not_permitted:
        say("", "not permitted:", *(f"  - {what}" for what in one.not_permitted))


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, 100, initial_indent=indent, subsequent_indent=indent)
