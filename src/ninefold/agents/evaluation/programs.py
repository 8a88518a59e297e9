"""Agents that are programs: MCP clients of their own, told by their environment where their match is."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO, Self, cast

from ninefold.agents.evaluation.loop import ACTED, Acted, Crashed
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.core.errors import NotAllowed, quoted
from ninefold.core.text import clean
from ninefold.match.match import Match

FAREWELL = 5.0  # seconds to end by itself when the match is over
LOOK = 0.05  # seconds between looks at the match
MOST_SAID = 200  # characters of its last words that are repeated
MOST_HEARD = 1_000_000  # characters of what a program prints that go into its transcript


class Program:
    """One program at one seat. What it prints goes into the transcript."""

    def __init__(self, command: list[str], environment: Mapping[str, str], transcript: Transcript) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running the program that was named is the point
                command,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            raise NotAllowed(
                "no_such_program",
                f"Cannot start {quoted(command[0], 60)}: {why or 'it is no command'}.",
                "Check its name.",
            ) from None
        self._transcript = transcript
        self._last = ""  # line that was printed and is not empty
        self._hearing = threading.Thread(target=self._hear, name="ninefold-program", daemon=True)
        self._hearing.start()

    def _hear(self) -> None:
        heard = 0
        out = cast("IO[str]", self._process.stdout)
        with contextlib.suppress(ValueError), out:
            while line := out.readline(10_000):
                heard += len(line)
                self._last = line if line.strip() else self._last
                if heard <= MOST_HEARD:
                    self._transcript.add(printed=line.rstrip("\n"))

    @property
    def code(self) -> int | None:
        """With what it ended, or None while it runs."""
        return self._process.poll()

    def last_words(self) -> str:
        """What an ended program printed last, as a sentence more about its end."""
        self._hearing.join(1.0)
        hide = self._transcript.hidden
        said = hide(clean(hide(self._last)))
        return f" It said: {said[:MOST_SAID].rstrip('.')}." if said else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(0 if kind else FAREWELL)

    def close(self, patience: float) -> None:
        """Let it end, or end it, with everything that it has started."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        self._hearing.join(1.0)


def waits_for(program: Program, version: Callable[[], int], seconds: float) -> Callable[[Match, object], Acted | None]:
    """The agent that a program is: it acts by itself, and we see when it has."""

    def answer(match: Match, _: object) -> Acted | None:
        until = time.monotonic() + seconds
        while True:
            code = program.code  # asked for first: it may act, and then end
            if version() > match.version:
                return ACTED
            if code:
                ended = f"Its program ended with code {code} before the match did."
                raise Crashed("crashed", ended + program.last_words())
            if code == 0 or time.monotonic() > until:
                return None
            time.sleep(LOOK)

    return answer
