"""From tables to files: every vector file as bytes, with the manifest, the catalogue and the schemas.

The bytes depend on nothing but the tables and the rules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any, Final

import msgspec

from spec_model import REVISION, VECTOR_SET, __version__
from spec_model.cases import format as fmt
from spec_model.cases.controls import assign_controls
from spec_model.cases.exchange_table import exchange_file, exchange_tables
from spec_model.cases.scenario_table import scenario_file, scenario_tables
from spec_model.cases.table import BadCase, DecisionCase, DecisionTable, decision_tables
from spec_model.requirements.catalogue import catalogue, pages, questions, settled
from spec_model.semantics.explore import Alternative
from spec_model.semantics.revisions import REVISIONS

Files = dict[str, bytes]

KINDS: Final[Mapping[str, type[fmt.File]]] = {
    "decision": fmt.DecisionFile,
    "exchange": fmt.ExchangeFile,
    "scenario": fmt.ScenarioFile,
}


def all_files() -> Files:
    """Every file under `vectors/` by its relative path, in the order of the paths."""
    vectors = dict(sorted([*_vectors(decision_tables()), *_exchanges(), *_scenarios()]))
    files = {path: _bytes(content) for path, content in vectors.items()}
    files.update(_reference())
    files.update(_schemas())
    files["manifest.json"] = _bytes(_manifest(files, vectors))
    return dict(sorted(files.items()))


def _vectors(tables: Iterable[DecisionTable]) -> Iterable[tuple[str, Any]]:
    for table in tables:
        name = table.function.name.replace(".", "-")
        yield f"{REVISION}/decision/{name}.json", decision_file(table)


def _exchanges() -> Iterable[tuple[str, Any]]:
    for table in exchange_tables():
        yield f"{REVISION}/exchange/{table.prefix.replace('/', '-')}.json", exchange_file(table, REVISION)


def _scenarios() -> Iterable[tuple[str, Any]]:
    for table in scenario_tables():
        yield f"{REVISION}/scenario/{table.area}.json", scenario_file(table, REVISION)


def decision_file(table: DecisionTable) -> fmt.DecisionFile:
    """The file of one function."""
    assign_controls(table.cases)
    input_schema, output_schema = table.function.schemas()
    return fmt.DecisionFile(
        schema="../../schema/decision.schema.json",
        format=fmt.FORMAT,
        kind="decision",
        revision=REVISION,
        about=table.about,
        flags=table.flags,
        function=table.function.name,
        judges=table.function.judges,
        input_schema=input_schema,
        output_schema=output_schema,
        cases=[_decision(case) for case in table.cases],
    )


def _decision(case: DecisionCase) -> fmt.Decision:
    if case.refuses and not case.control:
        raise BadCase(f"{case.id}: a refused case has no accepted neighbour near enough to be its control")
    first, *others = case.image.outcomes
    return fmt.Decision(
        id=case.id,
        title=case.title,
        requirements=list(first.because),
        level=case.level,
        since=case.since,
        note=case.note,
        flags=list(case.flags),
        control=case.control,
        see=list(case.see),
        input=case.input,
        expected=first.output,
        acceptable=[_acceptable(one) for one in others],
    )


def _acceptable(one: Alternative) -> fmt.Acceptable:
    return msgspec.convert(
        {
            "output": one.output,
            "requirements": one.because,
            "grade": one.grade,
            "basis": one.basis(),
            "when": one.when,
        },
        fmt.Acceptable,
    )


def _reference() -> Files:
    head = {"format": fmt.FORMAT, "revision": REVISION}
    return {
        "requirements.json": _bytes({**head, "requirements": list(catalogue().values())}),
        "choices.json": _bytes({**head, "choices": list(questions().values()), "settled": settled()}),
    }


def _schemas() -> Files:
    return {f"schema/{kind}.schema.json": _bytes(schema_of(kind, file_type)) for kind, file_type in KINDS.items()}


def schema_of(kind: str, file_type: Any) -> dict[str, Any]:
    """The closed JSON Schema (2020-12) of one kind of vector file."""
    return {
        "$schema": fmt.SCHEMA_DIALECT,
        "$id": f"{kind}.schema.json",
        "title": f"{kind} vectors, format {fmt.FORMAT}",
        **msgspec.json.schema(file_type),
    }


def _manifest(files: Files, vectors: Mapping[str, Any]) -> dict[str, Any]:
    read = pages()
    ids = sorted(case.id for content in vectors.values() for case in content.cases)
    return {
        "format": fmt.FORMAT,
        "version": VECTOR_SET,
        "revisions": [str(one) for one in REVISIONS],
        "generator": {"name": "mcp-spec-model", "version": __version__, "regenerate": "make vectors"},
        "spec": {
            "revision": REVISION,
            "repository": read.repository,
            "commit": read.commit,
            "blobs": {name: page.blob for name, page in read.pages.items()},
        },
        "files": [_entry(path, content, vectors.get(path)) for path, content in files.items()],
        "sets": {f"{REVISION}/{VECTOR_SET}": _frozen(ids)},
        "retired": msgspec.json.decode((resources.files("spec_model.cases") / "retired.json").read_bytes()),
    }


def _entry(path: str, content: bytes, vectors: Any) -> dict[str, Any]:
    kind = vectors.kind if vectors else path.partition("/")[0].removesuffix(".json")
    entry: dict[str, Any] = {"path": path, "kind": kind}
    if vectors:
        entry["cases"] = len(vectors.cases)
    return {**entry, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _frozen(ids: list[str]) -> dict[str, Any]:
    return {"count": len(ids), "ids_sha256": hashlib.sha256("\n".join(ids).encode()).hexdigest(), "ids": ids}


def _bytes(content: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
