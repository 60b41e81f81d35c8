"""The charts that every benchmark's version has: score against cost, tokens, how it ended, attempts."""

from collections.abc import Iterator

from leaderboard import urls
from leaderboard.bar_chart import Column, bars
from leaderboard.charts import Chart
from leaderboard.cost_chart import cost
from leaderboard.money import Account
from leaderboard.pages.common import read_metrics
from leaderboard.replies import KINDS
from leaderboard.shapes import Version

_UNNAMED = "other kind"


def shared_charts(version: Version, score: str) -> Iterator[Chart]:
    """Yield them; `score` is the metric that is set against the cost, if any row has one."""
    numbers = urls.numbers(version.benchmark, version.name)
    metric = next(m for m in read_metrics(version) if m.key == score)
    drawn = cost(version.rows, metric, version.about.run, f"{numbers}#use-head")
    if drawn:
        yield drawn
    yield _tokens(version, numbers)
    yield _endings(version, numbers)
    yield _attempts(version, numbers)


def _tokens(version: Version, numbers: str) -> Chart:
    uses = [row.use for row in version.rows]
    return bars(
        "chart-tokens",
        "Tokens of each model",
        "Tokens of all its calls and of the failed attempts that report them, in every role; each of the two columns "
        "has a scale of its own. Not reported: at least one of its calls, or every one, says no number, so there is no "
        "sum; it is not 0.",
        version.rows,
        (Column("Input", tuple(use.input for use in uses)), Column("Output", tuple(use.output for use in uses))),
        f"{numbers}#use-head",
        unknown="not reported",
        own_scales=True,
        width=230,
    )


def _endings(version: Version, numbers: str) -> Chart:
    """Draw the states of the ledger that occur, and name the others."""
    ledgers = [row.ledger for row in version.rows]
    there = [state for state in version.states if any(ledger[state] for ledger in ledgers)]
    gone = [state for state in version.states if state not in there]
    none = f" None in the whole version: {', '.join(gone)}." if gone else ""
    silent, beside = "Empty: the model ended its turn and said nothing.", []
    if "empty" not in version.states:
        silent = "Empty replies are among these states, not beside them: the model ended its turn and said nothing."
        beside = [Column("Empty replies", tuple(row.empty_replies for row in version.rows))]
    return bars(
        "chart-endings",
        "Outcomes in the ledger",
        f"{version.about.ledger} The pale bar is what was attempted.{none} {silent}",
        version.rows,
        (
            *(Column(state.capitalize(), tuple(ledger[state] for ledger in ledgers)) for state in there),
            *beside,
        ),
        f"{numbers}#ledger-head",
        whole=[ledger["attempted"] for ledger in ledgers],
    )


def _attempts(version: Version, numbers: str) -> Chart:
    """Draw replies and failures as the tables count them, and the kinds of failure that the logs name."""
    found = [version.accounts.get(row.model, Account()).failures for row in version.rows]
    # A kind that the log schema does not know is a text of others: it names no column.
    kinds = {kind: tuple(failures[kind] for failures in found) for kind in KINDS}
    kinds[_UNNAMED] = tuple(sum(count for kind, count in f.items() if kind not in KINDS) for f in found)
    there = {kind: counts for kind, counts in kinds.items() if any(counts)}
    says = "A failed attempt is shown by its kind, as the logs name it." if there else "No attempt failed."
    return bars(
        "chart-attempts",
        "Replies and failed attempts",
        f"Attempts to get a reply from each model, in every role: those that got one, a refused or cut one included, "
        f"and those that failed. {says}",
        version.rows,
        (
            Column("Replies", tuple(row.use.calls for row in version.rows)),
            Column("Failed", tuple(row.use.failures for row in version.rows)),
            *(Column(kind.replace("_", " "), counts) for kind, counts in there.items()),
        ),
        f"{numbers}#use-head",
    )
