"""Tic-Tac-Toe Squared at the console, with the pictures of its document."""

from __future__ import annotations

import re

from ninefold.core.rendering import picture
from ninefold.games import find_game
from tests.support.console import X_WINS_BOARD_7, play

SQUARED_EMPTY = """\
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
"""

SENT_TO_THE_TOP_LEFT = r"""
 /---\ #       #
 |...| #  ...  #  ...
 |...| #  ...  #  ...
 |...| #  ...  #  ...
 \---/ #       #
#######################
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       #       #
  ...  #  X..  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
"""

BOARD_2_SELECTED = r"""
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       # /---\ #
  ...  # |...| #  ...
  ...  # |...| #  ...
  ...  # |...| #  ...
       # \---/ #
"""

FRAMED_ROW = r"""
 /---\ # /---\ # /---\
 |...| # |...| # |...|
 |...| # |...| # |...|
 |...| # |...| # |...|
 \---/ # \---/ # \---/
"""


def without_frames(text: str) -> str:
    """The picture with its frames wiped off, and what trails on a line then."""
    return "\n".join(re.sub(r"[/\\|-]", " ", line).rstrip() for line in text.split("\n"))


def test_at_the_start_every_board_may_be_played_and_is_framed() -> None:
    start = "#######################".join([FRAMED_ROW] * 3)
    assert play("squared").text.startswith(start)
    assert without_frames(start).lstrip("\n") == SQUARED_EMPTY


def test_a_chosen_board_becomes_the_only_selected_board() -> None:
    seen = play("squared", "2")
    assert BOARD_2_SELECTED in seen.text
    assert "Player 1 (X), choose a cell in board 2 (7 8 9 4 5 6 1 2 3): e" in seen.text


def test_board_2_cell_7_sends_player_2_to_the_top_left_board() -> None:
    seen = play("squared", "2", "7")
    assert seen.moves == ["27"]
    assert SENT_TO_THE_TOP_LEFT in seen.text


def test_the_board_is_not_asked_for_when_only_one_can_be_played() -> None:
    seen = play("squared", "2", "7", "5")
    assert seen.moves == ["27", "75"]
    assert seen.text.count("choose a board") == 1


def test_a_dead_board_stands_in_its_owners_marks() -> None:
    seen = play("squared", *X_WINS_BOARD_7)
    assert seen.moves == ["71", "17", "72", "27", "73"]
    top = picture(seen.match.game, seen.match.position).split("\n")[:5]
    assert [line[:8] for line in top] == ["XXXXXXX#", "X ... X#", "X ... X#", "X XXX X#", "XXXXXXX#"]


def test_a_drawn_board_of_squared_shows_both_owners_and_of_ultimate_neither() -> None:
    marks = "/".join(["XOXXOOOXX", *["........."] * 8])
    for game, corner in (("squared", "XOXOXOX"), ("ultimate", "=======")):
        position = find_game(game).parse(f"{marks} O *")
        assert picture(find_game(game), position).startswith(corner)


def test_sent_to_a_dead_board_the_player_chooses_any_live_one() -> None:
    seen = play("squared", *X_WINS_BOARD_7, "7", "7", "4")
    assert "Player 1 (X), choose a board (8 9 4 5 6 1 2 3): 7\nBoard 7 is dead: it was won by X." in seen.text
    assert "Player 1 (X), choose a cell in board 4" in seen.text


def test_a_taken_cell_of_a_board_is_asked_again_in_the_same_board() -> None:
    seen = play("squared", "5", "5", "5")
    assert "Cell 5 of board 5 is taken by X. Free cells in board 5: 7 8 9 4 6 1 2 3." in seen.text
    assert seen.text.count("Player 2 (O), choose a cell in board 5") == 2
