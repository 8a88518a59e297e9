"""A canvas of styled characters, and the widget that shows one in the colours of the theme."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

# The variable of the theme that a style is coloured with, and what else makes it.
STYLES = {
    "x": ("mark-x", "bold"),
    "o": ("mark-o", "bold"),
    "rule": ("rule", ""),
    "label": ("label", ""),
    "faint": ("faint", ""),
    "strong": ("foreground", "bold"),
    "here": ("foreground", "bold reverse"),
    "open": ("open", ""),
    "chosen": ("open", "bold"),
    "cursor": ("foreground", "bold"),
    "target": ("note", "bold"),
    "last": ("note", ""),
    "line": ("note", "bold"),
    "option": ("note", ""),
    "picked": ("note", "bold"),
    "threat": ("note", ""),
    "value": ("open", ""),
    "hint": ("note", "bold"),
}


class StyledRun(NamedTuple):
    """Characters of one style, side by side."""

    text: str
    style: str


class FrameStyle(NamedTuple):
    """The characters of a frame: its corners, its rows and its columns."""

    corners: str
    row: str
    column: str


LIGHT = FrameStyle("┌┐└┘", "─", "│")
ROUND = FrameStyle("╭╮╰╯", "─", "│")
HEAVY = FrameStyle("┏┓┗┛", "━", "┃")
DOUBLE = FrameStyle("╔╗╚╝", "═", "║")
DASHED = FrameStyle("┌┐└┘", "╌", "╎")
HEAVY_DASHED = FrameStyle("┏┓┗┛", "╍", "╏")
OPEN_DASHED = HEAVY_DASHED._replace(column="┃")
CORNERS = FrameStyle("╭╮╰╯", " ", " ")


class Canvas:
    width: int
    height: int

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

    def frame(self, row: int, column: int, width: int, height: int, edges: FrameStyle, style: str = "") -> None:
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

    def rows(self) -> Iterator[list[StyledRun]]:
        for text, style in zip(self._text, self._style, strict=True):
            ends = [column for column in range(1, self.width) if style[column] != style[column - 1]]
            parts = pairwise((0, *ends, self.width))
            yield [StyledRun("".join(text[start:end]), style[start]) for start, end in parts if end]


class CanvasWidget(Widget):
    """A widget that is drawn on a canvas, which begins at a corner of its own choice."""

    ALLOW_SELECT = False

    _rows: list[list[StyledRun]] | None = None  # as they are shown; None: not drawn yet, or outdated
    _styles: dict[str, Style] | None = None
    _origin = (0, 0)  # the corner of what is shown

    def draw(self) -> Canvas:
        raise NotImplementedError

    def paint(self) -> None:
        """Draw again. Only rows that have changed are sent to the terminal, whose connection may be slow."""
        if self._rows is None:
            self.refresh()
            return
        before, now = self._rows, self._redraw()
        if len(before) != len(now):
            self.refresh()
        elif changed := [row for row, runs in enumerate(now) if runs != before[row]]:
            top = self._origin[0]
            self.refresh(*(Region(0, top + row, self.size.width, 1) for row in changed))

    def _redraw(self) -> list[list[StyledRun]]:
        self._rows, self._origin = list(self.draw().rows()), self.corner()
        return self._rows

    def corner(self) -> tuple[int, int]:
        """The row and the column where the drawing begins."""
        return 0, 0

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles = None

    def on_resize(self) -> None:
        self._rows = None

    def render_line(self, y: int) -> Strip:
        rows = self._redraw() if self._rows is None else self._rows
        if self._styles is None:
            self._styles = self._theme_styles()
        top, left = self._origin
        blank, width = self._styles[""], self.size.width
        if not 0 <= y - top < len(rows):
            return Strip.blank(width, blank)
        row = Strip(Segment(text, self._styles[name]) for text, name in rows[y - top])
        right = max(0, width - left - row.cell_length)
        return Strip([Segment(" " * left, blank), *row, Segment(" " * right, blank)]).crop(0, width)

    def _theme_styles(self) -> dict[str, Style]:
        base, colours = self.rich_style, self.app.theme_variables
        styles = {"": base}
        for name, (variable, attributes) in STYLES.items():
            colour = Style(color=Color.parse(colours[variable]).rich_color)
            styles[name] = base + colour + Style.parse(attributes or "none")
        return styles
