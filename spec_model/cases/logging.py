"""Cases of the rules about log messages."""

from __future__ import annotations

from typing import Any

from spec_model.cases.table import decisions

reaching = decisions("logging/reaches", "logging.reaches")
for higher, lower in (
    ("info", "debug"),
    ("notice", "info"),
    ("warning", "notice"),
    ("error", "warning"),
    ("critical", "error"),
    ("alert", "critical"),
    ("emergency", "alert"),
):
    reaching(f"{higher}-at-{lower}", f"{higher} is above {lower}", level=higher, requested=lower)
    reaching(f"{lower}-at-{higher}", f"{lower} is below {higher}", level=lower, requested=higher)
reaching("same-level", "The requested level itself is reached", level="warning", requested="warning")
reaching("lowest-at-highest", "debug is below emergency", level="debug", requested="emergency")
reaching("highest-at-lowest", "emergency is above debug", level="emergency", requested="debug")
reaching("alphabet", "Levels do not rise in the order of the alphabet", level="alert", requested="warning")
reaching("alphabet-reversed", "warning is below alert", level="warning", requested="alert")
reaching("unknown-level", "A level that is not defined reaches none", level="fatal", requested="debug")
reaching("unknown-request", "No level reaches one that is not defined", level="emergency", requested="trace")

emission = decisions("logging/emission", "logging.may-emit")
emission("at-level", "A message at the requested level goes out", level="info", requested="info")
emission("above-level", "A message above the requested level goes out", level="error", requested="info")
emission("below-level", "A message below the requested level stays in", level="debug", requested="info")
emission(
    "no-level",
    "Not even an emergency goes out for a request without a level",
    level="emergency",
    _see=("field:disc-sse-first-data-line",),
)
emission("no-level-info", "A request without a level has no default level", level="info")
emission("null-level", "A null level asks for nothing", level="info", requested=None)
emission("unknown-level", "A level that is not defined asks for nothing", level="info", requested="trace")
emission("number-level", "A number is no level", level="info", requested=6)
emission("not-declared", "A server without the capability sends none", level="info", requested="info", declared=False)
emission("listen-stream", "None goes out on a listen stream", level="info", requested="info", stream="listen")
emission(
    "other-stream",
    "None goes out on the response stream of another request",
    level="info",
    requested="info",
    stream="other-response",
)
emission("answered", "None goes out after the final response", level="info", requested="info", answered=True)

stdio = decisions("logging/stdio", "logging.may-emit-on-stdio")
stdio("alone", "The only request in flight gets its messages", level="info", request=0, in_flight=["info"])
stdio("beside-silent", "A request without a level beside it", level="info", request=1, in_flight=[None, "info"])
stdio("beside-asking", "Two requests with a level are in flight", level="info", request=0, in_flight=["info", "error"])
stdio(
    "lowest-of-all",
    "The lower level of another request counts for that one alone",
    level="info",
    request=1,
    in_flight=["info", "error"],
)
stdio(
    "own-silent",
    "A request without a level gets none, whatever others ask",
    level="info",
    request=0,
    in_flight=[None, "info"],
)
stdio("own-unknown", "A level that is not defined asks for nothing", level="info", request=0, in_flight=["loud"])
stdio("answered", "A request that was answered gets none", level="info", request=1, in_flight=["info"])
stdio("below", "A message below the level of its request stays in", level="debug", request=0, in_flight=["info"])
stdio("before-the-first", "A position that is none belongs to no request", level="info", request=-1, in_flight=["info"])

refusal = decisions("logging/refusal", "logging.refusal-code")
refusal("absent", "A request without a level is served")
refusal("known", "A request with a level is served", level="warning")
refusal("unknown", "A level that is not defined is refused", level="verbose")
refusal("upper-case", "Levels are written in lower case", level="WARNING")
refusal("padded", "A level has no spaces around it", level=" warning")
refusal("empty", "An empty text is no level", level="")
refusal("null", "null is no level", level=None)
refusal("number", "The number of a severity is no level", level=4)
refusal("array", "An array is no level", level=["warning"])
refusal("syslog-short-name", "The short names of syslog are no levels", level="warn")
refusal("fails-inside", "A failure inside the server is an internal error", level="warning", handling_fails=True)
refusal("fails-on-unknown", "An unknown level is refused as such", level="verbose", handling_fails=True)


def notification(**params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": params}


MALFORMED = ("malformed",)

messages = decisions(
    "logging/message", "logging.message", {"malformed": "The message is not valid under the schema of the revision"}
)
for level in ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"):
    messages(f"level-{level}", f"A message of level {level}", message=notification(level=level, data="text"))
messages(
    "logger", "A message that names its logger", message=notification(level="error", logger="database", data={"a": 1})
)
messages("data-null", "null is data", message=notification(level="error", data=None))
messages("data-false", "false is data", message=notification(level="error", data=False))
messages("data-array", "An array is data", message=notification(level="error", data=[1, "x"]))
messages("no-data", "A message without data", message=notification(level="error"), _flags=MALFORMED)
messages("no-level", "A message without a level", message=notification(data="text"), _flags=MALFORMED)
messages("level-null", "A message whose level is null", message=notification(level=None, data="text"), _flags=MALFORMED)
messages(
    "level-number", "A message whose level is a number", message=notification(level=3, data="text"), _flags=MALFORMED
)
messages(
    "level-unknown",
    "A message of a level that is not defined",
    message=notification(level="trace", data="text"),
    _flags=MALFORMED,
)
messages(
    "level-upper-case",
    "A message whose level is in capitals",
    message=notification(level="ERROR", data="text"),
    _flags=MALFORMED,
)
messages(
    "logger-null",
    "A message whose logger is null",
    message=notification(level="error", logger=None, data="text"),
    _flags=MALFORMED,
)
messages(
    "logger-number",
    "A message whose logger is a number",
    message=notification(level="error", logger=7, data="text"),
    _flags=MALFORMED,
)
messages(
    "other-method",
    "A message under the method of another notification",
    message={**notification(level="error", data="text"), "method": "notifications/log"},
)
messages(
    "no-params",
    "A message without params",
    message={"jsonrpc": "2.0", "method": "notifications/message"},
    _flags=MALFORMED,
)
messages(
    "no-version",
    "A message without jsonrpc",
    message={"method": "notifications/message", "params": {"level": "error", "data": "text"}},
)
messages("with-id", "A message with an id is a request", message={**notification(level="error", data="text"), "id": 1})
messages(
    "array-params",
    "A message whose params are an array",
    message={**notification(), "params": ["error", "text"]},
    _flags=MALFORMED,
)
