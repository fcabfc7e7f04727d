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
    DiscoverError,
    FallbackStatus,
    FirstResultWithoutType,
    NonClientErrorFailure,
    OldTransportOrder,
    OrdinaryError,
    RedirectedRequest,
    RememberedLegacyRefused,
)
from spec_model.semantics import versions
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.era import (
    DETECTED,
    DISCOVER,
    NO_ANSWER,
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
    UseResult,
    client_of,
    error_of,
    fall_back,
    handshake_failed,
    initialize_answered,
    is_response,
    recognized_modern_error,
    selected,
)
from spec_model.semantics.errors import UNSUPPORTED_VERSION
from spec_model.semantics.functions import function
from spec_model.semantics.revisions import Era
from spec_model.wire.urls import Origin, origin_of, resolved
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, equal, is_integer, is_string, member

OLD_TRANSPORT_STATUSES: Final = frozenset({400, 404, 405})
AUTHORIZATION_STATUSES: Final = frozenset({401, 403})
REDIRECTS_KEEPING_POST: Final = frozenset({307, 308})
REDIRECTS_ALLOWING_POST: Final = frozenset({301, 302, 307, 308})
EVENT_STREAM: Final = "text/event-stream"
# A scheme stands at the beginning of the header, or after a comma that is not part of a quoted text.
_BEARER: Final = re.compile(r"""(?:(?:[^"]|"[^"]*")*?,)?\s*bearer(?:\s|,|$)""", re.IGNORECASE)
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
            return _failed(client)
        case TimeOut():
            return _no_evidence(client)
        case Response(status=status) if status in REDIRECTS_ALLOWING_POST:
            followed = _followed(event, http, profile)
            return _no_evidence(client) if followed is None else followed
        case Response():
            return _answered(client, request, event, http)


def _answered(client: Client, request: Sent, event: Response, http: Http) -> Decision[Step]:
    answer = _answer_in(event, request.id)
    if answer is not None:
        modern = _recognized(client, request, answer, event.status)
        if modern.outcome:
            return _refused(client, request, error_of(answer), modern.because)
    if event.status < 300:
        return _no_evidence(client) if answer is None else _succeeded(client, request, answer)
    if event.status in AUTHORIZATION_STATUSES:
        return _unauthorized(client, event, http)
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
        return step.also(*recognized)
    if not client.is_dual_era:
        return step.also(*recognized)
    return step.after("interop.matrix.dual-modern-http", *recognized, *kept)


def _succeeded(client: Client, request: Sent, answer: JsonObject) -> Decision[Step]:
    """A response with a status of success, be it a result or an error that is no modern one."""
    discovering = request.method == DISCOVER
    if error_of(answer) is not ABSENT:
        return _discovery_failed(client) if discovering else _ordinary_error(client, request)
    stays = "interop.matrix.dual-modern-http" if client.is_dual_era else "interop.matrix.modern-modern"
    if not discovering:
        return _ordinary_success(request, answer, client.profile, stays)
    chosen = versions.from_discovery(client.speaks, answer["result"], client.profile, client.refused)
    if isinstance(chosen.outcome, versions.LegacyServer):
        return _legacy(client, *chosen.because)
    step = selected(chosen).after(stays)
    return step.also("http.sse2024.success-means-streamable") if isinstance(step.outcome, Proceed) else step


def _discovery_failed(client: Client) -> Decision[Step]:
    if client.knows_modern_server or client.profile[DiscoverError] is DiscoverError.LEGACY:
        return _legacy(client, "interop.detect.otherwise-legacy")
    return decide(Report(Reason.REQUEST_REFUSED), *_only_4xx(client))


def _ordinary_error(client: Client, request: Sent) -> Decision[Step]:
    modern = "interop.matrix.dual-modern" if client.is_dual_era else "interop.matrix.modern-modern"
    match client.profile[OrdinaryError]:
        case OrdinaryError.UNDETERMINED_PROBE_NEXT:
            return decide(Probe(request.version), modern, "versioning.discover.call-first")
        case OrdinaryError.LEGACY:
            return _legacy(client, "interop.detect.otherwise-legacy")
        case OrdinaryError.UNDETERMINED_REPORT:
            return decide(Report(Reason.REQUEST_REFUSED), modern)


def _ordinary_success(request: Sent, answer: JsonObject, profile: Profile, stays: str) -> Decision[Step]:
    if member(answer["result"], "resultType") is ABSENT:
        undetermined = ("results.type.absent-as-complete", "interop.matrix.modern-legacy-reactions")
        reading = profile[FirstResultWithoutType]
        if reading is FirstResultWithoutType.UNDETERMINED_PROBE_NEXT:
            return decide(Probe(request.version), *undetermined)
        if reading is FirstResultWithoutType.UNDETERMINED_USE_RESULT:
            return decide(UseResult(), *undetermined)
    return decide(Proceed(Era.MODERN, request.version), stays, "http.sse2024.success-means-streamable")


def _unauthorized(client: Client, event: Response, http: Http) -> Decision[Step]:
    """A 401 or 403. With a challenge it says what the credential lacks, and nothing about the era."""
    tries = client.profile[AuthStatus] is AuthStatus.INITIALIZE_WHEN_CREDENTIAL_PRESENTED
    refused_without_word = http.credential and not _challenges(event)
    if tries and refused_without_word and client.legacy and not client.knows_modern_server:
        return _legacy(client, "interop.detect.otherwise-legacy")
    return decide(Authorize(), "base.auth.http-conforms")


def _challenges(event: Response) -> bool:
    """Whether a response has a challenge of the Bearer scheme."""
    challenge = event.www_authenticate
    return is_string(challenge) and _BEARER.match(challenge) is not None


def _client_error(client: Client, status: int, http: Http) -> Decision[Step]:
    """A 4xx whose body is no recognized modern error."""
    inspected = ("http.compat.inspect-400-body", "http.compat.unrecognised-body-falls-back") if status == 400 else ()
    falls_back = _falls_back_on(status, client.profile)
    may_stream = http.old_transport and client.is_dual_era and not client.knows_modern_server
    if may_stream and status in OLD_TRANSPORT_STATUSES:
        if not falls_back or client.profile[OldTransportOrder] is OldTransportOrder.GET_FIRST:
            return decide(OpenStream(), "http.sse2024.failure-tries-get", "interop.detect.otherwise-legacy", *inspected)
    elif not falls_back:
        return _not_400()
    return _legacy(client, "interop.detect.otherwise-legacy", *inspected)


def _not_400() -> Decision[Step]:
    """A 4xx that identifies no legacy server by the readings that limit the fallback to some statuses."""
    return decide(Report(Reason.TRANSPORT_FAILURE), "http.compat.inspect-400-body")


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
            return _failed(client)
        case NonClientErrorFailure.LEGACY:
            return _legacy(client, "interop.detect.otherwise-legacy", otherwise=Reason.TRANSPORT_FAILURE)


def _failed(client: Client) -> Decision[Step]:
    return decide(Report(Reason.TRANSPORT_FAILURE), *_only_4xx(client))


def _only_4xx(client: Client) -> tuple[str, ...]:
    """Why the client gives up where no 4xx answer came: only that makes a client of both eras fall back, and one of
    modern versions has nothing to fall back to."""
    return ("interop.matrix.dual-legacy-http",) if client.is_dual_era else ("interop.matrix.modern-legacy-error",)


def _followed(event: Response, http: Http, profile: Profile) -> Decision[Step] | None:
    """The same POST to the address of a redirect whose status allows this, None where it is not followed."""
    target = _target(http.url, event.location)
    if target is None:
        return None
    same_origin = origin_of(target) == origin_of(http.url)
    match profile[RedirectedRequest]:
        case RedirectedRequest.NOT_FOLLOWED:
            return None
        case RedirectedRequest.FOLLOW_SAME_ORIGIN_307_308:
            if not same_origin or event.status not in REDIRECTS_KEEPING_POST:
                return None
    return decide(Follow(target, http.credential and same_origin), "http.sse2024.client-posts-first")


@function("era.http-stream")
def http_stream(
    speaks: list[str],
    event: StreamEvent,
    initialize_refused: bool,
    profile: Profile,
    refused: list[str] | Absent = ABSENT,
    status: int = 400,
) -> Decision[Step]:
    """What a client does with the answer to the GET by which it looks for the HTTP+SSE transport.
    `initialize_refused` says whether a POST of initialize was refused before, `status` is that of the refused POST.

    Source: basic/transports/streamable-http#http-sse-transport-2024-11-05.
    """
    if isinstance(event, Stream) and _is_endpoint(event):
        assert is_string(event.data)
        return decide(
            UseOldTransport(event.data), "http.sse2024.endpoint-event-selects", "interop.matrix.dual-legacy-http-sse"
        )
    if initialize_refused:
        return decide(Report(Reason.HANDSHAKE_REFUSED), "http.sse2024.failure-tries-get")
    if not _falls_back_on(status, profile):
        return _not_400()
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
    http: Http = _PLAIN,
) -> Decision[Step]:
    """What a client does with the answer to its initialize over HTTP. Of `http` it looks at the URL and the credential,
    for a redirect.

    Source: basic/versioning#backward-compatibility-with-initialization-based-versions,
    basic/transports/streamable-http#http-sse-transport-2024-11-05.
    """
    if not isinstance(event, Response):
        return decide(Report(Reason.TRANSPORT_FAILURE), *NO_ANSWER)
    if event.status in REDIRECTS_ALLOWING_POST:
        return _followed(event, http, profile) or decide(Report(Reason.TRANSPORT_FAILURE), *NO_ANSWER)
    client = client_of(speaks, refused, profile)
    answer = _answer_in(event, request.id)
    if answer is not None and (event.status < 300 or _recognized(client, request, answer, event.status).outcome):
        return initialize_answered(client, request, answer, handshake, event.status)
    if event.status in AUTHORIZATION_STATUSES:
        return decide(Authorize(), "base.auth.http-conforms")
    if not 400 <= event.status < 500:
        return decide(Report(Reason.TRANSPORT_FAILURE), *NO_ANSWER)
    may_stream = handshake.old_transport and not client.knows_modern_server
    if may_stream and event.status in OLD_TRANSPORT_STATUSES and _goes_to_get(client, handshake):
        return decide(OpenStream(), "http.sse2024.failure-tries-get", "interop.matrix.dual-legacy-http-sse")
    return handshake_failed(client, Reason.HANDSHAKE_REFUSED, handshake, status=event.status)


def _goes_to_get(client: Client, handshake: Handshake) -> bool:
    """Whether the GET comes next, or first a probe for the era, which was only remembered."""
    if not handshake.remembered or not client.modern:
        return True
    return client.profile[RememberedLegacyRefused] is RememberedLegacyRefused.GET_FIRST


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
    """The absolute URL that a Location header names, None where there is no usable one. Scheme and host are in lower
    case, and a default port is left out."""
    if location is ABSENT or not location:
        return None
    target = resolved(url, location)
    origin = origin_of(target)
    if origin is None:
        return None
    authority = _AUTHORITY.match(target)
    assert authority is not None
    port = "" if origin == origin_of(f"{origin.scheme}://{origin.host}/") else f":{origin.port}"
    return f"{origin.scheme}://{origin.host}{port}{target[authority.end() :]}"
