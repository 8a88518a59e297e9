"""The advice of the games: what the rule documents recommend, marked so that nobody takes it for a rule, and true."""

from __future__ import annotations

import pytest

from ninefold.core.game import Game
from ninefold.core.grid import LINES, NEIGHBOURS
from ninefold.core.solver import solution_at
from ninefold.games import all_games, find_game
from tests.support.console import play

EVERY_GAME = pytest.mark.parametrize("game", all_games().values(), ids=all_games().keys())
HEADING = "Advice, not part of the rules:"


def advice_of(game: str) -> str:
    return " ".join(find_game(game).advice)


@EVERY_GAME
def test_every_game_has_advice_below_its_rules_under_a_heading_of_its_own(game: Game) -> None:
    shown = game.with_advice(game.rules)
    rules, heading, advice = shown.partition(f"\n{HEADING}\n")
    assert (rules, bool(heading)) == (game.rules, True)
    assert " ".join(advice.split()) == " ".join(f"- {one}" for one in game.advice)
    assert max(map(len, shown.splitlines())) <= 79
    assert not any(one in " ".join(game.console_rules.split()) for one in game.advice)


def test_a_game_without_advice_shows_its_rules_alone() -> None:
    assert find_game("classic")._replace(advice=()).with_advice("The rules.\n") == "The rules.\n"


@EVERY_GAME
def test_a_question_mark_at_the_console_shows_rules_and_advice(game: Game) -> None:
    assert game.with_advice(game.console_rules) in play(game.id, "?").text


@EVERY_GAME
def test_the_rules_page_ends_with_the_advice(game: Game) -> None:
    assert game.rules_page().endswith(game.with_advice(""))


@pytest.mark.parametrize(("cells", "lines", "words"), [
    ((4,), 4, "centre (5) lies on four lines"),
    ((0, 2, 6, 8), 3, "corner (1 3 7 9) on three"),
    ((1, 3, 5, 7), 2, "edge (2 4 6 8) on two"),
])  # fmt: skip
def test_classic_counts_the_lines_of_centre_corners_and_edges(cells: tuple[int, ...], lines: int, words: str) -> None:
    assert all(sum(cell in line for line in LINES) == lines for cell in cells)
    assert words in advice_of("classic")


def test_classic_says_that_perfect_play_draws_and_it_does() -> None:
    classic = find_game("classic")
    assert "if neither player makes a mistake, the game is a draw" in advice_of("classic")
    solution, start = solution_at(classic, classic.begin())
    assert str(solution.of(start)) == "draw"


@pytest.mark.parametrize("words", [
    "Check every claim on the board yourself before you accept it",
    "count carefully",
    "Claim only what stands",
    "two of your opponent's marks on a line whose third cell is free, and block it",
    "a cell that is taken is refused",
])  # fmt: skip
def test_the_agents_game_warns_of_the_common_mistakes(words: str) -> None:
    assert words in advice_of("agents")


@pytest.mark.parametrize("words", [
    "stay friendly whether you win or lose",
    "judge your opponent's claims honestly",
    "admit your own mistakes",
    "Saying good game at the end is welcome",
])  # fmt: skip
def test_the_agents_game_asks_for_sportsmanship(words: str) -> None:
    assert words in advice_of("agents")


@pytest.mark.parametrize("words", [
    "Take the centre early",
    "Take care beside your opponent's markers",
    "Swap where it counts",
    "Think ahead",
])  # fmt: skip
def test_swap_nine_has_four_tips(words: str) -> None:
    assert len(find_game("swap-nine").advice) == 4
    assert words in advice_of("swap-nine")
    assert len(NEIGHBOURS[4]) > max(len(NEIGHBOURS[cell]) for cell in range(9) if cell != 4)


@pytest.mark.parametrize("game", ["squared", "ultimate"])
def test_the_big_games_advise_to_look_where_a_move_sends(game: str) -> None:
    assert "Send your opponent to boards that gain them little" in advice_of(game)
