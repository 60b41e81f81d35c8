"""Model names as folder names: injective, also on disks that ignore case (log schema, "Where a log lies")."""

from __future__ import annotations

import hashlib
import re


def slug(name: str) -> str:
    """The folder name of a model: readable ASCII, then 8 hexadecimal digits of the exact name's SHA-256."""
    lowered = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)
    readable = re.sub(r"[^a-z0-9]+", "-", lowered).strip("-")[:40].strip("-") or "model"
    return f"{readable}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
