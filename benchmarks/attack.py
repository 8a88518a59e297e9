"""Attacks on a server of its own, with honest players beside them.

python -m benchmarks.attack [--seconds 10] [--only NAME ...] [--ninefold PATH] [--write]

The players come from addresses of their own and make moves at fixed times, half of them through requests and half
through sockets. Each attack has a new server; its players are measured before the attack and during it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.attacks import ATTACKS
from benchmarks.load_generator import pin
from benchmarks.report import DOCS, machine, table
from benchmarks.serving import GAME, NINEFOLD, Connection, Server, address_of, at, spread

PLAYERS = 20
PAUSE = 0.5  # seconds between two moves of a player
WARM_SECONDS = 2.0
MOST_TIMES, MOST_MEGABYTES = 3.0, 300.0
PATIENCE = 60.0
MEMORY = Path("/dev/shm")  # noqa: S108 - where there is one: no disk that stands still is measured
PAGE, BEGIN, END = DOCS / "operate.md", "<!-- attacks -->", "<!-- end of attacks -->"
HEADS = ("attack", "sent", "p50 / p99 before", "during it", "p99, times", "processor before / during it", "memory", "")


class Result(NamedTuple):
    name: str
    sent: str
    before: list[float]  # milliseconds, sorted
    during: list[float]
    shares: tuple[float, float]  # of a core that the server used, before and during it
    megabytes: float

    @property
    def times(self) -> float:
        return at(0.99, self.during) / at(0.99, self.before)

    @property
    def is_held(self) -> bool:
        return self.times <= MOST_TIMES and self.megabytes <= MOST_MEGABYTES

    def row(self) -> tuple[str, ...]:
        verdict = "held" if self.is_held else "NOT HELD"
        times, memory = f"{self.times:.1f}", f"{self.megabytes:.0f} MB"
        shares = " / ".join(f"{share:.0%}" for share in self.shares)
        latency = spread(self.before), spread(self.during)
        return self.name, self.sent, *latency, times, shares, memory, verdict


class Player:
    """Plays both sides of matches of classic, one move after the other."""

    def __init__(self, server: Server, number: int) -> None:
        self.server, self.number = server, number
        self.address = f"127.0.1.{number + 1}"
        self.connection = Connection(server, (self.address, 0))
        self.match: dict[str, Any] = {}
        self.ply = 0

    async def begin(self) -> None:
        body = {"game": "classic", "seats": [{"player": "human"}, {"player": "human"}]}
        status, self.match = await self.connection.post("/matches", body)
        assert status == 201, self.match
        self.ply = 0

    async def move(self) -> None:
        if self.ply == len(GAME):  # the last attempt to begin another match has failed
            await self.begin()
        action = {"kind": "move", "move": GAME[self.ply]}
        body = {"request": f"r{self.ply}", "version": self.ply, "action": action}
        await self.send(body, self.match["seats"][str(1 + self.ply % 2)])
        self.ply += 1
        if self.ply == len(GAME):
            await self.begin()

    async def send(self, body: dict[str, Any], token: str) -> None:
        status, answer = await self.connection.post(f"/matches/{self.match['match']}/actions", body, token)
        assert status == 200, answer


class SocketPlayer(Player):
    """Has a socket for each side."""

    sockets: dict[str, ClientConnection]

    async def begin(self) -> None:
        if self.match:
            for old in self.sockets.values():
                await old.close()
        await super().begin()
        self.sockets = {}
        for token in self.match["seats"].values():
            url = f"ws://{self.server.host}:{self.server.port}/api/v1/matches/{self.match['match']}/socket"
            opened = await connect(url, compression=None, local_addr=(self.address, 0), open_timeout=PATIENCE)
            await opened.send(json.dumps({"type": "hello", "token": token}))
            self.sockets[token] = opened

    async def send(self, body: dict[str, Any], token: str) -> None:
        await self.sockets[token].send(json.dumps({"type": "act", **body}))
        async for text in self.sockets[token]:
            if (message := json.loads(text))["type"] in ("answer", "refused"):
                assert message["type"] == "answer", message
                return
        raise ConnectionError("the socket was closed")


class EasyPlayer(Player):
    """Plays against the easy computer, and is answered when the computer has moved."""

    async def begin(self) -> None:
        body = {
            "game": "classic",
            "seats": [{"player": "human"}, {"player": "easy"}],
            "first": "X",
            "sides": "XO",
        }
        status, self.match = await self.connection.post("/matches", body)
        assert status == 201, self.match

    async def move(self) -> None:
        path, token = f"/matches/{self.match['match']}", self.match["seats"]["1"]
        _, view = await self.connection.get(path, token)
        while view["status"] == "live" and view["asked"] != 1:
            await asyncio.sleep(0.01)
            _, view = await self.connection.get(path, token)
        body = {"request": f"r{view['version']}", "version": view["version"]}
        move = {"kind": "move", "move": view["moves"][0]["text"]}
        await self.connection.post(f"{path}/actions", {**body, "action": move}, token)
        _, view = await self.connection.get(path, token)
        while view["status"] == "live" and view["asked"] != 1:
            await asyncio.sleep(0.01)
            _, view = await self.connection.get(path, token)
        if view["status"] == "ended":
            await self.begin()


async def measured(players: list[Player], seconds: float) -> list[float]:
    """The times of the moves of all players, in milliseconds, counted from when they should have been made."""
    times: list[float] = []

    async def play(player: Player) -> None:
        begun = time.perf_counter() + PAUSE * player.number / len(players)
        for due in itertools.takewhile(lambda due: due < begun + seconds, itertools.count(begun, PAUSE)):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            try:
                await asyncio.wait_for(player.move(), PATIENCE)
            except (OSError, AssertionError, TimeoutError, EOFError, WebSocketException) as error:
                print(f"  {type(error).__name__}: {error}", file=sys.stderr)
                times.append(PATIENCE * 1000)
                return
            times.append((time.perf_counter() - due) * 1000)

    await asyncio.gather(*map(play, players))
    return sorted(times)


@contextlib.contextmanager
def serving(ninefold: str, *, unread: bool) -> Iterator[tuple[Server, int]]:
    """A server with its usual limits, and its process."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as data:
        command = [ninefold, "serve", "--port", "0", "--data", data]
        log = subprocess.PIPE if unread else subprocess.DEVNULL
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=lambda: pin(_core(1))
        )
        try:
            yield address_of(process), process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                print("  the server did not stop", file=sys.stderr)
                process.kill()
                process.wait()


def _be_elsewhere() -> None:
    """Take no processor time from the server or the honest players, as an attacker on another machine would not."""
    pin(_core(0))
    if hasattr(os, "SCHED_IDLE"):
        # Whoever waits for the core gets it at once; with a low priority alone, an attacker may end its turn first.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    os.nice(19)


def _be_first() -> None:
    """Give the honest players their core whenever they want it, as if they had a machine of their own."""
    pin(_core(0))
    # What the attacker sends is received by the kernel on this core, in a thread whose turns are as long as those of
    # others: a player waited for 20 ms behind it, also when another server was attacked.
    with contextlib.suppress(AttributeError, PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def _core(number: int) -> int | None:
    return number if (os.cpu_count() or 1) > 1 else None


@contextlib.asynccontextmanager
async def attacked(name: str, server: Server, match: str) -> AsyncIterator[Callable[[], Counter[str]]]:
    """An attacker at work, which can be asked what it has sent."""
    command = [sys.executable, "-m", "benchmarks.attacks", name, *map(str, server), match]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, preexec_fn=_be_elsewhere) as process:
        await asyncio.sleep(WARM_SECONDS)
        try:
            yield lambda: _asked(process)
        finally:
            assert process.poll() is None, "the attacker has ended"
            process.kill()


def _asked(attacker: subprocess.Popen[str]) -> Counter[str]:
    assert attacker.stdin
    assert attacker.stdout
    print(file=attacker.stdin, flush=True)
    return Counter(json.loads(attacker.stdout.readline()))


def sent(name: str, first: Counter[str], last: Counter[str]) -> str:
    """What an attacker sent before and while the players were measured."""
    (old, new), (kept, more) = ((first[what], last[what] - first[what]) for what in ("connections", "bytes"))
    if not (new or more or last["waiting"]):  # a server that reads no faster keeps it waiting
        raise SystemExit(f"The attacker of {name} sent nothing while the players were measured.")
    return f"{old:,} + {new:,} connections, {kept / 1000:,.0f} + {more / 1000:,.0f} KB"


async def run(name: str, seconds: float, ninefold: str) -> Result:
    with serving(ninefold, unread=name == "unread_log") as (server, pid):
        kinds = (EasyPlayer,) if name == "experts" else (Player, SocketPlayer)
        count = 4 if name == "experts" else PLAYERS
        players = [kinds[number % len(kinds)](server, number) for number in range(count)]
        for player in players:
            await player.begin()
        await measured(players, WARM_SECONDS)
        before, share_before = await share_of(pid, measured(players, seconds))
        async with attacked(name, server, players[0].match["match"]) as asked:
            first = asked()
            during, share_during = await share_of(pid, measured(players, seconds))
            counted = sent(name, first, asked())
        return Result(ATTACKS[name][0], counted, before, during, (share_before, share_during), _peak(pid))


async def share_of(pid: int, work: Coroutine[Any, Any, list[float]]) -> tuple[list[float], float]:
    """What some work returns, and the share of a core that a process used meanwhile."""
    begun, used = time.perf_counter(), _processor_seconds(pid)
    result = await work
    return result, (_processor_seconds(pid) - used) / (time.perf_counter() - begun)


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> float:
    """The largest memory that a process has had, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--only", nargs="+", choices=list(ATTACKS), default=list(ATTACKS))
    parser.add_argument("--ninefold", default=NINEFOLD, help="the command of another version")
    parser.add_argument("--write", action="store_true", help="write the table into docs/operate.md")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    _be_first()
    results = []
    for name in given.only:
        results.append(asyncio.run(run(name, given.seconds, given.ninefold)))
        print(" | ".join(results[-1].row()), flush=True)
    if given.write:
        write(results)
    raise SystemExit(not all(result.is_held for result in results))


def write(results: list[Result]) -> None:
    """Replace the table in docs/operate.md."""
    page = PAGE.read_text(encoding="utf-8")
    shown = table(("machine", ""), machine()) + "\n\n" + table(HEADS, (result.row() for result in results))
    before, _, rest = page.partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{shown}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
