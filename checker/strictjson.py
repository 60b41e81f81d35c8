"""JSON without lenience: no duplicate keys, NaN, BOM or lone surrogates; and the line on which a value stands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from checker.errors import JsonFault

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_NOT_A_KEY: Final = "expected a key in double quotes"
#: Deepest nesting of objects that is followed.
MAX_DEPTH: Final = 32

#: Where a value stands: a path of keys and list indices.
Path = tuple[str | int, ...]


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {json.dumps(twice)} stands twice in one object")
    if len({key.casefold() for key in found}) != len(found):
        raise ValueError("two keys of one object differ only in case")
    return found


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)


def decode(data: bytes) -> str:
    """The text of a UTF-8 file without byte order mark.  Raises JsonFault naming the line."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise JsonFault("the file begins with a byte order mark", 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise JsonFault("not UTF-8", data.count(b"\n", 0, fault.start) + 1) from None


def loads(text: str) -> Any:
    """The value of one strict JSON text.  Raises JsonFault."""
    return _Reader(text, None).document()[0]


def loads_with_lines(text: str, accept: Callable[[Path, str], bool] | None = None) -> tuple[Any, dict[Path, int]]:
    """A JSON document and the line of each key of its nested objects and each element of their lists.

    `accept(path, line_text)` may take an element of a list unread, when it stands alone on its line and the caller
    knows that text already; the element's value is then None, and its line is not noted.  Raises JsonFault.
    """
    return _Reader(text, accept).document()


class _Reader:
    def __init__(self, text: str, accept: Callable[[Path, str], bool] | None) -> None:
        self.text = text
        self.accept = accept
        self.lines: dict[Path, int] = {}
        self.counted, self.line = 0, 1

    def document(self) -> tuple[Any, dict[Path, int]]:
        value, end = self.value(self.skip(0), (), 0)
        end = self.skip(end)
        if end != len(self.text):
            raise self.fault("text after the end of the JSON value", end)
        return value, self.lines

    def skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def at_line(self, at: int) -> int:
        if at >= self.counted:  # positions come in order, so each LF is counted once
            self.line += self.text.count("\n", self.counted, at)
            self.counted = at
        return self.line

    def fault(self, message: str, at: int) -> JsonFault:
        return JsonFault(message, self.text.count("\n", 0, at) + 1)

    def value(self, at: int, path: Path, depth: int) -> tuple[Any, int]:
        first = self.text[at : at + 1]
        if depth > MAX_DEPTH:
            raise self.fault(f"nested deeper than {MAX_DEPTH} objects", at)
        if first == "{":
            return self.object(at, path, depth)
        if first == "[":
            return self.list(at, path)
        return self.plain(at)

    def plain(self, at: int) -> tuple[Any, int]:
        """Anything, by the C decoder."""
        try:
            value, end = _DECODER.raw_decode(self.text, at)
        except json.JSONDecodeError as fault:
            raise self.fault(fault.msg, fault.pos) from None
        except RecursionError:
            raise self.fault("nested too deeply", at) from None
        except ValueError as fault:
            raise self.fault(str(fault), at) from None
        source = self.text[at:end]
        if "\\u" in source and re.search(r"\\u[dD][89a-fA-F]", source):
            try:
                json.dumps(value, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise self.fault("a lone surrogate escape", at) from None
        return value, end

    def object(self, at: int, path: Path, depth: int) -> tuple[dict[str, Any], int]:
        pairs: list[tuple[str, Any]] = []
        at = self.skip(at + 1)
        if self.text[at : at + 1] == "}":
            return {}, at + 1
        while True:
            if self.text[at : at + 1] != '"':
                raise self.fault(_NOT_A_KEY, at)
            start = at
            key, at = self.plain(at)
            self.lines[(*path, key)] = self.at_line(start)
            at = self.skip(at)
            if self.text[at : at + 1] != ":":
                raise self.fault("expected a colon", at)
            value, at = self.value(self.skip(at + 1), (*path, key), depth + 1)
            pairs.append((key, value))
            at = self.skip(at)
            if self.text[at : at + 1] == "}":
                try:
                    return _pairs(pairs), at + 1
                except ValueError as fault:
                    raise self.fault(str(fault), start) from None
            if self.text[at : at + 1] != ",":
                raise self.fault("expected a comma or the end of the object", at)
            at = self.skip(at + 1)

    def list(self, at: int, path: Path) -> tuple[list[Any], int]:
        items: list[Any] = []
        at = self.skip(at + 1)
        if self.text[at : at + 1] == "]":
            return items, at + 1
        while True:
            here = (*path, len(items))
            taken = self.known(at, here)
            if taken:
                items.append(None)
                at = taken
            else:
                self.lines[here] = self.at_line(at)
                value, at = self.plain(at)
                items.append(value)
            if self.text[at : at + 1] not in (",", "]"):
                at = self.skip(at)
            if self.text[at : at + 1] == "]":
                return items, at + 1
            if self.text[at : at + 1] != ",":
                raise self.fault("expected a comma or the end of the list", at)
            at = self.skip(at + 1)

    def known(self, at: int, path: Path) -> int:
        """The end of an element that the caller accepts unread, or 0."""
        if self.accept is None:
            return 0
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        if self.text[end - 1 : end] == ",":
            end -= 1
        return end if self.accept(path, self.text[at:end]) else 0
