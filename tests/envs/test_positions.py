"""Positions as states of a batch and back, and those it does not take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ninefold.core.errors import NotAllowed
from ninefold.core.position import Position
from ninefold.envs.batch import make
from ninefold.games import find_game
from tests.support.batches import GAMES, after


@pytest.mark.parametrize("game", GAMES)
def test_positions_become_states_and_states_positions(game: str) -> None:
    batch = make(game)
    positions = batch.positions(after(batch, 60, 4))
    state = batch.state_of(positions)
    assert batch.positions(state) == positions
    view = batch.view(state)
    assert [tuple(np.flatnonzero(row)) for row in view.legal] == [position.moves() for position in positions]


def test_positions_of_other_rules_are_refused() -> None:
    classic, squared = find_game("classic"), find_game("squared").begin()
    refused: list[tuple[str, Position, str]] = [
        ("classic", squared, "a position of another game, not of classic"),
        ("ultimate", classic.begin(), "a position of another game, not of ultimate"),
        ("ultimate", squared, "played with first=X drawn=both .*, the environment with first=X drawn=nobody"),
        (
            "classic",
            classic.begin({"first": "O"}),
            "with first=O line_ends=yes, the environment with first=X line_ends=yes",
        ),
        ("classic", classic.parse("XXX/.../... O"), "cannot arise in play"),
    ]
    for game, position, sentence in refused:
        with pytest.raises(NotAllowed, match=sentence):
            make(game).state_of([position])


@pytest.mark.parametrize("game", ["classic", "ultimate"])
def test_an_argument_that_is_not_a_list_of_positions_is_refused(game: str) -> None:
    batch: Any = make(game)
    for wrong in ("XX./OO./... X", find_game(game).begin(), 3, None):
        with pytest.raises(TypeError, match=r"positions must be a list of them, such as \[game.begin\(\)\], not "):
            batch.state_of(wrong)
    with pytest.raises(TypeError, match=r"A position is what .* game.parse\(text\) return, not 'XX./OO./... X'"):
        batch.state_of(["XX./OO./... X"])


@pytest.mark.parametrize("resets", [True, False])
@pytest.mark.parametrize("game", GAMES)
def test_a_position_at_its_end_is_done_with_the_next_step(game: str, resets: bool) -> None:
    going, batch = make(game, resets=False), make(game, resets=resets)
    ends = [position for position in going.positions(after(going, 20, 90)) if position.outcome]
    state = batch.state_of(ends)
    assert not state.done.any()
    assert not state.mask.any()
    stepped = batch.random_step(state, seed=1, counter=0)
    assert stepped.done.all()
    assert not stepped.reward.any()
    assert batch.positions(stepped) == ([batch.game.begin()] * len(ends) if resets else ends)
