"""Generates everything under `vectors/`, validates it, and prints the coverage table.

python tools/generate.py            write what differs, delete what is no longer emitted, validate
python tools/generate.py --check    write nothing; exit 1 where the files differ from what would be emitted
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from spec_model.cases.coverage import coverage
from spec_model.cases.emit import Files, all_files
from spec_model.cases.store import open_store
from spec_model.cases.table import BadCase
from spec_model.cli.measure import coverage_lines

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Runs the tool; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the files and write nothing")
    parser.add_argument("--out", type=Path, default=ROOT / "vectors", help="the directory to write (default: vectors)")
    arguments = parser.parse_args()
    try:
        files = all_files()
    except BadCase as error:
        print(f"generate: {error}", file=sys.stderr)
        return 1
    if arguments.check:
        return _check(files, arguments.out)
    _write(files, arguments.out)
    return _validate(arguments.out)


def _on_disk(out: Path) -> dict[str, Path]:
    return {path.relative_to(out).as_posix(): path for path in sorted(out.rglob("*")) if path.is_file()}


def _check(files: Files, out: Path) -> int:
    held = _on_disk(out)
    wrong = [f"{name}: is missing" for name in files if name not in held]
    wrong += [f"{name}: is no longer emitted" for name in held if name not in files]
    wrong += [f"{name}: differs" for name, path in held.items() if name in files and path.read_bytes() != files[name]]
    for line in wrong:
        print(f"generate: {line}", file=sys.stderr)
    print(f"{len(files)} files, {len(wrong)} differ from what the model emits")
    return 1 if wrong else 0


def _write(files: Files, out: Path) -> None:
    held = _on_disk(out)
    for name, path in held.items():
        if name not in files:
            path.unlink()
    for name, content in files.items():
        path = out / name
        if name in held and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _validate(out: Path) -> int:
    store = open_store(out)
    wrong = store.verify()
    for line in wrong:
        print(f"generate: {line}", file=sys.stderr)
    print("\n".join(coverage_lines(coverage(store.files()))))
    count = sum(1 for _ in store.cases())
    print(f"{count} cases in {len(store.paths)} files under {out.name}/, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
