"""The player ``alphazero:FILE``: Monte Carlo tree search in which a network chooses what to look at and judges it.

It needs NumPy and a file that ``ninefold train alphazero`` writes, but no JAX. The search is PUCT, as AlphaZero's.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from pathlib import Path
from random import Random

from ninefold.analysis.config import MOST_SIMULATIONS
from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.match.match import Match
from ninefold.players.player import Chooser, ShouldContinue

Evaluate = Callable[[Position], tuple[list[float], float]]  # priors of the legal moves, value for the side to move

SIMULATIONS = 100
EXPLORATION = 1.5  # the weight of the priors
UNTRIED = 0.2  # a move that was not tried is expected to be so much worse than the network values the position
_LIMIT = ",simulations="


class _TreeNode:
    """A position with the priors of its moves and the network's value of it, for the side to move. ``total`` is the sum
    of the values below it, for the side that moved into it."""

    __slots__ = ("children", "position", "priors", "total", "value", "visits")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.visits, self.total, self.value = 0, 0.0, 0.0
        self.priors: dict[int, float] = {}
        self.children: dict[int, _TreeNode] = {}

    def expand(self, evaluate: Evaluate) -> float:
        """Give it the priors of its moves; returns its value for the side to move."""
        moves, outcome = self.position.moves(), self.position.outcome
        if outcome:
            return 0.0 if outcome.winner is None else 1.0 if outcome.winner is self.position.turn else -1.0
        priors, self.value = evaluate(self.position)
        self.priors = dict(zip(moves, priors, strict=True))
        return self.value

    def descend(self) -> _TreeNode:
        """The child to visit next: high values and priors, few visits."""
        weight, untried = EXPLORATION * sqrt(self.visits), self.value - UNTRIED

        def score(move: int) -> float:
            child = self.children.get(move)
            if child is None:
                return untried + weight * self.priors[move]
            return child.total / child.visits + weight * self.priors[move] / (1 + child.visits)

        move = max(self.priors, key=score)
        if move not in self.children:
            self.children[move] = _TreeNode(self.position.play(move))
        return self.children[move]


def search(
    position: Position, simulations: int, evaluate: Evaluate, should_continue: ShouldContinue | None = None
) -> int:
    """The most visited move after so many simulations."""
    root = _TreeNode(position)
    for _ in range(simulations + 1):  # the first one expands the root
        path = [root]
        while path[-1].priors:
            path.append(path[-1].descend())
        value = path[-1].expand(evaluate)
        for node in reversed(path):
            value = -value
            node.visits += 1
            node.total += value
        if should_continue and not should_continue():
            break
    visits = {move: child.visits for move, child in root.children.items()}
    return max(root.priors, key=lambda move: (visits.get(move, 0), root.priors[move]))


def player(game: Game, name: str, should_continue: ShouldContinue | None = None) -> Chooser:
    """``alphazero:squared.az,simulations=400`` plays the most visited move after 400 simulations."""
    try:
        from ninefold.players.policy_network import read_policy_network
    except ModuleNotFoundError:
        raise NotAllowed("no_numpy") from None
    file, simulations = _parse(name)
    network = read_policy_network(Path(file))
    network.check_game(game)

    def choose(match: Match, _: Random) -> int:
        network.check_options(match.position)
        moves = match.position.moves()
        if len(moves) == 1:
            return moves[0]
        return search(match.position, simulations, lambda one: network.evaluate(game, one), should_continue)

    return choose


def _parse(name: str) -> tuple[str, int]:
    """The file and the number of simulations."""
    rest = name.partition(":")[2]
    file, limit, digits = rest.rpartition(_LIMIT)
    if not limit:
        file, digits = rest, str(SIMULATIONS)
    is_number = digits.isascii() and digits.isdigit() and len(digits) < 20
    if not (file and is_number and 1 <= int(digits) <= MOST_SIMULATIONS):
        raise Unreadable("no_such_player.alphazero", name=quoted(name, 100), most=MOST_SIMULATIONS)
    return file, int(digits)
