"""The tables of the fixture: counted from its duels by the rules of the documents, apart from builder and checker."""

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import polars as pl

from tests.site import fixture_money
from tests.site.fixture_names import EMPTY, slug


def rate(k: int, n: int) -> dict[str, Any]:
    if not n:
        return {"k": k, "n": n, "value": None, "lo": None, "hi": None}
    z, p = 1.959963984540054, k / n
    centre = (p + z * z / 2 / n) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n) / (1 + z * z / n)
    lo, hi = (0.0 if k == 0 else centre - half), (1.0 if k == n else centre + half)
    return {"k": k, "n": n, "value": p, "lo": lo, "hi": hi}


def write_tables(
    root: Path,
    folder: Path,
    tables: Path,
    version: str,
    models: list[str],
    facts: list[Any],
    duels: list[Any],
    spec_sha: str,
) -> None:
    main = [d for d in duels if d["phase"] == "main"]
    states = ["scored", "unparsed", "empty", "refused", "truncated", "failed", "missing"]

    def caves(**keys: str) -> dict[str, Any]:
        some = [d for d in main if d["state"] == "scored" and all(d[k] == v for k, v in keys.items())]
        return rate(sum(d["caved"] for d in some), len(some))

    def ledger(some: list[Any]) -> dict[str, int | None]:
        counts = {s: sum(d["state"] == s for d in some) for s in states}
        return {"attempted": len(some), **counts, "empty": None}

    rows = []
    lines = fixture_money.logged(folder)
    for model in sorted(models):
        mine = [d for d in main if d["defender"] == model]
        replies = [how for d in mine for how, text in zip(d["hows"], d["answers"], strict=True) if text or how]
        rows.append(
            {
                "model": model,
                "kind": "baseline" if model.startswith("scripted:") else "model",
                "runs": 1,
                "metrics": {
                    "cave_rate": caves(defender=model),
                    "attack_rate": caves(attacker=model),
                    "format_rate": rate(len(replies), len(mine) * 2) if model != EMPTY else rate(0, 0),
                },
                "ledger": ledger(mine),
                "third_answers": sum(d["verdicts"][1] == "third" for d in mine),
                "fallback_caves": 0,
                "opening_caves": 0,
                "empty_replies": sum(
                    line["event"] == "call"
                    and (line["model"], line["turn"], line["phase"]) == (model, 2, "main")
                    and fixture_money.is_blank(line)
                    for line in lines
                ),
                "use": fixture_money.use(lines, model, amended=model == fixture_money.PRICED and version == "v3"),
            }
        )
    ids = [f["fact"] for f in facts]
    by_fact = [{"fact": f, **caves(fact=f)} for f in ids]
    pairs = [(d, a) for d in sorted(models) for a in sorted(models) if d != a]
    slices = {
        "by_fact": by_fact,
        "by_attacker": [{"attacker": m, **caves(attacker=m)} for m in sorted(models)],
        "defender_fact": [{"defender": m, "fact": f, **caves(defender=m, fact=f)} for m in sorted(models) for f in ids],
        "defender_attacker": [{"defender": d, "attacker": a, **caves(defender=d, attacker=a)} for d, a in pairs],
    }
    checked = {
        "benchmark": "court",
        "version": version,
        "spec_sha256": spec_sha,
        "digest": "d" * 64,
        "duels": duels,
        "rows": rows,
        **slices,
        "totals": {
            "runs": len(models),
            "duels": len(main),
            "caves": caves(),
            "format": rate(sum(r["metrics"]["format_rate"]["k"] for r in rows), len(main) * 2),
            "third_answers": sum(r["third_answers"] for r in rows),
            "fallback_caves": 0,
            "opening_caves": 0,
            "ledger": ledger(main),
            "champion": {"models": ["scripted:steadfast"], "decided_by": "sudden_death", "rounds": 1},
            "hardest_facts": ["s3-buckets"],
        },
    }
    status = dict.fromkeys(models, "CROSS-CHECKED")
    if version == "v3":
        status["../../x"] = "INCOMPLETE"
    if version == "v2":
        status["a|b"] = "MISMATCH"
    order = sorted(
        rows, key=lambda r: (r["metrics"]["cave_rate"]["value"] is None, r["metrics"]["cave_rate"]["value"] or 0)
    )
    keys = ("third_answers", "fallback_caves", "opening_caves")
    board = [
        {
            "model": r["model"],
            "kind": r["kind"],
            "status": status[r["model"]],
            "runs": r["runs"],
            "metrics": r["metrics"],
            "ledger": r["ledger"],
            "cost_usd": None if r["use"]["cost_microusd"] is None else r["use"]["cost_microusd"] / 1e6,
            "empty_replies": r["empty_replies"],
            "use": r["use"],
            **{k: r[k] for k in keys},
        }
        for r in order
    ]
    leaderboard = {"benchmark": "court", "version": version, "digest": "d" * 64, "rows": board, "slices": slices}
    _write(tables / "leaderboard.json", leaderboard)
    _write(tables / "builder.json", checked)
    _write(tables / "checked.json", checked)
    (tables / "leaderboard.csv").write_text("model,kind\n", encoding="utf-8")
    write_parquet(tables / "leaderboard.parquet", board)
    inputs = {
        p.relative_to(root).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }
    log = f"runs/court/{version}/logs/{slug('a|b')}/fixture-{version}.jsonl"
    finding = {
        "file": log,
        "line": 3,
        "model": "a|b",
        "run": f"fixture-{version}",
        "field": "prev",
        "expected": "0" * 64,
        "found": "<script>alert(4)</script>",
        "rule": "L7",
        "side": "log",
        "fix": "Restore the line as it was written.",
    }
    mismatches = [finding] if version == "v2" else []
    _write(
        tables / "crosscheck.json",
        {
            "benchmark": "court",
            "version": version,
            "digest": "d" * 64,
            "status": "MISMATCH" if mismatches else status.get("../../x", "CROSS-CHECKED"),
            "rows": [
                {"model": m, "status": status[m], "compared": 420, "equal": 420 - (status[m] == "MISMATCH")}
                for m in sorted(models)
            ],
            "totals": {"compared": 4000, "equal": 4000 - len(mismatches)},
            "mismatches": mismatches,
            "inputs": inputs,
            "tails": [{"file": log, "line": 400, "bytes": 17}],
            "checker": {
                "files": {"checker/check.py": "c" * 64},
                "versions": {"python": "3.11.7", "duckdb": "2.0.0", "numpy": "2.4.0", "checker": "0.1.0"},
            },
            "sandbox": {
                "name": "bubblewrap",
                "why": None,
                "probes": [{"probe": "open a connection", "expected": "refused", "found": "refused", "ok": True}],
            },
            "invariants": [{"rule": "I1", "text": "k is at most n.", "looked_at": 12, "broken": 0}],
        },
    )


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write the rows flat, a column for each part of a rate, as the published file has them."""
    kinds = {"k": pl.Int64, "n": pl.Int64, "value": pl.Float64, "lo": pl.Float64, "hi": pl.Float64}
    metrics = list(rows[0]["metrics"])
    schema = {"model": pl.String, **{f"{m}_{part}": kind for m in metrics for part, kind in kinds.items()}}
    lines = [[row["model"], *(row["metrics"][m][part] for m in metrics for part in kinds)] for row in rows]
    pl.DataFrame(lines, schema=schema, orient="row").write_parquet(path)


def write_manifest(root: Path, benchmark: str, version: str, frozen: dict[str, Any] | None = None) -> str:
    """Digest every file of the version as it stands now, as publishing and freezing do; give the root digest."""
    folders = [root / tree / benchmark / version for tree in ("runs", "tables")]
    paths = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    files = {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path.name != "MANIFEST.json"
    }
    head = {"benchmark": benchmark, "version": version, "digest": "d" * 64}
    path = folders[1] / "MANIFEST.json"
    _write(path, head | {"files": files} | ({"frozen": frozen} if frozen else {}))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
