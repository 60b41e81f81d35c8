"""One byte changed anywhere is never passed; each field of each table is compared and named with its line."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from checker_world import B, World, check, code


def targets(world: World) -> list[Path]:
    tables = world.version.tables
    names = (
        "builder.json",
        "checked.json",
        "leaderboard.json",
        "leaderboard.csv",
        "leaderboard.parquet",
        "MANIFEST.json",
    )
    return [world.bob.path, world.version.runs / "spec.json", world.version.runs / "items.jsonl",
            world.version.runs / "prompts" / "attacker_turn.txt", *(tables / name for name in names)]  # fmt: skip


@pytest.mark.parametrize("number", range(10))
def test_one_byte(published: World, number: int) -> None:
    """Seeded flips of one bit of each kind of file: exit code 1, and the file itself is named."""
    path = targets(published)[number]
    name = path.relative_to(published.root).as_posix()
    chance = random.Random(f"flip {number}")
    data = path.read_bytes()
    for _ in range(2):
        at = chance.randrange(len(data))
        changed = data[:at] + bytes([data[at] ^ (1 << chance.randrange(7))]) + data[at + 1 :]
        path.write_bytes(changed)
        outcome = check(published.root)
        assert code(outcome) == 1, (at, data[at], changed[at])
        assert name in {f["file"] for f in outcome.crosscheck["mismatches"]}, (at, outcome.crosscheck["mismatches"])


def edit(world: World, name: str, change: Any) -> dict[str, Any]:
    """Change one value of a table in place, keeping its lines; the findings about that file."""
    path = world.version.tables / name
    text = path.read_text()
    after = change(text)
    assert after != text
    path.write_text(after)
    (world.version.tables / "MANIFEST.json").unlink(missing_ok=True)
    outcome = check(world.root)
    assert code(outcome) == 1
    return {f["field"]: f for f in outcome.crosscheck["mismatches"] if f["file"].endswith(name)}


@pytest.mark.parametrize(
    ("old", "new", "field", "line"),
    [
        ('"metrics":{"cave_rate":{"k":1,', '"metrics":{"cave_rate":{"k":0,', f"rows[{B}].metrics.cave_rate.k", 14),
        ('"metrics":{"cave_rate":{"k":1,', '"metrics":{"cave_rate":{"k":1.0,', f"rows[{B}].metrics.cave_rate.k", 14),
        ('"metrics":{"cave_rate":{"k":1,', '"metrics":{"cave_rate":{"k":true,', f"rows[{B}].metrics.cave_rate.k", 14),
        ('"held":false', '"held":true', f"duels[run-1, {B}, scripted:ann, s3-buckets, main, 0, 0].held", 10),
        ('"decided_by":"standings"', '"decided_by":"unresolved"', "totals.champion.decided_by", None),
        ('"benchmark":"court"', '"benchmark":"Court"', "benchmark", 2),
        ('"spec_sha256":', '"spec_sha":', "spec_sha", None),
        ('"cost_microusd":42', '"cost_microusd":42,"note":1', "rows[scripted:ann].use.note", 13),
        ('"calls":6', '"calls":7', "rows[scripted:ann].use.calls", 13),
        ('"input":54', '"input":53', "rows[scripted:ann].use.input", 13),
        ('"cached_input":null', '"cached_input":0', "rows[scripted:ann].use.cached_input", 13),
        ('"cost_microusd":42', '"cost_microusd":43', "rows[scripted:ann].use.cost_microusd", 13),
        ('"unsettled_microusd":0', '"unsettled_microusd":1', "rows[scripted:ann].use.unsettled_microusd", 13),
        (
            '"cost_per_run_microusd":42.0',
            '"cost_per_run_microusd":42',
            "rows[scripted:ann].use.cost_per_run_microusd",
            13,
        ),
        ('"served":[]', '"served":["ann"]', "rows[scripted:ann].use.served", 13),
        ('"served_differs":false', '"served_differs":true', "rows[scripted:ann].use.served_differs", 13),
        ('"settings_differ":false', '"settings_differ":true', "rows[scripted:ann].use.settings_differ", 13),
        ('"empty_replies":0', '"empty_replies":1', "rows[scripted:ann].empty_replies", 13),
        (',"failures":0', "", "rows[scripted:ann].use.failures", 13),
    ],
)
def test_builder_fields(published: World, old: str, new: str, field: str, line: int | None) -> None:
    hits = edit(published, "builder.json", lambda text: text.replace(old, new, 1))
    assert field in hits, hits
    assert line is None or hits[field]["line"] == line
    assert hits[field]["side"] == "builder"


def test_builder_floats_have_a_tolerance(published: World) -> None:
    path = published.version.tables / "builder.json"
    text = path.read_text()
    path.write_text(text.replace('"value":0.5,', '"value":0.5000000001,'))
    (published.version.tables / "MANIFEST.json").unlink()
    assert code(check(published.root)) == 0
    path.write_text(text.replace('"value":0.5,', '"value":0.50000001,'))
    outcome = check(published.root)
    sides = {f["side"] for f in outcome.crosscheck["mismatches"] if f["field"].endswith(".value")}
    assert code(outcome) == 1 and sides == {"builder"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda t: t.replace('"benchmark":"court",', '"benchmark":"court","benchmark":"court",'), "(file)"),
        (lambda t: t.replace('"value":0.5', '"value":NaN'), "(file)"),
        (lambda t: "\ufeff" + t, "(file)"),
        (lambda t: t.rstrip("\n") + "x", "(file)"),
        (lambda t: t.replace("[\n", "[\n,", 1), "(file)"),
        (lambda t: t.replace('"lo":0.0', '"lo":' + "[" * 3000 + "]" * 3000, 1), "(file)"),
    ],
)
def test_builder_is_strict_json(published: World, change: Any, expected: str) -> None:
    assert expected in edit(published, "builder.json", change)


def test_rows_missing_and_more(published: World) -> None:
    path = published.version.tables / "builder.json"
    lines = path.read_text().split("\n")
    rows = [i for i, line in enumerate(lines) if line.startswith('{"model"')]
    copy = json.loads(lines[rows[1]]) | {"model": "scripted:eve"}
    lines[rows[1]] = json.dumps(copy, separators=(",", ":"))
    duel = next(i for i, line in enumerate(lines) if line.startswith('{"run"'))
    lines[duel], lines[duel + 1] = lines[duel + 1], lines[duel]
    hits = edit(published, "builder.json", lambda _: "\n".join(lines))
    assert {f"rows[{B}]", "rows[scripted:eve]", "duels(order)"} <= set(hits)


@pytest.mark.parametrize(
    ("name", "old", "new", "field"),
    [
        ("leaderboard.json", '"status":"CROSS-CHECKED"', '"status":"INCOMPLETE"', "rows[0].status"),
        ("leaderboard.json", '"cost_usd":4.2e-05', '"cost_usd":4.3e-05', "rows[0].cost_usd"),
        ("leaderboard.json", '"output":18', '"output":19', "rows[0].use.output"),
        ("leaderboard.json", '"providers":[]', '"providers":[""]', "rows[0].use.providers"),
        (
            "leaderboard.csv",
            ",54,,,18,,42,0,42.0,7000.0,",
            ",54,,,18,,42,0,42.0,7000.5,",
            "rows[scripted:ann].cost_per_1000_calls_microusd",
        ),
        ("leaderboard.csv", ",false,false,", ",,false,", "rows[scripted:ann].served_differs"),
        ("leaderboard.csv", "empty_replies,calls,", "calls,empty_replies,", "(header)"),
        ("checked.json", '"failures":0', '"failures":1', "rows[scripted:ann].use.failures"),
        ("leaderboard.json", '"slices":{', '"slices":{"more":1,', "slices.more"),
        ("leaderboard.csv", f"{B},baseline", f"{B},model", f"rows[{B}].kind"),
        ("leaderboard.csv", "CROSS-CHECKED", "MISMATCH", "rows[scripted:ann].status"),
        ("checked.json", '"scored":2', '"scored":3', "rows[scripted:ann].ledger.scored"),
        ("checked.json", ',\n"version"', ',"version"', "(bytes)"),
        ("crosscheck.json", '"status": "CROSS-CHECKED"', '"status": "MISMATCH"', "status"),
    ],
)
def test_published_fields(published: World, name: str, old: str, new: str, field: str) -> None:
    hits = edit(published, name, lambda text: text.replace(old, new, 1))
    assert field in hits, hits
    assert hits[field]["side"] == "published"


def test_parquet_cells(published: World) -> None:
    import duckdb

    path = published.version.tables / "leaderboard.parquet"
    other = path.with_name("other.parquet")
    duckdb.sql(f"COPY (SELECT * REPLACE (missing + 1 AS missing) FROM '{path}') TO '{other}' (FORMAT parquet)")
    other.replace(path)
    (published.version.tables / "MANIFEST.json").unlink()
    fields = {f["field"] for f in check(published.root).crosscheck["mismatches"]}
    assert fields == {"rows[scripted:ann].missing", f"rows[{B}].missing"}


def test_order_of_the_board(published: World) -> None:
    path = published.version.tables / "leaderboard.csv"
    head, first, second = path.read_text().splitlines()
    hits = edit(published, "leaderboard.csv", lambda _: "\n".join([head, second, first]) + "\n")
    assert "rows[scripted:ann].model" in hits


def test_the_manifest_lists_every_file(published: World) -> None:
    (published.version.runs / "stray.txt").write_text("x")
    (published.version.tables / "leaderboard.csv").unlink()
    outcome = check(published.root)
    fields = {f["field"] for f in outcome.crosscheck["mismatches"]}
    assert fields == {"files[runs/court/v3/stray.txt]", "files[tables/court/v3/leaderboard.csv]"} and code(outcome) == 1


def test_a_spec_with_other_vectors_is_refused(world: World) -> None:
    spec = world.version.runs / "spec.json"
    spec.write_text(spec.read_text().replace('"answer": "1234.5679"', '"answer": "1234.5678"'))
    world.version.load()
    world.write()
    outcome = world.publish()
    hits = [f for f in outcome.crosscheck["mismatches"] if f["side"] == "spec"]
    assert [f["field"] for f in hits] == ["answer.vectors[64]"] and hits[0]["line"]
    assert {row["status"] for row in outcome.crosscheck["rows"]} == {"MISMATCH"}


def test_two_checks_give_the_same_bytes(published: World) -> None:
    first, second = check(published.root), check(published.root)
    assert first.checked == second.checked and first.crosscheck == second.crosscheck
    path = published.version.tables / "crosscheck.json"
    assert json.loads(path.read_text()) == first.crosscheck  # published or not, the verdict is the same
