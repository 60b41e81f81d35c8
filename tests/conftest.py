"""What every test may ask for, and a closing word on what was not run and why."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
IN_CI = os.environ.get("CI") == "true"


def unavailable(reason: str) -> None:
    """Skip with `reason`; in CI, where everything must be there, fail instead."""
    if IN_CI:
        pytest.fail(f"{reason} (in CI this is an error)", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of Debian's chromium, for tests marked `browser`."""
    found = shutil.which("chromium")
    if found is None:
        unavailable("chromium is not installed (Debian: apt-get install chromium)")
    assert found is not None
    return found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say plainly which tests were not run, by reason."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[text.removeprefix("Skipped: ")] += 1
    terminalreporter.section("not run")
    for reason, count in sorted(reasons.items()):
        terminalreporter.line(f"{count} test{'s' if count > 1 else ''}: {reason}")
    chosen = terminalreporter.config.option.markexpr  # the workers of xdist do not report what they left out
    deselected = len(terminalreporter.stats.get("deselected", []))
    if chosen == "not long":
        terminalreporter.line("the long tests, some minutes: make test-long")
    elif chosen or deselected:
        terminalreporter.line(f"{deselected or 'what was'} deselected by the command line")
    if not reasons and not chosen and not deselected:
        terminalreporter.line("nothing: every test ran")
