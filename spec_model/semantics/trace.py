"""The formats of the trace context keys in `_meta`: `traceparent`, `tracestate` and `baggage`.

Source: basic/index#meta, with W3C Trace Context and W3C Baggage. Where the levels of Trace Context differ in what a key
of `tracestate` may be, the widest grammar counts. Limits on what a platform has to pass on are no part of the format;
the most members that the two lists may have are: 32 in a `tracestate`, 180 in a `baggage`. The keys of a `tracestate`
are distinct; those of a `baggage` need not be.
"""

from __future__ import annotations

import re
from typing import Final

from spec_model.semantics.decision import Conformance, Decision, Findings
from spec_model.semantics.functions import function
from spec_model.wire.values import Json, JsonObject, is_string

_HEX: Final = "[0-9a-f]"
_TRACEPARENT: Final = re.compile(
    rf"(?!ff)(?P<version>{_HEX}{{2}})-(?!0{{32}}){_HEX}{{32}}-(?!0{{16}}){_HEX}{{16}}-{_HEX}{{2}}(?P<rest>-.*)?",
    re.DOTALL,
)

_STATE_KEY: Final = r"[a-z0-9][a-z0-9_\-*/@]{0,255}"
_STATE_VALUE: Final = r"[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]"
_STATE_MEMBER: Final = re.compile(rf"({_STATE_KEY}={_STATE_VALUE})?")
_STATE_LIMIT: Final = 32

_TOKEN: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_BAGGAGE_VALUE: Final = r"(?:[\x21\x23\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]|%[0-9A-Fa-f]{2})*"
_OWS: Final = r"[ \t]*+"
_PAIR: Final = rf"{_TOKEN}{_OWS}={_OWS}{_BAGGAGE_VALUE}"
_PROPERTY: Final = rf"{_OWS};{_OWS}{_TOKEN}{_OWS}(?:={_OWS}{_BAGGAGE_VALUE})?"
_BAGGAGE_MEMBER: Final = re.compile(rf"{_PAIR}(?:{_PROPERTY})*")
_BAGGAGE_LIMIT: Final = 180


@function("trace.traceparent")
def traceparent(value: Json) -> Decision[Conformance]:
    """Whether a `traceparent` is in the format of W3C Trace Context: version 00 exactly, or a later version as far as a
    reader of today can tell.

    Source: basic/index#meta.
    """
    found = Findings()
    judge_trace(found, {"traceparent": value})
    return found.decision()


@function("trace.tracestate")
def tracestate(value: Json) -> Decision[Conformance]:
    """Whether a `tracestate` is in the format of W3C Trace Context.

    Source: basic/index#meta.
    """
    found = Findings()
    judge_trace(found, {"tracestate": value})
    return found.decision()


@function("trace.baggage")
def baggage(value: Json) -> Decision[Conformance]:
    """Whether a `baggage` is in the format of W3C Baggage.

    Source: basic/index#meta.
    """
    found = Findings()
    judge_trace(found, {"baggage": value})
    return found.decision()


def judge_trace(found: Findings, meta: JsonObject, at: str = "") -> None:
    """The values of the trace context keys that `meta` has."""
    if "traceparent" in meta:
        right = is_traceparent(meta["traceparent"])
        found.check(right, "trace.traceparent.format", f"{at}/traceparent", "not the format of a traceparent")
    if "tracestate" in meta:
        right = is_tracestate(meta["tracestate"])
        found.check(right, "trace.tracestate.format", f"{at}/tracestate", "not the format of a tracestate")
    if "baggage" in meta:
        right = is_baggage(meta["baggage"])
        found.check(right, "trace.baggage.format", f"{at}/baggage", "not the format of a baggage")


def is_traceparent(value: Json) -> bool:
    """Whether `value` is a `traceparent`. Only version 00 has a fixed end."""
    parts = _TRACEPARENT.fullmatch(value) if is_string(value) else None
    if parts is None:
        return False
    return parts["rest"] is None or parts["version"] != "00"


def is_tracestate(value: Json) -> bool:
    """Whether `value` is a `tracestate`: at most 32 members, empty ones included, and no key twice."""
    if not is_string(value):
        return False
    members = _members(value)
    keys = [one.partition("=")[0] for one in members if one]
    distinct = len(set(keys)) == len(keys)
    return distinct and len(members) <= _STATE_LIMIT and all(map(_STATE_MEMBER.fullmatch, members))


def is_baggage(value: Json) -> bool:
    """Whether `value` is a `baggage`: a list of 1 to 180 members."""
    if not is_string(value):
        return False
    members = _members(value)
    return len(members) <= _BAGGAGE_LIMIT and all(map(_BAGGAGE_MEMBER.fullmatch, members))


def _members(value: str) -> list[str]:
    return [one.strip(" \t") for one in value.split(",")]
