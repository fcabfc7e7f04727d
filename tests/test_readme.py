"""What the README shows is what runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text()
EXAMPLES = ROOT / "docs" / "examples"


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("language", "name"), [("python", "run_vectors.py"), ("js", "run_vectors.mjs")])
def test_the_runners_are_the_example_files(language: str, name: str) -> None:
    assert (EXAMPLES / name).read_text() in _blocks(language)


@pytest.mark.parametrize("name", ["run_vectors.py", "run_vectors.mjs"])
def test_the_runners_are_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text().splitlines()) <= 20


def test_the_python_runner_passes_and_can_fail() -> None:
    source = (EXAMPLES / "run_vectors.py").read_text()
    right = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (right.returncode, right.stderr) == (0, "")
    faulty = source.replace("now < received_at", "now <= received_at")
    wrong = subprocess.run([sys.executable, "-c", faulty], cwd=ROOT, capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "breaks caching.freshness.strict-less-than" in wrong.stdout


def test_the_javascript_runner_passes_and_can_fail() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node, which is not on this machine")
    source = (EXAMPLES / "run_vectors.mjs").read_text()
    command = [node, "--input-type=module", "-e"]
    right = subprocess.run([*command, source], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (right.returncode, right.stderr) == (0, "")
    faulty = source.replace("now < received_at", "now <= received_at")
    wrong = subprocess.run([*command, faulty], cwd=ROOT, capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "breaks caching.freshness.strict-less-than" in wrong.stdout


def _commands() -> list[str]:
    shell = "\n".join(_blocks("sh"))
    return [line.split("#")[0].strip() for line in shell.splitlines() if "mcp-spec" in line]


@pytest.mark.parametrize("line", _commands())
def test_the_commands_shown_run(line: str) -> None:
    environment = {"PATH": f"{ROOT / '.venv' / 'bin'}:/usr/bin:/bin"}
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout
