"""Monte Carlo tree search: UCT with random playouts, by the native core or, where there is none, in Python."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from random import Random
from typing import NamedTuple

from ninefold.core.position import Position
from ninefold.core.random_choice import pick, shuffle

EXPLORATION = 1.0  # on points from 0 to 1; the same as 2 on values from -1 to 1


class Estimate(NamedTuple):
    """A move, its expected points (1 for a win, 0 for a loss), and its visits."""

    move: int
    points: float
    visits: int


class _SearchNode:
    """A node of the tree. ``points`` are for the side that made the move into it."""

    __slots__ = ("children", "points", "position", "untried", "visits")

    def __init__(self, position: Position, rng: Random) -> None:
        self.position = position
        self.visits = 0
        self.points = 0.0
        self.children: dict[int, _SearchNode] = {}
        self.untried = list(position.moves())
        shuffle(rng, self.untried)

    def best_child(self) -> _SearchNode:
        log_visits = log(self.visits)
        return max(
            self.children.values(),
            key=lambda child: child.points / child.visits + EXPLORATION * sqrt(log_visits / child.visits),
        )


def estimate(
    position: Position, simulations: int, rng: Random, should_continue: Callable[[], bool] | None = None
) -> list[Estimate]:
    """The moves of a position with their expected points for the side to move, most visited first. Every move is
    visited at least once, unless ``should_continue`` stops the search: then some may be missing."""
    root = _SearchNode(position, rng)
    for _ in range(max(simulations, len(root.untried))):
        _simulate(root, rng)
        if should_continue and not should_continue():
            break
    found = [Estimate(move, child.points / child.visits, child.visits) for move, child in root.children.items()]
    return _ranked(found)


def fast_estimate(
    position: Position,
    simulations: int,
    rng: Random,
    should_continue: Callable[[], bool] | None = None,
    *,
    until_decided: bool = False,
) -> list[Estimate]:
    """The same search by the native core, where it is installed and knows the game; other random numbers are used. With
    ``until_decided`` the core ends it as soon as the first move is certain."""
    from ninefold.analysis import engine

    if not engine.plays(position):
        return estimate(position, simulations, rng, should_continue)
    found = engine.mcts(
        position,
        max(simulations, len(position.moves())),
        seed=int(rng.random() * 2**53),
        exploration=2 * EXPLORATION,
        should_continue=should_continue,
        until_decided=until_decided,
    )
    return _ranked([Estimate(move, (1 + total / visits) / 2, visits) for move, visits, total in found])


def _ranked(found: list[Estimate]) -> list[Estimate]:
    return sorted(found, key=lambda one: (-one.visits, -one.points, one.move))


def _simulate(root: _SearchNode, rng: Random) -> None:
    path = [root]
    node = root
    while not node.untried and node.children:
        node = node.best_child()
        path.append(node)
    if node.untried:
        move = node.untried.pop()
        node.children[move] = _SearchNode(node.position.play(move), rng)
        path.append(node.children[move])
    points = _playout(path[-1].position, rng)
    for parent, node in zip([root, *path], path, strict=False):
        node.visits += 1
        node.points += points[parent.position.turn]


def _playout(position: Position, rng: Random) -> tuple[float, float]:
    """Points for X and for O at the end of a random game."""
    while moves := position.moves():
        position = position.play(pick(rng, moves))
    winner = position.outcome.winner if position.outcome else None
    return (0.5, 0.5) if winner is None else (1.0 - winner, float(winner))
