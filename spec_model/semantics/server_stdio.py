"""What a server does with a message on stdio.

Source: basic/versioning#compatibility-matrix, basic/index#meta, basic/transports/stdio.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    LegacyVersionInMeta,
    MixedErasOnProcess,
    RequestWithoutOpening,
    StdioFaultOrder,
)
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.errors import INVALID_PARAMS
from spec_model.semantics.functions import function
from spec_model.semantics.meta_keys import PROTOCOL_VERSION
from spec_model.semantics.server import Answer, Error, Refuse, Server, Silence
from spec_model.semantics.server_messages import Malformed, Notification, Request, answer_malformed, is_response, read
from spec_model.semantics.server_requests import (
    Fault,
    Order,
    before_handshake,
    declares_modern,
    declares_modern_in_session,
    handshake,
    legacy_request,
    metadata_fault,
    method_fault,
    on_batch,
    opens_handshake,
    reported,
    served,
    version_fault,
)
from spec_model.wire.values import ABSENT, Json, is_string


class Process(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happened on a process before: the era of the first request that was served, and the version that a handshake
    settled on, null where there was none."""

    first: Literal["nothing", "modern", "legacy"] = "nothing"
    handshake: str | None = None


_ORDERS: Final[Mapping[StdioFaultOrder, Order]] = {
    StdioFaultOrder.METADATA_VERSION_METHOD_PARAMS: (Fault.METADATA, Fault.VERSION, Fault.METHOD),
    StdioFaultOrder.VERSION_FIRST: (Fault.VERSION, Fault.METADATA, Fault.METHOD),
    StdioFaultOrder.METHOD_FIRST: (Fault.METHOD, Fault.METADATA, Fault.VERSION),
}


@function("server.on-stdio")
def on_stdio(profile: Profile, server: Server, message: Json, process: Process = Process()) -> Decision[Answer]:  # noqa: B008
    """What a server does with a JSON value that it read from a line, on a process with this history.

    Source: basic/versioning#compatibility-matrix, basic/index#meta, basic/transports/stdio.
    """
    if isinstance(message, list):
        return on_batch(profile, server, message, process.handshake, "stdio")
    received = read(profile, message)
    match received.outcome:
        case Request() as request:
            return _on_request(profile, server, request, process)
        case Notification():
            return Decision(Silence(), received.because)
        case Malformed() as malformed:
            if process.handshake is not None and is_response(message):
                return decide(Silence(), "interop.dual-server.scope-process")
            return answer_malformed(profile, "stdio", Decision(malformed, received.because))


def _on_request(profile: Profile, server: Server, request: Request, process: Process) -> Decision[Answer]:
    if not server.legacy:
        return _on_modern_only(profile, server, request)
    if not server.modern:
        return _on_legacy_only(profile, server, request, process.handshake)
    if request.method == "initialize":
        return _on_initialize(profile, server, request, process)
    if process.handshake is not None:
        return _in_session(profile, server, request, process, process.handshake)
    serves_unopened = profile[RequestWithoutOpening] is RequestWithoutOpening.SERVE_AS_LEGACY
    as_modern = _as_modern(profile, server, request)
    if serves_unopened and not (as_modern and declares_modern(profile, request.meta(), ABSENT)):
        return legacy_request(profile, server, request, max(server.legacy))
    if not as_modern:
        return decide(Error(INVALID_PARAMS, request.id), "legacy.init.first-interaction")
    return _on_modern(profile, server, request)


def _on_legacy_only(profile: Profile, server: Server, request: Request, version: str | None) -> Decision[Answer]:
    if request.method == "initialize":
        return handshake(profile, server, request)
    if version is not None:
        return legacy_request(profile, server, request, version)
    return before_handshake(profile, server, request, "stdio")


def _in_session(profile: Profile, server: Server, request: Request, process: Process, version: str) -> Decision[Answer]:
    if not (declares_modern_in_session(profile, request.meta()) and _as_modern(profile, server, request)):
        return legacy_request(profile, server, request, version).after("interop.dual-server.scope-process")
    if _other_era_decided(profile, process, "legacy"):
        return decide(Refuse(request.id), "interop.dual-server.scope-process")
    return _on_modern(profile, server, request)


def _on_initialize(profile: Profile, server: Server, request: Request, process: Process) -> Decision[Answer]:
    if not opens_handshake(profile, request.meta(), ABSENT):
        return _on_modern(profile, server, request)
    if _other_era_decided(profile, process, "modern"):
        return decide(Refuse(request.id), "interop.dual-server.modern-request")
    return handshake(profile, server, request)


def _on_modern_only(profile: Profile, server: Server, request: Request) -> Decision[Answer]:
    if request.method == "initialize" and request.meta(PROTOCOL_VERSION) is ABSENT:
        return decide(
            Refuse(request.id),
            "interop.matrix.legacy-modern-stdio-error",
            "interop.matrix.legacy-modern-stdio-code",
            "interop.matrix.legacy-modern",
        )
    return _on_modern(profile, server, request)


def _as_modern(profile: Profile, server: Server, request: Request) -> bool:
    """Whether metadata makes a request modern although it may name a legacy version of this server."""
    legacy = request.meta(PROTOCOL_VERSION) in server.legacy
    return not (legacy and profile[LegacyVersionInMeta] is LegacyVersionInMeta.TREAT_AS_LEGACY_REQUEST)


def _other_era_decided(profile: Profile, process: Process, other: Literal["modern", "legacy"]) -> bool:
    """Whether a first opening in the other era decides for the whole process."""
    return process.first == other and profile[MixedErasOnProcess] is MixedErasOnProcess.FIRST_OPENING_DECIDES


def _on_modern(profile: Profile, server: Server, request: Request) -> Decision[Answer]:
    version = request.meta(PROTOCOL_VERSION)
    named = version if is_string(version) else server.modern[0]
    unsupported = version_fault(profile, server, request, named)
    fault = reported(
        {
            Fault.METADATA: metadata_fault(profile, request, "stdio"),
            Fault.VERSION: unsupported,
            Fault.METHOD: method_fault(profile, server, request, named if unsupported is None else server.modern[0]),
        },
        _ORDERS,
        profile,
        StdioFaultOrder,
    )
    return served(server, request, named) if fault is None else fault
