"""The strategies give what they say, and the state machine finds each fault and lets each sound cache pass."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from spec_model.requirements.choices import SharePublic
from spec_model.semantics.caching import Caller, Request, is_retry
from spec_model.semantics.pagination import PAGINATED, judge_request
from spec_model.strategies.caching import (
    LENIENT,
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
TINY: Any = EXAMPLE["TinyCache"]
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


# --- faults ---------------------------------------------------------------------------------------------------------


def _cache(**methods: Any) -> type[Any]:
    """The sound cache with other methods."""
    return type("Cache", (TINY,), methods)


def _late(self: Any, until: int) -> bool:
    late: bool = self.now <= until
    return late


def _timeless(self: Any, until: int) -> bool:
    return until > 0


def _for_anyone(self: Any, request: Request, caller: Caller) -> str:
    key: str = TINY.key(self, request, Caller())
    return key


def _across_methods(self: Any, request: Request, caller: Caller) -> str:
    key: str = TINY.key(self, Request(method="tools/list", params=request.params), caller)
    return key


def _across_cursors(self: Any, request: Request, caller: Caller) -> str:
    params = {name: value for name, value in request.params.items() if name != "cursor"}
    key: str = TINY.key(self, Request(method=request.method, params=params), caller)
    return key


def _empty_cursor_is_none(self: Any, request: Request, caller: Caller) -> str:
    params = {name: value for name, value in request.params.items() if name != "cursor" or value}
    key: str = TINY.key(self, Request(method=request.method, params=params), caller)
    return key


def _across_resources(self: Any, request: Request, caller: Caller) -> str:
    params = {**request.params, "uri": ""}
    key: str = TINY.key(self, Request(method=request.method, params=params), caller)
    return key


def _keep(self: Any, request: Request, caller: Caller, result: Any, lifetime: int) -> None:
    self.held[self.key(request, caller)] = (self.now + lifetime, request, result)


def _keeps_retries(self: Any, request: Request, caller: Caller, result: Any) -> None:
    params = {name: value for name, value in request.params.items() if name not in ("requestState", "inputResponses")}
    TINY.put(self, Request(method=request.method, params=params), caller, result)


def _keeps_interim(self: Any, request: Request, caller: Caller, result: Any) -> None:
    TINY.put(self, request, caller, result)
    if result["resultType"] != "complete":
        _keep(self, request, caller, result, 50)


def _keeps_where(ttl: Any) -> Any:
    """Takes this one value of ttlMs for a long lifetime."""

    def put(self: Any, request: Request, caller: Caller, result: Any) -> None:
        TINY.put(self, request, caller, result)
        plain = result["resultType"] == "complete" and not is_retry(request.params)
        if plain and type(result.get("ttlMs")) is type(ttl) and result["ttlMs"] == ttl:
            _keep(self, request, caller, result, 1000)

    return put


def _unknown_is_public(self: Any, request: Request, caller: Caller) -> Any:
    for (owner, method, params), entry in [(json.loads(key), entry) for key, entry in self.held.items()]:
        mine = json.loads(TINY.key(self, request, caller)) == [owner, method, params]
        same = [method, params] == [request.method, request.params]
        if same and (mine or entry[2].get("cacheScope") == "tenant") and self.is_fresh(entry[0]):
            return entry[2]
    return MISS


def _deaf(self: Any, notification: Any) -> None:
    pass


def _deaf_to(*methods: str) -> Any:
    def notify(self: Any, notification: Any) -> None:
        kept = {key: entry for key, entry in self.held.items() if entry[1].method in methods}
        TINY.notify(self, notification)
        self.held.update(kept)

    return notify


def _miss(self: Any, request: Request, caller: Caller) -> Any:
    return MISS


def _inventive(self: Any, request: Request, caller: Caller) -> Any:
    result = TINY.get(self, request, caller)
    return result if result is MISS else {**result, "extra": True}


def _fallback(self: Any, request: Request, caller: Caller) -> Any:
    return self.held.get(self.key(request, caller), (0, None, MISS))[2]


def _leaky_fallback(self: Any, request: Request, caller: Caller) -> Any:
    return next((entry[2] for entry in self.held.values() if entry[1] == request), MISS)


def _refused(self: Any, request: Request, caller: Caller) -> None:
    pass


ISOLATION = {"caching.scope.private-isolation"}
STALE = {
    "caching.freshness.refetch-when-stale",
    "caching.ttl.zero-stale",
    "caching.ttl.negative-as-zero",
    "caching.ttl.absent-as-zero",
}
INVALIDATED = {"caching.freshness.refetch-when-stale"}
PARAMS = {"caching.key.no-cross-params"}

FAULTS: dict[str, tuple[type[Any], set[str]]] = {
    "leaky": (EXAMPLE["LeakyCache"], ISOLATION),
    "late": (EXAMPLE["LateCache"], STALE),
    "timeless": (_cache(is_fresh=_timeless), STALE),
    "across-methods": (_cache(key=_across_methods), {"caching.key.no-cross-method"}),
    "across-cursors": (_cache(key=_across_cursors), PARAMS),
    "across-resources": (_cache(key=_across_resources), PARAMS),
    "empty-cursor-is-none": (_cache(key=_empty_cursor_is_none), PARAMS),
    "keeps-retries": (_cache(put=_keeps_retries), {"caching.key.retry-not-cached", "caching.ttl.positive-fresh"}),
    "keeps-interim": (_cache(put=_keeps_interim), {"caching.interim.not-cacheable"}),
    "zero-is-endless": (_cache(put=_keeps_where(0)), {"caching.ttl.zero-stale"}),
    "negative-is-endless": (_cache(put=_keeps_where(-1)), {"caching.ttl.negative-as-zero"}),
    "reads-strings": (_cache(put=_keeps_where("10")), {"caching.ttl.absent-as-zero"}),
    "unknown-is-public": (_cache(get=_unknown_is_public), ISOLATION),
    "deaf": (_cache(notify=_deaf), INVALIDATED),
    "forgets-resources": (_cache(notify=_deaf_to("resources/list")), INVALIDATED),
    "deaf-to-updates": (_cache(notify=_deaf_to("resources/read")), INVALIDATED),
    "never-hits": (_cache(get=_miss), {"caching.ttl.positive-fresh"}),
    "leaky-fallback": (_cache(fallback=_leaky_fallback), ISOLATION),
    "keeps-refused-pages": (_cache(refused=_refused), {"caching.page.invalid-cursor-discard"}),
}


# --- the machine ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTS)
def test_the_machine_finds_the_fault_and_names_it(name: str) -> None:
    make, broken = FAULTS[name]
    fault = fault_of(make, examples=3000, shrink=False)
    assert fault is not None
    assert fault.requirement in broken
    assert fault.requirement in str(fault)
    assert fault.because[0] == fault.requirement


def test_the_example_finds_a_shortest_run() -> None:
    fault = fault_of(EXAMPLE["LateCache"])
    assert fault is not None
    assert fault.requirement == "caching.ttl.zero-stale"
    assert "At 0 ms" in str(fault)


def test_the_sound_cache_passes() -> None:
    assert fault_of(TINY) is None


def _check(make: Callable[[], CacheUnderTest], **options: Any) -> None:
    effort = settings(max_examples=150, phases=(Phase.generate,), report_multiple_bugs=False)
    run_state_machine_as_test(cache_machine(make, **options), settings=effort)


def _drops_reads(self: Any, notification: Any) -> None:
    TINY.notify(self, notification)
    if notification["method"] == "notifications/resources/list_changed":
        self.held = {key: entry for key, entry in self.held.items() if entry[1].method != "resources/read"}


def _only_public(self: Any, request: Request, caller: Caller, result: Any) -> None:
    if result.get("cacheScope") == "public":
        TINY.put(self, request, caller, result)


SHARES_PUBLIC = _cache(key=_for_anyone, put=_only_public)


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (_cache(notify=_drops_reads), {}),
        (_cache(notify=_deaf_to("resources/templates/list")), {}),
        (_cache(fallback=_fallback), {}),
        (SHARES_PUBLIC, {"expect_hits": False}),
        (_cache(get=_miss), {"expect_hits": False}),
        (_cache(notify=_deaf), {"advice": False}),
    ],
    ids=["drops-reads", "keeps-templates", "falls-back", "shares-public", "never-hits", "deaf"],
)
def test_what_some_reading_permits_or_the_user_excuses_passes(make: type[Any], options: dict[str, bool]) -> None:
    _check(make, **options)


def test_a_profile_narrows_what_passes() -> None:
    within = LENIENT.varied(SharePublic.WITHIN_CONTEXT)
    with pytest.raises(CacheFault, match=r"caching\.scope\.public-client"):
        _check(SHARES_PUBLIC, profile=within, expect_hits=False)


def test_a_result_that_was_never_put_is_told() -> None:
    with pytest.raises(AssertionError, match="was not given"):
        _check(_cache(get=_inventive))


def test_the_strategies_are_not_loaded_with_the_package() -> None:
    code = "import spec_model, sys; sys.exit('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
