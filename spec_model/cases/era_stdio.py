"""Cases of what a client makes of events on stdio."""

from __future__ import annotations

from spec_model.cases.table import decisions
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject

MALFORMED = {"malformed": "The message breaks the official JSON Schema of its revision, on purpose."}

_NEXT, _NOW, _OLD, _OLDER = "2027-03-01", "2026-07-28", "2025-11-25", "2025-06-18"
_DUAL, _MODERN = [_NOW, _OLD], [_NOW]
_PROBE: JsonObject = {"id": 1, "version": _NOW}
_TIME_OUT: JsonObject = {"event": "time-out"}
_EXIT: JsonObject = {"event": "exit"}


def _line(message: Json) -> JsonObject:
    return {"event": "line", "message": message}


def _error(code: Json, message: str = "refused", data: Json | Absent = ABSENT, **changed: Json) -> JsonObject:
    """A line with an error response to request 1."""
    error: JsonObject = {"code": code, "message": message}
    if data is not ABSENT:
        error["data"] = data
    return _line({"jsonrpc": "2.0", "id": 1, "error": error, **changed})


def _result(result: Json, **changed: Json) -> JsonObject:
    """A line with a result response to request 1."""
    return _line({"jsonrpc": "2.0", "id": 1, "result": result, **changed})


def _discovered(*supported: str) -> JsonObject:
    return {
        "resultType": "complete",
        "supportedVersions": list(supported),
        "capabilities": {"tools": {}},
        "ttlMs": 0,
        "cacheScope": "private",
    }


def _refusal(*supported: str, requested: str = _NOW, **changed: Json) -> JsonObject:
    data: JsonObject = {"supported": list(supported), "requested": requested}
    return _error(-32022, "Unsupported protocol version", data, **changed)


# --- the probe ------------------------------------------------------------------------------------------------------

probe = decisions("era/stdio-probe", "era.stdio-probe", MALFORMED)
probe(
    "discovered",
    "A discovery result makes the server modern",
    speaks=_DUAL,
    probe=_PROBE,
    event=_result(_discovered(_NOW)),
)
probe(
    "discovered-modern-client",
    "A modern-only client gets a discovery result",
    speaks=_MODERN,
    probe=_PROBE,
    event=_result(_discovered(_NOW)),
)
probe(
    "discovered-other-version",
    "The result lists another version than the probe named",
    speaks=[_NEXT, _NOW, _OLD],
    probe={"id": 1, "version": _NEXT},
    event=_result(_discovered(_NOW)),
)
probe(
    "discovered-disjoint",
    "The result lists no version that the client speaks",
    speaks=_DUAL,
    probe=_PROBE,
    event=_result(_discovered(_NEXT)),
)
probe(
    "discovered-legacy-only",
    "The result lists a legacy version alone",
    _see=("field:ver-discover-offers-only-legacy",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_result(_discovered(_OLD)),
)
probe(
    "discovered-legacy-only-modern-client",
    "A modern-only client gets a list of a legacy version alone",
    speaks=_MODERN,
    probe=_PROBE,
    event=_result(_discovered(_OLD)),
)
probe(
    "discovered-refused-before",
    "The result lists a version that was refused before",
    speaks=[_NEXT, _NOW, _OLD],
    probe={"id": 2, "version": _NOW},
    refused=[_NEXT],
    event=_result(_discovered(_NEXT, _NOW), id=2),
)
probe(
    "defective-result",
    "A result without a version list answers the probe",
    _flags=("malformed",),
    _see=("field:disc-result-without-required-fields",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_result({"capabilities": {"tools": {}}}),
)
probe(
    "defective-result-modern-client",
    "A modern-only client gets a result without a version list",
    _flags=("malformed",),
    speaks=_MODERN,
    probe=_PROBE,
    event=_result({"capabilities": {"tools": {}}}),
)
probe(
    "unknown-result-type",
    "A result of an unknown type answers the probe",
    speaks=_DUAL,
    probe=_PROBE,
    event=_result({**_discovered(_NOW), "resultType": "partial"}),
)
probe(
    "string-id",
    "Probe and answer have the same id, a string",
    speaks=_DUAL,
    probe={"id": "discover-1", "version": _NOW},
    event=_result(_discovered(_NOW), id="discover-1"),
)
for _code, _slug in (
    (-32601, "method-not-found"),
    (-32602, "invalid-params"),
    (-32600, "invalid-request"),
    (-32000, "legacy-range"),
    (-32603, "internal-error"),
    (-32700, "parse-error"),
    (-32002, "resource-not-found"),
    (-32042, "url-elicitation"),
    (1001, "application"),
    (0, "zero"),
    (-32023, "reserved-undefined"),
):
    probe(
        f"error/{_slug}",
        f"Error {_code} answers the probe",
        _see=("field:disc-code-keyed-fallback",) if _code in (-32602, -32600, -32000) else (),
        speaks=_DUAL,
        probe=_PROBE,
        event=_error(_code),
    )
probe(
    "error/method-not-found-modern-client",
    "A modern-only client gets error -32601",
    speaks=_MODERN,
    probe=_PROBE,
    event=_error(-32601),
)
probe(
    "error/newest-legacy",
    "The handshake names the newest legacy version of the client",
    speaks=[_NOW, _OLDER, _OLD],
    probe=_PROBE,
    event=_error(-32601),
)
probe(
    "error/code-string",
    "An error whose code is a string answers the probe",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_error("not_found"),
)
probe(
    "error/no-code",
    "An error without code answers the probe",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_line({"jsonrpc": "2.0", "id": 1, "error": {"message": "unknown"}}),
)
probe(
    "error/string",
    "An error that is a string answers the probe",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_line({"jsonrpc": "2.0", "id": 1, "error": "unknown"}),
)
probe(
    "error/with-null-result",
    "An error beside a null result answers the probe",
    speaks=_DUAL,
    probe=_PROBE,
    event=_error(-32601, result=None),
)
probe(
    "error/null-with-result",
    "A null error beside a result answers the probe",
    speaks=_DUAL,
    probe=_PROBE,
    event=_result(_discovered(_NOW), error=None),
)
_SECOND: JsonObject = {"id": 2, "version": _NOW}
for _slug, _event, _what in (
    ("error", _error(-32601, id=2), "An ordinary error answers"),
    ("silence", _TIME_OUT, "No answer comes to"),
    ("exit", _EXIT, "The process exits on"),
):
    probe(
        f"known/{_slug}-after-refusal",
        f"{_what} a probe of a server that refused another version before",
        speaks=[_NEXT, _NOW, _OLD],
        probe=_SECOND,
        refused=[_NEXT],
        event=_event,
    )
    probe(
        f"known/{_slug}-after-modern-error",
        f"{_what} a probe of a server that was shown to be modern before",
        speaks=_DUAL,
        probe=_SECOND,
        identified=True,
        event=_event,
    )
probe(
    "known/exit-again",
    "A second process of a server that was shown to be modern exits on the probe",
    speaks=_DUAL,
    probe=_SECOND,
    identified=True,
    exits_before=1,
    event=_EXIT,
)
probe(
    "known/silence-modern-client",
    "No answer comes to a modern-only client from a server that was shown to be modern",
    speaks=_MODERN,
    probe=_SECOND,
    identified=True,
    event=_TIME_OUT,
)
probe(
    "known/error-modern-client",
    "An ordinary error answers a modern-only client from a server that was shown to be modern",
    speaks=_MODERN,
    probe=_SECOND,
    identified=True,
    event=_error(-32601, id=2),
)
probe(
    "modern/refused",
    "UnsupportedProtocolVersion lists another version of the client",
    speaks=[_NEXT, _NOW, _OLD],
    probe={"id": 1, "version": _NEXT},
    event=_refusal(_NOW, requested=_NEXT),
)
probe(
    "modern/refused-modern-client",
    "A modern-only client is offered another of its versions",
    speaks=[_NEXT, _NOW],
    probe={"id": 1, "version": _NEXT},
    event=_refusal(_NOW, requested=_NEXT),
)
probe(
    "modern/refused-disjoint",
    "UnsupportedProtocolVersion lists no version of the client",
    speaks=_DUAL,
    probe=_PROBE,
    event=_refusal(_NEXT),
)
probe(
    "modern/refused-disjoint-modern-client",
    "A modern-only client is offered no version of its own",
    speaks=_MODERN,
    probe=_PROBE,
    event=_refusal(_NEXT),
)
probe(
    "modern/refused-legacy-only",
    "UnsupportedProtocolVersion lists a legacy version of the client",
    speaks=_DUAL,
    probe=_PROBE,
    event=_refusal(_OLD),
)
probe(
    "modern/refused-legacy-only-modern-client",
    "A modern-only client is offered a legacy version",
    speaks=_MODERN,
    probe=_PROBE,
    event=_refusal(_OLD),
)
probe(
    "modern/refused-again",
    "The listed version is refused in its turn",
    speaks=[_NEXT, _NOW, _OLD],
    probe={"id": 2, "version": _NOW},
    refused=[_NEXT],
    event=_refusal(_NOW, id=2),
    _see=("field:ver-second-refusal-loop",),
)
probe(
    "modern/refused-again-legacy",
    "The listed version is refused in its turn, and a legacy one is left",
    speaks=[_NEXT, _NOW, _OLD],
    probe={"id": 2, "version": _NOW},
    refused=[_NEXT],
    event=_refusal(_NOW, _OLD, id=2),
)
probe(
    "modern/refused-without-list",
    "UnsupportedProtocolVersion comes without data",
    _flags=("malformed",),
    _see=("field:ver-supported-missing-or-empty",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_error(-32022, "Unsupported protocol version"),
)
probe(
    "modern/refused-without-list-modern-client",
    "A modern-only client gets the error without data",
    _flags=("malformed",),
    speaks=_MODERN,
    probe=_PROBE,
    event=_error(-32022, "Unsupported protocol version"),
)
probe(
    "modern/missing-capability",
    "MissingRequiredClientCapability answers the probe",
    speaks=_DUAL,
    probe=_PROBE,
    event=_error(-32021, "Missing capability", {"requiredCapabilities": {"sampling": {}}}),
)
probe(
    "modern/missing-capability-modern-client",
    "A modern-only client lacks a capability for the probe",
    speaks=_MODERN,
    probe=_PROBE,
    event=_error(-32021, "Missing capability", {"requiredCapabilities": {"roots": {}}}),
)
probe(
    "modern/header-mismatch",
    "HeaderMismatch answers a probe that has no headers",
    speaks=_DUAL,
    probe=_PROBE,
    event=_error(-32020, "Header mismatch"),
)
probe(
    "silence",
    "No answer comes within the waiting time",
    _see=("field:disc-stdio-silence",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_TIME_OUT,
)
probe(
    "silence-modern-client",
    "A modern-only client gets no answer within the waiting time",
    speaks=_MODERN,
    probe=_PROBE,
    event=_TIME_OUT,
)
probe("exit", "The process exits on the probe", speaks=_DUAL, probe=_PROBE, event=_EXIT)
probe(
    "exit-again",
    "A second process exits on the probe",
    speaks=_DUAL,
    probe={"id": 2, "version": _NOW},
    exits_before=1,
    event=_EXIT,
)
probe(
    "exit-modern-client",
    "The process exits on the probe of a modern-only client",
    speaks=_MODERN,
    probe=_PROBE,
    event=_EXIT,
)
probe(
    "exit-again-modern-client",
    "A second process exits on the probe of a modern-only client",
    speaks=_MODERN,
    probe={"id": 2, "version": _NOW},
    exits_before=1,
    event=_EXIT,
)
probe(
    "known/exit-again-modern-client",
    "A second process that a modern-only client knows as modern exits on the probe",
    speaks=_MODERN,
    probe=_SECOND,
    identified=True,
    exits_before=1,
    event=_EXIT,
)
probe(
    "uncorrelated/null-id",
    "An error with a null id comes while the probe is outstanding",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_error(-32600, id=None),
)
probe(
    "uncorrelated/no-id",
    "An error without id comes while the probe is outstanding",
    speaks=_DUAL,
    probe=_PROBE,
    event=_line({"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}}),
)
probe(
    "uncorrelated/modern-code",
    "UnsupportedProtocolVersion with a null id comes while the probe is outstanding",
    _flags=("malformed",),
    speaks=[_NEXT, _NOW, _OLD],
    probe={"id": 1, "version": _NEXT},
    event=_refusal(_NOW, requested=_NEXT, id=None),
)
probe(
    "uncorrelated/null-id-result",
    "A result with a null id is no answer to the probe",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_result(_discovered(_NOW), id=None),
)
probe(
    "other-id/error",
    "An error with the id of no outstanding request is no answer",
    speaks=_DUAL,
    probe=_PROBE,
    event=_error(-32601, id=2),
)
probe(
    "other-id/result",
    "A result with the id of no outstanding request is no answer",
    speaks=_DUAL,
    probe=_PROBE,
    event=_result(_discovered(_NOW), id=2),
)
probe(
    "other-id/string",
    "The digits of the id in a string are another id",
    speaks=_DUAL,
    probe=_PROBE,
    event=_error(-32601, id="1"),
)
probe(
    "other-id/boolean",
    "true is not the id 1",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_error(-32601, id=True),
)
probe(
    "not-an-answer/notification",
    "A notification comes before the answer",
    speaks=_DUAL,
    probe=_PROBE,
    event=_line({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "ready"}}),
)
probe(
    "not-an-answer/request",
    "A request of the server comes before the answer",
    speaks=_DUAL,
    probe=_PROBE,
    event=_line({"jsonrpc": "2.0", "id": 7, "method": "ping"}),
)
probe(
    "not-an-answer/request-same-id",
    "A request of the server has the id of the probe",
    speaks=_DUAL,
    probe=_PROBE,
    event=_line({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
)
probe(
    "no-message/banner",
    "A line of text comes before the answer",
    speaks=_DUAL,
    probe=_PROBE,
    event={"event": "noise", "text": "Example server listening on stdio"},
)
probe(
    "no-message/number",
    "A number on a line is JSON and no message",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_line(1),
)
probe(
    "no-message/object",
    "An object that is no message comes before the answer",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_line({"level": "info", "id": 1}),
)
probe(
    "no-message/method-number",
    "An object whose method is a number is no message",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_line({"jsonrpc": "2.0", "id": 1, "method": 5}),
)
probe(
    "no-message/null-error",
    "A null error without result is no message",
    _flags=("malformed",),
    speaks=_DUAL,
    probe=_PROBE,
    event=_line({"jsonrpc": "2.0", "id": 1, "error": None}),
)
probe(
    "stderr",
    "Text on standard error says nothing about the era",
    _see=("field:disc-stderr-deadlock",),
    speaks=_DUAL,
    probe=_PROBE,
    event={"event": "stderr", "text": "ERROR validation failed for method server/discover"},
)

# --- an ordinary request that no probe preceded -----------------------------------------------------------------------

_CALL: JsonObject = {"id": 1, "version": _NOW, "method": "tools/call"}
_TEXT: list[Json] = [{"type": "text", "text": "hi"}]

inline = decisions("era/stdio-request", "era.stdio-request", MALFORMED)
inline(
    "result",
    "The request succeeds",
    speaks=_MODERN,
    request=_CALL,
    event=_result({"resultType": "complete", "content": _TEXT}),
)
inline(
    "result-without-type",
    "The request succeeds without resultType",
    _flags=("malformed",),
    _see=("field:rt-legacy-server-executes-modern-request",),
    speaks=_MODERN,
    request=_CALL,
    event=_result({"content": _TEXT}),
)
inline(
    "refused",
    "UnsupportedProtocolVersion lists another version of the client",
    _see=("field:ver-no-retry-implemented",),
    speaks=[_NEXT, _NOW],
    request={"id": 1, "version": _NEXT, "method": "tools/list"},
    event=_refusal(_NOW, requested=_NEXT),
)
inline(
    "refused-again",
    "The listed version is refused in its turn",
    speaks=[_NEXT, _NOW],
    request={"id": 2, "version": _NOW, "method": "tools/list"},
    refused=[_NEXT],
    event=_refusal(_NOW, id=2),
    _see=("field:ver-second-refusal-loop",),
)
inline(
    "refused-disjoint",
    "UnsupportedProtocolVersion lists no version of the client",
    speaks=_MODERN,
    request=_CALL,
    event=_refusal(_NEXT),
)
inline(
    "refused-legacy-only",
    "A dual-era client that remembered a modern era is offered a legacy version",
    speaks=_DUAL,
    request=_CALL,
    remembered=True,
    event=_refusal(_OLD),
)
inline(
    "refused-without-list",
    "UnsupportedProtocolVersion comes without data",
    _flags=("malformed",),
    speaks=_MODERN,
    request=_CALL,
    event=_error(-32022, "Unsupported protocol version"),
)
inline(
    "missing-capability",
    "The request needs a capability that was not declared",
    speaks=_MODERN,
    request=_CALL,
    event=_error(-32021, "Missing capability", {"requiredCapabilities": {"elicitation": {}}}),
)
inline(
    "error",
    "An ordinary error answers the request of a client that left the probe out",
    speaks=_MODERN,
    request=_CALL,
    event=_error(-32602),
)
inline(
    "error-remembered",
    "An ordinary error answers the request of a client that remembered a modern era",
    speaks=_DUAL,
    request=_CALL,
    remembered=True,
    event=_error(-32602),
)
inline(
    "error-without-code",
    "An error without code answers a client that remembered a modern era",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_CALL,
    remembered=True,
    event=_line({"jsonrpc": "2.0", "id": 1, "error": {"message": "unknown"}}),
)
inline("silence", "No answer comes to a client that left the probe out", speaks=_MODERN, request=_CALL, event=_TIME_OUT)
inline(
    "silence-remembered",
    "No answer comes to a client that remembered a modern era",
    speaks=_DUAL,
    request=_CALL,
    remembered=True,
    event=_TIME_OUT,
)
inline(
    "exit",
    "The process exits on the request of a client that left the probe out",
    speaks=_MODERN,
    request=_CALL,
    event=_EXIT,
)
inline(
    "exit-remembered",
    "The process exits on the request of a client that remembered a modern era",
    speaks=_DUAL,
    request=_CALL,
    remembered=True,
    event=_EXIT,
)
inline(
    "other-id",
    "A result with another id comes before the answer",
    speaks=_MODERN,
    request=_CALL,
    event=_result({"resultType": "complete", "content": _TEXT}, id=9),
)
inline(
    "notification",
    "Progress is told before the answer",
    speaks=_MODERN,
    request=_CALL,
    event=_line(
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "t", "progress": 1}}
    ),
)
inline(
    "banner",
    "A line of text comes before the answer",
    speaks=_MODERN,
    request=_CALL,
    event={"event": "noise", "text": "Example server listening on stdio"},
)
inline(
    "stderr",
    "Text on standard error comes before the answer",
    speaks=_MODERN,
    request=_CALL,
    event={"event": "stderr", "text": "WARN slow start"},
)

inline(
    "refused-lists-refused",
    "UnsupportedProtocolVersion lists the refused version alone",
    speaks=[_NEXT, _NOW],
    request={"id": 1, "version": _NEXT, "method": "tools/list"},
    event=_refusal(_NEXT, requested=_NEXT),
)
inline(
    "retried",
    "The request succeeds with the listed version",
    speaks=[_NEXT, _NOW],
    request={"id": 2, "version": _NOW, "method": "tools/list"},
    refused=[_NEXT],
    event=_result({"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"}, id=2),
)

# --- the handshake --------------------------------------------------------------------------------------------------

_INITIALIZE: JsonObject = {"id": 2, "version": _OLD, "method": "initialize"}
_REMEMBERED: JsonObject = {"remembered": True}


def _session(version: Json) -> JsonObject:
    """A line with the answer to initialize, in the shape of the legacy revisions."""
    info: JsonObject = {"name": "example", "version": "1.0.0"}
    return _result({"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}, id=2)


handshake = decisions(
    "era/stdio-initialize",
    "era.stdio-initialize",
    {**MALFORMED, "legacy": "The message belongs to a legacy revision and not to this one."},
)
handshake(
    "accepted",
    "The server answers with the version that initialize named",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_session(_OLD),
)
handshake(
    "accepted-remembered",
    "The handshake confirms a remembered legacy era",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_session(_OLD),
)
handshake(
    "accepted-older",
    "The server answers with an older version that the client speaks",
    _flags=("legacy",),
    speaks=[_NOW, _OLD, _OLDER],
    request=_INITIALIZE,
    event=_session(_OLDER),
)
handshake(
    "unsupported",
    "The server answers with a version that the client does not speak",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_session("2024-11-05"),
)
handshake(
    "modern-version",
    "The server answers with a modern version that the client speaks",
    _flags=("legacy",),
    _see=("field:rt-missing-after-initialize-echo",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_session(_NOW),
)
handshake(
    "no-version",
    "The answer to initialize names no version",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_result({"capabilities": {}}, id=2),
)
handshake(
    "error",
    "An ordinary error answers initialize after a failed probe",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_error(-32601, id=2),
)
handshake(
    "error-remembered",
    "An ordinary error answers initialize on a remembered legacy era",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_error(-32601, id=2),
)
handshake(
    "error-remembered-refused",
    "The version that could be probed was refused before",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    refused=[_NOW],
    event=_error(-32601, id=2),
)
handshake(
    "error-legacy-client",
    "An ordinary error answers the initialize of a legacy client",
    speaks=[_OLD],
    request=_INITIALIZE,
    event=_error(-32601, id=2),
)
handshake(
    "version-error-legacy",
    "The legacy error for an unsupported version answers initialize",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_error(-32602, "Unsupported protocol version", {"supported": ["2024-11-05"], "requested": _OLD}, id=2),
)
handshake(
    "refused-remembered",
    "A server remembered as legacy refuses initialize and lists a modern version",
    _see=("field:disc-cached-legacy-never-reprobed",),
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_refusal(_NOW, requested=_OLD, id=2),
)
handshake(
    "refused-detected",
    "A server that did not answer the probe refuses initialize and lists a modern version",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_refusal(_NOW, requested=_OLD, id=2),
)
handshake(
    "refused-reprobed",
    "initialize is refused again after a second probe",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake={"reprobed": True},
    event=_refusal(_NOW, requested=_OLD, id=2),
)
handshake(
    "refused-disjoint",
    "initialize is refused, and the list has no version of the client",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_refusal(_NEXT, requested=_OLD, id=2),
)
handshake(
    "refused-other-legacy",
    "initialize is refused, and the list has another legacy version of the client",
    speaks=[_NOW, _OLD, _OLDER],
    request=_INITIALIZE,
    event=_refusal(_OLDER, requested=_OLD, id=2),
)
handshake(
    "refused-without-list",
    "initialize is refused with UnsupportedProtocolVersion without data",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_error(-32022, id=2),
)
handshake(
    "refused-empty-list",
    "initialize is refused with an empty list",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_refusal(requested=_OLD, id=2),
)
handshake(
    "refused-list-null",
    "initialize is refused with null for a list",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_error(-32022, data={"supported": None, "requested": _OLD}, id=2),
)
handshake(
    "refused-list-of-numbers",
    "initialize is refused with a list that has no string",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_error(-32022, data={"supported": [20260728], "requested": _OLD}, id=2),
)
handshake(
    "refused-without-list-all-refused",
    "initialize is refused without a list after every modern version was",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_INITIALIZE,
    refused=[_NOW],
    event=_error(-32022, id=2),
)
handshake(
    "refused-without-list-remembered",
    "A server remembered as legacy refuses initialize without a list",
    _flags=("malformed",),
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_error(-32022, id=2),
)
handshake(
    "missing-capability-all-refused",
    "Another modern error answers initialize after every modern version was refused",
    speaks=_DUAL,
    request=_INITIALIZE,
    refused=[_NOW],
    event=_error(-32021, "Missing capability", {"requiredCapabilities": {"roots": {}}}, id=2),
)
handshake(
    "refused-legacy-client",
    "A modern-only server refuses a legacy client",
    speaks=[_OLD],
    request=_INITIALIZE,
    event=_refusal(_NOW, requested=_OLD, id=2),
)
handshake(
    "missing-capability",
    "Another modern error answers initialize",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_error(-32021, "Missing capability", {"requiredCapabilities": {"roots": {}}}, id=2),
)
handshake(
    "silence",
    "No answer to initialize comes within the waiting time",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_TIME_OUT,
)
handshake(
    "silence-remembered",
    "A server remembered as legacy does not answer initialize",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_TIME_OUT,
)
handshake("exit", "The process exits on initialize", speaks=_DUAL, request=_INITIALIZE, event=_EXIT)
handshake(
    "exit-remembered",
    "A process remembered as legacy exits on initialize",
    speaks=_DUAL,
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_EXIT,
)
handshake(
    "exit-again",
    "A second process exits, this one on initialize",
    speaks=_DUAL,
    request=_INITIALIZE,
    exits_before=1,
    event=_EXIT,
)
handshake(
    "exit-legacy-client",
    "The process exits on the initialize of a legacy client",
    speaks=[_OLD],
    request=_INITIALIZE,
    event=_EXIT,
)
handshake(
    "exit-remembered-legacy-client",
    "A process that a legacy client remembers as legacy exits on initialize",
    speaks=[_OLD],
    request=_INITIALIZE,
    handshake=_REMEMBERED,
    event=_EXIT,
)
handshake(
    "other-id",
    "A response with another id comes before the answer to initialize",
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_error(-32601),
)
handshake(
    "ping",
    "The server sends a ping before it answers initialize",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    event=_line({"jsonrpc": "2.0", "id": 2, "method": "ping"}),
)
handshake(
    "banner",
    "A line of text comes before the answer to initialize",
    speaks=_DUAL,
    request=_INITIALIZE,
    event={"event": "noise", "text": "Example server listening on stdio"},
)
handshake(
    "stderr",
    "Text on standard error comes before the answer to initialize",
    speaks=_DUAL,
    request=_INITIALIZE,
    event={"event": "stderr", "text": "WARN slow start"},
)

handshake(
    "late/result",
    "The discovery result comes late while initialize waits",
    speaks=_DUAL,
    request=_INITIALIZE,
    abandoned=_PROBE,
    event=_result(_discovered(_NOW)),
)
handshake(
    "late/disjoint",
    "A discovery result without a common version comes late",
    speaks=_DUAL,
    request=_INITIALIZE,
    abandoned=_PROBE,
    event=_result(_discovered(_NEXT)),
)
handshake(
    "late/error",
    "An error for the abandoned probe comes late",
    speaks=_DUAL,
    request=_INITIALIZE,
    abandoned=_PROBE,
    event=_error(-32601),
)
handshake(
    "late/other-id",
    "A late result has the id of no request",
    speaks=_DUAL,
    request=_INITIALIZE,
    abandoned=_PROBE,
    event=_result(_discovered(_NOW), id=9),
)
handshake(
    "late/accepted",
    "The answer to initialize comes before that to the abandoned probe",
    _flags=("legacy",),
    speaks=_DUAL,
    request=_INITIALIZE,
    abandoned=_PROBE,
    event=_session(_OLD),
)
