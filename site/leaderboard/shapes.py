"""What the site knows of any published version: frozen records, one for each thing that a page can show."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from leaderboard.amendments import Amendment
from leaderboard.logfile import LogFile
from leaderboard.money import Account, Price, Use, accounts

LEDGER_STATES = ("scored", "unparsed", "empty", "refused", "truncated", "failed", "missing")
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
class About:
    """A benchmark in words, and which of its metrics stand where; the first metric is the one that ranks."""

    name: str
    title: str
    summary: str
    guide: str
    metrics: tuple[str, ...]
    board: tuple[str, ...]
    glance: tuple[str, ...]
    caption: str
    unit: str
    run: str
    ledger: str
    sql: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rate:
    """k of n with its interval, or a mean in points, whose k is None; n = 0: no value, which is not zero."""

    k: int | None
    n: int
    value: float | None
    lo: float | None
    hi: float | None

    @property
    def top(self) -> float:
        """The end of its scale: a share of 1, or 100 points."""
        return 100.0 if self.k is None else 1.0


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Who withdrew a row is the maintainers' affair; when and why stands beside its numbers, which do not change."""

    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """One model's line in one version."""

    model: str
    kind: str
    status: str
    runs: int
    metrics: dict[str, Rate]
    ledger: dict[str, int | None]
    """None for a state that the version's rules do not know."""
    empty_replies: int
    use: Use
    withdrawn: Withdrawal | None = field(default=None, kw_only=True)

    @property
    def takes_rank(self) -> bool:
        """Whether it is a model's, stands by its numbers, and has one to rank by."""
        return not self.is_baseline and self.withdrawn is None and self.primary.n > 0

    @property
    def is_baseline(self) -> bool:
        return self.kind == "baseline"

    @property
    def primary(self) -> Rate:
        return next(iter(self.metrics.values()))

    @property
    def label(self) -> str:
        """The status as its badge says it."""
        return self.status

    @property
    def remark(self) -> str:
        """What a reader must know before the numbers; empty if nothing."""
        return ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A rate of a slice, under the keys that select it."""

    keys: tuple[str, ...]
    rate: Rate


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
    invariants: tuple[tuple[str, str, int, int], ...]
    """Rule, its sentence, the places looked at, and how many broke it."""


@dataclass(frozen=True, slots=True)
class Note:
    """A dated correction or amendment: a banner, never a changed number."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Version:
    """One frozen version with everything that is published of it; each benchmark adds what only it has."""

    about: About
    name: str
    spec: dict[str, object]
    spec_sha256: str
    prompts: dict[str, str]
    errata: tuple[Note, ...]
    amendments: tuple[Note, ...]
    amended: tuple[Amendment, ...]
    digest: str | None
    rows: tuple[Row, ...]
    verdict: Verdict | None
    logs: tuple[LogFile, ...]
    tables: dict[str, Path]

    @property
    def benchmark(self) -> str:
        return self.about.name

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
    def states(self) -> tuple[str, ...]:
        """The states that the version's ledgers know."""
        return tuple(s for s in LEDGER_STATES if all(row.ledger.get(s) is not None for row in self.rows))

    @property
    def status(self) -> str:
        return self.verdict.status if self.verdict else "NOT CHECKED"

    @cached_property
    def accounts(self) -> dict[str, Account]:
        return accounts(log.read() for log in self.logs)

    @property
    def prices(self) -> tuple[Price, ...]:
        """The rows of price tables that the logs name."""
        found = {price for account in self.accounts.values() for price in account.prices}
        return tuple(sorted(found, key=lambda p: (p.table, p.table_sha256, p.date, p.model)))

    def amendment_of(self, model: str) -> Amendment | None:
        return next((entry for entry in self.amended if entry.names(model)), None)

    @property
    def volume(self) -> tuple[str, int] | None:
        """What was counted, in the benchmark's word for it."""
        return None
