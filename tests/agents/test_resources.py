"""Resources and prompts: the shared board, the log and the rules."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random

import pytest
from mcp import Client, MCPError
from mcp_types import PromptReference, TextContent, TextResourceContents

from ninefold.agents.backend import LocalBackend
from ninefold.agents.models import shared_board
from ninefold.agents.prompts import play, referee_yourself, rules_page
from ninefold.agents.server import make_server
from ninefold.core.game import Game
from ninefold.games import all_games, find_game
from ninefold.match import actions
from ninefold.match.log import read_log
from ninefold.match.match import Match, begin
from ninefold.match.shared_board import shared_board as document
from ninefold.players.player import make_player
from ninefold.server.hosting import view
from ninefold.server.hosting.commands import MatchRequest
from ninefold.server.hosting.model import HostedMatch, PresenceInfo, SeatHolder
from tests.support.agents_at_play import ADDRESS, Agent, local_agent, running_service

GAMES = list(all_games().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])


async def read(client: Client, uri: str) -> str:
    contents = (await client.read_resource(uri)).contents[0]
    assert isinstance(contents, TextResourceContents)
    return contents.text


def states(game: Game) -> list[Match]:
    """A match of two random players after every action, with a word and a false claim where there are claims."""
    match, player, rng = begin(game), make_player(game, "random", 1), Random(game.id)
    found = [match]
    while seat := match.to_act:
        if match.setup.has_claims and not match.state.pending and not match.state.barred and rng.random() < 0.3:
            match = match.act(seat, actions.claim((0, 1, 2)))
        elif match.state.pending:
            match = match.act(seat, actions.dispute("not so"))
        else:
            match = match.act(seat, player(match))
        found.append(match)
    return found


@every_game
def test_the_shared_board_is_the_document_of_the_rules_in_every_state(game: Game) -> None:
    for match in states(game):
        holders = (SeatHolder("person"), SeatHolder("person"))
        hosted = HostedMatch("id", match, MatchRequest(game.id).settings, holders, 0, 0)
        seen = shared_board({**view.stored_view(hosted), **view.live_view(hosted, PresenceInfo(), 0, ())})
        expected = document(match)
        for seat in expected["seats"]:
            assert seat["player"] == "human"
            seat["player"] = "person"  # the holder of the seat, where the match is hosted
        assert seen == expected


def test_a_public_match_is_read_by_its_address_and_shows_no_secret(tmp_path: Path) -> None:
    async def run() -> None:
        async with running_service(tmp_path) as service, Client(make_server(LocalBackend(service, ADDRESS))) as client:
            ann, ben = Agent(client), Agent(client)
            await ben.join(link=await ann.create("agents", side="O", name="Ann"), name="Ben")
            await ann.do("move", move="[1,1]", say="hello")
            board, log = await read(client, f"game://{ann.match}"), await read(client, f"game://{ann.match}/log")
            assert json.loads(board) == await ann.look()
            assert log == await service.log(ann.match)
            assert read_log(log).version == 1
            for agent in (ann, ben):
                assert agent.seat.rpartition(".")[2] not in board + log

    asyncio.run(run())


@pytest.mark.parametrize(
    "uri", ["game://", "game://nobody", "game://nobody/log", "game://a/b", "rules://chess", "file:///etc/passwd"]
)
def test_unknown_resources_are_refused(uri: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with local_agent(tmp_path) as agent:
            with pytest.raises(MCPError) as caught:
                await read(agent.client, uri)
            assert caught.value.code == -32602
            assert caught.value.message.startswith("There is no ")

    asyncio.run(run())


def test_a_private_match_has_no_address(tmp_path: Path) -> None:
    async def run() -> None:
        async with local_agent(tmp_path) as ann:
            await ann.create("classic", private=True)
            for uri in (f"game://{ann.match}", f"game://{ann.match}/log"):
                with pytest.raises(MCPError, match="There is no such match"):
                    await read(ann.client, uri)

    asyncio.run(run())


def test_the_rules_page_has_the_rules_without_console_commands(tmp_path: Path) -> None:
    async def run() -> dict[str, str]:
        async with local_agent(tmp_path) as agent:
            listed = (await agent.client.list_resources()).resources
            return {str(one.uri): await read(agent.client, str(one.uri)) for one in listed}

    found = asyncio.run(run())
    assert set(found) == {f"rules://{game.id}" for game in GAMES}
    for game in GAMES:
        told = found[f"rules://{game.id}"]
        assert game.rules in told
        assert told.endswith(game.with_advice(""))
        assert str(game.naming.help) in told
        assert all(f"  {option.name} " in told for option in game.options)
        for typed in ("Type ", "type ", "press Enter", "claim X", "Talk with", "withdraw"):
            assert typed not in told
        assert ("the order 7 8 9 4 5 6 1 2 3" in told) == game.picture.boards


@every_game
def test_both_prompts_contain_the_rules_of_their_game(game: Game, tmp_path: Path) -> None:
    async def run() -> None:
        async with local_agent(tmp_path) as agent:
            for name in ("play", "referee-yourself"):
                content = (await agent.client.get_prompt(name, {"game": game.id})).messages[0].content
                assert isinstance(content, TextContent)
                assert rules_page(game) in content.text
                assert ("eight lines" in content.text or "confirm it" in content.text) == (game.id == "agents")

    asyncio.run(run())


def test_a_referee_names_the_lines_as_the_document_does() -> None:
    told = referee_yourself(find_game("agents"))
    assert "Row 1, Row 2, Row 3, Col 1, Col 2, Col 3, Diagonal, Anti-diagonal" in told
    assert "Column" not in told


@every_game
def test_agents_are_invited_to_say_good_game_at_the_end(game: Game) -> None:
    assert '"good game"' in play(game)


def test_prompts_are_listed_completed_and_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with local_agent(tmp_path) as agent:
            listed = (await agent.client.list_prompts()).prompts
            assert [prompt.name for prompt in listed] == ["play", "referee-yourself"]
            completed = await agent.client.complete(PromptReference(name="play"), {"name": "game", "value": "s"})
            assert completed.completion.values == [game.id for game in GAMES if game.id.startswith("s")]
            for name, game in (("play", "chess"), ("win", "classic")):
                with pytest.raises(MCPError, match="There is no"):
                    await agent.client.get_prompt(name, {"game": game})

    asyncio.run(run())
