"""Choices: the named points at which the specification leaves an implementation free, and profiles of them.

A choice is an enumeration type whose first member is the default. A profile assigns one value to each choice; what it
does not name has its default. Rules read choices by `profile[AbsentTtl]`, which is an `AbsentTtl`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeVar

C = TypeVar("C", bound="Choice")


class Choice(enum.Enum):
    """One point of freedom. The values are the permitted readings; the first is the default."""

    choice_id: ClassVar[str]

    def __init_subclass__(cls, *, id: str) -> None:
        if id in _BY_ID:
            raise TypeError(f"two choices have the id {id}")
        cls.choice_id = id
        _BY_ID[id] = cls

    @classmethod
    def default(cls: type[C]) -> C:
        """The first member."""
        first = _DEFAULTS.get(cls)
        if first is None:
            first = _DEFAULTS[cls] = next(iter(cls))
        assert isinstance(first, cls)
        return first


_BY_ID: dict[str, type[Choice]] = {}
_DEFAULTS: dict[type[Choice], Choice] = {}


class UnknownChoice(ValueError):
    """A choice or a value of it that does not exist."""


class Profile:
    """A value for every choice: those given, and the default of each other one. Immutable, hashable."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[type[Choice], Choice] | None = None) -> None:
        self._values: dict[type[Choice], Choice] = dict(values or {})

    def __getitem__(self, choice: type[C]) -> C:
        value = self._values.get(choice)
        if value is None:
            return choice.default()
        assert isinstance(value, choice)
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Profile) and self.deviations() == other.deviations()

    def __hash__(self) -> int:
        return hash(frozenset(self.deviations().items()))

    def __repr__(self) -> str:
        return f"Profile({self.deviations()})"

    def deviations(self) -> dict[str, str]:
        """The assignment by choice id of every value that is not the default."""
        return {
            choice.choice_id: value.value for choice, value in self._values.items() if value is not choice.default()
        }

    def varied(self, value: Choice) -> Profile:
        """This profile with one choice set to `value`."""
        return Profile({**self._values, type(value): value})

    @classmethod
    def parse(cls, assignment: Mapping[str, str]) -> Profile:
        """The profile with the values that `assignment` gives by id; UnknownChoice names what does not exist."""
        values: dict[type[Choice], Choice] = {}
        for choice_id, value in assignment.items():
            choice = choice_type(choice_id)
            try:
                values[choice] = choice(value)
            except ValueError:
                known = ", ".join(member.value for member in choice)
                raise UnknownChoice(f"{choice_id} has no value {value!r}; it has {known}") from None
        return cls(values)


class RecordingProfile(Profile):
    """A profile that remembers which choices were read, in order of first reading."""

    __slots__ = ("reads",)

    def __init__(self, values: Mapping[type[Choice], Choice] | None = None) -> None:
        super().__init__(values)
        self.reads: dict[type[Choice], Choice] = {}

    def __getitem__(self, choice: type[C]) -> C:
        value = super().__getitem__(choice)
        self.reads[choice] = value
        return value


DEFAULT_PROFILE = Profile()


def choice_type(choice_id: str) -> type[Choice]:
    """The choice with this id; UnknownChoice where there is none."""
    _load()
    try:
        return _BY_ID[choice_id]
    except KeyError:
        raise UnknownChoice(f"there is no choice {choice_id!r}") from None


def all_choices() -> Iterator[type[Choice]]:
    """Every choice, by id."""
    _load()
    return iter(_BY_ID[choice_id] for choice_id in sorted(_BY_ID))


def _load() -> None:
    from spec_model.requirements import choices  # noqa: F401  the module registers its classes
