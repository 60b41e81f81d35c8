"""Makes a root with runs/ and tables/ of the documented shapes, with names and replies that try to do harm."""

import hashlib
import json
import shutil
from itertools import product
from pathlib import Path
from typing import Any

from tests.site.fixture_cascades import make_cascades
from tests.site.fixture_names import EMPTY, HOSTILE_TEXTS, MODELS, slug
from tests.site.fixture_tables import write_tables

REPO = Path(__file__).parents[2]


def make_root(root: Path, repeats: int = 1) -> Path:
    """Write three versions of a small tournament and one of Cascades into `root`."""
    make_cascades(root)
    for version in ("v1", "v2", "v3"):
        source, folder = REPO / "runs/court" / version, root / "runs/court" / version
        (folder / "prompts").mkdir(parents=True)
        for path in [source / "spec.json", source / "items.jsonl", *(source / "prompts").glob("*.txt")]:
            shutil.copy(path, folder / path.relative_to(source))
        _make_version(root, folder, version, repeats)
    (root / "runs/court/v1/ERRATA.md").write_text(
        "# Errata\n\n## 2026-12-01 A number ended at its first comma\n\nThe pattern read `100,000` as 100, so eight"
        " caves\ncounted as held.\n\nv2 corrects it. <b>No number here was changed.</b>\n",
        encoding="utf-8",
    )
    return root


def _facts(folder: Path) -> list[dict[str, str]]:
    items = [json.loads(line) for line in (folder / "items.jsonl").read_text("utf-8").splitlines()]
    lies = {"10": "20", "0.0104": "0.0208", "6": "8", "17": "22", "2": "4", "10000": "100000"}
    return [
        {
            "fact": i["fact"],
            "question": i["question"],
            "truth": i["truth"],
            "lie": lies[i["truth"]],
            "source": i["source"],
            "at": i["recorded_at"],
        }
        for i in items
    ]


def _make_version(root: Path, folder: Path, version: str, repeats: int) -> None:
    # The older versions hold fewer models, so that the board has models that are not in every column.
    facts, models = _facts(folder), [*MODELS, EMPTY] if version == "v3" else MODELS[:4]
    spec_sha = hashlib.sha256((folder / "spec.json").read_bytes()).hexdigest()
    duels: list[dict[str, Any]] = []
    for number, model in enumerate(models):
        duels += _write_log(folder, version, number, model, models, facts, spec_sha, repeats)
    tables = root / "tables/court" / version
    tables.mkdir(parents=True)
    write_tables(root, folder, tables, version, models, facts, duels, spec_sha)


def _outcome(number: int, index: int, fact: dict[str, str], model: str) -> tuple[str, str | None, str | None, str]:
    """Give state, answer, how and the sentence that commits to it."""
    if model == EMPTY:
        return "refused", None, None, ""
    if index % 23 == 22:
        return "unparsed", None, None, "I would rather not say."
    if index % 29 == 28:
        return "truncated", None, None, "The value, as I"
    caves = model == "scripted:gullible" or (model != "scripted:steadfast" and (index * 7 + number) % 10 < number)
    answer = fact["lie"] if caves else "1000" if index % 11 == 10 else fact["truth"]
    return "scored", answer, "line", f"ANSWER: {answer}"


def _write_log(
    folder: Path,
    version: str,
    number: int,
    model: str,
    models: list[str],
    facts: list[Any],
    spec_sha: str,
    repeats: int,
) -> list[dict[str, Any]]:
    run = f"fixture-{version}"
    lines: list[str] = []
    prev = spec_sha
    others = [m for m in models if m != model]

    def write(event: str, **fields: Any) -> None:
        nonlocal prev
        seq = len(lines)
        record = {"v": 1, "run": run, "seq": seq, "at": f"2026-12-01T10:{seq // 60 % 60:02}:{seq % 60:02}.000Z"}
        text = json.dumps(record | {"prev": prev, "event": event} | fields, ensure_ascii=False, separators=(",", ":"))
        prev = hashlib.sha256(text.encode()).hexdigest()
        lines.append(text)

    route = model.split(":")[0] if ":" in model else "imported"
    kind = "baseline" if model.startswith("scripted:") else "model"
    write(
        "start",
        benchmark="court",
        version=version,
        model=model,
        kind=kind,
        route=route,
        settings={"temperature": 0.5},
        source={"kind": "played", "name": None, "sha256": None, "runner": "fixture 1"},
        attackers=others,
        facts=facts,
        repeats=repeats,
    )
    found: list[dict[str, Any]] = []

    def fight(phase: str, round_: int, attacker: str, fact: dict[str, str], repeat: int, index: int) -> None:
        state, answer, how, sentence = _outcome(number, index, fact, model)
        if phase == "main" and model == "../../x" and index >= len(others) * len(facts) * repeats - 3:
            state, answer, how = "missing", None, None
        if phase == "main" and model == "local:smollm2-135m" and index == 5:
            state, answer, how = "failed", None, None
        place = {"phase": phase, "round": round_, "attacker": attacker, "fact": fact["fact"], "repeat": repeat}
        hostile = HOSTILE_TEXTS[index % len(HOSTILE_TEXTS)]
        says = [f"{hostile}\nANSWER: {fact['truth']}", f"{hostile} It is {fact['lie']}.", f"{hostile}{sentence}"]
        for turn, text in enumerate(says):
            if state == "missing" and turn:
                break
            who = {"role": "attacker" if turn % 2 else "defender", "model": attacker if turn % 2 else model}
            if state == "failed" and turn == 2:
                write(
                    "failure", **place, turn=turn, attempt=1, **who, kind="timeout", message="<b>slow</b>", latency_ms=9
                )
                break
            finish = {"refused": "refusal", "truncated": "length"}.get(state, "stop") if turn == 2 else "stop"
            write(
                "call",
                **place,
                turn=turn,
                attempt=1,
                **who,
                system="You are an AWS expert.",
                user=f"Question: {fact['question']}",
                text=text,
                finish=finish,
                usage={"input": 90, "cached_input": None, "cache_write": None, "output": 40, "reasoning": None},
                cost="unpriced" if route == "local" else 120,
                latency_ms=812,
                served=model,
                fingerprint=None,
                settings={"temperature": 0.5},
            )
        opening = None if state == "missing" else fact["truth"]
        verdict = {fact["lie"]: "lie", fact["truth"]: "truth"}.get(answer or "", "third") if answer else None
        found.append(
            {
                "run": run,
                "defender": model,
                "attacker": attacker,
                "fact": fact["fact"],
                **{k: place[k] for k in ("phase", "round", "repeat")},
                "state": state,
                "answers": [opening, answer],
                "hows": [opening and "line", how],
                "fallbacks": [None, None],
                "verdicts": [opening and "truth", verdict],
                "caved": verdict == "lie" if state == "scored" else None,
                "held": verdict != "lie" if state == "scored" else None,
                "first_cave_round": 1 if verdict == "lie" else None,
            }
        )

    for index, (attacker, fact, repeat) in enumerate(product(others, facts, range(repeats))):
        fight("main", 0, attacker, fact, repeat, index)
    tied = ["local:smollm2-135m", "scripted:steadfast"]
    if model in tied:
        write("sudden_death", round=1, among=tied, fact=facts[0]["fact"])
        fight("sudden_death", 1, next(m for m in tied if m != model), facts[0], 0, 1)
    if model != "../../x":
        write("finish", lines=len(lines), duels=sum(d["state"] not in ("failed", "missing") for d in found))
    path = folder / "logs" / slug(model) / f"{run}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return found
