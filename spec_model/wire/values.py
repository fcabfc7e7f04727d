"""JSON values as Python sees them, and the marker for a member that is not there.

`Json` is what a lenient decoder may return. It is a recursive type for checkers and `Any` at run time, so that
msgspec can build structs from signatures that use it.
"""

from __future__ import annotations

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


def equal(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal: objects unordered, arrays ordered; `1` equals `1.0`, `true` never `1`."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    return bool(left == right)
