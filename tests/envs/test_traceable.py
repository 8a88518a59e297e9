"""The cores of array operations: equal to the native core, traced by JAX or not, for one game or for many.

``make cores`` compares a million steps of every rule set.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ninefold.analysis import engine
from ninefold.core.errors import NotAllowed
from ninefold.envs.batch import BatchState, make
from tests.support.batches import ALL_RULES, BIG, GAMES, RULES, after, array_batch, compared, int32, library, same

MILLION = 10_000, 100  # games and steps


@pytest.mark.parametrize("resets", [True, False])
@pytest.mark.parametrize(("game", "options"), RULES)
def test_array_operations_take_the_steps_of_the_native_core(game: str, options: dict[str, str], resets: bool) -> None:
    ours, theirs = (of(game, resets=resets, options=options) for of in (make, array_batch))
    assert compared(ours, theirs, games=150, steps=80) >= 150


@pytest.mark.parametrize(("game", "options", "resets"), [(*RULES[1], True), (*RULES[2], False)])
def test_they_are_those_of_the_array_api_standard(game: str, options: dict[str, str], resets: bool) -> None:
    theirs = array_batch(game, library("array_api_strict"), resets=resets, options=options)
    assert compared(make(game, resets=resets, options=options), theirs, games=60, steps=70) >= 60


@pytest.mark.parametrize(("game", "options", "resets"), [(*RULES[1], True), (*RULES[2], False)])
def test_jax_compiles_the_steps_of_the_native_core(game: str, options: dict[str, str], resets: bool) -> None:
    theirs = make(game, library("jax.numpy"), resets=resets, options=options)
    ours = make(game, resets=resets, options=options)
    assert compared(ours, theirs, games=150, steps=80, compiled=library("jax").jit) >= 150


@pytest.mark.parametrize("game", GAMES)
def test_steps_are_the_same_where_jax_has_64_bits(game: str) -> None:
    jax = library("jax")
    with jax.enable_x64(True):
        assert jax.numpy.arange(1).dtype == np.int64
        assert compared(make(game), make(game, jax.numpy), games=40, steps=40, compiled=jax.jit) >= 10


@pytest.mark.exhaustive
@pytest.mark.parametrize("resets", [True, False])
@pytest.mark.parametrize(("game", "options"), ALL_RULES)
@pytest.mark.parametrize("name", ["numpy", "array_api_strict", "jax.numpy"])
def test_a_million_steps_of_every_core_are_those_of_the_native_core(
    name: str, game: str, options: dict[str, str], resets: bool
) -> None:
    ours = make(game, resets=resets, options=options)
    if name == "jax.numpy":
        theirs = make(game, library(name), resets=resets, options=options)
        assert compared(ours, theirs, *MILLION, compiled=library("jax").jit) >= 10_000
    else:
        assert compared(ours, array_batch(game, library(name), resets=resets, options=options), *MILLION) >= 10_000


@pytest.mark.parametrize("game", GAMES)
def test_a_game_can_be_stepped_without_an_axis_for_games(game: str) -> None:
    batch = make(game)
    many = after(batch, 7, 30)
    one = BatchState(*(np.asarray(array[3, ...]) for array in many))
    expected = batch.random_step(many, seed=1, counter=2)
    action = batch.random_action(one, seed=1, counter=2, first=3)
    stepped = batch.step(one, action)
    same(stepped, tuple(np.asarray(array[3]) for array in expected))
    same(stepped, batch.random_step(one, seed=1, counter=2, first=3))
    same(batch.view(stepped), tuple(np.asarray(array[3]) for array in batch.view(expected)))
    rollout, rollouts = batch.rollout(one, 90, seed=1, first=3), batch.rollout(many, 90, seed=1)
    same((rollout.ended, rollout.score), (np.asarray(rollouts.ended[3]), np.asarray(rollouts.score[3])))


@pytest.mark.parametrize("game", GAMES)
def test_vmap_steps_games_that_have_no_axis_for_games(game: str) -> None:
    jax = library("jax")
    batch, ours = make(game, jax.numpy), make(game)
    before = after(ours, 40, 20)
    state = BatchState(*map(jax.numpy.asarray, before))

    def one(state: BatchState, number: Any) -> Any:
        action = batch.random_action(state, seed=1, counter=1, first=number)
        stepped = batch.step(state, action)
        return action, *stepped, *batch.view(stepped)

    action = ours.random_action(before, seed=1, counter=1)
    expected = ours.step(before, action)
    same((action, *expected, *ours.view(expected)), jax.jit(jax.vmap(one))(state, jax.numpy.arange(40)))


@pytest.mark.parametrize("game", ["classic", "ultimate"])
def test_a_rollout_of_jax_is_a_scan(game: str) -> None:
    jax = library("jax")
    batch, ours = make(game, jax.numpy), make(game)

    def roll(state: BatchState) -> Any:
        return batch.rollout(state, 90, seed=4, counter=5)

    assert str(jax.make_jaxpr(roll)(batch.init(30))).count("scan[") == 1
    rollout, expected = jax.jit(roll)(batch.init(30)), ours.rollout(ours.init(30), 90, seed=4, counter=5)
    same((*rollout.state, rollout.ended, rollout.score), (*expected.state, expected.ended, expected.score))


def test_a_rollout_is_compiled_once_for_all_seeds_counters_and_numbers() -> None:
    jax = library("jax")
    batch, ours = make("classic", jax.numpy), make("classic")
    for seed, counter, first in ((1, 0, 0), (2, 7, -5), (2**40, 2**31 - 2, 3)):
        rollout = batch.rollout(batch.init(9), 12, seed=seed, counter=counter, first=first)
        expected = ours.rollout(ours.init(9), 12, seed=seed, counter=counter, first=first)
        same((*rollout.state, rollout.ended, rollout.score), (*expected.state, expected.ended, expected.score))
    core: Any = batch._core
    assert core._rollout._compiled._cache_size() == 1


def test_a_state_of_one_game_has_the_shapes_of_one_game() -> None:
    batch = make("ultimate")
    one = BatchState(*(np.asarray(array[0, ...]) for array in batch.init(1)))
    with pytest.raises(ValueError, match=r"state.mask: the shape for one game, .* is \(3,\), not \(1, 3\)"):
        batch.view(one._replace(mask=one.mask[None]))
    with pytest.raises(ValueError, match=r"action: the shape for one game, as done has it, is \(\), not \(1,\)"):
        batch.step(one, int32([4]))


@pytest.mark.parametrize("game", BIG)
def test_without_a_native_core_the_big_games_are_stepped_in_arrays(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = make(game)

    def missing(*_: object) -> None:
        raise NotAllowed("no_engine")

    monkeypatch.setattr(engine, "big_batch", missing)
    same(after(make(game), 20, 12), after(ours, 20, 12))
