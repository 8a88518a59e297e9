"""From keys and presses to a move: here the tree of the legal paths is walked. What is legal, the position says.

A *square* is a place on the drawn board: one of nine, or one of eighty-one where the cells are boards themselves.
"""

from __future__ import annotations

from typing import NamedTuple

from ninefold.core.game import Effects, Game
from ninefold.core.grid import CELLS, Naming
from ninefold.core.position import Path, Position

ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class ChosenStep(NamedTuple):
    """The result of a choice: a move, or only the way to one."""

    way: Path
    move: int | None = None


class Foreseen(NamedTuple):
    """A preview of pressing a square: what it changes, where the opponent could play, what could be chosen next."""

    effects: Effects | None = None
    options: tuple[int, ...] = ()


NOTHING = Foreseen()


# Where things are


def square_at(game: Game, path: Path) -> int | None:
    """The square that a path points at: in a board of boards the first choice is a board."""
    if game.picture.boards:
        return path[0] * 9 + path[1] if len(path) > 1 else None
    return path[-1] if path else None


def path_to(game: Game, way: Path, square: int) -> Path:
    """The path to a square: in a board of boards a square says which board it is of, else it follows the choices made
    so far."""
    return divmod(square, 9) if game.picture.boards and len(way) < 2 else (*way, square)


def beside(game: Game, square: int, arrow: str) -> int:
    """The square beside another one, as the eye sees the whole board; itself at the edge."""
    down, right = ARROWS[arrow]
    size = 9 if game.picture.boards else 3
    row, column = _seen(square) if game.picture.boards else divmod(square, 3)
    row, column = (min(size - 1, max(0, place)) for place in (row + down, column + right))
    return _unseen(row, column) if game.picture.boards else row * 3 + column


def _seen(square: int) -> tuple[int, int]:
    """Row and column of one of eighty-one squares."""
    board, cell = divmod(square, 9)
    return board // 3 * 3 + cell // 3, board % 3 * 3 + cell % 3


def _unseen(row: int, column: int) -> int:
    return (row // 3 * 3 + column // 3) * 9 + row % 3 * 3 + column % 3


# Choosing


def press(game: Game, position: Position, way: Path, square: int) -> ChosenStep | None:
    """Press a square. The square chosen last, pressed once more, declines what could follow; a square that
    cannot follow starts the move over: of another board than was chosen, it chooses that board. None: it cannot be
    played."""
    chosen = game.choices(position, way)[1]
    if chosen is not None and square_at(game, way) == square:
        return ChosenStep((), chosen)
    path = path_to(game, way, square)
    elsewhere = game.picture.boards and way and path[0] != way[0]
    step = _walk(game, position, path[:1] if elsewhere else path)
    return step or (press(game, position, (), square) if way else None)


def _walk(game: Game, position: Position, path: Path) -> ChosenStep | None:
    following, move = game.choices(position, path)
    if following:
        return ChosenStep(path)
    return None if move is None else ChosenStep((), move)


def begun(game: Game, position: Position, way: Path = ()) -> Path:
    """The path at which choosing begins: past every question that the game does not ask when it has one answer."""
    following, move = game.choices(position, way)
    skip = len(way) < len(game.steps) and game.steps[len(way)].skip_single
    return begun(game, position, (*way, following[0])) if skip and move is None and len(following) == 1 else way


class Typed(NamedTuple):
    """The result of digits, and those of them that wait for more; ``refused`` is a path that cannot be played."""

    step: ChosenStep | None = None
    waiting: str = ""
    refused: Path | None = None


def type_digits(game: Game, position: Position, way: Path, digits: str, naming: Naming) -> Typed:
    """Each choice is named as people name its cell, brackets left out. The cell chosen last, named once more, declines
    what could follow; a cell that cannot follow starts the move over, as pressing it does."""
    start = way or begun(game, position)
    following, move = game.choices(position, start)
    if move is not None and digits_of(naming, start[-1]) == digits:
        return Typed(ChosenStep((), move))
    for cell in CELLS:
        if digits_of(naming, cell) == digits:
            path = (*start, cell)
            again = (cell,) if move is not None and cell not in following else path
            step = _walk(game, position, again)
            return Typed(step) if step else Typed(refused=path)
    return Typed(waiting=digits if any(digits_of(naming, cell).startswith(digits) for cell in CELLS) else "")


def digits_of(naming: Naming, cell: int) -> str:
    return "".join(char for char in naming.name(cell) if char.isdigit())


def foresee(game: Game, position: Position, way: Path, square: int) -> Foreseen:
    """The preview of pressing a square."""
    step = press(game, position, way, square)
    if step is None:
        return NOTHING
    following: tuple[int, ...] = ()
    move = step.move
    if move is None:
        following, move = game.choices(position, step.way)
    squares = (square_at(game, (*step.way, cell)) for cell in following)
    options = tuple(square for square in squares if square is not None)
    return Foreseen(None if move is None else game.effects(position, move), options)


def playable(game: Game, position: Position) -> frozenset[int]:
    """The squares on which a move can begin."""
    steps = 2 if game.picture.boards else 1
    squares = (square_at(game, game.paths[move][:steps]) for move in position.moves())
    return frozenset(square for square in squares if square is not None)
