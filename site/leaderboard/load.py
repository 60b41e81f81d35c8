"""Reads every version of every benchmark: here what all share, the rest in the benchmark's own reader."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from leaderboard.amendments import FILE as AMENDMENTS
from leaderboard.benchmarks import BENCHMARKS
from leaderboard.errors import SiteError
from leaderboard.kit import Benchmark, Source
from leaderboard.published import published_logs
from leaderboard.reading import amendments, fits, notes, optional, read_json, verdict, withdrawals
from leaderboard.shapes import DOWNLOADS, Version


def load_versions(root: Path) -> list[Version]:
    """Read all versions, by benchmark and then from the oldest to the newest."""
    return [
        _marked(benchmark.load(_source(root, spec.parent, benchmark)), spec.with_name("WITHDRAWN.json"))
        for benchmark in BENCHMARKS
        for spec in sorted((root / "runs" / benchmark.about.name).glob("*/spec.json"), key=_natural)
    ]


def _marked(version: Version, path: Path) -> Version:
    """Mark the rows that were withdrawn: they stay listed, with the numbers that they have."""
    found = optional(path, withdrawals) or {}
    if unknown := sorted(found.keys() - {row.model for row in version.rows}) if version.is_published else []:
        raise SiteError(
            f"{path}: expected models that {version.title} publishes, found {', '.join(unknown)}. Mend the name."
        )
    return replace(version, rows=tuple(replace(row, withdrawn=found.get(row.model)) for row in version.rows))


def _natural(spec: Path) -> tuple[int, str]:
    name = spec.parent.name
    digits = re.search(r"\d+", name)
    return (int(digits.group()) if digits else 0, name)


def _source(root: Path, folder: Path, benchmark: Benchmark) -> Source:
    tables = root / "tables" / benchmark.about.name / folder.name
    logs = published_logs(root, benchmark.about.name, folder.name)
    places = ((name, (folder if name == "spec.json" else tables) / name) for name in DOWNLOADS)
    # Tables without a manifest are a publication that did not come to its end: nothing is shown of it but its rules.
    files = {n: path for n, path in places if path.is_file() and (logs is not None or n == "spec.json")}
    board_path, checked_path = tables / "leaderboard.json", tables / "checked.json"

    def table(path: Path) -> dict[str, Any] | None:
        return read_json(path) if path.name in files else None

    board = table(board_path) or {"rows": [], "slices": {}, "digest": None}
    crosscheck = table(tables / "crosscheck.json")
    spec = read_json(folder / "spec.json")
    fields: dict[str, Any] = {
        "about": benchmark.about,
        "name": folder.name,
        "spec": spec,
        "spec_sha256": hashlib.sha256((folder / "spec.json").read_bytes()).hexdigest(),
        "prompts": {
            key: (folder / path).read_text(encoding="utf-8")
            for key, path in spec.get("play", {}).get("prompts", {}).items()
            if (folder / path).is_file()
        },
        "errata": optional(folder / "ERRATA.md", notes) or (),
        "amendments": optional(folder / "AMENDMENTS.md", notes) or (),
        "amended": optional(folder / AMENDMENTS, amendments) or (),
        "digest": fits(board_path, lambda: board["digest"]),
        "verdict": fits(tables / "crosscheck.json", lambda: verdict(crosscheck) if crosscheck else None),
        "logs": logs or (),
        "tables": files,
    }
    return Source(fields, folder, board, board_path, table(checked_path), checked_path)
