"""Many games at once: every library takes the same steps, and they are those of the rules."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from ninefold.core.errors import NotAllowed
from ninefold.core.position import Side
from ninefold.core.state_table import table_of
from ninefold.envs import counter_rng
from ninefold.envs.batch import Batch, BatchState, make
from ninefold.envs.planes import planes_of
from ninefold.games import find_game
from tests.support.batches import BIG, GAMES, LIBRARIES, SMALL, after, array_batch, int32, library, same


def replayed(batch: Batch, games: int, steps: int) -> None:
    """Random steps of a batch beside the Python rules."""
    state = batch.init(games)
    positions = batch.positions(state)
    for counter in range(steps):
        view, action = batch.view(state), batch.random_action(state, seed=3, counter=counter)
        state = batch.step(state, action)
        for game, position in enumerate(positions):
            np.testing.assert_array_equal(view.observation[game], planes_of(batch.game, position))
            assert tuple(np.flatnonzero(view.legal[game])) == position.moves()
            assert view.turn[game] == position.turn
            after = position.play(int(action[game]))
            winner = after.outcome.winner if after.outcome else None
            assert state.done[game] == (after.outcome is not None)
            assert state.reward[game] == {None: 0, Side.X: 1, Side.O: -1}[winner]
            positions[game] = batch.game.begin() if after.outcome else after
        assert batch.positions(state) == positions


@pytest.mark.parametrize("game", GAMES)
def test_steps_and_views_are_those_of_the_rules(game: str) -> None:
    replayed(make(game), games=12, steps=90)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("classic", {"first": "O", "line_ends": "no"}),
        ("swap-nine", {"first": "O"}),
        ("squared", {"first": "O", "tie_break": "boards"}),
        ("ultimate", {"tie_break": "boards"}),
    ],
)
def test_options_of_the_rules_are_kept(game: str, options: dict[str, str]) -> None:
    batch = make(game, options=options)
    state, expected = batch.init(40), [find_game(game).begin(options)] * 40
    for counter in range(70):
        assert batch.positions(state) == expected
        action = batch.random_action(state, seed=1, counter=counter)
        state = batch.step(state, action)
        played = [position.play(int(move)) for position, move in zip(expected, action, strict=True)]
        expected = [find_game(game).begin(options) if position.outcome else position for position in played]


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize("game", GAMES)
def test_every_library_takes_the_same_steps(game: str, name: str) -> None:
    ours, theirs = make(game), make(game, library(name))
    state, other = ours.init(50), theirs.init(50)
    for counter in range(25):
        action = ours.random_action(state, seed=5, counter=counter, first=100)
        same((action,), (theirs.random_action(other, seed=5, counter=counter, first=100),))
        stepped = ours.random_step(state, seed=5, counter=counter, first=100)
        state, other = ours.step(state, action), theirs.random_step(other, seed=5, counter=counter, first=100)
        same((*state, *ours.view(state)), (*other, *theirs.view(other)))
        same(state, stepped)
    one, two = (batch.rollout(at, 30, seed=2) for batch, at in ((ours, state), (theirs, other)))
    same((*one.state, one.ended, one.score), (*two.state, two.ended, two.score))


@pytest.mark.parametrize("resets", [True, False])
@pytest.mark.parametrize("game", SMALL)
def test_the_native_core_walks_the_table_as_plain_numpy_does(game: str, resets: bool) -> None:
    ours, theirs = make(game, resets=resets), array_batch(game, resets=resets)
    state = after(ours, 1500, 3)
    same(state, after(theirs, 1500, 3))
    wild = np.random.default_rng(1).integers(-3, 40, 1500, np.int32)
    same(ours.step(state, wild), theirs.step(state, wild))
    same(ours.view(state), theirs.view(state))


@pytest.mark.parametrize("game", SMALL)
def test_jax_compiles_a_step(game: str) -> None:
    jax = pytest.importorskip("jax")
    batch, ours = make(game, library("jax.numpy")), make(game)
    step = jax.jit(lambda state, counter: batch.random_step(state, seed=5, counter=counter))
    given, look = jax.jit(batch.step), jax.jit(batch.view)
    compiled, state = batch.init(20), ours.init(20)
    for counter in range(12):
        compiled = step(compiled, jax.numpy.int32(counter))
        state = ours.random_step(state, seed=5, counter=counter)
    same(state, compiled)
    same(ours.view(state), look(compiled))
    wild = np.arange(-5, 15, dtype=np.int32)
    same(ours.step(state, wild), given(compiled, jax.numpy.asarray(wild)))


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint32"])
def test_jax_compiles_for_any_seed_and_any_numbers_of_games(dtype: str) -> None:
    jax = pytest.importorskip("jax")
    batch, ours = make("classic", library("jax.numpy")), make("classic")
    draw = jax.jit(lambda seed, first: batch.random_action(batch.init(20), seed=seed, counter=3, first=first))
    for seed, first in ((5, 7), (6, 0), (0, 100)):
        expected = ours.random_action(ours.init(20), seed=seed, counter=3, first=first)
        same((expected,), (draw(jax.numpy.asarray(seed, dtype), jax.numpy.asarray(first, dtype)),))


@pytest.mark.parametrize("game", GAMES)
def test_a_rollout_is_one_random_step_after_the_other(game: str) -> None:
    batch = make(game)
    state = after(batch, 700, 4)
    rollout = batch.rollout(state, 90, seed=6, counter=10, first=3)
    ended, score = np.zeros(700, np.int32), np.zeros(700, np.int32)
    for counter in range(10, 100):
        state = batch.random_step(state, seed=6, counter=counter, first=3)
        ended, score = ended + state.done, score + state.reward
    same((*state, ended.astype(np.int32), score.astype(np.int32)), (*rollout.state, rollout.ended, rollout.score))
    assert ended.min() > 0


@pytest.mark.parametrize("game", GAMES)
def test_threads_change_nothing(game: str) -> None:
    one, four = make(game), make(game, threads=4)
    state, other = after(one, 140_000, 5), after(four, 140_000, 5)
    same(state, other)
    same(one.view(state), four.view(other))


@pytest.mark.parametrize("game", GAMES)
def test_a_step_can_be_written_in_place(game: str) -> None:
    batch = make(game)
    state = after(batch, 1100, 53)
    action = batch.random_action(state, seed=1, counter=1)
    fresh, view = batch.step(state, action), batch.view(batch.step(state, action))
    assert batch.step(state, action, out=state).position is state.position
    same(fresh, state)
    again = batch.view(batch.init(1100))
    assert batch.view(state, out=again) is again
    same(view, again)
    assert view.done.any()


@pytest.mark.parametrize("game", GAMES)
def test_a_view_does_not_change_when_the_state_is_stepped_in_place(game: str) -> None:
    batch = make(game)
    state = batch.init(300)
    view = batch.view(state)
    for counter in range(90):
        batch.random_step(state, seed=1, counter=counter, out=state)
        assert not view.done.any()


@pytest.mark.parametrize("name", LIBRARIES)
def test_other_libraries_write_nothing_in_place(name: str) -> None:
    for game in ("classic", "ultimate"):
        batch = make(game, library(name))
        state = batch.init(2)
        with pytest.raises(ValueError, match="only NumPy batches"):
            batch.random_step(state, seed=1, counter=1, out=state)


@pytest.mark.parametrize("action", [-1, 200, 2**31 - 1, -(2**31), 2**40, -(2**63)])
@pytest.mark.parametrize("game", GAMES)
def test_any_illegal_action_forfeits_the_game(game: str, action: int) -> None:
    # Without the native core too: only there are the actions numbers of arrays, whose bits are shifted.
    for batch in (
        make(game),
        make(game, library("jax.numpy") if -(2**31) <= action < 2**31 else np),
        array_batch(game),
    ):
        kind: Any = batch.library
        wide = kind.int32 if batch.library is not np else kind.int64
        state = batch.step(batch.init(2), kind.asarray([action, 0], dtype=wide))
        assert [int(reward) for reward in state.reward] == [-1, 0]
        assert [bool(done) for done in state.done] == [True, False]
        assert batch.positions(state)[0] == batch.game.begin()


@pytest.mark.parametrize("game", GAMES)
def test_a_taken_cell_forfeits_the_game_of_the_player_who_chose_it(game: str) -> None:
    batch = make(game)
    state = batch.step(batch.init(1), int32([40 if game in BIG else 4]))  # the centre, which sends O to the same board
    assert not state.done[0]
    state = batch.step(state, int32([40 if game in BIG else 4]))
    assert (state.reward[0], state.done[0]) == (1, True)


@pytest.mark.parametrize("game", BIG)
def test_a_free_cell_of_another_board_forfeits_the_game_too(game: str) -> None:
    batch = make(game)
    state = batch.step(batch.step(batch.init(1), int32([40])), int32([0]))
    assert (state.reward[0], state.done[0]) == (1, True)


@pytest.mark.parametrize("game", GAMES)
def test_without_resets_a_game_stays_as_it_ended(game: str) -> None:
    batch = make(game, resets=False)
    state = batch.init(300)
    positions = batch.positions(state)
    for counter in range(81):
        action = batch.random_action(state, seed=2, counter=counter)
        state = batch.step(state, action)
        positions = [
            position if position.outcome else position.play(int(move))
            for position, move in zip(positions, action, strict=True)
        ]
    assert batch.positions(state) == positions
    assert state.done.all()
    assert not state.mask.any()
    assert not batch.step(state, np.zeros(300, np.int32)).reward.any()
    rollout = batch.rollout(batch.init(300), 200, seed=2)
    assert (rollout.ended == 1).all()
    assert not batch.rollout(rollout.state, 5, seed=2).ended.any()
    winners = [position.outcome.winner for position in positions if position.outcome]
    same((rollout.score,), (int32([{None: 0, Side.X: 1, Side.O: -1}[winner] for winner in winners]),))


@pytest.mark.parametrize("game", GAMES)
def test_without_resets_a_forfeited_game_is_over_and_stays_so(game: str) -> None:
    batch = make(game, resets=False)
    state = batch.step(batch.init(1), int32([-5]))
    assert (state.reward[0], state.done[0]) == (-1, True)
    assert not state.mask.any()
    later = batch.step(state, int32([0]))
    same((later.position, later.done), (state.position, state.done))
    assert later.reward[0] == 0
    assert not batch.view(later).legal.any()


@pytest.mark.parametrize("game", SMALL)
def test_numbers_of_no_position_are_no_positions(game: str) -> None:
    batch = make(game)
    state = batch.init(1)
    for number in (-1, -(2**31), 2**31 - 1):
        with pytest.raises(ValueError, match="not positions of this game"):
            batch.positions(state._replace(position=int32([number])))


def test_a_forfeited_small_game_has_no_position() -> None:
    batch = make("classic", resets=False)
    with pytest.raises(NotAllowed, match="forfeited"):
        batch.positions(batch.step(batch.init(1), int32([-5])))


def test_every_legal_move_is_as_likely_as_the_others() -> None:
    for game in GAMES:
        batch = make(game)
        count = 81_000
        legal = batch.view(batch.init(1)).legal[0].sum()
        drawn = np.bincount(batch.random_action(batch.init(count), seed=9, counter=0), minlength=batch.actions)
        expected = count / legal
        assert ((drawn[:legal] - expected) ** 2 / expected).sum() < legal + 6 * (2 * legal) ** 0.5
        assert drawn[legal:].sum() == 0


def test_random_numbers_depend_on_seed_counter_and_game_alone() -> None:
    games = np.arange(4000, dtype=np.int32)
    drawn = counter_rng.random_bits(counter_rng.counter_key(1, 2), games)
    same((counter_rng.random_bits(counter_rng.counter_key(1, 2), games[1000:]),), (drawn[1000:],))
    same((counter_rng.random_bits(counter_rng.counter_key(1, int32([2])), games),), (drawn,))
    for other in (counter_rng.counter_key(1, 3), counter_rng.counter_key(2, 2)):
        assert (counter_rng.random_bits(other, games) == drawn).mean() < 0.01
    assert abs(float(drawn.mean())) < 2**31 * 0.05
    below = counter_rng.random_below(drawn, np.int32(81))
    assert 0 <= below.min() <= below.max() <= 80


@pytest.mark.parametrize("game", ["classic", "ultimate"])
@pytest.mark.parametrize("name", ["numpy", *LIBRARIES])
def test_games_and_steps_are_numbered_by_any_integers(game: str, name: str) -> None:
    """Beyond 32 bits they begin anew, and where they come from does not matter."""
    batch, ours = make(game, library(name)), make(game)
    state, expected = batch.init(9), ours.random_action(ours.init(9), seed=7, counter=3, first=2**31 - 4)
    numbers: list[tuple[Any, Any]] = [(7, 3), (np.int32(7), np.int64(3)), (7 + 2**32, 3 - 2**32)]
    places: list[Any] = [2**31 - 4, 2**31 - 4 - 2**32, np.int64(2**31 - 4)]
    for first in places:
        for seed, counter in (*numbers, (7, batch.library.asarray(3))):
            same((expected,), (batch.random_action(state, seed=seed, counter=counter, first=first),))


def test_the_number_of_a_state_is_its_number_in_the_table() -> None:
    game = find_game("classic")
    state = make("classic").step(make("classic").init(1), int32([4]))
    assert state.position[0] == table_of(game, game.begin()).state(game.begin().play(4))


def test_masks_hold_the_legal_moves_bit_by_bit() -> None:
    for game in GAMES:
        batch = make(game)
        state = after(batch, 30, 6)
        bits = (state.mask[:, :, None] >> np.arange(32)) & 1
        np.testing.assert_array_equal(bits.reshape(30, -1)[:, : batch.actions], batch.view(state).legal)
        assert not bits.reshape(30, -1)[:, batch.actions :].any()


def test_a_state_of_another_kind_is_no_state() -> None:
    batch = make("classic")
    with pytest.raises(TypeError, match="what init and step return"):
        batch.step((1, 2, 3, 4), np.zeros(3, np.int32))  # type: ignore[arg-type]
    assert isinstance(batch.init(1), BatchState)


@pytest.mark.parametrize("name", ["numpy", "jax.numpy"])
@pytest.mark.parametrize("game", GAMES)
def test_a_copy_of_a_batch_has_its_rules_and_its_library(game: str, name: str) -> None:
    batch = make(game, library(name), resets=False, options={"first": "O"})
    copy = pickle.loads(pickle.dumps(batch))  # noqa: S301
    assert repr(copy) == repr(batch) == f"<Batch of {game} in {name}>"
    assert (copy.start, copy.resets, copy.library) == (batch.start, False, batch.library)
    same(batch.init(3), copy.init(3))
