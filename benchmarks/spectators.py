"""One event to many spectators of one match: how long until all have it, and what each costs the server.

python -m benchmarks.spectators [--spectators 1000] [--events 200]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.load_generator import Address, SocketChannel, cores, frame, open_http, open_socket, pin, run_loop
from benchmarks.moves import PROJECT, Process, create, ninefold, request
from benchmarks.report import Row


class FanOut(NamedTuple):
    """Seconds from sending the event to each spectator's frame, sorted, and processor seconds of the server."""

    waits: list[float]
    processor: float
    frames: int

    @property
    def spread(self) -> str:
        p50, p99 = (1000 * self.waits[int(share * (len(self.waits) - 1))] for share in (0.5, 0.99))
        return f"{p50:.1f} / {p99:.1f} ms"

    @property
    def microseconds(self) -> float:
        return 1e6 * self.processor / self.frames


async def measure(process: Process, spectators: int, events: int, *, views: bool) -> FanOut:
    """A player says something again and again; every spectator gets it."""
    address = process.address
    (match, tokens), *_ = await create(address, 1)
    sockets = [await _watch(address, match, number, views=views) for number in range(spectators)]
    await asyncio.sleep(1)  # until every socket has received the number of spectators
    player, waits, before = await open_http(address), list[float](), process.seconds()
    for number in range(events):
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        missing, begun = len(sockets), time.perf_counter()

        def note(reply: bytes, begun: float = begun, done: asyncio.Future[None] = done) -> None:
            nonlocal missing
            if b'"events"' in reply:
                waits.append(time.perf_counter() - begun)
                missing -= 1
                if not missing:
                    done.set_result(None)

        for socket in sockets:
            socket.on_reply = note
        body = {"request": f"s{number}", "action": {"kind": "say", "text": "Hello!"}}
        player.send(request(address, f"/matches/{match}/actions", body, tokens["1"]))
        await asyncio.wait_for(done, 60)
    return FanOut(sorted(waits), process.seconds() - before, len(waits))


async def _watch(address: Address, match: str, number: int, *, views: bool) -> SocketChannel:
    socket = await open_socket(address, f"/api/v1/matches/{match}/socket", number)
    await socket.exchange(frame(json.dumps({"type": "hello", "view": views}).encode()), b'"welcome"')
    return socket


def rows(count: int = 1000, events: int = 200) -> Iterator[Row]:
    """What an event to many spectators costs."""
    with ninefold(PROJECT / "src") as process:
        pin(cores()[1])
        for views in (False, True):
            found: FanOut = run_loop(measure(process, count, events, views=views))
            name = f"an event to {count:,} spectators{' with views' if views else ''}"
            yield Row(f"{name}, p50 / p99", found.spread, target="p99 under 50 ms")
            yield Row(f"{name}: processor for each of them", f"{found.microseconds:.0f} us")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--events", type=int, default=200)
    given = parser.parse_args(arguments)
    for row in rows(given.spectators, given.events):
        print(row, flush=True)


if __name__ == "__main__":
    main()
