"""The verdicts, their severities and the exit codes: one table, imported wherever a verdict is given.

Every other module asks this one what a miss of a requirement costs.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Final


class Verdict(enum.StrEnum):
    """What was found out about one case or one requirement."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    INFO = "info"
    NOT_APPLICABLE = "not-applicable"
    NOT_OBSERVED = "not-observed"
    UNSUPPORTED = "unsupported"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"


class Level(enum.StrEnum):
    """How binding a requirement is; a prohibition has the level of its positive form."""

    MUST = "must"
    SHOULD = "should"
    MAY = "may"


class ChoiceKind(enum.StrEnum):
    """Where the freedom of a choice comes from."""

    SHOULD = "should"
    MAY = "may"
    OPEN = "open"


class Exit(enum.IntEnum):
    """Exit codes of the command line."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOTHING_DECIDED = 3


LEVELS: Final[Mapping[str, Level]] = {
    "MUST": Level.MUST,
    "MUST NOT": Level.MUST,
    "SHOULD": Level.SHOULD,
    "SHOULD NOT": Level.SHOULD,
    "MAY": Level.MAY,
}

MISS: Final[Mapping[Level, Verdict]] = {
    Level.MUST: Verdict.FAIL,
    Level.SHOULD: Verdict.WARN,
    Level.MAY: Verdict.INFO,
}

DEVIATION: Final[Mapping[ChoiceKind, Verdict]] = {
    ChoiceKind.SHOULD: Verdict.WARN,
    ChoiceKind.MAY: Verdict.PASS,
    ChoiceKind.OPEN: Verdict.INFO,
}

_SEVERITY: Final[Mapping[Verdict, int]] = {Verdict.PASS: 0, Verdict.INFO: 1, Verdict.WARN: 2, Verdict.FAIL: 3}
_FATAL: Final = frozenset({Verdict.FAIL, Verdict.ERROR})


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The most severe of pass, info, warn and fail; pass where there is none."""
    return max(verdicts, key=_SEVERITY.__getitem__, default=Verdict.PASS)


def exit_code(verdicts: Iterable[tuple[Level, Verdict]], *, strict: bool = False) -> Exit:
    """The exit code of a run that gave `verdicts`, each with the level of its requirement.

    0: no fail or error, and at least one must-level pass; 1: a fail or an error (with `strict` also a warn);
    3: nothing was decided.
    """
    seen = list(verdicts)
    if any(verdict in _FATAL or (strict and verdict is Verdict.WARN) for _, verdict in seen):
        return Exit.FAILED
    if any(level is Level.MUST and verdict is Verdict.PASS for level, verdict in seen):
        return Exit.OK
    return Exit.NOTHING_DECIDED
