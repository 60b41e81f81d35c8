"""The documents of api/v1/: what is published, in the order index, board, version, row, runs."""

import json
from pathlib import Path
from typing import Any

from leaderboard import urls
from leaderboard.api import addresses
from leaderboard.freezes import freezes, root_digest
from leaderboard.pages.common import Site
from leaderboard.shapes import About, Note, Version


def index(site: Site) -> dict[str, Any]:
    """What there is."""
    return {
        "api": "v1",
        "boards": [
            {
                "benchmark": about.name,
                "title": about.title,
                "board": addresses.board(about.name),
                "versions": [_pointer(version) for version in site.of(about.name)],
            }
            for about in site.abouts
        ],
    }


def board(site: Site, about: About) -> dict[str, Any]:
    """A benchmark's versions with the rows of each, best first."""
    return {
        "benchmark": about.name,
        "title": about.title,
        "metrics": list(about.metrics),
        "page": urls.board(about.name),
        "versions": [
            {**_pointer(version), "rows": [_row(version, row) for row in _rows(version)]}
            for version in site.of(about.name)
        ],
    }


def version_document(version: Version) -> dict[str, Any]:
    """One version: how it stands, what was said of it since, and every file of it."""
    b, v = version.benchmark, version.name
    found = freezes(version)
    return {
        **_pointer(version),
        "title": version.title,
        "summary": version.summary,
        "input_digest": version.digest,
        "spec_sha256": version.spec_sha256,
        "freezes": [
            {"at": one.at, "root": one.root, "manifest": addresses.earlier_manifest(b, v, one.root)} for one in found
        ],
        "errata": [_note(note) for note in version.errata],
        "amendments": [_note(note) for note in version.amendments],
        "withdrawn": [
            {"model": row.model, "at": row.withdrawn.at, "reason": row.withdrawn.reason}
            for row in version.rows
            if row.withdrawn
        ],
        "rows": [{"model": row["model"], "row": addresses.row(b, v, row["model"])} for row in _rows(version)],
        "runs": addresses.runs(b, v) if version.is_published else None,
        "verdict": addresses.verdict(b, v) if "crosscheck.json" in version.tables else None,
        "manifest": addresses.manifest(b, v) if "MANIFEST.json" in version.tables else None,
        "files": [{"name": name, "url": urls.data(b, v, name)} for name in version.tables],
    }


def row_document(version: Version, row: dict[str, Any]) -> dict[str, Any]:
    """One row, with everything that the leaderboard says of it."""
    b, v = version.benchmark, version.name
    shown = next(found for found in version.rows if found.model == row["model"])
    back = shown.withdrawn
    return {
        "benchmark": b,
        "version": v,
        "root": root_digest(version),
        **row,
        "withdrawn": {"at": back.at, "reason": back.reason} if back else None,
        "errata": [_note(note) for note in version.errata],
        "page": urls.model(b, v, row["model"]),
        "badge": urls.badge(b, v, row["model"]),
    }


def runs_document(version: Version) -> dict[str, Any]:
    """Every log of a version, with its digest and where its bytes are."""
    b, v = version.benchmark, version.name
    return {
        "benchmark": b,
        "version": v,
        "runs": [
            {
                "model": _model(log.path),
                "path": f"runs/{b}/{v}/logs/{log.path.parent.name}/{log.path.name}",
                "url": urls.log(b, v, log.path.parent.name, log.path.stem),
                "bytes": log.path.stat().st_size,
                "sha256": log.sha256,
            }
            for log in version.logs
        ],
    }


def rows_of(version: Version) -> list[dict[str, Any]]:
    """The rows of leaderboard.json as they stand there."""
    return _rows(version)


def _rows(version: Version) -> list[dict[str, Any]]:
    path = version.tables.get("leaderboard.json")
    rows: list[dict[str, Any]] = json.loads(path.read_bytes())["rows"] if path else []
    return rows


def _row(version: Version, row: dict[str, Any]) -> dict[str, Any]:
    shown = next(found for found in version.rows if found.model == row["model"])
    return {
        "model": row["model"],
        "kind": row["kind"],
        "status": row["status"],
        "withdrawn": shown.withdrawn is not None,
        "metrics": row["metrics"],
        "row": addresses.row(version.benchmark, version.name, row["model"]),
    }


def _pointer(version: Version) -> dict[str, Any]:
    found = freezes(version)
    return {
        "benchmark": version.benchmark,
        "version": version.name,
        "status": version.status,
        "frozen_at": found[0].at if found and found[0].root == root_digest(version) else None,
        "root": root_digest(version),
        "page": urls.version(version.benchmark, version.name),
        "document": addresses.version(version.benchmark, version.name),
    }


def _note(note: Note) -> dict[str, Any]:
    return {"title": note.title, "paragraphs": list(note.paragraphs)}


def _model(log: Path) -> str | None:
    """Whose log it is, as its first line says; None where that cannot be read."""
    with log.open("rb") as file:
        try:
            return str(json.loads(file.readline())["model"])
        except (ValueError, TypeError, KeyError):
            return None
