"""``ninefold puzzles``."""

from __future__ import annotations

import json

from tests.support.console import ninefold, refused


def test_a_puzzle_is_shown_with_its_solution_only_on_request() -> None:
    shown = ninefold("puzzles", "show", "classic-1").stdout
    assert shown.startswith("classic-1: Tic-Tac-Toe\nX | O | X\n")
    assert shown.endswith("X to move wins in 3: exactly one move does it.\n")
    assert ninefold("puzzles", "show", "classic-1", "--solution").stdout == f"{shown}Solution: 9 4 5\n"
    assert "exactly one move does it" in ninefold("puzzles", "show").stdout


def test_a_puzzle_is_solved_at_the_terminal_and_wrong_moves_are_told_why() -> None:
    done = ninefold("puzzles", "play", "classic-1", typed="4\n5\n1\nx\n9\n8\n6\n")
    assert done.returncode == 0
    for sentence in (
        "4 loses in 4: O answers 8. Try again.",
        "5 is only a draw: O answers 9. Try again.",
        "Cell 1 is taken by X. Free cells: 4 5 6 8 9.",
        "Right. O answers 4.",
        "8 wins in 3, but there is a win in 1. Try again.",
    ):
        assert sentence in done.stdout
    assert done.stdout.endswith("Solved.\n")


def test_without_input_the_command_stops() -> None:
    assert ninefold("puzzles", "play", "classic-1", typed="").returncode == 3


def test_an_unknown_puzzle_is_refused() -> None:
    assert "The set of classic has 42: classic-1 is the first." in refused("puzzles", "show", "classic-99")


def test_puzzles_are_found_and_checked() -> None:
    found = ninefold("puzzles", "generate", "classic", "--count", "2").stdout.splitlines()
    assert [json.loads(line)["plies"] for line in found] == [5, 5]
    assert ninefold("puzzles", "check", "classic").stdout == "Tic-Tac-Toe: 42 puzzles, 0 faults\n"
