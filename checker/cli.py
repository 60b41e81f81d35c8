"""`countersign-check`: recompute every number from the logs, compare, and end as `diff` does."""

from __future__ import annotations

import argparse
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
    sandbox: bubblewrap+seccomp, 16 of 16 probes refused
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
    made.add_argument(
        "--out", metavar="DIR", help="write each version's checked.json, crosscheck.json and run.json here"
    )
    made.add_argument("--json", action="store_true", help="print the crosscheck documents as JSON")
    made.add_argument("--html", metavar="FILE", help="write the report as a page that needs nothing else")
    made.add_argument("--annotations", action="store_true", help="print findings as annotations of GitHub Actions too")
    made.add_argument("--summary", metavar="FILE", help="append the report in Markdown, as for $GITHUB_STEP_SUMMARY")
    made.add_argument(
        "--manifest-sha256", action="append", default=[], metavar="ANCHOR",
        help="BENCHMARK/VERSION=HEX, the digest of its MANIFEST.json that you trust, or a file of such lines",
    )  # fmt: skip
    _add_self_test(made.add_argument_group("self-test", "alter good data on purpose and count what is named"))
    made.add_argument("--version", action="version", version=f"countersign-check {__version__}")
    return made


def _add_self_test(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--self-test", action="store_true", help="0 all was named, 1 something survived, 2 it could not run"
    )
    group.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the alterations (default: 1)")
    group.add_argument(
        "--alterations", type=int, default=1000, metavar="N", help="how many for each benchmark (default: 1000)"
    )
    group.add_argument(
        "--benchmark", action="append", choices=("court", "cascades"), help="this one alone (default: both)"
    )
    group.add_argument(
        "--reproduce", metavar="PLACE", help="make one altered copy, BENCHMARK:OPERATOR:NUMBER, to look at"
    )
    group.add_argument("--keep", metavar="DIR", help="where the copy goes")


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
        from checker.annotations import failure
        from checker.report import plain

        print(f"countersign-check: could not check: {plain(error)} ({type(error).__name__})", file=sys.stderr)
        if options.annotations:
            print(failure(error))
        return 2


def _run(options: argparse.Namespace) -> int:
    if options.self_test:
        from checker.selftest.command import run_command

        return run_command(options)
    if options.reproduce or options.keep or options.benchmark:
        raise ValueError("--reproduce, --keep and --benchmark go only with --self-test")
    from checker import anchors, output, report, sandbox
    from checker.annotations import commands
    from checker.identity import identity
    from checker.targets import versions_of

    root, versions = versions_of(options.paths, Path(options.root))
    trusted = anchors.read_anchors(options.manifest_sha256, versions)
    checker = identity()
    answers = sandbox.run(sandbox.Request(root, versions, options.out is not None, checker))
    write = options.out is not None
    # All of them before the first is believed: nothing is written or said of a run that lies.
    documents: list[dict[str, Any]] = [
        report.validate(answer, *name, checker, write) for name, answer in zip(versions, answers, strict=True)
    ]
    for name, document in zip(versions, documents, strict=True):
        if name in trusted:
            anchors.apply(document, root, trusted[name])
    codes = [report.exit_code(*pair) for pair in zip(documents, (a["troubles"] for a in answers), strict=True)]
    for (benchmark, version), document, answer in zip(versions, documents, answers, strict=True):
        if write:
            folder = Path(options.out) / benchmark / version
            output.write_tables(folder, document, answer["checked"], answer["run"])
        if not options.json:
            print("\n".join(report.lines(document, answer["troubles"])))
        else:
            for text in answer["troubles"]:
                print(f"countersign-check: could not check: {report.plain(text)}", file=sys.stderr)
    if options.json:
        print(report.json_text(documents[0] if len(documents) == 1 else documents))
    checked = [(document, answer["troubles"]) for document, answer in zip(documents, answers, strict=True)]
    if options.html is not None:
        output.write_page(Path(options.html), checked)
    if options.summary is not None:
        output.add_summary(Path(options.summary), checked)
    if options.annotations:
        print("\n".join(commands(checked, output.folder_of(root))))
    return max(codes)
