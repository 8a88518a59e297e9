"""Measures how long Stable-Baselines3 and tianshou take to a fixed score, with our environments and with PettingZoo's
own tic-tac-toe, and writes docs/trainers.md. It needs the environment of `make test-learning`.

python -m benchmarks.trainers [--seeds N]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from typing import Any

import gymnasium
import numpy as np
import torch
from pettingzoo.classic import tictactoe_v3
from stable_baselines3.common.vec_env import DummyVecEnv

from benchmarks.report import DOCS, Row, Section, machine, measure, page, times
from ninefold.envs import aec
from ninefold.envs.gym import NinefoldEnv
from ninefold.envs.sb3 import NinefoldVecEnv
from recipes import sb3_maskable_ppo, tianshou_dqn

TARGET = 0.9  # of the mean reward as X against random moves
GAMES = 64  # at once in Stable-Baselines3
BETWEEN = 8192  # steps between two measurements of the score
MOST = 60  # measurements
PACKAGES = ("stable_baselines3", "sb3_contrib", "tianshou", "torch", "gymnasium", "pettingzoo", "numpy")
ABOUT = f"""\
Written by `make bench-trainers`. Both sides learn tic-tac-toe as X against random moves, with the same trainer and the
same settings (those of the recipes), until the mean reward of 500 games (200 in tianshou) is {TARGET}; the best
possible one is 0.995. Seconds are of processor time on one core, median over the seeds. The score is measured every
8,192 steps (2,048 in tianshou, where measuring it is part of the time). Observations differ: ours have a plane of legal
moves more, and cells in another order. So the number of steps may differ too, and a ratio is not of speed alone."""


class TheirGame(gymnasium.Env[Any, Any]):
    """PettingZoo's tic-tac-toe for one agent, as its tutorials wrap it: the opponent makes random legal moves."""

    def __init__(self, seed: int) -> None:
        self.env = tictactoe_v3.env()
        self.observation_space = self.env.observation_space("player_1")["observation"]
        self.action_space = self.env.action_space("player_1")
        self._random = np.random.default_rng(seed)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.env.reset()
        return self._observed(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.env.step(action)
        if not self.env.terminations["player_2"]:
            self.env.step(self._random.choice(np.flatnonzero(self.env.observe("player_2")["action_mask"])))
        over = self.env.terminations["player_1"]
        return self._observed(), float(self.env.rewards["player_1"]), over, False, {}

    def action_masks(self) -> Any:
        return self.env.observe("player_1")["action_mask"].astype(np.bool_)

    def _observed(self) -> Any:
        return self.env.observe("player_1")["observation"]


class PlanesOnly(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The planes of our Gymnasium environment, so that every side has the same network."""

    def __init__(self, seed: int) -> None:
        env: Any = NinefoldEnv("classic")
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]
        self.reset(seed=seed)

    def observation(self, observation: Any) -> Any:
        return observation["observation"]

    def action_masks(self) -> Any:
        return self.env.get_wrapper_attr("action_masks")()


def many_of(make: Callable[[int], Any], seed: int) -> Any:
    return DummyVecEnv([partial(make, 1000 * seed + number) for number in range(GAMES)])


def ours_many(seed: int) -> Any:
    envs = NinefoldVecEnv(GAMES, "classic")
    envs.seed(seed)
    return envs


def sb3_seconds(make: Callable[[int], Any], seed: int) -> float:
    """Seconds of learning until the score is reached; measuring it is not counted."""
    model, seconds = sb3_maskable_ppo.learner(make(seed), seed), 0.0
    testing = make(seed + 100)
    for _ in range(MOST):
        begun = time.process_time()
        model.learn(BETWEEN, reset_num_timesteps=False)
        seconds += time.process_time() - begun
        if score(model, testing) >= TARGET:
            return seconds
    raise RuntimeError("The score was not reached.")


def score(model: Any, envs: Any, games: int = 500) -> float:
    rewards = list[float]()
    observed = envs.reset()
    while len(rewards) < games:
        masks = np.stack(envs.env_method("action_masks"))
        actions, _ = model.predict(observed, action_masks=masks, deterministic=True)
        observed, given, done, _ = envs.step(actions)
        rewards += given[done].tolist()
    return float(np.mean(rewards))


def tianshou_seconds(make: Callable[[], Any], seed: int) -> float:
    begun = time.process_time()
    args = tianshou_dqn.parsed(["--seed", str(seed), "--target", str(TARGET), "--epochs", str(MOST)])
    if tianshou_dqn.train(make, args) < TARGET:
        raise RuntimeError("The score was not reached.")
    return time.process_time() - begun


def rows(seeds: int) -> Iterator[Row]:
    def seconds(measure: Callable[[Any, int], float], make: Any) -> float:
        return median(measure(make, seed) for seed in range(1, seeds + 1))

    theirs = seconds(sb3_seconds, partial(many_of, TheirGame))
    for what, make in (("VecEnv", ours_many), ("Gymnasium in DummyVecEnv", partial(many_of, PlanesOnly))):
        yield row(f"MaskablePPO, {GAMES} games, our {what}", seconds(sb3_seconds, make), theirs)
    ours = seconds(tianshou_seconds, partial(aec.env, "classic"))
    yield row("DQN of tianshou, PettingZoo", ours, seconds(tianshou_seconds, tictactoe_v3.env))


def row(what: str, ours: float, theirs: float) -> Row:
    return Row(what, f"{ours:.1f} s", f"{theirs:.1f} s", times(theirs / ours, "fast"))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trainers", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parsed = parser.parse_args(arguments)
    torch.set_num_threads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    section = Section("Time to a fixed score", f"{parsed.seeds} seeds.", partial(rows, parsed.seeds))
    text = page("Trainers", ABOUT, machine(*PACKAGES), [(section, measure(section))])
    (DOCS / "trainers.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
