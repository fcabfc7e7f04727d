"""Laws of the trace context formats; the W3C grammar written out by hand is the second opinion."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.semantics.decision import Conformance
from spec_model.semantics.trace import is_baggage, is_traceparent, is_tracestate, traceparent

HEX = "0123456789abcdef"


def hexes(length: int) -> st.SearchStrategy[str]:
    return st.text(HEX, min_size=length, max_size=length)


ids = st.tuples(hexes(32).filter(lambda one: set(one) != {"0"}), hexes(16).filter(lambda one: set(one) != {"0"}))
other_json = (
    st.none() | st.booleans() | st.integers() | st.lists(st.text(max_size=3)) | st.dictionaries(st.text(), st.text())
)


@given(ids, hexes(2))
def test_any_ids_that_are_not_all_zero_and_any_flags_are_valid(pair: tuple[str, str], flags: str) -> None:
    assert is_traceparent(f"00-{pair[0]}-{pair[1]}-{flags}")


@given(ids, hexes(2), st.integers(0, 54), st.characters())
def test_one_character_changed_is_valid_only_if_it_still_fits_its_place(
    pair: tuple[str, str], flags: str, place: int, character: str
) -> None:
    right = f"00-{pair[0]}-{pair[1]}-{flags}"
    changed = right[:place] + character + right[place + 1 :]
    fits = (character == "-") if right[place] == "-" else (character in HEX)
    all_zero = set(changed[3:35]) == {"0"} or set(changed[36:52]) == {"0"}
    assert is_traceparent(changed) == (fits and not all_zero and changed[:2] != "ff")


@given(ids, hexes(2), st.text(max_size=5))
def test_only_later_versions_go_on_and_only_after_a_hyphen(pair: tuple[str, str], flags: str, rest: str) -> None:
    tail = f"{pair[0]}-{pair[1]}-{flags}"
    assert is_traceparent(f"00-{tail}{rest}") == (rest == "")
    assert is_traceparent(f"cc-{tail}{rest}") == (rest == "" or rest.startswith("-"))
    assert not is_traceparent(f"ff-{tail}{rest}")


keys = st.from_regex(r"[a-z0-9][a-z0-9_\-*/@]{0,20}", fullmatch=True)
state_values = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters=",="), min_size=1, max_size=20
).filter(lambda one: not one.endswith(" "))


@given(st.lists(st.tuples(keys, state_values), max_size=40), st.sampled_from([",", ", ", " ,\t"]))
def test_a_tracestate_holds_up_to_32_members(members: list[tuple[str, str]], comma: str) -> None:
    text = comma.join(f"{key}={value}" for key, value in members)
    assert is_tracestate(text) == (len(members) <= 32 and len(dict(members)) == len(members))


@given(st.lists(st.tuples(keys, state_values), min_size=1, max_size=5, unique_by=lambda one: one[0]), state_values)
def test_a_key_stands_once_in_a_tracestate(members: list[tuple[str, str]], value: str) -> None:
    listed = [f"{key}={held}" for key, held in members]
    assert is_tracestate(",".join(listed))
    assert not is_tracestate(",".join([*listed, f"{members[0][0]}={value}"]))


@given(st.lists(st.tuples(keys, state_values), min_size=1, max_size=5), st.data())
def test_what_is_no_member_spoils_a_tracestate(members: list[tuple[str, str]], data: st.DataObject) -> None:
    wrong = data.draw(st.sampled_from(["A=1", "=1", "a=", "a", "a=b=c", "a b=1", "ä=1", "a=\x7f", "a =1"]))
    listed = [f"{key}={value}" for key, value in members]
    listed.insert(data.draw(st.integers(0, len(listed))), wrong)
    assert not is_tracestate(",".join(listed))


tokens = st.text("!#$%&'*+-.^_`|~abcXYZ019", min_size=1, max_size=10)
octets = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters='",;\\%'), max_size=10
) | st.sampled_from(["%20", "a%2Cb", "%e2%82%ac"])


@given(
    st.lists(st.tuples(tokens, octets, st.lists(tokens, max_size=2)), min_size=1, max_size=200),
    st.sampled_from(["", " ", "\t "]),
)
def test_a_baggage_holds_up_to_180_members(members: list[tuple[str, str, list[str]]], ows: str) -> None:
    text = f"{ows},{ows}".join(
        f"{key}{ows}={ows}{value}" + "".join(f"{ows};{ows}{name}" for name in properties)
        for key, value, properties in members
    )
    assert is_baggage(text) == (len(members) <= 180)


def test_the_bound_of_a_baggage_is_at_180() -> None:
    assert is_baggage(",".join(["a=1"] * 180))
    assert not is_baggage(",".join(["a=1"] * 181))


@given(tokens, st.sampled_from(['"', "\\", " x", "é", "\x00", "\x7f", "%", "%2", "%zz"]))
def test_what_a_value_may_not_hold_is_escaped(key: str, character: str) -> None:
    assert not is_baggage(f"{key}=a{character}")


@given(other_json)
def test_only_text_is_trace_context(value: Any) -> None:
    assert not is_traceparent(value)
    assert not is_tracestate(value)
    assert not is_baggage(value)


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    for judge in (is_traceparent, is_tracestate, is_baggage):
        assert judge(text) in (True, False)


@pytest.mark.parametrize(
    "text", [" " * 100_000, "," * 100_000, "a" * 100_000, "a=b;c" + " " * 100_000 + "x", "a=1" + ",a=1" * 50_000]
)
def test_huge_texts_are_judged_in_linear_time(text: str) -> None:
    is_traceparent(text)
    is_tracestate(text)
    is_baggage(text)


def test_the_example_of_the_page_is_right() -> None:
    example = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
    assert traceparent(example).outcome is Conformance.CONFORMS


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", True),
        ("key1=value1;property1;property2, key2 = value2, key3=value3; propertyKey=propertyValue", False),
    ],
)
def test_examples_of_the_w3c_as_tracestate(text: str, right: bool) -> None:
    assert is_tracestate(text) is right


@pytest.mark.parametrize(
    "text",
    [
        "key1=value1;property1;property2, key2 = value2, key3=value3; propertyKey=propertyValue",
        "userId=alice,serverNode=DF%2028,isProduction=false",
        "userId=Am%C3%A9lie,serverNode=DF%2028,isProduction=false",
        "userId =   alice",
    ],
)
def test_examples_of_the_w3c_as_baggage(text: str) -> None:
    assert is_baggage(text)
