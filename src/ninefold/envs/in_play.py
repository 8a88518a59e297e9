"""One game that is played move by move, as PettingZoo's and Gymnasium's environments do: by the native core where it
knows the rules, by the position where not."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from ninefold.analysis import engine
from ninefold.core.game import Game
from ninefold.core.position import Position, Side
from ninefold.envs.big_core import SHAPE, BigCodec
from ninefold.envs.observation import Observation, observe

REFUSED, GOES_ON, X_WON, O_WON, DRAWN = range(-1, 4)  # what a move led to, as in native/bindings/single_game.hpp
WINNERS = {X_WON: Side.X, O_WON: Side.O, DRAWN: None}


class GameInPlay(Protocol):
    """A game that changes with every move."""

    @property
    def position(self) -> Position:
        """Where it stands."""

    @property
    def turn(self) -> int:
        """The side to move."""

    def begin(self, position: Position) -> None:
        """Play from a position."""

    def play(self, move: int) -> int:
        """Make a move, and return what it led to; an illegal one is refused and changes nothing."""

    def observe(self, side: int, over: bool) -> Observation:
        """The observation of a side; ``over`` is true when nobody plays on."""


class PositionInPlay:
    """A game by the rules of its positions."""

    position: Position

    def __init__(self, game: Game, position: Position) -> None:
        self._game, self.position = game, position

    @property
    def turn(self) -> int:
        return self.position.turn

    def begin(self, position: Position) -> None:
        self.position = position

    def play(self, move: int) -> int:
        if move not in self.position.moves():
            return REFUSED
        self.position = self.position.play(move)
        if not (outcome := self.position.outcome):
            return GOES_ON
        return DRAWN if outcome.winner is None else O_WON if outcome.winner else X_WON

    def observe(self, side: int, over: bool) -> Observation:
        return observe(self._game, self.position, Side(side), over)


class NativeInPlay:
    """A game of squared or ultimate by the native core."""

    def __init__(self, game: Game, position: Position) -> None:
        self.native = engine.single_game(engine.rule_set(position))
        self._game, self._codec = game, BigCodec(position)
        self.begin(position)

    @property
    def position(self) -> Position:
        return self._codec.read(np.frombuffer(self.native.words(), np.int32).reshape(1, *SHAPE.position))[0]

    @property
    def turn(self) -> int:
        return self.native.turn

    def begin(self, position: Position) -> None:
        self.native.set(_words(position))

    def play(self, move: int) -> int:
        try:
            led_to: int = self.native.play(move)
        except TypeError:  # a number of more than 64 bits
            return REFUSED
        return led_to

    def observe(self, side: int, over: bool) -> Observation:
        planes, mask = np.empty(SHAPE.planes, np.int8), np.empty(SHAPE.moves, np.int8)
        self.native.observe(side, over, planes, mask)
        return {"observation": planes, "action_mask": mask}

    def __reduce__(self) -> tuple[Any, ...]:
        return NativeInPlay, (self._game, self.position)


@lru_cache(maxsize=1000)
def _words(position: Position) -> bytes:
    return BigCodec(position).write([position])[0].tobytes()


def in_play(game: Game, position: Position) -> GameInPlay:
    """A game that stands at a position."""
    return NativeInPlay(game, position) if engine.plays(position) else PositionInPlay(game, position)
