"""A program that speaks UGI, in a process of its own: lines are sent to it, and its replies are waited for."""

from __future__ import annotations

import shlex
import subprocess
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, cast

from ninefold.core.errors import NotAllowed, quoted

QUIT_TIMEOUT = 5.0  # seconds that the program has to end after quit


class UgiProcess:
    def __init__(self, command: str, *, quit_timeout: float = QUIT_TIMEOUT) -> None:
        self._quit_timeout = quit_timeout
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running the program that was named is the point
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except (OSError, ValueError, IndexError) as error:
            raise NotAllowed("no_such_program.ugi", command=quoted(command, 60), why=error) from None
        self._stdin, self._stdout = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        threading.Thread(target=self._read_lines, daemon=True).start()

    def _read_lines(self) -> None:
        for line in self._stdout:
            self._lines.put(line)
        self._lines.put(None)

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def send(self, line: str) -> None:
        try:
            self._stdin.write(line + "\n")
            self._stdin.flush()
        except OSError:
            raise NotAllowed("no_answer.ended") from None

    def ask(self, line: str, reply: str, timeout: float) -> list[str]:
        """Send a line and wait for the reply that begins with this word. Returns the words after it. The program has so
        many seconds for each line that it writes."""
        self.send(line)
        while True:
            try:
                written = self._lines.get(timeout=timeout)
            except Empty:
                raise NotAllowed("no_answer.late", reply=reply, seconds=timeout) from None
            if written is None:
                raise NotAllowed("no_answer.ended_without", reply=reply)
            if written.split()[:1] == [reply]:
                return written.split()[1:]

    def close(self) -> None:
        """Ask the program to quit, and kill it if it does not."""
        try:
            self.send("quit")
            self._process.wait(self._quit_timeout)
        except (NotAllowed, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        for stream in (self._stdin, self._stdout):
            with suppress(OSError):  # the program ended with unread lines
                stream.close()
