"""Runs Lighthouse over one page of each type of a built site, served on this machine, and prints its scores.

python -m tests.bench.lighthouse [FOLDER] [--page ADDRESS ...]: accessibility, best practices and SEO must be 100.
Performance is reported only: it depends on the machine. It needs Node, Chromium and the package named below.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PACKAGE = "lighthouse@12.2.3"
MUST = ("accessibility", "best-practices", "seo")
CATEGORIES = (*MUST, "performance")
# The first page that each finds stands for its type.
TYPES = (
    "index.html",
    "*/index.html",
    "*/v*/index.html",
    "*/v*/models/*/index.html",
    "*/v*/facts/*/index.html",
    "*/v*/transcripts/*/*/index.html",
    "*/v*/transcripts/*/*/*/index.html",
    "*/v*/games/*/*/index.html",
    "*/v*/seeds/index.html",
    "*/v*/methodology/index.html",
    "*/v*/numbers/index.html",
    "*/v*/check/index.html",
    "models/*/index.html",
    "data/index.html",
    "verify/index.html",
    "reference/*/index.html",
    "404.html",
)
MINUTES = 5


class Unavailable(Exception):
    """Lighthouse cannot be run here; the message says what is missing."""


def pages(site: Path) -> list[str]:
    """Give the address of one page of each type that the site has."""
    found = [next(iter(sorted(site.glob(pattern))), None) for pattern in TYPES]
    names = [page.relative_to(site).as_posix().removesuffix("index.html") for page in found if page]
    return list(dict.fromkeys(names))


def command() -> list[str]:
    """Give the words that start Lighthouse.

    Raises:
        Unavailable: Node, Chromium or the package is not here.
    """
    for program, what in (("npx", "Node with npm"), ("chromium", "Chromium")):
        if shutil.which(program) is None:
            raise Unavailable(f"{what} is not installed: no {program} was found.")
    words = ["npx", "--yes", PACKAGE]
    tried = subprocess.run([*words, "--version"], capture_output=True, text=True, check=False, timeout=60 * MINUTES)
    if tried.returncode:
        raise Unavailable(f"The package {PACKAGE} could not be had: {tried.stderr.strip()[-300:]}")
    return words


def audit(words: list[str], url: str) -> tuple[dict[str, int | None], list[str]]:
    """Give the score of each category of a page, None where Lighthouse gave none, and what fell short.

    Raises:
        Unavailable: Lighthouse ended without a report.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ["--quiet", "--output=json", f"--output-path={report}", f"--only-categories={','.join(CATEGORIES)}"]
        flags = "--chrome-flags=--headless=new --no-sandbox --disable-gpu"
        environment = {**os.environ, "CHROME_PATH": shutil.which("chromium") or "chromium"}
        done = subprocess.run(
            [*words, url, *options, flags],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60 * MINUTES,
        )
        if not report.is_file():
            raise Unavailable(f"{url}: Lighthouse gave no report: {done.stderr.strip()[-300:]}")
        told = json.loads(report.read_text("utf-8"))
    scores: dict[str, int | None] = {}
    short: list[str] = []
    for name in CATEGORIES:
        category = told["categories"][name]
        scores[name] = None if category["score"] is None else round(100 * category["score"])
        if name in MUST:
            weighed = [reference["id"] for reference in category["auditRefs"] if reference["weight"]]
            results = [told["audits"][audit_id] for audit_id in weighed]
            short += [f"{r['id']}: {r['title']}" for r in results if r["score"] is not None and r["score"] < 1]
    return scores, short


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine alone."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def main() -> int:
    """Print the table; give 0 if every page has all that it must, 1 if one falls short, 2 if nothing was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", nargs="?", type=Path, default=Path("build/html"), help="folder of a built site")
    parser.add_argument("--page", action="append", help="an address, instead of one of each type")
    arguments = parser.parse_args()
    if not (arguments.site / "index.html").is_file():
        print(f"{arguments.site}: expected a built site, found none. Build it: countersign site", file=sys.stderr)
        return 2
    fell_short = False
    try:
        words = command()
        print(f"{'page':<72} {'a11y':>5} {'best':>5} {'SEO':>5} {'perf':>5}")
        with serving(arguments.site) as base:
            for address in arguments.page or pages(arguments.site):
                scores, short = audit(words, base + address)
                shown = " ".join(f"{'-' if scores[name] is None else scores[name]:>5}" for name in CATEGORIES)
                print(
                    f"{address or '(first page)':<72} {shown}", *(f"    {line}" for line in short), sep="\n", flush=True
                )
                fell_short |= any(scores[name] != 100 for name in MUST)
    except (Unavailable, subprocess.TimeoutExpired) as reason:
        print(f"Lighthouse was not run to its end: {reason}", file=sys.stderr)
        return 2
    return int(fell_short)


if __name__ == "__main__":
    sys.exit(main())
