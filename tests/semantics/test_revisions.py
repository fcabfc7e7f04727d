"""Laws of the order of versions and of the eras."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spec_model.semantics.revisions import REVISIONS, Era, ImplementationEra, era, era_of, implementation_era, of_era
from spec_model.strategies.negotiation import malformed_versions, unknown_versions, versions


def test_the_known_revisions_are_in_order_and_of_the_eras_that_the_page_names() -> None:
    assert list(REVISIONS) == sorted(REVISIONS)
    assert [era_of(one) for one in REVISIONS] == [Era.LEGACY] * 4 + [Era.MODERN]


@given(st.lists(versions(known=False), min_size=2, max_size=2).map(sorted))
def test_no_version_is_modern_before_a_legacy_one(pair: list[str]) -> None:
    earlier, later = pair
    assert not (era_of(earlier) is Era.MODERN and era_of(later) is Era.LEGACY)


@given(unknown_versions())
def test_an_unknown_date_has_the_era_of_its_side(version: str) -> None:
    assert era(version).outcome is (Era.MODERN if version > "2026" else Era.LEGACY)


@given(malformed_versions())
def test_other_strings_have_no_era(version: str) -> None:
    assert era(version).outcome is None


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.lists(st.just("2026-07-28")))
def test_other_values_have_no_era(version: object) -> None:
    assert era(version).outcome is None  # type: ignore[arg-type]


@given(st.lists(versions(known=False) | malformed_versions(), max_size=6), st.randoms())
def test_the_era_of_an_implementation_depends_on_the_set_alone(held: list[str], random: object) -> None:
    shuffled = sorted(held, key=lambda one: hash((one, str(random))))
    assert implementation_era([*shuffled, *held]).outcome is implementation_era(held).outcome


@given(st.lists(versions(known=False) | malformed_versions(), max_size=6))
def test_dual_era_is_exactly_both(held: list[str]) -> None:
    both = bool(of_era(held, Era.MODERN)) and bool(of_era(held, Era.LEGACY))
    assert (implementation_era(held).outcome is ImplementationEra.DUAL_ERA) is both
