"""Faulty servers: the reference server with one thing wrong, each by a name.

A fault says which requirements it breaks. The vectors are tested with them: a case that claims to show a requirement
is failed by a fault that breaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

import msgspec

from spec_model.peers.server import HttpReply, ReferenceServer, Reply, Session, StdioReply
from spec_model.peers.server_content import Call, Content, Handled, Settings, error_object, log_message
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.semantics.decision import Decision
from spec_model.semantics.meta_keys import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, SERVER_INFO
from spec_model.semantics.pagination import PAGINATED
from spec_model.semantics.server import Answer, Transport
from spec_model.semantics.server_messages import Request
from spec_model.semantics.server_replies import HandlerCondition
from spec_model.wire.json import decode
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_object, member


@dataclass(frozen=True)
class Fault:
    """One thing that a server does wrong: `what` in one line, and the requirements that it `breaks`.

    `timeline`: it shows only over several messages, never in the answer to one.
    """

    name: str
    what: str
    breaks: tuple[str, ...]
    server_type: type[ReferenceServer]
    timeline: bool = False

    def server(self, settings: Settings, profile: Profile = DEFAULT_PROFILE) -> ReferenceServer:
        """A server with this fault."""
        return self.server_type(settings, profile)


FAULTS: dict[str, Fault] = {}

S = TypeVar("S", bound=type[ReferenceServer])


def _fault(name: str, *breaks: str, timeline: bool = False) -> Callable[[S], S]:
    def register(server_type: S) -> S:
        FAULTS[name] = Fault(name, (server_type.__doc__ or "").strip(), breaks, server_type, timeline)
        return server_type

    return register


def faults_of(requirement: str) -> Iterator[Fault]:
    """The faults that break a requirement."""
    return (fault for fault in FAULTS.values() if requirement in fault.breaks)


# --- state between requests ------------------------------------------------------------------------------------------


class _Remembering(ReferenceServer):
    """Keeps the metadata of the first request."""

    key: ClassVar[str]

    def __init__(self, settings: Settings, profile: Profile = DEFAULT_PROFILE) -> None:
        super().__init__(settings, profile)
        self.first_meta: JsonObject | None = None

    def received(self, message: Json) -> Json:
        meta = member(message, "params", "_meta")
        if not is_object(meta) or not is_object(message):
            return message
        if self.first_meta is None:
            self.first_meta = meta
            return message
        known = self.remembered(self.first_meta, meta)
        params = message["params"]
        assert is_object(params)
        return {**message, "params": {**params, "_meta": {**meta, **known}}}

    def remembered(self, first: JsonObject, meta: JsonObject) -> JsonObject:
        """What replaces the metadata of a later request."""
        return {self.key: first[self.key]} if self.key in first else {}


@_fault(
    "remembers-version",
    "statelessness.server.no-prior-context",
    "statelessness.server.no-inferred-state",
    "statelessness.server.no-connection-as-session",
    timeline=True,
)
class _RemembersVersion(_Remembering):
    """Serves every request by the version of the first one."""

    key = PROTOCOL_VERSION


@_fault(
    "remembers-capabilities",
    "statelessness.server.no-prior-context",
    "statelessness.server.no-inferred-state",
    "statelessness.server.multi-context",
    "meta.capability.no-undeclared",
    timeline=True,
)
class _RemembersCapabilities(_Remembering):
    """Takes the client capabilities of the first request for those of every later one."""

    key = CLIENT_CAPABILITIES


@_fault(
    "remembers-client", "statelessness.server.no-prior-context", "statelessness.server.multi-context", timeline=True
)
class _RemembersClient(_Remembering):
    """Fills what the metadata of a request lacks from that of the first one."""

    def remembered(self, first: JsonObject, meta: JsonObject) -> JsonObject:
        return {**first, **meta}


@_fault(
    "remembers-log-level",
    "statelessness.server.no-prior-context",
    "logging.server.silent-without-level",
    timeline=True,
)
class _RemembersLogLevel(_Remembering):
    """Takes the log level of the first request for that of every later one."""

    key = LOG_LEVEL


class _Binding(ReferenceServer):
    """Refuses what differs in its metadata from the first request."""

    key: ClassVar[str]

    def __init__(self, settings: Settings, profile: Profile = DEFAULT_PROFILE) -> None:
        super().__init__(settings, profile)
        self.first: list[Json | Absent] = []

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        value = request.meta(self.key)
        self.first = self.first or [value]
        if value != self.first[0]:
            return _refusal(request, -32600, 400)
        return super().serve(request, version, transport, session)


@_fault("binds-client", "statelessness.server.no-prior-context", "statelessness.server.multi-context", timeline=True)
class _BindsClient(_Binding):
    """Serves the client that sent the first request, and no other."""

    key = CLIENT_INFO


@_fault("binds-capabilities", "statelessness.server.no-prior-context", timeline=True)
class _BindsCapabilities(_Binding):
    """Refuses requests that declare other capabilities than the first one."""

    key = CLIENT_CAPABILITIES


@_fault("broken-by-error", "statelessness.server.independent-processing", timeline=True)
class _BrokenByError(ReferenceServer):
    """Refuses every request after one that it answered with an error."""

    broken = False

    def framed(self, reply: Reply) -> StdioReply:
        return super().framed(self._checked(reply))

    def response(self, reply: Reply) -> HttpReply:
        return super().response(self._checked(reply))

    def _checked(self, reply: Reply) -> Reply:
        after = self.broken
        self.broken = after or any(member(one, "error") is not ABSENT for one in reply.messages)
        if not after:
            return reply
        ids = [member(one, "id") for one in reply.messages if member(one, "method") is ABSENT]
        error = error_object(-32603, "Broken")
        broken: list[Json] = [{"jsonrpc": "2.0", "id": one, "error": error} for one in ids if one is not ABSENT]
        return replace(reply, messages=broken)


@_fault("ids-once", "statelessness.server.independent-processing", timeline=True)
class _IdsOnce(ReferenceServer):
    """Refuses an id that was used before, as a text or as a number."""

    def __init__(self, settings: Settings, profile: Profile = DEFAULT_PROFILE) -> None:
        super().__init__(settings, profile)
        self.used: set[str] = set()

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        if str(request.id) in self.used:
            return _refusal(request, -32600, 400)
        self.used.add(str(request.id))
        return super().serve(request, version, transport, session)


class _Demanding(ReferenceServer):
    """Refuses every request until one of a certain method came."""

    method: ClassVar[str]

    def __init__(self, settings: Settings, profile: Profile = DEFAULT_PROFILE) -> None:
        super().__init__(settings, profile)
        self.opened = False

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        self.opened = self.opened or request.method == self.method
        if self.opened:
            return super().serve(request, version, transport, session)
        return _refusal(request, -32600, 400)


def _refusal(request: Request, code: int, status: int = 200) -> Reply:
    error = error_object(code, "Refused")
    return Reply([{"jsonrpc": "2.0", "id": request.id, "error": error}], status)


@_fault(
    "demands-discover",
    "discovery.call.not-prerequisite",
    "statelessness.server.independent-processing",
    "statelessness.request.self-contained",
)
class _DemandsDiscover(_Demanding):
    """Refuses everything until server/discover was called."""

    method = "server/discover"


@_fault(
    "demands-initialize",
    "versioning.request.no-handshake",
    "statelessness.server.independent-processing",
    "statelessness.request.self-contained",
    "statelessness.server.no-connection-as-session",
)
class _DemandsInitialize(_Demanding):
    """Refuses everything until initialize was called."""

    method = "initialize"


@_fault(
    "one-at-a-time",
    "statelessness.server.independent-processing",
    "statelessness.client.may-interleave",
    "statelessness.server.multi-context",
    timeline=True,
)
class _OneAtATime(ReferenceServer):
    """Refuses a request while another one is running."""

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        if self.running:
            return _refusal(request, -32603)
        return super().serve(request, version, transport, session)


class _CursorsOfProcess(Content):
    def cursor(self, method: str, page: int) -> str:
        return f"{super().cursor(method, page)}@{id(self)}"


@_fault("cursors-of-process", "statelessness.server.no-process-affinity", timeline=True)
class _ServerWithCursorsOfProcess(ReferenceServer):
    """Issues cursors that only the process which issued them understands."""

    content_type = _CursorsOfProcess


@_fault("one-connection", "statelessness.server.no-connection-affinity", timeline=True)
class _OneConnection(ReferenceServer):
    """Serves the connection that brought the first request, and no other."""

    first: int | None = None

    def receive_http(
        self, method: str, headers: Mapping[str, str], body: bytes = b"", connection: int = 0
    ) -> HttpReply:
        self.first = connection if self.first is None else self.first
        if connection != self.first:
            return HttpReply(409)
        return super().receive_http(method, headers, body, connection)


@_fault("lenient-over-http", "transport.semantics.identical")
class _LenientOverHttp(ReferenceServer):
    """Takes over HTTP a request without client capabilities for one that declares none."""

    def reply_to_post(self, message: Json, headers: Mapping[str, str]) -> Reply:
        meta = member(message, "params", "_meta")
        if is_object(message) and is_object(meta):
            params = message["params"]
            assert is_object(params)
            message = {**message, "params": {**params, "_meta": {CLIENT_CAPABILITIES: {}, **meta}}}
        return super().reply_to_post(message, headers)


# --- messages --------------------------------------------------------------------------------------------------------


@_fault("answers-notifications", "base.notification.no-response")
class _AnswersNotifications(ReferenceServer):
    """Answers a notification with an error."""

    def reply(self, decision: Decision[Answer], message: Json, transport: Transport, session: Session | None) -> Reply:
        if is_object(message) and "method" in message and "id" not in message:
            return Reply([{"jsonrpc": "2.0", "id": None, "error": error_object(-32601, "Unknown notification")}])
        return super().reply(decision, message, transport, session)


class _Extra(ReferenceServer):
    """Sends one more message before the response to every request."""

    message: ClassVar[JsonObject]

    def sent(self, request_id: str | int, handled: Handled) -> Reply:
        reply = super().sent(request_id, handled)
        return replace(reply, messages=[self.message, *reply.messages])


@_fault(
    "sends-request", "transport.direction.no-server-requests", "stdio.emit.three-kinds", "stdio.emit.input-required"
)
class _SendsRequest(_Extra):
    """Sends the client a request."""

    message: ClassVar[JsonObject] = {"jsonrpc": "2.0", "id": "server-1", "method": "roots/list"}


@_fault("sends-unsolicited", "stdio.emit.three-kinds")
class _SendsUnsolicited(_Extra):
    """Announces changes that nobody subscribed to."""

    message: ClassVar[JsonObject] = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}


@_fault("sends-elicitation-complete", "removed.notification.elicitation-complete")
class _SendsElicitationComplete(_Extra):
    """Sends a notification that this revision removed."""

    message: ClassVar[JsonObject] = {
        "jsonrpc": "2.0",
        "method": "notifications/elicitation/complete",
        "params": {"elicitationId": "1"},
    }


class _Silent(ReferenceServer):
    """Leaves some requests without an answer."""

    def ignores(self, message: Json) -> bool:
        """Whether a message gets no answer."""
        raise NotImplementedError

    def framed(self, reply: Reply) -> StdioReply:
        return super().framed(replace(reply, messages=[]) if self._ignored else reply)

    def response(self, reply: Reply) -> HttpReply:
        return super().response(replace(reply, messages=[]) if self._ignored else reply)

    def received(self, message: Json) -> Json:
        self._ignored = self.ignores(message)
        return message

    _ignored = False


@_fault(
    "drops-requests",
    "base.patterns.request-answered",
    "transport.delivery.client-requests",
    "stdio.streams.server-input",
)
class _DropsRequests(_Silent):
    """Reads nothing."""

    def ignores(self, message: Json) -> bool:
        return True


@_fault("silent-without-client-info", "base.patterns.request-answered")
class _SilentWithoutClientInfo(_Silent):
    """Drops requests that do not identify their client."""

    def ignores(self, message: Json) -> bool:
        return member(message, "params", "_meta", CLIENT_INFO) is ABSENT


@_fault("silent-on-errors", "base.patterns.request-answered")
class _SilentOnErrors(ReferenceServer):
    """Drops every request that it does not serve."""

    def framed(self, reply: Reply) -> StdioReply:
        return super().framed(_without_errors(reply))

    def response(self, reply: Reply) -> HttpReply:
        return super().response(_without_errors(reply))


def _without_errors(reply: Reply) -> Reply:
    return replace(reply, messages=[one for one in reply.messages if member(one, "error") is ABSENT])


class _Rewriting(ReferenceServer):
    """Changes every response before it goes out."""

    def rewritten(self, response: JsonObject) -> JsonObject:
        """The response that goes out."""
        raise NotImplementedError

    def framed(self, reply: Reply) -> StdioReply:
        return super().framed(replace(reply, messages=self._all(reply)))

    def response(self, reply: Reply) -> HttpReply:
        return super().response(replace(reply, messages=self._all(reply)))

    def _all(self, reply: Reply) -> list[Json]:
        return [self.rewritten(one) if is_object(one) and "method" not in one else one for one in reply.messages]


@_fault("null-ids", "errors.response.id-echo")
class _NullIds(_Rewriting):
    """Gives every error a null id."""

    def rewritten(self, response: JsonObject) -> JsonObject:
        return {**response, "id": None} if "error" in response else response


@_fault("ids-as-text", "errors.response.id-echo", "results.response.id-echo")
class _IdsAsText(_Rewriting):
    """Gives every id back as a string."""

    def rewritten(self, response: JsonObject) -> JsonObject:
        return {**response, "id": str(response["id"])} if response.get("id") is not None else response


@_fault("text-on-stdout", "stdio.stdout.only-messages", "stdio.emit.three-kinds")
class _TextOnStdout(ReferenceServer):
    """Writes log lines to its standard output."""

    def framed(self, reply: Reply) -> StdioReply:
        framed = super().framed(reply)
        return replace(framed, lines=[b"INFO handling one message", *framed.lines])


@_fault("writes-to-stderr", "stdio.streams.server-output")
class _WritesToStderr(ReferenceServer):
    """Writes its messages somewhere else than to standard output."""

    def framed(self, reply: Reply) -> StdioReply:
        return replace(super().framed(reply), lines=[])


@_fault("stays-at-end-of-input", "stdio.shutdown.server-exits-on-eof", timeline=True)
class _StaysAtEndOfInput(ReferenceServer):
    """Goes on when its standard input is closed."""

    def end_of_input(self) -> StdioReply:
        return StdioReply(exited=False)


@_fault("exits-on-unreadable-line")
class _ExitsOnUnreadableLine(ReferenceServer):
    """Ends on a line that is no JSON."""

    def framed(self, reply: Reply) -> StdioReply:
        codes = [member(one, "error", "code") for one in reply.messages]
        return replace(super().framed(reply), lines=[], exited=True) if -32700 in codes else super().framed(reply)


@_fault("loses-line-after-unreadable", "transport.delivery.client-requests", timeline=True)
class _LosesLineAfterUnreadable(ReferenceServer):
    """Drops the line after one that is no message."""

    drops = False

    def receive_line(self, line: bytes) -> StdioReply:
        if self.drops:
            self.drops = False
            return StdioReply()
        decoded = decode(line)
        self.drops = not decoded.ok or not is_object(decoded.value) or "jsonrpc" not in decoded.value
        return super().receive_line(line)


@_fault("cancels-by-text", "base.patterns.request-answered", timeline=True)
class _CancelsByText(ReferenceServer):
    """Takes a cancellation of the text of an id for one of the id."""

    def cancel(self, request_id: Json | Absent) -> None:
        for key in [key for key in self.running if str(key) == str(request_id)]:
            del self.running[key]


@_fault("answers-cancelled", "stdio.cancel.no-further-messages", timeline=True)
class _AnswersCancelled(ReferenceServer):
    """Answers a request although it was cancelled."""

    def cancel(self, request_id: object) -> None:
        """Takes no notice."""


@_fault(
    "drops-notifications", "transport.delivery.client-notifications", "stdio.cancel.no-further-messages", timeline=True
)
class _DropsNotifications(ReferenceServer):
    """Reads no notification."""

    def note(self, message: Json, transport: Transport) -> Reply:
        return Reply(status=202)


# --- discovery and metadata ------------------------------------------------------------------------------------------


@_fault("no-discover", "discovery.method.implemented")
class _NoDiscover(ReferenceServer):
    """Does not know server/discover."""

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        if request.method == "server/discover":
            return _refusal(request, -32601, 404)
        return super().serve(request, version, transport, session)


@_fault("overstates-capabilities", "discovery.result.capabilities-accurate")
class _OverstatesCapabilities(ReferenceServer):
    """Advertises what it does not implement."""

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        if request.method == "server/discover" or request.method.startswith("tools/"):
            return super().serve(request, version, transport, session)
        return _refusal(request, -32601, 404)


class _NoServerInfo(Content):
    def result_meta(self, call: Call) -> JsonObject:
        return {key: value for key, value in super().result_meta(call).items() if key != SERVER_INFO}


@_fault("no-server-info", "meta.response.server-info")
class _ServerWithoutInfo(ReferenceServer):
    """Does not say what it is."""

    content_type = _NoServerInfo


@_fault("varies-by-client", "meta.identity.client-info-no-behavior", timeline=True)
class _VariesByClient(ReferenceServer):
    """Refuses clients whose name it does not know."""

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        if request.meta(CLIENT_INFO, "name") not in (ABSENT, "ExampleClient"):
            return _refusal(request, -32600, 400)
        return super().serve(request, version, transport, session)


class _AsksAnybody(Content):
    def call_tool(self, call: Call) -> Handled:
        asked: JsonObject = {"text": {"method": "roots/list", "params": {}}}
        return Handled({"resultType": "input_required", "inputRequests": asked, "_meta": self.result_meta(call)})


@_fault("asks-undeclared", "meta.capability.no-undeclared")
class _AsksUndeclared(ReferenceServer):
    """Asks every client for its roots."""

    content_type = _AsksAnybody


class _AsksOnLists(Content):
    def page(self, call: Call) -> Handled:
        return Handled({"resultType": "input_required", "requestState": "page", "_meta": self.result_meta(call)})


@_fault("asks-on-lists", "mrtr.supported.nothing-else")
class _ServerAskingOnLists(ReferenceServer):
    """Answers a list request with a request for input."""

    content_type = _AsksOnLists


class _BareAcknowledgement(Content):
    def listen(self, call: Call) -> Handled:
        handled = super().listen(call)
        acknowledged = {"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged"}
        handled.notifications = [{**acknowledged, "params": {"notifications": {}}}]
        return handled


@_fault("no-subscription-id", "meta.notification.subscription-id")
class _ServerWithoutSubscriptionId(ReferenceServer):
    """Does not say to which subscription a notification belongs."""

    content_type = _BareAcknowledgement


class _LogsOnListen(Content):
    def listen(self, call: Call) -> Handled:
        handled = super().listen(call)
        handled.notifications.append(log_message("emergency"))
        return handled


@_fault("logs-on-listen", "logging.server.not-on-listen")
class _ServerLoggingOnListen(ReferenceServer):
    """Sends log messages on a subscription stream."""

    content_type = _LogsOnListen


@_fault("one-subscription", "statelessness.listen.request-scoped", timeline=True)
class _OneSubscription(ReferenceServer):
    """Refuses a subscription while another one is open."""

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        if request.method == "subscriptions/listen" and self.running:
            return _refusal(request, -32600, 400)
        return super().serve(request, version, transport, session)


class _FilterOfConnection(Content):
    def __init__(self, settings: Settings, profile: Profile) -> None:
        super().__init__(settings, profile)
        self.filters: JsonObject = {}

    def listen(self, call: Call) -> Handled:
        asked = call.param("notifications")
        self.filters |= asked if is_object(asked) else {}
        handled = super().listen(call)
        (acknowledged,) = handled.notifications
        assert is_object(acknowledged["params"])
        handled.notifications = [
            {**acknowledged, "params": {**acknowledged["params"], "notifications": dict(self.filters)}}
        ]
        return handled


@_fault("filter-of-connection", "statelessness.listen.request-scoped", timeline=True)
class _ServerWithFilterOfConnection(ReferenceServer):
    """Adds what a subscription asks for to what earlier ones asked for."""

    content_type = _FilterOfConnection


@_fault("ends-cancelled-subscription", "stdio.cancel.no-further-messages", timeline=True)
class _EndsCancelledSubscription(ReferenceServer):
    """Answers a subscription when it is cancelled."""

    def note(self, message: Json, transport: Transport) -> Reply:
        cancelled = member(message, "params", "requestId")
        open_now = [key for key, call in self.running.items() if call.request.method == "subscriptions/listen"]
        reply = super().note(message, transport)
        if cancelled not in open_now:
            return reply
        return replace(reply, messages=[{"jsonrpc": "2.0", "id": cancelled, "result": {"resultType": "complete"}}])


# --- lists -----------------------------------------------------------------------------------------------------------


class _NoHints(Content):
    def caching_hints(self, call: Call, page: int) -> JsonObject:
        return {}


@_fault(
    "no-hints",
    "caching.hints.discover",
    "caching.hints.tools-list",
    "caching.hints.prompts-list",
    "caching.hints.resources-list",
    "caching.hints.resource-templates-list",
    "caching.hints.resources-read",
)
class _ServerWithoutHints(ReferenceServer):
    """Leaves out the caching hints."""

    content_type = _NoHints


class _HintsOfFirstPage(Content):
    def caching_hints(self, call: Call, page: int) -> JsonObject:
        hints = super().caching_hints(call, page)
        return hints if page == 0 else {"cacheScope": hints["cacheScope"]}


@_fault("ttl-on-first-page-only", "caching.page.own-ttl", timeline=True)
class _ServerWithTtlOnFirstPage(ReferenceServer):
    """Gives a lifetime to the first page only."""

    content_type = _HintsOfFirstPage


class _MixedScopes(Content):
    def caching_hints(self, call: Call, page: int) -> JsonObject:
        return {**super().caching_hints(call, page), "cacheScope": "private" if page == 0 else "public"}


@_fault("mixed-scopes", "caching.page.same-scope", timeline=True)
class _ServerWithMixedScopes(ReferenceServer):
    """Marks the first page private and the others public."""

    content_type = _MixedScopes


class _NoNextCursor(Content):
    def page(self, call: Call) -> Handled:
        handled = super().page(call)
        if handled.result is not None:
            handled.result.pop("nextCursor", None)
        return handled


@_fault("no-next-cursor", "pagination.response.next-cursor", timeline=True)
class _ServerWithoutNextCursor(ReferenceServer):
    """Gives the first page and no cursor to the rest."""

    content_type = _NoNextCursor


class _FirstPageAlways(Content):
    def page(self, call: Call) -> Handled:
        params = call.request.params
        rest: JsonObject = {key: one for key, one in params.items() if key != "cursor"} if is_object(params) else {}
        return super().page(replace(call, request=call.request._replace(params=rest)))


@_fault("first-page-always", "pagination.flow.resumes-after-cursor", "pagination.error.invalid-cursor")
class _ServerWithFirstPageAlways(ReferenceServer):
    """Answers every cursor with the first page."""

    content_type = _FirstPageAlways


@_fault("cursors-once", "pagination.server.stable-cursors", timeline=True)
class _CursorsOnce(ReferenceServer):
    """Takes every cursor once."""

    def __init__(self, settings: Settings, profile: Profile = DEFAULT_PROFILE) -> None:
        super().__init__(settings, profile)
        self.used: list[Json] = []

    def serve(self, request: Request, version: str, transport: Transport, session: Session | None) -> Reply:
        cursor = member(request.params, "cursor")
        if cursor is not ABSENT and cursor in self.used:
            return _refusal(request, -32602)
        if cursor is not ABSENT:
            self.used.append(cursor)
        return super().serve(request, version, transport, session)


class _SpoiltCursors(Content):
    spoilt = False

    def page(self, call: Call) -> Handled:
        if self.spoilt and call.param("cursor") is not ABSENT:
            return self.failed(call, "invalid-cursor", "Invalid cursor")
        handled = super().page(call)
        self.spoilt = handled.error is not None
        return handled


@_fault(
    "spoils-cursors",
    "pagination.server.stable-cursors",
    "pagination.server.invalid-cursor-graceful",
    timeline=True,
)
class _ServerWithSpoiltCursors(ReferenceServer):
    """Takes no cursor any more after an invalid one."""

    content_type = _SpoiltCursors


class _OverlappingPages(Content):
    def page(self, call: Call) -> Handled:
        handled = super().page(call)
        name, _ = PAGINATED[call.request.method]
        if handled.result is not None and call.param("cursor") is not ABSENT:
            page = handled.result[name]
            assert isinstance(page, list)
            items: list[Json] = [*self.items(call)]
            handled.result[name] = [items[items.index(page[0]) - 1], *page]
        return handled


@_fault("overlapping-pages", "pagination.flow.resumes-after-cursor", timeline=True)
class _ServerWithOverlappingPages(ReferenceServer):
    """Begins every page with the last item of the one before."""

    content_type = _OverlappingPages


class _FailsOnCursor(Content):
    def failed(self, call: Call, condition: HandlerCondition, text: str) -> Handled:
        if condition == "invalid-cursor":
            return Handled(error=error_object(-32603, "Internal error"), status=500)
        return super().failed(call, condition, text)


@_fault("fails-on-invalid-cursor", "pagination.server.invalid-cursor-graceful", "pagination.error.invalid-cursor")
class _ServerFailingOnCursor(ReferenceServer):
    """Fails inside when a cursor is none of its own."""

    content_type = _FailsOnCursor


class _PublicPerUser(Content):
    def caching_hints(self, call: Call, page: int) -> JsonObject:
        return {**super().caching_hints(call, page), "cacheScope": "public"}


@_fault("public-per-user", "caching.scope.public-no-user-data", timeline=True)
class _ServerWithPublicPerUser(ReferenceServer):
    """Shows every user tools of their own and marks the list public."""

    content_type = _PublicPerUser

    def reply_to_post(self, message: Json, headers: Mapping[str, str]) -> Reply:
        user = next((value for name, value in headers.items() if name.lower() == "authorization"), "nobody")
        own: JsonObject = {"name": f"tool-of-{user}", "inputSchema": {"type": "object"}}
        self.content.settings = msgspec.structs.replace(self.settings, lists={**self.settings.lists, "tools": [own]})
        return super().reply_to_post(message, headers)


# --- logging ---------------------------------------------------------------------------------------------------------


class _Logs(Content):
    """Sends one log message for some requests."""

    level: ClassVar[str]

    def logs(self, requested: Json | Absent) -> bool:
        """Whether a request that asks for this level gets the message."""
        raise NotImplementedError

    def handle(self, call: Call) -> Handled:
        handled = super().handle(call)
        if self.logs(call.param("_meta", LOG_LEVEL)):
            handled.notifications.insert(0, log_message(self.level))
        return handled


class _LogsWithoutLevel(_Logs):
    level = "emergency"

    def logs(self, requested: Json | Absent) -> bool:
        return requested is ABSENT


@_fault("logs-without-level", "logging.server.silent-without-level")
class _ServerLoggingWithoutLevel(ReferenceServer):
    """Logs for requests that did not ask for it."""

    content_type = _LogsWithoutLevel


class _LogsBelowLevel(_Logs):
    level = "debug"

    def logs(self, requested: Json | Absent) -> bool:
        return requested not in (ABSENT, "debug")


@_fault("logs-below-level", "logging.server.threshold")
class _ServerLoggingBelowLevel(ReferenceServer):
    """Logs everything for a request that asked for severe messages only."""

    content_type = _LogsBelowLevel


class _LogsOnRequest(_Logs):
    level = "emergency"

    def logs(self, requested: Json | Absent) -> bool:
        return requested is not ABSENT


@_fault("logs-undeclared", "logging.capability.declared")
class _LogsUndeclared(ReferenceServer):
    """Logs although it does not declare the logging capability."""

    content_type = _LogsOnRequest

    def __init__(self, settings: Settings, profile: Profile = DEFAULT_PROFILE) -> None:
        kept = {name: one for name, one in settings.capabilities.items() if name != "logging"}
        super().__init__(msgspec.structs.replace(settings, capabilities=kept), profile)


@_fault("logs-after-response", "logging.server.before-final", timeline=True)
class _LogsAfterResponse(ReferenceServer):
    """Sends the log messages of a request behind its response."""

    def sent(self, request_id: str | int, handled: Handled) -> Reply:
        reply = super().sent(request_id, handled)
        return replace(reply, messages=reply.messages[::-1])


@_fault("logs-on-next-stream", "logging.server.on-response-stream", "logging.server.not-on-other-stream", timeline=True)
class _LogsOnNextStream(ReferenceServer):
    """Sends the log messages of a request with the response of the next one."""

    def __init__(self, settings: Settings, profile: Profile = DEFAULT_PROFILE) -> None:
        super().__init__(settings, profile)
        self.left: list[Json] = []

    def sent(self, request_id: str | int, handled: Handled) -> Reply:
        reply = super().sent(request_id, handled)
        before, self.left = self.left, reply.messages[:-1]
        return replace(reply, messages=[*before, *reply.messages[-1:]])


# --- HTTP traffic of older revisions ---------------------------------------------------------------------------------


class _OtherResponse(ReferenceServer):
    """Answers an HTTP method of older revisions."""

    method: ClassVar[str]
    status: ClassVar[int]

    def receive_http(
        self, method: str, headers: Mapping[str, str], body: bytes = b"", connection: int = 0
    ) -> HttpReply:
        if method == self.method:
            return HttpReply(self.status, {"content-type": "text/event-stream"}, ended=self.status != 200)
        return super().receive_http(method, headers, body, connection)


@_fault("stream-on-get", "http.legacy.get-405")
class _StreamOnGet(_OtherResponse):
    """Opens an event stream on GET."""

    method, status = "GET", 200


@_fault("accepts-delete", "http.legacy.delete-405")
class _AcceptsDelete(_OtherResponse):
    """Takes DELETE for the end of a session."""

    method, status = "DELETE", 204


@_fault("mints-session", "http.legacy.session-id-not-minted")
class _MintsSession(ReferenceServer):
    """Assigns a session id with every response."""

    def response(self, reply: Reply) -> HttpReply:
        return super().response(replace(reply, session="minted"))


class _Headers(ReferenceServer):
    """Looks at the headers of a POST before anything else."""

    def at_headers(self, named: Mapping[str, str], reply: HttpReply) -> HttpReply:
        """The response, seeing these lower-case headers."""
        raise NotImplementedError

    def receive_http(
        self, method: str, headers: Mapping[str, str], body: bytes = b"", connection: int = 0
    ) -> HttpReply:
        reply = super().receive_http(method, headers, body, connection)
        return self.at_headers({name.lower(): value for name, value in headers.items()}, reply)


@_fault("echoes-session", "http.legacy.session-id-not-echoed")
class _EchoesSession(_Headers):
    """Repeats the session id of a request."""

    def at_headers(self, named: Mapping[str, str], reply: HttpReply) -> HttpReply:
        echoed = {name: value for name, value in named.items() if name == "mcp-session-id"}
        return replace(reply, headers={**reply.headers, **echoed})


@_fault("checks-session", "http.legacy.session-id-ignored")
class _ChecksSession(_Headers):
    """Refuses a session id that it did not assign."""

    def at_headers(self, named: Mapping[str, str], reply: HttpReply) -> HttpReply:
        return HttpReply(404) if "mcp-session-id" in named else reply


@_fault("resumes-streams", "http.legacy.last-event-id-ignored")
class _ResumesStreams(_Headers):
    """Takes a last event id for the wish to resume a stream."""

    def at_headers(self, named: Mapping[str, str], reply: HttpReply) -> HttpReply:
        return HttpReply(200, {"content-type": "text/event-stream"}) if "last-event-id" in named else reply


# --- legacy clients --------------------------------------------------------------------------------------------------


class _OddHandshake(ReferenceServer):
    """Answers initialize with a changed result."""

    def changed(self, request: Request, result: JsonObject) -> JsonObject:
        """The result that goes out."""
        raise NotImplementedError

    def shake_hands(self, request: Request, version: str, transport: Transport) -> Reply:
        reply = super().shake_hands(request, version, transport)
        (response,) = reply.messages
        assert is_object(response) and is_object(response["result"])
        return replace(reply, messages=[{**response, "result": self.changed(request, response["result"])}])


def _lacking(result: JsonObject, name: str) -> JsonObject:
    return {key: value for key, value in result.items() if key != name}


@_fault("handshake-without-capabilities", "legacy.init.result-capabilities")
class _HandshakeWithoutCapabilities(_OddHandshake):
    """Leaves its capabilities out of the handshake."""

    def changed(self, request: Request, result: JsonObject) -> JsonObject:
        return _lacking(result, "capabilities")


@_fault("handshake-without-server-info", "legacy.init.result-server-info")
class _HandshakeWithoutServerInfo(_OddHandshake):
    """Leaves its identity out of the handshake."""

    def changed(self, request: Request, result: JsonObject) -> JsonObject:
        return _lacking(result, "serverInfo")


@_fault("handshake-with-newest", "legacy.version.server-echoes-supported", timeline=True)
class _HandshakeWithNewest(_OddHandshake):
    """Settles on its newest legacy version, whatever the client asked for."""

    def changed(self, request: Request, result: JsonObject) -> JsonObject:
        return {**result, "protocolVersion": max(self.server.legacy)}


@_fault(
    "handshake-with-oldest",
    "legacy.version.server-echoes-supported",
    "legacy.version.server-offers-latest",
    timeline=True,
)
class _HandshakeWithOldest(_OddHandshake):
    """Settles on its oldest legacy version."""

    def changed(self, request: Request, result: JsonObject) -> JsonObject:
        return {**result, "protocolVersion": min(self.server.legacy)}


@_fault(
    "handshake-with-requested",
    "legacy.version.server-offers-other",
    "interop.dual-server.initialize-selects-legacy",
)
class _HandshakeWithRequested(_OddHandshake):
    """Settles on the version that the client asked for, implemented or not."""

    def changed(self, request: Request, result: JsonObject) -> JsonObject:
        requested = member(request.params, "protocolVersion")
        return {**result, "protocolVersion": None if requested is ABSENT else requested}


@_fault("handshake-refuses-version", "legacy.version.server-offers-other", "interop.matrix.legacy-dual-initialize")
class _HandshakeRefusesVersion(ReferenceServer):
    """Calls initialize an unknown method when it is for a version that the server does not implement."""

    def shake_hands(self, request: Request, version: str, transport: Transport) -> Reply:
        if member(request.params, "protocolVersion") != version:
            return _refusal(request, -32601)
        return super().shake_hands(request, version, transport)


@_fault("handshake-asks", "legacy.init.server-only-ping-or-log-before-initialized")
class _HandshakeAsks(ReferenceServer):
    """Sends a request of its own before the client said that it is initialized."""

    def shake_hands(self, request: Request, version: str, transport: Transport) -> Reply:
        reply = super().shake_hands(request, version, transport)
        return replace(reply, messages=[*reply.messages, {"jsonrpc": "2.0", "id": "server-1", "method": "roots/list"}])


@_fault("refuses-initialized", "legacy.init.server-accepts-initialized", timeline=True)
class _RefusesInitialized(ReferenceServer):
    """Ends the legacy session on notifications/initialized."""

    def note(self, message: Json, transport: Transport) -> Reply:
        if member(message, "method") != "notifications/initialized":
            return super().note(message, transport)
        error = error_object(-32601, "Unknown notification")
        return Reply([{"jsonrpc": "2.0", "error": error}], 400)


@_fault("drops-batches", "legacy.batch.receive", timeline=True)
class _DropsBatches(_Silent):
    """Drops batches."""

    def ignores(self, message: Json) -> bool:
        return isinstance(message, list)


# --- both eras -------------------------------------------------------------------------------------------------------


def _without_meta(message: Json) -> Json:
    params = member(message, "params")
    if not is_object(message) or not is_object(params):
        return message
    return {**message, "params": {key: one for key, one in params.items() if key != "_meta"}}


@_fault("modern-as-legacy", "interop.dual-server.modern-request", timeline=True)
class _ModernAsLegacy(ReferenceServer):
    """Takes every request on a process with a handshake for one of a legacy client."""

    def received(self, message: Json) -> Json:
        return message if self.process.handshake is None else _without_meta(message)


@_fault("era-of-malformed", "interop.dual-server.modern-request", timeline=True)
class _EraOfMalformed(ReferenceServer):
    """Takes every request for one of a legacy client after one without metadata."""

    legacy = False

    def received(self, message: Json) -> Json:
        if self.legacy:
            return _without_meta(message)
        asked = member(message, "id") is not ABSENT and member(message, "method") != "initialize"
        self.legacy = asked and member(message, "params", "_meta") is ABSENT
        return message


@_fault(
    "era-of-first",
    "interop.dual-server.scope-session",
    "interop.dual-server.modern-request",
    "interop.dual-server.initialize-selects-legacy",
    timeline=True,
)
class _EraOfFirst(ReferenceServer):
    """Serves one era over HTTP: that of the first request."""

    first: str = ""

    def reply_to_post(self, message: Json, headers: Mapping[str, str]) -> Reply:
        era = "modern" if member(message, "params", "_meta") is not ABSENT else "legacy"
        self.first = self.first or era
        return super().reply_to_post(message, headers) if era == self.first else Reply(status=400)
