"""Where each document of api/v1/ lies, from the root of the site."""

from leaderboard.slugs import slug

BASE = "api/v1/"
INDEX = f"{BASE}index.json"
KINDS = ("index", "board", "version", "row", "runs", "verdict", "manifest")


def board(benchmark: str) -> str:
    return f"{BASE}boards/{benchmark}.json"


def version(benchmark: str, name: str) -> str:
    return f"{BASE}versions/{benchmark}/{name}.json"


def row(benchmark: str, name: str, model: str) -> str:
    return f"{BASE}rows/{benchmark}/{name}/{slug(model)}.json"


def runs(benchmark: str, name: str) -> str:
    return f"{BASE}runs/{benchmark}/{name}.json"


def verdict(benchmark: str, name: str) -> str:
    return f"{BASE}verdicts/{benchmark}/{name}.json"


def manifest(benchmark: str, name: str) -> str:
    return f"{BASE}manifests/{benchmark}/{name}.json"


def earlier_manifest(benchmark: str, name: str, root: str) -> str:
    """Give the place of the manifest of a freeze; it never changes, for its name is its digest."""
    return f"{BASE}manifests/{benchmark}/{name}/{root}.json"


def schema(kind: str) -> str:
    return f"{BASE}schemas/{kind}.schema.json"
