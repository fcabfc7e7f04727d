"""Cases of the choice of a version, by the client of a modern server and by both sides of a handshake."""

from __future__ import annotations

from spec_model.cases.table import decisions
from spec_model.wire.values import Json, JsonObject

MALFORMED = {"malformed": "The message breaks the official JSON Schema of its revision, on purpose."}

_NEXT, _NOW, _OLD, _OLDER = "2027-03-01", "2026-07-28", "2025-11-25", "2025-06-18"


def _discovered(*supported: str, **changed: Json) -> JsonObject:
    """A DiscoverResult; a member given as None is left out."""
    result: JsonObject = {
        "resultType": "complete",
        "supportedVersions": list(supported),
        "capabilities": {},
        "ttlMs": 0,
        "cacheScope": "private",
    }
    return {name: value for name, value in {**result, **changed}.items() if value is not None}


def _offer(*supported: Json, **changed: Json) -> JsonObject:
    """The data of an unsupported-version error; a member given as None is left out."""
    data: JsonObject = {"supported": list(supported), "requested": _NEXT}
    return {name: value for name, value in {**data, **changed}.items() if value is not None}


# --- discovery ------------------------------------------------------------------------------------------------------

chosen = decisions("versions/from-discovery", "versions.from-discovery", MALFORMED)
chosen("listed", "The version that the client prefers is listed", speaks=[_NEXT, _NOW], result=_discovered(_NEXT, _NOW))
chosen(
    "second-listed",
    "Only the second of the client's versions is listed",
    speaks=[_NEXT, _NOW],
    result=_discovered(_NOW),
)
chosen(
    "own-order",
    "The client prefers an older version than the server lists first",
    speaks=[_NOW, _NEXT],
    result=_discovered(_NEXT, _NOW),
)
chosen(
    "order-of-the-list",
    "Client and server order the same versions differently",
    speaks=[_NEXT, _NOW],
    result=_discovered(_NOW, _NEXT),
)
chosen("duplicates", "A version listed twice is one version", speaks=[_NOW], result=_discovered(_NOW, _NOW))
chosen(
    "unknown-too",
    "Versions that the client does not know stand beside one that it does",
    speaks=[_NOW],
    result=_discovered("2099-01-01", "DRAFT-2026-v1", _NOW),
)
chosen("disjoint", "No listed version is one of the client's", speaks=[_NOW], result=_discovered(_NEXT))
chosen("empty-list", "An empty list offers nothing", speaks=[_NOW], result=_discovered())
chosen(
    "similar-string", "A version with a suffix is another version", speaks=[_NOW], result=_discovered("2026-07-28-rc")
)
chosen(
    "modern-beside-legacy",
    "A modern version in common goes before a legacy one",
    speaks=[_OLD, _NOW],
    result=_discovered(_OLD, _NOW),
)
chosen(
    "only-legacy",
    "The only version in common is a legacy one",
    _see=("field:ver-discover-offers-only-legacy",),
    speaks=[_NOW, _OLD],
    result=_discovered(_OLD),
)
chosen(
    "only-legacy-newest",
    "Of two legacy versions in common the newer one is named",
    speaks=[_NOW, _OLDER, _OLD],
    result=_discovered(_OLDER, _OLD),
)
chosen(
    "only-legacy-unspoken",
    "A listed legacy version that the client does not speak is of no use",
    speaks=[_NOW, _OLDER],
    result=_discovered(_OLD),
)
chosen(
    "only-legacy-modern-client",
    "A modern-only client has no use for a legacy version",
    speaks=[_NOW],
    result=_discovered(_OLD),
)
chosen(
    "refused-before",
    "A version that the server refused before is not chosen although it is listed",
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    result=_discovered(_NEXT, _NOW),
)
chosen(
    "all-refused-before",
    "Every version in common was refused before",
    speaks=[_NOW],
    refused=[_NOW],
    result=_discovered(_NOW),
)
chosen(
    "result-type-absent",
    "A result without resultType reads as complete",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(_NOW, resultType=None),
)
chosen(
    "result-type-unknown",
    "A resultType that the client does not know makes the result invalid",
    speaks=[_NOW],
    result=_discovered(_NOW, resultType="partial"),
)
chosen(
    "result-type-input-required",
    "A request for input is no discovery result",
    speaks=[_NOW],
    result={**_discovered(_NOW), "resultType": "input_required", "inputRequests": {}},
)
chosen(
    "result-type-null",
    "A null resultType is not an absent one",
    _flags=("malformed",),
    speaks=[_NOW],
    result={**_discovered(_NOW), "resultType": None},
)
chosen(
    "without-list",
    "A result without supportedVersions is defective",
    _flags=("malformed",),
    _see=("field:disc-result-without-required-fields",),
    speaks=[_NOW, _OLD],
    result={
        "capabilities": {"tools": {}},
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "ExampleServer", "version": "1.0.0"}},
    },
)
chosen(
    "thin",
    "A result of versions and capabilities alone is usable",
    _flags=("malformed",),
    _see=("field:disc-result-without-required-fields",),
    speaks=[_NOW, _OLD],
    result={
        "supportedVersions": [_NOW],
        "capabilities": {"tools": {}},
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "ExampleServer", "version": "1.0.0"}},
    },
)
chosen(
    "bare",
    "A result of versions and empty capabilities alone is usable",
    _flags=("malformed",),
    speaks=[_NOW, _OLD],
    result={"supportedVersions": [_NOW], "capabilities": {}},
)
chosen(
    "list-null",
    "A null supportedVersions is no list",
    _flags=("malformed",),
    speaks=[_NOW],
    result={**_discovered(_NOW), "supportedVersions": None},
)
chosen(
    "list-string",
    "One version as a string is no list",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(supportedVersions=_NOW),
)
chosen(
    "list-object",
    "An object with a version as key is no list",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(supportedVersions={_NOW: {}}),
)
chosen(
    "list-of-numbers",
    "A list without any string is no list of versions",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(supportedVersions=[20260728]),
)
chosen(
    "list-partly-strings",
    "A number stands in the list beside the version in common",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(supportedVersions=[1, _NOW, None]),
)
chosen(
    "without-capabilities",
    "A result without capabilities is defective",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(_NOW, capabilities=None),
)
chosen(
    "capabilities-array",
    "Capabilities in an array are no capabilities",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(_NOW, capabilities=[]),
)
chosen(
    "without-ttl",
    "A result without ttlMs still gives its versions",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(_NOW, ttlMs=None),
)
chosen(
    "ttl-string",
    "A ttlMs that is no number leaves the versions as they are",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(_NOW, ttlMs="0"),
)
chosen(
    "ttl-negative",
    "A negative ttlMs leaves the versions as they are",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(_NOW, ttlMs=-1),
)
chosen(
    "public-scope",
    "A shared result offers the same versions",
    speaks=[_NOW],
    result=_discovered(_NOW, cacheScope="public"),
)
chosen(
    "without-scope",
    "A result without cacheScope still gives its versions",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(_NOW, cacheScope=None),
)
chosen(
    "scope-unknown",
    "An unknown cacheScope leaves the versions as they are",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(_NOW, cacheScope="shared"),
)
chosen(
    "scope-array",
    "A cacheScope in an array leaves the versions as they are",
    _flags=("malformed",),
    speaks=[_NOW],
    result=_discovered(_NOW, cacheScope=["private"]),
)
chosen("empty-object", "An empty result is defective", _flags=("malformed",), speaks=[_NOW, _OLD], result={})
chosen("null", "A null result is defective", _flags=("malformed",), speaks=[_NOW, _OLD], result=None)
chosen("string", "A string as result is defective", _flags=("malformed",), speaks=[_NOW, _OLD], result="ok")

# --- refusal --------------------------------------------------------------------------------------------------------

refusal = decisions("versions/after-refusal", "versions.after-refusal", MALFORMED)
refusal(
    "common",
    "The list holds another version that the client speaks",
    _see=("field:ver-no-retry-implemented",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=_offer(_NOW),
)
refusal(
    "disjoint", "The list holds no version that the client speaks", speaks=[_NEXT], refused=[_NEXT], data=_offer(_NOW)
)
refusal(
    "preference",
    "Of two versions in common the one that the client prefers is next",
    speaks=[_NEXT, "2026-12-01", _NOW],
    refused=[_NEXT],
    data=_offer(_NOW, "2026-12-01"),
)
refusal(
    "own-order",
    "The client prefers the older of two versions in common",
    speaks=[_NEXT, _NOW, "2026-12-01"],
    refused=[_NEXT],
    data=_offer("2026-12-01", _NOW),
)
refusal(
    "lists-the-refused",
    "A list of the refused version alone offers nothing",
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=_offer(_NEXT),
)
refusal(
    "lists-the-refused-too",
    "The refused version is passed over for the next in the list",
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=_offer(_NEXT, _NOW),
)
refusal(
    "second-refusal",
    "The version that the list named is refused as well",
    _see=("field:ver-second-refusal-loop",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT, _NOW],
    data=_offer(_NOW, requested=_NOW),
)
refusal(
    "second-refusal-third-version",
    "After two refusals the list holds a third version in common",
    speaks=[_NEXT, "2026-12-01", _NOW],
    refused=[_NEXT, "2026-12-01"],
    data=_offer(_NOW, requested="2026-12-01"),
)
refusal(
    "second-refusal-legacy",
    "After two refusals a legacy version in common is left",
    speaks=[_NEXT, _NOW, _OLD],
    refused=[_NEXT, _NOW],
    data=_offer(_NOW, _OLD, requested=_NOW),
)
refusal(
    "second-refusal-third-and-legacy",
    "After two refusals a modern and a legacy version are left",
    speaks=[_NEXT, "2026-12-01", _NOW, _OLD],
    refused=[_NEXT, "2026-12-01"],
    data=_offer(_NOW, _OLD, requested="2026-12-01"),
)
refusal(
    "only-legacy",
    "The only version left in common is a legacy one",
    speaks=[_NEXT, _OLD],
    refused=[_NEXT],
    data=_offer(_NOW, _OLD),
)
refusal(
    "only-legacy-newest",
    "Of two legacy versions in common the newer one is named",
    speaks=[_NEXT, _OLDER, _OLD],
    refused=[_NEXT],
    data=_offer(_OLDER, _OLD),
)
refusal(
    "only-legacy-modern-client",
    "A modern-only client has no use for a listed legacy version",
    speaks=[_NEXT],
    refused=[_NEXT],
    data=_offer(_NOW, _OLD),
)
refusal(
    "only-legacy-refused",
    "The legacy version in the list was refused in initialize",
    speaks=[_NEXT, _OLD],
    refused=[_OLD],
    data=_offer(_OLD, requested=_OLD),
)
refusal(
    "modern-before-legacy",
    "A modern version in common goes before a legacy one",
    speaks=[_NEXT, _OLD, _NOW],
    refused=[_NEXT],
    data=_offer(_OLD, _NOW),
)
refusal(
    "duplicates",
    "A version listed twice is one version",
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=_offer(_NOW, _NOW),
)
refusal(
    "names-another-requested",
    "The error names another requested version than the one that was sent",
    _see=("field:ver-32022-treated-as-legacy",),
    speaks=["2026-11-01", _NOW, _OLD],
    refused=["2026-11-01"],
    data=_offer(_NOW, _NEXT, requested="2026-12-24"),
)
refusal(
    "without-data",
    "The error comes without data",
    _flags=("malformed",),
    _see=("field:ver-supported-missing-or-empty",),
    speaks=[_NOW, _OLD],
    refused=[_NOW],
)
refusal(
    "empty-list",
    "The list is empty",
    _see=("field:ver-supported-missing-or-empty",),
    speaks=[_NOW, _OLD],
    refused=[_NOW],
    data=_offer(requested=_NOW),
)
refusal("data-null", "The data is null", _flags=("malformed",), speaks=[_NOW, _OLD], refused=[_NOW], data=None)
refusal(
    "data-array",
    "The list stands where its object belongs",
    _flags=("malformed",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=[_NOW],
)
refusal(
    "without-list",
    "The data has no list",
    _flags=("malformed",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data={"requested": _NEXT},
)
refusal(
    "without-list-third-version",
    "The data has no list, and the client has a version that was not refused",
    _flags=("malformed",),
    speaks=[_OLD, _NEXT, _NOW, "2026-12-01"],
    refused=[_NEXT, _NOW],
    data={"requested": _NOW},
)
refusal(
    "list-string",
    "One version as a string is no list",
    _flags=("malformed",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=_offer(supported=_NOW),
)
refusal(
    "list-of-numbers",
    "A list without any string is no list of versions",
    _flags=("malformed",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=_offer(20260728),
)
refusal(
    "list-partly-strings",
    "A number stands in the list beside the version in common",
    _flags=("malformed",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=_offer(1, _NOW),
)
refusal(
    "without-requested",
    "The list comes without the version that was asked for",
    _flags=("malformed",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=_offer(_NOW, requested=None),
)
refusal(
    "requested-number",
    "The version that was asked for is a number",
    _flags=("malformed",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data=_offer(_NOW, requested=20270301),
)
refusal(
    "snake-case",
    "The list under another name is no list",
    _flags=("malformed",),
    speaks=[_NEXT, _NOW],
    refused=[_NEXT],
    data={"supportedVersions": [_NOW], "requested": _NEXT},
)

# --- handshake ------------------------------------------------------------------------------------------------------

naming = decisions("versions/initialize", "versions.initialize")
naming("one", "A client of one legacy version names it", speaks=[_NOW, _OLD])
naming("newest", "The newest legacy version is named, not the preferred one", speaks=[_NOW, _OLDER, _OLD])
naming("three", "Of three legacy versions the newest is named", speaks=["2024-11-05", _OLD, _OLDER])
naming("modern-only", "A client of modern versions alone has no handshake", speaks=[_NOW])
naming("gap", "A date between the eras has no handshake", speaks=["2026-01-01"])

accepting = decisions("versions/accept", "versions.accept")
accepting("named", "The server answers with the version that the client named", speaks=[_NOW, _OLD], answered=_OLD)
accepting(
    "older-supported",
    "The server answers with an older version that the client supports",
    speaks=[_NOW, _OLD, _OLDER],
    answered=_OLDER,
)
accepting(
    "older-unsupported",
    "The server answers with an older version that the client does not support",
    speaks=[_NOW, _OLD],
    answered=_OLDER,
)
accepting(
    "newer-unsupported",
    "The server answers with a newer legacy version than the client supports",
    speaks=[_NOW, _OLDER],
    answered=_OLD,
)
accepting(
    "modern-spoken",
    "The server answers initialize with a modern version that the client speaks",
    _see=("field:rt-missing-after-initialize-echo",),
    speaks=[_NOW, _OLD],
    answered=_NOW,
)
accepting(
    "modern-unspoken",
    "The server answers initialize with a modern version that the client does not speak",
    speaks=[_NOW, _OLD],
    answered=_NEXT,
)
accepting("modern-legacy-client", "A legacy client gets a modern version for an answer", speaks=[_OLD], answered=_NOW)
accepting("absent", "The answer names no version", speaks=[_NOW, _OLD])
accepting("null", "The answer names null", speaks=[_NOW, _OLD], answered=None)
accepting("array", "The answer names a list of versions", speaks=[_NOW, _OLD], answered=[_OLD])
accepting("unknown", "The answer names a string that is no version", speaks=[_NOW, _OLD], answered="1.0.0")

negotiation = decisions("versions/negotiate", "versions.negotiate")
negotiation("echo", "A supported version is echoed", supports=[_NOW, _OLD, _OLDER], requested=_OLD)
negotiation("echo-older", "An older supported version is echoed", supports=[_NOW, _OLD, _OLDER], requested=_OLDER)
negotiation(
    "unsupported",
    "An unsupported version is answered with the newest supported one",
    supports=[_NOW, _OLD, _OLDER],
    requested="2024-11-05",
)
negotiation(
    "unsupported-newer",
    "A newer legacy version than the server has is answered with its newest",
    supports=[_OLDER, "2024-11-05"],
    requested=_OLD,
)
negotiation("single", "A server of one legacy version answers with it", supports=[_OLDER], requested=_OLD)
negotiation(
    "modern",
    "initialize for a modern version that the server supports gets a legacy one",
    _see=("field:era-initialize-names-2026", "field:era-initialize-2026-method-not-found"),
    supports=[_NOW, _OLD],
    requested=_NOW,
)
negotiation(
    "modern-unknown",
    "initialize for an unknown modern version gets a legacy one",
    supports=[_NOW, _OLD],
    requested="2099-01-01",
)
negotiation(
    "no-version",
    "initialize for a string that is no version gets a legacy one",
    supports=[_NOW, _OLD],
    requested="1.0.0",
)
negotiation(
    "order",
    "The newest is the newest by date, wherever it stands",
    supports=[_OLDER, _OLD, _NOW],
    requested="2024-11-05",
)
negotiation("modern-only", "A modern-only server has no handshake", supports=[_NOW], requested=_OLD)
