"""The widgets of a match: the board, and around it the players, the moves, the prompt and the keys."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size

from ninefold.analysis.threats import threats
from ninefold.core.messages import text
from ninefold.match.clock import ClockReading
from ninefold.terminal.tui.analysis_panel import AnalysisPanel, values_on_board
from ninefold.terminal.tui.analyst import AnalysisReport
from ninefold.terminal.tui.bars import LEAST, KeyBar, TitleBar, too_small
from ninefold.terminal.tui.board import BoardMarks, BoardWidget
from ninefold.terminal.tui.panels import ChecklistPanel, MovesPanel, PlayersPanel, TextPanel
from ninefold.terminal.tui.prompts import ViewState, connection, keys, prompt

WIDE = 110  # columns, from which on there is more room at the side
LOW = (18, 19)  # rows, in which a board of boards has its place if the title gives way


class MatchLayout(Vertical):
    """It holds nothing of the match: everything is shown from the view state that it is given."""

    DEFAULT_CSS = """
    MatchLayout #table { height: 1fr; }
    MatchLayout BoardWidget { width: 1fr; height: 1fr; }
    MatchLayout #side { width: 40; padding: 0 1; }
    MatchLayout.wide #side { width: 46; }
    MatchLayout.narrow #side { display: none; }
    MatchLayout #players { height: 2; margin: 1 0; }
    MatchLayout #analysis { height: 15; display: none; }
    MatchLayout.wide #analysis { height: 18; margin-bottom: 1; }
    MatchLayout #moves { height: 1fr; }
    MatchLayout #prompt { height: 1; padding: 0 1; text-style: bold; }
    MatchLayout #message { height: 2; padding: 0 1; color: $label; }
    MatchLayout.low #title { display: none; }
    MatchLayout.low #message { height: 1; }
    """

    def __init__(self, board: BoardWidget, *, shows_threats: bool) -> None:
        super().__init__()
        self.board = board
        self.shows_threats = shows_threats
        self._title = TitleBar(board.game.title, id="title")
        self._players, self._moves = PlayersPanel(id="players"), MovesPanel(id="moves")
        self._checklist, self._analysis = ChecklistPanel(id="checklist"), AnalysisPanel(id="analysis")
        self._prompt, self._message = TextPanel(id="prompt"), TextPanel(id="message")
        self._keys = KeyBar(id="keys")

    def compose(self) -> ComposeResult:
        yield self._title
        with Horizontal(id="table"):
            yield self.board
            with Vertical(id="side"):
                yield self._players
                yield self._checklist
                yield self._analysis
                yield self._moves
        yield self._prompt
        yield self._message
        yield self._keys

    def fit(self, size: Size) -> None:
        self.set_class(size.width >= WIDE, "wide")
        self.set_class(size.width < LEAST.width, "narrow")  # the board first
        self.set_class(size.height in LOW, "low")

    def open_analysis(self, is_open: bool) -> None:
        self._analysis.display = is_open

    def show(self, view: ViewState, clock: ClockReading | None, message: str, report: AnalysisReport | None) -> None:
        self.show_board(view, report)
        self.show_players(view, clock)
        self._moves.show(view.history)
        self._title.show(_status(view, self.screen.size))
        self.show_text(view, message)

    def show_board(self, view: ViewState, report: AnalysisReport | None) -> None:
        """The board, and the analysis beside it."""
        self.board.show(view.history.position, self._marks(view, report), is_live=view.is_live)
        if view.analyzing:
            self._analysis.show(view.history, report)

    def show_players(self, view: ViewState, clock: ClockReading | None) -> None:
        self._players.show(view.session, clock, view.history)

    def show_text(self, view: ViewState, message: str) -> None:
        """The prompt, the message, and the keys."""
        self._checklist.show(view)
        self._prompt.show_text(Content(prompt(view)))
        self._message.show_text(Content(message))
        self._keys.show_keys(keys(view))

    def _marks(self, view: ViewState, report: AnalysisReport | None) -> BoardMarks:
        history, match = view.history, view.match
        pending = match.state.pending if history.is_latest else None
        has_ended = history.is_latest and match.result is not None
        has_threats = self.shows_threats and history.position.moves() and not has_ended
        return BoardMarks(
            last=history.last,
            lines=history.lines,
            claimed=frozenset(pending.cells if pending else ()),
            winning=threats(match.game, history.position, claims=match.setup.has_claims) if has_threats else {},
            values=_values(view, report),
        )


def _values(view: ViewState, report: AnalysisReport | None) -> dict[int, str]:
    history = view.history
    if not view.analyzing or not report or not report.analysis or report.position != history.position:
        return {}
    return dict(values_on_board(history.match.game, history.position, report.analysis, view.way))


def _status(view: ViewState, size: Size) -> str:
    """What is at the right of the title."""
    history = view.history
    place = "" if history.is_latest else text("screen.move", ply=history.ply, moves=len(history.positions) - 1)
    parts = (too_small(size), place, connection(view.session))
    return "  ".join(part for part in parts if part)
