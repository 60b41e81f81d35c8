"""Builder and checker, two programs by two readers of one text, give the same numbers; on real transcripts too."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from runners.court.importer import import_dataset
from runners.court.version import load_court
from runners.models.scripted_teams import TEAMS
from runners.publish import publish
from runners.session import Options, play_cascades, play_court
from runners.spec import install_version
from tests.dataset import DATASET, needs_dataset

POLICIES = ["steadfast", "gullible", "waverer", "hedger", "comma-writer", "mute", "null", "persuader", "whisperer"]


def tables(root: Path, version: str, benchmark: str = "court") -> dict[str, Any]:
    folder = root / "tables" / benchmark / version
    return {path.name: json.loads(path.read_bytes()) for path in folder.glob("*.json")}


def same(ours: object, theirs: object) -> bool:
    """Equal as the specs compare (R20): floats to 1e-9, everything else exactly, types included."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, float) and isinstance(theirs, float):
        return abs(ours - theirs) <= 1e-9
    return type(ours) is type(theirs) and ours == theirs


def test_scripted_policies(tmp_path: Path) -> None:
    play_court(tmp_path, "v4", Options([f"scripted:{policy}" for policy in POLICIES], quiet=True))
    verdict = publish(tmp_path, "court", "v4", lambda step: None)
    found = tables(tmp_path, "v4")
    assert verdict.code == 0
    assert same(found["builder.json"], found["checked.json"])
    crosscheck = found["crosscheck.json"]
    assert crosscheck["status"] == "CROSS-CHECKED"
    assert crosscheck["mismatches"] == []
    assert all(row["compared"] == row["equal"] > 0 for row in crosscheck["rows"])
    assert {row["status"] for row in found["leaderboard.json"]["rows"]} == {"CROSS-CHECKED"}
    kinds = {row["kind"] for row in found["leaderboard.json"]["rows"]}
    assert kinds == {"baseline"}
    empty = [row["model"] for row in found["leaderboard.json"]["rows"] if row["metrics"]["cave_rate"]["value"] is None]
    assert empty == ["scripted:mute", "scripted:null"]  # no committed answer is an empty cell, ranked last, never 0
    assert [row["model"] for row in found["leaderboard.json"]["rows"]][-2:] == empty


@needs_dataset
@pytest.mark.parametrize(
    ("version", "caves", "differing"),
    [
        # Stored answers that the rule does not yield. v2: three opening or final turns without a number on the
        # ANSWER line, for which the file keeps what the uncorrected program guessed.
        ("v2", 44, {("mistral", "answers"): 2, ("qwen2.5", "answers"): 1}),
        ("v1", 36, None),
    ],
)
def test_the_published_dataset(tmp_path: Path, version: str, caves: int, differing: dict[Any, int] | None) -> None:
    install_version(tmp_path, "court", version)
    import_dataset(load_court(tmp_path, version), DATASET)
    verdict = publish(tmp_path, "court", version, lambda step: None)
    found = tables(tmp_path, version)
    assert verdict.code == 0
    assert same(found["builder.json"], found["checked.json"])
    assert found["checked.json"]["totals"]["caves"]["k"] == caves
    assert {row["status"] for row in found["crosscheck.json"]["rows"]} == {"CROSS-CHECKED"}
    stated = found["crosscheck.json"]["mismatches"]
    assert {finding["side"] for finding in stated} == {"imported"}
    for finding in stated:
        assert finding["file"].endswith(".jsonl")
        assert finding["line"] > 1
    if differing is not None:
        counted: dict[Any, int] = {}
        for finding in stated:
            assert "caved" not in finding["field"]  # no verdict is among them
            assert "final_wrong" not in finding["field"]
            key = (finding["model"], "answers")
            assert "answers" in finding["field"]
            counted[key] = counted.get(key, 0) + 1
        assert counted == differing
    else:
        fields = [finding["field"] for finding in stated]
        assert sum("final_wrong" in field for field in fields) == 8  # the eight duels that the correction changed
        assert sum("caves" in field for field in fields) == 4  # the tally of every model


@needs_dataset
def test_the_same_transcripts_under_the_hardened_grammar(tmp_path: Path) -> None:
    install_version(tmp_path, "court", "v3")
    import_dataset(load_court(tmp_path, "v3"), DATASET)
    publish(tmp_path, "court", "v3", lambda step: None)
    found = tables(tmp_path, "v3")
    assert same(found["builder.json"], found["checked.json"])
    assert found["crosscheck.json"]["status"] == "CROSS-CHECKED"


def test_scripted_teams(tmp_path: Path) -> None:
    """Two whole low seeds of every scripted team: PARTIAL, every field equal, and the two answers of the believer."""
    play_cascades(tmp_path, "v1", Options([f"scripted:{team}" for team in TEAMS], seeds=[0, 1], quiet=True))
    verdict = publish(tmp_path, "cascades", "v1", lambda step: None)
    found = tables(tmp_path, "v1", "cascades")
    assert verdict.code == 0
    assert same(found["builder.json"], found["checked.json"])
    assert {row["status"] for row in found["leaderboard.json"]["rows"]} == {"PARTIAL"}
    assert all(row["compared"] == row["equal"] > 0 for row in found["crosscheck.json"]["rows"])
    believer = next(row for row in found["leaderboard.json"]["rows"] if row["model"] == "scripted:believer")
    assert believer["metrics"]["adoption"]["value"] == 1.0
    assert believer["metrics"]["verified_adoption"]["value"] == 0.0


TINY = Path(__file__).parent / "fixtures/cascades/tiny"


def test_the_games_of_the_paper(tmp_path: Path) -> None:
    """The checker, too, gives the tables that the paper gives."""
    shutil.copytree(TINY, tmp_path, dirs_exist_ok=True)
    publish(tmp_path, "cascades", "tiny", lambda step: None)
    checked = tables(tmp_path, "tiny", "cascades")["checked.json"]
    expected = json.loads((TINY / "expected.json").read_bytes())
    for game, wanted in zip(checked["games"], expected["games"], strict=True):
        assert {key: game[key] for key in wanted} == wanted
    assert checked["rows"][0]["ledger"] == expected["ledger"]
    for metric, value in expected["means"].items():
        assert checked["rows"][0]["metrics"][metric]["value"] == value
