"""Cases of the rules about errors."""

from __future__ import annotations

from typing import Any

from spec_model.cases.messages import BAD, MALFORMED
from spec_model.cases.table import decisions
from spec_model.semantics.errors import Condition

codes = decisions("errors/code", "errors.code")
for reported in Condition:
    seen_as = ("field:ec-unknown-tool-as-tool-error",) if reported is Condition.UNKNOWN_TOOL else ()
    codes(reported.value, f"The code of {reported.value}", condition=reported.value, _see=seen_as)
codes(
    "resource-not-found-to-legacy",
    "The code of a missing resource to a legacy client",
    condition="resource-not-found",
    version="2025-11-25",
)
codes(
    "resource-not-found-to-oldest",
    "The code of a missing resource to a client of the oldest revision",
    condition="resource-not-found",
    version="2024-11-05",
)
codes(
    "internal-failure-to-legacy",
    "The code of a failure to a legacy client",
    condition="internal-failure",
    version="2025-11-25",
)
codes(
    "url-elicitation-required-to-legacy",
    "The code of an address to be visited to a client of 2025-11-25",
    condition="url-elicitation-required",
    version="2025-11-25",
)

emitted = decisions("errors/may-emit", "errors.may-emit")


def _emit(slug: str, title: str, code: Any, condition: str = "", **members: Any) -> None:
    if condition:
        members["condition"] = condition
    emitted(slug, title, code=code, **members)


REPORTED: tuple[tuple[str, int, str], ...] = (
    ("parse-error", -32700, "unparseable-json"),
    ("invalid-request", -32600, "not-a-request"),
    ("method-not-found", -32601, "unknown-method"),
    ("ungated-method", -32601, "method-of-unadvertised-capability"),
    ("invalid-params", -32602, "invalid-params"),
    ("internal-error", -32603, "internal-failure"),
    ("header-mismatch", -32020, "header-mismatch"),
    ("missing-client-capability", -32021, "missing-client-capability"),
    ("unsupported-version", -32022, "unsupported-version"),
    ("unknown-tool", -32602, "unknown-tool"),
    ("invalid-cursor", -32602, "invalid-cursor"),
    ("resource-not-found", -32602, "resource-not-found"),
)
for slug, code, condition in REPORTED:
    _emit(slug, f"{code} reports {condition}", code, condition)
_emit("integral-float", "A code may be written -32602.0", -32602.0, "invalid-params")
_emit("fraction", "A fraction is no code", -32602.5, "invalid-params")
_emit("string", "A string is no code", "-32602", "invalid-params")
_emit("null", "null is no code", None, "invalid-params")
_emit("boolean", "A boolean is no code", True)
SWAPPED = (
    ("parse-error-as-invalid-request", -32600, "unparseable-json"),
    ("invalid-request-as-invalid-params", -32602, "not-a-request"),
    ("unknown-method-as-invalid-request", -32600, "unknown-method"),
    ("ungated-method-as-invalid-params", -32602, "method-of-unadvertised-capability"),
    ("invalid-params-as-internal-error", -32603, "invalid-params"),
    ("unknown-tool-as-method-not-found", -32601, "unknown-tool"),
    ("failure-as-invalid-request", -32600, "internal-failure"),
    ("header-mismatch-as-invalid-request", -32600, "header-mismatch"),
    ("missing-capability-as-method-not-found", -32601, "missing-client-capability"),
    ("unsupported-version-as-invalid-params", -32602, "unsupported-version"),
    ("missing-resource-as-internal-error", -32603, "resource-not-found"),
)
for slug, code, condition in SWAPPED:
    _emit(slug, f"{code} does not report {condition}", code, condition)
_emit(
    "unsupported-version-as-invalid-request",
    "-32600 does not report unsupported-version",
    -32600,
    "unsupported-version",
    _see=("field:ver-wrong-code-and-prose",),
)
_emit(
    "header-mismatch-as-unsupported-version",
    "-32022 means an unsupported version and nothing else",
    -32022,
    "header-mismatch",
)
_emit("failure-as-header-mismatch", "-32020 means a header mismatch and nothing else", -32020, "internal-failure")
_emit("cursor-as-failure", "An invalid cursor is better not reported as an internal error", -32603, "invalid-cursor")
_emit(
    "cursor-undefined",
    "A reserved code without a definition is not sent even where the right one is only advised",
    -32050,
    "invalid-cursor",
)
_emit(
    "draft-header-mismatch",
    "-32001 was the code of a header mismatch in a draft",
    -32001,
    "header-mismatch",
    _see=("field:ec-stale-code-in-sep",),
)
_emit(
    "draft-missing-capability",
    "-32003 was the code of a missing capability in a draft",
    -32003,
    "missing-client-capability",
)
_emit(
    "draft-unsupported-version",
    "-32004 was the code of an unsupported version in a draft",
    -32004,
    "unsupported-version",
)
_emit("draft-code-for-another", "-32004 was never the code of a header mismatch", -32004, "header-mismatch")
_emit("retired-not-found", "-32002 is retired", -32002, "resource-not-found", _see=("field:ec-resource-not-found",))
_emit(
    "retired-not-found-to-legacy",
    "-32002 goes to a legacy client",
    -32002,
    "resource-not-found",
    version="2025-11-25",
)
_emit(
    "retired-not-found-to-oldest",
    "-32002 goes to a client of the oldest revision",
    -32002,
    "resource-not-found",
    version="2024-11-05",
)
_emit(
    "not-found-to-legacy",
    "-32602 to a legacy client for a missing resource",
    -32602,
    "resource-not-found",
    version="2025-11-25",
)
_emit(
    "retired-for-another",
    "-32002 does not go to a legacy client for anything else",
    -32002,
    "invalid-params",
    version="2025-11-25",
)
_emit(
    "retired-for-own-purpose",
    "-32002 is not free for a purpose of one's own",
    -32002,
    _see=("field:ec-custom-code-in-legacy-range",),
)
_emit("retired-url-elicitation", "-32042 is retired", -32042)
_emit(
    "retired-url-elicitation-to-modern",
    "-32042 does not go to a modern client, not even for an address to be visited",
    -32042,
    "url-elicitation-required",
)
_emit(
    "retired-url-elicitation-to-legacy",
    "-32042 goes to a client of 2025-11-25",
    -32042,
    "url-elicitation-required",
    version="2025-11-25",
)
_emit(
    "retired-url-elicitation-to-older",
    "-32042 does not go to a client of 2025-06-18, which does not know it",
    -32042,
    "url-elicitation-required",
    version="2025-06-18",
)
_emit(
    "retired-url-elicitation-for-another",
    "-32042 does not go to a client of 2025-11-25 for anything else",
    -32042,
    "missing-client-capability",
    version="2025-11-25",
)
_emit(
    "undefined-for-url-elicitation",
    "A reserved code without a definition does not take the place of -32042",
    -32050,
    "url-elicitation-required",
)
_emit("own-legacy-first", "A new implementation and the code at the upper end of the legacy range", -32000)
_emit(
    "own-legacy",
    "A new implementation and a code in the legacy range",
    -32001,
    _see=("field:ec-custom-code-in-legacy-range",),
)
_emit("own-legacy-last", "A new implementation and the code at the lower end of the legacy range", -32019)
for slug, what, number in (
    ("first", "the code at the upper end of the legacy range", -32000),
    ("", "a code in the legacy range", -32001),
    ("last", "the code at the lower end of the legacy range", -32019),
):
    _emit(
        f"own-established-{slug}".rstrip("-"),
        f"An implementation that had {what} before it was closed",
        number,
        established=True,
        _see=() if slug else ("field:ec-custom-code-in-legacy-range",),
    )
_emit(
    "own-established-retired",
    "An implementation that had -32002 for a purpose of its own before it was retired",
    -32002,
    established=True,
    _see=("field:ec-custom-code-in-legacy-range",),
)
_emit(
    "own-established-mcp-range",
    "An implementation that had a code of the range of the specification before it was one",
    -32050,
    established=True,
)
_emit(
    "established-for-another",
    "A code that an implementation had before takes the place of no defined one",
    -32001,
    "invalid-params",
    established=True,
)
_emit("own-defined", "A defined code is not for a purpose of one's own", -32020)
_emit(
    "own-undefined",
    "A code that the specification reserves and has not defined",
    -32050,
    _see=("field:ec-custom-code-in-legacy-range",),
)
_emit("own-undefined-last", "The last code that the specification reserves", -32099)
_emit("own-beyond-mcp-range", "The first code below the range of the specification", -32100)
_emit("own-reserved-last", "The last code that JSON-RPC reserves", -32768)
_emit("own-standard", "A standard code in place of one of one's own", -32603)
_emit("own-below-reserved", "The first code below what JSON-RPC reserves", -32769)
_emit(
    "own-above-reserved",
    "The first code above what JSON-RPC reserves",
    -31999,
    _see=("field:ec-custom-code-in-legacy-range",),
)
_emit("own-positive", "A positive code", 1001, _see=("field:ec-custom-code-in-legacy-range",))
_emit("own-zero", "The code 0", 0)

allocated = decisions("errors/may-allocate", "errors.may-allocate")
for slug, title, number in (
    ("above-reserved", "The first code above what JSON-RPC reserves", -31999),
    ("positive", "A positive code", 1001),
    ("legacy-first", "The first code of the legacy range", -32000),
    ("legacy-retired", "A retired code of the legacy range", -32002),
    ("legacy-last", "The last code of the legacy range", -32019),
    ("mcp-first", "The first code of the range of the specification, which is defined", -32020),
    ("mcp-undefined", "The first code of the range of the specification that is not defined", -32023),
    ("mcp-retired", "A retired code of the range of the specification", -32042),
    ("mcp-last", "The last code of the range of the specification", -32099),
    ("rest-first", "The first code below that range", -32100),
    ("rest", "A code among the rest of what JSON-RPC reserves", -32500),
    ("rest-last", "The last code that JSON-RPC reserves", -32768),
    ("below-reserved", "The first code below what JSON-RPC reserves", -32769),
):
    allocated(slug, title, code=number)
allocated("integral-float", "A code may be written 1001.0", code=1001.0)
allocated("fraction", "A fraction is no code", code=1001.5)
allocated("string", "A string is no code", code="1001")

meanings = decisions("errors/meaning", "errors.meaning")
for slug, title, number in (
    ("parse-error", "-32700 says that the text is no JSON", -32700),
    ("invalid-request", "-32600 says that the JSON is no request", -32600),
    ("method-not-found", "-32601 says that there is no such method", -32601),
    ("invalid-params", "-32602 says that the params are wrong", -32602),
    ("internal-error", "-32603 says that the receiver failed", -32603),
    ("header-mismatch", "-32020 says that headers and body differ", -32020),
    ("missing-client-capability", "-32021 says that the client lacks a capability", -32021),
    ("unsupported-version", "-32022 says that the version is not supported", -32022),
    ("resource-not-found", "-32002 says that there is no such resource", -32002),
    ("legacy-first", "-32000 says nothing", -32000),
    ("legacy-third", "-32003 says nothing", -32003),
    ("legacy-last", "-32019 says nothing", -32019),
    ("mcp-undefined", "-32023 is reserved and says nothing", -32023),
    ("mcp-last", "-32099 is reserved and says nothing", -32099),
    ("below-mcp-range", "-32100 is reserved and says nothing", -32100),
    ("reserved-last", "-32768 is reserved and says nothing", -32768),
    ("below-reserved", "-32769 belongs to the application", -32769),
    ("above-reserved", "-31999 belongs to the application", -31999),
):
    meanings(slug, title, code=number)
meanings(
    "session-not-found",
    "-32001 says nothing, whatever an implementation uses it for",
    code=-32001,
    _see=("field:ec-32001-collision",),
)
meanings("url-elicitation", "-32042 says that an address has to be visited, as it did in 2025-11-25", code=-32042)
meanings("mcp-before-retired", "-32041 is reserved and says nothing", code=-32041)

refusals = decisions("errors/refuse", "errors.refuse")
refusals("request", "A request goes on to its method", text='{"jsonrpc":"2.0","id":7,"method":"x","params":{}}')
refusals("notification", "A notification goes on to its method", text='{"jsonrpc":"2.0","method":"x"}')
refusals("string-id", "A string is an id", text='{"jsonrpc":"2.0","id":"a","method":"x"}')
refusals("truncated", "The id of a text that ends too early is not read", text='{"jsonrpc":"2.0","id":7,"method":"x"')
refusals("no-json", "A text that is no JSON", text="tools/list")
refusals("empty", "An empty text", text="")
refusals("trailing-comma", "A comma before a closing brace is no JSON", text='{"jsonrpc":"2.0","id":7,"method":"x",}')
refusals("number", "A number is no request", text="7")
refusals("null", "null is no request", text="null")
refusals("batch", "An array of requests is no request", text='[{"jsonrpc":"2.0","id":7,"method":"x"}]')
refusals("empty-batch", "An empty array is no request", text="[]")
refusals("empty-object", "An object with nothing in it is no request", text="{}")
refusals("no-method", "The id of a request without a method is read", text='{"jsonrpc":"2.0","id":7}')
refusals(
    "no-method-null-id", "A request has neither a method nor an id that counts", text='{"jsonrpc":"2.0","id":null}'
)
refusals("numeric-method", "The method is a number", text='{"jsonrpc":"2.0","id":7,"method":1}')
refusals("numeric-method-without-id", "The method is a number, and there is no id", text='{"jsonrpc":"2.0","method":1}')
refusals("no-version", "jsonrpc is missing", text='{"id":7,"method":"x","params":{}}')
refusals("other-version", "jsonrpc is 1.0", text='{"jsonrpc":"1.0","id":"a","method":"x"}')
refusals("null-id", "A null id is not read", text='{"jsonrpc":"2.0","id":null,"method":"x"}')
refusals("fractional-id", "A fractional id is not read", text='{"jsonrpc":"2.0","id":1.5,"method":"x"}')
refusals("boolean-id", "A boolean id is not read", text='{"jsonrpc":"2.0","id":true,"method":"x"}')
refusals("object-id", "An object is no id", text='{"jsonrpc":"2.0","id":{},"method":"x"}')
refusals("integral-float-id", "An id written 1.0 is read", text='{"jsonrpc":"2.0","id":1.0,"method":"x"}')
refusals("integral-float-id-echoed", "An id written 1.0 comes back", text='{"jsonrpc":"2.0","id":1.0}')
refusals("big-id", "An id beyond the safe range comes back exact", text='{"jsonrpc":"2.0","id":9007199254740993}')
refusals("array-params", "The params are an array", text='{"jsonrpc":"2.0","id":7,"method":"x","params":[]}')
refusals(
    "notification-array-params",
    "A notification is not answered, though its params are an array",
    text='{"jsonrpc":"2.0","method":"x","params":[]}',
)
refusals(
    "notification-null-params",
    "A notification is not answered, though its params are null",
    text='{"jsonrpc":"2.0","method":"x","params":null}',
)
refusals("response", "The id of a response is not that of a request", text='{"jsonrpc":"2.0","id":7,"result":{}}')
refusals(
    "error-response",
    "The id of an error response is not that of a request",
    text='{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"Internal error"}}',
)
refusals("null-params", "The params are null", text='{"jsonrpc":"2.0","id":7,"method":"x","params":null}')

UNSUPPORTED = {
    "code": -32022,
    "message": "Unsupported",
    "data": {"supported": ["2026-07-28"], "requested": "1900-01-01"},
}
MISSING = {"code": -32021, "message": "Missing", "data": {"requiredCapabilities": {"elicitation": {}}}}
MISMATCH = {"code": -32020, "message": "Header mismatch"}

responses = decisions("errors/response", "errors.response", MALFORMED)


def _error(slug: str, title: str, error: Any, **about: Any) -> None:
    responses(slug, title, message={"jsonrpc": "2.0", "id": 1, "error": error}, **about)


_error("plain", "An error has a code and a message", {"code": -32603, "message": "Internal error"})
_error("empty-message", "A message may be empty", {"code": -32603, "message": ""})
_error(
    "data", "An error may have data of any type", {"code": -32603, "message": "Internal error", "data": [{"code": 1}]}
)
_error("null-data", "An error may have null data", {"code": -32603, "message": "Internal error", "data": None})
_error("integral-float-code", "A code may be written -32603.0", {"code": -32603.0, "message": "Internal error"})
_error("no-code", "The code is missing", {"message": "Internal error"}, _flags=BAD)
_error("fractional-code", "The code is a fraction", {"code": -32603.5, "message": "Internal error"}, _flags=BAD)
_error("string-code", "The code is a string", {"code": "-32603", "message": "Internal error"}, _flags=BAD)
_error("null-code", "The code is null", {"code": None, "message": "Internal error"}, _flags=BAD)
_error("no-message", "The message is missing", {"code": -32603}, _flags=BAD)
_error("null-message", "The message is null", {"code": -32603, "message": None}, _flags=BAD)
_error("string", "The error is a string", "Internal error", _flags=BAD)
_error("null", "The error is null", None, _flags=BAD)
_error("header-mismatch", "A header mismatch needs no data", MISMATCH)
_error("unsupported-version", "An unsupported version comes with the supported ones", UNSUPPORTED)
_error(
    "unsupported-version-without-data",
    "An unsupported version has no data",
    {**UNSUPPORTED, "data": None},
    _flags=BAD,
    _see=("field:ver-supported-missing-or-empty",),
)
VERSION_DATA: tuple[tuple[str, str, Any, tuple[str, ...]], ...] = (
    ("without-list", "The supported versions are missing", {"requested": "1900-01-01"}, BAD),
    ("with-empty-list", "No version is supported", {"supported": [], "requested": "1900-01-01"}, ()),
    ("with-string", "The supported versions are a string", {"supported": "2026-07-28", "requested": "1900-01-01"}, BAD),
    ("with-number", "A supported version is a number", {"supported": [2026], "requested": "1900-01-01"}, BAD),
    ("without-requested", "The requested version is missing", {"supported": ["2026-07-28"]}, BAD),
    ("with-null-requested", "The requested version is null", {"supported": ["2026-07-28"], "requested": None}, BAD),
)
for slug, title, data, flags in VERSION_DATA:
    seen = ("field:ver-supported-missing-or-empty",) if slug == "with-empty-list" else ()
    _error(f"unsupported-version-{slug}", title, {**UNSUPPORTED, "data": data}, _flags=flags, _see=seen)
_error("missing-capability", "A missing capability is named", MISSING)
CAPABILITY_DATA: tuple[tuple[str, str, Any, tuple[str, ...]], ...] = (
    ("without-data", "The missing capability is not named", None, BAD),
    ("with-empty-object", "No capability is named", {"requiredCapabilities": {}}, ()),
    ("with-names", "The missing capabilities are a list of names", {"requiredCapabilities": ["elicitation"]}, BAD),
    ("with-flag", "The missing capability is named by a boolean", {"requiredCapabilities": {"elicitation": True}}, BAD),
)
for slug, title, data, flags in CAPABILITY_DATA:
    _error(f"missing-capability-{slug}", title, {**MISSING, "data": data}, _flags=flags)
FAILURE = {"code": -32603, "message": "Internal error"}
responses("without-id", "An error has no id where none could be read", message={"jsonrpc": "2.0", "error": FAILURE})
responses("null-id", "The id of an error is null", _flags=BAD, message={"jsonrpc": "2.0", "id": None, "error": FAILURE})
responses("string-id", "The id of an error may be a string", message={"jsonrpc": "2.0", "id": "a", "error": FAILURE})
responses(
    "fractional-id",
    "The id of an error is a fraction",
    _flags=BAD,
    message={"jsonrpc": "2.0", "id": 1.5, "error": FAILURE},
)
responses("no-version", "jsonrpc is missing", _flags=BAD, message={"id": 1, "error": FAILURE})
responses("no-error", "The error is missing", _flags=BAD, message={"jsonrpc": "2.0", "id": 1})
responses(
    "error-and-result",
    "An error beside a result",
    message={"jsonrpc": "2.0", "id": 1, "error": FAILURE, "result": {"resultType": "complete"}},
)
responses(
    "batch",
    "An error response inside an array is none",
    _flags=BAD,
    message=[{"jsonrpc": "2.0", "id": 1, "error": FAILURE}],
)
