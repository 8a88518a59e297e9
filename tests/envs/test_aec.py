"""PettingZoo's own tests, and what our AEC environments promise beyond them."""

from __future__ import annotations

import pickle
import random
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from ninefold.core.errors import Unreadable
from ninefold.core.position import Side
from ninefold.envs import aec
from ninefold.envs.grid import to_grid
from ninefold.envs.in_play import REFUSED, PositionInPlay, in_play
from ninefold.envs.planes import planes_of
from ninefold.envs.rendering import pixels
from ninefold.games import find_game, rule_sets
from tests.support.batches import GAMES

# Two warnings go to every environment with action masks whose name is not in a list of PettingZoo's own ones.
LISTED = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


@pytest.mark.parametrize("game", GAMES)
def test_an_environment_passes_the_api_test_with_no_warning_of_ours(game: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(pettingzoo.make("aec", f"ninefold/{game}-v0"), num_cycles=150)
    assert {str(warning.message) for warning in caught} <= LISTED


@pytest.mark.parametrize("game", GAMES)
def test_an_environment_passes_the_seed_test(game: str) -> None:
    seed_test(lambda: aec.env(game))


@pytest.mark.parametrize("game", GAMES)
def test_an_environment_passes_the_render_test(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: aec.env(game, render_mode))
    assert capsys.readouterr().out


def test_every_rule_set_is_registered_with_a_version() -> None:
    registered = {name for name in pettingzoo.aec_registry if name.startswith("ninefold/")}
    assert registered == {f"ninefold/{game}-v0" for game in rule_sets()}
    assert str(aec.env("swap-nine")) == "swap_nine_v0"


@pytest.mark.parametrize("game", GAMES)
def test_a_random_game_is_the_game_of_the_rules(game: str) -> None:
    rng = random.Random(4)
    for _ in range(3):
        env = aec.env(game)
        env.reset()
        position = env.game.begin()
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            side = Side(aec.AGENTS.index(agent))
            np.testing.assert_array_equal(observation["observation"], planes_of(env.game, position, side))
            assert not truncated
            assert info == {}
            if terminated:
                assert position.outcome
                winner = position.outcome.winner
                assert reward == (0 if winner is None else 1 if winner is side else -1)
                assert observation["action_mask"].all()
                env.step(None)
                continue
            assert agent == aec.AGENTS[position.turn]
            assert tuple(np.flatnonzero(observation["action_mask"])) == position.moves()
            assert not env.observe(aec.AGENTS[side.other])["action_mask"].any()
            move = rng.choice(position.moves())
            position = position.play(move)
            env.step(move)
        assert env.agents == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("action", [-1, 4, 1000, 2**70])
def test_an_illegal_action_forfeits_the_game_and_says_why(game: str, action: int) -> None:
    env = aec.env(game)
    env.reset()
    env.step(4)
    env.step(action)  # the centre is taken; in the big games O was sent away from the board that X played in
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.infos["player_1"]["forfeit"].endswith(".")
    assert env.observe("player_0")["action_mask"].all()


@pytest.mark.parametrize("action", ["4", 4.0, None, True])
def test_an_action_that_is_not_an_integer_is_refused(action: Any) -> None:
    env = aec.env("classic")
    env.reset()
    with pytest.raises(TypeError, match="action must be an integer"):
        env.step(action)


def test_after_the_end_the_only_action_is_none() -> None:
    env = aec.env("classic")
    env.reset()
    for move in (0, 3, 1, 4, 2):
        env.step(move)
    with pytest.raises(ValueError, match="None"):
        env.step(5)
    env.step(None)
    env.step(None)
    with pytest.raises(RuntimeError, match=r"The game has ended. Call reset\(\) to begin another."):
        env.step(None)
    assert env.observe("player_0")["action_mask"].all()


def test_an_environment_can_be_played_at_once_and_as_often_as_one_likes() -> None:
    env = aec.env("classic")
    env.step(4)
    env.reset()
    env.step(4)
    assert env.agent_selection == "player_1"


def test_observations_are_the_readers_own() -> None:
    env = aec.env("classic")
    env.reset()
    env.observe("player_0")["observation"][:] = 7
    env.observe("player_0")["action_mask"][:] = 7
    assert not env.observe("player_0")["observation"][..., :2].any()
    assert env.observe("player_0")["action_mask"].max() == 1


def test_an_environment_can_be_pickled_in_the_middle_of_a_game() -> None:
    env = aec.env("squared", options={"first": "O"})
    env.reset()
    assert env.agent_selection == "player_1"
    env.step(40)
    copy = pickle.loads(pickle.dumps(env))  # noqa: S301
    assert copy.position == env.position
    copy.step(36)
    assert copy.position != env.position


def test_wrong_names_are_refused() -> None:
    with pytest.raises(Unreadable, match="There is no game"):
        aec.env("chess")
    with pytest.raises(ValueError, match=r"There is no render mode 'film'. Modes: human ansi rgb_array."):
        aec.env("classic", render_mode="film")
    env = aec.env("classic")
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match=r"There is no agent 'bob'. Agents: player_0 player_1."):
            ask("bob")
    with pytest.raises(TypeError, match="seed must be an integer, not 'a'"):
        env.reset(seed="a")  # type: ignore[arg-type]
    with pytest.raises(Unreadable, match=r"Environments play without early_draw. Options: first line_ends."):
        aec.env("classic", options={"early_draw": "yes"})


@pytest.mark.parametrize("game", GAMES)
def test_pixels_show_the_marks_in_their_colours(game: str) -> None:
    env = aec.env(game, render_mode="rgb_array")
    empty = env.render()
    env.step(0)
    image = env.render()
    assert image.shape == ((152, 152, 3) if env.game.picture.boards else (48, 48, 3))
    changed = (image != empty).any(axis=2)
    assert changed[:16, :16].any()
    assert not changed[16:].any()
    assert not changed[:, 16:].any()
    blue, red = image[changed][:, 2], image[changed][:, 0]
    assert (blue > red).all()


@pytest.mark.parametrize(("owner", "tint"), [("XXX......", 2), ("OOO......", 0)])
def test_pixels_of_a_board_that_is_won_have_its_owners_colour(owner: str, tint: int) -> None:
    boards = "/".join([owner, *["........."] * 8])
    game = find_game("ultimate")
    start, won = (pixels(game, game.parse(f"{text} X 5")) for text in ("/".join(["........."] * 9), boards))
    corner = won[40, 40].astype(int) - start[40, 40]
    assert corner[tint] > corner[2 - tint]


@pytest.mark.parametrize("game", GAMES)
def test_the_state_is_the_same_whoever_looks_and_tells_all_positions_apart(game: str) -> None:
    env, rng, seen = aec.env(game), random.Random(2), dict[bytes, Any]()
    for _ in range(4):
        env.reset()
        while env.position.moves():
            state = env.state()
            assert env.state_space.contains(state)
            np.testing.assert_array_equal(state[..., 0].reshape(-1), [mark is Side.X for mark in env.position.cells])
            np.testing.assert_array_equal(state[..., 1].reshape(-1), [mark is Side.O for mark in env.position.cells])
            assert (state[..., -1] == env.position.turn).all()
            assert seen.setdefault(state.tobytes(), env.position) == env.position
            env.step(rng.choice(env.position.moves()))


def test_a_state_of_the_grid_layout_is_by_row_and_column() -> None:
    boards, grid = aec.env("squared"), aec.env("squared", layout="grid")
    for env in (boards, grid):
        env.step(13)
    np.testing.assert_array_equal(to_grid(boards.state()), grid.state())
    np.testing.assert_array_equal(
        to_grid(boards.observe("player_1")["observation"]), grid.observe("player_1")["observation"]
    )
    assert grid.state()[1, 4, 0] == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_game_without_the_native_core_is_observed_in_the_same_way(game: str) -> None:
    found = find_game(game)
    ours, plain = in_play(found, found.begin()), PositionInPlay(found, found.begin())
    rng, played = random.Random(5), 0
    while not played:
        for side in Side:
            for over in (False, True):
                one, other = ours.observe(side, over), plain.observe(side, over)
                assert all(one[name].dtype == other[name].dtype for name in one)
                assert all((one[name] == other[name]).all() for name in one)
        assert (ours.position, ours.turn) == (plain.position, plain.turn)
        assert ours.play(-1) == plain.play(-1) == ours.play(10**6) == REFUSED
        move = rng.choice(plain.position.moves())
        played = plain.play(move)
        assert ours.play(move) == played
