"""Whatever is read, the command ends in one clear line or in a verdict, in bounded time, and never in a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spec_model.semantics.check import check_text, check_value, guess
from spec_model.wire.json import decode
from tests.cli.runner import run

BAD = {
    "empty": (b"", "empty"),
    "blank": (b" \n\t", "nothing"),
    "not-json": (b"hello", ""),
    "truncated": (b'{"jsonrpc": "2.0", "id"', ""),
    "truncated-string": (b'{"jsonrpc": "2.', ""),
    "nan": (b'{"id": NaN}', "NaN"),
    "infinity": (b"[-Infinity]", "Infinity"),
    "invalid-utf8": (b'{"id": "\xff"}', "UTF-8"),
    "cut-utf8": (b'{"id": "\xe2\x82', "UTF-8"),
    "two-values": (b"{} {}", ""),
    "nul": (b"\x00", ""),
    "deep-arrays": (b"[" * 100_000 + b"]" * 100_000, "deep"),
    "deep-objects": (b'{"a":' * 100_000, "deep"),
}

ODD = {
    "duplicate-keys": b'{"jsonrpc":"2.0","id":1,"id":2,"result":{"resultType":"complete"}}',
    "byte-order-mark": b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}',
    "lone-surrogate": b'{"jsonrpc":"2.0","id":"\\ud800","result":{"resultType":"complete"}}',
    "digits": b'{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":' + b"9" * 400 + b"}}",
    "more-digits": b'{"jsonrpc":"2.0","id":' + b"9" * 10_000 + b',"result":{}}',
    "huge-float": b'{"jsonrpc":"2.0","id":1,"result":{"ttlMs":1e400}}',
    "beyond-64-bits": b'{"jsonrpc":"2.0","id":18446744073709551617,"method":"tools/list"}',
    "scalar": b"7",
    "null": b"null",
    "array": b"[]",
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", [["check"], ["decide", "caching.lifetime"]], ids=lambda command: command[0])
def test_bad_input_is_one_line_with_its_offset(
    command: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data, what = BAD[name]
    line = run(capsys, *command, stdin=data).one_line
    assert what in line
    assert "line " in line and "byte " in line


@pytest.mark.parametrize("name", ODD)
def test_odd_input_gets_a_verdict(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "check", "--json", stdin=ODD[name])
    assert done.code in (0, 1, 3)
    assert done.data["verdicts"] or done.code == 3


@pytest.mark.parametrize("name", ["duplicate-keys", "byte-order-mark", "lone-surrogate", "huge-float"])
def test_odd_json_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (note,) = run(capsys, "check", "--json", stdin=ODD[name]).data["json"]
    assert note["kind"] and note["what"]


def test_what_is_too_large_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    line = run(capsys, "check", "--max-bytes", "1000", stdin=b" " * 1001).one_line
    assert "1000" in line


def test_one_hundred_megabytes_are_cut_at_the_default_limit(capsys: pytest.CaptureFixture[str]) -> None:
    line = run(capsys, "check", stdin=b'["' + b"a" * 100_000_000).one_line
    assert "byte 16777216" in line


def test_an_endless_pipe_is_cut() -> None:
    source = "import sys\nwhile True: sys.stdout.write('[' * 65536)"
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as endless:
        command = [sys.executable, "-m", "spec_model.cli", "check", "--max-bytes", "100000"]
        done = subprocess.run(command, stdin=endless.stdout, capture_output=True, timeout=60, check=False)
        endless.kill()
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1 and b"Traceback" not in done.stderr


def _bounded(run_it: Callable[[], object]) -> None:
    start = time.process_time()
    run_it()
    assert time.process_time() - start < 20, "the time for one input has to be bounded"


@given(st.binary(max_size=300))
@settings(max_examples=300)
def test_raw_bytes_never_raise(data: bytes) -> None:
    check_text(data)


MEMBERS = [
    "jsonrpc",
    "id",
    "method",
    "params",
    "result",
    "error",
    "_meta",
    "code",
    "data",
    "request",
    "reply",
    "status",
    "resultType",
    "ttlMs",
    "cacheScope",
    "tools",
    "icons",
    "capabilities",
    "supportedVersions",
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(MEMBERS),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(json_values)
@settings(max_examples=500)
def test_any_json_value_gets_findings(value: Any) -> None:
    found = check_text(json.dumps(value).encode(), guess(value) or "JSONRPCMessage")
    for fault in found.faults:
        assert fault.what.isprintable() and "\n" not in fault.what


@given(st.binary(max_size=100), st.integers(0, 100))
def test_a_message_with_bytes_thrown_in_never_raises(noise: bytes, at: int) -> None:
    message = b'{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"a"}],"ttlMs":0}}'
    data = message[:at] + noise + message[at:]
    decoded = decode(data)
    if decoded.ok:
        check_value(decoded.value)
    assert check_text(data) is not None


def test_wide_values_take_bounded_time() -> None:
    wide = b'{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[' + b"{}," * 50_000 + b"{}]}}"
    _bounded(lambda: check_text(wide))
