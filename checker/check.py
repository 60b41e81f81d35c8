"""The check of one version, as the list of its steps: ingest, lock, derive, assert, compare, report."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checker import derive, money, prices, tables, verdict
from checker.compare import Counts, TableComparison
from checker.engine import Engine
from checker.errors import CouldNotCheck
from checker.findings import Findings
from checker.inputs import Inputs, read_inputs
from checker.logs import Logs
from checker.published import Published

BUILDER_FIX = "publish again, or mend the builder's metrics; the SQL behind the expected value is in checker/sql/"


@dataclass
class Outcome:
    """What the check of one version gave: crosscheck.json, checked.json's text (None where nothing could be
    computed), and why it could not be checked, if so."""

    crosscheck: dict[str, Any]
    checked: str | None = None
    troubles: list[str] = field(default_factory=list)


def check_version(
    root: Path, benchmark: str, version: str, sandbox: dict[str, Any], checker: dict[str, Any]
) -> Outcome:
    """Check runs/ and tables/ of one version below `root`.  `sandbox` and `checker` are what crosscheck.json records.

    Never raises for what it reads: a fault is a finding, and what could not be read or computed is a trouble.
    """
    findings = Findings()
    head = {"benchmark": benchmark, "version": version}
    inputs = Inputs(root, benchmark, version, findings)
    counts = Counts()
    statuses: dict[str, str] = {}
    tails: list[dict[str, Any]] = []
    text = None
    try:
        engine = Engine()
        # 1. ingest: the only step that opens files
        inputs = read_inputs(root, benchmark, version, findings)
        logs, published = ingest(engine, inputs)
        tails = [{"file": log.path, "line": log.lines + 1, "bytes": log.tail} for log in logs.all if log.tail]
        # 2. lock: from here on the database reaches no file, no network and no setting
        engine.lock()
        if inputs.spec is None:
            published.manifest(None, logs)
            status = verdict.MISMATCH
        elif not logs.all:
            published.manifest(None, logs)
            raise CouldNotCheck(f"{inputs.runs}/logs: there is no log, so there is nothing to check")
        else:
            # 3. derive: every number, from logs and spec alone
            derive.set_sizes(engine, logs)
            money.derive(engine, logs)
            inputs.game.derive(engine, logs)
            want = tables.checked(inputs, inputs.game.document(engine))
            head, text = want.head, want.text()
            # 4. assert: the rules between lines
            derive.assert_rules(engine, logs)
            # 5. compare: the builder's numbers, then what is published
            counts, compared = compare_builder(published, inputs, want)
            about = [row["model"] for row in want.lists["rows"]], inputs.game.gaps(engine)
            stated = verdict.row_statuses(*about, findings.all(), sandbox, compared, verdict.NUMBERS)
            published.compare(want, stated, overall(stated))
            published.manifest(want.digest, logs)
            inputs.game.compare_statements(engine, inputs)
            statuses = verdict.row_statuses(*about, findings.all(), sandbox, compared, verdict.EVERYTHING)
            status = overall(statuses)
    except CouldNotCheck as error:
        inputs.troubles.append(str(error))
        status = verdict.COULD_NOT_CHECK
    # 6. report
    if inputs.troubles:
        status = verdict.COULD_NOT_CHECK
        statuses = dict.fromkeys(statuses, status)
    document = verdict.crosscheck(
        head, status, statuses, counts, findings.all(), input_digests(inputs), tails, checker, sandbox
    )
    return Outcome(document, text, inputs.troubles)


def ingest(engine: Engine, inputs: Inputs) -> tuple[Logs, Published]:
    """Read everything: the logs, each line into narrow typed rows, the price tables that they name, then what is
    published."""
    logs = Logs(inputs, engine)
    if inputs.spec is not None:
        money.prepare(engine)
        inputs.game.prepare(engine, inputs)
    logs.read()
    if inputs.spec is not None:
        prices.read_tables(engine, inputs)
    return logs, Published(inputs, engine)


def compare_builder(published: Published, inputs: Inputs, want: tables.Checked) -> tuple[Counts, bool]:
    """builder.json, field by field; False where there is none."""
    data = published.documents["builder.json"]
    path = f"{inputs.tables}/builder.json"
    if data is None:
        inputs.troubles.append(f"{path}: there is no such file, so there is nothing to compare; publish first")
        return Counts(), False
    return TableComparison(path, "builder", inputs.findings, BUILDER_FIX).run(data, want), True


def overall(statuses: dict[str, str]) -> str:
    """The worst status of the rows; without a row something must be wrong."""
    return verdict.worst(list(statuses.values())) if statuses else verdict.MISMATCH


def input_digests(inputs: Inputs) -> dict[str, str]:
    """The digests of what the numbers and their comparison were made from: the version's runs/, the price tables that
    its logs name, and builder.json."""
    builder, folders = f"{inputs.tables}/builder.json", (inputs.runs + "/", prices.FOLDER + "/")
    return {p: digest for p, digest in inputs.digests.items() if p == builder or p.startswith(folders)}
