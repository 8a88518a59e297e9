"""The state of a match: a pure fold over its events. No clock, no input or output, no randomness."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.position import Outcome, Position, Side
from ninefold.match.actions import Event
from ninefold.match.claims import Claim, Verdict

HUMAN = "human"  # who plays at a seat that no program plays at
UNFINISHED = ("left", "expired")  # endings without a winner that are no draws either


class Seat(NamedTuple):
    """A place at the board: its side, who is called what, and who plays there (human, or a player's name)."""

    side: Side
    name: str = ""
    player: str = HUMAN


class Setup(NamedTuple):
    """What was settled before the first move."""

    game: Game
    options: tuple[tuple[str, str], ...]
    seats: tuple[Seat, Seat]
    at: int = 0
    seed: int | None = None
    toss: bool = False  # whether a toss decided who starts

    def option(self, name: str) -> str | None:
        return dict(self.options).get(name)

    @property
    def has_claims(self) -> bool:
        return self.option("claims") == "yes"

    @property
    def start(self) -> Position:
        return self.game.start(dict(self.options))

    def side(self, seat: int) -> Side:
        return self.seats[seat - 1].side

    def seat(self, side: Side) -> int:
        return 1 if self.seats[0].side is side else 2

    def called(self, seat: int) -> str:
        """Who plays at a seat: Player 1, Ann, hard."""
        _, name, player = self.seats[seat - 1]
        return name or (f"Player {seat}" if player == HUMAN else player)

    def label(self, seat: int) -> str:
        """With the side: Player 1 (X), Ann (X), hard (O)."""
        return f"{self.called(seat)} ({self.side(seat)})"


class Result(NamedTuple):
    """How a match ended: ``by`` says in what way (by the rules, a claim, a resignation ...)."""

    by: str
    outcome: Outcome

    def sentence(self, game: Game) -> str:
        return f"No winner: {self.outcome.why}." if self.by in UNFINISHED else game.tell(self.outcome)

    @property
    def score(self) -> str:
        if self.by in UNFINISHED:
            return "*"
        return "1/2-1/2" if self.outcome.winner is None else ("1-0", "0-1")[self.outcome.winner]


class State(NamedTuple):
    position: Position
    moves: tuple[int, ...] = ()
    previous: State | None = None  # in which the last move was made
    pending: Claim | None = None
    barred: frozenset[Side] = frozenset()
    offer: tuple[int, str] | None = None  # by which seat, of what
    result: Result | None = None
    verdict: Verdict | None = None  # on the last claim that was settled
    claimed_at: int = 0  # how many moves had been made when the last claim was

    def plies_back(self, side: Side) -> int:
        """How many plies go back when a side takes back its own last move."""
        return 2 if self.position.turn is side else 1


def apply(setup: Setup, state: State, event: Event) -> State:
    """The state after an event that the door has let in."""
    seat, action = event.seat, event.action
    match action.kind:
        case "move":
            return _moved(setup, state, event)
        case "claim":
            claim = Claim(setup.side(seat), action.cells or ())
            return state._replace(pending=claim, claimed_at=len(state.moves))
        case "settle":
            return _settled(state, action.text)
        case "offer":
            return state._replace(offer=(seat, action.text))
        case "decline":
            return state._replace(offer=None)
        case "accept" if state.offer and state.offer[1] == "draw":
            return _over(state, "agreed", None, "agreed by both players")
        case "resign":
            return _over(state, "resigned", setup.side(seat).other, f"{setup.side(seat)} resigned")
        case "leave":
            return _over(state, "left", None, f"{setup.side(seat)} left the game")
        case "flag":
            late = setup.side(action.number or 1)
            return _over(state, "flagged", late.other, f"{late} ran out of time")
        case "gone":
            away = setup.side(action.number or 1)
            return _over(state, "gone", away.other, f"{away} has gone")
        case "expire":
            return _over(state, "expired", None, "the game was left idle")
        case "take_back":
            return _taken_back(state, action.number or 1)
        case "draw_early":
            return _over(state, "early_draw", None, "nobody can win any more")
    return state  # answers wait for the referee's settlement; talk changes nothing


def _moved(setup: Setup, state: State, event: Event) -> State:
    move, cells = event.action.move, event.action.cells
    assert isinstance(move, int)
    moves = (*state.moves, move)
    after = State(state.position.play(move), moves, state, verdict=state.verdict, claimed_at=state.claimed_at)
    if cells is None:
        return _closed(after)
    return after._replace(pending=Claim(setup.side(event.seat), cells), claimed_at=len(moves))


def _taken_back(state: State, plies: int) -> State:
    for _ in range(plies):
        assert state.previous is not None
        state = state.previous
    return state


def _settled(state: State, reason: str) -> State:
    claim = state.pending
    assert claim is not None
    verdict = Verdict(reason, claim)
    settled = state._replace(pending=None, verdict=verdict)
    if verdict.true:
        return settled._replace(result=Result("claim", Outcome(claim.side, "line", "a true claim", (claim.cells,))))
    return _closed(settled._replace(barred=state.barred | {claim.side}))


def _closed(state: State) -> State:
    """Ended, when the rules of the position say so. A pending claim is heard before this is asked."""
    outcome = state.position.outcome
    return state if outcome is None else state._replace(result=Result("rules", outcome))


def _over(state: State, by: str, winner: Side | None, why: str) -> State:
    return state._replace(offer=None, result=Result(by, Outcome(winner, by, why)))


def fold(setup: Setup, events: Iterable[Event]) -> State:
    state = State(setup.start)
    for event in events:
        state = apply(setup, state, event)
    return state
