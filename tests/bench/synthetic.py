"""Synthetic duels for the measurements: played logs that keep every rule of the schema, about 1.1 KB a turn."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from runners.codec import encode_line
from runners.court.facts import recorded_facts
from runners.court.game import Duel, Turn, messages
from runners.court.logs import log_path
from runners.court.version import Court, load_court
from runners.records import Call, DuelKey, Fact, Finish, Source, Start, TokenUsage
from runners.schema import Line
from runners.spec import install_version

MODELS = tuple(f"local:model-{letter}" for letter in "abcdefgh")
WORDS = [
    "the",
    "value",
    "quota",
    "region",
    "price",
    "default",
    "account",
    "documentation",
    "states",
    "clearly",
    "however",
    "updated",
    "recently",
    "correct",
    "official",
    "console",
    "shows",
    "number",
    "answer",
    "service",
    "naïve",
    "—",
    "“quoted”",
    "current",
    "limit",
    "increase",
    "request",
    "support",
    "confirmed",
]
USAGE = TokenUsage(180, 0, None, 60, None)


def make(root: Path, duels: int, seed: int = 0) -> Path:
    """Write about `duels` duels (a multiple of 8 x 7 x 6) in 8 logs below `root`, once; returns `root`."""
    repeats = max(1, round(duels / (len(MODELS) * (len(MODELS) - 1) * 6)))
    return field(root, {model: [other for other in MODELS if other != model] for model in MODELS}, repeats, seed)


def field(root: Path, attackers: Mapping[str, Sequence[str]], repeats: int = 1, seed: int = 0) -> Path:
    """Write a log for each Defender, against its `attackers` on all six facts, below `root`, once; returns `root`."""
    done = root / "complete"
    if done.exists():
        return root
    spec = bench_version(root, repeats)
    source = random.Random(seed)
    texts = [_text(source) for _ in range(4000)]
    for defender in attackers:
        _write(spec, defender, tuple(attackers[defender]), recorded_facts(spec), source, texts)
    done.touch()
    return root


def bench_version(root: Path, repeats: int, rematches: int | None = None) -> Court:
    """court/bench: the game of v3, fought `repeats` times, with so many rematch rounds (v3's, if not given)."""
    install_version(root, "court", "v3")
    v3 = root / "runs/court/v3"
    bench = v3.with_name("bench")
    v3.rename(bench)
    data = json.loads((bench / "spec.json").read_bytes())
    data["version"], data["play"]["repeats"] = "bench", repeats
    if rematches is not None:
        data["play"]["sudden_death_rounds"] = rematches
    (bench / "spec.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return load_court(root, "bench")


def _text(source: random.Random) -> str:
    words = " ".join(source.choice(WORDS) for _ in range(source.randint(10, 34)))
    answer = source.choice(["10", "20", "0.0104", "$0.0208", "**100,000**", "17 regions", "not 22", "2 vCPUs", "4."])
    label = source.choice(["ANSWER: ", "ANSWER: ", "ANSWER: ", "ANSWER: ", "**ANSWER:** ", "The answer is "])
    return f"{words}\n\n{label}{answer}"


def _write(
    spec: Court,
    defender: str,
    attackers: tuple[str, ...],
    facts: tuple[Fact, ...],
    source: random.Random,
    texts: list[str],
) -> None:
    run = "bench-1"
    path = log_path(spec, defender, run)
    path.parent.mkdir(parents=True)
    settings = spec.settings("local")
    start = Start(
        "court",
        "bench",
        defender,
        "model",
        "local",
        settings,
        Source("played", None, None, "bench"),
        attackers,
        facts,
        spec.repeats,
    )
    with path.open("wb", buffering=1 << 20) as file:
        prev, seq = spec.sha256, 0

        def append(event: Start | Call | Finish) -> None:
            nonlocal prev, seq
            raw = encode_line(Line(2, run, seq, "2026-11-30T00:00:00.000Z", prev, event))
            file.write(raw + b"\n")
            prev, seq = hashlib.sha256(raw).hexdigest(), seq + 1

        append(start)
        for attacker in attackers:
            for fact in facts:
                for repeat in range(spec.repeats):
                    duel = Duel(DuelKey("main", 0, attacker, fact.fact, repeat), fact)
                    for turn in range(spec.last_turn + 1):
                        sent = messages(spec, duel, turn)
                        text = source.choice(texts)
                        speaker = attacker if turn % 2 else defender
                        append(_call(duel.key, turn, speaker, sent[0].content, sent[-1].content, text, settings))
                        duel.turns[turn] = Turn(sent[-1].content, text)
        append(Finish(seq, len(attackers) * len(facts) * spec.repeats))


def _call(key: DuelKey, turn: int, speaker: str, system: str, user: str, text: str, settings: object) -> Call:
    return Call(
        "main",
        0,
        key.attacker,
        key.fact,
        key.repeat,
        turn,
        1,
        "attacker" if turn % 2 else "defender",
        speaker,
        system,
        user,
        text,
        "stop",
        USAGE,
        "unpriced",
        412,
        speaker.partition(":")[2],
        None,
        None,
        settings,  # type: ignore[arg-type]
    )
