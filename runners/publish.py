"""Publishes a version: the builder's numbers, the checker's in its sandbox, then the tables (reads as its steps)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runners import secrets
from runners.benchmarks import benchmark as rules
from runners.errors import CheckFailed, CouldNotCheck
from runners.files import write_whole
from runners.release.freeze import keep
from runners.release.growth import has_grown
from runners.release.manifest import files_of, last_freeze, to_json
from runners.tables import leaderboard, table_json, write_leaderboard

DERIVED = ("checked.json", "crosscheck.json", "leaderboard.json", "leaderboard.csv", "leaderboard.parquet")
EQUAL, DIFFERS, COULD_NOT_CHECK = 0, 1, 2


@dataclass(frozen=True)
class Verdict:
    """What the checker said: its exit code, its report, and what it printed."""

    code: int
    report: Mapping[str, Any]
    printed: str


def publish(root: Path, benchmark: str, version: str, say: Callable[[str], None]) -> Verdict:
    """Write all of `tables/<benchmark>/<version>/`; of a version that is frozen only when it has further runs.

    Raises:
        Refused: the version is frozen and something that was frozen is gone or another one; names each file.
        LogError: something that would be published holds a secret; names every file and line.
        LogError, SpecError: the builder itself cannot read the version.
        CouldNotCheck: the checker gave no verdict; only builder.json is written.
        CheckFailed: something differs; the tables are written and say so.
    """
    folder = root / "tables" / benchmark / version
    frozen = last_freeze(root, f"{benchmark}/{version}")
    if frozen is not None and not has_grown(root, frozen):
        say("frozen, and nothing new to publish")
        return Verdict(EQUAL, _read(folder / "crosscheck.json"), "")
    say("no secret in what is published")
    secrets.gate(root, published_files(root, benchmark, version))
    if frozen is not None:
        keep(root, frozen)
    say("builder's numbers")
    write_builder_numbers(root, benchmark, version)
    say("checker, in its sandbox")
    with tempfile.TemporaryDirectory() as out:
        first = run_checker(root, benchmark, version, Path(out))
        write_checked_numbers(folder, Path(out) / benchmark / version)
    layout = rules(benchmark).layout
    write_leaderboard(layout, folder, leaderboard(layout, _read(folder / "checked.json"), first.report))
    say("checker again, over what is published")
    with tempfile.TemporaryDirectory() as out:
        final = run_checker(root, benchmark, version, Path(out))
        write_whole(folder / "crosscheck.json", (Path(out) / benchmark / version / "crosscheck.json").read_bytes())
    secrets.gate(root, sorted(folder.iterdir()))
    digest = str(final.report["digest"])
    name = f"{benchmark}/{version}"
    write_whole(folder / "MANIFEST.json", to_json(name, digest, files_of(root, name)))
    if final.code == DIFFERS:
        raise CheckFailed(final.printed)
    return final


def published_files(root: Path, benchmark: str, version: str) -> list[Path]:
    """Every file of a version that readers can get, and the price tables."""
    folders = (root / "runs" / benchmark / version, root / "runs" / "prices")
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


def write_builder_numbers(root: Path, benchmark: str, version: str) -> None:
    """Write builder.json, and take away what an earlier publication derived from other numbers.

    Raises:
        UsageError: no such benchmark or version.
        LogError, SpecError: the builder cannot read the version.
    """
    numbers = rules(benchmark).numbers(root, version)
    folder = root / "tables" / benchmark / version
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*DERIVED, "MANIFEST.json"):
        (folder / name).unlink(missing_ok=True)
    write_whole(folder / "builder.json", table_json(numbers))


def run_checker(root: Path, benchmark: str, version: str, out: Path) -> Verdict:
    """Run the checker as a process of its own; it sandboxes itself.

    Raises:
        CouldNotCheck: it ended with anything but a verdict.
    """
    command = [sys.executable, "-m", "checker", f"{benchmark}/{version}"]
    environment = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "PYTHONPATH", "LANG")}
    done = subprocess.run(
        [*command, "--root", str(root), "--out", str(out)], capture_output=True, text=True, env=environment, check=False
    )
    report = out / benchmark / version / "crosscheck.json"
    printed = (done.stdout + done.stderr).strip()
    if done.returncode not in (EQUAL, DIFFERS) or not report.is_file():
        raise CouldNotCheck(f"the checker could not check {benchmark}/{version}:\n{printed}")
    return Verdict(done.returncode, _read(report), printed)


def write_checked_numbers(folder: Path, out: Path) -> None:
    """Take the checker's own numbers over, byte for byte: they are what is published."""
    write_whole(folder / "checked.json", (out / "checked.json").read_bytes())


def _read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_bytes())
    return data
