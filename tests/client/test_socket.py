"""A socket whose messages are not those of Ninefold: they are refused, or the connection is opened again."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator

import pytest
from websockets.sync.server import ServerConnection, serve

from ninefold.client.socket import ChangeStream
from tests.support.server_process import refusal

WELCOME = json.dumps({"type": "welcome", "view": {"size": 0}, "events": []})


@contextlib.contextmanager
def server_sending(*messages: str | bytes, as_text: bool = False, longest_wait: float = 60.0) -> Iterator[ChangeStream]:
    """The changes of a match on a server that sends one of these messages in each connection."""
    coming = iter(messages)

    def talk(socket: ServerConnection) -> None:
        with contextlib.suppress(Exception):
            socket.recv()
            socket.send(next(coming, WELCOME), text=as_text or None)
            socket.recv()

    with serve(talk, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        changes = ChangeStream(
            f"http://127.0.0.1:{server.socket.getsockname()[1]}", "00ff", None, longest_wait=longest_wait
        )
        try:
            yield changes
        finally:
            changes.close()
            server.shutdown()
            thread.join()


UNREADABLE = {
    "a page": "<html>",
    "a list": "[]",
    "too deep": "[" * 100_000,
    "too long a number": "9" * 5_000,
    "no number": "NaN",
    "events without a view": '{"type": "events"}',
    "a pause in words": '{"type": "bye", "retry_ms": "soon"}',
}


@pytest.mark.parametrize("message", UNREADABLE.values(), ids=UNREADABLE)
def test_a_message_that_cannot_be_read_is_refused(message: str) -> None:
    with server_sending(message) as changes:
        assert refusal(lambda: next(iter(changes))).reason == "not_a_server"


@pytest.mark.parametrize("as_text", [True, False])
def test_a_message_that_is_not_text_ends_the_connection_which_is_opened_again(as_text: bool) -> None:
    with server_sending(b"\xff", as_text=as_text) as changes:
        heard = iter(changes)
        assert [next(heard).kind, next(heard).kind] == ["lost", "events"]


@pytest.mark.parametrize("pause", ["1e300", "-1"])
def test_a_server_cannot_ask_for_any_pause(pause: str) -> None:
    with server_sending(f'{{"type": "bye", "retry_ms": {pause}}}', longest_wait=0.01) as changes:
        heard = iter(changes)
        assert [next(heard).kind, next(heard).kind] == ["lost", "events"]
