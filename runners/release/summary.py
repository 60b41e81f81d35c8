"""What a review found, as a maintainer reads it: the verdict, the findings, the changed cells (Markdown)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runners.release.cells import Cell, shown
from runners.release.review import Review

MOST_CELLS = 200
MOST_FINDINGS = 200


def markdown(review: Review, title: str = "Review") -> str:
    """The summary; what comes from the data is in code spans, so that it is read and never rendered."""
    return "\n".join(_lines(review, title)) + "\n"


def as_json(review: Review) -> dict[str, Any]:
    """The same as data."""
    return {
        "verdict": review.verdict,
        "added": review.added,
        "findings": [vars(finding) for finding in review.findings],
        "rows": review.rows,
        "unchecked": review.unchecked,
        "cells": {version: [vars(cell) for cell in cells] for version, cells in review.cells.items()},
    }


def _lines(review: Review, title: str) -> Iterator[str]:
    yield f"# {_text(title)}"
    yield ""
    yield f"**{review.verdict}**: {len(review.added)} files added, {len(review.findings)} findings."
    for path, submission in review.submissions.items():
        yield ""
        yield f"- {_code(path)}: {', '.join(_code(name) for name in sorted(submission.names))}"
        cost = (
            "not known"
            if submission.cost_microusd is None
            else f"{submission.cost_microusd / 1_000_000:.6f} US dollars"
        )
        yield f"- run by {_code(submission.by)} at {submission.at}; {submission.calls:,} calls; cost {cost}"
        yield f"- licence of the outputs: {submission.licence}"
        if submission.cleared:
            yield f"- stated to be nobody's data: {', '.join(map(_code, submission.cleared))}"
        if submission.note:
            yield f"- {_code(submission.note)}"
    if review.findings:
        yield from ("", "## Findings", "")
        for finding in review.findings[:MOST_FINDINGS]:
            where = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
            said = f"rule {_code(finding.rule)}: expected {_code(finding.expected)}, found {_code(finding.found)}"
            yield f"- {_code(where)}: {said}. {_text(finding.fix)}"
        if len(review.findings) > MOST_FINDINGS:
            yield f"- and {len(review.findings) - MOST_FINDINGS} more"
    for version, why in review.unchecked.items():
        yield from ("", f"**Could not check {version}**: {_code(why)}")
    for version, cells in review.cells.items():
        yield from ("", f"## Changed cells of {version}", "")
        yield from _cells(review, version, cells)
    if review.added:
        yield from ("", "## Files", "")
        yield from (f"- {_code(path)}" for path in review.added)


def _cells(review: Review, version: str, cells: list[Cell]) -> Iterator[str]:
    if not cells:
        yield "None."
        return
    yield "| row | field | old | new | verdict |"
    yield "| --- | --- | --- | --- | --- |"
    for cell in cells[:MOST_CELLS]:
        verdict = review.rows.get(version, {}).get(cell.place, "")
        parts = (cell.place, cell.field, shown(cell.old), shown(cell.new))
        yield f"| {' | '.join(map(_code, parts))} | {verdict} |"
    if len(cells) > MOST_CELLS:
        yield ""
        yield f"And {len(cells) - MOST_CELLS} more; the JSON of the review has all."


def _code(text: str) -> str:
    """Text of others in a code span that it cannot leave, on one line and within a table's cell."""
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)[:300].replace("|", "¦").replace("`", "ˋ")
    return f"`{plain}`" if plain.strip() else "` `"


def _text(text: str) -> str:
    """Our own words, which may quote a name: no mark-up of theirs."""
    return "".join(c if c.isalnum() or c in " .,:;()/_=+'-" else f"\\{c}" for c in " ".join(text.split()))
