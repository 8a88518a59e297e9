"""The rules of a match: what a seat may do now, and what the referee adds to it. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.grid import OUTSIDE
from ninefold.core.position import Side
from ninefold.core.solver import is_dead_draw
from ninefold.core.text import read_message
from ninefold.match.actions import REFEREE, REFEREE_ACTIONS, SETTLE, Action, Event, take_back
from ninefold.match.claims import Claim, judge, read_claim
from ninefold.match.state import Result, Setup, State, apply, fold

OFFERS = ("draw", "take_back")
ENDED_BY_MOVE = ("rules", "early_draw")  # endings to which the last move led

Emitted = list[tuple[int, Action]]  # by which seat, what


class ActionContext(NamedTuple):
    """A seat tries an action in a state."""

    setup: Setup
    state: State
    seat: int
    action: Action

    @property
    def side(self) -> Side:
        return self.setup.side(self.seat)


class Decision(NamedTuple):
    """The events that an action becomes, and the state after them."""

    events: list[Event]
    state: State


def decide(setup: Setup, state: State, seat: int, action: Action, at: int = 0) -> Decision:
    """What an action becomes, or a refusal with the reason. Nothing is changed."""
    if action.kind not in HANDLERS:
        raise Unreadable("no_such_action", kind=quoted(action.kind), kinds=" ".join(HANDLERS))
    by_referee = action.kind in REFEREE_ACTIONS
    if seat not in ((REFEREE,) if by_referee else (1, 2)):
        code = "no_such_seat.referee" if by_referee else "no_such_seat"
        raise NotAllowed(code, seat=seat, kind=repr(action.kind))
    if state.result is not None and not _may_follow_the_end(state.result, action):
        raise NotAllowed("ended.result", result=state.result.message(setup.game))
    events = [Event(at, *emitted) for emitted in HANDLERS[action.kind](ActionContext(setup, state, seat, action))]
    after = fold(setup, events, state)
    if _is_dead_draw(setup, events, after):
        drawn = Event(at, REFEREE, Action("draw_early"))
        return Decision([*events, drawn], apply(setup, after, drawn))
    return Decision(events, after)


def _may_follow_the_end(result: Result, action: Action) -> bool:
    """Words may, and taking back the move that ended the game. What a player or a clock decided stays."""
    return action.kind == "say" or (action.kind == "take_back" and result.by in ENDED_BY_MOVE)


def _move(context: ActionContext) -> Emitted:
    setup, state, seat, action = context
    claimed = None if action.cells is None else _claimed_cells(context)
    talk = _say(context) if action.text else []
    _no_claim_pending(context)
    if context.side is not state.position.turn:
        turn = state.position.turn
        raise NotAllowed("not_your_turn", side=turn, player=setup.label_message(setup.seat(turn)))
    path = action.move
    if type(path) is int:
        path = setup.game.paths[path] if 0 <= path < len(setup.game.paths) else (OUTSIDE,)
    if not isinstance(path, tuple) or not all(type(cell) is int for cell in path):
        raise Unreadable("not_a_move.kind")
    return [(seat, Action("move", move=setup.game.move_at(state.position, path), cells=claimed)), *talk]


def _say(context: ActionContext) -> Emitted:
    return [(context.seat, Action("say", text=read_message(context.action.text)))]


def _claim(context: ActionContext) -> Emitted:
    cells = _claimed_cells(context)
    _no_claim_pending(context)
    if context.side in context.state.barred:
        raise NotAllowed("barred")
    return [(context.seat, Action("claim", cells=cells))]


def _claimed_cells(context: ActionContext) -> tuple[int, ...]:
    if not context.setup.has_claims:
        raise NotAllowed("no_claims", game=context.setup.game.title)
    return read_claim(context.action.cells or ())


def _answer(context: ActionContext) -> Emitted:
    claim = _pending(context)
    if claim.side is context.side:
        raise NotAllowed("not_yours_to_answer")
    text = _reason(context.action) if context.action.kind == "dispute" else ""
    return [(context.seat, Action(context.action.kind, text=text)), _settlement(context.state, claim)]


def _reason(dispute: Action) -> str:
    """The text of a dispute, which says what is wrong with the claim."""
    try:
        return read_message(dispute.text)
    except Unreadable as refusal:
        if refusal.code == "no_text":
            raise Unreadable("no_text.dispute") from None
        raise


def _withdraw(context: ActionContext) -> Emitted:
    if context.state.pending is None:
        raise NotAllowed("no_claim.withdraw", side=context.state.position.turn)
    claim = context.state.pending
    if claim.side is not context.side:
        raise NotAllowed("not_yours_to_answer.withdraw")
    return [(context.seat, Action("withdraw")), _settlement(context.state, claim)]


def _settle(context: ActionContext) -> Emitted:
    return [_settlement(context.state, _pending(context))]


def _settlement(state: State, claim: Claim) -> tuple[int, Action]:
    """The referee's decision on a claim, which depends on the board alone and not on the answer."""
    return REFEREE, SETTLE._replace(text=judge(state.position.cells, claim).reason)


def _pending(context: ActionContext) -> Claim:
    if context.state.pending is None:
        raise NotAllowed("no_claim", side=context.state.position.turn)
    return context.state.pending


def _end(context: ActionContext) -> Emitted:
    """Resigning, leaving, flagging, being gone or expiry: a pending claim is settled first, and a true one has won."""
    setup, state, seat, action = context
    of_a_seat = action.kind in ("flag", "gone")
    if of_a_seat and action.number not in (1, 2):
        raise NotAllowed("no_such_seat.flag")
    ending = (seat, Action(action.kind, number=action.number if of_a_seat else None))
    if state.pending is None:
        return [ending]
    settlement = _settlement(state, state.pending)
    settled = apply(setup, state, Event(0, *settlement))
    return [settlement] if settled.result else [settlement, ending]


def _take_back(context: ActionContext) -> Emitted:
    _no_claim_pending(context)
    plies, moves = context.action.number, len(context.state.moves)
    if type(plies) is not int or not 1 <= plies <= moves:
        raise NotAllowed("nothing_to_undo", moves=moves)
    if plies > moves - context.state.claimed_at:
        raise NotAllowed("claim_stands")
    return [(context.seat, take_back(plies))]


def _offer(context: ActionContext) -> Emitted:
    _no_claim_pending(context)
    setup, state, seat, action = context
    if action.text not in OFFERS:
        raise Unreadable("no_such_offer", offers=" ".join(OFFERS))
    if state.offer:
        raise NotAllowed("offer_pending")
    if action.text == "take_back":
        _take_back(context._replace(action=take_back(state.plies_back(setup.side(seat)))))
    return [(seat, Action("offer", text=action.text))]


def _reply(context: ActionContext) -> Emitted:
    _no_claim_pending(context)
    setup, state, seat, action = context
    if state.offer is None or state.offer[0] == seat:
        raise NotAllowed("no_offer")
    offerer, what = state.offer
    if action.kind == "accept" and what == "take_back":
        return [(seat, Action("accept")), (offerer, take_back(state.plies_back(setup.side(offerer))))]
    return [(seat, Action(action.kind))]


def _no_claim_pending(context: ActionContext) -> None:
    if claim := context.state.pending:
        answers = context.setup.label_message(context.setup.seat(claim.side.other))
        raise NotAllowed("claim_pending", side=claim.side, player=answers)


def _is_dead_draw(setup: Setup, events: list[Event], after: State) -> bool:
    """True if the events have led to where no sequence of moves can end in a win."""
    if after.result or after.pending or setup.option("early_draw") != "yes":
        return False
    if not any(event.action.kind in ("move", "settle") for event in events):
        return False
    return is_dead_draw(setup.game, after.position)


HANDLERS: dict[str, Callable[[ActionContext], Emitted]] = {
    "move": _move,
    "claim": _claim,
    "confirm": _answer,
    "dispute": _answer,
    "withdraw": _withdraw,
    "say": _say,
    "offer": _offer,
    "accept": _reply,
    "decline": _reply,
    "take_back": _take_back,
    "resign": _end,
    "leave": _end,
    "settle": _settle,
    "flag": _end,
    "gone": _end,
    "expire": _end,
}
