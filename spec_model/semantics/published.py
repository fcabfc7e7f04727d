"""Imports every module that publishes a rule, so that the registry is full."""

from spec_model.semantics import (
    caching,
)

__all__ = [
    "caching",
]
