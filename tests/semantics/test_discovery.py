"""Laws of the rules about discovery, with the official schema as a second opinion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.cases import discovery as cases
from spec_model.requirements.choice import DEFAULT_PROFILE
from spec_model.semantics.decision import Conformance
from spec_model.semantics.discovery import request, result

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
CONFORMS = Conformance.CONFORMS


def official(shared: Path, name: str) -> Draft202012Validator:
    document = json.loads((shared / "spec" / "schema" / "2026-07-28.json").read_bytes())
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": document["$defs"]})


@given(st.sampled_from(sorted(cases.DISCOVERED)), JSON)
def test_a_result_is_what_the_official_schema_takes_for_one(shared: Path, name: str, value: Any) -> None:
    whole: Any = {**cases.DISCOVERED, name: value}
    if name == "resultType" and isinstance(value, str):
        return
    accepts = official(shared, "DiscoverResult").is_valid(whole) and whole["supportedVersions"] != []
    assert (result(whole).outcome is CONFORMS) == accepts


@given(st.lists(st.text(), min_size=1))
def test_any_list_of_versions_is_one(versions: list[str]) -> None:
    whole: Any = {**cases.DISCOVERED, "supportedVersions": versions}
    assert result(whole).outcome is CONFORMS


def test_a_server_supports_at_least_the_version_that_it_answers_by() -> None:
    whole: Any = {**cases.DISCOVERED, "supportedVersions": []}
    assert result(whole).because == ("discovery.result.supported-versions",)


@given(st.dictionaries(st.text(), JSON))
def test_a_request_has_metadata_and_nothing_else(params: Any) -> None:
    message: Any = {**cases.DISCOVER, "params": {"_meta": cases.META, **params}}
    assert (request(message, DEFAULT_PROFILE).outcome is CONFORMS) == (set(params) <= {"_meta"})


@given(JSON)
def test_everything_is_judged(value: Any) -> None:
    assert result(value).because
    assert request(value, DEFAULT_PROFILE).because


def test_flags_say_what_the_official_schema_says_of_a_result_alone(shared: Path) -> None:
    for case in cases.results.cases:
        valid = official(shared, "DiscoverResult").is_valid(case.input["result"])
        assert ("malformed" in case.flags) == (not valid), case.id
