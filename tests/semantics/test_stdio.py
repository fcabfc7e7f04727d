"""Laws of the framing and of the message rules on stdio."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.requirements.choices import (
    ByteOrderMark,
    MessagesAfterCancel,
    Newline,
    ReadingUnit,
    ShutdownEscalation,
    UnterminatedLine,
)
from spec_model.semantics.decision import Conformance
from spec_model.semantics.messages import Party
from spec_model.semantics.stdio import (
    Answers,
    Cancelled,
    InFlight,
    OfSubscription,
    ShutdownStep,
    Unmatched,
    after_exit,
    correlate,
    frames,
    may_write,
    shutdown,
    stream,
)
from spec_model.semantics.transports import Octets
from spec_model.wire.json import encode
from spec_model.wire.values import equal

READINGS = [
    Profile(dict(zip((Newline, ReadingUnit, UnterminatedLine, ByteOrderMark), values, strict=True)))
    for values in itertools.product(Newline, ReadingUnit, UnterminatedLine, ByteOrderMark)
]
IDS = st.integers(-2, 2) | st.sampled_from(["", "1", "-1"])
TEXTS = st.text(max_size=5) | st.sampled_from(["\n", "\r\n", "\u2028", "\x85", "}{", "\ufeff"])
RESULTS = st.builds(lambda one, text: {"jsonrpc": "2.0", "id": one, "result": {"text": text}}, IDS, TEXTS)
NOTES = st.builds(lambda text: {"jsonrpc": "2.0", "method": "notifications/x", "params": {"text": text}}, TEXTS)
MESSAGES = RESULTS | NOTES
GARBAGE = st.sampled_from(
    [
        b"",
        b" ",
        b"ready",
        b'{"jsonrpc":"2.0","method":"x"}\xff',
        b'{"a":\n',
        b"[",
        b"{",
        b"null",
        b"[]",
        b"{}",
        b'{"level":"info"}',
        b"\xff",
        b'{"id":1',
        b"\x1b[0m",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
REQUESTS = st.lists(
    st.builds(
        InFlight,
        IDS,
        st.sampled_from(["tools/call", "subscriptions/listen"]),
        st.sampled_from(["t", 1]),
        st.sampled_from(Cancelled),
    ),
    max_size=3,
    unique_by=lambda request: repr(request.id),
)


def _lines(messages: list[Any], ending: bytes = b"\n") -> bytes:
    return b"".join(encode(message) + ending for message in messages)


def _read(data: bytes, profile: Profile = DEFAULT_PROFILE, *, ended: bool = False) -> list[Any]:
    return frames(profile, [Octets(data)], ended).outcome


@given(st.lists(MESSAGES, max_size=4), st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_every_reading_agrees_on_a_clean_stream(messages: list[Any], ending: bytes, ended: bool) -> None:
    data = _lines(messages, ending)
    for profile in READINGS:
        assert _read(data, profile, ended=ended) == messages
        assert stream(Party.SERVER, [Octets(data)], profile, ended).outcome is Conformance.CONFORMS


@given(st.lists(MESSAGES | GARBAGE, max_size=4), st.data())
def test_chunks_do_not_matter(parts: list[Any], data: st.DataObject) -> None:
    whole = b"".join((one if isinstance(one, bytes) else encode(one)) + b"\n" for one in parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    chunks: list[Any] = [Octets(whole[a:b]) for a, b in itertools.pairwise([0, *cuts, len(whole)])]
    for profile in READINGS:
        assert frames(profile, chunks) == frames(profile, [Octets(whole)])
        assert stream(Party.SERVER, chunks, profile) == stream(Party.SERVER, [Octets(whole)], profile)


@given(st.lists(MESSAGES | GARBAGE, max_size=4), st.data())
def test_what_was_read_stays_read(parts: list[Any], data: st.DataObject) -> None:
    whole = b"".join((one if isinstance(one, bytes) else encode(one)) + b"\n" for one in parts)
    cut = data.draw(st.integers(0, len(whole)))
    for profile in READINGS:
        first = _read(whole[:cut], profile)
        assert _read(whole, profile)[: len(first)] == first


@given(st.lists(MESSAGES | GARBAGE, max_size=5))
def test_a_faulty_line_harms_no_other(parts: list[Any]) -> None:
    whole = b"".join((one if isinstance(one, bytes) else encode(one)) + b"\n" for one in parts)
    assert _read(whole) == [one for one in parts if not isinstance(one, bytes)]


@given(st.lists(MESSAGES, max_size=3), GARBAGE, st.lists(MESSAGES, max_size=3))
def test_a_stream_with_a_faulty_line_is_wrong(before: list[Any], garbage: bytes, after: list[Any]) -> None:
    data = _lines(before) + garbage + b"\n" + _lines(after)
    assert stream(Party.SERVER, [Octets(data)], DEFAULT_PROFILE).outcome is Conformance.BREAKS


@given(MESSAGES, st.integers(1, 4))
def test_an_indented_message_is_none_on_lines_and_one_by_value(message: Any, indent: int) -> None:
    data = json.dumps(message, indent=indent).encode() + b"\n"
    assert _read(data) == []
    assert _read(data, Profile({ReadingUnit: ReadingUnit.JSON_VALUE})) == [message]
    judged = stream(Party.SERVER, [Octets(data)], DEFAULT_PROFILE)
    assert (judged.outcome, judged.because) == (Conformance.BREAKS, ("stdio.framing.no-embedded-newline",))


@given(st.lists(MESSAGES, min_size=2, max_size=4))
def test_several_messages_on_a_line_are_none_on_lines_and_all_by_value(messages: list[Any]) -> None:
    data = _lines(messages, b"") + b"\n"
    assert _read(data) == []
    assert _read(data, Profile({ReadingUnit: ReadingUnit.JSON_VALUE})) == messages


@given(st.binary(max_size=20), st.booleans())
def test_whatever_the_bytes_every_reading_gives_messages(data: bytes, ended: bool) -> None:
    for profile in READINGS:
        assert all(isinstance(message, dict) for message in _read(data, profile, ended=ended))
        assert stream(Party.CLIENT, [Octets(data)], profile, ended).because


@given(st.lists(MESSAGES, max_size=3), MESSAGES)
def test_a_last_line_counts_by_one_choice_alone(messages: list[Any], last: Any) -> None:
    data = _lines(messages) + encode(last)
    counting = Profile({UnterminatedLine: UnterminatedLine.MESSAGE})
    assert _read(data) == _read(data, ended=True) == _read(data, counting) == messages
    assert _read(data, counting, ended=True) == [*messages, last]


@given(JSON, REQUESTS, st.sampled_from(Party))
def test_whatever_is_written_is_judged(message: Any, in_flight: list[InFlight], writer: Party) -> None:
    assert may_write(writer, message, in_flight, DEFAULT_PROFILE).because
    wrapped = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": message}
    assert may_write(writer, wrapped, in_flight, DEFAULT_PROFILE).because


@given(IDS, REQUESTS)
def test_a_server_answers_what_is_in_flight_and_not_cancelled(request_id: Any, in_flight: list[InFlight]) -> None:
    message = {"jsonrpc": "2.0", "id": request_id, "result": {"resultType": "complete"}}
    cancelled = next((one.cancelled for one in in_flight if equal(one.id, request_id)), None)
    allowed = {DEFAULT_PROFILE: cancelled is Cancelled.NO}
    lenient = Profile({MessagesAfterCancel: MessagesAfterCancel.RESPONSE_IF_NOT_CANCELLABLE})
    allowed[lenient] = cancelled in (Cancelled.NO, Cancelled.TOO_LATE)
    for profile, right in allowed.items():
        judged = may_write(Party.SERVER, message, in_flight, profile).outcome
        assert (judged is Conformance.CONFORMS) == right


@given(IDS, REQUESTS)
def test_no_notification_follows_a_cancellation(token: Any, in_flight: list[InFlight]) -> None:
    gone = [InFlight(one.id, one.method, one.progress_token, Cancelled.TOO_LATE) for one in in_flight]
    notes: list[Any] = [
        {"method": "notifications/progress", "params": {"progressToken": "t", "progress": 1}},
        {"method": "notifications/message", "params": {"level": "info", "data": 1}},
        {"method": "notifications/x", "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": token}}},
    ]
    for note in notes:
        for answer in MessagesAfterCancel:
            profile = Profile({MessagesAfterCancel: answer})
            judged = may_write(Party.SERVER, {"jsonrpc": "2.0", **note}, gone, profile)
            assert judged.outcome is Conformance.BREAKS


@given(st.integers(-2, 2) | st.sampled_from(["", "1", None, True, 1.0, 1.5]), REQUESTS)
def test_a_response_belongs_to_the_request_with_its_very_id(request_id: Any, in_flight: list[InFlight]) -> None:
    message = {"jsonrpc": "2.0", "id": request_id, "result": {}}
    found = correlate(message, in_flight, DEFAULT_PROFILE).outcome
    if isinstance(found, Answers):
        assert equal(found.id, request_id) and found.id in [one.id for one in in_flight]
    else:
        assert found == Unmatched() and not any(equal(request_id, one.id) for one in in_flight)


@given(IDS, REQUESTS)
def test_a_notification_belongs_to_a_subscription_alone(subscription: Any, in_flight: list[InFlight]) -> None:
    meta = {"io.modelcontextprotocol/subscriptionId": subscription}
    message: Any = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": meta}}
    listens = [one.id for one in in_flight if one.method == "subscriptions/listen"]
    matched = any(equal(subscription, one) for one in listens)
    expected = OfSubscription(subscription) if matched else Unmatched()
    assert correlate(message, in_flight, DEFAULT_PROFILE).outcome == expected


@given(JSON, REQUESTS)
def test_whatever_is_received_is_assigned_to_a_request_or_to_none(message: Any, in_flight: list[InFlight]) -> None:
    found = correlate(message, in_flight, DEFAULT_PROFILE).outcome
    assert isinstance(found, Unmatched) or found.id in [one.id for one in in_flight]


@given(REQUESTS, st.lists(RESULTS, max_size=3))
def test_after_an_exit_each_request_is_answered_cancelled_or_missed(requests: list[InFlight], came: list[Any]) -> None:
    after = after_exit(requests, [Octets(_lines(came))], DEFAULT_PROFILE).outcome
    missed = [*after.lost, *after.listen_again]
    for one in requests:
        answered = any(equal(message["id"], one.id) for message in came)
        assert any(equal(one.id, other) for other in missed) == (one.cancelled is Cancelled.NO and not answered)
    assert len(missed) <= len(requests)


@pytest.mark.parametrize(
    ("platform", "escalation", "steps"),
    [
        ("posix", ShutdownEscalation.TERMINATE_THEN_KILL, ["close-input", "wait", "terminate", "kill"]),
        ("posix", ShutdownEscalation.KILL_AT_ONCE, ["close-input", "wait", "kill"]),
        ("windows", ShutdownEscalation.TERMINATE_THEN_KILL, ["close-input", "wait", "kill"]),
    ],
)
def test_a_shutdown_goes_on_until_the_server_is_gone(
    platform: Any, escalation: ShutdownEscalation, steps: list[str]
) -> None:
    profile = Profile({ShutdownEscalation: escalation})
    taken: list[Any] = []
    waited = 0
    seen: list[str] = []
    while not seen or seen[-1] != "kill":
        step = shutdown(platform, taken, waited, 100, profile).outcome
        seen.append(step.value)
        if step is ShutdownStep.WAIT:
            waited = 100
        else:
            taken.append(step.value)
            waited = 0 if step is ShutdownStep.CLOSE_INPUT else 100
    assert seen == steps
    for past in range(len(taken)):
        assert shutdown(platform, taken[:past], 0, 100, profile, exited=True).outcome is ShutdownStep.DONE


def test_ids_that_nest_deeply_are_compared() -> None:
    deep: Any = []
    for _ in range(505):
        deep = [deep]
    message = {"jsonrpc": "2.0", "id": deep, "result": {"resultType": "complete"}}
    correlate(message, [InFlight(deep, "tools/call")], DEFAULT_PROFILE)
    may_write(Party.SERVER, message, [InFlight(deep, "tools/call")], DEFAULT_PROFILE)


def test_many_requests_and_many_other_answers() -> None:
    requests = [InFlight(n, "tools/call") for n in range(5000)]
    stdout = "".join(f'{{"jsonrpc":"2.0","id":{n},"result":{{}}}}\n' for n in range(4999, 9999))
    assert after_exit(requests, [stdout], DEFAULT_PROFILE).outcome.lost == list(range(4999))
