"""What a client does with each event on stdio, from its probe to the end of the handshake.

Source: basic/transports/stdio#backward-compatibility, basic/versioning#compatibility-matrix.
"""

from __future__ import annotations

from typing import Final

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    CancelAbandonedProbe,
    FailedAssumption,
    LateAnswer,
    ModernOnlySilence,
    ProbeProcessExit,
    StdioResultWithoutType,
    UncorrelatedError,
    UnexplainedAnswer,
)
from spec_model.semantics import versions
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.era import (
    DETECTED,
    DISCOVER,
    Client,
    CorrectRequest,
    Exit,
    Handshake,
    Initialize,
    Line,
    Noise,
    Probe,
    Proceed,
    Reason,
    Report,
    Resend,
    Restart,
    Sent,
    Stderr,
    StdioEvent,
    Step,
    TimeOut,
    Transport,
    UseResult,
    Wait,
    client_of,
    error_of,
    fall_back,
    handshake_failed,
    initialize_answered,
    is_call,
    is_response,
    no_message,
    recognized_modern_error,
    selected,
)
from spec_model.semantics.errors import UNSUPPORTED_VERSION
from spec_model.semantics.functions import function
from spec_model.semantics.revisions import Era
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, equal, is_integer, member


@function("era.stdio-probe")
def stdio_probe(
    speaks: list[str],
    probe: Sent,
    event: StdioEvent,
    profile: Profile,
    refused: list[str] | Absent = ABSENT,
    exits_before: int = 0,
    identified: bool = False,
) -> Decision[Step]:
    """What a client does on an event while its probe on stdio waits for an answer. `exits_before` counts the processes
    that exited on the probe before this one; `identified` says that a recognized modern error other than the refusal of
    a version came from the server before.

    Source: basic/transports/stdio#backward-compatibility.
    """
    client = client_of(speaks, refused, profile, identified)
    match event:
        case Line(message):
            return _probe_line(client, probe, message)
        case Noise():
            return no_message(profile)
        case Stderr():
            return decide(Wait(), "stdio.stderr.not-an-error")
        case TimeOut():
            return _abandoned(client)
        case Exit():
            return _exited(client, probe, exits_before)


def _probe_line(client: Client, probe: Sent, message: Json) -> Decision[Step]:
    if not is_response(message):
        return decide(Wait(), *_NOT_THE_ANSWER) if is_call(message) else no_message(client.profile)
    error = error_of(message)
    if error is not ABSENT and message.get("id") is None:
        if client.profile[UncorrelatedError] is UncorrelatedError.NOT_AN_ANSWER:
            return decide(Wait(), *_NOT_THE_ANSWER)
    elif not equal(message.get("id"), probe.id):
        return decide(Wait(), *_NOT_THE_ANSWER)
    if error is ABSENT:
        return _discovered(client, message["result"])
    return _probe_refused(client, probe, error)


_NOT_THE_ANSWER: Final = ("stdio.receive.correlate-response",)


def _discovered(client: Client, result: Json) -> Decision[Step]:
    chosen = versions.from_discovery(client.speaks, result, client.profile, client.refused)
    if isinstance(chosen.outcome, versions.LegacyServer):
        return _legacy(client, *chosen.because)
    step = selected(chosen).after("stdio.probe.discover-result", "stdio.probe.select-mutual")
    stays = isinstance(step.outcome, Proceed) and client.is_dual_era
    return step.also("interop.matrix.dual-modern-stdio") if stays else step


def _probe_refused(client: Client, probe: Sent, error: Json) -> Decision[Step]:
    code = member(error, "code")
    recognized = recognized_modern_error(Transport.STDIO, DISCOVER, client.profile, code)
    if not recognized.outcome:
        forced = recognized.after("stdio.probe.other-error-legacy", "stdio.probe.not-one-code")
        return _legacy(client, *forced.because)
    assert is_integer(code)
    if code != UNSUPPORTED_VERSION:
        return decide(CorrectRequest(int(code)), "stdio.probe.modern-error", "stdio.probe.no-fallback-on-modern")
    chosen = client.after_refusal(probe.version, error)
    if isinstance(chosen.outcome, versions.LegacyServer):
        return _legacy(client, *chosen.because)
    step = selected(chosen, again=True)
    match step.outcome:
        case Resend() | Initialize():
            kept = ("stdio.probe.modern-error", "stdio.probe.no-fallback-on-modern", "stdio.probe.use-supported")
            stays = ("interop.matrix.dual-modern-stdio",) if client.is_dual_era else ()
            return step.after(*kept).also(*stays) if isinstance(step.outcome, Resend) else step.after(kept[0], kept[2])
        case _:
            barred = ("stdio.probe.no-fallback-on-modern",) if client.is_dual_era else ()
            return step.after(*barred).also("stdio.probe.modern-error")


def _abandoned(client: Client) -> Decision[Step]:
    """The probe timed out; the process is still there."""
    if not client.legacy:
        return _no_answer_to_modern_client(client)
    cancels = client.profile[CancelAbandonedProbe] is CancelAbandonedProbe.SEND_CANCELLED
    first = "stdio.cancel.notification" if cancels else "legacy.init.first-interaction"
    return _legacy(
        client, "stdio.probe.timeout-legacy", first, otherwise=Reason.TRANSPORT_FAILURE, cancels_probe=cancels
    )


def _exited(client: Client, probe: Sent, exits_before: int) -> Decision[Step]:
    if exits_before == 0:
        if client.knows_modern_server or not client.legacy:
            return _probed_afresh(probe)
        if client.profile[ProbeProcessExit] is ProbeProcessExit.RESTART_THEN_PROBE_ONCE_MORE:
            return _probed_afresh(probe)
    elif not client.legacy:
        return _no_answer_to_modern_client(client)
    because = ("stdio.restart.client", "stdio.probe.timeout-legacy")
    return _legacy(client, *because, otherwise=Reason.TRANSPORT_FAILURE, fresh_process=True)


def _probed_afresh(probe: Sent) -> Decision[Step]:
    return decide(Probe(probe.version, fresh_process=True), "stdio.restart.client", "stdio.restart.retry")


def _no_answer_to_modern_client(client: Client) -> Decision[Step]:
    """The probe of a client without a handshake to fall back to was not answered."""
    because = ("interop.matrix.modern-legacy-error",)
    if client.knows_modern_server:
        return _legacy(client, *because, otherwise=Reason.TRANSPORT_FAILURE)
    match client.profile[ModernOnlySilence]:
        case ModernOnlySilence.LEGACY_SERVER:
            return decide(Report(Reason.LEGACY_SERVER), *because, "stdio.probe.timeout-legacy")
        case ModernOnlySilence.TRANSPORT_FAILURE:
            return decide(Report(Reason.TRANSPORT_FAILURE), *because)


def _legacy(
    client: Client,
    *because: str,
    otherwise: Reason = Reason.REQUEST_REFUSED,
    fresh_process: bool = False,
    cancels_probe: bool = False,
) -> Decision[Step]:
    return fall_back(
        client,
        because,
        ("stdio.probe.fallback-initialize", "interop.matrix.dual-legacy-stdio"),
        otherwise=otherwise,
        fresh_process=fresh_process,
        cancels_probe=cancels_probe,
    )


@function("era.stdio-request")
def stdio_request(
    speaks: list[str],
    request: Sent,
    event: StdioEvent,
    profile: Profile,
    refused: list[str] | Absent = ABSENT,
    remembered: bool = False,
) -> Decision[Step]:
    """What a client does on an event while an ordinary modern request, which no probe preceded, waits for its answer.

    `remembered` says that the client relied on an era that it remembered; else it is one that speaks modern versions
    only and left the probe out.

    Source: basic/versioning#compatibility-matrix, basic/transports/stdio#backward-compatibility.
    """
    match event:
        case Line(message):
            if not is_response(message) or not equal(message.get("id"), request.id):
                return decide(Wait(), *_NOT_THE_ANSWER)
            return _request_answered(client_of(speaks, refused, profile), request, message, remembered=remembered)
        case Noise():
            return no_message(profile)
        case Stderr():
            return decide(Wait(), "stdio.stderr.not-an-error")
        case TimeOut():
            return _unexplained(request, Reason.TRANSPORT_FAILURE, profile, remembered=remembered)
        case Exit():
            return decide(Restart(), "stdio.restart.client", "stdio.restart.in-flight-lost", "stdio.restart.retry")


def _request_answered(client: Client, request: Sent, message: JsonObject, *, remembered: bool) -> Decision[Step]:
    error = error_of(message)
    if error is ABSENT:
        if member(message["result"], "resultType") is ABSENT:
            return _untyped(request, client.profile)
        return decide(Proceed(Era.MODERN, request.version), "interop.matrix.modern-modern")
    code = member(error, "code")
    recognized = recognized_modern_error(Transport.STDIO, request.method, client.profile, code)
    if not recognized.outcome:
        return _unexplained(request, Reason.REQUEST_REFUSED, client.profile, remembered=remembered)
    assert is_integer(code)
    if code != UNSUPPORTED_VERSION:
        return decide(CorrectRequest(int(code)), *recognized.because)
    chosen = client.after_refusal(request.version, error)
    if isinstance(chosen.outcome, versions.LegacyServer):
        return _legacy(client, *chosen.because)
    step = selected(chosen, again=True)
    return step.also("interop.detect.modern-error")


def _untyped(request: Sent, profile: Profile) -> Decision[Step]:
    """A result without resultType, which a legacy server gives, and a modern one by a fault."""
    because = ("results.type.absent-as-complete", "interop.matrix.modern-legacy-reactions")
    match profile[StdioResultWithoutType]:
        case StdioResultWithoutType.USE_RESULT:
            return decide(UseResult(), *because)
        case StdioResultWithoutType.PROBE_NEXT:
            return decide(Probe(request.version), *because)
        case StdioResultWithoutType.MODERN:
            return decide(Proceed(Era.MODERN, request.version), "interop.matrix.modern-modern")


def _unexplained(request: Sent, otherwise: Reason, profile: Profile, *, remembered: bool) -> Decision[Step]:
    """An answer, or none, that a legacy server may give to a modern request, and a modern one as well."""
    if remembered:
        if profile[FailedAssumption] is FailedAssumption.PROBE_AGAIN:
            return decide(Probe(request.version), "interop.cache.reprobe")
    elif profile[UnexplainedAnswer] is UnexplainedAnswer.PROBE_NEXT:
        return decide(Probe(request.version), "stdio.probe.modern-only-recommended")
    return decide(Report(otherwise), "interop.matrix.modern-legacy-error", "interop.matrix.modern-legacy-reactions")


@function("era.stdio-initialize")
def stdio_initialize(
    speaks: list[str],
    request: Sent,
    event: StdioEvent,
    profile: Profile,
    refused: list[str] | Absent = ABSENT,
    handshake: Handshake = DETECTED,
    abandoned: Sent | Absent = ABSENT,
    exits_before: int = 0,
) -> Decision[Step]:
    """What a client does on an event while its initialize on stdio waits for an answer. `abandoned` is the probe that
    timed out before on the same process; `exits_before` counts the processes that exited before this one.

    Source: basic/transports/stdio#backward-compatibility, 2025-11-25/basic/lifecycle#version-negotiation,
    basic/versioning#backward-compatibility-with-initialization-based-versions.
    """
    client = client_of(speaks, refused, profile)
    match event:
        case Line(message):
            if not is_response(message) or not equal(message.get("id"), request.id):
                return _late_answer(client, abandoned, message)
            return initialize_answered(client, request, message, handshake)
        case Noise():
            return no_message(profile)
        case Stderr():
            return decide(Wait(), "stdio.stderr.not-an-error")
        case TimeOut():
            return handshake_failed(client, Reason.TRANSPORT_FAILURE, handshake)
        case Exit():
            if exits_before == 0 and not (handshake.remembered and client.preferred):
                again = Initialize(request.version, fresh_process=True)
                return decide(again, "stdio.restart.client", "stdio.restart.retry")
            return handshake_failed(client, Reason.TRANSPORT_FAILURE, handshake, gone=True)


def _late_answer(client: Client, abandoned: Sent | Absent, message: Json) -> Decision[Step]:
    """A message that does not answer initialize: perhaps the result of the probe that was given up."""
    if abandoned is ABSENT or not is_response(message) or not equal(message.get("id"), abandoned.id):
        return decide(Wait(), *_NOT_THE_ANSWER)
    if error_of(message) is ABSENT and client.profile[LateAnswer] is not LateAnswer.KEEP_LEGACY:
        step = _discovered(client, message["result"])
        if isinstance(step.outcome, Proceed):
            return step.also("interop.cache.reprobe")
    return decide(Wait(), "stdio.probe.timeout-legacy", *_NOT_THE_ANSWER)
