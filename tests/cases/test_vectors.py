"""What is committed under `vectors/` is what the model emits, whatever the hash seed, and it is whole."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from spec_model.cases import format as fmt
from spec_model.cases.coverage import coverage
from spec_model.cases.emit import all_files
from spec_model.cases.store import open_store
from spec_model.requirements.catalogue import catalogue, questions, scope
from tests.conftest import ROOT

STORE = open_store(ROOT / "vectors")

# Reports on pages of the scope whose rule stands on a page outside it, with the page that decides.
ELSEWHERE = {
    key: page
    for page, keys in json.loads((Path(__file__).parent / "field_cases_elsewhere.json").read_text()).items()
    for key in keys
}


def test_the_committed_files_are_those_that_the_model_emits() -> None:
    emitted = all_files()
    held = {path.relative_to(STORE.directory).as_posix(): path.read_bytes() for path in STORE.directory.rglob("*.json")}
    assert held.keys() == emitted.keys()
    assert [name for name, content in emitted.items() if held[name] != content] == []


@pytest.mark.parametrize("seed", ["1", "20260728"])
def test_the_bytes_do_not_depend_on_the_hash_seed(seed: str) -> None:
    source = (
        "import hashlib; from spec_model.cases.emit import all_files\n"
        "print(hashlib.sha256(b''.join(name.encode() + content for name, content in all_files().items())).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, env=environment, capture_output=True, check=True)
    emitted = hashlib.sha256(b"".join(name.encode() + content for name, content in all_files().items())).hexdigest()
    assert done.stdout.decode().strip() == emitted


def test_files_are_canonical_text() -> None:
    for path in STORE.directory.rglob("*.json"):
        content = path.read_bytes()
        assert content.endswith(b"\n") and b"\r" not in content and b"\t" not in content, path
        pairs = json.loads(content, object_pairs_hook=lambda pairs: pairs)
        assert pairs, path


def test_files_stay_small_enough_to_review() -> None:
    for file in STORE.files():
        assert len(fmt.cases_of(file)) <= 200, file.about


def test_every_requirement_named_is_in_the_catalogue_and_every_choice_exists() -> None:
    for path, case in STORE.cases():
        assert set(case.requirements) | set(case.shows) <= catalogue().keys(), (path, case.id)
        assert fmt.choices_of(case) <= questions().keys(), (path, case.id)


def test_every_choice_permits_another_outcome_somewhere() -> None:
    used = {choice for _, case in STORE.cases() for choice in fmt.choices_of(case)}
    assert questions().keys() - used == set()


def test_the_bars_of_coverage_are_met() -> None:
    whole = coverage(STORE.files())
    assert whole.ratio >= 0.95
    assert [row.id for row in whole.rows if row.status in ("one-sided", "uncovered") and not row.reason] == []
    assert [row.id for row in whole.rows if row.status == "not-shown"] == []


def test_every_field_report_on_these_pages_is_a_case(shared: Path) -> None:
    reports = yaml.safe_load((shared / "field" / "cases.yaml").read_text())["cases"]
    seen = {name.removeprefix("field:") for _, case in STORE.cases() for name in case.see}
    keys = {report["key"] for report in reports}
    here = {report["key"] for report in reports if any(_in_scope(place) for place in report["spec"])}
    assert seen <= keys, "a case names a report that does not exist"
    assert here - seen - ELSEWHERE.keys() == set()
    assert ELSEWHERE.keys() <= here - seen, "what is told to fall elsewhere falls elsewhere"


def test_the_page_on_field_reports_tells_what_the_vectors_hold(shared: Path) -> None:
    reports = yaml.safe_load((shared / "field" / "cases.yaml").read_text())["cases"]
    seen = {name.removeprefix("field:") for _, case in STORE.cases() for name in case.see}
    page = (ROOT / "docs" / "field-reports.md").read_text()
    listed = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    assert listed == {report["key"] for report in reports} - seen
    assert f"{len(seen)} of {len(reports)} reports are covered" in page


def _in_scope(place: str) -> bool:
    page, _, anchor = place.partition("#")
    if page not in scope().pages:
        return False
    anchors = scope().pages[page]
    return anchors is None or anchor in anchors


def test_verify_notices_what_is_wrong(tmp_path: Path) -> None:
    copy = tmp_path / "vectors"
    shutil.copytree(STORE.directory, copy)
    victim = copy / STORE.paths[0]
    victim.write_bytes(victim.read_bytes().replace(b'"level": "must"', b'"level": "may"', 1) + b" ")
    (copy / "stray.json").write_text("{}")
    (copy / STORE.paths[1]).unlink()
    wrong = "\n".join(open_store(copy).verify())
    assert STORE.paths[0] in wrong
    assert "stray.json: the manifest does not list it" in wrong
    assert STORE.paths[1] in wrong
    assert open_store(STORE.directory).verify() == []
