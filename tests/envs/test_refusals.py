"""What a batch does not take, and the sentence it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ninefold.analysis import engine
from ninefold.core.errors import Unreadable
from ninefold.envs.batch import Batch, BatchState, make
from tests.support.batches import GAMES, LIBRARIES, int32, library


@pytest.fixture(params=["classic", "ultimate"])
def batch(request: pytest.FixtureRequest) -> Any:
    return make(request.param)


@pytest.mark.parametrize(
    ("action", "error", "sentence"),
    [
        (np.zeros(3, np.int32), ValueError, r"action: the shape for 4 games is \(4,\), not \(3,\)"),
        (np.zeros((4, 1), np.int32), ValueError, r"not \(4, 1\)"),
        (np.zeros(4, np.float32), TypeError, "action must be an array of integers, one for each game, not float32"),
        (np.zeros(4, np.bool_), TypeError, "not bool"),
        ([0, 0, 0, 0], TypeError, "this batch has arrays of numpy, not a builtins.list"),
        (0, TypeError, "not a builtins.int"),
    ],
)
def test_actions_of_a_wrong_shape_or_type_are_refused(batch: Any, action: Any, error: type, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        batch.step(batch.init(4), action)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64])
def test_actions_may_be_of_any_integer_type(batch: Any, dtype: type) -> None:
    expected = batch.step(batch.init(2), int32([4, 8]))
    state = batch.step(batch.init(2), np.array([4, 8], dtype))
    np.testing.assert_array_equal(state.position, expected.position)
    assert not state.done.any()


def test_states_of_a_wrong_shape_or_type_are_refused(batch: Any) -> None:
    state, action = batch.init(4), np.zeros(4, np.int32)
    wrong = {
        "position": (state.position[:3], ValueError, "state.position: the shape for 4 games"),
        "mask": (state.mask.astype(np.int64), TypeError, "state.mask must be int32, not int64"),
        "reward": (state.reward[:, None], ValueError, "state.reward"),
        "done": (True, TypeError, "state.done"),
    }
    for name, (array, error, sentence) in wrong.items():
        with pytest.raises(error, match=sentence):
            batch.step(state._replace(**{name: array}), action)
    with pytest.raises(ValueError, match=r"out.position must be .* of the type int32 and the shape \(4,"):
        batch.step(state, action, out=batch.init(3))
    with pytest.raises(TypeError, match="out must be a BatchState, not a tuple"):
        batch.random_step(state, seed=1, counter=1, out=tuple(state))


@pytest.mark.parametrize("name", ["numpy", *LIBRARIES])
@pytest.mark.parametrize("number", [1.5, "1", None, True])
def test_numbers_that_are_no_integers_are_refused(name: str, number: Any) -> None:
    batch = make("classic", library(name))
    state = batch.init(2)
    uses: dict[str, Callable[[], object]] = {
        "count": lambda: batch.init(number),
        "seed": lambda: batch.random_action(state, seed=number, counter=1),
        "counter": lambda: batch.random_step(state, seed=1, counter=number),
        "first": lambda: batch.rollout(state, 1, seed=1, first=number),
        "steps": lambda: batch.rollout(state, number, seed=1),
        "threads": lambda: make("classic", library(name), threads=number),
    }
    for what, use in uses.items():
        with pytest.raises(TypeError, match=f"{what} must be an integer, not {number!r}."):
            use()


@pytest.mark.parametrize("name", ["numpy", *LIBRARIES])
def test_a_counter_is_one_integer(name: str) -> None:
    batch = make("classic", library(name))
    for counter in ([1, 2], 0.5):
        with pytest.raises(TypeError, match="counter must be"):
            batch.random_action(batch.init(2), seed=1, counter=batch.library.asarray(counter))


@pytest.mark.parametrize("name", LIBRARIES)
def test_arrays_of_another_library_are_refused(name: str) -> None:
    theirs, ours = make("classic", library(name)), make("classic")
    with pytest.raises(TypeError, match="this batch has arrays of"):
        theirs.step(theirs.init(2), np.zeros(2, np.int32))
    with pytest.raises(TypeError, match="this batch has arrays of numpy"):
        ours.view(theirs.init(2))


def test_arrays_on_another_device_are_refused() -> None:
    strict = library("array_api_strict")
    here, there = (make("classic", strict, device=strict.Device(name)) for name in ("CPU_DEVICE", "device1"))
    with pytest.raises(ValueError, match=r"is on array_api_strict\.Device.*, but the batch is on"):
        here.step(there.init(1), strict.asarray([1]))
    assert there.random_step(there.init(3), seed=1, counter=1).position.device == strict.Device("device1")


USES: dict[str, Callable[[Batch, BatchState], object]] = {
    "step": lambda batch, state: batch.step(state, np.zeros(40, np.int32)),
    "random_action": lambda batch, state: batch.random_action(state, seed=1, counter=1),
    "random_step": lambda batch, state: batch.random_step(state, seed=1, counter=1),
    "rollout": lambda batch, state: batch.rollout(state, 5, seed=1),
    "view": lambda batch, state: batch.view(state),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("game", GAMES)
def test_positions_that_no_game_has_are_refused_before_they_do_harm(game: str, use: str) -> None:
    batch = make(game)
    for seed in range(20):
        generator = np.random.default_rng(seed)
        start = batch.init(40)
        position = generator.integers(-(2**31), 2**31, start.position.shape, np.int32)
        mask = generator.integers(-(2**31), 2**31, start.mask.shape, np.int32)
        with pytest.raises(ValueError, match="not positions of this game"):
            USES[use](batch, BatchState(position, mask, start.reward, start.done))


@pytest.mark.parametrize("game", GAMES)
def test_masks_that_do_not_fit_do_no_harm(game: str) -> None:
    batch = make(game)
    state = batch.init(40)
    for seed in range(20):
        wild = np.random.default_rng(seed).integers(-(2**31), 2**31, state.mask.shape, np.int32)
        state = batch.random_step(state._replace(mask=wild), seed=seed, counter=1)
    batch.view(state)


def test_the_native_core_writes_into_arrays_that_fit_and_into_no_others() -> None:
    batch = make("classic")
    state, action = batch.init(8), np.zeros(8, np.int32)
    with pytest.raises(ValueError, match=r"out.position must be a writable, contiguous array"):
        batch.step(state, action, out=BatchState(*(np.zeros((16, *a.shape[1:]), a.dtype)[::2] for a in state)))
    frozen = BatchState(*(array.copy() for array in state))
    frozen.done.flags.writeable = False
    with pytest.raises(ValueError, match=r"out.done must be a writable, contiguous array"):
        batch.step(state, action, out=frozen)
    kernels = engine.big_batch(True, False, 0, True, 1)
    with pytest.raises(ValueError, match="do not fit"):
        kernels.step(state.position, state.mask, action, *state)


def test_a_batch_has_games_and_a_rollout_steps() -> None:
    batch = make("classic")
    for count in (0, -1):
        with pytest.raises(ValueError, match="at least one game"):
            batch.init(count)
    with pytest.raises(ValueError, match="at least one game"):
        batch.state_of([])
    with pytest.raises(ValueError, match="at least one step"):
        batch.rollout(batch.init(1), 0, seed=1)
    with pytest.raises(ValueError, match=r"fewer than 2\*\*31, not 2147483648"):
        batch.rollout(batch.init(1), 2**31, seed=1)
    for threads in (0, 10**20):
        with pytest.raises(ValueError, match=f"1 to 256 threads, not {threads}"):
            make("classic", threads=threads)
    with pytest.raises(TypeError, match="resets must be True or False, not 'no'"):
        make("classic", resets="no")  # type: ignore[arg-type]


def test_libraries_and_devices_that_are_not_there_are_refused() -> None:
    for wrong, name in (("numpy", "'numpy'"), (library("jax"), "'jax'"), (None, "None")):
        with pytest.raises(TypeError, match=f"such as numpy, torch or jax.numpy, not {name}."):
            make("classic", wrong)  # type: ignore[arg-type]
    for game in GAMES:
        with pytest.raises(
            ValueError, match=r"numpy has no device 'cuda'. A device is named as its library names it: 'cpu'"
        ):
            make(game, device="cuda")
        with pytest.raises(ValueError, match=r"jax.numpy has no device 'cpu'.* jax.devices\('cpu'\)\[0\] in JAX."):
            make(game, library("jax.numpy"), device="cpu")
        assert make(game, library("jax.numpy"), device=library("jax").devices("cpu")[0]).init(2).done.shape == (2,)
        assert make(game, device="cpu").init(2).done.shape == (2,)


def test_games_that_are_not_there_are_refused() -> None:
    with pytest.raises(Unreadable, match="There is no game"):
        make("chess")
    with pytest.raises(Unreadable, match="Environments play without early_draw"):
        make("classic", options={"early_draw": "yes"})


def test_views_given_back_must_fit() -> None:
    batch = make("classic")
    with pytest.raises(ValueError, match=r"out.observation must be .* the shape \(3, 3, 3, 3\)"):
        batch.view(batch.init(3), out=batch.view(batch.init(2)))
    for wrong in (np.zeros(2, np.bool_), np.zeros(3, np.bool_).tolist()):
        with pytest.raises(ValueError, match=r"out.done must be .* of the type bool"):
            batch.view(batch.init(3), out=batch.view(batch.init(3))._replace(done=wrong))
    with pytest.raises(TypeError, match="out must be a BatchView, not a BatchState"):
        batch.view(batch.init(3), out=batch.init(3))  # type: ignore[arg-type]


def test_tables_that_lead_nowhere_are_refused() -> None:
    transitions, masks = np.full((2, 3), 7, np.int32), np.zeros((2, 1), np.int32)
    planes, turn = np.zeros((2, 3), np.bool_), np.zeros(2, np.int8)
    with pytest.raises(ValueError, match="leads to a state that does not exist"):
        engine.table_batch(transitions, masks, planes, turn, 1)
    with pytest.raises(ValueError, match="1 to 37 moves"):
        engine.table_batch(np.zeros((2, 40), np.int32), masks, planes, turn, 1)
