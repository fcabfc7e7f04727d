"""Laws of the caching rules, the official schema as a second opinion, and outcomes read off the page by hand."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from spec_model.cases.caching import answers, failures, headers, hints, notified, pages, polling, scopes
from spec_model.cases.caching import lifetimes as lifetime_cases
from spec_model.cases.caching import storage as storage_cases
from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import (
    AbsentCacheScope,
    AbsentResultTypeOnModern,
    AbsentTtl,
    AuthorizationContextKey,
    EarlyRefetch,
    FailedEarlyRefetch,
    InFlightAtInvalidation,
    ListChangeVersusReads,
    ListChangeVersusTemplates,
    MetaInCacheKey,
    NonIntegerTtl,
    PageAggregate,
    PrivateWithoutCredentials,
    RefusedCursorErrors,
    SharePublic,
    StaleOnError,
    StaleToolListForHeaders,
    Storing,
    UnknownCacheScope,
    UnsolicitedListChanged,
    UpdateOfSubResource,
    ZeroLifetimeEntries,
)
from spec_model.semantics.cache_hints import (
    Fetch,
    Holds,
    judge_cache_hints,
    judge_hints,
    judge_pages,
    judge_polling,
    judge_scope,
)
from spec_model.semantics.cached_pages import Page, PerPage, ScopedPage, aggregate_pages, refresh_pages
from spec_model.semantics.caching import (
    Announced,
    Asked,
    Authorization,
    CacheableMethod,
    Caller,
    Fetched,
    For,
    Gives,
    Own,
    Refused,
    Request,
    Store,
    Stored,
    UseOnce,
    answer,
    invalidated,
    is_fresh,
    is_public,
    lifetime,
    may_be_served,
    same_context,
    same_request,
    storage,
)
from spec_model.semantics.decision import Conformance, Findings
from spec_model.semantics.functions import BadInput, function_of
from spec_model.strategies.caching import (
    CAPABILITIES,
    METHODS,
    BrokenResult,
    Response,
    broken_results,
    cacheable_requests,
    cacheable_results,
    callers,
    change_notifications,
    interim_results,
    retry_requests,
    ttls,
)
from spec_model.verdicts import MISS, Verdict
from spec_model.wire.values import ABSENT, SAFE_INTEGER, JsonObject

CHOICES = (
    AbsentCacheScope,
    AbsentResultTypeOnModern,
    AbsentTtl,
    AuthorizationContextKey,
    EarlyRefetch,
    FailedEarlyRefetch,
    InFlightAtInvalidation,
    ListChangeVersusReads,
    ListChangeVersusTemplates,
    MetaInCacheKey,
    NonIntegerTtl,
    PageAggregate,
    PrivateWithoutCredentials,
    RefusedCursorErrors,
    SharePublic,
    StaleOnError,
    StaleToolListForHeaders,
    Storing,
    UnknownCacheScope,
    UnsolicitedListChanged,
    UpdateOfSubResource,
    ZeroLifetimeEntries,
)

profiles = st.tuples(*map(st.sampled_from, CHOICES)).map(lambda values: Profile({type(one): one for one in values}))
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
FAR_BEYOND = 10**400
"""An integer beyond every double, which many readers of JSON take for infinity."""

odd_ttls = values | st.just(ABSENT) | ttls() | st.sampled_from((FAR_BEYOND, -FAR_BEYOND, float("inf"), float("-inf")))
times = st.integers(-(2**40), 2**40)
lengths = st.integers(0, 2**40)


# --- laws -----------------------------------------------------------------------------------------------------------


@given(profiles, odd_ttls)
def test_a_lifetime_is_never_negative_nor_endless(profile: Profile, ttl: Any) -> None:
    kept_for = lifetime(profile, ttl).outcome
    assert isinstance(kept_for, Own | Refused) or 0 <= kept_for.ms <= SAFE_INTEGER


@given(profiles, st.text() | st.booleans())
def test_no_lifetime_is_read_from_what_is_no_number(profile: Profile, ttl: Any) -> None:
    assert lifetime(profile, ttl).outcome in (For(0), Refused())


@given(profiles)
def test_null_is_refused_or_is_as_an_absent_ttl(profile: Profile) -> None:
    assert lifetime(profile, None).outcome in (Refused(), lifetime(profile, ABSENT).outcome)


@given(profiles, st.integers(SAFE_INTEGER, 2**70) | st.just(FAR_BEYOND))
def test_an_integer_of_any_size_is_a_lifetime(profile: Profile, ttl: int) -> None:
    assert lifetime(profile, ttl).outcome == For(SAFE_INTEGER)
    assert lifetime(profile, -ttl).outcome == For(0)
    assert lifetime(profile, ttl).because[0] == "caching.ttl.positive-fresh"


@given(profiles, ttls())
def test_every_valid_ttl_is_the_lifetime_under_every_profile(profile: Profile, ttl: float) -> None:
    assert lifetime(profile, ttl).outcome == For(int(ttl))


@given(times, lengths, times, st.integers(0, 2**40))
def test_what_is_stale_stays_stale(received_at: int, lifetime_ms: int, now: int, later: int) -> None:
    assume(not is_fresh(received_at, lifetime_ms, now).outcome)
    assert not is_fresh(received_at, lifetime_ms, now + later).outcome


@given(times, lengths, times, times)
def test_freshness_does_not_depend_on_where_a_clock_starts(
    received_at: int, lifetime_ms: int, now: int, shift: int
) -> None:
    shifted = is_fresh(received_at + shift, lifetime_ms, now + shift)
    assert is_fresh(received_at, lifetime_ms, now) == shifted


@given(times, times)
def test_zero_is_never_fresh(received_at: int, now: int) -> None:
    assert not is_fresh(received_at, 0, now).outcome


@given(times, lengths.filter(bool))
def test_a_lifetime_has_exactly_its_length(received_at: int, lifetime_ms: int) -> None:
    assert is_fresh(received_at, lifetime_ms, received_at).outcome
    assert is_fresh(received_at, lifetime_ms, received_at + lifetime_ms - 1).outcome
    assert not is_fresh(received_at, lifetime_ms, received_at + lifetime_ms).outcome


@given(profiles, cacheable_requests(), values, values)
def test_only_the_word_public_makes_an_entry_public(profile: Profile, request: Request, ttl: Any, scope: Any) -> None:
    result = {"resultType": "complete", "ttlMs": ttl, "cacheScope": scope}
    kept = storage(profile, request.method, request.params, result).outcome
    if isinstance(kept, Store) and kept.scope == "public":
        assert scope == "public"


@given(profiles, cacheable_results())
def test_a_sound_result_with_a_positive_lifetime_is_stored_under_every_profile(
    profile: Profile, response: Response
) -> None:
    ttl = response.result["ttlMs"]
    assert isinstance(ttl, int | float)
    assume(ttl > 0)
    kept = storage(profile, response.method, {}, response.result).outcome
    if profile[Storing] is Storing.KEEPS_NOTHING:
        assert kept == UseOnce()
    else:
        across = profile[SharePublic] is SharePublic.ACROSS_CONTEXTS
        assert kept == Store("public" if across and is_public(response.result) else "private")


@given(profiles, interim_results(), st.dictionaries(st.sampled_from(("ttlMs", "cacheScope")), values))
def test_an_interim_result_is_never_stored(profile: Profile, response: Response, hints_: JsonObject) -> None:
    kept = storage(profile, response.method, {"uri": "file:///a"}, {**response.result, **hints_})
    assert not isinstance(kept.outcome, Store)
    assert kept.because == ("caching.interim.not-cacheable",)


@given(profiles, retry_requests(), cacheable_results(methods=("resources/read",)))
def test_the_result_of_a_retry_is_never_stored(profile: Profile, request: Request, response: Response) -> None:
    kept = storage(profile, request.method, request.params, response.result)
    assert not isinstance(kept.outcome, Store)
    assert kept.because == ("caching.key.retry-not-cached",)


any_caller = callers() | st.builds(
    Caller,
    instance=st.sampled_from(("one", "two")),
    authorization=st.builds(
        Authorization,
        token=st.sampled_from(("a", "b", "c")),
        principal=st.sampled_from(("", "alice", "bob")),
        scopes=st.frozensets(st.sampled_from(("read", "write"))),
    ),
)


@given(profiles, any_caller)
def test_a_caller_is_in_its_own_context(profile: Profile, caller: Caller) -> None:
    assert same_context(profile, caller, caller).outcome


@given(profiles, any_caller, any_caller)
def test_contexts_are_shared_both_ways_or_not_at_all(profile: Profile, one: Caller, other: Caller) -> None:
    assert same_context(profile, one, other).outcome == same_context(profile, other, one).outcome


@given(profiles, any_caller, any_caller)
def test_a_private_entry_never_leaves_its_context(profile: Profile, one: Caller, other: Caller) -> None:
    if may_be_served(profile, "private", one, other).outcome:
        assert same_context(profile, one, other).outcome
        assert (one.authorization is None) == (other.authorization is None)
        if one.authorization is not None and other.authorization is not None:
            same_token = one.authorization.token == other.authorization.token
            assert same_token or one.authorization.principal == other.authorization.principal != ""
            assert same_token or one.authorization.scopes == other.authorization.scopes


@given(profiles, any_caller, any_caller)
def test_a_public_entry_reaches_at_least_whom_a_private_one_does(profile: Profile, one: Caller, other: Caller) -> None:
    private = may_be_served(profile, "private", one, other).outcome
    assert may_be_served(profile, "public", one, other).outcome >= private


stored_entries = st.builds(
    lambda request, caller, scope, ms, at: Stored(
        method=request.method, params=request.params, caller=caller, scope=scope, lifetime_ms=ms, received_at=at
    ),
    cacheable_requests() | retry_requests(),
    any_caller,
    st.sampled_from(("public", "private")),
    st.integers(0, 20),
    st.integers(0, 20),
)
asked_requests = st.builds(
    lambda request, caller: Asked(method=request.method, params=request.params, caller=caller),
    cacheable_requests() | retry_requests(),
    any_caller,
)


@given(
    profiles, stored_entries, asked_requests, st.integers(0, 40), st.sampled_from(Announced), st.sampled_from(Fetched)
)
def test_what_is_served_is_for_this_request_and_this_caller(
    profile: Profile, stored: Stored, asked: Asked, now: int, announced: Announced, fetch: Fetched
) -> None:
    given_ = answer(profile, stored, asked, now, announced=announced, fetch=fetch).outcome
    if given_.gives is Gives.CACHED:
        assert (stored.method, stored.params) == (asked.method, asked.params)
        assert may_be_served(profile, stored.scope, stored.caller, asked.caller).outcome
    if not given_.sends:
        assert given_.gives is Gives.CACHED
        assert now < stored.received_at + stored.lifetime_ms
        assert announced is not Announced.AFTER_RECEIPT
    if given_.sends and fetch is Fetched.RESULT:
        assert given_.gives is Gives.FETCHED


@given(profiles, cacheable_requests(), cacheable_requests())
def test_the_key_is_symmetric_and_reflexive(profile: Profile, one: Request, other: Request) -> None:
    assert same_request(profile, one, one).outcome
    assert same_request(profile, one, other).outcome == same_request(profile, other, one).outcome


@given(st.sampled_from(MetaInCacheKey), values, values)
def test_the_protocol_version_is_part_of_every_key(reading: MetaInCacheKey, one: Any, other: Any) -> None:
    version = "io.modelcontextprotocol/protocolVersion"
    requests = [Request(method="tools/list", params={"_meta": {version: value}}) for value in (one, other)]
    if json.dumps(one) != json.dumps(other):
        assume(one != other)
        assert not same_request(Profile({MetaInCacheKey: reading}), *requests).outcome


@given(profiles, change_notifications(), st.lists(cacheable_requests(), max_size=6))
def test_a_notification_names_positions_of_entries_that_it_can_concern(
    profile: Profile, notification: JsonObject, entries: list[Request]
) -> None:
    stale = invalidated(profile, notification, entries, CAPABILITIES, ["s1"]).outcome
    assert stale == sorted(set(stale))
    kind = str(notification["method"]).split("/")[1]
    assert all(entries[position].method.startswith(kind) for position in stale)


@given(profiles, values, st.lists(cacheable_requests(), max_size=3), values, st.lists(values, max_size=2))
def test_no_notification_makes_the_rule_raise(
    profile: Profile, method: Any, entries: list[Request], params: Any, subscriptions: list[Any]
) -> None:
    notification = {"method": method, "params": params}
    assert invalidated(profile, notification, entries, {"tools": params}, subscriptions).outcome == []


@given(st.lists(st.builds(Page, received_at=times, lifetime_ms=lengths), min_size=1), times)
def test_exactly_the_expired_pages_are_fetched_again(pages_: list[Page], now: int) -> None:
    expired = [page for page in pages_ if now >= page.received_at + page.lifetime_ms or not page.lifetime_ms]
    assert len(refresh_pages(pages_, now).outcome) == len(expired)


@given(
    st.lists(
        st.builds(
            ScopedPage,
            received_at=times,
            lifetime_ms=lengths.filter(bool),
            scope=st.sampled_from(("public", "private")),
        ),
        min_size=1,
    ),
    times,
)
def test_a_whole_list_is_neither_fresher_nor_wider_than_a_page(pages_: list[ScopedPage], now: int) -> None:
    whole = aggregate_pages(Profile(), pages_).outcome
    assert not isinstance(whole, PerPage)
    assert (now < whole.fresh_until) == all(
        is_fresh(page.received_at, page.lifetime_ms, now).outcome for page in pages_
    )
    assert (whole.scope == "public") == all(page.scope == "public" for page in pages_)


@given(cacheable_results())
def test_sound_results_conform(response: Response) -> None:
    assert judge_hints(*response).outcome is Conformance.CONFORMS


@given(interim_results())
def test_interim_results_without_hints_conform(response: Response) -> None:
    assert judge_hints(*response).outcome is Conformance.CONFORMS


@given(broken_results())
def test_broken_results_break_what_they_say_and_nothing_else(broken: BrokenResult) -> None:
    decision = judge_hints(broken.method, broken.result)
    assert (decision.outcome, decision.because) == (Conformance.BREAKS, (broken.requirement,))


@given(st.lists(cacheable_results(methods=("tools/list",)), min_size=1, max_size=5))
def test_pages_conform_exactly_where_they_have_one_scope(responses: list[Response]) -> None:
    results = [response.result for response in responses]
    one_scope = len({str(result["cacheScope"]) for result in results}) == 1
    assert (judge_pages("tools/list", results).outcome is Conformance.CONFORMS) == one_scope


@given(values, st.text())
def test_judging_never_raises_and_leaves_other_methods_alone(result: Any, method: str) -> None:
    found = Findings()
    judge_cache_hints(found, result, "", method)
    assume(method not in METHODS)
    assert not found.faults and not found.held


# --- a second opinion -----------------------------------------------------------------------------------------------

RESULT_TYPES = {
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "prompts/list": "ListPromptsResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
}


def _validators(shared: Path) -> dict[str, Draft202012Validator]:
    schema = json.loads((shared / "spec" / "schema" / "2026-07-28.json").read_text())
    return {
        method: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
        for method, name in RESULT_TYPES.items()
    }


def test_the_official_schema_agrees_on_every_complete_result(shared: Path) -> None:
    validators = _validators(shared)

    @given(cacheable_results() | broken_results())
    def agree(response: Response | BrokenResult) -> None:
        assume(response.result["resultType"] == "complete")
        conforms = judge_hints(response.method, response.result).outcome is Conformance.CONFORMS
        assert validators[response.method].is_valid(response.result) == conforms

    agree()


def test_the_official_schema_agrees_on_every_case_of_a_complete_result(shared: Path) -> None:
    validators = _validators(shared)
    for case in hints.cases:
        result = case.input["result"]
        if result.get("resultType") == "complete":
            valid = validators[case.input["method"]].is_valid(result)
            assert valid != case.refuses, case.id


def test_the_official_examples_carry_sound_hints(shared: Path) -> None:
    for method, name in RESULT_TYPES.items():
        files = list((shared / "spec" / "examples" / name).glob("*.json"))
        assert files, name
        for file in files:
            assert judge_hints(method, json.loads(file.read_text())).outcome is Conformance.CONFORMS, file.name  # type: ignore[arg-type]


# --- read off the page ----------------------------------------------------------------------------------------------


def _outputs(table: Any) -> dict[str, Any]:
    return {case.id.removeprefix(f"{table.prefix}/"): case.output for case in table.cases}


CACHED = {"sends": False, "gives": "cached"}
FETCHED = {"sends": True, "gives": "fetched"}
FAILED = {"sends": True, "gives": "error"}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            lifetime_cases,
            {
                "positive": {"lifetime": "ms", "ms": 300_000},
                "zero": {"lifetime": "ms", "ms": 0},
                "negative": {"lifetime": "ms", "ms": 0},
                "absent": {"lifetime": "ms", "ms": 0},
                "null": {"lifetime": "ms", "ms": 0},
                "true": {"lifetime": "ms", "ms": 0},
                "string": {"lifetime": "ms", "ms": 0},
                "integral-float": {"lifetime": "ms", "ms": 1},
                "beyond-2-53": {"lifetime": "ms", "ms": SAFE_INTEGER},
                "beyond-int64": {"lifetime": "ms", "ms": SAFE_INTEGER},
            },
        ),
        (
            storage_cases,
            {
                "private": {"keep": "store", "scope": "private"},
                "scope-unknown": {"keep": "store", "scope": "private"},
                "other-result-type": {"keep": "refuse"},
                "result-type-null": {"keep": "refuse"},
                "without-result-type": {"keep": "store", "scope": "private"},
                "extension-type": {"keep": "use-once"},
                "interim": {"keep": "use-once"},
                "retry-state": {"keep": "use-once"},
                "retry-empty-responses": {"keep": "use-once"},
                "list-without-hints": {"keep": "use-once"},
            },
        ),
        (
            answers,
            {
                "fresh": CACHED,
                "last-millisecond": CACHED,
                "expired": FETCHED,
                "zero-lifetime": FETCHED,
                "failed/stale-nothing": FAILED,
                "failed/other-token-nothing": FAILED,
                "failed/fresh": CACHED,
                "key/empty-cursor": FETCHED,
                "key/other-method": FETCHED,
                "key/meta-progress": CACHED,
                "key/meta-version": FETCHED,
                "key/retry": FETCHED,
                "context/other-token": FETCHED,
                "context/same-token": CACHED,
                "context/none-then-token": FETCHED,
                "context/gateway-private": FETCHED,
                "announced/after-receipt": FETCHED,
                "listening/advertised-fresh": CACHED,
                "listening/advertised-expired": FETCHED,
                "listening/not-advertised-fresh": CACHED,
                "doubt/internal-error": CACHED,
            },
        ),
        (
            notified,
            {
                "tools": [1, 2],
                "prompts": [3],
                "resources": [4, 5],
                "updated": [6],
                "updated-other": [],
                "updated-prefix": [],
                "unadvertised/false": [],
                "subscription/none": [1, 2],
            },
        ),
        (headers, {"fresh": "use-held", "expired": "use-held", "none": "fetch-first"}),
        (
            pages,
            {
                "all-fresh": [],
                "second-expired": [{"cursor": "c1"}],
                "first-expired": [{}],
                "snapshot-fresh": [{}],
                "empty-cursor": [{"cursor": ""}],
            },
        ),
        (
            failures,
            {
                "invalid-params": "discard-and-restart",
                "no-response": "raise-error",
                "first-page": "raise-error",
                "never-valid": "raise-error",
            },
        ),
        (
            scopes,
            {
                "tools-list/varying-public": "misses-advice",
                "tools-list/user-data-public": "breaks",
                "tools-list/common-public": "conforms",
                "resources-read/varying-private": "conforms",
                "discover/varying-public": "conforms",
            },
        ),
        (
            polling,
            {
                "one-timer": "conforms",
                "jittered": "conforms",
                "by-lifetime": "misses-advice",
                "near-lifetime": "conforms",
                "regular": "breaks",
                "failing-without-backoff": "breaks",
            },
        ),
    ],
)
def test_outcomes_read_off_the_page(table: Any, expected: dict[str, Any]) -> None:
    outputs = _outputs(table)
    assert {slug: outputs[slug] for slug in expected} == expected


@pytest.mark.parametrize(
    ("slug", "assignment", "expected"),
    [
        ("failed/stale-error", {"caching.stale-on-error": "serve-stale"}, {"sends": True, "gives": "cached"}),
        ("failed/zero-error", {"caching.stale-on-error": "serve-stale"}, FAILED),
        ("failed/other-token-error", {"caching.stale-on-error": "serve-stale"}, FAILED),
        ("context/public-other-token", {"caching.share-public": "across-contexts"}, CACHED),
        ("context/other-token", {"caching.share-public": "across-contexts"}, FETCHED),
        ("context/gateway-public", {"caching.share-public": "across-contexts"}, CACHED),
        ("context/renewed-token", {"caching.authorization-context-key": "per-principal-and-grant"}, CACHED),
        ("context/renewed-scopes", {"caching.authorization-context-key": "per-principal-and-grant"}, FETCHED),
        ("context/unknown-principals", {"caching.authorization-context-key": "per-principal-and-grant"}, FETCHED),
        ("context/none-other-instance", {"caching.private-without-credentials": "common-anonymous-context"}, CACHED),
        ("context/none-then-token", {"caching.private-without-credentials": "common-anonymous-context"}, FETCHED),
        ("announced/in-flight", {"caching.in-flight-at-invalidation": "fresh"}, CACHED),
        ("announced/after-receipt", {"caching.in-flight-at-invalidation": "fresh"}, FETCHED),
        ("doubt/not-found", {"caching.early-refetch": "on-grounds"}, FETCHED),
        ("doubt/internal-error", {"caching.early-refetch": "on-grounds"}, CACHED),
        ("doubt/internal-error", {"caching.early-refetch": "on-any-error"}, FETCHED),
        ("doubt/not-found", {"caching.early-refetch": "on-any-error"}, FETCHED),
        ("doubt/other-list", {"caching.early-refetch": "on-any-error"}, CACHED),
        ("doubt/not-found-failed", {"caching.early-refetch": "on-grounds"}, {"sends": True, "gives": "cached"}),
        (
            "doubt/not-found-failed",
            {"caching.early-refetch": "on-grounds", "caching.failed-early-refetch": "raise-error"},
            FAILED,
        ),
        ("context/public-expired", {"caching.share-public": "across-contexts"}, FETCHED),
    ],
)
def test_what_a_choice_does_and_does_not_change(slug: str, assignment: dict[str, str], expected: Any) -> None:
    (case,) = (one for one in answers.cases if one.id == f"caching/answer/{slug}")
    decision = case.function.decide(case.arguments, Profile.parse(assignment))
    assert {"sends": decision.outcome.sends, "gives": decision.outcome.gives.value} == expected


def _grade(case: Any, output: Any) -> Verdict:
    """What a subject gets that answers `output`."""
    permitted = [one.grade for one in case.image.outcomes if one.output == output]
    return min(permitted, key=list(Verdict).index) if permitted else MISS[case.level]


def test_who_keeps_nothing_never_fails() -> None:
    used = {"keep": "use-once"}
    for case in storage_cases.cases:
        if case.output["keep"] == "store":
            assert _grade(case, used) is Verdict.PASS, case.id
        answered = case.output if case.output["keep"] == "refuse" else used
        assert _grade(case, answered) is Verdict.PASS, case.id
    for case in answers.cases:
        fails = case.input.get("fetch", "result") != "result"
        assert _grade(case, FAILED if fails else FETCHED) in (Verdict.PASS, Verdict.INFO, Verdict.WARN), case.id


def test_a_shorter_lifetime_never_fails() -> None:
    for case in lifetime_cases.cases:
        assert _grade(case, {"lifetime": "ms", "ms": 0}) in (Verdict.PASS, Verdict.WARN), case.id
    for case in pages.cases:
        assert MISS[case.level] is Verdict.WARN, case.id
    for case in headers.cases:
        assert _grade(case, "fetch-first") is not Verdict.FAIL, case.id


@given(st.sampled_from(METHODS), st.sampled_from(("common", "varying", "user-data")))
def test_private_is_never_a_wrong_scope(method: CacheableMethod, holds: Holds) -> None:
    assert judge_scope(method, holds, "private").outcome is Conformance.CONFORMS


def test_the_vectors_hold_no_number_that_a_double_cannot() -> None:
    for case in lifetime_cases.cases:
        ttl = case.input.get("ttl")
        assert not isinstance(ttl, int) or abs(ttl) <= sys.float_info.max, case.id


@given(st.lists(st.integers(1, 2**20), min_size=1, max_size=6))
def test_a_client_that_leaves_fetching_to_its_callers_is_never_blamed(waits: list[int]) -> None:
    times = list(itertools.accumulate(waits))
    fetches = [Fetch(at=at, cause="access", ttl_ms=wait) for at, wait in zip(times, waits, strict=True)]
    assert judge_polling(fetches).outcome is Conformance.CONFORMS


@given(st.lists(st.integers(1, 2**20), min_size=2, max_size=6))
def test_a_timer_that_follows_each_lifetime_is_told(lifetimes: list[int]) -> None:
    times = [0, *itertools.accumulate(lifetimes)]
    fetches = [Fetch(at=at, cause="timer", ttl_ms=ms) for at, ms in zip(times, [*lifetimes, None], strict=True)]
    assert "caching.poll.not-interval" in judge_polling(fetches).because
    assert judge_polling(fetches).outcome is not Conformance.CONFORMS


def test_every_caching_choice_changes_some_case() -> None:
    from spec_model.cases.table import decision_tables

    changed = set(
        itertools.chain.from_iterable(
            alternative.when
            for table in decision_tables()
            if table.function.area == "caching"
            for case in table.cases
            for alternative in case.image.outcomes
        )
    )
    assert {choice.choice_id for choice in CHOICES} <= changed


@pytest.mark.parametrize("name", ["caching.aggregate-pages", "caching.refresh-pages", "caching.judge-pages"])
def test_a_list_of_no_pages_is_refused(name: str) -> None:
    published = function_of(name)
    taken, _ = published.schemas()
    assert "minItems" in str(taken)
    others: dict[str, Any] = {"caching.refresh-pages": {"now": 0}, "caching.judge-pages": {"method": "tools/list"}}
    with pytest.raises(BadInput, match="length >= 1"):
        published.read({"pages": [], **others.get(name, {})})
