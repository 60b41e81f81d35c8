"""`countersign submit`: what the runs of a model add to a version, with its verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runners import strict
from runners.benchmarks import benchmark as rules
from runners.errors import Refused, UsageError
from runners.files import write_whole
from runners.release.freeze import now
from runners.release.manifest import digests
from runners.release.policy import is_log, is_submission
from runners.release.review import Review, review
from runners.release.submission import FOLDER, LICENCES, Model, Submission, submission_json
from runners.release.summary import markdown
from runners.release.trees import Tree, read_tree
from runners.slug import slug


@dataclass(frozen=True)
class Wish:
    """What the submitter says."""

    version: str
    models: Sequence[str]
    by: str
    licence: str
    cleared: Sequence[str] = ()
    note: str = ""


@dataclass(frozen=True)
class Submitted:
    """What was made: the submission's own file, and the review with its text for the pull request."""

    file: str
    """From the root."""
    review: Review
    title: str
    text: str


@dataclass(frozen=True)
class NewLog:
    """A log that the base does not have: its events as far as they can be read; the review judges the rest."""

    path: str
    events: Sequence[Mapping[str, Any]]

    @property
    def start(self) -> Mapping[str, Any]:
        """The first event."""
        return self.events[0] if self.events else {}

    @property
    def players(self) -> set[str]:
        """Every model whose replies are in it."""
        return {str(self.start.get("model")), *map(str, self.start.get("attackers", ()))}


def prepare(root: Path, base: Tree, wish: Wish, say: Callable[[str], None]) -> Submitted:
    """Write the submission's file beside the new logs, and review it as CI does; a refused one leaves what was there.

    Raises:
        UsageError: nothing new of these models, or what the submitter says is not enough.
        Refused: the review refuses; names every finding.
        CouldNotCheck: the checker gave no verdict.
    """
    if wish.licence not in LICENCES:
        raise UsageError(f"--licence {wish.licence}: expected one of {', '.join(LICENCES)}")
    if not wish.by.strip():
        raise UsageError("--by is empty: say who ran the models; readers see it")
    rules(wish.version.partition("/")[0])
    new = sorted(path for path in read_tree(root).files if path not in base.files and is_log(path, wish.version))
    logs = [NewLog(path, _events(root / path)) for path in new]
    own = [log for log in logs if log.players & set(wish.models)]
    missing = [model for model in wish.models if not any(model in log.players for log in own)]
    if missing or not own:
        raise UsageError(
            f"no new run of {', '.join(missing)} in {root / 'runs' / wish.version / 'logs'}: "
            "everything that is there is in the base already. Play first: countersign play"
        )
    file = _free_name(wish, base)
    earlier = (root / file).read_bytes() if (root / file).is_file() else None
    write_whole(root / file, submission_json(_submission(root, wish, own)))
    try:
        found = review(base, _proposed(root, base, {file, *(log.path for log in own)}), say)
        if found.findings or not found.added:
            raise Refused(f"{wish.version}: not submitted", found.findings)
    except BaseException:
        if earlier is None:
            (root / file).unlink()
        else:
            write_whole(root / file, earlier)
        raise
    title = f"{wish.version}: {', '.join(wish.models)}"
    return Submitted(file, found, title, markdown(found, title))


def _free_name(wish: Wish, base: Tree) -> str:
    stem = f"runs/{wish.version}/{FOLDER}/{slug(wish.models[0])}-{now()[:10].replace('-', '')}"
    names = (f"{stem}{f'-{number}' if number > 1 else ''}.json" for number in range(1, len(base.files) + 2))
    return next(name for name in names if name not in base.files)


def _events(path: Path) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for line in path.read_bytes().splitlines():
        try:
            event = strict.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            found.append(event)
    return found


def _submission(root: Path, wish: Wish, own: Sequence[NewLog]) -> Submission:
    benchmark, _, version = wish.version.partition("/")
    starts = {str(log.start.get("model")): log.start for log in own}
    attempts = [event for log in own for event in log.events if event.get("event") in ("call", "failure")]
    costs = [cost for event in attempts if isinstance(cost := event.get("cost"), int)]
    prefix = f"runs/{wish.version}/"
    return Submission(
        benchmark=benchmark,
        version=version,
        models=[_model(name, starts.get(name, {})) for name in wish.models],
        by=" ".join(wish.by.split()),
        at=now(),
        licence=wish.licence,
        calls=len(attempts),
        cost_microusd=sum(costs) if len(costs) == len(attempts) else None,
        logs={path.removeprefix(prefix): digest for path, digest in digests(root, (log.path for log in own)).items()},
        cleared=sorted(place.removeprefix(prefix) for place in wish.cleared),
        note=" ".join(wish.note.split()),
    )


def _model(name: str, start: Mapping[str, Any]) -> Model:
    settings = start.get("settings")
    kind = "baseline" if name.startswith("scripted:") else "model"
    return Model(name, kind, settings if isinstance(settings, dict) else {})


def _proposed(root: Path, base: Tree, own: set[str]) -> Tree:
    """The working tree, less other new runs and submissions, and with the tables of the base: none is submitted.

    Everything else that differs from the base stays in, so that it is refused here as it would be in CI.
    """
    files = {}
    for path, size in read_tree(root).files.items():
        others = (is_log(path) or is_submission(path)) and path not in own and path not in base.files
        if not others and not path.startswith("tables/"):
            files[path] = size
    tables = {path: size for path, size in base.files.items() if path.startswith("tables/")}
    return Tree(root, files | tables, base.root)
