"""The games of a tournament: who meets whom from which opening, and playing one game."""

from __future__ import annotations

import sys
from itertools import combinations
from typing import NamedTuple

from ninefold.arena.openings import openings
from ninefold.arena.participants import GameForfeited, make_participant
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.match import begin
from ninefold.match.summary import player_seed


class ScheduledGame(NamedTuple):
    """One game to be played: plain data, so that it can be sent to another process or machine."""

    number: int
    game: str
    options: tuple[tuple[str, str], ...]
    opening: tuple[int, ...]
    x: str
    o: str
    seed: int


class GameResult(NamedTuple):
    """One game that was played, as it is written into the log of a tournament."""

    number: int
    x: str
    o: str
    winner: str  # "X", "O" or "" for a draw
    plies: int


def schedule(
    game: Game, options: dict[str, str], players: list[str], pairs: int, seed: int, source: str = "random"
) -> list[ScheduledGame]:
    """A round robin: every two players meet from every opening, once with each side."""
    book = openings(game, options, pairs, seed, source)
    games: list[ScheduledGame] = []
    for one, two in combinations(players, 2):
        for opening in book:
            for x, o in ((one, two), (two, one)):
                number = len(games)
                games.append(ScheduledGame(number, game.id, tuple(options.items()), opening, x, o, seed + number))
    return games


def play_game(scheduled: ScheduledGame) -> GameResult:
    """Play one game. A participant that gives no legal move forfeits it."""
    game = find_game(scheduled.game)
    match = begin(game, dict(scheduled.options))
    with (
        make_participant(game, scheduled.x, match.position, player_seed(scheduled.seed, Side.X)) as x,
        make_participant(game, scheduled.o, match.position, player_seed(scheduled.seed, Side.O)) as o,
    ):
        for move in scheduled.opening:
            match = match.act(match.to_act or 0, actions.move(move))
        while (seat := match.to_act) is not None:
            side = match.setup.side(seat)
            try:
                match = match.act(seat, actions.move((x if side is Side.X else o).choose_move(match)))
            except GameForfeited as forfeit:
                player = scheduled.x if side is Side.X else scheduled.o
                print(text("arena.forfeit", number=scheduled.number, player=player, why=forfeit), file=sys.stderr)
                match = match.act(seat, actions.RESIGN)
    winner = match.result.outcome.winner if match.result else None
    return GameResult(
        scheduled.number, scheduled.x, scheduled.o, "" if winner is None else str(winner), len(match.state.moves)
    )
