"""Gymnasium: one agent against any Ninefold player.

>>> import gymnasium
>>> import ninefold.envs.gym
>>> env = gymnasium.make("ninefold/classic-v0", opponent="perfect")
>>> observation, info = env.reset(seed=1)
>>> observation["observation"].shape, observation["action_mask"].tolist()
((3, 3, 3), [1, 1, 1, 1, 1, 1, 1, 1, 1])

Importing this registers ``ninefold/classic-v0`` and the others, also for ``gymnasium.make_vec``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.analysis import engine
from ninefold.core.errors import Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.integers import as_integer
from ninefold.core.messages import text
from ninefold.core.position import Position, Side
from ninefold.envs import needs
from ninefold.envs.duel import Duel, MatchDuel, NativeDuel, NativeOpponent, OpponentPolicy, begin_match
from ninefold.envs.grid import checked_layout, to_grid
from ninefold.envs.observation import Observation, checked_side, forfeits, ids, observation_space
from ninefold.envs.rendering import RENDER_MODES, checked_mode, render
from ninefold.envs.start import Options, duel_from, game_of, match_options_off, start_of
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.players.player import levels, make_player

with needs():
    import gymnasium
    from gymnasium import spaces

__all__ = ["NinefoldEnv"]


class NinefoldEnv(gymnasium.Env[Observation, np.int64]):
    """One agent in a game. The opponent is a level, ``random``, or any function from a match to a move; the seed
    repeats its moves. With ``toss`` the side of the agent is drawn for every game. An illegal action forfeits the game;
    an illegal move of a function is refused and changes nothing. With the layout ``grid`` a board of boards is observed
    by row and column.

    >>> env = NinefoldEnv("classic", opponent="perfect")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, over, truncated, info = env.step(4)
    >>> int(observation["action_mask"].sum()), reward, over
    (7, 0.0, False)
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - Gymnasium declares it so

    game: Game
    side: Side

    def __init__(
        self,
        game: str = "classic",
        opponent: str | OpponentPolicy = "random",
        side: str = "X",
        render_mode: str | None = None,
        options: Options = None,
        layout: str = "boards",
    ) -> None:
        self.game, self._opponent = game_of(game), opponent
        self._choice, self.render_mode = checked_side(side), checked_mode(render_mode)
        self._is_grid = checked_layout(layout) == "grid"
        self._start = start_of(self.game, options)
        self._options = {**self._start.options, **match_options_off(self.game)}
        self._check_opponent()
        self.observation_space = observation_space(self.game)
        self.action_space = spaces.Discrete(len(self.game.paths))
        self.side, self._duel = Side.X, self._begin(self._start, Side(self._start.turn), 0)

    def __repr__(self) -> str:
        opponent = self._opponent if isinstance(self._opponent, str) else "a function"
        return f"<NinefoldEnv of {self.game.id}: {self._choice} against {opponent}>"

    @property
    def match(self) -> Match:
        """The game as a match, with all its moves. One that was reset to a position begins there.

        >>> env = NinefoldEnv("classic")
        >>> observation, info = env.reset(seed=1)
        >>> env.match
        <Match of classic: no moves, X to act>
        """
        return self._duel.match

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game at the start, or at the position of ``options={"position": ...}``, which is a position or its
        text. If the opponent is to move there, it moves; where it could end the game with that, the position is
        refused."""
        start = duel_from(self.game, self._start, options, self._choice)
        super().reset(seed=seed)
        self.side = Side(int(self.np_random.integers(2))) if self._choice == "toss" else Side[self._choice]
        self._duel = self._begin(start, self.side, int(self.np_random.integers(2**31)))
        if self.render_mode == "human":
            self.render()
        return self._observed(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        duel = self._duel
        if duel.over:
            raise RuntimeError(text("envs.ended"))
        info = {} if duel.act(as_integer("action", action)) else {"forfeit": forfeits(self.game, duel.position, action)}
        if self.render_mode == "human":
            self.render()
        return self._observed(), self._reward(), duel.over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, as ``MaskablePPO`` of sb3-contrib asks for them.

        >>> env = NinefoldEnv("swap-nine")
        >>> observation, info = env.reset(seed=1)
        >>> int(env.action_masks().sum())
        9
        """
        return self._duel.observe()["action_mask"].view(np.bool_)

    def render(self) -> Any:
        return render(self.render_mode, self.game, self._duel.position)

    def _check_opponent(self) -> None:
        names = ("random", *levels(self.game))
        if not callable(self._opponent) and self._opponent not in names:
            name, players = quoted(str(self._opponent)), " ".join(names)
            raise Unreadable("no_such_player.env", game=self.game.title, name=name, players=players)

    def _begin(self, start: Position, side: Side, seed: int) -> Duel:
        """A new game, in which the opponent has moved if it is to move first."""
        name = self._opponent
        if isinstance(name, str) and engine.plays(start):
            return NativeDuel(self.game, self._options, start, side, NativeOpponent(name, start, seed))
        reply = _PicklablePlayer(self.game, name, seed) if isinstance(name, str) else name
        return MatchDuel(begin_match(self.game, self._options, start), side, reply)

    def _observed(self) -> Observation:
        observed = self._duel.observe()
        if self._is_grid:
            observed["observation"] = to_grid(observed["observation"])
        return observed

    def _reward(self) -> float:
        winner = self._duel.winner
        return 0.0 if winner is None else 1.0 if winner is self.side else -1.0


class _PicklablePlayer:
    """A player by its name: it has nothing to remember, so a copy plays the same moves."""

    def __init__(self, game: Game, name: str, seed: int) -> None:
        self._arguments, self._player = (game, name, seed), make_player(game, name, seed)

    def __call__(self, match: Match) -> Action:
        return self._player(match)

    def __reduce__(self) -> tuple[Any, ...]:
        return _PicklablePlayer, self._arguments


for _id, _game in ids().items():
    gymnasium.register(
        _id,
        "ninefold.envs.gym:NinefoldEnv",
        vector_entry_point="ninefold.envs.vector:NinefoldVectorEnv",
        kwargs={"game": _game.id},
    )
