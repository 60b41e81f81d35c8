"""What must hold between the numbers: each invariant is broken once in the checker's own numbers and once in a file of
tables/, and is named; and the pages say what the queries assert."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from cascades_world import Tiny, as_seed
from checker_logs import REPO
from checker_world import A, B, World, check, code

from checker import derive, figures, invariants, money, prices, tables
from checker.benchmarks import BENCHMARKS
from checker.check import check_version
from checker.court.game import Court
from checker.engine import Engine
from checker.findings import Findings
from checker.inputs import read_inputs
from checker.logs import Logs

PAGES = {"": "tables", "court": "tables", "cascades": "tables-cascades"}


# --- queries and pages ------------------------------------------------------------------------------------------------


def test_the_pages_say_what_the_queries_assert() -> None:
    """The same names with the same sentences; each name once, from I1 without a gap."""
    names = []
    for page in set(PAGES.values()):
        text = (REPO / "site" / "docs" / "reference" / f"{page}.md").read_text()
        section = text.split("\n## What must hold between the numbers\n")[1].split("\n## ")[0]
        stated = dict(re.findall(r"^\| (I[0-9]+) \| (.*) \|$", section, re.MULTILINE))
        games = [game for game, its in PAGES.items() if its == page and game]
        asserted = {i.name: i.sentence for game in games for i in invariants.invariants_of(game)}
        if page == "tables-cascades":
            asserted = {name: text for name, text in asserted.items() if name not in _common()}
        assert stated == asserted, page
        names += list(stated)
    assert sorted(names, key=lambda name: int(name[1:])) == [f"I{n + 1}" for n in range(len(names))]


def _common() -> set[str]:
    found = [{i.name for i in invariants.invariants_of(game)} for game in BENCHMARKS]
    return found[0] & found[1]


def test_every_query_returns_the_places_that_do_not_hold() -> None:
    for path in (REPO / "checker" / invariants.FOLDER).rglob("*.sql"):
        text = path.read_text()
        assert text.startswith(f"-- {path.stem.partition('_')[0]}: ") and "\nplaces AS (" in text, path
        assert text.endswith("FROM places WHERE holds IS NOT TRUE\n"), path
    for path in (REPO / "checker" / invariants.FIGURES).rglob("*_figures.sql"):
        assert path.read_text().startswith("-- One row per "), path


# --- the checker's own numbers ----------------------------------------------------------------------------------------


def derived(root: Path, benchmark: str, version: str) -> tuple[Engine, tables.Checked]:
    """The relations of a version, as the check makes them."""
    engine = Engine()
    inputs = read_inputs(root, benchmark, version, Findings())
    logs = Logs(inputs, engine)
    money.prepare(engine)
    inputs.game.prepare(engine, inputs)
    logs.read()
    prices.read_tables(engine, inputs)
    derive.set_sizes(engine, logs)
    money.derive(engine, logs)
    inputs.game.derive(engine, logs)
    want = tables.checked(inputs, inputs.game.document(engine))
    invariants.load(engine, inputs, [figures.derived(want)])
    return engine, want


def games(root: Path) -> Tiny:
    """The tiny games of two seeds; in the second, one worker of nofix-2 submits nothing."""
    tiny = Tiny(root, seeds=2)
    for run in list(tiny.games):
        for seed in (0, 1):
            events = as_seed(tiny.events(run), seed)
            if seed and run.startswith("nofix"):
                last = [e for e in events if e["event"] == "action" and e["agent"] == "agent_1"][-1]
                last["submission"] = None
            tiny.write(run.replace("s00", f"s{seed:02}"), events)
    return tiny


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory, template: Path) -> dict[str, tuple[Engine, tables.Checked]]:
    tiny = games(tmp_path_factory.mktemp("cascades"))
    return {"court": derived(template, "court", "v3"), "cascades": derived(tiny.root, "cascades", "tiny")}


def broken(engine: Engine, game: str, *damage: str) -> set[str]:
    """The names of the invariants that do not hold after a damage, which is taken back."""
    engine.run("BEGIN")
    try:
        for sql in damage:
            assert engine.rows(sql)[0][0] > 0, f"{sql}: nothing was damaged"
        return {i.name for i in invariants.examine(engine, game, derived=True) if i.broken}
    finally:
        engine.run("ROLLBACK")


def patch(change: str, where: str) -> str:
    """SQL that merges JSON into elements."""
    return f"UPDATE elements SET element = json_merge_patch(element, '{change}') WHERE {where}"


ROW_A, ROW_B, TOTALS = f"label = 'rows[{A}]'", f"label = 'rows[{B}]'", "list = 'totals'"
NOFIX = "list = 'cells' AND element ->> '$.cell' = 'nofix-2'"
#: (benchmark, invariant, what damages a relation).
DAMAGES = [
    ("court", "I1", patch('{"metrics": {"cave_rate": {"k": 5}}}', ROW_B)),
    ("court", "I1", patch('{"metrics": {"attack_rate": {"n": -1}}}', ROW_B)),
    ("court", "I2", patch('{"metrics": {"cave_rate": {"value": 0.51}}}', ROW_B)),
    ("court", "I2", patch('{"k": 0, "n": 0}', "list = 'by_fact' AND place = 0")),
    ("court", "I3", patch('{"metrics": {"cave_rate": {"lo": 0.6}}}', ROW_B)),
    ("court", "I3", patch('{"metrics": {"cave_rate": {"hi": 1.5}}}', ROW_B)),
    ("court", "I3", patch('{"metrics": {"cave_rate": {"hi": null}}}', ROW_B)),
    ("court", "I4", patch('{"metrics": {"cave_rate": {"lo": 0.5, "hi": 0.5}}}', ROW_B)),
    ("court", "I4", patch('{"metrics": {"cave_rate": {"lo": 0.09}}}', ROW_B)),
    ("court", "I5", patch('{"ledger": {"scored": 1}}', ROW_A)),
    ("court", "I5", patch('{"ledger": {"scored": 3, "missing": -1}}', ROW_A)),
    ("court", "I5", patch('{"ledger": {"empty": 1}}', ROW_A)),
    ("court", "I5", patch('{"ledger": {"empty": null}}', ROW_A)),  # takes the key away
    ("court", "I6", f"UPDATE elements SET place = 2 WHERE {ROW_A}"),
    ("court", "I6", f"UPDATE elements SET model = '{B}' WHERE {ROW_A}"),
    ("court", "I7", patch('{"use": {"cost_per_1000_calls_microusd": 7}}', ROW_A)),
    ("court", "I7", patch('{"use": {"cost_per_run_microusd": 1}}', ROW_A)),
    ("court", "I7", patch('{"use": {"unsettled_microusd": null}}', ROW_A)),
    ("court", "I8", patch('{"use": {"calls": 7}}', ROW_A)),
    ("court", "I8", "DELETE FROM attempts WHERE line = 2"),
    ("court", "I9", patch('{"third_answers": 2}', TOTALS)),
    ("court", "I9", patch('{"ledger": {"scored": 3, "missing": 1}}', TOTALS)),
    ("court", "I9", patch('{"ledger": {"scored": 3, "empty": 1}}', TOTALS)),
    ("court", "I10", patch('{"fallback_caves": 2}', ROW_B)),
    ("court", "I10", patch('{"metrics": {"cave_rate": {"n": 1}}}', ROW_A)),
    ("court", "I11", patch('{"k": 1}', "list = 'defender_fact' AND place = 0")),
    ("court", "I11", "DELETE FROM elements WHERE list = 'defender_attacker' AND place = 0"),
    ("court", "I12", "UPDATE duel_results SET caved = NOT caved WHERE duel = 1"),
    ("court", "I12", "UPDATE duel_results SET state = 'missing' WHERE duel = 1"),
    ("court", "I12", "UPDATE duel_results SET state = 'empty' WHERE duel = 1"),
    ("court", "I13", patch(f'{{"champion": {{"models": ["{B}"]}}}}', TOTALS)),
    ("court", "I13", patch('{"champion": {"decided_by": "sudden_death"}}', TOTALS)),
    ("court", "I13", patch(f'{{"champion": {{"models": ["{A}", "{B}"], "decided_by": "unresolved"}}}}', TOTALS)),
    ("court", "I14", patch('{"hardest_facts": []}', TOTALS)),
    ("court", "I14", patch('{"hardest_facts": ["s3-buckets"]}', TOTALS)),
    ("cascades", "I1", patch('{"score": {"k": 1}}', NOFIX)),
    ("cascades", "I8", "DELETE FROM calls WHERE line = (SELECT min(line) FROM calls)"),
    ("cascades", "I15", patch('{"slots": 31}', TOTALS)),
    ("cascades", "I15", patch('{"extremes": [[0, 0, 9999]]}', TOTALS)),
    ("cascades", "I16", patch('{"ledger": {"attempted": 31}}', "list = 'rows'")),
    ("cascades", "I16", patch('{"empty_replies": 9}', "list = 'rows'")),
    ("cascades", "I5", patch('{"ledger": {"empty": null}}', "list = 'rows'")),
    ("cascades", "I16", patch('{"ledger": {"unparsed": 4, "empty": 1}}', "list = 'rows'")),
    ("cascades", "I17", patch('{"metrics": {"team_score": {"value": 50.0}}}', "list = 'rows'")),
    ("cascades", "I17", patch('{"seeds": {"nofix-2": 1}}', "list = 'rows'")),
    ("cascades", "I17", "DELETE FROM elements WHERE list = 'cells' AND element ->> '$.cell' = 'isolated'"),
    ("cascades", "I18", patch('{"adoption": {"n": 9}}', NOFIX)),
    ("cascades", "I18", patch('{"seeds": [0]}', NOFIX)),
    ("cascades", "I19", "UPDATE games SET adopted = adopted + 1 WHERE board"),
    ("cascades", "I19", "UPDATE games SET calls = calls + 1 WHERE board"),
    ("cascades", "I20", "UPDATE slots SET score = 10001 WHERE score IS NOT NULL"),
    ("cascades", "I20", "DELETE FROM slots WHERE agent = 3"),
    ("cascades", "I20", "UPDATE games SET team_score = team_score + 1 WHERE final > 0"),
    ("cascades", "I21", patch('{"adoption": {"k": 5}}', "list = 'rounds' AND element ->> '$.cell' = 'verified-2'")),
    ("cascades", "I21", "DELETE FROM elements WHERE list = 'rounds' AND place = 0"),
    ("cascades", "I22", patch('{"metrics": {"team_score": {"value": 25.0001}}}', "list = 'rows'")),
    ("cascades", "I22", patch('{"mean_score": 25.00001}', "list = 'rounds' AND place = 5")),
    ("cascades", "I23", patch('{"score": {"lo": 25.0, "hi": 25.0}}', NOFIX)),
    ("cascades", "I23", patch('{"adoption_by_game": {"lo": 0.4, "hi": 0.4}}', NOFIX)),
]  # fmt: skip


@pytest.mark.parametrize("game", BENCHMARKS)
def test_sound_numbers_break_nothing(engines: dict[str, tuple[Engine, tables.Checked]], game: str) -> None:
    """And each invariant has places to look at: what looks at nothing proves nothing."""
    engine, _ = engines[game]
    found = invariants.examine(engine, game, derived=True)
    assert not [(i.name, i.broken) for i in found if i.broken]
    assert not [i.name for i in found if not i.looked_at.get(figures.DERIVED)]


@pytest.mark.parametrize(("game", "name", "damage"), DAMAGES, ids=[f"{d[1]}-{n}" for n, d in enumerate(DAMAGES)])
def test_damaged_numbers_are_named(
    engines: dict[str, tuple[Engine, tables.Checked]], game: str, name: str, damage: str
) -> None:
    assert name in broken(engines[game][0], game, damage)


def test_every_invariant_is_broken_once() -> None:
    assert {name for _, name, _ in DAMAGES} == {i.name for game in BENCHMARKS for i in invariants.invariants_of(game)}


@pytest.mark.parametrize("game", BENCHMARKS)
def test_every_rate_is_looked_at(engines: dict[str, tuple[Engine, tables.Checked]], game: str) -> None:
    """Wherever a document has k, n, value, lo and hi, the relation `rates` has a row."""

    def rates(value: object) -> Iterator[object]:
        if isinstance(value, dict) and {"k", "n", "value", "lo", "hi"} <= set(value):
            yield value
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from rates(part)

    engine, want = engines[game]
    invariants.examine(engine, game, derived=True)
    assert engine.rows("SELECT count(*) FROM rates")[0][0] == len(list(rates([want.lists, want.totals])))


def test_what_both_got_wrong_alike_confirms_nothing(built: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checker and builder.json agree on totals that are not the sums of the rows: exit code 2, and both are named."""
    real = Court.document

    def wrong(self: Court, engine: Engine) -> dict[str, Any]:
        found = real(self, engine)
        return found | {"totals": found["totals"] | {"third_answers": 7}}

    monkeypatch.setattr(Court, "document", wrong)
    path = built.version.tables / "builder.json"
    counts = '"third_answers":{},"fallback_caves":0,"opening_caves":0,"ledger"'
    path.write_text(path.read_text().replace(counts.format(1), counts.format(7)))
    outcome = check(built.root)
    assert code(outcome) == 2 and outcome.crosscheck["status"] == "COULD NOT CHECK"
    assert ["numbers break I9 at 1 places" in trouble for trouble in outcome.troubles] == [True], outcome.troubles
    found = [(f["rule"], f["side"], f["field"], f["expected"], f["found"]) for f in outcome.crosscheck["mismatches"]]
    assert found == [("I9", "builder", "totals.third_answers", "1", "7")]
    (row,) = (i for i in outcome.crosscheck["invariants"] if i["rule"] == "I9")
    assert (row["looked_at"], row["broken"]) == (32, 2)


# --- files that are published -----------------------------------------------------------------------------------------


def replaced(old: str, new: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        text = path.read_text()
        assert old in text, text[:2000]
        path.write_text(text.replace(old, new, 1))

    return change


def in_csv(line: int, column: str, cell: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        rows = list(csv.reader(io.StringIO(path.read_text())))
        rows[line][rows[0].index(column)] = cell
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows(rows)
        path.write_text(stream.getvalue())

    return change


def swapped(path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], lines[2], lines[1]]))


def in_parquet(change: str) -> Callable[[Path], None]:
    def alter(path: Path) -> None:
        other = path.with_name("other.parquet")
        duckdb.sql(f"COPY (SELECT * REPLACE ({change}) FROM '{path}') TO '{other}' (FORMAT parquet)")
        other.replace(path)

    return alter


#: (file, change, invariant, the line that is named).  Rows of builder.json stand on lines 13 and 14.
ALTERED = [
    ("builder.json", replaced('"cave_rate":{"k":1,"n":2', '"cave_rate":{"k":3,"n":2'), "I1", 14),
    ("builder.json", replaced('{"k":1,"n":2,"value":0.5', '{"k":1,"n":2,"value":0.4'), "I2", 13),
    ("leaderboard.json", replaced('"n":2,"value":0.5', '"n":2,"value":0.3'), "I2", None),
    ("leaderboard.csv", in_csv(2, "cave_rate_value", "0.6"), "I2", 3),
    ("leaderboard.csv", in_csv(2, "cave_rate_lo", "0.6"), "I3", 3),
    ("builder.json", replaced('{"k":0,"n":2,"value":0.0,"lo":0.0', '{"k":0,"n":2,"value":0.0,"lo":-0.1'), "I3", 13),
    ("leaderboard.csv", in_csv(2, "cave_rate_hi", "0.5"), "I4", 3),
    ("leaderboard.parquet", in_parquet("missing + 1 AS missing"), "I5", None),
    ("builder.json", replaced('"ledger":{"attempted":2,"scored":2', '"ledger":{"attempted":2,"scored":1'), "I5", 13),
    ("leaderboard.csv", swapped, "I6", 3),
    ("leaderboard.json", replaced('"cost_usd":4.2e-05', '"cost_usd":4.3e-05'), "I7", None),
    ("leaderboard.csv", in_csv(1, "cost_per_run_microusd", "41.0"), "I7", 2),
    ("builder.json", replaced('"totals":{"runs":2,"duels":4', '"totals":{"runs":2,"duels":5'), "I9", None),
    ("leaderboard.csv", in_csv(1, "opening_caves", "3"), "I10", 2),
    ("builder.json", replaced('{"attacker":"scripted:ann","k":1', '{"attacker":"scripted:ann","k":0'), "I11", None),
    ("builder.json", replaced('"caved":false,"held":true', '"caved":true,"held":true'), "I12", None),
    ("builder.json", replaced('"state":"scored"', '"state":"missing"'), "I12", None),
    ("checked.json", replaced('"decided_by":"standings"', '"decided_by":"unresolved"'), "I13", None),
    ("builder.json", replaced('"hardest_facts":["', '"hardest_facts":["x","'), "I14", None),
]  # fmt: skip


@pytest.fixture(scope="module")
def without_logs(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published version the logs of which are gone: nothing can be computed, but files can contradict themselves."""
    root = tmp_path_factory.mktemp("without") / "logs"
    shutil.copytree(template, root)
    shutil.rmtree(root / "runs" / "court" / "v3" / "logs")
    (root / "tables" / "court" / "v3" / "MANIFEST.json").unlink()
    outcome = check(root)
    assert code(outcome) == 2 and not outcome.crosscheck["mismatches"], outcome.crosscheck["mismatches"]
    return root


@pytest.mark.parametrize(
    ("name", "change", "rule", "line"), ALTERED, ids=[f"{a[2]}-{n}" for n, a in enumerate(ALTERED)]
)
def test_an_altered_file_is_named(
    without_logs: Path, tmp_path: Path, name: str, change: Callable[[Path], None], rule: str, line: int | None
) -> None:
    root = tmp_path / "root"
    shutil.copytree(without_logs, root)
    change(root / "tables" / "court" / "v3" / name)
    outcome = check(root)
    hits = [f for f in outcome.crosscheck["mismatches"] if f["rule"] == rule]
    assert code(outcome) == 2 and hits, outcome.crosscheck["mismatches"]
    assert {f["file"] for f in hits} == {f"tables/court/v3/{name}"}
    assert {f["side"] for f in hits} == {"builder" if name == "builder.json" else "published"}
    assert line is None or line in {f["line"] for f in hits}


#: (what of builder.json, by what, invariant).
ALTERED_GAMES = [
    ('"aborted":0', '"aborted":1', "I15"),
    ('"failed":0', '"failed":1', "I16"),
    ('"runs":6', '"runs":7', "I17"),
    ('"seeds":[0,1]', '"seeds":[0,1,2]', "I18"),
    ('"receipts":', '"more":1,"receipts":', None),
    ('"adopted":2,"checked":', '"adopted":3,"checked":', "I19"),
    ('"score_sum":10370', '"score_sum":10371', "I20"),
    ('"round":6', '"round":5', "I21"),
    ('"mean_score":25.925', '"mean_score":25.92555', "I22"),
    ('"value":0.3,"lo":0.2,', '"value":0.3,"lo":0.4,', "I23"),
]  # fmt: skip


def test_altered_games_are_named(tmp_path: Path) -> None:
    tiny = games(tmp_path)
    tiny.check()
    path = tiny.tables / "builder.json"
    text = path.read_text()
    shutil.rmtree(tiny.runs / "logs")
    for old, new, rule in ALTERED_GAMES:
        assert old in text, old
        path.write_text(text.replace(old, new, 1))
        outcome = check_version(tiny.root, "cascades", "tiny", {"name": "none", "why": "x", "probes": []}, {})
        rules = {f["rule"] for f in outcome.crosscheck["mismatches"]}
        assert rule in rules if rule else not rules, (old, new, outcome.crosscheck["mismatches"])


def test_where_a_comparison_has_spoken_contradictions_are_counted_only(published: World) -> None:
    (published.version.tables / "MANIFEST.json").unlink()
    in_csv(1, "scored", "1")(published.version.tables / "leaderboard.csv")
    outcome = check(published.root)
    assert [(f["rule"], f["field"]) for f in outcome.crosscheck["mismatches"]] == [("R20", f"rows[{A}].scored")]
    (file,) = (f for f in outcome.run["files"] if f["file"].endswith("leaderboard.csv"))
    assert file["broken"] > 0 and file["compared"] == file["equal"] + 1
    assert not any(i["broken"] for i in outcome.crosscheck["invariants"])


@pytest.mark.parametrize("cell", ["1e999", "nan", "-1", "9" * 5000, "", "true", "0x10", "\x00", '"', "x" * 100_000])
def test_no_cell_of_a_published_file_stops_the_check(without_logs: Path, tmp_path: Path, cell: str) -> None:
    root = tmp_path / "root"
    shutil.copytree(without_logs, root)
    folder = root / "tables" / "court" / "v3"
    in_csv(1, "cave_rate_n", cell)(folder / "leaderboard.csv")
    replaced('"n":2', f'"n":{json.dumps(cell)}')(folder / "leaderboard.json")
    in_parquet("'NaN'::DOUBLE AS cave_rate_value, DATE '2026-01-01' AS runs")(folder / "leaderboard.parquet")
    outcome = check(root)
    rules = {(f["rule"], Path(f["file"]).name) for f in outcome.crosscheck["mismatches"]}
    assert {("I1", "leaderboard.json"), ("I2", "leaderboard.parquet")} <= rules, rules
    assert code(outcome) == 2
