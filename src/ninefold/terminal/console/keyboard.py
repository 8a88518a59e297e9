"""A keyboard whose owner can be interrupted: while a line is awaited, news from elsewhere come through."""

from __future__ import annotations

import contextlib
import os
import select
import socket
from collections.abc import Callable
from typing import TextIO

from ninefold.terminal.console.prompt import News


class Bell:
    """Rung in one thread, heard in another that waits for it or for a keyboard."""

    def __init__(self) -> None:
        self._hand, self._ear = socket.socketpair()  # not a pipe: it can be waited for on every system
        self._hand.setblocking(False)
        self._ear.setblocking(False)

    def ring(self) -> None:
        with contextlib.suppress(OSError):  # nobody listens any more, or it rings loud enough
            self._hand.send(b"!")

    def wait(self, *others: int) -> list[int | socket.socket]:
        """Until the bell rings or there is something to be read: what of it. The bell is silent after that."""
        watched: list[int | socket.socket] = [self._ear, *others]
        ready = select.select(watched, [], [])[0]
        with contextlib.suppress(BlockingIOError):
            while self._ear.recv(4096):
                pass
        return ready

    def close(self) -> None:
        self._hand.close()
        self._ear.close()


class Keys:
    """Lines from a stream that has a handle. ``has_news`` is asked when the bell rings; if so, News are raised."""

    def __init__(self, stream: TextIO, bell: Bell, has_news: Callable[[], bool]) -> None:
        self._stream = stream
        self._handle = stream.fileno()
        self._bell = bell
        self._has_news = has_news
        self._typed = b""
        self._ended = False

    def isatty(self) -> bool:
        return self._stream.isatty()

    def readline(self, size: int = -1, /) -> str:
        while not (self._ended or b"\n" in self._typed or 0 <= size <= len(self._typed)):
            ready = self._bell.wait(self._handle)
            if self._has_news():
                raise News
            if self._handle in ready:
                data = os.read(self._handle, 4096)
                self._typed += data
                self._ended = not data
        line, newline, rest = self._typed.partition(b"\n")
        if 0 <= size < len(line):
            line, newline, rest = line[:size], b"", self._typed[size:]
        self._typed = rest
        return (line + newline).decode(errors="replace")


def can_interrupt(stream: TextIO) -> bool:
    """Whether a stream can be waited for together with a bell."""
    try:
        return os.name == "posix" and stream.fileno() >= 0
    except (OSError, ValueError):
        return False
