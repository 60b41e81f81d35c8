"""Reads every version of every benchmark: here what all share, the rest in the benchmark's own reader."""

import hashlib
import re
from pathlib import Path
from typing import Any

from leaderboard.benchmarks import BENCHMARKS
from leaderboard.kit import Benchmark, Source
from leaderboard.reading import fits, notes, optional, read_json, verdict
from leaderboard.shapes import DOWNLOADS, Version


def load_versions(root: Path) -> list[Version]:
    """Read all versions, by benchmark and then from the oldest to the newest."""
    return [
        benchmark.load(_source(root, spec.parent, benchmark))
        for benchmark in BENCHMARKS
        for spec in sorted((root / "runs" / benchmark.about.name).glob("*/spec.json"), key=_natural)
    ]


def _natural(spec: Path) -> tuple[int, str]:
    name = spec.parent.name
    digits = re.search(r"\d+", name)
    return (int(digits.group()) if digits else 0, name)


def _source(root: Path, folder: Path, benchmark: Benchmark) -> Source:
    tables = root / "tables" / benchmark.about.name / folder.name
    spec = read_json(folder / "spec.json")
    board_path, checked_path = tables / "leaderboard.json", tables / "checked.json"
    board = optional(board_path, read_json) or {"rows": [], "slices": {}, "digest": None}
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
        "digest": fits(board_path, lambda: board["digest"]),
        "verdict": optional(tables / "crosscheck.json", lambda p: fits(p, lambda: verdict(read_json(p)))),
        "logs": tuple(sorted((folder / "logs").glob("*/*.jsonl"))),
        "tables": {
            n: path
            for n, path in ((n, (folder if n == "spec.json" else tables) / n) for n in DOWNLOADS)
            if path.is_file()
        },
    }
    return Source(fields, folder, board, board_path, optional(checked_path, read_json), checked_path)
