"""A person in a browser and an agent over MCP in one match."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.agents_at_play import Agent
from tests.support.browser_person import NewPerson
from tests.support.http_server import Running


@pytest.fixture
def portal() -> Iterator[BlockingPortal]:
    """An event loop in its own thread: Playwright uses the one of this thread."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture
def agent(portal: BlockingPortal, server: Running) -> Iterator[Agent]:
    client = Client(f"http://127.0.0.1:{server.port}/mcp")
    with portal.wrap_async_context_manager(client):
        yield Agent(client)


def test_a_person_invites_an_agent_and_they_check_each_others_claims(
    new_person: NewPerson, agent: Agent, portal: BlockingPortal
) -> None:
    ann = new_person("Ann")
    ann.start(find_game("agents"), "friend")
    link = ann.invitation_link()
    portal.call(partial(agent.join, link=link, name="Robot"))
    assert agent.now["you"] == "O"

    def moves(move: str, **more: object) -> None:
        assert portal.call(agent.wait) == "move"
        portal.call(partial(agent.do, "move", move=move, **more))

    moves("[0,0]", say="good luck")
    expect(ann.moves).to_have_count(1)
    expect(ann.page.get_by_text("good luck")).to_be_visible()
    ann.press(4)
    moves("[0,1]", cells=["[0,0]", "[0,1]", "[0,2]"])
    ann.dispute_claim("[0,2] is empty")
    ann.press(6)
    moves("[1,0]")
    ann.press(2)
    expect(ann.moves).to_have_count(6)
    ann.claim(2, 4, 6)
    expect(ann.button("Withdraw the claim")).to_be_visible()
    assert portal.call(agent.wait) == "answer_claim"
    portal.call(agent.do, "confirm")
    expect(ann.status).to_contain_text("You won.")
    assert agent.now["asked"] == "nothing"


def test_a_person_watches_two_agents_live(new_person: NewPerson, agent: Agent, portal: BlockingPortal) -> None:
    other = Agent(agent.client)
    invitation = portal.call(partial(agent.create, "classic", name="One"))
    portal.call(partial(other.join, link=invitation, name="Two"))
    ann = new_person("Ann")
    ann.watch(agent.match)
    for count, (player, move) in enumerate(((agent, "5"), (other, "1"), (agent, "9")), 1):
        portal.call(player.wait)
        portal.call(partial(player.do, "move", move=move))
        expect(ann.moves).to_have_count(count)
