"""Exploration, controls, tables, and mutants, on rules small enough to see through."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.cases.controls import assign_controls, distance
from spec_model.cases.mutants import mutants_of
from spec_model.cases.table import BadCase, DecisionTable, case_id, checked_title
from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    AbsentCacheScope,
    AbsentTtl,
    FirstHttpRequest,
    ModernOnlyProbe,
    NonIntegerTtl,
    StaleOnError,
)
from spec_model.semantics import caching
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.explore import image, sparse_image
from spec_model.semantics.functions import BadInput, function_of
from spec_model.verdicts import Verdict
from spec_model.wire.values import equal


def _nested(profile: Profile) -> tuple[str, str, tuple[str, ...]]:
    """Reads a second choice only under one value of the first."""
    if profile[AbsentTtl] is AbsentTtl.ZERO:
        return "zero", "zero", ("a",)
    return profile[NonIntegerTtl].value, profile[NonIntegerTtl].value, ("b",)


def test_exploration_visits_what_is_read_and_nothing_else() -> None:
    found = image(_nested)
    assert {one.output for one in found.outcomes} == {"zero", "treat-as-zero", "round-down-numbers", "invalid-result"}
    assert found.read == {"caching.absent-ttl", "caching.non-integer-ttl"}
    assert found.expected.output == "zero"
    assert not found.bounded


def test_an_alternative_has_the_smallest_assignment() -> None:
    by_output = {one.output: one.when for one in image(_nested).outcomes}
    assert by_output["zero"] == {}
    assert by_output["treat-as-zero"] == {"caching.absent-ttl": "own-heuristic"}
    assert by_output["invalid-result"] == {
        "caching.absent-ttl": "own-heuristic",
        "caching.non-integer-ttl": "invalid-result",
    }


def _graded(profile: Profile) -> tuple[str, str, tuple[str, ...]]:
    """Gives one outcome by an open choice or by a permission, the open one read first."""
    if profile[AbsentTtl] is not AbsentTtl.ZERO or profile[StaleOnError] is StaleOnError.SERVE_STALE:
        return "other", "other", ("a",)
    return "first", "first", ("b",)


def test_an_outcome_has_the_assignment_with_the_best_grade() -> None:
    _, other = image(_graded).outcomes
    assert other.when == {"caching.stale-on-error": "serve-stale"}
    assert other.grade is Verdict.PASS


def test_a_choice_that_changes_nothing_gives_no_alternative() -> None:
    found = image(lambda profile: (1, 1, ("a",)) if profile[AbsentCacheScope] else (2, 2, ("b",)))
    assert [one.output for one in found.outcomes] == [1]


def test_an_open_alternative_is_graded_info_with_its_basis() -> None:
    *_, last = image(_nested).outcomes
    assert last.grade is Verdict.INFO
    assert last.basis()["ref"] in ("caching.absent-ttl", "caching.non-integer-ttl")


@pytest.mark.parametrize(
    ("left", "right", "apart"),
    [
        ({"a": 1}, {"a": 1}, 0),
        ({"a": 1}, {"a": 2}, 1),
        ({"a": 1}, {}, 1),
        ({"a": 1}, {"b": 1}, 2),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 2, "c": 3}}, 2),
        ([1, 2], [1, 3], 1),
        ([1, 2], [1], 1),
        (True, 1, 1),
        ({"a": {"b": 1}}, {"a": "b"}, 1),
    ],
)
def test_distance(left: Any, right: Any, apart: int) -> None:
    assert distance(left, right) == apart == distance(right, left)


def _table() -> DecisionTable:
    return DecisionTable("test/fresh", function_of("caching.is-fresh"), "", {"Odd": "something odd"})


def test_the_control_is_the_nearest_case_with_another_outcome() -> None:
    table = _table()
    table("fresh", "It is fresh", received_at=0, lifetime_ms=10, now=9)
    table("stale", "It is stale", received_at=0, lifetime_ms=10, now=10)
    table("long-stale", "It has long been stale", received_at=5, lifetime_ms=1, now=90)
    assign_controls(table.cases)
    assert [case.control for case in table.cases] == ["test/fresh/stale", "test/fresh/fresh", "test/fresh/fresh"]


def test_inputs_are_checked_by_name() -> None:
    table = _table()
    table("bad", "It lacks a member", received_at=0, now=9)
    with pytest.raises(BadInput, match="lifetime_ms"):
        assert table.cases[0].output


def test_undefined_flags_are_refused() -> None:
    with pytest.raises(BadCase, match="Unheard"):
        _table()("x", "A case", received_at=0, lifetime_ms=0, now=0, _flags=("Unheard",))


@pytest.mark.parametrize("title", ["It should be stale", "It MUST be stale", "It is stale.", "x" * 120])
def test_titles_say_what_is(title: str) -> None:
    with pytest.raises(BadCase):
        checked_title("x", title)


@pytest.mark.parametrize("slug", ["Upper", "under_score", "", "a/b/c/d", "-a"])
def test_ids_are_slugs(slug: str) -> None:
    with pytest.raises(BadCase):
        case_id("area", slug)


def test_findings_put_musts_first() -> None:
    found = Findings()
    found.check(False, "caching.ttl.zero-stale", "/a", "a should")
    assert found.decision().outcome is Conformance.MISSES_ADVICE
    found.check(False, "caching.model.ttl-integer", "/b", "a must")
    found.check(True, "caching.model.scope-values", "/c", "")
    assert found.decision() == decide(Conformance.BREAKS, "caching.model.ttl-integer", "caching.ttl.zero-stale")


def test_findings_without_faults_name_what_was_checked() -> None:
    found = Findings()
    found.check(True, "caching.model.ttl-integer", "", "")
    assert found.decision() == decide(Conformance.CONFORMS, "caching.model.ttl-integer")


def test_mutants_change_the_rule_and_leave_no_trace() -> None:
    def fresh() -> Decision[bool]:
        return caching.is_fresh(received_at=0, lifetime_ms=10, now=10, **_profile(caching.is_fresh))

    before = fresh()
    mutants = list(mutants_of("caching:is_fresh", _function(caching.is_fresh)))
    answers = []
    for mutant in mutants:
        with mutant.alive():
            answers.append(fresh().outcome)
    assert True in answers
    assert fresh() == before and before.outcome is False


def _function(rule: object) -> FunctionType:
    assert isinstance(rule, FunctionType)
    return rule


def _profile(rule: object) -> dict[str, Any]:
    return {"profile": Profile()} if "profile" in inspect.signature(rule).parameters else {}  # type: ignore[arg-type]


def test_a_mutant_leaves_texts_and_ids_alone() -> None:
    for mutant in mutants_of("caching:is_fresh", _function(caching.is_fresh)):
        assert "caching." not in mutant.what


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, json_values)
def test_distance_is_zero_only_for_values_of_one_type_that_are_equal(left: Any, right: Any) -> None:
    if distance(left, right) == 0:
        assert equal(left, right)
    assert distance(left, left) == 0


@given(json_values)
def test_equality_is_reflexive_and_keeps_booleans_apart(value: Any) -> None:
    assert equal(value, value)
    assert not equal(True, 1) and not equal(0, False) and equal(1, 1.0)


def _together(profile: Profile) -> tuple[str, str, tuple[str, ...]]:
    """Two choices that change the outcome, each by itself and both together."""
    answer = f"{profile[AbsentTtl].value} {profile[NonIntegerTtl].value} {len(profile[AbsentCacheScope].value) > 0}"
    return answer, answer, ("a",)


def test_a_sparse_exploration_pairs_what_changes_something() -> None:
    found = sparse_image(_together)
    assert found.bounded
    assert {one.output for one in found.outcomes} == {one.output for one in image(_together).outcomes}
    assert found.outcomes[0].when == {}


def test_a_sparse_exploration_follows_newly_read_choices() -> None:
    assert {one.output for one in sparse_image(_nested).outcomes} == {one.output for one in image(_nested).outcomes}


def _same_by_either(profile: Profile) -> tuple[bool, bool, tuple[str, ...]]:
    """A SHOULD and a MAY that lead to the same deviation."""
    deviates = (
        profile[ModernOnlyProbe] is ModernOnlyProbe.REQUEST_AT_ONCE
        or profile[FirstHttpRequest] is FirstHttpRequest.ORDINARY_REQUEST
    )
    return deviates, deviates, ("a",)


def test_an_outcome_has_the_best_grade_among_those_that_yield_it() -> None:
    _, other = sparse_image(_same_by_either).outcomes
    assert other.grade is Verdict.PASS
    assert other.when == {"era.http.first-request": "ordinary-request"}
