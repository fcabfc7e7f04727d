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


class Scenario(_Case, frozen=True, kw_only=True):
    """A timeline under a virtual clock. The peer's scripted replies, the steps, and what each must show; `acceptable`
    holds other sequences of steps that conform."""

    under_test: dict[str, Any]
    clock: dict[str, Any]
    peer: list[dict[str, Any]] = []
    steps: list[dict[str, Any]]
    acceptable: list[dict[str, Any]] = []
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
    """Scenarios of one area."""

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
    return {choice for one in case.acceptable for choice in one.get("when", {})}
