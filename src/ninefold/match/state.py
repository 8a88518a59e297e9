"""The state of a match: a pure fold over its events. No clock, no input or output, no randomness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.messages import Message, has_text, message
from ninefold.core.position import Outcome, Position, Side
from ninefold.match.actions import Event
from ninefold.match.claims import Claim, Verdict

__all__ = ["Result", "Seat", "Setup"]

HUMAN = "human"  # the player of a seat where no program plays
UNFINISHED = ("left", "expired")  # endings that have no winner and are not draws


class Seat(NamedTuple):
    """A place in a match: its side, the name of its player, and the kind of player: human, or a level.

    >>> from ninefold import O, X, begin
    >>> begin("classic", seats=(Seat(O, "Ann"), Seat(X, player="hard"))).setup.label(1)
    'Ann (O)'
    """

    side: Side
    name: str = ""
    player: str = HUMAN


class Setup(NamedTuple):
    """Everything that was settled before the first move.

    >>> from ninefold import begin
    >>> setup = begin("classic", first="O").setup
    >>> setup.game.id, setup.option("first"), setup.start.turn.name
    ('classic', 'O', 'O')
    """

    game: Game
    options: tuple[tuple[str, str], ...]
    seats: tuple[Seat, Seat]
    at: int = 0
    seed: int | None = None
    toss: bool = False  # True if a toss decided who starts

    def option(self, name: str) -> str | None:
        """The value of an option, or None if the game has none of this name.

        >>> from ninefold import begin
        >>> begin("ultimate").setup.option("drawn"), begin("ultimate").setup.option("claims")
        ('nobody', None)
        """
        return dict(self.options).get(name)

    @property
    def has_claims(self) -> bool:
        """True if victory has to be claimed.

        >>> from ninefold import begin
        >>> begin("agents").setup.has_claims, begin("classic").setup.has_claims
        (True, False)
        """
        return self.option("claims") == "yes"

    @property
    def start(self) -> Position:
        """The position before the first move.

        >>> from ninefold import begin
        >>> begin("swap-nine").act(1, 4).setup.start.moves() == begin("swap-nine").position.moves()
        True
        """
        return self.game.start(dict(self.options))

    def side(self, seat: int) -> Side:
        """The side of a seat.

        >>> from ninefold import begin
        >>> [begin("classic").setup.side(seat).name for seat in (1, 2)]
        ['X', 'O']
        """
        return self.seats[seat - 1].side

    def seat(self, side: Side) -> int:
        """The seat of a side.

        >>> from ninefold import O, Seat, X, begin
        >>> begin("classic", seats=(Seat(O), Seat(X))).setup.seat(X)
        2
        """
        return 1 if self.seats[0].side is side else 2

    def display_name(self, seat: int) -> str:
        """The name of a seat's player: Player 1, Ann, hard.

        >>> from ninefold import O, Seat, X, begin
        >>> setup = begin("classic", seats=(Seat(X), Seat(O, player="hard"))).setup
        >>> setup.display_name(1), setup.display_name(2)
        ('Player 1', 'hard')
        """
        return str(self._name(seat))

    def _name(self, seat: int) -> str | Message:
        _, name, player = self.seats[seat - 1]
        if name:
            return name
        if player == HUMAN:
            return message("player.default", seat=seat)
        return Message(f"level.{player}") if has_text(f"level.{player}") else player

    def label(self, seat: int) -> str:
        """The name with the side: Player 1 (X), Ann (X), hard (O).

        >>> from ninefold import O, Seat, X, begin
        >>> begin("classic", seats=(Seat(X, "Ann"), Seat(O, player="hard"))).setup.label(1)
        'Ann (X)'
        """
        return str(self.label_message(seat))

    def label_message(self, seat: int) -> Message:
        """The same as a message, which other languages translate.

        >>> from ninefold import begin
        >>> str(begin("classic").setup.label_message(2))
        'Player 2 (O)'
        """
        return message("player.label", name=self._name(seat), side=self.side(seat))


class Result(NamedTuple):
    """The end of a match: ``by`` says in what way (by the rules, a claim, a resignation ...).

    >>> from ninefold import actions, begin
    >>> begin("classic").act(1, actions.RESIGN).result.by
    'resigned'
    """

    by: str
    outcome: Outcome

    def sentence(self, game: Game) -> str:
        """How the match ended, in the words of its game.

        >>> from ninefold import begin
        >>> match = begin("classic")
        >>> for move in (0, 3, 1, 4, 2):
        ...     match = match.act(match.to_act, move)
        >>> match.result.sentence(match.game)
        'X wins: three in a row (1 2 3).'
        """
        return str(self.message(game))

    def message(self, game: Game) -> Message:
        """The same as a message, which other languages translate.

        >>> from ninefold import actions, begin
        >>> match = begin("classic").act(1, actions.RESIGN)
        >>> str(match.result.message(match.game)) == match.result.sentence(match.game)
        True
        """
        if self.by in UNFINISHED:
            return message("result.unfinished", why=self.outcome.why)
        return game.outcome_message(self.outcome)

    @property
    def score(self) -> str:
        """The result as chess players write it; ``*`` if there is none.

        >>> from ninefold import actions, begin
        >>> match = begin("classic")
        >>> match.act(2, actions.RESIGN).result.score, match.act(2, actions.LEAVE).result.score
        ('1-0', '*')
        """
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

    def __repr__(self) -> str:
        return f"<State after {len(self.moves)} moves: {self.position!r}>"

    def plies_back(self, side: Side) -> int:
        """The number of plies that go back when a side takes back its own last move."""
        return 2 if self.position.turn is side else 1


def apply(setup: Setup, state: State, event: Event) -> State:
    """The state after an event that the rules have allowed."""
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
            return _ended(state, "agreed", None)
        case "resign":
            return _ended(state, "resigned", setup.side(seat).other, setup.side(seat))
        case "leave":
            return _ended(state, "left", None, setup.side(seat))
        case "flag" | "gone":
            loser = setup.side(action.number or 1)
            return _ended(state, "flagged" if action.kind == "flag" else "gone", loser.other, loser)
        case "expire":
            return _ended(state, "expired", None)
        case "take_back":
            return _taken_back(state, action.number or 1)
        case "draw_early":
            return _ended(state, "early_draw", None)
    return state  # answers wait for the referee's settlement; a message changes nothing


def _moved(setup: Setup, state: State, event: Event) -> State:
    move, cells = event.action.move, event.action.cells
    assert isinstance(move, int)
    moves = (*state.moves, move)
    after = State(state.position.play(move), moves, state, verdict=state.verdict, claimed_at=state.claimed_at)
    if cells is None:
        return _ended_by_rules(after)
    return after._replace(pending=Claim(setup.side(event.seat), cells), claimed_at=len(moves))


def _taken_back(state: State, plies: int) -> State:
    for _ in range(plies):
        assert state.previous is not None
        state = state.previous
    return state


def _settled(state: State, reason: str) -> State:
    claim = state.pending
    assert claim is not None
    verdict = Verdict.of(reason, claim, state.position.cells)
    settled = state._replace(pending=None, verdict=verdict)
    if verdict.true:
        outcome = Outcome(claim.side, "line", Message("result.claim"), (claim.cells,))
        return settled._replace(result=Result("claim", outcome))
    return _ended_by_rules(settled._replace(barred=state.barred | {claim.side}))


def _ended_by_rules(state: State) -> State:
    """Ended, when the rules of the position say so. A pending claim is heard first."""
    outcome = state.position.outcome
    return state if outcome is None else state._replace(result=Result("rules", outcome))


def _ended(state: State, by: str, winner: Side | None, side: Side | None = None) -> State:
    """Ended by what ``side`` did, or by nobody."""
    why = message(f"result.{by}", side=side) if side is not None else Message(f"result.{by}")
    return state._replace(offer=None, result=Result(by, Outcome(winner, by, why)))


class Transition(NamedTuple):
    """An event, with the states before and after it."""

    before: State
    event: Event
    after: State


def steps(setup: Setup, events: Iterable[Event], state: State | None = None) -> Iterator[Transition]:
    """Events one by one, from a state on, or from the start."""
    before = state or State(setup.start)
    for event in events:
        after = apply(setup, before, event)
        yield Transition(before, event, after)
        before = after


def fold(setup: Setup, events: Iterable[Event], state: State | None = None) -> State:
    """The state after some events, from a state on, or from the start."""
    after = state or State(setup.start)
    for event in events:
        after = apply(setup, after, event)
    return after
