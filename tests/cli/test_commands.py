"""Every command, for people and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from spec_model.requirements.catalogue import catalogue, questions
from spec_model.semantics.functions import functions
from tests.cli.runner import run
from tests.conftest import ROOT

COMMANDS = [
    ["check"],
    ["decide"],
    ["rules"],
    ["rule"],
    ["choices"],
    ["choice"],
    ["coverage"],
    ["kill"],
    ["matrix"],
    ["vectors", "list"],
    ["vectors", "show"],
    ["vectors", "verify"],
]

DISCOVERED: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "result": {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {},
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "x", "version": "1"}},
    },
}


def _discovered(**changes: Any) -> bytes:
    result = {**DISCOVERED["result"], **changes}
    kept = {name: value for name, value in result.items() if value is not ...}
    return json.dumps({**DISCOVERED, "result": kept}).encode()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_shows_an_example_and_json(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, *command, "--help")
    assert done.code == 0
    assert "--json" in done.out
    assert "example:\n" in done.out
    assert "mcp-spec " + " ".join(command) in done.out.split("example:\n")[1]


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["rule"], ["check", "--as"], ["vectors"], ["decide", "--nonsense"]]
)
def test_usage_errors_are_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "--help" in run(capsys, *arguments).one_line


def test_a_message_that_conforms_passes(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "check", "--json", stdin=_discovered())
    assert done.code == 0
    assert done.data["type"] == "DiscoverResultResponse"
    assert done.data["summary"]["fail"] == done.data["summary"]["warn"] == 0
    held = {line["requirement"] for line in done.data["verdicts"] if line["verdict"] == "pass"}
    assert {"caching.hints.discover", "discovery.result.supported-versions"} <= held


@pytest.mark.parametrize(
    ("changes", "requirement", "pointer", "code"),
    [
        ({"ttlMs": -1}, "caching.ttl.server-non-negative", "/result/ttlMs", 1),
        ({"ttlMs": "0"}, "caching.model.ttl-integer", "/result/ttlMs", 1),
        ({"cacheScope": "shared"}, "caching.model.scope-values", "/result/cacheScope", 1),
        ({"cacheScope": ...}, "caching.hints.discover", "/result", 1),
        ({"supportedVersions": ...}, "discovery.result.supported-versions", "/result", 1),
        ({"capabilities": []}, "discovery.result.capabilities", "/result/capabilities", 1),
        ({"_meta": ...}, "meta.response.server-info", "/result", 0),
    ],
)
def test_a_fault_is_named_with_its_place(
    changes: dict[str, Any], requirement: str, pointer: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, "check", "--json", "--as", "DiscoverResultResponse", stdin=_discovered(**changes))
    found = {line["requirement"]: line for line in done.data["verdicts"] if line["verdict"] in ("fail", "warn")}
    assert found[requirement]["pointer"].startswith(pointer)
    assert done.code == code


def test_strict_turns_a_warn_into_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    lacking = _discovered(_meta=...)
    assert run(capsys, "check", stdin=lacking).code == 0
    assert run(capsys, "check", "--strict", stdin=lacking).code == 1


def test_a_fault_is_shown_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "check", stdin=_discovered(ttlMs=-1))
    assert "fail  caching.ttl.server-non-negative at /result/ttlMs" in done.out
    assert "server/utilities/caching#time-to-live-ttl-field" in done.out


def test_a_file_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "reply.json"
    file.write_bytes(_discovered())
    assert run(capsys, "check", str(file)).code == 0


def test_decide_tells_outcome_reasons_and_alternatives(capsys: pytest.CaptureFixture[str]) -> None:
    name = "caching.lifetime"
    done = run(capsys, "decide", name, "--json", stdin=b"{}" if _takes_ttl(name) else b'{"result": {}}')
    assert done.code == 0
    assert done.data["because"] == ["caching.ttl.absent-as-zero"]
    assert {one["basis"]["ref"] for one in done.data["alternatives"]} == {"caching.absent-ttl"}


def _takes_ttl(name: str) -> bool:
    return "ttl" in {field.name for field in msgspec.structs.fields(functions()[name].input_type)}


def test_decide_takes_choices(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--choice", "caching.absent-ttl=invalid-result"]
    done = run(capsys, "decide", "caching.lifetime", "--json", *chosen, stdin=b"{}")
    assert done.data["choices"] == {"caching.absent-ttl": "invalid-result"}
    assert done.data["outcome"] == {"lifetime": "refused"}


def test_decide_lists_every_function_with_schemas(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "decide", "--list", "--json")
    assert [one["function"] for one in done.data] == list(functions())
    assert all(one["input"] and one["output"] is not None and one["about"] for one in done.data)
    assert "caching.lifetime(" in run(capsys, "decide", "--list").out


@pytest.mark.parametrize(
    ("arguments", "stdin", "what"),
    [
        (["decide", "caching.nothing"], b"{}", "no function 'caching.nothing'"),
        (["decide"], b"{}", "name a function"),
        (["decide", "caching.lifetime"], b"[]", "caching.lifetime"),
        (["decide", "caching.lifetime"], b'{"tll": 1}', "tll"),
        (["decide", "caching.lifetime", "--choice", "x"], b"{}", "ID=VALUE"),
        (["decide", "caching.lifetime", "--choice", "x=y"], b"{}", "no choice 'x'"),
        (["decide", "caching.lifetime", "--choice", "caching.absent-ttl=y"], b"{}", "no value 'y'"),
        (["rule", "caching.nothing"], None, "no requirement 'caching.nothing'"),
        (["choice", "caching.nothing"], None, "no choice 'caching.nothing'"),
        (["rules", "zzzz"], None, "no requirement matches"),
        (["vectors", "show", "no/case"], None, "no case 'no/case'"),
        (["vectors", "list", "--area", "nowhere"], None, "no case matches"),
        (["vectors", "verify", "/nonexistent"], None, "no manifest.json"),
        (["kill", "zzzz"], None, "no mutant"),
        (["check", "--as", "Nonsense"], b"{}", "no type"),
        (["check", "/nonexistent"], None, "cannot read /nonexistent"),
        (["check", "/"], None, "cannot read /"),
        (["check", "a\0b"], None, "cannot read"),
    ],
)
def test_bad_arguments_are_one_line(
    arguments: list[str], stdin: bytes | None, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert what in run(capsys, *arguments, stdin=stdin).one_line


def test_rules_and_rule(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, "rules", "caching.ttl", "--json").data
    assert {one["id"] for one in found} == {one for one in catalogue() if "caching.ttl" in one}
    shown = run(capsys, "rule", "caching.ttl.negative-as-zero")
    assert "SHOULD" in shown.out and "server/utilities/caching#" in shown.out and "caching.lifetime" in shown.out
    cases = run(capsys, "rule", "caching.ttl.negative-as-zero", "--json").data["cases"]
    assert cases


def test_choices_and_choice(capsys: pytest.CaptureFixture[str]) -> None:
    assert [one["id"] for one in run(capsys, "choices", "--json").data] == list(questions())
    shown = run(capsys, "choice", "caching.absent-ttl").out
    assert "zero (default)" in shown and "own-heuristic" in shown and "because:" in shown


def test_vectors_list_and_show(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run(capsys, "vectors", "list", "--area", "caching", "--kind", "decision", "--json").data
    assert listed and all(row["id"].startswith("caching/") for row in listed)
    shown = run(capsys, "vectors", "show", listed[0]["id"], "--json").data
    assert shown["title"] == listed[0]["title"]
    by_rule = run(capsys, "vectors", "list", "--requirement", "caching.ttl.negative-as-zero", "--json").data
    assert by_rule and all(row["id"].startswith("caching/") for row in by_rule)


def test_vectors_verify_accepts_what_is_committed(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "vectors", "verify", str(ROOT / "vectors"), "--json")
    assert (done.code, done.data["wrong"]) == (0, [])
    assert done.data["cases"] > 1000


def test_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    whole = run(capsys, "coverage", "--json").data
    assert whole["ratio"] >= 0.95
    assert whole["wire_ratio"] == 1.0
    assert whole["total"]["two_sided"] + whole["total"]["reasoned"] == whole["total"]["requirements"]
    assert "total" in run(capsys, "coverage").out
    assert "reason" in run(capsys, "coverage", "--missing").out


def test_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    cells = run(capsys, "matrix", "--json").data
    assert {cell["works"] for cell in cells} == {True, False}
    assert "server/discover 2026-07-28" in run(capsys, "matrix", "--trace").out
    assert len(run(capsys, "matrix").out.splitlines()) == len(cells) + 2


def test_kill_of_one_function(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "kill", "caching:is_fresh", "--json")
    assert done.code == 0
    assert done.data["mutants"] and not done.data["survivors"]


def test_hostile_names_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = '{"jsonrpc":"2.0","id":1,"result":{"\\u001b[31m\\u202e\\ud800":1,"resultType":"\\u001b[2J"}}'
    done = run(capsys, "check", "--as", "JSONRPCResultResponse", "--all", stdin=hostile.encode())
    assert "\x1b" not in done.out and "\u202e" not in done.out
