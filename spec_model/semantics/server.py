"""A server as the rules see it: what it implements, and what it can do with a message.

Source: basic/versioning#protocol-version-negotiation, basic/index#error-codes, changelog.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import ListenMandatory, RefusalBody, SupportedListContent
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.functions import function
from spec_model.semantics.removed import METHODS, Dropped, InExtension
from spec_model.semantics.revisions import Era, era_of, of_era
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_object, member

Transport: TypeAlias = Literal["stdio", "http"]


class Server(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A server: the versions that it implements, the capabilities that it advertises, methods of its own, and whether
    over HTTP it assigns a session in a legacy handshake and demands it afterwards."""

    versions: list[str]
    capabilities: JsonObject = {}
    methods: list[str] = []
    sessions: bool = True

    @property
    def modern(self) -> list[str]:
        """Its modern versions."""
        return of_era(self.versions, Era.MODERN)

    @property
    def legacy(self) -> list[str]:
        """Its legacy versions."""
        return of_era(self.versions, Era.LEGACY)


# --- what it can do with a message -----------------------------------------------------------------------------------


class Serve(msgspec.Struct, frozen=True, tag_field="action", tag="serve"):
    """The request is carried out under `version`."""

    version: str


class Handshake(msgspec.Struct, frozen=True, tag_field="action", tag="handshake"):
    """`initialize` is answered with a result that names `version`, and legacy semantics begin."""

    version: str


class Error(msgspec.Struct, frozen=True, tag_field="action", tag="error"):
    """A JSON-RPC error with this code. `id` is left out where the error has none; `status` is that of the HTTP
    response, left out on stdio and in a legacy session; `data` is left out where its content is free, and lists
    versions newest first, whatever their order on the wire."""

    code: int
    id: Json | Absent = ABSENT
    status: int | Absent = ABSENT
    data: JsonObject | Absent = ABSENT


class Refuse(msgspec.Struct, frozen=True, tag_field="action", tag="refuse"):
    """A refusal whose code is left to the implementation: on stdio an error with the `id` of the request; on HTTP a
    response of this `status`, with or without a JSON-RPC error unless `body` says more."""

    id: Json | Absent = ABSENT
    status: int | Absent = ABSENT
    body: RefusalBody | Absent = ABSENT


class RefuseNotification(msgspec.Struct, frozen=True, tag_field="action", tag="refuse-notification"):
    """An HTTP error status of the server's choosing, with no body or with a JSON-RPC error that has no id."""


class Accept(msgspec.Struct, frozen=True, tag_field="action", tag="accept"):
    """Over HTTP the message is taken: the status is 202 and the body empty."""


class Silence(msgspec.Struct, frozen=True, tag_field="action", tag="silence"):
    """On stdio nothing is written, be the message taken or not."""


class LegacyTransport(msgspec.Struct, frozen=True, tag_field="action", tag="legacy-transport"):
    """The legacy revisions that the server implements decide."""


One = Serve | Handshake | Error | Refuse | RefuseNotification | Accept | Silence | LegacyTransport


class Batch(msgspec.Struct, frozen=True, tag_field="action", tag="batch"):
    """Each request of a batch is answered; `answers` stand in the order of the requests, whatever their order on the
    wire."""

    answers: list[One]


Answer = One | Batch


# --- what it implements ----------------------------------------------------------------------------------------------


@function("server.supported-versions")
def supported_versions(profile: Profile, server: Server) -> Decision[list[str]]:
    """The versions that a server lists in its discovery result and in an unsupported-version error.

    Newest first; their order on the wire is free.

    Source: basic/versioning#protocol-version-negotiation, server/discover#discoverresult.
    """
    because = ("versioning.mismatch.lists-supported", "discovery.result.supported-versions")
    if server.legacy and profile[SupportedListContent] is SupportedListContent.MODERN_ONLY:
        return decide(sorted(server.modern, reverse=True), *because)
    return decide(sorted(server.versions, reverse=True), *because)


# Each method with the path of the capability that it is gated by.
_FEATURES: Final[Mapping[str, tuple[str, ...]]] = {
    "tools/list": ("tools",),
    "tools/call": ("tools",),
    "prompts/list": ("prompts",),
    "prompts/get": ("prompts",),
    "resources/list": ("resources",),
    "resources/templates/list": ("resources",),
    "resources/read": ("resources",),
    "completion/complete": ("completions",),
}
_LEGACY_METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "initialize": (),
    "ping": (),
    "logging/setLevel": ("logging",),
    "resources/subscribe": ("resources", "subscribe"),
    "resources/unsubscribe": ("resources", "subscribe"),
}

_LISTEN_CAPABILITIES: Final = (
    ("tools", "listChanged"),
    ("prompts", "listChanged"),
    ("resources", "listChanged"),
    ("resources", "subscribe"),
)


@function("server.implements")
def implements(profile: Profile, server: Server, version: str, method: str) -> Decision[bool]:
    """Whether a server that advertises these capabilities implements a method under a protocol version.

    A method that it does not implement is an unknown one to its clients.

    Source: basic/index#error-codes, changelog#major-changes.
    """
    if era_of(version) is Era.LEGACY:
        path = _LEGACY_METHODS.get(method, _FEATURES.get(method))
        return decide(_advertises(server, path) or method in server.methods, "errors.standard.method-not-found")
    if method == "server/discover":
        return decide(True, "discovery.method.implemented")
    if method == "subscriptions/listen":
        return _implements_listen(profile, server)
    row = next((row for one, row in METHODS.items() if one.value == method), None)
    if row is not None and isinstance(row.now, Dropped):
        return decide(False, *row.because, "errors.standard.method-not-found")
    if row is not None and isinstance(row.now, InExtension):
        extension = ("extensions", row.now.extension)
        return decide(_advertises(server, extension), *row.because, "errors.standard.method-not-found")
    known = _advertises(server, _FEATURES.get(method)) or method in server.methods
    return decide(known, "errors.standard.method-not-found", "discovery.result.capabilities-accurate")


def _implements_listen(profile: Profile, server: Server) -> Decision[bool]:
    match profile[ListenMandatory]:
        case ListenMandatory.MANDATORY:
            return decide(True, "base.core.message-patterns")
        case ListenMandatory.ONLY_WITH_CAPABILITY:
            announces = any(_advertises(server, path) for path in _LISTEN_CAPABILITIES)
            return decide(announces, "errors.standard.method-not-found")


def _advertises(server: Server, path: tuple[str, ...] | None) -> bool:
    """Whether the server advertises the capability at `path`: a flag is true, any other capability an object."""
    if path is None:
        return False
    value = member(server.capabilities, *path)
    return value is True if path[-1:] in (("listChanged",), ("subscribe",)) else is_object(value)
