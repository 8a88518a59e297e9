"""Somebody at the full screen, without a terminal: they press keys, click, and read."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from textual import events
from textual.pilot import Pilot
from textual.theme import Theme

from ninefold.client.local import LocalSession
from ninefold.core.position import Path as Choices
from ninefold.match.clock import TimeControl
from ninefold.match.match import Match
from ninefold.match.move_input import digits_of
from ninefold.match.state import HUMAN
from ninefold.server.hosting.commands import ClockRequest, MatchRequest, SeatRequest
from ninefold.terminal.new_match import Continuation, local_request
from ninefold.terminal.tui.app import NinefoldApp
from ninefold.terminal.tui.board import BoardWidget
from ninefold.terminal.tui.match_screen import MatchScreen
from ninefold.terminal.tui.session_adapter import LocalScreenSession, ScreenSession
from ninefold.terminal.tui.themes import DARK
from tests.support.waiting import PATIENCE

SMALL, LARGE, HUGE = (80, 24), (120, 40), (200, 60)

T = TypeVar("T")


class QuickPilot(Pilot[Continuation]):
    """Waits for the messages that are on their way, and not for the processor: an engine may be thinking."""

    async def pause(self, delay: float | None = None) -> None:
        await super().pause(delay or 0.0)


class Person:
    def __init__(self, app: NinefoldApp) -> None:
        self.app, self.pilot = app, QuickPilot(app)

    async def press(self, *keys: str) -> None:
        """Keys, one after the other; each is dealt with before the next."""
        for key in keys:
            self.app.simulate_key(key)
            await self.settle()

    async def paste(self, text: str) -> None:
        self.app.post_message(events.Paste(text))
        await self.settle()

    async def settle(self) -> None:
        """Everything that was set off by now has happened, as far as no thread is needed for it."""
        for _ in range(3):
            await self.pilot.pause(0)

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Something comes true, now or soon."""
        until = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < until, f"it did not come true:\n{self.text}"
            await self.pilot.pause(0.005)
        await self.settle()

    async def sees(self, text: str) -> None:
        await self.until(lambda: text in self.text)

    async def opens_match(self) -> None:
        """The screen of a match has opened; reading a saved game takes a thread."""
        await self.until(lambda: isinstance(self.app.screen, MatchScreen))

    async def click(self, square: int) -> None:
        """A square of the board, in its middle."""
        board = self.board
        top, left = board.corner()
        row, column = board.fit.corner(square)
        middle = (left + column + board.fit.cell_width // 2, top + row + board.fit.cell_height // 2)
        await self.pilot.click(board, offset=middle)
        await self.settle()

    async def point(self, square: int) -> None:
        board = self.board
        top, left = board.corner()
        row, column = board.fit.corner(square)
        await self.pilot.hover(board, offset=(left + column + 1, top + row))
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        await self.pilot.resize_terminal(width, height)
        await self.until(lambda: self.app.screen.size == (width, height))

    @property
    def lines(self) -> list[str]:
        """The characters on the screen, row by row."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return ["".join(segment.text for segment in strip) for strip in strips]

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines)

    @property
    def screen(self) -> MatchScreen:
        return next(screen for screen in reversed(self.app.screen_stack) if isinstance(screen, MatchScreen))

    @property
    def board(self) -> BoardWidget:
        return self.screen.board

    @property
    def match(self) -> Match:
        return self.screen.session.match

    @property
    def moves(self) -> list[str]:
        """As players of the game write them."""
        return [self.match.game.name(move) for move in self.match.state.moves]

    async def open(self, session: ScreenSession | LocalSession, **more: Any) -> None:
        """Open the screen of a match."""
        shown = LocalScreenSession(session) if isinstance(session, LocalSession) else session
        await self.app.push_screen(MatchScreen(shown, **more))
        await self.settle()


@contextlib.asynccontextmanager
async def at_screen(
    folder: Path, size: tuple[int, int] = SMALL, theme: Theme = DARK, *, moving: bool = False, **more: Any
) -> AsyncIterator[Person]:
    """The small boards of the first screen stand still, unless they are to be seen moving."""
    app = NinefoldApp(folder, theme=theme, **more)
    app.animation_level = "full" if moving else "none"
    async with app.run_test(size=size):
        person = Person(app)
        await person.settle()
        yield person


@contextlib.asynccontextmanager
async def at_match(
    folder: Path, session: ScreenSession | LocalSession, size: tuple[int, int] = SMALL, **more: Any
) -> AsyncIterator[Person]:
    async with at_screen(folder, size) as person:
        await person.open(session, **more)
        yield person


def request(
    game: str,
    x: str = HUMAN,
    o: str = HUMAN,
    *,
    options: dict[str, str] | None = None,
    clock: TimeControl | None = None,
) -> MatchRequest:
    """A match of nameless players."""
    asked = local_request(game, SeatRequest(x), SeatRequest(o), options=options, seed=1)
    seconds = ClockRequest(clock.initial // 1000, clock.increment // 1000) if clock else None
    return asked._replace(clock=seconds)


def local(
    game: str, x: str = HUMAN, o: str = HUMAN, *, now: Callable[[], int] | None = None, **more: Any
) -> LocalSession:
    """A match at this screen."""
    time = {} if now is None else {"now": now}
    return LocalSession.create(request(game, x, o, **more), **time)


def run(play: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(play)


def kinds(match: Match) -> list[str]:
    return [event.action.kind for event in match.events]


def typed(match: Match, path: Choices) -> list[str]:
    """The digits that make a move: of its board only where there are several, and twice where a choice is declined."""
    game = match.game
    declined = path[-1:] if game.choices(match.position, path)[0] else ()
    if game.picture.boards and len(match.position.open_boards) == 1:  # type: ignore[attr-defined]
        path = path[1:]
    return [digit for cell in (*path, *declined) for digit in digits_of(game.naming, cell)]
