"""Hints: of moves that are worth the same, the one that teaches most."""

from __future__ import annotations

import pytest

from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.match import begin
from ninefold.terminal.hints import find_hint, hint, rate_move
from tests.support.tui_scenes import CLAIMED, played


@pytest.mark.parametrize(
    ("game", "moves", "advice"),
    [
        ("classic", "", "5"),
        ("classic", "5", "1"),
        ("classic", "1 5", "3"),
        ("classic", "1 2", "5"),
        ("classic", "5 7 9 8 6 1", "4"),
        ("swap-nine", "", "5"),
        ("agents", "", "[1,1]"),
    ],
    ids=[
        "the centre is on most lines",
        "a corner is on more lines than an edge",
        "a threat from a corner before one from an edge",
        "a threat in the centre before others",
        "what blocks before what does not",
        "the centre also where lines do not count",
        "in the words of its game",
    ],
)
def test_of_equal_moves_the_most_instructive_is_chosen(game: str, moves: str, advice: str) -> None:
    found = find_hint(played(begin(find_game(game)), moves))
    assert found.sentence.startswith(f"Hint: {advice}. ")


def test_a_better_move_is_the_most_instructive_of_the_best() -> None:
    """Cell 1 draws too, and comes first."""
    assert rate_move(played(begin(find_game("classic")), "2"), 8) == "Value: loss in 6. Better: 5 (draw)."


def test_a_hint_has_the_move_that_it_names() -> None:
    match = played(begin(find_game("swap-nine")), "5 2 8 4")
    assert find_hint(match).path == (0,)
    assert find_hint(match, (6,)).path[:1] == (6,)
    assert find_hint(match).sentence == hint(match)


def test_a_hint_to_claim_has_the_cells_of_the_line() -> None:
    match = played(begin(find_game("agents")), f"{CLAIMED} [2,2]")
    assert find_hint(match)[1:] == ((), (0, 1, 2))


def test_a_hint_on_a_claim_has_no_move() -> None:
    match = played(begin(find_game("agents")), CLAIMED).act(2, actions.claim((0, 1, 2)))
    assert find_hint(match)[1:] == ((), ())
