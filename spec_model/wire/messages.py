"""The messages in scope as types: for building them, for strict encoding, and for their JSON Schemas.

Two ways lead from JSON to a message:

* `read_message` takes any JSON value, never raises, says what kind of message it is, and keeps all of it. Judging and
  the reference peers use it.
* `parse` gives a typed message or a ValueError. It is strict in notation too: an id written `1.0` is no integer to it.

Every object of the protocol is open, so every type here has `extra`: the members that the type does not name, as they
stand in the JSON object. `parse` fills it at every depth and `encode` writes it back beside the named members, so
nothing that a peer sent is lost on the way through.

`encode` refuses with a ValueError of one line what the schema of a type forbids: a null or fractional id, a missing
`resultType`, a `cacheScope` that is neither public nor private. What the prose forbids beyond the schema is for
`spec_model.semantics` to say.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from spec_model.wire.json import MAX_POINTER_CHARS
from spec_model.wire.json import encode as encode_json
from spec_model.wire.json import pointer as pointer_to
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_object, kind_of

M = TypeVar("M", bound="Message")

RequestId: TypeAlias = int | str
ProgressToken: TypeAlias = int | str
LoggingLevel: TypeAlias = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
NotNegative: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
IntegralNumber: TypeAlias = int | Annotated[float, msgspec.Meta(multiple_of=1)]

if TYPE_CHECKING:
    Extra: TypeAlias = JsonObject
else:
    Extra = Any

# No name of the protocol; a member that a peer calls so is kept like every other.
_EXTRA: Final = "..."


class Message(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of every object of the protocol; `extra` holds the members that its type does not name."""

    extra: Extra = msgspec.field(name=_EXTRA, default_factory=dict)


# --- what messages are made of --------------------------------------------------------------------------------------


class Icon(Message, frozen=True, kw_only=True):
    """A sized icon."""

    src: str
    mime_type: str | Absent = ABSENT
    sizes: list[str] | Absent = ABSENT
    theme: Literal["light", "dark"] | Absent = ABSENT


class Implementation(Message, frozen=True, kw_only=True):
    """The name and version of a client or a server."""

    name: str
    version: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    website_url: str | Absent = ABSENT
    icons: list[Icon] | Absent = ABSENT


class SamplingCapability(Message, frozen=True, kw_only=True):
    """What a client offers with sampling."""

    context: JsonObject | Absent = ABSENT
    tools: JsonObject | Absent = ABSENT


class ElicitationCapability(Message, frozen=True, kw_only=True):
    """The elicitation modes of a client; an empty object means form."""

    form: JsonObject | Absent = ABSENT
    url: JsonObject | Absent = ABSENT


class ClientCapabilities(Message, frozen=True, kw_only=True):
    """What a client supports. An open set."""

    experimental: dict[str, JsonObject] | Absent = ABSENT
    roots: JsonObject | Absent = ABSENT
    sampling: SamplingCapability | Absent = ABSENT
    elicitation: ElicitationCapability | Absent = ABSENT
    extensions: dict[str, JsonObject] | Absent = ABSENT


class ListChangedCapability(Message, frozen=True, kw_only=True):
    """A list of which a server may announce changes."""

    list_changed: bool | Absent = ABSENT


class ResourcesCapability(Message, frozen=True, kw_only=True):
    """What a server offers with resources."""

    subscribe: bool | Absent = ABSENT
    list_changed: bool | Absent = ABSENT


class ServerCapabilities(Message, frozen=True, kw_only=True):
    """What a server supports. An open set."""

    experimental: dict[str, JsonObject] | Absent = ABSENT
    logging: JsonObject | Absent = ABSENT
    completions: JsonObject | Absent = ABSENT
    prompts: ListChangedCapability | Absent = ABSENT
    resources: ResourcesCapability | Absent = ABSENT
    tools: ListChangedCapability | Absent = ABSENT
    extensions: dict[str, JsonObject] | Absent = ABSENT


class RequestMetaObject(Message, frozen=True, kw_only=True):
    """`_meta` of a request."""

    protocol_version: str = msgspec.field(name="io.modelcontextprotocol/protocolVersion")
    client_info: Implementation | Absent = msgspec.field(name="io.modelcontextprotocol/clientInfo", default=ABSENT)
    client_capabilities: ClientCapabilities = msgspec.field(name="io.modelcontextprotocol/clientCapabilities")
    log_level: LoggingLevel | Absent = msgspec.field(name="io.modelcontextprotocol/logLevel", default=ABSENT)
    progress_token: ProgressToken | Absent = ABSENT


class ResultMetaObject(Message, frozen=True, kw_only=True):
    """`_meta` of a result."""

    server_info: Implementation | Absent = msgspec.field(name="io.modelcontextprotocol/serverInfo", default=ABSENT)


class NotificationMetaObject(Message, frozen=True, kw_only=True):
    """`_meta` of a notification."""

    subscription_id: RequestId | Absent = msgspec.field(name="io.modelcontextprotocol/subscriptionId", default=ABSENT)


# --- JSON-RPC ---------------------------------------------------------------------------------------------------------


class JSONRPCRequest(Message, frozen=True, kw_only=True):
    """A request of any method."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    method: str
    params: JsonObject | Absent = ABSENT


class JSONRPCNotification(Message, frozen=True, kw_only=True):
    """A notification of any method."""

    jsonrpc: Literal["2.0"] = "2.0"
    method: str
    params: JsonObject | Absent = ABSENT


class Result(Message, frozen=True, kw_only=True):
    """What every result has."""

    result_type: str
    meta: ResultMetaObject | Absent = msgspec.field(name="_meta", default=ABSENT)


class JSONRPCResultResponse(Message, frozen=True, kw_only=True):
    """A response that holds a result of any method."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: Result


class Error(Message, frozen=True, kw_only=True):
    """What every error has."""

    code: int
    message: str
    data: Json | Absent = ABSENT


class JSONRPCErrorResponse(Message, frozen=True, kw_only=True):
    """A response that holds an error; without `id` where that of the request could not be read."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId | Absent = ABSENT
    error: Error


# --- the errors of the specification --------------------------------------------------------------------------------


class HeaderMismatch(Message, frozen=True, kw_only=True):
    """The headers of a request do not agree with its body, or required ones are missing or malformed."""

    code: Literal[-32020] = -32020
    message: str
    data: Json | Absent = ABSENT


class HeaderMismatchError(Message, frozen=True, kw_only=True):
    """The response that carries it."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId | Absent = ABSENT
    error: HeaderMismatch


class RequiredCapabilities(Message, frozen=True, kw_only=True):
    """What a client did not declare and the request needs."""

    required_capabilities: ClientCapabilities


class MissingRequiredClientCapability(Message, frozen=True, kw_only=True):
    """A request needs a capability that its client did not declare."""

    code: Literal[-32021] = -32021
    message: str
    data: RequiredCapabilities


class MissingRequiredClientCapabilityError(Message, frozen=True, kw_only=True):
    """The response that carries it."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId | Absent = ABSENT
    error: MissingRequiredClientCapability


class VersionsOffered(Message, frozen=True, kw_only=True):
    """The versions that a server supports, and the one that was asked for."""

    supported: list[str]
    requested: str


class UnsupportedProtocolVersion(Message, frozen=True, kw_only=True):
    """The server does not support the version of a request."""

    code: Literal[-32022] = -32022
    message: str
    data: VersionsOffered


class UnsupportedProtocolVersionError(Message, frozen=True, kw_only=True):
    """The response that carries it."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId | Absent = ABSENT
    error: UnsupportedProtocolVersion


# --- requests and their results -------------------------------------------------------------------------------------


class RequestParams(Message, frozen=True, kw_only=True):
    """Params of a request that has none of its own."""

    meta: RequestMetaObject = msgspec.field(name="_meta")


class PaginatedRequestParams(RequestParams, frozen=True, kw_only=True):
    """Params of a list request."""

    cursor: str | Absent = ABSENT


class ReadResourceRequestParams(RequestParams, frozen=True, kw_only=True):
    """Params of `resources/read`; the last two belong to a retry with the input that the server asked for."""

    uri: str
    input_responses: dict[str, JsonObject] | Absent = ABSENT
    request_state: str | Absent = ABSENT


class DiscoverRequest(Message, frozen=True, kw_only=True):
    """`server/discover`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    method: Literal["server/discover"] = "server/discover"
    params: RequestParams


class ListToolsRequest(Message, frozen=True, kw_only=True):
    """`tools/list`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    method: Literal["tools/list"] = "tools/list"
    params: PaginatedRequestParams


class ListPromptsRequest(Message, frozen=True, kw_only=True):
    """`prompts/list`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    method: Literal["prompts/list"] = "prompts/list"
    params: PaginatedRequestParams


class ListResourcesRequest(Message, frozen=True, kw_only=True):
    """`resources/list`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    method: Literal["resources/list"] = "resources/list"
    params: PaginatedRequestParams


class ListResourceTemplatesRequest(Message, frozen=True, kw_only=True):
    """`resources/templates/list`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    method: Literal["resources/templates/list"] = "resources/templates/list"
    params: PaginatedRequestParams


class ReadResourceRequest(Message, frozen=True, kw_only=True):
    """`resources/read`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    method: Literal["resources/read"] = "resources/read"
    params: ReadResourceRequestParams


class CacheableResult(Result, frozen=True, kw_only=True):
    """What a cacheable result has: its lifetime in milliseconds and whom it may be shown to."""

    ttl_ms: NotNegative
    cache_scope: Literal["public", "private"]


class DiscoverResult(CacheableResult, frozen=True, kw_only=True):
    """The result of `server/discover`."""

    supported_versions: list[str]
    capabilities: ServerCapabilities
    instructions: str | Absent = ABSENT


class ToolAnnotations(Message, frozen=True, kw_only=True):
    """Hints about what a tool does."""

    title: str | Absent = ABSENT
    read_only_hint: bool | Absent = ABSENT
    destructive_hint: bool | Absent = ABSENT
    idempotent_hint: bool | Absent = ABSENT
    open_world_hint: bool | Absent = ABSENT


class InputSchema(Message, frozen=True, kw_only=True):
    """A JSON Schema whose root is an object."""

    dialect: str | Absent = msgspec.field(name="$schema", default=ABSENT)
    type: Literal["object"]


class OutputSchema(Message, frozen=True, kw_only=True):
    """A JSON Schema."""

    dialect: str | Absent = msgspec.field(name="$schema", default=ABSENT)


class Tool(Message, frozen=True, kw_only=True):
    """A tool of a server."""

    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    input_schema: InputSchema
    output_schema: OutputSchema | Absent = ABSENT
    annotations: ToolAnnotations | Absent = ABSENT
    icons: list[Icon] | Absent = ABSENT
    meta: JsonObject | Absent = msgspec.field(name="_meta", default=ABSENT)


class PromptArgument(Message, frozen=True, kw_only=True):
    """An argument of a prompt."""

    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    required: bool | Absent = ABSENT


class Prompt(Message, frozen=True, kw_only=True):
    """A prompt of a server."""

    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    arguments: list[PromptArgument] | Absent = ABSENT
    icons: list[Icon] | Absent = ABSENT
    meta: JsonObject | Absent = msgspec.field(name="_meta", default=ABSENT)


class Annotations(Message, frozen=True, kw_only=True):
    """For whom something is, how much it matters (0 to 1), and when it last changed (ISO 8601)."""

    audience: list[Literal["user", "assistant"]] | Absent = ABSENT
    priority: Annotated[float, msgspec.Meta(ge=0, le=1)] | Absent = ABSENT
    last_modified: str | Absent = ABSENT


class Resource(Message, frozen=True, kw_only=True):
    """A resource of a server; `size` counts bytes."""

    uri: str
    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    mime_type: str | Absent = ABSENT
    size: IntegralNumber | Absent = ABSENT
    annotations: Annotations | Absent = ABSENT
    icons: list[Icon] | Absent = ABSENT
    meta: JsonObject | Absent = msgspec.field(name="_meta", default=ABSENT)


class ResourceTemplate(Message, frozen=True, kw_only=True):
    """A family of resources of a server."""

    uri_template: str
    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    mime_type: str | Absent = ABSENT
    annotations: Annotations | Absent = ABSENT
    icons: list[Icon] | Absent = ABSENT
    meta: JsonObject | Absent = msgspec.field(name="_meta", default=ABSENT)


class ResourceContents(Message, frozen=True, kw_only=True):
    """What a resource holds: `text`, or `blob` in Base64."""

    uri: str
    mime_type: str | Absent = ABSENT
    text: str | Absent = ABSENT
    blob: str | Absent = ABSENT
    meta: JsonObject | Absent = msgspec.field(name="_meta", default=ABSENT)

    def __post_init__(self) -> None:
        if self.text is ABSENT and self.blob is ABSENT:
            raise ValueError("the contents of a resource have text or blob")


class ListToolsResult(CacheableResult, frozen=True, kw_only=True):
    """The result of `tools/list`."""

    tools: list[Tool]
    next_cursor: str | Absent = ABSENT


class ListPromptsResult(CacheableResult, frozen=True, kw_only=True):
    """The result of `prompts/list`."""

    prompts: list[Prompt]
    next_cursor: str | Absent = ABSENT


class ListResourcesResult(CacheableResult, frozen=True, kw_only=True):
    """The result of `resources/list`."""

    resources: list[Resource]
    next_cursor: str | Absent = ABSENT


class ListResourceTemplatesResult(CacheableResult, frozen=True, kw_only=True):
    """The result of `resources/templates/list`."""

    resource_templates: list[ResourceTemplate]
    next_cursor: str | Absent = ABSENT


class ReadResourceResult(CacheableResult, frozen=True, kw_only=True):
    """The final result of `resources/read`."""

    contents: list[ResourceContents]


class SamplingContent(Message, frozen=True, kw_only=True):
    """A block of content for or from the model; what each type of block holds is not modelled."""

    type: Literal["text", "image", "audio", "tool_use", "tool_result"]


class SamplingMessage(Message, frozen=True, kw_only=True):
    """A message for or from the model."""

    role: Literal["user", "assistant"]
    content: SamplingContent | list[SamplingContent]


class CreateMessageRequestParams(Message, frozen=True, kw_only=True):
    """Params of `sampling/createMessage`."""

    messages: list[SamplingMessage]
    max_tokens: IntegralNumber


class RequestedSchema(Message, frozen=True, kw_only=True):
    """The flat schema of what a form asks for."""

    type: Literal["object"]
    properties: dict[str, JsonObject]
    required: list[str] | Absent = ABSENT
    dialect: str | Absent = msgspec.field(name="$schema", default=ABSENT)


class ElicitRequestFormParams(Message, frozen=True, kw_only=True):
    """Params of `elicitation/create` in form mode."""

    mode: Literal["form"] | Absent = ABSENT
    message: str
    requested_schema: RequestedSchema


class ElicitRequestURLParams(Message, frozen=True, kw_only=True):
    """Params of `elicitation/create` in URL mode."""

    mode: Literal["url"]
    message: str
    url: str


class InputRequest(Message, frozen=True, kw_only=True):
    """A request of the server inside a result that asks for input."""

    method: Literal["elicitation/create", "sampling/createMessage", "roots/list"]
    params: JsonObject | Absent = ABSENT


class InputRequiredResult(Message, frozen=True, kw_only=True):
    """A result that asks for input; it has `input_requests`, `request_state` or both."""

    result_type: Literal["input_required"] = "input_required"
    input_requests: dict[str, InputRequest] | Absent = ABSENT
    request_state: str | Absent = ABSENT
    meta: ResultMetaObject | Absent = msgspec.field(name="_meta", default=ABSENT)

    def __post_init__(self) -> None:
        if self.input_requests is ABSENT and self.request_state is ABSENT:
            raise ValueError("a result that asks for input has inputRequests or requestState")


class DiscoverResultResponse(Message, frozen=True, kw_only=True):
    """The answer to `server/discover`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: DiscoverResult


class ListToolsResultResponse(Message, frozen=True, kw_only=True):
    """The answer to `tools/list`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: ListToolsResult


class ListPromptsResultResponse(Message, frozen=True, kw_only=True):
    """The answer to `prompts/list`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: ListPromptsResult


class ListResourcesResultResponse(Message, frozen=True, kw_only=True):
    """The answer to `resources/list`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: ListResourcesResult


class ListResourceTemplatesResultResponse(Message, frozen=True, kw_only=True):
    """The answer to `resources/templates/list`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: ListResourceTemplatesResult


class ReadResourceResultResponse(Message, frozen=True, kw_only=True):
    """The final answer to `resources/read`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: ReadResourceResult


class InputRequiredResultResponse(Message, frozen=True, kw_only=True):
    """An answer that asks for input. To `resources/read` the schema calls both answers ReadResourceResultResponse."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: InputRequiredResult


class LoggingMessageNotificationParams(Message, frozen=True, kw_only=True):
    """A log message."""

    level: LoggingLevel
    data: Json
    logger: str | Absent = ABSENT
    meta: NotificationMetaObject | Absent = msgspec.field(name="_meta", default=ABSENT)


class LoggingMessageNotification(Message, frozen=True, kw_only=True):
    """`notifications/message`."""

    jsonrpc: Literal["2.0"] = "2.0"
    method: Literal["notifications/message"] = "notifications/message"
    params: LoggingMessageNotificationParams


# --- the handshake of the legacy revisions --------------------------------------------------------------------------


class LegacyClientCapabilities(ClientCapabilities, frozen=True, kw_only=True):
    """What a client declares for a whole session."""

    tasks: JsonObject | Absent = ABSENT


class LegacyServerCapabilities(ServerCapabilities, frozen=True, kw_only=True):
    """What a server declares for a whole session."""

    tasks: JsonObject | Absent = ABSENT


class InitializeRequestParams(Message, frozen=True, kw_only=True):
    """Params of `initialize`."""

    protocol_version: str
    capabilities: LegacyClientCapabilities
    client_info: Implementation
    meta: JsonObject | Absent = msgspec.field(name="_meta", default=ABSENT)


class InitializeRequest(Message, frozen=True, kw_only=True):
    """`initialize`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    method: Literal["initialize"] = "initialize"
    params: InitializeRequestParams


class InitializeResult(Message, frozen=True, kw_only=True):
    """The result of `initialize`."""

    protocol_version: str
    capabilities: LegacyServerCapabilities
    server_info: Implementation
    instructions: str | Absent = ABSENT
    meta: JsonObject | Absent = msgspec.field(name="_meta", default=ABSENT)


class InitializeResultResponse(Message, frozen=True, kw_only=True):
    """The answer to `initialize`."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: InitializeResult


class InitializedNotification(Message, frozen=True, kw_only=True):
    """`notifications/initialized`."""

    jsonrpc: Literal["2.0"] = "2.0"
    method: Literal["notifications/initialized"] = "notifications/initialized"
    params: JsonObject | Absent = ABSENT


_BOTH_ERAS: Final = (JSONRPCRequest, JSONRPCNotification, JSONRPCErrorResponse, Error, Implementation, Icon)
_MODERN: Final = (
    JSONRPCResultResponse,
    Result,
    RequestMetaObject,
    ResultMetaObject,
    NotificationMetaObject,
    ClientCapabilities,
    ServerCapabilities,
    HeaderMismatchError,
    MissingRequiredClientCapabilityError,
    UnsupportedProtocolVersionError,
    DiscoverRequest,
    DiscoverResult,
    DiscoverResultResponse,
    ListToolsRequest,
    ListToolsResult,
    ListToolsResultResponse,
    ListPromptsRequest,
    ListPromptsResult,
    ListPromptsResultResponse,
    ListResourcesRequest,
    ListResourcesResult,
    ListResourcesResultResponse,
    ListResourceTemplatesRequest,
    ListResourceTemplatesResult,
    ListResourceTemplatesResultResponse,
    ReadResourceRequest,
    ReadResourceResult,
    ReadResourceResultResponse,
    InputRequiredResult,
    InputRequiredResultResponse,
    LoggingMessageNotification,
    Tool,
    Prompt,
    Resource,
    ResourceTemplate,
)
_LEGACY: Final = (InitializeRequest, InitializeResult, InitializeResultResponse, InitializedNotification)


def _by_name(*groups: tuple[type[Message], ...]) -> Mapping[str, type[Message]]:
    return {one.__name__: one for group in groups for one in group}


MESSAGES: Final[Mapping[str, Mapping[str, type[Message]]]] = {
    "2024-11-05": _by_name(_BOTH_ERAS, _LEGACY),
    "2025-03-26": _by_name(_BOTH_ERAS, _LEGACY),
    "2025-06-18": _by_name(_BOTH_ERAS, _LEGACY),
    "2025-11-25": _by_name(_BOTH_ERAS, _LEGACY),
    "2026-07-28": _by_name(_BOTH_ERAS, _MODERN),
}
"""The types of each revision, by the name that the schema of the revision gives them."""


# --- between JSON and types -------------------------------------------------------------------------------------------


def parse(value: Json, message_type: type[M]) -> M:
    """The message of this type that a JSON value stands for.

    Raises ValueError, which says in one line what does not fit and where.
    """
    try:
        message = msgspec.convert(value, message_type)
        _keep(message, value, "$")
    except msgspec.ValidationError as error:
        raise ValueError(f"no {message_type.__name__}: {printable(str(error))}") from None
    except RecursionError:
        raise ValueError(f"no {message_type.__name__}: it is nested too deep") from None
    return message


def to_json(message: Message) -> JsonObject:
    """The JSON object of a message: the named members in the order of its type, then those in `extra`.

    Raises ValueError, in one line, where `extra` has a member that the type names, or the object is none of its type.
    """
    try:
        value: JsonObject = _flat(message)
        msgspec.convert(value, type(message))
    except msgspec.ValidationError as error:
        raise ValueError(f"no {type(message).__name__}: {printable(str(error))}") from None
    except RecursionError:
        raise ValueError(f"no {type(message).__name__}: it is nested too deep") from None
    return value


def encode(message: Message) -> bytes:
    """A message as JSON on one line, without a newline.

    Raises ValueError where `to_json` does, and for what is no JSON: NaN, infinities, lone surrogates.
    """
    return encode_json(to_json(message))


def json_schema(message_type: type[Message]) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a type, with those it refers to under `$defs`."""
    schema = msgspec.json.schema(message_type)
    for definition in schema["$defs"].values():
        members = definition["properties"]
        del members[_EXTRA]
        constant = [name for name, member in members.items() if member.pop("default", ABSENT) is not ABSENT]
        definition["required"] = [name for name in members if name in (*definition.get("required", ()), *constant)]
    return schema


def _keep(message: Any, value: Any, at: str) -> None:
    """Fills `extra` of a message, at every depth, from the JSON value that it was made of."""
    if isinstance(message, Message):
        named = _members(type(message))
        extra = {name: kept for name, kept in value.items() if name not in named}
        msgspec.structs.force_setattr(message, "extra", extra)
        for name, attribute in named.items():
            part = getattr(message, attribute)
            if name in value:
                _keep(part, value[name], f"{at}.{name}")
            elif part is not ABSENT:
                raise msgspec.ValidationError(f"Object missing required field `{name}` - at `{at}`")
    elif isinstance(message, list):
        for index, one in enumerate(message):
            _keep(one, value[index], f"{at}[{index}]")
    elif isinstance(message, dict):
        for name, one in message.items():
            if isinstance(one, Message):
                _keep(one, value[name], f"{at}[...]")


def _flat(message: Any) -> Any:
    if isinstance(message, Message):
        named = _members(type(message))
        members = {name: getattr(message, attribute) for name, attribute in named.items()}
        flat = {name: _flat(value) for name, value in members.items() if value is not ABSENT}
        for name, value in message.extra.items():
            if name in named:
                raise ValueError(f"extra of {type(message).__name__} has {shown(name)}, which the type names")
            flat[name] = value
        return flat
    if isinstance(message, list):
        return [_flat(one) for one in message]
    if isinstance(message, dict):
        return {name: _flat(one) for name, one in message.items()}
    return message


@cache
def _members(message_type: type[Message]) -> Mapping[str, str]:
    """The attribute of each named member."""
    names = zip(message_type.__struct_encode_fields__, message_type.__struct_fields__, strict=True)
    return {name: attribute for name, attribute in names if name != _EXTRA}


# --- reading what a peer sent -----------------------------------------------------------------------------------------


class MessageKind(enum.Enum):
    """What a JSON value is by the members that it has."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESULT = "result"
    ERROR = "error"
    BATCH = "batch"
    NEITHER = "neither"


class Received(msgspec.Struct, frozen=True):
    """A JSON value and what kind of message it is.

    The members are those of the value, whatever their types; ABSENT where it has none.
    """

    kind: MessageKind
    value: Json
    id: Json | Absent = ABSENT
    method: Json | Absent = ABSENT
    params: Json | Absent = ABSENT
    result: Json | Absent = ABSENT
    error: Json | Absent = ABSENT


def read_message(value: Json) -> Received:
    """What kind of message a JSON value is, and its members. Never raises, judges nothing, drops nothing."""
    if not is_object(value):
        return Received(MessageKind.BATCH if type(value) is list else MessageKind.NEITHER, value)
    return Received(
        kind_of_message(value),
        value,
        value.get("id", ABSENT),
        value.get("method", ABSENT),
        value.get("params", ABSENT),
        value.get("result", ABSENT),
        value.get("error", ABSENT),
    )


def kind_of_message(value: Json) -> MessageKind:
    """What a JSON value is by its members alone.

    A `method` makes a request, or without `id` a notification; where there is none, a `result` or an `error` makes a
    response. What has none of the three is neither, and so is what has both a result and an error.
    """
    if not is_object(value):
        return MessageKind.BATCH if type(value) is list else MessageKind.NEITHER
    if "method" in value:
        return MessageKind.REQUEST if "id" in value else MessageKind.NOTIFICATION
    if ("result" in value) == ("error" in value):
        return MessageKind.NEITHER
    return MessageKind.RESULT if "result" in value else MessageKind.ERROR


# --- for messages to people ------------------------------------------------------------------------------------------

_SHOWN: Final = 60
_PLACE: Final = re.compile(r" - at `\$(?P<path>.*)`$", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]")


def shown(value: Json | Absent) -> str:
    """A value of a peer for a message to people: one printable ASCII line of bounded length."""
    match value:
        case str():
            text = ascii(value[: _SHOWN + 1])
        case bool() | None:
            return {True: "true", False: "false", None: "null"}[value]
        case int():
            text = str(value) if value.bit_length() < 4 * _SHOWN else f"an integer of {value.bit_length()} bits"
        case float():
            text = repr(value)
        case list() | dict():
            return f"{kind_of(value)} of {len(value)}"
        case _:
            return "nothing"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def place(at: str, whole: JsonObject, name: str) -> str:
    """The JSON pointer of a member of the object at `at`, or that of the object where it has no such member."""
    return f"{at}/{name}" if name in whole else at


def below(at: str, name: str) -> str:
    """The JSON pointer of a member with a name of the peer's own, cut where `fitting` drops the name anyway."""
    return at + pointer_to(name[: MAX_POINTER_CHARS + 1])


def fitting(pointer: str) -> str:
    """The same pointer, or that of the nearest enclosing value whose pointer has at most MAX_POINTER_CHARS."""
    return pointer if len(pointer) <= MAX_POINTER_CHARS else pointer[: MAX_POINTER_CHARS + 1].rpartition("/")[0]


def misfit(value: Json | Absent, message_type: type[Message]) -> tuple[str, str] | None:
    """Where a JSON value first fails to fit a type, as a JSON pointer, and why in one printable line, or None.

    Below a map with keys of the peer's own the pointer is that of the map. Notation does not count: `1.0` is an integer
    where the type says so by `IntegralNumber`.
    """
    if value is ABSENT:
        return "", "it is missing"
    try:
        msgspec.convert(value, message_type)
    except msgspec.ValidationError as error:
        text = str(error)
        found = _PLACE.search(text)
        if found is None:
            return "", _line(text)
        return _pointer(found["path"]), _line(text[: found.start()])
    except RecursionError:
        return "", "it is nested too deep"
    return None


def _pointer(path: str) -> str:
    known = path.partition("[...]")[0]
    return "".join(f"/{step['name'] or step['index']}" for step in _STEP.finditer(known))


def _line(text: str) -> str:
    return printable(text, 2 * _SHOWN)


def printable(text: str, limit: int = 240) -> str:
    """A text that may hold what a peer sent as one printable ASCII line of at most `limit` characters."""
    line = text if text.isascii() and text.isprintable() else ascii(text)[1:-1]
    return line if len(line) <= limit else f"{line[: limit - 3]}..."
