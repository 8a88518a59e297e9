"""A match on a server: programs play it through their gates, and other agents are asked turn by turn."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from contextlib import ExitStack
from pathlib import Path

from ninefold.agents.evaluation.agent_specs import CommandSpec
from ninefold.agents.evaluation.agents import AgentProgram, check_theft, program_agent, program_place
from ninefold.agents.evaluation.gate import Gate, SeatSecrets
from ninefold.agents.evaluation.keys import environment_of
from ninefold.agents.evaluation.loop import ForfeitedTurn, catch_up
from ninefold.agents.evaluation.runner import EvaluationRun, MatchRunner, PlayedMatch, with_forfeits
from ninefold.agents.evaluation.schedule import MatchJob
from ninefold.agents.evaluation.server import EvaluationServer
from ninefold.client.api import CreatedMatch, RemoteSeat, Server
from ninefold.client.remote import RemoteSession
from ninefold.client.session import Session
from ninefold.client.socket import Document
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.messages import text
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.match import Match
from ninefold.match.state import HUMAN
from ninefold.server.hosting.commands import CLAIM_SECONDS, OPEN, MatchRequest, SeatRequest
from ninefold.server.hosting.handlers import with_audit_entry
from ninefold.server.hosting.model import HostedMatch, SeatHolder
from ninefold.server.storage import store
from ninefold.server.storage.database import snapshot

CREATE_ATTEMPTS = 5  # somebody on a public server may take the seat of a program before we do


class SeatsSession(RemoteSession):
    """A session for several seats of one match."""

    def __init__(self, seats: dict[int, RemoteSeat]) -> None:
        self._seats = seats
        super().__init__(next(iter(seats.values())))

    def act(self, seat: int, action: Action, typed: str = "", *, version: int | None = None) -> None:
        self.act_from(self._seats[seat], action, typed, version=version)


class ServerMatchRunner(MatchRunner):
    """A match on the server of the run, or on one that was named. The run itself takes all seats."""

    session: SeatsSession

    def __init__(self, run: EvaluationRun, job: MatchJob, stack: ExitStack) -> None:
        super().__init__(run, job, stack)
        specs = {seat: self._spec(seat) for seat in (1, 2)}
        self._commands = {seat: spec for seat, spec in specs.items() if isinstance(spec, CommandSpec)}
        self._claim_seconds = CLAIM_SECONDS.clamp(run.plan.seconds * (run.plan.retries + 1))
        self._server = Server(run.server.address())
        stack.callback(self._server.close)
        self._created, joined = self._take_seats()
        self._seats = self._created.seats | {seat: held for seat, (held, _) in joined.items()}
        self._gates = {seat: self._gate(seat, held, request) for seat, (held, request) in joined.items()}
        self._watched = self._server.watch(self._created.watch)
        self.session = SeatsSession(self._seats)
        stack.enter_context(self.session)
        self._notes: list[tuple[int, str, str, int]] = []
        self._gone: Match | None = None  # the match as it ended here, with a seat that is gone
        run.announce(job, self._created.watch)

    def _take_seats(self) -> tuple[CreatedMatch, dict[int, tuple[RemoteSeat, str]]]:
        """A new match, and the seats of programs in it, with the requests that took them."""
        for attempt in range(1, CREATE_ATTEMPTS + 1):
            created = self._server.request_match(self._request())
            try:
                return created, {seat: self._join(created, seat) for seat in self._commands}
            except NotAllowed as refusal:
                if refusal.reason != "invitation_used" or attempt == CREATE_ATTEMPTS:
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _request(self) -> MatchRequest:
        """On a server that was named everybody may watch."""
        plan, job = self._plan, self._job
        one, two = (SeatRequest(OPEN if seat in self._commands else HUMAN, job.agent(seat)) for seat in (1, 2))
        return MatchRequest(
            plan.game.id, plan.options, (one, two), private=self._run.server.is_own, show_moves=plan.show_moves,
            show_lines=plan.show_lines,
            claim_seconds=self._claim_seconds,
        )  # fmt: skip

    def _join(self, created: CreatedMatch, seat: int) -> tuple[RemoteSeat, str]:
        request = secrets.token_hex(16)
        return self._server.join(created.invitations[seat], self._job.agent(seat), request=request), request

    def _gate(self, seat: int, held: RemoteSeat, request: str) -> Gate:
        known_by = SeatSecrets(self._created.invitations[seat].secret, request, held.token or "")
        gate = self._run.gates.open(self._job.agent(seat), self._created.match, known_by)
        self._stack.callback(gate.close)
        return gate

    def play(self) -> PlayedMatch:
        self._play_opening()
        programs = {seat: self._stack.enter_context(self._start(seat)) for seat in self._commands}
        if missing := self._wait_for_programs(programs):
            self._declare_gone(missing)
            return self._played([ForfeitedTurn(missing, text("forfeit.never_joined"), len(self._job.opening))])
        agents = {seat: self._agent(seat) for seat in (1, 2) if seat not in programs}
        gates, timing = list(self._gates.values()), self._run.timing
        for seat, program in programs.items():
            agents[seat] = program_agent(
                program, gates, self.session, self._version, self._plan.seconds, timing.poll, len(self._job.opening)
            )
        forfeits = self._play_turns(agents)
        check_theft(gates)
        return self._played(forfeits)

    def _play_opening(self) -> None:
        """Make the moves of the opening before any program is started: each finds a match that has begun."""
        for move in self._job.opening:
            match = self.session.match
            self.session.act(match.to_act or 1, actions.move(move), version=match.version)
            catch_up(self.session, match)

    def note(self, seat: int, refusal: Refusal) -> None:
        self._notes.append((seat, self._attempted(), refusal.reason, self._run.timing.now()))

    def on_silence(self, seat: int) -> bool:
        match = self.session.match
        if match.to_act != seat:
            return False
        if match.state.pending is None:
            self._declare_gone(seat)
            return True
        wait_until_settled(self.session, match, self._claim_seconds + self._run.timing.slack)
        return False

    def _declare_gone(self, seat: int) -> None:
        """End the match here. On the server, whose referee knows no absence yet, the run resigns for the seat."""
        match = self.session.match
        self._gone = match.act(REFEREE, actions.gone(seat), self._run.timing.now())
        with contextlib.suppress(Refusal):  # whatever happens there now does not count
            self._seats[seat].act(actions.RESIGN)

    def _start(self, seat: int) -> AgentProgram:
        """Start a program. Its environment and its command tell it where its gate is."""
        spec, run, gate = self._commands[seat], self._run, self._gates[seat]
        address, invitation = f"{gate.address}/mcp", str(gate.link)
        variables = {
            "NINEFOLD_MCP": address,
            "NINEFOLD_INVITATION": invitation,
            "NINEFOLD_GAME": self._plan.game.id,
            "NINEFOLD_SIDE": "XO"[seat - 1],
            "NINEFOLD_SECONDS": str(self._plan.seconds),
        }
        place = program_place(self._job.agent(seat), spec, seat, {"{mcp}": address, "{invitation}": invitation})
        environment = environment_of(spec, self._plan.agents.values(), os.environ) | variables
        program = AgentProgram(place, environment, run.transcript(self._job, seat), run.timing, run.isolation)
        run.programs.add(program)
        gate.admit(program)
        return program

    def _wait_for_programs(self, programs: dict[int, AgentProgram]) -> int:
        """Wait until every program has taken its seat; the seat of one that has not come in time, or 0."""
        until = time.monotonic() + self._plan.seconds
        while True:
            codes = {seat: program.exit_code for seat, program in programs.items()}  # before the look at the gates
            is_late = time.monotonic() > until
            check_theft(self._gates.values())
            missing = [seat for seat, gate in self._gates.items() if not gate.is_joined]
            if not missing or self.session.match.result:  # the other one may have resigned already
                return 0
            for seat in missing:
                if code := codes[seat]:
                    crash = programs[seat].crashed(code, has_joined=False)
                    crash.seat = seat
                    raise crash
                if is_late or codes[seat] == 0:
                    return int(seat)
            self.session.wait(self.session.state, self._run.timing.poll)

    def _version(self) -> int:
        version: int = self._watched.view()["version"]
        return version

    def _played(self, forfeits: list[ForfeitedTurn]) -> PlayedMatch:
        """The match and its audit as the server has them, with our own notes and ruling, and the plan's names."""
        server = self._run.server
        hosted = self._stored(server.data) if isinstance(server, EvaluationServer) else self._downloaded()
        for note in self._notes:
            hosted = with_audit_entry(hosted, *note)
        match = self._gone or hosted.match
        one, two = (
            seat._replace(name=name) for seat, name in zip(match.setup.seats, (self._job.x, self._job.o), strict=True)
        )
        hosted = hosted._replace(match=match._replace(setup=match.setup._replace(seats=(one, two))))
        return PlayedMatch(with_forfeits(hosted, forfeits, self._run.timing.now()), forfeits)

    def _stored(self, data: Path) -> HostedMatch:
        """The match in the database of the run's own server."""
        with snapshot(data) as connection:
            return store.load(connection, [self._created.match])[self._created.match]

    def _downloaded(self) -> HostedMatch:
        """The match on another server: its log, and its audit."""
        refused: list[Document] = []
        with contextlib.suppress(Refusal):  # the match did not end there, because nobody could resign for a seat
            refused = self._watched.refused()
        lines = tuple((number, json.dumps(line)) for number, line in enumerate(refused, 1))
        match, now, holder = self._watched.match(), self._run.timing.now(), SeatHolder("person")
        return HostedMatch(
            self._created.match, match, self._request().settings, (holder, holder), now, now, refused=lines
        )


def wait_until_settled(session: Session, match: Match, seconds: float) -> None:
    """Wait until the referee of the server has settled the pending claim."""
    until = time.monotonic() + seconds
    while (state := session.state).match.version == match.version and not state.ended:
        if (left := until - time.monotonic()) <= 0:
            raise NotAllowed("no_server.claim")
        session.wait(state, left)
