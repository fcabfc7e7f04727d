"""Hypothesis strategies around caching and pagination, and a state machine that tests a cache of your own.

Strategies give JSON values as Python has them. The machine drives an adapter that you write around your cache, and
fails with a `CacheFault` that names the requirement which your cache broke:

    from spec_model.strategies.caching import MISS, cache_machine

    class MyAdapter:
        def get(self, request, caller): ...      # the stored result, or MISS
        def put(self, request, caller, result): ...
        def notify(self, notification): ...
        def advance(self, ms): ...

    TestMyCache = cache_machine(MyAdapter).TestCase

A whole example stands in `docs/examples/faulty_cache.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Protocol, runtime_checkable

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from spec_model.requirements.catalogue import requirement
from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    AbsentCacheScope,
    AbsentTtl,
    AuthorizationContextKey,
    EarlyRefetch,
    InFlightAtInvalidation,
    ListChangeVersusReads,
    ListChangeVersusTemplates,
    MetaInCacheKey,
    NonIntegerTtl,
    PrivateWithoutCredentials,
    SharePublic,
    StaleOnError,
    UnknownCacheScope,
    UnsolicitedListChanged,
    UpdateOfSubResource,
    ZeroLifetimeEntries,
)
from spec_model.semantics.caching import (
    HINTED,
    PROTOCOL_VERSION,
    SUBSCRIPTION_ID,
    Announced,
    Asked,
    Authorization,
    CacheableMethod,
    Caller,
    Fetched,
    For,
    Gives,
    Keep,
    Request,
    Store,
    Stored,
    answer,
    in_cache,
    invalidated,
    is_complete,
    is_public,
    lifetime,
    may_be_served,
    same_request,
)
from spec_model.semantics.decision import Decision
from spec_model.semantics.pagination import PAGINATED
from spec_model.verdicts import Level
from spec_model.wire.values import SAFE_INTEGER, Json, JsonObject, equal, member

__all__ = [
    "MISS",
    "BrokenResult",
    "CacheFault",
    "CacheMachine",
    "CacheUnderTest",
    "FallsBack",
    "Miss",
    "RefusesPages",
    "Response",
    "broken_results",
    "cache_machine",
    "cache_scopes",
    "cacheable_requests",
    "cacheable_results",
    "callers",
    "change_notifications",
    "cursors",
    "interim_results",
    "retry_requests",
    "ttls",
]

METHODS: Final[tuple[CacheableMethod, ...]] = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)
URIS: Final = ("file:///a", "file:///b")
VERSION: Final = "2026-07-28"

_META: Final[JsonObject] = {PROTOCOL_VERSION: VERSION, "io.modelcontextprotocol/clientCapabilities": {}}


# --- values ---------------------------------------------------------------------------------------------------------


def ttls(*, min_value: int = 0, max_value: int = SAFE_INTEGER) -> st.SearchStrategy[int | float]:
    """Values of `ttlMs` that a server may send: integers, some of them written with a decimal point."""
    whole = st.integers(min_value, max_value)
    return whole | whole.filter(lambda ms: ms == int(float(ms))).map(float)


def cache_scopes() -> st.SearchStrategy[str]:
    """The two values of `cacheScope`."""
    return st.sampled_from(("public", "private"))


def cursors(*, min_size: int = 0, max_size: int = 40) -> st.SearchStrategy[str]:
    """Cursors: any text, and often one that tempts a client to look into it, such as "" and "null"."""
    tempting = ("", " ", "0", "null", "false", "eyJwYWdlIjogMn0=", "a%2Fb", "caf\u00e9", "cafe\u0301", "c1\n")
    fitting = [one for one in tempting if min_size <= len(one) <= max_size]
    texts = st.text(st.characters(codec="utf-8"), min_size=min_size, max_size=max_size)
    return st.sampled_from(fitting) | texts if fitting else texts


def callers(
    *,
    tokens: Sequence[str] = ("token-a", "token-b"),
    instances: Sequence[str] = ("one", "two"),
    anonymous: bool = True,
) -> st.SearchStrategy[Caller]:
    """Callers by authorization context: one of `instances` with one of `tokens`, or also with none.

    Tokens stand for principals of their own, so that no two of them share a context under any reading.
    """
    credentials = [Authorization(token=one, principal=f"owner of {one}") for one in tokens]
    known = [Caller(instance=instance, authorization=one) for one in credentials for instance in instances]
    unknown = [Caller(instance=instance) for instance in instances] if anonymous else []
    return st.sampled_from([*unknown, *known])


def cacheable_requests(
    *,
    methods: Sequence[CacheableMethod] = METHODS,
    uris: Sequence[str] = URIS,
    cursor: st.SearchStrategy[str] | None = None,
) -> st.SearchStrategy[Request]:
    """Requests for cacheable results with complete params: a read of one of `uris`, or a list with or without a
    cursor, which is often empty."""
    chosen = st.sampled_from(("", "c1")) | cursors() if cursor is None else cursor
    return st.one_of([_requests_of(method, uris, chosen) for method in methods])


def _requests_of(
    method: CacheableMethod, uris: Sequence[str], cursor: st.SearchStrategy[str]
) -> st.SearchStrategy[Request]:
    params: dict[str, st.SearchStrategy[Any]] = {"_meta": st.just(_META)}
    optional: dict[str, st.SearchStrategy[Any]] = {"cursor": cursor} if method in PAGINATED else {}
    if method == "resources/read":
        params["uri"] = st.sampled_from(uris)
    whole = st.fixed_dictionaries(params, optional=optional)
    return whole.map(lambda drawn: Request(method=method, params=drawn))


def retry_requests(*, uris: Sequence[str] = URIS) -> st.SearchStrategy[Request]:
    """Reads that retry an earlier one with `inputResponses`, `requestState`, or both; empty ones included."""
    state = st.fixed_dictionaries({"requestState": st.sampled_from(("s", ""))})
    responses = st.fixed_dictionaries({"inputResponses": st.sampled_from(({}, {"q": {"action": "decline"}}))})
    both = st.builds(lambda one, other: {**one, **other}, state, responses)
    return st.builds(_retry, st.sampled_from(uris), state | responses | both)


def _retry(uri: str, retry: JsonObject) -> Request:
    return Request(method="resources/read", params={"uri": uri, "_meta": _META, **retry})


class Response(NamedTuple):
    """A result and the method that it answers."""

    method: CacheableMethod
    result: JsonObject


class BrokenResult(NamedTuple):
    """A result that breaks `requirement` and no other one on caching hints."""

    method: CacheableMethod
    result: JsonObject
    requirement: str


_CONTENT: Final[Mapping[CacheableMethod, JsonObject]] = {
    "server/discover": {"supportedVersions": [VERSION], "capabilities": {}},
    "tools/list": {"tools": []},
    "prompts/list": {"prompts": []},
    "resources/list": {"resources": []},
    "resources/templates/list": {"resourceTemplates": []},
    "resources/read": {"contents": [{"uri": URIS[0], "text": ""}]},
}


def cacheable_results(
    *,
    methods: Sequence[CacheableMethod] = METHODS,
    ttl: st.SearchStrategy[Any] | None = None,
    scope: st.SearchStrategy[Any] | None = None,
) -> st.SearchStrategy[Response]:
    """Complete results of cacheable operations, with both hints."""
    chosen = ttls() if ttl is None else ttl
    return st.builds(_response, st.sampled_from(methods), chosen, cache_scopes() if scope is None else scope)


def interim_results() -> st.SearchStrategy[Response]:
    """Interim results of reads, without hints."""
    state = st.text(st.characters(codec="utf-8"), max_size=8)
    return st.builds(_interim, state)


def broken_results(*, methods: Sequence[CacheableMethod] = METHODS) -> st.SearchStrategy[BrokenResult]:
    """Results that break exactly one requirement on caching hints, and that requirement's id."""
    sound = cacheable_results(methods=methods)
    kinds = [
        st.builds(_without, sound, st.sampled_from((("ttlMs",), ("cacheScope",), ("ttlMs", "cacheScope")))),
        st.builds(_with, sound, st.just("ttlMs"), _no_integers(), st.just("caching.model.ttl-integer")),
        st.builds(
            _with, sound, st.just("ttlMs"), st.integers(max_value=-1), st.just("caching.ttl.server-non-negative")
        ),
        st.builds(_with, sound, st.just("cacheScope"), _no_scopes(), st.just("caching.model.scope-values")),
    ]
    if "resources/read" in methods:
        no_hints = st.just("caching.interim.no-hints")
        kinds.append(st.builds(_with, interim_results(), st.just("ttlMs"), ttls(), no_hints))
        kinds.append(st.builds(_with, interim_results(), st.just("cacheScope"), cache_scopes(), no_hints))
    return st.one_of(kinds)


def _response(method: CacheableMethod, ttl: Json, scope: Json) -> Response:
    return Response(method, {"resultType": "complete", **_CONTENT[method], "ttlMs": ttl, "cacheScope": scope})


def _interim(state: str) -> Response:
    return Response("resources/read", {"resultType": "input_required", "requestState": state})


def _without(sound: Response, names: tuple[str, ...]) -> BrokenResult:
    left = {name: value for name, value in sound.result.items() if name not in names}
    return BrokenResult(sound.method, left, HINTED[sound.method])


def _with(sound: Response, name: str, value: Json, broken: str) -> BrokenResult:
    return BrokenResult(sound.method, {**sound.result, name: value}, broken)


def _no_integers() -> st.SearchStrategy[Json]:
    """Values that are no integer, and where they are numbers not negative."""
    fractions = st.floats(min_value=0, allow_infinity=False).filter(lambda ms: not ms.is_integer())
    others = st.none() | st.booleans() | st.text(max_size=8) | st.integers(0).map(str)
    return fractions | others | st.builds(lambda ms: [ms], st.integers(0))


def _no_scopes() -> st.SearchStrategy[Json]:
    near = st.sampled_from(("Public", "PRIVATE", "public ", "tenant", "", None, True, 0))
    return near | st.text(max_size=8).filter(lambda scope: scope not in ("public", "private"))


def change_notifications(
    *, uris: Sequence[str] = URIS, subscription_id: str | int | None = "s1"
) -> st.SearchStrategy[JsonObject]:
    """The notifications that make cached results stale; with a `subscription_id` of None they carry none."""
    about: JsonObject = {} if subscription_id is None else {"_meta": {SUBSCRIPTION_ID: subscription_id}}
    changed = st.sampled_from(("tools", "prompts", "resources")).map(lambda kind: _changed(kind, about))
    return changed | st.sampled_from(uris).map(lambda uri: _updated(uri, about))


def _changed(kind: str, about: JsonObject) -> JsonObject:
    return {"jsonrpc": "2.0", "method": f"notifications/{kind}/list_changed", "params": {**about}}


def _updated(uri: str, about: JsonObject) -> JsonObject:
    return {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {**about, "uri": uri}}


# --- a cache under test ---------------------------------------------------------------------------------------------


class Miss(enum.Enum):
    """The type of MISS."""

    MISS = "miss"


MISS: Final = Miss.MISS
"""What an adapter answers where its cache holds nothing to serve."""


class CacheUnderTest(Protocol):
    """What you write around your cache. A new one is made for each run, at time 0 of a clock of its own.

    The machine plays the client that owns the cache: it calls `get`, after a miss it "sends" the request, and when the
    response comes, which may be later than notifications and other requests, it calls `put`. While a request of a
    caller is on its way, the same one is not sent again.
    """

    def get(self, request: Request, caller: Caller) -> Json | Miss:
        """The result that the cache serves now to this caller for this request, as it was put in, or MISS."""

    def put(self, request: Request, caller: Caller, result: JsonObject) -> None:
        """This caller's request was answered with this result, complete or interim."""

    def notify(self, notification: JsonObject) -> None:
        """This notification came; the server advertises it, and it belongs to the open subscription "s1"."""

    def advance(self, ms: int) -> None:
        """The cache's clock moves forward."""


@runtime_checkable
class FallsBack(Protocol):
    """What an adapter adds whose cache may serve stale results when a fetch fails."""

    def fallback(self, request: Request, caller: Caller) -> Json | Miss:
        """The stale result that the cache serves because fetching this request again failed, or MISS."""


@runtime_checkable
class RefusesPages(Protocol):
    """What an adapter adds whose cache knows about pages."""

    def refused(self, request: Request, caller: Caller) -> None:
        """The server refused the cursor of this request with -32602."""


class CacheFault(AssertionError):
    """The cache broke `requirement`; `because` holds all that forced the right answer."""

    def __init__(self, what: str, because: Sequence[str]) -> None:
        broken = requirement(because[0])
        super().__init__(f"{what}\n  {broken.id} ({broken.level}): {broken.statement}\n  {broken.page}#{broken.anchor}")
        self.requirement = broken.id
        self.because = tuple(because)


LENIENT: Final = Profile(
    {
        AbsentTtl: AbsentTtl.OWN_HEURISTIC,
        AuthorizationContextKey: AuthorizationContextKey.PER_PRINCIPAL_AND_GRANT,
        EarlyRefetch: EarlyRefetch.NEVER,
        InFlightAtInvalidation: InFlightAtInvalidation.FRESH,
        ListChangeVersusReads: ListChangeVersusReads.KEEP_READS,
        ListChangeVersusTemplates: ListChangeVersusTemplates.KEEP_TEMPLATES,
        NonIntegerTtl: NonIntegerTtl.ROUND_DOWN_NUMBERS,
        PrivateWithoutCredentials: PrivateWithoutCredentials.COMMON_ANONYMOUS_CONTEXT,
        SharePublic: SharePublic.ACROSS_CONTEXTS,
        StaleOnError: StaleOnError.SERVE_STALE,
        UnsolicitedListChanged: UnsolicitedListChanged.IGNORE,
        UpdateOfSubResource: UpdateOfSubResource.THAT_URI_ONLY,
        ZeroLifetimeEntries: ZeroLifetimeEntries.KEPT_FOR_ERRORS,
    }
)
"""The reading at each open point that serves most from the cache: what it does not permit, no reading permits."""

STRICT: Final = Profile(
    {
        AbsentCacheScope: AbsentCacheScope.DO_NOT_STORE,
        EarlyRefetch: EarlyRefetch.ON_GROUNDS,
        ListChangeVersusReads: ListChangeVersusReads.DROP_READS,
        MetaInCacheKey: MetaInCacheKey.WHOLE_META,
        UnknownCacheScope: UnknownCacheScope.DO_NOT_STORE,
        UpdateOfSubResource: UpdateOfSubResource.CONTAINING_TOO,
    }
)
"""The reading at each open point that serves least from a cache: what it serves, every reading serves."""

SERIAL: Final = "com.example/serial"
"""The member of a result's `_meta` by which the machine knows a result again."""

CAPABILITIES: Final[JsonObject] = {
    "tools": {"listChanged": True},
    "prompts": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
}
SUBSCRIPTIONS: Final[tuple[Json, ...]] = ("s1",)


class _Reading:
    """What one profile makes of a response: whether it is kept, and what notifications did to it."""

    __slots__ = ("announced", "keep", "lifetime", "profile", "stored")

    def __init__(self, profile: Profile, asked: Asked, result: JsonObject, now: int, announced: Announced) -> None:
        self.profile = profile
        self.announced = announced
        self.keep: Decision[Keep] = in_cache(profile, asked.method, asked.params, result)
        self.lifetime = lifetime(profile, member(result, "ttlMs"))
        self.stored = self._as_stored(asked, result, now)

    def answers(self, asked: Asked, now: int, fetch: Fetched = Fetched.RESULT) -> Decision[bool]:
        """Whether the response is served; the reasons are those of the answer, or of its hints where they decide."""
        if self.stored is None:
            return self.keep.map(lambda _: False)
        decision = answer(self.profile, self.stored, asked, now, announced=self.announced, fetch=fetch)
        served = decision.map(lambda given: given.gives is Gives.CACHED)
        if not served.outcome and self.stored.lifetime_ms == 0 and self._is_for(asked):
            return served.after(*self.lifetime.because)
        return served

    def _as_stored(self, asked: Asked, result: JsonObject, now: int) -> Stored | None:
        if not isinstance(self.keep.outcome, Store):
            return None
        return Stored(
            method=asked.method,
            params=asked.params,
            caller=asked.caller,
            scope="public" if is_public(result) else "private",
            lifetime_ms=self.lifetime.outcome.ms if isinstance(self.lifetime.outcome, For) else SAFE_INTEGER,
            received_at=now,
        )

    def _is_for(self, asked: Asked) -> bool:
        assert self.stored is not None
        same = same_request(self.profile, self.stored, asked).outcome
        return same and may_be_served(self.profile, self.stored.scope, self.stored.caller, asked.caller).outcome


@dataclass(eq=False)
class _Sent:
    """A request on its way; `number` counts what was sent."""

    number: int
    asked: Asked
    lenient: Announced = Announced.NO
    strict: Announced = Announced.NO


@dataclass(eq=False)
class _Put:
    """A response that the cache was given, under the two readings.

    `gone` says that a cursor of its list was refused to its caller, `may_be_gone` that it was to anyone.
    """

    sent: _Sent
    result: JsonObject
    received_at: int
    lenient: _Reading
    strict: _Reading
    gone: bool = False
    may_be_gone: bool = False


def _list(method: CacheableMethod, **params: Json) -> Request:
    return Request(method=method, params={"_meta": _META, **params})


def _read(uri: str, **params: Json) -> Request:
    return Request(method="resources/read", params={"_meta": _META, "uri": uri, **params})


_FAMILIES: Final[tuple[tuple[Request, ...], ...]] = (
    (_list("tools/list"), _list("tools/list", cursor=""), _list("tools/list", cursor="c1")),
    (_list("tools/list"), _list("prompts/list")),
    (_list("resources/list"), _list("resources/templates/list"), _read(URIS[0])),
    (_read(URIS[0]), _read(URIS[1])),
    (_read(URIS[0]), _read(URIS[0], requestState="s"), _read(URIS[0], inputResponses={})),
    (_list("server/discover"), _list("tools/list")),
)
"""Requests that a faulty cache takes for one another, or whose results it forgets when a notification comes."""

_TTLS: Final = st.sampled_from((1, 10, 100)) | st.sampled_from((0, -1, 0.5, "10", None, True, MISS))
_SCOPES: Final = st.sampled_from(("public", "private")) | st.sampled_from(("public", "private", "tenant", None, MISS))
_WHICH: Final = st.integers(0, 2)


def _of_a_run() -> st.SearchStrategy[Sequence[Request]]:
    """The requests of a run: mostly a family, sometimes any."""
    family = st.sampled_from(_FAMILIES)
    any_few = st.lists(cacheable_requests(), min_size=1, max_size=3)
    return st.integers(0, 3).flatmap(lambda number: any_few if number == 3 else family)


class CacheMachine(RuleBasedStateMachine):
    """Drives a cache and compares what it serves with what the rules permit. Make one with `cache_machine`.

    A run is about a few requests that are easily mixed up, and a few callers.
    """

    make: ClassVar[Callable[[], CacheUnderTest]]
    lenient: ClassVar[Profile] = LENIENT
    strict: ClassVar[Profile] = STRICT
    advice: ClassVar[bool] = True
    expect_hits: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__()
        self.cache = type(self).make()
        self.now = 0
        self.sent = 0
        self.requests: Sequence[Request] = _FAMILIES[0]
        self.callers: Sequence[Caller] = (Caller(),)
        self.puts: list[_Put] = []
        self.waiting: list[_Sent] = []

    @initialize(
        requests=_of_a_run(),
        users=st.lists(callers(), min_size=1, max_size=2),
    )
    def start(self, requests: Sequence[Request], users: Sequence[Caller]) -> None:
        """The requests and the callers that the run is about."""
        self.requests, self.callers = requests, users

    @rule(request=_WHICH, caller=_WHICH)
    def ask(self, request: int, caller: int) -> None:
        """A caller needs a result; after a miss its request is sent."""
        self._ask(self._asked(request, caller))

    @rule()
    def ask_all(self) -> None:
        """Every caller needs every result."""
        for request in range(len(self.requests)):
            for caller in range(len(self.callers)):
                self._ask(self._asked(request, caller))

    @rule(request=_WHICH, caller=_WHICH, ttl=_TTLS, scope=_SCOPES)
    def fetch(self, request: int, caller: int, ttl: Any, scope: Any) -> None:
        """A caller needs a result, and where its request is sent a complete one comes at once, with hints that may be
        wrong or missing."""
        sent = self._ask(self._asked(request, caller))
        if sent is not None:
            self._receive(sent, ttl, scope)

    @precondition(lambda self: bool(self.waiting))
    @rule(at=_WHICH, ttl=_TTLS, scope=_SCOPES)
    def receive(self, at: int, ttl: Any, scope: Any) -> None:
        """A complete result comes later, with hints that may be wrong or missing."""
        self._receive(self._taken(at), ttl, scope)

    @precondition(lambda self: any(sent.asked.method == "resources/read" for sent in self.waiting))
    @rule(at=_WHICH)
    def receive_interim(self, at: int) -> None:
        """A read asks for input; the client retries it."""
        reads = [sent for sent in self.waiting if sent.asked.method == "resources/read"]
        sent = reads[at % len(reads)]
        self.waiting.remove(sent)
        self._put(sent, {"resultType": "input_required", "requestState": "s"})
        params = {**sent.asked.params, "requestState": "s"}
        self._send(Asked(method=sent.asked.method, params=params, caller=sent.asked.caller))

    @precondition(lambda self: bool(self.waiting))
    @rule(at=_WHICH)
    def fail(self, at: int) -> None:
        """A fetch gets no response."""
        self._fail(self._taken(at))

    @precondition(lambda self: isinstance(self.cache, FallsBack))
    @rule(request=_WHICH, caller=_WHICH)
    def fetch_in_vain(self, request: int, caller: int) -> None:
        """A caller needs a result, and where its request is sent no response comes."""
        sent = self._ask(self._asked(request, caller))
        if sent is not None:
            self.waiting.remove(sent)
            self._fail(sent)

    @precondition(
        lambda self: isinstance(self.cache, RefusesPages) and any("cursor" in one.asked.params for one in self.waiting)
    )
    @rule(at=_WHICH)
    def refuse(self, at: int) -> None:
        """The server refuses the cursor of a page."""
        pages = [sent for sent in self.waiting if "cursor" in sent.asked.params]
        sent = pages[at % len(pages)]
        self.waiting.remove(sent)
        self._refuse(sent)

    @precondition(
        lambda self: isinstance(self.cache, RefusesPages) and any("cursor" in one.params for one in self.requests)
    )
    @rule(at=_WHICH, caller=_WHICH)
    def fetch_refused_page(self, at: int, caller: int) -> None:
        """A caller needs a page, and where its request is sent the server refuses the cursor."""
        pages = [number for number, one in enumerate(self.requests) if "cursor" in one.params]
        sent = self._ask(self._asked(pages[at % len(pages)], caller))
        if sent is not None:
            self.waiting.remove(sent)
            self._refuse(sent)

    @rule(notification=change_notifications())
    def notify(self, notification: JsonObject) -> None:
        """Some change is announced."""
        self._notify(notification)

    @rule(request=_WHICH)
    def notify_of(self, request: int) -> None:
        """A change of a result that the run is about is announced."""
        asked = self.requests[request % len(self.requests)]
        kind = asked.method.partition("/")[0]
        about: JsonObject = {"_meta": {SUBSCRIPTION_ID: SUBSCRIPTIONS[0]}}
        if asked.method == "resources/read":
            self._notify(_updated(str(asked.params["uri"]), about))
        elif kind != "server":
            self._notify(_changed(kind, about))

    @rule(ms=st.sampled_from((1, 9, 10, 100)))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self.cache.advance(ms)
        self.now += ms

    @precondition(lambda self: bool(self._expiries()))
    @rule(at=_WHICH, before=st.integers(0, 1))
    def wait_for_expiry(self, at: int, before: int) -> None:
        """Time passes up to the instant at which a lifetime ends, or to the last millisecond before it."""
        ends = self._expiries()
        until = ends[at % len(ends)] - before
        if until > self.now:
            self.wait(until - self.now)

    def _expiries(self) -> list[int]:
        stored = [(put.received_at, put.strict.stored) for put in self.puts]
        ends = {received_at + one.lifetime_ms for received_at, one in stored if one is not None}
        return sorted(end for end in ends if end > self.now)

    def _asked(self, request: int, caller: int) -> Asked:
        chosen = self.requests[request % len(self.requests)]
        user = self.callers[caller % len(self.callers)]
        return Asked(method=chosen.method, params=chosen.params, caller=user)

    def _ask(self, asked: Asked) -> _Sent | None:
        """Asks the cache; the request that is on its way after a miss."""
        served = self.cache.get(_plain(asked), asked.caller)
        note(f"{self.now} ms: {_asking(asked)}: {'miss' if served is MISS else 'hit'}")
        if served is not MISS:
            self._judge(asked, served, Fetched.RESULT)
            return None
        expected = self._expected(asked)
        if expected is not None:
            raise CacheFault(
                f"At {self.now} ms {_asking(asked)} is not answered from {_told(expected)}.",
                ("caching.ttl.positive-fresh",),
            )
        on_its_way = next((sent for sent in self.waiting if sent.asked == asked), None)
        return on_its_way or self._send(asked)

    def _send(self, asked: Asked) -> _Sent:
        self.sent += 1
        sent = _Sent(self.sent, asked)
        self.waiting.append(sent)
        return sent

    def _fail(self, sent: _Sent) -> None:
        note(f"{self.now} ms: no response for {_asking(sent.asked)}")
        if isinstance(self.cache, FallsBack):
            served = self.cache.fallback(_plain(sent.asked), sent.asked.caller)
            if served is not MISS:
                self._judge(sent.asked, served, Fetched.NOTHING)

    def _refuse(self, sent: _Sent) -> None:
        assert isinstance(self.cache, RefusesPages)
        note(f"{self.now} ms: -32602 for {_asking(sent.asked)}")
        self.cache.refused(_plain(sent.asked), sent.asked.caller)
        for put in self.puts:
            if _same_list(put.sent.asked, sent.asked):
                put.may_be_gone = True
                put.gone = put.gone or put.sent.asked.caller == sent.asked.caller

    def _taken(self, at: int) -> _Sent:
        return self.waiting.pop(at % len(self.waiting))

    def _receive(self, sent: _Sent, ttl: Any, scope: Any) -> None:
        if sent in self.waiting:
            self.waiting.remove(sent)
        hints = {name: value for name, value in (("ttlMs", ttl), ("cacheScope", scope)) if value is not MISS}
        self._put(sent, {"resultType": "complete", **_CONTENT[sent.asked.method], **hints})

    def _put(self, sent: _Sent, result: JsonObject) -> None:
        stamped: JsonObject = {**result, "_meta": {SERIAL: len(self.puts)}}
        note(f"{self.now} ms: {_hints(result)} for {_asking(sent.asked)}")
        self.cache.put(_plain(sent.asked), sent.asked.caller, stamped)
        lenient = _Reading(self.lenient, sent.asked, stamped, self.now, sent.lenient)
        strict = _Reading(self.strict, sent.asked, stamped, self.now, sent.strict)
        self.puts.append(_Put(sent, stamped, self.now, lenient, strict))

    def _notify(self, notification: JsonObject) -> None:
        note(f"{self.now} ms: {notification['method']} {notification['params']}")
        self.cache.notify(notification)
        for put in self.puts:
            for reading in (put.lenient, put.strict):
                if _concerns(reading.profile, notification, put.sent.asked):
                    reading.announced = Announced.AFTER_RECEIPT
        for sent in self.waiting:
            if _concerns(self.lenient, notification, sent.asked):
                sent.lenient = Announced.IN_FLIGHT
            if _concerns(self.strict, notification, sent.asked):
                sent.strict = Announced.IN_FLIGHT

    def _judge(self, asked: Asked, served: Json, fetch: Fetched) -> None:
        put = self._known(served)
        decision = put.lenient.answers(asked, self.now, fetch)
        refused = ("caching.page.invalid-cursor-discard",) if put.gone else ()
        because = refused if decision.outcome else decision.because
        if because and (self.advice or requirement(because[0]).severity is Level.MUST):
            raise CacheFault(f"At {self.now} ms {_asking(asked)} is answered from {_told(put)}.", because)

    def _known(self, served: Json) -> _Put:
        serial = member(served, "_meta", SERIAL)
        for number, put in enumerate(self.puts):
            if number == serial and equal(put.result, served):
                return put
        raise AssertionError(f"The cache serves a result that it was not given: {served!r}")

    def _expected(self, asked: Asked) -> _Put | None:
        """The response that every reading serves; None where there is none, or where a later one may have replaced
        it."""
        same = [put for put in self.puts if _plain(put.sent.asked) == _plain(asked)]
        if not self.expect_hits or not self.advice or not same:
            return None
        last = same[-1]
        overtaken = last.sent.number < max(put.sent.number for put in same)
        if overtaken or last.sent.asked != asked or last.may_be_gone or not is_complete(last.result):
            return None
        told = isinstance(last.strict.lifetime.outcome, For)
        return last if told and last.strict.answers(asked, self.now).outcome else None


def cache_machine(
    make: Callable[[], CacheUnderTest],
    *,
    profile: Profile | None = None,
    advice: bool = True,
    expect_hits: bool = True,
) -> type[CacheMachine]:
    """A state machine that tests the caches which `make` makes, one for each run.

    A `profile` says how your cache reads the open points; without one, whatever some reading permits passes. With
    `advice` a missed SHOULD fails as a broken MUST does. With `expect_hits` so does a miss where every reading serves a
    stored result; switch that off for a cache that evicts results. Use the `TestCase` of what you get as a test, or
    give it to `hypothesis.stateful.run_state_machine_as_test`.
    """
    members: dict[str, Any] = {"make": staticmethod(make), "advice": advice, "expect_hits": expect_hits}
    if profile is not None:
        members.update(lenient=profile, strict=profile)
    return type("CacheMachine", (CacheMachine,), members)


def _plain(asked: Asked) -> Request:
    return Request(method=asked.method, params=asked.params)


def _concerns(profile: Profile, notification: JsonObject, asked: Asked) -> bool:
    stale = invalidated(profile, notification, [asked], CAPABILITIES, list(SUBSCRIPTIONS))
    return bool(stale.outcome)


def _same_list(one: Asked, other: Asked) -> bool:
    return one.method == other.method and _without_cursor(one.params) == _without_cursor(other.params)


def _without_cursor(params: JsonObject) -> JsonObject:
    return {name: value for name, value in params.items() if name != "cursor"}


def _asking(asked: Asked) -> str:
    params = {name: value for name, value in asked.params.items() if name != "_meta"}
    token = asked.caller.authorization.token if asked.caller.authorization else "no token"
    return f"{asked.method} {params} of client {asked.caller.instance or 'one'!r} with {token}"


def _hints(result: JsonObject) -> str:
    hints = [f"{name} {result[name]!r}" for name in ("ttlMs", "cacheScope") if name in result]
    return f"{result['resultType']} result with {' and '.join(hints) or 'no hints'}"


def _told(put: _Put) -> str:
    return f"the {_hints(put.result)} that came at {put.received_at} ms for {_asking(put.sent.asked)}"
