"""One byte changed anywhere in what is published is named, with file and, where there is one, line; nothing passes."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runners.publish import publish
from runners.session import Options, play_court


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("published")
    play_court(root, "v3", Options([f"scripted:{p}" for p in ("steadfast", "gullible", "mute")], quiet=True))
    publish(root, "court", "v3", lambda step: None)
    return root


def check(root: Path) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "checker", "court/v3", "--root", str(root), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else {}


def test_untouched_it_passes(published: Path) -> None:
    code, report = check(published)
    assert code == 0
    assert report["status"] == "CROSS-CHECKED"
    assert report["sandbox"]["name"] == "bubblewrap+seccomp"
    assert all(probe["ok"] for probe in report["sandbox"]["probes"])


TARGETS = {
    "log": ("runs/court/v3/logs/*/*.jsonl", True),
    "spec": ("runs/court/v3/spec.json", False),
    "prompt": ("runs/court/v3/prompts/*.txt", False),
    "items": ("runs/court/v3/items.jsonl", False),
    "builder": ("tables/court/v3/builder.json", True),
    "checked": ("tables/court/v3/checked.json", True),
    "leaderboard": ("tables/court/v3/leaderboard.json", True),
    "csv": ("tables/court/v3/leaderboard.csv", True),
    "parquet": ("tables/court/v3/leaderboard.parquet", False),
    "crosscheck": ("tables/court/v3/crosscheck.json", False),
    "manifest": ("tables/court/v3/MANIFEST.json", False),
}


@pytest.mark.parametrize("what", list(TARGETS))
@pytest.mark.parametrize("seed", range(3))
def test_one_changed_byte_is_named(published: Path, tmp_path: Path, what: str, seed: int) -> None:
    pattern, has_lines = TARGETS[what]
    root = tmp_path / "root"
    shutil.copytree(published, root)
    source = random.Random(f"{what}-{seed}")
    path = source.choice(sorted(root.glob(pattern)))
    data = bytearray(path.read_bytes())
    place = source.randrange(len(data))
    data[place] ^= 1 << source.randrange(7)
    path.write_bytes(data)
    code, report = check(root)
    name = path.relative_to(root).as_posix()
    assert code in (1, 2)
    if code == 2:
        # Only what makes the rules themselves unreadable may leave nothing to compare.
        assert what in ("spec", "prompt", "items", "builder", "leaderboard", "checked", "crosscheck", "manifest")
    findings = [finding for finding in report["mismatches"] if finding["file"] == name]
    assert findings, report["mismatches"][:3]
    for finding in findings:
        assert finding["rule"]
        assert finding["field"]
        assert finding["fix"]
    if has_lines and code == 1:
        line = bytes(data[:place]).count(b"\n") + 1
        assert any(finding["line"] in (line, line + 1) for finding in findings), (line, findings[:3])
    assert report["status"] in ("MISMATCH", "COULD NOT CHECK")


def test_an_unreadable_input_is_not_a_pass(published: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(published, root)
    (root / "tables/court/v3/builder.json").unlink()
    (root / "tables/court/v3/builder.json").mkdir()
    code, _ = check(root)
    assert code == 2


def test_a_log_folder_that_is_a_file_is_not_a_pass(published: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(published, root)
    shutil.rmtree(root / "runs/court/v3/logs")
    (root / "runs/court/v3/logs").write_text("")
    code, _ = check(root)
    assert code != 0


def test_without_the_builders_numbers_there_is_nothing_to_pass(published: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(published, root)
    shutil.rmtree(root / "tables")
    code, report = check(root)
    assert code == 2
    assert {row["status"] for row in report["rows"]} == {"COULD NOT CHECK"}
