"""Cases of what a server implements, reads and replies."""

from __future__ import annotations

from typing import Any

from spec_model.cases.requests import (
    CAPABILITIES,
    CLIENT,
    CLIENT_INFO,
    LEGACY,
    LOG_LEVEL,
    VERSION,
    bare,
    initialize,
    request,
    with_meta,
)
from spec_model.cases.table import decisions

ALL: dict[str, Any] = {"tools": {}, "prompts": {}, "resources": {}}
MODERN = {"versions": [VERSION], "capabilities": ALL}
DUAL = {"versions": [VERSION, LEGACY, "2025-06-18"], "capabilities": ALL}
OLDEST = {"versions": [VERSION, LEGACY, "2025-06-18", "2025-03-26"], "capabilities": ALL}
LEGACY_ONLY = {"versions": [LEGACY, "2025-06-18"], "capabilities": ALL}

# --- versions --------------------------------------------------------------------------------------------------------

listed = decisions("server/supported-versions", "server.supported-versions")
listed("dual-era", "A dual-era server lists the versions of both eras", server={"versions": [VERSION, LEGACY]})
listed("two-modern", "The newest version comes first", server={"versions": [VERSION, "2026-12-01"]})
listed("dual-era-two-modern", "Modern versions come first", server={"versions": [VERSION, LEGACY, "2026-12-01"]})
listed(
    "dual-era-oldest", "Every legacy version counts", server={"versions": [LEGACY, VERSION, "2024-11-05", "2025-03-26"]}
)  # fmt: skip

# --- methods ---------------------------------------------------------------------------------------------------------

methods = decisions("server/implements", "server.implements")


def gate(slug: str, title: str, method: str, capabilities: Any, version: str = VERSION) -> None:
    """One method under one set of capabilities."""
    methods(
        slug,
        title,
        server={"versions": [VERSION, LEGACY], "capabilities": capabilities},
        version=version,
        method=method,
    )


gate("discover", "Every server implements server/discover", "server/discover", {})
gate("discover-legacy", "server/discover is unknown to legacy revisions", "server/discover", {}, LEGACY)
for feature, names in {
    "tools": ["tools/list", "tools/call"],
    "prompts": ["prompts/list", "prompts/get"],
    "resources": ["resources/list", "resources/templates/list", "resources/read"],
    "completions": ["completion/complete"],
}.items():
    for name in names:
        slug = name.replace("/", "-")
        gate(slug, f"A server that advertises {feature} implements {name}", name, {feature: {}})
        gate(f"{slug}-gated", f"Without {feature}, {name} is unknown", name, {})
        gate(f"{slug}-legacy", f"{name} is gated by {feature} in a legacy session too", name, {feature: {}}, LEGACY)

gate("wrong-gate", "Another capability does not open the gate", "tools/list", {"prompts": {}, "resources": {}})
gate("false-capability", "A capability whose value is false is not advertised", "tools/list", {"tools": False})
gate("null-capability", "A capability that is null is not advertised", "tools/list", {"tools": None})
gate("true-capability", "A capability that is true is not advertised", "tools/list", {"tools": True})
gate("settings", "A capability with settings is advertised", "tools/list", {"tools": {"listChanged": False}})
gate("unknown", "A method that nobody defines is unknown", "example/unknown", ALL)
gate("unknown-legacy", "A method that nobody defines is unknown in a legacy session", "example/unknown", ALL, LEGACY)
gate("case", "Methods are compared by letter case", "Tools/List", ALL)
gate("empty-name", "The empty name is no method", "", ALL)
for version, suffix in ((VERSION, ""), (LEGACY, "-legacy")):
    methods(
        f"own{suffix}", f"A method of the server's own is implemented under {version}",
        server={"versions": [VERSION, LEGACY], "methods": ["example/echo"]}, version=version, method="example/echo",
    )  # fmt: skip

for name, capabilities in {
    "initialize": {},
    "ping": {},
    "logging/setLevel": {"logging": {}},
    "resources/subscribe": {"resources": {"subscribe": True}},
    "resources/unsubscribe": {"resources": {"subscribe": True}},
}.items():
    slug = name.replace("/", "-").lower()
    gate(f"removed-{slug}", f"{name} is unknown in this revision", name, capabilities)
    gate(f"legacy-{slug}", f"{name} is a method of the legacy revisions", name, capabilities, LEGACY)
gate("legacy-set-level-gated", "Without logging, logging/setLevel is unknown", "logging/setLevel", {}, LEGACY)
for name in ("subscribe", "unsubscribe"):
    gate(
        f"legacy-{name}-gated", f"Without the subscribe capability, resources/{name} is unknown",
        f"resources/{name}", {"resources": {"subscribe": False}}, LEGACY,
    )  # fmt: skip

TASKS: Any = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
for name in ("get", "update", "cancel"):
    gate(f"tasks-{name}", f"The tasks extension brings tasks/{name}", f"tasks/{name}", TASKS)
    gate(f"tasks-{name}-gated", f"Without the tasks extension, tasks/{name} is unknown", f"tasks/{name}", {})
gate(
    "tasks-null", "An extension that is null is not advertised", "tasks/get",
    {"extensions": {"io.modelcontextprotocol/tasks": None}},
)  # fmt: skip
gate("tasks-result", "tasks/result is unknown even with the tasks extension", "tasks/result", TASKS)
gate("tasks-list", "tasks/list is unknown even with the tasks extension", "tasks/list", TASKS)
gate("tasks-experimental", "The tasks capability of 2025-11-25 opens nothing", "tasks/get", {"tasks": {"list": {}}})

gate(
    "listen",
    "A server with nothing to announce implements subscriptions/listen all the same",
    "subscriptions/listen",
    {},
)
for slug, capabilities in {
    "tools": {"tools": {"listChanged": True}},
    "prompts": {"prompts": {"listChanged": True}},
    "resources": {"resources": {"listChanged": True}},
    "subscribe": {"resources": {"subscribe": True}},
}.items():
    gate(
        f"listen-{slug}",
        f"A server that announces changes ({slug}) takes subscriptions",
        "subscriptions/listen",
        capabilities,
    )
gate(
    "listen-not-announcing",
    "listChanged: false announces nothing",
    "subscriptions/listen",
    {"tools": {"listChanged": False}},
)
gate(
    "legacy-subscribe-object",
    "A flag that is an object is not true",
    "resources/subscribe",
    {"resources": {"subscribe": {}}},
    LEGACY,
)
gate("listen-legacy", "subscriptions/listen is unknown to legacy revisions", "subscriptions/listen", {}, LEGACY)

# --- text that is no JSON --------------------------------------------------------------------------------------------

texts = decisions("server/text", "server.on-text")
for transport, what in (("stdio", "line"), ("http", "body")):
    texts(
        f"{transport}-json",
        f"A {what} that is JSON is read",
        text='{"jsonrpc":"2.0","id":1,"method":"ping"}',
        transport=transport,
    )
    texts(f"{transport}-prose", f"A {what} of prose is no JSON", text="server/discover, please", transport=transport)
    texts(
        f"{transport}-cut",
        f"A {what} that ends too early is no JSON",
        text='{"jsonrpc":"2.0","id":1,"method":"ping"',
        transport=transport,
    )
    texts(f"{transport}-empty", f"An empty {what} is no JSON", text="", transport=transport)
    texts(
        f"{transport}-nan",
        f"A {what} with NaN is no JSON",
        text='{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
        transport=transport,
    )
    texts(f"{transport}-two-values", f"Two values on one {what} are no JSON", text="{} {}", transport=transport)
texts(
    "stdio-carriage-return",
    "A carriage return before the newline is white space",
    text='{"jsonrpc":"2.0","id":1,"method":"ping"}\r',
    transport="stdio",
)
texts("stdio-scalar", "A scalar is JSON, whatever it means", text="7", transport="stdio")

# --- what makes a request modern -------------------------------------------------------------------------------------

MALFORMED = {"malformed": "The message breaks the official JSON Schema of its revision, on purpose."}
BAD = ("malformed",)
OLDER = {"legacy": "The message belongs to a legacy revision and not to this one."}

markers = decisions("server/is-modern", "server.is-modern", MALFORMED)
markers("complete", "Complete metadata makes a request modern", message=request("tools/list"))
markers("none", "A request without metadata is a legacy one", message=bare("tools/list"))
markers("empty-meta", "Empty metadata makes no request modern", message=bare("tools/list", {"_meta": {}}))
markers(
    "version-only",
    "The version key alone makes a request modern",
    _flags=BAD,
    message=request("tools/list", meta=with_meta(capabilities=None, client_info=None)),
)
markers(
    "version-number",
    "A version key of a wrong type is there all the same",
    _flags=BAD,
    message=request("tools/list", meta=with_meta(version=20260728)),
)
markers(
    "capabilities-only",
    "The capabilities without the version mark a modern request",
    _flags=BAD,
    message=bare("tools/list", {"_meta": {CAPABILITIES: {}}}),
)
markers(
    "client-info-only",
    "The client identity without the version marks a modern request",
    _flags=BAD,
    message=bare("tools/list", {"_meta": {CLIENT_INFO: CLIENT}}),
)
markers(
    "log-level-only",
    "The log level without the version marks a modern request",
    _flags=BAD,
    message=bare("tools/list", {"_meta": {LOG_LEVEL: "info"}}),
)
markers(
    "progress-token-only",
    "A progress token marks nothing, for both eras have it",
    message=bare("tools/list", {"_meta": {"progressToken": 1}}),
)
markers(
    "trace-only",
    "Trace context marks nothing",
    message=bare("tools/list", {"_meta": {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"}}),
)
markers(
    "vendor-key-only",
    "The key of a vendor marks nothing",
    message=bare("tools/list", {"_meta": {"com.example/version": VERSION}}),
)
markers(
    "modern-header",
    "A header that names a modern version marks a modern request",
    _flags=BAD,
    message=bare("tools/list"),
    header=VERSION,
)
markers(
    "later-header",
    "A header that names a later version marks a modern request",
    _flags=BAD,
    message=bare("tools/list"),
    header="2099-01-01",
)
markers(
    "legacy-header", "A header that names a legacy version marks nothing", message=bare("tools/list"), header=LEGACY
)
markers("odd-header", "A header that names no version marks nothing", message=bare("tools/list"), header="latest")
markers(
    "legacy-header-and-key", "A legacy header does not undo the metadata", message=request("tools/list"), header=LEGACY
)
markers(
    "initialize",
    "A plain initialize opens a legacy session",
    message=initialize(),
)
markers(
    "initialize-complete",
    "initialize with complete metadata of this revision",
    message=initialize(meta=with_meta()),
)
markers(
    "initialize-client-info",
    "initialize with a client identity in its metadata",
    message=initialize(meta={CLIENT_INFO: CLIENT}),
)
markers(
    "initialize-legacy-meta",
    "initialize with complete metadata that names a legacy version",
    message=initialize(meta=with_meta(version=LEGACY)),
)
markers("initialize-modern-header", "initialize under a modern header", message=initialize(), header=VERSION)
markers("initialize-legacy-header", "initialize under a legacy header", message=initialize(), header=LEGACY)
markers(
    "params-array",
    "Params that are an array hold no metadata",
    _flags=BAD,
    message={"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [with_meta()]},
)

# --- results ---------------------------------------------------------------------------------------------------------

members = decisions("server/result-members", "server.result-members")
for name in (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
):
    members(
        name.replace("/", "-"),
        f"A complete result of {name} has a type and caching hints",
        version=VERSION,
        method=name,
    )
for name in ("tools/call", "prompts/get", "completion/complete"):
    members(
        name.replace("/", "-"),
        f"A complete result of {name} has a type, and caching hints are free",
        version=VERSION,
        method=name,
    )
members(
    "legacy-tools-list",
    "In a legacy session the members of this revision are left out",
    _see=("field:rt-leaked-to-legacy-client",),
    version=LEGACY,
    method="tools/list",
)
members("legacy-tools-call", "In a legacy session a tool result has no type", version="2025-06-18", method="tools/call")

failures = decisions("server/handler-error", "server.handler-error")
for condition, what in (
    ("invalid-params", "Invalid params"),
    ("invalid-cursor", "An invalid cursor"),
    ("resource-not-found", "A missing resource"),
):
    for transport in ("stdio", "http"):
        failures(
            f"{condition}-{transport}",
            f"{what} on {transport}",
            condition=condition,
            version=VERSION,
            transport=transport,
        )
    failures(
        f"{condition}-legacy", f"{what} in a legacy session", condition=condition, version=LEGACY, transport="http"
    )

inputs = decisions("server/needs-input", "server.needs-input")
for version, era in ((VERSION, ""), (LEGACY, "legacy-")):
    for slug, title, needed, declared in (
        ("declared", "the client declared the capability", {"sampling": {}}, {"sampling": {}}),
        ("undeclared", "the client declared nothing", {"sampling": {}}, {}),
        ("other-declared", "the client declared another capability", {"sampling": {}}, {"roots": {}}),
        ("one-of-two", "the client declared one of two capabilities", {"sampling": {}, "roots": {}}, {"roots": {}}),
        ("wrong-type", "the declaration is no object", {"sampling": {}}, {"sampling": True}),
        (
            "mode-undeclared",
            "the client declared another elicitation mode",
            {"elicitation": {"url": {}}},
            {"elicitation": {}},
        ),
    ):
        inputs(
            f"{era}{slug}",
            f"Input is needed under {version}, and {title}",
            version=version,
            transport="stdio",
            required=needed,
            declared=declared,
        )
inputs(
    "http-undeclared",
    "Over HTTP a missing capability has status 400",
    version=VERSION,
    transport="http",
    required={"sampling": {}},
    declared={},
)
inputs(
    "http-mode-undeclared",
    "A missing elicitation mode over HTTP",
    _see=("field:mrtr-empty-elicitation-url-mode",),
    version=VERSION,
    transport="http",
    required={"elicitation": {"url": {}}},
    declared={"elicitation": {}},
)

cancelled = decisions("server/cancelled", "server.after-cancellation")
for message in ("response", "notification"):
    cancelled(
        f"{message}-before",
        f"A {message} goes out before the cancellation is read",
        message=message,
        read=False,
        cancellable=True,
    )
    cancelled(
        f"{message}-after",
        f"No {message} follows the cancellation of a running request",
        _see=("field:can-answered-anyway",),
        message=message,
        read=True,
        cancellable=True,
    )
    cancelled(
        f"{message}-too-late",
        f"A {message} for a request that cannot be cancelled any more",
        message=message,
        read=True,
        cancellable=False,
    )

# --- the refusal of a legacy client ----------------------------------------------------------------------------------

refusals = decisions("server/initialize-refusal", "server.judge-initialize-refusal", {**OLDER, **MALFORMED})


def error(code: int | str, text: str, **data: object) -> dict[str, object]:
    """An error response."""
    return {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": text, **data}}


NAMED = "initialize is no method of 2026-07-28"
refusals("stdio-named", "An error whose message names the version", server=MODERN, reply=error(-32601, NAMED))
refusals("stdio-unnamed", "An error that names no version", server=MODERN, reply=error(-32601, "Method not found"))
refusals(
    "stdio-data",
    "An error whose data names the version",
    server=MODERN,
    reply=error(-32602, "no", data={"supportedVersions": [VERSION]}),
)
refusals(
    "stdio-unsupported",
    "The unsupported-version error names versions by itself",
    _see=("field:ver-modern-only-answers-initialize",),
    server=MODERN,
    reply=error(-32022, "no", data={"supported": [VERSION], "requested": LEGACY}),
)
refusals("stdio-own-code", "A code of the server's own is right on stdio", server=MODERN, reply=error(1001, NAMED))
refusals("stdio-code-text", "A code is an integer", _flags=("malformed",), server=MODERN, reply=error("x", NAMED))
refusals("stdio-retired", "A retired code is emitted for nothing", server=MODERN, reply=error(-32042, NAMED))
refusals("stdio-header-mismatch", "There is no header on stdio to be wrong", server=MODERN, reply=error(-32020, NAMED))
refusals(
    "stdio-legacy-range", "A code of the legacy range is advised against", server=MODERN, reply=error(-32000, NAMED)
)
refusals(
    "stdio-unsupported-without-list",
    "The unsupported-version error lists versions",
    _flags=("malformed",),
    server=MODERN,
    reply=error(-32022, NAMED),
)
refusals("stdio-data-text", "The data may be a text", server=MODERN, reply=error(-32601, "no", data=NAMED))
refusals(
    "stdio-one-of-two",
    "One of two supported versions is not all that the server supports",
    server={"versions": [VERSION, "2026-12-01"]},
    reply=error(-32601, NAMED),
)
refusals(
    "stdio-both-of-two",
    "Both versions are named",
    server={"versions": [VERSION, "2026-12-01"]},
    reply=error(-32601, f"{NAMED}, 2026-12-01"),
)
refusals(
    "stdio-key",
    "A version that is only the name of a member is not named",
    server=MODERN,
    reply=error(-32601, "no", data={VERSION: True}),
)
refusals(
    "stdio-result",
    "A result makes the legacy client go on",
    _flags=("legacy",),
    server=MODERN,
    reply={"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": VERSION, "capabilities": {}, "serverInfo": CLIENT}},
)
refusals("http-named", "Over HTTP the status is 400", server=MODERN, reply=error(-32020, NAMED), status=400)
refusals(
    "http-404",
    "404 is not the status of a request that lacks its headers",
    server=MODERN,
    reply=error(-32601, NAMED),
    status=404,
)
refusals(
    "http-unsupported",
    "Over HTTP the unsupported-version error is right too",
    server=MODERN,
    reply=error(-32022, "no", data={"supported": [VERSION], "requested": LEGACY}),
    status=400,
)
refusals("http-invalid-params", "Over HTTP -32602 is right too", server=MODERN, reply=error(-32602, NAMED), status=400)
refusals("http-own-code", "Over HTTP the code is not free", server=MODERN, reply=error(-32600, NAMED), status=400)
refusals("http-legacy-code", "Over HTTP -32000 says nothing", server=MODERN, reply=error(-32000, NAMED), status=400)
refusals("http-no-body", "Over HTTP the refusal has a JSON-RPC error", server=MODERN, status=400)
refusals("http-200", "200 is no refusal", server=MODERN, reply=error(-32020, NAMED), status=200)
refusals(
    "http-unnamed",
    "Over HTTP an error that names no version",
    server=MODERN,
    reply=error(-32020, "Missing header"),
    status=400,
)
