"""Exchanges fit the reference server and every server like it, and show what they claim to show."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model import REVISION
from spec_model.cases import envelopes
from spec_model.cases import format as fmt
from spec_model.cases.emit import schema_of
from spec_model.cases.envelopes import KEYWORDS, BadEnvelope, check_schema, fits
from spec_model.cases.exchange_table import (
    SERVERS,
    ExchangeCase,
    ExchangeTable,
    View,
    answer_to,
    assign_exchange_controls,
    exchange_cases,
    exchange_file,
    exchange_tables,
    normalised,
    stdio,
)
from spec_model.cases.requests import VERSION, bare, request
from spec_model.cases.table import BadCase
from spec_model.peers.faults import FAULTS, Fault, faults_of
from spec_model.peers.server import ReferenceServer
from spec_model.peers.server_content import Hints, Settings
from spec_model.requirements.catalogue import catalogue
from spec_model.requirements.choice import Profile

CASES = list(exchange_cases())
TABLES = exchange_tables()

# Servers that share nothing with the reference server but the rules.
OTHERS = {
    "modern": Settings(
        capabilities={"tools": {}, "prompts": {}, "resources": {}},
        server_info={"name": "other", "version": "0", "title": "Other"},
        instructions="",
        page_size=0,
        lists={"tools": [], "prompts": [{"name": "p", "title": "P"}], "resources": [], "resourceTemplates": []},
        texts={},
        hints={method: Hints([0], "private") for method in Settings().hints},
    ),
    "dual": Settings(
        versions=[VERSION, "2025-11-25"],
        capabilities={"tools": {"listChanged": True}, "prompts": {}, "resources": {"subscribe": True}},
        server_info={"name": "third", "version": "7"},
        page_size=1,
    ),
}


def envelopes_of(case: ExchangeCase) -> list[dict[str, Any]]:
    """Every envelope that conforms."""
    return [one.output for one in case.alternatives]


def reply(server: ReferenceServer, case: ExchangeCase) -> dict[str, Any]:
    """The reply of one server as envelopes see it."""
    return normalised(answer_to(server, case.request))


def fails(fault: Fault, case: ExchangeCase) -> bool:
    """Whether the reply of a faulty server fits no envelope."""
    got = reply(fault.server(case.servers(case.eras[0])[0]), case)
    return not any(fits(got, envelope) for envelope in envelopes_of(case))


def by_id(case: ExchangeCase) -> str:
    """What a failing test calls the case."""
    return case.id


# --- the cases -------------------------------------------------------------------------------------------------------


def test_there_are_cases_for_both_transports_and_eras() -> None:
    assert len(CASES) > 200
    assert len({case.id for case in CASES}) == len(CASES)
    for era in SERVERS:
        for transport in ("stdio", "http"):
            assert sum(era in case.eras and case.request.transport == transport for case in CASES) > 50


@pytest.mark.parametrize("case", CASES, ids=by_id)
def test_the_reference_server_passes(case: ExchangeCase) -> None:
    first, *_ = envelopes_of(case)
    for era in case.eras:
        assert fits(reply(ReferenceServer(case.servers(era)[0]), case), first)
        for settings in case.servers(era):
            got = reply(ReferenceServer(settings), case)
            assert any(fits(got, envelope) for envelope in envelopes_of(case))


@pytest.mark.parametrize("case", CASES, ids=by_id)
def test_each_permitted_profile_passes_by_its_own_envelope(case: ExchangeCase) -> None:
    for one in case.alternatives:
        got = [
            reply(ReferenceServer(settings, Profile.parse(one.when)), case)
            for era in case.eras
            for settings in case.servers(era)
        ]
        assert any(fits(each, one.output) for each in got)


@pytest.mark.parametrize("case", CASES, ids=by_id)
def test_envelopes_hold_nothing_of_one_server(case: ExchangeCase) -> None:
    for era in case.eras:
        got = reply(ReferenceServer(OTHERS[era]), case)
        assert any(fits(got, envelope) for envelope in envelopes_of(case)), got


@pytest.mark.parametrize("case", [case for case in CASES if case.shows], ids=by_id)
def test_what_a_case_shows_is_failed_by_a_fault(case: ExchangeCase) -> None:
    for requirement in case.shows:
        assert catalogue()[requirement].kind in ("server-wire", "client-wire")
        assert any(fails(fault, case) for fault in faults_of(requirement)), requirement


@pytest.mark.parametrize("fault", [one for one in FAULTS.values() if not one.timeline], ids=lambda one: one.name)
def test_every_fault_that_shows_in_one_answer_is_caught(fault: Fault) -> None:
    assert any(fails(fault, case) for case in CASES)


def test_what_governs_is_shown_or_decided() -> None:
    for case in CASES:
        for requirement in case.governs:
            wire = catalogue()[requirement].kind == "server-wire"
            assert not wire or requirement in case.shows, (case.id, requirement)


def test_a_refused_request_has_a_served_neighbour_on_its_transport() -> None:
    known = {case.id: case for case in CASES}
    for table in TABLES:
        assign_exchange_controls(table.cases)
        for case in table.cases:
            if not case.accepts:
                control = known[case.control]
                assert control.accepts
                assert control.request.transport == case.request.transport


def test_messages_that_are_not_flagged_as_malformed_have_the_metadata_of_their_era() -> None:
    for case in CASES:
        if "malformed" in case.flags or not isinstance(case.message, dict) or "id" not in case.message:
            continue
        modern = "_meta" in case.message.get("params", {})
        legacy = case.message.get("method") == "initialize" or case.eras == ("dual",)
        assert modern or legacy or "method" not in case.message, case.id


# --- the files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.prefix)
def test_files_fit_their_published_schema(table: ExchangeTable) -> None:
    content = json.loads(msgspec.json.encode(exchange_file(table, REVISION)))
    jsonschema.Draft202012Validator(schema_of("exchange", fmt.ExchangeFile)).validate(content)
    assert len(content["cases"]) <= 200
    for case in content["cases"]:
        first, *others = case["replies"]
        assert (first["name"], first["grade"]) == ("normative", "pass")
        assert all("basis" in one or one["name"].startswith("other-server") for one in others)
        assert len({one["name"] for one in case["replies"]}) == len(case["replies"])
        assert case["requirements"]


def test_eras_that_may_answer_differently_are_not_put_into_one_case() -> None:
    message = bare("tools/list")
    case = ExchangeCase("server/x/y", "x", stdio(message), ("modern", "dual"), View.ANSWER)
    with pytest.raises(BadCase, match="may answer differently"):
        _ = case.alternatives


def test_a_view_without_a_requirement_is_refused() -> None:
    case = ExchangeCase(
        "server/x/y", "x", stdio(request("tools/call", {"name": "none"})), ("modern",), View.SERVER_INFO
    )
    with pytest.raises(BadCase, match="no requirement"):
        _ = case.requirements


# --- the subset ------------------------------------------------------------------------------------------------------

values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([1.0, 0.5, "", "a", "ab", VERSION]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b"]), inner),
    max_leaves=6,
)
leaves = st.one_of(
    st.sampled_from(["object", "array", "string", "boolean", "null", "number", "integer"]).map(
        lambda one: {"type": one}
    ),
    values.map(lambda one: {"const": one}),
    st.lists(values, min_size=1, max_size=3).map(lambda several: {"enum": several}),
    st.lists(st.sampled_from(["a", "b"]), unique=True).map(lambda names: {"required": names}),
    st.integers(0, 2).map(lambda number: {"minItems": number}),
    st.integers(0, 2).map(lambda number: {"maxItems": number}),
    st.sampled_from([-1, 0, 0.5]).map(lambda number: {"minimum": number}),
    st.integers(0, 2).map(lambda number: {"minLength": number}),
    st.sampled_from(["a", "^b", VERSION]).map(lambda pattern: {"pattern": pattern}),
)
schemas = st.recursive(
    leaves,
    lambda inner: st.one_of(
        inner.map(lambda one: {"not": one}),
        inner.map(lambda one: {"items": one}),
        inner.map(lambda one: {"contains": one}),
        st.lists(inner, min_size=1, max_size=2).map(lambda several: {"anyOf": several}),
        st.dictionaries(st.sampled_from(["a", "b"]), inner).map(lambda members: {"properties": members}),
        st.tuples(inner, inner).map(lambda two: {**two[0], **two[1]}),
    ),
    max_leaves=5,
)


@given(values, schemas)
def test_the_subset_is_checked_as_json_schema_says(value: Any, schema: dict[str, Any]) -> None:
    check_schema(schema)
    assert fits(value, schema) is jsonschema.Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize("case", CASES, ids=by_id)
def test_envelopes_are_of_the_subset_and_checked_alike_by_a_library(case: ExchangeCase) -> None:
    got = reply(ReferenceServer(case.servers(case.eras[0])[0]), case)
    for envelope in envelopes_of(case):
        check_schema(envelope)
        jsonschema.Draft202012Validator.check_schema(envelope)
        assert fits(got, envelope) is jsonschema.Draft202012Validator(envelope).is_valid(got)


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"maximum": 1},
        {"type": "text"},
        {"properties": {"a": {"maxLength": 1}}},
        {"anyOf": [{"oneOf": []}]},
        {"items": []},
        {"not": {"$ref": "#"}},
    ],
)
def test_other_keywords_are_refused(schema: Any) -> None:
    with pytest.raises(BadEnvelope):
        check_schema(schema)


def test_the_subset_is_the_documented_one() -> None:
    documented = (envelopes.__doc__ or "").split("`")[1].split()
    assert frozenset(documented) == KEYWORDS
