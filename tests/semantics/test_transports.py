"""Laws of encoding, metadata and cancellation signals."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from spec_model.requirements.choice import DEFAULT_PROFILE
from spec_model.semantics.decision import Conformance
from spec_model.semantics.era import Transport
from spec_model.semantics.transports import (
    CloseStream,
    Envelope,
    NoSignal,
    Octets,
    SendCancelled,
    abandon,
    encoding,
    metadata,
    octets,
)
from spec_model.wire.values import ABSENT

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
COPIES = st.text(max_size=3) | st.just(ABSENT)
ENVELOPES = st.builds(Envelope, protocol_version=COPIES, method=COPIES, name=COPIES)
METHODS = st.sampled_from(["tools/call", "prompts/get", "resources/read", "tools/list", "", 1, None])


def _is_right(data: bytes) -> bool:
    return encoding(Octets(data)).outcome is Conformance.CONFORMS


@given(JSON)
def test_json_in_utf_8_is_right_and_in_another_encoding_is_wrong(value: Any) -> None:
    text = json.dumps([value], ensure_ascii=False)
    assert _is_right(text.encode())
    assert encoding(text).outcome is Conformance.CONFORMS
    for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"):
        assert not _is_right(text.encode(name)), name


@given(st.binary(max_size=12))
def test_what_is_not_utf_8_is_wrong(data: bytes) -> None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        assert not _is_right(data)


@given(st.text(alphabet="é", min_size=1))
def test_latin_1_is_wrong(text: str) -> None:
    assert not _is_right(json.dumps(text, ensure_ascii=False).encode("latin-1"))


@given(st.lists(st.text() | st.builds(Octets, st.binary())))
def test_bytes_are_joined_in_order(chunks: list[Any]) -> None:
    whole = b"".join(one.base64 if isinstance(one, Octets) else one.encode() for one in chunks)
    assert octets(chunks) == whole


def test_a_lone_surrogate_in_a_text_is_not_utf_8() -> None:
    assert encoding('"\ud800"').outcome is Conformance.BREAKS


@given(METHODS, JSON, ENVELOPES)
def test_the_envelope_never_changes_what_a_request_has(method: Any, params: Any, envelope: Envelope) -> None:
    message = {"method": method, "params": params}
    alone = metadata(message, Envelope(), DEFAULT_PROFILE).outcome
    along = metadata(message, envelope, DEFAULT_PROFILE).outcome
    assert (along.protocol_version, along.method, along.name) == (alone.protocol_version, alone.method, alone.name)
    assert alone.differing == []


@given(st.text(max_size=4), st.sampled_from(["tools/call", "prompts/get", "resources/read"]), st.text(max_size=4))
def test_a_faithful_copy_never_differs(version: str, method: str, name: str) -> None:
    named = {"uri" if method == "resources/read" else "name": name}
    meta = {"io.modelcontextprotocol/protocolVersion": version}
    message: Any = {"method": method, "params": {**named, "_meta": meta}}
    assert metadata(message, Envelope(version, method, name), DEFAULT_PROFILE).outcome.differing == []


@given(JSON, ENVELOPES)
def test_whatever_a_message_is_it_has_metadata(message: Any, envelope: Envelope) -> None:
    assert set(metadata(message, envelope, DEFAULT_PROFILE).outcome.differing) <= {"protocol_version", "method", "name"}


@given(st.integers() | st.text())
def test_a_client_abandons_by_what_the_transport_has(request_id: int | str) -> None:
    assert abandon(Transport.STDIO, request_id).outcome == SendCancelled(request_id)
    assert abandon(Transport.HTTP, request_id).outcome == CloseStream()
    for transport in Transport:
        assert abandon(transport, request_id, answered=True).outcome == NoSignal()
