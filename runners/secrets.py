"""Finds keys and tokens in text before it reaches a log; says which kind and where, never the value."""

from __future__ import annotations

import os
import re

_SHAPES = {
    "an OpenAI-style key (sk-…)": r"\bsk-[A-Za-z0-9_-]{16,}",
    "an AWS access key id": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "a GitHub token": r"\bgh[pousr]_[A-Za-z0-9]{30,}\b",
    "a Slack token": r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
    "a Google API key": r"\bAIza[0-9A-Za-z_-]{35}",
    "a private key block": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a bearer token": r"(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}=*",
}
_PATTERNS = {kind: re.compile(shape) for kind, shape in _SHAPES.items()}
_ENVIRONMENT = re.compile(r"(?:API_?KEY|TOKEN|SECRET|PASSWORD|COMPATIBLE_KEY)$", re.IGNORECASE)
_ANY = re.compile("|".join(f"(?:{shape.removeprefix('(?i)')})" for shape in _SHAPES.values()), re.IGNORECASE)


def find(text: str) -> str | None:
    """What secret `text` holds: its kind and character offset, without the value; None if none is found.

    Looks for known key shapes and for the values of environment variables whose names say that they are secret.
    """
    if _ANY.search(text):
        for kind, pattern in _PATTERNS.items():
            if match := pattern.search(text):
                return f"{kind} at character {match.start()} of the line"
    for name, value in os.environ.items():
        if len(value) >= 12 and _ENVIRONMENT.search(name) and value in text:
            return f"the value of the environment variable {name} at character {text.index(value)} of the line"
    return None
