"""The rules of the big games in arrays: equal to the native core, traced by JAX or not, for one game or for many."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ninefold.analysis import engine
from ninefold.core.errors import NotAllowed
from ninefold.envs.batch import Batch, BatchState, make
from tests.support.batches import BIG, GAMES, after, array_batch, int32, library, same

RULES = [
    ("squared", {}),
    ("squared", {"first": "O", "tie_break": "boards"}),
    ("ultimate", {}),
    ("ultimate", {"first": "O", "tie_break": "boards"}),
]


def compared(ours: Batch, theirs: Batch, games: int, steps: int) -> int:
    """Steps of both, with illegal actions among them: every array is equal. Returns how many games ended."""
    generator, ended = np.random.default_rng(1), 0
    one, two = ours.init(games), theirs.init(games)
    for counter in range(steps):
        action = ours.random_action(one, seed=3, counter=counter)
        same((action,), (theirs.random_action(two, seed=3, counter=counter),))
        if counter % 3 == 2:
            wild = generator.integers(0, games, 1 + games // 50)
            action[wild] = generator.integers(-2, ours.actions + 2, len(wild))
            one, two = ours.step(one, action), theirs.step(two, theirs.library.asarray(action))
        else:
            one, two = (batch.random_step(at, seed=3, counter=counter) for batch, at in ((ours, one), (theirs, two)))
        same((*one, *ours.view(one)), (*two, *theirs.view(two)))
        ended += int(one.done.sum())
    return ended


@pytest.mark.parametrize("resets", [True, False])
@pytest.mark.parametrize(("game", "options"), RULES)
@pytest.mark.parametrize("name", ["numpy", "array_api_strict"])
def test_array_operations_take_the_steps_of_the_native_core(
    game: str, options: dict[str, str], resets: bool, name: str
) -> None:
    ours = make(game, resets=resets, options=options)
    theirs = array_batch(game, library(name), resets=resets, options=options)
    assert compared(ours, theirs, games=120, steps=85) >= 100


class Jitted:
    """A batch whose every function is compiled by JAX."""

    def __init__(self, batch: Batch) -> None:
        import jax

        self._batch = batch
        self.init, self.library = batch.init, batch.library
        self.step, self.view = jax.jit(batch.step), jax.jit(batch.view)
        self.random_action = jax.jit(batch.random_action)
        self.random_step = jax.jit(batch.random_step)


@pytest.mark.parametrize(("game", "options", "resets"), [(*RULES[1], True), (*RULES[2], False)])
def test_jax_compiles_the_steps_of_the_native_core(game: str, options: dict[str, str], resets: bool) -> None:
    theirs: Any = Jitted(make(game, library("jax.numpy"), resets=resets, options=options))
    assert compared(make(game, resets=resets, options=options), theirs, games=150, steps=80) >= 100


@pytest.mark.parametrize("game", GAMES)
def test_a_game_can_be_stepped_without_an_axis_for_games(game: str) -> None:
    jax = library("jax")
    for kind in (np, jax.numpy):
        batch = make(game, kind)
        many = after(batch, 7, 30)
        one = BatchState(*(array[3, ...] for array in many)) if kind is np else jax.tree.map(lambda a: a[3], many)
        if kind is np:
            one = BatchState(*(np.asarray(array) for array in one))
        action = batch.random_action(one, seed=1, counter=2, first=3)
        assert action.shape == ()
        same((action,), (np.asarray(batch.random_action(many, seed=1, counter=2)[3]),))
        stepped = batch.step(one, action)
        same(stepped, batch.random_step(one, seed=1, counter=2, first=3))
        expected = batch.random_step(many, seed=1, counter=2)
        same(stepped, tuple(np.asarray(array[3]) for array in expected))
        same(batch.view(stepped), tuple(np.asarray(array[3]) for array in batch.view(expected)))
        rollout, rollouts = batch.rollout(one, 9, seed=1, first=3), batch.rollout(many, 9, seed=1)
        same((rollout.ended, rollout.score), (np.asarray(rollouts.ended[3]), np.asarray(rollouts.score[3])))


@pytest.mark.parametrize("game", GAMES)
def test_vmap_steps_games_that_have_no_axis_for_games(game: str) -> None:
    jax = library("jax")
    batch = make(game, jax.numpy)
    state = after(batch, 40, 20)
    action = batch.random_action(state, seed=1, counter=1)
    same(batch.step(state, action), jax.vmap(batch.step)(state, action))
    same(batch.view(state), jax.vmap(batch.view)(state))
    draw = jax.vmap(lambda one, first: batch.random_action(one, seed=1, counter=1, first=first))
    same((action,), (draw(state, jax.numpy.arange(40)),))


@pytest.mark.parametrize("game", GAMES)
def test_a_rollout_of_jax_is_one_loop_whatever_its_length(game: str) -> None:
    jax = library("jax")
    batch, ours = make(game, jax.numpy), make(game)

    def roll(state: BatchState, steps: int) -> Any:
        return batch.rollout(state, steps, seed=4, counter=5)

    traced = [jax.make_jaxpr(roll, static_argnums=1)(batch.init(3), steps) for steps in (10, 1000)]
    assert [len(str(jaxpr)) for jaxpr in traced] == [pytest.approx(len(str(traced[0])), abs=20)] * 2
    rollout, expected = (
        jax.jit(roll, static_argnums=1)(batch.init(30), 90),
        ours.rollout(ours.init(30), 90, seed=4, counter=5),
    )
    same((*rollout.state, rollout.ended, rollout.score), (*expected.state, expected.ended, expected.score))


def test_a_state_of_one_game_has_the_shapes_of_one_game() -> None:
    batch = make("ultimate")
    one = BatchState(*(np.asarray(array[0, ...]) for array in batch.init(1)))
    with pytest.raises(
        ValueError, match=r"state.mask: the shape for one game, as done has it, is \(3,\), not \(1, 3\)"
    ):
        batch.view(one._replace(mask=one.mask[None]))
    with pytest.raises(ValueError, match=r"action: the shape for one game, as done has it, is \(\), not \(1,\)"):
        batch.step(one, int32([4]))


@pytest.mark.parametrize("game", BIG)
def test_without_a_native_core_the_big_games_are_stepped_in_arrays(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = make(game)

    def missing(*_: object) -> ModuleType:
        raise NotAllowed("no_native")

    monkeypatch.setattr(engine, "big_batch", missing)
    for kind in (np, library("jax.numpy")):
        batch = make(game, kind)
        same(after(batch, 20, 12), after(ours, 20, 12))
