"""What a rule returns: an outcome, and the ids of the requirements that forced it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from spec_model.requirements.catalogue import severity
from spec_model.verdicts import Level

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """An outcome and `because`: the requirements that forced it, in the order in which they applied, the governing one
    first."""

    outcome: T
    because: tuple[str, ...]

    def map(self, change: Callable[[T], U]) -> Decision[U]:
        """The same reasons for a changed outcome."""
        return Decision(change(self.outcome), self.because)

    def after(self, *because: str) -> Decision[T]:
        """This decision with `because` in front: requirements that applied before its own."""
        return Decision(self.outcome, _merged(because, self.because))

    def also(self, *because: str) -> Decision[T]:
        """This decision with `because` behind: requirements that applied after its own."""
        return Decision(self.outcome, _merged(self.because, because))


def decide(outcome: T, *because: str) -> Decision[T]:
    """The decision for `outcome` forced by the requirements `because`, the governing one first."""
    return Decision(outcome, because)


def _merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(first + second))


class Conformance(enum.Enum):
    """How a value stands to the requirements on it."""

    CONFORMS = "conforms"
    MISSES_ADVICE = "misses-advice"
    BREAKS = "breaks"


class Fault(NamedTuple):
    """One requirement that a value breaks: which, where (JSON pointer), and what is wrong there in one line."""

    requirement: str
    pointer: str
    what: str


class Findings:
    """What a judging rule found on one value: the requirements that were checked and hold, and the faults.

    A rule appends to both as it goes down the value; a requirement that did not apply is in neither.
    """

    __slots__ = ("faults", "held")

    def __init__(self) -> None:
        self.held: list[str] = []
        self.faults: list[Fault] = []

    def check(self, holds: bool, requirement: str, pointer: str, what: str) -> bool:
        """Records that `requirement` was checked at `pointer`; `what` says in one line what is wrong where it fails."""
        if holds:
            self.held.append(requirement)
        else:
            self.faults.append(Fault(requirement, pointer, what))
        return holds

    def broken(self, requirement: str, pointer: str, what: str) -> None:
        """Records a fault."""
        self.faults.append(Fault(requirement, pointer, what))

    def decision(self) -> Decision[Conformance]:
        """`breaks` where a MUST is broken, `misses-advice` where only lesser ones are, else `conforms`.

        The reasons are the faults, musts first, or where there are none all that was checked.
        """
        if not self.faults:
            return Decision(Conformance.CONFORMS, tuple(dict.fromkeys(self.held)))
        ids = dict.fromkeys(fault.requirement for fault in self.faults)
        ranked = sorted(ids, key=lambda one: severity(one) is not Level.MUST)
        musts = severity(ranked[0]) is Level.MUST
        return Decision(Conformance.BREAKS if musts else Conformance.MISSES_ADVICE, tuple(ranked))
