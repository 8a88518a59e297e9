"""The same games through OpenSpiel, through PettingZoo's board, and through us."""

from __future__ import annotations

from random import Random
from typing import Any

import pyspiel
import pytest
from pettingzoo.classic.tictactoe.board import TTT_GAME_NOT_OVER, TTT_TIE, Board

from ninefold.core.errors import IllegalMove, NotAllowed, Refusal, Unreadable
from ninefold.core.position import Position, Side
from ninefold.envs import interop
from ninefold.envs.interop import OPENSPIEL
from ninefold.games import find_game
from ninefold.games.squared import Squared
from ninefold.match import actions
from ninefold.match.log import read_log, write_log
from ninefold.match.match import Match, begin
from ninefold.match.record import read_record, write_record

LETTERS = {None: ".", Side.X: "x", Side.O: "o"}


def random_match(game_id: str, seed: int, moves: int = 81) -> Match:
    rng, match = Random(seed), begin(find_game(game_id), {"early_draw": "no"} if game_id == "classic" else {})
    for _ in range(moves):
        if match.to_act:
            match = match.act(match.to_act, actions.move(rng.choice(match.position.moves())))
    return match


def same_standing(position: Position, state: Any) -> None:
    """Whose turn it is, whether it is over, and what everybody gets."""
    assert state.is_terminal() == (position.outcome is not None)
    winner = position.outcome.winner if position.outcome else None
    expected = [0.0, 0.0] if winner is None else [1.0, -1.0] if winner is Side.X else [-1.0, 1.0]
    assert state.returns() == expected
    if position.outcome is None:
        assert state.current_player() == position.turn


def play_in_both(position: Position, state: Any, move: int) -> Position:
    """A move, with the same legal ones before every action of it."""
    legal = {tuple(interop.openspiel_actions(position, other)) for other in position.moves()}
    chosen = interop.openspiel_actions(position, move)
    for number, action in enumerate(chosen):
        begun = tuple(chosen[:number])
        assert state.current_player() == position.turn
        assert state.legal_actions() == sorted({path[number] for path in legal if path[:number] == begun})
        state.apply_action(action)
    return position.play(move)


def replay(game_id: str, seed: int) -> int:
    """One random game through both; how many moves it had."""
    rng, position = Random(seed), find_game(game_id).begin()
    state, moves = pyspiel.load_game(OPENSPIEL[game_id]).new_initial_state(), list[int]()
    same_standing(position, state)
    while position.outcome is None:
        moves.append(rng.choice(position.moves()))
        position = play_in_both(position, state, moves[-1])
        same_standing(position, state)
    assert interop.to_openspiel(find_game(game_id), moves) == state.history()
    assert interop.from_openspiel(find_game(game_id), state.history()) == moves
    return len(moves)


@pytest.mark.parametrize("game", OPENSPIEL)
def test_random_games_are_the_same_in_openspiel_at_every_step(game: str) -> None:
    assert sum(replay(game, seed) for seed in range(500)) > 3000


@pytest.mark.exhaustive
@pytest.mark.parametrize("tenth", range(10))
@pytest.mark.parametrize("game", OPENSPIEL)
def test_ten_thousand_random_games_are_the_same_in_openspiel_at_every_step(game: str, tenth: int) -> None:
    for seed in range(tenth * 1000, tenth * 1000 + 1000):
        replay(game, seed)


@pytest.mark.parametrize("moves", [0, 4, 81])
@pytest.mark.parametrize("game", OPENSPIEL)
def test_a_match_becomes_a_state_and_the_same_match_again(game: str, moves: int) -> None:
    for seed in range(5):
        match = random_match(game, seed, moves)
        state = interop.openspiel_state(match)
        same_standing(match.position, state)
        assert interop.openspiel_match(state) == match


@pytest.mark.parametrize("game", OPENSPIEL)
def test_a_state_goes_through_a_log_and_a_record_and_back(game: str) -> None:
    state = interop.openspiel_state(random_match(game, 3))
    match = interop.openspiel_match(state)
    for kept in (read_log(write_log(match)), read_record(write_record(match))):
        assert interop.openspiel_state(kept).history() == state.history()


def test_the_boards_look_the_same() -> None:
    match = random_match("classic", 1, 5)
    rows = str(interop.openspiel_state(match)).split()
    assert "".join(rows) == "".join(LETTERS[mark] for mark in match.position.cells)


def test_a_free_choice_is_two_actions_and_any_other_move_is_one() -> None:
    game = find_game("ultimate")
    assert interop.to_openspiel(game, [40, 36 + 1]) == [4, 4, 1]
    sent, free = game.begin().play(40), game.begin()
    assert isinstance(sent, Squared)
    assert isinstance(free, Squared)
    assert (interop.openspiel_actions(free, 37), interop.openspiel_actions(sent, 37)) == ([4, 1], [1])


def test_a_board_without_its_cell_is_half_a_move() -> None:
    state = pyspiel.load_game("ultimate_tic_tac_toe").new_initial_state()
    state.apply_action(4)
    with pytest.raises(NotAllowed, match="A board was chosen and no cell yet"):
        interop.openspiel_match(state)


@pytest.mark.parametrize(("game", "history"), [("classic", [9]), ("ultimate", [0, 10]), ("ultimate", [-1])])
def test_numbers_that_are_no_actions_are_refused(game: str, history: list[int]) -> None:
    with pytest.raises(Unreadable, match=r"is not an action of these games. Actions are 0 to 8."):
        interop.from_openspiel(find_game(game), history)


@pytest.mark.parametrize(("game", "history"), [("classic", [4, 4]), ("ultimate", [4, 4, 4])])
def test_actions_that_are_not_legal_are_refused(game: str, history: list[int]) -> None:
    with pytest.raises(IllegalMove, match="is taken by X"):
        interop.from_openspiel(find_game(game), history)


def test_games_and_rules_that_openspiel_does_not_have_are_refused() -> None:
    for game in ("squared", "swap-nine", "agents"):
        with pytest.raises(Unreadable, match=f"OpenSpiel has no {game}. Games: classic ultimate."):
            interop.openspiel_state(begin(find_game(game)))
    with pytest.raises(NotAllowed, match="OpenSpiel has no options of the rules"):
        interop.openspiel_state(begin(find_game("classic"), {"first": "O"}))
    with pytest.raises(Unreadable, match="connect_four is not one of our games"):
        interop.openspiel_match(pyspiel.load_game("connect_four").new_initial_state())


def test_a_match_that_ended_beside_the_board_is_refused() -> None:
    match = begin(find_game("classic")).act(1, actions.move(4)).act(2, actions.RESIGN)
    with pytest.raises(
        NotAllowed, match=r"OpenSpiel plays on until the board decides, but this match has ended: X wins"
    ):
        interop.openspiel_state(match)


def test_things_of_a_wrong_kind_are_refused() -> None:
    classic: Any = find_game("classic")
    refused: list[tuple[Any, str]] = [
        (lambda: interop.openspiel_state(classic.begin()), "match must be what begin.game. returns, not a Classic"),
        (lambda: interop.openspiel_match(begin(classic)), "state must be a state of OpenSpiel, not a Match"),
        (lambda: interop.to_openspiel("classic", [4]), "game must be what find_game.name. returns, not 'classic'"),  # type: ignore[arg-type]
        (lambda: interop.to_openspiel(classic, [4.0]), "move must be an integer, not 4.0"),  # type: ignore[list-item]
        (lambda: interop.from_openspiel(classic, ["4"]), "action must be an integer, not '4'"),  # type: ignore[list-item]
        (lambda: interop.pettingzoo_cell(4.0), "cell must be an integer, not 4.0"),  # type: ignore[arg-type]
        (lambda: interop.pettingzoo_position([1.0] * 9), "square must be an integer, not 1.0"),  # type: ignore[list-item]
    ]
    for use, sentence in refused:
        with pytest.raises(TypeError, match=sentence):
            use()


def test_random_games_are_the_same_on_the_board_of_pettingzoo_at_every_step() -> None:
    for seed in range(200):
        rng, position, board = Random(seed), find_game("classic").begin(), Board()
        while position.outcome is None:
            assert board.game_status() == TTT_GAME_NOT_OVER
            assert sorted(map(interop.pettingzoo_cell, board.legal_moves())) == list(position.moves())
            move = rng.choice(position.moves())
            board.play_turn(int(position.turn), interop.pettingzoo_cell(move))
            position = position.play(move)
            assert interop.pettingzoo_squares(position) == board.squares
            assert interop.pettingzoo_position(board.squares) == position
        winner = position.outcome.winner
        assert board.game_status() == (TTT_TIE if winner is None else winner)


def test_cells_go_down_the_columns_and_back() -> None:
    assert [interop.pettingzoo_cell(cell) for cell in range(9)] == [0, 3, 6, 1, 4, 7, 2, 5, 8]
    assert [interop.pettingzoo_cell(interop.pettingzoo_cell(cell)) for cell in range(9)] == list(range(9))
    with pytest.raises(Unreadable, match="9 is not a cell"):
        interop.pettingzoo_cell(9)


@pytest.mark.parametrize(
    ("squares", "sentence"),
    [([0] * 8, "nine squares"), ([3] * 9, "each 0, 1 or 2"), ([1] * 9, "cannot arise in play")],
)
def test_boards_that_no_game_has_are_refused(squares: list[int], sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        interop.pettingzoo_position(squares)
    with pytest.raises(Unreadable, match="Take a classic position"):
        interop.pettingzoo_squares(find_game("ultimate").begin())
    with pytest.raises(Unreadable, match="Take a classic position"):
        interop.pettingzoo_squares(find_game("swap-nine").begin())
