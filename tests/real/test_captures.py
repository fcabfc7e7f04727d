"""The captures are whole and sane: every case is there, what is due came, and silence was told from a dead server."""

from collections.abc import Iterable, Mapping

import pytest

from .captures import Capture
from .cases import NOT_FIRST, Json, Kind, Transport, all_cases

WELL_FORMED = (Kind.RESULT, Kind.REFUSED)

SETTINGS: dict[str, tuple[Transport, tuple[Kind, ...]]] = {
    "first": (Transport.STDIO, tuple(Kind)),
    "together": (Transport.STDIO, WELL_FORMED),
    "later": (Transport.STDIO, (Kind.LEGACY, Kind.MALFORMED)),
    "own": (Transport.HTTP, tuple(Kind)),
}

NO_JSON_BODY = {"header-content-type-text", "header-origin-foreign", "header-host-foreign"}
"""Refused over HTTP before any JSON-RPC, with a body that is plain text."""

WITHOUT_ID = {"version-legacy", "version-legacy-discover"}
"""Well-formed, and refused over HTTP without their id: the header makes them requests of an earlier revision."""


@pytest.fixture(scope="session")
def captures(stdio_captures: list[Capture], http_captures: list[Capture]) -> list[Capture]:
    """The captures over both transports."""
    return [*stdio_captures, *http_captures]


def member(value: Json, name: str) -> Json:
    """A member of a JSON object; None where there is none."""
    return value.get(name) if isinstance(value, Mapping) else None


def label(capture: Capture) -> str:
    """What a failing assertion calls the capture."""
    return f"{capture['transport']}/{capture['setting']}/{capture['name']}"


def labels(captures: Iterable[Capture]) -> list[str]:
    """What a failing assertion calls the captures."""
    return [label(capture) for capture in captures]


def test_names_are_unique() -> None:
    names = [case.name for case in all_cases()]
    assert len(names) == len(set(names))
    assert set(names) >= NOT_FIRST


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_case_is_captured_once(captures: list[Capture], setting: str) -> None:
    transport, kinds = SETTINGS[setting]
    due = {case.name for case in all_cases() if transport in case.transports and case.kind in kinds}
    if setting == "first":
        due -= NOT_FIRST
    assert sorted(capture["name"] for capture in captures if capture["setting"] == setting) == sorted(due)


def test_well_formed_requests_have_a_result(captures: list[Capture]) -> None:
    due = [capture for capture in captures if capture["kind"] == Kind.RESULT]
    assert due
    without = [capture for capture in due if member(member(capture["reply"], "result"), "resultType") != "complete"]
    assert labels(without) == []


def test_well_formed_requests_echo_their_id(captures: list[Capture]) -> None:
    due = [capture for capture in captures if capture["kind"] in WELL_FORMED]
    other = [capture for capture in due if member(capture["reply"], "id") != member(capture["request"], "id")]
    assert sorted(labels(other)) == sorted(f"http/own/{name}" for name in WITHOUT_ID)


def test_no_reply_has_another_id(captures: list[Capture]) -> None:
    for capture in captures:
        ident = member(capture["request"], "id")
        if isinstance(ident, str | int) and capture["reply"] is not None:
            assert member(capture["reply"], "id") in (ident, None), label(capture)


def test_replies_parse(captures: list[Capture]) -> None:
    assert {capture["name"] for capture in captures if capture["unparsed"]} == NO_JSON_BODY


def test_replies_are_results_or_errors(captures: list[Capture]) -> None:
    for capture in captures:
        reply = capture["reply"]
        if reply is not None:
            assert isinstance(reply, dict), label(capture)
            assert ("result" in reply) is not ("error" in reply), label(capture)
            assert reply in capture["messages"], label(capture)


def test_silence_is_told_from_a_dead_server(stdio_captures: list[Capture]) -> None:
    silent = [capture for capture in stdio_captures if capture["reply"] is None]
    assert silent
    assert [label(capture) for capture in silent if capture["alive"] is not True] == []
    assert [
        label(capture) for capture in stdio_captures if capture not in silent and capture["alive"] is not None
    ] == []


def test_notifications_come_before_the_reply(captures: list[Capture]) -> None:
    watched = [capture for capture in captures if capture["name"] == "tools-call-watched"]
    assert len(watched) == 3
    for capture in watched:
        methods = [member(message, "method") for message in capture["messages"]]
        assert methods[:-1] == ["notifications/progress", "notifications/message"] * 2, label(capture)
        assert capture["messages"][-1] == capture["reply"], label(capture)


def test_http_replies_end_in_time(http_captures: list[Capture]) -> None:
    assert [capture["name"] for capture in http_captures if capture["ended"] is not True] == []


def test_http_replies_have_a_status_and_lower_case_headers(http_captures: list[Capture]) -> None:
    for capture in http_captures:
        assert capture["status"] is not None
        assert capture["headers"] is not None
        assert all(name == name.lower() for name in capture["headers"])


def test_stdio_captures_have_no_http_members(stdio_captures: list[Capture]) -> None:
    for capture in stdio_captures:
        assert (capture["status"], capture["headers"], capture["sent"], capture["ended"]) == (None, None, None, None)
