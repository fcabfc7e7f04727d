"""Scenarios: what a server keeps between requests, and how its process ends."""

from __future__ import annotations

from typing import Any

from spec_model.cases import format as fmt
from spec_model.cases.exchange_table import post, stdio, stdio_text
from spec_model.cases.requests import (
    UNKNOWN,
    VERSION,
    headers,
    initialize,
    notification,
    request,
    with_meta,
)
from spec_model.cases.server_scenario_table import end_of_input, send, server, server_scenarios

state = server_scenarios("state", "What a server keeps between requests, and how its process ends.")

OTHER = {"client_info": {"name": "another", "version": "9"}}
CURSOR_OF_FIRST = "$reply:0:/messages/0/result/nextCursor"
PRIOR = "statelessness.server.no-prior-context"
INFERRED = "statelessness.server.no-inferred-state"


def over(transport: str, message: Any, **changes: Any) -> fmt.Request:
    """A message over a transport."""
    return stdio(message) if transport == "stdio" else post(message, headers(message, **changes))


for transport in ("stdio", "http"):
    state(
        f"same-list/{transport}",
        f"The same request gets the same answer whatever came before ({transport})",
        server(transport),
        [
            send(0, over(transport, request("tools/list", id=1))),
            send(100, over(transport, request("tools/list", id=2, meta=with_meta(version=UNKNOWN)))),
            send(200, over(transport, request("prompts/list", id=3, meta=with_meta(log_level="debug", **OTHER)))),
            send(300, over(transport, request("server/discover", id=4))),
            send(400, over(transport, request("tools/list", id=5)), same_as=0),
        ],
        _shows=(PRIOR,),
    )
    state(
        f"version-each-time/{transport}",
        f"A request that names no version is refused after one that did ({transport})",
        server(transport),
        [
            send(0, over(transport, request("tools/list", id=1))),
            send(100, over(transport, request("tools/list", id=2, meta=with_meta(version=None)), version=VERSION)),
            send(200, over(transport, request("tools/list", id=3)), same_as=0),
        ],
        _shows=(PRIOR, INFERRED, "statelessness.server.no-connection-as-session"),
        _flags=("malformed",),
    )
    state(
        f"capabilities-each-time/{transport}",
        f"A request that declares no capabilities is refused after one that did ({transport})",
        server(transport),
        [
            send(0, over(transport, request("tools/list", id=1))),
            send(100, over(transport, request("tools/list", id=2, meta=with_meta(capabilities=None)))),
            send(200, over(transport, request("tools/list", id=3)), same_as=0),
        ],
        _shows=(PRIOR, INFERRED, "statelessness.server.multi-context"),
        _flags=("malformed",),
    )
    state(
        f"first-refused/{transport}",
        f"A refused version at first does not decide about later requests ({transport})",
        server(transport),
        [
            send(0, over(transport, request("tools/list", id=1, meta=with_meta(version=UNKNOWN)))),
            send(100, over(transport, request("tools/list", id=2))),
        ],
        _shows=(PRIOR, INFERRED),
    )
    state(
        f"other-client/{transport}",
        f"Another client gets the same list ({transport})",
        server(transport),
        [
            send(0, over(transport, request("tools/list", id=1))),
            send(100, over(transport, request("tools/list", id="1", meta=with_meta(**OTHER))), same_as=0),
        ],
        _shows=("meta.identity.client-info-no-behavior",),
    )
    state(
        f"pages/{transport}",
        f"A cursor leads to the next page, and to the same one again ({transport})",
        server(transport),
        [
            send(0, over(transport, request("tools/list", id=1))),
            send(100, over(transport, request("tools/list", {"cursor": CURSOR_OF_FIRST}, id=2))),
            send(200, over(transport, request("prompts/list", id=3))),
            send(300, over(transport, request("tools/list", {"cursor": CURSOR_OF_FIRST}, id=4)), same_as=1),
        ],
        _shows=("pagination.server.stable-cursors",),
        _needs=("second-page",),
    )
state(
    "two-eras",
    "A handshake on a process does not decide about requests of this revision on it",
    server("stdio", dual=True),
    [
        send(0, stdio(initialize())),
        send(100, stdio(notification("notifications/initialized"))),
        send(200, stdio(request("tools/list", id=2))),
        send(300, stdio(request("server/discover", id=3))),
    ],
    _about=("versioning.request.decided-independently",),
)
state(
    "after-unreadable-line",
    "A line that is no message leaves the next one unharmed",
    server("stdio"),
    [
        send(0, stdio(request("tools/list", id=1))),
        send(100, stdio_text("{")),
        send(200, stdio(request("tools/list", id=2)), same_as=0),
    ],
    _about=("versioning.request.decided-independently",),
)
state(
    "end-of-input",
    "The process ends when its input is closed",
    server("stdio"),
    [send(0, stdio(request("server/discover", id=1))), end_of_input(100)],
    _shows=("stdio.shutdown.server-exits-on-eof",),
)
