"""How a version is played and scored: generated from its frozen spec."""

import json
from dataclasses import dataclass
from typing import Any, ClassVar

from leaderboard import urls
from leaderboard.pages.common import Site, VersionNav, crumbs, version_nav
from leaderboard.pages.version import Download, downloads
from leaderboard.render import Page
from leaderboard.shapes import Erratum, Fact, Version


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    name: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Vector:
    """A reply and what the grammar must read in it."""

    text: str
    answer: str | None
    how: str | None
    fallback: str | None


@dataclass(frozen=True, slots=True)
class Metric:
    key: str
    title: str
    definition: str
    row: str
    k: str
    n: str
    rules: tuple[str, ...]
    better: str


@dataclass(frozen=True, slots=True)
class Prompt:
    key: str
    text: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class FactRule:
    fact: Fact
    lie: str
    address: str


@dataclass(frozen=True, kw_only=True)
class MethodologyPage(Page):
    template: ClassVar[str] = "methodology.html"

    nav: VersionNav
    errata: tuple[Erratum, ...]
    summary: str
    frozen_at: str
    spec_sha256: str
    spec_address: str
    rounds: int
    repeats: int
    sudden_death_rounds: int
    rules: tuple[Rule, ...]
    grammar: str
    no_answer: str
    answer_rules: tuple[Rule, ...]
    anchors: frozenset[str]
    vectors: tuple[Vector, ...]
    metrics: tuple[Metric, ...]
    interval_method: str
    confidence: float
    tolerance: str
    prompts: tuple[Prompt, ...]
    facts: tuple[FactRule, ...]
    routes: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...]
    downloads: tuple[Download, ...]
    numbers: str


def read_metrics(version: Version) -> tuple[Metric, ...]:
    """Give the spec's metrics in its order."""
    spec: Any = version.spec
    return tuple(
        Metric(key, m["title"], m["definition"], m["row"], m["k"], m["n"], tuple(m["rules"]), m["better"])
        for key, m in spec["metrics"].items()
    )


def methodology_page(site: Site, version: Version) -> MethodologyPage:
    b, v = version.benchmark, version.name
    spec: Any = version.spec
    play, answer = spec["play"], spec["answer"]
    rules = tuple(Rule(r["id"], r["name"], r["text"], r["source"]) for r in spec["rules"])
    answer_rules = tuple(Rule(r["id"], "", r["text"], "") for r in answer["rules"])
    return MethodologyPage(
        address=urls.methodology(b, v),
        title=f"Methodology of {version.title}",
        description=f"{version.title}: rules, answer grammar, prompts, metrics and request settings, from the spec.",
        crumbs=crumbs(version),
        nav=version_nav(site, version, "Methodology"),
        errata=version.errata,
        summary=version.summary,
        frozen_at=spec["frozen_at"],
        spec_sha256=version.spec_sha256,
        spec_address=urls.data(b, v, "spec.json"),
        rounds=play["rounds"],
        repeats=play["repeats"],
        sudden_death_rounds=play["sudden_death_rounds"],
        rules=rules,
        grammar=answer["grammar"],
        no_answer=answer["no_answer"],
        answer_rules=answer_rules,
        anchors=frozenset(r.id for r in (*rules, *answer_rules)),
        vectors=tuple(Vector(x["text"], x["answer"], x["how"], x["fallback"]) for x in answer["vectors"]),
        metrics=read_metrics(version),
        interval_method=spec["interval"]["method"],
        confidence=spec["interval"]["confidence"],
        tolerance=f"{spec['tolerance']:g}",
        prompts=tuple(
            Prompt(key, text, play["prompts"][key], spec["files"].get(play["prompts"][key], ""))
            for key, text in version.prompts.items()
        ),
        facts=tuple(
            FactRule(f, str(play["lie_rules"].get(f.lie_rule, f.lie_rule)), urls.fact(b, v, f.fact))
            for f in version.facts
        ),
        routes=tuple((route, json.dumps(s, ensure_ascii=False)) for route, s in play["routes"].items()),
        files=tuple(spec["files"].items()),
        downloads=downloads(version),
        numbers=urls.numbers(b, v) if version.is_published else "",
    )
