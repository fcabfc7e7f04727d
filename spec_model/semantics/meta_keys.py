"""The keys of `_meta`: their form, which are reserved and for what, and who may define which.

Source: basic/index#meta.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from typing import Final

from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.wire.messages import shown

OFFICIAL: Final = "io.modelcontextprotocol/"
PROTOCOL_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO: Final = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL: Final = "io.modelcontextprotocol/logLevel"
SUBSCRIPTION_ID: Final = "io.modelcontextprotocol/subscriptionId"
SERVER_INFO: Final = "io.modelcontextprotocol/serverInfo"
PROGRESS_TOKEN: Final = "progressToken"

_LETTER: Final = re.compile("[A-Za-z]")
_LETTER_OR_DIGIT: Final = re.compile("[A-Za-z0-9]")
_LABEL_INTERIOR: Final = re.compile("[A-Za-z0-9-]*")
_NAME_INTERIOR: Final = re.compile("[A-Za-z0-9._-]*")


@function("metadata.key")
def meta_key(key: str) -> Decision[Conformance]:
    """Whether a text is a valid `_meta` key: a name, with a prefix before it or without. A letter is an ASCII letter.

    Source: basic/index#meta.
    """
    found = Findings()
    judge_meta_key(found, key)
    return found.decision()


def is_meta_key(key: str) -> bool:
    """Whether `key` is a valid `_meta` key."""
    found = Findings()
    judge_meta_key(found, key)
    return not found.faults


def judge_meta_key(found: Findings, key: str, at: str = "") -> None:
    """The form of one `_meta` key."""
    if not found.check(key.count("/") <= 1, "meta.key.two-segments", at, f"{shown(key)} has more than one slash"):
        return
    prefix, slash, name = key.rpartition("/")
    if slash:
        _judge_prefix(found, prefix, at)
    _judge_name(found, name, at)


def _judge_prefix(found: Findings, prefix: str, at: str) -> None:
    labels = prefix.split(".")
    if not found.check(all(labels), "meta.key.prefix-form", at, f"the prefix {shown(prefix)} has an empty label"):
        return
    starts = all(_LETTER.match(label) for label in labels)
    found.check(starts, "meta.key.label-start", at, f"a label of {shown(prefix)} does not start with a letter")
    ends = all(_LETTER_OR_DIGIT.match(label[-1]) for label in labels)
    found.check(ends, "meta.key.label-end", at, f"a label of {shown(prefix)} does not end with a letter or digit")
    inside = all(_LABEL_INTERIOR.fullmatch(label[1:-1]) for label in labels)
    found.check(inside, "meta.key.label-interior", at, f"a label of {shown(prefix)} holds a character that it may not")


def _judge_name(found: Findings, name: str, at: str) -> None:
    if not name:
        found.held.append("meta.key.name-empty")
        return
    starts = _LETTER_OR_DIGIT.match(name) is not None
    found.check(starts, "meta.key.name-start", at, f"the name {shown(name)} does not begin with a letter or digit")
    ends = _LETTER_OR_DIGIT.match(name[-1]) is not None
    found.check(ends, "meta.key.name-end", at, f"the name {shown(name)} does not end with a letter or digit")
    inside = _NAME_INTERIOR.fullmatch(name[1:-1]) is not None
    found.check(inside, "meta.key.name-interior", at, f"the name {shown(name)} holds a character that it may not")
    found.check(inside, "meta.key.two-segments", at, f"{shown(name)} is no name")


class Reservation(enum.Enum):
    """What a `_meta` key is kept for. MCP: by its prefix, and this revision gives it no meaning."""

    NONE = "none"
    MCP = "mcp"
    PROGRESS_TOKEN = "progress-token"
    PROTOCOL_VERSION = "protocol-version"
    CLIENT_INFO = "client-info"
    CLIENT_CAPABILITIES = "client-capabilities"
    LOG_LEVEL = "log-level"
    SUBSCRIPTION_ID = "subscription-id"
    SERVER_INFO = "server-info"
    TRACE_CONTEXT = "trace-context"


_RESERVED: Final[Mapping[str, tuple[Reservation, str]]] = {
    PROGRESS_TOKEN: (Reservation.PROGRESS_TOKEN, "meta.reserved.progress-token"),
    PROTOCOL_VERSION: (Reservation.PROTOCOL_VERSION, "meta.reserved.protocol-version"),
    CLIENT_INFO: (Reservation.CLIENT_INFO, "meta.reserved.client-info"),
    CLIENT_CAPABILITIES: (Reservation.CLIENT_CAPABILITIES, "meta.reserved.client-capabilities"),
    LOG_LEVEL: (Reservation.LOG_LEVEL, "meta.reserved.log-level"),
    SUBSCRIPTION_ID: (Reservation.SUBSCRIPTION_ID, "meta.reserved.subscription-id"),
    SERVER_INFO: (Reservation.SERVER_INFO, "meta.key.reserved-prefix"),
    "traceparent": (Reservation.TRACE_CONTEXT, "trace.keys.reserved"),
    "tracestate": (Reservation.TRACE_CONTEXT, "trace.keys.reserved"),
    "baggage": (Reservation.TRACE_CONTEXT, "trace.keys.reserved"),
}

_RESERVED_LABELS: Final = frozenset({"modelcontextprotocol", "mcp"})


@function("metadata.reservation")
def reservation(key: str) -> Decision[Reservation]:
    """What a valid `_meta` key is reserved for. Only the second label of a prefix can make it reserved.

    Source: basic/index#meta.
    """
    if key in _RESERVED:
        purpose, requirement = _RESERVED[key]
        return decide(purpose, requirement)
    labels = key.rpartition("/")[0].split(".")
    if _RESERVED_LABELS.intersection(labels[1:2]):
        return decide(Reservation.MCP, "meta.key.reserved-prefix")
    if _RESERVED_LABELS.intersection(labels):
        return decide(Reservation.NONE, "meta.key.reserved-prefix", "meta.key.second-label-only")
    return decide(Reservation.NONE, "meta.key.reserved-prefix")


class Definer(enum.Enum):
    """Who wants to put data of its own under a key: an application, an official extension, or any other extension."""

    APPLICATION = "application"
    OFFICIAL_EXTENSION = "official-extension"
    THIRD_PARTY_EXTENSION = "third-party-extension"


@function("metadata.may-define")
def may_define(key: str, definer: Definer, vendor_prefix: str = "") -> Decision[bool]:
    """Whether an application or an extension may give a valid `_meta` key a meaning of its own.

    `vendor_prefix` is the prefix that belongs to a third party, without the slash; prefixes with more labels after it
    are its own too.

    Source: basic/index#meta.
    """
    held = reservation(key)
    if definer is Definer.OFFICIAL_EXTENSION and held.outcome is Reservation.MCP:
        return decide(True, "meta.key.reserved-prefix", "meta.reserved.official-extensions")
    if held.outcome is not Reservation.NONE:
        return held.map(lambda _: False)
    if definer is Definer.THIRD_PARTY_EXTENSION:
        prefix = key.rpartition("/")[0]
        own = bool(vendor_prefix) and f"{prefix}.".startswith(f"{vendor_prefix}.")
        return decide(own, "meta.reserved.vendor-prefix")
    return held.map(lambda _: True)


@function("metadata.vendor-key")
def vendor_key(key: str, domain: str) -> Decision[Conformance]:
    """Whether a key is right for data of the party that holds an internet domain: valid, not reserved, and its prefix,
    where it has one, starts with the labels of the domain in reverse order.

    Source: basic/index#meta.
    """
    found = Findings()
    judge_meta_key(found, key)
    held = reservation(key)
    found.check(held.outcome is Reservation.NONE, held.because[0], "", "the key is reserved for the protocol")
    prefix, slash, _ = key.rpartition("/")
    if slash:
        own = domain.lower().split(".")[::-1]
        reverse = prefix.lower().split(".")[: len(own)] == own
        found.check(reverse, "meta.key.reverse-dns", "", "the prefix is not the domain in reverse order")
    return found.decision()
