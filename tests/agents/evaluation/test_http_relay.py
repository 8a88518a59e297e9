"""Streams on their way through a gate: words and frames that are replaced."""

from __future__ import annotations

import asyncio
import contextlib
from typing import NamedTuple

import pytest

from ninefold.agents.evaluation.http_relay import copy_frames, copy_replaced


class Written(NamedTuple):
    """A stream that keeps what is written."""

    parts: list[bytes]

    def write(self, data: bytes) -> None:
        self.parts.append(data)

    async def drain(self) -> None:
        pass


def test_a_word_that_arrives_in_two_parts_is_replaced_and_nothing_else_waits() -> None:
    async def copy() -> list[bytes]:
        reader, written = asyncio.StreamReader(), Written([])
        copying = asyncio.create_task(copy_replaced(reader, written, {b"secret": b"******"}))  # type: ignore[arg-type]
        for part in (b"data: 1\n\n", b"a sec", b"ret, a sec", b"ond"):
            reader.feed_data(part)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        reader.feed_eof()
        await copying
        return written.parts

    parts = asyncio.run(copy())
    assert parts[0] == b"data: 1\n\n"
    assert b"".join(parts) == b"data: 1\n\na ******, a second"


@pytest.mark.parametrize("size", [5, 200, 70_000])
def test_a_word_in_a_masked_frame_is_replaced(size: int) -> None:
    payload, mask = b"token" + b"x" * (size - 5), b"\x01\x02\x03\x04"
    length = bytes([0x80 | size % 128])
    if size > 125:
        length = b"\xfe" + size.to_bytes(2, "big") if size < 2**16 else b"\xff" + size.to_bytes(8, "big")

    def masked(data: bytes) -> bytes:
        return bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))

    async def copy() -> bytes:
        reader, written = asyncio.StreamReader(), Written([])
        reader.feed_data(b"\x81" + length + mask + masked(payload))
        reader.feed_eof()
        with contextlib.suppress(asyncio.IncompleteReadError):
            await copy_frames(reader, written, lambda data: data.replace(b"token", b"other"))  # type: ignore[arg-type]
        return b"".join(written.parts)

    assert asyncio.run(copy()) == b"\x81" + length + mask + masked(payload.replace(b"token", b"other"))


@pytest.mark.parametrize(("sent", "received"), [(5, 200), (200, 5), (200, 70_000)])
def test_a_frame_has_the_length_of_its_new_payload(sent: int, received: int) -> None:
    async def copy() -> bytes:
        reader, written = asyncio.StreamReader(), Written([])
        reader.feed_data(b"\x81" + (bytes([sent]) if sent < 126 else b"\x7e" + sent.to_bytes(2, "big")) + b"x" * sent)
        reader.feed_eof()
        with contextlib.suppress(asyncio.IncompleteReadError):
            await copy_frames(reader, written, lambda _: b"y" * received)  # type: ignore[arg-type]
        return b"".join(written.parts)

    lengths = {5: b"\x05", 200: b"\x7e\x00\xc8", 70_000: b"\x7f\x00\x00\x00\x00\x00\x01\x11\x70"}
    assert asyncio.run(copy()) == b"\x81" + lengths[received] + b"y" * received
