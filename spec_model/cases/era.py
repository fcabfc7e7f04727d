"""Cases of the first message of a client, and of the errors that identify a modern server."""

from __future__ import annotations

from spec_model.cases.table import decisions

_NEXT, _NOW, _OLD, _OLDER = "2027-03-01", "2026-07-28", "2025-11-25", "2025-06-18"

opening = decisions("era/opening", "era.opening")
opening("stdio/dual", "A dual-era client probes on stdio", transport="stdio", speaks=[_NOW, _OLD])
opening(
    "stdio/dual-preference",
    "The probe names the modern version that the client prefers",
    transport="stdio",
    speaks=[_OLD, _NOW, _NEXT],
)
opening("stdio/modern", "A modern-only client probes on stdio as well", transport="stdio", speaks=[_NOW])
opening("stdio/legacy", "A legacy client opens with initialize on stdio", transport="stdio", speaks=[_OLD])
opening("stdio/legacy-newest", "A legacy client names its newest version", transport="stdio", speaks=[_OLDER, _OLD])
opening(
    "stdio/nothing",
    "A client that speaks no version of an era has nothing to send",
    transport="stdio",
    speaks=["DRAFT-2026-v1"],
)
opening(
    "stdio/remembered-legacy",
    "A process known as legacy gets initialize",
    transport="stdio",
    speaks=[_NOW, _OLD],
    remembered="legacy",
)
opening(
    "stdio/remembered-modern",
    "A process known as modern gets the request at once",
    transport="stdio",
    speaks=[_NOW, _OLD],
    remembered="modern",
)
opening(
    "stdio/remembered-legacy-modern-client",
    "A modern-only client cannot use a remembered legacy era",
    transport="stdio",
    speaks=[_NOW],
    remembered="legacy",
)
opening(
    "stdio/remembered-modern-legacy-client",
    "A legacy client cannot use a remembered modern era",
    transport="stdio",
    speaks=[_OLD],
    remembered="modern",
)
opening(
    "stdio/remembered-modern-modern-client",
    "A modern-only client does without the probe where it knows the process as modern",
    transport="stdio",
    speaks=[_NOW],
    remembered="modern",
)
opening("http/dual", "A dual-era client opens with a modern request over HTTP", transport="http", speaks=[_NOW, _OLD])
opening(
    "http/dual-preference",
    "The request names the modern version that the client prefers",
    transport="http",
    speaks=[_OLD, _NEXT, _NOW],
)
opening("http/modern", "A modern-only client opens with a modern request over HTTP", transport="http", speaks=[_NOW])
opening("http/legacy", "A legacy client opens with initialize over HTTP", transport="http", speaks=[_OLD])
opening(
    "http/remembered-legacy",
    "A server known as legacy gets initialize",
    transport="http",
    speaks=[_NOW, _OLD],
    remembered="legacy",
)
opening(
    "http/remembered-modern",
    "A server known as modern gets the request at once",
    transport="http",
    speaks=[_NOW, _OLD],
    remembered="modern",
)

_CODES = {
    "header-mismatch": (-32020, "HeaderMismatch"),
    "missing-capability": (-32021, "MissingRequiredClientCapability"),
    "unsupported-version": (-32022, "UnsupportedProtocolVersion"),
    "reserved-undefined": (-32023, "A reserved code that is not defined"),
    "last-reserved": (-32099, "The last reserved code"),
    "first-legacy-range": (-32000, "-32000"),
    "last-legacy-range": (-32019, "-32019"),
    "session-not-found": (-32001, "-32001"),
    "resource-not-found": (-32002, "-32002"),
    "draft-unsupported-version": (-32004, "The draft code of UnsupportedProtocolVersion"),
    "url-elicitation": (-32042, "-32042 of 2025-11-25"),
    "parse-error": (-32700, "-32700"),
    "invalid-request": (-32600, "-32600"),
    "method-not-found": (-32601, "-32601"),
    "invalid-params": (-32602, "-32602"),
    "internal-error": (-32603, "-32603"),
    "positive": (32022, "The number without its sign"),
    "zero": (0, "0"),
    "application": (1001, "A code of an application"),
}

recognized = decisions("era/recognized", "era.recognized-modern-error")
for _slug, (_code, _name) in _CODES.items():
    recognized(
        f"stdio/{_slug}",
        f"{_name} in answer to the probe on stdio",
        transport="stdio",
        method="server/discover",
        code=_code,
    )
    recognized(
        f"http/{_slug}",
        f"{_name} with status 400 in answer to server/discover",
        transport="http",
        method="server/discover",
        status=400,
        code=_code,
    )
recognized("stdio/null", "A null code on stdio", transport="stdio", method="server/discover", code=None)
recognized(
    "stdio/string",
    "The digits of a modern code in a string on stdio",
    transport="stdio",
    method="server/discover",
    code="-32022",
)
recognized("stdio/boolean", "A boolean for a code on stdio", transport="stdio", method="server/discover", code=True)
recognized(
    "stdio/fraction",
    "A fraction beside a modern code on stdio",
    transport="stdio",
    method="server/discover",
    code=-32022.5,
)
recognized(
    "http/string",
    "A word for a code with status 400",
    transport="http",
    method="server/discover",
    status=400,
    code="bad_request",
)
recognized(
    "http/ok-unsupported-version",
    "UnsupportedProtocolVersion with status 200",
    transport="http",
    method="server/discover",
    status=200,
    code=-32022,
)
recognized(
    "http/ok-method-not-found",
    "-32601 with status 200 in answer to tools/list",
    transport="http",
    method="tools/list",
    status=200,
    code=-32601,
)
recognized(
    "http/discover-404",
    "-32601 with status 404 in answer to server/discover",
    transport="http",
    method="server/discover",
    status=404,
    code=-32601,
)
recognized(
    "http/tools-list-404",
    "-32601 with status 404 in answer to tools/list",
    transport="http",
    method="tools/list",
    status=404,
    code=-32601,
)
recognized(
    "http/tools-list-400",
    "-32601 with status 400 in answer to tools/list",
    transport="http",
    method="tools/list",
    status=400,
    code=-32601,
)
recognized(
    "http/tools-list-404-session",
    "-32001 with status 404 in answer to tools/list",
    transport="http",
    method="tools/list",
    status=404,
    code=-32001,
    _see=("field:ec-32001-collision",),
)
recognized(
    "http/tools-list-400-session",
    "-32001 with status 400 in answer to tools/list",
    transport="http",
    method="tools/list",
    status=400,
    code=-32001,
    _see=("field:ec-32001-collision",),
)
recognized(
    "stdio/tools-list-method-not-found",
    "-32601 in answer to tools/list on stdio",
    transport="stdio",
    method="tools/list",
    code=-32601,
)
recognized(
    "stdio/tools-list-unsupported-version",
    "UnsupportedProtocolVersion in answer to tools/list on stdio",
    transport="stdio",
    method="tools/list",
    code=-32022,
)
recognized(
    "stdio/array", "A modern code inside an array on stdio", transport="stdio", method="server/discover", code=[-32022]
)
recognized("stdio/absent", "An error without code on stdio", transport="stdio", method="server/discover")
