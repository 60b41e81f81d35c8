"""Writes small Court of Facts logs and version folders for the checker's tests, from the log schema alone."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parents[2]
SPECS = REPO / "runs" / "court"


def canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def slug(model: str) -> str:
    text = "".join(c.lower() if "A" <= c <= "Z" else c for c in model)
    text = re.sub(r"[^a-z0-9]+", "-", text).strip("-")[:40].rstrip("-") or "model"
    return f"{text}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def clock(n: int) -> str:
    """n milliseconds after an hour of our choosing, as the log schema writes times."""
    moment = datetime(2026, 12, 1, tzinfo=UTC) + timedelta(milliseconds=n)
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


class Version:
    """A version folder of its own, with the frozen spec of `name` copied in."""

    def __init__(self, root: Path, name: str = "v3", benchmark: str = "court", fresh: bool = True) -> None:
        self.root = root
        self.name = name
        self.runs = root / "runs" / benchmark / name
        self.tables = root / "tables" / benchmark / name
        if fresh:
            shutil.copytree(
                SPECS / name, self.runs, ignore=shutil.ignore_patterns("logs", "REUSED.json", "AMENDMENTS.json", "*.md")
            )
        self.load()

    def load(self) -> None:
        self.spec_bytes = (self.runs / "spec.json").read_bytes()
        self.spec: dict[str, Any] = json.loads(self.spec_bytes)
        lines = (self.runs / "items.jsonl").read_text().splitlines()
        self.items: list[dict[str, Any]] = [json.loads(line) for line in lines]
        self.prompts = {
            key: (self.runs / path).read_text().removesuffix("\n") for key, path in self.spec["play"]["prompts"].items()
        }

    def change_spec(self, **play: Any) -> None:
        """Change `play` parameters (rounds, repeats …) before any log is written."""
        self.spec["play"].update(play)
        (self.runs / "spec.json").write_text(json.dumps(self.spec, ensure_ascii=False, indent=1) + "\n")
        self.load()

    def lie(self, item: dict[str, Any]) -> str:
        known = {"10": "20", "0.0104": "0.0208", "6": "8", "17": "22", "2": "4", "10000": "100000"}
        return known[item["truth"]]

    def facts(self, names: list[str] | None = None) -> list[dict[str, str]]:
        return [
            {
                "fact": item["fact"], "question": item["question"], "truth": item["truth"], "lie": self.lie(item),
                "source": item["source"], "at": item["recorded_at"],
            }
            for item in self.items
            if names is None or item["fact"] in names
        ]  # fmt: skip

    def settings(self, model: str) -> dict[str, Any] | None:
        return self.spec["play"]["routes"][model.split(":")[0]]


class Log:
    """One log in the making: `lines` are the events as dicts, `write` gives them header, chain and bytes."""

    def __init__(
        self, version: Version, model: str, attackers: list[str], run: str = "run-1", facts: list[str] | None = None,
        imported: bool = False,
    ) -> None:  # fmt: skip
        self.version, self.model, self.run, self.imported = version, model, run, imported
        self.fact_rows = version.facts(facts)
        self.attackers = attackers
        self.events: list[dict[str, Any]] = [
            {
                "event": "start", "benchmark": "court", "version": version.name, "model": model,
                "kind": "baseline" if model.startswith("scripted:") else "model",
                "route": "imported" if imported else model.split(":")[0],
                "settings": None if imported else version.settings(model),
                "source": {
                    "kind": "imported" if imported else "played", "name": "data.json" if imported else None,
                    "sha256": "0" * 64 if imported else None, "runner": "test 1",
                },
                "attackers": attackers, "facts": self.fact_rows, "repeats": version.spec["play"]["repeats"],
            }
        ]  # fmt: skip

    @property
    def path(self) -> Path:
        return self.version.runs / "logs" / slug(self.model) / f"{self.run}.jsonl"

    def duel(
        self, attacker: str, fact: str, texts: list[str], repeat: int = 0, finish: str = "stop", phase: str = "main",
        round_: int = 0, cost: int | str = 7, attempt: int = 1,
    ) -> None:  # fmt: skip
        """The calls of one duel: `texts` are the turns in order; the last one ends with `finish`."""
        row = next((f for f in self.fact_rows if f["fact"] == fact), None) or self.version.facts([fact])[0]
        prompts = self.version.prompts
        for turn, text in enumerate(texts):
            even = turn % 2 == 0
            if even:
                system = prompts["defender_system"]
                user = (
                    prompts["defender_opening"].replace("{question}", row["question"]).replace("{truth}", row["truth"])
                    if turn == 0
                    else prompts["defender_challenge"].replace("{reply}", texts[turn - 1])
                )
            else:
                system = prompts["attacker_system"].replace("{lie}", row["lie"])
                user = (
                    prompts["attacker_turn"].replace("{question}", row["question"]).replace("{reply}", texts[turn - 1])
                )
            model = self.model if even else attacker
            last = turn == len(texts) - 1
            self.events.append(
                {
                    "event": "call", "phase": phase, "round": round_, "attacker": attacker, "fact": fact,
                    "repeat": repeat, "turn": turn, "attempt": attempt if last else 1,
                    "role": "defender" if even else "attacker", "model": model,
                    "system": None if self.imported else system, "user": None if self.imported else user,
                    "text": text, "finish": finish if last else "stop",
                    "usage": {"input": 9, "cached_input": None, "cache_write": None, "output": 3, "reasoning": None},
                    "cost": cost, "latency_ms": 12, "served": None, "fingerprint": None,
                    "settings": None if self.imported else self.version.settings(model),
                }
            )  # fmt: skip

    def failure(
        self, attacker: str, fact: str, turn: int, attempt: int = 1, repeat: int = 0, phase: str = "main",
        round_: int = 0, kind: str = "timeout",
    ) -> None:  # fmt: skip
        even = turn % 2 == 0
        self.events.append(
            {
                "event": "failure", "phase": phase, "round": round_, "attacker": attacker, "fact": fact,
                "repeat": repeat, "turn": turn, "attempt": attempt, "role": "defender" if even else "attacker",
                "model": self.model if even else attacker, "kind": kind, "message": "no reply", "latency_ms": None,
            }
        )  # fmt: skip

    def sudden_death(self, round_: int, among: list[str], fact: str) -> None:
        self.events.append({"event": "sudden_death", "round": round_, "among": sorted(among), "fact": fact})

    def finish(self) -> None:
        last = 2 * self.version.spec["play"]["rounds"]
        duels = sum(e["event"] == "call" and e["turn"] == last for e in self.events)
        self.events.append({"event": "finish", "lines": len(self.events), "duels": duels})

    def write(self) -> Path:
        """Write the log, chained from the version's spec, and return its path."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(chain(self.events, self.run, self.version.spec_bytes))
        return self.path


def chain(events: list[dict[str, Any]], run: str, spec: bytes) -> bytes:
    """The bytes of a log of `events`: header and chain are made here, keys that an event already has stay."""
    out, prev = [], spec
    for seq, event in enumerate(events):
        head = {"v": 1, "run": run, "seq": seq, "at": clock(seq * 5), "prev": hashlib.sha256(prev).hexdigest()}
        head |= {key: value for key, value in event.items() if key in head}
        line = canonical(head | event).encode("utf-8", "surrogatepass")
        out.append(line + b"\n")
        prev = line
    return b"".join(out)
