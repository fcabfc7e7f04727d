"""The reference server: what it reads and writes on stdio and over HTTP, decided by the rules alone.

Sans-I/O: it is given lines and HTTP requests, and gives back what goes out. Between two requests of this revision it
keeps nothing; what it keeps are the handshakes of legacy clients and the requests that are still running.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from spec_model.peers.server_content import MODERN, Call, Content, Handled, Settings, error_object
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import RefusalBody
from spec_model.semantics.decision import Decision
from spec_model.semantics.errors import INVALID_REQUEST, METHOD_NOT_FOUND
from spec_model.semantics.logging import is_level
from spec_model.semantics.revisions import Era, era_of
from spec_model.semantics.server import (
    Accept,
    Answer,
    Batch,
    Error,
    Handshake,
    LegacyTransport,
    Refuse,
    RefuseNotification,
    Serve,
    Silence,
    Transport,
)
from spec_model.semantics.server_http import SESSION_HEADER, on_http, on_http_method
from spec_model.semantics.server_messages import Notification, Request, on_text, read
from spec_model.semantics.server_replies import after_cancellation
from spec_model.semantics.server_stdio import Process, on_stdio
from spec_model.wire.json import decode, encode
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_string, member

JSON: Final = "application/json"

# Sessions and running requests, each: a client that opens ever more loses the oldest.
MOST_HELD: Final = 1024
EVENT_STREAM: Final = "text/event-stream"


@dataclass
class StdioReply:
    """What a stdio server writes after one line: its lines, without newlines, and whether the process ends.

    `decided` is what the rules said, `because` names the requirements that the reply follows.
    """

    lines: list[bytes] = field(default_factory=list)
    exited: bool = False
    because: tuple[str, ...] = ()
    decided: Answer | None = None

    @property
    def messages(self) -> list[Json]:
        """The lines as JSON; a line that is none stands as its text."""
        return [_value(line) for line in self.lines]


@dataclass
class HttpReply:
    """An HTTP response: its headers by lower-case name, and the messages of its body in order.

    `ended`: the body is complete. `decided` is what the rules said, `because` names the requirements that the reply
    follows.
    """

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    messages: list[Json] = field(default_factory=list)
    ended: bool = True
    because: tuple[str, ...] = ()
    decided: Answer | None = None

    def body(self) -> bytes:
        """The bytes of the body."""
        if self.headers.get("content-type") == EVENT_STREAM:
            return b"".join(b"data: " + encode(message) + b"\n\n" for message in self.messages)
        return b"".join(encode(message) for message in self.messages)


@dataclass
class Reply:
    """What goes out for one message, before a transport frames it; `status` counts over HTTP only."""

    messages: list[Json] = field(default_factory=list)
    status: int = 200
    because: tuple[str, ...] = ()
    running: bool = False
    session: str | None = None
    decided: Answer | None = None


@dataclass
class Session:
    """A legacy session: its version, and the log level that its client set."""

    version: str
    log_level: str | None = None


class ReferenceServer:
    """A server built from the rules: one process, or one HTTP endpoint. Subclasses change single steps."""

    content_type: type[Content] = Content

    def __init__(self, settings: Settings = MODERN, profile: Profile = DEFAULT_PROFILE) -> None:
        self.settings = settings
        self.profile = profile
        self.server = settings.described()
        self.content = self.content_type(settings, profile)
        self.process = Process()
        self.process_session: Session | None = None
        self.sessions: dict[str, Session] = {}
        self.opened = 0
        self.running: dict[str | int, Call] = {}

    # --- stdio -------------------------------------------------------------------------------------------------------

    def receive_line(self, line: bytes) -> StdioReply:
        """What is written after one line, which comes without its newline."""
        decoded = decode(line)
        if not decoded.ok:
            return self.framed(self.reply(self._unreadable(line, "stdio"), None, "stdio", None))
        message = self.received(decoded.value)
        decision = on_stdio(self.profile, self.server, message, self.process)
        return self.framed(self.reply(decision, message, "stdio", self.process_session))

    def received(self, message: Json) -> Json:
        """The message that is decided upon: as it came."""
        return message

    def end_of_input(self) -> StdioReply:
        """What happens when standard input is closed: the process ends."""
        return StdioReply(exited=True)

    def framed(self, reply: Reply) -> StdioReply:
        """The lines of a reply."""
        return StdioReply([encode(message) for message in reply.messages], False, reply.because, reply.decided)

    # --- HTTP --------------------------------------------------------------------------------------------------------

    def receive_http(
        self, method: str, headers: Mapping[str, str], body: bytes = b"", connection: int = 0
    ) -> HttpReply:
        """The response to one HTTP request to the MCP endpoint; which `connection` brings it does not matter."""
        match method:
            case "GET" | "DELETE":
                return self.response(self.reply(on_http_method(self.profile, self.server, method), None, "http", None))
            case "POST":
                return self._receive_post(headers, body)
        return HttpReply(405)

    def _receive_post(self, headers: Mapping[str, str], body: bytes) -> HttpReply:
        decoded = decode(body)
        if not decoded.ok:
            return self.response(self.reply(self._unreadable(body, "http"), None, "http", None))
        return self.response(self.reply_to_post(self.received(decoded.value), headers))

    def reply_to_post(self, message: Json, headers: Mapping[str, str]) -> Reply:
        """The reply to a message that was posted."""
        session = self.session_of(headers)
        version = None if session is None else session.version
        decision = on_http(self.profile, self.server, message, dict(headers), version)
        return self.reply(decision, message, "http", session)

    def session_of(self, headers: Mapping[str, str]) -> Session | None:
        """The live legacy session that the headers name."""
        named = next((value for name, value in headers.items() if name.lower() == SESSION_HEADER), "")
        return self.sessions.get(named)

    def response(self, reply: Reply) -> HttpReply:
        """The HTTP response of a reply."""
        headers: dict[str, str] = {}
        if reply.running or len(reply.messages) > 1:
            headers = {"content-type": EVENT_STREAM, "x-accel-buffering": "no"}
        elif reply.messages:
            headers = {"content-type": JSON}
        if reply.session is not None:
            headers[SESSION_HEADER] = reply.session
        return HttpReply(reply.status, headers, reply.messages, not reply.running, reply.because, reply.decided)

    # --- both --------------------------------------------------------------------------------------------------------

    def reply(self, decision: Decision[Answer], message: Json, transport: Transport, session: Session | None) -> Reply:
        """What goes out for a message, as decided."""
        reply = self._carried_out(decision.outcome, message, transport, session)
        reply.because = tuple(dict.fromkeys((*reply.because, *decision.because)))
        reply.decided = decision.outcome
        return reply

    def _carried_out(self, answer: Answer, message: Json, transport: Transport, session: Session | None) -> Reply:
        match answer:
            case Serve(version):
                return self.serve(self._request(message), version, transport, session)
            case Handshake(version):
                return self.shake_hands(self._request(message), version, transport)
            case Batch(answers):
                return self._batch(list(answers), message, transport, session)
            case Error():
                return self._error(answer, message)
            case Refuse():
                return self._refusal(answer, transport)
            case Accept():
                return self.note(message, transport)
            case RefuseNotification():
                return Reply(status=400)
            case LegacyTransport():
                return Reply(status=405)
            case Silence():
                taken = isinstance(read(self.profile, message).outcome, Notification)
                return self.note(message, transport) if taken else Reply()

    def _unreadable(self, data: bytes, transport: Transport) -> Decision[Answer]:
        decision = on_text(self.profile, data.decode("utf-8", "surrogateescape"), transport)
        assert decision.outcome is not None
        return Decision(decision.outcome, decision.because)

    def _request(self, message: Json) -> Request:
        request = read(self.profile, message).outcome
        assert isinstance(request, Request)
        return request

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        """Carries a request out."""
        if transport == "stdio" and era_of(version) is Era.MODERN and self.process.first == "nothing":
            self.process = Process("modern", self.process.handshake)
        if request.method == "logging/setLevel" and session is not None:
            level = member(request.params, "level")
            session.log_level = level if is_string(level) and is_level(level) else session.log_level
        call = Call(request, version, transport, None if session is None else session.log_level)
        handled = self.content.handle(call)
        if handled.result is None and handled.error is None:
            self.running[request.id] = call
            _bound(self.running)
        return self.sent(request.id, handled)

    def sent(self, request_id: str | int, handled: Handled) -> Reply:
        """The messages of a handled request: its notifications before its response."""
        response = response_of(request_id, handled)
        running = response is None
        messages: list[Json] = [*handled.notifications, *([] if response is None else [response])]
        return Reply(messages, handled.status, handled.because, running)

    def finish(self) -> list[tuple[str | int, Reply]]:
        """Lets every running tool call end, and gives the replies by request id."""
        ended = [(key, call) for key, call in self.running.items() if call.request.method == "tools/call"]
        for key, _ in ended:
            del self.running[key]
        return [(key, self.sent(key, self.content.text(call, "waited"))) for key, call in ended]

    def note(self, message: Json, transport: Transport) -> Reply:
        """Takes a notification, or the response of a legacy client."""
        if transport == "stdio" and member(message, "method") == "notifications/cancelled":
            self.cancel(member(message, "params", "requestId"))
        return Reply(status=202)

    def cancel(self, request_id: Json | Absent) -> None:
        """Cancels a running request: where no response may follow any more, it is forgotten."""
        running = next((key for key in self.running if key == request_id and type(key) is type(request_id)), None)
        if (
            running is not None
            and not after_cancellation(self.profile, "response", read=True, cancellable=True).outcome
        ):
            del self.running[running]

    def shake_hands(self, request: Request, version: str, transport: Transport) -> Reply:
        """Answers `initialize` and opens the legacy session."""
        session = Session(version)
        result: JsonObject = {
            "protocolVersion": version,
            "capabilities": self.settings.capabilities,
            "serverInfo": self.settings.server_info,
            "instructions": self.settings.instructions,
        }
        reply = Reply([{"jsonrpc": "2.0", "id": request.id, "result": result}])
        if transport == "stdio":
            first = "legacy" if self.process.first == "nothing" else self.process.first
            self.process, self.process_session = Process(first, version), session
        elif self.settings.sessions:
            self.opened += 1
            reply.session = f"session-{self.opened}"
            self.sessions[reply.session] = session
            _bound(self.sessions)
        return reply

    def _batch(self, answers: list[Any], message: Json, transport: Transport, session: Session | None) -> Reply:
        assert isinstance(message, list)
        owed = [one for one in message if not isinstance(read(self.profile, one).outcome, Notification)]
        replies = [
            self._carried_out(answer, one, transport, session) for answer, one in zip(answers, owed, strict=True)
        ]
        messages: list[Json] = [one for reply in replies for one in reply.messages]
        return Reply([messages], because=tuple(one for reply in replies for one in reply.because))

    def _error(self, error: Error, message: Json) -> Reply:
        text = _TEXTS.get(error.code, "Error")
        if member(message, "method") == "initialize" and not self.server.legacy:
            text = f"{text}; this server implements {', '.join(self.server.modern)}"
        response: JsonObject = {"jsonrpc": "2.0"}
        if error.id is not ABSENT:
            response["id"] = error.id
        response["error"] = error_object(error.code, text, error.data)
        return Reply([response], 200 if error.status is ABSENT else error.status)

    def _refusal(self, refuse: Refuse, transport: Transport) -> Reply:
        status = 200 if refuse.status is ABSENT else refuse.status
        if transport == "stdio":
            text = f"Refused; this server implements {', '.join(self.server.versions)}"
            error = error_object(METHOD_NOT_FOUND, text)
            return Reply([{"jsonrpc": "2.0", "id": None if refuse.id is ABSENT else refuse.id, "error": error}])
        if refuse.body is RefusalBody.EMPTY or (refuse.body is ABSENT and status == 405):
            return Reply(status=status)
        code = -32000 if refuse.body is RefusalBody.ERROR_WITH_LEGACY_RANGE_CODE else INVALID_REQUEST
        return Reply([{"jsonrpc": "2.0", "error": error_object(code, "Refused")}], status)


_TEXTS: Final[Mapping[int, str]] = {
    -32700: "Parse error",
    -32600: "Invalid request",
    -32601: "Method not found",
    -32602: "Invalid params",
    -32020: "Header mismatch",
    -32022: "Unsupported protocol version",
}


def _bound(held: dict[Any, Any]) -> None:
    """Lets the oldest entry go where there are too many."""
    if len(held) > MOST_HELD:
        del held[next(iter(held))]


def response_of(request_id: str | int, handled: Handled) -> JsonObject | None:
    """The response to a request, None while it is running."""
    if handled.error is not None:
        return {"jsonrpc": "2.0", "id": request_id, "error": handled.error}
    if handled.result is not None:
        return {"jsonrpc": "2.0", "id": request_id, "result": handled.result}
    return None


def _value(line: bytes) -> Json:
    decoded = decode(line)
    return decoded.value if decoded.ok else line.decode("utf-8", "replace")
