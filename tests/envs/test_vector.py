"""Many games at once in Gymnasium's vector environment, and the players they are against."""

from __future__ import annotations

import copy
import pickle
from itertools import product
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import ninefold.envs.gym
from ninefold.analysis import engine
from ninefold.analysis.engine import Engine, level_batch, rule_set
from ninefold.core.errors import Unreadable
from ninefold.core.position import Side
from ninefold.core.state_table import table_of
from ninefold.envs import policies
from ninefold.envs.batch import BatchState, make
from ninefold.envs.policies import policy, sharpest
from ninefold.envs.vector import NinefoldVectorEnv
from ninefold.games import find_game
from ninefold.match.match import begin
from ninefold.players.engine_levels import LEVELS, MEMORY
from ninefold.players.solved import RANDOM_SHARE
from ninefold.players.solved import sharpest as sharpest_of_one
from tests.support.batches import BIG, GAMES, SMALL

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


@pytest.mark.parametrize(
    ("game", "opponent"),
    [*product(SMALL, ("random", *RANDOM_SHARE)), *product(BIG, ("random", "easy"))],
)
def test_many_games_are_each_a_game_of_the_rules(game: str, opponent: str) -> None:
    count, steps, first = (64, 25, "X") if game in SMALL else (8, 45, "O")
    envs: Any = NinefoldVectorEnv(count, game, opponent, side="toss", options={"first": first})
    observation, _ = envs.reset(seed=5)
    seen = set()
    for _ in range(steps):
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
    with pytest.raises(Unreadable, match=r"Players: random easy medium hard expert, or a function\."):
        NinefoldVectorEnv(2, game, opponent="perfect")


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


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
@pytest.mark.parametrize("game", BIG)
def test_levels_of_big_games_search_as_the_players_do(game: str, level: str) -> None:
    """Without errors of the scores they choose what the engine ranks first, in any number of threads."""
    strength = LEVELS[level]._replace(noise=0)
    batch = make(game, resets=False)
    count = 3 if level == "hard" else 25
    state = batch.rollout(batch.init(count), 31, seed=2).state
    chosen = {threads: np.empty(count, np.int32) for threads in (1, 3)}
    for threads, action in chosen.items():
        native = level_batch(rule_set(batch.start), *strength, threads)
        native.choose(state.position, state.mask, 1, 2, 0, action)
    np.testing.assert_array_equal(chosen[1], chosen[3])
    ranked = 0
    for position, over, move in zip(batch.positions(state), state.done, chosen[1], strict=True):
        if over:
            assert move == 0
            continue
        lines = Engine(MEMORY).search(position, nodes=strength.nodes, lines=strength.lines).lines
        assert move == max((line.score, line.move) for line in lines)[1]
        ranked += 1
    assert ranked >= count // 2


@pytest.mark.parametrize(("threads", "expected"), [(None, 3), (2, 2)])
def test_levels_of_big_games_search_in_all_cores_unless_told(
    threads: int | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def batch_of(*arguments: Any) -> Any:
        asked.append(arguments[-1])
        return level_batch(*arguments)

    monkeypatch.setattr(policies, "core_count", lambda: 3)
    monkeypatch.setattr(engine, "level_batch", batch_of)
    NinefoldVectorEnv(2, "ultimate", "easy", threads=threads)
    assert asked == [expected]


def test_the_errors_of_a_level_depend_on_the_seed_and_the_counter() -> None:
    batch = make("ultimate", resets=False)
    state = batch.rollout(batch.init(40), 8, seed=2).state
    level = policy(batch, "easy", batch.start, seed=1)
    again, other = (policy(batch, "easy", batch.start, seed=seed) for seed in (1, 2))
    np.testing.assert_array_equal(level(state, 3), again(state, 3))
    assert (level(state, 3) != level(state, 4)).any()
    assert (level(state, 3) != other(state, 3)).any()
    assert not batch.step(state, level(state, 3)).reward.any()


def test_a_higher_level_of_a_big_game_gives_the_agent_less() -> None:
    def reward(level: str) -> float:
        envs = NinefoldVectorEnv(48, "squared", opponent=level, side="toss")
        observation, _ = envs.reset(seed=1)
        random, total = np.random.default_rng(1), 0.0
        for _ in range(45):
            mask = observation["action_mask"]
            observation, given, *_ = envs.step((mask * random.random(mask.shape)).argmax(axis=1))
            total += given.sum()
        return total

    rewards = [reward(level) for level in ("random", "easy", "medium")]
    assert rewards == sorted(rewards, reverse=True)


def test_a_level_refuses_impossible_positions() -> None:
    batch = make("ultimate")
    state = batch.init(3)
    level = policy(batch, "easy", batch.start, seed=1)
    for word, value in ((0, 0x200), (0, 7), (9, 1), (10, 1 << 25), (10, 12 << 16)):
        broken = state.position.copy()
        broken[1, word] = value
        if (word, value) == (9, 1):  # X has won a board that is empty
            broken[1, 9] = 1
        with pytest.raises(ValueError, match="not positions of this game"):
            level(state._replace(position=broken), 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_is_reset_by_the_same_step_leaves_its_last_observation(game: str) -> None:
    batch = make(game, resets=False)

    def last_legal(state: BatchState, _: int) -> Any:
        return batch.actions - 1 - batch.view(state).legal[:, ::-1].argmax(axis=1)

    def actions(observation: Any) -> Any:  # each game has its own
        ranks = np.arange(8) % observation["action_mask"].sum(axis=1)
        return (observation["action_mask"].cumsum(axis=1) == ranks[:, None] + 1).argmax(axis=1)

    later = NinefoldVectorEnv(8, game, opponent=last_legal)
    at_once = NinefoldVectorEnv(8, game, opponent=last_legal, autoreset_mode=AutoresetMode.SAME_STEP)
    (old, _), (new, _) = later.reset(), at_once.reset()
    first_games, ends = np.ones(8, np.bool_), 0
    for _ in range(45):
        old, old_reward, old_done, *_ = later.step(actions(old))
        new, reward, done, _, infos = at_once.step(actions(new))
        np.testing.assert_array_equal(old_reward[first_games], reward[first_games])
        np.testing.assert_array_equal(old_done[first_games], done[first_games])
        for number in np.flatnonzero(done):
            final = infos["final_obs"][number]
            assert infos["_final_obs"][number]
            assert final["action_mask"].all()
            if first_games[number]:
                np.testing.assert_array_equal(final["observation"], old["observation"][number])
            ends += 1
        assert not new["observation"][done][..., :2].any()  # the agent starts, so there are no marks yet
        first_games &= ~done
    assert ends >= 8
    assert not first_games.any()


def test_an_autoreset_mode_that_is_not_there_is_refused() -> None:
    with pytest.raises(Unreadable, match=r"no autoreset mode 'Disabled' here. Modes: NextStep SameStep\."):
        NinefoldVectorEnv(2, autoreset_mode="Disabled")


@pytest.mark.parametrize("opponent", ["random", "easy"])
@pytest.mark.parametrize("game", GAMES)
def test_a_copy_of_a_vector_plays_on_in_the_same_way(game: str, opponent: str) -> None:
    envs = NinefoldVectorEnv(6, game, opponent=opponent, side="toss")
    observation, _ = envs.reset(seed=2)
    observation, *_ = envs.step(first_legal(observation))
    copies = [pickle.loads(pickle.dumps(envs)), copy.deepcopy(envs)]  # noqa: S301
    for _ in range(6):
        actions = first_legal(observation)
        expected = envs.step(actions)
        for other in copies:
            found = other.step(actions)
            np.testing.assert_array_equal(found[0]["observation"], expected[0]["observation"])
            np.testing.assert_array_equal(found[1], expected[1])
        observation = expected[0]


def test_many_games_can_begin_at_positions() -> None:
    game = find_game("ultimate")
    position = game.begin().play(40).play(36)
    envs = NinefoldVectorEnv(2, "ultimate", side="X")
    envs.reset(seed=1, options={"position": str(position)})
    assert envs.batch.positions(envs.state) == [position, position]
    envs.reset(seed=1, options={"position": [position, game.begin()]})
    assert envs.batch.positions(envs.state) == [position, game.begin()]
    with pytest.raises(ValueError, match="positions of 2 games must be 2, not 1"):
        envs.reset(options={"position": [position]})
    envs.reset(seed=1, options={"position": game.begin().play(40)})
    assert all(len(one.moves()) == 9 and one.turn is Side.X for one in envs.batch.positions(envs.state))


def test_the_masks_of_many_games_are_those_of_the_observations() -> None:
    envs = NinefoldVectorEnv(5, "swap-nine", side="toss")
    observation, _ = envs.reset(seed=1)
    for _ in range(4):
        assert envs.action_masks().dtype == np.bool_
        np.testing.assert_array_equal(envs.action_masks(), observation["action_mask"])
        observation, *_ = envs.step(first_legal(observation))
