"""What requests cost: about one for every third of a millisecond that they take the server."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from ninefold.server.storage.config import MOST_IN_PAGE, PAGE_SIZE, Charged

if TYPE_CHECKING:
    from starlette.types import Scope

MATCHES, RECORDS, ANALYSIS = "/api/v1/matches", "/api/v1/records", "/api/v1/analysis"
PAIRINGS, POSITIONS, PUZZLES = "/api/v1/pairings", "/api/v1/positions", "/api/v1/puzzles"
PROFILE, PROFILES, REPORTS = "/api/v1/profile", "/api/v1/profiles", "/reports"
SHARED = "/g/"
OPENAPI = "/api/v1/openapi.json"
NEW_MATCH_PRICE = 10.0
EXPORTED_MATCH_PRICE = 10.0  # of a match in an export, beside the price of the export
# A match takes space for long; records and analyses take the processor.
_WRITES = {MATCHES: NEW_MATCH_PRICE, PAIRINGS: NEW_MATCH_PRICE, RECORDS: 5.0, ANALYSIS: 5.0, POSITIONS: 2.0}
_WRITES |= {PROFILE: 10.0, f"{PROFILE}/blocks": 3.0}
_PARTS = {"events": 2.0, "log": 2.0, "record": 2.0, "refused": 2.0, "board.svg": 3.0, "report": 5.0}  # of a match
_PARTS |= {
    "hint": 5.0,
    "positions": 5.0,
    "board.png": 10.0,
    "game.gif": 40.0,
}  # of some
# What a mounted app charges for beside its request, which has paid one write (four reads).
CHARGES: dict[Charged, float] = {"match": NEW_MATCH_PRICE - 1.0, "profile": _WRITES[PROFILE], "list": 2.0}
_METHODS = ("GET", "HEAD", "OPTIONS")


def is_write(scope: Scope) -> bool:
    return scope.get("method", "GET") not in _METHODS


def price(scope: Scope) -> float:
    """The price of a request or of a new socket, in reads or in writes."""
    path = scope["path"]
    if is_write(scope):
        return 5.0 if path.endswith(REPORTS) else _WRITES.get(path, 1.0)
    if path == f"{PROFILE}/export":
        return 40.0
    if path == MATCHES or (path.startswith(PROFILE) and path.endswith("/matches")):
        return 5.0 + _page_size(scope["query_string"]) / 5
    if path == OPENAPI:
        return 6.0
    if path.startswith((PUZZLES, PROFILE)):
        return 2.0
    return _PARTS.get(path.rpartition("/")[2], 1.0) if path.startswith((MATCHES, SHARED)) else 1.0


def _page_size(query: bytes) -> int:
    """The largest that is asked for; what is no number is refused later."""
    asked = parse_qs(query.decode("latin-1")).get("limit", ())
    sizes = [min(int(size), MOST_IN_PAGE) for size in asked if size.isascii() and size.isdigit() and len(size) < 5]
    return max(sizes, default=PAGE_SIZE)
