"""The reference client: what it sends to a server and what its callers get, decided by the rules alone.

Sans-I/O, and time is an argument, in milliseconds on the client's own clock. How to drive it:

    client = ReferenceClient(ClientSettings(speaks=["2026-07-28", "2025-11-25"]))

    for effect in client.call("a", "tools/list", {}, now): ...   # a caller asks for something, under a name of its own
    for effect in client.receive(event, now): ...                # something came from the server
    for effect in client.advance(now): ...                       # `client.due` has come

Each call ends with one `Return` or `Raise` for its name. What a caller can ask for:

    discover, tools/list, prompts/list, resources/list, resources/templates/list, resources/read, prompts/get,
    tools/call  one request with the args as its params; a list takes a `cursor`. `log_level` and `progress` are for
                the metadata, and `token` is a credential of this caller's own
    list-all    the whole list of the method `method`, page by page; with `snapshot` nothing of it comes from the cache
    listen      opens a subscription for `notifications`, and returns what the server agreed to
    received    the notifications that came for the call named `call` so far
    icon        the icon whose address is `src`, of something that this server listed
    cancel      gives up the call named `call`
    close       ends the connection
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

import msgspec

from spec_model.peers import negotiation as era
from spec_model.peers.cache import ClientCache, Failed, Fetch, Hit, Refused, Restart
from spec_model.peers.client_wire import (
    Answered,
    ClientSettings,
    CloseInput,
    CloseStream,
    Effect,
    ErrorOutput,
    Event,
    Exited,
    Get,
    Kill,
    NotSent,
    Output,
    Post,
    Raise,
    Return,
    Spawn,
    StreamEnded,
    StreamEvent,
    StreamOpened,
    Terminate,
    Write,
)
from spec_model.peers.negotiation import Negotiation
from spec_model.peers.tool_headers import KnownTools, header_value
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.semantics import icons, restart, results, versions
from spec_model.semantics.cached_pages import refresh_pages
from spec_model.semantics.caching import (
    Answer,
    Authorization,
    CacheableMethod,
    Caller,
    Gives,
    ToolList,
)
from spec_model.semantics.decision import Decision
from spec_model.semantics.era import (
    Exit,
    Line,
    Noise,
    Response,
    Stderr,
    Stream,
    Transport,
    Unreachable,
    error_of,
)
from spec_model.semantics.errors import UNSUPPORTED_VERSION
from spec_model.semantics.interop import StdioServer, recall_stdio
from spec_model.semantics.meta_keys import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROGRESS_TOKEN, PROTOCOL_VERSION
from spec_model.semantics.pagination import PAGINATED, Continue, End, Invalid, next_page
from spec_model.semantics.removed import StreamEnd, broken_stream
from spec_model.semantics.revisions import Era, of_era
from spec_model.semantics.stdio import (
    LISTEN,
    Answers,
    InFlight,
    OfSubscription,
    ShutdownStep,
    correlate,
    frames,
    shutdown,
)
from spec_model.semantics.transports import Octets
from spec_model.wire.json import decode, encode
from spec_model.wire.messages import MessageKind, kind_of_message
from spec_model.wire.urls import resolved
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_integer, is_object, is_string, member

ACCEPT: Final = "application/json, text/event-stream"
EVENT_STREAM: Final = "text/event-stream"
SESSION: Final = "mcp-session-id"
MAX_ROUNDS: Final = 8
MAX_PAGES: Final = 1000
MAX_RESTARTS: Final = 3

_CLIENT_INFO: Final[JsonObject] = {"name": "spec-model-client", "version": "1.0.0"}
_CACHEABLE: Final = frozenset(get_args(CacheableMethod))
_NAMED_BY: Final[Mapping[str, str]] = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_METHODS: Final[Mapping[str, str]] = {"discover": "server/discover", "listen": LISTEN}
_RESPONSES: Final = frozenset({MessageKind.RESULT, MessageKind.ERROR})
_ACKNOWLEDGED: Final = "notifications/subscriptions/acknowledged"
_IN_META: Final = frozenset({"log_level", "progress"})
_LOCAL: Final = frozenset({"method", "snapshot", "token"})
_LEGACY_METHODS: Final = frozenset(
    {"tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read", "prompts/get"}
    | {"tools/call"}
)

RequestId = int | str


@dataclass(eq=False)
class Call:
    """What a caller asked for, and how far it has come."""

    name: str
    op: str
    method: str
    args: JsonObject
    params: JsonObject
    pages: list[JsonObject] = field(default_factory=list)
    rounds: int = 0
    restarted: bool = False
    then: Call | None = None
    notified: list[Json] = field(default_factory=list)

    @property
    def wants_snapshot(self) -> bool:
        """Whether it needs the whole list as it is at one time."""
        return self.args.get("snapshot") is True


@dataclass(eq=False)
class Outstanding:
    """A request that has no response yet."""

    id: RequestId
    call: Call
    params: JsonObject
    version: str
    fetch: Fetch | None = None
    exchange: int | None = None
    received: list[Json] = field(default_factory=list)
    acknowledged: bool = False


Purpose = Literal["negotiation", "request", "notification", "old-stream", "icon"]


@dataclass
class Exchange:
    """One HTTP request and what came of it so far."""

    purpose: Purpose
    request: RequestId | None = None
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    messages: list[Json] = field(default_factory=list)
    done: bool = False
    icon: tuple[str, str] = ("", "")


@dataclass
class Session:
    """How the client speaks with the server: by which version, and in a legacy session over HTTP under which id."""

    era: Era
    version: str
    session_id: str = ""


class ReferenceClient:
    """One client and one server. Subclasses change single steps."""

    def __init__(self, settings: ClientSettings, profile: Profile = DEFAULT_PROFILE) -> None:
        self.settings = settings
        self.profile = profile
        self.because: dict[str, None] = {}
        self.session: Session | None = None
        self.capabilities: JsonObject = {}
        self.outstanding: dict[RequestId, Outstanding] = {}
        self.calls: dict[str, Call] = {}
        self.tools = KnownTools(profile)
        self.cache = ClientCache(profile, own_lifetime_ms=settings.own_lifetime_ms)
        self.now = 0
        self.token = settings.token
        self._effects: list[Effect] = []
        self._timers: dict[str, int] = {}
        self._waiting: list[Call] = []
        self._refused: list[str] = []
        self._last_id = 0
        self._negotiation: Negotiation | None = None
        self._asked_first: Call | None = None
        self._probe: Fetch | None = None
        self._era = settings.remembered
        self._running = False
        self._process = 0
        self._fruitless = 0
        self._taken: list[Literal["close-input", "terminate"]] = []
        self._closing: str | None = None
        self._url = settings.url
        self._credential = settings.token != ""
        self._exchanges: dict[int, Exchange] = {}
        self._last_exchange = 0
        self._old_stream: int | None = None
        self._last_post: tuple[JsonObject, dict[str, str]] | None = None

    # --- what drives it ------------------------------------------------------------------------------------------

    @property
    def due(self) -> int | None:
        """When `advance` is to be called, None where nothing waits for its time."""
        return min(self._timers.values(), default=None)

    def call(self, name: str, op: str, args: JsonObject, now: int) -> list[Effect]:
        """A caller asks for something; `name` is its own name for this call."""
        self.now = now
        match op:
            case "cancel":
                self.cancel(str(args["call"]))
                self._return(name, {})
            case "received":
                self._return(name, {"notifications": self.received(str(args["call"]))})
            case "close":
                self.close(name)
            case "icon":
                self._show_icon(name, str(args["src"]))
            case _:
                self._begin(name, op, args)
        return self._flush()

    def receive(self, event: Event, now: int) -> list[Effect]:
        """Something came from the server."""
        self.now = now
        match event:
            case Output(data):
                self.read_line(data)
            case ErrorOutput(text):
                self.stderr(text)
            case Exited():
                self._exited()
            case Answered() | StreamOpened() | StreamEvent() | StreamEnded() | NotSent():
                self._http(event)
        return self._flush()

    def advance(self, now: int) -> list[Effect]:
        """The time is `now`; everything that was due happens."""
        self.now = now
        for key, at in sorted(self._timers.items(), key=lambda item: item[1]):
            if at <= now and self._timers.get(key) == at:
                del self._timers[key]
                self.timer(key)
        return self._flush()

    def timer(self, key: str) -> None:
        """A waiting time is over."""
        if key == "negotiation":
            self._negotiate_timer()
        elif key == "shutdown":
            self._shut_down(self._waited())
        elif key.startswith("request "):
            self._timed_out(key.removeprefix("request "))

    def _flush(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects

    def decided(self, decision: Decision[Any]) -> None:
        """Keeps the reasons of a decision."""
        self.because.update(dict.fromkeys(decision.because))

    def do(self, effect: Effect) -> None:
        """One more effect."""
        self._effects.append(effect)

    def received(self, name: str) -> list[Json]:
        """The notifications that came for a call."""
        call = self.calls.get(name)
        return [] if call is None else [*call.notified]

    # --- calls ---------------------------------------------------------------------------------------------------

    def _begin(self, name: str, op: str, args: JsonObject) -> None:
        method = str(args["method"]) if op == "list-all" else _METHODS.get(op, op)
        params = {key: value for key, value in args.items() if key not in _IN_META | _LOCAL}
        call = Call(name, op, method, args, params)
        self.calls[name] = call
        if op == "list-all" and call.wants_snapshot:
            self.decided(refresh_pages([], self.now, snapshot=True))
        self._proceed(call)

    def _proceed(self, call: Call) -> None:
        """Sends the request of a call, or lets it wait until client and server know how they speak."""
        if self.session is not None:
            self.ask(call, call.params)
            return
        self._waiting.append(call)
        if self._negotiation is None:
            self.open()

    def ask(self, call: Call, params: JsonObject) -> None:
        """The caller needs the result of a request with these params: from the cache, or from the server."""
        assert self.session is not None
        self.token = str(call.args.get("token", self.settings.token))
        if self.session.era is Era.LEGACY:
            self._ask_legacy(call, params)
            return
        whole = self.with_meta(call, params, self.session.version)
        if call.method not in _CACHEABLE:
            if not self._needs_tools(call):
                self.send(call, whole, None)
            return
        method = _cacheable(call.method)
        if call.wants_snapshot:
            self.send(call, whole, self.cache.anew(method, whole, self.caller(), _SNAPSHOT))
            return
        match self.look_up(method, whole):
            case Hit(result, decision):
                self.decided(decision)
                self.deliver(call, result)
            case Fetch() as fetch:
                self.decided(fetch.decision)
                self.send(call, whole, fetch)

    def _needs_tools(self, call: Call) -> bool:
        """Whether a tool call has to wait for the list of tools, whose schemas its headers come from."""
        if call.method != "tools/call" or self.settings.transport is Transport.STDIO or call.then is call:
            return False
        source = self.tools.source(self.now)
        self.decided(source)
        if source.outcome is ToolList.USE_HELD:
            return False
        call.then = call
        self.ask(Call("", "list-all", "tools/list", {}, {}, then=call), {})
        return True

    def look_up(self, method: CacheableMethod, params: JsonObject) -> Hit | Fetch:
        """What the cache has for a request."""
        return self.cache.request(method, params, self.caller(), self.now)

    def caller(self) -> Caller:
        """Who asks."""
        token = self.token
        return Caller(authorization=Authorization(token=token) if token else None)

    def _ask_legacy(self, call: Call, params: JsonObject) -> None:
        if call.method in _LEGACY_METHODS:
            meta: JsonObject = {PROGRESS_TOKEN: call.name} if call.args.get("progress") else {}
            self.send(call, {**params, "_meta": meta} if meta else params, None)
        else:
            self.fail(call, "not-in-this-era")

    def deliver(self, call: Call, result: JsonObject) -> None:
        """A complete result came for a call; one that wants the whole list goes on to the next page."""
        if call.op != "list-all":
            self._return(call.name, result)
            return
        call.pages.append(result)
        step = self.next_page(call, result)
        self.decided(step)
        match step.outcome:
            case Continue(cursor) if len(call.pages) < MAX_PAGES:
                self.ask(call, {"cursor": cursor})
            case Continue() | Invalid():
                self.fail(call, "invalid-result")
            case End():
                self._listed(call)

    def _listed(self, call: Call) -> None:
        if call.then is None:
            self._return(call.name, {PAGINATED[call.method][0]: self.whole_list(call)})
        else:
            self.ask(call.then, call.then.params)

    def next_page(self, call: Call, result: JsonObject) -> Decision[End | Continue | Invalid]:
        """Where the walk through a list goes after a page."""
        return next_page(self.profile, result)

    def whole_list(self, call: Call) -> list[Json]:
        """The items of all pages."""
        name, _ = PAGINATED[call.method]
        return [item for page in call.pages for item in _items(page.get(name))]

    def fail(self, call: Call, kind: str, code: int | None = None) -> None:
        """A call ends with an error."""
        if call.then is not None and call.then is not call:
            self.fail(call.then, kind, code)
        elif self.calls.pop(call.name, None) is not None:
            self.do(Raise(call.name, kind, code))

    def _return(self, name: str, value: Json) -> None:
        call = self.calls.get(name)
        if call is not None and call.op != "listen":
            del self.calls[name]
        self.do(Return(name, value))

    # --- requests ------------------------------------------------------------------------------------------------

    def meta(self, version: str) -> JsonObject:
        """The metadata of every request of this revision."""
        return {
            PROTOCOL_VERSION: version,
            CLIENT_INFO: _CLIENT_INFO,
            CLIENT_CAPABILITIES: {**self.settings.capabilities},
        }

    def with_meta(self, call: Call, params: JsonObject, version: str) -> JsonObject:
        """The params of a request of this revision."""
        meta = self.meta(version)
        if is_string(call.args.get("log_level", ABSENT)):
            meta[LOG_LEVEL] = call.args["log_level"]
            self.because.setdefault("logging.request.opt-in")
        if call.args.get("progress"):
            meta[PROGRESS_TOKEN] = call.name
        return {**params, "_meta": meta}

    def next_id(self) -> RequestId:
        """The id of the next request."""
        self._last_id += 1
        return self._last_id

    def send(self, call: Call, params: JsonObject, fetch: Fetch | None) -> Outstanding:
        """Sends a request of a call; `params` are as they go out."""
        assert self.session is not None
        sent = Outstanding(self.next_id(), call, params, self.session.version, fetch)
        self.outstanding[sent.id] = sent
        message: JsonObject = {"jsonrpc": "2.0", "id": sent.id, "method": call.method, "params": params}
        sent.exchange = self.transmit(message, "request", self.session.version, sent.id)
        if call.method == LISTEN:
            self.cache.subscriptions.append(sent.id)
        else:
            self._timers[f"request {sent.id}"] = self.now + self.settings.request_timeout_ms
        return sent

    def _again(self, sent: Outstanding) -> None:
        """The request of a call goes out once more, as a new one, by the version that is in use now."""
        self._forget(sent)
        params = {name: value for name, value in sent.params.items() if name != "_meta"}
        self._proceed_with(sent.call, params)

    def _proceed_with(self, call: Call, params: JsonObject) -> None:
        call.params = params if call.op != "list-all" else call.params
        if self.session is not None:
            self.ask(call, params)
        else:
            self._proceed(call)

    def _forget(self, sent: Outstanding) -> None:
        """A request is no longer waited for."""
        self.outstanding.pop(sent.id, None)
        self._timers.pop(f"request {sent.id}", None)
        self.cache.subscriptions = [one for one in self.cache.subscriptions if one != sent.id]
        if sent.fetch is not None:
            self.cache.cancelled(sent.fetch)

    def respond(self, sent: Outstanding, message: JsonObject) -> None:
        """The response to a request came."""
        self._fruitless = 0
        self.outstanding.pop(sent.id, None)
        self._timers.pop(f"request {sent.id}", None)
        error = error_of(message)
        if error is ABSENT:
            self._result(sent, message["result"])
        else:
            self._error(sent, error)

    def _result(self, sent: Outstanding, result: Json) -> None:
        if sent.call.method == LISTEN:
            self._subscription_over(sent)
            return
        if not is_object(result):
            self._invalid(sent)
            return
        reading = self.read_result(sent, result)
        self.decided(reading)
        match reading.outcome:
            case results.Reading.COMPLETE:
                self._complete(sent, result)
            case results.Reading.INPUT_REQUIRED if results.may_ask(sent.call.method).outcome:
                self._forget(sent)
                self.gather(sent, result)
            case _:
                self._invalid(sent)

    def read_result(self, sent: Outstanding, result: JsonObject) -> Decision[results.Reading]:
        """What a result is taken for."""
        return results.read(sent.version, sent.call.method, result, self.profile)

    def _complete(self, sent: Outstanding, result: JsonObject) -> None:
        if sent.fetch is not None:
            if sent.call.method == "server/discover":
                self._learn(result)
            kept = self.cache.response(sent.fetch, result, self.now)
            self.decided(kept.decision)
            if sent.call.method == "tools/list":
                self.tools.listed(result, self.now, first="cursor" not in sent.params)
            if isinstance(kept, Refused):
                self.fail(sent.call, "invalid-result")
                return
        self.deliver(sent.call, result)

    def _invalid(self, sent: Outstanding) -> None:
        self._forget(sent)
        self.fail(sent.call, "invalid-result")

    def _error(self, sent: Outstanding, error: Json) -> None:
        code = member(error, "code")
        number = int(code) if is_integer(code) else None
        if number == UNSUPPORTED_VERSION and self.session is not None and self.session.era is Era.MODERN:
            self.version_refused(sent, error)
        elif sent.fetch is not None:
            self._fetch_failed(sent, number)
        else:
            if sent.call.method == "tools/call" and number is not None:
                self.cache.tool_failed(number)
            self._forget(sent)
            self.fail(sent.call, "protocol", number)

    def version_refused(self, sent: Outstanding, error: Json) -> None:
        """The server does not implement the version of a request."""
        assert self.session is not None
        if sent.version not in self._refused:
            self._refused.append(sent.version)
        chosen = versions.after_refusal(self.settings.speaks, self._refused, self.profile, member(error, "data"))
        self.decided(chosen)
        match chosen.outcome:
            case versions.Use(version):
                self.session = Session(Era.MODERN, version)
                self._again(sent)
            case versions.Initialize():
                self.session, self._era = None, Era.LEGACY
                self._again(sent)
            case _:
                self._forget(sent)
                self.fail(sent.call, "no-common-version", UNSUPPORTED_VERSION)

    def _fetch_failed(self, sent: Outstanding, code: int | None) -> None:
        """A fetch ended with an error, or with nothing."""
        assert sent.fetch is not None
        outcome = self.cache.failure(sent.fetch, code, self.now)
        self.decided(outcome.decision)
        match outcome:
            case Hit(result):
                self.deliver(sent.call, result)
            case Restart(fetch) if not sent.call.restarted:
                sent.call.restarted = True
                sent.call.pages.clear()
                self.send(sent.call, fetch.params, fetch)
            case Restart(fetch):
                self.cache.cancelled(fetch)
                self.fail(sent.call, "protocol", code)
            case Failed():
                self.fail(sent.call, "connection-lost" if code is None else "protocol", code)

    def gather(self, sent: Outstanding, result: JsonObject) -> None:
        """The server needs input: the same request goes out again with it."""
        call, asked = sent.call, member(result, "inputRequests")
        answers: JsonObject = {}
        for name, request in asked.items() if is_object(asked) else ():
            answer = self.settings.answers.get(str(member(request, "method")), ABSENT)
            if answer is not ABSENT:
                answers[name] = answer
        call.rounds += 1
        if (is_object(asked) and len(answers) < len(asked)) or call.rounds > MAX_ROUNDS:
            self.fail(call, "input-required")
            return
        self.because.setdefault("results.type.input-required")
        kept = {name: value for name, value in call.params.items() if name not in ("inputResponses", "requestState")}
        if is_object(asked):
            kept["inputResponses"] = answers
        state = member(result, "requestState")
        if is_string(state):
            kept["requestState"] = state
        self.ask(call, kept)

    def _timed_out(self, key: str) -> None:
        sent = next((one for one in self.outstanding.values() if str(one.id) == key), None)
        if sent is not None:
            self.abandon(sent)
            if sent.fetch is not None:
                self._fetch_failed(sent, None)
            else:
                self.fail(sent.call, "timeout")

    # --- giving up -----------------------------------------------------------------------------------------------

    def cancel(self, name: str) -> None:
        """The caller gives up a call."""
        call = self.calls.get(name)
        if call is None:
            return
        self._waiting = [one for one in self._waiting if one is not call]
        for sent in [one for one in self.outstanding.values() if call in (one.call, one.call.then)]:
            self.abandon(sent)
        self.fail(call, "cancelled")

    def abandon(self, sent: Outstanding) -> None:
        """The client waits no longer for a response, and says so to the server."""
        self._forget(sent)
        over_http = self.settings.transport is Transport.HTTP and self._old_stream is None
        if over_http and self.session is not None and self.session.era is Era.MODERN:
            self.because.setdefault("transport.cancel.http")
            self.close_stream(sent.exchange)
        else:
            self.because.setdefault("stdio.cancel.notification")
            self.send_cancelled(sent)

    def send_cancelled(self, sent: Outstanding) -> None:
        """Sends the notification that a request is cancelled."""
        self.notify("notifications/cancelled", {"requestId": sent.id})

    def close_stream(self, exchange: int | None) -> None:
        """Closes the response stream of an exchange."""
        if exchange in self._exchanges:
            del self._exchanges[exchange]
            self.do(CloseStream(exchange))

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Sends a notification."""
        message: JsonObject = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        self.transmit(message, "notification", None if self.session is None else self.session.version)

    def close(self, name: str) -> None:
        """The caller is done with the server."""
        self._closing = name
        for call in [*self.calls.values()]:
            self.fail(call, "closed")
        self._waiting.clear()
        self._timers.clear()
        self._negotiation = None
        if self.settings.transport is Transport.HTTP:
            for exchange in [*self._exchanges]:
                self.close_stream(exchange)
            self._return(name, {})
        elif self._running:
            self._shut_down(0)
        else:
            self._return(name, {})

    def _shut_down(self, waited: int) -> None:
        """The next step of the shutdown of the server process."""
        reasonable = self.settings.exit_wait_ms
        step = self.shutdown_step(waited, reasonable)
        self.decided(step)
        match step.outcome:
            case ShutdownStep.CLOSE_INPUT:
                self._taken.append("close-input")
                self.do(CloseInput())
                self._timers["shutdown"] = self.now + reasonable
            case ShutdownStep.TERMINATE:
                self._taken.append("terminate")
                self.do(Terminate())
                self._timers["shutdown"] = self.now + self.settings.terminate_wait_ms
            case ShutdownStep.KILL:
                self.do(Kill())

    def shutdown_step(self, waited: int, reasonable: int) -> Decision[ShutdownStep]:
        """What comes next in a shutdown."""
        return shutdown("posix", self._taken, waited, reasonable, self.profile)

    def _waited(self) -> int:
        last = self._taken[-1]
        return self.settings.exit_wait_ms if last == "close-input" else self.settings.terminate_wait_ms

    # --- the wire ------------------------------------------------------------------------------------------------

    def transmit(
        self, message: JsonObject, purpose: Purpose, version: str | None, request: RequestId | None = None
    ) -> int | None:
        """Sends a message; the number of its exchange over HTTP."""
        if self.settings.transport is Transport.STDIO:
            self.do(Write(self.framed(message)))
            return None
        return self.post(message, self.headers(message, version), purpose, request)

    def framed(self, message: JsonObject) -> bytes:
        """A message on stdio."""
        self.because.setdefault("stdio.send.one-per-line")
        return encode(message) + b"\n"

    def post(self, message: JsonObject, headers: dict[str, str], purpose: Purpose, request: RequestId | None) -> int:
        """POSTs a message."""
        self._last_post = message, headers
        self._last_exchange += 1
        self._exchanges[self._last_exchange] = Exchange(purpose, request)
        self.do(Post(self._last_exchange, self._url, headers, encode(message)))
        return self._last_exchange

    def headers(self, message: JsonObject, version: str | None) -> dict[str, str]:
        """The headers of a POST. The handshake of a legacy session has none of the mirrored ones."""
        headers = {"content-type": "application/json", "accept": ACCEPT}
        if self.token and self._credential:
            headers["authorization"] = f"Bearer {self.token}"
        if version is None or self._old_stream is not None:
            return headers
        headers["mcp-protocol-version"] = version
        if self.session is not None and self.session.era is Era.LEGACY:
            if self.session.session_id:
                headers[SESSION] = self.session.session_id
            return headers
        return {**headers, **_mirrored(message), **self.parameter_headers(message)}

    def parameter_headers(self, message: JsonObject) -> dict[str, str]:
        """The headers that repeat arguments of a tool call."""
        params = member(message, "params")
        return self.tools.headers(params) if message.get("method") == "tools/call" and is_object(params) else {}

    def read_line(self, data: bytes) -> None:
        """A line came from the server's standard output."""
        decoded = decode(data)
        plain = decoded.ok and not decoded.faults and is_object(decoded.value)
        messages = [decoded.value] if plain else self._read_oddity(data)
        if not messages:
            self._negotiate(Noise(data.decode("utf-8", "replace")))
        for message in messages:
            self.message(message)

    def _read_oddity(self, data: bytes) -> list[Json]:
        read = frames(self.profile, [Octets(data + b"\n")])
        self.decided(read)
        return read.outcome

    def stderr(self, text: str) -> None:
        """Text came from the server's standard error: it means nothing."""
        self.because.setdefault("stdio.stderr.not-an-error")
        self._negotiate(Stderr(text))

    def message(self, message: Json) -> None:
        """A message came on the one channel that there is."""
        if not is_object(message):
            return
        kind = kind_of_message(message)
        if self._negotiation is not None and kind in (*_RESPONSES, MessageKind.NEITHER):
            self._negotiate(Line(message))
        elif kind in _RESPONSES:
            self._correlate(message)
        elif kind is MessageKind.NOTIFICATION:
            self.notified(message, None)
        elif kind is MessageKind.REQUEST:
            self.requested(message)

    def _correlate(self, message: JsonObject) -> None:
        waiting = [InFlight(one.id, one.call.method) for one in self.outstanding.values()]
        found = correlate(message, waiting, self.profile)
        self.decided(found)
        if isinstance(found.outcome, Answers):
            self.respond(self.outstanding[_as_id(found.outcome.id)], message)

    def requested(self, message: JsonObject) -> None:
        """The server sent a request. There is none in this revision, and so no answer; in a legacy session there is."""
        if self.session is None or self.session.era is not Era.LEGACY:
            self.because.setdefault("transport.direction.no-client-responses")
            return
        answer: JsonObject = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] == "ping":
            answer["result"] = {}
        else:
            answer["error"] = {"code": -32601, "message": "Method not found"}
        self.transmit(answer, "notification", self.session.version)

    def notified(self, message: JsonObject, sent: Outstanding | None) -> None:
        """A notification came; `sent` is the request on whose stream it came, where there are such streams."""
        stale = self.cache.notified(message)
        if stale.outcome:
            self.decided(stale)
        if sent is None:
            sent = self._related(message)
        if sent is None:
            return
        if message["method"] == _ACKNOWLEDGED and not sent.acknowledged:
            sent.acknowledged = True
            self._return(sent.call.name, {"notifications": _value(member(message, "params", "notifications"))})
        else:
            sent.call.notified.append(message)

    def _related(self, message: JsonObject) -> Outstanding | None:
        """The request that a notification belongs to, on a channel that all share."""
        waiting = [InFlight(one.id, one.call.method) for one in self.outstanding.values()]
        found = correlate(message, waiting, self.profile)
        if isinstance(found.outcome, OfSubscription):
            self.decided(found)
            return self.outstanding.get(_as_id(found.outcome.id))
        token = member(message, "params", "progressToken")
        return next((one for one in self.outstanding.values() if one.call.name == token), None)

    def _subscription_over(self, sent: Outstanding) -> None:
        self.cache.subscriptions = [one for one in self.cache.subscriptions if one != sent.id]
        self.calls.pop(sent.call.name, None)

    # --- the process ---------------------------------------------------------------------------------------------

    def spawn(self) -> None:
        """Starts the server process."""
        self._running = True
        self._process += 1
        self.because.setdefault("stdio.launch.subprocess")
        self.do(Spawn())

    def _exited(self) -> None:
        self._running = False
        if self._closing is not None:
            self._timers.pop("shutdown", None)
            self._return(self._closing, {})
        elif self._negotiation is not None:
            self._negotiate(Exit())
        else:
            self.unexpected_exit()

    def unexpected_exit(self) -> None:
        """The server process is gone, and nobody asked for that: what was in flight is lost, a fresh one is started."""
        self._fruitless += 1
        again: list[Call] = []
        for sent in [*self.outstanding.values()]:
            self._forget(sent)
            if self.after_loss(sent) is restart.AfterLoss.SEND_AGAIN and self._fruitless <= MAX_RESTARTS:
                again.append(sent.call)
            else:
                self.fail(sent.call, "connection-lost")
        self._recall()
        moment = restart.restart(self.profile, shutting_down=False, to_send=len(again))
        self.decided(moment)
        self._waiting = [*sorted(again, key=lambda call: call.method != LISTEN), *self._waiting]
        if moment.outcome is restart.Restart.AT_ONCE and self._fruitless <= MAX_RESTARTS:
            self.respawn()

    def after_loss(self, sent: Outstanding) -> restart.AfterLoss:
        """What becomes of a request that was in flight when the process exited."""
        decision = restart.lost_request(sent.call.method, self.profile)
        self.decided(decision)
        return decision.outcome

    def _recall(self) -> None:
        """Whether the era of the process that is gone counts for the fresh one."""
        known = None if self.session is None else self.session.era
        one, other = StdioServer("", str(self._process)), StdioServer("", str(self._process + 1))
        kept = recall_stdio(one, other, self.profile)
        self.decided(kept)
        self.session, self._era = None, known if kept.outcome else None

    def respawn(self) -> None:
        """Starts a fresh process, and sends to it what waits."""
        self.spawn()
        if self._waiting:
            self.open()

    # --- the era -------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Finds out how to speak with the server, for the calls that wait."""
        if self.settings.transport is Transport.STDIO and not self._running:
            self.spawn()
        first = self._waiting[0]
        preferred = of_era(self.settings.speaks, Era.MODERN)
        if first.method == LISTEN and self._era is Era.MODERN and preferred:
            self._adopt(Session(Era.MODERN, preferred[0]))
            return
        settings = era.Settings(
            speaks=self.settings.speaks,
            transport=self.settings.transport,
            remembered=self._era,
            method=first.method,
            url=self._url,
            credential=self.settings.token != "",
            old_transport=self.settings.old_transport,
            probe_timeout_ms=self.settings.probe_timeout_ms,
            handshake_timeout_ms=self.settings.handshake_timeout_ms,
        )
        self._negotiation = self.negotiation(settings)
        self._carry_out(self._negotiation.start(self.now))

    def negotiation(self, settings: era.Settings) -> Negotiation:
        """The machine that finds out how to speak with the server."""
        return Negotiation(settings, self.profile, self._last_id)

    def _negotiate(self, event: era.Event) -> None:
        if self._negotiation is not None:
            self._event = event
            self._carry_out(self._negotiation.receive(event, self.now))

    def _negotiate_timer(self) -> None:
        if self._negotiation is not None:
            self._event = None
            self._carry_out(self._negotiation.timer(self.now))

    def _carry_out(self, actions: list[era.Action]) -> None:
        for action in actions:
            self.because.update(dict.fromkeys(action.because))
            self.act(action)

    def act(self, action: era.Action) -> None:
        """Carries out one action of the negotiation."""
        match action:
            case era.SendDiscover() | era.SendRequest() | era.SendInitialize():
                self._last_id = action.id
                self.opening_request(action)
            case era.SendInitialized():
                self._begin_legacy_session(action)
            case era.SendCancelled(request_id=number):
                self.notify("notifications/cancelled", {"requestId": number})
            case era.Respawn():
                self.spawn()
            case era.SetTimer(at=at):
                self._timers["negotiation"] = at
            case era.Repeat() | era.OpenStream() | era.UseOldTransport():
                self._act_over_http(action)
            case era.Adopt() | era.Report() | era.Authorize() | era.Disconnect():
                self._end_negotiation(action)

    def _act_over_http(self, action: era.Repeat | era.OpenStream | era.UseOldTransport) -> None:
        match action:
            case era.Repeat(id=number, url=url, credential=credential):
                assert self._last_post is not None
                self._url, self._credential = url, credential
                message, headers = self._last_post
                kept = {name: value for name, value in headers.items() if credential or name != "authorization"}
                self.post(message, kept, "negotiation", number)
            case era.OpenStream():
                self.open_old_stream()
            case era.UseOldTransport(url=url):
                self._url = url

    def open_old_stream(self) -> None:
        """A GET looks for the HTTP+SSE transport."""
        self._last_exchange += 1
        self._old_stream = self._last_exchange
        self._exchanges[self._old_stream] = Exchange("old-stream")
        self.do(Get(self._old_stream, self._url, {"accept": EVENT_STREAM}))

    def opening_request(self, action: era.SendDiscover | era.SendRequest | era.SendInitialize) -> None:
        """Sends a request of the negotiation."""
        number, version = action.id, action.version
        message: JsonObject = {"jsonrpc": "2.0", "id": number}
        match action:
            case era.SendInitialize():
                message |= {"method": "initialize", "params": self.initialize_params(version)}
                self.transmit(message, "negotiation", None, number)
                return
            case era.SendDiscover():
                self._asked_first = None
                method, params = "server/discover", self.with_meta(_PROBE, {}, version)
            case era.SendRequest(method=method):
                self._asked_first = self._waiting[0]
                params = self.with_meta(self._asked_first, self._asked_first.params, version)
        self._probe = None
        if method in _CACHEABLE:
            looked_up = self.cache.request(_cacheable(method), params, self.caller(), self.now)
            self._probe = looked_up if isinstance(looked_up, Fetch) else None
        message |= {"method": method, "params": params}
        self.transmit(message, "negotiation", version, number)

    def initialize_params(self, version: str) -> JsonObject:
        """The params of initialize."""
        capabilities: JsonObject = {**self.settings.capabilities}
        return {"protocolVersion": version, "capabilities": capabilities, "clientInfo": _CLIENT_INFO}

    def _begin_legacy_session(self, action: era.SendInitialized) -> None:
        result = self._answer()
        self._learn(result)
        version = member(result, "protocolVersion")
        self.session = Session(Era.LEGACY, str(version), self._session_id)
        self.notify("notifications/initialized")

    _session_id = ""
    _event: era.Event | None = None

    def _answer(self) -> JsonObject:
        """The result of the request that ended the negotiation, empty where it has none."""
        match self._event:
            case Line(message):
                result = member(message, "result")
            case era.Answered(_, Response(body=body, messages=messages)):
                held = [body] if messages is ABSENT else messages
                result = next((member(one, "result") for one in held if member(one, "result") is not ABSENT), ABSENT)
            case _:
                result = ABSENT
        return result if is_object(result) else {}

    def _code(self) -> int | None:
        """The code of the error that ended the negotiation."""
        match self._event:
            case Line(message):
                code = member(message, "error", "code")
            case era.Answered(_, Response(body=body, messages=messages)):
                held = [body] if messages is ABSENT else messages
                code = next((member(one, "error", "code") for one in held if is_object(one)), ABSENT)
            case _:
                code = ABSENT
        return int(code) if is_integer(code) else None

    def _learn(self, result: JsonObject) -> None:
        """Takes note of the capabilities of the server."""
        capabilities = member(result, "capabilities")
        self.capabilities = capabilities if is_object(capabilities) else {}
        self.cache.capabilities = self.capabilities

    def _end_negotiation(self, action: era.Adopt | era.Report | era.Authorize | era.Disconnect) -> None:
        assert self._negotiation is not None
        self._refused = [*self._negotiation.refused]
        self._negotiation = None
        self._timers.pop("negotiation", None)
        match action:
            case era.Adopt(era=found, version=version):
                self._adopted(found, version)
            case era.Report(reason=reason, era=found):
                self._era = found
                self.give_up(reason.value, self._code())
            case era.Authorize():
                self.give_up("authorization-required")
            case era.Disconnect():
                self.give_up("no-common-version")
                self.disconnect()

    def _adopted(self, found: Era | None, version: str) -> None:
        result = self._answer()
        first, self._asked_first = self._asked_first, None
        if found is Era.LEGACY:
            assert self.session is not None
            self._adopt(self.session)
            return
        probe, self._probe = self._probe, None
        if probe is not None:
            if probe.method == "server/discover":
                self._learn(result)
            self.decided(self.cache.response(probe, result, self.now).decision)
            if probe.method == "tools/list":
                self.tools.listed(result, self.now, first="cursor" not in probe.params)
            self._answer_discoveries(probe, result)
        if first is not None:
            self._waiting.remove(first)
            self._answer_first(first, result, version)
        if found is None:
            if self._waiting:
                self.open()
            return
        self._adopt(Session(found, version))

    def _answer_discoveries(self, probe: Fetch, result: JsonObject) -> None:
        """A caller that waits for what the probe has found out gets that."""
        if probe.method == "server/discover":
            asked = [call for call in self._waiting if call.method == "server/discover"]
            self._waiting = [call for call in self._waiting if call not in asked]
            for call in asked:
                self._return(call.name, result)

    def _answer_first(self, call: Call, result: JsonObject, version: str) -> None:
        """The ordinary request that opened the negotiation has its result."""
        self.session = Session(Era.MODERN, version)
        self._result(Outstanding(0, call, {}, version), result)
        self.session = None

    def _adopt(self, session: Session) -> None:
        self.session, self._era = session, session.era
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            self.ask(call, call.params)

    def give_up(self, kind: str, code: int | None = None) -> None:
        """The calls that wait end with an error."""
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            self.fail(call, kind, code)

    def disconnect(self) -> None:
        """The connection is given up."""
        self.session = None
        if self.settings.transport is Transport.STDIO and self._running:
            self._closing = ""
            self._shut_down(0)

    # --- icons ---------------------------------------------------------------------------------------------------

    def _show_icon(self, name: str, src: str) -> None:
        """A caller wants to show the icon of something that the server listed."""
        self.calls[name] = Call(name, "icon", "", {}, {})
        over_http = self.settings.transport is Transport.HTTP
        taken = self.icon_source(src, self.settings.url if over_http else ABSENT)
        self.decided(taken)
        match taken.outcome:
            case icons.Take.FETCH:
                self.fetch_icon(name, src)
            case icons.Take.DECODE:
                self._return(name, {})
            case icons.Take.REJECT:
                self.fail(self.calls[name], "rejected")

    def icon_source(self, src: str, server: str | Absent) -> Decision[icons.Take]:
        """What is done about an icon."""
        return icons.source(src, self.profile, server)

    def fetch_icon(self, name: str, src: str) -> None:
        """Fetches an icon, without any credential."""
        self._last_exchange += 1
        self._exchanges[self._last_exchange] = Exchange("icon", icon=(name, src))
        self.because.setdefault("icons.security.no-credentials")
        self.do(Get(self._last_exchange, src, self.icon_headers()))

    def icon_headers(self) -> dict[str, str]:
        """The headers of a request for an icon."""
        return {"accept": "image/png, image/jpeg"}

    def _icon_answered(
        self, event: Answered | StreamOpened | StreamEvent | StreamEnded | NotSent, exchange: Exchange
    ) -> None:
        name, src = exchange.icon
        call = self.calls[name]
        match event:
            case Answered(status=200):
                self._return(name, {})
            case Answered(headers={"location": location}) if self.follows_icon(src, location):
                self.fetch_icon(name, resolved(src, location))
            case Answered() | NotSent():
                self.fail(call, "rejected")
            case _:
                pass

    def follows_icon(self, src: str, location: str) -> bool:
        """Whether a redirect of an icon is followed."""
        followed = icons.may_follow(src, location, self.profile)
        self.decided(followed)
        return followed.outcome

    # --- HTTP ----------------------------------------------------------------------------------------------------

    def _http(self, event: Answered | StreamOpened | StreamEvent | StreamEnded | NotSent) -> None:
        exchange = self._exchanges.get(event.exchange)
        if exchange is None:
            return
        if isinstance(event, Answered | StreamOpened):
            exchange.status, exchange.headers = event.status, event.headers
        if exchange.purpose == "old-stream":
            self._old_stream_event(event, exchange)
        elif exchange.purpose == "negotiation":
            self._opening_answered(event, exchange)
        elif exchange.purpose == "request":
            self._request_answered(event, exchange)
        elif exchange.purpose == "icon":
            self._icon_answered(event, exchange)
        if isinstance(event, Answered | StreamEnded | NotSent):
            self._exchanges.pop(event.exchange, None)

    def _opening_answered(
        self, event: Answered | StreamOpened | StreamEvent | StreamEnded | NotSent, exchange: Exchange
    ) -> None:
        assert isinstance(exchange.request, int)
        match event:
            case Answered(headers=headers, body=body):
                self._session_id = headers.get(SESSION, "")
                if exchange.status == 202 and self._old_stream is not None:
                    return
                answer = _response(exchange.status, headers, body)
                self._negotiate(era.Answered(exchange.request, answer))
            case NotSent():
                self._negotiate(era.Answered(exchange.request, Unreachable()))
            case StreamEvent(data=data):
                exchange.messages.append(_json(data))
                if _is_answer(exchange.messages[-1], exchange.request):
                    self._stream_answered(exchange)
                elif is_object(exchange.messages[-1]):
                    self.notified(exchange.messages[-1], None)
            case StreamEnded() if not exchange.done:
                self._stream_answered(exchange)
            case _:
                pass

    def _stream_answered(self, exchange: Exchange) -> None:
        assert isinstance(exchange.request, int)
        exchange.done = True
        self._session_id = exchange.headers.get(SESSION, "")
        content_type = exchange.headers.get("content-type", ABSENT)
        answer = Response(exchange.status, messages=[*exchange.messages], content_type=content_type)
        self._negotiate(era.Answered(exchange.request, answer))

    def _old_stream_event(
        self, event: Answered | StreamOpened | StreamEvent | StreamEnded | NotSent, exchange: Exchange
    ) -> None:
        content_type = exchange.headers.get("content-type", ABSENT)
        match event:
            case StreamEvent(data=data, name=name) if not exchange.done:
                exchange.done = True
                self._negotiate(era.Opened(Stream(exchange.status, content_type, name, data)))
            case StreamEvent(data=data, name="message"):
                self.message(_json(data))
            case Answered():
                self._old_stream = None
                self._negotiate(era.Opened(Stream(exchange.status, content_type)))
            case NotSent():
                self._old_stream = None
                self._negotiate(era.Opened(Unreachable()))
            case _:
                pass

    def _request_answered(
        self, event: Answered | StreamOpened | StreamEvent | StreamEnded | NotSent, exchange: Exchange
    ) -> None:
        assert exchange.request is not None
        sent = self.outstanding.get(exchange.request)
        if sent is None:
            return
        match event:
            case Answered(body=body):
                if exchange.status == 202 and self._old_stream is not None:
                    return
                self._answered(sent, _json(body.decode("utf-8", "replace")))
            case StreamEvent(data=data):
                self.streamed(sent, _json(data))
            case StreamEnded():
                self.stream_broke(sent)
            case NotSent():
                self._lost(sent)
            case _:
                pass

    def _answered(self, sent: Outstanding, body: Json) -> None:
        """A response that is no stream came for a request."""
        if is_object(body) and kind_of_message(body) in _RESPONSES:
            self.respond(sent, body)
        else:
            self._lost(sent)

    def streamed(self, sent: Outstanding, message: Json) -> None:
        """An event came on the response stream of a request."""
        sent.received.append(message)
        if not is_object(message):
            return
        match kind_of_message(message):
            case MessageKind.RESULT | MessageKind.ERROR if _is_answer(message, sent.id):
                self.because.setdefault("transport.delivery.server-responses")
                self.respond(sent, message)
            case MessageKind.NOTIFICATION:
                self.because.setdefault("transport.delivery.server-notifications")
                self.notified(message, sent)
            case MessageKind.REQUEST:
                self.requested(message)
            case _:
                pass

    def stream_broke(self, sent: Outstanding) -> None:
        """The response stream of a request ended before its response."""
        if sent.call.method == LISTEN:
            self._forget(sent)
            self._subscription_over(sent)
            return
        decision = broken_stream(sent.id, sent.received, self.profile)
        self.decided(decision)
        if decision.outcome is StreamEnd.SEND_ANEW:
            self.outstanding.pop(sent.id, None)
            self._again(sent)
        else:
            self._lost(sent)

    def _lost(self, sent: Outstanding) -> None:
        """A request has no response and will have none."""
        self.outstanding.pop(sent.id, None)
        self._timers.pop(f"request {sent.id}", None)
        if sent.fetch is not None:
            self._fetch_failed(sent, None)
        else:
            self.fail(sent.call, "connection-lost")


_PROBE: Final = Call("", "discover", "server/discover", {}, {})
_SNAPSHOT: Final = Decision(Answer(True, Gives.FETCHED), ("caching.page.snapshot-refetch",))


def _cacheable(method: str) -> CacheableMethod:
    known: CacheableMethod = msgspec.convert(method, CacheableMethod)
    return known


def _mirrored(message: JsonObject) -> dict[str, str]:
    """The headers that mirror the body of a request."""
    method = member(message, "method")
    if not is_string(method):
        return {}
    headers = {"mcp-method": method}
    value = member(message, "params", _NAMED_BY.get(method, ""))
    if is_string(value):
        headers["mcp-name"] = header_value(value)
    return headers


def _response(status: int, headers: Mapping[str, str], body: bytes) -> Response:
    """A whole HTTP response, as the rules see it."""
    content_type = headers.get("content-type", ABSENT)
    location = headers.get("location", ABSENT)
    challenge = headers.get("www-authenticate", ABSENT)
    decoded = decode(body) if body else None
    held: Json | Absent = decoded.value if decoded is not None and decoded.ok else ABSENT
    text = body.decode("utf-8", "replace") if body and held is ABSENT else ABSENT
    return Response(
        status, body=held, text=text, content_type=content_type, location=location, www_authenticate=challenge
    )


def _json(data: str) -> Json:
    decoded = decode(data.encode())
    return decoded.value if decoded.ok else None


def _is_answer(message: Json, request_id: RequestId) -> bool:
    if kind_of_message(message) not in _RESPONSES:
        return False
    found = member(message, "id")
    return found == request_id or (found in (None, ABSENT) and member(message, "error") is not ABSENT)


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _value(value: Json | Absent) -> Json:
    return None if value is ABSENT else value


def _as_id(value: Json) -> RequestId:
    assert isinstance(value, int | str)
    return value
