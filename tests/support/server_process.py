"""``ninefold serve`` as a process of its own, which can be stopped, killed and started again at the same address."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from ninefold.client import Server
from ninefold.core.errors import Refusal
from tests.support.console import COMMAND, environment
from tests.support.waiting import PATIENCE

SECRET = "abcdefghijklmnop"  # noqa: S105 - has the form of one
_AT = re.compile(r"Ninefold is at (http://[^/]+)/")


def launched(*arguments: str, log: int | IO[bytes]) -> tuple[subprocess.Popen[str], str]:
    """``ninefold serve`` with its processes in a group of their own, and the address that it prints."""
    usual = environment()
    usual.pop("PYTHONDONTWRITEBYTECODE", None)  # else every start would compile everything again
    command = [COMMAND, "serve", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=log, env=usual, text=True, start_new_session=True
    )
    assert process.stdout
    for line in iter(process.stdout.readline, ""):
        if at := _AT.search(line):
            return process, at[1]
    raise AssertionError(f"The server did not start. {process.communicate()[1] or ''}")


class Serving:
    """A server on a port of this machine, with its matches in a folder."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data = data
        self.options = options
        self.port = 0
        self._clients: list[Server] = []
        self.start()

    def client(self) -> Server:
        """A new client; it is closed with the server."""
        self._clients.append(Server(self.url))
        return self._clients[-1]

    def start(self) -> None:
        """Start it, later again at the same address. It serves when this returns."""
        given = ("--port", str(self.port), "--data", str(self.data), "--rate", "1000", *self.options)
        with (self.data.parent / f"{self.data.name}.log").open("ab") as log:
            self.process, self.url = launched(*given, log=log)
        self.port = int(self.url.rpartition(":")[2])

    def stop(self, sign: int = signal.SIGTERM) -> int:
        """Its exit code."""
        if self.process.poll() is None:
            os.kill(self.process.pid, sign)
        code = self.process.wait(PATIENCE)
        assert self.process.stdout
        self.process.stdout.close()
        return code

    def kill(self) -> None:
        self.stop(signal.SIGKILL)

    def close(self) -> None:
        for client in self._clients:
            client.close()
        self.kill()


@contextlib.contextmanager
def serving(data: Path, *options: str) -> Iterator[Serving]:
    server = Serving(data, *options)
    try:
        yield server
    finally:
        server.close()


def refusal(call: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value
