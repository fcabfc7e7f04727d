"""Cases of the feature lifecycle: states, windows, removals, the registry, and what a message uses of it."""

from __future__ import annotations

from typing import Any

from spec_model.cases.messages import BAD, MALFORMED
from spec_model.cases.table import decisions

_RELEASE = "2026-07-28"
_YEAR_LATER = "2027-07-28"


def _event(step: str, on: str) -> dict[str, str]:
    return {"step": step, "on": on}


_SCHEDULED = _event("scheduled", "2026-06-01")
_DEPRECATED = _event("deprecated", _RELEASE)
_ELIGIBLE = _event("eligible", _YEAR_LATER)
_DELETED = _event("deleted", "2027-09-01")
_RESTORED = _event("restored", "2027-01-15")
_AGAIN = _event("deprecated", "2028-03-31")

states = decisions("lifecycle/state", "lifecycle.state")
states("never-touched", "A feature to which nothing happened is Active", history=[], on=_RELEASE)
states("scheduled", "A Final deprecation SEP leaves a feature Active", history=[_SCHEDULED], on="2026-07-27")
states(
    "day-before-release",
    "A feature is Active on the day before its deprecating revision is released",
    history=[_SCHEDULED, _DEPRECATED],
    on="2026-07-27",
)
states(
    "day-of-release",
    "A feature is Deprecated on the day on which its deprecating revision is released",
    history=[_SCHEDULED, _DEPRECATED],
    on=_RELEASE,
)
states(
    "unannounced",
    "A feature that a released revision marks is Deprecated without a word on its SEP",
    history=[_DEPRECATED],
    on=_RELEASE,
)
states(
    "second-marking",
    "A later revision that still marks a feature does not begin its window anew",
    history=[_DEPRECATED, _event("deprecated", "2026-11-25")],
    on="2026-12-01",
)
states(
    "window-elapsed",
    "A feature whose window has elapsed is still Deprecated",
    history=[_DEPRECATED, _ELIGIBLE],
    on="2030-01-01",
)
states(
    "day-before-deletion",
    "A feature is Deprecated on the day before it is deleted from the draft",
    history=[_DEPRECATED, _ELIGIBLE, _DELETED],
    on="2027-08-31",
)
states(
    "deleted-from-draft",
    "A feature deleted from the draft is Removed and no longer Deprecated",
    history=[_DEPRECATED, _ELIGIBLE, _DELETED],
    on="2027-09-01",
)
states(
    "deleted-undeprecated",
    "A feature deleted from the draft without a deprecation is Removed all the same",
    history=[_DELETED],
    on="2027-09-01",
)
states(
    "restored",
    "A restored feature is Active and no longer Deprecated",
    history=[_DEPRECATED, _RESTORED],
    on="2027-01-15",
)
states(
    "day-before-restoration",
    "A feature is Deprecated on the day before its restoration",
    history=[_DEPRECATED, _RESTORED],
    on="2027-01-14",
)
states(
    "restored-out-of-order",
    "Events count by their dates and not by their places in the list",
    history=[_RESTORED, _DEPRECATED],
    on="2027-01-15",
)
states(
    "restored-while-active",
    "The restoration of a feature that is not Deprecated changes nothing",
    history=[_RESTORED],
    on="2027-01-15",
)
states(
    "scheduled-again",
    "A restored feature is Active while a new deprecation is only scheduled",
    history=[_SCHEDULED, _DEPRECATED, _RESTORED, _event("scheduled", "2028-01-10")],
    on="2028-01-10",
)
states(
    "deprecated-again",
    "A restored feature that is deprecated again has a window from the new release",
    history=[_DEPRECATED, _ELIGIBLE, _event("restored", "2027-10-01"), _AGAIN],
    on="2028-04-01",
)
states(
    "restored-after-deletion",
    "A Removed feature is not restored, as a Deprecated one is",
    history=[_DEPRECATED, _DELETED, _event("restored", "2027-10-01")],
    on="2027-10-02",
)
states(
    "deprecated-after-deletion",
    "A Removed feature is not Deprecated by a later mark",
    history=[_DEPRECATED, _DELETED, _AGAIN],
    on="2028-04-01",
)

_ACTIVE_RISK = {"advisory_published": True, "exploitation_documented": False, "mitigation_in_place": False}
_EXPLOITED = {"advisory_published": False, "exploitation_documented": True, "mitigation_in_place": False}
_RUMOUR = {"advisory_published": False, "exploitation_documented": False, "mitigation_in_place": False}
_MITIGATED = {"advisory_published": True, "exploitation_documented": True, "mitigation_in_place": True}

window_ends = decisions("lifecycle/window-end", "lifecycle.window-end")
window_ends("twelve", "A window of twelve months ends a year after the release", since=_RELEASE, window={"months": 12})
window_ends("eighteen", "A window longer than twelve months is kept", since=_RELEASE, window={"months": 18})
window_ends("month-and-days", "Days count after the months", since="2026-11-15", window={"months": 15, "days": 1})
window_ends("six", "A window of six months counts as twelve", since=_RELEASE, window={"months": 6})
window_ends("nothing", "A window of nothing counts as twelve months", since=_RELEASE, window={})
window_ends("days-only", "A window of 364 days counts as twelve months", since=_RELEASE, window={"days": 364})
window_ends("days-enough", "A window of 366 days is kept", since=_RELEASE, window={"days": 366})
window_ends("december", "A window runs over the end of a year", since="2026-12-15", window={"months": 13})
window_ends(
    "month-is-longer",
    "A window from the last day of February ends on the same day of the month",
    since="2027-02-28",
    window={"months": 12},
)
window_ends(
    "leap-day",
    "A window of a year from 29 February",
    since="2024-02-29",
    window={"months": 12},
)
window_ends(
    "month-is-shorter",
    "A window from the 31st that would end in a shorter month",
    since="2026-08-31",
    window={"months": 15},
)
window_ends(
    "to-leap-day",
    "A window from the 31st that would end in the February of a leap year",
    since="2026-08-31",
    window={"months": 18},
)
window_ends(
    "expedited",
    "An active security risk shortens the window",
    since=_RELEASE,
    window={"months": 6},
    risk=_ACTIVE_RISK,
)
window_ends(
    "expedited-exploitation",
    "Documented exploitation shortens the window without an advisory",
    since=_RELEASE,
    window={"months": 6},
    risk=_EXPLOITED,
)
window_ends(
    "expedited-ninety",
    "A shortened window may be as short as ninety days",
    since=_RELEASE,
    window={"days": 90},
    risk=_ACTIVE_RISK,
)
window_ends(
    "expedited-eighty-nine",
    "A shortened window of less than ninety days counts as ninety",
    since=_RELEASE,
    window={"days": 89},
    risk=_ACTIVE_RISK,
)
window_ends(
    "expedited-three-months",
    "Three months after a February are not ninety days",
    since="2027-02-01",
    window={"months": 3},
    risk=_ACTIVE_RISK,
)
window_ends(
    "mitigated",
    "A risk with a mitigation in place does not shorten the window",
    since=_RELEASE,
    window={"months": 6},
    risk=_MITIGATED,
)
window_ends(
    "rumour",
    "A risk without advisory and without documented exploitation does not shorten the window",
    since=_RELEASE,
    window={"months": 6},
    risk=_RUMOUR,
)

firsts = decisions("lifecycle/earliest-removal", "lifecycle.earliest-removal")
firsts(
    "same-day",
    "A revision released on the day on which the window elapses may leave the feature out",
    window_end=_YEAR_LATER,
    releases=["2026-11-25", _YEAR_LATER, "2028-01-15"],
)
firsts(
    "day-early",
    "A revision released a day before the window elapses may not leave the feature out",
    window_end=_YEAR_LATER,
    releases=["2026-11-25", "2027-07-27", "2028-01-15"],
)
firsts("none-yet", "No release so far is late enough", window_end=_YEAR_LATER, releases=["2026-11-25", "2027-03-31"])
firsts(
    "unordered",
    "The earliest of the late releases counts, in whatever order they are given",
    window_end=_YEAR_LATER,
    releases=["2028-01-15", "2027-11-25", "2026-11-25"],
)

removals = decisions("lifecycle/removal", "lifecycle.removal")


def _removal(slug: str, title: str, removed_on: str, deprecated_on: str | None = _RELEASE, **members: Any) -> None:
    removals(slug, title, deprecated_on=deprecated_on, removed_on=removed_on, **{"window": {"months": 12}, **members})


_removal("on-time", "A feature is removed on the day on which its window elapses", _YEAR_LATER)
_removal("late", "A feature is removed long after its window has elapsed", "2030-07-28")
_removal("day-early", "A feature is removed a day before its window elapses", "2027-07-27")
_removal("never-deprecated", "A feature is removed that was never Deprecated", _YEAR_LATER, None)
_removal(
    "longer-window",
    "A feature with a window of eighteen months is removed after twelve",
    _YEAR_LATER,
    window={"months": 18},
)
_removal(
    "longer-window-kept",
    "A feature with a window of eighteen months is removed after these",
    "2028-01-28",
    window={"months": 18},
)
_removal("short-window", "A SEP specifies a window of eleven months", "2027-07-28", window={"months": 11})
_removal("short-window-used", "A feature is removed after a window of six months", "2027-01-28", window={"months": 6})
_removal(
    "expedited",
    "A feature with an active security risk is removed after a shortened window",
    "2027-01-28",
    window={"months": 6},
    risk=_ACTIVE_RISK,
)
_removal(
    "expedited-early",
    "A feature with an active security risk is removed before its shortened window elapses",
    "2027-01-27",
    window={"months": 6},
    risk=_ACTIVE_RISK,
)
_removal(
    "expedited-ninety",
    "A feature with an active security risk is removed after ninety days",
    "2026-10-26",
    window={"days": 90},
    risk=_ACTIVE_RISK,
)
_removal(
    "expedited-eighty-nine",
    "A SEP shortens the window to 89 days",
    "2026-10-26",
    window={"days": 89},
    risk=_ACTIVE_RISK,
)
_removal(
    "mitigated",
    "A window is shortened although a mitigation is in place",
    "2027-01-28",
    window={"months": 6},
    risk=_MITIGATED,
)
_removal(
    "rumour",
    "A window is shortened for a risk that nobody published or saw exploited",
    "2027-01-28",
    window={"months": 6},
    risk=_RUMOUR,
)

deprecations = decisions("lifecycle/deprecation", "lifecycle.deprecation")


def _deprecation(slug: str, title: str, **members: Any) -> None:
    deprecations(slug, title, released_on=_RELEASE, **{"window": {"months": 12}, **members})


_deprecation(
    "replacement-before", "The replacement is in an earlier revision", replacement={"released_on": "2025-11-25"}
)
_deprecation("no-replacement", "A feature is deprecated for twelve months without a replacement")
_deprecation("eleven-months", "A feature is deprecated for eleven months", window={"months": 11})
_deprecation(
    "eleven-months-for-risk",
    "A feature with an active security risk is deprecated for eleven months",
    window={"months": 11},
    risk=_EXPLOITED,
)
_deprecation("replacement-along", "The replacement comes in the same revision", replacement={"released_on": _RELEASE})
_deprecation("replacement-draft", "The replacement is only in a draft", replacement={"released_on": None})
_deprecation(
    "replacement-later", "The replacement comes in a later revision", replacement={"released_on": "2026-11-25"}
)
_deprecation(
    "replacement-deprecated",
    "The replacement is deprecated in the same revision",
    replacement={"released_on": "2025-11-25", "deprecated_on": _RELEASE},
)
_deprecation(
    "replacement-deprecated-later",
    "The replacement is deprecated in a later revision",
    replacement={"released_on": "2025-11-25", "deprecated_on": "2026-11-25"},
)

registry = decisions("lifecycle/registry", "lifecycle.registry")
registry("roots", "Roots is Deprecated in 2026-07-28", feature="roots", revision=_RELEASE)
registry("roots-before", "Roots is not Deprecated in 2025-11-25", feature="roots", revision="2025-11-25")
registry("sampling", "Sampling is Deprecated in 2026-07-28", feature="sampling", revision=_RELEASE)
registry("logging", "Logging is Deprecated in 2026-07-28", feature="logging", revision=_RELEASE)
registry(
    "dynamic-client-registration",
    "Dynamic Client Registration is Deprecated in 2026-07-28",
    feature="dynamic-client-registration",
    revision=_RELEASE,
)
for _value in ("this-server", "all-servers"):
    registry(
        f"include-context-{_value}",
        f"The includeContext value {_value} is Deprecated since 2025-11-25",
        feature=f"include-context-{_value}",
        revision="2025-11-25",
    )
registry(
    "include-context-now",
    "The includeContext value this-server is still Deprecated in 2026-07-28",
    feature="include-context-this-server",
    revision=_RELEASE,
)
registry(
    "include-context-before",
    "The includeContext value this-server is not Deprecated in 2025-06-18",
    feature="include-context-this-server",
    revision="2025-06-18",
)
registry("http-sse", "HTTP+SSE is Deprecated since 2025-03-26", feature="http-sse", revision="2025-03-26")
registry("http-sse-now", "HTTP+SSE is not removed by 2026-07-28", feature="http-sse", revision=_RELEASE)
registry("http-sse-before", "HTTP+SSE is not Deprecated in 2024-11-05", feature="http-sse", revision="2024-11-05")
for _feature, _title in (
    ("include-context-none", "The includeContext value none is not Deprecated"),
    ("client-id-metadata-documents", "The replacement of Dynamic Client Registration is not Deprecated"),
    ("streamable-http", "The replacement of HTTP+SSE is not Deprecated"),
    ("elicitation", "Elicitation is not Deprecated along with Roots and Sampling"),
    ("tools", "Tools are not Deprecated"),
    ("json-rpc-batching", "Batching was dropped before the policy, so that the registry lists it not at all"),
    ("http-sessions", "Sessions were dropped without a deprecation, so that the registry lists them not at all"),
    ("ping", "The method ping was dropped without a deprecation, so that the registry lists it not at all"),
):
    registry(_feature, _title, feature=_feature, revision=_RELEASE)

removable = decisions("lifecycle/removable-from", "lifecycle.removable-from")
for _feature in ("roots", "sampling", "logging", "dynamic-client-registration"):
    removable(
        _feature,
        f"The feature {_feature} is removable a year after the release of 2026-07-28",
        feature=_feature,
        sep_2596_final_on="2026-05-11",
    )
for _value in ("this-server", "all-servers"):
    removable(
        f"include-context-{_value}",
        f"The includeContext value {_value} is removable along with Sampling",
        feature=f"include-context-{_value}",
        sep_2596_final_on="2026-05-11",
    )
removable(
    "http-sse",
    "HTTP+SSE is removable three months after SEP-2596 reached Final",
    feature="http-sse",
    sep_2596_final_on="2026-05-11",
)
removable(
    "http-sse-month-end",
    "Three months after 30 November end in a February",
    feature="http-sse",
    sep_2596_final_on="2026-11-30",
)
removable("tools", "Tools have no earliest removal", feature="tools", sep_2596_final_on="2026-05-11")

used = decisions("lifecycle/uses", "lifecycle.uses", MALFORMED)


def _request(capabilities: dict[str, Any], **meta: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "weather",
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": _RELEASE,
                "io.modelcontextprotocol/clientCapabilities": capabilities,
                **meta,
            },
        },
    }


def _asks(**requests: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "input_required", "inputRequests": requests}}


def _sampling(**params: Any) -> dict[str, Any]:
    question = {"role": "user", "content": {"type": "text", "text": "Why?"}}
    return {"method": "sampling/createMessage", "params": {"messages": [question], "maxTokens": 9, **params}}


_FORM = {
    "method": "elicitation/create",
    "params": {"message": "Which?", "requestedSchema": {"type": "object", "properties": {}}},
}

used("plain-request", "A request without capabilities uses nothing Deprecated", message=_request({}))
used("elicitation-capability", "The elicitation capability is not Deprecated", message=_request({"elicitation": {}}))
used("roots-capability", "The roots capability is Deprecated", message=_request({"roots": {}}))
used("sampling-capability", "The sampling capability is Deprecated", message=_request({"sampling": {}}))
used(
    "roots-and-sampling",
    "A request that declares roots and sampling uses both",
    message=_request({"sampling": {}, "roots": {}}),
)
used(
    "roots-null",
    "A null in place of the roots capability declares nothing",
    _flags=BAD,
    message=_request({"roots": None}),
)
used(
    "experimental-roots",
    "An experimental capability called roots is not the Roots feature",
    message=_request({"experimental": {"roots": {}}}),
)
used(
    "log-level",
    "A request that sets a log level uses Logging",
    message=_request({}, **{"io.modelcontextprotocol/logLevel": "info"}),
)
used(
    "vendor-log-level",
    "A log level under another prefix is not that of Logging",
    message=_request({}, **{"com.example/logLevel": "info"}),
)
used(
    "log-message",
    "A log message uses Logging",
    message={"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "done"}},
)
used(
    "progress",
    "A progress notification is not a log message",
    message={"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 2}},
)


def _discovered(**capabilities: Any) -> dict[str, Any]:
    result = {"resultType": "complete", "supportedVersions": [_RELEASE], "ttlMs": 0, "cacheScope": "private"}
    return {"jsonrpc": "2.0", "id": 1, "result": {**result, "capabilities": capabilities}}


used("logging-capability", "A server that advertises logging uses Logging", message=_discovered(logging={}))
used("tools-capability", "A server that advertises tools uses nothing Deprecated", message=_discovered(tools={}))
used("asks-for-roots", "A result that asks for roots uses Roots", message=_asks(a={"method": "roots/list"}))
used("asks-for-sampling", "A result that asks for a sampled message uses Sampling", message=_asks(a=_sampling()))
used("asks-for-elicitation", "A result that asks the user uses nothing Deprecated", message=_asks(a=_FORM))
used(
    "asks-for-several",
    "What several requests for input use is listed in the order of the registry",
    message=_asks(a=_sampling(includeContext="allServers"), b=_FORM, c={"method": "roots/list"}),
)
used(
    "context-this-server",
    "A sampling request with the context thisServer uses Sampling and the value",
    message=_asks(a=_sampling(includeContext="thisServer")),
)
used(
    "context-all-servers",
    "A sampling request with the context allServers uses Sampling and the value",
    message=_asks(a=_sampling(includeContext="allServers")),
)
used(
    "context-none",
    "A sampling request with the context none uses Sampling alone",
    message=_asks(a=_sampling(includeContext="none")),
)
used(
    "context-unknown",
    "A context that no revision defines is not a Deprecated one",
    _flags=BAD,
    message=_asks(a=_sampling(includeContext="everyServer")),
)
used(
    "context-elsewhere",
    "A member includeContext of another request is not that of Sampling",
    message=_asks(a={"method": "roots/list", "params": {"includeContext": "thisServer"}}),
)
used(
    "asks-for-nothing",
    "Input requests that are no object ask for nothing",
    _flags=BAD,
    message=_asks() | {"result": {"resultType": "input_required", "inputRequests": ["roots/list"]}},
)
used("no-object", "A message that is no object uses nothing", _flags=BAD, message="notifications/message")
