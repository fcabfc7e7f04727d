"""The strategies give what they say, and the state machine finds each fault and lets each sound cache pass."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from spec_model.semantics.caching import Caller, Request, is_retry
from spec_model.semantics.pagination import PAGINATED, judge_request
from spec_model.strategies.caching import (
    MISS,
    CacheFault,
    CacheUnderTest,
    cache_machine,
    cacheable_requests,
    callers,
    change_notifications,
    cursors,
    retry_requests,
    ttls,
)
from spec_model.wire.values import JsonObject

EXAMPLE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "examples" / "faulty_cache.py"))
TINY: type[Any] = EXAMPLE["TinyCache"]
fault_of: Callable[..., CacheFault | None] = EXAMPLE["fault_of"]


# --- values ---------------------------------------------------------------------------------------------------------


@given(ttls(min_value=5, max_value=2**60))
def test_ttls_are_integers_within_their_bounds(ttl: float) -> None:
    assert 5 <= ttl <= 2**60
    assert ttl == int(ttl)


@given(cursors(min_size=1, max_size=3))
def test_cursors_have_the_wanted_length_and_can_be_sent(cursor: str) -> None:
    assert 1 <= len(cursor) <= 3
    cursor.encode()


@given(cacheable_requests(cursor=st.just("x")))
def test_requests_are_sound_and_only_lists_have_cursors(request: Request) -> None:
    assert ("uri" in request.params) == (request.method == "resources/read")
    assert request.params.get("cursor", "x") == "x"
    assert "_meta" in request.params
    if request.method in PAGINATED:
        assert judge_request(request.method, request.params).outcome.value == "conforms"  # type: ignore[arg-type]
    else:
        assert "cursor" not in request.params


@given(retry_requests(uris=("file:///x",)))
def test_retries_are_retries(request: Request) -> None:
    assert is_retry(request.params)
    assert request.params["uri"] == "file:///x"


@given(callers(tokens=("t",), anonymous=False))
def test_callers_present_the_wanted_tokens(caller: Caller) -> None:
    assert caller.authorization is not None
    assert caller.authorization.token == "t"


@given(change_notifications(uris=("file:///x",), subscription_id=None))
def test_notifications_without_subscription(notification: JsonObject) -> None:
    params = notification["params"]
    assert isinstance(params, dict)
    assert "_meta" not in params
    assert params.get("uri", "file:///x") == "file:///x"


# --- the machine ----------------------------------------------------------------------------------------------------


class LateCache(TINY):
    def is_fresh(self, until: int) -> bool:
        return self.now <= until  # type: ignore[no-any-return]


class Timeless(TINY):
    def is_fresh(self, until: int) -> bool:
        return until > 0


class AcrossMethods(TINY):
    def key(self, request: Request, caller: Caller) -> str:
        return super().key(Request(method="tools/list", params=request.params), caller)  # type: ignore[no-any-return]


class AcrossCursors(TINY):
    def key(self, request: Request, caller: Caller) -> str:
        params = {name: value for name, value in request.params.items() if name != "cursor"}
        return super().key(Request(method=request.method, params=params), caller)  # type: ignore[no-any-return]


class EmptyCursorIsNone(TINY):
    def key(self, request: Request, caller: Caller) -> str:
        params = {name: value for name, value in request.params.items() if name != "cursor" or value}
        return super().key(Request(method=request.method, params=params), caller)  # type: ignore[no-any-return]


class AcrossInstances(TINY):
    """Shares among callers without credential, which some reading permits, and with those that have one."""

    def key(self, request: Request, caller: Caller) -> str:
        return super().key(request, Caller())  # type: ignore[no-any-return]


class KeepsRetries(TINY):
    def put(self, request: Request, caller: Caller, result: Any) -> None:
        plain = {
            name: value for name, value in request.params.items() if name not in ("requestState", "inputResponses")
        }
        super().put(Request(method=request.method, params=plain), caller, result)


class KeepsInterim(TINY):
    def put(self, request: Request, caller: Caller, result: Any) -> None:
        super().put(request, caller, {"ttlMs": 50, **result, "resultType": "complete"})
        for key, (until, asked, _) in list(self.held.items()):
            if asked == request and result["resultType"] != "complete":
                self.held[key] = (until, asked, result)


class NegativeIsEndless(TINY):
    def put(self, request: Request, caller: Caller, result: Any) -> None:
        endless = {**result, "ttlMs": 2**40} if result.get("ttlMs") == -1 else result
        super().put(request, caller, endless)
        for key, (until, asked, held) in list(self.held.items()):
            if held is endless:
                self.held[key] = (until, asked, result)


class ReadsStrings(TINY):
    def put(self, request: Request, caller: Caller, result: Any) -> None:
        super().put(request, caller, result)
        if result.get("ttlMs") == "10" and result["resultType"] == "complete":
            self.held[self.key(request, caller)] = (self.now + 10, request, result)


class UnknownIsPublic(TINY):
    def key(self, request: Request, caller: Caller) -> str:
        return super().key(request, Caller())  # type: ignore[no-any-return]

    def get(self, request: Request, caller: Caller) -> Any:
        until, (_, owner), result = self.held.get(self.key(request, caller), (0, (None, None), MISS))
        mine = result is MISS or owner == caller or result.get("cacheScope") not in ("private", None)
        return result if self.is_fresh(until) and mine else MISS

    def put(self, request: Request, caller: Caller, result: Any) -> None:
        super().put(request, caller, result)
        key = self.key(request, caller)
        if key in self.held and self.held[key][2] is result:
            self.held[key] = (self.held[key][0], (request, caller), result)

    def notify(self, notification: Any) -> None:
        self.held = {}


class Deaf(TINY):
    def notify(self, notification: Any) -> None:
        pass


class ForgetsTemplates(TINY):
    def notify(self, notification: Any) -> None:
        kept = {key: entry for key, entry in self.held.items() if entry[1].method == "resources/templates/list"}
        super().notify(notification)
        self.held.update(kept)


class AnyUpdate(TINY):
    """Takes an update of one resource for an update of the list, and not of the resource."""

    def notify(self, notification: Any) -> None:
        if notification["method"] != "notifications/resources/updated":
            super().notify(notification)


class Forgetful(TINY):
    def get(self, request: Request, caller: Caller) -> Any:
        return MISS


class Inventive(TINY):
    def get(self, request: Request, caller: Caller) -> Any:
        result = super().get(request, caller)
        return result if result is MISS else {**result, "extra": True}


class FallbackLeaks(TINY):
    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, Any] = {}

    def put(self, request: Request, caller: Caller, result: Any) -> None:
        super().put(request, caller, result)
        if result["resultType"] == "complete" and not is_retry(request.params):
            self.last[str(request)] = result

    def fallback(self, request: Request, caller: Caller) -> Any:
        return self.last.get(str(request), MISS)


class KeepsRefusedPages(TINY):
    def refused(self, request: Request, caller: Caller) -> None:
        pass


ISOLATION = {"caching.scope.private-isolation"}
STALE = {
    "caching.freshness.refetch-when-stale",
    "caching.ttl.zero-stale",
    "caching.ttl.negative-as-zero",
    "caching.model.ttl-integer",
}


@pytest.mark.parametrize(
    ("make", "broken"),
    [
        (EXAMPLE["LeakyCache"], ISOLATION),
        (EXAMPLE["LateCache"], STALE),
        (Timeless, STALE),
        (AcrossMethods, {"caching.key.no-cross-method"}),
        (AcrossCursors, {"caching.key.no-cross-params"}),
        (EmptyCursorIsNone, {"caching.key.no-cross-params"}),
        (AcrossInstances, ISOLATION),
        (KeepsRetries, {"caching.key.retry-not-cached"}),
        (KeepsInterim, {"caching.interim.not-cacheable"}),
        (NegativeIsEndless, {"caching.ttl.negative-as-zero"}),
        (ReadsStrings, {"caching.model.ttl-integer"}),
        (UnknownIsPublic, ISOLATION),
        (Deaf, {"caching.freshness.refetch-when-stale"}),
        (ForgetsTemplates, {"caching.freshness.refetch-when-stale"}),
        (AnyUpdate, {"caching.freshness.refetch-when-stale"}),
        (Forgetful, {"caching.ttl.positive-fresh"}),
        (FallbackLeaks, ISOLATION),
        (KeepsRefusedPages, {"caching.page.invalid-cursor-discard"}),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_the_machine_finds_the_fault_and_names_it(make: type[Any], broken: set[str]) -> None:
    fault = fault_of(make, examples=1000, shrink=False)
    assert fault is not None
    assert fault.requirement in broken
    assert fault.requirement in str(fault)


def test_the_example_finds_a_shortest_run() -> None:
    fault = fault_of(EXAMPLE["LateCache"])
    assert fault is not None
    assert fault.requirement == "caching.ttl.zero-stale"


def test_the_sound_cache_passes() -> None:
    assert fault_of(TINY) is None


EFFORT = settings(
    max_examples=150,
    phases=(Phase.generate,),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


class DropsReads(TINY):
    def notify(self, notification: Any) -> None:
        super().notify(notification)
        if notification["method"] == "notifications/resources/list_changed":
            self.held = {key: entry for key, entry in self.held.items() if entry[1].method != "resources/read"}


class SharesPublic(TINY):
    def key(self, request: Request, caller: Caller) -> str:
        return super().key(request, Caller())  # type: ignore[no-any-return]

    def get(self, request: Request, caller: Caller) -> Any:
        result = super().get(request, caller)
        shared = result is MISS or result["cacheScope"] == "public"
        return result if shared else MISS

    def put(self, request: Request, caller: Caller, result: Any) -> None:
        if result.get("cacheScope") == "public":
            super().put(request, caller, result)


class KeepsForErrors(TINY):
    def fallback(self, request: Request, caller: Caller) -> Any:
        _, _, result = self.held.get(self.key(request, caller), (0, None, MISS))
        return result


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (DropsReads, {}),
        (KeepsForErrors, {}),
        (SharesPublic, {"expect_hits": False}),
        (Forgetful, {"expect_hits": False}),
        (LateCache, {"advice": False}),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_what_some_reading_permits_passes(make: Callable[[], CacheUnderTest], options: dict[str, bool]) -> None:
    try:
        run_state_machine_as_test(cache_machine(make, **options), settings=EFFORT)
    except CacheFault as fault:
        # A ttlMs that is no integer has no lifetime, by a MUST on the server, so this cache fails only there.
        assert make is LateCache
        assert fault.requirement == "caching.model.ttl-integer"


def test_a_profile_narrows_what_passes() -> None:
    from spec_model.requirements.choice import Profile

    sharing = Profile.parse({"caching.share-public": "across-contexts"})
    with pytest.raises(CacheFault, match=r"caching\.ttl\.positive-fresh|does not serve"):
        run_state_machine_as_test(cache_machine(TINY, profile=sharing, expect_hits=True), settings=EFFORT)


def test_a_result_that_was_never_put_is_told() -> None:
    with pytest.raises(AssertionError, match="was not given"):
        run_state_machine_as_test(cache_machine(Inventive), settings=EFFORT)


def test_the_strategies_are_not_loaded_with_the_package() -> None:
    import subprocess
    import sys

    code = "import spec_model, sys; sys.exit('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
