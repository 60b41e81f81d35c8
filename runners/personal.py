"""Finds what may be somebody's personal data in files before they are published; says what kind and where, never what.

E-mail addresses (but those of domains that are reserved for examples, RFC 2606), telephone numbers in international
form (E.164), and folders of a user's home, which name whoever ran the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from runners.errors import Finding

_EMAIL = re.compile(
    rb"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@((?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})(?![A-Za-z0-9-])"
)
_RESERVED = re.compile(rb"(?i)(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$")
_PHONE = re.compile(rb"(?<![0-9A-Za-z+.,/=_-])\+[1-9](?:[ ().-]{0,2}[0-9]){8,14}(?![0-9])")
# A home on Linux, macOS and Windows, also where JSON has escaped the backslash.
_HOME = re.compile(
    rb"(?i)(?:/home/|/Users/|[A-Z]:\\{1,2}Users\\{1,2})(?!(?:user|username|you|name|shared|public)\b)[A-Z0-9._-]+"
)
FIX = (
    "Take the run out and play it anew without it; or, if it is nobody's (a model made it up), submit with "
    "--cleared FILE:LINE, which readers see."
)


def find_personal(root: Path, paths: Iterable[str], cleared: Iterable[str] = ()) -> list[Finding]:
    """A finding for each line of the files that may hold personal data and is not among `cleared` (`FILE:LINE`)."""
    known = set(cleared)
    return [
        Finding(path, number, "personal data", "nothing that tells of a person", kind, FIX)
        for path in paths
        for number, kind in _lines(root / path)
        if f"{path}:{number}" not in known
    ]


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if kinds := _kinds(line):
                yield number, ", ".join(kinds)


def _kinds(line: bytes) -> list[str]:
    kinds = []
    if b"@" in line and any(not _RESERVED.search(found[1]) for found in _EMAIL.finditer(line)):
        kinds.append("an e-mail address")
    if b"+" in line and _PHONE.search(line):
        kinds.append("a telephone number")
    if _HOME.search(line):
        kinds.append("the name of a user's home folder")
    return kinds
