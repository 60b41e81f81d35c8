"""What another spec may say: each of these must show, in the spec itself, in a log, or in a number."""

from __future__ import annotations

import json
from typing import Any, Final

from checker.selftest.operators.operator import CASCADES, COURT, Hand, NoPlace, told

#: (path, values); a value None takes the key away.
Choice = tuple[tuple[str, ...], tuple[Any, ...]]

COMMON: Final[tuple[Choice, ...]] = (
    (("benchmark",), ("court2", "", 1)), (("version",), ("v9", None)), (("schema",), (2, 1.0, None)),
    (("tolerance",), (1e-6, 0.0, 1, None)), (("interval", "z"), (1.96, 1.95996398454005, 2.0)),
    (("interval", "method"), ("wald", None)), (("interval",), (None,)), (("files", "items.jsonl"), ("0" * 64, None)),
    (("files", "../x"), ("0" * 64,)), (("files", "absent.txt"), ("0" * 64,)), (("files",), (None, [])),
    (("play", "routes", "scripted"), ({"seed": 1}, None, 1)), (("play", "facts"), ("spec.json", None, 1)),
    (("play", "prompts"), (None, [])),
)  # fmt: skip
OF: Final[dict[str, tuple[Choice, ...]]] = {
    COURT: (
        (("play", "rounds"), (1, 3, 0, 2.0)), (("play", "repeats"), (2, 0)),
        (("play", "sudden_death_rounds"), (-1, None)),
        (("answer", "grammar"), ("v4", "v2", "v3", None)),
        (("answer", "no_answer"), ("held", "unparsed", "unparsed_or_empty", "lost")),
        (("answer", "vectors", "0", "answer"), ("7", None, 1)), (("answer", "vectors", "1", "how"), ("guess", "line")),
        (("answer", "vectors", "0", "text"), ("ANSWER: 8", 8)), (("answer", "vectors", "2", "fallback"), ("1", None)),
        (("play", "prompts", "defender_system"), ("prompts/attacker_system.txt", "prompts/none.txt")),
        (("play", "prompts", "attacker_turn"), ("prompts/defender_challenge.txt", "items.jsonl")),
    ),
    CASCADES: (
        (("play", "seeds"), ([0], [1], [0, 1, 2], [], [0, 0, 1], ["0", 1], [0, 100])),
        (("play", "cells"), (["nofix-2"], ["nofix-2", "isolated"], ["nofix-2", "verified-2", "isolated", "open"], [])),
        (("play", "agents"), (5, 7)), (("play", "workers"), (4, 6, 0)), (("play", "rounds"), (4, 6, 2)),
        (("play", "experiments"), (1, 0, -1)), (("play", "claims"), (0,)), (("play", "note_length"), (3, 0, 9)),
        (("play", "retries"), (0, 2, None)), (("bootstrap", "seed"), (1, None)),
        (("bootstrap", "resamples"), (1000, 10_001)),
        (("bootstrap", "quantile"), ("nearest",)), (("bootstrap", "confidence"), (0.9,)), (("bootstrap",), (None,)),
        (("play", "prompts", "note_blatant"), ("prompts/note_plausible.txt", "prompts/none.txt")),
        (("play", "prompts", "note_filler"), ("prompts/note_plausible.txt", None)),
    ),
}  # fmt: skip


def change_spec(hand: Hand) -> tuple[dict[str, Any], str]:
    """A spec with one change, and what it was."""
    spec = json.loads(json.dumps(hand.world.spec))
    path, values = hand.pick([*COMMON, *OF[hand.world.benchmark] * 2])
    value = hand.pick(values)
    *above, key = path
    place: Any = spec
    for part in above:
        place = place[int(part) if isinstance(place, list) else part]
    old = place.get(key, "nothing")
    if value is None:
        del place[key]
    else:
        place[key] = value
    if spec == hand.world.spec and type(old) is type(value):
        raise NoPlace
    return spec, told(".".join(path), old, "nothing" if value is None else value)
