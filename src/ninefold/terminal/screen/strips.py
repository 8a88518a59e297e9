"""From a canvas to what Textual shows, in the colours of the theme."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ninefold.terminal.screen.canvas import Canvas, Run

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
}


class Drawn(Widget):
    """A widget that is drawn on a canvas. It says where on its own place the drawing begins."""

    ALLOW_SELECT = False

    _rows: list[list[Run]] | None = None  # as they are shown; None: not yet, or not any more
    _look: dict[str, Style] | None = None

    def draw(self) -> Canvas:
        raise NotImplementedError

    def paint(self) -> None:
        """Draw anew. Only rows that have changed are sent to the terminal, which may be far away."""
        if self._rows is None:
            self.refresh()
            return
        before, self._rows = self._rows, list(self.draw().rows())
        if len(before) != len(self._rows):
            self.refresh()
        elif changed := [row for row, runs in enumerate(self._rows) if runs != before[row]]:
            top = self.corner()[0]
            self.refresh(*(Region(0, top + row, self.size.width, 1) for row in changed))

    def corner(self) -> tuple[int, int]:
        """The row and the column where the drawing begins."""
        return 0, 0

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._look = None

    def on_resize(self) -> None:
        self._rows = None

    def render_line(self, y: int) -> Strip:
        if self._rows is None:
            self._rows = list(self.draw().rows())
        if self._look is None:
            self._look = self._styles()
        top, left = self.corner()
        blank, width = self.rich_style, self.size.width
        if not 0 <= y - top < len(self._rows):
            return Strip.blank(width, blank)
        row = Strip(Segment(text, self._look[name]) for text, name in self._rows[y - top])
        right = max(0, width - left - row.cell_length)
        return Strip([Segment(" " * left, blank), *row, Segment(" " * right, blank)]).crop(0, width)

    def _styles(self) -> dict[str, Style]:
        base, colours = self.rich_style, self.app.theme_variables
        styles = {"": base}
        for name, (variable, attributes) in STYLES.items():
            colour = Style(color=Color.parse(colours[variable]).rich_color)
            styles[name] = base + colour + Style.parse(attributes or "none")
        return styles
