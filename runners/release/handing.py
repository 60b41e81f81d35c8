"""How a submission leaves the submitter's folder: as a git branch, or as a tar file."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from runners.errors import UsageError
from runners.files import write_whole
from runners.release.submit import Submitted


def write_bundle(root: Path, done: Submitted, target: Path) -> None:
    """Pack the new files, and no other, into a tar file that is unpacked over a checkout."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as packed:
        for path in done.review.added:
            data = (root / path).read_bytes()
            member = tarfile.TarInfo(path)
            member.size, member.mode = len(data), 0o644
            packed.addfile(member, io.BytesIO(data))
    write_whole(target, content.getvalue())


def write_branch(root: Path, base: str, branch: str, done: Submitted) -> str:
    """Commit the new files on top of the base as a new branch, leaving the working tree and the index alone.

    Returns the commit.

    Raises:
        UsageError: git refuses; what it said.
    """
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "GIT_INDEX_FILE": str(Path(folder) / "index")}

        def git(*words: str, given: str | None = None) -> str:
            done = subprocess.run(
                ["git", "-C", str(root), *words],
                capture_output=True,
                text=True,
                check=False,
                env=environment,
                input=given,
            )
            if done.returncode != 0:
                raise UsageError(f"git {words[0]}: {done.stderr.strip()}")
            return done.stdout.strip()

        git("read-tree", base)
        git("update-index", "--add", "--stdin", given="\n".join(done.review.added) + "\n")
        tree = git("write-tree")
        commit = git("commit-tree", tree, "-p", git("rev-parse", f"{base}^{{commit}}"), "-m", done.title)
        git("branch", branch, commit)
        return commit
