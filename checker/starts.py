"""The first line of each log: L1's path, and what every benchmark wants of its agreement with place and spec."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from checker.findings import show
from checker.loglines import Fault, canonical
from checker.spec import Spec


@dataclass(frozen=True)
class Start:
    """Whose log it is and when it began; each benchmark adds what else its first line says."""

    model: str
    run: str
    at: str

    @property
    def names(self) -> list[str]:
        """The models of the log that are known from its start."""
        return [self.model]


def slug(model: str) -> str:
    """L1: the folder of a model's logs."""
    lower = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in model)
    stem = re.sub(r"[^a-z0-9]+", "-", lower).strip("-")[:40].rstrip("-") or "model"
    return f"{stem}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def common_faults(
    event: dict[str, Any], path: str, spec: Spec, played_as: str, amended: str | None, rule: str, settings_rule: str
) -> Iterator[Fault]:
    """L1, and `rule`'s and `settings_rule`'s fields that both benchmarks have.  `played_as` is `benchmark/version` of
    the spec that the log was played under, `amended` what AMENDMENTS.json says of its model's settings."""
    model, imported = event["model"], event["source"]["kind"] == "imported"
    folder = path.split("/")[-2]
    if folder != slug(model):
        yield Fault("L1", "model", f"a model whose slug is the folder's name, {folder}", f"{model} ({slug(model)})")
    benchmark, version = played_as.split("/")
    route = "imported" if imported else model.split(":", 1)[0] if ":" in model else "(no route in the model's name)"
    for field, value in (
        ("benchmark", benchmark), ("version", version), ("route", route),
        ("kind", "baseline" if model.startswith("scripted:") else "model"),
    ):  # fmt: skip
        if event[field] != value:
            yield Fault(rule, field, show(value), show(event[field]))
    settings = "null" if imported else amended or spec.routes.get(event["route"], "(a route of the spec)")
    if canonical(event["settings"]) != settings:
        yield Fault(settings_rule, "settings", settings, canonical(event["settings"]))
