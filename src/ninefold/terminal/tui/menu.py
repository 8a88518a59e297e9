"""The menu of the first screen: settings that are changed with left and right, and things to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from ninefold.terminal.tui.key_bindings import dispatch_key

LABEL = 11


class MenuItem(NamedTuple):
    """A line of the menu. One with a value is a setting; one with a key is done with Enter, or with its key."""

    name: str
    label: str
    value: str = ""
    key: str = ""
    gap: bool = False  # an empty line before it, if there is room

    @property
    def is_setting(self) -> bool:
        """True if left and right change it."""
        return bool(self.value) and not self.key


class MenuRow(NamedTuple):
    """What stands in a row: a piece of text, or the item with a number."""

    content: Content
    item: int | None = None


class Menu(Widget, can_focus=True):
    """Where there is too little room, it scrolls to the chosen item."""

    class SettingChanged(Message):
        name: str
        by: int

        def __init__(self, name: str, by: int) -> None:
            super().__init__()
            self.name, self.by = name, by

    class ItemChosen(Message):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class CursorMoved(Message):
        """Another item is the chosen one, or the items have changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._about = ""
        self.items: Sequence[MenuItem] = ()
        self.at: int = 0

    def show(self, about: str, items: Sequence[MenuItem]) -> None:
        here = self.items[self.at].name if self.items else ""
        self.items = items
        self._about = about
        self.at = next((n for n, item in enumerate(items) if item.name == here), min(self.at, len(items) - 1))
        self._go(self.at)

    def render(self) -> Content:
        rows, above = self._rows(), self._scrolled()
        shown = [row.content for row in rows[above : above + self.size.height]]
        if above and shown:
            shown[0] = self._marked(shown[0], "▴")
        if above + len(shown) < len(rows) and shown:
            shown[-1] = self._marked(shown[-1], "▾")
        return Content("\n").join(shown)

    @property
    def _width(self) -> int:
        return max(20, self.size.width)

    def _marked(self, line: Content, mark: str) -> Content:
        """A line with a sign that there is more above it, or below."""
        return Content.assemble(line.truncate(self._width - 1, pad=True), (mark, "bold"))

    def _rows(self) -> list[MenuRow]:
        """What the chosen game is, then the items."""
        about = Content.styled(self._about, "$label").wrap(self._width)
        rows = [MenuRow(line) for line in (*about, Content())]
        gaps = len(rows) + len(self.items) + sum(item.gap for item in self.items) <= self.size.height
        for n, item in enumerate(self.items):
            rows += [MenuRow(Content())] if item.gap and gaps else []
            rows.append(MenuRow(self._line(item, n == self.at), n))
        return rows

    def _scrolled(self) -> int:
        """How many rows are above the first that is shown: as few as show the chosen item and the one behind it."""
        rows = self._rows()
        here = next((n for n, row in enumerate(rows) if row.item == self.at), 0)
        most = max(0, len(rows) - self.size.height)
        return max(0, min(most, here, here + 2 - self.size.height))

    def _line(self, item: MenuItem, here: bool) -> Content:
        label = f"{item.label:<{LABEL}}" if item.label and item.value else item.label
        room = self._width - 2 - len(label) - (len(item.key) + 1 if item.key else 0)
        value = f"‹ {item.value} ›"[:room] if item.is_setting else item.value[: room - 1]
        style = "bold" if here else ""
        return Content.assemble(
            "▸ " if here else "  ", (label, "$label" if item.value else style), (f"{value:<{room}}{item.key}", style)
        )

    async def on_key(self, event: events.Key) -> None:
        item = self.items[self.at]
        if event.key in ("up", "down"):
            self._go((self.at + (1 if event.key == "down" else -1)) % len(self.items))
        elif event.key in ("left", "right") and item.is_setting:
            self.post_message(self.SettingChanged(item.name, 1 if event.key == "right" else -1))
        elif event.key in ("enter", "space"):
            self.post_message(self.ItemChosen(item.name))
        elif not await dispatch_key(self, event.key):
            return
        event.stop()

    def _go(self, to: int) -> None:
        self.at = to
        self.refresh()
        self.post_message(self.CursorMoved())

    def _under(self, event: events.MouseEvent) -> int | None:
        """The item at a place."""
        place, above = event.get_content_offset(self), self._scrolled()
        rows = self._rows()[above : above + self.size.height]
        return rows[place.y].item if place and place.y < len(rows) else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        to = self._under(event)
        if to is not None and to != self.at and self._rows_fit:
            self._go(to)

    @property
    def _rows_fit(self) -> bool:
        """True if nothing scrolls: else the menu would run away under the mouse."""
        return len(self._rows()) <= self.size.height

    def on_mouse_scroll_down(self) -> None:
        self._go(min(self.at + 1, len(self.items) - 1))

    def on_mouse_scroll_up(self) -> None:
        self._go(max(self.at - 1, 0))

    def on_click(self, event: events.Click) -> None:
        to = self._under(event)
        if to is None:
            return
        self._go(to)
        item = self.items[to]
        if item.is_setting:
            self.post_message(self.SettingChanged(item.name, -1 if event.x < LABEL + 4 else 1))
        else:
            self.post_message(self.ItemChosen(item.name))
