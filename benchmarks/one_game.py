"""Environments that have one game, as PettingZoo and Gymnasium step them, and the levels as opponents in many games."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import numpy as np

from benchmarks.environments import ROUNDS, TURNS, Run, duels, one_core, random_moves, their_duel, versus
from benchmarks.report import Row, Section, a_second
from benchmarks.timing import speed
from ninefold.envs import aec
from ninefold.envs.gym import NinefoldEnv
from ninefold.envs.interop import pettingzoo_cell
from ninefold.envs.vector import NinefoldVectorEnv

STEPS = {"random": 20_000, "easy": 2_000, "medium": 400}
MANY = 256


def rows() -> Iterator[Row]:
    with one_core():
        theirs = duels(their_duel(), [[pettingzoo_cell(m) for m in game] for game in random_moves("classic", TURNS)])
        for game in ("ultimate", "squared"):
            ours = duels(aec.env(game), random_moves(game, TURNS))
            target = "80,000 a second" if game == "ultimate" else "-"
            yield versus(f"{game}; PettingZoo's tic-tac-toe", ours, theirs, target)
        for opponent, steps in STEPS.items():
            yield alone(f"ultimate in Gymnasium against {opponent}", gym_steps(opponent, steps))
        for opponent, steps in STEPS.items():
            yield alone(f"{MANY} games of ultimate against {opponent}", vector_steps(opponent, steps * 5))


def alone(what: str, run: Run) -> Row:
    return Row(what, a_second(median(speed(run) for _ in range(ROUNDS))))


def gym_steps(opponent: str, steps: int) -> Run:
    env = NinefoldEnv("ultimate", opponent)

    def run() -> int:
        observation, _ = env.reset(seed=1)
        for _ in range(steps):
            observation, _, over, _, _ = env.step(observation["action_mask"].argmax())
            if over:
                observation, _ = env.reset()
        return steps

    return run


def vector_steps(opponent: str, steps: int) -> Run:
    envs = NinefoldVectorEnv(MANY, "ultimate", opponent, threads=1)

    def run() -> int:
        observation, _ = envs.reset(seed=1)
        rounds = max(1, steps // MANY)
        for _ in range(rounds):
            observation, *_ = envs.step(np.argmax(observation["action_mask"], axis=1))
        return rounds * MANY

    return run


SECTION = Section(
    "Environments with one game",
    "Steps a second of processor time on one core. Two agents take turns through PettingZoo's loop: each observes\n"
    "and acts. In Gymnasium a step is a move of the agent and the reply of the opponent; levels of the big games\n"
    "search in the native core, for many games in threads, of which there is one here. PettingZoo has no big game,\n"
    f"so its own is tic-tac-toe. Median of {ROUNDS}.",
    rows,
)
