"""What the screen of a match says: the question that is asked now, and the keys that answer it."""

from __future__ import annotations

from typing import NamedTuple

from ninefold.client.session import SessionState
from ninefold.core.grid import CELLS, NUMPAD
from ninefold.core.messages import text
from ninefold.core.position import Path
from ninefold.match import move_input
from ninefold.match.match import Match
from ninefold.terminal.tui.bars import KeyHint
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


# The keys


def keys(view: ViewState) -> list[KeyHint]:
    """The most important ones first; the rest is on the page with the rules."""
    if view.picked is not None:
        return _claim_keys(view)
    leave, rules = KeyHint("e", text("key.leave"), "screen.leave"), KeyHint("?", text("key.rules"), "screen.rules")
    if not view.history.is_latest:
        return [*_history_keys(), leave]
    look_back = KeyHint(", .", text("key.look_back"), "screen.step(-1)")
    analysis = KeyHint("a", text("key.close_analysis" if view.analyzing else "key.analysis"), "screen.analysis")
    if view.match.result:
        rematch = [KeyHint("g", text("key.rematch"), "screen.rematch")] if view.session.seats else []
        return [*rematch, look_back, analysis, rules, leave]
    more = _remote_keys(view) if view.session.is_remote else [analysis]
    return [*_answer_keys(view), *_move_keys(view), *_seat_keys(view), rules, leave, *more, look_back, *_labels(view)]


def _history_keys() -> list[KeyHint]:
    return [
        KeyHint(",", text("key.back"), "screen.step(-1)"),
        KeyHint(".", text("key.forward"), "screen.step(1)"),
        KeyHint("home", text("key.first"), "screen.first"),
        KeyHint("end", text("key.latest"), "screen.latest"),
    ]


def _labels(view: ViewState) -> list[KeyHint]:
    """Where cells have two names."""
    if view.session.match.game.naming == NUMPAD:
        return []
    return [KeyHint("l", text("key.digits" if view.numpad else "key.numpad"), "screen.labels")]


def _answer_keys(view: ViewState) -> list[KeyHint]:
    found = []
    if view.session.is_offered:
        found = [("y", text("key.accept"), True), ("n", text("key.decline"), False)]
    elif view.answers_claim:
        found = [("y", text("key.confirm"), True), ("n", text("key.dispute"), False)]
    answers = [KeyHint(key, does, f"screen.answer({yes})") for key, does, yes in found]
    return [*answers, *([KeyHint("w", text("key.withdraw"), "screen.withdraw")] if view.may_withdraw else [])]


def _move_keys(view: ViewState) -> list[KeyHint]:
    if not view.is_live:
        return []
    if view.way and view.match.game.choices(view.history.position, view.way)[1] is not None:
        is_placed_here = move_input.square_at(view.match.game, view.way) == view.cursor
        take = KeyHint("enter", text("key.take_none" if is_placed_here else "key.take_this"))
        back = KeyHint("esc", text("key.back"), "screen.back")
        return [KeyHint(text("key.arrows"), text("key.choose")), take, back]
    if view.way:
        return [KeyHint(_digits(view), text("key.cell")), KeyHint("esc", text("key.another_board"), "screen.back")]
    return [KeyHint(text("key.digits_or_arrows", digits=_digits(view)), text("key.play"))]


def _digits(view: ViewState) -> str:
    """The digits that name a cell, from the first to the last."""
    digits = sorted(move_input.digits_of(view.match.game.naming, cell) for cell in CELLS)
    return f"{digits[0]}-{digits[-1]}"


def _seat_keys(view: ViewState) -> list[KeyHint]:
    session = view.session
    if not session.seats:
        return []
    claim = [KeyHint("c", text("key.claim"), "screen.claim")] if view.may_claim else []
    hint = [KeyHint("h", text("key.hint"), "screen.hint")] if session.has_hints else []
    return [*claim, KeyHint("u", text("key.take_back" if session.is_remote else "key.undo"), "screen.undo"), *hint]


def _remote_keys(view: ViewState) -> list[KeyHint]:
    if not view.session.seats:
        return []
    return [
        KeyHint("s", text("key.say"), "screen.say"),
        KeyHint("d", text("key.draw"), "screen.offer_draw"),
        KeyHint("r", text("key.resign"), "screen.resign"),
    ]


def _claim_keys(view: ViewState) -> list[KeyHint]:
    """First the cells, then what makes the claim; the way out at any time."""
    seats = view.session.seats
    out = KeyHint("esc", text("key.cancel"), "screen.back")
    place = [KeyHint("m", text("key.move_here"), "screen.place")] if view.session.to_act in seats else []
    if len(view.picked or ()) < CLAIMED:
        pick = KeyHint(text("key.arrows_enter"), text("key.pick_cell"))
        return [KeyHint("1-8", text("key.pick_line")), pick, out, *place]
    if len(seats) > 1:
        claims = [
            KeyHint(side.lower(), text("key.claim_for", side=side), f"screen.claim_for('{side}')") for side in "XO"
        ]
    else:
        claims = [KeyHint("enter", text("key.claim_it"), "screen.claim")]
    return [*claims, KeyHint("1-8", text("key.line")), out, *place, KeyHint("space", text("key.pick"))]
