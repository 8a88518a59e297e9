"""What people learn with: any position with its moves, and puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Literal

from ninefold.analysis.puzzles.puzzle import Puzzle, PuzzleStep, all_puzzles, next_puzzle, puzzle_of_day
from ninefold.analysis.threats import threats
from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.core.state_table import table_of
from ninefold.games import find_game
from ninefold.server.hosting.view import board, legal_moves
from ninefold.server.http.models import PositionDoc, PuzzleDoc, PuzzleStepDoc, PuzzleSummaryDoc, PuzzleTryDoc

VALUES: dict[int, Literal["win", "draw", "loss"]] = {1: "win", 0: "draw", -1: "loss"}


def position(
    game_id: str, text: str | None, moves: Sequence[str], with_threats: bool = False, claims: bool | None = None
) -> PositionDoc:
    """A position, by default the start of the game, after some moves. One that cannot arise in play is refused.
    ``claims`` is true if victory must be claimed, by default as in the game."""
    game = find_game(game_id)
    reached = game.begin() if text is None else game.parse(text)
    if text is not None:
        _check_reachable(game, reached)
    document = position_after(game, reached, moves)
    if with_threats:
        found = threats(game, game.parse(document["position"]), claims=must_claim(game, claims))
        document["threats"] = {str(cell): sides for cell, sides in found.items()}
    return document


def must_claim(game: Game, claims: bool | None) -> bool:
    """True if victory must be claimed: as somebody says, or else by the game's own rules."""
    return game.settle_options().get("claims") == "yes" if claims is None else claims


def position_after(game: Game, reached: Position, moves: Sequence[str] = ()) -> PositionDoc:
    """A position after some moves."""
    last: tuple[int, ...] = ()
    for written in moves:
        move = game.move_at(reached, game.parse_move_at(reached, written))
        last = tuple(game.effects(reached, move).cells)
        reached = reached.play(move)
    outcome = reached.outcome
    return {
        "game": game.id,
        "position": str(reached),
        "board": board(game, reached, last),
        "turn": reached.turn.symbol if reached.moves() else None,
        "moves": legal_moves(game, reached),
        "outcome": None if outcome is None else game.describe(outcome),
    }


def _check_reachable(game: Game, reached: Position) -> None:
    if game.small:
        table_of(game, game.start_of(reached)).state(reached)
    elif game.impossible and (why := game.impossible(reached)):
        raise NotAllowed("unreachable.because", why=why)


def puzzle_list() -> list[PuzzleSummaryDoc]:
    return [_summary(puzzle) for puzzle in all_puzzles()]


def _summary(puzzle: Puzzle) -> PuzzleSummaryDoc:
    return {
        "id": puzzle.id,
        "game": puzzle.game.id,
        "title": puzzle.game.title,
        "side": puzzle.position.turn.symbol,
        "plies": puzzle.plies,
    }


def day_of(now: int) -> date:
    """The day of a time in milliseconds since 1970: of UTC, so that it is the same for everybody."""
    return datetime.fromtimestamp(now / 1000, UTC).date()


def puzzle_today(now: int) -> PuzzleDoc:
    day = day_of(now)
    return puzzle(puzzle_of_day(day), day)


def puzzle(found: Puzzle, day: date | None = None) -> PuzzleDoc:
    steps: list[PuzzleStepDoc] = []
    _add_steps(found.game, found.solution, steps)
    return {
        **_summary(found),
        "day": None if day is None else day.isoformat(),
        "next": next_puzzle(found).id,
        "start": position_after(found.game, found.position),
        "line": [found.game.name(move) for move in found.line],
        "steps": steps,
    }


def _add_steps(game: Game, step: PuzzleStep, steps: list[PuzzleStepDoc]) -> int:
    """Add a step and all that can follow to a list, in which steps name each other by their numbers."""
    number = len(steps)
    tries: dict[str, PuzzleTryDoc] = {}
    steps.append({"plies": step.plies, "tries": tries})
    for move, (value, reply, then) in step.tries.items():
        tries[game.name(move)] = {
            "right": step.is_right(move),
            "value": VALUES[value.sign],
            "plies": value.distance,
            "reply": None if reply is None else game.name(reply),
            "then": None if then is None else _add_steps(game, then, steps),
        }
    return number
