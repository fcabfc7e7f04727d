"""The reference server conforms, and each faulty server that needs a timeline differs from it in one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from spec_model.cases.requests import (
    CLIENT_INFO,
    LEGACY,
    LOG_LEVEL,
    SERVER_INFO,
    UNKNOWN,
    VERSION,
    bare,
    headers,
    initialize,
    legacy_headers,
    notification,
    request,
    with_meta,
)
from spec_model.peers.faults import FAULTS, Fault
from spec_model.peers.server import MOST_HELD, HttpReply, ReferenceServer
from spec_model.peers.server_content import DUAL, DUAL_OLDEST, MODERN, Settings
from spec_model.peers.server_content import LEGACY as LEGACY_ONLY
from spec_model.requirements.catalogue import catalogue
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import MessagesAfterCancel
from spec_model.semantics.decision import Conformance, Findings
from spec_model.semantics.discovery import judge_discover_result
from spec_model.semantics.logging import LEVELS, judge_log_message
from spec_model.semantics.metadata import judge_result_meta
from spec_model.semantics.results import judge_contents, judge_list, judge_result_response
from spec_model.wire.values import member

METHODS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
ELICITS: dict[str, Any] = {"elicitation": {"form": {}}}


def line(server: ReferenceServer, message: Any) -> list[Any]:
    """The messages that answer one message on stdio."""
    return server.receive_line(json.dumps(message).encode()).messages


def one(server: ReferenceServer, message: Any) -> Any:
    """The only message that answers a message on stdio."""
    (answer,) = line(server, message)
    return answer


def post(server: ReferenceServer, message: Any, connection: int = 0, **changes: Any) -> HttpReply:
    """The response to a POST of a message of this revision."""
    more = changes.pop("more", {})
    return server.receive_http(
        "POST", {**headers(message, **changes), **more}, json.dumps(message).encode(), connection
    )


def pages(server: ReferenceServer, method: str) -> list[dict[str, Any]]:
    """The results of a walk through a list."""
    found = [one(server, request(method))["result"]]
    while "nextCursor" in found[-1]:
        found.append(one(server, request(method, {"cursor": found[-1]["nextCursor"]}))["result"])
    return found


# --- it conforms -----------------------------------------------------------------------------------------------------


def _conforms(found: Findings) -> None:
    assert found.decision().outcome is Conformance.CONFORMS, found.faults


def test_discovery_conforms() -> None:
    answer = one(ReferenceServer(), request("server/discover"))
    found = Findings()
    judge_result_response(found, answer)
    judge_discover_result(found, answer["result"])
    judge_result_meta(found, answer["result"]["_meta"])
    _conforms(found)


@pytest.mark.parametrize("settings", [MODERN, DUAL], ids=["modern", "dual"])
@pytest.mark.parametrize("method", METHODS)
def test_lists_conform_and_hold_every_item(settings: Settings, method: str) -> None:
    found = Findings()
    walked = pages(ReferenceServer(settings), method)
    for result in walked:
        judge_list(found, result, method=method)
        judge_result_meta(found, result["_meta"])
    _conforms(found)
    name = {"resources/templates/list": "resourceTemplates"}.get(method, method.split("/", maxsplit=1)[0])
    assert [item for result in walked for item in result[name]] == settings.lists[name]
    assert len(walked) > 1
    assert len({result["cacheScope"] for result in walked}) == 1


def test_cursors_stay_valid_for_every_process() -> None:
    cursor = pages(ReferenceServer(), "tools/list")[0]["nextCursor"]
    answers = [one(ReferenceServer(), request("tools/list", {"cursor": cursor})) for _ in range(2)]
    assert answers[0] == answers[1]
    assert "error" not in answers[0]
    assert one(ReferenceServer(), request("prompts/list", {"cursor": cursor}))["error"]["code"] == -32602


def test_resources_conform() -> None:
    found = Findings()
    judge_contents(found, one(ReferenceServer(), request("resources/read", {"uri": "text://żółw"}))["result"])
    _conforms(found)
    assert one(ReferenceServer(), request("resources/read", {"uri": "text://none"}))["error"]["code"] == -32602
    assert one(ReferenceServer(), request("resources/read", {"uri": 7}))["error"]["code"] == -32602


def test_prompts() -> None:
    server = ReferenceServer()
    greeted = one(server, request("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}}))
    assert greeted["result"]["messages"][0]["content"]["text"] == "Greet Ada"
    assert one(server, request("prompts/get", {"name": "greet"}))["error"]["code"] == -32602
    assert one(server, request("prompts/get", {"name": "none"}))["error"]["code"] == -32602
    assert one(server, request("prompts/get", {"name": "summarize"}))["result"]["resultType"] == "complete"


@pytest.mark.parametrize("level", LEVELS)
def test_logs_go_out_at_or_above_the_level_and_before_the_response(level: str) -> None:
    *logs, response = line(ReferenceServer(), request("tools/call", {"name": "log"}, meta=with_meta(log_level=level)))
    found = Findings()
    for message in logs:
        judge_log_message(found, message)
    _conforms(found)
    assert [message["params"]["level"] for message in logs] == [*LEVELS[LEVELS.index(level) :]]
    assert response["result"]["resultType"] == "complete"
    assert len(line(ReferenceServer(), request("tools/call", {"name": "log"}))) == 1


def test_tools() -> None:
    server = ReferenceServer()
    echo = request("tools/call", {"name": "echo", "arguments": {"text": "hi"}})
    assert one(server, echo)["result"]["content"] == [{"type": "text", "text": "hi"}]
    assert one(server, request("tools/call", {"name": "echo"}))["result"]["isError"] is True
    for params in ({"name": "none"}, {}, {"name": "echo", "arguments": []}):
        assert one(server, request("tools/call", params))["error"]["code"] == -32602


def test_input_is_asked_for_in_the_result_and_only_if_declared() -> None:
    server = ReferenceServer()
    call = {"name": "ask", "arguments": {}}
    refused = one(server, request("tools/call", call))
    assert refused["error"]["code"] == -32021
    assert refused["error"]["data"] == {"requiredCapabilities": ELICITS}
    assert post(server, request("tools/call", call)).status == 400
    asked = one(server, request("tools/call", call, meta=with_meta(capabilities=ELICITS)))["result"]
    assert asked["resultType"] == "input_required"
    assert "ttlMs" not in asked
    answers = {"text": {"action": "accept", "content": {"text": "yes"}}}
    retried = request("tools/call", {**call, "inputResponses": answers}, meta=with_meta(capabilities=ELICITS))
    assert one(server, retried)["result"]["content"][0]["text"] == "yes"


def test_a_legacy_session_has_no_member_of_this_revision() -> None:
    server = ReferenceServer(DUAL)
    assert one(server, initialize())["result"]["protocolVersion"] == LEGACY
    assert line(server, notification("notifications/initialized")) == []
    assert set(one(server, bare("tools/list"))["result"]) == {"tools", "nextCursor"}
    assert one(server, bare("ping"))["result"] == {}
    assert one(server, bare("resources/read", {"uri": "text://none"}))["error"]["code"] == -32002
    assert one(server, bare("server/discover"))["error"]["code"] == -32601
    assert one(server, bare("tools/call", {"name": "ask"}))["error"]["code"] == -32602
    assert one(server, request("tools/list"))["result"]["resultType"] == "complete"


def test_the_log_level_of_a_legacy_session() -> None:
    server = ReferenceServer(DUAL)
    line(server, initialize())
    call = bare("tools/call", {"name": "log"})
    assert len(line(server, call)) == 1
    line(server, bare("logging/setLevel", {"level": "alert"}))
    assert [message.get("method") for message in line(server, call)] == ["notifications/message"] * 2 + [None]
    line(server, bare("logging/setLevel", {"level": "loud"}))
    assert len(line(server, call)) == 3


def test_batches_of_the_one_revision_that_has_them() -> None:
    server = ReferenceServer(DUAL_OLDEST)
    line(server, initialize("2025-03-26"))
    batch = [bare("ping"), notification("notifications/initialized"), 7, {"method": "x"}, bare("tools/list", id=2)]
    answer = one(server, batch)
    assert [message.get("id") for message in answer] == [1, None, None, 2]
    assert line(server, [notification("notifications/initialized")]) == []


def test_an_http_session_is_opened_by_the_handshake_alone() -> None:
    server = ReferenceServer(DUAL)
    opened = server.receive_http("POST", legacy_headers(), json.dumps(initialize()).encode())
    session = opened.headers["mcp-session-id"]
    in_session = legacy_headers(version=LEGACY, session_id=session)
    listed = server.receive_http("POST", in_session, json.dumps(bare("tools/list")).encode())
    assert (listed.status, "mcp-session-id" in listed.headers) == (200, False)
    assert (
        server.receive_http("POST", legacy_headers(version=LEGACY), b'{"jsonrpc":"2.0","id":1,"method":"ping"}').status
        == 400
    )
    gone = legacy_headers(version=LEGACY, session_id="gone")
    assert server.receive_http("POST", gone, b'{"jsonrpc":"2.0","id":1,"method":"ping"}').status == 404
    noted = server.receive_http("POST", in_session, json.dumps(notification("notifications/initialized")).encode())
    assert (noted.status, noted.messages, noted.headers) == (202, [], {})
    assert post(server, request("tools/list"), session_id="gone").status == 200


def test_bodies_are_json_or_an_event_stream() -> None:
    server = ReferenceServer()
    plain = post(server, request("server/discover"))
    assert plain.headers == {"content-type": "application/json"}
    assert [json.loads(plain.body())] == plain.messages
    logged = post(server, request("tools/call", {"name": "log"}, meta=with_meta(log_level="alert")))
    assert logged.headers["content-type"] == "text/event-stream"
    events = [json.loads(event.removeprefix("data: ")) for event in logged.body().decode().split("\n\n") if event]
    assert events == logged.messages
    assert post(server, notification("notifications/cancelled", {"requestId": 1}), version=VERSION).body() == b""


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_other_http_methods(method: str) -> None:
    assert ReferenceServer().receive_http(method, {}).status == 405
    assert ReferenceServer(DUAL).receive_http(method, {}).status == 405


def test_unreadable_input_is_survived() -> None:
    server = ReferenceServer()
    for data in (b"", b"nonsense", b'{"id":"\xff"}', b"[" * 5000, b'{"a":' * 5000):
        reply = server.receive_line(data)
        assert [member(message, "error", "code") for message in reply.messages] == [-32700]
        assert not reply.exited
        assert server.receive_http("POST", headers(request("server/discover")), data).status == 400
    assert "result" in one(server, request("server/discover"))


def test_a_subscription_stays_open_until_it_is_cancelled() -> None:
    server = ReferenceServer()
    (acknowledged,) = line(server, request("subscriptions/listen", {"notifications": {}}, id="listen"))
    assert acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "listen"
    assert list(server.running) == ["listen"]
    line(server, notification("notifications/cancelled", {"requestId": "listen"}))
    assert not server.running
    assert post(server, request("subscriptions/listen", {"notifications": {}})).ended is False


@pytest.mark.parametrize("late", [False, True])
def test_nothing_follows_a_cancellation(late: bool) -> None:
    value = MessagesAfterCancel.RESPONSE_IF_NOT_CANCELLABLE if late else MessagesAfterCancel.NOTHING_AFTER_RECEIPT
    server = ReferenceServer(profile=DEFAULT_PROFILE.varied(value))
    assert line(server, request("tools/call", {"name": "wait"}, id=5)) == []
    assert line(server, request("tools/call", {"name": "wait"}, id=6)) == []
    line(server, notification("notifications/cancelled", {"requestId": "5"}))
    line(server, notification("notifications/cancelled", {"requestId": 5}))
    assert [key for key, _ in server.finish()] == [6]
    assert server.finish() == []


def test_the_process_ends_with_its_input() -> None:
    assert ReferenceServer().end_of_input().exited


def test_a_legacy_only_server_refuses_what_no_handshake_preceded() -> None:
    server = ReferenceServer(LEGACY_ONLY)
    assert "error" in one(server, request("server/discover"))
    assert post(server, request("server/discover")).status == 400
    line(server, initialize())
    assert "tools" in one(server, request("tools/list"))["result"]


@pytest.mark.parametrize("settings", [MODERN, DUAL], ids=["modern", "dual"])
def test_the_answer_does_not_depend_on_what_came_before(settings: Settings) -> None:
    asked = [
        request("server/discover"),
        request("tools/list", meta=with_meta(client_info=None)),
        request("tools/list", meta=with_meta(version=UNKNOWN)),
        request("tools/call", {"name": "ask"}, meta=with_meta(capabilities=ELICITS)),
        request("tools/call", {"name": "ask"}),
        request("tools/call", {"name": "log"}, meta=with_meta(log_level="error")),
        request("tools/call", {"name": "log"}),
    ]
    alone = [line(ReferenceServer(settings), message) for message in asked]
    server = ReferenceServer(settings)
    assert [line(server, message) for message in asked] == alone
    assert [line(server, message) for message in reversed(asked)] == alone[::-1]


# --- the faulty servers ----------------------------------------------------------------------------------------------


def test_faults_name_requirements_and_themselves() -> None:
    assert len(FAULTS) > 50
    for fault in FAULTS.values():
        assert set(fault.breaks) <= set(catalogue())
        assert fault.what.endswith(".") and "\n" not in fault.what
    assert len({fault.what for fault in FAULTS.values()}) == len(FAULTS)


def _second_page(server: ReferenceServer) -> Any:
    return pages(server, "tools/list")[1:]


def _scopes(server: ReferenceServer) -> Any:
    return len({page["cacheScope"] for page in pages(server, "tools/list")})


def _after_handshake(message: Any, version: str = LEGACY) -> Callable[[ReferenceServer], Any]:
    def run(server: ReferenceServer) -> Any:
        line(server, initialize(version))
        return line(server, message)

    return run


def _after(*messages: Any) -> Callable[[ReferenceServer], Any]:
    def run(server: ReferenceServer) -> Any:
        return [line(server, message) for message in messages][-1]

    return run


def _cancelled(server: ReferenceServer) -> Any:
    line(server, request("tools/call", {"name": "wait"}, id=5))
    line(server, notification("notifications/cancelled", {"requestId": 5}))
    return [key for key, _ in server.finish()]


def _two_subscriptions(server: ReferenceServer) -> Any:
    for number in (1, 2):
        line(server, request("subscriptions/listen", {"notifications": {}}, id=number))
    return list(server.running)


def _cursor_elsewhere(server: ReferenceServer) -> Any:
    cursor = pages(server, "tools/list")[0]["nextCursor"]
    other = type(server)(server.settings, server.profile)
    return line(other, request("tools/list", {"cursor": cursor}))


def _cursor_twice(server: ReferenceServer) -> Any:
    cursor = pages(server, "tools/list")[0]["nextCursor"]
    return line(server, request("tools/list", {"cursor": cursor}))


def _two_users(server: ReferenceServer) -> Any:
    lists = [post(server, request("tools/list"), more={"Authorization": user}).messages for user in ("Ada", "Bob")]
    return lists[0] == lists[1]


def _other_connection(server: ReferenceServer) -> Any:
    post(server, request("tools/list"), connection=1)
    return post(server, request("tools/list"), connection=2).status


def _cancelled_by_text(server: ReferenceServer) -> Any:
    line(server, request("tools/call", {"name": "wait"}, id=5))
    line(server, notification("notifications/cancelled", {"requestId": "5"}))
    return [key for key, _ in server.finish()]


def _after_unreadable(server: ReferenceServer) -> Any:
    server.receive_line(b"{")
    return line(server, request("server/discover"))


def _after_invalid_cursor(server: ReferenceServer) -> Any:
    cursor = one(server, request("tools/list"))["result"]["nextCursor"]
    line(server, request("tools/list", {"cursor": "none"}))
    return line(server, request("tools/list", {"cursor": cursor}))


def _both_eras_over_http(server: ReferenceServer) -> Any:
    server.receive_http("POST", legacy_headers(), json.dumps(initialize()).encode())
    return post(server, request("server/discover")).status


LISTEN = request("subscriptions/listen", {"notifications": {"toolsListChanged": True}}, id="s")
LOG = request("tools/call", {"name": "log"}, meta=with_meta(log_level="alert"))
OTHER_CLIENT = request("server/discover", meta={**with_meta(), CLIENT_INFO: {"name": "Other", "version": "1"}})
TIMELINES: dict[str, tuple[Settings, Callable[[ReferenceServer], Any]]] = {
    "answers-cancelled": (MODERN, _cancelled),
    "binds-capabilities": (
        MODERN,
        _after(request("server/discover"), request("server/discover", meta=with_meta(capabilities=ELICITS))),
    ),
    "binds-client": (MODERN, _after(request("server/discover"), OTHER_CLIENT)),
    "broken-by-error": (MODERN, _after(request("x/y"), request("server/discover"))),
    "cancels-by-text": (MODERN, _cancelled_by_text),
    "ends-cancelled-subscription": (
        MODERN,
        _after(LISTEN, notification("notifications/cancelled", {"requestId": "s"})),
    ),
    "era-of-first": (DUAL, _both_eras_over_http),
    "era-of-malformed": (DUAL, _after(bare("tools/list"), request("server/discover"))),
    "filter-of-connection": (
        MODERN,
        _after(LISTEN, request("subscriptions/listen", {"notifications": {}}, id="t")),
    ),
    "ids-once": (MODERN, _after(request("server/discover"), request("server/discover"))),
    "loses-line-after-unreadable": (MODERN, _after_unreadable),
    "modern-as-legacy": (DUAL, _after_handshake(request("server/discover"))),
    "overlapping-pages": (MODERN, _second_page),
    "remembers-log-level": (MODERN, _after(LOG, request("tools/call", {"name": "log"}))),
    "spoils-cursors": (MODERN, _after_invalid_cursor),
    "drops-notifications": (MODERN, _cancelled),
    "cursors-of-process": (MODERN, _cursor_elsewhere),
    "cursors-once": (MODERN, _cursor_twice),
    "drops-batches": (DUAL_OLDEST, _after_handshake([bare("ping")], "2025-03-26")),
    "handshake-with-newest": (DUAL, _after(initialize("2025-06-18"))),
    "handshake-with-oldest": (DUAL, _after(initialize())),
    "logs-after-response": (MODERN, _after(LOG)),
    "logs-on-next-stream": (MODERN, _after(LOG, request("server/discover"))),
    "mixed-scopes": (MODERN, _scopes),
    "no-next-cursor": (MODERN, _second_page),
    "one-at-a-time": (MODERN, _after(request("tools/call", {"name": "wait"}, id=5), request("server/discover"))),
    "one-connection": (MODERN, _other_connection),
    "one-subscription": (MODERN, _two_subscriptions),
    "public-per-user": (MODERN, _two_users),
    "refuses-initialized": (DUAL, _after_handshake(notification("notifications/initialized"))),
    "remembers-capabilities": (
        MODERN,
        _after(
            request("tools/list", meta=with_meta(capabilities=ELICITS)),
            request("tools/call", {"name": "ask"}),
        ),
    ),
    "remembers-client": (MODERN, _after(request("tools/list"), request("tools/list", meta={}))),
    "remembers-version": (
        MODERN,
        _after(request("tools/list"), request("tools/list", meta=with_meta(version=UNKNOWN))),
    ),
    "stays-at-end-of-input": (MODERN, lambda server: server.end_of_input().exited),
    "ttl-on-first-page-only": (MODERN, _second_page),
    "varies-by-client": (MODERN, _after(OTHER_CLIENT)),
}


def test_every_fault_that_needs_a_timeline_has_one() -> None:
    assert set(TIMELINES) == {fault.name for fault in FAULTS.values() if fault.timeline}


@pytest.mark.parametrize("fault", [fault for fault in FAULTS.values() if fault.timeline], ids=lambda fault: fault.name)
def test_a_timeline_tells_the_fault_from_the_reference(fault: Fault) -> None:
    settings, run = TIMELINES[fault.name]
    assert run(fault.server(settings)) != run(ReferenceServer(settings))


def test_a_fault_keeps_the_profile() -> None:
    profile: Profile = DEFAULT_PROFILE.varied(MessagesAfterCancel.RESPONSE_IF_NOT_CANCELLABLE)
    assert all(fault.server(MODERN, profile).profile == profile for fault in FAULTS.values())
    assert SERVER_INFO in one(FAULTS["no-hints"].server(MODERN), request("tools/list"))["result"]["_meta"]
    assert LOG_LEVEL in LOG["params"]["_meta"]


def test_what_a_server_holds_is_bounded() -> None:
    server, body = ReferenceServer(DUAL), json.dumps(initialize()).encode()
    replies = [server.receive_http("POST", legacy_headers(), body) for _ in range(MOST_HELD + 5)]
    named = [reply.headers["mcp-session-id"] for reply in replies]
    assert len(set(named)) == len(named)
    assert len(server.sessions) == MOST_HELD
    assert named[-1] in server.sessions and named[0] not in server.sessions
