"""The bar with the title above, and the bar with the keys below: what can be done now, also by mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widget import Widget

from ninefold.core.messages import text

LEAST = Size(80, 24)


def too_small(size: Size) -> str:
    """The warning for a window in which not everything can be seen; "" for others."""
    enough = size.width >= LEAST.width and size.height >= LEAST.height
    return "" if enough else text("screen.too_small", width=LEAST.width, height=LEAST.height)


class TitleBar(Widget):
    """A line over the whole width, with something at its left and something at its right."""

    DEFAULT_CSS = """
    TitleBar { height: 1; padding: 0 1; background: $surface; color: $label;
          link-style: none; link-color: $label; link-background: $surface 0%;
          link-color-hover: $foreground; link-style-hover: bold; link-background-hover: $surface 0%; }
    """

    left: Content
    right: str

    def __init__(self, left: str = "", right: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.left, self.right = Content.styled(left, "bold $foreground"), right

    def show(self, right: str) -> None:
        if right != self.right:
            self.right = right
            self.refresh()

    def render(self) -> Content:
        """Where there is too little room, what is at the right is more important."""
        left = self.left.truncate(max(0, self.size.width - len(self.right) - 1))
        return Content.assemble(left, self.right.rjust(self.size.width - left.cell_length))


class KeyHint(NamedTuple):
    """A key as people read it, what it does in a word or two, and the action it calls ("" for none)."""

    key: str
    does: str
    action: str = ""


class KeyBar(TitleBar):
    """As many keys as there is room for, the most important first."""

    def __init__(self, keys: Sequence[KeyHint] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.keys: Sequence[KeyHint] = keys

    def show_keys(self, keys: Sequence[KeyHint]) -> None:
        if keys != self.keys:
            self.keys = keys
            self.refresh()

    def render(self) -> Content:
        """A key that has no room gives way to a shorter one after it."""
        rows: list[list[Content]] = [[] for _ in range(max(1, self.size.height))]
        for part in map(_part, self.keys):
            for row in rows:
                if sum(one.cell_length + 2 for one in row) + part.cell_length <= self.size.width:
                    row.append(part)
                    break
        return Content("\n").join(Content("  ").join(row) for row in rows)


def _part(key: KeyHint) -> Content:
    part = Content.assemble((key.key, "bold $foreground"), f" {key.does}")
    return part.stylize(Style.from_meta({"@click": key.action})) if key.action else part
