"""Running the matches of an evaluation, each in a session of its own: in this process, or on the server of the run."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from contextlib import ExitStack
from typing import NamedTuple, Self
from weakref import WeakSet

from ninefold.agents.evaluation.agents import AgentProgram, ChatAgent, Timing, program_agent, scripted_agent
from ninefold.agents.evaluation.endpoint import ChatEndpoint
from ninefold.agents.evaluation.keys import ApiKeys, environment_of
from ninefold.agents.evaluation.loop import Agent, AgentCrashed, AgentRejected, ForfeitedTurn, TurnLoop, TurnRules
from ninefold.agents.evaluation.opening_moves import from_opening, with_opening
from ninefold.agents.evaluation.plan import AgentSpec, ChatSpec, CommandSpec, Plan
from ninefold.agents.evaluation.schedule import JobResult, MatchJob, RunFolder
from ninefold.agents.evaluation.server import EvaluationServer
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.analysis.report.metrics import FORFEITED
from ninefold.client.api import Server
from ninefold.client.local import LocalSession
from ninefold.client.remote import RemoteSession
from ninefold.client.session import Session
from ninefold.core.errors import NotAllowed, Refusal, quoted
from ninefold.core.messages import text
from ninefold.match import actions
from ninefold.match.actions import REFEREE
from ninefold.match.match import Match
from ninefold.match.state import HUMAN
from ninefold.match.summary import player_seed
from ninefold.server.hosting.commands import CLAIM_SECONDS, OPEN, MatchRequest, SeatRequest
from ninefold.server.hosting.handlers import with_audit_entry
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage import store
from ninefold.server.storage.database import snapshot


class EvaluationRun:
    """The resources that the matches of a run share. ``close`` stops its server and all programs that still run."""

    def __init__(self, plan: Plan, keys: ApiKeys, folder: RunFolder, timing: Timing = Timing()) -> None:
        self.plan, self.keys, self.folder, self.timing = plan, keys, folder, timing
        self.server = EvaluationServer(folder.path)
        self.programs: WeakSet[AgentProgram] = WeakSet()

    def play(self, job: MatchJob) -> JobResult:
        """Play a match and save it. If an agent crashes, only the transcripts are kept."""
        try:
            with ExitStack() as stack:
                hosted, forfeits = _match_runner(self, job, stack).play()
        except AgentCrashed as crash:
            return JobResult(job.number, job.x, job.o, crash=job.agent(crash.seat), seat=crash.seat, why=crash.sentence)
        except AgentRejected as refusal:
            agent = quoted(job.agent(refusal.seat))
            raise AgentRejected("rejected.agent", agent=agent, why=refusal.sentence) from None
        self.folder.save(job.number, with_opening(hosted, job.opening, self.timing.now()))
        result = hosted.match.result
        score, by = (result.score, result.by) if result else ("*", "")
        return JobResult(
            job.number, job.x, job.o, score, by, tuple((job.agent(lost.seat), lost.why) for lost in forfeits)
        )

    def transcript(self, job: MatchJob, seat: int) -> Transcript:
        return Transcript(self.folder.transcript(job.number, seat), self.keys)

    def close(self) -> None:
        for program in list(self.programs):
            program.close()
        self.server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PlayedMatch(NamedTuple):
    """A match with its audit, and the turns that were forfeited in it."""

    hosted: HostedMatch
    forfeits: list[ForfeitedTurn]


def _match_runner(run: EvaluationRun, job: MatchJob, stack: ExitStack) -> MatchRunner:
    """Programs play on the server of the run; without any the match is hosted in this process."""
    has_programs = any(isinstance(run.plan.agents[name], CommandSpec) for name in (job.x, job.o))
    return ServerMatchRunner(run, job, stack) if has_programs else LocalMatchRunner(run, job, stack)


class MatchRunner(ABC):
    """Plays one match: gives its agents their turns, and decides what the silence of one means."""

    session: Session

    def __init__(self, run: EvaluationRun, job: MatchJob, stack: ExitStack) -> None:
        self._run, self._plan, self._job, self._stack = run, run.plan, job, stack

    @abstractmethod
    def play(self) -> PlayedMatch: ...

    @abstractmethod
    def note(self, seat: int, refusal: Refusal) -> None:
        """Record an unreadable answer in the audit."""

    @abstractmethod
    def on_silence(self, seat: int) -> bool:
        """A pending claim is settled by the referee; else the seat is gone. True if that ends the match outside the
        session."""

    def _play_turns(self, agents: dict[int, Agent]) -> list[ForfeitedTurn]:
        rules = TurnRules(self._plan.retries, self._plan.forfeit, self._job.seed)
        opened = {seat: from_opening(agent, self._job.opening) for seat, agent in agents.items()}
        return TurnLoop(self.session, opened, rules, self.note, self.on_silence).play()

    def _spec(self, seat: int) -> AgentSpec:
        return self._plan.agents[self._job.agent(seat)]

    def _agent(self, seat: int) -> Agent:
        """An agent that is asked turn by turn."""
        run, spec = self._run, self._spec(seat)
        if isinstance(spec, ChatSpec):
            key = run.keys.of(self._job.agent(seat))
            endpoint = ChatEndpoint(spec.chat, key, run.keys.hide, retry=run.timing.retry)
            self._stack.callback(endpoint.close)
            return ChatAgent(self._plan, spec, endpoint, run.transcript(self._job, seat), run.keys)
        if isinstance(spec, CommandSpec):
            raise TypeError("a program is not asked turn by turn")
        return scripted_agent(self._plan, spec, player_seed(self._job.seed, seat))

    def _attempted(self) -> str:
        """The kind of action that an unreadable answer should have been."""
        return "confirm" if self.session.match.state.pending else "move"


class LocalMatchRunner(MatchRunner):
    """A match in this process. Its clock is the real one, and the referee never waits."""

    session: LocalSession

    def __init__(self, run: EvaluationRun, job: MatchJob, stack: ExitStack) -> None:
        super().__init__(run, job, stack)
        plan = run.plan
        seats = (SeatRequest(name=job.x), SeatRequest(name=job.o))
        request = MatchRequest(plan.game.id, plan.options, seats, show_moves=plan.show_moves, seed=job.seed)
        self.session = LocalSession.create(request, now=run.timing.now)

    def play(self) -> PlayedMatch:
        forfeits = self._play_turns({seat: self._agent(seat) for seat in (1, 2)})
        return PlayedMatch(_with_forfeits(self.session.hosted, forfeits, self._run.timing.now()), forfeits)

    def note(self, seat: int, refusal: Refusal) -> None:
        self.session.note(seat, self._attempted(), refusal.reason)

    def on_silence(self, seat: int) -> bool:
        if self.session.match.to_act == seat:
            self.session.referee(actions.SETTLE if self.session.match.state.pending else actions.gone(seat))
        return False


class ServerMatchRunner(MatchRunner):
    """A match on the server of the run. Programs join by invitation; we play the other seat, or watch."""

    session: RemoteSession

    def __init__(self, run: EvaluationRun, job: MatchJob, stack: ExitStack) -> None:
        super().__init__(run, job, stack)
        plan = run.plan
        specs = {seat: self._spec(seat) for seat in (1, 2)}
        self._commands = {seat: spec for seat, spec in specs.items() if isinstance(spec, CommandSpec)}
        self._claim_seconds = CLAIM_SECONDS.clamp(plan.seconds * (plan.retries + 1))
        server = Server(run.server.address())
        stack.callback(server.close)
        one, two = (SeatRequest(OPEN if n in self._commands else HUMAN, job.agent(n)) for n in (1, 2))
        self._created = server.request_match(
            MatchRequest(
                plan.game.id, plan.options, (one, two), private=True, show_moves=plan.show_moves,
                claim_seconds=self._claim_seconds,
            )
        )  # fmt: skip
        self._watched = server.watch(self._created.watch)
        self.session = RemoteSession(next(iter(self._created.seats.values()), self._watched))
        stack.enter_context(self.session)
        self._notes: list[tuple[int, str, str, int]] = []
        self._gone: Match | None = None  # the match as it ended here, with a seat that is gone

    def play(self) -> PlayedMatch:
        programs = {seat: self._stack.enter_context(self._start(seat)) for seat in self._commands}
        if missing := self._wait_for_programs(programs):
            self._declare_gone(missing)
            return self._played([ForfeitedTurn(missing, text("forfeit.never_joined"), 0)])
        agents = {seat: self._agent(seat) for seat in (1, 2) if seat not in programs}
        for seat, program in programs.items():
            agents[seat] = program_agent(
                program, self.session, self._version, self._plan.seconds, self._run.timing.poll
            )
        return self._played(self._play_turns(agents))

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
        """End the match here. The server need not know: whatever happens there now does not count."""
        self._gone = self.session.match.act(REFEREE, actions.gone(seat), self._run.timing.now())

    def _start(self, seat: int) -> AgentProgram:
        """Start a program. Its environment and its command tell it where the match is."""
        spec, run = self._commands[seat], self._run
        address, invitation = f"{run.server.address()}/mcp", str(self._created.invitations[seat])
        variables = {
            "NINEFOLD_MCP": address,
            "NINEFOLD_INVITATION": invitation,
            "NINEFOLD_GAME": self._plan.game.id,
            "NINEFOLD_SIDE": "XO"[seat - 1],
            "NINEFOLD_SECONDS": str(self._plan.seconds),
        }
        command = [word.replace("{mcp}", address).replace("{invitation}", invitation) for word in spec.command]
        environment = environment_of(spec, self._plan.agents.values(), os.environ) | variables
        program = AgentProgram(command, environment, run.transcript(self._job, seat), run.timing)
        run.programs.add(program)
        return program

    def _wait_for_programs(self, programs: dict[int, AgentProgram]) -> int:
        """Wait until every program has taken its seat; the seat of one that has not come in time, or 0."""
        until = time.monotonic() + self._plan.seconds
        while True:
            codes = {seat: program.exit_code for seat, program in programs.items()}  # before the look at the seats
            is_late = time.monotonic() > until
            missing = [one["seat"] for one in self._watched.view()["seats"] if one["player"] == "open"]
            if not missing:
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
        """The match and its audit from the server's database, with our own notes and ruling, and the plan's names."""
        with snapshot(self._run.server.data) as connection:
            hosted = store.load(connection, [self._created.match])[self._created.match]
        for note in self._notes:
            hosted = with_audit_entry(hosted, *note)
        match = self._gone or hosted.match
        one, two = (
            seat._replace(name=name) for seat, name in zip(match.setup.seats, (self._job.x, self._job.o), strict=True)
        )
        hosted = hosted._replace(match=match._replace(setup=match.setup._replace(seats=(one, two))))
        return PlayedMatch(_with_forfeits(hosted, forfeits, self._run.timing.now()), forfeits)


def wait_until_settled(session: Session, match: Match, seconds: float) -> None:
    """Wait until the referee of the server has settled the pending claim."""
    until = time.monotonic() + seconds
    while (state := session.state).match.version == match.version and not state.ended:
        if (left := until - time.monotonic()) <= 0:
            raise NotAllowed("no_server.claim")
        session.wait(state, left)


def _with_forfeits(hosted: HostedMatch, forfeits: list[ForfeitedTurn], now: int) -> HostedMatch:
    """The audit has the forfeited turns too: a move that was made for a seat is not its own."""
    for seat, _, version in forfeits:
        hosted = with_audit_entry(hosted, seat, "move", FORFEITED, now, version=version)
    return hosted
