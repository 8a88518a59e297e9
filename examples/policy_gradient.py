"""A small network learns swap-nine by policy gradients, with illegal moves masked away, until it beats ``medium``.

Advantage actor-critic with two layers in plain NumPy: the inputs are the observation, the outputs a logit for every
move and the value of the position. Moves with a positive advantage (the return is higher than the value) become more
likely, the others less likely. The games are Gymnasium's vector environment, 1,024 at a time, each side half of the
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
PolicyFunction = Callable[[Any, Match], Any]  # from an observation and the match to an action


class NetworkOutput(NamedTuple):
    hidden: Floats
    probabilities: Floats  # of every move; 0 for illegal ones
    value: Floats  # the expected reward


class Transition(NamedTuple):
    """One step of every game. A step that is not ``valid`` only reset its game."""

    inputs: Floats
    legal: Bools
    action: npt.NDArray[np.intp]
    valid: Bools
    reward: Floats
    done: Bools


def network(inputs: int, moves: int, generator: np.random.Generator) -> Weights:
    def layer(rows: int, columns: int, size: float) -> Floats:
        return generator.normal(0, size / rows**0.5, (rows, columns)).astype(np.float32)

    return {"in": layer(inputs, HIDDEN, 1.0), "moves": layer(HIDDEN, moves, 0.1), "value": layer(HIDDEN, 1, 0.1)}


def forward(weights: Weights, inputs: Floats, legal: Bools) -> NetworkOutput:
    hidden = np.tanh(inputs @ weights["in"])
    scores = np.where(legal, hidden @ weights["moves"], -np.inf)
    probabilities = np.exp(scores - scores.max(axis=1, keepdims=True))
    return NetworkOutput(
        hidden, probabilities / probabilities.sum(axis=1, keepdims=True), (hidden @ weights["value"])[:, 0]
    )


def encode(observation: dict[str, npt.NDArray[np.int8]]) -> tuple[Floats, Bools]:
    """The planes as one row, with a 1 for the bias, and the mask."""
    planes = observation["observation"].reshape(len(observation["observation"]), -1)
    return np.pad(planes, ((0, 0), (0, 1)), constant_values=1).astype(np.float32), observation["action_mask"] != 0


def play(
    envs: Any, weights: Weights, now: Any, over: Bools, generator: np.random.Generator
) -> tuple[list[Transition], Any]:
    """Some steps in every game, and the observation after them."""
    steps = []
    for _ in range(STEPS):
        inputs, legal = encode(now)
        probabilities = forward(weights, inputs, legal).probabilities
        action = (probabilities.cumsum(axis=1) > generator.random((GAMES, 1))).argmax(axis=1)
        now, reward, done, _, _ = envs.step(action)
        steps.append(Transition(inputs, legal, action, ~over, reward.astype(np.float32), done))
        over = done
    return steps, now


def returns(steps: list[Transition], last: Floats) -> list[Floats]:
    """The return of every step: the reward at the end of its game, or the value of the last position if it goes on."""
    found = []
    for step in reversed(steps):
        last = np.where(step.done, step.reward, last)
        found.append(last)
    return found[::-1]


def gradient(weights: Weights, steps: list[Transition], found_returns: list[Floats]) -> Weights:
    """The gradient of the objective: the policy with an entropy bonus, and the value."""
    valid = np.concatenate([step.valid for step in steps])
    inputs, legal, action = (np.concatenate([step[part] for step in steps])[valid] for part in range(3))
    hidden, probabilities, value = forward(weights, inputs, legal)
    advantage = (np.concatenate(found_returns)[valid] - value) / len(action)
    logs = np.log(np.maximum(probabilities, 1e-9))
    surprise = logs - (probabilities * logs).sum(axis=1, keepdims=True)
    logit_gradient = -probabilities * (advantage[:, None] + ENTROPY / len(action) * surprise)
    logit_gradient[np.arange(len(action)), action] += advantage
    hidden_gradient = (logit_gradient @ weights["moves"].T + advantage[:, None] @ weights["value"].T) * (1 - hidden**2)
    return {
        "in": inputs.T @ hidden_gradient,
        "moves": hidden.T @ logit_gradient,
        "value": hidden.T @ advantage[:, None],
    }


class Adam:
    """The Adam optimizer, upwards."""

    def __init__(self, weights: Weights) -> None:
        self._mean, self._square = ({name: np.zeros_like(layer) for name, layer in weights.items()} for _ in range(2))
        self._steps = 0

    def ascend(self, weights: Weights, gradients: Weights, rate: float) -> None:
        self._steps += 1
        for name, slope in gradients.items():
            self._mean[name] += 0.1 * (slope - self._mean[name])
            self._square[name] += 0.01 * (slope**2 - self._square[name])
            mean, square = self._mean[name] / (1 - 0.9**self._steps), self._square[name] / (1 - 0.99**self._steps)
            weights[name] += rate * mean / (np.sqrt(square) + 1e-8)


def learn(seed: int, updates: int = UPDATES) -> tuple[Weights, Points]:
    """The weights, and the learning curve: games played, and the share of them won."""
    generator = np.random.default_rng(seed)
    envs = gymnasium.make_vec(GAME, num_envs=GAMES, opponent=OPPONENT, side="toss")
    now, _ = envs.reset(seed=seed)
    inputs, legal = encode(now)
    weights = network(inputs.shape[1], legal.shape[1], generator)
    adam, over, played, curve = Adam(weights), np.zeros(GAMES, np.bool_), 0, Points()
    for update in range(updates):
        steps, now = play(envs, weights, now, over, generator)
        over = steps[-1].done
        expected = forward(weights, *encode(now)).value
        adam.ascend(weights, gradient(weights, steps, returns(steps, expected)), RATE * (1 - update / updates))
        ended = sum(int(step.done.sum()) for step in steps)
        played += ended
        if update % 10 == 0 or update == updates - 1:
            won = sum(int((step.reward > 0).sum()) for step in steps) / ended
            curve.append((played, won))
            print(f"{played:>9,} games: {won:.1%} won against {OPPONENT}", file=sys.stderr, flush=True)
    return weights, curve


def score(policy: PolicyFunction, games: int, seed: int) -> float:
    """The share of games won against the opponent in single games, on either side."""
    env: Any = gymnasium.make(GAME, opponent=OPPONENT, side="toss")
    now, _ = env.reset(seed=seed)
    wins = 0
    for _ in range(games):
        over = False
        while not over:
            now, reward, over, _, _ = env.step(policy(now, env.unwrapped.match))
        wins += float(reward) > 0
        now, _ = env.reset()
    return wins / games


def greedy(weights: Weights) -> PolicyFunction:
    def policy(now: Any, _: Match) -> Any:
        inputs, legal = encode({name: part[None] for name, part in now.items()})
        return forward(weights, inputs, legal).probabilities[0].argmax()

    return policy


def perfect(seed: int) -> PolicyFunction:
    """The perfect player."""
    player = make_player(find_game("swap-nine"), "perfect", seed)
    return lambda _, match: player(match).move


def learned(seed: int) -> Learned:
    weights, curve = learn(seed)
    won, most = score(greedy(weights), 1000, seed), score(perfect(seed), 1000, seed)
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
