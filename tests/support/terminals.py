"""People at terminals of the installed command, and matches for them on a server."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from pathlib import Path
from typing import Any

from ninefold.client import Link, RemoteSeat
from tests.support.console import COMMAND, PATIENCE, environment
from tests.support.server_process import Serving


class Player:
    """Somebody who sits at a terminal of the installed command."""

    def __init__(self, state: Path, *command: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [COMMAND, *command],
            stdin=slave, stdout=slave, stderr=slave, env=environment(XDG_STATE_HOME=str(state), TERM="dumb"),
        )  # fmt: skip
        os.close(slave)
        self._unread = ""

    def sees(self, text: str) -> str:
        """What is on the screen up to a text that comes, now or soon."""
        until = time.monotonic() + PATIENCE
        while text not in self._unread:
            ready, _, _ = select.select([self._master], [], [], max(0.0, until - time.monotonic()))
            assert ready, f"{text!r} did not come: {self._unread!r}"
            self._unread += self._read()
        seen, _, self._unread = self._unread.partition(text)
        return seen + text

    def _read(self) -> str:
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the other end is closed
            data = b""
        assert data, f"the command has ended: {self._unread!r}"
        return data.decode().replace("\r\n", "\n")

    def types(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def ends(self) -> int:
        """With what code."""
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


def invited(server: Serving, game: str = "classic", **more: Any) -> tuple[RemoteSeat, Link]:
    """The seat of Ann, who plays X and starts, and the invitation for O."""
    created = server.client().create(game, names=("Ann", ""), first="X", **more)
    return created.seats[1], created.invitations[2]


def play(seat: RemoteSeat, move: str) -> None:
    seat.my_turn()
    seat.play(move)
