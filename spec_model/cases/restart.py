"""Cases: what a client does when the process of its stdio server is gone."""

from spec_model.cases.table import decisions

lost = decisions("stdio/lost-request", "stdio.lost-request")
lost("tool-call", "A tool call is lost with the process; its caller learns so or it is sent again", method="tools/call")
lost("list", "A list request is lost with the process", method="tools/list")
lost("listen", "A subscription is opened again on the fresh process", method="subscriptions/listen")
lost("cancelled", "A request that was cancelled before is missed by nobody", method="tools/call", cancelled=True)
lost(
    "cancelled-listen",
    "A subscription that was cancelled is not opened again",
    method="subscriptions/listen",
    cancelled=True,
)

restart = decisions("stdio/restart", "stdio.restart")
restart("idle", "A process exits while nothing is in flight", shutting_down=False)
restart("one-waits", "A process exits while a subscription is open", shutting_down=False, to_send=1)
restart("several-wait", "A process exits with three requests in flight", shutting_down=False, to_send=3)
restart("shutdown", "A process exits after the client closed its input", shutting_down=True)
restart("shutdown-in-flight", "A process exits in a shutdown with a request in flight", shutting_down=True, to_send=1)
