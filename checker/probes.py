"""What the sandboxed process tries and must not be able to do; its report says what came of it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

REFUSED: Final = "refused"
#: An address of TEST-NET-1 (RFC 5737): no host has it, so a packet that leaves says only that packets can leave.
OUTSIDE: Final = ("192.0.2.1", 80)
#: What the sandbox sets, and what a shell or Python adds by itself; anything else came from the caller.
ENVIRONMENT: Final = {"LD_LIBRARY_PATH", "PYTHONHOME", "OPENBLAS_NUM_THREADS", "PWD", "LC_CTYPE"}


def run(root: Path, places: dict[str, str], loopback: int) -> list[dict[str, Any]]:
    """Every probe as {probe, expected, found, ok}.  `places` names paths of the outside that must not be visible;
    `loopback` is a port on which the parent listens on 127.0.0.1."""
    found = {name: _outcome(attempt) for name, attempt in _attempts(root, places, loopback)}
    return [
        {"probe": probe, "expected": REFUSED, "found": result, "ok": result == REFUSED}
        for probe, result in found.items()
    ]


def _attempts(root: Path, places: dict[str, str], loopback: int) -> Iterator[tuple[str, Callable[[], str]]]:
    """Each probe's name, and what raises OSError where it is refused, else says what was possible."""
    yield "connect to 192.0.2.1:80", partial(_connect, OUTSIDE)
    yield "connect to the parent on 127.0.0.1", partial(_connect, ("127.0.0.1", loopback))
    yield "open a network socket", _open_socket
    for folder in ("runs", "tables"):
        if (root / folder).is_dir():
            yield f"write to {folder}/", partial(_write, root / folder)
    yield "write to a temporary or system folder", _write_anywhere
    hidden = {
        **places, "runners/ beside runs/": str(root / "runners"), "site/ beside runs/": str(root / "site"),
        "the users in /etc/passwd": "/etc/passwd", "other processes in /proc": "/proc/self",
    }  # fmt: skip
    for name, place in hidden.items():
        yield f"see {name}", partial(_see, Path(place))
    yield "see the caller's environment", _see_environment
    yield "signal another process", _signal
    yield "start another process", _start
    yield "open a terminal", _open_terminal


def _outcome(attempt: Callable[[], str]) -> str:
    try:
        return attempt()
    except OSError:
        return REFUSED


def _connect(address: tuple[str, int]) -> str:
    with socket.create_connection(address, timeout=2):
        return "connected"


def _open_socket() -> str:
    with socket.socket():
        return "opened"


def _write(folder: Path) -> str:
    path = folder / f".countersign-probe-{os.getpid()}"
    path.write_bytes(b"")
    path.unlink()
    return "written"


def _write_anywhere() -> str:
    for folder in ("/", "/tmp", "/dev/shm", "/usr/lib", "/opt"):  # noqa: S108
        result = _outcome(partial(_write, Path(folder)))
        if result != REFUSED:
            return f"{result} in {folder}"
    return REFUSED


def _see(path: Path) -> str:
    os.lstat(path)
    return "visible"


def _see_environment() -> str:
    return "visible" if set(os.environ) - ENVIRONMENT else REFUSED


def _signal() -> str:
    os.kill(-1, 0)  # signal 0 to everybody: only the question whether one could be sent
    return "possible"


def _start() -> str:
    if os.fork() == 0:
        os._exit(0)
    os.wait()
    return "started"


def _open_terminal() -> str:
    os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    return "opened"
