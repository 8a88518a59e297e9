"""Many games at once in Gymnasium's vector environment, and the players they are against."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import ninefold.envs.gym
from ninefold.core.errors import Unreadable
from ninefold.core.position import Side
from ninefold.core.state_table import table_of
from ninefold.envs.batch import BatchState
from ninefold.envs.policies import sharpest
from ninefold.envs.vector import NinefoldVectorEnv
from ninefold.games import find_game
from ninefold.match.match import begin
from ninefold.players.solved import RANDOM_SHARE
from ninefold.players.solved import sharpest as sharpest_of_one
from tests.support.batches import SMALL

gymnasium.register_envs(ninefold.envs.gym)


def first_legal(observation: Any) -> Any:
    return observation["action_mask"].argmax(axis=-1)


@pytest.mark.parametrize("game", SMALL)
def test_levels_of_many_games_choose_as_the_players_do(game: str) -> None:
    found = find_game(game)
    start, setup = found.begin(), begin(found).setup
    sharp = sharpest(found, start)
    states = table_of(found, start).states
    for number in range(0, len(states), 29):
        chosen = sharp.ranked[number, : sharp.counts[number]]
        if states[number].outcome is None:
            assert sorted(chosen) == sorted(sharpest_of_one(setup, states[number]))


@pytest.mark.parametrize("opponent", ["random", *RANDOM_SHARE])
@pytest.mark.parametrize("game", SMALL)
def test_many_games_are_each_a_game_of_the_rules(game: str, opponent: str) -> None:
    envs: Any = gymnasium.make_vec(f"ninefold/{game}-v0", num_envs=64, opponent=opponent, side="toss")
    observation, _ = envs.reset(seed=5)
    seen = set()
    for _ in range(25):
        positions, sides, over = envs.batch.positions(envs.state), envs.sides.copy(), envs.state.done.copy()
        assert envs.observation_space.contains(observation)
        for number, position in enumerate(positions):
            if not over[number]:
                assert position.turn == sides[number]
                assert tuple(np.flatnonzero(observation["action_mask"][number])) == position.moves()
        observation, reward, done, truncated, info = envs.step(first_legal(observation))
        assert not truncated.any()
        assert info == {}
        assert not reward[~done].any()
        for number, after in enumerate(envs.batch.positions(envs.state)):
            winner = after.outcome.winner if after.outcome else None
            expected = 0 if winner is None else 1 if winner == envs.sides[number] else -1
            assert (done[number], reward[number]) == (after.outcome is not None, expected)
            seen.add((bool(over[number]), bool(done[number])))
    assert seen >= {(False, False), (False, True), (True, False)}


@pytest.mark.parametrize("game", ["squared", "ultimate"])
def test_many_big_games_are_played_against_random(game: str) -> None:
    envs: Any = gymnasium.make_vec(f"ninefold/{game}-v0", num_envs=32, side="O", threads=2)
    observation, _ = envs.reset(seed=1)
    ends = 0
    for _ in range(60):
        observation, _, done, _, _ = envs.step(first_legal(observation))
        ends += done.sum()
    assert ends >= 32
    with pytest.raises(Unreadable, match="Players: random"):
        NinefoldVectorEnv(2, game, opponent="easy")


def test_the_end_of_a_game_is_seen_from_the_agents_side() -> None:
    envs: Any = NinefoldVectorEnv(200, "classic", opponent="random", side="toss")
    observation, _ = envs.reset(seed=3)
    checked = 0
    for _ in range(8):
        observation, _, done, _, _ = envs.step(first_legal(observation))
        for number in np.flatnonzero(done):
            position = envs.batch.positions(envs.state)[number]
            mine = [mark is Side(int(envs.sides[number])) for mark in position.cells]
            assert observation["observation"][number][..., 0].reshape(-1).tolist() == mine
            assert observation["action_mask"][number].all()
            checked += 1
    assert checked > 200


def test_many_games_repeat_with_a_seed() -> None:
    def rewards(seed: int) -> Any:
        envs = NinefoldVectorEnv(50, "swap-nine", opponent="medium", side="toss")
        observation, _ = envs.reset(seed=seed)
        found = []
        for _ in range(12):
            observation, reward, *_ = envs.step(first_legal(observation))
            found.append(reward)
        return np.array(found).tolist()

    assert rewards(1) == rewards(1) != rewards(2)


def test_many_games_can_be_played_against_a_function() -> None:
    """So an agent learns against itself: the function sees the state of all games."""

    def last_free(state: BatchState, _: int) -> Any:
        return 8 - envs.batch.view(state).legal[:, ::-1].argmax(axis=1)

    envs = NinefoldVectorEnv(3, "classic", opponent=last_free)
    envs.step(np.array([0, 4, 7]))
    assert [str(position)[:11] for position in envs.batch.positions(envs.state)] == [
        "X../.../..O",
        ".../.X./..O",
        ".../.../.XO",
    ]


def test_a_forfeited_game_of_many_is_lost_and_the_others_go_on() -> None:
    envs = NinefoldVectorEnv(2, "classic", opponent="random")
    observation, reward, done, _, _ = envs.step(np.array([9, 4]))
    assert (reward.tolist(), done.tolist()) == ([-1.0, 0.0], [True, False])
    assert observation["action_mask"][0].all()
    observation, reward, done, _, _ = envs.step(np.array([4, first_legal(observation)[1]]))
    assert (reward[0], done[0], observation["observation"][0][..., :2].sum()) == (0.0, False, 0)


def test_a_vector_environment_refuses_what_a_batch_refuses() -> None:
    with pytest.raises(ValueError, match="at least one game, not 0"):
        NinefoldVectorEnv(0)
    envs = NinefoldVectorEnv(3)
    with pytest.raises(ValueError, match=r"the shape for 3 games is \(3,\), not \(2,\)"):
        envs.step(np.array([0, 1]))
    with pytest.raises(TypeError, match="action must be an array of integers"):
        envs.step(np.array([0.5, 1.0, 2.0]))


def test_a_side_is_tossed_anew_for_every_game() -> None:
    envs = NinefoldVectorEnv(20, "classic", side="toss")
    observation, _ = envs.reset(seed=1)
    sides = [envs.sides]
    for _ in range(30):
        observation, *_ = envs.step(first_legal(observation))
        sides.append(envs.sides)
    assert np.ptp(sides, axis=0).all()


@pytest.mark.parametrize("game", SMALL)
def test_a_higher_level_gives_the_agent_less(game: str) -> None:
    def reward(level: str) -> float:
        envs = NinefoldVectorEnv(500, game, opponent=level, side="toss")
        observation, _ = envs.reset(seed=1)
        total = 0.0
        for _ in range(20):
            observation, given, *_ = envs.step(first_legal(observation))
            total += given.sum()
        return total

    rewards = [reward(level) for level in ("random", *RANDOM_SHARE)]
    assert rewards == sorted(rewards, reverse=True)
