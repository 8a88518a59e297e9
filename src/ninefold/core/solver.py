"""Exact values by retrograde analysis: who wins every position of a table, and how fast."""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.grid import HAS_LINE, completed_line, mask_of
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.core.state_table import IN_PROGRESS, NONE, Table, table_of

__all__ = ["Solution", "Value", "best", "values"]


class Value(NamedTuple):
    """For the side asked about: ``sign`` +1 win, 0 draw, -1 loss; ``distance`` in plies to a forced end.

    >>> str(Value(1, 3)), str(Value(0, None)), max(Value(1, 5), Value(1, 3), key=lambda value: value.rank)
    ('win in 3', 'draw', Value(sign=1, distance=3))
    """

    sign: int
    distance: int | None

    @property
    def rank(self) -> tuple[int, int]:
        """Orders values for the side they are for: a win soon, a win late, a draw, a loss late, a loss soon.

        >>> values = [Value(0, None), Value(1, 5), Value(-1, 2), Value(1, 1)]
        >>> [str(value) for value in sorted(values, key=lambda value: value.rank)]
        ['loss in 2', 'draw', 'win in 5', 'win in 1']
        """
        return self.sign, -self.sign * (self.distance or 0)

    def __str__(self) -> str:
        if self.sign == 0:
            return text("value.draw")
        value = text("value.win" if self.sign > 0 else "value.loss")
        return text("value.in", value=value, plies=self.distance) if self.distance else value


class Solution(NamedTuple):
    """The exact values of all positions of a small game.

    >>> from ninefold import find_game, solve
    >>> solution = solve("classic")
    >>> solution
    <Solution of 5,478 positions: draw>
    >>> position = find_game("classic").parse("XX./OO./... X")
    >>> str(solution.of(position)), {move: str(value) for move, value in solution.moves(position).items()}
    ('win in 1', {2: 'win in 1', 5: 'draw', 6: 'loss in 2', 7: 'loss in 2', 8: 'loss in 2'})
    """

    table: Table
    value: array[int]  # per state: +1 X wins, 0 draw, -1 O wins, with best play of both
    distance: array[int]  # plies to the end of a win or a loss; 0 for draws
    alive: bytearray  # 1 where some line of play still ends with a winner

    def __repr__(self) -> str:
        return f"<Solution of {len(self.table.states):,} positions: {self.of(0)}>"

    def of(self, state: int | Position) -> Value:
        """The value of a state, or of a position, for the side to move there.

        >>> from ninefold import find_game, solve
        >>> str(solve("classic").of(find_game("classic").parse("XX./OO./..X O")))
        'win in 1'
        """
        state = self._number(state)
        return self._for(self.table.side[state], state)

    def moves(self, state: int | Position) -> dict[int, Value]:
        """The value of every legal move for the side that makes it, one ply counted for the move.

        >>> from ninefold import find_game, solve
        >>> moves = solve("classic").moves(find_game("classic").begin())
        >>> len(moves), {str(value) for value in moves.values()}
        (9, {'draw'})
        """
        state = self._number(state)
        side = self.table.side[state]
        values = ((move, self._for(side, after)) for move, after in self.table.moves(state))
        return {
            move: value._replace(distance=None if value.distance is None else value.distance + 1)
            for move, value in values
        }

    def _number(self, state: int | Position) -> int:
        return state if isinstance(state, int) else self.table.state(state)

    def _for(self, side: int, state: int) -> Value:
        sign = -self.value[state] if side else self.value[state]
        return Value(sign, self.distance[state] if sign else None)


def solve_table(table: Table) -> Solution:
    """Values spread backwards from the final states, nearest first, so cycles would do no harm (they are draws)."""
    size = len(table.states)
    before = _predecessors(table)
    value, distance = array("b", bytes(size)), array("h", bytes(2 * size))
    open_moves = [0 if result != IN_PROGRESS else len(table.moves(state)) for state, result in enumerate(table.result)]
    decided = [state for state, result in enumerate(table.result) if result in (1, -1)]
    known = bytearray(size)
    for state in decided:
        value[state], known[state] = table.result[state], 1
    for state in decided:  # grows while it is walked, in order of distance
        for parent in before[state]:
            if known[parent]:
                continue
            open_moves[parent] -= 1
            mover_wins = value[state] == 1 - 2 * table.side[parent]
            if mover_wins or open_moves[parent] == 0:
                known[parent], value[parent], distance[parent] = 1, value[state], distance[state] + 1
                decided.append(parent)
    return Solution(table, value, distance, _alive(table, before))


def _predecessors(table: Table) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in table.states]
    for place, after in enumerate(table.successor):
        if after != NONE:
            before[after].append(place // table.width)
    return before


def _alive(table: Table, before: list[list[int]]) -> bytearray:
    alive = bytearray(len(table.states))
    reached = [state for state, result in enumerate(table.result) if result in (1, -1)]
    for state in reached:
        if not alive[state]:
            alive[state] = 1
            reached.extend(before[state])
    return alive


@cache
def solution_from(game: Game, start: Position) -> Solution:
    """The solution of the games from a start; made once in a process, nothing is kept on disk."""
    return solve_table(table_of(game, start))


def solution_at(game: Game, position: Position) -> tuple[Solution, int]:
    """The solution of the games that a position belongs to, and its number there. A position that play cannot reach is
    refused."""
    solution = solution_from(game, game.start_of(position))
    return solution, solution.table.state(position)


def values(game: Game, position: Position, *, claims: bool = False) -> dict[int, Value]:
    """The exact value of every legal move for the side that makes it.

    Where victory is claimed the first true claim wins. So a line ends the game as good as by itself, and where one
    stands that nobody has claimed yet, whoever claims first has won: the side to move, if it holds a line or completes
    one, else its opponent.

    >>> from ninefold import find_game
    >>> game = find_game("classic")
    >>> str(values(game, game.parse("XX./OO./... X"))[2])
    'win in 1'
    """
    cells, turn = position.cells, position.turn
    if claims and (held := completed_line(cells, turn) or completed_line(cells, turn.other)):
        mine = cells[held[0]] is turn
        winning = position.moves() if mine else claimable(position)
        return {move: Value(1 if move in winning else -1, 1) for move in position.moves()}
    asked = game.as_claimed(position) if claims and game.as_claimed else position
    solution, state = solution_at(game, asked)
    return solution.moves(state)


def claimable(position: Position) -> list[int]:
    """The moves after which the side to move could truly claim victory."""
    side = position.turn

    def completes(move: int) -> bool:
        cells = position.play(move).cells
        return HAS_LINE[mask_of(cell for cell, mark in enumerate(cells) if mark is side)]

    return [move for move in position.moves() if completes(move)]


def best(found: dict[int, Value]) -> list[int]:
    """The moves of the best value: win as fast and lose as slowly as the game allows.

    >>> best({0: Value(1, 5), 4: Value(1, 3), 8: Value(0, None)})
    [4]
    """
    top = max((value.rank for value in found.values()), default=None)
    return [move for move, value in found.items() if value.rank == top]


@lru_cache(50_000)  # asked after every move on a server
def is_dead_draw(game: Game, position: Position) -> bool:
    """True if no sequence of legal moves from here ends in a win for either side."""
    solution, state = solution_at(game, position)
    return not solution.alive[state]
