"""What a server does with an HTTP request to its MCP endpoint.

Of the headers that mirror the body, only MCP-Protocol-Version is decided here.

Source: basic/transports/streamable-http#protocol-version-header, basic/transports/streamable-http#server-validation,
basic/transports/streamable-http#earlier-streamable-http-revisions, basic/versioning#compatibility-matrix.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    AbsentVersionHeader,
    AbsentVersionHeaderModernBody,
    ClientNotification,
    HttpFaultOrder,
    LegacySessionModernBody,
    LegacyVersionInMeta,
    ModernOnlyInitializeError,
    RefusalBody,
    VersionHeaderWithoutBodyVersion,
)
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.errors import HEADER_MISMATCH, INVALID_PARAMS
from spec_model.semantics.functions import function
from spec_model.semantics.meta_keys import PROTOCOL_VERSION
from spec_model.semantics.revisions import era_of
from spec_model.semantics.server import (
    Accept,
    Answer,
    Error,
    LegacyTransport,
    Refuse,
    RefuseNotification,
    Serve,
    Server,
)
from spec_model.semantics.server_messages import Malformed, Notification, Request, answer_malformed, is_response, read
from spec_model.semantics.server_requests import (
    Fault,
    Order,
    before_handshake,
    declares_modern,
    declares_modern_in_session,
    handshake,
    legacy_request,
    metadata_fault,
    method_fault,
    names_modern,
    on_batch,
    opens_handshake,
    other_metadata_fault,
    reported,
    served,
    unsupported,
    version_fault,
)
from spec_model.wire.values import ABSENT, Absent, Json, is_string, member

VERSION_HEADER: Final = "mcp-protocol-version"
SESSION_HEADER: Final = "mcp-session-id"
EVENT_HEADER: Final = "last-event-id"

_FIRST_ON_HTTP: Final = "2025-03-26"
_FIRST_WITH_HEADER: Final = "2025-06-18"
_KNOWN_NOTIFICATIONS: Final = frozenset({"notifications/cancelled"})

_ORDERS: Final[Mapping[HttpFaultOrder, Order]] = {
    HttpFaultOrder.METADATA_HEADER_VERSION_METHOD: (Fault.METADATA, Fault.HEADER, Fault.VERSION, Fault.METHOD),
    HttpFaultOrder.HEADER_FIRST: (Fault.HEADER, Fault.METADATA, Fault.VERSION, Fault.METHOD),
    HttpFaultOrder.VERSION_FIRST: (Fault.VERSION, Fault.HEADER, Fault.METADATA, Fault.METHOD),
    # Any fault may be reported: with the order reversed here, the readings together give each that applies.
    HttpFaultOrder.ANY_APPLICABLE: (Fault.METHOD, Fault.VERSION, Fault.HEADER, Fault.METADATA),
}


@function("server.on-http-method")
def on_http_method(profile: Profile, server: Server, method: Literal["GET", "DELETE"]) -> Decision[Answer]:
    """What a server does with an HTTP request to the MCP endpoint that is no POST.

    No page says what body a 405 has: where none is named, it is not looked at.

    Source: basic/transports/streamable-http#earlier-streamable-http-revisions.
    """
    if server.legacy:
        return decide(LegacyTransport(), "http.legacy.interop-follows-old-revision")
    body = profile[RefusalBody]
    refused = Refuse(status=405) if body is RefusalBody.EMPTY else Refuse(status=405, body=body)
    if method == "GET":
        return decide(refused, "http.legacy.get-405", "interop.matrix.legacy-modern-http-sse")
    return decide(refused, "http.legacy.delete-405")


@function("server.on-http")
def on_http(
    profile: Profile, server: Server, message: Json, headers: dict[str, str], session: str | None = None
) -> Decision[Answer]:
    """What a server does with a JSON value in the body of a POST.

    `session` is the version of the live legacy session that the Mcp-Session-Id header names, null where it names none.

    Source: basic/transports/streamable-http, basic/versioning#compatibility-matrix, basic/index#meta.
    """
    if isinstance(message, list):
        return on_batch(profile, server, message, session, "http")
    received = read(profile, message)
    match received.outcome:
        case Request() as request:
            return _on_request(profile, server, request, Headers(headers), session)
        case Notification(method):
            return _on_notification(profile, server, method, Headers(headers), session)
        case Malformed() as malformed:
            if session is not None and is_response(message):
                accepted: Decision[Answer] = decide(Accept(), "interop.dual-server.scope-session")
                return _refused_header(server, Headers(headers).version) or accepted
            return answer_malformed(profile, "http", Decision(malformed, received.because))


class Headers:
    """The headers of a request; names are compared without regard to case."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._values = {name.lower(): value for name, value in headers.items()}

    @property
    def version(self) -> str | Absent:
        """The value of MCP-Protocol-Version."""
        return self._values.get(VERSION_HEADER, ABSENT)

    @property
    def names_session(self) -> bool:
        """Whether there is an Mcp-Session-Id."""
        return SESSION_HEADER in self._values

    @property
    def names_event(self) -> bool:
        """Whether there is a Last-Event-ID."""
        return EVENT_HEADER in self._values


def _on_notification(
    profile: Profile, server: Server, method: str, headers: Headers, session: str | None
) -> Decision[Answer]:
    names_legacy = headers.version is not ABSENT and not names_modern(headers.version)
    legacy = session is not None or not server.modern or (names_legacy and bool(server.legacy))
    if not legacy and not _assumes_oldest(profile, server, headers.version):
        return _on_modern_notification(profile, method)
    refused = _refused_header(server, headers.version)
    if refused is None and session is None:
        refused = _refused_session(server, headers)
    return refused or decide(Accept(), "base.notification.no-response", "legacy.http.notification-202")


def _assumes_oldest(profile: Profile, server: Server, header: str | Absent) -> bool:
    """Whether a server takes a message without the version header and without a session for one of 2025-03-26."""
    serves = header is ABSENT and not server.sessions and _FIRST_ON_HTTP in server.legacy
    return serves and profile[AbsentVersionHeader] is AbsentVersionHeader.ASSUME_2025_03_26


def _on_modern_notification(profile: Profile, method: str) -> Decision[Answer]:
    accepts = profile[ClientNotification]
    known = accepts is ClientNotification.ACCEPT_KNOWN and method in _KNOWN_NOTIFICATIONS
    if known or accepts is ClientNotification.ACCEPT_ALL:
        return decide(Accept(), "base.notification.no-response", "transport.delivery.client-notifications")
    return decide(RefuseNotification(), "base.notification.no-response")


def _on_request(
    profile: Profile, server: Server, request: Request, headers: Headers, session: str | None
) -> Decision[Answer]:
    if not server.legacy:
        return _on_modern_only(profile, server, request, headers)
    if not server.modern:
        return _on_legacy_only(profile, server, request, headers, session)
    if request.method == "initialize":
        opens = opens_handshake(profile, request.meta(), headers.version)
        return handshake(profile, server, request) if opens else _on_modern(profile, server, request, headers.version)
    if _is_modern(profile, server, request, headers.version, session):
        return _on_modern(profile, server, request, headers.version)
    return _on_legacy(profile, server, request, headers, session)


def _on_modern_only(profile: Profile, server: Server, request: Request, headers: Headers) -> Decision[Answer]:
    plain = request.meta(PROTOCOL_VERSION) is ABSENT and not names_modern(headers.version)
    if request.method == "initialize" and plain:
        return _refused_handshake(profile, server, request)
    decision = _on_modern(profile, server, request, headers.version)
    if isinstance(decision.outcome, Serve) and headers.names_event:
        decision = decision.after("http.legacy.last-event-id-ignored")
    if isinstance(decision.outcome, Serve) and headers.names_session:
        decision = decision.after("http.legacy.session-id-ignored")
    return decision


def _refused_handshake(profile: Profile, server: Server, request: Request) -> Decision[Answer]:
    because = ("interop.matrix.legacy-modern-http-400", "interop.matrix.legacy-modern")
    requested = member(request.params, "protocolVersion")
    error = profile[ModernOnlyInitializeError]
    if error is ModernOnlyInitializeError.HEADER_MISMATCH:
        return _header_error(request).after(*because)
    if error is ModernOnlyInitializeError.UNSUPPORTED_VERSION and is_string(requested):
        refused = _with_status(unsupported(profile, server, request, requested), 400, "http.version.unsupported-400")
        return refused.after(*because)
    return decide(Error(INVALID_PARAMS, request.id, 400), *because, "meta.reject.http-400")


def _is_modern(profile: Profile, server: Server, request: Request, header: str | Absent, session: str | None) -> bool:
    in_session = session is not None and not names_modern(header)
    if in_session and not declares_modern_in_session(profile, request.meta()):
        return False
    if not in_session and not declares_modern(profile, request.meta(), header):
        return False
    version = request.meta(PROTOCOL_VERSION)
    legacy_in_both = version in server.legacy and header in (version, ABSENT)
    if legacy_in_both and profile[LegacyVersionInMeta] is LegacyVersionInMeta.TREAT_AS_LEGACY_REQUEST:
        return False
    if header is ABSENT:
        assumes = profile[AbsentVersionHeaderModernBody] is AbsentVersionHeaderModernBody.ASSUME_2025_03_26
        return not (assumes and _serves_oldest(server))
    session_decides = profile[LegacySessionModernBody] is LegacySessionModernBody.LEGACY_SESSION_DECIDES
    return not (session_decides and in_session)


def _serves_oldest(server: Server) -> bool:
    """Whether the server serves clients of versions that did not define the version header."""
    return any(version < _FIRST_WITH_HEADER for version in server.legacy)


def _on_modern(profile: Profile, server: Server, request: Request, header: str | Absent) -> Decision[Answer]:
    named = _requested(server, request, header)
    header_fault = _header_fault(profile, request, header)
    # A header fault over a body without a version stands for the missing key.
    in_metadata = metadata_fault if header is ABSENT or header_fault is None else other_metadata_fault
    version = version_fault(profile, server, request, named)
    method = method_fault(profile, server, request, named if version is None else server.modern[0])
    faults = {
        Fault.METADATA: in_metadata(profile, request, "http"),
        Fault.HEADER: header_fault,
        Fault.VERSION: version and _with_status(version, 400, "http.version.unsupported-400"),
        Fault.METHOD: method and _with_status(method, 404, "http.method.unknown-404", "http.method.unknown-32601"),
    }
    refusal = reported(faults, _ORDERS, profile, HttpFaultOrder)
    return served(server, request, named) if refusal is None else refusal


def _requested(server: Server, request: Request, header: str | Absent) -> str:
    """The version that a request asks for: the body decides, and where it names none the header, unless that names a
    version of the other era."""
    version = request.meta(PROTOCOL_VERSION)
    if is_string(version):
        return version
    return header if is_string(header) and header not in server.legacy else server.modern[0]


def _header_fault(profile: Profile, request: Request, header: str | Absent) -> Decision[Answer] | None:
    version = request.meta(PROTOCOL_VERSION)
    if header is ABSENT:
        return _header_error(request).after("headers.protocol-version.absent-refused")
    if is_string(version):
        return None if version == header else _mismatch(request)
    reading = profile[VersionHeaderWithoutBodyVersion]
    of_wrong_type = version is not ABSENT and reading is VersionHeaderWithoutBodyVersion.BY_CASE
    if of_wrong_type or reading is VersionHeaderWithoutBodyVersion.HEADER_MISMATCH:
        return _mismatch(request)
    return None


def _mismatch(request: Request) -> Decision[Answer]:
    return _header_error(request).after(
        "headers.protocol-version.mismatch-error",
        "headers.protocol-version.mismatch-400",
        "headers.protocol-version.equals-meta",
        "headers.validate.reject-difference",
        "transport.metadata.body-authoritative",
    )


def _header_error(request: Request) -> Decision[Answer]:
    return decide(
        Error(HEADER_MISMATCH, request.id, 400),
        "headers.validate.error-32020",
        "headers.validate.status-400",
        "errors.code.header-mismatch",
    )


def _with_status(error: Decision[Answer], status: int, *because: str) -> Decision[Answer]:
    assert isinstance(error.outcome, Error)
    answer: Answer = msgspec.structs.replace(error.outcome, status=status)
    return Decision(answer, error.because).also(*because)


def _on_legacy(
    profile: Profile, server: Server, request: Request, headers: Headers, session: str | None
) -> Decision[Answer]:
    refused = _refused_header(server, headers.version)
    if refused is not None:
        return refused
    if session is not None:
        return legacy_request(profile, server, request, session).after("interop.dual-server.scope-session")
    if headers.version is not ABSENT:
        return _without_session(profile, server, request, headers)
    if not _serves_oldest(server):
        return _header_error(request).after("headers.protocol-version.absent-refused")
    match profile[AbsentVersionHeader]:
        case AbsentVersionHeader.ASSUME_2025_03_26:
            answer = _without_session(profile, server, request, headers)
        case AbsentVersionHeader.REFUSE:
            answer = _header_error(request)
    return answer.also("headers.protocol-version.absent-as-2025-03-26")


def _without_session(profile: Profile, server: Server, request: Request, headers: Headers) -> Decision[Answer]:
    version = _FIRST_ON_HTTP if headers.version is ABSENT else headers.version
    if version not in server.legacy:
        return decide(Refuse(status=400), "legacy.header.unsupported-400")
    return _refused_session(server, headers) or legacy_request(profile, server, request, version)


def _refused_session(server: Server, headers: Headers) -> Decision[Answer] | None:
    """The refusal of a message of no live session, None where the server has no sessions."""
    if not server.sessions:
        return None
    if headers.names_session:
        return decide(Refuse(status=404), "legacy.session.terminated-404")
    return decide(Refuse(status=400), "legacy.session.missing-id-400")


def _refused_header(server: Server, header: str | Absent) -> Decision[Answer] | None:
    """The refusal of a header that names no legacy version of the server, None where the server lets it pass."""
    defined = any(version >= _FIRST_WITH_HEADER for version in server.legacy)
    if header is ABSENT or header in server.legacy or not defined:
        return None
    known = "legacy.header.invalid-400" if era_of(header) is None else "legacy.header.unsupported-400"
    return decide(Refuse(status=400), known)


def _on_legacy_only(
    profile: Profile, server: Server, request: Request, headers: Headers, session: str | None
) -> Decision[Answer]:
    if request.method == "initialize":
        return handshake(profile, server, request)
    refused = _refused_header(server, headers.version)
    if refused is not None:
        return refused
    if session is not None:
        return legacy_request(profile, server, request, session)
    if headers.version in server.legacy:
        return _without_session(profile, server, request, headers)
    if not server.sessions and _FIRST_ON_HTTP in server.legacy:
        return legacy_request(profile, server, request, _FIRST_ON_HTTP).after("legacy.header.absent-means-2025-03-26")
    return before_handshake(profile, server, request, "http")
