"""The command line `mcp-spec`.

Every command takes `--json`. Exit codes are those of `spec_model.verdicts.Exit`; a usage error or a bad input is one
line on stderr and exit 2.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from spec_model import REVISION, VECTOR_SET, __version__
from spec_model.cli.text import Failure, printable
from spec_model.verdicts import Exit


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    try:
        arguments = _parser().parse_args(argv)
        run = arguments.run
        return int(run(arguments))
    except Failure as failure:
        print(f"mcp-spec: {printable(str(failure))}", file=sys.stderr)
        return Exit.USAGE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except KeyboardInterrupt:
        print("mcp-spec: interrupted", file=sys.stderr)
        return 130


class _Parser(argparse.ArgumentParser):
    """A parser whose usage errors are one line."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise Failure(f"{message}; see `{self.prog} --help`")


def _parser() -> argparse.ArgumentParser:
    from spec_model.cli import check, decide, measure, rules, vectors

    parser = _Parser(
        prog="mcp-spec",
        description=f"The executable reference specification of the Model Context Protocol, revision {REVISION}.",
    )
    parser.add_argument(
        "--version", action="version", version=f"mcp-spec {__version__}, vectors {VECTOR_SET}, revision {REVISION}"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    for module in (check, decide, rules, vectors, measure):
        module.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
