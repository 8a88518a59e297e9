"""The matches that are held in memory: those that were asked for last, each with what is told of it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ninefold.server.hosting.model import HostedMatch
from ninefold.server.hosting.view import StoredView


class CachedMatch(NamedTuple):
    hosted: HostedMatch
    told: StoredView | None = None  # the part of its view that only a write changes, once somebody has seen it


class Cache:
    """Matches as they were last committed. Those that nobody asked for lately are let go, their views with them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, CachedMatch] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, match: str) -> HostedMatch | None:
        with self._guard:
            held = self._held.get(match)
            if held is None:
                return None
            self._held.move_to_end(match)
            return held.hosted

    def put(self, hosted: HostedMatch) -> None:
        with self._guard:
            known = self._held.get(hosted.id)
            if known is None or known.hosted.revision < hosted.revision:
                self._held[hosted.id] = CachedMatch(hosted)
            self._held.move_to_end(hosted.id)
            while len(self._held) > self._most:
                self._held.popitem(last=False)

    def told(self, hosted: HostedMatch, tell: Callable[[HostedMatch], StoredView]) -> StoredView:
        """What ``tell`` says of a match; it is asked once for each revision."""
        held = self._held.get(hosted.id)
        if held and held.told is not None and held.hosted.revision == hosted.revision:
            return held.told
        told = tell(hosted)
        with self._guard:
            held = self._held.get(hosted.id)
            if held and held.hosted.revision == hosted.revision:
                self._held[hosted.id] = CachedMatch(hosted, told)
        return told

    def drop(self, matches: Sequence[str] | None = None) -> None:
        with self._guard:
            for match in list(self._held) if matches is None else matches:
                self._held.pop(match, None)
