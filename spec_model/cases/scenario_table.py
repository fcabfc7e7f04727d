"""Scenario tables: who is under test, what its peer answers, and the steps. What has to be seen comes from the rules:
the reference peer plays the scenario under each permitted profile, and each distinct course becomes envelopes.

    stdio = scenarios("stdio", "What a client does on stdio.")
    stdio(
        "cancel",
        "A cancelled call is named by its id",
        client(),
        [discovered(), on("tools/call", result=TEXT, delay_ms=500)],
        [call(0, "a", "tools/call", name="slow"), call(100, "stop", "cancel", call="a")],
        _shows=("stdio.cancel.notification",),
    )

`_shows` names the requirements that a faulty peer breaks here; a test ties each to such a peer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import msgspec

from spec_model import VECTOR_SET
from spec_model.cases import format as fmt
from spec_model.cases.courses import Expected, expected_of
from spec_model.cases.table import BadCase, case_id, checked_title
from spec_model.cases.timeline import Playable, Script, Window, play
from spec_model.peers.client import ReferenceClient
from spec_model.peers.client_wire import ClientSettings
from spec_model.requirements.catalogue import severity
from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.semantics.era import Transport
from spec_model.semantics.explore import Alternative, Image, sparse_image
from spec_model.semantics.revisions import Era, ImplementationEra, implementation_era
from spec_model.verdicts import Level

# How long after its last step a scenario goes on.
TAIL_MS: Final = 100

FLAGS: Final = {
    "legacy": "A message in the scenario is one of an earlier revision.",
    "malformed": "A message in the scenario is not valid under the official schema, on purpose.",
}

_DEFAULTS: Final = ClientSettings()


# --- who and what -----------------------------------------------------------------------------------------------------


def client(transport: str = "stdio", **settings: Any) -> fmt.UnderTest:
    """A client under test; over HTTP it has the usual URL unless `settings` name another."""
    speaks = settings.pop("speaks", _DEFAULTS.speaks)
    url = settings.pop("url", _DEFAULTS.url) if transport == "http" else ""
    return msgspec.convert(
        {"role": "client", "transport": transport, "speaks": speaks, "url": url, **settings}, fmt.UnderTest
    )


def client_settings(under_test: fmt.UnderTest) -> ClientSettings:
    """The settings of the reference client for this client under test."""
    return ClientSettings(
        transport=Transport(under_test.transport),
        speaks=under_test.speaks,
        remembered=Era(under_test.remembered) if under_test.remembered else None,
        capabilities=under_test.capabilities,
        answers=under_test.answers,
        url=under_test.url,
        token=under_test.token,
        old_transport=under_test.old_transport,
        probe_timeout_ms=under_test.probe_timeout_ms,
        handshake_timeout_ms=under_test.handshake_timeout_ms,
        request_timeout_ms=under_test.request_timeout_ms,
        exit_wait_ms=under_test.exit_wait_ms,
        terminate_wait_ms=under_test.terminate_wait_ms,
    )


_ON: Final = frozenset(fmt.On.__struct_fields__) - {"method", "nth"}


def on(method: str = "", nth: int = 0, **members: Any) -> fmt.PeerRule:
    """A rule of the peer: `members` are those of `fmt.On` and of `fmt.PeerReply`."""
    condition = {name: value for name, value in members.items() if name in _ON}
    reply = {name: value for name, value in members.items() if name not in _ON}
    return fmt.PeerRule(on=fmt.On(method=method, nth=nth, **condition), reply=_reply(reply))


def _reply(members: dict[str, Any]) -> fmt.PeerReply:
    events = [fmt.StreamEvent(**event) for event in members.pop("events", [])]
    return fmt.PeerReply(events=events, **members)


def call(at: int, name: str, op: str, args: dict[str, Any] | None = None, /, **more: Any) -> fmt.Step:
    """A step: a caller asks for something."""
    asked = fmt.Call(name=name, op=op, args={**(args or {}), **more})
    return fmt.Step(at_ms=at, call=asked, expect_wire=[], expect_result=[])


def say(at: int, to: str = "", **reply: Any) -> fmt.Step:
    """A step: the peer sends something of its own accord."""
    said = fmt.Say(to=to, reply=_reply(reply))
    return fmt.Step(at_ms=at, say=said, expect_wire=[], expect_result=[])


def wait(at: int) -> fmt.Step:
    """A step at which nothing happens but what is due."""
    return fmt.Step(at_ms=at, expect_wire=[], expect_result=[])


def any_order(step: fmt.Step) -> fmt.Step:
    """The same step, after which things may go out in any order."""
    return msgspec.structs.replace(step, any_order=True)


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass
class ScenarioCase:
    """One scenario. `views` says what its envelopes look at besides; `needs` what the implementation has to have."""

    id: str
    title: str
    under_test: fmt.UnderTest
    peer: list[fmt.PeerRule]
    steps: list[fmt.Step]
    end_ms: int
    shows: tuple[str, ...]
    see: tuple[str, ...]
    views: tuple[str, ...]
    needs: tuple[str, ...]
    note: str
    since: str
    about: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    weight: Level | None = None
    _courses: dict[bytes, tuple[bytes, list[Expected]]] = field(default_factory=dict)

    @property
    def script(self) -> Script:
        """What is played."""
        return self.peer, self.steps, self.end_ms

    @cached_property
    def image(self) -> Image:
        """The courses that conform."""
        return sparse_image(self._run)

    @property
    def requirements(self) -> list[str]:
        """What a faulty peer breaks here, what the case is about, and what else the reference peer goes by."""
        reasons = self.image.expected.because
        strange = [one for one in self.about if one not in reasons]
        if strange:
            raise BadCase(f"{self.id}: {', '.join(strange)} forces nothing here")
        return list(dict.fromkeys((*self.shows, *self.about, *reasons)))

    @property
    def level(self) -> Level:
        """The level of the governing requirement, or that of a lesser one that no page in the catalogue holds."""
        return self.weight or severity(self.requirements[0])

    def windows(self, peer: Playable) -> list[Window]:
        """What is seen of a peer that plays the scenario."""
        return play(peer, self.script)

    def reference(self, profile: Profile = DEFAULT_PROFILE) -> ReferenceClient:
        """The reference peer for this scenario."""
        return ReferenceClient(client_settings(self.under_test), profile)

    def _run(self, profile: Profile) -> tuple[bytes, Any, tuple[str, ...]]:
        peer = self.reference(profile)
        windows = self.windows(peer)
        key = msgspec.json.encode(windows)
        if key not in self._courses:
            course = expected_of(windows, self.views)
            self._courses[key] = msgspec.json.encode(course), course
        return *self._courses[key], tuple(peer.because)

    def vector(self) -> fmt.Scenario:
        """The case as it is emitted."""
        first, *others = self.image.outcomes
        expected: list[Expected] = first.output
        steps = [
            msgspec.structs.replace(step, expect_wire=wire, expect_result=results)
            for step, (wire, results) in zip(self.steps, expected, strict=True)
        ]
        if not any(wire or results for wire, results in expected):
            raise BadCase(f"{self.id}: nothing is seen in this scenario")
        return fmt.Scenario(
            id=self.id,
            title=self.title,
            requirements=self.requirements,
            level=self.level,
            since=self.since,
            note=self.note,
            flags=list(self.flags),
            see=list(self.see),
            shows=list(self.shows),
            applies_if=self._applies_if(),
            under_test=self.under_test,
            clock=fmt.Clock(end_ms=self.end_ms),
            peer=self.peer,
            steps=steps,
            acceptable=_distinct([_course(one, expected) for one in others]),
            bounded=self.image.bounded,
        )

    def _applies_if(self) -> fmt.AppliesIf:
        era = implementation_era(self.under_test.speaks).outcome
        assert era is not None
        return msgspec.convert(
            {
                "role": self.under_test.role,
                "eras": [_ERAS[era]],
                "transports": [self.under_test.transport],
                "fixtures": list(self.needs),
            },
            fmt.AppliesIf,
        )


_ERAS: Final = {
    ImplementationEra.MODERN: "modern",
    ImplementationEra.LEGACY: "legacy",
    ImplementationEra.DUAL_ERA: "dual",
}


def _course(one: Alternative, expected: Sequence[Expected]) -> fmt.Course:
    """Another course, as far as it differs."""
    changed = [
        fmt.Instead(step=number, expect_wire=wire, expect_result=results)
        for number, ((wire, results), usual) in enumerate(zip(one.output, expected, strict=True))
        if (wire, results) != usual
    ]
    return msgspec.convert(
        {
            "name": " and ".join(one.when.values()) or "other-server",
            "grade": one.grade,
            "basis": one.basis() if one.when else None,
            "when": one.when,
            "steps": msgspec.to_builtins(changed),
        },
        fmt.Course,
    )


def _distinct(courses: Sequence[fmt.Course]) -> list[fmt.Course]:
    """The courses with a number in the names of those that have the name of an earlier one."""
    counts: Counter[str] = Counter()
    found: list[fmt.Course] = []
    for course in courses:
        counts[course.name] += 1
        number = counts[course.name]
        found.append(course if number == 1 else msgspec.structs.replace(course, name=f"{course.name}-{number}"))
    return found


@dataclass
class ScenarioTable:
    """The scenarios of one area: one vector file."""

    area: str
    about: str
    cases: list[ScenarioCase] = field(default_factory=list)

    def __call__(
        self,
        slug: str,
        title: str,
        under_test: fmt.UnderTest,
        peer: Sequence[fmt.PeerRule],
        steps: Sequence[fmt.Step],
        /,
        *,
        _end: int = 0,
        _shows: tuple[str, ...] = (),
        _see: tuple[str, ...] = (),
        _views: tuple[str, ...] = (),
        _needs: tuple[str, ...] = (),
        _note: str = "",
        _since: str = VECTOR_SET,
        _about: tuple[str, ...] = (),
        _flags: tuple[str, ...] = (),
        _level: Level | None = None,
    ) -> None:
        """Adds a scenario. `_end` is when it ends, shortly after its last step where that is not told; `_about` names
        reasons of the reference peer that govern the case, where `_shows` names none."""
        self.cases.append(
            ScenarioCase(
                id=case_id(f"{self.area}/timeline", slug),
                title=checked_title(slug, title),
                under_test=under_test,
                peer=list(peer),
                steps=list(steps),
                end_ms=_end or steps[-1].at_ms + TAIL_MS,
                shows=_shows,
                see=_see,
                views=_views,
                needs=_needs,
                note=_note,
                since=_since,
                about=_about,
                flags=_flags,
                weight=_level,
            )
        )


_SCENARIOS: list[ScenarioTable] = []


def scenarios(area: str, about: str) -> ScenarioTable:
    """A new table; the file is named after the area."""
    return register(ScenarioTable(area, about))


def register(table: ScenarioTable) -> ScenarioTable:
    """Lets a table be emitted."""
    _SCENARIOS.append(table)
    return table


def scenario_tables() -> list[ScenarioTable]:
    """Every table, by area."""
    from spec_model.cases import scenarios  # noqa: F401  the module imports every table

    return sorted(_SCENARIOS, key=lambda table: table.area)


def scenario_file(table: ScenarioTable, revision: str) -> fmt.ScenarioFile:
    """The file of one area."""
    named = _Named()
    return fmt.ScenarioFile(
        schema="../../schema/scenario.schema.json",
        format=fmt.FORMAT,
        kind="scenario",
        revision=revision,
        about=table.about,
        flags={flag: FLAGS[flag] for flag in sorted({flag for case in table.cases for flag in case.flags})},
        cases=[named.case(case.vector()) for case in table.cases],
        envelopes=named.envelopes,
    )


class _Named:
    """The envelopes of a file by their names."""

    def __init__(self) -> None:
        self.envelopes: dict[str, dict[str, Any]] = {}
        self._names: dict[bytes, str] = {}

    def case(self, case: fmt.Scenario) -> fmt.Scenario:
        """The case with names in place of its envelopes."""
        steps = [msgspec.structs.replace(step, expect_wire=self._wires(step.expect_wire)) for step in case.steps]
        acceptable = [
            msgspec.structs.replace(
                course,
                steps=[
                    msgspec.structs.replace(step, expect_wire=self._wires(step.expect_wire)) for step in course.steps
                ],
            )
            for course in case.acceptable
        ]
        return msgspec.structs.replace(case, steps=steps, acceptable=acceptable)

    def _wires(self, wires: Sequence[fmt.Wire]) -> list[fmt.Wire]:
        return [msgspec.structs.replace(wire, envelope=self._name(wire.envelope)) for wire in wires]

    def _name(self, envelope: dict[str, Any] | str) -> str:
        assert isinstance(envelope, dict)
        key = msgspec.json.encode(envelope)
        if key not in self._names:
            name = f"{_about(envelope)}-{len(self._names) + 1}"
            self._names[key] = name
            self.envelopes[name] = envelope
        return self._names[key]


def _about(envelope: dict[str, Any]) -> str:
    """What an envelope is of: a method, or a kind."""
    members = envelope["properties"]
    method = members.get("message", {}).get("properties", {}).get("method", {}).get("const")
    return str(method or members["kind"]["const"])
