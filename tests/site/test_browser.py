"""The pages in a real browser: no request leaves the host, text stays text, tables work for every reader."""

from typing import Any

import pytest

from tests.site import fixture_cascades, fixture_money, fixture_names

pytestmark = pytest.mark.browser

RUN = f"court/v3/transcripts/fixture-v3/{fixture_names.slug('a|b')}"
TEAM = fixture_names.slug(fixture_cascades.HOSTILE)
PAGES = [
    "",
    "court/",
    "court/v1/",
    "court/v3/",
    f"court/v3/models/{fixture_names.slug('a|b')}/",
    "court/v3/facts/s3-buckets/",
    "court/v3/methodology/",
    "court/v2/check/",
    "court/v3/numbers/",
    "court/v3/audit/",
    "court/v3/changes-since-v2/",
    f"{RUN}/",
    f"{RUN}/1/",
    f"court/v3/models/{fixture_names.slug(fixture_money.PRICED)}/",
    f"court/v3/transcripts/fixture-v3/{fixture_names.slug(fixture_money.PRICED)}/3/",
    "court-of-facts/",
    "cascades/",
    "cascades/v1/",
    "cascades/v1/methodology/",
    "cascades/v1/numbers/",
    "cascades/v1/check/",
    "cascades/v1/seeds/",
    "cascades/v1/audit/",
    f"cascades/v1/models/{TEAM}/",
    f"cascades/v1/games/{TEAM}/verified-2-s00-a1/",
    "how-cascades-works/",
    "models/all/",
    f"models/{fixture_names.slug('a|b')}/",
    "data/",
    "verify/",
    "reference/log-schema/",
    "404.html",
]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_ask_no_other_host_complain_of_nothing_and_fit(visit: Any, served: str, width: int, dark: bool) -> None:
    seen = visit("", width=width, dark=dark)
    for address in PAGES:
        seen.go(address)
        assert [url for url in seen.requests if not url.startswith((served, "data:"))] == [], address
        assert seen.complaints == [], address
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width, address
        paper = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(20, 24, 29)") == dark, address


def test_a_script_in_a_transcript_is_text(visit: Any) -> None:
    seen = visit(f"{RUN}/1/")
    said = seen.page.locator("#turn-0 .said")
    assert said.evaluate("e => e.textContent") == fixture_names.HOSTILE_TEXTS[0] + "\nANSWER: 10"
    assert said.evaluate("e => e.childElementCount") == 0
    assert seen.complaints == []


def test_every_hostile_text_is_equal_in_the_dom(visit: Any) -> None:
    seen = visit("")
    for index, text in enumerate(fixture_names.HOSTILE_TEXTS, 1):
        seen.go(f"{RUN}/{index}/")
        shown = seen.page.locator("#turn-1 .said").evaluate("e => e.textContent")
        assert shown.startswith(text + " It is ")
        assert seen.complaints == []


def test_the_leaderboard_reads_without_scripts(visit: Any) -> None:
    page = visit("court/", scripts=False).page
    assert page.locator("table.board tbody tr").count() == len(fixture_names.MODELS) + 2
    assert page.get_by_text("22.7%").first.is_visible()
    assert page.get_by_text("CROSS-CHECKED").first.is_visible()
    assert page.locator("button:visible").count() == 0


def test_a_table_sorts_by_keyboard_and_keeps_empties_last(visit: Any) -> None:
    page = visit("court/v3/").page
    table = page.locator("table.board")
    button = table.locator("thead th", has_text="Cave rate").locator("button")
    head = table.locator("thead th", has_text="Cave rate")
    names = table.locator("tbody th")
    button.focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert names.first.inner_text().startswith("scripted:steadfast")
    assert names.last.inner_text().startswith("never-answers")
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "descending"
    assert names.first.inner_text().startswith("scripted:gullible")
    assert names.last.inner_text().startswith("never-answers")
    assert table.locator("[aria-sort]").count() == 1


@pytest.mark.parametrize("column", ["Cost per run", "Cost per 1,000 calls"])
def test_what_is_unpriced_sorts_last_both_ways(visit: Any, column: str) -> None:
    table = visit("court/").page.locator("table.board")
    cells = table.locator("tbody td.cost:last-child" if "1,000" in column else "tbody td.cost:nth-last-child(2)")
    for _ in range(2):
        table.locator("thead th", has_text=column).locator("button").click()
        texts = cells.all_inner_texts()
        assert all("$" in text for text in texts[:2])
        assert set(texts[2:]) == {"unpriced"}


def test_the_bound_of_a_cost_opens_without_scripts(visit: Any) -> None:
    page = visit("court/", scripts=False, width=390).page
    cost = page.locator("td.cost", has_text="at least").first
    bound = cost.locator(".bound")
    assert not bound.is_visible()
    cost.locator("summary").click()
    assert bound.is_visible()
    assert bound.inner_text() == "$0.0135, at most $0.0153: 2 attempts whose cost cannot be known."


def test_the_first_stop_of_the_keyboard_skips_to_the_content(visit: Any) -> None:
    for address in ("court/", "verify/"):
        page = visit(address).page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to content"
        page.keyboard.press("Enter")
        assert page.evaluate("location.hash") == "#content"


def test_the_choice_of_scheme_holds_on_both_kinds_of_page(visit: Any, served: str) -> None:
    page = visit("court/").page
    page.get_by_role("button", name="Switch between light and dark").click()
    for address in ("court/v3/", "verify/"):
        page.goto(served + address)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"


def test_prose_can_be_searched(visit: Any) -> None:
    page = visit("verify/").page
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type("sandbox")
    page.locator(".md-search-result__item").first.wait_for()
    assert page.locator(".md-search-result__item").first.is_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_menu_leads_to_both_boards(visit: Any, served: str, width: int, scripts: bool) -> None:
    for address in ("", "verify/"):
        page = visit(address, width=width, scripts=scripts).page
        menu = page.locator(".mast-nav details", has_text="Leaderboards")
        assert not menu.get_by_role("link", name="Cascades").is_visible()
        menu.locator("summary").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        menu.get_by_role("link", name="Cascades").click()
        assert page.url == f"{served}cascades/"


def test_escape_closes_a_menu(visit: Any) -> None:
    page = visit("cascades/").page
    menu = page.locator(".mast-nav details", has_text="Reference")
    menu.locator("summary").click()
    assert menu.get_by_role("link", name="Glossary").is_visible()
    page.keyboard.press("Escape")
    assert not menu.get_by_role("link", name="Glossary").is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Reference"


def test_a_script_in_a_note_of_the_board_is_text(visit: Any) -> None:
    seen = visit(f"cascades/v1/games/{TEAM}/verified-2-s00-a1/#round-2-agent_1")
    note = seen.page.locator("#post-0 td bdi.exact").last
    assert note.evaluate("e => e.textContent") == fixture_cascades.HOSTILE_NOTE
    assert note.evaluate("e => e.childElementCount") == 0
    assert seen.complaints == []
