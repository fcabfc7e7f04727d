"""What the reference server serves, as data, and how it carries out a request.

Every request is carried out by itself: a handler keeps nothing between two calls.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.semantics import logging, pagination
from spec_model.semantics.caching import HINTED
from spec_model.semantics.decision import Decision
from spec_model.semantics.meta_keys import CLIENT_CAPABILITIES, LOG_LEVEL, SERVER_INFO, SUBSCRIPTION_ID
from spec_model.semantics.revisions import Era, era_of
from spec_model.semantics.server import Error, Server, Transport, supported_versions
from spec_model.semantics.server_messages import Request
from spec_model.semantics.server_replies import (
    AskInResult,
    HandlerCondition,
    MissingCapability,
    handler_error,
    needs_input,
    result_members,
)
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_object, is_string, member


class Hints(msgspec.Struct, frozen=True):
    """The caching hints of one method; `ttl_ms` has one value a page, the last of them for all further pages."""

    ttl_ms: list[int]
    scope: str


_TEXT_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}
_NO_ARGUMENTS: Final[JsonObject] = {"type": "object", "properties": {}}


def _default_lists() -> dict[str, list[JsonObject]]:
    return {
        "tools": [
            {"name": "echo", "description": "Gives its text back", "inputSchema": _TEXT_SCHEMA},
            {"name": "log", "description": "Logs one message of every level", "inputSchema": _NO_ARGUMENTS},
            {"name": "ask", "description": "Needs a text from the user", "inputSchema": _NO_ARGUMENTS},
            {"name": "wait", "description": "Ends only when the server is told to", "inputSchema": _NO_ARGUMENTS},
        ],
        "prompts": [
            {"name": "greet", "arguments": [{"name": "who", "required": True}]},
            {"name": "summarize"},
            {"name": "translate"},
        ],
        "resources": [
            {"uri": "text://greeting", "name": "greeting", "mimeType": "text/plain"},
            {"uri": "text://żółw", "name": "turtle", "mimeType": "text/plain"},
            {"uri": "text://last", "name": "last", "mimeType": "text/plain"},
        ],
        "resourceTemplates": [
            {"uriTemplate": "note://{name}", "name": "note"},
            {"uriTemplate": "page://{name}", "name": "page"},
            {"uriTemplate": "line://{name}", "name": "line"},
        ],
    }


def _default_hints() -> dict[str, Hints]:
    return {
        "server/discover": Hints([3_600_000], "public"),
        "tools/list": Hints([300_000, 60_000], "public"),
        "prompts/list": Hints([300_000, 60_000], "public"),
        "resources/list": Hints([0], "private"),
        "resources/templates/list": Hints([300_000], "public"),
        "resources/read": Hints([0], "private"),
    }


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One reference server: its versions, whether it assigns sessions to legacy clients, and what it serves.

    `lists` holds the items by the name of the result member; `texts` the contents of resources by URI, a URI of a
    template standing for itself. `page_size` 0 puts every list on one page.
    """

    versions: list[str] = msgspec.field(default_factory=lambda: ["2026-07-28"])
    capabilities: JsonObject = msgspec.field(
        default_factory=lambda: {"tools": {}, "prompts": {}, "resources": {}, "logging": {}}
    )
    sessions: bool = True
    server_info: JsonObject = msgspec.field(
        default_factory=lambda: {"name": "mcp-spec-model-reference", "version": "1.0.0"}
    )
    instructions: str = "Call echo to get a text back."
    page_size: int = 2
    lists: dict[str, list[JsonObject]] = msgspec.field(default_factory=_default_lists)
    texts: dict[str, str] = msgspec.field(
        default_factory=lambda: {
            "text://greeting": "Hello",
            "text://żółw": "Żółw",
            "text://last": "Last",
            "note://one": "Note",
        }
    )
    hints: dict[str, Hints] = msgspec.field(default_factory=_default_hints)

    def described(self) -> Server:
        """The server as the rules see it."""
        return Server(versions=self.versions, capabilities=self.capabilities, sessions=self.sessions)


MODERN: Final = Settings()
DUAL: Final = Settings(versions=["2026-07-28", "2025-11-25", "2025-06-18"])
DUAL_OLDEST: Final = Settings(versions=["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"])
LEGACY: Final = Settings(versions=["2025-11-25", "2025-06-18", "2025-03-26"])


@dataclass
class Handled:
    """How a request ended: its notifications in order, then its result or its error; neither while it is still running.

    `status` is the HTTP status of a single object; `because` the requirements that the content follows.
    """

    result: JsonObject | None = None
    error: JsonObject | None = None
    status: int = 200
    notifications: list[JsonObject] = field(default_factory=list)
    because: tuple[str, ...] = ()


@dataclass(frozen=True)
class Call:
    """A request to be carried out, under which version, on which transport; `log_level` is that of a legacy session."""

    request: Request
    version: str
    transport: Transport
    log_level: str | None = None

    @property
    def modern(self) -> bool:
        """Whether the request is one of this revision."""
        return era_of(self.version) is Era.MODERN

    def param(self, *path: str) -> Json | Absent:
        """A member of its params."""
        return member(self.request.params, *path)


class Content:
    """Carries requests out. Subclasses change single steps."""

    def __init__(self, settings: Settings, profile: Profile) -> None:
        self.settings = settings
        self.profile = profile

    def handle(self, call: Call) -> Handled:
        """The outcome of a request whose method is implemented."""
        method = call.request.method
        if method in pagination.PAGINATED:
            return self.page(call)
        handlers = {
            "server/discover": self.discover,
            "resources/read": self.read,
            "tools/call": self.call_tool,
            "prompts/get": self.prompt,
            "subscriptions/listen": self.listen,
            "ping": self.empty,
            "logging/setLevel": self.empty,
        }
        return handlers[method](call)

    def complete(self, call: Call, members: JsonObject, page: int = 0) -> Handled:
        """A complete result with these members of its own."""
        added = result_members(self.profile, call.version, call.request.method)
        result: JsonObject = {}
        if added.outcome.result_type:
            result["resultType"] = "complete"
        result.update(members)
        if added.outcome.result_type and call.request.method in HINTED:
            result.update(self.caching_hints(call, page))
        if call.modern:
            result["_meta"] = self.result_meta(call)
        return Handled(result, because=added.because)

    def caching_hints(self, call: Call, page: int) -> JsonObject:
        """The hints of one page."""
        hints = self.settings.hints[call.request.method]
        return {"ttlMs": hints.ttl_ms[min(page, len(hints.ttl_ms) - 1)], "cacheScope": hints.scope}

    def result_meta(self, call: Call) -> JsonObject:
        """`_meta` of a result of this revision."""
        return {SERVER_INFO: self.settings.server_info}

    def failed(self, call: Call, condition: HandlerCondition, text: str) -> Handled:
        """The error for a request that cannot be carried out."""
        error = handler_error(self.profile, condition, call.version, call.transport)
        return _error(error, text)

    def empty(self, call: Call) -> Handled:
        """A result without members of its own."""
        return self.complete(call, {})

    def discover(self, call: Call) -> Handled:
        """What the server is."""
        versions: list[Json] = [*supported_versions(self.profile, self.settings.described()).outcome]
        members: JsonObject = {
            "supportedVersions": versions,
            "capabilities": self.settings.capabilities,
            "instructions": self.settings.instructions,
        }
        return self.complete(call, members)

    def items(self, call: Call) -> list[JsonObject]:
        """The whole list of a list method. What takes input from the user is not offered to legacy clients."""
        name, _ = pagination.PAGINATED[call.request.method]
        items = self.settings.lists.get(name, [])
        return [item for item in items if call.modern or item.get("name") != "ask"]

    def page(self, call: Call) -> Handled:
        """One page of a list."""
        method = call.request.method
        name, _ = pagination.PAGINATED[method]
        items = self.items(call)
        pages = [
            items[start : start + self._page_size(items)] for start in range(0, len(items), self._page_size(items))
        ]
        cursors = [self.cursor(method, number) for number in range(1, len(pages))]
        answer = pagination.answer_cursor(cursors, call.param("cursor"))
        match answer.outcome:
            case pagination.Error():
                return self.failed(call, "invalid-cursor", "Invalid cursor")
            case pagination.FirstPage():
                number = 0
            case pagination.PageAfter(cursor):
                number = cursors.index(cursor) + 1
        members: JsonObject = {name: list[Json](pages[number]) if pages else []}
        if number < len(cursors):
            members["nextCursor"] = cursors[number]
        handled = self.complete(call, members, number)
        handled.because += answer.because
        return handled

    def _page_size(self, items: Sequence[object]) -> int:
        return self.settings.page_size or max(len(items), 1)

    def cursor(self, method: str, page: int) -> str:
        """The cursor of a page, which names its position for ever."""
        return base64.urlsafe_b64encode(f"{method}#{page}".encode()).decode()

    def read(self, call: Call) -> Handled:
        """The contents of a resource."""
        uri = call.param("uri")
        text = self.settings.texts.get(uri) if is_string(uri) else None
        if not is_string(uri):
            return self.failed(call, "invalid-params", "uri is no string")
        if text is None:
            return self.failed(call, "resource-not-found", "Resource not found")
        return self.complete(call, {"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]})

    def prompt(self, call: Call) -> Handled:
        """A prompt."""
        name = call.param("name")
        known = [one for one in self.settings.lists.get("prompts", []) if one["name"] == name]
        if not known:
            return self.failed(call, "invalid-params", "Unknown prompt")
        who = call.param("arguments", "who")
        if name == "greet" and not is_string(who):
            return self.failed(call, "invalid-params", "The argument who is missing")
        text = f"Greet {who}" if is_string(who) else str(name)
        return self.complete(call, {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]})

    def call_tool(self, call: Call) -> Handled:
        """A tool call; `wait` is still running when this returns."""
        name, arguments = call.param("name"), call.param("arguments")
        if not is_string(name) or (arguments is not ABSENT and not is_object(arguments)):
            return self.failed(call, "invalid-params", "No name, or arguments that are no object")
        offered = [one for one in self.settings.lists.get("tools", []) if call.modern or one["name"] != "ask"]
        if name not in [one["name"] for one in offered]:
            return self.failed(call, "invalid-params", "Unknown tool")
        match name:
            case "echo":
                return self.echo(call, member(arguments, "text"))
            case "log":
                return self.log(call)
            case "ask":
                return self.ask(call)
            case "wait":
                return Handled()
        return self.text(call, name)

    def listen(self, call: Call) -> Handled:
        """Opens a stream on which there will be nothing, for this server announces no changes."""
        params: JsonObject = {"_meta": {SUBSCRIPTION_ID: call.request.id}, "notifications": {}}
        method = "notifications/subscriptions/acknowledged"
        return Handled(notifications=[{"jsonrpc": "2.0", "method": method, "params": params}])

    def text(self, call: Call, text: str, *, is_error: bool = False) -> Handled:
        """A tool result of one text."""
        members: JsonObject = {"content": [{"type": "text", "text": text}]}
        return self.complete(call, {**members, "isError": True} if is_error else members)

    def echo(self, call: Call, text: Json | Absent) -> Handled:
        """Gives the text back; without one the tool fails, so that the model can correct its call."""
        if not is_string(text):
            return self.text(call, "text is missing", is_error=True)
        return self.text(call, text)

    def log(self, call: Call) -> Handled:
        """One log message of every level that the request asked for."""
        handled = self.text(call, "logged")
        handled.notifications = list(self.log_messages(call))
        return handled

    def log_messages(self, call: Call) -> Iterator[JsonObject]:
        """The log messages of a request, one of every level that may go out."""
        requested = call.param("_meta", LOG_LEVEL) if call.modern else call.log_level or ABSENT
        for level in logging.LEVELS:
            if logging.may_emit(level, requested, "logging" in self.settings.capabilities).outcome:
                yield log_message(level)

    def ask(self, call: Call) -> Handled:
        """Needs input that only the client has."""
        answers = call.param("inputResponses", "text", "content", "text")
        if is_string(answers):
            return self.text(call, answers)
        required: dict[str, JsonObject] = {"elicitation": {"form": {}}}
        declared = call.param("_meta", CLIENT_CAPABILITIES)
        assert is_object(declared)
        way = needs_input(self.profile, call.version, call.transport, required, declared)
        match way.outcome:
            case AskInResult():
                return Handled(
                    {"resultType": "input_required", "inputRequests": _ASKED, "_meta": self.result_meta(call)},
                    because=way.because,
                )
            case MissingCapability(code, status, needed):
                data: JsonObject = {} if needed is ABSENT else {"requiredCapabilities": needed}
                return _error(
                    Decision(Error(code, status=status, data=data or ABSENT), way.because), "Missing capability"
                )
        raise AssertionError("this tool is not offered to legacy clients")


_ASKED: Final[JsonObject] = {
    "text": {
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": "Which text?",
            "requestedSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        },
    }
}


def log_message(level: str) -> JsonObject:
    """A log message."""
    params: JsonObject = {"level": level, "logger": "reference", "data": f"a message of level {level}"}
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": params}


def error_object(code: int, text: str, data: Json | Absent = ABSENT) -> JsonObject:
    """An error."""
    error: JsonObject = {"code": code, "message": text}
    if data is not ABSENT:
        error["data"] = data
    return error


def _error(error: Decision[Error], text: str) -> Handled:
    status = error.outcome.status
    return Handled(
        error=error_object(error.outcome.code, text, error.outcome.data),
        status=200 if status is ABSENT else status,
        because=error.because,
    )
