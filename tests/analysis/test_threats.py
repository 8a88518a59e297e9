"""Where a side could win at its next move."""

from __future__ import annotations

from random import Random

import pytest

from ninefold.analysis.threats import MAX_MOVES, threats
from ninefold.core.position import Position
from ninefold.games import all_games, find_game


def seen(game: str, position: str) -> dict[str, str]:
    """The threats by the names of their cells."""
    found = find_game(game)
    claims = found.settle_options().get("claims") == "yes"
    return {
        found.naming.name(cell): sides for cell, sides in threats(found, found.parse(position), claims=claims).items()
    }


def test_both_sides_threaten_whoever_is_to_move() -> None:
    assert seen("classic", "XX./OO./... X") == {"3": "X", "6": "O"}
    assert seen("classic", "XX./OO./X.. O") == {"3": "X", "6": "O"}


def test_a_cell_can_win_for_either() -> None:
    assert seen("classic", "XX./..O/..O X") == {"3": "XO"}


def test_there_are_no_threats_at_the_start_and_at_the_end() -> None:
    for game in all_games().values():
        assert threats(game, game.begin()) == {}
    assert seen("classic", "XXX/OO./... O") == {}


def test_a_line_that_is_held_already_is_no_threat_where_lines_are_claimed() -> None:
    assert seen("agents", "OOO/.XX/... X") == {"[1,0]": "X"}


def test_a_small_board_can_be_won() -> None:
    boards = ["........."] * 9
    boards[0] = "XX......."
    boards[4] = "OO......."
    text = "/".join(boards)
    squared = find_game("squared")
    found = threats(squared, squared.parse(f"{text} X 7"))
    assert found[2] == "X"  # the third cell of the first board
    assert found[4 * 9 + 2] == "O"  # where X can send O: the third cell of the fifth


def test_the_last_marker_of_swap_nine_decides() -> None:
    assert seen("swap-nine", "XOX/OXO/OX. X") == {"9": "X"}


@pytest.mark.parametrize("game", ["squared", "ultimate"])
def test_where_there_are_many_moves_no_threat_is_missed(game: str) -> None:
    found, random = find_game(game), Random(2)
    free: list[Position] = []
    while len(free) < 12:
        position = found.begin()
        while position.moves():
            position = position.play(random.choice(position.moves()))
            if MAX_MOVES < len(position.moves()) < 60:
                free.append(position)
    quick = [threats(found, position) for position in free]
    assert quick == [threats(found, position, max_moves=81) for position in free]
    assert any("X" in "".join(sides.values()) and "O" in "".join(sides.values()) for sides in quick)


@pytest.mark.parametrize("game", list(all_games()))
def test_only_empty_cells_are_named(game: str) -> None:
    found, random = find_game(game), Random(1)
    position = found.begin()
    while position.moves():
        assert all(position.cells[cell] is None for cell in threats(found, position))
        position = position.play(random.choice(position.moves()))
