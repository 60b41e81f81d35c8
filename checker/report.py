"""What the parent does with an answer: distrust it, then say it, so that no text can play with a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from checker.answer import BadAnswer, validate
from checker.verdict import COULD_NOT_CHECK, MISMATCH

__all__ = ["BadAnswer", "exit_code", "json_text", "lines", "plain", "printable", "split", "validate"]

#: Findings that are printed for one version; all of them stand in crosscheck.json and in --json.
PRINTED: Final = 100


def exit_code(document: dict[str, Any], troubles: list[str]) -> int:
    """As `diff`: 0 all equal, 1 something differs, 2 could not check.  Imported numbers do not count."""
    if troubles or document["status"] == COULD_NOT_CHECK:
        return 2
    return 1 if document["status"] == MISMATCH or split(document)[0] else 0


def split(document: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The findings that count, and those about a third party's numbers."""
    found = document["mismatches"]
    return [f for f in found if f["side"] != "imported"], [f for f in found if f["side"] == "imported"]


def printable(text: object) -> str:
    """Untrusted text: what does not print (controls, bidirectional marks, lone surrogates) is shown as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in str(text))


def plain(text: object) -> str:
    """The same for a terminal and for a log of GitHub Actions, which obeys lines that begin with `::` behind spaces and
    lines with `##[` anywhere."""
    return printable(text).replace("::", r":\x3a").replace("##[", r"#\x23[")


def json_text(value: object) -> str:
    """JSON as it is written and printed: what does not print is escaped, as JSON does it."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def lines(document: dict[str, Any], troubles: list[str]) -> Iterator[str]:
    """The human report of one version."""
    totals = document["totals"]
    name = plain(f"{document['benchmark']}/{document['version']}")
    yield f"{name}: {document['status']} ({totals['equal']} of {totals['compared']} fields equal)"
    for row in document["rows"]:
        yield f"  {plain(row['model'])}: {row['status']} ({row['equal']} of {row['compared']} fields equal)"
    for text in troubles:
        yield f"  could not check: {plain(text)}"
    counted, foreign = split(document)
    for finding in counted[:PRINTED]:
        yield from _finding(finding)
    if len(counted) > PRINTED:
        yield f"  … and {len(counted) - PRINTED} more findings (--json lists them all)"
    if foreign:
        yield f"  {len(foreign)} numbers that an imported dataset states differ (a third party's: they never count):"
        for finding in foreign[:PRINTED]:
            yield from _finding(finding)
    for tail in document["tails"]:
        yield f"  {plain(tail['file'])}:{tail['line']}: torn tail of {tail['bytes']} bytes set aside, not scored"
    looked = sum(invariant["looked_at"] for invariant in document["invariants"])
    broken = sum(invariant["broken"] for invariant in document["invariants"])
    yield f"  invariants: {len(document['invariants'])} over {looked} places, broken at {broken}"
    sandbox = document["sandbox"]
    probes = sandbox["probes"]
    if sandbox["name"] == "none":
        yield f"  sandbox: none ({plain(sandbox['why'])})"
    else:
        yield f"  sandbox: {plain(sandbox['name'])}, {sum(p['ok'] for p in probes)} of {len(probes)} probes refused"


def _finding(finding: dict[str, Any]) -> Iterator[str]:
    place = plain(finding["file"]) + (f":{finding['line']}" if finding["line"] is not None else "")
    yield f"  {place}: {plain(finding['rule'])} {plain(finding['field'])} ({finding['side']})"
    yield f"      expected {plain(finding['expected'])}"
    yield f"      found    {plain(finding['found'])}"
    yield f"      {plain(finding['fix'])}"
