"""Whole files or none: a reader, or a program that was killed half way, never sees a part of one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes | str) -> None:
    """Put `content` (text as UTF-8) at `path`, making its folders; what stood there stays until all of it is on disk.

    Raises:
        OSError: it cannot be written; what stood there still stands.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Beside the target, since only there a rename is one step; hidden, so that no pattern over the folder finds it.
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
