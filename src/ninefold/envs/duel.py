"""One agent against an opponent in one game, who replies at once: what Gymnasium's environment is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, SupportsIndex

from ninefold.analysis.engine import level_batch, rule_set
from ninefold.core.game import Game
from ninefold.core.integers import as_integer
from ninefold.core.messages import text
from ninefold.core.position import Position, Side
from ninefold.envs.in_play import REFUSED, WINNERS, NativeInPlay
from ninefold.envs.observation import Observation, observe
from ninefold.match import actions
from ninefold.match.match import Match, begin
from ninefold.match.state import State

OpponentPolicy = Callable[[Match], actions.Action | SupportsIndex]  # a player, or a function that gives the move alone


class Duel(Protocol):
    """A game of the agent, who is to move whenever it goes on."""

    @property
    def position(self) -> Position:
        """Where it stands."""

    @property
    def match(self) -> Match:
        """The game as a match."""

    @property
    def over(self) -> bool:
        """True when it has ended."""

    @property
    def winner(self) -> Side | None:
        """The side that has won."""

    def act(self, action: int) -> bool:
        """Make a move of the agent, and let the opponent reply. False: it was illegal, and has forfeited the game."""

    def observe(self) -> Observation:
        """The observation of the agent."""


def begin_match(game: Game, options: Mapping[str, str], start: Position) -> Match:
    """A match that begins at a position. It can be played on, but its log leaves out how the position arose."""
    match = begin(game, options)
    return match if match.position == start else Match(match.setup, State(start))


class MatchDuel:
    """A duel with any player or function, as a match."""

    def __init__(self, match: Match, side: Side, reply: OpponentPolicy) -> None:
        self._side, self._reply = side, reply
        self.match: Match = self._advance(match)

    @property
    def position(self) -> Position:
        return self.match.position

    @property
    def over(self) -> bool:
        return self.match.result is not None

    @property
    def winner(self) -> Side | None:
        return self.match.result.outcome.winner if self.match.result else None

    def act(self, action: int) -> bool:
        legal = action in self.match.position.moves()
        self.match = self._advance(self.match.act(self._seat, actions.move(action) if legal else actions.RESIGN))
        return legal

    def observe(self) -> Observation:
        return observe(self.match.game, self.match.position, self._side, self.over)

    @property
    def _seat(self) -> int:
        return 1 if self._side is Side.X else 2

    def _advance(self, match: Match) -> Match:
        """The match after the opponent has acted, while it is to act."""
        while match.to_act not in (None, self._seat):
            match = match.act(3 - self._seat, _action(self._reply(match)))
        return match


class NativeDuel:
    """A duel with a level, or with random moves, in squared or ultimate by the native core."""

    def __init__(
        self, game: Game, options: Mapping[str, str], start: Position, side: Side, choose: NativeOpponent
    ) -> None:
        self._game, self._options, self._start = game, options, start
        self._side, self._choose = side, choose
        self._in_play = NativeInPlay(game, start)
        self._moves = list[int]()
        self._played = 0  # what the last move led to
        if self._in_play.turn != side:
            self._let_opponent_move()

    @property
    def position(self) -> Position:
        return self._in_play.position

    @property
    def match(self) -> Match:
        match = begin_match(self._game, self._options, self._start)
        for move in self._moves:
            match = match.act(match.to_act or 1, actions.move(move))
        return match.act(1 + self._side, actions.RESIGN) if self._played == REFUSED else match

    @property
    def over(self) -> bool:
        return self._played != 0

    @property
    def winner(self) -> Side | None:
        return self._side.other if self._played == REFUSED else WINNERS.get(self._played)

    def act(self, action: int) -> bool:
        self._played = self._in_play.play(action)
        if self._played == REFUSED:
            return False
        self._moves.append(action)
        if not self._played:
            self._let_opponent_move()
        return True

    def observe(self) -> Observation:
        return self._in_play.observe(self._side, self.over)

    def _let_opponent_move(self) -> None:
        move = self._choose(self._in_play.native, len(self._moves))
        self._moves.append(move)
        self._played = self._in_play.play(move)


class NativeOpponent:
    """A level, or random moves, for one game of the native core."""

    def __init__(self, name: str, start: Position, seed: int) -> None:
        from ninefold.players.engine_levels import LEVELS

        self._arguments, self._seed = (name, start, seed), seed
        self._level = None if name == "random" else level_batch(rule_set(start), *LEVELS[name], 1)

    def __call__(self, native: Any, counter: int) -> int:
        chosen: int = (
            native.random_move(self._seed, counter)
            if self._level is None
            else self._level.choose_one(native, self._seed, counter)
        )
        return chosen

    def __reduce__(self) -> tuple[Any, ...]:
        return NativeOpponent, self._arguments


def _action(reply: Any) -> actions.Action:
    """The action of a function, which may return the move alone."""
    if isinstance(reply, actions.Action):
        return reply
    try:
        return actions.move(as_integer("move", reply))
    except TypeError:
        raise TypeError(text("envs.opponent", value=repr(reply))) from None
