"""Characters in rows and columns, each with the name of a style. What a style looks like is the theme's business."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple


class Run(NamedTuple):
    """Characters of one style, side by side."""

    text: str
    style: str


class Edges(NamedTuple):
    """What a frame is drawn with: its corners, its rows and its columns."""

    corners: str
    row: str
    column: str


LIGHT = Edges("┌┐└┘", "─", "│")
ROUND = Edges("╭╮╰╯", "─", "│")
HEAVY = Edges("┏┓┗┛", "━", "┃")
DOUBLE = Edges("╔╗╚╝", "═", "║")
DASHED = Edges("┌┐└┘", "╌", "╎")
HEAVY_DASHED = Edges("┏┓┗┛", "╍", "╏")
OPEN_DASHED = HEAVY_DASHED._replace(column="┃")
CORNERS = Edges("╭╮╰╯", " ", " ")


class Canvas:
    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._text = [[" "] * width for _ in range(height)]
        self._style = [[""] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        text = text[: self.width - column]
        self._text[row][column : column + len(text)] = text
        self._style[row][column : column + len(text)] = [style] * len(text)

    def center(self, row: int, column: int, width: int, text: str, style: str = "") -> None:
        self.put(row, column + (width - len(text)) // 2, text[:width], style)

    def frame(self, row: int, column: int, width: int, height: int, edges: Edges, style: str = "") -> None:
        """A frame around a place; what is inside stays as it is."""
        top_left, top_right, bottom_left, bottom_right = tuple(edges.corners)
        self.put(row, column, top_left + edges.row * (width - 2) + top_right, style)
        self.put(row + height - 1, column, bottom_left + edges.row * (width - 2) + bottom_right, style)
        for between in range(row + 1, row + height - 1):
            self.put(between, column, edges.column, style)
            self.put(between, column + width - 1, edges.column, style)

    def paste(self, row: int, column: int, other: Canvas) -> None:
        """Another canvas upon this one, as far as it fits."""
        for down, (text, style) in enumerate(zip(other._text, other._style, strict=True), row):
            if down < self.height and column + other.width <= self.width:
                self._text[down][column : column + other.width] = text
                self._style[down][column : column + other.width] = style

    def is_blank(self, row: int, column: int) -> bool:
        return self._text[row][column] == " "

    def rows(self) -> Iterator[list[Run]]:
        for text, style in zip(self._text, self._style, strict=True):
            ends = [column for column in range(1, self.width) if style[column] != style[column - 1]]
            parts = pairwise((0, *ends, self.width))
            yield [Run("".join(text[start:end]), style[start]) for start, end in parts if end]
