"""A monkey at the full screen: keys, mouse events, pastes and changes of the window's size, all at random."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random

from textual import events
from textual.events import MouseEvent
from textual.geometry import Size
from textual.pilot import WaitForScreenTimeout

from tests.support.tui_person import SMALL, Person, at_screen
from tests.support.tui_scenes import Scene

OFTEN = ["up", "down", "left", "right", "enter", "escape", "space", "tab", *"123456789", *"acdhlmnorstuwxy", "slash"]
SOMETIMES = [
    "shift+tab", "backspace", "delete", "home", "end", "pageup", "pagedown", "comma", "full_stop", "plus",
    "question_mark", "f1", "f3", "f4", "ctrl+a", "ctrl+u", "ctrl+z", "ctrl+v", "b", "e", "f", "g", "i", "j", "k", "p",
    "q", "v", "z", "0", "E", "X", "é", "✓",
]  # fmt: skip
SELDOM = ["ctrl+q", "ctrl+c", "f2"]  # which end it
LINK = "http://127.0.0.1:1/m/ab#invite=xxxxxxxxxxxxxxxxxxxx"  # where nobody is
TEXTS = ["", "hello", "[0,0]", "\x1b[31m\x00", "x" * 5000, "a\nb", "../..", LINK]
MOUSE: list[type[MouseEvent]] = [events.MouseMove, events.MouseScrollDown, events.MouseScrollUp]
SIZES = [Size(80, 24), Size(120, 40), Size(200, 60), Size(60, 18), Size(1, 1)]
REMEMBERED = 40  # of the last things it did, for the message of a failure


class Monkey:
    def __init__(self, person: Person, seed: str) -> None:
        self._person, self._random = person, Random(seed)
        self.done: deque[str] = deque(maxlen=REMEMBERED)

    async def act(self) -> None:
        ways: list[tuple[Callable[[], None], int]] = [
            (self._press, 78), (self._click, 10), (self._point, 8), (self._paste, 2), (self._resize, 2),
        ]  # fmt: skip
        (way,) = self._random.choices([way for way, _ in ways], [weight for _, weight in ways])
        way()
        if self._random.random() < 0.3:  # else it is quicker than the app
            await self._pause()

    async def _pause(self) -> None:
        try:
            await self._person.pilot.pause()
        except WaitForScreenTimeout:
            if self._person.app.is_running:  # else it was left, and handles no messages any more
                raise

    def _press(self) -> None:
        (keys,) = self._random.choices([OFTEN, SOMETIMES, SELDOM], [80, 20, 0.2])
        key = self._random.choice(keys)
        self.done.append(key)
        self._person.app.simulate_key(key)

    def _point(self) -> None:
        self._mouse(self._random.choice(MOUSE), 0, *self._place())

    def _click(self) -> None:
        button, place = self._random.choice([1, 1, 1, 2, 3]), self._place()
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp):
            self._mouse(kind, button, *place)

    def _place(self) -> tuple[int, int]:
        """Also outside of the window, as of one that has just become smaller."""
        width, height = self._person.app.size
        return int(self._random.random() * (width + 2)), int(self._random.random() * (height + 2))

    def _mouse(self, kind: type[MouseEvent], button: int, x: int, y: int) -> None:
        self.done.append(f"{kind.__name__} {x},{y}")
        driver = self._person.app._driver
        assert driver
        driver.process_message(kind(None, x, y, 0, 0, button, False, False, False, x, y))

    def _paste(self) -> None:
        pasted = self._random.choice(TEXTS)
        self.done.append(f"paste {pasted[:20]!r}")
        self._person.app.post_message(events.Paste(pasted))

    def _resize(self) -> None:
        size = self._random.choice([*SIZES, Size(self._small(), self._small())])
        self.done.append(f"resize {size.width}x{size.height}")
        self._person.app.post_message(events.Resize(size, size))

    def _small(self) -> int:
        return 1 + int(self._random.random() * 90)


async def let_loose(scene: Scene, folder: Path, actions: int, seed: str) -> None:
    """So many random actions that begin in a scene. Whenever one of them has ended the app, it begins again."""
    left, times = actions, 0
    while left > 0:
        times += 1
        home = folder / str(times)
        home.mkdir()
        async with at_screen(home, SMALL) as person:  # which raises what went wrong in the app
            await scene(person, home)
            monkey = Monkey(person, f"{seed} {times}")
            try:
                while left > 0 and person.app.is_running:
                    await monkey.act()
                    left -= 1
            except BaseException as error:
                error.add_note(f"{scene.__name__}, seed {seed} {times}, after: {' | '.join(monkey.done)}")
                raise
            crashed = person.app._exception
        assert crashed is None, f"{scene.__name__}, seed {seed} {times}, after: {' | '.join(monkey.done)}"
