"""Hypothesis strategies and state machines, for property tests of your own implementation.

Needs the extra `strategies`. `import spec_model` does not load this package. Names are plural and their options are
keywords with defaults, as in Hypothesis itself:

- `spec_model.strategies.caching`: caching hints, cursors, callers and notifications, and a machine that tests a cache.
- `spec_model.strategies.negotiation`: versions, eras and what servers answer, and a machine that tests a negotiation.
"""
