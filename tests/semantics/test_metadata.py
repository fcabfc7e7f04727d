"""Laws of `_meta`, its keys, and capabilities."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.cases.metadata import meta
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import (
    MalformedOptionalField,
    MissingElicitationMode,
    RequiredListContent,
    WrongContainerType,
)
from spec_model.semantics.decision import Conformance, Findings
from spec_model.semantics.meta_keys import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LOG_LEVEL,
    PROTOCOL_VERSION,
    SERVER_INFO,
    Definer,
    Reservation,
    is_meta_key,
    may_define,
    meta_key,
    reservation,
    vendor_key,
)
from spec_model.semantics.metadata import (
    Admit,
    Known,
    Refuse,
    Transport,
    client_capabilities,
    client_identity,
    judge_client_capabilities,
    missing_capabilities,
    missing_capability,
    refusal,
    relayed_server_info,
    request_metadata,
    result_metadata,
    server_capabilities,
)
from spec_model.wire.values import ABSENT

PROFILES = [
    Profile().varied(value)
    for choice in (MalformedOptionalField, WrongContainerType, MissingElicitationMode, RequiredListContent)
    for value in choice
]
ALNUM = "abcXYZ0189"

labels = st.from_regex(r"[a-z]([a-z0-9-]{0,4}[a-z0-9])?", fullmatch=True)
prefixes = st.lists(labels, min_size=1, max_size=4).map(".".join)
names = st.from_regex(r"([A-Za-z0-9]([A-Za-z0-9._-]{0,6}[A-Za-z0-9])?)?", fullmatch=True)
keys = st.builds(lambda prefix, name: f"{prefix}/{name}", prefixes, names) | names
reserved_keys = st.sampled_from([PROTOCOL_VERSION, CLIENT_INFO, CLIENT_CAPABILITIES, LOG_LEVEL, "progressToken"])
transports = st.sampled_from(["stdio", "http"])
profiles = st.sampled_from(PROFILES)

leaves: Any = st.none() | st.booleans() | st.integers(-1, 2) | st.text(max_size=3) | st.just({}) | st.just([])
values = st.recursive(
    leaves,
    lambda inner: st.dictionaries(st.sampled_from(["a", "name", "version", "form", "url", "tools"]), inner, max_size=3),
    max_leaves=5,
)
identities = st.fixed_dictionaries({}, optional={"name": st.text(max_size=3) | values, "version": st.text() | values})
capability_names = [
    "roots",
    "sampling",
    "elicitation",
    "experimental",
    "extensions",
    "logging",
    "tools",
    "resources",
    "x",
]
parts = st.dictionaries(
    st.sampled_from(["form", "url", "context", "tools", "listChanged", "a.b/c"]), leaves, max_size=2
)
capabilities = st.dictionaries(st.sampled_from(capability_names), parts | leaves, max_size=3)
metas = st.fixed_dictionaries(
    {},
    optional={
        PROTOCOL_VERSION: st.just("2026-07-28") | leaves,
        CLIENT_CAPABILITIES: capabilities | leaves,
        CLIENT_INFO: identities | leaves,
        LOG_LEVEL: st.sampled_from(["info", "verbose"]) | leaves,
        "progressToken": leaves,
    },
)


def conforms(key: str) -> bool:
    return meta_key(key).outcome is Conformance.CONFORMS


# --- keys --------------------------------------------------------------------------------------------------------


@given(keys)
def test_every_key_built_by_the_grammar_is_valid(key: str) -> None:
    assert conforms(key)


@given(keys, st.sampled_from("abcXYZ019-_."), st.data())
def test_a_key_stays_valid_with_one_more_legal_character_inside_its_name(
    key: str, character: str, data: st.DataObject
) -> None:
    start = key.find("/") + 1
    if len(key) - start >= 2:
        place = data.draw(st.integers(start + 1, len(key) - 1))
        assert conforms(key[:place] + character + key[place:])


@given(
    keys,
    st.characters(exclude_characters="/-_.", exclude_categories=("Ll", "Lu", "Nd")) | st.characters(min_codepoint=128),
    st.data(),
)
def test_no_other_character_is_legal_anywhere(key: str, character: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(key)))
    assert not conforms(key[:place] + character + key[place:])


@given(keys, st.integers(0, 40))
def test_a_second_slash_never_fits(key: str, place: int) -> None:
    with_slash = key[:place] + "/" + key[place:]
    if "/" in key:
        assert not conforms(with_slash)
    else:
        assert conforms(with_slash) == (place > 0 and is_meta_key(with_slash))


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    assert conforms(text) == is_meta_key(text)
    assert reservation(text).outcome in Reservation


@given(st.lists(labels, min_size=1, max_size=4), st.lists(labels, max_size=3), labels, names)
def test_only_the_second_label_reserves(held: list[str], others: list[str], first: str, name: str) -> None:
    prefix = ".".join(held)
    second = len(held) > 1 and held[1] in ("mcp", "modelcontextprotocol")
    assert (reservation(f"{prefix}/{name}").outcome is Reservation.MCP) == second
    for label in ("mcp", "modelcontextprotocol"):
        assert reservation(f"{'.'.join([first, label, *others])}/zz{name}").outcome is Reservation.MCP
        assert reservation(f"{'.'.join([first, 'example', label, *others])}/{name}").outcome is Reservation.NONE


@given(keys | reserved_keys, prefixes)
def test_nobody_outside_the_protocol_may_define_a_reserved_key(key: str, prefix: str) -> None:
    if reservation(key).outcome is not Reservation.NONE:
        assert not may_define(key, Definer.APPLICATION).outcome
        assert not may_define(key, Definer.THIRD_PARTY_EXTENSION, prefix).outcome
    if may_define(key, Definer.THIRD_PARTY_EXTENSION, prefix).outcome:
        assert may_define(key, Definer.APPLICATION).outcome
        assert key.startswith((f"{prefix}/", f"{prefix}."))


@given(st.lists(labels, min_size=2, max_size=3), st.lists(labels, max_size=2), names)
def test_a_prefix_in_reverse_order_of_the_domain_is_what_is_advised(own: list[str], more: list[str], name: str) -> None:
    key = f"{'.'.join([*own, *more])}/{name}"
    if reservation(key).outcome is Reservation.NONE:
        assert vendor_key(key, ".".join(reversed(own))).outcome is Conformance.CONFORMS
        if own != own[::-1]:
            assert (
                vendor_key(f"{'.'.join(reversed(own))}/{name}", ".".join(reversed(own))).outcome
                is not Conformance.CONFORMS
            )


# --- metadata ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def definitions(shared: Path) -> Any:
    """The generated schema leaves null and fractions out of JSONValue; its source does not."""
    found = json.loads((shared / "spec/schema/2026-07-28.json").read_text())["$defs"]
    return {**found, "JSONValue": {}}


def official(definitions: Any, name: str) -> Any:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": definitions})


@given(metas)
def test_request_metadata_that_the_official_schema_refuses_breaks_a_must(
    definitions: Any, held: dict[str, Any]
) -> None:
    found = request_metadata(held)
    if not official(definitions, "RequestMetaObject").is_valid(held):
        assert found.outcome is Conformance.BREAKS
    elif found.outcome is Conformance.BREAKS:
        assert all(one.startswith("extensions.") for one in found.because if one != "meta.request.client-info-sent")


@given(st.fixed_dictionaries({}, optional={SERVER_INFO: identities | leaves}))
def test_result_metadata_that_the_official_schema_refuses_breaks_a_must(definitions: Any, held: dict[str, Any]) -> None:
    right = official(definitions, "ResultMetaObject").is_valid(held)
    assert (result_metadata(held).outcome is Conformance.BREAKS) == (not right)


@given(capabilities | leaves)
def test_capabilities_that_the_official_schema_refuses_break_a_must(definitions: Any, held: Any) -> None:
    for judge, name in ((client_capabilities, "ClientCapabilities"), (server_capabilities, "ServerCapabilities")):
        found = judge(held)
        if not official(definitions, name).is_valid(held):
            assert found.outcome is Conformance.BREAKS
        elif found.outcome is Conformance.BREAKS:
            assert all(one.startswith("extensions.id.") for one in found.because)


@given(values, values, st.booleans())
def test_any_value_is_judged(one: Any, other: Any, withheld: bool) -> None:
    for judged in (
        request_metadata(one, withheld),
        result_metadata(one, withheld),
        client_capabilities(one),
        server_capabilities(one),
    ):
        assert judged.because
    assert client_identity(one, other).because


@given(metas)
def test_withholding_the_identity_is_no_fault_once_it_is_configured(held: dict[str, Any]) -> None:
    withheld, named = request_metadata(held, client_info_withheld=True), request_metadata(held)
    if CLIENT_INFO in held:
        assert withheld == named
    else:
        assert "meta.request.client-info-sent" in named.because
        assert named.outcome is not Conformance.CONFORMS


# --- refusals ----------------------------------------------------------------------------------------------------


@given(values | st.fixed_dictionaries({"_meta": metas | leaves}), profiles)
def test_transports_differ_in_the_status_alone(params: Any, profile: Profile) -> None:
    stdio, http = refusal(profile, "stdio", params).outcome, refusal(profile, "http", params).outcome
    if isinstance(http, Admit):
        assert isinstance(stdio, Admit)
    else:
        assert isinstance(stdio, Refuse)
        assert (stdio.code, stdio.status) == (http.code, ABSENT)
        assert http.status in (200, 400)


@given(metas, profiles, transports)
def test_what_conforms_is_admitted_and_required_keys_are_never_dispensable(
    held: dict[str, Any], profile: Profile, transport: Transport
) -> None:
    answer = refusal(profile, transport, {"_meta": held}).outcome
    if request_metadata(held, client_info_withheld=True).outcome is Conformance.CONFORMS:
        assert answer == Admit()
    if not (isinstance(held.get(PROTOCOL_VERSION), str) and isinstance(held.get(CLIENT_CAPABILITIES), dict)):
        assert isinstance(answer, Refuse)
        assert answer.code == -32602
        assert answer.status == (400 if transport == "http" else ABSENT)


@given(metas, st.dictionaries(keys, values, max_size=2), profiles, transports)
def test_unknown_keys_never_change_the_answer(
    held: dict[str, Any], more: dict[str, Any], profile: Profile, transport: Transport
) -> None:
    extended = {**{key: value for key, value in more.items() if reservation(key).outcome is Reservation.NONE}, **held}
    assert refusal(profile, transport, {"_meta": extended}) == refusal(profile, transport, {"_meta": held})


@given(metas, transports)
def test_ignoring_malformed_fields_admits_more(held: dict[str, Any], transport: Transport) -> None:
    ignoring = Profile().varied(MalformedOptionalField.IGNORE_FIELD)
    if refusal(DEFAULT_PROFILE, transport, {"_meta": held}).outcome == Admit():
        assert refusal(ignoring, transport, {"_meta": held}).outcome == Admit()


@given(st.none() | st.booleans() | st.integers() | st.text() | st.lists(metas, max_size=1), transports)
def test_every_reading_refuses_a_wrong_container(wrong: Any, transport: Transport) -> None:
    for choice, codes in (
        (WrongContainerType.BY_LEVEL, (-32600, -32602)),
        (WrongContainerType.INVALID_PARAMS, (-32602, -32602)),
        (WrongContainerType.INVALID_REQUEST, (-32600, -32600)),
    ):
        profile = Profile().varied(choice)
        status = 400 if transport == "http" else ABSENT
        assert refusal(profile, transport, wrong).outcome == Refuse(codes[0], status)
        assert refusal(profile, transport, {"_meta": wrong}).outcome == Refuse(codes[1], status)


# --- capabilities that a request needs ---------------------------------------------------------------------------

needs: Any = st.fixed_dictionaries(
    {},
    optional={
        "roots": st.just({}),
        "sampling": st.dictionaries(st.sampled_from(["context", "tools"]), st.just({})),
        "elicitation": st.dictionaries(st.sampled_from(["form", "url"]), st.just({})),
        "extensions": st.dictionaries(st.sampled_from(["a.b/c", "a.b/d"]), st.just({}), min_size=1),
    },
)


@given(needs)
def test_what_is_needed_is_enough_and_nothing_is_too_little(needed: Any) -> None:
    assert missing_capabilities(needed, needed) == {}
    assert missing_capabilities(needed, {}) == needed
    assert missing_capabilities(needed, ABSENT) == needed


@given(needs, capabilities, capabilities)
def test_declaring_more_never_makes_more_missing(needed: Any, declared: Any, more: Any) -> None:
    extended = {**{name: value for name, value in more.items() if name not in declared}, **declared}
    assert missing_capabilities(needed, extended).keys() <= missing_capabilities(needed, declared).keys()


@given(needs, needs)
def test_what_is_missing_is_part_of_what_is_needed_and_mends_the_request(needed: Any, declared: Any) -> None:
    missing = missing_capabilities(needed, declared)
    for name, part in missing.items():
        assert isinstance(part, dict)
        assert part.items() <= needed[name].items()
    implied: Any = {name: one or ({"form": {}} if name == "elicitation" else {}) for name, one in declared.items()}
    added: Any = {name: one or ({"form": {}} if name == "elicitation" else {}) for name, one in missing.items()}
    mended: Any = {name: {**implied.get(name, {}), **added.get(name, {})} for name in {*implied, *added}}
    assert missing_capabilities(needed, mended) == {}


@given(needs, capabilities | leaves, profiles, transports)
def test_the_required_capabilities_are_an_object_that_is_never_empty(
    needed: Any, declared: Any, profile: Profile, transport: Transport
) -> None:
    answer = missing_capability(profile, transport, needed, declared).outcome
    if isinstance(answer, Admit):
        return
    if answer.code == -32021:
        assert answer.required_capabilities
        assert answer.status == (400 if transport == "http" else ABSENT)
        found = Findings()
        judge_client_capabilities(found, answer.required_capabilities)
        assert not found.faults
    else:
        assert profile[MissingElicitationMode] is MissingElicitationMode.INVALID_PARAMS
        assert missing_capabilities(needed, declared).keys() == {"elicitation"}


# --- identity ----------------------------------------------------------------------------------------------------


@given(metas, metas)
def test_an_earlier_request_never_identifies_a_client(held: dict[str, Any], earlier: dict[str, Any]) -> None:
    assert client_identity(held, earlier).outcome == client_identity(held).outcome


def test_a_relayed_identity_is_one_of_the_two() -> None:
    own: Any = {"name": "g", "version": "1"}
    upstream: Any = {"name": "u", "version": "2"}
    assert relayed_server_info(DEFAULT_PROFILE, own, upstream).outcome.server_info == own
    assert relayed_server_info(DEFAULT_PROFILE, ABSENT, upstream).outcome.server_info is ABSENT


def test_the_example_of_the_page_conforms() -> None:
    whole = meta()
    assert request_metadata(whole).outcome is Conformance.CONFORMS
    assert client_identity(whole).outcome == Known("ExampleClient", "1.0.0")


def test_the_official_examples_of_capabilities_conform(shared: Path) -> None:
    files = sorted((shared / "spec/examples").glob("*Capabilities/*.json"))
    if not files:
        pytest.skip("needs the official examples of capabilities in ../shared")
    for file in files:
        judge = client_capabilities if file.parent.name == "ClientCapabilities" else server_capabilities
        assert judge(json.loads(file.read_text())).outcome is Conformance.CONFORMS, file


def test_the_metadata_of_the_official_requests_conforms(shared: Path) -> None:
    found = 0
    for file in sorted((shared / "spec/examples").glob("*Request/*.json")):
        params = json.loads(file.read_text()).get("params", {})
        if PROTOCOL_VERSION in params.get("_meta", {}):
            assert request_metadata(params["_meta"]).outcome is not Conformance.BREAKS, file
            assert refusal(DEFAULT_PROFILE, "http", params).outcome == Admit()
            found += 1
    if not found:
        pytest.skip("needs official examples of requests with metadata in ../shared")
