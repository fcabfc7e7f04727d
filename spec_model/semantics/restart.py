"""What a client does when the process of its stdio server is gone: with the requests in flight, and with the server.

Source: basic/transports/stdio#unexpected-termination and #shutdown, basic/patterns/subscriptions#cancellation.
"""

from __future__ import annotations

import enum

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import LostRequest, RestartMoment
from spec_model.semantics.decision import Decision, decide
from spec_model.semantics.functions import function
from spec_model.semantics.stdio import LISTEN


class AfterLoss(enum.Enum):
    """What becomes of a request whose server process is gone: it goes to the fresh process with a new id, its caller
    learns of the loss, or it is forgotten."""

    SEND_AGAIN = "send-again"
    REPORT_LOSS = "report-loss"
    FORGET = "forget"


@function("stdio.lost-request")
def lost_request(method: str, profile: Profile, cancelled: bool = False) -> Decision[AfterLoss]:
    """What a client does about a request without response once a fresh process has replaced that of the server;
    `cancelled` says that the client gave it up before.

    Source: basic/transports/stdio#unexpected-termination.
    """
    if cancelled:
        return decide(AfterLoss.FORGET, "stdio.restart.in-flight-lost")
    if method == LISTEN:
        return decide(AfterLoss.SEND_AGAIN, "stdio.restart.resubscribe", "stdio.restart.in-flight-lost")
    match profile[LostRequest]:
        case LostRequest.REPORT_LOSS:
            return decide(AfterLoss.REPORT_LOSS, "stdio.restart.in-flight-lost")
        case LostRequest.SEND_AGAIN:
            return decide(AfterLoss.SEND_AGAIN, "stdio.restart.retry", "stdio.restart.in-flight-lost")


class Restart(enum.Enum):
    """When a client starts a fresh server process: when it next has a request to send, at once, or never."""

    ON_NEXT_USE = "on-next-use"
    AT_ONCE = "at-once"
    NEVER = "never"


@function("stdio.restart")
def restart(profile: Profile, shutting_down: bool, to_send: int = 0) -> Decision[Restart]:
    """When a client replaces a server process that exited. `shutting_down` says that the client had begun the shutdown;
    `to_send` counts the requests and subscriptions that wait for the fresh process.

    Source: basic/transports/stdio#unexpected-termination and #shutdown.
    """
    if shutting_down:
        return decide(Restart.NEVER, "stdio.shutdown.wait")
    if to_send > 0:
        return decide(Restart.AT_ONCE, "stdio.restart.client")
    match profile[RestartMoment]:
        case RestartMoment.AT_ONCE:
            return decide(Restart.AT_ONCE, "stdio.restart.client", "stdio.shutdown.server-initiated")
        case RestartMoment.ON_NEXT_USE:
            return decide(Restart.ON_NEXT_USE, "stdio.restart.client", "stdio.shutdown.server-initiated")
