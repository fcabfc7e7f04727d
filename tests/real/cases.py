"""The requests that are sent to the server: well-formed ones, refused ones, and every kind of malformed one.

A case is one message. Its HTTP headers are those that the Streamable HTTP page requires, derived from the body; a case
about the headers overrides them, None leaving one out.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Object = Mapping[str, Json]
Headers = Mapping[str, str | None]

VERSION = "2026-07-28"
LEGACY_VERSION = "2025-11-25"
UNKNOWN_VERSION = "1900-01-01"

PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"

META: Object = {
    PROTOCOL_VERSION: VERSION,
    CLIENT_INFO: {"name": "capturing-client", "version": "1.0.0"},
    CLIENT_CAPABILITIES: {},
}

NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
NO_MODERN_HEADERS: Headers = {"mcp-protocol-version": None, "mcp-method": None, "mcp-name": None}


class Kind(StrEnum):
    """What a case is.

    RESULT is well-formed, and a result is due; REFUSED is well-formed, and names what the server does not have, so that
    an error is due; LEGACY is a message of the handshake era; MALFORMED is malformed, or at the edge of well-formed.
    """

    RESULT = "result"
    REFUSED = "refused"
    LEGACY = "legacy"
    MALFORMED = "malformed"


class Transport(StrEnum):
    """A transport that a case is sent over."""

    STDIO = "stdio"
    HTTP = "http"


NOT_FIRST = frozenset(
    """
    discover-string-id discover-without-client-info resources-read-template prompts-get tools-call-failing
    tools-call-bad-arguments tools-call-unwatched prompts-get-missing prompts-get-without-argument
    removed-resources-unsubscribe version-unknown-discover version-legacy-discover meta-version-empty
    meta-capabilities-null meta-capabilities-wrong-inside meta-client-info-null meta-client-info-name-number
    meta-log-level-number meta-progress-token-bool meta-progress-token-fraction id-array id-empty-string
    method-number method-empty params-string batch-empty scalar null extra-member surrogate-lone carriage-return
    duplicate-method duplicate-version cursor-null cursor-foreign-prompts cursor-foreign-resources
    cursor-foreign-templates name-missing name-number arguments-array arguments-missing uri-missing uri-not
    """.split()  # noqa: SIM905
)
"""Variations that are not worth a process each: a fresh one answers them as one that a `server/discover` opened."""

BOTH = frozenset(Transport)
ONLY_STDIO = frozenset({Transport.STDIO})
ONLY_HTTP = frozenset({Transport.HTTP})


@dataclass(frozen=True)
class Case:
    """One message to send; `like` is the object that the headers of a raw body are derived from."""

    name: str
    kind: Kind
    body: Json | bytes
    headers: Headers = field(default_factory=dict)
    like: Object | None = None
    http_method: str = "POST"
    transports: frozenset[Transport] = BOTH

    def wire(self) -> bytes:
        """The bytes of the message."""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body, separators=(",", ":")).encode()

    def http_headers(self) -> dict[str, str]:
        """The headers that it goes with over HTTP."""
        source = self.like if self.like is not None else self.body
        merged: dict[str, str | None] = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            **mirrored(source if isinstance(source, Mapping) else {}),
            **self.headers,
        }
        return {name: value for name, value in merged.items() if value is not None}


def mirrored(body: Object) -> dict[str, str | None]:
    """The headers that mirror a body, as far as the body has what they mirror."""
    params = body.get("params")
    members: Object = params if isinstance(params, Mapping) else {}
    meta = members.get("_meta")
    version = meta.get(PROTOCOL_VERSION) if isinstance(meta, Mapping) else None
    method = body.get("method")
    name = members.get(NAMED_BY.get(method, "")) if isinstance(method, str) else None
    return {
        "mcp-protocol-version": version if isinstance(version, str) else VERSION,
        "mcp-method": method if isinstance(method, str) else None,
        "mcp-name": name if isinstance(name, str) else None,
    }


def request(method: str, params: Object | None = None, *, ident: Json = 1, meta: Json = META) -> dict[str, Json]:
    """A request with these params and this `_meta`."""
    return {"jsonrpc": "2.0", "id": ident, "method": method, "params": {**(params or {}), "_meta": meta}}


def changed(key: str, value: Json) -> Object:
    """The `_meta` with one key set."""
    return {**META, key: value}


def without(members: Object, key: str) -> Object:
    """An object with one member less."""
    return {name: value for name, value in members.items() if name != key}


DISCOVER = request("server/discover")
LIST = request("tools/list")
ADD = request("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
INITIALIZE: Object = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": LEGACY_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "capturing-client", "version": "1.0.0"},
    },
}


def results() -> list[Case]:
    """Well-formed requests: a result is due."""
    count: Object = {"name": "count", "arguments": {"steps": 2}}
    watched: Object = {**META, "progressToken": "watch", LOG_LEVEL: "info"}
    bodies: dict[str, Object] = {
        "discover": DISCOVER,
        "discover-string-id": request("server/discover", ident="one"),
        "discover-without-client-info": request("server/discover", meta=without(META, CLIENT_INFO)),
        "tools-list": LIST,
        "prompts-list": request("prompts/list"),
        "resources-list": request("resources/list"),
        "templates-list": request("resources/templates/list"),
        "resources-read": request("resources/read", {"uri": "text://greeting"}),
        "resources-read-template": request("resources/read", {"uri": "note://one"}),
        "prompts-get": request("prompts/get", {"name": "greet", "arguments": {"name": "Ada"}}),
        "tools-call": ADD,
        "tools-call-failing": request("tools/call", {"name": "fail", "arguments": {"reason": "on purpose"}}),
        "tools-call-bad-arguments": request("tools/call", {"name": "add", "arguments": {"a": "one"}}),
        "tools-call-watched": request("tools/call", count, meta=watched),
        "tools-call-unwatched": request("tools/call", count),
    }
    return [Case(name, Kind.RESULT, body) for name, body in bodies.items()]


def refusals() -> list[Case]:
    """Well-formed requests for what is not there: an error is due."""
    bodies: dict[str, Object] = {
        "resources-read-missing": request("resources/read", {"uri": "text://missing"}),
        "prompts-get-missing": request("prompts/get", {"name": "missing"}),
        "prompts-get-without-argument": request("prompts/get", {"name": "greet"}),
        "tools-call-unknown": request("tools/call", {"name": "missing", "arguments": {}}),
        "method-unknown": request("nobody/knows"),
        "removed-ping": request("ping"),
        "removed-resources-subscribe": request("resources/subscribe", {"uri": "text://greeting"}),
        "removed-resources-unsubscribe": request("resources/unsubscribe", {"uri": "text://greeting"}),
        "removed-logging-set-level": request("logging/setLevel", {"level": "info"}),
        "removed-tasks-list": request("tasks/list"),
        "version-unknown": request("tools/list", meta=changed(PROTOCOL_VERSION, UNKNOWN_VERSION)),
        "version-unknown-discover": request("server/discover", meta=changed(PROTOCOL_VERSION, UNKNOWN_VERSION)),
        "version-legacy": request("tools/list", meta=changed(PROTOCOL_VERSION, LEGACY_VERSION)),
        "version-legacy-discover": request("server/discover", meta=changed(PROTOCOL_VERSION, LEGACY_VERSION)),
    }
    return [Case(name, Kind.REFUSED, body) for name, body in bodies.items()]


def legacy() -> list[Case]:
    """Messages of the handshake era, which a dual-era server serves."""
    return [
        Case("legacy-initialize", Kind.LEGACY, INITIALIZE, NO_MODERN_HEADERS),
        Case("legacy-ping", Kind.LEGACY, {"jsonrpc": "2.0", "id": 1, "method": "ping"}, NO_MODERN_HEADERS),
        Case(
            "legacy-initialize-asks-modern", Kind.LEGACY, initialize_with("protocolVersion", VERSION), NO_MODERN_HEADERS
        ),
        Case("legacy-initialize-with-meta", Kind.LEGACY, initialize_with("_meta", META)),
    ]


def initialize_with(name: str, value: Json) -> Object:
    """The `initialize` with one member of its params set."""
    params = INITIALIZE["params"]
    assert isinstance(params, Mapping)
    return {**INITIALIZE, "params": {**params, name: value}}


def malformed_meta() -> list[Case]:
    """Requests whose `_meta` is missing, incomplete or of a wrong type."""
    metas: dict[str, Json] = {
        "null": None,
        "array": [],
        "string": "meta",
        "empty": {},
        "without-version": without(META, PROTOCOL_VERSION),
        "without-capabilities": without(META, CLIENT_CAPABILITIES),
        "version-number": changed(PROTOCOL_VERSION, 20260728),
        "version-null": changed(PROTOCOL_VERSION, None),
        "version-empty": changed(PROTOCOL_VERSION, ""),
        "capabilities-array": changed(CLIENT_CAPABILITIES, []),
        "capabilities-string": changed(CLIENT_CAPABILITIES, "all"),
        "capabilities-null": changed(CLIENT_CAPABILITIES, None),
        "capabilities-wrong-inside": changed(CLIENT_CAPABILITIES, {"elicitation": "yes"}),
        "client-info-string": changed(CLIENT_INFO, "capturing-client"),
        "client-info-null": changed(CLIENT_INFO, None),
        "client-info-without-version": changed(CLIENT_INFO, {"name": "capturing-client"}),
        "client-info-name-number": changed(CLIENT_INFO, {"name": 7, "version": "1.0.0"}),
        "log-level-unknown": changed(LOG_LEVEL, "loud"),
        "log-level-number": changed(LOG_LEVEL, 3),
        "progress-token-bool": changed("progressToken", True),
        "progress-token-fraction": changed("progressToken", 1.5),
    }
    cases = [Case(f"meta-{name}", Kind.MALFORMED, request("tools/list", meta=meta)) for name, meta in metas.items()]
    for method, suffix in (("tools/list", ""), ("server/discover", "-discover")):
        bare: Object = {"jsonrpc": "2.0", "id": 1, "method": method}
        cases += [
            Case(f"params-missing{suffix}", Kind.MALFORMED, bare),
            Case(f"meta-missing{suffix}", Kind.MALFORMED, {**bare, "params": {}}),
        ]
    for key, name in ((PROTOCOL_VERSION, "version"), (CLIENT_CAPABILITIES, "capabilities")):
        body = request("server/discover", meta=without(META, key))
        cases.append(Case(f"meta-without-{name}-discover", Kind.MALFORMED, body))
    return cases


def malformed_envelopes() -> list[Case]:
    """Requests whose JSON-RPC members are wrong, and objects that are no request."""
    bodies: dict[str, Json] = {
        "id-null": request("server/discover", ident=None),
        "id-fraction": request("server/discover", ident=1.5),
        "id-bool": request("server/discover", ident=True),
        "id-missing": without(DISCOVER, "id"),
        "id-integral-float": request("server/discover", ident=1.0),
        "id-beyond-2-53": request("server/discover", ident=2**53 + 1),
        "id-array": request("server/discover", ident=[1]),
        "id-empty-string": request("server/discover", ident=""),
        "jsonrpc-1.0": {**DISCOVER, "jsonrpc": "1.0"},
        "jsonrpc-number": {**DISCOVER, "jsonrpc": 2.0},
        "jsonrpc-missing": without(DISCOVER, "jsonrpc"),
        "method-missing": without(DISCOVER, "method"),
        "method-number": {**DISCOVER, "method": 7},
        "method-empty": {**DISCOVER, "method": ""},
        "params-array": {**DISCOVER, "params": [META]},
        "params-null": {**DISCOVER, "params": None},
        "params-string": {**DISCOVER, "params": "all"},
        "batch": [DISCOVER, {**LIST, "id": 2}],
        "batch-empty": [],
        "scalar": 7,
        "null": None,
        "response-from-client": {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete"}},
        "notification-unknown": {"jsonrpc": "2.0", "method": "notifications/unknown", "params": {"_meta": META}},
        "extra-member": {**DISCOVER, "extra": True},
    }
    return [Case(name, Kind.MALFORMED, body, like=DISCOVER) for name, body in bodies.items()]


def malformed_bytes() -> list[Case]:
    """Bodies that are no JSON value, or one that parsers read differently."""
    wire = json.dumps(DISCOVER, separators=(",", ":")).encode()
    bodies = {
        "json-not": b"server/discover, please",
        "json-cut": wire[:-1],
        "json-empty": b"",
        "json-nan-id": wire.replace(b'"id":1', b'"id":NaN'),
        "utf8-invalid": wire.replace(b"capturing-client", b"capturing-\xff-client"),
        "utf8-byte-order-mark": b"\xef\xbb\xbf" + wire,
        "surrogate-lone": wire.replace(b"capturing-client", b"capturing-\\ud800-client"),
        "carriage-return": wire + b"\r",
        "duplicate-id": wire.replace(b'"id":1', b'"id":1,"id":2'),
        "duplicate-method": wire.replace(b'"method":', b'"method":"tools/list","method":'),
        "duplicate-version": wire.replace(
            f'"{PROTOCOL_VERSION}":'.encode(),
            f'"{PROTOCOL_VERSION}":"{UNKNOWN_VERSION}","{PROTOCOL_VERSION}":'.encode(),
        ),
    }
    return [Case(name, Kind.MALFORMED, body, like=DISCOVER) for name, body in bodies.items()]


def malformed_params() -> list[Case]:
    """Requests whose own params are wrong: cursors, names, URIs, arguments."""
    bodies: dict[str, Object] = {
        "cursor-number": request("tools/list", {"cursor": 7}),
        "cursor-null": request("tools/list", {"cursor": None}),
        "cursor-foreign": request("tools/list", {"cursor": "from-somewhere-else"}),
        "cursor-empty": request("tools/list", {"cursor": ""}),
        "cursor-foreign-prompts": request("prompts/list", {"cursor": "from-somewhere-else"}),
        "cursor-foreign-resources": request("resources/list", {"cursor": "from-somewhere-else"}),
        "cursor-foreign-templates": request("resources/templates/list", {"cursor": "from-somewhere-else"}),
        "name-missing": request("tools/call", {"arguments": {}}),
        "name-number": request("tools/call", {"name": 7, "arguments": {}}),
        "arguments-array": request("tools/call", {"name": "add", "arguments": [1, 2]}),
        "arguments-missing": request("tools/call", {"name": "add"}),
        "uri-missing": request("resources/read"),
        "uri-not": request("resources/read", {"uri": "not a uri"}),
    }
    return [Case(name, Kind.MALFORMED, body) for name, body in bodies.items()]


def http_headers() -> list[Case]:
    """Requests whose headers are missing, wrong, or permitted but unusual; HTTP only."""
    encoded = f"=?base64?{base64.b64encode(b'add').decode()}?="
    wrong: dict[str, tuple[Object, Headers]] = {
        "header-version-missing": (LIST, {"mcp-protocol-version": None}),
        "header-version-missing-discover": (DISCOVER, {"mcp-protocol-version": None}),
        "header-version-mismatch": (LIST, {"mcp-protocol-version": UNKNOWN_VERSION}),
        "header-version-legacy": (LIST, {"mcp-protocol-version": LEGACY_VERSION}),
        "header-version-modern-body-legacy": (legacy_in_meta(), {"mcp-protocol-version": VERSION}),
        "header-version-modern-body-unknown": (unknown_in_meta(), {"mcp-protocol-version": VERSION}),
        "header-method-missing": (LIST, {"mcp-method": None}),
        "header-method-mismatch": (LIST, {"mcp-method": "prompts/list"}),
        "header-method-case": (LIST, {"mcp-method": "Tools/List"}),
        "header-name-missing": (ADD, {"mcp-name": None}),
        "header-name-mismatch": (ADD, {"mcp-name": "fail"}),
        "header-name-bad-base64": (ADD, {"mcp-name": "=?base64?***?="}),
        "header-accept-missing": (DISCOVER, {"accept": None}),
        "header-accept-json-only": (DISCOVER, {"accept": "application/json"}),
        "header-accept-sse-only": (DISCOVER, {"accept": "text/event-stream"}),
        "header-content-type-text": (DISCOVER, {"content-type": "text/plain"}),
        "header-origin-foreign": (DISCOVER, {"origin": "https://foreign.example"}),
        "header-host-foreign": (DISCOVER, {"host": "foreign.example"}),
    }
    fine: dict[str, tuple[Object, Headers]] = {
        "header-name-base64": (ADD, {"mcp-name": encoded}),
        "header-session-id": (DISCOVER, {"mcp-session-id": "from-an-older-revision"}),
        "header-last-event-id": (DISCOVER, {"last-event-id": "7"}),
        "header-name-not-needed": (LIST, {"mcp-name": "add"}),
    }
    return [
        *(Case(name, Kind.MALFORMED, body, headers, transports=ONLY_HTTP) for name, (body, headers) in wrong.items()),
        *(Case(name, Kind.RESULT, body, headers, transports=ONLY_HTTP) for name, (body, headers) in fine.items()),
    ]


def legacy_in_meta() -> Object:
    """A `tools/list` whose `_meta` names a legacy version."""
    return request("tools/list", meta=changed(PROTOCOL_VERSION, LEGACY_VERSION))


def unknown_in_meta() -> Object:
    """A `tools/list` whose `_meta` names a version that does not exist."""
    return request("tools/list", meta=changed(PROTOCOL_VERSION, UNKNOWN_VERSION))


def http_methods() -> list[Case]:
    """HTTP methods other than POST, of this revision and, without its headers, of earlier ones; HTTP only."""
    modern: Headers = {"content-type": None, "mcp-method": None}
    bare: Headers = {**NO_MODERN_HEADERS, "content-type": None}
    return [
        Case(f"http-{method.lower()}{suffix}", Kind.MALFORMED, b"", headers, http_method=method, transports=ONLY_HTTP)
        for method in ("GET", "DELETE", "PUT")
        for suffix, headers in (("", modern), ("-without-version", bare))
    ]


def all_cases() -> list[Case]:
    """Every case, once."""
    return [
        *results(),
        *refusals(),
        *legacy(),
        *malformed_meta(),
        *malformed_envelopes(),
        *malformed_bytes(),
        *malformed_params(),
        *http_headers(),
        *http_methods(),
    ]
