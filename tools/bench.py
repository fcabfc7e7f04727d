"""Speed and size, each as a ratio of two things measured in this run, on this machine.

Wall times are the least of several runs, since other work on a machine only ever adds. The bounds are those that the
project promises; a miss is printed as MISS and makes the exit code 1.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from spec_model.cases.emit import all_files, decision_file
from spec_model.cases.table import DecisionCase, DecisionTable, decision_tables

ROOT = Path(__file__).resolve().parent.parent
SPEC_SCHEMA = ROOT.parent / "shared" / "spec" / "schema" / "2026-07-28.json"


@dataclass(frozen=True)
class Figure:
    """One ratio and its bound; `note` says what was measured."""

    name: str
    ratio: float
    bound: float
    at_least: bool
    note: str

    @property
    def met(self) -> bool:
        """Whether the ratio is within the bound."""
        return self.ratio >= self.bound if self.at_least else self.ratio <= self.bound

    def line(self) -> str:
        """The figure for people."""
        sign = ">=" if self.at_least else "<="
        return (
            f"{'ok  ' if self.met else 'MISS'}  {self.name:34} {self.ratio:8.2f}  {sign} {self.bound:<6g} {self.note}"
        )


def main() -> int:
    """Measures everything; returns 1 where a bound is missed."""
    figures = [*generation(), *growth(), *checking(), importing(), memory()]
    for figure in figures:
        print(figure.line())
    return 0 if all(figure.met for figure in figures) else 1


def least(run: Callable[[], object], times: int = 7) -> float:
    """The least wall time of `run` in seconds."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def _python(code: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def generation() -> list[Figure]:
    """Generating all vectors against encoding the same bytes, plus one interpreter start."""
    contents = [msgspec.json.decode(content) for content in all_files().values()]

    def encode_alone() -> None:
        for content in contents:
            msgspec.json.format(msgspec.json.encode(content), indent=2)

    start = least(_python("pass"))
    encoding = least(encode_alone)
    whole = least(_python("from spec_model.cases.emit import all_files; all_files()"), 5)
    note = f"{whole * 1e3:.0f} ms against {encoding * 1e3:.1f} ms encoding + {start * 1e3:.0f} ms start"
    return [Figure("generate / (encode + start)", whole / (encoding + start), 20, False, note)]


def growth() -> list[Figure]:
    """Time a case at 4 and 16 times the case tables, against once."""
    tables = decision_tables()
    once = least(lambda: _generate(_copies(tables, 1)), 5)
    figures = []
    for factor in (4, 16):
        copies = least(lambda factor=factor: _generate(_copies(tables, factor)), 3)  # type: ignore[misc]
        note = f"{copies * 1e3:.0f} ms against {once * 1e3:.0f} ms, a case"
        figures.append(Figure(f"generate x{factor}, time a case", copies / once / factor, 1.5, False, note))
    return figures


def _generate(tables: list[DecisionTable]) -> list[bytes]:
    return [msgspec.json.encode(decision_file(table)) for table in tables]


def _copies(tables: list[DecisionTable], factor: int) -> list[DecisionTable]:
    """The tables `factor` times over, with fresh cases that have computed nothing yet."""
    return [
        DecisionTable(table.prefix, table.function, table.about, table.flags, [_fresh(case) for case in table.cases])
        for _ in range(factor)
        for table in tables
    ]


def _fresh(case: DecisionCase) -> DecisionCase:
    return DecisionCase(
        id=case.id, title=case.title, function=case.function, input=case.input, flags=case.flags, see=case.see
    )


def checking() -> list[Figure]:
    """`check` of one message, from bytes, against jsonschema and against a typed decode of the same bytes."""
    from spec_model.semantics.check import check_text
    from spec_model.wire import messages

    figures = []
    for name, type_name, struct, message in _messages(messages):
        data = msgspec.json.encode(message)
        decoder = msgspec.json.Decoder(struct)
        checked = _per_call(lambda data=data, type_name=type_name: check_text(data, type_name))  # type: ignore[misc]
        decoded = _per_call(lambda data=data, decoder=decoder: decoder.decode(data))  # type: ignore[misc]
        note = f"{name}: {checked * 1e6:.1f} us against {decoded * 1e6:.1f} us"
        figures.append(Figure("check / typed decode", checked / decoded, 10, False, note))
        if SPEC_SCHEMA.is_file():
            validated = _per_call(_validation(type_name, data))
            note = f"{name}: {validated * 1e6:.0f} us against {checked * 1e6:.1f} us"
            figures.append(Figure("jsonschema / check", validated / checked, 10, True, note))
    if not SPEC_SCHEMA.is_file():
        print("skip  jsonschema / check: the official schema is not beside this checkout")
    return figures


def _messages(messages: Any) -> list[tuple[str, str, Any, dict[str, Any]]]:
    envelope = {"jsonrpc": "2.0", "id": 1}
    server_info = {"io.modelcontextprotocol/serverInfo": {"name": "bench", "version": "1.0.0"}}
    hints = {"ttlMs": 300_000, "cacheScope": "public", "_meta": server_info}
    discover = {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {"listChanged": True}, "resources": {}},
        "instructions": "A server for measuring.",
        **hints,
    }
    tool = {
        "description": "Says it again",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    }
    tools = {"resultType": "complete", "tools": [{"name": f"tool-{n}", **tool} for n in range(20)], **hints}
    return [
        ("discovery", "DiscoverResultResponse", messages.DiscoverResultResponse, {**envelope, "result": discover}),
        ("20 tools", "ListToolsResultResponse", messages.ListToolsResultResponse, {**envelope, "result": tools}),
    ]


def _validation(type_name: str, data: bytes) -> Callable[[], object]:
    from jsonschema import Draft202012Validator

    schema = json.loads(SPEC_SCHEMA.read_bytes())
    validator = Draft202012Validator({**schema, "$ref": f"#/$defs/{type_name}"})
    return lambda: validator.validate(json.loads(data))


def _per_call(run: Callable[[], object]) -> float:
    calls = 1
    while True:
        start = time.perf_counter()
        for _ in range(calls):
            run()
        if time.perf_counter() - start > 0.02:
            break
        calls *= 4
    return least(lambda: [run() for _ in range(calls)], 7) / calls


def importing() -> Figure:
    """`import spec_model` against `import msgspec`, each with an interpreter start."""
    ours, theirs = least(_python("import spec_model"), 15), least(_python("import msgspec"), 15)
    note = f"{ours * 1e3:.0f} ms against {theirs * 1e3:.0f} ms, interpreter start included"
    return Figure("import spec_model / import msgspec", ours / theirs, 3, False, note)


def memory() -> Figure:
    """Peak memory of `tools/generate.py`, in units of 200 MiB."""
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, "-c", _PEAK, str(ROOT / "tools" / "generate.py"), "--out", f"{directory}/vectors"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    peak = int(done.stderr.split()[-1]) * 1024
    return Figure("peak memory / 200 MiB", peak / (200 * 2**20), 1, False, f"{peak / 2**20:.0f} MiB")


# The high-water mark of the process itself: what `getrusage` tells also counts its parent before the fork, on Linux.
_PEAK = """
import resource, runpy, sys
from pathlib import Path
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as stop:
    if stop.code:
        raise
status = Path("/proc/self/status")
lines = status.read_text().splitlines() if status.exists() else []
marks = [line.split()[1] for line in lines if line.startswith("VmHWM")]
print(marks[0] if marks else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


if __name__ == "__main__":
    sys.exit(main())
