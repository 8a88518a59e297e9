"""A match is a log: its set-up, and an append-only list of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.core.game import Game
from ninefold.core.position import Position, Side
from ninefold.core.text import clean_name
from ninefold.match.actions import Action, Event
from ninefold.match.rules import decide
from ninefold.match.state import UNFINISHED, Result, Seat, Setup, State, apply, fold

GameStatus = Literal["in_progress", "claimed_win_X", "claimed_win_O", "won", "draw", "abandoned"]

LATEST = 253_402_300_799_999  # the last millisecond of the year 9999
LARGEST_SEED = 2**63 - 1


class BrokenLog(Unreadable):
    """A log that cannot have come from play; ``event`` is the number of the first wrong event, from 0."""

    def __init__(self, event: int, code: str, /, **params: object) -> None:
        super().__init__(code, **params)
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
    played: tuple[Event, ...] = ()  # the events that still stand after take-backs

    def act(self, seat: int, action: Action, at: int = 0) -> Match:
        """The match after a seat's action, or a refusal that changes nothing."""
        return self.extend(decide(self.setup, self.state, seat, action, at))

    def extend(self, events: Iterable[Event]) -> Match:
        """The match after events that the rules have allowed already, here or on a server."""
        happened = tuple(events)
        played = list(self.played)
        for event in happened:
            _add_to_played(played, event)
        return Match(self.setup, fold(self.setup, happened, self.state), self.events + happened, tuple(played))

    def extend_checked(self, log: Iterable[Event]) -> Match:
        """The match after events from outside. Every event is decided again by the rules, so nothing false gets in."""
        setup, state = self.setup, self.state
        accepted, played = list(self.events), list(self.played)
        expected: list[Event] = []  # what the last action must lead to
        for event in log:
            if not expected:
                expected = _decide_again(setup, state, event, len(accepted))
            decided = expected.pop(0)
            if _without_words(event) != _without_words(decided):
                raise _difference(len(accepted), event, decided)
            accepted.append(decided._replace(at=event.at))
            state = apply(setup, state, accepted[-1])
            _add_to_played(played, accepted[-1])
        if expected:
            raise BrokenLog(len(accepted) - 1, "broken_log.missing", expected=repr(expected[0].action.kind))
        return Match(setup, state, tuple(accepted), tuple(played))

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
        """Counts the events that change the game; a message never makes a move stale."""
        return sum(event.action.kind != "say" for event in self.events)

    @property
    def to_act(self) -> int | None:
        """The seat that has to act now: to move, or to answer a claim."""
        if self.result:
            return None
        side = self.state.pending.side.other if self.state.pending else self.position.turn
        return self.setup.seat(side)

    @property
    def status(self) -> GameStatus:
        """The status on the shared board."""
        if self.result:
            if self.result.by in UNFINISHED:
                return "abandoned"
            return "draw" if self.result.outcome.winner is None else "won"
        if self.state.pending is None:
            return "in_progress"
        return "claimed_win_O" if self.state.pending.side else "claimed_win_X"


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
        raise NotAllowed("same_side")
    if settled.get("claims") == "yes" and settled.get("line_ends") == "yes":
        raise NotAllowed("line_ends")
    if not 0 <= at <= LATEST:
        raise Unreadable("not_a_time")
    if seed is not None and not 0 <= seed <= LARGEST_SEED:
        raise Unreadable("not_a_seed", most=LARGEST_SEED)
    first, second = (Seat(side, clean_name(name), clean_name(player)) for side, name, player in seats)
    return Setup(game, tuple(settled.items()), (first, second), at, seed, toss)


def replay(setup: Setup, log: Iterable[Event]) -> Match:
    """The match that a log holds."""
    return Match(setup, State(setup.start)).extend_checked(log)


def _decide_again(setup: Setup, state: State, event: Event, number: int) -> list[Event]:
    try:
        return decide(setup, state, event.seat, event.action, event.at)
    except Refusal as refusal:
        raise BrokenLog(number, "broken_log.refused", refusal=refusal) from None


def _add_to_played(played: list[Event], event: Event) -> None:
    """Add an event to those that stand, or take back what it takes back."""
    if event.action.kind != "take_back":
        played.append(event)
        return
    for _ in range(event.action.number or 1):
        while played.pop().action.kind != "move":
            pass


def _without_words(event: Event) -> tuple[int, Action]:
    """What has to be the same in a log and in the event decided again: words may have been cleaned in between."""
    return event.seat, event.action._replace(text="") if event.action.kind in ("say", "dispute") else event.action


def _difference(number: int, event: Event, decided: Event) -> BrokenLog:
    if event.action.kind == decided.action.kind and event.seat == decided.seat:
        return BrokenLog(number, "broken_log.fields", kind=repr(event.action.kind))
    found, expected = repr(event.action.kind), repr(decided.action.kind)
    return BrokenLog(number, "broken_log.other", expected=expected, found=found)
