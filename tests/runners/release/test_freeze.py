"""Freezing: one digest over everything, nothing that was frozen moves, and whatever is added keeps the chain."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runners.errors import Refused, UsageError
from runners.publish import publish
from runners.release.archive import write_archive
from runners.release.freeze import freeze, freezes
from runners.release.notes import add_erratum, withdraw
from runners.release.places import open_place
from runners.release.verify import verify
from tests.runners.release.conftest import VERSION, play, quiet

MANIFEST = "tables/court/v4/MANIFEST.json"


def check(root: Path) -> int:
    command = [sys.executable, "-m", "checker", VERSION, "--root", str(root)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def test_a_freeze_names_everything_and_is_done_once(published: Path) -> None:
    done = freeze(published, VERSION, at="2026-12-01T12:00:00Z")
    document = json.loads((published / MANIFEST).read_bytes())
    assert document["frozen"]["at"] == "2026-12-01T12:00:00Z"
    assert document["frozen"]["previous"] is None
    beside = set(document["frozen"]["beside"])
    assert {"requirements-check.lock", "checker/check.py", "checker/sql/ingest/batch.sql"} <= beside
    assert any(path.startswith("runs/prices/") for path in beside)
    assert done.made
    assert done.manifest.root == hashlib.sha256((published / MANIFEST).read_bytes()).hexdigest()
    for path, digest in done.manifest.everything.items():
        assert hashlib.sha256((published / path).read_bytes()).hexdigest() == digest
    again = freeze(published, VERSION)
    assert not again.made
    assert again.manifest.root == done.manifest.root
    assert check(published) == 0


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        ("tables/court/v4/leaderboard.csv", "leaderboard.csv"),
        ("runs/court/v4/items.jsonl", "items.jsonl"),
        ("checker/check.py", "checked by checker/check.py"),
    ],
)
def test_what_is_not_as_it_was_published_is_not_frozen(published: Path, spoil: str, named: str) -> None:
    path = published / spoil
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(Refused, match=named):
        freeze(published, VERSION)
    assert "frozen" not in json.loads((published / MANIFEST).read_bytes())


def test_a_row_that_was_not_cross_checked_is_not_frozen(published: Path) -> None:
    path = published / "tables/court/v4/crosscheck.json"
    report = json.loads(path.read_bytes())
    report["rows"][0]["status"] = "CHECKED NOT SANDBOXED"
    path.write_text(json.dumps(report))
    with pytest.raises(Refused, match="CHECKED NOT SANDBOXED"):
        freeze(published, VERSION)


def test_without_the_checker_there_is_no_freeze(published: Path) -> None:
    shutil.rmtree(published / "checker")
    with pytest.raises(UsageError, match="checkout"):
        freeze(published, VERSION)


def test_a_frozen_version_gains_runs_and_keeps_what_it_had(published: Path) -> None:
    first = freeze(published, VERSION, at="2026-12-01T12:00:00Z").manifest
    assert publish(published, "court", "v4", quiet).report["status"] == "CROSS-CHECKED"
    assert (published / MANIFEST).read_bytes() == first.raw, "nothing new: nothing is written"
    play(published, "waverer-7", "steadfast")
    publish(published, "court", "v4", quiet)
    second = freeze(published, VERSION, at="2026-12-02T12:00:00Z").manifest
    assert second.frozen is not None
    assert second.frozen.previous == first.root
    assert (published / f"tables/court/v4/frozen/{first.root}.json").read_bytes() == first.raw
    assert [found.root for found in freezes(published, VERSION)] == [first.root, second.root]
    assert check(published) == 0
    with open_place(str(published)) as place:
        assert verify(place, VERSION, second.root).fits
        old = verify(place, VERSION, first.root)
        assert old.fits
        assert old.anchored
        assert any("earlier freeze" in remark for remark in old.remarks)


@pytest.mark.parametrize("change", ["altered", "gone"])
def test_a_frozen_log_cannot_move(published: Path, change: str) -> None:
    freeze(published, VERSION)
    play(published, "waverer-7", "steadfast")
    log = next((published / "runs/court/v4/logs").glob("scripted-gullible*/*.jsonl"))
    if change == "gone":
        log.unlink()
    else:
        log.write_bytes(log.read_bytes().replace(b"gullible", b"gullibly", 1))
    with pytest.raises(Refused, match=log.name):
        publish(published, "court", "v4", quiet)
    with pytest.raises(Refused, match=log.name):
        freeze(published, VERSION)


def test_a_frozen_price_table_cannot_move(published: Path) -> None:
    freeze(published, VERSION)
    play(published, "waverer-7", "steadfast")
    table = next((published / "runs/prices").glob("*.json"))
    table.write_bytes(table.read_bytes() + b"\n")
    with pytest.raises(Refused, match=table.name):
        publish(published, "court", "v4", quiet)


def test_notes_change_no_number(published: Path) -> None:
    first = freeze(published, VERSION, at="2026-12-01T12:00:00Z").manifest
    board = (published / "tables/court/v4/leaderboard.json").read_bytes()
    withdraw(published, VERSION, "scripted:gullible", "Played with another prompt.")
    add_erratum(published, VERSION, "A typing error", "The fact of s3-buckets says so.\n\nNo number depends on it.")
    add_erratum(published, VERSION, "Another", "Of the same kind.")
    assert (published / "tables/court/v4/leaderboard.json").read_bytes() == board
    errata = (published / "runs/court/v4/ERRATA.md").read_text("utf-8")
    assert errata.count("\n## ") == 2
    assert len(freezes(published, VERSION)) == 4
    assert check(published) == 0
    with open_place(str(published)) as place:
        assert verify(place, VERSION).fits
        assert verify(place, VERSION, first.root).fits
    with pytest.raises(UsageError, match="withdrawn already"):
        withdraw(published, VERSION, "scripted:gullible", "Again.")
    with pytest.raises(UsageError, match="no row"):
        withdraw(published, VERSION, "scripted:nobody", "Not there.")


def test_a_note_on_a_version_that_is_not_frozen(published: Path) -> None:
    add_erratum(published, VERSION, "A typing error", "In a prompt.")
    assert "frozen" not in json.loads((published / MANIFEST).read_bytes())
    assert check(published) == 0


@pytest.mark.parametrize("text", ["", " \n", "One.\n# Two"])
def test_a_note_without_a_text_leaves_nothing(published: Path, text: str) -> None:
    with pytest.raises(UsageError):
        add_erratum(published, VERSION, "Title", text)
    assert not (published / "runs/court/v4/ERRATA.md").exists()


def test_two_archives_are_the_same_bytes(published: Path, tmp_path: Path) -> None:
    manifest = freeze(published, VERSION).manifest
    write_archive(published, manifest, tmp_path / "one.tar")
    elsewhere = Path(shutil.copytree(published, tmp_path / "elsewhere"))
    for path in elsewhere.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o600)
    write_archive(elsewhere, manifest, tmp_path / "two.tar")
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()
    with open_place(str(tmp_path / "one.tar")) as place:
        found = verify(place, VERSION, manifest.root)
    assert found.fits
    assert found.files == len(manifest.everything) - 1  # the manifest itself is compared with the digest


def test_an_archive_can_be_checked_alone(published: Path, tmp_path: Path) -> None:
    manifest = freeze(published, VERSION).manifest
    write_archive(published, manifest, tmp_path / "one.tar")
    shutil.unpack_archive(tmp_path / "one.tar", tmp_path / "unpacked", "tar", filter="data")
    (folder,) = (tmp_path / "unpacked").iterdir()
    done = subprocess.run([sys.executable, "-m", "checker", VERSION], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


def test_an_archive_of_what_moved_is_not_written(published: Path, tmp_path: Path) -> None:
    manifest = freeze(published, VERSION).manifest
    (published / "checker/check.py").write_text("")
    with pytest.raises(Refused, match=r"checker/check\.py"):
        write_archive(published, manifest, tmp_path / "one.tar")
    assert list(tmp_path.glob("*.tar")) == []
