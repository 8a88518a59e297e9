"""Estimates by Monte Carlo tree search (UCT with random playouts), where there is no native engine."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import NamedTuple

from ninefold.core.position import Position
from ninefold.core.random_choice import pick, shuffle

EXPLORATION = 1.0


class Estimate(NamedTuple):
    """A move, the points it is expected to bring (1 a win, 0 a loss), and how often it was tried."""

    move: int
    points: float
    visits: int


class _Node:
    """``points`` are for the side that moved here."""

    __slots__ = ("children", "points", "position", "untried", "visits")

    def __init__(self, position: Position, rng: Random) -> None:
        self.position = position
        self.visits = 0
        self.points = 0.0
        self.children: dict[int, _Node] = {}
        self.untried = list(position.moves())
        shuffle(rng, self.untried)

    def most_promising(self) -> _Node:
        wide = log(self.visits)
        return max(
            self.children.values(),
            key=lambda child: child.points / child.visits + EXPLORATION * sqrt(wide / child.visits),
        )


def estimate(position: Position, simulations: int, rng: Random) -> list[Estimate]:
    """The moves of a position with what they are worth to the side to move, most tried first."""
    root = _Node(position, rng)
    for _ in range(max(simulations, len(root.untried))):
        _simulate(root, rng)
    found = [Estimate(move, child.points / child.visits, child.visits) for move, child in root.children.items()]
    return sorted(found, key=lambda one: (-one.visits, -one.points, one.move))


def _simulate(root: _Node, rng: Random) -> None:
    path = [root]
    node = root
    while not node.untried and node.children:
        node = node.most_promising()
        path.append(node)
    if node.untried:
        move = node.untried.pop()
        node.children[move] = _Node(node.position.play(move), rng)
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
