"""Assert: what must hold between the numbers themselves (I1, I2 …), the checker's own and published ones alike.

The comparison finds what differs between both sides; an invariant finds what both got wrong alike, and what contradicts
itself where nothing could be computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from checker.engine import HERE, Engine, sql_text
from checker.figures import DERIVED, Stated
from checker.findings import Findings, Side
from checker.inputs import Inputs
from checker.published import Published

FOLDER: Final = "must_be_empty/invariants"
FIGURES: Final = "sql/figures"
#: What every query ends in, behind its CTE `places` of all that it looks at.
LAST: Final = "\n\nSELECT"


@dataclass
class Invariant:
    """One invariant: its number, its sentence (the comment of its query), and what came of it, by file."""

    name: str
    sentence: str
    path: str
    looked_at: dict[str, int] = field(default_factory=dict)
    broken: list[dict[str, Any]] = field(default_factory=list)

    def broken_in(self, file: str) -> list[dict[str, Any]]:
        """The offending places of one file."""
        return [place for place in self.broken if place["file"] == file]

    def summary(self, files: tuple[str, ...]) -> dict[str, Any]:
        """The element of `invariants` in crosscheck.json, over some files."""
        return {
            "rule": self.name, "text": self.sentence, "looked_at": sum(self.looked_at.get(file, 0) for file in files),
            "broken": sum(len(self.broken_in(file)) for file in files),
        }  # fmt: skip

    def assert_on(self, engine: Engine) -> None:
        """Run the query: how many places it looks at in each file, and the offending ones."""
        places, _, last = sql_text(self.path).rpartition(LAST)
        engine.run(f"CREATE OR REPLACE TEMP TABLE places AS {places}{LAST} * FROM places")
        counts = engine.rows("SELECT file, count(*), count(*) FILTER (holds IS NOT TRUE) FROM places GROUP BY file")
        self.looked_at |= {file: number for file, number, _ in counts}
        if not any(broken for *_, broken in counts):
            return
        for place in engine.records(f"SELECT{last} ORDER BY ALL"):
            texts = {key: "null" if place[key] is None else place[key] for key in ("field", "expected", "found")}
            self.broken.append(place | texts)


def invariants_of(game: str) -> list[Invariant]:
    """The invariants of a benchmark, those of every one first."""
    files = [*(HERE / FOLDER).glob("*.sql"), *(HERE / FOLDER / game).glob("*.sql")]
    paths = sorted((path.relative_to(HERE).as_posix() for path in files), key=_number)
    return [Invariant(f"I{_number(path)}", _sentence(path), path) for path in paths]


def load(engine: Engine, inputs: Inputs, stated: Iterable[Stated]) -> None:
    """The relation `elements` of what some files state."""
    engine.script("tables", FIGURES)
    rows = [element for file in stated for element in file.elements(inputs.game.shape)]
    engine.insert("may_be_null", [(inputs.game.may_lack_empty(inputs.spec),)])
    engine.load("elements", rows, ["VARCHAR", "BOOLEAN", "DOUBLE", "VARCHAR", "INTEGER", "INTEGER", "VARCHAR",
                                   "VARCHAR", "JSON"])  # fmt: skip


def examine(engine: Engine, benchmark: str, derived: bool) -> list[Invariant]:
    """Each invariant over `elements`, and with `derived` over the many rows of the checker's own numbers."""
    engine.relation("rates", FIGURES)
    own = f"{FIGURES}/{benchmark}"
    for path in sorted((HERE / own).glob("*_figures.sql")):
        engine.relation(path.stem, own)
    if derived:
        engine.script("derived", own)
        engine.script("derived", FIGURES)
    found = invariants_of(benchmark)
    for invariant in found:
        invariant.assert_on(engine)
    return found


def report(found: list[Invariant], name: str, published: Published) -> None:
    """A finding for each offending place of one file.

    Where a comparison has named what differs there, contradictions are its consequences, and are counted only; so are
    those of a file that is equal to numbers made from logs that break rules.
    """
    counts = published.counts[name]
    if counts.equal != counts.compared or (counts.compared and _sources_are_at_fault(published.findings)):
        return
    side: Side = "builder" if name == "builder.json" else "published"
    for invariant in found:
        for place in invariant.broken_in(published.path(name)):
            published.findings.add(
                place["file"], invariant.name, side, place["field"], place["expected"], place["found"],
                f"mend what made these numbers, which contradict each other: checker/{invariant.path}",
                line=place["line"], model=place["model"],
            )  # fmt: skip


def report_own(found: list[Invariant], inputs: Inputs) -> None:
    """A trouble for each invariant that the checker's own numbers break; where logs or spec break rules themselves,
    those findings are the cause."""
    if _sources_are_at_fault(inputs.findings):
        return
    for invariant in found:
        places = invariant.broken_in(DERIVED)
        if places:
            first = places[0]
            inputs.troubles.append(
                f"the checker's own numbers break {invariant.name} at {len(places)} places, so that none of them is"
                f" confirmed; first {first['field']}: expected {first['expected']}, found {first['found']}"
            )


def _sources_are_at_fault(findings: Findings) -> bool:
    return any(finding.side in ("log", "spec") for finding in findings.all())


def file_summary(found: list[Invariant], name: str, published: Published) -> dict[str, Any]:
    """The element of `files` in run.json."""
    path, counts = published.path(name), published.counts[name]
    return {
        "file": path, "compared": counts.compared.total(), "equal": counts.equal.total(),
        "looked_at": sum(invariant.looked_at.get(path, 0) for invariant in found),
        "broken": sum(len(invariant.broken_in(path)) for invariant in found),
    }  # fmt: skip


def _number(path: str) -> int:
    match = re.search(r"/I([0-9]+)_", path)
    assert match is not None, path
    return int(match[1])


def _sentence(path: str) -> str:
    comment = [line.removeprefix("-- ") for line in sql_text(path).split("\nWITH", 1)[0].splitlines()]
    return " ".join(comment).partition(": ")[2]
