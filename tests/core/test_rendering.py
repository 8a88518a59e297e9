"""A board as text: marks, frames, the last move and the winning line."""

from __future__ import annotations

import re

from ninefold.core.rendering import BoardStyle, picture
from ninefold.games import find_game
from tests.support.console import O_HAS_THE_TOP, TOP, X_WINS_BOARD_7, play

CLASSIC, AGENTS, SQUARED = map(find_game, ("classic", "agents", "squared"))
STYLED = re.compile(r"\x1b\[([0-9;]*)m([XO])\x1b\[0m")


def test_without_colour_nothing_is_painted() -> None:
    assert "\x1b" not in play("classic", "1", "4", "2", "5", "3").text


def test_with_colour_the_last_move_is_marked() -> None:
    board = play("classic", "1", "5", "9", look=BoardStyle(colour=True)).text.rpartition("choose a cell")[0]
    first, _, last = STYLED.findall(board)[-3:]
    assert (first[1], last[1]) == ("X", "X")
    assert first[0] != last[0]


def test_with_colour_the_winning_line_is_marked() -> None:
    board = play("classic", "1", "4", "2", "5", "9", "6", look=BoardStyle(colour=True)).text
    *top, four, five, six, nine = STYLED.findall(board)[-6:]
    assert four == five == six
    assert four[0] != nine[0]
    assert [mark for _, mark in top] == ["X", "X"]


def test_with_colour_a_claimed_line_is_marked() -> None:
    board = play("agents", *O_HAS_THE_TOP, f"claim O {TOP}", "confirm", look=BoardStyle(colour=True)).text
    styled = re.findall(r"\x1b\[([0-9;]*)m +([XO]) +\x1b\[0m", board)[-5:]
    assert [mark for _, mark in styled] == ["O", "O", "O", "X", "X"]
    assert len({style for style, mark in styled if mark == "O"}) == 1
    assert "7" in styled[0][0].split(";")


def test_colour_takes_no_room() -> None:
    plain = play("squared", *X_WINS_BOARD_7).text
    painted = play("squared", *X_WINS_BOARD_7, look=BoardStyle(colour=True)).text
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def test_marks_stand_on_their_cells_and_names_on_the_free_ones() -> None:
    assert picture(CLASSIC, CLASSIC.parse("X../.O./... X")) == "X | 2 | 3\n4 | O | 6\n7 | 8 | 9"
    assert (
        picture(CLASSIC, CLASSIC.parse("X../.O./... X"), look=BoardStyle(blank="-"))
        == "X | - | -\n- | O | -\n- | - | -"
    )
    assert picture(AGENTS, AGENTS.parse("O../.../... X")).split("\n")[0] == "  O   | [0,1] | [0,2]"


def test_of_the_boards_only_those_that_may_be_played_are_framed_and_of_those_the_chosen_one() -> None:
    assert picture(SQUARED, SQUARED.begin()).count("/---") == 9
    assert picture(SQUARED, SQUARED.begin(), chosen=(4,)).count("/---") == 1
    assert picture(SQUARED, SQUARED.begin().play(63)).startswith(" /---")


def test_no_board_is_framed_when_the_game_has_ended() -> None:
    won = "/".join(["XXX......"] * 3 + ["OO......."] * 3 + ["........."] * 3)
    assert "/---" not in picture(SQUARED, SQUARED.parse(f"{won} O *"))
