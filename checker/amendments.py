"""AMENDMENTS.json: the settings of models that their route's do not fit (P6), amended before any result (P11)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from checker.errors import JsonFault
from checker.findings import show
from checker.loglines import Fault, canonical, is_time
from checker.schema import TIME
from checker.strictjson import decode, loads_with_lines

if TYPE_CHECKING:
    from checker.inputs import Inputs
    from checker.logs import Logs
    from checker.starts import Start

NAME: Final = "AMENDMENTS.json"
KEYS: Final = {"at": str, "models": str, "settings": dict, "reason": str}
FIX: Final = "see AMENDMENTS.json in the log schema; an amendment is made once, before any result"


@dataclass(frozen=True)
class Amendment:
    """One entry; `settings` is canonical text, `line` where it stands in the file."""

    line: int
    at: str
    models: str
    settings: str

    def names(self, model: str) -> bool:
        """Whether `models` matches the name as a whole: each `*` in the ID stands for any characters."""
        first, *rest = self.models.split("*")
        if not rest:
            return model == first
        *middle, last = rest
        at, end = len(first), len(model) - len(last)
        if at > end or not model.startswith(first) or not model.endswith(last):
            return False
        for part in middle:  # the first place that fits leaves the most to the rest, so nothing is tried twice
            found = model.find(part, at, end)
            if found < 0:
                return False
            at = found + len(part)
        return True


def read_amendments(inputs: Inputs) -> list[Amendment]:
    """The sound entries of the version's AMENDMENTS.json; what is wrong with the others is a finding (P11)."""
    path = f"{inputs.runs}/{NAME}"
    data = inputs.read(path)
    if data is None:
        return []

    def report(field: str, expected: str, found: str, line: int | None) -> None:
        inputs.findings.add(path, "P11", "spec", field, expected, found, FIX, line=line)

    try:
        value, lines = loads_with_lines(decode(data))
    except JsonFault as fault:
        report("(file)", "strict JSON", str(fault), fault.line)
        return []
    if not isinstance(value, list):
        report("(file)", "a list of amendments", show(value), 1)
        return []
    kept: list[Amendment] = []
    for number, entry in enumerate(value):
        line = lines.get((number,), 1)
        wrong = _entry_fault(entry)
        if wrong:
            report(f"[{number}]{wrong[0]}", wrong[1], wrong[2], line)
            continue
        if kept and entry["at"] < kept[-1].at:
            report(f"[{number}].at", f"not before {kept[-1].at}, the entry before", entry["at"], line)
        kept.append(Amendment(line, entry["at"], entry["models"], canonical(entry["settings"])))
    return kept


def _entry_fault(entry: Any) -> tuple[str, str, str] | None:
    """(field, expected, found) of the first thing that is wrong with an entry's shape."""
    if not isinstance(entry, dict) or set(entry) != set(KEYS):
        return "", "an object of " + ", ".join(KEYS), show(entry)
    for key, kind in KEYS.items():
        if type(entry[key]) is not kind:
            return f".{key}", "an object" if kind is dict else "a text", show(entry[key])
    if not re.fullmatch(TIME, entry["at"]) or not is_time(entry["at"]):
        return ".at", "a UTC time as in a log", show(entry["at"])
    route, colon, name = entry["models"].partition(":")
    if not route or not colon or not name or "*" in route:
        return ".models", "ROUTE:ID, with * in the ID alone", show(entry["models"])
    try:
        canonical(entry["settings"])
    except ValueError:  # 1e999 is a number of JSON, and infinite
        return ".settings", "numbers that can be written", show(entry["settings"])
    return None


def settings_of(amendments: list[Amendment], model: str) -> str | None:
    """P6: the settings, as canonical text, that the model has in place of its route's; None if no entry names it."""
    return next((entry.settings for entry in amendments if entry.names(model)), None)


def start_faults(amendments: list[Amendment], start: Start) -> Iterator[Fault]:
    """P11 for one log: it begins after each entry that names its model or an Attacker of it."""
    for entry in amendments:
        named = next((model for model in start.names if entry.names(model)), None)
        if named is not None and start.at <= entry.at:
            yield Fault("P11", "at", f"after {entry.at}, when {NAME} (line {entry.line}) names {named}", start.at)


def assert_one_entry(logs: Logs) -> None:
    """P11: no model of a log is named by two entries."""
    inputs = logs.inputs
    if len(inputs.amendments) < 2:
        return
    for model in sorted({name for _, start in logs.kept.values() for name in start.names}):
        naming = [entry for entry in inputs.amendments if entry.names(model)]
        for entry in naming[1:]:
            wanted, found = f"one entry for {model}, that of line {naming[0].line}", f"{entry.models} names it too"
            inputs.findings.add(
                f"{inputs.runs}/{NAME}", "P11", "spec", "models", wanted, found, FIX, line=entry.line, model=model
            )
