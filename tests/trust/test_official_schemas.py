"""The official JSON Schemas as an independent oracle: what the vectors hold as messages is valid, or is marked.

A message that is not valid stands in a case with the flag `malformed`; a message of an earlier revision stands in a
case with the flag `legacy` and is valid there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.protocols import Validator

from spec_model.cases import format as fmt
from spec_model.cases.store import open_store
from spec_model.semantics.revisions import REVISIONS
from tests.conftest import ROOT, SHARED

STORE = open_store(ROOT / "vectors")
CASES = [case for _, case in STORE.cases()]


@cache
def _schema(revision: str) -> tuple[dict[str, Any], type[Validator], str]:
    schema = json.loads((SHARED / "spec" / "schema" / f"{revision}.json").read_text())
    modern = "$defs" in schema
    return schema, Draft202012Validator if modern else Draft7Validator, "$defs" if modern else "definitions"


@cache
def _validator(revision: str, name: str) -> Validator:
    schema, validator, definitions = _schema(revision)
    return validator({**schema, "$ref": f"#/{definitions}/{name}"})


ERRORS = {
    -32020: "HeaderMismatchError",
    -32021: "MissingRequiredClientCapabilityError",
    -32022: "UnsupportedProtocolVersionError",
}

# Members that hold several messages, one after the other; any other array with messages in it is a batch.
SERIES = frozenset({"messages", "steps", "peer", "answers", "held", "received", "replies", "sent", "before"})


@cache
def _methods() -> dict[str, tuple[str, str]]:
    """The type of every method, in the newest revision that has it."""
    types = {}
    for revision in REVISIONS:
        schema, _, definitions = _schema(revision)
        for name, definition in schema[definitions].items():
            method = definition.get("properties", {}).get("method", {}).get("const")
            if method is not None and name != "ClientNotification":
                types[method] = (revision, name)
    return types


def _names(message: dict[str, Any], revision: str) -> bool:
    """Whether the metadata of a message names this revision."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and meta.get("io.modelcontextprotocol/protocolVersion") == revision


def _parts(message: Any) -> Iterator[tuple[str, str, Any]]:
    """What a message claims to be: a revision, a type of it, and the value that has to fit.

    The types are those of its method, its error code or its resultType, beside that of any message. Without an id it is
    a notification, whatever its method.
    """
    newest = REVISIONS[-1]
    yield newest, "JSONRPCMessage", message
    if not isinstance(message, dict):
        return
    method, error, result = message.get("method"), message.get("error"), message.get("result")
    if isinstance(method, str) and method in _methods():
        revision, name = _methods()[method]
        of_its_kind = "id" in message or name.endswith("Notification")
        if of_its_kind and (revision == newest or not _names(message, newest)):
            yield revision, name, message
    if isinstance(error, dict) and type(error.get("code")) is int and error["code"] in ERRORS:
        yield newest, ERRORS[error["code"]], message
    if isinstance(result, dict) and result.get("resultType") == "input_required":
        yield newest, "InputRequiredResult", result


def _envelope_is_valid(message: Any, *, legacy: bool) -> bool:
    """Whether a value is a message of the revision, or with `legacy` of any."""
    revisions = REVISIONS if legacy else REVISIONS[-1:]
    return any(_validator(one, "JSONRPCMessage").is_valid(message) for one in revisions)


def _wholly_valid(message: Any, *, legacy: bool) -> bool:
    """Whether a value is all that it claims to be; a message of an earlier revision claims nothing."""
    if legacy and _envelope_is_valid(message, legacy=True):
        return True
    return all(_validator(revision, name).is_valid(value) for revision, name, value in _parts(message))


def _messages(value: Any, name: str = "") -> Iterator[Any]:
    """Every JSON-RPC message or batch inside a value; what stands inside a message is part of it."""
    if isinstance(value, dict):
        if "jsonrpc" in value:
            yield value
            return
        for key, one in value.items():
            yield from _messages(one, key)
    elif isinstance(value, list):
        if name not in SERIES and any(isinstance(one, dict) and "jsonrpc" in one for one in value):
            yield value
            return
        for one in value:
            yield from _messages(one, name)


def _inside(case: fmt.AnyCase) -> list[Any]:
    if isinstance(case, fmt.Decision):
        return list(_messages(case.input))
    if isinstance(case, fmt.Exchange):
        return list(_messages({"message": case.request.message}))
    return list(_messages(msgspec.to_builtins({"peer": case.peer, "steps": case.steps})))


@pytest.fixture(autouse=True)
def _shared(shared: Path) -> None:
    """Every test here needs the official schemas."""


# Decisions about the frame or the era of a message, and about each fault of a log message: a frame will do.
ENVELOPES = ("messages/", "server/")


def _fits(case: fmt.AnyCase, message: Any) -> bool:
    """Whether a message is wholly valid, or in a decision about its frame is a message at all."""
    legacy = "legacy" in case.flags
    if isinstance(case, fmt.Decision) and case.id.startswith(ENVELOPES):
        return _envelope_is_valid(message, legacy=legacy)
    return _wholly_valid(message, legacy=legacy)


def test_messages_are_valid_unless_their_case_says_otherwise() -> None:
    unmarked = [case for case in CASES if "malformed" not in case.flags]
    assert [case.id for case in unmarked if not all(_fits(case, message) for message in _inside(case))] == []


def test_a_case_marked_malformed_holds_a_message_that_the_schema_rejects() -> None:
    for case in (case for case in CASES if "malformed" in case.flags):
        messages = _inside(case)
        if messages:
            assert not all(_wholly_valid(message, legacy=False) for message in messages), case.id


def test_the_oracle_looks_at_many_messages() -> None:
    assert sum(len(_inside(case)) for case in CASES) > 500
    assert sum("malformed" in case.flags for case in CASES) > 50


@pytest.mark.parametrize("kind", ["decision", "exchange", "scenario"])
def test_every_file_is_valid_under_its_published_schema(kind: str) -> None:
    schema = json.loads((ROOT / "vectors" / "schema" / f"{kind}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    paths = [path for path in STORE.paths if f"/{kind}/" in path]
    assert paths
    for path in paths:
        data = json.loads((ROOT / "vectors" / path).read_text())
        assert [error.message for error in validator.iter_errors(data)] == [], path
        assert not validator.is_valid({**data, "unheard": 1}), "the schema is closed"


def test_inputs_and_outputs_fit_the_schemas_of_their_function() -> None:
    for file in STORE.files():
        if not isinstance(file, fmt.DecisionFile):
            continue
        taken, given = Draft202012Validator(file.input_schema), Draft202012Validator(file.output_schema)
        for case in file.cases:
            assert taken.is_valid(case.input), case.id
            for output in (case.expected, *(one.output for one in case.acceptable)):
                assert given.is_valid(output), case.id
