"""The claims referee over its states: every position of the agents' game, pending claim and bar, against everything
that anybody can do there. The default run takes a sample of the positions, ``make referee`` all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.position import O, Position, Side, X
from ninefold.core.state_table import table_of
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.claims import Claim
from ninefold.match.match import begin
from ninefold.match.rules import decide
from ninefold.match.state import Setup, State, apply

AGENTS = find_game("agents")
SETUP = begin(AGENTS).setup
TRIPLES = tuple(combinations(range(9), 3))
WINNING = {(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)}
BARRED = tuple(frozenset(sides) for sides in ((), (X,), (O,), (X, O)))
ENDINGS = [(1, actions.RESIGN), (2, actions.RESIGN), (1, actions.LEAVE), (2, actions.LEAVE), (REFEREE, actions.EXPIRE)]
FLAGS = [(REFEREE, action(seat)) for action in (actions.flag, actions.gone) for seat in (1, 2)]
ANSWERS = [(seat, action) for seat in (1, 2) for action in (actions.CONFIRM, actions.dispute("no"), actions.WITHDRAW)]
CHUNKS = 64


def positions() -> tuple[Position, ...]:
    return table_of(AGENTS, AGENTS.begin()).states


def is_full(position: Position) -> bool:
    return None not in position.cells


def is_true(position: Position, claim: Claim) -> bool:
    return claim.cells in WINNING and all(position.cells[cell] is claim.side for cell in claim.cells)


def states(position: Position) -> Iterator[State]:
    """Every state the referee can be in at a position.

    A board that is full waits only for the answer to the claim that came with its last mark; nobody is barred then,
    because a mark has just been placed. Else each player may be barred, and one who is not may have a claim pending.
    """
    moves = tuple(cell for cell, mark in enumerate(position.cells) if mark is not None)
    if is_full(position):
        claimant = position.turn.other
        yield from (State(position, moves, pending=Claim(claimant, cells), claimed_at=9) for cells in TRIPLES)
        return
    for barred in BARRED:
        yield State(position, moves, barred=barred)
        yield from (
            State(position, moves, pending=Claim(side, cells), barred=barred)
            for side in Side
            if side not in barred
            for cells in TRIPLES
        )


def after(state: State, seat: int, action: Action, setup: Setup = SETUP) -> State | None:
    """The state after an action, or None when it was refused."""
    try:
        events = decide(setup, state, seat, action).events
    except NotAllowed:
        return None
    for event in events:
        state = apply(setup, state, event)
    return state


def check_pending(state: State, claim: Claim) -> None:
    """A pending claim can only be answered, withdrawn or settled; the truth decides, not the answer."""
    position = state.position
    for seat in (1, 2):
        for move in range(9):
            assert after(state, seat, actions.move(move)) is None
            assert after(state, seat, actions.move(move, claim=(0, 1, 2))) is None
        for action in (
            actions.take_back(),
            actions.OFFER_DRAW,
            actions.OFFER_TAKE_BACK,
            actions.ACCEPT,
            actions.DECLINE,
        ):
            assert after(state, seat, action) is None
    answered = 0
    for seat, action in [*ANSWERS, (REFEREE, actions.SETTLE)]:
        then = after(state, seat, action)
        claimant = seat != REFEREE and SETUP.side(seat) is claim.side
        assert (then is None) == (seat != REFEREE and claimant != (action.kind == "withdraw"))
        if then is not None:
            answered += 1
            check_settled(position, claim, state, then)
    assert answered == 4  # confirm, dispute, withdraw and the referee himself: there is always a way on
    for seat, action in ENDINGS + FLAGS:
        then = after(state, seat, action)
        assert then is not None
        assert then.result is not None
        if is_true(position, claim):
            assert (then.result.by, then.result.outcome.winner) == ("claim", claim.side)
        else:
            assert then.result.by in (
                ("rules",) if is_full(position) else ("resigned", "left", "flagged", "gone", "expired")
            )


def check_settled(position: Position, claim: Claim, before: State, then: State) -> None:
    assert then.pending is None
    if is_true(position, claim):
        assert then.result is not None
        assert (then.result.by, then.result.outcome.winner) == ("claim", claim.side)
    elif is_full(position):
        assert then.result is not None
        assert (then.result.by, then.result.outcome.winner) == ("rules", first_line(position))
    else:
        assert then.result is None
        assert then.barred == before.barred | {claim.side}
        assert then.position == position


def first_line(position: Position) -> Side | None:
    """Whose line came first, as the text of the position tells it."""
    named = [word for word in str(position).split() if word.startswith("line=")]
    return position.cells[int(named[0][-1]) - 1] if named else None


def check_open(state: State) -> None:
    """With no claim pending: the side to move can move, with or without a claim; who is not barred can claim."""
    position = state.position
    for seat in (1, 2):
        side = SETUP.side(seat)
        for cell in range(9):
            then = after(state, seat, actions.move(cell))
            assert (then is not None) == (side is position.turn and position.cells[cell] is None)
            if then is not None:
                assert then.barred == frozenset()
                assert (then.result is not None) == is_full(then.position)
                assert then.result is None or then.result.outcome.winner is first_line(then.position)
                check_claims_with_a_move(state, seat, cell)
        for action in (actions.CONFIRM, actions.dispute("no"), actions.WITHDRAW):
            assert after(state, seat, action) is None
    assert after(state, REFEREE, actions.SETTLE) is None
    for seat, action in ENDINGS:
        check_over(after(state, seat, action), SETUP.side(seat).other if action.kind == "resign" else None)
    for seat, action in FLAGS:  # a flag beats one's own unclaimed line
        check_over(after(state, seat, action), SETUP.side(action.number or 0).other)


def check_claims_with_a_move(state: State, seat: int, cell: int) -> None:
    side = SETUP.side(seat)
    for cells in TRIPLES:
        then = after(state, seat, actions.move(cell, claim=cells))
        assert then is not None
        assert then.pending == Claim(side, cells)
        assert then.result is None


def check_over(then: State | None, winner: Side | None) -> None:
    assert then is not None
    assert then.result is not None
    assert then.result.outcome.winner is winner


def check_claims(state: State) -> None:
    """Every triple, by either player."""
    for seat in (1, 2):
        side = SETUP.side(seat)
        for cells in TRIPLES:
            then = after(state, seat, actions.claim(cells))
            assert (then is not None) == (state.pending is None and side not in state.barred)
            if then is not None:
                assert then.pending == Claim(side, cells)
                assert (then.position, then.result) == (state.position, None)


def check(position: Position, *, claims_on_pending: int) -> None:
    for number, state in enumerate(states(position)):
        if state.pending is None:
            check_open(state)
            check_claims(state)
        else:
            check_pending(state, state.pending)
            if number % claims_on_pending == 0:
                check_claims(state)


def test_the_referee_is_right_at_a_sample_of_positions() -> None:
    for position in Random(9).sample(positions(), 20):
        check(position, claims_on_pending=40)


@pytest.mark.exhaustive
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_referee_is_right_at_every_position(chunk: int) -> None:
    for position in positions()[chunk::CHUNKS]:
        check(position, claims_on_pending=1)


def test_play_reaches_only_states_of_the_list() -> None:
    """The list of states above is not too short: whatever is done in a game, it stays within it."""
    listed: dict[Position, set[tuple[Claim | None, frozenset[Side]]]] = {}
    rng = Random(4)
    for _ in range(150):
        state = State(AGENTS.begin())
        while state.result is None:
            if state.position not in listed:
                listed[state.position] = {(known.pending, known.barred) for known in states(state.position)}
            assert (state.pending, state.barred) in listed[state.position]
            state = after(state, *_anything(rng)) or state


def _anything(rng: Random) -> tuple[int, Action]:
    cells = rng.choice(TRIPLES)
    kinds = [actions.move(rng.randrange(9)), actions.move(rng.randrange(9), claim=cells), actions.claim(cells)]
    return rng.choice([(rng.choice((1, 2)), rng.choice(kinds)), rng.choice(ANSWERS), (REFEREE, actions.SETTLE)])


def test_a_claim_that_is_not_three_cells_is_no_claim() -> None:
    for cells in [
        (),
        (0,),
        (0, 1),
        (0, 1, 2, 3),
        (0, 0, 1),
        (0, 1, 9),
        (-1, 0, 1),
        (True, 2, 3),
        ("0", 1, 2),
        (0.0, 1, 2),
    ]:
        for action in (Action("claim", cells=cells), Action("move", move=0, cells=cells)):  # type: ignore[arg-type]
            with pytest.raises(Refusal, match="three different cells"):
                decide(SETUP, State(AGENTS.begin()), 2, action)
