"""Where values stand in a stream."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spec_model.wire import streams
from spec_model.wire.json import Decoded, decode
from spec_model.wire.streams import Allowance, lines_of_value, split, values


@pytest.fixture(params=[1, 3, 256])
def window(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_WINDOW", request.param)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The sizes of what the decoder was given."""
    sizes: list[int] = []

    def counted(data: bytes) -> Decoded:
        sizes.append(len(data))
        return decode(data)

    monkeypatch.setattr(streams, "decode", counted)
    yield sizes


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize(
    ("text", "found", "found_at_end"),
    [
        (b"", [], []),
        (b"1\n", [b"1"], [b"1"]),
        (b"12345 678", [b"12345", b"678"], [b"12345", b"678"]),
        (b"{}[]\n", [b"{}", b"[]"], [b"{}", b"[]"]),
        (b'{"a":\n1}\n2', [b'{"a":\n1}', b"2"], [b'{"a":\n1}', b"2"]),
        (b"x\n[1]\n", [b"[1]"], [b"[1]"]),
        (b"[\n1\n", [], [b"1"]),
        (b"[\nx\n1\n", [b"1"], [b"1"]),
        (b'1 \xff\n"\xc3\xa9"', [b"1", b'"\xc3\xa9"'], [b"1", b'"\xc3\xa9"']),
        (b"[\xff\n1\n", [b"1"], [b"1"]),
    ],
)
def test_values(text: bytes, found: list[bytes], found_at_end: list[bytes]) -> None:
    assert list(values(text, ended=False)) == found
    assert list(values(text, ended=True)) == found_at_end


@pytest.mark.usefixtures("window")
def test_split() -> None:
    assert split(b'{} "a b" 12') == ([b"{} ", b'"a b" ', b"12"], b"")
    assert split(b"1 [2") == ([b"1 "], b"[2")


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize(
    ("lines", "count"),
    [([b"[", b"1", b"]"], 3), ([b"[1]", b"2"], 1), ([b"[", b"x"], 1), ([b"["], 1), ([b"[", b"1", b"] 2", b""], 3)],
)
def test_lines_of_value(lines: list[bytes], count: int) -> None:
    assert lines_of_value(lines, 0, Allowance(100)) == count


@pytest.mark.parametrize(
    "text",
    [b"[\n" * 3000, b"[\n" + b"1,\n" * 3000, b"1 " * 3000, b"1\n" * 3000, b"\xff\n" * 3000, b"\n" * 3000],
    ids=["opened", "items", "one-line", "lines", "broken", "blank"],
)
def test_the_work_grows_with_the_text(text: bytes, read: list[int]) -> None:
    assert len(list(values(text, ended=True))) in (0, 3000)
    assert sum(read) < streams._FREE + 300 * len(text)


def test_what_is_read_again_is_bounded(monkeypatch: pytest.MonkeyPatch, read: list[int]) -> None:
    monkeypatch.setattr(streams, "_FREE", 1000)
    assert list(values(b"[\n" * 3000 + b"1\n", ended=True)) == [b"1"]
    assert sum(read) < 200_000
    read.clear()
    allowance = Allowance(6000)
    assert {lines_of_value([b"["] * 3000, n, allowance) for n in range(3000)} == {1}
    assert sum(read) < 200_000
