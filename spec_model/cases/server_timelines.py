"""Scenarios for servers: what one keeps between requests, both eras on one server, pages, log messages, and what goes
on on a process."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from spec_model.cases import format as fmt
from spec_model.cases.envelopes import (
    NOTHING,
    STRING,
    Schema,
    lacking,
    lists,
    objects,
    result_response,
)
from spec_model.cases.exchange_table import BOTH, post, stdio_text
from spec_model.cases.requests import (
    UNKNOWN,
    VERSION,
    bare,
    headers,
    notification,
    request,
    with_meta,
    without,
)
from spec_model.cases.server_material import (
    calls,
    cancel,
    discover,
    in_session,
    listen,
    noted,
    opening,
    over,
    page,
    page_if_advertised,
    refused,
    result_of,
    stays_open,
    text_over,
    tools,
    with_features,
    with_result,
)
from spec_model.cases.server_scenario_table import (
    Look,
    Seen,
    ServerStep,
    answers,
    anything,
    end_of_input,
    exactly,
    holding,
    release,
    send,
    send_slow,
    server,
    server_scenarios,
    together,
)
from spec_model.peers.server_content import DUAL, DUAL_OLDEST, MODERN, Settings
from spec_model.semantics.meta_keys import SUBSCRIPTION_ID
from spec_model.semantics.pagination import PAGINATED
from spec_model.semantics.revisions import REVISIONS, Era, era_of
from spec_model.wire.values import ABSENT, is_string, member

TRANSPORTS: Final = ("stdio", "http")
LEGACY_VERSIONS: Final = [version for version in REVISIONS if era_of(version) is Era.LEGACY]
OTHER_CLIENT: Final = with_meta(client_info={"name": "another", "version": "9"})
ANONYMOUS: Final = with_meta(client_info=None)
ELICITS: Final[Mapping[str, Any]] = {"elicitation": {"form": {}}}
EVERY_KIND: Final = {"toolsListChanged": True, "promptsListChanged": True, "resourcesListChanged": True}

INDEPENDENT: Final = "statelessness.server.independent-processing"
PRIOR: Final = "statelessness.server.no-prior-context"
INFERRED: Final = "statelessness.server.no-inferred-state"
BY_FIRST: Final = (PRIOR, INFERRED, "statelessness.server.no-connection-as-session")


# --- what a server keeps between requests -----------------------------------------------------------------------------

state = server_scenarios("server-state", "What a server keeps between requests: nothing.")

for transport in TRANSPORTS:
    # What comes between two equal requests, what a server breaks that lets it matter, and the flags of the scenario.
    between: dict[str, tuple[str, list[ServerStep], str, tuple[str, ...]]] = {
        "other-version": (
            "a version that the server does not have",
            [send(discover(transport, 2, with_meta(version=UNKNOWN)), anything)],
            INDEPENDENT,
            (),
        ),
        "other-capabilities": (
            "requests with other capabilities and with a log level",
            [
                send(discover(transport, 2, with_meta(capabilities=dict(ELICITS))), same_as=0),
                send(discover(transport, 3, with_meta(log_level="debug")), same_as=0),
            ],
            PRIOR,
            (),
        ),
        "without-metadata": (
            "requests without metadata",
            [
                send(over(transport, bare("server/discover", id=2), version=VERSION), anything),
                send(over(transport, request("server/discover", id=3, meta={"x": 1}), version=VERSION), anything),
            ],
            INDEPENDENT,
            ("malformed",),
        ),
        "no-request": (
            "objects that are no requests",
            [
                send(over(transport, without(request("server/discover", id=2), "method")), anything),
                send(over(transport, {}), anything),
            ],
            INDEPENDENT,
            ("malformed",),
        ),
        "unreadable": ("text that is no JSON", [send(text_over(transport, "{"), anything)], INDEPENDENT, ()),
        "unknown-method": (
            "an unknown method",
            [send(over(transport, request("x/y", id=2)), anything)],
            INDEPENDENT,
            (),
        ),
        "same-id": (
            "requests with the same id, each answered before the next one",
            [send(discover(transport, 1), same_as=0), send(discover(transport, "1"), same_as=0)],
            INDEPENDENT,
            (),
        ),
    }
    for name, (what, history, broken, flags) in between.items():
        state(
            f"history/{name}-{transport}",
            f"Discovery gives the same after {what} ({transport})",
            server(transport),
            [send(discover(transport, 1)), *history, send(discover(transport, 1), same_as=0)],
            _shows=(broken,),
            _flags=flags,
        )
    state(
        f"history/other-client-{transport}",
        f"A client gets the same before another one and after it ({transport})",
        server(transport),
        [
            send(discover(transport, 1, OTHER_CLIENT), anything, process=2),
            send(discover(transport, 2)),
            send(discover(transport, 3, OTHER_CLIENT), anything, same_as=0),
            send(discover(transport, 4, ANONYMOUS)),
            send(discover(transport, 5), same_as=1),
        ],
        _shows=(PRIOR, "statelessness.server.multi-context"),
    )
    for era in BOTH:
        state(
            f"version-each-time/{transport}-{era}",
            f"A request that names no version is refused after one that did (a {era} server, {transport})",
            server(transport, dual=era == "dual"),
            [
                send(tools(transport, 1)),
                send(over(transport, request("tools/list", id=2, meta=with_meta(version=None)), version=VERSION)),
                send(tools(transport, 3), same_as=0),
            ],
            _eras=(era,),
            _shows=BY_FIRST if (era, transport) != ("dual", "stdio") else BY_FIRST[2:],
            _flags=("malformed",),
        )
    state(
        f"same-list/{transport}",
        f"The same request gets the same answer whatever came before ({transport})",
        server(transport),
        [
            send(tools(transport, 1)),
            send(over(transport, request("tools/list", id=2, meta=with_meta(version=UNKNOWN))), anything),
            send(over(transport, request("tools/list", id=3, meta=OTHER_CLIENT)), anything),
            send(discover(transport, 4)),
            send(tools(transport, 5), same_as=0),
        ],
        _shows=(INDEPENDENT,),
    )
    state(
        f"capabilities-each-time/{transport}",
        f"A request that declares no capabilities is refused after one that did ({transport})",
        server(transport),
        [
            send(tools(transport, 1)),
            send(over(transport, request("tools/list", id=2, meta=with_meta(capabilities=None)))),
            send(tools(transport, 3), same_as=0),
        ],
        _shows=(PRIOR, INFERRED, "statelessness.server.multi-context"),
        _flags=("malformed",),
    )
    state(
        f"capability-of-earlier-request/{transport}",
        f"A capability of one request is not made use of in the next ({transport})",
        server(transport),
        [
            send(calls(transport, "asking-call", 1, capabilities=dict(ELICITS))),
            send(calls(transport, "asking-call", 2)),
            send(calls(transport, "asking-call", 3, capabilities=dict(ELICITS))),
        ],
        _shows=("meta.capability.no-undeclared", PRIOR, INFERRED),
    )
    state(
        f"capability-of-later-request/{transport}",
        f"A capability that the first request lacks is made use of in the next ({transport})",
        server(transport),
        [
            send(calls(transport, "asking-call", 1)),
            send(calls(transport, "asking-call", 2, capabilities=dict(ELICITS))),
        ],
        _shows=(PRIOR, INFERRED, "statelessness.server.multi-context"),
    )
    state(
        f"first-refused/{transport}",
        f"A refused version at first does not decide about later requests ({transport})",
        server(transport),
        [
            send(discover(transport, 1, with_meta(version=UNKNOWN)), anything),
            send(discover(transport, 2)),
        ],
        _shows=(PRIOR, INFERRED),
    )
    state(
        f"no-opening/{transport}",
        f"A list is served first of all, and no otherwise after discovery ({transport})",
        server(transport),
        [send(tools(transport, 1)), send(discover(transport, 2)), send(tools(transport, 3), same_as=0)],
        _shows=(
            "discovery.call.not-prerequisite",
            "versioning.request.no-handshake",
            "statelessness.request.self-contained",
            INDEPENDENT,
        ),
    )
    state(
        f"client-info/{transport}",
        f"Another client gets the same list ({transport})",
        server(transport),
        [
            send(tools(transport, 1)),
            send(over(transport, request("tools/list", id="1", meta=OTHER_CLIENT)), same_as=0),
            send(over(transport, request("tools/list", id=3, meta=ANONYMOUS)), same_as=0),
        ],
        _shows=("meta.identity.client-info-no-behavior",),
    )
    state(
        f"interleaved/{transport}",
        f"Requests are served while a subscription is open ({transport})",
        server(transport),
        [
            send(discover(transport, 1)),
            send(listen(transport, "open"), anything, connection=2),
            send(discover(transport, "1"), same_as=0),
            send(discover(transport, 2), same_as=0),
        ],
        _shows=(INDEPENDENT, "statelessness.server.multi-context", "statelessness.client.may-interleave"),
    )
    state(
        f"at-once/{transport}",
        f"Requests that are sent at once are each answered with their own id ({transport})",
        server(transport),
        [
            send(discover(transport, 0)),
            *together(
                send(discover(transport, 1), same_as=0),
                send(discover(transport, "1"), same_as=0, connection=2),
                send(over(transport, request("x/y", id="2")), refused, connection=3),
                send(discover(transport, 2), same_as=0, connection=4),
            ),
        ],
        _shows=("results.response.id-echo", "errors.response.id-echo"),
    )
    state(
        f"advertised/{transport}",
        f"The lists of every feature that discovery advertises are served ({transport})",
        server(transport),
        [
            send(discover(transport, 1), with_features),
            *(
                send(over(transport, request(f"{feature}/list", id=feature)), page_if_advertised)
                for feature in ("tools", "prompts", "resources")
            ),
        ],
        _settings=tuple(
            msgspec.structs.replace(MODERN, capabilities={feature: {} for feature in several})
            for number in (3, 2, 1, 0)
            for several in itertools.combinations(("tools", "prompts", "resources"), number)
        ),
        _gated=False,
        _shows=("discovery.result.capabilities-accurate",),
    )

state(
    "other-process",
    "A cursor that one process issued leads on in another one",
    server("stdio"),
    [
        send(tools("stdio", 1)),
        send(tools("stdio", 1, cursor="$reply:0:/response/result/nextCursor"), process=2),
    ],
    _shows=("statelessness.server.no-process-affinity",),
)
state(
    "other-process-without-pages",
    "Another process gives the same",
    server("stdio"),
    [send(discover("stdio", 1)), send(discover("stdio", 1), process=2, same_as=0)],
    _about=("versioning.request.decided-independently",),
)
state(
    "other-connection",
    "Another connection gets the same, and a cursor leads on there",
    server("http"),
    [
        send(tools("http", 1)),
        send(tools("http", 2), connection=2, same_as=0),
        send(tools("http", 3, cursor="$reply:0:/response/result/nextCursor"), connection=3),
    ],
    _shows=("statelessness.server.no-connection-affinity",),
)
state(
    "other-connection-without-pages",
    "Discovery gives the same over another connection",
    server("http"),
    [send(discover("http", 1)), send(discover("http", 2), connection=2, same_as=0)],
    _shows=("statelessness.server.no-connection-affinity",),
)


# --- both eras on one server ------------------------------------------------------------------------------------------

eras = server_scenarios("server-eras", "Both eras on one server, one after the other and at once.")


def over_http(transport: str, requirement: str) -> tuple[str, ...]:
    """A requirement that is seen over HTTP only."""
    return (requirement,) if transport == "http" else ()


DUAL_SESSIONLESS: Final = msgspec.structs.replace(DUAL, sessions=False)


INITIALIZED: Final = notification("notifications/initialized")

for transport in TRANSPORTS:
    both_kinds = (DUAL,) if transport == "stdio" else (DUAL, DUAL_SESSIONLESS)
    eras(
        f"legacy-session/{transport}",
        f"After notifications/initialized the requests of a legacy client are served ({transport})",
        server(transport, dual=True),
        [
            send(opening(transport)),
            send(in_session(transport, INITIALIZED)),
            send(in_session(transport, bare("ping", id=2))),
            send(in_session(transport, bare("tools/list", id=3))),
        ],
        _settings=both_kinds,
        _shows=("legacy.init.server-accepts-initialized",),
        _flags=("legacy",),
    )
    eras(
        f"legacy-then-modern/{transport}",
        f"A handshake does not decide about requests of this revision ({transport})",
        server(transport, dual=True),
        [
            send(opening(transport)),
            send(in_session(transport, INITIALIZED)),
            send(discover(transport, 2)),
            send(in_session(transport, bare("tools/list", id=3))),
            send(tools(transport, 4)),
            send(in_session(transport, bare("ping", id=5))),
        ],
        _settings=both_kinds,
        _shows=("interop.dual-server.modern-request", *over_http(transport, "interop.dual-server.scope-session")),
        _flags=("legacy",),
    )
    eras(
        f"modern-then-legacy/{transport}",
        f"A request of this revision does not decide about a handshake ({transport})",
        server(transport, dual=True),
        [
            send(discover(transport, 1)),
            send(opening(transport)),
            send(discover(transport, 3), same_as=0),
        ],
        _settings=both_kinds,
        _shows=(
            "interop.dual-server.modern-request",
            *over_http(transport, "interop.dual-server.initialize-selects-legacy"),
        ),
    )
    eras(
        f"refused-then-either/{transport}",
        f"A request without metadata before any handshake decides about neither era ({transport})",
        server(transport, dual=True),
        [
            send(over(transport, bare("tools/list", id=1), version=VERSION, method="tools/list"), anything),
            send(discover(transport, 2)),
            send(over(transport, bare("tools/list", id=3), version=VERSION, method="tools/list"), anything),
            send(opening(transport)),
        ],
        _flags=("malformed",),
        _shows=("interop.dual-server.modern-request",),
    )
    eras(
        f"at-once/{transport}",
        f"Clients of both eras are served at once ({transport})",
        server(transport, dual=True),
        [
            send(opening(transport)),
            send(in_session(transport, INITIALIZED)),
            *together(
                send(in_session(transport, bare("tools/list", id=1))),
                send(tools(transport, "1"), connection=2),
                send(in_session(transport, bare("ping", id=2)), connection=3),
                send(discover(transport, "2"), connection=4),
            ),
        ],
        _settings=both_kinds,
        _shows=("interop.dual-server.modern-request",),
        _flags=("legacy",),
    )
    eras(
        f"modern-only/{transport}",
        f"A refused handshake leaves the next request unharmed ({transport})",
        server(transport),
        [
            send(discover(transport, 1)),
            send(opening(transport), anything),
            send(discover(transport, 2), same_as=0),
        ],
        _eras=("modern",),
        _shows=(INDEPENDENT,),
    )


def _listed(seen: Seen) -> list[str]:
    """The legacy versions that the discovery of step 0 lists."""
    listed = result_of(seen.items[0])["supportedVersions"]
    return [version for version in LEGACY_VERSIONS if version in listed]


def _lists(version: str) -> Look:
    """Discovery, with or without this version."""

    def look(seen: Seen) -> Schema:
        contains: Schema = {"contains": {"const": version}}
        return with_result(
            seen, objects({"supportedVersions": contains if version in _listed(seen) else {"not": contains}})
        )

    return look


def _lists_newest(seen: Seen) -> Schema:
    """Discovery, with this newest legacy version, or with none."""
    newest = max(_listed(seen), default="")
    newer: list[Schema] = [{"contains": {"const": one}} for one in LEGACY_VERSIONS if one > newest]
    versions: Schema = {
        **({"contains": {"const": newest}} if newest else {}),
        **({"not": {"anyOf": newer}} if newer else {}),
    }
    return with_result(seen, objects({"supportedVersions": versions}))


def _settles_on(seen: Seen, *versions: str) -> Schema:
    """The response to a handshake, among what else may be sent then."""
    result = objects({"protocolVersion": {"enum": list(versions)}})
    return objects({"messages": holding(result_response(seen.message["id"], result))})


def _echoes(version: str) -> Look:
    """This version where it is listed."""
    return lambda seen: _settles_on(seen, version) if version in _listed(seen) else anything(seen)


def _offers_newest(seen: Seen) -> Schema:
    """The newest listed version, where any is listed, or a refusal."""
    if not _listed(seen):
        return anything(seen)
    settled = member(seen.item, "response", "result", "protocolVersion")
    return _settles_on(seen, settled) if is_string(settled) else refused(seen)


def _dual(*versions: str) -> Settings:
    return msgspec.structs.replace(DUAL, versions=[VERSION, *versions])


for transport in TRANSPORTS:
    on_transport = [version for version in LEGACY_VERSIONS if transport == "stdio" or version != "2024-11-05"]
    for version in on_transport:
        eras(
            f"echoes/{version}-{transport}",
            f"A handshake for {version} settles on it where discovery lists it ({transport})",
            server(transport, dual=True),
            [
                send(discover(transport, 1), _lists(version)),
                send(opening(transport, version), _echoes(version), process=2),
            ],
            _settings=(
                _dual(*sorted({version, "2025-11-25", "2025-03-26"}, reverse=True)),
                _dual(*(one for one in on_transport if one != version)),
            ),
            _shows=("legacy.version.server-echoes-supported",),
        )
    eras(
        f"offers-newest/{transport}",
        f"A handshake for an unknown version settles on the newest one that discovery lists ({transport})",
        server(transport, dual=True),
        [
            send(discover(transport, 1), _lists_newest),
            send(opening(transport, UNKNOWN), _offers_newest, process=2),
        ],
        _settings=tuple(
            _dual(*(one for one in sorted(LEGACY_VERSIONS, reverse=True) if one <= newest))
            for newest in sorted(LEGACY_VERSIONS, reverse=True)
        ),
        _shows=("legacy.version.server-offers-latest",),
    )


def _is_oldest(seen: Seen) -> bool:
    """Whether the handshake of step 0 settled on the version that has batches, in a session where there can be one."""
    headers = member(seen.items[0], "headers")
    in_one = headers is ABSENT or member(headers, "mcp-session-id") is not ABSENT
    return in_one and member(seen.items[0], "response", "result", "protocolVersion") == "2025-03-26"


def _settled_or_not(seen: Seen) -> Schema:
    """The handshake, with the version that has batches and over HTTP a session, or without."""
    settled = _settles_on(seen, "2025-03-26")
    if seen.item.get("status") is not None:
        settled["required"].append("headers")
        settled["properties"]["headers"] = {"type": "object", "required": ["mcp-session-id"]}
    return settled if _is_oldest(seen) else {"required": ["response"], "not": settled}


def _usual_in_oldest(seen: Seen) -> Schema:
    """The usual reply where there can be batches."""
    return seen.usual() if _is_oldest(seen) else anything(seen)


def _batch_answered(seen: Seen) -> Schema:
    """Both requests answered, in one array or in several messages."""
    if not _is_oldest(seen):
        return anything(seen)
    both = [result_response(one, {"type": "object"}) for one in ("a", "b")]
    return objects({"messages": {"type": "array", "anyOf": [lists(exactly(*both), 1), holding(*both)]}})


for transport in TRANSPORTS:
    eras(
        f"batch/{transport}",
        f"Each request of a batch is answered where the handshake settles on 2025-03-26 ({transport})",
        server(transport, dual=True),
        [
            send(opening(transport, "2025-03-26"), _settled_or_not),
            send(in_session(transport, INITIALIZED), _usual_in_oldest),
            send(
                in_session(transport, [bare("ping", id="a"), notification("notifications/x"), bare("ping", id="b")]),
                _batch_answered,
            ),
            send(in_session(transport, bare("ping", id="c")), _usual_in_oldest),
        ],
        _settings=(DUAL_OLDEST, DUAL, DUAL_SESSIONLESS)[: 2 if transport == "stdio" else 3],
        _shows=("legacy.batch.receive",),
        _flags=("legacy",),
    )


# --- pages ------------------------------------------------------------------------------------------------------------

pages = server_scenarios("server-pages", "Pages of lists, and how they go together.")

NEXT: Final = "$reply:0:/response/result/nextCursor"


HINTED: Final[dict[str, Schema]] = {
    "ttlMs": {"type": "integer", "minimum": 0},
    "cacheScope": {"enum": ["public", "private"]},
}

for transport in TRANSPORTS:
    for method, (name, _) in PAGINATED.items():
        listed = method.replace("/", "-")
        items = f"/response/result/{name}"
        pages(
            f"walk/{listed}-{transport}",
            f"The second page of {method} has other items, its own lifetime, and the same scope ({transport})",
            server(transport),
            [
                send(over(transport, request(method, id=1)), page(**HINTED)),
                send(
                    over(transport, request(method, {"cursor": NEXT}, id=2)),
                    page(**HINTED),
                    equal={"/response/result/cacheScope": "$reply:0:/response/result/cacheScope"},
                    disjoint={items: f"$reply:0:{items}"},
                ),
            ],
            _shows=("caching.page.own-ttl", "caching.page.same-scope", "pagination.flow.resumes-after-cursor"),
        )
        pages(
            f"more/{listed}-{transport}",
            f"A page of {method} that is not the last one has a cursor ({transport})",
            server(transport),
            [send(over(transport, request(method, id=1)), page(nextCursor=STRING))],
            _needs=(f"pages-of-{listed}",),
            _shows=("pagination.response.next-cursor",),
        )
    pages(
        f"again/{transport}",
        f"A cursor leads to the same page again ({transport})",
        server(transport),
        [
            send(tools(transport, 1)),
            send(tools(transport, 2, cursor=NEXT)),
            send(discover(transport, 3)),
            send(tools(transport, 4, cursor=NEXT), same_as=1),
        ],
        _shows=("pagination.server.stable-cursors",),
    )
    pages(
        f"after-invalid-cursor/{transport}",
        f"An invalid cursor does not spoil a valid one ({transport})",
        server(transport),
        [
            send(tools(transport, 1)),
            send(tools(transport, 2, cursor="no cursor of this server \u2603"), anything),
            send(tools(transport, 3, cursor=NEXT)),
            send(tools(transport, 4), same_as=0),
        ],
        _shows=("pagination.server.invalid-cursor-graceful", "pagination.server.stable-cursors"),
    )


def by_user(user: str, id: int) -> fmt.Request:
    """A request for the tools, with the credentials of one of two users."""
    message = request("tools/list", id=id)
    return post(message, {**headers(message), "Authorization": f"$fixture:two-users:/{user}"})


PUBLIC: Final = objects({"response": objects({"result": objects({"cacheScope": {"const": "public"}})})})

pages(
    "two-users",
    "What is marked public is the same for two users",
    server("http"),
    [
        send(by_user("first", 1), page(**HINTED)),
        send(by_user("second", 2), page(**HINTED), same_as=0, same_where=PUBLIC),
    ],
    _shows=("caching.scope.public-no-user-data",),
)


# --- log messages -----------------------------------------------------------------------------------------------------

logs = server_scenarios("server-logging", "Log messages: for whom, where and when.")

WITHOUT_LOGGING: Final = msgspec.structs.replace(MODERN, capabilities={"tools": {}})


def _declares_logging(seen: Seen) -> bool:
    return "logging" in result_of(seen.items[0])["capabilities"]


def _with_or_without_logging(seen: Seen) -> Schema:
    required: Schema = {"type": "object", "required": ["logging"]}
    return with_result(seen, objects({"capabilities": required if _declares_logging(seen) else {"not": required}}))


def _logs_if_declared(seen: Seen) -> Schema:
    envelope = seen.usual()
    if not _declares_logging(seen):
        envelope["properties"]["messages"] = {**envelope["properties"]["messages"], "maxItems": 1}
    return envelope


for transport in TRANSPORTS:
    logs(
        f"before-response/{transport}",
        f"The log messages of a call come before its response ({transport})",
        server(transport),
        [
            send(calls(transport, "logging-call", 1, log_level="debug")),
            send(calls(transport, "logging-call", 2, log_level="error")),
        ],
        _shows=("logging.server.before-final",),
    )
    logs(
        f"own-stream/{transport}",
        f"What follows a call with a log level is free of its messages ({transport})",
        server(transport),
        [
            send(calls(transport, "logging-call", 1, log_level="debug")),
            send(discover(transport, 2)),
            send(calls(transport, "logging-call", 3, log_level="debug")),
            send(calls(transport, "logging-call", 4)),
        ],
        _shows=(
            "logging.server.on-response-stream",
            "logging.server.not-on-other-stream",
            "logging.server.silent-without-level",
        ),
    )
    logs(
        f"level-each-time/{transport}",
        f"The log level of one request is not that of the next ({transport})",
        server(transport),
        [
            send(calls(transport, "logging-call", 1, log_level="debug")),
            send(calls(transport, "logging-call", 2)),
            send(calls(transport, "logging-call", 3, log_level="alert")),
        ],
        _shows=("logging.server.silent-without-level", PRIOR),
    )
    logs(
        f"declared/{transport}",
        f"Only a server that declares logging sends log messages ({transport})",
        server(transport),
        [
            send(discover(transport, 1), _with_or_without_logging),
            send(calls(transport, "logging-call", 2, log_level="debug"), _logs_if_declared),
        ],
        _settings=(MODERN, WITHOUT_LOGGING),
        _shows=("logging.capability.declared",),
    )
logs(
    "at-once",
    "Of requests at once each has its own log messages on its own stream",
    server("http"),
    [
        *together(
            send(calls("http", "logging-call", 1, log_level="debug")),
            send(calls("http", "logging-call", 2), connection=2),
            send(discover("http", 3), connection=3),
        )
    ],
    _shows=("logging.server.not-on-other-stream", "logging.server.silent-without-level"),
)


# --- what goes on on a process, and on a subscription -----------------------------------------------------------------

messages = server_scenarios("server-messages", "What goes on on a process, and on a subscription.")

UNREADABLE: Final = {
    "cut": ("a cut object", "{"),
    "text": ("text that is no JSON", "hello"),
    "blank": ("nothing", ""),
    "number": ("a number", "7"),
    "null": ("null", "null"),
    "array": ("an empty array", "[]"),
    "object": ("an empty object", "{}"),
    "deep": ("arrays nested deeply", "[" * 1000),
}
ACKNOWLEDGED: Final = "notifications/subscriptions/acknowledged"
ANSWER: Final = {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete"}}
COMPLETE: Final = objects({"resultType": {"const": "complete"}, "content": {"type": "array"}})

for name, (what, text) in UNREADABLE.items():
    messages(
        f"unreadable/{name}",
        f"A line that holds {what} leaves the next one unharmed",
        server("stdio"),
        [
            send(discover("stdio", 1)),
            send(stdio_text(text), stays_open),
            send(discover("stdio", 2), same_as=0),
        ],
        _shows=("transport.delivery.client-requests",),
    )
for transport in TRANSPORTS:
    messages(
        f"notifications/{transport}",
        f"Notifications get no response, and the next request gets its own ({transport})",
        server(transport),
        [
            send(discover(transport, 1)),
            send(noted(transport, "notifications/cancelled", requestId=1)),
            send(noted(transport, "notifications/cancelled", requestId="unknown")),
            send(noted(transport, "notifications/unknown")),
            send(discover(transport, 2), same_as=0),
        ],
        _shows=("base.notification.no-response",),
    )
    messages(
        f"malformed-notification/{transport}",
        f"A cancellation that names no request gets no response, and the next request gets its own ({transport})",
        server(transport),
        [
            send(discover(transport, 1)),
            send(noted(transport, "notifications/cancelled")),
            send(noted(transport, "notifications/cancelled", requestId=None)),
            send(discover(transport, 2), same_as=0),
        ],
        _shows=("base.notification.no-response",),
        _flags=("malformed",),
    )
    messages(
        f"response/{transport}",
        f"A response that the client sends leaves the next request unharmed ({transport})",
        server(transport),
        [
            send(discover(transport, 1)),
            send(over(transport, ANSWER, version=VERSION), anything),
            send(discover(transport, 2), same_as=0),
        ],
        _shows=(INDEPENDENT,),
    )


def _acknowledged(seen: Seen) -> Schema:
    """An acknowledgement of nothing that was not asked for, on stdio perhaps among notifications for other
    subscriptions; where the method is not there, its refusal."""
    envelope = seen.usual()
    if member(seen.reply.messages[0], "method") != ACKNOWLEDGED:
        return envelope
    asked = seen.message["params"]["notifications"]
    unasked: Schema = {one: {"not": {"const": True}} for one in EVERY_KIND if one not in asked}
    filters = objects({**unasked, "resourceSubscriptions": NOTHING}, *unasked, "resourceSubscriptions")
    tagged = objects({SUBSCRIPTION_ID: {"const": seen.message["id"]}})
    params = objects({"_meta": tagged, "notifications": filters})
    found = envelope["properties"]["messages"]
    found["contains"] = objects({"method": {"const": ACKNOWLEDGED}, "params": params})
    if "status" not in seen.item:
        of_any = objects({"_meta": {"type": "object", "required": [SUBSCRIPTION_ID]}})
        found["items"] = lacking(objects({"method": STRING, "params": of_any}), "id")
    return envelope


for transport in TRANSPORTS:
    messages(
        f"two-subscriptions/{transport}",
        f"Two subscriptions are acknowledged, each by its own filter and id ({transport})",
        server(transport),
        [
            send(listen(transport, 1, **EVERY_KIND), _acknowledged),
            send(listen(transport, "two"), _acknowledged, connection=2),
            send(listen(transport, 3, toolsListChanged=True), _acknowledged, connection=3),
        ],
        _shows=("statelessness.listen.request-scoped", "meta.notification.subscription-id"),
    )
messages(
    "subscription-cancelled",
    "Nothing follows for a subscription that was cancelled",
    server("stdio"),
    [
        send(listen("stdio", "s"), anything),
        send(cancel("s")),
        send(discover("stdio", 1)),
    ],
    _shows=("stdio.cancel.no-further-messages",),
)
messages(
    "call-cancelled",
    "A cancelled call is not answered, and another one is",
    server("stdio"),
    [
        send_slow(calls("stdio", "slow-call", 5)),
        send_slow(calls("stdio", "slow-call", 6)),
        send(cancel(5)),
        release(answers(result_response(6, COMPLETE))),
        send(discover("stdio", 7)),
    ],
    _shows=("stdio.cancel.no-further-messages", "transport.delivery.client-notifications"),
)
messages(
    "other-id-cancelled",
    "A cancellation of an id of another type cancels nothing",
    server("stdio"),
    [
        send_slow(calls("stdio", "slow-call", 5)),
        send(cancel("5")),
        send(cancel(55)),
        release(answers(result_response(5, COMPLETE))),
    ],
    _shows=("base.patterns.request-answered",),
)
messages(
    "calls-at-once",
    "A request is answered while a call is running",
    server("stdio"),
    [
        send(discover("stdio", 1)),
        send_slow(calls("stdio", "slow-call", 5)),
        send(discover("stdio", 2), same_as=0),
        release(answers(result_response(5, COMPLETE))),
    ],
    _shows=(INDEPENDENT, "statelessness.server.multi-context", "statelessness.client.may-interleave"),
)

EOF_AFTER: Final[dict[str, tuple[str, list[ServerStep]]]] = {
    "request": ("a request", [send(discover("stdio", 1))]),
    "subscription": ("a subscription that is still open", [send(listen("stdio", 1), anything)]),
    "running-call": ("a call that is still running", [send_slow(calls("stdio", "slow-call", 1))]),
    "refused": ("a refused request", [send(discover("stdio", 1, with_meta(version=UNKNOWN)), anything)]),
}
for name, (what, before) in EOF_AFTER.items():
    messages(
        f"end-of-input/{name}",
        f"The process ends when its input is closed after {what}",
        server("stdio"),
        [*before, end_of_input()],
        _shows=("stdio.shutdown.server-exits-on-eof",),
    )
