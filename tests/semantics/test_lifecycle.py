"""Laws of the feature lifecycle, and outcomes read off the pages."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.requirements.catalogue import requirement
from spec_model.requirements.choice import DEFAULT_PROFILE
from spec_model.requirements.choices import MonthEnd
from spec_model.semantics.decision import Conformance
from spec_model.semantics.functions import BadInput, function_of
from spec_model.semantics.lifecycle import (
    REGISTRY,
    Active,
    Deprecated,
    Event,
    Feature,
    Listed,
    OnOrAfter,
    Removed,
    Replacement,
    Revision,
    Risk,
    Step,
    Window,
    deprecation,
    earliest_removal,
    registry,
    removable_from,
    removal,
    state,
    uses,
    window_end,
)
from spec_model.semantics.revisions import REVISIONS
from spec_model.wire.values import ABSENT

DAYS = st.dates(date(2024, 1, 1), date(2040, 12, 31))
HISTORIES = st.lists(st.builds(Event, st.sampled_from(Step), DAYS), max_size=6)
WINDOWS = st.builds(Window, st.integers(0, 40), st.integers(0, 800))
RISKS = st.builds(Risk, st.booleans(), st.booleans(), st.booleans()) | st.just(ABSENT)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(HISTORIES, DAYS)
def test_a_feature_is_in_one_state_which_what_comes_later_does_not_change(history: list[Event], on: date) -> None:
    now = state(history, on)
    assert isinstance(now.outcome, Active | Deprecated | Removed)
    assert now == state([event for event in history if event.on <= on], on)


@given(HISTORIES, DAYS, DAYS)
def test_a_removed_feature_stays_removed(history: list[Event], one: date, other: date) -> None:
    if isinstance(state(history, min(one, other)).outcome, Removed):
        assert isinstance(state(history, max(one, other)).outcome, Removed)


@given(HISTORIES, DAYS)
def test_a_deprecated_feature_is_so_since_a_release_that_marks_it(history: list[Event], on: date) -> None:
    now = state(history, on).outcome
    if isinstance(now, Deprecated):
        assert Event(Step.DEPRECATED, now.since) in history
        assert now.since <= on
        restorations = [event.on for event in history if event.step is Step.RESTORED and now.since < event.on <= on]
        assert not restorations


@given(HISTORIES, DAYS)
def test_neither_a_schedule_nor_the_end_of_a_window_changes_the_state(history: list[Event], on: date) -> None:
    telling = [event for event in history if event.step not in (Step.SCHEDULED, Step.ELIGIBLE)]
    assert state(history, on).outcome == state(telling, on).outcome


@given(DAYS, WINDOWS, RISKS)
def test_no_window_is_shorter_than_the_policy_allows(since: date, window: Window, risk: Any) -> None:
    end = window_end(since, window, DEFAULT_PROFILE, risk).outcome
    assert end - since >= timedelta(90)
    if risk is ABSENT or risk.mitigation_in_place:
        assert end - since >= timedelta(365)
        assert (end.year, end.month) >= (since.year + 1, since.month)


@given(DAYS, DAYS, WINDOWS, RISKS)
def test_a_later_deprecation_never_ends_earlier(one: date, other: date, window: Window, risk: Any) -> None:
    ends = [window_end(since, window, DEFAULT_PROFILE, risk).outcome for since in sorted((one, other))]
    assert ends[0] <= ends[1]


@given(DAYS, st.integers(12, 40))
def test_months_are_counted_by_the_calendar(since: date, months: int) -> None:
    end = window_end(since, Window(months), DEFAULT_PROFILE).outcome
    assert (end.year * 12 + end.month) - (since.year * 12 + since.month) == months
    assert end.day == since.day or (end.day < since.day and (end + timedelta(1)).day == 1)
    later = window_end(since, Window(months), DEFAULT_PROFILE.varied(MonthEnd.NEXT_DAY)).outcome
    assert later == (end if end.day == since.day else end + timedelta(1))


def test_a_window_that_no_date_can_end_ends_on_the_last_date() -> None:
    assert window_end(date(9999, 12, 1), Window(1200), DEFAULT_PROFILE).outcome == date.max
    assert window_end(date(9999, 1, 1), Window(0, 36500), DEFAULT_PROFILE).outcome == date.max


@pytest.mark.parametrize("window", [{"months": -1}, {"months": 1201}, {"days": -1}, {"months": 12.5}, {"years": 1}])
def test_windows_are_checked(window: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        function_of("lifecycle.window-end").read({"since": "2026-07-28", "window": window})


@pytest.mark.parametrize("day", ["2026-02-30", "28.07.2026", "2026-07", 20260728, None])
def test_dates_are_checked(day: Any) -> None:
    with pytest.raises(BadInput):
        function_of("lifecycle.window-end").read({"since": day, "window": {}})


@given(DAYS, st.lists(DAYS, max_size=6))
def test_the_earliest_removal_is_the_first_release_that_is_late_enough(end: date, releases: list[date]) -> None:
    first = earliest_removal(end, releases).outcome
    if first is None:
        assert all(release < end for release in releases)
    else:
        assert first in releases and first >= end
        assert not any(end <= release < first for release in releases)


@given(DAYS, DAYS, WINDOWS, RISKS)
def test_a_removal_is_right_when_window_and_date_are(since: date, removed: date, window: Window, risk: Any) -> None:
    allowed = deprecation(since, window, DEFAULT_PROFILE, ABSENT, risk).outcome is Conformance.CONFORMS
    in_time = removed >= window_end(since, window, DEFAULT_PROFILE, risk).outcome
    right = removal(since, removed, window, DEFAULT_PROFILE, risk).outcome is Conformance.CONFORMS
    assert right == (allowed and in_time)


@given(DAYS, DAYS, DAYS)
def test_a_replacement_is_active_between_release_and_deprecation(day: date, released: date, deprecated: date) -> None:
    judged = deprecation(day, Window(12), DEFAULT_PROFILE, Replacement(released, deprecated)).outcome
    assert (judged is Conformance.CONFORMS) == (released <= day < deprecated)


def test_the_revisions_are_those_of_the_protocol() -> None:
    assert get_args(Revision) == REVISIONS


def test_the_registry_says_what_its_requirements_say() -> None:
    for feature, row in REGISTRY.items():
        statement = requirement(row.because).statement
        assert row.entry.since in statement, feature
        if isinstance(row.entry.earliest_removal, OnOrAfter):
            assert str(row.entry.earliest_removal.day) in statement, feature


def test_a_registry_date_is_twelve_months_after_the_revision() -> None:
    for row in REGISTRY.values():
        if isinstance(row.entry.earliest_removal, OnOrAfter):
            since = date.fromisoformat(row.entry.since)
            assert row.entry.earliest_removal.day == window_end(since, Window(12), DEFAULT_PROFILE).outcome


@given(st.sampled_from(Feature), st.sampled_from(REVISIONS), st.sampled_from(REVISIONS))
def test_what_a_revision_deprecates_later_ones_do_too(feature: Feature, one: Any, other: Any) -> None:
    earlier, later = sorted((one, other))
    if isinstance(registry(feature, earlier).outcome, Listed):
        assert registry(feature, later).outcome == registry(feature, earlier).outcome


@given(st.sampled_from(Feature), DAYS)
def test_a_feature_has_an_earliest_removal_when_it_is_listed(feature: Feature, final: date) -> None:
    listed = isinstance(registry(feature, "2026-07-28").outcome, Listed)
    assert (removable_from(feature, final, DEFAULT_PROFILE).outcome is not None) == listed


@given(st.sampled_from(["this-server", "all-servers"]), DAYS)
def test_the_include_context_values_go_with_sampling(value: str, final: date) -> None:
    feature = Feature(f"include-context-{value}")
    sampling = removable_from(Feature.SAMPLING, final, DEFAULT_PROFILE).outcome
    assert removable_from(feature, final, DEFAULT_PROFILE).outcome == sampling


@given(JSON)
def test_whatever_a_message_is_it_uses_only_listed_features(value: Any) -> None:
    messages: list[Any] = [value, {"params": value, "result": value}, {"result": {"inputRequests": value}}]
    for message in messages:
        assert set(uses(message).outcome) <= set(REGISTRY)


def test_an_input_request_counts_under_every_key() -> None:
    asked: Any = {"method": "roots/list"}
    for requests in ({"a": asked}, {"a": {"method": "elicitation/create"}, "b": asked}, {"a": None, "": asked}):
        assert uses({"result": {"inputRequests": requests}}).outcome == [Feature.ROOTS]
