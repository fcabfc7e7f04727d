"""What a server puts into its replies: result members, errors of handlers, requests for input, and what follows a
cancellation.

Source: basic/index#resulttype, basic/index#error-codes, basic/versioning, basic/transports/stdio#cancellation,
server/utilities/caching#cacheable-results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

import msgspec

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import (
    HandlerErrorStatus,
    LegacyClientNeedsInput,
    MessagesAfterCancel,
    ModernFieldsTowardsLegacyClient,
)
from spec_model.semantics import errors, metadata
from spec_model.semantics.caching import HINTED
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.semantics.revisions import Era, era_of
from spec_model.semantics.server import Error, Server, Transport
from spec_model.wire.messages import MessageKind, kind_of_message
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_integer, is_object, is_string, member

# --- results ---------------------------------------------------------------------------------------------------------


class ResultMembers(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which members of this revision a complete result has: `resultType`, and the two caching hints, which are left
    out here where they are free."""

    result_type: bool
    caching_hints: bool | Absent = ABSENT


@function("server.result-members")
def result_members(profile: Profile, version: str, method: str) -> Decision[ResultMembers]:
    """Which members that this revision added a server puts into a complete result of `method`, served under `version`.

    Source: basic/index#resulttype, server/utilities/caching#cacheable-results, basic/versioning#compatibility-matrix.
    """
    if era_of(version) is Era.LEGACY:
        match profile[ModernFieldsTowardsLegacyClient]:
            case ModernFieldsTowardsLegacyClient.OMIT:
                return decide(ResultMembers(False, False), "interop.matrix.legacy-dual-initialize")
            case ModernFieldsTowardsLegacyClient.KEEP:
                return decide(ResultMembers(True), "results.response.any-object")
    if method in HINTED:
        return decide(ResultMembers(True, True), "results.type.present", "results.type.complete", HINTED[method])
    return decide(ResultMembers(True), "results.type.present", "results.type.complete")


# --- errors of handlers ----------------------------------------------------------------------------------------------

HandlerCondition = Literal["invalid-params", "invalid-cursor", "resource-not-found"]


@function("server.handler-error")
def handler_error(profile: Profile, condition: HandlerCondition, version: str, transport: Transport) -> Decision[Error]:
    """The error of a handler that cannot carry out a request served under `version`; `id` is left out here.

    `invalid-params` covers an unknown tool or prompt and missing arguments. The status is that of a single JSON object.

    Source: basic/index#error-codes, server/utilities/pagination#error-handling.
    """
    code = errors.reported(errors.Condition(condition), profile, version)
    if code.outcome == errors.RESOURCE_NOT_FOUND:
        code = code.after("legacy.resources.not-found-32002")
    if era_of(version) is Era.LEGACY or transport == "stdio":
        return code.map(Error)
    match profile[HandlerErrorStatus]:
        case HandlerErrorStatus.STATUS_200:
            return code.map(lambda one: Error(one, status=200))
        case HandlerErrorStatus.STATUS_400:
            return code.map(lambda one: Error(one, status=400))


# --- input that only the client has ----------------------------------------------------------------------------------


class AskInResult(msgspec.Struct, frozen=True, tag_field="input", tag="input-required-result"):
    """The request is answered with a result that asks for the input."""


class AskByRequest(msgspec.Struct, frozen=True, tag_field="input", tag="server-request"):
    """The server sends the request of the legacy revision and goes on with the call afterwards."""


class CannotAsk(msgspec.Struct, frozen=True, tag_field="input", tag="cannot-ask"):
    """The call fails, with an error of the server's own making."""


class MissingCapability(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="input", tag="error"):
    """A JSON-RPC error; over HTTP with this status. `required_capabilities` is the member of that name in its data."""

    code: int
    status: int | Absent = ABSENT
    required_capabilities: JsonObject | Absent = ABSENT


@function("server.needs-input")
def needs_input(
    profile: Profile, version: str, transport: Transport, required: dict[str, JsonObject], declared: JsonObject
) -> Decision[AskInResult | AskByRequest | CannotAsk | MissingCapability]:
    """How a server gets input that a handler cannot do without and that takes the client capabilities `required`.

    `declared` are the capabilities of the request itself or, where `version` is a legacy one, of the handshake.

    Source: basic/index#meta, basic/index#resulttype, basic/versioning#compatibility-matrix.
    """
    if era_of(version) is Era.LEGACY:
        return _legacy_input(profile, required, declared)
    refusal = metadata.missing_capability(profile, transport, required, declared)
    if isinstance(refusal.outcome, metadata.Admit):
        return decide(AskInResult(), "results.type.input-required", "meta.capability.no-undeclared")
    error = refusal.outcome
    return Decision(MissingCapability(error.code, error.status, error.required_capabilities), refusal.because)


def _legacy_input(
    profile: Profile, required: dict[str, JsonObject], declared: JsonObject
) -> Decision[AskInResult | AskByRequest | CannotAsk | MissingCapability]:
    if metadata.missing_capabilities(required, declared):
        return decide(CannotAsk(), "legacy.capability.fixed-for-session")
    match profile[LegacyClientNeedsInput]:
        case LegacyClientNeedsInput.LEGACY_SERVER_REQUEST:
            return decide(
                AskByRequest(), "interop.matrix.legacy-dual-initialize", "legacy.capability.fixed-for-session"
            )
        case LegacyClientNeedsInput.ERROR:
            return decide(CannotAsk(), "interop.matrix.legacy-dual-initialize")


# --- cancellation ----------------------------------------------------------------------------------------------------


@function("server.after-cancellation")
def after_cancellation(
    profile: Profile, message: Literal["response", "notification"], read: bool, cancellable: bool
) -> Decision[bool]:
    """Whether a stdio server may write a message that belongs to a request which the client cancels.

    `read`: it has read the cancellation. `cancellable`: at that moment the request was unfinished and could be stopped.

    Source: basic/transports/stdio#cancellation.
    """
    if not read:
        return decide(True, "stdio.cancel.no-further-messages")
    answers = profile[MessagesAfterCancel] is MessagesAfterCancel.RESPONSE_IF_NOT_CANCELLABLE
    if answers and message == "response" and not cancellable:
        return decide(True, "base.patterns.request-answered")
    return decide(False, "stdio.cancel.no-further-messages")


# --- the refusal of a legacy client ----------------------------------------------------------------------------------


@function("server.judge-initialize-refusal")
def judge_initialize_refusal(
    server: Server, reply: Json | Absent = ABSENT, status: int | Absent = ABSENT
) -> Decision[Conformance]:
    """Whether a modern-only server may answer an `initialize` without the headers and metadata of this revision so.

    `reply` is the message, left out where there is none; `status` that of the HTTP response, left out on stdio.

    Source: basic/versioning#compatibility-matrix,
    basic/versioning#backward-compatibility-with-initialization-based-versions.
    """
    found = Findings()
    refused = is_object(reply) and kind_of_message(reply) is MessageKind.ERROR
    error: Json = reply["error"] if is_object(reply) and refused else None
    if status is ABSENT:
        found.check(
            refused, "interop.matrix.legacy-modern-stdio-error", "/reply", "initialize is answered with an error"
        )
    else:
        found.check(
            status == 400, "interop.matrix.legacy-modern-http-400", "/status", "initialize is refused with status 400"
        )
        right = next((one for number, one in _HTTP_CODES.items() if number == member(error, "code")), None)
        requirement = right or "headers.validate.error-32020"
        found.check(right is not None, requirement, "/reply/error/code", "this is no code for it")
    if refused:
        errors.judge_error(found, error, _ERROR)
        if status is ABSENT:
            _judge_stdio_code(found, member(error, "code"))
        named = all(any(version in text for text in _texts(error)) for version in server.modern)
        found.check(
            named,
            "interop.server.initialize-error-names-versions",
            "/reply/error",
            "the error does not name the versions that the server supports",
        )
    return found.decision()


_ERROR: Final = "/reply/error"

_HTTP_CODES: Final[Mapping[int, str]] = {
    errors.HEADER_MISMATCH: "headers.validate.error-32020",
    errors.UNSUPPORTED_VERSION: "http.version.unsupported-400",
    errors.INVALID_PARAMS: "meta.reject.http-400",
}
"""The codes among which no page ranks, each with the requirement that asks for it."""


def _judge_stdio_code(found: Findings, code: Json | Absent) -> None:
    """The code of a refusal on stdio, which is free but for codes that mean something else."""
    if not is_integer(code) or code == errors.UNSUPPORTED_VERSION:
        return
    permission = errors.may_emit(int(code), DEFAULT_PROFILE)
    allowed = permission.outcome is errors.Permission.ALLOWED
    found.check(allowed, permission.because[0], "/reply/error/code", "the code is not for this")


def _texts(value: Json | Absent) -> Iterator[str]:
    """Every string inside a JSON value."""
    left: list[Json | Absent] = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
        elif is_string(one):
            yield one
