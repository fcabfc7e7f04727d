"""`vectors verify` on a directory that somebody prepared: one line for each fault, and nothing outside is read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runner import run

ENTRY = {"path": "2026-07-28/decision/x.json", "kind": "decision", "sha256": "0" * 64}
GOOD: dict[str, Any] = {"files": [], "sets": {"a": {"ids": []}}, "retired": []}

MANIFESTS: dict[str, bytes] = {
    "empty": b"",
    "no-json": b"{",
    "array": b"[]",
    "deep": b"[" * 100_000,
    "invalid-utf8": b'{"files": "\xff"}',
    "no-files": json.dumps({**GOOD, "files": None}).encode(),
    "entry-number": json.dumps({**GOOD, "files": [1]}).encode(),
    "entry-empty": json.dumps({**GOOD, "files": [{}]}).encode(),
    "path-number": json.dumps({**GOOD, "files": [{**ENTRY, "path": 7}]}).encode(),
    "sets-number": json.dumps({**GOOD, "sets": 7}).encode(),
    "ids-mixed": json.dumps({**GOOD, "sets": {"a": {"ids": [1, "a"]}}}).encode(),
    "retired-mixed": json.dumps({**GOOD, "retired": [{"id": []}]}).encode(),
}

PATHS = [
    "../../../../etc/passwd",
    "/etc/passwd",
    "",
    ".",
    "a/../../b",
    "x\0y",
    "a" * 5000,
    "x.json",
    "a/decision/out.json",
]


def _directory(tmp_path: Path, manifest: bytes, requirements: bytes = b'{"requirements": []}') -> str:
    (tmp_path / "manifest.json").write_bytes(manifest)
    (tmp_path / "requirements.json").write_bytes(requirements)
    return str(tmp_path)


@pytest.mark.parametrize("name", MANIFESTS)
@pytest.mark.parametrize("action", ["verify", "list"])
def test_a_hostile_manifest_is_one_line(
    action: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = _directory(tmp_path, MANIFESTS[name])
    arguments = [directory] if action == "verify" else ["--dir", directory]
    assert "manifest.json" in run(capsys, "vectors", action, *arguments).one_line


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_leads_elsewhere_is_not_read(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a" / "decision").mkdir(parents=True)
    (tmp_path / "a" / "decision" / "out.json").symlink_to("/etc/passwd")
    directory = _directory(tmp_path, json.dumps({**GOOD, "files": [{**ENTRY, "path": path}]}).encode())
    done = run(capsys, "vectors", "verify", directory)
    assert done.code == 1
    assert "its bytes are not those" not in done.out and "root" not in done.out
    assert "faults" in done.out and not done.err


@pytest.mark.parametrize("requirements", [b"", b"[]", b"{}", b'{"requirements": [1]}'])
def test_a_hostile_catalogue_is_one_line(
    requirements: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = _directory(tmp_path, json.dumps(GOOD).encode(), requirements)
    assert "requirements.json" in run(capsys, "vectors", "verify", directory).one_line


def test_what_is_no_regular_file_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d").mkdir()
    os.mkfifo(tmp_path / "d" / "pipe.json")
    directory = _directory(tmp_path, json.dumps({**GOOD, "files": [{**ENTRY, "path": "d/pipe.json"}]}).encode())
    assert "d/pipe.json: there is no such file" in run(capsys, "vectors", "verify", directory).out


def test_an_empty_name_is_no_directory(capsys: pytest.CaptureFixture[str]) -> None:
    assert "name a directory" in run(capsys, "vectors", "verify", "").one_line


def test_json_output_holds_nothing_that_a_terminal_acts_on(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = '{"request_id": "\\u202e\\u009b31m\\u007f\\u001b[2J", "transport": "stdio"}'
    done = run(capsys, "decide", "transport.abandon", "--json", stdin=hostile.encode())
    assert done.code == 0
    assert done.out.replace("\n", "").isprintable()
    assert "\u202e" in json.dumps(done.data, ensure_ascii=False)
