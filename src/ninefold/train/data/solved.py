"""The solved table of a small game: every position that play can reach, with its exact value and its best moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ninefold.core.game import Game
from ninefold.core.solver import best, solution_from

if TYPE_CHECKING:
    import pyarrow as pa


def solved_table(game: Game) -> pa.Table:
    """The positions of a small game from its default start, in the order in which they are met."""
    import pyarrow as pa

    moves = pa.list_(pa.int8())
    schema = pa.schema(
        [
            ("position", pa.string()),
            ("turn", pa.string()),
            ("ply", pa.int8()),
            ("is_final", pa.bool_()),
            ("value", pa.int8()),
            ("distance", pa.int16()),
            ("moves", moves),
            ("move_values", moves),
            ("move_distances", moves),
            ("best_moves", moves),
            ("best_moves_text", pa.list_(pa.string())),
        ]
    )
    return pa.Table.from_pylist(list(_rows(game)), schema=schema)


def _rows(game: Game) -> Iterator[dict[str, Any]]:
    solution = solution_from(game, game.begin())
    for state, position in enumerate(solution.table.states):
        value, moves = solution.of(state), solution.moves(state)
        found = best(moves)
        yield {
            "position": str(position),
            "turn": position.turn.name,
            "ply": sum(mark is not None for mark in position.cells),
            "is_final": position.outcome is not None,
            "value": value.sign,
            "distance": value.distance,
            "moves": list(moves),
            "move_values": [after.sign for after in moves.values()],
            "move_distances": [after.distance for after in moves.values()],
            "best_moves": found,
            "best_moves_text": [game.name(move) for move in found],
        }
