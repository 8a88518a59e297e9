"""The games side by side, each with a small board on which it plays itself."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, cast

from textual import events
from textual.message import Message

from ninefold.core.game import Game
from ninefold.core.position import BoardOfBoards, Position, Side
from ninefold.terminal.tui.board_picture import draw_boards, draw_grid, large_mark
from ninefold.terminal.tui.canvas import Canvas, CanvasWidget
from ninefold.terminal.tui.scene import BoardScene, fit

INTERVAL = 0.9  # seconds between two moves of a board
GAP = 2  # columns between two of them, at least
REST = 4  # steps that a finished board stays


class DemoSizes(NamedTuple):
    """Width and height of a board of nine, and of a board of boards."""

    grid: tuple[int, int]
    boards: tuple[int, int]


SMALL = DemoSizes((11, 5), (23, 11))
LARGE = DemoSizes((23, 11), (35, 17))
HUGE = DemoSizes((35, 17), (71, 33))


class DemoGame:
    """A game that plays itself: a win is taken, else the move is any one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.position: Position = game.begin()
        self._random = Random(game.id)
        self._rest = 0
        for _ in range(24 if game.picture.boards else 4):
            self._play_any()

    def step(self) -> None:
        moves = self.position.moves()
        winning = next((one for one in moves if self._wins(one)), None)
        if winning is not None:
            self.position, self._rest = self.position.play(winning), REST
        elif moves:
            self._play_any()
        elif self._rest:
            self._rest -= 1
        else:
            self.position = self.game.begin()

    def _play_any(self) -> None:
        if moves := self.position.moves():
            self.position = self.position.play(moves[int(self._random.random() * len(moves))])
            self._rest = REST

    def _wins(self, move: int) -> bool:
        outcome = self.position.play(move).outcome
        return outcome is not None and outcome.winner is self.position.turn

    def draw(self, sizes: DemoSizes) -> Canvas:
        outcome = self.position.outcome
        line = frozenset(cell for line in outcome.lines for cell in line) if outcome else frozenset()
        scene = BoardScene(self.position.cells, line=line)
        if not self.game.picture.boards:
            return draw_grid(scene, fit(False, *sizes.grid))
        position = cast("BoardOfBoards", self.position)
        if sizes is SMALL:
            return draw_small_boards(position)
        return draw_boards(
            scene._replace(owners=position.owners, open=frozenset(position.open_boards)), fit(True, *sizes.boards)
        )


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


class DemoPlace(NamedTuple):
    """Where a game is, its name included."""

    row: int
    column: int
    width: int
    height: int


class Gallery(CanvasWidget):
    """Boards of nine in the upper row, boards of boards in the lower one: so the games have to come in this order."""

    class GameChosen(Message):
        """A game was clicked."""

        def __init__(self, game: Game) -> None:
            super().__init__()
            self.game = game

    def __init__(self, games: Sequence[Game], *, interval: float = INTERVAL, id: str | None = None) -> None:
        super().__init__(id=id)
        self._interval = interval
        self.games: list[Game] = list(games)
        self.chosen: Game = self.games[0]
        self.demos: list[DemoGame] = [DemoGame(game) for game in self.games]
        self._turn = 0

    def on_mount(self) -> None:
        if self.app.animation_level != "none":
            self.set_interval(self._interval / len(self.demos), self.step)

    def step(self) -> None:
        """One board after the other, so that the screen is calm."""
        if self.app.screen is self.screen:
            self._turn = (self._turn + 1) % len(self.demos)
            self.demos[self._turn].step()
            self.paint()

    def choose(self, game: Game) -> None:
        self.chosen = game
        self.paint()

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        for demo, place in zip(self.demos, self.places(), strict=True):
            if at and 0 <= at.y - place.row < place.height and 0 <= at.x - place.column < place.width:
                self.post_message(self.GameChosen(demo.game))

    @property
    def _sizes(self) -> DemoSizes:
        return next((sizes for sizes in (HUGE, LARGE) if self._fits(sizes)), SMALL)

    def _fits(self, sizes: DemoSizes) -> bool:
        places = self._places_with(sizes)
        return all(place.row + place.height <= self.size.height for place in places) and all(
            place.column + place.width <= self.size.width for place in places
        )

    def places(self) -> list[DemoPlace]:
        return self._places_with(self._sizes)

    def _places_with(self, sizes: DemoSizes) -> list[DemoPlace]:
        small = [game for game in self.games if not game.picture.boards]
        upper, lower = sizes.grid[1] + 1, sizes.boards[1] + 1
        spare = max(0, self.size.height - upper - lower) // 3 if small and len(small) < len(self.games) else 0
        row = upper + 2 * spare if small else 0
        first = self._row(small, spare, sizes.grid, 0)
        return first + self._row(self.games[len(small) :], row, sizes.boards, len(small))

    def _row(self, games: Sequence[Game], row: int, size: tuple[int, int], before: int) -> list[DemoPlace]:
        """Games side by side, as far apart as there is room for."""
        widths = [max(size[0], len(_name(number, game))) for number, game in enumerate(games, before + 1)]
        gap = max(GAP, min(8, (self.size.width - sum(widths)) // max(1, len(games))))
        column = max(0, (self.size.width - sum(widths) - gap * (len(games) - 1)) // 2)
        places = []
        for width in widths:
            places.append(DemoPlace(row, column, width, size[1] + 1))
            column += width + gap
        return places

    def draw(self) -> Canvas:
        canvas, sizes = Canvas(self.size.width, self.size.height), self._sizes
        for number, (demo, place) in enumerate(zip(self.demos, self.places(), strict=True), 1):
            here = demo.game is self.chosen
            if place.row < canvas.height:
                canvas.put(place.row, place.column, _name(number, demo.game), "here" if here else "label")
            canvas.paste(place.row + 1, place.column, demo.draw(sizes))
        return canvas


def _name(number: int, game: Game) -> str:
    return f"{number} {game.title}"
