"""`countersign-check --self-test`: the mutation score of the checker, and one altered copy to look at."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Final

from checker.identity import identity
from checker.report import plain
from checker.selftest import report
from checker.selftest.draw import SelfTestFailed, draw
from checker.selftest.operators.every import BY_NAME
from checker.selftest.operators.operator import BOTH, PUBLISHED
from checker.selftest.publish import publish
from checker.selftest.run import good, run
from checker.selftest.trial import mended
from checker.selftest.world import Disk, sha256

#: The copies are checked in the process that alters them: a sandbox for each would take most of the time.
HOW: Final = "in process, without a sandbox"


def self_test(seed: int, alterations: int, benchmarks: list[str], out: str | None) -> int:
    """Alter, check, count, print; the exit code: 0 everything detectable was named, 1 something survived.

    Raises SelfTestFailed where it could not run.
    """
    if alterations < 1:
        raise SelfTestFailed(f"--alterations {alterations}: 1 or more is wanted")
    start, processes = time.monotonic(), os.cpu_count() or 1
    names = benchmarks or list(BOTH)
    found = run(names, seed, alterations, processes)
    reports = [report.benchmark_report(name, found[name]) for name in names]
    for line in report.lines(reports, seed):
        print(plain(line))
    seconds = round(time.monotonic() - start, 1)
    print(f"{seconds} seconds, {processes} processes")
    if out is not None:
        document = {
            "seed": seed, "alterations": alterations, "checked": HOW, "checker": identity(), "benchmarks": reports,
            "machine": {"seconds": seconds, "processes": processes},
        }  # fmt: skip
        _write(Path(out), document)
    return 1 if any(map(report.survivors, reports)) else 0


def _write(folder: Path, document: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    (folder / "self-test.json").write_text(text, encoding="utf-8", newline="\n")


def reproduce(place: str, seed: int, keep: str | None) -> int:
    """Leave the altered copy `BENCHMARK:OPERATOR:NUMBER` in the new folder `keep`, and say how to check it.

    Raises SelfTestFailed for a place that there is not.
    """
    benchmark, _, rest = place.partition(":")
    name, _, number = rest.partition(":")
    operator = BY_NAME.get(name)
    if operator is None or benchmark not in operator.benchmarks or not (number.isascii() and number.isdigit()):
        raise SelfTestFailed(f"--reproduce {place}: BENCHMARK:OPERATOR:NUMBER is wanted, as self-test.json names them")
    if keep is None or (Path(keep).exists() and any(Path(keep).iterdir())):
        raise SelfTestFailed("--reproduce needs --keep DIR, a folder that is new or empty")
    worlds = good(benchmark)
    made = draw(name, worlds, seed, int(number) + 1)
    if len(made) <= int(number):
        raise SelfTestFailed(f"--reproduce {place}: with seed {seed} this operator makes only {len(made)} alterations")
    alteration = made[-1]
    world, change = worlds[alteration.world], alteration.change
    Path(keep).mkdir(parents=True, exist_ok=True)
    disk = Disk(Path(keep), world.files)
    disk.put(mended(world, operator.mends, [change]))
    if operator.mends == PUBLISHED:
        publish(disk, world)
    line = "" if change.line is None else f":{change.line}"
    print(plain(f"{change.file}{line}: {change.what}"))
    print(f"  {operator.about}  Mended by the forger: {operator.mends}.")
    anchor = sha256(world.files[f"{world.tables}/MANIFEST.json"])
    print(f"  countersign-check {world.name} --root {keep} --manifest-sha256 {world.name}={anchor}")
    return 0


def run_command(options: Any) -> int:
    """The command with its options; the exit code, 2 where it could not run."""
    try:
        if options.paths or options.json or options.manifest_sha256:
            raise SelfTestFailed("it makes its own data: no PATH, --json or --manifest-sha256 goes with it")
        if options.reproduce is not None:
            return reproduce(options.reproduce, options.seed, options.keep)
        return self_test(options.seed, options.alterations, options.benchmark, options.out)
    except SelfTestFailed as fault:
        print(f"countersign-check: the self-test could not run: {plain(fault)}", file=sys.stderr)
        return 2
