"""What pgx does in the same terms as ours: classic, all games at once, the same actions."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def replay(actions: Any) -> Callable[[], int]:
    """Compiles a run through actions, step by step and game by game, and gives it. Games that have ended stay so, which
    is faster than pgx's automatic reset."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # a GPU is shared with the others
    import jax
    import pgx

    env = pgx.make("tic_tac_toe")
    steps, games = actions.shape
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    step = jax.vmap(env.step)

    @jax.jit
    def through(state: Any, actions: Any) -> Any:
        return jax.lax.scan(lambda state, action: (step(state, action), None), state, actions)[0]

    placed = jax.numpy.asarray(actions)
    end = through(start, placed)
    assert bool(end.terminated.all()), "In nine steps every game ends."

    def run() -> int:
        jax.block_until_ready(through(start, placed))
        return steps * games

    return run
