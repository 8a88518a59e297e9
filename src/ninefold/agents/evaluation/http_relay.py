"""HTTP/1.1 and WebSocket messages on their way through a gate: read, changed in a few words, and sent on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import unquote

LARGEST = 4 * 2**20  # bytes of a body or a frame
_DROPPED = {
    b"host", b"content-length", b"transfer-encoding", b"expect", b"accept-encoding", b"sec-websocket-extensions"
}  # fmt: skip


class BadRequest(Exception):
    """A request that cannot be sent on."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class HttpRequest(NamedTuple):
    """A request with its whole body."""

    line: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def path(self) -> str:
        """The path as the server reads it."""
        target = self.line.split(b" ")[1].partition(b"?")[0].partition(b"#")[0]
        return unquote(target.decode("latin-1")).rstrip("/")

    @property
    def is_upgrade(self) -> bool:
        return any(name.lower() == b"upgrade" for name, _ in self.headers)

    @property
    def data(self) -> bytes:
        """Everything that was sent."""
        return b"\n".join((self.line, *(value for _, value in self.headers), self.body))

    def head(self, host: str, origin: str, length: int) -> bytes:
        """Its head for another host. Nothing may be compressed: words in it are replaced."""
        lines = [self.line, b"Host: " + host.encode()]
        for name, value in self.headers:
            if name.lower() not in _DROPPED:
                lines.append(name + b": " + (origin.encode() if name.lower() == b"origin" else value))
        if length or self.line.startswith((b"POST", b"PUT", b"PATCH")):
            lines.append(b"Content-Length: %d" % length)
        return b"\r\n".join(lines) + b"\r\n\r\n"


async def read_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> HttpRequest:
    """The next request of a connection. IncompleteReadError if there is none."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise BadRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE) from None
    line, *rest = head[:-4].split(b"\r\n")
    headers = tuple(
        (name.strip(), value.strip()) for name, colon, value in (one.partition(b":") for one in rest) if colon
    )
    if line.count(b" ") != 2:
        raise BadRequest(HTTPStatus.BAD_REQUEST)
    named = {name.lower(): value for name, value in headers}
    if named.get(b"expect", b"").lower() == b"100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return HttpRequest(line, headers, await _read_body(reader, named))


async def _read_body(reader: asyncio.StreamReader, headers: Mapping[bytes, bytes]) -> bytes:
    if headers.get(b"transfer-encoding", b"").lower() == b"chunked":
        return await _read_chunks(reader)
    length = _number(headers.get(b"content-length", b"0"), 10)
    return await reader.readexactly(length)


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := _number((await reader.readuntil(b"\r\n")).partition(b";")[0].strip(), 16, len(body)):
        body += (await reader.readexactly(size + 2))[:-2]
    while (await reader.readuntil(b"\r\n")) != b"\r\n":
        pass  # a trailer
    return body


def _number(digits: bytes, radix: int, already: int = 0) -> int:
    try:
        number = int(digits, radix)
    except ValueError:
        raise BadRequest(HTTPStatus.BAD_REQUEST) from None
    if not 0 <= number <= LARGEST - already:
        raise BadRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return number


def response(status: HTTPStatus, reason: str, sentence: str) -> bytes:
    """A refusal as the server writes them. The connection is closed after it."""
    body = json.dumps({"type": "about:blank", "title": sentence, "status": status, "reason": reason}).encode()
    head = (
        f"HTTP/1.1 {status} {status.phrase}\r\nContent-Type: application/problem+json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


async def copy_replaced(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, words: Mapping[bytes, bytes]
) -> None:
    """Copy a stream to its end, with words replaced by others of the same length. A word may arrive in two parts, so
    the beginning of one is held back; nothing else is."""
    held = b""
    while data := await reader.read(65_536):
        held += data
        for word, other in words.items():
            held = held.replace(word, other)
        keep = max(_overlap(held, word) for word in words)
        writer.write(held[: len(held) - keep])
        held = held[len(held) - keep :]
        await writer.drain()
    writer.write(held)
    await writer.drain()


def _overlap(data: bytes, word: bytes) -> int:
    """The length of the end of the data with which the word begins."""
    return next((n for n in range(min(len(word) - 1, len(data)), 0, -1) if data.endswith(word[:n])), 0)


async def copy_frames(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, replaced: Callable[[bytes], bytes]
) -> None:
    """Copy the frames of a WebSocket's client to their end, with other payloads."""
    while True:
        first, second = await reader.readexactly(2)
        length = second & 0x7F
        if length >= 126:
            length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
        if length > LARGEST:
            return
        mask = await reader.readexactly(4) if second & 0x80 else b""
        payload = replaced(_masked(await reader.readexactly(length), mask))
        writer.write(bytes([first]) + _length(len(payload), second & 0x80) + mask + _masked(payload, mask))
        await writer.drain()


def _length(length: int, mask_bit: int) -> bytes:
    """The length of a payload as a frame has it."""
    if length < 126:
        return bytes([mask_bit | length])
    if length < 2**16:
        return bytes([mask_bit | 126]) + length.to_bytes(2, "big")
    return bytes([mask_bit | 127]) + length.to_bytes(8, "big")


def _masked(payload: bytes, mask: bytes) -> bytes:
    key = ((mask or bytes(4)) * (len(payload) // 4 + 1))[: len(payload)]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(len(payload), "big")
