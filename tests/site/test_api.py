"""api/v1/: every document fits its schema, every address in it is there, and what it says is what is published."""

import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from leaderboard.api import addresses
from leaderboard.api.files import api_files
from leaderboard.benchmarks import BENCHMARKS
from leaderboard.files import site_files
from leaderboard.load import load_versions
from leaderboard.pages.common import Site

REPO = Path(__file__).parents[2]
KIND = {
    "boards": "board",
    "versions": "version",
    "rows": "row",
    "runs": "runs",
    "verdicts": "verdict",
    "manifests": "manifest",
}


@pytest.fixture(scope="module")
def files(root: Path) -> dict[str, bytes]:
    return dict(site_files(root))


@pytest.fixture(scope="module")
def documents(files: dict[str, bytes]) -> dict[str, Any]:
    places = (path for path in files if path.startswith(addresses.BASE) and "/schemas/" not in path)
    return {path: json.loads(files[path]) for path in places}


def kind(path: str) -> str:
    return "index" if path == addresses.INDEX else KIND[path.split("/")[2]]


def test_every_document_fits_its_schema(files: dict[str, bytes], documents: dict[str, Any]) -> None:
    schemas = {name: json.loads(files[addresses.schema(name)]) for name in addresses.KINDS}
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    seen = set()
    for path, document in documents.items():
        if (
            kind(path) != "verdict"
        ):  # the verdicts of this fixture are shortened; the published ones are validated below
            jsonschema.Draft202012Validator(schemas[kind(path)]).validate(document)
        seen.add(kind(path))
    assert seen == set(addresses.KINDS)


def test_what_is_published_fits_the_schemas() -> None:
    """The repository's own data, verdicts included."""
    site = Site(tuple(benchmark.about for benchmark in BENCHMARKS), tuple(load_versions(REPO)), (), None)
    files = dict(api_files(site, REPO))
    count = 0
    for path, content in files.items():
        if "/schemas/" not in path:
            jsonschema.validate(json.loads(content), json.loads(files[addresses.schema(kind(path))]))
            count += 1
    assert count > 50


def test_a_schema_refuses_what_is_wrong(files: dict[str, bytes], documents: dict[str, Any]) -> None:
    path = next(path for path in documents if kind(path) == "row")
    schema = json.loads(files[addresses.schema("row")])
    for spoil in ({"status": "FINE"}, {"metrics": {"cave_rate": {"k": 1, "n": 0}}}, {"cost_usd": -1}, {"runs": "3"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(documents[path] | spoil, schema)


def found_addresses(value: Any) -> list[str]:
    if isinstance(value, dict):
        keys = ("page", "document", "row", "runs", "verdict", "manifest", "url", "board", "badge")
        own = [value[key] for key in keys if isinstance(value.get(key), str)]
        return own + [one for part in value.values() for one in found_addresses(part)]
    return [one for part in value for one in found_addresses(part)] if isinstance(value, list) else []


def test_every_address_is_there(files: dict[str, bytes], documents: dict[str, Any]) -> None:
    wanted = {
        one for path, document in documents.items() if kind(path) != "verdict" for one in found_addresses(document)
    }
    there = set(files) | {path.removesuffix("index.html") for path in files}
    assert wanted - there == set()
    reached, queue = set(), [addresses.INDEX]
    while queue:  # every document can be reached from the index
        path = queue.pop()
        if path in documents and path not in reached:
            reached.add(path)
            queue += found_addresses(documents[path])
    assert set(documents) - reached == set()


def test_logs_and_manifests_are_the_published_bytes(
    files: dict[str, bytes], documents: dict[str, Any], root: Path
) -> None:
    for run in documents[addresses.runs("court", "v2")]["runs"]:
        assert hashlib.sha256(files[run["url"]]).hexdigest() == run["sha256"]
        assert (root / run["path"]).read_bytes() == files[run["url"]]
    version = documents[addresses.version("court", "v2")]
    assert hashlib.sha256(files[version["manifest"]]).hexdigest() == version["root"]
    assert [one["at"] for one in version["freezes"]] == ["2026-12-02T12:00:00Z", "2026-12-01T12:00:00Z"]
    for one in version["freezes"]:
        assert hashlib.sha256(files[one["manifest"]]).hexdigest() == one["root"]


def test_errata_and_withdrawn_rows_are_told(documents: dict[str, Any]) -> None:
    version = documents[addresses.version("court", "v1")]
    assert [note["title"][:10] for note in version["errata"]] == ["2026-12-01"]
    assert [note["model"] for note in version["withdrawn"]] == ["a|b"]
    row = documents[addresses.row("court", "v1", "a|b")]
    assert row["withdrawn"]["reason"] == "<b>The wrong</b> weights were served."
    assert row["errata"] == version["errata"]
    assert version["frozen_at"] is None, "published, not frozen"


def test_rows_are_those_of_the_leaderboard(documents: dict[str, Any], root: Path) -> None:
    for name in ("v1", "v2", "v3"):
        rows = json.loads((root / f"tables/court/{name}/leaderboard.json").read_bytes())["rows"]
        for row in rows:
            document = documents[addresses.row("court", name, row["model"])]
            assert {key: document[key] for key in row} == row


def test_the_page_names_every_kind() -> None:
    page = (REPO / "site/docs/reference/api.md").read_text("utf-8")
    for name in addresses.KINDS:
        assert f"`{name}.schema.json`" in page
