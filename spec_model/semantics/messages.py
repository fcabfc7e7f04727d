"""The shape of JSON-RPC messages and of the legacy handshake, and which party may send what.

Source: basic/index#messages; 2025-11-25/basic/lifecycle#initialization.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import ErrorIdWhenUnreadable, IdIntegralFloat
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.semantics.revisions import Era, era_of
from spec_model.wire.messages import (
    Implementation,
    InitializeRequestParams,
    InitializeResult,
    LegacyClientCapabilities,
    LegacyServerCapabilities,
    Message,
    MessageKind,
    kind_of_message,
    misfit,
    place,
    shown,
)
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, equal, is_object, kind_of, member


class Party(enum.Enum):
    """The two ends of a connection."""

    CLIENT = "client"
    SERVER = "server"


_KINDS: Final[Mapping[MessageKind, tuple[str, ...]]] = {
    MessageKind.REQUEST: ("base.request.id-present", "base.request.method-string"),
    MessageKind.NOTIFICATION: ("base.notification.no-id", "base.notification.method-string"),
    MessageKind.RESULT: ("base.response.result-xor-error", "results.response.result-present"),
    MessageKind.ERROR: ("base.response.result-xor-error", "errors.response.error-present"),
    MessageKind.BATCH: ("base.jsonrpc.conforms",),
    MessageKind.NEITHER: ("base.jsonrpc.conforms",),
}

_SENT: Final[Mapping[tuple[Party, MessageKind], tuple[str, ...]]] = {
    (Party.CLIENT, MessageKind.REQUEST): ("transport.delivery.client-requests",),
    (Party.CLIENT, MessageKind.NOTIFICATION): (
        "transport.delivery.client-notifications",
        "base.notification.either-direction",
    ),
    (Party.SERVER, MessageKind.NOTIFICATION): (
        "transport.delivery.server-notifications",
        "base.notification.either-direction",
    ),
    (Party.SERVER, MessageKind.RESULT): ("transport.delivery.server-responses",),
    (Party.SERVER, MessageKind.ERROR): ("transport.delivery.server-responses",),
}

_NOT_SENT: Final[Mapping[tuple[Party, MessageKind], str]] = {
    (Party.SERVER, MessageKind.REQUEST): "transport.direction.no-server-requests",
    (Party.CLIENT, MessageKind.RESULT): "transport.direction.no-client-responses",
    (Party.CLIENT, MessageKind.ERROR): "transport.direction.no-client-responses",
}


@function("messages.kind")
def kind(message: Json) -> Decision[MessageKind]:
    """What kind of message a JSON value is, by its members; a batch and a value that is `neither` are no messages.

    Source: basic/index#messages.
    """
    found = kind_of_message(message)
    return decide(found, *_KINDS[found])


@function("messages.may-send")
def may_send(sender: Party, message: Json) -> Decision[bool]:
    """Whether a party may send a message of this kind at all.

    Source: basic/index#requests, basic/index#notifications, basic/transports/index#messages.
    """
    sent = (sender, kind_of_message(message))
    if sent in _SENT:
        return decide(True, *_SENT[sent])
    if sent in _NOT_SENT:
        return decide(False, _NOT_SENT[sent])
    return decide(False, "base.jsonrpc.conforms")


# --- requests and notifications -------------------------------------------------------------------------------------


@function("messages.request")
def request(message: Json, profile: Profile) -> Decision[Conformance]:
    """Whether a JSON value is a well-formed request. What its metadata must hold is a question of its own.

    Source: basic/index#requests.
    """
    found = Findings()
    judge_request(found, message, profile=profile)
    return found.decision()


@function("messages.notification")
def notification(message: Json) -> Decision[Conformance]:
    """Whether a JSON value is a well-formed notification.

    Source: basic/index#notifications.
    """
    found = Findings()
    judge_notification(found, message)
    return found.decision()


def judge_request(found: Findings, message: Json, at: str = "", profile: Profile = DEFAULT_PROFILE) -> None:
    """The shape of a request, as far as JSON-RPC has it."""
    if not is_object(message):
        found.broken("base.jsonrpc.conforms", at, f"a request is an object, not {kind_of(message)}")
        return
    judge_jsonrpc(found, message, at)
    request_id = message.get("id", ABSENT)
    if is_readable_id(request_id, profile):
        found.held += ("base.request.id-present", "base.request.id-type", "base.request.id-not-null")
    elif request_id is ABSENT:
        found.broken("base.request.id-present", at, "a request has an id; without one this is a notification")
    elif request_id is None:
        found.broken("base.request.id-not-null", f"{at}/id", "the id of a request is not null")
    else:
        found.broken("base.request.id-type", f"{at}/id", f"an id is a string or an integer, not {shown(request_id)}")
    _judge_method(found, message, at, "base.request.method-string")
    _judge_params(found, message, at, "base.request.params-object")


def judge_notification(found: Findings, message: Json, at: str = "") -> None:
    """The shape of a notification."""
    if not is_object(message):
        found.broken("base.jsonrpc.conforms", at, f"a notification is an object, not {kind_of(message)}")
        return
    judge_jsonrpc(found, message, at)
    if "id" in message:
        found.broken("base.notification.no-id", f"{at}/id", "a notification has no id; with one this is a request")
    else:
        found.held.append("base.notification.no-id")
    _judge_method(found, message, at, "base.notification.method-string")
    _judge_params(found, message, at, "base.notification.params-object")


def judge_jsonrpc(found: Findings, message: JsonObject, at: str) -> None:
    """The member `jsonrpc` of a message."""
    version = message.get("jsonrpc", ABSENT)
    if version == "2.0":
        found.held += ("base.jsonrpc.conforms", "base.jsonrpc.version-literal")
    else:
        where = f"{place(at, message, 'jsonrpc')}"
        found.broken("base.jsonrpc.version-literal", where, f'jsonrpc is "2.0", not {shown(version)}')


def _judge_method(found: Findings, message: JsonObject, at: str, requirement: str) -> None:
    method = message.get("method", ABSENT)
    if type(method) is str:
        found.held.append(requirement)
    else:
        found.broken(requirement, f"{place(at, message, 'method')}", f"method is a string, not {kind_of(method)}")


def _judge_params(found: Findings, message: JsonObject, at: str, requirement: str) -> None:
    params = message.get("params", ABSENT)
    if type(params) is dict:
        found.held.append(requirement)
    elif params is not ABSENT:
        found.broken(requirement, f"{at}/params", f"params is an object, not {kind_of(params)}")


def is_readable_id(request_id: Json | Absent, profile: Profile) -> bool:
    """Whether a request with this id can be answered by it: a string or an integer."""
    if type(request_id) is float and request_id.is_integer():
        return profile[IdIntegralFloat] is IdIntegralFloat.ACCEPT_AS_INTEGER
    return type(request_id) is str or type(request_id) is int


# --- the id of the answer ---------------------------------------------------------------------------------------------


@function("messages.answers")
def answers(request: Json, response: Json, profile: Profile) -> Decision[Conformance]:
    """Whether a response to this request, which may be malformed, has the id that it should have.

    Source: basic/index#result-responses, basic/index#error-responses.
    """
    found = Findings()
    judge_answer(found, request, response, profile=profile)
    return found.decision()


def judge_answer(
    found: Findings, request: Json, response: Json, at: str = "", profile: Profile = DEFAULT_PROFILE
) -> None:
    """The id of a response, against the request that it answers."""
    asked = member(request, "id")
    echoed = member(response, "id")
    is_error = kind_of_message(response) is MessageKind.ERROR
    requirement = "errors.response.id-echo" if is_error else "results.response.id-echo"
    if is_readable_id(asked, profile):
        same = echoed is not ABSENT and equal(asked, echoed)
        found.check(same, requirement, at, f"the id is {shown(asked)} in the request and {shown(echoed)} here")
    elif is_error and echoed is ABSENT:
        found.held += ("errors.response.id-echo", "errors.response.id-omitted-when-unreadable")
    elif is_error and echoed is None:
        _judge_null_id(found, at, profile)
    elif echoed is not ABSENT and not is_readable_id(echoed, profile):
        found.broken("base.schema.conforms", f"{at}/id", f"an id is a string or an integer, not {shown(echoed)}")
    else:
        found.broken(requirement, at, f"the request has no id that could be repeated, and here it is {shown(echoed)}")


def _judge_null_id(found: Findings, at: str, profile: Profile) -> None:
    if profile[ErrorIdWhenUnreadable] is ErrorIdWhenUnreadable.NULL_ID:
        found.held.append("base.jsonrpc.conforms")
    else:
        found.broken("base.schema.conforms", f"{at}/id", "an error without the id of a request has no id, not null")


def judge_response_id(found: Findings, response: JsonObject, at: str, profile: Profile) -> None:
    """The id of an error response by itself, where the request is not known."""
    response_id = response.get("id", ABSENT)
    if response_id is None:
        _judge_null_id(found, at, profile)
    elif response_id is not ABSENT and not is_readable_id(response_id, profile):
        found.broken("base.schema.conforms", f"{at}/id", f"an id is a string or an integer, not {shown(response_id)}")


# --- the legacy handshake ---------------------------------------------------------------------------------------------


@function("messages.initialize-params")
def initialize_params(params: Json) -> Decision[Conformance]:
    """Whether a JSON value is what a client of a legacy revision sends as `params` of `initialize`.

    Source: 2025-11-25/basic/lifecycle#initialization.
    """
    found = Findings()
    judge_initialize_params(found, params)
    return found.decision()


@function("messages.initialize-result")
def initialize_result(result: Json) -> Decision[Conformance]:
    """Whether a JSON value is what a server answers `initialize` with.

    Source: 2025-11-25/basic/lifecycle#initialization, basic/versioning#compatibility-matrix.
    """
    found = Findings()
    judge_initialize_result(found, result)
    return found.decision()


def judge_initialize_params(found: Findings, params: Json | Absent, at: str = "") -> None:
    """The params of `initialize`."""
    stated = kind_of(member(params, "protocolVersion"))
    found.check(
        stated == "a string", "legacy.init.request-protocol-version", at, f"protocolVersion is a string, not {stated}"
    )
    _judge_part(found, params, "capabilities", LegacyClientCapabilities, "legacy.init.request-capabilities", at)
    _judge_part(found, params, "clientInfo", Implementation, "legacy.init.request-client-info", at)
    _judge_rest(found, params, InitializeRequestParams, at)


def judge_initialize_result(found: Findings, result: Json, at: str = "") -> None:
    """The result of `initialize`."""
    version = member(result, "protocolVersion")
    if type(version) is not str:
        found.broken(
            "legacy.version.server-echoes-supported", at, f"protocolVersion is a string, not {kind_of(version)}"
        )
    elif era_of(version) is Era.MODERN:
        found.broken(
            "interop.dual-server.initialize-selects-legacy",
            f"{at}/protocolVersion",
            f"a handshake settles on a legacy version, and {shown(version)} has none",
        )
    else:
        found.held += ("legacy.version.server-echoes-supported", "interop.dual-server.initialize-selects-legacy")
    _judge_part(found, result, "capabilities", LegacyServerCapabilities, "legacy.init.result-capabilities", at)
    _judge_part(found, result, "serverInfo", Implementation, "legacy.init.result-server-info", at)
    _judge_rest(found, result, InitializeResult, at)


def _judge_part(
    found: Findings, whole: Json | Absent, name: str, message_type: type[Message], requirement: str, at: str
) -> None:
    wrong = misfit(member(whole, name), message_type)
    if wrong is None:
        found.held.append(requirement)
    else:
        found.broken(requirement, f"{at}/{name}{wrong[0]}", f"{name}: {wrong[1]}")


def _judge_rest(found: Findings, whole: Json | Absent, message_type: type[Message], at: str) -> None:
    """The members that have no requirement of their own, where the others are right."""
    wrong = None if found.faults or whole is ABSENT else misfit(whole, message_type)
    if wrong is not None:
        found.broken("base.schema.conforms", f"{at}{wrong[0]}", f"{wrong[1]}")
