"""Assert: the rules that must hold between lines; each is a query that returns the offending places."""

from __future__ import annotations

from checker.engine import Engine
from checker.loglines import Fault
from checker.logs import Logs


def assert_rules(engine: Engine, logs: Logs) -> None:
    """Every row of every `must_be_empty` query becomes a finding."""
    game = logs.inputs.game
    for rule in game.rules:
        offenders = engine.offenders(rule, game.must_be_empty)
        for row in sorted(offenders, key=lambda row: (row["log"], row["line"], row["field"])):
            log, start = logs.kept[row["log"]]
            fault = Fault(row["rule"], row["field"], str(row["expected"]), str(row["found"]))
            logs.fault(log.path, fault, row["line"], start)
    game.assert_spec(engine, logs.inputs)


def set_sizes(engine: Engine, logs: Logs) -> None:
    """One row per kept log: how many whole lines it has, and the bytes of its torn tail."""
    engine.run("CREATE TABLE log_sizes (log INTEGER, lines BIGINT, tail BIGINT)")
    rows = [(number, log.lines, log.tail) for number, (log, _) in logs.kept.items()]
    engine.load("log_sizes", rows, ["INTEGER", "BIGINT", "BIGINT"])
