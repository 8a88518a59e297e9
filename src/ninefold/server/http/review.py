"""What is said about matches that are over: a file, position by position, and what moves are worth."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ninefold.analysis import engine
from ninefold.analysis.evaluation import Analysis, MoveEvaluation, Search, analyze
from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.games import find_game
from ninefold.match.files import read_match
from ninefold.match.match import Match
from ninefold.match.record import write_record
from ninefold.server.hosting.view import board, result_doc

T = TypeVar("T")

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
            raise NotAllowed("busy")
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
    claims = game.settle_options().get("claims") == "yes"
    found: Analysis = analyze(game, position, claims=claims, search=Search(millis / 1000, lines=81, memory=_MEMORY))
    return {
        "exact": found.exact,
        "turn": str(position.turn) if found.lines else None,
        "depth": found.info.depth if found.info else None,
        "moves": [_worth(game, line) for line in found.lines],
        "score": round(found.for_x(position), 4),
    }


def _worth(game: Game, line: MoveEvaluation) -> dict[str, object]:
    sign, plies = None, None
    if line.value is not None:
        sign, plies = line.value.sign, line.value.distance
    elif line.proven and line.score is not None:
        sign, plies = int(line.points), engine.PvLine(line.move, line.score, True, ()).plies_to_end
    return {
        "text": game.name(line.move),
        "path": list(game.paths[line.move]),
        "value": None if sign is None else _WORDS[sign],
        "score": round(line.points, 4),
        "proven": sign is not None,
        "plies": plies,
    }


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
        "result": match.result and result_doc(match.game, match.result),
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
