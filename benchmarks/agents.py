"""The latency of agents: until a move is acknowledged, and until the opponent is notified of it.

python -m benchmarks.agents [--matches 40]

Two clients of the SDK in one match, on the same machine; every move is on disk before it is acknowledged.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from benchmarks.report import DOCS, Row, machine, table
from benchmarks.serving import NINEFOLD, Server, serving, spread

if TYPE_CHECKING:
    from mcp.client.subscriptions import Subscription

MOVES = "152374"  # of classic, with which nothing is decided yet
MARKS = ("<!-- make bench-agents -->", "<!-- end -->")


class Latencies(NamedTuple):
    """In milliseconds."""

    moves: list[float]
    updates: list[float]


class Pair(NamedTuple):
    """Two clients; the second one is subscribed to the match."""

    one: Client
    two: Client

    async def play(self, request: str) -> Latencies:
        """Play one match, and measure each of its moves and updates."""
        first = await call(self.one, "create_match", game="classic", request=f"{request}-one")
        second = await call(self.two, "join", link=first["invitation"], request=f"{request}-two")
        found = Latencies([], [])
        async with self.two.listen(resource_subscriptions=[f"game://{first['match']}"]) as updates:
            for version, move in enumerate(MOVES):
                notified = asyncio.create_task(next_update(updates))
                began = time.perf_counter()
                client, seat = ((self.one, first), (self.two, second))[version % 2]
                await call(client, "move", seat=seat["seat"], move=move, version=version, request=str(version))
                found.moves.append((time.perf_counter() - began) * 1000)
                found.updates.append((await notified - began) * 1000)
        return found


async def next_update(updates: Subscription) -> float:
    """The time at which the next update comes."""
    await anext(updates)
    return time.perf_counter()


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content or {}


@asynccontextmanager
async def pair(*targets: Any) -> AsyncIterator[Pair]:
    async with Client(targets[0]) as one, Client(targets[1]) as two:
        yield Pair(one, two)


async def measure(matches: int, *targets: Any) -> Latencies:
    found = Latencies([], [])
    async with pair(*targets) as two:
        await two.play(f"a-match-to-warm-up-{os.getpid()}")
        for number in range(matches):
            played = await two.play(f"a-match-to-measure-{os.getpid()}-{number}")
            found.moves.extend(played.moves)
            found.updates.extend(played.updates)
            print(f"\r{number + 1} of {matches} matches", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return Latencies(sorted(found.moves), sorted(found.updates))


def rows(name: str, found: Latencies) -> Iterator[Row]:
    yield Row(f"{name}: a move is acknowledged, p50 / p99", spread(found.moves))
    yield Row(f"{name}: the opponent is notified of the move, p50 / p99", spread(found.updates))


def command(server: Server, home: str) -> StdioServerParameters:
    """``ninefold mcp``, connected to a server."""
    folders = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), home)
    link = f"http://{server.host}:{server.port}"
    return StdioServerParameters(command=NINEFOLD, args=["mcp", "--server", link], env={**os.environ, **folders})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    given = parser.parse_args()
    result: list[Row] = []
    with serving(None) as server, tempfile.TemporaryDirectory() as home:
        url = f"http://{server.host}:{server.port}/mcp"
        result += rows("HTTP", asyncio.run(measure(given.matches, url, url)))
        result += rows(
            "stdio, to a server", asyncio.run(measure(given.matches, command(server, home), command(server, home)))
        )
    for row in result:
        print(row)
    write(result)


def write(result: list[Row]) -> None:
    """Write the figures into docs/agents.md."""
    page = DOCS / "agents.md"
    begin, end = (re.escape(mark) for mark in MARKS)
    figures = "\n\n".join(
        [MARKS[0], table(Row._fields[:2], [row[:2] for row in result]), table(("machine", ""), machine()), MARKS[1]]
    )
    text, count = re.subn(f"{begin}.*{end}", figures, page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert count == 1, "docs/agents.md has no place for them"
    page.write_text(text, encoding="utf-8")
    print("Written to docs/agents.md.", file=sys.stderr)


if __name__ == "__main__":
    main()
