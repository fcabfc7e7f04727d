"""Exchange tables: one request to a server each, and every reply that conforms. The replies come from the rules: the
reference server answers the request under each permitted profile, and each distinct answer becomes an envelope.

    lists = exchanges("server/lists", "What a server answers to list requests.")
    lists("tools/stdio", "tools/list gives a page of tools", stdio(request("tools/list")))

What an envelope asks for is a view of the answer: each view is one thing that a reply can get wrong by itself.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final, Literal

import msgspec

from spec_model import VECTOR_SET
from spec_model.cases import format as fmt
from spec_model.cases.controls import distance
from spec_model.cases.envelopes import (
    NOTHING,
    STRING,
    Schema,
    alone,
    at_most,
    check_schema,
    error_response,
    errors,
    lacking,
    lists,
    objects,
    on_http,
    on_stdio,
    result_response,
)
from spec_model.cases.requests import LOG_LEVEL, SERVER_INFO, VERSION
from spec_model.cases.table import BadCase, case_id, checked_title
from spec_model.peers.server import HttpReply, ReferenceServer, StdioReply
from spec_model.peers.server_content import DUAL, DUAL_OLDEST, MODERN, Settings
from spec_model.requirements.catalogue import severity
from spec_model.requirements.choice import Profile
from spec_model.semantics.errors import UNSUPPORTED_VERSION
from spec_model.semantics.explore import Alternative, image
from spec_model.semantics.logging import LEVELS
from spec_model.semantics.revisions import REVISIONS, Era, era_of
from spec_model.semantics.server import (
    Accept,
    Error,
    Handshake,
    Refuse,
    RefuseNotification,
    Serve,
    Silence,
)
from spec_model.verdicts import Level
from spec_model.wire.json import encode
from spec_model.wire.values import member

ServerEra = Literal["modern", "dual"]
BOTH: Final[tuple[ServerEra, ...]] = ("modern", "dual")

# The servers that stand for all of an era: what the rules ask of one of them conforms.
SERVERS: Final[Mapping[ServerEra, tuple[Settings, ...]]] = {
    "modern": (MODERN,),
    "dual": (DUAL, DUAL_OLDEST, msgspec.structs.replace(DUAL_OLDEST, sessions=False)),
}

# What a case may ask of a dual-era server besides: that it serves, or does not serve, the clients of versions without
# the version header.
OLDEST_CLIENTS: Final = "oldest-clients"
NO_OLDEST_CLIENTS: Final = "no-oldest-clients"
_FIRST_WITH_HEADER: Final = "2025-06-18"

# The first segment of a method that is gated by the capability of the same name.
_FEATURES: Final = frozenset({"tools", "prompts", "resources"})


# --- views -----------------------------------------------------------------------------------------------------------


class View(enum.Enum):
    """What an exchange looks at: the answer itself, or one thing that a right answer has besides."""

    ANSWER = "answer"
    HINTS = "hints"
    SERVER_INFO = "server-info"
    NAMES_VERSIONS = "names-versions"
    NO_SESSION = "no-session"
    ASKS_NOTHING = "asks-nothing"
    STAYS_OPEN = "stays-open"


_VERSIONS: Final = lists(STRING, 1)
_PAGES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "tools/list": ("tools", ("name", "inputSchema")),
    "prompts/list": ("prompts", ("name",)),
    "resources/list": ("resources", ("uri", "name")),
    "resources/templates/list": ("resourceTemplates", ("uriTemplate", "name")),
}
_MEMBERS: Final[Mapping[str, Schema]] = {
    "server/discover": {
        "supportedVersions": {**_VERSIONS, "contains": {"const": VERSION}},
        "capabilities": {"type": "object"},
    },
    "tools/call": {"content": lists(objects({"type": STRING}))},
}
_COMPLETE: Final[Schema] = {"const": "complete"}
_INPUT_REQUIRED: Final[Schema] = {
    **objects({"resultType": {"const": "input_required"}}),
    "anyOf": [{"required": ["inputRequests"]}, {"required": ["requestState"]}],
}
_IMPLEMENTATION: Final = objects({"name": STRING, "version": STRING})
_HINTED: Final = objects({"ttlMs": {"type": "integer", "minimum": 0}, "cacheScope": {"enum": ["public", "private"]}})
_LEGACY_VERSIONS: Final = [version for version in REVISIONS if era_of(version) is Era.LEGACY]


def _answered(response: Schema, message: Any) -> Schema:
    """One response. Notifications of its request precede it only where the request asked for them."""
    asked = member(message, "params", "_meta", LOG_LEVEL)
    if asked not in LEVELS:
        return alone(response)
    levels = objects({"level": {"enum": [*LEVELS[LEVELS.index(asked) :]]}, "data": {}})
    logged = objects({"jsonrpc": {"const": "2.0"}, "method": {"const": "notifications/message"}, "params": levels})
    return {**lists({"anyOf": [response, logged]}, 1), "contains": response}


def _result(message: Any, view: View, version: str) -> Schema:
    """What a result of the method of a request has, seen by one view."""
    if view is View.HINTS:
        return _HINTED
    if view is View.SERVER_INFO:
        return objects({"_meta": objects({SERVER_INFO: _IMPLEMENTATION})})
    typed: Schema = {"resultType": _COMPLETE} if era_of(version) is Era.MODERN else {}
    method = member(message, "method")
    if isinstance(method, str) and method in _PAGES:
        name, required = _PAGES[method]
        page = lists({"type": "object", "required": list(required)})
        return objects({**typed, name: page, "nextCursor": STRING}, "nextCursor")
    return objects({**typed, **_MEMBERS.get(str(method), {})})


def _error_schema(error: Any, view: View) -> Schema:
    """An error with the same code, and the data that its code calls for."""
    if view is View.NAMES_VERSIONS:
        return _naming(_ANY_ERROR)
    schema = errors({"const": error["code"]})
    if error["code"] == UNSUPPORTED_VERSION:
        supported = {**_VERSIONS, "contains": {"const": VERSION}}
        data = objects({"supported": supported, "requested": {"const": error["data"]["requested"]}})
        schema = errors({"const": error["code"]}, data=data)
    return schema


def _naming(error: Schema) -> Schema:
    """An error whose message names the version, or whose data lists it."""
    named: Schema = {**STRING, "pattern": VERSION}
    listed: Schema = {"type": "array", "contains": named}
    ways = [objects({"message": named}), objects({"data": named}), objects({"data": listed})]
    ways += [objects({"data": objects({name: listed})}) for name in ("supported", "supportedVersions", "versions")]
    return {**error, "anyOf": ways}


_ANY_ERROR: Final = errors({"type": "integer"})
_WITHOUT_ID: Final = error_response(_ANY_ERROR)


# --- envelopes -------------------------------------------------------------------------------------------------------


def envelope_of(reply: StdioReply | HttpReply, message: Any, view: View) -> Schema:
    """The envelope that stands for all replies which are as good as this one of the reference server."""
    if view is View.NO_SESSION:
        return objects({"headers": lacking({"type": "object"}, "mcp-session-id")})
    messages = _messages(reply, message, view)
    if isinstance(reply, StdioReply):
        return on_stdio(messages, **({"closed": {"const": False}} if view is View.STAYS_OPEN else {}))
    return on_http(_status(reply), messages)


def _status(reply: HttpReply) -> Schema:
    """The status of a reply, as far as it is fixed."""
    if isinstance(reply.decided, RefuseNotification):
        return {"type": "integer", "minimum": 400}
    if isinstance(reply.decided, Error) and reply.decided.status is msgspec.UNSET:
        return {"type": "integer"}
    return {"const": reply.status}


def _messages(reply: StdioReply | HttpReply, message: Any, view: View) -> Schema:
    decided = reply.decided
    match decided:
        case Accept() | Silence():
            return NOTHING
        case RefuseNotification():
            return at_most(_WITHOUT_ID)
        case Refuse():
            return _refusal(decided, view)
        case Serve() if not reply.messages or member(reply.messages[-1], "method"):
            return _subscribed(message)
        case Handshake():
            settled: Schema = {"enum": _LEGACY_VERSIONS}
            result = objects(
                {"protocolVersion": settled, "capabilities": {"type": "object"}, "serverInfo": _IMPLEMENTATION}
            )
            return _handshake(result_response(member(message, "id"), result), view)
        case Serve(version):
            return _answered(_response(reply.messages[-1], message, view, version), message)
        case Error():
            return alone(_response(reply.messages[-1], message, view, VERSION))
    raise BadCase(f"no envelope for {decided}")


def _handshake(response: Schema, view: View) -> Schema:
    """The response to initialize; of what a server may send besides, pings and notifications are harmless."""
    if view is not View.ASKS_NOTHING:
        return {"type": "array", "contains": response}
    ping = objects({"method": {"const": "ping"}})
    note = lacking(objects({"method": STRING}), "id")
    return {**lists({"anyOf": [response, ping, note]}, 1), "contains": response}


def _response(response: Any, message: Any, view: View, version: str) -> Schema:
    if "result" in response:
        asks = member(response, "result", "resultType") == "input_required"
        return result_response(response["id"], _INPUT_REQUIRED if asks else _result(message, view, version))
    members = {"id": {"const": response["id"]}} if "id" in response else {}
    return error_response(_error_schema(response["error"], view), **members)


def _refusal(refuse: Refuse, view: View) -> Schema:
    error = _naming(_ANY_ERROR) if view is View.NAMES_VERSIONS else _ANY_ERROR
    if isinstance(refuse.id, str | int):
        return alone(error_response(error, id={"const": refuse.id}))
    if refuse.body is msgspec.UNSET:
        return at_most({"type": "object"})
    return NOTHING if refuse.body.value == "empty" else alone(_WITHOUT_ID)


def _subscribed(message: Any) -> Schema:
    """What comes first on a subscription: its acknowledgement, and nothing that is not tagged with its id."""
    tagged = objects({"_meta": objects({"io.modelcontextprotocol/subscriptionId": {"const": message["id"]}})})
    method: Schema = {**STRING, "not": {"const": "notifications/message"}}
    item = lacking(objects({"jsonrpc": {"const": "2.0"}, "method": method, "params": tagged}), "id")
    acknowledged = objects({"method": {"const": "notifications/subscriptions/acknowledged"}})
    return {"type": "array", "minItems": 1, "items": item, "contains": acknowledged}


# --- requests --------------------------------------------------------------------------------------------------------


def stdio(message: Any) -> fmt.Request:
    """A message on a line."""
    return fmt.Request(transport="stdio", message=message)


def stdio_text(text: str) -> fmt.Request:
    """A line that is no JSON."""
    return fmt.Request(transport="stdio", raw=text)


def post(message: Any, headers: Mapping[str, str]) -> fmt.Request:
    """A POST of a message."""
    return fmt.Request(transport="http", method="POST", headers=dict(headers), message=message)


def post_text(text: str, headers: Mapping[str, str]) -> fmt.Request:
    """A POST of a body that is no JSON."""
    return fmt.Request(transport="http", method="POST", headers=dict(headers), raw=text)


def http(method: str, headers: Mapping[str, str]) -> fmt.Request:
    """An HTTP request without a body."""
    return fmt.Request(transport="http", method=method, headers=dict(headers))


def answer_to(server: ReferenceServer, request: fmt.Request, connection: int = 0) -> StdioReply | HttpReply:
    """What a server of ours answers to a request, over HTTP on this connection."""
    body = b"" if request.message is msgspec.UNSET else encode(request.message)
    if request.raw is not None:
        body = request.raw.encode()
    if request.transport == "stdio":
        return server.receive_line(body)
    return server.receive_http(request.method, request.headers, body, connection)


def normalised(reply: StdioReply | HttpReply) -> dict[str, Any]:
    """The reply as envelopes see it."""
    if isinstance(reply, StdioReply):
        return {"messages": reply.messages, "closed": reply.exited}
    return {
        "status": reply.status,
        "headers": reply.headers,
        "messages": reply.messages,
        "closed": reply.ended,
    }


# --- tables ----------------------------------------------------------------------------------------------------------


@dataclass
class ExchangeCase:
    """One request. `shows` names the wire requirements that a faulty server breaks here, `governs` those of them that
    the reply is about first; `see` the field reports that it covers."""

    id: str
    title: str
    request: fmt.Request
    eras: tuple[ServerEra, ...]
    view: View
    governs: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    note: str = ""
    flags: tuple[str, ...] = ()
    fixture: str = ""
    since: str = VECTOR_SET
    control: str = ""

    def servers(self, era: ServerEra) -> list[Settings]:
        """The servers of an era to which the case applies."""
        return [one for one in SERVERS[era] if not self.fixture or _fixture(one) == self.fixture]

    @property
    def message(self) -> Any:
        """The message that is sent, None where there is none."""
        return None if self.request.message is msgspec.UNSET else self.request.message

    @cached_property
    def alternatives(self) -> list[Alternative]:
        """Every envelope that conforms, that of the default profile first; the same for each era."""
        first, *others = [self._of_era(era) for era in self.eras]
        for other in others:
            if {_key(one.output) for one in other} != {_key(one.output) for one in first}:
                raise BadCase(f"{self.id}: servers of {' and '.join(self.eras)} may answer differently; split it")
        return first

    def _of_era(self, era: ServerEra) -> list[Alternative]:
        found: dict[bytes, Alternative] = {}
        for settings in self.servers(era):
            for reply in image(partial(self._run, settings)).outcomes:
                envelope = envelope_of(reply.output, self.message, self.view)
                check_schema(envelope)
                one, key = Alternative(envelope, reply.because, reply.when), _key(envelope)
                if key not in found or one.is_better_than(found[key]):
                    found[key] = one
        return list(found.values())

    def _run(self, settings: Settings, profile: Profile) -> tuple[Hashable, StdioReply | HttpReply, tuple[str, ...]]:
        reply = answer_to(ReferenceServer(settings, profile), self.request)
        return _content(reply), reply, reply.because

    @property
    def requirements(self) -> list[str]:
        """The requirements that force the first reply, as far as this view looks at them."""
        because = self.alternatives[0].because
        seen = [one for one in because if _seen(one, self.view)]
        found = list(dict.fromkeys((*self.governs, *seen)))
        if not found:
            raise BadCase(f"{self.id}: no requirement is seen here")
        return found

    @property
    def level(self) -> Level:
        """The level of the governing requirement."""
        return severity(self.requirements[0])

    @cached_property
    def accepts(self) -> bool:
        """Whether the first reply serves the request."""
        settings = self.servers(self.eras[0])[0]
        reply = answer_to(ReferenceServer(settings), self.request)
        served = isinstance(reply.decided, Serve | Handshake)
        return served and member(reply.messages[-1] if reply.messages else None, "error") is msgspec.UNSET

    def applies_if(self) -> fmt.AppliesIf:
        """When the case applies."""
        method = member(self.message, "method")
        feature = method.partition("/")[0] if isinstance(method, str) else ""
        gate: dict[str, Any] = {feature: {}} if feature in _FEATURES else {}
        return fmt.AppliesIf(
            role="server",
            eras=list(self.eras),
            transports=[self.request.transport],
            capabilities=gate,
            fixtures=[self.fixture] if self.fixture else [],
        )


def _fixture(settings: Settings) -> str:
    oldest = any(version < _FIRST_WITH_HEADER for version in settings.versions)
    return OLDEST_CLIENTS if oldest else NO_OLDEST_CLIENTS


def _content(reply: StdioReply | HttpReply) -> Hashable:
    """What tells two replies apart."""
    if isinstance(reply, StdioReply):
        return tuple(reply.lines), reply.exited
    return reply.status, tuple(reply.headers.items()), msgspec.json.encode(reply.messages), reply.ended


def _key(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def _seen(requirement: str, view: View) -> bool:
    match view:
        case View.HINTS:
            return requirement.startswith("caching.")
        case View.SERVER_INFO | View.NAMES_VERSIONS | View.NO_SESSION | View.ASKS_NOTHING:
            return False
        case View.ANSWER | View.STAYS_OPEN:
            return not requirement.startswith("caching.")


@dataclass
class ExchangeTable:
    """The exchanges of one area: one vector file."""

    prefix: str
    about: str
    flags: dict[str, str]
    cases: list[ExchangeCase] = field(default_factory=list)

    def __call__(
        self,
        slug: str,
        title: str,
        request: fmt.Request,
        *,
        eras: tuple[ServerEra, ...] = BOTH,
        view: View = View.ANSWER,
        governs: tuple[str, ...] = (),
        shows: tuple[str, ...] = (),
        see: tuple[str, ...] = (),
        note: str = "",
        flags: tuple[str, ...] = (),
        fixture: str = "",
    ) -> None:
        """Adds an exchange. A requirement that governs must be shown, or be one that the rules decide."""
        for flag in flags:
            if flag not in self.flags:
                raise BadCase(f"{self.prefix}/{slug}: the file does not define the flag {flag}")
        case = ExchangeCase(
            case_id(self.prefix, slug),
            checked_title(slug, title),
            request,
            eras,
            view,
            governs,
            shows,
            see,
            note,
            flags,
            fixture,
        )
        self.cases.append(case)


_EXCHANGES: list[ExchangeTable] = []


def exchanges(prefix: str, about: str, flags: dict[str, str] | None = None) -> ExchangeTable:
    """A new table of exchanges whose ids start with `prefix`; `flags` maps each flag to its meaning."""
    table = ExchangeTable(prefix, about, dict(flags or {}))
    _EXCHANGES.append(table)
    return table


def exchange_tables() -> list[ExchangeTable]:
    """Every table, by its prefix."""
    from spec_model.cases import exchanges  # noqa: F401  the module holds the tables

    return sorted(_EXCHANGES, key=lambda table: table.prefix)


def exchange_cases() -> Iterator[ExchangeCase]:
    """Every exchange."""
    return (case for table in exchange_tables() for case in table.cases)


def assign_exchange_controls(cases: list[ExchangeCase]) -> None:
    """Gives every exchange whose request is refused the nearest one on its transport that is served."""
    for case in cases:
        served = [one for one in cases if one.accepts and one.request.transport == case.request.transport]
        nearest = min(served, key=lambda one: distance(_sent(case), _sent(one), 99), default=None)
        case.control = "" if case.accepts or nearest is None else nearest.id


def _sent(case: ExchangeCase) -> dict[str, Any]:
    return {"headers": case.request.headers, "message": case.message, "raw": case.request.raw}


# --- files -----------------------------------------------------------------------------------------------------------


def exchange_file(table: ExchangeTable, revision: str) -> fmt.ExchangeFile:
    """The file of one area."""
    assign_exchange_controls(table.cases)
    return fmt.ExchangeFile(
        schema="../../schema/exchange.schema.json",
        format=fmt.FORMAT,
        kind="exchange",
        revision=revision,
        about=table.about,
        flags=table.flags,
        cases=[_exchange(case) for case in table.cases],
    )


def _exchange(case: ExchangeCase) -> fmt.Exchange:
    return fmt.Exchange(
        id=case.id,
        title=case.title,
        requirements=case.requirements,
        level=case.level,
        since=case.since,
        note=case.note,
        flags=list(case.flags),
        control=case.control,
        see=list(case.see),
        shows=list(case.shows),
        applies_if=case.applies_if(),
        request=case.request,
        replies=_replies(case.alternatives),
    )


def _replies(alternatives: list[Alternative]) -> list[fmt.Reply]:
    """The replies with names of their own: the values of the choices that permit them."""
    found: dict[str, fmt.Reply] = {}
    for one in alternatives:
        name = "-".join(one.when.values()) or ("other-server" if found else "normative")
        if name in found:
            name = f"{name}-{len(found)}"
        found[name] = fmt.Reply(
            name=name,
            grade=msgspec.convert(one.grade, fmt.Grade),
            envelope=one.output,
            basis=msgspec.convert(one.basis(), fmt.Basis) if one.when else None,
            when=one.when,
        )
    return list(found.values())
