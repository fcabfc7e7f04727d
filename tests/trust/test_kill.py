"""The kill matrix: the vectors alone fail every mutant of the rules, and every case fails some mutant."""

from __future__ import annotations

import pytest

from spec_model.cases.kill import KillMatrix, equivalents, kill
from spec_model.cases.table import decision_cases


@pytest.fixture(scope="module")
def matrix() -> KillMatrix:
    """The whole matrix, run once."""
    return kill()


def test_no_mutant_survives(matrix: KillMatrix) -> None:
    assert [(one.mutant, one.line, one.what) for one in matrix.survivors] == []
    assert len(matrix.mutants) > 3000


def test_every_case_of_must_or_should_level_fails_some_mutant(matrix: KillMatrix) -> None:
    assert matrix.idle == []
    assert sum(1 for one in matrix.mutants if one.cases) > len(matrix.mutants) // 2


def test_what_is_recorded_as_equivalent_still_is(matrix: KillMatrix) -> None:
    assert matrix.stale == []
    assert all(one.reason for one in equivalents())


def test_functions_that_no_case_runs_are_only_helpers_of_other_layers(matrix: KillMatrix) -> None:
    published = {case.function.rule.__name__ for case in decision_cases()}
    assert [name for name in matrix.unreached if name.split(":")[1] in published] == []
