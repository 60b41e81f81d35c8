"""Which checker this is: the digests of its files and the versions of what it stands on."""

from __future__ import annotations

import hashlib
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from checker import __version__


def identity() -> dict[str, Any]:
    """The `checker` object of crosscheck.json; paths are relative to the folder that holds the checker."""
    package = Path(__file__).resolve().parent
    files = sorted(p for p in package.rglob("*") if p.suffix in (".py", ".sql") and "__pycache__" not in p.parts)
    return {
        "files": {
            p.relative_to(package.parent).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files
        },
        "versions": {
            "python": platform.python_version(), "duckdb": _version("duckdb"), "numpy": _version("numpy"),
            "checker": __version__,
        },
    }  # fmt: skip


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
