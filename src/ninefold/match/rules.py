"""The one door to a match: what a seat may do now, and what the referee adds to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.grid import OUTSIDE
from ninefold.core.position import Side
from ninefold.core.text import read_message
from ninefold.match.actions import REFEREE, REFEREES, SETTLE, Action, Event, take_back
from ninefold.match.claims import Claim, judge, read_claim
from ninefold.match.state import Setup, State, apply

OFFERS = ("draw", "take_back")

Taken = list[tuple[int, Action]]


class Attempt(NamedTuple):
    """A seat tries an action."""

    setup: Setup
    state: State
    seat: int
    action: Action

    @property
    def side(self) -> Side:
        return self.setup.side(self.seat)


def decide(setup: Setup, state: State, seat: int, action: Action, at: int = 0) -> list[Event]:
    """The events that an action becomes, or a refusal with the reason. Pure: nothing is changed."""
    if action.kind not in _RULES:
        kinds = " ".join(_RULES)
        raise Unreadable("no_such_action", f"There is no action {quoted(action.kind)}.", f"Actions: {kinds}.")
    if seat not in ((REFEREE,) if action.kind in REFEREES else (1, 2)):
        who = "only by the referee" if action.kind in REFEREES else "by seats 1 and 2"
        raise NotAllowed("no_such_seat", f"Seat {seat} cannot do this.", f"{action.kind!r} is done {who}.")
    if state.result is not None and action.kind != "say":
        raise NotAllowed("ended", f"The game has ended. {state.result.sentence(setup.game)}")
    events = [Event(at, *taken) for taken in _RULES[action.kind](Attempt(setup, state, seat, action))]
    if _is_dead_draw(setup, state, events):
        events.append(Event(at, REFEREE, Action("draw_early")))
    return events


def _move(attempt: Attempt) -> Taken:
    setup, state, seat, action = attempt
    claimed = None if action.cells is None else _claimed_cells(attempt)
    talk = _say(attempt) if action.text else []
    _no_claim_pending(attempt)
    if attempt.side is not state.position.turn:
        turn = state.position.turn
        raise NotAllowed("not_your_turn", f"It is {turn}'s turn.", f"Wait for {setup.label(setup.seat(turn))}.")
    path = action.move
    if type(path) is int:
        path = setup.game.paths[path] if 0 <= path < len(setup.game.paths) else (OUTSIDE,)
    if not isinstance(path, tuple) or not all(type(cell) is int for cell in path):
        raise Unreadable("not_a_move", "A move is a number or a path of cells.", "Ask the position for its moves.")
    return [(seat, Action("move", move=setup.game.move_at(state.position, path), cells=claimed)), *talk]


def _say(attempt: Attempt) -> Taken:
    return [(attempt.seat, Action("say", text=read_message(attempt.action.text)))]


def _claim(attempt: Attempt) -> Taken:
    cells = _claimed_cells(attempt)
    _no_claim_pending(attempt)
    if attempt.side in attempt.state.barred:
        raise NotAllowed("barred", "Your last claim was false.", "You may claim again after a mark has been placed.")
    return [(attempt.seat, Action("claim", cells=cells))]


def _claimed_cells(attempt: Attempt) -> tuple[int, ...]:
    if not attempt.setup.has_claims:
        title = attempt.setup.game.title
        raise NotAllowed("no_claims", f"{title} has no claims.", "The rules decide by themselves: play on.")
    return read_claim(attempt.action.cells or ())


def _answer(attempt: Attempt) -> Taken:
    claim = _pending(attempt)
    if claim.side is attempt.side:
        raise NotAllowed("not_yours_to_answer", "Your own claim is answered by your opponent.", "You may withdraw it.")
    text = read_message(attempt.action.text) if attempt.action.kind == "dispute" else ""
    return [(attempt.seat, Action(attempt.action.kind, text=text)), _settlement(attempt.state, claim)]


def _withdraw(attempt: Attempt) -> Taken:
    claim = _pending(attempt)
    if claim.side is not attempt.side:
        raise NotAllowed("not_yours_to_answer", "Only the claimant can withdraw a claim.", "Confirm it or dispute it.")
    return [(attempt.seat, Action("withdraw")), _settlement(attempt.state, claim)]


def _settle(attempt: Attempt) -> Taken:
    return [_settlement(attempt.state, _pending(attempt))]


def _settlement(state: State, claim: Claim) -> tuple[int, Action]:
    """The referee lets nothing false stand, whatever was answered."""
    return REFEREE, SETTLE._replace(text=judge(state.position.cells, claim).reason)


def _pending(attempt: Attempt) -> Claim:
    if attempt.state.pending is None:
        raise NotAllowed("no_claim", "There is no claim to answer.", f"{attempt.state.position.turn} is to move.")
    return attempt.state.pending


def _end(attempt: Attempt) -> Taken:
    """Resigning, leaving, flagging, being gone or expiry: a pending claim is settled first, and a true one has won."""
    setup, state, seat, action = attempt
    of_a_seat = action.kind in ("flag", "gone")
    if of_a_seat and action.number not in (1, 2):
        raise NotAllowed("no_such_seat", "There is no such seat.", "A flag falls for seat 1 or 2.")
    ending = (seat, Action(action.kind, number=action.number if of_a_seat else None))
    if state.pending is None:
        return [ending]
    settlement = _settlement(state, state.pending)
    settled = apply(setup, state, Event(0, *settlement))
    return [settlement] if settled.result else [settlement, ending]


def _take_back(attempt: Attempt) -> Taken:
    _no_claim_pending(attempt)
    plies, moves = attempt.action.number, len(attempt.state.moves)
    if type(plies) is not int or not 1 <= plies <= moves:
        raise NotAllowed("nothing_to_undo", "There are not so many moves to take back.", f"Moves so far: {moves}.")
    if plies > moves - attempt.state.claimed_at:
        raise NotAllowed("claim_stands", "A claim was made since that move, and claims are not taken back.", "Play on.")
    return [(attempt.seat, take_back(plies))]


def _offer(attempt: Attempt) -> Taken:
    _no_claim_pending(attempt)
    setup, state, seat, action = attempt
    if action.text not in OFFERS:
        raise Unreadable("no_such_offer", "That cannot be offered.", f"Offers: {' '.join(OFFERS)}.")
    if state.offer:
        raise NotAllowed("offer_pending", "An offer is waiting for its answer.", "It lapses with the next move.")
    if action.text == "take_back":
        _take_back(attempt._replace(action=take_back(state.plies_back(setup.side(seat)))))
    return [(seat, Action("offer", text=action.text))]


def _reply(attempt: Attempt) -> Taken:
    _no_claim_pending(attempt)
    setup, state, seat, action = attempt
    if state.offer is None or state.offer[0] == seat:
        raise NotAllowed("no_offer", "Your opponent has offered nothing.", "You may make an offer yourself.")
    offerer, what = state.offer
    if action.kind == "accept" and what == "take_back":
        return [(seat, Action("accept")), (offerer, take_back(state.plies_back(setup.side(offerer))))]
    return [(seat, Action(action.kind))]


def _no_claim_pending(attempt: Attempt) -> None:
    if claim := attempt.state.pending:
        answers = attempt.setup.label(attempt.setup.seat(claim.side.other))
        raise NotAllowed("claim_pending", f"{claim.side}'s claim is waiting for its answer.", f"{answers} answers it.")


def _is_dead_draw(setup: Setup, state: State, events: list[Event]) -> bool:
    """Whether the match has just come to where no sequence of moves can end in a win."""
    if setup.option("early_draw") != "yes" or not any(event.action.kind in ("move", "settle") for event in events):
        return False
    for event in events:
        state = apply(setup, state, event)
    if state.result or state.pending:
        return False
    from ninefold.core.solver import is_dead_draw

    return is_dead_draw(setup.game, state.position)


_RULES: dict[str, Callable[[Attempt], Taken]] = {
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
