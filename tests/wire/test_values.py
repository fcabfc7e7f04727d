"""Equality of JSON values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.wire.values import ABSENT, equal, fingerprint

SCALARS = st.none() | st.booleans() | st.integers(-1, 1) | st.sampled_from([0.0, 1.0, 0.5, "", "a", "array", "object"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=5,
)


def nested(depth: int, last: Any) -> Any:
    for _ in range(depth):
        last = [{"a": last}]
    return last


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        ([True], [1], False),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}, True),
        ({"a": 1}, {"b": 1}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([], {}, False),
        ([], "", False),
        (None, 0, False),
        (ABSENT, None, False),
        (ABSENT, ABSENT, True),
    ],
)
def test_equality(left: Any, right: Any, same: bool) -> None:
    assert equal(left, right) is same
    assert equal(right, left) is same
    assert (fingerprint(left) == fingerprint(right)) is same


@given(VALUES, VALUES)
def test_a_fingerprint_is_as_good_as_a_comparison(left: Any, right: Any) -> None:
    assert (fingerprint(left) == fingerprint(right)) is equal(left, right)


def test_depth_is_no_matter() -> None:
    assert equal(nested(20_000, 1), nested(20_000, 1))
    assert not equal(nested(20_000, 1), nested(20_000, 2))
    assert fingerprint(nested(20_000, 1)) == fingerprint(nested(20_000, 1.0))


def test_the_work_is_told_before_it_is_done() -> None:
    told: list[int] = []
    assert equal([1, [2, 3]], [1, [2, 3]], told.append)
    assert sum(told) == 9
