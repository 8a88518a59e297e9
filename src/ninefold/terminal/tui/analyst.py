"""Looks at a game beside the player: what the moves here are worth, and how the game has gone. In a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ninefold.analysis.evaluation import Analysis, Search, analysis_of, analyze
from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.terminal.tui.history_view import Seen
from ninefold.terminal.tui.threads import Work

if TYPE_CHECKING:
    from ninefold.analysis.engine import Engine, SearchInfo

GRAPH = Search(nodes=20_000, lines=1, memory=2**20)  # for each position of a big game
LINES = 3  # of the engine, at a time
EVERY = 0.15  # seconds between two reports
MEMORY = 64 * 2**20


class Opinion(NamedTuple):
    """What is known so far. ``scores`` are what X can hope for, by position, from -1 to 1."""

    position: Position
    analysis: Analysis | None = None
    scores: Mapping[Position, float] = {}


class Analyst:
    """``tell`` is called in the loop with every opinion that is new."""

    def __init__(self, tell: Callable[[Opinion], None]) -> None:
        self._tell = tell
        self._work: Work[None] | None = None
        self._scores: dict[Position, float] = {}
        self._engine: Engine | None = None
        self._one_at_a_time = threading.Lock()
        self._told_at = 0.0

    def look(self, seen: Seen) -> None:
        """From now on, look at this."""
        self.rest()
        self._work = Work(partial(self._think, seen), lambda _: None)

    def rest(self, wait: float = 0.0) -> None:
        if self._work:
            self._work.stop(wait)
            self._work = None

    # In the thread

    def _think(self, seen: Seen, work: Work[None]) -> None:
        with self._one_at_a_time:
            game, position, claims = seen.match.game, seen.position, seen.match.setup.has_claims
            self._told_at = time.monotonic()
            self._follow(seen, claims, work)
            if not work.is_wanted():
                return
            if game.small or not position.moves():
                self._report(work, self._known(position, self._looked_at(game, position, claims)))
            else:
                self._search(game, position, work)

    def _follow(self, seen: Seen, claims: bool, work: Work[None]) -> None:
        """Every other position of the game, for its graph, as far as they are not known."""
        for position in seen.positions:
            if not work.is_wanted():
                return
            if position not in self._scores and position != seen.position:
                found = self._looked_at(seen.match.game, position, claims)
                self._scores[position] = found.for_x(position)
                if self._is_time():
                    self._report(work, Opinion(seen.position, None, dict(self._scores)))

    def _looked_at(self, game: Game, position: Position, claims: bool) -> Analysis:
        try:
            return analyze(game, position, claims=claims, search=GRAPH)
        except NotAllowed:  # what nobody plays to: the table does not have it
            return Analysis(())

    def _search(self, game: Game, position: Position, work: Work[None]) -> None:
        """Think about one position until somebody wants something else, or all is known."""
        from ninefold.analysis import engine

        if not engine.plays(position):
            self._report(work, self._known(position, analyze(game, position)))
            return

        def listen(info: SearchInfo) -> bool:
            if info.lines and self._is_time():
                self._report(work, self._known(position, analysis_of(game, info)))
            return work.is_wanted()

        self._engine = self._engine or engine.Engine(MEMORY)
        lines = min(LINES, len(position.moves()))
        info = self._engine.search(position, lines=lines, listener=listen)
        if info.lines:
            self._report(work, self._known(position, analysis_of(game, info)))

    def _known(self, position: Position, analysis: Analysis) -> Opinion:
        self._scores[position] = analysis.for_x(position)
        return Opinion(position, analysis, dict(self._scores))

    def _is_time(self) -> bool:
        """For a report: each is a frame, for which a key may have to wait."""
        return time.monotonic() - self._told_at >= EVERY

    def _report(self, work: Work[None], opinion: Opinion) -> None:
        self._told_at = time.monotonic()
        work.report(partial(self._tell, opinion))
