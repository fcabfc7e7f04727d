"""Log messages: the levels, which message a server may send for a request and where, and the shape of a message.

Source: server/utilities/logging.
"""

from __future__ import annotations

from typing import Final, Literal

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import StdioCorrelation
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.errors import INTERNAL_ERROR, INVALID_PARAMS
from spec_model.semantics.functions import function
from spec_model.semantics.messages import judge_notification
from spec_model.wire.messages import shown
from spec_model.wire.values import ABSENT, Absent, Json, is_object, is_string, kind_of, member

LEVELS: Final = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""The log levels of RFC 5424, the least severe first."""

Stream = Literal["own-response", "other-response", "listen"]


def is_level(value: Json | Absent) -> bool:
    """Whether `value` is a log level."""
    return is_string(value) and value in LEVELS


@function("logging.reaches")
def reaches(level: str, requested: str) -> Decision[bool]:
    """Whether a message of `level` is at or above the level that a request asked for; both are log levels.

    Source: server/utilities/logging#log-levels, server/utilities/logging#per-request-log-level.
    """
    if level not in LEVELS or requested not in LEVELS:
        return decide(False, "logging.levels.set")
    if LEVELS.index(level) < LEVELS.index(requested):
        return decide(False, "logging.server.threshold", "logging.levels.order")
    return decide(True, "logging.levels.order", "logging.server.threshold")


@function("logging.may-emit")
def may_emit(
    level: str,
    requested: Json | Absent = ABSENT,
    declared: bool = True,
    stream: Stream = "own-response",
    answered: bool = False,
) -> Decision[bool]:
    """Whether a server may send a log message of `level` for a request.

    `requested` is the `io.modelcontextprotocol/logLevel` of that request, `declared` whether the server declares the
    `logging` capability, `stream` where the message would go (the response stream of the request, that of another, or a
    listen stream), `answered` whether the final response is out.

    Source: server/utilities/logging#per-request-log-level, server/utilities/logging#capabilities.
    """
    if requested is ABSENT:
        return decide(False, "logging.server.silent-without-level", "logging.request.opt-in")
    if not is_string(requested) or requested not in LEVELS:
        return decide(False, "logging.error.invalid-level", "logging.server.silent-without-level")
    if not declared:
        return decide(False, "logging.capability.declared")
    if stream == "listen":
        return decide(False, "logging.server.not-on-listen")
    if stream == "other-response":
        return decide(False, "logging.server.not-on-other-stream", "logging.server.on-response-stream")
    if answered:
        return decide(False, "logging.server.before-final")
    reached = reaches(level, requested)
    return reached.also("logging.server.may-emit") if reached.outcome else reached


@function("logging.may-emit-on-stdio")
def may_emit_on_stdio(level: str, request: int, in_flight: list[str | None], profile: Profile) -> Decision[bool]:
    """Whether a stdio server may send a log message of `level` for one of the requests in flight.

    `in_flight` holds what each request in flight has as `io.modelcontextprotocol/logLevel` (null where it has none),
    `request` the position of the one that the message belongs to; a position beyond the list is a request that was
    answered. All messages of a process go over one channel, and a log message names no request.

    Source: server/utilities/logging#per-request-log-level, basic/transports/stdio#receiving-messages.
    """
    if not 0 <= request < len(in_flight):
        return decide(False, "logging.server.before-final")
    own = in_flight[request]
    decision = may_emit(level, ABSENT if own is None else own)
    if profile[StdioCorrelation] is StdioCorrelation.SEND_UNCORRELATED or not decision.outcome:
        return decision
    asking = [one for one in in_flight if one is not None]
    return decide(len(asking) == 1, "logging.server.on-response-stream")


@function("logging.refusal-code")
def refusal_code(level: Json | Absent = ABSENT, handling_fails: bool = False) -> Decision[int | None]:
    """The error code with which a server refuses a request because of its `io.modelcontextprotocol/logLevel`; null
    where that gives no reason. `handling_fails`: setting the level up fails inside the server.

    Source: server/utilities/logging#error-handling.
    """
    if level is ABSENT:
        return decide(None, "logging.error.invalid-level", "meta.request.log-level-optional")
    if not is_level(level):
        return decide(INVALID_PARAMS, "logging.error.invalid-level")
    if handling_fails:
        return decide(INTERNAL_ERROR, "logging.error.internal")
    return decide(None, "logging.error.invalid-level")


@function("logging.message")
def log_message(message: Json) -> Decision[Conformance]:
    """Whether a JSON value is a well-formed notification with a log message.

    Source: server/utilities/logging#log-message-notifications, basic/index#notifications.
    """
    found = Findings()
    judge_log_message(found, message)
    judge_notification(found, message)
    return found.decision()


def judge_log_message(found: Findings, message: Json, at: str = "") -> None:
    """The method and the params of a log message; its JSON-RPC envelope is judged elsewhere."""
    method = member(message, "method")
    found.check(method == "notifications/message", "logging.message.method", f"{at}/method", f"not {shown(method)}")
    judge_log_params(found, member(message, "params"), f"{at}/params")


def judge_log_params(found: Findings, params: Json | Absent, at: str = "") -> None:
    """The params of a log message."""
    level = member(params, "level")
    if found.check(is_string(level), "logging.message.level-required", f"{at}/level", f"level is {kind_of(level)}"):
        found.check(is_level(level), "logging.levels.set", f"{at}/level", f"{shown(level)} is no log level")
    present = is_object(params) and "data" in params
    found.check(present, "logging.message.data-required", f"{at}/data", "data is missing; null would do")
    logger = member(params, "logger")
    if logger is not ABSENT:
        found.check(is_string(logger), "base.schema.conforms", f"{at}/logger", f"logger is {kind_of(logger)}")
        found.check(is_string(logger), "logging.message.logger-optional", f"{at}/logger", "a logger's name is text")
