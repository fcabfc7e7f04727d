"""Tests small caches of MCP results with the state machine of `spec_model.strategies.caching`.

    python docs/examples/faulty_cache.py

`TinyCache` is right. `LeakyCache` and `LateCache` each get one thing wrong; the machine finds a shortest run that shows
it and names the requirement. To test your own cache, write the four methods of `TinyCache` around it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from spec_model.semantics.caching import Caller, Request
from spec_model.strategies.caching import MISS, CacheFault, CacheUnderTest, cache_machine

LISTS = {
    "notifications/tools/list_changed": ["tools/list"],
    "notifications/prompts/list_changed": ["prompts/list"],
    "notifications/resources/list_changed": ["resources/list", "resources/templates/list"],
}


class TinyCache:
    """A cache that keeps every result with the access token, or without one the client, that it was obtained with."""

    def __init__(self) -> None:
        self.now = 0
        self.held: dict[str, tuple[int, Request, Any]] = {}

    def key(self, request: Request, caller: Caller) -> str:
        """What a held result is found by."""
        owner = caller.authorization.token if caller.authorization else f"without credential: {caller.instance}"
        return json.dumps([owner, request.method, request.params], sort_keys=True)

    def is_fresh(self, until: int) -> bool:
        """Whether a lifetime that ends at `until` has not ended."""
        return self.now < until

    def get(self, request: Request, caller: Caller) -> Any:
        until, _, result = self.held.get(self.key(request, caller), (0, None, MISS))
        return result if self.is_fresh(until) else MISS

    def put(self, request: Request, caller: Caller, result: Any) -> None:
        if result["resultType"] != "complete" or {"inputResponses", "requestState"} & request.params.keys():
            return
        ttl = result.get("ttlMs")
        lifetime = ttl if type(ttl) is int and ttl > 0 else 0
        self.held[self.key(request, caller)] = (self.now + lifetime, request, result)

    def notify(self, notification: Any) -> None:
        method, params = notification["method"], notification["params"]

        def concerns(request: Request) -> bool:
            if method == "notifications/resources/updated":
                return request.method == "resources/read" and request.params["uri"] == params["uri"]
            return request.method in LISTS[method]

        self.held = {key: entry for key, entry in self.held.items() if not concerns(entry[1])}

    def advance(self, ms: int) -> None:
        self.now += ms


class LeakyCache(TinyCache):
    """Finds results by request alone, so that one user gets what another one obtained."""

    def key(self, request: Request, caller: Caller) -> str:
        return json.dumps([request.method, request.params], sort_keys=True)


class LateCache(TinyCache):
    """Serves a result at the very instant at which its lifetime ends."""

    def is_fresh(self, until: int) -> bool:
        return self.now <= until


def fault_of(make: Callable[[], CacheUnderTest], *, examples: int = 300, shrink: bool = True) -> CacheFault | None:
    """The fault that the machine finds in the caches that `make` makes, or None."""
    effort = settings(
        max_examples=examples,
        stateful_step_count=30,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        derandomize=True,
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(cache_machine(make), settings=effort)
    except CacheFault as fault:
        return fault
    return None


if __name__ == "__main__":
    for make in (TinyCache, LeakyCache, LateCache):
        fault = fault_of(make)
        print(f"{make.__name__}: {fault or 'no fault found'}\n")
