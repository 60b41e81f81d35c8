"""What a model was asked and what it cost, as the boards and the model's own page show it."""

from collections.abc import Iterable
from dataclasses import dataclass

from leaderboard import urls
from leaderboard.amendments import Amendment
from leaderboard.money import Account, Price, Use, asked_for
from leaderboard.pages.common import how
from leaderboard.replies import KINDS
from leaderboard.shapes import Row, Version


@dataclass(frozen=True, slots=True)
class Cost:
    """Micro-dollars for certain and at most. `none` says in a word why there is no cost; it is never a zero."""

    none: str
    certain: float
    most: float | None
    unsettled: int
    how: str

    @property
    def is_open(self) -> bool:
        return self.unsettled > 0 or self.most is None or self.most > self.certain


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of one row."""

    per_run: Cost
    per_1000: Cost

    @property
    def is_priced(self) -> bool:
        return not self.per_run.none


@dataclass(frozen=True, slots=True)
class Tokens:
    """One count of tokens, and whether it is a part of the one before it."""

    title: str
    is_part: bool
    count: int | None


@dataclass(frozen=True, slots=True)
class FailureLine:
    kind: str
    count: int
    means: str


@dataclass(frozen=True, slots=True)
class PriceLine:
    """A price in force, and how many logs of the version name it."""

    price: Price
    logs: int


@dataclass(frozen=True, slots=True)
class UseSection:
    """All of it, for the page of a model."""

    use: Use
    run: str
    asked: str
    others: tuple[str, ...]
    unsettled: int
    costs: Costs
    tokens: tuple[Tokens, ...]
    prices: tuple[PriceLine, ...]
    failures: tuple[FailureLine, ...]
    amendment: Amendment | None
    how: str
    methodology: str


def costs(version: Version, row: Row) -> Costs:
    use, made = row.use, how(version, "use", row.model)
    none = "" if use.cost_microusd is not None else "unpriced" if use.calls else "no call"
    account = version.accounts.get(row.model)
    unsettled = account.unsettled if account and use.unsettled_microusd else 0
    return Costs(
        Cost(none, use.cost_per_run_microusd or 0.0, use.most_per_run_microusd, unsettled, made),
        Cost(none, use.cost_per_1000_calls_microusd or 0.0, use.most_per_1000_calls_microusd, unsettled, made),
    )


def use_section(version: Version, row: Row) -> UseSection:
    use, account = row.use, version.accounts.get(row.model, Account())
    shown = costs(version, row)
    return UseSection(
        use=use,
        run=version.about.run,
        asked=asked_for(row.model),
        others=use.others(row.model),
        unsettled=shown.per_run.unsettled,
        costs=shown,
        tokens=(
            Tokens("Input", False, use.input),
            Tokens("of it read from a cache", True, use.cached_input),
            Tokens("of it written to a cache", True, use.cache_write),
            Tokens("Output", False, use.output),
            Tokens("of it reasoning", True, use.reasoning),
        ),
        prices=tuple(PriceLine(price, logs) for price, logs in sorted(account.prices.items(), key=_by_date)),
        failures=tuple(_failures(account.failures.items())),
        amendment=version.amendment_of(row.model),
        how=shown.per_run.how,
        methodology=urls.methodology(version.benchmark, version.name),
    )


def _by_date(item: tuple[Price, int]) -> tuple[str, str, str]:
    return (item[0].date, item[0].table, item[0].table_sha256)


def _failures(found: Iterable[tuple[str, int]]) -> list[FailureLine]:
    """List the kinds in the order of the log schema."""
    order = list(KINDS)
    counts = sorted(found, key=lambda f: (order.index(f[0]) if f[0] in order else len(order), f[0]))
    return [
        FailureLine(kind, count, KINDS.get(kind, "A kind of failure that the log schema does not name."))
        for kind, count in counts
    ]
