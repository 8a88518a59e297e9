"""From a canvas to what Textual shows, in the colours of the theme."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ninefold.terminal.tui.canvas import Canvas, Run

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
    _begins = (0, 0)  # the corner of what is shown

    def draw(self) -> Canvas:
        raise NotImplementedError

    def paint(self) -> None:
        """Draw anew. Only rows that have changed are sent to the terminal, which may be far away."""
        if self._rows is None:
            self.refresh()
            return
        before, now = self._rows, self._drawn_anew()
        if len(before) != len(now):
            self.refresh()
        elif changed := [row for row, runs in enumerate(now) if runs != before[row]]:
            top = self._begins[0]
            self.refresh(*(Region(0, top + row, self.size.width, 1) for row in changed))

    def _drawn_anew(self) -> list[list[Run]]:
        self._rows, self._begins = list(self.draw().rows()), self.corner()
        return self._rows

    def corner(self) -> tuple[int, int]:
        """The row and the column where the drawing begins."""
        return 0, 0

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._look = None

    def on_resize(self) -> None:
        self._rows = None

    def render_line(self, y: int) -> Strip:
        rows = self._drawn_anew() if self._rows is None else self._rows
        if self._look is None:
            self._look = self._styles()
        top, left = self._begins
        blank, width = self._look[""], self.size.width
        if not 0 <= y - top < len(rows):
            return Strip.blank(width, blank)
        row = Strip(Segment(text, self._look[name]) for text, name in rows[y - top])
        right = max(0, width - left - row.cell_length)
        return Strip([Segment(" " * left, blank), *row, Segment(" " * right, blank)]).crop(0, width)

    def _styles(self) -> dict[str, Style]:
        base, colours = self.rich_style, self.app.theme_variables
        styles = {"": base}
        for name, (variable, attributes) in STYLES.items():
            colour = Style(color=Color.parse(colours[variable]).rich_color)
            styles[name] = base + colour + Style.parse(attributes or "none")
        return styles
