"""Scenarios: what a client with a cache fetches, and when."""

from __future__ import annotations

from spec_model.cases.client_material import (
    acknowledged,
    contents,
    discovered,
    discovery,
    error,
    of_subscription,
    page,
    status,
    tools,
)
from spec_model.cases.scenario_table import call, client, on, say, scenarios, wait

caching = scenarios("caching", "What a client with a cache fetches, and when.")

FIND = call(0, "find", "discover")
TOOLS = "tools/list"
READ = "resources/read"
CACHE = ("cache",)
STALE = ("caching.freshness.refetch-when-stale", "caching.freshness.lazy-check")

# --- freshness --------------------------------------------------------------------------------------------------------

for transport in ("stdio", "http"):
    caching(
        f"fresh-then-stale/{transport}",
        f"A list is kept while it is fresh, and fetched again when it is needed afterwards ({transport})",
        client(transport),
        [discovered(), on(TOOLS, nth=1, result=tools("a", ttl=300_000)), on(TOOLS, result=tools("b", ttl=300_000))],
        [
            FIND,
            call(1_000, "first", TOOLS),
            call(121_000, "hit", TOOLS),
            call(300_900, "last-hit", TOOLS),
            call(302_000, "miss", TOOLS),
        ],
        _shows=STALE,
        _needs=CACHE,
    )
caching(
    "at-the-moment",
    "A list is stale at the very moment at which its lifetime is over",
    client(),
    [discovered(), on(TOOLS, result=tools("a", ttl=1_000))],
    [FIND, call(1_000, "first", TOOLS), call(1_999, "hit", TOOLS), call(2_000, "miss", TOOLS)],
    _shows=STALE,
    _needs=(*CACHE, "virtual-clock"),
)
caching(
    "from-receipt",
    "The lifetime begins when the response comes in, not when the request goes out",
    client(),
    [discovered(), on(TOOLS, result=tools("a", ttl=2_000), delay_ms=1_500)],
    [FIND, call(1_000, "first", TOOLS), call(4_000, "hit", TOOLS), call(5_000, "miss", TOOLS)],
    _end=7_000,
    _shows=STALE,
    _needs=CACHE,
)
caching(
    "when-needed",
    "Freshness counts at the time of the need, not at that of an earlier look",
    client(),
    [discovered(), on(TOOLS, result=tools("a", ttl=1_000))],
    [FIND, call(100, "first", TOOLS), call(600, "hit", TOOLS), call(1_600, "miss", TOOLS)],
    _shows=STALE,
    _see=("field:cache-freshness-at-build-time",),
    _needs=CACHE,
)
caching(
    "no-polling",
    "Nothing is fetched in the background when a lifetime ends",
    client(),
    [
        discovered(ttl=1_000),
        on(TOOLS, result=tools("a", ttl=1_000)),
        on(READ, result=contents("text://one", "1", 1_000)),
    ],
    [
        FIND,
        call(100, "list", TOOLS),
        call(200, "read", READ, uri="text://one"),
        wait(2_000),
        wait(10_000),
        wait(100_000),
    ],
    _end=1_000_000,
    _shows=("caching.poll.not-interval", "caching.freshness.lazy-check"),
    _needs=CACHE,
)
caching(
    "zero",
    "A lifetime of 0 means a fetch whenever the list is needed",
    client(),
    [discovered(), on(TOOLS, result=tools("a", ttl=0))],
    [FIND, call(100, "first", TOOLS), call(200, "second", TOOLS), call(500, "third", TOOLS)],
    _shows=("caching.freshness.refetch-when-stale",),
)
caching(
    "negative",
    "A negative lifetime counts as 0",
    client(),
    [discovered(), on(TOOLS, result=tools("a", ttl=-300_000))],
    [FIND, call(100, "first", TOOLS), call(200, "second", TOOLS)],
    _shows=("caching.freshness.refetch-when-stale",),
    _flags=("malformed",),
)
caching(
    "absent",
    "A list without hints is used, and fetched again when it is needed",
    client(),
    [discovered(), on(TOOLS, result=page(TOOLS, "a", ttl=None))],
    [FIND, call(100, "first", TOOLS), call(200, "second", TOOLS)],
    _about=("caching.ttl.absent-as-zero",),
    _see=("field:cache-hints-absent-list-rejected", "field:cache-absent-default-60s"),
    _flags=("malformed",),
)
caching(
    "unknown-scope",
    "A list with an unknown scope is kept for its own caller, used once, or refused",
    client(),
    [discovered(), on(TOOLS, result=page(TOOLS, "a", ttl=60_000, scope="tenant"))],
    [FIND, call(100, "first", TOOLS), call(200, "second", TOOLS)],
    _about=("caching.scope.private-isolation",),
    _see=("field:cache-absent-default-60s",),
    _needs=CACHE,
    _flags=("malformed",),
)
caching(
    "long",
    "A long lifetime is kept to",
    client(),
    [discovered(), on(TOOLS, result=tools("a", ttl=86_400_000))],
    [FIND, call(100, "first", TOOLS), call(80_000_000, "hit", TOOLS), call(90_000_000, "miss", TOOLS)],
    _shows=("caching.freshness.refetch-when-stale",),
    _see=("field:cache-absent-default-60s",),
    _needs=CACHE,
    _note="The lifetime is a permission, so a client may cap it; one that does is not tested with this scenario.",
)
caching(
    "discovery",
    "A discovery result is kept, too",
    client(),
    [on("server/discover", result=discovery(ttl=10_000))],
    [FIND, call(5_000, "hit", "discover"), call(15_000, "miss", "discover")],
    _shows=STALE,
    _needs=CACHE,
)
caching(
    "reads",
    "What was read is kept by its URI",
    client(),
    [
        discovered(),
        on(READ, params={"uri": "text://one"}, result=contents("text://one", "One", 10_000)),
        on(READ, params={"uri": "text://two"}, result=contents("text://two", "Two", 20_000)),
    ],
    [
        FIND,
        call(100, "one", READ, uri="text://one"),
        call(200, "two", READ, uri="text://two"),
        call(300, "one-again", READ, uri="text://one"),
        call(400, "two-again", READ, uri="text://two"),
        call(15_000, "one-later", READ, uri="text://one"),
        call(15_100, "two-later", READ, uri="text://two"),
    ],
    _shows=("caching.freshness.refetch-when-stale",),
    _needs=CACHE,
)
caching(
    "interim",
    "Neither a request for input nor the answer to its retry is kept",
    client(capabilities={"elicitation": {}}, answers={"elicitation/create": {"action": "accept", "content": {}}}),
    [
        discovered(),
        on(READ, params={"requestState": "s"}, result=contents("text://one", "One", 600_000, "public")),
        on(READ, result={"resultType": "input_required", "requestState": "s"}),
    ],
    [FIND, call(100, "first", READ, uri="text://one"), call(200, "second", READ, uri="text://one")],
    _about=("caching.key.retry-not-cached",),
    _see=("field:cache-mrtr-retry-result",),
    _needs=("input-requests",),
)
caching(
    "two-callers",
    "A list that came slowly is fresh for the next caller, too",
    client(),
    [discovered(), on(TOOLS, result=tools("a", ttl=10_000), delay_ms=500)],
    [FIND, call(100, "first", TOOLS), call(1_000, "second", TOOLS), call(12_000, "third", TOOLS)],
    _end=13_000,
    _shows=("caching.freshness.refetch-when-stale",),
    _needs=CACHE,
)

A, B = {"token": "token-a"}, {"token": "token-b"}

for scope, title in (
    ("private", "What is private goes to no caller with another token"),
    ("public", "What is public may go to a caller with another token"),
):
    caching(
        f"two-tokens/{scope}",
        title,
        client("http", **A),
        [discovered(), on(TOOLS, result=page(TOOLS, "a", ttl=600_000, scope=scope))],
        [
            FIND,
            call(100, "first", TOOLS, A),
            call(200, "other", TOOLS, B),
            call(300, "first-again", TOOLS, A),
            call(400, "other-again", TOOLS, B),
        ],
        _about=(f"caching.scope.{scope}-{'isolation' if scope == 'private' else 'client'}",),
        _see=("field:cache-shared-store-default-partition",),
        _needs=(*CACHE, "tokens"),
    )

# --- failures ---------------------------------------------------------------------------------------------------------

for transport in ("stdio", "http"):
    caching(
        f"stale-on-error/{transport}",
        f"Where a stale list cannot be fetched the caller gets the error or the stale list ({transport})",
        client(transport),
        [
            discovered(),
            on(TOOLS, nth=1, result=tools("a", ttl=1_000)),
            on(TOOLS, nth=2, error=error(-32603)),
            on(TOOLS, result=tools("b", ttl=1_000)),
        ],
        [FIND, call(100, "first", TOOLS), call(5_000, "failed", TOOLS), call(6_000, "again", TOOLS)],
        _shows=("caching.freshness.refetch-when-stale",),
        _needs=CACHE,
    )
caching(
    "tool-error",
    "An unexpected error of a tool call is a ground to fetch the fresh list again, or none",
    client(),
    [discovered(), on(TOOLS, result=tools("a", ttl=600_000)), on("tools/call", error=error(-32602))],
    [
        FIND,
        call(100, "list", TOOLS),
        call(200, "a", "tools/call", name="a", arguments={}),
        wait(300),
        call(400, "again", TOOLS),
    ],
    _about=("caching.ttl.positive-fresh",),
    _needs=CACHE,
)

# --- notifications ----------------------------------------------------------------------------------------------------

LISTENING = on("subscriptions/listen", stream=True, open=True, before=[acknowledged(toolsListChanged=True)])
CHANGED = of_subscription("notifications/tools/list_changed", "subscriptions/listen#1")

for transport in ("stdio", "http"):
    caching(
        f"notified/{transport}",
        f"A list is fetched no more between two notifications, and again after one ({transport})",
        client(transport),
        [
            discovered(tools={"listChanged": True}),
            LISTENING,
            on(TOOLS, nth=1, result=tools("a", ttl=600_000)),
            on(TOOLS, result=tools("b", ttl=600_000)),
        ],
        [
            FIND,
            call(100, "sub", "listen", notifications={"toolsListChanged": True}),
            call(200, "first", TOOLS),
            call(100_000, "hit", TOOLS),
            say(200_000, "subscriptions/listen#1", messages=[CHANGED], open=True),
            call(200_100, "miss", TOOLS),
            call(300_000, "hit-again", TOOLS),
        ],
        _shows=("caching.notify.ttl-between", "caching.freshness.lazy-check"),
        _needs=(*CACHE, "subscriptions"),
    )
caching(
    "other-list",
    "A notification about tools leaves the list of prompts fresh",
    client(),
    [
        discovered(tools={"listChanged": True}),
        LISTENING,
        on("prompts/list", result=page("prompts/list", "p", ttl=600_000)),
    ],
    [
        FIND,
        call(100, "sub", "listen", notifications={"toolsListChanged": True}),
        call(200, "first", "prompts/list"),
        say(300, messages=[CHANGED]),
        call(400, "hit", "prompts/list"),
    ],
    _shows=("caching.notify.ttl-between",),
    _needs=(*CACHE, "subscriptions"),
)
caching(
    "in-flight",
    "A list whose response is on its way when a change is announced is stale at once, or fresh",
    client(),
    [
        discovered(tools={"listChanged": True}),
        LISTENING,
        on(TOOLS, result=tools("a", ttl=600_000), delay_ms=500),
    ],
    [
        FIND,
        call(100, "sub", "listen", notifications={"toolsListChanged": True}),
        call(200, "first", TOOLS),
        say(400, messages=[CHANGED]),
        call(2_000, "second", TOOLS),
    ],
    _end=3_000,
    _about=("caching.notify.invalidates",),
    _needs=(*CACHE, "subscriptions"),
)
caching(
    "resource-updated",
    "The announcement of a new content makes what was read of that resource stale, and of no other",
    client(),
    [
        discovered(resources={"subscribe": True}),
        on("subscriptions/listen", before=[acknowledged(resourceSubscriptions=["text://one"])]),
        on(READ, params={"uri": "text://one"}, result=contents("text://one", "One", 600_000)),
        on(READ, params={"uri": "text://two"}, result=contents("text://two", "Two", 600_000)),
    ],
    [
        FIND,
        call(100, "sub", "listen", notifications={"resourceSubscriptions": ["text://one"]}),
        call(200, "one", READ, uri="text://one"),
        call(300, "two", READ, uri="text://two"),
        say(
            400,
            messages=[of_subscription("notifications/resources/updated", "subscriptions/listen#1", uri="text://one")],
        ),
        call(500, "one-miss", READ, uri="text://one"),
        call(600, "two-hit", READ, uri="text://two"),
    ],
    _about=("caching.notify.invalidates",),
    _needs=(*CACHE, "subscriptions"),
)
caching(
    "list-and-reads",
    "A change of the list of resources leaves what was read of them fresh, or not",
    client(),
    [
        discovered(resources={"listChanged": True}),
        on("subscriptions/listen", before=[acknowledged(resourcesListChanged=True)]),
        on(READ, result=contents("text://one", "One", 600_000)),
    ],
    [
        FIND,
        call(100, "sub", "listen", notifications={"resourcesListChanged": True}),
        call(200, "one", READ, uri="text://one"),
        say(300, messages=[of_subscription("notifications/resources/list_changed", "subscriptions/listen#1")]),
        call(400, "again", READ, uri="text://one"),
    ],
    _about=("caching.ttl.positive-fresh",),
    _see=("field:cache-resources-list-changed-drops-reads",),
    _needs=(*CACHE, "subscriptions"),
)
caching(
    "unadvertised",
    "Without the capability for notifications a list is fetched by its lifetime alone",
    client(),
    [discovered(), on(TOOLS, result=tools("a", ttl=1_000))],
    [FIND, call(100, "first", TOOLS), call(900, "hit", TOOLS), call(1_500, "miss", TOOLS)],
    _shows=STALE,
    _needs=CACHE,
)

# --- pages ------------------------------------------------------------------------------------------------------------

FIRST = on(TOOLS, result=page(TOOLS, "a", cursor="c1", ttl=600_000))
SECOND = on(TOOLS, params={"cursor": "c1"}, result=page(TOOLS, "b", ttl=60_000))

caching(
    "pages",
    "A page that is stale is fetched again by its cursor, and the others are not",
    client(),
    [discovered(), SECOND, FIRST],
    [
        FIND,
        call(1_000, "all", "list-all", method=TOOLS),
        call(50_000, "hit", "list-all", method=TOOLS),
        call(70_000, "second-stale", "list-all", method=TOOLS),
        call(80_000, "page", TOOLS, cursor="c1"),
    ],
    _shows=("caching.page.refetch-by-cursor", "caching.freshness.refetch-when-stale"),
    _see=("field:cache-aggregate-which-ttl",),
    _needs=CACHE,
)
caching(
    "page-by-page",
    "Each page has its own clock",
    client(),
    [discovered(), SECOND, FIRST],
    [
        FIND,
        call(1_000, "first", TOOLS),
        call(50_000, "second", TOOLS, cursor="c1"),
        call(100_000, "second-hit", TOOLS, cursor="c1"),
        call(120_000, "second-miss", TOOLS, cursor="c1"),
        call(590_000, "first-hit", TOOLS),
    ],
    _shows=("caching.page.refetch-by-cursor",),
    _needs=CACHE,
)
caching(
    "snapshot",
    "A caller that needs the whole list as it is at one time gets it from its beginning",
    client(),
    [discovered(), SECOND, FIRST],
    [
        FIND,
        call(1_000, "all", "list-all", method=TOOLS),
        call(2_000, "snapshot", "list-all", method=TOOLS, snapshot=True),
    ],
    _shows=("caching.page.snapshot-refetch",),
    _needs=(*CACHE, "snapshot"),
)
for transport in ("stdio", "http"):
    caching(
        f"cursor-gone/{transport}",
        f"When a cursor that was valid is refused, the list is fetched from its beginning ({transport})",
        client(transport),
        [
            discovered(),
            on(TOOLS, params={"cursor": "c1"}, nth=1, result=page(TOOLS, "b", ttl=60_000)),
            on(TOOLS, params={"cursor": "c1"}, error=error(-32602), **status(transport, 200)),
            on(TOOLS, params={"cursor": "c2"}, result=page(TOOLS, "y", ttl=60_000)),
            on(TOOLS, absent=["cursor"], nth=2, result=page(TOOLS, "x", cursor="c2", ttl=600_000)),
            FIRST,
        ],
        [
            FIND,
            call(1_000, "all", "list-all", method=TOOLS),
            call(100_000, "again", "list-all", method=TOOLS),
            call(110_000, "hit", "list-all", method=TOOLS),
        ],
        _shows=("caching.page.invalid-cursor-restart",),
        _needs=CACHE,
    )
