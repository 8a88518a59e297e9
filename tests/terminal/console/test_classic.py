"""Classic at the console, as its document describes it."""

from __future__ import annotations

import pytest

from ninefold.core.position import Side
from ninefold.games import all_games, find_game
from ninefold.terminal.console.prompt import ask_player_1_side
from tests.support.console import EMPTY, X_ON_5, play, terminal


def test_the_empty_grid_shows_the_numbers_of_its_cells() -> None:
    assert EMPTY in play("classic").text


def test_the_first_chance_played_on_cell_5_puts_an_x_there() -> None:
    assert X_ON_5 in play("classic", "5").text


@pytest.mark.parametrize(("typed", "sign"), [("X", Side.X), ("O", Side.O), ("x", Side.X), ("o", Side.O)])
def test_player_1_selects_a_sign(typed: str, sign: Side) -> None:
    assert ask_player_1_side(terminal(typed)[0], find_game("classic")) is sign


def test_a_sign_that_is_neither_x_nor_o_is_asked_again() -> None:
    keyboard, screen = terminal("Z", " X", "", "XO", "O")
    assert ask_player_1_side(keyboard, find_game("classic")) is Side.O
    assert screen.getvalue().count("is neither X nor O") == 4


def test_player_2_gets_the_other_sign_and_x_starts() -> None:
    seen = play("classic", "5", player_1=Side.O)
    assert "Player 2 (X), choose a cell (1 2 3 4 5 6 7 8 9): 5" in seen.text
    assert "Player 1 (O), choose a cell (1 2 3 4 6 7 8 9): " in seen.text


INVALID = {
    "space before": " 5", "space after": "5 ", "two digits": "10", "superscript": "²", "other digits": "٣", "empty": "",
    "a letter": "a", "negative": "-1", "zero": "0", "row and column": "1,1", "plus": "+5", "special": "#", "tab": "5\t",
    "very long": "5" * 10_000,
}  # fmt: skip


@pytest.mark.parametrize("line", INVALID.values(), ids=INVALID.keys())
def test_an_invalid_input_is_asked_again_and_changes_nothing(line: str) -> None:
    seen = play("classic", line)
    assert seen.moves == []
    assert seen.text.count("Player 1 (X), choose a cell") == 2
    assert "is not a number from 1 (top left) to 9 (bottom right)." in seen.words
    assert len(seen.text.replace(line, "", 1)) < 500


def test_a_refusal_is_wrapped_to_the_width_of_a_screen() -> None:
    shown = play("classic", "a long word that is no cell at all").text.split("\n")
    assert "'a long word that is ...' is not a number from 1 (top left) to 9 (bottom" in shown
    assert "right). Choose one of: 1 2 3 4 5 6 7 8 9." in shown


def test_a_very_long_line_is_one_answer_not_many() -> None:
    assert play("classic", "1" * 100_000, "5").moves == ["5"]


def test_a_taken_cell_is_refused_with_its_owner_and_the_free_cells() -> None:
    seen = play("classic", "5", "5")
    assert "Cell 5 is taken by X. Free cells: 1 2 3 4 6 7 8 9." in seen.text
    assert seen.moves == ["5"]


def test_the_closing_line_says_who_won_and_why() -> None:
    assert play("classic", "1", "4", "2", "5", "3").last_line == "X wins: three in a row (1 2 3)."


def test_the_last_cell_can_win() -> None:
    seen = play("classic", "1", "2", "3", "4", "5", "6", "8", "7", "9", options={"early_draw": "no"})
    assert seen.last_line == "X wins: three in a row (1 5 9)."
    assert len(seen.moves) == 9


def test_a_full_board_without_a_line_is_a_draw() -> None:
    seen = play("classic", "1", "5", "9", "8", "2", "3", "7", "4", "6", options={"early_draw": "no"})
    assert seen.last_line == "A draw: the board is full and nobody has three in a row."


def test_an_early_draw_is_announced_with_one_line_that_says_why() -> None:
    seen = play("classic", "1", "5", "9", "8", "2", "3", "7", "4")
    assert seen.last_line == "A draw: nobody can win any more."
    assert seen.text.count("nobody can win any more") == 1
    assert len(seen.moves) < 9


@pytest.mark.parametrize("game", [game.id for game in all_games().values() if game.small])
def test_the_same_seed_gives_the_same_game(game: str) -> None:
    first, second = (play(game, x="easy", o="medium", seed=7) for _ in range(2))
    assert first.text == second.text
    assert first.match.result


def test_other_seeds_give_other_games() -> None:
    assert len({tuple(play("classic", x="easy", o="easy", seed=seed).moves) for seed in range(10)}) > 1


def test_two_perfect_players_draw_classic() -> None:
    assert play("classic", x="perfect", o="perfect").last_line.startswith("A draw: ")
