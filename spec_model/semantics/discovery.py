"""The request and the result of `server/discover`.

Source: server/discover.
"""

from __future__ import annotations

from typing import Final

from spec_model.requirements.choice import DEFAULT_PROFILE, Profile
from spec_model.semantics.cache_hints import judge_cache_hints
from spec_model.semantics.decision import Conformance, Decision, Findings
from spec_model.semantics.functions import function
from spec_model.semantics.messages import judge_request
from spec_model.semantics.metadata import judge_server_capabilities
from spec_model.semantics.results import judge_interim, judge_type
from spec_model.wire.json import pointer
from spec_model.wire.messages import shown
from spec_model.wire.values import ABSENT, Json, JsonObject, is_object, is_string, kind_of

METHOD: Final = "server/discover"


@function("discovery.request")
def request(message: Json, profile: Profile) -> Decision[Conformance]:
    """Whether a JSON value is a well-formed `server/discover` request. The content of its metadata is judged apart.

    Source: server/discover#request.
    """
    found = Findings()
    judge_discover_request(found, message, profile=profile)
    return found.decision()


@function("discovery.result")
def result(result: Json) -> Decision[Conformance]:
    """Whether a JSON value is a result of `server/discover`. The content of its metadata is judged apart.

    Source: server/discover#discoverresult.
    """
    found = Findings()
    judge_discover_result(found, result)
    return found.decision()


def judge_discover_request(found: Findings, message: Json, at: str = "", profile: Profile = DEFAULT_PROFILE) -> None:
    """A `server/discover` request."""
    judge_request(found, message, at, profile)
    if not is_object(message):
        return
    if message.get("method") != METHOD:
        found.broken("base.schema.conforms", f"{at}/method", "the method is server/discover")
    params = message.get("params", ABSENT)
    if is_object(params):
        judge_only_meta(found, params, f"{at}/params")


def judge_only_meta(found: Findings, params: JsonObject, at: str) -> None:
    """The params of `server/discover`, which has none of its own."""
    others = [name for name in params if name != "_meta"]
    if not others:
        found.held.append("discovery.request.only-meta")
    else:
        for name in others:
            what = f"{shown(name)} is no param of this method"
            found.broken("discovery.request.only-meta", f"{at}{pointer(name)}", what)


def judge_discover_result(found: Findings, result: Json, at: str = "") -> None:
    """A result of `server/discover`."""
    kind = judge_type(found, result, at)
    if not is_object(result):
        return
    if kind == "input_required":
        judge_interim(found, result, at, METHOD)
    elif kind == "complete" or type(kind) is not str:
        judge_discovered(found, result, at)
    judge_cache_hints(found, result, at, METHOD)


def judge_discovered(found: Findings, result: JsonObject, at: str) -> None:
    """What a final result of `server/discover` says."""
    versions = result.get("supportedVersions", ABSENT)
    if type(versions) is list and versions and all(map(is_string, versions)):
        found.held.append("discovery.result.supported-versions")
    else:
        found.broken("discovery.result.supported-versions", at, "supportedVersions is no list of one or more versions")
    judge_server_capabilities(found, result.get("capabilities", ABSENT), f"{at}/capabilities")
    instructions = result.get("instructions", ABSENT)
    if type(instructions) is str:
        found.held.append("discovery.result.instructions")
    elif instructions is not ABSENT:
        found.broken("base.schema.conforms", f"{at}/instructions", f"a string, not {kind_of(instructions)}")
