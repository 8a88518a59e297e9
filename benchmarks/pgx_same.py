"""That a batch of classic gives what pgx gives: the same games through both, with illegal moves among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks import pgx_steps
from benchmarks.report import Row, Section
from ninefold.envs.batch import BatchView, make

GAMES, STEPS = 1000, 200


def sameness() -> Iterator[Row]:
    batch, generator = make("classic"), np.random.default_rng(1)
    jax, step, theirs = pgx_steps.begun(GAMES)
    step = jax.jit(step)
    state, keys = batch.init(GAMES), jax.random.split(jax.random.PRNGKey(1), (STEPS, GAMES))
    view, ends = batch.view(state), 0
    for key in keys:
        same_sight(view, theirs)
        action = generator.integers(9, size=GAMES, dtype=np.int32)
        state, after = batch.step(state, action), step(theirs, action, key)
        seen = batch.view(state)
        same_end(seen, view.turn, after, theirs.current_player)
        view, theirs, ends = seen, after, ends + int(state.done.sum())
    yield Row("classic", f"{ends:,} games", f"{STEPS * GAMES:,} steps", "equal")


def same_sight(ours: BatchView, theirs: Any) -> None:
    """What the side to move sees, and may do. Our third plane is its legal moves once more."""
    np.testing.assert_array_equal(ours.observation[..., :2], theirs.observation)
    np.testing.assert_array_equal(ours.legal, theirs.legal_action_mask)


def same_end(ours: BatchView, turn: Any, theirs: Any, player: Any) -> None:
    """Whether it is over, and what they get: who has moved and the other. There, who is X is tossed for every game."""
    games = np.arange(GAMES)
    np.testing.assert_array_equal(ours.done, theirs.terminated)
    for mover, moved in ((turn, player), (1 - turn, 1 - player)):
        np.testing.assert_array_equal(ours.rewards[games, mover], np.asarray(theirs.rewards)[games, np.asarray(moved)])


SECTION = Section(
    "The same as pgx",
    "Classic through pgx and through Ninefold, with random moves, legal or not: after every step the planes of marks,\n"
    "the legal moves, the ends, and the rewards of both players are the same.",
    sameness,
    ("what", "games", "steps", "result"),
)
