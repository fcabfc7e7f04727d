"""The strategies keep what they promise, and the machine tells sound negotiations from faulty ones."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from spec_model.peers import negotiation as model
from spec_model.peers.negotiation import Answered, Awaited, Negotiation, Opened, Settings
from spec_model.requirements.catalogue import catalogue
from spec_model.requirements.choice import DEFAULT_PROFILE, Choice, Profile, all_choices
from spec_model.requirements.choices import (
    AuthStatus,
    DefectiveDiscoverResult,
    FallbackStatus,
    LegacyOnlySupported,
    NonClientErrorFailure,
    RetryBound,
    UncorrelatedError,
    UnsupportedErrorWithoutList,
)
from spec_model.semantics.era import Line, Response, Sent, Transport
from spec_model.semantics.revisions import REVISIONS, Era, era_of, of_era
from spec_model.semantics.versions import select
from spec_model.strategies.negotiation import (
    BrokenList,
    Did,
    NegotiationFault,
    NegotiationUnderTest,
    Oracle,
    broken_lists,
    clients,
    did_of,
    discovery_results,
    malformed_versions,
    negotiation_machine,
    supported_lists,
    unknown_versions,
    versions,
)
from spec_model.wire.values import is_string, member

NEXT, NOW, OLD = "2027-03-01", "2026-07-28", "2025-11-25"
QUICK = settings(max_examples=60, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck))
SEARCH = settings(
    max_examples=20_000,
    stateful_step_count=10,
    deadline=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


# --- strategies -----------------------------------------------------------------------------------------------------


@given(st.data(), st.sampled_from(list(Era)))
def test_versions_belong_to_the_era_that_was_asked_for(data: st.DataObject, era: Era) -> None:
    assert era_of(data.draw(versions(era))) is era
    assert era_of(data.draw(versions(era, known=False))) is era
    unknown = data.draw(unknown_versions(era))
    assert era_of(unknown) is era and unknown not in REVISIONS


@given(malformed_versions())
def test_malformed_versions_are_of_no_era(version: str) -> None:
    assert era_of(version) is None


@given(st.data(), st.sampled_from([(Era.MODERN,), (Era.LEGACY,), (Era.MODERN, Era.LEGACY)]))
def test_clients_speak_the_eras_that_were_asked_for(data: st.DataObject, eras: tuple[Era, ...]) -> None:
    speaks = data.draw(clients(eras=eras))
    assert {era_of(one) for one in speaks} == set(eras)


@given(supported_lists(including=[NOW], excluding=[NEXT]))
def test_lists_hold_and_leave_out_what_was_asked_for(listed: list[str]) -> None:
    assert NOW in listed and NEXT not in listed
    assert select([NEXT, NOW], listed, DEFAULT_PROFILE) == NOW


@given(broken_lists())
def test_broken_lists_hold_no_version(broken: BrokenList) -> None:
    assert broken.way
    assert not isinstance(broken.value, list) or not any(is_string(one) for one in broken.value)


@given(discovery_results())
def test_discovery_results_are_complete(result: Any) -> None:
    assert isinstance(result["supportedVersions"], list)
    assert {"resultType", "capabilities", "ttlMs", "cacheScope"} <= result.keys()


# --- the machine ------------------------------------------------------------------------------------------------------


class ModelClient:
    """A client that is the model, under a reading of its own and with ids of its own."""

    def __init__(self, brought: Settings, profile: Profile) -> None:
        self.negotiation = Negotiation(brought, profile)
        self.now = 0

    def start(self) -> Sequence[Did]:
        return self._done(self.negotiation.start(0))

    def receive(self, event: Any) -> Sequence[Did]:
        renamed = self._with_my_ids(event)
        match self.negotiation.waits_for:
            case Awaited.POST:
                sent = self.negotiation.outstanding
                assert sent is not None and isinstance(sent.id, int)
                return self._done(self.negotiation.receive(Answered(sent.id, renamed), self.now))
            case Awaited.GET:
                return self._done(self.negotiation.receive(Opened(renamed), self.now))
            case _:
                return self._done(self.negotiation.receive(renamed, self.now))

    def time_out(self) -> Sequence[Did]:
        self.now += 10**9
        return self._done(self.negotiation.timer(self.now))

    def _done(self, actions: Sequence[model.Action]) -> list[Did]:
        return [self._did(one) for one in actions if not isinstance(one, model.SetTimer)]

    def _did(self, action: model.Action) -> Did:
        number = getattr(action, "id", None)
        return did_of(action, number=None if number is None else f"r{number}")

    def _with_my_ids(self, event: Any) -> Any:
        """The event with the ids of the model inside, which stand for "r1", "r2" and so on outside."""
        if isinstance(event, Line):
            return Line(self._renamed(event.message))
        if isinstance(event, Response):
            held = event.messages
            return msgspec.structs.replace(
                event,
                body=self._renamed(event.body),
                messages=[self._renamed(one) for one in held] if isinstance(held, list) else held,
            )
        return event

    @staticmethod
    def _renamed(message: Any) -> Any:
        if isinstance(message, dict) and isinstance(message.get("id"), str) and message["id"].startswith("r"):
            return {**message, "id": int(message["id"][1:])}
        return message


def bring(transport: Transport, speaks: Sequence[str] = (NEXT, NOW, OLD), **more: Any) -> Settings:
    return Settings(speaks=list(speaks), transport=transport, url="https://mcp.example.com/mcp", **more)


def choices_of_the_client() -> list[type[Choice]]:
    return [one for one in all_choices() if one.choice_id.startswith(("era.", "versions."))]


@pytest.mark.parametrize("transport", list(Transport))
def test_the_model_passes_under_the_default_reading(transport: Transport) -> None:
    brought = bring(transport, credential=True, old_transport=True)
    machine = negotiation_machine(lambda: ModelClient(brought, DEFAULT_PROFILE), brought)
    run_state_machine_as_test(machine, settings=QUICK)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(value, id=f"{choice.choice_id}={value.value}")
        for choice in choices_of_the_client()
        for value in list(choice)[1:]
    ],
)
def test_the_model_passes_under_every_other_reading(value: Choice) -> None:
    profile = Profile({type(value): value})
    for transport in Transport:
        brought = bring(transport, credential=True, old_transport=True)
        machine = negotiation_machine(functools.partial(ModelClient, brought, profile), brought)
        run_state_machine_as_test(machine, settings=settings(QUICK, max_examples=6, stateful_step_count=8))


def test_two_readings_at_once_pass_and_a_pinned_one_does_not() -> None:
    brought = bring(Transport.HTTP, credential=True)
    other = Profile({AuthStatus: AuthStatus.CHALLENGE_ONLY, NonClientErrorFailure: NonClientErrorFailure.LEGACY})
    machine = negotiation_machine(lambda: ModelClient(brought, other), brought)
    run_state_machine_as_test(machine, settings=QUICK)
    pinned = negotiation_machine(
        lambda: ModelClient(brought, other),
        brought,
        pinned=[AuthStatus.INITIALIZE_WHEN_CREDENTIAL_PRESENTED],
    )
    with pytest.raises(NegotiationFault):
        run_state_machine_as_test(pinned, settings=SEARCH)


# --- liars ------------------------------------------------------------------------------------------------------------


class Liar(ModelClient):
    """A client with one fault: `change` sees what it is about to do on an event."""

    def __init__(self, brought: Settings, change: Callable[[Any, list[Did], Liar], list[Did]]) -> None:
        super().__init__(brought, DEFAULT_PROFILE)
        self.change = change

    def receive(self, event: Any) -> Sequence[Did]:
        return self.change(event, list(super().receive(event)), self)

    def time_out(self) -> Sequence[Did]:
        return self.change(None, list(super().time_out()), self)


def code_in(event: Any) -> Any:
    match event:
        case Line(message):
            return member(message, "error", "code")
        case Response(body=body):
            return member(body, "error", "code")
        case _:
            return None


def falls_back_on_one_code_only(event: Any, did: list[Did], _: Liar) -> list[Did]:
    falls = any(one.what == "send-initialize" for one in did)
    return [Did("report")] if falls and code_in(event) not in (-32601, -32022) else did


def hangs_on_silence(event: Any, did: list[Did], _: Liar) -> list[Did]:
    return [] if event is None else did


def takes_a_refusal_for_a_legacy_server(event: Any, did: list[Did], _: Liar) -> list[Did]:
    return [Did("send-initialize", id="r9", version=OLD)] if code_in(event) == -32022 else did


def sends_the_refused_version_again(_: Any, did: list[Did], __: Liar) -> list[Did]:
    return [
        msgspec.structs.replace(one, version=NEXT) if one.what == "send-discover" and one.version == NOW else one
        for one in did
    ]


def names_a_modern_version_in_initialize(_: Any, did: list[Did], __: Liar) -> list[Did]:
    return [msgspec.structs.replace(one, version=NOW) if one.what == "send-initialize" else one for one in did]


def forgets_the_initialized_notification(_: Any, did: list[Did], __: Liar) -> list[Did]:
    return [one for one in did if one.what != "send-initialized"]


def takes_any_message_for_the_answer(event: Any, did: list[Did], liar: Liar) -> list[Did]:
    return [Did("report")] if isinstance(event, Line) and not did and not liar.negotiation.done else did


def goes_on_after_the_end(event: Any, did: list[Did], liar: Liar) -> list[Did]:
    return [Did("send-discover", id="r9", version=NOW)] if liar.negotiation.done and not did else did


LIARS = [
    falls_back_on_one_code_only,
    hangs_on_silence,
    takes_a_refusal_for_a_legacy_server,
    sends_the_refused_version_again,
    names_a_modern_version_in_initialize,
    forgets_the_initialized_notification,
    takes_any_message_for_the_answer,
    goes_on_after_the_end,
]


@pytest.mark.parametrize("fault", LIARS)
def test_a_faulty_client_is_found_out(fault: Any) -> None:
    brought = bring(Transport.STDIO)
    machine = negotiation_machine(lambda: Liar(brought, fault), brought)
    with pytest.raises(NegotiationFault) as found:
        run_state_machine_as_test(machine, settings=SEARCH)
    assert set(found.value.because) <= catalogue().keys()
    assert "expected" in str(found.value)


HTTP_LIARS = [falls_back_on_one_code_only, takes_a_refusal_for_a_legacy_server, forgets_the_initialized_notification]


@pytest.mark.parametrize("fault", HTTP_LIARS)
def test_a_faulty_client_is_found_out_over_http(fault: Any) -> None:
    brought = bring(Transport.HTTP)
    machine = negotiation_machine(lambda: Liar(brought, fault), brought)
    with pytest.raises(NegotiationFault):
        run_state_machine_as_test(machine, settings=SEARCH)


# --- the oracle by itself ---------------------------------------------------------------------------------------------


def refusal(number: str, *supported: str) -> Any:
    data: Any = {"supported": [*supported], "requested": "x"}
    return Line({"jsonrpc": "2.0", "id": number, "error": {"code": -32022, "message": "no", "data": data}})


def test_the_oracle_infers_the_reading() -> None:
    oracle = Oracle(bring(Transport.STDIO, [NOW, OLD]))
    oracle.started([Did("send-discover", id="a", version=NOW)])
    oracle.received(refusal("a", OLD), [Did("report")])
    assert oracle.profile[LegacyOnlySupported] is LegacyOnlySupported.SURFACE_NO_COMMON_VERSION


def test_a_client_follows_one_reading_throughout() -> None:
    missing = Line({"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}})
    waiting = Oracle(bring(Transport.STDIO, [NOW, OLD]))
    waiting.started([Did("send-discover", id=7, version=NOW)])
    waiting.received(missing, [])
    assert waiting.profile[UncorrelatedError] is UncorrelatedError.NOT_AN_ANSWER
    with pytest.raises(NegotiationFault) as found:
        waiting.received(missing, [Did("send-initialize", id=8, version=OLD)])
    assert found.value.because == ("stdio.receive.correlate-response",)


def test_answers_are_matched_by_the_ids_of_the_client() -> None:
    oracle = Oracle(bring(Transport.STDIO, [NEXT, NOW]))
    oracle.started([Did("send-discover", id=41, version=NEXT)])
    oracle.received(refusal("41", NOW), [])
    right: Any = {"supported": [NOW], "requested": NEXT}
    error: Any = {"code": -32022, "message": "no", "data": right}
    oracle.received(Line({"jsonrpc": "2.0", "id": 41, "error": error}), [Did("send-discover", id=42, version=NOW)])
    assert oracle.model.outstanding == Sent(2, NOW)


def test_pinned_readings_are_not_reconsidered() -> None:
    oracle = Oracle(bring(Transport.STDIO, [NOW, OLD]), [UnsupportedErrorWithoutList.MODERN_NO_COMMON_VERSION])
    oracle.started([Did("send-discover", id=1, version=NOW)])
    bare = Line({"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "no"}})
    with pytest.raises(NegotiationFault):
        oracle.received(bare, [Did("send-initialize", id=2, version=OLD)])


def test_readings_that_no_event_touched_stay_at_their_default() -> None:
    oracle = Oracle(bring(Transport.HTTP, [NOW, OLD]))
    oracle.started([Did("send-discover", id=1, version=NOW)])
    oracle.received(Response(404), [Did("report")])
    assert oracle.profile.deviations() == {"era.http.fallback-status": FallbackStatus.ONLY_400.value}
    assert oracle.profile[RetryBound] is RetryBound.EACH_VERSION_ONCE
    assert oracle.profile[DefectiveDiscoverResult] is DefectiveDiscoverResult.MODERN_WITH_FAULT


def test_an_adapter_is_anything_with_the_three_methods() -> None:
    client: NegotiationUnderTest = ModelClient(bring(Transport.STDIO), DEFAULT_PROFILE)
    assert [one.what for one in client.start()] == ["send-discover"]
    assert of_era([NEXT, NOW, OLD], Era.LEGACY) == [OLD]
