"""A match is a log: its set-up, and an append-only list of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from operator import index
from typing import Literal, NamedTuple

from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.game import Game, with_options
from ninefold.core.integers import as_integer
from ninefold.core.position import Position, Side
from ninefold.core.text import PLAYER_LENGTH, clean, clean_name
from ninefold.games import find_game
from ninefold.match.actions import Action, Event, move
from ninefold.match.rules import Decision, decide
from ninefold.match.state import UNFINISHED, Result, Seat, Setup, State, fold

GameStatus = Literal["in_progress", "claimed_win_X", "claimed_win_O", "won", "draw", "abandoned"]

LATEST = 253_402_300_799_999  # the last millisecond of the year 9999
LARGEST_SEED = 2**63 - 1
REPR_MOVES = 9  # the last moves that a match shows in Python


class BrokenLog(Unreadable):
    """A log that cannot have come from play; ``event`` is the number of the first wrong event, from 0."""

    def __init__(self, event: int, code: str, /, **params: object) -> None:
        super().__init__(code, **params)
        self.event = event


class Match(NamedTuple):
    """An immutable value: acting on a match gives a new one. In a notebook it is a picture.

    >>> from ninefold import begin
    >>> match = begin("classic").act(1, 4).act(2, 0)
    >>> match
    <Match of classic: 5 1, X to act>
    >>> match.position
    Classic('O../.X./... X first=X line_ends=yes')
    """

    setup: Setup
    state: State
    events: tuple[Event, ...] = ()  # everything that happened
    played: tuple[Event, ...] = ()  # the events that still stand after take-backs
    said: int = 0  # how many of the events are messages

    def act(self, seat: int, action: Action | int | str, at: int = 0) -> Match:
        """The match after a seat's action, or a refusal that changes nothing. A number is a move, and a text is a move
        as a player of the game types it. ``at`` is the time in milliseconds since 1970, 0 if it is not known.

        >>> from ninefold import actions, begin
        >>> begin("squared").act(1, 40).act(2, "57").act(1, actions.RESIGN)
        <Match of squared: 55 57, 0-1>
        """
        if type(seat) is not int or type(at) is not int or not 0 <= at <= LATEST:  # nearly never, so it costs nothing
            seat, at = as_integer("seat", seat), _checked_time(at)
        decision = decide(self.setup, self.state, seat, self._action(action), at)
        return self._after(tuple(decision.events), decision.state)

    def _action(self, given: Action | int | str) -> Action:
        if isinstance(given, Action):
            return given
        if isinstance(given, str):
            return move(self.game.parse_move_at(self.position, given))
        if not isinstance(given, bool) and hasattr(given, "__index__"):  # whole numbers of NumPy too
            return move(index(given))
        raise Unreadable("not_a_move.kind")

    def extend(self, events: Iterable[Event]) -> Match:
        """The match after events that the rules have allowed already, here or on a server.

        >>> from ninefold import begin
        >>> match = begin("classic").act(1, 4).act(2, 0)
        >>> begin("classic").extend(match.events) == match
        True
        """
        happened = tuple(events)
        return self._after(happened, fold(self.setup, happened, self.state))

    def extend_checked(self, log: Iterable[Event]) -> Match:
        """The match after events from outside. Every event is decided again by the rules, so nothing false gets in.

        >>> from ninefold import begin
        >>> match = begin("classic").act(1, 4)
        >>> match.extend_checked(match.events)
        Traceback (most recent call last):
            ...
        ninefold.match.match.BrokenLog: It is O's turn. Wait for Player 2 (O). The events before it can be replayed.
        """
        state, accepted, remaining = self.state, list[Event](), iter(log)
        for event in remaining:
            number = len(self.events) + len(accepted)
            decided, state = _decide_again(self.setup, state, event, number)
            group = [event, *islice(remaining, len(decided) - 1)]  # an action, and what the referee adds to it
            happened = [_checked(number + place, *pair) for place, pair in enumerate(zip(group, decided, strict=False))]
            if len(group) < len(decided):
                missing = decided[len(group)].action.kind
                raise BrokenLog(number + len(group) - 1, "broken_log.missing", expected=repr(missing))
            accepted += happened
        return self._after(tuple(accepted), state)

    def _after(self, happened: tuple[Event, ...], state: State) -> Match:
        played, said = self.played, self.said
        for event in happened:
            played = _without_last(played, event.action.number or 1) if _takes_back(event) else (*played, event)
            said += event.action.kind == "say"
        return Match(self.setup, state, self.events + happened, played, said)

    def __repr__(self) -> str:
        names = [self.game.name(move) for move in self.state.moves]
        played = " ".join([*(["..."] if len(names) > REPR_MOVES else []), *names[-REPR_MOVES:]]) or "no moves"
        side = self.setup.side(self.to_act) if self.to_act else None
        return f"<Match of {self.game.id}: {played}, {self.result.score if self.result else f'{side} to act'}>"

    def _repr_svg_(self) -> str:
        from ninefold.core.svg import svg
        from ninefold.match.summary import last_changed

        last = last_changed(self.game, self.state)
        return svg(self.game, self.position, last=last, outcome=self.result.outcome if self.result else None)

    @property
    def game(self) -> Game:
        """The game that is played.

        >>> from ninefold import begin
        >>> begin("classic").game
        <Game classic: Tic-Tac-Toe>
        """
        return self.setup.game

    @property
    def position(self) -> Position:
        """The position on the board now.

        >>> from ninefold import begin
        >>> begin("classic").act(1, 4).position.turn
        Side.O
        """
        return self.state.position

    @property
    def result(self) -> Result | None:
        """The end of the match, or None while it goes on.

        >>> from ninefold import actions, begin
        >>> match = begin("classic").act(1, actions.RESIGN)
        >>> match.result.by, match.result.score, match.result.sentence(match.game)
        ('resigned', '0-1', 'O wins: X resigned.')
        """
        return self.state.result

    @property
    def version(self) -> int:
        """Counts the events that change the game; a message never makes a move stale.

        >>> from ninefold import actions, begin
        >>> begin("classic").act(1, 4).act(1, actions.say("your turn")).version
        1
        """
        return len(self.events) - self.said

    @property
    def to_act(self) -> int | None:
        """The seat that has to act now: to move, or to answer a claim; None after the end.

        >>> from ninefold import begin
        >>> begin("classic").to_act, begin("classic", first="O").to_act
        (1, 2)
        """
        if self.result:
            return None
        side = self.state.pending.side.other if self.state.pending else self.position.turn
        return self.setup.seat(side)

    @property
    def status(self) -> GameStatus:
        """The status on the shared board.

        >>> from ninefold import actions, begin
        >>> begin("agents").act(2, 4).act(1, actions.claim((0, 1, 2))).status
        'claimed_win_X'
        """
        if self.result:
            if self.result.by in UNFINISHED:
                return "abandoned"
            return "draw" if self.result.outcome.winner is None else "won"
        if self.state.pending is None:
            return "in_progress"
        return "claimed_win_O" if self.state.pending.side else "claimed_win_X"


def begin(
    game: Game | str,
    options: Mapping[str, str] | None = None,
    seats: tuple[Seat, Seat] = (Seat(Side.X), Seat(Side.O)),
    *,
    at: int = 0,
    seed: int | None = None,
    toss: bool = False,
    **more_options: str,
) -> Match:
    """A new match of a game or of the game with this id. Options are given as a mapping or by their names; those that
    are not given have the game's defaults. ``at`` is the time in milliseconds since 1970, 0 if it is not known.

    >>> begin("classic")
    <Match of classic: no moves, X to act>
    >>> begin("ultimate", first="O", tie_break="boards").position.options
    {'first': 'O', 'drawn': 'nobody', 'tie_break': 'boards'}
    """
    chosen = with_options(options, **more_options)
    return replay(set_up(find_game(game), chosen, seats, at=at, seed=seed, toss=toss), ())


def set_up(
    game: Game, options: Mapping[str, str] | None, seats: tuple[Seat, Seat], *, at: int, seed: int | None, toss: bool
) -> Setup:
    """The setup of a match, checked and clean."""
    settled = game.settle_options(options)
    at, seed = _checked_time(at), None if seed is None else as_integer("seed", seed)
    if not isinstance(toss, bool):
        raise TypeError(f"toss must be True or False, not {toss!r}.")
    if not isinstance(seats, tuple | list) or [type(seat) for seat in seats] != [Seat, Seat]:
        raise TypeError(f"seats must be two seats, such as (Seat(X), Seat(O)), not {seats!r}.")
    for seat in seats:
        if not isinstance(seat.name, str) or not isinstance(seat.player, str):
            raise TypeError(f"The name and the player of a seat must be texts, not {seat.name!r} and {seat.player!r}.")
        if not isinstance(seat.side, Side):
            raise Unreadable("no_such_value", option="side", value=quoted(str(seat.side)), values="X O")
    if seats[0].side is seats[1].side:
        raise NotAllowed("same_side")
    if settled.get("claims") == "yes" and settled.get("line_ends") == "yes":
        raise NotAllowed("line_ends")
    if seed is not None and not 0 <= seed <= LARGEST_SEED:
        raise Unreadable("not_a_seed", most=LARGEST_SEED)
    first, second = (Seat(side, clean_name(name), clean(player)[:PLAYER_LENGTH]) for side, name, player in seats)
    return Setup(game, tuple(settled.items()), (first, second), at, seed, toss)


def check_match(match: Match) -> None:
    if not isinstance(match, Match):
        raise TypeError(f"match must be a Match, such as begin('classic'), not {match!r}.")


def _checked_time(at: int) -> int:
    at = as_integer("at", at)
    if not 0 <= at <= LATEST:
        raise Unreadable("not_a_time")
    return at


def replay(setup: Setup, log: Iterable[Event]) -> Match:
    """The match that a log holds."""
    return Match(setup, State(setup.start)).extend_checked(log)


def _decide_again(setup: Setup, state: State, event: Event, number: int) -> Decision:
    try:
        return decide(setup, state, event.seat, event.action, event.at)
    except Refusal as refusal:
        raise BrokenLog(number, "broken_log.refused", refusal=refusal.whole) from None


def _takes_back(event: Event) -> bool:
    return event.action.kind == "take_back"


def _without_last(played: tuple[Event, ...], moves: int) -> tuple[Event, ...]:
    """Events without the last moves and what happened after each of them."""
    end = len(played)
    for _ in range(moves):
        end = max(place for place in range(end) if played[place].action.kind == "move")
    return played[:end]


def _checked(number: int, event: Event, decided: Event) -> Event:
    """The event that the rules have decided, if the one from outside is the same."""
    if _without_text(event) != _without_text(decided):
        raise _difference(number, event, decided)
    return decided._replace(at=event.at)


def _without_text(event: Event) -> tuple[int, Action]:
    """An event for comparison with the one that the rules decide: that one has its text cleaned."""
    return event.seat, event.action._replace(text="") if event.action.kind in ("say", "dispute") else event.action


def _difference(number: int, event: Event, decided: Event) -> BrokenLog:
    if event.action.kind == decided.action.kind and event.seat == decided.seat:
        return BrokenLog(number, "broken_log.fields", kind=repr(event.action.kind))
    found, expected = repr(event.action.kind), repr(decided.action.kind)
    return BrokenLog(number, "broken_log.other", expected=expected, found=found)
