"""What a client does with the cached pages of a list: which it fetches again, and what they make together.

Source: server/utilities/caching#interaction-with-pagination. All times are milliseconds on the client's own clock.
"""

from __future__ import annotations

import enum
from typing import Annotated

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import PageAggregate, RefusedCursorErrors, StaleOnError
from spec_model.semantics.caching import Scope, is_fresh
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.functions import function
from spec_model.wire.values import ABSENT, Absent, JsonObject

INVALID_PARAMS = -32602


class Page(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cached page: the cursor that it was fetched with (none for the first), when it came in, and its lifetime."""

    cursor: str | Absent = ABSENT
    received_at: int
    lifetime_ms: int


class ScopedPage(Page, frozen=True, kw_only=True):
    """A cached page and its scope."""

    scope: Scope


Pages = Annotated[list[Page], msgspec.Meta(min_length=1)]
ScopedPages = Annotated[list[ScopedPage], msgspec.Meta(min_length=1)]


@function("caching.refresh-pages")
def refresh_pages(pages: Pages, now: int, snapshot: bool = False) -> Decision[list[JsonObject]]:
    """Which requests bring the cached pages of a list up to date: the params of each, in order.

    `snapshot` says that the caller needs the whole list as it is at one time. Then only the first request is told, for
    the others follow from its answer.

    Source: server/utilities/caching#interaction-with-pagination.
    """
    if snapshot:
        return decide([{}], "caching.page.snapshot-refetch")
    expired = [page for page in pages if not is_fresh(page.received_at, page.lifetime_ms, now).outcome]
    if not expired:
        return decide([], "caching.ttl.positive-fresh", "caching.page.own-clock", "caching.page.independent")
    requests = [page_request(page.cursor) for page in expired]
    return decide(requests, "caching.page.refetch-by-cursor", "caching.page.own-clock", "caching.page.independent")


def page_request(cursor: str | Absent) -> JsonObject:
    """The params of the request for a page, without `_meta`."""
    return {} if cursor is ABSENT else {"cursor": cursor}


class Whole(msgspec.Struct, frozen=True, tag_field="hints", tag="whole"):
    """The whole list has one scope and is fresh while the clock is before `fresh_until`."""

    fresh_until: int
    scope: Scope


class PerPage(msgspec.Struct, frozen=True, tag_field="hints", tag="per-page"):
    """The whole list has no hints; each page keeps its own."""


@function("caching.aggregate-pages")
def aggregate_pages(profile: Profile, pages: ScopedPages) -> Decision[Whole | PerPage]:
    """Which hints the list has that a client library puts together from these pages.

    Source: server/utilities/caching#interaction-with-pagination.
    """
    match profile[PageAggregate]:
        case PageAggregate.STRICTEST_OF_PAGES:
            until = min(page.received_at + page.lifetime_ms for page in pages)
            private = any(page.scope == "private" for page in pages)
            whole = Whole(until, "private" if private else "public")
            return decide(whole, "caching.page.own-clock", "caching.page.own-ttl", "caching.scope.private-isolation")
        case PageAggregate.PER_PAGE_ONLY:
            return decide(PerPage(), "caching.page.own-clock", "caching.page.own-ttl")


class Recovery(enum.Enum):
    """What a client does when fetching a page again failed: it discards all pages of the list and starts at its
    beginning, or keeps them and gives its caller the error or the stale page."""

    RESTART = "discard-and-restart"
    RAISE_ERROR = "raise-error"
    SERVE_STALE = "serve-stale"


@function("caching.page-failed")
def page_failed(
    profile: Profile, cursor: str | Absent = ABSENT, was_valid: bool = True, code: int | None = None
) -> Decision[Recovery]:
    """What follows when the fetch of a page failed that is held and stale.

    Leave `cursor` out for the first page. `was_valid` says whether the server gave out that cursor; `code` is that of
    the JSON-RPC error, or null where no response came.

    Source: server/utilities/caching#interaction-with-pagination.
    """
    if cursor is ABSENT or code is None or not was_valid:
        return _keep_pages(profile)
    if code != INVALID_PARAMS and profile[RefusedCursorErrors] is RefusedCursorErrors.INVALID_PARAMS_ONLY:
        return _keep_pages(profile)
    return decide(Recovery.RESTART, "caching.page.invalid-cursor-discard", "caching.page.invalid-cursor-restart")


def _keep_pages(profile: Profile) -> Decision[Recovery]:
    """No cursor became invalid: the held pages stay, each to be fetched again by its own."""
    because = ("caching.page.refetch-by-cursor", "caching.freshness.stale-on-error")
    match profile[StaleOnError]:
        case StaleOnError.RAISE_ERROR:
            return decide(Recovery.RAISE_ERROR, *because)
        case StaleOnError.SERVE_STALE:
            return decide(Recovery.SERVE_STALE, *because)
