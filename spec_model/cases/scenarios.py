"""Imports every module that holds scenario tables."""

from spec_model.cases import (
    client_caching,
    client_eras,
    client_http,
    client_pagination,
    client_requests,
    client_stdio,
    server_timelines,
)

__all__ = [
    "client_caching",
    "client_eras",
    "client_http",
    "client_pagination",
    "client_requests",
    "client_stdio",
    "server_timelines",
]
