"""Runs as the user who checks: starts the sandbox with an attack in the place of the checker, or the command itself.

Told on stdin as JSON: `task` and what it needs; answers with JSON on stdout, `check` as countersign-check does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

TOLD: dict[str, Any] = json.load(sys.stdin)
sys.path[:0] = TOLD["path"]

from checker import cli, mounts, sandbox  # noqa: E402
from checker.child import talk  # noqa: E402
from checker.limits import Limits  # noqa: E402

ROOT = Path(TOLD["root"])
LIMITS = Limits(**TOLD.get("limits", {}))


def tell(data: str) -> bytes:
    """What the attack reads: where the data is, and who its caller is."""
    return json.dumps(TOLD["world"] | {"data": data, "caller": os.getpid()}).encode()


def attack() -> None:
    """In the sandbox; `filtered` false leaves the filter out, to see what the namespaces hold alone."""
    with sandbox.system_call_filter() as descriptor:
        command = sandbox.sandboxed(sandbox.find_bubblewrap(), ROOT, LIMITS, descriptor, TOLD["program"])
        if not TOLD["filtered"]:
            at = command.index("--seccomp")
            del command[at : at + 2]
        answer(*talk(command, tell(mounts.DATA), LIMITS, {}, (descriptor,) if TOLD["filtered"] else ()))


def control() -> None:
    """The same attack without a sandbox: it shows that the attempts are real."""
    done = subprocess.run(
        [sys.executable, "-c", TOLD["program"]], input=tell(TOLD["root"]), capture_output=True, check=False,
        close_fds=False,
    )  # fmt: skip
    answer(done.returncode, done.stdout, done.stderr)


def answer(code: int, out: bytes, err: bytes) -> None:
    json.dump({"code": code, "out": out.decode("utf-8", "replace"), "err": err.decode("utf-8", "replace")}, sys.stdout)


def check() -> None:
    """countersign-check, with `program` in the place of the checker where there is one, and with other limits."""
    sandbox.PROGRAM = TOLD.get("program") or sandbox.PROGRAM  # type: ignore[misc]
    run = sandbox.run
    sandbox.run = lambda request: run(replace(request, limits=LIMITS))
    sys.exit(cli.main(TOLD["arguments"]))


{"attack": attack, "control": control, "check": check}[TOLD["task"]]()
