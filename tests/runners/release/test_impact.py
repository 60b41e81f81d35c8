"""What a changed rule does to the board: each rank and rate before and after, over the very same replies."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runners.errors import UsageError
from runners.publish import publish
from runners.release.impact import impact, table
from runners.session import Options, play_court
from runners.spec import install_version
from tests.runners.release.conftest import quiet

ROOT = Path(__file__).resolve().parents[3]


def test_the_comma_bug(tmp_path: Path) -> None:
    """Court v1 ended a number at its first comma: who caves to 100,000 counted as held. v2 corrects it."""
    play_court(tmp_path, "v1", Options(["scripted:comma-writer", "scripted:gullible"], quiet=True))
    install_version(tmp_path, "court", "v2")
    found = impact(tmp_path, "court/v1", "court/v2")
    rows = {shift.model: shift for shift in found.shifts}
    gullible = rows["scripted:gullible"]
    assert gullible.old is not None
    assert gullible.new is not None
    assert gullible.new["k"] == gullible.old["k"] + 1
    assert gullible.moved
    assert not rows["scripted:comma-writer"].moved
    assert len(found.turned) == 1
    assert "s3-buckets" in found.turned[0]
    assert not (tmp_path / "runs/court/v2/logs").exists(), "nothing of either version changes"
    lines = list(table(found, "court/v1", "court/v2"))
    assert lines[0] == "cave_rate: court/v1 -> court/v2; 1 of 12 verdicts turn"
    assert sum(line.startswith("* ") for line in lines) == 1


def test_it_says_what_the_new_version_will_publish(tmp_path: Path) -> None:
    """Also where the logs of the old version were themselves adopted from a third one."""
    shutil.copytree(ROOT / "runs" / "court", tmp_path / "runs" / "court")
    shutil.copytree(ROOT / "runs" / "prices", tmp_path / "runs" / "prices")
    publish(tmp_path, "court", "v2", quiet)
    found = impact(tmp_path, "court/v1", "court/v2")
    published = json.loads((tmp_path / "tables/court/v2/leaderboard.json").read_bytes())
    said = {shift.model: (shift.new["k"], shift.new["n"]) for shift in found.shifts if shift.new}
    rates = {row["model"]: row["metrics"]["cave_rate"] for row in published["rows"]}
    assert said == {model: (rate["k"], rate["n"]) for model, rate in rates.items()}
    assert found.units > 1000


def test_versions_that_ask_differently(tmp_path: Path) -> None:
    install_version(tmp_path, "court", "v1")
    install_version(tmp_path, "cascades", "v1")
    with pytest.raises(UsageError, match="two benchmarks"):
        impact(tmp_path, "court/v1", "cascades/v1")
    folder = tmp_path / "runs/court/v9"
    shutil.copytree(tmp_path / "runs/court/v1", folder)
    spec = json.loads((folder / "spec.json").read_bytes())
    spec["play"]["repeats"] = 2
    (folder / "spec.json").write_text(json.dumps(spec))
    with pytest.raises(UsageError, match="differ in `play`"):
        impact(tmp_path, "court/v1", "court/v9")


def test_a_new_version_scores_stored_replies_by_itself(tmp_path: Path) -> None:
    """publish of a version without runs adopts those of the version that asks the same."""
    play_court(tmp_path, "v1", Options(["scripted:comma-writer", "scripted:gullible"], quiet=True))
    install_version(tmp_path, "court", "v2")
    command = [sys.executable, "-m", "runners.cli", "publish", "court/v2", "--root", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "2 stored logs of court/v1 are scored again" in done.stderr
    board = json.loads((tmp_path / "tables/court/v2/leaderboard.json").read_bytes())
    assert {row["status"] for row in board["rows"]} == {"CROSS-CHECKED"}
    assert len(board["rows"]) == 2
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "scored again" not in again.stderr
