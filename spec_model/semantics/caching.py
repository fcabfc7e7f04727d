"""What a client or a shared cache may keep of a result, for how long, and for whom.

Source: server/utilities/caching. All times are milliseconds on the client's own clock.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    AbsentCacheScope,
    AbsentResultTypeOnModern,
    AbsentTtl,
    AuthorizationContextKey,
    EarlyRefetch,
    FailedEarlyRefetch,
    InFlightAtInvalidation,
    ListChangeVersusReads,
    ListChangeVersusTemplates,
    MetaInCacheKey,
    NonIntegerTtl,
    PrivateWithoutCredentials,
    SharePublic,
    StaleOnError,
    StaleToolListForHeaders,
    Storing,
    UnknownCacheScope,
    UnsolicitedListChanged,
    UpdateOfSubResource,
    ZeroLifetimeEntries,
)
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.functions import function
from spec_model.wire.values import (
    ABSENT,
    SAFE_INTEGER,
    Absent,
    Json,
    JsonObject,
    equal,
    is_integer,
    is_number,
    is_object,
    is_string,
    member,
)

CacheableMethod = Literal[
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
]
Scope = Literal["public", "private"]
Holder = Literal["client", "intermediary"]

HINTED: Final[Mapping[str, str]] = {
    "server/discover": "caching.hints.discover",
    "tools/list": "caching.hints.tools-list",
    "prompts/list": "caching.hints.prompts-list",
    "resources/list": "caching.hints.resources-list",
    "resources/templates/list": "caching.hints.resource-templates-list",
    "resources/read": "caching.hints.resources-read",
}
"""The operations whose complete results carry caching hints, each with the requirement that says so."""

PROTOCOL_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
SUBSCRIPTION_ID: Final = "io.modelcontextprotocol/subscriptionId"

META_WITHOUT_EFFECT: Final = frozenset(
    {
        "progressToken",
        "io.modelcontextprotocol/clientInfo",
        "io.modelcontextprotocol/logLevel",
        "traceparent",
        "tracestate",
        "baggage",
    }
)
"""The members of a request's `_meta` that change nothing in its result."""


# --- lifetime and freshness -----------------------------------------------------------------------------------------


class For(msgspec.Struct, frozen=True, tag_field="lifetime", tag="ms"):
    """The result may be called fresh for `ms` milliseconds from its receipt.

    Lifetimes beyond 2^53-1, which is 285 thousand years, are told as 2^53-1.
    """

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
    if ttl is None:
        return _null_lifetime(profile)
    if is_number(ttl) and ttl < 0:
        return _negative_lifetime(ttl, profile)
    if not is_integer(ttl):
        return _non_integer_lifetime(ttl, profile)
    if ttl == 0:
        return decide(For(0), "caching.ttl.zero-stale")
    return decide(For(_capped(ttl)), "caching.ttl.positive-fresh", "caching.model.fresh-permitted")


def _absent_lifetime(profile: Profile) -> Decision[Lifetime]:
    match profile[AbsentTtl]:
        case AbsentTtl.ZERO:
            return decide(For(0), "caching.ttl.absent-as-zero")
        case AbsentTtl.OWN_HEURISTIC:
            return decide(Own(), "caching.ttl.absent-own-means")
        case AbsentTtl.INVALID_RESULT:
            return decide(Refused(), "caching.ttl.absent-older-servers")


def _null_lifetime(profile: Profile) -> Decision[Lifetime]:
    if profile[NonIntegerTtl] is NonIntegerTtl.INVALID_RESULT:
        return decide(Refused(), "caching.model.ttl-integer")
    return _absent_lifetime(profile)


def _negative_lifetime(ttl: int | float, profile: Profile) -> Decision[Lifetime]:
    if not is_integer(ttl) and profile[NonIntegerTtl] is NonIntegerTtl.INVALID_RESULT:
        return decide(Refused(), "caching.model.ttl-integer")
    return decide(For(0), "caching.ttl.negative-as-zero")


def _non_integer_lifetime(ttl: Json, profile: Profile) -> Decision[Lifetime]:
    """The lifetime where the value is no negative number. One that is ignored leaves a result without `ttlMs`."""
    match profile[NonIntegerTtl]:
        case NonIntegerTtl.INVALID_RESULT:
            return decide(Refused(), "caching.model.ttl-integer")
        case NonIntegerTtl.ROUND_DOWN_NUMBERS if is_number(ttl):
            return decide(For(_capped(ttl)), "caching.ttl.positive-fresh")
    return decide(For(0), "caching.ttl.absent-as-zero")


def _capped(ttl: int | float) -> int:
    """`ttl` without its fraction; it may be the infinity that stands for an unreadable number."""
    return math.floor(min(ttl, SAFE_INTEGER))


@function("caching.is-fresh")
def is_fresh(received_at: int, lifetime_ms: int, now: int) -> Decision[bool]:
    """Whether a response received at `received_at` with a lifetime of `lifetime_ms` is fresh at `now`.

    The clock is that of the holder. A lifetime of 0 is never fresh.

    Source: server/utilities/caching#freshness-calculation, server/utilities/caching#time-to-live-ttl-field.
    """
    fresh = now < received_at + lifetime_ms
    if lifetime_ms == 0:
        return decide(False, "caching.ttl.zero-stale", "caching.freshness.strict-less-than")
    return decide(fresh, "caching.freshness.strict-less-than", "caching.freshness.received-at")


# --- what is kept ---------------------------------------------------------------------------------------------------


class Store(msgspec.Struct, frozen=True, tag_field="keep", tag="store"):
    """The result is stored. `scope` says for whom: `private` for callers of the same authorization context, `public`
    for every one."""

    scope: Scope


class UseOnce(msgspec.Struct, frozen=True, tag_field="keep", tag="use-once"):
    """The waiting caller gets the result, and it is not stored."""


class Refuse(msgspec.Struct, frozen=True, tag_field="keep", tag="refuse"):
    """The whole result is refused as invalid."""


Keep = Store | UseOnce | Refuse


@function("caching.storage")
def storage(
    profile: Profile,
    method: CacheableMethod,
    params: JsonObject,
    result: JsonObject,
    known_types: tuple[str, ...] = (),
) -> Decision[Keep]:
    """What becomes of the result of a request with this method and these params: stored, used once, or refused.

    The result comes from a server of this revision. `known_types` are the values of `resultType` that the extensions in
    use define.

    Source: server/utilities/caching#cacheable-results, server/utilities/caching#cache-key.
    """
    keeps_nothing = profile[Storing] is Storing.KEEPS_NOTHING
    kept = in_cache(profile, method, params, result, known_types)
    if keeps_nothing and isinstance(kept.outcome, Store):
        return decide(UseOnce(), "caching.storing.permitted")
    return kept


def in_cache(
    profile: Profile,
    method: CacheableMethod,
    params: JsonObject,
    result: JsonObject,
    known_types: tuple[str, ...] = (),
) -> Decision[Keep]:
    """What becomes of a result where there is a cache.

    Source: server/utilities/caching#cacheable-results, server/utilities/caching#cache-key.
    """
    kind = member(result, "resultType")
    if kind == "input_required":
        return decide(UseOnce(), "caching.interim.not-cacheable")
    if kind is ABSENT and profile[AbsentResultTypeOnModern] is AbsentResultTypeOnModern.INVALID:
        return decide(Refuse(), "results.type.present")
    if not is_complete(result):
        return _of_other_type(kind, known_types)
    if is_retry(params):
        return decide(UseOnce(), "caching.key.retry-not-cached")
    span = lifetime(profile, member(result, "ttlMs"))
    if isinstance(span.outcome, Refused):
        return decide(Refuse(), *span.because)
    scope = _scope(profile, method, member(result, "cacheScope"))
    if isinstance(scope.outcome, Refuse | UseOnce):
        return decide(scope.outcome, *scope.because)
    if span.outcome == For(0) and profile[ZeroLifetimeEntries] is ZeroLifetimeEntries.NOT_KEPT:
        return decide(UseOnce(), *span.because, "caching.ttl.zero-refetch")
    stored: Decision[Keep] = decide(Store(scope.outcome), *span.because)
    return stored.also(*scope.because) if is_public(result) else stored.after(*scope.because)


def _of_other_type(kind: Json | Absent, known_types: tuple[str, ...]) -> Decision[Keep]:
    if kind in known_types:
        return decide(UseOnce(), "results.type.set-extensions")
    return decide(Refuse(), "results.type.unrecognized-invalid")


def is_complete(result: JsonObject) -> bool:
    """Whether a result holds the final content; one without `resultType` counts as complete.

    Source: server/utilities/caching#cacheable-results, basic/index#resulttype.
    """
    return member(result, "resultType") in (ABSENT, "complete")


def is_public(result: JsonObject) -> bool:
    """Whether a server says that a result may be shared; where it says nothing known it does not.

    Source: server/utilities/caching#cache-scope-field.
    """
    return member(result, "cacheScope") == "public"


def is_retry(params: JsonObject) -> bool:
    """Whether a request with these params retries an earlier one with input that is no part of the cache key.

    Source: server/utilities/caching#cache-key.
    """
    return "inputResponses" in params or "requestState" in params


def _scope(profile: Profile, method: CacheableMethod, scope: Json | Absent) -> Decision[Scope | UseOnce | Refuse]:
    if scope is ABSENT:
        return _absent_scope(profile, method)
    if scope == "public":
        return _public_scope(profile)
    if scope == "private":
        return decide("private", "caching.scope.private-isolation", "caching.scope.private-reuse")
    return _unknown_scope(profile)


def _public_scope(profile: Profile) -> Decision[Scope | UseOnce | Refuse]:
    match profile[SharePublic]:
        case SharePublic.WITHIN_CONTEXT:
            return decide("private", "caching.scope.public-client", "caching.security.public-across-tokens")
        case SharePublic.ACROSS_CONTEXTS:
            return decide("public", "caching.scope.public-client", "caching.security.public-across-tokens")


def _absent_scope(profile: Profile, method: CacheableMethod) -> Decision[Scope | UseOnce | Refuse]:
    match profile[AbsentCacheScope]:
        case AbsentCacheScope.PRIVATE:
            return decide("private", "caching.scope.private-isolation")
        case AbsentCacheScope.DO_NOT_STORE:
            return decide(UseOnce(), HINTED[method])
        case AbsentCacheScope.INVALID_RESULT:
            return decide(Refuse(), HINTED[method])


def _unknown_scope(profile: Profile) -> Decision[Scope | UseOnce | Refuse]:
    match profile[UnknownCacheScope]:
        case UnknownCacheScope.PRIVATE:
            return decide("private", "caching.scope.private-isolation")
        case UnknownCacheScope.DO_NOT_STORE:
            return decide(UseOnce(), "caching.model.scope-values")
        case UnknownCacheScope.INVALID_RESULT:
            return decide(Refuse(), "caching.model.scope-values")


# --- who is answered from an entry ----------------------------------------------------------------------------------


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a cacheable result, with its whole params."""

    method: CacheableMethod
    params: JsonObject = {}


class Authorization(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An access token and what it stands for: who issued it, to which client, for which principal and scopes.

    Empty where the holder of the cache does not know.
    """

    token: str
    issuer: str = ""
    client: str = ""
    principal: str = ""
    scopes: frozenset[str] = frozenset()


class Caller(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who asks: the client instance, and the authorization it presents, if any."""

    instance: str = ""
    authorization: Authorization | None = None


class Stored(Request, frozen=True, kw_only=True):
    """A response as it lies in the cache: to which request of whom, when it came in, its lifetime, and its scope as the
    server sent it, private where it sent none of the two."""

    scope: Scope
    lifetime_ms: int
    received_at: int
    caller: Caller = Caller()


class Asked(Request, frozen=True, kw_only=True):
    """A request that may be answered from the cache, and who asks."""

    caller: Caller = Caller()


def same_request(profile: Profile, stored: Request, asked: Request) -> Decision[bool]:
    """Whether a response to `stored` is an answer to `asked`: same method, same parameters as far as they count.

    Source: server/utilities/caching#cache-key.
    """
    if stored.method != asked.method:
        return decide(False, "caching.key.no-cross-method")
    if not equal(_without_meta(stored.params), _without_meta(asked.params)):
        return decide(False, "caching.key.no-cross-params")
    if not _same_meta(profile, member(stored.params, "_meta"), member(asked.params, "_meta")):
        return decide(False, "caching.key.no-cross-params", "caching.key.method-and-params")
    return decide(True, "caching.key.method-and-params")


def _without_meta(params: JsonObject) -> JsonObject:
    return {name: value for name, value in params.items() if name != "_meta"}


def _same_meta(profile: Profile, one: Json | Absent, other: Json | Absent) -> bool:
    match profile[MetaInCacheKey]:
        case MetaInCacheKey.RESULT_AFFECTING_MEMBERS:
            return equal(_with_effect(one), _with_effect(other))
        case MetaInCacheKey.WHOLE_META:
            return equal(one, other)


def _with_effect(meta: Json | Absent) -> JsonObject:
    if not is_object(meta):
        return {}
    return {name: value for name, value in meta.items() if name not in META_WITHOUT_EFFECT}


def may_be_served(
    profile: Profile, scope: Scope, stored_for: Caller, asked_by: Caller, holder: Holder = "client"
) -> Decision[bool]:
    """Whether a caller is served from an entry of this scope that was obtained for another, or the same, caller.

    Source: server/utilities/caching#cache-scope-field.
    """
    same = same_context(profile, stored_for, asked_by)
    permission = "caching.scope.public-client" if holder == "client" else "caching.scope.public-intermediary"
    if scope == "private":
        return same
    if same.outcome:
        return same.also(permission)
    shared = profile[SharePublic] is SharePublic.ACROSS_CONTEXTS
    return decide(shared, permission, "caching.security.public-across-tokens")


def same_context(profile: Profile, stored_for: Caller, asked_by: Caller) -> Decision[bool]:
    """Whether two callers are in the same authorization context.

    Source: server/utilities/caching#cache-scope-field.
    """
    one, other = stored_for.authorization, asked_by.authorization
    if one is None and other is None:
        return _same_without_credentials(profile, stored_for, asked_by)
    if one is None or other is None:
        return decide(False, "caching.scope.private-isolation")
    if one.token == other.token:
        return decide(True, "caching.scope.private-reuse")
    return _same_grant(profile, one, other)


def _same_without_credentials(profile: Profile, stored_for: Caller, asked_by: Caller) -> Decision[bool]:
    if stored_for.instance == asked_by.instance:
        return decide(True, "caching.scope.private-reuse")
    match profile[PrivateWithoutCredentials]:
        case PrivateWithoutCredentials.ONE_CLIENT_INSTANCE:
            return decide(False, "caching.scope.private-isolation")
        case PrivateWithoutCredentials.COMMON_ANONYMOUS_CONTEXT:
            return decide(True, "caching.scope.private-reuse")


def _same_grant(profile: Profile, one: Authorization, other: Authorization) -> Decision[bool]:
    """Whether two different access tokens stand for one authorization context."""
    match profile[AuthorizationContextKey]:
        case AuthorizationContextKey.PER_TOKEN:
            return decide(False, "caching.scope.private-isolation", "caching.scope.token-separates")
        case AuthorizationContextKey.PER_PRINCIPAL_AND_GRANT if one.principal != "" and _grant(one) == _grant(other):
            return decide(True, "caching.scope.private-reuse")
        case AuthorizationContextKey.PER_PRINCIPAL_AND_GRANT:
            return decide(False, "caching.scope.private-isolation", "caching.scope.token-separates")


def _grant(one: Authorization) -> tuple[str, str, str, frozenset[str]]:
    return one.issuer, one.client, one.principal, one.scopes


# --- answering from the cache ---------------------------------------------------------------------------------------


class Announced(enum.Enum):
    """Whether a change notification that concerns a response came since its request went out: none, one while the
    response was on its way, or one after it was received."""

    NO = "no"
    IN_FLIGHT = "in-flight"
    AFTER_RECEIPT = "after-receipt"


class Fetched(enum.Enum):
    """What comes of a fetch where one is made: a result, a JSON-RPC error, or no response at all."""

    RESULT = "result"
    ERROR = "error"
    NOTHING = "nothing"


class Gives(enum.Enum):
    """What the caller gets: the stored result, the one just fetched, or the failure of the fetch."""

    CACHED = "cached"
    FETCHED = "fetched"
    ERROR = "error"


class Answer(msgspec.Struct, frozen=True):
    """Whether a request goes out to the server, and what the caller gets."""

    sends: bool
    gives: Gives


GROUNDS: Final = frozenset({-32601, -32602})
"""The errors of a tool call which say that the tool list may have changed: method not found, invalid params."""


@function("caching.answer")
def answer(
    profile: Profile,
    stored: Stored,
    asked: Asked,
    now: int,
    announced: Announced = Announced.NO,
    tool_error: int | None = None,
    list_changed: bool | None = None,
    fetch: Fetched = Fetched.RESULT,
    holder: Holder = "client",
) -> Decision[Answer]:
    """Whether a request is answered from a stored response, and what its caller gets.

    The response is held, so the question is for those who keep results. `tool_error` is the code of an error with which
    a tool call unexpectedly ended since the receipt; `list_changed` whether the server advertises `listChanged` for the
    list; `fetch` what a fetch brings if the request goes out; `holder` whose cache it is: the client's own, or that of
    a gateway or proxy which many callers share.

    Source: server/utilities/caching#freshness-calculation.
    """
    same = same_request(profile, stored, asked)
    if not same.outcome:
        return decide(Answer(True, _gives(fetch)), *same.because)
    served = may_be_served(profile, stored.scope, stored.caller, asked.caller, holder)
    fresh = fresh_entry(profile, stored, now, announced)
    if not served.outcome:
        stale = ("caching.freshness.refetch-when-stale",) if stored.scope == "public" and not fresh.outcome else ()
        return decide(Answer(True, _gives(fetch)), *stale, *served.because)
    if not fresh.outcome:
        return _answer_from_stale(profile, stored, fetch).also(*fresh.because, *_by_ttl_alone(list_changed))
    if stored.method == "tools/list" and _is_ground(profile, tool_error):
        return _answer_early(profile, fetch)
    kept_fresh = ("caching.notify.ttl-between",) if list_changed else _by_ttl_alone(list_changed)
    because = (*fresh.because, *kept_fresh, *served.because, *same.because)
    return decide(Answer(False, Gives.CACHED), "caching.ttl.positive-fresh", *dict.fromkeys(because))


def _gives(fetch: Fetched) -> Gives:
    return Gives.FETCHED if fetch is Fetched.RESULT else Gives.ERROR


def _is_ground(profile: Profile, tool_error: int | None) -> bool:
    """Whether the client fetches the tool list early because a tool call ended with this error."""
    if profile[EarlyRefetch] is EarlyRefetch.ON_ANY_ERROR:
        return tool_error is not None
    return profile[EarlyRefetch] is EarlyRefetch.ON_GROUNDS and tool_error in GROUNDS


def _answer_early(profile: Profile, fetch: Fetched) -> Decision[Answer]:
    because = ("caching.freshness.early-refetch", "caching.ttl.positive-fresh")
    if fetch is Fetched.RESULT:
        return decide(Answer(True, Gives.FETCHED), *because)
    match profile[FailedEarlyRefetch]:
        case FailedEarlyRefetch.SERVE_HELD:
            return decide(Answer(True, Gives.CACHED), *because)
        case FailedEarlyRefetch.RAISE_ERROR:
            return decide(Answer(True, Gives.ERROR), *because)


def _by_ttl_alone(list_changed: bool | None) -> tuple[str, ...]:
    return ("caching.notify.ttl-alone-client",) if list_changed is False else ()


def fresh_entry(profile: Profile, stored: Stored, now: int, announced: Announced) -> Decision[bool]:
    """Whether a stored response is fresh at `now`, given whether a change of it was announced.

    Source: server/utilities/caching#interaction-with-notifications.
    """
    by_ttl = is_fresh(stored.received_at, stored.lifetime_ms, now)
    if announced is Announced.NO or not by_ttl.outcome:
        return by_ttl
    if profile[InFlightAtInvalidation] is InFlightAtInvalidation.FRESH and announced is Announced.IN_FLIGHT:
        return by_ttl
    return decide(False, "caching.notify.invalidates")


def _answer_from_stale(profile: Profile, stored: Stored, fetch: Fetched) -> Decision[Answer]:
    if fetch is Fetched.RESULT:
        anew = ("caching.ttl.zero-refetch",) if stored.lifetime_ms == 0 else ()
        return decide(Answer(True, Gives.FETCHED), "caching.freshness.refetch-when-stale", *anew)
    served = profile[StaleOnError] is StaleOnError.SERVE_STALE
    if served and stored.lifetime_ms == 0:
        served = profile[ZeroLifetimeEntries] is ZeroLifetimeEntries.KEPT_FOR_ERRORS
    gives = Gives.CACHED if served else Gives.ERROR
    return decide(Answer(True, gives), "caching.freshness.refetch-when-stale", "caching.freshness.stale-on-error")


# --- what notifications do ------------------------------------------------------------------------------------------

RESOURCE_LIST_CHANGED: Final = "notifications/resources/list_changed"

LIST_CHANGED: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("notifications/tools/list_changed", "tools", ("tools/list",)),
    ("notifications/prompts/list_changed", "prompts", ("prompts/list",)),
    (RESOURCE_LIST_CHANGED, "resources", ("resources/list", "resources/templates/list")),
)
"""Each notification of a changed list, the capability that announces it, and the methods whose results it concerns."""


@function("caching.invalidated")
def invalidated(
    profile: Profile,
    notification: JsonObject,
    entries: list[Request],
    capabilities: JsonObject,
    subscriptions: list[Json],
) -> Decision[list[int]]:
    """Which cached responses a notification makes stale at once: their positions in `entries`, from 0.

    `entries` are the requests that the cached responses answered, `capabilities` what the server advertises and
    `subscriptions` the ids of the client's open `subscriptions/listen` requests.

    Source: server/utilities/caching#interaction-with-notifications.
    """
    concerned = [at for at, entry in enumerate(entries) if _concerns(profile, notification, entry)]
    if not _advertised(capabilities, notification):
        return _unadvertised(profile, concerned)
    ignored = profile[UnsolicitedListChanged] is UnsolicitedListChanged.IGNORE
    if ignored and not _subscribed(notification, subscriptions):
        return decide([], "meta.notification.subscription-id")
    return decide(concerned, "caching.notify.invalidates")


def _concerns(profile: Profile, notification: JsonObject, entry: Request) -> bool:
    method = member(notification, "method")
    if entry.method == "resources/read" and method == "notifications/resources/updated":
        return _names_resource(profile, member(notification, "params", "uri"), member(entry.params, "uri"))
    if entry.method == "resources/read" and method == RESOURCE_LIST_CHANGED:
        return profile[ListChangeVersusReads] is ListChangeVersusReads.DROP_READS
    if entry.method == "resources/templates/list" and method == RESOURCE_LIST_CHANGED:
        return profile[ListChangeVersusTemplates] is ListChangeVersusTemplates.DROP_TEMPLATES
    return any(name == method and entry.method in lists for name, _, lists in LIST_CHANGED)


def _names_resource(profile: Profile, updated: Json | Absent, held: Json | Absent) -> bool:
    """Whether the update of one URI makes the read of another, or the same, stale."""
    containing_too = profile[UpdateOfSubResource] is UpdateOfSubResource.CONTAINING_TOO
    if not is_string(updated) or not is_string(held):
        return False
    return updated == held or (containing_too and updated.startswith(held.removesuffix("/") + "/"))


def _advertised(capabilities: JsonObject, notification: JsonObject) -> bool:
    """Whether the server said that it sends this notification of a changed list; other notifications need no say."""
    method = member(notification, "method")
    return all(
        member(capabilities, capability, "listChanged") is True
        for name, capability, _ in LIST_CHANGED
        if name == method
    )


def _subscribed(notification: JsonObject, subscriptions: list[Json]) -> bool:
    subscription = member(notification, "params", "_meta", SUBSCRIPTION_ID)
    return any(equal(subscription, one) for one in subscriptions)


def _unadvertised(profile: Profile, concerned: list[int]) -> Decision[list[int]]:
    match profile[EarlyRefetch]:
        case EarlyRefetch.NEVER:
            return decide([], "caching.notify.ttl-alone-client")
        case EarlyRefetch.ON_GROUNDS | EarlyRefetch.ON_ANY_ERROR:
            return decide(concerned, "caching.freshness.early-refetch")


# --- the tool list as the source of request headers -----------------------------------------------------------------


class ToolList(enum.Enum):
    """What a client that is about to call a tool does for the schema which its parameter headers come from."""

    USE_HELD = "use-held"
    FETCH_FIRST = "fetch-first"


class Held(msgspec.Struct, frozen=True):
    """A tool list that the client received, whatever its age."""

    received_at: int
    lifetime_ms: int


@function("caching.tool-headers")
def tool_headers(profile: Profile, now: int, held: Held | None = None) -> Decision[ToolList]:
    """From which tool list a client builds the parameter headers of a call; `held` is the last one that it received.

    Source: server/utilities/caching#freshness-calculation, basic/transports/streamable-http#client-behavior.
    """
    if held is None:
        return decide(ToolList.FETCH_FIRST, "caching.freshness.lazy-check")
    fresh = is_fresh(held.received_at, held.lifetime_ms, now)
    if profile[StaleToolListForHeaders] is StaleToolListForHeaders.REFETCH_FIRST and not fresh.outcome:
        return decide(ToolList.FETCH_FIRST, "caching.freshness.refetch-when-stale", *fresh.because)
    because = ("caching.ttl.positive-fresh", *fresh.because) if fresh.outcome else ("headers.retry.refresh-tools-list",)
    return decide(ToolList.USE_HELD, *because)
