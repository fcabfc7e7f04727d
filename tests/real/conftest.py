"""Session-wide fixtures: the SDK's environment, and the captures from its server, taken once for all workers."""

import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from .captures import Capture, capture_http, capture_stdio
from .environment import SdkUnavailable, locked, sdk_python


class SdkSkipped(UserWarning):
    """Tests against the official Python SDK were skipped: the run's summary says so."""


@pytest.fixture(scope="session")
def python_of_sdk() -> Path:
    """The Python that has the pinned SDK; skips, with a warning in the summary, where no registry can be reached."""
    try:
        return sdk_python()
    except SdkUnavailable as unavailable:
        reason = f"the official Python SDK was not tested: {unavailable}"
        with warnings.catch_warnings():
            warnings.simplefilter("always", SdkSkipped)
            warnings.warn(SdkSkipped(reason), stacklevel=1)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def stdio_captures(python_of_sdk: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Capture]:
    """All captures over stdio."""
    return once("stdio-captures", tmp_path_factory, lambda: capture_stdio(python_of_sdk))


@pytest.fixture(scope="session")
def http_captures(python_of_sdk: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Capture]:
    """All captures over HTTP."""
    return once("http-captures", tmp_path_factory, lambda: capture_http(python_of_sdk))


def once(name: str, factory: pytest.TempPathFactory, take: Callable[[], list[Capture]]) -> list[Capture]:
    """Take captures in the first worker that asks, and read them from its file in the others."""
    base = factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    file = folder / f"{name}.json"
    lock = folder / f"{name}.lock"
    lock.touch()
    with locked(lock):
        if not file.exists():
            file.write_text(json.dumps(take()))
    captures: list[Capture] = json.loads(file.read_text())
    return captures
