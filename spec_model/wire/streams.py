"""Where JSON values begin and end in a longer text, in time that grows with the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from spec_model.wire.json import FaultKind, decode

_WINDOW: Final = 256
_SPACE: Final = b" \t\r\n"
_CHARACTER: Final = 4
_FREE: Final = 1_000_000
_TIMES: Final = 16
_SETTLED: Final = frozenset({FaultKind.TRAILING_DATA, FaultKind.NOT_JSON, FaultKind.TOO_DEEP})


class Reach(NamedTuple):
    """How a text goes on from a place: the end of the value that stands there (the whitespace behind it included), None
    where none does; whether the text ends within a value; how many bytes were read to tell."""

    end: int | None
    cut_off: bool
    read: int


def reach(text: bytes, at: int, stop: int) -> Reach:
    """How `text`, as far as `stop`, goes on from `at`."""
    size, read = _WINDOW, 0
    while True:
        window = text[at : min(at + size, stop)]
        last = at + size >= stop
        fault = decode(window).fault
        broken = fault is not None and fault.kind is FaultKind.INVALID_UTF8
        if fault is not None and broken and (last or fault.offset <= len(window) - _CHARACTER):
            window, last = window[: fault.offset], True
            fault = decode(window).fault
        read += len(window)
        if last or (fault is not None and fault.kind in _SETTLED):
            if fault is None:
                return Reach(at + len(window), False, read)
            end = at + fault.offset if fault.kind is FaultKind.TRAILING_DATA else None
            return Reach(end, fault.kind is FaultKind.TRUNCATED and not broken, read)
        size *= 4


class Allowance:
    """The bytes that may be read again because what seemed to begin there was no value."""

    def __init__(self, size: int) -> None:
        self.left = _FREE + _TIMES * size

    def stop(self, text: bytes, at: int) -> int:
        """How far a value is looked for: to the end of the text; once the allowance is used up, to that of the line."""
        return len(text) if self.left > 0 else _end_of_line(text, at)


def _end_of_line(text: bytes, at: int) -> int:
    end = text.find(b"\n", at)
    return len(text) if end < 0 else end


def split(text: bytes) -> tuple[list[bytes], bytes]:
    """The JSON values with which a text begins, and what stands behind them."""
    values: list[bytes] = []
    at = 0
    while at < len(text):
        end = reach(text, at, len(text)).end
        if end is None:
            break
        values.append(text[at:end])
        at = end
    return values, text[at:]


def values(text: bytes, *, ended: bool) -> Iterator[bytes]:
    """The JSON values in a stream, wherever they begin and end; a line that begins none is passed over. A value that
    the text cuts off is waited for, unless the stream has `ended`."""
    allowance = Allowance(len(text))
    start = 0
    while start < len(text):
        stop = allowance.stop(text, start)
        at = last = start
        found = reach(text, at, stop)
        while found.end is not None:
            value = text[at : found.end].rstrip(_SPACE)
            yield value
            last, at = at + len(value), found.end
            found = reach(text, at, stop)
        allowance.left -= found.read
        if found.cut_off and not ended and stop == len(text):
            return
        start = _end_of_line(text, last) + 1


def lines_of_value(lines: list[bytes], start: int, allowance: Allowance) -> int:
    """How many lines the JSON value takes that begins at the line `start`; 1 where none does."""
    count = 1
    while True:
        text = b"\n".join(lines[start : start + count])
        found = reach(text, 0, len(text))
        if count > 1 or found.cut_off:
            allowance.left -= found.read
        if found.end is not None:
            return text[: found.end].rstrip(_SPACE).count(b"\n") + 1
        if not found.cut_off or start + count >= len(lines) or allowance.left <= 0:
            return 1
        count *= 2
