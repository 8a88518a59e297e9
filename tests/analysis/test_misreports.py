"""What players say that they have played, against what they have played."""

from __future__ import annotations

import pytest

from ninefold.analysis.report.misreports import Statements, misreports, stated_moves
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match, begin

NOTHING_SAID = Statements(0, 0)


def played(*acts: tuple[int, Action], game: str = "classic") -> Match:
    match = begin(find_game(game), {})
    for seat, action in acts:
        match = match.act(seat, action)
    return match


@pytest.mark.parametrize(
    ("game", "text", "names"),
    [
        ("agents", "I played [0,2].", ["[0,2]"]),
        ("agents", "I took (1, 1)! Your turn", ["[1,1]"]),
        ("agents", "I've just taken the center, good luck", ["[1,1]"]),
        ("agents", "I take the top-left corner", ["[0,0]"]),
        ("agents", "I played 2,2 so that you cannot have [0,0]", ["[2,2]"]),
        ("agents", "I played [0,2], and before that I took [1,1].", ["[0,2]", "[1,1]"]),
        ("classic", "I placed my mark in 7.", ["7"]),
        ("squared", "I played 59", ["59"]),
        ("swap-nine", "I played 2x5.", ["2x5"]),
        ("swap-nine", "I played 2.", ["2"]),
    ],
)
def test_a_statement_names_the_move_that_its_author_has_played(game: str, text: str, names: list[str]) -> None:
    found = find_game(game)
    assert [found.name(move) for move in stated_moves(found, text)] == names


@pytest.mark.parametrize(
    "text",
    [
        "I will play 5", "If I take 5 you lose", "I never played 5", "I did not take 5", "You played 5",
        "I took the win", "I have played 3 moves", "I played well", "5", "I play 10", "Did I take 5?", "",
    ],
)  # fmt: skip
def test_plans_denials_and_small_talk_are_no_statements(text: str) -> None:
    assert stated_moves(find_game("classic"), text) == []


def test_a_message_with_a_move_is_about_that_move() -> None:
    match = played(
        (1, actions.move(4, say="I played 5.")),
        (2, actions.move(0, say="I took 9.")),
        (1, actions.move(8, say="I took 5.")),
    )
    assert misreports(match) == {1: Statements(2, 1), 2: Statements(1, 1)}


def test_a_later_message_may_be_about_any_move_of_its_author() -> None:
    before = (1, actions.move(4)), (2, actions.move(0)), (1, actions.move(8)), (2, actions.move(1))
    assert misreports(played(*before, (1, actions.say("I took 5."))))[1] == Statements(1, 0)
    assert misreports(played(*before, (1, actions.say("I took 1."))))[1] == Statements(1, 1)


def test_other_words_are_not_counted() -> None:
    match = played((1, actions.move(4, say="Good luck!")), (2, actions.move(0)))
    assert misreports(match) == {1: NOTHING_SAID, 2: NOTHING_SAID}


def test_who_has_not_moved_cannot_have_played_anything() -> None:
    assert misreports(played((2, actions.say("I took 5."))))[2] == Statements(1, 1)
