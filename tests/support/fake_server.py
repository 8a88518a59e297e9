"""An HTTP server that sends the responses it was given, in order."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class FakeResponse(NamedTuple):
    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = {}
    length: int | None = None  # the length that is claimed, if it is not the true one
    pause: Callable[[], object] | None = None  # called between the halves of the body


class FakeServer:
    def __init__(self, responses: tuple[FakeResponse, ...]) -> None:
        self.responses = list(responses)
        self.bodies: list[bytes] = []
        self.paths: list[str] = []
        self.connections = 0
        self.url = ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: FakeServer

    def setup(self) -> None:
        super().setup()
        self.fake.connections += 1

    def do_GET(self) -> None:
        fake = self.fake
        fake.paths.append(self.path)
        fake.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        status, body, headers, length, pause = fake.responses.pop(0)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body) if length is None else length)}.items():
            self.send_header(name, value)
        self.end_headers()
        half = len(body) // 2
        with contextlib.suppress(OSError):  # the client may have gone
            self.wfile.write(body[:half])
            if pause:
                self.wfile.flush()
                pause()
            self.wfile.write(body[half:])
        self.close_connection = length is not None

    do_POST = do_GET  # noqa: N815 - the name is the library's

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def fake_server(*responses: FakeResponse) -> Iterator[FakeServer]:
    fake = FakeServer(responses)
    handler: Any = type("Handler", (_Handler,), {"fake": fake})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        running.daemon_threads = True
        fake.url = f"http://127.0.0.1:{running.server_address[1]}"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield fake
        finally:
            running.shutdown()
            thread.join()
