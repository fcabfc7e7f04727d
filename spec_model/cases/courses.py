"""What a course of a scenario has to show, made from what the reference peer did; and whether what was seen shows it.

An envelope pins what the rules decide: methods, params, versions, headers, codes. It holds no ids, no texts and no
identity of an implementation. Where an id matters it is compared with that of another request.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from spec_model.cases import format as fmt
from spec_model.cases.envelopes import NOTHING, STRING, Schema, fits, lacking, lists, objects
from spec_model.cases.timeline import Names, Window
from spec_model.semantics.meta_keys import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROGRESS_TOKEN, PROTOCOL_VERSION
from spec_model.semantics.pagination import PAGINATED
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, equal, is_object, is_string, member

Expected = tuple[list[fmt.Wire], list[fmt.Outcome]]

ID: Final[Schema] = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
_OBJECT: Final[Schema] = {"type": "object"}
_JSONRPC: Final[Schema] = {"const": "2.0"}
_IDENTITY: Final = objects({"name": STRING, "version": STRING})
_BOTH_TYPES: Final[Schema] = {
    "type": "string",
    "anyOf": [
        {"pattern": "application/json.*text/event-stream"},
        {"pattern": "text/event-stream.*application/json"},
    ],
}
_CANCELLED: Final = "notifications/cancelled"

# Methods of every revision that are sent in the form of a legacy session: without the metadata of this revision.
_HANDSHAKE: Final = "initialize"


class Views:
    """What the envelopes of a scenario look at besides what every one looks at."""

    CLIENT_INFO: Final = "client-info"
    NO_SESSION: Final = "no-session"
    NO_RESUMPTION: Final = "no-resumption"
    NO_CREDENTIALS: Final = "no-credentials"
    ANY_VALUE: Final = "any-value"


# --- what is expected -------------------------------------------------------------------------------------------------


def expected_of(windows: Sequence[Window], views: Sequence[str] = ()) -> list[Expected]:
    """What a course shows, window by window."""
    seen = _Seen()
    return [
        (
            [seen.wire(item, others, views) for item, others in zip(window.wire, window.unanswered, strict=True)],
            _outcomes(window.results, views),
        )
        for window in windows
    ]


class _Seen:
    """What went out so far."""

    def __init__(self) -> None:
        self.names = Names()

    def wire(self, item: JsonObject, others: list[str], views: Sequence[str]) -> fmt.Wire:
        """What is expected of one thing; `others` are the requests without response."""
        message = item.get("message")
        equal_to: dict[str, str] = {}
        name = self.names.add(message) if is_object(message) else None
        if item["kind"] == "close-stream":
            closed = self.names.of(item["request"])
            equal_to = {} if closed is None else {"/request": closed}
        elif member(message, "method") == _CANCELLED:
            cancelled = self.names.of(_json(member(message, "params", "requestId")))
            equal_to = {} if cancelled is None else {"/message/params/requestId": cancelled}
        unequal = {"/message/id": others} if name is not None and others else {}
        return fmt.Wire(envelope=_envelope(item, views), equal=equal_to, unequal=unequal)


def _envelope(item: JsonObject, views: Sequence[str]) -> Schema:
    kind = item["kind"]
    schema: Schema = {"kind": {"const": kind}}
    match kind:
        case "message":
            return objects({**schema, "message": _message(item["message"], views)})
        case "post":
            headers = _headers(item, views)
            return objects(
                {
                    **schema,
                    "url": {"const": item["url"]},
                    "headers": headers,
                    "message": _message(item["message"], views),
                }
            )
        case "get":
            hidden = lacking(_OBJECT, "authorization", "cookie")
            headers = {"headers": hidden} if Views.NO_CREDENTIALS in views else {}
            return objects({**schema, "url": {"const": item["url"]}, **headers})
    return objects(schema)


def _message(message: Json, views: Sequence[str]) -> Schema:
    method = member(message, "method")
    assert is_object(message)
    if not is_string(method):
        kind = "result" if "result" in message else "error"
        return lacking(objects({"jsonrpc": _JSONRPC, "id": {"const": message["id"]}, kind: _OBJECT}), "method")
    members: Schema = {"jsonrpc": _JSONRPC, "method": {"const": method}}
    if "id" not in message:
        params = {"params": objects({"requestId": ID})} if method == _CANCELLED else {}
        return lacking(objects({**members, **params}), "id")
    params_schema = _params(method, member(message, "params"), views)
    required = objects({"jsonrpc": _JSONRPC, "id": ID, "method": {"const": method}, "params": params_schema})
    if member(message, "params", "_meta", PROTOCOL_VERSION) is ABSENT and "required" not in params_schema:
        required["required"] = ["jsonrpc", "id", "method"]
    return required


def _params(method: str, params: Json | Any, views: Sequence[str]) -> Schema:
    if method == _HANDSHAKE:
        version = member(params, "protocolVersion")
        return objects({"protocolVersion": {"const": version}, "capabilities": _OBJECT, "clientInfo": _IDENTITY})
    held = params if is_object(params) else {}
    members: Schema = {name: {"const": value} for name, value in held.items() if name != "_meta"}
    meta = member(held, "_meta")
    if member(meta, PROTOCOL_VERSION) is not ABSENT:
        members["_meta"] = _meta(meta, views)
    schema = objects(members)
    return lacking(schema, "cursor") if method in PAGINATED and "cursor" not in held else schema


def _meta(meta: Json | Any, views: Sequence[str]) -> Schema:
    members: Schema = {
        PROTOCOL_VERSION: {"const": member(meta, PROTOCOL_VERSION)},
        CLIENT_CAPABILITIES: _OBJECT,
    }
    if Views.CLIENT_INFO in views:
        members[CLIENT_INFO] = _IDENTITY
    if member(meta, LOG_LEVEL) is not ABSENT:
        members[LOG_LEVEL] = {"const": member(meta, LOG_LEVEL)}
    if member(meta, PROGRESS_TOKEN) is not ABSENT:
        members[PROGRESS_TOKEN] = ID
    return objects(members)


_PINNED: Final = ("mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "authorization")


def _headers(item: JsonObject, views: Sequence[str]) -> Schema:
    headers = item["headers"]
    assert is_object(headers)
    pinned = [name for name in headers if name in _PINNED or name.startswith("mcp-param-")]
    members: Schema = {name: {"const": headers[name]} for name in pinned}
    schema = objects({"accept": _BOTH_TYPES, **members})
    absent = [name for view, name in _ABSENT.items() if view in views and name not in headers]
    return lacking(schema, *absent) if absent else schema


_ABSENT: Final[Mapping[str, str]] = {Views.NO_SESSION: "mcp-session-id", Views.NO_RESUMPTION: "last-event-id"}


def _outcomes(results: Sequence[JsonObject], views: Sequence[str]) -> list[fmt.Outcome]:
    return [_outcome(result, views) for result in results if result["call"]]


def _outcome(result: JsonObject, views: Sequence[str]) -> fmt.Outcome:
    call = str(result["call"])
    if result["outcome"] == "returned":
        value = {} if Views.ANY_VALUE in views else _value(result["value"])
        return fmt.Outcome(call=call, outcome="returned", value=value)
    kind, code = str(result["kind"]), result.get("code")
    sent = code if kind == "protocol" and isinstance(code, int) else None
    return fmt.Outcome(call=call, outcome="raised", kind=kind, code=sent)


_IDENTIFIED_BY: Final[Mapping[str, str]] = {
    "tools": "name",
    "prompts": "name",
    "resources": "uri",
    "resourceTemplates": "uriTemplate",
}


def _value(value: Json) -> Schema:
    """What a call returns, as far as the scenario knows it: which items, contents, versions, notifications."""
    if not is_object(value):
        return {}
    members: Schema = {}
    for name, key in _IDENTIFIED_BY.items():
        if name in value:
            members[name] = _list_of(value[name], key)
    for name in ("supportedVersions", "nextCursor"):
        if name in value:
            members[name] = {"const": value[name]}
    if "contents" in value:
        members["contents"] = _list_of(value["contents"], "text")
    if "content" in value:
        members["content"] = _list_of(value["content"], "text")
    if "notifications" in value:
        agreed = value["notifications"]
        members["notifications"] = _list_of(agreed, "method") if isinstance(agreed, list) else {"const": agreed}
    return objects(members) if members else {}


def _list_of(items: Json, key: str) -> Schema:
    """An array with as many items, each of them known by what it has under `key`."""
    assert isinstance(items, list)
    if not items:
        return NOTHING
    known = list(dict.fromkeys(str(member(item, key)) for item in items))
    return {**lists(objects({key: {"enum": known}}), len(items)), "maxItems": len(items)}


# --- whether it was shown ---------------------------------------------------------------------------------------------


Envelopes = Mapping[str, Schema]
_NONE: Final[Envelopes] = {}


def verdict(case: fmt.Scenario, seen: Sequence[Window], envelopes: Envelopes = _NONE) -> tuple[str, str]:
    """The grade of what was seen, and what it is: the name of the course that it follows, or what is wrong with it by
    the expected course. `envelopes` are those of the file."""
    expected = [(step.expect_wire, step.expect_result) for step in case.steps]
    orders = [step.any_order for step in case.steps]
    played = _played(seen)
    wrong = mismatch(expected[:played], orders[:played], seen[:played], envelopes)
    if wrong is None:
        return ("pass", "expected") if played == len(seen) else ("not-observed", f"step {played} cannot be played")
    for course in case.acceptable:
        if mismatch(instead(expected, course)[:played], orders[:played], seen[:played], envelopes) is None:
            return course.grade if played == len(seen) else "not-observed", course.name
    return "fail", wrong


# The kind of what stands for a step that needs a value which an earlier reply does not have.
NOT_PLAYED: Final = "not-played"


def _played(seen: Sequence[Window]) -> int:
    """How many steps could be played."""
    return next(
        (number for number, one in enumerate(seen) if one.wire and one.wire[0]["kind"] == NOT_PLAYED), len(seen)
    )


def instead(expected: Sequence[Expected], course: fmt.Course) -> list[Expected]:
    """The whole of another course."""
    changed = list(expected)
    for step in course.steps:
        changed[step.step] = step.expect_wire, step.expect_result
    return changed


def alike(one: Json, other: Json) -> bool:
    """Whether two replies say the same, apart from ids, `_meta`, lifetimes, cursors, texts of errors, and the order of
    arrays."""
    return one is other or equal(_lasting(one), _lasting(other))


_PASSING: Final = frozenset({"id", "_meta", "ttlMs", "nextCursor", "headers"})


def _lasting(value: Json) -> Json:
    if isinstance(value, list):
        return sorted((_lasting(one) for one in value), key=canonical)
    if is_object(value):
        passing = _PASSING | {"message"} if "code" in value else _PASSING
        return {name: _lasting(one) for name, one in value.items() if name not in passing}
    return value


def canonical(value: Json) -> bytes:
    """The JSON of a value, the same for equal ones."""
    return msgspec.json.encode(value, order="sorted")


def mismatch(
    expected: Sequence[Expected], orders: Sequence[bool], seen: Sequence[Window], envelopes: Envelopes = _NONE
) -> str | None:
    """The first thing in which what was seen is not what a course shows; None where all of it is."""
    names = Names()
    for number, ((wire, results), any_order, window) in enumerate(zip(expected, orders, seen, strict=True)):
        wrong = (
            _wire_mismatch([_named(one, envelopes) for one in wire], window.wire, names, any_order=any_order)
            or _result_mismatch(results, window.results)
            or next(_unlike(wire, window, seen), None)
        )
        if wrong is not None:
            return f"step {number}: {wrong}"
    return None


def _named(wire: fmt.Wire, envelopes: Envelopes) -> fmt.Wire:
    """The same with the envelope itself in place of its name."""
    if isinstance(wire.envelope, str):
        return msgspec.structs.replace(wire, envelope=envelopes[wire.envelope])
    return wire


def _wire_mismatch(
    expected: Sequence[fmt.Wire], seen: Sequence[JsonObject], names: Names, *, any_order: bool
) -> str | None:
    if len(expected) != len(seen):
        return f"{len(seen)} things went out and not {len(expected)}: {_shown(seen)}"
    ids = [_ids_before(names, item) for item in seen]
    orders = itertools.permutations(expected) if any_order else iter([tuple(expected)])
    wrong: str | None = None
    for order in orders:
        wrong = next(_wrong(order, seen, ids), None)
        if wrong is None:
            return None
    return wrong


def _ids_before(names: Names, item: JsonObject) -> dict[str, Any]:
    """The ids of the requests that went out before this one, which is noted then."""
    before = dict(names.ids)
    if is_object(item.get("message")):
        names.add(item["message"])
    return before


def _wrong(expected: Sequence[fmt.Wire], seen: Sequence[JsonObject], ids: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for wire, item, known in zip(expected, seen, ids, strict=True):
        assert isinstance(wire.envelope, dict)
        if not fits(item, wire.envelope):
            yield f"this does not fit: {_shown([item])}"
        for pointer, name in wire.equal.items():
            if not name.startswith(REPLY) and not equal(_at(item, pointer), known.get(name, ABSENT)):
                yield f"{pointer} is not the id of {name}: {_shown([item])}"
        for pointer, several in wire.unequal.items():
            if any(name in known and equal(_at(item, pointer), known[name]) for name in several):
                yield f"{pointer} is the id of another request: {_shown([item])}"


REPLY: Final = "$reply:"


def replied(reference: str, items: Sequence[Json]) -> Json | Absent:
    """The value that `$reply:step:pointer` stands for; `items` are the replies by the numbers of their steps."""
    _, step, pointer = reference.split(":", 2)
    return value_at(items[int(step)], pointer)


def value_at(value: Json | Absent, pointer: str) -> Json | Absent:
    """The value at a JSON pointer, ABSENT where there is none."""
    for part in pointer.split("/")[1:]:
        if isinstance(value, list):
            value = value[int(part)] if int(part) < len(value) else ABSENT
        else:
            value = member(value, part)
    return value


def _unlike(expected: Sequence[fmt.Wire], window: Window, seen: Sequence[Window]) -> Iterator[str]:
    """What does not go with earlier replies of a server."""
    replies: list[Json] = [one.wire[0] if one.wire else None for one in seen]
    for wire, item in zip(expected, window.wire, strict=True):
        if wire.same_as is not None:
            other = replies[wire.same_as]
            if all(fits(one, wire.same_where) for one in (item, other)) and not alike(item, other):
                yield f"this is not like the reply to step {wire.same_as}: {_shown([item])}"
        for pointer, reference in wire.equal.items():
            if reference.startswith(REPLY) and not equal(value_at(item, pointer), replied(reference, replies)):
                yield f"{pointer} is not {reference}: {_shown([item])}"
        for pointer, reference in wire.disjoint.items():
            if _common(value_at(item, pointer), replied(reference, replies)):
                yield f"{pointer} has items of {reference}: {_shown([item])}"


def _common(one: Json | Absent, other: Json | Absent) -> bool:
    """Whether two arrays have an item in common."""
    if not isinstance(one, list) or not isinstance(other, list):
        return False
    return not {canonical(item) for item in one}.isdisjoint(canonical(item) for item in other)


def _at(item: JsonObject, pointer: str) -> Json | Any:
    return member(item, *pointer.split("/")[1:])


def _result_mismatch(expected: Sequence[fmt.Outcome], seen: Sequence[JsonObject]) -> str | None:
    told = [result for result in seen if result["call"]]
    if len(expected) != len(told):
        return f"{len(told)} calls ended and not {len(expected)}: {_shown(told)}"
    left = list(told)
    for outcome in expected:
        found = next((one for one in left if one["call"] == outcome.call), None)
        if found is None or found["outcome"] != outcome.outcome:
            return f"the call {outcome.call} ended otherwise: {_shown(told)}"
        left.remove(found)
        if outcome.code is not None and found.get("code") != outcome.code:
            return f"the call {outcome.call} raised another code: {_shown([found])}"
        if outcome.outcome == "returned" and not fits(found.get("value"), outcome.value):
            return f"the call {outcome.call} returned something else: {_shown([found])}"
    return None


def _shown(items: Sequence[Any]) -> str:
    return msgspec.json.encode(list(items)).decode()


def _json(value: Any) -> Json:
    return None if value is ABSENT else value
