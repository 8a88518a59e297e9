"""tianshou: DQN as X against random moves, two agents in the PettingZoo environment.

python -m recipes.tianshou_dqn --game classic --epochs 30
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from ninefold.envs import aec

ENVS = 16
STEPS_PER_EPOCH = 2048


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="classic")
    parser.add_argument("--epochs", type=int, default=30, help=f"of {STEPS_PER_EPOCH:,} steps")
    parser.add_argument("--target", type=float, default=1.0, help="stop at this mean reward")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def learners(env: PettingZooEnv) -> MultiAgentOffPolicyAlgorithm:
    """DQN for the first agent, random legal moves for the second."""
    shape = env.observation_space["observation"].shape
    net = Net(state_shape=shape, action_shape=env.action_space.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.1, eps_inference=0.0)
    dqn = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=0.95,
        n_step_return_horizon=3,
        target_update_freq=320,
    )
    other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
    return MultiAgentOffPolicyAlgorithm(algorithms=[dqn, other], env=env)


def train(make_env: Callable[[], Any], args: argparse.Namespace, games: int = 200) -> float:
    """Train until the mean reward of the first agent reaches the target, or the epochs are over; the best mean
    reward."""
    logging.getLogger("tianshou").setLevel(logging.ERROR)  # it warns of every reward, because there are two of them
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    training, testing = (DummyVectorEnv([lambda: PettingZooEnv(make_env())] * ENVS) for _ in range(2))
    algorithm = learners(PettingZooEnv(make_env()))
    train_collector = Collector[CollectStats](
        algorithm, training, VectorReplayBuffer(50_000, ENVS), exploration_noise=True
    )
    train_collector.reset()
    train_collector.collect(n_step=1024)
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=train_collector,
            test_collector=Collector[CollectStats](algorithm, testing),
            max_epochs=args.epochs,
            epoch_num_steps=STEPS_PER_EPOCH,
            collection_step_num_env_steps=4 * ENVS,
            test_step_num_episodes=games,
            batch_size=256,
            update_step_num_gradient_steps_per_sample=0.1,
            test_in_training=False,
            show_progress=False,
            verbose=False,
            stop_fn=lambda reward: reward >= args.target,
            multi_agent_return_reduction=lambda rewards: rewards[:, 0],
        )
    )
    return float(result.best_reward)


def main(arguments: Sequence[str] | None = None) -> float:
    args = parsed(arguments)
    best = train(lambda: aec.env(args.game), args)
    print(f"best mean reward as X against random moves: {best:+.3f}")
    return best


if __name__ == "__main__":
    main()
