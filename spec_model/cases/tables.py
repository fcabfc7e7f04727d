"""Imports every module that holds case tables."""

from spec_model.cases import (
    caching,
)

__all__ = [
    "caching",
]
