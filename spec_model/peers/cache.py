"""The cache of a client, or of a gateway that many callers share: a state machine without I/O, built from the rules.

Time is an argument, in milliseconds on the holder's own clock. How to drive it:

    cache = ClientCache(capabilities=discovered["capabilities"])

    match cache.request("tools/list", params, caller, now):
        case Hit(result):           # give the result to the caller and send nothing
        case Fetch() as fetch:      # send fetch.method with fetch.params

    cache.response(fetch, result, now)     # its result came: Delivered, or Refused where it is invalid
    cache.failure(fetch, code, now)        # an error came, or no response (code None): Hit, Failed or Restart
    cache.notified(notification)           # a notification came
    cache.tool_failed(code)                # a tool call ended with an error that nobody expected

Ask for cacheable methods only, with the params as they go out, `_meta` included. Every answer holds the `Decision` that
explains it. A fetch is only ever the answer to a request of a caller; `Restart` is one too, for it answers a request
whose cursor the server refused. Nothing is fetched in the background.

The state is bounded. The entry received first goes first; the response to a fetch that was forgotten is delivered and
not stored, for a notification that concerns it may have been missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Final

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.semantics.cached_pages import Recovery, page_failed
from spec_model.semantics.caching import (
    LIST_CHANGED,
    Announced,
    Answer,
    Asked,
    CacheableMethod,
    Caller,
    Fetched,
    For,
    Gives,
    Holder,
    Keep,
    Refuse,
    Request,
    Store,
    Stored,
    UseOnce,
    answer,
    in_cache,
    invalidated,
    is_complete,
    is_public,
    lifetime,
    may_be_served,
    same_request,
)
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.pagination import PAGINATED
from spec_model.wire.values import Json, JsonObject, is_string, member

MAX_ENTRIES: Final = 1024
MAX_IN_FLIGHT: Final = 1024


@dataclass(frozen=True, slots=True)
class Hit:
    """The caller gets this stored result, and nothing is sent."""

    result: JsonObject
    decision: Decision[Answer]


@dataclass(frozen=True, slots=True)
class Fetch:
    """A request goes to the server; `number` is the cache's own, the JSON-RPC id is the driver's business."""

    number: int
    asked: Asked
    decision: Decision[Answer]

    @property
    def method(self) -> CacheableMethod:
        """The method of the request."""
        return self.asked.method

    @property
    def params(self) -> JsonObject:
        """The params of the request, as the caller gave them."""
        return self.asked.params


@dataclass(frozen=True, slots=True)
class Delivered:
    """The caller gets the fetched result; the decision says what its hints make of it besides.

    Where the response to a later fetch of the same has come already, that one stays and this one is not stored.
    """

    result: JsonObject
    decision: Decision[Keep]


@dataclass(frozen=True, slots=True)
class Refused:
    """The fetched result is invalid: the caller gets an error."""

    decision: Decision[Keep]


@dataclass(frozen=True, slots=True)
class Failed:
    """The caller gets the failure of the fetch: a JSON-RPC error with this code, or none where no response came."""

    code: int | None
    decision: Decision[Answer]


@dataclass(frozen=True, slots=True)
class Restart:
    """The server refused the cursor and all held pages of the list are gone: send `fetch`, which asks for the first
    page, and tell the caller that its walk starts anew."""

    fetch: Fetch
    decision: Decision[Recovery]


@dataclass(slots=True)
class _Entry:
    """A stored result; `number` is that of the fetch which brought it."""

    stored: Stored
    result: JsonObject
    number: int
    announced: Announced
    tool_error: int | None = None


@dataclass(slots=True)
class _InFlight:
    asked: Asked
    announced: Announced = Announced.NO


_NOTHING_HELD: Final = decide(Answer(True, Gives.FETCHED), "caching.key.method-and-params")


class ClientCache:
    """The results of one server as one holder keeps them.

    `capabilities` are what the server advertises and `subscriptions` the ids of the open `subscriptions/listen`
    requests; keep both up to date. `own_lifetime_ms` is the lifetime for results without `ttlMs` where the profile
    lets the holder set one. `known_types` are the values of `resultType` that the extensions in use define. Whether an
    implementation keeps results at all is decided by whether it has such a cache.
    """

    def __init__(
        self,
        profile: Profile = DEFAULT_PROFILE,
        *,
        holder: Holder = "client",
        capabilities: JsonObject | None = None,
        subscriptions: list[Json] | None = None,
        own_lifetime_ms: int = 0,
        known_types: tuple[str, ...] = (),
        max_entries: int = MAX_ENTRIES,
        max_in_flight: int = MAX_IN_FLIGHT,
    ) -> None:
        self.profile = profile
        self.holder = holder
        self.capabilities: JsonObject = dict(capabilities or {})
        self.subscriptions: list[Json] = list(subscriptions or ())
        self._own_lifetime_ms = own_lifetime_ms
        self._known_types = known_types
        self._max_entries = max_entries
        self._max_in_flight = max_in_flight
        self._entries: list[_Entry] = []
        self._in_flight: dict[int, _InFlight] = {}
        self._numbers = count(1)

    @property
    def entries(self) -> tuple[Stored, ...]:
        """What is held, the entry received first in front."""
        return tuple(entry.stored for entry in self._entries)

    @property
    def in_flight(self) -> int:
        """How many fetches await their response."""
        return len(self._in_flight)

    def request(self, method: CacheableMethod, params: JsonObject, caller: Caller, now: int) -> Hit | Fetch:
        """A caller needs a result."""
        asked = Asked(method=method, params=params, caller=caller)
        reason = _NOTHING_HELD
        for entry in reversed(self._entries):
            if same_request(self.profile, entry.stored, asked).outcome:
                reason = self._answer(entry, asked, now, Fetched.RESULT)
                if not reason.outcome.sends:
                    return Hit(entry.result, reason)
        return self._fetch(asked, reason)

    def anew(self, method: CacheableMethod, params: JsonObject, caller: Caller, reason: Decision[Answer]) -> Fetch:
        """A caller needs a result from the server itself, for the given reason, whatever is held."""
        return self._fetch(Asked(method=method, params=params, caller=caller), reason)

    def response(self, fetch: Fetch, result: JsonObject, now: int) -> Delivered | Refused:
        """The result of a fetch came."""
        pending = self._in_flight.pop(fetch.number, None)
        kept = in_cache(self.profile, fetch.method, fetch.params, result, self._known_types)
        if isinstance(kept.outcome, Refuse):
            return Refused(kept)
        if pending is None:
            return Delivered(result, decide(UseOnce(), "caching.notify.invalidates"))
        overtaken = any(entry.number > fetch.number for entry in self._entries if self._answers(entry, fetch.asked))
        if is_complete(result) and not overtaken:
            self._entries = [entry for entry in self._entries if not self._answers(entry, fetch.asked)]
            if isinstance(kept.outcome, Store):
                self._store(fetch, result, pending.announced, now)
        return Delivered(result, kept)

    def failure(self, fetch: Fetch, code: int | None, now: int) -> Hit | Failed | Restart:
        """A fetch ended with the JSON-RPC error `code`, or without any response."""
        self._in_flight.pop(fetch.number, None)
        cursor = member(fetch.params, "cursor")
        if fetch.method in PAGINATED and is_string(cursor):
            recovery = page_failed(self.profile, cursor, was_valid=True, code=code)
            if recovery.outcome is Recovery.RESTART:
                return self._restart(fetch.asked, recovery)
        reason = decide(Answer(True, Gives.ERROR), *fetch.decision.because)
        for entry in reversed(self._entries):
            if same_request(self.profile, entry.stored, fetch.asked).outcome:
                reason = self._answer(entry, fetch.asked, now, Fetched.NOTHING if code is None else Fetched.ERROR)
                if reason.outcome.gives is Gives.CACHED:
                    return Hit(entry.result, reason)
        return Failed(code, reason)

    def notified(self, notification: JsonObject) -> Decision[list[Request]]:
        """A notification came, on whichever stream; the outcome holds the requests whose results it made stale."""
        held: list[_Entry | _InFlight] = [*self._entries, *self._in_flight.values()]
        requests: list[Request] = [one.stored if isinstance(one, _Entry) else one.asked for one in held]
        stale = invalidated(self.profile, notification, requests, self.capabilities, self.subscriptions)
        for position in stale.outcome:
            one = held[position]
            one.announced = Announced.AFTER_RECEIPT if isinstance(one, _Entry) else Announced.IN_FLIGHT
        return stale.map(lambda positions: [requests[position] for position in positions])

    def tool_failed(self, code: int) -> None:
        """A tool call ended with a JSON-RPC error that was not expected of the tool as it was listed."""
        for entry in self._entries:
            if entry.stored.method == "tools/list":
                entry.tool_error = code

    def cancelled(self, fetch: Fetch) -> None:
        """Nobody waits for a fetch any more."""
        self._in_flight.pop(fetch.number, None)

    def clear(self, caller: Caller | None = None) -> None:
        """Forgets what was obtained for `caller`, or everything; what is in flight will not be stored."""
        kept = [] if caller is None else [entry for entry in self._entries if entry.stored.caller != caller]
        waiting = {} if caller is None else {n: one for n, one in self._in_flight.items() if one.asked.caller != caller}
        self._entries, self._in_flight = kept, waiting

    def _answer(self, entry: _Entry, asked: Asked, now: int, fetched: Fetched) -> Decision[Answer]:
        return answer(
            self.profile,
            entry.stored,
            asked,
            now,
            announced=entry.announced,
            tool_error=entry.tool_error,
            list_changed=self._list_changed(asked.method),
            fetch=fetched,
            holder=self.holder,
        )

    def _list_changed(self, method: str) -> bool | None:
        for _, capability, lists in LIST_CHANGED:
            if method in lists:
                return member(self.capabilities, capability, "listChanged") is True
        return None

    def _fetch(self, asked: Asked, reason: Decision[Answer]) -> Fetch:
        fetch = Fetch(next(self._numbers), asked, reason)
        self._in_flight[fetch.number] = _InFlight(asked)
        if len(self._in_flight) > self._max_in_flight:
            del self._in_flight[next(iter(self._in_flight))]
        return fetch

    def _restart(self, asked: Asked, recovery: Decision[Recovery]) -> Restart:
        self._entries = [entry for entry in self._entries if not self._is_page_of(entry, asked)]
        first = Asked(method=asked.method, params=_without_cursor(asked.params), caller=asked.caller)
        return Restart(self._fetch(first, recovery.map(lambda _: Answer(True, Gives.FETCHED))), recovery)

    def _is_page_of(self, entry: _Entry, asked: Asked) -> bool:
        """Whether an entry is a page of the list that `asked` asks for, as its caller sees that list."""
        held = Request(method=entry.stored.method, params=_without_cursor(entry.stored.params))
        wanted = Request(method=asked.method, params=_without_cursor(asked.params))
        return same_request(self.profile, held, wanted).outcome and self._is_for(entry, asked.caller)

    def _is_for(self, entry: _Entry, caller: Caller) -> bool:
        return may_be_served(self.profile, entry.stored.scope, entry.stored.caller, caller, self.holder).outcome

    def _answers(self, entry: _Entry, asked: Asked) -> bool:
        """Whether an entry is for this request and this caller, fresh or not."""
        same = same_request(self.profile, entry.stored, asked).outcome
        return same and self._is_for(entry, asked.caller)

    def _store(self, fetch: Fetch, result: JsonObject, announced: Announced, now: int) -> None:
        span = lifetime(self.profile, member(result, "ttlMs")).outcome
        stored = Stored(
            method=fetch.method,
            params=fetch.params,
            caller=fetch.asked.caller,
            scope="public" if is_public(result) else "private",
            lifetime_ms=span.ms if isinstance(span, For) else self._own_lifetime_ms,
            received_at=now,
        )
        self._entries.append(_Entry(stored, result, fetch.number, announced))
        if len(self._entries) > self._max_entries:
            del self._entries[0]


def _without_cursor(params: JsonObject) -> JsonObject:
    return {name: value for name, value in params.items() if name != "cursor"}
