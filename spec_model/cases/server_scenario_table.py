"""Scenario tables for servers: several requests, one after the other, on one process or endpoint.

    state = server_scenarios("server-state", "What a server keeps between requests.")
    state(
        "same-list",
        "The same request gets the same answer whatever came before",
        server("stdio"),
        [send(stdio(request("tools/list"))), send(stdio(request("tools/list", id=2)), same_as=0)],
        _shows=("statelessness.server.no-prior-context",),
    )

The replies come from the reference server under each permitted profile, and are looked at as in exchanges, or by a
function of the scenario's own. Each step begins when the one before is over; those that stand `together` begin at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import msgspec

from spec_model import VECTOR_SET
from spec_model.cases import format as fmt
from spec_model.cases.courses import NOT_PLAYED, REPLY, Expected, alike, replied, value_at
from spec_model.cases.envelopes import NOTHING, Schema, alone, lists, objects
from spec_model.cases.exchange_table import BOTH, ServerEra, View, answer_to, envelope_of, normalised
from spec_model.cases.requests import LOG_LEVEL
from spec_model.cases.scenario_table import TAIL_MS, ScenarioCase, ScenarioTable, register
from spec_model.cases.table import BadCase, case_id, checked_title
from spec_model.cases.timeline import Window
from spec_model.peers.server import HttpReply, ReferenceServer, Session, StdioReply
from spec_model.peers.server_content import DUAL, MODERN, Settings
from spec_model.requirements.choice import Choice, Profile, RecordingProfile
from spec_model.semantics.explore import Alternative, Image, sparse_image
from spec_model.semantics.server_stdio import Process
from spec_model.verdicts import worst
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_string, member

# How far apart steps are that do not begin together.
STEP_MS: Final = 100

# The server that stands for all of an era where a scenario names no others.
_SERVERS: Final[dict[ServerEra, tuple[Settings, ...]]] = {"modern": (MODERN,), "dual": (DUAL,)}

# What a server may need for a scenario, by the name of the fixture, and what stands for it in the reference server.
FIXTURES: Final[dict[str, JsonObject]] = {
    "slow-call": {"name": "wait", "arguments": {}},
    "logging-call": {"name": "log", "arguments": {}},
    "asking-call": {"name": "ask", "arguments": {}},
    "two-users": {"first": "Bearer ada", "second": "Bearer bob"},
}
_FIXTURE: Final = "$fixture:"
_OBJECT: Final = "$fixture"

_FEATURES: Final = re.compile(r"(tools|prompts|resources)/")


# --- steps ------------------------------------------------------------------------------------------------------------


@dataclass
class Answered:
    """What a server of ours answers to a request: what was sent, the item that is seen of the reply, and the envelopes
    that were made of it."""

    message: Any
    reply: StdioReply | HttpReply
    item: JsonObject
    envelopes: dict[View, Schema] = field(default_factory=dict)

    def envelope(self, view: View) -> Schema:
        """The envelope by a view."""
        if view not in self.envelopes:
            self.envelopes[view] = envelope_of(self.reply, self.message, view)
        return self.envelopes[view]


class Seen(NamedTuple):
    """What is seen of a server after a step: the item of this step, those of all steps so far with it, and where a
    request was sent, what it was and how it was answered."""

    item: JsonObject
    items: Sequence[JsonObject]
    answered: Answered | None = None

    @property
    def message(self) -> Any:
        """The message that was sent."""
        return None if self.answered is None else self.answered.message

    @property
    def reply(self) -> StdioReply | HttpReply:
        """The reply to it."""
        assert self.answered is not None
        return self.answered.reply

    def usual(self) -> Schema:
        """What its reply is usually looked at for, to be changed at will."""
        return envelope_of(self.reply, self.message, View.ANSWER)


Look = Callable[[Seen], Schema]


@dataclass(frozen=True)
class ServerStep:
    """A step, what its reply is looked at for, and how it goes with earlier ones; see `format.Wire`. `joins`: it begins
    together with the one before."""

    sending: fmt.Sending
    look: View | Look = View.ANSWER
    same_as: int | None = None
    same_where: Schema = field(default_factory=dict)
    equal: dict[str, str] = field(default_factory=dict)
    disjoint: dict[str, str] = field(default_factory=dict)
    joins: bool = False

    @cached_property
    def refers(self) -> bool:
        """Whether the request refers to an earlier reply or to a fixture."""
        return _refers(self.sending.request)


def server(transport: str, *, dual: bool = False) -> fmt.UnderTest:
    """A server under test, of this revision or of both eras."""
    speaks = ["2026-07-28", "2025-11-25", "2025-06-18"] if dual else ["2026-07-28"]
    return msgspec.convert({"role": "server", "transport": transport, "speaks": speaks}, fmt.UnderTest)


def send(
    request: fmt.Request,
    look: View | Look = View.ANSWER,
    *,
    same_as: int | None = None,
    same_where: Schema | None = None,
    equal: dict[str, str] | None = None,
    disjoint: dict[str, str] | None = None,
    process: int = 1,
    connection: int = 1,
) -> ServerStep:
    """A step: a request is sent."""
    on_stdio = request.transport == "stdio"
    sending = fmt.Sending(request=request, process=process if on_stdio else 1, connection=1 if on_stdio else connection)
    return ServerStep(sending, look, same_as, same_where or {}, equal or {}, disjoint or {})


def send_slow(request: fmt.Request) -> ServerStep:
    """A step: a request is sent that is not answered before the calls are awaited."""
    return ServerStep(fmt.Sending(request=request, pending=True), silent)


def end_of_input(process: int = 1) -> ServerStep:
    """A step: the standard input of the server is closed."""
    return ServerStep(fmt.Sending(end_of_input=True, process=process), ended)


def release(look: Look) -> ServerStep:
    """A step: the calls that are still running are awaited."""
    return ServerStep(fmt.Sending(release=True), look)


def together(*steps: ServerStep) -> list[ServerStep]:
    """The same steps, begun at once."""
    return [replace(one, joins=number > 0) for number, one in enumerate(steps)]


# --- looks ------------------------------------------------------------------------------------------------------------


def silent(seen: Seen) -> Schema:
    """Nothing is written."""
    return objects({"messages": NOTHING})


def anything(seen: Seen) -> Schema:
    """Whatever follows is right."""
    return {"type": "object"}


def ended(seen: Seen) -> Schema:
    """The process ended."""
    return objects({"closed": {"const": True}})


def answers(*responses: Schema) -> Look:
    """Exactly these messages, in any order."""

    def look(seen: Seen) -> Schema:
        return objects({"messages": exactly(*responses)})

    return look


def exactly(*messages: Schema) -> Schema:
    """An array of these messages and no others, in any order."""
    if len(messages) == 1:
        return alone(messages[0])
    return {**lists({"anyOf": list(messages)}, len(messages)), "maxItems": len(messages), **holding(*messages)}


def holding(*messages: Schema) -> Schema:
    """An array in which each of these messages is."""
    schema: Schema = {"contains": messages[-1]}
    for message in reversed(messages[:-1]):
        schema = {"contains": message, "anyOf": [schema]}
    return {"type": "array", **schema}


# --- cases ------------------------------------------------------------------------------------------------------------


@dataclass
class ServerCase(ScenarioCase):
    """One scenario of a server. `settings` are those of the reference servers that stand for all of `eras`."""

    plan: list[ServerStep] = field(default_factory=list)
    eras: tuple[ServerEra, ...] = BOTH
    settings: tuple[Settings, ...] = ()
    gated: bool = True

    @cached_property
    def image(self) -> Image:
        """The courses that conform, whichever of its settings a server has. Where it may be of several eras, they are
        the same for each, which a test asserts."""
        return self.image_of(self.settings or _SERVERS[self.eras[0]])

    def image_of(self, settings: Sequence[Settings]) -> Image:
        """The courses of servers with these settings."""
        found: dict[bytes, Alternative] = {}
        images = [sparse_image(partial(self._play, one)) for one in settings]
        for one in (alternative for image in images for alternative in image.outcomes):
            key = msgspec.json.encode(one.output)
            if key not in found or worst((one.grade, found[key].grade)) is not one.grade:
                found[key] = one
        read = frozenset(choice for image in images for choice in image.read)
        return Image(list(found.values()), [], read, any(image.bounded for image in images))

    @property
    def servers(self) -> tuple[Settings, ...]:
        """The settings of every reference server that stands for one under test."""
        return self.settings or tuple(one for era in self.eras for one in _SERVERS[era])

    def replies(self, new: Callable[[], ReferenceServer]) -> list[Window]:
        """What is seen of servers that play the scenario; `new` starts one."""
        played = _Played(new)
        return [Window([played.seen(one).item], [[]]) for one in self.plan]

    def _play(self, settings: Settings, profile: Profile) -> tuple[bytes, Any, tuple[str, ...]]:
        played = _Played(lambda: ReferenceServer(settings, profile), _answered_before)
        course: list[Expected] = []
        because: dict[str, None] = {}
        for one in self.plan:
            seen = played.seen(one)
            if seen.item["kind"] == NOT_PLAYED:
                raise BadCase(f"{self.id}: step {len(course)} needs a value that no earlier reply has")
            because.update(dict.fromkeys(() if seen.answered is None else seen.reply.because))
            course.append(([self._wire(one, seen, profile)], []))
        return msgspec.json.encode(course), course, tuple(because)

    def _wire(self, one: ServerStep, seen: Seen, profile: Profile) -> fmt.Wire:
        same_as = one.same_as
        if same_as is not None and not alike(seen.item, seen.items[same_as]):
            if not profile.deviations():
                raise BadCase(f"{self.id}: the replies to steps {same_as} and {len(seen.items) - 1} differ")
            same_as = None
        return fmt.Wire(
            envelope=_envelope(seen, one.look),
            equal=one.equal,
            disjoint=one.disjoint,
            same_as=same_as,
            same_where={} if same_as is None else one.same_where,
        )

    def _applies_if(self) -> fmt.AppliesIf:
        text = msgspec.json.encode(self.steps).decode()
        fixtures = [name for name in FIXTURES if f"{_FIXTURE}{name}:" in text]
        return fmt.AppliesIf(
            role="server",
            eras=list(self.eras),
            transports=[self.under_test.transport],
            capabilities=self._features() if self.gated else {},
            fixtures=[*fixtures, *self.needs],
        )

    def _features(self) -> dict[str, Any]:
        """The capabilities that gate the methods of the scenario."""
        methods = [str(member(message, "method")) for message in _messages(self.plan)]
        found = [match[1] for match in map(_FEATURES.match, methods) if match]
        return {feature: {} for feature in dict.fromkeys(found)}


def _messages(plan: Sequence[ServerStep]) -> Iterator[Json]:
    for one in plan:
        request = one.sending.request
        if request is not None and request.message is not msgspec.UNSET:
            yield from request.message if isinstance(request.message, list) else [request.message]


_Answers = Callable[[ReferenceServer, fmt.Request, int], Answered]


def _answered(peer: ReferenceServer, request: fmt.Request, connection: int) -> Answered:
    """What a server answers to a request."""
    message = None if request.message is msgspec.UNSET else request.message
    reply = answer_to(peer, request, connection)
    item = normalised(reply)
    return Answered(message, reply, {"kind": "reply", **item, **_by_response(item["messages"], message)})


class _Kept(NamedTuple):
    """What a server that runs nothing keeps: its process, the session of that, and those over HTTP by their names."""

    process: Process
    session: tuple[str, str | None] | None
    sessions: tuple[tuple[str, str, str | None], ...]


def _kept(peer: ReferenceServer) -> _Kept:
    one = peer.process_session
    sessions = tuple((name, other.version, other.log_level) for name, other in peer.sessions.items())
    return _Kept(peer.process, None if one is None else (one.version, one.log_level), sessions)


def _keep(peer: ReferenceServer, kept: _Kept) -> None:
    peer.process = kept.process
    peer.process_session = None if kept.session is None else Session(*kept.session)
    peer.sessions = {name: Session(version, level) for name, version, level in kept.sessions}


class _Known(NamedTuple):
    """An answer, the choices that it read, what the server keeps after it, and the settings of this."""

    reads: Mapping[type[Choice], Choice]
    answered: Answered
    kept: _Kept
    settings: Settings


_KNOWN: Final[dict[tuple[int, _Kept, bytes], list[_Known]]] = {}


def _answered_before(peer: ReferenceServer, request: fmt.Request, connection: int) -> Answered:
    """The same of a reference server. One that runs nothing answers an equal request alike where it keeps the same and
    the choices are equal that the answer takes."""
    profile = peer.profile
    if peer.running or not isinstance(profile, RecordingProfile):
        return _answered(peer, request, connection)
    before = _kept(peer)
    known = _KNOWN.setdefault((id(peer.settings), before, msgspec.json.encode(request)), [])
    for one in known:
        if all(Profile.__getitem__(profile, choice) is value for choice, value in one.reads.items()):
            profile.reads.update(one.reads)
            if one.kept != before:
                _keep(peer, one.kept)
            return one.answered
    reads, profile.reads = profile.reads, {}
    answered = _answered(peer, request, connection)
    if not peer.running:
        known.append(_Known(profile.reads, answered, _kept(peer), peer.settings))
    profile.reads = {**reads, **profile.reads}
    return answered


class _Played:
    """The processes of one server, and what they answered so far."""

    def __init__(self, new: Callable[[], ReferenceServer], answer: _Answers = _answered) -> None:
        self._new = new
        self._answer = answer
        self._processes: dict[int, ReferenceServer] = {}
        self.items: list[JsonObject] = []

    def seen(self, step: ServerStep) -> Seen:
        """What is seen after a step."""
        sending = step.sending
        peer = self._processes.get(sending.process) or self._processes.setdefault(sending.process, self._new())
        if sending.release:
            messages = [message for _, late in peer.finish() for message in late.messages]
            return self._add({"kind": "late", "messages": messages})
        if sending.request is None:
            return self._add({"kind": "end", "closed": peer.end_of_input().exited})
        request = self._filled(sending.request) if step.refers else sending.request
        if request is None:
            return self._add({"kind": NOT_PLAYED})
        answered = self._answer(peer, request, sending.connection)
        return self._add(answered.item, answered)

    def _add(self, item: JsonObject, answered: Answered | None = None) -> Seen:
        self.items.append(item)
        return Seen(item, self.items, answered)

    def _filled(self, request: fmt.Request) -> fmt.Request | None:
        """The request with the values that its references stand for, None where there is none in the message."""
        headers = {name: self._value(value) for name, value in request.headers.items()}
        message = self._value(request.message)
        if message is ABSENT and request.raw is None and request.message is not ABSENT:
            return None
        known = {name: value for name, value in headers.items() if is_string(value)}
        return msgspec.structs.replace(request, headers=known, message=message)

    def _value(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            return _referred(value, self.items)
        if isinstance(value, list):
            items = [self._value(one) for one in value]
            return ABSENT if ABSENT in items else items
        if isinstance(value, dict):
            if _OBJECT in value:
                return _referred(f"{_FIXTURE}{value[_OBJECT]}", self.items)
            members = {name: self._value(one) for name, one in value.items()}
            return ABSENT if ABSENT in members.values() else members
        return value


def _refers(value: Any) -> bool:
    """Whether there are references in a value."""
    match value:
        case str():
            return value.startswith((REPLY, _FIXTURE))
        case dict():
            return _OBJECT in value or any(map(_refers, value.values()))
        case list():
            return any(map(_refers, value))
        case fmt.Request(message=message, headers=headers):
            return _refers(headers) or _refers(message)
    return False


def _referred(value: str, items: Sequence[Json]) -> Json | Absent:
    if value.startswith(REPLY):
        return replied(value, items)
    if value.startswith(_FIXTURE):
        _, name, pointer = value.split(":", 2)
        return value_at(FIXTURES[name], pointer)
    return value


def _by_response(messages: list[Json], message: Json) -> JsonObject:
    """The response to a request, and what came behind it."""
    request_id = member(message, "id")
    ids = [ABSENT if member(one, "method") is not ABSENT else member(one, "id") for one in messages]
    if request_id is ABSENT or request_id not in ids:
        return {}
    position = ids.index(request_id)
    return {"response": messages[position], "after": messages[position + 1 :]}


def _envelope(seen: Seen, look: View | Look) -> Schema:
    """The envelope over what is seen after a step."""
    if isinstance(look, View):
        assert seen.answered is not None
        envelope = seen.answered.envelope(look)
    else:
        envelope = look(seen)
    asks = member(seen.message, "params", "_meta", LOG_LEVEL) is not ABSENT
    behind = {"after": NOTHING} if asks and seen.item["kind"] == "reply" else {}
    added: Schema = {"kind": {"const": seen.item["kind"]}, **behind}
    return {
        **envelope,
        "required": [*added, *envelope.get("required", [])],
        "properties": {**added, **envelope.get("properties", {})},
    }


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass
class ServerTable:
    """The scenarios of servers in one area."""

    table: ScenarioTable

    def __call__(
        self,
        slug: str,
        title: str,
        under_test: fmt.UnderTest,
        plan: Sequence[ServerStep],
        /,
        *,
        _eras: tuple[ServerEra, ...] = (),
        _settings: tuple[Settings, ...] = (),
        _gated: bool = True,
        _shows: tuple[str, ...] = (),
        _about: tuple[str, ...] = (),
        _flags: tuple[str, ...] = (),
        _see: tuple[str, ...] = (),
        _needs: tuple[str, ...] = (),
        _note: str = "",
        _since: str = VECTOR_SET,
    ) -> None:
        """Adds a scenario; see `ScenarioTable`. It is for servers of every era that have this revision, or where the
        server under test has both eras, for those. `_settings`: the reference servers that stand for them; `_gated`: it
        is for servers that advertise the features whose methods are called."""
        steps = list(_steps(plan))
        self.table.cases.append(
            ServerCase(
                id=case_id(f"{self.table.area}/timeline", slug),
                title=checked_title(slug, title),
                under_test=under_test,
                peer=[],
                steps=steps,
                end_ms=steps[-1].at_ms + TAIL_MS,
                shows=_shows,
                see=_see,
                views=(),
                needs=_needs,
                note=_note,
                since=_since,
                about=_about,
                flags=_flags,
                plan=list(plan),
                eras=_eras or (BOTH if len(under_test.speaks) == 1 else ("dual",)),
                settings=_settings,
                gated=_gated,
            )
        )


def _steps(plan: Sequence[ServerStep]) -> Iterator[fmt.Step]:
    at = 0
    for number, one in enumerate(plan):
        at += STEP_MS if number and not one.joins else 0
        yield fmt.Step(at_ms=at, send=one.sending, expect_wire=[], expect_result=[])


def server_scenarios(area: str, about: str) -> ServerTable:
    """A new table; the file is named after the area."""
    return ServerTable(register(ScenarioTable(area, about)))
