"""Imports every module that holds scenario tables."""

from spec_model.cases import client_eras, client_requests, client_stdio

__all__ = ["client_eras", "client_requests", "client_stdio"]
