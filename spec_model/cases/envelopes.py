"""Envelopes: what a reply must look like, as JSON Schemas in a closed subset that needs no library to check.

The keywords are `type const enum required properties items contains minItems maxItems minimum pattern minLength anyOf
not`; an envelope is a schema over `{status, headers, messages, closed}`. An envelope fits every conforming server: it
holds nothing of what one server serves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from spec_model.wire.values import equal, is_integer, is_number

Schema = dict[str, Any]

_TYPES: Final[Mapping[str, Callable[[Any], bool]]] = {
    "object": lambda value: type(value) is dict,
    "array": lambda value: type(value) is list,
    "string": lambda value: type(value) is str,
    "boolean": lambda value: type(value) is bool,
    "null": lambda value: value is None,
    "number": is_number,
    "integer": is_integer,
}


class BadEnvelope(ValueError):
    """A schema with a keyword outside the subset, or with a value that its keyword cannot have."""


# --- checking --------------------------------------------------------------------------------------------------------


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a JSON value fits a schema of the subset. A keyword holds where it does not apply to a value's type."""
    return all(_KEYWORDS[keyword](value, argument) for keyword, argument in schema.items())


def _type(value: Any, name: str) -> bool:
    return _TYPES[name](value)


def _const(value: Any, one: Any) -> bool:
    return equal(value, one)


def _enum(value: Any, several: Sequence[Any]) -> bool:
    return any(equal(value, one) for one in several)


def _required(value: Any, names: Sequence[str]) -> bool:
    return type(value) is not dict or all(name in value for name in names)


def _properties(value: Any, schemas: Mapping[str, Schema]) -> bool:
    if type(value) is not dict:
        return True
    return all(fits(value[name], schema) for name, schema in schemas.items() if name in value)


def _items(value: Any, schema: Schema) -> bool:
    return type(value) is not list or all(fits(item, schema) for item in value)


def _contains(value: Any, schema: Schema) -> bool:
    return type(value) is not list or any(fits(item, schema) for item in value)


def _min_items(value: Any, least: int) -> bool:
    return type(value) is not list or len(value) >= least


def _max_items(value: Any, most: int) -> bool:
    return type(value) is not list or len(value) <= most


def _minimum(value: Any, least: float) -> bool:
    return not is_number(value) or value >= least


def _pattern(value: Any, pattern: str) -> bool:
    return type(value) is not str or re.search(pattern, value) is not None


def _min_length(value: Any, least: int) -> bool:
    return type(value) is not str or len(value) >= least


def _any_of(value: Any, schemas: Sequence[Schema]) -> bool:
    return any(fits(value, schema) for schema in schemas)


def _not(value: Any, schema: Schema) -> bool:
    return not fits(value, schema)


_KEYWORDS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "type": _type,
    "const": _const,
    "enum": _enum,
    "required": _required,
    "properties": _properties,
    "items": _items,
    "contains": _contains,
    "minItems": _min_items,
    "maxItems": _max_items,
    "minimum": _minimum,
    "pattern": _pattern,
    "minLength": _min_length,
    "anyOf": _any_of,
    "not": _not,
}

KEYWORDS: Final = frozenset(_KEYWORDS)


def check_schema(schema: Any) -> None:
    """Raises BadEnvelope, which names the keyword, where a schema is not of the subset."""
    if type(schema) is not dict:
        raise BadEnvelope(f"a schema is an object, not {schema!r}")
    for keyword, argument in schema.items():
        if keyword not in KEYWORDS:
            raise BadEnvelope(f"{keyword} is no keyword of envelopes")
        if keyword == "type" and argument not in _TYPES:
            raise BadEnvelope(f"there is no type {argument!r}")
        for inner in _inner(keyword, argument):
            check_schema(inner)


def _inner(keyword: str, argument: Any) -> list[Any]:
    match keyword:
        case "properties":
            return list(argument.values())
        case "anyOf":
            return list(argument)
        case "items" | "contains" | "not":
            return [argument]
    return []


# --- building --------------------------------------------------------------------------------------------------------


def objects(properties: Schema, *optional: str) -> Schema:
    """An object with these members, each of them required unless it is named as optional."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", **({"required": required} if required else {}), "properties": properties}


def lists(items: Schema, least: int = 0) -> Schema:
    """An array of such items."""
    return {"type": "array", **({"minItems": least} if least else {}), "items": items}


def lacking(schema: Schema, *names: str) -> Schema:
    """The same without some members."""
    absent: list[Schema] = [{"required": [name]} for name in names]
    return {**schema, "not": absent[0] if len(absent) == 1 else {"anyOf": absent}}


STRING: Final[Schema] = {"type": "string"}


def on_stdio(messages: Schema, **members: Schema) -> Schema:
    """A reply on stdio."""
    return objects({"messages": messages, **members})


def on_http(status: Schema, messages: Schema, **members: Schema) -> Schema:
    """A reply over HTTP."""
    return objects({"status": status, "messages": messages, **members})


NOTHING: Final[Schema] = {"type": "array", "maxItems": 0}


def alone(message: Schema) -> Schema:
    """One message."""
    return {"type": "array", "minItems": 1, "maxItems": 1, "items": message}


def at_most(message: Schema) -> Schema:
    """One message, or none."""
    return {"type": "array", "maxItems": 1, "items": message}


def result_response(request_id: Any, result: Schema) -> Schema:
    """A response with a result."""
    response = objects({"jsonrpc": {"const": "2.0"}, "id": {"const": request_id}, "result": result})
    return lacking(response, "error")


def error_response(error: Schema, **members: Schema) -> Schema:
    """A response with an error; `id` is a member where the error has one."""
    response = objects({"jsonrpc": {"const": "2.0"}, **members, "error": error})
    return lacking(response, *(() if "id" in members else ("id",)), "result")


def errors(code: Schema, **members: Schema) -> Schema:
    """An error with such a code."""
    return objects({"code": code, "message": STRING, **members})
