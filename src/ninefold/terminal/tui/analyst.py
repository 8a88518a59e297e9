"""Analysis in the background: what the moves of a position are worth, how the game has gone, and hints."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual.timer import Timer

from ninefold.analysis.evaluation import Analysis, Search, analysis_of, analyze
from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.position import Path as Choices
from ninefold.core.position import Position
from ninefold.match import move_input
from ninefold.match.match import Match
from ninefold.terminal.hints import Hint, find_hint
from ninefold.terminal.tui.executor import BackgroundTask
from ninefold.terminal.tui.timeline import HistoryView

if TYPE_CHECKING:
    from ninefold.analysis.engine import Engine, SearchInfo

GRAPH_SEARCH = Search(nodes=20_000, lines=1, memory=2**20)  # of each position of a big game
LINES, MANY_LINES = 3, 8  # of the engine, at a time; many where there is room for them
INTERVAL = 0.15  # seconds between two reports
LIMIT, BATTERY_LIMIT = 30.0, 10.0  # seconds of searching one position; less where a battery is drained
POWER = Path("/sys/class/power_supply")  # where Linux tells of batteries
DELAY = 0.05  # seconds after a move before the analysis begins

FindHint = Callable[[Match, Choices], Hint]


class AnalysisReport(NamedTuple):
    """What is known so far. ``scores`` are X's expected results by position, from -1 to 1. ``paused_after`` are the
    seconds after which the search was paused; 0 if it goes on, or if everything is known."""

    position: Position
    analysis: Analysis | None = None
    scores: Mapping[Position, float] = {}
    paused_after: float = 0.0


def search_limit(power: Path = POWER) -> float:
    """How many seconds a position is searched before somebody has to want more of it."""
    states = [_read(file) for file in power.glob("*/status")]
    return BATTERY_LIMIT if "Discharging" in states else LIMIT


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _can_search(position: Position) -> bool:
    from ninefold.analysis.engine import plays

    return plays(position)


class Analyst:
    """Analyzes one position at a time. ``report`` is called in the loop with everything that is new.

    ``evaluate`` values the moves of a position once; a position that ``can_search`` is searched for as many seconds as
    ``limit`` returns, with ``lines`` ranked moves.
    """

    def __init__(
        self,
        report: Callable[[AnalysisReport], None],
        *,
        graph_search: Search = GRAPH_SEARCH,
        evaluate: Callable[..., Analysis] = analyze,
        can_search: Callable[[Position], bool] = _can_search,
        limit: Callable[[], float] = search_limit,
    ) -> None:
        self.lines = LINES
        self._on_report, self._graph_search, self._limit = report, graph_search, limit
        self._evaluate, self._can_search = evaluate, can_search
        self._task: BackgroundTask[None] | None = None
        self._scores: dict[Position, float] = {}
        self._engine: Engine | None = None
        self._one_at_a_time = threading.Lock()
        self._reported_at = 0.0

    def analyze(self, history: HistoryView) -> None:
        """From now on, analyze the position that is looked at."""
        self.stop()
        self._task = BackgroundTask(partial(self._run, history), lambda _: None)

    def stop(self, wait: float = 0.0) -> None:
        if self._task:
            self._task.cancel(wait)
            self._task = None

    # In the thread

    def _run(self, history: HistoryView, task: BackgroundTask[None]) -> None:
        with self._one_at_a_time:
            game, position, claims = history.match.game, history.position, history.match.setup.has_claims
            self._reported_at = time.monotonic()
            self._score_others(history, claims, task)
            if not task.is_wanted():
                return
            if game.small or not position.moves():
                self._report(task, self._scored(position, self._analyzed(game, position, claims)))
            else:
                self._search(game, position, task)

    def _score_others(self, history: HistoryView, claims: bool, task: BackgroundTask[None]) -> None:
        """Score every other position of the game, for its graph, unless it is known."""
        for position in history.positions:
            if not task.is_wanted():
                return
            if position not in self._scores and position != history.position:
                found = self._analyzed(history.match.game, position, claims)
                self._scores[position] = found.for_x(position)
                if self._is_report_due():
                    self._report(task, AnalysisReport(history.position, None, dict(self._scores)))

    def _analyzed(self, game: Game, position: Position, claims: bool) -> Analysis:
        try:
            return self._evaluate(game, position, claims=claims, search=self._graph_search)
        except NotAllowed:  # nobody plays to there: the table does not have it
            return Analysis(())

    def _search(self, game: Game, position: Position, task: BackgroundTask[None]) -> None:
        """Search one position until the task is cancelled, its time is over, or everything is known."""
        if not self._can_search(position):
            self._report(task, self._scored(position, self._evaluate(game, position)))
            return
        from ninefold.analysis import engine

        def listen(info: SearchInfo) -> bool:
            if info.lines and self._is_report_due():
                self._report(task, self._scored(position, analysis_of(game, info)))
            return task.is_wanted()

        self._engine = self._engine or engine.Engine()
        lines, limit = min(self.lines, len(position.moves())), self._limit()
        info = self._engine.search(position, seconds=limit, lines=lines, listener=listen)
        if info.lines:
            analysis = analysis_of(game, info)
            paused_after = 0.0 if analysis.exact else limit
            self._report(task, self._scored(position, analysis)._replace(paused_after=paused_after))

    def _scored(self, position: Position, analysis: Analysis) -> AnalysisReport:
        self._scores[position] = analysis.for_x(position)
        return AnalysisReport(position, analysis, dict(self._scores))

    def _is_report_due(self) -> bool:
        """Each report is a frame, for which a key may have to wait."""
        return time.monotonic() - self._reported_at >= INTERVAL

    def _report(self, task: BackgroundTask[None], report: AnalysisReport) -> None:
        self._reported_at = time.monotonic()
        task.report(partial(self._on_report, report))


class LiveAnalysis:
    """The analysis that is open beside the board. It follows what is looked at.

    ``history`` returns what that is, ``set_timer`` calls something later, and ``show`` is called with every report.
    """

    def __init__(
        self,
        history: Callable[[], HistoryView],
        set_timer: Callable[[float, Callable[[], None]], Timer],
        show: Callable[[], None],
        make_analyst: Callable[[Callable[[AnalysisReport], None]], Analyst] = Analyst,
    ) -> None:
        self._history, self._set_timer, self._show = history, set_timer, show
        self.is_open: bool = False
        self.report: AnalysisReport | None = None
        self.analyst: Analyst = make_analyst(self.receive)
        self._timer: Timer | None = None

    def toggle(self) -> None:
        self.is_open = not self.is_open
        self.report = None
        self.follow()

    def follow(self) -> None:
        """Analyze what is looked at now, after the screen has shown it: the person who pressed the key comes first."""
        self.stop()
        if self.is_open:
            self._timer = self._set_timer(DELAY, lambda: self.analyst.analyze(self._history()))

    @property
    def is_paused(self) -> bool:
        """True if the position that is looked at was searched as long as the limit allows."""
        known = self.report
        return self.is_open and known is not None and bool(known.paused_after) and self._is_of_now(known)

    def search_on(self) -> None:
        """Search the same position for as long again; what the engine remembers brings it back to where it was."""
        if self.report:
            self.report = self.report._replace(paused_after=0.0)
        self.follow()

    def _is_of_now(self, report: AnalysisReport) -> bool:
        return report.position == self._history().position

    def stop(self, wait: float = 0.0) -> None:
        """Stop, and wait so many seconds for the thread to end."""
        if self._timer:
            self._timer.stop()
        self.analyst.stop(wait)

    def receive(self, report: AnalysisReport) -> None:
        """A position's analysis stays until there is a better one."""
        known = self.report
        if known and known.position == report.position and _depth(known) > _depth(report):
            scores = {one: score for one, score in known.scores.items() if one == report.position}
            report = report._replace(analysis=known.analysis, scores={**report.scores, **scores})
        self.report = report
        self._show()


def _depth(report: AnalysisReport) -> int:
    """How deep the analysis of a report has come; exact values need no depth."""
    if report.analysis is None:
        return -1
    return report.analysis.info.depth if report.analysis.info else 0


class HintSearch:
    """Looks for one hint at a time: in the big games that takes a while. ``found`` is called with the match that it is
    for, and with it."""

    def __init__(self, found: Callable[[Match, Hint], None], find: FindHint = find_hint) -> None:
        self._on_found, self._find = found, find
        self._task: BackgroundTask[Hint] | None = None
        self._wanted: tuple[Match, Choices] | None = None

    def start(self, match: Match, way: Choices) -> None:
        """For the next choice on the way to a move; choices that are not asked for are skipped."""
        wanted = match, way or move_input.begun(match.game, match.position)
        if self._task and wanted == self._wanted:
            return
        self.stop()
        self._wanted = wanted
        self._task = BackgroundTask(lambda _: self._find(*wanted), partial(self._found, match))

    def stop(self) -> None:
        if self._task:
            self._task.cancel()
            self._task = None

    def _found(self, match: Match, found: Hint) -> None:
        self._task = None
        self._on_found(match, found)
