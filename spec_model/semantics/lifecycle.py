"""The state of a feature, how long it stays after it was deprecated, and which features the registry lists.

Source: community/feature-lifecycle and deprecated.

Dates are calendar dates without a time of day or a time zone. A revision is released on one date. n months after a day
is the same day of the month n months later; where that month has no such day, a choice decides.
"""

from __future__ import annotations

import calendar
import enum
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import MonthEnd
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.functions import function
from spec_model.wire.values import ABSENT, Absent, Json, is_object, is_string, member

# --- the state of a feature -------------------------------------------------------------------------------------------


class Step(enum.Enum):
    """What can happen to a feature.

    `scheduled`: a SEP that deprecates it reaches Final. `deprecated`: a revision that marks it is released as Current.
    `eligible`: its minimum deprecation window has elapsed. `restored`: by a SEP that supersedes the deprecation it is
    back. `deleted`: it is deleted from the draft of the next revision.
    """

    SCHEDULED = "scheduled"
    DEPRECATED = "deprecated"
    ELIGIBLE = "eligible"
    RESTORED = "restored"
    DELETED = "deleted"


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step and the date on which it takes effect."""

    step: Step
    on: date


class Active(msgspec.Struct, frozen=True, tag_field="state", tag="active"):
    """The feature is part of the Current revision and is implemented as that says."""


class Deprecated(msgspec.Struct, frozen=True, tag_field="state", tag="deprecated"):
    """The feature is still specified; its window counts from `since`."""

    since: date


class Removed(msgspec.Struct, frozen=True, tag_field="state", tag="removed"):
    """The next Current revision does not have the feature."""


State = Active | Deprecated | Removed


@function("lifecycle.state")
def state(history: list[Event], on: date) -> Decision[State]:
    """The state on the date `on` of a feature to which the events of `history` happened, or are going to happen.

    A feature begins Active. Events of one date take effect in the order of the list.

    Source: community/feature-lifecycle#feature-states and #deprecating-a-feature; deprecated#deprecated-features.
    """
    now: State = Active()
    changes: list[Step] = []
    since: list[Step] = []
    for event in sorted(history, key=lambda one: one.on):
        if event.on > on:
            break
        before, now = now, _next(now, event)
        if now == before:
            since.append(event.step)
        else:
            changes.append(event.step)
            since.clear()
    return _explained(now, changes, since)


def _next(before: State, event: Event) -> State:
    match before, event.step:
        case Active(), Step.DEPRECATED:
            return Deprecated(event.on)
        case Deprecated(), Step.RESTORED:
            return Active()
        case ((Active() | Deprecated()), Step.DELETED):
            return Removed()
    return before


def _explained(now: State, changes: list[Step], since: list[Step]) -> Decision[State]:
    """The decision for the state `now`, to which `changes` led and which the steps `since` then left as it is."""
    match now:
        case Removed():
            return decide(now, "lifecycle.state.removed", "lifecycle.states.exactly-one")
        case Deprecated():
            return _explained_deprecated(now, changes, since)
        case Active():
            return _explained_active(now, changes, since)


def _explained_active(now: State, changes: list[Step], since: list[Step]) -> Decision[State]:
    decision = decide(now, "lifecycle.state.active")
    if Step.RESTORED in changes:
        decision = decision.also("lifecycle.restore.by-sep", "lifecycle.states.exactly-one")
    if Step.SCHEDULED in since:
        decision = decision.also("lifecycle.deprecate.scheduled-on-final", "lifecycle.deprecate.effective-on-release")
    return decision


def _explained_deprecated(now: State, changes: list[Step], since: list[Step]) -> Decision[State]:
    decision = decide(
        now,
        "lifecycle.deprecated.still-specified",
        "lifecycle.deprecate.effective-on-release",
        "lifecycle.window.from-revision-release",
    )
    if Step.RESTORED in changes:
        decision = decision.also("lifecycle.restore.window-afresh")
    if Step.ELIGIBLE in since:
        decision = decision.after("lifecycle.removal.eligibility-only")
    return decision


# --- the deprecation window -------------------------------------------------------------------------------------------


class Window(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The minimum deprecation window that a SEP specifies: so many months and then so many days."""

    months: Annotated[int, msgspec.Meta(ge=0, le=1200)] = 0
    days: Annotated[int, msgspec.Meta(ge=0, le=36500)] = 0


class Risk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a vulnerability of the feature."""

    advisory_published: bool
    exploitation_documented: bool
    mitigation_in_place: bool


@function("lifecycle.window-end")
def window_end(since: date, window: Window, profile: Profile, risk: Risk | Absent = ABSENT) -> Decision[date]:
    """The date on which the minimum deprecation window of a feature has elapsed that is Deprecated since `since`.

    `since` is the release of the revision that first marks it. A window shorter than the policy allows counts as the
    shortest that it allows: twelve months, or ninety days where an active security risk shortens it.

    Source: community/feature-lifecycle#deprecating-a-feature and #expedited-removal.
    """
    specified = _end(since, window, profile)
    least = _months_after(since, 12, profile)
    if specified >= least:
        return decide(specified, "lifecycle.window.from-revision-release")
    if risk is ABSENT or not _is_active(risk):
        return decide(least, "lifecycle.window.at-least-twelve-months")
    shortest = _days_after(since, 90)
    if specified < shortest:
        return decide(shortest, "lifecycle.expedited.ninety-days", "lifecycle.expedited.security-only")
    return decide(specified, "lifecycle.window.from-revision-release", "lifecycle.expedited.security-only")


def _is_active(risk: Risk) -> bool:
    """Whether a risk is active: known by an advisory or by exploitation, and without mitigation in place."""
    return (risk.advisory_published or risk.exploitation_documented) and not risk.mitigation_in_place


@function("lifecycle.earliest-removal")
def earliest_removal(window_end: date, releases: list[date]) -> Decision[date | None]:
    """The first of `releases` that may leave a feature out whose window elapses on `window_end`; null where none may.

    `releases` are the dates on which revisions are released as Current.

    Source: community/feature-lifecycle#deprecating-a-feature.
    """
    late_enough = [release for release in releases if release >= window_end]
    return decide(min(late_enough, default=None), "lifecycle.window.first-current-revision")


@function("lifecycle.removal")
def removal(
    deprecated_on: date | None, removed_on: date, window: Window, profile: Profile, risk: Risk | Absent = ABSENT
) -> Decision[Conformance]:
    """Whether the policy allows a revision released as Current on `removed_on` to be the first without a feature.

    `deprecated_on` is the release of the revision that first marked it Deprecated, null where none did; `window` what
    the SEP specifies.

    Source: community/feature-lifecycle#removing-a-feature and #expedited-removal.
    """
    found = Findings()
    if deprecated_on is None:
        found.broken("lifecycle.removal.after-window", "/deprecated_on", "the feature was never Deprecated")
        return found.decision()
    judge_window(found, deprecated_on, window, profile, risk)
    end = window_end(deprecated_on, window, profile, risk).outcome
    found.check(removed_on >= end, "lifecycle.removal.after-window", "/removed_on", f"the window elapses on {end}")
    return found.decision()


class Replacement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The feature that a migration path names: the release of the first revision that has it, null while only a draft
    has it, and that of the revision that marks it Deprecated in turn."""

    released_on: date | None
    deprecated_on: date | None = None


@function("lifecycle.deprecation")
def deprecation(
    released_on: date,
    window: Window,
    profile: Profile,
    replacement: Replacement | Absent = ABSENT,
    risk: Risk | Absent = ABSENT,
) -> Decision[Conformance]:
    """Whether a deprecation that takes effect with the revision released on `released_on` keeps to the policy.

    `window` is what its SEP specifies; `replacement` is absent where the migration path names no feature.

    Source: community/feature-lifecycle#deprecating-a-feature.
    """
    found = Findings()
    judge_window(found, released_on, window, profile, risk)
    if replacement is not ABSENT:
        found.check(
            _is_active_on(replacement, released_on),
            "lifecycle.deprecate.replacement-active",
            "/replacement",
            "the replacement is not Active in the revision that deprecates the feature",
        )
    return found.decision()


def _is_active_on(replacement: Replacement, day: date) -> bool:
    if replacement.released_on is None or replacement.released_on > day:
        return False
    return replacement.deprecated_on is None or replacement.deprecated_on > day


def judge_window(found: Findings, since: date, window: Window, profile: Profile, risk: Risk | Absent) -> None:
    """Judges the minimum window that a SEP specifies for a feature that is Deprecated since `since`."""
    specified = _end(since, window, profile)
    if specified >= _months_after(since, 12, profile):
        found.check(True, "lifecycle.window.at-least-twelve-months", "/window", "")
        return
    if risk is ABSENT or not _is_active(risk):
        found.broken("lifecycle.window.at-least-twelve-months", "/window", "the window is shorter than twelve months")
        found.broken("lifecycle.expedited.security-only", "/window", "no active security risk shortens the window")
        return
    enough = specified >= _days_after(since, 90)
    found.check(enough, "lifecycle.expedited.ninety-days", "/window", "the window is shorter than ninety days")
    found.check(True, "lifecycle.expedited.security-only", "/window", "")


def _end(since: date, window: Window, profile: Profile) -> date:
    return _days_after(_months_after(since, window.months, profile), window.days)


def _months_after(day: date, months: int, profile: Profile) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    try:
        _, last = calendar.monthrange(year, month + 1)
        end = date(year, month + 1, min(day.day, last))
    except ValueError:
        return date.max
    if profile[MonthEnd] is MonthEnd.NEXT_DAY and end.day < day.day:
        return _days_after(end, 1)
    return end


def _days_after(day: date, days: int) -> date:
    try:
        return day + timedelta(days)
    except OverflowError:
        return date.max


# --- the registry -----------------------------------------------------------------------------------------------------

Revision: TypeAlias = Literal["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]


class Feature(enum.Enum):
    """Features: those that the registry lists, some that it could be thought to list, and what replaces them."""

    ROOTS = "roots"
    SAMPLING = "sampling"
    LOGGING = "logging"
    DYNAMIC_CLIENT_REGISTRATION = "dynamic-client-registration"
    INCLUDE_CONTEXT_THIS_SERVER = "include-context-this-server"
    INCLUDE_CONTEXT_ALL_SERVERS = "include-context-all-servers"
    HTTP_SSE = "http-sse"
    INCLUDE_CONTEXT_NONE = "include-context-none"
    CLIENT_ID_METADATA_DOCUMENTS = "client-id-metadata-documents"
    STREAMABLE_HTTP = "streamable-http"
    ELICITATION = "elicitation"
    TOOLS = "tools"
    BATCHING = "json-rpc-batching"
    SESSIONS = "http-sessions"
    PING = "ping"


class OnOrAfter(msgspec.Struct, frozen=True, tag_field="removable", tag="first-revision-on-or-after"):
    """Removable in the first revision released as Current on `day` or later."""

    day: date


class AlongWith(msgspec.Struct, frozen=True, tag_field="removable", tag="along-with"):
    """Removable along with another feature."""

    feature: Feature


class AfterFinal(msgspec.Struct, frozen=True, tag_field="removable", tag="after-sep-is-final"):
    """Removable so many months after the SEP with this number reached Final."""

    sep: int
    months: int


class Listed(msgspec.Struct, frozen=True, tag_field="status", tag="deprecated"):
    """The registry has the feature as Deprecated.

    `by` is the SEP or pull request that deprecates it, `since` the first revision that has it so, `migrate_to` what its
    migration path names.
    """

    by: str
    since: Revision
    migrate_to: list[str]
    earliest_removal: OnOrAfter | AlongWith | AfterFinal


class NotListed(msgspec.Struct, frozen=True, tag_field="status", tag="not-listed"):
    """The registry has the feature not, or not yet, as Deprecated."""


class _Row(NamedTuple):
    entry: Listed
    because: str


REGISTRY: Final[Mapping[Feature, _Row]] = {
    Feature.ROOTS: _Row(
        Listed(
            "SEP-2577",
            "2026-07-28",
            ["tool-parameters", "resource-uris", "server-configuration"],
            OnOrAfter(date(2027, 7, 28)),
        ),
        "lifecycle.registry.roots",
    ),
    Feature.SAMPLING: _Row(
        Listed("SEP-2577", "2026-07-28", ["llm-provider-apis"], OnOrAfter(date(2027, 7, 28))),
        "lifecycle.registry.sampling",
    ),
    Feature.LOGGING: _Row(
        Listed("SEP-2577", "2026-07-28", ["stderr", "opentelemetry"], OnOrAfter(date(2027, 7, 28))),
        "lifecycle.registry.logging",
    ),
    Feature.DYNAMIC_CLIENT_REGISTRATION: _Row(
        Listed("PR-2858", "2026-07-28", ["client-id-metadata-documents"], OnOrAfter(date(2027, 7, 28))),
        "lifecycle.registry.dynamic-client-registration",
    ),
    Feature.INCLUDE_CONTEXT_THIS_SERVER: _Row(
        Listed("SEP-2596", "2025-11-25", ["omission", "include-context-none"], AlongWith(Feature.SAMPLING)),
        "lifecycle.registry.include-context",
    ),
    Feature.INCLUDE_CONTEXT_ALL_SERVERS: _Row(
        Listed("SEP-2596", "2025-11-25", ["omission", "include-context-none"], AlongWith(Feature.SAMPLING)),
        "lifecycle.registry.include-context",
    ),
    Feature.HTTP_SSE: _Row(
        Listed("SEP-2596", "2025-03-26", ["streamable-http"], AfterFinal(2596, 3)),
        "lifecycle.registry.http-sse",
    ),
}
"""The registry of deprecated features as of revision 2026-07-28. Its list of removed features is empty."""

GONE: Final = frozenset({Feature.BATCHING, Feature.SESSIONS, Feature.PING})
"""What revisions up to 2026-07-28 dropped before the policy applied, so that no registry lists it as removed."""


@function("lifecycle.registry")
def registry(feature: Feature, revision: Revision) -> Decision[Listed | NotListed]:
    """Whether the registry of 2026-07-28 has `feature` as Deprecated in `revision`, since when, and until when.

    Source: deprecated#deprecated and #removed.
    """
    row = REGISTRY.get(feature)
    if row is None:
        return _not_listed(feature)
    if revision < row.entry.since:
        return decide(NotListed(), row.because)
    return decide(row.entry, row.because)


def _not_listed(feature: Feature) -> Decision[Listed | NotListed]:
    if feature in GONE:
        return decide(NotListed(), "lifecycle.registry.removed-empty")
    return decide(NotListed(), "lifecycle.registry.complete")


@function("lifecycle.removable-from")
def removable_from(feature: Feature, sep_2596_final_on: date, profile: Profile) -> Decision[date | None]:
    """The date from which a revision may be released without `feature`, as the registry of 2026-07-28 has it.

    Null where the registry does not list it. `sep_2596_final_on` is the date on which SEP-2596 reached Final, which no
    page states.

    Source: deprecated#deprecated.
    """
    row = REGISTRY.get(feature)
    if row is None:
        return decide(None, "lifecycle.registry.complete")
    match row.entry.earliest_removal:
        case OnOrAfter(day=day):
            return decide(day, row.because)
        case AlongWith(feature=other):
            return removable_from(other, sep_2596_final_on, profile).after(row.because)
        case AfterFinal(months=months):
            return decide(_months_after(sep_2596_final_on, months, profile), row.because)


# --- what a message uses ----------------------------------------------------------------------------------------------

_CAPABILITIES: Final[Mapping[str, Feature]] = {"roots": Feature.ROOTS, "sampling": Feature.SAMPLING}
_INPUT_REQUESTS: Final[Mapping[str, Feature]] = {
    "roots/list": Feature.ROOTS,
    "sampling/createMessage": Feature.SAMPLING,
}
_INCLUDE_CONTEXT: Final[Mapping[str, Feature]] = {
    "thisServer": Feature.INCLUDE_CONTEXT_THIS_SERVER,
    "allServers": Feature.INCLUDE_CONTEXT_ALL_SERVERS,
}


@function("lifecycle.uses")
def uses(message: Json) -> Decision[list[Feature]]:
    """The deprecated features that a message of revision 2026-07-28 exercises, in the order of the registry: those of
    which an SDK warns at run time.

    Seen are capabilities declared or advertised, requests for input, the log level of a request, and log messages.

    Source: community/feature-lifecycle#tier-1-sdk-obligations; deprecated#deprecated; the marks in the schema of
    2026-07-28.
    """
    used = set(_used(message))
    rows = [(feature, row.because) for feature, row in REGISTRY.items() if feature in used]
    if not rows:
        return decide([], "lifecycle.sdk.runtime-warning", "lifecycle.registry.complete")
    registered = dict.fromkeys(because for _, because in rows)
    return decide([feature for feature, _ in rows], "lifecycle.sdk.runtime-warning", *registered)


def _used(message: Json) -> Iterator[Feature]:
    capabilities = member(message, "params", "_meta", "io.modelcontextprotocol/clientCapabilities")
    for name, feature in _CAPABILITIES.items():
        if is_object(member(capabilities, name)):
            yield feature
    if _logs(message):
        yield Feature.LOGGING
    requests = member(message, "result", "inputRequests")
    for request in requests.values() if is_object(requests) else ():
        yield from _asked(request)


def _logs(message: Json) -> bool:
    if member(message, "params", "_meta", "io.modelcontextprotocol/logLevel") is not ABSENT:
        return True
    if member(message, "method") == "notifications/message":
        return True
    return is_object(member(message, "result", "capabilities", "logging"))


def _asked(request: Json) -> Iterator[Feature]:
    method = member(request, "method")
    if is_string(method) and method in _INPUT_REQUESTS:
        yield _INPUT_REQUESTS[method]
    context = member(request, "params", "includeContext")
    if method == "sampling/createMessage" and is_string(context) and context in _INCLUDE_CONTEXT:
        yield _INCLUDE_CONTEXT[context]
