"""Hypothesis strategies around versions and eras, and a state machine that tests a negotiation of your own.

The machine plays the server. It drives an adapter that you write around your client, and fails with a
`NegotiationFault` that names the requirements which your client broke:

    from spec_model.strategies.negotiation import Did, negotiation_machine

    class MyAdapter:
        def start(self): ...             # -> what your client does first
        def receive(self, event): ...    # -> what it does on this event
        def time_out(self): ...          # -> what it does when its waiting time is over

    TestMyClient = negotiation_machine(MyAdapter, settings).TestCase

Where the specification leaves a client free, every permitted reading passes, as long as your client follows one reading
throughout a run. Pin the readings that you mean to follow with `pinned`.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, Protocol, TypeAlias

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from spec_model.peers import negotiation as model
from spec_model.peers.negotiation import Answered, Awaited, Negotiation, Opened, Settings
from spec_model.requirements.choice import Choice, Profile, RecordingProfile
from spec_model.semantics.era import (
    Exit,
    Line,
    Noise,
    Response,
    Sent,
    Stderr,
    StdioEvent,
    Stream,
    TimeOut,
    Transport,
    Unreachable,
)
from spec_model.semantics.revisions import NEWEST_LEGACY, OLDEST_MODERN, REVISIONS, Era, era_of, of_era
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, equal, is_object

__all__ = [
    "BrokenList",
    "Did",
    "NegotiationFault",
    "NegotiationMachine",
    "NegotiationUnderTest",
    "Oracle",
    "Reply",
    "broken_lists",
    "clients",
    "discovery_results",
    "distractions",
    "http_replies",
    "malformed_versions",
    "negotiation_machine",
    "peer_events",
    "stdio_replies",
    "supported_lists",
    "unknown_versions",
    "versions",
]

_CHANGED: Final[JsonObject] = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
_FIRST_DATE: Final = datetime.date(2024, 1, 1)
_LAST_DATE: Final = datetime.date(2099, 12, 31)


# --- versions -------------------------------------------------------------------------------------------------------


def versions(era: Era | None = None, *, known: bool = True) -> st.SearchStrategy[str]:
    """Protocol versions of one era, or of both: the five revisions, and with `known` false any date of the era."""
    named = [one for one in REVISIONS if era is None or era_of(one) is era]
    if known:
        return st.sampled_from(named)
    return st.sampled_from(named) | _dates(era)


def unknown_versions(era: Era | None = None) -> st.SearchStrategy[str]:
    """Dates of an era that are the date of no revision."""
    return _dates(era).filter(lambda one: one not in REVISIONS)


def _dates(era: Era | None) -> st.SearchStrategy[str]:
    legacy = st.dates(_FIRST_DATE, datetime.date.fromisoformat(NEWEST_LEGACY))
    modern = st.dates(datetime.date.fromisoformat(OLDEST_MODERN), _LAST_DATE)
    chosen = {Era.LEGACY: legacy, Era.MODERN: modern, None: legacy | modern}[era]
    return chosen.map(datetime.date.isoformat)


def malformed_versions() -> st.SearchStrategy[str]:
    """Strings that name no version of either era: near misses, dates between the eras, and any other text."""
    dotted = ("1.0.0", "DRAFT-2026-v1", "2026-07-28-rc")
    near = ("", "2026-7-28", "2027-02-30", "2026-07-28 ", "2026-07-28\n", "\uff12\uff10\uff12\uff16-07-28")
    gap = st.dates(datetime.date(2025, 11, 26), datetime.date(2026, 7, 27)).map(datetime.date.isoformat)
    texts = st.text(st.characters(codec="utf-8"), max_size=12).filter(lambda one: era_of(one) is None)
    return st.sampled_from((*dotted, *near)) | gap | texts


def clients(*, eras: Sequence[Era] = (Era.MODERN, Era.LEGACY), max_size: int = 3) -> st.SearchStrategy[list[str]]:
    """The versions of a client, most preferred first: at least one of each of `eras`, in any order."""
    parts = [st.lists(versions(era, known=False), min_size=1, max_size=max_size, unique=True) for era in eras]
    return st.tuples(*parts).flatmap(lambda drawn: st.permutations([one for part in drawn for one in part]))


def supported_lists(
    *, including: Sequence[str] = (), excluding: Sequence[str] = (), max_size: int = 4
) -> st.SearchStrategy[list[str]]:
    """Well-formed lists of the versions of a server, in any order: all of `including`, none of `excluding`, others that
    the reader may not know, and sometimes one twice."""
    others = st.lists(versions(known=False) | malformed_versions(), max_size=max_size)
    return others.map(lambda drawn: [one for one in drawn if one not in excluding]).flatmap(
        lambda drawn: st.permutations([*including, *drawn])
    )


class BrokenList(NamedTuple):
    """A value that is no list of versions, in exactly one way."""

    value: Json
    way: str


def broken_lists() -> st.SearchStrategy[BrokenList]:
    """Values where a list of versions belongs which are none: no list at all, or a list without any string."""
    whole: dict[str, Json] = {
        "null": None,
        "string": OLDEST_MODERN,
        "number": 20260728,
        "boolean": True,
        "object": {OLDEST_MODERN: {}},
    }
    none = [BrokenList(value, f"a {kind}") for kind, value in whole.items()]
    numbers = st.lists(st.integers() | st.none() | st.booleans(), min_size=1, max_size=3)
    return st.sampled_from(none) | numbers.map(lambda drawn: BrokenList([*drawn], "a list without a string"))


def discovery_results(supported: st.SearchStrategy[list[str]] | None = None) -> st.SearchStrategy[JsonObject]:
    """Complete results of server/discover."""
    members: dict[str, st.SearchStrategy[Any]] = {
        "resultType": st.just("complete"),
        "supportedVersions": supported_lists() if supported is None else supported,
        "capabilities": st.sampled_from(({}, {"tools": {}}, {"resources": {"subscribe": True}})),
        "ttlMs": st.integers(0, 3_600_000),
        "cacheScope": st.sampled_from(("public", "private")),
    }
    return st.fixed_dictionaries(members)


# --- answers to a probe ---------------------------------------------------------------------------------------------


class Reply(NamedTuple):
    """An answer to a probe: the event, whether it identifies a modern server or a legacy one, which no reading
    disputes, and in which one way it does."""

    event: Any
    modern: bool
    way: str


_JSON_RPC_CODES: Final = (-32700, -32600, -32601, -32602, -32603)
_OTHER_CODES: Final = (*_JSON_RPC_CODES, -32000, -32001, -32002, -32004, -32019, -32042, 0, 1, 404)
_SAMPLING_NEEDED: Final[JsonObject] = {"requiredCapabilities": {"sampling": {}}}


def stdio_replies(
    probe: Sent, *, modern: bool | None = None, supported: st.SearchStrategy[list[str]] | None = None
) -> st.SearchStrategy[Reply]:
    """Events on stdio that answer `probe`, or end the wait for an answer, and identify a modern server (`modern` true)
    or a legacy one (false); both where it is left out."""
    listed = supported_lists() if supported is None else supported
    found = discovery_results(listed).map(
        lambda result: Reply(Line(_result(probe, result)), True, "a discovery result")
    )
    refused = listed.filter(bool).map(
        lambda one: Reply(Line(_refusal(probe, one)), True, "an unsupported-version error")
    )
    others = st.sampled_from(_OTHER_CODES).map(
        lambda code: Reply(Line(_error(probe, code)), False, "an error that is no recognized modern one")
    )
    faulty: st.SearchStrategy[Json] = st.sampled_from(
        ({"message": "no"}, {"code": "-32022", "message": "no"}, {"code": None, "message": "no"})
    )
    broken = faulty.map(lambda error: Reply(Line(_with_error(probe, error)), False, "an error without a usable code"))
    silence = st.just(Reply(TimeOut(), False, "no answer in time"))
    return _of_kind(modern, found | refused, others | broken | silence)


def http_replies(
    probe: Sent, *, modern: bool | None = None, supported: st.SearchStrategy[list[str]] | None = None
) -> st.SearchStrategy[Reply]:
    """Responses over HTTP to the POST of `probe`, a server/discover, which identify a modern server (`modern` true) or
    a legacy one (false); both where it is left out."""
    listed = supported_lists() if supported is None else supported
    found = discovery_results(listed).flatmap(lambda result: _success(probe, result))
    codes = st.sampled_from(
        (
            Reply(Response(400, _error(probe, -32020)), True, "a header mismatch"),
            Reply(Response(400, _error(probe, -32021, _SAMPLING_NEEDED)), True, "a missing capability"),
            Reply(Response(400, _error(probe, -32020, id=None)), True, "a header mismatch with a null id"),
        )
    )
    refused = listed.filter(bool).map(
        lambda one: Reply(Response(400, _refusal(probe, one)), True, "an unsupported-version error")
    )
    return _of_kind(modern, found | codes | refused, _legacy_responses(probe))


def _success(probe: Sent, result: JsonObject) -> st.SearchStrategy[Reply]:
    progress: JsonObject = {"progressToken": "t", "progress": 1}
    before: Json = {"jsonrpc": "2.0", "method": "notifications/progress", "params": progress}
    answer = _result(probe, result)
    return st.sampled_from(
        (
            Reply(Response(200, answer), True, "a discovery result"),
            Reply(Response(200, messages=[before, answer]), True, "a discovery result in an event stream"),
        )
    )


def _legacy_responses(probe: Sent) -> st.SearchStrategy[Reply]:
    code = st.sampled_from(_OTHER_CODES)
    framework: Json = {"error": {"code": "bad_request", "message": "unknown method"}}
    return st.one_of(
        st.just(Reply(Response(400), False, "status 400 without a body")),
        st.just(Reply(Response(400, text="<html></html>"), False, "status 400 with a web page")),
        st.just(Reply(Response(400, framework), False, "status 400 with JSON that is no JSON-RPC")),
        code.map(lambda one: Reply(Response(400, _error(probe, one)), False, "status 400 with another error")),
        code.map(lambda one: Reply(Response(400, _error(probe, one, id=None)), False, "status 400 with a null id")),
    )


def _of_kind(
    modern: bool | None, yes: st.SearchStrategy[Reply], no: st.SearchStrategy[Reply]
) -> st.SearchStrategy[Reply]:
    return yes | no if modern is None else (yes if modern else no)


def distractions(probe: Sent) -> st.SearchStrategy[StdioEvent]:
    """Events on stdio that are no answer to `probe` under every reading: notifications, requests (also with its id),
    responses to other requests, and text on standard error."""
    calls: list[Json] = [_CHANGED, _ping(probe.id), _ping("other")]
    foreign: list[Json] = [_error(probe, -32601, id="other"), _result(probe, {"resultType": "complete"}, id="other")]
    return st.sampled_from([Line(one) for one in (*calls, *foreign)]) | st.just(Stderr("WARN slow start"))


def _ping(number: int | str) -> JsonObject:
    return {"jsonrpc": "2.0", "id": number, "method": "ping"}


def _result(probe: Sent, result: Json, **changed: Json) -> JsonObject:
    return {"jsonrpc": "2.0", "id": probe.id, "result": result, **changed}


def _error(probe: Sent, code: int, data: Json | Absent = ABSENT, **changed: Json) -> JsonObject:
    told: JsonObject = {} if data is ABSENT else {"data": data}
    return {**_with_error(probe, {"code": code, "message": "refused", **told}), **changed}


def _with_error(probe: Sent, error: Json) -> JsonObject:
    return {"jsonrpc": "2.0", "id": probe.id, "error": error}


def _refusal(probe: Sent, supported: Sequence[str]) -> JsonObject:
    data: Json = {"supported": list(supported), "requested": probe.version}
    return _with_error(probe, {"code": -32022, "message": "Unsupported protocol version", "data": data})


def peer_events(client: Negotiation, speaks: Sequence[str]) -> st.SearchStrategy[model.Event | None]:
    """What may happen to a negotiation of the model that waits for something; None stands for the end of its waiting
    time. `speaks` are versions that a peer often names, such as those of the client."""
    sent = client.outstanding
    match client.waits_for:
        case Awaited.MESSAGE:
            assert sent is not None
            return _messages(sent, speaks).map(_unless_over)
        case Awaited.POST:
            assert sent is not None
            number = sent.id if isinstance(sent.id, int) else 0
            return _responses(sent, speaks).map(lambda one: _unless_over(one) and Answered(number, one))
        case _:
            return _streams().map(lambda one: _unless_over(one) and Opened(one))


def _unless_over(event: Any) -> Any:
    return None if isinstance(event, TimeOut) else event


# --- a negotiation under test -----------------------------------------------------------------------------------------


class Did(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a client did. `what` is the tag of an action of `spec_model.peers.negotiation`, such as
    "send-discover" or "adopt"; the members that the action has are filled in, and `id` is that of a request as the
    client numbered it. Timers and reasons are not looked at."""

    what: str
    id: int | str | None = None
    version: str | None = None
    era: Era | None = None
    url: str | None = None
    credential: bool | None = None


class NegotiationUnderTest(Protocol):
    """What you write around your client. A new one is made for each run."""

    def start(self) -> Sequence[Did]:
        """Starts the negotiation. What the client does first."""

    def receive(self, event: Any) -> Sequence[Did]:
        """Something came from the server: on stdio a `Line`, `Noise`, `Stderr` or `Exit`, over HTTP a `Response` or
        `Unreachable` to the outstanding POST, a `Stream` or `Unreachable` to the GET."""

    def time_out(self) -> Sequence[Did]:
        """The waiting time for what is outstanding is over."""


class NegotiationFault(AssertionError):
    """The client did what no reading of the specification permits.

    `because` holds the requirements behind what the default reading asks for.
    """

    def __init__(self, expected: Sequence[Did], done: Sequence[Did], because: Sequence[str]) -> None:
        self.because = tuple(because)
        super().__init__(
            f"expected {_told(expected)}, and the client did {_told(done)}; because of {', '.join(because)}"
        )


def _told(dids: Sequence[Did]) -> str:
    return "; ".join(str(msgspec.to_builtins(one)) for one in dids) or "nothing"


_Input: TypeAlias = "Callable[[Negotiation, int], list[model.Action]]"


class Oracle:
    """Which readings explain everything that a client did so far.

    Feed it each event with what the client did on it. It keeps one model that agrees, and looks for another reading
    when that one no longer does; NegotiationFault says that there is none.
    """

    RUNS: ClassVar = 4000

    def __init__(self, settings: Settings, pinned: Iterable[Choice] = ()) -> None:
        self._settings = settings
        self._pinned: dict[type[Choice], Choice] = {type(one): one for one in pinned}
        self._inputs: list[_Input] = []
        self._seen: list[list[Did]] = []
        self._values = dict(self._pinned)
        self.model = Negotiation(settings, Profile(self._values))
        self.ids: dict[int, int | str] = {}

    @property
    def profile(self) -> Profile:
        """The reading of the model that agrees so far."""
        return Profile(self._values)

    def started(self, done: Sequence[Did]) -> None:
        """The client was started and did this."""
        self._check(lambda one, now: one.start(now), done)

    def received(self, event: Any, done: Sequence[Did]) -> None:
        """The event, with the ids of the client, happened, and the client did this."""
        theirs = {number: mine for mine, number in self.ids.items()}
        self._check(lambda one, now: one.receive(_for_model(event, one, theirs), now), done)

    def timed_out(self, done: Sequence[Did]) -> None:
        """The waiting time was over, and the client did this."""
        self._check(lambda one, now: one.timer(now), done)

    def _check(self, given: _Input, done: Sequence[Did]) -> None:
        self._inputs.append(given)
        self._seen.append([_anonymous(one) for one in done])
        actions = given(self.model, self._now(len(self._inputs)))
        if _dids(actions) != self._seen[-1]:
            self._reconsider(actions)
        self._note_ids(done)

    def _reconsider(self, actions: Sequence[model.Action]) -> None:
        """Looks for a reading that explains all that was seen, those with the fewest deviations first."""
        queue: list[dict[type[Choice], Choice]] = [self._pinned]
        tried = {frozenset(self._pinned.values())}
        while queue and len(tried) < self.RUNS:
            values = queue.pop(0)
            profile = RecordingProfile(values)
            agreed = self._replay(profile)
            if agreed is not None:
                self.model, self._values = agreed, values
                return
            for further in _varied(values, profile):
                if frozenset(further.values()) not in tried:
                    tried.add(frozenset(further.values()))
                    queue.append(further)
        decision = self.model.decision
        raise NegotiationFault(_dids(actions), self._seen[-1], () if decision is None else decision.because)

    def _replay(self, profile: Profile) -> Negotiation | None:
        """The model under another reading, None where it did not do what was seen."""
        one = Negotiation(self._settings, profile)
        for number, (given, seen) in enumerate(zip(self._inputs, self._seen, strict=True), 1):
            if _dids(given(one, self._now(number))) != seen:
                return None
        return one

    @staticmethod
    def _now(step: int) -> int:
        return step * 1_000_000_000

    def _note_ids(self, done: Sequence[Did]) -> None:
        outstanding = self.model.outstanding
        numbers = [one.id for one in done if one.id is not None]
        if outstanding is not None and numbers and isinstance(outstanding.id, int):
            self.ids[outstanding.id] = numbers[-1]


def _varied(values: Mapping[type[Choice], Choice], profile: RecordingProfile) -> list[dict[type[Choice], Choice]]:
    return [
        {**values, choice: other}
        for choice, value in profile.reads.items()
        if choice not in values
        for other in choice
        if other is not value
    ]


_LOOKED_AT: Final = frozenset({"version", "era", "url", "credential"})


def _dids(actions: Sequence[model.Action]) -> list[Did]:
    return [did_of(one) for one in actions if not isinstance(one, model.SetTimer)]


def did_of(action: model.Action, *, number: int | str | None = None) -> Did:
    """What a client did that carried out this action of the model; `number` is the id of its request."""
    struct = type(action)
    what = str(struct.__struct_config__.tag)
    if isinstance(action, model.Report):
        return Did(what)
    members = {name: getattr(action, name) for name in struct.__struct_fields__ if name in _LOOKED_AT}
    return Did(what, id=number, **members)


def _anonymous(one: Did) -> Did:
    return msgspec.structs.replace(one, id=None)


def _for_model(event: Any, one: Negotiation, theirs: Mapping[int | str, int]) -> model.Event:
    """The event as the model takes it: with its own ids, and addressed to its outstanding request."""
    renumbered = _renumbered(event, theirs)
    if one.waits_for is Awaited.GET:
        assert isinstance(renumbered, Stream | Unreachable)
        return Opened(renumbered)
    if isinstance(renumbered, Response | Unreachable):
        outstanding = one.outstanding
        return Answered(outstanding.id if outstanding and isinstance(outstanding.id, int) else 0, renumbered)
    assert isinstance(renumbered, Line | Noise | Stderr | Exit)
    return renumbered


def _renumbered(event: Any, theirs: Mapping[int | str, int]) -> Any:
    match event:
        case Line(message):
            return Line(_with_number(message, theirs))
        case Response(body=body, messages=messages):
            return msgspec.structs.replace(
                event,
                body=body if body is ABSENT else _with_number(body, theirs),
                messages=ABSENT if messages is ABSENT else [_with_number(one, theirs) for one in messages],
            )
        case _:
            return event


def _with_number(message: Json, theirs: Mapping[int | str, int]) -> Json:
    if not is_object(message):
        return message
    for number, mine in theirs.items():
        if "id" in message and equal(message["id"], number):
            return {**message, "id": mine}
    return message


class NegotiationMachine(RuleBasedStateMachine):
    """The server of the machine; `negotiation_machine` makes the subclass for your client."""

    make: ClassVar[Callable[[], NegotiationUnderTest]]
    settings: ClassVar[Settings]
    pinned: ClassVar[tuple[Choice, ...]]

    def __init__(self) -> None:
        super().__init__()
        self.client = type(self).make()
        self.oracle = Oracle(self.settings, self.pinned)

    @initialize()
    def start(self) -> None:
        """The client opens the negotiation."""
        self.oracle.started(self.client.start())

    def _waits_for(self, *awaited: Awaited) -> bool:
        return self.oracle.model.waits_for in awaited

    def _sent(self) -> Sent:
        """The outstanding request as the client numbered it."""
        sent = self.oracle.model.outstanding
        assert sent is not None and isinstance(sent.id, int)
        return Sent(self.oracle.ids.get(sent.id, sent.id), sent.version, sent.method)

    def _happens(self, event: Any) -> None:
        if isinstance(event, TimeOut):
            self.oracle.timed_out(self.client.time_out())
        else:
            self.oracle.received(event, self.client.receive(event))

    @precondition(lambda self: self._waits_for(Awaited.MESSAGE))
    @rule(data=st.data())
    def a_message_comes(self, data: st.DataObject) -> None:
        """An answer on stdio, or on the stream of the old transport, or the end of it."""
        self._happens(data.draw(_messages(self._sent(), self.settings.speaks)))

    @precondition(lambda self: self._waits_for(Awaited.POST))
    @rule(data=st.data())
    def the_post_is_answered(self, data: st.DataObject) -> None:
        """A response over HTTP, or none."""
        self._happens(data.draw(_responses(self._sent(), self.settings.speaks)))

    @precondition(lambda self: self._waits_for(Awaited.GET))
    @rule(data=st.data())
    def the_get_is_answered(self, data: st.DataObject) -> None:
        """A stream, or none."""
        self._happens(data.draw(_streams()))

    @precondition(lambda self: self.oracle.model.done)
    @rule(
        event=st.sampled_from((Line({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}), Stderr("bye")))
    )
    def nothing_follows_the_end(self, event: StdioEvent) -> None:
        """After the end the negotiation does nothing more."""
        if self.settings.transport is Transport.STDIO:
            self._happens(event)


def _messages(sent: Sent, speaks: Sequence[str]) -> st.SearchStrategy[Any]:
    listed = _lists(speaks)
    answers = stdio_replies(sent, supported=listed).map(lambda reply: reply.event)
    handshakes = _handshakes(sent, speaks)
    uncorrelated = st.sampled_from((-32600, -32022)).map(lambda code: Line(_error(sent, code, id=None)))
    typed = _typed_or_not().map(lambda result: Line(_result(sent, result)))
    rest = st.sampled_from((Exit(), TimeOut(), Noise("Listening on stdio")))
    return answers | handshakes.map(Line) | distractions(sent) | uncorrelated | typed | rest


def _responses(sent: Sent, speaks: Sequence[str]) -> st.SearchStrategy[Any]:
    answers = http_replies(sent, supported=_lists(speaks)).map(lambda reply: reply.event)
    handshakes = _handshakes(sent, speaks).map(lambda body: Response(200, body))
    statuses = st.sampled_from((200, 202, 401, 403, 404, 405, 406, 500, 503)).map(Response)
    typed = _typed_or_not().map(lambda result: Response(200, _result(sent, result)))
    moved = st.builds(
        lambda status, location: Response(status, location=location),
        st.sampled_from((301, 302, 307, 308)),
        st.sampled_from(("/a", "/b", "/c", "https://elsewhere.example/mcp")),
    )
    unknown = st.sampled_from((404, 400, 200)).map(lambda status: Response(status, _error(sent, -32601)))
    rest = st.sampled_from((TimeOut(), Unreachable()))
    return answers | handshakes | statuses | typed | moved | unknown | rest


def _typed_or_not() -> st.SearchStrategy[Json]:
    typed: list[Json] = [{"resultType": "complete"}, {}]
    return st.sampled_from(typed)


def _streams() -> st.SearchStrategy[Any]:
    opened = Stream(200, "text/event-stream", "endpoint", "/messages?session=1")
    other = Stream(200, "text/event-stream", "message", "{}")
    return st.sampled_from((opened, other, Stream(405), TimeOut(), Unreachable()))


def _lists(speaks: Sequence[str]) -> st.SearchStrategy[list[str]]:
    """Lists that often hold versions of the client, so that the negotiation goes on."""
    spoken = st.lists(st.sampled_from(list(speaks)), max_size=3) if speaks else st.just([])
    return st.builds(lambda mine, others: [*mine, *others], spoken, supported_lists(max_size=2))


def _handshakes(sent: Sent, speaks: Sequence[str]) -> st.SearchStrategy[JsonObject]:
    named = st.sampled_from([sent.version, *of_era(speaks, Era.LEGACY), *REVISIONS])
    info: Json = {"name": "example", "version": "1.0.0"}
    return named.map(
        lambda version: _result(sent, {"protocolVersion": version, "capabilities": {}, "serverInfo": info})
    )


def negotiation_machine(
    make: Callable[[], NegotiationUnderTest],
    settings: Settings,
    *,
    pinned: Iterable[Choice] = (),
) -> type[NegotiationMachine]:
    """A state machine that plays servers against the clients that `make` makes, each brought up with `settings`.

    `pinned` fixes the readings that your client is meant to follow; all others may go either way, the same way
    throughout a run. Its `TestCase` is collected by pytest and unittest.
    """
    members = {"make": staticmethod(make), "settings": settings, "pinned": tuple(pinned)}
    return type("NegotiationTest", (NegotiationMachine,), members)
