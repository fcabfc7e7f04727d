"""Values that are right at a glance, so that checking a message without a fault is quick.

A type here takes less than the rules let pass: it names every member that it knows and knows no other, and what needs a
closer look (icons, extensions, foreign keys in `_meta`, numbers written `1.0`) does not fit it. What fits has no fault
and gives rise to no note; all else is left to the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

from spec_model.semantics.revisions import REVISIONS
from spec_model.wire.messages import LoggingLevel, NotNegative, RequestId
from spec_model.wire.values import ABSENT, Absent, Json

Anything = dict[str, Any]
Number = int | float


class _Plain(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    pass


class _Schema(_Plain, frozen=True, kw_only=True):
    type: Literal["object", "array", "string", "number", "integer", "boolean", "null"] | Absent = ABSENT
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    properties: dict[str, _Schema] | Absent = ABSENT
    required: list[str] | Absent = ABSENT
    items: _Schema | Absent = ABSENT
    additional_properties: bool | Absent = ABSENT
    enum: list[Any] | Absent = ABSENT
    default: Any = ABSENT
    minimum: Number | Absent = ABSENT
    maximum: Number | Absent = ABSENT


class _ObjectSchema(_Schema, frozen=True, kw_only=True):
    type: Literal["object"]


class _ToolAnnotations(_Plain, frozen=True, kw_only=True):
    title: str | Absent = ABSENT
    read_only_hint: bool | Absent = ABSENT
    destructive_hint: bool | Absent = ABSENT
    idempotent_hint: bool | Absent = ABSENT
    open_world_hint: bool | Absent = ABSENT


class _Tool(_Plain, frozen=True, kw_only=True):
    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    input_schema: _ObjectSchema
    output_schema: _Schema | Absent = ABSENT
    annotations: _ToolAnnotations | Absent = ABSENT


class _Argument(_Plain, frozen=True, kw_only=True):
    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    required: bool | Absent = ABSENT


class _Prompt(_Plain, frozen=True, kw_only=True):
    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    arguments: list[_Argument] | Absent = ABSENT


class _Resource(_Plain, frozen=True, kw_only=True):
    uri: str
    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    mime_type: str | Absent = ABSENT
    size: int | Absent = ABSENT


class _Template(_Plain, frozen=True, kw_only=True):
    uri_template: str
    name: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT
    mime_type: str | Absent = ABSENT


class _Contents(_Plain, frozen=True, kw_only=True):
    uri: str
    mime_type: str | Absent = ABSENT
    text: str


class _Implementation(_Plain, frozen=True, kw_only=True):
    name: str
    version: str
    title: str | Absent = ABSENT
    description: str | Absent = ABSENT


class _ListChanged(_Plain, frozen=True, kw_only=True):
    list_changed: bool | Absent = ABSENT


class _Resources(_Plain, frozen=True, kw_only=True):
    subscribe: bool | Absent = ABSENT
    list_changed: bool | Absent = ABSENT


class _ServerCapabilities(_Plain, frozen=True, kw_only=True):
    logging: Anything | Absent = ABSENT
    completions: Anything | Absent = ABSENT
    prompts: _ListChanged | Absent = ABSENT
    resources: _Resources | Absent = ABSENT
    tools: _ListChanged | Absent = ABSENT


class _Sampling(_Plain, frozen=True, kw_only=True):
    context: Anything | Absent = ABSENT
    tools: Anything | Absent = ABSENT


class _Elicitation(_Plain, frozen=True, kw_only=True):
    form: Anything | Absent = ABSENT
    url: Anything | Absent = ABSENT


class _ClientCapabilities(_Plain, frozen=True, kw_only=True):
    roots: Anything | Absent = ABSENT
    sampling: _Sampling | Absent = ABSENT
    elicitation: _Elicitation | Absent = ABSENT


class _RequestMeta(_Plain, frozen=True, kw_only=True):
    protocol_version: str = msgspec.field(name="io.modelcontextprotocol/protocolVersion")
    client_info: _Implementation = msgspec.field(name="io.modelcontextprotocol/clientInfo")
    client_capabilities: _ClientCapabilities = msgspec.field(name="io.modelcontextprotocol/clientCapabilities")
    log_level: LoggingLevel | Absent = msgspec.field(name="io.modelcontextprotocol/logLevel", default=ABSENT)
    progress_token: int | str | Absent = ABSENT


class _Params(_Plain, frozen=True, kw_only=True):
    meta: _RequestMeta = msgspec.field(name="_meta")


class _PageParams(_Params, frozen=True, kw_only=True):
    cursor: str | Absent = ABSENT


class _ReadParams(_Params, frozen=True, kw_only=True):
    uri: str


class _ResultMeta(_Plain, frozen=True, kw_only=True):
    server_info: _Implementation = msgspec.field(name="io.modelcontextprotocol/serverInfo")


class _Result(_Plain, frozen=True, kw_only=True):
    result_type: Literal["complete"]
    ttl_ms: NotNegative
    cache_scope: Literal["public", "private"]
    meta: _ResultMeta = msgspec.field(name="_meta")


class _Discovered(_Result, frozen=True, kw_only=True):
    supported_versions: Annotated[list[Literal[REVISIONS]], msgspec.Meta(min_length=1)]  # type: ignore[valid-type]
    capabilities: _ServerCapabilities
    instructions: str | Absent = ABSENT


class _Page(_Result, frozen=True, kw_only=True):
    next_cursor: str | Absent = ABSENT


class _Tools(_Page, frozen=True, kw_only=True):
    tools: list[_Tool]


class _Prompts(_Page, frozen=True, kw_only=True):
    prompts: list[_Prompt]


class _ResourceList(_Page, frozen=True, kw_only=True):
    resources: list[_Resource]


class _Templates(_Page, frozen=True, kw_only=True):
    resource_templates: list[_Template]


class _Read(_Result, frozen=True, kw_only=True):
    contents: list[_Contents]


def _request(method: str, params: type[_Params]) -> type[msgspec.Struct]:
    members: list[Any] = [
        ("jsonrpc", Literal["2.0"]),
        ("id", RequestId),
        ("method", Literal[method]),
        ("params", params),
    ]
    return msgspec.defstruct("_Request", members, forbid_unknown_fields=True)


def _response(result: type[_Result]) -> type[msgspec.Struct]:
    members: list[Any] = [("jsonrpc", Literal["2.0"]), ("id", RequestId), ("result", result)]
    return msgspec.defstruct("_Response", members, forbid_unknown_fields=True)


_PLAIN: Final[Mapping[str, type[msgspec.Struct]]] = {
    "DiscoverRequest": _request("server/discover", _Params),
    "ListToolsRequest": _request("tools/list", _PageParams),
    "ListPromptsRequest": _request("prompts/list", _PageParams),
    "ListResourcesRequest": _request("resources/list", _PageParams),
    "ListResourceTemplatesRequest": _request("resources/templates/list", _PageParams),
    "ReadResourceRequest": _request("resources/read", _ReadParams),
    "DiscoverResultResponse": _response(_Discovered),
    "ListToolsResultResponse": _response(_Tools),
    "ListPromptsResultResponse": _response(_Prompts),
    "ListResourcesResultResponse": _response(_ResourceList),
    "ListResourceTemplatesResultResponse": _response(_Templates),
    "ReadResourceResultResponse": _response(_Read),
}

_PART: Final[Mapping[str, str]] = {name: "params" if name.endswith("Request") else "result" for name in _PLAIN}

# What a plain value meets depends on its type and on which members its result or params have, empty lists apart.
_HELD: Final[dict[tuple[str, frozenset[str]], Sequence[str]]] = {}


def accepted(type_name: str, value: Any, work_out: Callable[[str, Json], Sequence[str]]) -> Sequence[str] | None:
    """The requirements that a value meets, worked out once for all that are alike; None where it is not plain."""
    plain = _PLAIN.get(type_name)
    if plain is None:
        return None
    try:
        message: Any = msgspec.convert(value, plain)
    except (msgspec.ValidationError, RecursionError):
        return None
    if type_name == "ListToolsResultResponse" and _tools_repeat(message.result.tools):
        return None
    if type_name == "DiscoverResultResponse" and REVISIONS[-1] not in message.result.supported_versions:
        return None
    part = value[_PART[type_name]]
    alike = (type_name, frozenset(name for name in part if part[name] != []))
    held = _HELD.get(alike)
    if held is None:
        held = _HELD[alike] = tuple(work_out(type_name, value))
    return held


def is_plain_schema(schema: Json) -> bool:
    """Whether a schema is right at a glance, under the default dialect."""
    try:
        return not _repeats(msgspec.convert(schema, _Schema))
    except (msgspec.ValidationError, RecursionError):
        return False


def _tools_repeat(tools: list[_Tool]) -> bool:
    return any(_repeats(tool.input_schema) or _repeats(tool.output_schema) for tool in tools)


def _repeats(schema: _Schema | Absent) -> bool:
    """Whether a schema requires a name twice, itself or below."""
    if schema is ABSENT:
        return False
    required = schema.required
    if required and len(set(required)) < len(required):
        return True
    for one in (schema.properties or {}).values():
        if (one.properties or one.items or one.required) and _repeats(one):
            return True
    return _repeats(schema.items)
