"""A match as it is seen now: the board, and around it who plays, what was played, what is asked, and the keys."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size

from ninefold.analysis.threats import threats
from ninefold.terminal.tui.analysis_panel import Opinions, values_on_board
from ninefold.terminal.tui.analyst import Opinion
from ninefold.terminal.tui.bars import LEAST, Bar, Keys, too_small
from ninefold.terminal.tui.board import Board, Shown
from ninefold.terminal.tui.checklist import Checklist
from ninefold.terminal.tui.history_view import Seen
from ninefold.terminal.tui.panes import Moves, Players, Words
from ninefold.terminal.tui.prompts import Situation, keys, prompt
from ninefold.terminal.tui.tables import Table

WIDE = 110  # columns, from which on there is more room at the side
LOW = (18, 19)  # rows, in which a board of boards has its place if the title gives way


class MatchView(Vertical):
    """It keeps nothing of the match: everything is shown from the situation that it is given."""

    DEFAULT_CSS = """
    MatchView #table { height: 1fr; }
    MatchView Board { width: 1fr; height: 1fr; }
    MatchView #side { width: 40; padding: 0 1; }
    MatchView.wide #side { width: 46; }
    MatchView.narrow #side { display: none; }
    MatchView #players { height: 2; margin: 1 0; }
    MatchView #opinions { height: 15; display: none; }
    MatchView.wide #opinions { height: 18; margin-bottom: 1; }
    MatchView #moves { height: 1fr; }
    MatchView #prompt { height: 1; padding: 0 1; text-style: bold; }
    MatchView #message { height: 2; padding: 0 1; color: $label; }
    MatchView.low #title { display: none; }
    MatchView.low #message { height: 1; }
    """

    def __init__(self, board: Board, *, shows_threats: bool) -> None:
        super().__init__()
        self.board = board
        self.shows_threats = shows_threats
        self._bar = Bar(board.game.title, id="title")
        self._players, self._moves = Players(id="players"), Moves(id="moves")
        self._checklist, self._opinions = Checklist(id="checklist"), Opinions(id="opinions")
        self._prompt, self._message = Words(id="prompt"), Words(id="message")
        self._keys = Keys(id="keys")

    def compose(self) -> ComposeResult:
        yield self._bar
        with Horizontal(id="table"):
            yield self.board
            with Vertical(id="side"):
                yield self._players
                yield self._checklist
                yield self._opinions
                yield self._moves
        yield self._prompt
        yield self._message
        yield self._keys

    def fit(self, size: Size) -> None:
        self.set_class(size.width >= WIDE, "wide")
        self.set_class(size.width < LEAST.width, "narrow")  # the board first
        self.set_class(size.height in LOW, "low")

    def open_analysis(self, is_open: bool) -> None:
        self._opinions.display = is_open

    def show(self, now: Situation, message: str, opinion: Opinion | None) -> None:
        self.show_board(now, opinion)
        self.show_players(now.table, now.seen)
        self._moves.show(now.seen)
        self._bar.show(_standing(now, self.screen.size))
        self.show_words(now, message)

    def show_board(self, now: Situation, opinion: Opinion | None) -> None:
        """The board, and beside it what the analyst thinks."""
        self.board.show(now.seen.position, self._shown(now, opinion), is_live=now.is_live)
        if now.analyzing:
            self._opinions.show(now.seen, opinion)

    def show_players(self, table: Table, seen: Seen) -> None:
        """Both players, and their clocks."""
        self._players.show(table, seen)

    def show_words(self, now: Situation, message: str) -> None:
        """What is asked, what was said, and the keys."""
        self._checklist.show(now)
        self._prompt.put(Content(prompt(now)))
        self._message.put(Content(message))
        self._keys.offer(keys(now))

    def _shown(self, now: Situation, opinion: Opinion | None) -> Shown:
        seen, match = now.seen, now.match
        pending = match.state.pending if seen.is_latest else None
        ended = seen.is_latest and match.result is not None
        going = self.shows_threats and seen.position.moves() and not ended
        return Shown(
            last=seen.last,
            lines=seen.lines,
            claimed=frozenset(pending.cells if pending else ()),
            winning=threats(match.game, seen.position, claims=match.setup.has_claims) if going else {},
            values=_values(now, opinion),
        )


def _values(now: Situation, opinion: Opinion | None) -> dict[int, str]:
    seen = now.seen
    if not now.analyzing or not opinion or not opinion.analysis or opinion.position != seen.position:
        return {}
    return dict(values_on_board(seen.match.game, seen.position, opinion.analysis, now.way))


def _standing(now: Situation, size: Size) -> str:
    """What is at the right of the title."""
    seen = now.seen
    looking_back = "" if seen.is_latest else f"move {seen.ply} of {len(seen.positions) - 1}"
    parts = (too_small(size), looking_back, now.table.connection)
    return "  ".join(part for part in parts if part)
