"""JSON Schema as far as the rules need it: the dialects, the shape of every keyword, references, and evaluation.

This is the mechanics of JSON Schema, not of the protocol. Two dialects are known: 2020-12 and draft-07. Everything here
ends on any input: what is too deep, too large or outside the scope is `UNDECIDED`, never guessed.
"""

from __future__ import annotations

import enum
import re
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from spec_model.wire.json import MAX_POINTER_CHARS, pointer
from spec_model.wire.urls import resolved, scheme_of, without_fragment
from spec_model.wire.values import Absent, Json, JsonObject, equal, is_integer, is_number, is_object, is_string

DRAFT_2020_12: Final = "https://json-schema.org/draft/2020-12/schema"
DRAFT_07: Final = "http://json-schema.org/draft-07/schema"


def dialect_of(schema: Json | Absent) -> str:
    """The URI of the dialect that `schema` declares, without an empty fragment; where it declares none, 2020-12."""
    declared = schema.get("$schema") if is_object(schema) else None
    return declared.removesuffix("#") if is_string(declared) else DRAFT_2020_12


# --- the shape of a keyword's value ----------------------------------------------------------------------------

_ANCHOR: Final = re.compile(r"[A-Za-z_][-A-Za-z0-9._]*")
_ID_2020_12: Final = re.compile(r"[^#]*#?")
_TYPES: Final = ("array", "boolean", "integer", "null", "number", "object", "string")


def _is_schema(value: Json) -> bool:
    return type(value) is bool or is_object(value)


def _is_map_of(inner: Callable[[Json], bool]) -> Callable[[Json], bool]:
    return lambda value: is_object(value) and all(map(inner, value.values()))


def _is_schema_list(value: Json) -> bool:
    return type(value) is list and bool(value) and all(map(_is_schema, value))


def _is_unique_strings(value: Json) -> bool:
    return type(value) is list and all(map(is_string, value)) and len(set(map(str, value))) == len(value)


def _is_types(value: Json) -> bool:
    return value in _TYPES if is_string(value) else bool(value) and _is_unique_strings(value) and _all_types(value)


def _all_types(value: Json) -> bool:
    return isinstance(value, list) and all(one in _TYPES for one in value)


def _is_count(value: Json) -> bool:
    return is_integer(value) and value >= 0


def _is_positive(value: Json) -> bool:
    return is_number(value) and value > 0


def _is_boolean(value: Json) -> bool:
    return type(value) is bool


def _is_array(value: Json) -> bool:
    return type(value) is list


def _is_anything(value: Json) -> bool:
    return True


def _is_anchor(value: Json) -> bool:
    return is_string(value) and _ANCHOR.fullmatch(value) is not None


def _is_id_2020_12(value: Json) -> bool:
    return is_string(value) and _ID_2020_12.fullmatch(value) is not None


_is_schema_map: Final = _is_map_of(_is_schema)
_is_strings_map: Final = _is_map_of(_is_unique_strings)
_is_flag_map: Final = _is_map_of(_is_boolean)
_is_dependencies: Final = _is_map_of(lambda value: _is_schema(value) or _is_unique_strings(value))

_COMMON: Final[Mapping[str, Callable[[Json], bool]]] = {
    "$schema": is_string,
    "$ref": is_string,
    "$comment": is_string,
    "title": is_string,
    "description": is_string,
    "default": _is_anything,
    "readOnly": _is_boolean,
    "examples": _is_array,
    "multipleOf": _is_positive,
    "maximum": is_number,
    "exclusiveMaximum": is_number,
    "minimum": is_number,
    "exclusiveMinimum": is_number,
    "maxLength": _is_count,
    "minLength": _is_count,
    "pattern": is_string,
    "maxItems": _is_count,
    "minItems": _is_count,
    "uniqueItems": _is_boolean,
    "contains": _is_schema,
    "maxProperties": _is_count,
    "minProperties": _is_count,
    "required": _is_unique_strings,
    "additionalProperties": _is_schema,
    "definitions": _is_schema_map,
    "properties": _is_schema_map,
    "patternProperties": _is_schema_map,
    "dependencies": _is_dependencies,
    "propertyNames": _is_schema,
    "const": _is_anything,
    "enum": _is_array,
    "type": _is_types,
    "format": is_string,
    "contentMediaType": is_string,
    "contentEncoding": is_string,
    "if": _is_schema,
    "then": _is_schema,
    "else": _is_schema,
    "allOf": _is_schema_list,
    "anyOf": _is_schema_list,
    "oneOf": _is_schema_list,
    "not": _is_schema,
}

SHAPES: Final[Mapping[str, Mapping[str, Callable[[Json], bool]]]] = {
    DRAFT_2020_12: {
        **_COMMON,
        "$id": _is_id_2020_12,
        "$anchor": _is_anchor,
        "$dynamicRef": is_string,
        "$dynamicAnchor": _is_anchor,
        "$vocabulary": _is_flag_map,
        "$defs": _is_schema_map,
        "prefixItems": _is_schema_list,
        "items": _is_schema,
        "dependentSchemas": _is_schema_map,
        "dependentRequired": _is_strings_map,
        "minContains": _is_count,
        "maxContains": _is_count,
        "unevaluatedItems": _is_schema,
        "unevaluatedProperties": _is_schema,
        "contentSchema": _is_schema,
        "deprecated": _is_boolean,
        "writeOnly": _is_boolean,
        "$recursiveRef": is_string,
        "$recursiveAnchor": _is_anchor,
    },
    DRAFT_07: {
        **_COMMON,
        "$id": is_string,
        "items": lambda value: _is_schema(value) or _is_schema_list(value),
        "additionalItems": _is_schema,
    },
}


# --- the schemas inside a schema -------------------------------------------------------------------------------

_ONE: Final = frozenset(
    {"contains", "additionalProperties", "propertyNames", "if", "then", "else", "not", "items", "additionalItems"}
    | {"unevaluatedItems", "unevaluatedProperties", "contentSchema"}
)
_LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_MAPS: Final = frozenset(
    {"definitions", "properties", "patternProperties", "dependencies", "dependentSchemas", "$defs"}
)


class Subschema(NamedTuple):
    """A schema inside a schema: its value, how deep it stands (the root at 1), its base URI, the schema around it and
    the way there from that one."""

    schema: Json
    depth: int = 1
    base: str = ""
    around: Subschema | None = None
    way: tuple[str | int, ...] = ()

    @property
    def at(self) -> str:
        """The JSON pointer; where it would be over MAX_POINTER_CHARS, that of the nearest schema around that fits."""
        return _pointer(self, ())


def _pointer(one: Subschema, way: tuple[str | int, ...]) -> str:
    """The pointer of what stands in a schema after `way`."""
    ways = [way]
    around: Subschema | None = one
    while around is not None:
        ways.append(around.way)
        around = around.around
    text = ""
    for step in reversed(ways):
        longer = text + pointer(*step)
        if len(longer) > MAX_POINTER_CHARS:
            break
        text = longer
    return text


BaseOf: TypeAlias = Callable[[JsonObject, str], str]


def _same_base(schema: JsonObject, base: str) -> str:
    return base


def subschemas(schema: Json, dialect: str, base_of: BaseOf = _same_base) -> Iterator[Subschema]:
    """The schema itself and every schema inside it, each before what it holds; references are not followed.

    `base_of` gives the base URI of a schema from that around it; without it there are none.
    """
    known = SHAPES.get(dialect, SHAPES[DRAFT_2020_12])
    waiting = [Subschema(schema)]
    while waiting:
        this = waiting.pop()
        schema = this.schema
        if is_object(schema):
            this = this._replace(base=base_of(schema, this.base))
            inside = _inside(schema, known)
            waiting.extend(Subschema(one, this.depth + 1, this.base, this, way) for way, one in inside)
        yield this


def _inside(schema: JsonObject, known: Mapping[str, object]) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    for keyword, value in schema.items():
        if keyword not in known:
            continue
        if keyword in _ONE and _is_schema(value):
            yield (keyword,), value
        elif keyword in _LISTS and isinstance(value, list):
            yield from (((keyword, n), one) for n, one in enumerate(value) if _is_schema(one))
        elif keyword in _MAPS and isinstance(value, dict):
            yield from (((keyword, name), one) for name, one in value.items() if _is_schema(one))


class StructureFault(NamedTuple):
    """A keyword whose value breaks the meta-schema, and the schema that it stands in; no keyword where the value is no
    schema at all."""

    inside: Subschema
    keyword: str | None

    @property
    def at(self) -> str:
        """The JSON pointer of the value at fault, within the bound of `Subschema.at`."""
        return _pointer(self.inside, () if self.keyword is None else (self.keyword,))


def structure_faults(schema: Json, dialect: str) -> Iterator[StructureFault]:
    """Where `schema` breaks the meta-schema of `dialect`. A dialect that is not known here has no faults.

    Formats (`uri`, `regex`) are not checked, for meta-schemas only annotate with them.
    """
    shapes = SHAPES.get(dialect)
    if shapes is None:
        return
    if not _is_schema(schema):
        yield StructureFault(Subschema(schema), None)
    for one in subschemas(schema, dialect):
        if is_object(one.schema):
            for keyword, value in one.schema.items():
                fits = shapes.get(keyword)
                if fits is not None and not fits(value):
                    yield StructureFault(one, keyword)


def first_fault(schema: Json, dialect: str) -> tuple[str, int]:
    """The JSON pointer of the first of `structure_faults` ("" where there is none), and how many there are."""
    faults = structure_faults(schema, dialect)
    first = next(faults, None)
    return ("", 0) if first is None else (first.at, 1 + sum(1 for _ in faults))


# --- references ------------------------------------------------------------------------------------------------


class TooCostly(Exception):
    """The work allowed for one schema is done."""


_WORK: Final = 10_000_000
_COMPARISON: Final = 10
_RESOLUTION: Final = 64
"""Work is counted in bytes of URIs; a comparison of two values and a resolution weigh as many more."""


class Resources:
    """The schema resources inside one document by URI, to which references resolve without leaving it.

    The work on one document is bounded: where the bound is met already by its `$id` and `$ref`, it is not `complete`.
    """

    def __init__(self, schema: Json, dialect: str) -> None:
        self.dialect = dialect
        self.work = 0
        self._targets: dict[tuple[str, str], str] = {}
        self._found: dict[str, Subschema | None] = {}
        self._roots: dict[str, Subschema] = {"": Subschema(schema)}
        self._anchors: dict[str, Subschema] = {}
        self.references: list[str] = []
        try:
            for one in subschemas(schema, dialect, self.base):
                if is_object(one.schema):
                    self._note(one, one.schema)
            self.complete = True
        except TooCostly:
            self.complete = False

    def spend(self, work: int) -> None:
        """Counts work; raises TooCostly where it was too much."""
        self.work += work
        if self.work > _WORK:
            raise TooCostly

    def compare(self, count: int) -> None:
        """Counts the work of so many comparisons."""
        self.spend(count * _COMPARISON)

    def resolve(self, base: str, reference: str) -> str:
        """The URI that a reference stands for, as `resolved` gives it."""
        known = self._targets.get((base, reference))
        if known is None:
            self.spend(_RESOLUTION + len(base) + len(reference))
            known = self._targets[base, reference] = resolved(base, reference)
        return known

    def base(self, schema: JsonObject, base: str) -> str:
        """The base URI of a schema, where that around it is `base`."""
        declared = schema.get("$id")
        return without_fragment(self.resolve(base, declared))[0] if is_string(declared) else base

    def _note(self, one: Subschema, schema: JsonObject) -> None:
        if one.around is None or is_string(schema.get("$id")):
            self._roots.setdefault(one.base, one)
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = schema.get(keyword)
            if is_string(anchor) and self.dialect != DRAFT_07:
                self.spend(len(one.base) + len(anchor))
                self._anchors.setdefault(f"{one.base}#{anchor}", one)
        declared = schema.get("$id")
        if self.dialect == DRAFT_07 and is_string(declared) and "#" in declared:
            self.spend(len(one.base) + len(declared))
            self._anchors.setdefault(f"{one.base}#{declared.partition('#')[2]}", one)
        reference = schema.get("$ref")
        if is_string(reference):
            self.references.append(self.resolve(one.base, reference))

    def external(self) -> Iterator[str]:
        """The targets of all references that lie outside the document; none where it is not complete."""
        targets = dict.fromkeys(self.references if self.complete else ())
        return (target for target in targets if without_fragment(target)[0] not in self._roots)

    def network(self) -> Iterator[str]:
        """The targets of all references that lie outside the document, at a network address."""
        return (target for target in self.external() if is_network(target))

    def find(self, target: str) -> Subschema | None:
        """What a resolved reference points to; None where that is not in the document."""
        if target not in self._found:
            self.spend(_RESOLUTION + len(target))
            self._found[target] = self._find(target)
        return self._found[target]

    def _find(self, target: str) -> Subschema | None:
        url, fragment = without_fragment(target)
        root = self._roots.get(url)
        if root is None or not fragment:
            return root
        if not fragment.startswith("/"):
            return self._anchors.get(f"{url}#{fragment}")
        return self._at_pointer(root, urllib.parse.unquote(fragment))

    def _at_pointer(self, root: Subschema, path: str) -> Subschema | None:
        value, base = root.schema, root.base
        for step in path.split("/")[1:]:
            inner = _step(value, step.replace("~1", "/").replace("~0", "~"))
            if inner is None:
                return None
            value = inner[0]
            base = self.base(value, base) if is_object(value) else base
        return Subschema(value, base=base) if _is_schema(value) else None


def is_network(uri: str) -> bool:
    """Whether `uri` is an address on the network."""
    return scheme_of(uri) in ("http", "https", "ftp", "ftps", "ws", "wss")


_INDEX: Final = re.compile(r"0|[1-9][0-9]*")


def _step(value: Json, name: str) -> tuple[Json] | None:
    if is_object(value) and name in value:
        return (value[name],)
    # no longer than the index can be: Python refuses to read very long integers
    if isinstance(value, list) and _INDEX.fullmatch(name[:20]) and len(name) <= 20 and int(name) < len(value):
        return (value[int(name)],)
    return None


# --- evaluation ------------------------------------------------------------------------------------------------

_DEPTH: Final = 60
_STEPS: Final = 5000
_LONGEST_UNIQUE: Final = 300


class Outcome(enum.Enum):
    """What validating an instance comes to. UNRESOLVED: it hangs on a reference that leads nowhere in the document.
    UNDECIDED: it hangs on a keyword outside the scope, or is too deep or too long to follow."""

    VALID = "valid"
    INVALID = "invalid"
    UNRESOLVED = "unresolved"
    UNDECIDED = "undecided"


_UNKNOWN: Final = (Outcome.UNDECIDED, Outcome.UNRESOLVED)
_OUT_OF_SCOPE: Final = frozenset(
    {"pattern", "patternProperties", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$recursiveRef"}
)


def evaluate(schema: Json, instance: Json, dialect: str) -> Outcome:
    """Whether `instance` is valid under `schema`, a structurally right schema of a known dialect.

    Out of scope are regular expressions, unevaluated members and dynamic references. Formats and content annotate.
    """
    if dialect not in SHAPES:
        return Outcome.UNDECIDED
    resources = Resources(schema, dialect)
    if not resources.complete:
        return Outcome.UNDECIDED
    try:
        base = resources.base(schema, "") if is_object(schema) else ""
        return _Evaluator(resources).schema(Subschema(schema, base=base), instance)
    except (RecursionError, TooCostly):
        return Outcome.UNDECIDED


def _both(outcomes: Iterable[Outcome]) -> Outcome:
    return _combined(outcomes, Outcome.INVALID, Outcome.VALID)


def _either(outcomes: Iterable[Outcome]) -> Outcome:
    return _combined(outcomes, Outcome.VALID, Outcome.INVALID)


def _combined(outcomes: Iterable[Outcome], strong: Outcome, weak: Outcome) -> Outcome:
    seen = set()
    for one in outcomes:
        if one is strong:
            return strong
        seen.add(one)
    return next((one for one in _UNKNOWN if one in seen), weak)


def _of(holds: bool) -> Outcome:
    return Outcome.VALID if holds else Outcome.INVALID


class _Evaluator:
    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.known = SHAPES[resources.dialect]
        self.draft_07 = resources.dialect == DRAFT_07
        self.steps = 0
        self.active: set[tuple[int, int]] = set()

    def schema(self, at: Subschema, instance: Json) -> Outcome:
        schema = at.schema
        if type(schema) is bool:
            return _of(schema)
        if not is_object(schema):
            return Outcome.UNDECIDED
        self.resources.compare(1 + len(schema))
        visit = (id(schema), id(instance))
        self.steps += 1
        if self.steps > _STEPS or at.depth > _DEPTH or visit in self.active:
            return Outcome.UNDECIDED
        self.active.add(visit)
        try:
            return _both(self._keywords(at, schema, instance))
        finally:
            self.active.discard(visit)

    def _keywords(self, at: Subschema, schema: JsonObject, instance: Json) -> Iterator[Outcome]:
        reference = schema.get("$ref")
        if is_string(reference):
            yield self._reference(self.resources.resolve(at.base, reference), at, instance)
            if self.draft_07:
                return
        for keyword, value in schema.items():
            if keyword in self.known:
                yield from self._asserted(keyword, value, instance)
        yield from self._composed(at, schema, instance)
        if isinstance(instance, list):
            yield from self._array(at, schema, instance)
        if is_object(instance):
            yield from self._object(at, schema, instance)
        if is_number(instance) and "multipleOf" in schema:
            yield _multiple(instance, schema["multipleOf"])

    def _asserted(self, keyword: str, value: Json, instance: Json) -> Iterator[Outcome]:
        if keyword in _OUT_OF_SCOPE:
            yield Outcome.UNDECIDED
        elif keyword in _ASSERTIONS:
            self.resources.compare(len(value) if isinstance(value, list) else 1)
            yield _of(_ASSERTIONS[keyword](value, instance))
        elif keyword in _EQUALITIES:
            yield _of(_EQUALITIES[keyword](value, instance, self.resources.compare))

    def _reference(self, target: str, at: Subschema, instance: Json) -> Outcome:
        found = self.resources.find(target)
        if found is None:
            return Outcome.UNRESOLVED
        return self.schema(found._replace(depth=at.depth + 1), instance)

    def _inner(self, at: Subschema, schema: Json, instance: Json) -> Outcome:
        self.resources.compare(1)
        base = self.resources.base(schema, at.base) if is_object(schema) else at.base
        return self.schema(Subschema(schema, at.depth + 1, base), instance)

    def _composed(self, at: Subschema, schema: JsonObject, instance: Json) -> Iterator[Outcome]:
        for keyword, join in (("allOf", _both), ("anyOf", _either), ("oneOf", _exactly_one)):
            branches = schema.get(keyword)
            if isinstance(branches, list):
                yield join([self._inner(at, one, instance) for one in branches])
        if "not" in schema:
            outcome = self._inner(at, schema["not"], instance)
            yield _NOT.get(outcome, outcome)
        if "if" in schema:
            yield self._conditional(at, schema, instance)

    def _conditional(self, at: Subschema, schema: JsonObject, instance: Json) -> Outcome:
        met = self._inner(at, schema["if"], instance)
        if met in _UNKNOWN:
            return met
        return self._inner(at, schema.get("then" if met is Outcome.VALID else "else", True), instance)

    def _array(self, at: Subschema, schema: JsonObject, instance: list[Json]) -> Iterator[Outcome]:
        prefix, rest = self._item_schemas(schema)
        self.resources.compare(len(instance))
        for one, item in zip(prefix, instance, strict=False):
            yield self._inner(at, one, item)
        for item in instance[len(prefix) :]:
            yield self._inner(at, rest, item)
        if "contains" in schema:
            yield self._contains(schema, [self._inner(at, schema["contains"], item) for item in instance])
        if schema.get("uniqueItems") is True:
            yield _unique(instance, self.resources.compare)

    def _item_schemas(self, schema: JsonObject) -> tuple[list[Json], Json]:
        items = schema.get("items", True)
        if not self.draft_07:
            prefix = schema.get("prefixItems", [])
            return (prefix if isinstance(prefix, list) else [], items)
        if isinstance(items, list):
            return items, schema.get("additionalItems", True)
        return [], items

    def _contains(self, schema: JsonObject, outcomes: list[Outcome]) -> Outcome:
        unknown = next((one for one in _UNKNOWN if one in outcomes), None)
        if unknown is not None:
            return unknown
        count = outcomes.count(Outcome.VALID)
        least, most = (1, None) if self.draft_07 else (schema.get("minContains", 1), schema.get("maxContains"))
        return _of((not is_number(least) or count >= least) and (not is_number(most) or count <= most))

    def _object(self, at: Subschema, schema: JsonObject, instance: JsonObject) -> Iterator[Outcome]:
        properties = schema.get("properties")
        named = properties if is_object(properties) else {}
        self.resources.compare(len(named) + len(instance))
        for name, one in named.items():
            if name in instance:
                yield self._inner(at, one, instance[name])
        for name in instance:
            if name not in named and "patternProperties" not in schema:
                yield self._inner(at, schema.get("additionalProperties", True), instance[name])
        if "propertyNames" in schema:
            for name in instance:
                yield self._inner(at, schema["propertyNames"], name)
        yield from self._dependent(at, schema, instance)

    def _dependent(self, at: Subschema, schema: JsonObject, instance: JsonObject) -> Iterator[Outcome]:
        for keyword in ("dependencies",) if self.draft_07 else ("dependentSchemas", "dependentRequired"):
            rows = schema.get(keyword)
            for name, one in rows.items() if is_object(rows) else ():
                self.resources.compare(len(one) if isinstance(one, list) else 1)
                if name not in instance:
                    continue
                if isinstance(one, list):
                    yield _of(_has_all(one, instance))
                else:
                    yield self._inner(at, one, instance)


Spend: TypeAlias = Callable[[int], object]

_NOT: Final = {Outcome.VALID: Outcome.INVALID, Outcome.INVALID: Outcome.VALID}


def _exactly_one(outcomes: list[Outcome]) -> Outcome:
    valid = outcomes.count(Outcome.VALID)
    if valid > 1:
        return Outcome.INVALID
    unknown = next((one for one in _UNKNOWN if one in outcomes), None)
    return unknown or _of(valid == 1)


def _unique(items: list[Json], spend: Spend) -> Outcome:
    if len(items) > _LONGEST_UNIQUE:
        return Outcome.UNDECIDED
    return _of(not any(equal(one, other, spend) for n, one in enumerate(items) for other in items[:n]))


def _multiple(value: float, divisor: Json) -> Outcome:
    if is_integer(value) and is_integer(divisor) and divisor > 0:
        return _of(int(value) % int(divisor) == 0)
    return Outcome.UNDECIDED


_TYPE_TESTS: Final[Mapping[str, Callable[[Json], bool]]] = {
    "array": _is_array,
    "boolean": _is_boolean,
    "integer": is_integer,
    "null": lambda value: value is None,
    "number": is_number,
    "object": is_object,
    "string": is_string,
}


def _has_type(named: Json, instance: Json) -> bool:
    names = named if isinstance(named, list) else [named]
    return any(_TYPE_TESTS[one](instance) for one in names if is_string(one) and one in _TYPE_TESTS)


def _one_of(values: Json, instance: Json, spend: Spend) -> bool:
    return isinstance(values, list) and any(equal(one, instance, spend) for one in values)


def _bound(test: Callable[[float, float], bool]) -> Callable[[Json, Json], bool]:
    return lambda limit, value: not (is_number(limit) and is_number(value)) or test(value, limit)


_Sized: TypeAlias = type[str] | type[list[Json]] | type[JsonObject]


def _size(kind: _Sized, test: Callable[[float, float], bool]) -> Callable[[Json, Json], bool]:
    def holds(limit: Json, value: Json) -> bool:
        if not is_number(limit) or type(value) is not kind:
            return True
        return test(len(value), limit)

    return holds


def _has_all(names: Json, instance: Json) -> bool:
    return not (isinstance(names, list) and is_object(instance)) or all(
        is_string(name) and name in instance for name in names
    )


def _at_least(value: float, limit: float) -> bool:
    return value >= limit


def _at_most(value: float, limit: float) -> bool:
    return value <= limit


_ASSERTIONS: Final[Mapping[str, Callable[[Json, Json], bool]]] = {
    "type": _has_type,
    "minimum": _bound(_at_least),
    "maximum": _bound(_at_most),
    "exclusiveMinimum": _bound(lambda value, limit: value > limit),
    "exclusiveMaximum": _bound(lambda value, limit: value < limit),
    "minLength": _size(str, _at_least),
    "maxLength": _size(str, _at_most),
    "minItems": _size(list, _at_least),
    "maxItems": _size(list, _at_most),
    "minProperties": _size(dict, _at_least),
    "maxProperties": _size(dict, _at_most),
    "required": _has_all,
}

_EQUALITIES: Final[Mapping[str, Callable[[Json, Json, Spend], bool]]] = {"enum": _one_of, "const": equal}
