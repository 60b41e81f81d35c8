"""Where a provider is and with which key it is asked: from the options, else from the environment, and nowhere else."""

from __future__ import annotations

import os
from ipaddress import ip_address
from urllib.parse import urlsplit

from runners.errors import UsageError


def url_for(model: str, given: str | None, variable: str | None = None, default: str = "") -> str:
    """The provider's address: the option, else the environment variable, else the default.

    Raises:
        UsageError: it is no http or https URL; the message names the variable.
    """
    url = (given or (os.environ.get(variable) if variable else None) or default).strip()
    if not _usable(url):
        how = f"Set {variable}, for example to http://127.0.0.1:8080/v1" if variable else f"{url!r} is none"
        raise UsageError(f"{model} needs the provider's URL, http or https. {how}")
    return url


def key_for(model: str, given: str | None, variable: str, *, needed: bool = True) -> str:
    """The provider's key: the option, else the environment variable; "" where there is none and none is needed.

    Raises:
        UsageError: there is none, or no header can carry it; the message never shows it.
    """
    key = (given or os.environ.get(variable) or "").strip()
    if not key and needed:
        raise UsageError(f"{model} needs a key. Set {variable} in the environment")
    if not all("!" <= character <= "~" for character in key):
        raise UsageError(f"the key for {model} holds a space or a character outside ASCII; check {variable}")
    return key


def is_loopback(url: str) -> bool:
    """Whether `url` is on this machine, where no proxy belongs in between."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _usable(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port or an IPv6 address that is none
        return False
