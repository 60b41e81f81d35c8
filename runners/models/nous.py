"""Route `nous:`: the Nous Research inference API. The key is NOUS_API_KEY."""

from __future__ import annotations

from collections.abc import Mapping

from runners.models.access import key_for, url_for
from runners.models.base import Model, Setting
from runners.models.compatible import Compatible

BASE_URL = "https://inference-api.nousresearch.com/v1"


def open_model(
    ident: str,
    settings: Mapping[str, Setting],
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float = 600.0,
) -> Model:
    """Nous Research's model `ident`; settings are sent as they are; `timeout` in seconds for a whole call.

    Raises:
        UsageError: no key, or one that no header can carry.
    """
    name = f"nous:{ident}"
    url = url_for(name, base_url, default=BASE_URL)
    return Compatible(
        name, ident, settings, base_url=url, api_key=key_for(name, api_key, "NOUS_API_KEY"), timeout=timeout
    )
