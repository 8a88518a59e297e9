"""The clients: players who ask again until they are answered, and sockets that follow a match."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket

from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.server.hosting.commands import ClockRequest, MatchRequest, SeatRequest
from ninefold.server.http.config import Limits
from ninefold.server.http.metrics import Metrics
from ninefold.server.http.middleware import RateLimiter
from ninefold.server.http.socket_sender import WRITE
from ninefold.server.http.websocket import Sockets
from ninefold.server.storage.service import Service
from tests.support.simulation.model import AGAIN, NOT_SEATED, Intent
from tests.support.simulation.process import NoAnswer, Process
from tests.support.simulation.world import Violation

if TYPE_CHECKING:
    from tests.support.simulation.simulation import Simulation

GAMES = ("classic", "classic", "agents", "swap-nine")
MOST_TURNS = 7
BEHIND = 0.2  # the share of frames for which a client has to be waited for
LONG_HEADS = {126: 4, 127: 10}  # bytes of a frame before its text, by its second byte; of others two
_METRICS = Metrics()


class Players:
    """Everybody at one board, through its rematches."""

    def __init__(self, simulation: Simulation, number: int) -> None:
        self.simulation, self.number = simulation, number
        self.world, self.model, self.random = simulation.world, simulation.model, simulation.world.random
        self.requests = itertools.count()
        self.tokens: dict[int, str] = {}
        self.profiles: dict[str, str] = {}  # the keys of those who have a profile, by name
        self.creation: Callable[[Service], Awaitable[Any]] | None = None  # the request, as it may be repeated

    def key(self, what: str) -> str:
        return f"{what}-{self.number}-{next(self.requests):016}"

    async def run(self) -> None:
        match = await self.create()
        matches = [match]
        for _ in range(2):
            self.model.matches[match].is_known = True
            if self.world.chance(0.6):
                self.simulation.follow(match, self.tokens.get(1) if self.world.chance(0.3) else self.watch)
            await asyncio.gather(*(self.play(match, seat) for seat in list(self.tokens)))
            if not self.model.matches[match].match.result or not self.world.chance(0.25):
                break
            match = await self.rematch(match)
            if not match:
                break
            matches.append(match)
        if matches[0] in self.model.deleted:
            await self.create_again(matches[0])
        # Who deletes a profile resigns the rated matches that go on; nobody has asked the model for that.
        if all(one in self.model.deleted or self.model.matches[one].match.result for one in matches):
            for name in [name for name in self.profiles if self.world.chance(0.3)]:
                await self.delete_profile(name)

    async def insist(self, call: Callable[[Service], Awaitable[Any]]) -> Any:
        """The answer to a request that is repeated until there is one."""
        pause = 0.1
        while True:
            try:
                return await self.simulation.ask(call)
            except NoAnswer:
                pass
            except Refusal as refusal:
                if refusal.reason not in AGAIN:
                    raise
            await asyncio.sleep(self.random.uniform(0.0, pause))
            pause = min(5.0, 2 * pause)

    # Seats

    async def identify(self, name: str, share: float) -> None:
        """Make a profile, or play without one."""
        if not self.world.chance(share):
            return
        key = self.profiles[name] = self.key(f"the-key-of-{name}")
        await self.insist(lambda service: service.profiles.save(key, name))

    async def delete_profile(self, name: str) -> None:
        key = self.profiles.pop(name)
        self.world.log("deletes the profile of", name)
        try:
            await self.insist(lambda service: service.profiles.delete(key))
        except Refusal as refusal:
            if refusal.reason != "bad_key":  # an earlier request has deleted it, and its answer was lost
                raise

    async def create(self) -> str:
        random, name, key = self.random, f"p{self.number}", self.key("create")
        await self.identify(name, 0.6)
        other = random.choice(("human", "human", "open", "easy"))
        clock = ClockRequest(random.randint(1, 6), random.randint(0, 1)) if random.random() < 0.6 else None
        request = MatchRequest(
            random.choice(GAMES),
            seats=(SeatRequest("human" if random.random() < 0.9 else "easy", name), SeatRequest(other)),
            private=random.random() < 0.3,
            clock=clock,
            claim_seconds=5,
            seed=self.number,
        )
        self.model.ask_for_match(name)

        async def call(service: Service) -> Any:
            identity = await service.profiles.identity(self.profiles.get(name), game=request.game)
            created = await service.create(request, key, identity=identity)
            if self.model.wanted[name] != created["match"]:
                raise Violation(f"the match of {name} was acknowledged and is not committed")
            return created

        self.creation = call
        created = await self.insist(call)
        self.tokens = {int(seat): token for seat, token in created["seats"].items()}
        self.watch = created["watch"]
        for seat, invitation in created["invitations"].items():
            await self.identify(f"q{self.number}", 0.8)
            await self.join(created["match"], int(seat), invitation)
        return str(created["match"])

    async def create_again(self, match: str) -> None:
        """Repeat the request for a match that was deleted, as the network may: it is not created again."""
        assert self.creation
        try:
            await self.insist(self.creation)
        except Refusal as refusal:
            if refusal.reason != "no_such_match":
                raise
        else:
            raise Violation(f"match {match} was deleted, and is acknowledged again")

    async def join(self, match: str, seat: int, secret: str) -> None:
        key = self.key("join")
        said: set[str] = set()

        async def call(service: Service) -> Any:
            name = f"q{self.number}"
            identity = await service.profiles.identity(self.profiles.get(name), match=match)
            joined = await service.join(match, secret, name, key, identity=identity)
            said.add(json.dumps(joined))
            if len(said) > 1:
                raise Violation(f"two answers to the same request to join: {said}")
            return joined

        joined = await self.insist(call)
        if joined["seat"] != seat:
            raise Violation(f"an invitation to seat {seat} has led to {joined['seat']}")
        self.tokens[seat] = joined["token"]

    async def hand_over(self, match: str, seat: int) -> None:
        key, token = self.key("code"), self.tokens[seat]
        code = await self.insist(lambda service: service.handover(match, token, key))
        self.model.matches[match].has_moved_seat = True
        try:
            await self.join(match, seat, code["code"])
        except Refusal as refusal:
            if refusal.reason != "code_used" or self.model.is_exact:
                raise
            return  # the clock was set meanwhile, or the server was away: the code has expired
        try:
            await self.insist(lambda service: service.viewer(match, token))
        except Refusal as refusal:
            if refusal.reason not in NOT_SEATED:
                raise
        else:
            raise Violation("a token opens a seat that was handed over")

    async def rematch(self, match: str) -> str:
        async def ask(seat: int) -> str:
            token = self.tokens[seat]
            return str((await self.insist(lambda service: service.rematch(match, token)))["match"])

        try:
            found = set(await asyncio.gather(*(ask(seat) for seat in list(self.tokens))))
        except Refusal:
            return ""
        rematch = self.model.matches[match].rematch
        if found - {rematch} - self.model.deleted:  # one that was deleted is offered anew
            raise Violation(f"match {match} has the rematches {found}")
        return rematch

    # Actions

    async def play(self, match: str, seat: int) -> None:
        """Play until the match has ended, or was deleted."""
        try:
            await self._play(match, seat)
        except Refusal as refusal:
            if not self.model.may_be_gone(match, refusal):
                raise

    async def _play(self, match: str, seat: int) -> None:
        model, random = self.model.matches[match], self.random
        for _ in range(MOST_TURNS):
            await asyncio.sleep(random.random() ** 2 * 2.0)
            if random.random() < 0.15:
                await self.read(match)
            elif random.random() < 0.15:
                self.simulation.tasks.append(self.simulation.loop.spawn(self.read(match)))  # while others act
            if random.random() < 0.02:
                await self.hand_over(match, seat)
            if model.match.result:
                break
            chosen = choose(model.match, seat, random.random)
            if chosen is None:
                continue
            version: int | None = model.versions[-1] - (random.random() < 0.03)
            if chosen.kind in actions.UNVERSIONED:
                version = None if random.random() < 0.5 else version
            intent = self.model.ask(
                match, seat, self.key("act"), None if chosen.kind in actions.UNVERSIONED else version, chosen
            )
            self.world.log("asks:", intent)
            self.simulation.faults.delete_now(match)
            try:
                await self.insist(self.acting(intent, self.tokens[seat], version))
            except Refusal as refusal:
                self.world.log("refused:", intent, refusal.code)

    def acting(self, intent: Intent, token: str | None, version: int | None) -> Callable[[Service], Awaitable[Any]]:
        async def call(service: Service) -> Any:
            was_done = intent.outcome is not None
            try:
                answer = await service.act(intent.match, token, intent.key, version, intent.action)
            except Refusal as refusal:
                self.model.refused(intent, refusal, was_done)
                raise
            self.model.answered(intent, answer)
            return answer

        return call

    async def read(self, match: str) -> None:
        """Read a match. All that was acknowledged before is there."""
        floor = self.model.matches[match].acknowledged
        whole = self.world.chance(0.6)

        async def call(service: Service) -> None:
            if whole:
                document = (await service.view(match)).document
                self.model.read(match, document["size"], document["version"], document["position"], floor)
            else:
                size = self.model.followed(match, await service.events(match, -1), 0)
                self.model.read(match, size, self.model.matches[match].versions[size], "", floor)

        try:
            await self.insist(call)
        except Refusal as refusal:
            if not self.model.may_be_gone(match, refusal):
                raise


def choose(match: Match, seat: int, chance: Callable[[], float]) -> Action | None:
    """What a player does now; None if they wait."""
    state, dice = match.state, chance()
    if dice < 0.06:
        return actions.say(f"word {chance()}")
    if dice < 0.08:
        return actions.RESIGN if chance() < 0.3 else actions.OFFER_DRAW
    if state.offer and state.offer[0] != seat:
        return actions.ACCEPT if chance() < 0.4 else actions.DECLINE
    if state.pending:
        if match.to_act == seat:
            return actions.CONFIRM if chance() < 0.5 else actions.dispute("no line")
        return actions.WITHDRAW if dice > 0.9 else None
    if match.to_act != seat:
        return None if dice < 0.9 else actions.move(0)  # out of turn
    if dice < 0.13:
        return actions.OFFER_TAKE_BACK
    moves = match.position.moves()
    move = moves[int(chance() * len(moves))]
    if match.setup.has_claims and dice > 0.6:
        return actions.move(move, claim=((0, 1, 2), (0, 4, 8), (2, 4, 6))[int(chance() * 3)])
    return actions.move(move)


class Follower:
    """Follows a match through the server's own sockets, and connects again when a connection breaks."""

    def __init__(self, simulation: Simulation, match: str, token: str | None) -> None:
        self.simulation, self.world, self.model = simulation, simulation.world, simulation.model
        self.match, self.token = match, token
        self.size = 0  # events that have come
        self.is_refused = False
        self._frames: list[dict[str, Any] | None] = []  # None: the connection has broken
        self._arrived = asyncio.Event()

    @property
    def has_all(self) -> bool:
        return self.is_refused or self.size == len(self.model.matches[self.match].rows)

    async def run(self) -> None:
        while not self.is_refused:
            process = self.world.random.choice(self.simulation.cluster.processes)
            if process.is_serving:
                await self._connection(process)
            await asyncio.sleep(self.world.random.uniform(0.1, 1.0))

    async def _connection(self, process: Process) -> None:
        self._frames.clear()
        connection = Connection(self.simulation, process, self._deliver)
        views = self.world.chance(0.5)
        connection.open(self.match, {"type": "hello", "after": self.size - 1, "token": self.token, "view": views})
        try:
            while (frame := await self._next()) is not None:
                self.world.log("socket:", self.match[:4], process.name, frame["type"], frame.get("code", ""))
                if frame["type"] in ("welcome", "events"):
                    self.size = self.model.followed(self.match, frame["events"], self.size)
                if frame["type"] == "refused" and frame["code"].partition(".")[0] not in AGAIN:
                    self.is_refused = True
                if frame["type"] == "moved":
                    self.token = None
        finally:
            connection.cut()

    def _deliver(self, frame: dict[str, Any] | None) -> None:
        self._frames.append(frame)
        self._arrived.set()

    async def _next(self) -> dict[str, Any] | None:
        while not self._frames:
            self._arrived.clear()
            await self._arrived.wait()
        return self._frames.pop(0)


class Connection:
    """One WebSocket: frames come in order and late, until the connection breaks."""

    def __init__(
        self, simulation: Simulation, process: Process, deliver: Callable[[dict[str, Any] | None], None]
    ) -> None:
        self.simulation, self.world, self.process = simulation, simulation.world, process
        self._deliver = deliver
        self._latest = 0.0  # when the last frame arrives
        self._is_cut = False
        self._to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def open(self, match: str, hello: dict[str, Any]) -> None:
        scope: dict[str, Any] = {"type": "websocket", "path": "/", "headers": [], "client": ("10.0.0.1", 1)}
        scope["extensions"] = {WRITE: self._write}
        limits = Limits()
        sockets = Sockets(self.process.service, RateLimiter(limits, lambda: self.world.time), _METRICS, limits)
        self._to_server.put_nowait({"type": "websocket.connect"})
        self._to_server.put_nowait({"type": "websocket.receive", "text": json.dumps(hello)})
        self.process.waiting.append(self.cut)
        self.process.loop.spawn(self._serve(sockets, WebSocket(scope, self._to_server.get, self._send), match))
        if self.world.chance(self.simulation.network.loss):
            self.world.after(self.world.random.uniform(0.0, 3.0), self.cut)

    async def _serve(self, sockets: Sockets, websocket: WebSocket, match: str) -> None:
        await sockets.serve(websocket, match)
        self.world.at(max(self._latest, self.world.time), self.cut)

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.send" and not self._is_cut:
            self._transmit(json.loads(message["text"]))

    def _write(self, frame: bytes) -> bool:
        """Take a frame at once, unless the client is behind."""
        if self._is_cut or self.world.chance(BEHIND):
            return False
        self._transmit(json.loads(frame[LONG_HEADS.get(frame[1], 2) :]))
        return True

    def _transmit(self, frame: dict[str, Any]) -> None:
        self._latest = max(self._latest, self.world.time + self.simulation.network.delay())
        self.world.at(self._latest, lambda: None if self._is_cut else self._deliver(frame))

    def cut(self) -> None:
        if not self._is_cut:
            self._is_cut = True
            if self.cut in self.process.waiting:
                self.process.waiting.remove(self.cut)
            self._to_server.put_nowait({"type": "websocket.disconnect", "code": 1006})
            self.world.after(0.0, lambda: self._deliver(None))
