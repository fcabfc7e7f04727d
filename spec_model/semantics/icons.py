"""Icons: their shape, where a client takes them from, how it asks for them, and what it renders.

Source: basic/index#icons.
"""

from __future__ import annotations

import binascii
import enum
import re
import urllib.parse
from collections.abc import Mapping
from typing import Final

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    IconRedirects,
    IconsOfServerWithoutOrigin,
    IconSourceRules,
    IconSources,
    UnstatedIconType,
)
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.wire.messages import shown
from spec_model.wire.urls import origin_of, resolved, scheme_of
from spec_model.wire.values import ABSENT, Absent, Json, is_object, is_string, kind_of

_SIZE: Final = re.compile(r"[0-9]+x[0-9]+|any")
_DATA: Final = re.compile(r"data:[^,]*;base64,(?P<content>[A-Za-z0-9+/%=]*)", re.IGNORECASE)
_THEMES: Final = frozenset({"light", "dark"})
_WEB: Final = frozenset({"http", "https"})


# --- shape -----------------------------------------------------------------------------------------------------


class Carrier(enum.Enum):
    """What an `icons` member stands on."""

    IMPLEMENTATION = "implementation"
    TOOL = "tool"
    PROMPT = "prompt"
    RESOURCE = "resource"
    RESOURCE_TEMPLATE = "resource-template"


_ATTACHED: Final[Mapping[Carrier, str]] = {
    Carrier.IMPLEMENTATION: "icons.attach.implementation",
    Carrier.TOOL: "icons.attach.tool",
    Carrier.PROMPT: "icons.attach.prompt",
    Carrier.RESOURCE: "icons.attach.resource",
    Carrier.RESOURCE_TEMPLATE: "base.schema.conforms",
}


@function("icons.icons")
def icons(icons: Json, carrier: Carrier) -> Decision[Conformance]:
    """Whether a value is right as the `icons` of an implementation, tool, prompt, resource or resource template.

    Source: basic/index#icons.
    """
    found = Findings()
    judge_icons(found, icons, carrier)
    return found.decision()


def judge_icons(found: Findings, icons: Json, carrier: Carrier, at: str = "") -> None:
    """The `icons` member of an object, every icon in it included."""
    listed = found.check(type(icons) is list, "icons.icon.array", at, f"icons are an array, not {kind_of(icons)}")
    found.check(listed, _ATTACHED[carrier], at, "icons are attached as an array")
    for n, icon in enumerate(icons if isinstance(icons, list) else []):
        found.check(is_object(icon), "icons.icon.array", f"{at}/{n}", f"an icon is an object, not {kind_of(icon)}")
        judge_icon(found, icon, f"{at}/{n}")
        if n:
            found.held.append("icons.attach.multiple")


def judge_icon(found: Findings, icon: Json, at: str = "") -> None:
    """One icon."""
    members = icon if is_object(icon) else {}
    src = members.get("src", ABSENT)
    uri = is_string(src) and bool(scheme_of(src))
    what = f"src is the absolute URI of an icon, not {shown(src)}"
    if found.check(uri, "icons.icon.src-required", f"{at}/src", what):
        found.check(has_right_form(str(src)), "icons.icon.src-forms", f"{at}/src", "no web address, no base64 data")
    if "theme" in members:
        right = is_string(members["theme"]) and members["theme"] in _THEMES
        what = f"a theme is light or dark, not {shown(members['theme'])}"
        found.check(right, "icons.icon.theme-values", f"{at}/theme", what)
    if "mimeType" in members:
        right = is_string(members["mimeType"])
        found.check(right, "base.schema.conforms", f"{at}/mimeType", f"mimeType is {kind_of(members['mimeType'])}")
        found.check(right, "icons.icon.mimetype-optional", f"{at}/mimeType", "a MIME type is a string")
    if "sizes" in members:
        _judge_sizes(found, members["sizes"], f"{at}/sizes")


def _judge_sizes(found: Findings, sizes: Json, at: str) -> None:
    texts = isinstance(sizes, list) and all(map(is_string, sizes))
    if not found.check(texts, "base.schema.conforms", at, "sizes are an array of strings"):
        found.broken("icons.icon.sizes-format", at, "sizes are an array of strings")
        return
    assert isinstance(sizes, list)
    right = all(_SIZE.fullmatch(str(size)) for size in sizes)
    found.check(right, "icons.icon.sizes-format", at, 'a size is like "48x48", or "any"')


def has_right_form(src: str) -> bool:
    """Whether an icon's `src` is a web address, or a `data:` URI with base64 content."""
    if scheme_of(src) in _WEB:
        return origin_of(src) is not None
    data = _DATA.fullmatch(src)
    return data is not None and decoded(urllib.parse.unquote(data["content"])) is not None


def decoded(text: str) -> bytes | None:
    """What a base64 text stands for, with or without its padding; None where it is none."""
    try:
        return binascii.a2b_base64(f"{text}==")
    except (binascii.Error, ValueError):
        return None


# --- taking an icon --------------------------------------------------------------------------------------------


class Take(enum.Enum):
    """What a client does about an icon: fetch it, decode the data that it holds itself, or reject it."""

    FETCH = "fetch"
    DECODE = "decode"
    REJECT = "reject"


_TAKEN: Final[Mapping[IconSources, frozenset[Take]]] = {
    IconSources.WEB_AND_DATA: frozenset({Take.FETCH, Take.DECODE}),
    IconSources.DATA_ALONE: frozenset({Take.DECODE}),
    IconSources.WEB_ALONE: frozenset({Take.FETCH}),
    IconSources.NONE: frozenset(),
}


@function("icons.source")
def source(
    src: str, profile: Profile, server: str | Absent = ABSENT, trusted_hosts: tuple[str, ...] = ()
) -> Decision[Take]:
    """What a client does about an icon whose `src` is this.

    `server` is the address of the MCP endpoint that the icon came from, left out for a server that has none (stdio);
    `trusted_hosts` are other hosts that the client has reason to trust. No client has to take an icon.

    Source: basic/index#icons.
    """
    permitted = permitted_source(src, profile, server, trusted_hosts)
    if permitted.outcome is Take.REJECT or permitted.outcome in _TAKEN[profile[IconSources]]:
        return permitted
    return decide(Take.REJECT, "icons.client.optional")


def permitted_source(
    src: str, profile: Profile, server: str | Absent = ABSENT, trusted_hosts: tuple[str, ...] = ()
) -> Decision[Take]:
    """How an icon with this `src` may be taken; `reject` where it may not.

    Source: basic/index#icons.
    """
    scheme = scheme_of(src)
    if scheme == "data":
        return decide(Take.DECODE, "icons.security.scheme-allowed")
    if not scheme:
        return decide(Take.REJECT, "icons.security.scheme-allowed")
    if scheme not in _WEB:
        return decide(Take.REJECT, "icons.security.unsafe-scheme", "icons.security.scheme-allowed")
    origin = origin_of(src)
    if origin is None:
        return decide(Take.REJECT, "icons.security.same-origin")
    home = None if server is ABSENT else origin_of(server)
    if scheme == "http":
        return _plain_http(origin == home, profile)
    if origin == home:
        return decide(Take.FETCH, "icons.security.same-origin", "icons.security.scheme-allowed")
    trusting = profile[IconSourceRules] is IconSourceRules.HTTPS_OR_DATA_TRUSTED_DOMAIN
    if trusting and origin.host in trusted_hosts:
        return decide(Take.FETCH, "icons.security.same-origin")
    any_https = profile[IconsOfServerWithoutOrigin] is IconsOfServerWithoutOrigin.ANY_HTTPS
    if any_https and home is None:
        return decide(Take.FETCH, "icons.security.scheme-allowed")
    return decide(Take.REJECT, "icons.security.same-origin")


def _plain_http(same_origin: bool, profile: Profile) -> Decision[Take]:
    if profile[IconSourceRules] is IconSourceRules.HTTP_SAME_ORIGIN_TOO:
        taken = Take.FETCH if same_origin else Take.REJECT
        return decide(taken, "icons.security.same-origin", "icons.icon.src-forms")
    return decide(Take.REJECT, "icons.security.scheme-allowed")


@function("icons.may-follow")
def may_follow(src: str, location: str, profile: Profile) -> Decision[bool]:
    """Whether a client that fetches an icon from `src` follows a redirect whose `Location` is this.

    No client has to follow one.

    Source: basic/index#icons.
    """
    target = resolved(src, location)
    if scheme_of(target) not in _WEB:
        return decide(False, "icons.security.unsafe-redirect", "icons.security.no-scheme-change")
    if scheme_of(target) != scheme_of(src):
        return decide(False, "icons.security.no-scheme-change")
    if origin_of(src) is None or origin_of(target) != origin_of(src):
        return decide(False, "icons.security.no-cross-origin-redirect")
    if profile[IconRedirects] is IconRedirects.FOLLOW_NONE or Take.FETCH not in _TAKEN[profile[IconSources]]:
        return decide(False, "icons.client.optional")
    return decide(True, "icons.security.no-cross-origin-redirect", "icons.security.no-scheme-change")


_CREDENTIALS: Final = frozenset({"cookie", "authorization"})


@function("icons.request-headers")
def request_headers(headers: dict[str, str]) -> Decision[Conformance]:
    """Whether the headers of a request for an icon carry no credentials.

    Source: basic/index#icons.
    """
    found = Findings()
    named = _CREDENTIALS.intersection(name.lower() for name in headers)
    found.check(not named, "icons.security.no-credentials", "", f"the request carries {', '.join(sorted(named))}")
    return found.decision()


# --- rendering an icon -----------------------------------------------------------------------------------------

_MAGIC: Final[Mapping[str, re.Pattern[bytes]]] = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    "image/svg+xml": re.compile(
        rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE\s+svg[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)?<svg[\s>/]"
    ),
}
_ALIASES: Final[Mapping[str, str]] = {"image/jpg": "image/jpeg"}
_GENERIC: Final = "application/octet-stream"


@function("icons.may-render")
def may_render(
    content: str,
    allowed: list[str],
    profile: Profile,
    served_type: str | Absent = ABSENT,
    mime_type: str | Absent = ABSENT,
) -> Decision[bool]:
    """Whether a client renders icon bytes.

    `content` is their beginning in base64, `allowed` the MIME types on the client's list, `served_type` the type that
    came with the bytes (of the response, or in the `data:` URI), `mime_type` the `mimeType` of the icon. Where the type
    that came is missing or generic, `mimeType` stands in for it.

    Source: basic/index#icons.
    """
    detected = _detected(decoded(content) or b"")
    if detected is None:
        return decide(False, "icons.security.reject-mismatch", "icons.security.magic-bytes")
    if detected not in map(_normal_type, allowed):
        return decide(False, "icons.security.type-allowlist", "icons.security.magic-bytes")
    stated = _stated(served_type, mime_type)
    if stated is None:
        suffices = profile[UnstatedIconType] is UnstatedIconType.BYTES_SUFFICE
        return decide(suffices, "icons.security.magic-bytes", "icons.security.filter-types")
    if stated != detected:
        return decide(
            False, "icons.security.reject-mismatch", "icons.security.mime-advisory", "icons.security.validate-content"
        )
    return decide(
        True, "icons.security.validate-content", "icons.security.type-allowlist", "icons.icon.mimetype-optional"
    )


def _detected(content: bytes) -> str | None:
    return next((name for name, magic in _MAGIC.items() if magic.match(content)), None)


def _stated(served_type: str | Absent, mime_type: str | Absent) -> str | None:
    known = (_normal_type(one) for one in (served_type, mime_type) if one is not ABSENT)
    return next((one for one in known if one != _GENERIC), None)


def _normal_type(mime_type: str) -> str:
    plain = mime_type.partition(";")[0].strip().lower()
    return _ALIASES.get(plain, plain)


_SUPPORTED: Final[Mapping[str, str]] = {
    "image/png": "icons.client.png",
    "image/jpeg": "icons.client.jpeg",
    "image/jpg": "icons.client.jpeg",
    "image/svg+xml": "icons.client.svg",
    "image/webp": "icons.client.webp",
}


@function("icons.supported-types")
def supported_types(supported: list[str]) -> Decision[Conformance]:
    """Whether a client that renders icons supports enough MIME types.

    Source: basic/index#icons.
    """
    found = Findings()
    lower = [one.lower() for one in supported]
    for name, requirement in _SUPPORTED.items():
        found.check(name in lower, requirement, "", f"{name} is not supported")
    return found.decision()
