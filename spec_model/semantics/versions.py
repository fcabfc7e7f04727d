"""Which version a client uses next, and which version a handshake settles on.

A client states the versions that it speaks as one list, most preferred first; modern and legacy ones may stand in it
side by side.

Source: basic/versioning#protocol-version-negotiation, server/discover#discoverresult,
2025-11-25/basic/lifecycle#version-negotiation.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    DefectiveDiscoverResult,
    InitializeAnswer,
    InitializeVersion,
    LegacyOnlySupported,
    ModernVersionInHandshake,
    PartlyMalformedList,
    RetryAfterRefusal,
    RetryBound,
    UnsupportedErrorWithoutList,
    UnsupportedInitialize,
    VersionPreference,
)
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.errors import INVALID_PARAMS
from spec_model.semantics.functions import function
from spec_model.semantics.revisions import Era, era_of, of_era
from spec_model.wire.values import ABSENT, Absent, Json, is_object, is_string, member


class Use(msgspec.Struct, frozen=True, tag_field="choice", tag="use"):
    """The next request names `version`: after a refusal the refused request is sent again with it."""

    version: str


class Initialize(msgspec.Struct, frozen=True, tag_field="choice", tag="initialize"):
    """The legacy handshake follows; initialize names `version`."""

    version: str


class NoCommonVersion(msgspec.Struct, frozen=True, tag_field="choice", tag="no-common-version"):
    """The server is modern, and the client goes on with no version, as a rule because none is left that both can use:
    it tells its user."""


class Defective(msgspec.Struct, frozen=True, tag_field="choice", tag="defective"):
    """The server is modern, but its discovery result lacks what the choice needs: the client tells its user."""


class LegacyServer(msgspec.Struct, frozen=True, tag_field="choice", tag="legacy-server"):
    """The message is not what it claims to be, so that the server counts as legacy."""


Selection = Use | Initialize | NoCommonVersion | Defective | LegacyServer


@function("versions.from-discovery")
def from_discovery(
    speaks: list[str], result: Json, profile: Profile, refused: list[str] | Absent = ABSENT
) -> Decision[Selection]:
    """What a client that speaks `speaks` chooses on the `result` of server/discover.

    `refused` holds the versions that this server refused before. Members that have a fallback (resultType and the
    caching hints) may be missing; the version list and the capabilities have none.

    Source: server/discover#discoverresult, basic/transports/stdio#backward-compatibility.
    """
    kind = member(result, "resultType")
    if kind not in (ABSENT, "complete"):
        asks = kind == "input_required"
        return _defective_discovery(
            "mrtr.supported.nothing-else" if asks else "results.type.unrecognized-invalid", profile
        )
    listed = _strings(member(result, "supportedVersions"), intact=True, profile=profile)
    if listed is None:
        return _defective_discovery("discovery.result.supported-versions", profile)
    whole = is_object(member(result, "capabilities"))
    if not whole and profile[DefectiveDiscoverResult] is not DefectiveDiscoverResult.USE_THE_VERSIONS:
        return _defective_discovery("discovery.result.capabilities", profile)
    left = _without(listed, refused)
    common = select(speaks, left, profile)
    if common is not None:
        return decide(Use(common), "discovery.client.choose-listed")
    return _legacy_offer(speaks, left, profile, "discovery.client.choose-listed", "discovery.client.choose-listed")


def _defective_discovery(missing: str, profile: Profile) -> Decision[Selection]:
    match profile[DefectiveDiscoverResult]:
        case DefectiveDiscoverResult.MODERN_WITH_FAULT | DefectiveDiscoverResult.USE_THE_VERSIONS:
            return decide(Defective(), missing)
        case DefectiveDiscoverResult.LEGACY:
            return decide(LegacyServer(), "interop.detect.otherwise-legacy")


@function("versions.after-refusal")
def after_refusal(
    speaks: list[str], refused: list[str], profile: Profile, data: Json | Absent = ABSENT
) -> Decision[Selection]:
    """What a client that speaks `speaks` does after error -32022 with this `data` (leave it out where there is none).

    `refused` holds every version that this server refused, the last one by this error. A version that was refused is
    never chosen again, whatever the list says.

    Source: basic/versioning#protocol-version-negotiation.
    """
    intact = is_string(member(data, "requested"))
    listed = _strings(member(data, "supported"), intact=intact, profile=profile)
    if not listed:
        return _without_list(speaks, refused, profile)
    left = _without(listed, refused)
    if profile[RetryBound] is not RetryBound.EACH_VERSION_ONCE and len(refused) > 1:
        return _after_one_retry(speaks, left, profile)
    common = select(speaks, left, profile)
    if common is not None:
        return _retry(common, profile)
    return _legacy_offer(speaks, left, profile, "versioning.retry.mutual", "versioning.retry.no-mutual-error")


def _retry(common: str, profile: Profile) -> Decision[Selection]:
    match profile[RetryAfterRefusal]:
        case RetryAfterRefusal.RETRY:
            return decide(Use(common), "versioning.retry.mutual")
        case RetryAfterRefusal.REPORT:
            return decide(NoCommonVersion(), "versioning.retry.no-mutual-error")


def _without_list(speaks: Sequence[str], refused: Sequence[str], profile: Profile) -> Decision[Selection]:
    match profile[UnsupportedErrorWithoutList]:
        case UnsupportedErrorWithoutList.MODERN_NO_COMMON_VERSION:
            return decide(NoCommonVersion(), "versioning.retry.no-mutual-error", "interop.detect.modern-error")
        case UnsupportedErrorWithoutList.TRY_OWN_VERSIONS:
            untried = _without(of_era(speaks, Era.MODERN), refused)
            return _retry(untried[0], profile) if untried else decide(NoCommonVersion(), *_NOTHING_LEFT)
        case UnsupportedErrorWithoutList.NOT_THE_DEFINED_ERROR:
            return decide(LegacyServer(), "interop.detect.otherwise-legacy")


_NOTHING_LEFT: Final = ("versioning.retry.no-mutual-error",)


def _after_one_retry(speaks: Sequence[str], left: Collection[str], profile: Profile) -> Decision[Selection]:
    offered = _newest_legacy(speaks, left)
    if profile[RetryBound] is RetryBound.ONE_RETRY_THEN_LISTED_LEGACY and offered is not None:
        return decide(Initialize(offered), "versioning.retry.mutual", "interop.era.legacy")
    return decide(NoCommonVersion(), "versioning.retry.no-mutual-error")


def _legacy_offer(
    speaks: Sequence[str], left: Collection[str], profile: Profile, common: str, nothing: str
) -> Decision[Selection]:
    """What follows where no modern version is left: the handshake if the server offers a legacy version for it, forced
    by `common`, else the report, forced by `nothing`."""
    offered = _newest_legacy(speaks, left)
    if offered is not None and profile[LegacyOnlySupported] is LegacyOnlySupported.INITIALIZE_WITH_LISTED_VERSION:
        return decide(Initialize(offered), common, "interop.era.legacy")
    return decide(NoCommonVersion(), nothing)


def _newest_legacy(speaks: Sequence[str], listed: Collection[str]) -> str | None:
    known = frozenset(listed)
    return max((version for version in of_era(speaks, Era.LEGACY) if version in known), default=None)


def _strings(value: Json | Absent, *, intact: bool, profile: Profile) -> list[str] | None:
    """The versions of a list, None where it is malformed; `intact` says that what belongs beside it is there."""
    if not isinstance(value, list):
        return None
    strings = [one for one in value if is_string(one)]
    whole = profile[PartlyMalformedList] is PartlyMalformedList.MALFORMED_AS_A_WHOLE
    if len(strings) == len(value) and intact:
        return strings
    return None if whole or not strings else strings


def _without(listed: Sequence[str], refused: Sequence[str] | Absent) -> list[str]:
    gone = frozenset(() if refused is ABSENT else refused)
    return [version for version in listed if version not in gone]


def select(speaks: Sequence[str], offered: Sequence[str], profile: Profile) -> str | None:
    """The modern version that a client speaking `speaks` picks from `offered`, None where there is none in common."""
    place = {version: n for n, version in reversed(list(enumerate(offered)))}
    common = [version for version in of_era(speaks, Era.MODERN) if version in place]
    if not common:
        return None
    match profile[VersionPreference]:
        case VersionPreference.OWN_PREFERENCE:
            return common[0]
        case VersionPreference.NEWEST:
            return max(common)
        case VersionPreference.ORDER_OF_THE_LIST:
            return min(common, key=place.__getitem__)


# --- the legacy handshake -------------------------------------------------------------------------------------------


class Names(msgspec.Struct, frozen=True, tag_field="handshake", tag="version"):
    """The message names `version`."""

    version: str


class NoHandshake(msgspec.Struct, frozen=True, tag_field="handshake", tag="none"):
    """The implementation supports no version that has a handshake."""


class RefusesVersion(msgspec.Struct, frozen=True, tag_field="handshake", tag="error"):
    """initialize is answered with an error of this code."""

    code: int


class Accept(msgspec.Struct, frozen=True, tag_field="handshake", tag="accept"):
    """The session goes on in `version`."""

    version: str


class Disconnect(msgspec.Struct, frozen=True, tag_field="handshake", tag="disconnect"):
    """The client gives the connection up."""


@function("versions.initialize")
def initialize(speaks: list[str], profile: Profile) -> Decision[Names | NoHandshake]:
    """The version that a client speaking `speaks` names in initialize.

    Source: 2025-11-25/basic/lifecycle#version-negotiation, basic/versioning#terminology.
    """
    named = initialize_version(speaks, profile)
    if named is None:
        return decide(NoHandshake(), "interop.era.modern")
    return decide(
        Names(named),
        "legacy.version.client-sends-supported",
        "legacy.version.client-sends-latest",
        "interop.era.legacy",
    )


def initialize_version(speaks: Sequence[str], profile: Profile) -> str | None:
    """The version that initialize names, None where the client speaks no legacy version."""
    legacy = _newest_first(speaks)
    if not legacy:
        return None
    match profile[InitializeVersion]:
        case InitializeVersion.LATEST:
            return legacy[0]
        case InitializeVersion.OLDER:
            return (legacy[1:] or legacy)[0]
        case InitializeVersion.OLDEST:
            return legacy[-1]


@function("versions.accept")
def accept(speaks: list[str], profile: Profile, answered: Json | Absent = ABSENT) -> Decision[Accept | Disconnect]:
    """What a client does with `answered`, the protocolVersion of the result of initialize.

    Source: 2025-11-25/basic/lifecycle#version-negotiation, 2025-11-25/schema.
    """
    legacy = _newest_first(speaks)
    if is_string(answered) and answered in legacy:
        older = () if answered == legacy[0] else ("legacy.version.client-supports-older",)
        return decide(Accept(answered), *_SUPPORTED, *older)
    if is_string(answered) and answered in of_era(speaks, Era.MODERN):
        match profile[ModernVersionInHandshake]:
            case ModernVersionInHandshake.DISCONNECT:
                return decide(Disconnect(), *_UNSUPPORTED, "interop.era.modern")
            case ModernVersionInHandshake.LEGACY_SEMANTICS:
                return decide(Accept(answered), *_SUPPORTED, "results.type.absent-as-complete")
    return decide(Disconnect(), *_UNSUPPORTED, "legacy.error.version-mismatch")


_SUPPORTED: Final = ("legacy.init.client-sends-initialized", "legacy.version.client-disconnects")
_UNSUPPORTED: Final = ("legacy.version.client-must-disconnect", "legacy.version.client-disconnects")


@function("versions.negotiate")
def negotiate(supports: list[str], requested: str, profile: Profile) -> Decision[Names | RefusesVersion | NoHandshake]:
    """The version that a server supporting `supports` names in its answer to an initialize for `requested`.

    A modern version is never the answer, even to an initialize that asks for one that the server supports.

    Source: 2025-11-25/basic/lifecycle#version-negotiation and #error-handling, basic/versioning#compatibility-matrix.
    """
    legacy = _newest_first(supports)
    if not legacy:
        return decide(NoHandshake(), "removed.method.initialize", "interop.era.modern")
    if requested in legacy:
        return decide(Names(requested), "legacy.version.server-echoes-supported")
    if profile[UnsupportedInitialize] is UnsupportedInitialize.ERROR:
        return decide(RefusesVersion(INVALID_PARAMS), "legacy.version.unsupported-as-error")
    if profile[InitializeAnswer] is InitializeAnswer.OLDER:
        legacy = legacy[1:] or legacy
    because = ["legacy.version.server-offers-other", "legacy.version.server-offers-latest"]
    if era_of(requested) is Era.MODERN:
        because.append("interop.dual-server.initialize-selects-legacy")
    return decide(Names(legacy[0]), *because, "legacy.init.version-may-differ")


def _newest_first(versions: Sequence[str]) -> list[str]:
    return sorted(set(of_era(versions, Era.LEGACY)), reverse=True)
