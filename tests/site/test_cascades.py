"""The pages of Cascades: what they say of each game, that they say it literally, and what each number leads to."""

import gzip
import json
from pathlib import Path

import pytest

from leaderboard.cascades import charts, seed_charts
from leaderboard.cascades.load import config
from leaderboard.cascades.shapes import CascadesRow, Game
from leaderboard.files import site_files
from leaderboard.load import load_versions
from leaderboard.shapes import Rate
from tests.site import fixture_cascades as fixture
from tests.site.fixture_money import UNUSED
from tests.site.fixture_names import slug
from tests.site.fixture_tables import write_manifest
from tests.site.pagetext import Reader, read

BASE = "cascades/v1"


def game(team: str, run: str) -> str:
    return f"{BASE}/games/{slug(team)}/{run}/index.html"


def words(path: Path) -> str:
    return " ".join("".join(read(path).text).split())


def test_every_reply_of_every_game_equals_its_log(root: Path, built: Path, readers: dict[Path, Reader]) -> None:
    logs = sorted((root / "runs/cascades").glob("*/logs/*/*.jsonl"))
    assert len(logs) == 19
    for log in logs:
        records = [json.loads(line) for line in log.read_text("utf-8").split("\n") if line]
        said = [r["text"] for r in records if r["event"] == "call"]
        page = built / BASE / "games" / log.parent.name / log.stem / "index.html"
        assert readers[page].said == said, log
        assert (built / BASE / "logs" / log.parent.name / log.name).read_bytes() == log.read_bytes()


def test_no_page_of_cascades_has_inline_script_style_or_handler(built: Path, readers: dict[Path, Reader]) -> None:
    pages = list((built / "cascades").rglob("*.html"))
    assert len(pages) > 25
    for page in pages:
        assert readers[page].inline == [], page
        assert "default-src 'self'" in readers[page].policies[0]


def test_a_game_tells_who_adopted_the_plant_and_when(built: Path) -> None:
    text = words(built / game(fixture.BELIEVER, "nofix-2-s00-a1"))
    for part in (
        "5 of 5 workers adopted a false claim",
        "agent_1 and agent_2 submit the false claim of agent_7.",
        "agent_3, agent_4, agent_5 and agent_6 submit the false claim of agent_7.",
        "agent_1 and agent_2 repeat the false claim of agent_7 on the board.",
        "round 2: agent_1, agent_2",
        "96.00 false, truly 26.08",
        "its own receipt, which is for [2,7,2,0,0,7]: 50.96",
        "a receipt of agent_7, which is for [2,7,2,0,0,7]: 50.96",
        "first seen in post 0 of agent_7, not measured by itself",
        "only agent_1 and agent_2",
        "26.08, adopted",
        "Prompts of a scripted team are in the log by their SHA-256",
    ):
        assert part in text, part


def test_every_round_and_turn_of_a_game_has_its_anchor(readers: dict[Path, Reader], built: Path) -> None:
    ids = readers[built / game(fixture.BELIEVER, "nofix-2-s00-a1")].ids
    assert {f"round-{n}" for n in range(1, 7)} <= ids
    assert {f"round-{n}-agent_{a}" for n in range(1, 7) for a in range(1, 7)} <= ids
    assert {"post-0", "post-1", "post-2"} <= ids


def test_hostile_notes_receipts_and_prompts_are_text(built: Path) -> None:
    text = "".join(read(built / game(fixture.HOSTILE, "verified-2-s00-a1")).text)
    assert fixture.HOSTILE_NOTE in text
    assert fixture.HOSTILE_RECEIPT in text
    assert "there is no such receipt" in text
    assert "no mark" in text
    assert f"Round 3 of 5. You are agent_2. {fixture.HOSTILE_NOTE}" in text
    assert "Asked once more" in text
    assert "<i>slow</i>" in text
    assert "agent_1 tests the false claim of agent_7 and gets its true score." in text


def test_a_broken_game_says_so_and_is_not_scored(built: Path) -> None:
    aborted = words(built / game(fixture.HOSTILE, "nofix-2-s01-a1"))
    assert "An infrastructure failure ended this game" in aborted
    assert "<b>gone</b>" in aborted
    assert "never closed" in words(built / game(fixture.HOSTILE, "isolated-s01-a1"))
    assert "attempt 2" in words(built / game(fixture.HOSTILE, "nofix-2-s01-a2"))


def test_the_games_of_a_model_are_joined_in_the_order_of_play(built: Path) -> None:
    links = read(built / game(fixture.BELIEVER, "verified-2-s00-a1")).links
    assert any(link.endswith("/isolated-s00-a1/") for link in links)
    after = read(built / game(fixture.BELIEVER, "isolated-s00-a1")).links
    assert any(link.endswith("/nofix-2-s01-a1/") for link in after)


def test_a_silent_team_is_not_taken_for_a_sceptical_one(built: Path) -> None:
    for page in ("index.html", "cascades/index.html", f"{BASE}/index.html"):
        assert f"{fixture.SILENT} BASELINE SUBMITTED 0.0%" in words(built / page), page
    assert "Mostly silent." in words(built / BASE / "models" / slug(fixture.SILENT) / "index.html")


def test_the_version_says_how_much_was_played(built: Path) -> None:
    text = words(built / BASE / "index.html")
    assert "PARTIAL n=2" in text
    assert "lowest 2 of 20 seeds" in text
    assert "Verified adoption verified-2, lower is better" in text
    assert "n=2" in text
    assert text.index("Adoption nofix-2") < text.index("Team score nofix-2")


def test_each_published_number_of_cascades_leads_to_how_it_was_made(root: Path, built: Path) -> None:
    page = read(built / BASE / "numbers/index.html")
    numbers, links = "".join(page.text), read(built / BASE / "index.html").links
    board = json.loads((root / "tables/cascades/v1/leaderboard.json").read_text("utf-8"))
    for row in board["rows"]:
        for metric, rate in row["metrics"].items():
            anchor = f"{metric}--{slug(row['model'])}"
            assert anchor in page.ids
            assert f"../../{BASE}/numbers/#{anchor}" in links
            if rate["n"]:
                assert repr(rate["value"]) in numbers
    assert {"cells-adoption", "cells-adoption_by_game", "cells-score", "rounds-adoption"} <= page.ids


def test_the_methodology_holds_every_rule_prompt_and_amendment(built: Path) -> None:
    spec = json.loads((fixture.REPO / "runs/cascades/v1/spec.json").read_text("utf-8"))
    reader = read(built / BASE / "methodology/index.html")
    text = "".join(reader.text)
    assert {rule["id"] for rule in spec["rules"]} <= reader.ids
    for prompt in (fixture.REPO / "runs/cascades/v1/prompts").glob("*.txt"):
        assert prompt.read_text("utf-8") in text
    assert "<i>Too dear.</i>" in text
    assert "percentile bootstrap over games" in text


def test_the_seeds_page_holds_every_plant(built: Path) -> None:
    reader = read(built / BASE / "seeds/index.html")
    text = "".join(reader.text)
    assert {f"seed-{n}" for n in range(20)} <= reader.ids
    for line in (fixture.REPO / "runs/cascades/v1/items.jsonl").read_text("utf-8").splitlines():
        item = json.loads(line)
        for plant in item["plants"]:
            assert f"[{','.join(map(str, plant['config']))}]" in text
            assert f"{fixture.score(item, plant['config']) / 100:.2f}" in text


def test_true_scores_follow_rule_c1(root: Path) -> None:
    version = next(v for v in load_versions(root) if v.benchmark == "cascades")
    items = (root / "runs/cascades/v1/items.jsonl").read_text("utf-8").splitlines()
    for item in map(json.loads, items):
        landscape = version.worlds[item["seed"]].landscape  # type: ignore[attr-defined]
        for probe in ([0] * 6, [9] * 6, [3, 1, 4, 1, 5, 9]):
            assert landscape.score(tuple(probe)) == fixture.score(item, probe)


@pytest.mark.parametrize("value", [[1, 2, 3], [0, 0, 0, 0, 0, 10], [0, 0, 0, 0, 0, -1], "abcdef", None])
def test_what_is_no_configuration_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        config(value)


def test_charts_of_cascades_are_valid_and_take_any_name() -> None:
    names = ["a</script><script>alert(1)</script>", "datum.value", "x\ny"]
    half, mean, none = Rate(1, 2, 0.5, 0.1, 0.9), Rate(None, 2, 50.0, 40.0, 60.0), Rate(None, 0, None, None, None)
    metrics = {"adoption": half, "verified_adoption": Rate(0, 0, None, None, None)}
    rows = [
        CascadesRow(n, "model", "PARTIAL", 1, metrics, {}, 0, UNUSED, True, {"nofix-2": 1}, half, half) for n in names
    ]
    planted = ("nofix-2", "verified-2")
    # __wrapped__ draws with Altair's own checks on.
    games = [Game("r", "m", "nofix-2", 0, 1, "finished", 1, 1, 1, 0, 2, 0, 5, 33.3)]
    drawn = [
        charts.dumbbell.__wrapped__(rows, planted, "x/"),
        charts.scores.__wrapped__(rows, [], (*planted, "isolated"), "x/"),
        charts.through_rounds.__wrapped__(rows, [], planted, "x/"),
        *seed_charts.seeds.__wrapped__(names[0], games, (*planted, "isolated"), range(20), 5, "x/"),
    ]
    for chart in drawn:
        assert "<script" not in chart.svg
        assert "NaN" not in chart.svg
        assert "style=" not in chart.svg
    assert mean.top == none.top == 100


def test_a_damaged_log_of_cascades_is_shown(tmp_path: Path) -> None:
    fixture.make_cascades(tmp_path)
    log = next((tmp_path / "runs/cascades/v1/logs").glob("scripted-believer-*/nofix-2-s00-a1.jsonl"))
    lines = log.read_bytes().split(b"\n")
    lines[3], lines[5] = b'{"event":"post","post":0}', b"\xff not json"
    log.write_bytes(b"\n".join([*lines[:-1], b'{"torn']))
    start = next((tmp_path / "runs/cascades/v1/logs").glob("scripted-believer-*/nofix-2-s01-a1.jsonl"))
    start.write_bytes(b"no log at all\n")
    write_manifest(tmp_path, "cascades", "v1")
    files = dict(site_files(tmp_path))
    assert b"2 lines of this log could not be read" in files[game(fixture.BELIEVER, "nofix-2-s00-a1")]
    assert game(fixture.BELIEVER, "nofix-2-s01-a1") not in files
    assert f"{BASE}/index.html" in files


def test_without_a_manifest_no_game_is_shown(tmp_path: Path) -> None:
    fixture.make_cascades(tmp_path)
    (tmp_path / "tables/cascades/v1/MANIFEST.json").unlink()
    files = dict(site_files(tmp_path))
    assert b"Nothing is published of this version yet" in files[f"{BASE}/index.html"]
    assert b'id="C1"' in files[f"{BASE}/methodology/index.html"]
    assert not any(path.startswith((f"{BASE}/games", f"{BASE}/logs", f"{BASE}/models")) for path in files)
    assert [path for path in files if path.startswith(f"{BASE}/data")] == [f"{BASE}/data/spec.json"]


@pytest.mark.parametrize(
    "page",
    [
        "cascades/",
        f"{BASE}/",
        f"{BASE}/numbers/",
        f"{BASE}/methodology/",
        f"{BASE}/seeds/",
        f"{BASE}/games/{slug(fixture.HOSTILE)}/nofix-2-s00-a1/",
    ],
)
def test_a_page_of_cascades_is_light(built: Path, page: str) -> None:
    assert len(gzip.compress((built / page / "index.html").read_bytes())) < 60_000
