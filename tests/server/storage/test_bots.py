"""Bots: they compute in other processes, another worker takes over, and they have no secret of their own."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.log import read_log
from ninefold.server.hosting.commands import Act
from ninefold.server.hosting.handlers import LEASE_MS
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import store
from ninefold.server.storage.bots import NICENESS, RETRY_MS, Bots
from ninefold.server.storage.config import REQUESTER, ServiceConfig
from ninefold.server.storage.service import Service
from ninefold.server.storage.shared_state import set_meta
from tests.support import waiting
from tests.support.clocks import ManualClock
from tests.support.handlers import MatchHost, match_request
from tests.support.hosted_matches import is_at, on_a_loop, refused, serving, until
from tests.support.postgres import Postgres
from tests.support.waiting import PATIENCE


@on_a_loop
async def test_a_bot_moves_and_answers_offers_in_nice_processes(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, config=ServiceConfig(engines=1)) as service:
        matches = [await service.create(match_request("classic", "easy", "human", seed=seed)) for seed in range(4)]
        for created in matches:
            await until(service, created["match"], is_at(1))
        processes = multiprocessing.active_children()
        assert len(processes) <= 2  # the second is for cheap moves
        nice = min(19, os.nice(0) + NICENESS)
        pids = [process.pid or 0 for process in processes]
        await waiting.until(lambda: {os.getpriority(os.PRIO_PROCESS, pid) for pid in pids} == {nice})
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
        for process in multiprocessing.active_children():
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
        clock.at += RETRY_MS + 1  # until then another worker might compute it
    async with serving(tmp_path, url, now=clock) as service:
        await until(service, created["match"], is_at(1))


class SlowBots:
    """Bots that compute until they are told to act; ``pause`` returns when ``beats`` is released."""

    def __init__(self) -> None:
        self.acted: list[int] = []
        self.computed = asyncio.Event()
        self.current = -1  # the version that is not stale
        self.clock = ManualClock(0)
        self.started: list[str] = []
        self.leased: list[tuple[str, int, int]] = []
        self.beats = asyncio.Semaphore(0)
        self.bots = Bots(self._compute, self._act, self._lease, self.clock, pause=self._pause)

    async def _compute(self, hosted: HostedMatch) -> Action | None:
        self.started.append(hosted.id)
        await self.computed.wait()
        self.clock.at += 1000 if hosted.match.setup.seats[0].player == "expert" else 1
        return actions.say("hm")

    async def _act(self, hosted: HostedMatch, _: int, __: Action) -> bool:
        self.acted.append(hosted.match.version)
        return hosted.match.version == self.current

    async def _lease(self, match: str, held: int, ms: int = LEASE_MS) -> int | None:
        self.leased.append((match, held, ms))
        return self.clock.at + ms

    async def _pause(self, _: float) -> None:
        await self.beats.acquire()

    def add(self, match: str, address: str, level: str = "easy") -> None:
        hosted = MatchHost("ultimate", level, "human").hosted
        self.bots.shares.assign(match, address)
        self.bots.schedule(hosted._replace(id=match, lease_until=self.clock.at + LEASE_MS))

    async def finish(self) -> None:
        self.computed.set()
        while self.bots.busy():
            await asyncio.sleep(0)


@on_a_loop
async def test_many_moves_of_one_address_keep_no_other_waiting() -> None:
    slow = SlowBots()
    slow.current = 0
    for number in range(169):
        slow.add(f"expert-{number}", "10.0.0.1", "expert")
    slow.add("easy", "10.0.0.2")
    assert (slow.bots.busy(), slow.bots.waiting_from("10.0.0.2")) == (170, 1)
    await slow.finish()
    assert slow.started[:3] == ["expert-0", "easy", "expert-1"]
    assert len(slow.started) == 170


@on_a_loop
async def test_a_cheap_move_does_not_wait_for_the_end_of_a_long_search() -> None:
    slow = SlowBots()
    slow.current = 0
    for number, level in enumerate(("expert", "expert", "easy", "medium")):
        slow.add(level + str(number), f"10.0.0.{number}", level)
    await waiting.until(lambda: len(slow.started) == 2)
    assert slow.started == ["expert0", "easy2"]  # and nothing has been computed yet
    await slow.finish()
    assert sorted(slow.started[2:]) == ["expert1", "medium3"]


@on_a_loop
async def test_among_the_moves_of_one_address_cheap_ones_come_first() -> None:
    slow = SlowBots()
    slow.current = 0
    for level in ("easy", "expert", "hard", "random", "easy"):
        slow.add(f"{level}-{slow.bots.busy()}", "10.0.0.1", level)
    await slow.finish()
    assert slow.started == ["easy-0", "random-3", "easy-4", "hard-2", "expert-1"]


@on_a_loop
async def test_a_lease_is_renewed_while_the_move_is_computed_and_not_while_it_waits() -> None:
    slow = SlowBots()
    slow.current = 0
    slow.add("first", "10.0.0.1")
    slow.add("second", "10.0.0.1", "expert")
    for beat in range(1, 4):
        slow.beats.release()
        await waiting.until(lambda beat=beat: len(slow.leased) == beat)  # type: ignore[misc]
    assert slow.leased == [("first", LEASE_MS, LEASE_MS)] * 3
    slow.clock.at += LEASE_MS  # in the queue its lease has run out, so that it is asked for again in its turn
    await slow.finish()
    assert slow.leased[3:] == [("second", 0, LEASE_MS)]


@on_a_loop
async def test_a_move_that_cannot_be_made_is_not_tried_again_at_once() -> None:
    slow = SlowBots()
    slow.add("stuck", "10.0.0.1")  # its version is stale
    slow.add("stuck", "10.0.0.1")  # as by a new lease
    await slow.finish()
    assert slow.started == ["stuck"]
    assert slow.leased == [("stuck", LEASE_MS, RETRY_MS)]


async def hang(_: HostedMatch) -> Action | None:
    await asyncio.Event().wait()
    return None


@on_a_loop
async def test_the_move_of_a_worker_that_died_is_taken_over_within_two_seconds(
    postgres: Postgres, tmp_path: Path
) -> None:
    assert LEASE_MS + 1000 * ServiceConfig().sweep_seconds <= 2000
    clock, url = ManualClock(), postgres.new_database()
    async with serving(tmp_path, url, now=clock, compute=hang) as dying, serving(tmp_path, url, now=clock) as other:
        created = await dying.create(match_request("classic", "easy", "human"))
        await waiting.until(lambda: dying.bots.busy() == 1)
        dying.bots.stop()  # it renews nothing any more
        clock.at += LEASE_MS + 1
        await until(other, created["match"], is_at(1))


@on_a_loop
async def test_the_moves_that_wait_for_an_address_are_limited(tmp_path: Path) -> None:
    config = ServiceConfig(engine_queue=3, engine_queue_each=2)
    async with serving(tmp_path, compute=hang, config=config) as service:
        for address in ("10.0.0.1", "10.0.0.1", "10.0.0.2"):
            REQUESTER.set(address)
            await service.create(match_request("classic", "easy", "human"))
        await waiting.until(lambda: service.bots.busy() == 3)
        assert (await refused(service.create(match_request("classic", "easy", "human")))).code == "too_many.engine"
        await service.create(match_request())  # of people
    async with serving(tmp_path / "other", compute=hang, config=config) as service:
        for _ in range(2):
            await service.create(match_request("classic", "easy", "human"))
        await waiting.until(lambda: service.bots.busy() == 2)
        assert (await refused(service.create(match_request("classic", "easy", "human")))).code == "too_many.engine"
        REQUESTER.set("10.0.0.3")
        await service.create(match_request("classic", "easy", "human"))


@on_a_loop
async def test_matches_between_computers_are_limited(tmp_path: Path) -> None:
    async def compute(_: HostedMatch) -> Action | None:
        await may_act.wait()
        return actions.RESIGN

    may_act, config = asyncio.Event(), ServiceConfig(computer_matches=2, computer_matches_each=1)
    request = match_request("classic", "easy", "easy")
    async with serving(tmp_path, compute=compute, config=config) as service:
        for address in ("10.0.0.1", "10.0.0.2"):
            REQUESTER.set(address)
            created = await service.create(request)
            assert (await refused(service.create(request))).code == "too_many.computers"  # from this address
        REQUESTER.set("10.0.0.3")
        assert (await refused(service.create(request))).code == "too_many.computers"  # in all
        may_act.set()
        await until(service, created["match"], lambda document: document["status"] == "ended")
        REQUESTER.set("10.0.0.2")
        await service.create(request)


@on_a_loop
async def test_matches_between_computers_count_once_as_long_as_they_go_on(tmp_path: Path) -> None:
    request, config = match_request("classic", "easy", "easy"), ServiceConfig(computer_matches_each=1)
    async with serving(tmp_path, compute=hang, config=config._replace(sweep_seconds=0.01)) as service:

        async def create(key: str = "") -> str:
            return str((await service.create(request, key))["match"])

        answers = await asyncio.gather(*(create() for _ in range(3)), return_exceptions=True)
        codes = [getattr(answer, "code", "") for answer in answers]
        assert codes == ["", "too_many.computers", "too_many.computers"]
        await service.submit(partial(set_meta, key=f"delete:{answers[0]}", value=""))  # as the operator asks for it
        await waiting.until(lambda: not len(service.bots.computer_matches))
        used, key = "a-key-for-another-match", "a-key-that-is-repeated"
        await service.create(match_request(), used)
        assert (await refused(create(used))).reason == "request_reused"
        match = await create(key)
        assert await create(key) == match
        await service.submit(partial(store.delete_matches, ids=[match], now=0))  # nobody tells the service
        await service.scheduler.prune()
        await create()
        await service.scheduler.prune()
        assert (await refused(create())).code == "too_many.computers"


@on_a_loop
async def test_only_who_may_act_in_a_match_has_its_computer_move_for_them(tmp_path: Path) -> None:
    async with serving(tmp_path, compute=hang) as service:
        REQUESTER.set("10.0.0.1")
        created = await service.create(match_request("classic", "human", "easy"))
        REQUESTER.set("10.0.0.2")
        await refused(service.act(created["match"], "somebody's token", "r", 0, actions.move(4)))
        assert service.bots.shares.address_of(created["match"]) == "10.0.0.1"
        await service.act(created["match"], created["seats"][1], "r", 0, actions.move(4))
        assert service.bots.shares.address_of(created["match"]) == "10.0.0.2"


@on_a_loop
async def test_a_match_that_changes_while_a_bot_computes_is_computed_again() -> None:
    slow, host = SlowBots(), MatchHost("classic", "easy", "human")
    slow.bots.schedule(host.hosted)
    host.act(2, actions.OFFER_DRAW)
    slow.current = 1
    slow.bots.schedule(host.hosted)
    slow.bots.schedule(host.hosted)
    await slow.finish()
    assert slow.acted == [0, 1]
    assert RETRY_MS not in [ms for _, _, ms in slow.leased]  # nobody waits that long


@on_a_loop
async def test_a_new_lease_for_a_move_that_was_made_is_not_computed_again() -> None:
    slow, host = SlowBots(), MatchHost("classic", "easy", "human")
    slow.current = 0
    slow.bots.schedule(host.hosted)
    slow.bots.schedule(host.hosted._replace(lease_until=1))
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
