"""Stable-Baselines3: MaskablePPO of sb3-contrib against a player, in many games at once.

python -m recipes.sb3_maskable_ppo --game classic --opponent medium --steps 500000
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO

from ninefold.envs.sb3 import NinefoldVecEnv


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="classic")
    parser.add_argument("--opponent", default="random", help="random, or a level of the game")
    parser.add_argument("--side", default="toss", help="X, O, or toss")
    parser.add_argument("--envs", type=int, default=64, help="games at once")
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def learner(envs: Any, seed: int) -> MaskablePPO:
    """PPO with settings that suit short games whose reward comes at the end."""
    return MaskablePPO(
        "MlpPolicy",
        envs,
        learning_rate=1e-3,
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.01,
        seed=seed,
    )


def score(model: MaskablePPO, args: argparse.Namespace, games: int = 1000) -> float:
    """The mean reward of one game in each of many environments, always with the move that seems best."""
    envs = NinefoldVecEnv(games, args.game, args.opponent, args.side)
    envs.seed(args.seed + 1)
    observed, rewards, over = envs.reset(), np.zeros(games), np.zeros(games, np.bool_)
    while not over.all():
        masks = np.stack(envs.env_method("action_masks"))
        actions, _ = model.predict(observed, action_masks=masks, deterministic=True)
        observed, given, done, _ = envs.step(actions)
        rewards += np.where(over, 0, given)
        over |= done
    return float(rewards.mean())


def main(arguments: Sequence[str] | None = None) -> float:
    args = parsed(arguments)
    envs = NinefoldVecEnv(args.envs, args.game, args.opponent, args.side)
    envs.seed(args.seed)
    model = learner(envs, args.seed)
    print(f"before: {score(model, args):+.3f} a game against {args.opponent}")
    model.learn(args.steps)
    after = score(model, args)
    print(f"after {model.num_timesteps:,} steps: {after:+.3f}")
    return after


if __name__ == "__main__":
    main()
