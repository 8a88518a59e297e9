"""Lag compensation: what the network took of a move's time is measured by the server, and given back within a quota."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

from ninefold.server.http.socket_protocol import PING_HEAD, PingMeter
from tests.support.clocks import ManualClock, ManualSeconds
from tests.support.http_server import Running, act, running
from tests.support.raw_socket import PONG, TEXT, frame, open_socket
from tests.support.waiting import wait_until

INITIAL, THOUGHT, LAG = 60_000, 1_000, 60  # milliseconds


class ByHand:
    """A player's socket that answers pings only when it is told to."""

    def __init__(self, server: Running, match: str, token: str) -> None:
        self.socket = open_socket(server.port, match)
        self.read = b""
        self.send(TEXT, json.dumps({"type": "hello", "token": token}).encode())

    def send(self, opcode: int, data: bytes) -> None:
        self.socket.sendall(frame(opcode, data))

    def until(self, sign: bytes) -> bytes:
        """What follows a sign in all that has come, with a few bytes more."""
        while sign not in self.read or len(self.read) < self.read.index(sign) + len(sign) + 8:
            self.read += self.socket.recv(4096)
        _, _, after = self.read.partition(sign)
        self.read = after
        return after[:8]


def remaining(server: Running, match: str, side: str) -> int:
    view: dict[str, Any] = server.get(f"/matches/{match}").json()
    left: int = view["clock"][side]
    return left


def played(tmp_path: Path, *, answers: bool) -> int:
    """What a player has left who moves after a second, some of which was spent on the way."""
    now = ManualClock()
    with running(tmp_path, now=now) as server:
        created = server.create(clock={"initial_seconds": INITIAL // 1000})
        match, seats = created["match"], created["seats"]
        player = ByHand(server, match, seats["2"])
        player.until(b'"welcome"')
        server.move(match, seats["1"], 0, "5")
        began = time.monotonic()
        payload = player.until(PING_HEAD)
        now.at += THOUGHT
        wait_until(lambda: time.monotonic() > began + LAG / 1000)
        if answers:
            player.send(PONG, payload)
        player.send(PONG, b"guessed!")
        player.send(TEXT, json.dumps(act("move", 1, kind="move", move="1")).encode())
        player.until(b'"answer"')
        with socket.socket(fileno=player.socket.detach()):
            return remaining(server, match, "O")


def test_the_measured_round_trip_is_given_back(tmp_path: Path) -> None:
    assert played(tmp_path, answers=True) >= INITIAL - THOUGHT + LAG // 2


def test_a_client_that_answers_no_ping_is_given_nothing(tmp_path: Path) -> None:
    assert played(tmp_path, answers=False) == INITIAL - THOUGHT


def test_only_the_pong_of_the_last_ping_ends_a_measurement() -> None:
    now, written = ManualSeconds(), list[bytes]()

    def write(data: bytes) -> bool:
        written.append(data)
        return True

    meter = PingMeter(write, now)
    meter.begin()
    meter.begin()
    first, second = (ping.removeprefix(PING_HEAD) for ping in written)
    now.at = 0.25
    assert not meter.end(first)
    assert meter.milliseconds == 0
    assert meter.end(second)
    assert meter.milliseconds == 250
    now.at = 9.0
    assert not meter.end(second)  # a pong that is sent again
    assert meter.milliseconds == 250
