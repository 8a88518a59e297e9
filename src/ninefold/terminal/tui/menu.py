"""The menu of the first screen: settings that are changed with left and right, and things to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from ninefold.terminal.tui.key_bindings import dispatch_key

LABEL = 10


class MenuItem(NamedTuple):
    """A line of the menu. One with a value is a setting; another one is done with Enter, or with its key."""

    name: str
    label: str
    value: str = ""
    key: str = ""
    gap: bool = False  # an empty line before it


class Menu(Widget, can_focus=True):
    class SettingChanged(Message):
        def __init__(self, name: str, by: int) -> None:
            super().__init__()
            self.name, self.by = name, by

    class ItemChosen(Message):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._about = ""
        self.items: Sequence[MenuItem] = ()
        self.at = 0

    def show(self, about: str, items: Sequence[MenuItem]) -> None:
        here = self.items[self.at].name if self.items else ""
        self.items = items
        self._about = about
        self.at = next((n for n, item in enumerate(items) if item.name == here), min(self.at, len(items) - 1))
        self.refresh()

    def render(self) -> Content:
        lines = [*self._above()]
        for n, item in enumerate(self.items):
            lines += [Content()] if item.gap else []
            lines.append(self._line(item, n == self.at))
        return Content("\n").join(lines)

    def _above(self) -> list[Content]:
        """What the chosen game is, and an empty line."""
        return [*Content.styled(self._about, "$label").wrap(max(20, self.size.width)), Content()]

    def _line(self, item: MenuItem, here: bool) -> Content:
        width = max(20, self.size.width)
        if item.value:
            label = f"{item.label:<{LABEL}}" if item.label else ""
            value = f"‹ {item.value} ›"[: width - len(label) - 2]
            return Content.assemble("▸ " if here else "  ", (label, "$label"), (value, "bold" if here else ""))
        text = f"{item.label:<{width - 3 - len(item.key)}}{item.key}"
        return Content.assemble("▸ " if here else "  ", (text, "bold" if here else ""))

    async def on_key(self, event: events.Key) -> None:
        item = self.items[self.at]
        if event.key in ("up", "down"):
            self._go((self.at + (1 if event.key == "down" else -1)) % len(self.items))
        elif event.key in ("left", "right") and item.value:
            self.post_message(self.SettingChanged(item.name, 1 if event.key == "right" else -1))
        elif event.key in ("enter", "space"):
            self.post_message(self.ItemChosen(item.name))
        elif not await dispatch_key(self, event.key):
            return
        event.stop()

    def _go(self, to: int) -> None:
        self.at = to
        self.refresh()

    def _under(self, event: events.MouseEvent) -> int | None:
        """The item at a place."""
        place = event.get_content_offset(self)
        row = len(self._above()) - 1
        for n, item in enumerate(self.items):
            row += 2 if item.gap else 1
            if place and row == place.y:
                return n
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        to = self._under(event)
        if to is not None and to != self.at:
            self._go(to)

    def on_click(self, event: events.Click) -> None:
        to = self._under(event)
        if to is None:
            return
        self._go(to)
        item = self.items[to]
        if item.value:
            self.post_message(self.SettingChanged(item.name, -1 if event.x < LABEL + 4 else 1))
        else:
            self.post_message(self.ItemChosen(item.name))
