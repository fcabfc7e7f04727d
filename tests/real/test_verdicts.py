"""Every answer of the official SDK's server is judged, and every finding is a recorded gap of that SDK: no third kind.

The record is strict both ways: a finding that it lacks fails, and so does a gap that is no longer found.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from spec_model.requirements.catalogue import catalogue
from spec_model.semantics.check import check_value
from spec_model.semantics.decision import Fault
from spec_model.semantics.exchange import check_exchange, check_exchanges
from spec_model.verdicts import Level

from .captures import Capture

Finding = tuple[str, str, str]

RECORD: dict[str, Any] = json.loads((Path(__file__).parent / "known_gaps.json").read_text())
GAPS: dict[Finding, str] = {
    (gap["capture"], gap["transport"], gap["requirement"]): gap["reason"] for gap in RECORD["gaps"]
}


def document(capture: Capture) -> dict[str, Any]:
    """A capture as `mcp-spec check` takes it."""
    sent = capture["sent"]
    headers = sent["headers"] if isinstance(sent, dict) else None
    kept = {name: capture[name] for name in ("request", "reply", "transport", "status", "headers")}
    return {**kept, "request_headers": headers}


def findings(captures: list[Capture]) -> dict[Finding, list[Fault]]:
    """The faults in these captures, by capture, transport and requirement."""
    found: dict[Finding, list[Fault]] = {}
    for capture in captures:
        for fault in check_exchange(document(capture)).faults:
            found.setdefault((capture["name"], capture["transport"], fault.requirement), []).append(fault)
    return found


def unrecorded(found: dict[Finding, list[Fault]]) -> list[str]:
    """What was found and is not on record, one line each."""
    return [f"{name}: {faults}" for name, faults in found.items() if name not in GAPS]


def gone(found: dict[Finding, list[Fault]], transport: str) -> list[Finding]:
    """What is on record for a transport and was not found."""
    return [gap for gap in GAPS if gap[1] == transport and gap not in found]


def test_the_record_is_about_the_pinned_version() -> None:
    pins = (Path(__file__).parent.parent / "constraints-sdk.txt").read_text().splitlines()
    assert f"mcp=={RECORD['version']}" in pins
    assert len(GAPS) == len(RECORD["gaps"])
    assert {gap["requirement"] for gap in RECORD["gaps"]} <= catalogue().keys()
    assert all(reason for reason in GAPS.values())


def test_every_finding_over_stdio_is_on_record(stdio_captures: list[Capture]) -> None:
    found = findings(stdio_captures)
    assert unrecorded(found) == []
    assert gone(found, "stdio") == []


def test_every_finding_over_http_is_on_record(http_captures: list[Capture]) -> None:
    found = findings(http_captures)
    assert unrecorded(found) == []
    assert gone(found, "http") == []


def test_what_answers_a_well_formed_request_conforms_in_every_point(
    stdio_captures: list[Capture], http_captures: list[Capture]
) -> None:
    judged = 0
    for capture in (*stdio_captures, *http_captures):
        reply = capture["reply"]
        if capture["kind"] != "result" or not isinstance(reply, dict) or "result" not in reply:
            continue
        found = check_value(reply)
        assert not found.faults, (capture["name"], found.faults)
        assert "results.type.present" in found.held
        judged += 1
    assert judged > 10


@pytest.mark.parametrize("setting", ["together"])
def test_the_answers_of_one_process_agree_with_each_other(stdio_captures: list[Capture], setting: str) -> None:
    documents: list[Any] = [document(one) for one in stdio_captures if one["setting"] == setting]
    assert documents
    assert [fault for fault in check_exchanges(documents).faults if _is_must(fault)] == []


def _is_must(fault: Fault) -> bool:
    return catalogue()[fault.requirement].severity is Level.MUST


def test_a_changed_answer_is_noticed(http_captures: list[Capture]) -> None:
    """The judgement depends on the answers: one that breaks a rule adds a finding that is not on record."""
    (capture,) = (one for one in http_captures if one["name"] == "discover" and one["kind"] == "result")
    reply = json.loads(json.dumps(capture["reply"]))
    reply["result"]["ttlMs"] = -1
    changed = Capture({**capture, "reply": reply})
    assert unrecorded(findings([changed]))
