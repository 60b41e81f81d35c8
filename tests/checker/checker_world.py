"""A small published version to tamper with, and the check of it in this process."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import duckdb
from checker_logs import Log, Version, chain

from checker.check import Outcome, check_version
from checker.report import exit_code

SANDBOX = {
    "name": "bubblewrap", "why": None,
    "probes": [{"probe": "test", "expected": "refused", "found": "refused", "ok": True}],
}  # fmt: skip
A, B = "scripted:ann", "scripted:bob"
FACTS = ["lambda-concurrency", "s3-buckets"]
COUNTS = ("third_answers", "fallback_caves", "opening_caves")


def check(root: Path, version: str = "v3", sandbox: dict[str, Any] = SANDBOX) -> Outcome:
    """The check of one version without a sandbox, which is told that one is in force."""
    return check_version(root, "court", version, sandbox, {})


def code(outcome: Outcome) -> int:
    return exit_code(outcome.crosscheck, outcome.troubles)


def found(outcome: Outcome, rule: str, side: str | None = None) -> list[dict[str, Any]]:
    """The findings of one rule."""
    return [f for f in outcome.crosscheck["mismatches"] if f["rule"] == rule and (side is None or f["side"] == side)]


class World:
    """Two models, two facts, four duels; ann holds twice, bob caves on s3-buckets."""

    def __init__(self, root: Path, name: str = "v3", fresh: bool = True) -> None:
        self.root = root
        self.version = Version(root, name, fresh=fresh)
        self.ann = Log(self.version, A, [B], facts=FACTS)
        self.bob = Log(self.version, B, [A], facts=FACTS)
        self.ann.duel(B, FACTS[0], ["ANSWER: 10", "It is 20.", "Still.\nANSWER: 10"])
        self.ann.duel(B, FACTS[1], ["ANSWER: 10,000", 'It is "100000".', "ANSWER: 10000"])
        self.bob.duel(A, FACTS[0], ["ANSWER: 10", "It is 20 — é.", "ANSWER: 30"])
        self.bob.duel(A, FACTS[1], ["ANSWER: 10000", "It is 100,000.", "ANSWER: 100,000"])

    def write(self, finish: bool = True) -> None:
        for log in (self.ann, self.bob):
            if finish:
                log.finish()
            log.write()

    def publish(self, everything: bool = False) -> Outcome:
        """builder.json from the checker's own numbers (the shapes are equal); all published files if asked for."""
        tables = self.version.tables
        tables.mkdir(parents=True, exist_ok=True)
        first = check(self.root, self.version.name)
        assert first.checked is not None, first.troubles
        (tables / "builder.json").write_text(first.checked)
        outcome = check(self.root, self.version.name)
        if everything:
            (tables / "checked.json").write_text(first.checked)
            (tables / "crosscheck.json").write_text(json.dumps(outcome.crosscheck, ensure_ascii=False, indent=1) + "\n")
            write_board(tables, json.loads(first.checked), outcome.crosscheck)
            write_manifest(self.root, self.version)
        return outcome


def rewrite(path: Path, line: int, edit: Any) -> None:
    """Edit the bytes of one line of a log and nothing else; `edit` takes and gives bytes."""
    lines = path.read_bytes().split(b"\n")
    lines[line - 1] = edit(lines[line - 1])
    path.write_bytes(b"\n".join(lines))


def rechain(path: Path, spec: bytes) -> None:
    """Give the lines of a log new `prev` digests, as a forger would who knows how."""
    prev, out = spec, []
    for line in path.read_bytes().removesuffix(b"\n").split(b"\n"):
        at = line.find(b'"prev":"') + 8
        if at >= 8:  # an empty line has no prev to mend
            line = line[:at] + hashlib.sha256(prev).hexdigest().encode() + line[at + 64 :]
        out.append(line + b"\n")
        prev = line
    path.write_bytes(b"".join(out))


def write_board(tables: Path, checked: dict[str, Any], crosscheck: dict[str, Any]) -> None:
    """leaderboard.json, .csv and .parquet as tables.md describes them."""
    statuses = {row["model"]: row["status"] for row in crosscheck["rows"]}
    rows = []
    for row in checked["rows"]:
        cost = row["use"]["cost_microusd"]
        rows.append(
            {
                "model": row["model"], "kind": row["kind"], "status": statuses[row["model"]], "runs": row["runs"],
                "metrics": row["metrics"], "ledger": row["ledger"], "cost_usd": None if cost is None else cost / 1e6,
                **{key: row[key] for key in ("empty_replies", "use", *COUNTS)},
            }
        )  # fmt: skip
    rows.sort(key=lambda row: (row["metrics"]["cave_rate"]["value"] is None, row["metrics"]["cave_rate"]["value"] or 0))
    slices = {key: checked[key] for key in ("by_fact", "by_attacker", "defender_fact", "defender_attacker")}
    head = {key: checked[key] for key in ("benchmark", "version", "digest")}
    text = json.dumps(head | {"rows": rows, "slices": slices}, ensure_ascii=False, separators=(",", ":"))
    (tables / "leaderboard.json").write_text(text.replace("},{", "},\n{") + "\n")
    flat = []
    for row in rows:
        cells = {key: row[key] for key in ("model", "kind", "status", "runs")}
        cells |= {f"{name}_{part}": value for name, rate in row["metrics"].items() for part, value in rate.items()}
        cells |= row["ledger"]
        cells |= {key: row[key] for key in ("cost_usd", "empty_replies")}
        cells |= {key: value for key, value in row["use"].items() if key not in ("served", "fingerprints", "providers")}
        cells |= {key: row[key] for key in COUNTS}
        flat.append(cells)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(flat[0])
    writer.writerows([[_cell(value) for value in cells.values()] for cells in flat])
    (tables / "leaderboard.csv").write_text(stream.getvalue())
    write_parquet(tables / "leaderboard.parquet", flat)


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


def write_parquet(path: Path, flat: list[dict[str, Any]]) -> None:
    def kind(name: str) -> str:
        if name in ("model", "kind", "status"):
            return "VARCHAR"
        if name in ("served_differs", "settings_differ"):
            return "BOOLEAN"
        floats = name.startswith(("cost_usd", "cost_per_")) or name.endswith(("_value", "_lo", "_hi"))
        return "DOUBLE" if floats else "BIGINT"

    connection = duckdb.connect()
    connection.execute("CREATE TABLE board (" + ", ".join(f"{name} {kind(name)}" for name in flat[0]) + ")")
    marks = ", ".join("?" * len(flat[0]))
    connection.executemany(f"INSERT INTO board VALUES ({marks})", [list(cells.values()) for cells in flat])
    connection.execute(f"COPY board TO '{path}' (FORMAT parquet)")
    connection.close()


def write_manifest(root: Path, version: Version) -> None:
    paths = [p for folder in (version.runs, version.tables) for p in folder.rglob("*") if p.is_file()]
    files = {
        p.relative_to(root).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(paths)
        if p.name != "MANIFEST.json"
    }
    digest = json.loads((version.tables / "builder.json").read_text())["digest"]
    manifest = {"benchmark": "court", "version": version.name, "digest": digest, "files": dict(sorted(files.items()))}
    (version.tables / "MANIFEST.json").write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")


__all__ = ["FACTS", "A", "B", "World", "chain", "check", "code", "found", "rechain", "rewrite", "write_manifest"]
