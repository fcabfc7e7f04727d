"""Cases of the rules about `_meta`, its keys, and capabilities."""

from __future__ import annotations

from typing import Any

from spec_model.cases.table import decisions

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT = "io.modelcontextprotocol/clientInfo"
LEVEL = "io.modelcontextprotocol/logLevel"
SERVER = "io.modelcontextprotocol/serverInfo"
IDENTITY = {"name": "ExampleClient", "version": "1.0.0"}


def meta(**changes: Any) -> dict[str, Any]:
    """Complete metadata with some members changed; `...` takes one out. Names are those of the table below."""
    whole: dict[str, Any] = {VERSION: "2026-07-28", CLIENT: IDENTITY, CAPABILITIES: {}}
    whole |= {_NAMES.get(name, name): value for name, value in changes.items()}
    return {name: value for name, value in whole.items() if value is not ...}


_NAMES = {
    "version": VERSION,
    "capabilities": CAPABILITIES,
    "client": CLIENT,
    "level": LEVEL,
    "server": SERVER,
    "progress": "progressToken",
}

# --- keys --------------------------------------------------------------------------------------------------------

keys = decisions("metadata/key", "metadata.key")
keys("name", "A name alone", key="progressToken")
keys("prefixed", "A prefix and a name", key="com.example/my-key")
keys("official", "A key of the protocol", key=VERSION)
keys("one-label", "A prefix of one label", key="example/key")
keys("many-labels", "A prefix of many labels", key="a.b.c.d.e/key")
keys("one-letter", "A name of one letter", key="k")
keys("one-digit", "A name of one digit", key="7")
keys("one-letter-labels", "Labels of one letter", key="a.b/k")
keys("label-hyphen", "A label with a hyphen inside", key="com.my-company/key")
keys("label-ends-with-digit", "A label that ends with a digit", key="com.example2/key")
keys("label-capitals", "A label in capitals", key="com.EXAMPLE/key")
keys("name-interior", "A name with hyphen, underscore and dot inside", key="com.example/a-b_c.d")
keys("name-digits", "A name that begins and ends with digits", key="0a9")
keys("name-empty", "An empty name after a prefix", key="com.example/")
keys("empty", "An empty name alone", key="")
keys("two-slashes", "A key with two slashes", key="com.example/a/b")
keys("double-slash", "Two slashes in a row", key="com.example//b")
keys("prefix-empty", "A slash with nothing before it", key="/name")
keys("label-empty", "An empty label inside a prefix", key="com..example/key")
keys("label-empty-first", "A prefix that starts with a dot", key=".com/key")
keys("label-empty-last", "A prefix that ends with a dot", key="com./key")
keys("label-starts-with-digit", "A label that starts with a digit", key="com.3example/key")
keys("first-label-starts-with-digit", "A first label that starts with a digit", key="3com.example/key")
keys("label-starts-with-hyphen", "A label that starts with a hyphen", key="com.-example/key")
keys("label-ends-with-hyphen", "A label that ends with a hyphen", key="com.example-/key")
keys("first-label-ends-with-hyphen", "A first label that ends with a hyphen", key="com-.example/key")
keys("label-underscore", "A label with an underscore inside", key="com.a_b/key")
keys("label-space", "A label with a space inside", key="com.a b/key")
keys("label-colon", "An address as prefix", key="https:example/key")
keys("name-starts-with-underscore", "A name that begins with an underscore", key="com.example/_key")
keys("name-starts-with-dot", "A name that begins with a dot", key=".key")
keys("name-starts-non-ascii", "A name that begins beyond ASCII", key="élan")
keys("name-ends-with-hyphen", "A name that ends with a hyphen", key="com.example/key-")
keys("name-ends-non-ascii", "A name that ends beyond ASCII", key="clé")
keys("name-space", "A name with a space inside", key="a b")
keys("name-dollar", "A name with a dollar sign inside", key="com.example/a$b")
keys("name-colon", "A name with a colon inside", key="com.example/a:b")
keys("name-non-ascii", "A name with a letter beyond ASCII inside", key="naïve")
keys("name-line-end", "A name that ends with a line end", key="key\n")
keys("name-digits-non-ascii", "A name of digits beyond ASCII", key="\u0663\u0664")

reservations = decisions("metadata/reservation", "metadata.reservation")
reservations("progress-token", "progressToken is for progress", key="progressToken")
reservations("protocol-version", "protocolVersion is for the version of a request", key=VERSION)
reservations("client-info", "clientInfo is for the identity of a client", key=CLIENT)
reservations("client-capabilities", "clientCapabilities is for what a client supports", key=CAPABILITIES)
reservations("log-level", "logLevel is for the wanted log level", key=LEVEL)
reservations(
    "subscription-id",
    "subscriptionId is for the subscription of a notification",
    key="io.modelcontextprotocol/subscriptionId",
)
reservations("server-info", "serverInfo is for the identity of a server", key=SERVER)
reservations("traceparent", "traceparent is for trace context", key="traceparent")
reservations("tracestate", "tracestate is for trace context", key="tracestate")
reservations("baggage", "baggage is for trace context", key="baggage")
reservations("official-prefix", "The prefix io.modelcontextprotocol is reserved", key="io.modelcontextprotocol/other")
reservations("dev-mcp", "The prefix dev.mcp is reserved", key="dev.mcp/x")
reservations("api-subdomain", "A third label changes nothing", key="org.modelcontextprotocol.api/x")
reservations("tools-subdomain", "A third label after mcp changes nothing", key="com.mcp.tools/x")
reservations("any-first-label", "The first label does not matter", key="x.mcp/y")
reservations("third-label", "mcp as third label reserves nothing", key="com.example.mcp/x")
reservations(
    "third-label-long", "modelcontextprotocol as third label reserves nothing", key="com.example.modelcontextprotocol/x"
)
reservations("first-label", "mcp as first label reserves nothing", key="mcp.example/x")
reservations("only-label", "mcp as only label is no second label", key="mcp/x")
reservations("only-label-long", "modelcontextprotocol as only label is no second label", key="modelcontextprotocol/x")
reservations("longer-label", "A second label that only starts with mcp reserves nothing", key="com.mcptools/x")
reservations("hyphenated-label", "A second label that contains mcp reserves nothing", key="com.my-mcp/x")
reservations("vendor", "The prefix of a vendor is free", key="com.example/x")
reservations("unprefixed", "A name without a prefix is free", key="traceId")
reservations("name-mcp", "A name is no label", key="com.example/mcp")
reservations("dotted-name", "Dots in a name make no labels", key="io.modelcontextprotocol")
reservations("prefixed-trace", "Trace context has no prefix", key="com.example/traceparent")
reservations("prefixed-version", "protocolVersion without its prefix is free", key="protocolVersion")
reservations("case", "Keys differ in case", key="progresstoken")

defining = decisions("metadata/may-define", "metadata.may-define")
defining("application-vendor", "An application under a vendor prefix", key="com.example/x", definer="application")
defining("application-unprefixed", "An application without a prefix", key="myKey", definer="application")
defining(
    "application-reserved",
    "An application under a reserved prefix",
    key="io.modelcontextprotocol/x",
    definer="application",
)
defining(
    "application-progress-token", "An application that reuses progressToken", key="progressToken", definer="application"
)
defining("application-trace", "An application that reuses traceparent", key="traceparent", definer="application")
defining("application-baggage", "An application that reuses baggage", key="baggage", definer="application")
defining(
    "official",
    "An official extension under the official prefix",
    key="io.modelcontextprotocol/x",
    definer="official-extension",
)
defining("official-taken", "An official extension that reuses a core key", key=VERSION, definer="official-extension")
for slug, title, key, vendor_prefix in (
    ("own", "under its own prefix", "com.example/x", "com.example"),
    ("foreign", "under the prefix of another vendor", "com.other/x", "com.example"),
    ("subdomain", "under its own prefix with one more label", "com.example.eu/x", "com.example"),
    ("shorter", "under a shorter prefix than its own", "com.example/x", "com.example.eu"),
    ("dotted-name", "without a prefix, though the name starts like its own", "com.example.x", "com.example"),
    ("same-start", "under a prefix that only starts like its own", "com.example2/x", "com.example"),
    ("unprefixed", "without a prefix", "myKey", "com.example"),
    ("official-prefix", "under the official prefix", "io.modelcontextprotocol/x", "com.example"),
    ("reserved-own", "whose own prefix is a reserved one", "dev.mcp/x", "dev.mcp"),
):
    defining(
        f"vendor-{slug}",
        f"A third party {title}",
        key=key,
        definer="third-party-extension",
        vendor_prefix=vendor_prefix,
    )
defining("vendor-nameless", "A third party that has no prefix", key="/x", definer="third-party-extension")

vendors = decisions("metadata/vendor-key", "metadata.vendor-key")
vendors("reversed", "The domain in reverse order", key="com.example/x", domain="example.com")
vendors("longer", "More labels after the domain", key="com.example.tools/x", domain="example.com")
vendors("three-labels", "A domain of three labels", key="uk.co.example/x", domain="example.co.uk")
vendors("domain-capitals", "Domains do not differ in case", key="com.example/x", domain="EXAMPLE.com")
vendors("mcp-third", "mcp as third label", key="com.example.mcp/x", domain="example.com")
vendors("forward", "The domain in its usual order", key="example.com/x", domain="example.com")
vendors("label-only", "The name of the vendor alone", key="example/x", domain="example.com")
vendors("unprefixed", "A name without a prefix", key="x", domain="example.com")
vendors("reserved-domain", "A domain whose reverse is a reserved prefix", key="dev.mcp/x", domain="mcp.dev")
vendors("reserved-name", "A name that the protocol keeps", key="progressToken", domain="example.com")
vendors("malformed", "A name with a space inside", key="com.example/a b", domain="example.com")

# --- the metadata of requests and results ------------------------------------------------------------------------

requests = decisions("metadata/request", "metadata.request")
requests("complete", "All that a client sends", meta=meta())
requests(
    "withheld", "A client that is configured not to identify itself", meta=meta(client=...), client_info_withheld=True
)
requests("no-client", "A client that does not identify itself", meta=meta(client=...))
requests("absent", "No metadata")
requests("null", "Metadata that is null", meta=None)
requests("array", "Metadata in an array", meta=[meta()])
requests("empty", "Empty metadata", meta={})
requests("no-version", "No protocol version", meta=meta(version=...))
requests("no-capabilities", "No capabilities", meta=meta(capabilities=...))
requests(
    "version-unprefixed", "A protocol version without the prefix", meta=meta(version=..., protocolVersion="2026-07-28")
)
for slug, what, value in (
    ("null", "null", None),
    ("number", "a number", 20260728),
    ("array", "an array", ["2026-07-28"]),
    ("object", "an object", {}),
    ("boolean", "a boolean", True),
):
    requests(f"version-{slug}", f"A protocol version that is {what}", meta=meta(version=value))
for slug, what, other in (
    ("null", "null", None),
    ("array", "an array", []),
    ("text", "a text", "{}"),
    ("boolean", "a boolean", True),
    ("number", "a number", 0),
):
    requests(f"capabilities-{slug}", f"Capabilities that are {what}", meta=meta(capabilities=other))
requests("capability-null", "A capability that is null", meta=meta(capabilities={"sampling": None}))
requests("extension-no-prefix", "An extension without a prefix", meta=meta(capabilities={"extensions": {"ui": {}}}))
requests("client-null", "A client identity that is null", meta=meta(client=None))
requests("client-text", "A client identity that is a text", meta=meta(client="ExampleClient/1.0.0"))
requests("client-no-version", "A client identity without a version", meta=meta(client={"name": "ExampleClient"}))
requests("client-no-name", "A client identity without a name", meta=meta(client={"version": "1.0.0"}))
requests("client-name-null", "A client whose name is null", meta=meta(client={**IDENTITY, "name": None}))
requests("client-version-number", "A client whose version is a number", meta=meta(client={**IDENTITY, "version": 1}))
requests(
    "client-title",
    "A client with a title",
    meta=meta(client={**IDENTITY, "title": "Example", "description": "x", "websiteUrl": "https://example.com"}),
)
requests("client-title-number", "A client whose title is a number", meta=meta(client={**IDENTITY, "title": 1}))
requests(
    "client-description-null", "A client whose description is null", meta=meta(client={**IDENTITY, "description": None})
)
requests("client-website-array", "A client whose website is an array", meta=meta(client={**IDENTITY, "websiteUrl": []}))
requests(
    "client-icons",
    "A client with icons",
    meta=meta(client={**IDENTITY, "icons": [{"src": "https://example.com/i.png"}]}),
)
requests(
    "client-icons-object",
    "A client whose icons are no array",
    meta=meta(client={**IDENTITY, "icons": {"src": "https://example.com/i.png"}}),
)
requests("level", "A log level", meta=meta(level="info"))
requests("level-unknown", "A log level that is not defined", meta=meta(level="verbose"))
requests("level-null", "A log level that is null", meta=meta(level=None))
requests("token-text", "A progress token that is a text", meta=meta(progress="abc123"))
requests("token-integer", "A progress token that is an integer", meta=meta(progress=7))
requests("token-fraction", "A progress token that is a fraction", meta=meta(progress=7.5))
requests("token-null", "A progress token that is null", meta=meta(progress=None))
requests("vendor-key", "A key of a vendor", meta=meta() | {"com.example/x": 1})
requests("free-key", "A free key without a prefix", meta=meta(x=1))
requests("malformed-key", "A key with a space inside", meta=meta() | {"my key": 1})
requests("malformed-prefix", "A key with an empty label", meta=meta() | {"com..example/x": 1})
requests(
    "trace",
    "Trace context",
    meta=meta(
        traceparent="00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", tracestate="rojo=1", baggage="a=b"
    ),
)
requests("trace-parent-wrong", "A traceparent in another format", meta=meta(traceparent="0af7651916cd43dd"))
requests("trace-state-wrong", "A tracestate in another format", meta=meta(tracestate="rojo"))
requests("trace-baggage-wrong", "A baggage in another format", meta=meta(baggage={"a": "b"}))

SERVED = {SERVER: {"name": "ExampleServer", "version": "1.0.0"}}

results = decisions("metadata/result", "metadata.result")
results("identified", "A server that identifies itself", meta=SERVED)
results("absent", "A result without metadata")
results("withheld", "A server that is configured not to identify itself", server_info_withheld=True)
results("withheld-empty", "Metadata without the identity that is withheld", meta={}, server_info_withheld=True)
results("empty", "Metadata without an identity", meta={})
results(
    "unprefixed",
    "An identity without the prefix",
    meta={"serverInfo": SERVED[SERVER]},
    _see=("field:id-serverinfo-top-level",),
)
results("null", "Metadata that is null", meta=None)
results("null-withheld", "Metadata that is null is wrong without an identity too", meta=None, server_info_withheld=True)
results("identity-null", "An identity that is null", meta={SERVER: None})
results("identity-text", "An identity that is a text", meta={SERVER: "ExampleServer"})
results("no-version", "An identity without a version", meta={SERVER: {"name": "ExampleServer"}})
results("no-name", "An identity without a name", meta={SERVER: {"version": "1.0.0"}})
results("version-number", "A version that is a number", meta={SERVER: {"name": "ExampleServer", "version": 1}})
results("malformed-key", "A key with two slashes beside the identity", meta={**SERVED, "a/b/c": 1})

# --- capabilities ------------------------------------------------------------------------------------------------

clients = decisions("metadata/client-capabilities", "metadata.client-capabilities")
clients("none", "No capability", capabilities={})
for name in ("roots", "sampling", "elicitation"):
    clients(name, f"{name} alone", capabilities={name: {}})
    clients(f"{name}-true", f"{name} that is true", capabilities={name: True})
    clients(f"{name}-null", f"{name} that is null", capabilities={name: None})
for name, part in (("sampling", "context"), ("sampling", "tools"), ("elicitation", "form"), ("elicitation", "url")):
    clients(f"{name}-{part}", f"{name} with {part}", capabilities={name: {part: {}}})
    clients(f"{name}-{part}-true", f"{name} with {part} that is true", capabilities={name: {part: True}})
clients("experimental", "An experimental capability", capabilities={"experimental": {"x": {}}})
clients("experimental-array", "Experimental capabilities in an array", capabilities={"experimental": ["x"]})
clients("experimental-true", "An experimental capability that is true", capabilities={"experimental": {"x": True}})
clients("extension", "An extension", capabilities={"extensions": {"com.example/x": {}}})
clients("extensions-array", "Extensions in an array", capabilities={"extensions": ["com.example/x"]})
clients("extension-no-prefix", "An extension without a prefix", capabilities={"extensions": {"x": {}}})
clients("roots-unknown", "A member that roots does not know", capabilities={"roots": {"tools": True}})
clients("unknown", "A capability that the protocol does not know", capabilities={"x": True})
clients("roots-list-changed", "The listChanged flag of older revisions", capabilities={"roots": {"listChanged": True}})
clients("null", "Capabilities that are null", capabilities=None)
clients("array", "Capabilities in an array", capabilities=["sampling"])

servers = decisions("metadata/server-capabilities", "metadata.server-capabilities")
servers("none", "No capability", capabilities={})
for name in ("logging", "completions", "prompts", "resources", "tools"):
    servers(name, f"{name} alone", capabilities={name: {}})
    servers(f"{name}-true", f"{name} that is true", capabilities={name: True})
for name, part in (
    ("prompts", "listChanged"),
    ("resources", "listChanged"),
    ("resources", "subscribe"),
    ("tools", "listChanged"),
):
    slug = f"{name}-{'subscribe' if part == 'subscribe' else 'list-changed'}"
    servers(slug, f"{name} with {part}", capabilities={name: {part: True}})
    servers(f"{slug}-false", f"{name} with {part} that is false", capabilities={name: {part: False}})
    servers(f"{slug}-object", f"{name} with {part} that is an object", capabilities={name: {part: {}}})
servers("experimental", "An experimental capability", capabilities={"experimental": {"x": {}}})
servers("experimental-true", "An experimental capability that is true", capabilities={"experimental": {"x": True}})
servers("extension", "An extension", capabilities={"extensions": {"io.modelcontextprotocol/tasks": {}}})
servers(
    "extension-null",
    "An extension whose settings are null",
    capabilities={"extensions": {"io.modelcontextprotocol/tasks": None}},
)
servers("extension-no-prefix", "An extension without a prefix", capabilities={"extensions": {"tasks": {}}})
servers(
    "completions-unknown", "A member that completions does not know", capabilities={"completions": {"listChanged": 1}}
)
servers("prompts-unknown", "A member that prompts does not know", capabilities={"prompts": {"subscribe": "x"}})
servers("unknown", "A capability that the protocol does not know", capabilities={"x": 1})
servers("null", "Capabilities that are null", capabilities=None)
servers("array", "Capabilities in an array", capabilities=["tools"])

# --- what a server makes of them ---------------------------------------------------------------------------------

refusals = decisions("metadata/refusal", "metadata.refusal")


def refusal(slug: str, title: str, /, *, _see: tuple[str, ...] = (), **members: Any) -> None:
    """The same case on both transports."""
    for transport, over in (("http", "over HTTP"), ("stdio", "on stdio")):
        refusals(f"{slug}-{transport}", f"{title} {over}", transport=transport, _see=_see, **members)


refusal("complete", "Complete metadata", params={"_meta": meta()})
refusal("no-params", "No params", _see=("field:meta-discover-without-meta-served",))
refusal("no-meta", "No metadata", params={})
refusal("empty-meta", "Empty metadata", params={"_meta": {}})
refusal("no-version", "No protocol version", params={"_meta": meta(version=...)})
refusal("no-capabilities", "No capabilities", params={"_meta": meta(capabilities=...)})
refusal(
    "no-client",
    "No client identity",
    params={"_meta": meta(client=...)},
    _see=("field:meta-silent-without-clientinfo", "field:id-clientinfo-demanded"),
)
refusal("params-array", "Params in an array", params=[{"_meta": meta()}])
refusal("meta-array", "Metadata in an array", params={"_meta": [meta()]})
refusal("version-number", "A protocol version that is a number", params={"_meta": meta(version=20260728)})
refusal("capabilities-array", "Capabilities in an array", params={"_meta": meta(capabilities=[])})
refusal(
    "client-no-version", "A client identity without a version", params={"_meta": meta(client={"name": "ExampleClient"})}
)
refusal("level-unknown", "A log level that is not defined", params={"_meta": meta(level="verbose")})
refusals("params-null", "Params that are null", transport="stdio", params=None)
refusals("params-text", "Params that are a text", transport="stdio", params="tools/list")
refusals("meta-null", "Metadata that is null", transport="stdio", params={"_meta": None})
refusals("meta-text", "Metadata that is a text", transport="stdio", params={"_meta": "2026-07-28"})
refusals("version-null", "A protocol version that is null", transport="stdio", params={"_meta": meta(version=None)})
refusals(
    "capabilities-null", "Capabilities that are null", transport="stdio", params={"_meta": meta(capabilities=None)}
)
refusals(
    "capabilities-true", "Capabilities that are true", transport="stdio", params={"_meta": meta(capabilities=True)}
)
refusals(
    "only-unprefixed",
    "Required keys without their prefix",
    transport="stdio",
    params={"_meta": {"protocolVersion": "2026-07-28", "clientCapabilities": {}}},
)
refusals("level", "A log level", transport="stdio", params={"_meta": meta(level="debug")})
refusals("level-null", "A log level that is null", transport="stdio", params={"_meta": meta(level=None)})
refusals("token", "A progress token", transport="stdio", params={"_meta": meta(progress="abc123")})
refusals("token-object", "A progress token that is an object", transport="stdio", params={"_meta": meta(progress={})})
refusals("client-null", "A client identity that is null", transport="stdio", params={"_meta": meta(client=None)})
refusals(
    "client-version-number",
    "A client whose version is a number",
    transport="stdio",
    params={"_meta": meta(client={**IDENTITY, "version": 1})},
)
refusals(
    "capability-true",
    "A capability that is true",
    transport="stdio",
    params={"_meta": meta(capabilities={"sampling": True})},
)
refusals(
    "capability-unknown",
    "A capability that the protocol does not know",
    transport="stdio",
    params={"_meta": meta(capabilities={"x": True})},
)
refusals(
    "extension-null",
    "An extension whose settings are null",
    transport="stdio",
    params={"_meta": meta(capabilities={"extensions": {"com.example/x": None}})},
)
refusals(
    "extension-unknown",
    "An extension that nobody knows",
    transport="stdio",
    params={"_meta": meta(capabilities={"extensions": {"com.example/x": {}}})},
)
refusals(
    "client-icon-size",
    "A client with an icon of an odd size",
    transport="stdio",
    params={"_meta": meta(client={**IDENTITY, "icons": [{"src": "https://example.com/i.png", "sizes": ["48"]}]})},
)
for slug, what, icons in (
    ("object", "are no array", {"src": "https://example.com/i.png"}),
    ("text", "are texts", ["https://example.com/i.png"]),
    ("no-src", "have no address", [{"sizes": ["48x48"]}]),
    ("theme", "have a theme that is none", [{"src": "https://example.com/i.png", "theme": "sepia"}]),
    ("sizes-text", "have sizes that are a text", [{"src": "https://example.com/i.png", "sizes": "48x48"}]),
):
    refusals(
        f"client-icons-{slug}",
        f"A client whose icons {what}",
        transport="stdio",
        params={"_meta": meta(client={**IDENTITY, "icons": icons})},
    )
refusals(
    "client-title-number",
    "A client whose title is a number",
    transport="stdio",
    params={"_meta": meta(client={**IDENTITY, "title": 1})},
)
refusals(
    "client-icon-file",
    "A client with an icon that no other party can fetch",
    transport="stdio",
    params={"_meta": meta(client={**IDENTITY, "icons": [{"src": "file:///usr/share/icon.png"}]})},
)
refusals(
    "vendor-key",
    "A key that the server does not know",
    transport="stdio",
    params={"_meta": meta() | {"com.example/x": {}}},
)
refusals(
    "reserved-key",
    "A reserved key that this revision does not define",
    transport="stdio",
    params={"_meta": meta() | {"io.modelcontextprotocol/x": {}}},
)
refusals(
    "two-faults",
    "A missing version beside an unknown log level",
    transport="stdio",
    params={"_meta": meta(version=..., level="verbose")},
)

missing = decisions("metadata/missing-capability", "metadata.missing-capability")
for slug, needed in (
    ("roots", {"roots": {}}),
    ("sampling", {"sampling": {}}),
    ("sampling-tools", {"sampling": {"tools": {}}}),
    ("elicitation", {"elicitation": {}}),
    ("form", {"elicitation": {"form": {}}}),
    ("url", {"elicitation": {"url": {}}}),
    ("extension", {"extensions": {"com.example/x": {}}}),
    ("experimental", {"experimental": {"x": {}}}),
):
    missing(f"{slug}-declared", f"The client declares {slug}", transport="http", required=needed, declared=needed)
    missing(
        f"{slug}-undeclared",
        f"The client declares nothing and {slug} is needed",
        transport="http",
        required=needed,
        declared={},
    )
SAMPLING_TOOLS: dict[str, Any] = {"sampling": {"tools": {}}}
URL: dict[str, Any] = {"elicitation": {"url": {}}}
FORM: dict[str, Any] = {"elicitation": {"form": {}}}
EMPTY: dict[str, Any] = {"elicitation": {}}
missing("stdio", "On stdio the error has no status", transport="stdio", required={"sampling": {}}, declared={})
missing("nothing-needed", "A request that needs nothing", transport="http", required={}, declared={})
missing(
    "nothing-declared",
    "A client whose capabilities cannot be read declares nothing",
    transport="http",
    required={"sampling": {}},
)
missing(
    "more-than-needed",
    "A client may declare more than is needed",
    transport="http",
    required={"sampling": {}},
    declared={"sampling": {"tools": {}}, "roots": {}},
)
missing(
    "sampling-without-tools",
    "Sampling without tools",
    transport="http",
    required=SAMPLING_TOOLS,
    declared={"sampling": {}},
)
missing(
    "sampling-other-part",
    "Sampling with context for tools",
    transport="http",
    required=SAMPLING_TOOLS,
    declared={"sampling": {"context": {}}},
)
missing(
    "one-of-two",
    "One of two is missing",
    transport="http",
    required={"sampling": {}, "roots": {}},
    declared={"roots": {}},
)
missing("both", "Two are missing", transport="http", required={"sampling": {}, "roots": {}}, declared={})
missing(
    "malformed",
    "A capability that is true is not declared",
    transport="http",
    required={"sampling": {}},
    declared={"sampling": True},
)
missing(
    "malformed-part",
    "A part that is null is not declared",
    transport="http",
    required=SAMPLING_TOOLS,
    declared={"sampling": {"tools": None}},
)
missing(
    "other-extension",
    "Another extension",
    transport="http",
    required={"extensions": {"com.example/x": {}}},
    declared={"extensions": {"com.example/y": {}}},
)
missing(
    "extension-settings",
    "An extension with settings",
    transport="http",
    required={"extensions": {"com.example/x": {}}},
    declared={"extensions": {"com.example/x": {"a": 1}}},
)
missing(
    "other-experimental",
    "Another experimental capability",
    transport="http",
    required={"experimental": {"x": {}}},
    declared={"experimental": {"y": {}}},
)
missing(
    "own-settings",
    "Settings of a capability are not compared",
    transport="http",
    required={"x": {"limit": 5}},
    declared={"x": {}},
)
missing(
    "url-on-empty-http",
    "An empty elicitation object is no URL mode over HTTP",
    transport="http",
    required=URL,
    declared=EMPTY,
)
missing(
    "url-on-empty-stdio",
    "An empty elicitation object is no URL mode on stdio",
    transport="stdio",
    required=URL,
    declared=EMPTY,
    _see=("field:mrtr-empty-elicitation-url-mode",),
)
missing("url-on-form", "The form mode is no URL mode", transport="stdio", required=URL, declared=FORM)
missing(
    "form-on-empty", "An empty elicitation object is the form mode", transport="stdio", required=FORM, declared=EMPTY
)
missing("form-on-url", "The URL mode is no form mode", transport="stdio", required=FORM, declared=URL)
missing("empty-on-form", "An empty need is one of the form mode", transport="stdio", required=EMPTY, declared=FORM)
missing("empty-on-url", "An empty need is not met by the URL mode", transport="stdio", required=EMPTY, declared=URL)
missing(
    "both-modes",
    "Both modes are needed and one is declared",
    transport="stdio",
    required={"elicitation": {"form": {}, "url": {}}},
    declared=FORM,
)
missing(
    "both-modes-declared",
    "Both modes are needed and declared",
    transport="stdio",
    required={"elicitation": {"form": {}, "url": {}}},
    declared={"elicitation": {"form": {}, "url": {}}},
)
missing(
    "mode-and-more",
    "A mode and another capability are missing",
    transport="stdio",
    required={**URL, "sampling": {}},
    declared=EMPTY,
)
missing(
    "mode-malformed",
    "A mode that is null is not declared",
    transport="stdio",
    required=URL,
    declared={"elicitation": {"form": {}, "url": None}},
)

# --- identity ----------------------------------------------------------------------------------------------------

identities = decisions("metadata/client-identity", "metadata.client-identity")
identities("own", "The request says who sent it", meta=meta(), _see=("field:id-placeholder-client",))
identities("absent", "A request that does not say", meta=meta(client=...))
identities("earlier", "An earlier request says nothing about this one", meta=meta(client=...), earlier_meta=meta())
identities(
    "changed",
    "The request differs from an earlier one",
    meta=meta(client={"name": "Other", "version": "2"}),
    earlier_meta=meta(),
)
identities("unchanged", "The request says the same as an earlier one", meta=meta(), earlier_meta=meta())
identities("no-meta", "A request without metadata")
identities("unprefixed", "An identity without the prefix", meta={"clientInfo": IDENTITY})

GATEWAY = {"name": "Gateway", "version": "2.0"}
UPSTREAM = {"name": "Upstream", "version": "1.0"}

relays = decisions("metadata/relay", "metadata.relayed-server-info")
relays("both", "A gateway relays the result of an identified server", own=GATEWAY, upstream=UPSTREAM)
relays("only-own", "A gateway relays the result of an anonymous server", own=GATEWAY)
relays("only-upstream", "An anonymous gateway relays the result of an identified server", upstream=UPSTREAM)
relays("neither", "An anonymous gateway relays the result of an anonymous server")
