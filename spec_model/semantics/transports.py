"""What every transport owes a message: its encoding, the standing of its metadata, and the signal that abandons it.

Source: basic/transports/index.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import VersionHeaderWithoutBodyVersion
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.era import Transport
from spec_model.semantics.functions import function
from spec_model.wire.json import FaultKind, decode
from spec_model.wire.values import ABSENT, Absent, Json, is_string, member

# --- encoding ---------------------------------------------------------------------------------------------------------


class Octets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bytes as they are on the wire, in Base64."""

    base64: bytes


Chunk: TypeAlias = str | Octets
"""A part of a stream of bytes: text, which stands for its UTF-8 encoding, or bytes that need not be UTF-8."""

_LONE: Final = "surrogatepass"
_OTHER_ENCODINGS: Final = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


@function("transport.encoding")
def encoding(message: Chunk) -> Decision[Conformance]:
    """Whether the bytes of a message are encoded in UTF-8; whether they are a message is not asked.

    Source: basic/transports/index#messages.
    """
    found = Findings()
    found.check(is_utf8(octets([message])), "transport.encoding.utf8", "/message", "this is not encoded in UTF-8")
    return found.decision()


def is_utf8(data: bytes) -> bool:
    """Whether bytes are well-formed UTF-8, and not JSON in UTF-16 or UTF-32 that happens to be well-formed."""
    fault = decode(data).fault
    if fault is None:
        return True
    return fault.kind is not FaultKind.INVALID_UTF8 and not any(_is_json(data, name) for name in _OTHER_ENCODINGS)


def _is_json(data: bytes, encoding: str) -> bool:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return decode(text.encode()).ok


def octets(chunks: Iterable[Chunk]) -> bytes:
    """The bytes that the chunks are parts of."""
    return b"".join(one.base64 if isinstance(one, Octets) else one.encode(errors=_LONE) for one in chunks)


# --- request metadata -------------------------------------------------------------------------------------------------

PROTOCOL_VERSION: Final = "io.modelcontextprotocol/protocolVersion"

_NAMED_BY: Final[Mapping[str, str]] = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Copies of body fields in the envelope of a transport, such as HTTP headers, decoded. Absent where it has none."""

    protocol_version: str | Absent = ABSENT
    method: str | Absent = ABSENT
    name: str | Absent = ABSENT


class Metadata(msgspec.Struct, frozen=True, omit_defaults=True):
    """The metadata that a request has, each absent where it has none, and which copies in its envelope are other."""

    differing: list[str]
    protocol_version: Json | Absent = ABSENT
    method: Json | Absent = ABSENT
    name: Json | Absent = ABSENT


@function("transport.metadata")
def metadata(message: Json, envelope: Envelope, profile: Profile) -> Decision[Metadata]:
    """The protocol version, the method and the name or URI of a request, whose envelope may repeat them.

    How a transport refuses a difference is its own matter; this says which value is the true one. A copy of what the
    body does not have as a string is compared with nothing, but for the version under some readings.

    Source: basic/transports/index#request-metadata.
    """
    method = member(message, "method")
    body: dict[str, Json | Absent] = {
        "protocol_version": member(message, "params", "_meta", PROTOCOL_VERSION),
        "method": method,
        "name": _name(message, method),
    }
    copies: dict[str, str | Absent] = {
        "protocol_version": envelope.protocol_version,
        "method": envelope.method,
        "name": envelope.name,
    }
    differing = [
        field
        for field, copy in copies.items()
        if copy is not ABSENT and _is_compared(field, body[field], profile) and copy != body[field]
    ]
    return decide(Metadata(differing, **body), "transport.metadata.body-authoritative", "transport.metadata.in-body")


def _is_compared(field: str, value: Json | Absent, profile: Profile) -> bool:
    """Whether there is a value in the body with which a copy in the envelope is compared."""
    if is_string(value) or field != "protocol_version":
        return is_string(value)
    reading = profile[VersionHeaderWithoutBodyVersion]
    if reading is VersionHeaderWithoutBodyVersion.BY_CASE:
        return value is not ABSENT
    return reading is VersionHeaderWithoutBodyVersion.HEADER_MISMATCH


def _name(message: Json, method: Json | Absent) -> Json | Absent:
    if not is_string(method) or method not in _NAMED_BY:
        return ABSENT
    return member(message, "params", _NAMED_BY[method])


# --- cancellation -----------------------------------------------------------------------------------------------------


class SendCancelled(msgspec.Struct, frozen=True, tag_field="signal", tag="notifications/cancelled"):
    """The client sends `notifications/cancelled` whose `params.requestId` is `request_id`."""

    request_id: Json


class CloseStream(msgspec.Struct, frozen=True, tag_field="signal", tag="close-stream"):
    """The client closes the response stream of the request and sends nothing."""


class NoSignal(msgspec.Struct, frozen=True, tag_field="signal", tag="none"):
    """There is nothing to abandon."""


_SIGNALS: Final[Mapping[Transport, tuple[str, ...]]] = {
    Transport.STDIO: ("stdio.cancel.notification", "transport.cancel.stdio"),
    Transport.HTTP: ("transport.cancel.http",),
}


@function("transport.abandon")
def abandon(
    transport: Transport, request_id: Json, answered: bool = False
) -> Decision[SendCancelled | CloseStream | NoSignal]:
    """How a client abandons the request `request_id`, be it on a time-out or because its caller lost interest.

    A request that has its response (`answered`) is in flight no longer.

    Source: basic/transports/index#cancellation, basic/transports/stdio#cancellation.
    """
    because = _SIGNALS[transport]
    if answered:
        return decide(NoSignal(), *because)
    if transport is Transport.HTTP:
        return decide(CloseStream(), *because)
    return decide(SendCancelled(request_id), *because)
