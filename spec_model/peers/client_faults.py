"""Faulty clients: the reference client with one thing wrong, each by a name.

A fault says which requirements it breaks. The scenarios are tested with them: one that claims to show a requirement is
failed by a fault that breaks it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec

from spec_model.peers import negotiation as era
from spec_model.peers.cache import Fetch, Hit
from spec_model.peers.client import ACCEPT, SESSION, Call, Outstanding, Purpose, ReferenceClient, RequestId, Session
from spec_model.peers.client_wire import (
    Answered,
    ClientSettings,
    Effect,
    Event,
    Get,
    Kill,
    Post,
    StreamEvent,
    Terminate,
    Write,
)
from spec_model.peers.negotiation import Negotiation
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.semantics import pagination, restart
from spec_model.semantics.caching import CacheableMethod
from spec_model.semantics.decision import Decision
from spec_model.semantics.era import Response, Transport
from spec_model.semantics.meta_keys import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, SERVER_INFO
from spec_model.semantics.pagination import Continue, End, Invalid
from spec_model.semantics.revisions import Era, of_era
from spec_model.semantics.stdio import LISTEN, ShutdownStep
from spec_model.wire.json import encode, pretty
from spec_model.wire.urls import resolved
from spec_model.wire.values import ABSENT, Json, JsonObject, is_integer, is_object, is_string, member


@dataclass(frozen=True)
class ClientFault:
    """One thing that a client does wrong: `what` in one line, and the requirements that it `breaks`."""

    name: str
    what: str
    breaks: tuple[str, ...]
    client_type: type[ReferenceClient]

    def client(self, settings: ClientSettings, profile: Profile = DEFAULT_PROFILE) -> ReferenceClient:
        """A client with this fault."""
        return self.client_type(settings, profile)


CLIENT_FAULTS: dict[str, ClientFault] = {}

C = TypeVar("C", bound=type[ReferenceClient])


def _fault(name: str, *breaks: str) -> Callable[[C], C]:
    def register(client_type: C) -> C:
        CLIENT_FAULTS[name] = ClientFault(name, (client_type.__doc__ or "").strip(), breaks, client_type)
        return client_type

    return register


def client_faults_of(requirement: str) -> Iterator[ClientFault]:
    """The faults that break a requirement."""
    return (fault for fault in CLIENT_FAULTS.values() if requirement in fault.breaks)


# --- requests ---------------------------------------------------------------------------------------------------------


@_fault("idle")
class _Idle(ReferenceClient):
    """Does nothing at all."""

    def call(self, name: str, op: str, args: JsonObject, now: int) -> list[Effect]:
        return []


@_fault("one-id", "base.request.id-unique-outstanding", "stdio.receive.shared-channel")
class _OneId(ReferenceClient):
    """Gives every request but the first the same id."""

    def next_id(self) -> RequestId:
        self._last_id += 1
        return min(self._last_id, 2)


@_fault("no-version", "meta.request.protocol-version")
class _NoVersion(ReferenceClient):
    """Leaves the version out of the metadata."""

    def meta(self, version: str) -> JsonObject:
        return _without(super().meta(version), PROTOCOL_VERSION)


@_fault("no-capabilities", "meta.request.client-capabilities")
class _NoCapabilities(ReferenceClient):
    """Leaves its capabilities out of the metadata."""

    def meta(self, version: str) -> JsonObject:
        return _without(super().meta(version), CLIENT_CAPABILITIES)


@_fault("capabilities-once", "meta.request.client-capabilities", "transport.metadata.in-body")
class _CapabilitiesOnce(ReferenceClient):
    """Declares its capabilities with the first request alone."""

    declared = False

    def meta(self, version: str) -> JsonObject:
        meta = super().meta(version)
        if self.declared:
            return _without(meta, CLIENT_CAPABILITIES)
        self.declared = True
        return meta


@_fault("no-client-info", "meta.request.client-info-sent")
class _NoClientInfo(ReferenceClient):
    """Does not say who it is."""

    def meta(self, version: str) -> JsonObject:
        return _without(super().meta(version), CLIENT_INFO)


@_fault(
    "metadata-in-headers",
    "transport.metadata.in-body",
    "meta.request.protocol-version",
    "meta.request.client-capabilities",
)
class _MetadataInHeaders(ReferenceClient):
    """Has its metadata in headers, or nowhere, and not in the body."""

    def with_meta(self, call: Call, params: JsonObject, version: str) -> JsonObject:
        return params


@_fault("no-log-level", "logging.request.opt-in")
class _NoLogLevel(ReferenceClient):
    """Does not put the wanted log level into the request."""

    def with_meta(self, call: Call, params: JsonObject, version: str) -> JsonObject:
        whole = super().with_meta(call, params, version)
        meta = whole["_meta"]
        assert is_object(meta)
        return {**whole, "_meta": _without(meta, LOG_LEVEL)}


def _without(value: JsonObject, *names: str) -> JsonObject:
    return {name: one for name, one in value.items() if name not in names}


# --- what comes back --------------------------------------------------------------------------------------------------


@_fault("drops-responses", "transport.delivery.server-responses")
class _DropsResponses(ReferenceClient):
    """Loses every response after the first."""

    def respond(self, sent: Outstanding, message: JsonObject) -> None:
        return


@_fault("swallows-errors", "transport.delivery.server-responses")
class _SwallowsErrors(ReferenceClient):
    """Gives its caller an empty result in place of an error."""

    def respond(self, sent: Outstanding, message: JsonObject) -> None:
        result: JsonObject = {"resultType": "complete"}
        super().respond(sent, {"jsonrpc": "2.0", "id": sent.id, "result": result} if "error" in message else message)


@_fault("first-event", "transport.delivery.server-responses")
class _FirstEvent(ReferenceClient):
    """Takes the first event of a stream for the response."""

    def streamed(self, sent: Outstanding, message: Json) -> None:
        if is_object(message) and not sent.received and "method" in message and sent.call.method != LISTEN:
            self.fail(sent.call, "invalid-result")
            return
        super().streamed(sent, message)

    def receive(self, event: Event, now: int) -> list[Effect]:
        exchange = self._exchanges.get(event.exchange) if isinstance(event, StreamEvent) else None
        if exchange is not None and exchange.purpose == "negotiation" and not exchange.messages:
            assert isinstance(event, StreamEvent)
            exchange.done = True
            head = {"content-type": "application/json"}
            return super().receive(Answered(event.exchange, 200, head, event.data.encode()), now)
        return super().receive(event, now)


@_fault(
    "drops-notifications",
    "transport.delivery.server-notifications",
    "stdio.receive.shared-channel",
    "stdio.restart.resubscribe",
)
class _DropsNotifications(ReferenceClient):
    """Loses every notification but the acknowledgement of a subscription."""

    def notified(self, message: JsonObject, sent: Outstanding | None) -> None:
        if message["method"] == "notifications/subscriptions/acknowledged":
            super().notified(message, sent)


@_fault("oldest-first", "stdio.receive.shared-channel", "stdio.receive.one-per-line")
class _OldestFirst(ReferenceClient):
    """Takes what comes for the oldest request that waits, whatever its id."""

    def message(self, message: Json) -> None:
        waiting = next(iter(self.outstanding.values()), None)
        if self._negotiation is None and waiting is not None and is_object(message) and "method" not in message:
            self.respond(waiting, message)
        else:
            super().message(message)

    def notified(self, message: JsonObject, sent: Outstanding | None) -> None:
        oldest = next(iter(self.outstanding.values()), None)
        super().notified(message, oldest if sent is None else sent)


@_fault("answers-server", "transport.direction.no-client-responses")
class _AnswersServer(ReferenceClient):
    """Answers requests of the server."""

    def requested(self, message: JsonObject) -> None:
        version = None if self.session is None else self.session.version
        self.transmit({"jsonrpc": "2.0", "id": message["id"], "result": {}}, "notification", version)


@_fault("minds-server-name", "meta.identity.server-info-no-behavior")
class _MindsServerName(ReferenceClient):
    """Refuses the results of a server by its name."""

    def deliver(self, call: Call, result: JsonObject) -> None:
        name = member(result, "_meta", SERVER_INFO, "name")
        if is_string(name) and "broken" in name:
            self.fail(call, "invalid-result")
        else:
            super().deliver(call, result)


@_fault("waits-for-completion", "removed.elicitation-complete.learned-by-retry")
class _WaitsForCompletion(ReferenceClient):
    """Waits to be told that the interaction elsewhere has ended."""

    def gather(self, sent: Outstanding, result: JsonObject) -> None:
        return


@_fault("initialized-after-discovery", "removed.notification.initialized")
class _InitializedAfterDiscovery(ReferenceClient):
    """Sends notifications/initialized once it has discovered the server."""

    def _adopt(self, session: Session) -> None:
        if session.era is Era.MODERN:
            self.session = session
            self.notify("notifications/initialized")
        super()._adopt(session)


@_fault("announces-roots", "removed.notification.roots-list-changed")
class _AnnouncesRoots(ReferenceClient):
    """Sends notifications/roots/list_changed once it knows the server."""

    def _adopt(self, session: Session) -> None:
        self.session = session
        self.notify("notifications/roots/list_changed")
        super()._adopt(session)


# --- stdio ------------------------------------------------------------------------------------------------------------


@_fault("no-spawn", "stdio.launch.subprocess")
class _NoSpawn(ReferenceClient):
    """Expects that someone else has started the server."""

    def spawn(self) -> None:
        self._running = True


@_fault("spawns-each-time", "stdio.launch.subprocess")
class _SpawnsEachTime(ReferenceClient):
    """Starts another process for every call."""

    def _proceed(self, call: Call) -> None:
        if self.session is not None:
            self.spawn()
        super()._proceed(call)


@_fault("pretty", "stdio.send.one-per-line", "stdio.stdin.only-messages")
class _Pretty(ReferenceClient):
    """Writes messages over several lines."""

    def framed(self, message: JsonObject) -> bytes:
        return pretty(message) + b"\n"


@_fault("raw-line-breaks", "stdio.send.one-per-line", "stdio.stdin.only-messages")
class _RawLineBreaks(ReferenceClient):
    """Writes the line breaks in a text as they are."""

    def framed(self, message: JsonObject) -> bytes:
        return super().framed(message).replace(b"\\n", b"\n")


@_fault("no-newline", "stdio.send.one-per-line")
class _NoNewline(ReferenceClient):
    """Writes all that it has to say on one line."""

    held = b""

    def framed(self, message: JsonObject) -> bytes:
        self.held += encode(message)
        return self.held + b"\n"


@_fault("byte-order-mark", "stdio.stdin.only-messages")
class _ByteOrderMark(ReferenceClient):
    """Writes a byte order mark before each message."""

    def framed(self, message: JsonObject) -> bytes:
        return b"\xef\xbb\xbf" + super().framed(message)


@_fault("keep-alive", "stdio.stdin.only-messages")
class _KeepAlive(ReferenceClient):
    """Writes an empty line every ten seconds."""

    def _adopt(self, session: Session) -> None:
        super()._adopt(session)
        self._timers["keep-alive"] = self.now + 10_000

    def timer(self, key: str) -> None:
        super().timer(key)
        if key == "keep-alive":
            self.do(Write(b"\n"))
            self._timers[key] = self.now + 10_000


@_fault("one-line-behind", "stdio.receive.one-per-line", "transport.delivery.server-responses")
class _OneLineBehind(ReferenceClient):
    """Reads a line when the next one comes."""

    held: bytes | None = None

    def read_line(self, data: bytes) -> None:
        before, self.held = self.held, data
        if before is not None:
            super().read_line(before)


@_fault("last-line", "stdio.receive.one-per-line")
class _LastLine(ReferenceClient):
    """Reads the first of the lines that come at one time."""

    read_at = -1

    def read_line(self, data: bytes) -> None:
        if self.read_at != self.now:
            self.read_at = self.now
            super().read_line(data)


@_fault("minds-stderr", "stdio.stderr.not-an-error")
class _MindsStderr(ReferenceClient):
    """Takes text on standard error for a failure of the server."""

    def stderr(self, text: str) -> None:
        self._negotiation = None
        self._timers.pop("negotiation", None)
        self.give_up("transport-failure")
        for call in [*self.calls.values()]:
            self.fail(call, "transport-failure")


@_fault("no-cancel", "stdio.cancel.notification", "transport.cancel.http")
class _NoCancel(ReferenceClient):
    """Says nothing to the server when a call is given up."""

    def abandon(self, sent: Outstanding) -> None:
        self._forget(sent)


@_fault("cancels-other", "stdio.cancel.notification", "transport.cancel.http")
class _CancelsOther(ReferenceClient):
    """Cancels another request than the one that was given up."""

    def send_cancelled(self, sent: Outstanding) -> None:
        self.notify("notifications/cancelled", {"requestId": f"{sent.id}"})

    def close_stream(self, exchange: int | None) -> None:
        others = [one for one in self._exchanges if one != exchange]
        if others:
            super().close_stream(others[0])


@_fault("cancel-posts", "transport.cancel.http")
class _CancelPosts(ReferenceClient):
    """POSTs a notification to cancel a request."""

    def close_stream(self, exchange: int | None) -> None:
        if exchange in self._exchanges:
            self.notify("notifications/cancelled", {"requestId": self._exchanges[exchange].request or 0})


@_fault("signals-first", "stdio.shutdown.close-stdin")
class _SignalsFirst(ReferenceClient):
    """Begins a shutdown with the signal."""

    def _shut_down(self, waited: int) -> None:
        self.do(Terminate())


@_fault("kills-at-once", "stdio.shutdown.wait", "stdio.shutdown.close-stdin")
class _KillsAtOnce(ReferenceClient):
    """Kills the server when it has closed its input."""

    def _shut_down(self, waited: int) -> None:
        super()._shut_down(waited)
        self.do(Kill())


@_fault("never-forces", "stdio.shutdown.force", "stdio.shutdown.posix-escalation")
class _NeverForces(ReferenceClient):
    """Waits for the exit of the server for ever."""

    def shutdown_step(self, waited: int, reasonable: int) -> Decision[ShutdownStep]:
        step = super().shutdown_step(waited, reasonable)
        forced = step.outcome in (ShutdownStep.TERMINATE, ShutdownStep.KILL)
        return step.map(lambda _: ShutdownStep.WAIT) if forced else step


@_fault("never-kills", "stdio.shutdown.posix-escalation", "stdio.shutdown.force")
class _NeverKills(ReferenceClient):
    """Signals a server that stays, and leaves it at that."""

    def shutdown_step(self, waited: int, reasonable: int) -> Decision[ShutdownStep]:
        step = super().shutdown_step(waited, reasonable)
        return step.map(lambda _: ShutdownStep.WAIT) if step.outcome is ShutdownStep.KILL else step


@_fault("no-restart", "stdio.restart.client", "stdio.shutdown.server-initiated", "stdio.restart.resubscribe")
class _NoRestart(ReferenceClient):
    """Takes an exit of the server for the end."""

    gone = False

    def _exited(self) -> None:
        self.gone = self._closing is None
        self._negotiation = None
        self.give_up("connection-lost")
        for call in [*self.calls.values()]:
            self.fail(call, "connection-lost")

    def _proceed(self, call: Call) -> None:
        if self.gone:
            self.fail(call, "connection-lost")
        else:
            super()._proceed(call)


@_fault("forgets-lost-calls", "stdio.restart.retry")
class _ForgetsLostCalls(ReferenceClient):
    """Lets the callers of lost requests wait for ever."""

    def after_loss(self, sent: Outstanding) -> restart.AfterLoss:
        self.calls.pop(sent.call.name, None)
        return super().after_loss(sent)


@_fault("no-resubscription", "stdio.restart.resubscribe")
class _NoResubscription(ReferenceClient):
    """Opens no subscription again after a restart."""

    def after_loss(self, sent: Outstanding) -> restart.AfterLoss:
        return restart.AfterLoss.REPORT_LOSS if sent.call.method == LISTEN else super().after_loss(sent)


# --- the era ----------------------------------------------------------------------------------------------------------


class _Opening(ReferenceClient):
    """Goes into the negotiation with other settings."""

    def negotiation(self, settings: era.Settings) -> Negotiation:
        return super().negotiation(self.changed(settings))

    def changed(self, settings: era.Settings) -> era.Settings:
        """The other settings."""
        return settings


@_fault("request-first", "stdio.probe.discover-first", "stdio.probe.fallback-initialize")
class _RequestFirst(_Opening):
    """Sends the request of its caller before it knows the era of the server."""

    def changed(self, settings: era.Settings) -> era.Settings:
        return msgspec.structs.replace(settings, remembered=Era.MODERN)


@_fault(
    "initialize-first",
    "stdio.probe.discover-first",
    "stdio.probe.modern-only-optional",
    "stdio.probe.modern-only-recommended",
    "http.compat.modern-request-first",
    "http.sse2024.client-posts-first",
    "versioning.discover.call-first",
    "discovery.call.optional",
)
class _InitializeFirst(_Opening):
    """Opens with initialize towards every server."""

    def changed(self, settings: era.Settings) -> era.Settings:
        legacy = of_era(settings.speaks, Era.LEGACY) or ["2025-11-25"]
        return msgspec.structs.replace(settings, speaks=legacy, remembered=None)


@_fault("probes-with-oldest", "stdio.probe.preferred-version")
class _ProbesWithOldest(_Opening):
    """Names its least preferred version in the probe."""

    def changed(self, settings: era.Settings) -> era.Settings:
        modern = of_era(settings.speaks, Era.MODERN)
        legacy = of_era(settings.speaks, Era.LEGACY)
        return msgspec.structs.replace(settings, speaks=[*reversed(modern), *legacy])


@_fault(
    "never-falls-back",
    "stdio.probe.fallback-initialize",
    "http.compat.inspect-400-body",
    "http.compat.stay-legacy-after-fallback",
    "http.sse2024.failure-tries-get",
    "http.compat.modern-request-first",
    "http.sse2024.client-takes-either-url",
    "http.sse2024.endpoint-event-selects",
    "legacy.init.client-sends-initialize",
    "legacy.init.client-sends-initialized",
    "legacy.version.client-sends-latest",
)
class _NeverFallsBack(_Opening):
    """Speaks legacy versions, and never does."""

    def changed(self, settings: era.Settings) -> era.Settings:
        modern = of_era(settings.speaks, Era.MODERN) or ["2026-07-28"]
        return msgspec.structs.replace(settings, speaks=modern, remembered=None)


@_fault("falls-back-on-method-not-found", "stdio.probe.fallback-initialize")
class _FallsBackOnMethodNotFound(ReferenceClient):
    """Falls back on error -32601 and on no other."""

    def message(self, message: Json) -> None:
        code = member(message, "error", "code")
        probing = self._negotiation is not None and self._asked_first is None and is_integer(code)
        if probing and code not in (-32601, -32022):
            self._negotiation = None
            self._timers.pop("negotiation", None)
            self.give_up("transport-failure")
        else:
            super().message(message)


@_fault("waits-for-probe", "stdio.probe.fallback-initialize", "stdio.probe.discover-first")
class _WaitsForProbe(ReferenceClient):
    """Waits for the answer to its probe for ever."""

    def act(self, action: era.Action) -> None:
        if not isinstance(action, era.SetTimer):
            super().act(action)


@_fault("goes-on-regardless", "stdio.probe.modern-only-recommended")
class _GoesOnRegardless(ReferenceClient):
    """Sends its request to a server that its probe has shown to be a legacy one."""

    def give_up(self, kind: str, code: int | None = None) -> None:
        self._adopt(Session(Era.MODERN, self.settings.speaks[0]))


@_fault("falls-back-on-400", "http.compat.inspect-400-body")
class _FallsBackOn400(ReferenceClient):
    """Falls back on every 400 without a look at its body."""

    def _negotiate(self, event: era.Event) -> None:
        if isinstance(event, era.Answered) and isinstance(event.answer, Response) and event.answer.status == 400:
            super()._negotiate(era.Answered(event.to, Response(400)))
        else:
            super()._negotiate(event)


@_fault("back-to-modern", "http.compat.stay-legacy-after-fallback")
class _BackToModern(ReferenceClient):
    """Sends later requests by the modern version again."""

    def _ask_legacy(self, call: Call, params: JsonObject) -> None:
        assert self.session is not None
        if self._last_id > _FIRST_LEGACY_REQUEST:
            self.session = Session(Era.MODERN, "2026-07-28")
            self.ask(call, params)
        else:
            super()._ask_legacy(call, params)


_FIRST_LEGACY_REQUEST: Final = 2


@_fault("minds-url", "http.sse2024.client-takes-either-url")
class _MindsUrl(ReferenceClient):
    """Refuses a URL that looks like one of the old transport."""

    def _proceed(self, call: Call) -> None:
        if self.settings.url.endswith("/sse"):
            self.fail(call, "transport-failure")
        else:
            super()._proceed(call)


@_fault("gets-first", "http.sse2024.client-posts-first", "http.compat.modern-request-first")
class _GetsFirst(ReferenceClient):
    """Opens with a GET."""

    def open(self) -> None:
        self.do(Get(0, self._url, {"accept": "text/event-stream"}))
        super().open()


@_fault("posts-without-accept", "http.sse2024.client-posts-first")
class _PostsWithoutAccept(ReferenceClient):
    """Accepts JSON only."""

    def headers(self, message: JsonObject, version: str | None) -> dict[str, str]:
        return {**super().headers(message, version), "accept": ACCEPT.partition(",")[0]}


@_fault("no-get", "http.sse2024.failure-tries-get")
class _NoGet(_Opening):
    """Does not look for the old transport."""

    def changed(self, settings: era.Settings) -> era.Settings:
        return msgspec.structs.replace(settings, old_transport=False)


@_fault("ignores-endpoint", "http.sse2024.endpoint-event-selects")
class _IgnoresEndpoint(ReferenceClient):
    """Keeps to its URL when the endpoint event names another."""

    def act(self, action: era.Action) -> None:
        if not isinstance(action, era.UseOldTransport):
            super().act(action)


@_fault("no-retry", "versioning.discover.inline-allowed")
class _NoRetry(ReferenceClient):
    """Gives its caller the unsupported-version error."""

    def act(self, action: era.Action) -> None:
        retries = isinstance(action, era.SendDiscover | era.SendRequest) and self._refusals() > 0
        if retries:
            self._negotiation = None
            self.give_up("protocol", -32022)
        elif self._negotiation is not None:
            super().act(action)

    def _refusals(self) -> int:
        return 0 if self._negotiation is None else len(self._negotiation.refused)


@_fault("discovers-each-time", "discovery.call.optional")
class _DiscoversEachTime(ReferenceClient):
    """Discovers the server before each request."""

    def _proceed(self, call: Call) -> None:
        if call.method != "server/discover":
            self.session, self._era = None, None
        super()._proceed(call)

    def _recall(self) -> None:
        self.session, self._era = None, None


@_fault("same-id-again", "removed.resumability.reissue-new-id")
class _SameIdAgain(ReferenceClient):
    """Sends a request whose stream broke again under its id."""

    def stream_broke(self, sent: Outstanding) -> None:
        message: JsonObject = {"jsonrpc": "2.0", "id": sent.id, "method": sent.call.method, "params": sent.params}
        sent.exchange = self.transmit(message, "request", sent.version, sent.id)


@_fault("resumes-stream", "removed.resumability.reissue-new-id")
class _ResumesStream(ReferenceClient):
    """Tries to resume a stream that broke."""

    def stream_broke(self, sent: Outstanding) -> None:
        self._last_exchange += 1
        self.do(Get(self._last_exchange, self._url, {"accept": "text/event-stream", "last-event-id": "1"}))


# --- the legacy session -----------------------------------------------------------------------------------------------


@_fault("no-handshake", "legacy.init.client-sends-initialize")
class _NoHandshake(ReferenceClient):
    """Sends legacy requests without a handshake."""

    def open(self) -> None:
        if of_era(self.settings.speaks, Era.MODERN) and self._era is None:
            super().open()
            return
        if self.settings.transport is Transport.STDIO:
            self.spawn()
        self._adopt(Session(Era.LEGACY, "2025-11-25"))

    def opening_request(self, action: era.SendDiscover | era.SendRequest | era.SendInitialize) -> None:
        if isinstance(action, era.SendInitialize):
            self._negotiation = None
            self._adopt(Session(Era.LEGACY, "2025-11-25"))
        else:
            super().opening_request(action)


@_fault("batched-handshake", "legacy.init.not-in-batch")
class _BatchedHandshake(ReferenceClient):
    """Sends initialize in a batch."""

    def framed(self, message: JsonObject) -> bytes:
        return encode([message]) + b"\n" if message.get("method") == "initialize" else super().framed(message)

    def post(self, message: JsonObject, headers: dict[str, str], purpose: Purpose, request: RequestId | None) -> int:
        number = super().post(message, headers, purpose, request)
        if message.get("method") == "initialize":
            self._effects[-1] = Post(number, self._url, headers, encode([message]))
        return number


@_fault("no-initialized", "legacy.init.client-sends-initialized")
class _NoInitialized(ReferenceClient):
    """Does not say that it is initialized."""

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        if method != "notifications/initialized":
            super().notify(method, params)


@_fault("impatient", "legacy.init.client-only-pings-before-result")
class _Impatient(ReferenceClient):
    """Sends requests before initialize is answered."""

    def _proceed(self, call: Call) -> None:
        if self._negotiation is not None and self.session is None:
            self.session = Session(Era.LEGACY, "2025-11-25")
            self.ask(call, call.params)
            self.session = None
        else:
            super()._proceed(call)


@_fault("unsupported-in-handshake", "legacy.version.client-sends-supported", "legacy.version.client-sends-latest")
class _UnsupportedInHandshake(ReferenceClient):
    """Names a version in initialize that it does not support."""

    def initialize_params(self, version: str) -> JsonObject:
        return {**super().initialize_params(version), "protocolVersion": "2024-11-05"}


@_fault("oldest-in-handshake", "legacy.version.client-sends-latest")
class _OldestInHandshake(ReferenceClient):
    """Names its oldest version in initialize."""

    def initialize_params(self, version: str) -> JsonObject:
        return {**super().initialize_params(version), "protocolVersion": min(self.settings.speaks)}


@_fault("any-version", "legacy.version.client-disconnects", "legacy.version.client-must-disconnect")
class _AnyVersion(ReferenceClient):
    """Goes on in whatever version the handshake ends."""

    def act(self, action: era.Action) -> None:
        if isinstance(action, era.Disconnect):
            self._negotiation = None
            self._begin_legacy_session(era.SendInitialized())
            assert self.session is not None
            self._adopt(self.session)
        else:
            super().act(action)


# --- HTTP -------------------------------------------------------------------------------------------------------------


@_fault("no-mirrors", "transport.metadata.http-mirrors")
class _NoMirrors(ReferenceClient):
    """Leaves out the headers that repeat the body."""

    def headers(self, message: JsonObject, version: str | None) -> dict[str, str]:
        headers = super().headers(message, version)
        return {name: value for name, value in headers.items() if name not in ("mcp-method", "mcp-name")}


@_fault("no-version-header", "headers.protocol-version.on-every-post", "transport.metadata.http-mirrors")
class _NoVersionHeader(ReferenceClient):
    """Leaves out the header with the version."""

    def headers(self, message: JsonObject, version: str | None) -> dict[str, str]:
        headers = super().headers(message, version)
        return {name: value for name, value in headers.items() if name != "mcp-protocol-version"}


@_fault("session-header", "http.compat.stay-legacy-after-fallback")
class _SessionHeader(ReferenceClient):
    """Makes up a session id."""

    def headers(self, message: JsonObject, version: str | None) -> dict[str, str]:
        return {SESSION: "none", **super().headers(message, version)}


@_fault("fetches-references", "json-schema.ref.no-network-deref", "json-schema.ref.optin-default-off")
class _FetchesReferences(ReferenceClient):
    """Fetches what the schema of a tool refers to."""

    def deliver(self, call: Call, result: JsonObject) -> None:
        for reference in _references(result):
            self._last_exchange += 1
            self.do(Get(self._last_exchange, reference, {}))
        super().deliver(call, result)


def _references(value: Json) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from _references(one)
    elif is_object(value):
        reference = value.get("$ref", ABSENT)
        if is_string(reference) and reference.startswith("https:"):
            yield reference
        for one in value.values():
            yield from _references(one)


@_fault("icon-with-credential", "icons.security.no-credentials")
class _IconWithCredential(ReferenceClient):
    """Presents its credential for icons, too."""

    def icon_headers(self) -> dict[str, str]:
        return {**super().icon_headers(), "authorization": f"Bearer {self.settings.token}"}


@_fault(
    "follows-icons",
    "icons.security.unsafe-redirect",
    "icons.security.no-scheme-change",
    "icons.security.no-cross-origin-redirect",
)
class _FollowsIcons(ReferenceClient):
    """Follows every redirect of an icon."""

    def follows_icon(self, src: str, location: str) -> bool:
        return resolved(src, location) != src


# --- caching ----------------------------------------------------------------------------------------------------------


@_fault(
    "never-stale",
    "caching.freshness.refetch-when-stale",
    "caching.freshness.lazy-check",
    "caching.page.refetch-by-cursor",
)
class _NeverStale(ReferenceClient):
    """Keeps what it has for ever."""

    def __init__(self, settings: ClientSettings, profile: Profile = DEFAULT_PROFILE) -> None:
        super().__init__(settings, profile)
        self.kept: dict[bytes, JsonObject] = {}
        self.asked: dict[str, bytes] = {}

    def ask(self, call: Call, params: JsonObject) -> None:
        key = encode([call.method, params])
        self.asked[call.name] = key
        if key in self.kept:
            self.deliver(call, self.kept[key])
        else:
            super().ask(call, params)

    def deliver(self, call: Call, result: JsonObject) -> None:
        if call.name in self.asked:
            self.kept[self.asked[call.name]] = result
        super().deliver(call, result)


@_fault("stale-for-a-while", "caching.freshness.refetch-when-stale")
class _ClockOfRequest(ReferenceClient):
    """Looks at freshness by the clock of its last request."""

    seen = 0

    def look_up(self, method: CacheableMethod, params: JsonObject) -> Hit | Fetch:
        now, self.now = self.now, self.seen
        found = super().look_up(method, params)
        self.now = self.seen = now
        return found


@_fault("refreshes-in-background", "caching.poll.not-interval", "caching.freshness.lazy-check")
class _RefreshesInBackground(ReferenceClient):
    """Fetches a list again when its lifetime ends."""

    def _complete(self, sent: Outstanding, result: JsonObject) -> None:
        super()._complete(sent, result)
        lifetime = member(result, "ttlMs")
        if is_integer(lifetime) and lifetime > 0 and sent.call.method == "tools/list":
            self._timers["refresh"] = self.now + int(lifetime)

    def timer(self, key: str) -> None:
        super().timer(key)
        if key == "refresh":
            self._begin("", "tools/list", {})


@_fault("no-trust-in-lifetimes", "caching.notify.ttl-between", "caching.freshness.lazy-check")
class _NoTrustInLifetimes(ReferenceClient):
    """Fetches while what it has is fresh."""

    def look_up(self, method: CacheableMethod, params: JsonObject) -> Hit | Fetch:
        self.cache.clear()
        return super().look_up(method, params)


@_fault("whole-list-again", "caching.page.refetch-by-cursor")
class _WholeListAgain(ReferenceClient):
    """Fetches the list from its beginning when one page is stale."""

    def look_up(self, method: CacheableMethod, params: JsonObject) -> Hit | Fetch:
        found = super().look_up(method, params)
        if isinstance(found, Fetch) and "cursor" in params and self.cache.entries:
            self.cache.clear()
            return super().look_up(method, _without(params, "cursor"))
        return found


@_fault("cached-snapshot", "caching.page.snapshot-refetch")
class _CachedSnapshot(ReferenceClient):
    """Makes a snapshot of what it has."""

    def ask(self, call: Call, params: JsonObject) -> None:
        call.args = _without(call.args, "snapshot")
        super().ask(call, params)


@_fault("no-restart-of-walk", "caching.page.invalid-cursor-restart", "pagination.flow.first-without-cursor")
class _NoRestartOfWalk(ReferenceClient):
    """Gives its caller the error for a cursor that was valid."""

    def _fetch_failed(self, sent: Outstanding, code: int | None) -> None:
        self._forget(sent)
        self.fail(sent.call, "protocol", code)


# --- pagination -------------------------------------------------------------------------------------------------------


class _Walking(ReferenceClient):
    """Walks in another way."""

    def next_page(self, call: Call, result: JsonObject) -> Decision[End | Continue | Invalid]:
        step = super().next_page(call, result)
        cursor = step.outcome.cursor if isinstance(step.outcome, Continue) else None
        return step.map(lambda before: self.instead(call, cursor, before) if is_string(cursor) else before)

    def instead(self, call: Call, cursor: str, step: End | Continue | Invalid) -> End | Continue | Invalid:
        """What it does in place of sending `cursor` back."""
        return step


@_fault(
    "first-page-only",
    "pagination.request.continue",
    "pagination.client.both-flows",
    "pagination.page-size.no-assumption",
)
class _FirstPageOnly(_Walking):
    """Takes the first page for the list."""

    def instead(self, call: Call, cursor: str, step: End | Continue | Invalid) -> End | Continue | Invalid:
        return End()


@_fault("stops-at-short-page", "pagination.page-size.no-assumption")
class _StopsAtShortPage(_Walking):
    """Takes a page that has not two items for the last."""

    def instead(self, call: Call, cursor: str, step: End | Continue | Invalid) -> End | Continue | Invalid:
        name, _ = pagination.PAGINATED[call.method]
        sizes = [len(items) for page in call.pages if isinstance(items := page.get(name), list)]
        return End() if sizes[-1] < max(*sizes, 1) else step


@_fault("ten-pages", "pagination.page-size.no-assumption", "pagination.request.continue")
class _TenPages(_Walking):
    """Gives up after ten pages."""

    def instead(self, call: Call, cursor: str, step: End | Continue | Invalid) -> End | Continue | Invalid:
        return End() if len(call.pages) >= 10 else step


@_fault("null-cursor-first", "pagination.flow.first-without-cursor", "pagination.client.both-flows")
class _NullCursorFirst(ReferenceClient):
    """Sends a cursor with the first request of a walk."""

    def ask(self, call: Call, params: JsonObject) -> None:
        paginated = call.method in pagination.PAGINATED
        super().ask(call, {"cursor": None, **params} if paginated else params)


_OPAQUE: Final = (
    "pagination.cursor.opaque",
    "pagination.cursor.no-format-assumption",
    "pagination.cursor.not-modified",
)


@_fault("needs-cursor", "pagination.client.both-flows")
class _NeedsCursor(ReferenceClient):
    """Refuses a list that is not paginated."""

    def next_page(self, call: Call, result: JsonObject) -> Decision[End | Continue | Invalid]:
        step = super().next_page(call, result)
        return step if "nextCursor" in result or len(call.pages) > 1 else step.map(lambda _: Invalid())


@_fault("drops-empty-cursor", *_OPAQUE, "pagination.request.continue")
class _DropsEmptyCursor(ReferenceClient):
    """Takes an empty cursor for none."""

    def ask(self, call: Call, params: JsonObject) -> None:
        super().ask(call, _without(params, "cursor") if params.get("cursor") == "" else params)


@_fault("ends-at-empty-cursor", "pagination.cursor.opaque", "pagination.cursor.no-format-assumption")
class _EndsAtEmptyCursor(_Walking):
    """Takes an empty cursor for the end."""

    def instead(self, call: Call, cursor: str, step: End | Continue | Invalid) -> End | Continue | Invalid:
        return step if cursor else End()


class _Rewriting(ReferenceClient):
    """Sends other cursors than it got."""

    def ask(self, call: Call, params: JsonObject) -> None:
        cursor = params.get("cursor", ABSENT)
        super().ask(call, {**params, "cursor": self.rewritten(cursor)} if is_string(cursor) else params)

    def rewritten(self, cursor: str) -> Json:
        """What it sends in place of `cursor`."""
        return cursor


@_fault("cursor-as-number", *_OPAQUE)
class _CursorAsNumber(_Rewriting):
    """Reads a cursor as a number where it can."""

    def rewritten(self, cursor: str) -> Json:
        try:
            return int(cursor)
        except ValueError:
            return cursor


@_fault("tidies-cursor", *_OPAQUE)
class _TidiesCursor(_Rewriting):
    """Takes the case and the outer space off a cursor."""

    def rewritten(self, cursor: str) -> Json:
        return cursor.strip().lower()


@_fault("decodes-cursor", *_OPAQUE)
class _DecodesCursor(_Rewriting):
    """Decodes a cursor that looks like Base64."""

    def rewritten(self, cursor: str) -> Json:
        try:
            return base64.b64decode(cursor, validate=True).decode()
        except ValueError:
            return cursor


@_fault("truncates-cursor", *_OPAQUE)
class _TruncatesCursor(_Rewriting):
    """Cuts a cursor off after 255 characters."""

    def rewritten(self, cursor: str) -> Json:
        return cursor[:255]


@_fault("encodes-cursor", "pagination.cursor.not-modified", "pagination.request.continue")
class _EncodesCursor(_Rewriting):
    """Encodes a cursor as if it stood in a URL."""

    def rewritten(self, cursor: str) -> Json:
        return cursor.replace(" ", "%20") or "%00"


@_fault("last-cursor-of-all", "pagination.flow.first-without-cursor")
class _LastCursorOfAll(ReferenceClient):
    """Begins a walk where the last one ended."""

    last: Json = None

    def ask(self, call: Call, params: JsonObject) -> None:
        if "cursor" in params:
            self.last = params["cursor"]
        elif self.last is not None and call.method in pagination.PAGINATED:
            params = {**params, "cursor": self.last}
        super().ask(call, params)
