"""A match that a server keeps, at the console. News interrupt whoever is being asked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Self, TextIO

from ninefold.client import Watch
from ninefold.client.remote import Remote
from ninefold.core.rendering import PLAIN, Look
from ninefold.match.actions import Action
from ninefold.match.clock import ClockReading
from ninefold.match.match import Match
from ninefold.match.narration import describe_last_claim
from ninefold.terminal.console.keyboard import Bell, Keys, can_interrupt
from ninefold.terminal.console.prompt import Help, Keyboard, Terminal


class Timed(Terminal):
    """A terminal with clocks at the beginning of every prompt. ``no_hint`` says why there are no hints, if so."""

    no_hint = ""

    def __init__(
        self, read: Keyboard, write: TextIO | None, look: Look, clocks: Callable[[], ClockReading | None]
    ) -> None:
        super().__init__(read, write, look)
        self._clocks = clocks

    def ask(self, question: str, help: Help = Help()) -> str:
        if self.no_hint:
            help = help._replace(hint=lambda: self.no_hint)
        clocks = self._clocks()
        return super().ask(f"[{clocks}] {question}" if clocks else question, help)


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
        self._bell = Bell()
        self._remote = Remote(source, self._bell.ring)
        stream = read or sys.stdin
        keys = Keys(stream, self._bell, self._remote.hear) if can_interrupt(stream) else None
        self._reads_meanwhile = keys is not None and keys.isatty()
        self.terminal = terminal(keys or stream, write, look, lambda: self._remote.known.clocks.read())

    def __enter__(self) -> Self:
        self.terminal.say(f"{self.match.game.title}: {self._greeting()}")
        for line in describe_last_claim(self.match):
            self.terminal.say(line)
        self._remote.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._remote.close()
        self._bell.close()

    def _greeting(self) -> str:
        """Who is who."""
        raise NotImplementedError

    # What the console asks of a table

    @property
    def match(self) -> Match:
        return self._remote.known.match

    @property
    def to_act(self) -> int | None:
        return self._remote.known.to_act

    def is_offered(self, seat: int) -> bool:  # noqa: ARG002 - to us, or to nobody
        return self._remote.known.is_offered

    def act(self, seat: int, action: Action) -> None:
        self._remote.act(seat, action)

    def news(self) -> Sequence[str]:
        self._remote.hear()
        return self._remote.told()

    def _wait_for_news(self) -> None:
        while not self._remote.hear():
            self._bell.wait()
