"""How long a client relies on the era that it found, and what becomes of each pair of client and server.

Source: basic/versioning#backward-compatibility-with-initialization-based-versions,
basic/versioning#compatibility-matrix.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    EraCacheKey,
    PersistEra,
    SupportedListContent,
)
from spec_model.semantics import versions
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.era_http import place
from spec_model.semantics.functions import function
from spec_model.semantics.revisions import Era, ImplementationEra, implementation_era, of_era
from spec_model.wire.values import Json

# --- what a client remembers ----------------------------------------------------------------------------------------


class StdioServer(msgspec.Struct, frozen=True):
    """A stdio server as a client knows it: the configuration that launches it, and the process."""

    configuration: str
    process: str


class HttpServer(msgspec.Struct, frozen=True):
    """An HTTP server as a client knows it: its configuration, its URL, and the run of the client between two starts."""

    configuration: str
    url: str
    run: int


@function("era.recall-stdio")
def recall_stdio(remembered: StdioServer, asked: StdioServer, profile: Profile) -> Decision[bool]:
    """Whether the era that was found out with the server `remembered` is used for the server `asked`.

    Source: basic/versioning#backward-compatibility-with-initialization-based-versions.
    """
    if remembered.process == asked.process:
        return decide(True, "interop.cache.process-lifetime", "interop.cache.server-wide")
    return _persisted(remembered.configuration == asked.configuration, "interop.cache.process-lifetime", profile)


@function("era.recall-http")
def recall_http(remembered: HttpServer, asked: HttpServer, profile: Profile) -> Decision[bool]:
    """Whether the era that was found out with the server `remembered` is used for the server `asked`.

    Source: basic/versioning#backward-compatibility-with-initialization-based-versions.
    """
    here, there = place(remembered.url), place(asked.url)
    if here is None or there is None or here.origin != there.origin:
        return decide(False, "interop.cache.origin-lifetime", "interop.cache.server-wide")
    same_server = here == there or profile[EraCacheKey] is EraCacheKey.ORIGIN
    if remembered.run == asked.run:
        because = ("interop.cache.origin-lifetime", "interop.cache.server-wide")
        return decide(same_server, *(because if same_server else because[::-1]))
    known = same_server and remembered.configuration == asked.configuration
    return _persisted(known, "interop.cache.origin-lifetime", profile)


def _persisted(known: bool, lifetime: str, profile: Profile) -> Decision[bool]:
    """Beyond its lifetime an era is used where the client keeps it and knows the server by the same configuration."""
    kept = profile[PersistEra] is PersistEra.SAME_CONFIGURATION
    return decide(kept and known, lifetime, "interop.cache.persist")


# --- the compatibility matrix ---------------------------------------------------------------------------------------


class Works(msgspec.Struct, frozen=True, tag_field="outcome", tag="works"):
    """Client and server end up in `version`, by the rules of its era."""

    era: Era
    version: str


class Fails(msgspec.Struct, frozen=True, tag_field="outcome", tag="fails"):
    """Client and server share no version that both can use."""


_MATRIX: Final[Mapping[tuple[ImplementationEra, Era], str]] = {
    (ImplementationEra.MODERN, Era.MODERN): "interop.matrix.modern-modern",
    (ImplementationEra.MODERN, Era.LEGACY): "interop.matrix.modern-legacy",
    (ImplementationEra.DUAL_ERA, Era.MODERN): "interop.matrix.dual-modern",
    (ImplementationEra.DUAL_ERA, Era.LEGACY): "interop.matrix.dual-legacy",
}


@function("interop.outcome")
def interop_outcome(client: list[str], server: list[str], profile: Profile) -> Decision[Works | Fails]:
    """What becomes of a client that supports the versions `client`, most preferred first, and a server that supports
    the versions `server`, when each does what the specification asks and the transport loses nothing.

    Source: basic/versioning#compatibility-matrix.
    """
    kind, other = implementation_era(client).outcome, implementation_era(server).outcome
    if kind is None or other is None:
        return decide(Fails(), "interop.era.modern", "interop.era.legacy")
    if kind is ImplementationEra.LEGACY:
        named = versions.initialize_version(client, profile)
        return _handshake_outcome(client, server, named, _LEGACY_CLIENT[other], profile)
    if other is ImplementationEra.LEGACY:
        named = versions.initialize_version(client, profile)
        return _handshake_outcome(client, server, named, _MATRIX[kind, Era.LEGACY], profile)
    modern = versions.select(client, server, profile)
    if modern is not None:
        return decide(Works(Era.MODERN, modern), _MATRIX[kind, Era.MODERN])
    return _without_common_modern(client, server, profile)


_LEGACY_CLIENT: Final[Mapping[ImplementationEra, str]] = {
    ImplementationEra.MODERN: "interop.matrix.legacy-modern",
    ImplementationEra.DUAL_ERA: "interop.matrix.legacy-dual",
    ImplementationEra.LEGACY: "interop.matrix.legacy-legacy",
}


def _without_common_modern(client: list[str], server: list[str], profile: Profile) -> Decision[Works | Fails]:
    """A modern server without a modern version in common: what its list of versions still makes possible."""
    listed: list[Json] = list(server)
    if profile[SupportedListContent] is SupportedListContent.MODERN_ONLY:
        listed = list(of_era(server, Era.MODERN))
    preferred = of_era(client, Era.MODERN)[0]
    chosen = versions.after_refusal(client, [preferred], profile, {"supported": listed, "requested": preferred})
    if isinstance(chosen.outcome, versions.Initialize):
        return _handshake_outcome(client, server, chosen.outcome.version, "versioning.retry.mutual", profile)
    return decide(Fails(), *chosen.because)


def _handshake_outcome(
    client: list[str], server: list[str], named: str | None, forced_by: str, profile: Profile
) -> Decision[Works | Fails]:
    """What initialize for the version `named` leads to; `forced_by` is the reason where the versions agree, and where
    one side has no handshake."""
    if named is None:
        return decide(Fails(), forced_by, "interop.matrix.modern-legacy-error")
    answer = versions.negotiate(server, named, profile)
    if not isinstance(answer.outcome, versions.Names):
        return decide(Fails(), forced_by, *answer.because)
    accepted = versions.accept(client, profile, answer.outcome.version)
    if isinstance(accepted.outcome, versions.Disconnect):
        return decide(Fails(), *accepted.because, *answer.because)
    return decide(Works(Era.LEGACY, accepted.outcome.version), forced_by, *answer.because)
