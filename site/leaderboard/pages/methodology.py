"""What the methodology of every benchmark has, generated from the frozen spec: rules, metrics, prompts, settings."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar

from leaderboard import urls
from leaderboard.amendments import Amendment
from leaderboard.money import Price
from leaderboard.pages.common import Metric, Site, VersionNav, crumbs, read_metrics, version_nav
from leaderboard.render import Page
from leaderboard.shapes import Note, Version


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    name: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Prompt:
    key: str
    text: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class PriceTable:
    """A price table that logs name, with the rows that they name; one name with two digests is two tables."""

    name: str
    sha256: str
    date: str
    rows: tuple[Price, ...]


@dataclass(frozen=True, kw_only=True)
class MethodologyPage(Page):
    template: ClassVar[str] = "methodology.html"

    nav: VersionNav
    errata: tuple[Note, ...]
    amendments: tuple[Note, ...]
    summary: str
    frozen_at: str
    spec_sha256: str
    spec_address: str
    rules: tuple[Rule, ...]
    anchors: frozenset[str]
    metrics: tuple[Metric, ...]
    tolerance: str
    prompts: tuple[Prompt, ...]
    routes: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...]
    amended: tuple[Amendment, ...]
    prices: tuple[PriceTable, ...]
    numbers: str
    guide: str


def methodology_fields(site: Site, version: Version, more_rules: Sequence[Rule] = ()) -> dict[str, Any]:
    """Give the fields of `MethodologyPage`; `more_rules` have anchors too."""
    b, v = version.benchmark, version.name
    spec: Any = version.spec
    play = spec["play"]
    rules = tuple(Rule(r["id"], r["name"], r["text"], r["source"]) for r in spec["rules"])
    return {
        "address": urls.methodology(b, v),
        "title": f"Methodology of {version.title}",
        "description": f"{version.title}: rules, prompts, metrics and request settings, from the spec.",
        "crumbs": crumbs(version),
        "nav": version_nav(site, version, "Methodology"),
        "errata": version.errata,
        "amendments": version.amendments,
        "summary": version.summary,
        "frozen_at": spec["frozen_at"],
        "spec_sha256": version.spec_sha256,
        "spec_address": urls.data(b, v, "spec.json"),
        "rules": rules,
        "anchors": frozenset(r.id for r in (*rules, *more_rules)),
        "metrics": read_metrics(version),
        "tolerance": f"{spec['tolerance']:g}",
        "prompts": tuple(
            Prompt(key, text, play["prompts"][key], spec["files"].get(play["prompts"][key], ""))
            for key, text in version.prompts.items()
        ),
        "routes": tuple((route, json.dumps(s, ensure_ascii=False)) for route, s in play["routes"].items()),
        "files": tuple(spec["files"].items()),
        "amended": version.amended,
        "prices": _tables(version),
        "numbers": urls.numbers(b, v) if version.is_published else "",
        "guide": version.about.guide,
    }


def _tables(version: Version) -> tuple[PriceTable, ...]:
    found = groupby(version.prices, key=lambda p: (p.table, p.table_sha256, p.date))
    return tuple(PriceTable(*table, tuple(rows)) for table, rows in found)
