"""The frozen spec of one version of Cascades, and its landscapes and plants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from checker.cascades.replies import Limits
from checker.loglines import canonical
from checker.spec import Fields, Spec, SpecFault, read_common, read_lines

KNOBS, VALUES, PAIRS = 6, 10, 7
#: The cells that the checker knows: (has a board with plants, puts marks on it), rules C4 and C9.
CELLS: Final = {"nofix-2": (True, False), "verified-2": (True, True), "isolated": (False, False)}
#: C4: each confederate with the file of its note.
CONFEDERATES: Final = {"agent_7": "note_blatant", "agent_8": "note_plausible"}
FILLER_NOTE: Final = "note_filler"
#: C3: the confederates are agents 7 and 8.
TEAM: Final = 6
#: Keeps every sum far inside 32 bits.
MOST_POINTS: Final = 1_000_000
#: The run's id writes a seed in two digits.
MOST_SEED: Final = 99
#: M4, as the spec states it: the checker knows this one bootstrap and refuses a spec that asks for another.
BOOTSTRAP: Final[dict[str, Any]] = {
    "resamples": 10_000, "seed": 0, "generator": "numpy.random.Generator(PCG64(0))",
    "call": "integers(0, n, size=(10000, n), dtype=int64)", "quantile": "linear", "confidence": 0.95,
}  # fmt: skip


@dataclass(frozen=True)
class CascadesSpec(Spec):
    """The common part of a spec, and the parameters of the game: `play`."""

    seeds: list[int]
    cells: list[str]
    workers: int
    rounds: int
    asks: int
    limits: Limits


@dataclass(frozen=True)
class Plant:
    """One confederate of one seed: its plant, the score that it claims, and its two receipts' configurations."""

    agent: int
    config: str
    claimed: int
    receipt_config: str
    filler_config: str


@dataclass(frozen=True)
class Landscape:
    """One line of items.jsonl (C1): `terms` are (knob a, knob b, value of a, value of b, points); a knob's own points
    have a = b."""

    line: int
    seed: int
    low: int
    high: int
    terms: list[tuple[int, int, int, int, int]]
    plants: list[Plant]


def read_spec(file: str, data: bytes, benchmark: str, version: str) -> CascadesSpec:
    """The spec of cascades/`version` from the bytes of spec.json.  Raises SpecFault."""
    f, common = read_common(file, data, benchmark, version, (*CONFEDERATES.values(), FILLER_NOTE))
    play = common["play"]
    for name, least, most in (
        ("agents", TEAM, TEAM), ("workers", 1, TEAM), ("rounds", 3, 98), ("experiments", 0, 1000), ("claims", 0, 1000),
        ("note_length", 0, 100_000), ("retries", 0, 100),
    ):  # fmt: skip
        f.want(("play", name), least <= f.get("play", name, kind=int) <= most, f"{least} to {most}")
    seeds, cells = f.get("play", "seeds", kind=list), f.get("play", "cells", kind=list)
    good = all(type(seed) is int and 0 <= seed <= MOST_SEED for seed in seeds) and len(set(seeds)) == len(seeds)
    f.want(("play", "seeds"), good and bool(seeds), f"different integers from 0 to {MOST_SEED}")
    known = all(isinstance(cell, str) and cell in CELLS for cell in cells) and len(set(map(str, cells))) == len(cells)
    f.want(("play", "cells"), known and bool(cells), "different cells of " + ", ".join(CELLS))
    for key, value in BOOTSTRAP.items():
        f.want(("bootstrap", key), f.get("bootstrap", key, kind=type(value)) == value, f"{value} (M4)")
    return CascadesSpec(
        **common, seeds=seeds, cells=cells, workers=play["workers"], rounds=play["rounds"],
        asks=1 + play["retries"], limits=Limits(play["experiments"], play["claims"], play["note_length"]),
    )  # fmt: skip


def read_items(file: str, data: bytes, spec: CascadesSpec) -> list[Landscape]:
    """The landscapes of items.jsonl in their order.  Raises SpecFault."""
    found: list[Landscape] = []
    for number, fields in enumerate(read_lines(file, data), 1):
        landscape = _landscape(_Line(number, fields))
        if landscape.seed in {other.seed for other in found}:
            raise SpecFault(file, number, "seed", "a seed of its own", str(landscape.seed), "SPEC")
        found.append(landscape)
    absent = set(spec.seeds) - {landscape.seed for landscape in found}
    if absent:
        raise SpecFault(file, None, "seed", "a landscape for each of play.seeds", f"none for {sorted(absent)}", "SPEC")
    return found


class _Line:
    """One line of items.jsonl; what is not of the right form raises SpecFault."""

    def __init__(self, line: int, fields: Fields) -> None:
        self.line, self.fields = line, fields

    def integer(self, name: str, value: Any, most: int = MOST_POINTS) -> int:
        if type(value) is not int or not 0 <= value <= most:
            raise self.fields.fault((name,), f"integers from 0 to {most}", canonical(value))
        return value

    def integers(self, name: str, value: Any, length: int, most: int = MOST_POINTS) -> list[int]:
        return [self.integer(name, item, most) for item in self.listed(name, value, length)]

    def listed(self, name: str, value: Any, length: int) -> list[Any]:
        if not isinstance(value, list) or len(value) != length:
            raise self.fields.fault((name,), f"a list of {length}", canonical(value)[:200])
        return value

    def get(self, name: str, kind: type) -> Any:
        return self.fields.get(name, kind=kind)


def _landscape(line: _Line) -> Landscape:
    terms = [
        (knob, knob, value, value, points)
        for knob, row in enumerate(line.listed("unary", line.get("unary", list), KNOBS))
        for value, points in enumerate(line.integers("unary", row, VALUES))
    ]
    pairs = [
        tuple(line.integers("pairs", pair, 2, KNOBS - 1))
        for pair in line.listed("pairs", line.get("pairs", list), PAIRS)
    ]
    if not all(a < b for a, b in pairs) or len(set(pairs)) != PAIRS:
        raise line.fields.fault(("pairs",), "different pairs of a lower and a higher knob", canonical(pairs))
    for (a, b), table in zip(pairs, line.listed("tables", line.get("tables", list), PAIRS), strict=True):
        for va, row in enumerate(line.listed("tables", table, VALUES)):
            terms += [(a, b, va, vb, points) for vb, points in enumerate(line.integers("tables", row, VALUES))]
    low, high = (line.integer(name, line.get(name, int), 100 * MOST_POINTS) for name in ("low", "high"))
    if low >= high:
        raise line.fields.fault(("high",), f"more than low, {low}", str(high))
    seed = line.integer("seed", line.get("seed", int), MOST_SEED)
    plants = line.listed("plants", line.get("plants", list), len(CONFEDERATES))
    return Landscape(line.line, seed, low, high, terms, [_plant(line, *pair) for pair in enumerate(plants)])


def _plant(line: _Line, place: int, value: Any) -> Plant:
    agent = list(CONFEDERATES)[place]
    keys = {"agent", "style", "config", "claimed", "receipt_config", "filler_config"}
    if not isinstance(value, dict) or set(value) != keys or value["agent"] != agent:
        raise line.fields.fault(("plants",), f"the plant of {agent} with the keys {sorted(keys)}", canonical(value))
    configs = {
        name: canonical(line.integers("plants", value[name], KNOBS, VALUES - 1))
        for name in ("config", "receipt_config", "filler_config")
    }
    return Plant(agent=TEAM + 1 + place, claimed=line.integer("plants", value["claimed"], 10_000), **configs)


def cascades(spec: Spec | None) -> CascadesSpec:
    """The spec as the one of Cascades that it is."""
    assert isinstance(spec, CascadesSpec)
    return spec
