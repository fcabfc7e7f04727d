"""Laws of log levels and log messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import StdioCorrelation
from spec_model.semantics.decision import Conformance
from spec_model.semantics.logging import (
    LEVELS,
    Stream,
    log_message,
    may_emit,
    may_emit_on_stdio,
    reaches,
    refusal_code,
)

levels = st.sampled_from(LEVELS)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | levels,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
UNAMBIGUOUS = Profile().varied(StdioCorrelation.SEND_ONLY_WHEN_UNAMBIGUOUS)


def test_the_levels_are_those_of_rfc_5424_from_7_down_to_0() -> None:
    severities = ["emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"]
    assert list(LEVELS) == severities[::-1]


@given(levels, levels, levels)
def test_the_threshold_is_a_total_order(one: str, two: str, three: str) -> None:
    assert reaches(one, one).outcome
    assert reaches(one, two).outcome or reaches(two, one).outcome
    if reaches(one, two).outcome and reaches(two, one).outcome:
        assert one == two
    if reaches(one, two).outcome and reaches(two, three).outcome:
        assert reaches(one, three).outcome


@given(
    levels, levels, levels, st.sampled_from(["own-response", "other-response", "listen"]), st.booleans(), st.booleans()
)
def test_what_goes_out_at_a_level_goes_out_above_it_too(
    level: str, higher: str, requested: str, stream: Stream, declared: bool, answered: bool
) -> None:
    if not reaches(higher, level).outcome:
        level, higher = higher, level
    if may_emit(level, requested, declared, stream, answered).outcome:
        assert may_emit(higher, requested, declared, stream, answered).outcome


@given(levels, values, st.booleans(), st.sampled_from(["other-response", "listen"]))
def test_nothing_goes_out_anywhere_else_or_late(level: str, requested: Any, declared: bool, stream: Stream) -> None:
    assert not may_emit(level, requested, declared, stream).outcome
    assert not may_emit(level, requested, declared, answered=True).outcome
    assert not may_emit(level, requested, declared=False).outcome


@given(levels, values.filter(lambda one: one not in LEVELS))
def test_what_is_no_level_asks_for_nothing_and_is_refused(level: str, requested: Any) -> None:
    assert not may_emit(level, requested).outcome
    assert refusal_code(requested).outcome == -32602
    assert refusal_code(requested, handling_fails=True).outcome == -32602


@given(levels, st.integers(-2, 6), st.lists(st.none() | levels | st.just("loud"), max_size=5))
def test_on_stdio_only_the_own_level_counts(level: str, request: int, in_flight: list[str | None]) -> None:
    sent = may_emit_on_stdio(level, request, in_flight, DEFAULT_PROFILE).outcome
    own = in_flight[request] if 0 <= request < len(in_flight) else None
    assert sent == (own is not None and may_emit(level, own).outcome)
    careful = may_emit_on_stdio(level, request, in_flight, UNAMBIGUOUS).outcome
    assert careful == (sent and sum(one is not None for one in in_flight) == 1)


@given(st.fixed_dictionaries({}, optional={"level": values, "data": values, "logger": values}))
def test_the_official_schema_judges_messages_alike(shared: Path, params: dict[str, Any]) -> None:
    schema = json.loads((shared / "spec/schema/2026-07-28.json").read_text())
    official = jsonschema.Draft202012Validator({"$ref": "#/$defs/LoggingMessageNotification", "$defs": schema["$defs"]})
    message: Any = {"jsonrpc": "2.0", "method": "notifications/message", "params": params}
    assert (log_message(message).outcome is Conformance.CONFORMS) == official.is_valid(message)


@given(values)
def test_any_value_is_judged(value: Any) -> None:
    assert log_message(value).outcome in Conformance
    assert log_message({"method": "notifications/message", "params": value}).because


def test_the_official_examples_conform(shared: Path) -> None:
    files = sorted((shared / "spec/examples/LoggingMessageNotification").glob("*.json"))
    if not files:
        pytest.skip("needs the official examples of LoggingMessageNotification in ../shared")
    for file in files:
        assert log_message(json.loads(file.read_text())).outcome is Conformance.CONFORMS
