"""The recipes learn: with short budgets each takes clearly more from random moves than an untrained agent."""

from __future__ import annotations

from importlib import import_module

import pytest

pytestmark = [
    pytest.mark.learning,
    # Of the trainers and what they import; none is about our environments, whose tests have no such exception.
    pytest.mark.filterwarnings("ignore"),
]
# An untrained agent has about 0 as either side, 0.3 as X.
BUDGETS = {
    "sb3_maskable_ppo": (0.5, ["--steps", "60000"]),
    "cleanrl_ppo": (0.5, ["--steps", "60000"]),
    "purejaxrl_ppo": (0.5, ["--updates", "40"]),
    "rllib_ppo": (0.35, ["--iterations", "4"]),
    "tianshou_dqn": (0.7, ["--epochs", "4", "--target", "0.7"]),
}


@pytest.mark.parametrize("recipe", BUDGETS)
def test_a_recipe_learns(recipe: str) -> None:
    least, budget = BUDGETS[recipe]
    assert import_module(f"recipes.{recipe}").main(budget) >= least


def test_a_recipe_plays_a_big_game_against_a_level() -> None:
    score = import_module("recipes.sb3_maskable_ppo").main(
        ["--game", "ultimate", "--opponent", "easy", "--steps", "2048"]
    )
    assert -1.0 <= score < 0.5
