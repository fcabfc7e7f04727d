"""Schemes, origins and resolved references."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.wire.urls import Origin, origin_of, resolved, scheme_of, without_fragment

HOSTS = st.from_regex(r"[a-z][a-z0-9-]{0,10}(\.[a-z]{1,5}){0,2}", fullmatch=True)


@pytest.mark.parametrize(
    ("uri", "scheme"),
    [
        ("https://example.com/a.png", "https"),
        ("HTTPS://example.com", "https"),
        ("data:image/png;base64,AAAA", "data"),
        ("javascript:alert(1)", "javascript"),
        ("chrome-extension://abc/icon.png", "chrome-extension"),
        ("icon.png", ""),
        ("/icon.png", ""),
        ("//example.com/icon.png", ""),
        ("", ""),
        (":x", ""),
        ("1http://example.com", ""),
        (" https://example.com", ""),
        ("https://example.com/a b", ""),
        ("https://example.com\\@evil.example", ""),
        ("https://exämple.com/", ""),
        ("java\nscript:alert(1)", ""),
    ],
)
def test_scheme(uri: str, scheme: str) -> None:
    assert scheme_of(uri) == scheme


@pytest.mark.parametrize(
    ("uri", "origin"),
    [
        ("https://Example.com", Origin("https", "example.com", 443)),
        ("http://example.com:80/x?y#z", Origin("http", "example.com", 80)),
        ("http://example.com:8080", Origin("http", "example.com", 8080)),
        ("https://example.com:/x", Origin("https", "example.com", 443)),
        ("https://user:secret@example.com/x", Origin("https", "example.com", 443)),
        ("https://example.com@evil.example/x", Origin("https", "evil.example", 443)),
        ("https://[::1]:8443/x", Origin("https", "[::1]", 8443)),
        ("https://example.com?x=https://evil.example", Origin("https", "example.com", 443)),
        ("https://example.com#@evil.example", Origin("https", "example.com", 443)),
        ("https:///x", None),
        ("https://", None),
        ("https:example.com", None),
        ("https://example.com:99999", None),
        ("https://example.com:8o80", None),
        ("https://a b/", None),
        ("ftp://example.com", None),
        ("data:,x", None),
    ],
)
def test_origin(uri: str, origin: Origin | None) -> None:
    assert origin_of(uri) == origin


@pytest.mark.parametrize(
    ("base", "reference", "target"),
    [
        ("https://example.com/a/b.json", "c.json", "https://example.com/a/c.json"),
        ("https://example.com/a/b.json", "#/$defs/x", "https://example.com/a/b.json#/$defs/x"),
        ("https://example.com/a#frag", "#x", "https://example.com/a#x"),
        ("urn:example:a", "#x", "urn:example:a#x"),
        ("", "#x", "#x"),
        ("", "https://example.com/b", "https://example.com/b"),
        ("https://example.com/a", "//[bad", "//[bad"),
    ],
)
def test_resolution(base: str, reference: str, target: str) -> None:
    assert resolved(base, reference) == target


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert (origin_of(text) is None) or scheme_of(text) in ("http", "https")
    assert isinstance(resolved(text, text), str)


@given(HOSTS, st.integers(1, 65535), st.sampled_from(["http", "https"]))
def test_path_query_and_fragment_never_change_the_origin(host: str, port: int, scheme: str) -> None:
    origin = origin_of(f"{scheme}://{host}:{port}")
    assert origin == Origin(scheme, host, port)
    for rest in ("/", "/@evil.example", "?u=//evil.example", "#@evil.example:1", "/a:b"):
        assert origin_of(f"{scheme}://{host}:{port}{rest}") == origin


@pytest.mark.parametrize(
    ("uri", "parts"),
    [
        ("https://a/b#c", ("https://a/b", "c")),
        ("a", ("a", "")),
        ("http://[#a", ("http://[", "a")),
        ("http://[", ("http://[", "")),
    ],
)
def test_a_fragment_is_taken_off_any_text(uri: str, parts: tuple[str, str]) -> None:
    assert without_fragment(uri) == parts


def test_a_base_that_is_no_uri() -> None:
    assert resolved("http://[#a", "#x") == "http://[#x"
