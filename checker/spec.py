"""What every benchmark's frozen spec holds, read strictly; each benchmark reads on from here."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from checker.errors import JsonFault
from checker.findings import show
from checker.loglines import canonical
from checker.strictjson import decode, loads, loads_with_lines

#: z of Wilson's interval and the tolerance: the checker knows these two and refuses a spec that says otherwise.
Z: Final = 1.959963984540054
TOLERANCE: Final = 1e-9
#: Longest path of a file that a spec may name, in bytes.
LONGEST_PATH: Final = 255
FROZEN: Final = "restore the frozen file; a change to it needs a new version"


class SpecFault(ValueError):
    """The spec, or a file that it names, is not what its rules say.  `file` and `line` tell where."""

    def __init__(self, file: str, line: int | None, field: str, expected: str, found: str, rule: str) -> None:
        super().__init__(f"{file}: {field}: expected {expected}, found {found}")
        self.file, self.line, self.field = file, line, field
        self.expected, self.found, self.rule = expected, found, rule


@dataclass(frozen=True)
class Spec:
    """What the checker needs of any spec.json; `routes` holds each route's settings as canonical text."""

    benchmark: str
    version: str
    sha256: str
    files: dict[str, str]
    play: dict[str, Any]
    prompt_files: dict[str, str]
    items_file: str
    routes: dict[str, str]
    lines: dict[tuple[str | int, ...], int]


class Fields:
    """Typed access to the spec's keys; a wrong one raises SpecFault with its line."""

    def __init__(self, file: str, data: Any, lines: dict[tuple[str | int, ...], int]) -> None:
        self.file, self.data, self.lines = file, data, lines

    def get(self, *path: str, kind: type) -> Any:
        value = self.data
        for depth, key in enumerate(path):
            if not isinstance(value, dict) or key not in value:
                raise self.fault(path[:depth], f"the key {'.'.join(path)}", "it is missing")
            value = value[key]
        if type(value) is not kind:
            raise self.fault(path, f"a value of type {kind.__name__}", show(value))
        return value

    def fault(self, path: tuple[str, ...], expected: str, found: str) -> SpecFault:
        return SpecFault(self.file, self.lines.get(path), ".".join(path) or "(file)", expected, found, "SPEC")

    def want(self, path: tuple[str, ...], good: bool, expected: str) -> None:
        if not good:
            value = self.data
            for key in path:
                value = value[key]
            raise self.fault(path, expected, show(value))


def read_common(
    file: str, data: bytes, benchmark: str, version: str, prompts: tuple[str, ...]
) -> tuple[Fields, dict[str, Any]]:
    """The keys of spec.json, and the fields of `Spec` with the files of `prompts`.  Raises SpecFault."""
    try:
        value, lines = loads_with_lines(decode(data))
    except JsonFault as fault:
        raise SpecFault(file, fault.line, "(file)", "strict JSON", str(fault), "SPEC") from None
    f = Fields(file, value, lines)
    f.get("benchmark", kind=str)
    f.want(("benchmark",), value["benchmark"] == benchmark, f"the folder's name, {benchmark}")
    f.get("version", kind=str)
    f.want(("version",), value["version"] == version, f"the folder's name, {version}")
    f.want(("schema",), f.get("schema", kind=int) == 1, "1, the schema that this checker knows")
    f.want(("interval", "z"), f.get("interval", "z", kind=float) == Z, f"{Z} (Wilson)")
    f.want(("interval", "method"), f.get("interval", "method", kind=str) == "wilson", "wilson")
    f.want(("tolerance",), f.get("tolerance", kind=float) == TOLERANCE, f"{TOLERANCE}")
    routes = f.get("play", "routes", kind=dict)
    for route in routes:
        try:
            canonical(f.get("play", "routes", route, kind=dict))
        except ValueError:  # 1e999 is a number of JSON, and infinite
            raise f.fault(("play", "routes", route), "settings whose numbers can be written", "infinity") from None
    files = f.get("files", kind=dict)
    for name in files:
        f.get("files", name, kind=str)
        if not _is_path(name):
            raise f.fault(("files", name), "a path below the version's folder", show(name))
    return f, {
        "benchmark": benchmark, "version": version, "sha256": hashlib.sha256(data).hexdigest(), "files": files,
        "play": value["play"],
        "prompt_files": {prompt: f.get("play", "prompts", prompt, kind=str) for prompt in prompts},
        "items_file": f.get("play", "facts", kind=str),
        "routes": {name: canonical(body) for name, body in routes.items()}, "lines": lines,
    }  # fmt: skip


def _is_path(name: str) -> bool:
    """Whether the name is a path below a folder, whatever the system."""
    parts = name.split("/")
    plain = name.isprintable() and "\\" not in name and len(name.encode()) <= LONGEST_PATH
    return plain and not {"", ".", ".."} & set(parts)


def read_lines(file: str, data: bytes) -> list[Fields]:
    """The rows of items.jsonl, each with its line.  Raises SpecFault."""
    try:
        text = decode(data)
    except JsonFault as fault:
        raise SpecFault(file, fault.line, "(file)", "UTF-8", str(fault), "SPEC") from None
    rows: list[Fields] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            row = loads(line)
        except JsonFault as fault:
            raise SpecFault(file, number, "(line)", "one strict JSON object", str(fault), "SPEC") from None
        rows.append(Fields(file, row, {(key,): number for key in row} if isinstance(row, dict) else {}))
    return rows


def prompt_text(data: bytes, file: str) -> str:
    """A prompt file's text is its content less one final LF.  Raises SpecFault."""
    try:
        return decode(data).removesuffix("\n")
    except JsonFault as fault:
        raise SpecFault(file, fault.line, "(file)", "UTF-8", str(fault), "SPEC") from None
