"""Send every case to the official Python SDK's server and keep what it answers.

`python -m tests.real.captures --out FOLDER` writes one file per capture. A capture is one JSON document:

- `name`, `kind`: the case's.
- `transport`: `stdio` or `http`.
- `setting`: `first`, the message opened a fresh stdio process (the variations in `NOT_FIRST` have no such capture);
  `together`, one of all well-formed ones in one process; `later`, one of all others in one process; `own`, an HTTP
  request of its own. A `server/discover` opens the process of `together` and the one of `later`.
- `request`: the message, a JSON value, or `{"raw_base64": ...}` where the case is about the bytes; null without a body.
- `sent`: HTTP: the method and headers; stdio: null.
- `reply`: the message that answers it; null where the server stayed silent.
- `messages`: all messages that came, in order.
- `late`: stdio: what came only after a follow-up request had been sent, because there was no answer.
- `alive`: stdio: whether that follow-up was answered; null where none was needed.
- `unparsed`: parts of the reply that are no JSON.
- `status`, `headers`, `ended`: HTTP: the response's, header names in lower case; whether its body ended in time.
"""

import argparse
import base64
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from .cases import DISCOVER, NOT_FIRST, VERSION, Case, Json, Kind, Transport, all_cases, request
from .environment import sdk_python
from .servers import HttpReply, HttpServer, StdioServer

AT_ONCE = 6
PATIENCE_SECONDS = 10.0
SILENCE_SECONDS = 2.0
GRACE_SECONDS = 0.3
FOLLOW_UP_ID = "follow-up"


class Capture(TypedDict):
    """What one case was answered; the members are told at the head of this module."""

    name: str
    kind: str
    transport: str
    setting: str
    request: Json
    sent: Json
    reply: Json
    messages: list[Json]
    late: list[Json]
    alive: bool | None
    unparsed: list[str]
    status: int | None
    headers: dict[str, str] | None
    ended: bool | None


@dataclass
class Heard:
    """What came from a server since a message was sent to it."""

    messages: list[Json] = field(default_factory=list)
    late: list[Json] = field(default_factory=list)
    unparsed: list[str] = field(default_factory=list)
    alive: bool | None = None

    def take(self, data: bytes, *, late: bool = False) -> Json:
        """Keep one piece of a reply, and return it where it is JSON."""
        try:
            message: Json = json.loads(data)
        except ValueError:
            self.unparsed.append(data.decode("utf-8", "replace"))
            return None
        (self.late if late else self.messages).append(message)
        return message


def is_answer(message: Json, ident: Json) -> bool:
    """Whether the message answers the request with that id, or one whose id could not be read."""
    if isinstance(message, list):
        return True
    if not isinstance(message, Mapping) or "method" in message:
        return False
    return message.get("id") is None or same_id(message["id"], ident) or not isinstance(ident, str | int)


def same_id(one: Json, other: Json) -> bool:
    """Whether two ids are equal as JSON values: true is not 1, and 1.0 is not the integer 1 as it was written."""
    return type(one) is type(other) and one == other


def id_of(case: Case) -> Json:
    """The id that the case's message carries; None where none can be read."""
    return case.body.get("id") if isinstance(case.body, Mapping) else None


def first_answer(messages: Iterable[Json], ident: Json) -> Json:
    """The first message that answers, or None."""
    return next((message for message in messages if is_answer(message, ident)), None)


def request_value(case: Case) -> Json:
    """The message as a capture shows it."""
    if isinstance(case.body, bytes):
        return {"raw_base64": base64.b64encode(case.body).decode()}
    return case.body


def listen(server: StdioServer, heard: Heard, ident: Json, seconds: float) -> bool:
    """Take what comes until the answer has come; False where it did not come in time."""
    deadline = time.monotonic() + seconds
    while (line := server.receive(deadline - time.monotonic())) is not None:
        if is_answer(heard.take(line), ident):
            return True
    return False


def follow_up(server: StdioServer, heard: Heard) -> None:
    """Ask a silent server something else, to tell a message left unanswered from a server that hangs or ended."""
    server.send(json.dumps(request("server/discover", ident=FOLLOW_UP_ID)).encode())
    heard.alive = False
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (line := server.receive(deadline - time.monotonic())) is not None:
        if is_follow_up_answer(line):
            heard.alive = True
            deadline = time.monotonic() + GRACE_SECONDS
        else:
            heard.take(line, late=True)


def is_follow_up_answer(line: bytes) -> bool:
    """Whether the line answers the follow-up."""
    try:
        message = json.loads(line)
    except ValueError:
        return False
    return isinstance(message, dict) and message.get("id") == FOLLOW_UP_ID


def ask(server: StdioServer, case: Case, silence: float) -> Heard:
    """Send a case's message and hear what the server says to it."""
    heard = Heard()
    server.send(case.wire())
    patience = PATIENCE_SECONDS if case.kind is Kind.RESULT else silence
    if not listen(server, heard, id_of(case), patience):
        follow_up(server, heard)
    return heard


def stdio_capture(case: Case, setting: str, heard: Heard) -> Capture:
    """The capture of an exchange over stdio."""
    return Capture(
        name=case.name,
        kind=case.kind.value,
        transport=Transport.STDIO.value,
        setting=setting,
        request=request_value(case),
        sent=None,
        reply=first_answer(heard.messages, id_of(case)),
        messages=heard.messages,
        late=heard.late,
        alive=heard.alive,
        unparsed=heard.unparsed,
        status=None,
        headers=None,
        ended=None,
    )


def capture_first(python: Path, case: Case) -> Capture:
    """Open a fresh process with the case, and hear it out to the end of its output."""
    with StdioServer(python) as server:
        heard = ask(server, case, SILENCE_SECONDS)
        for line in server.finish(SILENCE_SECONDS):
            heard.take(line, late=heard.alive is not None)
    return stdio_capture(case, "first", heard)


def capture_in_one(python: Path, cases: Sequence[Case], setting: str) -> list[Capture]:
    """Send the cases, one after the other was answered, to one process that a `server/discover` opens."""
    with StdioServer(python) as server:
        ask(server, Case("opening", Kind.RESULT, DISCOVER), PATIENCE_SECONDS)
        return [stdio_capture(case, setting, ask(server, case, GRACE_SECONDS)) for case in cases]


def capture_stdio(python: Path) -> list[Capture]:
    """All captures over stdio, a few processes at a time."""
    cases = [case for case in all_cases() if Transport.STDIO in case.transports]
    well_formed = [case for case in cases if case.kind in (Kind.RESULT, Kind.REFUSED)]
    others = [case for case in cases if case.kind in (Kind.LEGACY, Kind.MALFORMED)]
    openers = [case for case in cases if case.name not in NOT_FIRST]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        together = pool.submit(capture_in_one, python, well_formed, "together")
        later = pool.submit(capture_in_one, python, others, "later")
        first = list(pool.map(lambda case: capture_first(python, case), openers))
        return [*first, *together.result(), *later.result()]


def capture_http(python: Path) -> list[Capture]:
    """All captures over HTTP, from one server process."""
    cases = [case for case in all_cases() if Transport.HTTP in case.transports]
    with HttpServer(python) as server:
        return [http_capture(server, case) for case in cases]


def http_capture(server: HttpServer, case: Case) -> Capture:
    """Send one case as an HTTP request of its own."""
    headers = case.http_headers()
    body = case.wire() if case.http_method == "POST" else None
    reply = server.exchange(case.http_method, headers, body)
    heard = Heard()
    for piece in pieces(reply):
        heard.take(piece)
    return Capture(
        name=case.name,
        kind=case.kind.value,
        transport=Transport.HTTP.value,
        setting="own",
        request=None if body is None else request_value(case),
        sent={"method": case.http_method, "headers": headers},
        reply=first_answer(heard.messages, id_of(case)),
        messages=heard.messages,
        late=[],
        alive=None,
        unparsed=heard.unparsed,
        status=reply.status,
        headers=dict(reply.headers),
        ended=reply.ended,
    )


def pieces(reply: HttpReply) -> list[bytes]:
    """The messages in a response's body: one as JSON, or the data of each event of an event stream."""
    if reply.headers.get("content-type", "").startswith("text/event-stream"):
        return event_data(reply.body)
    return [reply.body] if reply.body.strip() else []


def event_data(body: bytes) -> list[bytes]:
    """The data of each event of an event stream that has any."""
    events: list[bytes] = []
    data: list[bytes] = []
    for line in [*body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), b""]:
        if line.startswith(b"data:"):
            data.append(line.removeprefix(b"data:").removeprefix(b" "))
        elif not line:
            events.append(b"\n".join(data))
            data = []
    return [event for event in events if event]


def write(captures: Iterable[Capture], out: Path) -> int:
    """Write each capture to a file of its own below `out`; returns how many."""
    count = 0
    for capture in captures:
        folder = out / capture["transport"] / capture["setting"]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{capture['name']}.json").write_text(json.dumps(capture, indent=2, ensure_ascii=True) + "\n")
        count += 1
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    """Take all captures and write them as JSON files."""
    parser = argparse.ArgumentParser(prog="python -m tests.real.captures", description=f"Capture replies at {VERSION}.")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write the captures to")
    out = parser.parse_args(arguments).out
    python = sdk_python()
    count = write(capture_stdio(python), out) + write(capture_http(python), out)
    print(f"{count} captures written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
