"""What a server reads from a line or a request body, and what it answers to what is no message.

Source: basic/index#messages, basic/index#error-codes, basic/transports/stdio.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import ErrorIdWhenUnreadable, RefusalBody, UnreadableBody, UnreadableLine
from spec_model.semantics.decision import Decision, Findings, decide
from spec_model.semantics.errors import INVALID_REQUEST, PARSE_ERROR
from spec_model.semantics.functions import function
from spec_model.semantics.messages import judge_notification, judge_request
from spec_model.semantics.server import Answer, Error, Refuse, Silence, Transport
from spec_model.wire.json import decode
from spec_model.wire.messages import MessageKind, kind_of_message, read_message
from spec_model.wire.values import ABSENT, Absent, Json, is_integer, is_string, member

# A caller may hand over a lone surrogate, which no UTF-8 text holds; it makes the text no JSON.
_SURROGATES: Final = "surrogatepass"


class Request(NamedTuple):
    """A request whose id and method can be used; `params` may be of any type."""

    id: str | int
    method: str
    params: Json | Absent

    def meta(self, *key: str) -> Json | Absent:
        """`_meta`, or the value at one of its keys."""
        return member(self.params, "_meta", *key)


class Notification(NamedTuple):
    """A notification."""

    method: str


class Malformed(NamedTuple):
    """Neither of the two. `id` is that of a request which is malformed elsewhere; where `answered` is true there is
    none that can be used, and yet the sender is owed an answer."""

    id: str | int | Absent
    answered: bool = False


@function("server.on-text")
def on_text(profile: Profile, text: str, transport: Transport) -> Decision[Answer | None]:
    """What a server does with a line, or over HTTP a request body, of this text; null where the text is JSON.

    Source: basic/index#error-codes, basic/transports/stdio.
    """
    if decode(text.encode(errors=_SURROGATES)).ok:
        return decide(None, "errors.standard.parse-error")
    return _answer_unread(profile, transport, decide(PARSE_ERROR, "errors.standard.parse-error")).map(_optional)


def _optional(answer: Answer) -> Answer | None:
    return answer


def read(profile: Profile, message: Json) -> Decision[Request | Notification | Malformed]:
    """The request or the notification that a JSON value is, or what keeps it from being one.

    Source: basic/index#messages.
    """
    received = read_message(message)
    found = Findings()
    if is_response(message):
        return decide(Malformed(ABSENT), "transport.direction.no-client-responses")
    if received.kind is MessageKind.NOTIFICATION:
        judge_notification(found, message)
    else:
        judge_request(found, message, profile=profile)
    broken = [fault.requirement for fault in found.faults if not fault.requirement.endswith(".params-object")]
    request_id = _readable(received.id)
    if any(requirement.startswith("base.request.id-") for requirement in broken):
        return decide(Malformed(ABSENT, answered=request_id is not ABSENT), *broken)
    if broken:
        return decide(Malformed(request_id), *broken)
    assert is_string(received.method)
    if request_id is ABSENT:
        return decide(Notification(received.method), "base.notification.no-response")
    return decide(Request(request_id, received.method, received.params), "base.patterns.request-answered")


def is_response(message: Json) -> bool:
    """Whether a JSON value is a response, which only a legacy client has cause to send."""
    return kind_of_message(message) in (MessageKind.RESULT, MessageKind.ERROR)


def _readable(request_id: Json | Absent) -> str | int | Absent:
    if is_string(request_id):
        return request_id
    return int(request_id) if is_integer(request_id) else ABSENT


def answer_malformed(profile: Profile, transport: Transport, malformed: Decision[Malformed]) -> Decision[Answer]:
    """The answer to JSON that is neither a request nor a notification."""
    code = Decision(INVALID_REQUEST, malformed.because).also("errors.standard.invalid-request")
    request_id, answered = malformed.outcome
    if request_id is not ABSENT:
        return _error(code, request_id, _status(profile, transport)).also("errors.response.id-echo")
    if answered:
        return _without_id(profile, transport, code)
    return _answer_unread(profile, transport, code)


def _answer_unread(profile: Profile, transport: Transport, code: Decision[int]) -> Decision[Answer]:
    """The answer to what is no message and has no id that could be read."""
    if transport == "stdio" and profile[UnreadableLine] is UnreadableLine.SILENCE:
        return decide(Silence(), "stdio.stdin.only-messages")
    if transport == "http" and profile[UnreadableBody] is UnreadableBody.STATUS_400_ALONE:
        return Decision(Refuse(status=400, body=RefusalBody.EMPTY), code.because)
    return _without_id(profile, transport, code)


def _without_id(profile: Profile, transport: Transport, code: Decision[int]) -> Decision[Answer]:
    error = _error(code, no_id(profile), _status(profile, transport))
    return error.also("errors.response.id-omitted-when-unreadable")


def no_id(profile: Profile) -> Json | Absent:
    """The id of an error whose request id could not be read."""
    return None if profile[ErrorIdWhenUnreadable] is ErrorIdWhenUnreadable.NULL_ID else ABSENT


def _status(profile: Profile, transport: Transport) -> int | Absent:
    if transport == "stdio":
        return ABSENT
    return 200 if profile[UnreadableBody] is UnreadableBody.ERROR_WITH_STATUS_200 else 400


def _error(code: Decision[int], request_id: Json | Absent, status: int | Absent) -> Decision[Answer]:
    return Decision(Error(code.outcome, request_id, status), code.because)
