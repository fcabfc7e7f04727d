"""What a client does with each answer over HTTP, from its first modern request to the old transport.

Source: basic/transports/streamable-http#backward-compatibility,
basic/transports/streamable-http#http-sse-transport-2024-11-05, basic/versioning#compatibility-matrix.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    AuthStatus,
    FallbackStatus,
    FirstResultWithoutType,
    NonClientErrorFailure,
    OldTransportOrder,
    OrdinaryError,
    RedirectedRequest,
)
from spec_model.semantics import versions
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.era import (
    DETECTED,
    DISCOVER,
    NO_ANSWER,
    UNSUPPORTED_VERSION,
    Authorize,
    Client,
    CorrectRequest,
    Follow,
    Handshake,
    HttpEvent,
    OpenStream,
    Probe,
    Proceed,
    Reason,
    Report,
    Resend,
    Response,
    Sent,
    Step,
    Stream,
    StreamEvent,
    TimeOut,
    Transport,
    Unreachable,
    UseOldTransport,
    client_of,
    error_of,
    fall_back,
    handshake_failed,
    initialize_answered,
    is_response,
    recognized_modern_error,
    selected,
)
from spec_model.semantics.functions import function
from spec_model.semantics.revisions import Era
from spec_model.wire.urls import Origin, origin_of, resolved
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, equal, is_integer, is_string, member

OLD_TRANSPORT_STATUSES: Final = frozenset({400, 404, 405})
AUTHORIZATION_STATUSES: Final = frozenset({401, 403})
REDIRECTS_KEEPING_POST: Final = frozenset({307, 308})
REDIRECTS_ALLOWING_POST: Final = frozenset({301, 302, 307, 308})
EVENT_STREAM: Final = "text/event-stream"
_AUTHORITY: Final = re.compile(r"[^:/?#]+://[^/?#]*")


class Http(msgspec.Struct, frozen=True, omit_defaults=True):
    """What else a client knows at its first modern request over HTTP: the URL that it went to, whether it presented a
    credential, whether it also speaks the HTTP+SSE transport of 2024-11-05, and whether a recognized modern error other
    than the refusal of a version came from the server before (`identified`)."""

    url: str = ""
    credential: bool = False
    old_transport: bool = False
    identified: bool = False


_PLAIN: Final = Http()


@function("era.http-request")
def http_request(
    speaks: list[str],
    request: Sent,
    event: HttpEvent,
    profile: Profile,
    refused: list[str] | Absent = ABSENT,
    http: Http = _PLAIN,
) -> Decision[Step]:
    """What a client does with the answer to its first modern request over HTTP, be it server/discover or another one.

    Source: basic/transports/streamable-http#backward-compatibility, basic/versioning#compatibility-matrix.
    """
    client = client_of(speaks, refused, profile, http.identified)
    match event:
        case Unreachable():
            return decide(Report(Reason.TRANSPORT_FAILURE), *_NO_CLIENT_ERROR)
        case TimeOut():
            return _no_evidence(client)
        case Response(status=status) if status in REDIRECTS_ALLOWING_POST:
            return _redirected(client, event, http)
        case Response():
            return _answered(client, request, event, http)


_NO_CLIENT_ERROR: Final = ("http.compat.unrecognised-body-falls-back",)


def _answered(client: Client, request: Sent, event: Response, http: Http) -> Decision[Step]:
    answer = _answer_in(event, request.id)
    if answer is not None:
        modern = _recognized(client, request, answer, event.status)
        if modern.outcome:
            return _refused(client, request, error_of(answer), modern.because)
    if event.status < 300:
        return _no_evidence(client) if answer is None else _succeeded(client, request, answer)
    if event.status in AUTHORIZATION_STATUSES:
        return _unauthorized(client, http)
    if 400 <= event.status < 500:
        return _client_error(client, event.status, http)
    return _no_evidence(client)


def _recognized(client: Client, request: Sent, answer: JsonObject, status: int) -> Decision[bool]:
    code = member(error_of(answer), "code")
    return recognized_modern_error(Transport.HTTP, request.method, client.profile, code, status)


def _refused(client: Client, request: Sent, error: Json | Absent, recognized: tuple[str, ...]) -> Decision[Step]:
    kept = ("http.compat.modern-error-no-fallback", "http.compat.modern-error-retry")
    code = member(error, "code")
    assert is_integer(code)
    if code != UNSUPPORTED_VERSION:
        return decide(CorrectRequest(int(code)), *recognized, *kept)
    chosen = client.after_refusal(request.version, error)
    if isinstance(chosen.outcome, versions.LegacyServer):
        return _legacy(client, *chosen.because)
    step = selected(chosen, again=True)
    if not isinstance(step.outcome, Resend):
        return step.after(*recognized)
    stays = ("interop.matrix.dual-modern-http",) if client.is_dual_era else ()
    return step.after(*recognized, *kept).also(*stays)


def _succeeded(client: Client, request: Sent, answer: JsonObject) -> Decision[Step]:
    """A response with a status of success, be it a result or an error that is no modern one."""
    discovering = request.method == DISCOVER
    if error_of(answer) is not ABSENT:
        if discovering or client.profile[OrdinaryError] is OrdinaryError.LEGACY:
            return _legacy(client, "interop.detect.otherwise-legacy")
        return decide(Probe(request.version), "interop.matrix.dual-modern", "versioning.discover.call-first")
    stays = "interop.matrix.dual-modern-http" if client.is_dual_era else "interop.matrix.modern-modern"
    if not discovering:
        return _ordinary_success(request, answer, client.profile, stays)
    chosen = versions.from_discovery(client.speaks, answer["result"], client.profile, client.refused)
    if isinstance(chosen.outcome, versions.LegacyServer):
        return _legacy(client, *chosen.because)
    step = selected(chosen).after(stays)
    return step.also("http.sse2024.success-means-streamable") if isinstance(step.outcome, Proceed) else step


def _ordinary_success(request: Sent, answer: JsonObject, profile: Profile, stays: str) -> Decision[Step]:
    untyped = member(answer["result"], "resultType") is ABSENT
    if untyped and profile[FirstResultWithoutType] is FirstResultWithoutType.UNDETERMINED_PROBE_NEXT:
        return decide(
            Probe(request.version), "results.type.absent-as-complete", "interop.matrix.modern-legacy-reactions"
        )
    return decide(Proceed(Era.MODERN, request.version), stays, "http.sse2024.success-means-streamable")


def _unauthorized(client: Client, http: Http) -> Decision[Step]:
    tries = client.profile[AuthStatus] is AuthStatus.INITIALIZE_WHEN_CREDENTIAL_PRESENTED
    if tries and http.credential and client.legacy and not client.knows_modern_server:
        return _legacy(client, "interop.detect.otherwise-legacy")
    return decide(Authorize(), "base.auth.http-conforms")


def _client_error(client: Client, status: int, http: Http) -> Decision[Step]:
    """A 4xx whose body is no recognized modern error."""
    inspected = ("http.compat.inspect-400-body", "http.compat.unrecognised-body-falls-back") if status == 400 else ()
    falls_back = _falls_back_on(status, client.profile)
    may_stream = http.old_transport and client.is_dual_era and not client.knows_modern_server
    if may_stream and status in OLD_TRANSPORT_STATUSES:
        if not falls_back or client.profile[OldTransportOrder] is OldTransportOrder.GET_FIRST:
            return decide(OpenStream(), "http.sse2024.failure-tries-get", "interop.detect.otherwise-legacy", *inspected)
    elif not falls_back:
        return decide(Report(Reason.TRANSPORT_FAILURE), *_NO_CLIENT_ERROR)
    return _legacy(client, "interop.detect.otherwise-legacy", *inspected)


def _falls_back_on(status: int, profile: Profile) -> bool:
    match profile[FallbackStatus]:
        case FallbackStatus.ANY_4XX:
            return True
        case FallbackStatus.ONLY_400:
            return status == 400
        case FallbackStatus.STATUS_400_404_405:
            return status in OLD_TRANSPORT_STATUSES


def _legacy(client: Client, *because: str, otherwise: Reason = Reason.REQUEST_REFUSED) -> Decision[Step]:
    return fall_back(client, because, ("interop.matrix.dual-legacy-http",), otherwise=otherwise)


def _no_evidence(client: Client) -> Decision[Step]:
    """A failure that is no 4xx answer."""
    match client.profile[NonClientErrorFailure]:
        case NonClientErrorFailure.NO_EVIDENCE:
            return decide(Report(Reason.TRANSPORT_FAILURE), *_NO_CLIENT_ERROR)
        case NonClientErrorFailure.LEGACY:
            return _legacy(client, "interop.detect.otherwise-legacy", otherwise=Reason.TRANSPORT_FAILURE)


def _redirected(client: Client, event: Response, http: Http) -> Decision[Step]:
    """A redirect whose status allows the same POST to be sent again."""
    followed = client.profile[RedirectedRequest]
    target = _target(http.url, event.location)
    if target is None or followed is RedirectedRequest.NOT_FOLLOWED:
        return _no_evidence(client)
    same_origin = origin_of(target) == origin_of(http.url)
    if followed is RedirectedRequest.FOLLOW_SAME_ORIGIN_307_308:
        if not same_origin or event.status not in REDIRECTS_KEEPING_POST:
            return _no_evidence(client)
        return decide(Follow(target, http.credential), "interop.client.detects-era")
    return decide(Follow(target, http.credential and same_origin), "interop.client.detects-era")


@function("era.http-stream")
def http_stream(
    speaks: list[str],
    event: StreamEvent,
    initialize_refused: bool,
    profile: Profile,
    refused: list[str] | Absent = ABSENT,
) -> Decision[Step]:
    """What a client does with the answer to the GET by which it looks for the HTTP+SSE transport.
    `initialize_refused` says whether a POST of initialize was refused before.

    Source: basic/transports/streamable-http#http-sse-transport-2024-11-05.
    """
    if isinstance(event, Stream) and _is_endpoint(event):
        assert is_string(event.data)
        return decide(
            UseOldTransport(event.data), "http.sse2024.endpoint-event-selects", "interop.matrix.dual-legacy-http-sse"
        )
    if initialize_refused:
        return decide(Report(Reason.HANDSHAKE_REFUSED), "http.sse2024.failure-tries-get")
    return _legacy(client_of(speaks, refused, profile), "interop.detect.otherwise-legacy")


def _is_endpoint(event: Stream) -> bool:
    is_stream = is_string(event.content_type) and event.content_type.partition(";")[0].strip().lower() == EVENT_STREAM
    return is_stream and event.status == 200 and event.first_event == "endpoint" and bool(event.data)


@function("era.http-initialize")
def http_initialize(
    speaks: list[str],
    request: Sent,
    event: HttpEvent,
    profile: Profile,
    refused: list[str] | Absent = ABSENT,
    handshake: Handshake = DETECTED,
) -> Decision[Step]:
    """What a client does with the answer to its initialize over HTTP.

    Source: basic/versioning#backward-compatibility-with-initialization-based-versions,
    basic/transports/streamable-http#http-sse-transport-2024-11-05.
    """
    if not isinstance(event, Response):
        return decide(Report(Reason.TRANSPORT_FAILURE), *NO_ANSWER)
    client = client_of(speaks, refused, profile)
    answer = _answer_in(event, request.id)
    if answer is not None and (event.status < 300 or _recognized(client, request, answer, event.status).outcome):
        return initialize_answered(client, request, answer, handshake, event.status)
    if event.status in AUTHORIZATION_STATUSES:
        return decide(Authorize(), "base.auth.http-conforms")
    if not 400 <= event.status < 500:
        return decide(Report(Reason.TRANSPORT_FAILURE), *NO_ANSWER)
    may_stream = handshake.old_transport and not handshake.remembered and not client.knows_modern_server
    if may_stream and event.status in OLD_TRANSPORT_STATUSES:
        return decide(OpenStream(), "http.sse2024.failure-tries-get", "interop.matrix.dual-legacy-http-sse")
    return handshake_failed(client, Reason.HANDSHAKE_REFUSED, handshake)


def _answer_in(event: Response, request_id: int | str) -> JsonObject | None:
    """The JSON-RPC response in an HTTP response. Its body belongs to the request that was posted, so an error counts
    whatever its id; in an event stream it may have the id of the request or none."""
    if event.messages is ABSENT:
        body = event.body
        if is_response(body) and (_is_rpc_error(body) or _is_result_of(body, request_id)):
            return body
        return None
    for message in event.messages:
        if is_response(message) and (_is_result_of(message, request_id) or _is_error_of(message, request_id)):
            return message
    return None


def _is_rpc_error(response: JsonObject) -> bool:
    return is_integer(member(error_of(response), "code"))


def _is_error_of(response: JsonObject, request_id: int | str) -> bool:
    found = response.get("id")
    return _is_rpc_error(response) and (found is None or equal(found, request_id))


def _is_result_of(response: JsonObject, request_id: int | str) -> bool:
    return error_of(response) is ABSENT and equal(response.get("id"), request_id)


class Place(NamedTuple):
    """Where an absolute http or https URL leads: its origin, and its path with its query."""

    origin: Origin
    path: str


def place(url: str) -> Place | None:
    """The place that `url` names, None where it is no absolute http or https URL."""
    origin = origin_of(url)
    if origin is None:
        return None
    authority = _AUTHORITY.match(url)
    assert authority is not None
    path = url[authority.end() :].partition("#")[0]
    return Place(origin, path if path.startswith("/") else f"/{path}")


def _target(url: str, location: str | Absent) -> str | None:
    """The absolute URL that a Location header names, None where there is no usable one."""
    if location is ABSENT or not location:
        return None
    target = resolved(url, location)
    return None if origin_of(target) is None else target
