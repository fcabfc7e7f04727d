"""Laws of the pagination rules, and outcomes that were read off the page by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.cases.pagination import answers, steps, walks
from spec_model.cases.pagination import requests as request_cases
from spec_model.cases.pagination import results as result_cases
from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import NonStringCursor
from spec_model.semantics.decision import Findings
from spec_model.semantics.pagination import (
    PAGINATED,
    Continue,
    End,
    Ends,
    Error,
    FirstPage,
    Invalid,
    PageAfter,
    answer_cursor,
    judge_page_request,
    judge_page_result,
    next_page,
    walk,
)
from spec_model.strategies.caching import cursors
from spec_model.wire.values import JsonObject

profiles = st.sampled_from(NonStringCursor).map(lambda one: Profile({NonStringCursor: one}))
no_strings: st.SearchStrategy[Any] = (
    st.booleans() | st.integers() | st.floats(allow_nan=False) | st.lists(st.none(), max_size=1) | st.just({})
)


@given(profiles, cursors())
def test_every_string_leads_on_and_comes_back_unchanged(profile: Profile, cursor: str) -> None:
    assert next_page(profile, {"nextCursor": cursor}).outcome == Continue(cursor)


@given(profiles, no_strings)
def test_nothing_but_null_and_absence_ends_a_list(profile: Profile, cursor: Any) -> None:
    assert next_page(profile, {"nextCursor": cursor}).outcome in (Invalid(), Continue(cursor))
    assert next_page(profile, {"nextCursor": None}).outcome == next_page(profile, {}).outcome == End()


@given(profiles, st.lists(cursors(), max_size=6), st.lists(cursors(), max_size=2))
def test_a_walk_sends_each_cursor_once_in_order(profile: Profile, given_: list[str], behind: list[str]) -> None:
    results: list[JsonObject] = [{"nextCursor": cursor} for cursor in given_]
    beyond: list[JsonObject] = [{"nextCursor": cursor} for cursor in behind]
    walked = walk(profile, [*results, {}, *beyond]).outcome
    assert walked.requests == [{}, *({"cursor": cursor} for cursor in given_)]
    assert walked.ends is Ends.COMPLETE


@given(st.lists(cursors(), min_size=1, max_size=4), cursors())
def test_a_server_knows_exactly_the_cursors_that_it_gave_out(issued: list[str], cursor: str) -> None:
    expected = PageAfter(cursor) if cursor in issued else Error(-32602)
    assert answer_cursor(issued, cursor).outcome == expected
    assert answer_cursor(issued).outcome == FirstPage()


@given(no_strings | st.none())
def test_a_server_refuses_what_is_no_string(cursor: Any) -> None:
    assert answer_cursor([str(cursor), "None", "1"], cursor).outcome == Error(-32602)


@given(st.lists(cursors(), unique=True, max_size=5))
def test_a_walk_through_the_reference_server_ends(issued: list[str]) -> None:
    """The client rule against the server rule: page n has the nth cursor, and the last page has none."""
    seen: list[JsonObject] = []
    params: JsonObject = {}
    while len(seen) <= len(issued):
        match answer_cursor(issued, **params).outcome:
            case FirstPage():
                position = 0
            case PageAfter(cursor):
                position = issued.index(cursor) + 1
            case Error():
                pytest.fail("a cursor that was given out is refused")
        result: JsonObject = {"nextCursor": issued[position]} if position < len(issued) else {}
        seen.append(result)
        step = next_page(Profile(), result).outcome
        if not isinstance(step, Continue):
            break
        params = {"cursor": step.cursor}
    assert seen[-1] == {}
    assert len(seen) == len(issued) + 1


@given(st.text(), no_strings | st.text() | st.none())
def test_judging_leaves_methods_alone_that_do_not_paginate(method: str, value: Any) -> None:
    found = Findings()
    if method not in PAGINATED:
        judge_page_request(found, {"cursor": value}, "", method)
        judge_page_result(found, {"nextCursor": value}, "", method)
    assert not found.faults and not found.held


def _schema(shared: Path) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((shared / "spec" / "schema" / "2026-07-28.json").read_text())
    return schema


def test_the_official_schema_agrees_on_cursors(shared: Path) -> None:
    definitions = _schema(shared)["$defs"]
    page = Draft202012Validator({"$ref": "#/$defs/PaginatedResult", "$defs": definitions})
    params = Draft202012Validator(
        {"properties": definitions["PaginatedRequestParams"]["properties"], "$defs": definitions}
    )
    for case in result_cases.cases:
        if "nextCursor" in case.input["result"] and "items" not in case.id:
            valid = page.is_valid({"resultType": "complete", **case.input["result"]})
            assert valid == ("pagination.cursor.string" not in case.requirements or not case.refuses), case.id
    for case in request_cases.cases:
        assert params.is_valid(case.input["params"]) != case.refuses, case.id


def test_the_official_examples_are_sound(shared: Path) -> None:
    names = {
        "ListToolsResult": "tools/list",
        "ListPromptsResult": "prompts/list",
        "ListResourcesResult": "resources/list",
        "ListResourceTemplatesResult": "resources/templates/list",
    }
    for name, method in names.items():
        for file in (shared / "spec" / "examples" / name).glob("*.json"):
            found = Findings()
            judge_page_result(found, json.loads(file.read_text()), "", method)
            assert found.held and not found.faults, file.name


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            steps,
            {
                "absent": {"next": "end"},
                "null": {"next": "end"},
                "empty": {"next": "continue", "cursor": ""},
                "null-like": {"next": "continue", "cursor": "null"},
                "empty-page": {"next": "continue", "cursor": "c1"},
                "number": {"next": "invalid"},
            },
        ),
        (
            walks,
            {
                "one-page": {"requests": [{}], "ends": "complete"},
                "same-cursor": {"requests": [{}, {"cursor": "c1"}, {"cursor": "c1"}], "ends": "complete"},
                "waiting": {"requests": [{}, {"cursor": "c1"}], "ends": "waiting"},
            },
        ),
        (
            answers,
            {
                "no-cursor": {"answer": "first-page"},
                "known": {"answer": "page-after", "cursor": "c1"},
                "unknown": {"answer": "error", "code": -32602},
                "empty-unknown": {"answer": "error", "code": -32602},
                "null": {"answer": "error", "code": -32602},
            },
        ),
    ],
)
def test_outcomes_read_off_the_page(table: Any, expected: dict[str, Any]) -> None:
    outputs = {case.id.removeprefix(f"{table.prefix}/"): case.output for case in table.cases}
    assert {slug: outputs[slug] for slug in expected} == expected
