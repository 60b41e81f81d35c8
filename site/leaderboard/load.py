"""Reads runs/ and tables/ into the site's records; a file that does not fit its documented shape is named."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from leaderboard.errors import SiteError
from leaderboard.shapes import (
    DOWNLOADS,
    METRICS,
    SLICES,
    Cell,
    Duel,
    Erratum,
    Fact,
    Finding,
    Rate,
    Row,
    Totals,
    Verdict,
    Version,
)

T = TypeVar("T")

# Another benchmark has other tables and other pages; it is added here with them.
PAGES_FOR = ("court",)
_ERRATUM = re.compile(r"^## +(.*)$")
_SLICE_KEYS = {
    "by_fact": ("fact",),
    "by_attacker": ("attacker",),
    "defender_fact": ("defender", "fact"),
    "defender_attacker": ("defender", "attacker"),
}


def load_versions(root: Path) -> list[Version]:
    """Read every version whose benchmark has pages, by benchmark and then from the oldest to the newest."""
    specs = [spec for b in PAGES_FOR for spec in sorted((root / "runs" / b).glob("*/spec.json"), key=_natural)]
    return [_version(root, spec.parent) for spec in specs]


def _natural(spec: Path) -> tuple[int, str]:
    name = spec.parent.name
    digits = re.search(r"\d+", name)
    return (int(digits.group()) if digits else 0, name)


def _version(root: Path, folder: Path) -> Version:
    benchmark, name = folder.parts[-2:]
    tables = root / "tables" / benchmark / name
    spec = _json(folder / "spec.json")
    board = _optional(tables / "leaderboard.json", _json) or {"rows": [], "slices": {}, "digest": None}
    checked = _optional(tables / "checked.json", _json)
    return Version(
        benchmark=benchmark,
        name=name,
        spec=spec,
        spec_sha256=hashlib.sha256((folder / "spec.json").read_bytes()).hexdigest(),
        facts=_optional(folder / "items.jsonl", _facts) or (),
        prompts={
            key: (folder / path).read_text(encoding="utf-8")
            for key, path in spec.get("play", {}).get("prompts", {}).items()
            if (folder / path).is_file()
        },
        errata=_optional(folder / "ERRATA.md", _errata) or (),
        digest=board["digest"],
        rows=_fits(tables / "leaderboard.json", lambda: tuple(_row(r) for r in board["rows"])),
        slices=_fits(tables / "leaderboard.json", lambda: _slices(board["slices"])),
        duels=_fits(tables / "checked.json", lambda: tuple(_duel(d) for d in checked["duels"]) if checked else ()),
        totals=_fits(tables / "checked.json", lambda: _totals(checked["totals"]) if checked else None),
        verdict=_optional(tables / "crosscheck.json", lambda p: _fits(p, lambda: _verdict(_json(p)))),
        logs=tuple(sorted((folder / "logs").glob("*/*.jsonl"))),
        tables={
            n: path
            for n, path in ((n, (folder if n == "spec.json" else tables) / n) for n in DOWNLOADS)
            if path.is_file()
        },
    )


def _json(path: Path) -> dict[str, Any]:
    def no_constant(text: str) -> None:
        raise ValueError(f"{text} is no number of JSON")

    try:
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=no_constant)
    except ValueError as error:
        raise SiteError(f"{path}: expected JSON, found: {error}. Publish the version again.") from error
    if not isinstance(value, dict):
        raise SiteError(f"{path}: expected a JSON object, found {type(value).__name__}. Publish the version again.")
    return value


def _optional(path: Path, read: Callable[[Path], T]) -> T | None:
    return read(path) if path.is_file() else None


def _fits(path: Path, read: Callable[[], T]) -> T:
    try:
        return read()
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SiteError(
            f"{path}: expected the shape of reference/tables.md, found {type(error).__name__}: {error}. "
            "Publish the version again with this release."
        ) from error


def _rate(value: dict[str, Any]) -> Rate:
    return Rate(k=value["k"], n=value["n"], value=value["value"], lo=value["lo"], hi=value["hi"])


def _row(row: dict[str, Any]) -> Row:
    return Row(
        model=row["model"],
        kind=row["kind"],
        status=row["status"],
        runs=row["runs"],
        metrics={name: _rate(row["metrics"][name]) for name in METRICS},
        ledger=dict(row["ledger"]),
        cost_usd=row["cost_usd"],
        third_answers=row["third_answers"],
        fallback_caves=row["fallback_caves"],
        opening_caves=row["opening_caves"],
    )


def _slices(slices: dict[str, Any]) -> dict[str, tuple[Cell, ...]]:
    return {
        name: tuple(Cell(tuple(c[k] for k in _SLICE_KEYS[name]), _rate(c)) for c in slices.get(name, ()))
        for name in SLICES
    }


def _duel(d: dict[str, Any]) -> Duel:
    return Duel(
        run=d["run"],
        defender=d["defender"],
        attacker=d["attacker"],
        fact=d["fact"],
        phase=d["phase"],
        round=d["round"],
        repeat=d["repeat"],
        state=d["state"],
        answers=tuple(d["answers"]),
        hows=tuple(d["hows"]),
        fallbacks=tuple(d["fallbacks"]),
        verdicts=tuple(d["verdicts"]),
        caved=d["caved"],
        first_cave_round=d["first_cave_round"],
    )


def _totals(t: dict[str, Any]) -> Totals:
    return Totals(
        runs=t["runs"],
        duels=t["duels"],
        caves=_rate(t["caves"]),
        format=_rate(t["format"]),
        third_answers=t["third_answers"],
        fallback_caves=t["fallback_caves"],
        opening_caves=t["opening_caves"],
        ledger=dict(t["ledger"]),
        champions=tuple(t["champion"]["models"]),
        decided_by=t["champion"]["decided_by"],
        rounds=t["champion"]["rounds"],
        hardest_facts=tuple(t["hardest_facts"]),
    )


def _verdict(c: dict[str, Any]) -> Verdict:
    return Verdict(
        status=c["status"],
        digest=c.get("digest") or "",
        rows=tuple((r["model"], r["status"], r["compared"], r["equal"]) for r in c["rows"]),
        compared=c["totals"]["compared"],
        equal=c["totals"]["equal"],
        findings=tuple(_finding(m) for m in c["mismatches"]),
        inputs=dict(c["inputs"]),
        tails=tuple((t["file"], t["line"], t["bytes"]) for t in c.get("tails", ())),
        checker_files=dict(c["checker"]["files"]),
        checker_versions={k: str(v) for k, v in c["checker"]["versions"].items()},
        sandbox=c["sandbox"]["name"],
        sandbox_why=c["sandbox"].get("why"),
        probes=tuple((p["probe"], _plain(p["expected"]), _plain(p["found"]), p["ok"]) for p in c["sandbox"]["probes"]),
    )


def _finding(m: dict[str, Any]) -> Finding:
    return Finding(
        file=m["file"],
        line=m["line"],
        model=m.get("model"),
        run=m.get("run"),
        field=_plain(m["field"]),
        expected=_plain(m["expected"]),
        found=_plain(m["found"]),
        rule=_plain(m["rule"]),
        side=m["side"],
        fix=m.get("fix") or "",
    )


def _plain(value: Any) -> str:
    """Show a JSON value as its JSON text, a string as itself."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _facts(path: Path) -> tuple[Fact, ...]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return _fits(path, lambda: tuple(Fact(**{k: str(f[k]) for k in Fact.__slots__}) for f in lines))


def _errata(path: Path) -> tuple[Erratum, ...]:
    """Split ERRATA.md at its `## ` lines; its text is shown as it is, never as Markdown."""
    found: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if heading := _ERRATUM.match(line):
            found.append((heading.group(1).strip(), [""]))
        elif not found:
            continue
        elif line.strip():
            found[-1][1][-1] += f"{line.strip()} "
        else:
            found[-1][1].append("")
    return tuple(Erratum(title, tuple(p.strip() for p in parts if p.strip())) for title, parts in found)
