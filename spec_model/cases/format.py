"""The vector files as types: what is written, what `vectors verify` reads, and where the published schemas come from.

Keys stand in the order of the fields. Every object is closed.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from spec_model.verdicts import Level

FORMAT: Final = 1
SCHEMA_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

Grade = Literal["pass", "info", "warn"]


class _Closed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of every object of the format."""


class Basis(_Closed, frozen=True, kw_only=True):
    """Why an alternative is permitted: the kind of freedom and the choice that holds it."""

    kind: Literal["may", "should-deviation", "silent", "conflict", "order"]
    ref: str
    note: str = ""


class AppliesIf(_Closed, frozen=True, kw_only=True):
    """When a case applies; one that does not is not applicable, never a failure."""

    role: Literal["client", "server"] | None = None
    eras: list[Literal["modern", "legacy", "dual"]] = []
    transports: list[Literal["stdio", "http"]] = []
    capabilities: dict[str, Any] = {}
    choices: dict[str, str] = {}
    fixtures: list[str] = []


class _Case(_Closed, frozen=True, kw_only=True):
    """What cases of every kind have. `see` holds keys of field reports; `shows` the wire requirements that a faulty
    peer breaks in this case."""

    id: str
    title: str
    requirements: list[str]
    level: Level
    since: str
    note: str = ""
    flags: list[str] = []
    control: str = ""
    see: list[str] = []
    shows: list[str] = []
    applies_if: AppliesIf | None = None


class Acceptable(_Closed, frozen=True, kw_only=True):
    """Another output that conforms, with the requirements that force it, its grade, its basis and the smallest
    assignment of choices that yields it."""

    output: Any
    requirements: list[str]
    grade: Grade
    basis: Basis
    when: dict[str, str]


class Decision(_Case, frozen=True, kw_only=True):
    """A pure input and the output that the model gives; `acceptable` holds the others that conform."""

    input: dict[str, Any]
    expected: Any
    acceptable: list[Acceptable] = []


class Request(_Closed, frozen=True, kw_only=True):
    """What is sent. `raw` is text that goes out as it stands where the message is no JSON; over HTTP `method` is POST
    where it is absent."""

    transport: Literal["stdio", "http"]
    method: str = ""
    headers: dict[str, str] = {}
    message: Any = msgspec.UNSET
    raw: str | None = None


class Reply(_Closed, frozen=True, kw_only=True):
    """One conforming reply: a JSON Schema, in a closed subset, over `{status, headers, messages, closed}`."""

    name: str
    grade: Grade
    envelope: dict[str, Any]
    basis: Basis | None = None
    when: dict[str, str] = {}


class Exchange(_Case, frozen=True, kw_only=True):
    """One request and every reply that conforms, that of the default profile first."""

    request: Request
    replies: list[Reply]


class UnderTest(_Closed, frozen=True, kw_only=True):
    """The implementation under test and what it is set up with.

    A client: `speaks` its versions, most preferred first; `remembered` the era of this server that it kept from an
    earlier run; `capabilities` that it declares; `answers` to requests for input, by method; over HTTP the `url` that
    it is given, the `token` that it presents, and whether it also speaks HTTP+SSE (`old_transport`). A server: `speaks`
    its versions. The waiting times are those that a client is to be configured with.
    """

    role: Literal["client", "server"]
    transport: Literal["stdio", "http"]
    speaks: list[str]
    remembered: Literal["", "modern", "legacy"] = ""
    capabilities: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    url: str = ""
    token: str = ""
    old_transport: bool = False
    probe_timeout_ms: int = 10_000
    handshake_timeout_ms: int = 30_000
    request_timeout_ms: int = 60_000
    exit_wait_ms: int = 5_000
    terminate_wait_ms: int = 2_000


class Clock(_Closed, frozen=True, kw_only=True):
    """The virtual clock: milliseconds from 0 to `end_ms`, at which the last step ends."""

    end_ms: int


class On(_Closed, frozen=True, kw_only=True):
    """Which messages of a client a rule is for: the members that are there have to match.

    `params` holds members that are equal, `absent` names of members that are not there; `version` is that of `_meta`,
    or that which initialize asks for; `process` counts the processes that were started, from 1; `http` is the method of
    an HTTP request without a message, and `url` where a request goes; `signal` is what the client does to the process.
    `nth` counts the messages that match all else, from 1.
    """

    method: str = ""
    version: str = ""
    params: dict[str, Any] = {}
    absent: list[str] = []
    process: int = 0
    http: Literal["", "GET"] = ""
    url: str = ""
    signal: Literal["", "close-input", "terminate"] = ""
    nth: int = 0


class StreamEvent(_Closed, frozen=True, kw_only=True):
    """An event of an event stream."""

    name: str
    data: str


class PeerReply(_Closed, frozen=True, kw_only=True):
    """What the peer of a client sends: all that stands here, in this order.

    `before` holds notifications; `result` or `error` becomes a response, whose id is that of the request unless `id` is
    there; `messages` go out as they are, and so do `lines` of stdio. Over HTTP, `status` and `headers` are those of the
    response, whose body is the message, or `body` or `text`; with `stream` it is an event stream, which ends unless it
    stays `open`; `events` are events that have another name than `message`. With `old_stream` the messages go out on
    the stream that a GET opened. `unreachable`: no connection comes about. `exit`: the process ends. Where nothing
    stands here the peer is silent.
    """

    delay_ms: int = 0
    stderr: str = ""
    before: list[Any] = []
    result: Any = msgspec.UNSET
    error: Any = msgspec.UNSET
    id: Any = msgspec.UNSET
    messages: list[Any] = []
    lines: list[str] = []
    status: int = 200
    headers: dict[str, str] = {}
    body: Any = msgspec.UNSET
    text: str = ""
    stream: bool = False
    events: list[StreamEvent] = []
    open: bool = False
    old_stream: bool = False
    unreachable: bool = False
    exit: bool = False


class PeerRule(_Closed, frozen=True, kw_only=True):
    """One rule of the peer of a client. The first that is for a message decides; a message that none is for gets no
    answer."""

    on: On
    reply: PeerReply


class Call(_Closed, frozen=True, kw_only=True):
    """What a caller asks of the client under test, under a name of its own."""

    name: str
    op: str
    args: dict[str, Any] = {}


class Say(_Closed, frozen=True, kw_only=True):
    """What the peer of a client sends without being asked: on the stream of the request `to`, or with its id."""

    to: str = ""
    reply: PeerReply


class Sending(_Closed, frozen=True, kw_only=True):
    """What happens to a server under test: a request of an exchange is sent, its input ends, or the calls that are
    still running are awaited (`release`).

    `process` tells several processes of the same server apart, `connection` several connections over HTTP, each from 1.
    Where the request is `pending`, its reply is not waited for. A string `$reply:2:/messages/0/id` in the message or in
    a header stands for the value at this JSON pointer in the reply to step 2, `$fixture:slow-call:/name` for that in
    the values of a fixture; where an object stands in its place, this has `$fixture` with the rest as its only member.
    """

    process: int = 1
    connection: int = 1
    request: Request | None = None
    pending: bool = False
    end_of_input: bool = False
    release: bool = False


class Wire(_Closed, frozen=True, kw_only=True):
    """One thing that goes out: its envelope, or the name of one among those of the file. `equal` and `unequal` compare
    the value at a JSON pointer with the ids of requests that went out before.

    Of a server, `equal` compares it with a value of an earlier reply, and `disjoint` tells that the arrays at both
    places have no item in common. `same_as` is the number of an earlier step whose reply this one is like; with
    `same_where` only where both fit this envelope."""

    envelope: dict[str, Any] | str
    equal: dict[str, str] = {}
    unequal: dict[str, list[str]] = {}
    disjoint: dict[str, str] = {}
    same_as: int | None = None
    same_where: dict[str, Any] = {}


class Outcome(_Closed, frozen=True, kw_only=True):
    """How a call ends: `value` is an envelope of what it returns, `code` that of the JSON-RPC error that it raises.
    `kind` tells the kind of another error and is not compared."""

    call: str
    outcome: Literal["returned", "raised"]
    value: dict[str, Any] = {}
    kind: str = ""
    code: int | None = None


class Step(_Closed, frozen=True, kw_only=True):
    """What happens at `at_ms`, and what has to follow before the next step. One of `call`, `say`, `send`, or nothing
    but the passing of time. `any_order`: what goes out may do so in any order."""

    at_ms: int
    call: Call | None = None
    say: Say | None = None
    send: Sending | None = None
    any_order: bool = False
    expect_wire: list[Wire]
    expect_result: list[Outcome]


class Instead(_Closed, frozen=True, kw_only=True):
    """What follows a step in another course: it takes the place of what stands in the step with this number, from 0."""

    step: int
    expect_wire: list[Wire]
    expect_result: list[Outcome]


class Course(_Closed, frozen=True, kw_only=True):
    """Another course that conforms, as far as it differs from the expected one. That of a server which has other
    features or versions has neither `basis` nor `when`."""

    name: str
    grade: Grade
    basis: Basis | None = None
    when: dict[str, str] = {}
    steps: list[Instead]


class Scenario(_Case, frozen=True, kw_only=True):
    """A timeline under a virtual clock. What a scripted peer answers, the steps, and what each must show; `acceptable`
    holds the other courses that conform. `bounded`: so many choices were read that not all of their combinations were
    tried."""

    under_test: UnderTest
    clock: Clock
    peer: list[PeerRule] = []
    steps: list[Step]
    acceptable: list[Course] = []
    bounded: bool = False


class File(_Closed, frozen=True, kw_only=True, rename={"schema": "$schema"}):
    """What files of every kind have."""

    schema: str
    format: int
    kind: str
    revision: str
    about: str
    flags: dict[str, str] = {}


class DecisionFile(File, frozen=True, kw_only=True):
    """The cases of one function."""

    function: str
    judges: bool = False
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    cases: list[Decision]


class ExchangeFile(File, frozen=True, kw_only=True):
    """Exchanges of one area."""

    cases: list[Exchange]


class ScenarioFile(File, frozen=True, kw_only=True):
    """Scenarios of one area; `envelopes` holds the envelopes that they name."""

    envelopes: dict[str, dict[str, Any]]
    cases: list[Scenario]


AnyCase = Decision | Exchange | Scenario


def cases_of(file: File) -> list[AnyCase]:
    """The cases of a vector file of any kind."""
    assert isinstance(file, DecisionFile | ExchangeFile | ScenarioFile)
    return list(file.cases)


def choices_of(case: AnyCase) -> set[str]:
    """The choices that some permitted outcome of a case depends on."""
    if isinstance(case, Decision):
        return {choice for one in case.acceptable for choice in one.when}
    if isinstance(case, Exchange):
        return {choice for one in case.replies for choice in one.when}
    return {choice for one in case.acceptable for choice in one.when}
