"""The key `frozen` of MANIFEST.json: a sound freeze passes, and each part of one that is not is named by its line."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checker_world import World, check, code

from checker.check import Outcome

Value = dict[str, Any]
Edit = Callable[[Value], Value]
TABLE, LATER = "runs/prices/2026-12-01.json", "runs/prices/2026-12-09.json"
OLD, TEXT, DIGEST = "requirements-check.lock", b"What a price was.\n", "0123456789abcdef" * 4
MANIFEST = "tables/court/v3/MANIFEST.json"


def path_of(world: World) -> Path:
    return world.root / MANIFEST


def write(world: World, edit: Edit = lambda value: value) -> None:
    """Freeze the published version: no log of it names the price table, so nothing else looks at it."""
    (world.root / TABLE).parent.mkdir(parents=True, exist_ok=True)
    (world.root / TABLE).write_bytes(TEXT)
    beside = {"checker/check.py": DIGEST, OLD: DIGEST, TABLE: hashlib.sha256(TEXT).hexdigest()}
    value = json.loads(path_of(world).read_text())
    value["frozen"] = {"at": "2026-12-01T12:00:00Z", "previous": DIGEST, "beside": beside}
    path_of(world).write_text(json.dumps(edit(value), ensure_ascii=False, indent=1) + "\n")


def named(outcome: Outcome) -> dict[tuple[str, str], int | None]:
    """(file, field) of the findings, and their lines."""
    hits = outcome.crosscheck["mismatches"]
    assert all(f["rule"] == "R20" and f["side"] == "published" and f["fix"] and f["expected"] for f in hits)
    assert all(row["status"] == "MISMATCH" for row in outcome.crosscheck["rows"]) or not hits
    return {(f["file"], f["field"]): f["line"] for f in hits}


def line_of(world: World, text: str) -> int:
    """The last line of MANIFEST.json that begins with a text: a file of the version stands in `files`, too."""
    lines = path_of(world).read_text().splitlines()
    return max(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))


def counted(outcome: Outcome) -> tuple[int, int]:
    """The fields of MANIFEST.json that were compared, and those that were equal."""
    row = next(row for row in outcome.run["files"] if row["file"] == MANIFEST)
    return row["compared"], row["equal"]


def frozen(**parts: Any) -> Edit:
    return lambda value: value | {"frozen": value["frozen"] | parts}


def beside(entries: Value, first: bool = False) -> Edit:
    """Further entries, sorted in, or in front."""

    def edit(value: Value) -> Value:
        old = value["frozen"]["beside"]
        new = entries | old if first else dict(sorted((old | entries).items()))
        return frozen(beside=new)(value)

    return edit


def without(key: str) -> Edit:
    return lambda value: value | {"frozen": {name: part for name, part in value["frozen"].items() if name != key}}


@pytest.mark.parametrize(
    "edit",
    [
        lambda value: value, frozen(previous=None), frozen(at="2024-02-29T23:59:59Z"), frozen(beside={}),
        beside({"checker/\ue000": DIGEST, "checker/\U0001f600": DIGEST}),
        # What came later, or is gone, of the checker is nothing to the check of today.
        beside({"checker/sql/none.sql": "f" * 64}),
    ],
)  # fmt: skip
def test_a_frozen_version_passes(published: World, edit: Edit) -> None:
    before = counted(check(published.root))
    write(published, edit)
    (published.root / LATER).write_bytes(b"A table that came later.\n")
    outcome = check(published.root)
    assert (code(outcome), named(outcome), outcome.crosscheck["status"]) == (0, {}, "CROSS-CHECKED")
    assert outcome.crosscheck["inputs"].keys() & {TABLE, LATER} == set()
    now, more = counted(outcome), len(json.loads(path_of(published).read_text())["frozen"]["beside"])
    assert now[0] - before[0] == now[1] - before[1] == 3 + more  # its place, at, previous, and each entry


#: (what is altered, the field of the finding, what its line begins with, the edit)
SHAPES: list[tuple[str, str, str, Edit]] = [
    *(("at", "frozen.at", '"at"', frozen(at=at)) for at in (
        None, 1796126400, "", "2026-12-01", "2026-12-01T12:00:00", "2026-12-01T12:00:00.000Z", "2026-12-01 12:00:00Z",
        "2026-12-01T12:00:00+00:00", "2026-12-01t12:00:00z", "2026-02-29T12:00:00Z", "2026-12-01T24:00:00Z",
        "2026-12-01T12:00:60Z", "2026-13-01T12:00:00Z", "0000-12-01T12:00:00Z", "2026-12-01T12:00:00Z\n",
        "２026-12-01T12:00:00Z",
    )),
    *(("previous", "frozen.previous", '"previous"', frozen(previous=previous)) for previous in (
        "", "none", False, 0, DIGEST.upper(), DIGEST[1:], DIGEST + "0", DIGEST + "\n", "g" * 64,
    )),
    *(("type", "frozen", '"frozen"', lambda value, other=other: value | {"frozen": other}) for other in (
        None, True, [], "2026-12-01T12:00:00Z",
    )),
    *(("beside", "frozen.beside", '"beside"', frozen(beside=other)) for other in (None, [], "", [TABLE])),
    *((f"no {key}", f"frozen.{key}", '"frozen"', without(key)) for key in ("at", "previous", "beside")),
    ("a key more", "frozen.by", '"by"', frozen(by="someone")),
    ("another case", "frozen.At", '"At"', lambda value: frozen(At="2026-12-01T12:00:00Z")(without("at")(value))),
    ("order", "frozen.(keys)", '"frozen"', lambda value: value | {"frozen": dict(sorted(value["frozen"].items()))}),
    ("place", "frozen", '"frozen"', lambda value: {"frozen": value["frozen"]} | value),
    ("place", "frozen", '"frozen"', lambda value: {
        key: value[key] for key in ("benchmark", "version", "digest", "frozen", "files")
    }),
    ("head", "note", '"note"', lambda value: value | {"note": ""}),
    ("head", "Frozen", '"Frozen"', lambda value: {
        "Frozen" if key == "frozen" else key: part for key, part in value.items()
    }),
    ("sorted", "frozen.beside", '"beside"', beside({TABLE: hashlib.sha256(TEXT).hexdigest()}, first=True)),
    # By code points, which UTF-16 sorts the other way round.
    ("sorted", "frozen.beside", '"beside"', beside({
        "checker/\U0001f600": DIGEST, "checker/\ue000": DIGEST}, first=True)),
    *(("path", f"frozen.beside[{path}]", json.dumps(path) + ":", beside({path: DIGEST})) for path in (
        "", "/", "checker", "checker/", "checker//a.py", "checker/../spec.py", "checker/./a.py", "./checker/a.py",
        "/checker/a.py", "..", "checker\\a.py", "../checker/a.py", "runs/court/v3/spec.json",
        "tables/court/v3/note.txt", "runs/court/v2/spec.json", "runs/prices", "runs/prices/../court/v3/spec.json",
        "README.md", "Checker/a.py", "requirements.lock", "requirements-check.lock/x", "runs/prices/none.json",
    )),
    *(("digest", f"frozen.beside[{path}]", json.dumps(path) + ":", beside({path: digest}))
      for path in ("checker/check.py", OLD, TABLE)
      for digest in (None, 0, "", DIGEST.upper(), DIGEST + "0", DIGEST[1:], [DIGEST])),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SHAPES)), ids=lambda n: f"{SHAPES[n][0]}-{n}")
def test_what_is_not_as_it_must_be_is_named_with_its_line(published: World, number: int) -> None:
    _, field, text, edit = SHAPES[number]
    write(published, edit)
    outcome = check(published.root)
    hits, line = named(outcome), line_of(published, text)
    assert code(outcome) == 1 and not outcome.troubles
    assert hits[MANIFEST, field] == line
    # A key that is written otherwise is a key less, too.
    assert set(hits) <= {(MANIFEST, field), (MANIFEST, "frozen.at")}


def test_a_freeze_is_looked_at_whatever_the_list_is(published: World) -> None:
    write(published, lambda value: frozen(at=None)(value) | {"files": []})
    assert {(MANIFEST, "frozen.at"), (MANIFEST, "files")} <= named(check(published.root)).keys()


def test_every_fault_of_one_freeze_is_named(published: World) -> None:
    write(published, lambda value: beside({"README.md": DIGEST, OLD: None})(frozen(at="", previous="")(value)))
    fields = {field for _, field in named(check(published.root))}
    assert fields == {"frozen.at", "frozen.previous", "frozen.beside[README.md]", f"frozen.beside[{OLD}]"}


# --- price tables -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["altered", "deleted", "a link", "a link to nothing", "a folder", "a pipe"])
def test_a_price_table_is_there_as_it_was(published: World, what: str) -> None:
    write(published)
    path = published.root / TABLE
    kept = path.rename(published.root / "kept.json")
    if what == "altered":
        path.write_bytes(TEXT + b"\n")
    elif what == "a folder":
        path.mkdir()
    elif what == "a pipe":
        os.mkfifo(path)
    elif what != "deleted":
        path.symlink_to(kept if what == "a link" else Path("nowhere"))
    outcome = check(published.root)
    hits = named(outcome)
    assert code(outcome) == 1 and not outcome.troubles
    assert hits.pop((MANIFEST, f"frozen.beside[{TABLE}]")) == line_of(published, f'"{TABLE}"')
    assert set(hits) == (set() if what in ("deleted", "a folder") else {(TABLE, "(bytes)")})


@pytest.mark.parametrize("link", [False, True])
def test_the_folder_of_the_price_tables(published: World, link: bool) -> None:
    """Where it is gone, or a link, nothing behind it is read."""
    write(published)
    folder = (published.root / TABLE).parent
    kept = folder.rename(published.root / "kept")
    if link:
        folder.symlink_to(kept)
    hits = named(check(published.root))
    assert set(hits) == {(MANIFEST, f"frozen.beside[{TABLE}]")}


def test_a_manifest_without_a_freeze_asks_for_no_price_table(published: World) -> None:
    before = check(published.root)
    folder = (published.root / TABLE).parent
    folder.mkdir(parents=True, exist_ok=True)
    (published.root / TABLE).symlink_to("nowhere")
    (published.root / LATER).write_bytes(TEXT)
    after = check(published.root)
    assert code(after) == 0 and after.crosscheck == before.crosscheck and counted(after) == counted(before)


@pytest.mark.parametrize("what", ["as it was", "altered", "deleted", "a link", "behind a link"])
def test_the_spec_of_reused_logs_is_there_as_it_was(published: World, what: str) -> None:
    name = "runs/court/v1/spec.json"
    path = published.root / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"{}\n")
    write(published, beside({name: hashlib.sha256(b"{}\n").hexdigest()}))
    if what == "altered":
        path.write_bytes(b"{} \n")
    elif what == "deleted":
        path.unlink()
    elif what == "a link":
        path.symlink_to(path.rename(published.root / "kept.json"))
    elif what == "behind a link":
        path.parent.symlink_to(path.parent.rename(published.root / "kept"))
    hits = named(check(published.root))
    wanted = set() if what == "as it was" else {(MANIFEST, f"frozen.beside[{name}]")}
    assert set(hits) - {(name, "(bytes)")} == wanted
