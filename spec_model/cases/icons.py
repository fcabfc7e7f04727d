"""Cases of the rules about icons."""

from __future__ import annotations

import base64
from typing import Any

from spec_model.cases.table import decisions

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0"
GIF = b"GIF89a\x01\0\x01\0"
WEBP = b"RIFF\x24\0\0\0WEBPVP8 "
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
HTML = b"<!DOCTYPE html><html><script>1</script></html>"


def text(content: bytes) -> str:
    return base64.b64encode(content).decode()


ICON: dict[str, Any] = {
    "src": "https://example.com/icon.png",
    "mimeType": "image/png",
    "sizes": ["48x48"],
    "theme": "light",
}
DATA: dict[str, Any] = {"src": f"data:image/png;base64,{text(PNG)}"}


def one(**changes: Any) -> list[dict[str, Any]]:
    """One icon with some members changed; `...` takes one out."""
    return [{name: value for name, value in {**ICON, **changes}.items() if value is not ...}]


shapes = decisions("icons/icons", "icons.icons")
for carrier, what in (
    ("implementation", "an implementation"),
    ("tool", "a tool"),
    ("prompt", "a prompt"),
    ("resource", "a resource"),
    ("resource-template", "a resource template"),
):
    shapes(carrier, f"An icon of {what}", icons=[ICON], carrier=carrier)
    shapes(f"{carrier}-object", f"An icon of {what} that stands in no array", icons=ICON, carrier=carrier)
shapes("none", "An empty array", icons=[], carrier="tool")
shapes(
    "several",
    "Several icons",
    icons=[ICON, DATA, {"src": "https://example.com/icon.svg", "sizes": ["any"]}],
    carrier="tool",
)
shapes("null", "Icons that are null", icons=None, carrier="tool")
shapes("address-in-array", "An address in place of an icon", icons=["https://example.com/icon.png"], carrier="tool")
shapes("second-wrong", "A right and a wrong icon", icons=[ICON, {"src": "icon.png"}], carrier="tool")
shapes("src-alone", "An icon with its address alone", icons=one(mimeType=..., sizes=..., theme=...), carrier="tool")
shapes("no-src", "An icon without an address", icons=one(src=...), carrier="tool")
shapes("src-null", "An address that is null", icons=one(src=None), carrier="tool")
shapes("src-empty", "An empty address", icons=one(src=""), carrier="tool")
shapes("src-relative", "A relative address", icons=one(src="/icon.png"), carrier="tool")
shapes("src-scheme-relative", "An address without a scheme", icons=one(src="//example.com/icon.png"), carrier="tool")
shapes("src-http", "An address of plain HTTP", icons=one(src="http://example.com/icon.png"), carrier="tool")
shapes("src-no-host", "An address without a host", icons=one(src="https:///icon.png"), carrier="tool")
shapes("src-file", "An address of a file", icons=one(src="file:///usr/share/icon.png"), carrier="tool")
shapes("src-script", "An address that is a script", icons=one(src="javascript:alert(1)"), carrier="tool")
shapes("src-data", "Base64 data", icons=[DATA], carrier="tool")
shapes("src-data-no-type", "Base64 data of no stated type", icons=one(src=f"data:;base64,{text(PNG)}"), carrier="tool")
shapes("src-data-plain", "Data that is not in base64", icons=one(src="data:image/svg+xml,%3Csvg/%3E"), carrier="tool")
shapes("src-data-broken", "Data that is no base64", icons=one(src="data:image/png;base64,A"), carrier="tool")
shapes("theme-dark", "The dark theme", icons=one(theme="dark"), carrier="tool")
shapes("theme-other", "Another theme", icons=one(theme="sepia"), carrier="tool")
shapes("theme-capitals", "A theme in capitals", icons=one(theme="Dark"), carrier="tool")
shapes("theme-null", "A theme that is null", icons=one(theme=None), carrier="tool")
shapes("theme-array", "Themes in an array", icons=one(theme=["light", "dark"]), carrier="tool")
shapes("mime-type-null", "A MIME type that is null", icons=one(mimeType=None), carrier="tool")
shapes("sizes-any", "Any size", icons=one(sizes=["any"]), carrier="tool")
shapes("sizes-two", "Two sizes", icons=one(sizes=["48x48", "96x96"]), carrier="tool")
shapes("sizes-not-square", "A size that is not square", icons=one(sizes=["48x32"]), carrier="tool")
shapes("sizes-text", "Sizes that are a text", icons=one(sizes="48x48"), carrier="tool")
shapes("sizes-numbers", "Sizes that are numbers", icons=one(sizes=[48, 48]), carrier="tool")
shapes("sizes-one-side", "A size of one side", icons=one(sizes=["48"]), carrier="tool")
shapes("sizes-pixels", "A size with a unit", icons=one(sizes=["48x48px"]), carrier="tool")
shapes("sizes-second-wrong", "A right and a wrong size", icons=one(sizes=["48x48", "large"]), carrier="tool")

SITE = "https://example.com/mcp"

sources = decisions("icons/source", "icons.source")
sources("same-origin", "An address of the origin of the server", src="https://example.com/icon.png", server=SITE)
sources("same-origin-port", "The default port changes no origin", src="https://example.com:443/icon.png", server=SITE)
sources("same-origin-case", "Hosts do not differ in case", src="HTTPS://EXAMPLE.com/icon.png", server=SITE)
sources("data", "Data needs no fetching", src=DATA["src"], server=SITE)
sources("data-stdio", "Data from a server that has no origin", src=DATA["src"])
sources("data-capitals", "Schemes do not differ in case", src="DATA:image/png;base64,iVBORw0KGgo=", server=SITE)
sources("other-host", "An address of another host", src="https://cdn.example.net/icon.png", server=SITE)
sources(
    "trusted-host",
    "An address of a trusted host",
    src="https://cdn.example.net/icon.png",
    server=SITE,
    trusted_hosts=["cdn.example.net"],
)
sources("subdomain", "A subdomain is another origin", src="https://static.example.com/icon.png", server=SITE)
sources("other-port", "Another port is another origin", src="https://example.com:8443/icon.png", server=SITE)
sources(
    "user-part",
    "What stands before an at sign is no host",
    src="https://example.com@evil.example/icon.png",
    server=SITE,
)
sources(
    "backslash", "A text with a backslash is no address", src="https://example.com\\@evil.example/icon.png", server=SITE
)
sources("no-host", "An address without a host", src="https:///icon.png", server=SITE)
sources("no-host-stdio", "An address without a host from a server that has no origin", src="https:///icon.png")
sources("stdio", "A server that has no origin", src="https://example.com/icon.png")
sources("http-stdio", "Plain HTTP from a server that has no origin", src="http://example.com/icon.png")
sources(
    "stdio-trusted",
    "A trusted host and a server that has no origin",
    src="https://example.com/icon.png",
    trusted_hosts=["example.com"],
)
sources("http", "Plain HTTP from a server that is reached by HTTPS", src="http://example.com/icon.png", server=SITE)
sources(
    "http-same-origin",
    "Plain HTTP from a server that is reached by it",
    src="http://localhost:3000/icon.png",
    server="http://localhost:3000/mcp",
)
sources(
    "http-other-host",
    "Plain HTTP from another host",
    src="http://localhost:4000/icon.png",
    server="http://localhost:3000/mcp",
)
sources(
    "https-http-server",
    "HTTPS for a server that is reached by HTTP",
    src="https://localhost:3000/icon.png",
    server="http://localhost:3000/mcp",
)
for slug, title, src in (
    ("script", "A script", "javascript:alert(1)"),
    ("script-capitals", "A script in capitals", "JavaScript:alert(1)"),
    ("script-hidden", "A script with a line end in its scheme", "java\nscript:alert(1)"),
    ("file", "A file", "file:///etc/passwd"),
    ("ftp", "An address of FTP", "ftp://example.com/icon.png"),
    ("ws", "An address of a web socket", "ws://example.com/icon.png"),
    ("wss", "An address of a secure web socket", "wss://example.com/icon.png"),
    ("app", "An address of an app", "vscode://file/icon.png"),
    ("extension", "An address of a browser extension", "chrome-extension://abcdef/icon.png"),
    ("blob", "An address of a blob", "blob:https://example.com/1"),
    ("relative", "A relative address", "/icon.png"),
    ("scheme-relative", "An address without a scheme", "//example.com/icon.png"),
):
    sources(slug, title, src=src, server=SITE)

redirects = decisions("icons/redirect", "icons.may-follow")
SRC = "https://example.com/icon.png"
redirects("path", "Another path", src=SRC, location="/v2/icon.png")
redirects("relative", "A relative path", src=SRC, location="icon-v2.png")
redirects("same-origin", "An absolute address of the same origin", src=SRC, location="https://example.com/v2/icon.png")
redirects("default-port", "The default port written out", src=SRC, location="https://example.com:443/v2/icon.png")
redirects("other-host", "Another host", src=SRC, location="https://cdn.example.net/icon.png")
redirects("scheme-relative", "Another host without a scheme", src=SRC, location="//cdn.example.net/icon.png")
redirects("subdomain", "A subdomain", src=SRC, location="https://www.example.com/icon.png")
redirects("other-port", "Another port", src=SRC, location="https://example.com:8443/icon.png")
redirects("downgrade", "From HTTPS to HTTP", src=SRC, location="http://example.com/icon.png")
redirects("upgrade", "From HTTP to HTTPS", src="http://example.com/icon.png", location="https://example.com/icon.png")
redirects(
    "no-host", "Addresses without a host have no origin", src="https:///icon.png", location="https:///v2/icon.png"
)
redirects("file", "A file", src=SRC, location="file:///etc/passwd")
redirects("script", "A script", src=SRC, location="javascript:alert(1)")
redirects("data", "Data", src=SRC, location=DATA["src"])
redirects(
    "metadata-service",
    "An address inside the own network",
    src=SRC,
    location="http://169.254.169.254/latest/meta-data/",
)

headers = decisions("icons/request-headers", "icons.request-headers")
headers("none", "A request without headers", headers={})
headers("accept", "Headers that tell nothing of the client", headers={"Accept": "image/*"})
headers("cookie", "A cookie", headers={"Accept": "image/*", "Cookie": "session=1"})
headers("authorization", "An access token", headers={"Accept": "image/*", "Authorization": "Bearer token"})
headers("lower-case", "A header name in lower case", headers={"Accept": "image/*", "authorization": "Bearer token"})
headers("cookie-capitals", "A header name in capitals", headers={"Accept": "image/*", "COOKIE": "session=1"})

ALLOWED = ["image/png", "image/jpeg", "image/svg+xml", "image/webp"]

rendering = decisions("icons/render", "icons.may-render")
for slug, content, mime_type in (
    ("png", PNG, "image/png"),
    ("jpeg", JPEG, "image/jpeg"),
    ("webp", WEBP, "image/webp"),
    ("svg", SVG, "image/svg+xml"),
):
    rendering(slug, f"{slug.upper()} bytes stated as such", content=text(content), allowed=ALLOWED, mime_type=mime_type)
    rendering(f"{slug}-unstated", f"{slug.upper()} bytes of no stated type", content=text(content), allowed=ALLOWED)
    rendering(
        f"html-as-{slug}", f"HTML stated as {mime_type}", content=text(HTML), allowed=ALLOWED, mime_type=mime_type
    )
rendering("gif", "A type that is not on the list", content=text(GIF), allowed=ALLOWED, mime_type="image/gif")
rendering(
    "gif-allowed",
    "A type that is on a longer list",
    content=text(GIF),
    allowed=[*ALLOWED, "image/gif"],
    mime_type="image/gif",
)
rendering("png-not-allowed", "A list without PNG", content=text(PNG), allowed=["image/jpeg"], mime_type="image/png")
rendering(
    "svg-not-allowed",
    "A list without SVG",
    content=text(SVG),
    allowed=["image/png", "image/jpeg"],
    mime_type="image/svg+xml",
)
rendering(
    "svg-xml",
    "SVG after an XML declaration",
    content=text(b'<?xml version="1.0"?>\n' + SVG),
    allowed=ALLOWED,
    mime_type="image/svg+xml",
)
rendering(
    "other-xml",
    "XML that is no SVG",
    content=text(b'<?xml version="1.0"?>\n<html/>'),
    allowed=ALLOWED,
    mime_type="image/svg+xml",
)
rendering("jpg", "The alias image/jpg", content=text(JPEG), allowed=ALLOWED, mime_type="image/jpg")
rendering("jpg-allowed", "The alias on the list", content=text(JPEG), allowed=["image/jpg"], mime_type="image/jpeg")
rendering("capitals", "MIME types do not differ in case", content=text(PNG), allowed=ALLOWED, mime_type="IMAGE/PNG")
rendering(
    "parameter",
    "A parameter is no part of the type",
    content=text(SVG),
    allowed=ALLOWED,
    mime_type="image/svg+xml; charset=utf-8",
)
rendering("svg-as-png", "SVG stated as PNG", content=text(SVG), allowed=ALLOWED, mime_type="image/png")
rendering("png-as-jpeg", "PNG stated as JPEG", content=text(PNG), allowed=ALLOWED, mime_type="image/jpeg")
rendering("gif-as-png", "GIF stated as PNG", content=text(GIF), allowed=ALLOWED, mime_type="image/png")
rendering("html-unstated", "HTML of no stated type", content=text(HTML), allowed=ALLOWED)
rendering("empty", "No bytes", content="", allowed=ALLOWED, mime_type="image/png")
rendering("cut-short", "The start of a signature", content=text(PNG[:4]), allowed=ALLOWED, mime_type="image/png")
rendering(
    "riff-not-webp",
    "Another kind of RIFF file",
    content=text(b"RIFF\x24\0\0\0WAVEfmt "),
    allowed=ALLOWED,
    mime_type="image/webp",
)
rendering(
    "served-right",
    "The type that came with the bytes is right",
    content=text(PNG),
    allowed=ALLOWED,
    served_type="image/png",
)
rendering(
    "served-wrong",
    "The type that came with the bytes is wrong",
    content=text(PNG),
    allowed=ALLOWED,
    served_type="text/html",
)
rendering(
    "served-generic",
    "A generic type leaves it to mimeType",
    content=text(PNG),
    allowed=ALLOWED,
    served_type="application/octet-stream",
    mime_type="image/png",
)
rendering(
    "served-generic-wrong",
    "A generic type leaves it to a wrong mimeType",
    content=text(PNG),
    allowed=ALLOWED,
    served_type="application/octet-stream",
    mime_type="image/jpeg",
)
rendering(
    "served-generic-alone",
    "A generic type states nothing",
    content=text(PNG),
    allowed=ALLOWED,
    served_type="application/octet-stream",
)

types = decisions("icons/supported-types", "icons.supported-types")
ALL = ["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"]
types("all", "All five types", supported=ALL)
types("more", "A further type", supported=[*ALL, "image/gif"])
types("capitals", "MIME types do not differ in case", supported=["IMAGE/PNG", *ALL[1:]])
for missing in ALL:
    slug = missing.removeprefix("image/").replace("+", "-")
    types(f"no-{slug}", f"All but {missing}", supported=[name for name in ALL if name != missing])
types("required-only", "The required types alone", supported=ALL[:3])
types("none", "No type", supported=[])
