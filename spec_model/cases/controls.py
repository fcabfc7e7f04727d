"""The control of a case: its nearest neighbour with another outcome, which differs from it in one thing.

A rejection counts only where its control was accepted, so a subject that refuses everything is not rewarded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spec_model.cases.table import DecisionCase

_FAR = 4
_OTHER_TYPE = 1000


def assign_controls(cases: Sequence[DecisionCase]) -> None:
    """Gives every case of one function its control, where the table holds a neighbour near enough.

    A case that the rule refuses gets the nearest accepted one; every other the nearest one with another outcome.
    """
    accepted = [(case, case.output) for case in cases if not case.refuses]
    for case in cases:
        case.control = _nearest(case, accepted)


def _nearest(case: DecisionCase, accepted: Sequence[tuple[DecisionCase, Any]]) -> str:
    best, nearest = _FAR - 1, []
    output, wanted = case.output, case.input
    for other, other_output in accepted:
        if other_output == output or _at_least(wanted, other.input, best + 1):
            continue
        apart = distance(wanted, other.input, best + 1)
        if apart < best:
            best, nearest = apart, [other]
        elif apart == best:
            nearest.append(other)
    if len(nearest) > 1:
        return min(nearest, key=lambda other: spread(wanted, other.input)).id
    return nearest[0].id if nearest else ""


def _at_least(left: dict[str, Any], right: dict[str, Any], limit: int) -> bool:
    """Whether two inputs differ in so many members that they cannot be nearer than `limit`: a quick first look."""
    apart = 0
    for name, value in left.items():
        if name not in right or right[name] != value:
            apart += 1
            if apart >= limit:
                return True
    return apart + len(right.keys() - left.keys()) >= limit


def spread(left: Any, right: Any) -> float:
    """How far apart two values are that differ in equally many places.

    Texts by what is not common at their ends, numbers by their difference, values of different types farthest.
    """
    if type(left) is not type(right):
        return _OTHER_TYPE
    if isinstance(left, dict):
        return sum(spread(left.get(name), right.get(name)) for name in left.keys() | right.keys())
    if isinstance(left, list):
        return sum(map(spread, left, right)) + _OTHER_TYPE * abs(len(left) - len(right))
    if left == right:
        return 0
    if isinstance(left, str):
        return 1 + max(len(left), len(right)) - _common(left, right)
    return 1 + min(abs(left - right), _OTHER_TYPE - 2) if isinstance(left, int | float) else 1


def _common(left: str, right: str) -> int:
    """The length of what two texts begin and end with alike."""
    shorter = min(len(left), len(right))
    start = next((n for n in range(shorter) if left[n] != right[n]), shorter)
    end = next((n for n in range(shorter - start) if left[-1 - n] != right[-1 - n]), shorter - start)
    return start + end


def distance(left: Any, right: Any, limit: int = _FAR) -> int:
    """In how many places two JSON values differ, counted up to `limit`; a member that one lacks is one place."""
    if type(left) is not type(right):
        return 1
    if isinstance(left, dict):
        return _object_distance(left, right, limit)
    if isinstance(left, list) and len(left) == len(right):
        apart = 0
        for one, other in zip(left, right, strict=True):
            apart += distance(one, other, limit - apart)
            if apart >= limit:
                break
        return apart
    return int(left != right)


def _object_distance(left: dict[str, Any], right: dict[str, Any], limit: int) -> int:
    apart = len(left.keys() ^ right.keys())
    for name in left.keys() & right.keys():
        if apart >= limit:
            break
        apart += distance(left[name], right[name], limit - apart)
    return apart
