"""Cases of the rules about JSON Schema."""

from __future__ import annotations

from typing import Any

from spec_model.cases.table import decisions

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DRAFT_2019_09 = "https://json-schema.org/draft/2019-09/schema"
OWN = "https://example.com/own-dialect"

dialects = decisions("json-schema/dialect", "json-schema.dialect")
dialects("default", "A schema that declares none", schema={"type": "object"})
dialects("draft-07", "A schema that declares draft-07", schema={"$schema": DRAFT_07, "type": "object"})
dialects("draft-07-plain", "draft-07 without its empty fragment", schema={"$schema": DRAFT_07[:-1], "type": "object"})
dialects("own", "A schema that declares a dialect of its own", schema={"$schema": OWN, "type": "object"})
dialects(
    "inner",
    "What an inner schema declares is not that of the whole",
    schema={"properties": {"a": {"$schema": DRAFT_07}}},
)
dialects(
    "property", "A property called $schema declares nothing", schema={"properties": {"$schema": {"const": DRAFT_07}}}
)
dialects("true", "The schema true", schema=True)

handled = decisions("json-schema/handling", "json-schema.handling")
handled("default", "A schema that declares none", schema={"type": "object"}, further_dialects=[])
handled(
    "unsupported",
    "A dialect that is not supported",
    schema={"$schema": DRAFT_07, "type": "object"},
    further_dialects=[],
)
handled(
    "supported",
    "A dialect that is supported",
    schema={"$schema": DRAFT_07, "type": "object"},
    further_dialects=[DRAFT_07],
)
handled(
    "fragment",
    "An empty fragment makes no other dialect",
    schema={"$schema": DRAFT_07[:-1], "type": "object"},
    further_dialects=[DRAFT_07],
)
handled(
    "other-supported",
    "Another dialect is supported",
    schema={"$schema": DRAFT_2019_09, "type": "object"},
    further_dialects=[DRAFT_07],
)
handled("own", "A dialect that nobody knows", schema={"$schema": OWN, "type": "object"}, further_dialects=[DRAFT_07])


def tool(**schemas: Any) -> dict[str, Any]:
    return {"name": "status", "inputSchema": {"type": "object"}, **schemas}


OLD = {"$schema": DRAFT_07, "type": "object"}

tools = decisions("json-schema/tool", "json-schema.tool-use")
tools("default", "Schemas that declare no dialect", tool=tool(outputSchema={"type": "object"}), further_dialects=[])
tools("no-output", "A tool without an output schema", tool=tool(), further_dialects=[])
tools(
    "draft-07-output",
    "An output schema in an unsupported dialect",
    tool=tool(outputSchema=OLD),
    further_dialects=[],
    _see=("field:js-draft07-dialect-refused",),
)
tools("draft-07-input", "An input schema in an unsupported dialect", tool=tool(inputSchema=OLD), further_dialects=[])
tools(
    "own-input",
    "An input schema in a dialect that nobody knows",
    tool=tool(inputSchema={"$schema": OWN, "type": "object"}),
    further_dialects=[],
)
tools(
    "draft-07-both",
    "Both schemas in an unsupported dialect",
    tool=tool(inputSchema=OLD, outputSchema=OLD),
    further_dialects=[],
)
tools(
    "draft-07-supported",
    "Both schemas in a supported dialect",
    tool=tool(inputSchema=OLD, outputSchema=OLD),
    further_dialects=[DRAFT_07],
)

schemas = decisions("json-schema/schema", "json-schema.schema")
schemas("description", "A description alone", schema={"description": "x"})
schemas(
    "object",
    "A schema of objects",
    schema={"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
)
schemas("empty", "An empty schema", schema={})
schemas("true", "The schema true", schema=True)
schemas("false", "The schema false", schema=False)
schemas("null", "null is no schema", schema=None)
schemas("array", "An array is no schema", schema=[{"type": "object"}])
schemas("text", "The name of a type is no schema", schema="object")
schemas(
    "composed",
    "Composition, conditions and definitions",
    schema={
        "oneOf": [{"$ref": "#/$defs/a"}, False],
        "if": {},
        "then": True,
        "$defs": {"a": {"type": ["string", "null"]}},
    },
)
schemas(
    "unknown-keyword",
    "A keyword that the dialect does not know",
    schema={"type": "object", "x-mcp-header": "Region", "nullable": True},
)
schemas("draft-07", "A right schema in draft-07", schema={"$schema": DRAFT_07, "type": "object"})
schemas("own-dialect", "A dialect that nobody knows", schema={"$schema": OWN, "type": "object"})
for slug, title, wrong in (
    ("unknown-type", "A type that is not defined", {"type": "integral"}),
    ("type-null", "A type that is null", {"type": None}),
    ("no-types", "An empty array of types", {"type": []}),
    ("type-twice", "A type named twice", {"type": ["string", "string"]}),
    ("properties-array", "Properties in an array", {"properties": [{"name": "a"}]}),
    ("property-name", "A property that is the name of a type", {"properties": {"a": "string"}}),
    ("required-flag", "The required flag of draft-03", {"required": True}),
    ("required-twice", "A member required twice", {"required": ["a", "a"]}),
    ("required-numbers", "Required members that are numbers", {"required": [1]}),
    ("minimum-text", "A minimum that is a text", {"minimum": "0"}),
    ("exclusive-flag", "The exclusiveMinimum flag of draft-04", {"minimum": 0, "exclusiveMinimum": True}),
    ("negative-length", "A negative length", {"minLength": -1}),
    ("fractional-length", "A fractional length", {"maxLength": 1.5}),
    ("multiple-of-zero", "A multiple of zero", {"multipleOf": 0}),
    ("pattern-object", "A pattern that is an object", {"pattern": {}}),
    ("no-branches", "A union of nothing", {"anyOf": []}),
    ("branches-object", "Branches that are no array", {"oneOf": {"type": "string"}}),
    ("items-array", "Items in an array", {"items": [{"type": "string"}]}),
    ("enum-object", "An enum that is an object", {"enum": {"a": 1}}),
    ("not-text", "A negation of a text", {"not": "string"}),
    ("ref-object", "A reference that is an object", {"$ref": {}}),
    ("id-fragment", "An identifier with a fragment", {"$id": "https://example.com/a#b"}),
    ("anchor-hash", "An anchor with a hash sign", {"$anchor": "#a"}),
    ("definition-text", "A definition that is a text", {"$defs": {"a": "string"}}),
    ("inner", "A fault deep inside", {"properties": {"a": {"items": {"anyOf": [{"type": "strnig"}]}}}}),
):
    schemas(slug, title, schema={"description": "x", **wrong})
schemas("in-constant", "What a constant holds is no schema", schema={"const": {"type": "strnig"}})
schemas(
    "items-array-draft-07", "Items in an array in draft-07", schema={"$schema": DRAFT_07, "items": [{"type": "string"}]}
)
schemas("wrong-draft-07", "A wrong schema in draft-07", schema={"$schema": DRAFT_07, "type": "integral"})

numbers = decisions("json-schema/elicitation-number", "json-schema.elicitation-number")
numbers("integers", "Integral bounds", schema={"type": "number", "minimum": 0, "maximum": 100, "default": 50})
numbers("fractions", "Fractional bounds", schema={"type": "number", "minimum": 0.5, "maximum": 99.5, "default": 1.25})
numbers(
    "integer-type", "An integer with fractional bounds", schema={"type": "integer", "minimum": 0.5, "maximum": 99.5}
)
numbers("bare", "No bounds", schema={"type": "number"})
numbers(
    "minimum-text", "A minimum that is a text", schema={"type": "number", "minimum": "0", "maximum": 100, "default": 50}
)
numbers(
    "maximum-null", "A maximum that is null", schema={"type": "number", "minimum": 0, "maximum": None, "default": 50}
)
numbers(
    "default-text", "A default that is a text", schema={"type": "number", "minimum": 0, "maximum": 100, "default": "50"}
)
numbers(
    "default-boolean",
    "A default that is a boolean",
    schema={"type": "number", "minimum": 0, "maximum": 100, "default": True},
)
numbers("other-type", "Another type", schema={"type": "float", "minimum": 0})
numbers("no-type", "No type", schema={"minimum": 0})

REFERRING = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"$ref": "https://example.com/b.json"}}}
TUPLE = {"type": "array", "prefixItems": [{"type": "string"}]}
LIST = {"type": "array", "items": {"type": "string"}}

validation = decisions("json-schema/validation", "json-schema.validate")
validation("valid", "A valid instance", schema=LIST, instance=["a"], further_dialects=[])
validation("invalid", "An invalid instance", schema=LIST, instance=[1], further_dialects=[])
validation("tuple", "A keyword of 2020-12", schema=TUPLE, instance=[1], further_dialects=[DRAFT_07])
validation(
    "tuple-explicit",
    "A keyword of 2020-12 in a schema that declares it",
    schema={"$schema": DRAFT_2020_12, **TUPLE},
    instance=[1],
    further_dialects=[DRAFT_07],
)
validation(
    "tuple-draft-07",
    "The same keyword in draft-07, which does not know it",
    schema={"$schema": DRAFT_07, **TUPLE},
    instance=[1],
    further_dialects=[DRAFT_07],
)
validation(
    "tuple-unsupported",
    "The same keyword in a dialect that is not supported",
    schema={"$schema": DRAFT_07, **TUPLE},
    instance=[1],
    further_dialects=[],
)
validation(
    "sibling",
    "A sibling of a reference counts",
    schema={"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {}}},
    instance=1,
    further_dialects=[DRAFT_07],
)
validation(
    "sibling-draft-07",
    "A sibling of a reference does not count in draft-07",
    schema={"$schema": DRAFT_07, "$ref": "#/definitions/a", "type": "string", "definitions": {"a": {}}},
    instance=1,
    further_dialects=[DRAFT_07],
)
validation(
    "local-reference",
    "A reference inside the document",
    schema={"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}},
    instance="x",
    further_dialects=[],
)
validation(
    "local-reference-invalid",
    "An invalid instance of a reference inside the document",
    schema={"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}},
    instance=1,
    further_dialects=[],
)
validation(
    "own-address",
    "An address of the document itself stays inside it",
    schema={
        "$id": "https://example.com/a.json",
        "$ref": "https://example.com/a.json#/$defs/a",
        "$defs": {"a": {"type": "string"}},
    },
    instance="x",
    further_dialects=[],
)
validation(
    "relative-to-id",
    "A reference relative to an address leads to the network",
    schema={"$id": "https://example.com/a.json", "$ref": "b.json"},
    instance="x",
    further_dialects=[],
)
validation(
    "embedded",
    "A schema inside the document that has the address",
    schema={"$id": "https://example.com/a.json", "$ref": "b.json", "$defs": {"b": {"$id": "b.json", "type": "string"}}},
    instance="x",
    further_dialects=[],
)
validation(
    "network-not-reached",
    "A network reference that is not reached",
    schema=REFERRING,
    instance={"a": "x"},
    further_dialects=[],
    _see=("field:js-external-ref",),
)
validation(
    "network-reached",
    "A network reference that is reached",
    schema=REFERRING,
    instance={"a": "x", "b": 1},
    further_dialects=[],
    _see=("field:js-external-ref",),
)
validation(
    "network-root",
    "A network reference at the root",
    schema={"$ref": "https://example.com/b.json"},
    instance={},
    further_dialects=[],
)
validation(
    "network-plain-http",
    "A network reference by plain HTTP",
    schema={"$ref": "http://example.com/b.json"},
    instance={},
    further_dialects=[],
)
validation(
    "network-in-list",
    "A network reference for the items of an empty list",
    schema={"items": {"$ref": "https://example.com/b.json"}},
    instance=[],
    further_dialects=[],
)
validation(
    "network-in-longer-list",
    "A network reference for the items of a list",
    schema={"items": {"$ref": "https://example.com/b.json"}},
    instance=[1],
    further_dialects=[],
)
validation(
    "name",
    "A reference to a name that is no address",
    schema={"$ref": "urn:example:b"},
    instance={},
    further_dialects=[],
)
validation(
    "in-constant",
    "What a constant holds is no reference",
    schema={"const": {"$ref": "https://example.com/b.json"}},
    instance={"$ref": "https://example.com/b.json"},
    further_dialects=[],
)

fetching = decisions("json-schema/dereference", "json-schema.dereference")
REMOTE = "https://schemas.example.com/b.json"
PUBLIC = ["93.184.216.34"]
fetching("fragment", "A fragment of the same document", reference="#/$defs/a")
fetching(
    "fragment-of-address",
    "A fragment of a document that has an address",
    reference="#/$defs/a",
    base="https://example.com/a.json",
)
fetching(
    "base-with-fragment",
    "A fragment of a document whose address has one",
    reference="#/$defs/a",
    base="https://example.com/a.json#top",
)
fetching(
    "own-address",
    "The address of the same document",
    reference="https://example.com/a.json#/$defs/a",
    base="https://example.com/a.json",
)
fetching("network", "Another document on the network", reference=REMOTE, addresses=PUBLIC)
fetching(
    "relative",
    "A relative reference that leads to the network",
    reference="b.json",
    base="https://example.com/a.json",
    addresses=PUBLIC,
)
fetching("relative-no-base", "A relative reference that leads nowhere", reference="b.json", addresses=PUBLIC)
fetching("name", "A name that is no address", reference="urn:example:b")
fetching("opted-in", "Another document on the network, opted in", reference=REMOTE, opted_in=True, addresses=PUBLIC)
fetching("opted-in-fragment", "A fragment of the same document, opted in", reference="#/$defs/a", opted_in=True)
fetching("opted-in-unresolved", "A host that resolves to nothing", reference=REMOTE, opted_in=True)
fetching("opted-in-no-host", "An address without a host", reference="https:///b.json", opted_in=True, addresses=PUBLIC)
fetching(
    "listed",
    "A host on the list",
    reference=REMOTE,
    opted_in=True,
    allowed_hosts=["schemas.example.com"],
    addresses=PUBLIC,
)
fetching(
    "listed-case",
    "Hosts do not differ in case",
    reference=REMOTE,
    opted_in=True,
    allowed_hosts=["Schemas.Example.com"],
    addresses=PUBLIC,
)
fetching(
    "not-listed",
    "A host that is not on the list",
    reference=REMOTE,
    opted_in=True,
    allowed_hosts=["example.org"],
    addresses=PUBLIC,
)
fetching("empty-list", "An empty list", reference=REMOTE, opted_in=True, allowed_hosts=[], addresses=PUBLIC)
fetching(
    "listed-not-opted-in",
    "A host on a list that is not switched on",
    reference=REMOTE,
    allowed_hosts=["schemas.example.com"],
    addresses=PUBLIC,
)
for slug, title, address in (
    ("loopback", "loopback", "127.0.0.1"),
    ("loopback-other", "another address of loopback", "127.8.9.10"),
    ("loopback-ipv6", "loopback in IPv6", "::1"),
    ("loopback-mapped", "loopback as IPv4 inside IPv6", "::ffff:127.0.0.1"),
    ("unspecified", "the unspecified address", "0.0.0.0"),  # noqa: S104
    ("unspecified-ipv6", "the unspecified address in IPv6", "::"),
    ("link-local", "a link-local address", "169.254.169.254"),
    ("link-local-ipv6", "a link-local address in IPv6", "fe80::1"),
    ("private-10", "a private address from 10", "10.1.2.3"),
    ("private-172", "a private address from 172.16", "172.16.0.1"),
    ("private-172-last", "the last private address before 172.32", "172.31.255.255"),
    ("private-192", "a private address from 192.168", "192.168.1.1"),
    ("private-ipv6", "a private address in IPv6", "fd00::1"),
    ("public-172", "the first public address after 172.31", "172.32.0.0"),
    ("public-ipv6", "a public address in IPv6", "2606:2800:220:1::1"),
    ("public-mapped", "a public address as IPv4 inside IPv6", "::ffff:93.184.216.34"),
    ("unreadable", "an address that cannot be read", "93.184.216"),
):
    fetching(
        f"resolves-{slug}", f"A host that resolves to {title}", reference=REMOTE, opted_in=True, addresses=[address]
    )
fetching(
    "resolves-mixed",
    "A host of a public and a private address",
    reference=REMOTE,
    opted_in=True,
    addresses=[*PUBLIC, "10.0.0.1"],
)
fetching(
    "literal-loopback", "A loopback address in the reference", reference="http://127.0.0.1:8080/b.json", opted_in=True
)
fetching(
    "literal-loopback-ipv6",
    "A loopback address of IPv6 in the reference",
    reference="http://[::1]/b.json",
    opted_in=True,
)
fetching("literal-public", "A public address in the reference", reference="https://93.184.216.34/b.json", opted_in=True)
fetching(
    "literal-public-ipv6",
    "A public address of IPv6 in the reference",
    reference="https://[2606:2800:220:1::1]/b.json",
    opted_in=True,
)
fetching(
    "literal-short",
    "A short form of a loopback address",
    reference="http://127.1/b.json",
    opted_in=True,
    addresses=["127.0.0.1"],
)


def nested(depth: int) -> dict[str, Any]:
    """A schema of this depth in which every level holds the next."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth - 1):
        schema = {"anyOf": [schema]}
    return schema


def broad(count: int) -> dict[str, Any]:
    """A schema that holds this many, itself included."""
    return {"$defs": {f"d{n}": {} for n in range(count - 1)}}


bounds = decisions("json-schema/bounds", "json-schema.within-bounds")
bounds("depth-at", "As deep as the bound", schema=nested(4), max_depth=4, max_subschemas=100)
bounds("depth-over", "Deeper than the bound", schema=nested(5), max_depth=4, max_subschemas=100)
bounds("depth-room", "The same depth under a higher bound", schema=nested(5), max_depth=5, max_subschemas=100)
bounds("count-at", "As many as the bound", schema=broad(10), max_depth=4, max_subschemas=10)
bounds("count-over", "One more than the bound", schema=broad(11), max_depth=4, max_subschemas=10)
bounds("count-room", "The same number under a higher bound", schema=broad(11), max_depth=4, max_subschemas=11)
bounds("far-too-deep", "Far deeper than the bound", schema=nested(60), max_depth=20, max_subschemas=1000)
bounds(
    "in-constant", "What a constant holds is no schema", schema={"const": nested(60)}, max_depth=20, max_subschemas=1000
)
bounds(
    "properties",
    "A property called like a keyword",
    schema={"properties": {"anyOf": {"type": "array"}}},
    max_depth=2,
    max_subschemas=2,
)
bounds("true", "The schema true", schema=True, max_depth=1, max_subschemas=1)

UNION = {
    "anyOf": [
        {"type": "object", "properties": {"ok": {"const": True}}},
        {"type": "object", "properties": {"error": {"type": "string"}}},
    ]
}

shown = decisions("json-schema/shown-structure", "json-schema.shown-structure")
shown("object", "Objects for a legacy client", era="legacy", output_schema={"type": "object"})
shown("array", "An array for a legacy client", era="legacy", output_schema={"type": "array"}, structured_content=[])
shown(
    "array-modern",
    "An array for a modern client",
    era="modern",
    output_schema={"type": "array"},
    structured_content=[],
    _see=("field:js-non-object-output-schema",),
)
shown(
    "array-content",
    "An array without a schema for a legacy client",
    era="legacy",
    structured_content=[],
    _see=("field:js-array-structured-content",),
)
shown(
    "array-content-modern",
    "An array without a schema for a modern client",
    era="modern",
    structured_content=[],
    _see=("field:js-array-structured-content",),
)
shown("object-content", "An object without a schema for a legacy client", era="legacy", structured_content={"a": 1})
shown("null-content", "null without a schema for a legacy client", era="legacy", structured_content=None)
shown("nothing", "No structure for a legacy client", era="legacy")
shown(
    "union",
    "A union of objects for a legacy client",
    era="legacy",
    output_schema=UNION,
    structured_content={"ok": True},
    _see=("field:js-union-root-rewrapped",),
)
shown(
    "union-modern",
    "A union of objects for a modern client",
    era="modern",
    output_schema=UNION,
    structured_content={"ok": True},
    _see=("field:js-union-root-rewrapped",),
)
for slug, title, schema in (
    ("mixed-union", "A union of an object and a text", {"anyOf": [{"type": "object"}, {"type": "string"}]}),
    ("one-of-objects", "One of several objects", {"oneOf": [{"type": "object"}, {"type": ["object"]}]}),
    ("one-of-mixed", "One of an object and a text", {"oneOf": [{"type": "object"}, {"type": "string"}]}),
    ("all-of", "All of an object and something", {"allOf": [{"type": "object"}, {"minProperties": 1}]}),
    ("all-of-anything", "All of several unknown shapes", {"allOf": [{"title": "a"}, {"title": "b"}]}),
    ("nested-union", "A union of unions of objects", {"anyOf": [{"type": "object"}, UNION]}),
    ("empty-union", "A union of nothing", {"anyOf": []}),
    ("empty-one-of", "One of nothing", {"oneOf": []}),
    ("object-or-null", "An object or null", {"type": ["object", "null"]}),
    ("object-in-array", "The object type alone in an array", {"type": ["object"]}),
    ("constant-object", "A constant object", {"const": {}}),
    ("constant-text", "A constant text", {"const": "x"}),
    ("enum-objects", "One of some objects", {"enum": [{}, {"a": 1}]}),
    ("enum-mixed", "One of an object and a text", {"enum": [{}, "x"]}),
    ("enum-empty", "One of no values", {"enum": []}),
    ("any", "Any value", {}),
):
    shown(slug, f"{title} for a legacy client", era="legacy", output_schema=schema)
