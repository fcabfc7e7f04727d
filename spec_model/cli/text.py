"""What the commands share: their parser, their errors, reading input and writing output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from spec_model.wire.json import Decoded, decode

if TYPE_CHECKING:
    from spec_model.cases.store import Store

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run: TypeAlias = Callable[[argparse.Namespace], int]

MAX_BYTES: Final = 16 * 1024 * 1024
MOST_BYTES: Final = 1024 * 1024 * 1024


class Failure(Exception):
    """Something that ends the command with one line and exit 2."""


def command(commands: Commands, name: str, run: Run, about: str, example: str) -> argparse.ArgumentParser:
    """A new command with `--json`, whose help ends with an example."""
    parser = commands.add_parser(
        name,
        help=about,
        description=about[0].upper() + about[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


def printable(text: str) -> str:
    """`text` without anything that a terminal would act on: control and format characters stand as escapes."""
    if text.isprintable() and not _surrogates(text):
        return text
    return "".join(one if one.isprintable() and not _surrogates(one) else _escaped(one) for one in text)


def _surrogates(text: str) -> bool:
    return any("\ud800" <= one <= "\udfff" for one in text)


def _escaped(one: str) -> str:
    return one.encode("unicode_escape", "surrogatepass").decode("ascii")


def say(*lines: str) -> None:
    """Prints lines for people, each made printable."""
    for line in lines:
        encoding = sys.stdout.encoding or "utf-8"
        print(printable(line).encode(encoding, "backslashreplace").decode(encoding))


def say_json(value: object) -> None:
    """Prints a value as indented JSON in which nothing stands that a terminal would act on."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    utf8 = (sys.stdout.encoding or "utf-8").lower().replace("-", "") == "utf8"
    if not (utf8 and text.replace("\n", "").isprintable()):
        text = "".join(one if one == "\n" or _harmless(one, utf8=utf8) else _json_escape(one) for one in text)
    print(text)


def _harmless(one: str, *, utf8: bool) -> bool:
    return one.isprintable() and (utf8 or one.isascii())


def _json_escape(one: str) -> str:
    units = one.encode("utf-16-be")
    return "".join(f"\\u{units[n]:02x}{units[n + 1]:02x}" for n in range(0, len(units), 2))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a table; columns whose cells are all numbers stand to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[n]) for line in [list(head), *cells]) for n in range(len(head))]
    right = [bool(cells) and all(_numeric(row[n]) for row in cells) for n in range(len(head))]

    def line(row: Sequence[str]) -> str:
        return "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()

    return [line(head), line(["-" * width for width in widths]), *map(line, cells)]


def _numeric(cell: str) -> bool:
    return cell.replace(".", "", 1).replace("%", "").isdigit()


def byte_limit(text: str) -> int:
    """A number of bytes from the command line."""
    limit = int(text)
    if not 0 < limit <= MOST_BYTES:
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and {MOST_BYTES}")
    return limit


def read_bytes(source: str, max_bytes: int) -> bytes:
    """At most one byte more than `max_bytes` of a file, or of stdin where `source` is `-`."""
    try:
        if source == "-":
            if sys.stdin is None:
                raise Failure("there is no standard input to read")
            return _read(sys.stdin.buffer, max_bytes)
        with Path(source).open("rb") as file:
            return _read(file, max_bytes)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Failure(f"cannot read {source}: {reason}") from None


def _read(file: Any, max_bytes: int) -> bytes:
    held = bytearray()
    while len(held) <= max_bytes:
        chunk = file.read(min(1 << 20, max_bytes + 1 - len(held)))
        if not chunk:
            break
        held += chunk
    return bytes(held)


def read_json(source: str, max_bytes: int = MAX_BYTES) -> Decoded:
    """The JSON value of a file or of stdin; Failure names what is wrong and where if there is none."""
    decoded = decode(read_bytes(source, max_bytes), max_bytes=max_bytes)
    if decoded.fault is not None:
        fault = decoded.fault
        name = "stdin" if source == "-" else source
        raise Failure(f"{name}: {fault.what} (line {fault.line}, byte {fault.offset})")
    return decoded


def vectors_in(directory: str | None = None) -> Store:
    """The vectors in a directory, by default those of this package; Failure where there are none."""
    from spec_model.cases.store import BadVectors, open_store

    if directory == "":
        raise Failure("name a directory of vectors")
    try:
        return open_store(None if directory is None else Path(directory))
    except BadVectors as error:
        raise Failure(str(error)) from None
