"""Laws of the choice of a version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.cases import versions as cases
from spec_model.cases.table import DecisionCase
from spec_model.requirements.choice import DEFAULT_PROFILE, Choice, Profile
from spec_model.requirements.choices import (
    DefectiveDiscoverResult,
    InitializeAnswer,
    InitializeVersion,
    LegacyOnlySupported,
    ModernVersionInHandshake,
    PartlyMalformedList,
    RetryBound,
    UnsupportedErrorWithoutList,
    VersionPreference,
)
from spec_model.semantics.revisions import Era, era_of, of_era
from spec_model.semantics.versions import (
    Accept,
    Defective,
    Disconnect,
    Initialize,
    LegacyServer,
    Names,
    NoCommonVersion,
    NoHandshake,
    Use,
    accept,
    after_refusal,
    from_discovery,
    initialize,
    negotiate,
)
from spec_model.strategies.negotiation import broken_lists, clients, discovery_results, supported_lists, versions
from spec_model.wire.values import ABSENT, member

CHOICES: tuple[type[Choice], ...] = (
    DefectiveDiscoverResult,
    InitializeAnswer,
    InitializeVersion,
    LegacyOnlySupported,
    ModernVersionInHandshake,
    PartlyMalformedList,
    RetryBound,
    UnsupportedErrorWithoutList,
    VersionPreference,
)
NAMES = st.sampled_from(("supportedVersions", "supported", "requested", "resultType", "capabilities", "x"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | versions(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)
SPOKEN = clients() | clients(eras=(Era.MODERN,)) | clients(eras=(Era.LEGACY,))


def profiles() -> st.SearchStrategy[Profile]:
    """Any reading of the choices of this module."""
    return st.tuples(*(st.sampled_from(list(one)) for one in CHOICES)).map(
        lambda drawn: Profile({type(value): value for value in drawn})
    )


def _listed(result: Any) -> list[Any]:
    found = member(result, "supportedVersions")
    return found if isinstance(found, list) else []


@given(SPOKEN, discovery_results(), st.lists(versions(), max_size=3), profiles())
def test_what_is_chosen_is_listed_spoken_and_not_refused(
    speaks: list[str], result: Any, refused: list[str], profile: Profile
) -> None:
    chosen = from_discovery(speaks, result, profile, refused).outcome
    if isinstance(chosen, Use | Initialize):
        assert chosen.version in _listed(result)
        assert chosen.version in speaks
        assert chosen.version not in refused
        assert era_of(chosen.version) is (Era.MODERN if isinstance(chosen, Use) else Era.LEGACY)


@given(SPOKEN, supported_lists(), st.lists(versions(), min_size=1, max_size=3), profiles())
def test_what_follows_a_refusal_is_listed_spoken_and_not_refused(
    speaks: list[str], listed: list[str], refused: list[str], profile: Profile
) -> None:
    data: Any = {"supported": listed, "requested": refused[-1]}
    chosen = after_refusal(speaks, refused, profile, data).outcome
    if isinstance(chosen, Use | Initialize):
        assert chosen.version in (listed or speaks)
        assert chosen.version in speaks
        assert chosen.version not in refused


@given(clients(), st.data())
def test_a_client_retries_until_nothing_in_common_is_left(speaks: list[str], data: st.DataObject) -> None:
    listed = data.draw(supported_lists(including=of_era(speaks, Era.MODERN)))
    refused = of_era(speaks, Era.MODERN)[:1]
    for _ in range(len(speaks) + 1):
        chosen = after_refusal(speaks, refused, DEFAULT_PROFILE, {"supported": [*listed], "requested": "x"}).outcome
        if not isinstance(chosen, Use):
            break
        refused.append(chosen.version)
    assert set(refused) == set(of_era(speaks, Era.MODERN))


@given(SPOKEN, st.permutations(["2026-07-28", "2027-03-01", "2025-11-25", "2025-06-18"]))
def test_the_order_of_the_list_matters_to_no_client_that_follows_its_own(speaks: list[str], listed: list[str]) -> None:
    data: Any = {"supported": listed, "requested": "x"}
    ordered: Any = {"supported": sorted(listed), "requested": "x"}
    refused = ["1999-01-01"]
    assert (
        after_refusal(speaks, refused, DEFAULT_PROFILE, data).outcome
        == after_refusal(speaks, refused, DEFAULT_PROFILE, ordered).outcome
    )


@given(SPOKEN, broken_lists(), profiles())
def test_a_broken_list_chooses_no_version(speaks: list[str], broken: Any, profile: Profile) -> None:
    result: Any = {"resultType": "complete", "supportedVersions": broken.value, "capabilities": {}}
    assert isinstance(from_discovery(speaks, result, profile).outcome, Defective | LegacyServer)
    data: Any = {"supported": broken.value, "requested": "2026-07-28"}
    after = after_refusal(speaks, ["2026-07-28"], profile, data).outcome
    if profile[UnsupportedErrorWithoutList] is UnsupportedErrorWithoutList.TRY_OWN_VERSIONS and isinstance(after, Use):
        assert after.version in speaks
        assert after.version != "2026-07-28"
    else:
        assert isinstance(after, NoCommonVersion | LegacyServer)


@given(SPOKEN, discovery_results(), st.text(max_size=8) | st.none() | st.integers(), profiles())
def test_a_result_of_another_type_chooses_no_version(
    speaks: list[str], result: Any, kind: Any, profile: Profile
) -> None:
    other = {**result, "resultType": kind}
    if kind != "complete":
        assert isinstance(from_discovery(speaks, other, profile).outcome, Defective | LegacyServer)


@given(SPOKEN, JSON, JSON, profiles())
def test_nothing_that_a_peer_sends_raises(speaks: list[str], one: Any, other: Any, profile: Profile) -> None:
    from_discovery(speaks, one, profile)
    after_refusal(speaks, ["2026-07-28"], profile, other)
    accept(speaks, profile, one)


@given(SPOKEN, profiles())
def test_initialize_names_a_legacy_version_of_the_client(speaks: list[str], profile: Profile) -> None:
    named = initialize(speaks, profile).outcome
    legacy = of_era(speaks, Era.LEGACY)
    assert isinstance(named, NoHandshake) if not legacy else isinstance(named, Names) and named.version in legacy


@given(SPOKEN, versions(known=False) | st.text(max_size=10), profiles())
def test_a_server_settles_on_a_legacy_version_of_its_own(supports: list[str], asked: str, profile: Profile) -> None:
    settled = negotiate(supports, asked, profile).outcome
    legacy = of_era(supports, Era.LEGACY)
    if not legacy:
        assert isinstance(settled, NoHandshake)
        return
    assert isinstance(settled, Names)
    assert settled.version in legacy
    assert settled.version == asked or asked not in legacy


@given(clients(eras=(Era.LEGACY,)), st.data(), profiles())
def test_the_client_accepts_what_an_echoing_server_answers(
    speaks: list[str], data: st.DataObject, profile: Profile
) -> None:
    named = initialize(speaks, profile).outcome
    assert isinstance(named, Names)
    supports = data.draw(supported_lists(including=[named.version]))
    settled = negotiate(supports, named.version, profile).outcome
    assert isinstance(settled, Names)
    assert accept(speaks, profile, settled.version).outcome == Accept(named.version)


@given(clients(), JSON)
def test_only_a_legacy_version_of_the_client_is_accepted(speaks: list[str], answered: Any) -> None:
    outcome = accept(speaks, DEFAULT_PROFILE, answered).outcome
    fits = isinstance(answered, str) and answered in of_era(speaks, Era.LEGACY)
    assert outcome == (Accept(answered) if fits else Disconnect())


def test_a_list_is_read_as_a_whole_or_by_its_strings() -> None:
    speaks = ["2027-03-01", "2026-07-28"]
    data: Any = {"supported": [7, "2026-07-28"], "requested": "2027-03-01"}
    assert after_refusal(speaks, ["2027-03-01"], DEFAULT_PROFILE, data).outcome == Use("2026-07-28")
    whole = Profile({PartlyMalformedList: PartlyMalformedList.MALFORMED_AS_A_WHOLE})
    assert after_refusal(speaks, ["2027-03-01"], whole, data).outcome == NoCommonVersion()
    assert after_refusal(speaks, ["2027-03-01"], whole, ABSENT).outcome == NoCommonVersion()


@pytest.fixture(scope="module")
def definitions(shared: Path) -> Any:
    return json.loads((shared / "spec" / "schema" / "2026-07-28.json").read_text())["$defs"]


@pytest.mark.parametrize("case", [pytest.param(one, id=one.id) for one in cases.chosen.cases])
def test_results_are_valid_exactly_where_they_are_not_flagged(case: DecisionCase, definitions: Any) -> None:
    schema = {"$ref": "#/$defs/DiscoverResult", "$defs": definitions}
    assert Draft202012Validator(schema).is_valid(case.input["result"]) is ("malformed" not in case.flags)


@pytest.mark.parametrize("case", [pytest.param(one, id=one.id) for one in cases.refusal.cases])
def test_data_is_valid_exactly_where_it_is_not_flagged(case: DecisionCase, definitions: Any) -> None:
    data = {"data": case.input["data"]} if "data" in case.input else {}
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "no", **data}}
    schema = {"$ref": "#/$defs/UnsupportedProtocolVersionError", "$defs": definitions}
    assert Draft202012Validator(schema).is_valid(error) is ("malformed" not in case.flags)


def test_long_lists_are_looked_up() -> None:
    listed = [f"x{n}" for n in range(5000)]
    data: Any = {"requested": "x0", "supported": [*listed, "2026-07-28", "2026-07-28"]}
    assert after_refusal([*listed, "2026-07-28"], listed, DEFAULT_PROFILE, data).outcome == Use("2026-07-28")
