"""Messages to a server, for cases: well-formed ones of both eras, and their HTTP headers."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any, Final

VERSION: Final = "2026-07-28"
UNKNOWN: Final = "1900-01-01"
LEGACY: Final = "2025-11-25"

PROTOCOL_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO: Final = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL: Final = "io.modelcontextprotocol/logLevel"
SERVER_INFO: Final = "io.modelcontextprotocol/serverInfo"

CLIENT: Final = {"name": "ExampleClient", "version": "1.0.0"}
META: Final[Mapping[str, Any]] = {PROTOCOL_VERSION: VERSION, CLIENT_INFO: CLIENT, CAPABILITIES: {}}

_NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PLAIN: Final = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")


def with_meta(**changes: Any) -> dict[str, Any]:
    """Complete metadata with changes: `version`, `capabilities`, `client_info`, `log_level`, None leaving one out."""
    names = {
        "version": PROTOCOL_VERSION,
        "capabilities": CAPABILITIES,
        "client_info": CLIENT_INFO,
        "log_level": LOG_LEVEL,
    }
    meta = {**META, **{names[name]: value for name, value in changes.items()}}
    return {key: value for key, value in meta.items() if value is not None}


def request(method: str, params: Mapping[str, Any] | None = None, *, id: Any = 1, meta: Any = META) -> dict[str, Any]:
    """A request of this revision."""
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": {**(params or {}), "_meta": dict(meta)}}


def bare(method: str, params: Mapping[str, Any] | None = None, *, id: Any = 1) -> dict[str, Any]:
    """A request without metadata, as legacy clients send it."""
    return {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": dict(params)})}


def notification(method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A notification."""
    return {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": dict(params)})}


def initialize(version: str = LEGACY, *, id: Any = 1, meta: Any = None) -> dict[str, Any]:
    """The opening of a legacy session."""
    params: dict[str, Any] = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
    return bare("initialize", params if meta is None else {**params, "_meta": dict(meta)}, id=id)


def without(message: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """A message with some members less."""
    return {name: value for name, value in message.items() if name not in names}


def headers(message: Any, **changes: str | None) -> dict[str, str]:
    """The headers that a well-formed POST of a message of this revision has, with changes: `version`, `method`,
    `name`, `session_id`, `last_event`, None leaving one out."""
    found: dict[str, str | None] = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **_mirrored(message if isinstance(message, Mapping) else {}),
    }
    names = {
        "version": "MCP-Protocol-Version",
        "method": "Mcp-Method",
        "name": "Mcp-Name",
        "session_id": "Mcp-Session-Id",
        "last_event": "Last-Event-ID",
    }
    found.update({names[name]: value for name, value in changes.items()})
    return {name: value for name, value in found.items() if value is not None}


def legacy_headers(**changes: str | None) -> dict[str, str]:
    """The headers of a POST of a legacy client, with changes as in `headers`."""
    return headers({}, **changes)


def _mirrored(message: Mapping[str, Any]) -> dict[str, str | None]:
    params = message.get("params")
    members = params if isinstance(params, Mapping) else {}
    meta = members.get("_meta")
    version = meta.get(PROTOCOL_VERSION) if isinstance(meta, Mapping) else None
    method = message.get("method")
    name = members.get(_NAMED_BY.get(method, "")) if isinstance(method, str) else None
    return {
        "MCP-Protocol-Version": version if isinstance(version, str) else None,
        "Mcp-Method": method if isinstance(method, str) and isinstance(version, str) else None,
        "Mcp-Name": _encoded(name) if isinstance(name, str) and isinstance(version, str) else None,
    }


def _encoded(text: str) -> str:
    """The text as a header value: as it stands, or marked Base64 where it cannot stand in a header."""
    marked = text.startswith("=?base64?") and text.endswith("?=")
    if _PLAIN.fullmatch(text) and not marked:
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="
