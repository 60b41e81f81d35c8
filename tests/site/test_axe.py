"""Every type of page for every reader: axe-core finds nothing, in both schemes, on a phone and on a desk."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest

from tests.site import fixture_cascades, fixture_money, fixture_names

pytestmark = pytest.mark.browser

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
RUN = f"court/v3/transcripts/fixture-v3/{fixture_names.slug('a|b')}"
FINE = fixture_names.slug(fixture_money.PRICED)
TEAM = fixture_names.slug(fixture_cascades.HOSTILE)
PAGES = [
    "",
    "404.html",
    "court/",
    "court/v1/",  # with an erratum
    "court/v3/",
    f"court/v3/models/{FINE}/",
    "court/v3/facts/s3-buckets/",
    f"{RUN}/",
    f"{RUN}/1/",
    f"court/v3/transcripts/fixture-v3/{FINE}/3/",  # with attempts that failed
    "court/v3/methodology/",
    "court/v3/numbers/",
    "court/v2/check/",  # with a finding
    "court/v3/audit/",
    "court/v3/changes-since-v2/",
    "cascades/v1/audit/",
    "models/all/",
    f"models/{FINE}/",
    "data/",
    "cascades/",
    "cascades/v1/",
    f"cascades/v1/models/{TEAM}/",
    f"cascades/v1/games/{TEAM}/verified-2-s00-a1/",
    "cascades/v1/seeds/",
    "cascades/v1/methodology/",
    "cascades/v1/numbers/",
    "cascades/v1/check/",
    "court-of-facts/",
    "verify/",
    "models/",
    "glossary/",
    "submit/",
    "cite/",
    "how-cascades-works/",
    "live-facts/",
    "reference/log-schema/",
    "reference/self-test/",
]
# Where colours and widths alone differ, the rules on markup would say again what they said of the same markup.
LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size", "meta-viewport"]
OPEN = "document.querySelectorAll('main details, #content details').forEach(d => { d.open = true })"
HEADINGS = "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(h => Number(h.tagName[1]))"
# A picture says what it shows, or says that it is none.
UNNAMED = """[...document.querySelectorAll('img, svg')].filter(e => !(
  e.closest('[aria-hidden=true]') || e.hasAttribute('alt') || e.closest('a, button, label, form')?.textContent.trim()
  || (e.getAttribute('role') === 'img' && (e.getAttribute('aria-label') || '')
      + (e.getAttribute('aria-labelledby') || '').split(' ').map(i => document.getElementById(i)?.textContent).join(''))
)).map(e => e.outerHTML.slice(0, 120))"""
# What has the focus, how it looks with it, and where it lies.
FOCUS = """(() => {
  const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
  return {tag: e.tagName, html: e.outerHTML.slice(0, 120), seen: r.width > 0 && r.height > 0,
          outline: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0};
})()"""


def audit(page: Any, rules: list[str] | None) -> list[str]:
    """Give what axe finds wrong with the page as it stands, all that it can unfold unfolded."""
    page.evaluate(OPEN)
    # By the debugger, since the policy of the pages lets no page be given another script.
    page.evaluate(AXE)
    # The size of targets is in WCAG 2.2, which axe leaves out unless told.
    options = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
    options |= {"runOnly": rules} if rules else {}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{violation['id']}: {node['html'][:160]} ({' '.join(node['failureSummary'].split())})"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def test_the_sweep_sees_a_fault(visit: Any) -> None:
    page = visit("court/").page
    page.evaluate(
        "document.querySelector('h1').insertAdjacentHTML('afterend', '<img src=\"../assets/board.png\"><h5>x</h5>')"
    )
    assert {fault.partition(":")[0] for fault in audit(page, None)} >= {"image-alt", "heading-order"}
    assert page.evaluate(UNNAMED) != []


# A sweep takes minutes: every rule on a desk in daylight, then what darkness and a narrow window can change.
@pytest.mark.long
@pytest.mark.parametrize(
    ("dark", "width", "rules"),
    [
        pytest.param(False, 1280, None, id="light desk"),
        pytest.param(True, 1280, LOOKS, id="dark desk"),
        pytest.param(False, 390, LOOKS, id="light phone"),
        pytest.param(True, 390, LOOKS, id="dark phone"),
    ],
)
def test_axe_finds_nothing(visit: Any, served: str, dark: bool, width: int, rules: list[str] | None) -> None:
    seen = visit("", dark=dark, width=width)
    found: dict[str, list[str]] = {}
    for address in PAGES:
        seen.go(address)
        faults = audit(seen.page, rules)
        wide, fits = seen.page.evaluate(
            "[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]"
        )
        faults += [f"{wide} px wide in a window of {fits} px"] if wide > fits else []
        faults += [f"asked for {url}" for url in seen.requests if not url.startswith((served, "data:"))]
        faults += [f"complained: {said}" for said in seen.complaints]
        if faults:
            found[address] = faults
    assert found == {}


def test_headings_step_down_one_at_a_time_and_pictures_have_names(visit: Any) -> None:
    seen = visit("")
    for address in PAGES:
        seen.go(address)
        levels = seen.page.evaluate(HEADINGS)
        assert levels.count(1) == 1, address
        assert levels[0] == 1, address
        assert all(after <= before + 1 for before, after in pairwise(levels)), (address, levels)
        assert seen.page.evaluate(UNNAMED) == [], address


@pytest.mark.parametrize("width", [1280, 390])
def test_the_keyboard_alone_reaches_and_sorts_a_table_and_one_sees_where_it_is(visit: Any, width: int) -> None:
    page = visit("court/v3/", width=width).page
    stops = []
    for _ in range(200):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        stops.append(stop)
        if page.evaluate("document.activeElement.closest('table[data-sortable] thead th') !== null"):
            break
    assert stops[-1]["tag"] == "BUTTON"
    assert [stop["html"] for stop in stops if not (stop["outline"] and stop["seen"])] == []
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "ascending"
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "descending"


@pytest.mark.parametrize("address", ["court/v3/", f"{RUN}/1/", "verify/"])
def test_nothing_moves_for_a_reader_who_asked_for_no_motion(visit: Any, address: str) -> None:
    page = visit(address).page
    page.emulate_media(reduced_motion="reduce")
    moving = page.evaluate("""[...document.querySelectorAll('*')].filter(e => {
      const s = getComputedStyle(e);
      const long = list => list.split(',').some(t => parseFloat(t) > 0.01);
      return s.scrollBehavior === 'smooth' || long(s.transitionDuration)
        || (s.animationName !== 'none' && long(s.animationDuration));
    }).map(e => e.outerHTML.slice(0, 100))""")
    assert moving == []


@pytest.mark.parametrize(
    "address",
    [
        "court/",
        "court/v3/",
        "court/v3/numbers/",
        f"court/v3/models/{FINE}/",
        "cascades/v1/",
        f"cascades/v1/games/{TEAM}/verified-2-s00-a1/",
        "verify/",
    ],
)
def test_paper_has_no_navigation_and_cuts_no_table(visit: Any, address: str) -> None:
    page = visit(address, dark=True).page
    page.set_viewport_size({"width": 718, "height": 1047})  # A4 less the margins that browsers leave
    page.emulate_media(media="print", color_scheme="dark")
    assert (
        page.locator("nav:visible, form:visible, button:visible:not(.sort), .skip:visible, .md-search:visible").count()
        == 0
    )
    # Ink on white, also for a reader who reads in the dark.
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(28, 35, 43)"
    cut = page.evaluate("""[...document.querySelectorAll('main table, article table')].filter(t => {
      if (t.getBoundingClientRect().right > innerWidth + 1) return true;
      for (let e = t.parentElement; e && e !== document.body; e = e.parentElement)
        if (getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1) return true;
      return false;
    }).map(t => `${Math.round(t.getBoundingClientRect().right)}: ${t.caption?.textContent.slice(0, 60)}`)""")
    assert cut == []
    link = page.locator("main p a:visible:not(.tag), article p a:visible").first
    assert "underline" in link.evaluate("e => getComputedStyle(e).textDecorationLine")
