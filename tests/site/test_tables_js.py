"""Tables in a browser: they filter by words and boxes, keep their state in the address, and read on every screen."""

from typing import Any

import pytest

from tests.site import fixture_cascades, fixture_names
from tests.site.fixture_names import MODELS

pytestmark = pytest.mark.browser

ALL = len(MODELS) + 2
BASELINES = sum(name.startswith("scripted:") for name in MODELS)


def form(page: Any, label: str = "Results") -> Any:
    return page.get_by_role("search", name=label, exact=True)


def shown(page: Any, key: str = "results") -> list[str]:
    """Give the visible rows of a table as text."""
    return page.locator(f"table[data-filter={key}] tbody tr:visible").all_inner_texts()


def count(page: Any, label: str = "Results") -> str:
    return form(page, label).locator("output").inner_text()


def test_a_table_filters_by_name_with_the_keyboard_alone_and_says_how_many_rows_are_left(visit: Any) -> None:
    page = visit("court/v3/").page
    assert count(page) == f"{ALL} of {ALL} rows"
    field = form(page).get_by_label("Filter by name or word")
    field.focus()
    page.keyboard.type("SMOL")
    assert [row.split()[0] for row in shown(page)] == ["local:smollm2-135m"]
    assert count(page) == f"1 of {ALL} rows"
    assert form(page).locator("output").get_attribute("aria-live") == "polite"
    page.keyboard.type(" nobody")
    assert shown(page) == []
    assert page.get_by_text("No row is left").first.is_visible()
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.textContent") != "Show all":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert len(shown(page)) == ALL


def test_words_of_a_status_are_found_and_numbers_are_not_searched(visit: Any) -> None:
    page = visit("court/v3/").page
    field = form(page).get_by_label("Filter by name or word")
    field.fill("incomplete")
    assert [row.split()[0] for row in shown(page)] == ["../../x"]
    field.fill("100.0%")
    assert shown(page) == []


def test_boxes_leave_out_baselines_and_statuses_and_no_rank_changes(visit: Any) -> None:
    page = visit("court/v3/").page
    ranks = "rows => Object.fromEntries(rows.map(r => [r.cells[0].textContent, r.cells[1].textContent]))"
    rows = page.locator("table[data-filter=results] tbody tr")
    before = rows.evaluate_all(ranks)
    form(page).get_by_label(f"Baselines ({BASELINES})").uncheck()
    assert not any("scripted:" in row for row in shown(page))
    assert count(page) == f"{ALL - BASELINES} of {ALL} rows"
    form(page).get_by_label("INCOMPLETE (1)").uncheck()
    assert len(shown(page)) == ALL - BASELINES - 1
    assert rows.evaluate_all(ranks) == before


def test_a_view_is_kept_in_the_address_and_restored_from_it(visit: Any, served: str) -> None:
    page = visit("court/v3/").page
    page.locator("table[data-filter=results] thead th", has_text="Attack rate").locator("button").press("Enter")
    page.keyboard.press("Enter")
    form(page).get_by_label(f"Baselines ({BASELINES})").uncheck()
    form(page).get_by_label("Filter by name or word").fill("e")
    form(page, "Ledger").get_by_label("Filter by name or word").fill("smol")
    address, rows = page.evaluate("location.href"), shown(page)
    assert "#?results.sort=-attack-rate&results.q=e&results.hide=baseline&ledger.q=smol" in address
    assert count(page).endswith(", sorted by Attack rate, descending")
    other = visit("").page
    other.goto(address)
    assert shown(other) == rows
    assert len(shown(other, "ledger")) == 1
    assert other.locator("[data-filter=results] th[aria-sort=descending]").inner_text().startswith("Attack rate")
    assert not form(other).get_by_label(f"Baselines ({BASELINES})").is_checked()
    # In the same window too, and back to everything.
    other.evaluate("location.hash = '#?results.q=smol'")
    other.wait_for_function("document.querySelectorAll('[data-filter=results] tbody tr:not([hidden])').length === 1")
    form(other).get_by_role("button", name="Show all").click()
    assert len(shown(other)) == ALL
    assert other.evaluate("location.href") == f"{served}court/v3/"


def test_an_address_that_names_a_place_or_nonsense_is_left_alone(visit: Any, served: str) -> None:
    seen = visit("court/v3/#facts")
    assert seen.page.evaluate("location.href") == f"{served}court/v3/#facts"
    assert len(shown(seen.page)) == ALL
    seen.go("court/v3/#?results.sort=constructor&results.hide=__proto__&x=%E0%A4%A")
    assert len(shown(seen.page)) == ALL
    assert seen.page.locator("[aria-sort]").count() == 0
    assert seen.complaints == []


def test_equal_rows_keep_the_order_of_the_page_and_empty_ones_stand_last(visit: Any) -> None:
    page = visit("court/v3/").page
    button = page.locator("[data-filter=results] thead th", has_text="Cave rate").locator("button")
    names = "rows => rows.map(r => r.cells[0].dataset.sort)"
    rows = page.locator("[data-filter=results] tbody tr")
    first = rows.evaluate_all(names)
    button.click()
    assert rows.evaluate_all(names) == first
    button.click()
    assert rows.evaluate_all(names)[-1] == fixture_names.EMPTY == first[-1]
    button.click()
    assert rows.evaluate_all(names) == first


def test_without_scripts_there_are_no_controls_and_every_row_reads(visit: Any) -> None:
    for width in (1280, 390):
        page = visit("court/v3/", scripts=False, width=width).page
        assert page.locator("form, input, button:visible").count() == 0
        assert len(shown(page)) == len(shown(page, "ledger")) == ALL


def test_tables_work_from_a_file(browser: Any, built: Any) -> None:
    page = browser.new_page()
    page.goto((built / "court/v3/index.html").as_uri())
    form(page).get_by_label("Filter by name or word").fill("smol")
    assert len(shown(page)) == 1
    assert page.evaluate("location.href").endswith("index.html#?results.q=smol")
    page.close()


@pytest.mark.parametrize("address", ["court/", "court/v3/", "cascades/", "cascades/v1/"])
def test_on_a_phone_a_row_is_a_card_whose_values_say_what_they_are(visit: Any, address: str) -> None:
    page = visit(address, width=390).page
    regions = page.locator(".scroll:has(table.stack)").evaluate_all(
        "all => all.map(e => e.scrollWidth - e.clientWidth)"
    )
    assert regions
    assert set(regions) == {0}
    unnamed = page.locator("table.stack tbody td:not([data-label])").count()
    assert unnamed == 0
    card = page.locator("table.stack tbody tr").first
    label = card.locator("td").first.evaluate("e => getComputedStyle(e, '::before').content")
    assert "Rank" in label
    # It is still a table to a screen reader.
    assert page.get_by_role("table").first.get_by_role("rowheader").first.is_visible()


@pytest.mark.parametrize("address", ["court/", "court/v1/", "court/v2/", "cascades/"])
def test_at_the_desk_a_table_without_costs_stays_in_its_column(visit: Any, address: str) -> None:
    page = visit(address).page
    if address in ("court/v1/", "court/v2/"):
        assert page.locator("th", has_text="Cost per run").count() == 0
        assert page.get_by_text("No price was in force").first.is_visible()
        ends = page.locator(".scroll:has(table.board)").evaluate_all(
            "all => all.map(e => e.scrollWidth - e.clientWidth)"
        )
        assert set(ends) == {0}
    else:
        assert page.locator("th", has_text="Cost per run").count() == 1


def test_a_filter_takes_hostile_names_as_text(visit: Any) -> None:
    seen = visit("cascades/v1/")
    form(seen.page).get_by_label("Filter by name or word").fill(fixture_cascades.HOSTILE)
    assert seen.complaints == []
    seen.go("court/v3/")
    form(seen.page).get_by_label("Filter by name or word").fill("<img src=x onerror=alert(1)>")
    assert len(shown(seen.page)) == 1
    assert seen.complaints == []
