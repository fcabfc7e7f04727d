"""Exchanges: what a server of this revision answers to one request, on stdio and over HTTP.

The requests read or are malformed on purpose; none calls a tool that exists.
"""

from __future__ import annotations

from typing import Any, Final

from spec_model.cases.exchange_table import (
    BOTH,
    NO_OLDEST_CLIENTS,
    OLDEST_CLIENTS,
    ExchangeTable,
    ServerEra,
    View,
    exchanges,
    http,
    post,
    post_text,
    stdio,
    stdio_text,
)
from spec_model.cases.requests import (
    LEGACY,
    UNKNOWN,
    VERSION,
    bare,
    headers,
    initialize,
    legacy_headers,
    notification,
    request,
    with_meta,
    without,
)

MALFORMED: Final = {"malformed": "The message breaks the official JSON Schema of its revision, on purpose."}
BAD: Final = ("malformed",)
MODERN: Final[tuple[ServerEra, ...]] = ("modern",)
DUAL: Final[tuple[ServerEra, ...]] = ("dual",)

DISCOVER: Final = request("server/discover")
LIST: Final = request("tools/list")
LATER: Final = "2099-01-01"
LARGE: Final = {**DISCOVER, "id": 2**53 + 1}


def both(
    table: ExchangeTable,
    slug: str,
    title: str,
    message: Any,
    *,
    bad: bool = False,
    eras: tuple[ServerEra, ...] = BOTH,
    changes: dict[str, str | None] | None = None,
    **more: Any,
) -> None:
    """The same message on stdio and over HTTP; `changes` are those of its headers."""
    flags = BAD if bad else ()
    table(f"{slug}/stdio", f"{title} on stdio", stdio(message), flags=flags, eras=eras, **more)
    posted = post(message, headers(message, **(changes or {})))
    table(f"{slug}/http", f"{title} over HTTP", posted, flags=flags, eras=eras, **more)


def under_modern_header(
    table: ExchangeTable, slug: str, title: str, message: Any, *, dual: bool = True, see: tuple[str, ...] = ()
) -> None:
    """A malformed message, sent with the headers of a well-formed one; the eras apart where they may differ."""
    table(f"{slug}/stdio", f"{title} on stdio", stdio(message), flags=BAD, eras=MODERN, see=see)
    posted = post(message, headers(message, version=VERSION, method="server/discover"))
    table(f"{slug}/http", f"{title} over HTTP", posted, flags=BAD, eras=MODERN, see=see)
    if dual:
        table(f"{slug}/stdio-dual-era", f"{title} on stdio of both eras", stdio(message), flags=BAD, eras=DUAL, see=see)
        table(f"{slug}/http-dual-era", f"{title} over HTTP of both eras", posted, flags=BAD, eras=DUAL, see=see)


# --- metadata --------------------------------------------------------------------------------------------------------

metadata = exchanges("server/metadata", "What a server makes of the metadata of a request.", MALFORMED)

both(
    metadata,
    "discover",
    "server/discover gives versions and capabilities",
    DISCOVER,
    shows=("discovery.method.implemented", "base.patterns.request-answered"),
)
both(metadata, "string-id", "The response repeats an id that is a string", request("server/discover", id="discover-1"))
both(metadata, "empty-id", "The response repeats an empty id", request("server/discover", id=""))
both(metadata, "zero-id", "The response repeats the id 0", request("server/discover", id=0))
both(
    metadata,
    "no-client-info",
    "A request that does not identify its client is served",
    request("server/discover", meta=with_meta(client_info=None)),
    shows=("base.patterns.request-answered",),
    see=("field:meta-silent-without-clientinfo", "field:id-clientinfo-demanded"),
)
both(
    metadata,
    "server-info",
    "A result of server/discover says which server it comes from",
    DISCOVER,
    view=View.SERVER_INFO,
    governs=("meta.response.server-info",),
    shows=("meta.response.server-info",),
    see=("field:id-serverinfo-top-level",),
)
both(
    metadata,
    "server-info-list",
    "A result of tools/list says which server it comes from",
    LIST,
    view=View.SERVER_INFO,
    governs=("meta.response.server-info",),
    shows=("meta.response.server-info",),
)
both(
    metadata,
    "vendor-key",
    "A key of a vendor in the metadata does no harm",
    request("server/discover", meta={**with_meta(), "com.example/note": [1]}),
)

under_modern_header(metadata, "no-params", "A request without params is refused", bare("server/discover"))
under_modern_header(metadata, "no-meta", "A request without metadata is refused", bare("server/discover", {}))
under_modern_header(
    metadata, "empty-meta", "A request with empty metadata is refused", request("server/discover", meta={})
)
under_modern_header(
    metadata, "params-array", "Params that are an array are refused", {**DISCOVER, "params": [with_meta()]}
)
under_modern_header(metadata, "params-null", "Params that are null are refused", {**DISCOVER, "params": None})
under_modern_header(
    metadata, "meta-array", "Metadata that is an array is refused", bare("server/discover", {"_meta": []})
)
under_modern_header(
    metadata,
    "no-version",
    "Metadata without the protocol version is refused",
    request("server/discover", meta=with_meta(version=None)),
)
under_modern_header(
    metadata,
    "version-number",
    "A protocol version that is a number is refused",
    request("server/discover", meta=with_meta(version=20260728)),
)
for slug, title, meta in (
    ("no-capabilities", "Metadata without the client capabilities is refused", with_meta(capabilities=None)),
    ("capabilities-array", "Client capabilities that are an array are refused", with_meta(capabilities=[])),
    ("client-info-text", "A client identity that is a text", with_meta(client_info="ExampleClient")),
    ("capability-text", "A client capability that is a text", with_meta(capabilities={"elicitation": "yes"})),
    ("log-level-unknown", "A log level that is none is refused", with_meta(log_level="loud")),
):
    both(metadata, slug, title, request("server/discover", meta=meta), bad=True)
metadata(
    "same-over-http",
    "What is refused on stdio for want of capabilities is refused over HTTP",
    post(request("tools/list", meta=with_meta(capabilities=None)), headers(LIST)),
    flags=BAD,
    shows=("transport.semantics.identical",),
)

# --- versions --------------------------------------------------------------------------------------------------------

versions = exchanges("server/versions", "What a server answers to a protocol version.", MALFORMED)

both(versions, "supported", "A version that the server implements is served", LIST)
for slug, version, see in (("unknown", UNKNOWN, ()), ("later", LATER, ("field:ver-wrong-code-and-prose",))):
    both(
        versions,
        slug,
        f"The version {version} is refused",
        request("tools/list", meta=with_meta(version=version)),
        see=see,
    )
for slug, title, version in (
    ("empty", "The empty version is none that the server implements", ""),
    ("space", "A version with a space behind it is another version", f"{VERSION} "),
):
    versions(f"{slug}/stdio", title, stdio(request("tools/list", meta=with_meta(version=version))))
both(
    versions,
    "discover-unknown",
    "server/discover is refused for its version too",
    request("server/discover", meta=with_meta(version=UNKNOWN)),
)
both(
    versions,
    "legacy",
    "A legacy version is refused by a server of this revision alone",
    request("tools/list", meta=with_meta(version=LEGACY)),
    eras=MODERN,
)

versions(
    "no-header",
    "A modern body without the version header is refused",
    post(LIST, headers(LIST, version=None)),
    eras=MODERN,
    see=("field:meta-header-missing-body-present",),
)
versions(
    "no-header-dual-era",
    "A modern body without the version header, sent to a server of both eras from 2025-06-18 on",
    post(LIST, headers(LIST, version=None)),
    eras=DUAL,
    fixture=NO_OLDEST_CLIENTS,
)
versions(
    "no-header-oldest-clients",
    "A modern body without the version header, sent to a server of the versions that had no such header",
    post(LIST, headers(LIST, version=None)),
    eras=DUAL,
    fixture=OLDEST_CLIENTS,
)
for slug, version in (
    ("unknown", UNKNOWN),
    ("later", LATER),
    ("legacy", LEGACY),
    ("base64", "=?base64?MjAyNi0wNy0yOA==?="),
):
    versions(
        f"header-{slug}",
        f"The header {version} over a body of {VERSION} is refused",
        post(LIST, headers(LIST, version=version)),
    )
versions(
    "header-id",
    "The refusal of a header repeats the id",
    post(request("tools/list", id="req-7"), headers(LIST, version=UNKNOWN)),
    see=("field:http-id-null-after-parse",),
)
BODY_UNKNOWN: Final = request("tools/list", meta=with_meta(version=UNKNOWN))
versions(
    "body-unknown",
    f"A body of {UNKNOWN} under the header {VERSION} is refused",
    post(BODY_UNKNOWN, headers(BODY_UNKNOWN, version=VERSION)),
)
BODY_LEGACY: Final = request("tools/list", meta=with_meta(version=LEGACY))
versions(
    "body-legacy",
    f"A body of {LEGACY} under the header {VERSION} is refused",
    post(BODY_LEGACY, headers(BODY_LEGACY, version=VERSION)),
    eras=MODERN,
)
versions(
    "body-legacy-dual-era",
    "Header and body name versions of different eras, both supported",
    post(BODY_LEGACY, headers(BODY_LEGACY, version=VERSION)),
    eras=DUAL,
    see=("field:meta-two-supported-versions-disagree",),
)
versions(
    "header-case",
    "The name of the version header is read in any letter case",
    post(
        LIST,
        {
            ("mcp-protocol-version" if name == "MCP-Protocol-Version" else name): one
            for name, one in headers(LIST).items()
        },
    ),
)

both(
    versions,
    "two-faults-method",
    "An unknown version and an unknown method",
    request("example/unknown", meta=with_meta(version=UNKNOWN)),
)
both(
    versions,
    "two-faults-metadata",
    "An unknown version without the client capabilities",
    request("tools/list", meta=with_meta(version=UNKNOWN, capabilities=None)),
    bad=True,
)
TWO: Final = request("tools/list", meta=with_meta(capabilities=None))
versions(
    "two-faults-header",
    "Another header than the body, without the client capabilities",
    post(TWO, headers(TWO, version=UNKNOWN)),
    flags=BAD,
)

# --- methods ---------------------------------------------------------------------------------------------------------

methods = exchanges("server/methods", "What a server answers to methods and to what they ask for.", MALFORMED)

both(methods, "discover", "server/discover is implemented", DISCOVER)
both(
    methods,
    "unknown",
    "A method that nobody defines is unknown",
    request("example/unknown"),
    shows=("base.patterns.request-answered",),
    see=("field:http-unknown-method-200",),
)
for method in ("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"):
    slug = method.replace("/", "-").lower()
    both(
        methods,
        f"removed-{slug}",
        f"{method} is unknown in this revision",
        request(method),
        eras=MODERN if method == "initialize" else BOTH,
    )
for method in ("result", "list"):
    both(
        methods,
        f"removed-tasks-{method}",
        f"tasks/{method} is unknown in this revision",
        request(f"tasks/{method}", {"taskId": "t1"}),
        see=("field:task-old-shape-under-new-name",),
    )
both(
    methods,
    "prompts",
    "A server that advertises prompts implements prompts/list",
    request("prompts/list"),
    shows=("discovery.result.capabilities-accurate",),
)
both(
    methods,
    "resources",
    "A server that advertises resources implements resources/list",
    request("resources/list"),
    shows=("discovery.result.capabilities-accurate",),
)
both(
    methods,
    "unknown-tool",
    "A tool that does not exist is an error, and no result",
    request("tools/call", {"name": "no-such-tool", "arguments": {}}),
    shows=("meta.capability.no-undeclared",),
    see=("field:ec-unknown-tool-as-tool-error",),
)
both(
    methods,
    "missing-resource",
    "A resource that does not exist is an error",
    request("resources/read", {"uri": "example://no-such-resource"}),
    see=("field:ec-resource-not-found",),
)
both(
    methods,
    "listen",
    "A subscription is acknowledged under its id",
    request("subscriptions/listen", {"notifications": {}}, id="listen-1"),
    shows=("meta.notification.subscription-id",),
    see=("field:sub-empty-filter",),
)
both(
    methods,
    "listen-empty-list",
    "A subscription to an empty list of resources is acknowledged",
    request("subscriptions/listen", {"notifications": {"resourceSubscriptions": []}}, id=1),
    see=("field:sub-empty-filter",),
)
both(
    methods,
    "listen-log-level",
    "No log message goes out on a subscription",
    request("subscriptions/listen", {"notifications": {}}, id="listen-1", meta=with_meta(log_level="debug")),
    shows=("logging.server.not-on-listen",),
)

# --- eras ------------------------------------------------------------------------------------------------------------

eras = exchanges(
    "server/eras",
    "How a server tells requests of this revision from those of the handshake era.",
    {**MALFORMED, "legacy": "The message belongs to a legacy revision and not to this one."},
)

both(
    eras,
    "no-handshake",
    "The first request is served without a handshake",
    LIST,
    governs=("versioning.request.no-handshake",),
    shows=(
        "versioning.request.no-handshake",
        "discovery.call.not-prerequisite",
        "statelessness.server.independent-processing",
        "statelessness.request.self-contained",
    ),
)
eras(
    "initialize/stdio", "A server of this revision alone refuses initialize on stdio", stdio(initialize()), eras=MODERN
)
eras(
    "initialize-modern-version/stdio",
    "It refuses initialize for its own version on stdio too",
    stdio(initialize(VERSION)),
    eras=MODERN,
)
eras(
    "initialize/http",
    "A server of this revision alone refuses initialize over HTTP",
    post(initialize(), legacy_headers()),
    eras=MODERN,
    see=("field:ver-modern-only-answers-initialize",),
)
for transport, sent in (("stdio", stdio(initialize())), ("http", post(initialize(), legacy_headers()))):
    eras(
        f"initialize-names-versions/{transport}",
        f"The refusal of initialize names the supported versions ({transport})",
        sent,
        eras=MODERN,
        view=View.NAMES_VERSIONS,
        governs=("interop.server.initialize-error-names-versions",),
    )
both(
    eras,
    "initialize-with-meta",
    "initialize with complete metadata is an unknown method",
    initialize(meta=with_meta()),
    eras=MODERN,
)
both(
    eras,
    "initialize-with-meta-dual-era",
    "initialize with complete metadata at a server of both eras",
    initialize(meta=with_meta()),
    eras=DUAL,
)
eras(
    "bare-list/stdio",
    "A request without metadata is refused by a server of this revision alone",
    stdio(bare("tools/list")),
    eras=MODERN,
    flags=BAD,
)
eras(
    "bare-list/stdio-dual-era",
    "A request without metadata before any handshake, at a server of both eras",
    stdio(bare("tools/list")),
    eras=DUAL,
    flags=("legacy",),
)
eras(
    "bare-discover/stdio-dual-era",
    "server/discover without metadata before any handshake, at a server of both eras",
    stdio(bare("server/discover")),
    eras=DUAL,
    flags=BAD,
    see=("field:meta-discover-without-meta-served",),
)
eras(
    "legacy-version-in-meta/stdio-dual-era",
    "A legacy version in the metadata at a server of both eras",
    stdio(BODY_LEGACY),
    eras=DUAL,
    see=("field:era-inline-legacy-version",),
)
eras(
    "no-session-modern-body",
    "Modern metadata under a legacy header without any session is refused",
    post(LIST, headers(LIST, version=LEGACY)),
    eras=DUAL,
)

# --- legacy clients --------------------------------------------------------------------------------------------------

legacy = exchanges("server/legacy", "How a dual-era server answers the opening of a legacy client.", MALFORMED)


def opening(slug: str, title: str, message: Any, **more: Any) -> None:
    """A message on stdio and, with the headers of a legacy client, over HTTP."""
    legacy(f"{slug}/stdio", f"{title} on stdio", stdio(message), eras=DUAL, **more)
    legacy(f"{slug}/http", f"{title} over HTTP", post(message, legacy_headers()), eras=DUAL, **more)


opening(
    "initialize",
    "initialize is answered with a legacy version, capabilities and identity",
    initialize(),
    shows=("legacy.init.result-capabilities", "legacy.init.result-server-info"),
    see=("field:era-initialize-refused-for-missing-headers",),
)
opening(
    "initialize-empty-meta",
    "Empty metadata does not change what initialize is",
    initialize(meta={}),
    see=("field:era-initialize-refused-for-missing-headers",),
)
opening(
    "initialize-modern-version",
    "initialize for a modern version is answered with a legacy one",
    initialize(VERSION),
    shows=("legacy.version.server-offers-other",),
    see=(
        "field:era-initialize-names-2026",
        "field:era-initialize-2026-method-not-found",
        "field:rt-missing-after-initialize-echo",
    ),
)
opening(
    "initialize-unknown-version",
    "initialize for an unknown version is answered with a legacy one",
    initialize(UNKNOWN),
    shows=("legacy.version.server-offers-other",),
)
opening(
    "initialize-no-version",
    "initialize without a version is refused",
    bare("initialize", {"capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}),
    flags=BAD,
)
opening(
    "initialize-asks-nothing",
    "The server sends no request but ping before the client is initialized",
    initialize(),
    view=View.ASKS_NOTHING,
    governs=("legacy.init.server-only-ping-or-log-before-initialized",),
    shows=("legacy.init.server-only-ping-or-log-before-initialized",),
)

# --- framing ---------------------------------------------------------------------------------------------------------

framing = exchanges(
    "server/framing",
    "What a server makes of lines, bodies and JSON-RPC envelopes.",
    {**MALFORMED, "beyond-2-53": "The case is about an integer that readers with doubles do not hold exactly."},
)

both(
    framing,
    "well-formed",
    "A well-formed request is served",
    DISCOVER,
    shows=(
        "transport.direction.no-server-requests",
        "transport.delivery.client-requests",
        "removed.notification.elicitation-complete",
    ),
)
framing(
    "output",
    "The response to a request comes on standard output, and nothing else does",
    stdio(LIST),
    shows=(
        "stdio.streams.server-input",
        "stdio.streams.server-output",
        "stdio.stdout.only-messages",
        "stdio.emit.three-kinds",
        "stdio.emit.input-required",
    ),
)
for slug, what, text in (
    ("prose", "prose", "server/discover, please"),
    ("cut", "a request that is cut off", '{"jsonrpc":"2.0","id":1,"method":"server/discover"'),
    ("nan", "a request whose id is NaN", '{"jsonrpc":"2.0","id":NaN,"method":"server/discover"}'),
):
    framing(f"{slug}/stdio", f"A line of {what}", stdio_text(text), view=View.STAYS_OPEN)
    framing(f"{slug}/http", f"A body of {what}", post_text(text, headers(DISCOVER)))
framing("empty/http", "An empty body", post_text("", headers(DISCOVER)))
for slug, title, message in (
    ("null-id", "A null id cannot be used", {**DISCOVER, "id": None}),
    ("fraction-id", "A fraction cannot be an id", {**DISCOVER, "id": 1.5}),
    ("boolean-id", "A boolean cannot be an id", {**DISCOVER, "id": True}),
    ("array-id", "An array cannot be an id", {**DISCOVER, "id": [1]}),
    ("no-jsonrpc", "A request that names no version of JSON-RPC is refused under its id", without(DISCOVER, "jsonrpc")),
    ("jsonrpc-1", "A request of JSON-RPC 1.0 is refused under its id", {**DISCOVER, "jsonrpc": "1.0"}),
    ("method-number", "A method that is a number is refused under the id", {**DISCOVER, "method": 7}),
    ("scalar", "A number is no message", 7),
    ("null", "null is no message", None),
    ("batch", "An array of requests is no message", [DISCOVER, {**LIST, "id": 2}]),
    ("batch-empty", "An empty array is no message", []),
):
    framing(f"{slug}/stdio", f"{title} on stdio", stdio(message), flags=BAD, view=View.STAYS_OPEN)
    framing(f"{slug}/http", f"{title} over HTTP", post(message, headers(DISCOVER)), flags=BAD)
both(framing, "integral-float-id", "An id written 1.0", {**DISCOVER, "id": 1.0})
for transport, sent in (("stdio", stdio(LARGE)), ("http", post(LARGE, headers(LARGE)))):
    framing(
        f"large-id/{transport}",
        f"An id beyond the safe range is repeated exactly ({transport})",
        sent,
        flags=("beyond-2-53",),
    )
framing(
    "response/stdio",
    "A response from a client on stdio",
    stdio({"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete"}}),
    view=View.STAYS_OPEN,
)
framing(
    "response/http",
    "A response from a client over HTTP",
    post({"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete"}}, headers(DISCOVER)),
)
CANCELLED: Final = notification("notifications/cancelled", {"requestId": 12345})
framing(
    "notification/stdio",
    "A cancellation of an unknown request is not answered",
    stdio(CANCELLED),
    governs=("base.notification.no-response",),
    shows=("base.notification.no-response",),
)
framing(
    "notification-unknown/stdio",
    "A notification that nobody knows is not answered",
    stdio(notification("notifications/example")),
    governs=("base.notification.no-response",),
    shows=("base.notification.no-response",),
)
framing(
    "notification-malformed/stdio",
    "A notification with params of a wrong type is not answered",
    stdio({**CANCELLED, "params": []}),
    flags=BAD,
    governs=("base.notification.no-response",),
    shows=("base.notification.no-response",),
)
framing(
    "request-without-id/stdio",
    "A request without its id is not answered",
    stdio(without(LIST, "id")),
    governs=("base.notification.no-response",),
    shows=("base.notification.no-response",),
)
framing(
    "notification/http",
    "A notification over HTTP is accepted or refused, without a response",
    post(CANCELLED, headers(CANCELLED, version=VERSION, method="notifications/cancelled")),
    shows=("base.notification.no-response",),
    see=("field:can-http-notification-accepted",),
)
framing(
    "request-without-id/http",
    "A request without its id over HTTP gets no response",
    post(without(LIST, "id"), headers(LIST)),
    shows=("base.notification.no-response",),
    see=("field:http-request-without-id",),
)
framing(
    "charset",
    "A media type with a charset is no reason to refuse",
    post(DISCOVER, {**headers(DISCOVER), "Content-Type": "application/json; charset=utf-8"}),
    see=("field:http-get-answered-200",),
)

# --- lists -----------------------------------------------------------------------------------------------------------

lists = exchanges("server/lists", "What a server answers to list requests.", MALFORMED)

for method, name in (
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resource-templates"),
):
    both(lists, name, f"{method} gives a page", request(method), shows=("mrtr.supported.nothing-else",))
    both(lists, f"{name}-hints", f"A result of {method} has caching hints", request(method), view=View.HINTS)
    both(
        lists,
        f"{name}-invalid-cursor",
        f"{method} refuses a cursor that it never gave out",
        request(method, {"cursor": "no cursor of this server"}),
        governs=("pagination.error.invalid-cursor",),
        shows=("pagination.server.invalid-cursor-graceful",),
    )
both(lists, "discover-hints", "A result of server/discover has caching hints", DISCOVER, view=View.HINTS)
both(lists, "number-cursor", "A cursor that is a number is refused", request("tools/list", {"cursor": 7}), bad=True)
both(lists, "null-cursor", "A cursor that is null is refused", request("tools/list", {"cursor": None}), bad=True)
both(
    lists,
    "no-log-level",
    "No log message goes out for a request that asked for none",
    LIST,
    governs=("logging.server.silent-without-level",),
    shows=("logging.server.silent-without-level",),
)
both(
    lists,
    "log-level",
    "Log messages below the level that a request asked for do not go out",
    request("tools/list", meta=with_meta(log_level="error")),
    governs=("logging.server.threshold",),
)

# --- HTTP traffic of older revisions ---------------------------------------------------------------------------------

traffic = exchanges(
    "server/http-legacy-traffic", "What a server of this revision alone makes of older HTTP traffic.", MALFORMED
)

traffic("post", "A request is served", post(LIST, headers(LIST)), eras=MODERN)
ACCEPT: Final = {"Accept": "text/event-stream", "MCP-Protocol-Version": VERSION}
traffic(
    "get",
    "GET is not allowed",
    http("GET", ACCEPT),
    eras=MODERN,
    shows=("http.legacy.get-405",),
    see=("field:http-get-answered-200",),
)
traffic(
    "get-legacy-client",
    "GET of a client of an older transport is not allowed",
    http("GET", {"Accept": "text/event-stream"}),
    eras=MODERN,
    shows=("http.legacy.get-405",),
)
traffic(
    "delete",
    "DELETE is not allowed",
    http("DELETE", {"MCP-Protocol-Version": VERSION, "Mcp-Session-Id": "abc"}),
    eras=MODERN,
    shows=("http.legacy.delete-405",),
)
traffic(
    "session-id",
    "A session id is ignored",
    post(LIST, headers(LIST, session_id="from-an-older-revision")),
    eras=MODERN,
    governs=("http.legacy.session-id-ignored",),
    shows=("http.legacy.session-id-ignored",),
)
traffic(
    "session-not-minted",
    "No session id is assigned",
    post(DISCOVER, headers(DISCOVER)),
    eras=MODERN,
    view=View.NO_SESSION,
    governs=("http.legacy.session-id-not-minted",),
    shows=("http.legacy.session-id-not-minted",),
)
traffic(
    "session-not-echoed",
    "A session id is not repeated",
    post(LIST, headers(LIST, session_id="bogus")),
    eras=MODERN,
    view=View.NO_SESSION,
    governs=("http.legacy.session-id-not-echoed",),
    shows=("http.legacy.session-id-not-echoed",),
    see=("field:era-session-minted-on-modern",),
)
traffic(
    "session-not-for-initialize",
    "A refused initialize gets no session",
    post(initialize(), legacy_headers()),
    eras=MODERN,
    view=View.NO_SESSION,
    governs=("http.legacy.session-id-not-minted",),
    shows=("http.legacy.session-id-not-minted",),
)
traffic(
    "last-event-id",
    "A last event id is ignored",
    post(LIST, headers(LIST, last_event="7")),
    eras=MODERN,
    governs=("http.legacy.last-event-id-ignored",),
    shows=("http.legacy.last-event-id-ignored",),
)
