"""The control of a case: its nearest neighbour with another outcome, which differs from it in one thing.

A rejection counts only where its control was accepted, so a subject that refuses everything is not rewarded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spec_model.cases.table import DecisionCase

_FAR = 4


def assign_controls(cases: Sequence[DecisionCase]) -> None:
    """Gives every case of one function its control, where the table holds a neighbour near enough.

    A case that the rule refuses gets the nearest accepted one; every other the nearest one with another outcome.
    """
    accepted = [(case, case.output) for case in cases if not case.refuses]
    for case in cases:
        case.control = _nearest(case, accepted)


def _nearest(case: DecisionCase, accepted: Sequence[tuple[DecisionCase, Any]]) -> str:
    best, found = _FAR, ""
    output, wanted = case.output, case.input
    for other, other_output in accepted:
        if other_output == output or _at_least(wanted, other.input, best):
            continue
        apart = distance(wanted, other.input, best)
        if apart < best:
            best, found = apart, other.id
        if best == 1:
            break
    return found


def _at_least(left: dict[str, Any], right: dict[str, Any], limit: int) -> bool:
    """Whether two inputs differ in so many members that they cannot be nearer than `limit`: a quick first look."""
    apart = 0
    for name, value in left.items():
        if name not in right or right[name] != value:
            apart += 1
            if apart >= limit:
                return True
    return apart + len(right.keys() - left.keys()) >= limit


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
