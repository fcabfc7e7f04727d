"""Cases of the rules about extensions."""

from __future__ import annotations

from typing import Any

from spec_model.cases.table import decisions

TASKS = "io.modelcontextprotocol/tasks"

identifiers = decisions("extensions/identifier", "extensions.identifier")
identifiers("official", "An official extension", identifier=TASKS)
identifiers("vendor", "A vendor's extension", identifier="com.example/my-extension")
identifiers("one-label", "A prefix of one label", identifier="example/ui")
identifiers("empty-name", "A prefix and an empty name", identifier="com.example/")
identifiers("no-prefix", "An identifier without a prefix", identifier="tasks")
identifiers("no-prefix-dots", "Dots alone make no prefix", identifier="com.example.tasks")
identifiers("empty", "An empty identifier", identifier="")
identifiers("empty-prefix", "A slash with nothing before it", identifier="/tasks")
identifiers("two-slashes", "An identifier with two slashes", identifier="com.example/tasks/v2")
identifiers("url", "An address is no identifier", identifier="https://example.com/tasks")
identifiers("label-digit", "A label that starts with a digit", identifier="com.3example/tasks")
identifiers("name-space", "A name with a space inside", identifier="com.example/my tasks")

maps = decisions("extensions/map", "extensions.map")
maps("plain", "An extension without settings", extensions={TASKS: {}})
maps("settings", "An extension with settings", extensions={"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}})
maps("null-settings", "Settings that are null", extensions={TASKS: None})
maps("true-settings", "Settings that are true", extensions={TASKS: True})
maps("array-settings", "Settings in an array", extensions={TASKS: []})
maps("text-settings", "Settings that are a text", extensions={TASKS: "1.0"})
maps("array", "An array of identifiers", extensions=[TASKS])
maps("null", "null is no map", extensions=None)
maps("no-prefix", "An identifier without a prefix", extensions={"tasks": {}})
maps("bad-identifier", "An identifier with a space", extensions={"com.example/my tasks": {}})
maps("second-bad", "One right and one wrong identifier", extensions={TASKS: {}, "ui": {}})

support = decisions("extensions/support", "extensions.support")
support("plain", "An empty settings object", capabilities={"extensions": {TASKS: {}}}, identifier=TASKS)
support("settings", "Settings", capabilities={"extensions": {TASKS: {"list": True}}}, identifier=TASKS)
support("other", "Another extension", capabilities={"extensions": {"com.example/x": {}}}, identifier=TASKS)
support("none", "No extensions member", capabilities={"tools": {}}, identifier=TASKS)
support("empty", "An empty extensions member", capabilities={"extensions": {}}, identifier=TASKS)
support(
    "null-settings",
    "Settings that are null advertise nothing",
    capabilities={"extensions": {TASKS: None}},
    identifier=TASKS,
)
support(
    "true-settings",
    "Settings that are true advertise nothing",
    capabilities={"extensions": {TASKS: True}},
    identifier=TASKS,
)
support("array", "An array of identifiers advertises nothing", capabilities={"extensions": [TASKS]}, identifier=TASKS)
support(
    "experimental",
    "An experimental capability is no extension",
    capabilities={"experimental": {TASKS: {}}},
    identifier=TASKS,
)
support("top-level", "A capability of its own is no extension", capabilities={TASKS: {}}, identifier=TASKS)
support(
    "legacy-tasks", "The tasks capability of 2025-11-25 is no extension", capabilities={"tasks": {}}, identifier=TASKS
)
support(
    "case",
    "Identifiers differ in case",
    capabilities={"extensions": {TASKS: {}}},
    identifier="io.modelcontextprotocol/Tasks",
)
support("null-capabilities", "Capabilities that are null advertise nothing", capabilities=None, identifier=TASKS)

LACKING: dict[str, Any] = {"extensions": {"com.example/x": {}}}
HAVING: dict[str, Any] = {"extensions": {TASKS: {}}}

fallbacks = decisions("extensions/fallback", "extensions.fallback")
fallbacks("core", "Keeping to the core protocol", identifier=TASKS, peer=LACKING, behaviour="core")
fallbacks(
    "refuses", "Refusing the request with an error", identifier=TASKS, peer=LACKING, behaviour="refuses-with-error"
)
fallbacks("extended", "Using an extension that the peer lacks", identifier=TASKS, peer=LACKING, behaviour="extended")
fallbacks("silent", "Leaving the request unanswered", identifier=TASKS, peer=LACKING, behaviour="gives-no-answer")
fallbacks(
    "shared-extended", "Using an extension that the peer has", identifier=TASKS, peer=HAVING, behaviour="extended"
)
fallbacks("shared-core", "Not using an extension that the peer has", identifier=TASKS, peer=HAVING, behaviour="core")
fallbacks(
    "shared-silent",
    "A shared extension is no reason to be silent",
    identifier=TASKS,
    peer=HAVING,
    behaviour="gives-no-answer",
)
fallbacks(
    "malformed",
    "A malformed advertisement is none",
    identifier=TASKS,
    peer={"extensions": [TASKS]},
    behaviour="extended",
)
