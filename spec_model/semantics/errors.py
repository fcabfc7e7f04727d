"""Error responses and error codes: which code reports what, who may use which code, and what a code says.

Source: basic/index#error-responses, basic/index#error-codes, changelog#minor-changes.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from spec_model.requirements.catalogue import severity
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import ErrorIdWhenUnreadable, RetiredCodes, WrongContainerType
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.semantics.messages import is_readable_id, judge_jsonrpc, judge_response_id
from spec_model.semantics.revisions import NEWEST_LEGACY, OLDEST_MODERN, REVISIONS, Era, of_era
from spec_model.verdicts import Level
from spec_model.wire.json import decode
from spec_model.wire.messages import ClientCapabilities, MessageKind, kind_of_message, misfit, shown
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_integer, is_object, is_string, kind_of, member

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
HEADER_MISMATCH: Final = -32020
MISSING_CLIENT_CAPABILITY: Final = -32021
UNSUPPORTED_VERSION: Final = -32022
RESOURCE_NOT_FOUND: Final = -32002
URL_ELICITATION_REQUIRED: Final = -32042

RESERVED: Final = range(-32768, -32000 + 1)
"""What JSON-RPC reserves."""
STANDARD: Final = range(INTERNAL_ERROR, INVALID_REQUEST + 1)
"""Codes that JSON-RPC itself defines for failures with a request; to reuse one is to allocate none."""
LEGACY_RANGE: Final = range(-32019, -32000 + 1)
"""Codes that implementations chose before there was a policy; they mean nothing across implementations."""
MCP_RANGE: Final = range(-32099, -32020 + 1)
"""Codes that only the specification defines."""


class Condition(enum.Enum):
    """What an error reports, as far as this revision has a code for it or an earlier one had."""

    UNPARSEABLE_JSON = "unparseable-json"
    NOT_A_REQUEST = "not-a-request"
    UNKNOWN_METHOD = "unknown-method"
    METHOD_OF_UNADVERTISED_CAPABILITY = "method-of-unadvertised-capability"
    INVALID_PARAMS = "invalid-params"
    UNKNOWN_TOOL = "unknown-tool"
    INVALID_CURSOR = "invalid-cursor"
    RESOURCE_NOT_FOUND = "resource-not-found"
    INTERNAL_FAILURE = "internal-failure"
    HEADER_MISMATCH = "header-mismatch"
    MISSING_CLIENT_CAPABILITY = "missing-client-capability"
    UNSUPPORTED_VERSION = "unsupported-version"
    URL_ELICITATION_REQUIRED = "url-elicitation-required"


CODES: Final[Mapping[Condition, tuple[int, str]]] = {
    Condition.UNPARSEABLE_JSON: (PARSE_ERROR, "errors.standard.parse-error"),
    Condition.NOT_A_REQUEST: (INVALID_REQUEST, "errors.standard.invalid-request"),
    Condition.UNKNOWN_METHOD: (METHOD_NOT_FOUND, "errors.standard.method-not-found"),
    Condition.METHOD_OF_UNADVERTISED_CAPABILITY: (METHOD_NOT_FOUND, "errors.standard.method-not-found"),
    Condition.INVALID_PARAMS: (INVALID_PARAMS, "errors.standard.invalid-params"),
    Condition.UNKNOWN_TOOL: (INVALID_PARAMS, "errors.standard.invalid-params"),
    Condition.INVALID_CURSOR: (INVALID_PARAMS, "pagination.error.invalid-cursor"),
    Condition.RESOURCE_NOT_FOUND: (INVALID_PARAMS, "errors.retired.not-found-is-32602"),
    Condition.INTERNAL_FAILURE: (INTERNAL_ERROR, "errors.standard.internal-error"),
    Condition.HEADER_MISMATCH: (HEADER_MISMATCH, "errors.code.header-mismatch"),
    Condition.MISSING_CLIENT_CAPABILITY: (MISSING_CLIENT_CAPABILITY, "errors.code.missing-client-capability"),
    Condition.UNSUPPORTED_VERSION: (UNSUPPORTED_VERSION, "errors.code.unsupported-version"),
}
"""The code that reports each condition in this revision, and the requirement that says so."""


class Retired(NamedTuple):
    """A code of earlier revisions: what forbids it now, what it reported, and in which revisions."""

    requirement: str
    condition: Condition
    revisions: tuple[str, ...]


RETIRED: Final[Mapping[int, Retired]] = {
    RESOURCE_NOT_FOUND: Retired(
        "errors.retired.no-emit-32002", Condition.RESOURCE_NOT_FOUND, tuple(of_era(REVISIONS, Era.LEGACY))
    ),
    URL_ELICITATION_REQUIRED: Retired(
        "errors.retired.no-emit-32042", Condition.URL_ELICITATION_REQUIRED, (NEWEST_LEGACY,)
    ),
}
"""Codes of earlier revisions, which stay reserved."""

DRAFT_CODES: Final[Mapping[tuple[int, Condition], str]] = {
    (-32001, Condition.HEADER_MISMATCH): "removed.code.header-mismatch-32001",
    (-32003, Condition.MISSING_CLIENT_CAPABILITY): "removed.code.missing-capability-32003",
    (-32004, Condition.UNSUPPORTED_VERSION): "removed.code.unsupported-version-32004",
}
"""Codes that drafts of this revision had for a condition."""


# --- which code -------------------------------------------------------------------------------------------------------


class Permission(enum.Enum):
    """Whether an implementation may do something."""

    ALLOWED = "allowed"
    DISCOURAGED = "discouraged"
    FORBIDDEN = "forbidden"


class Meaning(enum.Enum):
    """What a receiver may take an error code to say; `none` where it may read nothing into it."""

    PARSE_ERROR = "parse-error"
    INVALID_REQUEST = "invalid-request"
    METHOD_NOT_FOUND = "method-not-found"
    INVALID_PARAMS = "invalid-params"
    INTERNAL_ERROR = "internal-error"
    HEADER_MISMATCH = "header-mismatch"
    MISSING_CLIENT_CAPABILITY = "missing-client-capability"
    UNSUPPORTED_VERSION = "unsupported-version"
    RESOURCE_NOT_FOUND = "resource-not-found"
    URL_ELICITATION_REQUIRED = "url-elicitation-required"
    APPLICATION = "application"
    NONE = "none"


MEANINGS: Final[Mapping[int, tuple[Meaning, str]]] = {
    PARSE_ERROR: (Meaning.PARSE_ERROR, "errors.standard.parse-error"),
    INVALID_REQUEST: (Meaning.INVALID_REQUEST, "errors.standard.invalid-request"),
    METHOD_NOT_FOUND: (Meaning.METHOD_NOT_FOUND, "errors.standard.method-not-found"),
    INVALID_PARAMS: (Meaning.INVALID_PARAMS, "errors.standard.invalid-params"),
    INTERNAL_ERROR: (Meaning.INTERNAL_ERROR, "errors.standard.internal-error"),
    HEADER_MISMATCH: (Meaning.HEADER_MISMATCH, "errors.mcp-range.defined-meaning"),
    MISSING_CLIENT_CAPABILITY: (Meaning.MISSING_CLIENT_CAPABILITY, "errors.mcp-range.defined-meaning"),
    UNSUPPORTED_VERSION: (Meaning.UNSUPPORTED_VERSION, "errors.mcp-range.defined-meaning"),
    RESOURCE_NOT_FOUND: (Meaning.RESOURCE_NOT_FOUND, "errors.retired.client-accepts-32002"),
}
"""The codes that have a meaning across implementations."""


@function("errors.code")
def code(condition: Condition, profile: Profile, version: str = OLDEST_MODERN) -> Decision[int | None]:
    """The error code that reports a condition to a peer with which this protocol version is in use; null where no code
    does.

    Source: basic/index#error-codes, server/utilities/pagination#error-handling.
    """
    if condition in CODES:
        return reported(condition, profile, version).map(_optional)
    earlier = _earlier_code(condition, profile, version)
    if earlier is not None:
        return earlier.map(_optional)
    return decide(None, "errors.retired.no-emit-32042", "removed.request.server-initiated")


def _optional(number: int) -> int | None:
    return number


def reported(condition: Condition, profile: Profile, version: str = OLDEST_MODERN) -> Decision[int]:
    """The error code that reports a condition for which this revision has one."""
    earlier = _earlier_code(condition, profile, version)
    if earlier is not None:
        return earlier
    number, requirement = CODES[condition]
    return decide(number, requirement)


def _earlier_code(condition: Condition, profile: Profile, version: str) -> Decision[int] | None:
    """The code that an earlier revision has for a condition, where that revision is in use."""
    for number, retired in RETIRED.items():
        defined = condition is retired.condition and version in retired.revisions
        if defined and profile[RetiredCodes] is RetiredCodes.BY_ERA:
            return decide(number, "interop.matrix.legacy-dual-initialize")
    return None


@function("errors.may-emit")
def may_emit(
    code: Json,
    profile: Profile,
    condition: Condition | None = None,
    version: str = OLDEST_MODERN,
    established: bool = False,
) -> Decision[Permission]:
    """Whether an implementation may report a condition with a code to a peer with which this protocol version is in
    use; leave `condition` out for a purpose that the specification does not define.

    `established`: the implementation used the code before the legacy range was closed.

    Source: basic/index#error-codes, changelog#minor-changes.
    """
    if not is_integer(code):
        return decide(Permission.FORBIDDEN, "errors.response.code-integer")
    number = int(code)
    if number in RETIRED:
        return _may_emit_retired(number, condition, version, profile)
    if condition is None or condition not in CODES:
        return _may_emit_for_own_purpose(number, established)
    right, requirement = CODES[condition]
    if number == right:
        return decide(Permission.ALLOWED, requirement)
    if (number, condition) in DRAFT_CODES:
        return decide(Permission.FORBIDDEN, DRAFT_CODES[number, condition], requirement)
    if number in MCP_RANGE:
        return _of_the_specification(number).also(requirement)
    advice = severity(requirement) is not Level.MUST
    return decide(Permission.DISCOURAGED if advice else Permission.FORBIDDEN, requirement)


def _may_emit_retired(number: int, condition: Condition | None, version: str, profile: Profile) -> Decision[Permission]:
    retired = RETIRED[number]
    defined = condition is retired.condition and version in retired.revisions
    if defined and profile[RetiredCodes] is RetiredCodes.BY_ERA:
        return decide(Permission.ALLOWED, "interop.matrix.legacy-dual-initialize")
    return decide(Permission.FORBIDDEN, retired.requirement)


def _may_emit_for_own_purpose(number: int, established: bool) -> Decision[Permission]:
    if established and number in LEGACY_RANGE:
        return decide(Permission.ALLOWED, "errors.legacy-range.avoid-use")
    if number in STANDARD:
        return decide(Permission.ALLOWED, MEANINGS[number][1])
    return may_allocate_code(number)


def _of_the_specification(number: int) -> Decision[Permission]:
    """A code of the range that belongs to the specification, for anything but what it is defined for."""
    if number in MEANINGS:
        return decide(Permission.FORBIDDEN, "errors.mcp-range.defined-meaning")
    return decide(Permission.FORBIDDEN, "errors.mcp-range.defined-only")


@function("errors.may-allocate")
def may_allocate(code: Json) -> Decision[Permission]:
    """Whether an implementer may choose this code for a new error of a purpose that the specification does not define.

    Source: basic/index#error-codes.
    """
    if not is_integer(code):
        return decide(Permission.FORBIDDEN, "errors.response.code-integer")
    number = int(code)
    if number in LEGACY_RANGE:
        return decide(Permission.FORBIDDEN, "errors.legacy-range.no-new-allocation")
    return may_allocate_code(number)


def may_allocate_code(number: int) -> Decision[Permission]:
    """The same for an integer; in the legacy range there may be an allocation from before the policy."""
    if number in LEGACY_RANGE:
        return decide(Permission.DISCOURAGED, "errors.legacy-range.avoid-use")
    if number in MCP_RANGE:
        return _of_the_specification(number)
    if number in RESERVED:
        return decide(Permission.DISCOURAGED, "errors.custom.outside-reserved")
    return decide(Permission.ALLOWED, "errors.custom.outside-reserved", "errors.custom.free-space")


@function("errors.meaning")
def meaning(code: int, profile: Profile) -> Decision[Meaning]:
    """What a receiver may take an error code to say, whoever sent it.

    Source: basic/index#error-codes.
    """
    if code in MEANINGS:
        said, requirement = MEANINGS[code]
        return decide(said, requirement)
    if code == URL_ELICITATION_REQUIRED and profile[RetiredCodes] is RetiredCodes.BY_ERA:
        return decide(Meaning.URL_ELICITATION_REQUIRED, "errors.retired.stay-reserved")
    if code in LEGACY_RANGE:
        return decide(Meaning.NONE, "errors.legacy-range.no-assumed-meaning")
    if code in MCP_RANGE:
        return decide(Meaning.NONE, "errors.mcp-range.defined-only")
    if code in RESERVED:
        return decide(Meaning.NONE, "errors.custom.outside-reserved")
    return decide(Meaning.APPLICATION, "errors.custom.outside-reserved", "errors.custom.free-space")


# --- what a server answers to what is no request ----------------------------------------------------------------------


class Refuse(msgspec.Struct, frozen=True, tag_field="answer", tag="error"):
    """An error of this code. `id` is the one in the error; there is none where the error has no `id` member."""

    code: int
    id: Json | Absent = ABSENT


class PassOn(msgspec.Struct, frozen=True, tag_field="answer", tag="pass-on"):
    """JSON-RPC gives no reason for an error: a request is answered as its method asks, and a notification not at
    all."""


# A caller may hand over a lone surrogate, which no UTF-8 text holds; it makes the text no JSON.
_SURROGATES: Final = "surrogatepass"


@function("errors.refuse")
def refuse(text: str, profile: Profile) -> Decision[Refuse | PassOn]:
    """What a server that answers malformed input answers to this text, as far as JSON-RPC decides.

    Source: basic/index#error-responses, basic/index#error-codes.
    """
    decoded = decode(text.encode(errors=_SURROGATES))
    if not decoded.ok:
        return _refuse_without_id(PARSE_ERROR, profile, "errors.standard.parse-error")
    message = decoded.value
    if not is_object(message) or kind_of_message(message) not in (MessageKind.REQUEST, MessageKind.NOTIFICATION):
        return _refuse_without_method(message, profile)
    if message.get("jsonrpc") != "2.0":
        return _refuse(INVALID_REQUEST, message, profile, "base.jsonrpc.version-literal")
    if not is_string(message["method"]):
        return _refuse(INVALID_REQUEST, message, profile, "base.request.method-string")
    if "id" in message and not is_readable_id(message["id"], profile):
        wrong = "base.request.id-not-null" if message["id"] is None else "base.request.id-type"
        return _refuse(INVALID_REQUEST, message, profile, wrong)
    if "params" in message and not is_object(message["params"]):
        return _refuse_params(message, profile)
    return decide(PassOn(), "base.jsonrpc.conforms")


def _refuse_without_method(message: Json, profile: Profile) -> Decision[Refuse | PassOn]:
    """A batch, a response, and what is no message; the id of a response is not that of a request."""
    kind = kind_of_message(message)
    if kind is MessageKind.NEITHER and is_object(message) and "id" in message:
        return _refuse(INVALID_REQUEST, message, profile, "base.request.method-string")
    refused = _refuse_without_id(INVALID_REQUEST, profile, "errors.standard.invalid-request")
    if kind in (MessageKind.RESULT, MessageKind.ERROR):
        return refused.after("transport.direction.no-client-responses")
    return refused


def _refuse_params(message: JsonObject, profile: Profile) -> Decision[Refuse | PassOn]:
    if "id" not in message:
        return decide(PassOn(), "base.notification.no-response")
    match profile[WrongContainerType]:
        case WrongContainerType.BY_LEVEL | WrongContainerType.INVALID_REQUEST:
            return _refuse(INVALID_REQUEST, message, profile, "base.request.params-object")
        case WrongContainerType.INVALID_PARAMS:
            return _refuse(INVALID_PARAMS, message, profile, "base.request.params-object")


_REFUSALS: Final[Mapping[int, str]] = {
    INVALID_REQUEST: "errors.standard.invalid-request",
    INVALID_PARAMS: "errors.standard.invalid-params",
}


def _refuse(code: int, message: JsonObject, profile: Profile, requirement: str) -> Decision[Refuse | PassOn]:
    """The refusal of an object, which carries its id where that can be read."""
    request_id = message.get("id", ABSENT)
    if not is_readable_id(request_id, profile):
        return _refuse_without_id(code, profile, _REFUSALS[code]).also(requirement)
    return decide(Refuse(code, request_id), _REFUSALS[code], "errors.response.id-echo", requirement)


def _refuse_without_id(code: int, profile: Profile, requirement: str) -> Decision[Refuse | PassOn]:
    match profile[ErrorIdWhenUnreadable]:
        case ErrorIdWhenUnreadable.OMIT_ID:
            return decide(Refuse(code), requirement, "errors.response.id-omitted-when-unreadable")
        case ErrorIdWhenUnreadable.NULL_ID:
            return decide(Refuse(code, None), requirement, "base.jsonrpc.conforms")


# --- the shape of an error --------------------------------------------------------------------------------------------


@function("errors.response")
def response(message: Json, profile: Profile) -> Decision[Conformance]:
    """Whether a JSON value is a well-formed response with an error, and the error has the data that its code calls for.

    Source: basic/index#error-responses, schema.
    """
    found = Findings()
    judge_error_response(found, message, profile=profile)
    return found.decision()


def judge_error_response(found: Findings, message: Json, at: str = "", profile: Profile = DEFAULT_PROFILE) -> None:
    """A response with an error."""
    if not is_object(message):
        found.broken("base.jsonrpc.conforms", at, f"a response is an object, not {kind_of(message)}")
        return
    judge_jsonrpc(found, message, at)
    judge_response_id(found, message, at, profile)
    if "result" in message:
        found.broken("base.response.result-xor-error", f"{at}/result", "a response with an error has no result")
    else:
        found.held.append("base.response.result-xor-error")
    error = message.get("error", ABSENT)
    if is_object(error):
        found.held.append("errors.response.error-present")
        judge_error(found, error, f"{at}/error")
    else:
        found.broken("errors.response.error-present", at, f"error is an object, not {kind_of(error)}")


def judge_error(found: Findings, error: Json, at: str = "") -> None:
    """The object that an error response holds."""
    code, text = member(error, "code"), member(error, "message")
    if code is ABSENT:
        found.broken("errors.response.code-present", at, "code is missing")
    elif not is_integer(code):
        found.broken("errors.response.code-integer", f"{at}/code", f"a code is an integer, not {shown(code)}")
    else:
        found.held += ("errors.response.code-present", "errors.response.code-integer")
    found.check(is_string(text), "errors.response.message-present", at, f"message is a string, not {kind_of(text)}")
    data = member(error, "data")
    if data is not ABSENT:
        found.held.append("errors.response.data-any")
    if code == UNSUPPORTED_VERSION:
        _judge_version_data(found, data, f"{at}/data")
    elif code == MISSING_CLIENT_CAPABILITY:
        _judge_capability_data(found, data, f"{at}/data")


def _judge_version_data(found: Findings, data: Json | Absent, at: str) -> None:
    supported, requested = member(data, "supported"), member(data, "requested")
    listed = type(supported) is list and len(supported) > 0 and all(map(is_string, supported))
    found.check(listed, "versioning.mismatch.lists-supported", at, "supported is not a list of one or more versions")
    found.check(is_string(requested), "versioning.mismatch.echoes-requested", at, f"requested is {kind_of(requested)}")


def _judge_capability_data(found: Findings, data: Json | Absent, at: str) -> None:
    required = member(data, "requiredCapabilities")
    if not is_object(required) or not required:
        found.broken("meta.capability.required-list", at, "requiredCapabilities is no object that names one or more")
        return
    wrong = misfit(required, ClientCapabilities)
    if wrong is None:
        found.held.append("meta.capability.required-list")
    else:
        found.broken("base.schema.conforms", f"{at}/requiredCapabilities{wrong[0]}", f"{wrong[1]}")
