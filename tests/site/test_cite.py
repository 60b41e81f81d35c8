"""Citations: each format small enough to verify by eye, names that try to break out of one, pages that show them."""

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import yaml

from leaderboard.cite.facts import AUTHORS, Cited, cited
from leaderboard.cite.styles import STYLES
from leaderboard.croissant import document
from leaderboard.errors import SiteError
from leaderboard.files import site_files
from leaderboard.load import load_versions
from runners import __version__
from tests.site.pagetext import Reader

REPO = Path(__file__).parents[2]
ROOT_DIGEST = "7d" * 32
PLAIN = Cited(
    "court", "v2", "Court of Facts v2", "2026-12-01", True, ROOT_DIGEST, "CROSS-CHECKED", "https://b.test/court/v2/"
)
HOSTILE = Cited(
    "court", "v2", "Court of Facts v2", "2026-12-01", False, ROOT_DIGEST, "MISMATCH", "https://b.test/x/",
    model='a}b\\c$%_&#~^{"\n\u2028ER  - \x00\x7f<script>😀: - [x]', withdrawn="2026-12-02",
)  # fmt: skip
GOLDEN = {
    "apa": (
        "The Countersign authors. (2026, December 1). Court of Facts v2 [Data set]. Countersign. "
        "https://b.test/court/v2/ (Version v2, frozen 2026-12-01, status CROSS-CHECKED, root digest "
        f"sha256:{ROOT_DIGEST})\n"
    ),
    "bibtex": (
        "@misc{countersign-court-v2-7d7d7d7d,\n"
        "  title        = {{Court of Facts v2}},\n"
        "  author       = {{The Countersign authors}},\n"
        "  year         = {2026},\n"
        "  month        = {12},\n"
        "  howpublished = {Countersign, data set},\n"
        "  version      = {v2},\n"
        "  url          = {https://b.test/court/v2/},\n"
        "  note         = {Version v2, frozen 2026-12-01, status CROSS-CHECKED, root digest "
        f"sha256:{ROOT_DIGEST}}},\n"
        "}\n"
    ),
    "ris": (
        "TY  - DATA\nID  - countersign-court-v2-7d7d7d7d\nTI  - Court of Facts v2\nAU  - The Countersign authors\n"
        "PY  - 2026\nDA  - 2026/12/01\nPB  - Countersign\nET  - v2\nUR  - https://b.test/court/v2/\n"
        "N1  - Version v2, frozen 2026-12-01, status CROSS-CHECKED, root digest "
        f"sha256:{ROOT_DIGEST}\nER  - \n"
    ),
}


@pytest.mark.parametrize("style", list(GOLDEN))
def test_golden(style: str) -> None:
    assert STYLES[style].write(PLAIN) == GOLDEN[style]


def test_golden_yaml_and_json() -> None:
    found = yaml.safe_load(STYLES["cff"].write(PLAIN))
    assert found["title"] == "Court of Facts v2"
    assert found["type"] == "dataset"
    assert found["date-released"] == date(2026, 12, 1)
    assert found["identifiers"][0]["value"] == f"sha256:{ROOT_DIGEST}"
    (item,) = json.loads(STYLES["csl"].write(PLAIN))
    assert (item["title"], item["type"], item["issued"]) == (
        "Court of Facts v2", "dataset", {"date-parts": [[2026, 12, 1]]},
    )  # fmt: skip
    assert ROOT_DIGEST in item["note"]


def test_a_name_breaks_out_of_no_format() -> None:
    assert yaml.safe_load(STYLES["cff"].write(HOSTILE))["title"] == HOSTILE.name
    assert json.loads(STYLES["csl"].write(HOSTILE))[0]["title"] == HOSTILE.name
    ris = STYLES["ris"].write(HOSTILE)
    assert len(ris.splitlines()) == len(GOLDEN["ris"].splitlines())
    assert len(re.findall(r"(?m)^ER  - ", ris)) == 1
    bibtex = STYLES["bibtex"].write(HOSTILE)
    bare = re.sub(r"\\[{}$&#_%]|\\text[a-z]+\{\}", "", bibtex)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"[$&#_%^~]", bare)
    assert len(bibtex.splitlines()) == len(GOLDEN["bibtex"].splitlines())
    half = replace(HOSTILE, model="half of it \ud800")
    for style in STYLES.values():
        assert style.write(half).encode("utf-8"), "half of a character stops nothing"
        text = style.write(HOSTILE)
        assert "\x00" not in text
        assert "not frozen" in text
        assert "WITHDRAWN 2026-12-02" in text


def test_what_is_cited_is_what_is_published(root: Path) -> None:
    frozen = cited(root, "court", "v2", "https://b.test/")
    assert (frozen.is_frozen, frozen.date) == (True, "2026-12-02")
    row = cited(root, "court", "v1", "https://b.test/", "a|b")
    assert (row.is_frozen, row.withdrawn) == (False, "2026-12-02")
    assert row.url.startswith("https://b.test/court/v1/models/")
    with pytest.raises(SiteError, match="Published: cascades/v1, court/v1"):
        cited(root, "court", "v9", "")
    with pytest.raises(SiteError, match="Its rows"):
        cited(root, "court", "v2", "", "nobody")


def test_each_page_has_every_format(root: Path, readers: dict[Path, Reader], built: Path) -> None:
    files = dict(site_files(root))
    for name in ("v1", "v2", "v3"):
        page = (built / f"court/{name}/index.html").read_text("utf-8")
        text = "".join(readers[built / f"court/{name}/index.html"].text)
        for style in STYLES.values():
            address = f"court/{name}/cite.{style.ending}"
            assert address in files
            assert f'href="../../{address}"' in page
            assert files[address].decode().strip() in text
    models = [page for page in readers if re.search(r"court/v2/models/[^/]+/index.html$", page.as_posix())]
    assert len(models) == len(json.loads((root / "tables/court/v2/leaderboard.json").read_bytes())["rows"])
    for page in models:
        assert "Cite this row" in "".join(readers[page].text)


def test_the_projects_own_citation_is_right() -> None:
    """CITATION.cff, .zenodo.json, the changelog and the package say the same."""
    cff = yaml.safe_load((REPO / "CITATION.cff").read_text("utf-8"))
    zenodo = json.loads((REPO / ".zenodo.json").read_text("utf-8"))
    released = re.findall(r"(?m)^## \[([0-9.]+)\] - ([0-9-]+)$", (REPO / "CHANGELOG.md").read_text("utf-8"))[0]
    assert (cff["version"], str(cff["date-released"])) == released
    assert (zenodo["version"], zenodo["publication_date"]) == released
    assert cff["version"] == __version__
    assert cff["authors"] == zenodo["creators"] == [{"name": AUTHORS}]
    assert zenodo["title"] == cff["title"]
    assert zenodo["description"] == cff["abstract"]
    assert zenodo["keywords"] == cff["keywords"]
    assert zenodo["license"] == cff["license"].lower()


def test_croissant_names_every_file_with_its_digest(root: Path) -> None:
    version = next(v for v in load_versions(root) if (v.benchmark, v.name) == ("court", "v2"))
    said = document(version, "https://b.test/")
    names = [one["name"] for one in said["distribution"]]
    assert len(names) == len(set(names)) == len(version.tables) + len(version.logs)
    files = dict(site_files(root))
    for one in said["distribution"]:
        assert one["contentUrl"].removeprefix("https://b.test/") in files
    assert not said["isLiveDataset"]
    head = (root / "tables/court/v2/leaderboard.csv").read_text("utf-8").splitlines()[0].split(",")
    assert head[0] == "model"
    assert said["identifier"] in said["description"]


@pytest.mark.browser
def test_the_copy_button(built: Path, chromium: str) -> None:
    """Opened from a folder, where there is no clipboard API: the button still copies, and says so."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto((built / "court/v2/index.html").as_uri())
        buttons = page.locator(".copy-button")
        assert buttons.count() == 1 + len(STYLES)
        button = page.get_by_role("button", name="Copy: APA")
        button.focus()
        page.keyboard.press("Enter")
        page.get_by_text("Copied", exact=True).wait_for()
        assert page.locator("[role=status]").last.inner_text().startswith("Copied: APA")
        page.evaluate("() => { const t = document.createElement('textarea'); t.id = 'in'; document.body.append(t) }")
        page.locator("#in").focus()
        page.keyboard.press("Control+V")
        assert page.locator("#in").input_value().startswith("The Countersign authors. (2026, December 2)")
        browser.close()
