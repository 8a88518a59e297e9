"""A keyboard at which a prompt can be interrupted: news come through while a line is awaited."""

from __future__ import annotations

import contextlib
import os
import select
import socket
from collections.abc import Callable
from typing import TextIO, TypeGuard

from ninefold.terminal.console.prompt import LineReader, PromptInterrupted


class Wakeup:
    """Wakes a thread that waits for a keyboard."""

    def __init__(self) -> None:
        self._sender, self._receiver = socket.socketpair()  # not a pipe: it can be waited for on every system
        self._sender.setblocking(False)
        self._receiver.setblocking(False)

    def wake(self) -> None:
        with contextlib.suppress(OSError):  # nobody waits any more, or it is about to wake up
            self._sender.send(b"!")

    def wait(self, *others: int) -> list[int | socket.socket]:
        """Block until it is woken up or a handle can be read; which of them."""
        watched: list[int | socket.socket] = [self._receiver, *others]
        ready = select.select(watched, [], [])[0]
        with contextlib.suppress(BlockingIOError):
            while self._receiver.recv(4096):
                pass
        return ready

    def close(self) -> None:
        self._sender.close()
        self._receiver.close()


class InterruptibleInput:
    """Lines from a stream that has a handle. ``has_news`` is asked after every wake-up; if so, the prompt ends."""

    def __init__(self, stream: TextIO, wakeup: Wakeup, has_news: Callable[[], bool]) -> None:
        self._stream = stream
        self._handle = stream.fileno()
        self._wakeup = wakeup
        self._has_news = has_news
        self._typed = b""
        self._ended = False

    def isatty(self) -> bool:
        return self._stream.isatty()

    def readline(self, size: int = -1, /) -> str:
        while not (self._ended or b"\n" in self._typed or 0 <= size <= len(self._typed)):
            ready = self._wakeup.wait(self._handle)
            if self._has_news():
                raise PromptInterrupted
            if self._handle in ready:
                data = os.read(self._handle, 4096)
                self._typed += data
                self._ended = not data
        line, newline, rest = self._typed.partition(b"\n")
        if 0 <= size < len(line):
            line, newline, rest = line[:size], b"", self._typed[size:]
        self._typed = rest
        return (line + newline).decode(errors="replace")


def can_interrupt(stream: LineReader) -> TypeGuard[TextIO]:
    """True if a stream can be waited for together with a wake-up."""
    try:
        return os.name == "posix" and hasattr(stream, "fileno") and stream.fileno() >= 0
    except (OSError, ValueError):
        return False
