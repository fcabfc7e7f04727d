"""Coverage of the catalogue by the vectors: computed from the two, and from nothing else.

A requirement of kind `schema` or `decision` is executable when a published function decides by it. It is two-sided:

- in a judging function, when some case lets it pass and some case breaks it;
- in an acting function (and for permissions, which nothing can break), when it decides a case that has a control with
  another outcome: a neighbour which differs in one thing.

A requirement of kind `server-wire` or `client-wire` is shown when an exchange or a scenario names it in `shows`, which
a test ties to a faulty peer that fails there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from spec_model.cases import format as fmt
from spec_model.requirements.catalogue import Requirement, catalogue, questions, scope
from spec_model.semantics.decision import Conformance
from spec_model.verdicts import Level

Status = Literal["two-sided", "one-sided", "uncovered", "shown", "out-of-reach", "not-shown"]

_CONFORMS = Conformance.CONFORMS.value


class Evidence(msgspec.Struct):
    """What the vectors hold about one requirement: the functions that decide by it, and the ids of cases."""

    functions: set[str] = msgspec.field(default_factory=set)
    accepting: set[str] = msgspec.field(default_factory=set)
    rejecting: set[str] = msgspec.field(default_factory=set)
    wire: set[str] = msgspec.field(default_factory=set)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The coverage of one requirement. `reason` says why it cannot have more, where that is recorded."""

    id: str
    area: str
    page: str
    kind: str
    level: Level
    status: Status
    reason: str
    functions: list[str]
    accepting: list[str]
    rejecting: list[str]
    wire: list[str]


class Area(msgspec.Struct, kw_only=True):
    """The figures of one area, which is the first segment of the requirement ids."""

    area: str
    requirements: int = 0
    executable: int = 0
    two_sided: int = 0
    reasoned: int = 0
    wire: int = 0
    shown: int = 0
    out_of_reach: int = 0
    decision_cases: int = 0
    exchange_cases: int = 0
    scenario_cases: int = 0
    choices: int = 0


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The whole table. `ratio` is the share of schema and decision requirements that are two-sided, `executable_ratio`
    the share that a function decides by, and `wire_ratio` the share of wire requirements shown or out of reach with a
    reason."""

    ratio: float
    executable_ratio: float
    wire_ratio: float
    total: Area
    areas: list[Area]
    rows: list[Row]


def coverage(files: Iterable[fmt.File]) -> Coverage:
    """The coverage of the catalogue's scope by these vector files."""
    held = list(files)
    evidence = _evidence(held)
    rows = [_row(one, evidence[one.id]) for one in catalogue().values() if _counted(one)]
    areas = _areas(rows, held)
    total = _total(areas)
    return Coverage(
        ratio=_share(total.two_sided, total.requirements),
        executable_ratio=_share(total.executable, total.requirements),
        wire_ratio=_share(total.shown + total.out_of_reach, total.wire),
        total=total,
        areas=areas,
        rows=rows,
    )


def _counted(one: Requirement) -> bool:
    return one.kind != "guidance" and not one.restates and scope().covers(one)


def _evidence(files: list[fmt.File]) -> Mapping[str, Evidence]:
    evidence: defaultdict[str, Evidence] = defaultdict(Evidence)
    for file in files:
        if isinstance(file, fmt.DecisionFile):
            _decided(file, evidence)
        elif isinstance(file, fmt.ExchangeFile | fmt.ScenarioFile):
            for case in file.cases:
                for requirement in case.shows:
                    evidence[requirement].wire.add(case.id)
    return evidence


def _decided(file: fmt.DecisionFile, evidence: Mapping[str, Evidence]) -> None:
    by_id = {case.id: case for case in file.cases}
    for case in file.cases:
        control = by_id.get(case.control)
        _outcome(file, case, case.expected, case.requirements, control, evidence)
        for other in case.acceptable:
            _outcome(file, case, other.output, other.requirements, control, evidence)
        if control is not None:
            _outcome(file, control, control.expected, control.requirements, case, evidence)


def _outcome(
    file: fmt.DecisionFile,
    case: fmt.Decision,
    output: object,
    requirements: Iterable[str],
    control: fmt.Decision | None,
    evidence: Mapping[str, Evidence],
) -> None:
    contrast = control is not None and control.expected != output
    for requirement in requirements:
        found = evidence[requirement]
        found.functions.add(file.function)
        if file.judges and not _permission(requirement):
            (found.accepting if output == _CONFORMS else found.rejecting).add(case.id)
            continue
        found.accepting.add(case.id)
        if contrast and control is not None:
            found.rejecting.add(control.id)


def _permission(requirement: str) -> bool:
    known = catalogue().get(requirement)
    return known is not None and known.severity is Level.MAY


def _row(one: Requirement, found: Evidence) -> Row:
    return Row(
        id=one.id,
        area=one.id.partition(".")[0],
        page=one.page,
        kind=one.kind,
        level=one.severity,
        status=_status(one, found),
        reason=one.one_sided or one.out_of_reach,
        functions=sorted(found.functions),
        accepting=sorted(found.accepting),
        rejecting=sorted(found.rejecting),
        wire=sorted(found.wire),
    )


def _status(one: Requirement, found: Evidence) -> Status:
    if one.kind in ("server-wire", "client-wire"):
        if found.wire:
            return "shown"
        return "out-of-reach" if one.out_of_reach else "not-shown"
    if found.accepting and found.rejecting:
        return "two-sided"
    return "one-sided" if found.functions else "uncovered"


def _areas(rows: Iterable[Row], files: Iterable[fmt.File]) -> list[Area]:
    areas: dict[str, Area] = {}
    for row in rows:
        _count(areas.setdefault(row.area, Area(area=row.area)), row)
    for file in files:
        _count_cases(areas, file)
    for choice in questions():
        name = choice.partition(".")[0]
        areas.setdefault(name, Area(area=name)).choices += 1
    return sorted(areas.values(), key=lambda area: area.area)


def _count(area: Area, row: Row) -> None:
    if row.kind in ("server-wire", "client-wire"):
        area.wire += 1
        area.shown += row.status == "shown"
        area.out_of_reach += row.status == "out-of-reach"
        return
    area.requirements += 1
    area.executable += bool(row.functions)
    area.two_sided += row.status == "two-sided"
    area.reasoned += row.status != "two-sided" and bool(row.reason)


def _count_cases(areas: dict[str, Area], file: fmt.File) -> None:
    assert isinstance(file, fmt.DecisionFile | fmt.ExchangeFile | fmt.ScenarioFile)
    for case in file.cases:
        name = case.requirements[0].partition(".")[0]
        area = areas.setdefault(name, Area(area=name))
        field = f"{file.kind}_cases"
        setattr(area, field, getattr(area, field) + 1)


def _total(areas: Iterable[Area]) -> Area:
    total = Area(area="total")
    for area in areas:
        for field in Area.__struct_fields__[1:]:
            setattr(total, field, getattr(total, field) + getattr(area, field))
    return total


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0
