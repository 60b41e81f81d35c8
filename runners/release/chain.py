"""Where a log was changed, by its own chain: each line names the SHA-256 of the line before it."""

from __future__ import annotations

import hashlib
import json

from runners.release.places import Place


def first_changed_line(place: Place, path: str) -> int | None:
    """The number of the first line of a log that the line behind it does not name; None where the chain cannot tell.

    A change of the last line leaves the chain whole: then it is the last line, if anything is.
    """
    raw = place.read(path) or b""
    lines = raw.split(b"\n")
    if not lines[-1]:
        lines.pop()
    broken = []
    previous = None
    for number, line in enumerate(lines, start=1):
        try:
            named = json.loads(line)["prev"]
        except (ValueError, TypeError, KeyError):
            return number
        if previous is not None and named != previous:
            broken.append(number)
        previous = hashlib.sha256(line).hexdigest()
    if not broken:
        return len(lines) or None
    # Two links in a row that do not fit: what changed is what the line between them says of the one before.
    return broken[0] if broken[0] + 1 in broken else broken[0] - 1
