"""What came of the alterations: self-test.json (self-test.md in the reference), and the table for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from checker.selftest.operators.every import of
from checker.selftest.operators.operator import Operator
from checker.selftest.trial import ANCHOR, Alteration, Result

Pair = tuple[Alteration, Result]


def survived(operator: Operator, result: Result) -> bool:
    """Whether nothing named an alteration; of a forgery, whether its digest from elsewhere did not."""
    return ANCHOR not in result.rules if operator.anchor else not result.rules


def benchmark_report(benchmark: str, pairs: list[Pair]) -> dict[str, Any]:
    """The object of one benchmark in self-test.json."""
    rows = [_row(operator, [pair for pair in pairs if pair[0].name == operator.name]) for operator in of(benchmark)]
    plain = [row for row in rows if not row["needs_anchor"]]
    forged = [row for row in rows if row["needs_anchor"]]
    return {
        "benchmark": benchmark,
        "detectable": {key: sum(row[key] for row in plain) for key in ("made", "named", "at_line")},
        "need_anchor": {
            "made": sum(row["made"] for row in forged), "named": sum(row["named"] for row in forged),
            "named_without": sum(row["named_without"] for row in forged),
        },
        "operators": rows,
    }  # fmt: skip


def _row(operator: Operator, pairs: list[Pair]) -> dict[str, Any]:
    left = [(alteration, result) for alteration, result in pairs if survived(operator, result)]
    rules = Counter(rule for _, result in pairs for rule in result.rules)
    without = sum(any(rule != ANCHOR for rule in result.rules) for _, result in pairs) if operator.anchor else 0
    return {
        "operator": operator.name, "about": operator.about, "changes": operator.changes, "mends": operator.mends,
        "needs_anchor": operator.anchor, "made": len(pairs), "named": len(pairs) - len(left),
        "at_line": sum(result.at_line for _, result in pairs), "named_without": without,
        "rules": dict(sorted(rules.items(), key=lambda item: (-item[1], item[0]))),
        "example": _place(*pairs[0]) if pairs else None,
        "survivors": [_place(*pair) for pair in left],
    }  # fmt: skip


def _place(alteration: Alteration, result: Result) -> dict[str, Any]:
    change = alteration.change
    return {
        "number": alteration.number, "file": change.file, "line": change.line, "what": change.what,
        "rules": result.rules, "exit_code": result.code, "crash": result.crash,
    }  # fmt: skip


def survivors(report: dict[str, Any]) -> int:
    """How many alterations of a benchmark nothing named."""
    return sum(len(row["survivors"]) for row in report["operators"])


def lines(reports: Iterable[dict[str, Any]], seed: int) -> Iterator[str]:
    """The table for people, and each survivor with how to make it again."""
    for report in reports:
        name, detectable, forged = report["benchmark"], report["detectable"], report["need_anchor"]
        share = detectable["named"] / detectable["made"]
        yield f"{name}: {detectable['named']} of {detectable['made']} alterations named ({share:.2%}), by the rules"
        for row in report["operators"]:
            rules = ", ".join(f"{rule} {number}" for rule, number in row["rules"].items())
            yield f"  {row['operator']:36} {row['named']:4} of {row['made']:4}  {rules}"
            yield f"    {row['about']}"
            if row["example"]:
                example = row["example"]
                line = "" if example["line"] is None else f":{example['line']}"
                yield f"    such as {example['file']}{line}: {example['what']!r}"
            for left in row["survivors"]:
                yield f"    SURVIVED: --self-test --seed {seed} --reproduce {name}:{row['operator']}:{left['number']}"
        yield (
            f"{name}: {forged['made']} whole forgeries: {forged['named_without']} named by the rules,"
            f" {forged['named']} by the digest of MANIFEST.json from elsewhere (--manifest-sha256)"
        )
