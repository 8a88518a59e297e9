"""Tools around a match: the rules before it, the lobby that leads to it, an opponent who is away, and the rematch."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mcp import Client

from ninefold.agents.prompts import rules_page
from ninefold.agents.server import make_server
from ninefold.games import find_game
from tests.support.agent_backends import backend
from tests.support.agents_at_play import Agent, local_agent, refused
from tests.support.clocks import ManualClock


def test_the_rules_are_a_tool(tmp_path: Path) -> None:
    async def run() -> None:
        async with local_agent(tmp_path) as ann:
            assert (await ann.call("rules", game="agents"))["rules"] == rules_page(find_game("agents"))
            assert (await refused(ann.call("rules", game="chess"))).reason == "no_such_game"

    asyncio.run(run())


def test_an_agent_finds_an_opponent_in_the_lobby(kind: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with backend(kind, tmp_path, ManualClock()) as matches, Client(make_server(matches)) as client:
            ann, ben = Agent(client), Agent(client)
            await ann.create("squared", side="O", name="Ann", clock_seconds=60)
            await Agent(client).create("squared", private=True)
            waiting = asyncio.create_task(ann.wait())
            while not (found := await ben.call("lobby"))["matches"]:
                assert not waiting.done()
            assert found["matches"] == [
                {
                    "match": ann.match, "game": "squared", "names": ["Ann"], "free_side": "X", "moves": 0,
                    "clock_seconds": 60,
                }
            ]  # fmt: skip
            assert found["sentence"] == "One public match has an open seat: call join with its id."
            await ben.join(link=ann.match, name="Ben")
            assert ben.now["you"] == "X"
            await ben.do("move", move="55")
            assert await waiting == "move"
            assert (await ben.call("lobby"))["matches"] == []
            live = (await ben.call("lobby", state="live"))["matches"]
            assert [(one["match"], one["names"], one["moves"]) for one in live] == [(ann.match, ["Ann", "Ben"], 1)]

    asyncio.run(run())


def test_an_opponent_who_is_away_for_too_long_loses(kind: str, tmp_path: Path) -> None:
    clock = ManualClock()

    async def run() -> None:
        async with backend(kind, tmp_path, clock) as matches, Client(make_server(matches)) as client:
            ann, ben = Agent(client), Agent(client)
            await ben.join(link=await ann.create("classic", absent_seconds=60))
            await ann.do("move", move="5")
            early = await refused(ann.call("claim_absent", seat=ann.seat, request="1"))
            assert (early.reason, early.now and early.now["sentence"]) == ("not_absent", "It is O's move. Wait.")
            clock.at += 200_000
            await ann.wait(0)
            assert ann.now["sentence"] == (
                "It is O's move, but that player is away. You may call claim_absent, or wait."
            )
            for replayed in (False, True):
                won = await ann.call("claim_absent", seat=ann.seat, request="2")
                assert (won["asked"], won["replayed"]) == ("nothing", replayed)
            assert won["sentence"].startswith("The game is over. X wins: ")

    asyncio.run(run())


def test_a_rematch_is_offered_and_accepted_with_the_seats_of_the_game_before(kind: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with backend(kind, tmp_path, ManualClock()) as matches, Client(make_server(matches)) as client:
            ann, ben = Agent(client), Agent(client)
            await ben.join(link=await ann.create("classic"))
            assert (await refused(ann.call("rematch", seat=ann.seat))).reason == "not_ended"
            await ben.do("resign")
            assert ben.now["sentence"] == "The game is over. X wins: O resigned."
            again = await ann.call("rematch", seat=ann.seat)
            assert (again["asked"], again["you"]) == ("wait", "O")
            assert again["sentence"] == "The other player has not accepted the rematch yet. Wait."
            assert (await ann.call("rematch", seat=ann.seat))["seat"] == again["seat"] != ann.seat
            await ben.wait()
            assert ben.now["sentence"].endswith("There is a rematch: call rematch to play it.")
            accepted = await ben.call("rematch", seat=ben.seat)
            assert (accepted["match"], accepted["asked"], accepted["you"]) == (again["match"], "move", "X")
            ann.seat, ben.seat = again["seat"], accepted["seat"]
            ben.now = accepted
            await ben.do("move", move="5")
            assert await ann.wait() == "move"

    asyncio.run(run())
