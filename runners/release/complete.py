"""Whether a model was played on everything that a version has, so that its row can be compared with the others."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from runners.errors import Finding

PLAY = "Play what is missing: the same countersign play goes on where it stopped."


def incomplete(root: Path, version: str, models: set[str]) -> list[Finding]:
    """A finding for each of `models` that some pair of Court of Facts has not on every fact.

    In Cascades, a seed that is missing shows in the row's status (PARTIAL or INCOMPLETE).
    """
    numbers = json.loads((root / "tables" / version / "builder.json").read_bytes())
    if "duels" not in numbers:
        return []
    folder = root / "runs" / version
    facts = [json.loads(line)["fact"] for line in (folder / "items.jsonl").read_text("utf-8").splitlines()]
    played: dict[tuple[str, str], set[str]] = defaultdict(set)
    for duel in numbers["duels"]:
        if duel["phase"] == "main":
            played[duel["defender"], duel["attacker"]].add(duel["fact"])
    findings = []
    for model in sorted(models):
        if not any(defender == model for defender, _ in played):
            findings.append(_missing(version, f"{model} as Defender", "no duel"))
        for (defender, attacker), there in played.items():
            if model in (defender, attacker) and (lacking := [fact for fact in facts if fact not in there]):
                findings.append(_missing(version, f"{defender} against {attacker} on every fact", ", ".join(lacking)))
    return findings


def _missing(version: str, wanted: str, lacking: str) -> Finding:
    return Finding(f"runs/{version}/logs", None, "complete", wanted, f"not played: {lacking}", PLAY)
