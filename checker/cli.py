"""`countersign-check`: recompute every number from the logs, compare, and end as `diff` does."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from checker import __version__

EPILOG: Final = """\
example:
  $ countersign-check court/v3 --root .
  court/v3: MISMATCH (1411 of 1412 fields equal)
    gemma2: MISMATCH (352 of 353 fields equal)
    tables/court/v3/builder.json:75: R20 rows[gemma2].metrics.cave_rate.k (builder)
        expected 9
        found    7
        publish again, or mend the builder's metrics; the SQL behind the expected value is in checker/sql/
    sandbox: bubblewrap, 8 of 8 probes refused
  $ echo $?
  1

exit codes, as diff: 0 all equal, 1 something differs, 2 could not check (a crash, an unreadable file, nothing to
check or nothing to compare with).  Numbers that an imported dataset states are a third party's: they are compared and
listed, and change neither a status nor the exit code.  The check runs in a sandbox without network; where none can be
had it still runs, says so, and no row is CROSS-CHECKED.
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {message}\n")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = _Parser(
        prog="countersign-check", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Recompute every published number from logs and spec alone, in a sandbox, and compare.",
    )  # fmt: skip
    made.add_argument(
        "paths", nargs="*", metavar="PATH",
        help="court/v3, court, a folder of runs/ or tables/, or a folder that holds runs/ (default: everything)",
    )  # fmt: skip
    made.add_argument("--root", default=".", metavar="DIR", help="the folder that holds runs/ and tables/ (default: .)")
    made.add_argument("--out", metavar="DIR", help="write <benchmark>/<version>/checked.json and crosscheck.json here")
    made.add_argument("--json", action="store_true", help="print the crosscheck documents as JSON")
    made.add_argument("--version", action="version", version=f"countersign-check {__version__}")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit code.  Every crash is 2: could not check is never shown as passed."""
    options = parser().parse_args(arguments)
    try:
        return _run(options)
    except KeyboardInterrupt:
        raise
    except BrokenPipeError:
        return 2
    except Exception as error:  # noqa: BLE001  the last net: whatever went wrong, nothing has been checked
        from checker.report import plain

        print(f"countersign-check: could not check: {plain(error)} ({type(error).__name__})", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    from checker import report, sandbox
    from checker.identity import identity
    from checker.targets import versions_of

    root, versions = versions_of(options.paths, Path(options.root))
    checker = identity()
    answers = sandbox.run(sandbox.Request(root, versions, options.out is not None, checker))
    documents: list[dict[str, Any]] = []
    codes: list[int] = []
    for (benchmark, version), answer in zip(versions, answers, strict=True):
        document = report.validate(answer, benchmark, version, checker)
        documents.append(document)
        codes.append(report.exit_code(document, answer["troubles"]))
        if options.out is not None:
            _write(Path(options.out) / benchmark / version, document, answer["checked"])
        if not options.json:
            print("\n".join(report.lines(document, answer["troubles"])))
        else:
            for text in answer["troubles"]:
                print(f"countersign-check: could not check: {report.plain(text)}", file=sys.stderr)
    if options.json:
        print(_json(documents[0] if len(documents) == 1 else documents))
    return max(codes)


def _write(folder: Path, document: dict[str, Any], checked: str | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "crosscheck.json").write_text(_json(document) + "\n", encoding="utf-8", newline="\n")
    if checked is not None:
        (folder / "checked.json").write_text(checked, encoding="utf-8", newline="\n")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
