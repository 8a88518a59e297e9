"""Gymnasium: one agent against any Ninefold player.

>>> import gymnasium
>>> import ninefold.envs.gym
>>> env = gymnasium.make("ninefold/classic-v0", opponent="perfect")
>>> observation, info = env.reset(seed=1)
>>> observation["observation"].shape, observation["action_mask"].sum()
((3, 3, 3), np.int8(9))

Importing this registers ``ninefold/classic-v0`` and the others, also for ``gymnasium.make_vec``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ninefold import actions
from ninefold.core import Side, Unreadable
from ninefold.envs.seen import RENDER_MODES, Observation, forfeits, ids, observation_space, observe, show
from ninefold.games import find_game
from ninefold.match import Match, begin
from ninefold.players import Player, make_player
from ninefold.state import HUMAN

SIDES = ("X", "O", "toss")


class Solo(gymnasium.Env[Observation, np.int64]):
    """A game from the agent's side. The opponent is a level, ``random``, or any function from match to action; a seed
    repeats its moves. With ``toss`` the agent's side is drawn anew for every game. An illegal action forfeits the game."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        game: str = "classic",
        opponent: str | Player = "random",
        side: str = "X",
        render_mode: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        if side not in SIDES:
            raise Unreadable("no_such_side", f"There is no side {side!r}.", f"Sides: {' '.join(SIDES)}.")
        if opponent == HUMAN:
            raise Unreadable("no_such_player", "People cannot play in here.", "Take a level, or random.")
        self.game, self._opponent, self._choice, self.render_mode = find_game(game), opponent, side, render_mode
        self._plain = {option.name: "no" for option in self.game.options if option.name in ("claims", "early_draw")}
        self._options = {**self._plain, **(options or {})}
        self.observation_space = observation_space(self.game)
        self.action_space = spaces.Discrete(len(self.game.paths))
        self.side, self.match = Side.X, self._begin()
        self._reply = self._player(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.side = Side(int(self.np_random.integers(2))) if self._choice == "toss" else Side[self._choice]
        self.match = self._begin()
        self._reply = self._player(int(self.np_random.integers(2**31)))
        self._let_reply()
        self._human()
        return self._observed(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self.match.result:
            raise RuntimeError("The game has ended. Call reset() to begin another.")
        why = forfeits(self.game, self.match.position, action)
        if why:
            return self._observed(), -1.0, True, False, {"forfeit": why}
        self.match = self.match.act(self._seat, actions.move(int(action)))
        self._let_reply()
        self._human()
        return self._observed(), self._reward(), self.match.result is not None, False, {}

    def render(self) -> Any:
        return show(self.render_mode, self.game, self.match.position)

    @property
    def _seat(self) -> int:
        return self.match.setup.seat(self.side)

    def _begin(self) -> Match:
        return begin(self.game, self._options)

    def _player(self, seed: int) -> Player:
        return make_player(self.game, self._opponent, seed) if isinstance(self._opponent, str) else self._opponent

    def _let_reply(self) -> None:
        asked = self.match.asked
        if asked and asked != self._seat:
            self.match = self.match.act(asked, self._reply(self.match))

    def _human(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _observed(self) -> Observation:
        return observe(self.game, self.match.position, self.side)

    def _reward(self) -> float:
        winner = self.match.result.outcome.winner if self.match.result else None
        return 0.0 if winner is None else 1.0 if winner is self.side else -1.0


for _id, _game in ids().items():
    gymnasium.register(
        _id,
        "ninefold.envs.gym:Solo",
        vector_entry_point="ninefold.envs.vector:Solos",
        kwargs={"game": _game.id},
    )
