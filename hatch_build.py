"""Puts specs, prompts and items into a wheel as `runners/embedded/`, the site's sources as `leaderboard/embedded/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EmbedHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds every frozen spec, the files that it names, its notes, prices and the site; logs and tables stay out."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fill `force_include` of a wheel; an editable install reads the checkout instead."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        for source, inside in embedded(root).items():
            build_data["force_include"][str(root / source)] = inside


def embedded(root: Path) -> dict[str, str]:
    """Path in the repository -> path in the wheel, both with forward slashes."""
    found: dict[str, str] = {}
    for spec in sorted(root.glob("runs/*/*/spec.json")):
        folder = spec.parent.relative_to(root).as_posix()
        notes = [name for name in ("ERRATA.md", "AMENDMENTS.md", "AMENDMENTS.json") if (spec.parent / name).is_file()]
        for name in ["spec.json", *json.loads(spec.read_text("utf-8"))["files"], *notes]:
            found[f"{folder}/{name}"] = f"runners/embedded/{folder.removeprefix('runs/')}/{name}"
    for table in sorted(root.glob("runs/prices/*.json")):
        found[f"runs/prices/{table.name}"] = f"runners/embedded/prices/{table.name}"
    pages = [root / "mkdocs.yml", *root.glob("site/**/*")]
    for path in sorted(pages):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not name.startswith("site/leaderboard/") and "__pycache__" not in name:
            found[name] = f"leaderboard/embedded/{name}"
    return found
