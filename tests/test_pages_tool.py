"""The tool that finds changed pages, against a small repository made for the test."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from spec_model.requirements import catalogue
from spec_model.requirements.catalogue import Page, Pages

TOOL = Path(__file__).resolve().parent.parent / "tools" / "pages.py"
STDIO, CHANGELOG = "basic/transports/stdio", "changelog"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pages_tool", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _git(repository: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(repository), *identity, *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.strip()


def _write(repository: Path, **files: str) -> str:
    for name, text in files.items():
        (repository / f"{name}.mdx").write_text(text, encoding="utf-8")
    _git(repository, "add", "--all")
    _git(repository, "commit", "--quiet", "--message", "a change")
    return _git(repository, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two pages, to which the catalogue is pinned."""
    _git(tmp_path, "init", "--quiet")
    commit = _write(tmp_path, stdio="one message a line\n", changelog="ping is gone\n")
    blobs = {name: _git(tmp_path, "rev-parse", f"HEAD:{name}.mdx") for name in ("stdio", "changelog")}
    pinned = Pages(
        repository="modelcontextprotocol/modelcontextprotocol",
        commit=commit,
        pages={STDIO: Page("stdio.mdx", blobs["stdio"]), CHANGELOG: Page("changelog.mdx", blobs["changelog"])},
    )
    monkeypatch.setattr(catalogue, "pages", lambda: pinned)
    return tmp_path


def test_nothing_changed(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _loaded().main(["--checkout", str(repository)]) == 0
    assert capsys.readouterr().out.startswith("0 of 2 pages differ")


def test_a_changed_page_is_listed_with_what_rests_on_it(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(repository, stdio="one message on each line\n")
    assert _loaded().main(["--checkout", str(repository)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("basic/transports/stdio: stdio.mdx was ")
    assert "\n    stdio.framing.newline-delimited\n" in out
    assert "\n    stdio.unreadable-line\n" in out
    assert "removed.method.ping" not in out
    assert "1 of 2 pages differ" in out


def test_a_page_that_is_gone_is_listed(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "changelog.mdx").unlink()
    _write(repository)
    assert _loaded().main(["--checkout", str(repository)]) == 1
    out = capsys.readouterr().out
    assert "and is gone" in out
    assert "removed.method.ping" in out


def test_an_older_commit_can_be_named(repository: Path) -> None:
    first = _git(repository, "rev-parse", "HEAD")
    _git(repository, "tag", "pinned")
    _write(repository, stdio="other\n")
    tool = _loaded()
    assert [tool.main(["--checkout", str(repository), "--commit", name]) for name in (first, "pinned", "HEAD")] == [
        0,
        0,
        1,
    ]


def test_a_change_that_is_not_committed_does_not_count(repository: Path) -> None:
    (repository / "stdio.mdx").write_text("other\n", encoding="utf-8")
    assert _loaded().main(["--checkout", str(repository)]) == 0


def test_bad_input_gets_one_line(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, other = tmp_path_factory.mktemp("plain"), tmp_path_factory.mktemp("other")
    _git(other, "init", "--quiet")
    _write(other, readme="nothing of it\n")
    bad = [
        (["--checkout", str(repository / "nowhere")], "there is no directory"),
        (["--checkout", str(plain)], "is no git repository"),
        (["--checkout", str(repository), "--commit", "nothing"], "has no commit 'nothing'"),
        (["--checkout", str(repository), "--commit=--all"], "has no commit '--all'"),
        (["--checkout", str(other)], "has none of the pages"),
    ]
    for arguments, what in bad:
        assert _loaded().main(arguments) == 2, arguments
        error = capsys.readouterr().err
        assert what in error and error.count("\n") == 1 and error.startswith("pages: "), error


def test_the_catalogue_names_a_path_and_a_blob_for_each_page() -> None:
    for name, page in catalogue.pages().pages.items():
        assert page.path.endswith((".mdx", ".ts")), name
        assert len(page.blob) == 40 and set(page.blob) <= set("0123456789abcdef"), name
