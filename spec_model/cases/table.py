"""Case tables: the inputs we thought of, with titles. What is expected comes from the rules, never from here.

    lifetimes = decisions("caching/lifetime", "caching.lifetime")
    lifetimes("negative", "A negative ttlMs counts as 0", ttl=-5)

One table is both the check and the generator's input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec

from spec_model import VECTOR_SET
from spec_model.requirements.catalogue import severity
from spec_model.requirements.choice import Profile
from spec_model.semantics.decision import Conformance
from spec_model.semantics.explore import Image, image
from spec_model.semantics.functions import Function, function_of, output_of
from spec_model.verdicts import Level

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TITLE_LIMIT = 110


class BadCase(ValueError):
    """A case that must not be emitted; the text names it and says what is wrong."""


@dataclass
class DecisionCase:
    """One input of a published rule.

    `see` names the field reports that it covers (`field:key`), `flags` those of the file that apply.
    """

    id: str
    title: str
    function: Function
    input: dict[str, Any]
    since: str = VECTOR_SET
    note: str = ""
    flags: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    applies_if: dict[str, Any] = field(default_factory=dict)
    control: str = ""
    _outputs: dict[bytes, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """The input as arguments of the rule."""
        return self.function.read(self.input)

    @cached_property
    def image(self) -> Image:
        """What a conforming implementation may answer."""
        return image(self._run)

    @property
    def output(self) -> Any:
        """What the default profile answers."""
        return self.image.expected.output

    @property
    def requirements(self) -> tuple[str, ...]:
        """The reasons of that answer, the governing one first."""
        return self.image.expected.because

    @property
    def level(self) -> Level:
        """The level of the governing requirement."""
        return severity(self.requirements[0])

    @property
    def refuses(self) -> bool:
        """Whether the rule grades the input as nonconforming."""
        return self.function.judges and self.output != Conformance.CONFORMS.value

    def _run(self, profile: Profile) -> tuple[bytes, Any, tuple[str, ...]]:
        decision = self.function.decide(self.arguments, profile)
        key = msgspec.json.encode(decision.outcome)
        if key not in self._outputs:
            self._outputs[key] = output_of(decision.outcome)
        return key, self._outputs[key], decision.because


@dataclass
class DecisionTable:
    """The cases of one function: one vector file."""

    prefix: str
    function: Function
    about: str
    flags: dict[str, str]
    cases: list[DecisionCase] = field(default_factory=list)

    def __call__(
        self,
        slug: str,
        title: str,
        /,
        *,
        _note: str = "",
        _flags: tuple[str, ...] = (),
        _see: tuple[str, ...] = (),
        _since: str = VECTOR_SET,
        **members: Any,
    ) -> None:
        """Adds a case; `members` are the members of the input object. Names with an underscore are about the case."""
        self.cases.append(
            DecisionCase(
                id=case_id(self.prefix, slug),
                title=checked_title(slug, title),
                function=self.function,
                input=members,
                since=_since,
                note=_note,
                flags=self._known(slug, _flags),
                see=_see,
            )
        )

    def _known(self, slug: str, flags: tuple[str, ...]) -> tuple[str, ...]:
        for flag in flags:
            if flag not in self.flags:
                raise BadCase(f"{self.prefix}/{slug}: the file does not define the flag {flag}")
        return flags


_DECISIONS: list[DecisionTable] = []


def decisions(prefix: str, name: str, flags: dict[str, str] | None = None) -> DecisionTable:
    """A new table for the function `name`; case ids start with `prefix`, `flags` maps each flag to its meaning."""
    function = function_of(name)
    about = function.about.split("\n\n", 1)[0].replace("\n", " ")
    table = DecisionTable(prefix, function, about, dict(flags or {}))
    _DECISIONS.append(table)
    return table


def decision_tables() -> list[DecisionTable]:
    """Every table, by function name."""
    from spec_model.cases import tables  # noqa: F401  the module imports every table

    return sorted(_DECISIONS, key=lambda table: table.function.name)


def decision_cases() -> Iterator[DecisionCase]:
    """Every decision case."""
    return (case for table in decision_tables() for case in table.cases)


def case_id(prefix: str, slug: str) -> str:
    """The permanent id `prefix/slug`: 2 to 4 lower-case segments."""
    whole = f"{prefix}/{slug}"
    segments = whole.split("/")
    if not 2 <= len(segments) <= 4 or not all(_SLUG.fullmatch(segment) for segment in segments):
        raise BadCase(f"{whole}: an id has 2 to 4 segments of lower-case letters, digits and hyphens")
    return whole


def checked_title(slug: str, title: str) -> str:
    """The title, or BadCase where it is too long or says what ought to be instead of what is."""
    if len(title) > _TITLE_LIMIT:
        raise BadCase(f"{slug}: the title is longer than {_TITLE_LIMIT} characters")
    if re.search(r"\bshould\b|\bmust\b", title, re.IGNORECASE) or title.endswith("."):
        raise BadCase(f"{slug}: a title says what is, without should or must and without a full stop")
    return title
