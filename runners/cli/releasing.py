"""`countersign freeze`, `verify`, `withdraw`, `erratum`, `impact`: a version after it was published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from runners.cli.common import HERE, AsJson, Root, VersionName, example, harmless, show, split_name
from runners.errors import Refused, UsageError

DIGEST = "7d1f…"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog=example("countersign freeze court/v4 --archive court-v4.tar"))(freeze)
    app.command(epilog=example(f"countersign verify . court/v4 --root-digest {DIGEST}"))(verify)
    app.command(epilog=example('countersign withdraw court/v4 --model ROUTE:ID --reason "…"'))(withdraw)
    app.command(epilog=example("countersign impact court/v1 court/v2"))(impact)
    app.command(epilog=example('countersign erratum court/v4 --title "…" --text "…"'))(erratum)


def freeze(
    version: VersionName,
    archive: Annotated[
        Path | None, typer.Option("--archive", help="Also pack the version, with its checker, into this tar file.")
    ] = None,
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Give a published version its root digest: from then on it only gains runs and notes."""
    from runners.release.archive import write_archive
    from runners.release.freeze import freeze as freeze_version

    done = freeze_version(root, _name(version))
    manifest = done.manifest
    assert manifest.frozen is not None
    result: dict[str, Any] = {
        "version": manifest.name, "root": manifest.root, "at": manifest.frozen.at, "files": len(manifest.files),
        "made": done.made, "archive": None,
    }  # fmt: skip
    text = f"{manifest.name}: {'frozen' if done.made else 'was frozen'} at {manifest.frozen.at}\nroot {manifest.root}"
    if archive is not None:
        size = write_archive(root, manifest, archive)
        result["archive"] = {"file": str(archive), "bytes": size}
        text += f"\n{archive}: {size:,} bytes"
    show(result, as_json, text)


def verify(
    place: Annotated[str, typer.Argument(help="A checkout or another folder, an archive, or an http(s) address.")],
    version: Annotated[
        str | None, typer.Argument(metavar="[BENCHMARK/VERSION]", help="All that are there, if not given.")
    ] = None,
    root_digest: Annotated[
        str | None, typer.Option("--root-digest", help="The root digest that you have from a citation or elsewhere.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare every file of a version with its manifest, and the manifest with a root digest."""
    from runners.release.places import open_place
    from runners.release.verify import verify as verify_version
    from runners.release.verify import versions_in

    with open_place(place) as opened:
        names = [_name(version)] if version else versions_in(opened)
        if not names:
            raise UsageError(f"{place}: no version is published there (no tables/BENCHMARK/VERSION/MANIFEST.json)")
        if root_digest is not None and len(names) > 1:
            raise UsageError(f"--root-digest is that of one version; name it: {', '.join(names)}")
        found = [verify_version(opened, name, root_digest) for name in names]
    result = [
        {
            "version": each.version, "root": each.root, "anchored": each.anchored, "frozen_at": each.frozen_at,
            "files": each.files, "remarks": each.remarks,
            "findings": [vars(finding) for finding in each.bytes_differ],
        }
        for each in found
    ]  # fmt: skip
    lines = []
    for each in found:
        how = "frozen " + each.frozen_at if each.frozen_at else "not frozen"
        said = (
            "as the digest says" if each.anchored else "it agrees with itself; compare its root with one from elsewhere"
        )
        lines.append(f"{each.version}: {each.files} files, {how}, {said if each.fits else 'NOT as published'}")
        lines += [f"root {each.root}", *each.remarks]
    show(result, as_json, harmless("\n".join(lines)))
    findings = [finding for each in found for finding in each.bytes_differ]
    if findings:
        raise Refused(f"{place} is not what was published", findings)


def withdraw(
    version: VersionName,
    model: Annotated[str, typer.Option("--model", help="The row: ROUTE:ID.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; readers see it.")],
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Take a row back: it stays listed with its numbers and the reason, and takes no rank."""
    from runners.release.notes import withdraw as withdraw_row

    note = withdraw_row(root, _name(version), model, reason)
    show(note, as_json, harmless(f"{version}: {model} is withdrawn"))


def erratum(
    version: VersionName,
    title: Annotated[str, typer.Option("--title", help="What is wrong, in a line.")],
    text: Annotated[str, typer.Option("--text", help="What readers should know; paragraphs apart by blank lines.")],
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Put a dated note above the numbers of a version; no number changes."""
    from runners.release.notes import add_erratum

    heading = add_erratum(root, _name(version), title, text)
    show({"version": version, "heading": heading}, as_json, harmless(f"{version}: {heading}"))


def impact(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The version whose replies are stored: court/v3.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The version with the changed rule: court/v4.")],
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Score stored replies under a changed rule: each row's rank and rate before and after, and what turns."""
    from runners.release.impact import impact as impact_of
    from runners.release.impact import table

    found = impact_of(root, _name(old), _name(new))
    result = {
        "metric": found.metric, "units": found.units, "turned": found.turned, "refused": dict(found.refused),
        "rows": [vars(shift) for shift in found.shifts],
    }  # fmt: skip
    show(result, as_json, harmless("\n".join(table(found, _name(old), _name(new)))))


def _name(version: str) -> str:
    """A version as its folders are named; `COURT/v2` is how one may be cited."""
    benchmark, name = split_name(version)
    return f"{benchmark.lower()}/{name}"
