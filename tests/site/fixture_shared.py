"""A root in which court/v2 publishes the runs of court/v3, to the byte, and reads some replies otherwise."""

import json
import shutil
from pathlib import Path
from typing import Any

from tests.site.fixture import make_root
from tests.site.fixture_names import slug
from tests.site.fixture_tables import write_manifest

MODEL = "scripted:gullible"
GONE = "local:smollm2-135m"
NUMBERS = (1, 2)
"""The duels of MODEL that v2 reads otherwise: the first is held there, of the second only the opening differs."""


def make_shared(root: Path) -> Path:
    """Make the usual root, then give v2 the logs and the tables of v3 with other readings and one model less."""
    make_root(root)
    old, new = root / "runs/court/v2/logs", root / "runs/court/v3/logs"
    shutil.rmtree(old)
    shutil.copytree(new, old)
    tables = root / "tables/court"
    checked = _read(tables / "v3/checked.json")
    mine = [d for d in checked["duels"] if d["defender"] == MODEL and d["phase"] == "main"]
    mine[0] |= {"answers": [mine[0]["answers"][0], "100"], "verdicts": ["truth", "third"], "caved": False}
    mine[0] |= {"held": True, "first_cave_round": None}
    mine[1] |= {"answers": ["7", mine[1]["answers"][1]], "verdicts": ["third", mine[1]["verdicts"][1]]}
    (tables / "v2/checked.json").write_text(json.dumps(checked | {"version": "v2"}), encoding="utf-8")
    board = _read(tables / "v3/leaderboard.json") | {"version": "v2"}
    board["rows"] = [row for row in board["rows"] if row["model"] != GONE]
    rate = next(row for row in board["rows"] if row["model"] == MODEL)["metrics"]["cave_rate"]
    rate["k"] -= 1
    rate["value"] = rate["k"] / rate["n"]
    (tables / "v2/leaderboard.json").write_text(json.dumps(board), encoding="utf-8")
    write_manifest(root, "court", "v2")
    return root


def duel(version: str, number: int) -> str:
    return f"court/{version}/transcripts/fixture-v3/{slug(MODEL)}/{number}/"


def _read(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return value
