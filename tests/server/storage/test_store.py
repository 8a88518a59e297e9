"""Matches in a database, SQLite and PostgreSQL: what is loaded is what was saved, and no secret is in it."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, event, text

from ninefold.games import all_games
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.server.hosting.commands import ClockRequest
from ninefold.server.hosting.deadlines import DAY_MS, next_deadline
from ninefold.server.hosting.handlers import MOST_REFUSED, execute
from ninefold.server.hosting.model import HostedMatch, Settings
from ninefold.server.storage import schema, store
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.migrations import migrate
from tests.support.clocks import ManualClock
from tests.support.handlers import MINUTE, SECOND, START, MatchHost, match_request
from tests.support.hosted_matches import load, move, on_a_loop, opened, refused, save, serving, until
from tests.support.postgres import Postgres

SEEDS = (0, 3)  # of random matches: one against the computer, one with clocks


def actions_for(rng: Random, host: MatchHost) -> list[Action]:
    """Actions that somebody might try."""
    talk = [actions.say("good {game} ☺"), actions.claim(rng.sample(range(9), 3)), actions.OFFER_TAKE_BACK]
    answers = [actions.dispute("that is 'no' line"), actions.CONFIRM, actions.WITHDRAW, actions.DECLINE, actions.ACCEPT]
    moves = [actions.move(move) for move in host.hosted.match.position.moves()]
    return [*talk, *answers, *moves]


def growing(game: str, seed: int) -> Iterator[HostedMatch]:
    """A random match after every command, also after refused ones."""
    rng = Random(seed)
    fields = {"clock": ClockRequest(3600, 1), "claim_seconds": 60} if seed % 2 else {"private": True}
    host = MatchHost(game, "human", rng.choice(["human", "easy"]), **fields)
    yield host.hosted
    for number in range(40):
        host.now += rng.randrange(20 * SECOND)
        asked = host.hosted.match.to_act or 1
        attempt = host.attempt(rng.choice([asked, asked, 1]), rng.choice(actions_for(rng, host)))
        if asked == 2 and host.hosted.seat_holder(2).holder == "computer":
            attempt = attempt._replace(token=None, computer=2)
        (host.hosted,) = execute(host.hosted, attempt, host.context).matches
        if number % 20 == 7:
            host.handover(1, f"carry-{number}")
        host.hosted = host.hosted._replace(revision=host.hosted.revision + 1, lease_until=number)
        yield host.hosted


@pytest.mark.parametrize("game", all_games())
def test_what_is_loaded_is_what_was_saved(game: str, url: str | None, tmp_path: Path) -> None:
    with opened(tmp_path, url) as database:
        with database.writer.begin() as connection:
            migrate(connection)
        for seed in SEEDS:
            saved: HostedMatch | None = None
            for number, hosted in enumerate(growing(game, seed)):
                hosted = hosted._replace(id=f"match{seed}")
                with database.writer.begin() as connection:
                    save(connection, saved, hosted)
                saved = hosted
                if number % 10 == 0:
                    assert load(database, hosted.id) == hosted
            assert load(database, f"match{seed}") == saved


def test_the_random_matches_have_claims_clocks_responses_and_refusals() -> None:
    """Without them the test above would prove little."""
    last = [list(growing("agents", seed))[-1] for seed in SEEDS]
    happened = {event.action.kind for hosted in last for event in hosted.match.events}
    assert happened >= {"move", "claim", "settle", "confirm", "dispute", "say", "offer"}
    assert all(hosted.responses and hosted.refused for hosted in last)
    assert [hosted.clock is None for hosted in last] == [True, False]
    assert [hosted.seat_holder(2).holder for hosted in last] == ["computer", "person"]


def test_a_match_without_a_stored_setting_shows_its_legal_moves(url: str | None, tmp_path: Path) -> None:
    with opened(tmp_path, url) as database:
        with database.writer.begin() as connection:
            migrate(connection)
            save(connection, None, MatchHost(show_moves=False).hosted)
        assert load(database, "match").settings.show_moves is False
        with database.writer.begin() as connection:
            older = json.dumps({"private": False, "clock": None, "claim_ms": 1, "absent_ms": 1})
            connection.execute(schema.MATCHES.update().values(settings=older))
        assert load(database, "match").settings == Settings(
            False, None, claim_ms=1, absent_ms=1, show_moves=True, show_lines=True, rated=False
        )


def everything_in(data: Path, url: str | None) -> bytes:
    """All bytes of SQLite's files; all rows of PostgreSQL's tables."""
    if url is None:
        return b"".join(file.read_bytes() for file in sorted(data.iterdir()))
    with opened(data, url) as database, database.reading() as connection:
        rows = [connection.execute(text(f'SELECT t::text FROM "{name}" t')).all() for name in schema.METADATA.tables]  # noqa: S608
    return repr(rows).encode()


@on_a_loop
async def test_no_secret_is_in_any_byte_of_the_database_or_in_the_log(
    url: str | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving(tmp_path, url) as service:
        created = await service.create(match_request("classic", "human", "open", private=True))
        match, token = created["match"], created["seats"][1]
        joined = await service.join(match, created["invitations"][2], "Bob")
        code = (await service.handover(match, token, "r"))["code"]
        carried = await service.join(match, code)
        await refused(service.act(match, carried["token"], "r1", 7, Action("move"), "5"))
        await refused(service.act(match, "somebody's guessed token", "r1", 7, Action("move"), "5"))
        await service.act(match, carried["token"], "r2", None, actions.RESIGN)
        await service.rematch(match, joined["token"])
        while_running = everything_in(tmp_path, url)
    secrets = [token, joined["token"], carried["token"], code, created["invitations"][2], created["watch"]]
    assert len(set(secrets)) == 6
    for found in (while_running, everything_in(tmp_path, url), caplog.text.encode()):
        assert [secret for secret in secrets if secret.encode() in found] == []
    assert match.encode() in while_running


def stored(data: Path, url: str | None, statement: str) -> Sequence[tuple[object, ...]]:
    with opened(data, url) as database, database.reading() as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


@on_a_loop
async def test_every_event_is_stored_with_its_time_and_both_remaining_times(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        created = await service.create(match_request(clock=ClockRequest(60, 2)))
        await move(service, created, 0, "5")
        clock.at += 10 * SECOND
        await move(service, created, 1, "1")
        clock.at += 5 * SECOND
        await move(service, created, 2, "9")
    assert stored(tmp_path, url, 'SELECT "index", "at", "left" FROM events ORDER BY "index"') == [
        (0, START, "[60000, 60000]"),
        (1, START + 10 * SECOND, "[60000, 52000]"),
        (2, START + 15 * SECOND, "[57000, 52000]"),
    ]


def test_each_move_of_a_batch_has_its_own_remaining_times(tmp_path: Path) -> None:
    host = MatchHost(clock=ClockRequest(60, 2))
    states = [host.hosted]
    for text_of_move in ("5", "1", "9"):
        host.now += 10 * SECOND
        host.play(text_of_move)
        states.append(host.hosted)
    changes = store.ChangeSet()
    for before, after in itertools.pairwise(states):
        changes.add_events(before, after)
    assert [left for _, _, _, left, *_ in changes.events] == ["[60000, 60000]", "[60000, 52000]", "[52000, 52000]"]


@on_a_loop
async def test_the_response_to_a_request_is_stored_with_its_first_event(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        created = await service.create(match_request("agents", first="X"))
        match, tokens = created["match"], created["seats"]
        await service.act(match, tokens[1], "one", 0, actions.claim((0, 1, 2)))
        first = await service.act(match, tokens[2], "two", 1, actions.dispute("no line"))
        assert [event["event"] for event in first["events"]] == ["disputed", "settled"]
    requests = 'SELECT "index", requested_by, request FROM events ORDER BY "index"'
    assert stored(tmp_path, url, requests) == [(0, 1, "one"), (1, 2, "two"), (2, None, None)]
    async with serving(tmp_path, url) as service:
        again = await service.act(match, tokens[2], "two", 1, actions.dispute("no line"))
        assert again == {**first, "replayed": True}


@on_a_loop
async def test_the_audit_of_refused_attempts_is_bounded_in_the_database_too(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        created = await service.create(match_request())
        for number in range(MOST_REFUSED + 20):
            await refused(move(service, created, number + 1, "5", seat=1))
        assert (await refused(service.refused(created["match"]))).reason == "not_ended"
        await service.act(created["match"], created["seats"][1], "r", None, actions.RESIGN)
        hosted = await service.refused(created["match"])
    assert len(hosted) == MOST_REFUSED
    assert stored(tmp_path, url, "SELECT count(*), min(number), max(number) FROM refused") == [(200, 21, 220)]
    async with serving(tmp_path, url) as service:
        assert await service.refused(created["match"]) == hosted
        assert hosted[-1]["version"] == MOST_REFUSED + 20


@on_a_loop
async def test_one_unreadable_match_harms_no_other(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        broken, sound = [await service.create(match_request(clock=ClockRequest(60))) for _ in range(2)]
        for created in (broken, sound):
            await move(service, created, 0, "5")
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        events = schema.EVENTS.update().where(schema.EVENTS.c.match == broken["match"])
        connection.execute(events.values(body='{"event": "moved", "seat": 2, "at": 0, "move": 4}'))
    async with serving(tmp_path, url, now=clock) as service:
        writing = threading.Event()
        blocked = asyncio.create_task(service.submit(lambda _: writing.wait()))  # so that both are in one batch
        moves = [asyncio.create_task(move(service, created, 1, "1")) for created in (broken, sound)]
        await asyncio.sleep(0)
        writing.set()
        await blocked
        refusal = await refused(moves[0])
        assert refusal.reason == "unreadable_match"
        assert (await moves[1])["version"] == 2
        assert (await refused(service.view(broken["match"]))).reason == "unreadable_match"
        assert [match["id"] for match in (await service.public_matches("live"))["matches"]] == [sound["match"]]
        clock.at += 2 * MINUTE
        await until(service, sound["match"], lambda document: document["status"] == "ended")
    assert stored(tmp_path, url, "SELECT id FROM matches WHERE due_at IS NOT NULL") == []


@on_a_loop
async def test_nothing_of_a_deleted_match_is_left(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock, config=ServiceConfig(keep_days=2)) as service:
        old, young, live = [await service.create(match_request()) for _ in range(3)]
        for created in (old, young):
            await refused(move(service, created, 0, "five"))
            await move(service, created, 0, "5")
            await service.act(created["match"], created["seats"][1], "r", None, actions.RESIGN)
            clock.at += DAY_MS
        await service.scheduler.delete_old_matches()
        assert (await service.view(old["match"])).document["status"] == "ended"
        clock.at += 1
        await service.scheduler.delete_old_matches()
        assert (await refused(service.view(old["match"]))).reason == "no_such_match"
        assert (await service.view(young["match"])).document["status"] == "ended"
        assert (await service.view(live["match"])).document["status"] == "live"
    for table in schema.MATCH_TABLES:
        assert (old["match"],) not in stored(tmp_path, url, f'SELECT "match" FROM {table.name}')  # noqa: S608


def test_a_match_is_read_consistently_while_it_is_written(url: str | None, tmp_path: Path) -> None:
    """The rows of a match are read with several statements, which must see one state of it."""
    host = MatchHost()
    host.play("5")
    before = host.hosted
    host.play("1")
    after = host.hosted._replace(revision=1)
    with opened(tmp_path, url) as database:
        with database.writer.begin() as connection:
            migrate(connection)
            save(connection, None, before)
        written: list[str] = []

        @event.listens_for(database.reader, "after_cursor_execute")
        def somebody_writes(_: Connection, __: object, statement: str, *___: object) -> None:
            if "FROM events" in statement and not written:
                written.append(statement)
                with database.writer.begin() as connection:
                    save(connection, before, after)

        assert load(database, "match") == before
        assert load(database, "match") == after
        assert written


def test_a_cached_match_is_continued_with_the_events_that_followed(url: str | None, tmp_path: Path) -> None:
    """A state from any time is as good as none; an event before it, which is spoiled here, is not read again."""
    states = [hosted._replace(id="match") for hosted in growing("squared", 3)]
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        migrate(connection)
        for before, after in itertools.pairwise([None, *states]):
            assert after
            save(connection, before, after)
        for cached in states[:-1]:
            assert store.load(connection, ["match"], {"match": cached}) == {"match": states[-1]}
        connection.execute(text("UPDATE events SET body = '?' WHERE \"index\" = 0"))
        assert store.load(connection, ["match"], {"match": states[-2]}) == {"match": states[-1]}
        assert store.load(connection, ["match"]) == {}


def _with_last_move_later(cached: HostedMatch) -> HostedMatch:
    *events, last = cached.match.events
    return cached._replace(match=cached.match._replace(events=(*events, last._replace(at=last.at + 1))))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda cached: cached._replace(created_at=cached.created_at + 1), id="another match"),
        pytest.param(
            lambda cached: cached._replace(match=cached.match._replace(setup=cached.match.setup._replace(seed=1))),
            id="another set-up",
        ),
        pytest.param(_with_last_move_later, id="a move that the database has lost"),
        pytest.param(lambda cached: cached._replace(revision=9), id="a later revision"),
        pytest.param(
            lambda cached: cached._replace(match=cached.match._replace(said=1)), id="a message that was not sent"
        ),
    ],
)
def test_a_cached_match_that_does_not_fit_is_read_as_a_whole(
    other: Callable[[HostedMatch], HostedMatch], url: str | None, tmp_path: Path
) -> None:
    read: list[object] = []
    host = MatchHost()
    host.play("5")
    cached = host.hosted
    host.play("1")
    after = host.hosted._replace(revision=2)
    with opened(tmp_path, url) as database, database.writer.begin() as connection:
        migrate(connection)
        save(connection, None, cached)
        save(connection, cached, after)

        @event.listens_for(connection, "after_cursor_execute")
        def note(_: Connection, __: object, statement: str, parameters: object, *___: object) -> None:
            if "FROM events" in statement:
                read.append(parameters)

        assert store.load(connection, ["match"], {"match": other(cached)}) == {"match": after}
    assert read == [("match", 0), ("match", 0)]  # one event is cached: both reads begin with the first


def test_a_match_that_is_locked_is_not_deleted(postgres: Postgres, tmp_path: Path) -> None:
    host = MatchHost()
    host.act(1, actions.RESIGN)
    with opened(tmp_path, postgres.new_database()) as database:
        with database.writer.begin() as connection:
            migrate(connection)
            save(connection, None, host.hosted)
        with database.writer.begin() as writing, database.writer.begin() as forgetting:
            assert store.lock(writing, ["match"]) == {"match": 0}
            forgetting.execute(text("SET LOCAL lock_timeout = '1s'"))
            assert store.ended_before(forgetting, START + 1, 10) == []


def test_most_moves_touch_no_index_of_their_match() -> None:
    """Nor what was settled before the first move: the row goes on by its counters, its time and its clock."""
    for clock in (None, ClockRequest(600, 5)):
        host = MatchHost(clock=clock)
        hosted, full = host.hosted._replace(due_at=store.due_at(host.hosted, host.now, ())), 0
        for move_text in "12345687":
            host.now += SECOND
            host.play(move_text)
            due_at = store.due_at(host.hosted._replace(due_at=hosted.due_at), host.now, ())
            after = host.hosted._replace(due_at=due_at)
            changes = store.ChangeSet()
            changes.add_match(hosted, after)
            full += len(changes.matches)
            assert len(changes.matches) + len(changes.went_on) == 1
            hosted = after
        assert full <= 1  # the first move starts the clocks


@pytest.mark.parametrize("clock", [None, ClockRequest(60, 2)])
def test_the_scheduler_looks_at_a_match_not_later_than_its_next_deadline(clock: ClockRequest | None) -> None:
    host = MatchHost(clock=clock)
    stored = store.due_at(host.hosted, host.now, ())  # far off: clocks start with the first move
    for number, move_text in enumerate("12345687"):
        host.play(move_text)
        deadline = next_deadline(host.hosted, ())
        assert deadline
        stored = store.due_at(host.hosted._replace(due_at=stored), host.now, ())
        assert stored is not None
        assert host.now < stored <= deadline.at
        assert 2 * (stored - host.now) >= deadline.at - host.now
        host.now += number * SECOND
    host.play("9")
    assert store.due_at(host.hosted._replace(due_at=stored), host.now, ()) is None  # it has ended
