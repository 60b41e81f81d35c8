"""A provider on this machine, and an environment that is full of what belongs to others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runners.models.wired import AWS_ID, AWS_SECRET, Provider, serving

FOREIGN = {
    "OPENAI_API_KEY": "not-for-you",
    "OPENAI_ADMIN_KEY": "not-for-you",
    "OPENAI_ORG_ID": "not-for-you",
    "OPENAI_PROJECT_ID": "not-for-you",
    "OPENAI_WEBHOOK_SECRET": "not-for-you",
    "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer not-for-you\nX-Extra: not-for-you",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/not-for-you",
    "ANTHROPIC_API_KEY": "not-for-you",
    "ANTHROPIC_AUTH_TOKEN": "not-for-you",
    "ANTHROPIC_CUSTOM_HEADERS": "X-Api-Key: not-for-you\nauthorization: not-for-you\nX-Extra: not-for-you",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/not-for-you",
    "NOUS_API_KEY": "not-for-you",
    "OPENROUTER_API_KEY": "not-for-you",
    "COUNTERSIGN_COMPATIBLE_KEY": "not-for-you",
    "COUNTERSIGN_COMPATIBLE_URL": "http://127.0.0.1:9/not-for-you",
    "OLLAMA_API_KEY": "not-for-you",
}
AWS = {
    "AWS_ACCESS_KEY_ID": AWS_ID,
    "AWS_SECRET_ACCESS_KEY": AWS_SECRET,
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_MAX_ATTEMPTS": "5",
}


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """Keys of everybody, a .netrc for this machine, and credentials of AWS."""
    for name in set(os.environ):
        if name.startswith(("AWS_", "OPENAI_", "ANTHROPIC_", "OLLAMA_")):
            monkeypatch.delenv(name)
    for name, value in {**FOREIGN, **AWS}.items():
        monkeypatch.setenv(name, value)
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password not-for-you\n", "utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    return monkeypatch


@pytest.fixture
def provider(environment: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A provider that also has the page by which ollama lists its models."""
    with serving() as state:
        state.pages["/api/tags"] = b'{"models": [{"name": "tiny:latest", "digest": "0123abcd"}]}'
        yield state
