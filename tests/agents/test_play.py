"""Two agents play to the end, each a real client of the SDK: over HTTP, over stdio, and of both protocols."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client

from ninefold.cli.main import main
from ninefold.core.game import Game
from ninefold.games import all_games
from tests.support import http_server
from tests.support.agents_at_play import Agent, Refused, local_agent, stdio
from tests.support.http_server import Running
from tests.support.short_games import MOVES
from tests.support.terminals import Player

GAMES = list(all_games().values())
TOP = ["[0,0]", "[0,1]", "[0,2]"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with http_server.running(tmp_path_factory.mktemp("agents")) as server:
        yield server


async def play_with_a_false_claim(ann: Agent, ben: Agent) -> None:
    """O, who starts, claims falsely on the way, is disputed, admits it, and wins by a true claim that is disputed."""
    for mover, move in ((ann, "[0,0]"), (ben, "[1,0]"), (ann, "[0,1]")):
        assert await mover.wait() == "move"
        await mover.do("move", move=move)

    await ann.do("claim", cells=TOP)
    assert await ben.wait() == "answer_claim"
    assert ben.now["sentence"] == "O claims [0,0] [0,1] [0,2]. Check it; then confirm or dispute."
    assert (await ben.look())["game_status"] == "claimed_win_O"
    await ben.do("dispute", reason="[0,2] is empty")
    assert ben.now["claim"]["verdict"] == "only_two"
    assert ben.now["claim"]["lines"]["Row 1"] == "OO."
    assert await ann.wait(0) == "wait"
    with pytest.raises(Refused) as barred:
        await ann.do("claim", cells=TOP)
    assert barred.value.reason == "barred"

    assert await ben.wait() == "move"
    await ben.do("move", move="[1,1]", say="no line of yours")
    assert await ann.wait() == "move"
    assert ann.now["messages"] == [{"origin": "opponent", "text": "no line of yours"}]
    await ann.do("move", move="[0,2]", cells=TOP)
    assert await ben.wait() == "answer_claim"
    await ben.do("dispute", reason="I do not like it")
    for agent in (ann, ben):
        assert await agent.wait() == "nothing"
        assert agent.now["sentence"] == "The game is over. O wins: a true claim ([0,0] [0,1] [0,2])."
    board = (await ann.client.read_resource(f"game://{ann.match}")).contents[0]
    assert '"game_status": "won", "winner": "O", "ended_by": "claim"' in board.text  # type: ignore[union-attr]


@pytest.mark.parametrize("modes", [("auto", "auto"), ("legacy", "auto")], ids=["current", "previous"])
def test_two_agents_play_over_http_with_a_false_claim_in_between(server: Running, modes: tuple[str, str]) -> None:
    async def run() -> None:
        url = f"http://127.0.0.1:{server.port}/mcp"
        async with Client(url, mode=modes[0]) as one, Client(url, mode=modes[1]) as two:
            ann, ben = Agent(one), Agent(two)
            await ben.join(link=await ann.create("agents", side="O", name="Ann"), name="Ben")
            await play_with_a_false_claim(ann, ben)

    asyncio.run(run())


def test_two_agents_meet_over_stdio_on_a_server(server: Running, tmp_path: Path) -> None:
    async def run() -> None:
        url = f"http://127.0.0.1:{server.port}"
        async with Client(stdio(tmp_path / "ann", "--server", url)) as one:
            ann = Agent(one)
            invitation = await ann.create("agents", side="O", name="Ann")
            async with Client(stdio(tmp_path / "ben", "--server", invitation), mode="legacy") as two:
                ben = Agent(two)
                await ben.join(name="Ben")  # the invitation was given to the command
                await play_with_a_false_claim(ann, ben)
                for replayed in (False, True):
                    said = await ben.call("say", seat=ben.seat, text="good game", request="once")
                    assert said["replayed"] is replayed

    asyncio.run(run())


def test_an_agent_alone_plays_the_computer_over_stdio_and_finds_its_match_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(stdio(tmp_path)) as client:
            ann = Agent(client)
            await ann.create("swap-nine", opponent="easy")
            await ann.do("move", move="5")
        async with Client(stdio(tmp_path)) as client:
            again = Agent(client)
            again.seat = ann.seat
            while await again.wait() == "move":
                await again.do("move", move=again.now["legal_moves"][0])
            board = await again.look()
            assert (board["game_status"], board["move_history"][0]["move"]) == ("won", "5")

    asyncio.run(run())


@pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])
def test_every_game_is_played_to_its_end(game: Game, tmp_path: Path) -> None:
    async def run() -> None:
        async with local_agent(tmp_path) as x:
            o = Agent(x.client)
            await o.join(link=await x.create(game.id))
            players = {"X": x, "O": o}
            for move in MOVES.get(game.id, "").split():
                side = (await x.look())["next_player"]
                await players[side].wait()
                await players[side].do("move", move=move)
            if game.settle_options().get("claims") == "yes":
                await players[side].do("claim", cells=["[0,0]", "[1,1]", "[2,2]"])
                await players["X" if side == "O" else "O"].wait()
                await players["X" if side == "O" else "O"].do("confirm")
            assert [await agent.wait() for agent in (x, o)] == ["nothing", "nothing"]
            assert (await x.look())["game_status"] == "won"

    asyncio.run(run())


def test_a_person_who_starts_the_command_is_told_what_it_is_for(tmp_path: Path) -> None:
    with contextlib.closing(Player(tmp_path, "mcp", "--data", str(tmp_path))) as person:
        person.sees("This command is for the host of an agent")
        person.sees("Ctrl-C leaves.")


def test_a_data_folder_and_a_server_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["mcp", "--server", "http://127.0.0.1:8090", "--data", "here"])
    assert "--data: not allowed with argument --server" in capsys.readouterr().err
