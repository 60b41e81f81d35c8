"""Which routes there are, and the one door to a model: `open_model("ROUTE:ID", settings)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any

from runners.errors import MissingExtra, UsageError
from runners.models.base import Model, Setting


@dataclass(frozen=True, slots=True)
class Route:
    """Where a route lives: its module, imported on use, and the extra that brings the module's packages.

    `billed` says whether a call costs money by what it uses; `keys` are the environment variables that hold its key.
    """

    module: str
    extra: str | None
    purpose: str
    billed: bool
    keys: tuple[str, ...] = ()


_AWS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK")

ROUTES: Mapping[str, Route] = {
    name: Route(f"runners.models.{module}", extra, purpose, billed, keys)
    for name, module, extra, purpose, billed, keys in (
        ("openai", "openai_chat", "openai", "OpenAI", True, ("OPENAI_API_KEY",)),
        ("anthropic", "anthropic_messages", "anthropic", "Anthropic", True, ("ANTHROPIC_API_KEY",)),
        ("bedrock", "bedrock_converse", "aws", "Amazon Bedrock", True, _AWS),
        ("nous", "nous", "compatible", "the Nous Research inference API", True, ("NOUS_API_KEY",)),
        ("openrouter", "openrouter", "compatible", "OpenRouter", True, ("OPENROUTER_API_KEY",)),
        ("ollama", "ollama_chat", "compatible", "a model that ollama serves", False, ()),
        ("compatible", "compatible", "compatible", "any OpenAI-compatible URL", True, ("COUNTERSIGN_COMPATIBLE_KEY",)),
        ("claude-cli", "claude_cli", None, "the Claude Code command line", False, ()),
        ("agy", "agy", None, "the Antigravity command line", False, ()),
        ("local", "local", "local", "a GGUF file, served in this process by llama.cpp", False, ()),
        ("scripted", "scripted", None, "deterministic reference policies (baselines)", False, ()),
    )
}


def split_name(name: str) -> tuple[str, str]:
    """`ROUTE:ID` as (route, id).

    Raises:
        UsageError: no such route, no id, or a name that only an imported dataset may use.
    """
    route, colon, ident = name.partition(":")
    known = ", ".join(f"{known}:" for known in ROUTES)
    if not colon or route not in ROUTES:
        why = "an imported model cannot be played" if route == "imported" else f"there is no route {route!r}"
        raise UsageError(f"model {name!r}: {why}. Write ROUTE:ID with one of the routes {known}")
    if not ident.strip() or ident != ident.strip():
        raise UsageError(f"model {name!r}: the id after {route}: is empty or has spaces around it. Write ROUTE:ID")
    return route, ident


def canonical(name: str) -> str:
    """The one name of the model that `name` means: `ollama:qwen3` is `ollama:qwen3:latest`, others are as they are.

    A tag stands behind the last slash: `ollama:localhost:5000/team/model` has a port and no tag.

    Raises:
        UsageError: as `split_name`.
    """
    route, ident = split_name(name)
    return f"{name}:latest" if route == "ollama" and ":" not in ident.rpartition("/")[2] else name


def open_model(name: str, settings: Mapping[str, Setting], **options: Any) -> Model:
    """The model `name` (ROUTE:ID), asked with `settings` (the value of `play.routes[ROUTE]` of the spec).

    `options` are the route's own (`base_url`, `api_key`, `timeout` in seconds …); each has a working default. Nothing
    is asked of a provider yet, but a local model may be fetched and loaded. Close the model after use.

    Raises:
        UsageError: the name or an option cannot be used, or a local model cannot be fetched, verified or loaded.
        MissingExtra: the packages of the route are not installed; the message says what to install.
    """
    route, ident = split_name(name)
    entry = ROUTES[route]
    try:
        module = import_module(entry.module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if entry.extra is None or missing in {"", "runners"}:
            raise
        raise MissingExtra(missing, entry.extra, f"the route {route}: ({entry.purpose})") from error
    known = list(signature(module.open_model).parameters)[2:]
    if unknown := sorted(set(options) - set(known)):
        raise UsageError(f"the route {route}: has no option {', '.join(unknown)}; it has {', '.join(known) or 'none'}")
    model: Model = module.open_model(ident, settings, **options)
    return model
