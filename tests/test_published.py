"""What this repository publishes: frozen specs have not moved, every number checks, every log replays."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from runners.release.freeze import freezes
from runners.release.places import Folder
from runners.release.verify import verify
from runners.replaying import replay_version
from runners.spec import list_versions

ROOT = Path(__file__).parents[1]
# The digest of each frozen spec; the spec holds those of its prompts and items. A new rule is a new version.
FROZEN = {
    "cascades/v1": "811e6dcae0a9bbae3ae8ff2c290b4c01a88ba65ce7e3847b00aaf1d5f36dfcab",
    "court/v1": "72870cce0bbaa80f1594a406e7e48186a189e2833b2a8510dde2842231dfa5fb",
    "court/v2": "189a02b5c4524c137b261cc34bf61ffbccd1afe3831085078748f7a9483a40e7",
    "court/v3": "21ff25b5073d2cb9135f77d1b3ad00e264744a795c6ecfe3c58369d84445d7c2",
    "court/v4": "1888daad129606bc20f72085efebc426ecd6793d285ef76b4d770b2ca3406609",
}
# The root digest of each freeze, the first one first: none of them may ever go, whatever is added later.
FREEZES = {
    "cascades/v1": ["e7cf05f298df3b9dc6266ff6df4b979b124ec4b2af1b00af410c14c27b960abf"],
    "court/v1": ["6403efde317424373c2c4a3e78fe4c6dfc6fcefd1f58ecfa0ff72dd98686779f"],
    "court/v2": ["0d051d214f379fa4fec356db91ebd88abd7b43f41191a039b854a6795b269243"],
    "court/v3": ["9798d6da1e32ce4fef9c0cecab6468a2325713042da5b02c3d0a849e8b26ce03"],
    "court/v4": ["8f3b7571e709b2a5070728ad682cf5784bf17fabd082e25838fd089b35462974"],
}
PUBLISHED = [name for name in list_versions(ROOT) if (ROOT / "tables" / name / "MANIFEST.json").is_file()]


@pytest.mark.parametrize("name", list(FROZEN))
def test_the_specs_are_frozen(name: str) -> None:
    folder = ROOT / "runs" / name
    spec = (folder / "spec.json").read_bytes()
    assert hashlib.sha256(spec).hexdigest() == FROZEN[name]
    for path, digest in json.loads(spec)["files"].items():
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest, path


def test_every_version_is_frozen_and_published() -> None:
    assert sorted(list_versions(ROOT)) == sorted(FROZEN)
    assert sorted(PUBLISHED) == sorted(FROZEN)


@pytest.mark.parametrize("name", PUBLISHED)
def test_nothing_that_was_frozen_moved(name: str) -> None:
    """Every byte of the current freeze; of an earlier one its rules, its logs and its price tables."""
    assert [manifest.root for manifest in freezes(ROOT, name)] == FREEZES[name]
    for root in FREEZES[name]:
        found = verify(Folder(ROOT), name, root)
        assert found.anchored
        assert found.bytes_differ == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_published_number_checks(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "checker", name, "--root", str(ROOT), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    report = json.loads(done.stdout)
    assert report["mismatches"] == []
    assert {row["status"] for row in report["rows"]} <= {"CROSS-CHECKED", "PARTIAL"}


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_published_log_replays(name: str) -> None:
    assert replay_version(ROOT, *name.split("/"), run=None)["logs"] > 0


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_models_name_stands_only_on_what_it_wrote(name: str) -> None:
    """Every reply of a model was served under its own name; baselines say that they are scripted."""
    for path in (ROOT / "runs" / name / "logs").glob("*/*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            if record["event"] == "start":
                model = record["model"]
                assert (record["kind"] == "baseline") == model.startswith("scripted:")
            if record["event"] == "call":
                speaker = record.get("model", model)
                assert record["served"] in (speaker, speaker.partition(":")[2]), (path, record["seq"])


def test_nothing_published_is_large() -> None:
    for path in (ROOT / "runs").rglob("*"):
        assert not path.is_file() or path.stat().st_size < 5 * 2**20, path
