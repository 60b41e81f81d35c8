"""An amendment: request settings of single models, in place of their route's, made before any result."""

import json
import re
from dataclasses import dataclass
from typing import Any

FILE = "AMENDMENTS.json"


@dataclass(frozen=True, slots=True)
class Amendment:
    """One entry of AMENDMENTS.json; its text is data, whoever wrote it."""

    at: str
    models: str
    settings: dict[str, Any]
    reason: str

    @property
    def shown(self) -> str:
        return json.dumps(self.settings, ensure_ascii=False)

    def names(self, model: str) -> bool:
        """Whether it is about this model; each `*` stands for any characters, none included."""
        pattern = ".*".join(re.escape(part) for part in self.models.split("*"))
        return re.fullmatch(pattern, model, re.DOTALL) is not None
