"""The kill matrix: which vectors fail which mutants of the rules.

A mutant runs on every case that reaches its function, once under each profile with at most one deviation, and under
the smallest assignment for each outcome that takes more. It is killed by a case, where the level of the case makes a
miss a fail or a warn, when it crashes, does not end, or gives

- under the default profile, an answer that the case permits by no alternative;
- under another profile, which stands for an implementation that declared its choices, not the answer of that profile.

A mutant that gives every answer right and other reasons for one of them is no wrong implementation: no peer can tell
the two apart. It is listed apart.
"""

from __future__ import annotations

import enum
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import resources
from types import CodeType, FrameType
from typing import Any

import msgspec

from spec_model.cases.mutants import Mutant, mutants_of, rule_functions, table_mutants
from spec_model.cases.table import DecisionCase, decision_cases
from spec_model.requirements.choice import Profile
from spec_model.semantics.explore import Alternative
from spec_model.semantics.functions import output_of
from spec_model.verdicts import MISS, Verdict
from spec_model.wire.values import equal

_HANGS_AFTER_SECONDS = 5.0


class Equivalent(msgspec.Struct, frozen=True):
    """A mutant that changes nothing that can be observed, and why."""

    mutant: str
    reason: str


class Killed(msgspec.Struct, frozen=True, kw_only=True):
    """One mutant and the ids of the cases that fail it at fail or warn."""

    mutant: str
    line: int
    what: str
    cases: list[str]
    other_reasons: bool = False


class KillMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run.

    `survivors` are failed by no vector. `reasons_only` give every answer right and change only which requirements are
    named for it. `equivalent` are survivors with a recorded reason; `stale` are recorded as equivalent and are killed
    or gone. `idle` are cases that fail no mutant, although a miss of theirs is a fail or a warn. `unreached` are
    functions of the rule modules that no case runs.
    """

    mutants: list[Killed]
    survivors: list[Killed]
    reasons_only: list[Killed]
    equivalent: list[Equivalent]
    stale: list[str]
    idle: list[str]
    unreached: list[str]

    @property
    def clean(self) -> bool:
        """Whether every mutant is killed or recorded as equivalent, and every case kills."""
        return not (self.survivors or self.stale or self.idle)


class _Hangs(Exception):
    """A mutant that does not end."""


def kill(pattern: str = "", progress: Callable[[str], None] | None = None) -> KillMatrix:
    """Runs every mutant whose name contains `pattern` against every case that reaches its function."""
    cases = list(decision_cases())
    reached = _reached(cases)
    done: list[Killed] = []
    unreached: list[str] = []
    for name, target in rule_functions():
        if target.__code__ not in reached:
            unreached.append(name)
        elif pattern in name:
            _tell(progress, name)
            done.extend(_run(mutant, reached[target.__code__]) for mutant in mutants_of(name, target))
    for mutant in table_mutants():
        runs = {case.id: case for one in mutant.functions for case in reached.get(one.__code__, [])}
        if runs and pattern in mutant.name:
            done.append(_run(mutant, runs.values()))
    return _matrix(done, unreached, cases, whole=not pattern)


def _tell(progress: Callable[[str], None] | None, name: str) -> None:
    if progress is not None:
        progress(name)


def equivalents() -> list[Equivalent]:
    """The mutants that are recorded as changing nothing observable."""
    data = (resources.files("spec_model.cases") / "equivalent_mutants.json").read_bytes()
    return msgspec.json.decode(data, type=list[Equivalent])


def _matrix(done: list[Killed], unreached: list[str], cases: list[DecisionCase], *, whole: bool) -> KillMatrix:
    known = {one.mutant: one for one in equivalents()}
    alive = [one for one in done if not one.cases]
    names = {one.mutant for one in alive}
    unknown = [one for one in alive if one.mutant not in known]
    useful = {case for one in done for case in one.cases}
    return KillMatrix(
        mutants=done,
        survivors=[one for one in unknown if not one.other_reasons],
        reasons_only=[one for one in unknown if one.other_reasons],
        equivalent=[known[one.mutant] for one in alive if one.mutant in known],
        stale=sorted(set(known) - names) if whole else [],
        idle=[case.id for case in cases if _counts(case) and case.id not in useful] if whole else [],
        unreached=unreached,
    )


def _counts(case: DecisionCase) -> bool:
    """Whether a miss of a case is more than information."""
    return MISS[case.level] is not Verdict.INFO


def _reached(cases: Iterable[DecisionCase]) -> dict[CodeType, list[DecisionCase]]:
    """The cases that run each function, by its code."""
    reached: defaultdict[CodeType, list[DecisionCase]] = defaultdict(list)
    for case in cases:
        for code in _codes_run(case):
            reached[code].append(case)
    return reached


def _runs(case: DecisionCase) -> list[Alternative]:
    """What the case gives under the profiles that a mutant runs under."""
    return [*case.image.singly, *(one for one in case.image.outcomes if len(one.when) > 1)]


def _codes_run(case: DecisionCase) -> set[CodeType]:
    runs = _runs(case)
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(note)
    try:
        for one in runs:
            case.function.decide(case.arguments, Profile.parse(one.when))
    finally:
        sys.setprofile(None)
    return seen


def _run(mutant: Mutant, cases: Iterable[DecisionCase]) -> Killed:
    killers: list[str] = []
    other_reasons = False
    with mutant.alive():
        for case in cases:
            results = [_result(case, one) for one in _runs(case)]
            if _counts(case) and _Result.WRONG in results:
                killers.append(case.id)
            other_reasons = other_reasons or _Result.OTHER_REASONS in results
    return Killed(mutant=mutant.name, line=mutant.line, what=mutant.what, cases=killers, other_reasons=other_reasons)


class _Result(enum.Enum):
    RIGHT = enum.auto()
    OTHER_REASONS = enum.auto()
    WRONG = enum.auto()


def _result(case: DecisionCase, one: Alternative) -> _Result:
    try:
        with _time_limit(_HANGS_AFTER_SECONDS):
            decision = case.function.decide(case.arguments, Profile.parse(one.when))
            answer: Any = output_of(decision.outcome)
    except Exception:
        return _Result.WRONG
    permitted = [one] if one.when else case.image.outcomes
    if not any(equal(answer, other.output) for other in permitted):
        return _Result.WRONG
    return _Result.RIGHT if decision.because == one.because else _Result.OTHER_REASONS


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raises in a run that does not end; only where the platform has interval timers."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_: int, __: FrameType | None) -> None:
        raise _Hangs

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
