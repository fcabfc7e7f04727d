"""Laws of extension identifiers and their advertisement."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from spec_model.semantics.decision import Conformance
from spec_model.semantics.extensions import Support, extension_map, fallback, identifier, support
from spec_model.semantics.meta_keys import is_meta_key

names = st.from_regex(r"[a-z]{1,3}(\.[a-z]{1,3}){0,2}/[a-z0-9]{0,4}", fullmatch=True)
settings = st.dictionaries(st.text(max_size=3), st.integers() | st.booleans(), max_size=2)
values = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
capabilities = st.fixed_dictionaries({}, optional={"extensions": st.dictionaries(names, settings | values, max_size=3)})


@given(st.text(max_size=12) | names)
def test_an_identifier_is_a_key_with_a_prefix(text: str) -> None:
    assert (identifier(text).outcome is Conformance.CONFORMS) == (is_meta_key(text) and "/" in text)


@given(st.dictionaries(names | st.text(max_size=6), settings | values, max_size=3))
def test_a_map_is_right_when_every_row_is(extensions: dict[str, Any]) -> None:
    rows = [extension_map({name: one}).outcome is Conformance.CONFORMS for name, one in extensions.items()]
    assert (extension_map(extensions).outcome is Conformance.CONFORMS) == all(rows)


@given(capabilities, names, settings)
def test_support_is_what_the_own_row_says(held: dict[str, Any], name: str, own: dict[str, Any]) -> None:
    extended = {**held, "extensions": {**held.get("extensions", {}), name: own}}
    assert support(extended, name).outcome is (Support.WITH_SETTINGS if own else Support.PLAIN)
    bare = {other: one for other, one in extended["extensions"].items() if other != name}
    assert support({**held, "extensions": bare}, name).outcome is Support.NONE


@given(
    st.recursive(values, lambda inner: st.dictionaries(st.sampled_from(["extensions", "a/b", "tasks"]), inner)), names
)
def test_only_an_object_in_the_extensions_member_advertises(value: Any, name: str) -> None:
    found = support(value, name).outcome
    row = value.get("extensions") if isinstance(value, dict) else None
    advertised = isinstance(row, dict) and isinstance(row.get(name), dict)
    assert (found is not Support.NONE) == advertised


@given(capabilities, names)
def test_the_two_ways_back_are_always_open(held: dict[str, Any], name: str) -> None:
    assert fallback(name, held, "core").outcome is Conformance.CONFORMS
    assert fallback(name, held, "refuses-with-error").outcome is Conformance.CONFORMS
    assert fallback(name, held, "gives-no-answer").outcome is Conformance.BREAKS
    shared = support(held, name).outcome is not Support.NONE
    assert (fallback(name, held, "extended").outcome is Conformance.CONFORMS) == shared
