"""What is said about matches that are over: a file, position by position, and what moves are worth."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TypeVar

from ninefold import engine
from ninefold.analysis import SIMULATIONS, Analysis, Line, Search, analyze
from ninefold.core import Position, Side
from ninefold.files import read_match
from ninefold.game import Game
from ninefold.games import find_game
from ninefold.match import Match
from ninefold.players.search import estimate
from ninefold.record import write_record
from ninefold.service.problems import Problem
from ninefold.service.view import board, outcome

T = TypeVar("T")

ONE_LINE = 2000  # the engine's value of one line of boards more
_MEMORY = 16 * 2**20
_WORDS = {1: "win", 0: "draw", -1: "loss"}


class Bench:
    """Threads for what takes the processor. So many work at a time, so many wait, and others are sent away."""

    def __init__(self, thinkers: int, waiting: int) -> None:
        self._threads = ThreadPoolExecutor(thinkers, "ninefold-review")
        self._most = thinkers + waiting
        self.busy = 0

    async def run(self, work: Callable[..., T], *given: object) -> T:
        if self.busy >= self._most:
            raise Problem(503, "busy", "Too many positions are being looked at.", "Try again in a moment.")
        self.busy += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)
        finally:
            self.busy -= 1

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def analysis(game_id: str, text: str, millis: int) -> dict[str, object]:
    """The moves of a position, best first, with what they are worth to the side that makes them."""
    game = find_game(game_id)
    position = game.parse(text)
    moves, depth = _worths(game, position, millis)
    return {
        "exact": all(move["proven"] for move in moves),
        "turn": str(position.turn) if moves else None,
        "depth": depth,
        "moves": moves,
        "score": _for_x(position, moves),
    }


def _worths(game: Game, position: Position, millis: int) -> tuple[list[dict[str, object]], int | None]:
    claims = game.settle_options().get("claims") == "yes"
    if position.moves() and not game.small and not engine.plays(position):
        estimates = estimate(position, SIMULATIONS, Random(0))
        return [_worth(game, move, None, 2 * points - 1, None) for move, points, _ in estimates], None
    found: Analysis = analyze(game, position, claims=claims, search=Search(millis / 1000, lines=81, memory=_MEMORY))
    return [_of_line(game, line) for line in found.lines], found.thought.depth if found.thought else None


def _of_line(game: Game, line: Line) -> dict[str, object]:
    if line.value is not None:
        return _worth(game, line.move, line.value.sign, line.value.sign, line.value.distance)
    value = line.score or 0
    if not line.proven:
        return _worth(game, line.move, None, math.tanh(value / ONE_LINE), None)
    sign = (value > 0) - (value < 0)
    plies = engine.Line(line.move, value, True, ()).plies_to_end
    return _worth(game, line.move, sign, sign, plies)


def _worth(game: Game, move: int, sign: int | None, score: float, plies: int | None) -> dict[str, object]:
    return {
        "text": game.name(move),
        "path": list(game.paths[move]),
        "value": None if sign is None else _WORDS[sign],
        "score": round(score, 4),
        "proven": sign is not None,
        "plies": plies,
    }


def _for_x(position: Position, moves: list[dict[str, object]]) -> float:
    if not moves:
        winner = position.outcome.winner if position.outcome else None
        return 0.0 if winner is None else 1.0 - 2.0 * winner
    best = max(float(str(move["score"])) for move in moves)
    return best if position.turn is Side.X else 0.0 - best  # never -0.0


def record(text: str) -> dict[str, object]:
    """A match in a file, with every position that was reached."""
    match = read_match(text.encode())
    setup = match.setup
    return {
        "game": match.game.id,
        "title": match.game.title,
        "setup": {
            "options": dict(setup.options),
            "seats": [{"side": str(side), "name": name, "player": player} for side, name, player in setup.seats],
        },
        "result": match.result and outcome(match.game, match.result),
        "record": write_record(match),
        "positions": _positions(match),
    }


def _positions(match: Match) -> list[dict[str, object]]:
    game, before = match.game, match.setup.start
    told = [_position(game, before, None, None)]
    for move in match.state.moves:
        after = before.play(move)
        told.append(_position(game, after, before, move))
        before = after
    return told


def _position(game: Game, position: Position, before: Position | None, move: int | None) -> dict[str, object]:
    changed = () if before is None or move is None else tuple(game.effects(before, move).cells)
    return {
        "position": str(position),
        "board": board(game, position, changed),
        "turn": str(position.turn) if position.moves() else None,
        "move": None if move is None else game.name(move),
        "side": None if before is None else str(before.turn),
    }
