"""What building the site costs: seconds, memory and bytes, against writing the same bytes, and when nothing changed."""

from __future__ import annotations

from pathlib import Path

from runners.models.scripted_teams import TEAMS
from runners.publish import publish
from runners.session import Options, play_cascades
from tests.bench.measure import python
from tests.bench.synthetic import field

FACING = 33
"""Attackers of each Defender: with six facts 198 duels, so 100 models have 19,800 transcript pages."""

BUILD = """
import sys
from pathlib import Path
sys.path.insert(0, "site")
from leaderboard.build import build_site
build_site(Path(sys.argv[1]), Path(sys.argv[2]))
"""
WRITE = """
import sys, time
from pathlib import Path
source, target = Path(sys.argv[1]), Path(sys.argv[2])
files = [(path.relative_to(source), path.read_bytes()) for path in sorted(source.rglob("*")) if path.is_file()]
began = time.perf_counter()
for path, content in files:
    (target / path).parent.mkdir(parents=True, exist_ok=True)
    (target / path).write_bytes(content)
print(time.perf_counter() - began)
"""


def site(folder: Path, sizes: tuple[int, ...] = (50, 100)) -> None:
    """Two benchmarks, Court of Facts with so many models: the first build, and one when nothing changed."""
    for models in sizes:
        root = _published(folder / f"site-{models}", models)
        out, copy = folder / f"html-{models}", folder / f"copy-{models}"
        for old in (out, copy):
            python("import shutil, sys; shutil.rmtree(sys.argv[1], ignore_errors=True)", str(old))
        first = python(BUILD, str(root), str(out))
        again = python(BUILD, str(root), str(out))
        floor = float(python(WRITE, str(out), str(copy)).printed)
        files = [path for path in out.rglob("*") if path.is_file()]
        size, pages = sum(path.stat().st_size for path in files), len(list(out.glob("*/*/transcripts/*/*/*/")))
        games = len(list(out.glob("*/*/games/*/*/")))
        print(
            f"site of {models} models, {pages:,} transcripts, {games} games: {len(files):,} files, {size / 1e6:.0f} MB"
        )
        print(f"  writing the same bytes {floor:8.2f} s")
        for name, found in (("first build", first), ("again, nothing changed", again)):
            print(f"  {name:22} {found.seconds:8.2f} s {found.mib:6.0f} MiB   {found.seconds / floor:6.2f} x writing")
        print(f"  again, against the first build: {again.seconds / first.seconds:.2f} x\n")


def _published(root: Path, models: int) -> Path:
    """Logs and tables, made once."""
    if (root / "tables").is_dir():
        return root
    names = [f"local:model-{number:03}" for number in range(models)]
    facing = {
        name: [names[(place + step) % models] for step in range(1, FACING + 1)] for place, name in enumerate(names)
    }
    field(root, facing)
    play_cascades(root, "v1", Options([f"scripted:{team}" for team in TEAMS], quiet=True))
    publish(root, "court", "bench", print)
    publish(root, "cascades", "v1", print)
    return root
