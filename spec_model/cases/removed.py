"""Cases of what revision 2026-07-28 dropped, moved and brought in, and of broken response streams."""

from __future__ import annotations

from typing import Any

from spec_model.cases.table import decisions

_NOW = "2026-07-28"
_BEFORE = "2025-11-25"

methods = decisions("removed/method", "removed.method")


def _method(slug: str, title: str, method: str, revision: str = _NOW, *, see: tuple[str, ...] = ()) -> None:
    methods(slug, title, _see=see, method=method, revision=revision)


_method("initialize-before", "The method initialize is there until 2025-11-25", "initialize", _BEFORE)
_method(
    "initialized-before",
    "The notification notifications/initialized is there until 2025-11-25",
    "notifications/initialized",
    _BEFORE,
)
_method("ping-before", "The method ping is there until 2025-11-25", "ping", _BEFORE)
_method("ping-first", "The method ping is there from the first revision on", "ping", "2024-11-05")
_method("set-level-before", "The method logging/setLevel is there until 2025-11-25", "logging/setLevel", _BEFORE)
_method("subscribe-before", "The method resources/subscribe is there until 2025-11-25", "resources/subscribe", _BEFORE)
_method(
    "unsubscribe-before", "The method resources/unsubscribe is there until 2025-11-25", "resources/unsubscribe", _BEFORE
)
_method(
    "roots-changed-before",
    "The notification of changed roots is there until 2025-11-25",
    "notifications/roots/list_changed",
    _BEFORE,
)
_method("list-roots-before", "A server asks for roots by a request until 2025-11-25", "roots/list", _BEFORE)
_method(
    "create-message-before",
    "A server asks for a sampled message by a request until 2025-11-25",
    "sampling/createMessage",
    _BEFORE,
)
_method("elicit-before", "A server asks the user by a request until 2025-11-25", "elicitation/create", _BEFORE)
_method("elicit-first", "A server asks the user by a request since 2025-06-18", "elicitation/create", "2025-06-18")
_method(
    "elicitation-complete-before",
    "The notification of a completed elicitation is there in 2025-11-25",
    "notifications/elicitation/complete",
    _BEFORE,
)
_method("get-task-before", "The method tasks/get is part of the core protocol of 2025-11-25", "tasks/get", _BEFORE)
_method(
    "cancel-task-before", "The method tasks/cancel is part of the core protocol of 2025-11-25", "tasks/cancel", _BEFORE
)
_method("task-result-before", "The method tasks/result is there in 2025-11-25", "tasks/result", _BEFORE)
_method("list-tasks-before", "The method tasks/list is there in 2025-11-25", "tasks/list", _BEFORE)
_method("initialize", "The method initialize is dropped", "initialize")
_method("initialized", "The notification notifications/initialized is dropped", "notifications/initialized")
_method("ping", "The method ping is dropped", "ping")
_method("set-level", "The method logging/setLevel is dropped although Logging is only Deprecated", "logging/setLevel")
_method("log-message", "Log messages are there, Logging being only Deprecated", "notifications/message")
_method("subscribe", "The method resources/subscribe is dropped", "resources/subscribe")
_method("unsubscribe", "The method resources/unsubscribe is dropped", "resources/unsubscribe")
_method(
    "roots-changed",
    "The notification of changed roots is dropped although Roots is only Deprecated",
    "notifications/roots/list_changed",
)
_method("list-roots", "A server asks for roots in a result and by no request", "roots/list")
_method("create-message", "A server asks for a sampled message in a result and by no request", "sampling/createMessage")
_method("elicit", "A server asks the user in a result and by no request", "elicitation/create")
_method(
    "elicitation-complete",
    "The notification of a completed elicitation is dropped",
    "notifications/elicitation/complete",
)
_method("get-task", "The method tasks/get is that of an extension", "tasks/get")
_method("cancel-task", "The method tasks/cancel is that of an extension", "tasks/cancel")
_method("update-task", "The method tasks/update is that of an extension", "tasks/update")
_method(
    "task-result",
    "The blocking method tasks/result is dropped, and the extension does not have it",
    "tasks/result",
    see=("field:task-old-shape-under-new-name",),
)
_method(
    "list-tasks",
    "The method tasks/list is dropped, and the extension does not have it",
    "tasks/list",
    see=("field:task-old-shape-under-new-name",),
)
_method("discover", "The method server/discover is there", "server/discover")
_method("listen", "The method subscriptions/listen is there", "subscriptions/listen")
_method(
    "elicit-not-yet", "No revision before 2025-06-18 lets a server ask the user", "elicitation/create", "2025-03-26"
)
_method(
    "elicitation-complete-not-yet",
    "The notification of a completed elicitation is not yet there in 2025-06-18",
    "notifications/elicitation/complete",
    "2025-06-18",
)
_method("get-task-not-yet", "Tasks are not yet there in 2025-06-18", "tasks/get", "2025-06-18")
_method("update-task-not-yet", "The method tasks/update never was part of the core protocol", "tasks/update", _BEFORE)
_method("discover-not-yet", "The method server/discover is not yet there in 2025-11-25", "server/discover", _BEFORE)
_method(
    "listen-not-yet",
    "The method subscriptions/listen is not yet there in 2025-11-25",
    "subscriptions/listen",
    _BEFORE,
    see=("field:sub-listen-on-legacy-connection",),
)

streams = decisions("removed/broken-stream", "removed.broken-stream")

_META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": _NOW,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def _progress(progress: int) -> dict[str, Any]:
    params = {"progressToken": "t", "progress": progress}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def _result(request_id: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": {"resultType": "complete"}}


def _error(request_id: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": -32603, "message": "no"}}


streams("nothing-received", "A stream that breaks before any message loses its request", request_id=7, received=[])
streams(
    "progress-received",
    "A stream that breaks after a progress notification loses its request",
    request_id=7,
    received=[_progress(1)],
)
streams("result-received", "A stream that ends after the result lost nothing", request_id=7, received=[_result(7)])
streams("error-received", "A stream that ends after an error lost nothing", request_id=7, received=[_error(7)])
streams(
    "result-after-progress",
    "A stream that ends after progress and result lost nothing",
    request_id=7,
    received=[_progress(1), _result(7)],
)
streams(
    "result-of-another",
    "A result with another id does not answer the request",
    request_id=7,
    received=[_result(8)],
)
streams(
    "result-with-string-id",
    "A result with the id in a string does not answer the request",
    request_id=7,
    received=[_result("7")],
)
streams("string-id", "A request with a string id is answered by its id", request_id="a-7", received=[_result("a-7")])
streams(
    "request-with-the-id",
    "A request with the id of the lost one does not answer it",
    request_id=7,
    received=[{"jsonrpc": "2.0", "id": 7, "method": "roots/list"}],
)

reissues = decisions("removed/reissue", "removed.reissue")


def _call(request_id: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": {"name": "add", "_meta": _META}}


def _reissue(slug: str, title: str, sent: dict[str, Any], lost: object = 7, **headers: str) -> None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    reissues(slug, title, lost=_call(lost), sent=sent, headers={"Mcp-Method": "tools/call", **named})


_NO_ID = {name: value for name, value in _call(0).items() if name != "id"}

_reissue("new-id", "A lost request is sent anew under a new id", _call(8))
_reissue("old-id", "A lost request is sent anew under its old id", _call(7))
_reissue("string-id", "A number and the same digits in a string are two ids", _call("7"))
_reissue("old-string-id", "A lost request is sent anew under its old string id", _call("a"), "a")
_reissue("new-string-id", "A lost request is sent anew under a new string id", _call("b"), "a")
_reissue("old-id-as-float", "The notation 7.0 does not make a new id of 7", _call(7.0))
_reissue("no-id", "A lost request is sent anew as a notification", _NO_ID)
_reissue("last-event-id", "A lost request is sent anew with Last-Event-ID", _call(8), Last_Event_ID="42")
_reissue("last-event-id-lower", "A header name in lower case is the same", _call(8), last_event_id="42")
_reissue("other-header", "Another header does no harm", _call(8), X_Request="42")
