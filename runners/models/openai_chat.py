"""Route `openai:`: OpenAI's chat completions.

The key is OPENAI_API_KEY; OPENAI_BASE_URL is another address of the same provider (a region, a gateway), and
OPENAI_ORG_ID and OPENAI_PROJECT_ID, where they are set, say who pays. Headers of OPENAI_CUSTOM_HEADERS are not sent: a
request is what its log says.

The spec's `max_tokens` is sent as `max_completion_tokens`: current models reject the old name, and to those that know
both, both mean the same. Reasoning counts towards it. Other settings are sent as they are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from runners.models.access import key_for, url_for
from runners.models.base import Model, Setting
from runners.models.compatible import Compatible

BASE_URL = "https://api.openai.com/v1"
RENAMED = {"max_tokens": "max_completion_tokens"}
PAYER = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}


def open_model(
    ident: str,
    settings: Mapping[str, Setting],
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float = 600.0,
) -> Model:
    """OpenAI's model `ident`; `timeout` in seconds for a whole call.

    Raises:
        UsageError: no key, or an address or a key that cannot be used.
    """
    name = f"openai:{ident}"
    return Compatible(
        name,
        ident,
        settings,
        base_url=url_for(name, base_url, "OPENAI_BASE_URL", BASE_URL),
        api_key=key_for(name, api_key, "OPENAI_API_KEY"),
        timeout=timeout,
        renamed=RENAMED,
        headers={header: value for header, variable in PAYER.items() if (value := os.environ.get(variable))},
    )
