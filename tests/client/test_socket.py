"""A socket that does not speak like Ninefold: it is said so, or tried again, and never listened to in silence."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator

import pytest
from websockets.sync.server import ServerConnection, serve

from ninefold.client.socket import Changes
from tests.support.server_process import refusal

WELCOME = json.dumps({"type": "welcome", "view": {"size": 0}, "events": []})


@contextlib.contextmanager
def saying(*messages: str | bytes, as_text: bool = False) -> Iterator[Changes]:
    """What is heard of a match from a server that says these things, one in each connection."""
    coming = iter(messages)

    def talk(socket: ServerConnection) -> None:
        with contextlib.suppress(Exception):
            socket.recv()
            socket.send(next(coming, WELCOME), text=as_text or None)
            socket.recv()

    with serve(talk, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        changes = Changes(f"http://127.0.0.1:{server.socket.getsockname()[1]}", "00ff", None)
        try:
            yield changes
        finally:
            changes.close()
            server.shutdown()
            thread.join()


NO_MESSAGES = {
    "a page": "<html>",
    "a list": "[]",
    "too deep": "[" * 100_000,
    "too long a number": "9" * 5_000,
    "no number": "NaN",
    "events without a view": '{"type": "events"}',
    "a pause in words": '{"type": "bye", "retry_ms": "soon"}',
}


@pytest.mark.parametrize("message", NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_what_is_no_message_is_refused(message: str) -> None:
    with saying(message) as changes:
        assert refusal(lambda: next(iter(changes))).reason == "not_a_server"


@pytest.mark.parametrize("as_text", [True, False])
def test_what_is_no_text_breaks_the_connection_which_is_sought_again(as_text: bool) -> None:
    with saying(b"\xff", as_text=as_text) as changes:
        heard = iter(changes)
        assert [next(heard).kind, next(heard).kind] == ["lost", "events"]


@pytest.mark.parametrize("pause", ["1e300", "-1"])
def test_a_pause_that_nobody_can_make_is_not_made(pause: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.client.socket.LONGEST_PAUSE", 0.01)
    with saying(f'{{"type": "bye", "retry_ms": {pause}}}') as changes:
        heard = iter(changes)
        assert [next(heard).kind, next(heard).kind] == ["lost", "events"]
