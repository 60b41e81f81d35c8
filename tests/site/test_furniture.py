"""What stands beside the pages: site map, robots, feed, badges, cards, llms.txt, and what other sites are told."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import vl_convert

from leaderboard import cards
from leaderboard.files import site_files
from leaderboard.origin import origin, site_url
from leaderboard.sitemap import sitemap
from tests.site import fixture_names
from tests.site.pagetext import Reader

REPO = Path(__file__).parents[2]
ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
URL = "https://boards.test/countersign/"


@pytest.fixture(scope="module")
def files(root: Path) -> dict[str, bytes]:
    return dict(site_files(root))


@pytest.fixture(scope="module")
def placed(root: Path) -> dict[str, bytes]:
    """The same at a known URL."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERSIGN_SITE_URL", URL.rstrip("/"))
        return dict(site_files(root))


def entries(files: dict[str, bytes]) -> list[dict[str, str]]:
    feed = ET.fromstring(files["feed.xml"])
    return [
        {part: entry.findtext(f"{ATOM}{part}") or "" for part in ("id", "title", "updated", "summary")}
        | {"href": entry.find(f"{ATOM}link").attrib["href"]}  # type: ignore[union-attr]
        for entry in feed.iter(f"{ATOM}entry")
    ]


def board(root: Path, target: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((root / "tables" / target / "leaderboard.json").read_text("utf-8"))["rows"]
    return rows


def test_the_site_map_has_every_page_and_no_other(built: Path) -> None:
    text = (built / "sitemap.xml").read_bytes()
    listed = [element.text or "" for element in ET.fromstring(text).iter(f"{MAP}loc")]
    pages = {f"{page.parent.relative_to(built).as_posix()}/".removeprefix("./") for page in built.rglob("index.html")}
    assert {address.removeprefix(site_url(REPO)) for address in listed} == pages
    assert len(listed) == len(set(listed))
    times = [element.text or "" for element in ET.fromstring(text).iter(f"{MAP}lastmod")]
    assert times
    assert all(re.fullmatch(r"2026-12-01T10:\d\d:\d\d\.000Z", time) for time in times)


def test_more_pages_than_one_file_may_hold_make_an_index() -> None:
    made = dict(sitemap(["", "a/v1/", "a/v1/x/", "b/", "c/"], {"a/v1/": "2026-12-01T10:00:00.000Z"}, URL, largest=2))
    assert sorted(made) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml"]
    parts = [element.text for element in ET.fromstring(made["sitemap.xml"]).iter(f"{MAP}loc")]
    assert parts == [f"{URL}sitemap-{number}.xml" for number in (1, 2, 3)]
    assert made["sitemap-2.xml"].count(b"2026-12-01T10:00:00.000Z") == 1


def test_a_placeholder_is_nowhere_told_to_others(files: dict[str, bytes]) -> None:
    assert origin(REPO) == ""
    assert b"Sitemap" not in files["robots.txt"]
    for path in ("index.html", "court/v3/index.html", "feed.xml", "llms.txt"):
        assert b"countersign.example" not in files[path], path
        assert b"canonical" not in files[path], path


def test_a_known_url_is_in_all_that_others_read(placed: dict[str, bytes]) -> None:
    assert f"Sitemap: {URL}sitemap.xml" in placed["robots.txt"].decode()
    page = placed["court/v3/index.html"].decode()
    assert f'<link rel="canonical" href="{URL}court/v3/">' in page
    assert f'<meta property="og:url" content="{URL}court/v3/">' in page
    card = re.search(r'<meta property="og:image" content="([^"]+)">', page)
    assert card is not None
    assert card[1].removeprefix(URL) in placed
    assert f"({URL}court/v3/data/leaderboard.json)" in placed["llms.txt"].decode()
    assert all(entry["href"].startswith(URL) for entry in entries(placed))


def test_the_feed_has_each_version_and_each_row_with_the_time_of_its_log(root: Path, files: dict[str, bytes]) -> None:
    found = entries(files)
    targets = ("court/v1", "court/v2", "court/v3", "cascades/v1")
    rows = {(target, row["model"]) for target in targets for row in board(root, target)}
    assert len(found) == len(rows) + len(targets)
    for target, model in rows:
        folder = fixture_names.slug(model)
        entry = next(e for e in found if e["href"] == f"{target}/models/{folder}/")
        logs = (root / "runs" / target / "logs" / folder).glob("*.jsonl")
        times = [json.loads(log.read_text("utf-8").split("\n")[-2])["at"] for log in logs]
        assert entry["updated"] == max(times)
    assert [e["updated"] for e in found] == sorted((e["updated"] for e in found), reverse=True)
    assert all(f"{e['href']}index.html" in files for e in found)


def test_the_feed_says_of_an_empty_rate_that_it_is_empty(files: dict[str, bytes]) -> None:
    entry = next(e for e in entries(files) if e["title"].startswith("never-answers"))
    assert entry["summary"] == "Cave rate: no value, since there was nothing to count. CROSS-CHECKED."


def test_ids_of_the_feed_are_one_each_and_outlive_a_move(files: dict[str, bytes], placed: dict[str, bytes]) -> None:
    ids = [entry["id"] for entry in entries(files)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", one) for one in ids)
    assert ids == [entry["id"] for entry in entries(placed)]


def test_every_row_has_a_badge_that_says_what_the_table_says(root: Path, files: dict[str, bytes]) -> None:
    for row in board(root, "court/v3"):
        badge = json.loads(files[f"badges/court/v3/{fixture_names.slug(row['model'])}.json"])
        assert set(badge) == {"schemaVersion", "label", "message", "color"}
        assert badge["schemaVersion"] == 1
        assert badge["label"] == "Court of Facts v3"
        assert re.fullmatch(r"#[0-9a-f]{6}", badge["color"])
        value = row["metrics"]["cave_rate"]["value"]
        assert ("no value" in badge["message"]) == (value is None)
        assert badge["message"].startswith("cave rate 0.0%") == (value == 0)
        assert row["status"].lower() in badge["message"]
    colours = {json.loads(files[f"badges/court/{v}/{fixture_names.slug('a|b')}.json"])["color"] for v in ("v2", "v3")}
    assert len(colours) == 2  # a mismatch does not look like a match


def test_a_second_build_gives_the_same_bytes_and_draws_no_card_again(
    root: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> bytes:
        raise AssertionError("a card was drawn again")

    monkeypatch.setattr(cards.vl_convert, "svg_to_png", refuse)
    again = dict(site_files(root, earlier=built))
    beside = {
        path for path in again if not path.startswith(("court/", "cascades/")) and not path.endswith("index.html")
    }
    assert {"feed.xml", "llms.txt", "robots.txt", "sitemap.xml"} <= beside
    assert {path.partition("/")[0] for path in beside} >= {"cards", "badges"}
    assert [path for path in sorted(beside) if (built / path).read_bytes() != again[path]] == []


def test_a_card_that_was_cut_short_is_drawn_again(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / cards.HOME.path).write_bytes(b"\x89PNG\r\n\x1a\n half")
    [(path, content)] = cards.card_files([cards.HOME], tmp_path)
    assert path == cards.HOME.path
    assert content == vl_convert.svg_to_png(cards.HOME.svg.decode(), scale=1)


def test_each_card_is_a_picture_of_the_promised_size_and_each_page_has_one(files: dict[str, bytes]) -> None:
    pictures = {path: content for path, content in files.items() if path.startswith("cards/")}
    assert len(pictures) == 1 + 2 + 4  # first page, boards, versions
    for content in pictures.values():
        assert content[:8] == b"\x89PNG\r\n\x1a\n"
        assert [int.from_bytes(content[at : at + 4], "big") for at in (16, 20)] == [1200, 630]
    for path, content in files.items():
        if path.endswith("index.html"):
            up = "../" * path.count("/") or "./"
            image = re.search(r'property="og:image" content="([^"]+)"', content.decode())
            assert image is not None, path
            assert image[1].removeprefix(up) in pictures, path


def test_a_name_cannot_break_a_card() -> None:
    rows = (cards.CardRow("</text><script>x</script>", "1%", 0.5), cards.CardRow("none", "no value", None))
    card = cards.Card("x/", "&", "<b>", ("]]>",), rows, "\"'")
    texts = [element.text for element in ET.fromstring(card.svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "</text><script>x</script>" in texts
    assert vl_convert.svg_to_png(card.svg.decode(), scale=1)


def test_prose_and_the_page_for_what_is_not_there_tell_the_same(built: Path) -> None:
    for path in ("verify/index.html", "404.html"):
        page = (built / path).read_text("utf-8")
        for words in ('name="description"', "og:title", "feed.xml", "apple-touch-icon", 'lang="en"'):
            assert words in page, (path, words)
        assert "countersign.example" not in page
        image = re.search(r'property="og:image" content="[./]*([^"]+)"', page)
        assert image is not None
        assert (built / image[1]).is_file()


def test_llms_txt_leads_to_files_that_are_there(built: Path) -> None:
    text = (built / "llms.txt").read_text("utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 20
    for link in links:
        target = built / link
        assert (target / "index.html").is_file() if link.endswith("/") else target.is_file(), link
    assert "countersign-check" in text


def test_each_page_has_its_own_title_and_says_what_it_is(readers: dict[Path, Reader], built: Path) -> None:
    for page in readers:
        html = page.read_text("utf-8")
        assert html.count("<title>") == 1, page
        description = re.search(r'<meta name="description" content="([^"]*)"', html)
        assert description is not None, page
        assert description[1].strip(), page
