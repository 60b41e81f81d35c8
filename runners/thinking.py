"""Cuts a model's thinking out of its reply: what is between think tags is never an answer (A1 of court/v3)."""

from __future__ import annotations

import re

_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE | re.ASCII)
_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE | re.ASCII)
_BLOCK = re.compile(rf"{_OPEN.pattern}.*?{_CLOSE.pattern}", re.DOTALL | re.IGNORECASE | re.ASCII)


def without_thinking(text: str) -> str:
    """The reply without think blocks, without what an orphan closing tag ends, and without an unfinished block.

    The closing tags are looked for first, so that many opening ones cost one pass and not a square.
    """
    closes = list(_CLOSE.finditer(text))
    if closes:
        end = closes[-1].end()
        head = _BLOCK.sub("", text[:end])
        orphans = list(_CLOSE.finditer(head))
        text = (head[orphans[-1].end() :] if orphans else head) + text[end:]
    opened = _OPEN.search(text)
    return text[: opened.start()] if opened else text
