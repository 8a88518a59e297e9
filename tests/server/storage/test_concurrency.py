"""Many clients at once, on one worker with SQLite and on two with PostgreSQL: nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.log import event_fields, read_log
from ninefold.match.match import replay
from ninefold.server.hosting.commands import Act
from ninefold.server.hosting.handlers import EventDoc
from ninefold.server.hosting.model import HostedMatch, Viewer
from ninefold.server.hosting.view import MatchView
from ninefold.server.storage.pubsub import Change
from ninefold.server.storage.reader import MatchSnapshot
from ninefold.server.storage.service import Service
from tests.support import waiting
from tests.support.clocks import ManualClock
from tests.support.handlers import match_request
from tests.support.hosted_matches import is_at, move, on_a_loop, refused, say, serving, until
from tests.support.postgres import Postgres
from tests.support.waiting import PATIENCE

CLIENTS = 64
WRITES = 6  # of each client
MATCHES = 3
NOBODYS = "nobody's token at all"

EXPECTED = {
    "stale_version",
    "not_your_turn",
    "taken",
    "wrong_board",
    "dead_board",
    "outside",
    "not_a_move",
    "ended",
    "bad_token",
    "request_reused",
    "no_offer",
    "offer_pending",
    "no_such_action",
    "nothing_to_undo",
}


@contextlib.asynccontextmanager
async def workers(url: str | None, data: Path) -> AsyncIterator[list[Service]]:
    """One with SQLite, two on one PostgreSQL."""
    async with contextlib.AsyncExitStack() as stack:
        count = 1 if url is None else 2
        yield [await stack.enter_async_context(serving(data, url)) for _ in range(count)]


class Acknowledged(NamedTuple):
    command: Act
    response: dict[str, Any]


class Client:
    """Sends random commands: good moves, stale ones, illegal ones, repeats, and with a wrong token."""

    def __init__(self, number: int, matches: list[dict[str, Any]]) -> None:
        self.rng = Random(number)
        self.number = number
        self.matches = matches
        self.acknowledged: list[Acknowledged] = []
        self.refused: list[Refusal] = []

    async def run(self, services: list[Service]) -> None:
        for count in range(WRITES):
            service = self.rng.choice(services)
            command = await self._command(service, f"{self.number}-{count}")
            try:
                response = await service.act(*command[:6])
            except Refusal as refusal:
                self.refused.append(refusal)
            else:
                self.acknowledged.append(Acknowledged(command, response))

    async def _command(self, service: Service, request: str) -> Act:
        created = self.rng.choice(self.matches)
        seat = self.rng.choice([1, 2])
        match, token = created["match"], created["seats"][seat]
        seen = (await service.view(match)).hosted.match
        legal = [seen.game.name(found) for found in seen.position.moves()] or ["11"]
        good = Act(match, created["seats"][seen.to_act or 1], request, seen.version, Action("move"))
        kind = self.rng.randrange(10)
        if kind < 4:
            return good._replace(text=self.rng.choice(legal))
        if kind == 4:
            return good._replace(text=self.rng.choice(legal), version=self.rng.randrange(seen.version + 3))
        if kind == 5:
            return good._replace(text=f"{self.rng.randrange(1, 10)}{self.rng.randrange(12)}")
        if kind == 6:
            return Act(match, token, request, None, actions.say(f"message {request}"))
        if kind == 7:
            offer = self.rng.choice([actions.OFFER_TAKE_BACK, actions.ACCEPT, actions.DECLINE, actions.take_back(1)])
            return Act(match, token, request, seen.version, offer)
        if self.acknowledged:
            known = self.rng.choice(self.acknowledged).command
            return known if kind == 8 else known._replace(version=99)
        return good._replace(token=NOBODYS)


async def check_log(service: Service, match: str) -> list[EventDoc]:
    """The log as it is stored has no gaps, tells the match that is served, and is returned."""
    events = await service.events(match, -1)
    assert [event["index"] for event in events] == list(range(len(events)))
    told = read_log(await service.log(match))
    assert replay(told.setup, told.events) == told
    served = (await service.view(match)).document
    assert (served["version"], served["size"]) == (told.version, len(told.events))
    assert served["position"] == str(told.position)
    assert [event_fields(event) for event in told.events] == [
        {key: value for key, value in event.items() if key != "index"} for event in events
    ]
    return events


def check_acknowledged(match: str, events: list[EventDoc], clients: list[Client]) -> None:
    """Everything that was acknowledged is in the log once, and nothing else is."""
    answers: dict[tuple[str | None, str], list[dict[str, Any]]] = {}
    for client in clients:
        for command, response in client.acknowledged:
            if command.match == match:
                answers.setdefault((command.token, command.key), []).append(response)
    first = [[answer for answer in given if not answer["replayed"]] for given in answers.values()]
    assert [len(given) for given in first] == [1] * len(first)
    for given in answers.values():
        assert [{**answer, "replayed": True} for answer in given] == [{**given[0], "replayed": True}] * len(given)
    written = sorted(
        (event for (answer,) in first for event in answer["events"]), key=lambda event: int(event["index"])
    )
    assert written == events


@pytest.mark.parametrize("games", ["squared", "classic"])
@on_a_loop
async def test_every_acknowledged_command_is_in_the_log_exactly_once(
    games: str, url: str | None, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    async with workers(url, tmp_path) as services:
        matches = [await services[0].create(match_request(games)) for _ in range(MATCHES)]
        clients = [Client(number, matches) for number in range(CLIENTS)]
        await asyncio.gather(*(client.run(services) for client in clients))
        for created in matches:
            for service in services:
                check_acknowledged(created["match"], await check_log(service, created["match"]), clients)
    async with serving(tmp_path, url) as restarted:
        for created in matches:
            check_acknowledged(created["match"], await check_log(restarted, created["match"]), clients)
    happened = {refusal.reason for client in clients for refusal in client.refused}
    assert {"stale_version", "request_reused", "bad_token"} <= happened <= EXPECTED
    assert any(answer["replayed"] for client in clients for _, answer in client.acknowledged)
    if url is not None:
        postgres: Postgres = request.getfixturevalue("postgres")
        assert postgres.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == (0,)


@on_a_loop
async def test_of_many_moves_at_once_one_is_made_and_the_others_get_the_new_state(
    url: str | None, tmp_path: Path
) -> None:
    async with workers(url, tmp_path) as services:
        created = await services[0].create(match_request())
        tries = [
            services[number % len(services)].act(
                created["match"], created["seats"][1], f"try-{number}", 0, Action("move"), str(number % 9 + 1)
            )
            for number in range(32)
        ]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        assert [answer["index"] for answer in answers if isinstance(answer, dict)] == [0]
        stale = [answer for answer in answers if isinstance(answer, Refusal)]
        assert {refusal.reason for refusal in stale} == {"stale_version"}
        assert all(refusal.details["match"]["version"] == 1 for refusal in stale)


@on_a_loop
async def test_the_same_request_to_all_workers_is_executed_once(url: str | None, tmp_path: Path) -> None:
    async with workers(url, tmp_path) as services:
        created = await services[0].create(match_request())
        answers = await asyncio.gather(*(move(service, created, 0, "5") for service in services * 16))
        assert sorted(answer["replayed"] for answer in answers) == [False] + [True] * (len(answers) - 1)
        assert len(await services[0].events(created["match"], -1)) == 1


@on_a_loop
async def test_the_same_creation_at_all_workers_makes_one_match(url: str | None, tmp_path: Path) -> None:
    async with workers(url, tmp_path) as services:
        for number in range(10):
            request = f"request-0123456-{number}"
            asked = await asyncio.gather(*(service.create(match_request(), request) for service in services))
            assert all(answer == asked[0] for answer in asked)


@on_a_loop
async def test_an_invitation_that_is_used_many_times_at_once_seats_one_player(url: str | None, tmp_path: Path) -> None:
    async with workers(url, tmp_path) as services:
        created = await services[0].create(match_request("classic", "human", "open"))
        joins = [service.join(created["match"], created["invitations"][2]) for service in services * 8]
        answers = await asyncio.gather(*joins, return_exceptions=True)
        assert len([answer for answer in answers if isinstance(answer, dict)]) == 1
        assert {answer.reason for answer in answers if isinstance(answer, Refusal)} == {"invitation_used"}


@on_a_loop
async def test_a_rematch_that_both_players_request_at_once_is_one_match(url: str | None, tmp_path: Path) -> None:
    async with workers(url, tmp_path) as services:
        created = await services[0].create(match_request())
        await services[0].act(created["match"], created["seats"][1], "r", None, actions.RESIGN)
        asked = [
            services[seat % len(services)].rematch(created["match"], created["seats"][seat]) for seat in (1, 2) * 8
        ]
        assert len({answer["match"] for answer in await asyncio.gather(*asked)}) == 1


@on_a_loop
async def test_a_move_at_one_worker_reaches_a_subscriber_of_another(postgres: Postgres, tmp_path: Path) -> None:
    async with workers(postgres.new_database(), tmp_path) as (one, other):
        created = await one.create(match_request())
        subscription = other.subscribe(created["match"])
        for version, text in enumerate("5192"):
            await move(one, created, version, text)
            await subscription.changed()  # the first time perhaps because the other has begun to listen
            assert (await other.view(created["match"])).version == version + 1


@on_a_loop
async def test_two_workers_create_the_same_match_once(postgres: Postgres, tmp_path: Path) -> None:
    async with workers(postgres.new_database(), tmp_path) as (one, other):
        for number in range(20):
            request = f"{number:032d}"
            asked = [service.create(match_request("classic", "human", "human"), request) for service in (one, other)]
            first, second = await asyncio.gather(*asked)
            assert first == second
        assert len((await one.public_matches("live"))["matches"]) == 20


@on_a_loop
async def test_a_notification_holds_the_match_and_its_revision_only(postgres: Postgres, tmp_path: Path) -> None:
    import psycopg

    url = postgres.new_database()
    async with workers(url, tmp_path) as (one, _):
        created = await one.create(match_request())
        connection = await psycopg.AsyncConnection.connect(url, autocommit=True)
        async with connection:
            with one.connect(created["match"], Viewer(1)), one.connect(created["match"], Viewer(2)):
                await say(one, created, "we are there")
                await connection.execute("LISTEN ninefold")
                revision = (await one.view(created["match"])).hosted.revision
                await move(one, created, 0, "5")
                await say(one, created, "hello")
                await refused(move(one, created, 9, "1"))
            heard = [notice.payload async for notice in connection.notifies(stop_after=3, timeout=PATIENCE)]
    assert heard[:3] == [
        f"{created['match']}:{revision + later}" for later in (1, 2, 3)
    ]  # behind them perhaps that both have left


@on_a_loop
async def test_a_player_at_one_worker_is_present_for_the_other(postgres: Postgres, tmp_path: Path) -> None:
    async with workers(postgres.new_database(), tmp_path) as (one, other):
        created = await one.create(match_request())
        match = created["match"]

        def present(document: MatchView) -> list[bool]:
            return [seat["present"] for seat in document["seats"]]

        with one.connect(match, Viewer(1)), one.connect(match, Viewer()):
            seen = await until(other, match, lambda document: present(document) == [True, False])
            await until(other, match, lambda document: bool(document["watching"]))
            assert present(seen) == [True, False]
        await until(other, match, lambda document: present(document) == [False, False] and not document["watching"])


@on_a_loop
async def test_what_a_worker_has_written_is_told_to_those_who_follow_it_there_without_reading(
    postgres: Postgres, tmp_path: Path
) -> None:
    async with workers(postgres.new_database(), tmp_path) as (one, other):
        created = await one.create(match_request())
        match, told = created["match"], list[MatchSnapshot]()

        def note(change: Change) -> bool:
            if change.hosted and (snapshot := one.view_now(match, change.hosted)):
                told.append(snapshot)
            return True

        with one.connect(match, Viewer(1)), other.connect(match, Viewer(2)):
            assert one.view_now(match) is None  # the database has to be asked
            await until(one, match, lambda document: all(seat["present"] for seat in document["seats"]))
            subscription = one.subscribe(match, note)
            for version, text in enumerate("5192"):
                await move(one, created, version, text)
            await waiting.until(lambda: [snapshot.version for snapshot in told] == [1, 2, 3, 4])
            assert {snapshot.presence.present for snapshot in told} == {(True, True)}
            subscription.close()
        assert one.view_now(match, told[-1].hosted) is None  # nobody is connected here: nothing is kept


@on_a_loop
async def test_a_bot_is_computed_by_one_worker_only(postgres: Postgres, tmp_path: Path) -> None:
    async with workers(postgres.new_database(), tmp_path) as (one, other):
        created = await one.create(match_request("classic", "easy", "easy"))
        done = await until(other, created["match"], lambda document: document["status"] == "ended")
        await check_log(other, created["match"])
        assert other.bots.busy() == 0
        assert await other.refused(created["match"]) == []
        assert done["result"]


@on_a_loop
async def test_a_worker_that_stops_leaves_its_bots_to_the_others(postgres: Postgres, tmp_path: Path) -> None:
    computing = asyncio.Event()

    async def compute_for_ever(_: HostedMatch) -> None:
        computing.set()
        await asyncio.Event().wait()

    url, clock = postgres.new_database(), ManualClock()  # no lease runs out
    async with serving(tmp_path, url, now=clock) as other:
        async with serving(tmp_path, url, now=clock, compute=compute_for_ever) as one:
            created = await one.create(match_request("classic", "easy", "human"))
            await computing.wait()
        await until(other, created["match"], is_at(1))


@on_a_loop
async def test_workers_survive_a_restart_of_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    async with workers(postgres.new_database(), tmp_path) as services:
        created = await services[0].create(match_request("squared"))
        match = created["match"]

        async def patiently(version: int) -> dict[str, Any]:
            """As a client does: send the same request to any worker until there is a response."""
            text = ""  # chosen once: an attempt may have been committed although its response was lost
            for attempt in itertools.count(version):
                service = services[attempt % 2]
                try:
                    text = text or (await service.view(match)).document["moves"][0]["text"]
                    return await move(service, created, version, text)
                except Refusal as refusal:
                    if refusal.reason != "come_back":
                        raise
                    await asyncio.sleep(0)
            raise AssertionError("nobody came back")

        restarting = asyncio.create_task(asyncio.to_thread(postgres.restart))
        for version in range(20):
            assert (await patiently(version))["version"] == version + 1
        await restarting
        assert (await patiently(20))["version"] == 21
        heard = asyncio.create_task(until(services[1], match, is_at(22)))
        await patiently(21)
        await heard
        assert len(await check_log(services[0], match)) == 22
