"""Matches on a server of the run's own, for agents that are MCP clients."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast
from weakref import WeakSet

from ninefold.agents.evaluation.plan import Plan
from ninefold.agents.evaluation.programs import LOOK, Program
from ninefold.client.api import CreatedMatch, Server
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.match import Match
from ninefold.server.hosting.handlers import with_audit_entry
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import store
from ninefold.server.storage.database import snapshot

_AT = re.compile(r"Ninefold is at (http://[^/\s]+)/")
LONGEST_CLAIM = 3_600
SHORTEST_CLAIM = 5
SLACK = 10.0  # seconds that the server may take beyond the time of a claim, or to end


class Host:
    """``ninefold serve`` on a free port of this machine, started when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._address = ""
        self.guests: WeakSet[Program] = WeakSet()  # who may have to be shown out

    def address(self) -> str:
        with self._guard:
            if self._process is None:
                self._start()
            return self._address

    @property
    def data(self) -> Path:
        return Path(self._home.name)

    def _start(self) -> None:
        """It ends with its standard input, and so with us, however we end."""
        self._home = TemporaryDirectory(prefix="ninefold-")
        options = ["--port", "0", "--data", self._home.name, "--rate", "1000000", "--quiet", "--until-eof"]
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-P", "-m", "ninefold", "serve", *options],  # -P: files here are no modules of ours
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
            )  # fmt: skip
        said = cast("IO[str]", self._process.stdout)
        found = next((at for line in iter(said.readline, "") if (at := _AT.search(line))), None)
        if found is None:
            raise NotAllowed("no_server", "The server of this run did not start.", "Its server.log says why.")
        self._address = found[1]

    def close(self) -> None:
        """The server ends, and so does every program that still plays there."""
        for guest in list(self.guests):
            guest.close(0)
        with self._guard:
            if self._process is None:
                return
            self._process.terminate()
            try:
                self._process.wait(SLACK)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream:
                    stream.close()
            self._process = None
            self._home.cleanup()


class ServedMatch:
    """A match on the host. We hold the seats of ``ours``, and watch."""

    def __init__(self, host: Host, plan: Plan, names: tuple[str, str], ours: set[int], now: Callable[[], int]) -> None:
        self._host, self._now = host, now
        self._server = Server(host.address())
        one, two = ("human" if seat in ours else "open" for seat in (1, 2))
        self._patience = min(LONGEST_CLAIM, max(SHORTEST_CLAIM, plan.seconds * (plan.retries + 1)))
        self.created: CreatedMatch = self._server.create(
            plan.game.id, (one, two), names=names, options=plan.options, private=True,
            show_moves=plan.show_moves, claim_seconds=self._patience,
        )  # fmt: skip
        self._watch = self._server.watch(self.created.watch)
        self._names = names
        self._seen = 0  # the version that was looked at last
        self._ruled: Match | None = None  # the match as it was ended here
        self._notes: list[tuple[int, str, str, int]] = []

    @property
    def match(self) -> Match:
        found = self._ruled or self._watch.match()
        self._seen = found.version
        return found

    def version(self) -> int:
        version: int = self._watch.view()["version"]
        return version

    def missing(self) -> list[int]:
        """The seats at which nobody sits yet."""
        return [seat["seat"] for seat in self._watch.view()["seats"] if seat["player"] == "open"]

    def act(self, seat: int, action: Action, text: str = "") -> None:
        self.created.seats[seat].act(action, self._seen, typed=text)

    def note(self, seat: int, refusal: Refusal) -> None:
        kind = "confirm" if self._watch.view()["game_status"].startswith("claimed") else "move"
        self._notes.append((seat, kind, refusal.reason, self._now()))

    def wait(self, seat: int) -> None:
        """A claim is settled by the server in its time; else we say that the seat has gone."""
        match = self.match
        if match.to_act != seat:
            return
        if match.state.pending is None:
            self.rule(seat)
            return
        until = time.monotonic() + self._patience + SLACK
        while self.version() == match.version:
            if time.monotonic() > until:
                raise NotAllowed("no_server", "The server of this run does not settle a claim.", "See its server.log.")
            time.sleep(LOOK)

    def rule(self, seat: int) -> None:
        """A seat has gone. The server need not know: whatever happens there now does not count."""
        self._ruled = self.match.act(REFEREE, actions.gone(seat), self._now())

    def hosted(self) -> HostedMatch:
        """The match and its audit as the server keeps them, with what was ruled and noted here, and our names."""
        with snapshot(self._host.data) as connection:
            hosted = store.load(connection, [self.created.match])[self.created.match]
        for note in self._notes:
            hosted = with_audit_entry(hosted, *note)
        match = self._ruled or hosted.match
        one, two = (seat._replace(name=name) for seat, name in zip(match.setup.seats, self._names, strict=True))
        return hosted._replace(match=match._replace(setup=match.setup._replace(seats=(one, two))))

    def close(self) -> None:
        self._server.close()
