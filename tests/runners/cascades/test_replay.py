"""Replay accepts what was played and nothing else: six planted alterations, and a hundred seeded ones."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runners.cascades.logs import read_logs
from runners.cascades.replay import replay
from runners.cascades.version import Cascades, load_cascades
from runners.codec import encode_line
from runners.errors import LogError, ReplayMismatch
from runners.log import Log
from runners.models import open_model
from runners.reuse import reuse_logs
from runners.schema import Line
from runners.spec import install_version
from tests.runners.cascades.conftest import play

Records = list[dict[str, Any]]


@pytest.fixture
def game(spec: Cascades) -> Log:
    play(spec, open_model("scripted:skeptic", {}), cells=["verified-2"])
    return read_logs(spec)[0]


def rechained(log: Log, records: Records, spec: Cascades) -> None:
    """Write altered records as a log whose numbers and hashes are right: only the game itself can tell."""
    prev, out = spec.sha256, b""
    for seq, record in enumerate(records):
        raw = json.dumps({**record, "seq": seq, "prev": prev}, ensure_ascii=False, separators=(",", ":")).encode()
        prev, out = hashlib.sha256(raw).hexdigest(), out + raw + b"\n"
    log.path.write_bytes(out)


def records_of(log: Log) -> Records:
    return [json.loads(line) for line in log.path.read_bytes().splitlines()]


def of(records: Records, event: str, place: int = 0) -> dict[str, Any]:
    return [record for record in records if record["event"] == event][place]


def _score(records: Records) -> None:
    of(records, "receipt", 5)["score"] = (of(records, "receipt", 5)["score"] + 1) % 10_000


def _mark(records: Records) -> None:
    of(records, "post")["claims"][0]["verified"] = True


def _submission(records: Records) -> None:
    action = next(r for r in records if r["event"] == "action" and r["round"] == 6)
    action["submission"][0] = (action["submission"][0] + 1) % 10


def _visibility(records: Records) -> None:
    of(records, "call", 13)["posts"] = of(records, "call", 13)["posts"][:-1] or [0]


def _prompt(records: Records) -> None:
    call = of(records, "call", 20)
    call["prompt_sha256"] = hashlib.sha256(b"another prompt").hexdigest()


def _receipt_table(records: Records) -> None:
    last = [r for r in records if r["event"] == "receipt"][-1]
    records.remove(last)
    records[-1]["lines"] -= 1


PLANTED: dict[str, Callable[[Records], None]] = {
    "a receipt's score": _score,
    "a claim marked verified": _mark,
    "a final submission": _submission,
    "a post hidden from an agent": _visibility,
    "a prompt": _prompt,
    "the last receipt taken away": _receipt_table,
}


@pytest.mark.parametrize("alteration", list(PLANTED))
def test_the_six_planted_alterations_are_rejected(spec: Cascades, game: Log, alteration: str) -> None:
    records = records_of(game)
    PLANTED[alteration](records)
    rechained(game, records, spec)
    with pytest.raises((ReplayMismatch, LogError)) as caught:
        for log in read_logs(spec):
            replay(spec, log)
    assert game.path.name in str(caught.value)


def alter_leaf(records: Records, source: random.Random) -> None:
    """Change one number, text or truth value of one line, its clock, latency and free words aside."""
    leaves: list[tuple[Any, Any]] = []

    def walk(place: Any) -> None:
        for key, value in place.items() if isinstance(place, dict) else enumerate(place):
            if isinstance(value, dict | list):
                walk(value)
            elif value is not None and key not in FREE:
                leaves.append((place, key))

    for record in records:
        walk(record)
    place, key = source.choice(leaves)
    value = place[key]
    if isinstance(value, bool):
        place[key] = not value
    elif isinstance(value, int):
        place[key] = value + 1 if value < 9 else value - 1
    else:
        place[key] = value + "0" if key != "text" else "{" + value


# What no replay can know (how long a call took, who served it, the words of the runner's own name).
FREE = {"v", "seq", "prev", "at", "latency_ms", "served", "fingerprint", "runner", "run", "usage", "cost", "model"}


@pytest.mark.parametrize("seed", range(100))
def test_a_hundred_seeded_alterations_are_rejected(spec: Cascades, seed: int, played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    log = read_logs(spec)[seed % 2]
    records = records_of(log)
    alter_leaf(records, random.Random(seed))
    rechained(log, records, spec)
    with pytest.raises((ReplayMismatch, LogError)):
        for found in read_logs(spec):
            replay(spec, found)
        # What the harness itself does not look at, adoption does.
        other = tmp_path / "other"
        install_version(other, "cascades", "v1")
        refused = reuse_logs(spec, load_cascades(other, "v1")).refused
        if refused:
            raise ReplayMismatch(str(refused))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("played")
    install_version(root, "cascades", "v1")
    spec = load_cascades(root, "v1")
    play(spec, open_model("scripted:believer", {}), cells=["nofix-2"])
    play(spec, open_model("scripted:skeptic", {}), cells=["verified-2"])
    return root


def test_what_was_played_replays_and_is_adopted(played: Path, tmp_path: Path) -> None:
    source = load_cascades(played, "v1")
    logs = read_logs(source)
    assert [replay(source, log) for log in logs] == [len(log.lines) for log in logs]
    other = tmp_path / "other"
    install_version(other, "cascades", "v1")
    target = load_cascades(other, "v1")
    done = reuse_logs(source, target)
    assert len(done.adopted) == 2
    assert done.refused == {}
    for name in done.adopted:
        assert (target.folder / name).read_bytes() == (source.folder / name).read_bytes()
    assert set(json.loads((target.folder / "REUSED.json").read_bytes())) == set(done.adopted)


def test_a_line_that_is_encoded_again_is_the_same(played: Path) -> None:
    log = read_logs(load_cascades(played, "v1"))[0]
    raw = log.path.read_bytes().splitlines()
    assert [encode_line(line) for line in log.lines if isinstance(line, Line)] == raw
