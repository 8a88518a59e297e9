"""A WebSocket by hand, for frames that no decent client sends."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

from tests.support.waiting import PATIENCE

TEXT, PING, PONG, CONTINUATION = 1, 9, 10, 0
_UPGRADE = (
    "GET /api/v1/matches/{match}/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def frame(opcode: int, data: bytes = b"", *, is_last: bool = True) -> bytes:
    """A frame of a client, with a mask of zeros."""
    assert len(data) < 1 << 16
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return bytes([opcode | (0x80 if is_last else 0)]) + length + bytes(4) + data


def upgrade(port: int, match: str) -> bytes:
    """The request for the socket of a match."""
    return _UPGRADE.format(match=match, port=port).encode()


def open_socket(port: int, match: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.sendall(upgrade(port, match))
    assert b" 101 " in connection.recv(4096)
    return connection


@contextlib.contextmanager
def flooded(connection: socket.socket, frames: bytes) -> Iterator[None]:
    """Send these frames again and again, until the server closes the connection or the block is left."""
    stopped = threading.Event()

    def flood() -> None:
        with contextlib.suppress(OSError):
            while not stopped.is_set():
                connection.sendall(frames)

    thread = threading.Thread(target=flood)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE)
    assert not thread.is_alive()
