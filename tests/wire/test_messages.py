"""The typed messages against the official examples and schemas, and laws of reading and writing them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.wire import messages
from spec_model.wire.messages import (
    MESSAGES,
    DiscoverRequest,
    DiscoverResultResponse,
    InitializeRequest,
    InputRequiredResult,
    JSONRPCErrorResponse,
    JSONRPCRequest,
    JSONRPCResultResponse,
    ListToolsResult,
    Message,
    MessageKind,
    ResourceContents,
    Result,
    ResultMetaObject,
    Tool,
    encode,
    json_schema,
    kind_of_message,
    misfit,
    parse,
    printable,
    read_message,
    shown,
    to_json,
)

MODERN = MESSAGES["2026-07-28"]
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)

# The schema accepts these; the page on caching does not, and neither do the types.
NOT_PARSED = {("ReadResourceResultResponse", "read-resource-result-response.json")}


def examples(shared: Path, revision: str = "2026-07-28") -> Iterator[tuple[type[Message], str, Any]]:
    for name, message_type in MESSAGES[revision].items():
        for file in sorted((shared / "spec" / "examples" / name).glob("*.json")):
            yield message_type, file.name, json.loads(file.read_bytes())


def test_official_examples_survive_unchanged(shared: Path) -> None:
    seen = 0
    for message_type, file, value in examples(shared):
        if (message_type.__name__, file) in NOT_PARSED:
            with pytest.raises(ValueError, match="ttlMs"):
                parse(value, message_type)
            continue
        message = parse(value, message_type)
        assert to_json(message) == value
        assert json.loads(encode(message)) == value
        seen += 1
    assert seen > 40


def test_exported_schemas_accept_official_examples(shared: Path) -> None:
    for message_type, file, value in examples(shared):
        if (message_type.__name__, file) not in NOT_PARSED:
            Draft202012Validator(json_schema(message_type)).validate(value)


def test_exported_schemas_require_what_the_official_ones_require(shared: Path) -> None:
    official = json.loads((shared / "spec" / "schema" / "2026-07-28.json").read_bytes())["$defs"]
    compared = 0
    for name, message_type in MODERN.items():
        ours = json_schema(message_type)["$defs"][name]
        theirs = official.get(name)
        if theirs is None or "properties" not in theirs:
            continue
        assert set(theirs.get("required", ())) <= set(ours["required"]), name
        assert set(theirs["properties"]) <= set(ours["properties"]), name
        assert set(ours["required"]) - set(theirs.get("required", ())) == set(), name
        compared += 1
    assert compared > 30


def test_types_of_a_revision_do_not_know_the_other_era() -> None:
    assert "DiscoverRequest" not in MESSAGES["2025-11-25"]
    assert "InitializeRequest" not in MODERN


# --- unknown members --------------------------------------------------------------------------------------------------


@given(JSON, JSON, JSON, st.text(min_size=1).filter(lambda name: name not in ("jsonrpc", "id", "method", "params")))
def test_unknown_members_survive_at_every_depth(outer: Any, inner: Any, deep: Any, name: str) -> None:
    request: Any = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "server/discover",
        "params": {
            "_meta": {VERSION: "2026-07-28", CAPABILITIES: {"x-own": deep, "elicitation": {"x-mode": deep}}},
            "x-param": inner,
        },
        name: outer,
    }
    message = parse(request, DiscoverRequest)
    assert message.extra == {name: outer}
    assert to_json(message) == request
    assert msgspec.json.decode(encode(message)) == request


def test_a_member_that_is_called_like_the_marker_is_kept() -> None:
    request: Any = {"jsonrpc": "2.0", "id": 1, "method": "x", "...": 5}
    assert to_json(parse(request, JSONRPCRequest)) == request


def test_unknown_members_of_list_items_survive() -> None:
    result: Any = {
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
        "tools": [{"name": "a", "inputSchema": {"type": "object", "x-own": 1}, "y": 2}],
    }
    message = parse(result, ListToolsResult)
    assert message.tools[0].extra == {"y": 2}
    assert to_json(message) == result


def test_unknown_members_of_map_values_survive() -> None:
    result: Any = {"resultType": "input_required", "inputRequests": {"a": {"method": "roots/list", "z": 1}}}
    assert to_json(parse(result, InputRequiredResult)) == result


# --- strictness -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [None, 1.5, 1.0, True, [1], {}])
def test_encode_refuses_an_id_that_is_none(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"^no JSONRPCRequest: .*\$\.id") as raised:
        encode(JSONRPCRequest(id=wrong, method="x"))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("build", "names"),
    [
        (lambda: JSONRPCRequest(id=1, method=5), "method"),  # type: ignore[arg-type]
        (lambda: JSONRPCRequest(id=1, method="x", params=[]), "params"),  # type: ignore[arg-type]
        (lambda: JSONRPCRequest(id=1, method="x", jsonrpc="1.0"), "jsonrpc"),  # type: ignore[arg-type]
        (lambda: JSONRPCResultResponse(id=1, result={"tools": []}), "resultType"),  # type: ignore[arg-type]
        (lambda: JSONRPCErrorResponse(error={"code": 1.5, "message": "m"}), "code"),  # type: ignore[arg-type]
        (lambda: ListToolsResult(result_type="complete", ttl_ms=-1, cache_scope="public", tools=[]), "ttlMs"),
        (lambda: ListToolsResult(result_type="complete", ttl_ms=1, cache_scope="x", tools=[]), "cacheScope"),  # type: ignore[arg-type]
        (lambda: JSONRPCRequest(id=1, method="x", extra={"id": 2}), "id"),
        (lambda: JSONRPCRequest(id=1, method="x", params={"a": float("nan")}), "a"),
    ],
)
def test_encode_refuses_in_one_line(build: Any, names: str) -> None:
    with pytest.raises(ValueError, match=names) as raised:
        encode(build())
    assert "\n" not in str(raised.value)


def test_a_result_type_is_not_left_out() -> None:
    with pytest.raises(TypeError, match="result_type"):
        Result()  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["jsonrpc", "id", "method", "params"])
def test_parse_asks_for_constant_members_too(name: str) -> None:
    request: Any = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "server/discover",
        "params": {"_meta": {VERSION: "2026-07-28", CAPABILITIES: {}}},
    }
    assert parse(request, DiscoverRequest).method == "server/discover"
    del request[name]
    with pytest.raises(ValueError, match=f"`{name}`"):
        parse(request, DiscoverRequest)


def test_a_request_for_input_holds_something() -> None:
    with pytest.raises(ValueError, match="inputRequests or requestState"):
        InputRequiredResult()
    with pytest.raises(ValueError, match="inputRequests or requestState"):
        parse({"resultType": "input_required"}, InputRequiredResult)


def test_builders_fill_the_constants() -> None:
    response = JSONRPCResultResponse(id="a", result=Result(result_type="complete", meta=ResultMetaObject()))
    assert to_json(response) == {"jsonrpc": "2.0", "id": "a", "result": {"resultType": "complete", "_meta": {}}}


@given(JSON)
def test_parse_raises_nothing_but_value_errors(value: Any) -> None:
    for message_type in (DiscoverResultResponse, InitializeRequest, Tool):
        try:
            parse(value, message_type)
        except ValueError as error:
            assert str(error).isprintable()


def test_hostile_values_are_escaped_in_errors() -> None:
    with pytest.raises(ValueError, match="Invalid enum value") as raised:
        parse({"jsonrpc": "2.0\n\x1b[31m" + "x" * 10_000, "id": 1, "method": "x"}, JSONRPCRequest)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 300


def test_nesting_without_end_is_a_value_error() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(ValueError, match="nested too deep"):
        encode(JSONRPCRequest(id=1, method="x", params=deep))


# --- reading ----------------------------------------------------------------------------------------------------------


@given(JSON)
def test_reading_never_raises_and_keeps_all(value: Any) -> None:
    received = read_message(value)
    assert received.value is value
    assert received.kind is kind_of_message(value)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"method": "x", "id": 1}, MessageKind.REQUEST),
        ({"method": None, "id": None}, MessageKind.REQUEST),
        ({"method": "x"}, MessageKind.NOTIFICATION),
        ({"id": 1, "result": None}, MessageKind.RESULT),
        ({"error": 5}, MessageKind.ERROR),
        ({"id": 1, "result": {}, "error": {}}, MessageKind.NEITHER),
        ({"id": 1}, MessageKind.NEITHER),
        ({}, MessageKind.NEITHER),
        ([], MessageKind.BATCH),
        ([{"method": "x"}], MessageKind.BATCH),
        ("x", MessageKind.NEITHER),
        (None, MessageKind.NEITHER),
    ],
)
def test_the_kind_follows_from_the_members(value: Any, kind: MessageKind) -> None:
    assert kind_of_message(value) is kind


def test_the_members_are_those_of_the_value() -> None:
    received = read_message({"jsonrpc": "2.0", "id": None, "method": 5, "params": []})
    assert (received.id, received.method, received.params) == (None, 5, [])
    assert received.result is msgspec.UNSET


# --- texts for people -------------------------------------------------------------------------------------------------


@given(JSON)
def test_what_is_shown_is_one_printable_line(value: Any) -> None:
    assert shown(value).isascii()
    assert shown(value).isprintable()
    assert len(shown(value)) <= 60


@given(st.text(), st.integers(min_value=10, max_value=300))
def test_printable_is_bounded_ascii(text: str, limit: int) -> None:
    line = printable(text, limit)
    assert line.isascii()
    assert line.isprintable()
    assert len(line) <= limit


def test_huge_values_are_shown_short() -> None:
    assert shown(10**5000) == "an integer of 16610 bits"
    assert shown("\n" * 10_000).endswith("...")


@pytest.mark.parametrize(
    ("value", "message_type", "pointer"),
    [
        ({"name": "a", "inputSchema": {"type": "string"}}, Tool, "/inputSchema/type"),
        ({"name": "a", "inputSchema": {}}, Tool, "/inputSchema"),
        ({"name": "a", "inputSchema": {"type": "object"}, "icons": [{"src": "x"}, {}]}, Tool, "/icons/1"),
        ({"uri": "file:///a"}, ResourceContents, ""),
        (5, Tool, ""),
        (msgspec.UNSET, Tool, ""),
    ],
)
def test_a_misfit_has_a_place(value: Any, message_type: type[Message], pointer: str) -> None:
    wrong = misfit(value, message_type)
    assert wrong is not None
    assert wrong[0] == pointer
    assert wrong[1].isprintable()


def test_what_fits_is_no_misfit() -> None:
    tool: Any = {"name": "a", "inputSchema": {"type": "object"}, "x": 1}
    assert misfit(tool, Tool) is None
    size: Any = {"uri": "file:///a", "name": "a", "size": 1.0}
    assert misfit(size, messages.Resource) is None
    assert misfit({**size, "size": 1.5}, messages.Resource) is not None
