"""Gymnasium's vector environment on the batch core: many games from the agent's side, all stepped in arrays.

>>> import gymnasium
>>> import ninefold.envs.gym
>>> envs = gymnasium.make_vec("ninefold/swap-nine-v0", num_envs=1000, opponent="medium", side="toss")
>>> observations, infos = envs.reset(seed=1)
>>> observations["observation"].shape
(1000, 3, 3, 3)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ninefold.core import Unreadable, quoted
from ninefold.envs.batch import State, make
from ninefold.envs.gym import SIDES
from ninefold.envs.levels import Policy, policy
from ninefold.envs.seen import Observation, observation_space

Bools = npt.NDArray[np.bool_]
THEIRS_FIRST = {3: [1, 0, 2], 5: [1, 0, 3, 2, 4]}  # planes as the other side sees them, by how many there are


class Solos(VectorEnv[Observation, npt.NDArray[np.integer[Any]], npt.NDArray[Any]]):
    """Against ``random`` in every game, or a level of a small game. A game that has ended shows its end, and begins anew
    with the next step, whatever the action then (Gymnasium's ``NEXT_STEP``). An illegal action forfeits the game."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "classic",
        opponent: str = "random",
        side: str = "X",
        options: Mapping[str, str] | None = None,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if side not in SIDES:
            raise Unreadable("no_such_side", f"There is no side {quoted(side)}.", f"Sides: {' '.join(SIDES)}.")
        if render_mode is not None:
            raise ValueError("Many games at once cannot be rendered.")
        self.num_envs, self._choice, self._opponent = num_envs, side, opponent
        self.batch = make(game, resets=False, threads=threads, options=options)
        self._start = self.batch.game.begin(options)
        self.single_observation_space = observation_space(self.batch.game)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._reply: Policy = policy(self.batch, opponent, self._start, 0)
        self._fresh = self.state = self.batch.init(num_envs)
        self._turns = 0
        self.sides = self._toss()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self._reply = policy(self.batch, self._opponent, self._start, int(self.np_random.integers(2**31)))
        self.state, self._turns = self._fresh, 0
        self.sides = self._toss()
        self._let_reply(np.ones(self.num_envs, np.bool_))
        return self._observed(), {}

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[Observation, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        over = self.state.done
        played = self.batch.step(self.state, np.asarray(actions))
        self.state = _chosen(over, self._fresh, played)
        self.sides = np.where(over, self._toss(), self.sides)
        self._let_reply(~self.state.done)
        reward = self.state.reward * (1.0 - 2.0 * self.sides)
        return self._observed(), reward, self.state.done.copy(), np.zeros(self.num_envs, np.bool_), {}

    def _let_reply(self, going: Bools) -> None:
        """The opponent moves wherever it is its turn."""
        self._turns += 1
        waiting = going & (self.batch.view(self.state).turn != self.sides)
        if waiting.any():
            replied = self.batch.step(self.state, self._reply(self.state, self._turns))
            self.state = _chosen(waiting, replied, self.state)

    def _toss(self) -> npt.NDArray[np.int8]:
        if self._choice == "toss":
            return self.np_random.integers(2, size=self.num_envs, dtype=np.int8)
        return np.full(self.num_envs, SIDES.index(self._choice), np.int8)

    def _observed(self) -> Observation:
        """As the agents see it, whose turn it is wherever a game goes on. The end of a game is turned to them."""
        view = self.batch.view(self.state)
        planes, mask = view.observation.astype(np.int8), view.legal | self.state.done[:, None]
        turned = self.state.done & (view.turn != self.sides)
        planes[turned] = planes[turned][..., THEIRS_FIRST[planes.shape[-1]]]
        return {"observation": planes, "action_mask": mask.astype(np.int8)}


def _chosen(which: Bools, these: State, others: State) -> State:
    """Of every game, where it stands in the one state or in the other."""
    picked = (np.where(which.reshape(-1, *[1] * (a.ndim - 1)), a, b) for a, b in zip(these, others, strict=True))
    return State(*picked)
