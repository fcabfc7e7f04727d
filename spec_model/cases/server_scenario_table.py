"""Scenario tables for servers: several requests, one after the other, on one process or endpoint.

    state = server_scenarios("state", "What a server keeps between requests.")
    state(
        "same-list",
        "The same request gets the same answer whatever came before",
        server("stdio"),
        [send(0, stdio(request("tools/list"))), send(100, stdio(request("tools/list", id=2)), same_as=0)],
        _shows=("statelessness.server.no-prior-context",),
    )

The replies come from the reference server under each permitted profile, and are looked at as in exchanges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final

import msgspec

from spec_model import VECTOR_SET
from spec_model.cases import format as fmt
from spec_model.cases.courses import Expected, alike
from spec_model.cases.envelopes import NOTHING, lists, objects
from spec_model.cases.exchange_table import SERVERS, ServerEra, View, answer_to, envelope_of, normalised
from spec_model.cases.scenario_table import TAIL_MS, ScenarioCase, ScenarioTable, register
from spec_model.cases.table import BadCase, case_id, checked_title
from spec_model.cases.timeline import Window
from spec_model.peers.server import HttpReply, ReferenceServer, StdioReply
from spec_model.peers.server_content import Settings
from spec_model.requirements.choice import Profile
from spec_model.semantics.explore import Alternative, Image, sparse_image
from spec_model.semantics.revisions import ImplementationEra, implementation_era
from spec_model.verdicts import worst

_ERAS: Final[dict[ImplementationEra | None, ServerEra]] = {
    ImplementationEra.MODERN: "modern",
    ImplementationEra.DUAL_ERA: "dual",
}


@dataclass(frozen=True)
class ServerStep:
    """A step, what its reply is looked at for, and the number of the step whose reply it is like."""

    step: fmt.Step
    view: View = View.ANSWER
    same_as: int | None = None


def server(transport: str, *, dual: bool = False) -> fmt.UnderTest:
    """A server under test, of this revision or of both eras."""
    speaks = ["2026-07-28", "2025-11-25", "2025-06-18"] if dual else ["2026-07-28"]
    return msgspec.convert({"role": "server", "transport": transport, "speaks": speaks}, fmt.UnderTest)


def send(
    at: int, request: fmt.Request, view: View = View.ANSWER, *, same_as: int | None = None, process: int = 1
) -> ServerStep:
    """A step: a request is sent."""
    sending = fmt.Sending(request=request, process=process)
    return ServerStep(fmt.Step(at_ms=at, send=sending, expect_wire=[], expect_result=[]), view, same_as)


def end_of_input(at: int) -> ServerStep:
    """A step: the standard input of the server is closed."""
    return ServerStep(fmt.Step(at_ms=at, send=fmt.Sending(end_of_input=True), expect_wire=[], expect_result=[]))


def release(at: int, process: int = 1) -> ServerStep:
    """A step: the tool calls that wait are let go on."""
    sending = fmt.Sending(release=True, process=process)
    return ServerStep(fmt.Step(at_ms=at, send=sending, expect_wire=[], expect_result=[]))


@dataclass
class ServerCase(ScenarioCase):
    """One scenario of a server."""

    plan: list[ServerStep] = field(default_factory=list)

    @cached_property
    def image(self) -> Image:
        """The courses that conform, whichever of its settings a server has."""
        found: dict[bytes, Alternative] = {}
        images = [sparse_image(partial(self._play, one)) for one in self.settings]
        for one in (alternative for image in images for alternative in image.outcomes):
            key = msgspec.json.encode(one.output)
            if key not in found or worst((one.grade, found[key].grade)) is not one.grade:
                found[key] = one
        read = frozenset(choice for image in images for choice in image.read)
        return Image(list(found.values()), [], read, any(image.bounded for image in images))

    @property
    def settings(self) -> Sequence[Settings]:
        """The settings of the reference servers that stand for this one."""
        return SERVERS[_ERAS[implementation_era(self.under_test.speaks).outcome]]

    def replies(self, new: Callable[[], ReferenceServer]) -> list[Window]:
        """What is seen of servers that play the scenario; `new` starts one."""
        played = _Played(new)
        return [Window([played.item(one.step.send)[0]], [[]]) for one in self.plan]

    def _play(self, settings: Settings, profile: Profile) -> tuple[bytes, Any, tuple[str, ...]]:
        played = _Played(lambda: ReferenceServer(settings, profile))
        course: list[Expected] = []
        because: dict[str, None] = {}
        for one in self.plan:
            item, reply, message = played.item(one.step.send)
            because.update(dict.fromkeys(() if reply is None else reply.because))
            if one.same_as is not None and not alike(item, played.items[one.same_as]):
                raise BadCase(f"{self.id}: the replies to steps {one.same_as} and {len(course)} differ")
            wire = fmt.Wire(envelope=_envelope(item, reply, message, one.view), same_as=one.same_as)
            course.append(([wire], []))
        return msgspec.json.encode(course), course, tuple(because)


class _Played:
    """The processes of one server, and what they answered so far."""

    def __init__(self, new: Callable[[], ReferenceServer]) -> None:
        self._new = new
        self._processes: dict[int, ReferenceServer] = {}
        self.items: list[dict[str, Any]] = []

    def item(self, sending: fmt.Sending | None) -> tuple[dict[str, Any], StdioReply | HttpReply | None, Any]:
        """What is seen after a step, the reply to its request, and the message that was sent."""
        assert sending is not None
        peer = self._processes.get(sending.process) or self._processes.setdefault(sending.process, self._new())
        reply, message = None, None
        if sending.release:
            messages = [message for _, late in peer.finish() for message in late.messages]
            item: dict[str, Any] = {"kind": "late", "messages": messages}
        elif sending.request is None:
            item = {"kind": "end", "closed": peer.end_of_input().exited}
        else:
            request = self._filled(sending.request)
            message = None if request.message is msgspec.UNSET else request.message
            reply = answer_to(peer, request)
            item = {"kind": "reply", **normalised(reply)}
        self.items.append(item)
        return item, reply, message

    def _filled(self, request: fmt.Request) -> fmt.Request:
        """The request with values of earlier replies in place of `$reply:step:pointer`."""
        if request.message is msgspec.UNSET:
            return request
        return msgspec.structs.replace(request, message=self._value(request.message))

    def _value(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$reply:"):
            _, step, pointer = value.split(":", 2)
            return _at(self.items[int(step)], pointer)
        if isinstance(value, list):
            return [self._value(one) for one in value]
        if isinstance(value, dict):
            return {name: self._value(one) for name, one in value.items()}
        return value


def _at(value: Any, pointer: str) -> Any:
    """The value at a JSON pointer, None where there is none."""
    for part in pointer.split("/")[1:]:
        if isinstance(value, list):
            value = value[int(part)] if int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def _envelope(item: dict[str, Any], reply: StdioReply | HttpReply | None, message: Any, view: View) -> dict[str, Any]:
    kind = {"kind": {"const": item["kind"]}}
    if reply is not None:
        envelope = envelope_of(reply, message, view)
        return {
            **envelope,
            "required": ["kind", *envelope.get("required", [])],
            "properties": {**kind, **envelope.get("properties", {})},
        }
    if item["kind"] == "end":
        return objects({**kind, "closed": {"const": True}})
    return objects(
        {**kind, "messages": lists({"type": "object"}, len(item["messages"])) if item["messages"] else NOTHING}
    )


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
        _shows: tuple[str, ...] = (),
        _about: tuple[str, ...] = (),
        _flags: tuple[str, ...] = (),
        _see: tuple[str, ...] = (),
        _needs: tuple[str, ...] = (),
        _note: str = "",
        _since: str = VECTOR_SET,
    ) -> None:
        """Adds a scenario; see `ScenarioTable`."""
        steps = [one.step for one in plan]
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
            )
        )


def server_scenarios(area: str, about: str) -> ServerTable:
    """A new table; the file is named after the area."""
    return ServerTable(register(ScenarioTable(area, about)))
