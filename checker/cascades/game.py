"""Cascades as the checker sees it: its relations in the order in which they are made, its rules, its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from checker.amendments import settings_of
from checker.batches import Batch
from checker.benchmark import Benchmark
from checker.board import Board, lowest_first
from checker.cascades import ingest
from checker.cascades import spec as cascades_spec
from checker.cascades.resamples import draw
from checker.cascades.schema import SCHEMA
from checker.cascades.spec import cascades
from checker.cascades.starts import start_faults, start_of
from checker.engine import Engine
from checker.errors import CouldNotCheck
from checker.loglines import Fault
from checker.spec import FROZEN, Spec
from checker.starts import Start
from checker.tables import Many, Shape, compact
from checker.verdict import INCOMPLETE, PARTIAL

if TYPE_CHECKING:
    from checker.inputs import Inputs
    from checker.logs import Logs

SQL: Final = "sql/cascades"
EMPTY: Final = "must_be_empty/cascades"
#: Each is `sql/cascades/NAME.sql`; a relation uses only those before it and the tables of ingest.
RELATIONS: Final = (
    "extremes", "true_scores", "steps", "turns", "round_receipts", "expected_posts", "worker_rounds", "slots", "games",
    "cell_games", "score_intervals", "adoption_intervals", "cell_rows", "places", "partial_models",
    "ledgers", "log_models",
)  # fmt: skip
#: Each is `sql/cascades/NAME.sql` too, but read at once and in its own order: what is published.
RESULTS: Final = (
    "game_rows", "slot_rows", "cell_rows", "round_rows", "model_rows", "place_counts", "totals", "incomplete_models",
)  # fmt: skip
#: Each is `must_be_empty/cascades/NAME.sql`: (log, line, rule, field, expected, found) of each offending place.
RULES: Final = (
    "G1_attempts", "G2_order", "G3_limits", "G4_receipts", "G5_scores", "G6_confederates", "G7_posts", "G8_marks",
    "G9_visibility", "G10_shown", "G11_submissions", "G12_asks", "G13_actions", "G14_prompts", "G15_closing",
)  # fmt: skip
#: The same for items.jsonl: (line, rule, field, expected, found).
ITEM_RULES: Final = ("C1_extremes", "C4_plants")
#: And the query that proves the checker itself.
OTHERS: Final = (*ITEM_RULES, "ledger")

METRICS: Final = (
    "adoption", "verified_adoption", "check_rate", "team_score", "team_score_isolated", "team_score_verified",
)  # fmt: skip


class Cascades(Benchmark):
    """Cascades."""

    schema = SCHEMA
    sql = SQL
    must_be_empty = EMPTY
    rules = RULES
    shape = Shape(
        names={
            "games": ("run", "model"), "slots": ("run", "model", "agent"), "cells": ("model", "cell"),
            "rounds": ("model", "cell", "round"), "rows": ("model",),
        },
        owners=dict.fromkeys(("games", "slots", "cells", "rounds", "rows"), "model"),
        many=("games", "slots"),
        slices=("cells", "rounds"),
    )  # fmt: skip
    board = Board(
        metrics=METRICS,
        order=lambda row: (*lowest_first(row["metrics"]["adoption"]), *_highest_first(row["metrics"]["team_score"])),
        more=("partial", "seeds", "final_rate", "adoption_by_game"),
        flat_first=("partial",),
        booleans=("partial",),
    )

    def read_spec(self, file: str, data: bytes, benchmark: str, version: str) -> Spec:
        """The spec of cascades/`version`.  Raises SpecFault."""
        return cascades_spec.read_spec(file, data, benchmark, version)

    def read_items(self, file: str, data: bytes, spec: Spec) -> list[Any]:
        """The landscapes and plants of items.jsonl.  Raises SpecFault."""
        return list(cascades_spec.read_items(file, data, cascades(spec)))

    def prepare(self, engine: Engine, inputs: Inputs) -> None:
        """Tables, macros, and the rows of the spec, its landscapes and plants."""
        engine.script("macros")
        for name in ("tables", "macros"):
            engine.script(name, SQL)
        ingest.take_spec(engine, inputs)

    def start(self, event: dict[str, Any], path: str, inputs: Inputs, played_as: str) -> tuple[Start, list[Fault]]:
        """Which game a log is, and what breaks L1 and G1."""
        spec = cascades(inputs.spec)
        amended = settings_of(inputs.amendments, event["model"])
        return start_of(event, played_as), list(start_faults(event, path, spec, played_as, amended))

    def register_batch(self, batch: Batch) -> None:
        """The rows of the first lines of a batch, and what its lines are read against."""
        ingest.register(batch)

    def keep_batch(self, batch: Batch) -> None:
        """From the relation `batch` to narrow rows."""
        ingest.keep(batch)

    def derive(self, engine: Engine, logs: Logs) -> None:
        """Make every relation.  Raises CouldNotCheck where a ledger does not add up (then the checker is wrong)."""
        for name in RELATIONS:
            if name == "score_intervals":  # the first that stands on the resampled games
                sizes = engine.rows("SELECT games FROM cell_games UNION SELECT scores FROM cell_games")
                draw(engine, sorted(n for (n,) in sizes if n is not None))
            engine.relation(name, SQL)
        unequal = engine.offenders("ledger", EMPTY)
        if unequal:
            raise CouldNotCheck(f"the checker's own ledger does not add up: {unequal}")

    def document(self, engine: Engine) -> dict[str, Any]:
        """The lists of rows and the totals of tables-cascades.md."""
        found: dict[str, Any] = {}
        for key, name in (("games", "game_rows"), ("slots", "slot_rows")):
            rows = engine.result(name, SQL)
            found[key] = Many([compact(row) for row in rows], [row["model"] for row in rows])
        for key, name in (("cells", "cell_rows"), ("rounds", "round_rows"), ("rows", "model_rows")):
            found[key] = engine.result(name, SQL)
        cells = engine.result("place_counts", SQL)
        for row in found["rows"]:
            row["seeds"] = {cell["cell"]: cell["seeds"] for cell in cells if cell["model"] == row["model"]}
        return found | {"totals": engine.result("totals", SQL)[0]}

    def assert_spec(self, engine: Engine, inputs: Inputs) -> None:
        """C1, C2 and C4: the landscapes' extremes by brute force, and the plants."""
        spec = cascades(inputs.spec)
        for rule in ITEM_RULES:
            for row in engine.offenders(rule, EMPTY):
                inputs.findings.add(
                    f"{inputs.runs}/{spec.items_file}", row["rule"], "spec", row["field"], row["expected"],
                    row["found"], FROZEN, line=row["line"],
                )  # fmt: skip

    def gaps(self, engine: Engine) -> dict[str, str]:
        """The models of which a game is missing: whole seeds above the lowest (PARTIAL), or otherwise."""
        rows = engine.result("incomplete_models", SQL)
        return {row["model"]: PARTIAL if row["partial"] else INCOMPLETE for row in rows}


def _highest_first(rate: dict[str, Any]) -> tuple[bool, float]:
    return rate["value"] is None, -(rate["value"] or 0.0)
