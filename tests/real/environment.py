"""The environment that holds the official Python SDK: `.sdk-venv` at the repository's root, built from the pins."""

import fcntl
import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINTS = ROOT / "tests" / "constraints-sdk.txt"
ENVIRONMENT = ROOT / ".sdk-venv"
INSTALL_SECONDS = 300

UNREACHABLE = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError|ProxyError|SSLError|MaxRetryError"
    r"|Connection refused|Connection reset|Temporary failure in name resolution|Network is unreachable"
    r"|Failed to establish a new connection|Connection broken"
)
"""What pip says when it could not reach a registry, as opposed to: the registry has no such release."""


class SdkUnavailable(Exception):
    """No package registry can be reached, so the SDK cannot be installed."""


class SdkInstallFailed(Exception):
    """The installation failed for a reason that the project must repair."""


def sdk_python(constraints: Path = CONSTRAINTS, environment: Path = ENVIRONMENT) -> Path:
    """The Python that has the pinned SDK; builds its environment where it is absent or older than the pins."""
    python = environment / "bin" / "python"
    with locked(constraints):
        if not is_current(constraints, environment):
            build(constraints, environment)
    return python


def is_current(constraints: Path, environment: Path) -> bool:
    """Whether the environment was built, to its end, from these very pins."""
    stamp = environment / "constraints.sha256"
    return (environment / "bin" / "python").exists() and stamp.exists() and stamp.read_text() == digest(constraints)


def digest(constraints: Path) -> str:
    """The SHA-256 of the pins."""
    return hashlib.sha256(constraints.read_bytes()).hexdigest()


def build(constraints: Path, environment: Path) -> None:
    """Build the environment anew; the stamp comes last, so a broken build is never taken for a whole one."""
    shutil.rmtree(environment, ignore_errors=True)
    run([sys.executable, "-m", "venv", str(environment)])
    (environment / ".gitignore").write_text("*\n")
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check"]
    run([*pip, "--retries", "2", "--timeout", "15", "-r", str(constraints)])
    (environment / "constraints.sha256").write_text(digest(constraints))


def run(command: list[str]) -> None:
    """Run one step of the build; raises SdkUnavailable or SdkInstallFailed with the end of its output."""
    try:
        done = subprocess.run(
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=INSTALL_SECONDS,
        )
    except subprocess.TimeoutExpired as slow:
        raise SdkUnavailable(f"the registry did not deliver the SDK within {INSTALL_SECONDS} s") from slow
    if done.returncode == 0:
        return
    if UNREACHABLE.search(done.stdout):
        raise SdkUnavailable("no package registry can be reached to install the pinned SDK")
    raise SdkInstallFailed("\n".join(done.stdout.splitlines()[-20:]))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock on an existing file, so that parallel test workers build one environment, once."""
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
