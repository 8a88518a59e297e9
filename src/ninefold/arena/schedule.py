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
from ninefold.match.match import Match, begin
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
    adjudicates: bool = False  # ends as soon as a player has proven that it wins


class GameResult(NamedTuple):
    """One game that was played, as it is written into the log of a tournament. In logs of earlier releases it has
    neither a reason nor moves."""

    number: int
    x: str
    o: str
    winner: str  # "X", "O" or "" for a draw
    plies: int
    reason: str = ""  # that of the outcome; ``forfeit``, or ``proven`` if it ended before its end
    moves: str = ""  # with those of the opening


def schedule(
    game: Game,
    options: dict[str, str],
    players: list[str],
    pairs: int,
    seed: int,
    source: str = "random",
    *,
    adjudicates: bool = False,
) -> list[ScheduledGame]:
    """A round robin: every two players meet from every opening, once with each side."""
    book = openings(game, options, pairs, seed, source)
    games: list[ScheduledGame] = []
    for one, two in combinations(players, 2):
        for opening in book:
            for x, o in ((one, two), (two, one)):
                number = len(games)
                rules = tuple(options.items())
                games.append(ScheduledGame(number, game.id, rules, opening, x, o, seed + number, adjudicates))
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
        while (result := match.result) is None:
            seat = match.to_act or 0
            side = match.setup.side(seat)
            player = x if side is Side.X else o
            try:
                match = match.act(seat, actions.move(player.choose_move(match)))
            except GameForfeited as forfeit:
                name = scheduled.x if side is Side.X else scheduled.o
                print(text("arena.forfeit", number=scheduled.number, player=name, why=forfeit), file=sys.stderr)
                return _result(scheduled, match, side.other, "forfeit")
            if scheduled.adjudicates and player.has_proven_win and match.result is None:
                return _result(scheduled, match, side, "proven")
    return _result(scheduled, match, result.outcome.winner, result.outcome.reason)


def _result(scheduled: ScheduledGame, match: Match, winner: Side | None, reason: str) -> GameResult:
    moves = " ".join(match.game.name(move) for move in match.state.moves)
    won = "" if winner is None else str(winner)
    return GameResult(scheduled.number, scheduled.x, scheduled.o, won, len(match.state.moves), reason, moves)
