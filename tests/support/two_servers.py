"""Two servers behind a proxy, with one PostgreSQL that has a standby: a site on several machines, on this one."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support.postgres import Postgres, Standby
from tests.support.relay import balancer
from tests.support.torture import Server, Torture


class TwoServers(NamedTuple):
    torture: Torture
    servers: list[Server]
    postgres: Postgres
    standby: Standby

    def replace_a_server(self, rng: random.Random) -> float:
        """Kill a server, and start it again when the other one has served; returns the seconds that players waited."""
        self.torture.wait_for(rng.randrange(1, 60))
        killed = rng.choice(self.servers)
        began = time.monotonic()
        killed.kill()
        self.torture.wait_for(1)
        seconds = time.monotonic() - began
        killed.start()
        return seconds

    def fail_over(self) -> float:
        """Stop PostgreSQL as in a crash and promote its standby; returns the seconds until a move is acknowledged."""
        self.torture.wait_for(30)
        began = time.monotonic()
        self.postgres.stop()
        self.standby.promote()
        self.torture.wait_for(1)
        return time.monotonic() - began


@contextlib.contextmanager
def two_servers(folder: Path, postgres: Postgres, matches: int, players: int = 8) -> Iterator[TwoServers]:
    """Two servers behind a proxy, with one PostgreSQL that has a standby; at the end every event is looked for."""
    with postgres.standby() as standby, balancer() as proxy:
        options = ("--database", postgres.new_database(standby.folder), "--rate", "100000", "--public-url", proxy.url)
        servers = [Server(folder, *options) for _ in range(2)]
        proxy.ports = [server.port for server in servers]
        torture = Torture(proxy, matches, players)
        try:
            yield TwoServers(torture, servers, postgres, standby)
            torture.stop()
            torture.check()
        finally:
            torture.done.set()
            torture.connection.close()
            for server in servers:
                server.kill()
