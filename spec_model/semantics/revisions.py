"""The revisions of the protocol, their order, and the era of a version and of an implementation.

A revision is named by the date on which it was released, so versions are ordered as dates are.

Source: basic/versioning#terminology.
"""

from __future__ import annotations

import datetime
import enum
import re
from collections.abc import Iterable
from typing import Final

from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.functions import function
from spec_model.wire.values import Json, is_string

REVISIONS: Final[tuple[str, ...]] = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")

NEWEST_LEGACY: Final = "2025-11-25"
OLDEST_MODERN: Final = "2026-07-28"

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Era(enum.Enum):
    """How a protocol version conveys version, identity and capabilities: with every request, or in a handshake."""

    MODERN = "modern"
    LEGACY = "legacy"


class ImplementationEra(enum.Enum):
    """Which eras the versions of an implementation belong to."""

    MODERN = "modern"
    LEGACY = "legacy"
    DUAL_ERA = "dual-era"


@function("revisions.era")
def era(version: Json) -> Decision[Era | None]:
    """The era of the protocol version that `version` names; null where it names none of either era.

    No revision has a date between 2025-11-25 and 2026-07-28, and the definitions of the two eras leave that gap open.

    Source: basic/versioning#terminology.
    """
    return decide(era_of(version), "interop.era.modern", "interop.era.legacy")


@function("revisions.implementation-era")
def implementation_era(versions: list[str]) -> Decision[ImplementationEra | None]:
    """The era of an implementation that supports `versions`; null where none of them belongs to an era.

    Source: basic/versioning#terminology.
    """
    eras = {era_of(version) for version in versions}
    if {Era.MODERN, Era.LEGACY} <= eras:
        return decide(ImplementationEra.DUAL_ERA, "interop.era.dual")
    if Era.MODERN in eras:
        return decide(ImplementationEra.MODERN, "interop.era.modern", "interop.era.dual")
    if Era.LEGACY in eras:
        return decide(ImplementationEra.LEGACY, "interop.era.legacy", "interop.era.dual")
    return decide(None, "interop.era.modern", "interop.era.legacy")


def era_of(version: Json) -> Era | None:
    """The era of a version, None where it is no date or a date of neither era."""
    if not is_string(version) or not _is_date(version):
        return None
    if version >= OLDEST_MODERN:
        return Era.MODERN
    if version <= NEWEST_LEGACY:
        return Era.LEGACY
    return None


def of_era(versions: Iterable[str], wanted: Era) -> list[str]:
    """Those of `versions` that belong to the era `wanted`, in the order given."""
    return [version for version in versions if era_of(version) is wanted]


def _is_date(text: str) -> bool:
    if _DATE.fullmatch(text) is None:
        return False
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True
