"""What the pages hold: numbers that are there and numbers that are not, links, charts, files, weight."""

import gzip
import json
import os
import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from leaderboard import charts as shared_charts
from leaderboard import show
from leaderboard.build import build_site, write_tree
from leaderboard.court import charts
from leaderboard.court.shapes import CourtRow
from leaderboard.errors import SiteError
from leaderboard.files import site_files
from leaderboard.load import load_versions
from leaderboard.pages.common import ranks
from leaderboard.render import environment
from leaderboard.shapes import Cell, Rate
from tests.site import fixture, fixture_money, fixture_names, fixture_tables
from tests.site.pagetext import Reader, read

REPO = Path(__file__).parents[2]
NONE = Rate(0, 0, None, None, None)


def make_row(model: str, rate: Rate, kind: str = "model") -> CourtRow:
    return CourtRow(model, kind, "CROSS-CHECKED", 1, {"cave_rate": rate}, {}, 0, fixture_money.UNUSED, 0, 0, 0)


def test_every_internal_link_leads_somewhere(built: Path, readers: dict[Path, Reader]) -> None:
    exists = {path.resolve() for path in built.rglob("*")}
    dead = []
    for page, reader in readers.items():
        for link in [*reader.links, *reader.resources]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            base = built if parts.path.startswith("/") else page.parent
            target = Path(os.path.normpath(base / unquote(parts.path).lstrip("/"))) if parts.path else page
            target = target / "index.html" if target / "index.html" in exists else target
            if target not in exists or (parts.fragment and parts.fragment not in readers[target].ids):
                dead.append((str(page.relative_to(built)), link))
    assert dead == []


def test_nothing_is_fetched_from_another_host(built: Path, readers: dict[Path, Reader]) -> None:
    for page, reader in readers.items():
        assert [r for r in reader.resources if urlsplit(r).netloc] == [], page
    for sheet in built.rglob("*.css"):
        text = sheet.read_text("utf-8")
        assert "url(http" not in text.replace('"', "").replace("'", "")
        assert "@import" not in text


def test_an_empty_rate_is_empty_and_last(built: Path) -> None:
    html = (built / "court/v3/index.html").read_text("utf-8")
    row = html[html.index("never-answers") :]
    row = row[: row.index("</tr>")]
    assert "no value" in row
    assert "0.0%" not in row
    assert html.index("never-answers") > html.index("scripted:gullible")


def test_an_empty_rate_has_no_display() -> None:
    with pytest.raises(ValueError, match="empty rate"):
        show.percent(None)


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0.0%"), (1.0, "100.0%"), (0.0001, "<0.1%"), (0.9999, ">99.9%"), (13 / 36, "36.1%")]
)
def test_a_rate_that_is_not_nothing_never_reads_as_nothing(value: float, text: str) -> None:
    assert show.percent(value) == text


def test_ranks_are_shared_by_equal_rates_and_baselines_take_none() -> None:
    rows = [
        make_row("scripted:a", Rate(0, 9, 0.0, 0.0, 0.3), "baseline"),
        make_row("b", Rate(1, 3, 1 / 3, 0.1, 0.8)),
        make_row("c", Rate(3, 9, 0.3333333333333334, 0.1, 0.7)),
        make_row("d", Rate(2, 3, 2 / 3, 0.2, 0.9)),
        make_row("e", NONE),
    ]
    assert ranks(rows) == {"b": 1, "c": 1, "d": 3}


def test_downloads_are_byte_for_byte(root: Path, built: Path) -> None:
    for version in ("v1", "v2", "v3"):
        for path in (root / "tables/court" / version).glob("*.*"):
            assert (built / "court" / version / "data" / path.name).read_bytes() == path.read_bytes()
        for log in (root / "runs/court" / version / "logs").glob("*/*.jsonl"):
            copied = built / "court" / version / "logs" / log.parent.name / log.name
            assert copied.read_bytes() == log.read_bytes()


def test_each_published_rate_leads_to_how_it_was_made(root: Path, built: Path) -> None:
    numbers = "".join(read(built / "court/v3/numbers/index.html").text)
    board = json.loads((root / "tables/court/v3/leaderboard.json").read_text("utf-8"))
    links = read(built / "court/v3/index.html").links
    for row in board["rows"]:
        for metric, rate in row["metrics"].items():
            assert f"../../court/v3/numbers/#{metric}--{fixture_names.slug(row['model'])}" in links
            if rate["n"]:
                assert repr(rate["value"]) in numbers
    assert "countersign-check court/v3" in numbers


def test_the_erratum_is_a_banner_and_text(built: Path) -> None:
    text = "".join(read(built / "court/v1/index.html").text)
    assert "A number ended at its first comma" in text
    assert "<b>No number here was changed.</b>" in text
    assert "Erratum" not in "".join(read(built / "court/v2/index.html").text)


def test_a_withdrawn_row_stays_listed_without_a_rank(built: Path, root: Path, tmp_path: Path) -> None:
    board = "".join(read(built / "court/v1/index.html").text)
    assert board.count("WITHDRAWN") == 1
    page = " ".join("".join(read(built / f"court/v1/models/{fixture_names.slug('a|b')}/index.html").text).split())
    assert "Withdrawn on 2026-12-02. <b>The wrong</b> weights were served." in page
    badge = json.loads((built / f"badges/court/v1/{fixture_names.slug('a|b')}.json").read_text("utf-8"))
    assert badge["message"].endswith(", withdrawn")
    versions = {(v.benchmark, v.name): v for v in load_versions(root)}
    assert "a|b" in ranks(versions["court", "v2"].rows)
    assert "a|b" not in ranks(versions["court", "v1"].rows)
    assert next(row for row in versions["court", "v1"].rows if row.model == "a|b").primary.n > 0
    other = tmp_path / "root"
    shutil.copytree(root, other)
    (other / "runs/court/v1/WITHDRAWN.json").write_text('[{"at": "x", "model": "nobody", "reason": "y"}]')
    with pytest.raises(
        SiteError, match=r"WITHDRAWN\.json: expected models that Court of Facts v1 publishes, found nobody"
    ):
        load_versions(other)


def test_the_check_report_names_the_finding(built: Path) -> None:
    text = "".join(read(built / "court/v2/check/index.html").text)
    for words in ("MISMATCH", "line 3", "<script>alert(4)</script>", "Restore the line", "bubblewrap", "3,999"):
        assert words in text


def test_the_methodology_has_an_anchor_for_each_rule_and_each_vector(built: Path) -> None:
    spec = json.loads((REPO / "runs/court/v3/spec.json").read_text("utf-8"))
    reader = read(built / "court/v3/methodology/index.html")
    text = "".join(reader.text)
    assert {rule["id"] for rule in [*spec["rules"], *spec["answer"]["rules"]]} <= reader.ids
    assert all(vector["text"] in text for vector in spec["answer"]["vectors"])
    for prompt in (REPO / "runs/court/v3/prompts").glob("*.txt"):
        assert prompt.read_text("utf-8") in text


def test_every_chart_says_in_words_what_it_shows(built: Path) -> None:
    html = (built / "court/v3/index.html").read_text("utf-8")
    drawings = [part for part in html.split("<svg")[1:] if 'class="chart"' in part[:400]]
    # Rates, two heat maps, score against cost, tokens, outcomes, attempts.
    assert len(drawings) == 7
    ids = read(built / "court/v3/index.html").ids
    for drawing in drawings:
        assert 'role="img"' in drawing
        labels = drawing.split('aria-labelledby="')[1].split('"')[0].split()
        assert set(labels) <= ids
        said = drawing.split("<desc")[1].split(">", 1)[1].split("</desc>")[0]
        assert re.search(r"Lowest cave rate|On the Pareto edge|in all", said), said
    assert html.count("Data of this chart") == 7


def test_charts_are_valid_and_take_any_name() -> None:
    names = ["a</script><script>alert(1)</script>", "datum.value", "x\ny", "'\""]
    half = Rate(1, 2, 0.5, 0.1, 0.9)
    cells = [Cell((a, b), half if a < b else NONE) for a in names for b in names]
    # __wrapped__ draws with Altair's own checks on.
    drawn = charts.heat.__wrapped__("c", "T", "says", cells, names, names, ("Defender", "Attacker"), "x/").svg
    assert isinstance(drawn, Markup)
    assert "<script" not in drawn
    assert "NaN" not in drawn
    assert "style=" not in drawn
    assert "no scored duel" in charts.rates.__wrapped__([make_row("a|b", half), make_row("none", NONE)], "x/").svg


def test_a_chart_takes_twenty_thousand_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    specs: list[str] = []
    empty = '<svg xmlns="http://www.w3.org/2000/svg" width="9" viewBox="0 0 9 9"></svg>'
    monkeypatch.setattr(shared_charts, "_svg", lambda spec: specs.append(spec) or empty)
    names = [f"m{i}" for i in range(142)]
    cells = [Cell((a, b), NONE) for a in names for b in names]
    charts.heat("c", "T", "says", cells, names, names, ("Defender", "Attacker"), "x/")
    rows = json.loads(specs[0])["datasets"]["rows"]
    assert len(rows) == 142 * 142
    assert {row["value"] for row in rows} == {None}


def test_templates_are_strict_and_escape_whatever_their_name() -> None:
    with pytest.raises(UndefinedError):
        environment().from_string("{{ page.nothing }}").render(page=object())
    with pytest.raises(TypeError, match="printed None"):
        environment().from_string("{{ x }}").render(x=None)
    assert environment().from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"


def test_transcripts_and_tables_stay_out_of_the_search_index(built: Path) -> None:
    index = (built / "search/search_index.json").read_bytes()
    places = {entry["location"].split("#")[0] for entry in json.loads(index)["docs"]}
    assert not any(place.startswith(("court/", "cascades/")) for place in places)
    assert len(gzip.compress(index)) < 100_000


@pytest.mark.parametrize("page", ["", "court/", "court/v3/", "court/v3/methodology/", "court/v3/check/", "verify/"])
def test_a_page_is_light(built: Path, page: str) -> None:
    reader = read(built / page / "index.html")
    needs = {(built / page / urlsplit(r).path).resolve() for r in reader.resources} | {built / page / "index.html"}
    assert sum(len(gzip.compress(path.read_bytes())) for path in needs) < 300_000


def test_without_tables_the_site_says_so(tmp_path: Path) -> None:
    files = {path: content.decode() for path, content in site_files(tmp_path) if path.endswith(".html")}
    assert "Nothing is published yet" in files["index.html"]
    assert "Nothing is published yet" in files["court/index.html"]
    assert "Nothing is published yet" in files["cascades/index.html"]


def test_a_version_without_tables_shows_its_rules(tmp_path: Path) -> None:
    root = fixture.make_root(tmp_path)
    for path in (root / "tables/court/v3").iterdir():
        path.unlink()
    files = dict(site_files(root))
    assert b"Nothing is published of this version yet" in files["court/v3/index.html"]
    assert b'id="R7"' in files["court/v3/methodology/index.html"]
    assert "court/v3/numbers/index.html" not in files


def test_a_damaged_log_is_shown_and_a_damaged_table_is_named(tmp_path: Path) -> None:
    root = fixture.make_root(tmp_path)
    log = next((root / "runs/court/v3/logs").glob("a-b-*/*.jsonl"))
    lines = log.read_bytes().split(b"\n")
    lines[2], lines[4] = b'{"event": "call"}', b"\xff not json"
    log.write_bytes(b"\n".join([*lines[:-1], b'{"torn']))
    fixture_tables.write_manifest(root, "court", "v3")
    index = dict(site_files(root))[f"court/v3/transcripts/{log.stem}/{log.parent.name}/index.html"]
    assert b"2 lines of this log could not be read" in index
    board = root / "tables/court/v3/leaderboard.json"
    board.write_text(board.read_text("utf-8").replace('"kind"', '"sort"', 1), "utf-8")
    fixture_tables.write_manifest(root, "court", "v3")
    with pytest.raises(SiteError, match=r"leaderboard\.json: expected .* found KeyError: 'kind'"):
        load_versions(root)


def test_a_second_build_changes_nothing_and_removes_what_is_gone(root: Path, built: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (built / "court").rglob("*") if path.is_file()}
    (built / "court/left-over").mkdir()
    (built / "court/left-over/index.html").write_text("old", "utf-8")
    assert build_site(root, built) == built / "index.html"
    assert {path: path.stat().st_mtime_ns for path in (built / "court").rglob("*") if path.is_file()} == before
    (tmp_path / "mine.txt").write_text("keep", "utf-8")
    with pytest.raises(SiteError, match="expected an empty folder"):
        write_tree(tmp_path, [])
