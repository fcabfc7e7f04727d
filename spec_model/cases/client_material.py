"""What the scripted peers of client scenarios answer with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from spec_model.cases import format as fmt
from spec_model.cases.scenario_table import call, client, on

MODERN: Final = ["2026-07-28"]
DUAL: Final = ["2026-07-28", "2025-11-25"]
LEGACY: Final = ["2025-11-25", "2025-06-18"]
NEWER: Final = "2027-03-01"

BOTH: Final = ("stdio", "http")

PAGES: Final = {
    "tools/list": ("tools", "name"),
    "prompts/list": ("prompts", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
}


def dual(transport: str = "stdio", **settings: Any) -> fmt.UnderTest:
    """A client of both eras."""
    return client(transport, speaks=DUAL, **settings)


def complete(**members: Any) -> dict[str, Any]:
    """A complete result; `ttl` is its lifetime and `scope` its scope where it is cacheable."""
    hints = {"ttlMs": members.pop("ttl"), "cacheScope": members.pop("scope", "public")} if "ttl" in members else {}
    return {"resultType": "complete", **members, **hints}


def discovery(*versions: str, ttl: int = 3_600_000, **capabilities: Any) -> dict[str, Any]:
    """A discovery result."""
    held = {"tools": {}, "prompts": {}, "resources": {}, **capabilities}
    return complete(supportedVersions=list(versions or MODERN), capabilities=held, ttl=ttl)


def discovered(*versions: str, **capabilities: Any) -> fmt.PeerRule:
    """The server answers server/discover."""
    return on("server/discover", result=discovery(*versions, **capabilities))


def items(method: str, *names: str) -> list[dict[str, Any]]:
    """Items of a list, known by their names."""
    _, key = PAGES[method]
    return [_item(method, key, name) for name in names]


def _item(method: str, key: str, name: str) -> dict[str, Any]:
    match method:
        case "tools/list":
            return {"name": name, "inputSchema": {"type": "object"}}
        case "resources/list":
            return {key: f"text://{name}", "name": name}
        case "resources/templates/list":
            return {key: f"text://{name}/{{id}}", "name": name}
    return {"name": name}


def page(
    method: str, *names: str, cursor: Any = None, ttl: int | None = 0, scope: str = "public", **members: Any
) -> dict[str, Any]:
    """A page of a list; `cursor` is that of the next one."""
    name, _ = PAGES[method]
    further = {} if cursor is None else {"nextCursor": cursor}
    hints = {} if ttl is None else {"ttl": ttl, "scope": scope}
    return complete(**{name: items(method, *names)}, **further, **hints, **members)


def tools(*names: str, ttl: int = 0, **members: Any) -> dict[str, Any]:
    """A page of tools."""
    return page("tools/list", *names, ttl=ttl, **members)


KNOWN: Final = call(50, "known", "tools/list")
"""A step in which the client gets to know the tools, so that it has the schemas of those that it calls later."""


def known(*names: str) -> fmt.PeerRule:
    """The server lists these tools, for long."""
    return on("tools/list", result=tools(*names, ttl=3_600_000))


def text(value: str) -> dict[str, Any]:
    """The result of a tool."""
    return complete(content=[{"type": "text", "text": value}])


def contents(uri: str, value: str, ttl: int = 0, scope: str = "private", **members: Any) -> dict[str, Any]:
    """The contents of a resource."""
    return complete(contents=[{"uri": uri, "text": value}], ttl=ttl, scope=scope, **members)


def error(code: int, **data: Any) -> dict[str, Any]:
    """An error."""
    return {"code": code, "message": "Error", **({"data": data} if data else {})}


def unsupported(requested: str, *supported: str) -> dict[str, Any]:
    """The error for a version that the server does not implement."""
    return error(-32022, supported=list(supported), requested=requested)


def initialized(version: str = "2025-11-25") -> dict[str, Any]:
    """The result of initialize."""
    return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "old", "version": "1"}}


def legacy_tools(*names: str) -> dict[str, Any]:
    """A page of tools as a legacy server sends it."""
    return {"tools": items("tools/list", *names)}


def note(method: str, **params: Any) -> dict[str, Any]:
    """A notification."""
    return {"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}


def of_subscription(method: str, to: str, **params: Any) -> dict[str, Any]:
    """A notification on the subscription that the request `to` opened."""
    return note(method, _meta={"io.modelcontextprotocol/subscriptionId": f"$id:{to}"}, **params)


def acknowledged(**notifications: Any) -> dict[str, Any]:
    """What opens a subscription."""
    return note(
        "notifications/subscriptions/acknowledged",
        _meta={"io.modelcontextprotocol/subscriptionId": "$id"},
        notifications=notifications,
    )


def listening(**notifications: Any) -> fmt.PeerRule:
    """The server opens every subscription; over HTTP its stream stays open."""
    return on("subscriptions/listen", before=[acknowledged(**notifications)], stream=True, open=True)


def on_each(transports: tuple[str, ...] = BOTH) -> Iterator[str]:
    """The transports, for a scenario that is played on each."""
    return iter(transports)


def status(transport: str, value: int) -> dict[str, Any]:
    """The HTTP status of a reply, which has none on stdio."""
    return {"status": value} if transport == "http" else {}
