"""The limits that the process which reads untrusted data sets on itself before it reads any."""

from __future__ import annotations

import resource
from typing import Final

GIB: Final = 1024**3
#: Address space: DuckDB may hold 600 MB, its threads and the interpreter reserve more than they use.
ADDRESS_SPACE: Final = 4 * GIB
CPU_SECONDS: Final = 3600
#: The process writes no file but its answer, which is a pipe; this bounds what a fault could fill /tmp with.
FILE_SIZE: Final = 64 * 1024 * 1024
PROCESSES: Final = 512
OPEN_FILES: Final = 256
#: Seconds after which the parent ends the process.
WALL_CLOCK: Final = 3600
#: Bytes of tmpfs in the sandbox.
TEMPORARY: Final = 64 * 1024 * 1024


def set_limits() -> None:
    """Lower the limits of this process, never raise one."""
    for kind, most in (
        (resource.RLIMIT_AS, ADDRESS_SPACE),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, FILE_SIZE),
        (resource.RLIMIT_NPROC, PROCESSES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (limit, limit))
