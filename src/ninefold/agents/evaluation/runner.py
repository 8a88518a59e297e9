"""Running the matches of an evaluation, each in a session of its own: in this process, or on the server of the run."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, NamedTuple, Self
from weakref import WeakSet

from ninefold.agents.evaluation.agent_specs import AgentSpec, ChatSpec, CommandSpec
from ninefold.agents.evaluation.agents import AgentProgram, SeatStolen, Timing, scripted_agent
from ninefold.agents.evaluation.chat import ChatAgent
from ninefold.agents.evaluation.endpoint import ChatEndpoint
from ninefold.agents.evaluation.gate import Gates
from ninefold.agents.evaluation.isolation import Isolation, NoIsolation, unreadable_process
from ninefold.agents.evaluation.keys import ApiKeys, environment_of
from ninefold.agents.evaluation.ledger import SeatAccount, UsageLedger
from ninefold.agents.evaluation.limits import EndpointThrottle
from ninefold.agents.evaluation.loop import (
    Agent,
    AgentCrashed,
    AgentRejected,
    ForfeitedTurn,
    OutOfMoney,
    TurnLoop,
    TurnRules,
)
from ninefold.agents.evaluation.opening_moves import from_opening, with_opening
from ninefold.agents.evaluation.peers import Address
from ninefold.agents.evaluation.plan import Plan
from ninefold.agents.evaluation.plan_tables import EndpointSpec
from ninefold.agents.evaluation.results import JobResult
from ninefold.agents.evaluation.schedule import MatchJob, RunFolder
from ninefold.agents.evaluation.server import EvaluationServer, NamedServer
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.analysis.report.metrics import FORFEITED
from ninefold.client.links import Link
from ninefold.client.local import LocalSession
from ninefold.client.session import Session
from ninefold.core.errors import Refusal, quoted
from ninefold.match import actions
from ninefold.match.summary import player_seed
from ninefold.server.hosting.commands import MatchRequest, SeatRequest
from ninefold.server.hosting.handlers import with_audit_entry
from ninefold.server.hosting.model import HostedMatch

OnLink = Callable[[MatchJob, str], object]


class EvaluationRun:
    """The resources that the matches of a run share. ``close`` stops its server and all programs that still run.

    With ``server``, all matches are played there, and ``on_link`` is called with the link of each for spectators.
    """

    plan: Plan
    keys: ApiKeys
    folder: RunFolder
    timing: Timing
    server: NamedServer | EvaluationServer
    isolation: Isolation | NoIsolation
    throttles: dict[str, EndpointThrottle]

    def __init__(
        self,
        plan: Plan,
        keys: ApiKeys,
        folder: RunFolder,
        timing: Timing = Timing(),
        *,
        isolation: Isolation | None = None,
        server: NamedServer | None = None,
        on_link: OnLink = lambda _, __: None,
    ) -> None:
        self.plan, self.keys, self.folder, self.timing = plan, keys, folder, timing
        self.server = server or EvaluationServer(folder.path, environment_of(None, plan.agents.values(), os.environ))
        self.isolation, self._on_link = isolation or NoIsolation(), on_link
        self.programs: WeakSet[AgentProgram] = WeakSet()
        self.usage: UsageLedger = UsageLedger(folder.usage, plan.prices, plan.budget)
        chats = {spec.chat for spec in plan.agents.values() if isinstance(spec, ChatSpec)}
        self.throttles = {url: EndpointThrottle(plan.endpoints.get(url, EndpointSpec())) for url in chats}
        self._links: dict[int, str] = {}
        self._gates: Gates | None = None
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._stack.enter_context(unreadable_process())

    @property
    def gates(self) -> Gates:
        """The gates of programs, which are made when they are first needed."""
        with self._lock:
            if self._gates is None:
                self._gates = Gates(self.server.address(), self._agent_at)
                if isinstance(self.server, EvaluationServer):
                    self.isolation.hidden.append(self.server.data.resolve())
            return self._gates

    def _agent_at(self, its_end: Address, our_end: Address) -> str:
        """The agent whose program is at the end of a connection; "" if it is none."""
        return next((one.agent for one in list(self.programs) if one.peer(its_end, our_end) == "own"), "")

    def announce(self, job: MatchJob, link: Link) -> None:
        """Say where a match can be watched."""
        if not self.server.is_own:
            self._links[job.number] = str(link)
            self._on_link(job, str(link))

    def play(self, job: MatchJob) -> JobResult:
        """Play a match and save it. If an agent crashes, only the transcripts are kept."""
        try:
            with ExitStack() as stack:
                hosted, forfeits = _match_runner(self, job, stack).play()
        except SeatStolen as theft:
            seat = next((seat for seat in (1, 2) if job.agent(seat) == theft.thief), 0)
            return self._result(job, crash=theft.thief, seat=seat, why=theft.sentence, void=True)
        except AgentCrashed as crash:
            return self._result(job, crash=job.agent(crash.seat), seat=crash.seat, why=crash.sentence)
        except AgentRejected as refusal:
            raise self._rejected(job.agent(refusal.seat), refusal) from None
        self.folder.save(job.number, with_opening(hosted, job.opening, self.timing.now()))
        result = hosted.match.result
        score, by = (result.score, result.by) if result else ("*", "")
        return self._result(
            job, score=score, by=by, forfeits=tuple((job.agent(lost.seat), lost.why) for lost in forfeits)
        )

    def _rejected(self, agent: str, refusal: AgentRejected) -> AgentRejected:
        """The refusal of an endpoint with what can be done about it. One that has answered before knows the key."""
        code = "rejected.later" if self.usage.has_answered(agent) else "rejected.agent"
        if isinstance(refusal, OutOfMoney):
            code = "rejected.money"
        return type(refusal)(code, agent=quoted(agent), why=refusal.sentence)

    def _result(self, job: MatchJob, **facts: Any) -> JobResult:
        return JobResult(job.number, job.x, job.o, link=self._links.get(job.number, ""), **facts)

    def transcript(self, job: MatchJob, seat: int) -> Transcript:
        return Transcript(self.folder.transcript(job.number, seat), self.keys)

    def close(self) -> None:
        for program in list(self.programs):
            program.close()
        if self._gates:
            self._gates.close()
        self.server.close()
        self.isolation.close()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PlayedMatch(NamedTuple):
    """A match with its audit, and the turns that were forfeited in it."""

    hosted: HostedMatch
    forfeits: list[ForfeitedTurn]


def _match_runner(run: EvaluationRun, job: MatchJob, stack: ExitStack) -> MatchRunner:
    """Programs play on the server of the run; without any the match is hosted in this process, unless a server was
    named."""
    from ninefold.agents.evaluation.server_runner import ServerMatchRunner  # it builds on this module

    has_programs = any(isinstance(run.plan.agents[name], CommandSpec) for name in (job.x, job.o))
    return (
        ServerMatchRunner(run, job, stack)
        if has_programs or not run.server.is_own
        else LocalMatchRunner(run, job, stack)
    )


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
            name = self._job.agent(seat)
            throttle = run.throttles[spec.chat]
            endpoint = ChatEndpoint(
                spec.chat, run.keys.of(name), run.keys.hide, retry=run.timing.retry, throttle=throttle
            )
            self._stack.callback(endpoint.close)
            account = SeatAccount(run.usage, self._job.number, seat, name, spec.model)
            return ChatAgent(self._plan, spec, endpoint, run.transcript(self._job, seat), run.keys, account)
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
        request = MatchRequest(
            plan.game.id, plan.options, seats, show_moves=plan.show_moves, show_lines=plan.show_lines, seed=job.seed
        )
        self.session = LocalSession.create(request, now=run.timing.now)

    def play(self) -> PlayedMatch:
        forfeits = self._play_turns({seat: self._agent(seat) for seat in (1, 2)})
        return PlayedMatch(with_forfeits(self.session.hosted, forfeits, self._run.timing.now()), forfeits)

    def note(self, seat: int, refusal: Refusal) -> None:
        self.session.note(seat, self._attempted(), refusal.reason)

    def on_silence(self, seat: int) -> bool:
        if self.session.match.to_act == seat:
            self.session.referee(actions.SETTLE if self.session.match.state.pending else actions.gone(seat))
        return False


def with_forfeits(hosted: HostedMatch, forfeits: list[ForfeitedTurn], now: int) -> HostedMatch:
    """The audit has the forfeited turns too: a move that was made for a seat is not its own."""
    for seat, _, version in forfeits:
        hosted = with_audit_entry(hosted, seat, "move", FORFEITED, now, version=version)
    return hosted
