"""Cases of what a client makes of answers over HTTP."""

from __future__ import annotations

from spec_model.cases.table import decisions
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject

FLAGS = {
    "malformed": "The message breaks the official JSON Schema of its revision, on purpose.",
    "legacy": "The message belongs to a legacy revision and not to this one.",
}

_NEXT, _NOW, _OLD, _OLDER = "2027-03-01", "2026-07-28", "2025-11-25", "2025-06-18"
_DUAL, _MODERN = [_NOW, _OLD], [_NOW]
_PROBE: JsonObject = {"id": 1, "version": _NOW}
_LIST: JsonObject = {"id": 1, "version": _NOW, "method": "tools/list"}
_TIME_OUT: JsonObject = {"event": "time-out"}
_UNREACHABLE: JsonObject = {"event": "unreachable"}
_CREDENTIAL: JsonObject = {"credential": True}
_BOTH_TRANSPORTS: JsonObject = {"old_transport": True}
_URL = "https://mcp.example.com/mcp"


def _answer(status: int, body: Json | Absent = ABSENT, **members: Json) -> JsonObject:
    """A response with a JSON body, or an empty one."""
    event: JsonObject = {"event": "response", "status": status}
    if body is not ABSENT:
        event["body"] = body
    return {**event, **members}


def _error(code: Json, message: str = "refused", data: Json | Absent = ABSENT, **changed: Json) -> JsonObject:
    error: JsonObject = {"code": code, "message": message}
    if data is not ABSENT:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": 1, "error": error, **changed}


def _refusal(*supported: str, requested: str = _NOW, **changed: Json) -> JsonObject:
    data: JsonObject = {"supported": list(supported), "requested": requested}
    return _error(-32022, "Unsupported protocol version", data, **changed)


def _result(result: Json, **changed: Json) -> JsonObject:
    return {"jsonrpc": "2.0", "id": 1, "result": result, **changed}


def _discovered(*supported: str) -> JsonObject:
    return _result(
        {
            "resultType": "complete",
            "supportedVersions": list(supported),
            "capabilities": {"tools": {}},
            "ttlMs": 0,
            "cacheScope": "private",
        }
    )


_TOOLS: JsonObject = {"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"}
_PROGRESS: JsonObject = {
    "jsonrpc": "2.0",
    "method": "notifications/progress",
    "params": {"progressToken": "t", "progress": 1},
}

# --- the first modern request -----------------------------------------------------------------------------------------

first = decisions("era/http-request", "era.http-request", FLAGS)

# Success.
first(
    "ok/discovered",
    "A discovery result makes the server modern",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, _discovered(_NOW)),
)
first(
    "ok/discovered-modern-client",
    "A modern-only client gets a discovery result",
    speaks=_MODERN,
    request=_PROBE,
    event=_answer(200, _discovered(_NOW)),
)
first(
    "ok/discovered-disjoint",
    "The discovery result lists no version of the client",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, _discovered(_NEXT)),
)
first(
    "ok/discovered-disjoint-modern-client",
    "The discovery result lists no version of a modern-only client",
    speaks=_MODERN,
    request=_PROBE,
    event=_answer(200, _discovered(_NEXT)),
)
first(
    "ok/discovered-legacy-only",
    "The discovery result lists a legacy version alone",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, _discovered(_OLD)),
    _see=("field:ver-discover-offers-only-legacy",),
)
first(
    "ok/defective-result",
    "A result without a version list answers server/discover",
    _flags=("malformed",),
    _see=("field:disc-result-without-required-fields",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(
        200,
        _result(
            {
                "capabilities": {"tools": {}},
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "ExampleServer", "version": "1.0.0"}},
            }
        ),
    ),
)
first(
    "ok/result", "An ordinary first request succeeds", speaks=_DUAL, request=_LIST, event=_answer(200, _result(_TOOLS))
)
first(
    "ok/result-modern-client",
    "The ordinary first request of a modern-only client succeeds",
    speaks=_MODERN,
    request=_LIST,
    event=_answer(200, _result(_TOOLS)),
)
first(
    "ok/result-without-type",
    "An ordinary first request succeeds without resultType",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_LIST,
    event=_answer(200, _result({"tools": []})),
)
first(
    "ok/input-required",
    "An ordinary first request asks for input",
    speaks=_DUAL,
    request={"id": 1, "version": _NOW, "method": "tools/call"},
    event=_answer(200, _result({"resultType": "input_required", "requestState": "s"})),
)
first(
    "ok/stream",
    "The discovery result comes in an event stream after progress",
    _see=("field:disc-sse-first-data-line",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, messages=[_PROGRESS, _discovered(_NOW)]),
)
first(
    "ok/stream-log-message",
    "The discovery result comes in an event stream after a log message",
    _see=("field:disc-sse-first-data-line",),
    speaks=_DUAL,
    request={"id": "p1", "version": _NOW},
    event=_answer(
        200,
        messages=[
            {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "starting"}},
            {**_discovered(_NOW), "id": "p1"},
        ],
    ),
)
first(
    "ok/stream-other-id",
    "An event stream holds the result of another request",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, messages=[{**_discovered(_NOW), "id": 7}]),
)
first(
    "ok/stream-request",
    "An event stream holds a request of the server and no answer",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, messages=[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]),
)
first(
    "ok/stream-empty",
    "An event stream ends without an answer",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, messages=[]),
)
first(
    "ok/stream-error",
    "An ordinary error comes in an event stream",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, messages=[_PROGRESS, _error(-32601)]),
)
first(
    "ok/stream-error-null-id",
    "An error with a null id comes in an event stream",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, messages=[_error(-32600, id=None)]),
)
first(
    "ok/stream-error-other-id",
    "An event stream holds the error of another request",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, messages=[_error(-32601, id=7)]),
)
first(
    "ok/stream-modern-error",
    "UnsupportedProtocolVersion comes in an event stream",
    speaks=[_NEXT, _NOW, _OLD],
    request={"id": 1, "version": _NEXT},
    event=_answer(200, messages=[_refusal(_NOW, requested=_NEXT)]),
)

# Errors with a status of success.
first(
    "ok/method-not-found",
    "server/discover gets -32601 with status 200",
    _see=("field:disc-http-200-method-not-found",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, _error(-32601)),
)
first(
    "ok/method-not-found-modern-client",
    "The server/discover of a modern-only client gets -32601 with status 200",
    speaks=_MODERN,
    request=_PROBE,
    event=_answer(200, _error(-32601)),
)
first(
    "ok/invalid-params",
    "server/discover gets -32602 with status 200",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, _error(-32602)),
)
first(
    "ok/refused",
    "UnsupportedProtocolVersion comes with status 200",
    speaks=[_NEXT, _NOW, _OLD],
    request={"id": 1, "version": _NEXT},
    event=_answer(200, _refusal(_NOW, requested=_NEXT)),
)
first(
    "ok/ordinary-error",
    "An ordinary first request gets -32602 with status 200",
    speaks=_DUAL,
    request=_LIST,
    event=_answer(200, _error(-32602)),
)
first(
    "ok/ordinary-method-not-found",
    "An ordinary first request gets -32601 with status 200",
    speaks=_DUAL,
    request=_LIST,
    event=_answer(200, _error(-32601)),
)

first(
    "ok/ordinary-error-modern-client",
    "The ordinary first request of a modern-only client gets -32602 with status 200",
    speaks=_MODERN,
    request=_LIST,
    event=_answer(200, _error(-32602)),
)

# Success without a message.
first("ok/empty", "Status 200 comes without a body", speaks=_DUAL, request=_PROBE, event=_answer(200))
first(
    "ok/html",
    "A web page answers server/discover",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, text="<html>Sign in</html>"),
)
first(
    "ok/html-modern-client",
    "A web page answers the server/discover of a modern-only client",
    speaks=_MODERN,
    request=_PROBE,
    event=_answer(200, text="<html>Sign in</html>"),
)
first(
    "ok/other-json",
    "JSON that is no JSON-RPC answers server/discover",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, {"status": "ok"}),
)
first(
    "ok/other-error",
    "An error object that is no JSON-RPC comes with status 200",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(200, {"error": {"code": "bad_request", "message": "unknown"}}),
)
first("accepted-empty", "Status 202 comes without a body", speaks=_DUAL, request=_PROBE, event=_answer(202))

# Modern errors.
first(
    "400/refused",
    "UnsupportedProtocolVersion lists another version of the client",
    speaks=[_NEXT, _NOW, _OLD],
    request={"id": 1, "version": _NEXT},
    event=_answer(400, _refusal(_NOW, requested=_NEXT)),
)
first(
    "400/refused-modern-client",
    "A modern-only client is offered another of its versions",
    speaks=[_NEXT, _NOW],
    request={"id": 1, "version": _NEXT},
    event=_answer(400, _refusal(_NOW, requested=_NEXT)),
)
first(
    "400/refused-inline",
    "UnsupportedProtocolVersion answers an ordinary request",
    speaks=[_NEXT, _NOW, _OLD],
    request={"id": 1, "version": _NEXT, "method": "tools/list"},
    event=_answer(400, _refusal(_NOW, requested=_NEXT)),
    _see=("field:ver-no-retry-implemented",),
)
first(
    "400/refused-disjoint",
    "UnsupportedProtocolVersion lists no version of the client",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _refusal(_NEXT)),
)
first(
    "400/refused-again",
    "The listed version is refused in its turn",
    _see=("field:ver-second-refusal-loop",),
    speaks=[_NEXT, _NOW, _OLD],
    request={"id": 2, "version": _NOW},
    refused=[_NEXT],
    event=_answer(400, _refusal(_NOW, id=2)),
)
first(
    "400/refused-again-legacy",
    "The listed version is refused in its turn, and a legacy one is left",
    speaks=[_NEXT, _NOW, _OLD],
    request={"id": 2, "version": _NOW},
    refused=[_NEXT],
    event=_answer(400, _refusal(_NOW, _OLD, id=2)),
)
first(
    "400/refused-legacy-only",
    "UnsupportedProtocolVersion lists a legacy version alone",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _refusal(_OLD)),
)
first(
    "400/refused-names-another",
    "UnsupportedProtocolVersion names another requested version than the one that was sent",
    _see=("field:ver-32022-treated-as-legacy",),
    speaks=["2026-11-01", _NOW, _OLD],
    request={"id": 1, "version": "2026-11-01"},
    event=_answer(400, _refusal(_NOW, _NEXT, requested=_NEXT)),
)
first(
    "400/refused-without-list",
    "UnsupportedProtocolVersion comes without data",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _error(-32022)),
    _see=("field:ver-supported-missing-or-empty",),
)
first(
    "400/header-mismatch",
    "HeaderMismatch answers the request",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _error(-32020, "Header mismatch")),
)
first(
    "400/header-mismatch-null-id",
    "HeaderMismatch comes with a null id",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _error(-32020, "Header mismatch", id=None)),
)
first(
    "400/header-mismatch-no-id",
    "HeaderMismatch comes without id",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, {"jsonrpc": "2.0", "error": {"code": -32020, "message": "Header mismatch"}}),
)
first(
    "400/header-mismatch-plain-text",
    "HeaderMismatch is labelled as plain text",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _error(-32020, "Header mismatch"), content_type="text/plain"),
)
first(
    "400/missing-capability",
    "MissingRequiredClientCapability answers the request",
    speaks=_DUAL,
    request=_LIST,
    event=_answer(400, _error(-32021, "Missing capability", {"requiredCapabilities": {"sampling": {}}})),
)
first(
    "400/stream-modern-error",
    "UnsupportedProtocolVersion comes in an event stream with status 400",
    speaks=[_NEXT, _NOW, _OLD],
    request={"id": 1, "version": _NEXT},
    event=_answer(400, messages=[_refusal(_NOW, requested=_NEXT)]),
)
first(
    "404/unknown-method",
    "An ordinary first request gets -32601 with status 404",
    speaks=_DUAL,
    request=_LIST,
    event=_answer(404, _error(-32601)),
)
first(
    "404/unknown-method-both-transports",
    "A client of both transports gets -32601 with status 404",
    speaks=_DUAL,
    request=_LIST,
    http=_BOTH_TRANSPORTS,
    event=_answer(404, _error(-32601)),
)
first(
    "404/discover-unknown",
    "server/discover gets -32601 with status 404",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(404, _error(-32601)),
)
first(
    "500/refused",
    "UnsupportedProtocolVersion comes with status 500",
    speaks=[_NEXT, _NOW, _OLD],
    request={"id": 1, "version": _NEXT},
    event=_answer(500, _refusal(_NOW, requested=_NEXT)),
)

# Bodies that are no modern error.
first("400/empty", "Status 400 comes without a body", speaks=_DUAL, request=_PROBE, event=_answer(400))
first(
    "400/empty-modern-client",
    "A modern-only client gets status 400 without a body",
    speaks=_MODERN,
    request=_PROBE,
    event=_answer(400),
)
first(
    "400/empty-inline", "Status 400 answers an ordinary first request", speaks=_DUAL, request=_LIST, event=_answer(400)
)
first(
    "400/empty-newest-legacy",
    "The handshake names the newest legacy version of the client",
    speaks=[_NOW, _OLDER, _OLD],
    request=_PROBE,
    event=_answer(400),
)
_KNOWN: JsonObject = {"identified": True}
for _slug, _event, _what in (
    ("400-empty", _answer(400), "Status 400"),
    ("404-empty", _answer(404), "Status 404"),
    ("500-empty", _answer(500), "Status 500"),
    ("method-not-found", _answer(200, _error(-32601)), "-32601 with status 200"),
):
    first(
        f"known/{_slug}",
        f"{_what} comes from a server that was shown to be modern before",
        speaks=_DUAL,
        request=_PROBE,
        http=_KNOWN,
        event=_event,
    )
first(
    "known/400-after-refusal",
    "Status 400 comes from a server that refused another version before",
    speaks=[_NEXT, _NOW, _OLD],
    request=_PROBE,
    refused=[_NEXT],
    event=_answer(400),
)
first(
    "known/404-both-transports",
    "Status 404 comes from a server that was shown to be modern to a client of both transports",
    speaks=_DUAL,
    request=_PROBE,
    http={"identified": True, "old_transport": True},
    event=_answer(404),
)
first(
    "known/401-with-credential",
    "Status 401 comes from a server that was shown to be modern before",
    speaks=_DUAL,
    request=_PROBE,
    http={"identified": True, "credential": True},
    event=_answer(401),
)
first(
    "400/html",
    "A web page comes with status 400",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, text="<html>Bad Request</html>"),
)
first(
    "400/session-id-null-id",
    "A missing session is told with -32000 and a null id",
    _flags=("malformed",),
    _see=("field:disc-http-400-session-id-null",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _error(-32000, "Bad Request: Mcp-Session-Id header is required", id=None)),
)
first(
    "400/not-an-initialize-request",
    "The session check comes before the method",
    _flags=("malformed",),
    _see=("field:http-session-check-before-method",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(
        400, _error(-32000, "Bad Request: No valid session ID provided and not an initialize request", id=None)
    ),
)
first(
    "400/invalid-request-null-id",
    "-32600 comes with a null id",
    _flags=("malformed",),
    _see=("field:disc-http-400-32600-id-null",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _error(-32600, "Missing ID field", id=None)),
)
first(
    "400/method-not-found",
    "-32601 comes with status 400",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _error(-32601)),
)
first(
    "400/invalid-params",
    "-32602 comes with status 400",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _error(-32602)),
)
first(
    "400/draft-header-mismatch",
    "The draft code of HeaderMismatch comes with status 400",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, _error(-32001, "Header mismatch")),
    _see=("field:ec-32001-collision",),
)
first(
    "404/session-not-found",
    "-32001 comes with status 404",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(404, _error(-32001, "Session not found")),
    _see=("field:ec-32001-collision",),
)
first(
    "400/framework-error",
    "The web framework's own JSON comes with status 400",
    _flags=("malformed",),
    _see=("field:disc-http-400-not-jsonrpc",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, {"error": {"code": "bad_request", "message": "unknown method"}}),
)
first(
    "400/error-string",
    "An error that is a string comes with status 400",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, {"error": "unknown method"}),
)
first(
    "400/array",
    "An array comes with status 400",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(400, [_error(-32600)]),
)
for _status in (404, 405, 406, 410, 415, 429):
    first(
        f"{_status}/empty",
        f"Status {_status} comes without a body",
        speaks=_DUAL,
        request=_PROBE,
        event=_answer(_status),
    )
first(
    "404/empty-modern-client",
    "A modern-only client gets status 404 without a body",
    speaks=_MODERN,
    request=_PROBE,
    event=_answer(404),
)
for _status in (400, 404, 405, 406):
    first(
        f"{_status}/empty-both-transports",
        f"A client of both transports gets status {_status} without a body",
        speaks=_DUAL,
        request=_PROBE,
        http=_BOTH_TRANSPORTS,
        event=_answer(_status),
    )
first(
    "404/empty-old-transport-modern-client",
    "A modern-only client with the old transport gets status 404",
    speaks=_MODERN,
    request=_PROBE,
    http=_BOTH_TRANSPORTS,
    event=_answer(404),
)

# Authorization.
for _status in (401, 403):
    first(
        f"{_status}/without-credential",
        f"Status {_status} answers a request without credential",
        speaks=_DUAL,
        request=_PROBE,
        event=_answer(_status),
    )
    first(
        f"{_status}/with-credential",
        f"Status {_status} answers a request with a credential",
        _see=("field:disc-401-with-valid-credential",) if _status == 401 else (),
        speaks=_DUAL,
        request=_PROBE,
        http=_CREDENTIAL,
        event=_answer(_status),
    )
    first(
        f"{_status}/with-credential-modern-client",
        f"Status {_status} answers a modern-only client with a credential",
        speaks=_MODERN,
        request=_PROBE,
        http=_CREDENTIAL,
        event=_answer(_status),
    )
first(
    "401/challenge",
    "Status 401 comes with a challenge",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(401, www_authenticate="Bearer"),
)
first(
    "401/challenge-with-credential",
    "Status 401 and a challenge answer a request with a credential",
    speaks=_DUAL,
    request=_PROBE,
    http=_CREDENTIAL,
    event=_answer(401, www_authenticate='Bearer error="invalid_token"'),
)
first(
    "403/insufficient-scope",
    "Status 403 asks for more scope",
    speaks=_DUAL,
    request=_PROBE,
    http=_CREDENTIAL,
    event=_answer(403, www_authenticate='Bearer error="insufficient_scope", scope="mcp"'),
)

for _slug, _challenge, _what in (
    ("two", 'DPoP algs="ES256", bearer error="invalid_token"', "A second challenge asks for a token"),
    ("basic", 'Basic realm="mcp"', "A challenge asks for a password"),
    ("quoted", 'Basic realm="a, bearer b"', "The name of a realm reads like another challenge"),
    ("similar", "BearerX", "A challenge has a scheme of a similar name"),
    ("bare", "Bearer", "A bare challenge asks for a token"),
    ("followed", "Bearer,Basic", "Two bare challenges ask for a token or a password"),
):
    first(
        f"401/challenge-{_slug}",
        f"{_what}, and the credential was refused",
        speaks=_DUAL,
        request=_PROBE,
        http=_CREDENTIAL,
        event=_answer(401, www_authenticate=_challenge),
    )

# No evidence.
first(
    "500/empty",
    "Status 500 comes without a body",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(500),
    _see=("field:http-unknown-method-500",),
)
first(
    "500/empty-modern-client",
    "A modern-only client gets status 500",
    speaks=_MODERN,
    request=_PROBE,
    event=_answer(500),
)
first(
    "500/internal-error",
    "-32603 comes with status 500",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(500, _error(-32603)),
)
first(
    "502/html",
    "A gateway's web page comes with status 502",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(502, text="<html>Bad Gateway</html>"),
)
first("503/empty", "Status 503 comes without a body", speaks=_DUAL, request=_PROBE, event=_answer(503))
first("no-answer/time-out", "No answer comes within the waiting time", speaks=_DUAL, request=_PROBE, event=_TIME_OUT)
first("no-answer/unreachable", "No connection comes about", speaks=_DUAL, request=_PROBE, event=_UNREACHABLE)
first(
    "no-answer/unreachable-modern-client",
    "No connection comes about for a modern-only client",
    speaks=_MODERN,
    request=_PROBE,
    event=_UNREACHABLE,
)

# Redirects.
_AT: JsonObject = {"url": _URL}
_AT_WITH_CREDENTIAL: JsonObject = {"url": _URL, "credential": True}
for _status in (301, 302, 303, 307, 308):
    first(
        f"{_status}/same-origin",
        f"Status {_status} redirects within the origin",
        speaks=_DUAL,
        request=_PROBE,
        http=_AT_WITH_CREDENTIAL,
        event=_answer(_status, location="https://mcp.example.com/v2/mcp"),
    )
    first(
        f"{_status}/other-origin",
        f"Status {_status} redirects to another origin",
        speaks=_DUAL,
        request=_PROBE,
        http=_AT_WITH_CREDENTIAL,
        event=_answer(_status, location="https://login.example.net/mcp"),
    )
first(
    "307/relative",
    "Status 307 redirects to a relative address",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT,
    event=_answer(307, location="v2/mcp"),
)
first(
    "307/default-port",
    "Status 307 spells out the default port of the origin",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT,
    event=_answer(307, location="https://mcp.example.com:443/v2"),
)
first(
    "307/other-port",
    "Status 307 redirects to another port",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT,
    event=_answer(307, location="https://mcp.example.com:8443/mcp"),
)
first(
    "307/downgrade",
    "Status 307 redirects from https to http",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT_WITH_CREDENTIAL,
    event=_answer(307, location="http://mcp.example.com/mcp"),
)
first(
    "307/upper-case",
    "Status 307 writes scheme and host in capitals",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT,
    event=_answer(307, location="HTTPS://MCP.EXAMPLE.COM/v2"),
)
first(
    "307/no-location", "Status 307 comes without a Location", speaks=_DUAL, request=_PROBE, http=_AT, event=_answer(307)
)
first(
    "307/empty-location",
    "Status 307 comes with an empty Location",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT,
    event=_answer(307, location=""),
)
first(
    "307/broken-location",
    "Status 307 comes with a Location that is no address",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT,
    event=_answer(307, location="http://["),
)
first(
    "307/other-scheme",
    "Status 307 redirects to an address that is not HTTP",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT,
    event=_answer(307, location="ftp://mcp.example.com/mcp"),
)
first(
    "304/location",
    "Status 304 comes with a Location",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT,
    event=_answer(304, location="https://mcp.example.com/v2/mcp"),
)

first(
    "307/no-host",
    "Status 307 redirects to an address without a host",
    speaks=_DUAL,
    request=_PROBE,
    http=_AT,
    event=_answer(307, location="http:///mcp"),
)
first(
    "300/result",
    "A discovery result comes with status 300",
    speaks=_DUAL,
    request=_PROBE,
    event=_answer(300, _discovered(_NOW)),
)

# --- the old transport ------------------------------------------------------------------------------------------------


def _stream(**members: Json) -> JsonObject:
    return {"event": "stream", "status": 200, "content_type": "text/event-stream", **members}


_ENDPOINT: JsonObject = {"first_event": "endpoint", "data": "/messages?session=1"}
old = decisions("era/http-stream", "era.http-stream")
old(
    "endpoint",
    "The first event of the stream is endpoint",
    speaks=_DUAL,
    initialize_refused=True,
    event=_stream(**_ENDPOINT),
)
old(
    "endpoint-before-initialize",
    "The endpoint event comes to a client that sent no initialize yet",
    speaks=_DUAL,
    initialize_refused=False,
    event=_stream(**_ENDPOINT),
)
old(
    "endpoint-charset",
    "The media type of the stream has a parameter and capitals",
    speaks=_DUAL,
    initialize_refused=True,
    event=_stream(content_type="Text/Event-Stream; charset=utf-8", **_ENDPOINT),
)
old(
    "other-event",
    "The first event of the stream is a message",
    speaks=_DUAL,
    initialize_refused=True,
    event=_stream(first_event="message", data='{"jsonrpc":"2.0","method":"notifications/ready"}'),
)
old("no-event", "The stream ends before any event", speaks=_DUAL, initialize_refused=True, event=_stream())
old(
    "no-data",
    "The endpoint event has no data",
    speaks=_DUAL,
    initialize_refused=True,
    event=_stream(first_event="endpoint", data=""),
)
old(
    "json",
    "The answer to the GET is no event stream",
    speaks=_DUAL,
    initialize_refused=True,
    event=_stream(content_type="application/json", **_ENDPOINT),
)
old(
    "no-content-type",
    "The answer to the GET has no media type",
    speaks=_DUAL,
    initialize_refused=True,
    event={"event": "stream", "status": 200, **_ENDPOINT},
)
old("405", "The GET is refused", speaks=_DUAL, initialize_refused=True, event=_stream(status=405, content_type=""))
old(
    "404-stream",
    "An endpoint event comes with status 404",
    speaks=_DUAL,
    initialize_refused=True,
    event=_stream(status=404, **_ENDPOINT),
)
old(
    "405-before-initialize",
    "The GET is refused to a client that sent no initialize yet",
    speaks=_DUAL,
    initialize_refused=False,
    event=_stream(status=405, content_type=""),
)
old(
    "time-out",
    "The stream brings no event within the waiting time",
    speaks=_DUAL,
    initialize_refused=True,
    event=_TIME_OUT,
)
old(
    "time-out-before-initialize",
    "The stream brings no event to a client that sent no initialize yet",
    speaks=_DUAL,
    initialize_refused=False,
    event=_TIME_OUT,
)
for _status in (404, 405, 406):
    old(
        f"405-after-{_status}",
        f"The GET that follows a POST refused with {_status} is refused",
        speaks=_DUAL,
        initialize_refused=False,
        status=_status,
        event=_stream(status=405, content_type=""),
    )
old(
    "unreachable-before-initialize",
    "No connection comes about for a client that sent no initialize yet",
    speaks=_DUAL,
    initialize_refused=False,
    event=_UNREACHABLE,
)
old("unreachable", "No connection comes about for the GET", speaks=_DUAL, initialize_refused=True, event=_UNREACHABLE)

# --- the answer to initialize -----------------------------------------------------------------------------------------

_INITIALIZE: JsonObject = {"id": 1, "version": _OLD, "method": "initialize"}
_REMEMBERED: JsonObject = {"remembered": True}


def _session(version: Json) -> JsonObject:
    info: JsonObject = {"name": "example", "version": "1.0.0"}
    return _result({"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info})


handshake = decisions("era/http-initialize", "era.http-initialize", FLAGS)
handshake(
    "accepted",
    "The server answers with the version that initialize named",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(200, _session(_OLD)),
)
handshake(
    "accepted-stream",
    "The answer to initialize comes in an event stream",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(200, messages=[_session(_OLD)]),
)
handshake(
    "accepted-older",
    "The server answers with an older version that the client speaks",
    _flags=("legacy",),
    speaks=[_NOW, _OLD, _OLDER],
    request=_INITIALIZE,
    event=_answer(200, _session(_OLDER)),
)
handshake(
    "unsupported",
    "The server answers with a version that the client does not speak",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(200, _session("2024-11-05")),
)
handshake(
    "result-with-error-status",
    "A result comes with status 500",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(500, _session(_OLD)),
)
handshake(
    "ok-error",
    "An ordinary error answers initialize with status 200",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(200, _error(-32600)),
)
handshake(
    "ok-error-remembered",
    "An ordinary error answers initialize on a remembered legacy era",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_answer(200, _error(-32600)),
)
handshake("ok-empty", "Status 200 comes without a body", speaks=_DUAL, request=_INITIALIZE, event=_answer(200))
handshake("400-empty", "Status 400 comes without a body", speaks=_DUAL, request=_INITIALIZE, event=_answer(400))
handshake(
    "400-empty-remembered",
    "A server remembered as legacy answers initialize with status 400",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_answer(400),
)
handshake(
    "400-empty-legacy-client", "A legacy client gets status 400", speaks=[_OLD], request=_INITIALIZE, event=_answer(400)
)
for _status in (400, 404, 405, 406):
    handshake(
        f"{_status}-both-transports",
        f"A client of both transports gets status {_status} for initialize",
        speaks=_DUAL,
        request=_INITIALIZE,
        handshake=_BOTH_TRANSPORTS,
        event=_answer(_status),
    )
handshake(
    "404-both-transports-remembered",
    "A remembered legacy era comes before the old transport",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake={"remembered": True, "old_transport": True},
    event=_answer(404),
)
handshake(
    "404-both-transports-after-refusal",
    "A server that refused a modern version is not looked for on the old transport",
    speaks=_DUAL,
    request=_INITIALIZE,
    refused=[_NOW],
    handshake=_BOTH_TRANSPORTS,
    event=_answer(404),
)
handshake(
    "404-both-transports-legacy-client",
    "A legacy client of both transports gets status 404",
    speaks=[_OLD],
    request=_INITIALIZE,
    handshake=_BOTH_TRANSPORTS,
    event=_answer(404),
)
handshake(
    "400-modern-both-transports",
    "A modern error keeps a client of both transports from the old one",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_BOTH_TRANSPORTS,
    event=_answer(400, _refusal(_NOW, requested=_OLD)),
)
handshake(
    "header-mismatch",
    "A modern-only server misses the headers of initialize",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(400, _error(-32020, "Header mismatch")),
)
handshake(
    "header-mismatch-legacy-client",
    "A modern-only server misses the headers of a legacy client",
    speaks=[_OLD],
    request=_INITIALIZE,
    event=_answer(400, _error(-32020, "Header mismatch")),
)
handshake(
    "header-mismatch-reprobed",
    "The headers are missed again after a second probe",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake={"reprobed": True},
    event=_answer(400, _error(-32020, "Header mismatch")),
)
handshake(
    "refused-remembered",
    "A server remembered as legacy refuses initialize and lists a modern version",
    _see=("field:disc-cached-legacy-never-reprobed",),
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_answer(400, _refusal(_NOW, requested=_OLD)),
)
handshake(
    "refused-disjoint",
    "initialize is refused, and the list has no version of the client",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(400, _refusal(_NEXT, requested=_OLD)),
)
handshake(
    "unknown-method-404",
    "initialize gets -32601 with status 404",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(404, _error(-32601)),
)
handshake(
    "401",
    "initialize gets status 401",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(401),
    _see=("field:disc-401-with-valid-credential",),
)
handshake("403", "initialize gets status 403", speaks=_DUAL, request=_INITIALIZE, event=_answer(403))
handshake("500", "initialize gets status 500", speaks=_DUAL, request=_INITIALIZE, event=_answer(500))
handshake(
    "500-remembered",
    "A server remembered as legacy answers initialize with status 500",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_answer(500),
)
handshake(
    "307",
    "initialize is redirected",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(307, location="https://mcp.example.com/login"),
    _see=("field:disc-redirected-legacy-request",),
)
for _slug, _status, _location, _what in (
    ("307-same-origin", 307, "https://mcp.example.com/v2/mcp", "within the origin"),
    ("308-same-origin", 308, "/v2/mcp", "within the origin for good"),
    ("307-other-origin", 307, "https://login.example.net/mcp", "to another origin"),
    ("302-same-origin", 302, "https://mcp.example.com/v2/mcp", "by a status that lets the method change"),
    ("303-same-origin", 303, "https://mcp.example.com/v2/mcp", "by a status that makes it a GET"),
    ("307-empty-location", 307, "", "to nowhere"),
):
    handshake(
        _slug,
        f"initialize is redirected {_what}",
        _see=("field:disc-redirected-legacy-request",) if _slug.startswith("307") else (),
        speaks=_DUAL,
        request=_INITIALIZE,
        http=_AT_WITH_CREDENTIAL,
        event=_answer(_status, location=_location),
    )
handshake(
    "accepted-remembered",
    "The handshake confirms a remembered legacy era",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_answer(200, _session(_OLD)),
)
handshake(
    "accepted-legacy-client",
    "The server answers a legacy client",
    _flags=("legacy",),
    speaks=[_OLD],
    request=_INITIALIZE,
    event=_answer(200, _session(_OLD)),
)
handshake(
    "404-both-transports-remembered-legacy-client",
    "A legacy client of both transports gets status 404 from a server that it remembers",
    speaks=[_OLD],
    request=_INITIALIZE,
    handshake={"remembered": True, "old_transport": True},
    event=_answer(404),
)
handshake(
    "time-out",
    "No answer to initialize comes within the waiting time",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_TIME_OUT,
)
handshake(
    "unreachable", "No connection comes about for initialize", speaks=_DUAL, request=_INITIALIZE, event=_UNREACHABLE
)
handshake(
    "300-result",
    "A result comes with status 300",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_answer(300, _session(_OLD)),
)
