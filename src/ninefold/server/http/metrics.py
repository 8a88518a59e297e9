"""Metrics for Prometheus, served at an address of their own: one for all workers of a server.

Several workers count in files of a shared folder (prometheus-client's multiprocess mode), which the supervisor sums up.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from ninefold.core.errors import NotAllowed
from ninefold.server.http.logs import dropped_lines, log_info

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "SOCKET")


class Metrics:
    """What one process has counted since its start."""

    def __init__(self) -> None:
        disable_created_metrics()
        self.registry: CollectorRegistry = CollectorRegistry()
        self._requests = Counter(
            "ninefold_http_requests_total",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._refusals = Counter("ninefold_refusals_total", "Refusals by reason.", ("reason",), registry=self.registry)
        self._action_seconds = Histogram(
            "ninefold_action_seconds", "From the request of an action to its response.",
            buckets=BUCKETS, registry=self.registry,
        )  # fmt: skip
        self._moves = Counter("ninefold_moves_total", "Moves that were made.", registry=self.registry)
        self._matches = Gauge(
            "ninefold_matches",
            "Matches by status.",
            ("status",),
            registry=self.registry,
            multiprocess_mode="livemostrecent",  # every worker counts the matches of the same database
        )
        self.sockets: Gauge = self._sum("ninefold_sockets_open", "Sockets that are open now.")
        self._writes = self._sum("ninefold_writes_waiting", "Writes that wait for the database.")
        self._bots = self._sum("ninefold_engine_queue", "Matches that wait for a move of the computer.")
        self._commit = Gauge(
            "ninefold_last_commit_seconds",
            "Seconds since the database last took a write.",
            registry=self.registry,
            multiprocess_mode="livemax",
        )
        self._dropped = Counter(
            "ninefold_log_lines_dropped_total", "Lines that nobody read in time.", registry=self.registry
        )
        self._counted_moves = self._counted_drops = 0

    def _sum(self, name: str, help: str) -> Gauge:
        return Gauge(name, help, registry=self.registry, multiprocess_mode="livesum")

    def count_request(self, method: str, route: str, status: int) -> None:
        self._requests.labels(method if method in _METHODS else "other", route, str(status)).inc()

    def count_refusal(self, reason: str) -> None:
        self._refusals.labels(reason).inc()

    def observe_action(self, seconds: float) -> None:
        """How long an action took, also if it was refused."""
        self._action_seconds.observe(seconds)

    def update(self, health: Mapping[str, Any]) -> None:
        """Take over what the service counts itself."""
        self._moves.inc(health["moves"] - self._counted_moves)
        self._counted_moves = health["moves"]
        dropped = dropped_lines()
        self._dropped.inc(dropped - self._counted_drops)
        self._counted_drops = dropped
        for status in ("open", "live"):
            self._matches.labels(status).set(health["matches"].get(status, 0))
        self._writes.set(health["writes_waiting"])
        self._bots.set(health["bots_busy"])
        self._commit.set(health["last_commit_seconds"])


@contextlib.contextmanager
def serve_metrics(host: str, port: int, registry: CollectorRegistry) -> Iterator[None]:
    """Serve metrics in a thread."""
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise NotAllowed("address_in_use.metrics", host=host, port=port, why=why) from None
    log_info("metrics listening", address=f"{host}:{server.server_port}")
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class SharedMetrics(NamedTuple):
    """The metrics of several workers, in a folder of their supervisor."""

    folder: str

    def remove_worker(self, pid: int | None) -> None:
        """Drop the gauges of a worker that has died. Its counters stay: sums must not decrease."""
        if self.folder and pid is not None:
            mark_process_dead(pid, self.folder)


@contextlib.contextmanager
def shared_metrics(address: tuple[str, int] | None) -> Iterator[SharedMetrics]:
    """Serve the sums of all workers that are started inside, if there is an address to serve them at."""
    if address is None:
        yield SharedMetrics("")
        return
    registry = CollectorRegistry()
    with tempfile.TemporaryDirectory(prefix="ninefold-metrics-") as folder:
        MultiProcessCollector(registry, folder)
        with serve_metrics(*address, registry):
            os.environ[FOLDER] = folder  # for the workers, which inherit it
            try:
                yield SharedMetrics(folder)
            finally:
                del os.environ[FOLDER]
