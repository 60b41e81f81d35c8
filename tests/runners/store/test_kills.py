"""push and pull, killed at fifty random points each: complete and verified in the end, nothing twice, nothing lost."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.runners.store.conftest import BUCKET, NAME, contents, make_version, root_of
from tests.runners.store.proxy import Proxy

KILLS = 50


def command(proxy: Proxy, word: str, option: str, root: Path, *more: str) -> list[str]:
    address = ["--endpoint-url", proxy.address, "--region", "us-east-1", "--concurrency", "3", "--root", str(root)]
    return [sys.executable, "-m", "runners.cli", word, NAME, option, f"s3://{BUCKET}/some/prefix", *address, *more]


def killed(words: list[str], proxy: Proxy, chance: random.Random, longest: float) -> bool:
    """Start the command and kill it a random moment after its first request; whether it was still at work."""
    before = sum(proxy.asked.values())
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and sum(proxy.asked.values()) == before:
        time.sleep(0.002)
    time.sleep(chance.random() * longest)
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return alive


@pytest.mark.long
def test_push(proxy: Proxy, tmp_path: Path) -> None:
    files = make_version(tmp_path, [random.Random(n).randrange(20_000, 60_000) for n in range(120)])
    proxy.pause = 0.005
    chance = random.Random(5)
    words = command(proxy, "push", "--to", tmp_path)
    kills = sum(killed(words, proxy, chance, 0.08) for _ in range(KILLS))
    proxy.pause = 0.0
    assert subprocess.run(words, check=False, capture_output=True).returncode == 0
    assert kills == KILLS, "every kill fell into the work"
    assert set(proxy.written.values()) == {1}, "no object was written twice"
    there = tmp_path / "there"
    back = command(proxy, "pull", "--from", there, "--root-digest", root_of(files))
    assert subprocess.run(back, check=False, capture_output=True).returncode == 0
    assert contents(there) == files, "and none was lost"


@pytest.mark.long
def test_pull(proxy: Proxy, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    files = make_version(here, [random.Random(n).randrange(20_000, 60_000) for n in range(120)])
    assert subprocess.run(command(proxy, "push", "--to", here), check=False, capture_output=True).returncode == 0
    proxy.sent.clear()
    proxy.pause = 0.008
    chance = random.Random(6)
    words = command(proxy, "pull", "--from", there, "--root-digest", root_of(files))
    stood: dict[str, int] = {}
    kills = 0
    for _ in range(KILLS):
        kills += killed(words, proxy, chance, 0.08)
        for path, content in contents(there).items():
            if not path.endswith(".part"):
                assert content == files[path], "what has its name is whole"
                stood.setdefault(path, (there / path).stat().st_ino)
    proxy.pause = 0.0
    assert subprocess.run(words, check=False, capture_output=True).returncode == 0
    assert kills == KILLS, "every kill fell into the work"
    assert contents(there) == files, "complete, and no part is left"
    assert {path: (there / path).stat().st_ino for path in stood} == stood, "what stood was not written again"
    # What a kill cost is only what was on the wire: a part is gone on with.
    assert sum(proxy.sent.values()) < 1.5 * sum(map(len, files.values()))
