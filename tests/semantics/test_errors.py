"""Laws of the rules about errors, the official schema as a second opinion, and the table of codes read off the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import ErrorIdWhenUnreadable, RetiredCodes, WrongContainerType
from spec_model.semantics.decision import Conformance
from spec_model.semantics.errors import (
    Condition,
    Meaning,
    PassOn,
    Permission,
    Refuse,
    code,
    may_allocate,
    may_emit,
    meaning,
    refuse,
    response,
)
from spec_model.semantics.revisions import REVISIONS
from spec_model.semantics.server import Error, Server
from spec_model.semantics.server_messages import on_text
from spec_model.semantics.server_stdio import on_stdio
from spec_model.wire.values import ABSENT, equal

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
MODERN = "2026-07-28"


def official(shared: Path, name: str) -> Draft202012Validator:
    document = json.loads((shared / "spec" / "schema" / f"{MODERN}.json").read_bytes())
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": document["$defs"]})


# --- codes ------------------------------------------------------------------------------------------------------------

# The page, row by row: from, to, a code for one's own purpose, a new one, and what a receiver may read into it.
PAGE: list[tuple[int, int, Permission, Permission, Meaning]] = [
    (-40000, -32769, Permission.ALLOWED, Permission.ALLOWED, Meaning.APPLICATION),
    (-32768, -32701, Permission.DISCOURAGED, Permission.DISCOURAGED, Meaning.NONE),
    (-32699, -32604, Permission.DISCOURAGED, Permission.DISCOURAGED, Meaning.NONE),
    (-32599, -32100, Permission.DISCOURAGED, Permission.DISCOURAGED, Meaning.NONE),
    (-32099, -32043, Permission.FORBIDDEN, Permission.FORBIDDEN, Meaning.NONE),
    (-32042, -32042, Permission.FORBIDDEN, Permission.FORBIDDEN, Meaning.URL_ELICITATION_REQUIRED),
    (-32041, -32023, Permission.FORBIDDEN, Permission.FORBIDDEN, Meaning.NONE),
    (-32022, -32022, Permission.FORBIDDEN, Permission.FORBIDDEN, Meaning.UNSUPPORTED_VERSION),
    (-32021, -32021, Permission.FORBIDDEN, Permission.FORBIDDEN, Meaning.MISSING_CLIENT_CAPABILITY),
    (-32020, -32020, Permission.FORBIDDEN, Permission.FORBIDDEN, Meaning.HEADER_MISMATCH),
    (-32019, -32003, Permission.DISCOURAGED, Permission.FORBIDDEN, Meaning.NONE),
    (-32002, -32002, Permission.FORBIDDEN, Permission.FORBIDDEN, Meaning.RESOURCE_NOT_FOUND),
    (-32001, -32000, Permission.DISCOURAGED, Permission.FORBIDDEN, Meaning.NONE),
    (-31999, 40000, Permission.ALLOWED, Permission.ALLOWED, Meaning.APPLICATION),
]


@pytest.mark.parametrize(("first", "last", "own", "new", "says"), PAGE)
def test_ranges(first: int, last: int, own: Permission, new: Permission, says: Meaning) -> None:
    for number in (first, last, (first + last) // 2):
        assert may_emit(number, DEFAULT_PROFILE).outcome is own, number
        assert may_allocate(number).outcome is new, number
        assert meaning(number, DEFAULT_PROFILE).outcome is says, number


@given(st.sampled_from(Condition), st.sampled_from(REVISIONS))
def test_the_code_of_a_condition_may_be_emitted_for_it(condition: Condition, version: str) -> None:
    for value in RetiredCodes:
        profile = Profile({RetiredCodes: value})
        number = code(condition, profile, version).outcome
        if number is None:
            assert condition is Condition.URL_ELICITATION_REQUIRED
        else:
            assert may_emit(number, profile, condition, version).outcome is Permission.ALLOWED


@given(
    st.integers(min_value=-33000, max_value=-31000),
    st.sampled_from([one for one in Condition if one is not Condition.URL_ELICITATION_REQUIRED]),
)
def test_no_other_code_is_right_for_a_condition(number: int, condition: Condition) -> None:
    right = code(condition, DEFAULT_PROFILE).outcome
    assert (may_emit(number, DEFAULT_PROFILE, condition).outcome is Permission.ALLOWED) == (number == right)


@given(st.integers(min_value=-33000, max_value=-31000))
def test_a_new_code_is_never_freer_than_an_old_one(number: int) -> None:
    order = [Permission.ALLOWED, Permission.DISCOURAGED, Permission.FORBIDDEN]
    assert order.index(may_allocate(number).outcome) >= order.index(may_emit(number, DEFAULT_PROFILE).outcome)


def test_the_missing_resource_to_a_legacy_client_is_a_choice() -> None:
    always = Profile({RetiredCodes: RetiredCodes.NEW_CODE_ALWAYS})
    missing = Condition.RESOURCE_NOT_FOUND
    for version in REVISIONS[:-1]:
        assert code(missing, DEFAULT_PROFILE, version).outcome == -32002
        assert code(missing, always, version).outcome == -32602
    for profile in (DEFAULT_PROFILE, always):
        assert code(missing, profile, MODERN).outcome == -32602
        assert may_emit(-32002, profile, missing, MODERN).outcome is Permission.FORBIDDEN


def test_url_elicitation_has_a_code_in_one_revision() -> None:
    always = Profile({RetiredCodes: RetiredCodes.NEW_CODE_ALWAYS})
    visit = Condition.URL_ELICITATION_REQUIRED
    for version in REVISIONS:
        known = version == "2025-11-25"
        assert code(visit, DEFAULT_PROFILE, version).outcome == (-32042 if known else None)
        assert code(visit, always, version).outcome is None
        permitted = may_emit(-32042, DEFAULT_PROFILE, visit, version).outcome
        assert permitted is (Permission.ALLOWED if known else Permission.FORBIDDEN)
        assert may_emit(-32042, always, visit, version).outcome is Permission.FORBIDDEN
    assert meaning(-32042, always).outcome is Meaning.NONE


@given(st.integers(min_value=-33000, max_value=-31000))
def test_only_codes_of_the_legacy_range_are_freer_for_who_had_them(number: int) -> None:
    new = may_emit(number, DEFAULT_PROFILE).outcome
    held = may_emit(number, DEFAULT_PROFILE, established=True).outcome
    assert held is (Permission.ALLOWED if -32019 <= number <= -32000 and number != -32002 else new)


@given(JSON)
def test_codes_of_any_type_are_judged(value: Any) -> None:
    assert may_emit(value, DEFAULT_PROFILE).because
    assert may_allocate(value).because


# --- refusals ---------------------------------------------------------------------------------------------------------

REQUESTS: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", None]),
        "id": st.sampled_from([1, "a", 0, "", 2**60, 1.0, 1.5, True, None, [], {}]),
        "method": st.sampled_from(["x", 1, None]),
        "params": st.sampled_from([{}, [], None, "x"]),
        "result": st.just({}),
        "error": st.just({"code": 1, "message": "m"}),
    },
)


@given(JSON | REQUESTS)
def test_an_error_has_the_id_of_the_request_or_none(value: Any) -> None:
    answer = refuse(json.dumps(value), DEFAULT_PROFILE).outcome
    if isinstance(answer, PassOn):
        return
    answers = isinstance(value, dict) and "method" not in value and ("result" in value) != ("error" in value)
    asked = value.get("id", ABSENT) if isinstance(value, dict) and not answers else ABSENT
    readable = isinstance(asked, str) or (
        isinstance(asked, int | float) and not isinstance(asked, bool) and asked == int(asked)
    )
    if readable:
        assert equal(answer.id, asked)
    else:
        assert answer.id is ABSENT


@given(st.text())
def test_what_is_no_json_is_a_parse_error(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        answer = refuse(text, DEFAULT_PROFILE).outcome
        assert answer == Refuse(-32700)
        null = Profile({ErrorIdWhenUnreadable: ErrorIdWhenUnreadable.NULL_ID})
        assert refuse(text, null).outcome == Refuse(-32700, None)


def test_the_code_for_params_that_are_no_object_is_a_choice() -> None:
    text = '{"jsonrpc":"2.0","id":7,"method":"x","params":[]}'
    outcomes = {value: refuse(text, Profile({WrongContainerType: value})).outcome for value in WrongContainerType}
    assert outcomes == {
        WrongContainerType.BY_LEVEL: Refuse(-32600, 7),
        WrongContainerType.INVALID_REQUEST: Refuse(-32600, 7),
        WrongContainerType.INVALID_PARAMS: Refuse(-32602, 7),
    }


@given(REQUESTS.filter(lambda value: "method" in value and "id" in value))
def test_a_whole_server_on_stdio_refuses_in_the_same_way(value: Any) -> None:
    alone = refuse(json.dumps(value), DEFAULT_PROFILE).outcome
    whole = on_stdio(DEFAULT_PROFILE, Server([MODERN], methods=["x"]), value).outcome
    if isinstance(alone, Refuse):
        assert isinstance(whole, Error)
        assert (whole.code, whole.id) == (alone.code, alone.id)


def test_a_whole_server_reads_text_in_the_same_way() -> None:
    for text in ("", "{", "[1,]", '{"a":1} x'):
        whole = on_text(DEFAULT_PROFILE, text, "stdio").outcome
        assert isinstance(whole, Error)
        assert refuse(text, DEFAULT_PROFILE).outcome == Refuse(whole.code, whole.id)


# --- the shape of an error ------------------------------------------------------------------------------------------


@given(st.fixed_dictionaries({}, optional={"code": JSON, "message": JSON, "data": JSON}) | JSON)
def test_an_error_is_what_the_official_schema_takes_for_one(shared: Path, error: Any) -> None:
    if isinstance(error, dict) and error.get("code") in (-32021, -32022):
        return
    message: Any = {"jsonrpc": "2.0", "id": 1, "error": error}
    accepts = official(shared, "JSONRPCErrorResponse").is_valid(message)
    assert (response(message, DEFAULT_PROFILE).outcome is Conformance.CONFORMS) == accepts


@given(st.fixed_dictionaries({}, optional={"supported": JSON, "requested": JSON}) | JSON)
def test_the_data_of_an_unsupported_version(shared: Path, data: Any) -> None:
    message: Any = {"jsonrpc": "2.0", "error": {"code": -32022, "message": "m", "data": data}}
    accepts = official(shared, "UnsupportedProtocolVersionError").is_valid(message) and bool(data["supported"])
    assert (response(message, DEFAULT_PROFILE).outcome is Conformance.CONFORMS) == accepts


@given(JSON)
def test_the_data_of_a_missing_capability(shared: Path, required: Any) -> None:
    message: Any = {
        "jsonrpc": "2.0",
        "error": {"code": -32021, "message": "m", "data": {"requiredCapabilities": required}},
    }
    accepts = official(shared, "MissingRequiredClientCapabilityError").is_valid(message) and bool(required)
    assert (response(message, DEFAULT_PROFILE).outcome is Conformance.CONFORMS) == accepts
