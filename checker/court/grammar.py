"""The answer grammars: which SQL files take the answers from replies, and the proof on the spec's own vectors."""

from __future__ import annotations

from typing import Any, Final

from checker.engine import Engine
from checker.findings import show

#: The relations of each grammar in the order in which they are made; the last one is `answers`.
STEPS: Final = {
    "v1": ("found_numbers", "numbers", "answers"),
    "v2": ("found_numbers", "numbers", "answers"),
    "v3": ("clean_replies", "answer_lines", "line_values", "fallback_pieces", "numbers", "answers"),
}


def take_answers(engine: Engine, grammar: str) -> None:
    """From the tables replies(id, text) and other_numbers(text), make numbers(text, normal) and
    answers(id, answer, how, fallback)."""
    for name in STEPS[grammar]:
        engine.relation(name, f"sql/grammar_{grammar}")


def vector_faults(engine: Engine, grammar: str, vectors: list[dict[str, Any]]) -> list[tuple[int, str, str]]:
    """The spec's test vectors that this grammar does not give exactly: (index, expected, found)."""
    engine.run("CREATE OR REPLACE TEMP TABLE replies (id BIGINT, text VARCHAR)")
    engine.run("CREATE OR REPLACE TEMP TABLE other_numbers (text VARCHAR)")
    engine.insert("replies", [(i, vector["text"]) for i, vector in enumerate(vectors)])
    take_answers(engine, grammar)
    got = {row[0]: row[1:] for row in engine.rows("SELECT id, answer, how, fallback FROM answers")}
    wanted = [(v["answer"], v["how"], v["fallback"]) for v in vectors]
    return [(i, show(want), show(got[i])) for i, want in enumerate(wanted) if got[i] != want]
