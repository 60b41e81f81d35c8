"""What a citation says: title, version, date, status, the root digest, and where the page stands."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leaderboard import urls
from leaderboard.errors import SiteError

AUTHORS = "The Countersign authors"
"""As CITATION.cff has them; a test holds them together."""
PUBLISHER = "Countersign"


@dataclass(frozen=True, slots=True)
class Cited:
    """A version, or a row of one."""

    benchmark: str
    version: str
    title: str
    date: str
    """YYYY-MM-DD: of the freeze, or where there is none of the newest run."""
    is_frozen: bool
    root: str
    """The root digest, in hexadecimal."""
    status: str
    url: str
    """Of its page; empty where the site has no address yet."""
    model: str | None = None
    withdrawn: str | None = None
    """When the row was taken back, YYYY-MM-DD."""

    @property
    def name(self) -> str:
        """The title, with the row."""
        return f"{self.title}: {self.model}" if self.model is not None else self.title

    @property
    def remarks(self) -> str:
        """What a reader must know beside it, the digest last."""
        frozen = f"frozen {self.date}" if self.is_frozen else "published, not frozen"
        parts = [frozen, f"status {self.status}"]
        if self.withdrawn:
            parts.append(f"WITHDRAWN {self.withdrawn}")
        return f"Version {self.version}, {', '.join(parts)}, root digest sha256:{self.root}"

    @property
    def key(self) -> str:
        """A name for it that every format takes: letters, digits and hyphens."""
        row = (
            f"-{hashlib.sha256(self.model.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
            if self.model is not None
            else ""
        )
        return f"countersign-{self.benchmark}-{self.version}{row}-{self.root[:8]}"


def cited(root: Path, benchmark: str, version: str, site: str, model: str | None = None) -> Cited:
    """Read what is cited from runs/ and tables/ below `root`; `site` is the URL of the first page, empty if unknown.

    Raises:
        SiteError: the version is not published, or has no such row; names what there is.
    """
    runs, tables = (root / tree / benchmark / version for tree in ("runs", "tables"))
    manifest = tables / "MANIFEST.json"
    if not manifest.is_file():
        there = sorted("/".join(path.parts[-3:-1]) for path in (root / "tables").glob("*/*/MANIFEST.json"))
        raise SiteError(
            f"{benchmark}/{version} is not published below {root.resolve() / 'tables'}. "
            f"Published: {', '.join(there) or 'nothing'}."
        )
    raw = manifest.read_bytes()
    frozen = json.loads(raw).get("frozen")
    statuses = {row["model"]: row["status"] for row in _read(tables / "leaderboard.json")["rows"]}
    if model is not None and model not in statuses:
        raise SiteError(f"{benchmark}/{version} has no row {model!r}. Its rows: {', '.join(statuses)}.")
    page = urls.version(benchmark, version) if model is None else urls.model(benchmark, version, model)
    return Cited(
        benchmark=benchmark,
        version=version,
        title=str(_read(runs / "spec.json").get("title", f"{benchmark} {version}")),
        date=(frozen["at"] if frozen else _newest(runs))[:10],
        is_frozen=bool(frozen),
        root=hashlib.sha256(raw).hexdigest(),
        status=_read(tables / "crosscheck.json")["status"] if model is None else statuses[model],
        url=f"{site}{page}" if site else "",
        model=model,
        withdrawn=_withdrawn(runs / "WITHDRAWN.json").get(model) if model is not None else None,
    )


def _newest(runs: Path) -> str:
    """The time of the last line of any log that can be read: a torn one says nothing."""
    times = []
    for path in runs.glob("logs/*/*.jsonl"):
        for line in reversed(path.read_bytes().splitlines()):
            try:
                times.append(str(json.loads(line)["at"]))
                break
            except (ValueError, TypeError, KeyError):
                continue
    return max(times, default="1970-01-01")


def _withdrawn(path: Path) -> dict[str, str]:
    notes = json.loads(path.read_bytes()) if path.is_file() else []
    return {note["model"]: note["at"][:10] for note in notes}


def _read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_bytes())
    return data
