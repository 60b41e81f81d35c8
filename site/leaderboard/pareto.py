"""Which rows have both a score and a cost, and which of them none betters on both counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from leaderboard import show
from leaderboard.charts import Named
from leaderboard.shapes import Rate, Row


@dataclass(frozen=True, slots=True)
class Priced:
    """A model with a score and a cost, in micro-dollars a run: for certain, and at most, where that is known."""

    model: str
    rate: Rate
    score: float | Fraction
    cost: float
    most: float | None

    @property
    def says(self) -> str:
        if self.most is None or self.most > self.cost:
            return f"at least {show.dollars(self.cost)}" + (f", at most {show.dollars(self.most)}" if self.most else "")
        return show.dollars(self.cost)


def edge(found: Sequence[Priced], lower: bool) -> set[str]:
    """Give the models that no other one betters in cost or score without being worse in the other."""

    def beats(a: Priced, b: Priced) -> bool:
        as_good = a.score <= b.score if lower else a.score >= b.score
        return a.cost <= b.cost and as_good and (a.cost < b.cost or a.score != b.score)

    return {one.model for one in found if not any(beats(other, one) for other in found)}


def priced(rows: Sequence[Row], metric: str) -> tuple[list[Priced], list[Named]]:
    """Part the rows into those that can be drawn and those that cannot, with the reason."""
    found: list[Priced] = []
    absent: dict[str, list[str]] = {}
    for row in rows:
        rate, use = row.metrics[metric], row.use
        cost = use.cost_per_run_microusd
        if row.is_baseline:
            why = "Not drawn, scripted baselines, which cost nothing to ask"
        elif row.withdrawn:
            why = "Not drawn, withdrawn"
        elif cost is None:
            why = "Not drawn, unpriced" if use.calls else "Not drawn, never called"
        elif not cost:
            why = "Not drawn, no cost for certain"
        elif rate.value is None:
            why = "Not drawn, without a score"
        else:
            # Two floats of one fraction may differ in their last digit.
            score = rate.value if rate.k is None else Fraction(rate.k, rate.n)
            found.append(Priced(row.model, rate, score, cost, use.most_per_run_microusd))
            continue
        absent.setdefault(why, []).append(row.model)
    return found, [Named(why, tuple(names)) for why, names in absent.items()]
