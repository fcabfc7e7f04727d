"""The interoperability matrix, computed: the client's negotiation runs against the reference server in every pair of
eras, on both transports, with and without a probe, and each run is one cell.

Source: basic/versioning#compatibility-matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from spec_model.peers import negotiation as client
from spec_model.peers.negotiation import Action, Negotiation, message_of
from spec_model.peers.server import HttpReply, ReferenceServer
from spec_model.peers.server_content import Settings
from spec_model.requirements.choice import Choice, Profile
from spec_model.requirements.choices import FirstHttpRequest, LegacyServerReaction, ModernOnlyProbe
from spec_model.semantics.era import Line, Response, Transport
from spec_model.semantics.revisions import Era
from spec_model.wire.json import encode
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_string, member

EraName: TypeAlias = Literal["modern", "legacy", "dual"]
Reaction: TypeAlias = Literal["", "refuse", "silence", "legacy-semantics"]

VERSIONS: Final[dict[EraName, list[str]]] = {
    "modern": ["2026-07-28"],
    "legacy": ["2025-11-25", "2025-06-18"],
    "dual": ["2026-07-28", "2025-11-25", "2025-06-18"],
}
TRANSPORTS: Final = (Transport.STDIO, Transport.HTTP)

_METHOD: Final = "tools/list"


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that crosses the wire, or that one side does by itself: at which virtual millisecond, who, and what.

    `status` is that of the HTTP response; `message` is the JSON-RPC message, where there is one.
    """

    at_ms: int
    who: Literal["client", "server"]
    what: str
    status: int | Absent = ABSENT
    message: Json | Absent = ABSENT


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One pair of peers and what became of it.

    `reaction` is what a legacy-only server makes of a request that no handshake preceded; it is empty where nothing
    depends on it. `works`: the client knows the era, and its call was served by the rules of that era. `ending` says
    how the run ended. `because` names the requirements that decided, in order.
    """

    client: EraName
    server: EraName
    transport: Literal["stdio", "http"]
    probe: bool
    reaction: Reaction
    works: bool
    era: Era | None
    version: str
    ending: str
    because: list[str]
    trace: list[Turn]


def matrix() -> Iterator[Cell]:
    """Every cell. A legacy client has no probe, and a dual-era client on stdio is asked to have one."""
    for client_era in VERSIONS:
        for server_era in VERSIONS:
            for transport in TRANSPORTS:
                for probe in (True, False):
                    if _offered(client_era, transport, probe):
                        yield from _cells(client_era, server_era, transport, probe)


def _offered(client_era: EraName, transport: Transport, probe: bool) -> bool:
    if client_era == "legacy":
        return not probe
    return probe or client_era == "modern" or transport is Transport.HTTP


def _cells(client_era: EraName, server_era: EraName, transport: Transport, probe: bool) -> Iterator[Cell]:
    if client_era == "legacy" or server_era != "legacy":
        yield run(client_era, server_era, transport, probe=probe)
        return
    for reaction in LegacyServerReaction:
        if reaction is not LegacyServerReaction.SILENCE or transport is Transport.STDIO:
            yield run(client_era, server_era, transport, probe=probe, reaction=reaction)


def run(
    client_era: EraName,
    server_era: EraName,
    transport: Transport,
    *,
    probe: bool,
    reaction: LegacyServerReaction | None = None,
) -> Cell:
    """One cell."""
    values: dict[type[Choice], Choice] = {
        ModernOnlyProbe: ModernOnlyProbe.PROBE_FIRST if probe else ModernOnlyProbe.REQUEST_AT_ONCE,
        FirstHttpRequest: FirstHttpRequest.SERVER_DISCOVER if probe else FirstHttpRequest.ORDINARY_REQUEST,
    }
    if reaction is not None:
        values[LegacyServerReaction] = reaction
    link = _Link(VERSIONS[client_era], VERSIONS[server_era], transport, Profile(values))
    link.run()
    return Cell(
        client=client_era,
        server=server_era,
        transport=transport.value,
        probe=probe,
        reaction="" if reaction is None else reaction.value,
        works=link.works,
        era=link.era,
        version=link.version,
        ending=link.ending,
        because=list(dict.fromkeys(link.because)),
        trace=link.trace,
    )


class _Link:
    """A negotiation and a reference server, joined under a virtual clock that only a timer moves."""

    def __init__(self, speaks: list[str], serves: list[str], transport: Transport, profile: Profile) -> None:
        self._transport = transport
        self._negotiation = Negotiation(
            client.Settings(speaks=speaks, transport=transport, method=_METHOD, url="http://127.0.0.1/mcp"), profile
        )
        self._server = ReferenceServer(Settings(versions=serves), profile)
        self._now = 0
        self._timer: int | None = None
        self._session: str | None = None
        self._called = False
        self.works = False
        self.era: Era | None = None
        self.version = ""
        self.ending = "nothing"
        self.because: list[str] = []
        self.trace: list[Turn] = []

    def run(self) -> None:
        """Runs until the negotiation is over, and then makes the call that the client is there for."""
        self._take(self._negotiation.start(self._now))
        while not self._negotiation.done and self._timer is not None:
            self._now = self._timer
            self._note("client", "waiting time is over")
            self._take(self._negotiation.timer(self._now))
        if self.era is not None:
            served = self._called and self.era is Era.MODERN
            self.works = served or self._call()

    def _take(self, actions: list[Action]) -> None:
        for action in actions:
            self.because.extend(action.because)
            self._do(action)

    def _do(self, action: Action) -> None:
        match action:
            case client.SetTimer(at=at):
                self._timer = at
            case client.Adopt(era=era, version=version):
                self.era, self.version, self.ending = era, version, "adopted" if era else "answered, era unknown"
            case client.Report(reason=reason, era=era):
                self.ending = reason.value
            case client.Disconnect():
                self.ending = "disconnected"
            case _:
                self._send(action)

    def _send(self, action: Action) -> None:
        message = message_of(action)
        assert message is not None, action
        for event in self._exchange(message):
            self._called = self._called or (isinstance(action, client.SendRequest) and _holds_result(event))
            self._take(self._negotiation.receive(event, self._now))

    def _call(self) -> bool:
        """The client's call by the rules of the era that it adopted."""
        message: JsonObject = {"jsonrpc": "2.0", "id": 100, "method": _METHOD, "params": {}}
        if self.era is Era.MODERN:
            action = client.SendRequest(id=100, version=self.version, method=_METHOD)
            modern = message_of(action)
            assert modern is not None
            message = modern
        return any(_holds_result(event) for event in self._exchange(message))

    def _exchange(self, message: JsonObject) -> list[client.Event]:
        self._note("client", _summary(message), message=message)
        if self._transport is Transport.STDIO:
            lines = self._server.receive_line(encode(message)).messages
            for line in lines:
                self._note("server", _summary(line), message=line)
            return [Line(line) for line in lines]
        reply = self._server.receive_http("POST", self._headers(message), encode(message))
        self._session = reply.headers.get("mcp-session-id", self._session)
        if not reply.messages:
            self._note("server", "empty", reply.status)
        for one in reply.messages:
            self._note("server", _summary(one), reply.status, one)
            settled = member(one, "result", "protocolVersion")
            self.version = settled if is_string(settled) else self.version
        number = message.get("id")
        return [client.Answered(number, _response(reply))] if type(number) is int else []

    def _headers(self, message: JsonObject) -> dict[str, str]:
        headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        version = member(message, "params", "_meta", "io.modelcontextprotocol/protocolVersion")
        if is_string(version):
            return {**headers, "mcp-protocol-version": version, "mcp-method": str(message["method"])}
        if self._session is not None:
            headers |= {"mcp-session-id": self._session, "mcp-protocol-version": self.version}
        return headers

    def _note(
        self,
        who: Literal["client", "server"],
        what: str,
        status: int | Absent = ABSENT,
        message: Json | Absent = ABSENT,
    ) -> None:
        self.trace.append(Turn(self._now, who, what, status, message))


def _response(reply: HttpReply) -> Response:
    content_type = reply.headers.get("content-type", ABSENT)
    if not reply.messages:
        return Response(status=reply.status, content_type=content_type)
    if content_type == "text/event-stream":
        return Response(status=reply.status, messages=reply.messages, content_type=content_type)
    return Response(status=reply.status, body=reply.messages[0], content_type=content_type)


def _holds_result(event: client.Event) -> bool:
    match event:
        case Line(message):
            return member(message, "result") is not ABSENT
        case client.Answered(_, Response(body=body, messages=messages)):
            held = [body] if messages is ABSENT else messages
            return any(member(one, "result") is not ABSENT for one in held)
        case _:
            return False


def _summary(message: Json) -> str:
    """One message in a few words."""
    method = member(message, "method")
    if method is not ABSENT:
        version = member(message, "params", "_meta", "io.modelcontextprotocol/protocolVersion")
        named = version if version is not ABSENT else member(message, "params", "protocolVersion")
        return f"{method} {named}" if named is not ABSENT else str(method)
    code = member(message, "error", "code")
    if code is not ABSENT:
        supported = member(message, "error", "data", "supported")
        return f"error {code}" if supported is ABSENT else f"error {code}, supported {supported}"
    version = member(message, "result", "protocolVersion")
    return f"result, version {version}" if version is not ABSENT else "result"
