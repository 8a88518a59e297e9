"""Puzzles are found by the same command that made the sets."""

from __future__ import annotations

from ninefold.analysis.puzzles.generate import generate
from ninefold.analysis.puzzles.proof import Prover
from ninefold.analysis.puzzles.puzzle import puzzle_set
from ninefold.games import find_game


def test_the_set_of_a_small_game_is_what_the_generator_finds() -> None:
    game = find_game("classic")
    assert generate(game) == list(puzzle_set(game))


def test_a_puzzle_of_a_big_game_is_found_and_proven() -> None:
    game = find_game("ultimate")
    (puzzle,) = generate(game, count=1)
    assert puzzle.id == "ultimate-1"
    assert Prover(game).faults(puzzle) == []
