"""Statuses: what the findings mean for each row, and crosscheck.json."""

from __future__ import annotations

from typing import Any, Final

from checker.compare import Counts
from checker.findings import Finding

CROSS_CHECKED: Final = "CROSS-CHECKED"
PARTIAL: Final = "PARTIAL"
INCOMPLETE: Final = "INCOMPLETE"
NOT_SANDBOXED: Final = "CHECKED NOT SANDBOXED"
MISMATCH: Final = "MISMATCH"
COULD_NOT_CHECK: Final = "COULD NOT CHECK"
#: Best first (tables.md and tables-cascades.md).
STATUSES: Final = (CROSS_CHECKED, PARTIAL, INCOMPLETE, NOT_SANDBOXED, MISMATCH, COULD_NOT_CHECK)
#: Findings of these sides decide the status that a published row must state; `imported` never counts.
NUMBERS: Final = ("builder", "log", "spec")
#: And these the status of the report.
EVERYTHING: Final = (*NUMBERS, "published")


#: The sandboxes that count: bubblewrap's namespaces, with or without a filter of system calls.
SANDBOXES: Final = ("bubblewrap", "bubblewrap+seccomp")


def sandboxed(sandbox: dict[str, Any]) -> bool:
    """Whether a sandbox was in force and each of its probes found what was expected."""
    probes = sandbox["probes"]
    return sandbox["name"] in SANDBOXES and bool(probes) and all(p["found"] == p["expected"] for p in probes)


def row_statuses(
    models: list[str],
    gaps: dict[str, str],
    findings: list[Finding],
    sandbox: dict[str, Any],
    compared: bool,
    sides: tuple[str, ...],
) -> dict[str, str]:
    """The status of each model, by the findings of `sides`.  `gaps` holds the status of those of which something is
    missing, and `compared` is False where there was no builder.json."""
    counting = [finding for finding in findings if finding.side in sides]
    guilty = {finding.model for finding in counting}
    # A finding that belongs to no single model (None), or to one without a row, concerns every row.
    everyone = any(finding.side == "spec" for finding in counting) or bool(guilty - set(models))
    statuses: dict[str, str] = {}
    for model in models:
        if not compared:
            statuses[model] = COULD_NOT_CHECK
        elif everyone or model in guilty:
            statuses[model] = MISMATCH
        elif not sandboxed(sandbox):
            statuses[model] = NOT_SANDBOXED
        else:
            statuses[model] = gaps.get(model, CROSS_CHECKED)
    return statuses


def worst(statuses: list[str]) -> str:
    """The worst of some statuses; of none, that nothing could be checked."""
    return max(statuses, key=STATUSES.index, default=COULD_NOT_CHECK)


def crosscheck(
    head: dict[str, str], status: str, statuses: dict[str, str], counts: Counts, findings: list[Finding],
    inputs: dict[str, str], tails: list[dict[str, Any]], checker: dict[str, Any], sandbox: dict[str, Any],
    invariants: list[dict[str, Any]],
) -> dict[str, Any]:  # fmt: skip
    """The document of check-report.md, keys in its order.  Nothing in it depends on when or how fast it was made."""
    rows = [
        {"model": model, "status": name, "compared": counts.compared[model], "equal": counts.equal[model]}
        for model, name in statuses.items()
    ]
    return {
        "benchmark": head["benchmark"], "version": head["version"], "digest": head.get("digest"), "status": status,
        "rows": rows,
        "totals": {"compared": counts.compared.total(), "equal": counts.equal.total()},
        "mismatches": [finding.as_dict() for finding in findings],
        "inputs": dict(sorted(inputs.items())), "tails": tails, "checker": checker, "sandbox": sandbox,
        "invariants": invariants,
    }  # fmt: skip
