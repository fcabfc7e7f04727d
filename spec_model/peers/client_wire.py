"""What a client is given, what happens to it, and what it does: the vocabulary of `peers.client`.

All times are milliseconds on the client's own clock.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from spec_model.semantics.era import Transport
from spec_model.semantics.revisions import Era
from spec_model.wire.values import Json, JsonObject


class ClientSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One client and the server that it is pointed at.

    `speaks` holds its versions, most preferred first; `remembered` is the era of this server that it kept from before.
    Over HTTP, `token` is the credential that it presents, and `old_transport` says that it also speaks HTTP+SSE.
    `answers` holds its answers to requests for input, by method. `own_lifetime_ms` is the lifetime that it sets itself
    for results without hints, where it does so.
    """

    transport: Transport = Transport.STDIO
    speaks: list[str] = msgspec.field(default_factory=lambda: ["2026-07-28"])
    remembered: Era | None = None
    capabilities: JsonObject = msgspec.field(default_factory=dict)
    answers: JsonObject = msgspec.field(default_factory=dict)
    url: str = "https://mcp.example/mcp"
    token: str = ""
    old_transport: bool = False
    own_lifetime_ms: int = 60_000
    probe_timeout_ms: int = 10_000
    handshake_timeout_ms: int = 30_000
    request_timeout_ms: int = 60_000
    exit_wait_ms: int = 5_000
    terminate_wait_ms: int = 2_000


# --- what happens to a client ---------------------------------------------------------------------------------------


class Output(msgspec.Struct, frozen=True):
    """A line on the server's standard output, without its newline."""

    data: bytes


class ErrorOutput(msgspec.Struct, frozen=True):
    """Text on the server's standard error."""

    text: str


class Exited(msgspec.Struct, frozen=True):
    """The server process is gone."""


class Answered(msgspec.Struct, frozen=True):
    """The whole HTTP response of an exchange, which is no event stream. Header names are in lower case."""

    exchange: int
    status: int
    headers: dict[str, str]
    body: bytes = b""


class StreamOpened(msgspec.Struct, frozen=True):
    """The head of an HTTP response whose body is an event stream."""

    exchange: int
    status: int
    headers: dict[str, str]


class StreamEvent(msgspec.Struct, frozen=True):
    """One event of a stream: its name and its data."""

    exchange: int
    data: str
    name: str = "message"


class StreamEnded(msgspec.Struct, frozen=True):
    """The stream of an exchange is over, whoever ended it."""

    exchange: int


class NotSent(msgspec.Struct, frozen=True):
    """No connection came about for an exchange."""

    exchange: int


Event: TypeAlias = Output | ErrorOutput | Exited | Answered | StreamOpened | StreamEvent | StreamEnded | NotSent


# --- what a client does ---------------------------------------------------------------------------------------------


class Spawn(msgspec.Struct, frozen=True):
    """The server process is started."""


class Write(msgspec.Struct, frozen=True):
    """Bytes go to the server's standard input."""

    data: bytes


class CloseInput(msgspec.Struct, frozen=True):
    """The server's standard input is closed."""


class Terminate(msgspec.Struct, frozen=True):
    """The server process is told to end, in a way that it can handle (`SIGTERM`)."""


class Kill(msgspec.Struct, frozen=True):
    """The server process is ended (`SIGKILL`, `TerminateProcess`)."""


class Post(msgspec.Struct, frozen=True):
    """An HTTP POST. Header names are in lower case."""

    exchange: int
    url: str
    headers: dict[str, str]
    body: bytes


class Get(msgspec.Struct, frozen=True):
    """An HTTP GET. Header names are in lower case."""

    exchange: int
    url: str
    headers: dict[str, str]


class CloseStream(msgspec.Struct, frozen=True):
    """The client closes the response stream of an exchange."""

    exchange: int


class Return(msgspec.Struct, frozen=True):
    """A call ends with a value."""

    call: str
    value: Json


class Raise(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call ends with an error. `code` is that of the JSON-RPC error where the server sent one."""

    call: str
    kind: str
    code: int | None = None


Effect: TypeAlias = Spawn | Write | CloseInput | Terminate | Kill | Post | Get | CloseStream | Return | Raise
