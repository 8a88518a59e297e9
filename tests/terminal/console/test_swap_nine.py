"""Swap Nine at the console, with the examples of its document as transcripts."""

from __future__ import annotations

import pytest

from ninefold.core.rendering import BoardStyle
from tests.support.console import play

SWAP_EMPTY = """
 1 | 2 | 3
-----------
 4 | 5 | 6
-----------
 7 | 8 | 9
"""
SWAP_X_ON_5 = """
 1 | 2 | 3
-----------
 4 | X | 6
-----------
 7 | 8 | 9
"""
SWAP_2_TAKES_5 = """
 1 | O | 3
-----------
 4 | O | 6
-----------
 7 | 8 | 9
"""
DASHES_EMPTY = """
 - | - | -
-----------
 - | - | -
-----------
 - | - | -
"""
DASHES_X_ON_5 = """
 - | - | -
-----------
 - | X | -
-----------
 - | - | -
"""
DASHES_BEFORE_SWAP = """
 X | - | -
-----------
 - | O | -
-----------
 - | - | -
"""
DASHES_AFTER_SWAP = """
 X | X | -
-----------
 - | X | -
-----------
 - | - | -
"""
PLAYER_1 = "Player 1 (X), enter the number of the cell where you want to place your marker:"
PLAYER_2 = "Player 2 (O), enter the number of the cell where you want to place your marker:"
DASHES = BoardStyle(blank="-")


def test_swap_nine_starts_asks_and_swaps_as_its_document_shows() -> None:
    seen = play("swap-nine", "5", "2", "5")
    shown = [SWAP_EMPTY, f"{PLAYER_1} 5\n", SWAP_X_ON_5, f"{PLAYER_2} 2\n", SWAP_2_TAKES_5, f"{PLAYER_1} e"]
    places = [seen.text.find(part) for part in shown]
    assert -1 not in places
    assert places == sorted(places)
    assert seen.moves == ["5", "2x5"]


def test_the_example_turn_with_dashes_has_no_swap_to_ask_for() -> None:
    seen = play("swap-nine", "5", look=DASHES)
    assert DASHES_EMPTY in seen.text
    assert DASHES_X_ON_5 in seen.text
    assert "marker to swap" not in seen.text


def test_the_example_with_swap_with_dashes() -> None:
    seen = play("swap-nine", "1", "5", "2", "5", look=DASHES)
    assert DASHES_BEFORE_SWAP in seen.text
    assert DASHES_AFTER_SWAP in seen.text
    assert seen.text.count("marker to swap") == 1


def test_the_swap_question_names_the_markers_that_can_be_taken() -> None:
    asked = "Player 2 (O), enter the number of the marker to swap (5), or nothing: e\n"
    assert asked in play("swap-nine", "5", "2").text


def test_an_empty_line_declines_the_swap() -> None:
    seen = play("swap-nine", "5", "2", "")
    assert seen.moves == ["5", "2"]
    assert " 1 | O | 3\n-----------\n 4 | X | 6\n" in seen.text


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("9", "Cell 9 is not directly above, below, left or right of 2."),
        ("1", "There is no marker of X on cell 1."),
        ("2", "Cell 2 is not directly above, below, left or right of 2."),
        ("x", "'x' is not a number from 1 (top left) to 9 (bottom right)."),
        (" ", "' ' is not a number from 1 (top left) to 9 (bottom right)."),
    ],
)
def test_a_wrong_swap_is_refused_and_asked_again(wrong: str, why: str) -> None:
    seen = play("swap-nine", "5", "2", wrong, "5")
    assert why in seen.text
    assert seen.text.count("marker to swap") == 2
    assert seen.moves == ["5", "2x5"]


def test_an_occupied_cell_must_be_chosen_again() -> None:
    seen = play("swap-nine", "5", "5", "1")
    assert "Cell 5 is taken by X. Free cells: 1 2 3 4 6 7 8 9." in seen.text
    assert seen.moves == ["5", "1"]


def test_an_empty_line_declines_nothing_where_a_cell_is_asked_for() -> None:
    assert play("swap-nine", "", "5").moves == ["5"]


def test_the_final_grid_of_the_document_wins_for_player_1_with_5_markers() -> None:
    seen = play("swap-nine", "1", "3", "2", "", "4", "", "5", "", "7", "", "6", "", "8", "", "9", "")
    assert " X | X | O\n-----------\n O | X | X\n-----------\n O | O | X\n" in seen.text
    assert seen.last_line == "X wins: 5 markers to 4."
