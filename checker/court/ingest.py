"""Ingest of Court of Facts: what the calls of a batch are read against, and the narrow rows that are kept of them."""

from __future__ import annotations

import re
from typing import Any, Final

from checker import money
from checker.amendments import settings_of
from checker.batches import Batch, run_of
from checker.court import grammar
from checker.court.schema import SCHEMA
from checker.court.spec import CourtSpec
from checker.court.starts import CourtStart
from checker.schema import NEWEST, SINCE

#: The last fields of a call, which `ingest/batch.sql` looks at together.
_LAST: Final = ("usage", "cost", "latency_ms", "served", "fingerprint", "provider", "settings")


def _tail() -> str:
    """What follows `,"usage":` in a call of any version; which version has what is looked at beside it."""
    pattern = ""
    for name, kind in SCHEMA.fields("call", NEWEST):
        if name in _LAST:
            field = f',"{name}":{SCHEMA.value(kind)}'
            pattern += f"(?:{field})?" if f"call.{name}" in SINCE else field
    return pattern.removeprefix(',"usage":') + r"\}"


PATTERNS: Final = {"TAIL": _tail()}


def register(batch: Batch) -> None:
    """The rows of the first lines, which the other lines are read against."""
    engine, prompts = batch.engine, batch.inputs.prompts
    engine.run(
        "CREATE OR REPLACE TEMP TABLE batch_prompts"
        " (log INTEGER, fact VARCHAR, prompt VARCHAR, system VARCHAR, parts VARCHAR[])"
    )
    for number, (log, start) in batch.some.items():
        assert isinstance(start, CourtStart)
        engine.insert("logs", [(number, log.path, run_of(log.path), start.model, start.imported, start.repeats)])
        engine.insert("log_attackers", [(number, name) for name in start.attackers])
        engine.insert("log_facts", [(number, f["fact"], f["question"], f["truth"], f["lie"]) for f in start.facts])
        rows: list[tuple[Any, ...]] = []
        for fact in start.facts:
            for prompt, system, user in (
                ("opening", "defender_system", "defender_opening"),
                ("challenge", "defender_system", "defender_challenge"),
                ("turn", "attacker_system", "attacker_turn"),
            ):
                rows.append(
                    (number, fact["fact"], prompt, "".join(fill(prompts[system], fact)), fill(prompts[user], fact))
                )
        engine.insert("batch_prompts", rows)
    # Everything in its escaped form, in which prompts are compared.
    engine.run(
        "UPDATE batch_prompts SET fact = to_json(fact), system = to_json(system),"
        " parts = list_transform(parts, lambda part: inside(to_json(part)::VARCHAR))"
    )
    engine.run(
        "CREATE OR REPLACE TEMP TABLE other_numbers AS SELECT DISTINCT unnest([truth, lie]) AS text FROM log_facts"
    )


def keep(batch: Batch) -> None:
    """Sound calls with their answers, and the other events."""
    engine, spec = batch.engine, batch.inputs.spec
    assert isinstance(spec, CourtSpec)
    engine.relation("batch_calls", "sql/ingest", "VIEW")
    engine.relation("replies", "sql/ingest")
    engine.run(
        "INSERT INTO other_numbers SELECT DISTINCT unnest((text -> '$.answers')::VARCHAR[]) FROM batch"
        " WHERE sound AND event = 'stated'"
    )
    grammar.take_answers(engine, spec.grammar)
    amend(batch)
    batch.relation("prompt_faults_of_batch")
    engine.script("ingest/keep_batch")
    money.keep(engine, "sql/ingest")
    engine.run("DROP VIEW batch_calls")
    for table in ("replies", "answers"):
        engine.run(f"DROP TABLE {table}")


def amend(batch: Batch) -> None:
    """P6: which models of the batch's calls have other settings than their route's."""
    amendments = batch.inputs.amendments
    if not amendments:
        return
    batch.engine.run("DELETE FROM amended_settings")
    for text, model in batch.engine.rows("SELECT DISTINCT model, model ->> '$' FROM batch_calls"):
        settings = settings_of(amendments, model)
        if settings is not None:
            batch.engine.insert("amended_settings", [(text, settings)])


def fill(template: str, fact: dict[str, str]) -> list[str]:
    """R4: the literal parts of a prompt between its {reply} placeholders, the other placeholders replaced in one
    pass."""
    parts = [""]
    for piece in re.split(r"(\{(?:question|truth|lie|reply)\})", template):
        if piece == "{reply}":
            parts.append("")
        elif piece in ("{question}", "{truth}", "{lie}"):
            parts[-1] += fact[piece[1:-1]]
        else:
            parts[-1] += piece
    return parts
