"""Absolute URIs as far as a decision about fetching needs them: the scheme, the origin, a resolved reference.

Source: RFC 3986; origins as in RFC 6454. Text that RFC 3986 does not allow (spaces, backslashes, controls, non-ASCII)
is no URI here, for readers of such text disagree about its host.
"""

from __future__ import annotations

import re
import urllib.parse
from typing import Final, NamedTuple

_URI: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")
_WEB: Final = re.compile(
    r"(https?)://(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#@:\[\]]+)(?::([0-9]{0,5}))?(?:[/?#].*)?", re.IGNORECASE
)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_PORT_LIMIT: Final = 65535


class Origin(NamedTuple):
    """The scheme, host (both in lower case; an IPv6 address in brackets) and port of a web address."""

    scheme: str
    host: str
    port: int


def scheme_of(uri: str) -> str:
    """The scheme of an absolute URI in lower case; "" where `uri` is none."""
    found = _URI.fullmatch(uri)
    return found[1].lower() if found else ""


def origin_of(uri: str) -> Origin | None:
    """The origin of an `http:` or `https:` URI; None where `uri` is none or has no host."""
    found = _WEB.fullmatch(uri)
    if not found or not scheme_of(uri):
        return None
    scheme = found[1].lower()
    port = int(found[3]) if found[3] else _DEFAULT_PORTS[scheme]
    return Origin(scheme, found[2].lower(), port) if port <= _PORT_LIMIT else None


def without_fragment(uri: str) -> tuple[str, str]:
    """A URI, or any other text, without its fragment, and the fragment."""
    try:
        url, fragment = urllib.parse.urldefrag(uri)
    except ValueError:
        url, _, fragment = uri.partition("#")
    return url, fragment


def resolved(base: str, reference: str) -> str:
    """The URI that `reference` stands for where `base` is the URI of the document that holds it."""
    if reference.startswith("#"):
        return without_fragment(base)[0] + reference
    try:
        return urllib.parse.urljoin(base, reference)
    except ValueError:
        return reference
