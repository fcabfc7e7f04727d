"""What `spec_model.wire.json` accepts, reports and writes; Python's own json module is the second opinion."""

from __future__ import annotations

import datetime
import enum
import json as stdlib
import math
import re
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from spec_model.wire import json
from spec_model.wire.json import Decoded, FaultKind, Json, decode, encode, pointer, pretty

SLOW_ENOUGH = [HealthCheck.too_slow, HealthCheck.data_too_large]
PROFILE = settings(derandomize=True, deadline=None, max_examples=150, suppress_health_check=SLOW_ENOUGH)
MORE = settings(PROFILE, max_examples=500)

K = FaultKind


def slowly(data: bytes, max_depth: int = json.DEFAULT_MAX_DEPTH) -> Decoded:
    """What the reference scanner says, where `decode` may have taken the fast path."""
    return json._decode_slowly(data, max_depth)


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def sound(data: bytes, decoded: Decoded) -> None:
    """Checks what holds for every answer to every input."""
    fatal = [fault for fault in decoded.faults if fault.fatal]
    assert decoded.ok == (not fatal)
    assert decoded.fault == (fatal[0] if fatal else None)
    assert fatal == list(decoded.faults[-1:] if fatal else ())
    assert [fault.offset for fault in decoded.faults] == sorted(fault.offset for fault in decoded.faults)
    assert len(decoded.faults) <= json.MAX_REPORTS + 1
    for fault in decoded.faults:
        assert 0 <= fault.offset <= len(data)
        assert fault.line == 1 + data[: fault.offset].count(b"\n")
        assert fault.pointer == "" or fault.pointer.startswith("/")
        assert len(fault.pointer) <= json.MAX_POINTER_CHARS
        assert fault.what.isascii()
        assert fault.what.isprintable()
        assert 10 < len(fault.what) < 400


# --- faults, each at its place ---------------------------------------------------------------------------------

FATAL: list[tuple[bytes, FaultKind, int, int, str]] = [
    (b"", K.EMPTY, 0, 1, ""),
    (b" \n\t\r\n", K.EMPTY, 0, 1, ""),
    # bytes which are no UTF-8
    (b"\xff", K.INVALID_UTF8, 0, 1, ""),
    (b"\xff\xfe{\0}\0", K.INVALID_UTF8, 0, 1, ""),
    (b'{"a":\n["\xc3\xa9","x\xffy"]}', K.INVALID_UTF8, 14, 2, "/a/1"),
    (b'{"a\xc0\x80":1}', K.INVALID_UTF8, 3, 1, ""),
    (b'["\xed\xa0\x80"]', K.INVALID_UTF8, 2, 1, "/0"),
    (b'["\xf4\x90\x80\x80"]', K.INVALID_UTF8, 2, 1, "/0"),
    (b'"\xe2\x82', K.INVALID_UTF8, 1, 1, ""),
    (b'{"a":[1]} \x80', K.INVALID_UTF8, 10, 1, ""),
    (b'{"a":[x,"\x80"]}', K.INVALID_UTF8, 9, 1, "/a/0"),
    # words and signs
    (b"NaN", K.NOT_JSON, 0, 1, ""),
    (b"[Infinity]", K.NOT_JSON, 1, 1, "/0"),
    (b"[1,-Infinity]", K.NOT_JSON, 4, 1, "/1"),
    (b'{"a":nan}', K.NOT_JSON, 6, 1, "/a"),
    (b'{"a":undefined}', K.NOT_JSON, 5, 1, "/a"),
    (b"True", K.NOT_JSON, 0, 1, ""),
    (b"[nulL]", K.NOT_JSON, 4, 1, "/0"),
    (b"nullx", K.NOT_JSON, 4, 1, ""),
    (b"[true1]", K.NOT_JSON, 5, 1, "/0"),
    (b"hello", K.NOT_JSON, 0, 1, ""),
    (b"\x00", K.NOT_JSON, 0, 1, ""),
    (b"{\x00\x22\x00", K.NOT_JSON, 1, 1, ""),
    (b"[1,\xc2\xa02]", K.NOT_JSON, 3, 1, "/1"),
    (b"[\xef\xbb\xbf1]", K.NOT_JSON, 1, 1, "/0"),
    (b"[1\x0c]", K.NOT_JSON, 2, 1, ""),
    # comments and quotes
    (b"// hi\n1", K.NOT_JSON, 0, 1, ""),
    (b"[1,\n /* one */ 2]", K.NOT_JSON, 5, 2, "/1"),
    (b'{"a":1 # one\n}', K.NOT_JSON, 7, 1, ""),
    (b"['a']", K.NOT_JSON, 1, 1, "/0"),
    (b"{'a':1}", K.NOT_JSON, 1, 1, ""),
    # numbers
    (b"01", K.NOT_JSON, 1, 1, ""),
    (b"[-00]", K.NOT_JSON, 3, 1, "/0"),
    (b"[1.]", K.NOT_JSON, 3, 1, "/0"),
    (b"[1.e5]", K.NOT_JSON, 3, 1, "/0"),
    (b"[.5]", K.NOT_JSON, 1, 1, "/0"),
    (b"[+1]", K.NOT_JSON, 1, 1, "/0"),
    (b"[-]", K.NOT_JSON, 2, 1, "/0"),
    (b"[- 1]", K.NOT_JSON, 2, 1, "/0"),
    (b"[1e]", K.NOT_JSON, 3, 1, "/0"),
    (b"[1e+]", K.NOT_JSON, 4, 1, "/0"),
    (b"[1.5.2]", K.NOT_JSON, 4, 1, "/0"),
    (b"0x10", K.NOT_JSON, 1, 1, ""),
    (b"1_000", K.NOT_JSON, 1, 1, ""),
    (b"12px", K.NOT_JSON, 2, 1, ""),
    # strings
    (b'"a\tb"', K.NOT_JSON, 2, 1, ""),
    (b'["a\nb"]', K.NOT_JSON, 3, 1, "/0"),
    (b'{"a\x00":1}', K.NOT_JSON, 3, 1, ""),
    (b'{"k":"\\x41"}', K.NOT_JSON, 7, 1, "/k"),
    (b'["\\\\\\ "]', K.NOT_JSON, 5, 1, "/0"),
    (b'["\\u12G4"]', K.NOT_JSON, 6, 1, "/0"),
    (b'["\\u"]', K.NOT_JSON, 4, 1, "/0"),
    (b'["\\ud800\\u"]', K.NOT_JSON, 10, 1, "/0"),
    (b'{"\\q":1}', K.NOT_JSON, 3, 1, ""),
    # what holds containers together
    (b"[1,]", K.NOT_JSON, 3, 1, ""),
    (b'{"a":[1,\n]}', K.NOT_JSON, 9, 2, "/a"),
    (b'{"a":1,}', K.NOT_JSON, 7, 1, ""),
    (b'{"b":1,"a":}', K.NOT_JSON, 11, 1, "/a"),
    (b"[,1]", K.NOT_JSON, 1, 1, "/0"),
    (b"[1,,2]", K.NOT_JSON, 3, 1, "/1"),
    (b"{,}", K.NOT_JSON, 1, 1, ""),
    (b"[1 2]", K.NOT_JSON, 3, 1, ""),
    (b'["a""b"]', K.NOT_JSON, 4, 1, ""),
    (b'{"a":{"b":1 "c":2}}', K.NOT_JSON, 12, 1, "/a"),
    (b'{"a" 1}', K.NOT_JSON, 5, 1, ""),
    (b'{"a\\n" 1}', K.NOT_JSON, 7, 1, ""),
    (b'{"a"}', K.NOT_JSON, 4, 1, ""),
    (b"{a:1}", K.NOT_JSON, 1, 1, ""),
    (b"{1:1}", K.NOT_JSON, 1, 1, ""),
    (b"[1}", K.NOT_JSON, 2, 1, ""),
    (b"[}", K.NOT_JSON, 1, 1, "/0"),
    (b"{]", K.NOT_JSON, 1, 1, ""),
    (b'{"a":1]', K.NOT_JSON, 6, 1, ""),
    (b"]", K.NOT_JSON, 0, 1, ""),
    (b'{"a/b":{"m~n":[0,{"":x}]}}', K.NOT_JSON, 21, 1, "/a~1b/m~0n/1/"),
    # input which ends too soon
    (b"[", K.TRUNCATED, 1, 1, "/0"),
    (b"[1", K.TRUNCATED, 2, 1, ""),
    (b"[1,\n", K.TRUNCATED, 4, 2, "/1"),
    (b"{", K.TRUNCATED, 1, 1, ""),
    (b'{"a', K.TRUNCATED, 3, 1, ""),
    (b'{"a"', K.TRUNCATED, 4, 1, ""),
    (b'{"a":', K.TRUNCATED, 5, 1, "/a"),
    (b'{"a":1', K.TRUNCATED, 6, 1, ""),
    (b'{"a":1, ', K.TRUNCATED, 8, 1, ""),
    (b'{"a":{"b":[[],{}', K.TRUNCATED, 16, 1, "/a/b"),
    (b'"', K.TRUNCATED, 1, 1, ""),
    (b'["abc', K.TRUNCATED, 5, 1, "/0"),
    (b'["abc\\', K.TRUNCATED, 6, 1, "/0"),
    (b'["abc\\"', K.TRUNCATED, 7, 1, "/0"),
    (b'["abc\\u12', K.TRUNCATED, 9, 1, "/0"),
    (b"tru", K.TRUNCATED, 3, 1, ""),
    (b'{"a":f', K.TRUNCATED, 6, 1, "/a"),
    (b"-", K.TRUNCATED, 1, 1, ""),
    (b"[1.", K.TRUNCATED, 3, 1, "/0"),
    (b"1e", K.TRUNCATED, 2, 1, ""),
    (b"1e-", K.TRUNCATED, 3, 1, ""),
    # more than one value
    (b"1 2", K.TRAILING_DATA, 2, 1, ""),
    (b'{"a":1}\n{"a":2}', K.TRAILING_DATA, 8, 2, ""),
    (b"{}x", K.TRAILING_DATA, 2, 1, ""),
    (b"[]]", K.TRAILING_DATA, 2, 1, ""),
    (b"1,2", K.TRAILING_DATA, 1, 1, ""),
    (b"null\x00", K.TRAILING_DATA, 4, 1, ""),
    (b"1 // one", K.TRAILING_DATA, 2, 1, ""),
    ("1\N{NO-BREAK SPACE}".encode(), K.TRAILING_DATA, 1, 1, ""),
    # nesting
    (nested(513), K.TOO_DEEP, 512, 1, "/0" * 512),
    (b'[0,\n{"a":' * 256 + b"[]", K.TOO_DEEP, 256 * 9, 257, "/1/a" * 256),
]


@pytest.mark.parametrize(("data", "kind", "offset", "line", "place"), FATAL)
def test_a_fatal_fault_is_named_at_its_place(data: bytes, kind: FaultKind, offset: int, line: int, place: str) -> None:
    decoded = decode(data)
    sound(data, decoded)
    assert not decoded.ok
    assert decoded.value is None
    (fault,) = decoded.faults
    assert (fault.kind, fault.offset, fault.line, fault.pointer) == (kind, offset, line, place)
    assert fault.fatal
    assert repr(slowly(data)) == repr(decoded)


TOLERATED: list[tuple[bytes, str, list[tuple[FaultKind, int, int, str]]]] = [
    (b"\xef\xbb\xbf[1]", "[1]", [(K.BYTE_ORDER_MARK, 0, 1, "")]),
    (b'{"a":1,"a":2}', "{'a': 2}", [(K.DUPLICATE_KEY, 7, 1, "/a")]),
    (b'{"a":1,\n"a":1}', "{'a': 1}", [(K.DUPLICATE_KEY, 8, 2, "/a")]),
    (b'{"a":1,"\\u0061":2}', "{'a': 2}", [(K.DUPLICATE_KEY, 7, 1, "/a")]),
    (
        b'{"a":1,"b":2,"a":3,"a":4}',
        "{'a': 4, 'b': 2}",
        [(K.DUPLICATE_KEY, 13, 1, "/a"), (K.DUPLICATE_KEY, 19, 1, "/a")],
    ),
    (b'[{"x":{"~":1,"~":[]}}]', "[{'x': {'~': []}}]", [(K.DUPLICATE_KEY, 13, 1, "/0/x/~0")]),
    (b'{"":1,"":2}', "{'': 2}", [(K.DUPLICATE_KEY, 6, 1, "/")]),
    (b'["x\\ud800y"]', "['x\ufffdy']", [(K.LONE_SURROGATE, 3, 1, "/0")]),
    (b'["\\uDFFF\\ud800"]', "['\ufffd\ufffd']", [(K.LONE_SURROGATE, 2, 1, "/0"), (K.LONE_SURROGATE, 8, 1, "/0")]),
    (b'"\\ud83d\\ud83d\\ude00"', "'\ufffd\U0001f600'", [(K.LONE_SURROGATE, 1, 1, "")]),
    (b'"\\ud83d\\\\ude00"', "'\ufffd\\\\ude00'", [(K.LONE_SURROGATE, 1, 1, "")]),
    (b'{"k\\udc00":[1]}', "{'k\ufffd': [1]}", [(K.LONE_SURROGATE, 3, 1, "/k\ufffd")]),
    (
        b'{"\\ud800":1,"\\ud801":2}',
        "{'\ufffd': 2}",
        [
            (K.LONE_SURROGATE, 2, 1, "/\ufffd"),
            (K.DUPLICATE_KEY, 12, 1, "/\ufffd"),
            (K.LONE_SURROGATE, 13, 1, "/\ufffd"),
        ],
    ),
    (b"1e400", "inf", [(K.NUMBER_OUT_OF_RANGE, 0, 1, "")]),
    (b"[0, -1E+400]", "[0, -inf]", [(K.NUMBER_OUT_OF_RANGE, 4, 1, "/1")]),
    (b"9" * 400 + b".0", "inf", [(K.NUMBER_OUT_OF_RANGE, 0, 1, "")]),
    (b"[%s]" % (b"9" * 4301), "[inf]", [(K.NUMBER_OUT_OF_RANGE, 1, 1, "/0")]),
    (b'{"n":-%s}' % (b"1" * 9999), "{'n': -inf}", [(K.NUMBER_OUT_OF_RANGE, 5, 1, "/n")]),
    (
        b'\xef\xbb\xbf{"a":1e999,\n"a":"\\udead"}',
        "{'a': '\ufffd'}",
        [
            (K.BYTE_ORDER_MARK, 0, 1, ""),
            (K.NUMBER_OUT_OF_RANGE, 8, 1, "/a"),
            (K.DUPLICATE_KEY, 15, 2, "/a"),
            (K.LONE_SURROGATE, 20, 2, "/a"),
        ],
    ),
]


@pytest.mark.parametrize(("data", "value", "faults"), TOLERATED)
def test_a_tolerated_fault_leaves_a_value(
    data: bytes, value: str, faults: list[tuple[FaultKind, int, int, str]]
) -> None:
    decoded = decode(data)
    sound(data, decoded)
    assert decoded.ok
    assert repr(decoded.value) == value
    assert [(fault.kind, fault.offset, fault.line, fault.pointer) for fault in decoded.faults] == faults
    assert not any(fault.fatal for fault in decoded.faults)


CLEAN: list[tuple[bytes, Json]] = [
    (b"null", None),
    (b" true\r\n", True),
    (b"[false]", [False]),
    (b"0", 0),
    (b"-0", 0),
    (b"-0.0", -0.0),
    (b"1.0", 1.0),
    (b"1E5", 1e5),
    (b"0.10", 0.1),
    (b"1e-400", 0.0),
    (b"-5e-324", -5e-324),
    (b"100000000000000000000.0", 1e20),
    (b"0e99999999999999999999", 0.0),
    (b"18446744073709551616", 2**64),
    (b"-9223372036854775809", -(2**63) - 1),
    (b"1" + b"0" * 400, 10**400),
    (b"-" + b"9" * 4300, 1 - 10**4300),
    (b'"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9"', '"\\/\b\f\n\r\t\0\xe9'),
    (b'"\\ud83d\\uDE00"', "\U0001f600"),
    (
        '"\x7f\N{LINE SEPARATOR}\N{ZERO WIDTH NO-BREAK SPACE}\uffff\U0010ffff"'.encode(),
        "\x7f\u2028\ufeff\uffff\U0010ffff",
    ),
    (b'{"":{"a" : [ ] , "b":\t{}}}', {"": {"a": [], "b": {}}}),
    (b'{"b":[1,{"c":2}],"\\u0061":"[{"}', {"b": [1, {"c": 2}], "a": "[{"}),
]


@pytest.mark.parametrize(("data", "value"), CLEAN)
def test_a_clean_text_has_a_value_and_no_fault(data: bytes, value: Json) -> None:
    assert repr(decode(data)) == repr(slowly(data)) == repr(Decoded(value, ()))


def test_what_names_what_stands_there_in_printable_ascii() -> None:
    def what(data: bytes) -> str:
        fault = decode(data).fault
        assert fault is not None
        return fault.what

    assert "'NaN'" in what(b"[NaN]")
    assert "comment" in what(b"[/* */]")
    assert "single quote" in what(b"['a']")
    assert "U+0000" in what(b"\x00")
    assert "U+00A0" in what(b"\xc2\xa0")
    assert "comma" in what(b"[1,]")
    assert "comma" in what(b'{"a":1,}')
    assert "'01'" in what(b"[01]")
    assert "0xff" in what(b'"\xff"')
    long = decode(b'{"%s":1,"%s":2}' % (2 * (b"\x7f\xe2\x80\xa8" * 5000,))).faults[0].what
    assert long.isascii()
    assert long.isprintable()
    assert len(long) < 400


def test_clean_messages_take_the_fast_path_and_no_other_text_does() -> None:
    message: Json = {"jsonrpc": "2.0", "id": 7, "params": {"x": [1.5, None, True, "\xe9\n[", -0.25, 2**70]}}
    for data in (encode(message), pretty(message), stdlib.dumps(message, ensure_ascii=False).encode()):
        assert json._decode_fast(data, 8) == Decoded(message, ())
    for data in [case[0] for case in TOLERATED] + [case[0] for case in FATAL]:
        assert json._decode_fast(data, json.DEFAULT_MAX_DEPTH) is None


# --- limits ----------------------------------------------------------------------------------------------------


def test_an_input_over_the_limit_is_cut_off_unread() -> None:
    data = b'["' + b"\xff" * 20_000_000
    (fault,) = decode(data).faults
    assert (fault.kind, fault.offset, fault.line, fault.pointer) == (K.TOO_LARGE, 16 * 1024 * 1024, 1, "")
    assert decode(b"[1,\n2]", max_bytes=6).ok
    (fault,) = decode(b"[1,\n2]", max_bytes=5).faults
    assert (fault.kind, fault.offset, fault.line) == (K.TOO_LARGE, 5, 2)
    (fault,) = decode(b"1", max_bytes=0).faults
    assert (fault.kind, fault.offset) == (K.TOO_LARGE, 0)
    (fault,) = decode(b"", max_bytes=0).faults
    assert fault.kind is K.EMPTY


@pytest.mark.parametrize("depth", [100_000, 1_000_000])
@pytest.mark.parametrize("item", [b"[", b'{"a":', b'[1,{"a":'])
def test_a_text_of_any_depth_is_refused_or_read(item: bytes, depth: int) -> None:
    per_item = item.count(b"[") + item.count(b"{")
    data = item * (depth // per_item)
    (fault,) = decode(data).faults
    assert fault.kind is K.TOO_DEEP
    assert fault.pointer.count("/") == 512
    short = data[: len(item) * 50_000]
    (fault,) = decode(short, max_depth=depth).faults
    assert (fault.kind, fault.offset) == (K.TRUNCATED, len(short))
    assert 4000 < len(fault.pointer) <= json.MAX_POINTER_CHARS


def test_a_deep_text_within_the_limit_has_a_value() -> None:
    value = decode(nested(100_000), max_depth=100_000).value
    for _ in range(99_999):
        assert isinstance(value, list)
        (value,) = value
    assert value == []
    (fault,) = decode(nested(100_000), max_depth=99_999).faults
    assert (fault.kind, fault.offset) == (K.TOO_DEEP, 99_999)


def test_the_depth_limit_counts_nesting_not_brackets() -> None:
    wide = b"[" + b",".join([b'{"a":[]}'] * 1000) + b"]"
    assert decode(wide) == decode(wide, max_depth=3) == slowly(wide, 3)
    assert decode(wide).ok
    assert decode(wide, max_depth=2).faults == slowly(wide, 2).faults
    assert [fault.offset for fault in decode(wide, max_depth=2).faults] == [6]
    assert decode(b'["[[[[{{{{"]', max_depth=1).ok
    assert decode(b"1", max_depth=0).ok
    (fault,) = decode(b"[]", max_depth=0).faults
    assert (fault.kind, fault.offset, fault.pointer) == (K.TOO_DEEP, 0, "")


def test_neither_a_caller_near_the_recursion_limit_nor_a_high_limit_matters() -> None:
    def deeper(calls: int, what: Callable[[], Any]) -> Any:
        return what() if calls == 0 else deeper(calls - 1, what)

    data = nested(500)
    value = decode(data).value
    limit = sys.getrecursionlimit()
    frame, used = sys._getframe(), 0
    while frame.f_back:
        frame, used = frame.f_back, used + 1
    calls = limit - used - 100
    assert deeper(calls, lambda: decode(data).faults) == ()
    assert deeper(calls, lambda: encode(value)) == data
    assert deeper(calls, lambda: pretty(value)) == pretty(value)
    try:
        sys.setrecursionlimit(10**7)
        assert decode(b"[" * 1_000_000).faults[0].kind is K.TOO_DEEP
        assert encode(value) == data
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("limit", [640, 0])
def test_the_interpreter_limit_for_digits_does_not_matter(limit: int) -> None:
    texts = [sign + b"7" * digits for sign in (b"", b"-") for digits in (639, 640, 641, 1280, 4300)]
    numbers = [int(text) for text in texts]
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(limit)
        assert [decode(text).value for text in texts] == [slowly(text).value for text in texts] == numbers
        assert decode(b"7" * 4301).value == math.inf
        if limit:
            with pytest.raises(ValueError, match=r"more digits than this interpreter .* at '/0'"):
                encode([numbers[-1]])
    finally:
        sys.set_int_max_str_digits(before)


def test_the_faults_recorded_are_few_and_bounded_in_size() -> None:
    many = decode(b'{"a":1' + b',"a":"\\ud800"' * 1000 + b"}")
    assert many.ok
    assert len(many.faults) == 100
    assert len(decode(b'["' + b"\\ud800" * 1000 + b"x").faults) == 1
    assert len(decode(b'["' + b"\\ud800" * 1000 + b'"x').faults) == 101
    long = b'{"%s":{"k":[{"a":1%s}]}}' % (b"x" * 100_000, b',"a":2' * 200)
    assert {fault.pointer for fault in decode(long).faults} == {""}
    fits = long.replace(b"x" * 100_000, b"x" * 4000)
    assert {fault.pointer for fault in decode(fits).faults} == {"/" + "x" * 4000 + "/k/0/a"}


# --- generated texts -------------------------------------------------------------------------------------------

SPACE = st.sampled_from([b"", b"", b"", b" ", b"\n", b"\t", b"\r\n  "])
NUMBERS = st.one_of(
    st.sampled_from([b"0", b"-0", b"0.0", b"-0.0", b"1E5", b"0.10", b"1e-7", b"1.5e+300", b"1e400", b"-1e999"]),
    st.integers().map(lambda number: b"%d" % number),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda number: repr(number).encode()),
    st.sampled_from([b"9" * 25, b"-" + b"1" * 400, b"123456789.0000000001"]),
)
CHARS = st.one_of(
    st.characters(exclude_categories=["Cs"], exclude_characters='"\\', min_codepoint=0x20).map(str.encode),
    st.sampled_from([rb"\n", rb"\/", rb"\"", rb"\\", rb"\u0061", rb"\u00E9", rb"\ud83d\ude00", rb"\ud800", rb"\udc00"]),
    st.sampled_from([b"a", b"[", b"}", b",", b":", b"/", b"~", b"\x7f"]),
)
STRINGS = st.lists(CHARS, max_size=6).map(lambda chars: b'"' + b"".join(chars) + b'"')
KEYS = st.one_of(STRINGS, st.sampled_from([b'"a"', b'"b"', b'"\\u0061"', b'""']))
SCALARS = st.one_of(st.sampled_from([b"null", b"true", b"false"]), NUMBERS, STRINGS)


def spaced(text: bytes, before: bytes, after: bytes) -> bytes:
    return before + text + after


def containers(items: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    spaced_items = st.builds(spaced, items, SPACE, SPACE)
    members = st.builds(lambda key, item: key + b":" + item, st.builds(spaced, KEYS, SPACE, SPACE), spaced_items)
    arrays = st.one_of(st.lists(spaced_items, min_size=1, max_size=5), SPACE.map(lambda space: [space]))
    objects = st.one_of(st.lists(members, min_size=1, max_size=5), SPACE.map(lambda space: [space]))
    return st.one_of(
        arrays.map(lambda texts: b"[" + b",".join(texts) + b"]"),
        objects.map(lambda texts: b"{" + b",".join(texts) + b"}"),
    )


CONTAINERS = st.recursive(containers(SCALARS), containers, max_leaves=6)
TEXTS = st.builds(spaced, st.one_of(CONTAINERS, SCALARS), SPACE, SPACE)
SIGNS = [b"", b"[", b"]", b"{", b"}", b",", b":", b'"', b"\\", b"'", b"/", b"//", b"-", b".", b"e", b"0", b"1", b"+"]
WORDS = [b"null", b"tru", b"NaN", b"-Infinity", b"1e400", b"\\ud800", b"\\u00", b'"a"', b'"a":1']
BYTES = [b" ", b"\n", b"\x00", b"\x0c", b"\x80", b"\xff", b"\xe2\x82", b"\xed\xa0\x80"]
CHARACTERS = [b"\xc3\xa9", b"\xef\xbb\xbf", b"\xc2\xa0"]
FRAGMENTS = st.sampled_from([*SIGNS, *WORDS, *BYTES, *CHARACTERS])
NOISE = st.lists(FRAGMENTS, max_size=12).map(b"".join)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A valid text of which up to three short pieces are replaced."""
    data = draw(TEXTS)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.integers(0, 3))
        data = data[:start] + draw(FRAGMENTS) + data[end:]
    return data


ANY = st.one_of(st.binary(max_size=40), NOISE, mutated(), TEXTS)

VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(10**400), max_value=10**400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda items: st.lists(items, max_size=5) | st.dictionaries(st.text(), items, max_size=5),
    max_leaves=12,
)


@MORE
@given(ANY)
def test_no_bytes_raise_and_every_answer_is_sound(data: bytes) -> None:
    sound(data, decode(data))
    sound(data, slowly(data))


@MORE
@given(ANY)
def test_the_fast_path_agrees_with_the_scanner(data: bytes) -> None:
    assert repr(decode(data)) == repr(slowly(data))
    assert repr(decode(data, max_depth=1)) == repr(slowly(data, 1))


@MORE
@given(VALUES, st.sampled_from([None, (",", ":"), (", ", ": ")]), st.booleans())
def test_the_fast_path_agrees_on_texts_of_others(
    value: Json, separators: tuple[str, str] | None, only_ascii: bool
) -> None:
    data = stdlib.dumps(value, ensure_ascii=only_ascii, separators=separators).encode()
    assert repr(decode(data)) == repr(slowly(data)) == repr(Decoded(value, ()))


def mended(value: Any) -> Any:
    """What the stdlib read, with lone surrogates replaced."""
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    return [mended(item) for item in value] if isinstance(value, list) else value


def second_opinion(data: bytes) -> str | None:
    """The repr of the value which the stdlib reads, or None where it refuses the text."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {mended(key): mended(item) for key, item in pairs}

    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode()
        return repr(mended(stdlib.loads(text, parse_constant=refuse, object_pairs_hook=members)))
    except ValueError:
        return None


@MORE
@given(ANY)
@example(b"\xef\xbb\xbf\xef\xbb\xbf1")
@example(b'{"\\ud800":1,"\\ud801":2}')
def test_the_stdlib_accepts_the_same_texts_with_the_same_values(data: bytes) -> None:
    decoded = slowly(data)
    assert (repr(decoded.value) if decoded.ok else None) == second_opinion(data)


@PROFILE
@given(TEXTS)
def test_a_valid_text_has_a_value(data: bytes) -> None:
    decoded = decode(data)
    assert decoded.ok
    assert {fault.kind for fault in decoded.faults} <= {K.DUPLICATE_KEY, K.LONE_SURROGATE, K.NUMBER_OUT_OF_RANGE}
    assert (K.DUPLICATE_KEY in [fault.kind for fault in decoded.faults]) == repeats_a_key(data)


def repeats_a_key(data: bytes) -> bool:
    found = []

    def members(pairs: list[tuple[str, Any]]) -> None:
        keys = [mended(key) for key, _ in pairs]
        found.append(len(keys) != len(set(keys)))

    stdlib.loads(data, object_pairs_hook=members)
    return any(found)


@PROFILE
@given(CONTAINERS, st.data())
def test_a_text_cut_anywhere_is_truncated(data: bytes, source: st.DataObject) -> None:
    cut = data[: source.draw(st.integers(0, len(data) - 1))]
    fault = decode(cut).fault
    assert fault is not None
    if fault.kind is K.INVALID_UTF8:
        assert len(cut) - 3 <= fault.offset < len(cut)
        return
    assert fault.kind is (K.TRUNCATED if cut else K.EMPTY)
    assert fault.offset == len(cut)


@MORE
@given(st.one_of(NOISE, mutated()))
def test_all_before_a_fault_could_have_gone_on(data: bytes) -> None:
    fault = decode(data, max_depth=2).fault
    if fault is None or fault.kind not in (K.NOT_JSON, K.TRAILING_DATA, K.TOO_DEEP):
        return
    before = decode(data[: fault.offset], max_depth=2).fault
    if fault.kind is K.TRAILING_DATA:
        assert before is None
    else:
        assert before is None or before.kind in (K.TRUNCATED, K.EMPTY)
    assert decode(data[: fault.offset + 1], max_depth=2).fault is not None


@PROFILE
@given(CONTAINERS)
def test_a_pointer_leads_to_its_place(data: bytes) -> None:
    decoded = decode(data)
    for fault in decoded.faults:
        if fault.kind is K.DUPLICATE_KEY or len({f.kind for f in decoded.faults}) > 1:
            continue
        place: Any = decoded.value
        for part in fault.pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            place = place[int(key)] if isinstance(place, list) else place[key]
        if fault.kind is K.NUMBER_OUT_OF_RANGE:
            assert math.isinf(place)
        else:
            assert "\ufffd" in fault.pointer or "\ufffd" in place


# --- writing ---------------------------------------------------------------------------------------------------


@PROFILE
@given(VALUES)
def test_what_is_written_reads_back_the_same(value: Json) -> None:
    line = encode(value)
    assert b"\n" not in line
    assert repr(decode(line)) == repr(slowly(line)) == repr(Decoded(value, ()))
    assert json._Writer(indented=False).write(value) == line
    lines = pretty(value)
    assert lines.endswith(b"\n")
    assert b"\r" not in lines
    assert repr(decode(lines)) == repr(Decoded(value, ()))
    assert json._Writer(indented=True).write(value) + b"\n" == lines


def test_the_form_of_what_is_written() -> None:
    value: Json = {"b": [1, -0.0, {}], "a\n": "\xe9/\u2028\x7f\x01", "c": [], "d": {"n": None}}
    assert encode(value) == '{"b":[1,-0.0,{}],"a\\n":"\xe9/\u2028\x7f\\u0001","c":[],"d":{"n":null}}'.encode()
    assert pretty([1, {"b": [], "a": [True]}]) == (
        b'[\n  1,\n  {\n    "b": [],\n    "a": [\n      true\n    ]\n  }\n]\n'
    )
    assert pretty("x") == b'"x"\n'


class Colour(enum.Enum):
    RED = "red"


class Name(enum.StrEnum):
    A = "a"


class Half(float):
    pass


class Point(msgspec.Struct):
    x: int = 1


cycle: list[Any] = [1]
cycle.append({"again": cycle})
too_deep: Any = []
for _ in range(json.MAX_WRITE_DEPTH):
    too_deep = [too_deep]

REFUSED: list[tuple[Any, str, str]] = [
    (math.nan, "the root", "nan"),
    ({"a": [1, math.inf]}, "'/a/1'", "inf"),
    ([{"~/": -math.inf}], "'/0/~0~1'", "-inf"),
    ("\ud800", "the root", "surrogate"),
    ({"a": ["x\udfffy"]}, "'/a/0'", "surrogate"),
    ({"a": {"\udc00": 1}}, "'/a/\\udc00'", "surrogate"),
    ({"a": {1: 2}}, "'/a'", "key of type int"),
    ({None: 2}, "the root", "key of type NoneType"),
    ({"a": 1, True: 2}, "the root", "key of type bool"),
    ([[(1, 2)]], "'/0/0'", "tuple"),
    ([{1}], "'/0'", "set"),
    ([b"x"], "'/0'", "bytes"),
    ({"t": datetime.datetime(2026, 7, 28, tzinfo=datetime.UTC)}, "'/t'", "datetime"),
    ([Colour.RED], "'/0'", "Colour"),
    ([Point()], "'/0'", "Point"),
    ([msgspec.Raw(b"1\n")], "'/0'", "Raw"),
    ([msgspec.UNSET], "'/0'", "UnsetType"),
    ([0, object()], "'/1'", "object"),
    ([10**4300], "'/0'", "4300 digits"),
    (too_deep, "'" + "/0" * json.MAX_WRITE_DEPTH + "'", "deeper"),
    (cycle, "'" + "/1/again" * (json.MAX_WRITE_DEPTH // 2) + "'", "deeper"),
]


@pytest.mark.parametrize(("value", "place", "what"), REFUSED)
def test_what_is_not_json_is_not_written(value: Any, place: str, what: str) -> None:
    for write in (encode, pretty):
        with pytest.raises(ValueError, match="cannot encode") as error:
            write(value)
        assert str(error.value).endswith(" at " + place)
        assert what in str(error.value)


def test_the_subclasses_of_json_types_pass() -> None:
    value: Any = {Name.A: [Name.A, Half(0.5), True]}
    assert encode(value) == b'{"a":["a",0.5,true]}'
    assert encode(10**4300 - 1) == b"9" * 4300
    assert encode(too_deep[0]) == nested(json.MAX_WRITE_DEPTH)


def test_pointers_are_escaped() -> None:
    assert pointer() == ""
    assert pointer("") == "/"
    assert pointer("a/b", 0, "m~n", "~1", "\xe9 ") == "/a~1b/0/m~0n/~01/\xe9 "


def test_what_was_read_can_be_written_inside_something() -> None:
    value = decode(nested(json.DEFAULT_MAX_DEPTH)).value
    assert encode([{"output": value}]) == b'[{"output":' + nested(json.DEFAULT_MAX_DEPTH) + b"}]"


def test_what_is_not_reported_is_not_put_into_words(monkeypatch: pytest.MonkeyPatch) -> None:
    quoted: list[Any] = []
    monkeypatch.setattr(json, "_quoted", quoted.append)
    assert len(decode(b"{" + b",".join([b'"a":1'] * 500) + b"}").faults) == json.MAX_REPORTS
    assert len(quoted) == json.MAX_REPORTS
