"""Talk to a process that may be hostile: read a bounded number of bytes, for a bounded time, and end it in any case."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from checker.limits import Limits

#: Seconds between two counts of the tasks.
TICK: Final = 0.2
BLOCK: Final = 1 << 16


class Ended(Exception):
    """The process went beyond a limit and was ended; the text says beyond which."""


def talk(
    command: list[str], text: bytes, limits: Limits, environment: dict[str, str], inherited: tuple[int, ...] = ()
) -> tuple[int, bytes, bytes]:
    """Start `command` with `text` on stdin: its exit code, stdout and stderr.

    It has no terminal, and no descriptor but these three and the `inherited` ones.  Raises Ended, and OSError where it
    cannot be started.
    """
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
        pass_fds=inherited, start_new_session=True,
    ) as child:  # fmt: skip
        try:
            return _talk(child, text, limits)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)


def _talk(child: subprocess.Popen[bytes], text: bytes, limits: Limits) -> tuple[int, bytes, bytes]:
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    with suppress(BrokenPipeError), child.stdin:  # before it reads any data the process is ours, and reads this first
        child.stdin.write(text)
    deadline = time.monotonic() + limits.wall_clock
    out, err = bytearray(), bytearray()
    with selectors.DefaultSelector() as pipes:
        pipes.register(child.stdout, selectors.EVENT_READ, (out, limits.answer))
        pipes.register(child.stderr, selectors.EVENT_READ, (err, limits.complaint))
        while not _is_over(child, pipes):
            for key, _ in pipes.select(TICK):
                buffer, most = key.data
                block = os.read(key.fd, BLOCK)
                buffer += block
                if len(buffer) > most:
                    raise Ended(f"said more than {most} bytes")
                if not block:
                    pipes.unregister(key.fileobj)
            if time.monotonic() > deadline:
                raise Ended(f"took longer than {limits.wall_clock:g} seconds")
            if _tasks(child.pid) > limits.tasks:
                raise Ended(f"started more than {limits.tasks} processes and threads")
    return child.returncode, bytes(out), bytes(err)


def _is_over(child: subprocess.Popen[bytes], pipes: selectors.BaseSelector) -> bool:
    """Whether all was heard and the process has ended; a process that closes its pipes may still run."""
    if pipes.get_map():
        return False
    with suppress(subprocess.TimeoutExpired):
        child.wait(TICK)
    return child.returncode is not None


def _tasks(pid: int) -> int:
    """How many threads a process and its descendants have, as far as /proc shows them."""
    count = 0
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            count += 1
            with suppress(OSError):  # it may end at any moment, and not every kernel lists children
                count += sum(_tasks(int(child)) for child in (task / "children").read_text().split())
    return count
