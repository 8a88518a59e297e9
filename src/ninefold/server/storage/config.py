"""How a service runs: its limits and its intervals. These are the only defaults."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Literal, NamedTuple

from ninefold.core.errors import Refusal

PAGE_SIZE, MOST_IN_PAGE = 50, 100  # matches in a page of the list
CHARGE = "ninefold.charge"  # the ASGI extension by which a mounted app charges for what costs more than its request
REFUSED = "ninefold.refused"  # the one that tells a mounted app of a refused request, to be answered in its protocol

Charged = Literal["match", "profile", "list"]  # what costs more: a new match or profile, a list of matches

# The address on whose behalf a request is executed: computers move for it.
REQUESTER: ContextVar[str] = ContextVar("ninefold_requester", default="")


class RefusedRequest(NamedTuple):
    """A request to a mounted app that is beyond a limit, and the status and headers of the refusal."""

    refusal: Refusal
    status: int
    headers: Mapping[str, str]


class ServiceConfig(NamedTuple):
    matches: int = 50_000  # that may be open or live
    spectators: int = 2_000  # of one match, in one process
    cached: int = 10_000  # matches in memory
    engines: int = 1  # moves of bots that are computed at a time
    engine_queue: int = 2_000  # moves of computers that may wait, in one process, when another match is created
    engine_queue_each: int = 32  # for one address
    computer_matches: int = 64  # of two computers, in one process
    computer_matches_each: int = 8  # for one address
    keep_days: int = 0  # how long an ended match is stored; 0: for ever
    sweep_seconds: float = 0.2  # between two looks for deadlines that have passed
    heartbeat_seconds: float = 2.0
    outage_ms: int = 6_000  # a longer silence was an outage (the machine slept, say), and is charged to nobody
    database_seconds: float = 5.0  # for one call of the database; one that takes longer is refused
    stop_seconds: float = 5.0  # for what is being written when the service stops
    presence_seconds: float = 20.0  # between two refreshes of who is connected
    housekeeping_seconds: float = 600.0
    batch: int = 500  # matches in one sweep, or in one step of the housekeeping
