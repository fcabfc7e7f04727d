"""How a client comes to speak with a server: a machine without I/O, built from the rules of the eras.

Time is an argument, in milliseconds on the client's own clock. How to drive it:

    negotiation = Negotiation(Settings(speaks=["2026-07-28", "2025-11-25"], transport=Transport.STDIO))

    for action in negotiation.start(now): ...                    # carry each action out, in order
    for action in negotiation.receive(event, now): ...           # something came from the server
    for action in negotiation.timer(now): ...                    # the time of the last `SetTimer` has come

Each action says in `because` which requirements asked for it. The last one is `Adopt`, `Report`, `Authorize` or
`Disconnect`; after it the machine does nothing more. `message_of` gives the JSON-RPC message that an action sends.

On stdio the events are `Line`, `Noise`, `Stderr` and `Exit`. Over HTTP they are `Answered` for a POST and `Opened` for
the GET, and once the old transport is in use `Line` for each message of its stream and `Exit` for its end.

The number of messages is bounded by the versions that the client speaks, whatever the server does.
"""

from __future__ import annotations

import enum
from typing import Final, TypeAlias

import msgspec

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.semantics import era as steps
from spec_model.semantics.decision import Decision
from spec_model.semantics.era import (
    DISCOVER,
    Exit,
    Handshake,
    HttpEvent,
    Line,
    Noise,
    Reason,
    Response,
    Sent,
    Stderr,
    StdioEvent,
    Step,
    Stream,
    StreamEvent,
    TimeOut,
    Transport,
    Unreachable,
    opening,
    recognized_modern_error,
)
from spec_model.semantics.era_http import Http, http_initialize, http_request, http_stream
from spec_model.semantics.era_stdio import stdio_initialize, stdio_probe, stdio_request
from spec_model.semantics.errors import UNSUPPORTED_VERSION
from spec_model.semantics.revisions import Era
from spec_model.semantics.versions import initialize_version
from spec_model.wire.urls import resolved
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, member

MAX_REDIRECTS: Final = 5

_INITIALIZE: Final = "initialize"
_CLIENT_INFO: Final[JsonObject] = {"name": "spec-model-client", "version": "1.0.0"}


class Settings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a client brings to a negotiation.

    `speaks` holds its versions, most preferred first. `remembered` is the era that it still relies on (see
    `era.recall-stdio` and `era.recall-http`). `method` is the request that its caller wants, for when the client does
    not probe first. Over HTTP, `credential` says that it presents one, and `old_transport` that it also speaks
    HTTP+SSE.
    """

    speaks: list[str]
    transport: Transport
    remembered: Era | None = None
    method: str = "tools/list"
    url: str = ""
    credential: bool = False
    old_transport: bool = False
    probe_timeout_ms: int = 10_000
    handshake_timeout_ms: int = 30_000


# --- what happens to a client ---------------------------------------------------------------------------------------


class Answered(msgspec.Struct, frozen=True, tag_field="event", tag="answered"):
    """The POST of request `to` was answered, or could not be sent."""

    to: int
    answer: Response | Unreachable


class Opened(msgspec.Struct, frozen=True, tag_field="event", tag="opened"):
    """The GET was answered, or could not be sent."""

    answer: Stream | Unreachable


Event: TypeAlias = Line | Noise | Stderr | Exit | Answered | Opened


# --- what a client does ---------------------------------------------------------------------------------------------


class _Action(msgspec.Struct, frozen=True, kw_only=True, tag_field="action", omit_defaults=True):
    """Base of the actions."""

    because: tuple[str, ...] = ()


class SendDiscover(_Action, frozen=True, kw_only=True, tag="send-discover"):
    """server/discover is sent with this id and names `version`."""

    id: int
    version: str


class SendRequest(_Action, frozen=True, kw_only=True, tag="send-request"):
    """The caller's request is sent with this id and names `version`."""

    id: int
    version: str
    method: str


class SendInitialize(_Action, frozen=True, kw_only=True, tag="send-initialize"):
    """initialize is sent with this id and names `version`."""

    id: int
    version: str


class SendInitialized(_Action, frozen=True, kw_only=True, tag="send-initialized"):
    """notifications/initialized is sent."""


class SendCancelled(_Action, frozen=True, kw_only=True, tag="send-cancelled"):
    """notifications/cancelled is sent for request `request_id`."""

    request_id: int


class Repeat(_Action, frozen=True, kw_only=True, tag="repeat"):
    """The POST of request `id` goes to `url` as it is, with the credential or without; so do those that follow."""

    id: int
    url: str
    credential: bool


class OpenStream(_Action, frozen=True, kw_only=True, tag="open-stream"):
    """A GET to the URL of the server opens a stream."""


class UseOldTransport(_Action, frozen=True, kw_only=True, tag="use-old-transport"):
    """What follows is posted to `url` by the rules of HTTP+SSE and answered on the stream."""

    url: str


class Respawn(_Action, frozen=True, kw_only=True, tag="respawn"):
    """A fresh server process is started."""


class SetTimer(_Action, frozen=True, kw_only=True, tag="set-timer"):
    """`timer` is to be called at `at`; an earlier timer is void."""

    at: int


class Adopt(_Action, frozen=True, kw_only=True, tag="adopt"):
    """The negotiation succeeded: the client speaks `version` from now on and stores `era`, which is null where a call
    succeeded without a sign of the era."""

    era: Era | None
    version: str


class Report(_Action, frozen=True, kw_only=True, tag="report"):
    """The negotiation failed, and the user is told why. `era` is what is known about the server all the same."""

    reason: Reason
    era: Era | None = None


class Authorize(_Action, frozen=True, kw_only=True, tag="authorize"):
    """The authorization flow takes over; a negotiation with its credential may follow."""


class Disconnect(_Action, frozen=True, kw_only=True, tag="disconnect"):
    """The connection is given up, for the handshake ended in a version that the client cannot use."""


Action: TypeAlias = (
    SendDiscover
    | SendRequest
    | SendInitialize
    | SendInitialized
    | SendCancelled
    | Repeat
    | OpenStream
    | UseOldTransport
    | Respawn
    | SetTimer
    | Adopt
    | Report
    | Authorize
    | Disconnect
)


class Awaited(enum.Enum):
    """What a client waits for: a message on a channel, the answer to a POST, or the answer to a GET."""

    MESSAGE = "message"
    POST = "post"
    GET = "get"


class _Phase(enum.Enum):
    """Which answer the client waits for."""

    NOT_STARTED = "not-started"
    PROBING = "probing"
    REQUESTING = "requesting"
    INITIALIZING = "initializing"
    STREAMING = "streaming"
    OLD_TRANSPORT = "old-transport"
    DONE = "done"


_WAITING: Final = {DISCOVER: _Phase.PROBING, _INITIALIZE: _Phase.INITIALIZING}


class Negotiation:
    """One negotiation of one client with one server. The ids of its requests follow `last_id`."""

    def __init__(self, settings: Settings, profile: Profile = DEFAULT_PROFILE, last_id: int = 0) -> None:
        self._settings = settings
        self._profile = profile
        self._phase = _Phase.NOT_STARTED
        self._number = last_id
        self._sent = Sent(0, "")
        self._abandoned: Sent | None = None
        self._refused: list[str] = []
        self._deadline: int | None = None
        self._remembered = settings.remembered
        self._reprobed = False
        self._identified = False
        self._restarted = False
        self._exits = 0
        self._initialize_refused = False
        self._stream_tried = False
        self._refused_with = 0
        self._urls = [settings.url]
        self._credential = settings.credential
        self._decision: Decision[Step] | None = None

    @property
    def decision(self) -> Decision[Step] | None:
        """The last decision, also where it was to go on waiting; None before the start."""
        return self._decision

    @property
    def done(self) -> bool:
        """Whether the negotiation is over."""
        return self._phase is _Phase.DONE

    @property
    def refused(self) -> tuple[str, ...]:
        """The versions that the server refused so far."""
        return tuple(self._refused)

    @property
    def waits_for(self) -> Awaited | None:
        """What the client waits for, None before the start and after the end."""
        if self._phase in (_Phase.NOT_STARTED, _Phase.DONE):
            return None
        if self._phase is _Phase.STREAMING:
            return Awaited.GET
        if self._phase is _Phase.OLD_TRANSPORT or self._settings.transport is Transport.STDIO:
            return Awaited.MESSAGE
        return Awaited.POST

    @property
    def outstanding(self) -> Sent | None:
        """The request that waits for its answer, None where none does."""
        return self._sent if self.waits_for in (Awaited.MESSAGE, Awaited.POST) else None

    def start(self, now: int) -> list[Action]:
        """The first message, or what keeps the client from sending one."""
        if self._phase is not _Phase.NOT_STARTED:
            raise RuntimeError("a negotiation starts once")
        settings = self._settings
        remembered = ABSENT if settings.remembered is None else settings.remembered
        first = opening(settings.speaks, settings.transport, self._profile, remembered)
        return self._carry_out(first, now)

    def receive(self, event: Event, now: int) -> list[Action]:
        """What the client does now that `event` happened; nothing where it does not concern the negotiation."""
        match event:
            case Answered(to, answer):
                decision = self._http(answer) if to == self._number else None
                answered: StdioEvent | HttpEvent | StreamEvent = answer
            case Opened(answered):
                decision = self._stream(answered)
            case Line() | Noise() | Stderr() | Exit():
                decision, answered = self._messages(event), event
        return [] if decision is None else self._after(decision, answered, now)

    def timer(self, now: int) -> list[Action]:
        """What the client does where its waiting time is over at `now`."""
        if self._deadline is None or now < self._deadline:
            return []
        over = TimeOut()
        for decide_by in (self._messages, self._stream, self._http):
            decision = decide_by(over)
            if decision is not None:
                return self._after(decision, over, now)
        return []

    # --- which rule decides ---

    def _messages(self, event: StdioEvent) -> Decision[Step] | None:
        """The decision on an event of a channel on which answers are told apart by their ids."""
        speaks, refused, profile = self._settings.speaks, self._refused, self._profile
        if self._phase is _Phase.OLD_TRANSPORT:
            # The end of the stream is no exit of a process that could be started again.
            return stdio_initialize(
                speaks, self._sent, event, profile, refused, Handshake(reprobed=True), exits_before=1
            )
        if self._settings.transport is Transport.HTTP:
            return None
        match self._phase:
            case _Phase.PROBING:
                return stdio_probe(speaks, self._sent, event, profile, refused, self._exits, self._identified)
            case _Phase.REQUESTING:
                remembered = self._remembered is not None
                return stdio_request(speaks, self._sent, event, profile, refused, remembered)
            case _Phase.INITIALIZING:
                abandoned = ABSENT if self._abandoned is None else self._abandoned
                return stdio_initialize(
                    speaks, self._sent, event, profile, refused, self._handshake(), abandoned, self._exits
                )
            case _:
                return None

    def _http(self, event: HttpEvent) -> Decision[Step] | None:
        if self._settings.transport is Transport.STDIO:
            return None
        speaks, refused, profile = self._settings.speaks, self._refused, self._profile
        match self._phase:
            case _Phase.PROBING | _Phase.REQUESTING:
                http = Http(self._urls[-1], self._credential, self._may_open_stream(), self._identified)
                return http_request(speaks, self._sent, event, profile, refused, http)
            case _Phase.INITIALIZING:
                http = Http(self._urls[-1], self._credential)
                return http_initialize(speaks, self._sent, event, profile, refused, self._handshake(), http)
            case _:
                return None

    def _stream(self, event: StreamEvent) -> Decision[Step] | None:
        if self._phase is not _Phase.STREAMING:
            return None
        before, status = self._initialize_refused, self._refused_with
        return http_stream(self._settings.speaks, event, before, self._profile, self._refused, status)

    def _handshake(self) -> Handshake:
        return Handshake(
            remembered=self._remembered is not None,
            reprobed=self._reprobed,
            old_transport=self._may_open_stream(),
        )

    def _may_open_stream(self) -> bool:
        return self._settings.old_transport and not self._stream_tried

    # --- what follows ---

    def _after(self, decision: Decision[Step], event: StdioEvent | HttpEvent | StreamEvent, now: int) -> list[Action]:
        if not isinstance(decision.outcome, steps.Wait):
            self._learn(event)
        return self._carry_out(decision, now)

    def _learn(self, event: StdioEvent | HttpEvent | StreamEvent) -> None:
        """Notes the status of a response, what a recognized modern error says about the server, and an exit."""
        status = event.status if isinstance(event, Response) else ABSENT
        self._refused_with = event.status if isinstance(event, Response) else 0
        self._exits += isinstance(event, Exit)
        for code in _codes_in(event):
            method, transport = self._sent.method, self._settings.transport
            if recognized_modern_error(transport, method, self._profile, code, status).outcome:
                self._identified = True
            if code == UNSUPPORTED_VERSION and self._sent.version not in self._refused:
                self._refused.append(self._sent.version)

    def _carry_out(self, decision: Decision[Step], now: int) -> list[Action]:
        self._decision = decision
        because = decision.because
        match decision.outcome:
            case steps.Wait():
                return []
            case steps.Resend(version):
                return self._send(self._sent.method, version, because, now)
            case steps.Probe(version, fresh_process):
                return self._probe(version, fresh_process, because, now)
            case steps.Request(version):
                self._detects_again()
                return self._send(self._settings.method, version, because, now)
            case steps.Restart():
                return self._restart(because, now)
            case steps.Initialize() as step:
                return self._initialize(step, because, now)
            case steps.OpenStream():
                return self._open_stream(because, now)
            case steps.UseOldTransport(endpoint):
                return self._use_old_transport(endpoint, because, now)
            case steps.Follow(url, credential):
                return self._follow(url, credential, because, now)
            case _:
                return self._end(decision)

    def _end(self, decision: Decision[Step]) -> list[Action]:
        self._phase = _Phase.DONE
        because = decision.because
        match decision.outcome:
            case steps.Proceed(Era.LEGACY, version):
                return [SendInitialized(because=because), Adopt(era=Era.LEGACY, version=version, because=because)]
            case steps.Proceed(found, version):
                return [Adopt(era=found, version=version, because=because)]
            case steps.UseResult():
                return [Adopt(era=None, version=self._sent.version, because=because)]
            case steps.CorrectRequest():
                return [Report(reason=Reason.REQUEST_REFUSED, era=Era.MODERN, because=because)]
            case steps.Authorize():
                return [Authorize(because=because)]
            case steps.Disconnect():
                return [Disconnect(because=because)]
            case steps.Report(reason):
                return [Report(reason=reason, era=_KNOWN.get(reason), because=because)]
            case other:
                raise AssertionError(f"{other} does not end a negotiation")

    def _send(self, method: str, version: str, because: tuple[str, ...], now: int) -> list[Action]:
        """Sends a request, and waits for its answer."""
        self._number += 1
        self._sent = Sent(self._number, version, method)
        self._phase = _WAITING.get(method, _Phase.REQUESTING)
        return [self._request(because), self._timer(because, now)]

    def _request(self, because: tuple[str, ...]) -> Action:
        number, version, method = self._number, self._sent.version, self._sent.method
        match method:
            case "server/discover":
                return SendDiscover(id=number, version=version, because=because)
            case "initialize":
                return SendInitialize(id=number, version=version, because=because)
            case _:
                return SendRequest(id=number, version=version, method=method, because=because)

    def _timer(self, because: tuple[str, ...], now: int) -> SetTimer:
        handshake = self._sent.method == _INITIALIZE
        self._deadline = now + (self._settings.handshake_timeout_ms if handshake else self._settings.probe_timeout_ms)
        return SetTimer(at=self._deadline, because=because)

    def _probe(self, version: str, fresh_process: bool, because: tuple[str, ...], now: int) -> list[Action]:
        self._detects_again()
        self._remembered = None
        respawn: list[Action] = [Respawn(because=because)] if fresh_process else []
        return [*respawn, *self._send(DISCOVER, version, because, now)]

    def _detects_again(self) -> None:
        if self._phase is _Phase.INITIALIZING:
            self._reprobed = True
            self._remembered = None

    def _restart(self, because: tuple[str, ...], now: int) -> list[Action]:
        if self._restarted:
            self._phase = _Phase.DONE
            return [Report(reason=Reason.TRANSPORT_FAILURE, because=because)]
        self._restarted = True
        return [Respawn(because=because), *self._send(self._sent.method, self._sent.version, because, now)]

    def _initialize(self, step: steps.Initialize, because: tuple[str, ...], now: int) -> list[Action]:
        before: list[Action] = []
        if step.fresh_process:
            before.append(Respawn(because=because))
        elif self._phase is _Phase.PROBING:
            self._abandoned = self._sent
        if step.cancels_probe:
            before.append(SendCancelled(request_id=self._number, because=because))
        return [*before, *self._send(_INITIALIZE, step.version, because, now)]

    def _open_stream(self, because: tuple[str, ...], now: int) -> list[Action]:
        self._initialize_refused = self._phase is _Phase.INITIALIZING
        self._stream_tried = True
        self._phase = _Phase.STREAMING
        return [OpenStream(because=because), self._timer(because, now)]

    def _use_old_transport(self, endpoint: str, because: tuple[str, ...], now: int) -> list[Action]:
        named = initialize_version(self._settings.speaks, self._profile)
        assert named is not None
        sent = self._send(_INITIALIZE, named, because, now)
        self._phase = _Phase.OLD_TRANSPORT
        return [UseOldTransport(url=resolved(self._urls[-1], endpoint), because=because), *sent]

    def _follow(self, url: str, credential: bool, because: tuple[str, ...], now: int) -> list[Action]:
        if url in self._urls or len(self._urls) > MAX_REDIRECTS:
            self._phase = _Phase.DONE
            return [Report(reason=Reason.TRANSPORT_FAILURE, because=because)]
        self._urls.append(url)
        self._credential = credential
        repeated = Repeat(id=self._number, url=url, credential=credential, because=because)
        return [repeated, self._timer(because, now)]


_KNOWN: Final = {
    Reason.NO_COMMON_VERSION: Era.MODERN,
    Reason.DEFECTIVE_ANSWER: Era.MODERN,
    Reason.LEGACY_SERVER: Era.LEGACY,
}


def _codes_in(event: StdioEvent | HttpEvent | StreamEvent) -> list[Json | Absent]:
    """The codes of the errors in an answer that decided something."""
    match event:
        case Line(message):
            return [member(message, "error", "code")]
        case Response(body=body, messages=messages):
            return [member(one, "error", "code") for one in ([body] if messages is ABSENT else messages)]
        case _:
            return []


def message_of(action: Action, *, params: JsonObject | None = None) -> JsonObject | None:
    """The JSON-RPC message that an action sends, None where it sends none. `params` are those of the caller's request,
    without `_meta`."""
    match action:
        case SendDiscover(id=number, version=version):
            return _modern(number, DISCOVER, version, {})
        case SendRequest(id=number, version=version, method=method):
            return _modern(number, method, version, params or {})
        case SendInitialize(id=number, version=version):
            opened: JsonObject = {"protocolVersion": version, "capabilities": {}, "clientInfo": _CLIENT_INFO}
            return {"jsonrpc": "2.0", "id": number, "method": _INITIALIZE, "params": opened}
        case SendInitialized():
            return {"jsonrpc": "2.0", "method": "notifications/initialized"}
        case SendCancelled(request_id=number):
            return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
        case _:
            return None


def _modern(number: int, method: str, version: str, params: JsonObject) -> JsonObject:
    meta: Json = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": _CLIENT_INFO,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": meta}}
