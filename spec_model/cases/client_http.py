"""Scenarios: how a client finds out the era of a server over HTTP, and what is particular to HTTP."""

from __future__ import annotations

from typing import Any

from spec_model.cases.client_material import (
    KNOWN,
    LEGACY,
    NEWER,
    acknowledged,
    complete,
    discovered,
    discovery,
    dual,
    error,
    initialized,
    known,
    legacy_tools,
    note,
    text,
    tools,
    unsupported,
)
from spec_model.cases.courses import Views
from spec_model.cases.scenario_table import call, client, on, say, scenarios, wait
from spec_model.verdicts import Level

http = scenarios("http", "What a client does over HTTP.")

MODERN = "2026-07-28"
PLAIN, HTML = "text/plain", "text/html"
CREDENTIAL = {"token": "secret"}
LIST = call(0, "list", "tools/list")
AGAIN = call(1_000, "again", "tools/list")
NEW_LIST = on("tools/list", result=tools("new"))
OLD_SERVER = (
    on("initialize", result=initialized()),
    on("notifications/initialized", status=202),
    on("tools/list", result=legacy_tools("old")),
)


def refuses(**reply: Any) -> Any:
    """The server answers every request of this revision so."""
    return on(version=MODERN, **reply)


FALLBACK = (
    "http.compat.inspect-400-body",
    "http.compat.modern-request-first",
    "http.compat.stay-legacy-after-fallback",
)

# --- the era ----------------------------------------------------------------------------------------------------------

http(
    "modern",
    "A client of both eras stays with a server of this revision",
    dual("http"),
    [discovered(), NEW_LIST],
    [LIST, AGAIN],
    _shows=("http.compat.modern-request-first",),
)
for slug, title, reply, see in (
    ("empty", "no body", {"status": 400}, ""),
    (
        "text",
        "a text as its body",
        {"status": 400, "text": "Bad Request", "headers": {"content-type": PLAIN}},
        "",
    ),
    (
        "html",
        "a page as its body",
        {"status": 400, "text": "<html></html>", "headers": {"content-type": HTML}},
        "",
    ),
    (
        "session-id",
        "an error about a missing session",
        {"status": 400, "error": error(-32000), "id": None},
        "field:disc-http-400-session-id-null",
    ),
    (
        "invalid-request",
        "an error without the id of the request",
        {"status": 400, "error": error(-32600), "id": None},
        "field:disc-http-400-32600-id-null",
    ),
    (
        "own-envelope",
        "an error that is none of JSON-RPC",
        {"status": 400, "body": {"error": {"code": "bad_request", "message": "unknown method"}}},
        "field:disc-http-400-not-jsonrpc",
    ),
    ("method-not-found", "the error for an unknown method", {"status": 400, "error": error(-32601)}, ""),
    ("json-array", "an array as its body", {"status": 400, "body": [{"error": {"code": -32022}}]}, ""),
    ("result", "a result in its body", {"status": 400, "result": {}}, ""),
):
    http(
        f"fallback-400/{slug}",
        f"Status 400 with {title} leads to the handshake, and the client keeps to it",
        dual("http"),
        [refuses(**reply), *OLD_SERVER],
        [LIST, AGAIN],
        _shows=FALLBACK,
        _see=(see,) if see else (),
        _views=(Views.NO_SESSION,),
    )
MODERN_ERRORS: dict[int, dict[str, Any]] = {-32020: {}, -32021: {"requiredCapabilities": {"sampling": {}}}}
for code, data in MODERN_ERRORS.items():
    http(
        f"modern-400/{abs(code)}",
        f"Status 400 with error {code} is that of a modern server",
        dual("http"),
        [refuses(status=400, error=error(code, **data)), *OLD_SERVER],
        [LIST],
        _shows=("http.compat.inspect-400-body",),
    )
http(
    "modern-400/32022",
    "Status 400 with an unsupported-version error leads to another version and to no handshake",
    client("http", speaks=[NEWER, MODERN, "2025-11-25"]),
    [on(version=NEWER, status=400, error=unsupported(NEWER, MODERN)), discovered(), NEW_LIST, *OLD_SERVER[:2]],
    [LIST, AGAIN],
    _shows=("http.compat.inspect-400-body",),
    _see=("field:ver-32022-treated-as-legacy",),
)
for code in (404, 405, 403, 409, 415):
    http(
        f"fallback-status/{code}",
        f"Status {code} without a body of this revision is that of a legacy server or a failure",
        dual("http"),
        [refuses(status=code, text="no"), *OLD_SERVER],
        [LIST],
        _about=("interop.detect.otherwise-legacy",) if code != 403 else ("base.auth.http-conforms",),
    )
http(
    "fallback-200",
    "The error for an unknown method with status 200 leads to the handshake",
    dual("http"),
    [refuses(error=error(-32601)), *OLD_SERVER],
    [LIST, AGAIN],
    _shows=("http.compat.stay-legacy-after-fallback",),
    _see=("field:disc-http-200-method-not-found",),
)
http(
    "server-error",
    "Status 500 says nothing about the era",
    dual("http"),
    [refuses(status=500, text="oops"), *OLD_SERVER],
    [LIST],
    _about=("interop.matrix.dual-legacy-http",),
)
http(
    "unauthorized/credential",
    "Status 401 in spite of a credential leads to the handshake with it, or to authorization",
    dual("http", **CREDENTIAL),
    [refuses(status=401), *OLD_SERVER],
    [LIST],
    _about=("interop.detect.otherwise-legacy",),
    _see=("field:disc-401-with-valid-credential",),
)
http(
    "unauthorized/none",
    "Status 401 without a credential asks for authorization and says nothing about the era",
    dual("http"),
    [refuses(status=401, headers={"www-authenticate": "Bearer"}), *OLD_SERVER],
    [LIST],
    _about=("base.auth.http-conforms",),
)
http(
    "redirect/same-origin",
    "A redirect to the same origin is followed with the same request or with none",
    dual("http", **CREDENTIAL),
    [
        on(url="https://mcp.example/mcp", status=307, headers={"location": "/v2/mcp"}),
        on("server/discover", url="https://mcp.example/v2/mcp", result=discovery()),
        on("tools/list", url="https://mcp.example/v2/mcp", result=tools("new")),
    ],
    [LIST],
    _about=("interop.client.detects-era",),
    _see=("field:disc-redirected-legacy-request",),
)
http(
    "redirect/other-origin",
    "No credential goes to another origin",
    dual("http", **CREDENTIAL),
    [
        on(url="https://mcp.example/mcp", status=307, headers={"location": "https://other.example/mcp"}),
        on("server/discover", url="https://other.example/mcp", result=discovery()),
        on("tools/list", url="https://other.example/mcp", result=tools("new")),
    ],
    [LIST],
    _about=("interop.matrix.dual-legacy-http",),
    _see=("field:disc-redirected-legacy-request",),
)
http(
    "discovery-stream",
    "The discovery result is read after a notification on the same stream",
    dual("http"),
    [
        on(
            "server/discover",
            stream=True,
            before=[note("notifications/progress", progressToken="none", progress=1)],
            result=discovery(),
        ),
        NEW_LIST,
    ],
    [LIST, AGAIN],
    _shows=("transport.delivery.server-responses",),
    _see=("field:disc-sse-first-data-line",),
)

# --- the transport of 2024-11-05 --------------------------------------------------------------------------------------

OLD = {"speaks": [MODERN, "2025-11-25", "2024-11-05"], "old_transport": True, "url": "https://mcp.example/sse"}
ENDPOINT = on(
    http="GET",
    stream=True,
    open=True,
    events=[{"name": "endpoint", "data": "/messages?session=1"}],
)
POSTED = "https://mcp.example/messages?session=1"
OLD_ANSWERS = (
    on("initialize", url=POSTED, result=initialized("2024-11-05"), old_stream=True),
    on("notifications/initialized", url=POSTED, status=202, old_stream=True),
    on("tools/list", url=POSTED, result=legacy_tools("old"), old_stream=True),
)
for code, reply in ((405, {"status": 405}), (404, {"status": 404, "text": "Not Found"}), (400, {"status": 400})):
    http(
        f"sse2024/{code}",
        f"A server that refuses POSTs with {code} is looked up by a GET, and spoken with by HTTP+SSE",
        client("http", **OLD),
        [*OLD_ANSWERS, on("initialize", **reply), refuses(**reply), ENDPOINT],
        [LIST, AGAIN],
        _shows=(
            "http.sse2024.client-takes-either-url",
            "http.sse2024.client-posts-first",
            "http.sse2024.failure-tries-get",
            "http.sse2024.endpoint-event-selects",
        ),
        _needs=("http-sse",),
    )
http(
    "sse2024/modern",
    "A client that also speaks HTTP+SSE keeps to this revision where the POST succeeds",
    client("http", **OLD),
    [discovered(), NEW_LIST, ENDPOINT],
    [LIST, AGAIN],
    _shows=("http.sse2024.client-takes-either-url", "http.sse2024.client-posts-first"),
    _needs=("http-sse",),
)
http(
    "sse2024/modern-error",
    "A recognized error of this revision leads to no GET",
    client("http", **OLD),
    [refuses(status=400, error=error(-32021, requiredCapabilities={"roots": {}})), ENDPOINT],
    [LIST],
    _shows=("http.sse2024.client-posts-first",),
    _needs=("http-sse",),
)
http(
    "sse2024/no-stream",
    "A GET that opens no stream with an endpoint leads nowhere",
    client("http", **OLD),
    [refuses(status=405), on("initialize", status=405), on(http="GET", status=405)],
    [LIST],
    _shows=("http.sse2024.failure-tries-get",),
    _needs=("http-sse",),
)

# --- sessions of earlier revisions ------------------------------------------------------------------------------------

http(
    "legacy-session",
    "In a legacy session every request has the session id and the version that was agreed on",
    client("http", speaks=LEGACY),
    [
        on("initialize", result=initialized(), headers={"mcp-session-id": "s-1"}),
        on("notifications/initialized", status=202),
        on("tools/list", result=legacy_tools("old")),
    ],
    [LIST, AGAIN],
    _shows=("legacy.init.client-sends-initialized",),
)
http(
    "stay-legacy",
    "After its fallback the client sends every later request by the legacy version",
    dual("http"),
    [
        refuses(status=400),
        on("initialize", result=initialized(), headers={"mcp-session-id": "s-1"}),
        on("notifications/initialized", status=202),
        on("tools/list", result=legacy_tools("old")),
        on("tools/call", result={"content": [{"type": "text", "text": "hi"}]}),
    ],
    [
        LIST,
        call(1_000, "a", "tools/call", name="echo", arguments={}),
        call(3_600_000, "b", "tools/list"),
    ],
    _shows=("http.compat.stay-legacy-after-fallback", "http.compat.inspect-400-body"),
)

# --- streams ----------------------------------------------------------------------------------------------------------

FIND = call(0, "find", "discover")
NAMES = ("echo", "slow", "one", "two", "żółw", " padded ", "=?base64?literal?=")
LISTED = known(*NAMES)
ECHO = on("tools/call", params={"name": "echo"}, result=text("hi"))

http(
    "streamed-response",
    "A response on a stream is read after the notifications before it",
    client("http"),
    [
        discovered(),
        LISTED,
        on(
            "tools/call",
            stream=True,
            before=[note("notifications/progress", progressToken="$token", progress=1)],
            result=text("hi"),
        ),
    ],
    [FIND, KNOWN, call(100, "a", "tools/call", name="slow", arguments={}, progress=True)],
    _shows=("transport.delivery.server-responses",),
    _needs=("progress",),
)
http(
    "streamed-progress",
    "Notifications on the stream of a request reach its caller while it waits",
    client("http"),
    [discovered(), LISTED, on("tools/call", stream=True, open=True)],
    [
        FIND,
        KNOWN,
        call(100, "a", "tools/call", name="slow", arguments={}, progress=True),
        say(
            200,
            "tools/call#1",
            messages=[note("notifications/progress", progressToken="$token:tools/call#1", progress=1)],
            open=True,
        ),
        call(300, "look", "received", call="a"),
        say(400, "tools/call#1", result=text("done")),
    ],
    _shows=("transport.delivery.server-notifications", "transport.delivery.server-responses"),
    _needs=("progress",),
)
http(
    "cancel",
    "A call is given up by closing its stream, and by nothing else",
    client("http"),
    [discovered(), LISTED, ECHO, on("tools/call", stream=True, open=True)],
    [
        FIND,
        KNOWN,
        call(100, "a", "tools/call", name="slow", arguments={}),
        call(200, "stop", "cancel", call="a"),
        call(700, "b", "tools/call", name="echo", arguments={}),
    ],
    _shows=("transport.cancel.http",),
    _see=("field:can-notification-on-http", "field:can-stream-never-ends"),
)
http(
    "cancel-one-of-two",
    "Of two calls in flight the stream of the one that was given up is closed",
    client("http"),
    [discovered(), LISTED, on("tools/call", stream=True, open=True)],
    [
        FIND,
        KNOWN,
        call(100, "a", "tools/call", name="one", arguments={}),
        call(150, "b", "tools/call", name="two", arguments={}),
        call(200, "stop", "cancel", call="a"),
        say(300, "tools/call#2", result=text("two")),
    ],
    _shows=("transport.cancel.http",),
)
http(
    "cancel-before-response",
    "A call is given up by closing its connection where no response has begun",
    client("http"),
    [discovered(), LISTED, on("tools/call")],
    [
        FIND,
        KNOWN,
        call(100, "a", "tools/call", name="slow", arguments={}),
        call(200, "stop", "cancel", call="a"),
        wait(500),
    ],
    _shows=("transport.cancel.http",),
    _see=("field:can-notification-on-http",),
)
http(
    "cancel-subscription",
    "A subscription ends when its stream is closed",
    client("http"),
    [
        discovered(tools={"listChanged": True}),
        on("subscriptions/listen", stream=True, open=True, before=[acknowledged(toolsListChanged=True)]),
    ],
    [
        FIND,
        call(100, "sub", "listen", notifications={"toolsListChanged": True}),
        call(200, "stop", "cancel", call="sub"),
    ],
    _shows=("transport.cancel.http",),
    _needs=("subscriptions",),
)
http(
    "time-out",
    "A call that takes too long is given up by closing its stream",
    client("http", request_timeout_ms=5_000),
    [discovered(), LISTED, ECHO, on("tools/call", stream=True, open=True)],
    [
        FIND,
        KNOWN,
        call(100, "a", "tools/call", name="slow", arguments={}),
        wait(4_000),
        call(6_000, "b", "tools/call", name="echo", arguments={}),
    ],
    _about=("transport.cancel.http",),
    _level=Level.SHOULD,
    _note="To give up a request in time is asked for by the page on cancellation, which the catalogue does not hold.",
    _see=("field:can-abandon-is-noop",),
)
http(
    "broken-stream",
    "A request whose stream broke is lost, or sent anew under a new id and without Last-Event-ID",
    client("http"),
    [
        discovered(),
        LISTED,
        on(
            "tools/call",
            nth=1,
            stream=True,
            before=[note("notifications/progress", progressToken="$token", progress=1)],
            delay_ms=100,
        ),
        on("tools/call", result=text("again")),
    ],
    [
        FIND,
        KNOWN,
        call(100, "a", "tools/call", name="slow", arguments={}, progress=True),
        wait(500),
        call(600, "b", "tools/call", name="slow", arguments={}),
    ],
    _shows=("removed.resumability.reissue-new-id",),
    _views=(Views.NO_RESUMPTION,),
    _needs=("progress",),
)
http(
    "headers",
    "The headers of a request repeat its version, method and name, whatever the name holds",
    client("http"),
    [discovered(), LISTED, on("tools/call", result=text("hi")), on("resources/read", error=error(-32602))],
    [
        FIND,
        KNOWN,
        call(100, "a", "tools/call", name="echo", arguments={}),
        call(200, "b", "tools/call", name="żółw", arguments={}),
        call(300, "c", "tools/call", name=" padded ", arguments={}),
        call(400, "d", "tools/call", name="=?base64?literal?=", arguments={}),
        call(500, "e", "resources/read", uri="text://żółw"),
    ],
    _shows=("transport.metadata.http-mirrors", "headers.protocol-version.on-every-post"),
)

MARKED = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}

for slug, ttl, title in (
    ("fresh", 600_000, "A parameter header comes from the list of tools while that is fresh"),
    ("stale", 0, "A parameter header comes from a stale list of tools, or from one fetched for it"),
):
    http(
        f"parameter-header/{slug}",
        title,
        client("http"),
        [
            discovered(),
            on("tools/list", result=complete(tools=[{"name": "t", "inputSchema": MARKED}], ttl=ttl)),
            on("tools/call", result=text("hi")),
        ],
        [FIND, KNOWN, call(200, "a", "tools/call", name="t", arguments={"region": "eu"})],
        _shows=("transport.metadata.http-mirrors",),
        _see=("field:cache-ttl-vs-header-mirroring",),
    )

# --- what else could be fetched ---------------------------------------------------------------------------------------

LIST_LATER = call(100, "list", "tools/list")
LINKED = {"type": "object", "properties": {"when": {"$ref": "https://mcp.example/schemas/date.json"}}}

http(
    "schema-reference",
    "A schema that refers to a network address leads to no request there",
    client("http"),
    [
        discovered(),
        on(
            "tools/list",
            result=complete(
                tools=[
                    {"name": "plain", "inputSchema": {"type": "object"}},
                    {"name": "input", "inputSchema": LINKED},
                    {"name": "output", "inputSchema": {"type": "object"}, "outputSchema": LINKED},
                    {"name": "base", "inputSchema": {"type": "object", "$ref": "https://other.example/base.json#/a"}},
                ],
                ttl=60_000,
            ),
        ),
        on("tools/call", result=text("hi")),
        on(http="GET", body={"type": "string"}),
    ],
    [FIND, LIST_LATER, call(200, "a", "tools/call", name="plain", arguments={}), wait(1_000)],
    _shows=("json-schema.ref.no-network-deref", "json-schema.ref.optin-default-off"),
    _views=(Views.ANY_VALUE,),
)

ICON = "https://mcp.example/icon.png"
FOREIGN = "https://cdn.example/icon.png"
SCRIPT = "javascript:alert(1)"


def icon(
    slug: str, title: str, replies: list[Any], shows: tuple[str, ...], src: str = ICON, about: tuple[str, ...] = ()
) -> None:
    """A client that shows an icon of a tool."""
    http(
        f"icon/{slug}",
        title,
        client("http", **CREDENTIAL),
        [
            discovered(),
            on(
                "tools/list",
                result=complete(
                    tools=[{"name": "a", "inputSchema": {"type": "object"}, "icons": [{"src": src}]}], ttl=60_000
                ),
            ),
            *replies,
        ],
        [FIND, LIST_LATER, call(200, "show", "icon", src=src)],
        _shows=shows,
        _about=about,
        _views=(Views.NO_CREDENTIALS,),
        _needs=("icons",),
    )


FETCHED = on(http="GET", text="PNG", headers={"content-type": "image/png"})
ELSEWHERE = (
    (
        "other-origin",
        "A redirect of an icon to another origin is not followed",
        "https://cdn.example/icon.png",
        ("icons.security.no-cross-origin-redirect",),
    ),
    (
        "other-port",
        "A redirect of an icon to another port is not followed",
        "https://mcp.example:8443/icon.png",
        ("icons.security.no-cross-origin-redirect",),
    ),
    (
        "other-scheme",
        "A redirect of an icon from HTTPS to HTTP is not followed",
        "http://mcp.example/icon.png",
        ("icons.security.no-scheme-change",),
    ),
    (
        "unsafe-scheme",
        "A redirect of an icon to a file is not followed",
        "file:///etc/icon.png",
        ("icons.security.unsafe-redirect", "icons.security.no-scheme-change"),
    ),
)
icon("credentials", "An icon is fetched without the credential", [FETCHED], ("icons.security.no-credentials",))
for slug, title, location, shows in ELSEWHERE:
    redirected = on(http="GET", url=ICON, status=302, headers={"location": location})
    icon(f"redirect-{slug}", title, [redirected, FETCHED], shows)
icon("foreign", "An icon on another origin is not fetched", [FETCHED], (), FOREIGN, ("icons.security.same-origin",))
icon("script", "An icon with an unsafe scheme is not taken", [FETCHED], (), SCRIPT, ("icons.security.unsafe-scheme",))
