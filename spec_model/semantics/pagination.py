"""How a client walks through a list and how a server answers its cursors.

Source: server/utilities/pagination.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from spec_model.requirements.choice import Profile
from spec_model.requirements.choices import NonStringCursor
from spec_model.semantics.decision import Conformance, Decision, Findings, decide
from spec_model.semantics.errors import INVALID_PARAMS
from spec_model.semantics.functions import function
from spec_model.wire.values import ABSENT, Absent, Json, JsonObject, is_string, kind_of, member

PaginatedMethod = Literal["resources/list", "resources/templates/list", "prompts/list", "tools/list"]

PAGINATED: Final[Mapping[str, tuple[str, str]]] = {
    "resources/list": ("resources", "pagination.ops.resources-list"),
    "resources/templates/list": ("resourceTemplates", "pagination.ops.resource-templates-list"),
    "prompts/list": ("prompts", "pagination.ops.prompts-list"),
    "tools/list": ("tools", "pagination.ops.tools-list"),
}
"""The operations that paginate: the member of the result that holds the items, and the requirement that says so."""


WHOLE: Final = ""
"""The JSON pointer of a whole value."""


# --- the client -----------------------------------------------------------------------------------------------------


class End(msgspec.Struct, frozen=True, tag_field="next", tag="end"):
    """The page is the last one."""


class Continue(msgspec.Struct, frozen=True, tag_field="next", tag="continue"):
    """The next page is asked for with this cursor, as it stands."""

    cursor: Json


class Invalid(msgspec.Struct, frozen=True, tag_field="next", tag="invalid"):
    """The walk ends with an error."""


Next = End | Continue | Invalid


@function("pagination.next")
def next_page(profile: Profile, result: JsonObject) -> Decision[Next]:
    """What a client that wants the whole list does after a page.

    Source: server/utilities/pagination#implementation-guidelines.
    """
    cursor = member(result, "nextCursor")
    if cursor is ABSENT:
        return decide(End(), "pagination.client.missing-is-end")
    if cursor is None:
        return decide(End(), "pagination.client.missing-is-end", "pagination.cursor.presence-only")
    if not is_string(cursor):
        return _next_without_string(profile, cursor)
    because = ("pagination.cursor.empty-string-valid",) if cursor == "" else ()
    return decide(
        Continue(cursor),
        *because,
        "pagination.cursor.presence-only",
        "pagination.cursor.not-modified",
        "pagination.request.continue",
    )


def _next_without_string(profile: Profile, cursor: Json) -> Decision[Next]:
    match profile[NonStringCursor]:
        case NonStringCursor.REFUSE:
            return decide(Invalid(), "pagination.cursor.string")
        case NonStringCursor.SEND_BACK:
            return decide(Continue(cursor), "pagination.cursor.presence-only")


class Ends(enum.Enum):
    """How far a walk came: to the end of the list, to an invalid result, or to a request that has no answer yet."""

    COMPLETE = "complete"
    INVALID = "invalid"
    WAITING = "waiting"


class Walk(msgspec.Struct, frozen=True):
    """The params of the requests of a walk in order, without `_meta`, and how it ends."""

    requests: list[JsonObject]
    ends: Ends


@function("pagination.walk")
def walk(profile: Profile, results: list[JsonObject]) -> Decision[Walk]:
    """Which requests a client sends that wants the whole list from a server that answers them with `results`.

    Source: server/utilities/pagination#pagination-flow.
    """
    requests: list[JsonObject] = [{}]
    because = ["pagination.flow.first-without-cursor"]
    for result in results:
        step = next_page(profile, result)
        because = [*step.because, *because]
        match step.outcome:
            case End():
                return _walked(requests, Ends.COMPLETE, because)
            case Invalid():
                return _walked(requests, Ends.INVALID, because)
            case Continue(cursor):
                requests.append({"cursor": cursor})
    return _walked(requests, Ends.WAITING, because)


def _walked(requests: list[JsonObject], ends: Ends, because: list[str]) -> Decision[Walk]:
    also = ("pagination.client.both-flows", "pagination.page-size.no-assumption", "pagination.cursor.opaque")
    return decide(Walk(requests, ends), *dict.fromkeys(because)).also(*also)


# --- the server -----------------------------------------------------------------------------------------------------


class FirstPage(msgspec.Struct, frozen=True, tag_field="answer", tag="first-page"):
    """The answer is the first page of the list."""


class PageAfter(msgspec.Struct, frozen=True, tag_field="answer", tag="page-after"):
    """The answer is the page that follows the position of this cursor."""

    cursor: str


class Error(msgspec.Struct, frozen=True, tag_field="answer", tag="error"):
    """The answer is a JSON-RPC error with this code."""

    code: int


@function("pagination.answer")
def answer_cursor(issued: list[str], cursor: Json | Absent = ABSENT) -> Decision[FirstPage | PageAfter | Error]:
    """How a server answers a list request; `issued` are the cursors that it gave out for this list, and that hold.

    Source: server/utilities/pagination#error-handling.
    """
    if cursor is ABSENT:
        return decide(FirstPage(), "pagination.flow.first-without-cursor")
    if not is_string(cursor):
        return decide(Error(INVALID_PARAMS), "pagination.error.invalid-cursor", "pagination.request.cursor-param")
    if cursor not in issued:
        return decide(
            Error(INVALID_PARAMS), "pagination.error.invalid-cursor", "pagination.server.invalid-cursor-graceful"
        )
    return decide(PageAfter(cursor), "pagination.flow.resumes-after-cursor", "pagination.server.stable-cursors")


# --- the shape of requests and results ------------------------------------------------------------------------------


@function("pagination.judge-request")
def judge_request(method: PaginatedMethod, params: JsonObject) -> Decision[Conformance]:
    """Whether the cursor in the params of a list request is as it has to be.

    Source: server/utilities/pagination#request-format.
    """
    found = Findings()
    judge_page_request(found, params, WHOLE, method)
    return found.decision()


def judge_page_request(found: Findings, params: Json, at: str, method: str) -> None:
    """Fills `found` with what is wrong with the cursor in the params at `at` of a request of any method."""
    if method in PAGINATED:
        _judge_cursor(found, member(params, "cursor"), f"{at}/cursor", method, "pagination.request.cursor-param")


@function("pagination.judge-result")
def judge_result(method: PaginatedMethod, result: JsonObject) -> Decision[Conformance]:
    """Whether the result of a list request holds a page of items, and a cursor that can be one.

    Source: server/utilities/pagination#response-format.
    """
    found = Findings()
    judge_page_result(found, result, WHOLE, method)
    return found.decision()


def judge_page_result(found: Findings, result: Json, at: str, method: str) -> None:
    """Fills `found` with what is wrong with the page in the result at `at` of a request of any method."""
    if method in PAGINATED:
        name, _ = PAGINATED[method]
        items = member(result, name)
        listed = isinstance(items, list)
        found.check(listed, "pagination.response.page", f"{at}/{name}", f"{name} is {kind_of(items)} and no array")
        _judge_cursor(found, member(result, "nextCursor"), f"{at}/nextCursor", method, "pagination.cursor.string")


def _judge_cursor(found: Findings, cursor: Json | Absent, at: str, method: str, requirement: str) -> None:
    what = f"the cursor is {kind_of(cursor)} and no string"
    if cursor is not ABSENT:
        found.check(is_string(cursor), requirement, at, what)
        found.check(is_string(cursor), "pagination.cursor.string", at, what)
    found.check(cursor is ABSENT or is_string(cursor), PAGINATED[method][1], at, what)
