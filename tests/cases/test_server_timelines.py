"""Scenarios for servers: the reference server passes them, whatever it chooses, and faulty ones do not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from spec_model.cases import server_scenario_table
from spec_model.cases.courses import NOT_PLAYED, Expected, canonical, mismatch, verdict
from spec_model.cases.exchange_table import exchange_cases, stdio
from spec_model.cases.format import Scenario, Wire
from spec_model.cases.requests import request
from spec_model.cases.scenario_table import scenario_tables
from spec_model.cases.server_scenario_table import FIXTURES, ServerCase, ServerTable, send, server, together
from spec_model.cases.table import BadCase
from spec_model.cases.timeline import Window
from spec_model.peers.faults import FAULTS, Fault, faults_of
from spec_model.peers.server import HttpReply, ReferenceServer, StdioReply
from spec_model.peers.server_content import DUAL, MODERN
from spec_model.requirements.catalogue import catalogue, scope
from spec_model.requirements.choice import DEFAULT_PROFILE, choice_type
from spec_model.wire.values import JsonObject
from tests.conftest import ROOT

TABLES = [table for table in scenario_tables() if table.area.startswith("server-")]
CASES = [case for table in TABLES for case in table.cases if isinstance(case, ServerCase)]
VECTORS = {case.id: case.vector() for case in CASES}
FAILED = ("fail", "warn")


def by_id(case: object) -> str:
    return case.id if isinstance(case, ServerCase) else str(case)


def named(slug: str) -> ServerCase:
    (case,) = [case for case in CASES if case.id.endswith(slug)]
    return case


def grades(case: ServerCase, fault: Fault) -> list[str]:
    """What the servers with a fault get that stand for those under test."""
    return [verdict(VECTORS[case.id], case.replies(lambda one=one: fault.server(one)))[0] for one in case.servers]  # type: ignore[misc]


# --- conforming servers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=by_id)
def test_the_reference_server_passes_with_any_settings(case: ServerCase) -> None:
    for number, settings in enumerate(case.servers):
        seen = case.replies(lambda: ReferenceServer(settings))  # noqa: B023  it is called at once
        grade, course = verdict(VECTORS[case.id], seen)
        assert grade == "pass", course
        assert number or course == "expected"


@pytest.mark.parametrize("case", CASES, ids=by_id)
def test_the_reference_server_passes_whatever_it_chooses(case: ServerCase) -> None:
    for settings in case.servers:
        for choice in map(choice_type, sorted(case.image_of([settings]).read)):
            for value in choice:
                profile = DEFAULT_PROFILE.varied(value)
                seen = case.replies(lambda: ReferenceServer(settings, profile))  # noqa: B023  it is called at once
                grade, course = verdict(VECTORS[case.id], seen)
                assert grade in ("pass", "info", "warn"), (value, course)


@pytest.mark.parametrize("case", [case for case in CASES if len(case.eras) > 1 and not case.settings], ids=by_id)
def test_servers_of_every_era_have_the_same_courses(case: ServerCase) -> None:
    modern, dual = (case.image_of([settings]).outcomes for settings in (MODERN, DUAL))
    assert _outputs(modern) == _outputs(dual)


def _outputs(outcomes: Any) -> set[bytes]:
    return {canonical(msgspec.to_builtins(one.output)) for one in outcomes}


def test_what_was_answered_before_is_what_would_be_answered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {case.id: [(one.output, one.when) for one in case.image.outcomes] for case in CASES}
    monkeypatch.setattr(server_scenario_table, "_answered_before", server_scenario_table._answered)
    again = {case.id: case.image_of(case.settings or case.servers[:1]) for case in CASES}
    assert known == {key: [(one.output, one.when) for one in image.outcomes] for key, image in again.items()}


# --- others -----------------------------------------------------------------------------------------------------------


class _DoesNothing(ReferenceServer):
    def receive_line(self, line: bytes) -> StdioReply:
        return StdioReply()

    def receive_http(
        self, method: str, headers: Mapping[str, str], body: bytes = b"", connection: int = 0
    ) -> HttpReply:
        return HttpReply(200)

    def end_of_input(self) -> StdioReply:
        return StdioReply()


@pytest.mark.parametrize("case", CASES, ids=by_id)
def test_a_server_that_does_nothing_fails(case: ServerCase) -> None:
    assert verdict(VECTORS[case.id], case.replies(_DoesNothing))[0] == "fail"


SHOWN = [(case, requirement) for case in CASES for requirement in case.shows]


@pytest.mark.parametrize(("case", "requirement"), SHOWN, ids=by_id)
def test_what_a_scenario_shows_is_broken_by_a_fault(case: ServerCase, requirement: str) -> None:
    assert [fault.name for fault in faults_of(requirement) if set(grades(case, fault)) & set(FAILED)]


@pytest.mark.parametrize("fault", [fault for fault in FAULTS.values() if fault.timeline], ids=lambda fault: fault.name)
def test_a_fault_that_needs_a_timeline_fails_one_for_all_that_it_breaks(fault: Fault) -> None:
    concerned = [case for case in CASES if set(case.shows) & set(fault.breaks)]
    failed = [case for case in concerned if set(grades(case, fault)) & set(FAILED)]
    assert set(fault.breaks) <= {requirement for case in failed for requirement in case.shows}


@pytest.mark.parametrize("case", [case for case in CASES if not case.shows], ids=by_id)
def test_a_scenario_that_shows_nothing_is_about_something(case: ServerCase) -> None:
    assert case.about


def test_every_server_requirement_is_shown_or_out_of_reach() -> None:
    shown = {one for case in CASES for one in case.shows} | {one for case in exchange_cases() for one in case.shows}
    wanted = {
        one.id
        for one in catalogue().values()
        if one.kind == "server-wire" and not one.restates and scope().covers(one) and not one.out_of_reach
    }
    assert wanted <= shown


# --- what is emitted --------------------------------------------------------------------------------------------------


def test_nothing_of_the_reference_server_is_pinned() -> None:
    text = msgspec.json.encode([VECTORS[case.id] for case in CASES]).decode()
    held = ["mcp-spec-model-reference", "text://greeting", *(str(one["name"]) for one in MODERN.lists["tools"])]
    assert [name for name in held if f'"{name}"' in text] == []


def test_features_gate_their_methods() -> None:
    for case in CASES:
        text = msgspec.json.encode(VECTORS[case.id].steps).decode()
        vector = VECTORS[case.id]
        assert vector.applies_if is not None
        used = {one for one in ("tools", "prompts", "resources") if f'"method":"{one}/' in text}
        assert not case.gated or used == set(vector.applies_if.capabilities), case.id


def test_fixtures_are_declared_and_documented() -> None:
    documented = (ROOT / "docs" / "vector-format.md").read_text()
    for case in CASES:
        vector = VECTORS[case.id]
        assert vector.applies_if is not None
        text = msgspec.json.encode(vector.steps).decode()
        used = set(re.findall(r'\$fixture":"([a-z-]+):', text)) | set(re.findall(r"\$fixture:([a-z-]+):", text))
        assert used <= FIXTURES.keys()
        assert set(vector.applies_if.fixtures) == used | set(case.needs)
        assert all(f"`{fixture}`" in documented for fixture in vector.applies_if.fixtures)


def test_steps_that_begin_together_have_one_time() -> None:
    steps = VECTORS[named("server-state/timeline/at-once/stdio").id].steps
    assert [step.at_ms for step in steps] == [0, 100, 100, 100, 100]
    assert [one.joins for one in together(*[send(stdio(request("server/discover")))] * 2)] == [False, True]


def test_processes_and_connections_are_those_of_a_transport() -> None:
    for case in CASES:
        for step in case.steps:
            assert step.send is not None
            assert step.send.process == 1 or case.under_test.transport == "stdio"
            assert step.send.connection == 1 or case.under_test.transport == "http"


# --- judging ----------------------------------------------------------------------------------------------------------

ONE_PAGE = msgspec.structs.replace(MODERN, page_size=0)


def test_a_step_that_needs_a_value_which_does_not_exist_is_not_played() -> None:
    case = named("server-pages/timeline/walk/tools-list-stdio")
    seen = case.replies(lambda: ReferenceServer(ONE_PAGE))
    assert [window.wire[0]["kind"] for window in seen] == ["reply", NOT_PLAYED]
    assert verdict(VECTORS[case.id], seen)[0] == "not-observed"
    assert verdict(VECTORS[case.id], case.replies(lambda: FAULTS["no-hints"].server(ONE_PAGE)))[0] == "fail"


def test_a_scenario_that_the_reference_server_cannot_play_is_refused() -> None:
    table = ServerTable(type(TABLES[0])("server-area", "about"))
    cursor = "$reply:0:/response/result/nothing"
    steps = [send(stdio(request("tools/list"))), send(stdio(request("tools/list", {"cursor": cursor})))]
    table("one", "One", server("stdio"), steps)
    with pytest.raises(BadCase, match="needs a value"):
        table.table.cases[0].vector()


def test_replies_that_differ_are_not_declared_alike() -> None:
    table = ServerTable(type(TABLES[0])("server-area", "about"))
    steps = [send(stdio(request("tools/list"))), send(stdio(request("prompts/list")), same_as=0)]
    table("one", "One", server("stdio"), steps)
    with pytest.raises(BadCase, match="differ"):
        table.table.cases[0].vector()


def _wrong(wire: dict[str, Any], first: JsonObject, second: JsonObject) -> bool:
    expected: list[Expected] = [([Wire(envelope={})], []), ([Wire(envelope={}, **wire)], [])]
    return mismatch(expected, [False] * 2, [Window([first], [[]]), Window([second], [[]])]) is not None


@pytest.mark.parametrize(
    ("wire", "first", "second", "wrong"),
    [
        ({"same_as": 0}, {"a": [1, 2], "id": 1}, {"a": [2, 1], "id": 2}, False),
        ({"same_as": 0}, {"a": [1, 2]}, {"a": [1, 3]}, True),
        ({"same_as": 0}, {"error": {"code": 1, "message": "x"}}, {"error": {"code": 1, "message": "y"}}, False),
        ({"same_as": 0}, {"error": {"code": 1, "message": "x"}}, {"error": {"code": 2, "message": "x"}}, True),
        ({"same_as": 0}, {"a": {"nextCursor": "x", "ttlMs": 1}}, {"a": {"nextCursor": "y", "ttlMs": 2}}, False),
        ({"same_as": 0, "same_where": {"required": ["p"]}}, {"p": 1, "a": 1}, {"p": 1, "a": 2}, True),
        ({"same_as": 0, "same_where": {"required": ["p"]}}, {"p": 1, "a": 1}, {"a": 2}, False),
        ({"equal": {"/a": "$reply:0:/b/0"}}, {"b": [1]}, {"a": 1}, False),
        ({"equal": {"/a": "$reply:0:/b/0"}}, {"b": [1]}, {"a": True}, True),
        ({"equal": {"/a": "$reply:0:/b/1"}}, {"b": [1]}, {"a": 1}, True),
        ({"disjoint": {"/a": "$reply:0:/a"}}, {"a": [{"x": 1}]}, {"a": [{"x": 2}]}, False),
        ({"disjoint": {"/a": "$reply:0:/a"}}, {"a": [{"x": 1, "y": 2}]}, {"a": [{"y": 2, "x": 1}]}, True),
        ({"disjoint": {"/a": "$reply:0:/a"}}, {"a": []}, {"a": []}, False),
    ],
)
def test_how_a_reply_goes_with_an_earlier_one(
    wire: dict[str, Any], first: JsonObject, second: JsonObject, wrong: bool
) -> None:
    assert _wrong(wire, first, second) is wrong


def test_a_course_of_another_server_has_no_basis() -> None:
    vector: Scenario = VECTORS[named("server-logging/timeline/declared/stdio").id]
    assert [(one.name, one.grade, one.basis, one.when) for one in vector.acceptable] == [
        ("other-server", "pass", None, {})
    ]


def test_an_older_offer_is_a_warning() -> None:
    case = named("server-eras/timeline/offers-newest/stdio")
    assert "warn" in grades(case, FAULTS["handshake-with-oldest"])
    assert VECTORS[case.id].level.value == "should"
