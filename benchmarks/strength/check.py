"""Checks the journals: every game is replayed by the rules, and wins that were not played out are proven again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.strength.page import read_games
from benchmarks.strength.programme import MatchPlan
from ninefold.analysis.engine import Engine
from ninefold.arena.schedule import GameResult
from ninefold.core.errors import Refusal
from ninefold.core.position import Position
from ninefold.games import find_game

SECONDS = 20.0  # for a proof


def check_journal(folder: Path, plan: MatchPlan, *, proves: bool) -> Iterator[tuple[GameResult, str]]:
    """Every game of a journal with what is wrong with it; the text is empty if nothing is."""
    for game in read_games(folder, plan):
        yield game, fault(plan, game, proves=proves)


def fault(plan: MatchPlan, result: GameResult, *, proves: bool = False) -> str:
    """What is wrong with a game: moves that cannot be replayed, another result, or a win that cannot be proven."""
    try:
        position = _replay(plan, result.moves.split())
    except Refusal as refusal:
        return f"its moves are not legal: {refusal}"
    if len(result.moves.split()) != result.plies:
        return f"it has not {result.plies} moves"
    if result.reason in ("forfeit", "proven"):
        if position.outcome:
            return f"it had ended before it was a {result.reason}"
        return _unproven(position, result.winner) if proves and result.reason == "proven" else ""
    if position.outcome is None:
        return "it has not ended"
    winner = "" if position.outcome.winner is None else str(position.outcome.winner)
    is_right = (winner, position.outcome.reason) == (result.winner, result.reason)
    return "" if is_right else f"it ended otherwise: {winner or 'drawn'} by {position.outcome.reason}"


def _replay(plan: MatchPlan, moves: Sequence[str]) -> Position:
    game = find_game(plan.game)
    position = game.begin(plan.options)
    for word in moves:
        position = position.play(game.move_at(position, game.parse_move(word)))
    return position


def _unproven(position: Position, winner: str) -> str:
    """The loser is to move, because the winner's last move was made."""
    line = Engine().search(position, cpu_seconds=SECONDS).lines[0]
    is_lost = line.proven and line.score < 0 and winner == str(position.turn.other)
    return "" if is_lost else f"no proof within {SECONDS:g} s that {winner} wins"
