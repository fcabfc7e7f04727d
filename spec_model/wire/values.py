"""JSON values as Python sees them, and the marker for a member that is not there.

`Json` is what a lenient decoder may return. It is a recursive type for checkers and `Any` at run time, so that
msgspec can build structs from signatures that use it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeGuard

import msgspec

if TYPE_CHECKING:
    Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
    JsonObject: TypeAlias = dict[str, Json]
else:
    Json = Any
    JsonObject = dict[str, Any]

Absent: TypeAlias = msgspec.UnsetType
ABSENT: Final = msgspec.UNSET

SAFE_INTEGER: Final = 2**53 - 1


def is_object(value: Json | Absent) -> TypeGuard[JsonObject]:
    """Whether `value` is a JSON object."""
    return type(value) is dict


def is_string(value: Json | Absent) -> TypeGuard[str]:
    """Whether `value` is a JSON string."""
    return type(value) is str


def is_integer(value: Json | Absent) -> TypeGuard[int | float]:
    """Whether `value` is an integer as JSON Schema 2020-12 counts: `1` and `1.0` are; `1.5`, `true` and `"1"` not."""
    return type(value) is int or (type(value) is float and value.is_integer())


def is_number(value: Json | Absent) -> TypeGuard[int | float]:
    """Whether `value` is a JSON number; `true` is none."""
    return type(value) is int or type(value) is float


def kind_of(value: Json | Absent) -> str:
    """The JSON name of the type of `value`, with its article, for one-line messages."""
    if value is ABSENT:
        return "absent"
    if value is None:
        return "null"
    return _KINDS[type(value)]


_KINDS: Final[dict[type, str]] = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def member(value: Json | Absent, *path: str) -> Json | Absent:
    """The member of `value` at `path`, or ABSENT where a step is missing or is no object."""
    for name in path:
        if not is_object(value):
            return ABSENT
        value = value.get(name, ABSENT)
    return value


def equal(left: Any, right: Any, spend: Callable[[int], object] | None = None) -> bool:
    """Whether two JSON values are equal: objects unordered, arrays ordered; `1` equals `1.0`, `true` never `1`.

    `spend`, where given, is told of the work before it is done, about 1 for each value compared; it may raise.
    """
    waiting = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        if spend is not None:
            spend(1 + len(one) if isinstance(one, (dict, list)) else 1)
        inner = _paired(one, other)
        if inner is None:
            return False
        waiting.extend(inner)
    return True


def _paired(left: Any, right: Any) -> Iterable[tuple[Any, Any]] | None:
    """The values inside two that have to be equal in pairs, None where the two differ already."""
    if isinstance(left, bool) or isinstance(right, bool):
        return () if left is right else None
    if isinstance(left, dict) and isinstance(right, dict):
        same = left.keys() == right.keys()
        return ((value, right[key]) for key, value in left.items()) if same else None
    if isinstance(left, list) and isinstance(right, list):
        return zip(left, right, strict=True) if len(left) == len(right) else None
    # two containers of different kinds differ; comparing them is no recursion
    return () if left == right else None


def fingerprint(value: Json | Absent) -> Hashable:
    """Something to look values up by: two of them are the same exactly where the values are equal."""
    tokens: list[Hashable] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            names = sorted(one)
            tokens.append(("object", *names))
            waiting.extend(one[name] for name in names)
        elif isinstance(one, list):
            tokens.append(("array", len(one)))
            waiting.extend(one)
        else:
            tokens.append(("boolean", one) if isinstance(one, bool) else one)
    return tuple(tokens)
