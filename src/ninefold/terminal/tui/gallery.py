"""The games side by side, each with a small board on which it is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.message import Message

from ninefold.core.game import Game
from ninefold.terminal.tui.canvas import Canvas
from ninefold.terminal.tui.canvas_widget import Drawn
from ninefold.terminal.tui.miniature import LARGE, SMALL, Demo, Sizes

EVERY = 0.9  # seconds between two moves of a board
GAP = 2  # columns between two of them, at least


class Place(NamedTuple):
    """Where a game is, its name included."""

    row: int
    column: int
    width: int
    height: int


class Gallery(Drawn):
    """Boards of nine in the upper row, boards of boards in the lower one."""

    class Chosen(Message):
        """A game was pressed."""

        def __init__(self, game: Game) -> None:
            super().__init__()
            self.game = game

    def __init__(self, games: Sequence[Game], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.games = [*sorted(games, key=lambda game: game.picture.boards)]
        self.chosen = self.games[0]
        self._demos = [Demo(game) for game in self.games]
        self._turn = 0

    def on_mount(self) -> None:
        if self.app.animation_level != "none":
            self.set_interval(EVERY / len(self._demos), self._step)

    def _step(self) -> None:
        """One board after the other, so that the screen is calm."""
        if self.app.screen is self.screen:
            self._turn = (self._turn + 1) % len(self._demos)
            self._demos[self._turn].step()
            self.paint()

    def choose(self, game: Game) -> None:
        self.chosen = game
        self.paint()

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        for demo, place in zip(self._demos, self._places(), strict=True):
            if at and 0 <= at.y - place.row < place.height and 0 <= at.x - place.column < place.width:
                self.post_message(self.Chosen(demo.game))

    @property
    def _sizes(self) -> Sizes:
        return LARGE if self._fits(LARGE) else SMALL

    def _fits(self, sizes: Sizes) -> bool:
        places = self._places_with(sizes)
        return all(place.row + place.height <= self.size.height for place in places) and all(
            place.column + place.width <= self.size.width for place in places
        )

    def _places(self) -> list[Place]:
        return self._places_with(self._sizes)

    def _places_with(self, sizes: Sizes) -> list[Place]:
        small = [game for game in self.games if not game.picture.boards]
        upper, lower = sizes.grid[1] + 1, sizes.boards[1] + 1
        spare = max(0, self.size.height - upper - lower) // 3 if small and len(small) < len(self.games) else 0
        row = upper + 2 * spare if small else 0
        first = self._row(small, spare, sizes.grid, 0)
        return first + self._row(self.games[len(small) :], row, sizes.boards, len(small))

    def _row(self, games: Sequence[Game], row: int, size: tuple[int, int], before: int) -> list[Place]:
        """Games side by side, as far apart as there is room for."""
        widths = [max(size[0], len(_name(number, game))) for number, game in enumerate(games, before + 1)]
        gap = max(GAP, min(8, (self.size.width - sum(widths)) // max(1, len(games))))
        column = max(0, (self.size.width - sum(widths) - gap * (len(games) - 1)) // 2)
        places = []
        for width in widths:
            places.append(Place(row, column, width, size[1] + 1))
            column += width + gap
        return places

    def draw(self) -> Canvas:
        canvas, sizes = Canvas(self.size.width, self.size.height), self._sizes
        for number, (demo, place) in enumerate(zip(self._demos, self._places(), strict=True), 1):
            here = demo.game is self.chosen
            if place.row < canvas.height:
                canvas.put(place.row, place.column, _name(number, demo.game), "here" if here else "label")
            canvas.paste(place.row + 1, place.column, demo.draw(sizes))
        return canvas


def _name(number: int, game: Game) -> str:
    return f"{number} {game.title}"
