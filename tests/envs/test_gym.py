"""Gymnasium's own check, one agent against a player, and many of them at once."""

from __future__ import annotations

import copy
import pickle
import warnings
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ninefold.envs.gym
from ninefold.core.errors import IllegalMove, NotAllowed, Unreadable
from ninefold.core.position import Side
from ninefold.envs import aec
from ninefold.envs.batch import make
from ninefold.envs.duel import NativeDuel
from ninefold.envs.grid import to_grid
from ninefold.envs.gym import NinefoldEnv
from ninefold.envs.in_play import NativeInPlay
from ninefold.envs.observation import observe
from ninefold.envs.vector import NinefoldVectorEnv
from ninefold.games import find_game, rule_sets
from ninefold.match.actions import move
from ninefold.match.match import Match
from ninefold.players.player import levels
from tests.support.batches import BIG, GAMES, SMALL

gymnasium.register_envs(ninefold.envs.gym)


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
        reward, info = played(NinefoldEnv(game, level, side="toss"), first_legal)
        assert reward in (-1.0, 0.0, 1.0)
        assert info == {}


def test_a_function_can_be_the_opponent() -> None:
    env = NinefoldEnv("classic", lambda match: move(match.position.moves()[-1]))
    env.reset()
    env.step(np.int64(0))
    assert str(env.match.position).startswith("X../.../..O")


def test_a_function_may_give_the_move_alone() -> None:
    env = NinefoldEnv("classic", lambda match: np.int64(match.position.moves()[-1]))
    env.reset()
    env.step(np.int64(0))
    assert str(env.match.position).startswith("X../.../..O")


@pytest.mark.parametrize(
    ("reply", "error", "sentence"),
    [
        (None, TypeError, "must return a move or an action, not None"),
        ("5", TypeError, "must return a move or an action, not '5'"),
        (0, IllegalMove, "Cell 1 is taken by X"),
        (99, IllegalMove, "outside the board"),
    ],
)
def test_an_illegal_move_of_a_function_is_refused_and_changes_nothing(reply: Any, error: type, sentence: str) -> None:
    env = NinefoldEnv("classic", lambda _: reply)
    env.reset()
    before = env.match
    with pytest.raises(error, match=sentence):
        env.step(np.int64(0))
    assert env.match == before


def test_the_perfect_player_is_never_beaten() -> None:
    rng = np.random.default_rng(1)
    env = NinefoldEnv("classic", "perfect", side="toss")
    env.reset(seed=1)
    rewards = [played(env, lambda mask: rng.choice(np.flatnonzero(mask)))[0] for _ in range(80)]
    assert set(rewards) == {-1.0, 0.0}


@pytest.mark.parametrize("side", ["X", "toss"])
@pytest.mark.parametrize("game", SMALL)
def test_the_same_seed_repeats_the_opponent(game: str, side: str) -> None:
    def moves(seed: int) -> list[tuple[int, ...]]:
        env = NinefoldEnv(game, "easy", side=side)
        env.reset(seed=seed)
        found = []
        for _ in range(5):
            played(env, first_legal)
            found.append(env.match.state.moves)
        return found

    assert moves(1) == moves(1) != moves(2)


def test_an_action_is_whatever_the_space_of_actions_contains() -> None:
    for action in (4, np.int64(4), np.uint8(4), np.array(4)):
        env = NinefoldEnv("classic", "random")
        env.reset(seed=1)
        assert env.action_space.contains(action)
        env.step(action)  # type: ignore[arg-type]
        assert env.match.state.moves[0] == 4


def test_an_illegal_action_forfeits_the_game() -> None:
    env = NinefoldEnv("classic", "random")
    env.reset(seed=1)
    env.step(np.int64(4))
    with pytest.raises(TypeError, match=r"action must be an integer, not 1.5"):
        env.step(1.5)  # type: ignore[arg-type]
    observation, reward, over, _, info = env.step(np.int64(4))
    assert (reward, over) == (-1.0, True)
    assert info["forfeit"].startswith("Cell 5 is taken by X.")
    assert observation["action_mask"].all()
    with pytest.raises(RuntimeError, match=r"The game has ended. Call reset\(\)"):
        env.step(np.int64(0))


def test_a_game_that_has_ended_takes_no_more_actions() -> None:
    env = NinefoldEnv("classic", "random")
    env.reset(seed=1)
    played(env, first_legal)
    with pytest.raises(RuntimeError, match="has ended"):
        env.step(np.int64(0))


def test_a_classic_game_is_played_to_its_end() -> None:
    """Early draws are a matter of matches, and no part of what is learned."""
    env = NinefoldEnv("classic", "perfect")
    env.reset(seed=1)
    assert env.match.setup.option("early_draw") == "no"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"side": "Z"}, "There is no side 'Z'. Sides: X O toss."),
        ({"opponent": "human"}, "no player 'human'.* Players: random easy medium hard perfect, or a function."),
        ({"opponent": "genius"}, "no player 'genius'"),
        ({"opponent": 7}, "no player '7'"),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"options": {"first": "me"}}, "first cannot be 'me'. Values: X O."),
        ({"options": {"claims": "yes"}}, "Environments play without claims. Options: first line_ends."),
        ({"options": {"frist": "O"}}, "classic has no option 'frist'. Options: first line_ends."),
        ({"options": {"line_ends": False}}, "line_ends cannot be 'False'. Values: yes no."),
        ({"options": {1: "O"}}, "classic has no option '1'."),
        ({"render_mode": "film"}, "There is no render mode 'film'|cannot be rendered"),
    ],
)
@pytest.mark.parametrize("maker", [NinefoldEnv, partial(NinefoldVectorEnv, 2)])
def test_wrong_names_are_refused(maker: Any, arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        maker(**arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"game": None}, "game must be a name, such as 'classic', not None."),
        ({"options": "first=O"}, "options must be a dict, .* not 'first=O'."),
        ({"options": [("first", "O")]}, "options must be a dict"),
    ],
)
@pytest.mark.parametrize("maker", [NinefoldEnv, partial(NinefoldVectorEnv, 2), aec.env, make])
def test_things_of_a_wrong_kind_are_refused(maker: Any, arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        maker(**arguments)


@pytest.mark.parametrize("opponent", ["random", "easy"])
@pytest.mark.parametrize("game", GAMES)
def test_a_copy_of_an_environment_plays_on_in_the_same_way(game: str, opponent: str) -> None:
    env = NinefoldEnv(game, opponent, side="toss")
    observation, _ = env.reset(seed=3)
    observation, *_ = env.step(first_legal(observation["action_mask"]))
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]  # noqa: S301
    for _ in range(2):  # a whole game, and the next one, whose seed the generator of the environment draws
        while not env.match.result:
            action = first_legal(observation["action_mask"])
            observation, *_ = env.step(action)
            for other in copies:
                other.step(action)
                assert other.match == env.match
        observation, _ = env.reset()
        assert all(other.reset()[0]["observation"].tolist() == observation["observation"].tolist() for other in copies)


@pytest.mark.parametrize("game", BIG)
def test_big_games_are_played_by_the_native_core(game: str) -> None:
    for opponent in ("random", *levels(find_game(game))):
        assert isinstance(NinefoldEnv(game, opponent)._duel, NativeDuel)
    assert isinstance(aec.env(game)._in_play, NativeInPlay)


def test_environments_show_themselves_in_a_line() -> None:
    def highest(match: Match) -> int:
        return max(match.position.moves())

    assert repr(NinefoldEnv("ultimate", "easy")) == "<NinefoldEnv of ultimate: X against easy>"
    assert repr(NinefoldEnv("classic", highest, side="toss")) == "<NinefoldEnv of classic: toss against a function>"
    assert repr(aec.env("squared")) == "<NinefoldAECEnv of squared: player_0 to act>"


@pytest.mark.parametrize("opponent", ["random", "easy", "medium"])
@pytest.mark.parametrize("game", BIG)
def test_a_native_game_is_the_match_that_it_says_it_is(game: str, opponent: str) -> None:
    rng = np.random.default_rng(2)
    env = NinefoldEnv(game, opponent, side="toss")
    for seed in range(3):
        observation, _ = env.reset(seed=seed)
        over = False
        while not over:
            assert tuple(np.flatnonzero(observation["action_mask"])) == env.match.position.moves()
            observation, reward, over, _, _ = env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
            expected = observe(env.game, env.match.position, env.side, over=over)
            np.testing.assert_array_equal(observation["observation"], expected["observation"])
        result = env.match.result
        assert result is not None
        winner = result.outcome.winner
        assert reward == (0 if winner is None else 1 if winner is env.side else -1)


def test_the_forfeit_of_a_native_game_is_a_resignation_in_its_match() -> None:
    env = NinefoldEnv("ultimate", "random")
    env.reset(seed=1)
    env.step(np.int64(40))
    _, reward, over, _, info = env.step(np.int64(40))
    assert (reward, over) == (-1.0, True)
    assert info["forfeit"].endswith(".")
    result = env.match.result
    assert result is not None
    assert (result.by, result.outcome.winner) == ("resigned", Side.O)


@pytest.mark.parametrize("opponent", ["random", lambda match: match.position.moves()[-1]])
@pytest.mark.parametrize("game", GAMES)
def test_a_game_can_begin_at_a_position(game: str, opponent: Any) -> None:
    env = NinefoldEnv(game, opponent)
    start = env.game.begin()
    two = start.play(4).play(start.play(4).moves()[0])
    for given in (two, str(two)):
        observation, _ = env.reset(seed=1, options={"position": given})
        assert env.match.position == two
        assert tuple(np.flatnonzero(observation["action_mask"])) == two.moves()
    env.reset(seed=1, options={"position": start.play(4)})  # the opponent moves first
    assert env.match.position.turn is Side.X
    assert played(env, first_legal)[0] in (-1.0, 0.0, 1.0)
    assert len(env.reset()[0]["action_mask"].nonzero()[0]) == len(start.moves())


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"positon": "x"}, Unreadable, "A reset has no option 'positon'. Options: position"),
        ({"position": "XXX/OO./... O"}, NotAllowed, "has ended in this position"),
        ({"position": "XX./.../... X"}, NotAllowed, "cannot arise in play"),
        ({"position": "XX/.../... O"}, Unreadable, "9"),
        ({"position": 7}, TypeError, "A position is what"),
        ({"position": find_game("ultimate").begin()}, NotAllowed, "a position of another game, not of classic"),
        ({"position": ".../.../... O first=O"}, NotAllowed, "played with first=O .*, the environment with first=X"),
        ("X../.../... O", TypeError, "options of a reset must be a dict"),
    ],
)
@pytest.mark.parametrize("maker", [NinefoldEnv, partial(NinefoldVectorEnv, 2), aec.env])
def test_a_reset_that_cannot_be_done_is_refused_and_changes_nothing(
    maker: Any, options: Any, error: type, sentence: str
) -> None:
    env = maker("classic")
    env.reset(seed=1)
    with pytest.raises(error, match=sentence):
        env.reset(options=options)
    env.step(np.array([4, 4]) if hasattr(env, "num_envs") else 4)


@pytest.mark.parametrize("maker", [NinefoldEnv, partial(NinefoldVectorEnv, 2)])
def test_a_game_that_the_opponent_can_end_before_the_agent_moves_is_refused(maker: Any) -> None:
    position = {"position": "XX./OO./X.. O"}
    for side in ("X", "toss"):
        env = maker("classic", "perfect", side=side)
        with pytest.raises(NotAllowed, match=r"opponent can end the game before .*make the environment with side='O'"):
            env.reset(options=position)
    maker("classic", "perfect", side="O").reset(options=position)
    maker("classic", "perfect").reset(options={"position": "XX./O../... O"})  # the opponent replies, and it goes on


def test_the_masks_are_those_of_the_observation() -> None:
    for game in GAMES:
        env = gymnasium.make(f"ninefold/{game}-v0", opponent="random")
        observation, _ = env.reset(seed=1)
        for _ in range(3):
            masks = env.get_wrapper_attr("action_masks")()
            assert masks.dtype == np.bool_
            np.testing.assert_array_equal(masks, observation["action_mask"])
            observation, *_ = env.step(first_legal(observation["action_mask"]))


def test_the_grid_layout_shows_a_board_of_boards_by_row_and_column() -> None:
    makers: list[Any] = [NinefoldEnv, partial(NinefoldVectorEnv, 1)]
    for maker in makers:
        boards, grid = (maker(game="ultimate", layout=layout) for layout in ("boards", "grid"))
        for env in (boards, grid):
            env.reset(seed=1)
        action = np.array([13]) if hasattr(grid, "num_envs") else 13
        one, other = boards.step(action)[0]["observation"], grid.step(action)[0]["observation"]
        np.testing.assert_array_equal(to_grid(one), other)
        assert other.reshape(9, 9, 5)[1, 4, 0] == 1  # board 1 is in the middle above, its cell 4 in its middle
    with pytest.raises(Unreadable, match=r"There is no layout 'flat'. Layouts: boards grid\."):
        NinefoldEnv(layout="flat")
