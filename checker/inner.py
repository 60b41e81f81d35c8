"""The process that reads untrusted data: takes one request from stdin, answers with one JSON document on stdout."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from checker import limits, probes

#: The first line of the answer: it says that the process runs, before any data is read.
READY: Final = "countersign-checker 1\n"


def main() -> None:
    """Probe the sandbox, check each version, answer.  Any exception ends the process with a traceback on stderr."""
    limits.set_limits()
    request: dict[str, Any] = json.load(sys.stdin)
    # Whatever a library prints must not get into the answer.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    answer.write(READY)
    answer.flush()
    root = Path(request["root"])
    sandbox = dict(request["sandbox"])
    if sandbox["name"] != "none":
        sandbox["probes"] = probes.run(root, request["places"], request["loopback"])

    from checker.check import check_version  # DuckDB is imported under the limits

    answers = []
    for benchmark, version in request["versions"]:
        outcome = check_version(root, benchmark, version, sandbox, request["checker"])
        answers.append(
            {
                "crosscheck": outcome.crosscheck, "troubles": outcome.troubles,
                "checked": outcome.checked if request["write"] else None,
            }
        )  # fmt: skip
    json.dump(answers, answer, ensure_ascii=True, allow_nan=False)
    answer.close()
