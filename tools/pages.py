"""Compares the pages that the catalogue was read from with a checkout of the specification's repository.

python tools/pages.py --checkout DIR                    compare with the commit that is checked out
python tools/pages.py --checkout DIR --commit COMMIT    compare with this commit, branch or tag

Lists every page that changed, with the requirements and the open questions that rest on it and are to be read again.
Exit code 0: no page changed; 1: some did; 2: there is nothing to compare with.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from spec_model.requirements.catalogue import Page, catalogue, pages, questions

_SHOWN = 12


class NothingToCompare(Exception):
    """What was given is no checkout of the specification; the text says in one line why."""


class Changed(NamedTuple):
    """A page that is not as it was read: its blob now, None where it is gone, and the ids of what rests on it."""

    name: str
    page: Page
    blob: str | None
    requirements: list[str]
    questions: list[str]


def main(arguments: list[str] | None = None) -> int:
    """Runs the tool; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, required=True, help="a clone of the specification's repository")
    parser.add_argument("--commit", default="HEAD", help="a commit, branch or tag of it (default: what is checked out)")
    given = parser.parse_args(arguments)
    try:
        commit = _commit(given.checkout, given.commit)
        changed = list(compare(given.checkout, commit))
    except NothingToCompare as error:
        print(f"pages: {error}", file=sys.stderr)
        return 2
    for line in _report(changed, commit):
        print(line)
    return 1 if changed else 0


def compare(checkout: Path, commit: str) -> Iterator[Changed]:
    """The pages of the catalogue that `commit` has in another form or not at all, in the order of their names.

    Raises NothingToCompare where it has none of them.
    """
    blobs = {name: _blob(checkout, commit, page.path) for name, page in pages().pages.items()}
    if not any(blobs.values()):
        raise NothingToCompare(f"{commit[:_SHOWN]} of {checkout} has none of the pages; is it {pages().repository}?")
    for name, page in sorted(pages().pages.items()):
        if blobs[name] != page.blob:
            yield Changed(name, page, blobs[name], _requirements(name), _questions(name))


def _requirements(name: str) -> list[str]:
    return [one.id for one in catalogue().values() if one.page == name]


def _questions(name: str) -> list[str]:
    return [one.id for one in questions().values() if any(page.split("#")[0] == name for page in one.pages)]


def _report(changed: list[Changed], commit: str) -> Iterator[str]:
    for one in changed:
        now = "is gone" if one.blob is None else f"is {one.blob[:_SHOWN]}"
        yield f"{one.name}: {one.page.path} was {one.page.blob[:_SHOWN]} and {now}"
        yield from _listed("requirements", one.requirements)
        yield from _listed("questions", one.questions)
    again = sum(len(one.requirements) for one in changed)
    yield (
        f"{len(changed)} of {len(pages().pages)} pages differ between {pages().commit[:_SHOWN]} and {commit[:_SHOWN]}; "
        f"{again} requirements to read again"
    )


def _listed(title: str, ids: list[str]) -> Iterator[str]:
    if ids:
        yield f"  {title}:"
        yield from (f"    {one}" for one in ids)


def _commit(checkout: Path, name: str) -> str:
    """The full hash of a commit; NothingToCompare where there is no such repository or no such commit."""
    if not checkout.is_dir():
        raise NothingToCompare(f"there is no directory {checkout}")
    if _git(checkout, "rev-parse", "--git-dir") is None:
        raise NothingToCompare(f"{checkout} is no git repository")
    commit = None if name.startswith("-") else _git(checkout, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if commit is None:
        raise NothingToCompare(f"{checkout} has no commit {name!r}")
    return commit


def _blob(checkout: Path, commit: str, path: str) -> str | None:
    return _git(checkout, "rev-parse", "--verify", "--quiet", f"{commit}:{path}")


def _git(checkout: Path, *arguments: str) -> str | None:
    """What a git command prints, None where it fails. It runs without the settings of a git that may have called us."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-C", str(checkout), *arguments]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    except FileNotFoundError:
        raise NothingToCompare("the program git is not installed") from None
    return run.stdout.strip() if run.returncode == 0 else None


if __name__ == "__main__":
    sys.exit(main())
