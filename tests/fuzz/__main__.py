"""`python -m tests.fuzz --inputs 200000 --seed 0`: altered lines and worlds through the check; exit code 1 if two
readers disagree anywhere, an exception or a hang included."""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzz.lines import smallest, table
from tests.fuzz.runs import LIMIT, fuzz


def main() -> int:
    """Run the fuzzer and print what it counted and found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=200_000, help="altered lines (default: 200000)")
    parser.add_argument("--worlds", type=int, default=200, help="altered versions (default: 200)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same inputs (default: 0)")
    options = parser.parse_args()
    start = time.monotonic()

    def progress(inputs: int, found: int) -> None:
        print(f"\r{inputs} inputs, {found} disagreements, {time.monotonic() - start:.0f} s", end="", file=sys.stderr)

    report = fuzz(options.inputs, options.worlds, options.seed, progress)
    print(file=sys.stderr)
    print(table(report))
    print(f"{report.inputs} inputs in {time.monotonic() - start:.0f} s, none took its batch longer than {LIMIT} s")
    print(f"{len(report.disagreements)} disagreements; the smallest of each kind:")
    for one in smallest(report.disagreements):
        print(f"  {one}")
    return 1 if report.disagreements else 0


if __name__ == "__main__":
    raise SystemExit(main())
