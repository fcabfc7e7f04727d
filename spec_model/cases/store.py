"""The emitted vectors as they lie on disk: reading, looking up, and verifying."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

import spec_model
from spec_model.cases import format as fmt
from spec_model.cases.emit import KINDS


class BadVectors(ValueError):
    """Vector files that are missing or not what they must be; the text names the file and what is wrong."""


def default_directory() -> Path:
    """The vectors of this package: beside it in a checkout, inside it in a wheel."""
    package = Path(spec_model.__file__).parent
    inside = package / "_vectors"
    return inside if inside.is_dir() else package.parent / "vectors"


@dataclass(frozen=True)
class Store:
    """A directory of vectors."""

    directory: Path

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The manifest as it stands."""
        return msgspec.json.decode(self._bytes("manifest.json"), type=dict[str, Any])

    @cached_property
    def paths(self) -> list[str]:
        """The paths of the vector files that the manifest lists."""
        return [entry["path"] for entry in self.manifest["files"] if entry["kind"] in KINDS]

    def files(self) -> Iterator[fmt.File]:
        """Every vector file, in the order of the manifest."""
        for path in self.paths:
            yield self.file(path)

    def file(self, path: str) -> fmt.File:
        """One vector file; BadVectors where it does not fit its format."""
        kind = path.split("/")[-2]
        try:
            return msgspec.json.decode(self._bytes(path), type=KINDS[kind])
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise BadVectors(f"{path}: {error}") from None

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
        for entry in self.manifest["files"]:
            path = entry["path"]
            listed.add(path)
            try:
                digest = hashlib.sha256(self._bytes(path)).hexdigest()
            except BadVectors as error:
                yield str(error)
                continue
            if digest != entry["sha256"]:
                yield f"{path}: its bytes are not those of the manifest (sha256 {digest[:12]}…)"
        for found in sorted(self.directory.rglob("*.json")):
            name = found.relative_to(self.directory).as_posix()
            if name not in listed:
                yield f"{name}: the manifest does not list it"

    def _wrong_contents(self) -> Iterator[str]:
        known = {one["id"] for one in msgspec.json.decode(self._bytes("requirements.json"))["requirements"]}
        retired = {one["id"] for one in self.manifest["retired"]}
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
        yield from (f"{case_id}: {count} cases have this id" for case_id, count in ids.items() if count > 1)
        yield from (f"{case_id}: the id is retired" for case_id in sorted(retired & ids.keys()))
        (frozen,) = (one["ids"] for one in self.manifest["sets"].values())
        yield from (f"{case_id}: the manifest's set does not hold it" for case_id in sorted(ids.keys() - set(frozen)))
        yield from (
            f"{case_id}: the manifest's set holds it and no file does" for case_id in sorted(set(frozen) - ids.keys())
        )

    def _bytes(self, path: str) -> bytes:
        try:
            return (self.directory / path).read_bytes()
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
