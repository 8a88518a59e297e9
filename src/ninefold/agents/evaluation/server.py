"""The server of a run: ``ninefold serve`` on a free port of this machine, for programs, or one that runs already."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast

from ninefold.client.api import Server
from ninefold.client.links import read_address
from ninefold.core.errors import NotAllowed, quoted

STOP_S = 10.0
_ADDRESS = re.compile(r"Ninefold is at (http://[^/\s]+)/")


class NamedServer:
    """A server that runs already, where people may watch."""

    is_own = False

    def __init__(self, url: str) -> None:
        self._address = read_address(url)

    def check(self, game: str) -> None:
        """Refuse a server that cannot be reached, or that does not know the game."""
        server = Server(self._address)
        try:
            known = [one["id"] for one in server.games()]
        finally:
            server.close()
        if game not in known:
            raise NotAllowed("no_server.game", server=quoted(self._address, 60), game=game)

    def address(self) -> str:
        return self._address

    def close(self) -> None:
        """It is not ours to stop."""


class EvaluationServer:
    """It is started when it is first needed, with a temporary database. Its log is in the folder of the run, and its
    environment, which programs might read, holds no keys."""

    is_own = True

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder, self._environment = folder, environment
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._address = ""

    def address(self) -> str:
        with self._lock:
            if self._process is None:
                self._start()
            return self._address

    @property
    def data(self) -> Path:
        """The folder of its database."""
        return Path(self._data.name)

    def _start(self) -> None:
        """It stops when its standard input ends, and so with this process, however that ends."""
        self._data = TemporaryDirectory(prefix="ninefold-")
        options = ["--port", "0", "--data", self._data.name, "--rate", "1000000", "--quiet", "--until-eof"]
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - this program itself
                [sys.executable, "-P", "-m", "ninefold", "serve", *options],  # -P: no modules from the current folder
                env=dict(self._environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                start_new_session=True,
            )  # fmt: skip
        output = cast("IO[str]", self._process.stdout)
        found = next((at for line in iter(output.readline, "") if (at := _ADDRESS.search(line))), None)
        if found is None:
            raise NotAllowed("no_server.start")
        self._address = found[1]

    def close(self) -> None:
        with self._lock:
            if self._process is None:
                return
            self._process.terminate()
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream:
                    stream.close()
            self._process = None
            self._data.cleanup()
