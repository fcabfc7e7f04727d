"""What a conforming implementation may answer: the image of a rule over the permitted profiles.

The rule runs with a profile that records its reads. Each choice that was read is varied, newly read ones in turn, so
that only what matters is visited. Each distinct outcome keeps the smallest assignment that yields it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from spec_model.requirements.catalogue import questions
from spec_model.requirements.choice import Choice, Profile, RecordingProfile
from spec_model.verdicts import DEVIATION, ChoiceKind, Verdict, worst

# The full product of what a run reads is visited up to this many runs; beyond it, choices vary one at a time and in
# pairs, which the outcome tells by `bounded`.
PRODUCT_BOUND = 128

Run = Callable[[Profile], tuple[Hashable, Any, tuple[str, ...]]]


@dataclass(frozen=True)
class Alternative:
    """One permitted outcome: the output, its reasons, and the best assignment of choices that yields it.

    The best is that with the best grade, and among these the smallest.

    `when` is empty for the outcome of the default profile.
    """

    output: Any
    because: tuple[str, ...]
    when: dict[str, str]

    @property
    def grade(self) -> Verdict:
        """What an implementation that answers so gets: the worst grade of the choices that it takes."""
        return worst(DEVIATION[questions()[choice].kind] for choice in self.when)

    def is_better_than(self, other: Alternative) -> bool:
        """Whether this assignment has a better grade than another for the same outcome."""
        return bool(other.when) and self.grade is not other.grade and worst((self.grade, other.grade)) is other.grade

    def basis(self) -> dict[str, str]:
        """The choice that permits this outcome, the least favourable where there are several: its kind and its id."""
        choice = max(self.when, key=lambda one: _RANK[questions()[one].kind])
        question = questions()[choice]
        kind = question.basis if question.kind is ChoiceKind.OPEN else _BASIS[question.kind]
        return {"kind": kind, "ref": choice}


_RANK = {ChoiceKind.MAY: 0, ChoiceKind.OPEN: 1, ChoiceKind.SHOULD: 2}
_BASIS = {ChoiceKind.MAY: "may", ChoiceKind.SHOULD: "should-deviation"}


@dataclass(frozen=True)
class Image:
    """Every permitted outcome of one input, that of the default profile first, and which choices were read.

    `singly` holds what each profile with at most one deviation gave, distinct or not.
    """

    outcomes: list[Alternative]
    singly: list[Alternative]
    read: frozenset[str]
    bounded: bool

    @property
    def expected(self) -> Alternative:
        """The outcome of the default profile."""
        return self.outcomes[0]


def image(run: Run) -> Image:
    """The permitted outcomes of `run`, which gives a comparable key, the output and the reasons for one profile.

    Profiles are visited breadth first, those with the fewest deviations first.
    """
    seen: dict[Hashable, Alternative] = {}
    read: set[type[Choice]] = set()
    queue: deque[tuple[Choice, ...]] = deque([()])
    queued: set[frozenset[Choice]] = {frozenset()}
    singly: list[Alternative] = []
    runs, bounded = 0, False
    while queue:
        deviations = queue.popleft()
        if runs >= PRODUCT_BOUND and len(deviations) > 2:
            bounded = True
            continue
        profile = RecordingProfile({type(value): value for value in deviations})
        key, output, because = run(profile)
        runs += 1
        one = Alternative(output, because, _named(deviations))
        if key not in seen or one.is_better_than(seen[key]):
            seen[key] = one
        if len(deviations) <= 1:
            singly.append(one)
        read.update(profile.reads)
        for more in _further(deviations, profile):
            if frozenset(more) not in queued:
                queued.add(frozenset(more))
                queue.append(more)
    return Image(list(seen.values()), singly, frozenset(choice.choice_id for choice in read), bounded)


def sparse_image(run: Run) -> Image:
    """The permitted outcomes of a `run` that reads many choices of which few matter.

    Every choice that is read is varied singly; then those of which a value changed the outcome, or which only another
    value brought up, are varied in pairs. `bounded` tells that there are other combinations. An outcome that several
    assignments yield has the one with the best grade.
    """
    found = _Sparse(run)
    found.visit(())
    for value in found.others(()):
        found.visit((value,))
    pairs = [(one, other) for one in found.effective for other in found.effective if type(one) is not type(other)]
    pairs += [(one, other) for one in found.singles for other in found.others((one,), newly=True)]
    for pair in pairs:
        found.visit(pair)
    read = frozenset(choice.choice_id for choice in found.read)
    return Image(list(found.seen.values()), [], read, len(found.read) > 1)


class _Sparse:
    """The runs of a sparse exploration."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.seen: dict[Hashable, Alternative] = {}
        self.read: dict[type[Choice], None] = {}
        self.singles: dict[Choice, dict[type[Choice], Choice]] = {}
        self.effective: list[Choice] = []
        self._default: tuple[Hashable, dict[type[Choice], Choice]] = ((), {})
        self._visited: set[frozenset[Choice]] = set()

    def visit(self, deviations: tuple[Choice, ...]) -> None:
        """Runs with these deviations, once."""
        if frozenset(deviations) in self._visited:
            return
        self._visited.add(frozenset(deviations))
        profile = RecordingProfile({type(value): value for value in deviations})
        key, output, because = self.run(profile)
        one = Alternative(output, because, _named(deviations))
        if key not in self.seen or one.is_better_than(self.seen[key]):
            self.seen[key] = one
        self.read.update(dict.fromkeys(profile.reads))
        if not deviations:
            self._default = key, profile.reads
        elif len(deviations) == 1:
            self.singles[deviations[0]] = profile.reads
            if key != self._default[0]:
                self.effective.append(deviations[0])

    def others(self, deviations: tuple[Choice, ...], *, newly: bool = False) -> list[Choice]:
        """The other values of the choices that were read with these deviations; `newly` those that the run without them
        did not read."""
        reads = self.singles[deviations[0]] if deviations else self._default[1]
        known = self._default[1] if newly else {}
        varied = {type(one) for one in deviations}
        return [
            other
            for choice, value in reads.items()
            if choice not in known and choice not in varied
            for other in choice
            if other is not value
        ]


def _named(deviations: tuple[Choice, ...]) -> dict[str, str]:
    return {one.choice_id: one.value for one in deviations}


def _further(deviations: tuple[Choice, ...], profile: RecordingProfile) -> Iterator[tuple[Choice, ...]]:
    """The assignments with one more deviation, at a choice that the run read and that is not varied yet."""
    varied = {type(one) for one in deviations}
    for choice, value in profile.reads.items():
        if choice in varied:
            continue
        yield from ((*deviations, other) for other in choice if other is not value)
