"""What revision 2026-07-28 did with the methods of earlier revisions, and what a client does when a stream breaks.

Source: changelog.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import BrokenStream
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.semantics.lifecycle import Revision
from spec_model.wire.messages import MessageKind, kind_of_message
from spec_model.wire.values import ABSENT, Json, equal, member

# --- methods ----------------------------------------------------------------------------------------------------------


class Method(enum.Enum):
    """Methods that revision 2026-07-28 dropped, moved or brought in, and those of its deprecated features."""

    INITIALIZE = "initialize"
    INITIALIZED = "notifications/initialized"
    PING = "ping"
    SET_LEVEL = "logging/setLevel"
    LOG_MESSAGE = "notifications/message"
    SUBSCRIBE = "resources/subscribe"
    UNSUBSCRIBE = "resources/unsubscribe"
    ROOTS_CHANGED = "notifications/roots/list_changed"
    LIST_ROOTS = "roots/list"
    CREATE_MESSAGE = "sampling/createMessage"
    ELICIT = "elicitation/create"
    ELICITATION_COMPLETE = "notifications/elicitation/complete"
    GET_TASK = "tasks/get"
    CANCEL_TASK = "tasks/cancel"
    UPDATE_TASK = "tasks/update"
    TASK_RESULT = "tasks/result"
    LIST_TASKS = "tasks/list"
    DISCOVER = "server/discover"
    LISTEN = "subscriptions/listen"


class OnItsOwn(msgspec.Struct, frozen=True, tag_field="stands", tag="on-its-own"):
    """The method is that of a JSON-RPC message of the core protocol."""


class AsInputRequest(msgspec.Struct, frozen=True, tag_field="stands", tag="as-input-request"):
    """The method is that of a request for input inside an `InputRequiredResult`, and of no JSON-RPC message."""


class InExtension(msgspec.Struct, frozen=True, tag_field="stands", tag="in-extension"):
    """The method exists for peers that both support an extension, and not in the core protocol."""

    extension: str


class Dropped(msgspec.Struct, frozen=True, tag_field="stands", tag="dropped"):
    """The method is unknown."""


class NotYet(msgspec.Struct, frozen=True, tag_field="stands", tag="not-yet"):
    """The method is unknown, for a later revision brought it."""


Standing = OnItsOwn | AsInputRequest | InExtension | Dropped | NotYet


class _Row(NamedTuple):
    """`since`: the first revision of whose core protocol it is part; `now`: how it stands in 2026-07-28."""

    since: Revision
    now: Standing
    because: tuple[str, ...]


_TASKS: Final = InExtension("io.modelcontextprotocol/tasks")

METHODS: Final[Mapping[Method, _Row]] = {
    Method.INITIALIZE: _Row(
        "2024-11-05",
        Dropped(),
        ("removed.method.initialize",),
    ),
    Method.INITIALIZED: _Row("2024-11-05", Dropped(), ("removed.notification.initialized",)),
    Method.PING: _Row("2024-11-05", Dropped(), ("removed.method.ping",)),
    Method.SET_LEVEL: _Row("2024-11-05", Dropped(), ("removed.method.logging-set-level",)),
    Method.LOG_MESSAGE: _Row("2024-11-05", OnItsOwn(), ("lifecycle.deprecated.fully-functional",)),
    Method.SUBSCRIBE: _Row("2024-11-05", Dropped(), ("removed.method.resources-subscribe",)),
    Method.UNSUBSCRIBE: _Row("2024-11-05", Dropped(), ("removed.method.resources-unsubscribe",)),
    Method.ROOTS_CHANGED: _Row("2024-11-05", Dropped(), ("removed.notification.roots-list-changed",)),
    Method.LIST_ROOTS: _Row(
        "2024-11-05",
        AsInputRequest(),
        ("removed.request.server-initiated", "lifecycle.deprecated.fully-functional"),
    ),
    Method.CREATE_MESSAGE: _Row(
        "2024-11-05",
        AsInputRequest(),
        ("removed.request.server-initiated", "lifecycle.deprecated.fully-functional"),
    ),
    Method.ELICIT: _Row("2025-06-18", AsInputRequest(), ("removed.request.server-initiated",)),
    Method.ELICITATION_COMPLETE: _Row("2025-11-25", Dropped(), ("removed.notification.elicitation-complete",)),
    Method.GET_TASK: _Row("2025-11-25", _TASKS, ("removed.tasks.from-core",)),
    Method.CANCEL_TASK: _Row("2025-11-25", _TASKS, ("removed.tasks.from-core",)),
    Method.UPDATE_TASK: _Row("2026-07-28", _TASKS, ("removed.tasks.from-core", "extensions.tasks.update-for-input")),
    Method.TASK_RESULT: _Row("2025-11-25", Dropped(), ("removed.method.tasks-result",)),
    Method.LIST_TASKS: _Row("2025-11-25", Dropped(), ("removed.method.tasks-list",)),
    Method.DISCOVER: _Row("2026-07-28", OnItsOwn(), ("discovery.method.implemented",)),
    Method.LISTEN: _Row(
        "2026-07-28", OnItsOwn(), ("removed.method.resources-subscribe", "removed.method.resources-unsubscribe")
    ),
}
"""How methods stand over the revisions. A method is part of every core protocol from `since` until 2025-11-25."""


@function("removed.method")
def method(method: Method, revision: Revision) -> Decision[Standing]:
    """How a method stands in a revision: on its own, as a request for input only, in an extension only, or not at all.

    A receiver treats a message whose method is dropped, not yet there or of an extension that it lacks like one of any
    unknown method.

    Source: changelog#major-changes, #minor-changes and #deprecated.
    """
    row = METHODS[method]
    if revision < row.since:
        return decide(NotYet(), *row.because)
    if revision < "2026-07-28":
        return decide(OnItsOwn(), *row.because)
    return decide(row.now, *row.because)


# --- broken streams ---------------------------------------------------------------------------------------------------


class StreamEnd(enum.Enum):
    """What a client makes of a response stream that is over.

    `answered`: the request has its response. `report-loss`: the request is lost, and its caller learns so.
    `send-anew`: the request is lost and sent again, as a new one with a new id.
    """

    REPORT_LOSS = "report-loss"
    SEND_ANEW = "send-anew"
    ANSWERED = "answered"


@function("removed.broken-stream")
def broken_stream(request_id: Json, received: list[Json], profile: Profile) -> Decision[StreamEnd]:
    """What a client makes of the response stream of `request_id` that broke off after the messages `received`.

    Source: changelog#major-changes.
    """
    if any(_answers(message, request_id) for message in received):
        return decide(StreamEnd.ANSWERED, "removed.resumability.request-lost")
    match profile[BrokenStream]:
        case BrokenStream.RESEND_AUTOMATICALLY:
            return decide(
                StreamEnd.SEND_ANEW, "removed.resumability.reissue-new-id", "removed.resumability.request-lost"
            )
        case BrokenStream.CALLER_DECIDES:
            return decide(StreamEnd.REPORT_LOSS, "removed.resumability.request-lost")


def _answers(message: Json, request_id: Json) -> bool:
    answer = kind_of_message(message) in (MessageKind.RESULT, MessageKind.ERROR)
    return answer and equal(member(message, "id"), request_id)


@function("removed.reissue")
def reissue(lost: Json, sent: Json, headers: dict[str, str]) -> Decision[Conformance]:
    """Whether a client may send the request `sent`, with the HTTP headers `headers`, in place of the request `lost`.

    `lost` is the request whose response stream broke off.

    Source: changelog#major-changes.
    """
    found = Findings()
    new_id = member(sent, "id")
    is_new = new_id is not ABSENT and not equal(new_id, member(lost, "id"))
    found.check(is_new, "removed.resumability.reissue-new-id", "/sent/id", "a lost request is sent again under its id")
    resumes = any(name.lower() == "last-event-id" for name in headers)
    found.check(not resumes, "removed.resumability.last-event-id", "/headers", "no stream is resumed by Last-Event-ID")
    return found.decision()
