"""What the results in scope must hold, and what a client makes of a result.

Source: basic/index#result-responses, server/utilities/pagination, basic/patterns/mrtr.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final

import msgspec

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import AbsentResultTypeOnModern, ResultTypeFromLegacyServer
from spec_model.semantics.cache_hints import judge_cache_hints
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.semantics.messages import is_readable_id, judge_jsonrpc
from spec_model.semantics.pagination import PAGINATED, PaginatedMethod, judge_page_result
from spec_model.semantics.revisions import Era, era_of
from spec_model.wire.messages import (
    CreateMessageRequestParams,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    InputRequest,
    Message,
    Prompt,
    Resource,
    ResourceContents,
    ResourceTemplate,
    Tool,
    below,
    misfit,
    place,
    shown,
)
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_number, is_object, kind_of, member

ITEMS: Final[Mapping[str, type[Message]]] = {
    "tools/list": Tool,
    "prompts/list": Prompt,
    "resources/list": Resource,
    "resources/templates/list": ResourceTemplate,
}
"""What the page of each paginated method holds."""

ASKING_METHODS: Final = frozenset({"prompts/get", "resources/read", "tools/call"})
"""The methods that may be answered with a request for input."""


BOUNDS: Final = ("minimum", "maximum", "default")
"""The members of a number schema that are numbers."""


# --- what a client makes of a result ----------------------------------------------------------------------------------


class Reading(enum.Enum):
    """What a result is to the client: final, a request for input, what an extension defines, or no valid result."""

    COMPLETE = "complete"
    INPUT_REQUIRED = "input-required"
    EXTENSION = "extension"
    INVALID = "invalid"


class ResultType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value of `resultType` that an extension defines, and the methods whose results may have it."""

    extension: str
    value: str
    methods: list[str]


@function("results.read")
def read(
    version: str,
    method: str,
    result: JsonObject,
    profile: Profile,
    declared: tuple[str, ...] = (),
    defined: tuple[ResultType, ...] = (),
) -> Decision[Reading]:
    """What a client takes a result for, which a server sent by protocol `version` in answer to `method`.

    `declared` are the extensions that the client declared with the request, `defined` the result types of the
    extensions that it knows.

    Source: basic/index#resulttype.
    """
    kind = result.get("resultType", ABSENT)
    if era_of(version) is Era.LEGACY:
        return _read_from_legacy(kind, profile)
    if kind is ABSENT:
        return _read_without_type(profile)
    if kind == "complete":
        return decide(Reading.COMPLETE, "results.type.complete", "results.type.set-core")
    if kind == "input_required":
        return decide(Reading.INPUT_REQUIRED, "results.type.input-required", "results.type.set-core")
    known = [one for one in defined if one.value == kind and one.extension in declared]
    if not known:
        return decide(Reading.INVALID, "results.type.unrecognized-invalid")
    anywhere = any(method in one.methods for one in known)
    reading = Reading.EXTENSION if anywhere else Reading.INVALID
    return decide(reading, "results.type.set-extensions", "results.type.extension-values")


def _read_without_type(profile: Profile) -> Decision[Reading]:
    match profile[AbsentResultTypeOnModern]:
        case AbsentResultTypeOnModern.COMPLETE:
            return decide(Reading.COMPLETE, "results.type.absent-as-complete")
        case AbsentResultTypeOnModern.INVALID:
            return decide(Reading.INVALID, "results.type.present")


def _read_from_legacy(kind: Json | Absent, profile: Profile) -> Decision[Reading]:
    """There is no multi round-trip exchange in a legacy session, whatever the result says."""
    if kind is ABSENT:
        return decide(Reading.COMPLETE, "results.type.absent-as-complete")
    if kind == "complete":
        return decide(Reading.COMPLETE, "results.type.complete")
    match profile[ResultTypeFromLegacyServer]:
        case ResultTypeFromLegacyServer.IGNORE:
            return decide(Reading.COMPLETE, "interop.matrix.dual-legacy")
        case ResultTypeFromLegacyServer.INVALID:
            return decide(Reading.INVALID, "results.type.unrecognized-invalid")


@function("results.may-ask")
def may_ask(method: str) -> Decision[bool]:
    """Whether a server may answer a request of this method with a request for input.

    Source: basic/patterns/mrtr#supported-requests.
    """
    return decide(method in ASKING_METHODS, "mrtr.supported.nothing-else")


# --- what a result must hold ------------------------------------------------------------------------------------------


@function("results.response")
def response(message: Json, profile: Profile) -> Decision[Conformance]:
    """Whether a JSON value is a well-formed response with a result, of whatever method.

    Source: basic/index#result-responses.
    """
    found = Findings()
    judge_result_response(found, message, profile=profile)
    return found.decision()


@function("results.result")
def result(method: str, result: Json) -> Decision[Conformance]:
    """Whether a JSON value has what a result of every method must have, and may answer `method` by its type.

    Source: basic/index#result-responses, basic/patterns/mrtr.
    """
    found = Findings()
    judge_result(found, result, method=method)
    return found.decision()


@function("results.list")
def page(method: PaginatedMethod, result: Json) -> Decision[Conformance]:
    """Whether a JSON value is a result of a list method: one page, perhaps with the cursor of the next.

    Source: server/utilities/pagination#response-format, server/utilities/caching#cacheable-results.
    """
    found = Findings()
    judge_list(found, result, method=method)
    return found.decision()


@function("results.contents")
def contents(result: Json) -> Decision[Conformance]:
    """Whether a JSON value is a result of `resources/read`, final or not.

    Source: schema, server/utilities/caching#cacheable-results.
    """
    found = Findings()
    judge_contents(found, result)
    return found.decision()


def judge_result_response(found: Findings, message: Json, at: str = "", profile: Profile = DEFAULT_PROFILE) -> None:
    """A response with a result, as far as JSON-RPC has it, and what every result has."""
    if not is_object(message):
        found.broken("base.jsonrpc.conforms", at, f"a response is an object, not {kind_of(message)}")
        return
    judge_jsonrpc(found, message, at)
    judge_result_envelope(found, message, at, profile)
    if "result" in message:
        judge_result(found, message["result"], f"{at}/result")


def judge_result_envelope(found: Findings, message: JsonObject, at: str, profile: Profile = DEFAULT_PROFILE) -> None:
    """The id of a response with a result, and that it has one and no error."""
    response_id = message.get("id", ABSENT)
    if is_readable_id(response_id, profile):
        found.held.append("results.response.id-echo")
    else:
        what = f"the id is that of a request, a string or an integer, not {shown(response_id)}"
        found.broken("results.response.id-echo", f"{place(at, message, 'id')}", what)
    if "result" in message:
        found.held.append("results.response.result-present")
    else:
        found.broken("results.response.result-present", at, "result is missing")
    if "error" in message:
        found.broken("base.response.result-xor-error", f"{at}/error", "a response with a result has no error")
    else:
        found.held.append("base.response.result-xor-error")


def judge_result(found: Findings, result: Json, at: str = "", method: str = "") -> None:
    """What a result of every method has; where `method` is known, whether it may ask for input."""
    kind = judge_type(found, result, at)
    if kind == "input_required":
        assert is_object(result)
        judge_interim(found, result, at, method)


def judge_type(found: Findings, result: Json, at: str) -> Json | Absent:
    """That a result is an object with a type; gives the type as it stands there."""
    if not is_object(result):
        found.broken("base.schema.conforms", at, f"a result is an object, not {kind_of(result)}")
        return ABSENT
    kind = result.get("resultType", ABSENT)
    if type(kind) is str:
        found.held += ("results.type.present", "results.type.string", "results.response.any-object")
    elif kind is ABSENT:
        found.broken("results.type.present", at, "resultType is missing")
    else:
        found.broken("results.type.string", f"{at}/resultType", f"resultType is a string, not {kind_of(kind)}")
    meta = result.get("_meta", ABSENT)
    if meta is not ABSENT and type(meta) is not dict:
        found.broken("base.schema.conforms", f"{at}/_meta", f"_meta is an object, not {kind_of(meta)}")
    return kind


def judge_interim(found: Findings, result: JsonObject, at: str, method: str) -> None:
    """A result that asks for input."""
    if method and method not in ASKING_METHODS:
        found.broken("mrtr.supported.nothing-else", f"{at}/resultType", f"{shown(method)} is not answered so")
    state = result.get("requestState", ABSENT)
    asked = result.get("inputRequests", ABSENT)
    either = state is not ABSENT or asked is not ABSENT
    found.check(either, "mrtr.server.requests-or-state", at, "there are neither inputRequests nor a requestState")
    if state is not ABSENT and type(state) is not str:
        found.broken("base.schema.conforms", f"{at}/requestState", f"requestState is a string, not {kind_of(state)}")
    if is_object(asked):
        for name, entry in asked.items():
            judge_input_request(found, entry, below(f"{at}/inputRequests", name))
    elif asked is not ABSENT:
        found.broken("base.schema.conforms", f"{at}/inputRequests", f"inputRequests is an object, not {kind_of(asked)}")


def judge_list(found: Findings, result: Json, at: str = "", method: str = "tools/list") -> None:
    """A result of a list method."""
    kind = judge_type(found, result, at)
    if not is_object(result):
        return
    if kind == "input_required":
        judge_interim(found, result, at, method)
    elif kind == "complete" or type(kind) is not str:
        judge_page(found, result, at, method)
    judge_cache_hints(found, result, at, method)


def judge_page(found: Findings, result: JsonObject, at: str, method: str) -> None:
    """The page of a list result with its items, and the cursor of the next."""
    judge_page_result(found, result, at, method)
    name, _ = PAGINATED[method]
    items = result.get(name)
    if type(items) is list:
        _judge_items(found, items, ITEMS[method], f"{at}/{name}")


def judge_contents(found: Findings, result: Json, at: str = "") -> None:
    """A result of `resources/read`."""
    kind = judge_type(found, result, at)
    if not is_object(result):
        return
    if kind == "input_required":
        judge_interim(found, result, at, "resources/read")
    elif kind == "complete" or type(kind) is not str:
        judge_items_of(found, result, at)
    judge_cache_hints(found, result, at, "resources/read")


def judge_items_of(found: Findings, result: JsonObject, at: str) -> None:
    """The contents in a result of `resources/read`."""
    items = result.get("contents", ABSENT)
    if type(items) is list:
        found.held.append("base.schema.conforms")
        _judge_items(found, items, ResourceContents, f"{at}/contents")
    else:
        found.broken("base.schema.conforms", at, f"contents is an array, not {kind_of(items)}")


def _judge_items(found: Findings, items: list[Json], item_type: type[Message], at: str) -> None:
    for index, item in enumerate(items):
        wrong = misfit(item, item_type)
        if wrong is not None:
            found.broken("base.schema.conforms", f"{at}/{index}{wrong[0]}", f"{wrong[1]}")


# --- requests inside a result that asks for input -----------------------------------------------------------------


@function("results.input-request")
def input_request(request: Json) -> Decision[Conformance]:
    """Whether a JSON value may stand in `inputRequests`.

    Source: basic/patterns/mrtr#inputrequests, changelog#minor-changes, changelog#other-schema-changes.
    """
    found = Findings()
    judge_input_request(found, request)
    return found.decision()


def judge_input_request(found: Findings, request: Json, at: str = "") -> None:
    """One request for input."""
    if not _fits(found, request, InputRequest, at):
        return
    assert is_object(request)
    params = request.get("params", ABSENT)
    if request["method"] == "elicitation/create":
        _judge_elicitation(found, params, f"{at}/params")
    elif request["method"] == "sampling/createMessage":
        _fits(found, params, CreateMessageRequestParams, f"{at}/params")


def _judge_elicitation(found: Findings, params: Json | Absent, at: str) -> None:
    if is_object(params) and params.get("mode") == "url":
        gone = "elicitationId" not in params
        found.check(gone, "removed.field.elicitation-id", at, "elicitationId does not exist any more")
        _fits(found, params, ElicitRequestURLParams, at)
    elif _fits(found, params, ElicitRequestFormParams, at):
        properties = member(params, "requestedSchema", "properties")
        assert is_object(properties)
        for name, schema in properties.items():
            assert is_object(schema)
            _judge_property(found, schema, below(f"{at}/requestedSchema/properties", name))


def _judge_property(found: Findings, schema: JsonObject, at: str) -> None:
    kind = schema.get("type", ABSENT)
    if kind in ("number", "integer"):
        for name in [name for name in BOUNDS if name in schema]:
            found.check(
                is_number(schema[name]),
                "json-schema.elicitation-number.fractional-bounds",
                f"{at}/{name}",
                f"{name} is a number, not {kind_of(schema[name])}",
            )
    elif kind not in ("string", "boolean", "array"):
        found.broken("base.schema.conforms", at, f"a property of a form is no {shown(kind)}")


def _fits(found: Findings, value: Json | Absent, message_type: type[Message], at: str) -> bool:
    wrong = misfit(value, message_type)
    if wrong is not None:
        found.broken("base.schema.conforms", f"{at}{wrong[0]}", f"{wrong[1]}")
        return False
    found.held.append("base.schema.conforms")
    return True
