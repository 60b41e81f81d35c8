"""Route `claude-cli:`: Claude Code on its user's subscription, in print mode, without tools, from a fixed empty folder.

The id is a model name or alias as `claude --model` takes it. What would change the question is kept out: settings,
CLAUDE.md, memory, hooks, skills, plugins and MCP servers by flags, and by the environment everything that would bill or
ask another provider than the subscription, choose another effort or limit, retry, or read a file that the prompt names
with `@`. The program still puts its own short preface and the date before the prompt; no option takes them away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from runners.errors import CallFailed, UsageError
from runners.models import command as programs
from runners.models.base import Completion, Finish, Message, Model, Setting, Usage
from runners.models.diagnosis import kind_of, seconds_until_reset

EFFORTS = ("low", "medium", "high", "xhigh", "max")
# --safe-mode leaves the login alone (--bare would not read it). An empty --tools is no tool at all; its value may be
# followed by flags only. Empty --setting-sources is neither user's nor project's settings.
FLAGS = (
    *("-p", "--output-format", "json", "--tools", "", "--safe-mode", "--setting-sources=", "--strict-mcp-config"),
    *("--disable-slash-commands", "--no-session-persistence"),
)
SWITCHES = {
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_MAX_RETRIES": "0",
}
LOGIN = ("CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN")
# ANTHROPIC_API_KEY first of all: print mode would use it, and bill it, in place of the subscription.
OTHERS = re.compile(r"^(ANTHROPIC_|CLAUDE|MAX_THINKING_TOKENS$|DISABLE_|VERTEX_)")
STATUS_KINDS = {401: "auth", 402: "auth", 403: "auth", 404: "config", 408: "timeout", 429: "rate_limit"}
FINISHES: Mapping[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
TOO_LONG = re.compile(r"exceeded the \d+ output token maximum")


class ClaudeCli:
    """One model of a Claude subscription. `timeout` bounds a whole call, in seconds; there are no retries here."""

    def __init__(self, ident: str, program: str, settings: Mapping[str, Setting], timeout: float) -> None:
        self.name = f"claude-cli:{ident}"
        self.settings = settings
        self._words = [program, *FLAGS, "--model", ident]
        if "effort" in settings:
            self._words += ["--effort", str(settings["effort"])]
        self._timeout = timeout
        self._variables = {**programs.environment(LOGIN, OTHERS), **SWITCHES}
        if "max_tokens" in settings:
            self._variables["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] = str(settings["max_tokens"])

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """One run of the program: the system text replaces its own, the prompt goes by standard input.

        Raises:
            CallFailed: any kind of the log schema; what the program itself says is never a reply of the model.
        """
        # Attached, as a text that begins with a dash would be a flag otherwise. Empty, it is no system text.
        words = [*self._words, f"--system-prompt={programs.system_text(messages)}"]
        try:
            prompt = programs.prompt_text(messages).encode("utf-8")
        except UnicodeEncodeError as error:
            raise CallFailed("config", f"the prompt is not Unicode text (character {error.start})") from error
        folder = programs.empty_folder("claude-cli")
        done = await programs.run(words, prompt, folder=folder, variables=self._variables, seconds=self._timeout)
        try:
            return _read(_result(done), done.code)
        except CallFailed as error:
            said = programs.redacted(f"claude: {error.message}", self._variables)
            raise CallFailed(error.kind, said, usage=error.usage, retry_after=error.retry_after) from error

    async def close(self) -> None:
        """Nothing is held between calls."""


def _result(done: programs.Done) -> dict[str, Any]:
    """The result object, the one thing that the program prints (the last of a list, for a user who asks for more)."""
    text = programs.reply_text(done.stdout)
    try:
        result = json.loads(text)
    except (ValueError, RecursionError) as error:
        said = done.complaint or text.strip()
        kind = kind_of(said) if done.code else "error_body"
        raise CallFailed(kind, f"it ended with code {done.code} and without a result: {said or 'no output'}") from error
    if isinstance(result, list) and result:
        result = result[-1]
    if not isinstance(result, dict) or result.get("type") != "result" or not isinstance(result.get("is_error"), bool):
        raise CallFailed("error_body", f"it printed no result object: {text[:80]!r}")
    return result


def _read(result: Mapping[str, Any], code: int) -> Completion:
    text, reason, usage = result.get("result"), result.get("stop_reason"), _usage(result.get("usage"))
    served = _served(result.get("modelUsage"))
    failed = result["is_error"] or result.get("subtype") != "success"
    # A text that cost no output token was not written by a model: a login or a limit told as if it were an answer.
    if failed or (text and usage is not None and usage.output == 0):
        said = text if isinstance(text, str) and text else json.dumps(result.get("errors") or result.get("subtype"))
        if reason == "refusal":
            return Completion("", "refusal", usage, served)
        if reason == "max_tokens" or TOO_LONG.search(said):
            return Completion("", "length", usage, served)
        raise _failure(said, result.get("api_error_status"), usage)
    if code:
        raise CallFailed("error_body", f"it ended with code {code}, and its result names no error", usage=usage)
    if not isinstance(text, str):
        raise CallFailed("error_body", "its result holds no text", usage=usage)
    if problem := _unfit(text):
        raise CallFailed("invalid_text", problem, usage=usage)
    return Completion(text, FINISHES.get(str(reason), "unknown"), usage, served)


def _unfit(text: str) -> str | None:
    if "\x00" in text:
        return "the reply holds a NUL character"
    lone = next((place for place, character in enumerate(text) if "\ud800" <= character <= "\udfff"), None)
    return None if lone is None else f"the reply holds a lone surrogate (character {lone})"


def _failure(said: str, status: object, usage: Usage | None) -> CallFailed:
    kind = kind_of(said)
    if isinstance(status, int):
        kind = STATUS_KINDS.get(status, "overloaded" if status >= 500 else kind)
    pause = seconds_until_reset(said, datetime.now(UTC).astimezone()) if kind == "rate_limit" else None
    return CallFailed(kind, said, usage=usage, retry_after=pause)


def _count(holder: object, key: str) -> int | None:
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _usage(usage: object) -> Usage | None:
    """The counts, with the parts of the input that Anthropic counts apart added to it."""
    fresh, output = _count(usage, "input_tokens"), _count(usage, "output_tokens")
    read, written = _count(usage, "cache_read_input_tokens"), _count(usage, "cache_creation_input_tokens")
    details = usage.get("output_tokens_details") if isinstance(usage, dict) else None
    total = None if fresh is None else fresh + (read or 0) + (written or 0)
    counts = Usage(total, read, written, output, _count(details, "thinking_tokens"))
    return None if counts == Usage() else counts


def _served(models: object) -> str | None:
    """The models that were used, by name; more than one only if the program asked another beside."""
    names = sorted(models) if isinstance(models, dict) else []
    return ", ".join(name for name in names if name.isprintable()) or None


def open_model(
    ident: str, settings: Mapping[str, Setting], *, timeout: float = 600.0, command: str | None = None
) -> Model:
    """The model `ident`, by the program `command` (`claude` on PATH); `timeout` in seconds for a whole call.

    `settings` may hold `effort` (one of EFFORTS) and `max_tokens` (of one reply).

    Raises:
        UsageError: the program is not installed, the id cannot be passed, or a setting is not of these.
    """
    if unknown := sorted(set(settings) - {"effort", "max_tokens"}):
        raise UsageError(f"the route claude-cli: has the settings effort and max_tokens, not {', '.join(unknown)}")
    if (effort := settings.get("effort", "medium")) not in EFFORTS:
        raise UsageError(f"the route claude-cli: effort is one of {', '.join(EFFORTS)}, not {effort!r}")
    if type(limit := settings.get("max_tokens", 1)) is not int or limit < 1:
        raise UsageError(f"the route claude-cli: max_tokens is a whole number above 0, not {limit!r}")
    hint = "Install Claude Code, 2.1.169 or later, log in once with `claude auth login`, then try again."
    program = programs.find_program("claude-cli", ident, command or "claude", hint)
    return ClaudeCli(ident, program, settings, timeout)
