"""What every test shares: the material beside the checkout, and reproducible property tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("gate", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("gate")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared (official schemas, inventory, field reports), which is not beside this checkout")
    return SHARED
