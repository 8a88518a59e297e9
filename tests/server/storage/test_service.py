"""The service on an event loop, with a database and its writer."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.log import read_log
from ninefold.match.record import read_record
from ninefold.server.hosting.commands import ClockRequest, SeatRequest
from ninefold.server.hosting.model import Viewer
from ninefold.server.hosting.view import ClockDoc, MatchResult, MatchView
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.service import Service
from tests.support import waiting
from tests.support.clocks import ManualClock
from tests.support.handlers import MINUTE, SECOND, match_request
from tests.support.hosted_matches import is_at, move, on_a_loop, refused, say, serving, until
from tests.support.postgres import Postgres

OPTIONS = {"drawn": "nobody", "tie_break": "boards"}
REQUEST = "a request that nobody guesses"


def ended(document: MatchView) -> bool:
    return bool(document["result"])


async def outcome(service: Service, match: str) -> MatchResult:
    """The result of a match, once it has ended."""
    result = (await until(service, match, ended))["result"]
    assert result
    return result


async def clock_of(service: Service, created: dict[str, Any]) -> ClockDoc:
    shown = (await service.view(created["match"])).document["clock"]
    assert shown
    return shown


@on_a_loop
async def test_a_repeated_creation_with_the_same_key_returns_the_same_match(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        first = await service.create(match_request(), "requests-1234567")
        assert await service.create(match_request(), "requests-1234567") == first
        assert (await service.create(match_request()))["match"] != (await service.create(match_request()))["match"]


@on_a_loop
async def test_a_creation_whose_key_was_used_for_another_one_is_refused(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        wanted = match_request("squared", "human", "open", options=OPTIONS)
        first = await service.create(wanted, "requests-1234567")
        await service.join(first["match"], first["invitations"][2], "Bob")
        turned = wanted._replace(options=dict(reversed(OPTIONS.items())))
        assert await service.create(turned, "requests-1234567") == first
        for other in (
            wanted._replace(options={}),
            wanted._replace(game="classic", options={}),
            wanted._replace(private=True),
            wanted._replace(seed=7),
            wanted._replace(clock=ClockRequest(60)),
            wanted._replace(sides="OX"),
            wanted._replace(seats=wanted.seats[::-1]),
            wanted._replace(seats=(SeatRequest("human", "Ann"), wanted.seats[1])),
        ):
            assert (await refused(service.create(other, "requests-1234567"))).reason == "request_reused"


@on_a_loop
async def test_the_seed_of_a_request_does_not_decide_the_toss(tmp_path: Path) -> None:
    """Else its creator would try seeds, or simply know them."""
    starts: set[str | None] = set()
    async with serving(tmp_path) as service:
        for _ in range(64):
            created = await service.create(match_request("swap-nine", first="toss", seed=0))
            starts.add((await service.view(created["match"])).document["turn"])
    assert starts == {"X", "O"}


@on_a_loop
async def test_a_guessable_key_is_refused_where_secrets_derive_from_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request("classic", "human", "open"))
        for guessable in ("1", "create", "x" * 65, "sixteen signs \ud800"):
            refusal = await refused(service.create(match_request(), guessable))
            assert refusal.reason == "guessable_request"
            assert (await refused(service.join(created["match"], None, "", guessable))).reason == "guessable_request"


@on_a_loop
async def test_a_stale_command_is_refused_with_the_current_match(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        created = await service.create(match_request())
        await move(service, created, 0, "5")
        refusal = await refused(move(service, created, 0, "1", seat=2))
        assert refusal.reason == "stale_version"
        assert refusal.details["match"]["version"] == 1
        await service.act(created["match"], created["seats"][1], "r", None, actions.RESIGN)
        refusal = await refused(move(service, created, 1, "1"))
        assert (refusal.reason, refusal.details["match"]["status"]) == ("ended", "ended")


@on_a_loop
async def test_one_command_never_harms_the_others_of_its_batch(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        created = await service.create(match_request())
        match, token = created["match"], created["seats"][1]
        strange = "half a pair \ud800 and a zero \x00"
        answers = await asyncio.gather(
            say(service, created, "before"),
            service.act(strange, token, "r", 0, Action("move"), "5"),
            service.act(match, strange, "r", 0, Action("move"), "5"),
            service.act(match, token, strange, 0, Action("move"), "5"),
            service.act(match, token, "r", 0, Action("move"), strange),
            service.act(match, token, "r", 2**70, Action("move", move=2**70)),
            service.act(match, token, "r", None, Action(strange, text=strange)),  # type: ignore[arg-type]
            service.join(match, strange, strange, REQUEST.replace(" ", "-")),
            service.create(match_request(sides="QQ")),
            service.create(match_request(strange)),
            service.rematch(strange, strange),
            service.handover(match, strange, "r"),
            service.claim_absent(match, token, strange),
            say(service, created, "after"),
            return_exceptions=True,
        )
        assert [answer["index"] for answer in (answers[0], answers[-1]) if isinstance(answer, dict)] == [0, 1]
        reasons = [getattr(answer, "reason", answer) for answer in answers[1:-1]]
        assert reasons == [
            "no_such_match",
            "bad_token",
            "not_a_request",
            "not_a_move",
            "stale_version",
            "no_such_action",
            "bad_invitation",
            "unexpected",
            "no_such_game",
            "no_such_match",
            "bad_token",
            "not_a_request",
        ]


@on_a_loop
async def test_strange_ids_are_not_found(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        for strange in ("", "x" * 33, "a\x00", "\ud800", "../etc", "٣"):
            assert (await refused(service.view(strange))).reason == "no_such_match"


@on_a_loop
async def test_flags_fall_in_time_and_subscribers_are_notified(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        created = await service.create(match_request(clock=ClockRequest(2)))
        await move(service, created, 0, "5")
        clock.at += 2 * SECOND
        assert (await outcome(service, created["match"]))["by"] == "flagged"


@on_a_loop
async def test_unanswered_claims_are_settled_and_open_matches_expire_in_time(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, now=clock) as service:
        claimed = await service.create(match_request("agents", claim_seconds=5))
        await service.act(claimed["match"], claimed["seats"][1], "r", 0, actions.claim((0, 1, 2)))
        opened = await service.create(match_request("classic", "human", "open"))
        assert (await service.view(claimed["match"])).document["claim_due"] == clock.at + 5 * SECOND
        clock.at += 5 * SECOND
        settled = await until(service, claimed["match"], is_at(2))
        assert settled["barred"] == ["X"]
        clock.at += 24 * 60 * MINUTE
        assert (await outcome(service, opened["match"]))["by"] == "expired"


@pytest.mark.parametrize("away", [SECOND, 60 * MINUTE])
@on_a_loop
async def test_time_while_the_server_is_down_is_charged_to_nobody(url: str | None, tmp_path: Path, away: int) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        created = await service.create(match_request(clock=ClockRequest(60)))
        await move(service, created, 0, "5")
    clock.at += away
    async with serving(tmp_path, url, now=clock) as service:
        clock.at += 3 * SECOND
        shown = await clock_of(service, created)
        assert (shown["X"], shown["O"]) == (MINUTE, MINUTE - 3 * SECOND)
        await move(service, created, 1, "1")
        shown = await clock_of(service, created)
        assert (shown["X"], shown["O"], shown["running"]) == (MINUTE, MINUTE - 3 * SECOND, "X")


@on_a_loop
async def test_time_while_the_database_is_away_is_charged_to_nobody(postgres: Postgres, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, postgres.new_database(), now=clock) as service:
        created = await service.create(match_request(clock=ClockRequest(60)))
        await move(service, created, 0, "5")
        await asyncio.to_thread(postgres.restart)
        clock.at += 2 * MINUTE
        with contextlib.suppress(Refusal):  # unless the presence of the player met the outage before
            await move(service, created, 1, "1")
        assert (await move(service, created, 1, "1"))["version"] == 2
        shown = await clock_of(service, created)
        assert (shown["X"], shown["O"]) == (MINUTE, MINUTE)


@on_a_loop
async def test_a_service_that_stops_finishes_commands_and_refuses_new_ones(tmp_path: Path) -> None:
    service = Service(tmp_path)
    await service.start()
    created = await service.create(match_request())
    last = asyncio.create_task(move(service, created, 0, "5"))
    await asyncio.sleep(0)
    await service.stop()
    assert (await last)["version"] == 1
    refusal = await refused(move(service, created, 1, "1"))
    assert refusal.reason == "come_back"


@on_a_loop
async def test_views_events_records_and_pictures_come_from_the_log(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        created = await service.create(match_request())
        for version, text in enumerate("51937"):
            await move(service, created, version, text)
        await say(service, created, "good game")
        match = created["match"]
        told = read_log(await service.log(match))
        view = await service.view(match)
        assert (view.version, view.size) == (told.version, len(told.events)) == (5, 6)
        assert view.document["position"] == str(told.position)
        assert [event["index"] for event in await service.events(match, 2)] == [3, 4, 5]
        assert await service.events(match, 99) == []
        assert read_record(await service.record(match)).position == told.position
        assert (await service.picture(match)).startswith("<svg")
    async with serving(tmp_path, url) as service:
        assert read_log(await service.log(match)) == told
        assert (await service.view(match)).document["position"] == str(told.position)


@on_a_loop
async def test_no_digest_of_a_secret_is_in_a_view_or_a_log(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request("classic", "human", "open", private=True))
        await service.handover(created["match"], created["seats"][1], "r")
        hosted = (await service.view(created["match"])).hosted
        told = (await service.view(created["match"])).json.decode() + await service.log(created["match"])
        for secret in (hosted.watch, *hosted.seat_holders[0][1:4], *hosted.seat_holders[1][1:4]):
            assert not secret or secret not in told
        assert hosted.watch
        assert hosted.seat_holders[0].code


@on_a_loop
async def test_the_list_shows_public_matches_and_the_newest_first(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        names = []
        for private in (False, True, False):
            clock.at += 1
            created = await service.create(match_request("classic", "human", "open", private=private))
            names.append(created["match"])
        listed = await service.public_matches("open")
        assert [short["id"] for short in listed["matches"]] == [names[2], names[0]]
        assert await service.public_matches("live") == {"matches": [], "next": None}


@on_a_loop
async def test_matches_that_nobody_is_at_are_not_listed(url: str | None, tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, url, now=clock) as service:
        waited = await service.create(match_request("classic", "human", "open"))
        watched = await service.create(match_request("classic", "human", "open"))
        await service.create(match_request("classic", "open", "open"))
        clock.at += MINUTE
        service.presence.refresh()
        here = service.connect(waited["match"], Viewer(1)), service.connect(watched["match"], Viewer())
        listed = (await service.public_matches("open"))["matches"]
        assert {short["id"] for short in listed} == {waited["match"], watched["match"]}
        for socket in here:
            socket.close()
        await service.submit(lambda _: None)  # what was to be written before is written
        assert await service.public_matches("open") == {"matches": [], "next": None}


@on_a_loop
async def test_a_rematch_that_waits_for_its_player_is_not_listed_as_open(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        created = await service.create(match_request())
        await service.act(created["match"], created["seats"][1], "r", None, actions.RESIGN)
        again = await service.rematch(created["match"], created["seats"][1])
        with service.connect(again["match"], Viewer(1)):
            assert (await service.public_matches("open"))["matches"] == []
            assert await service.rematch(created["match"], created["seats"][2]) == again
            assert [short["id"] for short in (await service.public_matches("live"))["matches"]] == [again["match"]]


@on_a_loop
async def test_the_list_is_paged_and_skips_none_of_the_same_millisecond(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url, now=ManualClock()) as service:
        made = {(await service.create(match_request("classic", "human", "open")))["match"] for _ in range(5)}
        found, before, pages = [], None, 0
        while pages == 0 or before:
            page = await service.public_matches("open", before, 2)
            found += [short["id"] for short in page["matches"]]
            before, pages = page["next"], pages + 1
        assert (len(found), set(found), pages) == (5, made, 3)


@on_a_loop
async def test_matches_and_spectators_are_limited(tmp_path: Path) -> None:
    async with serving(tmp_path, config=ServiceConfig(matches=2, spectators=1)) as service:
        created = await service.create(match_request())
        await service.create(match_request())
        await waiting.until(lambda: service.health()["matches"].get("live") == 2)
        assert (await refused(service.create(match_request()))).reason == "too_many"
        with service.connect(created["match"], Viewer()):
            with pytest.raises(Exception, match="Too many spectators"):
                service.connect(created["match"], Viewer())
            service.connect(created["match"], Viewer(1)).close()
        service.connect(created["match"], Viewer()).close()


@on_a_loop
async def test_presence_is_published_and_changes_the_etag(tmp_path: Path) -> None:
    async with serving(tmp_path) as service:
        created = await service.create(match_request())
        match = created["match"]
        before = await service.view(match)
        subscription = service.subscribe(match)
        with service.connect(match, Viewer(2)):
            await subscription.changed()
            during = await service.view(match)
            assert [seat["present"] for seat in during.document["seats"]] == [False, True]
        await subscription.changed()
        after = await service.view(match)
        assert before.etag == after.etag != during.etag
        await move(service, created, 0, "5")
        assert (await service.view(match)).etag != after.etag


@on_a_loop
async def test_an_opponent_whose_socket_is_open_is_not_absent(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, now=clock) as service:
        created = await service.create(match_request(absent_seconds=60))
        match, token = created["match"], created["seats"][1]
        await move(service, created, 0, "5")
        with service.connect(match, Viewer(2)):
            clock.at += 10 * MINUTE
            assert (await refused(service.claim_absent(match, token, "r"))).reason == "not_absent"
        clock.at += MINUTE
        assert (await service.view(match)).document["absent_due"] == clock.at
        await service.claim_absent(match, token, "r")
        assert (await outcome(service, match))["winner"] == "X"


@on_a_loop
async def test_moves_are_counted_and_the_service_is_healthy(url: str | None, tmp_path: Path) -> None:
    async with serving(tmp_path, url) as service:
        created = await service.create(match_request())
        subscription = service.subscribe(created["match"])
        await move(service, created, 0, "5")
        while (health := service.health())["moves"] != 1:
            await subscription.changed()
        assert health["status"] == "ok"
        assert health["database"] == ("sqlite" if url is None else "postgresql")
