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

from ninefold import actions
from ninefold.core import Side, Unreadable
from ninefold.envs import needs
from ninefold.envs.pixels import RENDER_MODES, checked_mode, show
from ninefold.envs.seen import Observation, checked_side, forfeits, ids, observation_space, observe
from ninefold.envs.start import Options, off, start_of
from ninefold.games import find_game
from ninefold.match import Match, begin
from ninefold.players import Player, make_player
from ninefold.state import HUMAN

with needs("ninefold[rl]"):
    import gymnasium
    from gymnasium import spaces


class Solo(gymnasium.Env[Observation, np.int64]):
    """A game from the agent's side. The opponent is a level, ``random``, or any function from match to action; a seed
    repeats its moves. With ``toss`` the agent's side is drawn anew for every game. An illegal action forfeits the game.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str = "classic",
        opponent: str | Player = "random",
        side: str = "X",
        render_mode: str | None = None,
        options: Options = None,
    ) -> None:
        self.game = find_game(game)
        self._choice, self.render_mode = checked_side(side), checked_mode(render_mode)
        self._opponent, self._options = opponent, {**start_of(self.game, options).options, **off(self.game)}
        self.observation_space = observation_space(self.game)
        self.action_space = spaces.Discrete(len(self.game.paths))
        self.side, self.match, self._reply = Side.X, self._begin(), self._player(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.side = Side(int(self.np_random.integers(2))) if self._choice == "toss" else Side[self._choice]
        self.match, self._reply = self._begin(), self._player(int(self.np_random.integers(2**31)))
        self._let_reply()
        return self._observed(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self.match.result:
            raise RuntimeError("The game has ended. Call reset() to begin another.")
        why = forfeits(self.game, self.match.position, action)
        chosen = actions.RESIGN if why else actions.move(int(action))
        self.match = self.match.act(self._seat, chosen)
        self._let_reply()
        return self._observed(), self._reward(), self.match.result is not None, False, {"forfeit": why} if why else {}

    def render(self) -> Any:
        return show(self.render_mode, self.game, self.match.position)

    @property
    def _seat(self) -> int:
        return self.match.setup.seat(self.side)

    def _begin(self) -> Match:
        return begin(self.game, self._options)

    def _player(self, seed: int) -> Player:
        if callable(self._opponent):
            return self._opponent
        if self._opponent == HUMAN:
            raise Unreadable("no_such_player", "People cannot play in here.", "Take a level, or random.")
        return make_player(self.game, str(self._opponent), seed)

    def _let_reply(self) -> None:
        """The opponent acts as long as it is asked."""
        while self.match.asked not in (None, self._seat):
            self.match = self.match.act(3 - self._seat, self._reply(self.match))
        if self.render_mode == "human":
            self.render()

    def _observed(self) -> Observation:
        return observe(self.game, self.match.position, self.side, over=self.match.result is not None)

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
