"""`mcp-spec vectors list | show | verify`."""

from __future__ import annotations

import argparse
import fnmatch

from spec_model.cases import format as fmt
from spec_model.cases.store import BadVectors, Store
from spec_model.cli.text import Commands, Failure, command, say, say_json, table, vectors_in
from spec_model.verdicts import Exit


def add(commands: Commands) -> None:
    """Adds the command and its three subcommands."""
    parser = commands.add_parser("vectors", help="list, show and verify the vectors", description="The vectors.")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = command(actions, "list", _list, "list cases", "mcp-spec vectors list --area caching --kind decision")
    listing.add_argument("--area", default="", help="cases whose id starts with this segment")
    listing.add_argument(
        "--kind", default="", choices=["", "decision", "exchange", "scenario"], help="cases of one kind"
    )
    listing.add_argument("--requirement", default="", metavar="ID", help="cases that a requirement decides")
    show = command(actions, "show", _show, "show one case", "mcp-spec vectors show caching/lifetime/negative")
    show.add_argument("id", metavar="ID", help="the id of a case")
    verify = command(
        actions,
        "verify",
        _verify,
        "check schemas, digests and ids of a directory of vectors",
        "mcp-spec vectors verify vectors",
    )
    verify.add_argument("directory", nargs="?", metavar="DIR", help="the directory; by default that of this package")
    for action in (listing, show):
        action.add_argument(
            "--dir", metavar="DIR", help="the directory of the vectors; by default that of this package"
        )


def _list(arguments: argparse.Namespace) -> int:
    store = vectors_in(arguments.dir)
    rows = [
        {"id": case.id, "kind": _kind(path), "level": case.level, "title": case.title, "file": path}
        for path, case in _cases(store)
        if _wanted(arguments, path, case)
    ]
    if not rows:
        raise Failure("no case matches")
    if arguments.json:
        say_json(rows)
    else:
        say(*table(("id", "kind", "level", "title"), [tuple(row.values())[:4] for row in rows]))
    return Exit.OK


def _cases(store: Store) -> list[tuple[str, fmt.AnyCase]]:
    try:
        return list(store.cases())
    except BadVectors as error:
        raise Failure(str(error)) from None


def _kind(path: str) -> str:
    return path.split("/")[-2]


def _wanted(arguments: argparse.Namespace, path: str, case: fmt.AnyCase) -> bool:
    return (
        (not arguments.area or fnmatch.fnmatch(case.id.partition("/")[0], arguments.area))
        and (not arguments.kind or _kind(path) == arguments.kind)
        and (not arguments.requirement or arguments.requirement in (*case.requirements, *case.shows))
    )


def _show(arguments: argparse.Namespace) -> int:
    for path, case in _cases(vectors_in(arguments.dir)):
        if case.id == arguments.id:
            if not arguments.json:
                say(f"# {path}")
            say_json(case)
            return Exit.OK
    raise Failure(f"there is no case {arguments.id!r}; `mcp-spec vectors list` lists them")


def _verify(arguments: argparse.Namespace) -> int:
    store = vectors_in(arguments.directory)
    try:
        wrong = store.verify()
    except BadVectors as error:
        raise Failure(str(error)) from None
    count = 0 if wrong else len(_cases(store))
    if arguments.json:
        say_json({"directory": str(store.directory), "cases": count, "wrong": wrong})
    else:
        say(*wrong)
        say(f"{len(wrong)} faults" if wrong else f"{count} cases in {len(store.paths)} files are as they were emitted")
    return Exit.FAILED if wrong else Exit.OK
