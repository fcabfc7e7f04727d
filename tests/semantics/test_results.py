"""Laws of the rules about results, the official schema as a second opinion, and outcomes read off the pages by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.cases import results as cases
from spec_model.cases.table import DecisionTable
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import AbsentResultTypeOnModern, ResultTypeFromLegacyServer
from spec_model.semantics.decision import Conformance
from spec_model.semantics.results import (
    Reading,
    ResultType,
    contents,
    input_request,
    may_ask,
    page,
    read,
    response,
    result,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
MODERN, LEGACY = "2026-07-28", "2025-11-25"
TASK = ResultType("io.modelcontextprotocol/tasks", "task", ["tools/call"])
CONFORMS = Conformance.CONFORMS


def official(shared: Path, *names: str, revision: str = MODERN) -> Draft202012Validator:
    """The official schema of a value that has one of these types."""
    document = json.loads((shared / "spec" / "schema" / f"{revision}.json").read_bytes())
    return Draft202012Validator({"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names], "$defs": document["$defs"]})


def typed(kind: Any) -> Any:
    return {"resultType": kind, "content": []}


# --- what a client makes of a result --------------------------------------------------------------------------------


@given(JSON)
def test_only_core_types_are_recognized_without_an_extension(kind: Any) -> None:
    reading = read(MODERN, "tools/call", typed(kind), DEFAULT_PROFILE).outcome
    known = {"complete": Reading.COMPLETE, "input_required": Reading.INPUT_REQUIRED}
    assert reading is (known.get(kind, Reading.INVALID) if isinstance(kind, str) else Reading.INVALID)


@given(JSON)
def test_no_profile_starts_a_round_trip_in_a_legacy_session(kind: Any) -> None:
    for value in ResultTypeFromLegacyServer:
        reading = read(LEGACY, "tools/call", typed(kind), Profile({ResultTypeFromLegacyServer: value})).outcome
        assert reading in (Reading.COMPLETE, Reading.INVALID)


def test_an_absent_type_from_a_legacy_server_is_complete_in_every_profile() -> None:
    for absent in AbsentResultTypeOnModern:
        for unknown in ResultTypeFromLegacyServer:
            profile = Profile({AbsentResultTypeOnModern: absent, ResultTypeFromLegacyServer: unknown})
            assert read(LEGACY, "tools/call", {"content": []}, profile).outcome is Reading.COMPLETE


def test_a_null_type_is_never_taken_for_an_absent_one() -> None:
    for absent in AbsentResultTypeOnModern:
        profile = Profile({AbsentResultTypeOnModern: absent})
        assert read(MODERN, "tools/call", typed(None), profile).outcome is Reading.INVALID


@pytest.mark.parametrize(
    ("method", "declared", "reading"),
    [
        ("tools/call", (TASK.extension,), Reading.EXTENSION),
        ("tools/call", (), Reading.INVALID),
        ("tools/call", ("com.example/other",), Reading.INVALID),
        ("resources/read", (TASK.extension,), Reading.INVALID),
    ],
)
def test_a_type_of_an_extension(method: str, declared: tuple[str, ...], reading: Reading) -> None:
    assert read(MODERN, method, typed("task"), DEFAULT_PROFILE, declared, (TASK,)).outcome is reading


@given(st.text())
def test_three_methods_ask_for_input(method: str) -> None:
    assert may_ask(method).outcome is (method in {"tools/call", "prompts/get", "resources/read"})
    assert may_ask("tools/call").outcome


# --- what a result must hold ------------------------------------------------------------------------------------------


@given(JSON | st.fixed_dictionaries({"resultType": JSON}, optional={"_meta": JSON, "x": JSON}))
def test_a_result_is_what_the_official_schema_takes_for_one(shared: Path, value: Any) -> None:
    accepts = official(shared, "Result").is_valid(value)
    assert (result("tools/call", value).outcome is CONFORMS) == accepts


@given(JSON, JSON)
def test_a_response_is_what_the_official_schema_takes_for_one(shared: Path, response_id: Any, kind: Any) -> None:
    message: Any = {"jsonrpc": "2.0", "id": response_id, "result": {"resultType": kind}}
    accepts = official(shared, "JSONRPCResultResponse").is_valid(message)
    assert (response(message, DEFAULT_PROFILE).outcome is CONFORMS) == accepts


LISTS: Any = [
    ("tools/list", "tools", "ListToolsResult"),
    ("prompts/list", "prompts", "ListPromptsResult"),
    ("resources/list", "resources", "ListResourcesResult"),
    ("resources/templates/list", "resourceTemplates", "ListResourceTemplatesResult"),
]


@given(st.sampled_from(LISTS), JSON, JSON, JSON)
def test_a_page_is_what_the_official_schema_takes_for_one(
    shared: Path, row: Any, items: Any, cursor: Any, ttl: Any
) -> None:
    method, name, type_name = row
    value: Any = {"resultType": "complete", name: items, "nextCursor": cursor, "ttlMs": ttl, "cacheScope": "public"}
    accepts = official(shared, type_name).is_valid(value)
    assert (page(method, value).outcome is CONFORMS) == accepts


@given(JSON)
def test_contents_are_what_the_official_schema_takes_for_them(shared: Path, items: Any) -> None:
    value: Any = {"resultType": "complete", "contents": items, "ttlMs": 0, "cacheScope": "private"}
    assert (contents(value).outcome is CONFORMS) == official(shared, "ReadResourceResult").is_valid(value)


@given(JSON)
def test_a_state_is_a_string_and_opaque(state: Any) -> None:
    value: Any = {"resultType": "input_required", "requestState": state}
    assert (result("tools/call", value).outcome is CONFORMS) == isinstance(state, str)


def test_a_request_for_input_holds_something_and_answers_three_methods() -> None:
    nothing: Any = {"resultType": "input_required"}
    assert result("tools/call", nothing).because == ("mrtr.server.requests-or-state",)
    state: Any = {"resultType": "input_required", "requestState": ""}
    assert result("tools/call", state).outcome is CONFORMS
    assert result("tools/list", state).because == ("mrtr.supported.nothing-else",)


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_bounds_of_numbers_may_be_any_number(bound: float) -> None:
    asked: Any = {"type": "object", "properties": {"a": {"type": "number", "minimum": bound}}}
    request: Any = {"method": "elicitation/create", "params": {"message": "m", "requestedSchema": asked}}
    assert input_request(request).outcome is CONFORMS


def test_the_identifier_of_an_earlier_revision_is_gone_from_url_mode_only() -> None:
    url: Any = {"mode": "url", "message": "m", "url": "https://example.com", "elicitationId": "e"}
    assert input_request({"method": "elicitation/create", "params": url}).because == ("removed.field.elicitation-id",)


@given(JSON | st.fixed_dictionaries({"method": st.sampled_from(["elicitation/create", "roots/list"]), "params": JSON}))
def test_input_requests_are_judged_whatever_they_are(value: Any) -> None:
    assert input_request(value).because


# --- flags ------------------------------------------------------------------------------------------------------------


def types_of(table: str, case: dict[str, Any]) -> tuple[str, tuple[str, ...], str]:
    """Which member of a case's input has which official types, in which revision."""
    if table == "results.read":
        return "result", ("Result",), MODERN if case["version"] == MODERN else LEGACY
    if table == "results.response":
        return "message", ("JSONRPCResultResponse",), MODERN
    if table == "results.result":
        asks = isinstance(case["result"], dict) and case["result"].get("resultType") == "input_required"
        return "result", ("InputRequiredResult" if asks else "Result",), MODERN
    if table == "results.list":
        return "result", (next(name for method, _, name in LISTS if method == case["method"]),), MODERN
    if table == "results.contents":
        return "result", ("ReadResourceResult", "InputRequiredResult"), MODERN
    return "request", ("InputRequest",), MODERN


TABLES = [
    table
    for table in vars(cases).values()
    if isinstance(table, DecisionTable) and "malformed" in table.flags and table.function.name.startswith("results.")
]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.function.name)
def test_flags_say_what_the_official_schemas_say(shared: Path, table: DecisionTable) -> None:
    for case in table.cases:
        member, names, revision = types_of(table.function.name, case.input)
        valid = official(shared, *names, revision=revision).is_valid(case.input[member])
        assert ("malformed" in case.flags) == (not valid), case.id
