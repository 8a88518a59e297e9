"""Another program in a process of its own: lines are sent to it, and its lines are waited for."""

from __future__ import annotations

import shlex
import subprocess
import sys
import threading
from contextlib import suppress
from math import inf
from queue import Empty, SimpleQueue
from time import clock_gettime, monotonic
from typing import IO, cast

from ninefold.core.errors import NotAllowed, quoted


class ProgramProcess:
    """``is_quiet`` drops what the program writes to its error stream."""

    def __init__(self, command: str, *, is_quiet: bool = False) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running the program that was named is the point
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if is_quiet else None,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except (OSError, ValueError, IndexError) as error:
            raise NotAllowed("no_such_program.ugi", command=quoted(command, 60), why=error) from None
        self._stdin, self._stdout = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        threading.Thread(target=self._read_lines, daemon=True).start()

    def _read_lines(self) -> None:
        with suppress(ValueError):  # closed meanwhile
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

    def read_line(self, timeout: float, cpu_end: float = inf) -> str | None:
        """The next line that the program writes; None if it has ended. Raises TimeoutError when so many seconds have
        passed, or when the CPU clock of the program has reached ``cpu_end``."""
        deadline = monotonic() + timeout
        while True:
            left = deadline - monotonic()
            if cpu_end < inf:
                left = min(left, cpu_end - self.cpu_seconds())
            try:
                return self._lines.get(timeout=max(left, 0))
            except Empty:
                if left <= 0:
                    raise TimeoutError from None

    def cpu_seconds(self) -> float:
        """The CPU time that the program has used, in all its threads."""
        try:
            # How Linux numbers the CPU clock of a process; clock_getcpuclockid(3) gives the same.
            return clock_gettime(~self._process.pid << 3 | 2)
        except OSError:
            return 0.0  # it has ended, and its last lines are still to be read

    def close(self) -> None:
        """Kill the program."""
        self._process.kill()
        self._process.wait()
        for stream in (self._stdin, self._stdout):
            with suppress(OSError):  # the program ended with unread lines
                stream.close()


def has_cpu_clocks() -> bool:
    """True if the CPU time of other processes can be read here."""
    return sys.platform.startswith("linux")
