"""The process that reads untrusted data: takes one request from stdin, answers with lines of JSON on stdout."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from checker import probes

#: The first line of the answer: it says that the process runs, before any data is read.
READY: Final = "countersign-checker 1\n"


def main() -> None:
    """Probe the sandbox and say so, check each version, answer; the limits hold already.

    Any exception ends the process with a traceback on stderr.
    """
    request: dict[str, Any] = json.load(sys.stdin)
    # Whatever a library prints must not get into the answer.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    root = Path(request["root"])
    sandbox = request["sandbox"] | {"probes": []}
    if sandbox["name"] != "none":
        sandbox["probes"] = probes.run(root, request["places"], request["loopback"])
    # Said before any data is read, so that the parent knows it from a process that no data can have changed.
    answer.write(READY + json.dumps(sandbox) + "\n")
    answer.flush()

    from checker.check import check_version  # DuckDB is imported only now: what could go wrong with it is a crash

    answers = []
    for benchmark, version in request["versions"]:
        outcome = check_version(root, benchmark, version, sandbox, request["checker"])
        answers.append(
            {
                "crosscheck": outcome.crosscheck, "troubles": outcome.troubles,
                "checked": outcome.checked if request["write"] else None, "run": outcome.run,
            }
        )  # fmt: skip
    json.dump(answers, answer, ensure_ascii=True, allow_nan=False)
    answer.close()
