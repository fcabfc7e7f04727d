"""Per-request and per-response metadata: its shape, what a server makes of it, and capabilities.

Source: basic/index#meta.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    HandlerErrorStatus,
    MalformedOptionalField,
    MissingElicitationMode,
    RequiredListContent,
    ServerInfoOnRelay,
    WrongContainerType,
)
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.errors import INVALID_PARAMS, INVALID_REQUEST, MISSING_CLIENT_CAPABILITY
from spec_model.semantics.extensions import judge_extensions
from spec_model.semantics.functions import function
from spec_model.semantics.icons import Carrier, judge_icons
from spec_model.semantics.logging import is_level
from spec_model.semantics.meta_keys import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LOG_LEVEL,
    PROGRESS_TOKEN,
    PROTOCOL_VERSION,
    SERVER_INFO,
    judge_meta_key,
)
from spec_model.semantics.trace import judge_trace
from spec_model.wire.json import pointer
from spec_model.wire.messages import shown
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_integer, is_object, is_string, kind_of, member

BAD_REQUEST: Final = 400
OK: Final = 200

Transport: TypeAlias = Literal["stdio", "http"]


# --- the shape of metadata -------------------------------------------------------------------------------------


@function("metadata.request")
def request_metadata(meta: Json | Absent = ABSENT, client_info_withheld: bool = False) -> Decision[Conformance]:
    """Whether the `_meta` of a request (left out where its params have none) is as a client has to send it.

    `client_info_withheld`: the client is configured not to identify itself.

    Source: basic/index#meta.
    """
    found = Findings()
    judge_request_meta(found, meta, client_info_withheld=client_info_withheld)
    return found.decision()


def judge_request_meta(
    found: Findings, meta: Json | Absent, at: str = "", *, client_info_withheld: bool = False
) -> None:
    """The `_meta` of a request: the required keys, the optional ones, and the form of every key."""
    _judge_version(found, meta, at)
    _judge_declared(found, meta, at)
    _judge_client_info(found, meta, at, client_info_withheld)
    level = member(meta, LOG_LEVEL)
    if level is not ABSENT:
        found.check(
            is_level(level), "meta.request.log-level-type", _under(at, LOG_LEVEL), f"{shown(level)} is no log level"
        )
    found.held.append("meta.request.log-level-optional")
    token = member(meta, PROGRESS_TOKEN)
    if token is not ABSENT:
        found.check(
            is_token(token), "base.schema.conforms", _under(at, PROGRESS_TOKEN), f"{shown(token)} is no progress token"
        )
    judge_meta(found, meta, at)


def _judge_version(found: Findings, meta: Json | Absent, at: str) -> None:
    version = member(meta, PROTOCOL_VERSION)
    under = _under(at, PROTOCOL_VERSION)
    if found.check(version is not ABSENT, "meta.request.protocol-version", under, "the protocol version is missing"):
        found.check(
            is_string(version), "meta.request.protocol-version-type", under, f"a version is no {kind_of(version)}"
        )


def _judge_declared(found: Findings, meta: Json | Absent, at: str) -> None:
    declared = member(meta, CLIENT_CAPABILITIES)
    under = _under(at, CLIENT_CAPABILITIES)
    if found.check(declared is not ABSENT, "meta.request.client-capabilities", under, "the capabilities are missing"):
        judge_client_capabilities(found, declared, under)


def _judge_client_info(found: Findings, meta: Json | Absent, at: str, withheld: bool) -> None:
    client_info = member(meta, CLIENT_INFO)
    under = _under(at, CLIENT_INFO)
    if client_info is ABSENT:
        found.check(withheld, "meta.request.client-info-sent", under, "the client does not identify itself")
        return
    found.held.append("meta.request.client-info-sent")
    judge_implementation(found, client_info, "meta.request.client-info-type", under)


@function("metadata.result")
def result_metadata(meta: Json | Absent = ABSENT, server_info_withheld: bool = False) -> Decision[Conformance]:
    """Whether the `_meta` of a result (left out where it has none) is as a server has to send it.

    `server_info_withheld`: the server is configured not to identify itself.

    Source: basic/index#meta.
    """
    found = Findings()
    judge_result_meta(found, meta, server_info_withheld=server_info_withheld)
    return found.decision()


def judge_result_meta(
    found: Findings, meta: Json | Absent, at: str = "", *, server_info_withheld: bool = False
) -> None:
    """The `_meta` of a result."""
    server_info = member(meta, SERVER_INFO)
    under = _under(at, SERVER_INFO)
    if server_info is not ABSENT:
        judge_implementation(found, server_info, "meta.response.server-info-type", under)
    identified = server_info_withheld or server_info is not ABSENT
    found.check(identified, "meta.response.server-info", under, "the server does not identify itself")
    judge_meta(found, meta, at)


def judge_meta(found: Findings, meta: Json | Absent, at: str = "") -> None:
    """What holds for any `_meta`: an object, if it is there, with valid keys and trace context in its format."""
    if meta is ABSENT:
        return
    found.check(is_object(meta), "base.schema.conforms", at, f"_meta is an object, not {kind_of(meta)}")
    if is_object(meta):
        for key in meta:
            judge_meta_key(found, key, _under(at, key))
        judge_trace(found, meta, at)


def _under(at: str, key: str) -> str:
    return at + pointer(key)


def judge_implementation(found: Findings, value: Json, requirement: str, at: str = "") -> None:
    """An `Implementation`: the identity of a client or a server, whose form `requirement` asks for."""
    found.check(is_object(value), requirement, at, f"an object, not {kind_of(value)}")
    for name in ("name", "version"):
        text = member(value, name)
        found.check(is_string(text), requirement, _under(at, name), f"{name} is {kind_of(text)}")
    for name in ("title", "description", "websiteUrl"):
        text = member(value, name)
        if text is not ABSENT:
            found.check(is_string(text), requirement, _under(at, name), f"{name} is {kind_of(text)}")
    icons = member(value, "icons")
    if icons is not ABSENT:
        judge_icons(found, icons, Carrier.IMPLEMENTATION, f"{at}/icons")


# --- the shape of capabilities ---------------------------------------------------------------------------------

_CLIENT_CAPABILITIES: Final[Mapping[str, tuple[str, ...]]] = {
    "roots": (),
    "sampling": ("context", "tools"),
    "elicitation": ("form", "url"),
}
_SERVER_CAPABILITIES: Final[Mapping[str, tuple[str, ...]]] = {
    "logging": (),
    "completions": (),
    "prompts": ("listChanged",),
    "resources": ("listChanged", "subscribe"),
    "tools": ("listChanged",),
}
_EXPERIMENTAL: Final = "experimental"


def _is_flag(value: Json) -> bool:
    return type(value) is bool


@function("metadata.client-capabilities")
def client_capabilities(capabilities: Json) -> Decision[Conformance]:
    """Whether a value is right as the capabilities of a client. Members that the protocol does not know are welcome.

    Source: basic/index#meta, basic/versioning#extension-negotiation.
    """
    found = Findings()
    judge_client_capabilities(found, capabilities)
    return found.decision()


def judge_client_capabilities(found: Findings, value: Json | Absent, at: str = "") -> None:
    """A `ClientCapabilities` object."""
    requirement = "meta.request.client-capabilities-type"
    _judge_capabilities(found, value, _CLIENT_CAPABILITIES, is_object, requirement, at)


@function("metadata.server-capabilities")
def server_capabilities(capabilities: Json) -> Decision[Conformance]:
    """Whether a value is right as the capabilities of a server. Members that the protocol does not know are welcome.

    Source: server/discover#discoverresult, basic/versioning#extension-negotiation.
    """
    found = Findings()
    judge_server_capabilities(found, capabilities)
    return found.decision()


def judge_server_capabilities(found: Findings, value: Json | Absent, at: str = "") -> None:
    """A `ServerCapabilities` object."""
    _judge_capabilities(found, value, _SERVER_CAPABILITIES, _is_flag, "discovery.result.capabilities", at)


def _judge_capabilities(
    found: Findings,
    value: Json | Absent,
    known: Mapping[str, tuple[str, ...]],
    fits: Callable[[Json], bool],
    requirement: str,
    at: str,
) -> None:
    if not found.check(is_object(value), requirement, at, f"capabilities are an object, not {kind_of(value)}"):
        return
    for under, right in _members(value, known, fits):
        found.check(right, requirement, at + under, "not the form that this capability has")
    extensions = member(value, "extensions")
    if extensions is not ABSENT:
        found.held.append("extensions.advertise.field")
        judge_extensions(found, extensions, f"{at}/extensions")


def _members(
    value: Json | Absent, known: Mapping[str, tuple[str, ...]], fits: Callable[[Json], bool]
) -> Iterator[tuple[str, bool]]:
    """Where each known capability stands, and whether it has the right form; experimental ones are objects by name."""
    for name, inner in known.items():
        capability = member(value, name)
        yield pointer(name), capability is ABSENT or is_object(capability)
        for part in inner:
            one = member(capability, part)
            yield pointer(name, part), one is ABSENT or fits(one)
    experimental = member(value, _EXPERIMENTAL)
    yield pointer(_EXPERIMENTAL), experimental is ABSENT or is_object(experimental)
    for name, one in experimental.items() if is_object(experimental) else ():
        yield pointer(_EXPERIMENTAL, name), is_object(one)


def is_token(value: Json | Absent) -> bool:
    """Whether `value` is a progress token: a string or an integer."""
    return is_string(value) or is_integer(value)


# --- what a server makes of a request's metadata ---------------------------------------------------------------


class Admit(msgspec.Struct, frozen=True, tag_field="answer", tag="admit"):
    """The server goes on with the request."""


class Refuse(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="answer", tag="refuse"):
    """The server answers with an error of this code; over HTTP with this status. `required_capabilities` is the member
    of that name in its data."""

    code: int
    status: int | Absent = ABSENT
    required_capabilities: JsonObject | Absent = ABSENT


Answer: TypeAlias = Admit | Refuse


@function("metadata.refusal")
def refusal(profile: Profile, transport: Transport, params: Json | Absent = ABSENT) -> Decision[Answer]:
    """Whether a server that speaks only this revision refuses a request because of its metadata, and how. `params` are
    left out where the request has none.

    It judges what the metadata holds, not whether the server implements the version, knows the method, or likes the
    headers. Keys that break the naming rules and trace context are no reason to refuse.

    Source: basic/index#meta, server/utilities/logging#error-handling.
    """
    fault = metadata_fault(profile, transport, params)
    if fault is not None:
        return fault
    required = ("meta.reject.missing-protocol-version", "meta.reject.missing-client-capabilities")
    if optional_form_faults(params):
        return decide(Admit(), *required)
    if is_withheld(params):
        return decide(Admit(), "meta.request.client-info-optional", *required)
    return decide(Admit(), "base.schema.conforms", *required)


def is_withheld(params: Json | Absent) -> bool:
    """Whether a request does not identify its client."""
    return member(params, "_meta", CLIENT_INFO) is ABSENT


def metadata_fault(profile: Profile, transport: Transport, params: Json | Absent) -> Decision[Answer] | None:
    """The first fault in the metadata of a request: the containers, the required keys, the optional ones."""
    return (
        container_fault(profile, transport, params)
        or version_fault(transport, params)
        or capabilities_fault(transport, params)
        or log_level_fault(profile, transport, params)
        or optional_fault(profile, transport, params)
    )


_PARAMS_CODES: Final[Mapping[WrongContainerType, int]] = {
    WrongContainerType.BY_LEVEL: INVALID_REQUEST,
    WrongContainerType.INVALID_REQUEST: INVALID_REQUEST,
    WrongContainerType.INVALID_PARAMS: INVALID_PARAMS,
}
_META_CODES: Final[Mapping[WrongContainerType, int]] = {
    WrongContainerType.BY_LEVEL: INVALID_PARAMS,
    WrongContainerType.INVALID_PARAMS: INVALID_PARAMS,
    WrongContainerType.INVALID_REQUEST: INVALID_REQUEST,
}


def container_fault(profile: Profile, transport: Transport, params: Json | Absent) -> Decision[Answer] | None:
    """The fault of a request whose `params` or `_meta` are there and are no objects."""
    if params is not ABSENT and not is_object(params):
        code = _PARAMS_CODES[profile[WrongContainerType]]
        return _malformed(transport, code, "base.request.params-object")
    meta = member(params, "_meta")
    if meta is not ABSENT and not is_object(meta):
        return _malformed(transport, _META_CODES[profile[WrongContainerType]], "meta.reject.missing-meta")
    return None


def version_fault(transport: Transport, params: Json | Absent) -> Decision[Answer] | None:
    """The fault of a request without `_meta`, or that names no protocol version, or one that is no string."""
    if member(params, "_meta") is ABSENT:
        return _malformed(transport, INVALID_PARAMS, "meta.reject.missing-meta")
    version = member(params, "_meta", PROTOCOL_VERSION)
    if version is ABSENT:
        return _malformed(transport, INVALID_PARAMS, "meta.reject.missing-protocol-version")
    if not is_string(version):
        return _malformed(
            transport, INVALID_PARAMS, "meta.request.protocol-version-type", "meta.reject.missing-protocol-version"
        )
    return None


def capabilities_fault(transport: Transport, params: Json | Absent) -> Decision[Answer] | None:
    """The fault of a request that declares no capabilities, or none that are an object."""
    declared = member(params, "_meta", CLIENT_CAPABILITIES)
    if declared is ABSENT:
        return _malformed(transport, INVALID_PARAMS, "meta.reject.missing-client-capabilities")
    if not is_object(declared):
        return _malformed(
            transport,
            INVALID_PARAMS,
            "meta.request.client-capabilities-type",
            "meta.reject.missing-client-capabilities",
        )
    return None


def log_level_fault(profile: Profile, transport: Transport, params: Json | Absent) -> Decision[Answer] | None:
    """The fault of a request that asks for a log level which is none. No page fixes its HTTP status."""
    level = member(params, "_meta", LOG_LEVEL)
    if level is ABSENT or is_level(level):
        return None
    return decide(_refused(profile, transport, INVALID_PARAMS), "logging.error.invalid-level")


def optional_fault(profile: Profile, transport: Transport, params: Json | Absent) -> Decision[Answer] | None:
    """The fault of a request with an optional field, or a member of the capabilities, of the wrong form."""
    broken = optional_form_faults(params)
    if not broken or profile[MalformedOptionalField] is MalformedOptionalField.IGNORE_FIELD:
        return None
    return decide(_bad_request(transport, INVALID_PARAMS), *broken[:1], "errors.standard.invalid-params")


def optional_form_faults(params: Json | Absent) -> list[str]:
    """The requirements that optional metadata and the members of the capabilities break by their form."""
    meta = member(params, "_meta")
    found = Findings()
    client_info = member(meta, CLIENT_INFO)
    if client_info is not ABSENT:
        judge_implementation(found, client_info, "meta.request.client-info-type")
    judge_client_capabilities(found, member(meta, CLIENT_CAPABILITIES))
    token = member(meta, PROGRESS_TOKEN)
    if token is not ABSENT:
        found.check(is_token(token), "meta.reserved.progress-token", "", "no progress token")
    return [fault.requirement for fault in found.faults if fault.requirement in _FORMS]


_FORMS: Final = frozenset(
    {
        "meta.request.client-info-type",
        "meta.request.client-capabilities-type",
        "extensions.advertise.map-shape",
        "meta.reserved.progress-token",
        "icons.icon.array",
        "icons.icon.src-required",
        "icons.icon.theme-values",
        "base.schema.conforms",
    }
)


def _malformed(transport: Transport, code: int, *because: str) -> Decision[Answer]:
    decision = decide(_bad_request(transport, code), *because)
    return decision.also("meta.reject.http-400") if transport == "http" else decision


def _bad_request(transport: Transport, code: int, required: JsonObject | Absent = ABSENT) -> Answer:
    return Refuse(code, BAD_REQUEST if transport == "http" else ABSENT, required)


def _refused(profile: Profile, transport: Transport, code: int) -> Answer:
    """A refusal whose HTTP status no page fixes."""
    if transport == "stdio":
        return Refuse(code)
    match profile[HandlerErrorStatus]:
        case HandlerErrorStatus.STATUS_200:
            return Refuse(code, OK)
        case HandlerErrorStatus.STATUS_400:
            return Refuse(code, BAD_REQUEST)


# --- capabilities that a request needs -------------------------------------------------------------------------


@function("metadata.missing-capability")
def missing_capability(
    profile: Profile, transport: Transport, required: dict[str, JsonObject], declared: Json | Absent = ABSENT
) -> Decision[Answer]:
    """What a server answers to a request that cannot be processed without the client capabilities `required`, where its
    client declares `declared`. Settings inside a capability are not compared.

    An empty `elicitation` object stands for the form mode, on both sides.

    Source: basic/index#meta, client/elicitation#capabilities.
    """
    missing = missing_capabilities(required, declared)
    if not missing:
        return decide(Admit(), "meta.capability.missing-error")
    invalid = profile[MissingElicitationMode] is MissingElicitationMode.INVALID_PARAMS
    if invalid and set(missing) == {"elicitation"} and is_object(member(declared, "elicitation")):
        refused = _refused(profile, transport, INVALID_PARAMS)
        return decide(refused, "meta.capability.no-undeclared", "errors.standard.invalid-params")
    listed: dict[RequiredListContent, JsonObject] = {
        RequiredListContent.ONLY_MISSING: missing,
        RequiredListContent.ALL_REQUIRED: {**required},
    }
    return decide(
        _bad_request(transport, MISSING_CLIENT_CAPABILITY, listed[profile[RequiredListContent]]),
        "meta.capability.missing-error",
        "meta.capability.required-list",
        "meta.capability.no-undeclared",
        *(("meta.capability.http-400",) if transport == "http" else ()),
    )


def missing_capabilities(required: dict[str, JsonObject], declared: Json | Absent) -> JsonObject:
    """The part of `required` that `declared` does not hold. A capability that is no object is not declared."""
    missing: JsonObject = {}
    for name, needed in required.items():
        held = member(declared, name)
        lacking = needed if not is_object(held) else _lacking(name, needed, held)
        if lacking is not None:
            missing[name] = lacking
    return missing


_WITH_PARTS: Final = frozenset({"sampling", "elicitation", "extensions", "experimental"})


def _lacking(name: str, needed: JsonObject, held: JsonObject) -> Json:
    """The parts of a needed capability that the declared one has not; None where it lacks nothing."""
    if name not in _WITH_PARTS:
        return None
    if name == "elicitation":
        return _lacking_modes(needed, held)
    parts = {part: value for part, value in needed.items() if not is_object(held.get(part))}
    return parts or None


def _lacking_modes(needed: JsonObject, held: JsonObject) -> Json:
    modes, offered = needed or {"form": {}}, held or {"form": {}}
    lacking = {mode: value for mode, value in modes.items() if not is_object(offered.get(mode))}
    if not lacking:
        return None
    return {mode: lacking[mode] for mode in needed if mode in lacking}


# --- identity --------------------------------------------------------------------------------------------------


class Known(msgspec.Struct, frozen=True, tag_field="client", tag="known"):
    """The client says that it is this; nobody vouches for it."""

    name: Json | Absent
    version: Json | Absent


class Unknown(msgspec.Struct, frozen=True, tag_field="client", tag="unknown"):
    """The client does not say who it is."""


@function("metadata.client-identity")
def client_identity(meta: Json | Absent = ABSENT, earlier_meta: Json | Absent = ABSENT) -> Decision[Known | Unknown]:
    """Which client a server shows and logs for a request with this `_meta`; `earlier_meta` is that of an earlier
    request on the same connection. What is shown of a malformed identity is left to the server.

    Source: basic/index#meta, basic/index#statelessness.
    """
    client_info = member(meta, CLIENT_INFO)
    if is_object(client_info):
        known = Known(member(client_info, "name"), member(client_info, "version"))
        return decide(known, "meta.reserved.client-info", "statelessness.server.no-prior-context")
    if is_object(member(earlier_meta, CLIENT_INFO)):
        return decide(Unknown(), "statelessness.server.no-prior-context")
    return decide(Unknown(), "meta.reserved.client-info")


class ShownServer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a relayed result has under `io.modelcontextprotocol/serverInfo`, if it has that."""

    server_info: Json | Absent = ABSENT


@function("metadata.relayed-server-info")
def relayed_server_info(
    profile: Profile, own: Json | Absent = ABSENT, upstream: Json | Absent = ABSENT
) -> Decision[ShownServer]:
    """Which server identity a gateway puts into a result that it relays: `own` is its own (left out where it is
    configured to withhold it), `upstream` what the result has.

    Source: basic/index#meta.
    """
    match profile[ServerInfoOnRelay]:
        case ServerInfoOnRelay.OWN:
            return decide(ShownServer(own), "meta.response.server-info")
        case ServerInfoOnRelay.UPSTREAM:
            return decide(ShownServer(upstream), "meta.response.server-info")
