"""Mistakes that models make with tools: none of them does something else than what was meant, and each is explained."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from mcp import Client

from ninefold.agents.backend import LocalBackend
from ninefold.agents.errors import right_name
from ninefold.agents.server import ToolHandler, make_server
from ninefold.agents.server_backend import ServerBackend
from tests.support import http_server
from tests.support.agent_backends import backend
from tests.support.agents_at_play import ADDRESS, Agent, Refused, refused, running_service

LINE = ["[0,0]", "[0,1]", "[0,2]"]
CHOSEN = "my-first-match-0001"  # what two models may both think of


def test_two_models_that_choose_the_same_request_never_share_a_seat(kind: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with backend(kind, tmp_path) as matches, Client(make_server(matches)) as client:
            ann, ben, eve = (Agent(client) for _ in range(3))
            first = await ann.call("create_match", game="classic", request=CHOSEN)
            twin = await refused(ben.call("create_match", game="classic", request=CHOSEN))
            assert twin.reason == "request_reused"
            assert first["seat"] not in twin.sentence + twin.instead
            joined = await ben.call("join", link=first["invitation"], request=CHOSEN)
            again = await refused(eve.call("join", link=first["invitation"], request=CHOSEN))
            assert again.reason in ("request_reused", "invitation_used")
            public = await ann.call("create_match", game="classic")
            taken = await ben.call("join", link=public["match"], request=CHOSEN)
            assert (await refused(eve.call("join", link=public["match"], request=CHOSEN))).reason in (
                "request_reused",
                "no_seat",
            )
            assert len({first["seat"], joined["seat"], public["seat"], taken["seat"]}) == 4

    asyncio.run(run())


def test_two_programs_on_one_computer_that_choose_the_same_request_never_share_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    async def run(url: str) -> None:
        with contextlib.closing(ServerBackend(url)) as one, contextlib.closing(ServerBackend(url)) as two:
            async with Client(make_server(one)) as ann, Client(make_server(two)) as ben:
                first = await Agent(ann).call("create_match", game="classic", request=CHOSEN)
                other = await Agent(ben).call("create_match", game="classic", request=CHOSEN)
                assert first["match"] != other["match"]
                await Agent(ann).call("join", link=other["invitation"], request=CHOSEN)
                late = await refused(Agent(ben).call("join", link=other["invitation"], request=CHOSEN))
                assert late.reason == "invitation_used"

    with http_server.running(tmp_path / "data") as server:
        asyncio.run(run(f"http://127.0.0.1:{server.port}"))


def test_twins_at_the_same_moment_do_not_share_a_seat(tmp_path: Path) -> None:
    async def run() -> None:
        async with backend("local", tmp_path) as matches, Client(make_server(matches)) as client:
            calls = (Agent(client).call("create_match", game="classic", request=CHOSEN) for _ in range(4))
            done = await asyncio.gather(*calls, return_exceptions=True)
            assert [one.reason if isinstance(one, Refused) else "created" for one in done].count("created") == 1

    asyncio.run(run())


def test_a_seat_that_was_taken_over_the_http_api_is_told_to_whoever_has_the_secret_of_that_request(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with running_service(tmp_path) as service, Client(make_server(LocalBackend(service, ADDRESS))) as client:
            ann = Agent(client)
            link = await ann.create("classic")
            secret = link.rpartition("=")[2]
            joined = await service.join(ann.match, secret, "Ben", "0f3c9a1e77d24b6893c5d2a4e6f80b1c")
            again = await ann.call("join", link=link, request="0f3c9a1e77d24b6893c5d2a4e6f80b1c")
            assert again["seat"] == f"{ann.match}.2.{joined['token']}"
            for guess in (CHOSEN, "1", None):
                assert (await refused(ann.call("join", link=link, request=guess))).reason == "invitation_used"

    asyncio.run(run())


def test_a_seat_needs_no_request(tmp_path: Path) -> None:
    async def run() -> None:
        async with backend("local", tmp_path) as matches, Client(make_server(matches)) as client:
            ann = Agent(client)
            made = [await ann.call("create_match", game="classic") for _ in range(2)]
            assert made[0]["match"] != made[1]["match"]
            assert (await ann.call("join", link=made[0]["invitation"]))["seat"] != made[0]["seat"]

    asyncio.run(run())


def test_a_misnamed_argument_is_refused_with_the_right_name_and_nothing_happens(tmp_path: Path) -> None:
    async def run() -> None:
        async with running_service(tmp_path) as service, Client(make_server(LocalBackend(service, ADDRESS))) as client:
            ann, ben = Agent(client), Agent(client)
            await ben.join(link=await ann.create("agents", side="O"))
            for mover, move in ((ann, "[0,0]"), (ben, "[1,0]"), (ann, "[0,1]"), (ben, "[1,1]")):
                await mover.wait()
                await mover.do("move", move=move)
            await ann.wait()
            for name in ("claim", "cell", "line", "Cells"):
                wrong = await refused(ann.do("move", move="[0,2]", **{name: LINE}))
                assert wrong.reason == "wrong_field"
                assert wrong.sentence == f"'{name}' is not an argument of move: use 'cells'."
                assert (await ann.call("board", seat=ann.seat))["version"] == 4
            unknown = await refused(ann.do("move", move="[0,2]", colour="red"))
            assert unknown.sentence == "'colour' is not an argument of move."
            await ann.do("move", move="[0,2]", cells=LINE)
            await ben.wait()
            assert ben.now["asked"] == "answer_claim"
            await ben.do("confirm")
            audit = [(line["action"], line["reason"]) for line in await service.refused(ann.match)]
            assert audit == [("move", "wrong_field")] * 5

    asyncio.run(run())


@pytest.mark.parametrize(
    ("tool", "given", "guess", "right"),
    [
        ("create_match", "game", "level", "opponent"),
        ("create_match", "game", "player_name", "name"),
        ("create_match", "game", "show_move", "show_moves"),
        ("join", "", "invitation", "link"),
        ("join", "", "match_id", "link"),
        ("wait", "seat", "timeout", "seconds"),
        ("board", "", "match", "seat"),
        ("say", "seat request", "message", "text"),
        ("claim", "seat version request", "claim", "cells"),
        ("move", "seat version request", "cell", "move"),
        ("move", "seat version request move", "cell", "cells"),
        ("move", "seat version request move", "message", "say"),
        ("move", "seat request move", "Version", "version"),
        ("move", "seat request move", "colour", None),
        ("resign", "seat request", "version_seen", "version"),
    ],
)
def test_names_that_models_guess_lead_to_the_right_ones(tool: str, given: str, guess: str, right: str | None) -> None:
    schema = ToolHandler(LocalBackend(None)).schema(tool)  # type: ignore[arg-type]
    assert schema
    assert right_name(guess, [*given.split(), guess], schema) == right


def test_a_wrong_seat_number_is_refused(kind: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with backend(kind, tmp_path) as matches, Client(make_server(matches)) as client:
            ann, ben = Agent(client), Agent(client)
            await ben.join(link=await ann.create("classic"))
            match, number, secret = ann.seat.split(".")
            assert number == "1"
            forged = f"{match}.2.{secret}"
            for call in (
                ann.call("board", seat=forged),
                ann.call("wait", seat=forged, seconds=0),
                ann.call("move", seat=forged, move="5", version=0, request="1"),
            ):
                wrong = await refused(call)
                assert (wrong.reason, wrong.now) == ("bad_token", None)
                assert wrong.sentence == "This is not the number of your seat."
            assert (await ann.call("board", seat=ann.seat))["version"] == 0
            await ann.do("move", move="5")

    asyncio.run(run())


def test_the_link_for_spectators_is_no_seat(kind: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with backend(kind, tmp_path) as matches, Client(make_server(matches)) as client:
            ann = Agent(client)
            await ann.create("classic", private=True)
            watch = ann.now["watch"].rpartition("=")[2]
            wrong = await refused(ann.call("board", seat=f"{ann.match}.1.{watch}"))
            assert wrong.reason in ("bad_token", "no_such_match")

    asyncio.run(run())
