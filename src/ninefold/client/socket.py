"""What happens in a match, as it happens: the socket, which comes back by itself and misses nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ninefold.client.http import API, LATER, Document, pauses, refusal
from ninefold.core.errors import Unreadable
from ninefold.core.strict_json import read_json

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

SILENCE = 45.0  # seconds; the server beats every 15
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 60.0  # seconds before another attempt, whatever the server wants
LARGEST = 8 * 1024 * 1024
NOT_NINEFOLD = Unreadable("not_a_server", "The socket does not speak like Ninefold.", "Ask another server.")

Kind = Literal["events", "presence", "moved", "lost"]


class Change(NamedTuple):
    """Events with the view after them (first of all, the view as it is), who is there, or what became of the socket:
    the seat was carried elsewhere, or the connection was lost and is being sought."""

    kind: Kind
    view: Mapping[str, Any] = {}
    events: tuple[Document, ...] = ()
    seats: Mapping[str, bool] = {}


class Again(Exception):
    """The talk is over for now, and may be taken up again."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Changes:
    """Iterate over it once. ``close``, from any thread, ends that."""

    def __init__(self, address: str, match: str, token: str | None, after: int | None = None) -> None:
        self._url = f"ws{address.removeprefix('http')}{API}/matches/{match}/socket"
        self._token = token
        self._after = after  # the index of the last event that is known
        self._moved = False
        self._closed = threading.Event()
        self._socket: ClientConnection | None = None

    def close(self) -> None:
        self._closed.set()
        if self._socket:
            self._socket.close()

    def __iter__(self) -> Iterator[Change]:
        attempts = pauses()
        lost = False
        while not self._closed.is_set():
            pause = 0.0
            try:
                for change in self._talk():
                    attempts, lost = pauses(), False
                    yield change
            except Again as again:
                pause = again.seconds
            if self._closed.is_set():
                return
            if not lost:
                lost = True
                yield Change("lost")
            self._closed.wait(max(pause, next(attempts), SHORTEST_PAUSE))

    def _talk(self) -> Iterator[Change]:
        """One connection, from hello to its end."""
        from websockets.exceptions import ConnectionClosedOK, InvalidStatus, WebSocketException
        from websockets.sync.client import connect

        try:
            with connect(self._url, proxy=None, max_size=LARGEST, close_timeout=2) as socket:
                self._socket = socket
                hello: Document = {"type": "hello", "token": self._token, "after": self._after}
                socket.send(json.dumps({name: value for name, value in hello.items() if value is not None}))
                while not self._closed.is_set():
                    yield from self._heard(_read(socket.recv(SILENCE, decode=True)))
        except InvalidStatus as error:
            response = error.response
            if response.status_code in LATER:
                raise Again from None
            raise refusal(response.status_code, bytes(response.body or b"")) from None
        except ConnectionClosedOK:
            if not self._moved:
                raise Again from None
            self._closed.set()  # a private match shuts out who has no seat in it any more
        except (OSError, WebSocketException):  # silence for too long is an OSError too
            raise Again from None
        except (AttributeError, LookupError, TypeError):
            raise NOT_NINEFOLD from None

    def _heard(self, message: Any) -> Iterator[Change]:
        match message.get("type"):
            case "welcome" | "events":
                view, events = message["view"], tuple(message.get("events", ()))
                self._after = view["size"] - 1
                yield Change("events", view, events)
            case "presence":
                yield Change("presence", seats=message["seats"])
            case "moved":
                self._token, self._moved = None, True
                yield Change("moved")
            case "bye":
                raise Again(min(message.get("retry_ms", 0) / 1000, LONGEST_PAUSE))
            case "refused" if message["status"] in LATER:
                raise Again
            case "refused":
                raise refusal(message["status"], message)


def _read(message: str) -> Any:
    try:
        return read_json(message)
    except ValueError:
        raise NOT_NINEFOLD from None
