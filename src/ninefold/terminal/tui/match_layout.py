"""The widgets of a match: the board, and around it the players, the moves, the prompt and the keys."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size

from ninefold.analysis.threats import threats
from ninefold.core.messages import text
from ninefold.match import move_input
from ninefold.match.clock import ClockReading
from ninefold.terminal.tui.analysis_panel import AnalysisPanel, values_on_board
from ninefold.terminal.tui.analyst import LINES, MANY_LINES, AnalysisReport
from ninefold.terminal.tui.bars import LEAST, KeyBar, TitleBar, too_small
from ninefold.terminal.tui.board import BoardMarks, BoardWidget
from ninefold.terminal.tui.offered_keys import keys
from ninefold.terminal.tui.panels import ChecklistPanel, MovesPanel, PlayersPanel, TextPanel
from ninefold.terminal.tui.prompts import ViewState, connection, prompt
from ninefold.terminal.tui.scene import fit

WIDE = 110  # columns, from which on there is more room at the side
TALL = 44  # rows, from which on there is room for more of the analysis, and for a second row of keys
ALL_KEYS = 170  # columns that have room for all of them in one row
SIDE = 46  # columns at the side of a wide window, at least
WIDEST_SIDE = 100
OTHER_ROWS = 5  # above and below the board: title, prompt, message, keys
LOW = (18, 19)  # rows, in which a board of boards has its place if the title gives way


class MatchLayout(Vertical):
    """It holds nothing of the match: everything is shown from the view state that it is given."""

    DEFAULT_CSS = """
    MatchLayout #table { height: 1fr; }
    MatchLayout BoardWidget { width: 1fr; height: 1fr; }
    MatchLayout #side { width: 40; padding: 0 1; }
    MatchLayout.narrow #side { display: none; }
    MatchLayout #players { height: 2; margin: 1 0; }
    MatchLayout #analysis { height: 15; display: none; }
    MatchLayout.wide #analysis { height: 18; margin-bottom: 1; }
    MatchLayout.tall #analysis { height: 2fr; }
    MatchLayout.two-rows #keys { height: 2; }
    MatchLayout #moves { height: 1fr; }
    MatchLayout #prompt { height: 1; padding: 0 1; text-style: bold; }
    MatchLayout #message { height: 2; padding: 0 1; color: $label; }
    MatchLayout.low #title { display: none; }
    MatchLayout.low #message { height: 1; }
    """

    def __init__(self, board: BoardWidget) -> None:
        super().__init__()
        self.board = board
        self._side = Vertical(id="side")
        self._title = TitleBar(board.game.title, id="title")
        self._players, self._moves = PlayersPanel(id="players"), MovesPanel(id="moves")
        self._checklist, self._analysis = ChecklistPanel(id="checklist"), AnalysisPanel(id="analysis")
        self._prompt, self._message = TextPanel(id="prompt"), TextPanel(id="message")
        self._keys = KeyBar(id="keys")

    def compose(self) -> ComposeResult:
        yield self._title
        with Horizontal(id="table"):
            yield self.board
            with self._side:
                yield self._players
                yield self._checklist
                yield self._analysis
                yield self._moves
        yield self._prompt
        yield self._message
        yield self._keys

    def fit(self, size: Size) -> None:
        self.set_class(size.width >= WIDE, "wide")
        self.set_class(size.height >= TALL, "tall")
        self.set_class(size.height >= TALL and size.width < ALL_KEYS, "two-rows")
        self._side.styles.width = self._side_width(size) if size.width >= WIDE else None
        self.set_class(size.width < LEAST.width, "narrow")  # the board first
        self.set_class(size.height in LOW, "low")

    def _side_width(self, size: Size) -> int:
        """What the largest board that fits leaves over."""
        rows = size.height - OTHER_ROWS - self.has_class("two-rows")
        drawn = fit(self.board.game.picture.boards, size.width - SIDE, rows)
        return max(SIDE, min(WIDEST_SIDE, size.width - drawn.width - 4))

    @property
    def analysis_lines(self) -> int:
        """How many variations there is room for."""
        return MANY_LINES if self.has_class("tall") else LINES

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
            self._analysis.show(view.history, report, view.way)

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
        has_threats = view.shows_threats and history.position.moves() and not has_ended
        return BoardMarks(
            last=history.last,
            lines=history.lines,
            claimed=frozenset(pending.cells if pending else ()),
            winning=threats(match.game, history.position, claims=match.setup.has_claims) if has_threats else {},
            values=_values(view, report),
            hint=_hinted(view),
        )


def _hinted(view: ViewState) -> frozenset[int]:
    """The squares that the hint names: of a move the next choice, which is the same square once more where nothing is
    to be taken."""
    if view.hint is None or not view.history.is_latest:
        return frozenset()
    game, way, path = view.match.game, view.way, view.hint.path
    if path[: len(way)] != way:
        return frozenset()
    steps = 2 if game.picture.boards else len(way) + 1
    square = move_input.square_at(game, path[:steps])
    return frozenset(view.hint.claim) | (frozenset() if square is None else {square})


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
