"""Bots: they compute in other processes, another worker takes over, and they have no secret of their own."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import subprocess
import sys
from pathlib import Path

from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.log import read_log
from ninefold.server.hosting.commands import Act
from ninefold.server.hosting.handlers import LEASE_MS
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage.bots import Bots
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.service import Service
from tests.support.clocks import ManualClock
from tests.support.handlers import MatchHost, match_request
from tests.support.hosted_matches import is_at, on_a_loop, refused, serving, until
from tests.support.waiting import PATIENCE


@on_a_loop
async def test_a_bot_moves_and_answers_offers_in_one_process(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, config=ServiceConfig(engines=1)) as service:
        matches = [await service.create(match_request("classic", "easy", "human", seed=seed)) for seed in range(4)]
        for created in matches:
            await until(service, created["match"], is_at(1))
        assert len(multiprocessing.active_children()) == 1
        created = matches[0]
        match, token = created["match"], created["seats"][2]
        free = (await service.view(match)).document["moves"][0]["text"]
        await service.act(match, token, "r1", 1, Action("move"), free)
        await until(service, match, is_at(3))
        await service.act(match, token, "r2", 3, actions.OFFER_TAKE_BACK)
        taken_back = await until(service, match, lambda document: len(document["history"]) == 1)
        assert taken_back["turn"] == "O"


@on_a_loop
async def test_a_move_whose_process_died_is_computed_again_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock()) as service:  # where no lease runs out
        warm = await service.create(match_request("classic", "easy", "human"))
        await until(service, warm["match"], is_at(1))
        (process,) = multiprocessing.active_children()
        process.kill()
        created = await service.create(match_request("classic", "easy", "human"))
        await until(service, created["match"], is_at(1))


@on_a_loop
async def test_a_bot_that_was_to_act_is_taken_over_after_a_restart(url: str | None, tmp_path: Path) -> None:
    async def fail(_: HostedMatch) -> None:
        """It has the lease, and computes nothing."""

    clock = ManualClock()
    async with serving(tmp_path, url, now=clock, compute=fail) as service:
        created = await service.create(match_request("classic", "easy", "human"))
    if url is not None:
        clock.at += LEASE_MS + 1  # until then another worker might compute it
    async with serving(tmp_path, url, now=clock) as service:
        await until(service, created["match"], is_at(1))


class SlowBots:
    """Bots that compute until they are told to act."""

    def __init__(self) -> None:
        self.acted: list[int] = []
        self.computed = asyncio.Event()
        self.current = -1  # the version that is not stale
        self.bots = Bots(self._compute, self._act)

    async def _compute(self, _: HostedMatch) -> Action | None:
        await self.computed.wait()
        return actions.say("hm")

    async def _act(self, hosted: HostedMatch, _: int, __: Action) -> bool:
        self.acted.append(hosted.match.version)
        return hosted.match.version == self.current

    async def finish(self) -> None:
        self.computed.set()
        while self.bots.busy():
            await asyncio.sleep(0)


@on_a_loop
async def test_a_match_that_changes_while_a_bot_computes_is_computed_again() -> None:
    slow, host = SlowBots(), MatchHost("classic", "easy", "human")
    slow.bots.consider(host.hosted)
    host.act(2, actions.OFFER_DRAW)
    slow.current = 1
    slow.bots.consider(host.hosted)
    slow.bots.consider(host.hosted)
    await slow.finish()
    assert slow.acted == [0, 1]


@on_a_loop
async def test_a_new_lease_for_a_move_that_was_made_is_not_computed_again() -> None:
    slow, host = SlowBots(), MatchHost("classic", "easy", "human")
    slow.current = 0
    slow.bots.consider(host.hosted)
    slow.bots.consider(host.hosted._replace(lease_until=1))
    await slow.finish()
    assert slow.acted == [0]


KILLED = """
import asyncio, multiprocessing, os, signal, sys
from pathlib import Path
from ninefold.server.storage.service import Service
from ninefold.server.hosting.commands import MatchRequest, SeatRequest

async def story():
    service = Service(Path(sys.argv[1]))
    await service.start()
    created = await service.create(MatchRequest("classic", seats=(SeatRequest("easy"), SeatRequest())))
    subscription = service.subscribe(created["match"])
    while (await service.view(created["match"])).version < 1:
        await subscription.changed()
    print(*(process.pid for process in multiprocessing.active_children()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(story())
"""


def test_the_processes_of_bots_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "killed.py").write_text(KILLED)
    command = [sys.executable, str(tmp_path / "killed.py"), str(tmp_path / "data")]
    # The bot processes share the output: it ends when all of them have ended.
    process = subprocess.run(command, stdout=subprocess.PIPE, timeout=PATIENCE, check=False)
    assert process.returncode == -signal.SIGKILL
    assert process.stdout.split()


@on_a_loop
async def test_a_bot_has_no_token_that_somebody_could_use(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request("classic", "easy", "human"))
        assert list(created["seats"]) == [2]
        for token in ("", created["match"], "computer"):
            assert (await refused(service.act(created["match"], token, "r", 0, actions.move(4)))).reason == "bad_token"


def test_only_the_service_itself_acts_for_a_bot() -> None:
    """Only a token says by whom an action is."""
    assert "computer" not in Service.act.__annotations__
    assert Act("match", None, "r", 0, actions.move(4)).computer == 0


@on_a_loop
async def test_a_running_match_does_not_show_its_seed(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request("classic", "human", "easy", seed=7))
        match = created["match"]
        assert read_log(await service.log(match)).setup.seed is None
        assert "Seed" not in await service.record(match)
        await service.act(match, created["seats"][1], "r", None, actions.RESIGN)
        assert read_log(await service.log(match)).setup.seed == 7
