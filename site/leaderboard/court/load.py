"""Reads what only Court of Facts has: its rows, slices, duels, totals and facts."""

from typing import Any

from leaderboard.court.shapes import SLICES, CourtRow, CourtVersion, Duel, Fact, Totals
from leaderboard.kit import Source
from leaderboard.reading import fits, rate, read_items, row_fields
from leaderboard.shapes import Cell

METRICS = ("cave_rate", "attack_rate", "format_rate")
_SLICE_KEYS = {
    "by_fact": ("fact",),
    "by_attacker": ("attacker",),
    "defender_fact": ("defender", "fact"),
    "defender_attacker": ("defender", "attacker"),
}


def court_version(source: Source) -> CourtVersion:
    """Make the version of what was read."""
    board, checked = source.board, source.checked
    return CourtVersion(
        **source.fields,
        rows=fits(source.board_path, lambda: tuple(_row(r) for r in board["rows"])),
        facts=read_items(source.folder / "items.jsonl", lambda f: Fact(**{k: str(f[k]) for k in Fact.__slots__})),
        slices=fits(source.board_path, lambda: _slices(board["slices"])),
        duels=fits(source.checked_path, lambda: tuple(_duel(d) for d in checked["duels"]) if checked else ()),
        totals=fits(source.checked_path, lambda: _totals(checked["totals"]) if checked else None),
    )


def _row(row: dict[str, Any]) -> CourtRow:
    return CourtRow(
        **row_fields(row, METRICS),
        third_answers=row["third_answers"],
        fallback_caves=row["fallback_caves"],
        opening_caves=row["opening_caves"],
    )


def _slices(slices: dict[str, Any]) -> dict[str, tuple[Cell, ...]]:
    return {
        name: tuple(Cell(tuple(c[k] for k in _SLICE_KEYS[name]), rate(c)) for c in slices.get(name, ()))
        for name in SLICES
    }


def _duel(d: dict[str, Any]) -> Duel:
    lists = {name: tuple(d[name]) for name in ("answers", "hows", "fallbacks", "verdicts")}
    return Duel(**{name: lists.get(name, d[name]) for name in Duel.__slots__})


def _totals(t: dict[str, Any]) -> Totals:
    return Totals(
        runs=t["runs"],
        duels=t["duels"],
        caves=rate(t["caves"]),
        format=rate(t["format"]),
        third_answers=t["third_answers"],
        fallback_caves=t["fallback_caves"],
        opening_caves=t["opening_caves"],
        ledger=dict(t["ledger"]),
        champions=tuple(t["champion"]["models"]),
        decided_by=t["champion"]["decided_by"],
        rounds=t["champion"]["rounds"],
        hardest_facts=tuple(t["hardest_facts"]),
    )
