"""Counts that anyone can check: move sequences, positions and complete games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ninefold.cli.commands.tools import count_sequences
from ninefold.core.state_table import IN_PROGRESS, Table, table_of
from ninefold.games import find_game

CLASSIC = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
SQUARED = [81, 720, 6336, 55080, 473256]

Grid = tuple[str, ...]


def table(game_id: str, **options: str) -> Table:
    game = find_game(game_id)
    return table_of(game, game.begin(options))


def complete_games(table: Table) -> int:
    """The number of ways from the start to a final state. A state is met after all that lead to it: marks only grow."""
    ways = [1] + [0] * (len(table.states) - 1)
    for state in range(len(table.states)):
        for _, after in table.moves(state):
            assert after > state
            ways[after] += ways[state]
    return sum(times for times, result in zip(ways, table.result, strict=True) if result != IN_PROGRESS)


@pytest.mark.parametrize("first", ["X", "O"])
def test_sequences_of_classic(first: str) -> None:
    assert list(count_sequences(find_game("classic").begin({"first": first}), 9)) == CLASSIC


def test_after_nine_moves_classic_has_no_more_sequences() -> None:
    assert list(count_sequences(find_game("classic").begin(), 11)) == [*CLASSIC, 0]


def test_positions_and_complete_games_of_classic() -> None:
    assert len(table("classic").states) == 5478
    assert complete_games(table("classic")) == 255168


def test_where_a_line_does_not_end_play_every_order_of_the_nine_cells_is_a_game() -> None:
    assert list(count_sequences(find_game("agents").begin(), 9))[-1] == 362880  # 9!
    assert complete_games(table("agents")) == 362880


@pytest.mark.parametrize("game_id", ["squared", "ultimate"])
def test_sequences_of_squared_and_ultimate(game_id: str) -> None:
    assert list(count_sequences(find_game(game_id).begin(), 5)) == SQUARED


# Swap Nine once more, straight from its rule book: a grid in rows, a placement, perhaps one swap.


def turns(grid: Grid, marker: str) -> Iterator[Grid]:
    """The grids that a turn of a player can lead to, one for each way to take the turn."""
    opponent = "O" if marker == "X" else "X"
    for row in range(3):
        for column in range(3):
            if grid[row * 3 + column] != "-":
                continue
            placed = list(grid)
            placed[row * 3 + column] = marker
            yield tuple(placed)
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if 0 <= row + down < 3 and 0 <= column + right < 3:
                    beside = (row + down) * 3 + column + right
                    if placed[beside] == opponent:
                        yield (*placed[:beside], marker, *placed[beside + 1 :])


def sequences(grid: Grid, marker: str, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(sequences(after, "O" if marker == "X" else "X", depth - 1) for after in turns(grid, marker))


def reachable(first: str) -> set[tuple[Grid, str]]:
    layer: set[tuple[Grid, str]] = {(("-",) * 9, first)}
    found = set(layer)
    while layer:
        layer = {(after, "O" if marker == "X" else "X") for grid, marker in layer for after in turns(grid, marker)}
        found |= layer
    return found


def test_sequences_of_swap_nine_are_those_of_its_rule_book() -> None:
    counted = list(count_sequences(find_game("swap-nine").begin(), 5))
    assert counted == [sequences(("-",) * 9, "X", depth) for depth in (1, 2, 3, 4, 5)]


@pytest.mark.parametrize("first", ["X", "O"])
def test_positions_of_swap_nine_are_those_of_its_rule_book(first: str) -> None:
    ours = {
        tuple(str(position).replace("/", "").replace(".", "-").split()[:2])
        for position in table("swap-nine", first=first).states
    }
    theirs = {("".join(grid), marker) for grid, marker in reachable(first)}
    assert ours == theirs
    assert len(table("swap-nine", first=first).states) == len(theirs) == 16973
