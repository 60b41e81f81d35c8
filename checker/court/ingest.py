"""Ingest of Court of Facts: what the calls of a batch are read against, and the narrow rows that are kept of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from checker import money
from checker.amendments import settings_of
from checker.batches import Batch, run_of
from checker.court import grammar
from checker.court.schema import SCHEMA
from checker.court.spec import CourtSpec
from checker.court.starts import CourtStart
from checker.loglines import canonical
from checker.schema import VERSIONS
from checker.starts import Start
from checker.strictjson import MAX_DEPTH

if TYPE_CHECKING:
    from checker.inputs import Inputs

_MIDDLE: Final = ("usage", "cost", "latency_ms", "served", "fingerprint", "provider")


def _middle(version: int) -> str:
    """What stands between `finish` and `settings` in a call, as `ingest/batch.sql` cuts it."""
    fields = [f',"{name}":{SCHEMA.value(kind)}' for name, kind in SCHEMA.fields("call", version) if name in _MIDDLE]
    return "".join(fields).removeprefix(',"')


PATTERNS: Final = {
    **{f"MIDDLE_{version}": _middle(version) for version in VERSIONS},
    **{f"LINE_{version}": SCHEMA.line_pattern(version, but=("call",)) for version in VERSIONS},
}
_PROMPTS: Final = (
    ("opening", "defender_system", "defender_opening"), ("challenge", "defender_system", "defender_challenge"),
    ("turn", "attacker_system", "attacker_turn"),
)  # fmt: skip
#: The escape that no sound line holds (L2).
NUL: Final = "\\u0000"
#: Stands for the reply in an escaped prompt: a character that no escaped text holds.
_REPLY: Final = "\1"


def register(batch: Batch) -> None:
    """What the lines of a batch are read against: pieces of calls as the log writes them, from spec and first lines."""
    register_logs(batch)
    engine, inputs = batch.engine, batch.inputs
    assert isinstance(inputs.spec, CourtSpec)
    speakers, prompts = [], []
    for number, (_, start) in batch.some.items():
        assert isinstance(start, CourtStart)
        for attacker in start.attackers:
            speakers.append((number, canonical(attacker), "defender", *_speaker(inputs, start, start.model)))
            speakers.append((number, canonical(attacker), "attacker", *_speaker(inputs, start, attacker)))
        prompts += [(number, *row) for row in _prompts(inputs, start)]
    for name, rows, columns in (
        ("batch_speakers", speakers, "attacker VARCHAR, role VARCHAR, model VARCHAR, ending VARCHAR, pieces INTEGER"),
        ("batch_prompts", prompts, "fact VARCHAR, prompt VARCHAR, system VARCHAR, user_text VARCHAR"),
    ):
        engine.run(f"CREATE OR REPLACE TEMP TABLE {name} (log INTEGER, {columns})")
        engine.load(name, rows, ["INTEGER", *(column.split()[1] for column in columns.split(", "))])
    engine.run(
        "CREATE OR REPLACE TEMP TABLE other_numbers AS SELECT DISTINCT unnest([truth, lie]) AS text FROM log_facts"
    )


def register_logs(batch: Batch) -> None:
    """The rows of the first lines in this batch."""
    logs: list[tuple[Any, ...]] = []
    attackers: list[tuple[Any, ...]] = []
    facts: list[tuple[Any, ...]] = []
    for number, (log, start) in batch.some.items():
        assert isinstance(start, CourtStart)
        logs.append((number, log.path, run_of(log.path), start.model, start.imported, start.repeats))
        attackers += [(number, name) for name in start.attackers]
        facts += [(number, f["fact"], f["question"], f["truth"], f["lie"]) for f in start.facts]
    for table, rows in (("logs", logs), ("log_attackers", attackers), ("log_facts", facts)):
        batch.engine.insert(table, rows)


def doubts(batch: Batch) -> list[tuple[Any, ...]]:
    """(log, line) of calls that turn out not to be plain: their user prompt is neither what it must be nor a canonical
    string, or what stands behind `finish` is not canonical."""
    batch.relation("unmatched_users")
    batch.relation("unsound_middles")
    return batch.engine.rows(
        "SELECT log, line FROM unmatched_users WHERE NOT canonical UNION SELECT log, line FROM unsound_middles"
    )


def row(event: dict[str, Any], text: str, start: Start, inputs: Inputs) -> dict[str, Any]:
    """The columns of `batch` for a line that was examined."""
    if event["event"] != "call":
        return {"text": text}
    assert isinstance(start, CourtStart)
    return {
        **{key: event[key] for key in ("phase", "round", "repeat", "turn", "attempt", "role", "finish")},
        **{key: canonical(event[key]) for key in ("attacker", "fact", "model")},
        "system": f'system":{canonical(event["system"])}', "user_text": f'user":{canonical(event["user"])}',
        "said": f'text":{canonical(event["text"])}', "settings": canonical(event["settings"]),
        "middle": canonical({key: event[key] for key in _MIDDLE if key in event})[2:-1],
        "wanted_settings": settings(inputs, start, event["model"]),
    }  # fmt: skip


def settings(inputs: Inputs, start: CourtStart, model: str) -> str:
    """P5 and P6: the settings of a model's calls in that log, as canonical text."""
    if start.imported:
        return "null"
    assert inputs.spec is not None
    route = inputs.spec.routes.get(model.split(":", 1)[0]) if ":" in model else None
    return settings_of(inputs.amendments, model) or route or "(no such route)"


def _speaker(inputs: Inputs, start: CourtStart, model: str) -> tuple[str, str | None, int]:
    """Who speaks, how a plain call of the model ends (None: no call of it is plain), and into how many pieces that is
    cut."""
    text = settings(inputs, start, model)
    end = f'settings":{text}}}'
    return canonical(model), ',"' + end if _may_stand(text) else None, end.count(',"') + 1


def _may_stand(text: str) -> bool:
    """Whether settings are surely a value that a sound line may hold: that a line has the very text of the spec or an
    amendment proves nothing of a route that there is not, of a NUL (L2), and of too many values in each other (L3)."""
    # Never fewer than there are in each other, but for the call around them and the value inside them all.
    deep = text.count("{") + text.count("[")
    return text[:1] in ("{", "n") and NUL not in text and deep + 2 <= MAX_DEPTH


def _prompts(inputs: Inputs, start: CourtStart) -> Iterator[tuple[str, ...]]:
    """R4: the prompts about each fact, escaped as L3 wants it; _REPLY stands where the reply comes."""
    for fact in start.facts:
        for prompt, system, user in _PROMPTS:
            texts = 'system":null', 'user":null'
            if not start.imported:
                filled = "".join(fill(inputs.prompts[system], fact))
                parts = [canonical(part)[1:-1] for part in fill(inputs.prompts[user], fact)]
                texts = f'system":{canonical(filled)}', f'user":"{_REPLY.join(parts)}"'
            yield canonical(fact["fact"]), prompt, *texts


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
    engine.relation("spent", "sql/ingest")
    # Where every call is plain and its user prompt matches, none can be wrong.
    if engine.rows(
        "SELECT 1 FROM batch_calls WHERE system IS NOT NULL UNION ALL SELECT 1 FROM unmatched_users LIMIT 1"
    ):
        batch.relation("prompt_faults_of_batch")
        engine.run("INSERT INTO prompt_faults FROM prompt_faults_of_batch")
    engine.script("ingest/keep_batch")
    money.keep(engine, "sql/ingest")
    engine.run("DROP VIEW batch_calls")
    for table in ("replies", "answers", "spent", "unmatched_users", "unsound_middles"):
        engine.run(f"DROP TABLE {table}")


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
