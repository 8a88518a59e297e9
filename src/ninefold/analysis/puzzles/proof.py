"""Exact values for puzzles: from the table of a small game, by proofs of the engine in the big ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.analysis.config import MEMORY_MIB, MIB
from ninefold.analysis.puzzles.puzzle import Puzzle, PuzzleStep, Try
from ninefold.core.game import Game
from ninefold.core.grid import lines_in, mask_of
from ninefold.core.position import Position
from ninefold.core.solver import Value, best, values

if TYPE_CHECKING:
    from ninefold.analysis.engine import Engine

NODES = 2_000_000  # that the engine may take to prove the moves of a position
LEAST_PLIES = 3  # a win in one is no puzzle


class Unproven(Exception):
    """The engine has not proven a value within its nodes."""


class Prover:
    """Proves the values of moves in positions of one game."""

    def __init__(self, game: Game, nodes: int = NODES) -> None:
        self._game, self._nodes = game, nodes
        self._claims = game.settle_options().get("claims") == "yes"
        self._engine = None if game.small else _engine()

    def values(self, position: Position) -> dict[int, Value]:
        """The exact value of every legal move, for the side that makes it; none if the game is over."""
        if self.is_over(position):
            return {}
        if self._engine is None:
            return values(self._game, position, claims=self._claims)
        return self._search(self._engine, position, len(position.moves()))

    def best(self, position: Position) -> tuple[int, Value]:
        """The best move, which wins as fast or loses as slowly as the game allows."""
        if self._engine is not None:
            return next(iter(self._search(self._engine, position, 1).items()))
        found = self.values(position)
        move = best(found)[0]
        return move, found[move]

    def _search(self, engine: Engine, position: Position, lines: int) -> dict[int, Value]:
        found = engine.search(position, nodes=self._nodes, lines=lines).lines
        proven = {line.move: line.value for line in found if line.value}
        if len(proven) < lines:
            raise Unproven
        return dict(sorted(proven.items())) if lines > 1 else proven

    def is_over(self, position: Position) -> bool:
        """True if the game has ended; where lines are claimed, if there is one to claim."""
        return position.outcome is not None or (self._claims and _has_line(position))

    def solution(self, position: Position, plies: int) -> PuzzleStep:
        """Every move of a position, with the best replies; right moves with what follows."""
        tries: dict[int, Try] = {}
        for move, value in self.values(position).items():
            after = position.play(move)
            if self.is_over(after):
                tries[move] = Try(value)
                continue
            reply, _ = self.best(after)
            later = after.play(reply)
            is_right = value.sign > 0 and (value.distance or 0) <= plies
            tries[move] = Try(
                value, reply, self.solution(later, plies - 2) if is_right and not self.is_over(later) else None
            )
        return PuzzleStep(plies, tries)

    def faults(self, puzzle: Puzzle) -> list[str]:
        """What is not exact in a puzzle; empty if everything is."""
        step = puzzle.solution
        if [move for move, tried in step.tries.items() if tried.value.sign > 0] != step.right or len(step.right) != 1:
            return [f"{puzzle.id}: not exactly one first move wins"]
        distance = step.tries[step.right[0]].value.distance
        if distance != puzzle.plies or distance < LEAST_PLIES:
            return [f"{puzzle.id}: the win takes {distance} plies and not {puzzle.plies}"]
        return [f"{puzzle.id}: {fault}" for fault in self._faults(puzzle.position, step)]

    def _faults(self, position: Position, step: PuzzleStep) -> list[str]:
        found = self.values(position)
        if found != {move: tried.value for move, tried in step.tries.items()}:
            return [f"the values in {position} are wrong"]
        faults = []
        for move, (value, reply, then) in step.tries.items():
            after = position.play(move)
            if reply is None:
                if not self.is_over(after):
                    faults.append(f"a reply to {self._game.name(move)} is missing in {position}")
                continue
            later = after.play(reply)
            if self._value(later) != _after(value, 2):
                faults.append(f"the reply to {self._game.name(move)} in {position} is not the best")
            if then is not None:
                faults += self._faults(later, then)
            elif step.is_right(move) and not self.is_over(later):
                faults.append(f"what follows {self._game.name(move)} in {position} is missing")
        return faults

    def _value(self, position: Position) -> Value:
        """The value of a position for the side to move."""
        if not self.is_over(position):
            return self.best(position)[1]
        if position.outcome is None:
            return Value(-1, 0)  # the opponent has a line to claim
        winner = position.outcome.winner
        return Value(0, None) if winner is None else Value(1 if winner is position.turn else -1, 0)


def _after(value: Value, plies: int) -> Value:
    return value._replace(distance=None if value.distance is None else value.distance - plies)


def _has_line(position: Position) -> bool:
    sides = {mark for mark in position.cells if mark is not None}
    return any(lines_in(mask_of(cell for cell, mark in enumerate(position.cells) if mark is side)) for side in sides)


def _engine() -> Engine:
    from ninefold.analysis.engine import Engine

    return Engine(MEMORY_MIB * MIB)
