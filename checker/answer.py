"""What the parent believes of an answer of the sandboxed process: exact shapes, and statuses that the evidence bears.

The process reads untrusted data, so its answer may be anything; whatever does not fit is a check that failed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, Final

from checker import verdict
from checker.findings import PATH, PER_RULE, SHOWN, SIDES, Finding

KEYS: Final = {
    "benchmark": str, "version": str, "digest": str | None, "status": str, "rows": list, "totals": dict,
    "mismatches": list, "inputs": dict, "tails": list, "checker": dict, "sandbox": dict, "invariants": list,
}  # fmt: skip
FINDING: Final = {
    "file": str, "line": int | None, "model": str | None, "run": str | None, "field": str, "expected": str,
    "found": str, "rule": str, "side": str, "fix": str,
}  # fmt: skip
ROW: Final = {"model": str, "status": str, "compared": int, "equal": int}
TAIL: Final = {"file": str, "line": int, "bytes": int}
SANDBOX: Final = {"name": str, "why": str | None, "probes": list}
PROBE: Final = {"probe": str, "expected": str, "found": str, "ok": bool}
INVARIANT: Final = {"rule": str, "text": str, "looked_at": int, "broken": int}
RUN: Final = {"benchmark": str, "version": str, "files": list, "machine": dict}
FILE: Final = {"file": str, "compared": int, "equal": int, "looked_at": int, "broken": int}
MACHINE: Final = {"seconds": dict, "peak_memory_bytes": int, "threads": int}

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_RULE: Final = re.compile(r"[A-Z]{1,4}[0-9]{0,3}")
#: What a row without a finding may be, in a sandbox.
_CLEAN: Final = (verdict.CROSS_CHECKED, verdict.PARTIAL, verdict.INCOMPLETE)


class BadAnswer(ValueError):
    """The inner process answered with something that is no verdict."""


def validate(
    answer: Any, benchmark: str, version: str, checker: dict[str, Any], write: bool | None = None
) -> dict[str, Any]:
    """The crosscheck document of a sound answer; `write` says whether checked.json was asked for, where that is known.

    Raises BadAnswer.
    """
    if not isinstance(answer, dict) or set(answer) != {"crosscheck", "troubles", "checked", "run"}:
        raise BadAnswer("an answer has other keys")
    document, troubles = answer["crosscheck"], answer["troubles"]
    _shape(document, KEYS, "crosscheck")
    if (document["benchmark"], document["version"]) != (benchmark, version) or document["checker"] != checker:
        raise BadAnswer("the answer is about something else")
    _need(isinstance(troubles, list) and all(isinstance(t, str) and t for t in troubles), "troubles are texts")
    try:
        json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):
        raise BadAnswer("a text or a number that no file can hold") from None
    _evidence(document)
    _findings(document["mismatches"])
    _counts(document)
    _statuses(document, troubles)
    _checked(answer["checked"], document, troubles, write)
    _run(answer["run"], benchmark, version)
    return document  # type: ignore[no-any-return]


def _evidence(document: dict[str, Any]) -> None:
    """Digests, tails, the sandbox and its probes."""
    inputs, sandbox = document["inputs"], document["sandbox"]
    digests = [*inputs.values(), *([] if document["digest"] is None else [document["digest"]])]
    _need(all(isinstance(d, str) and _DIGEST.fullmatch(d) for d in digests), "a digest is 64 hexadecimal digits")
    _need(all(path.startswith(("runs/", "tables/")) for path in inputs), "an input lies below runs/ or tables/")
    _need(list(inputs) == sorted(inputs), "inputs are sorted")
    for tail in document["tails"]:
        _shape(tail, TAIL, "a tail")
        _need(tail["line"] > 0 and tail["bytes"] > 0, "a tail has a line and bytes")
    _shape(sandbox, SANDBOX, "sandbox")
    for probe in sandbox["probes"]:
        _shape(probe, PROBE, "a probe")
        _need(probe["ok"] == (probe["found"] == probe["expected"] == "refused"), "a probe is ok where it was refused")
    names = [probe["probe"] for probe in sandbox["probes"]]
    if sandbox["name"] == "none":
        _need(bool(sandbox["why"]) and not names, "without a sandbox there is a reason and no probe")
    else:
        _need(sandbox["name"] in verdict.SANDBOXES and sandbox["why"] is None, "a known sandbox")
        _need(bool(names) and len(set(names)) == len(names), "a sandbox has probes, each once")


def _findings(found: list[Any]) -> None:
    """Each in its shape and bounds, all of them once and in order."""
    listed: Counter[tuple[str, str, str]] = Counter()
    for finding in found:
        _shape(finding, FINDING, "a finding")
        _need(finding["side"] in SIDES, "a finding has a side")
        _need(_RULE.fullmatch(finding["rule"]) is not None, "a finding names a rule")
        _need(finding["line"] is None or finding["line"] > 0, "lines count from 1")
        _need(
            all(len(finding[key]) <= SHOWN for key in ("field", "expected", "found"))
            and 0 < len(finding["file"]) <= PATH
            and 0 < len(finding["fix"]) <= 2 * SHOWN,
            "a finding is short, and says what to do",
        )
        listed[finding["file"], finding["rule"], finding["side"]] += finding["field"] != "(more)"
    _need(all(number <= PER_RULE for number in listed.values()), f"at most {PER_RULE} findings of one kind a file")
    order = [Finding(**finding).order() for finding in found]
    _need(order == sorted(set(order)), "findings are sorted, each once")


def _counts(document: dict[str, Any]) -> None:
    """Counts that add up."""
    rows, totals = document["rows"], document["totals"]
    for row in rows:
        _shape(row, ROW, "a row")
    _shape(totals, {"compared": int, "equal": int}, "totals")
    models = [row["model"] for row in rows]
    _need(len(set(models)) == len(models), "each model has one row")
    # What is of no single model: the totals less the rows.
    rest = {key: totals[key] - sum(row[key] for row in rows) for key in totals}
    _need(all(0 <= counts["equal"] <= counts["compared"] for counts in (*rows, totals, rest)), "counts that add up")
    for invariant in document["invariants"]:
        _shape(invariant, INVARIANT, "an invariant")
        _need(0 <= invariant["broken"] <= invariant["looked_at"], "broken places are among those looked at")
        _need(re.fullmatch(r"I[0-9]{1,3}", invariant["rule"]) is not None, "an invariant has a number")
    names = [invariant["rule"] for invariant in document["invariants"]]
    _need(len(set(names)) == len(names), "each invariant once")


def _statuses(document: dict[str, Any], troubles: list[str]) -> None:
    """Every status is the one that findings, counts and sandbox bear out."""
    rows, status, totals = document["rows"], document["status"], document["totals"]
    if bool(troubles) != (status == verdict.COULD_NOT_CHECK):
        raise BadAnswer("what could not be checked has a reason, and nothing else has one")
    if troubles:
        _need(all(row["status"] == status for row in rows), "nothing is said of what could not be checked")
        return
    findings = [Finding(**finding) for finding in document["mismatches"]]
    about = [row["model"] for row in rows], dict[str, str]()
    borne = verdict.row_statuses(*about, findings, document["sandbox"], True, verdict.EVERYTHING)
    for row in rows:
        said = row["status"]
        _need(said == borne[row["model"]] or (borne[row["model"]], said in _CLEAN) == (verdict.CROSS_CHECKED, True),
              "a row's status is what the findings and the sandbox say")  # fmt: skip
        _need(said == verdict.MISMATCH or 0 < row["compared"] == row["equal"],
              "a row without a finding has fields, all of them equal")  # fmt: skip
    if not rows:
        _need(status == verdict.MISMATCH, "a version without a row is no passed one")
    else:
        _need(status == verdict.worst([row["status"] for row in rows]), "the status is the worst of the rows")
    guilty = any(finding.side in verdict.EVERYTHING for finding in findings)
    _need(guilty or status != verdict.MISMATCH, "a mismatch has a finding")
    broken = sum(invariant["broken"] for invariant in document["invariants"])
    _need(guilty or (totals["equal"] == totals["compared"] and not broken), "what is unequal or broken is found")
    _need(guilty or (document["digest"] is not None and bool(document["invariants"])), "a passed check looked at all")


def _checked(text: Any, document: dict[str, Any], troubles: list[str], write: bool | None) -> None:
    """checked.json is there where it was asked for, and is of this version and these inputs."""
    if not isinstance(text, str | None) or (write is False and text is not None):
        raise BadAnswer("checked.json is no text, or was not asked for")
    if text is None:
        _need(write is not True or bool(troubles) or document["digest"] is None, "checked.json was asked for")
        return
    head = {key: document[key] for key in ("benchmark", "version", "digest")}
    keys = "".join(f'"{key}":(.*),\n' for key in ("benchmark", "version", "spec_sha256", "digest"))
    match = re.match(r"\{\n" + keys, text)
    _need(match is not None and text.endswith("}\n"), "checked.json has the lines of its page")
    assert match is not None
    found = dict(zip(("benchmark", "version", "digest"), match.group(1, 2, 4), strict=True))
    _need(found == {key: json.dumps(value) for key, value in head.items()}, "checked.json is of these inputs")


def _run(run: Any, benchmark: str, version: str) -> None:
    _shape(run, RUN, "run.json")
    _need((run["benchmark"], run["version"]) == (benchmark, version), "run.json is of this version")
    for file in run["files"]:
        _shape(file, FILE, "a file of run.json")
        _need(0 <= file["equal"] <= file["compared"] and 0 <= file["broken"] <= file["looked_at"], "counts that add up")
    machine = run["machine"]
    _shape(machine, MACHINE, "machine")
    _need(all(isinstance(value, float) and value >= 0 for value in machine["seconds"].values()), "seconds of steps")
    _need(machine["peak_memory_bytes"] > 0 and machine["threads"] > 0, "memory and threads")


def _shape(value: Any, keys: dict[str, Any], name: str) -> None:
    if not isinstance(value, dict) or list(value) != list(keys):
        raise BadAnswer(f"{name} has other keys")
    for key, kind in keys.items():
        # A truth value is an integer to Python, and to nobody else.
        if not isinstance(value[key], kind) or (isinstance(value[key], bool) and kind is not bool):
            raise BadAnswer(f"{name}: {key} has another type")


def _need(holds: bool, rule: str) -> None:
    if not holds:
        raise BadAnswer(f"an answer breaks the rule: {rule}")
