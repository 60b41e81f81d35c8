"""Assert: the rules that must hold between lines; each is a query that returns the offending places."""

from __future__ import annotations

from checker import money
from checker.amendments import assert_one_entry
from checker.engine import Engine
from checker.loglines import Fault
from checker.logs import Logs


def assert_rules(engine: Engine, logs: Logs) -> None:
    """Every row of every `must_be_empty` query becomes a finding."""
    game = logs.inputs.game
    rules = [(rule, game.must_be_empty) for rule in game.rules] + [(rule, money.EMPTY) for rule in money.RULES]
    for rule, folder in rules:
        offenders = engine.offenders(rule, folder)
        for row in sorted(offenders, key=lambda row: (row["log"], row["line"], row["field"])):
            log, start = logs.kept[row["log"]]
            fault = Fault(row["rule"], row["field"], str(row["expected"]), str(row["found"]))
            logs.fault(log.path, fault, row["line"], start)
    assert_one_entry(logs)
    game.assert_spec(engine, logs.inputs)


def set_sizes(engine: Engine, logs: Logs) -> None:
    """One row per kept log: how many whole lines it has, and the bytes of its torn tail."""
    engine.run("CREATE TABLE log_sizes (log INTEGER, lines BIGINT, tail BIGINT)")
    rows = [(number, log.lines, log.tail) for number, (log, _) in logs.kept.items()]
    engine.load("log_sizes", rows, ["INTEGER", "BIGINT", "BIGINT"])
