"""Reads files with their formats' own tools, in the environment of requirements.lock; prints what each says as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def bibtex(path: str) -> Any:
    """The entries that bibtexparser reads."""
    import bibtexparser

    with Path(path).open(encoding="utf-8") as file:
        return bibtexparser.load(file).entries


def ris(path: str) -> Any:
    """The entries that rispy reads."""
    import rispy

    with Path(path).open(encoding="utf-8") as file:
        return rispy.load(file)


def cff(path: str) -> Any:
    """The title, once cffconvert has validated the file."""
    from cffconvert.citation import Citation

    citation = Citation(Path(path).read_text("utf-8"), src=path)
    citation.validate()
    return json.loads(citation.as_zenodo())


def croissant(address: str) -> Any:
    """What mlcroissant finds wrong, and the rows that it loads."""
    import mlcroissant

    data = mlcroissant.Dataset(jsonld=address)
    issues = data.metadata.ctx.issues
    rows = [
        {key.partition("/")[2]: value.decode() if isinstance(value, bytes) else value for key, value in row.items()}
        for row in data.records("leaderboard")
    ]
    return {
        "errors": sorted(issues.errors),
        "warnings": sorted(issues.warnings),
        "rows": json.loads(json.dumps(rows, default=str)),
    }


if __name__ == "__main__":
    print(json.dumps({"bibtex": bibtex, "ris": ris, "cff": cff, "croissant": croissant}[sys.argv[1]](sys.argv[2])))
