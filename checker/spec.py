"""The frozen spec of one version, read strictly into what the checker needs of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from checker.errors import JsonFault
from checker.findings import show
from checker.lies import LIE_RULES
from checker.loglines import canonical
from checker.strictjson import decode, loads, loads_with_lines

PROMPTS: Final = ("defender_system", "attacker_system", "defender_opening", "attacker_turn", "defender_challenge")
GRAMMARS: Final = ("v1", "v2", "v3")
#: z of rule R15 and tolerance of rule R20: the checker knows these two and refuses a spec that says otherwise.
Z: Final = 1.959963984540054
TOLERANCE: Final = 1e-9
#: The most rounds and repeats that a spec may ask for.
MOST: Final = 100_000


class SpecFault(ValueError):
    """The spec, or a file that it names, is not what its rules say.  `file` and `line` tell where."""

    def __init__(self, file: str, line: int | None, field: str, expected: str, found: str, rule: str) -> None:
        super().__init__(f"{file}: {field}: expected {expected}, found {found}")
        self.file, self.line, self.field = file, line, field
        self.expected, self.found, self.rule = expected, found, rule


@dataclass(frozen=True)
class Item:
    """One fact of items.jsonl: its place (from 0), id, question and the rule of its lie (R6)."""

    place: int
    fact: str
    question: str
    lie_rule: str


@dataclass(frozen=True)
class Spec:
    """What the checker needs of spec.json; `routes` holds each route's settings as canonical text (P6)."""

    benchmark: str
    version: str
    sha256: str
    files: dict[str, str]
    play: dict[str, Any]
    rounds: int
    repeats: int
    sudden_death_rounds: int
    prompt_files: dict[str, str]
    items_file: str
    routes: dict[str, str]
    grammar: str
    no_answer: str
    vectors: list[dict[str, Any]]
    lines: dict[tuple[str | int, ...], int]


class _Fields:
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


def read_spec(file: str, data: bytes, benchmark: str, version: str) -> Spec:
    """The spec of `benchmark`/`version` from the bytes of spec.json.  Raises SpecFault."""
    try:
        value, lines = loads_with_lines(decode(data))
    except JsonFault as fault:
        raise SpecFault(file, fault.line, "(file)", "strict JSON", str(fault), "SPEC") from None
    f = _Fields(file, value, lines)
    f.get("benchmark", kind=str)
    f.want(("benchmark",), value["benchmark"] == benchmark, f"the folder's name, {benchmark}")
    f.get("version", kind=str)
    f.want(("version",), value["version"] == version, f"the folder's name, {version}")
    f.want(("schema",), f.get("schema", kind=int) == 1, "1, the schema that this checker knows")
    for name in ("rounds", "repeats", "sudden_death_rounds"):
        least = 0 if name == "sudden_death_rounds" else 1
        f.want(("play", name), least <= f.get("play", name, kind=int) <= MOST, f"{least} to {MOST}")
    for prompt in PROMPTS:
        f.get("play", "prompts", prompt, kind=str)
    f.want(("answer", "grammar"), f.get("answer", "grammar", kind=str) in GRAMMARS, "one of " + ", ".join(GRAMMARS))
    f.want(("answer", "no_answer"), f.get("answer", "no_answer", kind=str) in ("held", "unparsed"), "held or unparsed")
    f.want(("interval", "z"), f.get("interval", "z", kind=float) == Z, f"{Z} (R15)")
    f.want(("interval", "method"), f.get("interval", "method", kind=str) == "wilson", "wilson (R15)")
    f.want(("tolerance",), f.get("tolerance", kind=float) == TOLERANCE, f"{TOLERANCE} (R20)")
    routes = f.get("play", "routes", kind=dict)
    for route in routes:
        f.get("play", "routes", route, kind=dict)
    files = f.get("files", kind=dict)
    for name in files:
        f.get("files", name, kind=str)
        f.want(("files", name), not name.startswith("/") and ".." not in name.split("/"), "a path below the version")
    vectors = f.get("answer", "vectors", kind=list)
    for vector in vectors:
        if not isinstance(vector, dict) or set(vector) != {"text", "answer", "how", "fallback"}:
            raise f.fault(("answer", "vectors"), "objects of text, answer, how, fallback", show(vector))
        if not isinstance(vector["text"], str):
            raise f.fault(("answer", "vectors"), "a text", show(vector["text"]))
    return Spec(
        benchmark=benchmark, version=version, sha256=hashlib.sha256(data).hexdigest(), files=files,
        play=value["play"], rounds=value["play"]["rounds"], repeats=value["play"]["repeats"],
        sudden_death_rounds=value["play"]["sudden_death_rounds"],
        prompt_files={prompt: value["play"]["prompts"][prompt] for prompt in PROMPTS},
        items_file=f.get("play", "facts", kind=str), routes={name: canonical(body) for name, body in routes.items()},
        grammar=value["answer"]["grammar"], no_answer=value["answer"]["no_answer"], vectors=vectors, lines=lines,
    )  # fmt: skip


def read_items(file: str, data: bytes) -> list[Item]:
    """The facts of items.jsonl in their order.  Raises SpecFault."""
    items: list[Item] = []
    try:
        text = decode(data)
    except JsonFault as fault:
        raise SpecFault(file, fault.line, "(file)", "UTF-8", str(fault), "SPEC") from None
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            row = loads(line)
        except JsonFault as fault:
            raise SpecFault(file, number, "(line)", "one strict JSON object", str(fault), "SPEC") from None
        f = _Fields(file, row, {(key,): number for key in row} if isinstance(row, dict) else {})
        item = Item(len(items), *(f.get(key, kind=str) for key in ("fact", "question", "lie_rule")))
        f.want(("lie_rule",), item.lie_rule in LIE_RULES, "one of " + ", ".join(LIE_RULES))
        f.want(("fact",), item.fact not in {other.fact for other in items}, "an id of its own")
        items.append(item)
    return items


def prompt_text(data: bytes, file: str) -> str:
    """R4: a prompt file's text is its content less one final LF.  Raises SpecFault."""
    try:
        return decode(data).removesuffix("\n")
    except JsonFault as fault:
        raise SpecFault(file, fault.line, "(file)", "UTF-8", str(fault), "SPEC") from None
