"""File names for names: ASCII, short, and never the same for two names (rule of the log schema)."""

import hashlib
import re
from functools import lru_cache

_OTHER = re.compile(r"[^a-z0-9]+")
_LONGEST = 40


@lru_cache(maxsize=4096)
def slug(name: str) -> str:
    """Give the folder name of a model, as `runs/` uses it."""
    lowered = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)
    stem = _OTHER.sub("-", lowered).strip("-")[:_LONGEST].strip("-") or "model"
    # A damaged log may name half of a character, which UTF-8 has no bytes for.
    return f"{stem}-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}"
