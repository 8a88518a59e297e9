"""The puzzles are exact: by the solver, by the engine's proofs, and by playing out everything in plain Python."""

from __future__ import annotations

import pytest

from ninefold.analysis.puzzles.proof import Prover
from ninefold.analysis.puzzles.puzzle import Puzzle, find_puzzle, puzzle_set
from ninefold.core.game import Game
from ninefold.core.position import Position, Side
from ninefold.core.solver import Value
from ninefold.games import all_games, find_game

SMALL = [game for game in all_games().values() if game.small]
BIG = [game for game in all_games().values() if not game.small]


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_every_puzzle_of_a_small_game_is_exact(game: Game) -> None:
    prover = Prover(game)
    assert [fault for puzzle in puzzle_set(game) for fault in prover.faults(puzzle)] == []


@pytest.mark.parametrize("game", BIG, ids=lambda game: game.id)
def test_a_sample_of_the_puzzles_of_a_big_game_is_exact(game: Game) -> None:
    prover = Prover(game)
    assert [fault for puzzle in puzzle_set(game)[:6:3] for fault in prover.faults(puzzle)] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", BIG, ids=lambda game: game.id)
def test_every_puzzle_of_a_big_game_is_exact(game: Game) -> None:
    prover = Prover(game)
    assert [fault for puzzle in puzzle_set(game) for fault in prover.faults(puzzle)] == []


@pytest.mark.parametrize("game", BIG, ids=lambda game: game.id)
def test_without_the_engine_one_first_move_wins_in_three_and_no_other(game: Game) -> None:
    for puzzle in (puzzle for puzzle in puzzle_set(game)[:4] if puzzle.plies == 3):
        start = puzzle.position
        winning = [move for move in start.moves() if wins_within(start.play(move), start.turn, 2)]
        assert winning == puzzle.solution.right


def wins_within(position: Position, side: Side, plies: int) -> bool:
    """True if a side wins within so many plies whatever its opponent does, by trying everything."""
    if position.outcome:
        return position.outcome.winner is side
    if plies == 0:
        return False
    found = (wins_within(position.play(move), side, plies - 1) for move in position.moves())
    return any(found) if position.turn is side else all(found)


def damaged(puzzle: Puzzle) -> list[Puzzle]:
    """Puzzles in which one thing is wrong each."""
    step, right = puzzle.solution, puzzle.solution.right[0]
    wrong = next(move for move in step.tries if move != right)
    tried = step.tries
    other_reply = next(
        move
        for move in puzzle.position.play(right).moves()
        if move != tried[right].reply and move in puzzle.position.play(right).moves()
    )
    changes = [
        {wrong: tried[wrong]._replace(value=Value(1, 3))},
        {wrong: tried[wrong]._replace(value=Value(-1, 88))},
        {right: tried[right]._replace(then=None)},
        {right: tried[right]._replace(reply=None)},
        {right: tried[right]._replace(reply=other_reply)},
    ]
    found = [puzzle._replace(solution=step._replace(tries={**tried, **change})) for change in changes]
    return [*found, puzzle._replace(solution=step._replace(plies=step.plies + 2))]


def test_whatever_is_wrong_in_a_puzzle_is_found() -> None:
    prover = Prover(find_game("swap-nine"))
    puzzle = find_puzzle("swap-nine-1")
    assert prover.faults(puzzle) == []
    for number, one in enumerate(damaged(puzzle)):
        assert prover.faults(one), number
