"""The games of a tournament: openings, who meets whom, and one game played."""

from __future__ import annotations

import sys
from itertools import combinations
from random import Random
from typing import NamedTuple

from ninefold.arena.entrants import Forfeit, entrant
from ninefold.core.game import Game
from ninefold.core.position import Position, Side
from ninefold.core.random_choice import pick
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.match import begin

OPENING_PLIES = 4
BALANCED = 600  # how far the engine's value of an opening may be from even


class Job(NamedTuple):
    """One game to be played: plain data, so that it can be sent to another process or machine."""

    number: int
    game: str
    options: tuple[tuple[str, str], ...]
    opening: tuple[int, ...]
    x: str
    o: str
    seed: int


class Played(NamedTuple):
    number: int
    x: str
    o: str
    winner: str  # "X", "O" or "" for a draw
    plies: int


def openings(game: Game, options: dict[str, str], count: int, seed: int) -> list[tuple[int, ...]]:
    """Different short openings, made at random; in the big games those that give one side too much are left out."""
    found: dict[Position, tuple[int, ...]] = {}
    plies = OPENING_PLIES if not game.small else 1
    for number in range(1000 * count):
        rng = Random(f"{seed}/{number}")
        position = game.begin(options)
        moves: tuple[int, ...] = ()
        for _ in range(plies):
            move = pick(rng, position.moves())
            position, moves = position.play(move), (*moves, move)
        if position not in found and _is_balanced(game, position):
            found[position] = moves
        if len(found) == count:
            break
    made = list(found.values())
    return [made[number % len(made)] for number in range(count)]


def _is_balanced(game: Game, position: Position) -> bool:
    if game.small:
        return True
    from ninefold.analysis.engine import Engine

    thought = Engine(2**20).think(position, nodes=20_000)
    return abs(thought.lines[0].value) <= BALANCED


def schedule(game: Game, options: dict[str, str], players: list[str], pairs: int, seed: int) -> list[Job]:
    """Everybody against everybody, from each opening once with each side."""
    book = openings(game, options, pairs, seed)
    jobs: list[Job] = []
    for one, two in combinations(players, 2):
        for opening in book:
            for x, o in ((one, two), (two, one)):
                number = len(jobs)
                jobs.append(Job(number, game.id, tuple(options.items()), opening, x, o, seed + number))
    return jobs


def play(job: Job) -> Played:
    game = find_game(job.game)
    match = begin(game, dict(job.options))
    with (
        entrant(game, job.x, match.position, 2 * job.seed) as x,
        entrant(game, job.o, match.position, 2 * job.seed + 1) as o,
    ):
        for move in job.opening:
            match = match.act(match.to_act or 0, actions.move(move))
        while (seat := match.to_act) is not None:
            player = x if match.setup.side(seat) is Side.X else o
            try:
                match = match.act(seat, actions.move(player.choose(match)))
            except Forfeit as forfeit:
                print(
                    f"Game {job.number}: {(job.x, job.o)[match.setup.side(seat)]} forfeits. {forfeit}", file=sys.stderr
                )
                match = match.act(seat, actions.RESIGN)
    winner = match.result.outcome.winner if match.result else None
    return Played(job.number, job.x, job.o, "" if winner is None else str(winner), len(match.state.moves))
