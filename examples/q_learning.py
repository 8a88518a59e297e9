"""Tabular Q-learning on classic, by self-play, until no line of play beats it, that of ``perfect`` included.

It learns a table: the value of every move in every state for the side that makes it. Many games are played at once.
Each step moves the values of the moves that were made towards their targets: the reward at an end, or else the
opponent's best value with the other sign.

    python -m examples.q_learning --seed 1 --svg q_learning.svg
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt

from examples.command import Example, Learned, Points, run
from ninefold.core.position import Position, Side
from ninefold.envs.batch import Batch, BatchState, make
from ninefold.envs.codec import tables_of

GAMES, RATE, EXPLORE = 256, 0.2, 0.3
REPORT, PATIENCE = 50, 20_000  # steps
Values = npt.NDArray[np.float32]


def learn(seed: int) -> tuple[Values, Points]:
    """The values, and the learning curve: moves played, and the share of the lines of play that beat them."""
    batch, generator = make("classic"), np.random.default_rng(seed)
    values, state, curve = initial_values(batch, generator), batch.init(GAMES), Points()
    for step in range(PATIENCE):
        if step % REPORT == 0:
            lost, lines = count_losses(batch, values)
            curve.append((step * GAMES, lost / lines))
            print(f"{step * GAMES:>9,} moves: {lost:>4} of {lines} lines of play beat it", file=sys.stderr, flush=True)
            if not lost:
                return values, curve
        state = update(batch, values, state, generator)
    raise SystemExit("It has not learned enough in this time.")


def initial_values(batch: Batch, generator: np.random.Generator) -> Values:
    """Small random values for the legal moves, and minus infinity for the others."""
    legal = tables_of(batch.game, batch.game.begin(), True).legal
    values = np.where(legal, generator.normal(0, 0.01, legal.shape), -np.inf)
    values[~legal.any(axis=1)] = 0.0  # the ends of games
    return values.astype(np.float32)


def update(batch: Batch, values: Values, state: BatchState, generator: np.random.Generator) -> BatchState:
    """Make a move in every game, and update its value."""
    here, turn = state.position, batch.view(state).turn
    random_action = batch.random_action(state, seed=int(generator.integers(2**31)), counter=0)
    action = np.where(generator.random(GAMES) < EXPLORE, random_action, values[here].argmax(axis=1))
    after = batch.step(state, action)
    target = np.where(after.done, after.reward * (1 - 2 * turn), -values[after.position].max(axis=1))
    values[here, action] += RATE * (target - values[here, action])
    return after


def count_losses(batch: Batch, values: Values) -> tuple[int, int]:
    """Of all lines of play against the moves of the highest values: how many win, and how many there are."""
    lost = lines = 0
    for ours in Side:
        waiting = [batch.game.begin()]
        while waiting:
            position = waiting.pop()
            if position.outcome:
                lines += 1
                lost += position.outcome.winner is ours.other
            elif position.turn is ours:
                waiting.append(position.play(best_move(batch, values, position)))
            else:
                waiting += [position.play(move) for move in position.moves()]
    return lost, lines


def best_move(batch: Batch, values: Values, position: Position) -> int:
    """The move of the highest value."""
    state = batch.state_of([position]).position[0]
    return int(values[state].argmax())


def learned(seed: int) -> Learned:
    _, curve = learn(seed)
    moves = f"{curve[-1][0]:,}"
    return Learned(f"After {moves} moves no line of play beats it, that of perfect included, on either side.", curve)


EXAMPLE = Example(
    name="q_learning",
    title="Q-learning on classic",
    across="moves played",
    up="share of all lines of play that beat it",
    learn=learned,
)

if __name__ == "__main__":
    run(EXAMPLE)
