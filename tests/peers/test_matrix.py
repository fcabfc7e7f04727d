"""The computed matrix against the rows of the page's compatibility matrix, set down here as plain facts."""

from __future__ import annotations

from typing import Any

import pytest

from spec_model.peers.matrix import Cell, EraName, matrix
from spec_model.requirements.catalogue import catalogue
from spec_model.semantics.revisions import Era
from spec_model.wire.values import member

CELLS = list(matrix())

# The page's seven rows, and the two pairs with a dual-era server that follow from its bullets on dual-era servers.
PAGE: dict[tuple[EraName, EraName], tuple[bool, Era | None]] = {
    ("modern", "modern"): (True, Era.MODERN),
    ("modern", "legacy"): (False, None),
    ("dual", "modern"): (True, Era.MODERN),
    ("dual", "legacy"): (True, Era.LEGACY),
    ("legacy", "modern"): (False, None),
    ("legacy", "dual"): (True, Era.LEGACY),
    ("legacy", "legacy"): (True, Era.LEGACY),
    ("modern", "dual"): (True, Era.MODERN),
    ("dual", "dual"): (True, Era.MODERN),
}


def _name(cell: Cell) -> str:
    return "-".join((cell.client, cell.server, cell.transport, "probe" if cell.probe else "inline", cell.reaction))


def _sent(cell: Cell) -> list[Any]:
    return [turn.message for turn in cell.trace if turn.who == "client" and member(turn.message, "method")]


def _methods(cell: Cell) -> list[Any]:
    return [member(message, "method") for message in _sent(cell)]


def test_every_pair_is_there_on_both_transports() -> None:
    pairs = {(cell.client, cell.server, cell.transport) for cell in CELLS}
    assert pairs == {(*pair, transport) for pair in PAGE for transport in ("stdio", "http")}


@pytest.mark.parametrize("cell", CELLS, ids=_name)
def test_the_outcome_is_that_of_the_page(cell: Cell) -> None:
    works, era = PAGE[cell.client, cell.server]
    assert (cell.works, cell.era) == (works, era)


@pytest.mark.parametrize("cell", CELLS, ids=_name)
def test_every_reason_is_in_the_catalogue(cell: Cell) -> None:
    assert cell.because and set(cell.because) <= catalogue().keys()


@pytest.mark.parametrize("cell", [one for one in CELLS if one.works and one.era is Era.MODERN], ids=_name)
def test_who_is_modern_never_sends_initialize(cell: Cell) -> None:
    assert "initialize" not in _methods(cell)


@pytest.mark.parametrize("cell", [one for one in CELLS if (one.client, one.server) == ("dual", "legacy")], ids=_name)
def test_a_dual_era_client_falls_back_to_initialize_after_a_modern_request(cell: Cell) -> None:
    methods = _methods(cell)
    assert methods[0] == ("server/discover" if cell.probe else "tools/list")
    assert methods[-3:] == ["initialize", "notifications/initialized", "tools/list"]
    if cell.transport == "http" and cell.reaction == "refuse":
        assert any(400 <= int(turn.status) < 500 for turn in cell.trace if isinstance(turn.status, int))


@pytest.mark.parametrize("cell", [one for one in CELLS if one.server == "modern" and one.probe], ids=_name)
def test_the_probe_of_a_modern_server_brings_a_discover_result(cell: Cell) -> None:
    assert _methods(cell)[0] == "server/discover"
    assert cell.trace[1].what == "result"


def _legacy_at_modern(transport: str) -> Cell:
    (cell,) = (one for one in CELLS if (one.client, one.server, one.transport) == ("legacy", "modern", transport))
    return cell


def test_a_modern_only_server_rejects_initialize_by_its_transport() -> None:
    for cell in (_legacy_at_modern("stdio"), _legacy_at_modern("http")):
        assert _methods(cell) == ["initialize"]
        assert member(cell.trace[-1].message, "error", "code")
        assert "2026-07-28" in str(member(cell.trace[-1].message, "error"))
    assert _legacy_at_modern("http").trace[-1].status == 400


def test_a_silent_legacy_server_costs_the_probe_timeout() -> None:
    silent = [cell for cell in CELLS if cell.reaction == "silence" and cell.client == "dual"]
    assert silent and all(cell.trace[1].at_ms == 10_000 for cell in silent)


def test_a_request_served_under_legacy_semantics_is_no_success_of_a_modern_client() -> None:
    (cell,) = (
        one
        for one in CELLS
        if (one.client, one.server, one.transport, one.probe, one.reaction)
        == ("modern", "legacy", "stdio", False, "legacy-semantics")
    )
    assert cell.trace[-1].what == "result" and not cell.works
