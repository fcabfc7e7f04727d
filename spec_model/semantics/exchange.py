"""Checks requests together with their replies: what a reply shows of the server that gave it.

An exchange is a JSON object:

* `request`: the message that was sent; `{"raw": TEXT}` or `{"raw_base64": BYTES}` where it was no JSON, or where its
  notation matters;
* `reply`: the message that came back; left out or null where nothing did;
* `transport`: "stdio" or "http"; where it is left out, a status or headers make it HTTP;
* `status` and `headers`: those of the HTTP response; `request_headers`: those of the request, taken to match the
  message where they are left out;
* `era`: "modern" or "legacy", where it is known from elsewhere.

The reply is judged. What is wrong with the request is told in notes, for a request may be malformed on purpose. An
exchange of a legacy revision is judged by the rules of that revision, as far as they are modelled. What a dual-era
server may answer is no fault, for one exchange does not tell that the server is none.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from spec_model.requirements.choice import Profile
from spec_model.semantics.check import CORE_RESULT_TYPES, LENIENT, TYPES, Checked, guess, judge_result_of
from spec_model.semantics.decision import Decision, Findings, decide
from spec_model.semantics.discovery import METHOD as DISCOVER
from spec_model.semantics.errors import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    judge_error_response,
)
from spec_model.semantics.explore import image
from spec_model.semantics.messages import (
    is_readable_id,
    judge_answer,
    judge_initialize_result,
    judge_jsonrpc,
    judge_notification,
)
from spec_model.semantics.meta_keys import CLIENT_CAPABILITIES, PROTOCOL_VERSION
from spec_model.semantics.metadata import missing_capabilities
from spec_model.semantics.pagination import PAGINATED
from spec_model.semantics.results import judge_page, judge_result_envelope
from spec_model.semantics.revisions import OLDEST_MODERN, REVISIONS, Era, era_of
from spec_model.semantics.server import Answer, Error, Refuse, Server
from spec_model.semantics.server_http import on_http
from spec_model.semantics.server_stdio import on_stdio
from spec_model.wire.json import Decoded, FaultKind, decode
from spec_model.wire.messages import MessageKind, below, kind_of_message, shown
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, equal, is_integer, is_object, is_string, member

MODERN_CODES: Final = frozenset({HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_VERSION})

STATUSES: Final[Mapping[int, tuple[int, str]]] = {
    METHOD_NOT_FOUND: (404, "http.method.unknown-404"),
    UNSUPPORTED_VERSION: (400, "http.version.unsupported-400"),
    MISSING_CLIENT_CAPABILITY: (400, "meta.capability.http-400"),
    HEADER_MISMATCH: (400, "headers.validate.status-400"),
}
"""The HTTP status that goes with an error code, and the requirement that says so."""

BEFORE_THE_BODY: Final = frozenset({401, 403, 405, 406, 413, 415, 429, *range(500, 600)})
"""Statuses of refusals that need not look at the message, so that an error in their body has no id to repeat."""

VERSION_HEADER: Final = "MCP-Protocol-Version"


class Exchange(NamedTuple):
    """A request, its reply, and what is known about the way they went."""

    request: Json
    reply: Json | Absent
    http: bool
    status: int | Absent
    request_headers: Mapping[str, str] | None
    era: Era | None
    unreadable: FaultKind | None = None
    marked: bool = False

    @property
    def method(self) -> str:
        """The method of the request, empty where it has none."""
        method = member(self.request, "method")
        return method if is_string(method) else ""

    @property
    def is_response(self) -> bool:
        """Whether what was sent is a response, whose id is that of another request."""
        return kind_of_message(self.request) in (MessageKind.RESULT, MessageKind.ERROR)

    def meta(self, key: str) -> Json | Absent:
        """A value in the metadata of the request."""
        return member(self.request, "params", "_meta", key)

    @property
    def code(self) -> int | Absent:
        """The code of the error that came back."""
        code = member(self.reply, "error", "code")
        return int(code) if is_integer(code) else ABSENT


def check_exchange(document: Json) -> Checked:
    """Judges one exchange. Never raises, whatever the document."""
    found = Checked()
    judge_exchange(found, document)
    return found


def check_exchanges(documents: list[Json]) -> Checked:
    """Judges the exchanges with one server in their order, and what they show together."""
    found = Checked()
    judge_exchanges(found, documents)
    return found


def judge_exchanges(found: Checked, documents: list[Json], at: str = "") -> None:
    """Exchanges with one server in their order."""
    known = [_read(one) for one in documents]
    server_era = _era_of_server([one for one in known if one is not None])
    for index, document in enumerate(documents):
        judge_exchange(found, document, f"{at}/{index}", server_era)
    _judge_versions_agree(found, known, at)
    _judge_work_before_discovery(found, known, at)


def judge_exchange(found: Checked, document: Json, at: str = "", server_era: Era | None = None) -> None:
    """One exchange; `server_era` is what others have shown of the server."""
    exchange = _read(document)
    if exchange is None:
        found.broken("base.jsonrpc.conforms", at, "an exchange is an object with the member request")
        return
    assert is_object(document)
    _note_unread(found, document, at)
    _note_status(found, exchange, at)
    if kind_of_message(exchange.request) is MessageKind.NOTIFICATION and _is_sound(exchange.request):
        _judge_no_reply(found, exchange, f"{at}/reply")
        return
    era = _era(exchange, server_era)
    if era is Era.MODERN:
        _note_request(found, exchange.request, f"{at}/request")
    reply = exchange.reply
    if reply is ABSENT:
        _judge_silence(found, exchange, era, at)
    elif _is_legacy_refusal(exchange, server_era):
        found.broken("discovery.method.implemented", f"{at}/reply", "a server of this revision has server/discover")
        found.note("interop.detect.otherwise-legacy", f"{at}/reply", "a server of an earlier revision answers so")
    elif _judge_reply(found, exchange, reply, f"{at}/reply", era):
        judge = {Era.MODERN: _judge_modern, Era.LEGACY: _judge_legacy, None: _judge_undetermined}[era]
        judge(found, exchange, f"{at}/reply")


ERAS: Final[Mapping[str, Era]] = {"modern": Era.MODERN, "legacy": Era.LEGACY}


def _note_unread(found: Checked, document: JsonObject, at: str) -> None:
    """Members of an exchange with a value of which nothing can be made."""
    for name, reads in _READABLE.items():
        value = document.get(name)
        if value is not None and not reads(value):
            what = f"{name} is left unread: {shown(value)} is none"
            found.note("base.schema.conforms", f"{at}/{name}", what)
    request = document["request"]
    if is_object(request) and request.keys() == {"raw_base64"} and _sent(request) is None:
        found.note("base.schema.conforms", f"{at}/request", "raw_base64 is left unread: it is no Base64")


def _are_headers(value: Json) -> bool:
    return is_object(value) and all(map(is_string, value.values()))


_READABLE: Final[Mapping[str, Callable[[Json], bool]]] = {
    "transport": lambda value: value in ("stdio", "http"),
    "status": lambda value: is_integer(value) and 100 <= value <= 599,
    "headers": _are_headers,
    "request_headers": _are_headers,
    "era": lambda value: is_string(value) and value in ERAS,
}


def _note_status(found: Checked, exchange: Exchange, at: str) -> None:
    """A result that came with the status of an error."""
    status = exchange.status
    if exchange.http and status is not ABSENT and status >= 400 and "result" in _members(exchange.reply):
        found.note(
            "transport.delivery.server-responses", f"{at}/status", f"a result came with the status {shown(status)}"
        )


def _members(value: Json | Absent) -> JsonObject:
    return value if is_object(value) else {}


def _is_sound(notification: Json) -> bool:
    judged = Findings()
    judge_notification(judged, notification)
    return not judged.faults


def _read(document: Json) -> Exchange | None:
    request = member(document, "request")
    if not is_object(document) or request is ABSENT:
        return None
    sent = _sent(request)
    status, headers = document.get("status", ABSENT), document.get("request_headers", ABSENT)
    over_http = any(document.get(name) is not None for name in ("status", "headers", "request_headers"))
    transport = document.get("transport", "http" if over_http else "stdio")
    era = document.get("era")
    return Exchange(
        request=request if sent is None else sent.value,
        reply=ABSENT if document.get("reply") is None else document["reply"],
        http=transport == "http",
        status=int(status) if is_integer(status) else ABSENT,
        request_headers=_strings(headers) if is_object(headers) else None,
        era=ERAS.get(era) if is_string(era) else None,
        unreadable=None if sent is None or sent.fault is None else sent.fault.kind,
        marked=sent is not None and any(fault.kind is FaultKind.BYTE_ORDER_MARK for fault in sent.faults),
    )


def _sent(request: Json | Absent) -> Decoded | None:
    """What was read from the text or the bytes of a request, None where it is given as a message."""
    if not is_object(request) or len(request) != 1:
        return None
    raw, encoded = request.get("raw"), request.get("raw_base64")
    if is_string(raw):
        return decode(raw.encode(errors="surrogatepass"))
    if not is_string(encoded):
        return None
    try:
        return decode(base64.b64decode(encoded, validate=True))
    except ValueError:
        return None


def _strings(headers: JsonObject) -> Mapping[str, str]:
    return {name: value for name, value in headers.items() if is_string(value)}


# --- the era of an exchange -----------------------------------------------------------------------------------------


def _era(exchange: Exchange, server_era: Era | None) -> Era | None:
    """By which rules a reply is judged; None where nothing tells."""
    if exchange.era is not None or server_era is Era.LEGACY:
        return exchange.era or server_era
    if exchange.method == "initialize" and is_string(member(exchange.reply, "result", "protocolVersion")):
        return Era.LEGACY
    marked = _declared(exchange)
    typed = member(exchange.reply, "result", "resultType") is not ABSENT
    if "error" in (exchange.reply if is_object(exchange.reply) else {}):
        return Era.MODERN if marked is Era.MODERN or exchange.code in MODERN_CODES else marked or server_era
    if marked is Era.MODERN and (typed or exchange.meta(PROTOCOL_VERSION) not in REVISIONS[:-1]):
        return Era.MODERN
    if exchange.reply is ABSENT:
        return marked or server_era
    return Era.MODERN if typed and marked is None else Era.LEGACY


def _declared(exchange: Exchange) -> Era | None:
    """The era that a request declares."""
    version = exchange.meta(PROTOCOL_VERSION)
    if version is not ABSENT or exchange.meta(CLIENT_CAPABILITIES) is not ABSENT:
        return Era.MODERN
    if exchange.method == "initialize":
        return Era.LEGACY
    headers = exchange.request_headers or {}
    named = [value for name, value in headers.items() if name.lower() == VERSION_HEADER.lower()]
    return era_of(named[0]) if named else None


def _era_of_server(exchanges: list[Exchange]) -> Era | None:
    """What the exchanges show together: a server that did a handshake and nothing modern is a legacy one."""
    if any(_is_modern_reply(one) for one in exchanges):
        return Era.MODERN
    shook = any(one.method == "initialize" and is_object(member(one.reply, "result")) for one in exchanges)
    return Era.LEGACY if shook else None


def _is_modern_reply(exchange: Exchange) -> bool:
    return member(exchange.reply, "result", "resultType") is not ABSENT or exchange.code in MODERN_CODES


# --- any era ----------------------------------------------------------------------------------------------------------


def _judge_no_reply(found: Checked, exchange: Exchange, at: str) -> None:
    """A notification, which nothing answers; over HTTP one that is refused may have an error without an id."""
    reply = exchange.reply
    refused = exchange.http and exchange.status is not ABSENT and exchange.status >= 400
    tolerated = refused and is_object(reply) and "error" in reply and "id" not in reply
    found.check(reply is ABSENT or tolerated, "base.notification.no-response", at, "a notification has no answer")


def _note_request(found: Checked, request: Json, at: str) -> None:
    asked = Checked()
    name = guess(request)
    TYPES[name if name.endswith("Request") else "JSONRPCRequest"](asked, request, at)
    for one in (*asked.faults, *asked.notes):
        found.note(*one)
    found.more_notes += asked.more + asked.more_notes


def _judge_silence(found: Checked, exchange: Exchange, era: Era | None, at: str) -> None:
    """No reply at all; what has no usable id need not be answered."""
    before_the_body = exchange.http and exchange.status in BEFORE_THE_BODY
    owed = era is Era.MODERN and is_readable_id(member(exchange.request, "id"), LENIENT) and not before_the_body
    if exchange.marked and not exchange.http:
        found.note("transport.encoding.utf8", at, "a line with a byte order mark may be left unread")
        return
    if not (exchange.http and exchange.status is not ABSENT and exchange.status >= 400):
        if owed:
            what = "the request has neither a result nor an error"
            found.broken("base.patterns.request-answered", at, what)
        return
    called_for = _called_for(exchange)
    if owed and called_for.only_errors:
        first = called_for.errors[0]
        what = f"the request is refused with a JSON-RPC error, {first.outcome.code}, and here is none"
        found.broken(first.because[0], at, what)
    elif owed:
        found.note("base.patterns.request-answered", at, "the request is refused by the HTTP status alone")


def _is_legacy_refusal(exchange: Exchange, server_era: Era | None) -> bool:
    """Whether the error that answers a well-formed discovery request is one by which clients know a legacy server."""
    known = exchange.era is not None or server_era is not None
    if known or exchange.method != DISCOVER or not is_object(member(exchange.reply, "error")):
        return False
    return not _called_for(exchange).errors and exchange.code not in MODERN_CODES and exchange.code != INTERNAL_ERROR


def _judge_reply(found: Checked, exchange: Exchange, reply: Json, at: str, era: Era | None) -> bool:
    """Whether a reply is a response at all, with the id of its request; legacy servers send errors without one."""
    kind = kind_of_message(reply)
    if kind is MessageKind.REQUEST:
        found.broken("transport.direction.no-server-requests", at, "a server sends no requests")
    elif kind is MessageKind.NOTIFICATION:
        found.broken("base.patterns.request-answered", at, "a notification is no answer")
    elif kind not in (MessageKind.RESULT, MessageKind.ERROR):
        TYPES["JSONRPCResponse"](found, reply, at)
    else:
        unread = era is not Era.MODERN or (exchange.http and exchange.status in BEFORE_THE_BODY)
        without_id = kind is MessageKind.ERROR and member(reply, "id") in (ABSENT, None)
        answers_nothing = exchange.unreadable is not None if kind is MessageKind.RESULT else exchange.is_response
        if not (unread and without_id) and not answers_nothing:
            judge_answer(found, exchange.request, reply, at, LENIENT)
        return True
    return False


def _judge_undetermined(found: Checked, exchange: Exchange, at: str) -> None:
    """An error that a server of either era may have sent: its shape counts."""
    assert exchange.reply is not ABSENT
    judge_error_response(found, exchange.reply, at, LENIENT)


_LIMITS: Final = frozenset({FaultKind.TOO_LARGE, FaultKind.TOO_DEEP})
"""Faults of a text that is JSON to those who take more."""


def _judge_legacy(found: Checked, exchange: Exchange, at: str) -> None:
    """A reply by a legacy revision; what this revision added means nothing there."""
    reply = exchange.reply
    assert is_object(reply)
    if "error" in reply:
        judge_error_response(found, reply, at, LENIENT)
        return
    judge_jsonrpc(found, reply, at)
    judge_result_envelope(found, reply, at)
    result = reply["result"]
    if exchange.unreadable is not None and exchange.unreadable not in _LIMITS:
        found.broken("errors.standard.parse-error", at, "the request is no JSON, and here is a result")
    if not is_object(result):
        found.broken("base.schema.conforms", f"{at}/result", "a result is an object")
    elif exchange.method == "initialize":
        judge_initialize_result(found, result, f"{at}/result")
    elif result.get("resultType") == "input_required":
        what = "a legacy session has no multi round-trip requests"
        found.broken("interop.matrix.legacy-dual-initialize", f"{at}/result/resultType", what)
    elif exchange.method in PAGINATED:
        judge_page(found, result, f"{at}/result", exchange.method)


# --- this revision ----------------------------------------------------------------------------------------------------


def _judge_modern(found: Checked, exchange: Exchange, at: str) -> None:
    reply = exchange.reply
    assert is_object(reply)
    called_for = _called_for(exchange)
    if "error" in reply:
        TYPES["JSONRPCErrorResponse"](found, reply, at)
        _judge_code(found, exchange, at, called_for)
        _judge_status(found, exchange, at, called_for)
        _judge_data(found, exchange, f"{at}/error/data")
        return
    judge_jsonrpc(found, reply, at)
    judge_result_envelope(found, reply, at)
    declared = bool(member(exchange.meta(CLIENT_CAPABILITIES), "extensions"))
    judge_result_of(found, reply["result"], f"{at}/result", exchange.method, extended=declared)
    _judge_asked_for(found, exchange, f"{at}/result")
    if called_for.only_errors:
        first = called_for.errors[0]
        found.broken(first.because[0], at, f"the request is refused with {first.outcome.code}, and here is a result")
    if member(reply, "result", "resultType") is ABSENT:
        what = "a server of an earlier revision answers so"
        found.note("results.type.absent-as-complete", f"{at}/result", what)
    _judge_against_request(found, exchange, f"{at}/result")


def _judge_asked_for(found: Checked, exchange: Exchange, at: str) -> None:
    """That a result asks for no input which the client did not declare that it can give."""
    capabilities, asked = exchange.meta(CLIENT_CAPABILITIES), member(exchange.reply, "result", "inputRequests")
    if member(exchange.reply, "result", "resultType") != "input_required" or not is_object(asked):
        return
    for name, entry in asked.items() if is_object(capabilities) else ():
        needed = _needed(entry)
        if needed:
            missing = missing_capabilities(needed, capabilities)
            what = f"the request does not declare {', '.join(_names(missing))}"
            found.check(not missing, "meta.capability.no-undeclared", below(f"{at}/inputRequests", name), what)


def _needed(asked: Json) -> dict[str, JsonObject]:
    """The capabilities of a client that a request for input takes."""
    params = member(asked, "params")
    match member(asked, "method"):
        case "roots/list":
            return {"roots": {}}
        case "sampling/createMessage":
            with_tools = any(member(params, name) is not ABSENT for name in ("tools", "toolChoice"))
            return {"sampling": {"tools": {}} if with_tools else {}}
        case "elicitation/create":
            return {"elicitation": {"url" if member(params, "mode") == "url" else "form": {}}}
    return {}


def _names(capabilities: JsonObject) -> list[str]:
    return [".".join([name, *part]) if is_object(part) else name for name, part in capabilities.items()]


def _judge_against_request(found: Checked, exchange: Exchange, at: str) -> None:
    """What a result has to do with its request."""
    kind = member(exchange.reply, "result", "resultType")
    if is_string(kind) and kind not in CORE_RESULT_TYPES:
        declared = member(exchange.meta(CLIENT_CAPABILITIES), "extensions")
        what = f"{shown(kind)} is no result type of the core protocol, and the request declares no extension"
        if not declared:
            found.broken("results.type.unrecognized-invalid", f"{at}/resultType", what)
    version = exchange.meta(PROTOCOL_VERSION)
    listed = member(exchange.reply, "result", "supportedVersions")
    if exchange.method == DISCOVER and isinstance(listed, list) and is_string(version) and version not in listed:
        what = f"{shown(version)}, the version of the request, is not among the versions"
        found.broken("discovery.result.supported-versions", f"{at}/supportedVersions", what)


def _judge_code(found: Checked, exchange: Exchange, at: str, called_for: _CalledFor) -> None:
    """Whether the code of an error fits the request."""
    code, where = exchange.code, f"{at}/error/code"
    if code is ABSENT or called_for.any_code or code in called_for.codes:
        return
    if code == METHOD_NOT_FOUND and exchange.method == DISCOVER:
        found.broken("discovery.method.implemented", where, "a server of this revision has server/discover")
    if code == HEADER_MISMATCH and not exchange.http:
        found.broken("errors.mcp-range.defined-meaning", where, "there are no headers on stdio")
    if called_for.only_errors:
        first = called_for.errors[0]
        what = f"the request is refused with {first.outcome.code}, not {shown(code)}"
        found.check(code in _of_the_server(exchange), first.because[0], where, what)
    elif code == PARSE_ERROR:
        found.broken("errors.standard.parse-error", where, f"{code} says that the request is no JSON")
    elif code == INVALID_REQUEST:
        found.broken("errors.standard.invalid-request", where, f"{code} says that the request is none")


def _of_the_server(exchange: Exchange) -> frozenset[int]:
    """Codes of faults that depend on the server, and may be reported before those of the request."""
    applies = {
        UNSUPPORTED_VERSION: is_string(exchange.meta(PROTOCOL_VERSION)),
        METHOD_NOT_FOUND: exchange.method != DISCOVER,
        HEADER_MISMATCH: exchange.http,
    }
    return frozenset(code for code, may_be in applies.items() if may_be)


def _judge_status(found: Checked, exchange: Exchange, at: str, called_for: _CalledFor) -> None:
    if not exchange.http or exchange.status is ABSENT or exchange.code is ABSENT:
        return
    where = f"{at.removesuffix('/reply')}/status"
    statuses = {one.outcome.status for one in called_for.errors if one.outcome.code == exchange.code}
    if exchange.code in STATUSES:
        status, requirement = STATUSES[exchange.code]
        what = f"the status of {exchange.code} is {status}, not {shown(exchange.status)}"
        found.check(exchange.status == status, requirement, where, what)
    elif exchange.code == INVALID_PARAMS and statuses == {400}:
        what = f"a request without its required metadata is refused with status 400, not {shown(exchange.status)}"
        found.check(exchange.status == 400, "meta.reject.http-400", where, what)


def _judge_data(found: Checked, exchange: Exchange, at: str) -> None:
    """The data of an error, against the request."""
    data = member(exchange.reply, "error", "data")
    version = exchange.meta(PROTOCOL_VERSION)
    supported, requested = member(data, "supported"), member(data, "requested")
    if exchange.method == "initialize" and requested == member(exchange.request, "params", "protocolVersion"):
        return
    if exchange.code == UNSUPPORTED_VERSION and is_string(version):
        if is_string(requested):
            what = f"the request names {shown(version)}, not {shown(requested)}"
            found.check(equal(requested, version), "versioning.mismatch.echoes-requested", f"{at}/requested", what)
        if isinstance(supported, list) and version in supported and era_of(version) is not Era.LEGACY:
            what = f"{shown(version)} is refused, and is among the supported versions"
            found.broken("versioning.mismatch.lists-supported", f"{at}/supported", what)
    required = member(data, "requiredCapabilities")
    if exchange.code == MISSING_CLIENT_CAPABILITY and is_object(required) and required:
        named = {name: value for name, value in required.items() if is_object(value)}
        missing = missing_capabilities(named, exchange.meta(CLIENT_CAPABILITIES))
        what = "the request declares every capability that is said to be missing"
        lacking = bool(missing) or len(named) < len(required)
        found.check(lacking, "meta.capability.missing-error", f"{at}/requiredCapabilities", what)


# --- what the request itself calls for --------------------------------------------------------------------------------


class _CalledFor(NamedTuple):
    """What servers that have all that the request needs may do with it by any reading of the open questions.

    `errors` are their JSON-RPC errors, that of the default reading first. `only_errors`: they do nothing else.
    `any_code`: some refuse it with a code of their own choosing.
    """

    errors: list[Decision[Error]]
    only_errors: bool
    any_code: bool

    @property
    def codes(self) -> set[int]:
        return {one.outcome.code for one in self.errors}


def _called_for(exchange: Exchange) -> _CalledFor:
    if exchange.unreadable is not None:
        refused = decide(Error(PARSE_ERROR), *_UNREADABLE.get(exchange.unreadable, ()), "errors.standard.parse-error")
        return _CalledFor([refused], True, False)
    answers = [
        Decision(one.output, one.because)
        for server in _able_servers(exchange)
        for one in image(lambda profile, server=server: _read_off(_answered(profile, server, exchange))).outcomes  # type: ignore[misc]
    ]
    errors = [Decision(one.outcome, one.because) for one in answers if isinstance(one.outcome, Error)]
    return _CalledFor(
        errors, bool(errors) and len(errors) == len(answers), any(isinstance(one.outcome, Refuse) for one in answers)
    )


_UNREADABLE: Final[Mapping[FaultKind, tuple[str, ...]]] = {FaultKind.INVALID_UTF8: ("transport.encoding.utf8",)}


def _read_off(decision: Decision[Answer]) -> tuple[tuple[object, ...], Answer, tuple[str, ...]]:
    """The answer with a key of what this module asks of it."""
    outcome = decision.outcome
    key = (outcome.code, outcome.status) if isinstance(outcome, Error) else (type(outcome),)
    return key, outcome, decision.because


def _answered(profile: Profile, server: Server, exchange: Exchange) -> Decision[Answer]:
    if not exchange.http:
        return on_stdio(profile, server, exchange.request)
    version = exchange.meta(PROTOCOL_VERSION)
    matching = {VERSION_HEADER: version} if is_string(version) else {}
    return on_http(profile, server, exchange.request, dict(exchange.request_headers or matching))


ABLE: Final[JsonObject] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
"""Capabilities without which a server would not implement some known method whatever else it has."""


def _able_servers(exchange: Exchange) -> list[Server]:
    """Servers that have all that the request needs, so that only the request can be at fault: a modern-only one, and a
    dual-era one where the reply has no sign of this revision; none where there is no telling which version it would be
    served by."""
    version = exchange.meta(PROTOCOL_VERSION)
    served = version if is_string(version) and era_of(version) is Era.MODERN else OLDEST_MODERN
    methods = [] if exchange.method == DISCOVER else [exchange.method]
    modern = Server([served], ABLE, methods)
    dual = Server([served, *REVISIONS[:-1]], ABLE, methods)
    if version in REVISIONS and version != OLDEST_MODERN:
        return [dual]
    typed = member(exchange.reply, "result", "resultType") is not ABSENT
    return [modern] if typed else [modern, dual]


# --- several exchanges ------------------------------------------------------------------------------------------------


def _judge_versions_agree(found: Checked, known: list[Exchange | None], at: str) -> None:
    """The versions that a server lists in its discovery result and in its refusals are the same."""
    discovered = [
        listed
        for one in known
        if one is not None and isinstance(listed := member(one.reply, "result", "supportedVersions"), list)
    ]
    for index, one in enumerate(known):
        listed = member(one.reply, "error", "data", "supported") if one is not None else ABSENT
        if one is None or one.code != UNSUPPORTED_VERSION or not isinstance(listed, list) or not discovered:
            continue
        same = _alike(listed, discovered[0])
        where = f"{at}/{index}/reply/error/data/supported"
        found.check(same, "versioning.mismatch.lists-supported", where, "server/discover lists other versions")


def _alike(one: list[Json], other: list[Json]) -> bool:
    return {version for version in one if is_string(version)} == {version for version in other if is_string(version)}


def _judge_work_before_discovery(found: Checked, known: list[Exchange | None], at: str) -> None:
    """A request that is refused until server/discover was called, and then served."""
    refused: dict[int, Exchange] = {}
    discovered = False
    for index, one in enumerate(known):
        if one is None or _declared(one) is not Era.MODERN:
            continue
        if one.method == DISCOVER:
            discovered = discovered or is_object(member(one.reply, "result"))
        elif not discovered:
            if one.code is not ABSENT:
                refused[index] = one
        elif is_object(member(one.reply, "result")):
            for earlier, same in refused.items():
                if _same_request(one, same):
                    what = "the request is refused before server/discover was called, and served afterwards"
                    found.broken("discovery.call.not-prerequisite", f"{at}/{earlier}/reply", what)


def _same_request(one: Exchange, other: Exchange) -> bool:
    try:
        return one.method == other.method and member(one.request, "params") == member(other.request, "params")
    except RecursionError:
        return False
