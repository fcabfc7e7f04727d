"""Scenarios: how a client comes to speak with a server of either era, and what it does then."""

from __future__ import annotations

from spec_model.cases.client_material import (
    KNOWN,
    LEGACY,
    MODERN,
    NEWER,
    complete,
    discovered,
    discovery,
    dual,
    error,
    initialized,
    legacy_tools,
    note,
    on_each,
    page,
    status,
    text,
    tools,
    unsupported,
)
from spec_model.cases.scenario_table import call, client, on, say, scenarios, wait

probe = scenarios("probe", "How a client that starts a server on stdio finds out its era.")
versions = scenarios("versions", "How a client and a server come to one version.")
legacy = scenarios("legacy", "What a client does in a legacy session.")

LIST = call(0, "list", "tools/list")
AGAIN = call(1_000, "again", "tools/list")
HANDSHAKE = on("initialize", result=initialized())
OLD_LIST = on("tools/list", result=legacy_tools("old"))
OLD_SERVER = (HANDSHAKE, OLD_LIST)
NEW_LIST = on("tools/list", result=tools("new"))
THREE = [NEWER, *MODERN, "2025-11-25"]

# --- the probe on stdio -----------------------------------------------------------------------------------------------

probe(
    "modern",
    "A client of both eras asks for discovery first and stays with this revision",
    dual(),
    [discovered(), NEW_LIST],
    [LIST, AGAIN],
    _shows=("stdio.probe.discover-first",),
)
probe(
    "preferred-version",
    "The probe names the modern version that the client prefers",
    client(speaks=["2025-11-25", NEWER, *MODERN]),
    [discovered(NEWER, *MODERN), NEW_LIST],
    [LIST, AGAIN],
    _shows=("stdio.probe.preferred-version", "stdio.probe.discover-first"),
)
probe(
    "listed-version",
    "What follows names a version that the server listed",
    client(speaks=THREE),
    [discovered(*MODERN), NEW_LIST],
    [LIST, AGAIN],
    _about=("stdio.probe.select-mutual",),
)
for code in (-32601, -32602, -32600, -32603, -32700, -32000, -32001, -1, 404):
    probe(
        f"legacy-error/{abs(code)}",
        f"Error {code} in answer to the probe leads to the handshake",
        dual(),
        [on("server/discover", error=error(code)), *OLD_SERVER],
        [LIST, AGAIN],
        _shows=("stdio.probe.fallback-initialize",),
        _see=("field:disc-code-keyed-fallback",) if code in (-32602, -32600, -32000) else (),
    )
probe(
    "silence",
    "A probe without answer leads to the handshake on the same process",
    dual(probe_timeout_ms=2_000),
    [on("server/discover"), *OLD_SERVER],
    [LIST, wait(1_000), wait(3_000), call(4_000, "again", "tools/list")],
    _shows=("stdio.probe.fallback-initialize", "stdio.probe.discover-first"),
    _see=("field:disc-stdio-silence",),
)
probe(
    "stderr-and-silence",
    "What a server without answer writes to standard error is not taken for the answer",
    dual(probe_timeout_ms=2_000),
    [on("server/discover", stderr="ValidationError: server/discover\n" * 200), *OLD_SERVER],
    [LIST, wait(1_000), wait(3_000)],
    _shows=("stdio.stderr.not-an-error", "stdio.probe.fallback-initialize"),
    _see=("field:disc-stderr-deadlock",),
)
probe(
    "late-answer",
    "A discovery result that comes during the handshake keeps a client in it or brings it back",
    dual(probe_timeout_ms=2_000),
    [
        on("server/discover", result=discovery(), delay_ms=2_500),
        on("initialize", result=initialized(), delay_ms=2_000),
        on("tools/list", version="2026-07-28", result=tools("new")),
        OLD_LIST,
    ],
    [LIST, wait(1_000), wait(3_000), wait(5_000)],
    _about=("stdio.probe.timeout-legacy",),
)
probe(
    "no-id",
    "An error without an id, while only the probe is in flight, is its answer or none",
    dual(probe_timeout_ms=2_000),
    [on("server/discover", error=error(-32600), id=None), *OLD_SERVER],
    [LIST, wait(1_000), wait(3_000)],
    _about=("stdio.probe.other-error-legacy",),
)
probe(
    "other-messages",
    "Notifications and strange responses before the answer do not decide",
    dual(),
    [
        on(
            "server/discover",
            before=[
                note("notifications/message", level="info", data="starting"),
                {"jsonrpc": "2.0", "id": "nobody", "error": error(-32601)},
                {"jsonrpc": "2.0", "id": "nobody", "result": complete()},
            ],
            result=discovery(),
        ),
        NEW_LIST,
        *OLD_SERVER[:1],
    ],
    [LIST, AGAIN],
    _shows=("stdio.receive.one-per-line",),
)
probe(
    "noise",
    "A line that is no JSON is passed over or ends the attempt",
    dual(),
    [on("server/discover", lines=["Server started, listening..."]), NEW_LIST],
    [LIST, say(500, messages=[{"jsonrpc": "2.0", "id": "$id:server/discover#1", "result": discovery()}])],
    _about=("stdio.probe.discover-result",),
)
probe(
    "exit",
    "A server that exits on the probe is started again and greeted by the handshake",
    dual(),
    [on("server/discover", exit=True), *OLD_SERVER],
    [LIST, AGAIN],
    _shows=("stdio.restart.client",),
)
probe(
    "unsupported",
    "A refused version is replaced by a listed one; there is no handshake",
    client(speaks=THREE),
    [
        on("server/discover", version=NEWER, error=unsupported(NEWER, *MODERN)),
        discovered(),
        NEW_LIST,
        *OLD_SERVER,
    ],
    [LIST, AGAIN],
    _about=("stdio.probe.no-fallback-on-modern", "stdio.probe.use-supported"),
    _see=("field:ver-32022-treated-as-legacy",),
)
for code in (-32020, -32021):
    probe(
        f"modern-error/{abs(code)}",
        f"Error {code} in answer to the probe is that of a modern server",
        dual(),
        [on("server/discover", error=error(code, requiredCapabilities={"sampling": {}})), NEW_LIST, *OLD_SERVER],
        [LIST],
        _about=("stdio.probe.no-fallback-on-modern",),
    )
probe(
    "modern-only/probes",
    "A client of modern versions probes, too",
    client(),
    [discovered(), NEW_LIST],
    [LIST, AGAIN],
    _shows=("stdio.probe.modern-only-recommended", "stdio.probe.modern-only-optional"),
)
probe(
    "modern-only/legacy-server",
    "A client of modern versions reports a legacy server and sends it nothing more",
    client(),
    [on("server/discover", error=error(-32601)), OLD_LIST],
    [LIST],
    _shows=("stdio.probe.modern-only-recommended",),
)
probe(
    "modern-only/era-ambiguous",
    "A legacy server that would run a modern call is found out by the probe",
    client(),
    [
        on("server/discover", error=error(-32601)),
        on("tools/call", result={"content": [{"type": "text", "text": "hi"}]}),
    ],
    [call(0, "a", "tools/call", name="echo", arguments={})],
    _shows=("stdio.probe.modern-only-recommended",),
    _see=("field:rt-legacy-server-executes-modern-request",),
)
probe(
    "remembered/legacy",
    "A client that knows the server as legacy opens with the handshake",
    dual(remembered="legacy"),
    [discovered(), *OLD_SERVER],
    [LIST, AGAIN],
    _shows=("legacy.init.client-sends-initialize",),
    _needs=("remembered-era",),
)
probe(
    "remembered/replaced",
    "A server that was legacy and is modern now is probed when it refuses the handshake",
    dual(remembered="legacy"),
    [on("initialize", error=unsupported("2025-11-25", *MODERN)), discovered(), NEW_LIST],
    [LIST, AGAIN],
    _about=("interop.cache.reprobe",),
    _see=("field:disc-cached-legacy-never-reprobed",),
    _needs=("remembered-era",),
)
probe(
    "remembered/modern",
    "A client that knows the server as modern sends the request at once",
    dual(remembered="modern"),
    [discovered(), NEW_LIST, *OLD_SERVER[:1]],
    [LIST, AGAIN],
    _about=("interop.cache.server-wide",),
    _needs=("remembered-era",),
)
probe(
    "once",
    "One probe is enough for the life of the process",
    dual(),
    [on("server/discover", error=error(-32601)), HANDSHAKE, OLD_LIST, on("tools/call", result=text("hi"))],
    [
        LIST,
        call(60_000, "a", "tools/call", name="echo", arguments={}),
        call(3_600_000, "b", "tools/list"),
    ],
    _about=("stdio.probe.fallback-initialize",),
)
for slug, result, about in (
    ("no-versions", complete(capabilities={"tools": {}}, ttl=0), "discovery.result.supported-versions"),
    ("no-capabilities", complete(supportedVersions=MODERN, ttl=0), "discovery.result.capabilities"),
):
    for transport in on_each():
        probe(
            f"defective-{slug}/{transport}",
            f"A discovery result with {slug.replace('-', ' ')} is a defect or a sign of a legacy server ({transport})",
            dual(transport),
            [on("server/discover", result=result), on(version="2026-07-28", result=tools("new")), *OLD_SERVER],
            [LIST],
            _about=(about,),
            _see=("field:disc-result-without-required-fields",) if slug == "no-versions" else (),
            _flags=("malformed",),
        )

# --- versions on both transports --------------------------------------------------------------------------------------

for transport in on_each():
    refused = status(transport, 400)
    versions(
        f"call-first/{transport}",
        f"Discovery comes first, or the request itself where the client wants that ({transport})",
        client(transport),
        [discovered(), NEW_LIST],
        [LIST, AGAIN],
        _shows=("versioning.discover.call-first", "discovery.call.optional"),
    )
    versions(
        f"inline/{transport}",
        f"A request that comes first and names a version that is not there is sent again ({transport})",
        client(transport, speaks=[NEWER, *MODERN], remembered="modern"),
        [
            on(version=NEWER, error=unsupported(NEWER, *MODERN), **refused),
            discovered(),
            NEW_LIST,
        ],
        [LIST, AGAIN],
        _shows=("versioning.discover.inline-allowed", "discovery.call.optional"),
        _see=("field:ver-no-retry-implemented",),
    )
    versions(
        f"later-refusal/{transport}",
        f"A version that is refused in the midst of things is replaced and not named again ({transport})",
        client(transport, speaks=[NEWER, *MODERN]),
        [
            discovered(NEWER, *MODERN),
            on("tools/call", version=NEWER, error=unsupported(NEWER, *MODERN), **refused),
            on("tools/call", result=text("hi")),
            on("prompts/list", result=page("prompts/list", "greet")),
            on("tools/list", result=tools("echo", ttl=3_600_000)),
        ],
        [
            call(0, "find", "discover"),
            KNOWN,
            call(100, "a", "tools/call", name="echo", arguments={"text": "hi"}),
            call(200, "b", "prompts/list"),
        ],
        _about=("versioning.retry.mutual",),
        _see=("field:ver-no-retry-implemented",),
    )
    versions(
        f"refused-twice/{transport}",
        f"A server that refuses the version it listed is not asked without end ({transport})",
        client(transport, speaks=[NEWER, *MODERN]),
        [
            on(version=NEWER, error=unsupported(NEWER, *MODERN), **refused),
            on(version="2026-07-28", error=unsupported("2026-07-28", *MODERN), **refused),
        ],
        [LIST],
        _about=("versioning.retry.no-mutual-error",),
        _see=("field:ver-second-refusal-loop",),
    )
    versions(
        f"no-common/{transport}",
        f"Without a version in common the caller gets an error ({transport})",
        client(transport),
        [on(error=unsupported("2026-07-28", NEWER), **refused)],
        [LIST],
        _about=("versioning.retry.no-mutual-error",),
    )
    for slug, data in (
        ("no-list", {"requested": "2026-07-28"}),
        ("empty-list", {"supported": [], "requested": "2026-07-28"}),
        ("no-data", {}),
    ):
        versions(
            f"{slug}/{transport}",
            f"An unsupported-version error with {slug.replace('-', ' ')} leaves nothing to choose ({transport})",
            dual(transport),
            [on(version="2026-07-28", error=error(-32022, **data), **refused), *OLD_SERVER],
            [LIST],
            _about=("versioning.retry.no-mutual-error",),
            _see=("field:ver-supported-missing-or-empty",) if slug != "no-list" else (),
        )
    versions(
        f"only-legacy-listed/{transport}",
        f"A discovery result that lists legacy versions only leads to the handshake or to an error ({transport})",
        dual(transport),
        [
            discovered("2025-11-25"),
            on(version="2026-07-28", error=unsupported("2026-07-28", "2025-11-25"), **refused),
            *OLD_SERVER,
        ],
        [LIST],
        _about=("discovery.client.choose-listed",),
        _see=("field:ver-discover-offers-only-legacy",),
    )

# --- the legacy session -----------------------------------------------------------------------------------------------

for transport in on_each():
    no_discovery = on(version="2026-07-28", error=error(-32601), **status(transport, 400))
    accepted = on("notifications/initialized", status=202) if transport == "http" else on("notifications/initialized")
    legacy(
        f"opening/{transport}",
        f"A legacy client opens with initialize, alone, and says when it is ready ({transport})",
        client(transport, speaks=LEGACY),
        [HANDSHAKE, accepted, OLD_LIST],
        [LIST, AGAIN],
        _shows=(
            "legacy.init.client-sends-initialize",
            "legacy.init.not-in-batch",
            "legacy.init.client-sends-initialized",
            "legacy.version.client-sends-supported",
            "legacy.version.client-sends-latest",
        ),
    )
    legacy(
        f"fallback/{transport}",
        f"A client of both eras has the same handshake after its fallback ({transport})",
        client(transport, speaks=["2026-07-28", *LEGACY]),
        [no_discovery, HANDSHAKE, accepted, OLD_LIST],
        [LIST, AGAIN],
        _shows=(
            "legacy.init.client-sends-initialize",
            "legacy.init.client-sends-initialized",
            "legacy.version.client-sends-latest",
        ),
    )
    legacy(
        f"waiting/{transport}",
        f"Until initialize is answered no other request goes out ({transport})",
        client(transport, speaks=LEGACY),
        [
            on("initialize", result=initialized(), delay_ms=1_000),
            accepted,
            OLD_LIST,
            on("tools/call", result=text("hi")),
        ],
        [LIST, call(200, "b", "tools/call", name="echo", arguments={}), wait(900), wait(1_100)],
        _shows=("legacy.init.client-only-pings-before-result",),
    )
    legacy(
        f"older/{transport}",
        f"A session goes on in an older version that the client supports ({transport})",
        client(transport, speaks=LEGACY),
        [on("initialize", result=initialized("2025-06-18")), accepted, OLD_LIST],
        [LIST, AGAIN],
        _about=("legacy.version.client-disconnects",),
    )
    legacy(
        f"unknown-version/{transport}",
        f"A handshake that ends in an unknown version ends the connection ({transport})",
        client(transport, speaks=LEGACY),
        [on("initialize", result=initialized("2024-11-05")), accepted, OLD_LIST],
        [LIST, wait(1_000)],
        _shows=("legacy.version.client-disconnects", "legacy.version.client-must-disconnect"),
    )
    legacy(
        f"modern-version/{transport}",
        f"A handshake that ends in 2026-07-28 ends the connection or a legacy session begins ({transport})",
        dual(transport),
        [no_discovery, on("initialize", result=initialized("2026-07-28")), accepted, OLD_LIST],
        [LIST, wait(1_000)],
        _about=("legacy.version.client-must-disconnect",),
        _see=("field:rt-missing-after-initialize-echo",),
    )
    legacy(
        f"refused/{transport}",
        f"A refused handshake is reported ({transport})",
        dual(transport),
        [no_discovery, on("initialize", error=error(-32602), **status(transport, 400))],
        [LIST],
        _about=("legacy.error.version-mismatch",),
    )
