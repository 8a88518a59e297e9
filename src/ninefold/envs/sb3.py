"""Stable-Baselines3: many games of one agent as a ``VecEnv``, stepped as arrays, with masks for ``MaskablePPO``.

from sb3_contrib import MaskablePPO
from ninefold.envs.sb3 import NinefoldVecEnv

MaskablePPO("MlpPolicy", NinefoldVecEnv(256, "ultimate", opponent="easy")).learn(100_000)
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ninefold.core.messages import text
from ninefold.envs import needs
from ninefold.envs.policies import Policy
from ninefold.envs.start import Options, start_from
from ninefold.envs.vector import NinefoldVectorEnv

with needs():
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv

__all__ = ["NinefoldVecEnv"]

PER_GAME = ("action_masks",)  # methods that return something for every game
Indices = int | Iterable[int] | None


class NinefoldVecEnv(VecEnv):  # type: ignore[misc]  # Stable-Baselines3 is not installed where types are checked
    """The games of a ``NinefoldVectorEnv``. An observation is the planes alone; the legal actions are in
    ``action_masks``. Finished games are reported in the infos as SB3's ``Monitor`` does it.

    >>> envs = NinefoldVecEnv(4, "classic", opponent="random")
    >>> envs.reset().shape
    (4, 3, 3, 3)
    >>> observations, rewards, over, infos = envs.step(np.full(4, 4))
    >>> [int(mask.sum()) for mask in envs.env_method("action_masks")]
    [7, 7, 7, 7]
    """

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "classic",
        opponent: str | Policy = "random",
        side: str = "X",
        options: Options = None,
        threads: int | None = None,
        layout: str = "grid",
    ) -> None:
        self.envs: NinefoldVectorEnv = NinefoldVectorEnv(
            num_envs, game, opponent, side, options, threads, layout=layout, autoreset_mode="SameStep"
        )
        self._steps, self._begun = np.zeros(num_envs, np.int64), time.time()
        space: Any = self.envs.single_observation_space
        super().__init__(num_envs, space["observation"], self.envs.single_action_space)

    def reset(self) -> npt.NDArray[np.int8]:
        batch = self.envs.batch
        positions = [start_from(batch.game, batch.start, options) for options in self._options]
        asked = {"position": positions} if any(self._options) else None
        observed, _ = self.envs.reset(seed=self._seeds[0], options=asked)
        self._reset_seeds()
        self._reset_options()
        self._steps[:] = 0
        return observed["observation"]

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[Any]]:
        observed, rewards, done, _, final = self.envs.step(self._actions)
        self._steps += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for number in np.flatnonzero(done):
            infos[number] = {
                "terminal_observation": final["final_obs"][number]["observation"],
                "TimeLimit.truncated": False,
                "episode": {"r": float(rewards[number]), "l": int(self._steps[number]), "t": time.time() - self._begun},
            }
        self._steps[done] = 0
        return observed["observation"], rewards.astype(np.float32), done, infos

    def close(self) -> None:
        """There is nothing to close."""

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:  # noqa: ARG002 - SB3's signature
        raise AttributeError(text("envs.sb3_set", name=attr_name))

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        if method_name not in PER_GAME:
            raise AttributeError(text("envs.sb3_method", name=method_name, methods=" ".join(PER_GAME)))
        found = getattr(self.envs, method_name)(*args, **kwargs)
        return [found[number] for number in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """True for ``Monitor``, because games are reported as it reports them."""
        return [issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]
