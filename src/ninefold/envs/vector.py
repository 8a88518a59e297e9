"""Gymnasium's vector environment over a batch: one agent in many games, which are stepped as arrays.

>>> import gymnasium
>>> import ninefold.envs.gym
>>> envs = gymnasium.make_vec("ninefold/swap-nine-v0", num_envs=1000, opponent="medium", side="toss")
>>> observations, infos = envs.reset(seed=1)
>>> observations["observation"].shape
(1000, 3, 3, 3)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.core.messages import text
from ninefold.envs import needs
from ninefold.envs.batch import BatchState, make
from ninefold.envs.observation import SIDES, Observation, checked_side, observation_space
from ninefold.envs.planes import turned
from ninefold.envs.policies import Policy, policy
from ninefold.envs.start import Options, start_of

with needs():
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Bools = npt.NDArray[np.bool_]


class NinefoldVectorEnv(VectorEnv[Observation, npt.NDArray[np.integer[Any]], npt.NDArray[Any]]):
    """One agent in many games, against ``random``, a level of a small game, or any function from the state of the batch
    and a counter to actions. A game that has ended is reset by the next step, whatever its action (Gymnasium's
    ``NEXT_STEP``). An illegal action forfeits the game."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "classic",
        opponent: str | Policy = "random",
        side: str = "X",
        options: Options = None,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(text("envs.no_rendering"))
        self.num_envs, self._choice, self._opponent = num_envs, checked_side(side), opponent
        self.batch = make(game, resets=False, threads=threads, options=options)
        self._start = start_of(self.batch.game, options)
        self._fresh = self.batch.init(num_envs)
        self.single_observation_space = observation_space(self.batch.game)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.reset()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self._reply = self._policy(int(self.np_random.integers(2**31)))
        self.state, self.sides, self._turns = self._fresh, self._toss(), 0
        self._let_opponent_move()
        return self._observed(), {}

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[Observation, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        over = self.state.done
        self.state = _select(over, self._fresh, self.batch.step(self.state, np.asarray(actions)))
        self.sides = np.where(over, self._toss(), self.sides)
        self._let_opponent_move()
        reward = self.state.reward * (1.0 - 2.0 * self.sides)
        return self._observed(), reward, self.state.done.copy(), np.zeros(self.num_envs, np.bool_), {}

    def _let_opponent_move(self) -> None:
        """The opponent moves in the games where it is its turn."""
        self._turns += 1
        waiting = ~self.state.done & (self.batch.view(self.state).turn != self.sides)
        if waiting.any():
            replied = self.batch.step(self.state, self._reply(self.state, self._turns))
            self.state = _select(waiting, replied, self.state)

    def _policy(self, seed: int) -> Policy:
        if callable(self._opponent):
            return self._opponent
        return policy(self.batch, self._opponent, self._start, seed)

    def _toss(self) -> npt.NDArray[np.int8]:
        if self._choice == "toss":
            return self.np_random.integers(2, size=self.num_envs, dtype=np.int8)
        return np.full(self.num_envs, SIDES.index(self._choice), np.int8)

    def _observed(self) -> Observation:
        """The observations of the agent, who is to move in every game that goes on. Ended games are turned to its
        side."""
        view, over = self.batch.view(self.state), self.state.done
        planes, mask = view.observation.view(np.int8), view.legal | over[:, None]
        theirs = over & (view.turn != self.sides)
        planes[theirs] = turned(planes[theirs])
        return {"observation": planes, "action_mask": mask.view(np.int8)}


def _select(which: Bools, these: BatchState, others: BatchState) -> BatchState:
    """For every game, its state in the first or in the second of two states."""
    picked = (np.where(which.reshape(-1, *[1] * (a.ndim - 1)), a, b) for a, b in zip(these, others, strict=True))
    return BatchState(*picked)
