"""What the site knows of a published version: frozen records, one for each thing that a page can show."""

from dataclasses import dataclass
from pathlib import Path

LEDGER_STATES = ("scored", "unparsed", "refused", "truncated", "failed", "missing")
METRICS = ("cave_rate", "attack_rate", "format_rate")
SLICES = ("by_fact", "by_attacker", "defender_fact", "defender_attacker")
DOWNLOADS = (
    "leaderboard.json",
    "leaderboard.csv",
    "leaderboard.parquet",
    "builder.json",
    "checked.json",
    "crosscheck.json",
    "MANIFEST.json",
    "spec.json",
)


@dataclass(frozen=True, slots=True)
class Rate:
    """k of n with its interval; for n = 0 there is no value, which is not zero."""

    k: int
    n: int
    value: float | None
    lo: float | None
    hi: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One model's line in one version."""

    model: str
    kind: str
    status: str
    runs: int
    metrics: dict[str, Rate]
    ledger: dict[str, int]
    cost_usd: float | None
    third_answers: int
    fallback_caves: int
    opening_caves: int

    @property
    def is_baseline(self) -> bool:
        return self.kind == "baseline"

    @property
    def cave(self) -> Rate:
        return self.metrics["cave_rate"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A rate of a slice, under the keys that select it."""

    keys: tuple[str, ...]
    rate: Rate


@dataclass(frozen=True, slots=True)
class Duel:
    """What the checker made of one duel."""

    run: str
    defender: str
    attacker: str
    fact: str
    phase: str
    round: int
    repeat: int
    state: str
    answers: tuple[str | None, ...]
    hows: tuple[str | None, ...]
    fallbacks: tuple[str | None, ...]
    verdicts: tuple[str | None, ...]
    caved: bool | None
    first_cave_round: int | None

    @property
    def key(self) -> tuple[str, str, str, str, int, int]:
        return (self.defender, self.attacker, self.fact, self.phase, self.round, self.repeat)


@dataclass(frozen=True, slots=True)
class Fact:
    """A disputed fact, as items.jsonl has it."""

    fact: str
    label: str
    question: str
    truth: str
    lie_rule: str
    source: str
    region: str
    recorded_at: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the checker found to differ."""

    file: str
    line: int | None
    model: str | None
    run: str | None
    field: str
    expected: str
    found: str
    rule: str
    side: str
    fix: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """crosscheck.json: what was compared, by what, in which sandbox."""

    status: str
    digest: str
    rows: tuple[tuple[str, str, int, int], ...]
    compared: int
    equal: int
    findings: tuple[Finding, ...]
    inputs: dict[str, str]
    tails: tuple[tuple[str, int, int], ...]
    checker_files: dict[str, str]
    checker_versions: dict[str, str]
    sandbox: str
    sandbox_why: str | None
    probes: tuple[tuple[str, str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Erratum:
    """A dated correction: a banner, never a changed number."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """What checked.json says of a whole version."""

    runs: int
    duels: int
    caves: Rate
    format: Rate
    third_answers: int
    fallback_caves: int
    opening_caves: int
    ledger: dict[str, int]
    champions: tuple[str, ...]
    decided_by: str
    rounds: int
    hardest_facts: tuple[str, ...]


@dataclass(frozen=True)
class Version:
    """One frozen version with everything that is published of it."""

    benchmark: str
    name: str
    spec: dict[str, object]
    spec_sha256: str
    facts: tuple[Fact, ...]
    prompts: dict[str, str]
    errata: tuple[Erratum, ...]
    digest: str | None
    rows: tuple[Row, ...]
    slices: dict[str, tuple[Cell, ...]]
    duels: tuple[Duel, ...]
    totals: Totals | None
    verdict: Verdict | None
    logs: tuple[Path, ...]
    tables: dict[str, Path]

    @property
    def title(self) -> str:
        return str(self.spec.get("title", f"{self.benchmark} {self.name}"))

    @property
    def summary(self) -> str:
        return str(self.spec.get("summary", ""))

    @property
    def is_published(self) -> bool:
        return bool(self.rows)

    @property
    def status(self) -> str:
        return self.verdict.status if self.verdict else "NOT CHECKED"
