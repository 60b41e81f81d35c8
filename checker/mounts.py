"""What is visible inside the sandbox: system libraries, Python, DuckDB and numpy, the checker, the data; all read-only.

No /proc, no /sys, no /dev, no /tmp: there is no place that can be written, and no way to another process.
"""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent
#: Where things stand inside: neutral places, none of them in anyone's home.
PYTHON, PACKAGES, DATA = "/opt/python", "/opt/packages", "/opt/data"


def packages() -> list[Path]:
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


def arguments(root: Path) -> list[str]:
    """bubblewrap's arguments for the mounts; runs/ and tables/ are those below `root`."""
    made: list[str] = []
    for place in ("/usr/lib", "/usr/lib64", "/lib", "/lib64"):
        if Path(place).is_symlink():
            made += ["--symlink", str(Path(place).readlink()).lstrip("/"), place]
        elif Path(place).is_dir():
            made += _show(Path(place), place)
    if Path("/etc/ld.so.cache").is_file():
        made += _show(Path("/etc/ld.so.cache"), "/etc/ld.so.cache")
    made += _python()
    for path in packages():
        made += _show(path, f"{PACKAGES}/{path.name}")
    made += _show(PACKAGE, f"{PACKAGES}/checker")
    for folder in ("runs", "tables"):
        if (root / folder).is_dir():
            made += _show(root / folder, f"{DATA}/{folder}")
    # Last of all: the root of the sandbox itself, on which nothing can be written either.
    return [*made, "--remount-ro", "/"]


def _show(path: Path, place: str) -> list[str]:
    return ["--ro-bind", str(path.resolve()), place]


def _python() -> list[str]:
    """The interpreter and its standard library, without its site-packages where they can be left out."""
    short = f"python{sys.version_info.major}.{sys.version_info.minor}"
    stdlib = sysconfig.get_path("stdlib", vars={"base": sys.base_prefix, "installed_base": sys.base_prefix})
    made = _show(Path(sys.executable), f"{PYTHON}/bin/python3") + _show(Path(stdlib), f"{PYTHON}/lib/{short}")
    if Path(stdlib, "site-packages").is_dir():
        hidden = f"{PYTHON}/lib/{short}/site-packages"
        made += ["--tmpfs", hidden, "--remount-ro", hidden]
    for library in sorted(Path(sys.base_prefix, "lib").glob("libpython*.so*")):
        made += _show(library, f"{PYTHON}/lib/{library.name}")
    return made
