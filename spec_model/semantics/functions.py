"""The published rules: which functions an implementation can be asked to answer, with their input and output types.

A rule becomes public with `@function("area.name")`. Its parameters are the members of the input object; a parameter
`profile` is the profile and no member. What it returns is a Decision; its outcome is the output.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.semantics.decision import Conformance, Decision

F = TypeVar("F", bound=Callable[..., Decision[Any]])


class BadInput(ValueError):
    """An input that the function cannot take; the text names the member and what is wrong."""


@dataclass(frozen=True)
class Function:
    """One published rule. `judges` tells rules that grade a value from rules that say what to do."""

    name: str
    rule: Callable[..., Decision[Any]]
    input_type: type[msgspec.Struct]
    output_type: Any
    takes_profile: bool
    about: str
    _fields: tuple[str, ...] = field(repr=False, default=())

    @property
    def area(self) -> str:
        """The first segment of the name."""
        return self.name.split(".", 1)[0]

    @property
    def judges(self) -> bool:
        """Whether the outcome is a grade of the input (see Conformance)."""
        return self.output_type is Conformance

    def read(self, value: object) -> dict[str, Any]:
        """The arguments that the JSON object `value` stands for; BadInput where it does not fit the input type."""
        try:
            struct = msgspec.convert(value, self.input_type)
        except msgspec.ValidationError as error:
            raise BadInput(f"the input of {self.name} is not right: {error}") from None
        return {name: getattr(struct, name) for name in self._fields}

    def decide(self, arguments: Mapping[str, Any], profile: Profile) -> Decision[Any]:
        """The decision of the rule on arguments that `read` gave."""
        if self.takes_profile:
            return self.rule(**arguments, profile=profile)
        return self.rule(**arguments)

    def schemas(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The JSON Schemas of the input and of the output."""
        taken, given = msgspec.json.schema(self.input_type), msgspec.json.schema(self.output_type)
        return msgspec.json.decode(msgspec.json.encode(taken)), msgspec.json.decode(msgspec.json.encode(given))


def output_of(outcome: object) -> Any:
    """The JSON value of an outcome."""
    return msgspec.to_builtins(outcome)


_FUNCTIONS: dict[str, Function] = {}


def function(name: str) -> Callable[[F], F]:
    """Publishes a rule as `name`, `area.what-it-decides`."""

    def publish(rule: F) -> F:
        if name in _FUNCTIONS:
            raise TypeError(f"two functions are named {name}")
        _FUNCTIONS[name] = _described(name, rule)
        return rule

    return publish


def functions() -> Mapping[str, Function]:
    """Every published function by name, in order of name."""
    from spec_model.semantics import published  # noqa: F401  the module imports every rule

    return dict(sorted(_FUNCTIONS.items()))


def function_of(name: str) -> Function:
    """The function with this name; BadInput where there is none."""
    try:
        return functions()[name]
    except KeyError:
        raise BadInput(f"there is no function {name!r}; `mcp-spec decide --list` shows them") from None


def _described(name: str, rule: Callable[..., Decision[Any]]) -> Function:
    hints = typing.get_type_hints(rule, include_extras=True)
    parameters = [one for one in inspect.signature(rule).parameters.values() if one.name != "profile"]
    fields: list[Any] = [_field(one, hints[one.name]) for one in parameters]
    struct = msgspec.defstruct(
        "".join(part.capitalize() for part in name.replace("-", ".").split(".")) + "Input",
        fields,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    about = inspect.getdoc(rule) or ""
    (output_type,) = typing.get_args(hints["return"])
    return Function(
        name=name,
        rule=rule,
        input_type=struct,
        output_type=output_type,
        takes_profile="profile" in hints,
        about=about,
        _fields=tuple(one.name for one in parameters),
    )


def _field(parameter: inspect.Parameter, hint: Any) -> tuple[str, Any] | tuple[str, Any, Any]:
    if parameter.default is inspect.Parameter.empty:
        return parameter.name, hint
    return parameter.name, hint, parameter.default
