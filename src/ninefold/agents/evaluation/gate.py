"""The gate of a program: its own address of the server, at which its seat can be taken and played, by it alone.

A program never holds a secret that is worth stealing. The run itself has taken the seat. The program is given passes,
which look like an invitation and a token, and mean nothing anywhere but here; the gate puts the real secrets in their
place, after it has made sure that the connection comes from a process of this program. It does so only where a secret
belongs: a pass that the program tells its opponent stays a pass.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections import ChainMap
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol, TypeVar
from urllib.parse import urlsplit

from ninefold.agents.evaluation.http_relay import (
    BadRequest,
    HttpRequest,
    copy_frames,
    copy_replaced,
    read_request,
    response,
)
from ninefold.agents.evaluation.passes import PASS, SecretFields, new_pass, request_fields, socket_fields
from ninefold.agents.evaluation.peers import Address, Peer
from ninefold.client.links import Link
from ninefold.core.messages import text

T = TypeVar("T")
STRANGER_S = 5.0  # for a stranger to show what it has
LONGEST_HEAD = 65_536  # bytes


class SeatSecrets(NamedTuple):
    """What the server knows a seat by: nobody but the run holds it."""

    invitation: str
    request: str  # the idempotency key with which the run has joined
    token: str


class Theft(NamedTuple):
    """Somebody came with the passes of a seat that was not given to them."""

    thief: str  # an agent; "" if it is not known which process that was


class Owner(Protocol):
    """The program that a seat was given to."""

    def peer(self, its_end: Address, our_end: Address) -> Peer:
        """Whose connection this is."""
        ...


class Gate:
    """The gate of one seat. ``is_joined`` is True once the program has taken its seat, and ``theft`` is there once
    somebody else has tried to."""

    agent: str
    invitation: str
    token: str

    def __init__(self, gates: Gates, agent: str, match: str, seat_secrets: SeatSecrets) -> None:
        self._gates, self.agent, self._match, self._secrets = gates, agent, match, seat_secrets
        self.invitation, self.token = new_pass(), new_pass()
        self._real = {self.invitation: seat_secrets.invitation, self.token: seat_secrets.token}
        self.hidden: dict[bytes, bytes] = {real.encode(): word.encode() for word, real in self._real.items()}
        self.is_joined: bool = False
        self.theft: Theft | None = None
        self.address: str = ""
        self._owner: Future[Owner] = Future()
        self._is_identified = True
        self._join_request: object = None
        self._server: asyncio.Server | None = None

    def admit(self, owner: Owner) -> None:
        """Name the program that this gate is for. Until then nobody passes."""
        self._owner.set_result(owner)

    @property
    def passes(self) -> tuple[str, ...]:
        return tuple(self._real)

    @property
    def link(self) -> Link:
        """The invitation for the program."""
        return Link(self.address, self._match, "invite", self.invitation)

    def close(self) -> None:
        self._gates.close_gate(self)

    # What follows runs in the loop of all gates.

    async def listen(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=LONGEST_HEAD)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def stop(self) -> None:
        if self._server:
            self._server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._gates.tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, EOFError, BadRequest):  # TimeoutError is an OSError
            pass  # the program, or the server, has closed its connection
        except asyncio.CancelledError:
            pass  # all gates close; asyncio would log it
        finally:
            self._gates.tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
        owner = await asyncio.wrap_future(self._owner)
        peer = await asyncio.to_thread(owner.peer, *ends)
        self._is_identified = peer != "unknown"
        if peer == "other":
            await self._turn_away(reader, writer, await asyncio.to_thread(self._gates.agent_at, *ends))
        elif peer != "closed":
            await self._relay(reader, writer)

    async def _turn_away(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, agent: str) -> None:
        """A stranger gets nothing. One who comes with the passes of this seat has stolen them."""
        async with asyncio.timeout(STRANGER_S):
            request = await read_request(reader, writer)
        if any(word.encode() in request.data for word in self._real):
            self.theft = Theft(agent)
        writer.write(response(HTTPStatus.FORBIDDEN, "not_yours", text("gate.stranger")))
        await writer.drain()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Everything that comes goes to the server, and back, with the secrets replaced."""
        up_reader, up_writer = await self._gates.connect_to_server()
        hidden = ChainMap(self.hidden, self._gates.hidden)
        try:
            async with asyncio.TaskGroup() as group:
                down = group.create_task(copy_replaced(up_reader, writer, hidden))
                up = group.create_task(self._send(reader, writer, up_writer))
                await asyncio.wait((down, up), return_when=asyncio.FIRST_COMPLETED)
                if up.done() and not up.cancelled() and up_writer.can_write_eof():
                    up_writer.write_eof()  # what is on its way back still arrives
                    await asyncio.wait((down,))
                down.cancel()
                up.cancel()
        except* (OSError, EOFError):
            pass
        finally:
            up_writer.close()

    async def _send(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, server: asyncio.StreamWriter
    ) -> None:
        while True:
            try:
                request = await read_request(reader, writer)
            except asyncio.IncompleteReadError:
                return
            except BadRequest as bad:
                writer.write(response(bad.status, "unreadable", text("gate.unreadable")))
                return
            if refused := self._refused(request):
                writer.write(refused)
                return
            server.write(self._with_secrets(request))
            await server.drain()
            if request.is_upgrade:
                await copy_frames(reader, server, partial(self._filled, find=socket_fields))
                return

    def _refused(self, request: HttpRequest) -> bytes:
        """The response to a request that is not sent on."""
        if request.path.endswith("/handover"):
            return response(HTTPStatus.FORBIDDEN, "not_allowed", text("gate.handover"))
        return b""

    def _with_secrets(self, request: HttpRequest) -> bytes:
        body = self._filled(request.body, partial(request_fields, request.path))
        headers = tuple((name, self._header(name, value)) for name, value in request.headers)
        host, origin = urlsplit(self._gates.server).netloc, self._gates.server
        return request._replace(headers=headers).head(host, origin, len(body)) + body

    def _header(self, name: bytes, value: bytes) -> bytes:
        if name.lower() != b"authorization":
            return value
        return self._replaced(value.decode("latin-1")).encode("latin-1")

    def _filled(self, data: bytes, find: Callable[[Any], Iterator[SecretFields]]) -> bytes:
        """A message of the program, with secrets in the fields that ``find`` finds in it, and nowhere else."""
        try:
            document = json.loads(data)
            is_changed = [self._fill(fields) for fields in find(document)]
            return json.dumps(document, separators=(",", ":")).encode() if any(is_changed) else data
        except (ValueError, RecursionError):  # the server says what is wrong with it
            return data

    def _fill(self, fields: SecretFields) -> bool:
        """Put secrets into fields; False if there was no pass. To take the seat is to repeat the request of the run,
        which has it."""
        given = {name: value for name in fields.names if isinstance(value := fields.values.get(name), str)}
        filled = {name: self._replaced(value) for name, value in given.items()}
        fields.values.update(filled)
        if fields.is_join and any(self.invitation in value for value in given.values()):
            self._check_repeat(fields.values.get("request"))
            fields.values["request"] = self._secrets.request
        return filled != given

    def _replaced(self, text: str) -> str:
        """A text with the secrets of the seat. Passes of another program are a theft."""
        for found in set(PASS.findall(text)):
            if found in self._real:
                text = text.replace(found, self._real[found])
            else:
                self._gates.report_theft(found, self)
        return text

    def _check_repeat(self, request: object) -> None:
        """Where nobody knows whose connection this is, the seat is taken once: who comes later may be the owner."""
        is_repeat = request is not None and request == self._join_request
        if self.is_joined and not is_repeat and not self._is_identified:
            self.theft = Theft("")
        self.is_joined, self._join_request = True, request


class Gates:
    """All gates of a run, in an event loop of their own. ``agent_at`` names the agent at the end of a connection.

    ``hidden`` has the secrets of all seats, with the passes that programs see instead. It changes in the loop only.
    """

    server: str

    def __init__(self, server: str, agent_at: Callable[[Address, Address], str] = lambda _, __: "") -> None:
        self.server, self.agent_at = server, agent_at
        self._gates: dict[str, Gate] = {}
        self.hidden: dict[bytes, bytes] = {}
        self._loop = asyncio.new_event_loop()
        self.tasks: set[asyncio.Task[None] | None] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="ninefold-gates", daemon=True)
        self._thread.start()

    def open(self, agent: str, match: str, seat_secrets: SeatSecrets) -> Gate:
        """The gate of an agent's seat in a match."""
        gate = Gate(self, agent, match, seat_secrets)
        self._run(self._open(gate))
        return gate

    def close_gate(self, gate: Gate) -> None:
        self._loop.call_soon_threadsafe(self._close, gate)

    async def _open(self, gate: Gate) -> None:
        await gate.listen()
        self._gates |= dict.fromkeys(gate.passes, gate)
        self.hidden |= gate.hidden

    def _close(self, gate: Gate) -> None:
        gate.stop()
        for word in gate.passes:
            self._gates.pop(word, None)
        for secret in gate.hidden:
            self.hidden.pop(secret, None)

    def report_theft(self, word: str, by: Gate) -> None:
        """A pass came through the gate of somebody else."""
        if victim := self._gates.get(word):
            victim.theft = Theft(by.agent)

    async def connect_to_server(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self.server)
        secure = ssl.create_default_context() if parts.scheme == "https" else None
        return await asyncio.open_connection(parts.hostname, parts.port or (443 if secure else 80), ssl=secure)

    def close(self) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _stop(self) -> None:
        for gate in set(self._gates.values()):
            gate.stop()
        tasks = [task for task in self.tasks if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
