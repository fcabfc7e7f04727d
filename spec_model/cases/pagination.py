"""Cases of the pagination rules."""

from __future__ import annotations

from typing import Any, Final

from spec_model.cases.table import decisions

Members = dict[str, Any]

METHODS: Final = (
    ("resources", "resources/list", "resources"),
    ("templates", "resources/templates/list", "resourceTemplates"),
    ("prompts", "prompts/list", "prompts"),
    ("tools", "tools/list", "tools"),
)
"""The four operations that paginate: a slug, the method, and the member of the result that holds the items."""

CURSORS: Final = (
    ("plain", "c1", "a plain cursor"),
    ("empty", "", "an empty cursor"),
    ("space", " ", "a cursor of one space"),
    ("padded", " c1\n", "a cursor with white space around it"),
    ("base64", "eyJwYWdlIjogM30=", "a cursor that looks like Base64"),
    ("percent", "a%2Fb+c", "a cursor that looks URL-encoded"),
    ("number-like", "0", "a cursor of a zero digit"),
    ("null-like", "null", "a cursor that spells null"),
    ("end-like", "end", "a cursor that spells end"),
    ("json", '{"page":2}', "a cursor that looks like JSON"),
    ("unicode", "caf\u00e9 \U0001f4c4", "a cursor beyond ASCII"),
    ("decomposed", "cafe\u0301", "a cursor that is not in composed form"),
    ("control", "a\u0000b", "a cursor with a control character"),
)
"""Cursors that tempt a client to look into them."""


def _page(**members: Any) -> Members:
    return {"resultType": "complete", "tools": [{"name": "a", "inputSchema": {"type": "object"}}], **members}


steps = decisions("pagination/next", "pagination.next")
steps("absent", "A page without nextCursor is the last one", result=_page())
steps("null", "A null nextCursor is no cursor", result=_page(nextCursor=None))
for _slug, _cursor, _what in CURSORS:
    steps(_slug, f"A page has {_what}", result=_page(nextCursor=_cursor))
steps("empty-page", "A page without items has a cursor", result={**_page(nextCursor="c1"), "tools": []})
steps("empty-last-page", "A page without items has no cursor", result={**_page(), "tools": []})
steps("number", "A nextCursor is a number", result=_page(nextCursor=5))
steps("zero", "A nextCursor is the number 0", result=_page(nextCursor=0))
steps("false", "A nextCursor is false", result=_page(nextCursor=False))
steps("object", "A nextCursor is an object", result=_page(nextCursor={"page": 2}))
steps("in-meta", "A nextCursor inside _meta is no cursor", result=_page(_meta={"nextCursor": "c1"}))
steps("snake-case", "A next_cursor is no cursor", result=_page(next_cursor="c1"))

walks = decisions("pagination/walk", "pagination.walk")
walks("one-page", "A server that does not paginate answers with one page", results=[_page()])
walks("two-pages", "A list has two pages", results=[_page(nextCursor="c1"), _page()])
walks(
    "three-pages",
    "A list has three pages of different sizes",
    results=[_page(nextCursor="c1"), {**_page(nextCursor="c2"), "tools": []}, _page()],
)
walks("empty-cursor", "An empty cursor leads to the second page", results=[_page(nextCursor=""), _page()])
walks("empty-page", "A page without items is not the end", results=[{**_page(nextCursor="c1"), "tools": []}, _page()])
walks(
    "same-cursor",
    "A server gives out the same cursor twice",
    results=[_page(nextCursor="c1"), _page(nextCursor="c1"), _page()],
)
walks("null", "A null nextCursor ends the walk", results=[_page(nextCursor="c1"), _page(nextCursor=None), _page()])
walks("beyond-the-end", "Nothing is asked for after the last page", results=[_page(), _page()])
walks("waiting", "A page with a cursor waits for the next answer", results=[_page(nextCursor="c1")])
walks("waiting-empty", "An empty cursor waits for the next answer", results=[_page(nextCursor="")])
walks(
    "waiting-same",
    "A cursor that was given out before waits for the next answer",
    results=[_page(nextCursor="c1"), _page(nextCursor="c1")],
)
walks(
    "waiting-unicode",
    "A cursor beyond ASCII waits for the next answer",
    results=[_page(nextCursor="cafe\u0301 \U0001f4c4+/=")],
)
walks("nothing-yet", "A walk opens without a cursor", results=[])
walks(
    "unicode",
    "A cursor is sent back byte for byte",
    results=[_page(nextCursor="cafe\u0301 \U0001f4c4+/="), _page()],
)
walks("number", "A nextCursor is a number in the middle of a walk", results=[_page(nextCursor=2), _page()])

answers = decisions("pagination/answer", "pagination.answer")
ISSUED: Final = ["c1", "c2"]
answers("no-cursor", "A request without a cursor gets the first page", issued=ISSUED)
answers("known", "A request with a cursor gets the page after it", issued=ISSUED, cursor="c1")
answers("known-second", "A request with the second cursor gets the page after that", issued=ISSUED, cursor="c2")
answers("unknown", "A cursor that was never given out is refused", issued=ISSUED, cursor="c3")
answers("empty-issued", "An empty cursor that was given out gets the page after it", issued=["", "c2"], cursor="")
answers("empty-unknown", "An empty cursor that was never given out is not the first page", issued=ISSUED, cursor="")
answers("case", "A cursor in other case is another cursor", issued=ISSUED, cursor="C1")
answers("padded", "A cursor with a space is another cursor", issued=ISSUED, cursor="c1 ")
answers("null", "A null cursor is no cursor and not the first page", issued=ISSUED, cursor=None)
answers("number", "A number is no cursor", issued=["1"], cursor=1)
answers("object", "An object is no cursor", issued=ISSUED, cursor={"page": 2})
answers("none-issued", "A server with a single page refuses every cursor", issued=[], cursor="c1")

requests = decisions("pagination/request", "pagination.judge-request")
results = decisions("pagination/result", "pagination.judge-result")
for _slug, _method, _name in METHODS:
    requests(f"{_slug}/absent", f"A {_method} request has no cursor", method=_method, params={})
    requests(f"{_slug}/string", f"A {_method} request has a cursor", method=_method, params={"cursor": "c1"})
    requests(f"{_slug}/number", f"A {_method} request has a number as cursor", method=_method, params={"cursor": 2})
    results(f"{_slug}/last", f"A {_method} result is the last page", method=_method, result={_name: []})
    results(
        f"{_slug}/middle", f"A {_method} result has a cursor", method=_method, result={_name: [], "nextCursor": "c1"}
    )
    results(
        f"{_slug}/number",
        f"A {_method} result has a number as cursor",
        method=_method,
        result={_name: [], "nextCursor": 2},
    )
    results(f"{_slug}/no-items", f"A {_method} result has no {_name}", method=_method, result={"nextCursor": "c1"})
requests("empty", "A request has an empty cursor", method="tools/list", params={"cursor": ""})
requests("null", "A request has a null cursor", method="tools/list", params={"cursor": None})
requests("object", "A request has an object as cursor", method="tools/list", params={"cursor": {"page": 2}})
results("empty", "A result has an empty cursor", method="tools/list", result=_page(nextCursor=""))
results("null", "A result has a null cursor", method="tools/list", result=_page(nextCursor=None))
results("false", "A result has false as cursor", method="tools/list", result=_page(nextCursor=False))
results("items-null", "A result has null for its items", method="tools/list", result={**_page(), "tools": None})
results("items-object", "A result has an object for its items", method="tools/list", result={**_page(), "tools": {}})
