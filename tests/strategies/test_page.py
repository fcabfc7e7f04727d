"""What the page on strategies shows is what runs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from spec_model.peers.negotiation import _Action
from spec_model.requirements import choices
from spec_model.requirements.catalogue import catalogue
from spec_model.strategies import caching, negotiation
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "strategies.md").read_text()
EXAMPLE = (ROOT / "docs" / "examples" / "faulty_cache.py").read_text()


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_excerpt_is_of_the_example() -> None:
    assert any(block in EXAMPLE for block in _blocks("python"))


def test_the_output_tells_requirements_as_the_catalogue_does() -> None:
    (output,) = (block for block in _blocks("text") if "TinyCache" in block)
    told = re.findall(r"^  (\S+) \(([A-Z ]+)\): (.*)\n  (\S+)#(\S+)$", output, re.MULTILINE)
    assert len(told) == 2
    for name, level, statement, page, anchor in told:
        one = catalogue()[name]
        assert (level, statement, page, anchor) == (one.level, one.statement, one.page, one.anchor)


def test_the_client_shown_fails_as_the_page_says() -> None:
    (source,) = (block for block in _blocks("python") if "HastyClient" in block)
    (output,) = (block for block in _blocks("text") if "expected" in block)
    shown: dict[str, Any] = {}
    exec(source, shown)
    machine = negotiation.negotiation_machine(shown["HastyClient"], shown["SETTINGS"])
    effort = settings(
        max_examples=300,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    with pytest.raises(negotiation.NegotiationFault) as fault:
        run_state_machine_as_test(machine, settings=effort)
    assert "and the client did {'what': 'adopt'" in str(fault.value)
    assert "and the client did {'what': 'adopt'" in output
    assert set(re.findall(r"[a-z]+\.[a-z.-]+", output)) <= catalogue().keys()


def test_every_action_of_a_client_is_listed_with_what_is_looked_at() -> None:
    table = re.findall(r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (.*)\|$", PAGE, re.MULTILINE)
    rows = {name: looked_at for names, looked_at in table for name in re.findall(r"`([a-z-]+)`", names)}
    for action in _Action.__subclasses__():
        tag = str(action.__struct_config__.tag)
        if tag != "set-timer":
            looked_at = {"version", "url", "credential"} & set(action.__struct_fields__)
            assert all(f"`{name}`" in rows[tag] for name in looked_at), tag


def test_every_strategy_is_listed() -> None:
    for module in (caching, negotiation):
        for name in module.__all__:
            if name[0].islower():
                assert f"`{name}`" in PAGE or f"{name}(" in PAGE, name


def test_the_choices_shown_exist() -> None:
    for name, member in re.findall(r"\b([A-Z][A-Za-z]+)\.([A-Z0-9_]+)\b", PAGE):
        if hasattr(choices, name):
            assert member in getattr(choices, name).__members__
