"""The client cache: what each step answers, its bounds, and the laws that hold over all sequences of steps."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from spec_model.peers.cache import ClientCache, Delivered, Failed, Fetch, Hit, Refused, Restart
from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import EarlyRefetch
from spec_model.semantics.cached_pages import Recovery
from spec_model.semantics.caching import Asked, Authorization, CacheableMethod, Caller, Request, Store, UseOnce
from spec_model.strategies.caching import (
    CAPABILITIES,
    LENIENT,
    MISS,
    STRICT,
    Miss,
    cache_machine,
    cacheable_requests,
    callers,
    change_notifications,
    retry_requests,
)
from spec_model.wire.values import Json, JsonObject

A = Caller(authorization=Authorization(token="a", principal="alice"))
B = Caller(authorization=Authorization(token="b", principal="bob"))
READ: CacheableMethod = "resources/read"
URI: JsonObject = {"uri": "file:///a"}
TOOLS_CHANGED: JsonObject = {"method": "notifications/tools/list_changed"}


def _result(name: str = "r", *, ttl: Json = 100, scope: Json = "private", **more: Json) -> JsonObject:
    return {"resultType": "complete", "contents": [name], "ttlMs": ttl, "cacheScope": scope, **more}


def _cache(**assignment: str) -> ClientCache:
    profile = Profile.parse({f"caching.{name.replace('_', '-')}": value for name, value in assignment.items()})
    return ClientCache(profile, capabilities=CAPABILITIES, subscriptions=["s1"])


def _fetch(
    cache: ClientCache, now: int = 0, method: CacheableMethod = READ, params: JsonObject = URI, caller: Caller = A
) -> Fetch:
    step = cache.request(method, params, caller, now)
    assert isinstance(step, Fetch), step
    return step


def _filled(cache: ClientCache, result: JsonObject, **request: Any) -> ClientCache:
    step = cache.response(_fetch(cache, **request), result, now=0)
    assert isinstance(step, Delivered), step
    return cache


def _hit(cache: ClientCache, now: int = 0, caller: Caller = A) -> bool:
    step = cache.request(READ, URI, caller, now)
    if isinstance(step, Fetch):
        cache.cancelled(step)
    return isinstance(step, Hit)


def test_a_fetched_result_answers_until_its_lifetime_ends() -> None:
    cache = _cache()
    fetch = _fetch(cache)
    assert (fetch.method, fetch.params) == (READ, URI)
    assert isinstance(cache.response(fetch, _result(), now=50), Delivered)
    step = cache.request(READ, URI, A, now=149)
    assert isinstance(step, Hit)
    assert step.result == _result()
    assert step.decision.because[0] == "caching.ttl.positive-fresh"
    assert _fetch(cache, now=150).decision.because[0] == "caching.freshness.refetch-when-stale"


def test_the_first_request_finds_nothing() -> None:
    assert _fetch(_cache()).decision.because == ("caching.key.method-and-params",)


def test_a_private_result_stays_with_its_token() -> None:
    cache = _filled(_cache(), _result())
    assert _hit(cache)
    assert _fetch(cache, caller=B).decision.because[0] == "caching.scope.private-isolation"


def test_a_public_result_is_shared_where_the_profile_says_so() -> None:
    assert not _hit(_filled(_cache(), _result(scope="public")), caller=B)
    assert _hit(_filled(_cache(share_public="across-contexts"), _result(scope="public")), caller=B)
    assert not _hit(_filled(_cache(share_public="across-contexts"), _result()), caller=B)


def test_each_context_keeps_its_own_private_result() -> None:
    cache = _filled(_filled(_cache(), _result("for a")), _result("for b"), caller=B)
    for caller, name in ((A, "for a"), (B, "for b")):
        step = cache.request(READ, URI, caller, 0)
        assert isinstance(step, Hit)
        assert step.result["contents"] == [name]


def test_an_interim_result_and_the_retry_leave_no_entry() -> None:
    cache = _cache()
    interim = cache.response(_fetch(cache), {"resultType": "input_required", "requestState": "s"}, now=0)
    assert isinstance(interim, Delivered)
    assert interim.decision.because == ("caching.interim.not-cacheable",)
    retry = _fetch(cache, params={**URI, "requestState": "s"})
    final = cache.response(retry, _result(), now=0)
    assert isinstance(final, Delivered)
    assert final.decision.outcome == UseOnce()
    assert final.decision.because == ("caching.key.retry-not-cached",)
    assert cache.entries == ()


def test_a_retry_is_not_answered_from_the_entry_of_the_plain_request() -> None:
    cache = _filled(_cache(), _result())
    assert _fetch(cache, params={**URI, "requestState": "s"}).decision.because == ("caching.key.method-and-params",)


def test_an_interim_result_leaves_the_stale_entry_for_errors() -> None:
    cache = _filled(_cache(stale_on_error="serve-stale"), _result())
    cache.response(_fetch(cache, now=100), {"resultType": "input_required", "requestState": "s"}, now=100)
    assert isinstance(cache.failure(_fetch(cache, now=101), None, 101), Hit)


def test_a_new_result_replaces_the_old_one_even_where_it_is_not_kept() -> None:
    cache = _filled(_cache(stale_on_error="serve-stale"), _result("old"))
    cache.response(_fetch(cache, now=100), _result("new", ttl=0), now=100)
    assert isinstance(cache.failure(_fetch(cache, now=101), None, 101), Failed)


def test_the_response_to_the_later_request_stays() -> None:
    cache = _cache()
    earlier, later = _fetch(cache), _fetch(cache)
    cache.response(later, _result("later"), now=1)
    assert isinstance(cache.response(earlier, _result("earlier"), now=2), Delivered)
    step = cache.request(READ, URI, A, 3)
    assert isinstance(step, Hit)
    assert step.result["contents"] == ["later"]


def test_a_result_may_be_refused_as_a_whole() -> None:
    cache = _cache(absent_ttl="invalid-result")
    step = cache.response(_fetch(cache), {"resultType": "complete", "contents": [], "cacheScope": "public"}, now=0)
    assert isinstance(step, Refused)
    assert cache.entries == ()


def test_a_lifetime_of_its_own() -> None:
    cache = ClientCache(Profile.parse({"caching.absent-ttl": "own-heuristic"}), own_lifetime_ms=60)
    _filled(cache, {"resultType": "complete", "contents": [], "cacheScope": "private"})
    assert _hit(cache, now=59)
    assert not _hit(cache, now=60)


def test_a_stale_result_is_served_on_error_where_the_profile_says_so() -> None:
    cache = _filled(_cache(), _result())
    failed = cache.failure(_fetch(cache, now=100), -32603, 101)
    assert isinstance(failed, Failed)
    assert failed.code == -32603
    cache = _filled(_cache(stale_on_error="serve-stale"), _result())
    step = cache.failure(_fetch(cache, now=100), None, 101)
    assert isinstance(step, Hit)
    assert step.decision.because[:2] == ("caching.freshness.refetch-when-stale", "caching.freshness.stale-on-error")


def test_no_failure_opens_the_entry_of_another_context() -> None:
    cache = _filled(_cache(stale_on_error="serve-stale", share_public="across-contexts"), _result())
    assert isinstance(cache.failure(_fetch(cache, caller=B), None, 1), Failed)


def test_a_result_with_no_lifetime_is_kept_for_errors_where_the_profile_says_so() -> None:
    both = _cache(stale_on_error="serve-stale", zero_lifetime_entries="kept-for-errors")
    assert isinstance(both.failure(_fetch(_filled(both, _result(ttl=0))), None, 1), Hit)
    one = _cache(stale_on_error="serve-stale")
    assert isinstance(one.failure(_fetch(_filled(one, _result(ttl=0))), None, 1), Failed)


def _changed(subscription: Json = "s1") -> JsonObject:
    return {**TOOLS_CHANGED, "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": subscription}}}


def test_a_notification_makes_every_page_of_its_list_stale() -> None:
    cache = _filled(_cache(), _result(), method="tools/list", params={})
    _filled(cache, _result(), method="tools/list", params={"cursor": "c1"})
    _filled(cache, _result())
    stale = cache.notified(_changed())
    assert [(one.method, one.params) for one in stale.outcome] == [("tools/list", {}), ("tools/list", {"cursor": "c1"})]
    assert _fetch(cache, method="tools/list", params={}).decision.because[1] == "caching.notify.invalidates"
    assert _hit(cache)


def test_a_notification_reaches_what_is_in_flight() -> None:
    for reading, expected in (("stale", Fetch), ("fresh", Hit)):
        cache = _cache(in_flight_at_invalidation=reading)
        fetch = _fetch(cache, method="tools/list", params={})
        cache.notified(_changed())
        assert isinstance(cache.response(fetch, _result(), now=5), Delivered)
        assert isinstance(cache.request("tools/list", {}, A, 6), expected)


def test_a_notification_before_the_request_does_not_count() -> None:
    cache = _cache()
    cache.notified(_changed())
    _filled(cache, _result(), method="tools/list", params={})
    assert isinstance(cache.request("tools/list", {}, A, 1), Hit)


def test_a_server_that_advertises_nothing_is_judged_by_lifetime_alone() -> None:
    cache = _filled(ClientCache(), _result(), method="tools/list", params={})
    assert cache.notified(_changed()).because == ("caching.notify.ttl-alone-client",)
    step = cache.request("tools/list", {}, A, 1)
    assert isinstance(step, Hit)
    assert "caching.notify.ttl-alone-client" in step.decision.because


def test_a_failed_tool_call_is_grounds_to_fetch_early_where_the_profile_says_so() -> None:
    for reading, expected in (("never", Hit), ("on-grounds", Fetch)):
        cache = _filled(_cache(early_refetch=reading), _result(), method="tools/list", params={})
        _filled(cache, _result())
        cache.tool_failed(-32602)
        assert isinstance(cache.request("tools/list", {}, A, 1), expected)
        assert _hit(cache)


def test_a_refused_cursor_drops_every_page_of_the_list_and_nothing_else() -> None:
    cache = _cache()
    for params in ({}, {"cursor": "c1"}, {"cursor": "c2"}):
        _filled(cache, _result(ttl=10), method="tools/list", params=dict(params))
    _filled(cache, _result(), method="tools/list", params={"cursor": "c1"}, caller=B)
    _filled(cache, _result(), method="prompts/list", params={})
    _filled(cache, _result())
    step = cache.failure(_fetch(cache, now=10, method="tools/list", params={"cursor": "c1"}), -32602, 10)
    assert isinstance(step, Restart)
    assert step.decision.outcome is Recovery.RESTART
    assert (step.fetch.method, step.fetch.params, step.fetch.asked.caller) == ("tools/list", {}, A)
    left = [(one.method, one.params, one.caller) for one in cache.entries]
    assert left == [("tools/list", {"cursor": "c1"}, B), ("prompts/list", {}, A), (READ, URI, A)]
    assert isinstance(cache.response(step.fetch, _result(), 11), Delivered)


@pytest.mark.parametrize("params", [{"cursor": ""}, {"cursor": "c1", "_meta": {"progressToken": 1}}])
def test_a_restart_keeps_all_params_but_the_cursor(params: JsonObject) -> None:
    cache = _cache()
    step = cache.failure(_fetch(cache, method="tools/list", params=params), -32602, 0)
    assert isinstance(step, Restart)
    assert step.fetch.params == {name: value for name, value in params.items() if name != "cursor"}


def test_a_page_request_without_response_keeps_the_pages() -> None:
    cache = _filled(_cache(), _result(ttl=10), method="tools/list", params={"cursor": "c1"})
    step = cache.failure(_fetch(cache, now=10, method="tools/list", params={"cursor": "c1"}), None, 10)
    assert isinstance(step, Failed)
    assert len(cache.entries) == 1


def test_what_is_not_awaited_is_forgotten() -> None:
    cache = ClientCache(max_in_flight=1)
    first, second = _fetch(cache), _fetch(cache)
    assert cache.in_flight == 1
    forgotten = cache.response(first, _result(), now=0)
    assert isinstance(forgotten, Delivered)
    assert forgotten.decision.outcome == UseOnce()
    kept = cache.response(second, _result(), now=0)
    assert isinstance(kept, Delivered)
    assert isinstance(kept.decision.outcome, Store)


def test_the_entry_received_first_goes_first() -> None:
    cache = ClientCache(max_entries=2)
    for uri in ("file:///a", "file:///b", "file:///c"):
        _filled(cache, _result(), params={"uri": uri})
    assert [entry.params["uri"] for entry in cache.entries] == ["file:///b", "file:///c"]


def test_clearing_forgets_one_caller_or_all() -> None:
    cache = _filled(_filled(_cache(), _result()), _result(), caller=B)
    waiting = _fetch(cache, params={"uri": "file:///b"})
    cache.clear(A)
    assert [entry.caller for entry in cache.entries] == [B]
    assert isinstance(cache.response(waiting, _result(), 1), Delivered)
    assert [entry.caller for entry in cache.entries] == [B]
    cache.clear()
    assert cache.entries == ()


EFFORT = settings(max_examples=60, stateful_step_count=30)


# --- laws -----------------------------------------------------------------------------------------------------------

_responses = st.builds(
    _result,
    ttl=st.sampled_from((0, 1, 10, -1, None, "10")),
    scope=st.sampled_from(("public", "private", "tenant")),
    resultType=st.sampled_from(("complete", "complete", "input_required")),
)
_profiles = st.sampled_from((Profile(), LENIENT, STRICT, LENIENT.varied(EarlyRefetch.ON_GROUNDS)))


class _Use(RuleBasedStateMachine):
    """Uses a small cache in every order; what is awaited was asked for, and nothing else is ever sent."""

    @initialize(profile=_profiles)
    def start(self, profile: Profile) -> None:
        self.cache = ClientCache(
            profile, capabilities=CAPABILITIES, subscriptions=["s1"], max_entries=4, max_in_flight=3
        )
        self.waiting: list[Fetch] = []
        self.now = 0

    @rule(asked=cacheable_requests() | retry_requests(), caller=callers())
    def request(self, asked: Request, caller: Caller) -> None:
        step = self.cache.request(asked.method, asked.params, caller, self.now)
        if isinstance(step, Fetch):
            assert (step.method, step.params, step.asked.caller) == (asked.method, asked.params, caller)
            self.waiting.append(step)

    @precondition(lambda self: self.waiting)
    @rule(result=_responses, at=st.integers(0))
    def response(self, result: JsonObject, at: int) -> None:
        step = self.cache.response(self._taken(at), result, self.now)
        assert isinstance(step, Refused) or step.result is result

    @precondition(lambda self: self.waiting)
    @rule(code=st.sampled_from((None, -32602, -32603)), at=st.integers(0))
    def failure(self, code: int | None, at: int) -> None:
        fetch = self._taken(at)
        step = self.cache.failure(fetch, code, self.now)
        if isinstance(step, Restart):
            assert code is not None
            assert "cursor" in fetch.params
            assert "cursor" not in step.fetch.params
            self.waiting.append(step.fetch)

    @precondition(lambda self: self.waiting)
    @rule(at=st.integers(0))
    def cancel(self, at: int) -> None:
        self.cache.cancelled(self._taken(at))

    @rule(notification=change_notifications())
    def notify(self, notification: JsonObject) -> None:
        held = {str(one.params) for one in self.cache.entries} | {str(one.params) for one in self.waiting}
        assert {str(one.params) for one in self.cache.notified(notification).outcome} <= held

    @rule(ms=st.integers(1, 10))
    def wait(self, ms: int) -> None:
        self.now += ms

    @rule(code=st.sampled_from((-32601, -32602, -32603)))
    def tool_failed(self, code: int) -> None:
        self.cache.tool_failed(code)

    @invariant()
    def the_state_is_bounded(self) -> None:
        assert self.cache.in_flight <= min(3, len(self.waiting))
        assert len(self.cache.entries) <= 4

    def _taken(self, at: int) -> Fetch:
        return self.waiting.pop(at % len(self.waiting))


def test_nothing_is_sent_unasked_and_the_state_is_bounded() -> None:
    run_state_machine_as_test(_Use, settings=EFFORT)


class _Adapter:
    """The client cache behind the interface of the state machine for caches under test."""

    def __init__(self, profile: Profile) -> None:
        self.cache = ClientCache(
            profile, capabilities=CAPABILITIES, subscriptions=["s1"], own_lifetime_ms=50, max_entries=1000
        )
        self.now = 0
        self.sent: list[Fetch] = []

    def get(self, request: Request, caller: Caller) -> Json | Miss:
        step = self.cache.request(request.method, request.params, caller, self.now)
        if isinstance(step, Hit):
            return step.result
        self.sent.append(step)
        return MISS

    def put(self, request: Request, caller: Caller, result: JsonObject) -> None:
        self.cache.response(self._taken(request, caller), result, self.now)

    def notify(self, notification: JsonObject) -> None:
        self.cache.notified(notification)

    def advance(self, ms: int) -> None:
        self.now += ms

    def fallback(self, request: Request, caller: Caller) -> Json | Miss:
        step = self.cache.failure(self._taken(request, caller), None, self.now)
        return step.result if isinstance(step, Hit) else MISS

    def refused(self, request: Request, caller: Caller) -> None:
        step = self.cache.failure(self._taken(request, caller), -32602, self.now)
        assert isinstance(step, Restart)
        self.cache.cancelled(step.fetch)

    def _taken(self, request: Request, caller: Caller) -> Fetch:
        """The first fetch for this request; those that came of asking again while it was on its way are given up."""
        wanted = Asked(method=request.method, params=request.params, caller=caller)
        same = [fetch for fetch in self.sent if fetch.asked == wanted]
        self.sent = [fetch for fetch in self.sent if fetch.asked != wanted]
        for fetch in same[1:]:
            self.cache.cancelled(fetch)
        if same:
            return same[0]
        step = self.cache.request(request.method, request.params, caller, self.now)
        assert isinstance(step, Fetch)
        return step


@pytest.mark.parametrize("profile", [Profile(), LENIENT, STRICT], ids=["default", "lenient", "strict"])
def test_the_cache_passes_the_machine_that_tests_caches(profile: Profile) -> None:
    run_state_machine_as_test(cache_machine(lambda: _Adapter(profile)), settings=EFFORT)


@pytest.mark.parametrize("profile", [Profile(), LENIENT, STRICT], ids=["default", "lenient", "strict"])
def test_the_cache_passes_the_machine_under_the_very_profile(profile: Profile) -> None:
    run_state_machine_as_test(cache_machine(lambda: _Adapter(profile), profile=profile), settings=EFFORT)
