"""How a version of Court of Facts is played and scored: what only it has, the answer grammar and the facts."""

from dataclasses import dataclass
from typing import Any, ClassVar

from leaderboard import urls
from leaderboard.court.shapes import CourtVersion, Fact
from leaderboard.pages.common import Site
from leaderboard.pages.methodology import MethodologyPage, Rule, methodology_fields


@dataclass(frozen=True, slots=True)
class Vector:
    """A reply and what the grammar must read in it."""

    text: str
    answer: str | None
    how: str | None
    fallback: str | None


@dataclass(frozen=True, slots=True)
class FactRule:
    fact: Fact
    lie: str
    address: str


@dataclass(frozen=True, kw_only=True)
class CourtMethodologyPage(MethodologyPage):
    template: ClassVar[str] = "court/methodology.html"

    rounds: int
    repeats: int
    sudden_death_rounds: int
    grammar: str
    no_answer: str
    answer_rules: tuple[Rule, ...]
    vectors: tuple[Vector, ...]
    facts: tuple[FactRule, ...]


def methodology_page(site: Site, version: CourtVersion) -> CourtMethodologyPage:
    spec: Any = version.spec
    play, answer = spec["play"], spec["answer"]
    answer_rules = tuple(Rule(r["id"], "", r["text"], "") for r in answer["rules"])
    return CourtMethodologyPage(
        **methodology_fields(site, version, answer_rules),
        rounds=play["rounds"],
        repeats=play["repeats"],
        sudden_death_rounds=play["sudden_death_rounds"],
        grammar=answer["grammar"],
        no_answer=answer["no_answer"],
        answer_rules=answer_rules,
        vectors=tuple(Vector(x["text"], x["answer"], x["how"], x["fallback"]) for x in answer["vectors"]),
        facts=tuple(
            FactRule(
                f,
                str(play["lie_rules"].get(f.lie_rule, f.lie_rule)),
                urls.fact(version.benchmark, version.name, f.fact),
            )
            for f in version.facts
        ),
    )
