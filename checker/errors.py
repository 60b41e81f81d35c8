"""The two ways in which checking stops early."""

from __future__ import annotations


class CouldNotCheck(Exception):
    """Something could not be read or computed, so nothing can be said (exit code 2, never shown as passed)."""


class JsonFault(ValueError):
    """A text is not strict JSON.  `line` is the line of the text, counted from 1, where it was noticed."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line
