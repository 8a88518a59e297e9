"""How a service runs: its limits and its intervals. These are the only defaults."""

from __future__ import annotations

from typing import NamedTuple

PAGE_SIZE, MOST_IN_PAGE = 50, 100  # matches in a page of the list
NEW_MATCH = "ninefold.new_match"  # the ASGI extension by which a mounted app charges for a new match


class ServiceConfig(NamedTuple):
    matches: int = 50_000  # that may be open or live
    spectators: int = 2_000  # of one match, in one process
    cached: int = 10_000  # matches in memory
    engines: int = 1  # moves of bots that are computed at a time
    keep_days: int = 0  # how long an ended match is stored; 0: for ever
    sweep_seconds: float = 0.2  # between two looks for deadlines that have passed
    heartbeat_seconds: float = 2.0
    outage_ms: int = 6_000  # a longer silence was an outage (the machine slept, say), and is charged to nobody
    presence_seconds: float = 20.0  # between two refreshes of who is connected
    housekeeping_seconds: float = 600.0
    batch: int = 500  # matches in one sweep, or in one step of the housekeeping
