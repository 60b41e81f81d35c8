"""Reads what only Cascades has: its rows, cells, rounds, games, slots, totals, and the landscapes of its seeds."""

from typing import Any

from leaderboard.cascades.shapes import (
    CascadesRow,
    CascadesVersion,
    CellRow,
    Config,
    Game,
    Landscape,
    Plant,
    RoundRow,
    Slot,
    Totals,
    World,
)
from leaderboard.kit import Source
from leaderboard.reading import fits, rate, read_items, row_fields
from leaderboard.shapes import Rate

KNOBS = 6
METRICS = ("adoption", "verified_adoption", "check_rate", "team_score", "team_score_isolated", "team_score_verified")


def cascades_version(source: Source) -> CascadesVersion:
    """Make the version of what was read."""
    board, checked = source.board, source.checked or {"games": (), "slots": (), "totals": None}
    slices, totals = board["slices"], checked.get("totals")
    play = source.fields["spec"].get("play", {})
    return CascadesVersion(
        **source.fields,
        rows=fits(source.board_path, lambda: tuple(_row(r) for r in board["rows"])),
        worlds={w.seed: w for w in read_items(source.folder / "items.jsonl", _world)},
        cells=fits(source.board_path, lambda: tuple(_cell(c) for c in slices.get("cells", ()))),
        rounds=fits(source.board_path, lambda: tuple(_round(r) for r in slices.get("rounds", ()))),
        games=fits(source.checked_path, lambda: tuple(_game(g) for g in checked["games"])),
        slots=fits(source.checked_path, lambda: tuple(_slot(s) for s in checked["slots"])),
        totals=fits(source.checked_path, lambda: _totals(totals) if totals else None),
        play_cells=tuple(play.get("cells", ())),
        play_seeds=tuple(play.get("seeds", ())),
        workers=play.get("workers", 5),
    )


def config(value: Any) -> Config:
    """Read a configuration.

    Raises:
        TypeError, ValueError: it is none.
    """
    values = tuple(int(v) for v in value)
    if len(values) != KNOBS or not all(0 <= v <= 9 for v in values):
        raise ValueError(f"{value} is no configuration")
    return values


def _optional_rate(value: dict[str, Any] | None) -> Rate | None:
    return None if value is None else rate(value)


def _row(row: dict[str, Any]) -> CascadesRow:
    return CascadesRow(
        **row_fields(row, METRICS),
        partial=row["partial"],
        seeds=dict(row["seeds"]),
        final_rate=rate(row["final_rate"]),
        adoption_by_game=_optional_rate(row["adoption_by_game"]),
    )


def _cell(c: dict[str, Any]) -> CellRow:
    return CellRow(
        model=c["model"],
        cell=c["cell"],
        games=c["games"],
        seeds=tuple(c["seeds"]),
        adoption=_optional_rate(c["adoption"]),
        check=_optional_rate(c["check"]),
        adoption_by_game=_optional_rate(c["adoption_by_game"]),
        score=rate(c["score"]),
        final=rate(c["final"]),
    )


def _round(r: dict[str, Any]) -> RoundRow:
    return RoundRow(r["model"], r["cell"], r["round"], _optional_rate(r["adoption"]), r["mean_score"])


def _game(g: dict[str, Any]) -> Game:
    return Game(**{name: g[name] for name in Game.__slots__})


def _slot(s: dict[str, Any]) -> Slot:
    submission = None if s["submission"] is None else config(s["submission"])
    return Slot(**{name: s[name] for name in Slot.__slots__} | {"submission": submission})


def _totals(t: dict[str, Any]) -> Totals:
    return Totals(t["games"], t["aborted"], t["slots"], {seed: (low, high) for seed, low, high in t["extremes"]})


def _world(item: dict[str, Any]) -> World:
    return World(
        seed=item["seed"],
        landscape=Landscape(
            unary=tuple(tuple(row) for row in item["unary"]),
            pairs=tuple((i, j) for i, j in item["pairs"]),
            tables=tuple(tuple(tuple(row) for row in table) for table in item["tables"]),
            low=item["low"],
            high=item["high"],
        ),
        plants=tuple(
            Plant(
                agent=p["agent"],
                style=p["style"],
                config=config(p["config"]),
                claimed=p["claimed"],
                receipt_config=config(p["receipt_config"]),
                filler_config=config(p["filler_config"]),
            )
            for p in item["plants"]
        ),
    )
