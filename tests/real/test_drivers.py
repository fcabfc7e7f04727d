"""The means of capturing, without the SDK: stopping, framing, and telling why an installation failed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .captures import Heard, event_data, first_answer, is_answer, write
from .cases import Case, Kind, Object
from .environment import SdkInstallFailed, SdkUnavailable, build, digest, is_current, run
from .servers import ServerProcess, is_listening

STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.environ.get("CHILD") is None:
    child = subprocess.Popen([sys.executable, __file__], env={**os.environ, "CHILD": "yes"})
    print(child.pid, flush=True)
    print("ready", file=sys.stderr, flush=True)
time.sleep(60)
"""


def is_running(pid: int) -> bool:
    """Whether the process runs; one that has ended but was not reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_stopping_ends_the_whole_group(tmp_path: Path) -> None:
    script = tmp_path / "stubborn.py"
    script.write_text(STUBBORN)
    server = ServerProcess([sys.executable, str(script)], subprocess.PIPE)
    server.wait_ready()
    assert server.process.stdout is not None
    child = int(server.process.stdout.readline())
    assert is_running(child)
    server.stop()
    time.sleep(0.1)
    assert not is_running(child)
    assert not is_running(server.process.pid)


def test_a_failing_command_that_names_the_network_is_unavailable() -> None:
    with pytest.raises(SdkUnavailable):
        run([sys.executable, "-c", "print('NewConnectionError: nobody there'); raise SystemExit(1)"])


def test_a_failing_command_is_otherwise_a_failed_installation() -> None:
    with pytest.raises(SdkInstallFailed, match="no such release"):
        run([sys.executable, "-c", "print('no such release'); raise SystemExit(1)"])


def test_a_registry_that_cannot_be_reached_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("PIP_RETRIES", "0")
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("mcp==2.3.0\n")
    with pytest.raises(SdkUnavailable):
        build(constraints, tmp_path / "environment")
    assert not is_current(constraints, tmp_path / "environment")


def test_an_environment_is_current_only_for_its_own_pins(tmp_path: Path) -> None:
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("one==1\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    assert not is_current(constraints, tmp_path)
    (tmp_path / "constraints.sha256").write_text(digest(constraints))
    assert is_current(constraints, tmp_path)
    constraints.write_text("one==2\n")
    assert not is_current(constraints, tmp_path)


def test_event_data_joins_lines_and_drops_comments() -> None:
    body = b': ping\r\n\r\nevent: message\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata:2\n\nid: 7\ndata: \n\ndata: 3'
    assert event_data(body) == [b'{"a":\n1}', b"2", b"3"]


def test_an_answer_is_told_by_its_id() -> None:
    answer: Object = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert is_answer(answer, 1)
    assert not is_answer(answer, 2)
    assert not is_answer(answer, "1")
    notification: Object = {"jsonrpc": "2.0", "method": "notifications/message"}
    assert not is_answer(notification, 1)
    assert is_answer({"jsonrpc": "2.0", "id": None, "error": {}}, 1)
    assert is_answer(answer, None)
    assert first_answer([notification, answer], 1) == answer


def test_what_is_no_json_is_kept_apart() -> None:
    heard = Heard()
    heard.take(b"1")
    heard.take(b"\xff")
    heard.take(b"2", late=True)
    assert (heard.messages, heard.late, heard.unparsed) == ([1], [2], ["\ufffd"])


def test_headers_mirror_the_body_unless_a_case_says_otherwise() -> None:
    body: Object = {"method": "resources/read", "params": {"uri": "text://greeting", "_meta": {}}}
    headers = Case("one", Kind.RESULT, body, {"mcp-method": None, "origin": "null"}).http_headers()
    assert headers == {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-name": "text://greeting",
        "origin": "null",
    }


def test_writing_nothing_writes_nothing(tmp_path: Path) -> None:
    assert write([], tmp_path) == 0
    assert list(tmp_path.iterdir()) == []


def test_nobody_listens_on_the_discard_port() -> None:
    assert not is_listening(9)
