"""A match that a server keeps, seen from this terminal. A thread listens; its news interrupt whoever is being asked."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Self, TextIO

from ninefold.client import Change, Watch
from ninefold.core import NotAllowed, Refusal
from ninefold.match import Match
from ninefold.render import PLAIN, Look
from ninefold.terminal.clocks import Clocks
from ninefold.terminal.keys import Bell, Keys, can_interrupt
from ninefold.terminal.prompt import Help, Keyboard, Terminal
from ninefold.terminal.story import tell_claim

LOST = "The connection is lost. Trying to come back ..."
BACK = "The connection is back."
MOVED = NotAllowed("moved", "Your seat was carried to another device.", "Go on there.")


class Timed(Terminal):
    """A terminal with clocks at the beginning of every prompt. ``no_hint`` says why there are no hints, if so."""

    no_hint = ""

    def __init__(self, read: Keyboard, write: TextIO | None, look: Look, clocks: Clocks) -> None:
        super().__init__(read, write, look)
        self._clocks = clocks

    def ask(self, question: str, help: Help = Help()) -> str:
        if self.no_hint:
            help = help._replace(hint=lambda: self.no_hint)
        return super().ask(f"{self._clocks}{question}", help)


class Afar:
    """What a table on a server is to whoever is at it, with a seat or without one. Enter it to listen."""

    def __init__(
        self,
        source: Watch,
        terminal: type[Timed] = Timed,
        *,
        look: Look = PLAIN,
        read: TextIO | None = None,
        write: TextIO | None = None,
    ) -> None:
        self._source = source
        self._bell = Bell()
        self._heard: queue.SimpleQueue[Change | Refusal] = queue.SimpleQueue()
        self._notes: list[str] = []
        self._failure: Refusal | None = None  # after which there is nothing more to see here
        self._is_lost = False
        self._rematch = ""
        stream = read or sys.stdin
        keys = Keys(stream, self._bell, self._hear) if can_interrupt(stream) else None
        self._reads_meanwhile = keys is not None and keys.isatty()
        self._clocks = Clocks()
        self.terminal = terminal(keys or stream, write, look, self._clocks)
        self._match = source.match()
        view = source.view()
        self._is_open = view["status"] == "open"
        self._clocks.hear(view)
        self._changes = source.changes(after=len(self._match.events) - 1)
        self._listener = threading.Thread(target=self._listen, name="ninefold-listener", daemon=True)

    def __enter__(self) -> Self:
        self.terminal.say(f"{self._match.game.title}: {self._greeting()}")
        for line in tell_claim(self._match):
            self.terminal.say(line)
        self._listener.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._changes.close()
        self._listener.join(1)
        self._bell.close()
        self._source.close()

    def _greeting(self) -> str:
        """Who is who."""
        raise NotImplementedError

    def _seated(self) -> str:
        """That nobody is waited for any more."""
        raise NotImplementedError

    @property
    def match(self) -> Match:
        return self._match

    def news(self) -> Sequence[str]:
        self._hear()
        if self._failure:
            raise self._failure
        told, self._notes = self._notes, []
        return told

    @property
    def _whom(self) -> str:
        """Who is waited for."""
        match = self._match
        return "somebody to sit down" if self._is_open else match.setup.label(match.asked or 1)

    def _wait_for_news(self) -> None:
        while not self._hear():
            self._bell.wait()

    # Listening

    def _listen(self) -> None:
        """In a thread of its own."""
        try:
            for change in self._changes:
                if change.kind != "presence":
                    self._heard.put(change)
                    self._bell.ring()
        except Refusal as refusal:
            self._heard.put(refusal)
            self._bell.ring()

    def _hear(self) -> bool:
        """Take in what was heard; whether anything of it is to be told."""
        before = self._match
        while not self._heard.empty():
            self._take(self._heard.get())
        return bool(self._notes) or self._match is not before or self._failure is not None

    def _take(self, heard: Change | Refusal) -> None:
        if isinstance(heard, Refusal):
            self._failure = self._failure or (MOVED if heard.reason == "bad_token" else heard)
        elif heard.kind == "moved":
            self._failure = MOVED
        elif heard.kind == "lost":
            self._lose()
        elif not self._failure:
            self._come_back()
            self._look(heard.view)

    def _lose(self) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._notes.append(LOST)

    def _come_back(self) -> None:
        if self._is_lost:
            self._is_lost = False
            self._notes.append(BACK)

    def _look(self, view: Mapping[str, Any]) -> None:
        open_before, self._is_open = self._is_open, view["status"] == "open"
        seated = open_before and view["status"] == "live"
        if seated or view["size"] > len(self._match.events):
            self._refresh()
        if view["size"] >= len(self._match.events):
            self._clocks.hear(view)
        if seated:
            self._notes.append(self._seated())
        if view["rematch"] and not self._rematch:
            self._rematch = view["rematch"]
            self._notes.append("A rematch has been asked for.")

    def _refresh(self) -> None:
        """Read the log again. Who cannot be reached now is heard of again when the socket is back."""
        try:
            self._match = self._source.match()
            if self._clocks:
                self._clocks.hear(self._source.view())
        except NotAllowed as refusal:
            if refusal.reason != "no_connection":
                raise
