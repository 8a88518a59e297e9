"""A table on a server: a seat of ours, or a match that is watched. What the server says is the only truth."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from ninefold.client import Seat, Server, Watch
from ninefold.client.remote import ONLY_WATCHING, Remote
from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.clock import ClockReading
from ninefold.match.match import Match
from ninefold.terminal import saves
from ninefold.terminal.new_match import Lines
from ninefold.terminal.tui.tables import RECONNECTING
from ninefold.terminal.tui.threads import Errands, into_loop


class Distant:
    is_online = True

    def __init__(self, watched: Watch, link: str = "", home: Path | None = None, *, rematches: int = 0) -> None:
        """Asks the server, and so takes its time: not in the loop. ``link`` opened this table, or the one that this is
        a later rematch of; in ``home`` a seat is remembered for another day."""
        self._watched, self._link, self._home, self._rematches = watched, link, home, rematches
        self._ring: Callable[[], object] = lambda: None
        self._remote = Remote(watched, lambda: self._ring())
        self._known = self._remote.known  # what the screen shows: replaced in the loop, between two messages
        self._errands = Errands()
        self._changed: Callable[[], object] = lambda: None
        self._tell: Callable[[str], object] = lambda _: None
        self._going: set[asyncio.Task[None]] = set()
        self._sending = 0
        self._ended = ""  # why there is nothing more to be done here
        self._remember()

    @property
    def match(self) -> Match:
        return self._known.match

    @property
    def seats(self) -> tuple[int, ...]:
        return () if self._known.number is None else (self._known.number,)

    @property
    def to_act(self) -> int | None:
        return None if self._ended or self.match.result else self._known.to_act

    @property
    def connection(self) -> str:
        if self._ended:
            return "○ closed"
        watching = "" if self.seats else "watching  "
        return f"{watching}● connected" if self._remote.is_reached else f"{watching}{RECONNECTING}"

    @property
    def waits_for(self) -> str:
        if self._ended:
            return self._ended
        return f"Waiting for {self._known.awaited} ..."

    @property
    def no_hint(self) -> str:
        return self._known.no_hint

    def is_away(self, seat: int) -> bool:
        return self._known.is_away(seat)

    def is_free(self, seat: int) -> bool:
        return self._known.is_free(seat)

    def begin(self, changed: Callable[[], None], tell: Callable[[str], None]) -> None:
        self._changed, self._tell = changed, tell
        self._ring = partial(into_loop(), self._heard)
        self._remote.open()

    @property
    def is_sending(self) -> bool:
        return self._sending > 0

    def act(self, seat: int, action: Action) -> None:
        self._sending += 1
        self._go(self._act(seat, action))
        self._changed()

    async def _act(self, seat: int, action: Action) -> None:
        try:
            await self._errands.run(partial(self._remote.act, seat, action))
        except Refusal as refusal:
            unsure = " What you did may not have arrived." if refusal.reason == "no_connection" else ""
            self._tell(f"{refusal}{unsure}")
        finally:
            self._sending -= 1
            self._known = self._remote.known
            self._changed()

    def undo(self, seat: int) -> Action:  # noqa: ARG002 - it is always ours
        return actions.OFFER_TAKE_BACK

    def clocks(self) -> ClockReading | None:
        return self._known.clocks.read()

    def tick(self) -> None:
        """The server looks after the clocks."""

    async def again(self) -> Distant:
        return await self._errands.run(self._rematch, Distant.close)

    def _rematch(self) -> Distant:
        if not isinstance(self._watched, Seat):
            raise ONLY_WATCHING
        seat = self._watched.rematch()
        # Through a client of its own: this one is closed with this table, and everything that it listens to.
        mine = Seat(Server(seat.server.address), seat.id, seat.token or "", seat.number)
        return Distant(mine, self._link, self._home, rematches=self._rematches + 1)

    @property
    def lines(self) -> Lines:
        return Lines(link=self._link, rematches=self._rematches, watches=not self.seats)

    def close(self) -> None:
        self._ring = self._changed = lambda: None
        self._tell = lambda _: None
        self._errands.leave(self._leave)

    def _leave(self) -> None:
        self._remote.close()
        self._remember()

    def _remember(self) -> None:
        """Not in the loop: it writes a file."""
        if self._home and self.seats:
            saves.remember(self._home, self._link, self._remote.known.match, self._rematches)

    def _heard(self) -> None:
        """In the loop: something was heard, and is taken in elsewhere, for that may ask the server again."""
        self._changed()  # the connection is seen at once
        self._go(self._hear())

    def _go(self, errand: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(errand)
        self._going.add(task)  # the loop itself holds tasks loosely
        task.add_done_callback(self._going.discard)

    async def _hear(self) -> None:
        notes: list[str] = []
        try:
            notes = await self._errands.run(self._news)
        except Refusal as refusal:
            self._ended = str(refusal)
        self._known = self._remote.known
        for note in notes:
            self._tell(note)
        self._changed()

    def _news(self) -> list[str]:
        """In the thread of the errands, which is the one that the match is taken in by."""
        self._remote.hear()
        return self._remote.told()
