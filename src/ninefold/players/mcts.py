"""Levels of the big games without the engine: Monte Carlo tree search, limited by simulations so that seeds repeat."""

from __future__ import annotations

from random import Random

from ninefold.analysis.playouts import estimate
from ninefold.match.match import Match
from ninefold.players.player import Chooser

SIMULATIONS = {"easy": 10, "medium": 50, "hard": 200, "expert": 800}


def level(name: str) -> Chooser:
    def choose(match: Match, rng: Random) -> int:
        return estimate(match.position, SIMULATIONS[name], rng)[0].move

    return choose
