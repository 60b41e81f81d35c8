"""Folders that are not what they should be: strays, copies, links, pipes, closed doors, and files that change."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from cascades_world import Tiny
from checker_logs import Log, slug
from checker_world import FACTS, A, B, World, check, code, found, rechain
from hostile_world import about, is_whole, ordinary_user, statuses

from checker import files

#: Names that stand for no log (L1), each the whole name of a file in a model's folder.
STRAYS = (
    ".run-1.jsonl", "run-1.jsonl~", "#run-1.jsonl#", ".run-1.jsonl.swp", "run-1.jsonl.bak", "run-1.jsonl.gz",
    "run-1.json", "run-1.JSONL", "RUN-1.jsonl", "run 1.jsonl", "run-*.jsonl", "run-?.jsonl", "run-[1].jsonl",
    "{run-1}.jsonl", "it's.jsonl", 'a"b.jsonl', "a\nb.jsonl", "a\\b.jsonl", "%s.jsonl", "$(id).jsonl", "run=1.jsonl",
    "ｒun-1.jsonl", "run‐1.jsonl", "e\u0301.jsonl",
    "\u202elnosj.1", "CON", "aux.txt", "a:b.jsonl", "run-1.jsonl ", "Thumbs.db",
    "r" * 249 + ".jsonl", os.fsdecode(b"\xff.jsonl"), "run-1.jsonl (1)", "-", "..jsonl", ".jsonl",
)  # fmt: skip


def test_strays_are_named_and_never_read(built: World) -> None:
    """Each holds bob's log with another answer; the numbers stay those of the log that is in its place."""
    bait = built.bob.path.read_bytes().replace(b"ANSWER: 100,000", b"ANSWER: 10000")
    before = check(built.root).checked
    for name in STRAYS:
        (built.bob.path.parent / name).write_bytes(gzip.compress(bait) if name.endswith(".gz") else bait)
    outcome = check(built.root)
    hits = [f for f in found(outcome, "L1", "log") if f["field"] == "(path)"]
    assert len(hits) == len(STRAYS) and all(is_whole(f) for f in hits) and code(outcome) == 1
    json.dumps(outcome.crosscheck).encode()
    there, was = json.loads(outcome.checked or ""), json.loads(before or "")
    assert there.pop("digest") != was.pop("digest") and there == was


def test_thousands_of_strays_hide_nothing(built: World) -> None:
    for number in range(3000):
        (built.bob.path.parent / f"junk {number}").write_bytes(b"")
    built.ann.path.write_bytes(built.ann.path.read_bytes() + b"{}\n")
    outcome = check(built.root)
    assert len(found(outcome, "L1", "log")) == 3000
    assert {f["rule"] for f in about(outcome, built.ann.path, built.root)} >= {"L4"}


@pytest.mark.parametrize(
    "folder",
    ["SCRIPTED-BOB-6e0f97ec", "scripted-bob", "scripted-bob-00000000", "model=scripted%3Abob", "a/b", ".a", "x" * 140],
)
def test_a_runs_folder_has_one_name(built: World, folder: str) -> None:
    """A copy of a run under another name, in another case, or deeper."""
    place = built.version.runs / "logs" / folder
    place.mkdir(parents=True)
    shutil.copy(built.bob.path, place)
    outcome = check(built.root)
    hits = about(outcome, place / "run-1.jsonl", built.root)
    assert "L1" in {f["rule"] for f in hits} and code(outcome) == 1, outcome.crosscheck["mismatches"]


def test_a_run_is_never_counted_twice(built: World) -> None:
    """The same log as another run, and as another model's: both copies are named, the numbers' n does not grow."""
    again = built.bob.path.with_name("run-2.jsonl")
    again.write_bytes(built.bob.path.read_bytes().replace(b'"run":"run-1"', b'"run":"run-2"'))
    rechain(again, built.version.spec_bytes)
    eve = built.version.runs / "logs" / slug("scripted:eve") / "run-1.jsonl"
    eve.parent.mkdir()
    shutil.copy(built.bob.path, eve)
    outcome = check(built.root)
    assert "P8" in {f["rule"] for f in about(outcome, again, built.root)}
    assert {"L1", "P8"} & {f["rule"] for f in about(outcome, eve, built.root)}
    assert set(statuses(outcome).values()) == {"MISMATCH"} and code(outcome) == 1


def test_a_renamed_run_says_who_it_was(built: World) -> None:
    other = built.bob.path.with_name("run-9.jsonl")
    built.bob.path.rename(other)
    outcome = check(built.root)
    assert {(f["rule"], f["field"]) for f in about(outcome, other, built.root)} >= {("L1", "run")}


def test_logs_of_other_games_and_specs(built: World, tmp_path: Path) -> None:
    """A game of Cascades, and logs of other versions of the spec, are no logs of this version: never averaged."""
    tiny = Tiny(tmp_path / "cascades")
    run = next(iter(tiny.games))
    foreign = built.version.runs / "logs" / slug("scripted:tiny") / f"{run}.jsonl"
    foreign.parent.mkdir()
    shutil.copy(tiny.write(run, tiny.events(run)), foreign)
    mixed = []
    for name in ("v1", "v2"):
        other = World(tmp_path / name, name)
        log = Log(other.version, f"scripted:{name}", [A], facts=FACTS)
        log.duel(A, FACTS[0], ["ANSWER: 10", "20", "ANSWER: 10"])
        log.finish()
        target = built.version.runs / log.write().relative_to(other.version.runs)
        target.parent.mkdir()
        shutil.copy(log.path, target)
        mixed.append(target)
    outcome = check(built.root)
    assert ("L4", 1) in {(f["rule"], f["line"]) for f in about(outcome, foreign, built.root)}
    for path in mixed:
        hits = {(f["rule"], f["field"]) for f in about(outcome, path, built.root)}
        assert hits >= {("L7", "prev"), ("P7", "version")}


def test_fewer_duels_are_never_a_better_score(built: World) -> None:
    """Bob's cave is cut out of his log, and the chain mended: the duel is missing, and he is no champion by it."""
    was = json.loads(check(built.root).checked or "")["totals"]["champion"]
    lines = built.bob.path.read_bytes().split(b"\n")
    built.bob.path.write_bytes(b"\n".join(lines[:6]) + b"\n")
    rechain(built.bob.path, built.version.spec_bytes)
    (built.version.tables / "builder.json").unlink()
    outcome = World(built.root, fresh=False).publish()
    row = next(row for row in json.loads(outcome.checked or "")["rows"] if row["model"] == B)
    assert (row["ledger"]["attempted"], row["ledger"]["scored"], row["ledger"]["missing"]) == (2, 1, 1)
    assert statuses(outcome)[B] == "INCOMPLETE"
    assert json.loads(outcome.checked or "")["totals"]["champion"] == was and was["models"] == [A]


def test_a_log_that_is_gone_is_missed(published: World) -> None:
    published.bob.path.unlink()
    outcome = check(published.root)
    assert code(outcome) == 1 and {"builder", "published"} <= {f["side"] for f in outcome.crosscheck["mismatches"]}


@pytest.mark.parametrize("what", ["no folder", "empty folder", "a file", "a link", "only empty files"])
def test_nothing_to_check_is_not_passed(built: World, what: str) -> None:
    logs = built.version.runs / "logs"
    logs.rename(built.root / "elsewhere")
    if what == "empty folder":
        logs.mkdir()
    elif what == "a file":
        logs.write_text("")
    elif what == "a link":
        logs.symlink_to(built.root / "elsewhere")
    elif what == "only empty files":
        (logs / slug(B)).mkdir(parents=True)
        (logs / slug(B) / "run-1.jsonl").write_bytes(b"")
    outcome = check(built.root)
    assert code(outcome) == (1 if what == "only empty files" else 2) and not set(statuses(outcome)) & {A, B}


NAMED = ("items.jsonl", "prompts/attacker_turn.txt", "AMENDMENTS.json", "REUSED.json", "logs/x/y.jsonl")
PUBLISHED = (
    "builder.json",
    "checked.json",
    "MANIFEST.json",
    *(f"leaderboard.{end}" for end in ("json", "csv", "parquet")),
)


#: Each stands in the place of every file of a version at once.
@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "link to nothing", "link to itself", "device"])
def test_files_are_files(published: World, tmp_path: Path, kind: str) -> None:
    """Whatever stands in a file's place is named, nothing behind a link is read, and nothing waits for a pipe."""

    def put(target: Path) -> Path:
        kept = published.root / f"kept-{target.name}"
        target.parent.mkdir(exist_ok=True)
        target.touch()
        target.rename(kept)
        if kind == "pipe":
            os.mkfifo(target)
        elif kind == "folder":
            target.mkdir()
        else:
            places = {"link": kept, "link to nothing": Path("nowhere"), "device": Path("/dev/zero")}
            target.symlink_to(places.get(kind, target))
        return target

    tables = published.version.tables
    places = [put(published.version.runs / name) for name in NAMED] + [put(tables / name) for name in PUBLISHED]
    outcome = check(published.root)
    named = {f["file"] for f in outcome.crosscheck["mismatches"]}
    assert named >= {place.relative_to(published.root).as_posix() for place in places} and code(outcome) in (1, 2)
    spec = put(published.version.runs / "spec.json")
    outcome = check(published.root)
    assert about(outcome, spec, published.root) and code(outcome) == 2


@pytest.mark.parametrize("name", ["logs", "log", "items.jsonl", "REUSED.json", "leaderboard.csv", "builder.json"])
def test_what_cannot_be_read_hides_nothing_else(published: World, name: str) -> None:
    """Exit code 2, the file named, and what else is wrong named beside it."""
    published.ann.path.write_bytes(published.ann.path.read_bytes() + b"{}\n")
    (published.version.runs / "REUSED.json").write_text("{}\n")
    places = {"logs": published.bob.path.parent, "log": published.bob.path}
    tables = published.version.tables / name
    closed = places.get(name, tables if tables.exists() else published.version.runs / name)
    check(published.root)  # everything that is imported late is there before rights are dropped
    for folder in [published.root, *published.root.parents]:
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    closed.chmod(0)
    with ordinary_user():
        outcome = check(published.root)
    closed.chmod(0o755)
    assert code(outcome) == 2 and any(closed.name in text for text in outcome.troubles), outcome.troubles
    if name not in ("logs", "items.jsonl"):
        assert about(outcome, published.ann.path, published.root)


def test_a_log_that_changes_while_it_is_read(published: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is scored are the bytes that were digested: a file that is exchanged in between never passes."""
    other = published.bob.path.read_bytes().replace(b'ANSWER: 100,000"', b'ANSWER: 10,0000"')
    whole, real = published.bob.path.read_bytes(), files.opened

    @contextlib.contextmanager
    def opened(path: Path) -> Iterator[BinaryIO]:
        with real(path) as file:
            yield file
        if path == published.bob.path:
            path.write_bytes(other)

    monkeypatch.setattr(files, "opened", opened)
    outcome = check(published.root)
    monkeypatch.undo()
    published.bob.path.write_bytes(whole)
    same = check(published.root)
    assert code(outcome) == 2 or outcome.checked == same.checked


def test_folders_in_folders_without_end(built: World) -> None:
    """1,500 folders in each other: an answer, not an exception."""
    here = Path.cwd()
    os.chdir(built.bob.path.parent)
    try:
        for _ in range(1500):
            Path("a").mkdir()
            os.chdir("a")
    finally:
        os.chdir(here)
    try:
        assert code(check(built.root)) in (0, 1, 2)
    finally:
        os.system(f"rm -rf '{built.bob.path.parent}'")  # Python's own rmtree recurses too
