"""The computer as the service seats it: it thinks elsewhere, is taken up again, and has no secret of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.log import read_log
from ninefold.server.hosting.commands import Act
from ninefold.server.hosting.handlers import LEASE_MS
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage.bots import Bots
from ninefold.server.storage.service import Service
from tests.support.handlers import MatchHost, match_request
from tests.support.hosted_matches import ManualClock, is_at, on_a_loop, refused, serving, until

if TYPE_CHECKING:
    import pytest


@on_a_loop
async def test_the_computer_moves_answers_offers_and_is_bounded(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, engines=1) as service:
        matches = [await service.create(match_request("classic", "easy", "human", seed=seed)) for seed in range(4)]
        for created in matches:
            await until(service, created["match"], is_at(1))
        assert len(service.computers._pool._processes) == 1  # type: ignore[union-attr]
        created = matches[0]
        match, token = created["match"], created["seats"][2]
        free = (await service.view(match)).document["moves"][0]["text"]
        await service.act(match, token, "r1", 1, Action("move"), free)
        await until(service, match, is_at(3))
        await service.act(match, token, "r2", 3, actions.OFFER_TAKE_BACK)
        taken_back = await until(service, match, lambda document: len(document["history"]) == 1)
        assert taken_back["turn"] == "O"


@on_a_loop
async def test_a_computer_whose_process_died_is_computed_again_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock()) as service:  # where no lease runs out
        warm = await service.create(match_request("classic", "easy", "human"))
        await until(service, warm["match"], is_at(1))
        (process,) = service.computers._pool._processes  # type: ignore[union-attr]
        os.kill(process, signal.SIGKILL)
        created = await service.create(match_request("classic", "easy", "human"))
        await until(service, created["match"], is_at(1))


@on_a_loop
async def test_a_computer_that_was_left_in_its_turn_is_taken_up_after_a_restart(
    url: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        monkeypatch.setattr(service.computers, "consider", lambda _: None)  # it takes the lease, and dies
        created = await service.create(match_request("classic", "easy", "human"))
    if url is not None:
        clock.at += LEASE_MS + 1  # another worker might still be at it
    async with serving(tmp_path, url, now=clock) as service:
        await until(service, created["match"], is_at(1))


class Slow(Bots):
    """Thinks until it is told to act."""

    def __init__(self) -> None:
        self.acted: list[int] = []
        self.thought = asyncio.Event()
        self.now = -1  # the version that is not stale
        super().__init__(1, self._played)

    async def _compute(self, _: HostedMatch) -> Action | None:
        await self.thought.wait()
        return actions.say("hm")

    async def _played(self, hosted: HostedMatch, _: int, __: Action) -> bool:
        self.acted.append(hosted.match.version)
        return hosted.match.version == self.now


@on_a_loop
async def test_a_match_that_goes_on_while_the_computer_thinks_is_thought_about_again() -> None:
    computers, host = Slow(), MatchHost("classic", "easy", "human")
    computers.consider(host.hosted)
    host.act(2, actions.OFFER_DRAW)
    computers.now = 1
    computers.consider(host.hosted)
    computers.consider(host.hosted)
    computers.thought.set()
    while computers.waiting():
        await asyncio.sleep(0)
    assert computers.acted == [0, 1]


@on_a_loop
async def test_a_new_lease_for_what_has_been_played_is_not_thought_about_again() -> None:
    computers, host = Slow(), MatchHost("classic", "easy", "human")
    computers.now = 0
    computers.consider(host.hosted)
    computers.consider(host.hosted._replace(lease_until=1))
    computers.thought.set()
    while computers.waiting():
        await asyncio.sleep(0)
    assert computers.acted == [0]


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from ninefold.server.storage.service import Service
from ninefold.server.hosting.commands import MatchRequest, SeatRequest

async def story():
    service = Service(Path(sys.argv[1]))
    await service.start()
    created = await service.create(MatchRequest("classic", seats=(SeatRequest("easy"), SeatRequest())))
    while (await service.view(created["match"])).version < 1:
        await asyncio.sleep(0.01)
    print(*service.computers._pool._processes, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(story())
"""


def test_a_server_that_is_killed_takes_its_computers_with_it(tmp_path: Path) -> None:
    (tmp_path / "killed.py").write_text(KILLED)
    command = [sys.executable, str(tmp_path / "killed.py"), str(tmp_path / "data")]
    # Whoever computes has the same output: it ends when they all have.
    process = subprocess.run(command, stdout=subprocess.PIPE, timeout=60, check=False)
    assert process.returncode == -signal.SIGKILL
    assert process.stdout.split()


@on_a_loop
async def test_the_computer_has_no_token_that_somebody_could_use(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request("classic", "easy", "human"))
        assert list(created["seats"]) == [2]
        for token in ("", created["match"], "computer"):
            assert (await refused(service.act(created["match"], token, "r", 0, actions.move(4)))).reason == "bad_token"


def test_only_the_service_itself_writes_for_a_computer() -> None:
    """The façade has no way to say whom an action is by but a token."""
    assert "computer" not in Service.act.__annotations__
    assert Act("match", None, "r", 0, actions.move(4)).computer == 0


@on_a_loop
async def test_a_match_that_goes_on_does_not_tell_what_the_computer_will_play(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request("classic", "human", "easy", seed=7))
        match = created["match"]
        assert read_log(await service.log(match)).setup.seed is None
        assert "Seed" not in await service.record(match)
        await service.act(match, created["seats"][1], "r", None, actions.RESIGN)
        assert read_log(await service.log(match)).setup.seed == 7
