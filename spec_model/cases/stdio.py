"""Cases of stdio: what a stream holds, what each side may write, and what happens when a process ends."""

from __future__ import annotations

import base64
import json
from typing import Any

from spec_model.cases.messages import BAD, MALFORMED
from spec_model.cases.table import decisions

_ONE = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}'
_TWO = '{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}'
_HEAD = '{"jsonrpc":"2.0","id":1,"result":'
_PRETTY = json.dumps(json.loads(_ONE), indent=2)
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def _says(text: str) -> str:
    return f'{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"complete","text":"{text}"}}}}'


def _octets(data: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(data).decode()}


_ACCENTED = f"{_says('é')}\n".encode()
_SPLIT = _ACCENTED.index("é".encode()) + 1
_LATIN = _octets(_says("é").encode("latin-1") + b"\n")

frames = decisions("stdio/frames", "stdio.frames")


def _frames(slug: str, title: str, *chunks: Any, **members: Any) -> None:
    frames(slug, title, chunks=list(chunks), **members)


_frames("one", "A line is a message", f"{_ONE}\n")
_frames("two", "Two lines are two messages", f"{_ONE}\n{_TWO}\n")
_frames("two-chunks", "Two messages come in two chunks", f"{_ONE}\n", f"{_TWO}\n")
_frames("split", "A message comes in two chunks", _ONE[:20], f"{_ONE[20:]}\n")
_frames("split-at-newline", "A newline comes in a chunk of its own", _ONE, "\n")
_frames(
    "split-character",
    "A character of two bytes comes in two chunks",
    _octets(_ACCENTED[:_SPLIT]),
    _octets(_ACCENTED[_SPLIT:]),
)
_frames("no-newline-yet", "A message without its newline is not there yet", _ONE)
_frames("second-incomplete", "A message is there before the next one is complete", f"{_ONE}\n{_TWO}")
_frames("crlf", "A carriage return in front of the line feed is whitespace", f"{_ONE}\r\n{_TWO}\r\n")
_frames("crlf-split", "Carriage return and line feed come in two chunks", f"{_ONE}\r", f"\n{_TWO}\r\n")
_frames("cr-alone", "A carriage return alone ends no line", f"{_ONE}\r{_TWO}\n")
_frames("cr-inside", "A carriage return between two members is whitespace", _ONE.replace(',"id"', ',\r"id"') + "\n")
_frames("line-separator", "The character U+2028 in a string ends no line", _says("a\u2028b\u2029c") + "\n")
_frames("next-line", "The character U+0085 in a string ends no line", _says("a\x85b") + "\n")
_frames("escaped-newline", "An escaped newline in a string ends no line", _says("a\\nb") + "\n")
_frames("blank-lines", "Blank lines hold no message and harm none", f"\n{_ONE}\n\n  \n{_TWO}\n")
_frames("pretty", "A message that stretches over several lines is on none of them", f"{_PRETTY}\n")
_frames("after-pretty", "A message after one that stretches over several lines is read", f"{_PRETTY}\n{_TWO}\n")
_frames("two-on-a-line", "Two messages on one line are none", f"{_ONE}{_TWO}\n")
_frames("two-on-a-line-apart", "A space between two messages on one line is no newline", f"{_ONE} {_TWO}\n")
_frames("pretty-and-more", "A message begins where another ends that stretches over lines", f"{_PRETTY}{_TWO}\n")
_frames(
    "message-inside",
    "A message with a newline inside is none, and neither is its second line",
    f"{_HEAD}\n{_TWO}}} done\n{_ONE}\n",
)
_frames(
    "message-inside-cut-off",
    "A message with a newline inside is none when the stream ends behind it",
    f'{_HEAD}\n{_TWO}}}{{"cut',
    ended=True,
)
_frames("text-behind", "A message with text behind it is none", f"{_ONE} done\n{_TWO}\n")
_frames("batch", "An array of messages is no message", f"[{_ONE},{_TWO}]\n")
_frames("scalars", "Values that are no objects are no messages", f'null\n42\n"{_MARK}"\ntrue\n{_ONE}\n')
_frames("log-line", "A line of text is no message and harms none", f"Listening on stdio\n{_ONE}\n")
_frames("json-log-line", "An object that is no message is left out", f'{{"level":"info","msg":"ready"}}\n{_ONE}\n')
_frames(
    "result-and-error",
    "An object with a result and an error is no message",
    '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"},"error":{"code":1,"message":"x"}}\n',
)
_frames("unclosed", "An object that is never closed harms no later line", f'{{"jsonrpc":"2.0"\n{_ONE}\n{_TWO}\n')
_frames("bracket", "A bracket on a line of its own harms no later line", f"[\n{_ONE}\n")
_frames("bracket-ended", "A bracket harms no later line of a stream that ended", f"[\n{_ONE}\n", ended=True)
_frames("latin-1", "A line that is not UTF-8 is no message and harms none", _LATIN, f"{_TWO}\n")
_frames(
    "latin-1-behind",
    "A line with a byte behind its message that is not UTF-8 is none",
    _ONE,
    _octets(b"\xe9\n"),
    f"{_TWO}\n",
)
_frames("mark", "A byte order mark in front of the first message is skipped", f"{_MARK}{_ONE}\n")
_frames("ended", "A stream that ends after a newline holds its messages", f"{_ONE}\n", ended=True)
_frames("ended-unterminated", "A complete text without newline is dropped when the stream ends", _ONE, ended=True)
_frames("ended-cut-off", "A text that is cut off is no message when the stream ends", _ONE[:-1], ended=True)
_frames("nothing", "A stream without bytes holds no message")

streams = decisions("stdio/stream", "stdio.stream")


def _stream(slug: str, title: str, *chunks: Any, writer: str = "server", **members: Any) -> None:
    streams(slug, title, writer=writer, chunks=list(chunks), **members)


_META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def _line(message: Any) -> str:
    return json.dumps(message, separators=(",", ":")) + "\n"


def _request(request_id: Any = 1, method: str = "tools/list", **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": {**params, "_meta": _META}}


def _notification(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _result(request_id: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": {"resultType": "complete"}}


def _closing(request_id: Any) -> dict[str, Any]:
    meta = {"io.modelcontextprotocol/subscriptionId": request_id}
    return {"jsonrpc": "2.0", "id": request_id, "result": {"resultType": "complete", "_meta": meta}}


def _error(**members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **members, "error": {"code": -32600, "message": "no"}}


_PROGRESS = _notification("notifications/progress", progressToken="t", progress=1)
_SAMPLING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "sampling/createMessage",
    "params": {"messages": [{"role": "user", "content": {"type": "text", "text": "Why?"}}], "maxTokens": 9},
}

_stream("two", "A server writes two messages on two lines", f"{_ONE}\n{_TWO}\n")
_stream("crlf", "A server ends its lines with carriage return and line feed", f"{_ONE}\r\n")
_stream("cr-inside", "A server puts a carriage return between two members", _ONE.replace(',"id"', ',\r"id"') + "\n")
_stream("line-separator", "A server puts U+2028 into a string", _says("a\u2028b") + "\n")
_stream("escaped-newline", "A server escapes a newline in a string", _says("a\\nb") + "\n")
_stream("nothing-yet", "A server has written no newline yet", _ONE)
_stream("silent", "A server that exits has written nothing", ended=True)
_stream("ended", "A server that exits has ended its last line", f"{_ONE}\n", ended=True)
_stream("ended-unterminated", "A server that exits has not ended its last line", _ONE, ended=True)
_stream("ended-cut-off", "A server that exits has cut off its last message", _ONE[:-1], ended=True)
_stream("log-line", "A server logs to its output", f"Listening on stdio\n{_ONE}\n")
_stream("json-log-line", "A server logs objects to its output", f'{{"level":"info","msg":"ready"}}\n{_ONE}\n')
_stream("blank-line", "A server writes a blank line", f"{_ONE}\n\n")
_stream("blank-line-first", "A server writes a blank line in front of a message", f"\n{_ONE}\n")
_stream("bracket", "A server writes a bracket on a line of its own", f"[\n{_ONE}\n")
_stream("mark", "A server writes a byte order mark", f"{_MARK}{_ONE}\n")
_stream("latin-1", "A server writes Latin-1", _LATIN)
_stream("batch", "A server writes an array of messages", f"[{_ONE},{_TWO}]\n")
_stream("pretty", "A server writes a message over several lines", f"{_PRETTY}\n")
_stream("pretty-later", "A server writes its second message over several lines", f"{_TWO}\n{_PRETTY}\n")
_stream(
    "pretty-then-request",
    "A server writes a message over several lines and then a request",
    f"{_PRETTY}\n",
    _line(_SAMPLING),
)
_stream("pretty-and-more", "A server begins a message where another ends that has newlines", f"{_PRETTY}{_TWO}\n")
_stream("pretty-then-blank", "A server writes a message over several lines and a blank one", f"{_PRETTY}\n\n{_TWO}\n")
_stream("pretty-log", "A server logs an object over several lines", '{\n  "level": "info"\n}\n')
_stream("unclosed", "A server writes an object that it never closes", f'{{"jsonrpc":"2.0"\n{_ONE}\n')
_stream("two-on-a-line", "A server writes two messages on one line", f"{_ONE}{_TWO}\n")
_stream("three-on-a-line", "A server writes three messages on one line", f"{_ONE}{_TWO}{_ONE}\n")
_stream("text-behind", "A server writes text behind a message", f"{_ONE} done\n")
_stream("no-jsonrpc", "A server leaves out the JSON-RPC version", _ONE.replace('"jsonrpc":"2.0",', "") + "\n")
_stream("result-without-id", "A server leaves out the id of a result", _ONE.replace('"id":1,', "") + "\n")
_stream("result-null-id", "A server writes a result with a null id", _ONE.replace('"id":1', '"id":null') + "\n")
_stream("error-without-id", "A server writes an error without an id", _line(_error()))
_stream("error-null-id", "A server writes an error with a null id", _line(_error(id=None)))
_stream("error-boolean-id", "A server writes an error with a boolean id", _line(_error(id=True)))
_stream("notification", "A server writes a notification", _line(_PROGRESS))
_stream(
    "notification-array",
    "A server writes a notification with an array of params",
    '{"jsonrpc":"2.0","method":"a","params":[]}\n',
)
_stream("server-request", "A server writes a request", _line(_SAMPLING))
_stream("client-request", "A client writes a request", _line(_request()), writer="client")
_stream(
    "client-notification",
    "A client writes a notification",
    _line(_notification("notifications/cancelled", requestId=1)),
    writer="client",
)
_stream("client-result", "A client writes a result", f"{_ONE}\n", writer="client")
_stream("client-error", "A client writes an error", _line(_error(id=1)), writer="client")
_stream("client-null-id", "A client writes a request with a null id", _line(_request(None)), writer="client")
_stream("client-batch", "A client writes an array of requests", _line([_request(1), _request(2)]), writer="client")
_stream("client-text", "A client writes text", "quit\n", writer="client")

writes = decisions("stdio/may-write", "stdio.may-write", MALFORMED)

_CALL = {"id": 1, "method": "tools/call", "progress_token": "t"}
_LISTEN = {"id": 5, "method": "subscriptions/listen"}
_IN_TIME = {**_CALL, "cancelled": "in-time"}
_TOO_LATE = {**_CALL, "cancelled": "too-late"}


def _write(
    slug: str, title: str, message: Any, *in_flight: Any, writer: str = "server", see: str = "", bad: bool = False
) -> None:
    writes(
        slug,
        title,
        _flags=BAD if bad else (),
        _see=(f"field:{see}",) if see else (),
        writer=writer,
        message=message,
        in_flight=list(in_flight),
    )


def _tagged(method: str, subscription: Any, **params: Any) -> dict[str, Any]:
    return _notification(method, **params, _meta={"io.modelcontextprotocol/subscriptionId": subscription})


_CHANGED = "notifications/tools/list_changed"
_LOG = _notification("notifications/message", level="info", data="done")
_VENDOR = _notification("notifications/com.example/channel")

_write("result", "A server answers a request in flight", _result(1), _CALL, _LISTEN)
_write("error", "A server answers a request in flight with an error", _error(id=1), _CALL, _LISTEN)
_write("result-of-none", "A server answers a request that nobody sent", _result(2), _CALL, _LISTEN)
_write("result-string-id", "A server answers with the id in a string", _result("1"), _CALL, _LISTEN)
_write("result-again", "A server answers a request for a second time", _result(1), _LISTEN)
_write("error-without-id", "A server reports a line that it could not read", _error(), _CALL)
_write("error-of-none", "A server reports an error to a request that nobody sent", _error(id=2), _CALL)
_write("progress", "A server reports progress of a request in flight", _PROGRESS, _CALL, _LISTEN)
_write("progress-of-none", "A server reports progress without a request in flight", _PROGRESS)
_write("progress-not-asked", "A server reports progress that no request in flight asked for", _PROGRESS, _LISTEN)
_write(
    "progress-number",
    "A server reports progress with the token of another type",
    _notification("notifications/progress", progressToken=7, progress=1),
    {**_CALL, "progress_token": "7"},
)
_write("log", "A server logs while a request is in flight", _LOG, _CALL)
_write("log-of-none", "A server logs while no request is in flight", _LOG)
_write("vendor", "A server sends a notification of its own while a request is in flight", _VENDOR, _CALL)
_write(
    "vendor-of-none",
    "A server sends a notification of its own while no request is in flight",
    _VENDOR,
    see="sub-unsolicited-on-stdio",
)
_write("changed", "A server notifies a subscription of a change", _tagged(_CHANGED, 5), _CALL, _LISTEN)
_write(
    "changed-untagged",
    "A server notifies of a change without naming the subscription",
    _notification(_CHANGED),
    _CALL,
    _LISTEN,
)
for _method, _title in (
    ("notifications/prompts/list_changed", "prompts"),
    ("notifications/resources/list_changed", "resources"),
):
    _write(
        f"changed-{_title}-untagged",
        f"A server notifies of changed {_title} without naming the subscription",
        _notification(_method),
        _CALL,
        _LISTEN,
    )
_write(
    "updated",
    "A server notifies a subscription of an update",
    _tagged("notifications/resources/updated", 5, uri="file:///a"),
    _CALL,
    _LISTEN,
)
_write(
    "updated-untagged",
    "A server notifies of an update without naming the subscription",
    _notification("notifications/resources/updated", uri="file:///a"),
    _CALL,
    _LISTEN,
)
_write(
    "changed-untagged-of-none",
    "A server notifies of a change that nobody subscribed to",
    _notification(_CHANGED),
    _CALL,
)
_write("changed-of-none", "A server notifies a subscription that nobody opened", _tagged(_CHANGED, 6), _CALL, _LISTEN)
_write(
    "changed-of-a-call",
    "A server names a request other than a subscription as one",
    _tagged(_CHANGED, 1),
    _CALL,
    _LISTEN,
)
_write(
    "changed-string-id",
    "A server names a subscription with its id in a string",
    _tagged(_CHANGED, "5"),
    _CALL,
    _LISTEN,
    see="sub-id-string-vs-number",
)
_write(
    "changed-fraction",
    "A server names a subscription with a fraction",
    _tagged(_CHANGED, 5.5),
    _CALL,
    _LISTEN,
    see="sub-float-id",
    bad=True,
)
_write(
    "acknowledged",
    "A server acknowledges a subscription",
    _tagged("notifications/subscriptions/acknowledged", 5, notifications={"toolsListChanged": True}),
    _LISTEN,
)
_write(
    "acknowledged-untagged",
    "A server acknowledges a subscription without naming it",
    _notification("notifications/subscriptions/acknowledged", notifications={"toolsListChanged": True}),
    _LISTEN,
)
_write(
    "vendor-tagged",
    "A server sends a notification of its own on a subscription",
    _tagged("notifications/com.example/channel", 5),
    _LISTEN,
)
_write(
    "teardown-notified",
    "A server notifies of the end of a subscription",
    _notification("notifications/cancelled", requestId=5),
    _CALL,
    _LISTEN,
    see="can-listen-teardown",
)
_write(
    "teardown-answered", "A server answers a subscription to end it", _closing(5), _LISTEN, see="can-listen-teardown"
)
_write(
    "call-cancelled-by-server",
    "A server cancels a request that is no subscription",
    _notification("notifications/cancelled", requestId=1),
    _CALL,
    _LISTEN,
)
_write("server-request", "A server sends a request while it handles one", _SAMPLING, _CALL)
_write(
    "answered-after-cancel",
    "A server answers a request that it has cancelled",
    _error(id=1),
    _IN_TIME,
    _LISTEN,
    see="can-answered-anyway",
)
_write("result-after-cancel", "A server sends the result of a request that it has cancelled", _result(1), _IN_TIME)
_write("result-too-late", "A server sends a result that was finished when the cancellation came", _result(1), _TOO_LATE)
_write("result-in-flight", "A server sends the result of a request that nobody cancelled", _result(1), _CALL)
_write("progress-after-cancel", "A server reports progress of a request that it has cancelled", _PROGRESS, _IN_TIME)
_write("progress-too-late", "A server reports progress of a request that it cannot cancel", _PROGRESS, _TOO_LATE)
_write("progress-in-flight", "A server reports progress of a request that nobody cancelled", _PROGRESS, _CALL)
_write("log-after-cancel", "A server logs while every request in flight is cancelled", _LOG, _IN_TIME)
_write(
    "log-of-another", "A server logs while one request in flight is not cancelled", _LOG, _IN_TIME, {**_CALL, "id": 2}
)
_write(
    "changed-after-cancel",
    "A server notifies a subscription that its client cancelled",
    _tagged(_CHANGED, 5),
    _CALL,
    {**_LISTEN, "cancelled": "in-time"},
)
_write("client-request", "A client sends a request while another is in flight", _request(2), _CALL, writer="client")


def _cancel(slug: str, title: str, **params: Any) -> None:
    message = _notification("notifications/cancelled", **params)
    _write(slug, title, message, _CALL, writer="client", bad="requestId" not in params)


_cancel("cancel", "A client cancels a request in flight", requestId=1)
_cancel("cancel-unknown", "A client cancels a request that it did not send", requestId=2)
_cancel("cancel-string-id", "A client cancels a request with its id in a string", requestId="1")
_cancel("cancel-nothing", "A client cancels without saying what", reason="bored")
_write("client-result", "A client sends a result", _result(1), _CALL, writer="client")

correlation = decisions("stdio/correlate", "stdio.correlate", MALFORMED)


def _correlate(slug: str, title: str, message: Any, *in_flight: Any, see: str = "", bad: bool = False) -> None:
    seen = (f"field:{see}",) if see else ()
    correlation(slug, title, _see=seen, _flags=BAD if bad else (), message=message, in_flight=list(in_flight))


_BOTH = (_CALL, _LISTEN)
_correlate("result", "A result belongs to the request with its id", _result(1), *_BOTH)
_correlate(
    "result-of-another",
    "Of two requests in flight the id tells which is answered",
    _result(2),
    _CALL,
    {**_CALL, "id": 2},
)
_correlate("error", "An error belongs to the request with its id", _error(id=1), *_BOTH)
_correlate("result-unknown", "A result with an unknown id belongs to no request", _result(2), *_BOTH)
_correlate("result-string-id", "A string is not the number that it spells", _result("1"), *_BOTH)
_correlate("result-number-id", "A number is not the string that spells it", _result(1), {**_CALL, "id": "1"})
_correlate("string-id", "A result belongs to the request with its string id", _result("1"), {**_CALL, "id": "1"})
_correlate("result-float-id", "The notation 1.0 is the integer 1", _result(1.0), *_BOTH)
_correlate("result-boolean-id", "True is not the number 1", _result(True), *_BOTH, bad=True)
_correlate("error-without-id", "An error without an id belongs to no certain request", _error(), *_BOTH)
_correlate("error-null-id", "An error with a null id belongs to no certain request", _error(id=None), *_BOTH, bad=True)
_correlate("closing-result", "A result with the id of a subscription answers its request", _closing(5), *_BOTH)
_correlate("changed", "A notification belongs to the subscription that it names", _tagged(_CHANGED, 5), *_BOTH)
_correlate(
    "changed-of-another",
    "Of two subscriptions the id tells which is meant",
    _tagged(_CHANGED, 6),
    _LISTEN,
    {**_LISTEN, "id": 6},
)
_correlate(
    "changed-of-neither",
    "A notification that names neither of two subscriptions belongs to none",
    _tagged(_CHANGED, 7),
    _LISTEN,
    {**_LISTEN, "id": 6},
)
_correlate(
    "changed-untagged", "A notification without subscription id belongs to none", _notification(_CHANGED), *_BOTH
)
_correlate(
    "acknowledged-string-id",
    "An acknowledgment with the id in a string belongs to no subscription",
    _tagged("notifications/subscriptions/acknowledged", "5", notifications={"toolsListChanged": True}),
    *_BOTH,
    see="sub-id-string-vs-number",
)
_correlate(
    "acknowledged",
    "An acknowledgment with the id as a number belongs to its subscription",
    _tagged("notifications/subscriptions/acknowledged", 5, notifications={"toolsListChanged": True}),
    *_BOTH,
)
_correlate("changed-float-id", "The notation 5.0 names the subscription 5", _tagged(_CHANGED, 5.0), *_BOTH)
_correlate(
    "changed-fraction", "A fraction names no subscription", _tagged(_CHANGED, 5.5), *_BOTH, see="sub-float-id", bad=True
)
_correlate(
    "changed-of-a-call", "The id of a request other than a subscription names none", _tagged(_CHANGED, 1), *_BOTH
)
_correlate("request", "A request of the server answers nothing, whatever its id", _SAMPLING, *_BOTH)

exits = decisions("stdio/after-exit", "stdio.after-exit")


def _exit(slug: str, title: str, stdout: list[Any], *requests: Any) -> None:
    exits(slug, title, requests=list(requests), stdout=stdout)


_OTHER = {"id": 2, "method": "tools/list"}
_exit("unanswered", "A request without a response is lost", [], _CALL, _OTHER)
_exit("answered", "A request with a response is not lost", [f"{_ONE}\n"], _CALL, _OTHER)
_exit("answered-by-error", "A request with an error is not lost", [_line(_error(id=1))], _CALL, _OTHER)
_exit("all-answered", "Nothing is lost where every request has its response", [f"{_ONE}\n{_TWO}\n"], _CALL, _OTHER)
_exit("progress-only", "A request with progress and without a response is lost", [_line(_PROGRESS)], _CALL)
_exit("string-id", "A response with the id in a string saves no request", [_line(_result("1"))], _CALL)
_exit(
    "request-with-its-id", "A request of the server with the id of a lost one saves it not", [_line(_SAMPLING)], _CALL
)
_exit("cut-off", "A response that is cut off saves no request", [_ONE[:-1]], _CALL)
_exit("unterminated", "A response without its newline saves no request", [_ONE], _CALL)
_exit("text", "Text about a response saves no request", [f"{_ONE[1:]}\n"], _CALL)
_exit("listen", "A subscription is opened again and not lost", [], _CALL, _LISTEN)
_exit(
    "listen-acknowledged",
    "A subscription that was acknowledged is opened again",
    [_line(_tagged("notifications/subscriptions/acknowledged", 5, notifications={}))],
    _LISTEN,
)
_exit(
    "listen-closed",
    "A subscription that the server had closed is not opened again",
    [_line(_closing(5))],
    _CALL,
    _LISTEN,
)
_exit("cancelled", "A request that the client had cancelled is missed by nobody", [], _IN_TIME, _OTHER)
_exit(
    "listen-cancelled",
    "A subscription that the client had cancelled is not opened again",
    [],
    _CALL,
    {**_LISTEN, "cancelled": "in-time"},
)

shutdowns = decisions("stdio/shutdown", "stdio.shutdown")


def _shutdown(slug: str, title: str, waited_ms: int, *taken: str, platform: str = "posix", **members: Any) -> None:
    shutdowns(slug, title, platform=platform, taken=list(taken), waited_ms=waited_ms, reasonable_ms=2000, **members)


_shutdown("begin", "A shutdown begins with closing the input of the server", 0)
_shutdown("begin-late", "The input is closed before any force, however late", 9000)
_shutdown("wait", "The client waits for an exit after it closed the input", 0, "close-input")
_shutdown("wait-on", "The client waits until its time is up", 1999, "close-input")
_shutdown("terminate", "The client terminates a server that does not exit in time", 2000, "close-input")
_shutdown("kill", "The client kills a server that does not exit on termination", 2000, "close-input", "terminate")
_shutdown("exited", "Nothing is left to do for a server that has exited", 2000, "close-input", exited=True)
_shutdown(
    "windows",
    "On Windows the client ends by force a server that does not exit in time",
    2000,
    "close-input",
    platform="windows",
)
_shutdown("windows-wait", "On Windows too the client waits first", 1999, "close-input", platform="windows")
