"""JSON Schema mechanics; the jsonschema package is the second opinion."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spec_model.wire.json_schema import (
    DRAFT_07,
    DRAFT_2020_12,
    SHAPES,
    Outcome,
    Resources,
    dialect_of,
    evaluate,
    first_fault,
    is_network,
    structure_faults,
    subschemas,
)

VALIDATORS: dict[str, Any] = {DRAFT_2020_12: jsonschema.Draft202012Validator, DRAFT_07: jsonschema.Draft7Validator}
DIALECTS = list(SHAPES)

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-4, 4), st.sampled_from([0.5, 1.0, -2.0]), st.sampled_from(["", "a", "aé"])
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
counts = st.integers(0, 3)
names = st.lists(st.sampled_from("abc"), unique=True, max_size=2)
types = st.sampled_from(["array", "boolean", "integer", "null", "number", "object", "string"])


def keywords(inner: st.SearchStrategy[Any], dialect: str) -> dict[str, st.SearchStrategy[Any]]:
    schemas = st.lists(inner, min_size=1, max_size=2)
    by_name = st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
    shared: dict[str, st.SearchStrategy[Any]] = {
        "type": types | st.lists(types, min_size=1, max_size=2, unique=True),
        "enum": st.lists(scalars, max_size=2),
        "const": scalars,
        "minimum": st.integers(-2, 2),
        "maximum": st.integers(-2, 2),
        "exclusiveMinimum": st.integers(-2, 2),
        "exclusiveMaximum": st.integers(-2, 2),
        "multipleOf": st.integers(1, 3),
        "minLength": counts,
        "maxLength": counts,
        "minItems": counts,
        "maxItems": counts,
        "minProperties": counts,
        "maxProperties": counts,
        "uniqueItems": st.booleans(),
        "required": names,
        "properties": by_name,
        "additionalProperties": inner,
        "propertyNames": inner,
        "contains": inner,
        "allOf": schemas,
        "anyOf": schemas,
        "oneOf": schemas,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "format": st.just("email"),
        "title": st.just("t"),
        "$ref": st.sampled_from(["#/$defs/x", "#/$defs/y"]),
    }
    if dialect == DRAFT_07:
        return shared | {
            "items": inner | schemas,
            "additionalItems": inner,
            "dependencies": st.dictionaries(st.sampled_from("abc"), inner | names, max_size=2),
        }
    return shared | {
        "items": inner,
        "prefixItems": schemas,
        "minContains": counts,
        "maxContains": counts,
        "dependentSchemas": by_name,
        "dependentRequired": st.dictionaries(st.sampled_from("abc"), names, max_size=2),
    }


def schemas(dialect: str) -> st.SearchStrategy[Any]:
    def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        known = keywords(inner, dialect)
        return st.dictionaries(st.sampled_from(sorted(known)), st.none(), min_size=1, max_size=3).flatmap(
            lambda chosen: st.fixed_dictionaries({name: known[name] for name in chosen})
        )

    return st.recursive(st.booleans() | st.fixed_dictionaries({"type": types}), grown, max_leaves=6)


def with_definitions(schema: Any) -> Any:
    """References lead to schemas that refer no further, so that the second opinion always ends."""
    definitions = {"x": {"type": "integer", "minimum": 0}, "y": {"type": ["string", "array"]}}
    return {**schema, "$defs": definitions} if isinstance(schema, dict) else schema


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=400)
@given(data=st.data())
def test_evaluation_agrees_with_the_second_opinion(dialect: str, data: st.DataObject) -> None:
    schema = with_definitions(data.draw(schemas(dialect)))
    instance = data.draw(values)
    validator = VALIDATORS[dialect](schema)
    found = evaluate(schema, instance, dialect)
    if found is Outcome.UNDECIDED:
        return
    assert found is (Outcome.VALID if validator.is_valid(instance) else Outcome.INVALID)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data())
def test_a_schema_built_from_the_keywords_has_no_fault(dialect: str, data: st.DataObject) -> None:
    assert not list(structure_faults(with_definitions(data.draw(schemas(dialect))), dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=600)
@given(data=st.data())
def test_structure_agrees_with_the_meta_schema(dialect: str, data: st.DataObject) -> None:
    keyword = data.draw(st.sampled_from(sorted(SHAPES[dialect])))
    likely = st.sampled_from(
        [
            *(-1, 0, 2, 2.0, 1.5, "a", "#a", "a#b", "object", "_a", "a b"),
            *([], ["a"], ["a", "a"], [1], [{}], [{}, 5], [True], ["thing"], ["object", "string"], ["object", "object"]),
            *({}, {"a": []}, {"a": ["b"]}, {"a": 1}, {"a": True}, {"a": {}}),
        ]
    )
    schema: Any = {keyword: data.draw(likely | values)}
    metaschema = VALIDATORS[dialect](VALIDATORS[dialect].META_SCHEMA)
    assert bool(list(structure_faults(schema, dialect))) == (not metaschema.is_valid(schema)), schema


def _contents(uri: str) -> Any:
    return VALIDATORS[DRAFT_2020_12]({})._resolver.lookup(uri).contents


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_keyword_of_the_meta_schema_has_a_shape(dialect: str) -> None:
    found: set[str] = set()
    if dialect == DRAFT_07:
        found |= VALIDATORS[dialect].META_SCHEMA["properties"].keys()
    else:
        found |= VALIDATORS[dialect].META_SCHEMA["properties"].keys()
        for part in ("core", "applicator", "unevaluated", "validation", "meta-data", "content", "format-annotation"):
            found |= _contents(f"https://json-schema.org/draft/2020-12/meta/{part}")["properties"].keys()
    assert found == set(SHAPES[dialect])


@given(values)
def test_any_value_is_judged_and_any_schema_evaluated(value: Any) -> None:
    for dialect in DIALECTS:
        list(structure_faults(value, dialect))
        assert isinstance(evaluate(value, value, dialect), Outcome)
        assert next(one.at for one in subschemas(value, dialect)) == ""


@pytest.mark.parametrize(
    ("schema", "instance", "outcome"),
    [
        ({"$ref": "#"}, 1, Outcome.UNDECIDED),
        ({"properties": {"next": {"$ref": "#"}}, "type": "object"}, {"next": {"next": {}}}, Outcome.VALID),
        ({"properties": {"next": {"$ref": "#"}}, "type": "object"}, {"next": {"next": 1}}, Outcome.INVALID),
        ({"$ref": "https://example.com/b"}, 1, Outcome.UNRESOLVED),
        ({"$ref": "#/$defs/missing"}, 1, Outcome.UNRESOLVED),
        (
            {"$id": "https://a.example/a", "$ref": "https://a.example/a#/$defs/x", "$defs": {"x": False}},
            1,
            Outcome.INVALID,
        ),
        (
            {"$id": "https://a.example/a", "$ref": "b", "$defs": {"x": {"$id": "b", "type": "array"}}},
            1,
            Outcome.INVALID,
        ),
        ({"$id": "https://example.com/a", "$ref": "b"}, 1, Outcome.UNRESOLVED),
        ({"$ref": "#here", "$defs": {"x": {"$anchor": "here", "type": "integer"}}}, 1, Outcome.VALID),
        ({"$ref": "#/$defs/a~1b%20c", "$defs": {"a/b c": {"type": "integer"}}}, "x", Outcome.INVALID),
        ({"not": {"$ref": "urn:example:x"}}, 1, Outcome.UNRESOLVED),
        ({"anyOf": [{"$ref": "urn:example:x"}, True]}, 1, Outcome.VALID),
        ({"anyOf": [{"$ref": "urn:example:x"}, False]}, 1, Outcome.UNRESOLVED),
        ({"oneOf": [{"$ref": "urn:example:x"}, True]}, 1, Outcome.UNRESOLVED),
        ({"allOf": [{"$ref": "urn:example:x"}, False]}, 1, Outcome.INVALID),
        ({"if": {"$ref": "urn:example:x"}, "then": False}, 1, Outcome.UNRESOLVED),
        ({"contains": {"$ref": "urn:example:x"}}, [1], Outcome.UNRESOLVED),
        ({"contains": {"$ref": "urn:example:x"}}, [], Outcome.INVALID),
        ({"pattern": "^a"}, "b", Outcome.UNDECIDED),
        ({"patternProperties": {"^a": False}, "additionalProperties": False}, {"a": 1}, Outcome.UNDECIDED),
        ({"multipleOf": 0.1}, 0.3, Outcome.UNDECIDED),
    ],
)
def test_references_and_what_is_out_of_scope(schema: Any, instance: Any, outcome: Outcome) -> None:
    assert evaluate(schema, instance, DRAFT_2020_12) is outcome


def test_a_sibling_of_a_reference_counts_in_one_dialect_only() -> None:
    schema: Any = {"$ref": "#/definitions/x", "type": "string", "definitions": {"x": {"type": "integer"}}}
    assert evaluate(schema, 1, DRAFT_07) is Outcome.VALID
    assert evaluate(schema, 1, DRAFT_2020_12) is Outcome.INVALID


def test_what_is_too_deep_or_too_long_ends() -> None:
    deep: Any = {"type": "integer"}
    for _ in range(2000):
        deep = {"not": deep}
    assert evaluate(deep, 1, DRAFT_2020_12) is Outcome.UNDECIDED
    wide: Any = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)} | {"d40": {}}
    assert evaluate({"$ref": "#/$defs/d0", "$defs": wide}, 1, DRAFT_2020_12) is Outcome.UNDECIDED
    assert len(list(subschemas(deep, DRAFT_2020_12))) == 2001
    assert max(one.depth for one in subschemas(deep, DRAFT_2020_12)) == 2001
    nested: Any = []
    for _ in range(3000):
        nested = [nested]
    assert evaluate({"const": nested}, nested, DRAFT_2020_12) in (Outcome.UNDECIDED, Outcome.VALID)


def test_network_references_are_those_that_leave_the_document_for_the_network() -> None:
    schema: Any = {
        "$id": "https://example.com/a.json",
        "properties": {
            "a": {"$ref": "#/$defs/x"},
            "b": {"$ref": "b.json"},
            "c": {"$ref": "https://example.com/a.json#/$defs/x"},
            "d": {"$ref": "urn:example:d"},
            "$ref": {"type": "string"},
        },
        "const": {"$ref": "https://example.com/constant.json"},
        "$defs": {"x": {}},
    }
    found = Resources(schema, DRAFT_2020_12)
    assert list(found.network()) == ["https://example.com/b.json"]
    assert set(found.external()) == {"https://example.com/b.json", "urn:example:d"}


@pytest.mark.parametrize(
    ("schema", "dialect"),
    [
        ({}, DRAFT_2020_12),
        (True, DRAFT_2020_12),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, DRAFT_07),
        ({"$schema": "http://json-schema.org/draft-07/schema"}, DRAFT_07),
        ({"$schema": "https://example.com/own"}, "https://example.com/own"),
        ({"$schema": 7}, DRAFT_2020_12),
    ],
)
def test_dialect(schema: Any, dialect: str) -> None:
    assert dialect_of(schema) == dialect


@pytest.mark.parametrize(("uri", "network"), [("https://a", True), ("http://a", True), ("urn:a", False), ("a", False)])
def test_network_addresses(uri: str, network: bool) -> None:
    assert is_network(uri) is network


def test_pointers_are_made_when_asked_for_and_are_bounded() -> None:
    name = "k" * 5000
    schema: Any = {"properties": {"a/b": {"properties": {name: {"allOf": [{"type": 1}]}}}}}
    (fault,) = structure_faults(schema, DRAFT_2020_12)
    assert fault.at == "/properties/a~1b"
    assert [one.at for one in structure_faults({"allOf": [{"type": 1}]}, DRAFT_2020_12)] == ["/allOf/0/type"]
    assert [one.at for one in structure_faults(1, DRAFT_2020_12)] == [""]
    assert len(fault.inside.at) < 5000 and fault.inside.depth == 4


@pytest.mark.parametrize(
    ("schema", "instance"),
    [
        ({"anyOf": [{"$ref": "#/$defs/e"}] * 600, "$defs": {"e": {"enum": list(range(2000))}}}, -1),
        ({"uniqueItems": True}, [[0] * 100 + [n] for n in range(300)]),
        ({"$id": "http://a/" + "a/" * 10_000, "properties": {f"p{n}": {"$id": f"b{n}"} for n in range(600)}}, {}),
        ({"const": [[n] for n in range(600_000)]}, [[n] for n in range(600_000)]),
    ],
    ids=["enum", "unique", "bases", "const"],
)
def test_work_is_bounded(schema: Any, instance: Any) -> None:
    assert evaluate(schema, instance, DRAFT_2020_12) is Outcome.UNDECIDED


def test_a_reference_is_resolved_once() -> None:
    schema: Any = {"$id": "http://a/" + "a/" * 100_000, "items": {"$ref": "#/$defs/x"}, "$defs": {"x": {}}}
    assert evaluate(schema, list(range(1000)), DRAFT_2020_12) is Outcome.VALID
    resources = Resources(schema, DRAFT_2020_12)
    assert resources.complete and resources.work < 1_000_000


@pytest.mark.parametrize(
    ("schema", "instance", "outcome"),
    [
        ({"required": [[]]}, {}, Outcome.INVALID),
        ({"dependentRequired": {"a": [[]]}}, {"a": 1}, Outcome.INVALID),
        ({"multipleOf": 0}, 1, Outcome.UNDECIDED),
        ({"multipleOf": -1}, 1, Outcome.UNDECIDED),
        ({"$ref": "#/allOf/" + "0" * 5000, "allOf": [True]}, 1, Outcome.UNRESOLVED),
        ({"$ref": "#/allOf/" + "1" * 5000, "allOf": [True]}, 1, Outcome.UNRESOLVED),
        ({"$ref": "#/allOf/01", "allOf": [True, True]}, 1, Outcome.UNRESOLVED),
        ({"allOf": [{"$ref": "#/$defs/x/allOf/0"}], "$defs": {"x": {"allOf": [True]}}}, 1, Outcome.VALID),
        ({"$id": "http://[#", "$ref": "#/$defs/x", "$defs": {"x": True}}, 1, Outcome.VALID),
        ({"$ref": "http://[#a"}, 1, Outcome.UNRESOLVED),
    ],
)
def test_a_schema_that_is_wrong_raises_nothing(schema: Any, instance: Any, outcome: Outcome) -> None:
    assert evaluate(schema, instance, DRAFT_2020_12) is outcome
    assert all(isinstance(one, str) for one in Resources(schema, DRAFT_2020_12).external())


def test_faults_are_counted() -> None:
    assert first_fault({"type": 1, "allOf": [{"type": 2}]}, DRAFT_2020_12) == ("/type", 2)
    assert first_fault({}, DRAFT_2020_12) == ("", 0)
