"""Position strings of uttt.ai, both ways."""

from __future__ import annotations

from random import Random

import pytest

from ninefold.analysis.uttt_ai import read_uttt, write_uttt
from ninefold.core.errors import Unreadable
from ninefold.core.random_choice import pick
from ninefold.games import find_game
from ninefold.games.squared import Squared

START = "0" * 81 + "0" * 9 + "1" + "9" + "0"


def test_the_start_is_zeros_then_x_to_move_anywhere() -> None:
    begun = find_game("ultimate").begin()
    assert isinstance(begun, Squared)
    assert write_uttt(begun) == START
    assert read_uttt(START) == begun


def test_a_move_fills_its_cell_and_sends_the_opponent() -> None:
    after = find_game("ultimate").begin().play(40)
    assert isinstance(after, Squared)
    assert write_uttt(after) == "0" * 40 + "1" + "0" * 49 + "2" + "4" + "0"


def test_random_games_survive_the_way_there_and_back() -> None:
    for seed in range(30):
        rng = Random(seed)
        position = find_game("ultimate").begin()
        while position.moves():
            position = position.play(pick(rng, position.moves()))
            assert isinstance(position, Squared)
            assert read_uttt(write_uttt(position)) == position


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        START[:-1],
        START + "0",
        START.replace("19", "1x"),
        "٣" + START[1:],
        "3" + START[1:],
        START[:81] + "1" + START[82:],  # a board won without a line
        "111" + START[3:],  # a line without its board
        START[:90] + "3" + START[91:],
        START[:92] + "1",
        "111000000" + "0" * 72 + "100000000" + "2" + "0" + "0",  # sent to a dead board
    ],
)
def test_digits_that_make_no_position_are_refused(wrong: str) -> None:
    with pytest.raises(Unreadable):
        read_uttt(wrong)
