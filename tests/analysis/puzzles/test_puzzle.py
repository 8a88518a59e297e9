"""The sets of puzzles, and the puzzle of the day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from ninefold.analysis.puzzles.puzzle import (
    Puzzle,
    all_puzzles,
    find_puzzle,
    next_puzzle,
    puzzle_of_day,
    puzzle_set,
    read_puzzle,
    set_file,
    write_puzzle,
)
from ninefold.core.errors import Unreadable
from ninefold.core.game import Game
from ninefold.games import all_games

GAMES = all_games().values()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_game_has_a_set_that_is_read_as_it_was_written(game: Game) -> None:
    puzzles = puzzle_set(game)
    assert len(puzzles) >= 40
    assert "".join(f"{write_puzzle(puzzle)}\n" for puzzle in puzzles) == set_file(game).read_text(encoding="utf-8")
    assert [puzzle.plies for puzzle in puzzles] == sorted(puzzle.plies for puzzle in puzzles)


@pytest.mark.parametrize("puzzle", [puzzle_set(game)[-1] for game in GAMES], ids=lambda puzzle: puzzle.id)
def test_the_line_of_a_solution_can_be_played_and_is_as_long_as_it_says(puzzle: Puzzle) -> None:
    position = puzzle.position
    for move in puzzle.line:
        position = position.play(move)
    assert len(puzzle.line) == puzzle.plies
    assert puzzle.game.id == "agents" or (position.outcome and position.outcome.winner is puzzle.position.turn)


def test_games_take_turns_day_by_day_and_every_puzzle_gets_its_day() -> None:
    days = [date(2030, 1, 1) + timedelta(number) for number in range(5 * max(len(puzzle_set(game)) for game in GAMES))]
    shown = [puzzle_of_day(day) for day in days]
    assert {puzzle.game.id for puzzle in shown[:5]} == set(all_games())
    assert {puzzle.id for puzzle in shown} == {puzzle.id for puzzle in all_puzzles()}
    assert puzzle_of_day(days[3]).id == shown[3].id


def test_a_puzzle_is_found_by_its_id_and_followed_by_the_next_of_its_set() -> None:
    assert find_puzzle("swap-nine-2").game.id == "swap-nine"
    assert next_puzzle(find_puzzle("swap-nine-1")).id == "swap-nine-2"
    last = puzzle_set(find_puzzle("classic-1").game)[-1]
    assert next_puzzle(last).id == "classic-1"


@pytest.mark.parametrize("id", ["", "classic", "chess-1", "classic-0", "classic-9999", "classic-x", "classic-\u0663"])
def test_an_unknown_puzzle_is_refused_with_what_there_is(id: str) -> None:
    with pytest.raises(Unreadable) as refused:
        find_puzzle(id)
    assert refused.value.reason == "no_such_puzzle"
    assert "classic" in refused.value.instead


def test_a_slow_win_is_not_right() -> None:
    game = all_games()["classic"]
    puzzle = read_puzzle(game, 1, write_puzzle(find_puzzle("classic-1")))
    first = puzzle.solution.tries[puzzle.solution.right[0]].then
    assert first is not None
    slow = [move for move, tried in first.tries.items() if (tried.value.distance or 0) > first.plies]
    assert slow
    assert not any(first.is_right(move) for move in slow)
