"""A relay between a client and a server: it counts requests, and loses responses and connections on purpose."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Iterator

_REQUEST = re.compile(rb"(?:GET|POST) (\S+) HTTP/1\.1\r\n")


class Relay:
    """Passes bytes on, both ways. ``swallow`` makes it lose that many responses: what was requested has been done."""

    def __init__(self) -> None:
        self.target = 0  # the port of the server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.swallow = 0
        self.requested: list[str] = []  # the paths of all requests
        self._hold: tuple[str, threading.Event, threading.Event] | None = None
        self._held: dict[socket.socket, threading.Event] = {}  # whose responses wait for what
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = self._connect()
                if far is None:
                    near.close()
                    continue
                self._open += [near, far]
                threading.Thread(target=self._pass, args=(near, far, False), daemon=True).start()
                threading.Thread(target=self._pass, args=(far, near, True), daemon=True).start()

    def _connect(self) -> socket.socket | None:
        """A connection to the server; None if the client has to come again."""
        return socket.create_connection(("127.0.0.1", self.target))

    def _pass(self, source: socket.socket, target: socket.socket, is_response: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_response and self.swallow:
                    self.swallow -= 1
                    break
                if is_response and target in self._held:
                    self._held.pop(target).wait()
                if not is_response:
                    self._note(source, [path.decode() for path in _REQUEST.findall(data)])
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _note(self, client: socket.socket, paths: list[str]) -> None:
        self.requested += paths
        if self._hold and any(path.endswith(self._hold[0]) for path in paths):
            _, is_requested, may_respond = self._hold
            self._held[client] = may_respond
            is_requested.set()

    @contextlib.contextmanager
    def holding(self, ending: str) -> Iterator[threading.Event]:
        """Hold back the response to a request whose path ends so, until the end of this; the event is set when it was
        requested."""
        is_requested, may_respond = threading.Event(), threading.Event()
        self._hold = (ending, is_requested, may_respond)
        try:
            yield is_requested
        finally:
            self._hold = None
            may_respond.set()

    def count(self, ending: str) -> int:
        """How many requests there were whose path ends so."""
        return sum(path.endswith(ending) for path in self.requested)

    def cut(self) -> None:
        """Break every connection that is open now."""
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for end in self._open:
            end.close()


class Balancer(Relay):
    """A proxy before several servers: each connection goes to the next one that can be reached."""

    def __init__(self) -> None:
        super().__init__()
        self.ports: list[int] = []

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def _connect(self) -> socket.socket | None:
        for _ in self.ports:
            self.ports.append(self.ports.pop(0))
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", self.ports[-1]))
        return None


@contextlib.contextmanager
def balancer() -> Iterator[Balancer]:
    between = Balancer()
    try:
        yield between
    finally:
        between.close()


@contextlib.contextmanager
def relay() -> Iterator[Relay]:
    between = Relay()
    try:
        yield between
    finally:
        between.close()
