"""A match is a log: what was settled before it, and an append-only list of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.core.game import Game
from ninefold.core.position import Position, Side
from ninefold.core.text import clean_name
from ninefold.match.actions import Action, Event
from ninefold.match.rules import decide
from ninefold.match.state import Result, Seat, Setup, State, apply

LATEST = 253_402_300_799_999  # the last millisecond of the year 9999
LARGEST_SEED = 2**63 - 1


class BrokenLog(Unreadable):
    """A log that cannot have come from play; ``event`` is the number of the first wrong event, from 0."""

    def __init__(self, event: int, sentence: str) -> None:
        super().__init__("broken_log", sentence)
        self.event = event


class Match(NamedTuple):
    """An immutable value: acting on a match gives a new one.

    >>> from ninefold.match.actions import move
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
        state, events, played = self.state, list(self.events), list(self.played)
        for event in decide(self.setup, self.state, seat, action, at):
            state = _take(self.setup, state, events, played, event)
        return Match(self.setup, state, tuple(events), tuple(played))

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
    """What a match starts from, checked and clean."""
    settled = game.settle_options(options)
    if seats[0].side is seats[1].side:
        raise NotAllowed("same_side", "Both seats have the same side.", "One is X, the other O.")
    if settled.get("claims") == "yes" and settled.get("line_ends") == "yes":
        raise NotAllowed(
            "line_ends", "A victory is claimed only where a line does not end the game.", "Add line_ends=no."
        )
    if not 0 <= at <= LATEST:
        raise Unreadable("not_a_time", "A match begins between the years 1970 and 9999.", "Times are in milliseconds.")
    if seed is not None and not 0 <= seed <= LARGEST_SEED:
        raise Unreadable("not_a_seed", "That is no seed.", f"A seed is a whole number from 0 to {LARGEST_SEED}.")
    first, second = (Seat(side, clean_name(name), clean_name(player)) for side, name, player in seats)
    return Setup(game, tuple(settled.items()), (first, second), at, seed, toss)


def replay(setup: Setup, log: Iterable[Event]) -> Match:
    """The match that a log tells, every event led through the door again; nothing false gets in."""
    state = State(setup.start)
    events: list[Event] = []
    played: list[Event] = []
    expected: list[Event] = []
    for event in log:
        if not expected:
            try:
                expected = decide(setup, state, event.seat, event.action, event.at)
            except Refusal as refusal:
                raise BrokenLog(len(events), str(refusal)) from None
        true = expected.pop(0)
        if _told(event) != _told(true):
            raise BrokenLog(len(events), _what_differs(event, true))
        state = _take(setup, state, events, played, true._replace(at=event.at))
    if expected:
        raise BrokenLog(len(events) - 1, f"After this the log lacks the referee's {expected[0].action.kind!r}.")
    return Match(setup, state, tuple(events), tuple(played))


def _take(setup: Setup, state: State, events: list[Event], played: list[Event], event: Event) -> State:
    """Add an event to the log and to what stands of it."""
    events.append(event)
    if event.action.kind == "take_back":
        for _ in range(event.action.number or 1):
            while played.pop().action.kind != "move":
                pass
    else:
        played.append(event)
    return apply(setup, state, event)


def _told(event: Event) -> tuple[int, Action]:
    """What has to be the same in a log and at the door; words may have been cleaned there."""
    return event.seat, event.action._replace(text="") if event.action.kind in ("say", "dispute") else event.action


def _what_differs(event: Event, true: Event) -> str:
    if event.action.kind == true.action.kind and event.seat == true.seat:
        return f"This {event.action.kind!r} has fields that do not belong to it, or the wrong ones."
    return f"Here the referee says {true.action.kind!r}, not {event.action.kind!r}."
