"""Monte Carlo tree search, limited by simulations so that seeds repeat: the player ``mcts:100000`` of the big games,
``mcts-python:1000`` of every game, and the levels without the engine."""

from __future__ import annotations

from functools import partial
from random import Random

from ninefold.analysis.config import MOST_SIMULATIONS
from ninefold.analysis.playouts import estimate, fast_estimate
from ninefold.core.errors import Unreadable, quoted
from ninefold.match.match import Match
from ninefold.players.player import Chooser, ShouldContinue

SIMULATIONS = {"easy": 10, "medium": 50, "hard": 200, "expert": 800}


def level(name: str) -> Chooser:
    def choose(match: Match, rng: Random) -> int:
        return estimate(match.position, SIMULATIONS[name], rng)[0].move

    return choose


def player(name: str, should_continue: ShouldContinue | None = None) -> Chooser:
    """``mcts:100000`` plays the most visited move after 100,000 simulations, ``mcts-python:1000`` does so in Python."""
    simulations = _parse_simulations(name)
    search = estimate if name.startswith("mcts-python") else partial(fast_estimate, until_decided=True)

    def choose(match: Match, rng: Random) -> int:
        moves = match.position.moves()
        if len(moves) == 1:
            return moves[0]
        return search(match.position, simulations, rng, should_continue)[0].move

    return choose


def _parse_simulations(name: str) -> int:
    digits = name.partition(":")[2]
    # Longer numbers would be too large anyway, and int() takes only so many digits.
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20 and 1 <= int(digits) <= MOST_SIMULATIONS):
        raise Unreadable("no_such_player.simulations", name=quoted(name), most=MOST_SIMULATIONS)
    return int(digits)
