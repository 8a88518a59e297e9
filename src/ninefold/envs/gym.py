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

from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.envs import needs
from ninefold.envs.arrays import as_integer
from ninefold.envs.observation import Observation, checked_side, forfeits, ids, observation_space, observe
from ninefold.envs.rendering import RENDER_MODES, checked_mode, render
from ninefold.envs.start import Options, game_of, match_options_off, start_of
from ninefold.match import actions
from ninefold.match.match import Match, begin
from ninefold.players.player import levels, make_player

with needs():
    import gymnasium
    from gymnasium import spaces

OpponentPolicy = Callable[[Match], actions.Action | SupportsIndex]  # a player, or a function that gives the move alone


class NinefoldEnv(gymnasium.Env[Observation, np.int64]):
    """One agent in a game. The opponent is a level, ``random``, or any function from a match to a move; the seed
    repeats its moves. With ``toss`` the side of the agent is drawn for every game. An illegal action forfeits the game;
    an illegal move of a function is refused and changes nothing.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        game: str = "classic",
        opponent: str | OpponentPolicy = "random",
        side: str = "X",
        render_mode: str | None = None,
        options: Options = None,
    ) -> None:
        self.game = game_of(game)
        self._choice, self.render_mode = checked_side(side), checked_mode(render_mode)
        self._opponent, self._options = (
            opponent,
            {**start_of(self.game, options).options, **match_options_off(self.game)},
        )
        self.observation_space = observation_space(self.game)
        self.action_space = spaces.Discrete(len(self.game.paths))
        self.side, self.match, self._reply = Side.X, self._begin(), self._player(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.side = Side(int(self.np_random.integers(2))) if self._choice == "toss" else Side[self._choice]
        self._reply = self._player(int(self.np_random.integers(2**31)))
        self._advance(self._begin())
        return self._observed(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self.match.result:
            raise RuntimeError(text("envs.ended"))
        why = forfeits(self.game, self.match.position, action)
        chosen = actions.RESIGN if why else actions.move(int(action))
        self._advance(self.match.act(self._seat, chosen))
        return self._observed(), self._reward(), self.match.result is not None, False, {"forfeit": why} if why else {}

    def render(self) -> Any:
        return render(self.render_mode, self.game, self.match.position)

    @property
    def _seat(self) -> int:
        return self.match.setup.seat(self.side)

    def _begin(self) -> Match:
        return begin(self.game, self._options)

    def _player(self, seed: int) -> OpponentPolicy:
        if callable(self._opponent):
            return self._opponent
        names = ("random", *levels(self.game))
        if self._opponent not in names:
            name, players = quoted(str(self._opponent)), " ".join(names)
            raise Unreadable("no_such_player.env", game=self.game.title, name=name, players=players)
        return make_player(self.game, self._opponent, seed)

    def _advance(self, match: Match) -> None:
        """Take over a match, and let the opponent act while it is to act."""
        while match.to_act not in (None, self._seat):
            match = match.act(3 - self._seat, _action(self._reply(match)))
        self.match = match
        if self.render_mode == "human":
            self.render()

    def _observed(self) -> Observation:
        return observe(self.game, self.match.position, self.side, over=self.match.result is not None)

    def _reward(self) -> float:
        winner = self.match.result.outcome.winner if self.match.result else None
        return 0.0 if winner is None else 1.0 if winner is self.side else -1.0


def _action(reply: Any) -> actions.Action:
    """The action of a function, which may return the move alone."""
    if isinstance(reply, actions.Action):
        return reply
    try:
        return actions.move(as_integer("move", reply))
    except TypeError:
        raise TypeError(text("envs.opponent", value=repr(reply))) from None


for _id, _game in ids().items():
    gymnasium.register(
        _id,
        "ninefold.envs.gym:NinefoldEnv",
        vector_entry_point="ninefold.envs.vector:NinefoldVectorEnv",
        kwargs={"game": _game.id},
    )
