"""Stable-Baselines3: its own check of environments, MaskablePPO over one game and over many, and what infos say."""

from __future__ import annotations

import doctest
import pickle
from typing import Any

import numpy as np
import pytest

from ninefold.core.errors import Unreadable
from ninefold.envs.gym import NinefoldEnv
from tests.support.batches import GAMES

pytestmark = pytest.mark.learning


def first_legal(envs: Any) -> Any:
    return np.stack(envs.env_method("action_masks")).argmax(axis=1)


def many(*arguments: Any, **options: Any) -> Any:
    from ninefold.envs.sb3 import NinefoldVecEnv

    return NinefoldVecEnv(*arguments, **options)


def test_the_example_of_the_docstring_is_true() -> None:
    from ninefold.envs import sb3

    assert doctest.testmod(sb3) == (0, 4)


@pytest.mark.parametrize("game", GAMES)
def test_finished_games_are_reset_and_reported_as_a_monitor_does(game: str) -> None:
    envs = many(8, game, side="toss")
    envs.seed(3)
    assert envs.observation_space.contains(envs.reset()[0])
    ends, lengths = 0, np.zeros(8, int)
    for _ in range(60):
        observed, rewards, done, infos = envs.step(first_legal(envs))
        assert (observed.shape, rewards.dtype) == ((8, *envs.observation_space.shape), np.float32)
        lengths += 1
        for number, info in enumerate(infos):
            assert bool(info) == done[number]
            if info:
                assert info["episode"]["r"] == rewards[number]
                assert info["episode"]["l"] == lengths[number]
                assert info["terminal_observation"][..., :2].sum() > observed[number][..., :2].sum()
                assert observed[number][..., 0].sum() == 0
                ends, lengths[number] = ends + 1, 0
    assert ends >= 8


def test_many_games_repeat_with_a_seed_and_begin_at_positions() -> None:
    def played(seed: int) -> Any:
        envs = many(4, "ultimate", opponent="easy")
        envs.seed(seed)
        observed = [envs.reset()]
        observed += [envs.step(first_legal(envs))[0] for _ in range(5)]
        return np.stack(observed)

    np.testing.assert_array_equal(played(1), played(1))
    assert (played(1) != played(2)).any()
    envs = many(2, "classic")
    envs.set_options([{"position": "X../.O./... X"}, {}])
    assert envs.reset()[..., :2].sum(axis=(1, 2, 3)).tolist() == [2, 0]
    assert envs.reset()[..., :2].sum() == 0  # options are of one reset
    envs.set_options({"positon": "X../.O./... X"})
    with pytest.raises(Unreadable, match="A reset has no option 'positon'"):
        envs.reset()


def test_maskable_ppo_never_forfeits_a_game() -> None:
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy

    for envs in (many(4, "swap-nine"), NinefoldEnv("swap-nine")):
        policy = "MlpPolicy" if hasattr(envs, "envs") else "MultiInputPolicy"
        model = MaskablePPO(policy, envs, n_steps=64, batch_size=64, seed=1).learn(256)
        rewards, _ = evaluate_policy(model, envs, n_eval_episodes=5, return_episode_rewards=True, warn=False)
        assert set(rewards) <= {-1.0, 0.0, 1.0}
    env = NinefoldEnv("swap-nine")
    observed, _ = env.reset(seed=1)
    over = False
    while not over:
        action, _ = model.predict(observed, action_masks=env.action_masks())
        observed, _, over, _, info = env.step(action)
        assert info == {}


def test_what_a_vec_env_does_not_have_is_refused() -> None:
    envs = many(2, "classic")
    assert envs.has_attr("action_masks")
    assert not envs.has_attr("no_such_thing")
    with pytest.raises(AttributeError, match=r"have no method render_all\. Methods: action_masks"):
        envs.env_method("render_all")
    with pytest.raises(AttributeError, match="opponent is set when it is made"):
        envs.set_attr("opponent", "easy")


def test_a_vec_env_can_be_pickled() -> None:
    envs = many(3, "squared", opponent="medium")
    envs.reset()
    envs.step(first_legal(envs))
    copy = pickle.loads(pickle.dumps(envs))  # noqa: S301
    actions = first_legal(envs)
    for one, other in zip(envs.step(actions)[:3], copy.step(actions)[:3], strict=True):
        np.testing.assert_array_equal(one, other)


def test_stable_baselines3_accepts_the_gymnasium_environments() -> None:
    from stable_baselines3.common.env_checker import check_env

    for game in GAMES:  # it would warn of planes, which it takes for bad pictures
        check_env(NinefoldEnv(game, opponent="easy", layout="grid"), warn=False)
