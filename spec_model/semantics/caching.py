"""What a client or a shared cache may keep of a result, for how long, and for whom.

Source: server/utilities/caching. All times are milliseconds on the client's own clock.
"""

from __future__ import annotations

import math

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import AbsentTtl, NonIntegerTtl
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.functions import function
from spec_model.wire.values import ABSENT, Absent, Json, is_integer, is_number


class For(msgspec.Struct, frozen=True, tag_field="lifetime", tag="ms"):
    """The result may be called fresh for `ms` milliseconds from its receipt."""

    ms: int


class Own(msgspec.Struct, frozen=True, tag_field="lifetime", tag="own"):
    """The client sets a lifetime of its own."""


class Refused(msgspec.Struct, frozen=True, tag_field="lifetime", tag="refused"):
    """The client takes no such result."""


Lifetime = For | Own | Refused


@function("caching.lifetime")
def lifetime(profile: Profile, ttl: Json | Absent = ABSENT) -> Decision[Lifetime]:
    """The lifetime of a cacheable result whose `ttlMs` member is `ttl`; leave `ttl` out where the result has none.

    Source: server/utilities/caching#time-to-live-ttl-field.
    """
    if ttl is ABSENT:
        return _absent_lifetime(profile)
    if not is_integer(ttl):
        return _non_integer_lifetime(ttl, profile)
    if ttl < 0:
        return decide(For(0), "caching.ttl.negative-as-zero")
    if ttl == 0:
        return decide(For(0), "caching.ttl.zero-stale")
    return decide(For(int(ttl)), "caching.ttl.positive-fresh", "caching.model.fresh-permitted")


def _absent_lifetime(profile: Profile) -> Decision[Lifetime]:
    match profile[AbsentTtl]:
        case AbsentTtl.ZERO:
            return decide(For(0), "caching.ttl.absent-as-zero")
        case AbsentTtl.OWN_HEURISTIC:
            return decide(Own(), "caching.ttl.absent-own-means")
        case AbsentTtl.INVALID_RESULT:
            return decide(Refused(), "caching.hints.tools-list")


def _non_integer_lifetime(ttl: Json, profile: Profile) -> Decision[Lifetime]:
    match profile[NonIntegerTtl]:
        case NonIntegerTtl.TREAT_AS_ZERO:
            return decide(For(0), "caching.model.ttl-integer")
        case NonIntegerTtl.ROUND_DOWN_NUMBERS:
            return decide(For(_rounded_down(ttl)), "caching.model.ttl-integer")
        case NonIntegerTtl.INVALID_RESULT:
            return decide(Refused(), "caching.model.ttl-integer")


def _rounded_down(ttl: Json) -> int:
    if not is_number(ttl) or not math.isfinite(ttl):
        return 0
    return max(0, math.floor(ttl))


@function("caching.is-fresh")
def is_fresh(received_at: int, lifetime_ms: int, now: int) -> Decision[bool]:
    """Whether a response received at `received_at` with a lifetime of `lifetime_ms` is fresh at `now`.

    Source: server/utilities/caching#freshness-calculation.
    """
    fresh = now < received_at + lifetime_ms
    return decide(fresh, "caching.freshness.strict-less-than", "caching.freshness.received-at")
