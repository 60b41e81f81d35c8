"""All operators, in the order of the report."""

from __future__ import annotations

from typing import Final

from checker.selftest.operators.boards import BOARDS
from checker.selftest.operators.cascades_board import CASCADES_BOARD
from checker.selftest.operators.cascades_turns import CASCADES_TURNS
from checker.selftest.operators.court_ends import COURT_ENDS
from checker.selftest.operators.court_logs import COURT_LOGS
from checker.selftest.operators.forgeries import FORGERIES
from checker.selftest.operators.frozen import FROZEN
from checker.selftest.operators.log_bytes import LOG_BYTES
from checker.selftest.operators.log_spelling import LOG_SPELLING
from checker.selftest.operators.money import MONEY
from checker.selftest.operators.operator import Operator
from checker.selftest.operators.tables import TABLES
from checker.selftest.operators.whole_files import WHOLE_FILES

OPERATORS: Final = tuple(
    operator
    for catalogue in (
        WHOLE_FILES, LOG_BYTES, LOG_SPELLING, COURT_LOGS, COURT_ENDS, CASCADES_BOARD, CASCADES_TURNS, MONEY, FROZEN,
        TABLES, BOARDS, FORGERIES,
    )
    for operator in catalogue.operators
)  # fmt: skip
BY_NAME: Final = {operator.name: operator for operator in OPERATORS}


def of(benchmark: str) -> list[Operator]:
    """The operators of a benchmark."""
    return [operator for operator in OPERATORS if benchmark in operator.benchmarks]
