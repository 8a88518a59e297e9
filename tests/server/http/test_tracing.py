"""OpenTelemetry traces: a collector of the test receives a span for each request and for each batch."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.http_server import running

if TYPE_CHECKING:
    from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Collector(ThreadingHTTPServer):
    """Takes what is exported by OTLP over HTTP."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.spans: list[Span] = []
        self.raw = b""
        self.url = f"http://127.0.0.1:{self.server_port}/v1/traces"

    def named(self, name: str) -> list[dict[str, object]]:
        """The attributes of the spans of a name."""
        return [
            {one.key: one.value.string_value or one.value.int_value for one in span.attributes}
            for span in self.spans
            if span.name == name
        ]


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        body = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
        self.server.raw += body
        export = ExportTraceServiceRequest.FromString(body)
        self.server.spans += [
            span for resource in export.resource_spans for scope in resource.scope_spans for span in scope.spans
        ]
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_each_request_and_each_batch_is_a_span_without_secrets(tmp_path: Path, collector: Collector) -> None:
    with running(tmp_path, traces=collector.url) as server:
        match = server.create()
        token = match["seats"]["1"]
        assert server.move(match["match"], token, 0, "5").status_code == 200
        assert server.move(match["match"], token, 0, "5").status_code == 409
        client, _ = server.welcome(match["match"], token)
        client.close()
    route = "/api/v1/matches/{match}/actions"
    answered = collector.named(f"POST {route}")
    assert [span["http.response.status_code"] for span in answered] == [200, 409]
    assert answered[0] == {"http.request.method": "POST", "http.route": route, "http.response.status_code": 200}
    sizes = [int(str(span["ninefold.batch.size"])) for span in collector.named("database batch")]
    assert len(sizes) >= 3
    assert min(sizes) >= 1
    assert match["match"].encode() not in collector.raw
    assert token.encode() not in collector.raw


def test_a_server_without_traces_does_not_load_the_library() -> None:
    code = "import sys, ninefold.server.http.uvicorn_server; print('opentelemetry.sdk.trace' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"
