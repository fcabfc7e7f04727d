"""The revisions of the protocol, their order, and the era of a version.

Source: basic/versioning#terminology.
"""

from __future__ import annotations

from typing import Final

REVISIONS: Final[tuple[str, ...]] = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
