"""Plays a scenario with the reference peers under a virtual clock, and tells what was seen.

The peer of a client follows a script: rules that answer its messages, and what it says without being asked. What the
client does is cut into windows, one a step: from the step until the next one. What falls on the very moment of a step
comes before it.

What is seen on the wire are objects with a `kind`: on stdio `spawn`, `message` (or `text`, for a line that is no JSON),
`close-input`, `terminate` and `kill`; over HTTP `post` with `url`, `headers` and `message` (or `text`), `get`, and
`close-stream` with the id of the `request` whose response stream it is; of a server `message` and `exit` on stdio, and
`response` with `status`, `headers`, `messages` and `closed` over HTTP.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, Protocol

from spec_model.cases import format as fmt
from spec_model.peers.client_wire import (
    Answered,
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
from spec_model.semantics.meta_keys import PROTOCOL_VERSION
from spec_model.wire.json import decode, encode
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, equal, is_object, is_string, member

MAX_EVENTS: Final = 2_000

Id = Any


class Playable(Protocol):
    """A client as `peers.client` is driven."""

    @property
    def due(self) -> int | None: ...

    def call(self, name: str, op: str, args: JsonObject, now: int) -> list[Effect]: ...

    def receive(self, event: Event, now: int) -> list[Effect]: ...

    def advance(self, now: int) -> list[Effect]: ...


@dataclass
class Window:
    """What was seen between a step and the next one: on the wire, and of the calls. `unanswered` holds, for each thing
    on the wire, the names of the requests that had no response when it went out."""

    wire: list[JsonObject] = field(default_factory=list)
    unanswered: list[list[str]] = field(default_factory=list)
    results: list[JsonObject] = field(default_factory=list)


Script = tuple[Sequence[fmt.PeerRule], Sequence[fmt.Step], int]


@dataclass
class _Exchange:
    """A request over HTTP that the peer may still answer."""

    request: Id
    open: bool = False


class Names:
    """The ids of the requests that went out, by the name `method#n`, the n-th request of that method."""

    def __init__(self) -> None:
        self.ids: dict[str, Id] = {}
        self.tokens: dict[str, Json | Absent] = {}
        self._counts: Counter[str] = Counter()

    def add(self, message: Json) -> str | None:
        """Takes note of a message; the name of the request that it is, None where it is none."""
        method = member(message, "method")
        request_id = member(message, "id")
        if not is_string(method) or request_id is ABSENT:
            return None
        self._counts[method] += 1
        name = f"{method}#{self._counts[method]}"
        self.ids[name] = request_id
        self.tokens[name] = member(message, "params", "_meta", "progressToken")
        return name

    def of(self, request_id: Json) -> str | None:
        """The name of the last request that had this id."""
        return next((name for name, one in reversed(self.ids.items()) if equal(one, request_id)), None)


def play(client: Playable, script: Script) -> list[Window]:
    """What is seen of a client that follows the steps of a script."""
    return _Play(client, script).run()


class _Play:
    def __init__(self, client: Playable, script: Script) -> None:
        self.client = client
        self.rules, self.steps, self.end = script
        self.windows: list[Window] = []
        self.now = 0
        self.names = Names()
        self._hits: Counter[int] = Counter()
        self._queue: list[tuple[int, int, int, Event]] = []
        self._order = count()
        self._process = 0
        self._alive = False
        self._exchanges: dict[int, _Exchange] = {}
        self._old_stream: int | None = None
        self._events = 0
        self._unanswered: dict[str, None] = {}

    def run(self) -> list[Window]:
        for step in self.steps:
            self._until(step.at_ms)
            self.windows.append(Window())
            self._begin(step)
        self._until(self.end)
        return self.windows

    def _begin(self, step: fmt.Step) -> None:
        if step.call is not None:
            self._effects(self.client.call(step.call.name, step.call.op, step.call.args, self.now))
        elif step.say is not None:
            self._say(step.say)

    def _until(self, limit: int) -> None:
        """Lets happen all that is due until `limit`."""
        while self._events < MAX_EVENTS:
            self._events += 1
            due = self.client.due
            queued = self._queue[0][0] if self._queue else None
            if queued is not None and queued <= limit and (due is None or queued <= due):
                self.now, _, process, event = heapq.heappop(self._queue)
                self._deliver(event, process)
            elif due is not None and due <= limit:
                self.now = max(self.now, due)
                self._effects(self.client.advance(self.now))
            else:
                break
        self.now = limit

    def _deliver(self, event: Event, process: int) -> None:
        """Gives the client an event, unless its process or its exchange is gone."""
        if isinstance(event, Output | ErrorOutput | Exited):
            if process != self._process or not self._alive:
                return
            self._alive = not isinstance(event, Exited)
            if isinstance(event, Exited):
                self._unanswered.clear()
            elif isinstance(event, Output):
                self._answered(_response_id(event.data))
        elif event.exchange not in self._exchanges:
            return
        elif isinstance(event, StreamEvent):
            self._answered(_response_id(event.data.encode()))
        elif isinstance(event, Answered | StreamEnded | NotSent):
            gone = self._exchanges.pop(event.exchange)
            if not isinstance(event, StreamEnded):
                self._answered(gone.request)
        self._effects(self.client.receive(event, self.now))

    def _answered(self, request: Id) -> None:
        name = self.names.of(request)
        if name is not None:
            self._unanswered.pop(name, None)

    # --- what the client does ------------------------------------------------------------------------------------

    def _effects(self, effects: list[Effect]) -> None:
        for effect in effects:
            self._effect(effect)

    def _effect(self, effect: Effect) -> None:
        match effect:
            case Return(call, value):
                self._result({"call": call, "outcome": "returned", "value": value})
            case Raise(call, kind, code):
                ended: JsonObject = {"call": call, "outcome": "raised", "kind": kind}
                self._result(ended if code is None else {**ended, "code": code})
            case Write(data):
                self._written(data)
            case Post():
                self._posted(effect)
            case Get():
                self._got(effect)
            case CloseStream(exchange):
                closed = self._exchanges.pop(exchange, None)
                self._seen({"kind": "close-stream", "request": None if closed is None else closed.request})
            case Spawn() | CloseInput() | Terminate() | Kill():
                self._process_effect(effect)

    def _process_effect(self, effect: Spawn | CloseInput | Terminate | Kill) -> None:
        match effect:
            case Spawn():
                self._process += 1
                self._alive = True
                self._seen({"kind": "spawn"})
            case CloseInput():
                self._signal("close-input")
            case Terminate():
                self._signal("terminate")
            case Kill():
                self._seen({"kind": "kill"})
                self._push(0, Exited())

    def _result(self, result: JsonObject) -> None:
        self.windows[-1].results.append(result)

    def _seen(self, item: JsonObject) -> None:
        self.windows[-1].wire.append(item)
        self.windows[-1].unanswered.append(list(self._unanswered))

    def _signal(self, signal: str) -> None:
        self._seen({"kind": signal})
        self._answer(None, lambda on: on.signal == signal, None)

    def _written(self, data: bytes) -> None:
        lines = data.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        for line in lines:
            decoded = decode(line)
            if not decoded.ok or decoded.faults:
                self._seen({"kind": "text", "text": line.decode("utf-8", "replace")})
                continue
            self._seen({"kind": "message", "message": decoded.value})
            if self._alive:
                self._take(decoded.value, None, "")

    def _posted(self, post: Post) -> None:
        decoded = decode(post.body)
        headers: JsonObject = {**post.headers}
        item: JsonObject = {"kind": "post", "url": post.url, "headers": headers}
        self._exchanges[post.exchange] = _Exchange(member(decoded.value, "id") if decoded.ok else None)
        if not decoded.ok:
            self._seen({**item, "text": post.body.decode("utf-8", "replace")})
            return
        self._seen({**item, "message": decoded.value})
        self._take(decoded.value, post.exchange, post.url)

    def _got(self, get: Get) -> None:
        self._seen({"kind": "get", "url": get.url, "headers": {**get.headers}})
        self._exchanges[get.exchange] = _Exchange(None)
        if self._answer(get.exchange, lambda on: on.http == "GET" and on.url in ("", get.url), None):
            self._old_stream = get.exchange

    # --- what the peer does --------------------------------------------------------------------------------------

    def _take(self, message: Json, exchange: int | None, url: str) -> None:
        name = self.names.add(message)
        if name is not None:
            self._unanswered[name] = None
        self._answer(exchange, lambda on: self._is_for(on, message, url), member(message, "id"))

    def _is_for(self, on: fmt.On, message: Json, url: str) -> bool:
        version = member(message, "params", "_meta", PROTOCOL_VERSION)
        if version is ABSENT:
            version = member(message, "params", "protocolVersion")
        return (
            not on.http
            and not on.signal
            and on.method in ("", member(message, "method"))
            and on.version in ("", version)
            and on.url in ("", url)
            and all(equal(member(message, "params", name), value) for name, value in on.params.items())
            and all(member(message, "params", name) is ABSENT for name in on.absent)
        )

    def _answer(self, exchange: int | None, is_for: Callable[[fmt.On], bool], request: Id) -> bool:
        """Lets the first rule that is for a message answer it."""
        chosen: fmt.PeerReply | None = None
        for number, rule in enumerate(self.rules):
            if rule.on.process in (0, self._process) and is_for(rule.on):
                self._hits[number] += 1
                if chosen is None and rule.on.nth in (0, self._hits[number]):
                    chosen = rule.reply
        if chosen is None:
            return False
        self._reply(chosen, exchange, request)
        return True

    def _say(self, say: fmt.Say) -> None:
        request = self.names.ids.get(say.to, ABSENT)
        exchange = next(
            (number for number, one in self._exchanges.items() if one.open and equal(one.request, request)), None
        )
        self._reply(say.reply, exchange, request)

    def _reply(self, reply: fmt.PeerReply, exchange: int | None, request: Id) -> None:
        messages = [self._filled(message, request) for message in reply.before]
        response = self._response(reply, request)
        if response is not None:
            messages.append(response)
        messages += [self._filled(message, request) for message in reply.messages]
        if exchange is None and not reply.old_stream:
            self._reply_on_stdio(reply, messages)
        elif reply.old_stream:
            self._reply_on_old_stream(reply, exchange, messages)
        else:
            assert exchange is not None
            self._reply_over_http(reply, exchange, messages)

    def _reply_on_stdio(self, reply: fmt.PeerReply, messages: list[Json]) -> None:
        if reply.stderr:
            self._push(reply.delay_ms, ErrorOutput(reply.stderr))
        for message in messages:
            self._push(reply.delay_ms, Output(encode(message)))
        for line in reply.lines:
            self._push(reply.delay_ms, Output(line.encode()))
        if reply.exit:
            self._push(reply.delay_ms, Exited())

    def _reply_on_old_stream(self, reply: fmt.PeerReply, exchange: int | None, messages: list[Json]) -> None:
        if exchange is not None:
            self._push(reply.delay_ms, Answered(exchange, 202, {}))
        if self._old_stream is not None:
            for message in messages:
                self._push(reply.delay_ms, StreamEvent(self._old_stream, encode(message).decode()))

    def _reply_over_http(self, reply: fmt.PeerReply, exchange: int, messages: list[Json]) -> None:
        if self._exchanges[exchange].open:
            self._stream(reply, exchange, messages)
        elif reply.unreachable:
            self._push(reply.delay_ms, NotSent(exchange))
        elif reply.stream:
            headers = {"content-type": "text/event-stream", **reply.headers}
            self._push(reply.delay_ms, StreamOpened(exchange, reply.status, headers))
            self._exchanges[exchange].open = True
            self._stream(reply, exchange, messages)
        elif messages or reply.body is not ABSENT:
            body = messages[0] if messages else reply.body
            headers = {"content-type": "application/json", **reply.headers}
            self._push(reply.delay_ms, Answered(exchange, reply.status, headers, encode(body)))
        elif reply.text or reply.status != 200 or reply.headers:
            self._push(reply.delay_ms, Answered(exchange, reply.status, {**reply.headers}, reply.text.encode()))

    def _stream(self, reply: fmt.PeerReply, exchange: int, messages: list[Json]) -> None:
        for event in reply.events:
            self._push(reply.delay_ms, StreamEvent(exchange, event.data, event.name))
        for message in messages:
            self._push(reply.delay_ms, StreamEvent(exchange, encode(message).decode()))
        if not reply.open:
            self._push(reply.delay_ms, StreamEnded(exchange))

    def _response(self, reply: fmt.PeerReply, request: Id) -> JsonObject | None:
        unknown = request is ABSENT and reply.id is ABSENT
        if unknown or (reply.result is ABSENT and reply.error is ABSENT):
            return None
        response: JsonObject = {"jsonrpc": "2.0", "id": request if reply.id is ABSENT else reply.id}
        if reply.error is ABSENT:
            return {**response, "result": self._filled(reply.result, request)}
        return {**response, "error": reply.error}

    def _filled(self, value: Json, request: Id) -> Json:
        """A message of the script with what the client chose in place of `$id`, `$id:name` and `$token:name`."""
        if isinstance(value, str):
            return self._chosen(value, request) if value.startswith("$") else value
        if isinstance(value, list):
            return [self._filled(one, request) for one in value]
        if is_object(value):
            return {name: self._filled(one, request) for name, one in value.items()}
        return value

    def _chosen(self, value: str, request: Id) -> Json:
        kind, _, name = value.partition(":")
        match kind:
            case "$id" if not name:
                return None if request is ABSENT else request
            case "$id":
                return self.names.ids.get(name)
            case "$token":
                token = self.names.tokens.get(name, ABSENT)
                return None if token is ABSENT else token
        return value

    def _push(self, delay: int, event: Event) -> None:
        heapq.heappush(self._queue, (self.now + delay, next(self._order), self._process, event))


def _response_id(data: bytes) -> Id:
    """The id of a response, ABSENT where it is none."""
    message = decode(data).value
    return ABSENT if member(message, "method") is not ABSENT else member(message, "id")


def requests_in(windows: Sequence[Window]) -> Iterator[JsonObject]:
    """Every message that went out, in order."""
    for window in windows:
        for item in window.wire:
            message = item.get("message")
            if is_object(message):
                yield message
