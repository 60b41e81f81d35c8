"""A self-test of the checker, as a publication has it."""

from __future__ import annotations

import json
from pathlib import Path

OPERATOR = {
    "operator": "flip-a-byte",
    "about": "One byte becomes another one.",
    "changes": "any file",
    "mends": "nothing",
    "needs_anchor": False,
    "made": 1200,
    "named": 1199,
    "at_line": 800,
    "named_without": 0,
    "rules": {"M1": 1000, "L7": 199},
    "example": None,
    "survivors": [],
}
DOCUMENT = {
    "seed": 7,
    "alterations": 1200,
    "checked": "in process, without a sandbox",
    "checker": {"files": {"checker/check.py": "c" * 64}, "versions": {"python": "3.11.7"}},
    "benchmarks": [
        {
            "benchmark": "court",
            "detectable": {"made": 1200, "named": 1199, "at_line": 800},
            "need_anchor": {"made": 10, "named": 10, "named_without": 0},
            "operators": [OPERATOR],
        }
    ],
    "machine": {"seconds": 1.0, "processes": 2},
}


def write(root: Path, document: object) -> None:
    """Put it where a publication has it."""
    (root / "tables").mkdir(parents=True, exist_ok=True)
    (root / "tables/self-test.json").write_text(json.dumps(document), "utf-8")
