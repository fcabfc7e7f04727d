"""Cases of the rules about discovery."""

from __future__ import annotations

from typing import Any

from spec_model.cases.messages import BAD, MALFORMED
from spec_model.cases.table import decisions

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
DISCOVER = {"jsonrpc": "2.0", "id": "discover-1", "method": "server/discover", "params": {"_meta": META}}

requests = decisions("discovery/request", "discovery.request", MALFORMED)
requests("plain", "A discovery request has metadata and nothing else", message=DISCOVER)
requests(
    "cursor",
    "A discovery request with a cursor has more than it is described to have",
    message={**DISCOVER, "params": {"_meta": META, "cursor": "2"}},
)
requests(
    "versions",
    "A discovery request with a list of versions has more than it is described to have",
    message={**DISCOVER, "params": {"_meta": META, "supportedVersions": ["2026-07-28"]}},
)
requests("null-id", "A discovery request has an id", _flags=BAD, message={**DISCOVER, "id": None})
requests("array-params", "The params are an array", _flags=BAD, message={**DISCOVER, "params": [META]})
requests("other-method", "The method is another", message={**DISCOVER, "method": "tools/list"})
requests("integral-float-id", "An id written 1.0 is an integer", message={**DISCOVER, "id": 1.0})
requests("batch", "A discovery request inside an array is none", _flags=BAD, message=[DISCOVER])

DISCOVERED = {
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "ttlMs": 3_600_000,
    "cacheScope": "public",
}

results = decisions("discovery/result", "discovery.result", MALFORMED)


def _result(
    slug: str, title: str, *without: str, _see: tuple[str, ...] = (), bad: bool = False, **members: Any
) -> None:
    whole = {name: value for name, value in {**DISCOVERED, **members}.items() if name not in without}
    results(slug, title, result=whole, _see=_see, _flags=BAD if bad else ())


_result("plain", "A server names its versions and its capabilities")
_result("both-eras", "A server may name legacy versions too", supportedVersions=["2026-07-28", "2025-11-25"])
_result(
    "legacy-only",
    "A list of legacy versions alone is a list of versions",
    supportedVersions=["2025-11-25"],
    _see=("field:ver-discover-offers-only-legacy",),
)
_result(
    "future-version", "A version that is not known yet is a version", supportedVersions=["2027-03-01", "2026-07-28"]
)
_result(
    "no-versions",
    "The versions are missing",
    "supportedVersions",
    bad=True,
    _see=("field:disc-result-without-required-fields",),
)
_result("empty-versions", "No version is named", supportedVersions=[])
_result("version-string", "The versions are a string", supportedVersions="2026-07-28", bad=True)
_result("numeric-version", "A version is a number", supportedVersions=["2026-07-28", 2026], bad=True)
_result("no-capabilities-at-all", "A server without any capability says so", capabilities={})
_result("absent-capabilities", "The capabilities are missing", "capabilities", bad=True)
_result("array-capabilities", "The capabilities are an array", capabilities=["tools"], bad=True)
_result("capability-flag", "A capability is a boolean", capabilities={"tools": True}, bad=True)
LOGS: dict[str, Any] = {"tools": {}, "logging": {}}
_result("instructions", "A server may give instructions", capabilities=LOGS, instructions="Ask before you delete.")
_result("numeric-instructions", "The instructions are a number", bad=True, capabilities=LOGS, instructions=1)
_result("no-hints", "The caching hints are missing", "ttlMs", "cacheScope", bad=True)
_result("no-type", "resultType is missing", "resultType", bad=True)
_result(
    "server-info-in-body",
    "The identity of the server beside its place does no harm",
    serverInfo={"name": "ExampleServer", "version": "1.0.0"},
    _see=("field:id-serverinfo-top-level",),
)
_result(
    "extension-type",
    "What a result of an extension's type holds is up to the extension",
    "supportedVersions",
    "capabilities",
    "ttlMs",
    "cacheScope",
    resultType="com.example/later",
    bad=True,
)
results(
    "asks",
    "Discovery is not answered with a request for input",
    _flags=BAD,
    result={"resultType": "input_required", "requestState": "s"},
)
results("array", "The result is an array", _flags=BAD, result=[DISCOVERED])
