"""The evaluation of moves: exact in the small games, by search in the big ones."""

from __future__ import annotations

import pytest

from ninefold.analysis.evaluation import Search, analyze
from ninefold.core.errors import NotAllowed
from ninefold.games import find_game

CLASSIC, AGENTS, SQUARED = map(find_game, ("classic", "agents", "squared"))


def test_the_moves_of_a_small_game_are_ranked_exactly() -> None:
    found = analyze(CLASSIC, CLASSIC.parse("XX./OO./... X"))
    assert found.exact
    assert [(line.name, line.score_text) for line in found.lines] == [
        ("3", "win in 1"), ("6", "draw"), ("7", "loss in 2"), ("8", "loss in 2"), ("9", "loss in 2"),
    ]  # fmt: skip


def test_where_victory_is_claimed_a_line_wins_at_once_and_an_older_one_that_was_overlooked_does_not() -> None:
    overlooked = AGENTS.parse("OOO/XX./... X")
    best = analyze(AGENTS, overlooked, claims=True).lines[0]
    assert (best.name, best.score_text) == ("[1,2]", "win in 1")
    assert analyze(AGENTS, overlooked).lines[0].score_text.startswith("loss")


def test_the_moves_of_a_big_game_are_estimated_and_the_same_nodes_say_the_same() -> None:
    search = Search(nodes=20_000, lines=81)
    first, second = (analyze(SQUARED, SQUARED.begin(), search=search) for _ in range(2))
    assert first.lines == second.lines
    assert not first.exact
    assert len(first.lines) == 81
    assert all(line.value is None and not line.proven for line in first.lines)


def test_without_the_engine_the_moves_of_a_big_game_are_estimated_by_random_games() -> None:
    found = analyze(SQUARED, SQUARED.begin(), search=Search(engine=False, simulations=81))
    assert (found.info, found.exact, len(found.lines)) == (None, False, 81)
    assert all(line.score_text.endswith("% of the points") and -1 <= line.points <= 1 for line in found.lines)


def test_a_finished_position_has_no_moves_to_evaluate() -> None:
    assert analyze(CLASSIC, CLASSIC.parse("XXX/OO./... O")).lines == ()


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("classic", "XXX/OOO/... X"),
        ("squared", "/".join(["X........", *["........."] * 8]) + " X *"),
        ("squared", "........./...X...../.X......./........./........./..O....../........./........./......... O 4"),
    ],
)
def test_a_position_that_cannot_arise_is_refused(game: str, text: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        analyze(find_game(game), find_game(game).parse(text))
    assert refused.value.reason == "unreachable"
