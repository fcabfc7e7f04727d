"""How JSON Schema is used: dialects, valid schemas, references that leave the document, bounds, and older clients.

Source: basic/index#json-schema-usage, changelog.
"""

from __future__ import annotations

import enum
import ipaddress
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import ExternalRef, SchemaRootTowardsLegacy, UnsupportedDialect
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.wire.json_schema import (
    DRAFT_2020_12,
    Outcome,
    Resources,
    dialect_of,
    evaluate,
    first_fault,
    is_network,
    subschemas,
)
from spec_model.wire.urls import origin_of, resolved
from spec_model.wire.values import ABSENT, Absent, Json, is_number, is_object, is_string, kind_of, member

# --- dialects --------------------------------------------------------------------------------------------------


@function("json-schema.dialect")
def dialect(schema: Json) -> Decision[str]:
    """The URI of the dialect under which a schema is read, without an empty fragment.

    Source: basic/index#schema-dialect.
    """
    declared = member(schema, "$schema")
    if not is_string(declared):
        return decide(DRAFT_2020_12, "json-schema.dialect.default", "json-schema.impl.validate-by-dialect")
    plain = declared.removesuffix("#")
    return decide(plain, "json-schema.impl.validate-by-dialect", "json-schema.dialect.explicit")


class Readable(msgspec.Struct, frozen=True, tag_field="schema", tag="readable"):
    """The implementation works with the schema, under this dialect."""

    dialect: str


class Unsupported(msgspec.Struct, frozen=True, tag_field="schema", tag="unsupported-dialect"):
    """The implementation answers with an error that names this dialect as not supported."""

    dialect: str


@function("json-schema.handling")
def handling(schema: Json, further_dialects: list[str]) -> Decision[Readable | Unsupported]:
    """What an implementation does with a schema when it needs it. `further_dialects` are those that it supports besides
    2020-12.

    Source: basic/index#implementation-requirements.
    """
    read = dialect(schema)
    if read.outcome == DRAFT_2020_12:
        return decide(Readable(read.outcome), "json-schema.dialect.support-2020-12", *read.because)
    if not _is_supported(read.outcome, further_dialects):
        return decide(Unsupported(read.outcome), "json-schema.impl.unsupported-dialect-error")
    return decide(Readable(read.outcome), *read.because)


def _is_supported(dialect: str, further_dialects: list[str]) -> bool:
    return dialect == DRAFT_2020_12 or dialect in [one.removesuffix("#") for one in further_dialects]


class Usable(msgspec.Struct, frozen=True, tag_field="tool", tag="usable"):
    """The client can read every schema of the tool."""


class FailsOnUse(msgspec.Struct, frozen=True, tag_field="tool", tag="fails-on-use"):
    """The tool is listed; what needs the schema fails with an error that names this dialect."""

    dialect: str


class Excluded(msgspec.Struct, frozen=True, tag_field="tool", tag="excluded"):
    """The tool is left out of the list, with a reason that names this dialect; the other tools remain."""

    dialect: str


class Unvalidated(msgspec.Struct, frozen=True, tag_field="tool", tag="unvalidated"):
    """The tool is listed and called. An error that names this dialect is reported, and nothing is validated against the
    schema."""

    dialect: str


ToolUse: TypeAlias = Usable | FailsOnUse | Excluded | Unvalidated


@function("json-schema.tool-use")
def tool_use(tool: Json, further_dialects: list[str], profile: Profile) -> Decision[ToolUse]:
    """What a client does with a tool because of the dialects of its `inputSchema` and `outputSchema`.
    `further_dialects` are those that it supports besides 2020-12.

    Source: basic/index#implementation-requirements.
    """
    for read in (dialect_of(member(tool, "inputSchema")), dialect_of(member(tool, "outputSchema"))):
        if not _is_supported(read, further_dialects):
            return decide(_unsupported(read, profile), "json-schema.impl.unsupported-dialect-error")
    return decide(Usable(), "json-schema.impl.validate-by-dialect")


def _unsupported(dialect: str, profile: Profile) -> ToolUse:
    match profile[UnsupportedDialect]:
        case UnsupportedDialect.FAIL_ON_USE:
            return FailsOnUse(dialect)
        case UnsupportedDialect.EXCLUDE_TOOL:
            return Excluded(dialect)
        case UnsupportedDialect.USE_WITHOUT_VALIDATION:
            return Unvalidated(dialect)


# --- schemas in messages ---------------------------------------------------------------------------------------


@function("json-schema.schema")
def schema_in_message(schema: Json) -> Decision[Conformance]:
    """Whether a schema may stand in a message: it fits the meta-schema of its dialect. Checked are the dialects 2020-12
    and draft-07, and of these everything but formats (regular expressions, addresses).

    Source: basic/index#schema-validation, basic/index#schema-dialect.
    """
    found = Findings()
    judge_schema(found, schema)
    return found.decision()


def judge_schema(found: Findings, schema: Json, at: str = "") -> None:
    """A schema in a message."""
    under, count = first_fault(schema, dialect_of(schema))
    found.check(not count, "json-schema.schema.valid", at + under, f"the first of {count} faults by its dialect")
    usual = dialect_of(schema) == DRAFT_2020_12
    found.check(usual, "json-schema.dialect.recommended-2020-12", at, f"the dialect is {dialect_of(schema)}")


@function("json-schema.elicitation-number")
def elicitation_number(schema: Json) -> Decision[Conformance]:
    """Whether a schema is right as that of a number or an integer which a form asks for.

    Source: changelog#other-schema-changes.
    """
    found = Findings()
    number_type = member(schema, "type")
    found.check(number_type in ("number", "integer"), "base.schema.conforms", "/type", "neither number nor integer")
    for name in ("minimum", "maximum", "default"):
        value = member(schema, name)
        if value is not ABSENT:
            found.check(
                is_number(value), "json-schema.elicitation-number.fractional-bounds", f"/{name}", f"no {kind_of(value)}"
            )
    return found.decision()


# --- validation ------------------------------------------------------------------------------------------------


class Validation(enum.Enum):
    """What validating an instance against a schema comes to.

    UNRESOLVED: it fails because of a reference that leads out of the document. SCHEMA_REFUSED: the schema is not used
    at all because of one. UNSUPPORTED_DIALECT: it fails because of the dialect. UNDECIDED: the model cannot tell.
    """

    VALID = "valid"
    INVALID = "invalid"
    UNRESOLVED = "unresolved"
    SCHEMA_REFUSED = "schema-refused"
    UNSUPPORTED_DIALECT = "unsupported-dialect"
    UNDECIDED = "undecided"


@function("json-schema.validate")
def validate(schema: Json, instance: Json, further_dialects: list[str], profile: Profile) -> Decision[Validation]:
    """What validating `instance` against a valid schema comes to, with nothing fetched from the network.
    `further_dialects` are those that the implementation supports besides 2020-12.

    Source: basic/index#implementation-requirements, basic/index#ref-resolution.
    """
    handled = handling(schema, further_dialects)
    if isinstance(handled.outcome, Unsupported):
        return decide(Validation.UNSUPPORTED_DIALECT, *handled.because)
    read = handled.outcome.dialect
    leaves = any(Resources(schema, read).network())
    if leaves and profile[ExternalRef] is ExternalRef.EAGER:
        return decide(Validation.SCHEMA_REFUSED, "json-schema.ref.unresolved-rejected")
    outcome = evaluate(schema, instance, read)
    if outcome is Outcome.UNRESOLVED:
        unresolved = decide(Validation.UNRESOLVED, "json-schema.ref.unresolved-rejected")
        return unresolved.also("json-schema.ref.no-network-deref") if leaves else unresolved
    return decide(Validation(outcome.value), "json-schema.impl.validate-by-dialect").also(*dialect(schema).because)


@function("json-schema.within-bounds")
def within_bounds(schema: Json, max_depth: int, max_subschemas: int) -> Decision[bool]:
    """Whether a validator with these bounds works with a schema at all.

    The root stands at depth 1, a schema directly inside it at 2. Every schema counts, the root included; what `const`,
    `enum`, `default` and `examples` hold is no schema.

    Source: basic/index#composition-keyword-resource-use.
    """
    for count, one in enumerate(subschemas(schema, dialect_of(schema)), 1):
        if count > max_subschemas or one.depth > max_depth:
            return decide(False, "json-schema.bounds.composition")
    return decide(True, "json-schema.bounds.composition")


# --- fetching --------------------------------------------------------------------------------------------------


class Dereference(enum.Enum):
    """What an implementation does about the target of a `$ref`."""

    LOCAL = "local"
    FETCH = "fetch"
    LEAVE = "leave"


_OWN_NETWORKS: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("127.0.0.0/8", "::1/128", "0.0.0.0/32", "::/128"),
            *("169.254.0.0/16", "fe80::/10"),
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
        ),
    )
)
"""Loopback, link-local and private addresses; the unspecified address leads to the own host."""


@function("json-schema.dereference")
def dereference(
    reference: str,
    base: str = "",
    opted_in: bool = False,
    allowed_hosts: list[str] | Absent = ABSENT,
    addresses: tuple[str, ...] = (),
) -> Decision[Dereference]:
    """What an implementation does about a `$ref` in a document whose URI is `base` ("" where it has none).

    `opted_in`: someone switched the fetching of references on. `allowed_hosts` is the list of hosts that may be fetched
    from, left out where there is none; `addresses` are the IP addresses that the host of the target resolves to.

    Source: basic/index#ref-resolution.
    """
    target = resolved(base, reference)
    if target.partition("#")[0] == base.partition("#")[0]:
        return decide(Dereference.LOCAL, "json-schema.ref.no-network-deref")
    if not is_network(target):
        return decide(Dereference.LEAVE, "json-schema.ref.unresolved-rejected")
    if not opted_in:
        return decide(Dereference.LEAVE, "json-schema.ref.no-network-deref", "json-schema.ref.optin-default-off")
    if _is_admitted(target, allowed_hosts, addresses):
        return decide(Dereference.FETCH, "json-schema.ref.optin-host-policy", "json-schema.ref.optin-fetch")
    return decide(Dereference.LEAVE, "json-schema.ref.optin-host-policy")


def _is_admitted(target: str, allowed_hosts: list[str] | Absent, addresses: tuple[str, ...]) -> bool:
    origin = origin_of(target)
    if origin is None:
        return False
    if allowed_hosts is not ABSENT:
        return origin.host in [one.lower() for one in allowed_hosts]
    literal = origin.host.removeprefix("[").removesuffix("]")
    return _is_foreign(literal) if _is_address(literal) else bool(addresses) and all(map(_is_foreign, addresses))


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _is_foreign(address: str) -> bool:
    """Whether an IP address is none of loopback, link-local and private; an IPv4 address inside an IPv6 one counts."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return not any(found.version == one.version and found in one for one in _OWN_NETWORKS)


# --- older clients ---------------------------------------------------------------------------------------------


class Shown(enum.Enum):
    """How a server shows the output schema of a tool and its structured results: unchanged, left out both, both wrapped
    in an object, or the schema with the object type added and the results unchanged."""

    UNCHANGED = "unchanged"
    LEFT_OUT = "left-out"
    WRAPPED = "wrapped"
    TYPE_ADDED = "type-added"


@function("json-schema.shown-structure")
def shown_structure(
    era: Literal["modern", "legacy"],
    profile: Profile,
    output_schema: Json | Absent = ABSENT,
    structured_content: Json | Absent = ABSENT,
) -> Decision[Shown]:
    """How a dual-era server shows a client of one era the output schema and the structured result of a tool, either of
    which may be left out. A legacy client knows objects only.

    Source: basic/versioning#compatibility-matrix, changelog#minor-changes.
    """
    if era == "modern":
        return decide(Shown.UNCHANGED, "interop.dual-server.modern-request")
    if output_schema is ABSENT:
        of_objects = structured_content is ABSENT or is_object(structured_content)
    else:
        of_objects = member(output_schema, "type") == "object"
    if of_objects:
        return decide(Shown.UNCHANGED, "interop.matrix.legacy-dual-initialize")
    return decide(_for_legacy(output_schema, profile), "interop.matrix.legacy-dual-initialize")


def _for_legacy(output_schema: Json | Absent, profile: Profile) -> Shown:
    match profile[SchemaRootTowardsLegacy]:
        case SchemaRootTowardsLegacy.WRAP_IN_OBJECT:
            return Shown.WRAPPED
        case SchemaRootTowardsLegacy.ADD_OBJECT_TYPE if output_schema is not ABSENT:
            return Shown.TYPE_ADDED if admits_only_objects(output_schema) else Shown.LEFT_OUT
        case _:
            return Shown.LEFT_OUT


def admits_only_objects(schema: Json) -> bool:
    """Whether the structure of a schema shows that it admits nothing but objects. A reference shows nothing."""
    shown: dict[int, bool] = {}
    for one in reversed(list(subschemas(schema, dialect_of(schema)))):
        shown[id(one.schema)] = _names_only_objects(one.schema) or _joins_only_objects(one.schema, shown)
    return shown[id(schema)]


def _names_only_objects(schema: Json) -> bool:
    values = member(schema, "enum")
    return (
        member(schema, "type") in ("object", ["object"])
        or is_object(member(schema, "const"))
        or (isinstance(values, list) and bool(values) and all(map(is_object, values)))
    )


def _joins_only_objects(schema: Json, shown: Mapping[int, bool]) -> bool:
    any_of, one_of, all_of = (_branches(schema, one, shown) for one in ("anyOf", "oneOf", "allOf"))
    return (bool(any_of) and all(any_of)) or (bool(one_of) and all(one_of)) or any(all_of)


def _branches(schema: Json, keyword: str, shown: Mapping[int, bool]) -> list[bool]:
    branches = member(schema, keyword)
    listed = branches if isinstance(branches, list) else []
    return [bool(shown.get(id(one))) for one in listed]
