"""Route `openrouter:`: OpenRouter, which passes a call on to one of several providers. The key is OPENROUTER_API_KEY.

Which provider answered is in the reply, and is kept as `provider`: the same model may differ between them.
"""

from __future__ import annotations

from collections.abc import Mapping

from runners.models.access import key_for, url_for
from runners.models.base import Model, Setting
from runners.models.compatible import Compatible

BASE_URL = "https://openrouter.ai/api/v1"


def open_model(
    ident: str,
    settings: Mapping[str, Setting],
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float = 600.0,
) -> Model:
    """OpenRouter's model `ident`; settings are sent as they are; `timeout` in seconds for a whole call.

    Raises:
        UsageError: no key, or one that no header can carry.
    """
    name = f"openrouter:{ident}"
    url = url_for(name, base_url, default=BASE_URL)
    return Compatible(
        name, ident, settings, base_url=url, api_key=key_for(name, api_key, "OPENROUTER_API_KEY"), timeout=timeout
    )
