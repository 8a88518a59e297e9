"""Tabular Q-learning on classic, by self-play, until no line of play of ``perfect`` beats what was learned.

A value for every state and move is all there is: what the move is worth to the side that makes it. Many games are played
at once; each step moves the value of the moves that were made towards what came of them, the reward of an end or the
opponent's best value with the other sign.

    python -m examples.q_learning --seed 1 --svg q_learning.svg
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from examples.chart import Axis, Curve, chart
from ninefold.envs.batch import Batch, State, make
from ninefold.envs.levels import sharpest
from ninefold.envs.tables import tables_of

GAMES, RATE, PATIENCE = 256, 0.2, 20_000
Values = npt.NDArray[np.float32]


def learn(seed: int, report: int = 50) -> tuple[Values, list[tuple[float, float]]]:
    """The values, and how many of the lines of ``perfect`` beat them after so many moves."""
    batch = make("classic")
    generator = np.random.default_rng(seed)
    legal = tables_of(batch.game, batch.game.begin(), True).legal
    values = np.where(legal, generator.normal(0, 0.01, legal.shape), -np.inf).astype(np.float32)
    values[~legal.any(axis=1)] = 0.0
    state, curve = batch.init(GAMES), list[tuple[float, float]]()
    for step in range(PATIENCE):
        if step % report == 0:
            lost, lines = beaten(batch, values)
            curve.append((step * GAMES, lost / lines))
            print(f"{step * GAMES:>9,} moves: {lost:>4} of {lines} lines of perfect win", file=sys.stderr, flush=True)
            if lost == 0:
                return values, curve
        state = improve(batch, values, state, explore=0.3, generator=generator)
    raise SystemExit("It has not learned enough in that time.")


def improve(batch: Batch, values: Values, state: State, explore: float, generator: np.random.Generator) -> State:
    """A move in every game, and what it teaches."""
    here, turn = state.position, batch.view(state).turn
    chance = batch.random_action(state, seed=int(generator.integers(2**31)), counter=0)
    action = np.where(generator.random(len(here)) < explore, chance, values[here].argmax(axis=1))
    after = batch.step(state, action.astype(np.int32))
    worth = np.where(after.done, after.reward * (1 - 2 * turn), -values[after.position].max(axis=1))
    values[here, action] += RATE * (worth - values[here, action])
    return after


def beaten(batch: Batch, values: Values) -> tuple[int, int]:
    """How many of the lines of play that ``perfect`` may choose it wins against the best values, and how many there are."""
    start = batch.game.begin()
    table, perfect = tables_of(batch.game, start, False).table, sharpest(batch.game, start)
    lost = lines = 0
    for side in (0, 1):
        waiting = [0]
        while waiting:
            state = waiting.pop()
            if table.result[state] != 2:
                lines += 1
                lost += table.result[state] == 2 * side - 1
            elif table.side[state] == side:
                waiting.append(table.successor[state * 9 + int(values[state].argmax())])
            else:
                moves = perfect.ranked[state, : perfect.counts[state]]
                waiting += [table.successor[state * 9 + int(move)] for move in moves]
    return lost, lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.q_learning", description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", type=Path, help="draw the learning curve")
    chosen = parser.parse_args()
    _, curve = learn(chosen.seed)
    print(f"After {curve[-1][0]:,} moves perfect cannot win any more, whoever starts.")
    if chosen.svg:
        across, up = Axis("moves played", 0, curve[-1][0]), Axis("share of the lines that perfect wins", 0, 1)
        chosen.svg.write_text(chart("Q-learning on classic", across, up, [Curve("", curve)]), encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
