"""`make bench`: what the project promises about speed and memory, as ratios within one run."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.bench.calls import calls
from tests.bench.cascades import games, landscapes
from tests.bench.measure import Measured, machine, python, run
from tests.bench.site import site
from tests.bench.synthetic import make

HASH = """
import hashlib, sys
for path in sys.argv[1:]:
    with open(path, "rb") as file: hashlib.file_digest(file, "sha256").hexdigest()
"""
READ_TEXT = """
import duckdb, sys
query = "SELECT sum(strlen(text)) FROM read_json(?, format='newline_delimited', columns={text: 'VARCHAR'})"
print(duckdb.execute(query, [sys.argv[1:]]).fetchone())
"""
READ_LINES = """
import duckdb, sys
print(duckdb.execute(\"\"\"SELECT sum(strlen(json_extract_string(l, '$.text'))) FROM read_csv(?, columns={l: 'VARCHAR'},
    delim='', quote='', escape='', header=false, auto_detect=false)\"\"\", [sys.argv[1:]]).fetchone())
"""
BUILDER = """
import sys
from pathlib import Path
from runners.publish import write_builder_numbers
write_builder_numbers(Path(sys.argv[1]), "court", "bench")
"""
# What runs inside the sandbox, without it: the sandbox's process does not hand its peak memory on.
CHECK = """
import json, sys
from pathlib import Path
from checker.check import check_version
outcome = check_version(Path(sys.argv[1]), "court", "bench", {"name": "none", "why": "bench", "probes": []}, {})
print(json.dumps(outcome.run["machine"]["seconds"]))
"""
WITH_POLARS = r"""
import sys, polars as pl
frame = pl.scan_ndjson(sys.argv[1:], schema={"turn": pl.Int64, "text": pl.String})
found = frame.select(pl.col("text").str.extract_all(r"(?m)^.*[Aa][Nn][Ss][Ww][Ee][Rr][ *_`]*:.*$").list.last())
print(found.collect(engine="streaming").height)
"""
WITH_PYTHON = """
import json, sys
from runners.court.answers import GRAMMARS
read = GRAMMARS["v3"].read
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            text = json.loads(line).get("text")
            if text is not None: read(text)
"""


def main() -> None:
    """Run the measurements that are asked for; all of them by default."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--duels", type=int, nargs="*", default=[20_000, 200_000])
    options.add_argument("--seeds", type=int, default=20, help="seeds of Cascades; 20 are 1,140 games")
    options.add_argument("--folder", type=Path, default=Path("build/bench"))
    asked = options.parse_args()
    print(f"machine: {machine()}\n")
    start_up()
    calls()
    landscapes()
    games(asked.folder, asked.seeds)
    for duels in asked.duels:
        check(make(asked.folder / f"court-{duels}", duels), duels)
    site(asked.folder)


def start_up() -> None:
    """How soon --help answers, against starting Python alone."""
    alone = python("pass", repeats=5)
    print(f"start-up: python alone {alone.seconds:.3f} s")
    for name, module in (("countersign", "runners.cli"), ("countersign-check", "checker.cli")):
        code = f"import sys; sys.argv = [{name!r}, '--help']; from {module} import main; sys.exit(main())"
        found = run([sys.executable, "-c", code], repeats=5)
        line(f"{name} --help", found, alone.seconds, "python alone")
    print()


def check(root: Path, duels: int) -> None:
    """The checker's whole work against its floor, the builder, and the same extraction by other means."""
    logs = sorted(str(path) for path in root.glob("runs/court/bench/logs/*/*.jsonl"))
    size = sum(Path(path).stat().st_size for path in logs)
    turns = 3 * duels
    print(f"{duels:,} duels asked for: {len(logs)} logs, {size / 1e6:.0f} MB, about {size / turns:.0f} bytes a turn")
    builder = python(BUILDER, str(root))
    hashed, text, lines = (python(code, *logs, repeats=2) for code in (HASH, READ_TEXT, READ_LINES))
    idle = python("import duckdb", repeats=2)
    floor = hashed.seconds + text.seconds
    print(f"  floor: hash {hashed.seconds:.2f} s + DuckDB reads the text column {text.seconds:.2f} s = {floor:.2f} s")
    low = hashed.seconds + lines.seconds
    print(f"  lower floor: hash + DuckDB extracts the text from whole lines {lines.seconds:.2f} s = {low:.2f} s")
    print(f"  (each measured process starts Python; importing duckdb alone takes {idle.seconds:.2f} s)")
    whole = run([sys.executable, "-m", "checker", "court/bench", "--root", str(root)])
    if whole.code != 0:
        raise SystemExit(f"the checker ended with {whole.code}:\n{whole.printed[-2000:]}")
    line("checker, whole work", whole, floor, "floor")
    line("checker, whole work", whole, low, "lower floor")
    aside = python(CHECK, str(root))
    line("checker, sandbox aside", aside, floor, "floor")
    for step, seconds in json.loads(aside.printed.splitlines()[-1]).items():
        print(f"    {step:24} {seconds:8.2f} s                {seconds / floor:6.2f} x floor")
    line("builder", builder, whole.seconds, "checker")
    line("answers by polars alone", python(WITH_POLARS, *logs), whole.seconds, "checker")
    line("answers by plain Python", python(WITH_PYTHON, *logs), whole.seconds, "checker")
    print()


def line(what: str, found: Measured, against: float, name: str) -> None:
    """One result: seconds, peak memory of the process that is seen, ratio."""
    ratio = found.seconds / against
    print(f"  {what:26} {found.seconds:8.2f} s {found.mib:8.0f} MiB   {ratio:6.2f} x {name}")


if __name__ == "__main__":
    main()
