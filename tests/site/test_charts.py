"""What the charts promise: the tables' values and no others, nothing unknown at 0, and that one may explore them."""

import json
import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import vl_convert

from leaderboard import bar_chart, charts, cost_chart, labels, library, slope_chart, urls
from leaderboard.cascades.version import version_page as cascades_page
from leaderboard.charts import Chart
from leaderboard.court.numbers import slices
from leaderboard.court.version import version_page as court_page
from leaderboard.load import load_versions
from leaderboard.money import Account
from leaderboard.pages.common import Metric, Site
from leaderboard.pages.diff import Paired, diff_page
from leaderboard.pages.pictures import shared_charts
from leaderboard.pareto import Priced, edge, priced
from leaderboard.render import Outside, Page, render
from leaderboard.shapes import Rate, Row, Version
from leaderboard.slope_chart import Slope
from tests.site import fixture_money
from tests.site.conftest import serving
from tests.site.fixture_money import UNUSED

ASSETS = Path(__file__).parents[2] / "site/docs/assets"
METRIC = Metric("cave_rate", "Cave rate", "", "", "", "", (), "lower", "", "")
NONE = Rate(0, 0, None, None, None)
HALF = Rate(1, 2, 0.5, 0.1, 0.9)
HOSTILE = ["a</script><script>alert(1)</script>", "datum.value", "x\ny", "#050505"]


def version_pages(root: Path) -> tuple[list[Version], list[Page]]:
    """The pages of the fixture's newest versions that have charts."""
    versions = load_versions(root)
    site = Site(tuple({v.about.name: v.about for v in versions}.values()), tuple(versions), ())
    newest = {v.benchmark: v for v in versions}
    old, new = (next(v for v in versions if (v.benchmark, v.name) == ("court", name)) for name in ("v2", "v3"))
    pages: list[Page] = [
        court_page(site, newest["court"]),  # type: ignore[arg-type]
        cascades_page(site, newest["cascades"]),  # type: ignore[arg-type]
        diff_page(site, old, new, (slices(old), slices(new)), Paired()),  # type: ignore[arg-type]
        court_page(site, old),  # type: ignore[arg-type]
    ]
    return versions, pages


@pytest.fixture(scope="module")
def made(root: Path) -> tuple[list[Version], list[Page]]:
    return version_pages(root)


@pytest.fixture(scope="module")
def pages(made: tuple[list[Version], list[Page]]) -> dict[str, Page]:
    return {page.address: page for page in made[1]}


@pytest.fixture(scope="module")
def tree(pages: dict[str, Page], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """These pages as a site serves them."""
    out = tmp_path_factory.mktemp("charts")
    for page in pages.values():
        for path, content in files(page):
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_bytes(content)
    shutil.copytree(ASSETS, out / "assets")
    path, content = library.library()
    (out / path).write_bytes(content)
    return out


def files(page: Page) -> list[tuple[str, bytes]]:
    return [render(page, Outside()), *((urls.spec(page.address, c.id), c.drawing.spec) for c in page.charts)]


def chart_of(page: Page, name: str) -> Chart:
    return next(chart for chart in page.charts if chart.id == f"chart-{name}")


def drawn(chart: Chart) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(chart.drawing.spec)["datasets"]["rows"]
    return found


def row(model: str, rate: Rate = HALF, *, cost: float | None = None, kind: str = "model", calls: int = 2) -> Row:
    use = replace(
        UNUSED,
        calls=calls,
        cost_microusd=None if cost is None else int(cost),
        unsettled_microusd=None if cost is None else 0,
        cost_per_run_microusd=cost,
    )
    ledger = dict.fromkeys(("attempted", "scored", "unparsed", "empty", "refused", "truncated", "failed", "missing"), 0)
    return Row(model, kind, "CROSS-CHECKED", 1, {"cave_rate": rate}, ledger, 0, use)


def test_a_slope_joins_the_values_of_both_tables(made: tuple[list[Version], list[Page]], root: Path) -> None:
    chart = chart_of(made[1][2], "slope")
    tables = {
        name: {
            line["model"]: line["metrics"]["cave_rate"]
            for line in json.loads((root / f"tables/court/{name}/leaderboard.json").read_text("utf-8"))["rows"]
        }
        for name in ("v2", "v3")
    }
    values = drawn(chart)
    hidden = {label: name for name in tables["v3"] for label in [charts.show.visible([name])[name]]}
    assert {(hidden[v["name"]], v["version"]): v["value"] for v in values} == {
        (model, name): rate["value"] for name, rates in tables.items() for model, rate in rates.items() if rate["n"]
    }
    for line in chart.rows:
        model = line.keys[0]
        for name, figures in zip(tables, (line.figures[:3], line.figures[3:6]), strict=True):
            rate = tables[name].get(model)
            assert [f.sort for f in figures] == ([rate["k"], rate["n"], rate["value"]] if rate else [None] * 3)
    assert "not only from other rules" in chart.caption
    missing = next(n.names for n in chart.named if n.says == "Not there in v2")
    assert set(missing) == tables["v3"].keys() - tables["v2"].keys()


def test_a_slope_says_which_way_and_names_what_has_no_line() -> None:
    up, down, same, gone = Rate(3, 4, 0.75, 0.3, 0.95), Rate(1, 4, 0.25, 0.0, 0.7), HALF, NONE
    slopes = [
        Slope("rises", False, HALF, up),
        Slope("falls", False, HALF, down),
        Slope("stays", True, same, same),
        Slope("loses it", False, HALF, gone),
        Slope("had none", False, gone, gone),
        Slope("is new", False, None, up),
    ]
    chart = slope_chart.slope(slopes, "Cave rate", ("v1", "v2"), "", "x/")
    assert chart is not None
    ways = {v["name"]: v["way"] for v in drawn(chart)}
    assert ways == {"rises": "rose", "falls": "fell", "stays": "the same", "loses it": "alone", "is new": "alone"}
    assert [line.figures[-1].text for line in chart.rows] == ["+25.0 points", "-25.0 points", "+0.0 points", "", "", ""]
    assert {n.says: n.names for n in chart.named} == {
        "Nothing scored in v2, so no rate": ("loses it",),
        "Nothing scored in v1 and in v2, so no rate": ("had none",),
        "Not there in v1": ("is new",),
    }
    assert slope_chart.slope(slopes[3:], "Cave rate", ("v1", "v2"), "", "x/") is None


@pytest.mark.parametrize(
    ("lower", "best"), [(True, {"cheap", "fine", "twin", "best"}), (False, {"cheap", "worst of all"})]
)
def test_the_edge_of_a_known_set(lower: bool, best: set[str]) -> None:
    def one(model: str, cost: float, k: int) -> Priced:
        return Priced(model, HALF, Fraction(k, 10), cost, cost)

    found = [
        one("cheap", 1, 8),
        one("fine", 2, 4),
        one("twin", 2, 4),
        one("as good but dearer", 3, 4),
        one("as cheap but worse", 2, 5),
        one("best", 50, 1),
        one("worst of all", 60, 9),
    ]
    assert edge(found, lower) == best


def test_what_has_no_known_cost_is_named_and_not_drawn() -> None:
    rows = [
        row("priced", cost=10_000.0),
        row("dear", cost=900_000.0),
        row("unpriced"),
        row("scripted:x", kind="baseline"),
        row("never", calls=0),
        row("only open", cost=0.0),
        row("no rate", NONE, cost=5.0),
    ]
    found, absent = priced(rows, "cave_rate")
    assert [p.model for p in found] == ["priced", "dear"]
    assert [n.names for n in absent] == [("unpriced",), ("scripted:x",), ("never",), ("only open",), ("no rate",)]
    metric = METRIC
    chart = cost_chart.cost(rows, metric, "", "x/")
    assert chart is not None
    assert [(v["name"], v["cost"]) for v in drawn(chart)] == [("priced", 0.01), ("dear", 0.9)]
    assert "logarithmic" in chart.caption
    assert "scripted:x" in " ".join(name for named in chart.named for name in named.names)
    assert cost_chart.cost(rows[2:], metric, "", "x/") is None
    near = cost_chart.cost([rows[0], row("near", cost=20_000.0)], metric, "", "x/")
    assert near is not None
    assert '"type":"log"' in chart.drawing.spec.decode()
    assert '"type":"log"' not in near.drawing.spec.decode()


def test_the_cost_chart_and_its_table_hold_the_published_costs(made: tuple[list[Version], list[Page]]) -> None:
    versions, (court, cascades, _, unpriced) = made
    for page, metric in ((court, "cave_rate"), (cascades, "team_score")):
        version = next(v for v in versions if page.address == urls.version(v.benchmark, v.name))
        known = {
            r.model: r
            for r in version.rows
            if r.use.cost_per_run_microusd and not r.is_baseline and r.metrics[metric].n
        }
        chart = chart_of(page, "cost")
        assert {line.keys[0] for line in chart.rows} == known.keys()
        for line, value in zip(chart.rows, drawn(chart), strict=True):
            use, rate = known[line.keys[0]].use, known[line.keys[0]].metrics[metric]
            assert line.figures[0].sort == use.cost_per_run_microusd
            assert value["cost"] == pytest.approx((use.cost_per_run_microusd or 0) / 1e6)
            assert (value["value"], value["lo"], value["hi"]) == (rate.value, rate.lo, rate.hi)
            assert rate.value in [figure.sort for figure in line.figures]
            assert (value["most"] is not None) == bool(use.unsettled_microusd)
    assert fixture_money.PRICED in {line.keys[0] for line in chart_of(court, "cost").rows}
    assert "chart-cost" not in {chart.id for chart in unpriced.charts}
    html = render(unpriced, Outside())[1].decode()
    said = html.split('id="no-cost">')[1].split("</p>")[0]
    assert "Score against cost is not drawn: No price was in force" in said
    assert 'id="no-cost"' not in render(court, Outside())[1].decode()


def test_bars_are_the_counts_of_the_table_and_what_is_not_known_has_none(
    made: tuple[list[Version], list[Page]],
) -> None:
    version = next(v for v in made[0] if (v.benchmark, v.name) == ("court", "v3"))
    for name in ("tokens", "endings", "attempts"):
        chart = chart_of(made[1][0], name)
        values = {(v["what"], v["name"]): v for v in drawn(chart)}
        labelled = charts.show.visible(line.keys[0] for line in chart.rows)
        first = 2 if name == "endings" else 1
        for line in chart.rows:
            for head, figure in zip(chart.heads[first:], line.figures[first - 1 :], strict=True):
                value = values.pop((head, labelled[line.keys[0]]))
                assert value["count"] == figure.sort
                assert (value["length"] is None) == (figure.sort is None)
                assert value["says"] == figure.text
        assert values == {}
    tokens = {line.keys[0]: line.figures for line in chart_of(made[1][0], "tokens").rows}
    attempts = {line.keys[0]: line.figures for line in chart_of(made[1][0], "attempts").rows}
    for r in version.rows:
        assert [f.sort for f in tokens[r.model]] == [r.use.input, r.use.output]
        assert [f.sort for f in attempts[r.model]][:2] == [r.use.calls, r.use.failures]
        assert sum(f.sort or 0 for f in attempts[r.model][2:]) == r.use.failures
    assert [f.text for f in tokens[fixture_money.PRICED]] == ["not reported"] * 2


def test_a_kind_of_failure_that_is_a_text_of_others_names_no_column(root: Path) -> None:
    version = next(v for v in load_versions(root) if v.benchmark == "court")
    model = version.rows[0].model
    version.accounts.setdefault(model, Account()).failures["<b>x</b>"] = 3
    attempts = next(chart for chart in shared_charts(version, "cave_rate") if chart.id == "chart-attempts")
    assert "other kind" in attempts.heads
    assert b"<b>" not in attempts.drawing.spec


def test_new_charts_are_valid_and_take_any_name() -> None:
    # __wrapped__ draws with Altair's own checks on.
    rows = [row(name, cost=10.0 ** (4 + place)) for place, name in enumerate(HOSTILE)]
    slopes = [Slope(name, False, HALF, Rate(2, 3, 2 / 3, 0.2, 0.9)) for name in HOSTILE]
    columns = [bar_chart.Column("Scored", (1, None, 0, 5))]
    made = [
        slope_chart.slope.__wrapped__(slopes, "Cave rate", ("v1", "v2"), "", "x/"),
        cost_chart.cost.__wrapped__(rows, METRIC, "", "x/"),
        bar_chart.bars.__wrapped__("c", "T", "says", rows, columns, "x/", whole=[5, 5, 0, 5]),
    ]
    for chart in made:
        assert "<script" not in chart.svg
        assert "NaN" not in chart.svg
        assert "style=" not in chart.svg
        # The colours of the drawing are the page's; a name that looks like one of ours is left alone.
        assert {v["name"] for v in drawn(chart)} == {
            "a</script><script>alert(1)</script>",
            "datum.value",
            *HOSTILE[3:],
        } | {charts.show.visible(["x\ny"])["x\ny"]}


def test_no_two_labels_touch() -> None:
    chance = random.Random(7)
    spots = [
        labels.Spot(chance.uniform(0, 600), chance.uniform(0, 300), "m" * chance.randint(1, 30), "9" * (place < 9))
        for place in range(60)
    ]
    placed = labels.beside(spots, (660.0, 300.0), [(100.0, 0.0, 104.0, 300.0)])
    boxes = []
    for label in placed:
        if label:
            wide = labels.width(label.text)
            left = label.x - {"left": 0, "center": wide / 2, "right": wide}[label.align]
            boxes.append((left, label.y - 7, left + wide, label.y + 7))
    assert 9 < len(boxes) < 60
    for a, b in combinations([*boxes, (100.0, 0.0, 104.0, 300.0)], 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    said = labels.apart([0, 5, 16, 31, 40])
    assert said == [True, False, True, False, True]


def test_drawn_anew_a_chart_is_the_same_to_the_byte(root: Path, pages: dict[str, Page]) -> None:
    versions = load_versions(root)
    old, new = (next(v for v in versions if (v.benchmark, v.name) == ("court", name)) for name in ("v2", "v3"))
    site = Site(tuple({v.about.name: v.about for v in versions}.values()), tuple(versions), ())
    charts._svg.cache_clear()
    again = diff_page(site, old, new, (slices(old), slices(new)), Paired())  # type: ignore[arg-type]
    assert files(again) == files(pages[again.address])
    made = {chart.id: chart for chart in shared_charts(new, "cave_rate")}
    assert made == {chart.id: chart for chart in pages["court/v3/"].charts if chart.id in made}


def test_the_library_is_the_vega_that_draws_the_pictures() -> None:
    path, content = library.library()
    assert vl_convert.__version__ in path
    head, _, code = content.partition(b" */\n")
    assert f"Vega {vl_convert.get_vega_version()}, ".encode() in head
    assert code == vl_convert.javascript_bundle().encode()
    assert library.LICENCES.encode() in head
    assert (ASSETS / library.LICENCES).is_file()


@pytest.fixture(scope="module")
def base(tree: Path) -> Iterator[str]:
    with serving(tree) as address:
        yield address


@pytest.mark.browser
def test_a_chart_is_explored_from_our_host_alone_and_only_after_the_click(browser: Any, base: str, tree: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(base)))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.add_init_script(
        "window.broken = []; addEventListener('securitypolicyviolation', e => broken.push(e.violatedDirective))"
    )
    page.goto(f"{base}court/v3/")
    policy = page.locator('meta[http-equiv="Content-Security-Policy"]').get_attribute("content")
    assert "unsafe" not in policy
    assert not [url for url in asked if "vega" in url or url.endswith(".json")]
    asked.clear()
    # Every chart of the page at once: the library comes once.
    page.evaluate("document.querySelectorAll('button.explore').forEach(button => button.click())")
    page.wait_for_function("() => !document.querySelector('.figure[id]:not([data-explored])')")
    assert page.locator(".explored svg:visible").count() == page.locator(".figure").count() == 7
    assert page.locator("svg.chart:visible").count() == 0
    library_name = next(tree.glob("assets/vega-*.js")).name
    assert sorted(asked) == sorted(
        [f"assets/{library_name}", *(path.relative_to(tree).as_posix() for path in tree.glob("court/v3/chart-*.json"))]
    )
    # The pointer reads what the table says, as text.
    mark = page.locator("#chart-rates .explored .mark-symbol path").nth(4)
    mark.hover()
    tip = page.locator(".tip")
    assert tip.count() == 1
    lines = tip.locator("div").all_inner_texts()
    assert re.fullmatch(r"\d+\.\d% \(\d+ of \d+\)", lines[1]), lines
    assert lines[0] in page.locator("#chart-rates tbody th").all_text_contents()
    page.mouse.move(2, 2)
    assert tip.count() == 0
    # Paper has the picture.
    page.emulate_media(media="print")
    assert page.locator("#chart-rates svg.chart").is_visible()
    assert not page.locator("#chart-rates .explored").is_visible()
    assert page.locator("button.explore:visible").count() == 0
    page.emulate_media(media="screen")
    page.locator("#chart-rates button.explore").click()
    assert page.locator("#chart-rates svg.chart").is_visible()
    assert page.evaluate("broken") == []
    page.goto(f"{base}cascades/v1/")
    page.locator("#chart-rounds button.explore").click()
    page.locator("#chart-rounds .explored svg").wait_for()
    assert page.evaluate("broken") == []
    # A hostile name is a text in the drawing, and nothing more.
    assert page.locator(".explored img, .explored script, .tip img").count() == 0
    assert [words for words in said if "favicon" not in words] == []
    page.close()


@pytest.mark.browser
def test_without_scripts_and_from_a_disk_a_chart_is_its_picture(browser: Any, base: str, tree: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    address = "court/v3/changes-since-v2/"
    on_disk = (tree / address / "index.html").as_uri()
    for opened, where in ((context.new_page(), base + address), (browser.new_page(), on_disk)):
        opened.goto(where)
        assert opened.locator("svg.chart").first.is_visible()
        assert opened.locator("button.explore").count() == 0
        opened.close()
    context.close()


def test_a_page_grows_by_no_more_than_its_loader(pages: dict[str, Page]) -> None:
    for page in pages.values():
        html = render(page, Outside())[1]
        assert html.count(b"explore") == 1
        assert html.count(b"vega") == 1
        assert not any(chart.drawing.spec in html for chart in page.charts)
