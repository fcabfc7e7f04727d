"""The tools that a client knows, and the headers that repeat arguments of a call for intermediaries.

Source: basic/transports/streamable-http#custom-headers-from-tool-parameters.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Final

from spec_model.requirements.choice import Profile
from spec_model.semantics.caching import For, Held, ToolList, lifetime, tool_headers
from spec_model.semantics.decision import Decision
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_object, is_string, member

_PLAIN: Final = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
_MARK: Final = "x-mcp-header"


class KnownTools:
    """The schemas of the tools that were listed last, and how long the list is fresh."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._schemas: dict[str, Json | Absent] = {}
        self._held: Held | None = None

    def listed(self, result: JsonObject, now: int, *, first: bool) -> None:
        """A page of the list came; the first one begins a new list."""
        if first:
            self._schemas = {}
        span = lifetime(self._profile, member(result, "ttlMs")).outcome
        self._held = Held(now, span.ms if isinstance(span, For) else 0)
        tools = result.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            name = member(tool, "name")
            if is_string(name):
                self._schemas[name] = member(tool, "inputSchema")

    def source(self, now: int) -> Decision[ToolList]:
        """From which list the headers of a call come."""
        return tool_headers(self._profile, now, self._held)

    def headers(self, params: JsonObject) -> dict[str, str]:
        """The headers that repeat arguments of a call with these params."""
        name = params.get("name")
        schema = self._schemas.get(name, ABSENT) if is_string(name) else ABSENT
        return dict(_mirrored(schema, member(params, "arguments")))


def _mirrored(schema: Json | Absent, value: Json | Absent) -> Iterator[tuple[str, str]]:
    """The headers for the properties of an object, and for those inside them."""
    properties = member(schema, "properties")
    for name, inner in properties.items() if is_object(properties) else ():
        held = member(value, name)
        marked = member(inner, _MARK)
        text = _text(held)
        if is_string(marked) and text is not None:
            yield f"mcp-param-{marked.lower()}", header_value(text)
        yield from _mirrored(inner, held)


def _text(value: Json | Absent) -> str | None:
    """A primitive value as a text, None for any other."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | str):
        return str(value)
    return None


def header_value(value: str) -> str:
    """A text as the value of a header: as it stands, or marked as Base64 where it cannot stand in one."""
    if _PLAIN.fullmatch(value) and not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="
