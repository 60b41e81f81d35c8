"""Route `agy:`: the Antigravity CLI, asked as `agy -p --sandbox --model MODEL` from an empty scratch folder.

The id is a model as `agy models` lists it. The login is the program's own. System and user text are one prompt, the
system text first, a blank line between. Known of the program (versions 1.1.1 to 1.2):

* `-p` takes the prompt as its value, whatever comes next, so it is attached: `-p=PROMPT`. A prompt that begins with a
  dash is no flag then.
* Linux carries at most 128 KiB in one argument. A longer prompt goes by standard input and without `-p`: it is read
  where no prompt flag is given, and only there.
* It ends by itself after five minutes, as a failure. It reports neither token counts nor why a reply ended.
* It reads the user's own rules in `~/.gemini`, and no option leaves them out: whoever plays should have none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from runners.errors import CallFailed, UsageError
from runners.models import command as programs
from runners.models.base import Completion, Message, Model, Setting
from runners.models.diagnosis import kind_of, seconds_until_reset

LONGEST_ARGUMENT = 128 * 1024 - 1
"""Bytes of one argument that Linux carries, its closing NUL left out."""
# A failure that came with exit code 0, as some versions do it, and a reply that another model gave instead.
FAILED = re.compile(r"\s*(?:Error: |Authentication required\b)")
OTHER_MODEL = re.compile(r"\bmodel\b.{0,200}\bnot recognized|\brequires --effort", re.IGNORECASE | re.DOTALL)


class Agy:
    """One model of the Antigravity CLI. `timeout` bounds a whole call, in seconds; there are no retries here."""

    def __init__(self, ident: str, program: str, settings: Mapping[str, Setting], timeout: float) -> None:
        self.name = f"agy:{ident}"
        self.settings = settings
        self._model = ident
        self._program = program
        self._timeout = timeout
        self._variables = programs.environment()

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """One run of the program; its standard output, less the line end that it prints last, is the reply.

        Raises:
            CallFailed: any kind of the log schema; an exit code other than 0 is never a reply.
        """
        prompt = "\n\n".join(part for part in (programs.system_text(messages), programs.prompt_text(messages)) if part)
        words, stdin = self._ask(prompt)
        folder = programs.empty_folder("agy")
        done = await programs.run(words, stdin, folder=folder, variables=self._variables, seconds=self._timeout)
        if done.code:
            raise self._failed(done, done.complaint or done.stdout.decode("utf-8", "replace"))
        if OTHER_MODEL.search(done.complaint):
            raise CallFailed("config", programs.redacted(f"agy took another model: {done.complaint}", self._variables))
        text = programs.reply_text(done.stdout).removesuffix("\n")
        if FAILED.match(text) and kind_of(text) != "error_body":
            raise self._failed(done, text)
        return Completion(text, "unknown")

    def _ask(self, prompt: str) -> tuple[list[str], bytes]:
        """The words and the standard input that carry a prompt of any size."""
        try:
            data = prompt.encode("utf-8")
        except UnicodeEncodeError as error:
            raise CallFailed("config", f"the prompt is not Unicode text (character {error.start})") from error
        if len(data) + len("-p=") <= LONGEST_ARGUMENT and b"\x00" not in data:
            return [self._program, f"-p={prompt}", "--sandbox", "--model", self._model], b""
        return [self._program, "--sandbox", "--model", self._model], data

    def _failed(self, done: programs.Done, said: str) -> CallFailed:
        kind = kind_of(said)
        pause = seconds_until_reset(said, datetime.now(UTC)) if kind == "rate_limit" else None
        why = said or "it gave no reason"
        return CallFailed(
            kind, programs.redacted(f"agy ended with code {done.code}: {why}", self._variables), retry_after=pause
        )

    async def close(self) -> None:
        """Nothing is held between calls."""


def open_model(
    ident: str, settings: Mapping[str, Setting], *, timeout: float = 600.0, command: str | None = None
) -> Model:
    """The model `ident`, by the program `command` (`agy` on PATH); `timeout` in seconds for a whole call.

    Raises:
        UsageError: the program is not installed, the id cannot be passed, or there are settings: it takes none.
    """
    if settings:
        raise UsageError(f"the route agy: takes no settings, and {', '.join(settings)} is given; its spec has none")
    hint = "Install the Antigravity CLI, 1.1.1 or later, run it once to sign in, then try again."
    program = programs.find_program("agy", ident, command or "agy", hint)
    return Agy(ident, program, settings, timeout)
