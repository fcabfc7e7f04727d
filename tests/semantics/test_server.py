"""Laws of what a server does with a message."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.cases.requests import (
    CAPABILITIES,
    LEGACY,
    PROTOCOL_VERSION,
    UNKNOWN,
    VERSION,
    bare,
    headers,
    initialize,
    notification,
    request,
    with_meta,
)
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile, all_choices
from spec_model.semantics.explore import image
from spec_model.semantics.functions import output_of
from spec_model.semantics.server import Accept, Error, Handshake, Refuse, RefuseNotification, Serve, Server, Silence
from spec_model.semantics.server_http import on_http
from spec_model.semantics.server_messages import on_text
from spec_model.semantics.server_requests import Fault
from spec_model.semantics.server_stdio import Process, on_stdio

CAPABLE: dict[str, Any] = {"tools": {}, "prompts": {}, "resources": {}}
MODERN = Server([VERSION], CAPABLE)
DUAL = Server([VERSION, LEGACY, "2025-06-18"], CAPABLE)
OLDEST = Server([VERSION, LEGACY, "2025-06-18", "2025-03-26"], CAPABLE)
LEGACY_ONLY = Server([LEGACY, "2025-03-26"], CAPABLE)

servers = st.sampled_from([MODERN, DUAL, OLDEST, LEGACY_ONLY, msgspec.structs.replace(OLDEST, sessions=False)])
modern_servers = st.sampled_from([MODERN, DUAL, OLDEST])
processes = st.sampled_from([
    Process(),
    Process("modern"),
    Process("legacy", LEGACY),
    Process("modern", LEGACY),
    Process("legacy", "2025-03-26"),
])  # fmt: skip
sessions = st.sampled_from([None, LEGACY, "2025-03-26"])
profiles = st.lists(st.sampled_from(list(all_choices())), max_size=4).flatmap(
    lambda choices: st.tuples(*(st.sampled_from(list(choice)) for choice in choices)).map(
        lambda values: Profile({type(value): value for value in values})
    )
)

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
json_values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)
versions = st.sampled_from([VERSION, UNKNOWN, LEGACY, "2025-06-18", "", 7, None])
metas = st.fixed_dictionaries(
    {},
    optional={PROTOCOL_VERSION: versions, CAPABILITIES: st.just({}) | json_values, "progressToken": st.just(1)},
)
envelopes = st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0", "1.0"])},
    optional={
        "id": st.sampled_from([1, "a", None, 1.0, 1.5, True]),
        "method": st.sampled_from(["tools/list", "server/discover", "initialize", "ping", "example/unknown", 7]),
        "params": st.fixed_dictionaries({}, optional={"_meta": metas | json_values}) | json_values,
        "result": st.just({}),
    },
)
messages = envelopes | json_values | st.lists(envelopes, max_size=3)
http_headers = st.dictionaries(
    st.sampled_from(["MCP-Protocol-Version", "mcp-session-id", "Accept"]),
    st.sampled_from([VERSION, LEGACY, UNKNOWN, "", "x"]),
)


@given(profiles, servers, messages, processes)
def test_on_stdio_answers_anything(profile: Profile, server: Server, message: Any, process: Process) -> None:
    decision = on_stdio(profile, server, message, process)
    assert decision.because
    output_of(decision.outcome)


@given(profiles, servers, messages, http_headers, sessions)
def test_on_http_answers_anything(
    profile: Profile, server: Server, message: Any, named: dict[str, str], session: str | None
) -> None:
    decision = on_http(profile, server, message, named, session)
    assert decision.because
    output_of(decision.outcome)


@given(profiles, st.text(alphabet=st.characters()), st.sampled_from(["stdio", "http"]))
def test_on_text_answers_anything(profile: Profile, text: str, transport: Any) -> None:
    assert on_text(profile, text, transport).because


@given(profiles, messages, processes)
def test_a_modern_only_server_has_no_history(profile: Profile, message: Any, process: Process) -> None:
    fresh = on_stdio(profile, MODERN, message)
    assert isinstance(message, list) or on_stdio(profile, MODERN, message, Process(process.first)) == fresh


@given(modern_servers, metas, processes)
def test_a_complete_request_is_decided_without_history(server: Server, meta: dict[str, Any], process: Process) -> None:
    message = request("tools/list", meta={**meta, PROTOCOL_VERSION: VERSION, CAPABILITIES: {}})
    assert on_stdio(DEFAULT_PROFILE, server, message, process) == on_stdio(DEFAULT_PROFILE, server, message)


@given(profiles, servers, processes, sessions, st.text(), json_values)
def test_notifications_are_never_answered(
    profile: Profile, server: Server, process: Process, session: str | None, method: str, params: Any
) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    assert isinstance(on_stdio(profile, server, message, process).outcome, Silence)
    answered = on_http(profile, server, message, {}, session).outcome
    assert answered == Refuse(status=400) or isinstance(answered, Accept | RefuseNotification)


@given(profiles, servers, processes, st.sampled_from([0, -1, 2**53 + 1, "", "a", "1"]), envelopes)
def test_an_error_has_the_id_of_its_request(
    profile: Profile, server: Server, process: Process, request_id: Any, message: dict[str, Any]
) -> None:
    sent = {**message, "id": request_id, "method": "example/unknown"}
    outcome = on_stdio(profile, server, sent, process).outcome
    if isinstance(outcome, Error):
        assert outcome.id == request_id
        assert type(outcome.id) is type(request_id)


@given(profiles, st.sampled_from([DUAL, OLDEST]), st.text() | st.sampled_from([VERSION, LEGACY, UNKNOWN]))
def test_a_handshake_never_settles_on_a_modern_version(profile: Profile, server: Server, asked: str) -> None:
    for decision in (
        on_stdio(profile, server, initialize(asked)),
        on_http(profile, server, initialize(asked), {}),
    ):
        refused = decision.outcome == Error(-32602, 1) and asked not in server.legacy
        assert refused or (isinstance(decision.outcome, Handshake) and decision.outcome.version in server.legacy)


@given(
    profiles, modern_servers, st.text() | st.sampled_from([LEGACY, UNKNOWN]), sessions.filter(lambda one: one is None)
)
def test_a_request_is_never_served_by_this_revision_under_another_header(
    profile: Profile, server: Server, header: str, session: str | None
) -> None:
    message = request("tools/list")
    outcome = on_http(profile, server, message, headers(message, version=header), session).outcome
    assert header == VERSION or outcome != Serve(VERSION)


@given(modern_servers, metas, st.sampled_from(["tools/list", "server/discover", "example/unknown", "ping"]))
def test_both_transports_decide_alike(server: Server, meta: dict[str, Any], method: str) -> None:
    """With the header that mirrors the body, the code is the same on both transports."""
    message = request(method, meta={**meta, PROTOCOL_VERSION: meta.get(PROTOCOL_VERSION) or VERSION})
    if not isinstance(message["params"]["_meta"][PROTOCOL_VERSION], str):
        return
    on_line = on_stdio(DEFAULT_PROFILE, server, message).outcome
    posted = on_http(DEFAULT_PROFILE, server, message, headers(message)).outcome
    assert type(on_line) is type(posted)
    if isinstance(on_line, Error) and isinstance(posted, Error):
        assert (on_line.code, on_line.id, on_line.data) == (posted.code, posted.id, posted.data)


CODES = {Fault.METADATA: -32602, Fault.HEADER: -32020, Fault.VERSION: -32022, Fault.METHOD: -32601}


def _faulty(faults: tuple[Fault, ...]) -> tuple[dict[str, Any], dict[str, str]]:
    version = UNKNOWN if Fault.VERSION in faults else VERSION
    meta = with_meta(version=version, capabilities=None if Fault.METADATA in faults else {})
    message = request("example/unknown" if Fault.METHOD in faults else "tools/list", meta=meta)
    return message, headers(message, **({"version": "2099-01-01"} if Fault.HEADER in faults else {}))


@pytest.mark.parametrize("faults", [one for n in range(5) for one in itertools.combinations(Fault, n)])
def test_each_fault_that_applies_may_be_reported_and_no_other(faults: tuple[Fault, ...]) -> None:
    message, named = _faulty(faults)

    def run(profile: Profile) -> tuple[Any, Any, tuple[str, ...]]:
        decision = on_http(profile, MODERN, message, named)
        code = decision.outcome.code if isinstance(decision.outcome, Error) else 0
        return code, code, decision.because

    codes = {one.output for one in image(run).outcomes}
    assert codes == ({CODES[fault] for fault in faults} or {0})


@pytest.mark.parametrize("header", [VERSION, None])
def test_a_legacy_request_is_not_run_by_this_revision(header: str | None) -> None:
    named = headers({}, version=header)
    outcome = on_http(DEFAULT_PROFILE, DUAL, bare("tools/list"), named).outcome
    assert isinstance(outcome, Error)
    assert on_stdio(DEFAULT_PROFILE, DUAL, notification("x")).outcome == Silence()
