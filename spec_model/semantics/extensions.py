"""Extensions: their identifiers, how a party advertises them, and what to do where only one party has one.

Source: basic/versioning#extension-negotiation.
"""

from __future__ import annotations

import enum
from typing import Literal

from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.semantics.meta_keys import is_meta_key
from spec_model.wire.json import pointer
from spec_model.wire.messages import shown
from spec_model.wire.values import ABSENT, Json, is_object, kind_of, member


class Support(enum.Enum):
    """What a capabilities object says about one extension."""

    NONE = "none"
    PLAIN = "plain"
    WITH_SETTINGS = "with-settings"


@function("extensions.identifier")
def identifier(identifier: str) -> Decision[Conformance]:
    """Whether a text can identify an extension.

    Source: basic/versioning#extension-negotiation.
    """
    found = Findings()
    judge_identifier(found, identifier)
    return found.decision()


def judge_identifier(found: Findings, identifier: str, at: str = "") -> None:
    """The form of an extension identifier: a `_meta` key that has a prefix."""
    found.check(is_meta_key(identifier), "extensions.id.key-rules", at, f"{shown(identifier)} is no valid _meta key")
    found.check("/" in identifier, "extensions.id.prefix-mandatory", at, f"{shown(identifier)} has no prefix")


def judge_extensions(found: Findings, value: Json, at: str = "") -> None:
    """The `extensions` member of a capabilities object, and every identifier and settings object in it."""
    if not found.check(is_object(value), "extensions.advertise.map-shape", at, f"a map, not {kind_of(value)}"):
        return
    assert is_object(value)
    for name, settings in value.items():
        under = at + pointer(name)
        judge_identifier(found, name, under)
        found.check(is_object(settings), "extensions.advertise.map-shape", under, f"settings are {kind_of(settings)}")


@function("extensions.map")
def extension_map(extensions: Json) -> Decision[Conformance]:
    """Whether a value is right as the `extensions` member of a capabilities object.

    Source: basic/versioning#extension-negotiation.
    """
    found = Findings()
    judge_extensions(found, extensions)
    return found.decision()


@function("extensions.support")
def support(capabilities: Json, identifier: str) -> Decision[Support]:
    """What the capabilities of a party say about its support of an extension.

    Source: basic/versioning#extension-negotiation.
    """
    extensions = member(capabilities, "extensions")
    settings = member(extensions, identifier)
    if extensions is not ABSENT and not is_object(extensions):
        return decide(Support.NONE, "extensions.advertise.map-shape")
    if settings is ABSENT:
        return decide(Support.NONE, "extensions.advertise.field")
    if not is_object(settings):
        return decide(Support.NONE, "extensions.advertise.map-shape")
    if not settings:
        return decide(Support.PLAIN, "extensions.settings.empty-object", "extensions.advertise.field")
    return decide(Support.WITH_SETTINGS, "extensions.advertise.map-shape", "extensions.advertise.field")


@function("extensions.fallback")
def fallback(
    identifier: str, peer: Json, behaviour: Literal["extended", "core", "refuses-with-error", "gives-no-answer"]
) -> Decision[Conformance]:
    """Whether a party that supports an extension may behave so towards a peer with these capabilities: use what the
    extension adds, keep to the core protocol, refuse the request with an error, or leave it without an answer.

    Source: basic/versioning#extension-negotiation.
    """
    found = Findings()
    if support(peer, identifier).outcome is Support.NONE:
        right = behaviour in ("core", "refuses-with-error")
        found.check(right, "extensions.fallback.core-or-reject", "", "the peer does not support the extension")
    else:
        answered = behaviour != "gives-no-answer"
        found.check(answered, "base.patterns.request-answered", "", "a request is answered")
    return found.decision()
