"""Laws of the rules about messages, the official schemas as a second opinion, and outcomes read off the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.cases import messages as cases
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import ErrorIdWhenUnreadable, IdIntegralFloat
from spec_model.semantics.decision import Conformance, Findings
from spec_model.semantics.errors import PassOn, refuse
from spec_model.semantics.messages import (
    Party,
    answers,
    initialize_params,
    initialize_result,
    judge_request,
    kind,
    may_send,
    notification,
    request,
)
from spec_model.wire.messages import MessageKind

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
IDS = st.text(max_size=5) | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.none() | st.booleans()
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", 2.0, None]),
        "id": IDS | JSON,
        "method": st.sampled_from(["x", "", 1, None]),
        "params": JSON | st.just({}),
    },
)
GOOD: Any = {"jsonrpc": "2.0", "id": 1, "method": "x"}


def official(shared: Path, revision: str, *names: str) -> Draft202012Validator:
    """The official schema of a value that has one of these types."""
    document = json.loads((shared / "spec" / "schema" / f"{revision}.json").read_bytes())
    return Draft202012Validator({"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names], "$defs": document["$defs"]})


@given(JSON | MESSAGES)
def test_a_request_is_what_the_official_schema_takes_for_one(shared: Path, value: Any) -> None:
    accepts = official(shared, "2026-07-28", "JSONRPCRequest").is_valid(value)
    assert (request(value, DEFAULT_PROFILE).outcome is Conformance.CONFORMS) == accepts


@given(JSON | MESSAGES)
def test_a_notification_is_what_the_official_schema_takes_for_one_without_an_id(shared: Path, value: Any) -> None:
    accepts = official(shared, "2026-07-28", "JSONRPCNotification").is_valid(value) and "id" not in value
    assert (notification(value).outcome is Conformance.CONFORMS) == accepts


@given(JSON | MESSAGES)
def test_what_is_no_good_request_or_notification_is_refused(value: Any) -> None:
    told = notification(value)
    unanswered = told.outcome is Conformance.CONFORMS or told.because == ("base.notification.params-object",)
    passed = isinstance(refuse(json.dumps(value), DEFAULT_PROFILE).outcome, PassOn)
    assert passed == (unanswered or request(value, DEFAULT_PROFILE).outcome is Conformance.CONFORMS)


@given(st.text() | st.integers())
def test_an_id_comes_back_as_it_went(request_id: str | int) -> None:
    asked: Any = {**GOOD, "id": request_id}
    for body in ({"result": {"resultType": "complete"}}, {"error": {"code": 1, "message": "m"}}):
        for_same: Any = {"jsonrpc": "2.0", "id": request_id, **body}
        assert answers(asked, for_same, DEFAULT_PROFILE).outcome is Conformance.CONFORMS
        other: Any = {**for_same, "id": f"{request_id}'"}
        assert answers(asked, other, DEFAULT_PROFILE).outcome is Conformance.BREAKS


@given(JSON, JSON)
def test_answers_are_judged_whatever_they_are(asked: Any, answered: Any) -> None:
    assert answers(asked, answered, DEFAULT_PROFILE).because


def test_a_number_is_not_the_string_of_its_digits() -> None:
    assert answers(GOOD, {"jsonrpc": "2.0", "id": "1", "result": {}}, DEFAULT_PROFILE).outcome is Conformance.BREAKS
    assert answers({**GOOD, "id": "1"}, {"id": 1, "result": {}}, DEFAULT_PROFILE).outcome is Conformance.BREAKS
    assert answers({**GOOD, "id": 1}, {"id": True, "result": {}}, DEFAULT_PROFILE).outcome is Conformance.BREAKS


@given(IDS | JSON)
def test_an_id_of_a_wrong_type_is_no_better_where_the_request_has_it(request_id: Any) -> None:
    asked: Any = {**GOOD, "id": request_id}
    answered: Any = {"jsonrpc": "2.0", "id": request_id, "result": {"resultType": "complete"}}
    if request(asked, DEFAULT_PROFILE).outcome is Conformance.BREAKS:
        assert answers(asked, answered, DEFAULT_PROFILE).because == ("base.schema.conforms",)


def test_an_id_written_as_a_float_is_a_choice() -> None:
    refused = Profile({IdIntegralFloat: IdIntegralFloat.REFUSE})
    assert request({**GOOD, "id": 1.0}, DEFAULT_PROFILE).outcome is Conformance.CONFORMS
    assert request({**GOOD, "id": 1.0}, refused).outcome is Conformance.BREAKS
    assert request({**GOOD, "id": 1.5}, DEFAULT_PROFILE).outcome is Conformance.BREAKS
    assert request({**GOOD, "id": float(2**60)}, DEFAULT_PROFILE).outcome is Conformance.CONFORMS


def test_a_null_id_stands_for_none_by_choice_and_never_for_a_readable_one() -> None:
    null = Profile({ErrorIdWhenUnreadable: ErrorIdWhenUnreadable.NULL_ID})
    error: Any = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "m"}}
    assert answers({**GOOD, "id": 1.5}, error, null).outcome is Conformance.CONFORMS
    assert answers({**GOOD, "id": 1.5}, error, DEFAULT_PROFILE).outcome is Conformance.BREAKS
    assert answers(GOOD, error, null).outcome is Conformance.BREAKS


def test_who_sends_what() -> None:
    error: Any = {"id": 1, "error": {"code": 1, "message": "m"}}
    sent: dict[str, Any] = {"request": GOOD, "notification": {"method": "x"}, "error": error, "batch": [GOOD]}
    sends = {(party, name): may_send(party, message).outcome for party in Party for name, message in sent.items()}
    assert sends == {
        (Party.CLIENT, "request"): True,
        (Party.CLIENT, "notification"): True,
        (Party.CLIENT, "error"): False,
        (Party.CLIENT, "batch"): False,
        (Party.SERVER, "request"): False,
        (Party.SERVER, "notification"): True,
        (Party.SERVER, "error"): True,
        (Party.SERVER, "batch"): False,
    }


def test_a_batch_is_no_message() -> None:
    assert kind([GOOD]).outcome is MessageKind.BATCH
    assert request([GOOD], DEFAULT_PROFILE).because == ("base.jsonrpc.conforms",)


@given(JSON)
def test_the_handshake_agrees_with_the_schema_of_its_revision(shared: Path, value: Any) -> None:
    params: Any = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": value}
    result: Any = {"protocolVersion": "2025-11-25", "capabilities": value, "serverInfo": {"name": "a", "version": "1"}}
    asked = official(shared, "2025-11-25", "InitializeRequestParams")
    answered = official(shared, "2025-11-25", "InitializeResult")
    for rule, schema, whole in ((initialize_params, asked, params), (initialize_result, answered, result)):
        assert (rule(whole).outcome is Conformance.CONFORMS) == schema.is_valid(whole)


def test_places_are_pointers() -> None:
    found = Findings()
    judge_request(found, {"jsonrpc": "1.0", "id": None, "params": []}, "/request")
    assert [fault.pointer for fault in found.faults] == [
        "/request/jsonrpc",
        "/request/id",
        "/request",
        "/request/params",
    ]


def test_flags_say_what_the_official_schema_says_of_params_and_results_alone(shared: Path) -> None:
    for table, member, name in (
        (cases.handshakes, "params", "InitializeRequestParams"),
        (cases.settled, "result", "InitializeResult"),
    ):
        for case in table.cases:
            valid = official(shared, "2025-11-25", name).is_valid(case.input[member])
            assert ("malformed" in case.flags) == (not valid), case.id
