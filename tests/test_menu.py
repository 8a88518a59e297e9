"""The short menu: which game, who plays, which level."""

from __future__ import annotations

import pytest

from console import terminal
from ninefold.games import all_games, find_game
from ninefold.terminal.menu import choose, pick
from ninefold.terminal.screen.gallery import Gallery


def test_the_menu_asks_for_the_game_the_players_and_the_level() -> None:
    choice = choose(terminal("1", "2", "4", "O")[0])
    assert (choice.game.id, choice.x, choice.o) == ("classic", "perfect", "human")


def test_the_menu_asks_who_starts_where_the_players_agree_on_it() -> None:
    assert choose(terminal("3", "1", "3")[0]).first == "toss"


def test_u_in_the_menu_starts_again() -> None:
    assert choose(terminal("1", "u", "4", "1")[0]).game.id == "squared"


@pytest.mark.parametrize("line", ["0", "3", " 1", "1 ", "", "one", "²", "٢", "-1", "1.0"])
def test_a_wrong_number_is_asked_again(line: str) -> None:
    keyboard, screen = terminal(line, "2")
    assert pick(keyboard, "Which", ["this", "that"]) == 1
    assert "is not a number from 1 to 2." in screen.getvalue()


def test_the_computer_against_itself_has_a_level_for_each_side() -> None:
    choice = choose(terminal("4", "3", "1", "4")[0])
    assert (choice.game.id, choice.x, choice.o, choice.ask_sign) == ("squared", "easy", "expert", False)


def test_two_people_choose_a_sign_where_the_game_asks_for_it() -> None:
    assert choose(terminal("1", "1")[0]).ask_sign
    assert not choose(terminal("2", "1")[0]).ask_sign


def test_the_menu_lists_every_game_as_the_full_screen_does_and_explains_itself() -> None:
    keyboard, screen = terminal("?", "1", "?", "1")
    choose(keyboard)
    places = [
        screen.getvalue().find(f"{n}  {game.title}") for n, game in enumerate(Gallery([*all_games().values()]).games, 1)
    ]
    assert -1 not in places
    assert places == sorted(places)
    assert "e leaves, u takes back, h gives a hint" in screen.getvalue()
    assert find_game("classic").console_rules in screen.getvalue()
