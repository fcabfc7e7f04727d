"""Checks JSON values of peers against the types of this revision: the engine of `mcp-spec check`.

`TYPES` names what can be checked. `check_value` and `check_text` judge one value; what they find carries JSON pointers
and one printable line each. `spec_model.semantics.exchange` does the same for requests with their replies.

Where an open question permits what the default reading does not, there is a note instead of a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import ErrorIdWhenUnreadable
from spec_model.semantics.cache_hints import judge_cache_hints
from spec_model.semantics.decision import Fault, Findings
from spec_model.semantics.discovery import METHOD as DISCOVER
from spec_model.semantics.discovery import judge_discover_result, judge_discovered, judge_only_meta
from spec_model.semantics.errors import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    MEANINGS,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    PARSE_ERROR,
    RETIRED,
    UNSUPPORTED_VERSION,
    Permission,
    judge_error,
    judge_error_response,
    may_allocate_code,
)
from spec_model.semantics.icons import Carrier, judge_icon, judge_icons
from spec_model.semantics.json_schema import judge_schema
from spec_model.semantics.logging import judge_log_message, judge_log_params
from spec_model.semantics.messages import (
    judge_initialize_params,
    judge_initialize_result,
    judge_jsonrpc,
    judge_notification,
    judge_request,
)
from spec_model.semantics.meta_keys import CLIENT_CAPABILITIES, PROTOCOL_VERSION, SERVER_INFO, SUBSCRIPTION_ID
from spec_model.semantics.metadata import (
    judge_client_capabilities,
    judge_implementation,
    judge_meta,
    judge_request_meta,
    judge_result_meta,
    judge_server_capabilities,
)
from spec_model.semantics.pagination import PAGINATED, judge_page_request
from spec_model.semantics.plain import accepted, is_plain_schema
from spec_model.semantics.removed import METHODS, AsInputRequest, Dropped, InExtension, Method
from spec_model.semantics.results import (
    judge_contents,
    judge_input_request,
    judge_items_of,
    judge_list,
    judge_page,
    judge_result,
    judge_result_envelope,
)
from spec_model.semantics.revisions import REVISIONS
from spec_model.wire.json import FaultKind, decode, pointer
from spec_model.wire.messages import (
    Message,
    MessageKind,
    Prompt,
    ReadResourceRequestParams,
    Resource,
    ResourceTemplate,
    Tool,
    fitting,
    kind_of_message,
    misfit,
    printable,
    shown,
)
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_integer, is_object, is_string, kind_of, member

LOG: Final = "notifications/message"

MAX_KEPT: Final = 200
"""Faults that one `Checked` keeps, and as many notes; beyond them it keeps the first of each requirement."""


class Checked(Findings):
    """What was found on a value, and notes: what is permitted and yet worth telling.

    Each is one printable line at a JSON pointer of bounded length, and no two say the same of one place. `more` and
    `more_notes` count those beyond MAX_KEPT, which are left out.
    """

    __slots__ = ("_known", "more", "more_notes", "notes")

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[Fault] = []
        self.more = 0
        self.more_notes = 0
        self._known: set[tuple[bool, str, str | None]] = set()

    def check(self, holds: bool, requirement: str, pointer: str, what: str) -> bool:
        """Records that `requirement` was checked at `pointer`."""
        if holds:
            self.held.append(requirement)
        else:
            self.broken(requirement, pointer, what)
        return holds

    def broken(self, requirement: str, pointer: str, what: str) -> None:
        """Records a fault; of those that say the same of one place the first names the requirement that governs."""
        self.more += self._keep(self.faults, requirement, pointer, what)

    def note(self, requirement: str, pointer: str, what: str) -> None:
        """Records what is no fault."""
        self.more_notes += self._keep(self.notes, requirement, pointer, what)

    def _keep(self, kept: list[Fault], requirement: str, pointer: str, what: str) -> int:
        """Adds to `kept`; gives how many were left out, 1 or 0."""
        are_notes = kept is self.notes
        named = (are_notes, requirement, None)
        if len(kept) >= MAX_KEPT and named in self._known:
            return 1
        one = Fault(requirement, fitting(pointer), printable(what))
        said = (are_notes, one.pointer, one.what)
        if said not in self._known:
            self._known |= {said, named}
            kept.append(one)
        return 0


class UnknownType(ValueError):
    """A name of no type that can be checked."""


Judge: TypeAlias = Callable[[Checked, Json, str], None]

# The most lenient reading of each open question about shapes; the stricter ones become notes.
LENIENT: Final = Profile({ErrorIdWhenUnreadable: ErrorIdWhenUnreadable.NULL_ID})


# --- entry points -----------------------------------------------------------------------------------------------------


def check_value(value: Json, type_name: str | None = None) -> Checked:
    """Judges a JSON value as one of `TYPES`, or as what `guess` takes it for.

    Raises UnknownType for another name, and where there is none and nothing to guess by.
    """
    name = guess(value) if type_name is None else type_name
    if not name:
        raise UnknownType("there is no telling what this is; name its type by --as (--as list: all)")
    judge = TYPES.get(name)
    if judge is None:
        raise UnknownType(f"there is no type {shown(name)}; known are {', '.join(sorted(TYPES))}")
    found = Checked()
    held = accepted(name, value, judge_plainly)
    if held is None:
        judge(found, value, "")
        return found
    found.held += held
    return found


def check_text(data: bytes, type_name: str | None = None) -> Checked:
    """Judges the bytes of one message. Never raises whatever the bytes; UnknownType as `check_value`."""
    decoded = decode(data)
    found = check_value(decoded.value, type_name) if decoded.ok else Checked()
    for fault in decoded.faults:
        requirement = "transport.encoding.utf8" if fault.kind is FaultKind.INVALID_UTF8 else "base.jsonrpc.conforms"
        if fault.fatal:
            found.broken(requirement, fault.pointer, fault.what)
        else:
            found.note(requirement, fault.pointer, fault.what)
    return found


def judge_plainly(name: str, value: Json) -> list[str]:
    """What a value that has no fault meets."""
    found = Checked()
    TYPES[name](found, value, "")
    return list(dict.fromkeys(found.held))


# --- requests and notifications -------------------------------------------------------------------------------------


def _request(method: str = "") -> Judge:
    """The judge of a request: of any method, or of this one."""

    def judge(found: Checked, value: Json, at: str) -> None:
        judge_request(found, value, at)
        if not is_object(value):
            return
        named = value.get("method", ABSENT)
        _judge_method(found, named, at, method)
        _judge_params(found, value.get("params", ABSENT), f"{at}/params", method or named)

    return judge


def _judge_method(found: Checked, named: Json | Absent, at: str, method: str) -> None:
    if method and is_string(named) and named != method:
        found.broken("base.schema.conforms", f"{at}/method", f"the method is {method}, not {shown(named)}")


def _judge_params(found: Checked, params: Json | Absent, at: str, method: Json | Absent) -> None:
    if params is not ABSENT and not is_object(params):
        return
    given: JsonObject = {} if params is ABSENT else params
    judge_request_meta(found, given.get("_meta", ABSENT), f"{at}/_meta")
    if method == DISCOVER:
        judge_only_meta(found, given, at)
    elif is_string(method) and method in PAGINATED:
        judge_page_request(found, given, at, method)
    elif method == "resources/read":
        wrong = misfit({**given, "_meta": _NO_META}, ReadResourceRequestParams)
        if wrong is not None:
            found.broken("base.schema.conforms", f"{at}{wrong[0]}", wrong[1])
    elif is_string(method):
        _note_unjudged(found, method, at)


def _note_unjudged(found: Checked, method: str, at: str) -> None:
    """Why nothing is said about the params at this pointer: their page is out of scope, or the method is gone."""
    what = f"the params of {shown(method)} are not judged: its page is out of scope"
    if method not in _REMOVABLE:
        found.note("base.schema.conforms", at, what)
        return
    row = METHODS[Method(method)]
    where = f"{at.removesuffix('/params')}/method"
    match row.now:
        case Dropped():
            found.note(row.because[0], where, f"{shown(method)} does not exist any more in this revision")
        case AsInputRequest():
            asks = f"{shown(method)} stands in a result that asks for input, and in no message of its own"
            found.note(row.because[0], where, asks)
        case InExtension(extension):
            found.note(row.because[0], where, f"{shown(method)} belongs to the extension {extension}")
        case _:
            found.note("base.schema.conforms", at, what)


_REMOVABLE: Final = frozenset(one.value for one in Method)
_NO_META: Final[JsonObject] = {PROTOCOL_VERSION: "", CLIENT_CAPABILITIES: {}}


def _notification(found: Checked, value: Json, at: str) -> None:
    _any_notification(found, value, at)
    method = member(value, "method")
    if method == LOG:
        judge_log_message(found, value, at)
    elif is_string(method):
        _note_unjudged(found, method, f"{at}/params")


def _any_notification(found: Checked, value: Json, at: str) -> None:
    judge_notification(found, value, at)
    _notification_meta(found, member(value, "params", "_meta"), f"{at}/params/_meta")


def _notification_meta(found: Checked, meta: Json | Absent, at: str) -> None:
    judge_meta(found, meta, at)
    subscription = member(meta, SUBSCRIPTION_ID)
    if subscription is not ABSENT and not (is_string(subscription) or is_integer(subscription)):
        what = f"a subscription id is the id of a request, a string or an integer, not {shown(subscription)}"
        found.broken("base.schema.conforms", f"{at}{pointer(SUBSCRIPTION_ID)}", what)


def _log_message(found: Checked, value: Json, at: str) -> None:
    _any_notification(found, value, at)
    judge_log_message(found, value, at)


def _initialize(found: Checked, value: Json, at: str) -> None:
    judge_request(found, value, at)
    _judge_method(found, member(value, "method"), at, "initialize")
    judge_initialize_params(found, member(value, "params"), f"{at}/params")


# --- results ----------------------------------------------------------------------------------------------------------


CORE_RESULT_TYPES: Final = frozenset({"complete", "input_required"})


def judge_result_of(found: Checked, result: Json, at: str, method: str, *, extended: bool | None = None) -> None:
    """A result of this method, with its metadata; the method is "" where it is not known.

    `extended`: whether the request declares extensions, which may define result types; None where that is not known.
    """
    kind = member(result, "resultType")
    foreign = is_string(kind) and kind not in CORE_RESULT_TYPES
    if foreign and is_object(result) and not extended:
        _judge_shape(found, result, at, method)
    if foreign and extended is None:
        what = f"{shown(kind)} is no result type of the core protocol"
        found.note("results.type.unrecognized-invalid", f"{at}/resultType", what)
    if method == DISCOVER:
        judge_discover_result(found, result, at)
        _note_versions(found, member(result, "supportedVersions"), f"{at}/supportedVersions")
    elif method in PAGINATED:
        judge_list(found, result, at, method)
        _judge_items(found, member(result, PAGINATED[method][0]), f"{at}/{PAGINATED[method][0]}", method)
    elif method == "resources/read":
        judge_contents(found, result, at)
        _judge_contents_meta(found, member(result, "contents"), f"{at}/contents")
    else:
        judge_result(found, result, at, method)
        judge_cache_hints(found, result, at, "")
        if kind != "input_required" and is_object(result):
            _note_result(found, result, at, method)
    meta = member(result, "_meta")
    if is_object(result) and (meta is ABSENT or is_object(meta)):
        judge_result_meta(found, meta, f"{at}/_meta")


def _judge_shape(found: Checked, result: JsonObject, at: str, method: str) -> None:
    """What a final result of the method holds, whatever type it says that it has."""
    if method == DISCOVER:
        judge_discovered(found, result, at)
    elif method in PAGINATED:
        judge_page(found, result, at, method)
    elif method == "resources/read":
        judge_items_of(found, result, at)


_OF_EVERY_RESULT: Final = frozenset({"resultType", "_meta"})


def _note_result(found: Checked, result: JsonObject, at: str, method: str) -> None:
    """That the members of a result are not judged."""
    if method:
        what = f"the result of {shown(method)} is not judged beyond what every result has: its page is out of scope"
        found.note("base.schema.conforms", at, what)
    elif not result.keys() <= _OF_EVERY_RESULT:
        what = "the result is not judged beyond what every result has: there is no telling its method"
        found.note("base.schema.conforms", at, what)


def _judge_contents_meta(found: Checked, contents: Json | Absent, at: str) -> None:
    for index, item in enumerate(contents if isinstance(contents, list) else ()):
        _judge_item_meta(found, item, f"{at}/{index}")


def _judge_item_meta(found: Checked, item: Json, at: str) -> None:
    meta = member(item, "_meta")
    if is_object(meta):
        judge_meta(found, meta, f"{at}/_meta")


def _note_versions(found: Checked, versions: Json | Absent, at: str) -> None:
    listed = [one for one in versions if is_string(one)] if isinstance(versions, list) else []
    unknown = [one for one in listed if one not in REVISIONS]
    if unknown:
        found.note("discovery.result.supported-versions", at, f"{shown(unknown[0])} is no version known here")
    if listed and REVISIONS[-1] not in listed:
        found.note("discovery.result.supported-versions", at, f"{REVISIONS[-1]} is not among the versions")


_CARRIERS: Final[Mapping[str, Carrier]] = {
    "tools/list": Carrier.TOOL,
    "prompts/list": Carrier.PROMPT,
    "resources/list": Carrier.RESOURCE,
    "resources/templates/list": Carrier.RESOURCE_TEMPLATE,
}


def _judge_items(found: Checked, items: Json | Absent, at: str, method: str) -> None:
    for index, item in enumerate(items if isinstance(items, list) else ()):
        _judge_item(found, item, f"{at}/{index}", _CARRIERS[method])


def _judge_item(found: Checked, item: Json, at: str, carrier: Carrier) -> None:
    """What the type of an item does not say: its metadata, its icons and its schemas."""
    _judge_item_meta(found, item, at)
    icons = member(item, "icons")
    if icons is not ABSENT:
        judge_icons(found, icons, carrier, f"{at}/icons")
    for name in ("inputSchema", "outputSchema") if carrier is Carrier.TOOL else ():
        schema = member(item, name)
        if is_object(schema) and is_plain_schema(schema):
            found.held += ("json-schema.schema.valid", "json-schema.dialect.recommended-2020-12")
        elif is_object(schema):
            judge_schema(found, schema, f"{at}/{name}")


def _result(method: str = "") -> Judge:
    def judge(found: Checked, value: Json, at: str) -> None:
        judge_result_of(found, value, at, method)

    return judge


def _response(method: str = "") -> Judge:
    def judge(found: Checked, value: Json, at: str) -> None:
        if not is_object(value):
            found.broken("base.jsonrpc.conforms", at, f"a response is an object, not {kind_of(value)}")
            return
        judge_jsonrpc(found, value, at)
        judge_result_envelope(found, value, at)
        if "result" in value:
            judge_result_of(found, value["result"], f"{at}/result", method)

    return judge


def _input_required(found: Checked, value: Json, at: str) -> None:
    judge_result_of(found, value, at, "")
    kind = member(value, "resultType")
    if is_string(kind) and kind != "input_required":
        what = f'the resultType is "input_required", not {shown(kind)}'
        found.broken("mrtr.result.type-input-required", f"{at}/resultType", what)


def _initialize_result(found: Checked, value: Json, at: str) -> None:
    judge_initialize_result(found, value, at)


def _initialize_response(found: Checked, value: Json, at: str) -> None:
    if not is_object(value):
        found.broken("base.jsonrpc.conforms", at, f"a response is an object, not {kind_of(value)}")
        return
    judge_jsonrpc(found, value, at)
    judge_result_envelope(found, value, at)
    if "result" in value:
        judge_initialize_result(found, value["result"], f"{at}/result")


# --- errors -----------------------------------------------------------------------------------------------------------


def _error_response(code: int = 0) -> Judge:
    """The judge of a response with an error: of any code, or of this one."""

    def judge(found: Checked, value: Json, at: str) -> None:
        judge_error_response(found, value, at, LENIENT)
        if is_object(value) and value.get("id", ABSENT) is None:
            what = "whether an error without the id of a request has a null id or none is an open question"
            found.note("errors.response.id-omitted-when-unreadable", f"{at}/id", what)
        _judge_code(found, member(value, "error"), f"{at}/error", code)

    return judge


def _error(code: int = 0) -> Judge:
    def judge(found: Checked, value: Json, at: str) -> None:
        if is_object(value):
            judge_error(found, value, at)
            _judge_code(found, value, at, code)
        else:
            found.broken("base.schema.conforms", at, f"an error is an object, not {kind_of(value)}")

    return judge


def _judge_code(found: Checked, error: Json | Absent, at: str, wanted: int) -> None:
    """Whether an implementation of this revision may send the code of an error at all."""
    code = member(error, "code")
    if not is_integer(code):
        return
    number = int(code)
    if wanted and number != wanted:
        found.broken("base.schema.conforms", f"{at}/code", f"the code is {wanted}, not {shown(code)}")
    if number in RETIRED:
        found.broken(RETIRED[number].requirement, f"{at}/code", f"{number} is a code of earlier revisions")
    elif number not in MEANINGS:
        permission = may_allocate_code(number)
        if permission.outcome is not Permission.ALLOWED:
            what = f"{shown(code)} has no meaning here, and lies in a range that is reserved"
            found.broken(permission.because[0], f"{at}/code", what)


# --- messages of any kind, and parts of messages ------------------------------------------------------------------


def _message(found: Checked, value: Json, at: str) -> None:
    match kind_of_message(value):
        case MessageKind.REQUEST:
            TYPES["JSONRPCRequest"](found, value, at)
        case MessageKind.NOTIFICATION:
            TYPES["JSONRPCNotification"](found, value, at)
        case _:
            _any_response(found, value, at)


def _any_response(found: Checked, value: Json, at: str) -> None:
    match kind_of_message(value):
        case MessageKind.RESULT:
            TYPES["JSONRPCResultResponse"](found, value, at)
        case MessageKind.ERROR:
            TYPES["JSONRPCErrorResponse"](found, value, at)
        case MessageKind.BATCH:
            found.broken("base.jsonrpc.conforms", at, "a batch is no message of this revision")
        case _ if is_object(value) and "error" in value and "result" in value:
            found.broken("base.response.result-xor-error", at, "a response has a result or an error and not both")
        case _:
            found.broken("base.jsonrpc.conforms", at, "this is no JSON-RPC message")


def _fitting(message_type: type[Message], carrier: Carrier | None = None) -> Judge:
    def judge(found: Checked, value: Json, at: str) -> None:
        wrong = misfit(value, message_type)
        if wrong is not None:
            found.broken("base.schema.conforms", f"{at}{wrong[0]}", wrong[1])
        if carrier is not None:
            _judge_item(found, value, at, carrier)

    return judge


def _exchange(found: Checked, value: Json, at: str) -> None:
    from spec_model.semantics.exchange import judge_exchange

    judge_exchange(found, value, at)


def _exchanges(found: Checked, value: Json, at: str) -> None:
    from spec_model.semantics.exchange import judge_exchanges

    judge_exchanges(found, value if isinstance(value, list) else [value], at)


def _implementation(found: Checked, value: Json, at: str) -> None:
    judge_implementation(found, value, "base.schema.conforms", at)


TYPES: Final[Mapping[str, Judge]] = {
    "exchange": _exchange,
    "exchanges": _exchanges,
    "JSONRPCMessage": _message,
    "JSONRPCRequest": _request(),
    "JSONRPCNotification": _notification,
    "JSONRPCResponse": _any_response,
    "JSONRPCResultResponse": _response(),
    "JSONRPCErrorResponse": _error_response(),
    "Result": _result(),
    "EmptyResult": _result(),
    "InputRequiredResult": _input_required,
    "InputRequest": judge_input_request,
    "DiscoverRequest": _request(DISCOVER),
    "DiscoverResult": _result(DISCOVER),
    "DiscoverResultResponse": _response(DISCOVER),
    "ListToolsRequest": _request("tools/list"),
    "ListToolsResult": _result("tools/list"),
    "ListToolsResultResponse": _response("tools/list"),
    "ListPromptsRequest": _request("prompts/list"),
    "ListPromptsResult": _result("prompts/list"),
    "ListPromptsResultResponse": _response("prompts/list"),
    "ListResourcesRequest": _request("resources/list"),
    "ListResourcesResult": _result("resources/list"),
    "ListResourcesResultResponse": _response("resources/list"),
    "ListResourceTemplatesRequest": _request("resources/templates/list"),
    "ListResourceTemplatesResult": _result("resources/templates/list"),
    "ListResourceTemplatesResultResponse": _response("resources/templates/list"),
    "ReadResourceRequest": _request("resources/read"),
    "ReadResourceResult": _result("resources/read"),
    "ReadResourceResultResponse": _response("resources/read"),
    "InitializeRequest": _initialize,
    "InitializeResult": _initialize_result,
    "InitializeResultResponse": _initialize_response,
    "LoggingMessageNotification": _log_message,
    "LoggingMessageNotificationParams": judge_log_params,
    "Error": _error(),
    "ParseError": _error(PARSE_ERROR),
    "InvalidRequestError": _error(INVALID_REQUEST),
    "MethodNotFoundError": _error(METHOD_NOT_FOUND),
    "InvalidParamsError": _error(INVALID_PARAMS),
    "InternalError": _error(INTERNAL_ERROR),
    "HeaderMismatchError": _error_response(HEADER_MISMATCH),
    "MissingRequiredClientCapabilityError": _error_response(MISSING_CLIENT_CAPABILITY),
    "UnsupportedProtocolVersionError": _error_response(UNSUPPORTED_VERSION),
    "MetaObject": judge_meta,
    "RequestMetaObject": judge_request_meta,
    "ResultMetaObject": judge_result_meta,
    "NotificationMetaObject": _notification_meta,
    "ClientCapabilities": judge_client_capabilities,
    "ServerCapabilities": judge_server_capabilities,
    "Implementation": _implementation,
    "Icon": judge_icon,
    "Tool": _fitting(Tool, Carrier.TOOL),
    "Prompt": _fitting(Prompt, Carrier.PROMPT),
    "Resource": _fitting(Resource, Carrier.RESOURCE),
    "ResourceTemplate": _fitting(ResourceTemplate, Carrier.RESOURCE_TEMPLATE),
}
"""What can be checked, by the names that the schema of the revision has for it; and requests with their replies."""


# --- what a value is --------------------------------------------------------------------------------------------------

_REQUESTS: Final[Mapping[str, str]] = {
    DISCOVER: "DiscoverRequest",
    "tools/list": "ListToolsRequest",
    "prompts/list": "ListPromptsRequest",
    "resources/list": "ListResourcesRequest",
    "resources/templates/list": "ListResourceTemplatesRequest",
    "resources/read": "ReadResourceRequest",
    "initialize": "InitializeRequest",
}

_RESULTS: Final[Mapping[str, str]] = {
    "supportedVersions": "DiscoverResult",
    "tools": "ListToolsResult",
    "prompts": "ListPromptsResult",
    "resources": "ListResourcesResult",
    "resourceTemplates": "ListResourceTemplatesResult",
    "contents": "ReadResourceResult",
    "protocolVersion": "InitializeResult",
}

_ERRORS: Final[Mapping[int, str]] = {
    HEADER_MISMATCH: "HeaderMismatchError",
    MISSING_CLIENT_CAPABILITY: "MissingRequiredClientCapabilityError",
    UNSUPPORTED_VERSION: "UnsupportedProtocolVersionError",
}


_RESPONSES: Final[Mapping[str, str]] = {name: f"{name}Response" for name in _RESULTS.values()}


def guess(value: Json) -> str:
    """The name in `TYPES` of what a JSON value most likely is, by its members alone; "" where they do not tell."""
    if is_object(value) and not value.keys() & {"jsonrpc", "id"} and value.get("method") in _ASKED_FOR:
        return "InputRequest"
    match kind_of_message(value):
        case MessageKind.RESULT:
            return _RESPONSES.get(_guess_result(member(value, "result")), "JSONRPCResultResponse")
        case MessageKind.REQUEST:
            method = member(value, "method")
            return _REQUESTS.get(method, "JSONRPCRequest") if is_string(method) else "JSONRPCRequest"
        case MessageKind.NOTIFICATION:
            log = member(value, "method") == LOG
            return "LoggingMessageNotification" if log else "JSONRPCNotification"
        case MessageKind.ERROR:
            code = member(value, "error", "code")
            return _ERRORS.get(code, "JSONRPCErrorResponse") if isinstance(code, int) else "JSONRPCErrorResponse"
    if isinstance(value, list) and value and all(map(_is_exchange, value)):
        return "exchanges"
    if _is_exchange(value):
        return "exchange"
    return _guess_part(value) if is_object(value) else "JSONRPCMessage"


def _is_exchange(value: Json) -> bool:
    return is_object(value) and "request" in value and "jsonrpc" not in value


def _guess_result(result: Json | Absent) -> str:
    if not is_object(result):
        return "Result"
    if result.get("resultType") == "input_required":
        return "InputRequiredResult"
    for name in result:
        if name in _RESULTS:
            return _RESULTS[name]
    return "Result"


_PARTS: Final[Mapping[str, str]] = {
    "jsonrpc": "JSONRPCMessage",
    "code": "Error",
    PROTOCOL_VERSION: "RequestMetaObject",
    CLIENT_CAPABILITIES: "RequestMetaObject",
    SERVER_INFO: "ResultMetaObject",
    "inputSchema": "Tool",
    "uriTemplate": "ResourceTemplate",
    "src": "Icon",
    "version": "Implementation",
}
"""Members by which a part of a message is known, those that tell most first."""

_CAPABILITIES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("tools", "prompts", "resources", "logging", "completions"), "ServerCapabilities"),
    **dict.fromkeys(("roots", "sampling", "elicitation", "extensions"), "ClientCapabilities"),
}


_ASKED_FOR: Final = ("elicitation/create", "sampling/createMessage", "roots/list")
"""The methods of what stands in `inputRequests`."""


def _guess_part(value: JsonObject) -> str:
    """What an object is that is no message."""
    if "resultType" in value:
        return _guess_result(value)
    if "messages" in value and "jsonrpc" not in value:
        return ""
    named = next((name for key, name in _PARTS.items() if key in value), None)
    named = named or next((name for key, name in _CAPABILITIES.items() if is_object(value.get(key))), None)
    if named is not None:
        return named
    guessed = _guess_result(value)
    if guessed == "Result":
        return _guess_rest(value)
    return guessed


def _guess_rest(value: JsonObject) -> str:
    if "result" in value and "error" in value:
        return "JSONRPCMessage"
    if "level" in value and "data" in value:
        return "LoggingMessageNotificationParams"
    return "Resource" if "uri" in value and "name" in value else ""
