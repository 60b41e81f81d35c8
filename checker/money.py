"""Money, the same in every benchmark: what is kept of it, its relations, and rules B1 to B3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from checker.amendments import settings_of
from checker.engine import Engine

if TYPE_CHECKING:
    from checker.logs import Logs

SQL: Final = "sql/money"
EMPTY: Final = "must_be_empty/money"
#: Each is `sql/money/NAME.sql`; a relation uses only those before it and the tables of ingest.
RELATIONS: Final = ("request_outcomes", "priced_outcomes", "use")
#: Each is `must_be_empty/money/NAME.sql`, read like the rules of a benchmark.
RULES: Final = ("B1_prices", "B2_requests", "B3_costs")
#: The fields of `use` (tables.md) that the flat files have, in order.
FLAT_USE: Final = (
    "calls", "failures", "input", "cached_input", "cache_write", "output", "reasoning", "cost_microusd",
    "unsettled_microusd", "cost_per_run_microusd", "cost_per_1000_calls_microusd", "served_differs", "settings_differ",
)  # fmt: skip


def prepare(engine: Engine) -> None:
    """The tables that ingest fills."""
    engine.script("tables", SQL)


def keep(engine: Engine, folder: str) -> None:
    """What is kept of a batch; `folder` holds the benchmark's `batch_attempts.sql`."""
    engine.relation("batch_attempts", folder, "VIEW")
    engine.script("keep_batch", SQL)
    engine.run("DROP VIEW batch_attempts")


def derive(engine: Engine, logs: Logs) -> None:
    """The relations of money, over every model that a log names at its start."""
    amendments = logs.inputs.amendments
    names = sorted({name for _, start in logs.kept.values() for name in start.names})
    rows = [(name, settings_of(amendments, name) is not None) for name in names]
    engine.load("model_names", rows, ["VARCHAR", "BOOLEAN"])
    for name in RELATIONS:
        engine.relation(name, SQL)
