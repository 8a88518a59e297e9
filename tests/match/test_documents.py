"""What the rule documents ask of whole games, beside the tests of the rules of each game; see docs/coverage.md."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from ninefold.core.grid import LINES, NUMPAD
from ninefold.core.position import O, Position, Side, X
from ninefold.games import all_games, find_game
from ninefold.match import actions
from ninefold.match.actions import move
from ninefold.match.match import Match, begin
from ninefold.match.shared_board import shared_board
from tests.support.console import play

AGENTS, SQUARED, SWAP_NINE = find_game("agents"), find_game("squared"), find_game("swap-nine")


def random_game(game: str, seed: int) -> list[Position]:
    """The positions of a game between random players, from the start to the end."""
    rng, positions = Random(seed), [find_game(game).begin()]
    while moves := positions[-1].moves():
        positions.append(positions[-1].play(rng.choice(moves)))
    return positions


def with_a_line(side: Side, line: tuple[int, ...]) -> Match:
    """A match of agents in which this side has just completed this line, and nobody any other."""
    match = begin(AGENTS)
    others = iter(cell for cell in Random(sum(line)).sample(range(9), 9) if cell not in line)
    own = iter(line)
    while len(set(line) - {cell for cell, mark in enumerate(match.position.cells) if mark is side}):
        turn = match.position.turn
        match = match.act(match.to_act or 0, move(next(own if turn is side else others)))
    return match


@pytest.mark.parametrize("game", all_games())
def test_player_1_is_x_and_player_2_is_o_unless_a_sign_is_chosen(game: str) -> None:
    setup = begin(find_game(game)).setup
    assert [setup.label(seat) for seat in (1, 2)] == ["Player 1 (X)", "Player 2 (O)"]


@pytest.mark.parametrize("game", ["classic", "agents", "squared", "ultimate"])
@pytest.mark.parametrize("seed", range(10))
def test_a_turn_fills_one_empty_cell_and_a_mark_once_placed_stays(game: str, seed: int) -> None:
    for before, after in pairwise(random_game(game, seed)):
        changed = [(old, new) for old, new in zip(before.cells, after.cells, strict=True) if old is not new]
        assert changed == [(None, before.turn)]


@pytest.mark.parametrize("seed", range(10))
def test_a_marker_of_swap_nine_stays_unless_the_opponent_swaps_it(seed: int) -> None:
    for before, after in pairwise(random_game("swap-nine", seed)):
        changed = [(old, new) for old, new in zip(before.cells, after.cells, strict=True) if old is not new]
        assert (None, before.turn) in changed
        assert len(changed) <= 2
        assert all(new is before.turn and old is not before.turn for old, new in changed)


@pytest.mark.parametrize("side", [X, O], ids=["X", "O"])
@pytest.mark.parametrize("line", LINES, ids=str)
def test_each_of_the_eight_lines_can_be_claimed_and_wins(line: tuple[int, int, int], side: Side) -> None:
    match = with_a_line(side, line)
    claimed = match.act(match.setup.seat(side), actions.claim(line))
    assert shared_board(claimed)["game_status"] == f"claimed_win_{side}"
    won = shared_board(claimed.act(match.setup.seat(side.other), actions.CONFIRM))
    assert (won["game_status"], won["winner"]) == ("won", str(side))


def test_every_move_updates_board_history_next_player_and_status() -> None:
    match = begin(AGENTS)
    first = shared_board(match)
    assert (first["board"], first["move_history"]) == ([[" "] * 3] * 3, [])
    assert (first["next_player"], first["game_status"]) == ("O", "in_progress")
    for count, cell in enumerate((4, 0, 8, 2, 1, 7, 3, 5, 6), 1):
        turn = match.position.turn
        match = match.act(match.to_act or 0, move(cell))
        now = shared_board(match)
        row, column = divmod(cell, 3)
        assert now["board"][row][column] == str(turn)
        assert len(now["move_history"]) == count
        assert now["move_history"][-1] == {"side": str(turn), "move": f"[{row},{column}]", "path": [cell]}
        ended = count == 9
        assert (now["next_player"], now["game_status"]) == (
            (None, "draw") if ended else (str(turn.other), "in_progress")
        )


def test_nobody_moves_while_a_claim_waits_for_its_verification() -> None:
    match = begin(AGENTS).act(2, move(0)).act(2, actions.claim((0, 1, 2)))
    with pytest.raises(ValueError, match="claim is waiting"):
        match.act(1, move(4))
    assert (match.to_act, shared_board(match)["next_player"]) == (1, "X")


@pytest.mark.parametrize("board", range(9), ids=NUMPAD.names)
def test_a_cell_sends_to_the_same_board_from_whichever_board_it_is_played_in(board: int) -> None:
    for cell in range(9):
        after = SQUARED.begin().play(board * 9 + cell)
        assert {SQUARED.paths[one][0] for one in after.moves()} == {cell}


def test_a_swap_comes_only_with_the_placement_of_a_marker() -> None:
    position = SWAP_NINE.parse("X../.O./... X")
    for one in position.moves():
        placed = SWAP_NINE.paths[one][0]
        assert position.cells[placed] is None
        assert position.play(one).cells[placed] is X


def test_the_second_player_chooses_among_the_eight_cells_that_are_left() -> None:
    seen = play("classic", "5")
    assert "Player 1 (X), choose a cell (1 2 3 4 5 6 7 8 9): 5" in seen.text
    assert "Player 2 (O), choose a cell (1 2 3 4 6 7 8 9): " in seen.text


@pytest.mark.parametrize("numbers", ["123", "456", "789", "147", "258", "369", "159", "357"])
def test_each_line_is_won_by_the_numbers_that_a_player_types(numbers: str) -> None:
    """X takes the line; O takes other cells, and never three in a row of them."""
    others = [cell for cell in "123456789" if cell not in numbers]
    typed = [numbers[0], others[0], numbers[1], others[-1], numbers[2]]
    assert play("classic", *typed).last_line == f"X wins: three in a row ({' '.join(numbers)})."


@pytest.mark.parametrize("game", all_games())
def test_a_good_game_can_be_said_after_the_end(game: str) -> None:
    match = begin(find_game(game)).act(1, actions.RESIGN)
    assert match.act(2, actions.say("good game")).events[-1].action.text == "good game"
