"""Scenarios: the framing of stdio, its one channel, cancellation, shutdown and restart."""

from __future__ import annotations

from spec_model.cases.client_material import (
    acknowledged,
    discovered,
    discovery,
    dual,
    initialized,
    legacy_tools,
    note,
    of_subscription,
    text,
    tools,
)
from spec_model.cases.scenario_table import any_order, call, client, on, say, scenarios, wait
from spec_model.verdicts import Level

stdio = scenarios("stdio", "What a client does on stdio.")

FIND = call(0, "find", "discover")
ECHO = on("tools/call", params={"name": "echo"}, result=text("hi"))

# --- framing ----------------------------------------------------------------------------------------------------------

stdio(
    "launch",
    "The client starts the server itself, once, and speaks with it on its standard streams",
    client(),
    [discovered(), on("tools/list", result=tools("echo"))],
    [FIND, call(100, "list", "tools/list")],
    _shows=("stdio.launch.subprocess", "stdio.send.one-per-line"),
)
stdio(
    "line-breaks",
    "Line breaks inside a message are escaped",
    client(),
    [discovered(), on("tools/call", result=text("hi"))],
    [
        FIND,
        call(100, "a", "tools/call", name="echo", arguments={"text": "one\ntwo\r\nthree\u2028four"}),
        call(200, "b", "tools/call", name="żółw\n", arguments={"": "\x00", "nested": [{"line\n": "\n"}]}),
    ],
    _shows=("stdio.send.one-per-line", "stdio.stdin.only-messages"),
)
stdio(
    "only-messages",
    "Nothing goes out but messages, however long the client is idle",
    client(),
    [discovered(), ECHO],
    [FIND, wait(30_000), call(60_000, "a", "tools/call", name="echo", arguments={}), wait(120_000)],
    _shows=("stdio.stdin.only-messages",),
)
stdio(
    "one-per-line",
    "Each line of the server is read as one message of its own",
    client(),
    [
        discovered(),
        on("tools/call", params={"name": "first"}),
        on(
            "tools/call",
            params={"name": "second"},
            messages=[
                {"jsonrpc": "2.0", "id": "$id:tools/call#2", "result": text("second")},
                {"jsonrpc": "2.0", "id": "$id:tools/call#1", "result": text("first")},
            ],
        ),
    ],
    [
        FIND,
        call(100, "a", "tools/call", name="first", arguments={}),
        call(200, "b", "tools/call", name="second", arguments={}),
    ],
    _shows=("stdio.receive.one-per-line", "stdio.receive.shared-channel"),
)
stdio(
    "interleaved",
    "Progress and responses of two calls are told apart on one channel",
    client(),
    [discovered(), on("tools/call")],
    [
        FIND,
        call(100, "a", "tools/call", name="slow", arguments={}, progress=True),
        call(150, "b", "tools/call", name="quick", arguments={}, progress=True),
        say(
            200,
            messages=[
                note("notifications/progress", progressToken="$token:tools/call#2", progress=1),
                note("notifications/progress", progressToken="$token:tools/call#1", progress=1),
                note("notifications/progress", progressToken="$token:tools/call#2", progress=2),
            ],
        ),
        call(300, "of-b", "received", call="b"),
        call(350, "of-a", "received", call="a"),
        say(450, "tools/call#2", result=text("quick")),
        say(550, "tools/call#1", result=text("slow")),
    ],
    _shows=("stdio.receive.shared-channel", "base.request.id-unique-outstanding"),
    _needs=("progress",),
)
stdio(
    "two-subscriptions",
    "Notifications of two subscriptions are told apart by the subscription id",
    client(),
    [discovered(tools={"listChanged": True}, resources={"subscribe": True}), on("subscriptions/listen")],
    [
        FIND,
        call(100, "lists", "listen", notifications={"toolsListChanged": True}),
        call(150, "reads", "listen", notifications={"resourceSubscriptions": ["text://one"]}),
        say(
            200,
            messages=[
                of_subscription(
                    "notifications/subscriptions/acknowledged",
                    "subscriptions/listen#2",
                    notifications={"resourceSubscriptions": ["text://one"]},
                ),
                of_subscription(
                    "notifications/subscriptions/acknowledged",
                    "subscriptions/listen#1",
                    notifications={"toolsListChanged": True},
                ),
                of_subscription("notifications/resources/updated", "subscriptions/listen#2", uri="text://one"),
            ],
        ),
        call(300, "of-lists", "received", call="lists"),
        call(350, "of-reads", "received", call="reads"),
    ],
    _shows=("stdio.receive.shared-channel", "transport.delivery.server-notifications"),
    _needs=("subscriptions",),
)
stdio(
    "stderr",
    "Text on standard error changes nothing",
    dual(),
    [
        on("server/discover", stderr="ERROR: no configuration\n" * 400, result=discovery()),
        on("tools/call", stderr="Traceback:\nfatal\n", result=text("hi"), delay_ms=50),
    ],
    [
        FIND,
        call(100, "a", "tools/call", name="echo", arguments={}),
        say(300, stderr="panic\n"),
        call(400, "b", "tools/call", name="echo", arguments={}),
    ],
    _shows=("stdio.stderr.not-an-error",),
    _see=("field:disc-stderr-deadlock",),
)

# --- cancellation -----------------------------------------------------------------------------------------------------

stdio(
    "cancel",
    "A call in flight is cancelled by the id of its request, and a late response is ignored",
    client(),
    [discovered(), ECHO, on("tools/call", params={"name": "slow"}, result=text("late"), delay_ms=500)],
    [
        FIND,
        call(100, "a", "tools/call", name="slow", arguments={}),
        call(200, "stop", "cancel", call="a"),
        wait(550),
        call(700, "b", "tools/call", name="echo", arguments={}),
    ],
    _shows=("stdio.cancel.notification",),
    _see=("field:can-answered-anyway",),
)
stdio(
    "cancel-one-of-two",
    "Of two calls in flight the one that was given up is cancelled",
    client(),
    [
        discovered(),
        on("tools/call", params={"name": "one"}, result=text("one"), delay_ms=500),
        on("tools/call", params={"name": "two"}, result=text("two"), delay_ms=500),
    ],
    [
        FIND,
        call(100, "a", "tools/call", name="one", arguments={}),
        call(150, "b", "tools/call", name="two", arguments={}),
        call(200, "stop", "cancel", call="a"),
        wait(400),
    ],
    _end=800,
    _shows=("stdio.cancel.notification",),
)
stdio(
    "cancel-answered",
    "A call that has its response is not cancelled",
    client(),
    [discovered(), ECHO],
    [FIND, call(100, "a", "tools/call", name="echo", arguments={}), call(200, "stop", "cancel", call="a")],
    _about=("results.type.complete",),
)
stdio(
    "cancel-subscription",
    "A subscription ends with the cancellation of its request",
    client(),
    [
        discovered(tools={"listChanged": True}),
        on("subscriptions/listen", before=[acknowledged(toolsListChanged=True)]),
    ],
    [
        FIND,
        call(100, "sub", "listen", notifications={"toolsListChanged": True}),
        call(200, "stop", "cancel", call="sub"),
    ],
    _shows=("stdio.cancel.notification",),
    _needs=("subscriptions",),
)
stdio(
    "time-out",
    "A call that takes too long is cancelled",
    client(request_timeout_ms=5_000),
    [discovered(), ECHO, on("tools/call", params={"name": "slow"})],
    [
        FIND,
        call(100, "a", "tools/call", name="slow", arguments={}),
        wait(4_000),
        call(6_000, "b", "tools/call", name="echo", arguments={}),
    ],
    _about=("stdio.cancel.notification",),
    _level=Level.SHOULD,
    _note="To give up a request in time is asked for by the page on cancellation, which the catalogue does not hold.",
    _see=("field:can-abandon-is-noop",),
)

# --- shutdown ---------------------------------------------------------------------------------------------------------

stdio(
    "shutdown",
    "The client closes the input of the server and waits for its exit",
    client(),
    [discovered(), on(signal="close-input", exit=True, delay_ms=3_000)],
    [FIND, call(1_000, "end", "close"), wait(2_500), wait(3_500)],
    _end=20_000,
    _shows=("stdio.shutdown.close-stdin", "stdio.shutdown.wait"),
)
stdio(
    "shutdown-forced",
    "A server that stays when its input is closed is terminated, and at last killed",
    client(),
    [discovered()],
    [FIND, call(1_000, "end", "close"), wait(4_000), wait(6_500), wait(9_000)],
    _end=20_000,
    _shows=("stdio.shutdown.force", "stdio.shutdown.posix-escalation", "stdio.shutdown.close-stdin"),
)
stdio(
    "shutdown-on-signal",
    "A server that exits on the signal is not killed",
    client(),
    [discovered(), on(signal="terminate", exit=True, delay_ms=500)],
    [FIND, call(1_000, "end", "close"), wait(4_000), wait(6_200)],
    _end=20_000,
    _shows=("stdio.shutdown.force",),
)
stdio(
    "shutdown-in-flight",
    "A shutdown waits for the server even while a request is in flight",
    client(),
    [discovered(), on("tools/call"), on(signal="close-input", exit=True, delay_ms=2_000)],
    [FIND, call(100, "a", "tools/call", name="slow", arguments={}), call(1_000, "end", "close"), wait(2_500)],
    _end=20_000,
    _shows=("stdio.shutdown.wait",),
)
stdio(
    "server-ends",
    "A server that ends of its own accord while idle is replaced, and the next call is answered",
    client(),
    [discovered(), ECHO],
    [FIND, say(5_000, exit=True), call(10_000, "a", "tools/call", name="echo", arguments={})],
    _shows=("stdio.shutdown.server-initiated", "stdio.restart.client"),
)

# --- restart ----------------------------------------------------------------------------------------------------------

stdio(
    "restart",
    "A server that exits is started again; the call that was in flight is lost or sent again",
    client(),
    [
        discovered(),
        on("tools/call", params={"name": "crash"}, process=1, exit=True, delay_ms=50),
        on("tools/call", params={"name": "crash"}, result=text("survived")),
        ECHO,
    ],
    [
        FIND,
        call(100, "a", "tools/call", name="crash", arguments={}),
        call(1_000, "b", "tools/call", name="echo", arguments={}),
    ],
    _shows=("stdio.restart.client", "stdio.restart.retry"),
)
stdio(
    "restart-several",
    "Of three calls in flight each is lost with the process or sent again, and none hangs",
    client(),
    [
        discovered(),
        on("tools/call", params={"name": "crash"}, process=1, exit=True, delay_ms=50),
        on("tools/call", process=1),
        on("tools/list", process=1),
        on("tools/list", result=tools("echo")),
        on("tools/call", result=text("hi")),
    ],
    [
        FIND,
        call(100, "a", "tools/call", name="one", arguments={}),
        call(200, "b", "tools/list"),
        any_order(call(300, "c", "tools/call", name="crash", arguments={})),
        call(1_000, "d", "tools/call", name="echo", arguments={}),
    ],
    _shows=("stdio.restart.client", "stdio.restart.retry"),
)
stdio(
    "resubscribe",
    "A subscription is opened again on the fresh process, and its notifications arrive",
    client(),
    [
        discovered(tools={"listChanged": True}),
        on("subscriptions/listen", before=[acknowledged(toolsListChanged=True)]),
    ],
    [
        FIND,
        call(100, "sub", "listen", notifications={"toolsListChanged": True}),
        say(1_000, exit=True),
        say(2_000, messages=[of_subscription("notifications/tools/list_changed", "subscriptions/listen#2")]),
        call(3_000, "look", "received", call="sub"),
    ],
    _shows=("stdio.restart.resubscribe", "stdio.restart.client"),
    _needs=("subscriptions",),
)
stdio(
    "resubscribe-two",
    "Two subscriptions are opened again, each with its own filter",
    client(),
    [
        discovered(tools={"listChanged": True}, resources={"subscribe": True}),
        on("subscriptions/listen", before=[acknowledged()]),
    ],
    [
        FIND,
        call(100, "lists", "listen", notifications={"toolsListChanged": True}),
        call(200, "reads", "listen", notifications={"resourceSubscriptions": ["text://one"]}),
        any_order(say(1_000, exit=True)),
    ],
    _shows=("stdio.restart.resubscribe",),
    _needs=("subscriptions",),
)
stdio(
    "cancelled-not-again",
    "A subscription that was cancelled is not opened again",
    client(),
    [
        discovered(tools={"listChanged": True}),
        on("subscriptions/listen", before=[acknowledged(toolsListChanged=True)]),
        ECHO,
    ],
    [
        FIND,
        call(100, "sub", "listen", notifications={"toolsListChanged": True}),
        call(200, "stop", "cancel", call="sub"),
        say(1_000, exit=True),
        call(2_000, "a", "tools/call", name="echo", arguments={}),
    ],
    _about=("stdio.restart.client",),
    _needs=("subscriptions",),
)
stdio(
    "restart-legacy",
    "A legacy server that exits is greeted again by the handshake",
    dual(),
    [
        on("initialize", result=initialized()),
        on("tools/list", process=1, exit=True),
        on("tools/list", result=legacy_tools("echo")),
        on("server/discover", error={"code": -32601, "message": "Method not found"}),
    ],
    [call(0, "a", "tools/list"), call(1_000, "b", "tools/list")],
    _about=("stdio.restart.client",),
)
