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
    "sb3_maskable_ppo": ("--steps", "60000", 0.5),
    "cleanrl_ppo": ("--steps", "60000", 0.5),
    "purejaxrl_ppo": ("--updates", "40", 0.5),
    "rllib_ppo": ("--iterations", "4", 0.35),
    "tianshou_dqn": ("--epochs", "4", 0.55),
}


@pytest.mark.parametrize("recipe", BUDGETS)
def test_a_recipe_learns(recipe: str) -> None:
    option, budget, least = BUDGETS[recipe]
    score = import_module(f"recipes.{recipe}").main([option, budget])
    assert score >= least


def test_a_recipe_plays_a_big_game_against_a_level() -> None:
    score = import_module("recipes.sb3_maskable_ppo").main(
        ["--game", "ultimate", "--opponent", "easy", "--steps", "2048"]
    )
    assert -1.0 <= score < 0.5
