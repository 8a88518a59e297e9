"""Policies of the opponent in many games at once: ``random``, and the levels. Those of the small games are read from
their table, those of the big ones search in the native core, in several threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ninefold.analysis import engine
from ninefold.core.errors import Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.core.solver import solution_at
from ninefold.core.state_table import IN_PROGRESS, NONE
from ninefold.envs import counter_rng
from ninefold.envs.batch import Batch, BatchState
from ninefold.players.engine_levels import LEVELS
from ninefold.players.solved import RANDOM_SHARE

Actions = npt.NDArray[np.int32]
Policy = Callable[[BatchState, int], Actions]  # from a state and a counter, on which its random choices depend


def policy(batch: Batch, name: str, start: Position, seed: int, threads: int | None = None) -> Policy:
    """The policy of the player of this name in a batch of NumPy arrays. Levels of the big games search in so many
    threads; None is one for every core."""
    if name == "random":
        return _at_random(batch, seed)
    if name not in level_names(batch.game):
        players = " ".join(("random", *level_names(batch.game)))
        raise Unreadable("no_such_player.batch", game=batch.game.title, name=quoted(str(name)), players=players)
    if batch.game.small:
        return _solved(batch, name, start, seed)
    return _searched(name, start, seed, core_count() if threads is None else threads)


def level_names(game: Game) -> tuple[str, ...]:
    return tuple(RANDOM_SHARE) if game.small else tuple(LEVELS)


def _at_random(batch: Batch, seed: int) -> Policy:
    def act(state: BatchState, counter: int) -> Actions:
        actions: Actions = batch.random_action(state, seed=seed, counter=counter)
        return actions

    return act


def _solved(batch: Batch, name: str, start: Position, seed: int) -> Policy:
    """A level of a small game: its sharpest moves, and a share of random ones."""
    at_random = _at_random(batch, seed)
    sharp, share = sharpest(batch.game, start), int(RANDOM_SHARE[name] * 2**16)

    def act(state: BatchState, counter: int) -> Actions:
        games = np.arange(len(state.position), dtype=np.int32)
        chance = counter_rng.random_bits(counter_rng.counter_key(seed + 1, counter), games) & 0xFFFF
        rank = counter_rng.random_below(
            counter_rng.random_bits(counter_rng.counter_key(seed + 2, counter), games), sharp.counts[state.position]
        )
        return np.where(chance < share, at_random(state, counter), sharp.ranked[state.position, rank])

    return act


def _searched(name: str, start: Position, seed: int, threads: int) -> Policy:
    """A level of a big game: the search of its player, with random errors of the scores."""
    level = engine.level_batch(engine.rule_set(start), *LEVELS[name], threads)

    def act(state: BatchState, counter: int) -> Actions:
        action = np.empty(len(state.done), np.int32)
        position, mask = np.ascontiguousarray(state.position), np.ascontiguousarray(state.mask)
        level.choose(position, mask, seed % counter_rng.WORD, counter % counter_rng.WORD, 0, action)
        return action

    return act


def core_count() -> int:
    """The cores that this process may use, at most as many as a batch has threads."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, 256)


class SharpMoves(NamedTuple):
    """The sharpest moves of every state, and their number. The last two states are forfeits and have none."""

    ranked: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]


@cache
def sharpest(game: Game, start: Position) -> SharpMoves:
    """The moves that ``players.solved.sharpest`` returns, for all states of a table at once: of the best moves,
    those that leave the opponent the largest share of mistakes."""
    solution, _ = solution_at(game, start)
    table = solution.table
    states, width = len(table.states), table.width
    successor = np.frombuffer(table.successor, np.int32).reshape(states, width)
    legal = successor != NONE
    side = 1 - 2 * np.frombuffer(table.side, np.int8).astype(np.int32)
    sign = np.frombuffer(solution.value, np.int8)[successor] * side[:, None]
    distance = np.frombuffer(solution.distance, np.int16).astype(np.int32)[successor]
    best = _highest(sign * (1000 - distance), legal)
    mistakes = (legal & ~_highest(sign, legal)).sum(axis=1) / np.maximum(legal.sum(axis=1), 1)
    going = np.frombuffer(table.result, np.int8) == IN_PROGRESS
    chosen = _highest(np.where(going, mistakes, 0)[successor], best)
    chosen = np.concatenate((chosen, np.zeros((2, width), np.bool_)))
    order = np.argsort(~chosen, axis=1, kind="stable").astype(np.int32)
    return SharpMoves(order, chosen.sum(axis=1, dtype=np.int32))


def _highest(values: npt.NDArray[np.generic], among: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """In every row, the columns of the highest value among these."""
    shown = np.where(among, values, -np.inf)
    found: npt.NDArray[np.bool_] = among & (shown == shown.max(axis=1, keepdims=True))
    return found
