"""The reference client: what holds for it whatever its callers and its server do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.cases import format as fmt
from spec_model.cases.client_material import DUAL, discovered, error, initialized, legacy_tools, text, tools
from spec_model.cases.scenario_table import call, client, client_settings, on, say
from spec_model.cases.timeline import Window, play, requests_in
from spec_model.peers.client import ReferenceClient
from spec_model.peers.client_wire import ClientSettings, Exited, Output, Raise, Return, Spawn, Write
from spec_model.peers.tool_headers import KnownTools, header_value
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.semantics.era import Transport
from spec_model.wire.json import decode, encode
from spec_model.wire.values import Json

TRANSPORTS = ("stdio", "http")
END = 10_000_000


def _play(peer: list[fmt.PeerRule], steps: list[fmt.Step], transport: str = "stdio", **settings: Any) -> list[Window]:
    peer_settings = client_settings(client(transport, **settings))
    return play(ReferenceClient(peer_settings), (peer, steps, END))


def _outcomes(windows: list[Window]) -> Iterator[dict[str, Any]]:
    yield from (result for window in windows for result in window.results)


# --- laws -------------------------------------------------------------------------------------------------------------

OPS: list[tuple[str, dict[str, Any]]] = [
    ("discover", {}),
    ("tools/list", {}),
    ("list-all", {"method": "tools/list"}),
    ("resources/read", {"uri": "text://one"}),
    ("tools/call", {"name": "echo", "arguments": {}}),
]


@st.composite
def stories(draw: st.DrawFn) -> tuple[str, list[fmt.PeerRule], list[fmt.Step]]:
    """A transport, a peer that may be slow, refuse, or say nothing, and calls at any time, some of them given up."""
    delay = draw(st.integers(0, 400))
    answers: tuple[dict[str, Any], ...] = (
        {"result": tools("a", ttl=draw(st.sampled_from((0, 300, 5_000)))), "delay_ms": delay},
        {"error": error(-32603), "delay_ms": delay},
        {},
    )
    peer = [
        discovered(ttl=draw(st.sampled_from((0, 1_000)))),
        on("tools/list", **draw(st.sampled_from(answers))),
        on("resources/read", **draw(st.sampled_from(answers[1:]))),
        on("tools/call", result=text("hi"), delay_ms=draw(st.integers(0, 400))),
    ]
    chosen = draw(st.lists(st.tuples(st.integers(0, 1_000), st.sampled_from(OPS)), min_size=1, max_size=6))
    steps = [call(at, f"c{number}", op, args) for number, (at, (op, args)) in enumerate(chosen)]
    given_up = draw(st.lists(st.integers(0, len(steps) - 1), max_size=2, unique=True))
    steps += [call(chosen[one][0] + 100, f"stop{one}", "cancel", call=f"c{one}") for one in given_up]
    return draw(st.sampled_from(TRANSPORTS)), peer, sorted(steps, key=lambda step: step.at_ms)


@given(stories())
def test_every_call_ends_once(story: tuple[str, list[fmt.PeerRule], list[fmt.Step]]) -> None:
    transport, peer, steps = story
    ended = Counter(result["call"] for result in _outcomes(_play(peer, steps, transport)))
    assert ended == Counter(step.call.name for step in steps if step.call is not None)


@given(stories())
def test_no_two_requests_that_wait_have_one_id(story: tuple[str, list[fmt.PeerRule], list[fmt.Step]]) -> None:
    transport, peer, steps = story
    ids = [message["id"] for message in requests_in(_play(peer, steps, transport)) if "id" in message]
    assert len(ids) == len(set(map(str, ids)))


@given(stories(), st.integers(1, 10_000))
def test_a_shift_of_all_times_changes_nothing(
    story: tuple[str, list[fmt.PeerRule], list[fmt.Step]], shift: int
) -> None:
    transport, peer, steps = story
    later = [msgspec.structs.replace(step, at_ms=step.at_ms + shift) for step in steps]
    assert _play(peer, later, transport) == _play(peer, steps, transport)


@given(stories())
def test_every_modern_request_has_its_metadata(story: tuple[str, list[fmt.PeerRule], list[fmt.Step]]) -> None:
    transport, peer, steps = story
    for message in requests_in(_play(peer, steps, transport)):
        if "id" in message:
            params: Any = message["params"]
            assert {name.rpartition("/")[2] for name in params["_meta"]} == {
                "protocolVersion",
                "clientInfo",
                "clientCapabilities",
            }


@given(st.text())
def test_a_header_value_is_plain(value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        return
    header = header_value(value)
    assert header.isascii()
    assert header.isprintable()
    assert header == header.strip()


# --- a legacy session -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_legacy_request_has_no_metadata_of_this_revision(transport: str) -> None:
    peer = [on("initialize", result=initialized()), on("tools/list", result=legacy_tools("a"))]
    windows = _play(peer, [call(0, "a", "tools/list")], transport, speaks=["2025-11-25"])
    assert not [message for message in requests_in(windows) if b"io.modelcontextprotocol" in encode(message)]


def test_a_legacy_server_gets_its_pings_answered() -> None:
    peer = [on("initialize", result=initialized()), on("tools/list", result=legacy_tools("a"))]
    ping = {"jsonrpc": "2.0", "id": "p", "method": "ping"}
    roots = {"jsonrpc": "2.0", "id": "r", "method": "roots/list"}
    windows = _play(peer, [call(0, "a", "tools/list"), say(10, messages=[ping, roots])], speaks=["2025-11-25"])
    answers = [item["message"] for item in windows[1].wire]
    assert [one["id"] for one in answers] == ["p", "r"]  # type: ignore[index, call-overload]
    assert "result" in answers[0]  # type: ignore[operator]
    assert "error" in answers[1]  # type: ignore[operator]


@pytest.mark.parametrize("op", ["discover", "listen"])
def test_what_a_legacy_session_lacks_is_an_error(op: str) -> None:
    peer = [on("initialize", result=initialized()), on("tools/list", result=legacy_tools("a"))]
    steps = [call(0, "a", "tools/list"), call(10, "b", op)]
    *_, last = _outcomes(_play(peer, steps, speaks=["2025-11-25"]))
    assert last == {"call": "b", "outcome": "raised", "kind": "not-in-this-era"}


# --- edges ------------------------------------------------------------------------------------------------------------


def test_a_server_that_exits_without_end_is_not_started_without_end() -> None:
    peer = [discovered(), on("tools/call", exit=True)]
    steps = [call(0, "find", "discover"), call(10, "a", "tools/call", name="x", arguments={})]
    again = Profile.parse({"stdio.lost-request": "send-again"})
    settings = client_settings(client())
    windows = play(ReferenceClient(settings, again), (peer, steps, END))
    spawned = [item for window in windows for item in window.wire if item["kind"] == "spawn"]
    assert len(spawned) < 6
    assert [one["outcome"] for one in _outcomes(windows)] == ["returned", "raised"]


def test_input_that_nobody_can_give_is_an_error() -> None:
    asked = {"resultType": "input_required", "inputRequests": {"x": {"method": "elicitation/create", "params": {}}}}
    peer = [discovered(), on("tools/call", result=asked)]
    *_, last = _outcomes(_play(peer, [call(0, "a", "tools/call", name="x", arguments={})]))
    assert last["kind"] == "input-required"


def test_requests_for_input_without_end_are_an_error() -> None:
    peer = [discovered(), on("tools/call", result={"resultType": "input_required", "requestState": "s"})]
    windows = _play(peer, [call(0, "a", "tools/call", name="x", arguments={})])
    *_, last = _outcomes(windows)
    assert last["kind"] == "input-required"
    assert len(list(requests_in(windows))) < 12


@pytest.mark.parametrize("result", [None, 1, "x", [], {"resultType": 1}, {"resultType": "other"}])
def test_a_result_that_is_none_is_an_error(result: Any) -> None:
    peer = [discovered(), on("tools/call", result=result)]
    *_, last = _outcomes(_play(peer, [call(0, "a", "tools/call", name="x", arguments={})]))
    assert last["kind"] == "invalid-result"


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[]", b"1", b"null", b'{"jsonrpc":"2.0"}', b'{"id":99,"jsonrpc":"2.0","result":{}}', b"\xff"]
)
def test_lines_of_any_kind_are_survived(line: bytes) -> None:
    driven = ReferenceClient(ClientSettings(speaks=DUAL))
    driven.call("a", "tools/list", {}, 0)
    for _ in range(2):
        driven.receive(Output(line), 1)
    answer = {"jsonrpc": "2.0", "id": 1, "result": discovered().reply.result}
    written = [one for one in driven.receive(Output(encode(answer)), 2) if isinstance(one, Write)]
    assert [decode(one.data).value["method"] for one in written] == ["tools/list"]  # type: ignore[index, call-overload]


def test_close_without_a_server_is_done_at_once() -> None:
    assert ReferenceClient(ClientSettings()).call("end", "close", {}, 0) == [Return("end", {})]


def test_calls_that_wait_end_with_the_connection() -> None:
    driven = ReferenceClient(ClientSettings())
    driven.call("a", "tools/list", {}, 0)
    assert Raise("a", "closed") in driven.call("end", "close", {}, 1)
    assert driven.receive(Exited(), 2) == [Return("end", {})]
    assert driven.due is None


def test_http_starts_no_process() -> None:
    driven = ReferenceClient(ClientSettings(transport=Transport.HTTP), DEFAULT_PROFILE)
    assert not [one for one in driven.call("a", "tools/list", {}, 0) if isinstance(one, Spawn)]


def test_parameter_headers_come_from_the_exact_path() -> None:
    known = KnownTools(DEFAULT_PROFILE)
    marked: Json = {"type": "string", "x-mcp-header": "Region"}
    schema: Json = {"type": "object", "properties": {"where": {"type": "object", "properties": {"region": marked}}}}
    known.listed({"tools": [{"name": "t", "inputSchema": schema}], "ttlMs": 0}, 0, first=True)
    assert known.headers({"name": "t", "arguments": {"where": {"region": "eu"}}}) == {"mcp-param-region": "eu"}
    assert known.headers({"name": "t", "arguments": {"region": "eu"}}) == {}
    assert known.headers({"name": "t", "arguments": {"where": {"region": None}}}) == {}
    assert known.headers({"name": "other", "arguments": {"where": {"region": "eu"}}}) == {}


@pytest.mark.parametrize(("value", "header"), [(True, "true"), (False, "false"), (-7, "-7"), ("a b", "a b")])
def test_a_primitive_argument_stands_in_a_header(value: Any, header: str) -> None:
    known = KnownTools(DEFAULT_PROFILE)
    schema: Json = {"properties": {"x": {"x-mcp-header": "X"}}}
    known.listed({"tools": [{"name": "t", "inputSchema": schema}]}, 0, first=True)
    assert known.headers({"name": "t", "arguments": {"x": value}}) == {"mcp-param-x": header}
