"""What the parent does with an answer: distrust its shape, print it so that no text can play with the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from checker.findings import SIDES
from checker.verdict import COULD_NOT_CHECK, NOT_SANDBOXED, STATUSES, sandboxed

KEYS: Final = {
    "benchmark": str, "version": str, "digest": str | None, "status": str, "rows": list, "totals": dict,
    "mismatches": list, "inputs": dict, "tails": list, "checker": dict, "sandbox": dict,
}  # fmt: skip
FINDING: Final = {
    "file": str, "line": int | None, "model": str | None, "run": str | None, "field": str, "expected": str,
    "found": str, "rule": str, "side": str, "fix": str,
}  # fmt: skip
#: Findings that are printed for one version; all of them stand in crosscheck.json and in --json.
PRINTED: Final = 100


class BadAnswer(ValueError):
    """The inner process answered with something that is no verdict."""


def validate(answer: Any, benchmark: str, version: str, checker: dict[str, Any]) -> dict[str, Any]:
    """The crosscheck document of an answer whose shape is right.  Raises BadAnswer."""
    if not isinstance(answer, dict) or set(answer) != {"crosscheck", "troubles", "checked"}:
        raise BadAnswer("an answer has other keys")
    document, troubles = answer["crosscheck"], answer["troubles"]
    _shape(document, KEYS)
    for finding in document["mismatches"]:
        _shape(finding, FINDING)
        if finding["side"] not in SIDES:
            raise BadAnswer("a finding has no side")
    for row in document["rows"]:
        _shape(row, {"model": str, "status": str, "compared": int, "equal": int})
    if not isinstance(troubles, list) or not all(isinstance(text, str) for text in troubles):
        raise BadAnswer("the troubles are no list of texts")
    if not isinstance(answer["checked"], str | None):
        raise BadAnswer("checked.json is no text")
    if (document["benchmark"], document["version"]) != (benchmark, version) or document["checker"] != checker:
        raise BadAnswer("the answer is about something else")
    statuses = [document["status"], *(row["status"] for row in document["rows"])]
    if not set(statuses) <= set(STATUSES) or (troubles and document["status"] != COULD_NOT_CHECK):
        raise BadAnswer("a status contradicts the rest")
    if not sandboxed(document["sandbox"]) and any(STATUSES.index(s) < STATUSES.index(NOT_SANDBOXED) for s in statuses):
        raise BadAnswer("a status says more than the sandbox allows")
    return document  # type: ignore[no-any-return]


def _shape(value: Any, keys: dict[str, Any]) -> None:
    if not isinstance(value, dict) or list(value) != list(keys):
        raise BadAnswer("an object has other keys")
    for key, kind in keys.items():
        if not isinstance(value[key], kind) or isinstance(value[key], bool):
            raise BadAnswer(f"{key} has another type")


def exit_code(document: dict[str, Any], troubles: list[str]) -> int:
    """As `diff`: 0 all equal, 1 something differs, 2 could not check.  Imported numbers do not count."""
    if troubles or document["status"] == COULD_NOT_CHECK:
        return 2
    return 1 if any(finding["side"] != "imported" for finding in document["mismatches"]) else 0


def plain(text: object) -> str:
    """Untrusted text for a terminal: anything that is not printable is shown as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in str(text))


def lines(document: dict[str, Any], troubles: list[str]) -> Iterator[str]:
    """The human report of one version."""
    name = f"{document['benchmark']}/{document['version']}"
    totals = document["totals"]
    yield f"{name}: {document['status']} ({totals['equal']} of {totals['compared']} fields equal)"
    for row in document["rows"]:
        yield f"  {plain(row['model'])}: {row['status']} ({row['equal']} of {row['compared']} fields equal)"
    for text in troubles:
        yield f"  could not check: {plain(text)}"
    counted = [finding for finding in document["mismatches"] if finding["side"] != "imported"]
    foreign = [finding for finding in document["mismatches"] if finding["side"] == "imported"]
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
