"""A match is a log: what was settled before it, and an append-only list of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ninefold.actions import Action, Event
from ninefold.core import NotAllowed, Position, Refusal, Side
from ninefold.door import decide
from ninefold.game import Game
from ninefold.state import Result, Seat, Setup, State, apply, fold


class BrokenLog(Refusal):
    """A log that cannot have come from play; ``event`` is the number of the first wrong event, from 0."""

    def __init__(self, event: int, sentence: str) -> None:
        super().__init__("broken_log", sentence)
        self.event = event


class Match(NamedTuple):
    """An immutable value: acting on a match gives a new one.

    >>> from ninefold.actions import move
    >>> from ninefold.games import find_game
    >>> match = begin(find_game("classic")).act(1, move(4)).act(2, move(0))
    >>> str(match.position)
    'O../.X./... X first=X line_ends=yes'
    """

    setup: Setup
    state: State
    events: tuple[Event, ...] = ()  # everything that happened
    played: tuple[Event, ...] = ()  # what still stands of it after take-backs

    def act(self, seat: int, action: Action, at: int = 0) -> Match:
        """The match after a seat's action, or a refusal that changes nothing."""
        match = self
        for event in decide(self.setup, self.state, seat, action, at):
            match = match._append(event)
        return match

    def _append(self, event: Event) -> Match:
        if event.action.kind == "take_back":
            played = _without_plies(self.played, event.action.number or 1)
            state = fold(self.setup, played)
        else:
            played = (*self.played, event)
            state = apply(self.setup, self.state, event)
        return Match(self.setup, state, (*self.events, event), played)

    @property
    def game(self) -> Game:
        return self.setup.game

    @property
    def position(self) -> Position:
        return self.state.position

    @property
    def result(self) -> Result | None:
        return self.state.result

    @property
    def version(self) -> int:
        """Counts the events that change the game; talk never makes a move stale."""
        return sum(event.action.kind != "say" for event in self.events)

    @property
    def asked(self) -> int | None:
        """The seat that has to act now: to move, or to answer a claim."""
        if self.result:
            return None
        side = self.state.pending.side.other if self.state.pending else self.position.turn
        return self.setup.seat(side)

    @property
    def status(self) -> str:
        """As the shared board says it: in_progress, claimed_win_X, claimed_win_O, won or draw."""
        if self.result:
            return "draw" if self.result.outcome.winner is None else "won"
        return f"claimed_win_{self.state.pending.side}" if self.state.pending else "in_progress"


def begin(
    game: Game,
    options: Mapping[str, str] | None = None,
    seats: tuple[Seat, Seat] = (Seat(Side.X), Seat(Side.O)),
    *,
    at: int = 0,
    seed: int | None = None,
    toss: bool = False,
) -> Match:
    """A new match; options that are not given have the game's defaults."""
    return replay(set_up(game, options, seats, at=at, seed=seed, toss=toss), ())


def set_up(
    game: Game, options: Mapping[str, str] | None, seats: tuple[Seat, Seat], *, at: int, seed: int | None, toss: bool
) -> Setup:
    """What a match starts from, checked."""
    settled = game.settle_options(options)
    if seats[0].side is seats[1].side:
        raise NotAllowed("same_side", "The two seats play different sides.")
    if settled.get("claims") == "yes" and settled.get("line_ends") == "yes":
        raise NotAllowed(
            "line_ends", "A victory is claimed only where a line does not end the game.", "Add line_ends=no."
        )
    if settled.get("early_draw") == "yes" and not game.small:
        raise NotAllowed("too_big", f"{game.title} is too big to know early that nobody can win.")
    return Setup(game, tuple(settled.items()), seats, at, seed, toss)


def replay(setup: Setup, events: Iterable[Event]) -> Match:
    """The match that a log tells, every event led through the door again; nothing false gets in."""
    match = Match(setup, State(setup.start))
    expected: list[Event] = []
    number = 0
    for number, event in enumerate(events):
        if not expected:
            try:
                expected = decide(setup, match.state, event.seat, event.action, event.at)
            except Refusal as refusal:
                raise BrokenLog(number, str(refusal)) from None
        if _told(event) != _told(expected[0]):
            raise BrokenLog(number, f"Here the referee says {expected[0].action.kind!r}, not {event.action.kind!r}.")
        match = match._append(expected.pop(0)._replace(at=event.at))
    if expected:
        raise BrokenLog(number, f"The log stops before the referee's {expected[0].action.kind!r}.")
    return match


def _told(event: Event) -> tuple[int, Action]:
    return event.seat, event.action._replace(text="") if event.action.kind in ("say", "dispute") else event.action


def _without_plies(played: tuple[Event, ...], plies: int) -> tuple[Event, ...]:
    """What stands after the last moves, and all that followed them, are taken back."""
    places = [place for place, event in enumerate(played) if event.action.kind == "move"]
    return played[: places[-plies]]
