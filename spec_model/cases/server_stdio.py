"""Cases of what a server does with a message on stdio."""

from __future__ import annotations

from typing import Any

from spec_model.cases.requests import (
    CAPABILITIES,
    CLIENT,
    CLIENT_INFO,
    LEGACY,
    UNKNOWN,
    VERSION,
    bare,
    initialize,
    notification,
    request,
    with_meta,
    without,
)
from spec_model.cases.server import DUAL, LEGACY_ONLY, MALFORMED, MODERN, OLDER, OLDEST
from spec_model.cases.table import decisions

BAD = ("malformed",)
LIST = request("tools/list")

stdio = decisions("server/stdio", "server.on-stdio", {**MALFORMED, **OLDER})


def handshaken(version: str = LEGACY, first: str = "legacy") -> dict[str, Any]:
    """A process on which a handshake took place."""
    return {"first": first, "handshake": version}


# --- a modern-only server --------------------------------------------------------------------------------------------

stdio("modern-list", "A request of this revision is served without a handshake", server=MODERN, message=LIST)
stdio("modern-discover", "server/discover is served", server=MODERN, message=request("server/discover"))
stdio(
    "modern-after-another",
    "What was served before changes nothing",
    server=MODERN,
    message=LIST,
    process={"first": "modern"},
)
stdio("modern-string-id", "The id may be a string", server=MODERN, message=request("tools/list", id="a"))
stdio(
    "modern-no-client-info", "A request that does not identify its client is served",
    _see=("field:meta-silent-without-clientinfo", "field:id-clientinfo-demanded"),
    server=MODERN, message=request("server/discover", meta=with_meta(client_info=None)),
)  # fmt: skip
stdio(
    "modern-list-no-client-info",
    "The identity is optional for every method",
    server=MODERN,
    message=request("tools/list", meta=with_meta(client_info=None)),
)
stdio(
    "modern-log-level",
    "A known log level is taken",
    server=MODERN,
    message=request("tools/list", meta=with_meta(log_level="info")),
)

for slug, what, meta in (
    ("no-version", "the protocol version", with_meta(version=None)),
    ("no-capabilities", "the client capabilities", with_meta(capabilities=None)),
    ("only-client-info", "both required keys", with_meta(version=None, capabilities=None)),
):
    stdio(
        f"modern-{slug}",
        f"A request whose metadata lacks {what} is refused",
        _flags=BAD,
        server=MODERN,
        message=request("tools/list", meta=meta),
    )
stdio(
    "modern-empty-meta",
    "A request whose metadata is empty is refused",
    _flags=BAD,
    server=MODERN,
    message=request("tools/list", meta={}),
)
stdio(
    "modern-no-meta", "A request without metadata is refused", _flags=BAD, server=MODERN, message=bare("tools/list", {})
)
stdio("modern-no-params", "A request without params is refused", _flags=BAD, server=MODERN, message=bare("tools/list"))
stdio(
    "modern-discover-no-meta",
    "server/discover is no exception",
    _flags=BAD,
    server=MODERN,
    message=bare("server/discover"),
)
stdio(
    "modern-params-array",
    "Params that are an array hold no metadata",
    _flags=BAD,
    server=MODERN,
    message={**LIST, "params": [with_meta()]},
)
stdio(
    "modern-params-null",
    "Params that are null hold no metadata",
    _flags=BAD,
    server=MODERN,
    message={**LIST, "params": None},
)
stdio(
    "modern-meta-array",
    "Metadata that is an array has no keys",
    _flags=BAD,
    server=MODERN,
    message=bare("tools/list", {"_meta": []}),
)
stdio(
    "modern-meta-null",
    "Metadata that is null has no keys",
    _flags=BAD,
    server=MODERN,
    message=bare("tools/list", {"_meta": None}),
)
stdio(
    "modern-version-number",
    "A protocol version is no number",
    _flags=BAD,
    server=MODERN,
    message=request("tools/list", meta=with_meta(version=20260728)),
)
stdio(
    "modern-capabilities-array",
    "Client capabilities are no array",
    _flags=BAD,
    server=MODERN,
    message=request("tools/list", meta=with_meta(capabilities=[])),
)
stdio(
    "modern-client-info-text",
    "A client identity that is a text is malformed",
    _flags=BAD,
    server=MODERN,
    message=request("tools/list", meta=with_meta(client_info="ExampleClient")),
)
stdio(
    "modern-capability-wrong-inside",
    "A capability that is no object is malformed",
    _flags=BAD,
    server=MODERN,
    message=request("tools/list", meta=with_meta(capabilities={"elicitation": "yes"})),
)
stdio(
    "modern-log-level-unknown",
    "A log level that is none is refused",
    _flags=BAD,
    server=MODERN,
    message=request("tools/list", meta=with_meta(log_level="loud")),
)

stdio(
    "modern-version-unknown",
    "A version that nobody knows is refused",
    server=MODERN,
    message=request("tools/list", meta=with_meta(version=UNKNOWN)),
)
stdio(
    "modern-version-later",
    "A later version is refused",
    server=MODERN,
    message=request("tools/list", meta=with_meta(version="2099-01-01")),
)
stdio(
    "modern-version-legacy",
    "A legacy version is refused by a server without it",
    server=MODERN,
    message=request("tools/list", meta=with_meta(version=LEGACY)),
)
stdio(
    "modern-version-empty",
    "The empty version is one that nobody knows",
    server=MODERN,
    message=request("tools/list", meta=with_meta(version="")),
)
stdio(
    "modern-version-space",
    "A version with a space behind it is another version",
    server=MODERN,
    message=request("tools/list", meta=with_meta(version=f"{VERSION} ")),
)
stdio(
    "modern-version-discover",
    "server/discover is refused for its version too",
    server=MODERN,
    message=request("server/discover", meta=with_meta(version=UNKNOWN)),
)
stdio(
    "modern-version-later-supported",
    "A server of a later version as well serves it",
    server={**MODERN, "versions": [VERSION, "2099-01-01"]},
    message=request("tools/list", meta=with_meta(version="2099-01-01")),
)
stdio(
    "modern-version-two-listed",
    "Every supported version is listed",
    server={**MODERN, "versions": [VERSION, "2099-01-01"]},
    message=request("tools/list", meta=with_meta(version=UNKNOWN)),
)
stdio(
    "modern-version-after-served", "A version is refused whatever version was served before",
    server=MODERN, message=request("tools/list", meta=with_meta(version=UNKNOWN)), process={"first": "modern"},
)  # fmt: skip

stdio("modern-method-unknown", "An unknown method is refused", server=MODERN, message=request("example/unknown"))
stdio(
    "modern-method-gated",
    "A method of a capability that is not advertised is unknown",
    server={"versions": [VERSION], "capabilities": {"prompts": {}}},
    message=LIST,
)
for method in ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "initialize"):
    stdio(
        f"modern-removed-{method.replace('/', '-').lower()}",
        f"{method} is unknown in this revision",
        server=MODERN,
        message=request(method),
    )
for method in ("result", "list"):
    stdio(
        f"modern-removed-tasks-{method}",
        f"tasks/{method} is unknown in this revision",
        _see=("field:task-old-shape-under-new-name",),
        server=MODERN,
        message=request(f"tasks/{method}", {"taskId": "t1"}),
    )

stdio(
    "modern-unknown-version-and-method",
    "An unknown version and an unknown method",
    server=MODERN,
    message=request("example/unknown", meta=with_meta(version=UNKNOWN)),
)
stdio(
    "modern-no-capabilities-and-version",
    "A missing key and an unknown version",
    _flags=BAD,
    server=MODERN,
    message=request("tools/list", meta=with_meta(version=UNKNOWN, capabilities=None)),
)
stdio(
    "modern-no-meta-and-method",
    "Missing metadata and an unknown method",
    server=MODERN,
    message=bare("example/unknown"),
)
stdio(
    "modern-three-faults",
    "A missing key, an unknown version and an unknown method",
    server=MODERN,
    message=request("example/unknown", meta=with_meta(version=UNKNOWN, capabilities=None)),
)

stdio("modern-initialize", "A plain initialize is refused", server=MODERN, message=initialize())
stdio(
    "modern-initialize-modern-version",
    "initialize is refused whatever version it asks for",
    server=MODERN,
    message=initialize(VERSION),
)
stdio(
    "modern-initialize-reserved-key",
    "A client identity in its metadata makes it no request of this revision",
    server=MODERN,
    message=initialize(meta={CLIENT_INFO: CLIENT}),
)
stdio(
    "modern-initialize-with-meta",
    "initialize with complete metadata is an unknown method",
    server=MODERN,
    message=initialize(meta=with_meta()),
)

stdio(
    "modern-notification",
    "A notification is not answered",
    server=MODERN,
    message=notification("notifications/cancelled", {"requestId": 1}),
)
stdio(
    "modern-notification-unknown",
    "An unknown notification is not answered",
    server=MODERN,
    message=notification("notifications/example"),
)
stdio(
    "modern-notification-bad-params",
    "A notification with wrong params is not answered",
    _flags=BAD,
    server=MODERN,
    message={"jsonrpc": "2.0", "method": "notifications/cancelled", "params": []},
)
stdio(
    "modern-request-without-id",
    "A request without its id is a notification",
    server=MODERN,
    message=without(LIST, "id"),
)

stdio("modern-null-id", "A null id is of no use", _flags=BAD, server=MODERN, message=request("tools/list", id=None))
stdio(
    "modern-fraction-id",
    "A fraction is of no use as an id",
    _flags=BAD,
    server=MODERN,
    message=request("tools/list", id=1.5),
)
stdio(
    "modern-boolean-id",
    "A boolean is of no use as an id",
    _flags=BAD,
    server=MODERN,
    message=request("tools/list", id=True),
)
stdio(
    "modern-integral-float-id",
    "An id written 1.0 is the integer 1",
    server=MODERN,
    message=request("example/unknown", id=1.0),
)
stdio(
    "modern-large-id",
    "An id beyond the safe range is repeated exactly",
    server=MODERN,
    message=request("example/unknown", id=2**53 + 1),
)
stdio(
    "modern-no-jsonrpc",
    "A request that does not name JSON-RPC 2.0 is refused under its id",
    _flags=BAD,
    server=MODERN,
    message=without(LIST, "jsonrpc"),
)
stdio(
    "modern-jsonrpc-1",
    "A request of JSON-RPC 1.0 is refused under its id",
    _flags=BAD,
    server=MODERN,
    message={**LIST, "jsonrpc": "1.0"},
)
stdio(
    "modern-method-number",
    "A method that is a number is refused under the id",
    _flags=BAD,
    server=MODERN,
    message={**LIST, "method": 7},
)
stdio(
    "modern-jsonrpc-1-notification",
    "A malformed notification has no id",
    _flags=BAD,
    server=MODERN,
    message={"jsonrpc": "1.0", "method": "notifications/cancelled"},
)
stdio(
    "modern-jsonrpc-1-null-id",
    "Nothing in this request can be used",
    _flags=BAD,
    server=MODERN,
    message={**LIST, "jsonrpc": "1.0", "id": None},
)
stdio(
    "modern-response",
    "The id of a response is not that of a request",
    server=MODERN,
    message={"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete"}},
)
stdio(
    "modern-error-response",
    "An error that a client sends is no request",
    server=MODERN,
    message={"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "no"}},
)
stdio("modern-scalar", "A number is no message", _flags=BAD, server=MODERN, message=7)
stdio("modern-null", "null is no message", _flags=BAD, server=MODERN, message=None)
stdio("modern-empty-object", "An empty object is no message", _flags=BAD, server=MODERN, message={})
stdio("modern-batch", "An array of requests is no message", _flags=BAD, server=MODERN, message=[LIST])
stdio("modern-batch-empty", "An empty array is no message", _flags=BAD, server=MODERN, message=[])

# --- a dual-era server -----------------------------------------------------------------------------------------------

stdio("dual-modern", "A dual-era server serves a modern request by this revision", server=DUAL, message=LIST)
stdio(
    "dual-modern-after-handshake",
    "A modern request stands for itself after a handshake",
    server=DUAL,
    message=LIST,
    process=handshaken(),
)
stdio(
    "dual-modern-both-eras",
    "A modern request is served where both eras were used",
    server=DUAL,
    message=LIST,
    process=handshaken(first="modern"),
)
stdio("dual-initialize", "initialize opens a legacy session", server=DUAL, message=initialize())
stdio(
    "dual-initialize-older",
    "An older supported version is answered with itself",
    server=DUAL,
    message=initialize("2025-06-18"),
)
stdio(
    "dual-initialize-unsupported",
    "A version without support is answered with another",
    server=DUAL,
    message=initialize("2024-11-05"),
)
stdio(
    "dual-initialize-modern-version", "initialize for a modern version is answered with a legacy one",
    _see=(
        "field:era-initialize-names-2026",
        "field:era-initialize-2026-method-not-found",
        "field:rt-missing-after-initialize-echo",
    ),
    server=DUAL, message=initialize(VERSION),
)  # fmt: skip
stdio(
    "dual-initialize-no-version",
    "initialize without a version is refused",
    _flags=BAD,
    server=DUAL,
    message=bare("initialize", {"capabilities": {}, "clientInfo": CLIENT}),
)
stdio(
    "dual-initialize-after-modern",
    "initialize is answered after a modern request",
    server=DUAL,
    message=initialize(),
    process={"first": "modern"},
)
stdio(
    "dual-initialize-with-meta", "initialize with complete metadata", server=DUAL, message=initialize(meta=with_meta())
)
stdio(
    "dual-initialize-empty-meta",
    "Empty metadata does not change what initialize is",
    server=DUAL,
    message=initialize(meta={}),
)
stdio(
    "dual-initialize-reserved-key",
    "initialize with a client identity in its metadata",
    server=DUAL,
    message=initialize(meta={CLIENT_INFO: CLIENT}),
)
stdio(
    "dual-initialize-legacy-version-key",
    "initialize whose metadata has the version key of a request and names a legacy version in it",
    server=DUAL,
    message=initialize(meta=with_meta(version=LEGACY, capabilities=None, client_info=None)),
)
stdio(
    "dual-legacy",
    "A request without metadata is served by the version of the handshake",
    server=DUAL,
    message=bare("tools/list"),
    process=handshaken(),
)
stdio(
    "dual-legacy-older",
    "The negotiated version counts, not the newest",
    server=DUAL,
    message=bare("tools/list"),
    process=handshaken("2025-06-18"),
)
stdio(
    "dual-legacy-both-eras",
    "A legacy request is served where the first request was modern",
    server=DUAL,
    message=bare("tools/list"),
    process=handshaken(first="modern"),
)
stdio("dual-legacy-ping", "ping is served in a legacy session", server=DUAL, message=bare("ping"), process=handshaken())
stdio(
    "dual-legacy-discover",
    "server/discover without metadata is unknown in a legacy session",
    server=DUAL,
    message=bare("server/discover"),
    process=handshaken(),
)
stdio(
    "dual-legacy-progress-token",
    "A progress token does not make a request modern",
    server=DUAL,
    message=bare("tools/list", {"_meta": {"progressToken": 1}}),
    process=handshaken(),
)
stdio(
    "dual-legacy-reserved-keys",
    "Reserved keys without a version in a legacy session",
    _flags=BAD,
    server=DUAL,
    message=bare("tools/list", {"_meta": {CLIENT_INFO: CLIENT, CAPABILITIES: {}}}),
    process=handshaken(),
)
stdio(
    "dual-legacy-incomplete",
    "A version key without the capabilities in a legacy session is a malformed modern request",
    _flags=BAD,
    server=DUAL,
    message=request("tools/list", meta=with_meta(capabilities=None)),
    process=handshaken(),
)
stdio("dual-no-opening", "A request without metadata before any handshake", server=DUAL, message=bare("tools/list"))
stdio(
    "dual-no-opening-after-modern",
    "A request without metadata is not carried by a modern one before it",
    server=DUAL,
    message=bare("tools/list"),
    process={"first": "modern"},
)
stdio(
    "dual-no-opening-ping", "A method of the legacy era alone, before any handshake", server=DUAL, message=bare("ping")
)
stdio(
    "dual-no-opening-discover",
    "server/discover without metadata before any handshake",
    _see=("field:meta-discover-without-meta-served",),
    _flags=BAD,
    server=DUAL,
    message=bare("server/discover"),
)
stdio(
    "dual-no-opening-params-array",
    "Params that are an array, before any handshake",
    _flags=BAD,
    server=DUAL,
    message={**bare("tools/list"), "params": []},
)
stdio(
    "dual-reserved-keys",
    "Reserved keys without a version before any handshake",
    _flags=BAD,
    server=DUAL,
    message=bare("tools/list", {"_meta": {CLIENT_INFO: CLIENT, CAPABILITIES: {}}}),
)
stdio(
    "dual-legacy-version-in-meta",
    "A legacy version in the metadata",
    _see=("field:era-inline-legacy-version",),
    server=DUAL,
    message=request("tools/list", meta=with_meta(version=LEGACY)),
)
stdio(
    "dual-legacy-version-in-meta-after-handshake",
    "A legacy version in the metadata after a handshake",
    server=DUAL,
    message=request("tools/list", meta=with_meta(version=LEGACY)),
    process=handshaken("2025-06-18"),
)
stdio(
    "dual-legacy-version-in-meta-ping",
    "A legacy version in the metadata of a legacy method",
    server=DUAL,
    message=request("ping", meta=with_meta(version=LEGACY)),
)
stdio(
    "dual-version-unknown",
    "An unknown version is refused with the versions of both eras",
    server=DUAL,
    message=request("tools/list", meta=with_meta(version=UNKNOWN)),
)
stdio(
    "dual-version-not-implemented",
    "A legacy version that the server does not implement is refused",
    server=DUAL,
    message=request("tools/list", meta=with_meta(version="2024-11-05")),
)
stdio(
    "dual-removed-ping",
    "ping with modern metadata is unknown even in a legacy session",
    server=DUAL,
    message=request("ping"),
    process=handshaken(),
)
stdio(
    "dual-notification-initialized",
    "notifications/initialized is not answered",
    server=DUAL,
    message=notification("notifications/initialized"),
    process=handshaken(),
)
stdio(
    "dual-response-in-session",
    "A response in a legacy session answers a request of the server",
    _flags=("legacy",),
    server=DUAL,
    message={"jsonrpc": "2.0", "id": 1, "result": {}},
    process=handshaken(),
)
stdio(
    "dual-malformed-in-session",
    "A malformed message in a legacy session",
    _flags=BAD,
    server=DUAL,
    message={**bare("ping"), "method": 7},
    process=handshaken(),
)
stdio(
    "dual-response-no-session",
    "A response without a legacy session answers nothing",
    _flags=("legacy",),
    server=DUAL,
    message={"jsonrpc": "2.0", "id": 1, "result": {}},
)

# --- a legacy-only server --------------------------------------------------------------------------------------------

stdio("legacy-initialize", "A legacy-only server answers initialize", server=LEGACY_ONLY, message=initialize())
stdio(
    "legacy-initialize-modern-version",
    "A legacy-only server answers a modern version with a legacy one",
    server=LEGACY_ONLY,
    message=initialize(VERSION),
)
stdio(
    "legacy-discover",
    "The probe of a modern client meets a legacy-only server",
    server=LEGACY_ONLY,
    message=request("server/discover"),
)
stdio(
    "legacy-modern-call",
    "A modern request meets a legacy-only server",
    _see=("field:rt-legacy-server-executes-modern-request",),
    server=LEGACY_ONLY,
    message=request("tools/call", {"name": "echo", "arguments": {}}),
)
stdio(
    "legacy-in-session",
    "A legacy-only server serves its session",
    server=LEGACY_ONLY,
    message=bare("tools/list"),
    process=handshaken(),
)
stdio(
    "legacy-modern-in-session",
    "Modern metadata means nothing in the session of a legacy-only server",
    server=LEGACY_ONLY,
    message=LIST,
    process=handshaken(),
)

# --- batches ---------------------------------------------------------------------------------------------------------

TWO = [bare("tools/list", id=1), bare("ping", id=2)]
OLD = handshaken("2025-03-26")
stdio(
    "batch-2025-03-26",
    "A batch in a session of 2025-03-26 is answered member by member",
    _flags=BAD,
    server=OLDEST,
    message=TWO,
    process=OLD,
)
stdio(
    "batch-2025-06-18",
    "A batch in a session of 2025-06-18 is refused",
    _flags=BAD,
    server=OLDEST,
    message=TWO,
    process=handshaken("2025-06-18"),
)
stdio(
    "batch-2025-11-25",
    "A batch in a session of 2025-11-25 is refused",
    _flags=BAD,
    server=OLDEST,
    message=TWO,
    process=handshaken(),
)
stdio("batch-before-handshake", "A batch before the handshake is refused", _flags=BAD, server=OLDEST, message=TWO)
stdio("batch-one", "A batch of one is a batch", _flags=BAD, server=OLDEST, message=TWO[:1], process=OLD)
stdio("batch-empty", "An empty batch is refused even there", _flags=BAD, server=OLDEST, message=[], process=OLD)
stdio(
    "batch-notifications",
    "A batch of notifications is not answered",
    _flags=BAD,
    server=OLDEST,
    message=[notification("notifications/initialized")],
    process=OLD,
)
stdio(
    "batch-mixed",
    "Notifications in a batch have no answer",
    _flags=BAD,
    server=OLDEST,
    message=[notification("notifications/initialized"), *TWO],
    process=OLD,
)
stdio(
    "batch-unknown-method",
    "An unknown method in a batch is refused alone",
    _flags=BAD,
    server=OLDEST,
    message=[*TWO, bare("server/discover", id=3)],
    process=OLD,
)
stdio(
    "batch-malformed",
    "A malformed member is refused alone",
    _flags=BAD,
    server=OLDEST,
    message=[*TWO, 7, {"id": 3, "method": "ping"}],
    process=OLD,
)

for version in ("2025-03-26", "2025-06-18"):
    stdio(
        f"modern-version-{version}",
        f"{version} is refused by a server without it",
        server=MODERN,
        message=request("tools/list", meta=with_meta(version=version)),
    )
stdio(
    "modern-version-of-this-revision",
    "A server of a later version alone refuses this revision",
    server={**MODERN, "versions": ["2099-01-01"]},
    message=LIST,
)
stdio(
    "dual-legacy-params-array",
    "Params that are an array are refused in a legacy session too",
    _flags=BAD,
    server=DUAL,
    message={**bare("tools/list"), "params": []},
    process=handshaken(),
)
