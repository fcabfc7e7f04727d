"""The emitted vectors as they lie on disk: reading, looking up, and verifying."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec

import spec_model
from spec_model.cases import format as fmt
from spec_model.cases.emit import KINDS

T = TypeVar("T")


class BadVectors(ValueError):
    """Vector files that are missing or not what they must be; the text names the file and what is wrong."""


def default_directory() -> Path:
    """The vectors of this package: beside it in a checkout, inside it in a wheel."""
    package = Path(spec_model.__file__).parent
    inside = package / "_vectors"
    return inside if inside.is_dir() else package.parent / "vectors"


class _Entry(msgspec.Struct, frozen=True):
    """One file in the manifest."""

    path: str
    kind: str
    sha256: str


class _Set(msgspec.Struct, frozen=True):
    """A frozen set of case ids."""

    ids: list[str]


class _Retired(msgspec.Struct, frozen=True):
    """A retired id."""

    id: str


class _Manifest(msgspec.Struct, frozen=True):
    """What is read of the manifest."""

    files: list[_Entry]
    sets: dict[str, _Set]
    retired: list[_Retired]


class _Requirements(msgspec.Struct, frozen=True):
    """What is read of the catalogue."""

    requirements: list[_Retired]


MOST_BYTES = 64 * 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Store:
    """A directory of vectors. What it holds may come from anywhere, so nothing outside it is read."""

    directory: Path

    @cached_property
    def manifest(self) -> _Manifest:
        """The manifest; BadVectors where it is none."""
        return self._read("manifest.json", _Manifest)

    @cached_property
    def paths(self) -> list[str]:
        """The paths of the vector files that the manifest lists."""
        return [entry.path for entry in self.manifest.files if entry.kind in KINDS]

    def files(self) -> Iterator[fmt.File]:
        """Every vector file, in the order of the manifest."""
        for path in self.paths:
            yield self.file(path)

    def file(self, path: str) -> fmt.File:
        """One vector file; BadVectors where it does not fit its format."""
        kind = path.split("/")[-2] if path.count("/") else ""
        if kind not in KINDS:
            raise BadVectors(f"{path[:80]}: it stands in the folder of no kind of vectors")
        return self._read(path, KINDS[kind])

    def cases(self) -> Iterator[tuple[str, fmt.AnyCase]]:
        """Every case with the path of its file."""
        for path in self.paths:
            for case in fmt.cases_of(self.file(path)):
                yield path, case

    def cases_of(self, requirement: str) -> list[str]:
        """The ids of the cases that a requirement decides or that show it."""
        return [case.id for _, case in self.cases() if requirement in (*case.requirements, *case.shows)]

    def cases_of_choice(self, choice: str) -> list[str]:
        """The ids of the cases in which a choice permits another outcome."""
        return [case.id for _, case in self.cases() if choice in fmt.choices_of(case)]

    def verify(self) -> list[str]:
        """What is wrong with the directory, one line each; nothing where it is as it was emitted."""
        return [*self._wrong_digests(), *self._wrong_contents()]

    def _wrong_digests(self) -> Iterator[str]:
        listed = {"manifest.json"}
        for entry in self.manifest.files:
            listed.add(entry.path)
            try:
                digest = hashlib.sha256(self._bytes(entry.path)).hexdigest()
            except BadVectors as error:
                yield str(error)
                continue
            if digest != entry.sha256:
                yield f"{entry.path}: its bytes are not those of the manifest (sha256 {digest[:12]}…)"
        for found in sorted(self.directory.rglob("*.json")):
            name = found.relative_to(self.directory).as_posix()
            if name not in listed:
                yield f"{name}: the manifest does not list it"

    def _wrong_contents(self) -> Iterator[str]:
        known = {one.id for one in self._read("requirements.json", _Requirements).requirements}
        ids: Counter[str] = Counter()
        for path in self.paths:
            try:
                file = self.file(path)
            except BadVectors as error:
                yield str(error)
                continue
            cases = fmt.cases_of(file)
            ids.update(case.id for case in cases)
            yield from _wrong_cases(path, file, known)
        retired = {one.id for one in self.manifest.retired}
        frozen = {case_id for one in self.manifest.sets.values() for case_id in one.ids}
        yield from (f"{case_id}: {count} cases have this id" for case_id, count in ids.items() if count > 1)
        yield from (f"{case_id}: the id is retired" for case_id in sorted(retired & ids.keys()))
        yield from (f"{case_id}: the manifest's set does not hold it" for case_id in sorted(ids.keys() - frozen))
        yield from (
            f"{case_id}: the manifest's set holds it and no file does" for case_id in sorted(frozen - ids.keys())
        )

    def _read(self, path: str, content: type[T]) -> T:
        try:
            return msgspec.json.decode(self._bytes(path), type=content)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise BadVectors(f"{path}: {error}") from None

    def _bytes(self, path: str) -> bytes:
        """The bytes of a regular file inside the directory; BadVectors for anything else."""
        parts = path.split("/")
        if len(path) > 200 or not all(_NAME.fullmatch(part) and part.strip(".") for part in parts):
            raise BadVectors(f"{path[:80]}: this is no path inside the directory")
        file = self.directory.joinpath(*parts)
        try:
            if not file.resolve().is_relative_to(self.directory.resolve()):
                raise BadVectors(f"{path}: it leads out of the directory")
            if not file.is_file():
                raise BadVectors(f"{path}: there is no such file")
            if file.stat().st_size > MOST_BYTES:
                raise BadVectors(f"{path}: it is larger than {MOST_BYTES} bytes")
            return file.read_bytes()
        except OSError as error:
            raise BadVectors(f"{path}: {error.strerror or error}") from None


def _wrong_cases(path: str, file: fmt.File, known: set[str]) -> Iterator[str]:
    here = {case.id for case in fmt.cases_of(file)}
    for case in fmt.cases_of(file):
        where = f"{path}: {case.id}"
        yield from (
            f"{where}: there is no requirement {one}" for one in (*case.requirements, *case.shows) if one not in known
        )
        yield from (
            f"{where}: the file does not define the flag {flag}" for flag in case.flags if flag not in file.flags
        )
        if case.control and case.control not in here:
            yield f"{where}: its control {case.control} is not in the file"


def open_store(directory: Path | None = None) -> Store:
    """The vectors in `directory`, or those of this package; BadVectors where there is no manifest."""
    store = Store(directory or default_directory())
    if not (store.directory / "manifest.json").is_file():
        raise BadVectors(f"{store.directory}: there is no manifest.json; `make vectors` writes the vectors")
    return store
