"""Whether a server's caching hints, and a client's fetches, are as the specification asks.

Source: server/utilities/caching.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from spec_model.semantics.caching import HINTED, CacheableMethod, Scope, is_complete
from spec_model.semantics.decision import Conformance, Decision, Findings
from spec_model.semantics.functions import function
from spec_model.semantics.pagination import PaginatedMethod
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_integer, is_number, is_object, kind_of, member

WHOLE: Final = ""
"""The JSON pointer of a whole value."""


@function("caching.judge-hints")
def judge_hints(method: CacheableMethod, result: JsonObject) -> Decision[Conformance]:
    """Whether the result of a cacheable operation carries the caching hints that it has to, and none that it must not.

    A result without `resultType` counts as complete.

    Source: server/utilities/caching#cacheable-results, server/utilities/caching#cacheable-model.
    """
    found = Findings()
    judge_cache_hints(found, result, WHOLE, method)
    return found.decision()


def judge_cache_hints(found: Findings, result: Json, at: str, method: str) -> None:
    """Fills `found` with what is wrong with the caching hints of the result at the pointer `at`, of any method."""
    ttl, scope = member(result, "ttlMs"), member(result, "cacheScope")
    kind = member(result, "resultType")
    if kind == "input_required":
        found.check(ttl is ABSENT, "caching.interim.no-hints", f"{at}/ttlMs", "an interim result has a ttlMs")
        found.check(
            scope is ABSENT, "caching.interim.no-hints", f"{at}/cacheScope", "an interim result has a cacheScope"
        )
    elif method in HINTED:
        complete = kind in (ABSENT, "complete")
        found.check(ttl is not ABSENT or not complete, HINTED[method], at, "ttlMs is missing")
        found.check(scope is not ABSENT or not complete, HINTED[method], at, "cacheScope is missing")
        if complete:
            _judge_ttl(found, ttl, f"{at}/ttlMs")
            _judge_scope(found, scope, f"{at}/cacheScope")


def _judge_ttl(found: Findings, ttl: Json | Absent, at: str) -> None:
    if ttl is ABSENT:
        return
    found.check(is_integer(ttl), "caching.model.ttl-integer", at, f"ttlMs is {kind_of(ttl)} and no integer")
    if is_number(ttl):
        found.check(ttl >= 0, "caching.ttl.server-non-negative", at, "ttlMs is negative")


def _judge_scope(found: Findings, scope: Json | Absent, at: str) -> None:
    if scope is not ABSENT:
        known = scope in ("public", "private")
        found.check(known, "caching.model.scope-values", at, "cacheScope is neither public nor private")


@function("caching.judge-pages")
def judge_pages(
    method: PaginatedMethod, pages: Annotated[list[JsonObject], msgspec.Meta(min_length=1)]
) -> Decision[Conformance]:
    """Whether the pages that answer one list request carry hints of their own and one and the same scope.

    Results of another type than complete are no pages.

    Source: server/utilities/caching#interaction-with-pagination.
    """
    found = Findings()
    judge_cache_pages(found, pages, WHOLE, method)
    return found.decision()


def judge_cache_pages(found: Findings, pages: Sequence[Json], at: str, method: str) -> None:
    """Fills `found` with what is wrong with the hints of the results at `at`, an array of the pages of one list."""
    scopes: list[Json] = []
    for number, page in enumerate(pages):
        here = f"{at}/{number}"
        judge_cache_hints(found, page, here, method)
        if not is_object(page) or not is_complete(page):
            continue
        found.check(
            member(page, "ttlMs") is not ABSENT, "caching.page.own-ttl", here, "the page has no ttlMs of its own"
        )
        scope = member(page, "cacheScope")
        if scope is not ABSENT:
            scopes.append(scope)
            same = scope == scopes[0]
            found.check(same, "caching.page.same-scope", f"{here}/cacheScope", "another page has another cacheScope")


Holds = Literal["common", "varying", "user-data"]
"""What a result holds: the same for all users, something that differs between them (such as what their permissions let
them see), or data about one user."""

IDENTICAL_MAY_BE_PUBLIC: Final = frozenset({"tools/list", "prompts/list", "resources/templates/list"})
"""The lists for which the page calls public appropriate where they are the same for all users."""

VARYING_IS_PRIVATE: Final[Mapping[str, str]] = {
    "tools/list": "caching.choose.private-filtered-lists",
    "prompts/list": "caching.choose.private-filtered-lists",
    "resources/list": "caching.choose.private-filtered-lists",
    "resources/templates/list": "caching.choose.private-filtered-lists",
    "resources/read": "caching.choose.private-reads",
}
"""The results that the page wants private where they differ between users, each with the requirement that says so."""


@function("caching.judge-scope")
def judge_scope(method: CacheableMethod, holds: Holds, scope: Scope) -> Decision[Conformance]:
    """Whether a server chose the scope of a result well.

    `holds` says what the result holds: `common`, the same for all users; `varying`, what differs between users without
    being about one of them, such as a list filtered by their permissions; `user-data`, data specific to a user.

    Source: server/utilities/caching#choosing-a-cache-scope, server/utilities/caching#cache-scope-field.
    """
    found = Findings()
    found.check(
        scope == "private" or holds != "user-data",
        "caching.scope.public-no-user-data",
        "/scope",
        "a result with data of a user is public",
    )
    if holds != "common" and method in VARYING_IS_PRIVATE:
        found.check(scope == "private", VARYING_IS_PRIVATE[method], "/scope", "a result that varies per user is public")
    if holds == "common" and scope == "public" and method in IDENTICAL_MAY_BE_PUBLIC:
        found.held.append("caching.choose.public-lists")
    return found.decision()


class Fetch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fetch of a result: when it went out, whether a caller or a timer of the client wanted it, and what it brought
    at once: a failure, or a result with this `ttl_ms`, which is left out where it is not known."""

    at: int
    cause: Literal["access", "timer"]
    failed: bool = False
    ttl_ms: int | None = None


class Wait(NamedTuple):
    """How long after the fetch before it a timer caused the next one, and whether that fetch before failed or else what
    lifetime it brought."""

    ms: int
    after_failure: bool
    ttl_ms: int | None


@function("caching.judge-polling")
def judge_polling(fetches: list[Fetch]) -> Decision[Conformance]:
    """Whether a client polls by the lifetime of a result, and where it polls, whether it applies jitter and backoff.

    `fetches` are those of one result, in order of time. Only what is certain is told: a poll by the lifetime, where two
    or more waits of a timer that follow a known lifetime are all exactly as long as that lifetime; no jitter, where
    three or more waits all have one ratio to the wait before, to the millisecond; no backoff, where five or more waits
    that follow failures in a row are all no longer than the first of them.

    Source: server/utilities/caching#freshness-calculation.
    """
    found = Findings()
    waits = [
        Wait(after.at - before.at, before.failed, before.ttl_ms)
        for before, after in pairwise(fetches)
        if after.cause == "timer"
    ]
    found.check(not _by_lifetime(waits), "caching.poll.not-interval", "/fetches", "the timer runs for each lifetime")
    if len(waits) >= 3:
        found.check(not _in_one_ratio(waits), "caching.poll.jitter", "/fetches", "the waits keep one ratio")
    for run in _runs_of_failures(waits):
        if len(run) >= 5:
            found.check(max(run) > run[0], "caching.poll.backoff", "/fetches", "no wait after failures is longer")
    return found.decision()


def _by_lifetime(waits: Sequence[Wait]) -> bool:
    """Whether each wait after a known lifetime is as long as that lifetime, and there are enough to tell."""
    told = [wait for wait in waits if wait.ttl_ms is not None]
    return len(told) >= 2 and all(wait.ms == wait.ttl_ms for wait in told)


def _in_one_ratio(waits: Sequence[Wait]) -> bool:
    """Whether each wait is the same multiple of the one before, once where they are all equal."""
    return all(after.ms * waits[0].ms == before.ms * waits[1].ms for before, after in pairwise(waits))


def _runs_of_failures(waits: Sequence[Wait]) -> list[list[int]]:
    """The waits that follow failures, one list for each run of failures without a success between them."""
    return [[wait.ms for wait in run] for failed, run in groupby(waits, lambda wait: wait.after_failure) if failed]
