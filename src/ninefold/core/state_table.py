"""A small game as a table: its own rules, walked once, become dense arrays."""

from __future__ import annotations

from array import array
from functools import cache
from typing import NamedTuple

from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.position import Position

LIMIT = 200_000
NONE = -1  # no successor: the move is not legal there
IN_PROGRESS = 2  # the result of a state that is not final; else +1 X won, -1 O won, 0 drawn


class TooBig(NotAllowed):
    """The game has more positions than a table should hold."""


class Table(NamedTuple):
    """State 0 is the start. ``successor`` holds ``width`` entries a state, one for each move."""

    states: tuple[Position, ...]
    numbers: dict[Position, int]
    width: int
    successor: array[int]
    side: array[int]
    result: array[int]

    def __repr__(self) -> str:
        return f"<Table of {len(self.states):,} positions>"

    def state(self, position: Position) -> int:
        """The number of a position; a position that play cannot reach has none."""
        if position not in self.numbers:
            raise NotAllowed("unreachable")
        return self.numbers[position]

    def moves(self, state: int) -> list[tuple[int, int]]:
        """The legal moves of a state, each with the state it leads to."""
        row = self.successor[state * self.width : (state + 1) * self.width]
        return [(move, after) for move, after in enumerate(row) if after != NONE]


def compile_from(start: Position, width: int, limit: int = LIMIT) -> Table:
    """Every position reachable from a start, numbered in the order they are met."""
    index = {start: 0}
    states = [start]
    successor = array("i")
    blank = array("i", [NONE]) * width
    for position in states:  # grows while it is walked
        row = blank[:]
        for move in position.moves():
            after = position.play(move)
            row[move] = index.setdefault(after, len(states))
            if row[move] == len(states):
                states.append(after)
        successor += row
        if len(states) > limit:
            raise TooBig("too_big", most=limit)
    side = array("b", [position.turn for position in states])
    result = array("b", [_result(position) for position in states])
    return Table(tuple(states), index, width, successor, side, result)


def _result(position: Position) -> int:
    outcome = position.outcome
    if outcome is None:
        return IN_PROGRESS
    return 0 if outcome.winner is None else 1 - 2 * outcome.winner


@cache
def table_of(game: Game, start: Position) -> Table:
    """The table of a game from one of its starts; made once in a process."""
    if not game.small:
        raise TooBig("too_big.game", game=game.title)
    return compile_from(start, len(game.paths))
