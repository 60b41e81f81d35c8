"""The archive of a frozen version: one tar file, the same bytes whoever packs it, wherever and whenever."""

from __future__ import annotations

import io
import tarfile
import tempfile
from pathlib import Path

from runners.errors import Finding, Refused, UsageError
from runners.release.manifest import Manifest, digests

MODE = 0o644
FETCH = "Pack a version from the commit that froze it."


def archive_name(manifest: Manifest) -> str:
    """What the archive unpacks into: `court-v4-` and the first 12 digits of the root digest."""
    return f"{manifest.name.replace('/', '-')}-{manifest.root[:12]}"


def write_archive(root: Path, manifest: Manifest, target: Path) -> int:
    """Write a frozen version, with the checker that checked it and its lock, to `target`; returns the size in bytes.

    The tar file is not compressed: compressors differ from release to release, so only plain bytes stay the same. There
    are no times and no owners in it, and the order is that of the paths.

    Raises:
        UsageError: the version is not frozen.
        Refused: a file is not the one that was frozen; names each.
    """
    if manifest.frozen is None:
        raise UsageError(f"{manifest.name} is not frozen: countersign freeze {manifest.name}")
    wanted = manifest.everything
    there = digests(root, (path for path in wanted if (root / path).is_file()))
    findings = [
        Finding(path, None, "frozen", f"SHA-256 {digest}", there.get(path, "no such file"), FETCH)
        for path, digest in wanted.items()
        if there.get(path) != digest
    ]
    if findings:
        raise Refused(f"no archive of {manifest.name} was written", findings)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as part:
        try:
            with tarfile.open(fileobj=part, mode="w", format=tarfile.PAX_FORMAT) as packed:
                for path in wanted:
                    _add(packed, f"{archive_name(manifest)}/{path}", (root / path).read_bytes())
            Path(part.name).chmod(MODE)
            Path(part.name).replace(target)
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise
    return target.stat().st_size


def _add(packed: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = len(content), MODE, 0
    packed.addfile(member, io.BytesIO(content))
