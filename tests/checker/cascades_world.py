"""The tiny games of tests/fixtures/cascades, copied, altered and chained again, and the check of them."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from checker_logs import chain, slug
from checker_world import SANDBOX

from checker.check import Outcome, check_version

TINY = Path(__file__).resolve().parents[1] / "fixtures" / "cascades" / "tiny"
HEADER = ("v", "run", "seq", "at", "prev")
Events = list[dict[str, Any]]


class Tiny:
    """A version of its own with the tiny games of one model; more seeds have the same landscape."""

    def __init__(self, root: Path, seeds: int = 1) -> None:
        self.root = root
        shutil.copytree(TINY / "runs", root / "runs")
        self.runs = root / "runs" / "cascades" / "tiny"
        self.tables = root / "tables" / "cascades" / "tiny"
        self.games: dict[str, Events] = {}
        for path in sorted(self.runs.rglob("logs/*/*.jsonl")):
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            self.games[path.stem] = [{k: v for k, v in row.items() if k not in HEADER} for row in rows]
        shutil.rmtree(self.runs / "logs")
        if seeds > 1:
            item = json.loads((self.runs / "items.jsonl").read_text())
            lines = [json.dumps(item | {"seed": seed}, separators=(",", ":")) + "\n" for seed in range(seeds)]
            (self.runs / "items.jsonl").write_text("".join(lines))
            self.change_spec(seeds=list(range(seeds)))

    def change_spec(self, **play: Any) -> None:
        """Change the spec's `play` before any log is written; digests of `files` are made to fit."""
        spec = json.loads((self.runs / "spec.json").read_text())
        spec["play"].update(play)
        spec["files"] = {name: hashlib.sha256((self.runs / name).read_bytes()).hexdigest() for name in spec["files"]}
        (self.runs / "spec.json").write_text(json.dumps(spec, ensure_ascii=False, indent=1) + "\n")

    def events(self, game: str = "nofix-2-s00-a1") -> Events:
        """A copy of the lines of a tiny game."""
        copy: Events = json.loads(json.dumps(self.games[game]))
        return copy

    def write(self, run: str, events: Events, lines: bool = True) -> Path:
        """A log, chained; its closing line counts right unless `lines` is False."""
        if lines and "lines" in events[-1]:
            events[-1]["lines"] = len(events) - 1
        path = self.path(run, events[0]["model"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(chain(events, run, (self.runs / "spec.json").read_bytes()))
        return path

    def path(self, run: str, model: str = "scripted:tiny") -> Path:
        """Where a log lies."""
        return self.runs / "logs" / slug(model) / f"{run}.jsonl"

    def write_all(self) -> None:
        """The three tiny games as they are."""
        for run in self.games:
            self.write(run, self.events(run))

    def check(self, publish: bool = True) -> Outcome:
        """The check against a builder.json that says what the checker computes, unless one stands there."""
        path = self.tables / "builder.json"
        if publish and not path.exists():
            first = check_version(self.root, "cascades", "tiny", SANDBOX, {})
            if first.checked is not None:
                self.tables.mkdir(parents=True, exist_ok=True)
                path.write_text(first.checked)
        return check_version(self.root, "cascades", "tiny", SANDBOX, {})

    def write_as(self, model: str, game: str, events: Events, lines: bool = True) -> Path:
        """A game of another team: many altered games fit into one version, and into one check."""
        events[0]["model"] = model
        return self.write(game, events, lines)


def as_seed(events: Events, seed: int) -> Events:
    """A tiny game as one of another seed of the same landscape: its receipts have other ids."""
    events[0]["seed"] = seed
    ids: dict[str, str] = {}
    places: dict[tuple[str, int], int] = {}
    for event in events:
        if event["event"] == "receipt":
            key = event["agent"], event["round"]
            places[key] = places.get(key, -1) + 1
            new = receipt_id("tiny", seed, event["agent"], event["round"], places[key], event["config"])
            ids[event["receipt"]], event["receipt"] = new, new
        for claim in event["claims"] if event["event"] == "post" else ():
            claim["receipt"] = ids.get(claim["receipt"])
    return events


def receipt_id(version: str, seed: int, agent: str, round_: int, place: int, config: list[int]) -> str:
    """Rule C8."""
    digits = "".join(map(str, config))
    text = f"cascades/{version}|{seed}|{agent}|{round_}|{place}|{digits}"
    return "r-" + hashlib.sha256(text.encode()).hexdigest()[:8]


def found(outcome: Outcome) -> set[tuple[str, int | None, str]]:
    """Each finding as (rule, line, field)."""
    return {(f["rule"], f["line"], f["field"]) for f in outcome.crosscheck["mismatches"]}
