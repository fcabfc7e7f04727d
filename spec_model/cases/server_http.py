"""Cases of what a server does with an HTTP request."""

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
    headers,
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

verbs = decisions("server/http-method", "server.on-http-method")
for verb in ("GET", "DELETE"):
    verbs(
        f"{verb.lower()}-modern",
        f"{verb} at a server of this revision alone",
        _see=("field:http-get-answered-200",) if verb == "GET" else (),
        server=MODERN,
        method=verb,
    )
    verbs(
        f"{verb.lower()}-dual",
        f"{verb} at a dual-era server is a matter of its legacy versions",
        server=DUAL,
        method=verb,
    )

http = decisions("server/http", "server.on-http", {**MALFORMED, **OLDER})


def post(
    slug: str,
    title: str,
    server: Any,
    message: Any,
    *,
    see: tuple[str, ...] = (),
    bad: bool = False,
    older: bool = False,
    session: str | None = None,
    **changes: str | None,
) -> None:
    """A POST with the headers that mirror its body, as changed."""
    more = {} if session is None else {"session": session}
    http(
        slug,
        title,
        _see=see,
        _flags=BAD if bad else ("legacy",) if older else (),
        server=server,
        message=message,
        headers=headers(message, **changes),
        **more,
    )


# --- a modern-only server --------------------------------------------------------------------------------------------

post("modern-list", "A request whose header and metadata agree is served", MODERN, LIST)
post("modern-discover", "server/discover is served", MODERN, request("server/discover"))
post(
    "modern-no-client-info",
    "A request that does not identify its client is served",
    MODERN,
    request("tools/list", meta=with_meta(client_info=None)),
)
for version, slug, title in (
    (VERSION, "", "The name of a header is compared without its case"),
    (UNKNOWN, "-mismatch", "A header of any case is compared with the body"),
):
    http(
        f"modern-header-case{slug}",
        title,
        server=MODERN,
        message=LIST,
        headers={name.upper(): value for name, value in headers(LIST, version=version).items()},
    )
post("modern-session-id", "A session id is ignored", MODERN, LIST, session_id="from-an-older-revision")
post("modern-last-event-id", "A last event id is ignored", MODERN, LIST, last_event="7")

post(
    "modern-no-header",
    "A request without the version header is refused",
    MODERN,
    LIST,
    see=("field:meta-header-missing-body-present",),
    version=None,
)
post(
    "modern-no-header-discover",
    "server/discover without the version header is refused",
    MODERN,
    request("server/discover"),
    version=None,
)
post(
    "modern-header-unknown",
    "A header that names another version than the body is refused",
    MODERN,
    LIST,
    version=UNKNOWN,
)
post(
    "modern-header-legacy",
    "A header that names a legacy version is refused",
    MODERN,
    LIST,
    see=("field:ec-stale-code-in-sep",),
    version=LEGACY,
)
post("modern-header-empty", "An empty header is another version", MODERN, LIST, version="")
post(
    "modern-header-base64",
    "The Base64 mark means nothing in the version header",
    MODERN,
    LIST,
    version="=?base64?MjAyNi0wNy0yOA==?=",
)
post(
    "modern-header-string-id",
    "The refusal repeats the id",
    MODERN,
    request("tools/list", id="req-7"),
    see=("field:http-id-null-after-parse",),
    version=UNKNOWN,
)
post(
    "modern-body-unknown",
    "A body that names another version than the header",
    MODERN,
    request("tools/list", meta=with_meta(version=UNKNOWN)),
    version=VERSION,
)
post(
    "modern-body-legacy",
    "A body that names a legacy version under a modern header",
    MODERN,
    request("tools/list", meta=with_meta(version=LEGACY)),
    version=VERSION,
)

post(
    "modern-version-unknown",
    "A version that nobody knows is refused",
    MODERN,
    request("tools/list", meta=with_meta(version=UNKNOWN)),
)
post(
    "modern-version-later",
    "A later version is refused",
    MODERN,
    request("tools/list", meta=with_meta(version="2099-01-01")),
    see=("field:ver-wrong-code-and-prose",),
)
post(
    "modern-version-legacy",
    "A legacy version is refused by a server without it",
    MODERN,
    request("tools/list", meta=with_meta(version=LEGACY)),
)
post(
    "modern-version-discover",
    "server/discover is refused for its version too",
    MODERN,
    request("server/discover", meta=with_meta(version=UNKNOWN)),
)

post(
    "modern-method-unknown",
    "An unknown method has status 404",
    MODERN,
    request("example/unknown"),
    see=("field:http-unknown-method-200",),
)
post(
    "modern-method-gated",
    "A method of a capability that is not advertised has status 404",
    {"versions": [VERSION], "capabilities": {"prompts": {}}},
    LIST,
)
for method in ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "initialize"):
    post(
        f"modern-removed-{method.replace('/', '-').lower()}",
        f"{method} is unknown in this revision",
        MODERN,
        request(method),
    )
for method in ("result", "list"):
    post(
        f"modern-removed-tasks-{method}",
        f"tasks/{method} is unknown in this revision",
        MODERN,
        request(f"tasks/{method}", {"taskId": "t1"}),
        see=("field:task-old-shape-under-new-name",),
    )

for slug, what, meta in (
    ("no-version", "the protocol version", with_meta(version=None)),
    ("no-capabilities", "the client capabilities", with_meta(capabilities=None)),
    ("only-client-info", "both required keys", with_meta(version=None, capabilities=None)),
):
    post(
        f"modern-{slug}",
        f"Metadata that lacks {what} under a modern header",
        MODERN,
        request("tools/list", meta=meta),
        bad=True,
        version=VERSION,
        method="tools/list",
    )
post(
    "modern-no-meta",
    "No metadata under a modern header",
    MODERN,
    bare("tools/list", {}),
    bad=True,
    version=VERSION,
    method="tools/list",
)
post(
    "modern-no-params",
    "No params under a modern header",
    MODERN,
    bare("tools/list"),
    bad=True,
    version=VERSION,
    method="tools/list",
)
post("modern-no-meta-no-header", "Neither metadata nor headers", MODERN, bare("tools/list"), bad=True)
post(
    "modern-no-meta-legacy-header",
    "No metadata under a legacy header",
    MODERN,
    bare("tools/list"),
    bad=True,
    version=LEGACY,
)
post(
    "modern-no-meta-unknown-header",
    "No metadata under a header that names an unknown version",
    MODERN,
    bare("tools/list"),
    bad=True,
    version=UNKNOWN,
)
post(
    "modern-version-number",
    "A version key that is a number under a modern header",
    MODERN,
    request("tools/list", meta=with_meta(version=20260728)),
    bad=True,
    version=VERSION,
    method="tools/list",
)
post(
    "modern-version-number-alone",
    "A version key that is a number beside capabilities that are missing",
    MODERN,
    request("tools/list", meta=with_meta(version=20260728, capabilities=None)),
    bad=True,
    version=VERSION,
    method="tools/list",
)
post(
    "modern-params-array",
    "Params that are an array",
    MODERN,
    {**LIST, "params": []},
    bad=True,
    version=VERSION,
    method="tools/list",
)
post(
    "modern-meta-array",
    "Metadata that is an array",
    MODERN,
    bare("tools/list", {"_meta": []}),
    bad=True,
    version=VERSION,
    method="tools/list",
)
post(
    "modern-capabilities-array",
    "Client capabilities that are an array",
    MODERN,
    request("tools/list", meta=with_meta(capabilities=[])),
    bad=True,
)
post(
    "modern-client-info-text",
    "A client identity that is a text",
    MODERN,
    request("tools/list", meta=with_meta(client_info="ExampleClient")),
    bad=True,
)
post(
    "modern-log-level-unknown",
    "A log level that is none",
    MODERN,
    request("tools/list", meta=with_meta(log_level="loud")),
    bad=True,
)

post(
    "faults-header-version",
    "Header and body differ, and the body names an unknown version",
    MODERN,
    request("tools/list", meta=with_meta(version=UNKNOWN)),
    version="2099-01-01",
)
post(
    "faults-header-method",
    "Header and body differ, and the method is unknown",
    MODERN,
    request("example/unknown"),
    version=UNKNOWN,
)
post(
    "faults-version-method",
    "The version and the method are unknown",
    MODERN,
    request("example/unknown", meta=with_meta(version=UNKNOWN)),
)
post(
    "faults-metadata-method",
    "The capabilities are missing, and the method is unknown",
    MODERN,
    request("example/unknown", meta=with_meta(capabilities=None)),
)
post(
    "faults-metadata-version",
    "The capabilities are missing, and the version is unknown",
    MODERN,
    request("tools/list", meta=with_meta(version=UNKNOWN, capabilities=None)),
    bad=True,
)
post(
    "faults-metadata-header",
    "The capabilities are missing, and header and body differ",
    MODERN,
    request("tools/list", meta=with_meta(capabilities=None)),
    bad=True,
    version=UNKNOWN,
)
post(
    "faults-all",
    "Metadata, header, version and method are wrong",
    MODERN,
    request("example/unknown", meta=with_meta(version=UNKNOWN, capabilities=None)),
    version=VERSION,
)

post(
    "modern-initialize",
    "A plain initialize is refused",
    MODERN,
    initialize(),
    see=("field:ver-modern-only-answers-initialize",),
)
post(
    "modern-initialize-legacy-header",
    "A legacy header does not change what initialize is",
    MODERN,
    initialize(),
    version=LEGACY,
)
post(
    "modern-initialize-no-version",
    "A plain initialize that names no version",
    MODERN,
    bare("initialize", {"capabilities": {}, "clientInfo": CLIENT}),
    bad=True,
)
post(
    "modern-initialize-modern-header",
    "initialize without metadata under a modern header",
    MODERN,
    initialize(),
    version=VERSION,
    method="initialize",
)
post(
    "modern-initialize-with-meta",
    "initialize with complete metadata and headers is an unknown method",
    MODERN,
    initialize(meta=with_meta()),
)

post(
    "modern-notification",
    "A cancellation that is posted",
    MODERN,
    notification("notifications/cancelled", {"requestId": 7}),
    see=("field:can-http-notification-accepted",),
    version=VERSION,
)
post(
    "modern-notification-unknown",
    "A notification that nobody knows is posted",
    MODERN,
    notification("notifications/example"),
    version=VERSION,
)
post(
    "modern-request-without-id",
    "A request without its id is a notification",
    MODERN,
    without(LIST, "id"),
    see=("field:http-request-without-id",),
)

post("modern-null-id", "A null id is of no use", MODERN, request("tools/list", id=None), bad=True)
post("modern-fraction-id", "A fraction is of no use as an id", MODERN, request("tools/list", id=1.5), bad=True)
post("modern-integral-float-id", "An id written 1.0 is the integer 1", MODERN, request("example/unknown", id=1.0))
post(
    "modern-jsonrpc-1",
    "A request of JSON-RPC 1.0 is refused under its id",
    MODERN,
    {**LIST, "jsonrpc": "1.0"},
    bad=True,
)
post(
    "modern-response",
    "A client has no response to post",
    MODERN,
    {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete"}},
    version=VERSION,
)
post("modern-batch", "An array of requests is no body", MODERN, [LIST], bad=True, version=VERSION, method="tools/list")
post("modern-scalar", "A number is no message", MODERN, 7, bad=True, version=VERSION, method="tools/list")

# --- a dual-era server -----------------------------------------------------------------------------------------------

post("dual-modern", "A dual-era server serves a modern request by this revision", DUAL, LIST)
post(
    "dual-modern-dead-session",
    "A modern request is served whatever session id it has",
    DUAL,
    LIST,
    see=("field:era-session-minted-on-modern",),
    session_id="bogus",
)
post(
    "dual-modern-live-session",
    "A modern request is served although its session id is that of a live legacy session",
    DUAL,
    LIST,
    session=LEGACY,
    session_id="s1",
)
post(
    "dual-initialize",
    "initialize without any mirrored header opens a legacy session",
    DUAL,
    initialize(meta={}),
    see=("field:era-initialize-refused-for-missing-headers",),
)
post(
    "dual-initialize-modern-version",
    "initialize for a modern version is answered with a legacy one",
    DUAL,
    initialize(VERSION),
    see=("field:era-initialize-names-2026",),
)
post("dual-initialize-legacy-header", "A legacy header changes nothing", DUAL, initialize(), version=LEGACY)
post(
    "dual-initialize-modern-header",
    "initialize without metadata under a modern header, at a server of both eras",
    DUAL,
    initialize(),
    version=VERSION,
)
post("dual-initialize-with-meta", "initialize with complete metadata and headers", DUAL, initialize(meta=with_meta()))
post(
    "dual-legacy",
    "A request in a live legacy session is served by its version",
    DUAL,
    bare("tools/list"),
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
)
post(
    "dual-legacy-older",
    "The negotiated version counts",
    DUAL,
    bare("tools/list"),
    session="2025-06-18",
    version="2025-06-18",
    session_id="s1",
)
post(
    "dual-legacy-ping",
    "ping is served in a live legacy session",
    DUAL,
    bare("ping"),
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
)
post(
    "dual-legacy-no-session",
    "A legacy request without a session is not served",
    DUAL,
    bare("tools/list"),
    version=LEGACY,
)
post(
    "dual-legacy-dead-session",
    "A legacy request of a session that is gone",
    DUAL,
    bare("tools/list"),
    version=LEGACY,
    session_id="gone",
)
post(
    "dual-legacy-discover",
    "server/discover without metadata is unknown in a legacy session",
    DUAL,
    bare("server/discover"),
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
)
post(
    "dual-legacy-modern-header-no-meta",
    "A modern header over a body without metadata",
    DUAL,
    bare("tools/list"),
    bad=True,
    version=VERSION,
    method="tools/list",
)
post(
    "dual-session-modern-body",
    "Modern metadata under a legacy header in a live legacy session",
    DUAL,
    LIST,
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
)
post(
    "dual-no-session-modern-body", "Modern metadata under a legacy header without a session", DUAL, LIST, version=LEGACY
)
post(
    "dual-session-legacy-meta",
    "Metadata that names the version of the live legacy session",
    DUAL,
    request("tools/list", meta=with_meta(version=LEGACY)),
    session=LEGACY,
    session_id="s1",
)
post(
    "dual-session-reserved-keys", "Reserved keys without a version in a live legacy session",
    DUAL, bare("tools/call", {"name": "t", "arguments": {}, "_meta": {CAPABILITIES: {}, CLIENT_INFO: CLIENT}}),
    see=("field:era-legacy-header-future-meta",), bad=True, session=LEGACY, version=LEGACY, session_id="s1",
)  # fmt: skip
post(
    "dual-reserved-keys",
    "Reserved keys without a version outside any session",
    DUAL,
    bare("tools/list", {"_meta": {CAPABILITIES: {}, CLIENT_INFO: CLIENT}}),
    bad=True,
    version=LEGACY,
)
post(
    "dual-legacy-version-in-meta",
    "A legacy version in metadata and header",
    DUAL,
    request("tools/list", meta=with_meta(version=LEGACY)),
    see=("field:era-inline-legacy-version",),
)
post(
    "dual-versions-differ",
    "Header and body name two supported versions",
    DUAL,
    request("tools/list", meta=with_meta(version=LEGACY)),
    see=("field:meta-two-supported-versions-disagree",),
    version=VERSION,
)
post(
    "dual-version-unknown",
    "An unknown version is refused with the versions of both eras",
    DUAL,
    request("tools/list", meta=with_meta(version=UNKNOWN)),
)
post(
    "dual-no-header-modern-body",
    "A modern body without the header, at a server without the oldest versions",
    DUAL,
    LIST,
    version=None,
)
post(
    "oldest-no-header-modern-body",
    "A modern body without the header, at a server of the oldest versions",
    OLDEST,
    LIST,
    version=None,
)
post(
    "oldest-no-header-modern-body-session",
    "A modern body without the header in a live session of the oldest version",
    OLDEST,
    LIST,
    session="2025-03-26",
    version=None,
    session_id="s1",
)
post(
    "dual-no-header",
    "A request without header and metadata, at a server without the oldest versions",
    DUAL,
    bare("tools/list"),
)
post(
    "oldest-no-header",
    "A request without header and metadata, at a server of the oldest versions",
    OLDEST,
    bare("tools/list"),
)
post(
    "oldest-no-header-session",
    "A live session of the oldest version needs no header",
    OLDEST,
    bare("tools/list"),
    session="2025-03-26",
    session_id="s1",
)
post(
    "dual-legacy-version-in-meta-ping",
    "A legacy version in metadata and header of a legacy method",
    DUAL,
    request("ping", meta=with_meta(version=LEGACY)),
)
post(
    "oldest-session-modern-body",
    "Modern metadata under a legacy header in a live session, at a server of the oldest versions",
    OLDEST,
    LIST,
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
)
post(
    "modern-version-of-this-revision",
    "A server of a later version alone refuses this revision",
    {**MODERN, "versions": ["2099-01-01"]},
    LIST,
)
STATELESS = {**OLDEST, "sessions": False}
post(
    "stateless-no-header",
    "Without sessions a request without the header is served as 2025-03-26",
    STATELESS,
    bare("tools/list"),
)
post(
    "stateless-legacy",
    "Without sessions the header names the legacy version",
    STATELESS,
    bare("tools/list"),
    version=LEGACY,
)
post(
    "stateless-unsupported",
    "Without sessions a header may name a version without support",
    STATELESS,
    bare("tools/list"),
    version="2024-11-05",
)
post(
    "dual-notification-initialized",
    "notifications/initialized is accepted in a live legacy session",
    DUAL,
    notification("notifications/initialized"),
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
)
post(
    "dual-notification-no-session",
    "notifications/initialized belongs to a session",
    DUAL,
    notification("notifications/initialized"),
    version=LEGACY,
)
post(
    "stateless-notification-initialized",
    "Without sessions notifications/initialized of a legacy client is accepted",
    STATELESS,
    notification("notifications/initialized"),
    version=LEGACY,
)
post(
    "dual-response-in-session",
    "A response in a live legacy session answers a request of the server",
    DUAL,
    {"jsonrpc": "2.0", "id": 1, "result": {}},
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
    older=True,
)
post(
    "dual-response-no-session",
    "A response without a session answers nothing",
    DUAL,
    {"jsonrpc": "2.0", "id": 1, "result": {}},
    version=LEGACY,
    older=True,
)
post(
    "dual-malformed-in-session",
    "A malformed message in a live legacy session",
    DUAL,
    {**bare("ping"), "method": 7},
    bad=True,
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
)
post(
    "batch-2025-03-26",
    "A batch in a session of 2025-03-26 is answered member by member",
    OLDEST,
    [bare("tools/list"), bare("ping", id=2)],
    bad=True,
    session="2025-03-26",
    session_id="s1",
)
post(
    "batch-2025-06-18",
    "A batch in a session of 2025-06-18 is refused",
    OLDEST,
    [bare("tools/list"), bare("ping", id=2)],
    bad=True,
    session="2025-06-18",
    version="2025-06-18",
    session_id="s1",
)

# --- a legacy-only server --------------------------------------------------------------------------------------------

post("legacy-initialize", "A legacy-only server answers initialize", LEGACY_ONLY, initialize())
post(
    "legacy-discover",
    "The probe of a modern client meets a legacy-only server",
    LEGACY_ONLY,
    request("server/discover"),
    see=("field:http-unknown-method-500",),
)
post("legacy-modern-list", "A modern request meets a legacy-only server", LEGACY_ONLY, LIST)
post(
    "legacy-in-session",
    "A legacy-only server serves its session",
    LEGACY_ONLY,
    bare("tools/list"),
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
)

# --- the version header of legacy clients ----------------------------------------------------------------------------

NOTE = notification("notifications/initialized")
STATELESS_DUAL: Any = {**DUAL, "sessions": False}
STATELESS_LEGACY: Any = {**LEGACY_ONLY, "sessions": False}
OLDEST_ONLY = {**LEGACY_ONLY, "versions": ["2025-03-26"]}
LEGACY_OLDEST = {**LEGACY_ONLY, "versions": [LEGACY, "2025-03-26"]}

for slug, what, header in (
    ("unknown", "names a version that nobody knows", "1900-01-01"),
    ("unsupported", "names a version without support", "2024-11-05"),
    ("word", "is no version", "latest"),
    ("empty", "is empty", ""),
):
    for name, server in (("dual", DUAL), ("legacy", LEGACY_ONLY)):
        post(
            f"{name}-session-header-{slug}",
            f"A header that {what} in a live legacy session ({name})",
            server,
            bare("tools/list"),
            session=LEGACY,
            version=header,
            session_id="s1",
        )
for name, server in (("dual", DUAL), ("legacy", LEGACY_ONLY)):
    post(
        f"{name}-session-header-other",
        f"A header that names another supported version in a live legacy session ({name})",
        server,
        bare("tools/list"),
        session=LEGACY,
        version="2025-06-18",
        session_id="s1",
    )
    post(
        f"{name}-session-no-header",
        f"A session tells its version without the header ({name})",
        server,
        bare("tools/list"),
        session=LEGACY,
        session_id="s1",
    )
post(
    "dual-session-header-unsupported-notification",
    "A notification under a header without support in a live legacy session",
    DUAL,
    NOTE,
    session=LEGACY,
    version="2024-11-05",
    session_id="s1",
)
post(
    "dual-session-header-unsupported-response",
    "A response under a header without support in a live legacy session",
    DUAL,
    {"jsonrpc": "2.0", "id": 1, "result": {}},
    session=LEGACY,
    version="2024-11-05",
    session_id="s1",
    older=True,
)
post(
    "dual-header-unknown",
    "A legacy request without a session under a header that nobody knows",
    DUAL,
    bare("tools/list"),
    version="1900-01-01",
)
post(
    "legacy-oldest-only-header",
    "A server of 2025-03-26 alone does not know the header",
    OLDEST_ONLY,
    bare("tools/list"),
    session="2025-03-26",
    version=LEGACY,
    session_id="s1",
)
post(
    "legacy-no-session",
    "A legacy request without a session at a legacy-only server of sessions",
    LEGACY_ONLY,
    bare("tools/list"),
    version=LEGACY,
)
post(
    "legacy-dead-session",
    "A legacy request of a session that is gone at a legacy-only server",
    LEGACY_ONLY,
    bare("tools/list"),
    version=LEGACY,
    session_id="gone",
)
post(
    "legacy-no-header",
    "A request without header, metadata and session at a legacy-only server",
    LEGACY_ONLY,
    bare("tools/list"),
)

for name, stateless in (("dual", STATELESS_DUAL), ("legacy", STATELESS_LEGACY)):
    post(
        f"stateless-{name}-list",
        f"Without sessions the header names the version of a request ({name})",
        stateless,
        bare("tools/list"),
        version="2025-06-18",
    )
    post(
        f"stateless-{name}-session-id",
        f"Without sessions a session id means nothing ({name})",
        stateless,
        bare("tools/list"),
        version=LEGACY,
        session_id="s1",
    )
    post(
        f"stateless-{name}-notification",
        f"Without sessions a legacy notification is accepted ({name})",
        stateless,
        NOTE,
        version=LEGACY,
    )
    post(
        f"stateless-{name}-notification-unsupported",
        f"Without sessions a notification of a version without support ({name})",
        stateless,
        NOTE,
        version="2024-11-05",
    )
post(
    "stateless-oldest-notification",
    "Without sessions a notification without the header is one of 2025-03-26",
    STATELESS,
    NOTE,
)
post(
    "oldest-notification",
    "A notification without header and session, at a server of the oldest versions that has sessions",
    OLDEST,
    NOTE,
)
post(
    "stateless-dual-notification-no-header",
    "Without sessions and the oldest versions, a notification without the header",
    STATELESS_DUAL,
    NOTE,
)
post(
    "stateless-legacy-no-header",
    "A legacy-only server of 2025-03-26 serves a request without the header by it",
    {**LEGACY_OLDEST, "sessions": False},
    bare("tools/list"),
)
post(
    "stateless-legacy-no-header-newer",
    "A legacy-only server without 2025-03-26 gets a request without the header",
    STATELESS_LEGACY,
    bare("tools/list"),
)
post(
    "stateless-legacy-modern-list",
    "A modern request meets a legacy-only server without sessions",
    STATELESS_LEGACY,
    LIST,
)
post(
    "legacy-modern-no-header",
    "A modern request without the version header meets a legacy-only server",
    LEGACY_ONLY,
    LIST,
    version=None,
)
post(
    "legacy-notification",
    "A legacy-only server of sessions gets a notification without one",
    LEGACY_ONLY,
    NOTE,
    version=LEGACY,
)
post(
    "legacy-notification-in-session",
    "A legacy-only server accepts a notification in its session",
    LEGACY_ONLY,
    NOTE,
    session=LEGACY,
    version=LEGACY,
    session_id="s1",
)
post(
    "stateless-no-header-2024-11-05",
    "Without sessions and 2025-03-26, a server of 2024-11-05 gets a request without the header",
    {**STATELESS_DUAL, "versions": [VERSION, LEGACY, "2024-11-05"]},
    bare("tools/list"),
)
post(
    "legacy-first-with-header",
    "A server of 2025-06-18 alone knows the header",
    {**LEGACY_ONLY, "versions": ["2025-06-18"]},
    bare("tools/list"),
    session="2025-06-18",
    version=LEGACY,
    session_id="s1",
)
post(
    "batch-notifications",
    "A batch of notifications in a session of 2025-03-26 is accepted",
    OLDEST,
    [NOTE],
    bad=True,
    session="2025-03-26",
    session_id="s1",
)
