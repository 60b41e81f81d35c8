"""A team in one version of Cascades: each cell, each seed, each of its games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from leaderboard import urls
from leaderboard.cascades import seed_charts
from leaderboard.cascades.gamelog import GameLog
from leaderboard.cascades.shapes import CascadesRow, CascadesVersion, CellRow, Game, RoundRow
from leaderboard.pages.common import Site, how
from leaderboard.pages.model import ModelPage, model_fields, settings_text
from leaderboard.slugs import slug


@dataclass(frozen=True, slots=True)
class Origin:
    """How some of the model's games were made."""

    route: str
    settings: str
    runner: str
    served: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LogNote:
    """What is kept of a log once its page is written: where it is, and how it was made."""

    model: str
    run: str
    folder: str
    sha256: str
    bytes: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class GameLine:
    game: Game
    address: str
    log: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class CellLine:
    row: CellRow
    how: str


@dataclass(frozen=True, kw_only=True)
class CascadesModelPage(ModelPage):
    template: ClassVar[str] = "cascades/model.html"

    cells: tuple[CellLine, ...]
    rounds: tuple[RoundRow, ...]
    games: tuple[GameLine, ...]
    origins: tuple[Origin, ...]
    all_seeds: int
    workers: int


def note_of(log: GameLog) -> LogNote:
    """Keep of a log what the model's page needs."""
    served = {call.reply.served for turn in log.turns.values() for call in turn.calls if call.reply.served}
    origin = Origin(log.route, settings_text(log.settings), log.runner, tuple(sorted(served)))
    return LogNote(log.model, log.run, log.folder, log.sha256, len(log.raw), origin)


def model_page(site: Site, version: CascadesVersion, row: CascadesRow, notes: Sequence[LogNote]) -> CascadesModelPage:
    b, v = version.benchmark, version.name
    own = {note.run: note for note in notes if note.model == row.model and note.folder == slug(row.model)}
    games = [g for g in version.games if g.model == row.model]
    return CascadesModelPage(
        **model_fields(site, version, row),
        cells=tuple(CellLine(c, f"{urls.numbers(b, v)}#cells") for c in version.cells if c.model == row.model),
        rounds=tuple(r for r in version.rounds if r.model == row.model),
        games=tuple(_line(version, game, own[game.run]) for game in games if game.run in own),
        charts=seed_charts.seeds(
            row.model,
            games,
            version.play_cells,
            version.play_seeds,
            version.workers,
            how(version, "adoption", row.model),
        )
        if any(g.state == "finished" for g in games)
        else (),
        origins=tuple(dict.fromkeys(note.origin for note in own.values())),
        all_seeds=len(version.play_seeds),
        workers=version.workers,
    )


def _line(version: CascadesVersion, game: Game, note: LogNote) -> GameLine:
    b, v = version.benchmark, version.name
    return GameLine(
        game,
        urls.game(b, v, note.folder, note.run),
        urls.log(b, v, note.folder, note.run),
        note.sha256,
        note.bytes,
    )
