"""Levels of the small games: perfect play from the table, spoilt by a share of random moves."""

from __future__ import annotations

from random import Random

from ninefold.claims import claimable
from ninefold.match import Match
from ninefold.players import Chooser
from ninefold.solve import Solution, solution_of

# The share of moves made at random. Chosen so that each level takes 60% or more of the points from the one below.
RANDOM_SHARE = {"easy": 0.70, "medium": 0.45, "hard": 0.22, "perfect": 0.0}


def level(name: str) -> Chooser:
    share = RANDOM_SHARE[name]

    def choose(match: Match, rng: Random) -> int:
        if rng.random() < share:
            return rng.choice(match.position.moves())
        if match.setup.option("claims") == "yes" and (winning := claimable(match.position)):
            return rng.choice(winning)  # the first true claim wins, whatever the table says of an older line
        solution = solution_of(match.game, match.setup.start)
        return rng.choice(sharpest(solution, solution.table.state(match.position)))

    return choose


def sharpest(solution: Solution, state: int) -> list[int]:
    """Of the best moves, those that leave the opponent the largest share of mistakes."""
    best = solution.best(state)
    after = dict(solution.table.moves(state))
    share = {move: _mistakes(solution, after[move]) for move in best}
    return [move for move in best if share[move] == max(share.values())]


def _mistakes(solution: Solution, state: int) -> float:
    signs = [value.sign for value in solution.moves(state).values()]
    return sum(sign < max(signs) for sign in signs) / len(signs) if signs else 0.0
