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

from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.envs import needs
from ninefold.envs.arrays import as_integer
from ninefold.envs.observation import VERSION, Observation, forfeits, ids, observation_space, observe
from ninefold.envs.rendering import RENDER_MODES, checked_mode, render
from ninefold.envs.start import Options, game_of, start_of

with needs():
    from gymnasium import spaces
    from pettingzoo import AECEnv, register

AGENTS = ("player_0", "player_1")
_SIDES = dict(zip(AGENTS, Side, strict=True))


class NinefoldAECEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game between two agents. An illegal action forfeits it: -1 for the agent that made it, +1 for the other, and
    the reason in ``infos``."""

    def __init__(self, game: str = "classic", render_mode: str | None = None, options: Options = None) -> None:
        super().__init__()
        self.game = game_of(game)
        self.start = start_of(self.game, options)
        self.render_mode = checked_mode(render_mode)
        self.metadata = {
            "name": f"{self.game.id.replace('-', '_')}_v{VERSION}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: observation_space(self.game) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(len(self.game.paths)) for agent in AGENTS}
        self.reset()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[_known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[_known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo hands options to every reset; ours are chosen at the start
        """Back to the start. Nothing in a game is random, so the seed changes nothing."""
        if seed is not None:
            as_integer("seed", seed)
        self.position = self.start
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[self.position.turn]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None

    def observe(self, agent: str) -> Observation:
        return observe(self.game, self.position, _SIDES[_known(agent)], over=self.terminations.get(agent, True))

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise RuntimeError(text("envs.ended"))
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._act(action)
        self._accumulate_rewards()
        self.agent_selection = AGENTS[_SIDES[agent].other]
        if self.render_mode == "human":
            self.render()

    def _act(self, action: Any) -> None:
        why = forfeits(self.game, self.position, action)
        if why:
            self._end(self.position.turn.other, {"forfeit": why})
            return
        self.position = self.position.play(int(action))
        if outcome := self.position.outcome:
            self._end(outcome.winner, {})

    def _end(self, winner: Side | None, info: dict[str, str]) -> None:
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


def env(game: str = "classic", render_mode: str | None = None, options: Options = None) -> NinefoldAECEnv:
    """An environment of a game, with options of its rules."""
    return NinefoldAECEnv(game, render_mode, options)


raw_env = env  # PettingZoo's name for an environment without wrappers; this one needs none

for _id, _game in ids().items():
    register("aec", _id, "ninefold.envs.aec:env", kwargs={"game": _game.id})
