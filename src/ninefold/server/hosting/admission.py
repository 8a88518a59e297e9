"""Who may take a seat: bans of the operator, and blocks between players. Pure: the time is passed in."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ninefold.core.errors import NotAllowed
from ninefold.server.hosting.deadlines import DAY_MS

Bans = Mapping[str, int | None]  # profiles and addresses, each until a time (None: for ever)

Blocks = Collection[tuple[str, str]]  # pairs of profiles: the first blocks the second


def check_ban(bans: Bans, who: str, now: int) -> None:
    """Refuse a profile or an address that is banned."""
    if who not in bans:
        return
    until = bans[who]
    if until is None:
        raise NotAllowed("banned")
    if now < until:
        raise NotAllowed("banned.until", count=-((now - until) // DAY_MS))


def check_blocks(blocks: Blocks, one: str, other: str) -> None:
    """Refuse two profiles one of which blocks the other."""
    if (one, other) in blocks or (other, one) in blocks:
        raise NotAllowed("blocked")
