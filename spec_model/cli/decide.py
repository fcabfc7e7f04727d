"""`mcp-spec decide`: runs a rule on an input."""

from __future__ import annotations

import argparse
import inspect
from typing import Any

import msgspec

from spec_model.cli.text import MAX_BYTES, Commands, Failure, byte_limit, command, read_json, say, say_json
from spec_model.requirements.catalogue import requirement
from spec_model.requirements.choice import Profile, UnknownChoice
from spec_model.semantics.explore import Alternative, Image, image
from spec_model.semantics.functions import BadInput, Function, function_of, functions, output_of
from spec_model.verdicts import Exit


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = command(
        commands,
        "decide",
        _decide,
        "run a rule on an input: the outcome, the requirements that force it, and the alternatives with their basis",
        "echo '{\"ttl\": -5}' | mcp-spec decide caching.lifetime",
    )
    parser.add_argument("function", nargs="?", metavar="FUNCTION", help="a published function")
    parser.set_defaults(late="input")
    parser.add_argument("input", nargs="?", default="-", metavar="INPUT", help="a JSON file, or - for stdin (default)")
    parser.add_argument(
        "--choice", action="append", default=[], metavar="ID=VALUE", help="set a choice; may be repeated"
    )
    parser.add_argument("--list", action="store_true", help="list the functions with their input and output schemas")
    parser.add_argument("--max-bytes", type=byte_limit, default=MAX_BYTES, help="read at most this (default 16 MiB)")


def _decide(arguments: argparse.Namespace) -> int:
    if arguments.list:
        return _list(arguments)
    if arguments.function is None:
        raise Failure("name a function; `mcp-spec decide --list` shows them")
    try:
        function = function_of(arguments.function)
        profile = Profile.parse(dict(map(_assignment, arguments.choice)))
        value = function.read(_input(arguments))
    except (BadInput, UnknownChoice) as error:
        raise Failure(str(error)) from None
    decision = function.decide(value, profile)
    reached = image(lambda other: _run(function, value, other))
    if arguments.json:
        say_json(_report(function, decision.outcome, decision.because, profile, reached))
    else:
        _say(output_of(decision.outcome), decision.because, profile, reached)
    return Exit.OK


def _input(arguments: argparse.Namespace) -> Any:
    """The input value; Failure where its text was not read as it stands, for the answer would be about another."""
    decoded = read_json(arguments.input, arguments.max_bytes)
    for fault in decoded.faults:
        raise Failure(f"{fault.what} at {fault.pointer or 'the root'} (line {fault.line}, byte {fault.offset})")
    return decoded.value


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise Failure(f"--choice {text}: write it as ID=VALUE")
    return name, value


def _run(function: Function, value: dict[str, Any], profile: Profile) -> tuple[bytes, Any, tuple[str, ...]]:
    decision = function.decide(value, profile)
    output = output_of(decision.outcome)
    return msgspec.json.encode(output), output, decision.because


def _others(outcome: Any, reached: Image) -> list[Alternative]:
    return [one for one in reached.outcomes if one.output != outcome]


def _report(function: Function, outcome: Any, because: tuple[str, ...], profile: Profile, reached: Image) -> Any:
    return {
        "function": function.name,
        "outcome": outcome,
        "because": because,
        "choices": profile.deviations(),
        "alternatives": [
            {
                "outcome": one.output,
                "because": one.because,
                "when": one.when,
                **({"grade": one.grade, "basis": one.basis()} if one.when else {"grade": "pass"}),
            }
            for one in _others(output_of(outcome), reached)
        ],
    }


def _say(outcome: Any, because: tuple[str, ...], profile: Profile, reached: Image) -> None:
    say(f"outcome      {_compact(outcome)}")
    for name in because:
        known = requirement(name)
        say(f"because      {name} ({known.level}) {known.page}#{known.anchor}", f"             {known.statement}")
    for choice, chosen in profile.deviations().items():
        say(f"choice       {choice} = {chosen}")
    for one in _others(outcome, reached):
        when = ", ".join(f"{choice} = {value}" for choice, value in one.when.items()) or "every choice at its default"
        say(f"alternative  {_compact(one.output)}", f"             when {when}")
        if one.when:
            basis = one.basis()
            say(f"             graded {one.grade}: {basis['kind']}, see `mcp-spec choice {basis['ref']}`")


def _compact(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _list(arguments: argparse.Namespace) -> int:
    found = functions()
    if arguments.json:
        rows = []
        for one in found.values():
            input_schema, output_schema = one.schemas()
            rows.append(
                {
                    "function": one.name,
                    "about": one.about,
                    "judges": one.judges,
                    "input": input_schema,
                    "output": output_schema,
                }
            )
        say_json(rows)
        return Exit.OK
    for one in found.values():
        say(f"{one.name}({', '.join(_parameters(one))})", f"    {inspect.cleandoc(one.about).splitlines()[0]}")
        input_schema, output_schema = one.schemas()
        say(f"    input   {_compact(_inlined(input_schema))}", f"    output  {_compact(_inlined(output_schema))}")
    return Exit.OK


def _parameters(one: Function) -> list[str]:
    return [field.name if field.required else f"{field.name}?" for field in msgspec.structs.fields(one.input_type)]


def _inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without the outer reference, where it is no more than that."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    definitions = dict(schema.get("$defs", {}))
    if not name:
        return schema
    inner = definitions.pop(name)
    return {**inner, **({"$defs": definitions} if definitions else {})}
