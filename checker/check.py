"""The check of one version, as the list of its steps: ingest, lock, derive, assert, compare, report."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checker import derive, figures, invariants, money, prices, tables, verdict
from checker.clock import Clock
from checker.compare import Counts
from checker.engine import Engine
from checker.errors import CouldNotCheck
from checker.findings import Findings
from checker.inputs import Inputs, read_inputs
from checker.invariants import Invariant
from checker.logs import Logs
from checker.manifest import Manifest
from checker.published import Published
from checker.tables import Checked


@dataclass
class Outcome:
    """What the check of one version gave: crosscheck.json, checked.json's text (None where nothing could be
    computed), why it could not be checked, if so, and run.json."""

    crosscheck: dict[str, Any]
    checked: str | None = None
    troubles: list[str] = field(default_factory=list)
    run: dict[str, Any] = field(default_factory=dict)


@dataclass
class Judged:
    """What came of the numbers of one version; by default nothing."""

    status: str = verdict.COULD_NOT_CHECK
    statuses: dict[str, str] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    want: Checked | None = None
    invariants: list[dict[str, Any]] = field(default_factory=list)
    files: list[dict[str, Any]] = field(default_factory=list)


def check_version(
    root: Path, benchmark: str, version: str, sandbox: dict[str, Any], checker: dict[str, Any]
) -> Outcome:
    """Check runs/ and tables/ of one version below `root`.  `sandbox` and `checker` are what crosscheck.json records.

    Never raises for what it reads: a fault is a finding, and what could not be read or computed is a trouble.
    """
    clock = Clock()
    findings = Findings()
    head = {"benchmark": benchmark, "version": version}
    inputs = Inputs(root, benchmark, version, findings)
    judged = Judged()
    tails: list[dict[str, Any]] = []
    try:
        engine = Engine()
        # 1. ingest: the only step that opens files
        with clock.step("read"):
            inputs = read_inputs(root, benchmark, version, findings)
        with clock.step("ingest"):
            logs = ingest(engine, inputs)
        with clock.step("read"):
            published = Published(inputs, engine)
            manifest = Manifest(inputs, published)
        tails = [{"file": log.path, "line": log.lines + 1, "bytes": log.tail} for log in logs.all if log.tail]
        # 2. lock: from here on the database reaches no file, no network and no setting
        engine.lock()
        judged = judge(engine, logs, published, manifest, sandbox, clock)
    except CouldNotCheck as error:
        inputs.troubles.append(str(error))
    # 6. report
    if inputs.troubles:
        judged.status = verdict.COULD_NOT_CHECK
        judged.statuses = dict.fromkeys(judged.statuses, verdict.COULD_NOT_CHECK)
    document = verdict.crosscheck(
        head if judged.want is None else judged.want.head, judged.status, judged.statuses, judged.counts,
        findings.all(), input_digests(inputs), tails, checker, sandbox, judged.invariants,
    )  # fmt: skip
    run = head | {"files": judged.files, "machine": clock.machine()}
    return Outcome(document, judged.want.text if judged.want is not None else None, inputs.troubles, run)


def judge(
    engine: Engine, logs: Logs, published: Published, manifest: Manifest, sandbox: dict[str, Any], clock: Clock
) -> Judged:
    """From what was read to statuses; what cannot be computed is a trouble and hides nothing else."""
    inputs, judged = logs.inputs, Judged()
    try:
        with clock.step("derive"):
            # 3. derive: every number, from logs and spec alone
            judged.want = numbers(engine, logs)
        with clock.step("assert"):
            # 4. assert: the rules between lines
            if judged.want is not None:
                derive.assert_rules(engine, logs)
                if not judged.want.lists["rows"] and not inputs.findings.all():
                    raise CouldNotCheck(f"{inputs.runs}/logs: no log has a whole line, so there is nothing to check")
    except CouldNotCheck as error:
        inputs.troubles.append(str(error))
    want = judged.want
    # 5. compare: the builder's numbers, then what is published; and assert what must hold between numbers
    with clock.step("compare"):
        compared = want is not None and published.compare_builder(want)
        judged.counts = published.counts["builder.json"] if want is not None else Counts()
    with clock.step("assert"):
        found = assert_numbers(engine, published, want)
        invariants.report_own(found, inputs)
        invariants.report(found, "builder.json", published)
    with clock.step("compare"):
        about: tuple[list[str], dict[str, str]] = [], {}
        if want is not None:
            about = [row["model"] for row in want.lists["rows"]], inputs.game.gaps(engine)
            stated = verdict.row_statuses(*about, inputs.findings.all(), sandbox, compared, verdict.NUMBERS)
            published.compare(want, stated, overall(stated))
        manifest.compare(want.digest if want is not None else None, logs)
        for name in published.names():
            if name != "builder.json":
                invariants.report(found, name, published)
        if want is not None:
            inputs.game.compare_statements(engine, inputs)
            judged.statuses = verdict.row_statuses(*about, inputs.findings.all(), sandbox, compared, verdict.EVERYTHING)
    judged.status = overall(judged.statuses)
    # What crosscheck.json says is the same before and after publication, so it tells of no published file.
    judged.invariants = [invariant.summary((figures.DERIVED, published.path("builder.json"))) for invariant in found]
    judged.files = [invariants.file_summary(found, name, published) for name in published.names()]
    return judged


def ingest(engine: Engine, inputs: Inputs) -> Logs:
    """Read the logs, each line into narrow typed rows, and the price tables that they name."""
    logs = Logs(inputs, engine)
    if inputs.spec is not None:
        money.prepare(engine)
        inputs.game.prepare(engine, inputs)
    logs.read()
    if inputs.spec is not None:
        prices.read_tables(engine, inputs)
    return logs


def numbers(engine: Engine, logs: Logs) -> Checked | None:
    """checked.json; None where the spec is none.  Raises CouldNotCheck where there is no log."""
    inputs = logs.inputs
    if inputs.spec is None:
        return None
    if not logs.all:
        raise CouldNotCheck(f"{inputs.runs}/logs: there is no log, so there is nothing to check")
    derive.set_sizes(engine, logs)
    money.derive(engine, logs)
    inputs.game.derive(engine, logs)
    return tables.checked(inputs, inputs.game.document(engine))


def assert_numbers(engine: Engine, published: Published, want: Checked | None) -> list[Invariant]:
    """Each invariant over the checker's own numbers and what every file of tables/ states."""
    inputs = published.inputs
    stated = [*([figures.derived(want)] if want is not None else []), *figures.of_published(published, want)]
    invariants.load(engine, inputs, stated)
    return invariants.examine(engine, inputs.benchmark, derived=want is not None)


def overall(statuses: dict[str, str]) -> str:
    """The worst status of the rows; without a row something must be wrong."""
    return verdict.worst(list(statuses.values())) if statuses else verdict.MISMATCH


def input_digests(inputs: Inputs) -> dict[str, str]:
    """The digests of what the numbers and their comparison were made from: the version's runs/, the price tables that
    its logs name, and builder.json."""
    builder, folders = f"{inputs.tables}/builder.json", (inputs.runs + "/", prices.FOLDER + "/")
    return {p: digest for p, digest in inputs.digests.items() if p == builder or p.startswith(folders)}
