"""Something between a client and a server that can go wrong on purpose."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


class Relay:
    """Passes bytes on, both ways. ``swallow`` makes it lose that many answers: what was asked has been done."""

    def __init__(self) -> None:
        self.target = 0  # the port of the server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.swallow = 0
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
                self._open += [near, far]
                threading.Thread(target=self._pass, args=(near, far, False), daemon=True).start()
                threading.Thread(target=self._pass, args=(far, near, True), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_answer and self.swallow:
                    self.swallow -= 1
                    break
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

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


@contextlib.contextmanager
def relay() -> Iterator[Relay]:
    between = Relay()
    try:
        yield between
    finally:
        between.close()
