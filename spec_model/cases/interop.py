"""Cases of what a client remembers of an era, and of the pairs of client and server."""

from __future__ import annotations

from spec_model.cases.table import decisions
from spec_model.wire.values import JsonObject

_NEXT, _NOW, _OLD, _OLDER = "2027-03-01", "2026-07-28", "2025-11-25", "2025-06-18"


def _process(configuration: str, process: str) -> JsonObject:
    return {"configuration": configuration, "process": process}


stdio = decisions("era/recall-stdio", "era.recall-stdio")
stdio(
    "same-process",
    "The process in which the era was found out still lives",
    remembered=_process("a", "p1"),
    asked=_process("a", "p1"),
)
stdio(
    "new-process",
    "The same configuration launched a new process",
    remembered=_process("a", "p1"),
    asked=_process("a", "p2"),
)
stdio(
    "other-configuration",
    "The process was launched by another configuration",
    remembered=_process("a", "p1"),
    asked=_process("b", "p2"),
)


def _server(url: str, run: int = 1, configuration: str = "a") -> JsonObject:
    return {"configuration": configuration, "url": url, "run": run}


_URL = "https://mcp.example.com/mcp"
http = decisions("era/recall-http", "era.recall-http")
http("same-endpoint", "The era was found out at the same endpoint", remembered=_server(_URL), asked=_server(_URL))
http(
    "other-endpoint",
    "The origin has another endpoint",
    remembered=_server(_URL),
    asked=_server("https://mcp.example.com/other"),
)
http("other-query", "The endpoint differs in its query", remembered=_server(_URL), asked=_server(f"{_URL}?tenant=2"))
http("fragment", "A fragment is no part of the endpoint", remembered=_server(_URL), asked=_server(f"{_URL}#top"))
http(
    "query-without-path",
    "A query on an empty path is a query on the root",
    remembered=_server("https://mcp.example.com?tenant=2"),
    asked=_server("https://mcp.example.com/?tenant=2"),
)
http(
    "path-case",
    "The endpoint differs in the case of its path",
    remembered=_server(_URL),
    asked=_server("https://mcp.example.com/MCP"),
)
http(
    "host-case",
    "The host is written in capitals",
    remembered=_server(_URL),
    asked=_server("https://MCP.EXAMPLE.COM/mcp"),
)
http(
    "default-port",
    "The default port is spelt out",
    remembered=_server(_URL),
    asked=_server("https://mcp.example.com:443/mcp"),
)
http(
    "root-path",
    "An empty path is the root",
    remembered=_server("https://mcp.example.com"),
    asked=_server("https://mcp.example.com/"),
)
http(
    "other-host",
    "Another host is another origin",
    remembered=_server(_URL),
    asked=_server("https://mcp.example.net/mcp"),
)
http(
    "other-port",
    "Another port is another origin",
    remembered=_server(_URL),
    asked=_server("https://mcp.example.com:8443/mcp"),
)
http(
    "other-scheme",
    "Another scheme is another origin",
    remembered=_server(_URL),
    asked=_server("http://mcp.example.com/mcp"),
)
http(
    "same-port-other-scheme",
    "The same port under another scheme is another origin",
    remembered=_server("https://mcp.example.com:8080/mcp"),
    asked=_server("http://mcp.example.com:8080/mcp"),
)
http("restart", "The client was restarted", remembered=_server(_URL), asked=_server(_URL, run=2))
http(
    "restart-other-configuration",
    "The client was restarted with another configuration",
    remembered=_server(_URL),
    asked=_server(_URL, run=2, configuration="b"),
)
http(
    "restart-other-endpoint",
    "The client was restarted and asks for another endpoint",
    remembered=_server(_URL),
    asked=_server("https://mcp.example.com/other", run=2),
)
http(
    "default-port-http",
    "The default port of http is spelt out",
    remembered=_server("http://localhost/mcp"),
    asked=_server("http://localhost:80/mcp"),
)
http(
    "no-url",
    "An address without scheme is no key",
    remembered=_server("mcp.example.com/mcp"),
    asked=_server("mcp.example.com/mcp"),
)

pairs = decisions("interop/outcome", "interop.outcome")
_PARTIES = {"modern": [_NOW], "dual": [_NOW, _OLD], "legacy": [_OLD]}
for _client, _client_versions in _PARTIES.items():
    for _server_name, _server_versions in _PARTIES.items():
        pairs(
            f"{_client}-{_server_name}",
            f"A {_client} client meets a {_server_name} server".replace("dual", "dual-era"),
            client=_client_versions,
            server=_server_versions,
        )
pairs(
    "modern-modern-older", "The server lacks the version that the client prefers", client=[_NEXT, _NOW], server=[_NOW]
)
pairs(
    "modern-modern-disjoint", "Client and server are modern without a version in common", client=[_NEXT], server=[_NOW]
)
pairs(
    "modern-dual-disjoint",
    "A modern client shares no version with a dual-era server",
    client=[_NEXT],
    server=[_NOW, _OLD],
)
pairs(
    "dual-modern-disjoint",
    "A dual-era client shares no version with a modern server",
    client=[_NEXT, _OLD],
    server=[_NOW],
)
pairs(
    "dual-dual-legacy-in-common",
    "Two dual-era parties share a legacy version alone",
    client=[_NEXT, _OLD],
    server=[_NOW, _OLD],
)
pairs("dual-dual-disjoint", "Two dual-era parties share no version", client=[_NEXT, _OLD], server=[_NOW, _OLDER])
pairs(
    "dual-legacy-older",
    "The server is older than the client's newest legacy version",
    client=[_NOW, _OLD, _OLDER],
    server=[_OLDER],
)
pairs(
    "dual-legacy-disjoint",
    "A dual-era client shares no legacy version with a legacy server",
    client=[_NOW, _OLD],
    server=[_OLDER],
)
pairs("legacy-legacy-older", "The server is older than the client", client=[_OLD, _OLDER], server=[_OLDER])
pairs(
    "legacy-legacy-disjoint", "Client and server are legacy without a version in common", client=[_OLD], server=[_OLDER]
)
pairs(
    "legacy-legacy-missed",
    "The server's own choice misses the version that both have",
    client=[_OLD, "2024-11-05"],
    server=[_OLDER, "2024-11-05"],
)
pairs(
    "legacy-dual-older",
    "A legacy client is older than the dual-era server",
    client=[_OLDER],
    server=[_NOW, _OLD, _OLDER],
)
pairs(
    "legacy-dual-disjoint",
    "A legacy client shares no legacy version with a dual-era server",
    client=[_OLDER],
    server=[_NOW, _OLD],
)
pairs(
    "no-era-server",
    "A server of a date between the eras speaks no version of any era",
    client=[_OLD],
    server=["2026-01-01"],
)
pairs(
    "no-era-client",
    "A client of a date between the eras speaks no version of any era",
    client=["2026-01-01"],
    server=[_NOW, _OLD],
)
