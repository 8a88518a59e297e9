"""Gymnasium's own check, one agent against a player, and many of them at once."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ninefold.envs.gym  # registers
from batches import GAMES, SMALL
from ninefold.actions import move
from ninefold.core import Side, Unreadable
from ninefold.envs.gym import Solo
from ninefold.envs.levels import sharpest
from ninefold.envs.vector import Solos
from ninefold.games import find_game, rule_sets
from ninefold.match import begin
from ninefold.players import levels
from ninefold.players.table import RANDOM_SHARE
from ninefold.players.table import sharpest as sharpest_of_one


def first_legal(mask: Any) -> Any:
    return mask.argmax(axis=-1)


def played(env: Any, choose: Any) -> tuple[float, dict[str, Any]]:
    observation, _ = env.reset()
    while True:
        observation, reward, over, _, info = env.step(choose(observation["action_mask"]))
        if over:
            return reward, info


@pytest.mark.parametrize("side", ["X", "O", "toss"])
@pytest.mark.parametrize("game", GAMES)
def test_an_environment_passes_the_check(game: str, side: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(f"ninefold/{game}-v0", side=side, opponent="easy", render_mode="ansi").unwrapped)


def test_every_rule_set_is_registered() -> None:
    registered = {name for name in gymnasium.registry if name.startswith("ninefold/")}
    assert registered == {f"ninefold/{game}-v0" for game in rule_sets()}


@pytest.mark.parametrize("game", GAMES)
def test_every_level_is_an_opponent(game: str) -> None:
    for level in ("random", *levels(find_game(game))[:3]):
        reward, info = played(Solo(game, level, side="toss"), first_legal)
        assert reward in (-1.0, 0.0, 1.0)
        assert info == {}


def test_a_function_can_be_the_opponent() -> None:
    env = Solo("classic", lambda match: move(match.position.moves()[-1]))
    env.reset()
    env.step(np.int64(0))
    assert str(env.match.position).startswith("X../.../..O")


def test_nobody_beats_perfect() -> None:
    rng = np.random.default_rng(1)
    for side in ("X", "O"):
        env = Solo("classic", "perfect", side=side)
        env.reset(seed=1)
        assert max(played(env, lambda mask: rng.choice(np.flatnonzero(mask)))[0] for _ in range(40)) == 0.0


@pytest.mark.parametrize("game", SMALL)
def test_the_same_seed_repeats_the_opponent(game: str) -> None:
    def moves(seed: int) -> list[tuple[int, ...]]:
        env = Solo(game, "easy", side="toss")
        env.reset(seed=seed)
        found = []
        for _ in range(5):
            played(env, first_legal)
            found.append(env.match.state.moves)
        return found

    assert moves(1) == moves(1) != moves(2)


def test_an_illegal_action_forfeits_the_game() -> None:
    env = Solo("classic", "random")
    env.reset(seed=1)
    env.step(np.int64(4))
    _, reward, over, _, info = env.step(np.int64(4))
    assert (reward, over) == (-1.0, True)
    assert info["forfeit"].startswith("Cell 5 is taken by X.")
    with pytest.raises(TypeError, match="An action is an integer"):
        env.step(1.5)  # type: ignore[arg-type]


def test_a_game_that_has_ended_takes_no_more_actions() -> None:
    env = Solo("classic", "random")
    env.reset(seed=1)
    played(env, first_legal)
    with pytest.raises(RuntimeError, match="has ended"):
        env.step(np.int64(0))


def test_a_classic_game_is_played_to_its_end() -> None:
    """Early draws are a matter of matches, and no part of what is learned."""
    env = Solo("classic", "perfect")
    env.reset(seed=1)
    assert env.match.setup.option("early_draw") == "no"


@pytest.mark.parametrize("maker", [Solo, lambda **arguments: Solos(2, **arguments)])
def test_wrong_names_are_refused(maker: Any) -> None:
    for arguments, sentence in (
        ({"side": "Z"}, "There is no side"),
        ({"opponent": "human"}, "human|People"),
        ({"opponent": "genius"}, "no player 'genius'"),
        ({"game": "chess"}, "There is no game"),
    ):
        with pytest.raises(Unreadable, match=sentence):
            maker(**arguments)
    with pytest.raises((Unreadable, ValueError), match="genius|rendered|mode"):
        maker(render_mode="film")


@pytest.mark.parametrize("game", SMALL)
def test_levels_of_many_games_choose_as_the_players_do(game: str) -> None:
    found = find_game(game)
    start, setup = found.begin(), begin(found).setup
    sharp = sharpest(found, start)
    from ninefold.compile import table_of

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
        observation, reward, done, truncated, info = envs.step(first_legal(observation["action_mask"]))
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
        observation, _, done, _, _ = envs.step(first_legal(observation["action_mask"]))
        ends += done.sum()
    assert ends >= 32
    with pytest.raises(Unreadable, match="Players: random"):
        Solos(2, game, opponent="easy")


def test_the_end_of_a_game_is_seen_from_the_agents_side() -> None:
    envs: Any = Solos(200, "classic", opponent="random", side="toss")
    observation, _ = envs.reset(seed=3)
    checked = 0
    for _ in range(8):
        observation, _, done, _, _ = envs.step(first_legal(observation["action_mask"]))
        for number in np.flatnonzero(done):
            position = envs.batch.positions(envs.state)[number]
            mine = [mark is Side(int(envs.sides[number])) for mark in position.cells]
            assert observation["observation"][number][..., 0].reshape(-1).tolist() == mine
            assert observation["action_mask"][number].all()
            checked += 1
    assert checked > 200


def test_many_games_repeat_with_a_seed() -> None:
    def rewards(seed: int) -> Any:
        envs = Solos(50, "swap-nine", opponent="medium", side="toss")
        observation, _ = envs.reset(seed=seed)
        found = []
        for _ in range(12):
            observation, reward, *_ = envs.step(first_legal(observation["action_mask"]))
            found.append(reward)
        return np.array(found).tolist()

    assert rewards(1) == rewards(1) != rewards(2)
