"""Every error that the builder raises, drawn once.

CountersignError
├── UsageError          the command or its options cannot be carried out as given      exit 2
├── MissingExtra        an optional package is not installed                           exit 2
├── SpecError           a spec, a prompt or an item file is not what it must be        exit 2
├── LogError            a log breaks a rule of the log schema                          exit 2
│   └── LogLocked       another process is writing this log                            exit 2
├── ImportFileError     a dataset file cannot be imported                              exit 2
├── ReplayMismatch      a log is not what the game gives for its replies               exit 2
├── Stopped             the session makes no further call; what it has is logged       exit 2
│   └── BudgetSpent     the budget does not cover another call                         exit 2
├── Interrupted         Ctrl-C ended a session; the logs are whole                     exit 130
├── Refused             a submission, a freeze or a place is not what it must be       exit 1
├── CheckFailed         the checker found a difference                                 exit 1
├── CouldNotCheck       the checker could not do its work                              exit 2
└── CallFailed          a model call failed; `kind` is one of the log schema's kinds

Only the command line turns an error into a line on the terminal and an exit code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class CountersignError(Exception):
    """Base of all errors of the builder; `exit_code` is what the command line ends with."""

    exit_code = 2


class UsageError(CountersignError):
    """The command cannot be carried out as given."""


class MissingExtra(CountersignError):
    """An optional dependency is missing; the message names the extra to install."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package {package!r}. Install it with: pip install 'countersign[{extra}]'"
        )


class SpecError(CountersignError):
    """A spec or a file that it names is not what it must be."""


@dataclass(frozen=True)
class Finding:
    """One broken rule: where, which rule, what was expected, what was found, what to do."""

    file: str
    line: int | None
    rule: str
    expected: str
    found: str
    fix: str

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: rule {self.rule}: expected {self.expected}, found {self.found}. {self.fix}"


class LogError(CountersignError):
    """A log breaks the schema; carries every finding, not only the first."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        super().__init__("\n".join(str(finding) for finding in findings))


class Refused(CountersignError):
    """Something is not what it must be; carries every finding.  `what` says what was therefore not done."""

    exit_code = 1

    def __init__(self, what: str, findings: list[Finding]) -> None:
        self.findings = findings
        count = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"
        super().__init__("\n".join([f"{what}: {count}", *(str(finding) for finding in findings)]))


class LogLocked(CountersignError):
    """Another process holds the log."""


class ImportFileError(CountersignError):
    """A dataset file cannot be imported."""


class ReplayMismatch(CountersignError):
    """A log is not what the game gives for its replies."""


class Stopped(CountersignError):
    """The session makes no further call; those on their way were awaited."""


class BudgetSpent(Stopped):
    """The budget does not cover another call; nothing of it was sent."""


class Interrupted(CountersignError):
    """Ctrl-C ended a session; what was said is logged, and the same command goes on."""

    exit_code = 130


class CheckFailed(CountersignError):
    """The checker compared and something differs."""

    exit_code = 1


class CouldNotCheck(CountersignError):
    """The checker could not compare; never the same as passed."""


class CallFailed(CountersignError):
    """One attempt at a model call failed; a failed call is never an answer.

    `kind` is one of the log schema's kinds. `usage` is what the provider counted all the same (a models.base.Usage),
    `retry_after` the seconds after which it wants to be asked again; None where it does not say.
    """

    def __init__(self, kind: str, message: str, *, usage: Any = None, retry_after: float | None = None) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message
        self.usage = usage
        self.retry_after = retry_after
