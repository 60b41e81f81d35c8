"""One flipped bit anywhere in a frozen version is named, in a folder, an archive, and over the wire."""

from __future__ import annotations

import functools
import random
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from runners.errors import CouldNotCheck, SpecError, UsageError
from runners.release.archive import write_archive
from runners.release.freeze import freeze
from runners.release.manifest import Manifest, parse
from runners.release.places import open_place
from runners.release.verify import Verified, verify, versions_in
from tests.runners.release.conftest import VERSION


@pytest.fixture
def frozen(published: Path) -> tuple[Path, Manifest]:
    return published, freeze(published, VERSION).manifest


def look(place: str | Path, root: str | None = None) -> Verified:
    with open_place(str(place)) as opened:
        return verify(opened, VERSION, root)


@contextmanager
def served(handler: type[BaseHTTPRequestHandler] | functools.partial[SimpleHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


def flip(path: Path, chance: random.Random) -> None:
    """Flip one bit."""
    data = bytearray(path.read_bytes())
    at = chance.randrange(len(data))
    data[at] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def test_one_flipped_bit_is_named(frozen: tuple[Path, Manifest]) -> None:
    """In every file of the version in turn, at a random place."""
    root, manifest = frozen
    chance = random.Random(7)
    for path in manifest.files:
        kept = (root / path).read_bytes()
        flip(root / path, chance)
        found = look(root, manifest.root)
        assert [finding.file for finding in found.bytes_differ] == [path]
        (root / path).write_bytes(kept)
    assert look(root, manifest.root).fits


def test_the_line_of_a_log_is_named(frozen: tuple[Path, Manifest]) -> None:
    root, manifest = frozen
    log = next((root / "runs/court/v4/logs").glob("*/*.jsonl"))
    lines = log.read_bytes().splitlines(keepends=True)
    for number in (1, 2, len(lines) // 2, len(lines)):
        changed = list(lines)
        changed[number - 1] = changed[number - 1].replace(b'"at":"20', b'"at":"21', 1)
        log.write_bytes(b"".join(changed))
        assert [finding.line for finding in look(root, manifest.root).bytes_differ] == [number]


def test_a_flipped_bit_of_the_manifest_is_named(frozen: tuple[Path, Manifest]) -> None:
    root, manifest = frozen
    path = root / manifest.path
    chance = random.Random(3)
    for _ in range(50):
        path.write_bytes(manifest.raw)
        flip(path, chance)
        found = look(root, manifest.root)
        assert manifest.path in [finding.file for finding in found.bytes_differ]
        assert not found.anchored


def test_a_file_more_and_a_file_less(frozen: tuple[Path, Manifest]) -> None:
    root, manifest = frozen
    (root / "runs/court/v4/prompts/more.txt").write_text("more")
    less = root / "tables/court/v4/leaderboard.csv"
    less.unlink()
    found = {finding.file: finding.found for finding in look(root, manifest.root).bytes_differ}
    assert found == {
        "tables/court/v4/leaderboard.csv": "no such file",
        "runs/court/v4/prompts/more.txt": "one that it does not",
    }


def test_without_a_digest_it_says_only_that_it_agrees_with_itself(frozen: tuple[Path, Manifest]) -> None:
    found = look(frozen[0])
    assert found.fits
    assert not found.anchored


def test_another_digest_is_not_the_version(frozen: tuple[Path, Manifest]) -> None:
    found = look(frozen[0], "0" * 64)
    assert [finding.rule for finding in found.bytes_differ] == ["root"]
    with pytest.raises(UsageError, match="64 hexadecimal"):
        look(frozen[0], "abc")


def test_a_newer_checker_is_no_fault_of_a_checkout(frozen: tuple[Path, Manifest]) -> None:
    root, manifest = frozen
    (root / "checker/check.py").write_text("")
    found = look(root, manifest.root)
    assert found.fits
    assert found.remarks == ["Of the checker of the freeze, 1 files are other ones here."]


def test_an_archive(frozen: tuple[Path, Manifest], tmp_path: Path) -> None:
    root, manifest = frozen
    archive = tmp_path / "v4.tar"
    write_archive(root, manifest, archive)
    with open_place(str(archive)) as place:
        assert versions_in(place) == [VERSION]
    assert look(archive, manifest.root).fits
    whole = archive.read_bytes()
    at = whole.index(b'"event":"call"') + 12
    archive.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    assert len(look(archive, manifest.root).bytes_differ) == 1
    archive.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CouldNotCheck):
        look(archive, manifest.root)
    with tarfile.open(archive, "w") as packed:
        packed.addfile(tarfile.TarInfo("../../evil"))
    with pytest.raises(CouldNotCheck):
        look(archive)


def test_over_the_wire(frozen: tuple[Path, Manifest]) -> None:
    root, manifest = frozen
    with served(functools.partial(Quiet, directory=str(root))) as address:
        assert look(address, manifest.root).fits
        flip(root / "tables/court/v4/builder.json", random.Random(1))
        assert [finding.file for finding in look(address, manifest.root).bytes_differ] == [
            "tables/court/v4/builder.json"
        ]
        with open_place(address) as place, pytest.raises(UsageError, match="name the version"):
            versions_in(place)
        with pytest.raises(CouldNotCheck, match="is not there"):
            look(f"{address}/elsewhere", manifest.root)


def test_a_body_that_ends_early_is_no_shorter_file(frozen: tuple[Path, Manifest]) -> None:
    root, manifest = frozen

    class Cut(Quiet):
        def do_GET(self) -> None:
            data = (root / self.path.lstrip("/")).read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data if self.path.endswith("MANIFEST.json") else data[: len(data) // 2])

    class Broken(Quiet):
        def do_GET(self) -> None:
            self.send_error(500)

    for handler, said in ((Cut, "to its end"), (Broken, "500")):
        with served(handler) as address, pytest.raises(CouldNotCheck, match=said):
            look(address, manifest.root)


def test_a_link_is_no_file_of_the_version(frozen: tuple[Path, Manifest], tmp_path: Path) -> None:
    root, manifest = frozen
    board = root / "tables/court/v4/leaderboard.json"
    board.rename(tmp_path / "elsewhere.json")
    board.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(CouldNotCheck, match="link"):
        look(root, manifest.root)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "runs/court/v4/../../x", "runs/court/v3/spec.json", "runs/court/v4/a\\b", ""]
)
def test_a_manifest_names_only_files_of_its_version(frozen: tuple[Path, Manifest], path: str) -> None:
    raw = frozen[1].raw.replace(b"runs/court/v4/items.jsonl", path.replace("\\", "\\\\").encode())
    with pytest.raises(SpecError):
        parse(raw, "here")


def test_no_place() -> None:
    for text in ("ftp://127.0.0.1/x", "file:///etc", "nowhere/at/all"):
        with pytest.raises(UsageError), open_place(text):
            pass
