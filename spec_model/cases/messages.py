"""Cases of the rules about JSON-RPC messages and the legacy handshake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spec_model.cases.table import decisions

MALFORMED = {"malformed": "The message breaks the official JSON Schema of its revision, on purpose."}
BAD = ("malformed",)

REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
RESULT = {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete"}}
ERROR = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "Internal error"}}

kinds = decisions("messages/kind", "messages.kind", MALFORMED)
kinds("request", "A method and an id make a request", message=REQUEST)
kinds("notification", "A method without an id makes a notification", message=NOTIFICATION)
kinds(
    "null-id",
    "A null id is an id all the same, so this is a malformed request and no notification",
    message={"jsonrpc": "2.0", "id": None, "method": "notifications/cancelled", "params": {"requestId": 1}},
)
kinds("result", "A result makes a response", message=RESULT)
kinds("error", "An error makes a response", message=ERROR)
kinds("error-without-id", "An error without an id is a response", message={"jsonrpc": "2.0", "error": ERROR["error"]})
kinds(
    "both",
    "A result beside an error is neither of the two responses",
    message={**RESULT, "error": ERROR["error"]},
)
kinds("none-of-them", "An object with an id alone is no message", _flags=BAD, message={"jsonrpc": "2.0", "id": 1})
kinds("batch", "An array of messages is no message of this revision", _flags=BAD, message=[REQUEST])
kinds("empty-batch", "An empty array is no message", _flags=BAD, message=[])
kinds("string", "A string is no message", _flags=BAD, message="tools/list")

senders = decisions("messages/may-send", "messages.may-send", MALFORMED)
senders("client-request", "A client sends requests", sender="client", message=REQUEST)
senders("server-request", "A server sends no request", sender="server", message=REQUEST)
senders("client-notification", "A client sends notifications", sender="client", message=NOTIFICATION)
senders("server-notification", "A server sends notifications", sender="server", message=NOTIFICATION)
senders("server-result", "A server sends results", sender="server", message=RESULT)
senders("client-result", "A client sends no result", sender="client", message=RESULT)
senders("server-error", "A server sends errors", sender="server", message=ERROR)
senders("client-error", "A client sends no error", sender="client", message=ERROR)
senders("client-batch", "A client sends no batch", _flags=BAD, sender="client", message=[REQUEST])
senders("server-batch", "A server sends no batch", _flags=BAD, sender="server", message=[RESULT])

requests = decisions("messages/request", "messages.request", MALFORMED)
requests("plain", "A request has the version of JSON-RPC, an id and a method", message=REQUEST)
requests("without-params", "A request may have no params", message={"jsonrpc": "2.0", "id": 1, "method": "x"})
requests("string-id", "The id may be a string", message={**REQUEST, "id": "a"})
requests("empty-string-id", "The id may be an empty string", message={**REQUEST, "id": ""})
requests("zero-id", "The id may be 0", message={**REQUEST, "id": 0})
requests("negative-id", "The id may be negative", message={**REQUEST, "id": -1})
requests("id-beyond-2-53", "The id may be an integer beyond the safe range", message={**REQUEST, "id": 2**53 + 1})
requests("integral-float-id", "An id written 1.0 is an integer", message={**REQUEST, "id": 1.0})
requests("no-id", "Without an id there is no request", message={"jsonrpc": "2.0", "method": "x"})
requests("null-id", "A null id is no id", _flags=BAD, message={**REQUEST, "id": None})
requests("fractional-id", "A fraction is no id", _flags=BAD, message={**REQUEST, "id": 1.5})
requests("boolean-id", "A boolean is no id", _flags=BAD, message={**REQUEST, "id": True})
requests("array-id", "An array is no id", _flags=BAD, message={**REQUEST, "id": [1]})
requests("no-version", "jsonrpc is missing", _flags=BAD, message={"id": 1, "method": "tools/list", "params": {}})
requests("version-1", "jsonrpc names version 1.0", _flags=BAD, message={**REQUEST, "jsonrpc": "1.0"})
requests("numeric-version", "jsonrpc is a number", _flags=BAD, message={**REQUEST, "jsonrpc": 2.0})
requests("no-method", "The method is missing", _flags=BAD, message={"jsonrpc": "2.0", "id": 1, "params": {}})
requests("numeric-method", "The method is a number", _flags=BAD, message={**REQUEST, "method": 1})
requests("null-method", "The method is null", _flags=BAD, message={**REQUEST, "method": None})
requests("array-params", "The params are an array", _flags=BAD, message={**REQUEST, "params": []})
requests("null-params", "The params are null", _flags=BAD, message={**REQUEST, "params": None})
requests("unknown-member", "A member that nobody knows does no harm", message={**REQUEST, "x": 1})
requests("batch", "A request inside an array is no request", _flags=BAD, message=[REQUEST])
requests("null", "null is no request", _flags=BAD, message=None)

notifications = decisions("messages/notification", "messages.notification", MALFORMED)
notifications("plain", "A notification has the version of JSON-RPC and a method", message=NOTIFICATION)
notifications("without-params", "A notification may have no params", message={"jsonrpc": "2.0", "method": "x"})
notifications("with-id", "A notification has no id", message={**NOTIFICATION, "id": 1})
notifications("null-id", "A null id is an id", message={**NOTIFICATION, "id": None})
notifications("no-version", "jsonrpc is missing", _flags=BAD, message={"method": "x"})
notifications("no-method", "The method is missing", _flags=BAD, message={"jsonrpc": "2.0", "params": {}})
notifications("numeric-method", "The method is a number", _flags=BAD, message={**NOTIFICATION, "method": 1})
notifications("array-params", "The params are an array", _flags=BAD, message={**NOTIFICATION, "params": [1]})
notifications("batch", "A notification inside an array is none", _flags=BAD, message=[NOTIFICATION])

PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
FAILED = {"code": -32600, "message": "Invalid Request"}
NO_ID = {"jsonrpc": "2.0", "error": FAILED}

answers = decisions("messages/answers", "messages.answers", MALFORMED)


def _answer(
    slug: str, title: str, request: Any, response: Any, *, bad: bool = False, see: tuple[str, ...] = ()
) -> None:
    answers(slug, title, request=request, response=response, _flags=BAD if bad else (), _see=see)


_answer("same-number", "A result repeats the id", PING, RESULT)
_answer("number-as-string", "The id 1 does not come back as a string", PING, {**RESULT, "id": "1"})
_answer("other-number", "The id 1 does not come back as 2", PING, {**RESULT, "id": 2})
_answer("no-id", "A result has the id", PING, {"jsonrpc": "2.0", "result": RESULT["result"]}, bad=True)
_answer("null-id", "A result does not have a null id", PING, {**RESULT, "id": None}, bad=True)
_answer("same-string", "A string comes back as it is", {**PING, "id": "1"}, {**RESULT, "id": "1"})
_answer("string-as-number", 'The id "1" does not come back as a number', {**PING, "id": "1"}, RESULT)
_answer("other-case", "Case counts in an id", {**PING, "id": "a"}, {**RESULT, "id": "A"})
BIG = 2**53 + 1
_answer("beyond-2-53", "An id beyond the safe range comes back exact", {**PING, "id": BIG}, {**RESULT, "id": BIG})
_answer("rounded", "An id does not come back rounded to a double", {**PING, "id": BIG}, {**RESULT, "id": BIG - 1})
_answer("integral-float", "An id written 1.0 comes back as 1", {**PING, "id": 1.0}, RESULT)
_answer("error-same", "An error repeats the id", PING, ERROR)
NULL_AFTER_PARSE = ("field:http-id-null-after-parse",)
_answer("error-without-id", "An error to a request with a readable id has it", PING, NO_ID, see=NULL_AFTER_PARSE)
_answer(
    "error-null-id",
    "A null id does not stand for a readable one",
    {**PING, "id": "req-7"},
    {**ERROR, "id": None},
    bad=True,
    see=NULL_AFTER_PARSE,
)
_answer("error-other-id", "An error does not have the id of another request", PING, {**ERROR, "id": 2})
NO_METHOD = {"jsonrpc": "2.0", "id": 7}
_answer(
    "malformed-elsewhere",
    "A request without a method has a readable id, and the error repeats it",
    NO_METHOD,
    {**NO_ID, "id": 7},
    bad=True,
)
_answer(
    "malformed-elsewhere-without-id",
    "A request without a method has a readable id, and the error leaves it out",
    NO_METHOD,
    NO_ID,
    bad=True,
)
for slug, wrong, what in (("null", None, "a null"), ("fraction", 1.5, "a fractional"), ("boolean", True, "a boolean")):
    unreadable = {**PING, "id": wrong}
    _answer(f"unreadable-{slug}", f"An error to a request with {what} id has no id", unreadable, NO_ID)
    _answer(
        f"unreadable-{slug}-answered-null",
        f"An error to a request with {what} id has a null id",
        unreadable,
        {**NO_ID, "id": None},
        bad=True,
    )
    if wrong is not None:
        echoed = {**NO_ID, "id": wrong}
        _answer(f"unreadable-{slug}-echoed", f"An error does not repeat {what} id", unreadable, echoed, bad=True)
_answer(
    "result-to-a-fraction",
    "A result does not repeat a fractional id",
    {**PING, "id": 1.5},
    {**RESULT, "id": 1.5},
    bad=True,
)
_answer("result-to-null", "A result does not repeat a null id", {**PING, "id": None}, {**RESULT, "id": None}, bad=True)
_answer("rounded-fraction", "An error does not round a fractional id", {**PING, "id": 1.5}, {**NO_ID, "id": 1})
_answer("invented", "An error to an array has no id that the server made up", [PING], {**NO_ID, "id": 1}, bad=True)
_answer("to-an-array", "An error to an array has no id", [PING], NO_ID, bad=True)
NO_ID_RESULT = {"jsonrpc": "2.0", "result": RESULT["result"]}
_answer("result-to-an-array", "A result answers no array", [PING], NO_ID_RESULT, bad=True)

CLIENT_INFO = {"name": "ExampleClient", "version": "1.0.0"}
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT_INFO}


def _without(whole: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {other: value for other, value in whole.items() if other != name}


handshakes = decisions("messages/initialize-params", "messages.initialize-params", MALFORMED)
handshakes("plain", "A client states its version, its capabilities and itself", params=INITIALIZE)
handshakes(
    "oldest",
    "A client of the first revision states the same",
    params={**INITIALIZE, "protocolVersion": "2024-11-05", "capabilities": {"roots": {"listChanged": True}}},
)
handshakes("modern-version", "A client may ask for any version", params={**INITIALIZE, "protocolVersion": "2026-07-28"})
handshakes("no-version", "protocolVersion is missing", _flags=BAD, params=_without(INITIALIZE, "protocolVersion"))
handshakes("numeric-version", "protocolVersion is a number", _flags=BAD, params={**INITIALIZE, "protocolVersion": 2})
handshakes("no-capabilities", "capabilities are missing", _flags=BAD, params=_without(INITIALIZE, "capabilities"))
handshakes("array-capabilities", "capabilities are an array", _flags=BAD, params={**INITIALIZE, "capabilities": []})
handshakes("no-client-info", "clientInfo is missing", _flags=BAD, params=_without(INITIALIZE, "clientInfo"))
handshakes(
    "client-info-without-version",
    "clientInfo has no version",
    _flags=BAD,
    params={**INITIALIZE, "clientInfo": {"name": "ExampleClient"}},
)
handshakes("meta-string", "_meta is a string", _flags=BAD, params={**INITIALIZE, "_meta": "x"})
handshakes("no-params", "params are null", _flags=BAD, params=None)

SERVER_INFO = {"name": "ExampleServer", "version": "1.0.0"}
INITIALIZED = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": SERVER_INFO}

settled = decisions("messages/initialize-result", "messages.initialize-result", MALFORMED)
settled("plain", "A server answers with a version, its capabilities and itself", result=INITIALIZED)
settled(
    "other-version",
    "A server may settle on another legacy version",
    result={**INITIALIZED, "protocolVersion": "2024-11-05"},
)
settled("instructions", "A server may give instructions", result={**INITIALIZED, "instructions": "Ask first."})
settled(
    "modern-version",
    "A handshake does not settle on a version that has no handshake",
    _see=("field:rt-missing-after-initialize-echo", "field:era-initialize-names-2026"),
    result={**INITIALIZED, "protocolVersion": "2026-07-28"},
)
settled("no-version", "protocolVersion is missing", _flags=BAD, result=_without(INITIALIZED, "protocolVersion"))
settled("numeric-version", "protocolVersion is a number", _flags=BAD, result={**INITIALIZED, "protocolVersion": 1})
settled("no-capabilities", "capabilities are missing", _flags=BAD, result=_without(INITIALIZED, "capabilities"))
settled(
    "capability-flag", "A capability is no boolean", _flags=BAD, result={**INITIALIZED, "capabilities": {"tools": True}}
)
settled("no-server-info", "serverInfo is missing", _flags=BAD, result=_without(INITIALIZED, "serverInfo"))
settled("server-info-string", "serverInfo is a string", _flags=BAD, result={**INITIALIZED, "serverInfo": "Example"})
settled("numeric-instructions", "instructions are a number", _flags=BAD, result={**INITIALIZED, "instructions": 1})
