"""Symmetries of arrays are those of positions and moves, in every game, layout and library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ninefold.core.errors import Unreadable
from ninefold.core.symmetry import compose, inverse, transform, transform_move
from ninefold.envs.batch import make
from ninefold.envs.grid import action_cells, cell_actions, policy_from_grid, policy_to_grid, to_grid
from ninefold.envs.symmetry import COUNT, symmetries_of
from ninefold.games import rule_sets
from tests.support.batches import library

LAYOUTS = ("boards", "grid")


def seen(game: str, layout: str, positions: list[Any]) -> tuple[Any, Any]:
    """The planes and the legal moves of positions."""
    batch = make(game)
    view = batch.view(batch.state_of(positions))
    return (to_grid(view.observation) if layout == "grid" else view.observation), view.legal


def some_positions(game: str) -> list[Any]:
    batch = make(game)
    return [*batch.positions(batch.rollout(batch.init(12), 5, seed=3).state), *batch.positions(batch.init(1))]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("game", rule_sets())
def test_planes_and_masks_of_a_turned_position_are_turned_planes_and_masks(game: str, layout: str) -> None:
    symmetries, positions = symmetries_of(game, layout), some_positions(game)
    planes, legal = seen(game, layout, positions)
    for symmetry in range(COUNT):
        turned_planes, turned_legal = seen(game, layout, [transform(one, symmetry) for one in positions])
        np.testing.assert_array_equal(symmetries.planes(planes, symmetry), turned_planes)
        np.testing.assert_array_equal(symmetries.mask(legal, symmetry), turned_legal)


@pytest.mark.parametrize("game", rule_sets())
def test_the_policy_of_an_action_goes_where_the_action_goes(game: str) -> None:
    symmetries = symmetries_of(game)
    count = symmetries.policy(np.eye(make(game).actions), 0).shape[0]
    for symmetry in range(COUNT):
        goes = symmetries.actions(np.arange(count), symmetry)
        assert goes.tolist() == [transform_move(symmetries.game, move, symmetry) for move in range(count)]
        one_hot = symmetries.policy(np.eye(count), symmetry)
        np.testing.assert_array_equal(one_hot.argmax(axis=1), goes)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("game", rule_sets())
def test_symmetries_of_arrays_obey_the_laws_of_the_group(game: str, layout: str) -> None:
    symmetries, random = symmetries_of(game, layout), np.random.default_rng(1)
    planes, policy = random.random((3, *make(game).observation_shape)), random.random((3, make(game).actions))
    for one in range(COUNT):
        back = symmetries.planes(symmetries.planes(planes, one), inverse(one))
        np.testing.assert_array_equal(back, planes)
        for other in range(COUNT):
            both = compose(one, other)
            turned = symmetries.planes(symmetries.planes(planes, one), other)
            np.testing.assert_array_equal(turned, symmetries.planes(planes, both))
            np.testing.assert_array_equal(
                symmetries.policy(symmetries.policy(policy, one), other), symmetries.policy(policy, both)
            )


@pytest.mark.parametrize("name", ["numpy", "jax.numpy", pytest.param("torch", marks=pytest.mark.learning)])
@pytest.mark.parametrize("game", rule_sets())
def test_every_sample_may_have_a_symmetry_of_its_own(game: str, name: str) -> None:
    xp, symmetries, random = library(name), symmetries_of(game), np.random.default_rng(1)
    planes, policy = random.random((8, *make(game).observation_shape)), random.random((8, make(game).actions))
    which, actions = xp.asarray(np.arange(8, dtype=np.int32)), xp.asarray(np.arange(8, dtype=np.int32))
    turned = symmetries.planes(xp.asarray(planes), which), symmetries.policy(xp.asarray(policy), which)
    goes = symmetries.actions(actions, which)
    for number in range(COUNT):
        np.testing.assert_allclose(turned[0][number], symmetries.planes(planes[number], number), rtol=1e-6)
        np.testing.assert_allclose(turned[1][number], symmetries.policy(policy[number], number), rtol=1e-6)
        assert goes[number] == transform_move(symmetries.game, number, number)


def test_jax_traces_symmetries() -> None:
    import jax

    symmetries, planes = symmetries_of("ultimate"), np.random.default_rng(1).random((8, 9, 9, 5)).astype(np.float32)
    turn = jax.jit(jax.vmap(symmetries.planes))
    turned = turn(jax.numpy.asarray(planes), jax.numpy.arange(8))
    for number in range(COUNT):
        np.testing.assert_array_equal(turned[number], symmetries.planes(planes[number], number))


@pytest.mark.parametrize("game", rule_sets())
def test_the_grid_shows_a_mark_where_its_action_places_it(game: str) -> None:
    batch = make(game, resets=False)
    rows, columns = action_cells(batch.game).T
    for action in range(batch.actions):
        state = batch.init(1)
        if not batch.view(state).legal[0, action]:
            continue
        marks = to_grid(batch.view(batch.step(state, np.array([action]))).observation)[0, ..., 1]
        assert np.argwhere(marks).tolist() == [[rows[action], columns[action]]]
        assert cell_actions(batch.game)[rows[action], columns[action]] == action


def test_the_grid_of_a_policy_is_read_back() -> None:
    policy = np.random.default_rng(1).random((2, 3, 81))
    np.testing.assert_array_equal(policy_from_grid(policy_to_grid(policy)), policy)
    planes = np.random.default_rng(1).random((4, 9, 9, 5))
    np.testing.assert_array_equal(to_grid(to_grid(planes)), planes)
    assert to_grid(planes[:, :3, :3]).shape == (4, 3, 3, 5)  # of a game on nine cells it is the same


@pytest.mark.learning
def test_tables_are_where_the_arrays_are() -> None:
    torch = library("torch")
    symmetries, which = symmetries_of("ultimate"), torch.arange(8)
    planes, policy = torch.zeros((8, 9, 9, 5), device="meta"), torch.zeros((8, 81), device="meta")
    for symmetry in (3, which, which.to("meta")):
        assert symmetries.planes(planes, symmetry).device.type == "meta"
        assert symmetries.policy(policy, symmetry).device.type == "meta"
        assert symmetries.actions(torch.zeros(8, dtype=torch.int32, device="meta"), symmetry).device.type == "meta"


@pytest.mark.parametrize("wrong", [8, -1])
def test_a_number_that_is_no_symmetry_is_refused(wrong: int) -> None:
    symmetries = symmetries_of("classic")
    for transformed in (symmetries.policy, symmetries.actions):
        with pytest.raises(Unreadable, match=f"{wrong}"):
            transformed(np.arange(9), wrong)


@pytest.mark.parametrize("name", ["numpy", "jax.numpy"])
def test_arrays_of_another_shape_are_refused(name: str) -> None:
    """JAX would take the last number for those that are missing."""
    xp, symmetries = library(name), symmetries_of("ultimate")
    for wrong in (80, 82):
        with pytest.raises(ValueError, match=rf"A policy of ultimate has the shape \(..., 81\), not \({wrong},\)"):
            symmetries.policy(xp.zeros(wrong), 1)
    for shape in ((3, 3, 3), (9, 9)):
        with pytest.raises(ValueError, match=r"Planes of ultimate have the shape \(..., 9, 9, planes\), not"):
            symmetries.planes(xp.zeros(shape), 1)
    with pytest.raises(ValueError, match=r"the shape \(..., 81\), not \(9,\)"):
        policy_to_grid(xp.zeros(9))
    with pytest.raises(ValueError, match=r"the shape \(..., 9, 9\), not \(3, 3\)"):
        policy_from_grid(xp.zeros((3, 3)))


def test_numbers_outside_their_range_are_refused() -> None:
    """NumPy would count negative ones from the end."""
    symmetries = symmetries_of("classic")
    for wrong in (9, -1):
        with pytest.raises(IndexError, match=f"actions must be numbers from 0 to 8, not {wrong}"):
            symmetries.actions(np.array([0, wrong]), 1)
        with pytest.raises(IndexError, match=f"The moves of classic are 0 to 8, not {wrong}"):
            transform_move(symmetries.game, wrong, 1)
        with pytest.raises(IndexError, match=f"symmetry must be numbers from 0 to 7, not {wrong}"):
            symmetries.policy(np.zeros((2, 9)), np.array([0, wrong]))
        with pytest.raises(Unreadable, match=f"There is no symmetry .*{wrong}"):
            symmetries.policy(np.zeros(9), np.int64(wrong))
    with pytest.raises(TypeError, match="actions must be an array of integers, not float64"):
        symmetries.actions(np.zeros(2), 1)
    with pytest.raises(TypeError, match="policy must be an array of NumPy, JAX or PyTorch"):
        symmetries.policy([0] * 9, 1)


def test_numbers_of_numpy_and_lists_are_symmetries() -> None:
    symmetries, policies = symmetries_of("classic"), np.arange(18).reshape(2, 9)
    one: Any = np.int64(1)
    np.testing.assert_array_equal(symmetries.policy(policies, np.int64(3)), symmetries.policy(policies, 3))
    np.testing.assert_array_equal(symmetries.policy(policies, [1, 2]), symmetries.policy(policies, np.array([1, 2])))
    assert transform_move(symmetries.game, 0, one) == 2


def test_what_is_no_position_and_no_game_is_not_turned() -> None:
    wrong: Any = "X"
    with pytest.raises(TypeError, match=r"A position is what game.begin\(\) and game.parse\(text\) return, not 'X'"):
        transform(wrong, 1)
    with pytest.raises(TypeError, match="game must be what find_game"):
        transform_move(wrong, 0, 1)
