"""Where things lie: the checkout, or what a wheel carries of it."""

from importlib.util import find_spec
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


def home() -> Path:
    """Give the folder that holds mkdocs.yml: the checkout, or what a wheel carries of it."""
    if not (REPO / "mkdocs.yml").is_file() and (builder := package("runners")):
        return builder / "embedded"
    return REPO


def package(name: str) -> Path | None:
    """Find where a package of a wheel lies; it is never imported: what lies in it is data here."""
    spec = find_spec(name)
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def checker(repo: Path) -> Path:
    """Give the folder of the checker, whose queries and schemas are data here: of the checkout, or as installed."""
    folder = repo / "checker"
    return folder if folder.is_dir() else package("checker") or folder


def sql(repo: Path) -> tuple[tuple[str, Path], ...]:
    folder = checker(repo)
    found = sorted(folder.rglob("*.sql"))
    return tuple((p.relative_to(folder).as_posix(), p) for p in found)
