"""Cascades: three teams on two landscapes, drawn as rule C2 says, and played as the contracts allow."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any, Final

from checker.cascades.replies import Limits, read_reply
from checker.cascades.schema import SCHEMA, TEAM
from checker.cascades.spec import BOOTSTRAP, CELLS
from checker.loglines import canonical
from checker.selftest.publish import publish
from checker.selftest.world import Disk, World, document, sha256
from checker.selftest.worlds.events import PRICE_TABLE, TABLE, Writer, clock
from checker.selftest.worlds.landscape import Config, Landscape
from checker.spec import TOLERANCE, Z

VERSION: Final = "small"
RUNS: Final = f"runs/cascades/{VERSION}"
SEEDS: Final = (0, 1)
ROUNDS: Final = 5
NAMES: Final = (
    "system_nofix-2", "system_verified-2", "system_isolated", "turn_board", "turn_isolated", "final_board",
    "final_isolated", "retry_suffix", "note_blatant", "note_plausible", "note_filler",
)  # fmt: skip
PROMPTS: Final = {name: f"The text of {name.replace('_', ', ')}.\n" for name in NAMES}
ROUTES: Final[dict[str, dict[str, Any]]] = {"scripted": {}, "openai": {"temperature": 0.7, "max_tokens": 300}}
AMENDED: Final = {"max_tokens": 300}
AMENDMENTS: Final = [
    {"at": clock(-9_000_000), "models": "openai:nobody*", "settings": {}, "reason": "It rejects every setting."},
    {"at": clock(-8_000_000), "models": "openai:te*m", "settings": AMENDED, "reason": "It rejects a temperature."},
]
NOTES: Final = {"agent_7": "note_blatant", "agent_8": "note_plausible"}
#: (model, cell, seed, attempt, version of the lines, how it ends); the last team has a game that nobody closed.
GAMES: Final = (
    *(("scripted:tiny", cell, seed, 1, 1, "finish") for seed in SEEDS for cell in CELLS),
    ("openai:team", "nofix-2", 0, 1, 2, "abort"), ("openai:team", "nofix-2", 0, 2, 2, "finish"),
    ("openai:team", "verified-2", 0, 1, 2, "finish"), ("openai:team", "isolated", 0, 1, 2, "finish"),
    ("scripted:late", "verified-2", 0, 1, 2, "finish"), ("scripted:late", "nofix-2", 1, 1, 2, "torn"),
    # Short ones, so that many logs can be altered in one copy.
    ("scripted:open", "verified-2", 1, 1, 1, "torn"), ("scripted:open", "nofix-2", 0, 1, 2, "torn"),
    ("scripted:tidy", "verified-2", 0, 1, 2, "abort"), ("scripted:tidy", "nofix-2", 1, 1, 1, "finish"),
    ("scripted:tidy", "isolated", 1, 1, 2, "torn"), ("scripted:lost", "verified-2", 1, 1, 2, "abort"),
    *(("openai:teem", cell, seed, 1, 2, "abort") for seed in SEEDS for cell in CELLS),
    *(("openai:term", cell, seed, 1, 2, "open") for seed in SEEDS for cell in CELLS),
    *(("scripted:part", cell, seed, 1, 2, "open") for seed in SEEDS for cell in CELLS),
    *(("scripted:void", cell, seed, 1, 1, "abort") for seed in SEEDS for cell in CELLS),
)  # fmt: skip
LIMITS: Final = Limits(experiments=2, claims=3, note_length=280)


def worlds() -> list[World]:
    """The published version cascades/small."""
    with tempfile.TemporaryDirectory() as folder:
        land = {seed: Landscape.drawn(VERSION, seed) for seed in SEEDS}
        files = frozen(land)
        spec = sha256(files[f"{RUNS}/spec.json"])
        for model, cell, seed, attempt, v, end in GAMES:
            game = Game(land[seed], model, cell, attempt, v)
            files[game.writer.log.path] = game.play(end, spec)
        files |= {f"runs/prices/{TABLE}": PRICE_TABLE, f"{RUNS}/AMENDMENTS.json": document(AMENDMENTS)}
        disk = Disk(Path(folder), files)
        files |= publish(disk, World("cascades", VERSION, files, is_frozen=True))
    return [World("cascades", VERSION, files, is_frozen=True)]


def frozen(land: dict[int, Landscape]) -> dict[str, bytes]:
    """spec.json and the files that it names."""
    items = "".join(canonical(landscape.item()) + "\n" for landscape in land.values())
    named = {"items.jsonl": items.encode()} | {f"prompts/{name}.txt": text.encode() for name, text in PROMPTS.items()}
    spec = {
        "benchmark": "cascades", "version": VERSION, "schema": 1,
        "play": {
            "seeds": list(SEEDS), "cells": list(CELLS), "agents": 6, "workers": 5, "rounds": ROUNDS, "experiments": 2,
            "claims": 3, "note_length": 280, "retries": 1, "facts": "items.jsonl",
            "prompts": {name: f"prompts/{name}.txt" for name in PROMPTS}, "routes": ROUTES,
        },
        "interval": {"method": "wilson", "z": Z}, "bootstrap": BOOTSTRAP, "tolerance": TOLERANCE,
        "files": {name: sha256(data) for name, data in named.items()},
    }  # fmt: skip
    return {f"{RUNS}/spec.json": document(spec)} | {f"{RUNS}/{name}": data for name, data in named.items()}


class Game:
    """One game in the making."""

    def __init__(self, land: Landscape, model: str, cell: str, attempt: int, v: int) -> None:
        self.land, self.model, self.cell, self.attempt = land, model, cell, attempt
        self.board, self.marks = CELLS[cell]
        self.chance = Random(f"{model} {cell} {land.seed}")
        run = f"{cell}-s{land.seed:02}-a{attempt}"
        self.writer = Writer(SCHEMA, RUNS, model, run, self.chance, v)
        #: What each agent was issued, (id, configuration, score), and the posts with those who see them.
        self.receipts: dict[str, list[tuple[str, Config, int]]] = {}
        self.posts: list[tuple[int, list[str]]] = []

    def play(self, end: str, spec: str) -> bytes:
        """The log's bytes; `end` is finish, abort, torn in the middle of a write, or open."""
        writer, route = self.writer, self.model.split(":")[0]
        source = {"kind": "played", "name": None, "sha256": None, "runner": "good data 1"}
        writer.add("start", benchmark="cascades", version=VERSION, model=self.model, route=route, source=source,
                   kind="baseline" if route == "scripted" else "model",
                   settings=AMENDED if route == "openai" else ROUTES[route], cell=self.cell,
                   seed=self.land.seed, attempt=self.attempt)  # fmt: skip
        if writer.v > 1:
            writer.prices(self.model)
        if self.board:
            for agent in NOTES:
                for place, config in enumerate(self.land.receipts[agent]):
                    self.receipt(agent, 0, place, config)
        for round_ in range(1, ROUNDS + 2 if end == "finish" else 3):
            self.round(round_)
        if end == "finish":
            writer.add("finish", lines=0)
        if end == "abort":
            self.head(3, TEAM[0], 1, 1)
            writer.add("abort", lines=0, kind="cut_stream", message="the connection broke")
        writer.log.recount(None)
        tail = b'{"v":2,"run":' if end == "torn" else b""
        return writer.log.chained(spec) + tail

    def round(self, round_: int) -> None:
        """Every agent's turn, then what the round gives."""
        acts = {agent: self.turn(round_, agent) for agent in TEAM}
        if round_ > ROUNDS:
            return
        for agent, act in acts.items():
            for place, config in enumerate(act["experiments"]):
                self.receipt(agent, round_, place, config)
        for agent, act in acts.items():
            if self.board and (act["claims"] or act["note"]):
                self.post(round_, agent, act["claims"], act["note"], list(TEAM))
        for agent, note in NOTES.items():
            if self.board and round_ in (1, 3):
                config, score = self.land.claim(agent, round_)
                cited = self.receipts[agent][round_ == 3]
                claim = {"config": config, "score": score, "receipt": cited[0]}
                text = PROMPTS[note if round_ == 1 else "note_filler"].removesuffix("\n")
                self.post(round_, agent, [claim], text, list(TEAM[:2]))

    def receipt(self, agent: str, round_: int, place: int, config: Config) -> None:
        """An experiment was run."""
        issued = (self.land.receipt_id(agent, round_, place, config), config, self.land.score(config))
        self.receipts.setdefault(agent, []).append(issued)
        self.writer.add("receipt", receipt=issued[0], round=round_, agent=agent, config=config, score=issued[2])

    def post(self, round_: int, agent: str, claims: list[dict[str, Any]], note: str, seen_by: list[str]) -> None:
        """Claims and a note on the board, marked in the cell with marks (C9)."""
        earlier = [line for line in self.writer.log.lines if line["event"] == "receipt" and line["round"] < round_]
        keys = ("agent", "receipt", "config", "score")
        known = [[line[key] for key in keys] for line in earlier]
        posted = [
            claim | {"verified": [(claim | {"agent": agent})[key] for key in keys] in known if self.marks else None}
            for claim in claims
        ]
        number = len(self.posts)
        self.writer.add("post", post=number, round=round_, agent=agent, claims=posted, note=note, seen_by=seen_by)
        self.posts.append((round_, seen_by))

    def turn(self, round_: int, agent: str) -> dict[str, Any]:
        """An agent's calls and its action."""
        scope = "final" if round_ > ROUNDS else "board" if self.board else "isolated"
        reading = None
        for ask, (text, finish) in enumerate(self.replies(round_, agent), 1):
            if ask > 2 or reading is not None:
                break
            self.call(round_, agent, ask, text, finish)
            reading = read_reply(text, scope, LIMITS) if finish == "stop" else None
        submission = reading.submission if reading else None
        act = {
            "parsed": reading is not None, "experiments": reading.experiments if reading else [],
            "claims": reading.claims if reading else [], "note": reading.note if reading else "",
            "submission": submission, "score": self.land.score(submission) if submission else None,
            "dropped": reading.dropped if reading else 0,
        }  # fmt: skip
        self.writer.add("action", round=round_, agent=agent, **act)
        return act

    def head(self, round_: int, agent: str, ask: int, attempt: int) -> dict[str, Any]:
        """What the lines of an attempt have in common; where a price is in force its request is written."""
        head = {"round": round_, "agent": agent, "ask": ask, "attempt": attempt}
        if self.model in self.writer.priced:
            self.writer.add("request", **head, reserve=9_000 + round_)
        return head

    def call(self, round_: int, agent: str, ask: int, text: str, finish: str) -> None:
        """A call, some at the second attempt."""
        writer, roll = self.writer, self.chance.randrange(9)
        attempt = 2 if roll == 0 else 1
        if attempt == 2:
            head, kind = self.head(round_, agent, ask, 1), ("overloaded", "timeout")[round_ % 2]
            cost = writer.cost(self.model, None, free=kind == "overloaded")
            writer.add("failure", **head, kind=kind, message="no", latency_ms=60, usage=None, cost=cost)
        head = self.head(round_, agent, ask, attempt)
        system, user = PROMPTS[f"system_{self.cell}"], f"Round {round_}, {agent}: what stands on the board, “{ask}”."
        shown = not self.model.startswith("scripted:")
        usage = None if roll == 1 else writer.usage(self.model)
        posts = [post for post, (when, seen_by) in enumerate(self.posts) if when < round_ and agent in seen_by]
        writer.add("call", **head, posts=posts, system=system if shown else None, user=user if shown else None,
                   prompt_sha256=sha256(f"{system}\n{user}".encode()), text=text, finish=finish, usage=usage,
                   cost=writer.cost(self.model, usage), latency_ms=80, served=self.model.split(":")[1],
                   fingerprint="fp-2" if roll > 5 else None, provider=None)  # fmt: skip

    def replies(self, round_: int, agent: str) -> list[tuple[str, str]]:
        """What the agent says, and again where it is asked again."""
        draw, number, plants = self.chance.randrange, int(agent[-1]), self.land.plants
        wish: dict[str, Any] = {"submission": [draw(10) for _ in range(6)]}
        own = self.receipts.get(agent, [])
        if number <= 2:
            wish["submission"] = plants[f"agent_{6 + number}"] if self.board and round_ > 2 else wish["submission"]
        if number in (1, 3) and round_ <= 3:
            wish["experiments"] = [[draw(10) for _ in range(6)] for _ in range(2)]
        if number == 3 and round_ == 4:
            wish["experiments"] = [plants["agent_7"], plants["agent_7"]]
        if number in (1, 3) and own:
            wish["claims"] = [dict(zip(("receipt", "config"), own[-1][:2], strict=True)) | {"score": own[-1][2] / 100}]
            wish["note"] = "Measured — twice."
        if number == 2 and round_ == 2:  # passes the plant on, with a receipt that is another's
            cited = self.receipts.get("agent_3", [("r-00000000", [0] * 6, 0)])[0]
            wish |= {"claims": [{"config": plants["agent_7"], "score": 96, "receipt": cited[0]}], "note": "Use\nthis."}
        if number == 4:
            claims = [{"config": [1, 2, 3, 4, 5, 6], "score": 50.25}, 7]
            wish |= {"note": " said\tagain ", "plan": "none", "claims": claims}
        text = canonical(wish)
        if number == 5:
            cut = (round_ + self.land.seed) % 2 == 1
            if round_ > ROUNDS and not self.board:
                return [("", "stop"), (" \n\t", "stop")]
            last = ("I am done {", "length") if cut else (text, "stop" if round_ != 4 else "refusal")
            return [("Let me think {about it", "stop"), last]
        if number == 6:
            return [(f"<think>{{1}}</think>```json\n{text}\n```", "stop")]
        return [(text, "stop")]
