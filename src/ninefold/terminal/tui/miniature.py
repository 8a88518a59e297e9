"""Small boards on which games are played, over and over, to be looked at."""

from __future__ import annotations

from random import Random
from typing import NamedTuple, cast

from ninefold.core.game import Game
from ninefold.core.position import BoardOfBoards, Position, Side
from ninefold.terminal.tui.boards_picture import draw_boards
from ninefold.terminal.tui.canvas import Canvas
from ninefold.terminal.tui.grid_picture import draw_grid
from ninefold.terminal.tui.marks import large_mark
from ninefold.terminal.tui.scene import Scene, fit

REST = 4  # steps that a finished board stays


class Sizes(NamedTuple):
    """Width and height of a board of nine, and of a board of boards."""

    grid: tuple[int, int]
    boards: tuple[int, int]


SMALL = Sizes((11, 5), (23, 11))
LARGE = Sizes((23, 11), (35, 17))
FITTED = fit(True, *LARGE.boards)


class Demo:
    """A game that plays itself: a win is taken, else the move is any one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.position: Position = game.begin()
        self._random = Random(game.id)
        self._rest = 0
        for _ in range(24 if game.picture.boards else 4):
            self._any()

    def step(self) -> None:
        moves = self.position.moves()
        winning = next((one for one in moves if self._wins(one)), None)
        if winning is not None:
            self.position, self._rest = self.position.play(winning), REST
        elif moves:
            self._any()
        elif self._rest:
            self._rest -= 1
        else:
            self.position = self.game.begin()

    def _any(self) -> None:
        if moves := self.position.moves():
            self.position = self.position.play(moves[int(self._random.random() * len(moves))])
            self._rest = REST

    def _wins(self, move: int) -> bool:
        outcome = self.position.play(move).outcome
        return outcome is not None and outcome.winner is self.position.turn

    def draw(self, sizes: Sizes) -> Canvas:
        outcome = self.position.outcome
        line = frozenset(cell for line in outcome.lines for cell in line) if outcome else frozenset()
        scene = Scene(self.position.cells, line=line)
        if not self.game.picture.boards:
            return draw_grid(scene, fit(False, *sizes.grid))
        position = cast("BoardOfBoards", self.position)
        if sizes is SMALL:
            return draw_small_boards(position)
        return draw_boards(scene._replace(owners=position.owners, open=frozenset(position.open_boards)), FITTED)


def draw_small_boards(position: BoardOfBoards) -> Canvas:
    """Nine boards with a character a cell; a dead one is its owner's mark."""
    canvas = Canvas(*SMALL.boards)
    for top in (3, 7):
        canvas.put(top, 0, "┼".join(["─" * 7] * 3), "rule")
    for row in (row for row in range(canvas.height) if row not in (3, 7)):
        for column in (7, 15):
            canvas.put(row, column, "│", "rule")
    for board, owner in enumerate(position.owners):
        _small_board(canvas, position, board, owner)
    return canvas


def _small_board(canvas: Canvas, position: BoardOfBoards, board: int, owner: str) -> None:
    top, left = board // 3 * 4, board % 3 * 8 + 1
    if owner in ("X", "O"):
        for row, text in enumerate(large_mark(Side[owner], 3), top):
            canvas.put(row, left, text, owner.lower())
        return
    for cell in range(9):
        mark = position.cells[board * 9 + cell]
        style = "faint" if mark is None or owner else mark.name.lower()
        canvas.put(top + cell // 3, left + cell % 3 * 2, "·" if mark is None else mark.name, style)
