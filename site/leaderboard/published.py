"""Which files may reach a page: those that the version's MANIFEST.json digests, byte for byte."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from leaderboard.logfile import MANIFEST, LogFile, differs, refusal
from leaderboard.reading import fits, read_json
from leaderboard.shapes import DOWNLOADS


def published_logs(root: Path, benchmark: str, version: str) -> tuple[LogFile, ...] | None:
    """Give the version's logs, once they, its tables and its spec are as published; None if it is not published.

    Raises:
        SiteError: a file is not as published; it names each of them.
    """
    target = f"{benchmark}/{version}"
    manifest = root / "tables" / target / MANIFEST
    if not manifest.is_file():
        return None
    listed = fits(manifest, lambda: {str(path): str(sha) for path, sha in read_json(manifest)["files"].items()})
    logs = f"runs/{target}/logs/"
    here = {path.relative_to(root).as_posix(): path for path in _shown(root, target)}
    faults = [
        f"{root / name}: expected the log that {MANIFEST} digests, found no such file."
        for name in listed
        if name.startswith(logs) and name not in here
    ]
    for name, path in here.items():
        found = _digest(path)
        if name not in listed:
            faults.append(f"{path}: expected a file that {MANIFEST} digests, found one that it does not name.")
        elif listed[name] != found:
            faults.append(differs(path, listed[name], found))
    if faults:
        raise refusal(target, faults)
    return tuple(LogFile(path, listed[name], target) for name, path in here.items() if name.startswith(logs))


def _shown(root: Path, target: str) -> Iterator[Path]:
    """Yield the logs, and all else that pages take numbers from."""
    folder, tables = root / "runs" / target, root / "tables" / target
    yield from sorted((folder / "logs").glob("*/*.jsonl"))
    for name in DOWNLOADS:
        path = (folder if name == "spec.json" else tables) / name
        if name != MANIFEST and path.is_file():
            yield path


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
