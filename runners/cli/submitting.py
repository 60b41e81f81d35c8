"""`countersign submit` and `review`: the same verdict in a submitter's folder and in CI."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from runners.cli.common import HERE, AsJson, Root, VersionName, example, harmless, say_to, show, split_name
from runners.errors import Refused
from runners.release.trees import Tree


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        epilog=example('countersign submit court/v4 --model openai:MODEL --by "Ada Example" --licence CC-BY-4.0')
    )(submit)
    app.command(epilog=example("countersign review --base ../base --proposed ."))(review)


def submit(
    version: VersionName,
    model: Annotated[list[str], typer.Option("--model", help="ROUTE:ID whose row is new, once for each.")],
    by: Annotated[str, typer.Option("--by", help="Who ran it: a name or a project; readers see it.")],
    licence: Annotated[
        str,
        typer.Option("--licence", help="Of the replies: CC-BY-4.0, CC0-1.0, Apache-2.0, ODC-By-1.0, provider-terms"),
    ],
    base: Annotated[
        str, typer.Option("--base", help="What it is added to: a git revision, or the folder of an untouched copy.")
    ] = "HEAD",
    branch: Annotated[str | None, typer.Option("--branch", help="Name of the new git branch.")] = None,
    bundle: Annotated[
        Path | None, typer.Option("--bundle", help="Pack the new files into this tar file, instead of a branch.")
    ] = None,
    cleared: Annotated[
        list[str] | None, typer.Option("--cleared", help="FILE:LINE that looks like personal data and is nobody's.")
    ] = None,
    note: Annotated[str, typer.Option("--note", help="Anything that a reviewer should know.")] = "",
    root: Root = HERE,
    as_json: AsJson = False,
) -> None:
    """Gather what a model's runs add to a version, give the verdict that CI gives, leave a branch or a bundle."""
    from runners.release.handing import write_branch, write_bundle
    from runners.release.submit import Wish, prepare
    from runners.release.summary import as_json as data
    from runners.slug import slug

    name = "/".join(split_name(version))
    with _tree(root, base) as before:
        done = prepare(root, before, Wish(name, model, by, licence, cleared or (), note), say_to(as_json))
    text = root / "build" / "submissions" / f"{Path(done.file).stem}.md"
    text.parent.mkdir(parents=True, exist_ok=True)
    text.write_text(done.text, "utf-8")
    result = {"submission": done.file, "text": str(text), "branch": None, "bundle": None, **data(done.review)}
    if bundle is not None or Path(base).is_dir():
        bundle = bundle or text.with_suffix(".tar")
        write_bundle(root, done, bundle)
        result["bundle"] = str(bundle)
        where = f"The bundle {bundle} holds the new files"
    else:
        branch = branch or f"submit/{name.replace('/', '-')}/{slug(model[0])}"
        write_branch(root, base, branch, done)
        result["branch"] = branch
        where = f"The branch {branch} holds the new files: git push origin {branch}"
    lines = [
        f"{done.review.verdict}: {len(done.review.added)} files, as CI will see them",
        *(f"{each}: {status}" for each, status in done.review.rows[name].items() if each in model),
        where,
        f"The text of the pull request: {text}",
    ]
    show(result, as_json, harmless("\n".join(lines)))


def review(
    base: Annotated[Path, typer.Option("--base", help="The folder of the base: what is published.")],
    proposed: Annotated[Path, typer.Option("--proposed", help="The folder of what is proposed.")],
    summary: Annotated[
        Path | None, typer.Option("--summary", help="Also write the summary, in Markdown, to the end of this file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The verdict over proposed runs: whose files, append-only, no secret, complete, computed twice."""
    from runners.release.review import review as review_trees
    from runners.release.summary import as_json as data
    from runners.release.summary import markdown
    from runners.release.trees import read_tree

    found = review_trees(read_tree(base), read_tree(proposed), say_to(as_json))
    text = markdown(found)
    if summary is not None:
        with summary.open("a", encoding="utf-8") as file:
            file.write(text)
    show(data(found), as_json, text)
    if found.findings:
        raise Refused("not accepted", found.findings)


@contextmanager
def _tree(root: Path, base: str) -> Iterator[Tree]:
    from runners.release.trees import checked_out, read_tree

    if Path(base).is_dir():
        yield read_tree(Path(base))
    else:
        with checked_out(root, base) as folder:
            yield read_tree(folder)
