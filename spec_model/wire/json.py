"""Reads JSON (RFC 8259) that a hostile or broken peer may have sent, and writes JSON strictly.

`decode` takes any bytes, never raises, and says exactly what is wrong and where. It has two ways through:

* the fast path lets msgspec read the text, then proves that nothing was worth a report: writing the value
  again gives the bytes of the text, whitespace aside. What msgspec writes has no duplicate keys, no surrogate
  escapes and no infinite numbers, so neither has a text which equals it;
* every other text goes to `_Scanner`, which is the reference: it decides, and it alone reports.
"""

from __future__ import annotations

import enum
import math
import re
import sys
from collections.abc import Iterator
from typing import Final, NoReturn

import msgspec

from spec_model.wire.values import Json

__all__ = [
    "DEFAULT_MAX_BYTES",
    "DEFAULT_MAX_DEPTH",
    "MAX_INTEGER_DIGITS",
    "MAX_POINTER_CHARS",
    "MAX_REPORTS",
    "MAX_WRITE_DEPTH",
    "Decoded",
    "FaultKind",
    "Json",
    "JsonFault",
    "decode",
    "encode",
    "pointer",
    "pretty",
]

DEFAULT_MAX_BYTES: Final = 16 * 1024 * 1024
DEFAULT_MAX_DEPTH: Final = 512
"""Containers inside one another which `decode` reads by default."""
MAX_WRITE_DEPTH: Final = DEFAULT_MAX_DEPTH + 32
"""Containers inside one another which `encode` writes at most: an answer may wrap what was read."""
MAX_INTEGER_DIGITS: Final = 4300
"""Digits up to which an integer stays exact, both ways; Python's own default limit for int and str."""
MAX_REPORTS: Final = 100
"""Faults that are not fatal which one `decode` records; it drops those after them."""
MAX_POINTER_CHARS: Final = 4096
"""A fault whose pointer would be longer gets the pointer of the nearest enclosing value that fits."""


class FaultKind(enum.Enum):
    """What can be wrong with a JSON text."""

    EMPTY = "empty"
    TOO_LARGE = "too-large"
    BYTE_ORDER_MARK = "byte-order-mark"
    INVALID_UTF8 = "invalid-utf8"
    NOT_JSON = "not-json"
    TRUNCATED = "truncated"
    TRAILING_DATA = "trailing-data"
    TOO_DEEP = "too-deep"
    DUPLICATE_KEY = "duplicate-key"
    LONE_SURROGATE = "lone-surrogate"
    NUMBER_OUT_OF_RANGE = "number-out-of-range"


_TOLERATED: Final = (
    FaultKind.BYTE_ORDER_MARK,
    FaultKind.DUPLICATE_KEY,
    FaultKind.LONE_SURROGATE,
    FaultKind.NUMBER_OUT_OF_RANGE,
)


class JsonFault(msgspec.Struct, frozen=True):
    """One thing wrong with a text.

    `offset` counts bytes from 0 and `line` counts lines (ended by LF) from 1. The offset is that of

    * EMPTY, BYTE_ORDER_MARK: the start of the input, 0;
    * TOO_LARGE: the first byte over the limit;
    * INVALID_UTF8: the first byte of the ill-formed sequence (also one which the end of the input cuts short);
    * NOT_JSON: the first byte with which no JSON text could go on;
    * TRUNCATED: the end of the input;
    * TRAILING_DATA: the first byte after the value and its whitespace;
    * TOO_DEEP: the first bracket over the limit;
    * DUPLICATE_KEY: the opening quote of the key which repeats an earlier one;
    * LONE_SURROGATE: the backslash of the escape;
    * NUMBER_OUT_OF_RANGE: the first byte of the number.

    `pointer` is the RFC 6901 JSON pointer of the place: of the value or member at fault; of the container where
    a key, comma or closing bracket is at fault; "" for the root and for the input as a whole. It holds the
    peer's keys as they are. `what` is one printable ASCII line for people, of bounded length.
    """

    kind: FaultKind
    offset: int
    line: int
    pointer: str
    what: str

    @property
    def fatal(self) -> bool:
        """Whether the text has no value because of this fault."""
        return self.kind not in _TOLERATED


class Decoded(msgspec.Struct, frozen=True):
    """What `decode` made of a text: `value` means something only when `ok`; `faults` go up by offset."""

    value: Json
    faults: tuple[JsonFault, ...]

    @property
    def ok(self) -> bool:
        """Whether there is a value: no fault is fatal."""
        return self.fault is None

    @property
    def fault(self) -> JsonFault | None:
        """The first fatal fault, if there is one."""
        return next((fault for fault in self.faults if fault.fatal), None)


def decode(data: bytes, *, max_bytes: int = DEFAULT_MAX_BYTES, max_depth: int = DEFAULT_MAX_DEPTH) -> Decoded:
    """The value of a JSON text and all that is wrong with it; never raises, whatever the bytes.

    `max_depth` is how many containers may stand inside one another: 0 allows only scalars.

    Read nevertheless, with a fault each: a byte order mark at the start (skipped), a duplicate key (the last
    value wins), the escape of a lone surrogate (U+FFFD takes its place), a number beyond a double or an integer
    of over MAX_INTEGER_DIGITS digits (infinity takes its place, with the sign). All else that RFC 8259 does not
    allow is fatal. Other integers are exact; a number with a fraction or an exponent is a float.
    """
    if len(data) > max_bytes:
        what = f"the input has {len(data)} bytes, over the limit of {max_bytes}"
        return Decoded(None, (JsonFault(FaultKind.TOO_LARGE, max_bytes, _line(data, max_bytes), "", what),))
    return _decode_fast(data, max_depth) or _decode_slowly(data, max_depth)


def encode(value: Json) -> bytes:
    """The value as compact JSON on one line, in UTF-8, without a newline; keys keep their order.

    Raises ValueError, which names the JSON pointer of the place, for what is not JSON: NaN and infinities, lone
    surrogates, keys other than str, other types than the JSON ones (tuples too; subclasses of the JSON types
    pass as what they derive from), integers over MAX_INTEGER_DIGITS digits, and anything (cycles too) nested
    deeper than MAX_WRITE_DEPTH.
    """
    return _encode_fast(value) or _Writer(indented=False).write(value)


def pretty(value: Json) -> bytes:
    """The value as JSON for people: two spaces of indent, UTF-8, LF, a newline at the end; keys keep their order.

    Raises ValueError as `encode` does.
    """
    data = encode(value)
    try:
        return msgspec.json.format(data, indent=2) + b"\n"
    except RecursionError:  # msgspec nests calls, so it also depends on how deep its caller is
        return _Writer(indented=True).write(value) + b"\n"


def pointer(*parts: str | int) -> str:
    """The JSON pointer (RFC 6901) made of keys and indices, outermost first; "" for none, which is the root."""
    return "".join(["/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts])


# --- the fast path ---------------------------------------------------------------------------------------------

_DECODE: Final = msgspec.json.Decoder().decode
_ENCODE: Final = msgspec.json.Encoder().encode
_SAFE_RECURSION: Final = 10_000
"""Calls which surely fit the C stack. msgspec recurses until Python's limit stops it, if that is no higher."""


def _decode_fast(data: bytes, max_depth: int) -> Decoded | None:
    """The value of a text with nothing to report, or None where that is not proven."""
    openings = data.count(b"[") + data.count(b"{")
    if openings > _SAFE_RECURSION and sys.getrecursionlimit() > _SAFE_RECURSION:
        return None
    try:
        value: Json = _DECODE(data)
        again = _ENCODE(value)
        if again != data and again != msgspec.json.format(data, indent=-1):
            return None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return Decoded(value, ()) if openings <= max_depth or _within_depth(value, max_depth) else None


def _encode_fast(value: Json) -> bytes | None:
    """The value as JSON where reading it back proves it to be what it seems, else None.

    msgspec also writes much that JSON lacks, but as something which differs from it: NaN as null, a tuple as
    an array, a date as a string, a numeric key as a string.
    """
    if sys.getrecursionlimit() > _SAFE_RECURSION:
        return None
    try:
        data = _ENCODE(value)
        if _DECODE(data) != value:
            return None
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return None
    openings = data.count(b"[") + data.count(b"{")
    return data if openings <= MAX_WRITE_DEPTH or _within_depth(value, MAX_WRITE_DEPTH) else None


def _within_depth(value: Json, max_depth: int) -> bool:
    """Whether at most `max_depth` containers stand inside one another in the value."""
    level = [value] if isinstance(value, (list, dict)) else []
    for _ in range(max_depth):
        if not level:
            return True
        level = [child for parent in level for child in _children(parent) if isinstance(child, (list, dict))]
    return not level


def _children(container: list[Json] | dict[str, Json]) -> Iterator[Json]:
    return iter(container.values() if isinstance(container, dict) else container)


# --- the slow path ---------------------------------------------------------------------------------------------

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}".encode()
_SAFE_DIGITS: Final = 640  # no interpreter may be set to refuse integers of that many
_LITERALS: Final[dict[bytes, Json]] = {b"true": True, b"false": False, b"null": None}
_SHORT_ESCAPES: Final = {
    b'\\"': b'"',
    b"\\\\": b"\\",
    b"\\/": b"/",
    b"\\b": b"\b",
    b"\\f": b"\f",
    b"\\n": b"\n",
    b"\\r": b"\r",
    b"\\t": b"\t",
}

# Possessive quantifiers keep the time linear: a hostile text can make no pattern try again.
_WS: Final = rb"[ \t\n\r]*+"
_PLAIN: Final = rb'"([^"\\\x00-\x1f]*+)"'
_ALONE: Final = rb"(?![0-9A-Za-z_.+-])"  # so that in 01, 1.e5, 0x1 and nullx no part passes as a value
_NUMBER: Final = rb"(-?(?:0|[1-9][0-9]*+))((?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+)" + _ALONE
_SPACE: Final = re.compile(_WS)
_SEPARATOR: Final = re.compile(_WS + rb"([,\]}]?)")
_COLON: Final = re.compile(_WS + rb"(:?)")
_KEY: Final = re.compile(_WS + _PLAIN + _WS + b":")
_VALUE: Final = re.compile(_WS + b"(?:" + _PLAIN + b"|" + _NUMBER + rb"|(true|false|null)" + _ALONE + rb"|([\[{]))")
_IN_STRING, _IN_NUMBER, _IN_LITERAL = 1, 3, 4  # the last group of _VALUE which matches

# In rounds, because each repeat of a group costs the re module memory.
_IN_QUOTES: Final = re.compile(rb'(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){1,1000}+')
_ESCAPE: Final = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|.)")
_ESCAPE_START: Final = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?")
_NUMBER_START: Final = re.compile(
    rb"-?(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]*+)?+(?:(?<=[0-9])[eE][+-]?[0-9]*+)?+)?",
)
_WORD: Final = re.compile(rb"[A-Za-z_$][0-9A-Za-z_$]{0,40}")
_NUMERIC: Final = re.compile(rb"[0-9A-Za-z_.+-]{1,40}")


class _ScanError(Exception):
    """A fatal fault, which ends the scan; never leaves this module."""

    def __init__(self, kind: FaultKind, offset: int, place: str, what: str) -> None:
        self.kind, self.offset, self.place, self.what = kind, offset, place, what


def _decode_slowly(data: bytes, max_depth: int) -> Decoded:
    """What `decode` gives, from the scanner alone."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(data, max_depth, error)
    return _Scanner(data, max_depth).decoded()


def _not_utf8(data: bytes, max_depth: int, error: UnicodeDecodeError) -> Decoded:
    """Scans what stands before the ill-formed byte, for the pointer of its place."""
    before = _Scanner(data[: error.start], max_depth).decoded()
    place = before.fault.pointer if before.fault else ""
    line = _line(data, error.start)
    what = f"the bytes from 0x{data[error.start]:02x} on are not UTF-8: {error.reason}"
    fault = JsonFault(FaultKind.INVALID_UTF8, error.start, line, place, what)
    return Decoded(None, (*(known for known in before.faults if not known.fatal), fault))


class _Scanner:
    """Reads one text, known to be UTF-8, without recursion: `stack` holds the containers that are open."""

    def __init__(self, data: bytes, max_depth: int) -> None:
        self.data = data
        self.max_depth = max_depth
        self.pos = 0
        self.stack: list[list[Json] | dict[str, Json]] = []
        self.keys: list[str] = []  # for each open container the key now read; "" in an array
        self.faults: list[JsonFault] = []
        self.counted = (0, 1)  # an offset and its line, from which to count on

    def decoded(self) -> Decoded:
        try:
            value = self._text()
        except _ScanError as fatal:
            value = None
            self._record(fatal.kind, fatal.offset, fatal.place, fatal.what)
        return Decoded(value, tuple(sorted(self.faults, key=lambda fault: fault.offset)))

    def _text(self) -> Json:
        self._start()
        value = self._value()
        while self.stack:
            top = self.stack[-1]
            if isinstance(top, list):
                self._elements(top)
            else:
                self._members(top)
        self._end()
        return value

    def _start(self) -> None:
        if self.data.startswith(_BYTE_ORDER_MARK):
            self._record(FaultKind.BYTE_ORDER_MARK, 0, "", "the input starts with a byte order mark")
            self.pos = len(_BYTE_ORDER_MARK)
        if self._skip_space() == len(self.data):
            what = "the input holds nothing but whitespace" if self.data else "the input is empty"
            raise _ScanError(FaultKind.EMPTY, 0, "", what)

    def _end(self) -> None:
        offset = self._skip_space()
        if offset < len(self.data):
            what = f"{_found(self.data, offset)} stands after the end of the value"
            raise _ScanError(FaultKind.TRAILING_DATA, offset, "", what)

    def _elements(self, items: list[Json]) -> None:
        """Reads elements until one opens a container, which is then the top of the stack, or the array ends."""
        depth = len(self.stack)
        while len(self.stack) == depth and self._goes_on(items, b"]"):
            items.append(self._value())

    def _members(self, members: dict[str, Json]) -> None:
        """Reads members until one opens a container, which is then the top of the stack, or the object ends."""
        depth = len(self.stack)
        while len(self.stack) == depth and self._goes_on(members, b"}"):
            key = self._key(members)
            self.keys[-1] = key
            members[key] = self._value()

    def _goes_on(self, container: list[Json] | dict[str, Json], closing: bytes) -> bool:
        """Whether the container has one more item, before which `pos` then stands; otherwise it is closed."""
        match = _SEPARATOR.match(self.data, self.pos)
        assert match is not None
        mark = match[1]
        if mark == closing:
            self.pos = match.end()
            self.stack.pop()
            self.keys.pop()
            return False
        if not container:
            return True
        if mark != b",":
            self._misplaced(f"a comma or '{closing.decode()}'", self._pointer(inside=False))
        self.pos = match.end()
        return True

    def _key(self, members: dict[str, Json]) -> str:
        match = _KEY.match(self.data, self.pos)
        if match is None:
            return self._odd_key(members)
        key = match[1].decode()
        if key in members:
            self._duplicate(key, match.start(1) - 1)
        self.pos = match.end()
        return key

    def _odd_key(self, members: dict[str, Json]) -> str:
        """A key with escapes, or what is wrong with it."""
        start = self._skip_space()
        if not self.data.startswith(b'"', start):
            self._trailing_comma(members, b"}")
            self._misplaced("a key in double quotes", self._pointer(inside=False))
        end = self._string_end(self._pointer(inside=False))
        key, surrogates = _unescaped(self.data, start, end)
        self.pos = end
        if key in members:
            self._duplicate(key, start)
        self.keys[-1] = key
        self._lone(surrogates)
        self._colon()
        return key

    def _colon(self) -> None:
        match = _COLON.match(self.data, self.pos)
        assert match is not None
        if not match[1]:
            self._misplaced("a colon", self._pointer(inside=False))
        self.pos = match.end()

    def _value(self) -> Json:
        """Reads a scalar whole; of a container only its bracket, and pushes it onto the stack."""
        match = _VALUE.match(self.data, self.pos)
        if match is None:
            return self._odd_value()
        self.pos = match.end()
        group = match.lastindex
        if group == _IN_STRING:
            return match[1].decode()
        if group == _IN_NUMBER:
            return self._number(match[2], match[3])
        if group == _IN_LITERAL:
            return _LITERALS[match[4]]
        return self._opened(match[5])

    def _opened(self, bracket: bytes) -> Json:
        if len(self.stack) >= self.max_depth:
            what = f"the value nests deeper than the limit of {self.max_depth}"
            raise _ScanError(FaultKind.TOO_DEEP, self.pos - 1, self._pointer(), what)
        container: list[Json] | dict[str, Json] = [] if bracket == b"[" else {}
        self.stack.append(container)
        self.keys.append("")
        return container

    def _number(self, integer: bytes, rest: bytes) -> int | float:
        if not rest and len(integer) <= _SAFE_DIGITS:
            return int(integer)
        digits = len(integer.lstrip(b"-"))
        if not rest and digits <= MAX_INTEGER_DIGITS:
            return _exact(integer)
        number = float(integer + rest) if rest else math.copysign(math.inf, -integer.startswith(b"-"))
        if math.isinf(number):
            what = "the number is beyond a double" if rest else f"the integer has {digits} digits"
            offset = self.pos - len(integer) - len(rest)
            self._note(FaultKind.NUMBER_OUT_OF_RANGE, offset, f"{what}; {number} takes its place")
        return number

    def _odd_value(self) -> Json:
        """A string with escapes, or what is wrong with what stands in the place of a value."""
        start = self._skip_space()
        if not self.data.startswith(b'"', start):
            self._no_value(start)
        end = self._string_end(self._pointer())
        value, surrogates = _unescaped(self.data, start, end)
        self.pos = end
        self._lone(surrogates)
        return value

    def _no_value(self, start: int) -> NoReturn:
        top = self.stack[-1] if self.stack else None
        if isinstance(top, list):
            self._trailing_comma(top, b"]")
        self._broken_token(start)
        self._misplaced("a value", self._pointer())

    def _trailing_comma(self, container: list[Json] | dict[str, Json], closing: bytes) -> None:
        """Raises if the innermost container ends at `pos`, where one of its items must follow."""
        if container and self.data.startswith(closing, self.pos):
            what = f"'{closing.decode()}' stands after a comma, where an item must follow"
            raise _ScanError(FaultKind.NOT_JSON, self.pos, self._pointer(inside=False), what)

    def _broken_token(self, start: int) -> None:
        """Raises if what stands at `start` begins as a number, true, false or null does."""
        number = _NUMBER_START.match(self.data, start)
        assert number is not None
        length = len(number[0]) or max(_shared(self.data, start, literal) for literal in _LITERALS)
        if not length:
            return
        offset = start + length
        if offset == len(self.data):
            what = f"the input ends within {_quoted(self.data[start:offset])}"
            raise _ScanError(FaultKind.TRUNCATED, offset, self._pointer(), what)
        token = _NUMERIC.match(self.data, start)
        assert token is not None
        kind = "number" if number[0] else "value"
        what = f"{_quoted(token[0])} is no JSON {kind}: {_found(self.data, offset)} must not follow there"
        raise _ScanError(FaultKind.NOT_JSON, offset, self._pointer(), what)

    def _string_end(self, place: str) -> int:
        """The offset after the closing quote of the string at `pos`, whose control characters and escapes it checks."""
        end = self.pos + 1
        while match := _IN_QUOTES.match(self.data, end):
            end = match.end()
        if self.data.startswith(b'"', end):
            return end + 1
        escape = _ESCAPE_START.match(self.data, end)
        offset = escape.end() if escape else end
        if offset == len(self.data):
            raise _ScanError(FaultKind.TRUNCATED, offset, place, "the input ends within a string")
        what = f"{_found(self.data, offset)} stands raw in a string"
        if escape:
            what = f"{_found(self.data, offset)} follows {escape[0].decode()} in a string, which is no escape"
        raise _ScanError(FaultKind.NOT_JSON, offset, place, what)

    def _skip_space(self) -> int:
        match = _SPACE.match(self.data, self.pos)
        assert match is not None
        self.pos = match.end()
        return self.pos

    def _misplaced(self, expected: str, place: str) -> NoReturn:
        """Raises for what stands next, if anything does, where only `expected` may."""
        offset = self._skip_space()
        if offset == len(self.data):
            raise _ScanError(FaultKind.TRUNCATED, offset, place, f"the input ends where {expected} must follow")
        what = f"{_found(self.data, offset)} stands where {expected} must"
        raise _ScanError(FaultKind.NOT_JSON, offset, place, what)

    def _duplicate(self, key: str, offset: int) -> None:
        self.keys[-1] = key
        if len(self.faults) < MAX_REPORTS:
            what = f"the object has the key {_quoted(key)} already; the last one wins"
            self._note(FaultKind.DUPLICATE_KEY, offset, what)

    def _lone(self, offsets: list[int]) -> None:
        for offset in offsets[: max(MAX_REPORTS - len(self.faults), 0)]:
            escape = self.data[offset : offset + 6].decode()
            what = f"the escape {escape} is half of a surrogate pair; U+FFFD takes its place"
            self._note(FaultKind.LONE_SURROGATE, offset, what)

    def _note(self, kind: FaultKind, offset: int, what: str) -> None:
        if len(self.faults) < MAX_REPORTS:
            self._record(kind, offset, self._pointer(), what)

    def _record(self, kind: FaultKind, offset: int, place: str, what: str) -> None:
        known, line = self.counted
        line += self.data.count(b"\n", known, offset) - self.data.count(b"\n", offset, known)
        self.counted = (offset, line)
        self.faults.append(JsonFault(kind, offset, line, place, what))

    def _pointer(self, *, inside: bool = True) -> str:
        """Of the item now read in the innermost open container; not `inside`: of that container itself."""
        text = ""
        last = len(self.stack) - 1
        for depth, (container, key) in enumerate(zip(self.stack, self.keys, strict=True)):
            if depth == last and not inside:
                break
            # an array already holds the container which is open within it
            index = len(container) - (depth < last)
            longer = text + pointer(index if isinstance(container, list) else key)
            if len(longer) > MAX_POINTER_CHARS:
                break
            text = longer
        return text


def _exact(integer: bytes) -> int:
    """The integer, however low the interpreter's limit for the digits of one is set."""
    digits = integer.lstrip(b"-")
    number = 0
    for start in range(0, len(digits), _SAFE_DIGITS):
        part = digits[start : start + _SAFE_DIGITS]
        number = number * 10 ** len(part) + int(part)
    return -number if integer.startswith(b"-") else number


def _unescaped(data: bytes, start: int, end: int) -> tuple[str, list[int]]:
    """The content of the quoted string in data[start:end], and the offsets of its lone surrogates, if few."""
    surrogates: list[int] = []

    def plain(match: re.Match[bytes]) -> bytes:
        escape = match[0]
        if len(escape) == 2:
            return _SHORT_ESCAPES[escape]
        code = int(escape[2:6], 16)
        if len(escape) == 12:
            low = int(escape[8:], 16)
            return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)).encode()
        if not 0xD800 <= code <= 0xDFFF:
            return chr(code).encode()
        if len(surrogates) < MAX_REPORTS:
            surrogates.append(start + 1 + match.start())
        return _REPLACEMENT

    return _ESCAPE.sub(plain, data[start + 1 : end - 1]).decode(), surrogates


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def _shared(data: bytes, start: int, literal: bytes) -> int:
    """How many bytes at `start` are those of the literal."""
    length = 0
    while length < len(literal) and data[start + length : start + length + 1] == literal[length : length + 1]:
        length += 1
    return length


def _found(data: bytes, offset: int) -> str:
    """Names what stands at the offset, which is inside the data."""
    if word := _WORD.match(data, offset):
        return f"the word {_quoted(word[0])}"
    if data.startswith((b"//", b"/*", b"#"), offset):
        return "a comment"
    if data.startswith(b"'", offset):
        return "a single quote"
    char = data[offset : offset + 4].decode("utf-8", "ignore")[0]
    return repr(char) if char.isascii() and char.isprintable() else f"the character U+{ord(char):04X}"


def _quoted(text: str | bytes) -> str:
    """Hostile text between quotes: ASCII, printable, at most about 40 characters of it."""
    known = text[:200].decode("utf-8", "ignore") if isinstance(text, bytes) else text
    return ascii(known if len(known) <= 40 else known[:40] + "...")


# --- writing ---------------------------------------------------------------------------------------------------


class _Writer:
    """Writes JSON without recursion and names the place of what is not JSON; the reference for `encode`."""

    def __init__(self, *, indented: bool) -> None:
        self.indented = indented
        self.out: list[bytes] = []
        self.stack: list[tuple[Iterator[tuple[object, object]], bytes]] = []  # items to come, closing bracket
        self.places: list[str | int] = []  # for each open container the key or index now written

    def write(self, value: object) -> bytes:
        self._value(value)
        while self.stack:
            items, closing = self.stack[-1]
            item = next(items, None)
            if item is None:
                self._close(closing)
            else:
                self._item(*item)
        return b"".join(self.out)

    def _value(self, value: object) -> None:
        if isinstance(value, dict):
            self._open(b"{", iter(value.items()), b"}", empty=not value)
        elif isinstance(value, list):
            self._open(b"[", enumerate(value), b"]", empty=not value)
        else:
            self.out.append(self._scalar(value))

    def _open(self, opening: bytes, items: Iterator[tuple[object, object]], closing: bytes, *, empty: bool) -> None:
        if len(self.stack) >= MAX_WRITE_DEPTH:
            self._refuse(f"a value nested deeper than {MAX_WRITE_DEPTH}")
        if empty:
            self.out.append(opening + closing)
            return
        self.out.append(opening)
        self.stack.append((items, closing))
        self.places.append(-1)  # none written yet

    def _close(self, closing: bytes) -> None:
        self.stack.pop()
        self.places.pop()
        self._new_line()
        self.out.append(closing)

    def _item(self, place: object, value: object) -> None:
        if self.places[-1] != -1:
            self.out.append(b",")
        self._new_line()
        if self.stack[-1][1] == b"]":
            assert isinstance(place, int)
            self.places[-1] = place
        else:
            self._key(place)
        self._value(value)

    def _key(self, key: object) -> None:
        if not isinstance(key, str):
            self.places.pop()
            self._refuse(f"a key of type {type(key).__name__} in the object")
        self.places[-1] = str.__str__(key)
        self.out += (self._string(key), b": " if self.indented else b":")

    def _new_line(self) -> None:
        if self.indented:
            self.out.append(b"\n" + b"  " * len(self.stack))

    def _scalar(self, value: object) -> bytes:
        if value is None or isinstance(value, bool):
            return _ENCODE(value)
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, int):
            return self._integer(value)
        if not isinstance(value, float):
            self._refuse(f"a value of type {type(value).__name__}")
        if not math.isfinite(value):
            self._refuse(f"the number {float(value)}")
        return _ENCODE(float(value))

    def _integer(self, value: int) -> bytes:
        if abs(value) >= 10**MAX_INTEGER_DIGITS:
            self._refuse(f"an integer of over {MAX_INTEGER_DIGITS} digits")
        try:
            return b"%d" % value
        except ValueError:
            self._refuse("an integer of more digits than this interpreter is set to write")

    def _string(self, value: str) -> bytes:
        try:
            return _ENCODE(str.__str__(value))
        except UnicodeEncodeError:
            self._refuse("a lone surrogate")

    def _refuse(self, what: str) -> NoReturn:
        place = ascii(pointer(*self.places)[:MAX_POINTER_CHARS]) if self.places else "the root"
        raise ValueError(f"cannot encode {what} at {place}")
