# mypy: disable-error-code="import-not-found"
"""A small server on the official Python SDK, run by the environment that holds it: `stdio`, or `http PORT`.

It says `ready` on stderr once everything is imported, and ends when its standard input does: a driver that dies takes
it along.
"""

import asyncio
import os
import sys
import threading

from mcp.server import MCPServer
from mcp.server.mcpserver import Context


def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


def fail(reason: str) -> str:
    """Fail with a reason, as a tool does that reports an execution error."""
    raise ValueError(reason)


async def count(steps: int, ctx: Context) -> str:
    """Report progress and log once per step, where the request asks for it."""
    for step in range(1, steps + 1):
        await ctx.report_progress(step, steps)
        await ctx.info(f"step {step}")
        await asyncio.sleep(0)
    return f"{steps} steps"


def greeting() -> str:
    """A text that never changes."""
    return "Hello"


def note(name: str) -> str:
    """A text of that name."""
    return f"Note {name}"


def greet(name: str) -> str:
    """Ask for a greeting."""
    return f"Greet {name}"


def build() -> MCPServer:
    """The server, with its tools, resource, resource template and prompt."""
    server = MCPServer("captured-server", version="1.0.0", instructions="A server to capture replies from.")
    for tool in (add, fail, count):
        server.tool()(tool)
    server.resource("text://greeting", mime_type="text/plain")(greeting)
    server.resource("note://{name}", mime_type="text/plain")(note)
    server.prompt()(greet)
    return server


def end_with_stdin() -> None:
    """End the process when its standard input ends."""
    sys.stdin.buffer.read()
    os._exit(0)


def main(arguments: list[str]) -> None:
    """Serve over the transport that the arguments name."""
    server = build()
    print("ready", file=sys.stderr, flush=True)
    match arguments:
        case ["stdio"]:
            server.run("stdio")
        case ["http", port]:
            threading.Thread(target=end_with_stdin, daemon=True).start()
            server.run("streamable-http", host="127.0.0.1", port=int(port))
        case _:
            sys.exit("usage: python_sdk_server.py stdio | http PORT")


if __name__ == "__main__":
    main(sys.argv[1:])
