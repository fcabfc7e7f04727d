"""Messages on stdio: what a stream holds, what each side may write, and what happens when a process ends.

Source: basic/transports/stdio.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    ByteOrderMark,
    MessagesAfterCancel,
    Newline,
    ReadingUnit,
    ShutdownEscalation,
    UnterminatedLine,
)
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.semantics.messages import (
    Party,
    is_readable_id,
    judge_jsonrpc,
    judge_notification,
    judge_request,
    judge_response_id,
)
from spec_model.semantics.transports import Chunk, is_utf8, octets
from spec_model.wire.json import Decoded, FaultKind, decode
from spec_model.wire.messages import MessageKind, kind_of_message
from spec_model.wire.streams import Allowance, lines_of_value, split, values
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, equal, fingerprint, is_object, member

SUBSCRIPTION_ID: Final = "io.modelcontextprotocol/subscriptionId"
CANCELLED: Final = "notifications/cancelled"
LISTEN: Final = "subscriptions/listen"

_ROOT: Final = ""
_MESSAGE: Final = "/message"

_RESPONSES: Final = frozenset({MessageKind.RESULT, MessageKind.ERROR})

# --- reading ----------------------------------------------------------------------------------------------------------


@function("stdio.frames")
def frames(profile: Profile, chunks: list[Chunk], ended: bool = False) -> Decision[list[Json]]:
    """The messages that a reader has when it has read `chunks` of a stream, in order; `ended` once the stream is over.

    A message is a JSON object with a `method`, a `result` or an `error`. What else stands on the stream is left out, an
    array of messages too, which revision 2025-03-26 allowed.

    Source: basic/transports/stdio#stdio and #receiving-messages; basic/transports/index#messages.
    """
    read = [(text, _message(text, profile)) for text in _texts(octets(chunks), ended, profile)]
    messages = [message for _, message in read if message is not ABSENT]
    refused = [_unread(text) for text, message in read if message is ABSENT]
    return decide(messages, "stdio.framing.newline-delimited").after(*refused)


def _texts(data: bytes, ended: bool, profile: Profile) -> list[bytes]:
    """The texts on a stream of which each may be a message."""
    match profile[ReadingUnit]:
        case ReadingUnit.LINE:
            lines, rest = _lines(data, profile)
            return [*lines, rest] if ended and _counts(rest, profile) else lines
        case ReadingUnit.JSON_VALUE:
            return list(values(data, ended=ended))


def _lines(data: bytes, profile: Profile) -> tuple[list[bytes], bytes]:
    """The lines that a newline ends, and what stands after the last newline."""
    if b"\r" in data.replace(b"\r\n", b"") and profile[Newline] is Newline.ANY_LINE_END:
        *lines, rest = re.split(rb"\r\n|\r|\n", data)
    else:
        *lines, rest = data.split(b"\n")
    return lines, rest


def _counts(rest: bytes, profile: Profile) -> bool:
    """Whether what stands after the last newline of a stream that ended is a line."""
    return rest != b"" and profile[UnterminatedLine] is UnterminatedLine.MESSAGE


def _message(text: bytes, profile: Profile) -> Json | Absent:
    decoded = decode(text)
    if not decoded.ok or kind_of_message(decoded.value) in (MessageKind.BATCH, MessageKind.NEITHER):
        return ABSENT
    if _is_marked(decoded) and profile[ByteOrderMark] is ByteOrderMark.REFUSE:
        return ABSENT
    return decoded.value


def _is_marked(decoded: Decoded) -> bool:
    """Whether a byte order mark stands in front of a text."""
    return any(fault.kind is FaultKind.BYTE_ORDER_MARK for fault in decoded.faults)


_UNREAD: Final[Mapping[FaultKind, str]] = {
    FaultKind.INVALID_UTF8: "transport.encoding.utf8",
    FaultKind.TRUNCATED: "stdio.framing.no-embedded-newline",
    FaultKind.TRAILING_DATA: "stdio.framing.newline-delimited",
}


def _unread(text: bytes) -> str:
    """The requirement that a text breaks which is no message."""
    fault = decode(text).fault
    default = "stdio.framing.single-message"
    return default if fault is None else _UNREAD.get(fault.kind, default)


# --- writing ----------------------------------------------------------------------------------------------------------

ONLY_MESSAGES: Final[Mapping[Party, str]] = {
    Party.CLIENT: "stdio.stdin.only-messages",
    Party.SERVER: "stdio.stdout.only-messages",
}


@function("stdio.stream")
def stream(writer: Party, chunks: list[Chunk], profile: Profile, ended: bool = False) -> Decision[Conformance]:
    """Whether what a side wrote to its stream keeps to the framing, to valid messages, and to its direction.

    What follows the last newline is judged once the stream has `ended`.

    Source: basic/transports/stdio; basic/transports/index#messages.
    """
    found = Findings()
    lines, rest = _lines(octets(chunks), profile)
    if ended and rest:
        complete = _counts(rest, profile)
        found.check(complete, "stdio.framing.newline-delimited", f"/{len(lines)}", "a newline is missing at the end")
        lines.append(rest)
    else:
        found.check(True, "stdio.framing.newline-delimited", "", "")
    done = 0
    allowance = Allowance(sum(map(len, lines)))
    for start in range(len(lines)):
        if start >= done:
            done = start + lines_of_value(lines, start, allowance)
            judge_lines(found, writer, lines[start:done], f"/{start}", profile)
    return found.decision()


def judge_lines(found: Findings, writer: Party, lines: list[bytes], at: str, profile: Profile) -> None:
    """Judges what a side wrote as one message: the line of it, or the lines where it stretches over several."""
    whole = len(lines) == 1
    found.check(whole, "stdio.framing.no-embedded-newline", at, "a message stretches over several lines")
    text = b"\n".join(lines)
    if not found.check(is_utf8(text), "transport.encoding.utf8", at, "this is not encoded in UTF-8"):
        return
    decoded = decode(text)
    if decoded.ok and not _is_marked(decoded):
        judge_message(found, writer, decoded.value, at, profile)
    elif _holds_several(text):
        found.broken("stdio.framing.newline-delimited", at, "there is no newline between two messages")
    else:
        found.broken(ONLY_MESSAGES[writer], at, "this is no JSON text")


def _holds_several(text: bytes) -> bool:
    """Whether a text holds JSON values, more than one, and nothing else."""
    several, rest = split(text)
    return len(several) > 1 and rest == b""


def judge_message(found: Findings, writer: Party, message: Json, at: str, profile: Profile) -> None:
    """Judges that a side writes this JSON value: that it is one message, valid, and one that this side sends."""
    single = type(message) is not list
    found.check(single, "stdio.framing.single-message", at, "an array of messages is no message")
    if not single:
        return
    kind = kind_of_message(message)
    valid = is_object(message) and _is_valid(message, kind, profile)
    found.check(valid, ONLY_MESSAGES[writer], at, "this is no valid JSON-RPC message")
    if writer is Party.SERVER:
        is_sent = kind is not MessageKind.REQUEST
        found.check(is_sent, "transport.direction.no-server-requests", at, "a server sends no request")
    else:
        is_sent = kind not in _RESPONSES
        found.check(is_sent, "transport.direction.no-client-responses", at, "a client sends no response")


def _is_valid(message: JsonObject, kind: MessageKind, profile: Profile) -> bool:
    found = Findings()
    match kind:
        case MessageKind.REQUEST:
            judge_request(found, message, profile=profile)
        case MessageKind.NOTIFICATION:
            judge_notification(found, message)
        case MessageKind.RESULT:
            judge_jsonrpc(found, message, _ROOT)
            return not found.faults and is_readable_id(message.get("id", ABSENT), profile)
        case MessageKind.ERROR:
            judge_jsonrpc(found, message, _ROOT)
            judge_response_id(found, message, _ROOT, profile)
        case _:
            return False
    return not found.faults


class Cancelled(enum.Enum):
    """Whether the server has read the cancellation of a request, and how it found the request then.

    `too-late`: finished, or of a kind that cannot be cancelled.
    """

    NO = "no"
    IN_TIME = "in-time"
    TOO_LATE = "too-late"


class InFlight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request that the client sent and that has no response yet."""

    id: Json
    method: str
    progress_token: Json | Absent = ABSENT
    cancelled: Cancelled = Cancelled.NO


@function("stdio.may-write")
def may_write(writer: Party, message: Json, in_flight: list[InFlight], profile: Profile) -> Decision[Conformance]:
    """Whether a side may write this message while the requests `in_flight` have no response.

    Source: basic/transports/stdio#sending-messages, #receiving-messages and #cancellation.
    """
    found = Findings()
    judge_message(found, writer, message, _MESSAGE, profile)
    if not found.faults and is_object(message):
        if writer is Party.SERVER:
            _judge_relation(found, message, in_flight, profile)
        else:
            _judge_cancellation(found, message, in_flight)
    return found.decision()


def _judge_cancellation(found: Findings, message: JsonObject, in_flight: list[InFlight]) -> None:
    if message["method"] == CANCELLED:
        target = member(message, "params", "requestId")
        known = any(equal(target, request.id) for request in in_flight)
        found.check(known, "stdio.cancel.notification", "/message/params/requestId", "no request in flight has this id")


def _judge_relation(found: Findings, message: JsonObject, in_flight: list[InFlight], profile: Profile) -> None:
    """What a server writes belongs to a request in flight that was not cancelled."""
    kind = kind_of_message(message)
    if kind is MessageKind.ERROR and message.get("id") is None:
        found.check(True, "stdio.emit.three-kinds", "/message", "")
        return
    request = _related(message, kind, in_flight)
    if request is None:
        found.broken("stdio.emit.three-kinds", "/message", "this belongs to no request in flight")
        return
    found.check(True, "stdio.emit.three-kinds", "/message", "")
    if message.get("method") in _OF_SUBSCRIPTIONS:
        tagged = member(message, "params", "_meta", SUBSCRIPTION_ID) is not ABSENT
        found.check(tagged, "meta.notification.subscription-id", "/message/params/_meta", "its subscription is missing")
    permitted = request.cancelled is Cancelled.NO or (
        request.cancelled is Cancelled.TOO_LATE
        and kind in _RESPONSES
        and profile[MessagesAfterCancel] is MessagesAfterCancel.RESPONSE_IF_NOT_CANCELLABLE
    )
    found.check(permitted, "stdio.cancel.no-further-messages", "/message", "its request was cancelled")


_OF_SUBSCRIPTIONS: Final = frozenset(
    {
        "notifications/subscriptions/acknowledged",
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
    }
)


def _related(message: JsonObject, kind: MessageKind, in_flight: list[InFlight]) -> InFlight | None:
    """The request that a message of the server belongs to. A notification that has no tie to a certain request may
    belong to any, or to any subscription where it is of those; one that was not cancelled goes before others."""
    if kind in _RESPONSES:
        return _first(request for request in in_flight if equal(message.get("id"), request.id))
    listens = [request for request in in_flight if request.method == LISTEN]
    subscription = member(message, "params", "_meta", SUBSCRIPTION_ID)
    if subscription is not ABSENT:
        return _first(request for request in listens if equal(subscription, request.id))
    method = message["method"]
    if method == CANCELLED:
        return _first(request for request in listens if equal(member(message, "params", "requestId"), request.id))
    if method == "notifications/progress":
        token = member(message, "params", "progressToken")
        return _first(request for request in in_flight if equal(token, request.progress_token))
    candidates = listens if method in _OF_SUBSCRIPTIONS else in_flight
    return _first(sorted(candidates, key=lambda request: request.cancelled is not Cancelled.NO))


def _first(requests: Iterator[InFlight] | list[InFlight]) -> InFlight | None:
    return next(iter(requests), None)


# --- correlation ------------------------------------------------------------------------------------------------------


class Answers(msgspec.Struct, frozen=True, tag_field="belongs", tag="to-request"):
    """The message is the response to the request `id`."""

    id: Json


class OfSubscription(msgspec.Struct, frozen=True, tag_field="belongs", tag="to-subscription"):
    """The message is a notification on the subscription that the `subscriptions/listen` request `id` opened."""

    id: Json


class Unmatched(msgspec.Struct, frozen=True, tag_field="belongs", tag="to-none"):
    """No id in the message ties it to a request in flight."""


@function("stdio.correlate")
def correlate(
    message: Json, in_flight: list[InFlight], profile: Profile
) -> Decision[Answers | OfSubscription | Unmatched]:
    """To which of the requests `in_flight` a client assigns a message of the server, by `id` or by subscription id.

    Other ties of notifications, such as progress tokens, are not asked for.

    Source: basic/transports/stdio#receiving-messages.
    """
    if kind_of_message(message) in _RESPONSES:
        request = _with_id(member(message, "id"), in_flight, profile)
        outcome = Unmatched() if request is None else Answers(request.id)
        return decide(outcome, "stdio.receive.correlate-response")
    listens = [request for request in in_flight if request.method == LISTEN]
    listen = _with_id(member(message, "params", "_meta", SUBSCRIPTION_ID), listens, profile)
    return decide(Unmatched() if listen is None else OfSubscription(listen.id), "stdio.receive.correlate-subscription")


def _with_id(received: Json | Absent, requests: list[InFlight], profile: Profile) -> InFlight | None:
    if not any(equal(received, request.id) for request in requests) or not is_readable_id(received, profile):
        return None
    return _first(request for request in requests if equal(received, request.id))


# --- the end of a process ---------------------------------------------------------------------------------------------


class AfterExit(msgspec.Struct, frozen=True):
    """The ids of the requests that are lost, which the client may send again to a fresh process, and of the
    `subscriptions/listen` requests that it opens again there."""

    lost: list[Json]
    listen_again: list[Json]


@function("stdio.after-exit")
def after_exit(requests: list[InFlight], stdout: list[Chunk], profile: Profile) -> Decision[AfterExit]:
    """What became of `requests` when the server process exited unexpectedly, having written `stdout` since they were
    sent. A request that the client cancelled is missed by nobody.

    Source: basic/transports/stdio#unexpected-termination.
    """
    read = frames(profile, stdout, ended=True).outcome
    answered = {fingerprint(member(message, "id")) for message in read if _is_response(message)}
    missed = [one for one in requests if one.cancelled is Cancelled.NO and fingerprint(one.id) not in answered]
    lost = [request.id for request in missed if request.method != LISTEN]
    again = [request.id for request in missed if request.method == LISTEN]
    decision = decide(AfterExit(lost, again), "stdio.restart.in-flight-lost")
    return decision.also("stdio.restart.resubscribe") if again else decision


def _is_response(message: Json) -> bool:
    return kind_of_message(message) in _RESPONSES


class ShutdownStep(enum.Enum):
    """What a client does next to shut a server down: close its input, wait, terminate it in a way that it can handle
    (`SIGTERM`), kill it, or nothing since it has exited."""

    CLOSE_INPUT = "close-input"
    KILL = "kill"
    WAIT = "wait"
    DONE = "done"
    TERMINATE = "terminate"


@function("stdio.shutdown")
def shutdown(
    platform: Literal["posix", "windows"],
    taken: list[Literal["close-input", "terminate"]],
    waited_ms: int,
    reasonable_ms: int,
    profile: Profile,
    exited: bool = False,
) -> Decision[ShutdownStep]:
    """The next step of a client that shuts a server down, having `taken` steps and waited `waited_ms` since the last.

    `reasonable_ms` is how long the client is ready to wait for an exit after it closed the input. How long it waits for
    one after termination is its own matter; then the question is asked when it waits no longer.

    Source: basic/transports/stdio#shutdown.
    """
    if exited:
        return decide(ShutdownStep.DONE, "stdio.shutdown.wait")
    if "close-input" not in taken:
        return decide(ShutdownStep.CLOSE_INPUT, "stdio.shutdown.close-stdin")
    if "terminate" in taken:
        return decide(ShutdownStep.KILL, "stdio.shutdown.force", "stdio.shutdown.posix-escalation")
    if waited_ms < reasonable_ms:
        return decide(ShutdownStep.WAIT, "stdio.shutdown.wait")
    if platform == "windows":
        return decide(ShutdownStep.KILL, "stdio.shutdown.force", "stdio.shutdown.windows-means")
    match profile[ShutdownEscalation]:
        case ShutdownEscalation.TERMINATE_THEN_KILL:
            return decide(ShutdownStep.TERMINATE, "stdio.shutdown.force", "stdio.shutdown.posix-escalation")
        case ShutdownEscalation.KILL_AT_ONCE:
            return decide(ShutdownStep.KILL, "stdio.shutdown.force")
