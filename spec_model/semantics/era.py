"""How a client finds out the era of a server: what it sees, what it does next, and what holds on both transports.

Every rule of the era takes the versions that the client speaks as `speaks`, most preferred first, and `refused`, the
versions that this server refused before with error -32022. It gives the client's next step. The answers on each
transport are in `era_stdio` and `era_http`.

Source: basic/versioning#backward-compatibility-with-initialization-based-versions,
basic/transports/stdio#backward-compatibility, basic/transports/streamable-http#backward-compatibility.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeGuard

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    FirstHttpRequest,
    LineWithoutMessage,
    ModernOnlyProbe,
    RecognizedModernErrors,
    RememberedOpening,
)
from spec_model.semantics import versions
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.errors import (
    HEADER_MISMATCH,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    RESOURCE_NOT_FOUND,
    UNSUPPORTED_VERSION,
)
from spec_model.semantics.functions import function
from spec_model.semantics.revisions import Era, of_era
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_integer, is_object, is_string, member

MODERN_CODES: Final = frozenset({HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_VERSION})
LEGACY_RANGE: Final = range(-32019, -31999)

DISCOVER: Final = "server/discover"


class Transport(enum.Enum):
    """The two transports of the specification."""

    STDIO = "stdio"
    HTTP = "http"


# --- what a client sees ---------------------------------------------------------------------------------------------


class Sent(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request that waits for its answer: its id, the version that it names, and its method."""

    id: int | str
    version: str
    method: str = DISCOVER


class Line(msgspec.Struct, frozen=True, tag_field="event", tag="line"):
    """A line on the server's standard output, read as JSON."""

    message: Json


class Noise(msgspec.Struct, frozen=True, tag_field="event", tag="noise"):
    """A line on the server's standard output that is no JSON."""

    text: str


class Stderr(msgspec.Struct, frozen=True, tag_field="event", tag="stderr"):
    """Text on the server's standard error."""

    text: str


class TimeOut(msgspec.Struct, frozen=True, tag_field="event", tag="time-out"):
    """The client's waiting time is over."""


class Exit(msgspec.Struct, frozen=True, tag_field="event", tag="exit"):
    """The server process is gone."""


class Response(msgspec.Struct, frozen=True, tag_field="event", tag="response", omit_defaults=True):
    """An HTTP response to a POST. Its body is one of `body` (JSON), `messages` (those of an event stream, in order)
    and `text` (anything else), or empty."""

    status: int
    body: Json | Absent = ABSENT
    messages: list[Json] | Absent = ABSENT
    text: str | Absent = ABSENT
    content_type: str | Absent = ABSENT
    location: str | Absent = ABSENT
    www_authenticate: str | Absent = ABSENT


class Unreachable(msgspec.Struct, frozen=True, tag_field="event", tag="unreachable"):
    """No connection came about."""


class Stream(msgspec.Struct, frozen=True, tag_field="event", tag="stream", omit_defaults=True):
    """An HTTP response to a GET, with the name and the data of the first event of its stream where it is one."""

    status: int
    content_type: str | Absent = ABSENT
    first_event: str | Absent = ABSENT
    data: str | Absent = ABSENT


StdioEvent = Line | Noise | Stderr | TimeOut | Exit
HttpEvent = Response | TimeOut | Unreachable
StreamEvent = Stream | TimeOut | Unreachable


# --- what a client does next ----------------------------------------------------------------------------------------


class Reason(enum.Enum):
    """What a client tells its user when the negotiation is over without a common version."""

    NO_COMMON_VERSION = "no-common-version"
    DEFECTIVE_ANSWER = "defective-answer"
    LEGACY_SERVER = "legacy-server"
    REQUEST_REFUSED = "request-refused"
    HANDSHAKE_REFUSED = "handshake-refused"
    TRANSPORT_FAILURE = "transport-failure"


class Proceed(msgspec.Struct, frozen=True, tag_field="next", tag="proceed"):
    """The era of the server is known, and what follows uses `version`."""

    era: Era
    version: str


class Resend(msgspec.Struct, frozen=True, tag_field="next", tag="resend"):
    """The server is modern. The request is sent again with a new id and names `version`; a refused probe may also
    give way to another request that names it."""

    version: str


class CorrectRequest(msgspec.Struct, frozen=True, tag_field="next", tag="correct-request"):
    """The server is modern and takes the version. The request itself is at fault, as `code` says."""

    code: int


class Probe(msgspec.Struct, frozen=True, tag_field="next", tag="probe", omit_defaults=True):
    """server/discover is sent and names `version`, to a fresh process where `fresh_process` says so."""

    version: str
    fresh_process: bool = False


class Request(msgspec.Struct, frozen=True, tag_field="next", tag="request"):
    """The request that the caller wants is sent and names `version`."""

    version: str


class Restart(msgspec.Struct, frozen=True, tag_field="next", tag="restart"):
    """A fresh process is started. The request that was in flight is lost; the caller may have it sent again."""


class UseResult(msgspec.Struct, frozen=True, tag_field="next", tag="use-result"):
    """The caller gets the result as a complete one; nothing is known about the era."""


class Initialize(msgspec.Struct, frozen=True, tag_field="next", tag="initialize", omit_defaults=True):
    """initialize is sent and names `version`: to a fresh process, or after a notification that cancels the probe,
    where the members say so."""

    version: str
    fresh_process: bool = False
    cancels_probe: bool = False


class OpenStream(msgspec.Struct, frozen=True, tag_field="next", tag="open-stream"):
    """A GET to the same URL looks for the HTTP+SSE transport of 2024-11-05."""


class UseOldTransport(msgspec.Struct, frozen=True, tag_field="next", tag="use-old-transport"):
    """All that follows, initialize first, is posted to `endpoint` by the rules of HTTP+SSE."""

    endpoint: str


class Follow(msgspec.Struct, frozen=True, tag_field="next", tag="follow"):
    """The same POST goes to `url`, with the credential or without it."""

    url: str
    credential: bool


class Authorize(msgspec.Struct, frozen=True, tag_field="next", tag="authorize"):
    """The authorization flow starts or goes on; nothing is known about the era."""


class Wait(msgspec.Struct, frozen=True, tag_field="next", tag="wait"):
    """The event decides nothing; the client goes on waiting."""


class Disconnect(msgspec.Struct, frozen=True, tag_field="next", tag="disconnect"):
    """The client gives the connection up, for the server answered initialize with a version it cannot use."""


class Report(msgspec.Struct, frozen=True, tag_field="next", tag="report"):
    """The client tells its user and sends nothing more."""

    reason: Reason


Step = (
    Proceed
    | Resend
    | CorrectRequest
    | Probe
    | Request
    | Restart
    | UseResult
    | Initialize
    | OpenStream
    | UseOldTransport
    | Follow
    | Authorize
    | Wait
    | Disconnect
    | Report
)


# --- the first message ----------------------------------------------------------------------------------------------


@function("era.opening")
def opening(
    speaks: list[str], transport: Transport, profile: Profile, remembered: Era | Absent = ABSENT
) -> Decision[Step]:
    """What a client sends first. `remembered` is the era of this server that it still relies on; leave it out where it
    has none.

    Source: basic/transports/stdio#backward-compatibility, basic/transports/streamable-http#backward-compatibility.
    """
    modern, legacy = of_era(speaks, Era.MODERN), of_era(speaks, Era.LEGACY)
    if not modern and not legacy:
        return decide(Report(Reason.NO_COMMON_VERSION), "interop.era.modern", "interop.era.legacy")
    if not modern:
        return _handshake(speaks, profile, "legacy.init.client-sends-initialize")
    if remembered is Era.LEGACY and legacy:
        return _handshake(speaks, profile, *_KEPT[transport])
    if remembered is Era.MODERN:
        return _remembered_opening(modern[0], profile, *_KEPT[transport])
    if transport is Transport.HTTP:
        detecting = ("http.compat.modern-request-first", "interop.client.detects-era")
        return http_opening(modern[0], profile, *(detecting if legacy else ("interop.era.modern",)))
    if legacy:
        return decide(
            Probe(modern[0]),
            "stdio.probe.discover-first",
            "stdio.probe.preferred-version",
            "interop.client.detects-era",
        )
    match profile[ModernOnlyProbe]:
        case ModernOnlyProbe.PROBE_FIRST:
            return decide(Probe(modern[0]), "stdio.probe.modern-only-recommended")
        case ModernOnlyProbe.REQUEST_AT_ONCE:
            return decide(Request(modern[0]), "stdio.probe.modern-only-recommended", "stdio.probe.modern-only-optional")


_KEPT: Final[Mapping[Transport, tuple[str, ...]]] = {
    Transport.STDIO: ("interop.cache.process-lifetime", "interop.cache.server-wide"),
    Transport.HTTP: ("interop.cache.origin-lifetime", "interop.cache.server-wide"),
}


def _remembered_opening(version: str, profile: Profile, *because: str) -> Decision[Step]:
    match profile[RememberedOpening]:
        case RememberedOpening.REQUEST_AT_ONCE:
            return decide(Request(version), *because)
        case RememberedOpening.DISCOVER_FIRST:
            return decide(Probe(version), *because, "versioning.discover.call-first")


def http_opening(version: str, profile: Profile, *because: str) -> Decision[Step]:
    """The first modern request over HTTP, which may be any."""
    match profile[FirstHttpRequest]:
        case FirstHttpRequest.SERVER_DISCOVER:
            return decide(Probe(version), *because, "versioning.discover.call-first")
        case FirstHttpRequest.ORDINARY_REQUEST:
            return decide(Request(version), *because, "versioning.discover.inline-allowed")


def _handshake(speaks: Sequence[str], profile: Profile, *because: str) -> Decision[Step]:
    """initialize, for a client that speaks a legacy version."""
    named = versions.initialize_version(speaks, profile)
    assert named is not None
    return decide(Initialize(named), *because, "legacy.version.client-sends-latest")


# --- recognized modern errors ---------------------------------------------------------------------------------------


@function("era.recognized-modern-error")
def recognized_modern_error(
    transport: Transport,
    method: str,
    profile: Profile,
    code: Json | Absent = ABSENT,
    status: int | Absent = ABSENT,
) -> Decision[bool]:
    """Whether a JSON-RPC error with this `code` in answer to `method` is a recognized modern error, which identifies a
    modern server. `status` is the HTTP status that it came with; leave `code` out where the error has none.

    Source: basic/versioning#backward-compatibility-with-initialization-based-versions,
    basic/transports/streamable-http#backward-compatibility, basic/index#error-codes.
    """
    if not is_integer(code):
        return decide(False, "interop.detect.otherwise-legacy")
    if code in MODERN_CODES:
        return _modern_code(transport, code, status, profile)
    if code == METHOD_NOT_FOUND and transport is Transport.HTTP and status == 404:
        return _method_not_found(method, profile)
    if code in LEGACY_RANGE and code != RESOURCE_NOT_FOUND:
        return decide(False, "interop.detect.otherwise-legacy", "errors.legacy-range.no-assumed-meaning")
    return decide(False, "interop.detect.otherwise-legacy")


def _modern_code(transport: Transport, code: float, status: int | Absent, profile: Profile) -> Decision[bool]:
    if transport is Transport.HTTP:
        known = ("http.compat.known-400-errors",) if status == 400 else ()
        return decide(True, "interop.detect.modern-error", *known)
    if code != UNSUPPORTED_VERSION and (
        profile[RecognizedModernErrors] is RecognizedModernErrors.UNSUPPORTED_VERSION_ONLY
    ):
        return decide(False, "stdio.probe.other-error-legacy")
    return decide(True, "interop.detect.modern-error", "stdio.probe.modern-error")


def _method_not_found(method: str, profile: Profile) -> Decision[bool]:
    """Status 404 with -32601, which a modern server gives for a method that it does not implement."""
    match profile[RecognizedModernErrors]:
        case RecognizedModernErrors.THREE_CODES_AND_404_EXCEPT_FOR_DISCOVER if method == DISCOVER:
            return decide(False, "interop.detect.otherwise-legacy", "discovery.method.implemented")
        case (
            RecognizedModernErrors.THREE_CODES_AND_404_EXCEPT_FOR_DISCOVER
            | RecognizedModernErrors.THREE_CODES_AND_404_METHOD_NOT_FOUND
        ):
            return decide(True, "interop.detect.modern-error", "http.sse2024.modern-error-no-get")
        case RecognizedModernErrors.UNSUPPORTED_VERSION_ONLY | RecognizedModernErrors.THREE_MCP_CODES:
            return decide(False, "interop.detect.otherwise-legacy")


# --- what both transports share --------------------------------------------------------------------------------------


class Client(NamedTuple):
    """The client of a rule: the versions that it speaks, those that the server refused before, its choices, and whether
    another recognized modern error identified the server before."""

    speaks: list[str]
    refused: list[str]
    profile: Profile
    identified: bool = False

    @property
    def knows_modern_server(self) -> bool:
        """Whether a recognized modern error has shown the server to be modern."""
        return bool(self.refused) or self.identified

    @property
    def modern(self) -> list[str]:
        """Its modern versions."""
        return of_era(self.speaks, Era.MODERN)

    @property
    def legacy(self) -> list[str]:
        """Its legacy versions."""
        return of_era(self.speaks, Era.LEGACY)

    @property
    def is_dual_era(self) -> bool:
        """Whether it speaks both eras."""
        return bool(self.modern) and bool(self.legacy)

    @property
    def preferred(self) -> str | None:
        """The modern version that it prefers among those that were not refused."""
        return next((version for version in self.modern if version not in self.refused), None)

    def after_refusal(self, version: str, error: Json | Absent) -> Decision[versions.Selection]:
        """What it does now that `error` refused `version`."""
        data = member(error, "data")
        return versions.after_refusal(self.speaks, [*self.refused, version], self.profile, data)


def client_of(speaks: list[str], refused: list[str] | Absent, profile: Profile, identified: bool = False) -> Client:
    """The client of a rule; `refused` may be left out."""
    return Client(speaks, [] if refused is ABSENT else refused, profile, identified)


def fall_back(
    client: Client,
    legacy: tuple[str, ...],
    then: tuple[str, ...],
    *,
    otherwise: Reason = Reason.REQUEST_REFUSED,
    fresh_process: bool = False,
    cancels_probe: bool = False,
) -> Decision[Step]:
    """The server looks like a legacy one for the reasons `legacy`: the handshake for the reasons `then`, or for a
    client that has none the report. A server that was shown to be modern before stays so: the client reports
    `otherwise`."""
    if client.knows_modern_server:
        return decide(Report(otherwise), "interop.detect.modern-error", "interop.cache.server-wide")
    named = versions.initialize_version(client.speaks, client.profile)
    if named is None:
        return decide(Report(Reason.LEGACY_SERVER), *legacy, "interop.matrix.modern-legacy-error")
    return decide(Initialize(named, fresh_process, cancels_probe), *legacy, *then)


def selected(chosen: Decision[versions.Selection], *, again: bool = False) -> Decision[Step]:
    """The step that a choice of version means; `again` where the request is sent again. A server that counts as legacy
    is the business of the caller, which knows the transport."""
    match chosen.outcome:
        case versions.Use(version):
            return decide(Resend(version) if again else Proceed(Era.MODERN, version), *chosen.because)
        case versions.Initialize(version):
            return decide(Initialize(version), *chosen.because)
        case versions.NoCommonVersion():
            return decide(Report(Reason.NO_COMMON_VERSION), *chosen.because)
        case versions.Defective() | versions.LegacyServer():
            return decide(Report(Reason.DEFECTIVE_ANSWER), *chosen.because)


def is_call(message: Json) -> bool:
    """Whether a message is a request or a notification."""
    return is_object(message) and is_string(message.get("method", ABSENT))


def is_response(message: Json | Absent) -> TypeGuard[JsonObject]:
    """Whether a message is a response, however faulty: it has an error or a result, and no method."""
    return is_object(message) and not is_call(message) and (message.get("error") is not None or "result" in message)


def error_of(response: JsonObject) -> Json | Absent:
    """The error of a response, ABSENT where it has a result."""
    error = response.get("error")
    return ABSENT if error is None else error


def no_message(profile: Profile) -> Decision[Step]:
    """What follows a line that is no message."""
    match profile[LineWithoutMessage]:
        case LineWithoutMessage.IGNORE_LINE:
            return decide(Wait(), "stdio.probe.timeout-legacy")
        case LineWithoutMessage.TRANSPORT_FAILURE:
            return decide(Report(Reason.TRANSPORT_FAILURE), "stdio.stdout.only-messages")


# --- the answer to initialize ----------------------------------------------------------------------------------------


class Handshake(msgspec.Struct, frozen=True, omit_defaults=True):
    """What led to initialize: whether the legacy era was `remembered` instead of detected, whether an answer to
    initialize made the client probe again before (`reprobed`), and over HTTP whether it also speaks HTTP+SSE."""

    remembered: bool = False
    reprobed: bool = False
    old_transport: bool = False


DETECTED: Final = Handshake()


# Until initialize is answered the client sends no other request, so without an answer there is nothing that it can do.
NO_ANSWER: Final = ("legacy.init.client-only-pings-before-result",)


def initialize_answered(
    client: Client, request: Sent, answer: JsonObject, handshake: Handshake, status: int | Absent = ABSENT
) -> Decision[Step]:
    """What a response to initialize means; `status` is that of the HTTP response, left out on stdio."""
    transport = Transport.STDIO if status is ABSENT else Transport.HTTP
    error = error_of(answer)
    if error is ABSENT:
        return _negotiated(client, answer["result"], transport, handshake)
    code = member(error, "code")
    recognized = recognized_modern_error(transport, request.method, client.profile, code, status)
    if not recognized.outcome:
        return handshake_failed(client, Reason.HANDSHAKE_REFUSED, handshake, status=status)
    if not client.modern:
        return decide(Report(Reason.HANDSHAKE_REFUSED), "interop.matrix.legacy-modern", "legacy.error.version-mismatch")
    if handshake.reprobed:
        return decide(Report(Reason.HANDSHAKE_REFUSED), "interop.cache.reprobe", "interop.detect.modern-error")
    return _modern_after_all(client, request, error, status)


def _negotiated(client: Client, result: Json, transport: Transport, handshake: Handshake) -> Decision[Step]:
    accepted = versions.accept(client.speaks, client.profile, member(result, "protocolVersion"))
    if isinstance(accepted.outcome, versions.Disconnect):
        return decide(Disconnect(), *accepted.because)
    fell_back = transport is Transport.HTTP and client.is_dual_era and not handshake.remembered
    stays = ("http.compat.stay-legacy-after-fallback",) if fell_back else ()
    return decide(Proceed(Era.LEGACY, accepted.outcome.version), *accepted.because, *stays)


def _modern_after_all(client: Client, request: Sent, error: Json, status: int | Absent) -> Decision[Step]:
    """A modern error in answer to initialize: the server is modern, so the client finds it out (again)."""
    if member(error, "code") != UNSUPPORTED_VERSION:
        preferred = client.preferred
        if preferred is None:
            return decide(Report(Reason.NO_COMMON_VERSION), "versioning.retry.no-mutual-error", _IS_MODERN)
        return _detected_again(preferred, client, status, "interop.cache.reprobe", _IS_MODERN)
    chosen = client.after_refusal(request.version, error)
    if isinstance(chosen.outcome, versions.Use):
        because = (*chosen.because, "interop.cache.reprobe", _IS_MODERN)
        return _detected_again(chosen.outcome.version, client, status, *because)
    if isinstance(chosen.outcome, versions.LegacyServer):
        return decide(Report(Reason.HANDSHAKE_REFUSED), *chosen.because)
    return selected(chosen).also(_IS_MODERN)


_IS_MODERN: Final = "interop.detect.modern-error"


def _detected_again(version: str, client: Client, status: int | Absent, *because: str) -> Decision[Step]:
    """The request that finds the era out again on the same connection."""
    if status is not ABSENT:
        return http_opening(version, client.profile, *because)
    return decide(Probe(version), *because)


def handshake_failed(
    client: Client, otherwise: Reason, handshake: Handshake, *, status: int | Absent = ABSENT, gone: bool = False
) -> Decision[Step]:
    """initialize brought no session. Where the legacy era was only remembered, it is dropped and detected again.
    `status` is that of the HTTP response, left out on stdio, where `gone` says that the process exited."""
    preferred = client.preferred
    if handshake.remembered and preferred is not None:
        if gone:
            return decide(Probe(preferred, fresh_process=True), "stdio.restart.client", "interop.cache.reprobe")
        return _detected_again(preferred, client, status, "interop.cache.reprobe")
    if otherwise is Reason.TRANSPORT_FAILURE:
        return decide(Report(otherwise), *NO_ANSWER)
    return decide(Report(otherwise), "legacy.error.version-mismatch")
