"""An OpenAI-compatible chat endpoint for tests: it answers well, or fails in one of many ways."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from ninefold.agents.evaluation.reply import find_object


class Request(NamedTuple):
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def conversation(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.body["messages"]
        return messages

    @property
    def board(self) -> dict[str, Any]:
        """The board that the model was sent at the beginning of this turn."""
        return dict(find_object(self.conversation[1]["content"]))


class Handler(BaseHTTPRequestHandler):
    """``behave`` writes the whole answer."""

    behave: Behaviour
    requests: list[Request]
    received: threading.Semaphore
    stopping: threading.Event
    extra: Mapping[str, object] = {}  # fields beside the choices of an answer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = Request(self.path, dict(self.headers), body)
        self.requests.append(request)
        self.received.release()
        with contextlib.suppress(OSError):  # the client has closed the connection
            type(self).behave(self, request)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""

    def reply(self, data: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in ({"Content_Length": str(len(data))} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def say(self, content: object, finish: str = "stop", **message: object) -> None:
        """Answer like a chat."""
        message = {"role": "assistant", "content": content, **message}
        document = {"choices": [{"message": message, "finish_reason": finish}], **self.extra}
        self.reply(json.dumps(document).encode())


Behaviour = Callable[[Handler, Request], None]


class ChatServer(NamedTuple):
    """``received`` can be acquired once for each request."""

    url: str
    requests: list[Request]
    received: threading.Semaphore


@contextlib.contextmanager
def chat_server(behave: Behaviour) -> Iterator[ChatServer]:
    """An endpoint on a free port of this machine."""
    requests: list[Request] = []
    received, stopping = threading.Semaphore(0), threading.Event()
    attributes = {"behave": behave, "requests": requests, "received": received, "stopping": stopping}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("BehavingHandler", (Handler,), attributes))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield ChatServer(f"http://127.0.0.1:{server.server_port}/v1", requests, received)
    finally:
        stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


def plays(handler: Handler, request: Request) -> None:
    """Answers well, with words around the answer, as models do."""
    handler.say(f"Let me think {{about}} this.\n```json\n{json.dumps(choice(request.board))}\n```")


def choice(board: dict[str, Any]) -> dict[str, Any]:
    """The first legal move; claims are answered as the referee sees them."""
    if board["asked"] != "move":
        claim = board["claim"]
        true = any(line["cells"] == claim["cells"] and line["marks"] == [claim["side"]] * 3 for line in claim["lines"])
        return {"action": "confirm"} if true else {"action": "dispute", "reason": "It is no line."}
    return {"action": "move", "move": board["legal_moves"][0], "say": "My move.", "thought": "It is the first one."}


def answers(*contents: object) -> Behaviour:
    """These answers one after the other, and the last one again and again."""
    left = list(contents)
    return lambda handler, _: handler.say(left.pop(0) if len(left) > 1 else left[0])


def fails_first(times: int, fail: Behaviour, then: Behaviour = plays) -> Behaviour:
    left = [fail] * times

    def behave(handler: Handler, request: Request) -> None:
        (left.pop() if left else then)(handler, request)

    return behave


def status(code: int, **headers: str) -> Behaviour:
    return lambda handler, _: handler.reply(b'{"error": "no"}', code, **headers)


def status_text(code: int, text: str) -> Behaviour:
    """An error in plain words, as proxies send it."""
    return lambda handler, _: handler.reply(text.encode(), code)


def error(status: int, /, message: str = "no", **fields: object) -> Behaviour:
    """An error as endpoints describe it."""
    data = json.dumps({"error": {"message": message, **fields}}).encode()
    return lambda handler, _: handler.reply(data, status)


def event_stream(*events: object) -> bytes:
    """Server-sent events."""
    return b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events)


def _deltas(text: str, usage: object) -> list[dict[str, Any]]:
    """A text in pieces of three characters, each with the tokens so far, as some endpoints report them."""
    pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
    return [{"choices": [{"index": 0, "delta": {"content": piece}}], "usage": usage} for piece in pieces]


def streams(text: str, usage: object = None) -> Behaviour:
    """Answers by a stream of events, with the tokens in the last one."""
    end = [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}, {"choices": [], "usage": usage}]
    data = event_stream(*_deltas(text, None), *end) + b"data: [DONE]\n\n"
    return lambda handler, _: handler.reply(data, Content_Type="text/event-stream")


def cuts_stream(text: str, usage: object = None) -> Behaviour:
    """Closes the connection in the middle of a stream."""
    data = event_stream(*_deltas(text, usage)[:2])
    return lambda handler, _: handler.reply(
        data + b'data: {"choi', Content_Type="text/event-stream", Content_Length=str(2 * len(data) + 100)
    )


def raw(data: bytes) -> Behaviour:
    return lambda handler, _: handler.reply(data)


def hangs_up(handler: Handler, _: Request) -> None:
    """Closes the connection without a response."""


def breaks_off(handler: Handler, _: Request) -> None:
    """Promises more than it sends."""
    handler.reply(b'{"choices": [{"mess', Content_Length="1000")


def cut_off(handler: Handler, request: Request) -> None:
    """The model ran out of tokens."""
    handler.say('{"action": "move", "mo', "length")


def never_answers(handler: Handler, _: Request) -> None:
    handler.stopping.wait()


def trickles(handler: Handler, _: Request) -> None:
    """A byte now and then: no single wait is long."""
    handler.reply(b"", Content_Length="1000000")
    while not handler.stopping.wait(0.01):
        handler.wfile.write(b" ")
