"""The compiled table of a small game as arrays, so that a step of a batch is one lookup; and its positions as numbers.

A transition is one int32: the state after a move in its lower 18 bits, then the reward of X plus one in two bits, then
whether the game has ended in one bit. There is one for every state and move, and one more column for everything that is
not a move, so that illegal actions need no special case.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.core.state_table import IN_PROGRESS, NONE, Table, table_of
from ninefold.envs.planes import planes_of

REWARD_BIT, DONE_BIT = 18, 20
STATE_BITS = (1 << REWARD_BIT) - 1

Ints = npt.NDArray[np.int32]


class GameTables(NamedTuple):
    """The arrays of a game. Its states are those of the compiled table, and two more: X has forfeited, O has
    forfeited."""

    table: Table
    transitions: Ints  # state, move: where it leads, packed
    masks: Ints  # state: the legal moves as bits, in words of 32
    counts: Ints  # state: how many moves are legal
    ranked: Ints  # state, rank: the legal move of that rank
    planes: npt.NDArray[np.bool_]
    legal: npt.NDArray[np.bool_]
    turn: npt.NDArray[np.int8]


class TableCodec:
    """A position as its number in the table."""

    def __init__(self, tables: GameTables) -> None:
        self._tables = tables

    def write(self, positions: Sequence[Position]) -> tuple[Ints, Ints]:
        numbers = np.array([self._tables.table.state(position) for position in positions], np.int32)
        return numbers, self._tables.masks[numbers]

    def read(self, position: Ints) -> list[Position]:
        states = self._tables.table.states
        if ((position < 0) | (position >= len(self._tables.turn))).any():
            raise ValueError(text("envs.impossible"))
        if (position >= len(states)).any():
            raise NotAllowed("forfeited")
        return [states[number] for number in position]


@cache
def tables_of(game: Game, start: Position, resets: bool) -> GameTables:
    """The arrays of a game from one of its starts; with ``resets`` a game that ends is reset by the same step."""
    table = table_of(game, start)
    successor = np.frombuffer(table.successor, np.int32).reshape(len(table.states), table.width)
    forfeits = np.full((2, table.width), NONE, np.int32)
    legal = np.concatenate((successor, forfeits)) != NONE
    order = np.argsort(~legal, axis=1, kind="stable").astype(np.int32)
    return GameTables(
        table,
        _transitions(table, successor, resets),
        _words(legal),
        legal.sum(axis=1, dtype=np.int32),
        order,
        np.stack([*(planes_of(game, position) for position in table.states), *_forfeited(game, start)]),
        legal,
        np.append(np.frombuffer(table.side, np.int8), np.array([1, 0], np.int8)),
    )


def _transitions(table: Table, successor: Ints, resets: bool) -> Ints:
    """The packed transitions, with a column for illegal actions, and rows for the two forfeits, which stay as they
    are."""
    states, width = successor.shape
    side, result = (np.frombuffer(of, np.int8).astype(np.int32) for of in (table.side, table.result))
    after = np.concatenate((successor, np.full((states, 1), NONE, np.int32)), axis=1)
    illegal = after == NONE
    over = (result != IN_PROGRESS)[:, None] & illegal  # a final position stays as it is
    reward = np.where(illegal, 2 * side[:, None] - 1, np.where(result[after] == IN_PROGRESS, 0, result[after]))
    done = illegal | (result[after] != IN_PROGRESS)
    after = np.where(illegal, states + side[:, None], after)
    after, reward = np.where(over, np.arange(states)[:, None], after), np.where(over, 0, reward)
    packed = _packed(after, reward, done, resets)
    ended = _packed(np.arange(states, states + 2)[:, None].repeat(width + 1, axis=1), 0, True, resets)
    return np.concatenate((packed, ended))


def _packed(after: npt.NDArray[Any], reward: Any, done: Any, resets: bool) -> Ints:
    state = np.where(done, 0, after) if resets else after
    packed: Ints = (state | (reward + 1) << REWARD_BIT | np.asarray(done, np.int32) << DONE_BIT).astype(np.int32)
    return packed


def _words(legal: npt.NDArray[np.bool_]) -> Ints:
    """Thirty-two moves a word, the lowest move in the lowest bit."""
    words = -(-legal.shape[1] // 32)
    padded = np.zeros((len(legal), 4 * words), np.uint8)
    packed = np.packbits(legal, axis=1, bitorder="little")
    padded[:, : packed.shape[1]] = packed
    return padded.view("<i4").astype(np.int32)


def _forfeited(game: Game, start: Position) -> list[npt.NDArray[np.bool_]]:
    """The planes of the two forfeits are empty."""
    return [np.zeros_like(planes_of(game, start))] * 2
