"""The negotiation machine: sequences read off the pages by hand, the matrix played, and bounds under any peer."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.peers.negotiation import (
    MAX_REDIRECTS,
    Action,
    Adopt,
    Answered,
    Authorize,
    Awaited,
    Disconnect,
    Negotiation,
    Opened,
    OpenStream,
    Repeat,
    Report,
    Respawn,
    SendCancelled,
    SendDiscover,
    SendInitialize,
    SendInitialized,
    SendRequest,
    SetTimer,
    Settings,
    UseOldTransport,
    message_of,
)
from spec_model.requirements.catalogue import catalogue
from spec_model.requirements.choice import DEFAULT_PROFILE, Choice, Profile, all_choices
from spec_model.requirements.choices import (
    AuthStatus,
    CancelAbandonedProbe,
    FallbackStatus,
    FirstHttpRequest,
    LateAnswer,
    LegacyOnlySupported,
    ModernOnlyProbe,
    ModernVersionInHandshake,
    NonClientErrorFailure,
    OldTransportOrder,
    ProbeProcessExit,
    RecognizedModernErrors,
    RedirectedRequest,
    RetryBound,
    UnsupportedErrorWithoutList,
)
from spec_model.semantics.era import (
    Exit,
    Line,
    Noise,
    Reason,
    Response,
    Sent,
    Stderr,
    Stream,
    Transport,
    Unreachable,
    recognized_modern_error,
)
from spec_model.semantics.interop import Works, interop_outcome
from spec_model.semantics.revisions import Era, of_era
from spec_model.semantics.versions import Names, NoHandshake, negotiate
from spec_model.strategies.negotiation import clients, peer_events, versions
from spec_model.wire.values import member

NEXT, NOW, OLD, OLDER = "2027-03-01", "2026-07-28", "2025-11-25", "2025-06-18"
DUAL, MODERN, LEGACY = [NOW, OLD], [NOW], [OLD]
URL = "https://mcp.example.com/mcp"


def stdio(speaks: Sequence[str] = DUAL, **settings: Any) -> Settings:
    return Settings(speaks=list(speaks), transport=Transport.STDIO, **settings)


def http(speaks: Sequence[str] = DUAL, **settings: Any) -> Settings:
    return Settings(speaks=list(speaks), transport=Transport.HTTP, url=URL, **settings)


def with_choice(*values: Choice) -> Profile:
    return Profile({type(value): value for value in values})


def error(number: int, code: int, data: Any = None) -> Any:
    told = {} if data is None else {"data": data}
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": "no", **told}}


def refusal(number: int, *supported: str) -> Any:
    return error(number, -32022, {"supported": list(supported), "requested": "x"})


def discovered(number: int, *supported: str) -> Any:
    result = {
        "resultType": "complete",
        "supportedVersions": list(supported),
        "capabilities": {},
        "ttlMs": 0,
        "cacheScope": "private",
    }
    return {"jsonrpc": "2.0", "id": number, "result": result}


def session(number: int, version: str) -> Any:
    result = {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}
    return {"jsonrpc": "2.0", "id": number, "result": result}


def bare(actions: Sequence[Action]) -> list[Action]:
    """The actions without their reasons and timers."""
    return [msgspec.structs.replace(one, because=()) for one in actions if not isinstance(one, SetTimer)]


class Script:
    """A peer that answers in turn; it keeps everything that the client did, without reasons and timers."""

    def __init__(self, settings: Settings, profile: Profile = DEFAULT_PROFILE) -> None:
        self.client = Negotiation(settings, profile)
        self.now = 0
        self.did = bare(self.client.start(self.now))

    def says(self, *messages: Any) -> Script:
        """Lines on standard output, or on the stream of the old transport."""
        for message in messages:
            self._happens(message if isinstance(message, Noise | Stderr | Exit) else Line(message))
        return self

    def answers(self, *events: Response | Unreachable) -> Script:
        """Answers to the POSTs, one after the other."""
        for event in events:
            outstanding = self.client.outstanding
            number = outstanding.id if outstanding and isinstance(outstanding.id, int) else 0
            self._happens(Answered(number, event))
        return self

    def opens(self, event: Stream | Unreachable) -> Script:
        self._happens(Opened(event))
        return self

    def passes(self, ms: int) -> Script:
        self.now += ms
        self.did += bare(self.client.timer(self.now))
        return self

    def _happens(self, event: Any) -> None:
        self.did += bare(self.client.receive(event, self.now))


# --- stdio, by hand --------------------------------------------------------------------------------------------------


def test_a_probe_finds_a_modern_server() -> None:
    did = Script(stdio()).says(discovered(1, NOW)).did
    assert did == [SendDiscover(id=1, version=NOW), Adopt(era=Era.MODERN, version=NOW)]


@pytest.mark.parametrize("code", [-32601, -32602, -32600, -32000, 1])
def test_any_other_error_leads_to_the_handshake(code: int) -> None:
    did = Script(stdio()).says(error(1, code), session(2, OLD)).did
    assert did == [
        SendDiscover(id=1, version=NOW),
        SendInitialize(id=2, version=OLD),
        SendInitialized(),
        Adopt(era=Era.LEGACY, version=OLD),
    ]


def test_silence_leads_to_the_handshake_on_the_same_process() -> None:
    script = Script(stdio(probe_timeout_ms=500)).passes(499)
    assert script.did == [SendDiscover(id=1, version=NOW)]
    script.passes(1).says(session(2, OLD))
    assert script.did[1:] == [
        SendInitialize(id=2, version=OLD),
        SendInitialized(),
        Adopt(era=Era.LEGACY, version=OLD),
    ]


def test_output_on_standard_error_changes_nothing() -> None:
    noise = [Stderr("ERROR validation failed")] * 3
    assert Script(stdio()).says(*noise, error(1, -32601)).did[1:] == [SendInitialize(id=2, version=OLD)]


def test_an_abandoned_probe_is_cancelled_only_by_the_reading_that_says_so() -> None:
    cancelling = with_choice(CancelAbandonedProbe.SEND_CANCELLED)
    assert SendCancelled(request_id=1) not in Script(stdio()).passes(10_000).did
    assert Script(stdio(), cancelling).passes(10_000).did[1:] == [
        SendCancelled(request_id=1),
        SendInitialize(id=2, version=OLD),
    ]


def test_a_late_discovery_result_is_dropped_or_adopted_before_the_handshake_is_done() -> None:
    late = Script(stdio()).passes(10_000).says(discovered(1, NOW), session(2, OLD))
    assert late.did[-1] == Adopt(era=Era.LEGACY, version=OLD)
    adopting = with_choice(LateAnswer.ADOPT_MODERN_BEFORE_HANDSHAKE_COMPLETES)
    assert Script(stdio(), adopting).passes(10_000).says(discovered(1, NOW)).did[-1] == Adopt(
        era=Era.MODERN, version=NOW
    )
    after = Script(stdio(), adopting).passes(10_000).says(session(2, OLD), discovered(1, NOW))
    assert after.did[-1] == Adopt(era=Era.LEGACY, version=OLD)


def test_a_process_that_exits_on_the_probe_is_replaced() -> None:
    assert Script(stdio()).says(Exit()).did[1:] == [Respawn(), SendInitialize(id=2, version=OLD)]


def test_a_process_that_exits_is_probed_at_most_once_more() -> None:
    again = with_choice(ProbeProcessExit.RESTART_THEN_PROBE_ONCE_MORE)
    assert Script(stdio(), again).says(Exit(), Exit()).did[1:] == [
        Respawn(),
        SendDiscover(id=2, version=NOW),
        Respawn(),
        SendInitialize(id=3, version=OLD),
    ]


def test_a_process_that_exits_on_the_probe_of_a_modern_only_client_is_replaced_once() -> None:
    did = Script(stdio(MODERN)).says(Exit(), Exit()).did
    assert did[1:] == [
        Respawn(),
        SendDiscover(id=2, version=NOW),
        Report(reason=Reason.LEGACY_SERVER, era=Era.LEGACY),
    ]


@pytest.mark.parametrize("speaks", [DUAL, LEGACY])
def test_a_process_that_exits_on_initialize_is_replaced_once(speaks: list[str]) -> None:
    script = Script(stdio(speaks))
    if speaks is DUAL:
        script.passes(10_000)
    before = len(script.did)
    assert script.says(Exit(), Exit()).did[before:] == [
        Respawn(),
        SendInitialize(id=before + 1, version=OLD),
        Report(reason=Reason.TRANSPORT_FAILURE),
    ]


def test_after_an_exit_on_the_probe_no_third_process_is_started() -> None:
    assert Script(stdio()).says(Exit(), Exit()).did[-1] == Report(reason=Reason.TRANSPORT_FAILURE)


def test_a_late_answer_of_a_process_that_is_gone_means_nothing() -> None:
    adopting = with_choice(LateAnswer.ADOPT_MODERN_BEFORE_HANDSHAKE_COMPLETES)
    assert Script(stdio(), adopting).says(Exit(), discovered(1, NOW)).did[1:] == [
        Respawn(),
        SendInitialize(id=2, version=OLD),
    ]


def test_a_refused_version_is_replaced_by_a_listed_one_with_a_new_id() -> None:
    did = Script(stdio([NEXT, NOW, OLD])).says(refusal(1, NOW), discovered(2, NOW)).did
    assert did == [
        SendDiscover(id=1, version=NEXT),
        SendDiscover(id=2, version=NOW),
        Adopt(era=Era.MODERN, version=NOW),
    ]


def test_a_server_that_refuses_what_it_lists_ends_the_negotiation() -> None:
    did = Script(stdio([NEXT, NOW])).says(refusal(1, NOW), refusal(2, NOW)).did
    assert did[-1] == Report(reason=Reason.NO_COMMON_VERSION, era=Era.MODERN)
    assert [one.version for one in did if isinstance(one, SendDiscover)] == [NEXT, NOW]


@pytest.mark.parametrize("event", [error(2, -32601), Exit()])
def test_a_server_that_was_shown_to_be_modern_gets_no_initialize(event: Any) -> None:
    did = Script(stdio([NEXT, NOW, OLD])).says(refusal(1, NOW), event).passes(10_000).did
    assert not any(isinstance(one, SendInitialize) for one in did)


@pytest.mark.parametrize("answer", [refusal(1, OLD), discovered(1, OLD)])
def test_a_listed_legacy_version_leads_to_the_handshake(answer: Any) -> None:
    assert Script(stdio()).says(answer).did[1:] == [SendInitialize(id=2, version=OLD)]
    surfacing = with_choice(LegacyOnlySupported.SURFACE_NO_COMMON_VERSION)
    assert Script(stdio(), surfacing).says(answer).did[1:] == [Report(reason=Reason.NO_COMMON_VERSION, era=Era.MODERN)]


def test_a_modern_only_client_fails_a_legacy_server() -> None:
    assert Script(stdio(MODERN)).says(error(1, -32601)).did[1:] == [Report(reason=Reason.LEGACY_SERVER, era=Era.LEGACY)]


def test_a_modern_only_client_may_leave_the_probe_out() -> None:
    at_once = with_choice(ModernOnlyProbe.REQUEST_AT_ONCE)
    old_shape: Any = {"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}
    did = Script(stdio(MODERN), at_once).says(old_shape).did
    assert did == [SendRequest(id=1, version=NOW, method="tools/list"), Adopt(era=None, version=NOW)]


def test_a_request_that_met_an_exit_is_sent_once_more() -> None:
    at_once = with_choice(ModernOnlyProbe.REQUEST_AT_ONCE)
    did = Script(stdio(MODERN), at_once).says(Exit(), Exit()).did
    assert did == [
        SendRequest(id=1, version=NOW, method="tools/list"),
        Respawn(),
        SendRequest(id=2, version=NOW, method="tools/list"),
        Report(reason=Reason.TRANSPORT_FAILURE),
    ]


def test_a_legacy_client_opens_with_initialize() -> None:
    did = Script(stdio(LEGACY)).says(error(1, -32601)).did
    assert did == [SendInitialize(id=1, version=OLD), Report(reason=Reason.HANDSHAKE_REFUSED)]


def test_a_handshake_that_ends_in_an_unsupported_version_is_given_up() -> None:
    assert Script(stdio(LEGACY)).says(session(1, OLDER)).did[-1] == Disconnect()


def test_a_modern_version_in_a_handshake() -> None:
    script = Script(stdio()).says(error(1, -32601), session(2, NOW))
    assert script.did[-1] == Disconnect()
    going_on = with_choice(ModernVersionInHandshake.LEGACY_SEMANTICS)
    assert Script(stdio(), going_on).says(error(1, -32601), session(2, NOW)).did[-1] == Adopt(
        era=Era.LEGACY, version=NOW
    )


# --- a remembered era, by hand ---------------------------------------------------------------------------------------


def test_a_remembered_legacy_era_that_failed_is_found_out_again() -> None:
    script = Script(stdio(remembered=Era.LEGACY)).says(refusal(1, NOW), discovered(2, NOW))
    assert script.did == [
        SendInitialize(id=1, version=OLD),
        SendDiscover(id=2, version=NOW),
        Adopt(era=Era.MODERN, version=NOW),
    ]


def test_a_remembered_legacy_era_that_holds_costs_no_probe() -> None:
    script = Script(http(remembered=Era.LEGACY)).answers(Response(200, session(1, OLD)))
    assert script.did == [
        SendInitialize(id=1, version=OLD),
        SendInitialized(),
        Adopt(era=Era.LEGACY, version=OLD),
    ]


def test_a_remembered_modern_era_that_failed_is_found_out_again() -> None:
    script = Script(stdio(remembered=Era.MODERN)).says(error(1, -32000), error(2, -32601), session(3, OLD))
    assert script.did == [
        SendRequest(id=1, version=NOW, method="tools/list"),
        SendDiscover(id=2, version=NOW),
        SendInitialize(id=3, version=OLD),
        SendInitialized(),
        Adopt(era=Era.LEGACY, version=OLD),
    ]


def test_a_slow_modern_server_is_probed_again_when_it_refuses_initialize() -> None:
    script = Script(stdio()).passes(10_000).says(refusal(2, NOW), discovered(3, NOW))
    assert script.did[1:] == [
        SendInitialize(id=2, version=OLD),
        SendDiscover(id=3, version=NOW),
        Adopt(era=Era.MODERN, version=NOW),
    ]


def test_an_era_is_remembered_until_it_fails_once() -> None:
    script = Script(stdio(remembered=Era.LEGACY)).says(error(1, -32601), error(2, -32601), error(3, -32601))
    assert script.did == [
        SendInitialize(id=1, version=OLD),
        SendDiscover(id=2, version=NOW),
        SendInitialize(id=3, version=OLD),
        Report(reason=Reason.HANDSHAKE_REFUSED),
    ]


def test_a_server_that_answered_initialize_with_a_modern_error_gets_no_other() -> None:
    for last in (error(3, -32601), None):
        script = Script(stdio()).passes(10_000).says(error(2, -32021))
        script = script.passes(10_000) if last is None else script.says(last)
        assert [type(one) for one in script.did] == [SendDiscover, SendInitialize, SendDiscover, Report]


def test_a_server_that_offers_a_handshake_and_refuses_it_is_not_asked_for_ever() -> None:
    script = Script(stdio()).says(discovered(1, OLD), error(2, -32020), discovered(3, OLD), error(4, -32020))
    assert script.did[1:] == [
        SendInitialize(id=2, version=OLD),
        SendDiscover(id=3, version=NOW),
        SendInitialize(id=4, version=OLD),
        Report(reason=Reason.HANDSHAKE_REFUSED),
    ]


# --- HTTP, by hand ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        Response(400),
        Response(400, text="<html></html>"),
        Response(400, {"error": {"code": "bad_request"}}),
        Response(400, {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "session"}}),
        Response(400, {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Missing ID field"}}),
        Response(200, error(1, -32601)),
        Response(404),
    ],
)
def test_one_legacy_answer_suffices(answer: Response) -> None:
    script = Script(http()).answers(answer, Response(200, session(2, OLD)))
    assert script.did == [
        SendDiscover(id=1, version=NOW),
        SendInitialize(id=2, version=OLD),
        SendInitialized(),
        Adopt(era=Era.LEGACY, version=OLD),
    ]


def test_initialize_carries_no_trace_of_a_session_or_of_modern_metadata() -> None:
    sent = Script(http()).answers(Response(400)).did[-1]
    message = message_of(sent)
    assert message is not None
    assert message["method"] == "initialize"
    assert member(message, "params", "_meta") is not None and "_meta" not in json.dumps(message)


def test_a_refused_credential_is_tried_with_initialize_once() -> None:
    credential = http(credential=True)
    allowed = Script(credential).answers(Response(401), Response(200, session(2, OLD)))
    assert allowed.did[-1] == Adopt(era=Era.LEGACY, version=OLD)
    refused = Script(credential).answers(Response(401), Response(401))
    assert refused.did[1:] == [SendInitialize(id=2, version=OLD), Authorize()]
    challenged = Script(credential, with_choice(AuthStatus.CHALLENGE_ONLY)).answers(Response(401))
    assert challenged.did[1:] == [Authorize()]


def test_without_a_credential_a_challenge_ends_the_negotiation() -> None:
    assert Script(http()).answers(Response(401, www_authenticate="Bearer")).did[1:] == [Authorize()]


def test_an_outage_leads_to_no_downgrade() -> None:
    for answer in (Response(503), Unreachable(), Response(200, text="<html></html>")):
        assert Script(http()).answers(answer).did[1:] == [Report(reason=Reason.TRANSPORT_FAILURE)]
    assert Script(http()).passes(10_000).did[1:] == [Report(reason=Reason.TRANSPORT_FAILURE)]


def test_an_outage_that_initialize_does_not_survive_stores_no_era() -> None:
    trying = with_choice(NonClientErrorFailure.LEGACY)
    did = Script(http(), trying).answers(Response(503), Response(503)).did
    assert did[1:] == [SendInitialize(id=2, version=OLD), Report(reason=Reason.TRANSPORT_FAILURE)]


def test_a_redirect_of_the_legacy_request_decides_nothing_where_the_probe_is_answered() -> None:
    assert Script(http()).answers(Response(200, discovered(1, NOW))).did == [
        SendDiscover(id=1, version=NOW),
        Adopt(era=Era.MODERN, version=NOW),
    ]


def test_a_redirect_of_initialize_within_the_origin_is_followed() -> None:
    moved = Response(307, location="/v2")
    did = Script(http(LEGACY, credential=True)).answers(moved, Response(200, session(1, OLD))).did
    assert did[1] == Repeat(id=1, url="https://mcp.example.com/v2", credential=True)
    assert did[-1] == Adopt(era=Era.LEGACY, version=OLD)


def test_a_server_that_is_modern_after_all_may_be_asked_for_what_the_caller_wants() -> None:
    inline = with_choice(FirstHttpRequest.ORDINARY_REQUEST)
    mismatch = Response(400, error(2, -32020))
    script = Script(http(), inline).answers(Response(400), mismatch)
    assert script.did[-1] == SendRequest(id=3, version=NOW, method="tools/list")
    assert script.answers(Response(400)).did[-1] == Report(reason=Reason.REQUEST_REFUSED)


def test_the_status_of_the_refused_request_counts_after_a_get_that_failed() -> None:
    only_400 = with_choice(FallbackStatus.ONLY_400)
    did = Script(http(old_transport=True), only_400).answers(Response(404)).opens(Stream(405)).did
    assert did[-1] == Report(reason=Reason.TRANSPORT_FAILURE)
    anyway = Script(http(old_transport=True), with_choice(OldTransportOrder.GET_FIRST)).answers(Response(404))
    assert anyway.opens(Stream(405)).did[-1] == SendInitialize(id=2, version=OLD)


def test_redirects_end() -> None:
    circle = Script(http()).answers(Response(307, location="/a"), Response(307, location="/mcp"))
    assert circle.did[1:] == [
        Repeat(id=1, url="https://mcp.example.com/a", credential=False),
        Report(reason=Reason.TRANSPORT_FAILURE),
    ]
    chain = Script(http()).answers(*(Response(308, location=f"/{n}") for n in range(MAX_REDIRECTS + 1)))
    assert sum(isinstance(one, Repeat) for one in chain.did) == MAX_REDIRECTS
    assert chain.client.done


def test_a_credential_that_was_left_out_is_not_presented_again() -> None:
    anywhere = with_choice(RedirectedRequest.FOLLOW_WITH_POST)
    script = Script(http(credential=True), anywhere)
    script.answers(Response(307, location="https://other.example/mcp"), Response(307, location="/a"), Response(401))
    assert script.did[1:] == [
        Repeat(id=1, url="https://other.example/mcp", credential=False),
        Repeat(id=1, url="https://other.example/a", credential=False),
        Authorize(),
    ]


def test_an_ordinary_first_request_is_sent_again_with_a_listed_version() -> None:
    inline = with_choice(FirstHttpRequest.ORDINARY_REQUEST)
    done: Any = {"jsonrpc": "2.0", "id": 2, "result": {"resultType": "complete", "tools": []}}
    did = Script(http([NEXT, NOW]), inline).answers(Response(400, refusal(1, NOW)), Response(200, done)).did
    assert did == [
        SendRequest(id=1, version=NEXT, method="tools/list"),
        SendRequest(id=2, version=NOW, method="tools/list"),
        Adopt(era=Era.MODERN, version=NOW),
    ]


def test_a_first_result_without_type_leads_to_a_probe() -> None:
    inline = with_choice(FirstHttpRequest.ORDINARY_REQUEST)
    old_shape: Any = {"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}
    did = Script(http(), inline).answers(Response(200, old_shape), Response(200, error(2, -32601))).did
    assert did[1:] == [SendDiscover(id=2, version=NOW), SendInitialize(id=3, version=OLD)]


def test_an_answer_to_an_earlier_request_is_ignored() -> None:
    script = Script(http([NEXT, NOW, OLD])).answers(Response(400, refusal(1, NOW)))
    assert script.client.receive(Answered(1, Response(400)), 0) == []


def test_a_refused_handshake_leads_to_the_old_transport() -> None:
    script = Script(http([NOW, OLD, "2024-11-05"], old_transport=True))
    script.answers(Response(404), Response(405))
    script.opens(Stream(200, "text/event-stream", "endpoint", "/messages?s=1")).says(session(3, "2024-11-05"))
    assert script.did == [
        SendDiscover(id=1, version=NOW),
        SendInitialize(id=2, version=OLD),
        OpenStream(),
        UseOldTransport(url="https://mcp.example.com/messages?s=1"),
        SendInitialize(id=3, version=OLD),
        SendInitialized(),
        Adopt(era=Era.LEGACY, version="2024-11-05"),
    ]


def test_the_get_may_come_first_and_is_not_tried_twice() -> None:
    get_first = with_choice(OldTransportOrder.GET_FIRST)
    script = Script(http(old_transport=True), get_first).answers(Response(405))
    script.opens(Stream(405)).answers(Response(404))
    assert script.did == [
        SendDiscover(id=1, version=NOW),
        OpenStream(),
        SendInitialize(id=2, version=OLD),
        Report(reason=Reason.HANDSHAKE_REFUSED),
    ]


def test_a_get_that_failed_after_initialize_ends_the_negotiation() -> None:
    script = Script(http(old_transport=True)).answers(Response(404), Response(404)).opens(Stream(405))
    assert script.did[2:] == [OpenStream(), Report(reason=Reason.HANDSHAKE_REFUSED)]


def test_a_modern_error_on_the_old_transport_ends_the_negotiation() -> None:
    script = Script(http(old_transport=True)).answers(Response(404), Response(404))
    script.opens(Stream(200, "text/event-stream", "endpoint", "/m")).says(error(3, -32020))
    assert script.did[-1] == Report(reason=Reason.HANDSHAKE_REFUSED)


def test_a_modern_error_keeps_the_client_from_the_old_transport() -> None:
    script = Script(http(old_transport=True)).answers(Response(400, error(1, -32020)))
    assert script.did[1:] == [Report(reason=Reason.REQUEST_REFUSED, era=Era.MODERN)]


def test_the_old_transport_that_falls_silent_or_ends_is_reported() -> None:
    for last in (Exit(), None):
        script = Script(http(old_transport=True)).answers(Response(404), Response(404))
        script.opens(Stream(200, "text/event-stream", "endpoint", "/m"))
        assert script.client.waits_for is Awaited.MESSAGE
        script = script.passes(30_000) if last is None else script.says(last)
        assert script.did[-1] == Report(reason=Reason.TRANSPORT_FAILURE)


# --- the compatibility matrix, played --------------------------------------------------------------------------------


def serve_modern(server: Sequence[str], message: Any) -> Any:
    """What a modern server answers to a modern request."""
    number, asked = message["id"], message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
    if asked not in of_era(server, Era.MODERN):
        return refusal(number, *server)
    return discovered(number, *server)


def serve(server: Sequence[str], message: Any) -> Any:
    """What a server that does what the specification asks answers to a request; None where it stays silent."""
    is_modern = "_meta" in message["params"]
    if is_modern and of_era(server, Era.MODERN):
        return serve_modern(server, message)
    if is_modern:
        return error(message["id"], -32601)
    settled = negotiate(list(server), message["params"]["protocolVersion"], DEFAULT_PROFILE).outcome
    if isinstance(settled, NoHandshake):
        return refusal(message["id"], *server)
    assert isinstance(settled, Names)
    return session(message["id"], settled.version)


def play(settings: Settings, server: Sequence[str]) -> list[Action]:
    client = Negotiation(settings)
    actions = did = client.start(0)
    for _ in range(20):
        requests: list[Any] = [message_of(one) for one in actions]
        asked = [one for one in requests if one is not None and "id" in one]
        if client.done or not asked:
            break
        answer = serve(server, asked[-1])
        event: Any = Line(answer)
        if settings.transport is Transport.HTTP:
            event = Answered(asked[-1]["id"], Response(400 if "error" in answer else 200, answer))
        actions = client.receive(event, 0)
        did = [*did, *actions]
    assert client.done
    return did


_PARTY = st.lists(versions(known=False), min_size=1, max_size=4, unique=True)


@given(_PARTY, _PARTY, st.sampled_from(list(Transport)))
def test_the_matrix_comes_out_when_it_is_played(client: list[str], server: list[str], transport: Transport) -> None:
    expected = interop_outcome(client, server, DEFAULT_PROFILE).outcome
    last = play(Settings(speaks=client, transport=transport, url=URL), server)[-1]
    if isinstance(expected, Works):
        assert isinstance(last, Adopt)
        assert (last.era, last.version) == (expected.era, expected.version)
    else:
        assert isinstance(last, Report | Disconnect)


# --- bounds under any peer -------------------------------------------------------------------------------------------

_CHOICES = [one for one in all_choices() if one.choice_id.startswith(("era.", "versions."))]


def profiles(*fixed: Choice) -> st.SearchStrategy[Profile]:
    held = {type(one): one for one in fixed}
    free = [one for one in _CHOICES if one not in held]
    return st.tuples(*(st.sampled_from(list(one)) for one in free)).map(
        lambda drawn: Profile({**{type(value): value for value in drawn}, **held})
    )


def all_settings() -> st.SearchStrategy[Settings]:
    return st.builds(
        Settings,
        speaks=clients(max_size=2) | clients(eras=(Era.MODERN,)) | clients(eras=(Era.LEGACY,)),
        transport=st.sampled_from(list(Transport)),
        remembered=st.sampled_from([None, *Era]),
        url=st.just(URL),
        credential=st.booleans(),
        old_transport=st.booleans(),
    )


class Run:
    """One negotiation with a peer that does anything."""

    def __init__(self, settings: Settings, profile: Profile, data: st.DataObject, steps: int = 40) -> None:
        self.client = Negotiation(settings, profile)
        self.actions: list[Action] = []
        self.refused: set[str] = set()
        self.refused_at_send: list[tuple[str, set[str]]] = []
        self.modern_error_before: list[bool] = []
        self.settings, self.profile = settings, profile
        self.identified = False
        self._take(self.client.start(0))
        for step in range(1, steps):
            if self.client.done:
                break
            self._step(data, step)

    def _step(self, data: st.DataObject, step: int) -> None:
        now = step * 1_000_000
        event = data.draw(peer_events(self.client, self.settings.speaks))
        before = self.client.outstanding
        actions = self.client.timer(now) if event is None else self.client.receive(event, now)
        if before is not None and actions:
            self._note(event, before)
        self._take(actions)

    def _note(self, event: Any, sent: Sent) -> None:
        """What an answer that decided something says about the server."""
        held: list[Any]
        match event:
            case Line(message):
                transport, status, held = Transport.STDIO, 200, [message]
            case Answered(_, Response(status=status, body=body, messages=messages)):
                transport, held = Transport.HTTP, [*messages] if messages else [body]
            case _:
                return
        for code in (member(one, "error", "code") for one in held):
            if recognized_modern_error(transport, sent.method, self.profile, code, status).outcome:
                self.identified = True
            if code == -32022:
                self.refused.add(sent.version)

    def _take(self, actions: Sequence[Action]) -> None:
        for one in actions:
            self.actions.append(one)
            if isinstance(one, SendDiscover | SendRequest | SendInitialize):
                self.refused_at_send.append((one.version, set(self.refused)))
                self.modern_error_before.append(self.identified and isinstance(one, SendInitialize))

    def sends(self) -> int:
        return len(self.refused_at_send)


@given(all_settings(), profiles(), st.data())
def test_the_number_of_messages_is_bounded(settings: Settings, profile: Profile, data: st.DataObject) -> None:
    assert Run(settings, profile, data).sends() <= 2 * len(settings.speaks) + 6


@given(all_settings(), profiles(), st.data())
def test_a_refused_version_is_never_sent_again(settings: Settings, profile: Profile, data: st.DataObject) -> None:
    run = Run(settings, profile, data)
    assert set(run.client.refused) == run.refused
    for version, refused in run.refused_at_send:
        assert version not in refused


@given(
    all_settings(),
    profiles(
        LegacyOnlySupported.SURFACE_NO_COMMON_VERSION,
        RetryBound.EACH_VERSION_ONCE,
        UnsupportedErrorWithoutList.MODERN_NO_COMMON_VERSION,
        RecognizedModernErrors.THREE_MCP_CODES,
    ),
    st.data(),
)
def test_initialize_never_follows_a_modern_error_except_by_a_choice(
    settings: Settings, profile: Profile, data: st.DataObject
) -> None:
    assert not any(Run(settings, profile, data).modern_error_before)


@given(all_settings(), profiles(), st.data())
def test_nothing_follows_the_end(settings: Settings, profile: Profile, data: st.DataObject) -> None:
    run = Run(settings, profile, data)
    ends = [one for one in run.actions if isinstance(one, Adopt | Report | Authorize | Disconnect)]
    assert len(ends) == int(run.client.done)
    assert not ends or run.actions[-1] is ends[0]
    if run.client.done:
        for event in (Line(discovered(1, NOW)), Exit(), Answered(1, Response(400)), Opened(Stream(200))):
            assert run.client.receive(event, 10**9) == []
        assert run.client.timer(10**12) == []
        assert run.client.waits_for is None


@given(all_settings(), profiles(), st.data())
def test_every_action_says_why(settings: Settings, profile: Profile, data: st.DataObject) -> None:
    for one in Run(settings, profile, data).actions:
        assert one.because
        assert set(one.because) <= catalogue().keys()


@given(all_settings(), profiles(), st.data())
def test_only_versions_of_the_client_are_named(settings: Settings, profile: Profile, data: st.DataObject) -> None:
    for one in Run(settings, profile, data).actions:
        if isinstance(one, SendDiscover | SendRequest):
            assert one.version in of_era(settings.speaks, Era.MODERN)
        if isinstance(one, SendInitialize):
            assert one.version in of_era(settings.speaks, Era.LEGACY)
        if isinstance(one, Adopt):
            assert one.version in settings.speaks


@given(all_settings(), profiles(), st.data())
def test_a_client_that_waits_has_a_timer(settings: Settings, profile: Profile, data: st.DataObject) -> None:
    run = Run(settings, profile, data, steps=6)
    if not run.client.done:
        assert run.client.timer(10**15) != []


def test_a_negotiation_starts_once() -> None:
    client = Negotiation(stdio())
    client.start(0)
    with pytest.raises(RuntimeError):
        client.start(0)


# --- a second opinion -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "definition"),
    [
        (SendDiscover(id=1, version=NOW), "DiscoverRequest"),
        (SendRequest(id=1, version=NOW, method="tools/list"), "ListToolsRequest"),
        (SendCancelled(request_id=1), "CancelledNotification"),
    ],
)
def test_modern_messages_fit_the_official_schema(action: Action, definition: str, shared: Path) -> None:
    definitions = json.loads((shared / "spec" / "schema" / "2026-07-28.json").read_text())["$defs"]
    message = message_of(action)
    Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": definitions}).validate(message)


def test_actions_that_send_nothing_have_no_message() -> None:
    silent: list[Callable[[], Action]] = [Respawn, OpenStream, Authorize, Disconnect]
    assert all(message_of(one()) is None for one in silent)
