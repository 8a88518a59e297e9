"""The one door to a match: what a seat may do now, and what the referee adds to it."""

from __future__ import annotations

from ninefold.actions import REFEREE, SETTLE, Action, Event, take_back
from ninefold.claims import Claim, judge, read_claim
from ninefold.core import NotAllowed, Unreadable, quoted
from ninefold.grid import OUTSIDE
from ninefold.state import Setup, State, apply
from ninefold.text import read_message

REFEREES_OWN = ("settle", "flag", "expire", "draw_early")
OFFERS = ("draw", "take_back")


def decide(setup: Setup, state: State, seat: int, action: Action, at: int = 0) -> list[Event]:
    """The events that an action becomes, or a refusal with the reason. Pure: nothing is changed."""
    if seat not in ((REFEREE,) if action.kind in REFEREES_OWN else (1, 2)):
        whose = "Only the referee" if action.kind in REFEREES_OWN else "Only seats 1 and 2"
        raise NotAllowed("no_such_seat", f"{whose} can do that: {quoted(action.kind)}.")
    if action.kind == "say":
        return [Event(at, seat, action._replace(text=read_message(action.text)))]
    if state.result is not None:
        raise NotAllowed("ended", f"The game has ended. {state.result.sentence(setup.game)}")
    if action.kind not in _RULES:
        raise Unreadable(
            "no_such_action", f"There is no action {quoted(action.kind)}.", f"Actions: {' '.join(_RULES)} say."
        )
    taken = _RULES[action.kind](setup, state, seat, action)
    events = [Event(at, who, what) for who, what in taken]
    if _is_dead_draw(setup, state, events):
        events.append(Event(at, REFEREE, Action("draw_early")))
    return events


Taken = list[tuple[int, Action]]


def _move(setup: Setup, state: State, seat: int, action: Action) -> Taken:
    claimed = _claimed_cells(setup, action) if action.cells is not None else None
    _no_claim_pending(setup, state)
    if setup.side(seat) is not state.position.turn:
        raise NotAllowed("not_your_turn", f"It is {state.position.turn}'s turn.")
    message = read_message(action.text) if action.text else None
    path = action.move
    if type(path) is int:
        path = setup.game.paths[path] if 0 <= path < len(setup.game.paths) else (OUTSIDE,)
    if not isinstance(path, tuple) or not all(type(cell) is int for cell in path):
        raise Unreadable("not_a_move", "A move is a number or a path of cells.")
    move = setup.game.move_at(state.position, path)
    talk: Taken = [] if message is None else [(seat, Action("say", text=message))]
    return [(seat, Action("move", move=move, cells=claimed)), *talk]


def _claim(setup: Setup, state: State, seat: int, action: Action) -> Taken:
    cells = _claimed_cells(setup, action)
    if state.pending:
        raise NotAllowed("claim_pending", f"{state.pending.side}'s claim has to be answered first.")
    if setup.side(seat) in state.barred:
        raise NotAllowed("barred", "Your last claim was false.", "You may claim again after a mark has been placed.")
    return [(seat, Action("claim", cells=cells))]


def _claimed_cells(setup: Setup, action: Action) -> tuple[int, ...]:
    if setup.option("claims") != "yes":
        raise NotAllowed("no_claims", f"{setup.game.title} has no claims: the rules decide by themselves.")
    return read_claim(action.cells or ())


def _answer(setup: Setup, state: State, seat: int, action: Action) -> Taken:
    claim = _pending(state)
    if claim.side is setup.side(seat):
        raise NotAllowed("not_yours_to_answer", "Your own claim is answered by your opponent.", "You may withdraw it.")
    text = read_message(action.text) if action.kind == "dispute" else ""
    return [(seat, Action(action.kind, text=text)), _settlement(state, claim)]


def _withdraw(setup: Setup, state: State, seat: int, _: Action) -> Taken:
    claim = _pending(state)
    if claim.side is not setup.side(seat):
        raise NotAllowed("not_yours_to_answer", "Only the claimant can withdraw a claim.", "Confirm it or dispute it.")
    return [(seat, Action("withdraw")), _settlement(state, claim)]


def _settle(_: Setup, state: State, __: int, ___: Action) -> Taken:
    return [_settlement(state, _pending(state))]


def _settlement(state: State, claim: Claim) -> tuple[int, Action]:
    """The referee lets nothing false stand, whatever was answered."""
    return REFEREE, SETTLE._replace(text=judge(state.position.cells, claim).reason)


def _pending(state: State) -> Claim:
    if state.pending is None:
        raise NotAllowed("no_claim", "There is no claim to answer.")
    return state.pending


def _end(setup: Setup, state: State, seat: int, action: Action) -> Taken:
    """Resigning, leaving, flagging or expiry: a pending claim is settled first, and a true one has won."""
    if action.kind == "flag" and action.number not in (1, 2):
        raise Unreadable("no_such_seat", "A flag falls for seat 1 or 2.")
    ending = (seat, Action(action.kind, number=action.number if action.kind == "flag" else None))
    if state.pending is None:
        return [ending]
    settlement = _settlement(state, state.pending)
    settled = apply(setup, state, Event(0, *settlement))
    return [settlement] if settled.result else [settlement, ending]


def _take_back(setup: Setup, state: State, seat: int, action: Action) -> Taken:
    _no_claim_pending(setup, state)
    plies = action.number
    if type(plies) is not int or not 1 <= plies <= len(state.moves):
        raise NotAllowed(
            "nothing_to_undo", "There is no move to take back." if not state.moves else "There are not so many moves."
        )
    return [(seat, take_back(plies))]


def _offer(setup: Setup, state: State, seat: int, action: Action) -> Taken:
    _no_claim_pending(setup, state)
    if action.text not in OFFERS:
        raise Unreadable("no_such_offer", "That cannot be offered.", f"Offers: {' '.join(OFFERS)}.")
    if state.offer:
        raise NotAllowed("offer_pending", "An offer is waiting for its answer.")
    if action.text == "take_back":
        _take_back(setup, state, seat, take_back(_plies_to_own(setup, state, seat)))
    return [(seat, Action("offer", text=action.text))]


def _plies_to_own(setup: Setup, state: State, seat: int) -> int:
    """How many plies go back when a seat takes back its own last move."""
    return 2 if state.position.turn is setup.side(seat) else 1


def _reply(setup: Setup, state: State, seat: int, action: Action) -> Taken:
    _no_claim_pending(setup, state)
    if state.offer is None or state.offer[0] == seat:
        raise NotAllowed("no_offer", "Your opponent has offered nothing.")
    reply: Taken = [(seat, Action(action.kind))]
    offerer, what = state.offer
    if action.kind == "accept" and what == "take_back":
        reply.append((offerer, take_back(_plies_to_own(setup, state, offerer))))
    return reply


def _no_claim_pending(setup: Setup, state: State) -> None:
    if state.pending:
        other = setup.seat(state.pending.side.other)
        raise NotAllowed(
            "claim_pending", f"{state.pending.side}'s claim is waiting for its answer.", f"Player {other} answers it."
        )


def _is_dead_draw(setup: Setup, state: State, events: list[Event]) -> bool:
    """Whether the match has just come to where no sequence of moves can end in a win."""
    if setup.option("early_draw") != "yes" or not any(event.action.kind in ("move", "settle") for event in events):
        return False
    for event in events:
        state = apply(setup, state, event)
    if state.result or state.pending:
        return False
    from ninefold.solve import is_dead_draw

    return is_dead_draw(setup.game, setup.start, state.position)


_RULES = {
    "move": _move,
    "claim": _claim,
    "confirm": _answer,
    "dispute": _answer,
    "withdraw": _withdraw,
    "settle": _settle,
    "offer": _offer,
    "accept": _reply,
    "decline": _reply,
    "take_back": _take_back,
    "resign": _end,
    "leave": _end,
    "flag": _end,
    "expire": _end,
}
