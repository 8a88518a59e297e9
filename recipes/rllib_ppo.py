"""RLlib: PPO with masked actions against a player, in the Gymnasium environment.

python -m recipes.rllib_ppo --game classic --opponent easy --iterations 50
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.tune.registry import register_env
from torch import nn

from ninefold.envs.gym import NinefoldEnv

ILLEGAL = -1e9


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """A network with two heads, whose illegal actions have no probability."""

    def setup(self) -> None:
        size = int(np.prod(self.observation_space["observation"].shape))
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.logits, self.value = nn.Linear(128, int(self.action_space.n)), nn.Linear(128, 1)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        observed = batch[Columns.OBS]
        logits = self.logits(self.body(observed["observation"].float()))
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(observed["action_mask"] == 0, ILLEGAL)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:  # noqa: ARG002 - RLlib's signature
        return self.value(self.body(batch[Columns.OBS]["observation"].float())).squeeze(-1)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="classic")
    parser.add_argument("--opponent", default="random", help="random, or a level of the game")
    parser.add_argument("--iterations", type=int, default=50, help="of 4,000 steps")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def config_of(args: argparse.Namespace) -> PPOConfig:
    config = PPOConfig().environment(
        "ninefold", env_config={"game": args.game, "opponent": args.opponent, "side": "toss"}
    )
    config.env_runners(num_env_runners=0, num_envs_per_env_runner=16)
    config.rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
    config.training(lr=1e-3, gamma=1.0, train_batch_size=4000, minibatch_size=500, num_epochs=4, entropy_coeff=0.01)
    return config.debugging(seed=args.seed, log_level="ERROR")


def score(module: MaskedModule, args: argparse.Namespace, games: int = 500) -> float:
    """The mean reward of games with the move that seems best."""
    env, total = NinefoldEnv(args.game, args.opponent, side="toss"), 0.0
    env.reset(seed=args.seed + 1)
    for _ in range(games):
        observation, over = env.reset()[0], False
        while not over:
            batch = {Columns.OBS: {name: torch.as_tensor(array[None]) for name, array in observation.items()}}
            with torch.no_grad():
                logits = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
            observation, reward, over, _, _ = env.step(np.int64(logits.argmax()))
        total += reward
    return total / games


def main(arguments: Sequence[str] | None = None) -> float:
    args = parsed(arguments)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    register_env("ninefold", lambda config: NinefoldEnv(**config))
    algorithm = config_of(args).build_algo()
    print(f"before: {score(algorithm.get_module(), args):+.3f} a game against {args.opponent}")
    for _ in range(args.iterations):
        algorithm.train()
    after = score(algorithm.get_module(), args)
    print(f"after {args.iterations} iterations: {after:+.3f}")
    algorithm.stop()
    ray.shutdown()
    return after


if __name__ == "__main__":
    main()
