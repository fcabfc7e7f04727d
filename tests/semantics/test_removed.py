"""The table of methods against the official schemas, and laws of lost requests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import BrokenStream
from spec_model.semantics.decision import Conformance
from spec_model.semantics.removed import (
    AsInputRequest,
    Method,
    OnItsOwn,
    StreamEnd,
    broken_stream,
    method,
    reissue,
)
from spec_model.semantics.revisions import REVISIONS
from spec_model.wire.values import equal

IDS = st.integers(-3, 3) | st.sampled_from(["", "1", "-1", "a"]) | st.sampled_from([1.0, -2.0])
RESENDS = Profile({BrokenStream: BrokenStream.RESEND_AUTOMATICALLY})
REPORTS = Profile({BrokenStream: BrokenStream.CALLER_DECIDES})


def _types(shared: Path, revision: str) -> Mapping[str, Any]:
    """The types of a revision that have a method, by it."""
    document = json.loads((shared / "spec" / "schema" / f"{revision}.json").read_bytes())
    types = document.get("$defs") or document["definitions"]
    named = [one for one in types.values() if "const" in one.get("properties", {}).get("method", {})]
    return {one["properties"]["method"]["const"]: one for one in named}


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_method_stands_as_the_schema_of_the_revision_has_it(shared: Path, revision: Any) -> None:
    types = _types(shared, revision)
    for one in Method:
        standing = method(one, revision).outcome
        assert isinstance(standing, OnItsOwn | AsInputRequest) == (one.value in types), one
        if revision == REVISIONS[-1] and one.value in types:
            assert isinstance(standing, OnItsOwn) == ("jsonrpc" in types[one.value]["properties"]), one


def test_what_the_schemas_dropped_is_in_the_table(shared: Path) -> None:
    before, now = (_types(shared, revision) for revision in REVISIONS[-2:])
    known = {one.value for one in Method}
    assert before.keys() - now.keys() - known == {"notifications/tasks/status"}
    assert now.keys() - before.keys() - known == {"notifications/subscriptions/acknowledged"}


def _response(kind: str, request_id: Any) -> dict[str, Any]:
    body = {"resultType": "complete"} if kind == "result" else {"code": 1, "message": "x"}
    return {"jsonrpc": "2.0", "id": request_id, kind: body}


MESSAGES: st.SearchStrategy[Any] = st.builds(_response, st.sampled_from(["result", "error"]), IDS) | st.sampled_from(
    [{"jsonrpc": "2.0", "method": "notifications/progress"}, {"jsonrpc": "2.0", "id": 1, "method": "ping"}, [], None]
)


@given(IDS, st.lists(MESSAGES, max_size=4))
def test_a_request_is_lost_unless_its_response_is_among_what_came(request_id: Any, received: list[Any]) -> None:
    answers = [one for one in received if isinstance(one, dict) and ("result" in one or "error" in one)]
    answered = any(equal(one["id"], request_id) for one in answers)
    for profile, lost in ((REPORTS, StreamEnd.REPORT_LOSS), (RESENDS, StreamEnd.SEND_ANEW)):
        assert broken_stream(request_id, received, profile).outcome is (StreamEnd.ANSWERED if answered else lost)


@given(IDS, IDS, st.sampled_from([{}, {"Accept": "x"}, {"LAST-EVENT-ID": "1"}]))
def test_a_request_is_sent_anew_under_another_id_and_without_resuming(old: Any, new: Any, headers: Any) -> None:
    lost, sent = ({"jsonrpc": "2.0", "id": one, "method": "tools/list"} for one in (old, new))
    right = not equal(old, new) and "LAST-EVENT-ID" not in headers
    assert (reissue(lost, sent, headers).outcome is Conformance.CONFORMS) == right
