"""A day compressed: millions of moves through one server, with retention and idle limits divided by one factor.

python -m benchmarks.day [--moves 5000000] [--players 32] [--factor 2000]

The server's clock of matches runs faster by the factor, so that everything that depends on days happens again and
again: ended matches are deleted, matches that nobody plays end, seats that nobody takes expire. Memory and latency
have to stay flat meanwhile. The figures and pictures go into docs/serving.md.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.load_generator import Address, HttpChannel, cores, open_http, pin, run_loop
from benchmarks.moves import GAME, action, request
from benchmarks.report import DAY_MARKS, DOCS, machine, table, with_section
from benchmarks.serving import at
from examples.chart import Axis, chart

KEEP_DAYS = 7
PARTS = 60  # of the run, each with its own figures
ABANDONED = 0.1  # the share of matches that are left in the middle
UNJOINED = 0.02  # and of those whose second seat stays open
MOVES_TIMES_FACTOR = 10_000_000_000  # by default, so that a run of any length sees as many weeks


PICTURES = {
    "day-memory.svg": "Memory of the server",
    "day-latency.svg": "99 of 100 moves are acknowledged within",
}


class Part(NamedTuple):
    """What was measured in a part of the run."""

    moves: int  # since the start
    p50: float  # milliseconds
    p99: float
    memory: float  # megabytes of the server
    stored: float  # megabytes of the database
    matches: int  # open or live


# The server


def serve(data: Path, factor: float) -> None:
    """Run a server whose days are shorter, and print its port."""
    from ninefold.server.http.config import Config, Limits, Rate
    from ninefold.server.http.logs import set_up
    from ninefold.server.http.serve import server_names
    from ninefold.server.http.uvicorn_server import GC_THRESHOLD, SWITCH_SECONDS, HttpServer
    from ninefold.server.storage.config import ServiceConfig

    set_up(quiet=True)
    pin(cores()[0])
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    port = listener.getsockname()[1]
    names, usual, unlimited = server_names("", port), ServiceConfig(), Rate(1e9, 1e9)
    service = usual._replace(
        keep_days=KEEP_DAYS,
        housekeeping_seconds=max(0.5, KEEP_DAYS * 86_400 / factor / 50),
        outage_ms=int(usual.outage_ms * factor),
    )
    config = Config(
        data, "", names.hosts, names.origins, Limits(writes=unlimited, reads=unlimited), service, quiet=True
    )
    began, began_at = time.monotonic(), time.time_ns() // 1_000_000
    server = HttpServer(
        config,
        lambda: print(port, flush=True),
        now=lambda: began_at + int((time.monotonic() - began) * 1000 * factor),
    )
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)
    sys.setswitchinterval(SWITCH_SECONDS)
    signal.signal(signal.SIGTERM, server.stop)
    server.run([listener])


# The players


class Day:
    """Players who begin a match after the other, and what the server took meanwhile."""

    def __init__(self, server: Address, pid: int, data: Path, moves: int, players: int) -> None:
        self._server, self._pid, self._data = server, pid, data
        self._goal, self._players = moves, players
        self._times: list[float] = []
        self.moves = 0
        self.parts: list[Part] = []

    async def run(self) -> None:
        await asyncio.gather(*(self._play(number) for number in range(self._players)))

    async def _play(self, number: int) -> None:
        channel, rng = await open_http(self._server, number), random.Random(number)
        while self.moves < self._goal:
            second = "open" if rng.random() < UNJOINED else "human"
            seats = [{"player": "human"}, {"player": second}]
            made = json.loads(await self._post(channel, 201, "/matches", {"game": "classic", "seats": seats}))
            if second == "open":
                continue
            plies = rng.randrange(1, len(GAME)) if rng.random() < ABANDONED else len(GAME)
            for ply in range(plies):
                await self._move(channel, made["match"], made["seats"][str(1 + ply % 2)], ply)
        channel.close()

    async def _post(self, channel: HttpChannel, status: int, path: str, body: object, token: str = "") -> bytes:
        """The body of a response, which has to have this status."""
        head, _, found = (await channel.exchange(request(self._server, path, body, token))).partition(b"\r\n\r\n")
        if int(head.split(maxsplit=2)[1]) != status:
            raise SystemExit(f"{path} was answered: {found.decode()}")
        return found

    async def _move(self, channel: HttpChannel, match: str, token: str, ply: int) -> None:
        began = time.perf_counter()
        await self._post(channel, 200, f"/matches/{match}/actions", action(ply), token)
        self._times.append((time.perf_counter() - began) * 1000)
        self.moves += 1
        if self.moves % max(1, self._goal // PARTS) == 0:
            self._end_part()

    def _end_part(self) -> None:
        times, self._times = sorted(self._times), []
        stored = sum(file.stat().st_size for file in self._data.glob("matches.db*")) / 1e6
        self.parts.append(Part(self.moves, at(0.5, times), at(0.99, times), memory_of(self._pid), stored, self._open()))
        print(row(self.parts[-1]), flush=True)

    def _open(self) -> int:
        import sqlite3

        with sqlite3.connect(f"file:{self._data / 'matches.db'}?mode=ro", uri=True) as database:
            query = "SELECT count(*) FROM matches WHERE status IN ('open', 'live')"
            return int(database.execute(query).fetchone()[0])


def memory_of(pid: int) -> float:
    """The resident memory of a process, in megabytes."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) * 1024 / 1e6


# The page


def row(part: Part) -> str:
    return (
        f"{part.moves:>9,} moves   p50 {part.p50:6.1f} ms   p99 {part.p99:6.1f} ms   memory {part.memory:6.1f} MB"
        f"   database {part.stored:7.1f} MB   {part.matches:,} open or live"
    )


def section(parts: list[Part], moves: int, players: int, factor: float, seconds: float) -> str:
    """The part of docs/serving.md: the run in quarters, and the pictures."""
    limits = (("ended matches are deleted", 7), ("a match that nobody plays ends", 14), ("an open seat expires", 1))
    divided = "; ".join(f"{what} after {days * 86_400 / factor:,.1f} s" for what, days in limits)
    quarters = [parts[len(parts) * quarter // 4 - 1] for quarter in range(1, 5)]
    heads = ("moves", "p50", "p99", "memory", "database", "open or live")
    early, late = parts[: len(parts) // 2], parts[len(parts) // 2 :]
    changes = (
        f"memory {_change(early, late, 'memory')}, the median latency {_change(early, late, 'p50')}, "
        f"the 99th percentile {_change(early, late, 'p99')}"
    )
    about = (
        f"`make day MOVES={moves}` has played {moves:,} moves through one server with SQLite in {seconds:,.0f} s,\n"
        f"{moves / seconds:,.0f} a second, with {players} players who never wait. Limits in days are divided by\n"
        f"{factor:,.0f}: {divided}.\n"
        "One match in ten is left in the middle, and one in fifty never gets a second player. At first the database\n"
        "only grows: nothing is deleted before these limits. The second half of the\n"
        f"run beside the first, by medians: {changes}."
    )
    pictures = [f"![{title}](pictures/{name})" for name, title in PICTURES.items()]
    figures = [table(heads, map(_cells, quarters)), table(("machine", ""), machine())]
    return "\n\n".join([DAY_MARKS[0], "## A day compressed", about, *pictures, *figures, DAY_MARKS[1]])


def _cells(part: Part) -> tuple[str, ...]:
    times = (f"{part.p50:.1f} ms", f"{part.p99:.1f} ms")
    return f"{part.moves:,}", *times, f"{part.memory:,.0f} MB", f"{part.stored:,.0f} MB", f"{part.matches:,}"


def _change(early: list[Part], late: list[Part], figure: str) -> str:
    """How the median of a figure has changed, in per cent."""
    before, after = (statistics.median(getattr(part, figure) for part in some) for some in (early, late))
    return f"{(after / before - 1) * 100:+.0f} %"


def pictures(parts: list[Part]) -> dict[str, str]:
    across = Axis("moves", parts[-1].moves)
    figures = {"day-memory.svg": ("MB", "memory"), "day-latency.svg": ("ms", "p99")}
    drawn = {}
    for name, (unit, figure) in figures.items():
        points = [(float(part.moves), float(getattr(part, figure))) for part in parts]
        drawn[name] = chart(PICTURES[name], across, Axis(unit, _round_up(max(y for _, y in points))), points)
    return drawn


def _round_up(value: float) -> float:
    """The next of 1, 2, 4, 10, 20 ... above a value."""
    size = 1.0
    while size * 10 <= value:
        size *= 10
    return next(size * step for step in (1, 2, 4, 10) if size * step >= value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=5_000_000)
    parser.add_argument("--players", type=int, default=32)
    parser.add_argument("--factor", type=float, help="by default so that a run of any length sees as many weeks")
    parser.add_argument("--write", action="store_true", help="write docs/serving.md and its pictures")
    parser.add_argument("--serve", type=Path, metavar="DIR", help=argparse.SUPPRESS)
    given = parser.parse_args()
    factor = given.factor or MOVES_TIMES_FACTOR / given.moves
    if given.serve:
        serve(given.serve, factor)
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.day", "--serve", folder, "--factor", str(factor)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            server = Address("127.0.0.1", int(process.stdout.readline()))
            pin(cores()[1])
            day, began = Day(server, process.pid, Path(folder), given.moves, given.players), time.monotonic()
            try:
                run_loop(day.run())
            finally:
                process.terminate()
    text = section(day.parts, given.moves, given.players, factor, time.monotonic() - began)
    print(text)
    if given.write:
        page = DOCS / "serving.md"
        page.write_text(with_section(page.read_text(encoding="utf-8"), text), encoding="utf-8")
        for name, picture in pictures(day.parts).items():
            (DOCS / "pictures" / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
