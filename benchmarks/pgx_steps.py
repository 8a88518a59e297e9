"""What pgx does in the same terms as ours: classic, all games at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any


def random_play(games: int, steps: int) -> Callable[[], int]:
    """Compiles random play with automatic reset, as pgx measures itself, and gives a run of so many steps."""
    jax, step, state = begun(games)
    from pgx.experimental.utils import act_randomly

    def wander(state: Any, key: Any) -> Any:
        for_moves, for_resets = jax.random.split(key)
        moves = act_randomly(for_moves, state.legal_action_mask)
        return step(state, moves, jax.random.split(for_resets, games))

    keys = jax.random.split(jax.random.PRNGKey(1), steps)
    return _through(jax, jax.jit(wander), state, [(key,) for key in keys])


def replay(actions: Any) -> Callable[[], int]:
    """The same through actions that are given, step by step and game by game, with all keys drawn before."""
    jax, step, state = begun(actions.shape[1])
    keys = jax.random.split(jax.random.PRNGKey(1), actions.shape)
    return _through(jax, jax.jit(step), state, list(zip(jax.numpy.asarray(actions), keys, strict=True)))


def random_scan(games: int, steps: int) -> Callable[[], int]:
    """The same random play in one scan, as its users compile it."""
    jax, step, state = begun(games)
    from pgx.experimental.utils import act_randomly

    def wander(state: Any, key: Any) -> Any:
        for_moves, for_resets = jax.random.split(key)
        moves = act_randomly(for_moves, state.legal_action_mask)
        return step(state, moves, jax.random.split(for_resets, games)), None

    return _scan(jax, wander, state, jax.random.split(jax.random.PRNGKey(1), steps), steps)


def scan_of(actions: Any) -> Callable[[], int]:
    """Actions that are given, in one scan, with all keys drawn before."""
    jax, step, state = begun(actions.shape[1])
    keys = jax.random.split(jax.random.PRNGKey(1), actions.shape)
    over = jax.numpy.asarray(actions), keys
    return _scan(jax, lambda state, given: (step(state, *given), None), state, over, len(actions))


def _scan(jax: Any, advance: Any, start: Any, over: Any, steps: int) -> Callable[[], int]:
    play = jax.jit(lambda state, over: jax.lax.scan(advance, state, over)[0])

    def run() -> int:
        jax.block_until_ready(play(start, over))
        return steps * len(start.terminated)

    run()
    return run


def begun(games: int) -> tuple[Any, Any, Any]:
    """JAX, a step of classic, and so many games at their start."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # a GPU is shared with the others
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("tic_tac_toe")
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    return jax, jax.vmap(auto_reset(env.step, env.init)), start


def _through(jax: Any, step: Callable[..., Any], start: Any, given: Sequence[tuple[Any, ...]]) -> Callable[[], int]:
    def run() -> int:
        state = start
        for arguments in given:
            state = step(state, *arguments)
        jax.block_until_ready(state)
        return len(given) * len(start.terminated)

    run()
    return run
