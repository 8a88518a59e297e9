"""PPO in one file of PyTorch, in the manner of CleanRL, over the vector environment.

python -m recipes.cleanrl_ppo --game swap-nine --opponent medium --steps 1000000
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from ninefold.envs.vector import NinefoldVectorEnv

ROLLOUT, EPOCHS, MINIBATCHES = 32, 4, 4
LEARNING_RATE, CLIP, ENTROPY, VALUE_WEIGHT, LAMBDA = 1e-3, 0.2, 0.01, 0.5, 0.95
ILLEGAL = -1e9


class Agent(nn.Module):
    """A network with two heads: logits of the legal actions, and the value of the position."""

    def __init__(self, shape: tuple[int, ...], actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Flatten(), nn.Linear(int(np.prod(shape)), 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh()
        )
        self.actor, self.critic = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, planes: Any, mask: Any) -> tuple[Categorical, Any]:
        hidden = self.body(planes)
        logits = self.actor(hidden).masked_fill(~mask, ILLEGAL)
        return Categorical(logits=logits), self.critic(hidden).squeeze(-1)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="classic")
    parser.add_argument("--opponent", default="random", help="random, or a level of the game")
    parser.add_argument("--envs", type=int, default=64, help="games at once")
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def as_tensors(observation: Any) -> tuple[Any, Any]:
    planes = torch.as_tensor(observation["observation"], dtype=torch.float32)
    return planes, torch.as_tensor(observation["action_mask"]).bool()


def advantages(rewards: Any, values: Any, done: Any, last: Any) -> Any:
    """Generalised advantage estimation; nothing is discounted, because a game is won late or early."""
    found, following = torch.zeros_like(rewards), torch.zeros_like(last)
    for step in reversed(range(len(rewards))):
        after = last if step == len(rewards) - 1 else values[step + 1]
        delta = rewards[step] + after * ~done[step] - values[step]
        following = found[step] = delta + LAMBDA * following * ~done[step]
    return found


def update(agent: Agent, optimizer: Any, data: dict[str, Any]) -> None:
    count = len(data["action"])
    for _ in range(EPOCHS):
        for chosen in torch.randperm(count).split(count // MINIBATCHES):
            part = {name: array[chosen] for name, array in data.items()}
            policy, value = agent(part["planes"], part["mask"])
            ratio = (policy.log_prob(part["action"]) - part["log_prob"]).exp()
            gain = (part["advantage"] - part["advantage"].mean()) / (part["advantage"].std() + 1e-8)
            surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            error = (value - part["advantage"] - part["value"]).pow(2).mean()
            loss = -surrogate + VALUE_WEIGHT * error - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def train(agent: Agent, args: argparse.Namespace) -> None:
    envs = NinefoldVectorEnv(args.envs, args.game, args.opponent, side="toss", autoreset_mode="SameStep")
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE, eps=1e-5)
    planes, mask = as_tensors(envs.reset(seed=args.seed)[0])
    for _ in range(max(1, args.steps // (ROLLOUT * args.envs))):
        rows: dict[str, list[Any]] = {}
        for _ in range(ROLLOUT):
            with torch.no_grad():
                policy, value = agent(planes, mask)
            action = policy.sample()
            observation, reward, done, _, _ = envs.step(action.numpy())
            row = {
                "planes": planes,
                "mask": mask,
                "action": action,
                "log_prob": policy.log_prob(action),
                "value": value,
            }
            row |= {"reward": torch.as_tensor(reward, dtype=torch.float32), "done": torch.as_tensor(done)}
            for name, array in row.items():
                rows.setdefault(name, []).append(array)
            planes, mask = as_tensors(observation)
        data = {name: torch.stack(arrays) for name, arrays in rows.items()}
        with torch.no_grad():
            last = agent(planes, mask)[1]
        data["advantage"] = advantages(data.pop("reward"), data["value"], data.pop("done"), last)
        update(agent, optimizer, {name: array.flatten(0, 1) for name, array in data.items()})


def score(agent: Agent, args: argparse.Namespace, games: int = 1000) -> float:
    """The mean reward of one game in each of many environments, always with the move that seems best."""
    envs = NinefoldVectorEnv(games, args.game, args.opponent, side="toss", autoreset_mode="SameStep")
    observation, _ = envs.reset(seed=args.seed + 1)
    rewards, over = np.zeros(games), np.zeros(games, np.bool_)
    while not over.all():
        with torch.no_grad():
            policy, _ = agent(*as_tensors(observation))
        observation, reward, done, _, _ = envs.step(policy.logits.argmax(dim=1).numpy())
        rewards += np.where(over, 0, reward)
        over |= done
    return float(rewards.mean())


def main(arguments: Sequence[str] | None = None) -> float:
    args = parsed(arguments)
    torch.manual_seed(args.seed)
    space: Any = NinefoldVectorEnv(1, args.game)
    agent = Agent(space.single_observation_space["observation"].shape, int(space.single_action_space.n))
    print(f"before: {score(agent, args):+.3f} a game against {args.opponent}")
    train(agent, args)
    after = score(agent, args)
    print(f"after {args.steps:,} steps: {after:+.3f}")
    return after


if __name__ == "__main__":
    main()
