"""Reviews: a record position by position, the values of moves, and the referee's report on an ended match."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar, cast

from ninefold.analysis import engine
from ninefold.analysis.evaluation import Analysis, MoveEvaluation, Search, analyze
from ninefold.analysis.report.audit import audit_of
from ninefold.analysis.report.format import document
from ninefold.analysis.report.metrics import report as report_on
from ninefold.analysis.report.mistakes import Judge
from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.grid import completed_line
from ninefold.core.position import Position
from ninefold.core.solver import best, values
from ninefold.games import find_game
from ninefold.match.files import read_match
from ninefold.match.match import Match
from ninefold.match.record import write_record
from ninefold.server.hosting.view import board, result_doc, text_doc
from ninefold.server.http.learning import VALUES, must_claim
from ninefold.server.http.models import AnalysisDoc, HintDoc, MoveValueDoc, RecordDoc, RecordPositionDoc, ReportDoc
from ninefold.server.storage.config import REQUESTER

T = TypeVar("T")

_MEMORY = 16 * 2**20
_HINT_SECONDS = 0.3
SHARES = 4  # of what runs and waits: one address has no more than one
_LINES = 5  # of the best moves come with what is expected to follow


class ReviewThreads:
    """Threads for work that takes the processor. So many run at a time, so many wait, and others are refused.

    No address has more than its share.
    """

    def __init__(self, running: int, waiting: int) -> None:
        self._threads = ThreadPoolExecutor(running, "ninefold-review")
        self._most = running + waiting
        self._most_each = max(running, self._most // SHARES)
        self._busy: Counter[str] = Counter()  # by address

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        address = REQUESTER.get()
        if self._busy.total() >= self._most or (address and self._busy[address] >= self._most_each):
            raise NotAllowed("busy")
        self._busy[address] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        finally:
            self._busy[address] -= 1
            if not self._busy[address]:
                del self._busy[address]

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def analysis(
    game_id: str, text: str, millis: int, claims: bool | None = None, *, use_engine: bool = True
) -> AnalysisDoc:
    """The moves of a position, best first, with their values for the side that makes them. ``claims`` is true if
    victory must be claimed, by default as in the game."""
    game = find_game(game_id)
    position = game.parse(text)
    claims = must_claim(game, claims)
    search = Search(millis / 1000, lines=81, memory=_MEMORY, engine=use_engine)
    found: Analysis = analyze(game, position, claims=claims, search=search)
    return {
        "exact": found.exact,
        "turn": position.turn.symbol if found.lines else None,
        "depth": found.info.depth if found.info else None,
        "moves": [
            _move_value(game, line, _line(game, position, line, claims) if place < _LINES else ())
            for place, line in enumerate(found.lines)
        ],
        "score": round(found.for_x(position), 4),
    }


def hint(match: Match) -> HintDoc:
    """The best move in a match, and its value."""
    game, position, claims = match.game, match.position, match.setup.has_claims
    found = analyze(game, position, claims=claims, search=Search(_HINT_SECONDS, lines=1, memory=_MEMORY))
    best_line = found.lines[0]
    return {"version": match.version, "best": _move_value(game, best_line, _line(game, position, best_line, claims))}


def _line(game: Game, position: Position, line: MoveEvaluation, claims: bool) -> Sequence[str]:
    """A move and what is expected to follow: the engine's variation, or best play of both sides in a small game."""
    if not game.small:
        return line.variation
    names, after = [line.name], position.play(line.move)
    while after.moves() and not (claims and completed_line(after.cells, after.turn.other)):
        best_move = best(values(game, after, claims=claims))[0]
        names.append(game.name(best_move))
        after = after.play(best_move)
    return names


def _move_value(game: Game, line: MoveEvaluation, variation: Sequence[str]) -> MoveValueDoc:
    sign, plies = None, None
    if line.value is not None:
        sign, plies = line.value.sign, line.value.distance
    elif line.proven and line.score is not None:
        sign, plies = int(line.points), engine.PvLine(line.move, line.score, True, ()).plies_to_end
    return {
        "text": game.name(line.move),
        "path": list(game.paths[line.move]),
        "value": None if sign is None else VALUES[sign],
        "score": round(line.points, 4),
        "proven": sign is not None,
        "plies": plies,
        "line": list(variation),
    }


def record(text: str) -> RecordDoc:
    """A match in a file, with every position that was reached."""
    return record_document(read_match(text.encode()))


def record_document(match: Match) -> RecordDoc:
    """A match with every position that was reached."""
    setup = match.setup
    return {
        "game": match.game.id,
        "title": match.game.title,
        "setup": {
            "options": dict(setup.options),
            "seats": [{"side": side.symbol, "name": name, "player": player} for side, name, player in setup.seats],
        },
        "result": match.result and result_doc(match.game, match.result),
        "record": write_record(match),
        "positions": _positions(match),
    }


def _positions(match: Match) -> list[RecordPositionDoc]:
    game, before = match.game, match.setup.start
    positions = [_position(game, before, None, None)]
    for move in match.state.moves:
        after = before.play(move)
        positions.append(_position(game, after, before, move))
        before = after
    return positions


def _position(game: Game, position: Position, before: Position | None, move: int | None) -> RecordPositionDoc:
    changed = () if before is None or move is None else tuple(game.effects(before, move).cells)
    return {
        "position": str(position),
        "board": board(game, position, changed),
        "turn": position.turn.symbol if position.moves() else None,
        "move": None if move is None else game.name(move),
        "side": None if before is None else before.turn.symbol,
    }


@lru_cache(maxsize=256)
def report(match: Match, refused: tuple[tuple[int, str], ...]) -> ReportDoc:
    """The referee's report on an ended match, made once."""
    attempts, forgotten = audit_of(refused)
    made = cast("ReportDoc", document(report_on(match, attempts, forgotten=forgotten)))
    judge = Judge(match.setup).message
    return {**made, "judges": [text_doc(judge)] if judge else []}
