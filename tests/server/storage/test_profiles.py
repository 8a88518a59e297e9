"""Profiles: ratings with the end of a match, history, export, deletion, blocks, and the operator's lists."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, Engine, event, select

from ninefold.arena.glicko2 import NEW, RatedResult, rate
from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.match import actions
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import Act, ClockRequest, Forget
from ninefold.server.hosting.profiles import Profile, ProfileDoc, ProfileKind, StandingDoc
from ninefold.server.storage import moderation, profiles, store
from ninefold.server.storage.config import REQUESTER
from ninefold.server.storage.migrations import migrate
from ninefold.server.storage.moderation import moderating, read_who, skeleton
from ninefold.server.storage.schema import BLOCKS, EVENTS, METADATA, PROFILES, SEAT_HOLDERS
from ninefold.server.storage.service import Service
from ninefold.server.storage.writer import PendingResponse
from tests.support.clocks import ManualClock
from tests.support.handlers import MINUTE, START, match_request
from tests.support.hosted_matches import move, on_a_loop, opened, refused, serving, waiting_writer
from tests.support.postgres import Postgres, somebody_waits_for_a_lock
from tests.support.waiting import until

ANN, BOB = "the-key-of-ann-0123456789-0123456789", "the-key-of-bob-0123456789-0123456789"
CLOCK = ClockRequest(300)
WON = ("1", "4", "2", "5", "3")  # by seat 1


async def profile(service: Service, key: str, name: str, kind: ProfileKind = "person", **more: bool) -> ProfileDoc:
    return await service.profiles.save(key, name, kind, **more)


async def seated(service: Service, one: str | None = ANN, two: str | None = BOB, **fields: Any) -> dict[str, Any]:
    """A match that one of them has created, and the other joined."""
    request = match_request("classic", "human", "open", **{"clock": CLOCK, **fields})
    created = await service.create(request, identity=await service.profiles.identity(one, game="classic"))
    match, invitation = created["match"], created["invitations"][2]
    identity = await service.profiles.identity(two, match=match)
    joined = await service.join(match, invitation, "Guest", identity=identity)
    return {"match": match, "seats": {1: created["seats"][1], 2: joined["token"]}}


async def play(service: Service, created: dict[str, Any], cells: tuple[str, ...] = WON) -> None:
    for version, cell in enumerate(cells):
        await move(service, created, version, cell)


async def standing(service: Service, key: str, opponents: str = "people") -> StandingDoc:
    (found,) = [one for one in (await service.profiles.own(key))["standings"] if one["opponents"] == opponents]
    return found


@on_a_loop
async def test_a_rated_match_changes_both_ratings_with_its_last_move(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        created = await seated(service)
        assert (await service.view(created["match"])).document["rated"]
        await play(service, created, WON[:-1])
        assert (await service.profiles.own(ANN))["standings"] == []
        await move(service, created, 4, WON[-1])
        won, lost = (rate(NEW, [RatedResult(NEW, score)], 0) for score in (1, 0))
        ann, bob = await standing(service, ANN), await standing(service, BOB)
        assert (ann["rating"], ann["deviation"]) == (round(won.rating), round(won.deviation))
        assert (ann["wins"], ann["losses"], ann["rated"], ann["provisional"]) == (1, 0, 1, True)
        assert (bob["rating"], bob["wins"], bob["losses"]) == (round(lost.rating), 0, 1)
        (played,) = (await service.profiles.matches(BOB, None, 10)).matches
        assert (played["score"], played["opponent"], played["rating_before"]) == ("loss", "Ann", 1500)
        assert played["rating_after"] == bob["rating"]


@on_a_loop
async def test_a_move_between_two_profiles_asks_the_database_for_nothing_more(url: str | None, tmp_path: Path) -> None:
    """With SQLite it is an event and a few columns of the match; with PostgreSQL the match is locked before."""
    asked: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        if threading.current_thread().name == "ninefold-writer":
            asked.extend(re.findall(r"(?:FROM|INTO|UPDATE) (\w+)", statement))

    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        created = await seated(service)
        await play(service, created, WON[:2])
        written: list[str] = []
        for task in service._tasks:
            task.cancel()  # housekeeping writes too
        await service.submit(lambda connection: url or _driver(connection).set_trace_callback(written.append))
        event.listen(Engine, "before_cursor_execute", note)
        try:
            await move(service, created, 2, WON[2])
        finally:
            event.remove(Engine, "before_cursor_execute", note)
    if url is None:
        first = written.index("BEGIN IMMEDIATE")
        assert [line[:17] for line in written[first : first + 4]] == [
            "BEGIN IMMEDIATE", "INSERT INTO event", "UPDATE matches SE", "COMMIT",
        ]  # fmt: skip
    assert set(asked) <= (set() if url is None else {"matches", "presence"})


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection


@on_a_loop
async def test_a_repeated_last_move_rates_the_match_once(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        created = await seated(service)
        await play(service, created)
        assert (await move(service, created, 4, WON[-1]))["replayed"]
    async with serving(tmp_path, url, now=ManualClock(START + MINUTE)) as service:
        assert (await move(service, created, 4, WON[-1]))["replayed"]
        assert (await standing(service, ANN))["rated"] == 1
        hosted = (await service.view(created["match"])).hosted
        live = hosted._replace(match=hosted.match._replace(state=hosted.match.state._replace(result=None)))
        # Even a server that has lost its memory of the end does not rate the match again.
        await service.submit(lambda connection: profiles.record(connection, [(live, hosted)], START))
        assert (await standing(service, ANN))["rated"] == 1


@on_a_loop
async def test_two_matches_that_end_in_one_batch_are_rated_one_after_the_other(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        matches = [await seated(service) for _ in range(2)]
        for created in matches:
            await play(service, created, WON[:-1])
        async with waiting_writer(service):
            ends = [asyncio.ensure_future(move(service, created, 4, WON[-1])) for created in matches]
        await asyncio.gather(*ends)
        one, other = rate(NEW, [RatedResult(NEW, 1)], 0), rate(NEW, [RatedResult(NEW, 0)], 0)
        twice = rate(one, [RatedResult(other, 1)], 0)
        assert (await standing(service, ANN))["rating"] == round(twice.rating)
        assert (await standing(service, ANN))["rated"] == 2


@on_a_loop
@pytest.mark.parametrize("case", ["no clock", "casual", "no profile", "computer"])
async def test_other_matches_are_counted_and_not_rated(case: str, tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        changed: dict[str, dict[str, Any]] = {"no clock": {"clock": None}, "casual": {"rated": False}}
        fields, two = changed.get(case, {}), None if case == "no profile" else BOB
        if case == "computer":
            request = match_request("classic", "human", "random", clock=CLOCK)
            created = await service.create(request, identity=await service.profiles.identity(ANN, game="classic"))
        else:
            created = await seated(service, ANN, two, **fields)
        assert not (await service.view(created["match"])).document["rated"]
        await service.act(created["match"], created["seats"][1], "end", None, actions.RESIGN)
        found = await standing(service, ANN, "computers" if case == "computer" else "people")
        assert (found["losses"], found["rated"], found["rating"]) == (1, 0, None)


@on_a_loop
async def test_a_match_against_oneself_counts_for_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        created = await seated(service, two=ANN)
        assert not (await service.view(created["match"])).document["rated"]
        await play(service, created)
        assert (await service.profiles.own(ANN))["standings"] == []


@on_a_loop
async def test_who_leaves_a_rated_match_that_has_begun_has_lost_it(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        early, late = await seated(service), await seated(service)
        await play(service, late, ("5", "1"))
        for created in (early, late):
            await service.act(created["match"], created["seats"][1], "away", None, actions.LEAVE)
        assert ((await standing(service, ANN))["losses"], (await standing(service, BOB))["wins"]) == (1, 1)
        scores = [one["score"] for one in (await service.profiles.matches(ANN, None, 10)).matches]
        assert sorted(map(str, scores)) == ["loss", "none"]


@on_a_loop
@pytest.mark.parametrize("resigning", [1, 2])
async def test_a_rematch_that_is_resigned_before_it_is_accepted_ends_without_a_score(
    resigning: int, url: str | None, tmp_path: Path
) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        created = await seated(service)
        await play(service, created)
        before = [(await service.profiles.own(key))["standings"] for key in (ANN, BOB)]
        offered = (await service.rematch(created["match"], created["seats"][1]))["match"]
        await service.act(offered, created["seats"][resigning], "end", None, actions.RESIGN)
        of_ann, of_bob = [(await service.profiles.matches(key, None, 10)).matches for key in (ANN, BOB)]
        assert {one["match"]: (one["status"], one["score"]) for one in of_ann}[offered] == ("ended", "none")
        assert [one["match"] for one in of_bob] == [created["match"]]
        assert [(await service.profiles.own(key))["standings"] for key in (ANN, BOB)] == before
        assert (await service.profiles.matches(ANN, None, 10, running=True)).matches == []


@on_a_loop
async def test_agents_are_rated_apart_from_people(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bot", "agent")
        await play(service, await seated(service))
        assert (await standing(service, ANN, "agents"))["rated"] == 1
        assert (await standing(service, BOB, "agents"))["rated"] == 1
        assert len((await service.profiles.own(ANN))["standings"]) == 1
        assert (await refused(service.profiles.identity(ANN, game="classic", kind="agent"))).reason == "bad_key"


@on_a_loop
async def test_the_key_opens_the_seats_of_its_profile_and_is_stored_nowhere(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        created = await seated(service, two=None)
        assert (await service.viewer(created["match"], ANN)).seat == 1
        await service.act(created["match"], ANN, "by-key", 0, actions.Action("move"), "5")
        assert (await refused(service.viewer(created["match"], BOB))).reason == "bad_token"
        (running,) = (await service.profiles.matches(ANN, None, 10, running=True)).matches
        assert (running["match"], running["score"], running["opponent"]) == (created["match"], None, "Guest")
    with opened(tmp_path, url) as database, database.reading() as connection:
        rows = [str(row) for table in METADATA.sorted_tables for row in connection.execute(table.select())]
        assert any(tokens.profile_id(ANN) in row for row in rows)
        assert not any(ANN in row for row in rows)


@on_a_loop
async def test_deletion_removes_the_profile_and_leaves_the_opponents_game(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann", shared=True)
        await profile(service, BOB, "Bob")
        ended, running = await seated(service), await seated(service)
        await play(service, ended)
        await play(service, running, ("5", "1"))
        await service.profiles.block(BOB, ended["match"])
        await service.profiles.report(ended["match"], ended["seats"][2], "chat", "rude")
        await service.profiles.delete(ANN)
        assert (await refused(service.profiles.own(ANN))).reason == "bad_key"
        assert (await refused(service.profiles.shared(tokens.profile_id(ANN)))).reason == "no_such_profile"
        for created in (ended, running):
            view = (await service.view(created["match"])).document
            assert [seat["name"] for seat in view["seats"]] == ["deleted", "Bob"]
            assert (view["seats"][0]["profile"], view["seats"][0]["rating"]) == (None, None)
            assert view["result"]  # a rated match is resigned
            assert "Ann" not in await service.log(created["match"])
        bob = await standing(service, BOB)
        assert (bob["wins"], bob["losses"], bob["rated"]) == (1, 1, 2)
        assert [one["opponent"] for one in (await service.profiles.matches(BOB, None, 10)).matches] == ["deleted"] * 2
        assert await service.profiles.blocks(BOB) == []
    with opened(tmp_path, url) as database, database.reading() as connection:
        for table in METADATA.sorted_tables:
            for row in connection.execute(table.select()):
                assert tokens.profile_id(ANN) not in str(row)
                assert "'Ann'" not in str(row)


@on_a_loop
async def test_deletion_changes_the_name_in_a_rematch_that_was_not_accepted(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        created = await seated(service)
        await play(service, created)
        offered = (await service.rematch(created["match"], created["seats"][1]))["match"]
        await service.submit(lambda connection: store.delete_matches(connection, [created["match"]], START))
        await service.profiles.delete(BOB)
        seats = (await service.view(offered)).document["seats"]
        assert sorted(seat["name"] for seat in seats) == ["Ann", "deleted"]
    with opened(tmp_path, url) as database, database.reading() as connection:
        held = connection.execute(SEAT_HOLDERS.select().where(SEAT_HOLDERS.c.match == offered)).all()
        assert sorted(seat.profile for seat in held) == ["", tokens.profile_id(ANN)]


@on_a_loop
async def test_an_interrupted_deletion_is_finished_by_the_housekeeping(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        created = await seated(service, two=None)
        await service.submit(lambda connection: profiles.delete(connection, tokens.profile_id(ANN)))
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await service.profiles.housekeeping()
        view = (await service.view(created["match"])).document
        assert view["seats"][0]["name"] == "deleted"


@on_a_loop
async def test_no_match_names_a_profile_that_was_deleted_before_it_was_written(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        request, bob = match_request("classic", "human", "open"), await service.profiles.identity(BOB, game="classic")
        created = await service.create(request, identity=await service.profiles.identity(ANN, game="classic"))
        await service.profiles.delete(BOB)
        joined = service.join(created["match"], created["invitations"][2], identity=bob)
        assert (await refused(joined)).reason == "bad_key"
        assert (await refused(service.create(request, identity=bob))).reason == "bad_key"
        async with waiting_writer(service):
            again = asyncio.ensure_future(service.create(request, identity=bob))
            made = asyncio.ensure_future(profile(service, BOB, "Bob again"))
        await made
        assert (await again)["match"]
    with opened(tmp_path, url) as database, database.reading() as connection:
        named = set(connection.execute(select(SEAT_HOLDERS.c.profile)).scalars())
        assert named == {"", tokens.profile_id(ANN), tokens.profile_id(BOB)}


@on_a_loop
async def test_a_seat_waits_for_a_deletion_that_another_worker_has_begun(postgres: Postgres, tmp_path: Path) -> None:
    async with serving(tmp_path, postgres.new_database(), now=ManualClock(START)) as service:
        await profile(service, BOB, "Bob")
        bob = await service.profiles.identity(BOB, game="classic")
        with contextlib.closing(psycopg.connect(service._database.url)) as elsewhere:
            elsewhere.execute("DELETE FROM profiles")
            created = asyncio.ensure_future(service.create(match_request("classic", "human", "open"), identity=bob))
            await until(lambda: somebody_waits_for_a_lock(service._database.url))
            elsewhere.commit()
        assert (await refused(created)).reason == "bad_key"


@on_a_loop
async def test_a_profile_that_is_made_again_keeps_what_its_deletion_has_left(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        created = await seated(service, two=None)
        await service.submit(lambda connection: profiles.delete(connection, tokens.profile_id(ANN)))
        await profile(service, ANN, "Ann")
        await service.profiles.housekeeping()
        assert (await service.view(created["match"])).document["seats"][0]["name"] == "Ann"


@on_a_loop
async def test_an_interrupted_deletion_spares_a_profile_that_was_made_again(url: str | None, tmp_path: Path) -> None:
    """Also when the deletion goes on with matches that it has found before."""
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        ann = tokens.profile_id(ANN)
        await seated(service, two=None)
        await service.submit(lambda connection: profiles.delete(connection, ann))
        await profile(service, ANN, "Ann again")
        created = await seated(service, two=None)
        await service.submit(Forget(created["match"], ann))
        await service.submit(partial(profiles.forget_orphans, matches=[created["match"]], profile=ann))
        await service.profiles.forget(ann)
        assert (await service.view(created["match"])).document["seats"][0]["name"] == "Ann again"
        played = (await service.profiles.matches(ANN, None, 10)).matches
        assert created["match"] in [one["match"] for one in played]


@on_a_loop
async def test_a_second_deletion_keeps_its_mark_while_the_first_one_ends(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        ann = tokens.profile_id(ANN)
        created = await seated(service, two=None)
        await service.submit(lambda connection: profiles.delete(connection, ann))
        await service.submit(partial(profiles.unmark_forgotten, profile=ann))  # of a deletion before it
        await service.profiles.housekeeping()
        assert (await service.view(created["match"])).document["seats"][0]["name"] == "deleted"


@on_a_loop
async def test_a_second_deletion_by_another_worker_keeps_its_mark_while_the_first_one_ends(
    postgres: Postgres, tmp_path: Path
) -> None:
    async with serving(tmp_path, postgres.new_database(), now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        ann = tokens.profile_id(ANN)
        await seated(service, two=None)
        await service.submit(lambda connection: profiles.delete(connection, ann))
        await profile(service, ANN, "Ann again")
        with opened(tmp_path, service._database.url) as elsewhere, elsewhere.writer.begin() as connection:
            profiles.delete(connection, ann)
            first = asyncio.ensure_future(service.submit(partial(profiles.unmark_forgotten, profile=ann)))
            await until(lambda: somebody_waits_for_a_lock(service._database.url))
        await first
        assert await service.submit(profiles.marked_deleted) == [ann]


@on_a_loop
async def test_neither_a_deletion_nor_the_housekeeping_looks_at_all_matches(tmp_path: Path) -> None:
    """Of those there may be millions."""
    statements: dict[str, Any] = {}

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if statement.startswith(("SELECT", "DELETE", "UPDATE")):
            statements.setdefault(statement, parameters)

    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        await play(service, await seated(service))
        event.listen(Engine, "before_cursor_execute", note)
        try:
            await service.submit(lambda connection: profiles.delete(connection, tokens.profile_id(ANN)))
            await service.profiles.housekeeping()
            await service.profiles.delete(BOB)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
    assert any("FROM played" in statement for statement in statements)
    with opened(tmp_path, None) as database, database.reading() as connection:
        for statement, parameters in statements.items():
            for one in parameters if isinstance(parameters, list) else [parameters]:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", one).all()
                assert not re.findall(r"SCAN (?:played|chairs|matches|events)\b", str(plan)), statement


def test_looking_for_matches_of_a_deleted_profile_ends_with_the_first_that_are_found(tmp_path: Path) -> None:
    """Else a deletion of many matches would read all of them again for every few."""
    steps: list[None] = []
    with opened(tmp_path, None) as database, database.writer.begin() as connection:
        migrate(connection)
        found = []
        for number in range(2):
            rows = [(f"{number}-{row}", "a", 0, "") for row in range(50 + 5_000 * number)]
            connection.exec_driver_sql(
                'INSERT INTO played ("match", profile, began_at, score) VALUES (?, ?, ?, ?)', rows
            )
            _driver(connection).set_progress_handler(lambda: steps.append(None), 100)
            assert len(profiles.orphans(connection, "a", 50)) == 50
            _driver(connection).set_progress_handler(None, 0)
            found.append(len(steps))
            steps.clear()
    assert found[1] < 2 * found[0]


@on_a_loop
async def test_an_export_has_the_profile_and_every_match_with_its_log(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        created = await seated(service)
        await play(service, created)
        await service.profiles.block(ANN, created["match"])
        await service.profiles.report(created["match"], created["seats"][1], "other", "a reason")
        head, line = [json.loads(line) async for line in await service.profiles.export(ANN)]
        assert (head["profile"]["name"], head["blocks"][0]["name"]) == ("Ann", "Bob")
        assert head["reports"][0]["text"] == "a reason"
        assert line["match"]["match"] == created["match"]
        assert len(line["log"].splitlines()) == 1 + len(WON)


@on_a_loop
async def test_players_who_block_each_other_do_not_meet(tmp_path: Path) -> None:
    async with serving(tmp_path, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        created = await seated(service)
        await play(service, created)
        await service.profiles.block(ANN, created["match"])
        assert (await refused(seated(service))).reason == "blocked"
        assert (await refused(seated(service, BOB, ANN))).reason == "blocked"
        assert (await refused(service.rematch(created["match"], created["seats"][2]))).reason == "blocked"
        identities = [await service.profiles.identity(key, game="classic") for key in (ANN, BOB)]
        paired = [await service.pair("classic", CLOCK, identity=identity) for identity in identities]
        assert [one["waiting"] for one in paired] == [True, True]
        (block,) = await service.profiles.blocks(ANN)
        assert await service.profiles.unblock(ANN, block["profile"]) == []
        await seated(service)
        alone = await seated(service, two=None)
        assert (await refused(service.profiles.block(ANN, alone["match"]))).code == "nobody.to_block"
        assert (await refused(service.profiles.block(BOB, alone["match"]))).reason == "not_your_match"


@on_a_loop
async def test_who_was_blocked_after_a_rematch_was_offered_does_not_get_into_it(
    url: str | None, tmp_path: Path
) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        created = await seated(service)
        await play(service, created)
        again, token = (await service.rematch(created["match"], created["seats"][1]))["match"], created["seats"][2]
        await service.profiles.block(ANN, created["match"])
        ways = service.arrive(again, token), service.act(again, token, "move", 0, actions.move(4))
        assert [(await refused(way)).reason for way in ways] == ["blocked"] * 2
        assert (await service.view(again)).document["status"] == "open"


@on_a_loop
async def test_a_block_counts_for_who_joins_in_the_same_batch(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        waiting = await service.create(
            match_request("classic", "human", "open"), identity=await service.profiles.identity(ANN, game="classic")
        )
        identity = await service.profiles.identity(BOB, match=waiting["match"])
        block = partial(profiles.block, profile=tokens.profile_id(ANN), blocked=tokens.profile_id(BOB), now=START)
        async with waiting_writer(service):
            joined = asyncio.ensure_future(
                service.join(waiting["match"], waiting["invitations"][2], key="a-request-to-join", identity=identity)
            )
            blocked = asyncio.ensure_future(service.submit(block))
        await blocked
        assert (await refused(joined)).reason == "blocked"


@on_a_loop
async def test_of_all_blocks_of_a_player_only_those_of_the_opponent_are_read(url: str | None, tmp_path: Path) -> None:
    """Else whoever makes many profiles, which block somebody, could make each of their matches slow."""
    ann, bob = map(tokens.profile_id, (ANN, BOB))
    read: list[int] = []

    def note(_: object, cursor: Any, statement: str, *__: object) -> None:
        if "FROM blocks" in statement:
            read.append(len(cursor.fetchall()))

    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        many = [{"profile": f"{number:032x}", "blocked": ann, "at": START} for number in range(1_000)]
        await service.submit(lambda connection: connection.execute(BLOCKS.insert(), many))
        event.listen(Engine, "after_cursor_execute", note)
        try:
            await seated(service)
        finally:
            event.remove(Engine, "after_cursor_execute", note)
        assert read == [0]
        await service.submit(partial(profiles.block, profile=bob, blocked=ann, now=START))
        found = await service.submit(partial(profiles.blocks_between, pairs=[(ann, bob)]))
        assert found == [(bob, ann)]
        pairs = [(ann, f"{number:032x}") for number in range(len(many))]
        assert len(await service.submit(partial(profiles.blocks_between, pairs=pairs))) == len(many)
        assert (await refused(seated(service))).reason == "blocked"


@on_a_loop
async def test_blocks_are_looked_for_between_those_who_meet_and_not_in_the_whole_batch(
    url: str | None, tmp_path: Path
) -> None:
    """Else a batch of many that join would ask for each of them with each of the others."""
    ann, bob, cem, dan = names = ("Ann", "Bob", "Cem", "Dan")
    keys = {name: f"the-key-of-{name}-0123456789-0123456789" for name in names}
    looked_for: list[str] = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if "FROM blocks" in statement:
            looked_for.extend(parameters)

    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        for name in names:
            await profile(service, keys[name], name)
        identities = {name: await service.profiles.identity(keys[name], game="classic") for name in names}
        request = match_request("classic", "human", "open")
        created = {name: await service.create(request, identity=identities[name]) for name in (ann, bob)}
        event.listen(Engine, "before_cursor_execute", note)
        try:
            async with waiting_writer(service):
                joined = [
                    asyncio.ensure_future(
                        service.join(
                            created[host]["match"], created[host]["invitations"][2], identity=identities[guest]
                        )
                    )
                    for host, guest in ((ann, cem), (bob, dan))
                ]
            await asyncio.gather(*joined)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
    ids = {name: tokens.profile_id(keys[name]) for name in names}
    met = {(ids[one], ids[other]) for one, other in ((ann, cem), (cem, ann), (bob, dan), (dan, bob))}
    assert set(zip(looked_for[::2], looked_for[1::2], strict=True)) == met


@on_a_loop
async def test_a_block_counts_for_two_who_join_an_empty_match_in_one_batch(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        identities = []
        for key, name in ((ANN, "Ann"), (BOB, "Bob")):
            await profile(service, key, name)
            identities.append(await service.profiles.identity(key, game="classic"))
        ann, bob = map(tokens.profile_id, (ANN, BOB))
        await service.submit(partial(profiles.block, profile=bob, blocked=ann, now=START))
        match = (await service.create(match_request("classic", "open", "open")))["match"]
        async with waiting_writer(service):
            first, second = (asyncio.ensure_future(service.join(match, None, identity=one)) for one in identities)
        await first
        assert (await refused(second)).reason == "blocked"


@on_a_loop
async def test_the_operators_lists_are_heeded_within_a_heartbeat(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        created = await seated(service, two=None)
        await service.profiles.report(created["match"], created["seats"][2], "name", "see\x1b this")
        with moderating(tmp_path, url) as connection:
            (report,) = moderation.reports(connection)
            assert (report.name, report.text, report.reporter) == ("Ann", "see this", "")
            moderation.ban(connection, report.reported, START, 2, "rude")
            moderation.add_filtered_names(connection, ["Dämlich"])
            moderation.resolve(connection, [report.match], START)
            assert moderation.reports(connection) == []
        await service.submit(service.moderation.refresh)
        assert (await refused(service.profiles.identity(ANN, game="classic"))).code == "banned.until"
        assert (await refused(profile(service, ANN, "Anna"))).reason == "banned"
        assert (await service.profiles.own(ANN))["name"] == "Ann"
        assert (await refused(profile(service, BOB, "d4m l!ch"))).reason == "bad_name"
        with moderating(tmp_path, url) as connection:
            moderation.unban(connection, report.reported)
            moderation.remove_filtered_names(connection, ["damlich"])
        await service.submit(service.moderation.refresh)
        await profile(service, ANN, "damlich")


async def ban_bob(service: Service, folder: Path, url: str | None, *, by: str) -> None:
    with moderating(folder, url) as connection:
        moderation.ban(connection, tokens.profile_id(BOB) if by == "profile" else "192.0.2.7", START, None, "")
    await service.submit(service.moderation.refresh)


@on_a_loop
@pytest.mark.parametrize("banned", ["profile", "address"])
async def test_who_was_banned_after_a_rematch_was_offered_does_not_get_into_it(
    banned: str, url: str | None, tmp_path: Path
) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        REQUESTER.set("192.0.2.7")
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        created = await seated(service)
        await play(service, created)
        again = (await service.rematch(created["match"], created["seats"][1]))["match"]
        opened_before = await service.create(match_request("classic", "human", "open"))
        bob = await service.profiles.identity(BOB, game="classic")
        await ban_bob(service, tmp_path, url, by=banned)
        token = created["seats"][2]
        command = Act(again, token, "by-socket", 0, actions.move(4), address="192.0.2.7")
        waited: asyncio.Future[PendingResponse] = asyncio.get_running_loop().create_future()
        service.begin(command, waited.set_result)
        ways = (
            service.arrive(again, token),
            service.rematch(created["match"], token),
            service.act(again, token, "by-request", 0, actions.move(4)),
            service.join(opened_before["match"], opened_before["invitations"][2], identity=bob),
        )
        assert [(await refused(way)).reason for way in ways] == ["banned"] * 4
        error = (await waited).error
        assert isinstance(error, NotAllowed)
        assert error.reason == "banned"
        view = (await service.view(again)).document
        assert (view["status"], [seat["reserved"] for seat in view["seats"]].count(True)) == ("open", 1)
        await service.act(again, token, "decline", None, actions.LEAVE)


@on_a_loop
@pytest.mark.parametrize("banned", ["profile", "address"])
async def test_a_banned_player_takes_a_running_match_to_another_device_and_no_other_seat(
    banned: str, url: str | None, tmp_path: Path
) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        REQUESTER.set("192.0.2.7")
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        running, other = await seated(service), await service.create(match_request("classic", "human", "open"))
        code = (await service.handover(running["match"], running["seats"][2], "to-the-phone"))["code"]
        await ban_bob(service, tmp_path, url, by=banned)

        async def joined(match: str, secret: str) -> dict[str, Any]:
            bob = await service.profiles.identity(BOB, match=match)
            return await service.join(match, secret, identity=bob)

        assert (await joined(running["match"], code))["seat"] == 2
        assert (await refused(joined(other["match"], other["invitations"][2]))).reason == "banned"


def test_names_are_compared_without_case_accents_signs_and_digits_for_letters() -> None:
    assert skeleton("D.Ä.m_L1ch") == "damlich"
    assert skeleton("ＤＡＭＬＩＣＨ") == "damlich"


def test_the_days_of_a_ban_are_counted() -> None:
    said = [NotAllowed("banned.until", count=days).sentence for days in (1, 2)]
    assert [sentence.partition(" for ")[2] for sentence in said] == ["one more day.", "2 more days."]


def test_profiles_and_addresses_can_be_banned_and_nothing_else() -> None:
    assert read_who("https://play.example/p/" + "0a" * 16) == "0a" * 16
    assert read_who("192.0.2.7") == "192.0.2.7"
    assert read_who("::ffff:192.0.2.7") == "192.0.2.7"
    assert read_who("2001:db8::17") == "2001:0db8:0000:0000"
    for wrong in ("Ann", "192.0.2.0/24", "", "2001:db8::/32"):
        with pytest.raises(Unreadable):
            read_who(wrong)


@on_a_loop
async def test_a_list_of_matches_reads_none_of_their_events(url: str | None, tmp_path: Path) -> None:
    """So a page costs the same however long the matches were."""
    clock = ManualClock(START)
    async with serving(tmp_path, url, now=clock) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        await play(service, await seated(service))
        clock.at += 1
        await seated(service, ANN, None)
        listed = (await service.profiles.matches(ANN, None, 10)).matches
        assert [(one["status"], one["opponent"], one["score"]) for one in listed] == [
            ("live", "Guest", None),
            ("ended", "Bob", "win"),
        ]
        await service.submit(lambda connection: connection.execute(EVENTS.delete()))
        service.cache.drop()
        assert (await service.profiles.matches(ANN, None, 10)).matches == listed


@on_a_loop
async def test_an_export_reads_no_match_before_it_is_paid_for(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock(START)) as service:
        await profile(service, ANN, "Ann")
        created = [(await seated(service, ANN, None))["match"] for _ in range(12)]
        paid, lines = 0, 0

        async def pay(matches: int) -> None:
            nonlocal paid
            assert matches <= 10
            paid += matches

        async for _ in await service.profiles.export(ANN, pay):
            lines += 1
            assert lines <= paid + 1  # the first one is the profile
        assert (lines, paid) == (len(created) + 1, len(created))


@on_a_loop
async def test_all_profiles_that_nobody_has_used_for_long_are_deleted(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock(START)
    async with serving(tmp_path, url, now=clock) as service:
        await profile(service, ANN, "Ann")
        await play(service, await seated(service, ANN, None))
        many = [Profile(f"{number:032x}", "Nobody", "person", False, START) for number in range(120)]
        for one in many:
            await service.submit(partial(profiles.save, profile=one))
        clock.at += profiles.UNUSED_MS + 1
        await profile(service, BOB, "Bob")
        await service.profiles.housekeeping()
        left = await service.submit(lambda connection: list(connection.execute(select(PROFILES.c.id)).scalars()))
        assert sorted(left) == sorted(map(tokens.profile_id, (ANN, BOB)))


@on_a_loop
async def test_a_profile_that_takes_its_first_seat_is_not_deleted_as_unused(postgres: Postgres, tmp_path: Path) -> None:
    """Nor is it waited for: its transaction may wait for another profile that is being deleted."""
    clock = ManualClock(START)
    async with serving(tmp_path, postgres.new_database(), now=clock) as service:
        await profile(service, ANN, "Ann")
        await profile(service, BOB, "Bob")
        clock.at += profiles.UNUSED_MS + 1
        ann, bob = map(tokens.profile_id, (ANN, BOB))
        delete = partial(profiles.delete_unused, now=clock.at, ids=[ann, bob])
        with contextlib.closing(psycopg.connect(service._database.url)) as elsewhere:
            elsewhere.execute("SELECT id FROM profiles WHERE id = %s FOR KEY SHARE", (ann,))
            await service.submit(delete)
            assert (await refused(service.profiles.own(BOB))).reason == "bad_key"
            elsewhere.execute("INSERT INTO played VALUES ('0123456789abcdef', %s, 0, NULL, '', NULL, NULL)", (ann,))
            elsewhere.commit()
        await service.submit(delete)
        assert (await service.profiles.own(ANN))["name"] == "Ann"


def test_what_one_profile_asks_for_is_found_by_an_index(tmp_path: Path) -> None:
    """Else whoever has played much, or was reported often, would keep the database from others."""
    queries = (
        "SELECT * FROM played WHERE profile = 'a' AND ended_at IS NULL ORDER BY began_at DESC, \"match\" DESC LIMIT 1",
        "UPDATE reports SET reporter = '' WHERE reporter = 'a'",
        "UPDATE reports SET reported = '' WHERE reported = 'a'",
        "SELECT * FROM chairs WHERE profile != '' AND profile = 'a'",
        profiles._BLOCKS_BETWEEN.format("('a', 'b'), ('b', 'a')"),
    )
    with opened(tmp_path, None) as database, database.writer.begin() as connection:
        migrate(connection)
        plans = [connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all() for query in queries]
    used = [re.findall(r"INDEX (\w+)", " ".join(str(row[3]) for row in plan)) for plan in plans]
    expected = ("played_running", "reports_reporter", "reports_reported", "chairs_profile", "sqlite_autoindex_blocks_1")
    assert used == [[name] for name in expected]
    assert not re.search(r"SCAN (?:played|reports|chairs|blocks)\b", str(plans))  # an index can be read as a whole too
    assert "TEMP B-TREE" not in str(plans[0])  # it is in the order of the page
