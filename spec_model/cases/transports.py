"""Cases of what every transport owes a message: encoding, metadata, and the signal that abandons a request."""

from __future__ import annotations

import base64
from typing import Any

from spec_model.cases.messages import BAD, MALFORMED
from spec_model.cases.table import decisions

encodings = decisions("transport/encoding", "transport.encoding")


def _text(content: str) -> str:
    return f'{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"complete","text":"{content}"}}}}'


def _octets(data: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(data).decode()}


def _with(bad: bytes) -> dict[str, str]:
    """A message with these bytes inside a string."""
    return _octets(_text("@").encode().replace(b"@", bad))


encodings("ascii", "ASCII is UTF-8", message=_text("resume"))
encodings("two-bytes", "A letter of two bytes is UTF-8", message=_text("résumé"))
encodings(
    "four-bytes", "A character beyond the basic plane is UTF-8", message=_text("\N{WRITING HAND}\N{GRINNING FACE}")
)
encodings("escaped", "An escaped lone surrogate is a matter of JSON and not of the encoding", message=_text("\\ud800"))
encodings("no-json", "Text that is no JSON can be UTF-8 all the same", message="Listening on stdio")
encodings("latin-1", "A letter in Latin-1 is not UTF-8", message=_with(b"r\xe9sum\xe9"))
encodings("windows-1252", "Quotation marks in Windows-1252 are not UTF-8", message=_with(b"\x93quoted\x94"))
encodings("overlong", "An overlong form is not UTF-8", message=_with(b"\xc0\xaf"))
encodings("surrogate", "A surrogate in three bytes is not UTF-8", message=_with(b"\xed\xa0\x80"))
encodings("cut-off", "A character that is cut off is not UTF-8", message=_with(b"\xf0\x9f\x98"))
for _codec, _name in (
    ("utf-16-le", "UTF-16 with the low byte first"),
    ("utf-16-be", "UTF-16 with the high byte first"),
    ("utf-32-le", "UTF-32 with the low byte first"),
    ("utf-32-be", "UTF-32 with the high byte first"),
):
    encodings(
        _codec,
        f"{_name} is not UTF-8, even where all its bytes are ASCII",
        message=_octets(_text("resume").encode(_codec)),
    )
encodings(
    "utf-16-mark",
    "UTF-16 with a byte order mark is not UTF-8",
    message=_octets(b"\xff\xfe" + _text("resume").encode("utf-16-le")),
)

metadata = decisions("transport/metadata", "transport.metadata", MALFORMED)

_VERSION = "2026-07-28"


def _request(method: str = "tools/call", version: Any = _VERSION, **params: Any) -> dict[str, Any]:
    meta = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}
    if version is None:
        del meta["io.modelcontextprotocol/protocolVersion"]
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}


_CALL = _request(name="add", arguments={})
_COPY = {"protocol_version": _VERSION, "method": "tools/call", "name": "add"}

metadata("no-envelope", "A request has its metadata without any envelope", message=_CALL, envelope={})
metadata("agrees", "An envelope that agrees with the body changes nothing", message=_CALL, envelope=_COPY)
metadata(
    "version-differs",
    "The version of the body counts against the envelope",
    message=_CALL,
    envelope={**_COPY, "protocol_version": "2025-11-25"},
)
metadata(
    "other-version",
    "The version of the body counts whatever it is",
    message=_request(version="2025-11-25", name="add", arguments={}),
    envelope=_COPY,
)
metadata(
    "method-differs",
    "The method of the body counts against the envelope",
    message=_CALL,
    envelope={**_COPY, "method": "tools/list"},
)
metadata(
    "method-case",
    "A method in other letters is another method",
    message=_CALL,
    envelope={**_COPY, "method": "Tools/Call"},
)
metadata(
    "name-differs", "The name of the body counts against the envelope", message=_CALL, envelope={**_COPY, "name": "sub"}
)
metadata(
    "all-differ",
    "Each difference is one of its own",
    message=_CALL,
    envelope={"protocol_version": "2025-11-25", "method": "tools/list", "name": "sub"},
)
metadata(
    "version-missing",
    "A version in the envelope is no replacement for one in the body, and differs from none",
    _flags=BAD,
    message=_request(version=None, name="add", arguments={}),
    envelope=_COPY,
)
metadata(
    "version-no-string",
    "A version of the body that is no string is none to compare with",
    _flags=BAD,
    message=_request(version=20260728, name="add", arguments={}),
    envelope={**_COPY, "protocol_version": "20260728"},
)
metadata("uri", "The name of a read is its URI", message=_request("resources/read", uri="file:///a"), envelope={})
metadata(
    "uri-differs",
    "The URI of the body counts against the envelope",
    message=_request("resources/read", uri="file:///a"),
    envelope={"name": "file:///b"},
)
metadata("prompt", "The name of a prompt is its name", message=_request("prompts/get", name="greet"), envelope={})
metadata(
    "no-name",
    "A request without a name has none, whatever its params",
    message=_request("tools/list", name="add"),
    envelope={},
)
metadata(
    "name-of-nothing",
    "A name in the envelope gives a request without a name none, and differs from none",
    message=_request("tools/list"),
    envelope={"name": "add"},
)
metadata(
    "name-no-string",
    "A name of the body that is no string is none to compare with",
    _flags=BAD,
    message=_request(name=7, arguments={}),
    envelope={**_COPY, "name": "7"},
)
metadata(
    "version-missing-method-differs",
    "A missing version does not hide another difference",
    _flags=BAD,
    message=_request(version=None, name="add", arguments={}),
    envelope={**_COPY, "method": "tools/list"},
)
metadata("no-object", "What is no object has no metadata", _flags=BAD, message=["tools/call"], envelope=_COPY)

abandon = decisions("transport/abandon", "transport.abandon")
abandon(
    "stdio",
    "On stdio a client sends the notification with the id of the request",
    _see=("field:can-abandon-is-noop",),
    transport="stdio",
    request_id=3,
)
abandon("stdio-string-id", "On stdio the notification has a string id as a string", transport="stdio", request_id="3")
abandon("stdio-zero", "On stdio the id 0 is an id like any other", transport="stdio", request_id=0)
abandon(
    "stdio-answered",
    "On stdio nothing is sent for a request that is answered",
    transport="stdio",
    request_id=3,
    answered=True,
)
abandon(
    "http",
    "Over HTTP a client closes the response stream and sends nothing",
    _see=("field:can-abandon-is-noop", "field:can-notification-on-http"),
    transport="http",
    request_id=3,
)
abandon(
    "http-answered",
    "Over HTTP there is no stream to close for a request that is answered",
    transport="http",
    request_id=3,
    answered=True,
)
