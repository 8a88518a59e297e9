"""Many games at once, as arrays. There is no hidden state: a step is a function from a state and actions to a state.

>>> from ninefold.envs.batch import make
>>> env = make("classic")
>>> state = env.init(3)
>>> state = env.step(state, env.random_action(state, seed=1, counter=0))
>>> env.view(state).observation.shape
(3, 3, 3, 3)

The arrays are of any library of the array API standard, on any of its devices. X and O are players 0 and 1; moves are
numbered as everywhere in Ninefold. An illegal action, whatever number it is, forfeits the game. Shapes, types and
devices are always checked; impossible positions are refused by the native core only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ninefold.core.game import Game
from ninefold.core.integers import as_integer
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.envs.arrays import (
    Array,
    array_class,
    astype,
    check_device,
    device_of,
    is_integer,
    library_named,
    put,
    take_rows,
    to_numpy,
)
from ninefold.envs.planes import shape_of
from ninefold.envs.start import Options, check_rules, game_of, start_of

__all__ = ["Batch", "BatchState", "BatchView", "Rollout", "make"]


class BatchState(NamedTuple):
    """The compact state of many games: the input and the output of a step.

    ``position`` is int32: in a small game the number of the position in its table, ``(N,)``; in squared and ultimate
    the eleven words of a ``Position`` in ``native/rules.hpp``, ``(N, 11)``. ``mask`` has the legal moves as bits of
    int32 words, the lowest move in the lowest bit. ``reward`` is the reward of X, int8; that of O has the other sign.
    ``done`` is true for games that ended with this step; with ``resets``, ``position`` and ``mask`` are then those of
    the next game.

    >>> state = make("classic").init(3)
    >>> state.mask.tolist(), state.done.tolist()
    ([[511], [511], [511]], [False, False, False])
    """

    position: Array
    mask: Array
    reward: Array
    done: Array


class BatchView(NamedTuple):
    """The full outputs, as networks need them: planes as the side to move sees them, the legal moves as bool, float32
    rewards of X and of O, whether the game has ended, and the side to move.

    >>> batch = make("ultimate")
    >>> view = batch.view(batch.init(2))
    >>> view.observation.shape, view.legal.sum(axis=1).tolist(), view.turn.tolist()
    ((2, 9, 9, 5), [81, 81], [0, 0])
    """

    observation: Array
    legal: Array
    rewards: Array
    done: Array
    turn: Array


class Rollout(NamedTuple):
    """The state after many random steps; for each place, how many games have ended and the sum of the rewards of X.

    >>> batch = make("swap-nine")
    >>> rollout = batch.rollout(batch.init(10), 18, seed=1)  # a game has nine moves
    >>> rollout.ended.tolist()
    [2, 2, 2, 2, 2, 2, 2, 2, 2, 2]
    """

    state: BatchState
    ended: Array
    score: Array


class RandomKey(NamedTuple):
    """A stream of random numbers: those of a seed at a counter, for games numbered from ``first`` on. Each is an int or
    an array of one."""

    seed: Any
    counter: Any
    first: Any


class BatchCore(Protocol):
    """Steps the games: arrays of any library, the native core, or a GPU. Its arguments have been checked."""

    def step(self, state: BatchState, action: Array, out: BatchState | None) -> BatchState: ...
    def random_action(self, state: BatchState, key: RandomKey) -> Array: ...
    def random_step(self, state: BatchState, draw: RandomKey, out: BatchState | None) -> BatchState: ...
    def rollout(self, state: BatchState, steps: int, key: RandomKey) -> Rollout: ...
    def view(self, state: BatchState, out: BatchView | None) -> BatchView: ...


class PositionCodec(Protocol):
    """Writes positions into arrays, with their legal moves, and reads them back."""

    def write(self, positions: Sequence[Position]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
    def read(self, position: npt.NDArray[np.int32]) -> list[Position]: ...


class Batch:
    """Many games of one kind, in arrays of a library on a device. It holds tables but no games.

    >>> batch = make("classic")
    >>> batch.actions, batch.observation_shape
    (9, (3, 3, 3))
    >>> state = batch.step(batch.init(2), np.array([4, 0]))
    >>> [str(position).split()[0] for position in batch.positions(state)]
    ['.../.X./...', 'X../.../...']
    """

    game: Game
    library: ModuleType
    device: Any
    resets: bool
    actions: int
    observation_shape: tuple[int, int, int]
    start: Position

    def __init__(
        self,
        game: Game,
        start: Position,
        codec: PositionCodec,
        core: BatchCore,
        library: ModuleType,
        device: Any,
        resets: bool,
    ) -> None:
        from ninefold.envs.traceable import SingleGameCore

        self.game, self.library, self.device, self.resets = game, library, device, resets
        self.actions, self.observation_shape = len(game.paths), shape_of(game)
        self._codec, self._core, self.start = codec, core, start
        self._single = SingleGameCore(core, library)
        self._start = self.state_of([start])
        self._array_class: Any = array_class(library, self._start.position)
        self._device = device_of(self._start.position)
        self.made_with: tuple[Any, ...] = ()  # the arguments of make

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_again, self.made_with

    def __repr__(self) -> str:
        return f"<Batch of {self.game.id} in {self.library.__name__}>"

    def init(self, count: int) -> BatchState:
        """This number of games at their start.

        >>> make("classic").init(1000).position.shape
        (1000,)
        """
        if as_integer("count", count) < 1:
            raise ValueError(text("envs.games", count=count))
        first_row = put(self.library, self.device, np.zeros(count, np.int32))
        return BatchState(*(take_rows(self.library, array, first_row) for array in self._start))

    def step(self, state: BatchState, action: Array, *, out: BatchState | None = None) -> BatchState:
        """One move in every game. The native core writes into the arrays of ``out``, if it is given: it may be
        ``state`` itself, and saves the time that new large arrays take.

        >>> batch = make("classic", resets=False)
        >>> state = batch.state_of([batch.game.parse("XX./OO./... X")])
        >>> state = batch.step(state, np.array([2]))
        >>> state.reward.tolist(), state.done.tolist()
        ([1], [True])
        """
        state = self._checked(state)
        return self._core_for(state).step(state, self._checked_actions(action, state), out)

    def random_action(self, state: BatchState, *, seed: Any, counter: Any, first: Any = 0) -> Array:
        """A legal move of every game, chosen uniformly; 0 where there is none.

        >>> batch = make("classic")
        >>> state = batch.init(4)
        >>> action = batch.random_action(state, seed=1, counter=0)
        >>> action.shape, bool((batch.random_action(state, seed=1, counter=0) == action).all())
        ((4,), True)
        """
        core = self._core_for(self._checked(state))
        return core.random_action(state, self._random_key(seed, counter, first))

    def random_step(
        self, state: BatchState, *, seed: Any, counter: Any, first: Any = 0, out: BatchState | None = None
    ) -> BatchState:
        """A random action and the step with it, in one call.

        >>> batch = make("classic")
        >>> state = batch.random_step(batch.init(4), seed=1, counter=0)
        >>> [len(position.moves()) for position in batch.positions(state)]
        [8, 8, 8, 8]
        """
        core = self._core_for(self._checked(state))
        return core.random_step(state, self._random_key(seed, counter, first), out)

    def rollout(self, state: BatchState, steps: int, *, seed: Any, counter: Any = 0, first: Any = 0) -> Rollout:
        """Many random steps of every game: those of ``random_step`` with one counter after the other.

        >>> batch = make("swap-nine")
        >>> int(batch.rollout(batch.init(100), 9, seed=1).ended.sum())
        100
        """
        steps = as_integer("steps", steps)
        if not 1 <= steps < 2**31:
            raise ValueError(text("envs.steps", steps=steps))
        core = self._core_for(self._checked(state))
        rollout = core.rollout(state, steps, self._random_key(seed, counter, first))
        if not self.resets:  # an ended game is done after every step, but ends only once
            going = self.library.any(state.mask != 0, axis=-1)
            rollout = rollout._replace(ended=astype(self.library, rollout.state.done & going, self.library.int32))
        return rollout

    def view(self, state: BatchState, *, out: BatchView | None = None) -> BatchView:
        """The full outputs of a state. The native core writes them into ``out``, an older view of as many games, if it
        is given.

        >>> batch = make("classic")
        >>> batch.view(batch.init(2)).legal.all().tolist()
        True
        """
        return self._core_for(self._checked(state)).view(state, out)

    def positions(self, state: BatchState) -> list[Position]:
        """The positions of the games, which know their rules.

        >>> batch = make("classic")
        >>> batch.positions(batch.init(1)) == [batch.game.begin()]
        True
        """
        return self._codec.read(to_numpy(self._checked(state).position))

    def state_of(self, positions: Sequence[Position]) -> BatchState:
        """Games at these positions. ``done`` is a result of a step, so it is false: a game at its end has no legal
        moves, and is reset by the next step, or stays without ``resets``.

        >>> batch = make("classic")
        >>> state = batch.state_of([batch.game.begin().play(4)])
        >>> batch.view(state).legal[0].tolist()
        [True, True, True, True, False, True, True, True, True]
        """
        self._check_positions(positions)
        position, mask = self._codec.write(positions)
        rest = np.zeros(len(positions), np.int8), np.zeros(len(positions), np.bool_)
        return BatchState(*(put(self.library, self.device, array) for array in (position, mask, *rest)))

    def _core_for(self, state: BatchState) -> BatchCore:
        return self._core if state.done.shape else self._single

    def _check_positions(self, positions: Sequence[Position]) -> None:
        if isinstance(positions, str) or hasattr(positions, "why_not") or not isinstance(positions, Sequence):
            raise TypeError(text("envs.positions", value=repr(positions)))
        if not positions:
            raise ValueError(text("envs.games", count=0))
        for position in positions:
            check_rules(self.game, self.start, position)

    def _checked(self, state: BatchState) -> BatchState:
        if not isinstance(state, BatchState):
            raise TypeError(text("envs.state", found=type(state).__name__))
        for name, array in zip(BatchState._fields, state, strict=True):
            self._check_array(f"state.{name}", array)
        games = (math.prod(state.done.shape),) if state.done.shape else ()
        for name, array, start in zip(BatchState._fields, state, self._start, strict=True):
            _check_shape(f"state.{name}", array, (*games, *start.shape[1:]), games)
            if array.dtype != start.dtype:
                raise TypeError(text("envs.dtype", name=f"state.{name}", dtype=start.dtype, found=array.dtype))
        return state

    def _random_key(self, seed: Any, counter: Any, first: Any) -> RandomKey:
        return RandomKey(self._number("seed", seed), self._number("counter", counter), self._number("first", first))

    def _number(self, name: str, number: Any) -> Any:
        """It may be an array of the library, so that a compiled step takes any number."""
        if self.library is np or not isinstance(number, self._array_class):
            return as_integer(name, number)
        if tuple(number.shape) or not is_integer(number):
            raise TypeError(text("envs.one_integer", name=name, dtype=number.dtype, shape=tuple(number.shape)))
        return astype(self.library, number, self.library.int32)

    def _checked_actions(self, action: Array, state: BatchState) -> Array:
        self._check_array("action", action)
        _check_shape("action", action, tuple(state.done.shape), state.done.shape)
        if not is_integer(action):
            raise TypeError(text("envs.integers", name="action", found=action.dtype))
        return action

    def _check_array(self, name: str, array: Any) -> None:
        if not isinstance(array, self._array_class):
            found = f"{type(array).__module__}.{type(array).__name__}"
            raise TypeError(text("envs.array_class", name=name, library=self.library.__name__, found=found))
        device = device_of(array)
        if device is not None and device != self._device:
            raise ValueError(text("envs.other_device", name=name, found=device, device=self._device))


def _check_shape(name: str, array: Array, shape: tuple[int, ...], games: tuple[int, ...]) -> None:
    if tuple(array.shape) != shape:
        code = "envs.shape" if games else "envs.shape.one"
        raise ValueError(text(code, name=name, games=math.prod(games), shape=shape, found=tuple(array.shape)))


def make(
    game: str | Game = "classic",
    library: ModuleType = np,
    *,
    device: Any = None,
    resets: bool = True,
    threads: int = 1,
    options: Options = None,
) -> Batch:
    """A batch of a game, for arrays of a library on one of its devices.

    With ``resets`` a game that ends is reset by the same step; without, it stays as it ended. ``threads`` are those of
    the native core, for many games on the CPU. ``options`` are options of the rules.

    >>> batch = make("ultimate", options={"first": "O"})
    >>> batch.view(batch.init(1)).turn.tolist()
    [1]
    """
    if not hasattr(library, "asarray"):
        raise TypeError(text("envs.library", value=repr(getattr(library, "__name__", library))))
    if not isinstance(resets, bool):
        raise TypeError(text("envs.bool", name="resets", value=repr(resets)))
    if not 1 <= as_integer("threads", threads) <= 256:
        raise ValueError(text("envs.threads", threads=threads))
    check_device(library, device)
    chosen = game_of(game)
    start = start_of(chosen, options)
    if chosen.small:
        codec, core = _small(chosen, start, library, device, resets, threads)
    else:
        codec, core = _big(start, library, device, resets, threads)
    batch = Batch(chosen, start, codec, core, library, device, resets)
    batch.made_with = (chosen, library.__name__, device, resets, threads, options)
    return batch


def _make_again(game: Game, library: str, device: Any, resets: bool, threads: int, options: Options) -> Batch:
    """The batch that was pickled: it has no games, only what it was made with."""
    return make(game, library_named(library), device=device, resets=resets, threads=threads, options=options)


def _small(
    game: Game, start: Position, library: ModuleType, device: Any, resets: bool, threads: int
) -> tuple[PositionCodec, BatchCore]:
    from ninefold.envs.codec import TableCodec, tables_of
    from ninefold.envs.cuda_core import CudaTableCore, is_cuda
    from ninefold.envs.native_core import plays, table_core
    from ninefold.envs.table_core import ArrayTableCore

    tables = tables_of(game, start, resets)
    codec = TableCodec(tables)
    if library is np and plays(tables):
        return codec, table_core(tables, threads)
    core = CudaTableCore if is_cuda(library, device) else ArrayTableCore
    return codec, core(tables, library, device)


def _big(
    start: Position, library: ModuleType, device: Any, resets: bool, threads: int
) -> tuple[PositionCodec, BatchCore]:
    from ninefold.envs.big_core import BigCodec, big_core

    return BigCodec(start), big_core(start, library, device, resets, threads)
