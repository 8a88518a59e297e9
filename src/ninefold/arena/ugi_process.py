"""A program that speaks UGI, in a process of its own: it is sent commands, and its replies are waited for."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from math import inf

from ninefold.arena.program_process import ProgramProcess
from ninefold.core.errors import NotAllowed

QUIT_TIMEOUT = 5.0  # seconds that the program has to end after quit


class UgiProcess(ProgramProcess):
    def __init__(self, command: str, *, quit_timeout: float = QUIT_TIMEOUT) -> None:
        self._quit_timeout = quit_timeout
        super().__init__(command)

    def ask(self, line: str, reply: str, timeout: float, *, cpu: float = inf) -> list[str]:
        """Send a line and wait for the reply that begins with this word. Returns the words after it.

        The program has ``timeout`` seconds for each line. ``stop`` is sent after ``cpu`` seconds of its CPU time."""
        self.send(line)
        cpu_end = self.cpu_seconds() + cpu if cpu < inf else inf
        while True:
            try:
                written = self.read_line(timeout, cpu_end)
            except TimeoutError:
                if cpu_end == inf:
                    raise NotAllowed("no_answer.late", reply=reply, seconds=timeout) from None
                self.send("stop")
                cpu_end = inf
                continue
            if written is None:
                raise NotAllowed("no_answer.ended_without", reply=reply)
            if written.split()[:1] == [reply]:
                return written.split()[1:]

    def close(self) -> None:
        """Ask the program to quit, and kill it if it does not."""
        with suppress(NotAllowed, subprocess.TimeoutExpired):
            self.send("quit")
            self._process.wait(self._quit_timeout)
        super().close()
