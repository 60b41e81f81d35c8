"""Builds and serves the site; the only place of the builder that knows there is one."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path

from runners import secrets
from runners.errors import MissingExtra


def build_pages(root: Path, out: Path) -> Path:
    """Build the site of `root` into `out`; returns the path of its index.html.

    Raises:
        MissingExtra: the site's packages are not installed.
        LogError: something that a page would show holds a secret; names every file and line.
    """
    trees = (root / "runs", root / "tables")
    secrets.gate(root, sorted(path for tree in trees for path in tree.rglob("*") if path.is_file()))
    try:
        build = import_module("leaderboard.build")
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "mkdocs", "site", "building the site") from error
    index: Path = build.build_site(root.resolve(), out.resolve())
    return index


def serve_pages(folder: Path, port: int) -> None:
    """Serve a built site on the loopback address until interrupted."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/  (Ctrl-C ends)", flush=True)
        server.serve_forever()
