"""Laws of the use of JSON Schema."""

from __future__ import annotations

import ipaddress
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import ExternalRef, SchemaRootTowardsLegacy, UnsupportedDialect
from spec_model.semantics.decision import Conformance
from spec_model.semantics.json_schema import (
    Dereference,
    Excluded,
    FailsOnUse,
    Readable,
    Shown,
    Unsupported,
    Unvalidated,
    Usable,
    Validation,
    admits_only_objects,
    dereference,
    dialect,
    elicitation_number,
    handling,
    schema_in_message,
    shown_structure,
    tool_use,
    validate,
    within_bounds,
)
from spec_model.wire.json_schema import DRAFT_07, DRAFT_2020_12, SHAPES, subschemas

EAGER = Profile().varied(ExternalRef.EAGER)
REMOTE = "https://schemas.example.com/b.json"

dialects = st.sampled_from([DRAFT_2020_12, DRAFT_07, f"{DRAFT_07}#", "https://example.com/own"])
leaves = st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from([0.5, "a", "object", "string", "array"])
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "type"]), inner, max_size=3),
    max_leaves=6,
)


def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", "string", ["object"], ["object", "null"]]),
            "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "const": values,
            "enum": st.lists(values, max_size=2),
            "required": st.lists(st.sampled_from("ab"), unique=True),
        },
    )


schemas = st.recursive(st.booleans() | st.just({"$ref": REMOTE}), grown, max_leaves=6)
local_schemas = st.recursive(st.booleans(), grown, max_leaves=6)


@given(schemas, dialects, st.lists(dialects, max_size=3))
def test_every_schema_is_read_by_the_dialect_that_it_names_or_not_at_all(
    schema: Any, named: str, known: list[str]
) -> None:
    if isinstance(schema, bool):
        return
    declared = {**schema, "$schema": named}
    assert dialect(schema).outcome == DRAFT_2020_12
    assert dialect(declared).outcome == named.removesuffix("#")
    answer = handling(declared, known).outcome
    assert answer.dialect == named.removesuffix("#")
    supported = named == DRAFT_2020_12 or named.removesuffix("#") in {one.removesuffix("#") for one in known}
    assert isinstance(answer, Readable if supported else Unsupported)
    assert isinstance(handling(schema, known).outcome, Readable)


@given(dialects, dialects, st.lists(dialects, max_size=2), st.sampled_from(UnsupportedDialect))
def test_a_dialect_concerns_the_one_tool_and_is_always_named(
    first: str, second: str, known: list[str], choice: UnsupportedDialect
) -> None:
    tool: Any = {"name": "t", "inputSchema": {"$schema": first}, "outputSchema": {"$schema": second}}
    use = tool_use(tool, known, Profile().varied(choice)).outcome
    unread = [one for one in (first, second) if isinstance(handling({"$schema": one}, known).outcome, Unsupported)]
    if not unread:
        assert use == Usable()
    else:
        assert isinstance(use, FailsOnUse | Excluded | Unvalidated)
        assert use.dialect == unread[0].removesuffix("#")


@given(values)
def test_any_value_is_judged(value: Any) -> None:
    assert schema_in_message(value).because
    assert elicitation_number(value).because
    assert isinstance(dialect(value).outcome, str)
    assert tool_use(value, [], DEFAULT_PROFILE).because
    assert shown_structure("legacy", DEFAULT_PROFILE, value).outcome in Shown
    assert validate(value, value, [DRAFT_07], DEFAULT_PROFILE).outcome in Validation


@given(schemas, st.sampled_from(sorted(SHAPES[DRAFT_2020_12])), values)
def test_a_fault_inside_is_a_fault_of_the_whole(schema: Any, keyword: str, value: Any) -> None:
    inner = schema_in_message({keyword: value}).outcome is Conformance.BREAKS
    whole = schema_in_message({"allOf": [schema, {"properties": {"a": {keyword: value}}}]}).outcome
    assert (whole is Conformance.BREAKS) == inner


@given(schemas, values)
def test_eagerness_refuses_more_and_never_changes_a_verdict(schema: Any, instance: Any) -> None:
    lazy = validate(schema, instance, [], DEFAULT_PROFILE).outcome
    eager = validate(schema, instance, [], EAGER).outcome
    refers = REMOTE in [
        inner.schema.get("$ref") for inner in subschemas(schema, DRAFT_2020_12) if isinstance(inner.schema, dict)
    ]
    assert eager is (Validation.SCHEMA_REFUSED if refers else lazy)


@given(schemas, values)
def test_an_instance_never_passes_because_a_reference_is_unresolved(schema: Any, instance: Any) -> None:
    """Whatever the reference stands for: what passes lazily passes with any schema in its place; so for what fails."""
    lazy = validate(schema, instance, [], DEFAULT_PROFILE).outcome
    found = {validate(resolved(schema, one), instance, [], DEFAULT_PROFILE).outcome for one in (True, False)}
    if lazy in (Validation.VALID, Validation.INVALID):
        assert found == {lazy}


def resolved(schema: Any, target: bool) -> Any:
    if isinstance(schema, list):
        return [resolved(one, target) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("$ref") == REMOTE:
        return target
    return {key: value if key in ("const", "enum") else resolved(value, target) for key, value in schema.items()}


@given(schemas, st.integers(1, 6), st.integers(1, 12))
def test_higher_bounds_admit_more(schema: Any, depth: int, count: int) -> None:
    if within_bounds(schema, depth, count).outcome:
        assert within_bounds(schema, depth + 1, count).outcome
        assert within_bounds(schema, depth, count + 1).outcome
    inside = list(subschemas(schema, DRAFT_2020_12))
    assert within_bounds(schema, max(one.depth for one in inside), len(inside)).outcome
    assert not within_bounds(schema, 100, len(inside) - 1).outcome


@given(st.integers(0, 2**32 - 1) | st.integers(0, 2**128 - 1))
def test_what_python_calls_loopback_link_local_or_private_by_the_rfcs_is_never_fetched(number: int) -> None:
    address = ipaddress.ip_address(number)
    fetched = dereference(REMOTE, "", True, addresses=(str(address),)).outcome is Dereference.FETCH
    if address.is_loopback or address.is_link_local or address.is_unspecified:
        assert not fetched
    if address.is_global:
        assert fetched


PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "fe80::/10", "fc00::/7"]


@pytest.mark.parametrize("network", PRIVATE)
def test_networks_end_where_they_end(network: str) -> None:
    inside = ipaddress.ip_network(network)
    for address in (inside[0], inside[-1]):
        assert dereference(REMOTE, "", True, addresses=(str(address),)).outcome is Dereference.LEAVE
    for address in (inside[0] - 1, inside[-1] + 1):
        assert dereference(REMOTE, "", True, addresses=(str(address),)).outcome is Dereference.FETCH


@given(
    st.text(max_size=20),
    st.sampled_from(["", "https://example.com/a.json"]),
    st.lists(st.text(max_size=9)),
    st.booleans(),
)
def test_nothing_is_fetched_by_default(reference: str, base: str, hosts: list[str], listed: bool) -> None:
    for target in (reference, REMOTE, f"https://{reference}"):
        found = dereference(target, base, False, hosts) if listed else dereference(target, base)
        assert found.outcome is not Dereference.FETCH


@given(st.lists(st.sampled_from(["93.184.216.34", "127.0.0.1", "10.0.0.1", "::1"]), max_size=3), st.booleans())
def test_a_host_is_as_safe_as_its_worst_address_and_a_list_decides_alone(addresses: list[str], listed: bool) -> None:
    found = dereference(REMOTE, "", True, addresses=tuple(addresses)).outcome
    assert (found is Dereference.FETCH) == (set(addresses) == {"93.184.216.34"})
    hosts = ["schemas.example.com"] if listed else ["example.com"]
    assert (dereference(REMOTE, "", True, hosts, tuple(addresses)).outcome is Dereference.FETCH) == listed


@given(local_schemas, values)
def test_a_schema_that_shows_that_it_admits_objects_admits_nothing_else(schema: Any, instance: Any) -> None:
    if admits_only_objects(schema) and not isinstance(instance, dict):
        assert not jsonschema.Draft202012Validator(schema).is_valid(instance)


@given(schemas | st.none(), values, st.sampled_from(SchemaRootTowardsLegacy))
def test_a_modern_client_sees_what_the_tool_defines(schema: Any, content: Any, choice: SchemaRootTowardsLegacy) -> None:
    profile = Profile().varied(choice)
    given_schema = {} if schema is None else {"output_schema": schema}
    assert shown_structure("modern", profile, structured_content=content, **given_schema).outcome is Shown.UNCHANGED
    if schema is None and not isinstance(content, dict):
        assert shown_structure("legacy", profile, structured_content=content).outcome is not Shown.UNCHANGED


@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["number", "integer", "string"])},
        optional={"minimum": leaves, "maximum": leaves, "default": leaves},
    )
    | values
)
def test_the_official_schema_judges_number_schemas_alike(shared: Path, schema: Any) -> None:
    definitions = json.loads((shared / "spec/schema/2026-07-28.json").read_text())["$defs"]
    official = jsonschema.Draft202012Validator({"$ref": "#/$defs/NumberSchema", "$defs": definitions})
    assert (elicitation_number(schema).outcome is Conformance.CONFORMS) == official.is_valid(schema)


def test_the_schemas_of_the_official_tools_are_valid(shared: Path) -> None:
    files = sorted((shared / "spec/examples/Tool").glob("*.json"))
    if not files:
        pytest.skip("needs the official examples of Tool in ../shared")
    for file in files:
        tool = json.loads(file.read_text())
        for name in ("inputSchema", "outputSchema"):
            if name in tool:
                assert schema_in_message(tool[name]).outcome is not Conformance.BREAKS, file


def test_an_address_that_is_no_uri_raises_nothing() -> None:
    schema: Any = {"type": "object", "$id": "http://[#"}
    assert schema_in_message(schema).outcome is not None
    assert shown_structure("legacy", DEFAULT_PROFILE, schema).outcome is Shown.UNCHANGED
    assert dereference("#x", "http://[#a").outcome is Dereference.LOCAL
