"""The catalogue and the choices hold together."""

from __future__ import annotations

import pytest
import yaml

from spec_model.requirements.catalogue import catalogue, pages, questions, requirement, scope, settled, severity
from spec_model.requirements.choice import Profile, RecordingProfile, UnknownChoice, all_choices, choice_type
from spec_model.requirements.choices import AbsentTtl, NonIntegerTtl
from spec_model.verdicts import ChoiceKind, Level


def test_every_page_of_the_catalogue_is_pinned() -> None:
    assert {one.page for one in catalogue().values()} <= pages().pages.keys()


def test_every_page_in_scope_has_requirements() -> None:
    assert scope().pages.keys() == {one.page for one in catalogue().values()}


def test_every_section_in_scope_has_requirements() -> None:
    for page, anchors in scope().pages.items():
        found = {one.anchor for one in catalogue().values() if one.page == page}
        assert found >= set(anchors or ())


def test_restated_requirements_exist() -> None:
    inventory = {one.id for one in catalogue().values()}
    for one in catalogue().values():
        first = one.id.partition(".")[0]
        assert one.statement.endswith("."), one.id
        assert first
        if one.restates and one.kind != "guidance":
            names = [one.restates] if isinstance(one.restates, str) else one.restates
            inside = [name for name in names if catalogue().get(name)]
            outside = set(names) - inventory
            assert inside or outside, one.id


def test_guidance_says_why_nothing_tests_it() -> None:
    for one in catalogue().values():
        assert bool(one.not_testable) or one.kind != "guidance", one.id


def test_levels() -> None:
    assert severity("caching.ttl.negative-as-zero") is Level.SHOULD
    assert severity("caching.key.no-cross-method") is Level.MUST
    assert requirement("caching.key.no-cross-method").negated
    with pytest.raises(KeyError, match=r"no requirement 'caching\.nothing'"):
        requirement("caching.nothing")


def test_choices_and_questions_are_the_same() -> None:
    typed = {choice.choice_id: [member.value for member in choice] for choice in all_choices()}
    told = {one.id: [reading.value for reading in one.readings] for one in questions().values()}
    assert typed == told


def test_defaults_stand_first() -> None:
    for one in questions().values():
        assert one.readings[0].value == one.default.value, one.id


def test_questions_give_grounds() -> None:
    for one in questions().values():
        assert len(one.readings) > 1, one.id
        if one.kind is ChoiceKind.OPEN:
            assert one.basis in ("silent", "conflict", "order"), one.id
            assert all(reading.argument and reading.supported_by for reading in one.readings), one.id
        else:
            assert catalogue()[one.basis].severity.value == one.kind.value, one.id


# Readings that the pages permit as well and that the shared list lacks.
ADDED_READINGS = {
    "era.probe.defective-discover-result": {"use-the-versions"},
    "era.http.result-without-result-type": {"undetermined-use-result"},
    "versions.unsupported-error-without-list": {"try-own-versions"},
}


def test_open_questions_of_the_pages_in_scope_are_choices_or_settled(shared: object) -> None:
    from tests.conftest import SHARED

    told = yaml.safe_load((SHARED / "field" / "open-questions.yaml").read_text())
    assert settled()
    whole = {page for page, anchors in scope().pages.items() if anchors is None}
    later = {"http.name-header-on-extension-methods"}
    for question in told["questions"]:
        if any(page.split("#")[0] in whole for page in question["pages"]) and question["id"] not in later:
            assert question["id"] in questions(), question["id"]
            values = {reading["value"] for reading in question["readings"]}
            added = ADDED_READINGS.get(question["id"], set())
            readings = {one.value for one in questions()[question["id"]].readings}
            assert {str(value) for value in values} | added == readings, question["id"]


def test_a_profile_has_a_default_for_every_choice() -> None:
    profile = Profile.parse({"caching.absent-ttl": "own-heuristic"})
    assert profile[AbsentTtl] is AbsentTtl.OWN_HEURISTIC
    assert profile[NonIntegerTtl] is NonIntegerTtl.TREAT_AS_ZERO
    assert profile.deviations() == {"caching.absent-ttl": "own-heuristic"}
    assert profile == Profile({AbsentTtl: AbsentTtl.OWN_HEURISTIC, NonIntegerTtl: NonIntegerTtl.TREAT_AS_ZERO})
    assert hash(profile) == hash(Profile().varied(AbsentTtl.OWN_HEURISTIC))


def test_a_recording_profile_remembers_reads_in_order() -> None:
    profile = RecordingProfile()
    assert profile[NonIntegerTtl] and profile[AbsentTtl] and profile[NonIntegerTtl]
    assert list(profile.reads) == [NonIntegerTtl, AbsentTtl]


@pytest.mark.parametrize(
    ("assignment", "what"),
    [
        ({"caching.nothing": "x"}, "no choice 'caching.nothing'"),
        ({"caching.absent-ttl": "x"}, "no value 'x'; it has zero"),
    ],
)
def test_unknown_choices_are_named(assignment: dict[str, str], what: str) -> None:
    with pytest.raises(UnknownChoice, match=what):
        Profile.parse(assignment)


def test_choice_types_are_found_by_id() -> None:
    assert choice_type("caching.absent-ttl") is AbsentTtl
