"""Runs a command-line program for one answer: words and bytes in, bytes out, bounded in time and size.

Serves the routes whose model is reached through an installed program and that program's own login.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shutil
import signal
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from runners.errors import CallFailed, UsageError
from runners.models.base import Message
from runners.models.reply import failure_text
from runners.models.weights import cache_folder

LONGEST_OUTPUT = 16 << 20
"""Bytes of standard output; a program that says more is stopped."""
KEPT_ERRORS = 64 << 10
"""Bytes of standard error that are kept, the last ones."""
LINGER_SECONDS = 2.0
SECRET = re.compile(r"API_?KEY|TOKEN|SECRET|PASSW(OR)?D|_KEY$|^AWS_", re.IGNORECASE)
"""Names of environment variables that are for some provider; a route keeps those of its own program alone."""


@dataclass(frozen=True, slots=True)
class Done:
    """A program that has ended: its exit code (negative: the signal that ended it) and what it wrote."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def complaint(self) -> str:
        """What it wrote on standard error, however it is encoded."""
        return self.stderr.decode("utf-8", "replace").strip()


def find_program(route: str, ident: str, command: str, hint: str) -> str:
    """The absolute path of the program `command`, for the model `ident` of a route.

    Raises:
        UsageError: it is not installed (`hint` says what to do), or the id would be read as a flag.
    """
    if ident.startswith("-") or not ident.isprintable():
        raise UsageError(f"{route}:{ident!r}: a model id begins with no dash and holds no control character")
    path = shutil.which(command)
    if path is None:
        raise UsageError(f"the route {route}: runs the program {command!r}, which is not on PATH. {hint}")
    return str(Path(path).absolute())


def environment(keep: Collection[str] = (), drop: re.Pattern[str] | None = None) -> dict[str, str]:
    """This process's environment without secrets and without what `drop` matches, but for the names in `keep`."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in keep or not (SECRET.search(name) or (drop and drop.search(name)))
    }


def empty_folder(name: str) -> Path:
    """The fixed folder in which a route's programs run, `work/NAME` in the cache folder; made if it is not there.

    Raises:
        CallFailed: `config`: it is not empty, or cannot be made. What lies there could be read by the next call.
    """
    folder = cache_folder().absolute() / "work" / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.scandir(folder) as entries:
            found = next(entries, None)
    except OSError as error:
        raise CallFailed("config", f"the working folder {folder} cannot be used: {error.strerror}") from error
    if found is not None:
        raise CallFailed("config", f"the working folder {folder} must be empty and holds {found.name!r}; empty it")
    return folder


def system_text(messages: Sequence[Message]) -> str:
    """The system messages, joined by a blank line; "" if there is none."""
    return "\n\n".join(message.content for message in messages if message.role == "system")


def prompt_text(messages: Sequence[Message]) -> str:
    """The conversation as one prompt, system messages left out, for a program that takes only one.

    A single user message stands as it is. Where turns came before, they are a transcript: each turn is `User:` or
    `Assistant:` on a line of its own, then its text, then a blank line; a last `Assistant:` asks for the next turn.
    """
    turns = [message for message in messages if message.role != "system"]
    if len(turns) == 1 and turns[0].role == "user":
        return turns[0].content
    return "".join(f"{turn.role.capitalize()}:\n{turn.content}\n\n" for turn in turns) + "Assistant:"


def reply_text(output: bytes) -> str:
    """What a program wrote, as text.

    Raises:
        CallFailed: `invalid_text`: it is not UTF-8, or holds a NUL.
    """
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CallFailed("invalid_text", f"the reply is not UTF-8 (byte {error.start})") from error
    if "\x00" in text:
        raise CallFailed("invalid_text", "the reply holds a NUL character")
    return text


def redacted(text: str, variables: Mapping[str, str]) -> str:
    """`text` fit for a log: short, one line, without the values of the secret ones among `variables`."""
    return failure_text(text, [value for name, value in variables.items() if SECRET.search(name) and len(value) >= 8])


async def run(
    words: Sequence[str], stdin: bytes, *, folder: Path, variables: Mapping[str, str], seconds: float
) -> Done:
    """Run a program in `folder` with exactly `variables` until it ends, or for so many seconds.

    It gets a session of its own, with no terminal to ask on. Whatever it started and left in its process group ends
    with it, and so does everything on a timeout or when the caller is cancelled.

    Raises:
        CallFailed: `config` (it cannot be started, a word is too long), `overloaded` (no room for another process),
            `timeout`, `error_body` (more output than LONGEST_OUTPUT).
    """
    name, loop = Path(words[0]).name, asyncio.get_running_loop()
    try:
        transport, protocol = await loop.subprocess_exec(
            _Exchange, *words, cwd=folder, env={**variables, "PWD": str(folder)}, start_new_session=True
        )
    except (OSError, ValueError) as error:  # a ValueError is a NUL in a word
        kind = "overloaded" if isinstance(error, OSError) and error.errno in {errno.EAGAIN, errno.ENOMEM} else "config"
        raise CallFailed(kind, redacted(f"{name} cannot be started: {error}", variables)) from error
    try:
        async with asyncio.timeout(seconds):
            pipe = cast(asyncio.WriteTransport, transport.get_pipe_transport(0))
            pipe.write(stdin)
            pipe.close()
            await protocol.over
    except TimeoutError as error:
        raise CallFailed("timeout", f"{name} gave no complete reply within {seconds:g} s") from error
    finally:
        if not protocol.exited.done():
            protocol.end_group()
        await protocol.exited
        transport.close()
    return Done(cast(int, transport.get_returncode()), bytes(protocol.output), bytes(protocol.errors))


class _Exchange(asyncio.SubprocessProtocol):
    """Collects what one program writes. `exited` is done when it has ended, `over` when its output has too."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = loop.create_future()
        self.exited: asyncio.Future[None] = loop.create_future()
        self.output, self.errors = bytearray(), bytearray()
        self._group = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._group = cast(asyncio.SubprocessTransport, transport).get_pid()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.errors = (self.errors + data)[-KEPT_ERRORS:]
        elif len(self.output) + len(data) <= LONGEST_OUTPUT:
            self.output += data
        elif not self.over.done():
            self.over.set_exception(CallFailed("error_body", f"the reply is longer than {LONGEST_OUTPUT:,} bytes"))

    def process_exited(self) -> None:
        # A child that it left behind would hold the pipes open; what it wrote itself is still read to its end.
        self.end_group()
        self.exited.set_result(None)
        self.exited.get_loop().call_later(LINGER_SECONDS, self._finish)  # for a child that left the group

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish()

    def _finish(self) -> None:
        if not self.over.done():
            self.over.set_result(None)

    def end_group(self) -> None:
        """Kill what is left of the program and of what it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._group, signal.SIGKILL)
