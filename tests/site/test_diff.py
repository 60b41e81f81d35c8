"""What changed between two versions: numbers, ranks, single duels and the texts that explain them."""

from pathlib import Path

import pytest

from leaderboard.files import site_files
from leaderboard.load import load_versions
from leaderboard.pages.speccompare import changed_texts, pieces
from tests.site import fixture_shared
from tests.site.fixture_names import slug
from tests.site.fixture_shared import GONE, MODEL, duel
from tests.site.pagetext import Reader
from tests.site.test_audit import links

PAGE = "court/v3/changes-since-v2/index.html"
AUDIT = "court/v3/audit/index.html"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of a site in which v2 and v3 publish the same runs."""
    root = fixture_shared.make_shared(tmp_path_factory.mktemp("shared"))
    wanted = (PAGE, AUDIT, "court/v2/audit/index.html")
    return {path: content.decode() for path, content in site_files(root) if path in wanted}


def words(html: str) -> str:
    reader = Reader()
    reader.feed(html)
    return " ".join(" ".join(reader.text).split())


def part(html: str, key: str) -> str:
    start = html.index(f'<section class="block" aria-labelledby="{key}">')
    return html[start : html.index("</section>", start)]


def test_a_changed_cell_shows_both_numbers_and_an_equal_one_says_so(shared: dict[str, str]) -> None:
    row = next(r for r in part(shared[PAGE], "rows").split("<tr") if f">{MODEL}<" in r)
    was, now = row[: row.index("→")], row[row.index("→") :]
    assert "51/52" not in now
    k, n = (int(x) for x in words(now).split("v3: ")[1].split()[1].split("/"))
    assert f"{k - 1}/{n}" in was
    assert "the same" in row


def test_duels_with_another_verdict_lead_to_both_transcripts(shared: dict[str, str]) -> None:
    html = part(shared[PAGE], "moved")
    assert links(html) == [duel("v2", 1), duel("v3", 1)]
    assert "held, neither truth nor lie" in html
    assert "caved, the lie" in html
    row = next(r for r in part(shared[PAGE], "rows").split("<tr") if f">{MODEL}<" in r)
    assert words(row).split()[-1] == "1"


def test_a_model_of_one_version_alone_says_so_and_ranks_stand_beside_each_other(shared: dict[str, str]) -> None:
    row = next(r for r in part(shared[PAGE], "rows").split("<tr") if f">{GONE}<" in r)
    assert "ONLY IN V3" in row
    assert "not there" in row
    assert 'data-label="Rank in v2"' in row


def test_the_audit_finds_the_replies_that_another_version_reads_otherwise(shared: dict[str, str]) -> None:
    for page, version in ((AUDIT, "v3"), ("court/v2/audit/index.html", "v2")):
        html = part(shared[page], "grammars")
        # The one that changes a duel comes first.
        assert links(html) == [f"{duel(version, 1)}#turn-2", f"{duel(version, 2)}#turn-0"]
        assert "100 (neither truth nor lie) · held" in html
        assert "7 (neither truth nor lie) · caved" in html


def test_runs_that_are_not_shared_are_not_compared_one_by_one(built: Path) -> None:
    html = part((built / PAGE).read_text("utf-8"), "moved")
    assert "No duel is in both versions" in html


def test_every_changed_rule_stands_there_word_by_word(root: Path, built: Path) -> None:
    versions = {v.name: v for v in load_versions(root) if v.benchmark == "court"}
    html = (built / PAGE).read_text("utf-8")
    texts = changed_texts(versions["v2"], versions["v3"])
    places = {text.place for text in texts}
    assert {"answer › grammar", "answer › no_answer"} <= places
    assert all(f'<bdi class="exact">{place.split(" › ")[0]}' in html for place in places)
    rules = {
        name: {r["id"]: r["text"] for r in versions[name].spec["answer"]["rules"]}  # type: ignore[index]
        for name in ("v2", "v3")
    }
    for text in texts:
        keys = text.place.split(" › ")
        if keys[:2] == ["answer", "rules"]:
            old = "".join(p.text for p in text.pieces if p.kind != "new")
            new = "".join(p.text for p in text.pieces if p.kind != "old")
            assert old == rules["v2"].get(keys[2], "")
            assert new == rules["v3"].get(keys[2], "")
    assert changed_texts(versions["v2"], versions["v2"]) == ()


def test_texts_are_compared_by_words() -> None:
    assert [(p.kind, p.text) for p in pieces("a 1 b", "a 2 b")] == [
        ("same", "a "),
        ("old", "1"),
        ("new", "2"),
        ("same", " b"),
    ]
    assert [(p.kind, p.text) for p in pieces("", "<b>")] == [("new", "<b>")]


def test_both_versions_and_the_board_lead_to_what_changed(built: Path) -> None:
    for page in (
        "court/index.html",
        "court/v2/index.html",
        "court/v3/index.html",
        f"court/v3/models/{slug(MODEL)}/index.html",
    ):
        html = (built / page).read_text("utf-8")
        assert "court/v3/changes-since-v2/" in html
    assert "changes-since-v1" not in (built / "court/v3/index.html").read_text("utf-8")
    assert "changes-since" not in (built / "cascades/v1/index.html").read_text("utf-8")
