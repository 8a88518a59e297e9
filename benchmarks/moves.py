"""What a durable move costs: this server, an earlier one and boardgame.io, each on one core, under the same load.

python -m benchmarks.moves [--moves 20000] [--only ours,before,memory,flatfile] [--transport http,socket]

A closed loop: 256 players wait for every acknowledgement before they go on. Matches are created and sockets opened
before the clock starts. Processor time is that of the server's processes, as the system counts it.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.load_generator import (
    PLAYERS,
    Address,
    Channel,
    ClosedLoop,
    Played,
    Step,
    cores,
    echoes,
    frame,
    open_http,
    open_socket,
    pin,
    run_loop,
)
from benchmarks.report import table

PROJECT = Path(__file__).parents[1]
BEFORE = "be10cff"  # the commit that this server is compared with
BOARDGAME_IO = ("boardgame.io@0.50.2", "node-persist@3.1.0")  # later ones of these write once a second
GAME = "123456879"  # cells of a game of classic that goes on to the last of them
ROUNDS = 3  # of this server and the earlier one in turn
WARM_MOVES = 900  # that are not counted: statements are prepared, code paths are warm
SOCKETS = 4_000  # that are open at a time
HEADS = ("server", "over", "durable", "moves/s", "us of processor a move", "core busy", "p50 / p99 of a move")

Game = list[Step]


class Process(NamedTuple):
    """A running server, whose processor time can be read."""

    address: Address
    pid: int

    def seconds(self) -> float:
        """User and system time of the server and of its children until now."""
        ticks = sum(map(_ticks, _family(self.pid)))
        return ticks / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> Iterator[int]:
    yield pid
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in tasks.read_text().split():
            yield from _family(int(child))


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


class Cost(NamedTuple):
    """What a number of moves cost together."""

    moves: int
    wall: float
    processor: float
    waits: list[float]
    failed: int

    @property
    def microseconds(self) -> float:
        return 1e6 * self.processor / self.moves

    def cells(self) -> tuple[str, ...]:
        p50, p99 = (1000 * self.waits[int(share * (len(self.waits) - 1))] for share in (0.5, 0.99))
        busy = f"{100 * self.processor / self.wall:.0f}%"
        speed = f"{self.moves / self.wall:,.0f}" + (f" ({self.failed} failed)" if self.failed else "")
        return speed, f"{self.microseconds:,.0f}", busy, f"{p50:.1f} / {p99:.1f} ms"


# Servers


@contextmanager
def started(command: Sequence[str | Path], folder: Path, core: int | None) -> Iterator[Process]:
    """A server that prints its address, on a core of its own."""
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, text=True, cwd=folder, preexec_fn=lambda: pin(core)
    )
    try:
        assert process.stdout
        for line in process.stdout:
            if found := re.search(r"http://([\d.]+):(\d+)/", line):
                yield Process(Address(found[1], int(found[2])), process.pid)
                break
        else:
            raise SystemExit(f"the server did not start: {command}")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


# An editable installation finds this tree before every other one.
RUN = """
import sys
sys.meta_path = [finder for finder in sys.meta_path if "Redirecting" not in type(finder).__name__]
sys.path.insert(0, sys.argv.pop(1))
sys.path = [path for path in sys.path if "site-packages" in path or not path.endswith("src") or path == sys.path[0]]
import runpy
runpy.run_module("ninefold", run_name="__main__", alter_sys=True)
"""


@contextmanager
def ninefold(source: Path, *arguments: str) -> Iterator[Process]:
    """Our server from a folder with its source."""
    with tempfile.TemporaryDirectory() as data:
        options = ("serve", "--port", "0", "--quiet", "--rate", "1000000", "--data", data, *arguments)
        command = [sys.executable, "-c", RUN, str(source), *options]
        with started(command, Path(data), cores()[0]) as process:
            yield process


@contextmanager
def earlier(folder: Path) -> Iterator[Process]:
    """The server of an earlier commit, with the packages of this environment."""
    command = [shutil.which("git") or "git", "archive", BEFORE, "src"]
    archive = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, check=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    with ninefold(folder / "src") as process:
        yield process


@contextmanager
def boardgame_io(folder: Path, storage: str) -> Iterator[Process]:
    """A server of boardgame.io; npm brings it."""
    from scripts.npm import NPM, PROGRAM, SETTINGS

    install = [str(PROGRAM), str(NPM), "install", "--prefix", str(folder), *SETTINGS, *BOARDGAME_IO]
    done = subprocess.run(install, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise NotInstalled(done.stdout.strip())
    script = Path(__file__).with_name("boardgame_io.cjs")
    with started([PROGRAM, script, folder, storage, folder / "matches"], folder, cores()[0]) as process:
        yield process


class NotInstalled(Exception):
    """npm could not install boardgame.io."""


# Games


class Seated(NamedTuple):
    match: str
    tokens: dict[str, str]


def request(address: Address, path: str, body: object, token: str = "") -> bytes:
    data = json.dumps(body).encode()
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    head = (
        f"POST /api/v1{path} HTTP/1.1\r\nHost: {address.host}:{address.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n{authorization}\r\n"
    )
    return head.encode() + data


async def create(address: Address, count: int) -> list[Seated]:
    """New matches of two people."""
    body = {"game": "classic", "seats": [{"player": "human"}, {"player": "human"}]}
    made: list[Seated] = []

    async def some(share: int) -> None:
        channel = await open_http(address)
        for _ in range(share):
            reply = await channel.exchange(request(address, "/matches", body))
            document = json.loads(reply.partition(b"\r\n\r\n")[2])
            made.append(Seated(document["match"], document["seats"]))
        channel.close()

    await asyncio.gather(*(some(count // 16 + (n < count % 16)) for n in range(16)))
    return made


def action(ply: int) -> dict[str, Any]:
    return {"request": f"r{ply}", "version": ply, "action": {"kind": "move", "move": GAME[ply]}}


async def http_games(address: Address, count: int) -> list[Game]:
    games = []
    for match, tokens in await create(address, count):
        path = f"/matches/{match}/actions"
        data = (request(address, path, action(ply), tokens[str(1 + ply % 2)]) for ply in range(len(GAME)))
        games.append([Step(None, one, b'"replayed": false') for one in data])
    return games


async def socket_games(address: Address, count: int, *, views: bool = False) -> list[Game]:
    """Both players of every match have a socket. The earlier server refuses a hello that names views."""
    made = await create(address, count)
    numbers = itertools.count()

    async def join(match: str, token: str) -> Channel:
        socket = await open_socket(address, f"/api/v1/matches/{match}/socket", next(numbers))
        hello = {"type": "hello", "token": token} | ({"view": True} if views else {})
        await socket.exchange(frame(json.dumps(hello).encode()), b'"welcome"')
        return socket

    async def game(seated: Seated) -> Game:
        sockets = [await join(seated.match, seated.tokens[seat]) for seat in "12"]
        messages = (json.dumps({"type": "act", **action(ply)}).encode() for ply in range(len(GAME)))
        return [Step(sockets[ply % 2], frame(text), b'"answer"') for ply, text in enumerate(messages)]

    return [await game(seated) for seated in made]


async def boardgame_io_games(address: Address, count: int) -> list[Game]:
    numbers, name = itertools.count(), "/tic-tac-toe,"

    async def join(match: str, player: str) -> Channel:
        socket = await open_socket(address, "/socket.io/?EIO=4&transport=websocket", next(numbers))
        await socket.exchange(frame(f"40{name}".encode()), b"40" + name.encode())
        sync = json.dumps(["sync", match, player, None, 2])
        await socket.exchange(frame(f"42{name}{sync}".encode()), b'["sync"')
        return socket

    async def game(match: str) -> Game:
        sockets = [await join(match, player) for player in "01"]
        steps = []
        for ply, cell in enumerate(GAME):
            player = str(ply % 2)
            move = {"type": "clickCell", "args": [int(cell) - 1], "playerID": player, "credentials": None}
            update = json.dumps(["update", {"type": "MAKE_MOVE", "payload": move}, ply, match, player])
            wanted = f'"_stateID":{ply + 1}'.encode()
            steps.append(Step(sockets[ply % 2], frame(f"42{name}{update}".encode()), wanted))
        return steps

    run = os.urandom(4).hex()
    return [await game(f"{run}{number}") for number in range(count)]


# Measuring

MakeGames = Callable[[Address, int], Coroutine[Any, Any, list[Game]]]


async def measure(process: Process, make_games: MakeGames, moves: int, *, sockets: bool) -> Cost:
    """The cost of some moves, after others that are not counted."""
    total = Cost(0, 0.0, 0.0, [], 0)
    while total.moves < moves:
        count = SOCKETS // 2 if sockets else -(-moves // len(GAME))
        warm = WARM_MOVES // len(GAME) if not total.moves else 0
        games = await make_games(process.address, count + warm if not sockets else count)
        channels: list[Channel | None] = [None] * PLAYERS
        if not sockets:
            channels = [await open_http(process.address, number) for number in range(PLAYERS)]
        if warm:
            await ClosedLoop(games[:warm]).run(channels)
        before = process.seconds()
        played = await ClosedLoop(games[warm:]).run(channels)
        total = _add(total, played, process.seconds() - before)
        for channel in {step.channel for game in games for step in game if step.channel} | {*channels} - {None}:
            if channel:
                channel.close()
    return total


def _add(total: Cost, played: Played, processor: float) -> Cost:
    waits = sorted([*total.waits, *played.waits])
    return Cost(
        len(waits), total.wall + played.seconds, total.processor + processor, waits, total.failed + played.failed
    )


def measured(process: Process, make_games: MakeGames, moves: int, *, sockets: bool) -> Cost:
    pin(cores()[1])
    cost: Cost = run_loop(measure(process, make_games, moves, sockets=sockets))
    return cost


async def _with_views(address: Address, count: int) -> list[Game]:
    return await socket_games(address, count, views=True)


Line = tuple[str, ...]


def ours(transports: Sequence[str], moves: int, *serve: str) -> Iterator[Line]:
    """The lines of this server, with more arguments for ``ninefold serve``."""
    database = "PostgreSQL, 2 workers" if serve else "SQLite"
    with ninefold(PROJECT / "src", *serve) as process:
        if "http" in transports:
            yield "this", "HTTP", database, *measured(process, http_games, moves, sockets=False).cells()
        if "socket" in transports:
            yield "this", "sockets", database, *measured(process, socket_games, moves, sockets=True).cells()
            yield "this", "sockets, with views", database, *measured(process, _with_views, moves, sockets=True).cells()


def before(folder: Path, transports: Sequence[str], moves: int) -> Iterator[Line]:
    with earlier(folder) as process:
        if "http" in transports:
            yield BEFORE, "HTTP", "SQLite", *measured(process, http_games, moves, sockets=False).cells()
        if "socket" in transports:
            yield BEFORE, "sockets, with views", "SQLite", *measured(process, socket_games, moves, sockets=True).cells()


def peer(folder: Path, storage: str, moves: int) -> Iterator[Line]:
    try:
        with boardgame_io(folder, storage) as process:
            cost = measured(process, boardgame_io_games, moves, sockets=True)
            yield "boardgame.io", "socket.io", f"no ({storage})", *cost.cells()
    except NotInstalled as why:
        print(f"SKIPPED: npm cannot install boardgame.io:\n{why}", file=sys.stderr)


def lines(only: Sequence[str], transports: Sequence[str], moves: int) -> Iterator[Line]:
    """A line of the table for each server and way to it."""
    with tempfile.TemporaryDirectory() as folder:
        yield from medians([_round(Path(folder), only, transports, moves) for _ in range(ROUNDS)])
        for storage in ("flatfile", "memory"):
            if storage in only:
                yield from peer(Path(folder), storage, moves)


def _round(folder: Path, only: Sequence[str], transports: Sequence[str], moves: int) -> list[Line]:
    """This server and the earlier one, right after each other."""
    found: list[Line] = []
    if "ours" in only:
        found += ours(transports, moves)
    if "before" in only:
        found += before(folder, transports, moves)
    for line in found:
        print(*line, sep=" | ", file=sys.stderr, flush=True)
    return found


def medians(rounds: Sequence[Sequence[Line]]) -> Iterator[Line]:
    """Each line from the round in which its rate was the median."""
    for same in zip(*rounds, strict=True):
        yield sorted(same, key=rate)[len(same) // 2]


def rate(line: Line) -> float:
    """The moves a second of a line."""
    return _figure(line[3])


def _figure(cell: str) -> float:
    return float(cell.split()[0].replace(",", ""))


def about(generator: str) -> str:
    """What the table shows, for the page."""
    return f"""\
Another question is how much work a move is. In a closed loop {PLAYERS} players wait for every acknowledgement before
they go on, as fast as the server lets them. No queue can grow: these rates are higher than the highest rate held
above, which is a promise about the slowest answers too. Processor time is what the system counts for the server's
processes. Where the core is not busy, the disk is waited for. `{BEFORE}` is an earlier commit of this server.
boardgame.io syncs nothing to the disk. Except over HTTP, both players of a match have a socket. With two workers the
opponent's socket is often at the other one, which is notified and reads the new events from the database: so over
sockets PostgreSQL carries fewer moves. The same load generator drives all servers. {generator} This server with SQLite
and `{BEFORE}` are measured in turn, {ROUNDS} times; each line is the round with the median rate.

`python -m benchmarks.moves` prints this table alone, and `python -m benchmarks.spectators` what spectators cost."""


def compared(lines: Sequence[Line]) -> str:
    """How much faster the server is than before, in a sentence for each way to it."""
    figures = {line[:3]: (rate(line), _figure(line[4])) for line in lines}
    before = figures.get((BEFORE, "HTTP", "SQLite"))
    return "\n".join(
        f"Over {way} this server makes {now[0] / before[0]:.1f} times as many moves a second as `{BEFORE}` over HTTP,"
        f" and a move takes {now[1] / before[1]:.2f} of its processor time."
        for way in ("sockets", "HTTP")
        if before and (now := figures.get(("this", way, "SQLite")))
    )


def generator() -> str:
    """What the load generator can do, so that it is not what is measured."""
    return "The load generator makes {:,.0f} exchanges a second over HTTP and {:,.0f} over sockets.".format(*echoes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=20_000)
    parser.add_argument("--only", default="ours,before,flatfile,memory")
    parser.add_argument("--transport", default="http,socket")
    given = parser.parse_args()
    print(generator())
    found = []
    for line in lines(given.only.split(","), given.transport.split(","), given.moves):
        print(*line, sep=" | ", flush=True)
        found.append(line)
    print(table(HEADS, found), compared(found), sep="\n\n")


if __name__ == "__main__":
    main()
