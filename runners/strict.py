"""Reads JSON strictly: a key that stands twice or a number that is none is an error, not a guess."""

from __future__ import annotations

import json
from typing import Any


def loads(raw: bytes) -> Any:
    """The value of a JSON text in UTF-8.

    Raises:
        ValueError: not JSON, a key twice in one object, NaN or Infinity.
    """
    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=_no_duplicates, parse_constant=_no_constants)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key stands twice")
    return record


def _no_constants(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
