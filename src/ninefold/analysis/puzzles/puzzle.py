"""Puzzles, each with its solution: a set for each game in a file of this folder, and one of them for each day."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.core.solver import Value
from ninefold.games import all_games, find_game

if TYPE_CHECKING:
    from datetime import date

FOLDER = Path(__file__).parent
_SIGNS = {"win": 1, "draw": 0, "loss": -1}
STEP = 37  # from one day's puzzle of a set to the next: no set has a multiple of it, so all of them get their day


class Try(NamedTuple):
    """A move of the solver: its exact value, the best reply (None if the move ends the game), and the step after that
    reply. Only right moves have one, unless the game is over."""

    value: Value
    reply: int | None = None
    then: PuzzleStep | None = None


class PuzzleStep(NamedTuple):
    """A position of the solution in which the solver moves: every legal move, and how many plies a win may take."""

    plies: int
    tries: Mapping[int, Try]

    def is_right(self, move: int) -> bool:
        """True if a move wins in time."""
        value = self.tries[move].value
        return value.sign > 0 and (value.distance or 0) <= self.plies

    @property
    def right(self) -> list[int]:
        return [move for move in self.tries if self.is_right(move)]


class Puzzle(NamedTuple):
    """The side to move wins with exactly one first move, in ``solution.plies`` plies against the longest defence."""

    id: str
    game: Game
    position: Position
    solution: PuzzleStep

    @property
    def plies(self) -> int:
        return self.solution.plies

    @property
    def line(self) -> list[int]:
        """The moves of the solution, with the longest defence."""
        moves, step = [], self.solution
        while True:
            best = min(step.right, key=lambda move: step.tries[move].value.distance or 0)
            _, reply, then = step.tries[best]
            moves += [best] if reply is None else [best, reply]
            if then is None:
                return moves
            step = then


def write_puzzle(puzzle: Puzzle) -> str:
    """The line of a puzzle in the file of its set."""
    written = {"position": str(puzzle.position), "plies": puzzle.plies, "moves": _write(puzzle.game, puzzle.solution)}
    return json.dumps(written, separators=(",", ":"))


def _write(game: Game, step: PuzzleStep) -> dict[str, list[Any]]:
    names = {sign: name for name, sign in _SIGNS.items()}
    moves: dict[str, list[Any]] = {}
    for move, (value, reply, then) in step.tries.items():
        written = [names[value.sign], value.distance, None if reply is None else game.name(reply)]
        moves[game.name(move)] = [*written, _write(game, then)] if then else written
    return moves


def read_puzzle(game: Game, number: int, line: str) -> Puzzle:
    """A line of a set. The sets are part of the package: a damaged one is a bug."""
    written = json.loads(line)
    moves = {game.name(move): move for move in range(len(game.paths))}
    position = game.parse(written["position"])
    return Puzzle(f"{game.id}-{number}", game, position, _read(moves, written["moves"], written["plies"]))


def _read(moves: Mapping[str, int], written: Mapping[str, Any], plies: int) -> PuzzleStep:
    tries: dict[int, Try] = {}
    for name, (value, distance, reply, *then) in written.items():
        after = _read(moves, then[0], plies - 2) if then else None
        tries[moves[name]] = Try(Value(_SIGNS[value], distance), None if reply is None else moves[reply], after)
    return PuzzleStep(plies, tries)


def set_file(game: Game) -> Path:
    return FOLDER / f"{game.id}.jsonl"


@cache
def puzzle_set(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles of a game, the shortest first; none if it has no set."""
    file = set_file(game)
    if not file.is_file():
        return ()
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(read_puzzle(game, number, line) for number, line in enumerate(lines, 1))


def all_puzzles() -> list[Puzzle]:
    return [puzzle for game in all_games().values() for puzzle in puzzle_set(game)]


def find_puzzle(id: str) -> Puzzle:
    """A puzzle by its id, such as ``classic-7``."""
    game, _, number = id.rpartition("-")
    if game not in all_games():
        raise Unreadable("no_such_puzzle", puzzle=quoted(id), games=" ".join(all_games()))
    found = puzzle_set(find_game(game))
    if not (number.isascii() and number.isdigit() and len(number) < 6 and 1 <= int(number) <= len(found)):
        raise Unreadable("no_such_puzzle.number", puzzle=quoted(id), game=game, count=len(found))
    return found[int(number) - 1]


def next_puzzle(puzzle: Puzzle) -> Puzzle:
    """The next of its set; after the last one the first."""
    puzzles = puzzle_set(puzzle.game)
    return puzzles[int(puzzle.id.rpartition("-")[2]) % len(puzzles)]


def puzzle_of_day(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody: the games take turns."""
    sets = [found for game in all_games().values() if (found := puzzle_set(game))]
    if not sets:
        raise NotAllowed("no_puzzles")
    turn, place = divmod(day.toordinal(), len(sets))
    found = sets[place]
    return found[turn * STEP % len(found)]
