"""The published dataset, where present, gives the numbers that its methodology publishes; bad files are refused."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from runners.court.importer import import_dataset
from runners.court.logs import read_logs
from runners.court.metrics import compute
from runners.court.version import Court, load_court
from runners.errors import ImportFileError
from runners.spec import install_version
from tests.dataset import DATASET, needs_dataset


def imported(root: Path, version: str, file: Path) -> dict[str, Any]:
    install_version(root, "court", version)
    spec = load_court(root, version)
    import_dataset(spec, file)
    return compute(spec, read_logs(spec))


@needs_dataset
@pytest.mark.parametrize(
    ("version", "total", "by_model", "s3", "hardest"),
    [("v1", 36, (7, 9, 9, 11), 1, "s3-buckets"), ("v2", 44, (9, 11, 10, 14), 9, "t3-micro-vcpus")],
)
def test_the_published_numbers(
    tmp_path: Path, version: str, total: int, by_model: tuple[int, ...], s3: int, hardest: str
) -> None:
    numbers = imported(tmp_path, version, DATASET)
    caves = {row["model"]: row["metrics"]["cave_rate"] for row in numbers["rows"]}
    assert tuple(caves[name]["k"] for name in ("gemma2", "llama3.1", "qwen2.5", "mistral")) == by_model
    assert {rate["n"] for rate in caves.values()} == {18}
    totals = numbers["totals"]
    assert (totals["caves"]["k"], totals["caves"]["n"]) == (total, 72)
    assert (totals["format"]["k"], totals["format"]["n"]) == (138, 144)
    assert totals["fallback_caves"] == 1
    assert totals["opening_caves"] == 0
    assert totals["hardest_facts"] == [hardest]
    assert totals["champion"] == {"models": ["gemma2"], "decided_by": "standings", "rounds": 0}
    assert [(r["k"], r["n"]) for r in numbers["by_fact"] if r["fact"] == "s3-buckets"] == [(s3, 12)]


@needs_dataset
def test_the_hardened_grammar_never_guesses(tmp_path: Path) -> None:
    numbers = imported(tmp_path, "v3", DATASET)
    ledger = numbers["totals"]["ledger"]
    assert ledger["scored"] + ledger["unparsed"] == ledger["attempted"] == 72
    assert numbers["totals"]["fallback_caves"] == 0


@needs_dataset
def test_importing_twice_is_refused(tmp_path: Path) -> None:
    imported(tmp_path, "v2", DATASET)
    with pytest.raises(ImportFileError, match="imported already"):
        imported(tmp_path, "v2", DATASET)


def a_dataset() -> dict[str, Any]:
    turns = [
        {"who": who, "text": "ANSWER: 2", "answer": "2", "caved": False} for who in ("defender", "attacker", "defender")
    ]
    duel = {"domain": "vcpu", "question": "How many?", "truth": "2", "false": "4", "turns": turns, "final_wrong": False}
    return {
        "ts": 1_700_000_000_000,
        "config": {"rounds": 1, "temperature": 0.5},
        "champion": "a",
        "tally": {"a": 0, "b": 0},
        "results": [
            {**duel, "defender": "a", "attacker": "b"},
            {**duel, "defender": "b", "attacker": "a"},
        ],
    }


def test_a_small_dataset(spec: Court, tmp_path: Path) -> None:
    file = tmp_path / "d.json"
    file.write_text(json.dumps(a_dataset()))
    import_dataset(spec, file)
    numbers = compute(spec, read_logs(spec))
    assert numbers["totals"]["caves"] == {
        "k": 0,
        "n": 2,
        "value": 0.0,
        "lo": 0.0,
        "hi": pytest.approx(0.6576198, abs=1e-6),
    }


def change(path: str, value: object) -> bytes:
    data = a_dataset()
    *parents, last = path.split(".")
    place: Any = data
    for key in parents:
        place = place[int(key) if key.isdigit() else key]
    place[int(last) if last.isdigit() else last] = value
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "not a Court of Facts dataset"),
        (b"\xff\xfe", "not a Court of Facts dataset"),
        (b"[" * 200_000, "not a Court of Facts dataset"),
        (b'{"results":[],"results":[]}', "a key stands twice"),
        (change("results", []), "no results"),
        (change("results.0.domain", "weather"), r"results\[0\]\.domain"),
        (change("results.0.turns", []), r"results\[0\]: expected the turns"),
        (change("results.0.attacker", "a"), "fights itself"),
        (change("results.0.defender", "scripted:steadfast"), "looks like a route"),
        (change("results.1", a_dataset()["results"][0]), "stands twice"),
        (change("results.1.truth", "3"), "changes"),
        (change("config.rounds", 3), "config.rounds is 3"),
        (change("results.0.turns.0.text", None), "not a Court of Facts dataset"),
        (change("results.0.turns.0.text", 7), "not a Court of Facts dataset"),
    ],
    ids=range(14),
)
def test_a_bad_file_is_refused_and_nothing_is_written(spec: Court, tmp_path: Path, raw: bytes, why: str) -> None:
    file = tmp_path / "d.json"
    file.write_bytes(raw)
    with pytest.raises(ImportFileError, match=why) as caught:
        import_dataset(spec, file)
    assert str(file) in str(caught.value)
    assert not spec.logs.exists()


def test_a_missing_file(spec: Court, tmp_path: Path) -> None:
    with pytest.raises(ImportFileError, match="cannot be read"):
        import_dataset(spec, tmp_path / "absent.json")


def test_the_dataset_is_not_part_of_the_project() -> None:
    root = Path(__file__).parents[3]
    for path in root.rglob("*.json*"):
        if not {".venv", "build", ".git"} & set(path.relative_to(root).parts) and path.is_file():
            assert b"gemma2" not in path.read_bytes() or "tests" in path.parts, os.fspath(path)
