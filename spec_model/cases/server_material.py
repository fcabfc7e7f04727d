"""Requests to a server in scenarios, and what their replies are looked at for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from spec_model.cases import format as fmt
from spec_model.cases.envelopes import Schema, error_response, errors, objects, result_response
from spec_model.cases.exchange_table import post, post_text, stdio, stdio_text
from spec_model.cases.requests import (
    LEGACY,
    VERSION,
    headers,
    initialize,
    legacy_headers,
    notification,
    request,
    with_meta,
)
from spec_model.cases.server_scenario_table import Look, Seen, exactly
from spec_model.wire.values import JsonObject, is_object, member

SESSION: Final = "$reply:0:/headers/mcp-session-id"
SETTLED: Final = "$reply:0:/response/result/protocolVersion"


# --- requests ---------------------------------------------------------------------------------------------------------


def over(transport: str, message: Any, **changes: Any) -> fmt.Request:
    """A message of this revision over a transport, with changes to its headers."""
    return stdio(message) if transport == "stdio" else post(message, headers(message, **changes))


def text_over(transport: str, text: str) -> fmt.Request:
    """Text that is no message over a transport."""
    return stdio_text(text) if transport == "stdio" else post_text(text, headers(request("server/discover")))


def discover(transport: str, id: Any, meta: Mapping[str, Any] | None = None) -> fmt.Request:
    """A discovery request, which every server answers."""
    return over(transport, request("server/discover", id=id, meta=meta or with_meta()))


def tools(transport: str, id: Any, **params: Any) -> fmt.Request:
    """A request for the tools."""
    return over(transport, request("tools/list", params, id=id))


def calls(transport: str, fixture: str, id: Any, **meta: Any) -> fmt.Request:
    """The tool call of a fixture."""
    params = {"name": f"$fixture:{fixture}:/name", "arguments": {"$fixture": f"{fixture}:/arguments"}}
    return over(transport, request("tools/call", params, id=id, meta=with_meta(**meta)))


def listen(transport: str, id: Any, **notifications: Any) -> fmt.Request:
    """A subscription."""
    return over(transport, request("subscriptions/listen", {"notifications": notifications}, id=id))


def noted(transport: str, method: str, **params: Any) -> fmt.Request:
    """A notification."""
    message = notification(method, params)
    return stdio(message) if transport == "stdio" else post(message, headers(message, version=VERSION, method=method))


def cancel(id: Any) -> fmt.Request:
    """The cancellation of a request on stdio."""
    return noted("stdio", "notifications/cancelled", requestId=id)


def in_session(transport: str, message: Any) -> fmt.Request:
    """A message of a legacy client, whose handshake was step 0."""
    if transport == "stdio":
        return stdio(message)
    return post(message, legacy_headers(version=SETTLED, session_id=SESSION))


def opening(transport: str, version: str = LEGACY) -> fmt.Request:
    """A legacy handshake."""
    message = initialize(version, id="open")
    return stdio(message) if transport == "stdio" else post(message, legacy_headers())


# --- looks -----------------------------------------------------------------------------------------------------------


def result_of(item: JsonObject) -> dict[str, Any]:
    """The result that was seen in a reply."""
    result = member(item, "response", "result")
    assert is_object(result)
    return result


def advertised(seen: Seen, feature: str) -> bool:
    """Whether the discovery of step 0 advertises a feature."""
    return feature in result_of(seen.items[0])["capabilities"]


def with_features(seen: Seen) -> Schema:
    """Discovery, with exactly these of the features."""
    features = ("tools", "prompts", "resources")
    without_them = [{"required": [one]} for one in features if not advertised(seen, one)]
    capabilities: Schema = {"type": "object", "required": [one for one in features if advertised(seen, one)]}
    if without_them:
        capabilities["not"] = {"anyOf": without_them}
    return with_result(seen, objects({"capabilities": capabilities}))


def page_if_advertised(seen: Seen) -> Schema:
    """A page where the feature is advertised."""
    return seen.usual() if advertised(seen, seen.message["id"]) else {}


def refused(seen: Seen) -> Schema:
    """An error, with the id of the request."""
    return objects({"messages": exactly(error_response(errors({"type": "integer"}), id={"const": seen.message["id"]}))})


def stays_open(seen: Seen) -> Schema:
    """Whatever is written, the process goes on."""
    return objects({"closed": {"const": False}})


def with_result(seen: Seen, result: Schema) -> Schema:
    """One response, with such a result."""
    return objects({"messages": exactly(result_response(seen.message["id"], result))})


def page(**more: Schema) -> Look:
    """A page, with such members of its result besides."""

    def look(seen: Seen) -> Schema:
        envelope = seen.usual()
        result = envelope["properties"]["messages"]["items"]["properties"]["result"]
        result["required"] = [*result["required"], *more]
        result["properties"] = {**result["properties"], **more}
        return envelope

    return look
