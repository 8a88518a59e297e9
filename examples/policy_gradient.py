"""A small network learns swap-nine by policy gradients, with illegal moves masked away, until it beats ``medium``.

Two layers in plain NumPy: what the agent sees goes in, a number for every move and one for its chances come out. Moves
of games that were won become more likely, those of lost ones less, each measured by how much better it went than was
expected (advantage actor-critic). The games are Gymnasium's vector environment, 1,024 at a time, each side half of the
time.

    python -m examples.policy_gradient --seed 1 --svg policy_gradient.svg
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt

import ninefold.envs.gym
from examples.command import Example, Learned, Points, run
from ninefold.games import find_game
from ninefold.match.match import Match
from ninefold.players.player import make_player

gymnasium.register_envs(ninefold.envs.gym)

GAME, OPPONENT = "ninefold/swap-nine-v0", "medium"
GAMES, STEPS, UPDATES, HIDDEN = 1024, 12, 200, 128
RATE, ENTROPY = 0.005, 0.01
Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]
Weights = dict[str, Floats]
Choose = Callable[[Any, Match], Any]  # an action, by what is seen or by the match


class Thought(NamedTuple):
    hidden: Floats
    chances: Floats  # of every move; 0 for illegal ones
    value: Floats  # the reward that is expected


class Step(NamedTuple):
    """A decision in every game, and what came of it. One with ``real`` not set only began the next game."""

    seen: Floats
    legal: Bools
    action: npt.NDArray[np.intp]
    real: Bools
    reward: Floats
    done: Bools


def network(inputs: int, moves: int, generator: np.random.Generator) -> Weights:
    def layer(rows: int, columns: int, size: float) -> Floats:
        return generator.normal(0, size / rows**0.5, (rows, columns)).astype(np.float32)

    return {"in": layer(inputs, HIDDEN, 1.0), "moves": layer(HIDDEN, moves, 0.1), "value": layer(HIDDEN, 1, 0.1)}


def think(weights: Weights, seen: Floats, legal: Bools) -> Thought:
    hidden = np.tanh(seen @ weights["in"])
    scores = np.where(legal, hidden @ weights["moves"], -np.inf)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    return Thought(hidden, chances / chances.sum(axis=1, keepdims=True), (hidden @ weights["value"])[:, 0])


def look(observation: dict[str, npt.NDArray[np.int8]]) -> tuple[Floats, Bools]:
    """Everything that is seen in a row, with a one for the bias, and the mask."""
    planes = observation["observation"].reshape(len(observation["observation"]), -1)
    return np.pad(planes, ((0, 0), (0, 1)), constant_values=1).astype(np.float32), observation["action_mask"] != 0


def play(envs: Any, weights: Weights, now: Any, over: Bools, generator: np.random.Generator) -> tuple[list[Step], Any]:
    """Some decisions in every game, and what is seen after them."""
    steps = []
    for _ in range(STEPS):
        seen, legal = look(now)
        chances = think(weights, seen, legal).chances
        action = (chances.cumsum(axis=1) > generator.random((GAMES, 1))).argmax(axis=1)
        now, reward, done, _, _ = envs.step(action)
        steps.append(Step(seen, legal, action, ~over, reward.astype(np.float32), done))
        over = done
    return steps, now


def gains(steps: list[Step], last: Floats) -> list[Floats]:
    """What every decision came to: the reward at the end of its game, or what is expected where it still goes on."""
    found = []
    for step in reversed(steps):
        last = np.where(step.done, step.reward, last)
        found.append(last)
    return found[::-1]


def gradient(weights: Weights, steps: list[Step], gained: list[Floats]) -> Weights:
    """Towards moves that gained more than was expected, towards trying many, and towards expecting what was gained."""
    real = np.concatenate([step.real for step in steps])
    seen, legal, action = (np.concatenate([step[part] for step in steps])[real] for part in range(3))
    hidden, chances, value = think(weights, seen, legal)
    better = (np.concatenate(gained)[real] - value) / len(action)
    logs = np.log(np.maximum(chances, 1e-9))
    surprise = logs - (chances * logs).sum(axis=1, keepdims=True)
    push = -chances * (better[:, None] + ENTROPY / len(action) * surprise)
    push[np.arange(len(action)), action] += better
    back = (push @ weights["moves"].T + better[:, None] @ weights["value"].T) * (1 - hidden**2)
    return {"in": seen.T @ back, "moves": hidden.T @ push, "value": hidden.T @ better[:, None]}


class Adam:
    """Every weight takes steps of about the same size."""

    def __init__(self, weights: Weights) -> None:
        self._mean, self._square = ({name: np.zeros_like(layer) for name, layer in weights.items()} for _ in range(2))
        self._steps = 0

    def climb(self, weights: Weights, gradients: Weights, rate: float) -> None:
        self._steps += 1
        for name, slope in gradients.items():
            self._mean[name] += 0.1 * (slope - self._mean[name])
            self._square[name] += 0.01 * (slope**2 - self._square[name])
            mean, square = self._mean[name] / (1 - 0.9**self._steps), self._square[name] / (1 - 0.99**self._steps)
            weights[name] += rate * mean / (np.sqrt(square) + 1e-8)


def learn(seed: int, updates: int = UPDATES) -> tuple[Weights, Points]:
    """The weights, and the share of games won after so many."""
    generator = np.random.default_rng(seed)
    envs = gymnasium.make_vec(GAME, num_envs=GAMES, opponent=OPPONENT, side="toss")
    now, _ = envs.reset(seed=seed)
    seen, legal = look(now)
    weights = network(seen.shape[1], legal.shape[1], generator)
    adam, over, played, curve = Adam(weights), np.zeros(GAMES, np.bool_), 0, Points()
    for update in range(updates):
        steps, now = play(envs, weights, now, over, generator)
        over = steps[-1].done
        expected = think(weights, *look(now)).value
        adam.climb(weights, gradient(weights, steps, gains(steps, expected)), RATE * (1 - update / updates))
        ended = sum(int(step.done.sum()) for step in steps)
        played += ended
        if update % 10 == 0 or update == updates - 1:
            won = sum(int((step.reward > 0).sum()) for step in steps) / ended
            curve.append((played, won))
            print(f"{played:>9,} games: {won:.1%} won against {OPPONENT}", file=sys.stderr, flush=True)
    return weights, curve


def score(choose: Choose, games: int, seed: int) -> float:
    """The share of games that are won against the player that people meet, on either side."""
    env: Any = gymnasium.make(GAME, opponent=OPPONENT, side="toss")
    now, _ = env.reset(seed=seed)
    wins = 0
    for _ in range(games):
        over = False
        while not over:
            now, reward, over, _, _ = env.step(choose(now, env.unwrapped.match))
        wins += float(reward) > 0
        now, _ = env.reset()
    return wins / games


def likeliest(weights: Weights) -> Choose:
    def choose(now: Any, _: Match) -> Any:
        seen, legal = look({name: part[None] for name, part in now.items()})
        return think(weights, seen, legal).chances[0].argmax()

    return choose


def perfect(seed: int) -> Choose:
    """The player that never lets go of a game it can win."""
    player = make_player(find_game("swap-nine"), "perfect", seed)
    return lambda _, match: player(match).move


def learned(seed: int) -> Learned:
    weights, curve = learn(seed)
    won, most = score(likeliest(weights), 1000, seed), score(perfect(seed), 1000, seed)
    sentence = (
        f"It wins {won:.1%} of 1,000 games against {OPPONENT}, where perfect wins {most:.1%}; there are no draws."
    )
    return Learned(sentence, curve)


EXAMPLE = Example(
    name="policy_gradient",
    title="Policy gradients on swap-nine",
    across="games played",
    up=f"share of games won against {OPPONENT}",
    learn=learned,
)

if __name__ == "__main__":
    run(EXAMPLE)
