"""Reads the parts that the tables of every benchmark share; a file that does not fit its documented shape is named."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from leaderboard.amendments import Amendment
from leaderboard.errors import SiteError
from leaderboard.money import Use
from leaderboard.shapes import Finding, Note, Rate, Verdict, Withdrawal

T = TypeVar("T")

_HEADING = re.compile(r"^## +(.*)$")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object, strictly."""

    def no_constant(text: str) -> None:
        raise ValueError(f"{text} is no number of JSON")

    try:
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=no_constant)
    except ValueError as error:
        raise SiteError(f"{path}: expected JSON, found: {error}. Publish the version again.") from error
    if not isinstance(value, dict):
        raise SiteError(f"{path}: expected a JSON object, found {type(value).__name__}. Publish the version again.")
    return value


def read_items(path: Path, one: Callable[[dict[str, Any]], T]) -> tuple[T, ...]:
    """Read items.jsonl, one record a line; none if there is no file."""
    if not path.is_file():
        return ()
    lines = path.read_text(encoding="utf-8").split("\n")
    return fits(path, lambda: tuple(one(json.loads(line)) for line in lines if line))


def optional(path: Path, read: Callable[[Path], T]) -> T | None:
    return read(path) if path.is_file() else None


def fits(path: Path, read: Callable[[], T]) -> T:
    """Do `read`; what does not fit becomes an error that names the file."""
    try:
        return read()
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SiteError(
            f"{path}: expected the shape of reference/tables.md, found {type(error).__name__}: {error}. "
            "Publish the version again with this release."
        ) from error


def rate(value: dict[str, Any]) -> Rate:
    return Rate(k=value["k"], n=value["n"], value=value["value"], lo=value["lo"], hi=value["hi"])


def row_fields(row: dict[str, Any], metrics: tuple[str, ...]) -> dict[str, Any]:
    """Give the fields of `Row`."""
    return {
        **{name: row[name] for name in ("model", "kind", "status", "runs", "empty_replies")},
        "metrics": {name: rate(row["metrics"][name]) for name in metrics},
        "ledger": dict(row["ledger"]),
        "use": use(row["use"]),
    }


def use(value: dict[str, Any]) -> Use:
    lists = {name: tuple(map(str, value[name])) for name in ("served", "fingerprints", "providers")}
    return Use(**{name: lists.get(name, value[name]) for name in Use.__slots__})


def verdict(c: dict[str, Any]) -> Verdict:
    """Read crosscheck.json."""
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
        invariants=tuple((i["rule"], i["text"], i["looked_at"], i["broken"]) for i in c["invariants"]),
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


def amendments(path: Path) -> tuple[Amendment, ...]:
    """Read AMENDMENTS.json, in its order."""

    def one(entry: dict[str, Any]) -> Amendment:
        return Amendment(str(entry["at"]), str(entry["models"]), dict(entry["settings"]), str(entry["reason"]))

    return fits(path, lambda: tuple(one(entry) for entry in json.loads(path.read_text(encoding="utf-8"))))


def withdrawals(path: Path) -> dict[str, Withdrawal]:
    """Read WITHDRAWN.json, by model."""

    def read() -> dict[str, Withdrawal]:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {str(entry["model"]): Withdrawal(str(entry["at"]), str(entry["reason"])) for entry in entries}

    return fits(path, read)


def notes(path: Path) -> tuple[Note, ...]:
    """Split ERRATA.md or AMENDMENTS.md at its `## ` lines; its text is shown as it is, never as Markdown."""
    found: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if heading := _HEADING.match(line):
            found.append((heading.group(1).strip(), [""]))
        elif not found:
            continue
        elif line.strip():
            found[-1][1][-1] += f"{line.strip()} "
        else:
            found[-1][1].append("")
    return tuple(Note(title, tuple(p.strip() for p in parts if p.strip())) for title, parts in found)
