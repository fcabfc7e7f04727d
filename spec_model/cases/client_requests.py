"""Scenarios: what every request of a client looks like, and what a client makes of what it receives."""

from __future__ import annotations

from spec_model.cases.client_material import (
    KNOWN,
    MODERN,
    complete,
    contents,
    discovered,
    dual,
    error,
    known,
    listening,
    of_subscription,
    on_each,
    page,
    text,
    tools,
)
from spec_model.cases.courses import Views
from spec_model.cases.scenario_table import call, client, on, say, scenarios, wait

requests = scenarios("requests", "What the requests of a client look like, and what it makes of the answers.")

_MIRRORED = ("transport.metadata.http-mirrors", "headers.protocol-version.on-every-post")

for transport in on_each():
    requests(
        f"metadata/{transport}",
        f"Every request has its version and the capabilities of the client ({transport})",
        client(transport, capabilities={"elicitation": {}}),
        [
            discovered(),
            known("echo"),
            on("tools/call", result=text("hi")),
            on("resources/read", result=contents("text://one", "One")),
            on("resources/templates/list", result=page("resources/templates/list", "one")),
            on("prompts/list", result=page("prompts/list", "greet")),
        ],
        [
            call(0, "find", "discover"),
            call(100, "list", "tools/list"),
            call(200, "run", "tools/call", name="echo", arguments={"text": "hi"}),
            call(300, "read", "resources/read", uri="text://one"),
            call(400, "templates", "resources/templates/list"),
            call(500, "prompts", "prompts/list"),
        ],
        _shows=(
            "meta.request.protocol-version",
            "meta.request.client-capabilities",
            "transport.metadata.in-body",
            "transport.delivery.server-responses",
            *(_MIRRORED if transport == "http" else ()),
        ),
    )
    requests(
        f"client-info/{transport}",
        f"Every request says who the client is ({transport})",
        client(transport),
        [discovered(), known("echo"), on("tools/call", result=text("hi"))],
        [
            call(0, "find", "discover"),
            call(50, "list", "tools/list"),
            call(100, "run", "tools/call", name="echo", arguments={}),
        ],
        _shows=("meta.request.client-info-sent",),
        _views=(Views.CLIENT_INFO,),
        _note="A client that is configured to withhold its identity is not tested with this scenario.",
    )
    requests(
        f"ids/{transport}",
        f"Three requests at once have three ids ({transport})",
        client(transport),
        [
            discovered(),
            known("slow", "middle", "fast"),
            on("tools/call", params={"name": "slow"}, result=text("slow"), delay_ms=1_000),
            on("tools/call", params={"name": "middle"}, result=text("middle"), delay_ms=600),
            on("tools/call", params={"name": "fast"}, result=text("fast"), delay_ms=200),
        ],
        [
            call(0, "find", "discover"),
            KNOWN,
            call(100, "a", "tools/call", name="slow", arguments={}),
            call(200, "b", "tools/call", name="middle", arguments={}),
            call(300, "c", "tools/call", name="fast", arguments={}),
            wait(650),
            wait(950),
        ],
        _end=1_300,
        _shows=("base.request.id-unique-outstanding",),
    )
    requests(
        f"error/{transport}",
        f"The code of an error reaches the caller ({transport})",
        client(transport),
        [
            discovered(),
            known("echo"),
            on("tools/call", error=error(-32602)),
            on("resources/read", error=error(-32602, uri="text://gone")),
        ],
        [
            call(0, "find", "discover"),
            KNOWN,
            call(100, "a", "tools/call", name="nothing", arguments={}),
            call(200, "b", "resources/read", uri="text://gone"),
        ],
        _shows=("transport.delivery.server-responses",),
    )
    requests(
        f"server-info/{transport}",
        f"Two servers that differ in their names alone are treated alike ({transport})",
        client(transport),
        [
            on(
                "server/discover",
                result={
                    **complete(supportedVersions=MODERN, capabilities={"tools": {}}, ttl=0),
                    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "legacy-server", "version": "2025-11-25"}},
                },
            ),
            on(
                "tools/list",
                result={
                    **tools("echo", ttl=1000),
                    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "known-broken", "version": "0.0.1"}},
                },
            ),
        ],
        [call(0, "find", "discover"), call(50, "a", "tools/list"), call(2000, "b", "tools/list")],
        _shows=("meta.identity.server-info-no-behavior",),
    )
    requests(
        f"server-request/{transport}",
        f"A request of the server gets no response ({transport})",
        client(transport, capabilities={"roots": {}, "sampling": {}}),
        [
            discovered(),
            known("ask"),
            on(
                "tools/call",
                before=[
                    {"jsonrpc": "2.0", "id": "server-1", "method": "ping"},
                    {"jsonrpc": "2.0", "id": "server-2", "method": "roots/list"},
                ],
                result=text("done"),
                stream=True,
            ),
        ],
        [call(0, "find", "discover"), KNOWN, call(100, "a", "tools/call", name="ask", arguments={}), wait(200)],
        _shows=("transport.direction.no-client-responses",),
    )
    requests(
        f"logging/{transport}",
        f"Log messages are asked for in the metadata of the request ({transport})",
        client(transport),
        [discovered(logging={}), known("log"), on("tools/call", result=text("logged"))],
        [
            call(0, "find", "discover"),
            KNOWN,
            call(100, "a", "tools/call", name="log", arguments={}, log_level="warning"),
            call(200, "b", "tools/call", name="log", arguments={}),
        ],
        _shows=("logging.request.opt-in",),
    )
    requests(
        f"no-initialized/{transport}",
        f"A modern client says nothing after discovery but its requests ({transport})",
        dual(transport, capabilities={"roots": {"listChanged": True}}),
        [discovered(), on("tools/list", result=tools("echo"))],
        [call(0, "a", "discover"), wait(100), call(200, "b", "tools/list"), wait(300)],
        _shows=("removed.notification.initialized", "removed.notification.roots-list-changed"),
    )
    requests(
        f"unknown-result-type/{transport}",
        f"A result of a type that the client does not know is an error ({transport})",
        client(transport),
        [
            discovered(),
            known("slow"),
            on("tools/call", result={"resultType": "task", "task": {"taskId": "t1", "status": "working"}}),
        ],
        [call(0, "find", "discover"), KNOWN, call(100, "a", "tools/call", name="slow", arguments={})],
        _about=("results.type.unrecognized-invalid",),
        _see=("field:rt-task-decoded-as-empty-success",),
        _flags=("malformed",),
    )
    requests(
        f"absent-result-type/{transport}",
        f"A result without a type counts as complete ({transport})",
        client(transport),
        [discovered(), known("echo"), on("tools/call", result={"content": [{"type": "text", "text": "hi"}]})],
        [call(0, "find", "discover"), KNOWN, call(100, "a", "tools/call", name="echo", arguments={})],
        _about=("results.type.absent-as-complete",),
        _flags=("malformed",),
    )
    requests(
        f"out-of-band/{transport}",
        f"How an interaction elsewhere ended is learned by asking again ({transport})",
        client(
            transport,
            capabilities={"elicitation": {"url": {}}},
            answers={"elicitation/create": {"action": "accept"}},
        ),
        [
            discovered(),
            known("buy"),
            on("tools/call", params={"requestState": "s2"}, result=text("paid")),
            on(
                "tools/call",
                params={"requestState": "s1"},
                result=complete() | {"resultType": "input_required", "requestState": "s2"},
            ),
            on(
                "tools/call",
                result={
                    "resultType": "input_required",
                    "requestState": "s1",
                    "inputRequests": {
                        "pay": {
                            "method": "elicitation/create",
                            "params": {"mode": "url", "message": "Pay", "url": "https://pay.example/1"},
                        }
                    },
                },
            ),
        ],
        [call(0, "find", "discover"), KNOWN, call(100, "a", "tools/call", name="buy", arguments={"what": "book"})],
        _shows=("removed.elicitation-complete.learned-by-retry",),
        _needs=("input-requests",),
    )
    requests(
        f"subscription/{transport}",
        f"A notification of a subscription reaches the caller that listens ({transport})",
        client(transport),
        [discovered(tools={"listChanged": True}), listening(toolsListChanged=True)],
        [
            call(0, "find", "discover"),
            call(100, "sub", "listen", notifications={"toolsListChanged": True}),
            say(
                200,
                "subscriptions/listen#1",
                messages=[of_subscription("notifications/tools/list_changed", "subscriptions/listen#1")],
                open=True,
            ),
            call(300, "look", "received", call="sub"),
        ],
        _shows=("transport.delivery.server-notifications",),
        _needs=("subscriptions",),
    )
