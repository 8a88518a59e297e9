"""The agents of a plan that are no models: built-in players and scripts, and programs with MCP clients."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce
from typing import IO, Literal, NamedTuple, Self, cast

from ninefold.agents.evaluation.agent_specs import AgentSpec, CommandSpec, PlayerSpec, ScriptSpec
from ninefold.agents.evaluation.endpoint import RETRY
from ninefold.agents.evaluation.gate import Gate
from ninefold.agents.evaluation.isolation import Isolation, NoIsolation, ProgramPlace
from ninefold.agents.evaluation.loop import ACTED, Agent, AgentCrashed, AgentReply, MatchForfeited
from ninefold.agents.evaluation.peers import Address, Peer
from ninefold.agents.evaluation.plan import Plan, place_of, refused_at
from ninefold.agents.evaluation.program_check import check_program
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.client.http import RetryPolicy
from ninefold.client.session import Session
from ninefold.core.errors import NotAllowed, Refusal, quoted
from ninefold.core.text import clean
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.players.player import make_player
from ninefold.players.scripted import ABOUT_CLAIMS, SCRIPTS, make_script
from ninefold.server.storage.steady_clock import SteadyClock

LONGEST_LAST_LINE = 200  # characters of a program's last line that are repeated
KILLED = 128  # exit codes above are those of killed programs
MOST_OUTPUT = 1_000_000  # characters of a program's output that go into its transcript


class Timing(NamedTuple):
    """The patience of a run: how long it waits for others, in seconds, how it repeats requests to endpoints, and the
    clock of its matches."""

    exit: float = 5.0  # for a program to exit after its match
    output: float = 1.0  # for the last output of a program that has exited
    poll: float = 0.05  # between two looks at a program
    slack: float = 10.0  # for the server to settle a claim that is due, or to stop
    retry: RetryPolicy = RETRY
    now: Callable[[], int] = SteadyClock().now


def check_agents(plan: Plan) -> None:
    """Refuse agents that cannot play, before the first match."""
    for name, spec in plan.agents.items():
        try:
            _check_agent(plan, spec)
        except Refusal as refusal:
            raise refused_at(place_of("agents", name), refusal) from None


def _check_agent(plan: Plan, spec: AgentSpec) -> None:
    match spec:
        case PlayerSpec():
            make_player(plan.game, spec.player, 0)
        case ScriptSpec():
            make_script(plan.game, spec.script, 0)
            if spec.script in ABOUT_CLAIMS and plan.game.settle_options(plan.options).get("claims") != "yes":
                others = " ".join(name for name in SCRIPTS if name not in ABOUT_CLAIMS)
                raise NotAllowed("no_claims.script", script=spec.script, scripts=others)
        case CommandSpec():
            check_program(spec, program_place("", spec))


def scripted_agent(plan: Plan, spec: PlayerSpec | ScriptSpec, seed: int) -> Agent:
    if isinstance(spec, ScriptSpec):
        return _turn_by_turn(make_script(plan.game, spec.script, seed))
    return _turn_by_turn(make_player(plan.game, spec.player, seed))


def _turn_by_turn(act: Callable[[Match], Action | None]) -> Agent:
    def reply(match: Match, _: object) -> AgentReply | None:
        action = act(match)
        return None if action is None else AgentReply(action)

    return reply


def program_place(agent: str, spec: CommandSpec, seat: int = 1, words: Mapping[str, str] | None = None) -> ProgramPlace:
    """The command of an agent with its words filled in, and the folders of its program."""
    words = {"{python}": sys.executable, **(words or {})}
    command = [reduce(lambda text, word: text.replace(*word), words.items(), part) for part in spec.command]
    return ProgramPlace(agent, seat, command, spec.working_folder, spec.writable_folders)


class AgentProgram:
    """A program at one seat of one match. Its output goes into the transcript."""

    agent: str

    def __init__(
        self,
        place: ProgramPlace,
        environment: Mapping[str, str],
        transcript: Transcript,
        timing: Timing = Timing(),
        isolation: Isolation | None = None,
    ) -> None:
        self.agent, self._transcript, self._timing = place.agent, transcript, timing
        self._isolation = isolation or NoIsolation()
        self._launch = self._isolation.launch(place, environment)
        name = quoted(place.command[0], 60)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running the program of the plan is the point
                self._launch.command,
                env=self._launch.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
                **self._launch.options,
            )
        except OSError as error:
            raise NotAllowed("no_such_program.because", program=name, why=error.strerror) from None
        except ValueError:
            raise NotAllowed("no_such_program.command", program=name) from None
        self._last_line = ""  # the last one with a word: the tracebacks of exception groups end with a frame
        self._reader = threading.Thread(target=self._read_output, name="ninefold-program", daemon=True)
        self._reader.start()

    def peer(self, its_end: Address, our_end: Address) -> Peer:
        """Whose connection this is, seen from this program."""
        return self._isolation.peer(self._process.pid, self._launch, its_end, our_end)

    def _read_output(self) -> None:
        size = 0
        output = cast("IO[str]", self._process.stdout)
        with contextlib.suppress(ValueError), output:
            while line := output.readline(10_000):
                size += len(line)
                self._last_line = line if any(map(str.isalnum, line)) else self._last_line
                if size <= MOST_OUTPUT:
                    self._transcript.add(printed=line.rstrip("\n"))

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def may_be_killed_by_others(self, code: int) -> bool:
        """True if this is the exit code of a killed program (shells add 128 to the signal), and other programs can kill
        it: it may not be its own fault."""
        return self._isolation.mode == "none" and (code < 0 or code > KILLED)

    def crashed(self, code: int, *, has_joined: bool = True) -> AgentCrashed:
        """The refusal for a program that has exited too early, with the last line of its output."""
        self._reader.join(self._timing.output)
        hide = self._transcript.hide
        line = hide(clean(hide(self._last_line)))[:LONGEST_LAST_LINE].rstrip(".")
        if has_joined:
            return AgentCrashed("crashed.program.said" if line else "crashed.program", code=code, line=line)
        return AgentCrashed("crashed.joining.said" if line else "crashed.joining", code=code, line=line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(0 if kind else self._timing.exit)

    def close(self, seconds: float = 0) -> None:
        """Wait for its exit, then kill it with everything that it has started."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        self._reader.join(self._timing.output)


class SeatStolen(AgentCrashed):
    """Somebody else has come with the passes of a program's seat. The match is void. ``thief`` is an agent, perhaps of
    another match; it is empty if nobody knows who it was."""

    def __init__(self, victim: str, thief: str) -> None:
        super().__init__("stolen.by" if thief else "stolen", victim=quoted(victim))
        self.thief = thief


def check_theft(gates: Iterable[Gate]) -> None:
    """Make the match void if somebody has tried to take a seat that is not theirs."""
    for gate in gates:
        if gate.theft:
            raise SeatStolen(gate.agent, gate.theft.thief)


def _failure(program: AgentProgram, code: int, match: Match, opening: int) -> AgentCrashed | MatchForfeited:
    """A program that has acted in the match loses it when it breaks down; else it could not start. So nobody gets out
    of a lost match, and nobody wins one by killing the other."""
    crash = program.crashed(code)
    seat = match.to_act
    has_acted = any(event.seat == seat and event.action.kind != "say" for event in match.events[opening:])
    if not has_acted or program.may_be_killed_by_others(code):
        return crash
    return MatchForfeited(crash.code, **crash.params)


def program_agent(
    program: AgentProgram,
    gates: Collection[Gate],
    session: Session,
    hosted_version: Callable[[], int],
    seconds: float,
    poll: float,
    opening: int = 0,
) -> Agent:
    """The agent of a program, which acts by itself on the server: we wait until it has.

    ``hosted_version`` asks the server for the version of the match; the session may hear of an action a little later.
    ``opening`` is the number of moves that were made before the program was started.
    """

    def reply(match: Match, _: object) -> Literal["acted"] | None:
        until = time.monotonic() + seconds
        while True:
            check_theft(gates)
            state = session.state
            if state.match.version > match.version or state.ended:
                return ACTED
            code, is_late = program.exit_code, time.monotonic() > until
            if code is not None or is_late:
                if hosted_version() > match.version:
                    return ACTED
                if code:
                    raise _failure(program, code, match, opening)
                return None
            session.wait(state, poll)

    return reply
