"""The catalogue: every normative statement in scope, in our own words, and the open questions.

The data stands beside this module: `catalogue/*.json` (one file a page), `questions/*.json`, `pages.json` (the git blob
of each page that was read) and `scope.json` (which pages and sections the model covers).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Literal

import msgspec

from spec_model.verdicts import LEVELS, ChoiceKind, Level

Kind = Literal["schema", "decision", "server-wire", "client-wire", "guidance"]


class Requirement(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One normative statement.

    `page` and `anchor` say where it stands. `see` holds check ids of the official conformance suite. `restates` names
    the requirement that already says this. `not_testable` is the reason why nothing can test it; `one_sided` the reason
    why it has an accepting case and can have no rejecting one, or the reverse; `out_of_reach` the reason why the
    reference peers cannot show it on the wire.
    """

    id: str
    page: str
    anchor: str
    level: Literal["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"]
    role: Literal["client", "server", "both", "intermediary", "host", "authorization-server"]
    transport: Literal["any", "stdio", "http"]
    statement: str
    kind: Kind
    implicit: bool = False
    restates: str | list[str] | None = None
    revisions: list[str] = []
    see: list[str] = []
    official_excluded: bool = False
    not_testable: str = ""
    one_sided: str = ""
    out_of_reach: str = ""

    @property
    def severity(self) -> Level:
        """The level without its direction: must, should or may."""
        return LEVELS[self.level]

    @property
    def negated(self) -> bool:
        """Whether the statement is a prohibition."""
        return self.level.endswith("NOT")


class Because(msgspec.Struct, frozen=True):
    """What one page says about an open question, in short."""

    page: str
    says: str


class Reading(msgspec.Struct, frozen=True, omit_defaults=True):
    """One permitted value of a choice: what it means, why, and the pages that support it."""

    value: str
    means: str
    argument: str = ""
    supported_by: list[str] = []


class Default(msgspec.Struct, frozen=True):
    """The value that the model takes where nothing is said, and why."""

    value: str
    why: str


class Question(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The prose of one choice. `basis` is `silent`, `conflict` or `order` for an open question, else the requirement id
    of the MAY or SHOULD."""

    id: str
    kind: ChoiceKind
    basis: str
    role: str
    transport: str
    question: str
    pages: list[str]
    readings: list[Reading]
    default: Default
    open_because: list[Because] = []
    not_permitted: list[str] = []


class Settled(msgspec.Struct, frozen=True):
    """A point that looks open and is not."""

    entry: str
    outcome: str
    settled_by: list[str]


class Page(msgspec.Struct, frozen=True):
    """A page of the specification as it was read: its path in the specification's repository and its git blob."""

    path: str
    blob: str


class Pages(msgspec.Struct, frozen=True):
    """The state of the specification that the catalogue was read from."""

    repository: str
    commit: str
    pages: dict[str, Page]


class Scope(msgspec.Struct, frozen=True):
    """What the coverage figures count: whole pages, or some sections (anchors) of a page."""

    pages: dict[str, list[str] | None]

    def covers(self, requirement: Requirement) -> bool:
        """Whether `requirement` stands on a page and in a section that is in scope."""
        if requirement.page not in self.pages:
            return False
        anchors = self.pages[requirement.page]
        return anchors is None or requirement.anchor in anchors


class UnknownRequirement(KeyError):
    """A requirement id that the catalogue does not hold."""

    def __str__(self) -> str:
        return f"there is no requirement {self.args[0]!r}"


def _data() -> Traversable:
    return resources.files("spec_model.requirements")


@cache
def catalogue() -> Mapping[str, Requirement]:
    """Every requirement by id, in the order of the pages."""
    decoder = msgspec.json.Decoder(list[Requirement])
    files = sorted((_data() / "catalogue").iterdir(), key=lambda file: file.name)
    found: dict[str, Requirement] = {}
    for file in files:
        for requirement in decoder.decode(file.read_bytes()):
            if requirement.id in found:
                raise ValueError(f"{file.name}: the id {requirement.id} is taken")
            found[requirement.id] = requirement
    return found


def requirement(requirement_id: str) -> Requirement:
    """The requirement with this id; UnknownRequirement where there is none."""
    try:
        return catalogue()[requirement_id]
    except KeyError:
        raise UnknownRequirement(requirement_id) from None


def severity(requirement_id: str) -> Level:
    """The level of a requirement: must, should or may."""
    return requirement(requirement_id).severity


@cache
def questions() -> Mapping[str, Question]:
    """The prose of every choice, by choice id."""
    decoder = msgspec.json.Decoder(list[Question])
    directory = _data() / "questions"
    files = [directory / f"{kind}.json" for kind in ("open", "may", "should")]
    return {entry.id: entry for file in files for entry in decoder.decode(file.read_bytes())}


@cache
def settled() -> list[Settled]:
    """Points that look open and are decided by the pages named."""
    return msgspec.json.decode((_data() / "questions" / "settled.json").read_bytes(), type=list[Settled])


@cache
def pages() -> Pages:
    """The pages that the catalogue was read from."""
    return msgspec.json.decode((_data() / "pages.json").read_bytes(), type=Pages)


@cache
def scope() -> Scope:
    """The pages and sections that the model covers."""
    return msgspec.json.decode((_data() / "scope.json").read_bytes(), type=Scope)
