"""checked.json: the document that the relations make (tables.md), and its bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from checker.engine import Engine, sql_text
from checker.inputs import Inputs

#: The lists that tables.md calls rows: each element stands on a line of its own.
ROWS: Final = ("duels", "rows", "by_fact", "by_attacker", "defender_fact", "defender_attacker")


@dataclass(frozen=True)
class Checked:
    """checked.json.  `duels` holds each row as its text (and its Defender): they are many and never taken apart."""

    head: dict[str, str]
    duels: list[str]
    defenders: list[str]
    lists: dict[str, list[dict[str, Any]]]
    totals: dict[str, Any]

    @property
    def digest(self) -> str:
        """The digest of the inputs."""
        return self.head["digest"]

    def text(self) -> str:
        """The bytes of checked.json as text: compact, rows on lines of their own, one final LF."""
        parts = [f"{compact(key)}:{compact(value)}" for key, value in self.head.items()]
        parts.append(f'"duels":{_rows(self.duels)}')
        parts += [f"{compact(key)}:{_rows([compact(row) for row in rows])}" for key, rows in self.lists.items()]
        parts.append(f'"totals":{compact(self.totals)}')
        return "{\n" + ",\n".join(parts) + "\n}\n"


def _rows(texts: list[str]) -> str:
    return "[\n" + ",\n".join(texts) + "\n]" if texts else "[]"


def compact(value: object) -> str:
    """JSON text without spaces.  Raises ValueError for NaN and infinities, which no table may hold."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def input_digest(inputs: Inputs) -> str:
    """The digest over spec.json, the files that it names, REUSED.json and every file in logs/ (tables.md)."""
    assert inputs.spec is not None
    named = {"spec.json", "REUSED.json", *inputs.spec.files}
    prefix = inputs.runs + "/"
    paths = [path.removeprefix(prefix) for path in inputs.digests if path.startswith(prefix)]
    lines = [
        f"{inputs.digests[prefix + path]}  {path}\n"
        for path in sorted(paths)
        if path in named or path.startswith("logs/")
    ]
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def checked(engine: Engine, inputs: Inputs) -> Checked:
    """Everything that was derived, as the document of tables.md."""
    assert inputs.spec is not None
    head = {
        "benchmark": inputs.benchmark, "version": inputs.version, "spec_sha256": inputs.spec.sha256,
        "digest": input_digest(inputs),
    }  # fmt: skip
    duels = engine.rows(sql_text("sql/duel_rows.sql"))
    lists: dict[str, list[dict[str, Any]]] = {"rows": engine.result("model_rows")}
    for name in ROWS[2:]:
        lists[name] = [_flat_rate(row) for row in engine.result(name)]
    totals = engine.result("totals")[0]
    totals["champion"] = engine.records("FROM champion")[0]
    totals["hardest_facts"] = [row["fact"] for row in engine.result("hardest_facts")]
    return Checked(head, [_lower_escapes(row) for _, row in duels], [name for name, _ in duels], lists, totals)


def _flat_rate(row: dict[str, Any]) -> dict[str, Any]:
    rate: dict[str, Any] = row.pop("rate")
    return row | rate


def _lower_escapes(text: str) -> str:
    """DuckDB writes \\u001F where Python writes \\u001f; only a name with a control character has either."""
    return compact(json.loads(text)) if "\\u00" in text else text
