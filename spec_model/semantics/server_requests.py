"""How a server tells the era of a request, and what can be wrong with one before its handler sees it.

Source: basic/versioning, basic/index#meta, 2025-11-25/basic/lifecycle#version-negotiation,
2025-03-26/basic/index#batching.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

from spec_model.requirements.choice import Choice, Profile
from spec_model.requirements.choices import (
    InitializeWithModernMarker,
    InitializeWithModernMeta,
    LegacyServerReaction,
    LegacyVersionInMeta,
    ModernMarker,
    PartialMetadataInSession,
)
from spec_model.semantics import metadata
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.errors import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, UNSUPPORTED_VERSION
from spec_model.semantics.functions import function
from spec_model.semantics.meta_keys import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION
from spec_model.semantics.revisions import REVISIONS, Era, era_of
from spec_model.semantics.server import (
    Accept,
    Answer,
    Batch,
    Error,
    Handshake,
    One,
    Refuse,
    Serve,
    Server,
    Silence,
    Transport,
    implements,
    supported_versions,
)
from spec_model.semantics.server_messages import (
    Malformed,
    Request,
    answer_malformed,
    no_id,
    read,
)
from spec_model.semantics.versions import Names, RefusesVersion, negotiate
from spec_model.wire.values import ABSENT, Absent, Json, is_string, member

C = TypeVar("C", bound=Choice)

_OTHER_KEYS: Final = (CLIENT_INFO, CLIENT_CAPABILITIES, LOG_LEVEL)
_BATCHES: Final = "2025-03-26"

# No legacy revision fixes the HTTP status of an error.
_WITHOUT_STATUS: Final[Transport] = "stdio"


# --- a request of this revision --------------------------------------------------------------------------------------


@function("server.is-modern")
def is_modern(profile: Profile, message: Json, header: str | Absent = ABSENT) -> Decision[bool]:
    """Whether a dual-era server takes a request outside any legacy session for one of this revision; `initialize` is
    none where it opens a legacy session.

    `header` is the value of MCP-Protocol-Version; left out on stdio, and where the request has none.

    Source: basic/versioning#compatibility-matrix.
    """
    meta = member(message, "params", "_meta")
    if member(message, "method") == "initialize":
        opens = opens_handshake(profile, meta, header)
        return decide(not opens, "interop.dual-server.initialize-selects-legacy", "interop.dual-server.modern-request")
    return decide(declares_modern(profile, meta, header), "interop.dual-server.modern-request")


def declares_modern(profile: Profile, meta: Json | Absent, header: str | Absent) -> bool:
    """The same for the `_meta` of a request."""
    if member(meta, PROTOCOL_VERSION) is not ABSENT:
        return True
    if any(member(meta, key) is not ABSENT for key in _OTHER_KEYS):
        return profile[ModernMarker] is not ModernMarker.VERSION_KEY_ONLY
    if names_modern(header):
        return profile[ModernMarker] is ModernMarker.ANY_KEY_OR_MODERN_HEADER
    return False


def declares_modern_in_session(profile: Profile, meta: Json | Absent) -> bool:
    """Whether the `_meta` of a request in a live legacy session is that of this revision."""
    if member(meta, PROTOCOL_VERSION) is not ABSENT:
        return True
    partial = profile[PartialMetadataInSession] is PartialMetadataInSession.MALFORMED_MODERN_REQUEST
    return partial and any(member(meta, key) is not ABSENT for key in _OTHER_KEYS)


def names_modern(version: Json | Absent) -> bool:
    """Whether `version` is the name of a modern version, known or not."""
    return is_string(version) and era_of(version) is Era.MODERN


class Fault(enum.Enum):
    """What can be wrong with a request of this revision before its handler sees it."""

    METADATA = "metadata"
    HEADER = "header"
    VERSION = "version"
    METHOD = "method"


Order = Sequence[Fault]
Faults = Mapping[Fault, Decision[Answer] | None]


def metadata_fault(profile: Profile, request: Request, transport: Transport) -> Decision[Answer] | None:
    """The error for the metadata of a request, None where nothing there keeps it from being served.

    Source: basic/index#meta.
    """
    return _as_error(request, metadata.metadata_fault(profile, transport, request.params))


def other_metadata_fault(profile: Profile, request: Request, transport: Transport) -> Decision[Answer] | None:
    """The same where the version key has been dealt with."""
    fault = (
        metadata.container_fault(profile, transport, request.params)
        or metadata.capabilities_fault(transport, request.params)
        or metadata.log_level_fault(profile, transport, request.params)
        or metadata.optional_fault(profile, transport, request.params)
    )
    return _as_error(request, fault)


def _as_error(request: Request, fault: Decision[metadata.Admit | metadata.Refuse] | None) -> Decision[Answer] | None:
    if fault is None or isinstance(fault.outcome, metadata.Admit):
        return None
    return Decision(Error(fault.outcome.code, request.id, fault.outcome.status), fault.because)


def version_fault(profile: Profile, server: Server, request: Request, requested: str) -> Decision[Answer] | None:
    """The error for a request of the version `requested`, None where the server takes it in that form.

    Source: basic/versioning#protocol-version-negotiation.
    """
    if requested in server.modern:
        return None
    if requested in server.legacy and profile[LegacyVersionInMeta] is not LegacyVersionInMeta.UNSUPPORTED_VERSION:
        return None
    if requested in server.legacy:
        return unsupported(profile, server, request, requested).after("interop.era.legacy")
    known = "versioning.mismatch.known-unsupported" if requested in REVISIONS else "versioning.mismatch.unknown"
    return unsupported(profile, server, request, requested).after(known)


def unsupported(profile: Profile, server: Server, request: Request, requested: str) -> Decision[Answer]:
    """The unsupported-version error."""
    listed: list[Json] = [*supported_versions(profile, server).outcome]
    return decide(
        Error(UNSUPPORTED_VERSION, request.id, data={"supported": listed, "requested": requested}),
        "versioning.mismatch.lists-supported",
        "versioning.mismatch.echoes-requested",
        "errors.code.unsupported-version",
    )


def method_fault(profile: Profile, server: Server, request: Request, version: str) -> Decision[Answer] | None:
    """The error for a method that the server does not implement under `version`, None where it does."""
    known = implements(profile, server, version, request.method)
    return None if known.outcome else Decision(Error(METHOD_NOT_FOUND, request.id), known.because)


def reported(faults: Faults, order: Mapping[C, Order], profile: Profile, choice: type[C]) -> Decision[Answer] | None:
    """The fault that is reported, by the order that the profile has."""
    found = {fault: error for fault, error in faults.items() if error is not None}
    if not found:
        return None
    return next(found[fault] for fault in order[profile[choice]] if fault in found)


def served(server: Server, request: Request, version: str) -> Decision[Answer]:
    """A request of this revision without a fault is carried out, whatever came before it."""
    era = "interop.dual-server.modern-request" if server.legacy else "interop.matrix.modern-modern"
    decision: Decision[Answer] = decide(
        Serve(version), era, "versioning.request.decided-independently", "versioning.request.no-handshake"
    )
    if request.meta(CLIENT_INFO) is ABSENT:
        return decision.after("meta.request.client-info-optional")
    return decision


# --- a legacy request ------------------------------------------------------------------------------------------------


def opens_handshake(profile: Profile, meta: Json | Absent, header: str | Absent) -> bool:
    """Whether a dual-era server takes an `initialize` with this `_meta` for the opening of a legacy session."""
    if names_modern(member(meta, PROTOCOL_VERSION)):
        return profile[InitializeWithModernMeta] is InitializeWithModernMeta.LEGACY_HANDSHAKE
    marked = names_modern(header) or any(member(meta, key) is not ABSENT for key in (PROTOCOL_VERSION, *_OTHER_KEYS))
    counts = profile[InitializeWithModernMarker] is InitializeWithModernMarker.MALFORMED_MODERN_REQUEST
    return not (marked and counts)


def handshake(profile: Profile, server: Server, request: Request) -> Decision[Answer]:
    """The answer to an `initialize` that opens a legacy session.

    Source: 2025-11-25/basic/lifecycle#version-negotiation.
    """
    requested = member(request.params, "protocolVersion")
    if not is_string(requested):
        return decide(
            Error(INVALID_PARAMS, request.id), "legacy.init.request-protocol-version", "errors.standard.invalid-params"
        )
    named = negotiate(server.versions, requested, profile)
    if isinstance(named.outcome, RefusesVersion):
        return Decision(Error(named.outcome.code, request.id), named.because)
    assert isinstance(named.outcome, Names)
    settled: Decision[Answer] = Decision(Handshake(named.outcome.version), named.because)
    if not server.modern:
        return settled.after("interop.matrix.legacy-legacy")
    return settled.after("interop.matrix.legacy-dual-initialize", "interop.dual-server.initialize-selects-legacy")


def legacy_request(profile: Profile, server: Server, request: Request, version: str) -> Decision[Answer]:
    """A request under legacy semantics."""
    malformed = _as_error(request, metadata.container_fault(profile, _WITHOUT_STATUS, request.params))
    fault = method_fault(profile, server, request, version) or malformed
    if fault is not None:
        return fault
    return decide(Serve(version), "interop.matrix.legacy-dual" if server.modern else "interop.matrix.legacy-legacy")


def before_handshake(profile: Profile, server: Server, request: Request, transport: Transport) -> Decision[Answer]:
    """What a legacy-only server does with a request that no handshake preceded.

    Source: basic/versioning#compatibility-matrix.
    """
    because = (
        "interop.matrix.modern-legacy",
        "interop.matrix.modern-legacy-reactions",
        "legacy.init.first-interaction",
    )
    refused = Refuse(request.id) if transport == "stdio" else Refuse(status=400)
    match profile[LegacyServerReaction]:
        case LegacyServerReaction.REFUSE:
            return decide(refused, *because)
        case LegacyServerReaction.SILENCE:
            return decide(refused if transport == "http" else Silence(), *because)
        case LegacyServerReaction.LEGACY_SEMANTICS:
            return legacy_request(profile, server, request, max(server.legacy)).after(*because)


def on_batch(
    profile: Profile, server: Server, members: list[Json], session: str | None, transport: Transport
) -> Decision[Answer]:
    """A JSON array, received in a legacy session of this version or outside one where it is None.

    Source: 2025-03-26/basic/index#batching, 2025-06-18/changelog#major-changes, basic/transports/stdio.
    """
    if members and session == _BATCHES:
        answers = [answer for one in members for answer in _in_batch(profile, server, one, session)]
        unanswered = Silence() if transport == "stdio" else Accept()
        return decide(Batch(answers) if answers else unanswered, "legacy.batch.receive")
    refused = answer_malformed(profile, transport, decide(Malformed(ABSENT), "base.jsonrpc.conforms"))
    if session is not None and session > _BATCHES:
        return refused.after("legacy.batch.removed")
    return refused.after("stdio.framing.single-message") if transport == "stdio" else refused


def _in_batch(profile: Profile, server: Server, message: Json, version: str) -> Iterator[One]:
    match read(profile, message).outcome:
        case Malformed(request_id):
            yield Error(INVALID_REQUEST, no_id(profile) if request_id is ABSENT else request_id)
        case Request() as request:
            answer = legacy_request(profile, server, request, version).outcome
            assert not isinstance(answer, Batch)
            yield answer
