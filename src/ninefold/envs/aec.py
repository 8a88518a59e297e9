"""PettingZoo: every game as an AEC environment.

>>> from ninefold.envs import aec
>>> env = aec.env("classic")
>>> env.reset(seed=1)
>>> env.step(4)
>>> env.agent_selection, env.observe("player_1")["action_mask"].tolist()
('player_1', [1, 1, 1, 1, 0, 1, 1, 1, 1])

Importing this registers ``ninefold/classic-v0`` and the others for ``pettingzoo.make("aec", ...)``. The agents are
``player_0``, who is X, and ``player_1``, who is O. Actions are moves, and so cells go row by row from the top left:
squared and ultimate have ``board * 9 + cell``, swap-nine nine placements and then those that take a neighbour.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.core.integers import as_integer
from ninefold.core.messages import text
from ninefold.core.position import Position, Side
from ninefold.envs import needs
from ninefold.envs.grid import checked_layout, to_grid
from ninefold.envs.in_play import REFUSED, WINNERS, in_play
from ninefold.envs.observation import VERSION, Observation, forfeits, ids, observation_space
from ninefold.envs.planes import shape_of, turned
from ninefold.envs.rendering import RENDER_MODES, checked_mode, render
from ninefold.envs.start import Options, game_of, start_from, start_of

with needs():
    from gymnasium import spaces
    from pettingzoo import AECEnv, register

__all__ = ["NinefoldAECEnv", "env"]

AGENTS = ("player_0", "player_1")
_SIDES = dict(zip(AGENTS, Side, strict=True))
_NUMBERS = {agent: int(side) for agent, side in _SIDES.items()}
_OTHER = dict(zip(AGENTS, reversed(AGENTS), strict=True))


class NinefoldAECEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game between two agents. An illegal action forfeits it: -1 for the agent that made it, +1 for the other, and
    the reason in ``infos``. The big games are played by the native core where it is installed. With the layout ``grid``
    a board of boards is observed by row and column.

    >>> game = env("classic")
    >>> for action in (0, 3, 1, 4, 2):
    ...     game.step(action)
    >>> game.rewards, game.terminations
    ({'player_0': 1.0, 'player_1': -1.0}, {'player_0': True, 'player_1': True})
    >>> game.reset()
    >>> game.observe("player_0")["action_mask"].tolist()
    [1, 1, 1, 1, 1, 1, 1, 1, 1]
    """

    def __init__(
        self, game: str = "classic", render_mode: str | None = None, options: Options = None, layout: str = "boards"
    ) -> None:
        super().__init__()
        self.game = game_of(game)
        self.start = start_of(self.game, options)
        self.render_mode = checked_mode(render_mode)
        self._is_grid = checked_layout(layout) == "grid"
        self.metadata = {
            "name": f"{self.game.id.replace('-', '_')}_v{VERSION}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: observation_space(self.game) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(len(self.game.paths)) for agent in AGENTS}
        rows, columns, planes = shape_of(self.game)
        self.state_space = spaces.Box(0, 1, (rows, columns, planes + 1), np.int8)
        self._in_play = in_play(self.game, self.start)
        self.reset()

    def __repr__(self) -> str:
        return f"<NinefoldAECEnv of {self.game.id}: {self.agent_selection if self.agents else 'no one'} to act>"

    @property
    def position(self) -> Position:
        """Where the game stands.

        >>> game = env("classic")
        >>> game.step(4)
        >>> game.position.cells[4].name
        'X'
        """
        return self._in_play.position

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[_known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[_known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Back to the start, or to the position of ``options={"position": ...}``, which is a position or its text.
        Nothing in a game is random, so the seed changes nothing."""
        if seed is not None:
            as_integer("seed", seed)
        self._in_play.begin(start_from(self.game, self.start, options))
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[self._in_play.turn]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None

    def observe(self, agent: str) -> Observation:
        observed = self._in_play.observe(_NUMBERS[_known(agent)], self.terminations.get(agent, True))
        if self._is_grid:
            observed["observation"] = to_grid(observed["observation"])
        return observed

    def state(self) -> npt.NDArray[np.int8]:
        """The whole state, whoever looks: the planes of an observation with X first, and one plane more, which is 1
        while it is the turn of O."""
        turn = self._in_play.turn
        planes = self._in_play.observe(turn, False)["observation"]
        planes = turned(planes) if turn else planes
        planes = np.concatenate((planes, np.full((*planes.shape[:2], 1), turn, np.int8)), axis=2)
        return to_grid(planes) if self._is_grid else planes

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise RuntimeError(text("envs.ended"))
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        played = self._in_play.play(as_integer("action", action))
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards[agent] = 0.0
        if played:
            self._end(played, action)
            self._accumulate_rewards()
        self.agent_selection = _OTHER[agent]
        if self.render_mode == "human":
            self.render()

    def _end(self, played: int, action: Any) -> None:
        """The last move has ended the game, or an illegal one has forfeited it."""
        position, info = self.position, dict[str, str]()
        if played == REFUSED:
            winner: Side | None = position.turn.other
            info = {"forfeit": forfeits(self.game, position, action)}
        else:
            winner = WINNERS[played]
        if winner is not None:
            self.rewards = {agent: 1.0 if side is winner else -1.0 for agent, side in _SIDES.items()}
        self.terminations = dict.fromkeys(AGENTS, True)
        self.infos = {agent: dict(info) for agent in AGENTS}

    def render(self) -> Any:
        """The board, in the render mode."""
        return render(self.render_mode, self.game, self.position)

    def close(self) -> None:
        """There is nothing to close."""


def _known(agent: str) -> str:
    if agent not in AGENTS:
        raise ValueError(text("envs.agent", agent=repr(agent), agents=" ".join(AGENTS)))
    return agent


def env(
    game: str = "classic", render_mode: str | None = None, options: Options = None, layout: str = "boards"
) -> NinefoldAECEnv:
    """An environment of a game, with options of its rules.

    >>> print(env("swap-nine", render_mode="ansi").render())
     1 | 2 | 3
    -----------
     4 | 5 | 6
    -----------
     7 | 8 | 9
    """
    return NinefoldAECEnv(game, render_mode, options, layout)


raw_env = env  # PettingZoo's name for an environment without wrappers; this one needs none

for _id, _game in ids().items():
    register("aec", _id, "ninefold.envs.aec:env", kwargs={"game": _game.id})
