"""Another program, spoken to a line at a time. It has only so long for an answer, and ends when it is closed."""

from __future__ import annotations

import shlex
import subprocess
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, cast

from ninefold.core.errors import NotAllowed, quoted

FAREWELL = 5.0  # seconds to end by itself


class Program:
    def __init__(self, command: str) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running the program that was named is the point
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except (OSError, ValueError, IndexError) as error:
            raise NotAllowed(
                "no_such_program", f"Cannot start {quoted(command, 60)}: {error}.", "Check its name."
            ) from None
        self._write, self._read = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._read:
            self._lines.put(line)
        self._lines.put(None)

    def tell(self, line: str) -> None:
        try:
            self._write.write(line + "\n")
            self._write.flush()
        except OSError:
            raise NotAllowed("no_answer", "The program has ended.", "See what it says on its own.") from None

    def ask(self, line: str, until: str, seconds: float) -> list[str]:
        """The words after ``until`` in the line of the answer that begins with it; each line has so many seconds."""
        self.tell(line)
        while True:
            try:
                answer = self._lines.get(timeout=seconds)
            except Empty:
                raise NotAllowed("no_answer", f"The program gave no {until} within {seconds:g} s.") from None
            if answer is None:
                raise NotAllowed("no_answer", f"The program ended without a {until}.", "See what it says on its own.")
            if answer.split()[:1] == [until]:
                return answer.split()[1:]

    def close(self) -> None:
        try:
            self.tell("quit")
            self._process.wait(FAREWELL)
        except (NotAllowed, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        for stream in (self._write, self._read):
            with suppress(OSError):  # it ended with words of ours unread
                stream.close()
