"""Derive and assert: the relations in the order in which they are made, and the rules that must hold between lines."""

from __future__ import annotations

from typing import Final

from checker.engine import Engine
from checker.errors import CouldNotCheck
from checker.loglines import Fault
from checker.logs import Logs

#: Each is `sql/NAME.sql`; a relation uses only those before it and the tables of ingest.
RELATIONS: Final = (
    "duels", "duel_attempts", "defender_turns", "duel_results", "main_duels", "models", "defender_counts",
    "attack_counts", "costs", "rematch_rounds", "champion",
)  # fmt: skip
#: Each is `sql/NAME.sql` too, but read at once and in its own order: what is published, or compared with statements.
RESULTS: Final = (
    "duel_rows", "model_rows", "by_fact", "by_attacker", "defender_fact", "defender_attacker", "totals",
    "hardest_facts", "incomplete_models", "stated_differences",
)  # fmt: skip
#: Each is `must_be_empty/NAME.sql`: (log, line, rule, field, expected, found) of each offending place.
RULES: Final = (
    "P1_registered", "P1_rematches", "P2_turns", "P3_order", "P4_attempts", "P5_P6_prompts", "P8_registered_twice",
    "P9_finish", "P10_stated",
)  # fmt: skip


def set_parameters(engine: Engine, logs: Logs) -> None:
    """The few plain values that the relations need beside the logs."""
    spec = logs.inputs.spec
    assert spec is not None
    engine.run("CREATE TABLE parameters (rounds BIGINT, no_answer VARCHAR, sudden_death_rounds BIGINT)")
    engine.insert("parameters", [(spec.rounds, spec.no_answer, spec.sudden_death_rounds)])
    engine.insert("items", [(item.place, item.fact) for item in logs.inputs.items])
    engine.run("CREATE TABLE log_sizes (log INTEGER, lines BIGINT, tail BIGINT)")
    engine.insert("log_sizes", [(number, log.lines, log.tail) for number, (log, _) in logs.kept.items()])


def derive(engine: Engine) -> None:
    """Make every relation.  Raises CouldNotCheck where a ledger does not add up (R11: then the checker is wrong)."""
    for name in RELATIONS:
        engine.relation(name)
    unequal = engine.offenders("R11_ledger")
    if unequal:
        raise CouldNotCheck(f"the checker's own ledger does not add up: {unequal}")


def assert_rules(engine: Engine, logs: Logs) -> None:
    """Every row of every `must_be_empty` query becomes a finding."""
    for rule in RULES:
        for row in sorted(engine.offenders(rule), key=lambda row: (row["log"], row["line"], row["field"])):
            log, start = logs.kept[row["log"]]
            fault = Fault(row["rule"], row["field"], str(row["expected"]), str(row["found"]))
            logs.fault(log.path, fault, row["line"], start)
