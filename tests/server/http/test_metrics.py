"""Metrics for Prometheus: at an address of their own, and summed up over all workers."""

from __future__ import annotations

import json
import os
import signal
import socket
from pathlib import Path

import httpx
import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from ninefold.server.http.metrics import BUCKETS, FOLDER, Metrics, shared_metrics
from tests.support.http_server import API, running, serving
from tests.support.postgres import Postgres
from tests.support.torture import workers_of
from tests.support.waiting import PATIENCE, wait_until

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]

HEALTH = {"matches": {"live": 2}, "moves": 0, "writes_waiting": 0, "bots_busy": 0, "last_commit_seconds": 0.0}


def parse(text: str) -> Samples:
    families = text_string_to_metric_families(text)
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def scrape(port: int) -> Samples:
    return parse(httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE).text)


def sample(samples: Samples, name: str, **labels: str) -> float:
    return samples.get((name, frozenset(labels.items())), 0.0)


@pytest.fixture
def port() -> int:
    """A free one."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        found: int = free.getsockname()[1]
        return found


def test_metrics_are_served_at_their_own_address(tmp_path: Path, port: int) -> None:
    with running(tmp_path, metrics=("127.0.0.1", port)) as server:
        match = server.create()
        server.move(match["match"], match["seats"]["1"], 0, "5")
        server.move(match["match"], match["seats"]["1"], 0, "5")
        client, _ = server.welcome(match["match"])
        with client:
            wait_until(lambda: sample(scrape(port), "ninefold_moves_total") == 1)
            samples = scrape(port)
        assert server.http.get("/metrics").status_code == 404
    route = f"{API}/matches/{{match}}/actions"
    for status in ("200", "409"):
        assert sample(samples, "ninefold_http_requests_total", method="POST", route=route, status=status) == 1
    assert sample(samples, "ninefold_refusals_total", reason="stale_version") == 1
    assert sample(samples, "ninefold_sockets_open") == 1
    assert sample(samples, "ninefold_action_seconds_bucket", le="+Inf") == 2
    assert sample(samples, "ninefold_action_seconds_count") == 2
    assert ("ninefold_engine_queue", frozenset()) in samples


def test_one_address_serves_the_sums_of_all_workers(postgres: Postgres, tmp_path: Path) -> None:
    options = ("--database", postgres.new_database(), "--workers", "2", "--metrics", "127.0.0.1:0")
    with serving("--data", str(tmp_path), *options) as process:
        server = process.server
        assert process.process.stderr
        first = json.loads(process.process.stderr.readline())
        assert first["event"] == "metrics listening"
        port = int(first["address"].rpartition(":")[2])
        match = server.create()
        clients = [server.welcome(match["match"], match["seats"]["1"])[0] for _ in range(8)]  # spread over both
        assert server.move(match["match"], match["seats"]["1"], 0, "5").status_code == 200
        wait_until(lambda: sample(scrape(port), "ninefold_sockets_open") == 8)
        wait_until(lambda: sample(scrape(port), "ninefold_moves_total") == 1)
        wait_until(lambda: sample(scrape(port), "ninefold_matches", status="live") == 1)
        created = {"method": "POST", "route": f"{API}/matches", "status": "201"}
        for worker in workers_of(process.process.pid):
            os.kill(worker, signal.SIGKILL)
        wait_until(lambda: sample(scrape(port), "ninefold_sockets_open") == 0)
        samples = scrape(port)
        assert sample(samples, "ninefold_http_requests_total", **created) == 1  # of a worker that died
        assert sample(samples, "ninefold_moves_total") == 1
        for client in clients:
            client.close()


def test_the_folder_of_the_workers_is_removed_with_their_supervisor(port: int) -> None:
    with shared_metrics(("127.0.0.1", port)) as shared:
        assert os.environ[FOLDER] == shared.folder
        assert Path(shared.folder).is_dir()
    assert FOLDER not in os.environ
    assert not Path(shared.folder).exists()


def test_the_histogram_counts_each_action_in_every_bucket_it_fits() -> None:
    metrics = Metrics()
    for seconds in (0.0005, 0.001, 0.3, 99.0):
        metrics.observe_action(seconds)
    metrics.update(HEALTH)
    counts = [
        metrics.registry.get_sample_value("ninefold_action_seconds_bucket", {"le": le})
        for le in (str(BUCKETS[0]), "0.5", "2.5", "+Inf")
    ]
    assert counts == [2, 3, 3, 4]
    assert metrics.registry.get_sample_value("ninefold_matches", {"status": "live"}) == 2


def test_moves_are_counted_once() -> None:
    metrics = Metrics()
    for moves in (0, 3, 3, 5):
        metrics.update(HEALTH | {"moves": moves})
    assert metrics.registry.get_sample_value("ninefold_moves_total") == 5


def test_labels_cannot_be_broken_out_of() -> None:
    metrics = Metrics()
    metrics.count_request("BREW", 'a"b\\c\n', 418)
    text = generate_latest(metrics.registry).decode()
    assert 'method="other",route="a\\"b\\\\c\\n",status="418"' in text
    assert "_created" not in text
