"""The attackers of ``make attack``: each sends what hurts as fast as it is taken, from an address of its own.

python -m benchmarks.attacks NAME HOST PORT MATCH    attacks until its input ends; each line asks what it has sent
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

ADDRESS = "127.0.0.66"
MEGABYTE = 1024 * 1024
_HUMANS = [{"player": "human"}, {"player": "human"}]
SENT = Counter(connections=0, bytes=0, waiting=0)  # by all threads, and how many wait to send more
_lock = threading.Lock()


def _count(what: str, many: int) -> None:
    with _lock:
        SENT[what] += many


class CountedSocket(socket.socket):
    """Counts bytes as soon as the system has taken them: an attacker may never get rid of a whole message."""

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        rest = memoryview(data)
        _count("waiting", 1)
        try:
            while rest:
                taken = self.send(rest, flags)
                _count("bytes", taken)
                rest = rest[taken:]
        finally:
            _count("waiting", -1)


class Target(NamedTuple):
    host: str
    port: int
    match: str

    def connect(self) -> socket.socket:
        opened = socket.create_connection((self.host, self.port), timeout=60, source_address=(ADDRESS, 0))
        _count("connections", 1)
        counted = CountedSocket(fileno=opened.detach())
        counted.settimeout(60)
        return counted

    def head(self, line: str, *headers: str) -> bytes:
        return "\r\n".join([f"{line} HTTP/1.1", f"Host: {self.host}:{self.port}", *headers, "", ""]).encode()

    def get(self, path: str) -> bytes:
        return self.head(f"GET {path}")

    def post(self, path: str, body: bytes) -> bytes:
        return self.head(f"POST {path}", "Content-Type: application/json", f"Content-Length: {len(body)}") + body

    def open_socket(self) -> socket.socket:
        """A WebSocket that has said hello."""
        connection = self.connect()
        upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
        key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
        connection.sendall(self.head(f"GET /api/v1/matches/{self.match}/socket", *upgrade, key))
        connection.recv(4096)
        connection.sendall(frame(1, b'{"type": "hello"}'))
        return connection


def frame(opcode: int, data: bytes = b"", *, is_last: bool = True) -> bytes:
    return bytes([opcode | (0x80 if is_last else 0), 0x80 | len(data)]) + bytes(4) + data


Attack = Callable[[Target], None]
ATTACKS: dict[str, tuple[str, int, Attack]] = {}  # what it is, how many at a time, what each does again and again


def attack(about: str, threads: int = 1) -> Callable[[Attack], Attack]:
    def add(run: Attack) -> Attack:
        ATTACKS[run.__name__] = about, threads, run
        return run

    return add


def _flood(connection: socket.socket, *parts: bytes) -> None:
    """Send the first part, then the others again and again until the server closes."""
    with connection:
        connection.sendall(parts[0])
        for part in itertools.cycle(parts[1:]):
            connection.sendall(part)


@attack("one socket of empty pongs")
def pongs(target: Target) -> None:
    _flood(target.open_socket(), b"", frame(10) * 10_000)


@attack("ten sockets of pings that read the pongs", 10)
def pings(target: Target) -> None:
    connection = target.open_socket()
    threading.Thread(target=_read_all, args=(connection,), daemon=True).start()
    _flood(connection, b"", frame(9, b"x" * 125) * 1_000)


@attack("one socket with a message of endless fragments")
def fragments(target: Target) -> None:
    _flood(target.open_socket(), frame(1, is_last=False), frame(0, is_last=False) * 10_000)


@attack("a header that never ends", 4)
def endless_header(target: Target) -> None:
    _flood(target.connect(), b"GET / HTTP/1.1\r\nx: ", b"y" * MEGABYTE)


@attack("60 MB of small headers", 4)
def many_headers(target: Target) -> None:
    with target.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(60):
            connection.sendall(b"a:b\r\n" * (MEGABYTE // 5))


@attack("chunks with endless extensions", 4)
def chunk_extensions(target: Target) -> None:
    head = target.head("POST /api/v1/matches", "Content-Type: application/json", "Transfer-Encoding: chunked")
    _flood(target.connect(), head + b"1", b";x=y" * (MEGABYTE // 4))


@attack("10,000 pipelined requests on each of ten connections", 10)
def pipelined(target: Target) -> None:
    with target.connect() as connection:
        threading.Thread(target=_read_all, args=(connection,), daemon=True).start()
        connection.sendall(target.get("/healthz") * 10_000)


@attack("300 connections that send a byte of a head every second")
def slow_heads(target: Target) -> None:
    _trickle(target, b"GET / HTTP/1.1\r\nx: ", 300)


@attack("300 connections that send a byte of a body every second")
def slow_bodies(target: Target) -> None:
    head = target.head("POST /api/v1/matches", "Content-Type: application/json", "Content-Length: 10000")
    _trickle(target, head, 300)


def _trickle(target: Target, head: bytes, count: int) -> None:
    waiting: list[socket.socket] = []
    while True:
        while len(waiting) < count:
            waiting.append(target.connect())
            with contextlib.suppress(OSError):
                waiting[-1].sendall(head)
        for connection in list(waiting):
            try:
                connection.sendall(b"x")
            except OSError:
                connection.close()
                waiting.remove(connection)
        time.sleep(1)


@attack("5,000 idle connections")
def connections(target: Target) -> None:
    opened = [target.connect() for _ in range(5_000)]
    time.sleep(5)
    for connection in opened:
        connection.close()


@attack("connections that are opened and closed again", 8)
def reconnects(target: Target) -> None:
    with target.connect() as connection:
        # Closed by a reset: else all ports of the attacker would wait for late packets after two seconds.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@attack("lists of 100 matches, 20 connections", 20)
def lists(target: Target) -> None:
    _ask(target, lambda: target.get("/api/v1/matches?limit=100"))


@attack("requests whose log lines nobody reads, 20 connections", 20)
def unread_log(target: Target) -> None:
    _ask(target, lambda: target.get("/healthz"))


@attack("new matches, 20 connections", 20)
def creates(target: Target) -> None:
    _ask(target, lambda: _new_match(target, "classic", _HUMANS))


@attack("169 matches of two experts in the big games", 1)
def experts(target: Target) -> None:
    two = [{"player": "expert"}, {"player": "expert"}]
    games = itertools.cycle(("ultimate", "squared"))
    with target.connect() as connection:
        for _ in range(169):
            connection.sendall(_new_match(target, next(games), two))
            connection.recv(65536)
            time.sleep(0.2)  # within the rate
    time.sleep(3600)


@attack("records of 1 MB, 8 connections", 8)
def huge_json(target: Target) -> None:
    body = json.dumps({"text": "y" * (MEGABYTE - 100)}).encode()
    _ask(target, lambda: target.post("/api/v1/records", body))


@attack("JSON of 16,000 brackets, 20 connections", 20)
def deep_json(target: Target) -> None:
    _ask(target, lambda: target.post("/api/v1/matches", b"[" * 16_000))


def _new_match(target: Target, game: str, seats: list[dict[str, str]]) -> bytes:
    return target.post("/api/v1/matches", json.dumps({"game": game, "seats": seats}).encode())


def _ask(target: Target, request: Callable[[], bytes]) -> None:
    """Send requests one after the other, each when something has come for the one before."""
    with target.connect() as connection:
        while True:
            connection.sendall(request())
            if not connection.recv(MEGABYTE):
                return


def _read_all(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while connection.recv(MEGABYTE):
            pass


def _again(run: Attack, target: Target) -> Iterator[None]:
    while True:
        with contextlib.suppress(OSError):
            run(target)
        yield


def main(name: str, host: str, port: str, match: str) -> None:
    os.nice(10)  # on one machine with those who are measured: an attacker has its own
    _, threads, run = ATTACKS[name]
    target = Target(host, int(port), match)
    for _ in range(threads):
        threading.Thread(target=lambda: [None for _ in _again(run, target)], daemon=True).start()
    for _ in sys.stdin:
        print(json.dumps(SENT), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
