"""What `check` finds on requests together with their replies."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.requirements.catalogue import severity
from spec_model.semantics.check import Checked, check_value, guess
from spec_model.semantics.exchange import check_exchange, check_exchanges
from spec_model.verdicts import Level

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META: Any = {
    VERSION: "2026-07-28",
    CAPABILITIES: {},
    "io.modelcontextprotocol/clientInfo": {"name": "ExampleClient", "version": "1.0.0"},
}
IDENTITY: Any = {"io.modelcontextprotocol/serverInfo": {"name": "ExampleServer", "version": "1.0.0"}}
HINTS: Any = {"ttlMs": 0, "cacheScope": "public"}
TOOLS: Any = {"tools": [], **HINTS}
DISCOVERED: Any = {"supportedVersions": ["2026-07-28"], "capabilities": {}, **HINTS}


def asks(method: str = "tools/list", meta: Any = META, request_id: Any = 1, **params: Any) -> Any:
    params = params if meta is None else {"_meta": meta, **params}
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def gives(request_id: Any = 1, **members: Any) -> Any:
    return {"jsonrpc": "2.0", "id": request_id, "result": {"resultType": "complete", "_meta": IDENTITY, **members}}


def fails(code: int, request_id: Any = 1, **data: Any) -> Any:
    error: Any = {"code": code, "message": "m", **({"data": data} if data else {})}
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def exchange(request: Any, reply: Any, status: int | None = None, **more: Any) -> Any:
    http: Any = {} if status is None else {"transport": "http", "status": status}
    return {"request": request, "reply": reply, **http, **more}


def faults(found: Checked) -> list[tuple[str, str]]:
    return [(fault.requirement, fault.pointer) for fault in found.faults]


def broken(document: Any) -> set[str]:
    return {fault.requirement for fault in check_exchange(document).faults}


UNKNOWN: Any = {**META, VERSION: "2099-01-01"}
NO_CAPABILITIES: Any = {VERSION: "2026-07-28"}


@pytest.mark.parametrize(
    "document",
    [
        exchange(asks(), gives(**TOOLS)),
        exchange(asks(), gives(**TOOLS), 200),
        exchange(asks("server/discover"), gives(**DISCOVERED), 200),
        exchange(asks("tools/call", name="t"), fails(-32602), 200),
        exchange(asks("tools/call", name="t"), fails(-32602), 400),
        exchange(asks(meta=UNKNOWN), fails(-32022, supported=["2026-07-28"], requested="2099-01-01"), 400),
        exchange(asks(meta=NO_CAPABILITIES), fails(-32602), 400),
        exchange(asks(meta=NO_CAPABILITIES), fails(-32602)),
        exchange(asks("nope/nope"), fails(-32601), 404),
        exchange(asks("tools/call", name="t"), fails(-32021, requiredCapabilities={"elicitation": {}}), 400),
        exchange(asks(), fails(-32020), 400),
        exchange({"jsonrpc": "2.0", "id": 7}, fails(-32600, 7)),
        exchange({"jsonrpc": "2.0", "id": 1.5, "method": "x"}, {"jsonrpc": "2.0", "error": fails(-32600)["error"]}),
        exchange({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}, None)
        | {"reply": {"jsonrpc": "2.0", "error": fails(-32600)["error"]}, "transport": "http", "status": 400},
        {"request": {"jsonrpc": "2.0", "method": "notifications/x"}, "transport": "http", "status": 202},
        exchange(asks(), {"jsonrpc": "2.0", "error": fails(-32000)["error"]}, 403, era="legacy"),
    ],
)
def test_right_answers(document: Any) -> None:
    assert not check_exchange(document).faults


@pytest.mark.parametrize(
    ("document", "requirement", "pointer"),
    [
        (exchange(asks(), gives("1", **TOOLS)), "results.response.id-echo", "/reply"),
        (exchange(asks(), fails(-32603, "1")), "errors.response.id-echo", "/reply"),
        (exchange(asks(), fails(-32603, None), 400), "errors.response.id-echo", "/reply"),
        (exchange(asks(), gives(tools=[])), "caching.hints.tools-list", "/reply/result"),
        (exchange(asks(), gives(**HINTS)), "pagination.response.page", "/reply/result/tools"),
        (exchange(asks(), fails(-32002)), "errors.retired.no-emit-32002", "/reply/error/code"),
        (exchange(asks(), fails(-32050)), "errors.mcp-range.defined-only", "/reply/error/code"),
        (exchange(asks(), fails(-32020)), "errors.mcp-range.defined-meaning", "/reply/error/code"),
        (exchange(asks(), fails(-32020), 200), "headers.validate.status-400", "/status"),
        (exchange(asks("nope/nope"), fails(-32601), 200), "http.method.unknown-404", "/status"),
        (exchange(asks("nope/nope"), fails(-32601), 500), "http.method.unknown-404", "/status"),
        (exchange(asks("server/discover"), fails(-32601), 404), "discovery.method.implemented", "/reply"),
        (
            exchange(asks("server/discover"), fails(-32601), 404, era="modern"),
            "discovery.method.implemented",
            "/reply/error/code",
        ),
        (exchange(asks(meta=NO_CAPABILITIES), gives(**TOOLS)), "meta.reject.missing-client-capabilities", "/reply"),
        (exchange(asks(meta=NO_CAPABILITIES), fails(-32602), 200), "meta.reject.http-400", "/status"),
        (
            exchange(asks(meta=NO_CAPABILITIES), fails(-32603)),
            "meta.reject.missing-client-capabilities",
            "/reply/error/code",
        ),
        (exchange(asks(meta={**META, VERSION: "banana"}), gives(**TOOLS)), "versioning.mismatch.unknown", "/reply"),
        (exchange(asks(meta=None), gives(**TOOLS)), "meta.reject.missing-meta", "/reply"),
        (exchange(asks(), fails(-32700)), "errors.standard.parse-error", "/reply/error/code"),
        (exchange(asks(meta=UNKNOWN), fails(-32600), 400), "errors.standard.invalid-request", "/reply/error/code"),
        (
            exchange(asks("tools/call", name="t"), gives(resultType="task")),
            "results.type.unrecognized-invalid",
            "/reply/result/resultType",
        ),
        (
            exchange(asks(), gives(resultType="input_required", requestState="s")),
            "mrtr.supported.nothing-else",
            "/reply/result/resultType",
        ),
        (exchange(asks(), asks()), "transport.direction.no-server-requests", "/reply"),
        (exchange(asks(), {"jsonrpc": "2.0", "method": "x"}), "base.patterns.request-answered", "/reply"),
        (exchange(asks(), [gives(**TOOLS)]), "base.jsonrpc.conforms", "/reply"),
        ({"request": asks()}, "base.patterns.request-answered", ""),
        (
            exchange({"jsonrpc": "2.0", "method": "notifications/x"}, fails(-32601), 404),
            "base.notification.no-response",
            "/reply",
        ),
        (
            exchange(asks(), gives(**TOOLS), 200, request_headers={"mcp-protocol-version": "2025-11-25"}),
            "headers.protocol-version.mismatch-error",
            "/reply",
        ),
        (
            exchange(asks("server/discover"), gives(**{**DISCOVERED, "supportedVersions": ["2025-11-25"]})),
            "discovery.result.supported-versions",
            "/reply/result/supportedVersions",
        ),
        (
            exchange(
                asks("tools/call", {**META, CAPABILITIES: {"roots": {}}}, name="t"),
                fails(-32021, requiredCapabilities={"roots": {}}),
            ),
            "meta.capability.missing-error",
            "/reply/error/data/requiredCapabilities",
        ),
        ({"reply": gives()}, "base.jsonrpc.conforms", ""),
    ],
)
def test_wrong_answers(document: Any, requirement: str, pointer: str) -> None:
    assert (requirement, pointer) in faults(check_exchange(document))


def test_the_data_of_a_refused_version_is_held_against_the_request() -> None:
    reply = fails(-32022, supported=["2099-01-01"], requested="2026-07-28")
    found = check_exchange(exchange(asks(meta=UNKNOWN), reply, 400))
    assert faults(found) == [
        ("versioning.mismatch.echoes-requested", "/reply/error/data/requested"),
        ("versioning.mismatch.lists-supported", "/reply/error/data/supported"),
    ]


def test_what_is_wrong_with_the_request_is_a_note() -> None:
    found = check_exchange(exchange(asks(meta=NO_CAPABILITIES), fails(-32602), 400))
    assert not found.faults
    assert "meta.request.client-capabilities" in {note.requirement for note in found.notes}


@pytest.mark.parametrize("status", [401, 403, 405, 406, 415, 503])
def test_a_refusal_before_the_body_is_read_has_no_id(status: int) -> None:
    error: Any = {"jsonrpc": "2.0", "error": {"code": -32603, "message": "m"}}
    assert not check_exchange(exchange(asks(), error, status)).faults
    assert not check_exchange({"request": asks(), "transport": "http", "status": status}).faults


def test_a_refused_legacy_version_may_be_among_the_supported_ones() -> None:
    old = {**META, VERSION: "2025-11-25"}
    reply = fails(-32022, supported=["2026-07-28", "2025-11-25"], requested="2025-11-25")
    assert not broken(exchange(asks(meta=old), reply, 400))


def test_removed_methods_are_unknown_and_those_of_extensions_are_not() -> None:
    assert "removed.method.ping" in broken(exchange(asks("ping"), gives()))
    assert not broken(exchange(asks("ping"), fails(-32601)))
    assert not broken(exchange(asks("tasks/get", taskId="t"), gives()))
    assert not broken(exchange(asks("com.example/own"), gives()))


def test_what_has_no_usable_id_need_not_be_answered() -> None:
    assert not check_exchange({"request": asks(request_id=None)}).faults
    assert not check_exchange({"request": asks(request_id=1.5), "transport": "http", "status": 400}).faults
    assert check_exchange({"request": asks(), "transport": "http", "status": 200}).faults


def test_a_refusal_by_status_alone_is_no_fault_unless_the_request_calls_for_an_error() -> None:
    alone: dict[str, Any] = {"transport": "http", "status": 400}
    refused = check_exchange({"request": asks(), **alone})
    assert not refused.faults and refused.notes
    without_capabilities = asks(meta={"io.modelcontextprotocol/protocolVersion": "2026-07-28"})
    assert check_exchange({"request": without_capabilities, **alone}).faults


def test_a_fault_that_depends_on_the_server_may_come_first() -> None:
    assert not broken(exchange(asks("nope/nope", NO_CAPABILITIES), fails(-32601), 404))
    assert not broken(exchange(asks(meta=NO_CAPABILITIES), fails(-32020), 400))


def test_a_result_type_of_an_extension_needs_a_declared_one() -> None:
    declared: Any = {**META, CAPABILITIES: {"extensions": {"io.modelcontextprotocol/tasks": {}}}}
    assert not broken(exchange(asks("tools/call", declared, name="t"), gives(resultType="task")))


# --- legacy -----------------------------------------------------------------------------------------------------------

INITIALIZE: Any = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}},
}
INITIALIZED: Any = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "serverInfo": {"name": "ExampleServer", "version": "1.0.0"},
}


def untyped(**members: Any) -> Any:
    return {"jsonrpc": "2.0", "id": 1, "result": members}


@pytest.mark.parametrize(
    "document",
    [
        exchange(INITIALIZE, untyped(**INITIALIZED)),
        exchange(INITIALIZE, fails(-32601), 200),
        exchange(INITIALIZE, fails(-32022, supported=["2026-07-28"], requested="2025-11-25"), 400),
        exchange(asks(meta=None), untyped(tools=[])),
        exchange(asks(meta=None), untyped(tools=[]), 200, request_headers={"MCP-Protocol-Version": "2025-06-18"}),
        exchange(asks("tools/call", None, name="t"), untyped(content=[])),
        exchange(asks("ping", None), untyped()),
        exchange(asks(meta=None), fails(-32001, None), 400),
        exchange(asks(meta={**META, VERSION: "2025-11-25"}), untyped(tools=[])),
        exchange(asks("server/discover"), fails(-32601), 200, era="legacy"),
        exchange(asks("server/discover"), fails(-32000, None), 400, era="legacy"),
        exchange(asks(), untyped(tools=[]), era="legacy"),
    ],
)
def test_legacy_exchanges_are_not_held_to_this_revision(document: Any) -> None:
    assert not check_exchange(document).faults


@pytest.mark.parametrize(
    ("document", "requirement"),
    [
        (
            exchange(INITIALIZE, untyped(**{**INITIALIZED, "protocolVersion": "2026-07-28"})),
            "interop.dual-server.initialize-selects-legacy",
        ),
        (
            exchange(INITIALIZE, untyped(protocolVersion="2025-11-25", capabilities={})),
            "legacy.init.result-server-info",
        ),
        (exchange(asks(meta=None), untyped(resources=[])), "pagination.response.page"),
        (exchange(asks(meta=None), {**untyped(tools=[]), "id": "1"}), "results.response.id-echo"),
        (exchange(asks(meta=None), {"jsonrpc": "2.0", "id": 1, "result": None}), "base.schema.conforms"),
        (exchange(INITIALIZE, gives(resultType="input_required", requestState="s")), "legacy.init.result-server-info"),
    ],
)
def test_legacy_exchanges_have_rules_too(document: Any, requirement: str) -> None:
    assert requirement in broken(document)


def test_a_legacy_session_has_no_round_trips() -> None:
    reply = gives(resultType="input_required", requestState="s")
    document = exchange(asks("tools/call", None, name="t"), reply, era="legacy")
    assert broken(document) == {"interop.matrix.legacy-dual-initialize"}


def test_an_untyped_answer_to_a_modern_request_is_a_fault_with_a_note() -> None:
    found = check_exchange(exchange(asks("tools/call", name="echo"), untyped(content=[])))
    assert "results.type.present" in {fault.requirement for fault in found.faults}
    assert "results.type.absent-as-complete" in {note.requirement for note in found.notes}


def test_the_refusal_of_a_probe_by_a_legacy_server_is_one_fault_with_a_note() -> None:
    found = check_exchange(exchange(asks("server/discover"), fails(-32000, None), 400))
    assert [fault.requirement for fault in found.faults] == ["discovery.method.implemented"]
    assert "interop.detect.otherwise-legacy" in {note.requirement for note in found.notes}


# --- several exchanges ------------------------------------------------------------------------------------------------


def test_a_server_that_only_shook_hands_is_a_legacy_one() -> None:
    probe = exchange(asks("server/discover"), fails(-32601), 200)
    shake = exchange(INITIALIZE, untyped(**INITIALIZED), 200)
    assert check_exchange(probe).faults
    assert not check_exchanges([probe, shake]).faults


def test_a_modern_reply_elsewhere_makes_it_a_modern_one() -> None:
    probe = exchange(asks("server/discover"), fails(-32601), 404)
    shake = exchange(INITIALIZE, untyped(**INITIALIZED), 200)
    work = exchange(asks(), gives(**TOOLS), 200)
    found = check_exchanges([probe, shake, work])
    assert faults(found) == [("discovery.method.implemented", "/0/reply/error/code")]


def test_work_is_not_refused_until_discovery() -> None:
    refused = exchange(asks(), fails(-32603))
    discover = exchange(asks("server/discover", request_id=2), gives(2, **DISCOVERED))
    served = exchange(asks(request_id=3), gives(3, **TOOLS))
    assert faults(check_exchanges([refused, discover, served])) == [("discovery.call.not-prerequisite", "/0/reply")]
    assert not check_exchanges([discover, refused, served]).faults
    assert not check_exchanges([refused, discover, refused]).faults
    other = exchange(asks("prompts/list", request_id=3), gives(3, prompts=[], **HINTS))
    assert not check_exchanges([refused, discover, other]).faults


def test_the_versions_of_refusals_and_discovery_agree() -> None:
    discover = exchange(
        asks("server/discover"), gives(**{**DISCOVERED, "supportedVersions": ["2026-07-28", "2025-11-25"]})
    )
    same = exchange(asks(meta=UNKNOWN), fails(-32022, supported=["2025-11-25", "2026-07-28"], requested="2099-01-01"))
    other = exchange(asks(meta=UNKNOWN), fails(-32022, supported=["2026-07-28"], requested="2099-01-01"))
    assert not check_exchanges([discover, same]).faults
    expected = [("versioning.mismatch.lists-supported", "/1/reply/error/data/supported")]
    assert faults(check_exchanges([discover, other])) == expected


# --- anything ---------------------------------------------------------------------------------------------------------


@given(JSON, JSON, JSON, JSON, JSON)
def test_any_document_is_judged(request: Any, reply: Any, status: Any, headers: Any, era: Any) -> None:
    whole: Any = {"request": request, "reply": reply, "status": status, "request_headers": headers, "era": era}
    documents: list[Any] = [request, whole, {"request": request}, {"request": asks(), "reply": reply, "status": status}]
    for document in documents:
        check_exchange(document)
    found = check_exchanges(documents)
    for fault in (*found.faults, *found.notes):
        assert fault.what.isprintable()
        severity(fault.requirement)


def test_huge_numbers_do_no_harm() -> None:
    huge = 10**5000
    for code in (huge, -huge, -32602):
        for meta in (META, NO_CAPABILITIES):
            found = check_exchange(exchange(asks(meta=meta, request_id=huge), fails(code, huge), huge))
            assert all(fault.what.isprintable() for fault in found.faults)


def test_exchanges_are_known_for_what_they_are() -> None:
    one = exchange(asks(), gives(**TOOLS))
    assert guess(one) == "exchange"
    assert guess([one, one]) == "exchanges"
    wrong = copy.deepcopy(one)
    wrong["reply"]["id"] = 2
    assert [fault.pointer for fault in check_value(wrong).faults] == ["/reply"]
    assert [fault.pointer for fault in check_value([one, wrong]).faults] == ["/1/reply"]


def test_advice_is_no_break() -> None:
    document = exchange(asks(), {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", **TOOLS}})
    (fault,) = check_exchange(document).faults
    assert fault.requirement == "meta.response.server-info"
    assert severity(fault.requirement) is Level.SHOULD


# --- what is told, and what is not held ---------------------------------------------------------------------------


@pytest.mark.parametrize("request_", [1, None, {"raw": "garbage"}, {"jsonrpc": "2.0", "method": 5}])
def test_nothing_holds_where_nothing_was_owed(request_: Any) -> None:
    assert not check_exchange({"request": request_}).held


def test_a_notification_without_an_answer_holds() -> None:
    sent: Any = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
    assert check_exchange({"request": sent}).held == ["base.notification.no-response"]


def test_a_result_for_what_is_no_json_is_wrong_in_any_era() -> None:
    document = {"request": {"raw": "garbage"}, "reply": {"jsonrpc": "2.0", "id": 7, "result": {}}}
    assert "errors.standard.parse-error" in broken(document)


@pytest.mark.parametrize(
    ("asked", "capability"),
    [
        ({"method": "roots/list"}, {"roots": {}}),
        ({"method": "elicitation/create", "params": {"mode": "url"}}, {"elicitation": {"url": {}}}),
        ({"method": "elicitation/create", "params": {}}, {"elicitation": {}}),
        ({"method": "sampling/createMessage", "params": {}}, {"sampling": {}}),
        ({"method": "sampling/createMessage", "params": {"tools": []}}, {"sampling": {"tools": {}}}),
    ],
)
def test_input_is_asked_for_by_declared_capabilities_alone(asked: Any, capability: Any) -> None:
    reply = gives(resultType="input_required", inputRequests={"a": asked})
    without = exchange(asks("tools/call", name="x"), reply)
    declared = exchange(asks("tools/call", meta={**META, CAPABILITIES: capability}, name="x"), reply)
    assert "meta.capability.no-undeclared" in broken(without)
    assert "meta.capability.no-undeclared" not in broken(declared)


def test_a_foreign_result_type_is_judged_by_shape_unless_an_extension_is_declared() -> None:
    reply = gives(**{**TOOLS, "resultType": "zzz", "tools": 5})
    extended = {**META, CAPABILITIES: {"extensions": {"com.example/x": {}}}}
    assert len(broken(exchange(asks(), reply))) > 1
    assert not broken(exchange(asks(meta=extended), reply))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("status", "x"),
        ("status", 1000),
        ("headers", 7),
        ("request_headers", {"a": 1}),
        ("transport", "carrier-pigeon"),
        ("era", "zzz"),
    ],
)
def test_members_that_cannot_be_read_are_told(name: str, value: Any) -> None:
    found = check_exchange({**exchange(asks(), gives(**TOOLS)), name: value})
    assert f"/{name}" in {note.pointer for note in found.notes}


def test_a_result_with_the_status_of_an_error_is_told() -> None:
    assert any(note.pointer == "/status" for note in check_exchange(exchange(asks(), gives(**TOOLS), 404)).notes)
    assert not check_exchange(exchange(asks(), gives(**TOOLS), 200)).notes


def test_the_result_of_a_method_out_of_scope_is_said_to_be_unjudged() -> None:
    found = check_exchange(exchange(asks("tools/call", name="x"), gives()))
    assert ("base.schema.conforms", "/reply/result") in {(note.requirement, note.pointer) for note in found.notes}
