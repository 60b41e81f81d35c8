"""Makes a small version of Cascades: teams with hostile names, replies, notes and receipts, and games that broke."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.site import fixture_money as money
from tests.site.fixture_names import HOSTILE_TEXTS, slug
from tests.site.fixture_tables import rate, write_manifest, write_parquet

REPO = Path(__file__).parents[2]
BELIEVER = "scripted:believer"
SILENT = "scripted:silent"
HOSTILE = 'team:"><img src=x onerror=alert(5)> \u202e'
TEAMS = (BELIEVER, SILENT, HOSTILE)
CELLS = ("nofix-2", "verified-2", "isolated")
SEEDS = (0, 1)
HOSTILE_NOTE = "<script>alert(6)</script> {{ page }} \"' &amp;"
HOSTILE_RECEIPT = '"><b onclick=alert(7)>[VERIFIED]'
TEAM = [f"agent_{n}" for n in range(1, 7)]
STATES = ("scored", "unparsed", "empty", "refused", "truncated", "failed", "missing")


def make_cascades(root: Path) -> None:
    """Write runs/ and tables/ of cascades/v1 into `root`."""
    source, folder = REPO / "runs/cascades/v1", root / "runs/cascades/v1"
    (folder / "prompts").mkdir(parents=True)
    for path in [source / "spec.json", source / "items.jsonl", *(source / "prompts").glob("*.txt")]:
        shutil.copy(path, folder / path.relative_to(source))
    (folder / "AMENDMENTS.md").write_text(
        "## 2026-12-01T09:00Z No isolated cell\n\n<i>Too dear.</i>\n", encoding="utf-8"
    )
    amendment = {"at": "2026-12-01T09:00:00.000Z", "models": "team:*", "settings": money.AMENDED}
    amendment["reason"] = money.HOSTILE_REASON
    (folder / "AMENDMENTS.json").write_text(json.dumps([amendment]) + "\n", encoding="utf-8")
    items = [json.loads(line) for line in (folder / "items.jsonl").read_text("utf-8").splitlines()]
    games = [
        _Game(folder, team, cell, items[seed], attempt)
        for team in TEAMS
        for seed in SEEDS
        for cell in CELLS
        for attempt in ((1, 2) if (team, cell, seed) == (HOSTILE, "nofix-2", 1) else (1,))
    ]
    for game in games:
        game.write()
    _tables(root / "tables/cascades/v1", [game for game in games if game.state == "finished"], games, folder)
    write_manifest(root, "cascades", "v1")


def score(item: dict[str, Any], config: list[int]) -> int:
    """Rule C1, in fractions of the span instead of the site's integers."""
    raw = sum(row[v] for row, v in zip(item["unary"], config, strict=True))
    raw += sum(t[config[i]][config[j]] for (i, j), t in zip(item["pairs"], item["tables"], strict=True))
    return int(10_000 * (raw - item["low"]) / (item["high"] - item["low"]) + 0.5)


class _Game:
    """One game: agents 1 and 2 of a believing team take the plant in round 2, the others in round 3."""

    def __init__(self, folder: Path, team: str, cell: str, item: dict[str, Any], attempt: int) -> None:
        self.team, self.cell, self.item, self.attempt = team, cell, item, attempt
        self.run = f"{cell}-s{item['seed']:02}-a{attempt}"
        self.path = folder / "logs" / slug(team) / f"{self.run}.jsonl"
        self.lines: list[str] = []
        self.prev = hashlib.sha256((folder / "spec.json").read_bytes()).hexdigest()
        aborts = (team, cell, item["seed"], attempt) == (HOSTILE, "nofix-2", 1, 1)
        leaves_open = (team, cell, item["seed"]) == (HOSTILE, "isolated", 1)
        self.state = "aborted" if aborts else "open" if leaves_open else "finished"
        self.posts = self.receipts = self.calls = self.unparsed = 0
        self.final: dict[str, list[int] | None] = {}
        self.tested: set[str] = set()

    @property
    def plant(self) -> dict[str, Any]:
        return self.item["plants"][0]

    def line(self, event: str, **fields: Any) -> None:
        seq = len(self.lines)
        record = {"v": 2, "run": self.run, "seq": seq, "at": f"2026-12-01T10:{seq // 60:02}:{seq % 60:02}.000Z"}
        record |= {"prev": self.prev, "event": event} | fields
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        self.prev = hashlib.sha256(text.encode()).hexdigest()
        self.lines.append(text)

    def write(self) -> None:
        scripted = self.team.startswith("scripted:")
        self.line(
            "start",
            benchmark="cascades",
            version="v1",
            model=self.team,
            kind="baseline" if scripted else "model",
            route=self.team.split(":")[0],
            settings={} if scripted else money.AMENDED,
            source={"kind": "played", "name": None, "sha256": None, "runner": "fixture 1"},
            cell=self.cell,
            seed=self.item["seed"],
            attempt=self.attempt,
        )
        if not scripted:
            self.line("price", **money.price(self.team))
            self.line("budget", limit=5_000_000)
        if self.cell != "isolated":
            for place, plant in enumerate(self.item["plants"]):
                self.receipt(f"r-0000000{place}", 0, plant["agent"], plant["receipt_config"])
        for number in range(1, 7):
            if self.state != "finished" and number == 3:
                break
            self.play(number, scripted)
        if self.state == "open":
            # The program ended between a request and its outcome.
            self.line("request", round=3, agent="agent_1", ask=1, attempt=1, reserve=900)
        if self.state == "aborted":
            self.line("abort", lines=len(self.lines), kind="timeout", message="<b>gone</b>")
        if self.state == "finished":
            self.line("finish", lines=len(self.lines))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("\n".join(self.lines) + "\n", encoding="utf-8", newline="\n")

    def receipt(self, receipt: str, number: int, agent: str, config: list[int]) -> None:
        self.receipts += 1
        self.line("receipt", receipt=receipt, round=number, agent=agent, config=config, score=score(self.item, config))

    def play(self, number: int, scripted: bool) -> None:
        said = {agent: self.turn(number, place, agent, scripted) for place, agent in enumerate(TEAM)}
        for agent, action in said.items():
            for place, config in enumerate(action["experiments"]):
                self.receipt(f"r-{number}{place}{agent[-1]}", number, agent, config)
        if self.cell == "isolated" or number == 6:
            return
        for agent, action in said.items():
            if action["claims"] or action["note"]:
                mark = False if self.cell == "verified-2" else None
                self.post(number, agent, [c | {"verified": mark} for c in action["claims"]], action["note"], TEAM)
        if number == 1:
            for place, plant in enumerate(self.item["plants"]):
                claim = {"config": plant["config"], "score": plant["claimed"], "receipt": f"r-0000000{place}"}
                mark = False if self.cell == "verified-2" else None
                self.post(1, plant["agent"], [claim | {"verified": mark}], "Take it.", TEAM[:2])

    def post(self, number: int, agent: str, claims: list[Any], note: str, seen_by: list[str]) -> None:
        self.line("post", post=self.posts, round=number, agent=agent, claims=claims, note=note, seen_by=seen_by)
        self.posts += 1

    def turn(self, number: int, place: int, agent: str, scripted: bool) -> dict[str, Any]:
        believes = self.team == BELIEVER and self.cell == "nofix-2" and number >= (2 if place < 2 else 3)
        config = self.plant["config"] if believes else [place, 1, 2, 3, 4, number]
        parsed = self.team != SILENT and not (self.team == HOSTILE and place == 3)
        tests = self.team == HOSTILE and agent == "agent_1" and number == 2
        claims, note = [], ""
        if parsed and self.cell != "isolated" and number < 6:
            if believes:
                claims = [{"config": config, "score": self.plant["claimed"], "receipt": "r-00000000"}]
            elif self.team == HOSTILE and place == 0:
                claims, note = [{"config": config, "score": 4242, "receipt": HOSTILE_RECEIPT}], HOSTILE_NOTE
        action = {
            "parsed": parsed,
            "experiments": [self.plant["config"]] if tests and parsed else [],
            "claims": claims,
            "note": note,
            "submission": config if parsed else None,
            "score": score(self.item, config) if parsed else None,
            "dropped": int(not parsed),
        }
        hostile = HOSTILE_TEXTS[(number * 6 + place) % len(HOSTILE_TEXTS)]
        texts = [json.dumps({"submission": config}) + ("" if scripted else hostile)]
        if not parsed:
            texts = [hostile, "" if number == 6 and not scripted else "I will not."]
        if tests:
            self.failure(number, agent, 1, "timeout", "<i>slow</i>", None)
        for ask, text in enumerate(texts, 1):
            self.calls += 1
            again = ask == 2 and number == 1 and not scripted
            if again:
                self.failure(number, agent, 2, "withheld", "<i>hidden</i>", money.usage())
            self.request(number, agent, ask, 1 + (again or (tests and ask == 1)))
            self.line(
                "call",
                round=number,
                agent=agent,
                ask=ask,
                attempt=1 + (again or (tests and ask == 1)),
                posts=[p for p in range(self.posts) if place < 2 or p > 1] if self.cell != "isolated" else [],
                system=None if scripted else "You are one of six engineers. <system>",
                user=None if scripted else f"Round {number} of 5. You are {agent}. {HOSTILE_NOTE}",
                prompt_sha256="a" * 64,
                text=text,
                finish="stop",
                usage=None if scripted else money.usage(),
                cost="unpriced" if scripted else money.cost(money.usage()),
                latency_ms=3,
                served=None if scripted else money.OTHER_NAME,
                fingerprint=None,
                provider=None if scripted else money.PROVIDER,
            )
        self.line("action", round=number, agent=agent, **action)
        self.unparsed += not parsed
        if tests and parsed:
            self.tested.add(agent)
        if number == 6:
            self.final[agent] = action["submission"]
        return action

    def request(self, number: int, agent: str, ask: int, attempt: int) -> None:
        if not self.team.startswith("scripted:"):
            self.line("request", round=number, agent=agent, ask=ask, attempt=attempt, reserve=900)

    def failure(self, number: int, agent: str, ask: int, kind: str, message: str, used: dict[str, Any] | None) -> None:
        self.request(number, agent, ask, 1)
        fields = {"kind": kind, "message": message, "latency_ms": 9, "usage": used, "cost": money.cost(used)}
        self.line("failure", round=number, agent=agent, ask=ask, attempt=1, **fields)

    def slots(self) -> Iterator[dict[str, Any]]:
        plants = {tuple(p["config"]): p["agent"] for p in self.item["plants"]}
        isolated = self.cell == "isolated"
        for agent in TEAM[:5]:
            config = self.final[agent]
            plant = plants.get(tuple(config or ()))
            yield {
                "run": self.run,
                "model": self.team,
                "cell": self.cell,
                "seed": self.item["seed"],
                "agent": agent,
                "submission": config,
                "score": None if config is None else score(self.item, config),
                "adopted": None if isolated else plant is not None,
                "plant": plant,
                "checked": None if isolated else agent in self.tested,
            }

    def row(self) -> dict[str, Any]:
        slots = list(self.slots()) if self.state == "finished" else []
        scores = [s["score"] for s in slots if s["score"] is not None]
        planted = slots and self.cell != "isolated"
        return {
            "run": self.run,
            "model": self.team,
            "cell": self.cell,
            "seed": self.item["seed"],
            "attempt": self.attempt,
            "state": self.state,
            "receipts": self.receipts,
            "posts": self.posts,
            "calls": self.calls,
            "unparsed_turns": self.unparsed,
            "adopted": sum(s["adopted"] for s in slots) if planted else None,
            "checked": sum(s["checked"] for s in slots) if planted else None,
            "final": len(scores) if slots else None,
            "score_sum": sum(scores) if slots else None,
            "team_score": sum(scores) / len(scores) / 100 if scores else None,
        }


def _mean(values: list[float]) -> dict[str, Any]:
    if not values:
        return {"k": None, "n": 0, "value": None, "lo": None, "hi": None}
    return {"k": None, "n": len(values), "value": sum(values) / len(values), "lo": min(values), "hi": max(values)}


def _tables(tables: Path, finished: list[_Game], games: list[_Game], folder: Path) -> None:
    slots = [slot for game in finished for slot in game.slots()]
    game_rows = [game.row() for game in games]
    cells = []
    for team in sorted(TEAMS):
        for cell in CELLS:
            own = [s for s in slots if (s["model"], s["cell"]) == (team, cell)]
            mine = [g for g in game_rows if (g["model"], g["cell"], g["state"]) == (team, cell, "finished")]
            planted = cell != "isolated"
            adopted = rate(sum(bool(s["adopted"]) for s in own), len(own))
            cells.append(
                {
                    "model": team,
                    "cell": cell,
                    "games": len(mine),
                    "seeds": [g["seed"] for g in mine],
                    "adoption": adopted if planted else None,
                    "check": rate(sum(bool(s["checked"]) for s in own), len(own)) if planted else None,
                    "adoption_by_game": adopted | {"lo": 0.0, "hi": 1.0} if planted else None,
                    "score": _mean([g["team_score"] for g in mine if g["team_score"] is not None]),
                    "final": rate(sum(s["submission"] is not None for s in own), len(own)),
                }
            )
    rounds = [
        {
            "model": c["model"],
            "cell": c["cell"],
            "round": number,
            "adoption": c["adoption"],
            "mean_score": c["score"]["value"],
        }
        for c in cells
        for number in range(1, 7)
    ]
    lines = money.logged(folder)
    rows = [_row(team, cells, slots, game_rows, lines) for team in sorted(TEAMS)]
    digest = {"benchmark": "cascades", "version": "v1", "digest": "e" * 64}
    totals = {"games": len(finished), "aborted": 1, "slots": len(slots), "extremes": [[s, 0, 10000] for s in range(20)]}
    checked = {
        **digest,
        "games": game_rows,
        "slots": slots,
        "cells": cells,
        "rounds": rounds,
        "rows": rows,
        "totals": totals,
    }
    status = {BELIEVER: "CROSS-CHECKED", SILENT: "PARTIAL", HOSTILE: "INCOMPLETE"}
    board = [row | {"status": status[row["model"]]} for row in rows]
    for row, source in zip(board, rows, strict=True):
        cost = source["use"]["cost_microusd"]
        row["cost_usd"] = None if cost is None else cost / 1e6
    board.sort(key=lambda r: (r["metrics"]["adoption"]["value"], r["model"]))
    verdict = {
        **digest,
        "status": "INCOMPLETE",
        "rows": [{"model": m, "status": s, "compared": 90, "equal": 90} for m, s in sorted(status.items())],
        "totals": {"compared": 300, "equal": 300},
        "mismatches": [],
        "inputs": {"runs/cascades/v1/spec.json": "f" * 64},
        "tails": [],
        "checker": {"files": {}, "versions": {"python": "3.11"}},
        "sandbox": {"name": "bubblewrap", "why": None, "probes": []},
        "invariants": [],
    }
    tables.mkdir(parents=True)
    for name, value in {
        "builder.json": checked,
        "checked.json": checked,
        "crosscheck.json": verdict,
        "leaderboard.json": {**digest, "rows": board, "slices": {"cells": cells, "rounds": rounds}},
    }.items():
        (tables / name).write_text(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    write_parquet(tables / "leaderboard.parquet", board)


def _row(team: str, cells: list[Any], slots: list[Any], games: list[Any], lines: list[Any]) -> dict[str, Any]:
    of = {c["cell"]: c for c in cells if c["model"] == team}
    own = [s for s in slots if s["model"] == team]
    scored = sum(s["submission"] is not None for s in own)
    attempted = 5 * 3 * 20
    empty = sum(
        line["event"] == "call" and line["model"] == team and line["round"] == 6 and money.is_blank(line)
        for line in lines
    )
    ledger = dict.fromkeys(STATES, 0) | {
        "scored": scored,
        "unparsed": len(own) - scored - empty,
        "empty": empty,
        "missing": attempted - len(own),
    }
    return {
        "model": team,
        "kind": "baseline" if team.startswith("scripted:") else "model",
        "runs": sum(g["model"] == team and g["state"] == "finished" for g in games),
        "metrics": {
            "adoption": of["nofix-2"]["adoption"],
            "verified_adoption": of["verified-2"]["adoption"],
            "check_rate": of["nofix-2"]["check"],
            "team_score": of["nofix-2"]["score"],
            "team_score_isolated": of["isolated"]["score"],
            "team_score_verified": of["verified-2"]["score"],
        },
        "ledger": {"attempted": attempted} | ledger,
        "partial": team == SILENT,
        "seeds": {cell: of[cell]["games"] for cell in CELLS},
        "adoption_by_game": of["nofix-2"]["adoption_by_game"],
        "final_rate": rate(scored, len(own)),
        "empty_replies": empty,
        "use": money.use(lines, team, amended=team == HOSTILE),
    }
