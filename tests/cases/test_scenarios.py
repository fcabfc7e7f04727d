"""Scenarios: what is emitted is what the reference peers do, and what faulty ones do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator

from spec_model import REVISION
from spec_model.cases import format as fmt
from spec_model.cases.client_material import discovered, text, tools
from spec_model.cases.courses import expected_of, mismatch, verdict
from spec_model.cases.envelopes import check_schema
from spec_model.cases.scenario_table import (
    ScenarioCase,
    any_order,
    call,
    client,
    client_settings,
    on,
    scenario_file,
    scenario_tables,
    wait,
)
from spec_model.cases.server_scenario_table import ServerCase
from spec_model.cases.table import BadCase
from spec_model.cases.timeline import Window, play
from spec_model.peers.client import ReferenceClient
from spec_model.peers.client_faults import CLIENT_FAULTS, client_faults_of
from spec_model.peers.client_wire import Effect, Event
from spec_model.peers.server import ReferenceServer
from spec_model.requirements.catalogue import catalogue, scope
from spec_model.requirements.choice import Profile
from spec_model.wire.values import JsonObject

TABLES = scenario_tables()
CASES = [case for table in TABLES for case in table.cases]
CLIENTS = [case for case in CASES if not isinstance(case, ServerCase)]
SERVERS = [case for case in CASES if isinstance(case, ServerCase)]
VECTORS = {case.id: case.vector() for case in CASES}


def _ids(cases: list[Any]) -> list[str]:
    return [case.id for case in cases]


def _seen(case: ScenarioCase, profile: Profile) -> list[Window]:
    if isinstance(case, ServerCase):
        return case.replies(lambda: ReferenceServer(case.servers[0], profile))
    return case.windows(case.reference(profile))


# --- the vectors ------------------------------------------------------------------------------------------------------


def test_ids_are_unique() -> None:
    assert len(VECTORS) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=_ids(CASES))
def test_the_reference_peer_follows_the_expected_course(case: ScenarioCase) -> None:
    assert verdict(VECTORS[case.id], _seen(case, Profile())) == ("pass", "expected")


@pytest.mark.parametrize("case", CASES, ids=_ids(CASES))
def test_a_scenario_plays_the_same_each_time(case: ScenarioCase) -> None:
    assert _seen(case, Profile()) == _seen(case, Profile())


@pytest.mark.parametrize("case", CLIENTS, ids=_ids(CLIENTS))
def test_each_other_course_is_what_its_choices_yield(case: ScenarioCase) -> None:
    vector = VECTORS[case.id]
    for course in vector.acceptable:
        assert verdict(vector, _seen(case, Profile.parse(course.when))) == (course.grade, course.name)


@pytest.mark.parametrize("case", CLIENTS, ids=_ids(CLIENTS))
def test_a_client_that_does_nothing_fails(case: ScenarioCase) -> None:
    assert _verdict_of("idle", case) == "fail"


@pytest.mark.parametrize("case", CASES, ids=_ids(CASES))
def test_envelopes_keep_to_the_subset(case: ScenarioCase) -> None:
    for wires, outcomes in _courses(VECTORS[case.id]):
        for wire in wires:
            check_schema(wire.envelope)
        for outcome in outcomes:
            check_schema(outcome.value)


def _courses(vector: fmt.Scenario) -> Iterator[tuple[list[fmt.Wire], list[fmt.Outcome]]]:
    yield from ((step.expect_wire, step.expect_result) for step in vector.steps)
    for course in vector.acceptable:
        yield from ((step.expect_wire, step.expect_result) for step in course.steps)


def test_envelopes_hold_no_identity() -> None:
    client_names = msgspec.json.encode([VECTORS[case.id].steps for case in CLIENTS])
    assert b"spec-model-client" not in client_names


def test_files_are_what_their_format_says() -> None:
    for table in TABLES:
        file = scenario_file(table, REVISION)
        assert msgspec.json.decode(msgspec.json.encode(file), type=fmt.ScenarioFile) == file
        named = {wire.envelope for case in file.cases for wires, _ in _courses(case) for wire in wires}
        assert named == file.envelopes.keys()


def test_cases_of_a_file_are_judged_by_its_envelopes() -> None:
    for table in TABLES:
        file = scenario_file(table, REVISION)
        for case, vector in zip(table.cases, file.cases, strict=True):
            assert verdict(vector, _seen(case, Profile()), file.envelopes) == ("pass", "expected")


def test_field_reports_exist(shared: Any) -> None:
    known = {f"field:{one['key']}" for one in yaml.safe_load((shared / "field" / "cases.yaml").read_text())["cases"]}
    assert {see for case in CASES for see in case.see} <= known


def test_every_client_requirement_is_shown_or_out_of_reach() -> None:
    shown = {requirement for case in CLIENTS for requirement in case.shows}
    wanted = {
        one.id
        for one in catalogue().values()
        if one.kind == "client-wire" and not one.restates and scope().covers(one) and not one.out_of_reach
    }
    assert wanted <= shown


@dataclass
class _Watched:
    """A client, and the times at which something happens to it."""

    client: ReferenceClient
    times: set[int] = field(default_factory=set)

    @property
    def due(self) -> int | None:
        return self.client.due

    def call(self, name: str, op: str, args: JsonObject, now: int) -> list[Effect]:
        self.times.add(now)
        return self.client.call(name, op, args, now)

    def receive(self, event: Event, now: int) -> list[Effect]:
        self.times.add(now)
        return self.client.receive(event, now)

    def advance(self, now: int) -> list[Effect]:
        self.times.add(now)
        return self.client.advance(now)


@pytest.mark.parametrize("case", CLIENTS, ids=_ids(CLIENTS))
def test_a_patient_runner_needs_no_virtual_clock(case: ScenarioCase) -> None:
    watched = _Watched(case.reference())
    case.windows(watched)
    ends = [*(step.at_ms for step in case.steps), case.end_ms]
    close = [(time, end) for time in watched.times for end in ends if 0 < abs(time - end) < 50]
    assert not close or "virtual-clock" in case.needs


RESULTS = {
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "prompts/list": "ListPromptsResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "tools/call": "CallToolResult",
}


def test_complete_results_of_the_peers_are_valid_unless_marked(shared: Any) -> None:
    schema = json.loads((shared / "spec" / "schema" / f"{REVISION}.json").read_text())
    for case in CLIENTS:
        for rule in case.peer:
            result = rule.reply.result
            if rule.on.method in RESULTS and isinstance(result, dict) and result.get("resultType") == "complete":
                validator = Draft202012Validator({**schema, "$ref": f"#/$defs/{RESULTS[rule.on.method]}"})
                assert validator.is_valid(result) or "malformed" in case.flags, (case.id, rule.on.method)


# --- faults -----------------------------------------------------------------------------------------------------------


def _verdict_of(fault: str, case: ScenarioCase) -> str:
    peer = CLIENT_FAULTS[fault].client(client_settings(case.under_test))
    return verdict(VECTORS[case.id], case.windows(peer))[0]


def _shown() -> Iterator[tuple[ScenarioCase, str]]:
    yield from ((case, requirement) for case in CLIENTS for requirement in case.shows)


@pytest.mark.parametrize(("case", "requirement"), list(_shown()), ids=[f"{case.id}-{one}" for case, one in _shown()])
def test_what_a_scenario_shows_is_broken_by_a_fault(case: ScenarioCase, requirement: str) -> None:
    faults = [fault.name for fault in client_faults_of(requirement)]
    assert [fault for fault in faults if _verdict_of(fault, case) in ("fail", "warn")]


@pytest.mark.parametrize("fault", [name for name in CLIENT_FAULTS if name != "idle"])
def test_every_fault_fails_a_scenario_of_what_it_breaks(fault: str) -> None:
    known = CLIENT_FAULTS[fault]
    assert set(known.breaks) <= catalogue().keys()
    assert known.what.endswith(".")
    concerned = [case for case in CLIENTS if set(case.shows) & set(known.breaks)]
    assert any(_verdict_of(fault, case) in ("fail", "warn") for case in concerned)


# --- judging ----------------------------------------------------------------------------------------------------------

PEER = [
    discovered(),
    on("tools/call", params={"name": "slow"}, result=text("slow"), delay_ms=100),
    on("tools/call", result=text("fast")),
]
STEPS = [
    call(0, "find", "discover"),
    call(10, "a", "tools/call", name="slow", arguments={}),
    call(20, "b", "tools/call", name="fast", arguments={}),
    wait(50),
]


def _played() -> tuple[list[Any], list[Window]]:
    windows = play(ReferenceClient(client_settings(client())), (PEER, STEPS, 300))
    return expected_of(windows), windows


def _wrong(change: Any) -> str | None:
    expected, windows = _played()
    change(windows)
    return mismatch(expected, [False] * len(windows), windows)


def test_what_was_expected_matches() -> None:
    assert _wrong(lambda windows: None) is None


def test_a_silent_step_refuses_a_message() -> None:
    extra = {"kind": "message", "message": {"jsonrpc": "2.0", "method": "notifications/initialized"}}
    assert "1 things went out and not 0" in str(_wrong(lambda windows: windows[3].wire.append(extra)))


def test_a_missing_message_is_told() -> None:
    assert "0 things went out and not 1" in str(_wrong(lambda windows: windows[1].wire.clear()))


def test_an_id_that_waits_is_not_used_again() -> None:
    def change(windows: list[Window]) -> None:
        slow, fast = windows[1].wire[0], windows[2].wire[0]
        fast["message"]["id"] = slow["message"]["id"]  # type: ignore[index, call-overload]

    assert "is the id of another request" in str(_wrong(change))


def test_a_call_that_does_not_end_is_told() -> None:
    assert "0 calls ended and not 1" in str(_wrong(lambda windows: windows[2].results.clear()))


def test_a_wrong_value_is_told() -> None:
    def change(windows: list[Window]) -> None:
        windows[2].results[0]["value"] = {"content": [{"type": "text", "text": "slow"}]}

    assert "returned something else" in str(_wrong(change))


def test_a_wrong_code_is_told() -> None:
    peer = [discovered(), on("tools/list", error={"code": -32603, "message": "no"})]
    windows = play(ReferenceClient(client_settings(client())), (peer, [call(0, "a", "tools/list")], 100))
    expected = expected_of(windows)
    assert mismatch(expected, [False], windows) is None
    windows[0].results[0]["code"] = -32601
    assert "another code" in str(mismatch(expected, [False], windows))


def test_order_counts_unless_it_does_not() -> None:
    expected, windows = _played()
    windows[0].wire.reverse()
    assert mismatch(expected, [False] * 4, windows) is not None
    assert mismatch(expected, [True] * 4, windows) is None


def test_any_order_is_a_property_of_a_step() -> None:
    assert any_order(wait(5)).any_order
    assert not wait(5).any_order


def test_a_scenario_is_about_what_happens_in_it() -> None:
    table = type(TABLES[0])("area", "about")
    steps = [call(0, "a", "tools/list")]
    peer = [discovered(), on("tools/list", result=tools("a"))]
    table("one", "One", client(), peer, steps, _about=("pagination.cursor.string",))
    with pytest.raises(BadCase, match="forces nothing here"):
        table.cases[0].vector()


def test_a_scenario_in_which_nothing_is_seen_is_refused() -> None:
    table = type(TABLES[0])("area", "about")
    table("one", "One", client(), [], [wait(0)], _shows=("base.request.id-unique-outstanding",))
    with pytest.raises(BadCase, match="nothing is seen"):
        table.cases[0].vector()
