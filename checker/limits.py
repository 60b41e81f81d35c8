"""The limits of the process that reads untrusted data: what it sets on itself, and what its parent sees to."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from typing import Final

MIB: Final = 1024**2


@dataclass(frozen=True)
class Limits:
    """Bytes, seconds and counts.  `repr` is a Python expression that makes the same again."""

    #: Address space in bytes: DuckDB may hold 600 MB, its threads and the interpreter reserve more than they use.
    address_space: int = 4096 * MIB
    cpu_seconds: int = 3600
    #: Processes and threads.  The kernel excuses root from RLIMIT_NPROC, so the parent counts too.
    tasks: int = 512
    open_files: int = 256
    #: Seconds after which the parent ends the process.
    wall_clock: float = 3600.0
    #: Bytes that the parent reads from stdout, where checked.json comes, and from stderr.
    answer: int = 128 * MIB
    complaint: int = MIB

    def apply(self) -> None:
        """Lower the limits of this process, never raise one."""
        for kind, most in (
            (resource.RLIMIT_AS, self.address_space),
            (resource.RLIMIT_CPU, self.cpu_seconds),
            (resource.RLIMIT_FSIZE, 0),  # the process writes no file: its answer is a pipe
            (resource.RLIMIT_NPROC, self.tasks),
            (resource.RLIMIT_NOFILE, self.open_files),
            (resource.RLIMIT_CORE, 0),
        ):
            hard = resource.getrlimit(kind)[1]
            limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (limit, limit))
