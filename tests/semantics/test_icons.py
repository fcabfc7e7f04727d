"""Laws of icons."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import (
    IconRedirects,
    IconsOfServerWithoutOrigin,
    IconSourceRules,
    IconSources,
    UnstatedIconType,
)
from spec_model.semantics.decision import Conformance, Findings
from spec_model.semantics.icons import (
    Carrier,
    Take,
    has_right_form,
    icons,
    judge_icon,
    may_follow,
    may_render,
    request_headers,
    source,
    supported_types,
)

SIGNATURES = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF89a",
    "image/webp": b"RIFF\0\0\0\0WEBP",
    "image/svg+xml": b"<svg ",
}
TYPES = [*SIGNATURES, "image/jpg", "text/html", "application/octet-stream"]
PROFILES = [Profile().varied(value) for value in (*IconSourceRules, *IconsOfServerWithoutOrigin)]
STRICTER = [Profile().varied(value) for value in (*IconSources, *IconRedirects, *UnstatedIconType)]

hosts = st.sampled_from(["example.com", "www.example.com", "example.net", "localhost", "[::1]"])
addresses = st.builds(
    lambda scheme, host, port, path: f"{scheme}://{host}{port}{path}",
    st.sampled_from(["http", "https"]),
    hosts,
    st.sampled_from(["", ":80", ":443", ":8443"]),
    st.sampled_from(["", "/", "/a/icon.png", "/icon.png?x=1#y"]),
)
values = (
    st.none() | st.booleans() | st.integers(0, 99) | st.text(max_size=6) | st.lists(st.text(max_size=6), max_size=2)
)


def text(content: bytes) -> str:
    return base64.b64encode(content).decode()


@given(addresses, addresses, st.sampled_from(PROFILES))
def test_what_the_default_takes_every_profile_takes(src: str, server: str, profile: Profile) -> None:
    if source(src, DEFAULT_PROFILE, server).outcome is not Take.REJECT:
        assert source(src, profile, server).outcome is not Take.REJECT


@given(st.text(max_size=30) | addresses, st.none() | addresses, st.sampled_from(PROFILES))
def test_only_web_addresses_are_fetched_and_only_data_is_decoded(
    src: str, server: str | None, profile: Profile
) -> None:
    taken = (source(src, profile, server) if server else source(src, profile, trusted_hosts=("example.com",))).outcome
    if taken is Take.FETCH:
        assert src.lower().startswith(("https://", "http://"))
    if taken is Take.DECODE:
        assert src.lower().startswith("data:")


@given(
    st.sampled_from(["javascript:", "file:///", "ftp://", "ws://", "wss://", "vscode://", "about:", "blob:https://"]),
    st.sampled_from(PROFILES),
    hosts,
)
def test_no_profile_takes_an_unsafe_scheme(scheme: str, profile: Profile, host: str) -> None:
    assert source(f"{scheme}{host}", profile, f"https://{host}/mcp", (host,)).outcome is Take.REJECT


@given(addresses | st.just("data:image/png;base64,"), addresses, addresses, st.sampled_from(STRICTER))
def test_a_stricter_client_takes_less_and_never_something_else(
    src: str, server: str, location: str, profile: Profile
) -> None:
    permitted = source(src, DEFAULT_PROFILE, server).outcome
    assert source(src, profile, server).outcome in (permitted, Take.REJECT)
    assert may_follow(src, location, DEFAULT_PROFILE).outcome or not may_follow(src, location, profile).outcome


@given(st.sampled_from(list(SIGNATURES)), st.lists(st.sampled_from(TYPES)), st.sampled_from([*TYPES, None]))
def test_only_an_unstated_type_is_left_to_the_client(detected: str, allowed: list[str], stated: str | None) -> None:
    content, refusing = text(SIGNATURES[detected]), Profile().varied(UnstatedIconType.REFUSE)
    if stated in (None, "application/octet-stream"):
        assert not may_render(content, allowed, refusing).outcome
    else:
        usual = may_render(content, allowed, DEFAULT_PROFILE, mime_type=stated)
        assert may_render(content, allowed, refusing, mime_type=stated) == usual


@given(addresses)
def test_a_server_without_an_origin_gets_https_by_choice_alone(src: str) -> None:
    fetching = Profile().varied(IconsOfServerWithoutOrigin.ANY_HTTPS)
    assert source(src, DEFAULT_PROFILE).outcome is Take.REJECT
    assert (source(src, fetching).outcome is Take.FETCH) == src.startswith("https:")


@given(addresses, addresses)
def test_a_followed_redirect_leads_to_what_is_fetched_alike(src: str, target: str) -> None:
    if may_follow(src, target, DEFAULT_PROFILE).outcome:
        assert may_follow(target, src, DEFAULT_PROFILE).outcome
        assert source(target, DEFAULT_PROFILE, src).outcome is source(src, DEFAULT_PROFILE, src).outcome
    assert may_follow(src, src, DEFAULT_PROFILE).outcome


@given(
    st.sampled_from(list(SIGNATURES)), st.binary(max_size=20), st.sampled_from(TYPES), st.lists(st.sampled_from(TYPES))
)
def test_bytes_decide_and_a_stated_type_can_only_forbid(
    detected: str, rest: bytes, stated: str, allowed: list[str]
) -> None:
    content = text(SIGNATURES[detected] + rest)
    unstated = may_render(content, allowed, DEFAULT_PROFILE).outcome
    names = {"image/jpeg" if one == "image/jpg" else one for one in allowed}
    assert unstated == (detected in names)
    if may_render(content, allowed, DEFAULT_PROFILE, mime_type=stated).outcome:
        assert unstated
    assert may_render(content, allowed, DEFAULT_PROFILE, mime_type=detected).outcome == unstated


@given(st.binary(max_size=30), st.sampled_from(TYPES))
def test_bytes_of_no_known_type_are_never_rendered(content: bytes, stated: str) -> None:
    if not any(content.lstrip().startswith(one[:4]) for one in SIGNATURES.values()):
        known = content.startswith(b"\xff\xd8\xff") or b"<svg" in content
        assert known or not may_render(text(content), TYPES, DEFAULT_PROFILE, mime_type=stated).outcome


@given(st.text(max_size=20))
def test_any_text_is_taken_for_bytes_or_refused(content: str) -> None:
    assert may_render(content, ["image/png"], DEFAULT_PROFILE).outcome in (True, False)


@given(st.lists(st.sampled_from(TYPES)))
def test_supporting_more_is_never_worse(supported: list[str]) -> None:
    order = [Conformance.BREAKS, Conformance.MISSES_ADVICE, Conformance.CONFORMS]
    before = order.index(supported_types(supported).outcome)
    assert all(order.index(supported_types([*supported, one]).outcome) >= before for one in TYPES)


@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3),
    st.sampled_from(["cookie", "authorization"]),
    st.data(),
)
def test_one_credential_spoils_a_request_however_it_is_spelled(
    headers: dict[str, str], name: str, data: st.DataObject
) -> None:
    spelled = "".join(data.draw(st.sampled_from([letter, letter.upper()])) for letter in name)
    assert request_headers(headers).outcome is Conformance.CONFORMS
    assert request_headers({**headers, spelled: "x"}).outcome is Conformance.BREAKS


@given(st.binary(max_size=40), st.sampled_from(["image/png", "image/svg+xml;charset=utf-8", ""]))
def test_every_base64_data_uri_has_the_right_form(content: bytes, mime_type: str) -> None:
    whole = f"data:{mime_type};base64,{text(content)}"
    assert has_right_form(whole)
    assert has_right_form(whole.rstrip("="))
    assert has_right_form(
        whole.replace("=", "%3D").replace("+", "%2B").replace("/", "%2F").replace("data:image%2F", "data:image/")
    )


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "src": values | addresses,
            "mimeType": values,
            "sizes": values,
            "theme": values | st.sampled_from(["light", "dark"]),
        },
    )
    | values
)
def test_what_the_official_schema_refuses_breaks_a_must(shared: Path, icon: Any) -> None:
    schema = json.loads((shared / "spec/schema/2026-07-28.json").read_text())
    official = jsonschema.Draft202012Validator({"$ref": "#/$defs/Icon", "$defs": schema["$defs"]})
    if not official.is_valid(icon):
        assert icons([icon], Carrier.TOOL).outcome is Conformance.BREAKS
    elif isinstance(icon, dict) and has_right_form(icon["src"]):
        assert icons([icon], Carrier.TOOL).outcome is not Conformance.BREAKS


@given(values | st.lists(st.fixed_dictionaries({"src": values}), max_size=2), st.sampled_from(Carrier))
def test_any_value_is_judged(value: Any, carrier: Carrier) -> None:
    assert icons(value, carrier).because


def test_icons_of_the_official_examples_conform(shared: Path) -> None:
    found = 0
    for file in sorted((shared / "spec/examples").glob("*/*.json")):
        for icon in _icons_in(json.loads(file.read_text())):
            findings = Findings()
            judge_icon(findings, icon)
            assert not findings.faults, file
            found += 1
    if not found:
        pytest.skip("needs official examples with icons in ../shared")


def _icons_in(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [icon for one in value for icon in _icons_in(one)]
    if not isinstance(value, dict):
        return []
    here = value["icons"] if isinstance(value.get("icons"), list) else []
    return here + [icon for name, one in value.items() if name != "icons" for icon in _icons_in(one)]


def test_a_source_that_is_no_uri_is_not_followed() -> None:
    assert may_follow("http://[#", "#a", DEFAULT_PROFILE).outcome is False
