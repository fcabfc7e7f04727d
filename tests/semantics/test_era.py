"""Laws of era detection under every permitted reading, and the official schema as a second opinion on the messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.cases import era_http as http_cases
from spec_model.cases import era_stdio as stdio_cases
from spec_model.cases.table import DecisionCase
from spec_model.requirements.choice import DEFAULT_PROFILE, Choice, Profile, all_choices
from spec_model.requirements.choices import EraCacheKey, ModernOnlySilence, PersistEra
from spec_model.semantics.era import (
    Authorize,
    CorrectRequest,
    Exit,
    Follow,
    Handshake,
    Initialize,
    Line,
    Noise,
    OpenStream,
    Probe,
    Proceed,
    Reason,
    Report,
    Resend,
    Response,
    Sent,
    Stderr,
    TimeOut,
    Transport,
    Unreachable,
    UseResult,
    Wait,
    opening,
    recognized_modern_error,
)
from spec_model.semantics.era_http import Http, http_initialize, http_request
from spec_model.semantics.era_stdio import stdio_initialize, stdio_probe, stdio_request
from spec_model.semantics.interop import Fails, HttpServer, Works, interop_outcome, recall_http
from spec_model.semantics.revisions import Era, of_era
from spec_model.strategies.negotiation import Reply, clients, distractions, http_replies, stdio_replies, versions
from tests.conftest import SHARED

PROBE = Sent(1, "2026-07-28")
MODERN, DUAL = ["2026-07-28"], ["2026-07-28", "2025-11-25"]
NAMES = st.sampled_from(("jsonrpc", "id", "method", "result", "error", "code", "data", "supported", "resultType"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-33000, -31000) | st.floats() | st.sampled_from(("2.0", "2026-07-28", "x")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=10,
)
_CHOICES: list[type[Choice]] = [
    one for one in all_choices() if one.choice_id.startswith(("era.", "versions.")) and ".server." not in one.choice_id
]


def profiles() -> st.SearchStrategy[Profile]:
    """Any reading of the choices of a client."""
    return st.tuples(*(st.sampled_from(list(one)) for one in _CHOICES)).map(
        lambda drawn: Profile({type(value): value for value in drawn})
    )


# --- stdio ----------------------------------------------------------------------------------------------------------


@given(stdio_replies(PROBE, modern=True), profiles())
def test_a_modern_server_gets_initialize_only_for_a_legacy_version_that_it_lists(
    reply: Reply, profile: Profile
) -> None:
    step = stdio_probe(DUAL, PROBE, reply.event, profile).outcome
    assert isinstance(step, Proceed | Resend | Report | Initialize)
    if isinstance(step, Initialize):
        assert step.version in json.dumps(reply.event.message)
    assert step != Report(Reason.LEGACY_SERVER)


@given(stdio_replies(PROBE, modern=False), profiles())
def test_a_legacy_server_gets_initialize_or_fails_a_modern_client(reply: Reply, profile: Profile) -> None:
    assert isinstance(stdio_probe(DUAL, PROBE, reply.event, profile).outcome, Initialize)
    told = stdio_probe(MODERN, PROBE, reply.event, profile).outcome
    silent = isinstance(reply.event, TimeOut) and profile[ModernOnlySilence] is ModernOnlySilence.TRANSPORT_FAILURE
    assert told == Report(Reason.TRANSPORT_FAILURE if silent else Reason.LEGACY_SERVER)


@given(distractions(PROBE), profiles())
def test_nothing_but_an_answer_ends_the_wait(event: Any, profile: Profile) -> None:
    assert stdio_probe(DUAL, PROBE, event, profile).outcome == Wait()
    assert stdio_initialize(DUAL, Sent(1, "2025-11-25", "initialize"), event, profile).outcome == Wait()


@given(profiles(), st.integers(0, 3))
def test_an_exit_never_makes_a_server_modern_and_never_writes_to_a_process_that_is_gone(
    profile: Profile, exits: int
) -> None:
    step = stdio_probe(DUAL, PROBE, Exit(), profile, exits_before=exits).outcome
    assert isinstance(step, Probe | Initialize)
    assert step.fresh_process
    assert exits == 0 or isinstance(step, Initialize)


@given(st.integers(-33000, -31000), st.sampled_from([None, "absent"]), profiles())
def test_an_uncorrelated_error_is_never_fatal(code: int, missing: str | None, profile: Profile) -> None:
    message: Any = {"jsonrpc": "2.0", "error": {"code": code, "message": "no"}}
    if missing is None:
        message["id"] = None
    step = stdio_probe(DUAL, PROBE, Line(message), profile).outcome
    assert step != Report(Reason.TRANSPORT_FAILURE)
    assert isinstance(step, Wait | Initialize) or code in (-32020, -32021, -32022)


@given(JSON, profiles())
def test_no_line_raises_or_answers_the_probe_by_accident(message: Any, profile: Profile) -> None:
    for decided in (
        stdio_probe(DUAL, PROBE, Line(message), profile),
        stdio_request(DUAL, Sent(1, "2026-07-28", "tools/list"), Line(message), profile),
        stdio_initialize(DUAL, Sent(1, "2025-11-25", "initialize"), Line(message), profile),
    ):
        is_response = isinstance(message, dict) and (message.get("error") is not None or "result" in message)
        if not is_response:
            assert decided.outcome in (Wait(), Report(Reason.TRANSPORT_FAILURE))


@pytest.mark.parametrize("event", [Line({"jsonrpc": "2.0", "id": 1, "result": {"content": []}})])
def test_a_result_without_type_tells_nothing_about_the_era_on_stdio(event: Line) -> None:
    request = Sent(1, "2026-07-28", "tools/call")
    assert stdio_request(MODERN, request, event, DEFAULT_PROFILE).outcome == UseResult()


# --- HTTP -----------------------------------------------------------------------------------------------------------


@given(http_replies(PROBE, modern=True), profiles())
def test_a_modern_response_keeps_the_client_modern(reply: Reply, profile: Profile) -> None:
    step = http_request(DUAL, PROBE, reply.event, profile, http=Http(old_transport=True)).outcome
    assert not isinstance(step, OpenStream)
    assert step != Report(Reason.LEGACY_SERVER)
    if isinstance(step, Initialize):
        assert step.version in str(reply.event)


@given(http_replies(PROBE, modern=False), profiles())
def test_a_legacy_response_leads_to_initialize_or_fails_a_modern_client(reply: Reply, profile: Profile) -> None:
    assert isinstance(http_request(DUAL, PROBE, reply.event, profile).outcome, Initialize)
    assert http_request(MODERN, PROBE, reply.event, profile).outcome == Report(Reason.LEGACY_SERVER)


@given(st.sampled_from([-32020, -32021]), profiles(), st.booleans(), st.sampled_from(["server/discover", "tools/list"]))
def test_a_refused_header_or_capability_never_falls_back(code: int, profile: Profile, old: bool, method: str) -> None:
    body: Any = {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "no"}}
    request = Sent(1, "2026-07-28", method)
    step = http_request(DUAL, request, Response(400, body), profile, http=Http(old_transport=old)).outcome
    assert step == CorrectRequest(code)


@given(st.integers(-32019, -32000), st.sampled_from(list(Transport)), profiles(), st.integers(200, 599), st.text())
def test_no_code_of_the_legacy_range_is_a_modern_error(
    code: int, transport: Transport, profile: Profile, status: int, method: str
) -> None:
    assert not recognized_modern_error(transport, method, profile, code, status).outcome


@given(profiles(), st.text())
def test_an_unknown_method_on_stdio_is_no_modern_error(profile: Profile, method: str) -> None:
    assert not recognized_modern_error(Transport.STDIO, method, profile, -32601).outcome


@given(profiles(), st.sampled_from([None, "Bearer"]))
def test_a_challenge_without_credential_is_answered_by_no_initialize(profile: Profile, challenge: str | None) -> None:
    event = Response(401) if challenge is None else Response(401, www_authenticate=challenge)
    assert http_request(DUAL, PROBE, event, profile).outcome == Authorize()


@given(
    st.integers(300, 399),
    st.sampled_from(["/a", "b", "//other.example/mcp", "https://other.example/mcp", "http://here.example/mcp", "#x"]),
    profiles(),
)
def test_no_credential_goes_to_another_origin(status: int, location: str, profile: Profile) -> None:
    http = Http("https://here.example/mcp", credential=True)
    step = http_request(DUAL, PROBE, Response(status, location=location), profile, http=http).outcome
    if isinstance(step, Follow):
        assert step.credential is step.url.startswith("https://here.example/")


@given(st.integers(100, 599), JSON, st.none() | st.lists(JSON, max_size=3), profiles(), st.booleans())
def test_no_response_raises(status: int, body: Any, messages: Any, profile: Profile, credential: bool) -> None:
    event = Response(status, body=body) if messages is None else Response(status, messages=messages)
    http_request(DUAL, PROBE, event, profile, http=Http("https://here.example", credential))
    http_initialize(DUAL, Sent(1, "2025-11-25", "initialize"), event, profile)


@given(profiles(), st.sampled_from([TimeOut(), Unreachable(), Response(500), Response(200), Response(302)]))
def test_a_handshake_that_failed_makes_no_server_legacy(profile: Profile, event: Any) -> None:
    step = http_initialize(DUAL, Sent(1, "2025-11-25", "initialize"), event, profile).outcome
    assert step == Report(Reason.TRANSPORT_FAILURE)


@given(profiles(), st.booleans(), st.sampled_from(list(Transport)))
def test_a_client_that_probed_again_does_not_do_so_a_third_time(
    profile: Profile, remembered: bool, transport: Transport
) -> None:
    body: Any = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32020, "message": "no"}}
    sent, handshake = Sent(1, "2025-11-25", "initialize"), Handshake(reprobed=True)
    if transport is Transport.HTTP:
        step = http_initialize(DUAL, sent, Response(400, body), profile, handshake=handshake).outcome
    else:
        step = stdio_initialize(DUAL, sent, Line(body), profile, handshake=handshake).outcome
    assert step == Report(Reason.HANDSHAKE_REFUSED)


# --- the first message, memory, pairs -------------------------------------------------------------------------------


@given(
    clients() | clients(eras=(Era.MODERN,)) | clients(eras=(Era.LEGACY,)), st.sampled_from(list(Transport)), profiles()
)
def test_a_client_opens_with_the_first_modern_version_that_it_lists(
    speaks: list[str], transport: Transport, profile: Profile
) -> None:
    step = opening(speaks, transport, profile).outcome
    modern = of_era(speaks, Era.MODERN)
    if modern:
        assert not isinstance(step, Initialize)
        assert getattr(step, "version", None) == modern[0]
    else:
        assert isinstance(step, Initialize)


@given(
    profiles(),
    st.lists(
        st.sampled_from(["https://a.example/x", "https://a.example/y", "https://b.example/x"]), min_size=2, max_size=2
    ),
)
def test_an_era_never_crosses_origins(profile: Profile, urls: tuple[str, str]) -> None:
    here, there = (HttpServer("a", url, 1) for url in urls)
    used = recall_http(here, there, profile).outcome
    if urls[0].split("/")[2] != urls[1].split("/")[2]:
        assert not used
    assert recall_http(there, here, profile).outcome is used


def test_the_origin_as_key_takes_one_era_for_all_its_endpoints() -> None:
    here, there = HttpServer("a", "https://a.example/x", 1), HttpServer("a", "https://a.example/y", 1)
    assert not recall_http(here, there, DEFAULT_PROFILE).outcome
    assert recall_http(here, there, Profile({EraCacheKey: EraCacheKey.ORIGIN})).outcome
    kept = Profile({PersistEra: PersistEra.SAME_CONFIGURATION})
    assert recall_http(here, HttpServer("a", "https://a.example/x", 2), kept).outcome


_PARTY = st.lists(versions(known=False), min_size=1, max_size=4, unique=True)


@given(_PARTY, _PARTY, profiles())
def test_a_pair_works_only_in_a_version_of_both(client: list[str], server: list[str], profile: Profile) -> None:
    outcome = interop_outcome(client, server, profile).outcome
    if isinstance(outcome, Works):
        assert outcome.version in client and outcome.version in server
        assert outcome.version in of_era(client, outcome.era)


@given(_PARTY, _PARTY, profiles())
def test_a_modern_version_in_common_always_wins(client: list[str], server: list[str], profile: Profile) -> None:
    common = set(of_era(client, Era.MODERN)) & set(of_era(server, Era.MODERN))
    outcome = interop_outcome(client, server, profile).outcome
    assert (isinstance(outcome, Works) and outcome.era is Era.MODERN) is bool(common)


@given(_PARTY, _PARTY)
def test_parties_without_a_version_in_common_fail(client: list[str], server: list[str]) -> None:
    others = [one for one in server if one not in client]
    assert interop_outcome(client, others or ["1999-01-01"], DEFAULT_PROFILE).outcome == Fails()


# --- a second opinion -----------------------------------------------------------------------------------------------


def _cases() -> list[DecisionCase]:
    tables = [stdio_cases.probe, stdio_cases.inline, stdio_cases.handshake, http_cases.first, http_cases.handshake]
    return [case for table in tables for case in table.cases]


def _messages(case: DecisionCase) -> list[Any]:
    event = case.input["event"]
    held = [event[name] for name in ("message", "body") if name in event]
    return [*held, *event.get("messages", [])]


@pytest.fixture(scope="module")
def definitions(shared: Path) -> Any:
    return json.loads((shared / "spec" / "schema" / "2026-07-28.json").read_text())["$defs"]


_BY_CODE = {
    -32020: "HeaderMismatchError",
    -32021: "MissingRequiredClientCapabilityError",
    -32022: "UnsupportedProtocolVersionError",
}


def _definition_of(case: DecisionCase, message: Any) -> str:
    """The definition that a message of a case claims to fit."""
    request = case.input.get("probe", case.input.get("request", {}))
    answers = isinstance(message, dict) and "method" not in message
    error = message.get("error") if answers else None
    if isinstance(error, dict) and error.get("code") in _BY_CODE:
        return _BY_CODE[error["code"]]
    if answers and isinstance(message.get("result"), dict) and "method" not in request:
        return "DiscoverResultResponse"
    return "JSONRPCMessage"


@pytest.mark.parametrize("case", [pytest.param(one, id=one.id) for one in _cases()])
def test_messages_are_valid_exactly_where_they_are_not_flagged(case: DecisionCase, definitions: Any) -> None:
    if "legacy" in case.flags:
        return
    sound = all(
        Draft202012Validator({"$ref": f"#/$defs/{_definition_of(case, one)}", "$defs": definitions}).is_valid(one)
        for one in _messages(case)
    )
    assert sound is ("malformed" not in case.flags)


@given(stdio_replies(PROBE, modern=True) | http_replies(PROBE, modern=True))
def test_modern_answers_of_the_strategies_are_valid(reply: Reply) -> None:
    path = SHARED / "spec" / "schema" / "2026-07-28.json"
    if not path.is_file():
        pytest.skip("needs ../shared (official schemas), which is not beside this checkout")
    found = {"$ref": "#/$defs/JSONRPCMessage", "$defs": json.loads(path.read_text())["$defs"]}
    event = reply.event
    held = [event.message] if isinstance(event, Line) else [event.body]
    for message in event.messages if isinstance(event, Response) and event.messages else held:
        nullable = isinstance(message, dict) and message.get("id", "") is None
        assert nullable or Draft202012Validator(found).is_valid(message)


@pytest.mark.parametrize("event", [Noise("x"), Stderr("x")])
def test_text_is_no_answer(event: Any) -> None:
    assert stdio_probe(DUAL, PROBE, event, DEFAULT_PROFILE).outcome == Wait()
