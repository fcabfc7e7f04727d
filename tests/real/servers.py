"""Drivers for a server process: one over its standard streams, one over HTTP on loopback.

Every wait is bounded, stderr is always drained, and leaving the `with` block ends the whole process group.
"""

import http.client
import os
import queue
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

SCRIPT = Path(__file__).with_name("python_sdk_server.py")
START_SECONDS = 30.0
STOP_SECONDS = 1.5
HTTP_SECONDS = 5.0

STARTS = threading.BoundedSemaphore(2)
"""Starting is what costs processor time; the rest is mostly waiting, so more servers may run than start at once."""


class ServerNotStarted(Exception):
    """The server process ended, or did not get ready in time."""


class ServerProcess:
    """A server process in a process group of its own, whose stderr is drained."""

    def __init__(self, command: Sequence[str], stdout: int) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE, start_new_session=True
        )
        self.log: deque[str] = deque(maxlen=40)
        self.ready = threading.Event()
        self._drain = threading.Thread(target=self._read_stderr, daemon=True)
        self._drain.start()

    def _read_stderr(self) -> None:
        for line in lines_of(self.process.stderr):
            self.log.append(line.decode("utf-8", "replace").rstrip())
            if line.strip() == b"ready":
                self.ready.set()

    def wait_ready(self) -> None:
        """Wait until the process has said that it is ready."""
        deadline = time.monotonic() + START_SECONDS
        while not self.ready.wait(0.05):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise self.not_started()

    def not_started(self) -> ServerNotStarted:
        """Why the server is of no use, with the end of its log."""
        return ServerNotStarted(f"exit status {self.process.poll()}; its log ends:\n" + "\n".join(self.log))

    def close_input(self) -> None:
        """Close the process's standard input: the request to end."""
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()

    def stop(self) -> None:
        """End the process and its group: by closing its input, then SIGTERM, then SIGKILL."""
        self.close_input()
        if not self._ends():
            self._signal(signal.SIGTERM)
            self._ends()
        self._signal(signal.SIGKILL)
        self.process.wait()
        self._drain.join(STOP_SECONDS)

    def _ends(self) -> bool:
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


class StdioServer:
    """A server on its standard streams: send lines, receive lines."""

    def __init__(self, python: Path) -> None:
        self._command = [str(python), str(SCRIPT), "stdio"]
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read_stdout, daemon=True)
        self.ended = False

    def __enter__(self) -> Self:
        with STARTS:
            self._process = ServerProcess(self._command, subprocess.PIPE)
            self._reader.start()
            try:
                self._process.wait_ready()
            except BaseException:
                self._process.stop()
                raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.stop()
        self._reader.join(STOP_SECONDS)

    def _read_stdout(self) -> None:
        for line in lines_of(self._process.process.stdout):
            self._lines.put(line)
        self._lines.put(None)

    def send(self, line: bytes) -> None:
        """Write one line, whose newline is added; a server that is gone leaves `ended` to be found by `receive`."""
        stdin = self._process.process.stdin
        assert stdin is not None
        with suppress(OSError, ValueError):
            stdin.write(line + b"\n")
            stdin.flush()

    def receive(self, seconds: float) -> bytes | None:
        """The next line without its newline; None when none came in that time or the stream has ended."""
        if self.ended:
            return None
        try:
            line = self._lines.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            return None
        self.ended = line is None
        return None if line is None else line.rstrip(b"\n")

    def finish(self, seconds: float) -> list[bytes]:
        """Close the server's input and return the lines that it still writes, for at most that time."""
        self._process.close_input()
        deadline = time.monotonic() + seconds
        rest: list[bytes] = []
        while not self.ended and time.monotonic() < deadline:
            line = self.receive(deadline - time.monotonic())
            if line is not None:
                rest.append(line)
        return rest


@dataclass(frozen=True)
class HttpReply:
    """An HTTP response; `ended` is False where the body was still open when the time was up."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    ended: bool


class HttpServer:
    """A server on a free loopback port, whose MCP endpoint is `/mcp`."""

    def __init__(self, python: Path) -> None:
        self._python = python
        self.port = 0

    def __enter__(self) -> Self:
        for attempt in range(3):
            try:
                self._start()
                return self
            except ServerNotStarted:
                if attempt == 2:
                    raise
        raise AssertionError("the last attempt returned or raised")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.stop()

    def _start(self) -> None:
        self.port = free_port()
        self._process = ServerProcess([str(self._python), str(SCRIPT), "http", str(self.port)], subprocess.DEVNULL)
        try:
            self._process.wait_ready()
            self._wait_listening()
        except BaseException:
            self._process.stop()
            raise

    def _wait_listening(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not is_listening(self.port):
            if self._process.process.poll() is not None or time.monotonic() > deadline:
                raise self._process.not_started()
            time.sleep(0.05)

    def exchange(self, method: str, headers: Mapping[str, str], body: bytes | None) -> HttpReply:
        """Send one HTTP request on a connection of its own and read the whole reply, for a bounded time."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HTTP_SECONDS)
        try:
            connection.request(method, "/mcp", body=body, headers=dict(headers))
            response = connection.getresponse()
            received, ended = read_body(response)
            names = {name.lower(): value for name, value in response.getheaders()}
            return HttpReply(response.status, names, received, ended)
        finally:
            connection.close()


def read_body(response: http.client.HTTPResponse) -> tuple[bytes, bool]:
    """The body of a response as far as it came in time, and whether it ended."""
    deadline = time.monotonic() + HTTP_SECONDS
    received = b""
    while time.monotonic() < deadline:
        try:
            part = response.read1(65536)
        except TimeoutError:
            return received, False
        if not part:
            return received, True
        received += part
    return received, False


def free_port() -> int:
    """A loopback port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_listening(port: int) -> bool:
    """Whether somebody accepts connections on that loopback port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1.0).close()
    except OSError:
        return False
    return True


def lines_of(stream: IO[bytes] | None) -> list[bytes] | IO[bytes]:
    """The lines of a process's stream, as they come; none where it has no such stream."""
    return [] if stream is None else stream
