"""Ingest of Cascades: the rows of the spec, and the narrow rows that are kept of a batch of logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from checker import money
from checker.batches import Batch, run_of
from checker.cascades.replies import Limits, read_reply
from checker.cascades.spec import CELLS, CONFEDERATES, FILLER_NOTE, TEAM, Landscape, cascades
from checker.cascades.starts import GameStart
from checker.engine import Engine

if TYPE_CHECKING:
    from checker.inputs import Inputs

_INGEST: Final = "sql/cascades/ingest"


def take_spec(engine: Engine, inputs: Inputs) -> None:
    """The rows of the spec, its landscapes (C1) and plants (C4, C5)."""
    spec = cascades(inputs.spec)
    engine.insert("parameters", [(spec.workers, TEAM, spec.rounds, spec.asks, spec.limits.experiments)])
    engine.insert("cells", [(place, cell, *CELLS[cell]) for place, cell in enumerate(spec.cells)])
    engine.insert("seeds", list(enumerate(spec.seeds)))
    notes = [inputs.prompts[name] for name in CONFEDERATES.values()]
    filler = inputs.prompts[FILLER_NOTE]
    items: list[Landscape] = inputs.items
    engine.insert("landscapes", [(item.line, item.seed, item.low, item.high) for item in items])
    engine.load("terms", [(item.seed, *term) for item in items for term in item.terms], ["INTEGER"] * 6)
    engine.insert(
        "plants",
        [
            (item.seed, p.agent, p.config, p.claimed, p.receipt_config, p.filler_config, note, filler)
            for item in items
            for p, note in zip(item.plants, notes, strict=True)
        ],
    )


def register(batch: Batch) -> None:
    """The rows of the first lines."""
    rows = []
    for number, (log, start) in batch.some.items():
        assert isinstance(start, GameStart)
        rows.append(
            (number, log.path, run_of(log.path), start.model, start.played_as, start.cell, start.seed, start.attempt)
        )
    batch.engine.load("logs", rows, ["INTEGER", *["VARCHAR"] * 5, "BIGINT", "BIGINT"])


def keep(batch: Batch) -> None:
    """Every event as narrow rows; each different reply is read again once (C10 to C13)."""
    engine = batch.engine
    for name in ("batch_calls", "replies", "batch_claims"):
        engine.relation(name, _INGEST)
    read_replies(engine, cascades(batch.inputs.spec).limits)
    engine.script("keep_batch", _INGEST)
    money.keep(engine, _INGEST)
    for name in ("batch_calls", "replies", "batch_claims", "readings"):
        engine.run(f"DROP TABLE {name}")


def read_replies(engine: Engine, limits: Limits) -> None:
    """The relation `readings`: one row per reply that parses, by its id in `replies`."""
    engine.run(
        "CREATE OR REPLACE TEMP TABLE readings (id BIGINT, experiments VARCHAR, claims VARCHAR, note VARCHAR,"
        " submission VARCHAR, dropped BIGINT)"
    )
    rows = []
    for number, text, scope in engine.rows("SELECT id, text, scope FROM replies"):
        reading = read_reply(text, scope, limits)
        if reading is not None:
            rows.append((number, *reading.columns()))
    engine.load("readings", rows, ["BIGINT", "VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "BIGINT"])
