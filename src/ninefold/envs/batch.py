"""Many games at once, as arrays. Nothing is hidden: a step is a function from a state and actions to a state.

>>> from ninefold.envs.batch import make
>>> env = make("classic")
>>> state = env.init(3)
>>> state = env.step(state, env.random_action(state, seed=1, counter=0))
>>> env.view(state).observation.shape
(3, 3, 3, 3)

The arrays are of any library of the array API standard, on any device it has. X and O are players 0 and 1, moves are
numbered as everywhere in Ninefold. An action that is not legal, whatever number it is, forfeits the game. Shapes, types
and devices are checked by all; whether positions can be positions of the game, by the native core alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.envs.arrays import Array, astype, check_device, device_of, is_integer, kind_of, put, rows, to_numpy, whole
from ninefold.envs.planes import shape_of
from ninefold.envs.start import Options, game_of, start_of


class State(NamedTuple):
    """Compact: what a step needs and gives.

    ``position`` is int32: of a small game the number of the position in its table, ``(N,)``; of squared and ultimate
    the eleven words of ``native/rules.hpp``, ``(N, 11)``. ``mask`` has the legal moves as bits of int32 words, the
    lowest move in the lowest bit. ``reward`` is X's, int8; O's has the other sign. ``done`` says that a game has ended
    with this step; with automatic reset, ``position`` and ``mask`` are then those of the next game.
    """

    position: Array
    mask: Array
    reward: Array
    done: Array


class View(NamedTuple):
    """Full: what networks want. Planes as the side to move sees them, the legal moves as bool, float32 rewards of X and
    of O, whether the game has ended, and whose turn it is."""

    observation: Array
    legal: Array
    rewards: Array
    done: Array
    turn: Array


class Rollout(NamedTuple):
    """Where random play has led; for each of the games, how many have ended on the way and X's rewards together."""

    state: State
    ended: Array
    score: Array


class Draw(NamedTuple):
    """Which random numbers: of a seed, at a counter, for games from a number on. Each is an int or an array of one."""

    seed: Any
    counter: Any
    first: Any


class Core(Protocol):
    """Who steps the games: arrays of any library, the native core, or a GPU. What comes in was checked."""

    def step(self, state: State, action: Array, out: State | None) -> State: ...
    def random_action(self, state: State, draw: Draw) -> Array: ...
    def random_step(self, state: State, draw: Draw, out: State | None) -> State: ...
    def rollout(self, state: State, steps: int, draw: Draw) -> Rollout: ...
    def view(self, state: State, out: View | None) -> View: ...


class Codec(Protocol):
    """How positions are written into arrays, each with its legal moves, and read back."""

    def write(self, positions: Sequence[Position]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
    def read(self, position: npt.NDArray[np.int32]) -> list[Position]: ...


class Batch:
    """A game, a library and a device. It holds tables and no games."""

    def __init__(
        self, game: Game, start: Position, codec: Codec, core: Core, library: ModuleType, device: Any, resets: bool
    ) -> None:
        self.game, self.library, self.device, self.resets = game, library, device, resets
        self.actions, self.observation_shape = len(game.paths), shape_of(game)
        self._codec, self._core, self.start = codec, core, start
        self._start = self.state_of([start])
        self._kind: Any = kind_of(library, self._start.position)
        self._here = device_of(self._start.position)

    def init(self, count: int) -> State:
        """So many games at their start."""
        if whole("The number of games", count) < 1:
            raise ValueError(f"A batch has at least one game, not {count}.")
        all_the_first = put(self.library, self.device, np.zeros(count, np.int32))
        return State(*(rows(self.library, array, all_the_first) for array in self._start))

    def step(self, state: State, action: Array, *, out: State | None = None) -> State:
        """One move in every game. The native core writes into the arrays of ``out``, where that is given: it may be
        ``state`` itself, and saves the time that new arrays take when they are large."""
        state = self._checked(state)
        return self._core.step(state, self._checked_actions(action, state), out)

    def random_action(self, state: State, *, seed: Any, counter: Any, first: Any = 0) -> Array:
        """A legal move of every game, each as likely as the others; 0 where there is none."""
        return self._core.random_action(self._checked(state), self._draw(seed, counter, first))

    def random_step(self, state: State, *, seed: Any, counter: Any, first: Any = 0, out: State | None = None) -> State:
        """The random action and the step with it, in one go."""
        return self._core.random_step(self._checked(state), self._draw(seed, counter, first), out)

    def rollout(self, state: State, steps: int, *, seed: Any, counter: Any = 0, first: Any = 0) -> Rollout:
        """So many random steps of every game: those of ``random_step`` with one counter after the other."""
        steps = whole("The number of steps", steps)
        if not 1 <= steps < 2**31:
            raise ValueError(f"A rollout has at least one step, and fewer than 2**31, not {steps}.")
        rollout = self._core.rollout(self._checked(state), steps, self._draw(seed, counter, first))
        if not self.resets:  # a game that has ended says so after every step, and ends but once
            going = self.library.any(state.mask != 0, axis=-1)
            rollout = rollout._replace(ended=astype(self.library, rollout.state.done & going, self.library.int32))
        return rollout

    def view(self, state: State, *, out: View | None = None) -> View:
        """The full outputs of a state. The native core writes them into ``out``, an older view of as many games, where
        that is given."""
        return self._core.view(self._checked(state), out)

    def positions(self, state: State) -> list[Position]:
        """Where the games stand, as positions that know their rules."""
        return self._codec.read(to_numpy(self._checked(state).position))

    def state_of(self, positions: Sequence[Position]) -> State:
        """Games that stand at these positions. ``done`` is what a step says, and so no game is: one that stands at its
        end has no legal moves, and begins anew with the next step, or stays without ``resets``."""
        self._check_positions(positions)
        position, mask = self._codec.write(positions)
        rest = np.zeros(len(positions), np.int8), np.zeros(len(positions), np.bool_)
        return State(*(put(self.library, self.device, array) for array in (position, mask, *rest)))

    def _check_positions(self, positions: Sequence[Position]) -> None:
        if isinstance(positions, str) or hasattr(positions, "why_not") or not isinstance(positions, Sequence):
            raise TypeError(f"Positions are a list of them, such as [game.begin()], not {positions!r}.")
        if not positions:
            raise ValueError("A batch has at least one game, not 0.")
        options = self.start.options
        for position in positions:
            if not hasattr(position, "why_not"):
                raise TypeError(f"A position is what game.begin() and game.parse(text) give, not {position!r}.")
            if type(position) is not type(self.start):
                raise NotAllowed("other_rules", f"This is a position of another game, not of {self.game.id}.")
            if position.options != options:
                theirs, ours = _told(position.options), _told(options)
                raise NotAllowed("other_rules", f"This position is played with {theirs}, the batch with {ours}.")

    def _checked(self, state: State) -> State:
        if not isinstance(state, State):
            raise TypeError(f"A state is what init and step give, not a {type(state).__name__}.")
        for name, array in zip(State._fields, state, strict=True):
            self._check_kind(f"state.{name}", array)
        count = math.prod(state.done.shape)
        for name, array, start in zip(State._fields, state, self._start, strict=True):
            _check_shape(f"state.{name}", array, (count, *start.shape[1:]))
            if array.dtype != start.dtype:
                raise TypeError(f"state.{name} is {start.dtype}, not {array.dtype}.")
        return state

    def _draw(self, seed: Any, counter: Any, first: Any) -> Draw:
        return Draw(self._number("The seed", seed), self._number("The counter", counter), self._number("first", first))

    def _number(self, what: str, number: Any) -> Any:
        """It may be an array of the library, so that a step that is compiled once takes any."""
        if self.library is np or not isinstance(number, self._kind):
            return whole(what, number)
        if tuple(number.shape) or not is_integer(number):
            raise TypeError(f"{what} is one integer, not {number.dtype} of the shape {tuple(number.shape)}.")
        return astype(self.library, number, self.library.int32)

    def _checked_actions(self, action: Array, state: State) -> Array:
        self._check_kind("The actions", action)
        _check_shape("The actions", action, tuple(state.done.shape))
        if not is_integer(action):
            raise TypeError(f"The actions are integers, one a game, not {action.dtype}.")
        return action

    def _check_kind(self, what: str, array: Any) -> None:
        if not isinstance(array, self._kind):
            raise TypeError(f"{what}: this batch is for arrays of {self.library.__name__}, not for a {_name(array)}.")
        there = device_of(array)
        if there is not None and there != self._here:
            raise ValueError(f"{what}: on {there}, but the batch is on {self._here}.")


def _check_shape(what: str, array: Array, shape: tuple[int, ...]) -> None:
    if tuple(array.shape) != shape:
        raise ValueError(f"{what}: the shape for {shape[0]} games is {shape}, not {tuple(array.shape)}.")


def _told(options: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


def _name(thing: object) -> str:
    return f"{type(thing).__module__}.{type(thing).__name__}"


def make(
    game: str | Game = "classic",
    library: ModuleType = np,
    *,
    device: Any = None,
    resets: bool = True,
    threads: int = 1,
    options: Options = None,
) -> Batch:
    """A batch of a game for arrays of a library on one of its devices.

    ``resets``: a game that has ended begins anew with the same step; without, it stays as it ended. ``threads`` are
    those of the native core, for many games on the CPU. ``options`` are options of the rules.
    """
    if not hasattr(library, "asarray"):
        name = getattr(library, "__name__", library)
        raise TypeError(f"The library is a module of arrays, such as numpy, torch or jax.numpy, not {name!r}.")
    if not isinstance(resets, bool):
        raise TypeError(f"resets is True or False, not {resets!r}.")
    if not 1 <= whole("The number of threads", threads) <= 256:
        raise ValueError(f"A batch has 1 to 256 threads, not {threads}.")
    check_device(library, device)
    chosen = game_of(game)
    start = start_of(chosen, options)
    if chosen.small:
        codec, core = _small(chosen, start, library, device, resets, threads)
    else:
        codec, core = _big(start, library, device, resets, threads)
    return Batch(chosen, start, codec, core, library, device, resets)


def _small(
    game: Game, start: Position, library: ModuleType, device: Any, resets: bool, threads: int
) -> tuple[Codec, Core]:
    from ninefold.envs.codec import TableCodec, tables_of
    from ninefold.envs.cuda_core import CudaTable, is_cuda
    from ninefold.envs.native_core import plays, table_core
    from ninefold.envs.table_core import ArrayTable

    tables = tables_of(game, start, resets)
    codec = TableCodec(tables)
    if library is np and plays(tables):
        return codec, table_core(tables, threads)
    kind = CudaTable if is_cuda(library, device) else ArrayTable
    return codec, kind(tables, library, device)


def _big(start: Position, library: ModuleType, device: Any, resets: bool, threads: int) -> tuple[Codec, Core]:
    from ninefold.envs.big_core import BigCodec, big_core

    return BigCodec(start), big_core(start, library, device, resets, threads)
