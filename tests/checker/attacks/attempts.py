# ruff: noqa: PTH118
"""Stands before the text of every attack: reads what the attack is told, collects what came of each attempt."""

import atexit
import ctypes
import errno
import json
import os
import sys

TOLD = json.load(sys.stdin)
_FOUND = {}
_LIBC = ctypes.CDLL(None, use_errno=True)


def attempt(name):
    """Run the function at once.  OSError is a refusal; anything else that it raises is a fault of the attack."""

    def run(function):
        try:
            _FOUND[name] = str(function() or "done")
        except OSError as error:
            _FOUND[name] = f"refused: {errno.errorcode.get(error.errno, error.errno)}"
        except Exception as error:  # noqa: BLE001
            _FOUND[name] = f"broken: {error!r}"

    return run


def call(number, *arguments):
    """A system call by its number; raises OSError."""
    result = _LIBC.syscall(number, *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def data(path):
    """A path below runs/ or tables/, wherever they are."""
    return os.path.join(TOLD["data"], path)


@atexit.register
def _tell():
    print(json.dumps(_FOUND), flush=True)
