"""One fixture root and one build for all tests of the site, a server and a browser for those that need them."""

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from leaderboard.build import build_site
from tests.site.fixture import make_root
from tests.site.pagetext import Reader, read

# A page fetches from 127.0.0.1 alone, and the browser itself must not phone home during a test.
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_root(tmp_path_factory.mktemp("root"))


@pytest.fixture(scope="session")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site of the fixture root, prose included."""
    return build_site(root, tmp_path_factory.mktemp("out")).parent


@pytest.fixture(scope="session")
def readers(built: Path) -> dict[Path, Reader]:
    """Every page of the built site, read back once."""
    return {page: read(page) for page in built.rglob("*.html")}


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


@pytest.fixture(scope="session")
def served(built: Path) -> Iterator[str]:
    with serving(built) as address:
        yield address


# For one file of tests, not for the session: while it lives, nothing else in the process can run an event loop.
@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page that was opened, and everything it asked for or complained of."""

    page: Any
    base: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def go(self, address: str) -> None:
        """Open another page in the same window, with a clean record."""
        self.requests.clear()
        self.complaints.clear()
        self.page.goto(self.base + address)


@pytest.fixture
def visit(browser: Any, served: str) -> Iterator[Any]:
    """Open a page of the built site with the wanted size, scheme and scripting."""
    contexts = []

    def open_page(address: str, *, width: int = 1280, dark: bool = False, scripts: bool = True) -> Visit:
        context = browser.new_context(
            viewport={"width": width, "height": 844},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
        )
        contexts.append(context)
        seen = Visit(context.new_page(), served)
        seen.page.on("request", lambda request: seen.requests.append(request.url))
        seen.page.on("console", lambda m: seen.complaints.append(m.text) if m.type in ("error", "warning") else None)
        seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        seen.page.on("dialog", lambda dialog: (seen.complaints.append("a dialog opened"), dialog.dismiss()))
        seen.go(address)
        return seen

    yield open_page
    for context in contexts:
        context.close()
