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

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.envs import needs
from ninefold.envs.batch import BatchState, make
from ninefold.envs.codec import tables_of
from ninefold.envs.grid import checked_layout, to_grid
from ninefold.envs.observation import SIDES, Observation, checked_side, observation_space
from ninefold.envs.planes import turned
from ninefold.envs.policies import Policy, policy
from ninefold.envs.start import Options, duel_from, start_of

with needs():
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

__all__ = ["NinefoldVectorEnv"]

Bools = npt.NDArray[np.bool_]
AUTORESET_MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
TURN_BIT = 24  # of the last word of a position of native/rules.hpp


class NinefoldVectorEnv(VectorEnv[Observation, npt.NDArray[np.integer[Any]], npt.NDArray[Any]]):
    """One agent in many games, against ``random``, a level, or any function from the state of the batch and a counter
    to actions. A game that has ended is reset by the next step, whatever its action (``AutoresetMode.NEXT_STEP``), or
    by the same step (``SAME_STEP``). An illegal action forfeits the game. ``threads`` are those of the native core; by
    default steps have one, and levels of the big games, which search, have one for every core.

    >>> envs = NinefoldVectorEnv(100, "classic", opponent="random")
    >>> observations, infos = envs.reset(seed=1)
    >>> actions = observations["action_mask"].argmax(axis=1)
    >>> observations, rewards, over, truncated, infos = envs.step(actions)
    >>> rewards.shape, bool(over.any())
    ((100,), False)
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012 - Gymnasium declares it so

    state: BatchState

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "classic",
        opponent: str | Policy = "random",
        side: str = "X",
        options: Options = None,
        threads: int | None = None,
        render_mode: str | None = None,
        layout: str = "boards",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        if render_mode is not None:
            raise ValueError(text("envs.no_rendering"))
        self.num_envs, self._choice, self._opponent = num_envs, checked_side(side), opponent
        self._threads, self._is_grid = threads, checked_layout(layout) == "grid"
        self.metadata = {**self.metadata, "autoreset_mode": _checked_mode(autoreset_mode)}
        self._resets_at_once = self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        self.batch = make(game, resets=False, threads=1 if threads is None else threads, options=options)
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
        """Begin all games: at the start, or at the position of ``options={"position": ...}``, which is a position, its
        text, or a list of one for each game. Games that are reset later begin at the start."""
        begun = self._begun(options)
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(2**31))
        self._reply = self._policy()
        self.state, self.sides, self._turns = begun, self._toss(), 0
        self._let_opponent_move()
        self._last = self._observed()
        return self._last, {}

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[Observation, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        over = self.state.done
        self.state = self.batch.step(self.state, np.asarray(actions))
        self._begin_again(over)
        self._let_opponent_move()
        reward, done = self.state.reward * (1.0 - 2.0 * self.sides), self.state.done.copy()
        self._last, infos = self._observed(), dict[str, Any]()
        if self._resets_at_once and done.any():
            infos = _final(self._last, done)
            self._begin_again(done)
            self._let_opponent_move()
            self._last = self._observed()
        return self._last, reward, done, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> Bools:
        """The legal actions of every game, as ``MaskablePPO`` of sb3-contrib asks for them.

        >>> envs = NinefoldVectorEnv(2, "classic")
        >>> observations, infos = envs.reset(seed=1)
        >>> envs.action_masks().sum(axis=1).tolist()
        [9, 9]
        """
        return self._last["action_mask"].view(np.bool_)

    def _begun(self, options: Any) -> BatchState:
        """The games at the positions that options of a reset ask for."""
        given = options.get("position") if isinstance(options, dict) else None
        if isinstance(given, list):
            if len(given) != self.num_envs:
                raise ValueError(text("envs.position_count", games=self.num_envs, count=len(given)))
            return self.batch.state_of([self._position({"position": one}) for one in given])
        start = self._position(options)
        return self._fresh if start == self._start else self.batch.state_of([start] * self.num_envs)

    def _position(self, options: Any) -> Position:
        return duel_from(self.batch.game, self._start, options, self._choice)

    def _begin_again(self, which: Bools) -> None:
        """Put these games back to the start, with a side of the agent."""
        if which.any():
            self.state = _select(which, self._fresh, self.state)
        self.sides = np.where(which, self._toss(), self.sides)

    def _let_opponent_move(self) -> None:
        """The opponent moves in the games where it is its turn."""
        self._turns += 1
        waiting = ~self.state.done & (self._turn() != self.sides)
        if waiting.any():
            asked = self.state if callable(self._opponent) else _with_moves_of(waiting, self.state)
            replied = self.batch.step(self.state, self._reply(asked, self._turns))
            self.state = replied if waiting.all() else _select(waiting, replied, self.state)

    def _turn(self) -> npt.NDArray[np.integer[Any]]:
        """The side to move in every game; a view would have it too, with everything else."""
        if self.batch.game.small:
            return tables_of(self.batch.game, self._start, False).turn[self.state.position]
        turn: npt.NDArray[np.int32] = self.state.position[:, -1] >> TURN_BIT
        return turn

    def _policy(self) -> Policy:
        if callable(self._opponent):
            return self._opponent
        return policy(self.batch, self._opponent, self._start, self._seed, self._threads)

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
        return {"observation": to_grid(planes) if self._is_grid else planes, "action_mask": mask.view(np.int8)}

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the policy, which may be a function that cannot be pickled, and is made anew by its name."""
        return {name: value for name, value in vars(self).items() if name != "_reply"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._reply = self._policy()


def _checked_mode(mode: str | AutoresetMode) -> AutoresetMode:
    if mode in AUTORESET_MODES:
        return AutoresetMode(mode)
    if mode in (names := [known.value for known in AUTORESET_MODES]):
        return AutoresetMode(mode)
    raise Unreadable("no_such_autoreset_mode", mode=quoted(str(mode)), modes=" ".join(names))


def _final(observed: Observation, done: Bools) -> dict[str, Any]:
    """The last observations of games that were reset by the same step, as Gymnasium's own vectors have them."""
    final = np.full(len(done), None, object)
    for number in np.flatnonzero(done):
        final[number] = {name: array[number] for name, array in observed.items()}
    return {"final_obs": final, "_final_obs": done.copy(), "final_info": {}, "_final_info": done.copy()}


def _with_moves_of(which: Bools, state: BatchState) -> BatchState:
    """The state with legal moves in these games only: a level searches no others."""
    return state if which.all() else state._replace(mask=np.where(which[:, None], state.mask, 0))


def _select(which: Bools, these: BatchState, others: BatchState) -> BatchState:
    """For every game, its state in the first or in the second of two states."""
    picked = (np.where(which.reshape(-1, *[1] * (a.ndim - 1)), a, b) for a, b in zip(these, others, strict=True))
    return BatchState(*picked)
