"""Cases of the caching rules."""

from __future__ import annotations

from spec_model.cases.table import decisions

lifetimes = decisions("caching/lifetime", "caching.lifetime")
lifetimes("positive", "A positive ttlMs is the lifetime", ttl=300_000)
lifetimes("one", "A ttlMs of 1 is a lifetime of one millisecond", ttl=1)
lifetimes("zero", "A ttlMs of 0 is stale at once", ttl=0)
lifetimes("negative", "A negative ttlMs counts as 0", ttl=-5)
lifetimes("absent", "A result without ttlMs is stale at once")
lifetimes("null", "A null ttlMs is no integer", ttl=None)
lifetimes("string", "A ttlMs of digits in a string is no integer", ttl="300000")
lifetimes("boolean", "A boolean ttlMs is no integer", ttl=True)
lifetimes("fraction", "A fractional ttlMs is no integer", ttl=1500.5)
lifetimes("negative-fraction", "A negative fraction never makes a negative lifetime", ttl=-0.5)
lifetimes("integral-float", "1.0 is an integer", ttl=1.0)
lifetimes("beyond-2-53", "A lifetime beyond the safe range stays exact", ttl=2**53 + 1)

freshness = decisions("caching/freshness", "caching.is-fresh")
freshness("last-millisecond", "A response is fresh in the last millisecond of its lifetime", received_at=1000, lifetime_ms=500, now=1499)
freshness("expiry", "A response is stale at the instant at which its lifetime ends", received_at=1000, lifetime_ms=500, now=1500)
freshness("zero", "A lifetime of zero is never fresh", received_at=1000, lifetime_ms=0, now=1000)
