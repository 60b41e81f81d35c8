"""Where the published Court of Facts dataset is looked for; it is never part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATASET = Path(
    os.environ.get("COURT_OF_FACTS_DATASET")
    or Path(__file__).parents[1].parent / "shared/court-of-facts/court-of-facts-dataset-corrected.json"
)
needs_dataset = pytest.mark.skipif(
    not DATASET.is_file(),
    reason="the Court of Facts dataset is not here: set COURT_OF_FACTS_DATASET to its path",
)
