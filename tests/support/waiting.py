"""Waiting for a condition, with one limit for everything that has to happen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE = 120.0  # seconds, on a machine that has much else to do; on an idle one nothing takes three
_BETWEEN = 0.02  # seconds between two looks at another process or thread


def _nothing() -> str:
    return ""


def wait_until(holds: Callable[[], bool], shown: Callable[[], str] = _nothing) -> None:
    """Wait for a condition of another process or thread. ``shown`` says what is there instead."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"It has not happened. {shown()}"
        time.sleep(_BETWEEN)


async def until(holds: Callable[[], bool]) -> None:
    """Wait for a condition on this event loop, where everything else goes on."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0)
