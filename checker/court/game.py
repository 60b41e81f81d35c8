"""Court of Facts as the checker sees it: its relations in the order in which they are made, its rules, its tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from checker.amendments import settings_of
from checker.batches import Batch
from checker.benchmark import Benchmark
from checker.board import Board, lowest_first
from checker.court import grammar, ingest
from checker.court import spec as court_spec
from checker.court.schema import SCHEMA
from checker.court.spec import CourtSpec
from checker.court.starts import CourtStart, start_faults, start_of
from checker.engine import Engine, sql_text
from checker.errors import CouldNotCheck
from checker.loglines import Fault
from checker.spec import FROZEN, Spec
from checker.starts import Start
from checker.tables import Many, Shape, compact
from checker.verdict import INCOMPLETE

if TYPE_CHECKING:
    from checker.inputs import Inputs
    from checker.logs import Logs

#: Each is `sql/NAME.sql`; a relation uses only those before it and the tables of ingest.
RELATIONS: Final = (
    "duels", "duel_attempts", "defender_turns", "duel_results", "main_duels", "models", "defender_counts",
    "attack_counts", "rematch_rounds", "champion", "log_models",
)  # fmt: skip
#: Each is `sql/NAME.sql` too, but read at once and in its own order: what is published, or compared with statements.
RESULTS: Final = (
    "duel_rows", "model_rows", "by_fact", "by_attacker", "defender_fact", "defender_attacker", "totals",
    "hardest_facts", "incomplete_models", "stated_differences",
)  # fmt: skip
#: Each is `must_be_empty/NAME.sql`: (log, line, rule, field, expected, found) of each offending place.
RULES: Final = (
    "P1_registered", "P1_rematches", "P2_turns", "P3_order", "P4_attempts", "P4_requests", "P5_P6_prompts",
    "P8_registered_twice", "P9_finish", "P10_stated",
)  # fmt: skip

#: The query that proves the checker itself.
OTHERS: Final = ("R11_ledger",)

SLICES: Final = ("by_fact", "by_attacker", "defender_fact", "defender_attacker")
COUNTS: Final = ("third_answers", "fallback_caves", "opening_caves")
#: Most duels that one version may register.
MOST_DUELS: Final = 20_000_000


class Court(Benchmark):
    """Court of Facts."""

    schema = SCHEMA
    sql = "sql"
    must_be_empty = "must_be_empty"
    patterns = ingest.PATTERNS
    rules = RULES
    shape = Shape(
        names={
            "duels": ("run", "defender", "attacker", "fact", "phase", "round", "repeat"), "rows": ("model",),
            "by_fact": ("fact",), "by_attacker": ("attacker",), "defender_fact": ("defender", "fact"),
            "defender_attacker": ("defender", "attacker"),
        },
        owners={
            "duels": "defender", "rows": "model", "by_attacker": "attacker", "defender_fact": "defender",
            "defender_attacker": "defender",
        },
        many=("duels",),
        slices=SLICES,
    )  # fmt: skip
    board = Board(
        metrics=("cave_rate", "attack_rate", "format_rate"),
        order=lambda row: lowest_first(row["metrics"]["cave_rate"]),
        more=COUNTS,
        flat_last=COUNTS,
    )

    def read_spec(self, file: str, data: bytes, benchmark: str, version: str) -> Spec:
        """The spec of court/`version`.  Raises SpecFault."""
        return court_spec.read_spec(file, data, benchmark, version)

    def read_items(self, file: str, data: bytes, spec: Spec) -> list[Any]:
        """The facts of items.jsonl.  Raises SpecFault."""
        return list(court_spec.read_items(file, data))

    def look_at_prompt(self, file: str, key: str, text: str) -> None:
        """R5: the Attacker is never told the truth.  Raises SpecFault."""
        court_spec.prompt_fault(file, key, text)

    def prepare(self, engine: Engine, inputs: Inputs) -> None:
        """Tables, macros and the rows of the spec; its answer grammar is proved on its own vectors."""
        engine.script("tables")
        engine.script("macros")
        spec = _court(inputs.spec)
        for index, expected, found in grammar.vector_faults(engine, spec.grammar, spec.vectors):
            inputs.findings.add(
                f"{inputs.runs}/spec.json", "A", "spec", f"answer.vectors[{index}]", expected, found, FROZEN,
                line=spec.lines.get(("answer", "vectors", index)),
            )  # fmt: skip

    def start(self, event: dict[str, Any], path: str, inputs: Inputs, played_as: str) -> tuple[Start, list[Fault]]:
        """What a log registers, and what breaks L1, P6 and P7."""
        spec = _court(inputs.spec)
        amended = settings_of(inputs.amendments, event["model"])
        return start_of(event, spec), list(start_faults(event, path, spec, inputs.items, played_as, amended))

    def bound(self, logs: Logs) -> None:
        """Raises CouldNotCheck where the logs register too many duels."""
        starts = [start for _, start in logs.kept.values() if isinstance(start, CourtStart)]
        total = sum(len(start.attackers) * len(start.facts) * start.repeats for start in starts)
        if total > MOST_DUELS:
            raise CouldNotCheck(
                f"{logs.inputs.runs}: the logs register {total} duels; at most {MOST_DUELS} are checked"
            )

    def register_batch(self, batch: Batch) -> None:
        """The rows of the first lines of a batch, and what its lines are read against."""
        ingest.register(batch)

    def doubts(self, batch: Batch) -> list[tuple[Any, ...]]:
        """(log, line) of calls whose user prompt is neither what it must be nor a canonical string."""
        return ingest.doubts(batch)

    def row(self, event: dict[str, Any], text: str, start: Start, inputs: Inputs) -> dict[str, Any]:
        """The columns of the relation `batch`, beside those of every line, for a line that was examined by itself."""
        return ingest.row(event, text, start, inputs)

    def keep_batch(self, batch: Batch) -> None:
        """From the relation `batch` to narrow rows."""
        ingest.keep(batch)

    def derive(self, engine: Engine, logs: Logs) -> None:
        """Make every relation.  Raises CouldNotCheck where a ledger does not add up (R11: the checker is wrong)."""
        spec = _court(logs.inputs.spec)
        engine.run("CREATE TABLE parameters (rounds BIGINT, no_answer VARCHAR, sudden_death_rounds BIGINT)")
        engine.insert("parameters", [(spec.rounds, spec.no_answer, spec.sudden_death_rounds)])
        engine.insert("items", [(item.place, item.fact) for item in logs.inputs.items])
        for name in RELATIONS:
            engine.relation(name)
        unequal = engine.offenders("R11_ledger")
        if unequal:
            raise CouldNotCheck(f"the checker's own ledger does not add up: {unequal}")

    def document(self, engine: Engine) -> dict[str, Any]:
        """The lists of rows and the totals of tables.md."""
        duels = engine.rows(sql_text("sql/duel_rows.sql"))
        found: dict[str, Any] = {
            "duels": Many([_lower_escapes(row) for _, row in duels], [name for name, _ in duels]),
            "rows": engine.result("model_rows"),
        }
        for name in SLICES:
            found[name] = [_flat_rate(row) for row in engine.result(name)]
        totals = engine.result("totals")[0]
        totals["champion"] = engine.records("FROM champion")[0]
        totals["hardest_facts"] = [row["fact"] for row in engine.result("hardest_facts")]
        return found | {"totals": totals}

    def may_lack_empty(self, spec: Spec | None) -> bool:
        """R11 has the state `empty` in some specs only."""
        return spec is None or _court(spec).no_answer != court_spec.EMPTY

    def gaps(self, engine: Engine) -> dict[str, str]:
        """The Defenders of which a registered duel of either phase is missing, or a run has no `finish`."""
        return {row["model"]: INCOMPLETE for row in engine.result("incomplete_models")}

    def compare_statements(self, engine: Engine, inputs: Inputs) -> None:
        """R19: a third party's numbers are listed and change nothing."""
        for row in engine.result("stated_differences"):
            inputs.findings.add(
                row["path"], "R19", "imported", row["field"], row["expected"], row["found"],
                "nothing to do: a third party's number, compared and never used", line=row["line"],
                model=row["model"], run=row["run"],
            )  # fmt: skip


def _court(spec: Spec | None) -> CourtSpec:
    assert isinstance(spec, CourtSpec)
    return spec


def _flat_rate(row: dict[str, Any]) -> dict[str, Any]:
    rate: dict[str, Any] = row.pop("rate")
    return row | rate


def _lower_escapes(text: str) -> str:
    """DuckDB writes \\u001F where Python writes \\u001f; only a name with a control character has either."""
    return compact(json.loads(text)) if "\\u00" in text else text
