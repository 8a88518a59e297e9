"""Limits of an endpoint that all matches of a run share: requests and tokens a minute, and requests in flight."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf

from ninefold.agents.evaluation.plan_tables import EndpointSpec

MINUTE = 60.0


class Ticket:
    """A request that was let through at a time. Its tokens are an estimate until the endpoint has reported them."""

    at: float
    tokens: int

    def __init__(self, at: float, tokens: int) -> None:
        self.at, self.tokens = at, tokens


class RateWindow:
    """The requests of the last minute, and those in flight. It has no clock: times are given."""

    def __init__(self, limits: EndpointSpec) -> None:
        self._limits = limits
        self._tickets: deque[Ticket] = deque()
        self._in_flight = 0
        self._held_until = 0.0

    def delay(self, now: float, tokens: int) -> float:
        """The seconds after which another request may be let through, 0 for now; infinite if one has to end first."""
        limits = self._limits
        while self._tickets and self._tickets[0].at <= now - MINUTE:
            self._tickets.popleft()
        if limits.in_flight is not None and self._in_flight >= limits.in_flight:
            return inf
        free_at = [now, self._held_until]
        if limits.requests_per_minute is not None and len(self._tickets) >= limits.requests_per_minute:
            free_at.append(self._tickets[-limits.requests_per_minute].at + MINUTE)
        if limits.tokens_per_minute is not None:
            free_at.append(self._tokens_free_at(limits.tokens_per_minute - tokens))
        return max(free_at) - now

    def _tokens_free_at(self, room: int) -> float:
        """The time at which the tokens of the last minute fit into so much room. A request that is larger than the
        limit itself is let through when it is alone."""
        left, at = sum(ticket.tokens for ticket in self._tickets), 0.0
        for ticket in self._tickets:
            if left <= max(room, 0):
                break
            left, at = left - ticket.tokens, ticket.at + MINUTE
        return at

    def begin(self, now: float, tokens: int) -> Ticket:
        ticket = Ticket(now, tokens)
        self._tickets.append(ticket)
        self._in_flight += 1
        return ticket

    def end(self) -> None:
        self._in_flight -= 1

    def hold(self, until: float) -> None:
        """The endpoint has asked everybody to wait."""
        self._held_until = max(self._held_until, until)


class EndpointThrottle:
    """Lets requests through to one endpoint as its limits allow. Threads share it.

    ``was_reached`` is True when the endpoint has answered once. If it cannot be reached then, it is away for a while.
    """

    def __init__(self, limits: EndpointSpec = EndpointSpec(), clock: Callable[[], float] = time.monotonic) -> None:
        self._window, self._clock = RateWindow(limits), clock
        self._changed = threading.Condition()
        self.was_reached = False

    def delay(self, tokens: int) -> float:
        """The seconds that a request would wait; infinite if another one has to end first."""
        with self._changed:
            return self._window.delay(self._clock(), tokens)

    @contextmanager
    def passing(self, tokens: int) -> Iterator[Ticket]:
        """Wait for the turn of a request, and hold its place while it is in flight."""
        with self._changed:
            while (delay := self._window.delay(self._clock(), tokens)) > 0:
                self._changed.wait(None if delay == inf else delay)
            ticket = self._window.begin(self._clock(), tokens)
        try:
            yield ticket
        finally:
            with self._changed:
                self._window.end()
                self._changed.notify_all()

    def hold(self, seconds: float) -> None:
        with self._changed:
            self._window.hold(self._clock() + seconds)
