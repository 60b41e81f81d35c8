"""Where the site stands. Its links are relative, so only what other sites read of it needs its URL."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

_SITE_URL = re.compile(r'^site_url:.*?"(https?://[^"]+)"', re.MULTILINE)


def site_url(repo: Path) -> str:
    """Give the URL of the first page, with a slash at its end: COUNTERSIGN_SITE_URL, else what mkdocs.yml has."""
    config = repo / "mkdocs.yml"
    written = _SITE_URL.search(config.read_text("utf-8")) if config.is_file() else None
    url = os.environ.get("COUNTERSIGN_SITE_URL") or (written[1] if written else "")
    return url.rstrip("/") + "/"


def origin(repo: Path) -> str:
    """Give the same, but nothing for a placeholder (a host that ends in .example): no page claims to stand there."""
    url = site_url(repo)
    return "" if (urlsplit(url).hostname or "example").rpartition(".")[2] == "example" else url
