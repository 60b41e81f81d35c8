"""Measurements of Cascades: landscapes, play, replay and check, each against a floor of the same run."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from runners.benchmarks import benchmark
from runners.cascades.landscape import KNOBS, generate
from runners.models.scripted import POLICIES
from runners.models.scripted_teams import TEAMS
from runners.publish import write_builder_numbers
from runners.session import Options, play_cascades
from runners.spec import install_version
from tests.bench.measure import python, run

READ = """
import duckdb, sys
print(duckdb.execute(\"\"\"SELECT count(*), sum(strlen(l)) FROM read_csv(?, columns={l: 'VARCHAR'}, delim='', quote='',
    escape='', header=false, auto_detect=false)\"\"\", [sys.argv[1:]]).fetchone())
"""


def landscapes() -> None:
    """A landscape with its extremes, against one numpy pass that looks up and adds one table over 10^6 rows."""
    rows = np.indices((10,) * KNOBS, dtype=np.int64).reshape(KNOBS, -1)
    table = np.arange(100, dtype=np.int64).reshape(10, 10)
    floor = min(_timed(lambda: int(table[rows[0], rows[1]].max())) for _ in range(5))
    found = min(_timed(lambda: generate(3)) for _ in range(5))
    print(f"landscape with extremes {found * 1e3:.1f} ms = {found / floor:.2f} x one numpy pass over 10^6 rows")


def games(folder: Path, seeds: int) -> None:
    """Every scripted team, and every policy of the other benchmark as a team that never writes an object, on `seeds`
    seeds (20 seeds are 1,140 games): play, replay and check, once."""
    root = folder / f"cascades-{seeds}"
    install_version(root, "cascades", "v1")
    names = [f"scripted:{team}" for team in (*TEAMS, *POLICIES)]
    began = time.perf_counter()
    done = play_cascades(root, "v1", Options(names, seeds=list(range(seeds)), quiet=True))["done"]
    spent = time.perf_counter() - began
    logs = sorted(str(path) for path in root.glob("runs/cascades/v1/logs/*/*.jsonl"))
    size = sum(Path(path).stat().st_size for path in logs)
    print(f"{len(logs)} games, {size / 1e6:.1f} MB")
    if done:
        turn = spent / done / 36 * 1e3
        print(f"  played {done} in {spent:.1f} s: {done / spent:.0f} games a second, {turn:.2f} ms a turn")
    rules = benchmark("cascades")
    spec = rules.load(root, "v1")
    read = _timed(lambda: rules.read_logs(spec))
    replayed = _timed(lambda: [rules.replay(spec, log) for log in rules.read_logs(spec)])
    print(f"  replay {replayed:.2f} s = {replayed / read:.2f} x reading the logs strictly ({read:.2f} s)")
    write_builder_numbers(root, "cascades", "v1")
    floor = python(READ, *logs, repeats=2).seconds
    checked = run([sys.executable, "-m", "checker", "cascades/v1", "--root", str(root)])
    if checked.code != 0:
        raise SystemExit(f"the checker ended with {checked.code}:\n{checked.printed[-2000:]}")
    print(f"  check {checked.seconds:.2f} s = {checked.seconds / floor:.2f} x DuckDB reading the files ({floor:.2f} s)")
    print(f"  check, peak memory {checked.mib:.0f} MiB\n")


def _timed(work: object) -> float:
    began = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - began
