"""Cases of the caching rules."""

from __future__ import annotations

from typing import Any, Final

from spec_model.cases.messages import BAD, MALFORMED
from spec_model.cases.table import decisions

Members = dict[str, Any]

METHODS: Final[tuple[tuple[str, str, Members], ...]] = (
    ("discover", "server/discover", {"supportedVersions": ["2026-07-28"], "capabilities": {}}),
    ("tools-list", "tools/list", {"tools": []}),
    ("prompts-list", "prompts/list", {"prompts": []}),
    ("resources-list", "resources/list", {"resources": []}),
    ("templates-list", "resources/templates/list", {"resourceTemplates": []}),
    ("resources-read", "resources/read", {"contents": []}),
)
"""The six operations with cacheable results: a slug, the method, and the members of its own in a result."""

HINTS: Final[Members] = {"resultType": "complete", "ttlMs": 60_000, "cacheScope": "public"}
READ: Final[Members] = {"contents": [{"uri": "file:///a", "text": "A"}]}


def without(value: Members, *names: str) -> Members:
    """The object without these members."""
    return {name: held for name, held in value.items() if name not in names}


# --- the lifetime ---------------------------------------------------------------------------------------------------

lifetimes = decisions(
    "caching/lifetime",
    "caching.lifetime",
    {"BeyondSafeInteger": "Many readers of JSON cannot hold the ttlMs exactly"},
)
lifetimes("positive", "A positive ttlMs is the lifetime", ttl=300_000)
lifetimes("one", "A ttlMs of 1 is a lifetime of one millisecond", ttl=1)
lifetimes(
    "one-day",
    "A ttlMs of a day is a lifetime of a day",
    ttl=86_400_000,
    _see=("field:cache-absent-default-60s",),
    _note="A cap of the client's own shortens the freshness that the page asks for.",
)
lifetimes("zero", "A ttlMs of 0 is stale at once", ttl=0)
lifetimes("negative", "A negative ttlMs counts as 0", ttl=-5)
lifetimes("minus-one", "A ttlMs of -1 does not stand for a lifetime without end", ttl=-1)
lifetimes("beyond-int32-negative", "A ttlMs below -2^31 does not overflow", ttl=-(2**31) - 1)
lifetimes("absent", "A result without ttlMs is stale at once", _see=("field:cache-absent-default-60s",))
lifetimes("null", "A null ttlMs is none", ttl=None)
lifetimes("string", "A ttlMs of digits in a string is no integer", ttl="300000")
lifetimes("empty-string", "An empty string as ttlMs is no integer", ttl="")
lifetimes("true", "A ttlMs of true is no integer and not 1", ttl=True)
lifetimes("false", "A ttlMs of false is no integer and not 0", ttl=False)
lifetimes("array", "A ttlMs in an array is no integer", ttl=[300_000])
lifetimes("object", "An object as ttlMs is no integer", ttl={"ms": 300_000})
lifetimes("fraction", "A fractional ttlMs is no integer", ttl=1500.5)
lifetimes("small-fraction", "A fraction below 1 rounds down to 0", ttl=0.5)
lifetimes("negative-fraction", "A negative fraction never makes a negative lifetime", ttl=-0.5)
lifetimes("negative-mixed", "A negative number with a fraction never makes a negative lifetime", ttl=-1500.5)
lifetimes("integral-float", "1.0 is an integer", ttl=1.0)
lifetimes("exponent", "3e5 is an integer", ttl=3e5)
lifetimes("negative-zero", "-0.0 is an integer and is 0", ttl=-0.0)
lifetimes("beyond-int32", "A ttlMs beyond 32 bits does not overflow", ttl=2**31)
lifetimes("safe-maximum", "2^53-1 is the longest lifetime that is told exactly", ttl=2**53 - 1)
lifetimes(
    "beyond-2-53", "A ttlMs of 2^53+1 is an integer and is told as 2^53-1", ttl=2**53 + 1, _flags=("BeyondSafeInteger",)
)
lifetimes("beyond-int64", "A ttlMs beyond 64 bits does not overflow", ttl=2**64, _flags=("BeyondSafeInteger",))
lifetimes(
    "largest-double", "The largest double is an integer", ttl=1.7976931348623157e308, _flags=("BeyondSafeInteger",)
)

freshness = decisions("caching/freshness", "caching.is-fresh")
freshness("at-receipt", "A response is fresh at its receipt", received_at=1000, lifetime_ms=500, now=1000)
freshness(
    "last-millisecond",
    "A response is fresh in the last millisecond of its lifetime",
    received_at=1000,
    lifetime_ms=500,
    now=1499,
)
freshness(
    "expiry",
    "A response is stale at the instant at which its lifetime ends",
    received_at=1000,
    lifetime_ms=500,
    now=1500,
)
freshness("zero", "A lifetime of zero is not fresh at the receipt", received_at=1000, lifetime_ms=0, now=1000)
freshness("one", "A lifetime of one millisecond is fresh at the receipt", received_at=1000, lifetime_ms=1, now=1000)
freshness(
    "clock-set-back",
    "A positive lifetime is fresh on a clock that was set back",
    received_at=1000,
    lifetime_ms=1,
    now=900,
)
freshness(
    "before-epoch", "Times before the epoch of the clock count alike", received_at=-1000, lifetime_ms=500, now=-501
)
freshness(
    "before-epoch-expiry",
    "A lifetime can end before the epoch of the clock",
    received_at=-1000,
    lifetime_ms=500,
    now=-500,
)
freshness(
    "longest",
    "The longest lifetime does not overflow",
    received_at=1_700_000_000_000,
    lifetime_ms=2**53 - 1,
    now=1_700_000_000_001,
)

# --- what is kept ---------------------------------------------------------------------------------------------------

storage = decisions("caching/storage", "caching.storage")


def _kept(slug: str, title: str, result: Members, params: Members | None = None, **about: Any) -> None:
    asked = {"uri": "file:///a"} if params is None else params
    storage(slug, title, method="resources/read", params=asked, result={**READ, **result}, **about)


_kept("public", "A public result is stored", HINTS)
_kept("private", "A private result is stored for its own authorization context", {**HINTS, "cacheScope": "private"})
storage(
    "public-list",
    "A public list of tools is stored",
    method="tools/list",
    params={},
    result={**HINTS, "tools": []},
)
for _slug, _method, _own in METHODS:
    storage(
        f"without-scope/{_slug}",
        f"A {_method} result without cacheScope is not shared",
        method=_method,
        params={"uri": "file:///a"} if _method == "resources/read" else {},
        result={**_own, **without(HINTS, "cacheScope")},
    )
_kept("scope-null", "A null cacheScope is an unknown scope", {**HINTS, "cacheScope": None})
_kept(
    "scope-unknown",
    "An unknown cacheScope is not shared",
    {**HINTS, "cacheScope": "tenant"},
    _see=("field:cache-absent-default-60s",),
)
_kept("scope-upper-case", "Public with a capital letter is an unknown scope", {**HINTS, "cacheScope": "Public"})
_kept("scope-true", "A boolean cacheScope is an unknown scope", {**HINTS, "cacheScope": True})
_kept("zero-lifetime", "A result with a ttlMs of 0 is never fresh", {**HINTS, "ttlMs": 0})
_kept("one-millisecond", "A result with a ttlMs of 1 is stored", {**HINTS, "ttlMs": 1})
_kept("negative-lifetime", "A result with a negative ttlMs is never fresh", {**HINTS, "ttlMs": -1})
_kept("without-lifetime", "A result without ttlMs is used", without(HINTS, "ttlMs"))
_kept("lifetime-string", "A result whose ttlMs is a string is used", {**HINTS, "ttlMs": "60000"})
_kept(
    "without-hints",
    "A result without any hint is used",
    without(HINTS, "ttlMs", "cacheScope"),
)
storage(
    "list-without-hints",
    "A list without any hint is used and not discarded",
    method="tools/list",
    params={},
    result={"resultType": "complete", "tools": [{"name": "a", "inputSchema": {"type": "object"}}]},
    _see=("field:cache-hints-absent-list-rejected", "field:cache-absent-default-60s"),
)
_kept("without-result-type", "A result without resultType is stored like a complete one", without(HINTS, "resultType"))
_kept("interim", "An interim result is not stored even where it has hints", {**HINTS, "resultType": "input_required"})
_kept("other-result-type", "A result of an unknown type is invalid", {**HINTS, "resultType": "partial"})
_kept("result-type-null", "A null resultType is not an absent one", {**HINTS, "resultType": None})
_kept("result-type-case", "Complete with a capital letter is an unknown type", {**HINTS, "resultType": "Complete"})


def _of_extension(slug: str, title: str, *known: str) -> None:
    storage(
        slug,
        title,
        method="resources/read",
        params={"uri": "file:///a"},
        result={"resultType": "pending"},
        known_types=[*known],
    )


_of_extension("extension-type", "A result has the type of an extension in use", "pending")
_of_extension("extension-type-unknown", "A result has the type of an extension that is not in use")
_of_extension("extension-type-other", "A result has another type than that of the extension in use", "queued")
for _slug, _title, _retry in (
    ("state", "The result of a request that carries requestState is not stored", {"requestState": "s"}),
    (
        "responses",
        "The result of a request that carries inputResponses is not stored",
        {"inputResponses": {"q": {"action": "accept", "content": {"a": 1}}}},
    ),
    (
        "both",
        "The result of a request that carries inputResponses and requestState is not stored",
        {"inputResponses": {}, "requestState": "s"},
    ),
    ("empty-state", "An empty requestState makes a retry", {"requestState": ""}),
    ("empty-responses", "Empty inputResponses make a retry", {"inputResponses": {}}),
):
    _kept(
        f"retry-{_slug}",
        _title,
        HINTS,
        {"uri": "file:///a", **_retry},
        _see=("field:cache-mrtr-retry-result",) if _slug == "state" else (),
    )
_kept(
    "state-in-meta",
    "A member of _meta that is called requestState makes no retry",
    HINTS,
    {"uri": "file:///a", "_meta": {"requestState": "s"}},
)

# --- answering from the cache ---------------------------------------------------------------------------------------

answers = decisions("caching/answer", "caching.answer")

META: Final[Members] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def _token(token: str, **stands_for: Any) -> Members:
    return {"authorization": {"token": token, **stands_for}}


A: Final = _token("token-a")
B: Final = _token("token-b")
ALICE: Final[Members] = {
    "issuer": "https://login.example",
    "client": "app",
    "principal": "alice",
    "scopes": ["read", "write"],
}
ONE: Final[Members] = {"instance": "one"}
TWO: Final[Members] = {"instance": "two"}


def _answer(
    slug: str,
    title: str,
    /,
    *,
    stored: Members | None = None,
    asked: Members | None = None,
    now: int = 2_000,
    **members: Any,
) -> None:
    """An entry for `resources/read` that was received at 1000 with a lifetime of 10 s, unless said otherwise."""
    request: Members = {"method": "resources/read", "params": {"uri": "file:///a"}}
    entry = {**request, "scope": "private", "lifetime_ms": 10_000, "received_at": 1_000, **(stored or {})}
    same = {name: entry[name] for name in ("method", "params")}
    caller = {"caller": entry["caller"]} if "caller" in entry else {}
    answers(slug, title, stored=entry, asked={**same, **caller, **(asked or {})}, now=now, **members)


TOOLS: Final[Members] = {"method": "tools/list", "params": {}}

_answer("fresh", "A fresh entry answers the same request")
_answer("last-millisecond", "An entry answers in the last millisecond of its lifetime", now=10_999)
_answer("expired", "An entry whose lifetime has just ended leads to a fetch", now=11_000)
_answer(
    "needed-later",
    "An entry that expired between preparing and sending the request leads to a fetch",
    stored={"received_at": 0, "lifetime_ms": 1_000},
    now=1_500,
    _see=("field:cache-freshness-at-build-time",),
)
_answer(
    "zero-lifetime", "An entry with a lifetime of zero leads to a fetch each time", stored={"lifetime_ms": 0}, now=1_000
)
for _what in ("error", "nothing"):
    _called = {"error": "an error", "nothing": "no response"}[_what]
    _answer(f"failed/stale-{_what}", f"Fetching a stale entry again brings {_called}", now=11_000, fetch=_what)
    _answer(
        f"failed/zero-{_what}",
        f"Fetching an entry with a lifetime of zero again brings {_called}",
        stored={"lifetime_ms": 0},
        fetch=_what,
    )
    _answer(
        f"failed/other-uri-{_what}",
        f"Fetching another resource brings {_called}",
        asked={"params": {"uri": "file:///b"}},
        fetch=_what,
    )
    _answer(
        f"failed/other-token-{_what}",
        f"Fetching what another token holds privately brings {_called}",
        stored={"caller": A},
        asked={"caller": B},
        fetch=_what,
    )
_answer("failed/fresh", "A fresh entry answers while the server cannot be reached", fetch="nothing")
_answer(
    "failed/invalidated",
    "Fetching an invalidated entry again brings no response",
    announced="after-receipt",
    fetch="nothing",
)

# The key.
_answer(
    "key/other-method",
    "A list of resources does not answer a request for the templates",
    stored={"method": "resources/list", "params": {}},
    asked={"method": "resources/templates/list"},
)
_answer("key/other-uri", "A read does not answer a read of another resource", asked={"params": {"uri": "file:///b"}})
_answer("key/uri-case", "URIs that differ in case are different parameters", asked={"params": {"uri": "FILE:///a"}})
_answer(
    "key/uri-slash", "URIs that differ in a slash are different parameters", asked={"params": {"uri": "file:///a/"}}
)
_answer(
    "key/uri-unicode",
    "URIs that differ in Unicode normalization are different parameters",
    stored={"params": {"uri": "file:///caf\u00e9"}},
    asked={"params": {"uri": "file:///cafe\u0301"}},
)
_answer(
    "key/other-cursor",
    "A page does not answer a request for another page",
    stored={"method": "tools/list", "params": {"cursor": "a"}},
    asked={"params": {"cursor": "b"}},
)
_answer(
    "key/first-page",
    "A later page does not answer a request for the first page",
    stored={"method": "tools/list", "params": {"cursor": "a"}},
    asked={"params": {}},
)
_answer(
    "key/empty-cursor",
    "The first page does not answer a request with an empty cursor",
    stored=TOOLS,
    asked={"params": {"cursor": ""}},
)
_answer(
    "key/unknown-param", "An unknown parameter makes another request", asked={"params": {"uri": "file:///a", "x": 1}}
)
_answer(
    "key/unknown-param-same",
    "An unknown parameter with the same value makes the same request",
    stored={"params": {"uri": "file:///a", "x": {"a": 1, "b": 2}}},
    asked={"params": {"x": {"b": 2, "a": 1}, "uri": "file:///a"}},
)
_answer(
    "key/retry",
    "A retry with requestState is not answered from the entry of the plain request",
    asked={"params": {"uri": "file:///a", "requestState": "s"}},
)
for _slug, _key, _one, _other, _what in (
    ("progress", "progressToken", 1, 2, "progress token"),
    (
        "client-info",
        "io.modelcontextprotocol/clientInfo",
        {"name": "a", "version": "1"},
        {"name": "b", "version": "1"},
        "client identity",
    ),
    ("log-level", "io.modelcontextprotocol/logLevel", "error", "debug", "log level"),
    (
        "traceparent",
        "traceparent",
        "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
        "00-1af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
        "trace parent",
    ),
    ("tracestate", "tracestate", "a=1", "a=2", "trace state"),
    ("baggage", "baggage", "k=1", "k=2", "baggage"),
    ("version", "io.modelcontextprotocol/protocolVersion", "2026-07-28", "2027-01-01", "protocol version"),
    ("capabilities", "io.modelcontextprotocol/clientCapabilities", {}, {"elicitation": {}}, "client capabilities"),
    ("extension", "com.example/tenant", "a", "b", "extension key"),
):
    _answer(
        f"key/meta-{_slug}",
        f"The _meta of the two requests differs in the {_what}",
        stored={"params": {"uri": "file:///a", "_meta": {**META, _key: _one}}},
        asked={"params": {"uri": "file:///a", "_meta": {**META, _key: _other}}},
    )
_answer(
    "key/meta-same",
    "The two requests have the same _meta",
    stored={"params": {"uri": "file:///a", "_meta": {**META, "progressToken": 1}}},
)
_answer(
    "key/meta-absent",
    "One of the two requests has no _meta",
    stored={"params": {"uri": "file:///a", "_meta": META}},
    asked={"params": {"uri": "file:///a"}},
)

# The authorization context.
_answer("context/same-token", "A private entry answers under the same access token", stored={"caller": A})
_answer(
    "context/other-token",
    "A private entry does not answer under another access token",
    stored={"caller": A},
    asked={"caller": B},
    _see=("field:cache-shared-store-default-partition",),
)
_answer(
    "context/other-token-list",
    "A private list does not answer under another access token",
    stored={**TOOLS, "caller": A},
    asked={"caller": B},
)
_answer(
    "context/token-then-none",
    "A private entry of a token does not answer a caller without credential",
    stored={"caller": A},
    asked={"caller": {}},
)
_answer(
    "context/none-then-token",
    "A private entry obtained without credential does not answer under a token",
    stored={"caller": {}},
    asked={"caller": A},
)
_answer(
    "context/none-same-instance", "A private entry answers the client instance that obtained it", stored={"caller": ONE}
)
_answer(
    "context/none-other-instance",
    "A private entry obtained without credential is asked for by another client instance",
    stored={"caller": ONE},
    asked={"caller": TWO},
)
_answer(
    "context/renewed-token",
    "A renewed token of the same principal and grant asks for a private entry",
    stored={"caller": _token("token-a", **ALICE)},
    asked={"caller": _token("token-b", **ALICE)},
)
_answer(
    "context/renewed-scope-order",
    "The order of the scopes of a renewed token does not matter",
    stored={"caller": _token("token-a", **ALICE)},
    asked={"caller": _token("token-b", **{**ALICE, "scopes": ["write", "read"]})},
)
for _slug, _member, _value, _what in (
    ("principal", "principal", "bob", "another principal"),
    ("scopes", "scopes", ["read"], "fewer scopes"),
    ("issuer", "issuer", "https://other.example", "another issuer"),
    ("client", "client", "tool", "another client"),
):
    _answer(
        f"context/renewed-{_slug}",
        f"A private entry does not answer under a token of {_what}",
        stored={"caller": _token("token-a", **ALICE)},
        asked={"caller": _token("token-b", **{**ALICE, _member: _value})},
    )
_answer(
    "context/unknown-principals",
    "Two tokens of which nothing is known are two contexts",
    stored={"caller": _token("token-a", issuer="https://login.example")},
    asked={"caller": _token("token-b", issuer="https://login.example")},
)
_answer(
    "context/public-same-token", "A public entry answers under the same token", stored={"scope": "public", "caller": A}
)
_answer(
    "context/public-other-token",
    "A public entry is asked for under another token",
    stored={"scope": "public", "caller": A},
    asked={"caller": B},
)
_answer(
    "context/public-list-other-token",
    "A public tool list obtained under one token is asked for under another",
    stored={**TOOLS, "scope": "public", "caller": A},
    asked={"caller": B},
)
_answer(
    "context/public-expired",
    "A public entry that has expired leads to a fetch under every token",
    stored={"scope": "public", "caller": A},
    asked={"caller": B},
    now=11_000,
)
_answer(
    "context/gateway-public",
    "A shared gateway holds a public entry that another user asks for",
    stored={"scope": "public", "caller": A},
    asked={"caller": B},
    holder="intermediary",
)
_answer(
    "context/gateway-public-same-user",
    "A shared gateway holds a public entry that the same user asks for",
    stored={"scope": "public", "caller": A},
    holder="intermediary",
)
_answer(
    "context/gateway-private",
    "A shared gateway does not serve a private entry to another user",
    stored={"caller": A},
    asked={"caller": B},
    holder="intermediary",
)

# Notifications, and grounds to fetch early.
_answer("announced/after-receipt", "An announced change makes a fresh entry stale", announced="after-receipt")
_answer("announced/in-flight", "A change was announced while the response was on its way", announced="in-flight")
_answer("announced/expired", "An announced change does not revive an expired entry", announced="in-flight", now=11_000)
for _advertised in (True, False):
    _words = "with" if _advertised else "without"
    _slug = "advertised" if _advertised else "not-advertised"
    _answer(
        f"listening/{_slug}-fresh",
        f"A fresh list answers {_words} listChanged advertised and nothing announced",
        stored=TOOLS,
        list_changed=_advertised,
    )
    _answer(
        f"listening/{_slug}-expired",
        f"An expired list leads to a fetch {_words} listChanged advertised and nothing announced",
        stored=TOOLS,
        list_changed=_advertised,
        now=11_000,
    )
_answer(
    "listening/advertised-announced",
    "An announced change of an advertised list leads to a fetch",
    stored=TOOLS,
    list_changed=True,
    announced="after-receipt",
)
for _code, _slug, _what in ((-32601, "not-found", "method not found"), (-32602, "invalid-params", "invalid params")):
    _answer(
        f"doubt/{_slug}", f"A tool call ended with {_what} while the tool list is fresh", stored=TOOLS, tool_error=_code
    )
    _answer(
        f"doubt/{_slug}-failed",
        f"A tool call ended with {_what} and the tool list cannot be fetched",
        stored=TOOLS,
        tool_error=_code,
        fetch="nothing",
    )
_answer(
    "doubt/internal-error",
    "A tool call ended with an internal error while the tool list is fresh",
    stored=TOOLS,
    tool_error=-32603,
)
_answer("doubt/no-error", "No tool call ended with an error while the tool list is fresh", stored=TOOLS)
_answer(
    "doubt/other-list",
    "A failed tool call leaves the prompt list fresh",
    stored={"method": "prompts/list", "params": {}},
    tool_error=-32602,
)
_answer(
    "doubt/expired",
    "A failed tool call does not revive an expired tool list",
    stored=TOOLS,
    tool_error=-32602,
    now=11_000,
)

# --- what notifications do ------------------------------------------------------------------------------------------

notified = decisions("caching/invalidated", "caching.invalidated", MALFORMED)

ENTRIES: Final[list[Members]] = [
    {"method": "server/discover"},
    {"method": "tools/list"},
    {"method": "tools/list", "params": {"cursor": "p2"}},
    {"method": "prompts/list"},
    {"method": "resources/list"},
    {"method": "resources/templates/list"},
    {"method": "resources/read", "params": {"uri": "file:///a"}},
    {"method": "resources/read", "params": {"uri": "file:///b"}},
]
"""One entry of each operation, two pages of one list, and reads of two resources."""

WITHOUT_READS: Final = ENTRIES[:6]
ADVERTISED: Final[Members] = {
    "tools": {"listChanged": True},
    "prompts": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
}


def _notified(
    slug: str, title: str, /, method: Any, *, params: Any = None, subscription: Any = "s1", **members: Any
) -> None:
    about: Members = {} if subscription is None else {"_meta": {"io.modelcontextprotocol/subscriptionId": subscription}}
    notification = {"jsonrpc": "2.0", "method": method, "params": {**(params or {}), **about}}
    given = {"entries": ENTRIES, "capabilities": ADVERTISED, "subscriptions": ["s1"], **members}
    notified(slug, title, notification=notification, **given)


TOOLS_CHANGED: Final = "notifications/tools/list_changed"
RESOURCES_CHANGED: Final = "notifications/resources/list_changed"
UPDATED: Final = "notifications/resources/updated"

_notified("tools", "A changed tool list makes every page of it stale and nothing else", TOOLS_CHANGED)
_notified(
    "prompts", "A changed prompt list makes that list stale and nothing else", "notifications/prompts/list_changed"
)
_notified(
    "resources",
    "A changed resource list makes the list of resources stale, and what else it concerns",
    RESOURCES_CHANGED,
    _see=("field:cache-resources-list-changed-drops-reads",),
)
_notified(
    "resources-without-reads",
    "A changed resource list finds no cached reads",
    RESOURCES_CHANGED,
    entries=WITHOUT_READS,
)
_notified("updated", "An updated resource makes the reads of its URI stale", UPDATED, params={"uri": "file:///a"})
_notified(
    "updated-other",
    "An update of a resource that is not cached leaves everything as it is",
    UPDATED,
    params={"uri": "file:///c"},
)
_notified(
    "updated-prefix",
    "An update names a resource below a cached one",
    UPDATED,
    params={"uri": "file:///a/b"},
)
_notified(
    "updated-below-slash",
    "An update names a resource below a cached one whose URI ends with a slash",
    UPDATED,
    params={"uri": "file:///a/b"},
    entries=[{"method": "resources/read", "params": {"uri": "file:///a/"}}],
)
_notified(
    "updated-sibling",
    "An update names a resource whose URI merely begins like a cached one",
    UPDATED,
    params={"uri": "file:///ab"},
)
_notified(
    "updated-above",
    "An update names the resource above a cached one",
    UPDATED,
    params={"uri": "file:///"},
)
_notified("updated-without-uri", "An update that names no resource leaves everything as it is", UPDATED, _flags=BAD)
_notified(
    "updated-uri-number",
    "An update whose URI is a number leaves everything as it is",
    UPDATED,
    params={"uri": 1},
    _flags=BAD,
)
_notified(
    "updated-unadvertised",
    "An update counts although no list is advertised",
    UPDATED,
    params={"uri": "file:///b"},
    capabilities={"resources": {"subscribe": True}},
)
_notified(
    "progress",
    "A progress notification leaves everything as it is",
    "notifications/progress",
    params={"progressToken": 1, "progress": 1},
)
_notified(
    "unknown", "An unknown notification leaves everything as it is", "notifications/roots/list_changed", capabilities={}
)
_notified("method-null", "A notification whose method is null leaves everything as it is", None, _flags=BAD)
for _slug, _capabilities, _what in (
    ("no-capabilities", {}, "no capability"),
    ("without-list-changed", {"tools": {}}, "the capability without listChanged"),
    ("false", {"tools": {"listChanged": False}}, "listChanged false"),
    ("other-list", {"prompts": {"listChanged": True}}, "listChanged of another list"),
    ("string", {"tools": {"listChanged": "true"}}, "listChanged as a string"),
):
    _notified(
        f"unadvertised/{_slug}",
        f"A changed tool list is notified by a server that advertises {_what}",
        TOOLS_CHANGED,
        capabilities=_capabilities,
    )
_notified(
    "subscription/none", "A changed tool list is notified without a subscription id", TOOLS_CHANGED, subscription=None
)
_notified(
    "subscription/other",
    "A changed tool list is notified with the id of no open subscription",
    TOOLS_CHANGED,
    subscription="s2",
)
_notified(
    "subscription/number",
    "A subscription id of another JSON type is another id",
    TOOLS_CHANGED,
    subscription="1",
    subscriptions=[1],
)
_notified(
    "subscription/second",
    "A changed tool list is notified for the second of two subscriptions",
    TOOLS_CHANGED,
    subscription=7,
    subscriptions=["s1", 7],
)
_notified(
    "subscription/updated-none",
    "An updated resource is notified without a subscription id",
    UPDATED,
    params={"uri": "file:///a"},
    subscription=None,
)
_notified(
    "subscription/none-unadvertised",
    "A server that advertises nothing notifies a changed tool list without a subscription id",
    TOOLS_CHANGED,
    subscription=None,
    capabilities={},
)

# --- the tool list as the source of request headers -----------------------------------------------------------------

headers = decisions("caching/tool-headers", "caching.tool-headers")
headers(
    "fresh",
    "A fresh tool list is the source of parameter headers",
    now=2_000,
    held={"received_at": 1_000, "lifetime_ms": 5_000},
)
headers(
    "expired",
    "The held tool list has expired when a tool is called",
    now=6_000,
    held={"received_at": 1_000, "lifetime_ms": 5_000},
)
headers(
    "zero-lifetime",
    "The held tool list has a lifetime of zero when a tool is called",
    now=1_000,
    held={"received_at": 1_000, "lifetime_ms": 0},
    _see=("field:cache-ttl-vs-header-mirroring",),
)
headers("none", "Without any tool list there is nothing to build headers from", now=2_000)

# --- the cached pages of a list -------------------------------------------------------------------------------------

pages = decisions("caching/pages", "caching.refresh-pages")
FIRST: Final[Members] = {"received_at": 0, "lifetime_ms": 600_000}
SECOND: Final[Members] = {"cursor": "c1", "received_at": 5_000, "lifetime_ms": 60_000}
pages("all-fresh", "No page has expired", pages=[FIRST, SECOND], now=60_000)
pages(
    "second-expired",
    "Only the expired page is fetched again, with its cursor",
    pages=[FIRST, SECOND],
    now=70_000,
    _see=("field:cache-aggregate-which-ttl",),
)
pages("own-clock", "A page that came later expires later", pages=[FIRST, SECOND], now=64_999)
pages("own-clock-expiry", "A page expires by the time of its own receipt", pages=[FIRST, SECOND], now=65_000)
pages(
    "first-expired",
    "The first page is fetched again without a cursor",
    pages=[{**FIRST, "lifetime_ms": 1_000}, SECOND],
    now=6_000,
)
pages("all-expired", "Every expired page is fetched again", pages=[FIRST, SECOND], now=600_000)
pages(
    "empty-cursor",
    "A page with an empty cursor is fetched again with the empty cursor",
    pages=[FIRST, {**SECOND, "cursor": ""}],
    now=70_000,
)
pages(
    "snapshot",
    "A caller that needs one consistent list gets it from the beginning",
    pages=[FIRST, SECOND],
    now=70_000,
    snapshot=True,
)
pages(
    "snapshot-fresh",
    "Fresh pages of different times make no consistent list",
    pages=[FIRST, SECOND],
    now=60_000,
    snapshot=True,
)

wholes = decisions("caching/whole", "caching.aggregate-pages")
PUBLIC_FIRST: Final[Members] = {**FIRST, "scope": "public"}
PUBLIC_SECOND: Final[Members] = {**SECOND, "scope": "public"}
wholes(
    "shortest",
    "The whole list is stale as soon as one page is",
    pages=[PUBLIC_FIRST, PUBLIC_SECOND],
    _see=("field:cache-aggregate-which-ttl",),
)
wholes(
    "earliest",
    "The page that expires first counts, not the shortest lifetime",
    pages=[PUBLIC_FIRST, {**PUBLIC_SECOND, "received_at": 599_000}],
)
wholes(
    "one-private",
    "The whole list is private when one page is",
    pages=[PUBLIC_FIRST, {**PUBLIC_SECOND, "scope": "private"}],
)
wholes("one-page", "A list of one page has the hints of that page", pages=[PUBLIC_FIRST])
wholes(
    "zero",
    "A page with a lifetime of zero makes the whole list stale",
    pages=[{**PUBLIC_FIRST, "lifetime_ms": 0}, PUBLIC_SECOND],
)

failures = decisions("caching/page-failed", "caching.page-failed")
failures("invalid-params", "A formerly valid cursor is refused with -32602", cursor="c1", code=-32602)
failures("empty-cursor", "The empty cursor, formerly valid, is refused with -32602", cursor="", code=-32602)
failures(
    "internal-error",
    "A page request with a formerly valid cursor ends with an internal error",
    cursor="c1",
    code=-32603,
)
failures(
    "server-code",
    "A page request with a formerly valid cursor ends with a code of the server's own",
    cursor="c1",
    code=-32000,
)
failures("no-response", "A page request with a formerly valid cursor gets no response", cursor="c1")
failures(
    "never-valid",
    "A cursor that the server never gave out is refused with -32602",
    cursor="c1",
    code=-32602,
    was_valid=False,
)
failures("first-page", "The request for the first page ends with -32602", code=-32602)

# --- judging a server's hints ---------------------------------------------------------------------------------------

hints = decisions("caching/hints", "caching.judge-hints")
for _slug, _method, _own in METHODS:
    _whole = {**_own, **HINTS}
    hints(f"{_slug}/both", f"A {_method} result has both hints", method=_method, result=_whole)
    hints(f"{_slug}/no-ttl", f"A {_method} result lacks ttlMs", method=_method, result=without(_whole, "ttlMs"))
    hints(
        f"{_slug}/no-scope",
        f"A {_method} result lacks cacheScope",
        method=_method,
        result=without(_whole, "cacheScope"),
    )
    hints(
        f"{_slug}/none",
        f"A {_method} result lacks both hints",
        method=_method,
        result=without(_whole, "ttlMs", "cacheScope"),
        _see=("field:cache-hints-absent-list-rejected",) if _method == "tools/list" else (),
    )


def _hinted(slug: str, title: str, /, **changes: Any) -> None:
    hints(slug, title, method="resources/read", result={**READ, **HINTS, **changes})


_hinted("private", "A scope of private is one of the two", cacheScope="private")
_hinted("zero", "A ttlMs of 0 is permitted", ttlMs=0)
_hinted("integral-float", "A ttlMs of 1.0 is an integer", ttlMs=1.0)
_hinted("beyond-2-53", "A ttlMs of 2^53+1 is an integer", ttlMs=2**53 + 1)
_hinted("negative", "A negative ttlMs is sent", ttlMs=-1)
_hinted("fraction", "A fractional ttlMs is sent", ttlMs=1500.5)
_hinted("negative-fraction", "A negative fraction is sent as ttlMs", ttlMs=-0.5)
_hinted("ttl-string", "A ttlMs is sent as a string", ttlMs="60000")
_hinted("ttl-null", "A null ttlMs is sent", ttlMs=None)
_hinted("ttl-true", "A boolean ttlMs is sent", ttlMs=True)
_hinted("scope-unknown", "An unknown cacheScope is sent", cacheScope="tenant")
_hinted("scope-upper-case", "A cacheScope with a capital letter is sent", cacheScope="Private")
_hinted("scope-null", "A null cacheScope is sent", cacheScope=None)
_hinted("scope-array", "A cacheScope in an array is sent", cacheScope=["public"])
hints(
    "in-meta",
    "Hints inside _meta are no hints",
    method="tools/list",
    result={"resultType": "complete", "tools": [], "_meta": {"ttlMs": 1, "cacheScope": "public"}},
)
hints(
    "without-result-type",
    "A result without resultType counts as complete",
    method="tools/list",
    result={"tools": [], "ttlMs": 60_000},
)
hints(
    "other-type",
    "A result of another type than complete owes no hints",
    method="tools/list",
    result={"resultType": "partial", "tools": []},
)
hints(
    "other-type-ttl",
    "What a result of another type has as ttlMs is no hint",
    method="tools/list",
    result={"resultType": "partial", "tools": [], "ttlMs": "soon", "cacheScope": "all"},
)
for _slug, _extra, _what in (
    ("plain", {}, "no hints"),
    ("ttl", {"ttlMs": 0}, "a ttlMs"),
    ("scope", {"cacheScope": "private"}, "a cacheScope"),
    ("both", {"ttlMs": 0, "cacheScope": "private"}, "both hints"),
):
    hints(
        f"interim/{_slug}",
        f"An interim result has {_what}",
        method="resources/read",
        result={"resultType": "input_required", "requestState": "s", **_extra},
    )

page_hints = decisions("caching/page-hints", "caching.judge-pages")


def _pages(slug: str, title: str, /, *changes: Members) -> None:
    held = [{"tools": [], **HINTS, "nextCursor": f"c{number}", **change} for number, change in enumerate(changes, 1)]
    held[-1] = without(held[-1], "nextCursor")
    page_hints(
        slug,
        title,
        method="tools/list",
        pages=[without(page, *(k for k, v in page.items() if v is None)) for page in held],
    )


_pages("same-scope", "All pages of a list have the same scope", {}, {})
_pages("other-ttl", "Pages of a list differ in their lifetimes", {"ttlMs": 600_000}, {"ttlMs": 1_000})
_pages("all-private", "All pages of a list are private", {"cacheScope": "private"}, {"cacheScope": "private"})
_pages("private-then-public", "A public page follows a private one", {"cacheScope": "private"}, {})
_pages("public-then-private", "A private page follows a public one", {}, {"cacheScope": "private"})
_pages("third-differs", "The third page has another scope than the first two", {}, {}, {"cacheScope": "private"})
_pages("second-without-ttl", "The second page has no ttlMs of its own", {}, {"ttlMs": None})
_pages("second-without-scope", "The second page has no cacheScope", {}, {"cacheScope": None}, {})
_pages("first-without-scope", "Only the first page has no cacheScope", {"cacheScope": None}, {}, {})
_pages("one-page", "A list of one page has hints", {})
page_hints(
    "interim",
    "A result that asks for input is no page",
    method="tools/list",
    pages=[{"resultType": "input_required", "requestState": "s"}, {"tools": [], **HINTS}],
)
page_hints(
    "other-type",
    "A result of another type than complete is no page, whatever its scope",
    method="tools/list",
    pages=[{"resultType": "partial", "cacheScope": "private"}, {"tools": [], **HINTS}],
)

scopes = decisions("caching/scope", "caching.judge-scope")
for _slug, _method, _ in METHODS:
    scopes(
        f"{_slug}/common-public",
        f"A {_method} result that is the same for all users is public",
        method=_method,
        holds="common",
        scope="public",
    )
    for _scope in ("public", "private"):
        scopes(
            f"{_slug}/varying-{_scope}",
            f"A {_method} result that differs between users is {_scope}",
            method=_method,
            holds="varying",
            scope=_scope,
            _see=("field:cache-public-on-filtered-list",) if (_method, _scope) == ("tools/list", "public") else (),
        )
        scopes(
            f"{_slug}/user-data-{_scope}",
            f"A {_method} result with data of a user is {_scope}",
            method=_method,
            holds="user-data",
            scope=_scope,
        )
scopes(
    "discover/common-private",
    "A server/discover result that is the same for all users is private",
    method="server/discover",
    holds="common",
    scope="private",
)

# --- judging a client's fetches -------------------------------------------------------------------------------------

polling = decisions("caching/polling", "caching.judge-polling")


def _polled(
    slug: str, title: str, /, *times: int, cause: str = "timer", failed: bool = False, ttl: int | None = 300_000
) -> None:
    """A caller fetches at 0, and what follows at `times` has one cause; all bring this lifetime, or all fail."""
    brings: Members = {"failed": True} if failed else {} if ttl is None else {"ttl_ms": ttl}
    first = {"at": 0, "cause": "access", **brings}
    polling(slug, title, fetches=[first, *({"at": at, "cause": cause, **brings} for at in times)])


_polled("on-access", "Every fetch is wanted by a caller", 60_000, 120_000, 180_000, cause="access", ttl=60_000)
_polled("on-access-irregular", "Callers want fetches at irregular times", 57_000, 120_500, 178_200, cause="access")
_polled("no-timer", "A single fetch is wanted by a caller")
_polled("one-timer", "One fetch is caused by a timer", 60_000)
_polled("one-lifetime", "One fetch of a timer at the end of a lifetime is too little to tell", 60_000, ttl=60_000)
_polled("by-lifetime", "A timer fetches at the end of each lifetime", 60_000, 120_000, ttl=60_000)
_polled("by-lifetime-unknown", "A timer fetches at equal times where no lifetime is known", 60_000, 120_000, ttl=None)
_polled("near-lifetime", "A timer fetches about the end of each lifetime", 60_000, 120_001, 179_500, ttl=60_000)
_polled("regular", "A client polls at equal intervals", 60_000, 120_000, 180_000)
_polled("regular-by-lifetime", "A client polls at each end of a lifetime", 60_000, 120_000, 180_000, ttl=60_000)
_polled("regular-twice", "Two equal waits are too few to tell", 60_000, 120_000)
_polled("doubling", "A client doubles its waits to the millisecond", 1_000, 3_000, 7_000)
_polled("jittered", "A client polls at irregular intervals", 57_000, 120_500, 178_200)
polling(
    "changing-lifetimes",
    "A timer follows lifetimes that change",
    fetches=[
        {"at": 0, "cause": "access", "ttl_ms": 60_000},
        {"at": 60_000, "cause": "timer", "ttl_ms": 10_000},
        {"at": 70_000, "cause": "timer", "ttl_ms": 30_000},
        {"at": 100_000, "cause": "timer", "ttl_ms": 60_000},
    ],
)
polling(
    "failure-between",
    "A timer fetches at the end of each lifetime, and after a failure at another time",
    fetches=[
        {"at": 0, "cause": "access", "ttl_ms": 60_000},
        {"at": 60_000, "cause": "timer", "failed": True},
        {"at": 61_000, "cause": "timer", "ttl_ms": 60_000},
        {"at": 121_000, "cause": "timer", "ttl_ms": 60_000},
    ],
)
polling(
    "access-between",
    "A caller's fetch between two polls is no poll",
    fetches=[
        {"at": at, "cause": "access" if at == 100_000 else "timer"} for at in (0, 60_000, 100_000, 160_000, 220_000)
    ],
)
_FAILING = (1_000, 1_990, 2_900, 3_850, 4_800)
_polled("failing-on-access", "Callers fetch again and again while all fails", *_FAILING, cause="access", failed=True)
_polled("failing-without-backoff", "Five waits after failures never exceed the first", *_FAILING, failed=True)
_polled("failing-first-again", "The last of five waits equals the first", *_FAILING[:4], 4_850, failed=True)
_polled("failing-four-waits", "Four waits after failures are too few to tell", *_FAILING[:4], failed=True)
_polled("failing-one-longer", "One of five waits after failures exceeds the first", *_FAILING[:4], 4_851, failed=True)
_polled("succeeding", "Five waits after successes never exceed the first", *_FAILING)
