"""The command line `mcp-spec`.

Every command takes `--json`. Exit codes are those of `spec_model.verdicts.Exit`; a usage error or a bad input is one
line on stderr and exit 2.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence

from spec_model import REVISION, VECTOR_SET, __version__
from spec_model.cli.text import Failure, printable
from spec_model.verdicts import Exit


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    try:
        code = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except Failure as failure:
        return _fail(str(failure))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return Exit.OK
    except OSError as error:
        return _fail(f"cannot write the output: {error.strerror or error}")
    except KeyboardInterrupt:
        _fail("interrupted")
        return 130
    except (Exception, RecursionError, MemoryError) as error:
        return _fail(f"an internal fault, please report it: {type(error).__name__}: {error}"[:500])


def _run(argv: Sequence[str] | None) -> int:
    if sys.stdout is None:
        raise Failure("there is no standard output to write to")
    arguments = _parsed(argv)
    run = arguments.run
    return int(run(arguments))


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments; an optional positional may also follow the options, which argparse alone does not take."""
    parser = _parser()
    arguments, rest = parser.parse_known_args(argv)
    late = getattr(arguments, "late", None)
    if late and len(rest) == 1 and not rest[0].startswith("-") and getattr(arguments, late) == "-":
        setattr(arguments, late, rest.pop())
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return arguments


def _fail(what: str) -> int:
    """Prints one line on stderr, where there is one, and gives the exit code of a usage error."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(f"mcp-spec: {printable(what)}", file=sys.stderr, flush=True)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return Exit.USAGE


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
