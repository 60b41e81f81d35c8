"""What the sandboxed process tries and must not be able to do; its report says what came of it."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any, Final

REFUSED: Final = "refused"
#: An address of TEST-NET-1 (RFC 5737): no host has it, so a packet that leaves says only that packets can leave.
OUTSIDE: Final = ("192.0.2.1", 80)


def run(root: Path, places: dict[str, str], loopback: int) -> list[dict[str, Any]]:
    """Every probe as {probe, expected, found, ok}.  `places` names paths of the outside that must not be visible;
    `loopback` is a port on which the parent listens on 127.0.0.1."""
    found = {
        "connect to 192.0.2.1:80": _connect(OUTSIDE),
        "connect to the parent on 127.0.0.1": _connect(("127.0.0.1", loopback)),
    }
    for folder in ("runs", "tables"):
        if (root / folder).is_dir():
            found[f"write to {folder}/"] = _write(root / folder)
    for name, place in places.items():
        found[f"see {name}"] = _see(Path(place))
    for folder in ("runners", "site"):
        found[f"see {folder}/ beside runs/"] = _see(root / folder)
    return [
        {"probe": probe, "expected": REFUSED, "found": result, "ok": result == REFUSED}
        for probe, result in found.items()
    ]


def _connect(address: tuple[str, int]) -> str:
    try:
        with socket.create_connection(address, timeout=2):
            return "connected"
    except OSError:
        return REFUSED


def _write(folder: Path) -> str:
    path = folder / f".countersign-probe-{os.getpid()}"
    try:
        path.write_bytes(b"")
    except OSError:
        return REFUSED
    path.unlink()
    return "written"


def _see(path: Path) -> str:
    try:
        os.lstat(path)
    except OSError:
        return REFUSED
    return "visible"
