# ruff: noqa: PTH123
"""Type into the terminal of whoever started the check."""

import fcntl

from attempts import attempt


@attempt("write to the terminal")
def _():
    with open("/dev/tty", "wb", buffering=0) as terminal:
        terminal.write(b"\x1b]0;hello\x07")


@attempt("type into the terminal")
def _():
    with open("/dev/tty", "rb", buffering=0) as terminal:
        fcntl.ioctl(terminal, 0x5412, b"x")  # TIOCSTI
