"""What the screen of a match asks now, from everything that decides it."""

from __future__ import annotations

from typing import NamedTuple

from ninefold.client.session import SeatAction, SessionState
from ninefold.core.messages import text
from ninefold.core.position import Path
from ninefold.match import move_input
from ninefold.match.match import Match
from ninefold.terminal.hints import Hint
from ninefold.terminal.tui.board import CLAIMED
from ninefold.terminal.tui.timeline import HistoryView


class ViewState(NamedTuple):
    """Everything that decides what is asked and what can be done."""

    session: SessionState
    history: HistoryView
    is_sending: bool = False  # an action is on its way to a server
    way: Path = ()  # chosen so far
    digits: str = ""  # typed so far
    picked: frozenset[int] | None = None  # cells of a claim that is being made
    placed: int | None = None  # the cell of the move that goes with it
    analyzing: bool = False
    numpad: bool = False
    cursor: int | None = None
    undo: SeatAction | None = None  # what taking back a move is here; None for spectators
    is_paused: bool = False  # the analysis has reached its limit
    shows_threats: bool = False
    hint: Hint | None = None  # for the latest position

    @property
    def match(self) -> Match:
        """The match, with its cells named as it was chosen."""
        return self.history.match

    @property
    def answers_claim(self) -> bool:
        return self.match.state.pending is not None and self.session.to_act is not None

    @property
    def may_withdraw(self) -> bool:
        claim = self.match.state.pending
        return claim is not None and self.match.setup.seat(claim.side) in self.session.seats

    @property
    def may_claim(self) -> bool:
        match = self.match
        return match.setup.has_claims and not match.state.pending and not match.result and bool(self.session.seats)

    @property
    def may_analyze(self) -> bool:
        """A game on a server is analyzed after it has ended."""
        return not self.session.is_remote or self.match.result is not None

    @property
    def is_live(self) -> bool:
        """True if a move can be chosen now."""
        match, to_act = self.match, self.session.to_act
        is_ours = to_act is not None and to_act == match.to_act
        return self.history.is_latest and is_ours and not (match.result or match.state.pending or self.is_sending)


# The prompt


def prompt(view: ViewState) -> str:
    match, session = view.match, view.session
    if view.picked is not None and not view.is_sending:
        return _claim_prompt(view, view.picked)
    if not view.history.is_latest:
        return text("prompt.looking_back")
    if match.result:
        return match.result.sentence(match.game)
    if view.is_sending:
        return text("prompt.sending" if session.is_connected else "prompt.sending_later")
    if session.is_offered and match.state.offer:
        return _offer_prompt(match, *match.state.offer)
    if session.to_act is None:
        return waiting(session)
    if match.state.pending:
        cells, side = match.game.naming.format(match.state.pending.cells), match.state.pending.side
        return text("prompt.claim_answer", player=match.setup.label(session.to_act), cells=cells, side=side)
    return question(match, session.to_act, view.way) + (f" {view.digits}_" if view.digits else "")


def waiting(session: SessionState) -> str:
    """Whom everybody waits for, or why there is nothing to wait for."""
    if session.ended:
        return str(session.ended)
    if session.awaited is None:
        return text("prompt.waiting_to_join")
    player = session.match.setup.label(session.awaited)
    return text("prompt.waiting" if session.is_remote else "prompt.thinking", player=player)


def connection(session: SessionState) -> str:
    """The state of the connection; "" at one screen."""
    if not session.is_remote:
        return ""
    if session.ended:
        return text("connection.closed")
    status = text("connection.on" if session.is_connected else "connection.off")
    return status if session.seats else text("connection.watching", status=status)


def _offer_prompt(match: Match, seat: int, what: str) -> str:
    player = match.setup.label(seat)
    if what == "draw":
        return text("prompt.draw_offered", player=player)
    return text("prompt.take_back_offered", player=player, count=match.state.plies_back(match.setup.side(seat)))


def question(match: Match, seat: int, way: Path) -> str:
    """The game's own question for the next choice."""
    game = match.game
    start = way or move_input.begun(game, match.position)
    step = game.steps[min(len(start), len(game.steps) - 1)].question
    choices, _ = game.choices(match.position, start)
    asked = step.format(
        player=match.setup.label(seat), choices=game.naming.format(choices), chosen=game.naming.format(start)
    )
    return asked.rstrip(": ")


def _claim_prompt(view: ViewState, picked: frozenset[int]) -> str:
    naming = view.match.game.naming
    cells = naming.format(sorted(picked)) or text("prompt.no_cell_picked")
    if view.placed is not None:
        cells = text("prompt.claim_with_move", move=naming.name(view.placed), cells=cells)
    return text("prompt.pick_cells" if len(picked) < CLAIMED else "prompt.claim_line", cells=cells)
