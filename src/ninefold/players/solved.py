"""Levels of the small games: perfect play from the table, mixed with a share of random moves."""

from __future__ import annotations

from random import Random

from ninefold.core.position import Position
from ninefold.core.random_choice import pick
from ninefold.core.solver import best, values
from ninefold.match.match import Match
from ninefold.match.state import Setup
from ninefold.players.player import Chooser

# The share of moves made at random. Chosen so that each level takes 60% or more of the points from the one below.
RANDOM_SHARE = {"easy": 0.65, "medium": 0.38, "hard": 0.17, "perfect": 0.0}


def level(name: str) -> Chooser:
    share = RANDOM_SHARE[name]

    def choose(match: Match, rng: Random) -> int:
        moves = match.position.moves() if rng.random() < share else sharpest(match.setup, match.position)
        return pick(rng, moves)

    return choose


def sharpest(setup: Setup, position: Position) -> list[int]:
    """Of the best moves, those that leave the opponent the largest share of mistakes."""
    moves = best(values(setup.game, position, claims=setup.has_claims))
    if len(moves) == 1:
        return moves
    share = {move: _mistakes(setup, position.play(move)) for move in moves}
    return [move for move in moves if share[move] == max(share.values())]


def _mistakes(setup: Setup, position: Position) -> float:
    signs = [value.sign for value in values(setup.game, position, claims=setup.has_claims).values()]
    return sum(sign < max(signs) for sign in signs) / len(signs) if signs else 0.0
