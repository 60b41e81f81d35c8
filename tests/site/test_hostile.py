"""Fifty texts that try to do harm, each wherever a text of others can stand: they are shown, and do nothing."""

import csv
import io
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from playwright.sync_api import Error

from leaderboard.build import write_tree
from leaderboard.files import site_files
from tests.site.conftest import serving
from tests.site.fixture_hostile import LAST, LOOK_ALIKE, PAYLOADS, make_hostile
from tests.site.fixture_names import slug
from tests.site.fixture_tables import write_manifest
from tests.site.pagetext import read

ASSETS = Path(__file__).parents[2] / "site/docs/assets"
TEXTS = list(PAYLOADS.values())
# In the order of the texts that they stand for, also beside the one name that both versions have.
HARMLESS = [f"{'a' if text < LAST else 't'} harmless {sorted(TEXTS).index(text):02}" for text in TEXTS]
PLACES = ["", "court/", "court/v3/", "court/v3/numbers/", "court/v3/check/", "court/v3/methodology/"]
# Set before the scripts of a page: whatever runs leaves a trace, and so does an eval, which the policy forbids.
TRAP = """(() => {
  window.did = [];
  for (const name of ["alert", "confirm", "prompt", "open", "print", "setTimeout", "setInterval", "fetch"]) {
    const was = window[name];
    window[name] = (first, ...rest) => {
      if (typeof first === "function") return was(first, ...rest);
      window.did.push(`${name} ${first}`);
    };
  }
  for (const kind of ["securitypolicyviolation", "beforeunload"])
    addEventListener(kind, (event) => window.did.push(`${kind} ${event.violatedDirective ?? ""}`));
})()"""
# Elements with the names of their attributes. What points to a hidden character stands only where there is one.
SHAPE = """[...document.querySelectorAll('html, html *')]
  .filter(e => !e.closest('.unseen, .tag-warn'))
  .map(e => e.tagName + '[' + e.getAttributeNames().sort() + ']')"""


def in_html(text: str) -> str:
    """Give a text as a page can hold it: HTML has no NUL."""
    return text.replace("\x00", "\ufffd")


def build(folder: Path, texts: Sequence[str]) -> Path:
    make_hostile(folder / "root", texts)
    out = folder / "out"
    write_tree(out, site_files(folder / "root"))
    shutil.copytree(ASSETS, out / "assets", dirs_exist_ok=True)
    return out


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("hostile"), TEXTS)


@pytest.fixture(scope="module")
def harmless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("harmless"), HARMLESS)


class Watch:
    """A window that notes whatever a page does beyond being read."""

    def __init__(self, browser: Any, base: str) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.add_init_script(TRAP)
        self.page, self.base, self.did = self.context.new_page(), base, []
        self.page.on("request", lambda r: None if r.url.startswith(base) else self.did.append(f"asked for {r.url}"))
        self.page.on("console", lambda m: self.did.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.did.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.did.append("a dialog opened"), dialog.dismiss()))
        self.page.on("popup", lambda _: self.did.append("a window opened"))
        self.page.on("framenavigated", lambda frame: self.did.append(f"went to {frame.url}"))

    def open(self, address: str) -> Any:
        """Open a page and give its shape, once it has had the time to do harm."""
        self.did.clear()
        self.page.goto(self.base + address)
        shape = None
        try:
            self.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
            self.page.wait_for_timeout(30)
            shape = self.page.evaluate(SHAPE)
            self.did += self.page.evaluate("window.did")
        except Error as error:  # the page went away while it was looked at
            self.did.append(str(error))
        # That it was opened is the only thing that may have happened.
        assert self.did == [f"went to {self.base}{address}"], address
        return shape


@pytest.fixture
def watch(browser: Any) -> Iterator[Any]:
    watches: list[Watch] = []

    def start(base: str) -> Watch:
        watches.append(Watch(browser, base))
        return watches[-1]

    yield start
    for one in watches:
        one.context.close()


def pages_of(name: str) -> list[str]:
    run = f"court/v3/transcripts/hostile/{slug(name)}/"
    return [f"court/v3/models/{slug(name)}/", run, f"{run}1/"]


@pytest.mark.browser
@pytest.mark.long
def test_nothing_runs_nothing_is_asked_for_and_no_page_changes_its_shape(
    watch: Any, hostile: Path, harmless: Path
) -> None:
    with serving(hostile) as bad, serving(harmless) as good:
        ours, theirs = watch(good), watch(bad)
        facts = sorted(
            f"{f.parent.relative_to(hostile).as_posix()}/" for f in hostile.glob("court/v3/facts/*/index.html")
        )
        assert len(facts) == 6
        for address in [*PLACES, *facts]:
            assert theirs.open(address) == ours.open(address), address
        for (what, text), name in zip(PAYLOADS.items(), HARMLESS, strict=True):
            for address, same in zip(pages_of(text), pages_of(name), strict=True):
                assert theirs.open(address) == ours.open(same), (what, address)
            said = theirs.page.locator(".said").evaluate_all("all => all.map(e => e.textContent)")
            assert said == [in_html(text)] * 3, what


@pytest.mark.browser
def test_the_watch_sees_what_it_is_to_see(watch: Any, harmless: Path, tmp_path: Path) -> None:
    page = (harmless / "court/index.html").read_text("utf-8")
    for number, planted in enumerate(
        ["<img src=x onerror=alert(1)>", "<img src=//evil.example/x>", "<meta http-equiv=refresh content='0;url=/'>"]
    ):
        (tmp_path / f"{number}.html").write_text(page.replace("</h1>", f"</h1>{planted}"), "utf-8")
    shutil.copytree(ASSETS, tmp_path / "assets")
    with serving(tmp_path) as address:
        for number in range(3):
            with pytest.raises(AssertionError):
                watch(address).open(f"{number}.html")


def test_each_text_is_on_its_pages_as_it_was_logged(hostile: Path) -> None:
    for what, text in PAYLOADS.items():
        model, run, duel = (read(hostile / page / "index.html") for page in pages_of(text))
        assert duel.said == [in_html(text)] * 3, what
        for reader in (model, run, duel):
            assert reader.inline == [], what
            assert in_html(text) in "".join(reader.text), what
        # A failed attempt and the name that served stand there too.
        assert "".join(duel.text).count(in_html(text)) > 6, what


def test_half_of_a_character_in_a_log_stops_no_page(tmp_path: Path) -> None:
    make_hostile(tmp_path, ["whole"])
    log = tmp_path / f"runs/court/v3/logs/{slug('whole')}/hostile.jsonl"
    log.write_text(log.read_text("utf-8").replace('"whole"', r'"half \ud800 of \udfff it"'), "utf-8")
    write_manifest(tmp_path, "court", "v3")
    duels = [content.decode() for path, content in site_files(tmp_path) if "/half-of-it-" in path and "/1/" in path]
    assert len(duels) == 1
    assert ">half \ufffd of \ufffd it</div>" in duels[0]


def test_names_make_paths_that_no_disk_confuses(tmp_path: Path) -> None:
    names = [*LOOK_ALIKE, *TEXTS]
    make_hostile(tmp_path, names)
    paths = [path for path, _ in site_files(tmp_path)]
    assert len({path.casefold() for path in paths}) == len(paths)
    for name in [*names, LAST]:
        assert f"{pages_of(name)[0]}index.html" in paths
    for path in paths:
        assert path.isascii()
        parts = PurePosixPath(path).parts
        assert not path.startswith("/")
        assert all(
            len(part) < 100 and part.strip(". ") == part and not set(part) & set('<>:"\\|?*\x00') for part in parts
        )
        assert not {part.partition(".")[0] for part in parts} & {"con", "prn", "aux", "nul", "com1", "lpt1"}


def test_no_cell_of_a_csv_file_of_ours_is_a_formula(tmp_path: Path) -> None:
    make_hostile(tmp_path, TEXTS)
    published = (tmp_path / "tables/court/v3/leaderboard.csv").read_bytes()
    ours = [content for path, content in site_files(tmp_path) if path.endswith(".csv") and content != published]
    cells = [cell for content in ours for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))) for cell in row]
    assert any("HYPERLINK" in cell for cell in cells)
    assert [cell for cell in cells if cell[:1] in set("=+@\t\r-") and not _is_number(cell)] == []


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
