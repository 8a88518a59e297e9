"""``ninefold data``: writes data sets, and goes on where it was interrupted; or checks one."""

from __future__ import annotations

import argparse
from pathlib import Path

from ninefold.arena.progress import Progress
from ninefold.core.exit_codes import INTERRUPTED, REFUSED
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.games import all_games
from ninefold.train.data.check import faults
from ninefold.train.data.folder import begin_data, data_size, make_data, plan_data, read_data_plan


def data(given: argparse.Namespace) -> int:
    """Make a data set, or check it."""
    folder = Path(given.folder)
    if given.check:
        return _check(folder)
    plan = plan_data(tuple(given.games or all_games()), given.positions, given.depth, given.seed)
    begin_data(folder, plan)
    try:
        make_data(folder, plan, given.workers, _DataProgress())
    except KeyboardInterrupt:
        print(text("data.interrupted"))
        return INTERRUPTED
    _report(folder)
    return 0


class _DataProgress:
    """Shows how far each game is."""

    def __init__(self) -> None:
        self._bars: dict[str, Progress] = {}

    def __call__(self, game: Game, done: int, size: int) -> None:
        if game.id not in self._bars:
            self._bars[game.id] = Progress(done, size, text("data.unit", game=game.id))
        self._bars[game.id].show(done)


def _report(folder: Path) -> None:
    size = data_size(folder)
    print(text("data.complete", folder=folder, rows=size.rows, megabytes=size.bytes / 1e6, files=size.files))


def _check(folder: Path) -> int:
    found = list(faults(folder, read_data_plan(folder)))
    for fault in found:
        print(fault)
    if not found:
        print(text("data.right", folder=folder))
    return REFUSED if found else 0
