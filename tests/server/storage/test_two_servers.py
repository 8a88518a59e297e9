"""Two servers with one PostgreSQL are one site, also when one of them dies, or PostgreSQL, whose standby takes over."""

from __future__ import annotations

from pathlib import Path
from random import Random

import httpx

from tests.support.http_server import Running
from tests.support.postgres import Postgres
from tests.support.torture import Server
from tests.support.two_servers import two_servers
from tests.support.waiting import PATIENCE, wait_until


def test_players_spectators_and_computers_meet_on_either_and_nothing_is_lost_when_either_or_the_database_dies(
    postgres: Postgres, tmp_path: Path
) -> None:
    with two_servers(tmp_path, postgres, matches=8, players=4) as site:
        meet(*site.servers)
        site.torture.start()
        site.replace_a_server(Random(1))
        site.fail_over()
        site.torture.wait_for(30)


def client_of(server: Server) -> Running:
    http = httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=PATIENCE)
    return Running(server.port, http, server.kill)


def meet(one: Server, two: Server) -> None:
    """A player on each server, a spectator on the second, and a computer on whichever."""
    here, there = client_of(one), client_of(two)
    match = here.create()
    spectator, _ = there.welcome(match["match"])
    assert here.move(match["match"], match["seats"]["1"], 0, "5").status_code == 200
    assert spectator.receive_events()["view"]["version"] == 1
    assert there.move(match["match"], match["seats"]["2"], 1, "1").status_code == 200
    assert spectator.receive_events()["view"]["version"] == 2
    spectator.close()
    against = here.create("classic", "human", "easy")
    assert here.move(against["match"], against["seats"]["1"], 0, "5").status_code == 200
    wait_until(lambda: there.get(f"/matches/{against['match']}").json()["version"] == 2)
    for running in (here, there):
        running.http.close()
