"""Finds puzzles: all of a small game from its table, those of a big game in games of the engine against itself."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ninefold.analysis.engine import Engine
from ninefold.analysis.puzzles.proof import LEAST_PLIES, NODES, Prover, Unproven
from ninefold.analysis.puzzles.puzzle import Puzzle
from ninefold.core.game import Game
from ninefold.core.grid import SYMMETRIES
from ninefold.core.position import Position, Side
from ninefold.core.random_choice import pick
from ninefold.core.state_table import table_of

LEAST_MOVES = 4  # to choose from
MOST_PLIES = 9
COUNT = 48  # puzzles of a set
_GAME_NODES = 2_000  # that the engine searches for a move of a game
_QUICK_NODES = 20_000  # in which the win itself must be found
_RANDOM = 0.25  # the share of random moves, so that games differ and have mistakes


def generate(game: Game, count: int = COUNT, seed: int = 1, nodes: int = NODES) -> list[Puzzle]:
    """Puzzles of a game, the shortest first, none symmetric to another: as many as are asked for, or all there are."""
    provers = Prover(game, _QUICK_NODES), Prover(game, nodes)
    found: dict[str, Puzzle] = {}
    share = -(-count // 3)  # that may have the same length, in a big game
    lengths: dict[int, int] = {}
    for position in _candidates(game, seed):
        key = _symmetric_key(position)
        if key in found:
            continue
        puzzle = _puzzle(game, *provers, position)
        if puzzle is None or (not game.small and lengths.get(puzzle.plies, 0) >= share):
            continue
        lengths[puzzle.plies] = lengths.get(puzzle.plies, 0) + 1
        found[key] = puzzle
        if len(found) == count:
            break
    ordered = sorted(found.values(), key=lambda puzzle: puzzle.plies)
    return [puzzle._replace(id=f"{game.id}-{number}") for number, puzzle in enumerate(ordered, 1)]


def _puzzle(game: Game, quick: Prover, prover: Prover, position: Position) -> Puzzle | None:
    """The puzzle that a position is, if it is one and everything about it can be proven."""
    if prover.is_over(position) or len(position.moves()) < LEAST_MOVES:
        return None
    try:
        best, value = quick.best(position)
        plies = value.distance or 0
        if value.sign <= 0 or not LEAST_PLIES <= plies <= MOST_PLIES:
            return None
        if any(other.sign > 0 for move, other in prover.values(position).items() if move != best):
            return None
        return Puzzle("", game, position, prover.solution(position, plies))
    except Unproven:
        return None


def _candidates(game: Game, seed: int) -> Iterator[Position]:
    if game.small:
        yield from table_of(game, game.begin()).states
        return
    rng, engine = Random(f"puzzles/{game.id}/{seed}"), Engine(2**20)
    while True:
        position = game.begin()
        while position.moves():
            engine.clear()
            is_random = rng.random() < _RANDOM
            found = None if is_random else engine.search(position, nodes=_GAME_NODES).lines[0]
            position = position.play(found.move if found else pick(rng, position.moves()))
            if found and found.proven:  # the end is near, and the next position may be won by the other side
                yield from (position.play(move) for move in position.moves())
            yield position


def _symmetric_key(position: Position) -> str:
    """The same for all positions that are symmetric to each other."""
    cells, turn = position.cells, position.turn
    open_boards = getattr(position, "open_boards", ())
    return min(_image(cells, open_boards, goes) for goes in SYMMETRIES) + turn.name


def _image(cells: tuple[Side | None, ...], open_boards: tuple[int, ...], goes: tuple[int, ...]) -> str:
    marks = ["."] * len(cells)
    for cell, mark in enumerate(cells):
        place = goes[cell] if len(cells) == len(goes) else goes[cell // 9] * 9 + goes[cell % 9]
        marks[place] = "." if mark is None else mark.name
    return "".join(marks) + str(sorted(goes[board] for board in open_boards))
