"""Runs the command line in this process, as a shell would see it."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from spec_model.cli import main


@dataclass(frozen=True)
class Done:
    """What a command left: its exit code and its two streams."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)

    @property
    def one_line(self) -> str:
        """The only line of stderr; asserts that nothing else was printed."""
        assert self.code == 2
        assert self.out == ""
        (line,) = self.err.splitlines()
        assert line.startswith("mcp-spec: ")
        assert line.isprintable()
        assert "Traceback" not in line
        return line


def run(capsys: pytest.CaptureFixture[str], *arguments: str, stdin: bytes | None = None) -> Done:
    """Runs `mcp-spec` with these arguments; `stdin` is what it reads."""
    held = sys.stdin
    if stdin is not None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    finally:
        sys.stdin = held
    captured = capsys.readouterr()
    return Done(code, captured.out, captured.err)
