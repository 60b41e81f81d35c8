"""What a reader downloads to read a page."""

import gzip
from pathlib import Path
from typing import Any

import pytest

LARGEST = 300_000


@pytest.mark.browser
@pytest.mark.parametrize("address", ["", "court/", "court/v3/", "cascades/", "cascades/v1/", "verify/"])
def test_a_page_with_all_that_it_loads_weighs_at_most_300_kb(
    visit: Any, served: str, built: Path, address: str
) -> None:
    seen = visit(address)
    seen.page.wait_for_load_state("networkidle")
    # What the browser asked for, scripts included, each thing once; a host serves all of it compressed.
    paths = {
        url.removeprefix(served).partition("?")[0].partition("#")[0] for url in seen.requests if url.startswith(served)
    }
    files = {built / path / "index.html" if not path or path.endswith("/") else built / path for path in paths}
    assert built / address / "index.html" in files
    assert built / "assets/countersign.css" in files
    assert sum(len(gzip.compress(file.read_bytes(), 6)) for file in files) <= LARGEST
