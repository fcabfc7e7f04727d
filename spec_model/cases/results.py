"""Cases of the rules about results."""

from __future__ import annotations

from typing import Any

from spec_model.cases.messages import BAD, ERROR, MALFORMED, RESULT
from spec_model.cases.table import decisions

MODERN, LEGACY = "2026-07-28", "2025-11-25"
TASKS = "io.modelcontextprotocol/tasks"
TASK_TYPE = {"extension": TASKS, "value": "task", "methods": ["tools/call"]}
TASK = {"resultType": "task", "task": {"taskId": "t1", "status": "working"}}
TEXT = [{"type": "text", "text": "hi"}]

readings = decisions("results/read", "results.read", MALFORMED)


def _read(slug: str, title: str, result: dict[str, Any], version: str = MODERN, **members: Any) -> None:
    readings(slug, title, version=version, method="tools/call", result=result, **members)


_read("complete", "A complete result is final", {"resultType": "complete", "content": TEXT})
_read(
    "input-required", "A result that asks for input is not final", {"resultType": "input_required", "requestState": "s"}
)
_read(
    "state-only",
    "A state without a question asks for a retry",
    {"resultType": "input_required", "requestState": ""},
    _see=("field:mrtr-state-only-classified-complete",),
)
_read(
    "absent",
    "A result without resultType counts as complete",
    {"content": TEXT},
    _see=("field:rt-legacy-server-executes-modern-request",),
    _flags=BAD,
)
_read("null", "A null resultType is not an absent one", {"resultType": None, "content": TEXT}, _flags=BAD)
_read("number", "A number is no resultType", {"resultType": 1, "content": TEXT}, _flags=BAD)
_read("empty", "An empty resultType is not an absent one", {"resultType": "", "content": TEXT})
_read("other-case", "Case counts in a resultType", {"resultType": "Complete", "content": TEXT})
_read("unknown", "An unknown resultType makes a result invalid", {"resultType": "x", "content": TEXT})
_read(
    "task",
    "A result type of an extension that the client does not know makes a result invalid",
    TASK,
    _see=("field:rt-task-decoded-as-empty-success",),
)
_read(
    "task-declared",
    "A result type of a declared extension is recognized",
    TASK,
    declared=[TASKS],
    defined=[TASK_TYPE],
    _see=("field:task-result-on-wrong-request",),
)
_read(
    "task-not-declared",
    "An extension that the client knows and did not declare adds no result type",
    TASK,
    defined=[TASK_TYPE],
)
_read(
    "task-other-extension",
    "A declared extension adds only its own result types",
    TASK,
    declared=["com.example/jobs"],
    defined=[TASK_TYPE],
)
_read(
    "other-value-of-extension",
    "A declared extension adds only the result types that it defines",
    {**TASK, "resultType": "job"},
    declared=[TASKS],
    defined=[TASK_TYPE],
)
readings(
    "task-wrong-method",
    "A result type of an extension counts for the methods that the extension names",
    version=MODERN,
    method="resources/read",
    result=TASK,
    declared=[TASKS],
    defined=[TASK_TYPE],
    _see=("field:task-result-on-wrong-request",),
)
_read(
    "complete-beside-extension",
    "Core result types stay recognized beside those of an extension",
    {"resultType": "complete", "content": TEXT},
    declared=[TASKS],
    defined=[TASK_TYPE],
)
_read(
    "legacy-absent",
    "A legacy result has no resultType and is final",
    {"content": TEXT},
    LEGACY,
    _see=("field:rt-missing-after-initialize-echo",),
)
_read(
    "legacy-complete",
    "A legacy result that says complete is final",
    {"resultType": "complete", "content": TEXT},
    LEGACY,
)
_read(
    "legacy-unknown",
    "In a legacy session an unknown resultType means nothing",
    {"resultType": "x", "content": TEXT},
    LEGACY,
)
_read(
    "legacy-null", "In a legacy session a null resultType means nothing", {"resultType": None, "content": TEXT}, LEGACY
)
_read(
    "legacy-input-required",
    "A legacy session has no multi round-trip requests",
    {"resultType": "input_required", "requestState": "s"},
    LEGACY,
)

asking = decisions("results/may-ask", "results.may-ask")
for method in ("tools/call", "prompts/get", "resources/read"):
    asking(method.replace("/", "-"), f"{method} may be answered with a request for input", method=method)
for method in ("tools/list", "server/discover", "subscriptions/listen", "completion/complete"):
    asking(method.replace("/", "-"), f"{method} is not answered with a request for input", method=method)

responses = decisions("results/response", "results.response", MALFORMED)
responses("plain", "A response has the id and a result", message=RESULT)
responses("string-id", "The id may be a string", message={**RESULT, "id": "a"})
responses("integral-float-id", "An id written 1.0 is an integer", message={**RESULT, "id": 1.0})
responses(
    "other-members", "A result may hold anything", message={**RESULT, "result": {"resultType": "complete", "x": [1]}}
)
responses("no-id", "The id is missing", _flags=BAD, message={"jsonrpc": "2.0", "result": RESULT["result"]})
responses("null-id", "The id is null", _flags=BAD, message={**RESULT, "id": None})
responses("fractional-id", "The id is a fraction", _flags=BAD, message={**RESULT, "id": 1.5})
responses("no-version", "jsonrpc is missing", _flags=BAD, message={"id": 1, "result": RESULT["result"]})
responses("no-result", "The result is missing", _flags=BAD, message={"jsonrpc": "2.0", "id": 1})
responses("null-result", "The result is null", _flags=BAD, message={**RESULT, "result": None})
responses("array-result", "The result is an array", _flags=BAD, message={**RESULT, "result": []})
responses("result-and-error", "A result beside an error", message={**RESULT, "error": ERROR["error"]})
responses("no-type", "The result has no resultType", _flags=BAD, message={**RESULT, "result": {"tools": []}})
responses("batch", "A response inside an array is none", _flags=BAD, message=[RESULT])

COMPLETE = {"resultType": "complete"}
STATE = {"resultType": "input_required", "requestState": "s"}
ROOTS = {"method": "roots/list"}

results = decisions("results/result", "results.result", MALFORMED)


def _result(slug: str, title: str, result: Any, method: str = "tools/call", **about: Any) -> None:
    results(slug, title, method=method, result=result, **about)


_result("complete", "A result has a type", COMPLETE)
_result("extension-type", "A result type of an extension is a string like the others", {"resultType": "task"})
_result("other-members", "A result may hold anything beside its type", {**COMPLETE, "x": {"y": [None]}})
_result("no-type", "resultType is missing", {}, _flags=BAD)
_result("null-type", "resultType is null", {"resultType": None}, _flags=BAD)
_result("numeric-type", "resultType is a number", {"resultType": 1}, _flags=BAD)
_result("array", "The result is an array", [COMPLETE], _flags=BAD)
_result("meta", "A result may have metadata", {**COMPLETE, "_meta": {}})
_result("array-meta", "_meta is an array", {**COMPLETE, "_meta": []}, _flags=BAD)
_result(
    "state", "A request for input may hold only a state", STATE, _see=("field:mrtr-state-only-classified-complete",)
)
_result("empty-state", "A state may be an empty string", {**STATE, "requestState": ""})
_result(
    "questions",
    "A request for input may hold only questions",
    {"resultType": "input_required", "inputRequests": {"a": ROOTS}},
)
_result("state-and-questions", "A request for input may hold both", {**STATE, "inputRequests": {"a": ROOTS}})
_result("neither", "A request for input holds neither a state nor questions", {"resultType": "input_required"})
_result("numeric-state", "The state is a number", {**STATE, "requestState": 1}, _flags=BAD)
_result("array-of-questions", "The questions are an array", {**STATE, "inputRequests": [ROOTS]}, _flags=BAD)
_result(
    "unknown-question",
    "A question is none of the three",
    {**STATE, "inputRequests": {"a": {"method": "x"}}},
    _flags=BAD,
)
_result("asked-by-list", "tools/list does not ask for input", STATE, "tools/list")
_result("asked-by-read", "resources/read may ask for input", STATE, "resources/read")
_result(
    "stringified",
    "A request for input in the text of a complete result is content like any other",
    {**COMPLETE, "content": [{"type": "text", "text": '{"resultType":"input_required"}'}]},
    _see=("field:mrtr-stringified",),
)

HINTS = {"ttlMs": 300_000, "cacheScope": "public"}
TOOL = {"name": "get_weather", "inputSchema": {"type": "object"}}
PAGES = {
    "tools/list": ("tools", TOOL),
    "prompts/list": ("prompts", {"name": "review"}),
    "resources/list": ("resources", {"uri": "file:///a", "name": "a"}),
    "resources/templates/list": ("resourceTemplates", {"uriTemplate": "file:///{path}", "name": "files"}),
}

pages = decisions("results/list", "results.list", MALFORMED)
for method, (name, item) in PAGES.items():
    short = method.removesuffix("/list").replace("/", "-")
    whole = {**COMPLETE, name: [item], **HINTS}
    pages(f"{short}-page", f"A result of {method} holds a page", method=method, result=whole)
    pages(
        f"{short}-cursor", f"A result of {method} may hold a cursor", method=method, result={**whole, "nextCursor": "2"}
    )
    pages(
        f"{short}-null-cursor",
        f"A cursor of {method} is null",
        _flags=BAD,
        method=method,
        result={**whole, "nextCursor": None},
    )
    pages(
        f"{short}-no-page", f"A result of {method} has no page", _flags=BAD, method=method, result={**COMPLETE, **HINTS}
    )
    pages(
        f"{short}-object", f"The page of {method} is an object", _flags=BAD, method=method, result={**whole, name: {}}
    )
    pages(
        f"{short}-bad-item",
        f"An item of {method} is a string",
        _flags=BAD,
        method=method,
        result={**whole, name: ["a"]},
    )
LIST = {**COMPLETE, "tools": [TOOL], **HINTS}
pages("empty-page", "A page may be empty", method="tools/list", result={**LIST, "tools": []})
pages("empty-cursor", "A cursor may be an empty string", method="tools/list", result={**LIST, "nextCursor": ""})
pages(
    "no-hints",
    "A list result has no caching hints",
    _flags=BAD,
    method="tools/list",
    result={**COMPLETE, "tools": [TOOL]},
    _see=("field:cache-hints-absent-list-rejected",),
)
pages("no-type", "A list result has no resultType", _flags=BAD, method="tools/list", result={"tools": [TOOL], **HINTS})
pages("asks", "A list is not answered with a request for input", _flags=BAD, method="tools/list", result=STATE)
pages("array", "A list result is an array", _flags=BAD, method="tools/list", result=[TOOL])
pages(
    "extension-type",
    "What a result of an extension's type holds is up to the extension",
    _flags=BAD,
    method="tools/list",
    result={"resultType": "com.example/later"},
    _note="The JSON Schema knows only the complete result of a method.",
)
pages(
    "second-item",
    "The second tool has no schema",
    _flags=BAD,
    method="tools/list",
    result={**LIST, "tools": [TOOL, {"name": "x"}]},
)
pages(
    "schema-type",
    "The input schema of a tool is no schema of an object",
    _flags=BAD,
    method="tools/list",
    result={**LIST, "tools": [{**TOOL, "inputSchema": {"type": "string"}}]},
)
pages(
    "integral-float-size",
    "The size of a resource may be written 1.0",
    method="resources/list",
    result={**COMPLETE, "resources": [{"uri": "file:///a", "name": "a", "size": 1.0}], **HINTS},
)

CONTENTS = {**COMPLETE, "contents": [{"uri": "file:///a", "text": "a"}], **HINTS}
reads = decisions("results/contents", "results.contents", MALFORMED)
reads("text", "A read resource has text", result=CONTENTS)
reads("blob", "A read resource has a blob", result={**CONTENTS, "contents": [{"uri": "file:///a", "blob": "YQ=="}]})
reads("no-contents", "The contents are missing", result={**COMPLETE, **HINTS})
reads("object", "The contents are an object", result={**CONTENTS, "contents": {}})
reads("neither", "An item has neither text nor blob", result={**CONTENTS, "contents": [{"uri": "file:///a"}]})
reads("no-uri", "An item has no uri", result={**CONTENTS, "contents": [{"text": "a"}]})
reads("no-hints", "A read resource has no caching hints", result={**COMPLETE, "contents": CONTENTS["contents"]})
reads("no-type", "The result has no resultType", _flags=BAD, result={"contents": CONTENTS["contents"], **HINTS})
reads("asks", "A read may ask for input", result=STATE, _see=("field:cache-mrtr-retry-result",))
reads("asks-with-hints", "A request for input has no caching hints", result={**STATE, **HINTS})
reads(
    "asks-for-nothing",
    "A request for input holds neither a state nor questions",
    result={"resultType": "input_required"},
)
reads(
    "extension-type", "What a result of an extension's type holds is up to the extension", result={"resultType": "task"}
)
reads("string", "The result is a string", _flags=BAD, result="a")

FORM = {"message": "Your name?", "requestedSchema": {"type": "object", "properties": {}}}
URL = {"mode": "url", "message": "Sign in", "url": "https://example.com/sign-in"}
SAMPLING = {"messages": [{"role": "user", "content": {"type": "text", "text": "Hi"}}], "maxTokens": 100}
questions = decisions("results/input-request", "results.input-request", MALFORMED)


def _elicit(slug: str, title: str, params: Any, **about: Any) -> None:
    questions(slug, title, request={"method": "elicitation/create", "params": params}, **about)


def _number(slug: str, title: str, schema: dict[str, Any], **about: Any) -> None:
    asked = {"type": "object", "properties": {"amount": schema}}
    _elicit(slug, title, {**FORM, "requestedSchema": asked}, **about)


questions("roots", "A question may be for the roots", request=ROOTS)
questions("unknown", "A question is none of the three", _flags=BAD, request={"method": "ping"})
questions(
    "sampling", "A question may be for the model", request={"method": "sampling/createMessage", "params": SAMPLING}
)
questions(
    "sampling-without-params",
    "A question for the model has params",
    _flags=BAD,
    request={"method": "sampling/createMessage"},
)
questions(
    "sampling-fraction",
    "maxTokens is a fraction",
    _flags=BAD,
    request={"method": "sampling/createMessage", "params": {**SAMPLING, "maxTokens": 0.5}},
)
questions(
    "elicitation-without-params",
    "A question for the user has params",
    _flags=BAD,
    request={"method": "elicitation/create"},
)
_elicit("form", "A form says what it asks and for what", FORM)
_elicit("form-mode", "A form may name its mode", {**FORM, "mode": "form"})
_elicit("form-without-schema", "A form has no schema", {"message": "Your name?"}, _flags=BAD)
_elicit("unknown-mode", "A mode is neither form nor url", {**FORM, "mode": "voice"}, _flags=BAD)
_elicit("array", "The params are an array", [], _flags=BAD)
_elicit("url", "A question may lead to a page", URL)
_elicit(
    "url-without-url",
    "A question that leads to a page has no address",
    {"mode": "url", "message": "Sign in"},
    _flags=BAD,
)
_elicit(
    "url-with-elicitation-id",
    "A question that leads to a page has the identifier of an earlier revision",
    {**URL, "elicitationId": "e1"},
)
_elicit(
    "form-with-elicitation-id",
    "A form never had that identifier, so there it is a member like any other",
    {**FORM, "elicitationId": "e1"},
)
for bound in ("minimum", "maximum", "default"):
    _number(f"fractional-{bound}", f"The {bound} of a number may be a fraction", {"type": "number", bound: 0.5})
    _number(f"string-{bound}", f"The {bound} of a number is a string", {"type": "number", bound: "0.5"}, _flags=BAD)
_number(
    "integer-string-minimum", "The minimum of an integer is a string", {"type": "integer", "minimum": "1"}, _flags=BAD
)
_number("default-of-string", "The default of a string is a string", {"type": "string", "default": "a"})
_number("boolean-property", "A property may be a boolean", {"type": "boolean"})
_number(
    "array-property",
    "A property may be a choice of several",
    {"type": "array", "items": {"type": "string", "enum": ["a"]}},
)
_number("object-property", "A property is no object", {"type": "object"}, _flags=BAD)
