"""Scenarios: how a client walks through a list."""

from __future__ import annotations

from typing import Any

from spec_model.cases.client_material import PAGES, discovered, error, on_each, page
from spec_model.cases.scenario_table import call, client, on, scenarios

pagination = scenarios("pagination", "How a client walks through a list.")

FIND = call(0, "find", "discover")
TOOLS = "tools/list"

for transport in on_each():
    for method in PAGES:
        slug = method.replace("/", "-").removesuffix("-list")
        pagination(
            f"{slug}/{transport}",
            f"{method} is read page by page, and each cursor goes back as it came ({transport})",
            client(transport),
            [
                discovered(),
                on(method, params={"cursor": "page 3"}, result=page(method, "e")),
                on(method, params={"cursor": "page 2"}, result=page(method, "c", "d", cursor="page 3")),
                on(method, result=page(method, "a", "b", cursor="page 2")),
            ],
            [FIND, call(100, "all", "list-all", method=method)],
            _shows=(
                "pagination.flow.first-without-cursor",
                "pagination.request.continue",
                "pagination.cursor.not-modified",
                "pagination.client.both-flows",
            ),
        )
    pagination(
        f"one-page/{transport}",
        f"A list without a cursor is whole ({transport})",
        client(transport),
        [discovered(), on(TOOLS, result=page(TOOLS, "a", "b"))],
        [FIND, call(100, "all", "list-all", method=TOOLS)],
        _shows=("pagination.client.both-flows",),
    )


def walk(slug: str, title: str, cursors: list[str], sizes: list[int], shows: tuple[str, ...], **more: Any) -> None:
    """A walk through pages of these sizes, which are reached by these cursors."""
    names = iter("abcdefghijklmnopqrstuvwxyz")
    pages = [
        page(TOOLS, *[next(names) for _ in range(size)], cursor=further)
        for size, further in zip(sizes, [*cursors, None], strict=True)
    ]
    rules = [
        on(TOOLS, params={"cursor": cursor}, result=result) for cursor, result in zip(cursors, pages[1:], strict=True)
    ]
    pagination(
        slug,
        title,
        client(),
        [discovered(), *rules, on(TOOLS, result=pages[0])],
        [FIND, call(100, "all", "list-all", method=TOOLS)],
        _shows=shows,
        **more,
    )


SIZE = ("pagination.page-size.no-assumption",)
OPAQUE = ("pagination.cursor.opaque", "pagination.cursor.no-format-assumption", "pagination.cursor.not-modified")
walk(
    "sizes",
    "Pages of every size make one list, empty ones among them",
    ["p2", "p3", "p4", "p5", "p6"],
    [2, 5, 1, 0, 3, 1],
    ("pagination.page-size.no-assumption", "pagination.request.continue"),
)
walk(
    "empty-first",
    "A first page without items may have a next one",
    ["p2"],
    [0, 2],
    SIZE,
)
walk(
    "short-page",
    "A page that is shorter than the one before is not the last",
    ["p2", "p3"],
    [3, 1, 2],
    SIZE,
)
walk("empty-cursor", "An empty string is a cursor", ["", "p3"], [1, 1, 1], OPAQUE)
walk("numbers", "Cursors that look like numbers are sent back as strings", ["10", "020", "-1"], [1, 1, 1, 1], OPAQUE)
walk(
    "same-looking",
    "Cursors that differ in case and space alone are different",
    ["a", "A", " a", "a "],
    [1, 1, 1, 1, 1],
    OPAQUE,
)
walk(
    "strange-text",
    "A cursor of any text goes back byte for byte",
    ['{"page": 2, "b": 1.0}', 'żółw\u0301 \n\t"\\ 🐢', "eyJwYWdlIjogM30=", "https://mcp.example/list?page=4&x=%20"],
    [1, 1, 1, 1, 1],
    OPAQUE,
)
walk("long", "A cursor of many characters goes back whole", ["x" * 1_000], [1, 1], OPAQUE)
walk("descending", "Cursors need not grow", ["9", "5", "1"], [1, 1, 1, 1], OPAQUE)
walk(
    "many-pages",
    "A list of twelve pages is read to its end",
    [f"p{number}" for number in range(2, 13)],
    [1] * 12,
    ("pagination.page-size.no-assumption", "pagination.request.continue"),
)

pagination(
    "null-cursor",
    "A cursor that is null ends the list",
    client(),
    [discovered(), on(TOOLS, result={**page(TOOLS, "a"), "nextCursor": None})],
    [FIND, call(100, "all", "list-all", method=TOOLS)],
    _about=("pagination.cursor.presence-only",),
    _flags=("malformed",),
)
pagination(
    "number-cursor",
    "A cursor that is a number is refused or sent back",
    client(),
    [
        discovered(),
        on(TOOLS, params={"cursor": 2}, result=page(TOOLS, "b")),
        on(TOOLS, result={**page(TOOLS, "a"), "nextCursor": 2}),
    ],
    [FIND, call(100, "all", "list-all", method=TOOLS)],
    _about=("pagination.cursor.string",),
    _flags=("malformed",),
)
pagination(
    "page-by-page",
    "A caller that asks for single pages gets those",
    client(),
    [
        discovered(),
        on(TOOLS, params={"cursor": ""}, result=page(TOOLS, "c")),
        on(TOOLS, result=page(TOOLS, "a", "b", cursor="")),
    ],
    [FIND, call(100, "first", TOOLS), call(200, "second", TOOLS, cursor="")],
    _shows=("pagination.flow.first-without-cursor", "pagination.request.continue", "pagination.cursor.not-modified"),
)
pagination(
    "refused-cursor",
    "A cursor that the server refuses ends a walk, or it begins anew",
    client(),
    [
        discovered(),
        on(TOOLS, params={"cursor": "p2"}, error=error(-32602)),
        on(TOOLS, absent=["cursor"], nth=2, result=page(TOOLS, "a", "b")),
        on(TOOLS, result=page(TOOLS, "a", cursor="p2")),
    ],
    [FIND, call(100, "all", "list-all", method=TOOLS)],
    _shows=("pagination.flow.first-without-cursor",),
)
pagination(
    "refused-always",
    "A cursor that is refused again and again does not keep a walk going for ever",
    client(),
    [
        discovered(),
        on(TOOLS, params={"cursor": "p2"}, error=error(-32602)),
        on(TOOLS, result=page(TOOLS, "a", cursor="p2")),
    ],
    [FIND, call(100, "all", "list-all", method=TOOLS)],
    _about=("caching.page.invalid-cursor-restart",),
)
pagination(
    "second-walk",
    "A second walk begins at the beginning of the list, too",
    client(),
    [
        discovered(),
        on(TOOLS, params={"cursor": "p2"}, result=page(TOOLS, "b")),
        on(TOOLS, result=page(TOOLS, "a", cursor="p2")),
    ],
    [FIND, call(100, "all", "list-all", method=TOOLS), call(200, "again", "list-all", method=TOOLS)],
    _shows=("pagination.flow.first-without-cursor",),
)
pagination(
    "two-walks",
    "Two walks at once do not disturb each other",
    client(),
    [
        discovered(),
        on(TOOLS, params={"cursor": "p2"}, result=page(TOOLS, "b"), delay_ms=200),
        on(TOOLS, result=page(TOOLS, "a", cursor="p2"), delay_ms=200),
        on("prompts/list", params={"cursor": "p2"}, result=page("prompts/list", "y"), delay_ms=200),
        on("prompts/list", result=page("prompts/list", "x", cursor="p2"), delay_ms=200),
    ],
    [
        FIND,
        call(100, "tools", "list-all", method=TOOLS),
        call(200, "prompts", "list-all", method="prompts/list"),
    ],
    _end=2_000,
    _shows=("pagination.flow.first-without-cursor",),
)
