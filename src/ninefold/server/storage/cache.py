"""The matches that are held in memory: those that were asked for last, each with what is told of it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ninefold.server.hosting.model import Kept

Document = dict[str, Any]


class Held(NamedTuple):
    kept: Kept
    told: Document | None = None  # the part of its view that only a write changes, once somebody has seen it


class Cache:
    """Matches as they were last committed. Those that nobody asked for lately are let go, their views with them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, match: str) -> Kept | None:
        with self._guard:
            held = self._held.get(match)
            if held is None:
                return None
            self._held.move_to_end(match)
            return held.kept

    def put(self, kept: Kept) -> None:
        with self._guard:
            known = self._held.get(kept.id)
            if known is None or known.kept.revision < kept.revision:
                self._held[kept.id] = Held(kept)
            self._held.move_to_end(kept.id)
            while len(self._held) > self._most:
                self._held.popitem(last=False)

    def told(self, kept: Kept, tell: Callable[[Kept], Document]) -> Document:
        """What ``tell`` says of a match; it is asked once for each revision."""
        held = self._held.get(kept.id)
        if held and held.told is not None and held.kept.revision == kept.revision:
            return held.told
        told = tell(kept)
        with self._guard:
            held = self._held.get(kept.id)
            if held and held.kept.revision == kept.revision:
                self._held[kept.id] = Held(kept, told)
        return told

    def drop(self, matches: Sequence[str] | None = None) -> None:
        with self._guard:
            for match in list(self._held) if matches is None else matches:
                self._held.pop(match, None)
